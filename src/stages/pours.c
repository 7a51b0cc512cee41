/* SPDX-License-Identifier: BSD-3-Clause
 * Grains that are poured at a rate while a run goes on. */
#include "scree/pours.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "scree/alloc.h"
#include "scree/log.h"
#include "scree/stages.h"

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

static void read_one(struct scree_pours *pours, struct scree_input *input,
                     const struct scree_node *item, const struct scree_node *list,
                     const struct scree_samples_setting *setting)
{
    struct scree_pour *pour = &pours->pour[pours->n];
    char what[40];
    *pour = (struct scree_pour){0};
    snprintf(what, sizeof what, "pour %d", pours->n + 1);
    scree_input_read(input, item, list, what, scree_pours_params, pour);
    int before = scree_input_n_errors(input);
    scree_samples_read(&pour->samples, input, pour->node, setting);
    pour->count = scree_samples_pourable(&pour->samples);
    if (pour->count < 0 && pour->node != NULL && scree_input_n_errors(input) == before)
        scree_input_error(input, pour->node, "%s: give one sample of the kind 'random'", what);
    pours->n++;
}

void scree_pours_read(struct scree_pours *pours, struct scree_input *input,
                      const struct scree_node *node, const struct scree_samples_setting *setting,
                      bool deforms)
{
    struct scree_samples_setting poured = *setting;
    if (node == NULL) return;
    scree_node_mark_used(node);
    if (scree_node_kind(node) != SCREE_NODE_LIST) {
        scree_input_error(input, node, "pours: expected a list (- {rate: ..., particles: ...})");
        scree_node_mark_all_used(node);
        return;
    }
    if (deforms)
        scree_input_error(input, node, "pours: there are none in a box that deforms ('cell')");
    int n = scree_node_count(node);
    poured.poured = true;
    poured.membranes = NULL; /* their nodes come with the first grains */
    pours->pour = scree_alloc((size_t)n + 1, sizeof *pours->pour);
    for (int k = 0; k < n; k++) read_one(pours, input, scree_node_item(node, k), node, &poured);
}

void scree_pours_clear(struct scree_pours *pours)
{
    for (int k = 0; k < pours->n; k++) scree_samples_clear(&pours->pour[k].samples);
    scree_alloc_free(pours->pour);
    *pours = (struct scree_pours){0};
}

void scree_pours_enlarge(const struct scree_pours *pours, const struct scree_materials *materials,
                         double largest[2])
{
    for (int k = 0; k < pours->n; k++) {
        double radius = scree_samples_largest_radius(&pours->pour[k].samples);
        largest[0] = fmax(largest[0], radius);
        largest[1] = fmax(largest[1], scree_materials_heaviest(materials, radius));
    }
}

bool scree_pours_use(const struct scree_pours *pours, int species)
{
    for (int k = 0; k < pours->n; k++)
        if (scree_samples_use(&pours->pour[k].samples, species)) return true;
    return false;
}

bool scree_pours_glue_grains(const struct scree_pours *pours)
{
    for (int k = 0; k < pours->n; k++)
        if (scree_samples_glue_grains(&pours->pour[k].samples)) return true;
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

int64_t scree_pours_next(const struct scree_pours *pours, double dt, int64_t step)
{
    int64_t next = INT64_MAX;
    for (int k = 0; k < pours->n; k++) {
        const struct scree_pour *pour = &pours->pour[k];
        int64_t interval = interval_of(pour, dt);
        int64_t at = (step / interval + 1) * interval;
        if (there_by(pour, step, dt) < pour->count && at < next) next = at;
    }
    return next;
}

static enum scree_status add(struct scree_stages *stages, struct scree_run *run, const int64_t *due)
{
    struct scree_pours *pours = &stages->pours;
    run->stepper->before_change(run->state, &run->scene, SCREE_CHANGE_GRAINS);
    for (int k = 0; k < pours->n; k++) {
        if (due[k] == 0) continue;
        scree_samples_batch(&pours->pour[k].samples, due[k]);
        SCREE_TRY(scree_comm_agree(run->scene.comm,
                                   scree_stages_add_grains(run, &pours->pour[k].samples, false)));
    }
    scree_groups_freeze(stages->groups, run->scene.particles);
    scree_stages_measure_grains(stages, run);
    return run->stepper->after_change(run->state, &run->scene, SCREE_CHANGE_GRAINS);
}

enum scree_status scree_pours_poll(struct scree_stages *stages, struct scree_run *run)
{
    const struct scree_pours *pours = &stages->pours;
    int64_t step = scree_run_step(run), all = 0;
    if (pours->n == 0) return SCREE_OK;
    int64_t *due = scree_alloc((size_t)pours->n, sizeof *due);
    for (int k = 0; k < pours->n; k++) {
        const struct scree_pour *pour = &pours->pour[k];
        int64_t now = there_by(pour, step, run->scene.dt);
        due[k] = now - there_by(pour, step - 1, run->scene.dt);
        all += due[k];
        if (due[k] > 0 && now == pour->count)
            scree_log(SCREE_LOG_INFO, "step %lld: the last of %lld grains of pour %d",
                      (long long)step, (long long)pour->count, k + 1);
    }
    enum scree_status status = all > 0 ? add(stages, run, due) : SCREE_OK;
    scree_alloc_free(due);
    return status;
}
