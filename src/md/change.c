/* SPDX-License-Identifier: BSD-3-Clause
 * Changes between two steps: more grains, other drives, another input after a resume. */
#include <string.h>

#include "md_advise.h"
#include "scree/status.h"

/* The highest gid on any rank. Collective. */
static scree_gid newest_grain(const struct scree_scene *scene)
{
    int64_t newest = 0;
    for (scree_lid i = 0; i < scene->particles->n_owned; i++)
        if (scene->particles->gid[i] > newest) newest = scene->particles->gid[i];
    scree_comm_max_int(scene->comm, &newest, 1);
    return newest;
}

/* Energies and fields are remembered, so that afterwards the effect of the change is known. */
void scree_md_before_change(void *state, struct scree_scene *scene, enum scree_change change)
{
    struct scree_md *md = state;
    scree_md_find_energies(md, scene, &md->unchanged);
    if (change == SCREE_CHANGE_GRAINS) {
        md->newest = newest_grain(scene);
        scree_contacts_detach_history(scene->contacts);
    }
    md->surroundings.background_friction = scene->background_friction;
    memcpy(md->surroundings.gravity, scene->gravity, sizeof scene->gravity);
}

static void change_drives(struct scree_md *md, struct scree_scene *scene)
{
    scree_md_keep_velocities(md, scene, &md->surroundings);
    scree_halo_begin_refresh(scene->halo, scene->particles, scree_md_ghost_columns(scene),
                             md->speed);
    scree_halo_end_refresh(scene->halo, scene->particles, md->speed);
    scree_md_change_servos(md, scene);
    scree_md_find_gains(scene);
}

/* What a change does to the ledger is no mistake of the method. Of other drives springs are as long
 * as they were: those that are too long for the new velocities or the new friction slide in the
 * next step, and lose their energy as all that slide. */
enum scree_status scree_md_after_change(void *state, struct scree_scene *scene,
                                        enum scree_change change)
{
    struct scree_md *md = state;
    struct scree_md_energies now;
    if (change == SCREE_CHANGE_GRAINS) {
        SCREE_TRY(scree_md_regain(md, scene));
        SCREE_TRY(scree_md_check_overlap(md, scene, md->newest));
    }
    if (change == SCREE_CHANGE_DRIVES) change_drives(md, scene);
    scree_md_find_energies(md, scene, &now);
    double gain = now.closure;
    if (change != SCREE_CHANGE_INPUT) gain -= md->unchanged.closure;
    for (int k = 0; k < SCREE_N_LAW_KINDS && change == SCREE_CHANGE_DRIVES; k++)
        gain -= now.elastic[k] - md->unchanged.elastic[k];
    md->first_energy += gain;
    return SCREE_OK;
}
