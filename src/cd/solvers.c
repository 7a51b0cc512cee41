/* SPDX-License-Identifier: BSD-3-Clause
 * The table of solvers, and what those made of sweeps share. */
#include "solvers.h"

#include <stdint.h>
#include <string.h>

#define SCREE_CD_SOLVER(name) extern const struct scree_cd_solver scree_cd_solver_##name;
#include "solvers.def"
#undef SCREE_CD_SOLVER

static const struct scree_cd_solver *const table[] = {
#define SCREE_CD_SOLVER(name) &scree_cd_solver_##name,
#include "solvers.def"
#undef SCREE_CD_SOLVER
};

const char *const scree_cd_solver_names[] = {
#define SCREE_CD_SOLVER(name) #name,
#include "solvers.def"
#undef SCREE_CD_SOLVER
    NULL};

const struct scree_cd_solver *scree_cd_solver_at(int k)
{
    return table[k];
}

void scree_cd_solve_begin(struct scree_cd_problem *p, struct scree_cd_outcome *outcome)
{
    memset(outcome, 0, sizeof *outcome);
    outcome->residual = 1.0;
    scree_cd_apply_impulses(p);
    scree_cd_remember(p);
}

void scree_cd_remember(struct scree_cd_problem *p)
{
    memcpy(p->impulse_before, p->impulse, p->n_contacts * sizeof *p->impulse);
    if (p->couple != NULL) memcpy(p->couple_before, p->couple, p->n_contacts * sizeof *p->couple);
    memcpy(p->rate_before, p->rate, (size_t)(p->n_blocks * p->n_drives) * sizeof *p->rate);
    for (int d = 0; d < p->n_drives; d++) p->drive[d].remembered = p->drive[d].found;
    for (size_t k = 0; k < p->n_copies; k++) {
        memcpy(p->copy_before[k], p->copy[k].v, sizeof p->copy[k].v);
        memcpy(p->copy_before[k] + 3, p->copy[k].w, sizeof p->copy[k].w);
    }
}

/* The blocks from `first` to `end` in the order in which they are swept. */
static void sweep_blocks(const struct scree_cd_values *values, struct scree_cd_problem *p,
                         int64_t sweeps, int first, int end)
{
    for (int k = first; k < end; k++) {
        for (int64_t s = 0; s < values->sweeps_per_exchange; s++) {
            if (p->sequence != NULL) scree_cd_shuffle(p, p->sweep_order[k], sweeps + s);
            scree_cd_sweep(p, p->sweep_order[k]);
        }
        if (p->channel != NULL && first > 0) scree_channel_poke(p->channel);
    }
}

void scree_cd_sweep_all(const struct scree_cd_values *values, struct scree_cd_problem *p,
                        struct scree_cd_outcome *outcome)
{
    sweep_blocks(values, p, outcome->sweeps, 0, p->n_border);
    scree_cd_begin_exchange(p);
    sweep_blocks(values, p, outcome->sweeps, p->n_border, p->n_blocks);
    scree_cd_end_exchange(p);
    outcome->sweeps += values->sweeps_per_exchange;
}

bool scree_cd_is_solved(const struct scree_cd_values *values, const struct scree_cd_outcome *o)
{
    return o->residual <= values->residual && !(o->force_change > values->force_change) &&
           !(o->unbalanced > values->unbalanced);
}

bool scree_cd_solve_is_done(const struct scree_cd_values *values, struct scree_cd_problem *p,
                            struct scree_cd_outcome *outcome, bool *looked)
{
    const int64_t each = values->sweeps_per_exchange;
    bool fixed = values->fixed > 0;
    int64_t end = fixed ? values->fixed : values->most;
    bool last = outcome->sweeps + each > end;
    bool due = outcome->sweeps >= values->least &&
               (outcome->sweeps / values->check != (outcome->sweeps - each) / values->check);
    *looked = last || (due && !fixed);
    if (!*looked) return false;
    scree_cd_measure(p, outcome);
    outcome->converged = scree_cd_is_solved(values, outcome);
    return last || outcome->converged;
}
