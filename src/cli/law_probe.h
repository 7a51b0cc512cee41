/* SPDX-License-Identifier: BSD-3-Clause
 * `scree contact`: two grains, to see a law before trusting it. Private to cli. */
#ifndef SCREE_LAW_PROBE_H
#define SCREE_LAW_PROBE_H

#include "scree/job.h"

enum { SCREE_LAW_PROBE_POINTS = 64 };

struct scree_law_probe {
    const char *name[2];                     /* materials */
    int material[2];                         /* their numbers in the job */
    double radius[2];                        /* m */
    bool wall;                               /* the second is a flat wall */
    double speed;                            /* m/s; of the collision, or along the path */
    double angle;                            /* radian; between velocity and normal */
    double spin;                             /* 1/s; of the first grain */
    int64_t steps;                           /* per contact time or leg */
    int n_points;                            /* of the path; 0: a collision */
    double point[SCREE_LAW_PROBE_POINTS][2]; /* m; overlap and shift */
};

/* One moment. */
struct scree_law_probe_row {
    double time, overlap, shift;         /* s, m, m; shift: integral of the tangential velocity */
    double normal, tangential;           /* N; forces on the first grain, tangential along +shift */
    double elastic;                      /* J */
    double loss[SCREE_N_CONTACT_LOSSES]; /* J; since the beginning */
    double kinetic;                      /* J; of a collision */
    double closure;                      /* J */
};

/* Rows of a table that grows. */
struct scree_law_probe_table {
    struct scree_law_probe_row *row;
    size_t n, capacity;
};
void scree_law_probe_add(struct scree_law_probe_table *table,
                         const struct scree_law_probe_row *row);

/* Reduced mass of the pair for its materials and radii. */
double scree_law_probe_reduced_mass(const struct scree_job *job, const struct scree_law_probe *lab);
/* Run a collision with the method of the job (built, two grains or one and a wall). */
enum scree_status scree_law_probe_collide(struct scree_job *job, const struct scree_law_probe *lab,
                                          struct scree_law_probe_table *table);
/* Let the laws follow a path of overlaps and shifts. */
void scree_law_probe_follow(const struct scree_job *job, const struct scree_law_probe *lab,
                            struct scree_law_probe_table *table);
/* Force against overlap, force against shift, energies against time, as an SVG picture. */
enum scree_status scree_law_probe_draw(const struct scree_law_probe_table *table, const char *title,
                                       const char *path);

#endif
