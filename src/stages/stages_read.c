/* SPDX-License-Identifier: BSD-3-Clause
 * Reading the section `stages`. */
#include "stages_read.h"

#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scree/alloc.h"
#include "scree/wedge_read.h"

#define AT(member) offsetof(struct scree_stage_keys, member)
const struct scree_param scree_stages_params[] = {
    {"name", SCREE_PARAM_TEXT, "", 0, 0, "", NULL, AT(name), "for tables and messages"},
    {"method", SCREE_PARAM_CHOICE, "", 0, 0, "", scree_stepper_names, AT(method),
     "way to advance time from now on; contacts and their forces are handed over"},
    {"step", SCREE_PARAM_REAL, "s", DBL_MIN, INFINITY, "", NULL, AT(step),
     "time step from now on, with a 'method' other than before"},
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
     "radii of all grains there are by then are multiplied by this when it begins, in the first "
     "stage those of the samples at the top; densities remain"},
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
    const struct scree_stages *stages = r->stages;
    const struct scree_node *node = scree_node_find(r->node, "name");
    bool plain = r->stage->name[0] != '\0';
    for (const char *c = r->stage->name; *c != '\0'; c++)
        plain = plain && (isalnum((unsigned char)*c) || *c == '-' || *c == '_');
    if (!plain)
        scree_input_error(r->input, node,
                          "stages: 'name' is '%s', expected letters, digits, '-' and '_'",
                          r->stage->name);
    for (const struct scree_stage *s = stages->stage; s < r->stage; s++)
        if (node != NULL && strcmp(s->name, r->stage->name) == 0)
            scree_input_error(r->input, node, "stages: two of them are named '%s'", s->name);
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
    const struct scree_run *run = r->run;
    size_t n_pairs = (size_t)run->scene.laws->n_pairs;
    r->stage->friction = scree_alloc(n_pairs + 1, sizeof *r->stage->friction);
    for (size_t p = 0; p < n_pairs; p++)
        r->stage->friction[p] = k > 0 ? r->stages->stage[k - 1].friction[p] : NAN;
    const struct scree_stage *before = &r->stages->stage[k - 1];
    memcpy(r->stage->gravity, k > 0 ? before->gravity : run->scene.gravity,
           sizeof r->stage->gravity);
    r->stage->background_friction =
        k > 0 ? before->background_friction : run->scene.background_friction;
    r->stage->method = k > 0 ? before->method : 0;
    r->stage->dt = k > 0 ? before->dt : run->scene.dt;
    r->stage->unbalanced[0] = r->stage->unbalanced[1] = NAN;
}

/* All methods of the run have been found before. A method that goes on keeps its step: so do
 * velocities of half steps. */
static void read_method(const struct scree_stage_reading *r, int k)
{
    struct scree_run *run = r->run;
    int before = r->stage->method;
    if (r->keys.method >= 0)
        r->stage->method = scree_run_add_method(run, scree_stepper_at(r->keys.method));
    if (r->stage->method < 0) r->stage->method = before;
    const struct scree_stepper *stepper = run->method[r->stage->method].stepper;
    bool changes = r->stage->method != before;
    if (changes && k > 0 && stepper->take_over == NULL)
        scree_input_error(r->input, scree_node_find(r->node, "method"),
                          "%s: method '%s' cannot take over from another", r->what, stepper->name);
    if (isnan(r->keys.step)) return;
    if (!changes && k > 0)
        scree_input_error(r->input, scree_node_find(r->node, "step"),
                          "%s: 'step' goes with a 'method' other than that of the stage before, "
                          "which is '%s' already",
                          r->what, stepper->name);
    r->stage->dt = r->keys.step;
}

