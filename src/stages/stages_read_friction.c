/* SPDX-License-Identifier: BSD-3-Clause
 * The key `friction` of a stage. */
#include <math.h>
#include <string.h>

#include "stages_read.h"

struct friction {
    const struct scree_node *between;
    double value;
};
enum { MOST = 1000000 }; /* as of the laws themselves */
static const char *const own_word[] = {"own", NULL};
#define AT(member) offsetof(struct friction, member)
const struct scree_param scree_stages_friction_params[] = {
    {"between", SCREE_PARAM_NODE, "", 0, 0, NULL, NULL, AT(between), "two materials"},
    {"value", SCREE_PARAM_REAL, "1", 0, MOST, NULL, own_word, AT(value),
     "coefficient of both limits; own: as in 'contacts'"},
    {0},
};
#undef AT

static int find_material(const struct scree_stage_reading *r, const struct scree_node *node)
{
    const char *word = scree_node_text(node);
    scree_node_mark_used(node);
    int m = scree_materials_find(r->run->scene.materials, word);
    if (m < 0) scree_input_unknown(r->input, node, "material", word, r->run->scene.materials->name);
    return m;
}

static void read_pair_friction(const struct scree_stage_reading *r, const struct scree_node *item)
{
    struct friction f;
    struct scree_input *input = r->input;
    if (!scree_input_read(input, item, NULL, "friction", scree_stages_friction_params, &f)) return;
    scree_node_mark_used(f.between);
    if (scree_node_kind(f.between) != SCREE_NODE_LIST || scree_node_count(f.between) != 2) {
        scree_input_error(input, f.between, "friction: 'between' wants two materials");
        scree_node_mark_all_used(f.between);
        return;
    }
    int a = find_material(r, scree_node_item(f.between, 0));
    int b = find_material(r, scree_node_item(f.between, 1));
    if (a < 0 || b < 0) return;
    const struct scree_pair_law *pair = scree_laws_between(r->run->scene.laws, a, b);
    if (pair == NULL || !scree_laws_can_change_friction(r->run->scene.laws, pair))
        scree_input_error(input, f.between,
                          "friction: contacts between '%s' and '%s' have no friction that could "
                          "be changed",
                          r->run->scene.materials->name[a], r->run->scene.materials->name[b]);
    else
        r->stage->friction[pair - r->run->scene.laws->pair] = f.value;
}

void scree_stages_read_friction(const struct scree_stage_reading *r, const struct scree_node *node)
{
    const struct scree_laws *laws = r->run->scene.laws;
    double value = NAN;
    scree_node_mark_used(node);
    if (scree_node_kind(node) == SCREE_NODE_LIST) {
        for (int k = 0; k < scree_node_count(node); k++)
            read_pair_friction(r, scree_node_item(node, k));
        return;
    }
    bool own = strcmp(scree_node_text(node), "own") == 0, any = false;
    if (!own && !scree_input_real(r->input, node, "1", &value)) return;
    if (value < 0.0 || value > MOST)
        scree_input_error(r->input, node, "%s: 'friction' is %g, allowed 0 to %g", r->what, value,
                          (double)MOST);
    for (int k = 0; k < laws->n_pairs; k++) {
        if (!scree_laws_can_change_friction(laws, &laws->pair[k])) continue;
        r->stage->friction[k] = value;
        any = true;
    }
    if (!any && laws->n_pairs > 0)
        scree_input_error(r->input, node,
                          "%s: 'friction', but no contacts have one that could be changed",
                          r->what);
}
