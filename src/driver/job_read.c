/* SPDX-License-Identifier: BSD-3-Clause
 * From an input file to a job description: the top level, its plain sections, materials, groups. */
#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "job.h"
#include "job_wedge.h"
#include "scree/alloc.h"
#include "snapshots.h"
#include "warnings.h"

static const char *const methods[] = {
#define SCREE_STEPPER(name) #name,
#include "scree/steppers.def"
#undef SCREE_STEPPER
    NULL,
};
static const char *const shapes[] = {"spheres", "disks", NULL};
static const char *const integrators[] = {"leapfrog", "gear", NULL};
static const char *const auto_word[] = {"auto", NULL};
static const char *const balance_methods[] = {"auto", "parmetis", "hilbert", NULL};

struct sections {
    const struct scree_node *time, *domain, *materials, *contacts, *boundaries, *membranes,
        *particles;
    const struct scree_node *stages, *groups, *neighbours, *balance, *output, *energy, *warnings,
        *analysis, *cell;
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
    {"method", SCREE_PARAM_CHOICE, "", 0, 0, "md", methods, AT(method), "way to advance time"},
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
     "how a box that is periodic in all directions deforms; default: not at all"},
    {"particles", SCREE_PARAM_NODE, "", 0, 0, NULL, NULL, SECTION(particles),
     "list of samples: how grains get there"},
    {"stages", SCREE_PARAM_NODE, "", 0, 0, "", NULL, SECTION(stages),
     "list of stages, one after the other, each with its own drives and end"},
    {"groups", SCREE_PARAM_NODE, "", 0, 0, "", NULL, SECTION(groups), "frozen grains, by name"},
    {"neighbours", SCREE_PARAM_NODE, "", 0, 0, "", NULL, SECTION(neighbours), "pair lists"},
    {"balance", SCREE_PARAM_NODE, "", 0, 0, "", NULL, SECTION(balance), "load balance"},
    {"energy", SCREE_PARAM_NODE, "", 0, 0, "", NULL, SECTION(energy), "the energy ledger"},
    {"warnings", SCREE_PARAM_NODE, "", 0, 0, "", NULL, SECTION(warnings), "when to warn"},
    {"output", SCREE_PARAM_NODE, "", 0, 0, "", NULL, SECTION(output), "what is written"},
    {"analysis", SCREE_PARAM_NODE, "", 0, 0, "", NULL, SECTION(analysis),
     "list of measurements during the run; see `scree list analyses`"},
    {0},
};

