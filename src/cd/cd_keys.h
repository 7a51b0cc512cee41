/* SPDX-License-Identifier: BSD-3-Clause
 * What the keys of cd say. Private to cd. */
#ifndef SCREE_CD_KEYS_H
#define SCREE_CD_KEYS_H

#include "scree/stepper.h"

enum scree_cd_scheme { SCREE_CD_EULER, SCREE_CD_MOREAU };
enum scree_cd_gap { SCREE_CD_GAP_POSITIVE, SCREE_CD_GAP_SIGNED };
enum scree_cd_order {
    SCREE_CD_ORDER_DRAWN,
    SCREE_CD_ORDER_RANDOM,
    SCREE_CD_ORDER_FIXED,
    SCREE_CD_ORDER_REVERSE
};
enum scree_cd_failure { SCREE_CD_WARN, SCREE_CD_STOP, SCREE_CD_HALVE };

/* What the keys of cd say (cd_keys.c). */
struct scree_cd_values {
    int solver;         /* place in solvers.def */
    int first;          /* that of petsc for coming near */
    double polish_from; /* residual at which Newton's method begins */
    int scheme, gap, order, failure;
    double residual;                 /* scaled natural map at which a step has converged */
    double force_change, unbalanced; /* further criteria; INFINITY: not asked for */
    double block_grains;             /* of a block, about; NAN: the domain of a rank is one */
    int64_t least, most;             /* sweeps of a step */
    int64_t fixed;                   /* INT64_MIN, or so many sweeps whatever the residual */
    int64_t check;                   /* sweeps between looks at the residual */
    int64_t sweeps_per_exchange;
    int64_t halvings; /* of a step, at most */
    bool warm_start;
    double rebound_speed; /* m/s; slower impacts do not rebound; NAN: auto */
};
extern const struct scree_method_keys scree_cd_keys[];
void scree_cd_check_keys(const void *values, const struct scree_method_setting *setting);

#endif
