/* SPDX-License-Identifier: BSD-3-Clause
 * Nodes of an input tree: building, finding, naming. */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <string.h>

#include "input_impl.h"

struct scree_node *scree_node_create(struct scree_input *input, enum scree_node_kind kind,
                                     struct scree_place place)
{
    struct scree_node *node = scree_input_keep(input, sizeof *node);
    node->kind = kind;
    node->place = place;
    node->text = "";
    return node;
}

void scree_node_append(struct scree_input *input, struct scree_node *parent, const char *key,
                       struct scree_place place, struct scree_node *child)
{
    parent->entries = scree_input_grow(input, parent->entries, parent->n_entries,
                                       &parent->entry_capacity, sizeof *parent->entries);
    parent->entries[parent->n_entries++] =
        (struct scree_entry){.key = key, .place = place, .node = child};
    child->parent = parent;
}

struct scree_entry *scree_node_entry(const struct scree_node *map, const char *key)
{
    if (map == NULL || map->kind != SCREE_NODE_MAP) return NULL;
    for (int i = 0; i < map->n_entries; i++)
        if (strcmp(map->entries[i].key, key) == 0) return &map->entries[i];
    return NULL;
}

/* Write the steps from the root (or, if `last_key`, from the last key) down to the node. */
static void write_path(FILE *out, const struct scree_node *node, bool last_key)
{
    const struct scree_node *parent = node->parent;
    if (parent == NULL) return;
    int i = 0;
    while (i < parent->n_entries - 1 && parent->entries[i].node != node) i++;
    if (!last_key || parent->kind == SCREE_NODE_LIST) write_path(out, parent, last_key);
    if (parent->kind == SCREE_NODE_LIST)
        fprintf(out, "[%d]", i);
    else
        fprintf(out, "%s%s", parent->parent != NULL && !last_key ? "." : "",
                parent->entries[i].key);
}

static const char *path_text(struct scree_input *input, const struct scree_node *node,
                             bool last_key)
{
    char *buffer = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&buffer, &length);
    if (out == NULL) SCREE_ABORT("out of memory for a message");
    write_path(out, node, last_key);
    fclose(out);
    const char *text = scree_input_keep_text(input, buffer, length);
    free(buffer);
    return text;
}

const char *scree_node_path(struct scree_input *input, const struct scree_node *node)
{
    return path_text(input, node, false);
}

const char *scree_node_name(struct scree_input *input, const struct scree_node *node)
{
    return path_text(input, node, true);
}

const char *scree_node_describe(struct scree_input *input, const struct scree_node *node)
{
    if (node->kind == SCREE_NODE_MAP) return "a map";
    if (node->kind == SCREE_NODE_LIST) return "a list";
    const char *text = scree_input_shorten(input, node->text);
    size_t length = strlen(text);
    char *quoted = scree_input_keep(input, length + 3);
    quoted[0] = quoted[length + 1] = '\'';
    memcpy(quoted + 1, text, length);
    return quoted;
}

enum scree_node_kind scree_node_kind(const struct scree_node *node)
{
    return node->kind;
}

int scree_node_count(const struct scree_node *node)
{
    return node == NULL ? 0 : node->n_entries;
}

const struct scree_node *scree_node_item(const struct scree_node *node, int position)
{
    if (node == NULL || position < 0 || position >= node->n_entries) return NULL;
    return node->entries[position].node;
}

const char *scree_node_key(const struct scree_node *node, int position)
{
    if (node == NULL || position < 0 || position >= node->n_entries) return NULL;
    return node->entries[position].key;
}

const struct scree_node *scree_node_find(const struct scree_node *map, const char *key)
{
    const struct scree_entry *entry = scree_node_entry(map, key);
    return entry == NULL ? NULL : entry->node;
}

const char *scree_node_text(const struct scree_node *scalar)
{
    return scalar == NULL ? "" : scalar->text;
}

int scree_node_line(const struct scree_node *node)
{
    return node == NULL ? 0 : node->place.line;
}

/* Marks are notes about the reading, not part of the tree that callers must not change. */
void scree_node_mark_used(const struct scree_node *node)
{
    struct scree_node *noted = (struct scree_node *)node;
    for (; noted != NULL && !noted->used; noted = noted->parent) noted->used = true;
}

void scree_node_mark_all_used(const struct scree_node *node)
{
    scree_node_mark_used(node);
    for (int i = 0; i < scree_node_count(node); i++)
        scree_node_mark_all_used(node->entries[i].node);
}
