/* SPDX-License-Identifier: BSD-3-Clause
 * From an input file to a job description: the top level and the order in which it is read. */
#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "job_box.h"
#include "job_sections.h"
#include "scree/alloc.h"
#include "scree/snapshots.h"
#include "scree/wedge_read.h"

static const char *const shapes[] = {"spheres", "disks", NULL};
static const char *const auto_word[] = {"auto", NULL};
static const char *const balance_methods[] = {"auto", "parmetis", "hilbert", NULL};

struct sections {
    const struct scree_node *time, *domain, *materials, *contacts, *boundaries, *membranes, *pours,
        *particles;
    const struct scree_node *methods, *stages, *groups, *neighbours, *balance, *output, *energy,
        *warnings, *analysis, *cell, *solver, *events;
};

struct top {
    const char *title;
    int method, grain_shape;
    bool orientation;
    int64_t dimension, seed;
    double gravity[3], background_friction;
    struct sections section;
};

#define AT(member)      offsetof(struct top, member)
#define SECTION(member) offsetof(struct top, section.member)
static const struct scree_param top_params[] = {
    {"title", SCREE_PARAM_TEXT, "", 0, 0, "", NULL, AT(title), "what this run is, for its files"},
    {"method", SCREE_PARAM_CHOICE, "", 0, 0, "md", scree_stepper_names, AT(method),
     "way to advance time"},
    {"methods", SCREE_PARAM_NODE, "", 0, 0, "", NULL, SECTION(methods),
     "by name: maps of keys as at the top level, whose values hold instead if that is the "
     "'method'"},
    {"dimension", SCREE_PARAM_INTEGER, "", 2, 3, "3", NULL, AT(dimension), "2 or 3"},
    {"grains", SCREE_PARAM_CHOICE, "", 0, 0, "", shapes, AT(grain_shape),
     "mass and inertia of spheres or of disks; default: spheres in 3D, disks in 2D"},
    {"orientation", SCREE_PARAM_BOOL, "", 0, 0, "false", NULL, AT(orientation),
     "follow how grains are turned: a unit quaternion each, for trajectories"},
    {"seed", SCREE_PARAM_INTEGER, "", 0, 9e15, "1", NULL, AT(seed), "of all random numbers"},
    {"time", SCREE_PARAM_NODE, "", 0, 0, NULL, NULL, SECTION(time), "time step and end"},
    {"gravity", SCREE_PARAM_VECTOR, "m/s^2", 0, 0, "[0, 0, 0]", NULL, AT(gravity),
     "acceleration of every grain that is not frozen"},
    {"background_friction", SCREE_PARAM_REAL, "kg/s", 0, INFINITY, "0", NULL,
     AT(background_friction), "gamma_b of the force -gamma_b v on every grain"},
    {"domain", SCREE_PARAM_NODE, "", 0, 0, NULL, NULL, SECTION(domain), "box and periodicity"},
    {"materials", SCREE_PARAM_NODE, "", 0, 0, NULL, NULL, SECTION(materials),
     "names, with the density of each"},
    {"contacts", SCREE_PARAM_NODE, "", 0, 0, NULL, NULL, SECTION(contacts),
     "laws between pairs of materials"},
    {"boundaries", SCREE_PARAM_NODE, "", 0, 0, "", NULL, SECTION(boundaries), "walls, by name"},
    {"membranes", SCREE_PARAM_NODE, "", 0, 0, "", NULL, SECTION(membranes),
     "elastic membranes around upright cylindrical samples, by name"},
    {"cell", SCREE_PARAM_NODE, "", 0, 0, "", NULL, SECTION(cell),
     "how the box deforms along its periodic directions; default: not at all"},
    {"particles", SCREE_PARAM_NODE, "", 0, 0, NULL, NULL, SECTION(particles),
     "list of samples: how grains get there"},
    {"pours", SCREE_PARAM_NODE, "", 0, 0, "", NULL, SECTION(pours),
     "list of samples that come grain by grain, at a rate"},
    {"stages", SCREE_PARAM_NODE, "", 0, 0, "", NULL, SECTION(stages),
     "list of stages, one after the other, each with its own drives and end"},
    {"groups", SCREE_PARAM_NODE, "", 0, 0, "", NULL, SECTION(groups), "frozen grains, by name"},
    {"neighbours", SCREE_PARAM_NODE, "", 0, 0, "", NULL, SECTION(neighbours), "pair lists"},
    {"balance", SCREE_PARAM_NODE, "", 0, 0, "", NULL, SECTION(balance), "load balance"},
    {"energy", SCREE_PARAM_NODE, "", 0, 0, "", NULL, SECTION(energy), "the energy ledger"},
    {"warnings", SCREE_PARAM_NODE, "", 0, 0, "", NULL, SECTION(warnings), "when to warn"},
    {"solver", SCREE_PARAM_NODE, "", 0, 0, "", NULL, SECTION(solver),
     "how the contacts of rigid grains are solved (method cd)"},
    {"events", SCREE_PARAM_NODE, "", 0, 0, "", NULL, SECTION(events),
     "collisions one by one (method ed)"},
    {"output", SCREE_PARAM_NODE, "", 0, 0, "", NULL, SECTION(output), "what is written"},
    {"analysis", SCREE_PARAM_NODE, "", 0, 0, "", NULL, SECTION(analysis),
     "list of measurements during the run; see `scree list analyses`"},
    {0},
};

