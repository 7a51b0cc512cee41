/* SPDX-License-Identifier: BSD-3-Clause
 * Grains given one by one, in the input or in a CSV file. */
#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "list_table.h"
#include "scree/alloc.h"

struct list {
    const struct scree_node *grains;
    const char *file, *material;
    double radius;
    const struct scree_node *node;
    struct scree_input *input;
};
_Static_assert(sizeof(struct list) <= SCREE_SAMPLE_VALUES * sizeof(double), "fits in a sample");

#define AT(member) offsetof(struct list, member)
static const struct scree_param params[] = {
    {"grains", SCREE_PARAM_NODE, "", 0, 0, "", NULL, AT(grains),
     "list of maps, one for each grain"},
    {"file", SCREE_PARAM_TEXT, "", 0, 0, "", NULL, AT(file),
     "instead: a CSV file with columns x, y, z, radius, vx, vy, vz, wx, wy, wz, material"},
    {"material", SCREE_PARAM_TEXT, "", 0, 0, "", NULL, AT(material), "of grains that name none"},
    {"radius", SCREE_PARAM_REAL, "m", DBL_MIN, INFINITY, "", NULL, AT(radius),
     "of grains that give none"},
    {0},
};
#undef AT

struct item {
    double position[3], radius, velocity[3], spin[3];
    const char *material;
};

#define AT(member) offsetof(struct item, member)
const struct scree_param scree_sample_list_params[] = {
    {"position", SCREE_PARAM_VECTOR, "m", 0, 0, NULL, NULL, AT(position), "of the centre"},
    {"radius", SCREE_PARAM_REAL, "m", DBL_MIN, INFINITY, "", NULL, AT(radius),
     "default: that of the sample"},
    {"material", SCREE_PARAM_TEXT, "", 0, 0, "", NULL, AT(material), "default: that of the sample"},
    {"velocity", SCREE_PARAM_VECTOR, "m/s", 0, 0, "[0, 0, 0]", NULL, AT(velocity), ""},
    {"spin", SCREE_PARAM_VECTOR, "rad/s", 0, 0, "[0, 0, 0]", NULL, AT(spin), "angular velocity"},
    {0},
};
#undef AT

enum { MOST_MISTAKES = 10 }; /* of a file that are told */

/* What is being read, and where its mistakes go. */
struct reader {
    struct scree_input *input;
    const struct scree_node *place;
    const char *path;
    int n_mistakes;
};

static void tell_input(void *context, int line, const char *message)
{
    struct reader *r = context;
    if (++r->n_mistakes > MOST_MISTAKES) return;
    if (line > 0)
        scree_input_error(r->input, r->place, "list: %.1000s, line %d: %s", r->path, line, message);
    else
        scree_input_error(r->input, r->place, "list: cannot use %.1000s: %s", r->path, message);
}

static void read_item(struct reader *r, const struct scree_node *node, const struct list *v,
                      const char *const *materials, struct scree_list_table *table)
{
    struct item item;
    bool good = scree_input_read(r->input, node, NULL, "list", scree_sample_list_params, &item);
    const char *material = item.material != NULL ? item.material : v->material;
    struct scree_list_grain grain = {.species = -1, .node = node};
    if (!good) return;
    if (material == NULL)
        scree_input_error(r->input, node, "list: 'material' is required here or for all grains");
    else
        grain.species = scree_sample_find_word(materials, material);
    if (item.material != NULL && grain.species < 0)
        scree_input_unknown(r->input, scree_node_find(node, "material"), "material", item.material,
                            materials);
    memcpy(grain.pos, item.position, sizeof item.position);
    grain.pos[3] = isnan(item.radius) ? v->radius : item.radius;
    if (isnan(grain.pos[3]))
        scree_input_error(r->input, node, "list: 'radius' is required here or for all grains");
    memcpy(grain.velocity, item.velocity, sizeof grain.velocity);
    memcpy(grain.spin, item.spin, sizeof grain.spin);
    SCREE_GROW(table->grain, table->n, table->capacity, table->n + 1);
    table->grain[table->n++] = grain;
}

/* Grains must be in the box where it ends, and in the plane of two dimensions. */
static void check_place(struct reader *r, const struct scree_list_grain *grain,
                        const struct scree_box *box)
{
    char message[200];
    message[0] = '\0';
    for (int a = 0; a < box->dimension; a++)
        if (!(grain->pos[a] >= box->low[a] && grain->pos[a] <= box->high[a]))
            snprintf(message, sizeof message, "a grain at %c = %g m is outside the domain",
                     "xyz"[a], grain -> pos[a]);
    if (box->dimension == 2 && (grain->pos[2] != 0.0 || grain->velocity[2] != 0.0 ||
                                grain->spin[0] != 0.0 || grain->spin[1] != 0.0))
        snprintf(message, sizeof message, "a grain leaves the plane z = 0 of two dimensions");
    if (message[0] == '\0') return;
    if (grain->node != NULL)
        scree_input_error(r->input, grain->node, "list: %s", message);
    else
        tell_input(r, grain->line, message);
}

