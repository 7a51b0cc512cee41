/* SPDX-License-Identifier: BSD-3-Clause
 * Reading a map of the tree through a table of its keys. */
#include <math.h>
#include <string.h>

#include "input_impl.h"

void scree_input_set_absent(const struct scree_param *row, void *target)
{
    double *reals = target;
    bool *flags = target;
    switch (row->type) {
    case SCREE_PARAM_REAL: *reals = NAN; break;
    case SCREE_PARAM_INTEGER: *(int64_t *)target = INT64_MIN; break;
    case SCREE_PARAM_BOOL: *flags = false; break;
    /* A missing or wrong required word reads as the first: a safe index for those who go on. */
    case SCREE_PARAM_CHOICE: *(int *)target = row->fallback == NULL ? 0 : -1; break;
    case SCREE_PARAM_TEXT: *(const char **)target = NULL; break;
    case SCREE_PARAM_VECTOR: reals[0] = reals[1] = reals[2] = NAN; break;
    case SCREE_PARAM_AXES: flags[0] = flags[1] = flags[2] = false; break;
    case SCREE_PARAM_WORDS: *(uint32_t *)target = 0; break;
    case SCREE_PARAM_NODE: *(const struct scree_node **)target = NULL; break;
    }
}

static void remember_table(struct scree_input *input, struct scree_node *map,
                           const struct scree_param *params, const char *what)
{
    for (int t = 0; t < map->n_tables; t++)
        if (map->tables[t].params == params) return;
    map->tables = scree_input_grow(input, map->tables, map->n_tables, &map->table_capacity,
                                   sizeof *map->tables);
    const char *kept = scree_input_keep_text(input, what, strlen(what));
    map->tables[map->n_tables++] = (struct scree_table){params, kept};
}

static struct scree_default *find_default(const struct scree_node *map, const char *key)
{
    for (int i = 0; i < map->n_defaults; i++)
        if (strcmp(map->defaults[i].key, key) == 0) return &map->defaults[i];
    return NULL;
}

static void add_default(struct scree_input *input, struct scree_node *map, const char *key,
                        const char *fallback, struct scree_node *node)
{
    map->defaults = scree_input_grow(input, map->defaults, map->n_defaults, &map->default_capacity,
                                     sizeof *map->defaults);
    map->defaults[map->n_defaults++] = (struct scree_default){key, fallback, node};
}

/* The node of a row's default, parsed from its text as if the user had written it. */
static const struct scree_node *default_node(struct scree_input *input, struct scree_node *map,
                                             const struct scree_param *row)
{
    const struct scree_default *known = find_default(map, row->key);
    if (known != NULL && known->fallback != NULL && strcmp(known->fallback, row->fallback) == 0)
        return known->node;
    struct scree_node *node = NULL;
    scree_input_parse(input, row->fallback, strlen(row->fallback), "default", &node);
    if (node == NULL) SCREE_ABORT("default '%s' of '%s' is no YAML", row->fallback, row->key);
    if (known == NULL) add_default(input, map, row->key, row->fallback, node);
    return node;
}

static void fill_default(struct scree_input *input, struct scree_node *map,
                         const struct scree_param *row, void *target)
{
    scree_input_set_absent(row, target);
    if (row->fallback == NULL || row->fallback[0] == '\0') return;
    const struct scree_node *node = default_node(input, map, row);
    if (!scree_input_convert(input, node, "", row, target))
        SCREE_ABORT("default '%s' of '%s' breaks its own rule", row->fallback, row->key);
}

/* The stand-in for a map that the input leaves out. It hangs below its parent, seen by the echo
 * only, if `what` (or its part after the last dot) is a key that the parent may hold. */
static struct scree_node *absent_map(struct scree_input *input, const struct scree_node *parent,
                                     const char *what)
{
    const char *dot = strrchr(what, '.');
    const char *key = dot == NULL ? what : dot + 1;
    struct scree_place place = {0};
    if (parent != NULL) place = parent->place;
    struct scree_node *map = scree_node_create(input, SCREE_NODE_MAP, place);
    if (parent == NULL || parent->kind != SCREE_NODE_MAP) return map;
    const struct scree_entry *entry = scree_node_entry(parent, key);
    if (entry != NULL) {
        /* "time:", reported as such */
        map->bad = entry->node->empty || entry->node->kind == SCREE_NODE_REFUSED;
        return map;
    }
    const struct scree_default *known = find_default(parent, key);
    if (known != NULL && known->fallback == NULL) return known->node;
    for (int t = 0; t < parent->n_tables; t++)
        for (const struct scree_param *row = parent->tables[t].params; row->key != NULL; row++)
            if (known == NULL && row->type == SCREE_PARAM_NODE && strcmp(row->key, key) == 0) {
                add_default(input, (struct scree_node *)parent, row->key, NULL, map);
                return map;
            }
    return map;
}

static void report_required(struct scree_input *input, const struct scree_node *map,
                            const char *what, const struct scree_param *row)
{
    const char *unit = row->unit != NULL && strcmp(row->unit, "1") != 0 ? row->unit : "";
    const char *help = row->help != NULL ? row->help : "";
    bool both = unit[0] != '\0' && help[0] != '\0', none = unit[0] == '\0' && help[0] == '\0';
    scree_input_collect(input, map->place, "%s%s'%s' is required%s%s%s%s%s", what,
                        what[0] == '\0' ? "" : ": ", row->key, none ? "" : " (", unit,
                        both ? ": " : "", help, none ? "" : ")");
}

/* A map whose `bad` flag is set stands for one that was reported already: stay silent. */
static bool read_row(struct scree_input *input, struct scree_node *map, const char *what,
                     const struct scree_param *row, void *target)
{
    fill_default(input, map, row, target);
    const struct scree_node *node = scree_node_find(map, row->key);
    if (node == NULL) {
        if (row->fallback == NULL && !map->bad) report_required(input, map, what, row);
        if (row->fallback == NULL && map->bad) scree_input_count_error(input);
        return row->fallback != NULL;
    }
    scree_node_mark_used(node);
    return scree_input_has_value(input, node) &&
           scree_input_convert(input, node, what, row, target);
}

bool scree_input_read(struct scree_input *input, const struct scree_node *node,
                      const struct scree_node *parent, const char *what,
                      const struct scree_param *params, void *values)
{
    struct scree_node *map = (struct scree_node *)node;
    if (node == NULL) {
        map = absent_map(input, parent, what);
    } else if (node->kind != SCREE_NODE_MAP) {
        scree_node_mark_used(node);
        if (scree_input_has_value(input, node))
            scree_input_error(input, node, "%s%sexpected a map (key: value), got %s", what,
                              what[0] == '\0' ? "" : ": ", scree_node_describe(input, node));
        map = scree_node_create(input, SCREE_NODE_MAP, node->place);
        map->bad = true;
    }
    scree_node_mark_used(map);
    remember_table(input, map, params, what);
    bool good = !map->bad;
    for (const struct scree_param *row = params; row->key != NULL; row++)
        good = read_row(input, map, what, row, (char *)values + row->offset) && good;
    return good;
}
