/* SPDX-License-Identifier: BSD-3-Clause
 * What md says to the user, by occasion. */
#include "md_advise.h"

#include "scree/log.h"

/* Looks while the run goes on may all fall between collisions. How fast these will be is not known:
 * only what holds for slow ones is told. */
static void foresee_contacts(const struct scree_md *md, const struct scree_scene *scene,
                             const struct scree_prospect *prospect)
{
    struct scree_prospect slow = *prospect;
    slow.speed = 1e-3;
    double n = scree_md_shortest_contact(scene, &slow) / scene->dt;
    if (n < md->values->contact_steps)
        scree_log(SCREE_LOG_WARNING,
                  "the time step is long: even slow contacts last only %.3g steps or oscillate "
                  "that fast; below %g they are not resolved well (see scree check)",
                  n, md->values->contact_steps);
}

enum scree_status scree_md_advise(void *state, struct scree_scene *scene,
                                  const struct scree_advice *advice)
{
    struct scree_md *md = state;
    switch (advice->occasion) {
    case SCREE_ADVISE_CHECK: scree_md_forecast(md, scene, advice->prospect); break;
    case SCREE_ADVISE_START:
        scree_md_log_overlap(md, scene);
        foresee_contacts(md, scene, advice->prospect);
        break;
    case SCREE_ADVISE_PROGRESS: return scree_md_warn(md, scene);
    case SCREE_ADVISE_END: scree_md_log_worst(&md->warnings); break;
    case SCREE_ADVISE_REPORT: break;
    case SCREE_ADVISE_LEDGER:
        scree_md_describe_strain(md, scene, advice->text, advice->size);
        break;
    }
    return SCREE_OK;
}
