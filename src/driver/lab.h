/* SPDX-License-Identifier: BSD-3-Clause
 * `scree contact`: two grains, to see a law before trusting it. Private to driver. */
#ifndef SCREE_LAB_H
#define SCREE_LAB_H

#include "job.h"

enum { SCREE_LAB_POINTS = 64 };

struct scree_lab {
    const char *name[2];               /* materials */
    int material[2];                   /* their numbers in the job */
    double radius[2];                  /* m */
    bool wall;                         /* the second is a flat wall */
    double speed;                      /* m/s; of the collision, or along the path */
    double angle;                      /* radian; between velocity and normal */
    double spin;                       /* 1/s; of the first grain */
    int64_t steps;                     /* per contact time or leg */
    int n_points;                      /* of the path; 0: a collision */
    double point[SCREE_LAB_POINTS][2]; /* m; overlap and shift */
};

/* One moment. */
struct scree_lab_row {
    double time, overlap, shift;         /* s, m, m; shift: integral of the tangential velocity */
    double normal, tangential;           /* N; forces on the first grain, tangential along +shift */
    double elastic;                      /* J */
    double loss[SCREE_N_CONTACT_LOSSES]; /* J; since the beginning */
    double kinetic;                      /* J; of a collision */
    double closure;                      /* J */
};

/* Rows of a table that grows. */
struct scree_lab_table {
    struct scree_lab_row *row;
    size_t n, capacity;
};
void scree_lab_add(struct scree_lab_table *table, const struct scree_lab_row *row);

/* Reduced mass of the pair for its materials and radii. */
double scree_lab_reduced_mass(const struct scree_job *job, const struct scree_lab *lab);
/* Run a collision with the method of the job (built, two grains or one and a wall). */
enum scree_status scree_lab_collide(struct scree_job *job, const struct scree_lab *lab,
                                    struct scree_lab_table *table);
/* Let the laws follow a path of overlaps and shifts. */
void scree_lab_follow(const struct scree_job *job, const struct scree_lab *lab,
                      struct scree_lab_table *table);
/* Force against overlap, force against shift, energies against time, as an SVG picture. */
enum scree_status scree_lab_draw(const struct scree_lab_table *table, const char *title,
                                 const char *path);

#endif