#define JOB(member) offsetof(struct scree_job, member)
static const struct scree_param time_params[] = {
    {"step", SCREE_PARAM_REAL, "s", DBL_MIN, INFINITY, NULL, auto_word, JOB(time.step),
     "time step; auto: a fraction of the shortest contact time (see warnings.contact_steps)"},
    {"speed", SCREE_PARAM_REAL, "m/s", DBL_MIN, INFINITY, "1", NULL, JOB(time.speed),
     "impact speed for which an automatic step is chosen (matters for nonlinear laws)"},
    {"integrator", SCREE_PARAM_CHOICE, "", 0, 0, "leapfrog", integrators, JOB(time.integrator),
     "leapfrog (velocity Verlet), or Gear's predictor-corrector with five values"},
    {"end", SCREE_PARAM_REAL, "s", 0, INFINITY, "", NULL, JOB(time.end), "when to stop"},
    {"steps", SCREE_PARAM_INTEGER, "", 0, 9e15, "", NULL, JOB(time.steps),
     "instead of end: number of steps; a run with 'stages' has neither"},
    {"stop", SCREE_PARAM_NODE, "", 0, 0, "", NULL, JOB(time.stop),
     "conditions as in a stage, with which the run ends early"},
    {0},
};
static const struct scree_param domain_params[] = {
    {"low", SCREE_PARAM_VECTOR, "m", 0, 0, NULL, NULL, JOB(domain.low), "lower corner"},
    {"high", SCREE_PARAM_VECTOR, "m", 0, 0, NULL, NULL, JOB(domain.high), "upper corner"},
    {"periodic", SCREE_PARAM_AXES, "", 0, 0, "[]", NULL, JOB(domain.periodic),
     "periodic directions; the others are open"},
    {"wedge", SCREE_PARAM_NODE, "", 0, 0, "", NULL, JOB(domain.wedge),
     "a sector of a ring that repeats by turns about an axis, such as {axis: z, sectors: 4}"},
    {0},
};
static const struct scree_param neighbours_params[] = {
    {"skin", SCREE_PARAM_REAL, "m", DBL_MIN, INFINITY, "auto", auto_word, JOB(neighbours.skin),
     "pairs closer than this are listed (auto: 0.3 mean radii); results do not depend on it"},
    {0},
};
static const struct scree_param energy_params[] = {
    {"tolerance", SCREE_PARAM_REAL, "1", 0, INFINITY, "0.05", NULL, JOB(energy.tolerance),
     "largest closure error, relative to all energy turned over, before the run ends"},
    {0},
};
static const struct scree_param balance_params[] = {
    {"method", SCREE_PARAM_CHOICE, "", 0, 0, "auto", balance_methods, JOB(balance.method),
     "how bricks are split among ranks"},
    {"threshold", SCREE_PARAM_REAL, "1", 1, INFINITY, "1.1", NULL, JOB(balance.threshold),
     "balance when max/mean of measured work exceeds this"},
    {"force_every", SCREE_PARAM_INTEGER, "", 0, 9e15, "0", NULL, JOB(balance.force_every),
     "steps between forced balances (for tests); 0: never"},
    {"bricks_per_rank", SCREE_PARAM_INTEGER, "", 1, 1000000, "100", NULL,
     JOB(balance.bricks_per_rank), "about how many"},
    {0},
};
static const struct scree_param checkpoint_params[] = {
    {"every", SCREE_PARAM_REAL, "s", DBL_MIN, INFINITY, "20 min", NULL, JOB(checkpoint.every),
     "wall-clock time between checkpoints"},
    {"steps", SCREE_PARAM_INTEGER, "", 0, 9e15, "0", NULL, JOB(checkpoint.steps),
     "also every so many steps; 0: by time only"},
    {"keep", SCREE_PARAM_INTEGER, "", 1, 1000000, "2", NULL, JOB(checkpoint.keep),
     "how many of the newest are kept"},
    {"keep_every", SCREE_PARAM_INTEGER, "", 0, 9e15, "0", NULL, JOB(checkpoint.keep_every),
     "of all checkpoints of a run, every so many is kept for good; 0: none"},
    {"required", SCREE_PARAM_BOOL, "", 0, 0, "true", NULL, JOB(checkpoint.required),
     "end the run if a checkpoint cannot be written; false: warn and go on"},
    {0},
};
static const struct scree_param series_params[] = {
    {"every", SCREE_PARAM_REAL, "s", DBL_MIN, INFINITY, "", NULL, JOB(series.every),
     "simulated time between rows; default: 200 rows over the run, at least 100 steps apart"},
    {"steps", SCREE_PARAM_INTEGER, "", 0, 9e15, "", NULL, JOB(series.steps),
     "instead of every: steps between rows; 0: no series"},
    {0},
};
static const struct scree_param output_params[] = {
    {"progress", SCREE_PARAM_REAL, "s", 0, INFINITY, "5", NULL, JOB(output.progress),
     "wall-clock time between progress lines"},
    {"state", SCREE_PARAM_BOOL, "", 0, 0, "true", NULL, JOB(output.state),
     "write the final state to state.h5"},
    {"checkpoint", SCREE_PARAM_NODE, "", 0, 0, "", NULL, JOB(output.checkpoint),
     "when the run is saved for resuming"},
    {"series", SCREE_PARAM_NODE, "", 0, 0, "", NULL, JOB(output.series),
     "table of energies, contacts and wall forces against time"},
    {"snapshots", SCREE_PARAM_NODE, "", 0, 0, "", NULL, JOB(output.snapshots),
     "trajectory (H5MD, with an XDMF file for ParaView); default: none"},
    {0},
};
#define DENSITY(unit)                                              \
    {                                                              \
        {"density",      SCREE_PARAM_REAL,                         \
         unit,           DBL_MIN,                                  \
         INFINITY,       NULL,                                     \
         NULL,           offsetof(struct scree_material, density), \
         "of the grains"},                                         \
        {                                                          \
            0                                                      \
        }                                                          \
    }
static const struct scree_param sphere_material_params[] = DENSITY("kg/m^3");
static const struct scree_param disk_material_params[] = DENSITY("kg/m^2");

struct group_values {
    const char *material;
    bool frozen;
    double velocity[3];
};

static const struct scree_param group_params[] = {
    {"material", SCREE_PARAM_TEXT, "", 0, 0, NULL, NULL, offsetof(struct group_values, material),
     "all grains of this material"},
    {"frozen", SCREE_PARAM_BOOL, "", 0, 0, "true", NULL, offsetof(struct group_values, frozen),
     "forces do not move them"},
    {"velocity", SCREE_PARAM_VECTOR, "m/s", 0, 0, "[0, 0, 0]", NULL,
     offsetof(struct group_values, velocity), "constant velocity of the frozen grains"},
    {0},
};

