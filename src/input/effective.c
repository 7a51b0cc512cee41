/* SPDX-License-Identifier: BSD-3-Clause
 * The echo of an input as it was understood: YAML in the order of the tables, defaults marked. */
#define _POSIX_C_SOURCE 200809L
#include <ctype.h>
#include <string.h>

#include "input_impl.h"

struct echo {
    FILE *out;
    bool after_dash; /* the line has been opened by "- " */
};

enum { INDENT = 2 };

static void open_line(struct echo *e, int indent)
{
    if (!e->after_dash) fprintf(e->out, "%*s", indent, "");
    e->after_dash = false;
}

/* Letters that mean nothing to YAML, in any context, and not a word that reads as no value. */
static bool is_plain(const char *text)
{
    size_t length = strlen(text);
    const char *head = text + (strchr("+-.", text[0]) != NULL);
    if (length == 0 || !isalnum((unsigned char)*head) || text[length - 1] == ' ') return false;
    if (head > text && !isdigit((unsigned char)*head)) return false;
    if (strcmp(text, "null") == 0 || strcmp(text, "Null") == 0 || strcmp(text, "NULL") == 0)
        return false;
    for (const char *c = text; *c != '\0'; c++)
        if (!isalnum((unsigned char)*c) && strchr(" _.+-/^%", *c) == NULL) return false;
    return true;
}

/* UTF-8 passes as it is, except code points that YAML takes for breaks or refuses. The text was
 * checked or made by libyaml, so sequences are complete. */
static size_t write_letter(FILE *out, const unsigned char *c)
{
    if (*c < 0x80) {
        if (*c < 0x20 || *c == 0x7f)
            fprintf(out, "\\x%02x", *c);
        else
            fprintf(out, *c == '"' || *c == '\\' ? "\\%c" : "%c", *c);
        return 1;
    }
    size_t length = *c >= 0xf0 ? 4 : *c >= 0xe0 ? 3 : 2;
    unsigned long code = *c & (0xffu >> (length + 1));
    for (size_t k = 1; k < length; k++) code = code << 6 | (c[k] & 0x3f);
    bool special = code < 0xa0 || code == 0x2028 || code == 0x2029 || code == 0xfeff ||
                   code == 0xfffe || code == 0xffff;
    if (special)
        fprintf(out, "\\u%04lx", code);
    else
        fwrite(c, 1, length, out);
    return length;
}

static void write_text(FILE *out, const char *text)
{
    if (is_plain(text)) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0';)
        c += write_letter(out, c);
    fputc('"', out);
}

/* A left-out map of which nothing is to be shown either. */
static bool is_void(const struct scree_default *d)
{
    bool empty = d->fallback == NULL;
    for (int i = 0; i < d->node->n_defaults && empty; i++) empty = is_void(&d->node->defaults[i]);
    return empty;
}

/* True if the node fits one line: no map with content inside. */
static bool is_flow(const struct scree_node *node)
{
    for (int i = 0; i < node->n_defaults; i++)
        if (!is_void(&node->defaults[i])) return false;
    if (node->kind == SCREE_NODE_MAP) return node->n_entries == 0;
    for (int i = 0; i < node->n_entries; i++)
        if (!is_flow(node->entries[i].node)) return false;
    return true;
}

static void write_flow(FILE *out, const struct scree_node *node)
{
    if (node->kind == SCREE_NODE_MAP) {
        fputs("{}", out);
    } else if (node->kind == SCREE_NODE_LIST) {
        fputc('[', out);
        for (int i = 0; i < node->n_entries; i++) {
            if (i > 0) fputs(", ", out);
            write_flow(out, node->entries[i].node);
        }
        fputc(']', out);
    } else if (node->empty) {
        fputc('~', out);
    } else {
        write_text(out, node->text);
    }
}

static void write_map(struct echo *e, const struct scree_node *map, int indent, bool by_default);

static void write_list(struct echo *e, const struct scree_node *list, int indent, bool by_default)
{
    for (int i = 0; i < list->n_entries; i++) {
        const struct scree_node *item = list->entries[i].node;
        open_line(e, indent);
        fputs("- ", e->out);
        e->after_dash = true;
        if (is_flow(item)) {
            write_flow(e->out, item);
            fputs(by_default ? "  # default\n" : "\n", e->out);
            e->after_dash = false;
        } else if (item->kind == SCREE_NODE_MAP) {
            write_map(e, item, indent + INDENT, by_default);
        } else {
            write_list(e, item, indent + INDENT, by_default);
        }
    }
}

static void write_entry(struct echo *e, const char *key, const struct scree_node *node, int indent,
                        bool by_default)
{
    open_line(e, indent);
    write_text(e->out, key);
    fputc(':', e->out);
    if (is_flow(node)) {
        fputc(' ', e->out);
        write_flow(e->out, node);
        fputs(by_default ? "  # default\n" : "\n", e->out);
        return;
    }
    fputc('\n', e->out);
    if (node->kind == SCREE_NODE_MAP)
        write_map(e, node, indent + INDENT, by_default);
    else
        write_list(e, node, indent + INDENT, by_default);
}

/* True if a row of the tables, up to and without row `stop`, has this key. */
static bool is_listed(const struct scree_node *map, const char *key, const struct scree_param *stop)
{
    for (int t = 0; t < map->n_tables; t++)
        for (const struct scree_param *row = map->tables[t].params; row->key != NULL; row++) {
            if (row == stop) return false;
            if (strcmp(row->key, key) == 0) return true;
        }
    return false;
}

static void write_row(struct echo *e, const struct scree_node *map, const struct scree_param *row,
                      int indent, bool by_default)
{
    if (is_listed(map, row->key, row)) return;
    const struct scree_node *node = scree_node_find(map, row->key);
    if (node != NULL) write_entry(e, row->key, node, indent, by_default);
    for (int i = 0; i < map->n_defaults && node == NULL; i++) {
        const struct scree_default *d = &map->defaults[i];
        if (strcmp(d->key, row->key) == 0 && !is_void(d))
            write_entry(e, row->key, d->node, indent, true);
    }
}

static void write_map(struct echo *e, const struct scree_node *map, int indent, bool by_default)
{
    for (int t = 0; t < map->n_tables; t++)
        for (const struct scree_param *row = map->tables[t].params; row->key != NULL; row++)
            write_row(e, map, row, indent, by_default);
    for (int i = 0; i < map->n_entries; i++)
        if (!is_listed(map, map->entries[i].key, NULL))
            write_entry(e, map->entries[i].key, map->entries[i].node, indent, by_default);
}

void scree_input_write_effective(const struct scree_input *input, FILE *stream)
{
    struct echo e = {.out = stream};
    if (is_flow(input->root))
        fputs("{}\n", stream);
    else
        write_map(&e, input->root, 0, false);
}

char *scree_input_effective_text(const struct scree_input *input)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    if (f == NULL) return NULL;
    scree_input_write_effective(input, f);
    fclose(f);
    return text;
}
