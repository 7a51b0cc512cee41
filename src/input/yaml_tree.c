/* SPDX-License-Identifier: BSD-3-Clause
 * From YAML text to a tree of nodes, through the events of libyaml. */
#include <string.h>
#include <yaml.h>

#include "anchors.h"
#include "input_impl.h"

struct builder {
    struct scree_input *input;
    yaml_parser_t parser;
    const char *text; /* for hints about syntax errors */
    const char *origin;
    struct scree_anchors anchors;
};

static struct scree_place place_of(const struct builder *b, yaml_mark_t mark)
{
    struct scree_place place = {.origin = b->origin};
    if (b->origin == NULL) {
        place.line = (int)mark.line + 1;
        place.column = (int)mark.column + 1;
    }
    return place;
}

static bool line_is_tabbed(const char *text, size_t line)
{
    for (; line > 0 && text != NULL; line--) {
        text = strchr(text, '\n');
        if (text != NULL) text++;
    }
    if (text == NULL) return false;
    text += strspn(text, " ");
    return *text == '\t';
}

static void report_syntax(struct builder *b)
{
    const yaml_parser_t *parser = &b->parser;
    const char *problem = parser->problem != NULL ? parser->problem : "the text cannot be read";
    struct scree_place place = place_of(b, parser->problem_mark);
    if (line_is_tabbed(b->text, parser->problem_mark.line))
        scree_input_collect(b->input, place, "a tab indents this line; YAML wants spaces");
    else if (parser->context != NULL && b->origin == NULL)
        scree_input_collect(b->input, place, "YAML: %s %s at line %d", problem, parser->context,
                            (int)parser->context_mark.line + 1);
    else
        scree_input_collect(b->input, place, "YAML: %s", problem);
}

static bool next_event(struct builder *b, yaml_event_t *event)
{
    if (yaml_parser_parse(&b->parser, event) == 1) return true;
    report_syntax(b);
    return false;
}

static void refuse_tag(struct builder *b, yaml_mark_t mark, const yaml_char_t *tag)
{
    if (tag != NULL)
        scree_input_collect(b->input, place_of(b, mark), "tags (!name) are not supported");
}

static bool is_null_word(const yaml_event_t *event)
{
    static const char *const words[] = {"", "~", "null", "Null", "NULL"};
    if (event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE) return false;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp((const char *)event->data.scalar.value, words[i]) == 0) return true;
    return false;
}

static struct scree_node *build_scalar(struct builder *b, const yaml_event_t *event)
{
    struct scree_place place = place_of(b, event->start_mark);
    struct scree_node *node = scree_node_create(b->input, SCREE_NODE_SCALAR, place);
    const char *value = (const char *)event->data.scalar.value;
    size_t length = event->data.scalar.length;
    refuse_tag(b, event->start_mark, event->data.scalar.tag);
    node->empty = is_null_word(event);
    if (length > SCREE_INPUT_MAX_SCALAR) {
        node->kind = SCREE_NODE_REFUSED;
        scree_input_collect(b->input, place, "a value of %zu bytes is too long, allowed <= %d",
                            length, SCREE_INPUT_MAX_SCALAR);
    } else if (strlen(value) != length) {
        node->kind = SCREE_NODE_REFUSED;
        scree_input_collect(b->input, place, "a NUL character stands in the value");
    } else {
        node->text = scree_input_keep_text(b->input, value, length);
    }
    return node;
}

static struct scree_node *build(struct builder *b, const yaml_event_t *event, int depth);

/* Build the node that starts with the next event. NULL: syntax error. */
static struct scree_node *build_next(struct builder *b, int depth)
{
    yaml_event_t event;
    if (!next_event(b, &event)) return NULL;
    struct scree_node *node = build(b, &event, depth);
    yaml_event_delete(&event);
    return node;
}

static bool build_list(struct builder *b, struct scree_node *list, int depth)
{
    for (;;) {
        yaml_event_t event;
        if (!next_event(b, &event)) return false;
        bool ends = event.type == YAML_SEQUENCE_END_EVENT;
        struct scree_node *item = ends ? NULL : build(b, &event, depth);
        yaml_event_delete(&event);
        if (ends) return true;
        if (item == NULL) return false;
        scree_node_append(b->input, list, NULL, item->place, item);
    }
}

/* NULL if the key is one that a map cannot have; that is reported, the value is skipped. */
static const char *check_key(struct builder *b, const struct scree_node *map,
                             const struct scree_node *key)
{
    if (key->kind == SCREE_NODE_REFUSED) return NULL;
    const struct scree_entry *twin = scree_node_entry(map, key->text);
    if (key->kind != SCREE_NODE_SCALAR || key->text[0] == '\0')
        scree_input_collect(b->input, key->place, "a key must be a word");
    else if (strlen(key->text) > SCREE_INPUT_MAX_KEY)
        scree_input_collect(b->input, key->place, "a key of %zu bytes is too long, allowed <= %d",
                            strlen(key->text), SCREE_INPUT_MAX_KEY);
    else if (twin != NULL && b->origin == NULL)
        scree_input_collect(b->input, key->place, "key '%s' appears twice, first in line %d",
                            key->text, twin->place.line);
    else if (twin != NULL)
        scree_input_collect(b->input, key->place, "key '%s' appears twice", key->text);
    else
        return key->text;
    return NULL;
}