const struct scree_schema scree_job_schemas[] = {
    {"", "top level", top_params},
    {"time", "time step and end", time_params},
    {"domain", "box and periodicity", domain_params},
    {"domain.wedge", "a sector of a ring", scree_job_wedge_params},
    {"cell", "how a periodic box deforms (two dimensions: stresses in N/m)", scree_cell_params_3d},
    {"cell.strain_rate", "rates of strain that are given", scree_cell_rate_params},
    {"cell.stress", "stresses that servos keep", scree_cell_stress_params_3d},
    {"materials.*", "a material (grains: spheres)", sphere_material_params},
    {"materials.*", "a material (grains: disks)", disk_material_params},
    {"contacts[]", "laws between two materials", scree_laws_entry_params},
    {"stages[]", "a stage of the run", scree_stages_params},
    {"stages[].until.at_most", "the longest that a stage lasts", scree_until_bound_params},
    {"stages[].until.contacts", "grains that touch a wall", scree_until_contacts_params},
    {"stages[].until.grains", "grains beyond a plane", scree_until_grains_params},
    {"stages[].friction[]", "friction of a pair of materials", scree_stages_friction_params},
    {"stages[].output", "intervals of a stage", scree_stages_output_params},
    {"stages[].output.*", "an interval", scree_stages_interval_params},
    {"groups.*", "grains that forces do not move", group_params},
    {"neighbours", "pair lists", neighbours_params},
    {"energy", "the energy ledger", energy_params},
    {"warnings", "when to warn", scree_warnings_params},
    {"balance", "load balance", balance_params},
    {"output", "what is written", output_params},
    {"output.series", "table of energies, contacts and wall forces", series_params},
    {"output.snapshots", "trajectory", scree_snapshots_params},
    {"output.snapshots.grains", "which grains go into the trajectory",
     scree_snapshots_grains_params},
    {"output.checkpoint", "when the run is saved for resuming", checkpoint_params},
    {NULL, NULL, NULL},
};

static void read_time(struct scree_job *job, const struct scree_node *node,
                      const struct scree_node *root)
{
    bool good = scree_input_read(job->input, node, root, "time", time_params, job);
    const struct scree_node *end = scree_node_find(node, "end");
    const struct scree_node *steps = scree_node_find(node, "steps");
    if (scree_node_kind(node) != SCREE_NODE_MAP) return;
    if (end != NULL && steps != NULL) /* an override has no line: if it is one of them, blame it */
        scree_input_error(job->input, scree_node_line(steps) == 0 ? steps : end,
                          "time: 'end' and 'steps' are both given; keep one of them");
    bool staged = scree_node_find(root, "stages") != NULL;
    if (staged && (end != NULL || steps != NULL))
        scree_input_error(job->input, end != NULL ? end : steps,
                          "time: '%s' and 'stages' are both given; each stage says when it ends",
                          end != NULL ? "end" : "steps");
    if (end == NULL && steps == NULL && !staged)
        scree_input_error(job->input, node, "time: give 'end' (such as 1 s) or 'steps'");
    job->time.automatic = good && isnan(job->time.step);
    if (job->time.automatic) job->time.step = 1e-6; /* until it is known */
    if (!good || (end == NULL) == (steps == NULL)) return;
    job->n_steps =
        steps != NULL ? job->time.steps : (int64_t)ceil(job->time.end / job->time.step - 1e-9);
}

static void read_domain(struct scree_job *job, const struct scree_node *node,
                        const struct scree_node *root)
{
    static const char axis[] = "xyz";
    scree_input_read(job->input, node, root, "domain", domain_params, job);
    for (int a = 0; a < (int)job->dimension; a++)
        if (job->domain.low[a] >= job->domain.high[a]) /* false if either could not be read */
            scree_input_error(job->input, scree_node_find(node, "low"),
                              "domain: 'low' is %g m along %c, not below 'high' of %g m",
                              job->domain.low[a], axis[a], job->domain.high[a]);
    if (job->dimension == 3) return;
    if (job->domain.periodic[2])
        scree_input_error(job->input, scree_node_find(node, "periodic"),
                          "domain: 'periodic' holds z, but the run has two dimensions");
    if (job->gravity[2] != 0.0)
        scree_input_error(job->input, scree_node_find(root, "gravity"),
                          "'gravity' has a z component, but the run has two dimensions");
    job->domain.low[2] = job->domain.high[2] = 0.0;
}

