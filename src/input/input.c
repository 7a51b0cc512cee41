/* SPDX-License-Identifier: BSD-3-Clause
 * Life of an input: from text to tree, and the search for keys that nobody read. */
#include <string.h>

#include "input_impl.h"
#include "scree/alloc.h"

static void plant_tree(struct scree_input *input, const char *text, size_t length)
{
    struct scree_place start = {.line = 1, .column = 1};
    struct scree_node *root = NULL;
    bool parsed = scree_input_parse(input, text, length, NULL, &root);
    if (parsed && root == NULL)
        scree_input_collect(input, (struct scree_place){0}, "the input is empty");
    else if (parsed && root->kind != SCREE_NODE_MAP && root->kind != SCREE_NODE_REFUSED)
        scree_input_collect(input, root->place, "expected a map (key: value), got %s",
                            scree_node_describe(input, root));
    if (root == NULL || root->kind != SCREE_NODE_MAP) {
        input->broken = true;
        root = scree_node_create(input, SCREE_NODE_MAP, start);
    }
    input->root = root;
    root->used = true;
}

enum scree_status scree_input_create_sized(struct scree_input **input, const char *bytes,
                                           size_t n_bytes, const char *name)
{
    struct scree_input *fresh = scree_alloc(1, sizeof *fresh);
    *fresh = (struct scree_input){0};
    fresh->name = scree_input_keep_text(fresh, name, strlen(name));
    fresh->text = scree_input_keep_text(fresh, bytes, n_bytes);
    plant_tree(fresh, fresh->text, n_bytes);
    *input = fresh;
    return SCREE_OK;
}

enum scree_status scree_input_create(struct scree_input **input, const char *text, const char *name)
{
    return scree_input_create_sized(input, text, strlen(text), name);
}

void scree_input_destroy(struct scree_input **input)
{
    if (*input == NULL) return;
    scree_input_release(*input);
    scree_alloc_free(*input);
    *input = NULL;
}

const struct scree_node *scree_input_root(const struct scree_input *input)
{
    return input->root;
}

const char *scree_input_text(const struct scree_input *input)
{
    return input->text;
}

/* Keys of all tables that have read this map, ends with NULL. */
static const char *const *known_keys(struct scree_input *input, const struct scree_node *map)
{
    size_t n_keys = 0;
    for (int t = 0; t < map->n_tables; t++)
        for (const struct scree_param *row = map->tables[t].params; row->key != NULL; row++)
            n_keys++;
    const char **keys = scree_input_keep(input, (n_keys + 1) * sizeof *keys);
    size_t k = 0;
    for (int t = 0; t < map->n_tables; t++)
        for (const struct scree_param *row = map->tables[t].params; row->key != NULL; row++) {
            size_t twin = 0;
            while (twin < k && strcmp(keys[twin], row->key) != 0) twin++;
            if (twin == k) keys[k++] = row->key;
        }
    return keys;
}

static void report_unknown_key(struct scree_input *input, const struct scree_node *map,
                               const struct scree_entry *entry)
{
    const char *path = scree_node_path(input, map);
    const char *hint = scree_input_hint(input, entry->key, known_keys(input, map));
    const char *key = scree_input_shorten(input, entry->key);
    if (map->n_tables > 0 && map->tables[0].what[0] != '\0')
        scree_input_collect(input, entry->place, "unknown key '%s' in %s%s", key,
                            map->tables[0].what, hint);
    else if (path[0] != '\0')
        scree_input_collect(input, entry->place, "unknown key '%s' in '%s'%s", key, path, hint);
    else
        scree_input_collect(input, entry->place, "unknown key '%s'%s", key, hint);
}

static void report_unread(struct scree_input *input, const struct scree_node *node)
{
    for (int i = 0; i < node->n_entries; i++) {
        const struct scree_entry *entry = &node->entries[i];
        bool skipped = !entry->node->used && (node->forgiven || node->kind == SCREE_NODE_MAP);
        if (skipped && !node->forgiven) report_unknown_key(input, node, entry);
        if (skipped) continue;
        scree_input_has_value(input, entry->node);
        report_unread(input, entry->node);
    }
}

enum scree_status scree_input_finish(struct scree_input *input)
{
    report_unread(input, input->root);
    return input->n_errors > 0 ? SCREE_INPUT : SCREE_OK;
}