#define JOB(member) offsetof(struct scree_job, member)
static const struct scree_param neighbours_params[] = {
    {"skin", SCREE_PARAM_REAL, "m", DBL_MIN, INFINITY, "auto", auto_word, JOB(neighbours.skin),
     "pairs closer than this are listed (auto: 0.5 mean radii); results do not depend on it"},
    {0},
};
static const struct scree_param balance_params[] = {
    {"method", SCREE_PARAM_CHOICE, "", 0, 0, "auto", balance_methods, JOB(balance_keys.method),
     "how bricks are split among ranks"},
    {"threshold", SCREE_PARAM_REAL, "1", 1, INFINITY, "1.05", NULL, JOB(balance_keys.threshold),
     "balance when max/mean of measured work exceeds this"},
    {"force_every", SCREE_PARAM_INTEGER, "", 0, 9e15, "0", NULL, JOB(balance_keys.force_every),
     "steps between forced balances (for tests); 0: never"},
    {"bricks_per_rank", SCREE_PARAM_INTEGER, "", 1, 1000000, "100", NULL,
     JOB(balance_keys.bricks_per_rank), "about how many that hold grains"},
    {0},
};
const struct scree_schema scree_job_schemas[] = {
    {"", "top level", top_params},
    {"time", "time step and end", scree_job_time_params},
    {"domain", "box and periodicity", scree_job_domain_params},
    {"domain.wedge", "a sector of a ring", scree_wedge_params},
    {"cell", "how a periodic box deforms (two dimensions: stresses in N/m)",
     scree_deformation_params_3d},
    {"cell.strain_rate", "rates of strain that are given", scree_deformation_rate_params},
    {"cell.stress", "stresses that servos keep", scree_deformation_stress_params_3d},
    {"materials.*", "a material (grains: spheres)", scree_materials_sphere_params},
    {"materials.*", "a material (grains: disks)", scree_materials_disk_params},
    {"contacts[]", "laws between two materials", scree_laws_entry_params},
    {"contacts[].rigid", "what rigid grains do (methods cd and ed)", scree_rigid_params},
    {"pours[]", "grains that are poured at a rate", scree_pours_params},
    {"stages[]", "a stage of the run", scree_stages_params},
    {"stages[].until.at_most", "the longest that a stage lasts", scree_end_condition_bound_params},
    {"stages[].until.contacts", "grains that touch a wall", scree_end_condition_contacts_params},
    {"stages[].until.grains", "grains beyond a plane", scree_end_condition_grains_params},
    {"stages[].until.cell", "strain, stress and density of a box that deforms",
     scree_end_condition_deformation_params},
    {"stages[].until.cell.strain", "since the stage began", scree_end_condition_strain_params},
    {"stages[].until.cell.stress", "stresses of the sample", scree_end_condition_stress_params},
    {"stages[].until.cell.stress.*", "a stress, likewise the pressure",
     scree_end_condition_stress_range_params_3d},
    {"stages[].until.cell.solid_fraction", "how dense the sample is",
     scree_end_condition_number_range_params},
    {"stages[].friction[]", "friction of a pair of materials", scree_stages_friction_params},
    {"stages[].output", "intervals of a stage", scree_stages_output_params},
    {"stages[].output.*", "an interval", scree_stages_interval_params},
    {"groups.*", "grains that forces do not move", scree_groups_params},
    {"neighbours", "pair lists", neighbours_params},
    {"energy", "the energy ledger", scree_output_energy_params},
    {"balance", "load balance", balance_params},
    {"output", "what is written", scree_output_params},
    {"output.series", "table of energies, contacts and wall forces", scree_output_series_params},
    {"output.snapshots", "trajectory", scree_snapshots_params},
    {"output.snapshots.grains", "which grains go into the trajectory",
     scree_snapshots_grains_params},
    {"output.checkpoint", "when the run is saved for resuming", scree_restart_params},
    {NULL, NULL, NULL},
};