static void read_file(struct reader *r, const struct list *v,
                      const struct scree_samples_setting *setting, struct scree_list_table *table)
{
    char path[4096];
    const struct scree_list_defaults defaults = {
        .radius = v->radius,
        .species =
            v->material != NULL ? scree_sample_find_word(setting->materials, v->material) : -1};
    scree_input_find_file(v->input, v->file, path, sizeof path);
    r->path = path;
    scree_list_read_csv(table, path, &defaults, setting->materials, setting->box->dimension,
                        tell_input, r);
    for (size_t i = 0; i < table->n; i++) check_place(r, &table->grain[i], setting->box);
    if (r->n_mistakes > MOST_MISTAKES)
        scree_input_error(r->input, r->place, "list: and %d mistakes more in that file",
                          r->n_mistakes - MOST_MISTAKES);
}

static void read_items(struct reader *r, const struct list *v,
                       const struct scree_samples_setting *setting, struct scree_list_table *table)
{
    for (int k = 0; k < scree_node_count(v->grains); k++)
        read_item(r, scree_node_item(v->grains, k), v, setting->materials, table);
    for (size_t i = 0; i < table->n; i++) check_place(r, &table->grain[i], setting->box);
}

static bool check_keys(const struct list *v, struct scree_input *input,
                       const struct scree_node *node, const char *const *materials)
{
    bool is_list = v->grains != NULL && scree_node_kind(v->grains) == SCREE_NODE_LIST;
    bool one = (v->grains != NULL) != (v->file != NULL);
    if (v->grains != NULL) scree_node_mark_used(v->grains);
    if (!one)
        scree_input_error(input, node, "list: give either 'grains' or 'file'");
    else if (v->grains != NULL && !is_list)
        scree_input_error(input, v->grains,
                          "list: 'grains' wants a list of maps, such as "
                          "[{position: [0, 0, 1 mm], radius: 0.5 mm}]");
    if (v->grains != NULL && !(one && is_list)) scree_node_mark_all_used(v->grains);
    if (v->material == NULL || scree_sample_find_word(materials, v->material) >= 0)
        return one && (v->file != NULL || is_list);
    scree_input_unknown(input, scree_node_find(node, "material"), "material", v->material,
                        materials);
    return false;
}

/* Files are read when grains are made: a run that is resumed needs them no more. */
static void check(struct scree_sample *sample, struct scree_input *input,
                  const struct scree_node *node, const struct scree_samples_setting *setting)
{
    struct list *v = (struct list *)sample->values;
    struct scree_list_table table = {0};
    struct reader r = {.input = input};
    v->input = input;
    v->node = node;
    if (check_keys(v, input, node, setting->materials) && v->grains != NULL)
        read_items(&r, v, setting, &table);
    scree_list_clear(&table);
}

static void append(const struct scree_list_table *table, struct scree_sample_run *run)
{
    int64_t begin, end;
    scree_sample_share(run->context->comm, (int64_t)table->n, &begin, &end);
    for (int64_t i = begin; i < end; i++) {
        const struct scree_list_grain *grain = &table->grain[i];
        scree_lid slot =
            scree_sample_append(run, run->n_before + 1 + i, grain->species, grain->pos);
        for (int k = 0; k < 3; k++) {
            run->p->vel[slot][k] = grain->velocity[k];
            run->p->spin[slot][k] = grain->spin[k];
        }
    }
    run->n_before += (int64_t)table->n;
}

static enum scree_status fill(const struct scree_sample *sample, struct scree_sample_run *run)
{
    const struct list *v = (const struct list *)sample->values;
    struct scree_list_table table = {0};
    struct reader r = {.input = v->input, .place = scree_node_find(v->node, "file")};
    if (v->file != NULL)
        read_file(&r, v, run->setting, &table);
    else
        read_items(&r, v, run->setting, &table);
    enum scree_status status =
        scree_comm_agree(run->context->comm, r.n_mistakes > 0 ? SCREE_INPUT : SCREE_OK);
    if (status == SCREE_OK) append(&table, run);
    scree_list_clear(&table);
    return status;
}

const struct scree_sample_kind scree_sample_list = {
    .name = "list",
    .summary = "grains given one by one, in the input or in a CSV file",
    .params = params,
    .check = check,
    .fill = fill,
};