static bool is_map(struct scree_job *job, const struct scree_node *node, const char *what,
                   const char *example)
{
    if (node == NULL) return false;
    if (scree_node_kind(node) == SCREE_NODE_MAP) return true;
    scree_input_error(job->input, node, "%s: expected a map (%s)", what, example);
    return false;
}

static void read_materials(struct scree_job *job, const struct scree_node *node)
{
    bool good = is_map(job, node, "materials", "name: {density: ...}");
    int n = good ? scree_node_count(node) : 0;
    if (good && n == 0) scree_input_error(job->input, node, "materials: name at least one");
    job->n_materials = n;
    job->material = scree_alloc((size_t)n + 1, sizeof *job->material);
    job->material_name = scree_alloc((size_t)n + 1, sizeof *job->material_name);
    for (int k = 0; k < n; k++) {
        char what[96];
        job->material_name[k] = scree_node_key(node, k);
        snprintf(what, sizeof what, "material '%s'", job->material_name[k]);
        scree_input_read(job->input, scree_node_item(node, k), node, what,
                         job->disks ? disk_material_params : sphere_material_params,
                         &job->material[k]);
    }
    job->material_name[n] = NULL;
}

static void read_groups(struct scree_job *job, const struct scree_node *node)
{
    int n = is_map(job, node, "groups", "name: {material: ...}") ? scree_node_count(node) : 0;
    job->group = scree_alloc((size_t)n + 1, sizeof *job->group);
    for (int k = 0; k < n; k++) {
        char what[96];
        struct group_values values;
        const struct scree_node *item = scree_node_item(node, k);
        struct scree_group *group = &job->group[job->n_groups];
        group->name = scree_node_key(node, k);
        snprintf(what, sizeof what, "group '%s'", group->name);
        if (!scree_input_read(job->input, item, node, what, group_params, &values)) continue;
        group->material = -1;
        for (int m = 0; m < job->n_materials; m++)
            if (strcmp(values.material, job->material_name[m]) == 0) group->material = m;
        if (group->material < 0) {
            scree_input_unknown(job->input, scree_node_find(item, "material"), "material",
                                values.material, job->material_name);
            continue;
        }
        group->frozen = values.frozen;
        memcpy(group->velocity, values.velocity, sizeof values.velocity);
        job->n_groups++;
    }
}

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

/* What does not go together with a cell that deforms. */
static void read_cell(struct scree_job *job, const struct scree_node *node,
                      const struct sections *s, const struct scree_node *root)
{
    scree_cell_control_read(&job->cell, job->input, node, &job->domain_built.box);
    if (node == NULL) return;
    if (job->walls.n > 0)
        scree_input_error(job->input, s->boundaries,
                          "boundaries: there are no walls in a box that deforms ('cell')");
    if (job->domain.wedge != NULL)
        scree_input_error(job->input, job->domain.wedge,
                          "domain: a wedge does not deform ('cell')");
    if (s->membranes != NULL)
        scree_input_error(job->input, s->membranes,
                          "membranes: there are none in a box that deforms ('cell')");
    if (s->stages != NULL)
        scree_input_error(
            job->input, s->stages,
            "stages: a box that deforms ('cell') has none yet; use 'start' and 'rise' "
            "of the cell, or resume with --allow-change");
    if (job->time.integrator == SCREE_INTEGRATOR_GEAR)
        scree_input_error(job->input, scree_node_find(s->time, "integrator"),
                          "time: a box that deforms ('cell') needs 'integrator: leapfrog'");
    if (job->gravity[0] != 0.0 || job->gravity[1] != 0.0 || job->gravity[2] != 0.0)
        scree_input_error(job->input, scree_node_find(root, "gravity"),
                          "'gravity' has nothing to hold against in a box that deforms ('cell')");
    for (int g = 0; g < job->n_groups; g++)
        if (job->group[g].frozen)
            scree_input_error(job->input, s->groups,
                              "groups: there are no frozen grains in a box that deforms ('cell')");
}

int64_t scree_job_interval(struct scree_job *job, const struct scree_node *node, const char *what,
                           double every, int64_t steps, int64_t fallback)
{
    const struct scree_interval given = {every, steps};
    return scree_input_interval(job->input, node, what, &given, job->time.step, fallback);
}

/* A row costs about as much as a step: unless asked for, not more often than every 100. */
static int64_t usual_row_steps(const struct scree_job *job)
{
    return job->n_steps > 20000 ? job->n_steps / 200 : 100;
}