static bool is_merge(const struct scree_node *key)
{
    return key->kind == SCREE_NODE_SCALAR && strcmp(key->text, "<<") == 0;
}

/* Its own entries first, then those of `<<`. */
static bool build_map(struct builder *b, struct scree_node *map, int depth)
{
    struct scree_node *merges =
        scree_node_create(b->input, SCREE_NODE_LIST, (struct scree_place){0});
    for (;;) {
        yaml_event_t event;
        if (!next_event(b, &event)) return false;
        bool ends = event.type == YAML_MAPPING_END_EVENT;
        struct scree_node *key = ends ? NULL : build(b, &event, depth);
        yaml_event_delete(&event);
        for (int i = 0; i < merges->n_entries && ends; i++)
            scree_anchors_merge(b->input, map, merges->entries[i].node);
        if (ends) return true;
        struct scree_node *value = key == NULL ? NULL : build_next(b, depth);
        if (value == NULL) return false;
        if (value->empty) value->place = key->place; /* nothing stands where the value should */
        if (is_merge(key)) {
            scree_node_append(b->input, merges, NULL, key->place, value);
            continue;
        }
        const char *text = check_key(b, map, key);
        if (text != NULL) scree_node_append(b->input, map, text, key->place, value);
    }
}

static struct scree_node *build_value(struct builder *b, const yaml_event_t *event, int depth)
{
    struct scree_place place = place_of(b, event->start_mark);
    if (depth >= SCREE_INPUT_MAX_DEPTH) {
        scree_input_collect(b->input, place, "nested deeper than %d levels", SCREE_INPUT_MAX_DEPTH);
        return NULL;
    }
    if (event->type == YAML_SCALAR_EVENT) return build_scalar(b, event);
    if (event->type == YAML_SEQUENCE_START_EVENT) {
        struct scree_node *list = scree_node_create(b->input, SCREE_NODE_LIST, place);
        refuse_tag(b, event->start_mark, event->data.sequence_start.tag);
        return build_list(b, list, depth + 1) ? list : NULL;
    }
    if (event->type == YAML_MAPPING_START_EVENT) {
        struct scree_node *map = scree_node_create(b->input, SCREE_NODE_MAP, place);
        refuse_tag(b, event->start_mark, event->data.mapping_start.tag);
        return build_map(b, map, depth + 1) ? map : NULL;
    }
    const char *name = (const char *)event->data.alias.anchor;
    return scree_anchors_copy(&b->anchors, b->input, name, place, depth);
}

static const yaml_char_t *anchor_of(const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_SCALAR_EVENT: return event->data.scalar.anchor;
    case YAML_SEQUENCE_START_EVENT: return event->data.sequence_start.anchor;
    case YAML_MAPPING_START_EVENT: return event->data.mapping_start.anchor;
    default: return NULL;
    }
}

static struct scree_node *build(struct builder *b, const yaml_event_t *event, int depth)
{
    struct scree_node *node = build_value(b, event, depth);
    const yaml_char_t *anchor = anchor_of(event);
    if (node != NULL && anchor != NULL)
        scree_anchors_set(&b->anchors, b->input, (const char *)anchor, node);
    return node;
}

/* The one document of the stream. */
static bool build_stream(struct builder *b, struct scree_node **root)
{
    bool ends = false;
    for (int n_documents = 0; !ends;) {
        yaml_event_t event;
        if (!next_event(b, &event)) return false;
        yaml_event_type_t type = event.type;
        struct scree_place place = place_of(b, event.start_mark);
        yaml_event_delete(&event);
        ends = type == YAML_STREAM_END_EVENT;
        if (type != YAML_DOCUMENT_START_EVENT) continue;
        if (++n_documents > 1) {
            scree_input_collect(b->input, place, "a second document starts here; one is allowed");
            return false;
        }
        *root = build_next(b, 0);
        if (*root == NULL) return false;
    }
    if (*root != NULL && (*root)->empty) *root = NULL;
    return true;
}

bool scree_input_parse(struct scree_input *input, const char *text, size_t length,
                       const char *origin, struct scree_node **node)
{
    *node = NULL;
    if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) { /* byte order mark */
        text += 3;
        length -= 3;
    }
    struct scree_place place = {0};
    const char *why = NULL;
    if (!scree_input_check_bytes(text, length, &place, &why)) {
        if (origin != NULL) place = (struct scree_place){.origin = origin};
        scree_input_collect(input, place, "%s", why);
        return false;
    }
    struct builder b = {.input = input, .text = text, .origin = origin};
    if (yaml_parser_initialize(&b.parser) != 1) SCREE_ABORT("out of memory for a YAML parser");
    yaml_parser_set_encoding(&b.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&b.parser, (const unsigned char *)text, length);
    bool parsed = build_stream(&b, node);
    if (!parsed) *node = NULL;
    yaml_parser_delete(&b.parser);
    return parsed;
}