static void read_stage(struct scree_stage_reading *r, int k)
{
    struct scree_run *run = r->run;
    inherit(r, k);
    read_method(r, k);
    memcpy(r->stage->name, r->name, sizeof r->name);
    check_name(r);
    r->stage->analysis = r->keys.analysis;
    r->stage->growth = r->keys.scale_radii;
    if (!isnan(r->keys.gravity[0]))
        memcpy(r->stage->gravity, r->keys.gravity, sizeof r->stage->gravity);
    if (run->scene.domain->box.dimension == 2 && r->stage->gravity[2] != 0.0 &&
        !isnan(r->keys.gravity[0]))
        scree_input_error(r->input, scree_node_find(r->node, "gravity"),
                          "'gravity' has a z component, but the run has two dimensions");
    if (!isnan(r->keys.gravity[0]))
        scree_wedge_check_gravity(&run->scene.domain->box.wedge, r->input,
                                  scree_node_find(r->node, "gravity"), r->stage->gravity);
    if (!isnan(r->keys.background_friction))
        r->stage->background_friction = r->keys.background_friction;
    if (r->keys.friction != NULL) scree_stages_read_friction(r, r->keys.friction);
    if (r->keys.cell != NULL) {
        r->stage->cell = scree_alloc(1, sizeof *r->stage->cell);
        scree_deformation_control_read(r->stage->cell, r->input, r->keys.cell,
                                       &run->scene.domain->box);
        if (!run->scene.cell_control->on)
            scree_deformation_control_rest(run->scene.cell_control, &run->scene.domain->box);
    }
    scree_walls_read_stage(run->scene.walls, r->input, r->keys.boundaries, k,
                           &run->scene.domain->box);
}

/* A stage that comes again: what it changed is changed already, but for the grains. */
static void repeat_stage(struct scree_stages *stages, int n_laws, int k, int original)
{
    struct scree_stage *stage = &stages->stage[k];
    const struct scree_stage *first = &stages->stage[original];
    size_t n_pairs = (size_t)n_laws, length = strlen(first->name);
    *stage = *first;
    stage->original = original;
    if (length > sizeof stage->name - 8) length = sizeof stage->name - 8;
    snprintf(stage->name + length, sizeof stage->name - length, "-%d", k - original + 1);
    stage->friction = scree_alloc(n_pairs + 1, sizeof *stage->friction);
    memcpy(stage->friction, first->friction, n_pairs * sizeof *stage->friction);
}

static bool has_cell_servos(const struct scree_stages *stages,
                            const struct scree_deformation_control *cell)
{
    int n = scree_deformation_control_n_servos(cell);
    for (int k = 0; k < stages->n; k++)
        if (stages->stage[k].cell != NULL)
            n += scree_deformation_control_n_servos(stages->stage[k].cell);
    return n > 0;
}

static struct scree_end_condition_setting make_setting(const struct scree_stages *stages,
                                                       const struct scree_run *run, double dt)
{
    return (struct scree_end_condition_setting){
        .walls = run->scene.walls,
        .dimension = run->scene.domain->box.dimension,
        .dt = dt,
        .deforms = run->scene.cell_control->on,
        .cell_servos = has_cell_servos(stages, run->scene.cell_control)};
}

/* All stages together, each as long as it may last. */
static void add_up_steps(const struct scree_stages *stages, struct scree_input *input,
                         struct scree_run *run)
{
    const int64_t most = 9000000000000000; /* as for one stage: a double counts them one by one */
    run->n_steps = 0;
    for (int k = 0; k < stages->n; k++) {
        const struct scree_end_condition *until = &stages->stage[k].until;
        run->n_steps += until->steps > 0 ? until->steps : until->most;
        if (run->n_steps <= most) continue;
        scree_input_error(input, stages->stage[k].node, "stages: more than 9e15 steps altogether");
        return;
    }
}

/* What walls ever do is known: so is which of them bound the sample. */
static void settle_walls(const struct scree_run *run, struct scree_input *input)
{
    const struct scree_membranes *membranes = run->scene.membranes;
    const char *membrane = membranes->n > 0 ? membranes->membrane[0].name : NULL;
    scree_walls_find_sections(run->scene.walls, &run->scene.domain->box, membrane);
    scree_walls_check_servo_areas(run->scene.walls, input);
}