/* Nodes of a sheet overlap; a contact law would drive them apart. */
static void check_membranes(struct scree_job *job, const struct scree_node *node)
{
    for (int k = 0; k < job->membranes.n; k++) {
        const struct scree_membrane *m = &job->membranes.membrane[k];
        if (scree_laws_between(&job->laws, m->species, m->species) == NULL) continue;
        scree_input_error(job->input, scree_node_find(scree_node_find(node, m->name), "material"),
                          "membrane '%s': its material has a contact law with itself; give its "
                          "nodes a material without one",
                          m->name);
    }
}

/* The overrides as a text, one a line, so that a checkpoint can repeat them. */
static char *join_sets(int n, const char *const *sets)
{
    size_t size = 1, at = 0;
    for (int k = 0; k < n; k++) size += strlen(sets[k]) + 1;
    char *text = scree_alloc(size, 1);
    for (int k = 0; k < n; k++) at += (size_t)sprintf(text + at, "%s\n", sets[k]);
    text[at] = '\0';
    return text;
}

/* An override, or "stages=none": as if there were no such section. */
static void apply_set(struct scree_job *job, const char *set)
{
    for (const struct scree_param *p = top_params; p->key != NULL; p++) {
        size_t length = strlen(p->key);
        if (p->type != SCREE_PARAM_NODE) continue;
        if (strncmp(set, p->key, length) != 0 || strcmp(set + length, "=none") != 0) continue;
        scree_input_leave_out(job->input, p->key);
        return;
    }
    scree_input_override(job->input, set);
}

/* The section `methods` goes, once the values of the method of this run have taken their places:
 * those of an override, if there is one. */
static void take_method_values(struct scree_job *job, int n_sets, const char *const *sets)
{
    static const char key[] = "method=";
    const struct scree_node *root = scree_input_root(job->input), *section, *word;
    if (scree_node_kind(root) != SCREE_NODE_MAP) return;
    section = scree_node_find(root, "methods");
    word = scree_node_find(root, "method");
    if (section == NULL) return;
    const char *name = word != NULL ? scree_node_text(word) : "md";
    for (int k = 0; k < n_sets; k++)
        if (strncmp(sets[k], key, sizeof key - 1) == 0) name = sets[k] + sizeof key - 1;
    bool is_map = scree_node_kind(section) == SCREE_NODE_MAP;
    if (!is_map)
        scree_input_error(job->input, section,
                          "methods: expected a map, as in {cd: {time: {step: 1 ms}}}");
    for (int k = 0; is_map && k < scree_node_count(section); k++) {
        const struct scree_node *item = scree_node_item(section, k);
        const char *of = scree_node_key(section, k);
        bool known = false;
        for (int m = 0; scree_stepper_names[m] != NULL; m++)
            known = known || strcmp(scree_stepper_names[m], of) == 0;
        if (!known) scree_input_unknown(job->input, item, "method", of, scree_stepper_names);
        if (known && scree_node_kind(item) != SCREE_NODE_MAP)
            scree_input_error(job->input, item, "methods: '%s' is no map of keys", of);
        else if (strcmp(of, name) == 0)
            scree_input_merge(job->input, item);
    }
    scree_input_leave_out(job->input, "methods");
}

/* The scene and the rooms borrow what the job owns, from the beginning, so that sections are read
 * into it. */
