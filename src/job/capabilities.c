/* SPDX-License-Identifier: BSD-3-Clause
 * The keys that a method brings to the input, and the keys of others that it cannot serve. */
#include <string.h>

#include "scree/alloc.h"
#include "scree/job.h"

/* A section that the job reads as well: what is wrong with the whole of it has been said. */
static bool is_shared(const char *section)
{
    return strcmp(section, "time") == 0;
}

/* Stages say which they use before anything else of them can be read. Words that are none are
 * complained of later. */
void scree_job_collect_methods(struct scree_job *job, const struct scree_stepper *first)
{
    const struct scree_node *stages = scree_node_find(scree_input_root(job->input), "stages");
    scree_run_add_method(&job->run, first);
    if (stages == NULL || scree_node_kind(stages) != SCREE_NODE_LIST) return;
    for (int k = 0; k < scree_node_count(stages); k++) {
        const struct scree_node *item = scree_node_item(stages, k), *word = NULL;
        if (scree_node_kind(item) == SCREE_NODE_MAP) word = scree_node_find(item, "method");
        if (word == NULL || scree_node_kind(word) != SCREE_NODE_SCALAR) continue;
        for (int m = 0; scree_stepper_names[m] != NULL; m++)
            if (strcmp(scree_node_text(word), scree_stepper_names[m]) == 0 &&
                scree_run_add_method(&job->run, scree_stepper_at(m)) < 0)
                scree_input_error(job->input, word, "stages: more than %d methods",
                                  SCREE_RUN_METHODS);
    }
}

static void read_keys(struct scree_job *job, struct scree_run_method *method)
{
    const struct scree_stepper *stepper = method->stepper;
    const struct scree_node *root = scree_input_root(job->input);
    method->values = scree_alloc(stepper->values_size + 1, 1);
    memset(method->values, 0, stepper->values_size + 1);
    const struct scree_method_keys *keys = stepper->keys;
    for (; keys != NULL && keys->section != NULL; keys++) {
        const struct scree_node *node = scree_node_find(root, keys->section), *parent = root;
        bool map = node != NULL && scree_node_kind(node) == SCREE_NODE_MAP;
        if (node != NULL && !map && is_shared(keys->section)) node = parent = NULL;
        scree_input_read(job->input, node, parent, keys->section, keys->params, method->values);
    }
}

void scree_job_read_methods(struct scree_job *job)
{
    for (int m = 0; m < job->run.n_methods; m++) read_keys(job, &job->run.method[m]);
    scree_run_join_methods(&job->run);
    scree_run_choose_method(&job->run, 0);
}

struct scree_laws_setting scree_job_laws_setting(const struct scree_job *job)
{
    struct scree_laws_setting setting = {false, false};
    for (int m = 0; m < job->run.n_methods; m++) {
        setting.rigid = setting.rigid || job->run.method[m].stepper->rigid;
        setting.soft = setting.soft || !job->run.method[m].stepper->rigid;
    }
    return setting;
}

/* Where the input asks for a capability. In paths `*` stands for all entries of a map or list, `+`
 * for all but the first. */
static const struct request {
    enum scree_capability can;
    const char *path, *what;
} requests[] = {
    {SCREE_CAN_WALLS, "boundaries.*", "walls"},
    {SCREE_CAN_SERVOS, "boundaries.*.servo", "walls that move by the force on them"},
    {SCREE_CAN_SERVOS, "boundaries.*.tilt", "walls that tilt"},
    {SCREE_CAN_SERVOS, "stages.*.boundaries.*.servo", "walls that move by the force on them"},
    {SCREE_CAN_SERVOS, "stages.*.boundaries.*.tilt", "walls that tilt"},
    {SCREE_CAN_GLUE, "particles.*.glue", "grains that are part of walls"},
    {SCREE_CAN_GLUE, "stages.*.particles.*.glue", "grains that are part of walls"},
    {SCREE_CAN_MEMBRANES, "membranes", "elastic membranes"},
    {SCREE_CAN_DEFORM, "cell", "a box that deforms"},
    {SCREE_CAN_WEDGE, "domain.wedge", "a wedge"},
    {SCREE_CAN_GRAVITY, "stages.*.gravity", "gravity"},
    {SCREE_CAN_BACKGROUND, "stages.*.background_friction", "background friction"},
    {SCREE_CAN_CHANGE_GRAINS, "pours", "grains that come while the run goes on"},
    {SCREE_CAN_CHANGE_GRAINS, "stages.+.particles", "grains that come while the run goes on"},
    {SCREE_CAN_CHANGE_GRAINS, "stages.*.scale_radii", "radii that change"},
    {SCREE_CAN_CHANGE_FRICTION, "stages.*.friction", "friction that changes"},
};

/* What a method cannot do is said at the keys that ask for it. */
struct refusal {
    struct scree_job *job;
    const struct scree_stepper *stepper;
    const char *what;
};

static void refuse(const struct refusal *r, const struct scree_node *node, const char *key)
{
    scree_input_error(r->job->input, node, "'%s' asks for %s, which method '%s' does not know", key,
                      r->what, r->stepper->name);
}