/* When all drives are known; repetitions follow their stage. */
static void read_ends(struct scree_stages *stages, struct scree_stage_reading *reading, int n)
{
    struct scree_run *run = reading->run;
    for (int k = 0; k < n; k++) {
        struct scree_stage_reading *r = &reading[k];
        const struct scree_end_condition_setting setting = make_setting(stages, run, r->stage->dt);
        char what[128];
        snprintf(what, sizeof what, "%.100s, until", r->what);
        if (r->keys.until != NULL)
            scree_end_condition_read(&r->stage->until, r->input, r->keys.until, what, false,
                                     &setting);
        int original = (int)(r->stage - stages->stage);
        for (int m = 1; m < (int)r->keys.repeat; m++)
            repeat_stage(stages, run->scene.laws->n_pairs, original + m, original);
    }
    add_up_steps(stages, reading->input, run);
}

/* The keys of all stages, and how many they are with their repetitions. */
static int read_keys(const struct scree_stage_reading *empty, const struct scree_node *node,
                     struct scree_stage_reading *reading)
{
    int n_all = 0;
    for (int k = 0; k < scree_node_count(node); k++) {
        struct scree_stage_reading *r = &reading[k];
        *r = *empty;
        r->node = scree_node_item(node, k);
        find_name(r, k);
        scree_input_read(r->input, r->node, NULL, r->what, scree_stages_params, &r->keys);
        n_all += (int)r->keys.repeat;
    }
    return n_all;
}

static void read_list(struct scree_stages *stages, struct scree_input *input, struct scree_run *run,
                      const struct scree_node *node)
{
    const struct scree_stage_reading empty = {.stages = stages, .input = input, .run = run};
    int n = scree_node_count(node), at = 0;
    struct scree_stage_reading *reading = scree_alloc((size_t)n, sizeof *reading);
    int n_all = read_keys(&empty, node, reading);
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
    run->scene.dt = stages->stage[0].dt;
    settle_walls(run, reading->input);
    read_ends(stages, reading, n);
    scree_alloc_free(reading);
    size_t n_pairs = (size_t)run->scene.laws->n_pairs;
    stages->laws = scree_alloc(n_pairs + 1, sizeof *stages->laws);
    if (n_pairs > 0) memcpy(stages->laws, run->scene.laws->pair, n_pairs * sizeof *stages->laws);
}

/* A run without stages is one that changes nothing. */
static void make_one(struct scree_stages *stages, const struct scree_run *run)
{
    stages->n = 1;
    stages->stage = scree_alloc(1, sizeof *stages->stage);
    *stages->stage = (struct scree_stage){.name = "run",
                                          .until = {.steps = run->n_steps, .check = 1},
                                          .growth = 1.0,
                                          .dt = run->scene.dt,
                                          .unbalanced = {NAN, NAN},
                                          .background_friction = run->scene.background_friction};
    memcpy(stages->stage->gravity, run->scene.gravity, sizeof run->scene.gravity);
}

void scree_stages_read(struct scree_stages *stages, struct scree_input *input,
                       struct scree_run *run, const struct scree_node *node,
                       const struct scree_node *stop)
{
    if (node != NULL) {
        scree_node_mark_used(node);
        stages->given = scree_node_kind(node) == SCREE_NODE_LIST && scree_node_count(node) > 0;
        if (!stages->given) {
            scree_input_error(input, node,
                              "stages: expected a list, as in '- {name: compress, until: {...}}'");
            scree_node_mark_all_used(node);
        }
    }
    if (stages->given)
        read_list(stages, input, run, node);
    else
        make_one(stages, run);
    if (!stages->given) settle_walls(run, input);
    if (stop == NULL) return;
    stages->has_stop = true;
    const struct scree_end_condition_setting setting = make_setting(stages, run, run->scene.dt);
    scree_end_condition_read(&stages->stop, input, stop, "time.stop", true, &setting);
}
