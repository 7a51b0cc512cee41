/* SPDX-License-Identifier: BSD-3-Clause
 * The message for a force that is too large: which contact, how large. */
#include <math.h>
#include <stdio.h>

#include "evaluation.h"
#include "scree/status.h"

/* A load that does not fit into its integer means that the run has gone wrong: say where. */
static int find_worst(const struct scree_md_batch *batch, double *force)
{
    int worst = 0;
    double largest = -1.0;
    for (int k = 0; k < batch->n_real; k++) {
        double size = 0.0, twist = 0.0;
        for (int c = 0; c < 3; c++) {
            size += batch->force[c][k] * batch->force[c][k];
            twist += fabs(batch->torque_i[c][k]) + fabs(batch->torque_j[c][k]);
        }
        size = sqrt(size);
        if (size + twist <= largest) continue;
        *force = size;
        worst = k;
        if (!(size + twist >= 0.0)) break; /* not a number: nothing is worse */
        largest = size + twist;
    }
    return worst;
}

void scree_md_report_overflow(struct scree_md_evaluation *e)
{
    const struct scree_md_batch *batch = e->md->batch;
    const struct scree_particles *p = e->scene->particles;
    double force = 0.0;
    int worst = find_worst(batch, &force);
    char partner[64];
    if (e->kind == SCREE_NEAR_WALL)
        snprintf(partner, sizeof partner, "wall '%s'", e->scene->walls->wall[batch->j[worst]].name);
    else
        snprintf(partner, sizeof partner, "grain %lld", (long long)p->gid[batch->j[worst]]);
    double apart = batch->b.r_i[worst] + batch->b.r_j[worst] - batch->b.overlap[worst];
    if (e->kind != SCREE_NEAR_WALL && !(apart > 0.0)) {
        e->md->status =
            SCREE_FAIL(SCREE_PHYSICS, "step %lld: grain %lld and %s are at the same place",
                       (long long)e->md->step, (long long)p->gid[batch->i[worst]], partner);
        return;
    }
    e->md->status = SCREE_FAIL(
        SCREE_PHYSICS,
        "step %lld: the contact of grain %lld with %s has force %g N (overlap %g m, radius %g m); "
        "it or its torque is beyond what can be summed (%g N): the run is unstable; use a smaller "
        "time step",
        (long long)e->md->step, (long long)p->gid[batch->i[worst]], partner,
        force * e->md->force_quantum, batch->b.overlap[worst], batch->b.r_i[worst],
        ldexp(e->md->force_quantum, 51));
}