static void read_intervals(struct scree_job *job, const struct scree_node *parent)
{
    const struct scree_node *series = job->output.series;
    scree_input_read(job->input, series, parent, "output.series", series_params, job);
    job->series_steps = scree_job_interval(job, series, "output.series", job->series.every,
                                           job->series.steps, usual_row_steps(job));
    if (job->output.snapshots != NULL) scree_snapshots_read(job, parent);
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

enum scree_status scree_job_read(struct scree_job *job, struct scree_comm *comm, const char *bytes,
                                 size_t n_bytes, const char *name, int n_sets,
                                 const char *const *sets)
{
    memset(job, 0, sizeof *job);
    job->comm = comm;
    SCREE_TRY(scree_input_create_sized(&job->input, bytes, n_bytes, name));
    job->sets_text = join_sets(n_sets, sets);
    for (int k = 0; k < n_sets; k++) scree_input_override(job->input, sets[k]);
    const struct scree_node *root = scree_input_root(job->input);
    struct top top;
    scree_input_read(job->input, root, NULL, "", top_params, &top);
    job->title = top.title != NULL ? top.title : "";
    job->stepper = scree_stepper_at(top.method >= 0 ? top.method : 0);
    job->disks = top.grain_shape >= 0 ? top.grain_shape == 1 : top.dimension == 2;
    job->dimension = top.dimension;
    job->orientation = top.orientation;
    job->seed = top.seed;
    job->background_friction = top.background_friction;
    memcpy(job->gravity, top.gravity, sizeof top.gravity);

    const struct sections *s = &top.section;
    if (s->time != NULL) read_time(job, s->time, root);
    if (s->domain != NULL) read_domain(job, s->domain, root);
    read_materials(job, s->materials);
    scree_laws_read(&job->laws, job->input, s->contacts, job->n_materials, job->material_name);
    scree_box_init(&job->domain_built.box, (int)job->dimension, job->domain.low, job->domain.high,
                   job->domain.periodic);
    if (job->domain.wedge != NULL) scree_job_read_wedge(job, s->domain);
    scree_boundaries_read(&job->walls, job->input, s->boundaries, job->material_name,
                          &job->domain_built.box);
    scree_membranes_read(&job->membranes, job->input, s->membranes, job->material_name, &job->walls,
                         &job->domain_built.box);
    check_membranes(job, s->membranes);
    if (job->time.integrator == SCREE_INTEGRATOR_GEAR && job->membranes.n > 0)
        scree_input_error(job->input, scree_node_find(s->time, "integrator"),
                          "time: membranes need 'integrator: leapfrog'");
    scree_stages_read(job, s->stages, job->time.stop);
    if (job->time.integrator == SCREE_INTEGRATOR_GEAR && scree_boundaries_n_servos(&job->walls) > 0)
        scree_input_error(job->input, scree_node_find(s->time, "integrator"),
                          "time: walls with 'servo' need 'integrator: leapfrog'");
    const struct scree_samples_setting setting = {.box = &job->domain_built.box,
                                                  .disks = job->disks,
                                                  .materials = job->material_name,
                                                  .walls = &job->walls,
                                                  .membranes = &job->membranes};
    scree_samples_read(&job->samples, job->input, s->particles, &setting);
    scree_stages_read_samples(job, &setting);
    read_groups(job, s->groups);
    if (job->domain.wedge != NULL) scree_job_check_wedge(job, s->groups);
    read_cell(job, s->cell, s, root);
    scree_input_read(job->input, s->energy, root, "energy", energy_params, job);
    scree_input_read(job->input, s->warnings, root, "warnings", scree_warnings_params, job);
    scree_input_read(job->input, s->neighbours, root, "neighbours", neighbours_params, job);
    scree_input_read(job->input, s->balance, root, "balance", balance_params, job);
    scree_input_read(job->input, s->output, root, "output", output_params, job);
    scree_input_read(job->input, job->output.checkpoint, s->output != NULL ? s->output : root,
                     "output.checkpoint", checkpoint_params, job);
    read_intervals(job, s->output != NULL ? s->output : root);
    scree_stages_read_outputs(job);
    const struct scree_analysis_setting analysis = {
        &job->domain_built.box, &job->walls, job->cell.on, job->time.step, usual_row_steps(job)};
    scree_analyses_read(&job->analyses, job->input, s->analysis, &analysis);
    scree_stages_read_analyses(job);
    return scree_input_finish(job->input);
}
