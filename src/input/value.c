/* SPDX-License-Identifier: BSD-3-Clause
 * One value of the tree into one C variable, by type, unit and range of its schema row. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <string.h>
#include <strings.h>

#include "input_impl.h"

/* What is being converted, for messages. */
struct reading {
    struct scree_input *input;
    const char *what; /* NULL: do not name the map */
    const struct scree_param *row;
};

/* Collect "time: 'end' is '5 kg', <problem>". */
static bool complain(const struct reading *r, const struct scree_node *node, const char *problem)
{
    bool named = r->what != NULL && r->what[0] != '\0';
    scree_input_error(r->input, node, "%s%s'%s' is %s, %s", named ? r->what : "", named ? ": " : "",
                      scree_node_name(r->input, node), scree_node_describe(r->input, node),
                      problem);
    return false;
}

/* "allowed > 0", "allowed 0 to 0.5 m" */
static void format_range(const struct scree_param *row, char *text, size_t text_size)
{
    bool positive = row->min > 0 && row->min < 1e-300; /* DBL_MIN stands for "> 0" */
    bool open = isinf(row->max);
    bool bare = row->unit == NULL || row->unit[0] == '\0' || strcmp(row->unit, "1") == 0;
    const char *gap = bare ? "" : " ", *unit = bare ? "" : row->unit;
    if (positive && open)
        snprintf(text, text_size, "allowed > 0");
    else if (positive)
        snprintf(text, text_size, "allowed > 0 and <= %g%s%s", row->max, gap, unit);
    else if (open && !(row->min < 0) && !(row->min > 0))
        snprintf(text, text_size, "allowed >= 0");
    else if (open)
        snprintf(text, text_size, "allowed >= %g%s%s", row->min, gap, unit);
    else if (isinf(row->min))
        snprintf(text, text_size, "allowed <= %g%s%s", row->max, gap, unit);
    else
        snprintf(text, text_size, "allowed %g to %g%s%s", row->min, row->max, gap, unit);
}

static bool check_range(const struct reading *r, const struct scree_node *node, double value)
{
    const struct scree_param *row = r->row;
    bool any = !(row->min < 0) && !(row->min > 0) && !(row->max < 0) && !(row->max > 0);
    if (any || (value >= row->min && value <= row->max)) return true;
    char range[160], shown[160];
    format_range(row, range, sizeof range);
    /* A range is about the value, so it is shown as such: with the unit, without quotes. */
    const char *text = scree_input_shorten(r->input, node->text);
    bool bare = row->unit == NULL || row->unit[0] == '\0' || strcmp(row->unit, "1") == 0 ||
                strlen(text) != scree_units_scan_number(text);
    snprintf(shown, sizeof shown, "%s%s%s", text, bare ? "" : " ", bare ? "" : row->unit);
    bool named = r->what != NULL && r->what[0] != '\0';
    scree_input_error(r->input, node, "%s%s'%s' is %s, %s", named ? r->what : "", named ? ": " : "",
                      scree_node_name(r->input, node), shown, range);
    return false;
}

static int find_word(const char *text, const char *const *words)
{
    for (int i = 0; words != NULL && words[i] != NULL; i++)
        if (strcmp(text, words[i]) == 0) return i;
    return -1;
}

static bool convert_real(const struct reading *r, const struct scree_node *node, double *value)
{
    const char *const *words = r->row->choices;
    const char *unit = r->row->unit != NULL ? r->row->unit : "";
    char why[480];
    if (node->kind == SCREE_NODE_SCALAR) {
        if (find_word(node->text, words) >= 0) {
            *value = NAN;
            return true;
        }
        double read = 0;
        if (scree_units_parse(node->text, unit, &read, why, sizeof why)) {
            if (!check_range(r, node, read)) return false;
            *value = read;
            return true;
        }
        if (scree_units_scan_number(node->text) > 0) return complain(r, node, why);
    }
    char expected[160];
    scree_units_expect(unit, "1", expected, sizeof expected);
    const char *closest = words == NULL ? NULL : scree_suggest(node->text, words);
    snprintf(why, sizeof why, "expected %s%s%s%s%s%s", expected, words == NULL ? "" : " or ",
             words == NULL ? "" : scree_input_join(r->input, words),
             closest == NULL ? "" : "; did you mean '", closest == NULL ? "" : closest,
             closest == NULL ? "" : "'?");
    return complain(r, node, why);
}

static bool convert_integer(const struct reading *r, const struct scree_node *node, int64_t *value)
{
    int64_t read = 0;
    enum scree_number_fault fault = SCREE_NUMBER_NONE;
    if (node->kind == SCREE_NODE_SCALAR) fault = scree_units_parse_integer(node->text, &read);
    if (fault == SCREE_NUMBER_LARGE) return complain(r, node, "too large for a whole number");
    if (fault != SCREE_NUMBER_FINE) return complain(r, node, "expected a whole number");
    if (!check_range(r, node, (double)read)) return false;
    *value = read;
    return true;
}

