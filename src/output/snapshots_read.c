/* SPDX-License-Identifier: BSD-3-Clause
 * The section output.snapshots: when frames are written, and what of which grains. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "scree/alloc.h"
#include "scree/snapshots.h"
#include "scree/trajectory.h"
#include "scree/xdmf.h"

/* In the order of the bits SCREE_WRITE_... */
static const char *const grain_fields[] = {
    "position", "id",    "image",  "velocity",    "angular_velocity", "species", "radius",
    "mass",     "force", "torque", "orientation", "collision_rate",   NULL};
static const char *const contact_fields[] = {"force", "overlap", "sliding", "history", NULL};

struct keys {
    double every;  /* s of simulated time; NAN: not given */
    int64_t steps; /* INT64_MIN: not given */
    const struct scree_node *times, *grains;
    uint32_t fields, contact_fields;
    bool contacts, forces;
    int64_t compress;
};

#define AT(member) offsetof(struct keys, member)
const struct scree_param scree_snapshots_params[] = {
    {"every", SCREE_PARAM_REAL, "s", DBL_MIN, INFINITY, "", NULL, AT(every),
     "simulated time between frames"},
    {"steps", SCREE_PARAM_INTEGER, "", 0, 9e15, "", NULL, AT(steps),
     "instead of every: steps between frames; 0: none (stages may write some)"},
    {"times", SCREE_PARAM_NODE, "s", 0, 0, "", NULL, AT(times),
     "instead of every: list of the times of frames, rising; each is rounded to a step"},
    {"fields", SCREE_PARAM_WORDS, "", 0, 0,
     "[position, id, image, velocity, angular_velocity, species, radius, mass]", grain_fields,
     AT(fields),
     "what of a grain is written; position and id always are, by default also orientation if it "
     "is followed"},
    {"forces", SCREE_PARAM_BOOL, "", 0, 0, "false", NULL, AT(forces),
     "adds force and torque to the fields"},
    {"grains", SCREE_PARAM_NODE, "", 0, 0, "", NULL, AT(grains), "which grains; default: all"},
    {"contacts", SCREE_PARAM_BOOL, "", 0, 0, "false", NULL, AT(contacts),
     "also the contact network: contacts between chosen grains, and of chosen grains with walls"},
    {"contact_fields", SCREE_PARAM_WORDS, "", 0, 0, "[force, overlap, sliding, history]",
     contact_fields, AT(contact_fields), "what of a contact is written, besides who touches whom"},
    {"compress", SCREE_PARAM_INTEGER, "", 0, 9, "0", NULL, AT(compress),
     "0: no, 1 (fast) to 9 (small)"},
    {0},
};

#undef AT

struct grains_values {
    const struct scree_node *materials;
    double low[3], high[3];
    int64_t stride;
};

#define AT(member) offsetof(struct grains_values, member)
const struct scree_param scree_snapshots_grains_params[] = {
    {"materials", SCREE_PARAM_NODE, "", 0, 0, "", NULL, AT(materials),
     "list of names: only grains of these; default: all"},
    {"low", SCREE_PARAM_VECTOR, "m", 0, 0, "", NULL, AT(low),
     "only grains whose centre is not below this corner at the time of the frame"},
    {"high", SCREE_PARAM_VECTOR, "m", 0, 0, "", NULL, AT(high), "nor above this corner"},
    {"stride", SCREE_PARAM_INTEGER, "", 1, 9e15, "1", NULL, AT(stride),
     "only every so many grains, by their ids: 1, 1 + stride, ..."},
    {0},
};

/* The section while it is read. */
struct reading {
    struct scree_snapshots *snapshots;
    struct scree_input *input;
    const struct scree_node *node;
    const struct scree_scene *scene;
    const struct scree_materials *materials;
    bool has_collisions; /* a method tells their rate */
    struct keys keys;
};

static void read_materials(const struct reading *r, const struct scree_node *list)
{
    struct scree_selection *selection = &r->snapshots->selection;
    size_t n = (size_t)r->materials->n;
    if (scree_node_kind(list) != SCREE_NODE_LIST || scree_node_count(list) == 0) {
        scree_input_error(r->input, list,
                          "output.snapshots.grains: 'materials' must be a list of names");
        return;
    }
    selection->material = scree_alloc(n + 1, sizeof *selection->material);
    memset(selection->material, 0, (n + 1) * sizeof *selection->material);
    for (int k = 0; k < scree_node_count(list); k++) {
        const struct scree_node *item = scree_node_item(list, k);
        int m = scree_materials_find(r->materials, scree_node_text(item));
        if (m < 0)
            scree_input_unknown(r->input, item, "material", scree_node_text(item),
                                r->materials->name);
        else
            selection->material[m] = true;
    }
    scree_node_mark_all_used(list);
}

static void read_grains(const struct reading *r)
{
    static const char axis[] = "xyz";
    const struct scree_node *node = r->keys.grains;
    struct scree_selection *selection = &r->snapshots->selection;
    struct grains_values values;
    scree_input_read(r->input, node, r->node, "output.snapshots.grains",
                     scree_snapshots_grains_params, &values);
    if (values.materials != NULL) read_materials(r, values.materials);
    memcpy(selection->low, values.low, sizeof values.low);
    memcpy(selection->high, values.high, sizeof values.high);
    selection->stride = values.stride;
    for (int a = 0; a < 3; a++)
        if (values.low[a] > values.high[a]) /* false if either is not given */
            scree_input_error(r->input, scree_node_find(node, "low"),
                              "output.snapshots.grains: 'low' is %g m along %c, above 'high' of "
                              "%g m",
                              values.low[a], axis[a], values.high[a]);
}

