/* SPDX-License-Identifier: BSD-3-Clause
 * The energies of a run, and the end of a run in which they do not add up. */
#include <math.h>

#include "scree/output.h"

void scree_closure_reuse_or_compute_energies(struct scree_run *run,
                                             const struct scree_energies *known,
                                             struct scree_energies *energies)
{
    if (known != NULL)
        *energies = *known;
    else
        scree_run_compute_energies(run, energies);
}

enum scree_status scree_closure_check(struct scree_run *run, const struct scree_energies *e,
                                      double tolerance)
{
    double gravity = scree_energies_sum(e, scree_run_lines(run), SCREE_ENERGY_GRAVITY);
    double rounding = 1e-12 * (fabs(gravity) + e->turnover);
    if (fabs(e->closure) <= tolerance * e->turnover + rounding) return SCREE_OK;
    char text[700] = "";
    const struct scree_advice advice = {
        .occasion = SCREE_ADVISE_LEDGER, .text = text, .size = sizeof text};
    SCREE_TRY(scree_run_advise(run, &advice));
    return SCREE_FAIL(SCREE_PHYSICS, /* the same on all ranks */
                      "step %lld: the energy ledger does not close: %.3g J (%.2g of what was "
                      "turned over) came out of nothing or got lost, the tolerance is %g "
                      "(energy.tolerance)%s%s",
                      (long long)scree_run_step(run), e->closure, scree_energies_error(e),
                      tolerance, text[0] != '\0' ? "; " : "", text);
}
