/* SPDX-License-Identifier: BSD-3-Clause
 * Grains that are poured at a rate while a run goes on. */
#include "scree/pours.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "scree/alloc.h"
#include "scree/job.h"
#include "scree/log.h"

static const char *const auto_word[] = {"auto", NULL};

#define AT(member) offsetof(struct scree_pour, member)
const struct scree_param scree_pours_params[] = {
    {"rate", SCREE_PARAM_REAL, "1/s", DBL_MIN, INFINITY, NULL, NULL, AT(rate),
     "grains per time, until all are there"},
    {"start", SCREE_PARAM_REAL, "s", 0, INFINITY, "0", NULL, AT(start), "none before"},
    {"every", SCREE_PARAM_REAL, "s", DBL_MIN, INFINITY, "auto", auto_word, AT(every),
     "time between batches, all lists being made anew; auto: ten grains at once"},
    {"particles", SCREE_PARAM_NODE, "", 0, 0, NULL, NULL, AT(node),
     "a list of one 'random' sample: how many in all, what and where"},
    {0},
};

static void read_one(struct scree_job *job, const struct scree_node *item,
                     const struct scree_node *list, const struct scree_samples_setting *setting)
{
    struct scree_pour *pour = &job->pours.pour[job->pours.n];
    char what[40];
    *pour = (struct scree_pour){0};
    snprintf(what, sizeof what, "pour %d", job->pours.n + 1);
    scree_input_read(job->input, item, list, what, scree_pours_params, pour);
    int before = scree_input_n_errors(job->input);
    scree_samples_read(&pour->samples, job->input, pour->node, setting);
    pour->count = scree_samples_pourable(&pour->samples);
    if (pour->count < 0 && pour->node != NULL && scree_input_n_errors(job->input) == before)
        scree_input_error(job->input, pour->node, "%s: give one sample of the kind 'random'", what);
    job->pours.n++;
}

void scree_pours_read(struct scree_job *job, const struct scree_node *node,
                      const struct scree_samples_setting *setting)
{
    struct scree_samples_setting poured = *setting;
    if (node == NULL) return;
    scree_node_mark_used(node);
    if (scree_node_kind(node) != SCREE_NODE_LIST) {
        scree_input_error(job->input, node,
                          "pours: expected a list (- {rate: ..., particles: ...})");
        scree_node_mark_all_used(node);
        return;
    }
    if (job->cell.on)
        scree_input_error(job->input, node, "pours: there are none in a box that deforms ('cell')");
    int n = scree_node_count(node);
    poured.poured = true;
    poured.membranes = NULL; /* their nodes come with the first grains */
    job->pours.pour = scree_alloc((size_t)n + 1, sizeof *job->pours.pour);
    for (int k = 0; k < n; k++) read_one(job, scree_node_item(node, k), node, &poured);
}

void scree_pours_clear(struct scree_job *job)
{
    for (int k = 0; k < job->pours.n; k++) scree_samples_clear(&job->pours.pour[k].samples);
    scree_alloc_free(job->pours.pour);
    job->pours = (struct scree_pours){0};
}

void scree_pours_enlarge(const struct scree_job *job, double largest[2])
{
    for (int k = 0; k < job->pours.n; k++) {
        double radius = scree_samples_largest_radius(&job->pours.pour[k].samples);
        largest[0] = fmax(largest[0], radius);
        largest[1] = fmax(largest[1], scree_stages_heaviest(job, radius));
    }
}

bool scree_pours_use(const struct scree_job *job, int species)
{
    for (int k = 0; k < job->pours.n; k++)
        if (scree_samples_use(&job->pours.pour[k].samples, species)) return true;
    return false;
}

bool scree_pours_glue_grains(const struct scree_job *job)
{
    for (int k = 0; k < job->pours.n; k++)
        if (scree_samples_glue_grains(&job->pours.pour[k].samples)) return true;
    return false;
}

static int64_t interval_of(const struct scree_pour *pour, double dt)
{
    double every = isnan(pour->every) ? 10.0 / pour->rate : pour->every;
    return (int64_t)fmax(1.0, fmin(nearbyint(every / dt), 1e15));
}

/* Grains of a pour that are there after the look at a step. */
static int64_t there_by(const struct scree_pour *pour, int64_t step, double dt)
{
    int64_t interval = interval_of(pour, dt);
    double t = (double)(step / interval * interval) * dt - pour->start;
    if (t <= 0.0) return 0;
    return (int64_t)fmin(floor(pour->rate * t * (1.0 + 1e-12)), (double)pour->count);
}

int64_t scree_pours_next(const struct scree_job *job, int64_t step)
{
    int64_t next = INT64_MAX;
    for (int k = 0; k < job->pours.n; k++) {
        const struct scree_pour *pour = &job->pours.pour[k];
        int64_t interval = interval_of(pour, job->scene.dt);
        int64_t at = (step / interval + 1) * interval;
        if (there_by(pour, step, job->scene.dt) < pour->count && at < next) next = at;
    }
    return next;
}

static enum scree_status add(struct scree_job *job, const int64_t *due)
{
    job->stepper->before_change(job->state, &job->scene, SCREE_CHANGE_GRAINS);
    for (int k = 0; k < job->pours.n; k++) {
        if (due[k] == 0) continue;
        scree_samples_batch(&job->pours.pour[k].samples, due[k]);
        SCREE_TRY(
            scree_comm_agree(job->comm, scree_job_add_grains(job, &job->pours.pour[k].samples)));
    }
    scree_job_freeze_groups(job);
    scree_job_measure_grains(job);
    return job->stepper->after_change(job->state, &job->scene, SCREE_CHANGE_GRAINS);
}

enum scree_status scree_pours_look(struct scree_job *job)
{
    int64_t step = scree_job_step(job), all = 0;
    if (job->pours.n == 0) return SCREE_OK;
    int64_t *due = scree_alloc((size_t)job->pours.n, sizeof *due);
    for (int k = 0; k < job->pours.n; k++) {
        const struct scree_pour *pour = &job->pours.pour[k];
        int64_t now = there_by(pour, step, job->scene.dt);
        due[k] = now - there_by(pour, step - 1, job->scene.dt);
        all += due[k];
        if (due[k] > 0 && now == pour->count)
            scree_log(SCREE_LOG_INFO, "step %lld: the last of %lld grains of pour %d",
                      (long long)step, (long long)pour->count, k + 1);
    }
    enum scree_status status = all > 0 ? add(job, due) : SCREE_OK;
    scree_alloc_free(due);
    return status;
}
