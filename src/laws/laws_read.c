/* SPDX-License-Identifier: BSD-3-Clause
 * Reading the section `contacts`. */
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "between.h"
#include "scree/alloc.h"
#include "scree/laws.h"
#include "scree/status.h"

struct entry {
    const struct scree_node *between, *part[SCREE_N_LAW_KINDS], *rigid;
    int lever, timing;
};

static const char *const levers[] = {"contact", "radius", NULL};
static const char *const timings[] = {"synchronised", "half-step", NULL};

#define AT(member) offsetof(struct entry, member)
const struct scree_param scree_laws_entry_params[] = {
    {"between", SCREE_PARAM_NODE, "", 0, 0, NULL, NULL, AT(between),
     "the two materials, e.g. [glass, steel]; instead of one a list of several, or 'any': all "
     "pairs "
     "that no entry names more closely"},
    {"lever", SCREE_PARAM_CHOICE, "", 0, 0, "contact", levers, AT(lever),
     "lever arm: to the contact point (conserves angular momentum) or the full radius"},
    {"timing", SCREE_PARAM_CHOICE, "", 0, 0, "synchronised", timings, AT(timing),
     "velocities at the moment of the overlaps, or of half a step before (as LAMMPS does)"},
    {"normal", SCREE_PARAM_NODE, "", 0, 0, "", NULL, AT(part[SCREE_LAW_NORMAL]),
     "normal force: law and its keys; methods with forces by overlaps need it"},
    {"tangential", SCREE_PARAM_NODE, "", 0, 0, "", NULL, AT(part[SCREE_LAW_TANGENTIAL]),
     "tangential force: law and its keys; default: none"},
    {"rolling", SCREE_PARAM_NODE, "", 0, 0, "", NULL, AT(part[SCREE_LAW_ROLLING]),
     "resistance to rolling: law and its keys; default: none"},
    {"torsion", SCREE_PARAM_NODE, "", 0, 0, "", NULL, AT(part[SCREE_LAW_TORSION]),
     "resistance to spinning about the normal: law and its keys; default: none"},
    {"rigid", SCREE_PARAM_NODE, "", 0, 0, "", NULL, AT(rigid),
     "what rigid grains do (method cd); default: the friction of the laws above"},
    {0},
};

struct law_word {
    const char *law;
};

const struct scree_param scree_laws_word_params[] = {
    {"law", SCREE_PARAM_TEXT, "", 0, 0, NULL, NULL, offsetof(struct law_word, law),
     "name of the law; see `scree list laws`"},
    {0},
};

static bool has_key(const struct scree_law *law, const char *key)
{
    for (const struct scree_param *p = law->params; p->key != NULL; p++)
        if (strcmp(p->key, key) == 0) return true;
    return false;
}

/* Keys that only other laws of the kind know: name one of these laws. */
static void refuse_foreign_keys(struct scree_input *input, const struct scree_node *node,
                                const char *what, const struct scree_law *law)
{
    for (int k = 0; k < scree_node_count(node); k++) {
        const char *key = scree_node_key(node, k);
        const struct scree_law *other = NULL;
        if (strcmp(key, "law") == 0 || has_key(law, key)) continue;
        for (int l = 0; l < scree_law_count() && other == NULL; l++)
            if (scree_law_at(l)->kind == law->kind && has_key(scree_law_at(l), key))
                other = scree_law_at(l);
        if (other == NULL) continue;
        scree_input_error(input, scree_node_item(node, k),
                          "%s has no '%s'; that is a key of the law '%s'", what, key, other->name);
        scree_node_mark_all_used(scree_node_item(node, k));
    }
}

/* False, with a message, if a law has no meaning beside this normal law; also if that is not known.
 */
static bool fits_normal(struct scree_input *input, const struct scree_node *node,
                        const struct scree_law *law, const struct scree_law *normal)
{
    if (law->needs_normal == NULL) return true;
    if (normal == NULL) return false;
    if (strcmp(law->needs_normal, normal->name) == 0) return true;
    scree_input_error(input, node, "%s law '%s' goes with the normal law '%s', not with '%s'",
                      scree_law_kind_name(law->kind), law->name, law->needs_normal, normal->name);
    return false;
}

/* The normal law comes first: others may take values from it. */
static void read_part(struct scree_input *input, const struct scree_node *node,
                      enum scree_law_kind kind, struct scree_pair_law *pair)
{
    char what[96];
    struct law_word word;
    snprintf(what, sizeof what, "%s law", scree_law_kind_name(kind));
    if (!scree_input_read(input, node, NULL, what, scree_laws_word_params, &word)) {
        scree_node_mark_all_used(node); /* without a law nobody knows which keys belong here */
        return;
    }
    const struct scree_law *law = scree_law_find(kind, word.law);
    if (law == NULL) {
        scree_input_unknown(input, scree_node_find(node, "law"), what, word.law,
                            scree_law_names(kind));
        return;
    }
    snprintf(what, sizeof what, "%s law '%s'", scree_law_kind_name(kind), law->name);
    pair->law[kind] = law;
    refuse_foreign_keys(input, node, what, law);
    bool good = scree_input_read(input, node, NULL, what, law->params, pair->values[kind]);
    bool fits = fits_normal(input, node, law, pair->law[SCREE_LAW_NORMAL]);
    if (good && fits && law->adopt != NULL)
        law->adopt(input, node, pair->values[kind], pair->values[SCREE_LAW_NORMAL]);
    /* Values that were refused are absent; what the others have to do with each other is checked
     * all the same. */
    law->check(input, node, pair->values[kind]);
}