static bool convert_bool(const struct reading *r, const struct scree_node *node, bool *value)
{
    static const char *const words[] = {"false", "true", "no", "yes", "off", "on", NULL};
    for (int i = 0; words[i] != NULL; i++) {
        if (node->kind != SCREE_NODE_SCALAR || strcasecmp(node->text, words[i]) != 0) continue;
        *value = i % 2 == 1;
        return true;
    }
    return complain(r, node, "expected true or false");
}

/* "allowed: md, cd; did you mean 'md'?" */
static bool complain_of_word(const struct reading *r, const struct scree_node *node,
                             const char *const *words)
{
    const char *closest = scree_suggest(node->text, words);
    char problem[1024];
    snprintf(problem, sizeof problem, "allowed: %s%s%s%s", scree_input_join(r->input, words),
             closest == NULL ? "" : "; did you mean '", closest == NULL ? "" : closest,
             closest == NULL ? "" : "'?");
    return complain(r, node, problem);
}

static bool convert_choice(const struct reading *r, const struct scree_node *node, int *value)
{
    const char *const *words = r->row->choices;
    int found = node->kind == SCREE_NODE_SCALAR ? find_word(node->text, words) : -1;
    if (found < 0) return complain_of_word(r, node, words);
    *value = found;
    return true;
}

static bool convert_vector(const struct reading *r, const struct scree_node *node, double *value)
{
    char problem[160];
    if (node->kind != SCREE_NODE_LIST)
        return complain(r, node, "expected a list of 2 or 3 numbers");
    if (node->n_entries < 2 || node->n_entries > 3) {
        snprintf(problem, sizeof problem, "expected 2 or 3 numbers, not %d", node->n_entries);
        return complain(r, node, problem);
    }
    struct scree_param row = *r->row;
    row.min = row.max = 0; /* ranges are for single numbers */
    struct reading component = {r->input, r->what, &row};
    double read[3] = {0};
    bool good = true;
    for (int k = 0; k < node->n_entries; k++) {
        const struct scree_node *item = node->entries[k].node;
        good = scree_input_has_value(r->input, item) && convert_real(&component, item, &read[k]) &&
               good;
    }
    if (good) memcpy(value, read, sizeof read);
    return good;
}

/* A list of words, each at most once; bit k for word k. */
static bool convert_words(const struct reading *r, const struct scree_node *node,
                          const char *const *words, const char *expected, uint32_t *value)
{
    if (node->kind != SCREE_NODE_LIST) return complain(r, node, expected);
    uint32_t read = 0;
    bool good = true;
    for (int i = 0; i < node->n_entries; i++) {
        const struct scree_node *item = node->entries[i].node;
        int word = item->kind == SCREE_NODE_SCALAR ? find_word(item->text, words) : -1;
        if (word < 0 && !scree_input_has_value(r->input, item))
            good = false;
        else if (word < 0)
            good = complain_of_word(r, item, words);
        else if ((read >> word & 1u) != 0)
            good = complain(r, item, "listed twice");
        else
            read |= 1u << word;
    }
    if (good) *value = read;
    return good;
}

static bool convert_axes(const struct reading *r, const struct scree_node *node, bool *value)
{
    static const char *const axes[] = {"x", "y", "z", NULL};
    uint32_t read = 0;
    bool good = convert_words(r, node, axes, "expected a list of axes such as [x, y]", &read);
    for (int a = 0; a < 3 && good; a++) value[a] = (read >> a & 1u) != 0;
    return good;
}

bool scree_input_convert(struct scree_input *input, const struct scree_node *node, const char *what,
                         const struct scree_param *row, void *target)
{
    struct reading r = {input, what, row};
    switch (row->type) {
    case SCREE_PARAM_REAL: return convert_real(&r, node, target);
    case SCREE_PARAM_INTEGER: return convert_integer(&r, node, target);
    case SCREE_PARAM_BOOL: return convert_bool(&r, node, target);
    case SCREE_PARAM_CHOICE: return convert_choice(&r, node, target);
    case SCREE_PARAM_VECTOR: return convert_vector(&r, node, target);
    case SCREE_PARAM_AXES: return convert_axes(&r, node, target);
    case SCREE_PARAM_WORDS:
        return convert_words(&r, node, row->choices, "expected a list of words", target);
    case SCREE_PARAM_TEXT:
        if (node->kind != SCREE_NODE_SCALAR) return complain(&r, node, "expected a text");
        *(const char **)target = node->text;
        return true;
    case SCREE_PARAM_NODE: *(const struct scree_node **)target = node; return true;
    }
    SCREE_ABORT("key '%s' has an unknown type", row->key);
}

bool scree_input_real(struct scree_input *input, const struct scree_node *node, const char *unit,
                      double *value)
{
    struct scree_param row = {.key = "", .type = SCREE_PARAM_REAL, .unit = unit};
    scree_node_mark_used(node);
    return scree_input_has_value(input, node) &&
           scree_input_convert(input, node, NULL, &row, value);
}
