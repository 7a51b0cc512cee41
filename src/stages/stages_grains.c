/* SPDX-License-Identifier: BSD-3-Clause
 * Grains that come with stages, and radii that change with them. */
#include <math.h>

#include "scree/alloc.h"
#include "scree/job.h"
#include "scree/log.h"

static const struct scree_stage *present(const struct scree_job *job)
{
    return &job->stages.stage[job->stages.now];
}

void scree_stages_read_samples(struct scree_job *job, const struct scree_samples_setting *setting)
{
    struct scree_stages *stages = &job->stages;
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
        scree_samples_read(stage->samples, job->input, node, setting);
    }
}

enum scree_status scree_stages_pour(struct scree_job *job)
{
    enum scree_status status = SCREE_OK;
    if (present(job)->samples != NULL)
        status = scree_comm_agree(job->comm, scree_job_add_grains(job, present(job)->samples));
    scree_job_freeze_groups(job);
    return status;
}

/* Densities remain: masses follow. */
static void resize(struct scree_job *job, double factor)
{
    struct scree_particles *p = job->scene.particles;
    double volume = pow(factor, job->disks ? 2.0 : 3.0);
    for (scree_lid i = 0; i < p->n_owned; i++) {
        p->pos[i][3] *= factor;
        p->mass[i] *= volume;
        p->vel[i][3] /= volume;
        p->spin[i][3] /= volume * (factor * factor);
    }
}

enum scree_status scree_stages_change_grains(struct scree_job *job)
{
    const struct scree_stage *stage = present(job);
    int64_t before = job->n_grains;
    if (stage->samples == NULL && stage->growth == 1.0) return SCREE_OK;
    job->stepper->before_change(job->state, &job->scene, SCREE_CHANGE_GRAINS);
    if (stage->growth != 1.0) resize(job, stage->growth);
    SCREE_TRY(scree_stages_pour(job));
    scree_job_measure_grains(job);
    if (job->n_grains > before)
        scree_log(SCREE_LOG_INFO, "%lld grains are added, %lld in all",
                  (long long)(job->n_grains - before), (long long)job->n_grains);
    return job->stepper->after_change(job->state, &job->scene, SCREE_CHANGE_GRAINS);
}

/* The most that radii grow in the stages after `from`. */
static double growth_after(const struct scree_job *job, int from)
{
    double growth = 1.0, most = 1.0;
    for (int k = from + 1; k < job->stages.n; k++) {
        growth *= job->stages.stage[k].growth;
        most = fmax(most, growth);
    }
    return most;
}

double scree_stages_heaviest(const struct scree_job *job, double radius)
{
    double density = 0.0, ball = acos(-1.0) * (job->disks ? 1.0 : 4.0 / 3.0);
    for (int m = 0; m < job->n_materials; m++) density = fmax(density, job->material[m].density);
    return density * ball * pow(radius, job->disks ? 2.0 : 3.0);
}

void scree_stages_enlarge(const struct scree_job *job, double largest[2])
{
    double growth = growth_after(job, job->stages.now), power = job->disks ? 2.0 : 3.0;
    largest[0] *= growth;
    largest[1] *= pow(growth, power);
    for (int k = job->stages.now + 1; k < job->stages.n; k++) {
        const struct scree_samples *samples = job->stages.stage[k].samples;
        if (samples == NULL) continue;
        double radius = scree_samples_largest_radius(samples) * growth_after(job, k);
        largest[0] = fmax(largest[0], radius);
        largest[1] = fmax(largest[1], scree_stages_heaviest(job, radius));
    }
}

bool scree_stages_pour_species(const struct scree_job *job, int species)
{
    for (int k = 0; k < job->stages.n; k++)
        if (job->stages.stage[k].samples != NULL &&
            scree_samples_use(job->stages.stage[k].samples, species))
            return true;
    return false;
}

bool scree_stages_glue_grains(const struct scree_job *job)
{
    for (int k = 0; k < job->stages.n; k++)
        if (job->stages.stage[k].samples != NULL &&
            scree_samples_glue_grains(job->stages.stage[k].samples))
            return true;
    return false;
}