/* What the parts keep, lose and need, all together. */
static void add_up_shape(struct scree_pair_law *pair)
{
    memset(&pair->shape, 0, sizeof pair->shape);
    for (int part = 0; part < SCREE_N_LAW_KINDS; part++) {
        pair->at[part] = (struct scree_slots){pair->shape.n_odd, pair->shape.n_even};
        if (pair->law[part] != NULL && pair->law[part]->shape != NULL)
            pair->law[part]->shape(pair->values[part], &pair->shape);
    }
}

/* History slots of all pairs: first the odd ones, then the even ones, so that a slot has one parity
 * whatever the pair. */
static void lay_out_history(struct scree_laws *laws)
{
    for (int k = 0; k < laws->n_pairs; k++) {
        const struct scree_law_shape *shape = &laws->pair[k].shape;
        if (shape->n_odd > laws->n_odd) laws->n_odd = shape->n_odd;
        if (shape->n_even > laws->n_even) laws->n_even = shape->n_even;
    }
    for (int k = 0; k < laws->n_pairs; k++)
        for (int part = 0; part < SCREE_N_LAW_KINDS; part++)
            laws->pair[k].at[part].even += laws->n_odd;
    SCREE_ASSERT(laws->n_odd + laws->n_even <= SCREE_BATCH_HISTORY);
}

/* Entries with equal laws share one, so that their contacts go through the same batches. */
static int add_pair(struct scree_laws *laws, const struct scree_pair_law *pair)
{
    for (int k = 0; k < laws->n_pairs; k++)
        if (memcmp(&laws->pair[k], pair, sizeof *pair) == 0) return k;
    laws->pair[laws->n_pairs] = *pair;
    return laws->n_pairs++;
}

/* Which entry has a pair so far. */
struct claim {
    int entry, n_any;
};

/* An entry holds between all materials of one side and all of the other, but for pairs that another
 * one names more closely. */
static void set_pairs(struct scree_laws *laws, struct scree_input *input,
                      const struct scree_laws_between *between, const struct scree_pair_law *pair,
                      const char *const *materials, int entry, struct claim *claims)
{
    const int n = laws->n_materials, number = add_pair(laws, pair);
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++) {
            struct claim *claim = &claims[(a < b ? a : b) * n + (a < b ? b : a)];
            if (!between->side[0][a] || !between->side[1][b] || claim->n_any < between->n_any)
                continue;
            if (claim->n_any == between->n_any && claim->entry != entry)
                scree_input_error(input, between->node, "a second entry between '%s' and '%s'",
                                  materials[a], materials[b]);
            *claim = (struct claim){entry, between->n_any};
            laws->table[a * n + b] = laws->table[b * n + a] = number;
        }
}

static void read_entry(struct scree_laws *laws, struct scree_input *input,
                       const struct scree_node *node, const char *const *materials,
                       struct scree_laws_setting setting, int number, struct claim *claims)
{
    struct entry entry;
    struct scree_pair_law pair;
    struct scree_laws_between between;
    int errors_before = scree_input_n_errors(input);
    memset(&pair, 0, sizeof pair); /* padding too: entries are compared as bytes */
    bool complete =
        scree_input_read(input, node, NULL, "contacts", scree_laws_entry_params, &entry);
    for (int part = 0; part < SCREE_N_LAW_KINDS; part++)
        if (entry.part[part] != NULL)
            read_part(input, entry.part[part], (enum scree_law_kind)part, &pair);
    if (setting.soft && entry.part[SCREE_LAW_NORMAL] == NULL)
        scree_input_error(input, node,
                          "contacts: 'normal' is required (normal force: law and its keys)");
    if (scree_node_kind(node) == SCREE_NODE_MAP)
        scree_rigid_read(&pair, input, node, setting.rigid);
    if (entry.between == NULL ||
        !scree_laws_read_between(&between, input, entry.between, laws->n_materials, materials))
        return;
    if (complete && scree_input_n_errors(input) == errors_before) {
        for (int part = 0; part < SCREE_N_LAW_KINDS; part++)
            if (pair.law[part] == NULL)
                pair.law[part] = scree_law_find((enum scree_law_kind)part, "none");
        pair.lever = (enum scree_contact_arm)entry.lever;
        pair.timing = (enum scree_timing)entry.timing;
        add_up_shape(&pair);
        set_pairs(laws, input, &between, &pair, materials, number, claims);
    }
    scree_laws_clear_between(&between);
}

void scree_laws_read(struct scree_laws *laws, struct scree_input *input,
                     const struct scree_node *node, int n_materials, const char *const *materials,
                     struct scree_laws_setting setting)
{
    memset(laws, 0, sizeof *laws);
    size_t n_table = (size_t)(n_materials * n_materials);
    laws->n_materials = n_materials;
    laws->rigid = setting.rigid;
    laws->table = scree_alloc(n_table, sizeof *laws->table);
    for (size_t k = 0; k < n_table; k++) laws->table[k] = -1;
    if (node == NULL) return;
    if (scree_node_kind(node) != SCREE_NODE_LIST) {
        scree_input_error(input, node, "contacts: expected a list, as in '- between: [a, b]'");
        return;
    }
    laws->pair = scree_alloc((size_t)scree_node_count(node), sizeof *laws->pair);
    struct claim *claims = scree_alloc(n_table, sizeof *claims);
    for (size_t k = 0; k < n_table; k++) claims[k] = (struct claim){-1, INT_MAX};
    for (int k = 0; k < scree_node_count(node); k++)
        read_entry(laws, input, scree_node_item(node, k), materials, setting, k, claims);
    scree_alloc_free(claims);
    lay_out_history(laws);
}
