/* SPDX-License-Identifier: BSD-3-Clause
 * Reading the section `stages`. */
#include "stages_read.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scree/alloc.h"
#include "scree/job_wedge.h"

#define AT(member) offsetof(struct scree_stage_keys, member)
const struct scree_param scree_stages_params[] = {
    {"name", SCREE_PARAM_TEXT, "", 0, 0, "", NULL, AT(name), "for tables and messages"},
    {"until", SCREE_PARAM_NODE, "", 0, 0, NULL, NULL, AT(until), "when it ends"},
    {"boundaries", SCREE_PARAM_NODE, "", 0, 0, "", NULL, AT(boundaries),
     "walls that are driven otherwise from now on, by name: velocity, move, rotate, servo; or "
     "fixed"},
    {"cell", SCREE_PARAM_NODE, "", 0, 0, "", NULL, AT(cell),
     "how the box deforms from now on, all of it anew, as in the section 'cell'"},
    {"gravity", SCREE_PARAM_VECTOR, "m/s^2", 0, 0, "", NULL, AT(gravity), "from now on"},
    {"background_friction", SCREE_PARAM_REAL, "kg/s", 0, INFINITY, "", NULL,
     AT(background_friction), "from now on"},
    {"friction", SCREE_PARAM_NODE, "", 0, 0, "", NULL, AT(friction),
     "coefficient from now on, of all contacts or of a list of pairs; own: as in 'contacts'"},
    {"particles", SCREE_PARAM_NODE, "", 0, 0, "", NULL, AT(particles),
     "samples that are added when it begins, as at the top of the input"},
    {"scale_radii", SCREE_PARAM_REAL, "1", 0.5, 2, "1", NULL, AT(scale_radii),
     "radii of all grains are multiplied by this when it begins; densities remain"},
    {"repeat", SCREE_PARAM_INTEGER, "", 1, 100000, "1", NULL, AT(repeat),
     "how many times it comes in a row; walls and the box that it drives go on"},
    {"output", SCREE_PARAM_NODE, "", 0, 0, "", NULL, AT(output), "intervals of this stage"},
    {"analysis", SCREE_PARAM_NODE, "", 0, 0, "", NULL, AT(analysis),
     "names of the measurements that are taken in this stage; default: all"},
    {0},
};
#undef AT

static void check_name(const struct scree_stage_reading *r)
{
    const struct scree_stages *stages = &r->job->stages;
    const struct scree_node *node = scree_node_find(r->node, "name");
    bool plain = r->stage->name[0] != '\0';
    for (const char *c = r->stage->name; *c != '\0'; c++)
        plain = plain && (isalnum((unsigned char)*c) || *c == '-' || *c == '_');
    if (!plain)
        scree_input_error(r->job->input, node,
                          "stages: 'name' is '%s', expected letters, digits, '-' and '_'",
                          r->stage->name);
    for (const struct scree_stage *s = stages->stage; s < r->stage; s++)
        if (node != NULL && strcmp(s->name, r->stage->name) == 0)
            scree_input_error(r->job->input, node, "stages: two of them are named '%s'", s->name);
}

/* Those without a name get their number. */
static void find_name(struct scree_stage_reading *r, int k)
{
    const struct scree_node *node =
        scree_node_kind(r->node) == SCREE_NODE_MAP ? scree_node_find(r->node, "name") : NULL;
    snprintf(r->name, sizeof r->name, "%d", k + 1);
    if (node != NULL) snprintf(r->name, sizeof r->name, "%s", scree_node_text(node));
    snprintf(r->what, sizeof r->what, "stage '%s'", r->name);
}