/* Every node at the path below `node`. `key`: the last key on the way to it. */
static void refuse_below(const struct refusal *r, const struct scree_node *node, const char *key,
                         const char *path)
{
    if (node == NULL) return;
    if (path[0] == '\0') {
        refuse(r, node, key);
        return;
    }
    bool all = path[0] == '*' || path[0] == '+';
    size_t length = strcspn(path, ".");
    const char *rest = path[length] == '.' ? path + length + 1 : path + length;
    enum scree_node_kind kind = scree_node_kind(node);
    if (kind == SCREE_NODE_SCALAR || (kind == SCREE_NODE_LIST && !all)) return;
    for (int k = path[0] == '+' ? 1 : 0; k < scree_node_count(node); k++) {
        const char *name = kind == SCREE_NODE_MAP ? scree_node_key(node, k) : key;
        bool fits = strlen(name) == length && strncmp(name, path, length) == 0;
        if (all || fits) refuse_below(r, scree_node_item(node, k), name, rest);
    }
}

/* What a path that begins with all stages asks of the method: those in which the method is at work,
 * and those before them, whose settings it finds. */
static void refuse_in_stages(const struct refusal *r, const char *path)
{
    const struct scree_stages *stages = &r->job->stages;
    const int first = path[0] == '+' ? 1 : 0;
    int last = stages->n - 1;
    while (last >= 0 && r->job->run.method[stages->stage[last].method].stepper != r->stepper)
        last--;
    for (int k = first; k <= last && stages->given; k++)
        if (stages->stage[k].original == k)
            refuse_below(r, stages->stage[k].node, "stages", path + 2);
}

/* Keys that ask for something only if they are not zero. */
static void refuse_values(struct scree_job *job, const struct scree_stepper *stepper,
                          const struct scree_node *root)
{
    unsigned can = stepper->can;
    const double *gravity = job->run.scene.gravity;
    struct refusal r = {job, stepper, "gravity"};
    bool falls = gravity[0] != 0.0 || gravity[1] != 0.0 || gravity[2] != 0.0;
    if (falls && !(can & SCREE_CAN_GRAVITY))
        refuse(&r, scree_node_find(root, "gravity"), "gravity");
    r.what = "background friction";
    if (job->run.scene.background_friction > 0.0 && !(can & SCREE_CAN_BACKGROUND))
        refuse(&r, scree_node_find(root, "background_friction"), "background_friction");
    r.what = "orientations of grains";
    if (job->orientation && !(can & SCREE_CAN_ORIENT))
        refuse(&r, scree_node_find(root, "orientation"), "orientation");
    r.what = "an automatic time step";
    if (job->automatic_step && stepper == job->run.stepper && stepper->choose_step == NULL)
        refuse(&r, scree_node_find(scree_node_find(root, "time"), "step"), "step");
}

static void check_one(struct scree_job *job, const struct scree_run_method *method)
{
    const struct scree_stepper *stepper = method->stepper;
    const struct scree_node *root = scree_input_root(job->input);
    static const char stages[] = "stages.";
    for (size_t k = 0; k < sizeof requests / sizeof requests[0]; k++) {
        const struct refusal r = {job, stepper, requests[k].what};
        const char *path = requests[k].path;
        if (stepper->can & (unsigned)requests[k].can) continue;
        if (strncmp(path, stages, sizeof stages - 1) == 0)
            refuse_in_stages(&r, path + sizeof stages - 1);
        else
            refuse_below(&r, root, "", path);
    }
    refuse_values(job, stepper, root);
    const struct scree_method_setting setting = {.input = job->input,
                                                 .deforms = job->cell.on,
                                                 .has_membranes = job->membranes.n > 0,
                                                 .has_servos =
                                                     scree_walls_n_servos(&job->walls) > 0};
    if (stepper->check != NULL) stepper->check(method->values, &setting);
}

/* What does not go with several methods, or with steps of several lengths. */
static void check_changes(struct scree_job *job)
{
    const struct scree_stages *stages = &job->stages;
    const struct scree_node *output = scree_node_find(scree_input_root(job->input), "output");
    const struct scree_node *snapshots = scree_node_find(output, "snapshots");
    if (job->run.n_methods > 1 && (job->output.snapshots.contact_fields & SCREE_WRITE_HISTORY) &&
        job->output.snapshots.contacts)
        scree_input_error(job->input, scree_node_find(snapshots, "contact_fields"),
                          "output.snapshots: the 'history' of contacts is another one with each "
                          "method");
    for (int k = 0; k < stages->n && stages->given && stages->pours.n > 0; k++) {
        const struct scree_node *node = stages->stage[k].node, *step = NULL;
        if (scree_node_kind(node) == SCREE_NODE_MAP) step = scree_node_find(node, "step");
        if (stages->stage[k].original == k && step != NULL)
            scree_input_error(job->input, step,
                              "stage '%s': grains of 'pours' come in steps of one length",
                              stages->stage[k].name);
    }
}

void scree_job_check_methods(struct scree_job *job)
{
    if (scree_node_kind(scree_input_root(job->input)) != SCREE_NODE_MAP) return;
    for (int m = 0; m < job->run.n_methods; m++) check_one(job, &job->run.method[m]);
    check_changes(job);
}
