/* SPDX-License-Identifier: BSD-3-Clause
 * Grains that come, at first or with stages, and radii that change with them. */
#include <math.h>

#include "scree/alloc.h"
#include "scree/log.h"
#include "scree/stages.h"
#include "scree/state.h"

static const struct scree_stage *present(const struct scree_stages *stages)
{
    return &stages->stage[stages->now];
}

void scree_stages_read_samples(struct scree_stages *stages, struct scree_input *input,
                               const struct scree_samples_setting *setting)
{
    for (int k = 0; k < stages->n; k++) {
        struct scree_stage *stage = &stages->stage[k];
        if (stage->original != k) {
            stage->samples = stages->stage[stage->original].samples;
            continue;
        }
        const struct scree_node *node = NULL;
        if (stage->node != NULL && scree_node_kind(stage->node) == SCREE_NODE_MAP)
            node = scree_node_find(stage->node, "particles");
        if (node == NULL) continue;
        stage->samples = scree_alloc(1, sizeof *stage->samples);
        scree_samples_read(stage->samples, input, node, setting);
    }
}

enum scree_status scree_stages_add_grains(struct scree_run *run, struct scree_samples *samples,
                                          bool first)
{
    const struct scree_sample_context context = {
        .comm = run->scene.comm,
        .inertia_factor = run->scene.inertia_factor,
        .seed = run->scene.seed,
        .density = run->scene.materials->density,
        .read_state = scree_state_read_rows,
    };
    return first ? scree_samples_fill(samples, &context, run->scene.particles)
                 : scree_samples_add(samples, &context, run->scene.particles);
}

/* The most that radii grow in the stages after `from`. */
static double growth_after(const struct scree_stages *stages, int from)
{
    double growth = 1.0, most = 1.0;
    for (int k = from + 1; k < stages->n; k++) {
        growth *= stages->stage[k].growth;
        most = fmax(most, growth);
    }
    return most;
}

/* The largest radius (m) and mass (kg) of the grains there are become those of the rest of the run.
 */
static void enlarge(const struct scree_stages *stages, const struct scree_materials *materials,
                    double largest[2])
{
    double growth = growth_after(stages, stages->now), power = materials->disks ? 2.0 : 3.0;
    largest[0] *= growth;
    largest[1] *= pow(growth, power);
    for (int k = stages->now + 1; k < stages->n; k++) {
        const struct scree_samples *samples = stages->stage[k].samples;
        if (samples == NULL) continue;
        double radius = scree_samples_largest_radius(samples) * growth_after(stages, k);
        largest[0] = fmax(largest[0], radius);
        largest[1] = fmax(largest[1], scree_materials_heaviest(materials, radius));
    }
}

double scree_stages_overlap(const struct scree_stages *stages)
{
    double most = 0.0;
    for (int k = 0; k < stages->n; k++)
        if (stages->stage[k].samples != NULL)
            most = fmax(most, scree_samples_overlap(stages->stage[k].samples));
    return most;
}

void scree_stages_measure_grains(const struct scree_stages *stages, struct scree_run *run)
{
    const struct scree_particles *p = run->scene.particles;
    double largest[2] = {0.0, 0.0};
    for (scree_lid i = 0; i < p->n_owned; i++) {
        largest[0] = fmax(largest[0], p->pos[i][3]);
        largest[1] = fmax(largest[1], p->mass[i]);
    }
    scree_comm_max(run->scene.comm, largest, 2);
    enlarge(stages, run->scene.materials, largest);
    scree_pours_enlarge(&stages->pours, run->scene.materials, largest);
    run->scene.largest_radius = largest[0];
    run->scene.largest_mass = largest[1];
    run->n_grains = p->n_owned;
    scree_comm_sum_int(run->scene.comm, &run->n_grains, 1);
}

/* Densities remain: masses follow. */
static void resize(struct scree_run *run, double factor)
{
    struct scree_particles *p = run->scene.particles;
    double volume = pow(factor, run->scene.materials->disks ? 2.0 : 3.0);
    for (scree_lid i = 0; i < p->n_owned; i++) {
        p->pos[i][3] *= factor;
        p->mass[i] *= volume;
        p->vel[i][3] /= volume;
        p->spin[i][3] /= volume * (factor * factor);
    }
}

enum scree_status scree_stages_pour(const struct scree_stages *stages, struct scree_run *run)
{
    enum scree_status status = SCREE_OK;
    if (present(stages)->growth != 1.0) resize(run, present(stages)->growth);
    if (present(stages)->samples != NULL)
        status = scree_comm_agree(run->scene.comm,
                                  scree_stages_add_grains(run, present(stages)->samples, false));
    scree_groups_freeze(stages->groups, run->scene.particles);
    return status;
}

enum scree_status scree_stages_change_grains(struct scree_stages *stages, struct scree_run *run)
{
    const struct scree_stage *stage = present(stages);
    int64_t before = run->n_grains;
    if (stage->samples == NULL && stage->growth == 1.0) return SCREE_OK;
    run->stepper->before_change(run->state, &run->scene, SCREE_CHANGE_GRAINS);
    SCREE_TRY(scree_stages_pour(stages, run));
    scree_stages_measure_grains(stages, run);
    if (run->n_grains > before)
        scree_log(SCREE_LOG_INFO, "%lld grains are added, %lld in all",
                  (long long)(run->n_grains - before), (long long)run->n_grains);
    return run->stepper->after_change(run->state, &run->scene, SCREE_CHANGE_GRAINS);
}

bool scree_stages_pour_species(const struct scree_stages *stages, int species)
{
    for (int k = 0; k < stages->n; k++)
        if (stages->stage[k].samples != NULL &&
            scree_samples_use(stages->stage[k].samples, species))
            return true;
    return false;
}

bool scree_stages_glue_grains(const struct scree_stages *stages)
{
    for (int k = 0; k < stages->n; k++)
        if (stages->stage[k].samples != NULL && scree_samples_glue_grains(stages->stage[k].samples))
            return true;
    return false;
}