/* What the stage before has, or the top of the input. */
static void inherit(const struct scree_stage_reading *r, int k)
{
    const struct scree_job *job = r->job;
    size_t n_pairs = (size_t)job->laws.n_pairs;
    r->stage->friction = scree_alloc(n_pairs + 1, sizeof *r->stage->friction);
    for (size_t p = 0; p < n_pairs; p++)
        r->stage->friction[p] = k > 0 ? job->stages.stage[k - 1].friction[p] : NAN;
    const struct scree_stage *before = &job->stages.stage[k - 1];
    memcpy(r->stage->gravity, k > 0 ? before->gravity : job->gravity, sizeof r->stage->gravity);
    r->stage->background_friction = k > 0 ? before->background_friction : job->background_friction;
}

static void read_stage(struct scree_stage_reading *r, int k)
{
    struct scree_job *job = r->job;
    inherit(r, k);
    memcpy(r->stage->name, r->name, sizeof r->name);
    check_name(r);
    r->stage->analysis = r->keys.analysis;
    r->stage->growth = r->keys.scale_radii;
    if (k == 0 && r->stage->growth != 1.0)
        scree_input_error(job->input, scree_node_find(r->node, "scale_radii"),
                          "%s: 'scale_radii' has no place in the first stage", r->what);
    if (!isnan(r->keys.gravity[0]))
        memcpy(r->stage->gravity, r->keys.gravity, sizeof r->stage->gravity);
    if (job->dimension == 2 && r->stage->gravity[2] != 0.0 && !isnan(r->keys.gravity[0]))
        scree_input_error(job->input, scree_node_find(r->node, "gravity"),
                          "'gravity' has a z component, but the run has two dimensions");
    if (!isnan(r->keys.gravity[0]))
        scree_job_check_gravity(job, scree_node_find(r->node, "gravity"), r->stage->gravity);
    if (!isnan(r->keys.background_friction))
        r->stage->background_friction = r->keys.background_friction;
    if (r->keys.friction != NULL) scree_stages_read_friction(r, r->keys.friction);
    if (r->keys.cell != NULL) {
        r->stage->cell = scree_alloc(1, sizeof *r->stage->cell);
        scree_deformation_control_read(r->stage->cell, job->input, r->keys.cell,
                                       &job->domain_built.box);
        if (!job->cell.on) scree_deformation_control_rest(&job->cell, &job->domain_built.box);
    }
    scree_walls_read_stage(&job->walls, job->input, r->keys.boundaries, k, &job->domain_built.box);
}

/* A stage that comes again: what it changed is changed already, but for the grains. */
static void repeat_stage(struct scree_job *job, int k, int original)
{
    struct scree_stage *stage = &job->stages.stage[k];
    const struct scree_stage *first = &job->stages.stage[original];
    size_t n_pairs = (size_t)job->laws.n_pairs, length = strlen(first->name);
    *stage = *first;
    stage->original = original;
    if (length > sizeof stage->name - 8) length = sizeof stage->name - 8;
    snprintf(stage->name + length, sizeof stage->name - length, "-%d", k - original + 1);
    stage->friction = scree_alloc(n_pairs + 1, sizeof *stage->friction);
    memcpy(stage->friction, first->friction, n_pairs * sizeof *stage->friction);
}

static bool has_cell_servos(const struct scree_job *job)
{
    int n = scree_deformation_control_n_servos(&job->cell);
    for (int k = 0; k < job->stages.n; k++)
        if (job->stages.stage[k].cell != NULL)
            n += scree_deformation_control_n_servos(job->stages.stage[k].cell);
    return n > 0;
}

static struct scree_end_condition_setting make_setting(const struct scree_job *job)
{
    return (struct scree_end_condition_setting){.walls = &job->walls,
                                                .dimension = (int)job->dimension,
                                                .dt = job->time.step,
                                                .deforms = job->cell.on,
                                                .cell_servos = has_cell_servos(job)};
}

