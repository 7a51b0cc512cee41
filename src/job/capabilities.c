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

void scree_job_read_method(struct scree_job *job)
{
    const struct scree_stepper *stepper = job->run.stepper;
    const struct scree_node *root = scree_input_root(job->input);
    job->run.values = scree_alloc(stepper->values_size + 1, 1);
    memset(job->run.values, 0, stepper->values_size + 1);
    const struct scree_method_keys *keys = stepper->keys;
    for (; keys != NULL && keys->section != NULL; keys++) {
        const struct scree_node *node = scree_node_find(root, keys->section), *parent = root;
        bool map = node != NULL && scree_node_kind(node) == SCREE_NODE_MAP;
        if (node != NULL && !map && is_shared(keys->section)) node = parent = NULL;
        scree_input_read(job->input, node, parent, keys->section, keys->params, job->run.values);
    }
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

static void refuse(struct scree_job *job, const struct scree_node *node, const char *key,
                   const char *what)
{
    scree_input_error(job->input, node, "'%s' asks for %s, which method '%s' does not know", key,
                      what, job->run.stepper->name);
}

/* Every node at the path below `node`. `key`: the last key on the way to it. */
static void refuse_below(struct scree_job *job, const struct scree_node *node, const char *key,
                         const char *path, const char *what)
{
    if (node == NULL) return;
    if (path[0] == '\0') {
        refuse(job, node, key, what);
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
        if (all || fits) refuse_below(job, scree_node_item(node, k), name, rest, what);
    }
}

/* Keys that ask for something only if they are not zero. */
static void refuse_values(struct scree_job *job, const struct scree_node *root)
{
    unsigned can = job->run.stepper->can;
    bool falls = job->run.scene.gravity[0] != 0.0 || job->run.scene.gravity[1] != 0.0 ||
                 job->run.scene.gravity[2] != 0.0;
    if (falls && !(can & SCREE_CAN_GRAVITY))
        refuse(job, scree_node_find(root, "gravity"), "gravity", "gravity");
    if (job->run.scene.background_friction > 0.0 && !(can & SCREE_CAN_BACKGROUND))
        refuse(job, scree_node_find(root, "background_friction"), "background_friction",
               "background friction");
    if (job->orientation && !(can & SCREE_CAN_ORIENT))
        refuse(job, scree_node_find(root, "orientation"), "orientation", "orientations of grains");
    if (job->automatic_step && job->run.stepper->choose_step == NULL)
        refuse(job, scree_node_find(scree_node_find(root, "time"), "step"), "step",
               "an automatic time step");
}

void scree_job_check_method(struct scree_job *job)
{
    const struct scree_stepper *stepper = job->run.stepper;
    const struct scree_node *root = scree_input_root(job->input);
    if (scree_node_kind(root) != SCREE_NODE_MAP) return;
    for (size_t k = 0; k < sizeof requests / sizeof requests[0]; k++)
        if (!(stepper->can & (unsigned)requests[k].can))
            refuse_below(job, root, "", requests[k].path, requests[k].what);
    refuse_values(job, root);
    const struct scree_method_setting setting = {.input = job->input,
                                                 .deforms = job->cell.on,
                                                 .has_membranes = job->membranes.n > 0,
                                                 .has_servos =
                                                     scree_walls_n_servos(&job->walls) > 0};
    if (stepper->check != NULL) stepper->check(job->run.values, &setting);
}
