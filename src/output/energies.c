/* SPDX-License-Identifier: BSD-3-Clause
 * The energies of a job, and the end of a run in which they do not add up. */
#include <math.h>

#include "scree/job.h"

void scree_energies_compute(struct scree_job *job, struct scree_energies *energies)
{
    job->stepper->energies(job->state, &job->scene, energies);
}

void scree_energies_reuse_or_compute(struct scree_job *job, const struct scree_energies *known,
                                     struct scree_energies *energies)
{
    if (known != NULL)
        *energies = *known;
    else
        scree_energies_compute(job, energies);
}

enum scree_status scree_job_advise(struct scree_job *job, const struct scree_advice *advice)
{
    if (job->stepper->advise == NULL) return SCREE_OK;
    return job->stepper->advise(job->state, &job->scene, advice);
}

enum scree_status scree_energies_check_closure(struct scree_job *job,
                                               const struct scree_energies *e)
{
    double gravity = scree_energies_sum(e, job->stepper->lines, SCREE_ENERGY_GRAVITY);
    double rounding = 1e-12 * (fabs(gravity) + e->turnover);
    if (fabs(e->closure) <= job->energy.tolerance * e->turnover + rounding) return SCREE_OK;
    char text[700] = "";
    const struct scree_advice advice = {
        .occasion = SCREE_ADVISE_LEDGER, .text = text, .size = sizeof text};
    SCREE_TRY(scree_job_advise(job, &advice));
    return SCREE_FAIL(SCREE_PHYSICS, /* the same on all ranks */
                      "step %lld: the energy ledger does not close: %.3g J (%.2g of what was "
                      "turned over) came out of nothing or got lost, the tolerance is %g "
                      "(energy.tolerance)%s%s",
                      (long long)scree_job_step(job), e->closure, scree_energies_error(e),
                      job->energy.tolerance, text[0] != '\0' ? "; " : "", text);
}
