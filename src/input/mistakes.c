/* SPDX-License-Identifier: BSD-3-Clause
 * Mistakes found in an input: collected, kept sorted by place, printed together. */
#define _POSIX_C_SOURCE 200809L
#include <stdarg.h>
#include <string.h>

#include "input_impl.h"

enum { MESSAGE_TEXT = 60 /* bytes of user text shown in a message */ };

/* The input text comes first, by line and column; overrides follow in the order given. */
static bool is_after(struct scree_place a, struct scree_place b)
{
    if (a.origin != NULL || b.origin != NULL) return a.origin != NULL && b.origin == NULL;
    return a.line != b.line ? a.line > b.line : a.column > b.column;
}

static bool is_known(const struct scree_input *input, struct scree_place place, const char *message)
{
    for (int i = 0; i < input->n_mistakes; i++) {
        const struct scree_mistake *old = &input->mistakes[i];
        if (old->place.line == place.line && old->place.column == place.column &&
            old->place.origin == place.origin && strcmp(old->message, message) == 0)
            return true;
    }
    return false;
}

static const char *format_message(struct scree_input *input, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    char *message = scree_input_keep(input, (size_t)length + 1);
    vsnprintf(message, (size_t)length + 1, format, again);
    va_end(again);
    /* A message is one line, whatever the user's text holds. */
    for (char *c = message; *c != '\0'; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7f) *c = '?';
    return message;
}

void scree_input_count_error(struct scree_input *input)
{
    input->n_errors++;
}

static void collect(struct scree_input *input, struct scree_place place, const char *message)
{
    scree_input_count_error(input);
    if (input->broken || is_known(input, place, message)) return;
    input->mistakes = scree_input_grow(input, input->mistakes, input->n_mistakes,
                                       &input->mistake_capacity, sizeof *input->mistakes);
    int i = input->n_mistakes++;
    for (; i > 0 && is_after(input->mistakes[i - 1].place, place); i--)
        input->mistakes[i] = input->mistakes[i - 1];
    input->mistakes[i] = (struct scree_mistake){place, message};
}

void scree_input_collect(struct scree_input *input, struct scree_place place, const char *format,
                         ...)
{
    va_list args;
    va_start(args, format);
    collect(input, place, format_message(input, format, args));
    va_end(args);
}

bool scree_input_has_value(struct scree_input *input, const struct scree_node *node)
{
    if (node->empty)
        scree_input_collect(input, node->place, "'%s' has no value", scree_node_name(input, node));
    else if (node->kind == SCREE_NODE_REFUSED)
        scree_input_count_error(input);
    else
        return true;
    return false;
}

const char *scree_input_shorten(struct scree_input *input, const char *text)
{
    size_t length = strlen(text);
    if (length <= MESSAGE_TEXT) return text;
    length = MESSAGE_TEXT;
    while (length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80) length--; /* whole letters */
    char *copy = scree_input_keep(input, length + 4);
    memcpy(copy, text, length);
    memcpy(copy + length, "...", 4);
    return copy;
}

const char *scree_input_join(struct scree_input *input, const char *const *words)
{
    size_t length = 1;
    for (int i = 0; words[i] != NULL; i++) length += strlen(words[i]) + 2;
    char *text = scree_input_keep(input, length);
    char *end = text;
    for (int i = 0; words[i] != NULL; i++) {
        if (i > 0) end = stpcpy(end, ", ");
        end = stpcpy(end, words[i]);
    }
    return text;
}

const char *scree_input_hint(struct scree_input *input, const char *word, const char *const *known)
{
    if (known == NULL || known[0] == NULL) return "";
    const char *closest = scree_suggest(word, known);
    const char *words = closest != NULL ? closest : scree_input_join(input, known);
    size_t length = strlen(words) + 32;
    char *hint = scree_input_keep(input, length);
    snprintf(hint, length, closest != NULL ? "; did you mean '%s'?" : "; known: %s", words);
    return hint;
}

void scree_input_error(struct scree_input *input, const struct scree_node *node, const char *format,
                       ...)
{
    struct scree_place place = {0};
    if (node != NULL) {
        place = node->place;
        scree_node_mark_used(node);
        if (node->n_tables == 0) ((struct scree_node *)node)->forgiven = true;
        if (node->kind == SCREE_NODE_REFUSED) {
            scree_input_count_error(input);
            return;
        }
    }
    va_list args;
    va_start(args, format);
    collect(input, place, format_message(input, format, args));
    va_end(args);
}

void scree_input_unknown(struct scree_input *input, const struct scree_node *node, const char *kind,
                         const char *word, const char *const *known)
{
    /* Where nothing is known, the list itself is mostly missing or wrong, which was reported there,
     * and this follows from it. */
    if (known != NULL && known[0] == NULL && input->n_errors > 0) {
        scree_input_count_error(input);
        scree_node_mark_used(node);
    } else {
        scree_input_error(input, node, "unknown %s '%s'%s", kind, scree_input_shorten(input, word),
                          scree_input_hint(input, word, known));
    }
    /* {law: lineer, stiffness: 5}: without a law nobody can say which keys belong here. */
    if (node == NULL) return;
    ((struct scree_node *)node)->forgiven = true;
    if (node->kind == SCREE_NODE_SCALAR && node->parent != NULL && node->parent->parent != NULL)
        node->parent->forgiven = true;
}

static int find_word(const char *word, const char *const *words)
{
    for (int k = 0; words[k] != NULL; k++)
        if (strcmp(words[k], word) == 0) return k;
    return -1;
}

bool scree_input_pair(struct scree_input *input, const struct scree_node *node, const char *key,
                      const char *kind, const char *const *known, int found[2])
{
    scree_node_mark_all_used(node);
    if (scree_node_kind(node) != SCREE_NODE_LIST || scree_node_count(node) != 2) {
        const char *word = known[0] != NULL ? known[0] : "glass";
        scree_input_error(input, node, "'%s' takes a list of two %ss, e.g. [%s, %s]", key, kind,
                          word, word);
        return false;
    }
    bool good = true;
    for (int k = 0; k < 2; k++) {
        const struct scree_node *item = scree_node_item(node, k);
        found[k] = find_word(scree_node_text(item), known);
        if (found[k] >= 0) continue;
        scree_input_unknown(input, item, kind, scree_node_text(item), known);
        good = false;
    }
    return good;
}

bool scree_input_is_map(struct scree_input *input, const struct scree_node *node, const char *what,
                        const char *example)
{
    if (node == NULL) return false;
    if (node->kind == SCREE_NODE_MAP) return true;
    scree_input_error(input, node, "%s: expected a map (%s)", what, example);
    return false;
}

int scree_input_n_errors(const struct scree_input *input)
{
    return input->n_errors;
}

void scree_input_print_errors(const struct scree_input *input, FILE *stream)
{
    for (int i = 0; i < input->n_mistakes; i++) {
        const struct scree_mistake *mistake = &input->mistakes[i];
        if (mistake->place.origin != NULL)
            fprintf(stream, "%s: ", mistake->place.origin);
        else if (mistake->place.line > 0)
            fprintf(stream, "%s:%d:%d: ", input->name, mistake->place.line, mistake->place.column);
        else
            fprintf(stream, "%s: ", input->name);
        fprintf(stream, "%s\n", mistake->message);
    }
}
