/* SPDX-License-Identifier: BSD-3-Clause
 * What became of steps: sweeps, residuals, the contact that is solved worst. */
#include <math.h>
#include <stdio.h>

#include "cd_impl.h"

/* The contact of this rank with the largest share in the residual; of equal ones the first by
 * ids. */
static double find_own(const struct scree_cd *cd, const struct scree_cd_problem *p,
                       scree_gid who[2])
{
    double largest = 0.0;
    who[0] = who[1] = 0;
    for (size_t c = 0; c < p->n_contacts; c++) {
        const struct scree_cd_record *r = &cd->all[p->record[c]];
        double part = scree_cd_residual_part(p, c);
        bool before = r->first < who[0] || (r->first == who[0] && r->second < who[1]);
        if (!(part > largest || (part == largest && part > 0.0 && before))) continue;
        largest = part;
        who[0] = r->first;
        who[1] = r->second;
    }
    return largest;
}

void scree_cd_find_worst(const struct scree_cd *cd, const struct scree_cd_problem *p,
                         struct scree_cd_worst *worst)
{
    double size = p->sum_impulses / fmax(p->n_active, 1.0), own, largest;
    own = largest = find_own(cd, p, worst->who);
    scree_comm_max(p->comm, &largest, 1);
    worst->residual = size > 0.0 ? sqrt(largest / size) : 0.0;
    for (int k = 0; k < 2; k++) { /* lowest ids among those that are as bad */
        bool tied = own == largest && largest > 0.0;
        int64_t lowest = tied ? -worst->who[k] : INT64_MIN;
        scree_comm_max_int(p->comm, &lowest, 1);
        if (tied && -worst->who[k] != lowest) own = -1.0;
        worst->who[k] = largest > 0.0 ? -lowest : 0;
    }
}

void scree_cd_begin_tick(struct scree_cd *cd)
{
    cd->tick = (struct scree_cd_tick){.solved = true};
}

void scree_cd_note_outcome(struct scree_cd *cd, const struct scree_cd_problem *p,
                           const struct scree_cd_outcome *outcome)
{
    struct scree_cd_tick *tick = &cd->tick;
    struct scree_cd_worst worst;
    scree_cd_find_worst(cd, p, &worst);
    cd->outcome = *outcome;
    if (tick->n == 0 || worst.residual > tick->worst.residual) tick->worst = worst;
    tick->residual = fmax(tick->residual, outcome->residual);
    tick->solved = tick->solved && outcome->converged;
    tick->n++;
}

void scree_cd_end_tick(struct scree_cd *cd)
{
    const struct scree_cd_tick *tick = &cd->tick;
    cd->n_steps++;
    cd->n_failed += !tick->solved;
    cd->n_halved += tick->n > 1;
    cd->total_sweeps += tick->sweeps;
    cd->total_systems += tick->systems;
    if (tick->sweeps > cd->most_sweeps) cd->most_sweeps = tick->sweeps;
    if (tick->residual > cd->worst_residual || cd->n_steps == 1) {
        cd->worst_residual = tick->residual;
        cd->worst = tick->worst;
        cd->worst_step = cd->step;
    }
    cd->figure[0] = (double)tick->sweeps;
    cd->figure[1] = tick->residual;
    cd->figure[2] = cd->outcome.unbalanced;
    cd->figure[3] = tick->worst.residual;
    cd->figure[4] = (double)tick->worst.who[0];
    cd->figure[5] = (double)tick->worst.who[1];
}

void scree_cd_name_contact(const struct scree_cd_worst *worst, const struct scree_walls *walls,
                           char *text, size_t size)
{
    if (worst->who[0] == 0)
        snprintf(text, size, "none");
    else if (worst->who[1] < 0)
        snprintf(text, size, "of grain %lld with wall '%s'", (long long)worst->who[0],
                 walls->wall[-1 - worst->who[1]].name);
    else
        snprintf(text, size, "of grains %lld and %lld", (long long)worst->who[0],
                 (long long)worst->who[1]);
}

void scree_cd_write_report(const struct scree_cd *cd, char *text, size_t size)
{
    double steps = (double)(cd->n_steps > 0 ? cd->n_steps : 1);
    snprintf(text, size,
             "\"sweeps_per_step\": %.3f, \"most_sweeps\": %lld, \"systems_per_step\": %.3f, "
             "\"steps_not_solved\": %lld, "
             "\"steps_halved\": %lld, \"worst_residual\": %.6g, \"worst_step\": %lld, "
             "\"worst_contact\": {\"residual\": %.6g, \"first\": %lld, \"second\": %lld}",
             (double)cd->total_sweeps / steps, (long long)cd->most_sweeps,
             (double)cd->total_systems / steps, (long long)cd->n_failed, (long long)cd->n_halved,
             cd->worst_residual, (long long)cd->worst_step, cd->worst.residual,
             (long long)cd->worst.who[0], (long long)cd->worst.who[1]);
}