int64_t scree_snapshots_step(double time, const struct scree_scene *scene)
{
    double steps = round((time - scene->since_time) / scene->dt);
    return scene->since_tick + (int64_t)fmin(fmax(steps, -9e15), 9e15);
}

/* Steps of the frames. Times of which two fall on one step are a mistake: one frame would be
 * missing. */
static void read_times(const struct reading *r, const struct scree_node *list)
{
    if (scree_node_kind(list) != SCREE_NODE_LIST || scree_node_count(list) == 0) {
        scree_input_error(r->input, list,
                          "output.snapshots: 'times' must be a list such as [0 s, 0.1 s]");
        return;
    }
    int n = scree_node_count(list);
    double before = -INFINITY;
    r->snapshots->at = scree_alloc((size_t)n, sizeof *r->snapshots->at);
    r->snapshots->time = scree_alloc((size_t)n, sizeof *r->snapshots->time);
    for (int k = 0; k < n; k++) {
        const struct scree_node *item = scree_node_item(list, k);
        double time = 0.0;
        if (!scree_input_real(r->input, item, "s", &time)) continue;
        int64_t step = scree_snapshots_step(time, r->scene), i = r->snapshots->n_times;
        if (time < 0.0)
            scree_input_error(r->input, item,
                              "output.snapshots: a time of 'times' is %g s, allowed >= 0", time);
        else if (!(time > before))
            scree_input_error(r->input, item,
                              "output.snapshots: 'times' must rise, but %g s comes after %g s",
                              time, before);
        else if (r->scene->dt > 0.0 && i > 0 && step == r->snapshots->at[i - 1])
            scree_input_error(
                r->input, item,
                "output.snapshots: %g s and %g s of 'times' are the same step of %g s", before,
                time, r->scene->dt);
        else {
            r->snapshots->time[i] = time;
            r->snapshots->at[r->snapshots->n_times++] = step;
        }
        before = fmax(time, before);
    }
    scree_node_mark_all_used(list);
}

static void read_moments(const struct reading *r)
{
    const struct keys *keys = &r->keys;
    const struct scree_interval given = {keys->every, keys->steps};
    bool interval = !isnan(keys->every) || keys->steps != INT64_MIN;
    if (keys->times != NULL && interval)
        scree_input_error(r->input, r->node,
                          "output.snapshots: give only one of every, steps, times");
    if (keys->times != NULL && !interval) {
        read_times(r, keys->times);
        return;
    }
    if (keys->times != NULL) scree_node_mark_all_used(keys->times);
    r->snapshots->every = keys->every;
    r->snapshots->steps =
        scree_input_interval(r->input, r->node, "output.snapshots", &given, r->scene->dt, -1.0);
    if (r->snapshots->steps < 0.0)
        scree_input_error(r->input, r->node, "output.snapshots: give 'every', 'steps' or 'times'");
}

/* What of grains and contacts is written. */
static void read_fields(const struct reading *r, bool orientation)
{
    struct scree_snapshots *snapshots = r->snapshots;
    const struct scree_node *fields = scree_node_find(r->node, "fields");
    const struct scree_node *of_contacts = scree_node_find(r->node, "contact_fields");
    snapshots->fields = r->keys.fields;
    snapshots->contact_fields = r->keys.contact_fields;
    snapshots->contacts = r->keys.contacts;
    if (r->keys.forces) snapshots->fields |= SCREE_WRITE_FORCE | SCREE_WRITE_TORQUE;
    if (fields == NULL && orientation) snapshots->fields |= SCREE_WRITE_ORIENTATION;
    if ((snapshots->fields & SCREE_WRITE_ORIENTATION) != 0 && !orientation)
        scree_input_error(r->input, fields,
                          "output.snapshots: 'fields' holds orientation, which is not followed; "
                          "say 'orientation: true' at the top level");
    if ((snapshots->fields & SCREE_WRITE_COLLISION_RATE) != 0 && !r->has_collisions)
        scree_input_error(r->input, fields,
                          "output.snapshots: 'fields' holds collision_rate, of which no method of "
                          "this run knows: ask for forces or contacts");
    if (of_contacts != NULL && !snapshots->contacts)
        scree_input_error(r->input, of_contacts,
                          "output.snapshots: 'contact_fields' without 'contacts: true'");
}

void scree_snapshots_read(struct scree_snapshots *snapshots, struct scree_input *input,
                          const struct scree_node *node, const struct scree_node *parent,
                          const struct scree_run *run, bool orientation)
{
    struct reading r = {.snapshots = snapshots,
                        .input = input,
                        .node = node,
                        .scene = &run->scene,
                        .materials = run->scene.materials};
    for (int m = 0; m < run->n_methods; m++)
        r.has_collisions = r.has_collisions || run->method[m].stepper->collision_rate != NULL;
    bool good =
        scree_input_read(input, node, parent, "output.snapshots", scree_snapshots_params, &r.keys);
    snapshots->given = true;
    if (scree_node_kind(node) != SCREE_NODE_MAP) return;
    snapshots->compress = (int)r.keys.compress;
    if (good) read_moments(&r);
    read_grains(&r);
    read_fields(&r, orientation);
}

void scree_snapshots_clear(struct scree_snapshots *snapshots)
{
    scree_alloc_free(snapshots->at);
    scree_alloc_free(snapshots->time);
    scree_alloc_free(snapshots->selection.material);
    scree_xdmf_destroy(snapshots->xdmf);
    scree_trajectory_drop(&snapshots->draft);
    *snapshots = (struct scree_snapshots){0};
}
