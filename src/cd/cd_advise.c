/* SPDX-License-Identifier: BSD-3-Clause
 * What cd says to the user, by occasion. */
#include <math.h>
#include <stdio.h>

#include "cd_impl.h"
#include "scree/log.h"

static void tell_plan(const struct scree_cd *cd)
{
    scree_log(SCREE_LOG_INFO, "solver: %s, residual %g, %s",
              scree_cd_solver_at(cd->values->solver)->name, cd->values->residual,
              isnan(cd->values->block_grains) ? "one block to a rank" : "blocks of fixed places");
}

static void tell_solver(const struct scree_cd *cd, const struct scree_scene *scene)
{
    char worst[160];
    if (cd->n_steps == 0) return;
    scree_cd_name_contact(&cd->worst, scene->walls, worst, sizeof worst);
    scree_log(SCREE_LOG_INFO,
              "solver: %.1f sweeps a step, at most %lld; %lld of %lld steps not solved to %g, "
              "worst residual %.2g in step %lld (worst contact: %s)",
              (double)cd->total_sweeps / (double)cd->n_steps, (long long)cd->most_sweeps,
              (long long)cd->n_failed, (long long)cd->n_steps, cd->values->residual,
              cd->worst_residual, (long long)cd->worst_step, worst);
    if (cd->total_systems > 0)
        scree_log(SCREE_LOG_INFO, "solver: %.1f systems of equations a step, of Newton's method",
                  (double)cd->total_systems / (double)cd->n_steps);
    if (cd->n_halved > 0)
        scree_log(SCREE_LOG_INFO, "solver: %lld steps were taken in parts",
                  (long long)cd->n_halved);
}

static void warn_unsolved(struct scree_cd *cd, const struct scree_scene *scene)
{
    char worst[160];
    if (cd->n_failed <= cd->n_warned || cd->values->fixed > 0) return;
    bool halved = cd->values->failure == SCREE_CD_HALVE;
    scree_cd_name_contact(&cd->worst, scene->walls, worst, sizeof worst);
    scree_log(SCREE_LOG_WARNING,
              "step %lld: %lld steps so far were not solved within %lld sweeps%s; worst residual "
              "%.2g in step %lld, wanted %g; worst contact there: %s",
              (long long)cd->step, (long long)cd->n_failed, (long long)cd->values->most,
              halved ? ", even in parts" : "", cd->worst_residual, (long long)cd->worst_step,
              cd->values->residual, worst);
    cd->n_warned = cd->n_failed;
}

/* Part of the smaller radius that overlaps should stay below. */
static const double deep = 0.05;

/* A contact that is deeper than any other, in radii of its smaller grain. */
struct deepest {
    const struct scree_particles *particles;
    double depth;
    scree_gid first, second;
};

static void find_deepest(void *context, const struct scree_contact *c)
{
    struct deepest *worst = context;
    double radius = worst->particles->pos[c->slot[0]][3];
    if (c->second >= 0) radius = fmin(radius, worst->particles->pos[c->slot[1]][3]);
    if (-c->gap <= worst->depth * radius) return;
    worst->depth = -c->gap / radius;
    worst->first = c->first;
    worst->second = c->second;
}

/* Each rank may see another contact as its deepest; the rank with the deepest of all tells. */
static void warn_overlap(struct scree_cd *cd, struct scree_scene *scene)
{
    struct deepest worst = {.particles = scene->particles, .depth = deep};
    if (cd->overlap_told) return;
    scree_cd_show_contacts(cd, scene, find_deepest, &worst);
    double depth[2] = {worst.depth, 0.0};
    scree_comm_max(scene->comm, depth, 1);
    if (!(depth[0] > deep)) return;
    depth[1] = worst.depth == depth[0] ? (double)worst.first : -1.0;
    scree_comm_max(scene->comm, &depth[1], 1);
    scree_log(SCREE_LOG_WARNING,
              "step %lld: grain %.0f overlaps a partner by %.2g of the smaller radius: a smaller "
              "time step or solver.residual helps, unless it is squeezed between walls or driven "
              "grains that leave it no room",
              (long long)cd->step, depth[1], depth[0]);
    cd->overlap_told = true;
}

enum scree_status scree_cd_advise(void *state, struct scree_scene *scene,
                                  const struct scree_advice *advice)
{
    struct scree_cd *cd = state;
    switch (advice->occasion) {
    case SCREE_ADVISE_CHECK:
        tell_plan(cd);
        scree_cd_tell_step(scene, advice->prospect);
        scree_cd_tell_sweeps(cd, scene, advice->prospect);
        break;
    case SCREE_ADVISE_START:
        tell_plan(cd);
        scree_cd_tell_step(scene, advice->prospect);
        break;
    case SCREE_ADVISE_PROGRESS:
        warn_unsolved(cd, scene);
        warn_overlap(cd, scene);
        break;
    case SCREE_ADVISE_END: tell_solver(cd, scene); break;
    case SCREE_ADVISE_REPORT: scree_cd_write_report(cd, advice->text, advice->size); break;
    case SCREE_ADVISE_LEDGER:
        snprintf(advice->text, advice->size, "residual of the last step %.2g after %lld sweeps",
                 cd->outcome.residual, (long long)cd->outcome.sweeps);
        break;
    }
    return SCREE_OK;
}