/* When all drives are known; repetitions follow their stage. */
static void read_ends(struct scree_job *job, struct scree_stage_reading *reading, int n)
{
    const struct scree_end_condition_setting setting = make_setting(job);
    for (int k = 0; k < n; k++) {
        struct scree_stage_reading *r = &reading[k];
        char what[128];
        snprintf(what, sizeof what, "%.100s, until", r->what);
        if (r->keys.until != NULL)
            scree_end_condition_read(&r->stage->until, job->input, r->keys.until, what, false,
                                     &setting);
        int original = (int)(r->stage - job->stages.stage);
        for (int m = 1; m < (int)r->keys.repeat; m++) repeat_stage(job, original + m, original);
    }
    job->n_steps = 0;
    for (int k = 0; k < job->stages.n; k++) {
        const struct scree_end_condition *until = &job->stages.stage[k].until;
        job->n_steps += until->steps > 0 ? until->steps : until->most;
    }
}

/* The keys of all stages, and how many they are with their repetitions. */
static int read_keys(struct scree_job *job, const struct scree_node *node,
                     struct scree_stage_reading *reading)
{
    int n_all = 0;
    for (int k = 0; k < scree_node_count(node); k++) {
        struct scree_stage_reading *r = &reading[k];
        *r = (struct scree_stage_reading){.job = job, .node = scree_node_item(node, k)};
        find_name(r, k);
        scree_input_read(job->input, r->node, NULL, r->what, scree_stages_params, &r->keys);
        n_all += (int)r->keys.repeat;
    }
    return n_all;
}

static void read_list(struct scree_job *job, const struct scree_node *node)
{
    struct scree_stages *stages = &job->stages;
    int n = scree_node_count(node), at = 0;
    struct scree_stage_reading *reading = scree_alloc((size_t)n, sizeof *reading);
    int n_all = read_keys(job, node, reading);
    stages->stage = scree_alloc((size_t)n_all, sizeof *stages->stage);
    memset(stages->stage, 0, (size_t)n_all * sizeof *stages->stage);
    for (int k = 0; k < n; k++) {
        struct scree_stage *stage = reading[k].stage = &stages->stage[at];
        stage->node = reading[k].node;
        stage->original = at;
        read_stage(&reading[k], at);
        for (int m = 1; m < (int)reading[k].keys.repeat; m++) stages->stage[at + m] = *stage;
        at += (int)reading[k].keys.repeat;
    }
    stages->n = n_all;
    read_ends(job, reading, n); /* what walls ever do is known now */
    scree_alloc_free(reading);
    size_t n_pairs = (size_t)job->laws.n_pairs;
    stages->laws = scree_alloc(n_pairs + 1, sizeof *stages->laws);
    memcpy(stages->laws, job->laws.pair, n_pairs * sizeof *stages->laws);
}

/* A run without stages is one that changes nothing. */
static void make_one(struct scree_job *job)
{
    struct scree_stages *stages = &job->stages;
    stages->n = 1;
    stages->stage = scree_alloc(1, sizeof *stages->stage);
    *stages->stage = (struct scree_stage){.name = "run",
                                          .until = {.steps = job->n_steps, .check = 1},
                                          .growth = 1.0,
                                          .background_friction = job->background_friction};
    memcpy(stages->stage->gravity, job->gravity, sizeof job->gravity);
}

void scree_stages_read(struct scree_job *job, const struct scree_node *node,
                       const struct scree_node *stop)
{
    if (node != NULL) {
        scree_node_mark_used(node);
        job->stages.given = scree_node_kind(node) == SCREE_NODE_LIST && scree_node_count(node) > 0;
        if (!job->stages.given) {
            scree_input_error(job->input, node,
                              "stages: expected a list, as in '- {name: compress, until: {...}}'");
            scree_node_mark_all_used(node);
        }
    }
    if (job->stages.given)
        read_list(job, node);
    else
        make_one(job);
    if (stop == NULL) return;
    job->stages.has_stop = true;
    const struct scree_end_condition_setting setting = make_setting(job);
    scree_end_condition_read(&job->stages.stop, job->input, stop, "time.stop", true, &setting);
}
