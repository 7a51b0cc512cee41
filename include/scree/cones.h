/* SPDX-License-Identifier: BSD-3-Clause
 * Contact problems in general form: contacts with friction between bodies of any shape, as the
 * exchange format FCLIB has them (Acary et al., Inria RT-0444 (2014)), and ways to solve them.
 *
 * A contact has `dim` components, the normal first: 2 (n, t), 3 (n, t1, t2), 5 (and two rolling
 * moments) or 6 (and torsion). Impulses r and relative velocities u of all contacts follow each
 * other. The law: r_n >= 0, u_n >= 0, one of them 0; |r_t| <= mu r_n, against the slip if that is
 * not 0; rolling moments and torsion likewise, each with its own limit.
 *
 *   bodies  M v = f + H r, u = H^T v + w       (struct scree_cones_bodies; "global")
 *   local   u = W r + q, W = H^T M^-1 H        (struct scree_cones; "local") */
#ifndef SCREE_CONES_H
#define SCREE_CONES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scree/status.h"

enum { SCREE_CONES_DIM = 6, SCREE_CONES_LIMITS = 3 };

/* Limits of the parts of a contact per normal impulse: friction (1), rolling (m), torsion (m). */
typedef double scree_cones_limits[SCREE_CONES_LIMITS];

/* Entries of a sparse matrix in any order; those of the same place add up. */
struct scree_cones_matrix {
    int64_t n_rows, n_columns;
    size_t n, capacity;
    int32_t *row, *column;
    double *value;
};

/* W in blocks of dim x dim, row by row of contacts; every row has its diagonal block. */
struct scree_cones {
    int dim;
    size_t n; /* contacts */
    double *q;
    scree_cones_limits *limit;
    size_t *start;    /* [n + 1] */
    int32_t *column;  /* of contacts, rising within a row */
    double *block;    /* [start[n]][dim][dim] */
    size_t *diagonal; /* [n] its place in each row */
    double *inverse;  /* [n][dim][dim] of the diagonal blocks; 0 where there is none */
    double *scale;    /* [n] 1/kg; largest eigenvalue of a diagonal block, or a bound of it */
};

struct scree_cones_bodies {
    int dim;
    size_t n;                       /* contacts */
    struct scree_cones_matrix m, h; /* h: a row per degree of freedom, dim columns per contact */
    double *f, *w;
    scree_cones_limits *limit;
};

void scree_cones_matrix_add(struct scree_cones_matrix *matrix, int64_t row, int64_t column,
                            double value);
void scree_cones_matrix_clear(struct scree_cones_matrix *matrix);

/* W from its entries; q and limit are copied. Finds inverses and scales. A number that is not
 * finite or an empty diagonal is refused. */
enum scree_status scree_cones_init(struct scree_cones *cones, int dim, size_t n,
                                   const struct scree_cones_matrix *w, const double *q,
                                   const scree_cones_limits *limit);
/* W and q from the masses and loads of bodies, and what contacts see of them. *free_velocity, which
 * is allocated here: M^-1 f. */
enum scree_status scree_cones_from_bodies(struct scree_cones *cones,
                                          const struct scree_cones_bodies *bodies,
                                          double **free_velocity);
void scree_cones_clear(struct scree_cones *cones);
void scree_cones_bodies_clear(struct scree_cones_bodies *bodies);
/* v = M^-1 (f + H r) of bodies. */
enum scree_status scree_cones_velocities(const struct scree_cones_bodies *bodies, const double *r,
                                         double *v);

/* The limits that components 1, 2, ... of a contact have: first component and number of each. */
int scree_cones_parts(int dim, int first[SCREE_CONES_LIMITS], int count[SCREE_CONES_LIMITS]);
/* y becomes max(0, y_n) and each other part cut to its limit at that; `slope`, if not NULL: the
 * derivative [dim][dim], row by row. */
void scree_cones_clip(int dim, const double *limit, double *y, double *slope);
/* y becomes the nearest point of the cone. */
void scree_cones_project(int dim, const double *limit, double *y);

/* Distances from a solution of impulses r with the velocities u that belong to them. */
enum scree_cones_measure {
    SCREE_CONES_FCLIB,   /* |r - P(r - u~)| / |q|, u~_n = u_n + mu |u_t| */
    SCREE_CONES_SICONOS, /* the same, over the largest of |q|, |r|, |u| */
    SCREE_CONES_SCREE,   /* scaled with the blocks of W, as an energy; see cones_residual.c */
    SCREE_CONES_MEASURES
};
extern const char *const scree_cones_measures[]; /* NULL-ended */
void scree_cones_velocity(const struct scree_cones *cones, const double *r, double *u);
void scree_cones_measure(const struct scree_cones *cones, const double *r, const double *u,
                         double residual[SCREE_CONES_MEASURES]);

struct scree_cones_request {
    enum scree_cones_measure measure;
    double tolerance;
    int64_t most; /* iterations */
};

struct scree_cones_outcome {
    int64_t iterations, systems; /* systems of linear equations that were solved */
    double residual[SCREE_CONES_MEASURES];
    bool converged;
};

/* A way to solve a local problem; r holds the first guess and then the best that was found. Solvers
 * are listed in src/cones/cones_solvers.def. */
struct scree_cones_solver {
    const char *name, *summary;
    enum scree_status (*solve)(const struct scree_cones *cones,
                               const struct scree_cones_request *request, double *r,
                               struct scree_cones_outcome *outcome);
};
extern const char *const scree_cones_solver_names[]; /* NULL-ended */
const struct scree_cones_solver *scree_cones_solver_at(int k);

#endif