static void lend(struct scree_job *job)
{
    struct scree_scene *scene = &job->run.scene;
    scene->comm = job->comm;
    scene->domain = &job->domain;
    scene->walls = &job->walls;
    scene->membranes = &job->membranes;
    scene->mesh = &job->mesh;
    scene->cell_control = &job->cell;
    scene->materials = &job->materials;
    scene->laws = &job->laws;
    scene->balance = &job->balance;
    scene->timer = &job->timer;
    job->output.input = job->input;
    job->restart.input = job->input;
    job->restart.run = &job->run;
    job->restart.stages = &job->stages;
    job->restart.output = &job->output;
    job->stages.groups = &job->groups;
}

static void take_top(struct scree_job *job, const struct top *top)
{
    scree_job_collect_methods(job, scree_stepper_at(top->method >= 0 ? top->method : 0));
    job->materials.disks = top->grain_shape >= 0 ? top->grain_shape == 1 : top->dimension == 2;
    job->orientation = top->orientation;
    job->output.title = top->title != NULL ? top->title : "";
    job->run.scene.seed = (uint64_t)top->seed;
    job->run.scene.background_friction = top->background_friction;
    memcpy(job->run.scene.gravity, top->gravity, sizeof top->gravity);
}

enum scree_status scree_job_read(struct scree_job *job, struct scree_comm *comm, const char *bytes,
                                 size_t n_bytes, const char *name, int n_sets,
                                 const char *const *sets)
{
    memset(job, 0, sizeof *job);
    job->comm = comm;
    SCREE_TRY(scree_input_create_sized(&job->input, bytes, n_bytes, name));
    lend(job);
    job->restart.sets_text = join_sets(n_sets, sets);
    take_method_values(job, n_sets, sets);
    for (int k = 0; k < n_sets; k++) apply_set(job, sets[k]);
    const struct scree_node *root = scree_input_root(job->input);
    struct top top;
    scree_input_read(job->input, root, NULL, "", top_params, &top);
    take_top(job, &top);
    const struct sections *s = &top.section;
    const struct scree_node *stop = NULL;
    if (s->time != NULL) stop = scree_job_read_time(job, s->time, root);
    scree_job_read_methods(job);
    scree_job_read_domain(job, s->domain, (int)top.dimension);
    scree_materials_read(&job->materials, job->input, s->materials);
    scree_laws_read(&job->laws, job->input, s->contacts, job->materials.n, job->materials.name,
                    scree_job_laws_setting(job));
    scree_walls_read(&job->walls, job->input, s->boundaries, job->materials.name, &job->domain.box);
    scree_membranes_read(&job->membranes, job->input, s->membranes, job->materials.name,
                         &job->walls, &job->domain.box);
    check_membranes(job, s->membranes);
    scree_deformation_control_read(&job->cell, job->input, s->cell, &job->domain.box);
    scree_stages_read(&job->stages, job->input, &job->run, s->stages, stop);
    const struct scree_samples_setting setting = {.box = &job->domain.box,
                                                  .disks = job->materials.disks,
                                                  .materials = job->materials.name,
                                                  .walls = &job->walls,
                                                  .membranes = &job->membranes};
    scree_samples_read(&job->samples, job->input, s->particles, &setting);
    scree_stages_read_samples(&job->stages, job->input, &setting);
    scree_pours_read(&job->stages.pours, job->input, s->pours, &setting, job->cell.on);
    scree_groups_read(&job->groups, job->input, s->groups, &job->materials);
    scree_job_check_wedge(job, root);
    if (job->cell.on) scree_job_check_deformation(job, root);
    scree_input_read(job->input, s->neighbours, root, "neighbours", neighbours_params, job);
    scree_input_read(job->input, s->balance, root, "balance", balance_params, job);
    scree_output_read(&job->output, job->input, &job->run, job->orientation);
    scree_restart_read(&job->restart, job->input, scree_node_find(s->output, "checkpoint"),
                       s->output != NULL ? s->output : root);
    scree_stages_read_outputs(&job->stages, job->input, &job->output);
    const struct scree_analysis_setting analysis = {&job->domain.box,
                                                    &job->walls,
                                                    job->cell.on,
                                                    job->run.scene.dt,
                                                    (double)scree_output_usual_row_steps(&job->run),
                                                    &job->materials};
    scree_analyses_read(&job->output.analyses, job->input, s->analysis, &analysis);
    scree_stages_read_analyses(&job->stages, job->input, &job->output.analyses);
    scree_job_check_methods(job);
    return scree_input_finish(job->input);
}
