/* SPDX-License-Identifier: BSD-3-Clause
 * Overrides from the command line: "a.b.c=value" changes or adds one node of the tree. */
#include <stdlib.h>
#include <string.h>

#include "input_impl.h"

struct override {
    struct scree_input *input;
    struct scree_place place;
    const char *path; /* as given, for messages about the part walked so far */
    struct scree_node *value;
};

static void refuse(const struct override *o, const char *end, const char *problem)
{
    scree_input_collect(o->input, o->place, "'%s' %s",
                        scree_input_keep_text(o->input, o->path, (size_t)(end - o->path)), problem);
}

/* The slot of item `word` of a list; NULL and a message if there is none. */
static struct scree_node **list_slot(const struct override *o, struct scree_node *list,
                                     const char *word, const char *end)
{
    char problem[96];
    size_t length = strlen(word);
    bool numeric = length < 9 && strspn(word, "0123456789") == length;
    int position = numeric ? atoi(word) : -1;
    if (numeric && position < list->n_entries) return &list->entries[position].node;
    if (list->n_entries == 0)
        snprintf(problem, sizeof problem, "is an empty list");
    else if (list->n_entries == 1)
        snprintf(problem, sizeof problem, "is a list of one item, number 0");
    else
        snprintf(problem, sizeof problem, "is a list of %d items, numbered 0 to %d",
                 list->n_entries, list->n_entries - 1);
    refuse(o, end, problem);
    return NULL;
}

/* The slot of key `word` of a map; made if missing. */
static struct scree_node **map_slot(const struct override *o, struct scree_node *map,
                                    const char *word)
{
    struct scree_entry *entry = scree_node_entry(map, word);
    if (entry == NULL) {
        struct scree_node *fresh = scree_node_create(o->input, SCREE_NODE_SCALAR, o->place);
        fresh->empty = true;
        scree_node_append(o->input, map, scree_input_keep_text(o->input, word, strlen(word)),
                          o->place, fresh);
        entry = &map->entries[map->n_entries - 1];
    }
    return &entry->node;
}

static void put(struct scree_node **slot, struct scree_node *node)
{
    node->parent = (*slot)->parent;
    *slot = node;
}

/* One step down; `start` to `end` is the path's part from the current word. */
static struct scree_node **step(const struct override *o, struct scree_node **at, const char *start,
                                const char *end)
{
    const char *before = start > o->path ? start - 1 : start; /* without the dot */
    const char *word = scree_input_keep_text(o->input, start, (size_t)(end - start));
    if ((*at)->empty) put(at, scree_node_create(o->input, SCREE_NODE_MAP, o->place));
    if ((*at)->kind == SCREE_NODE_LIST) return list_slot(o, *at, word, before);
    if ((*at)->kind == SCREE_NODE_MAP) return map_slot(o, *at, word);
    refuse(o, before, "is a single value, not a map or list");
    return NULL;
}

/* Checked before the first step, so that a refused path leaves no half-made keys behind. */
static bool path_is_sane(const struct override *o, const char *equals)
{
    int depth = 0;
    const char *problem = NULL;
    for (const char *start = o->path; start <= equals && problem == NULL; depth++) {
        size_t length = strcspn(start, ".=");
        if (length == 0) problem = "the path holds an empty word";
        if (length > SCREE_INPUT_MAX_KEY) problem = "the path holds an overlong word";
        start += length + 1;
    }
    if (depth >= SCREE_INPUT_MAX_DEPTH) problem = "the path is too deep";
    if (problem != NULL) scree_input_collect(o->input, o->place, "%s", problem);
    return problem == NULL;
}

static void apply(const struct override *o, const char *equals)
{
    struct scree_node *root = o->input->root;
    struct scree_node **slot = &root;
    for (const char *start = o->path; start <= equals;) {
        const char *end = start + strcspn(start, ".=");
        slot = step(o, slot, start, end);
        if (slot == NULL) return;
        start = end + 1;
    }
    put(slot, o->value);
}

void scree_input_override(struct scree_input *input, const char *assignment)
{
    static const char prefix[] = "--set ";
    const char *shown = scree_input_shorten(input, assignment);
    size_t length = sizeof prefix + strlen(shown);
    char *origin = scree_input_keep(input, length);
    snprintf(origin, length, "%s%s", prefix, shown);
    for (char *c = origin; *c != '\0'; c++)
        if ((unsigned char)*c < 0x20) *c = '?';
    struct override o = {.input = input, .place = {.origin = origin}};
    o.path = scree_input_keep_text(input, assignment, strlen(assignment));
    struct scree_place bad = {0};
    const char *why = NULL;
    const char *equals = strchr(o.path, '=');
    if (!scree_input_check_bytes(o.path, strlen(o.path), &bad, &why)) {
        scree_input_collect(input, o.place, "%s", why);
        return;
    }
    if (equals == NULL || equals == o.path) {
        scree_input_collect(input, o.place, "expected key=value such as time.end=5 s");
        return;
    }
    if (!path_is_sane(&o, equals)) return;
    if (!scree_input_parse(input, equals + 1, strlen(equals + 1), origin, &o.value)) return;
    if (o.value == NULL)
        refuse(&o, equals, "has no value");
    else
        apply(&o, equals);
}

/* Lists and single values take the place of what was there; of maps only the keys they have. */
static void merge(struct scree_input *input, struct scree_node *into, const struct scree_node *from)
{
    for (int k = 0; k < from->n_entries; k++) {
        const struct scree_entry *entry = &from->entries[k];
        struct scree_entry *there = scree_node_entry(into, entry->key);
        bool maps = there != NULL && there->node->kind == SCREE_NODE_MAP &&
                    entry->node->kind == SCREE_NODE_MAP;
        if (maps)
            merge(input, there->node, entry->node);
        else if (there != NULL)
            put(&there->node, entry->node);
        else
            scree_node_append(input, into, entry->key, entry->place, entry->node);
    }
}

void scree_input_merge(struct scree_input *input, const struct scree_node *changes)
{
    if (changes->kind == SCREE_NODE_MAP && input->root->kind == SCREE_NODE_MAP)
        merge(input, input->root, changes);
}

void scree_input_leave_out(struct scree_input *input, const char *key)
{
    struct scree_node *root = input->root;
    struct scree_entry *entry = scree_node_entry(root, key);
    if (entry == NULL) return;
    int behind = root->n_entries - 1 - (int)(entry - root->entries);
    memmove(entry, entry + 1, (size_t)behind * sizeof *entry);
    root->n_entries--;
}
