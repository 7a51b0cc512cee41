/* SPDX-License-Identifier: BSD-3-Clause
 * The clock of a run, and its method asked for what others want to know. */
#include "scree/run.h"

int64_t scree_run_step(const struct scree_run *run)
{
    return run->tick;
}

double scree_run_time(const struct scree_run *run)
{
    return (double)scree_run_step(run) * run->scene.dt;
}

enum scree_status scree_run_advance(struct scree_run *run, int64_t tick,
                                    struct scree_energies *energies)
{
    enum scree_status status = run->stepper->advance(run->state, &run->scene, tick, energies);
    if (status == SCREE_OK) run->tick = tick;
    return status;
}

void scree_run_compute_energies(struct scree_run *run, struct scree_energies *energies)
{
    run->stepper->energies(run->state, &run->scene, energies);
}

enum scree_status scree_run_advise(struct scree_run *run, const struct scree_advice *advice)
{
    if (run->stepper->advise == NULL) return SCREE_OK;
    return run->stepper->advise(run->state, &run->scene, advice);
}
