/* SPDX-License-Identifier: BSD-3-Clause
 * The echo of an input: defaults filled in, read back to the same values, also of damaged texts. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>

#include "input_expect.h"

struct run {
    const char *title;
    int64_t seed;
    double gravity[3], end, step, every;
    const struct scree_node *time, *output, *notes, *shape;
};

static const char *const automatic[] = {"auto", NULL};

#define AT(member) .offset = offsetof(struct run, member)

static const struct scree_param root_rows[] = {
    {"title", SCREE_PARAM_TEXT, "", 0, 0, "\"untitled: 'a' # b\"", NULL, AT(title), ""},
    {"seed", SCREE_PARAM_INTEGER, "", 0, 0, "1", NULL, AT(seed), ""},
    {"gravity", SCREE_PARAM_VECTOR, "m/s^2", 0, 0, "[0, 0, -9.81]", NULL, AT(gravity), ""},
    {"time", SCREE_PARAM_NODE, "", 0, 0, "", NULL, AT(time), ""},
    {"output", SCREE_PARAM_NODE, "", 0, 0, "", NULL, AT(output), ""},
    {"shape", SCREE_PARAM_NODE, "", 0, 0, "{box: [1, 2]}", NULL, AT(shape), ""},
    {"notes", SCREE_PARAM_NODE, "", 0, 0, "", NULL, AT(notes), ""},
    {.key = NULL}};
static const struct scree_param time_rows[] = {
    {"end", SCREE_PARAM_REAL, "s", 0, 0, "1 min", NULL, AT(end), ""},
    {"step", SCREE_PARAM_REAL, "s", 0, 0, "auto", automatic, AT(step), ""},
    {.key = NULL}};
static const struct scree_param output_rows[] = {
    {"every", SCREE_PARAM_REAL, "s", 0, 0, "", NULL, AT(every), ""}, {.key = NULL}};

static void read_run(struct scree_input *input, struct run *run)
{
    const struct scree_node *root = scree_input_root(input);
    scree_input_read(input, root, NULL, "input", root_rows, run);
    scree_input_read(input, run->time, root, "time", time_rows, run);
    scree_input_read(input, run->output, root, "output", output_rows, run);
    scree_node_mark_all_used(run->notes);
    scree_node_mark_all_used(run->shape);
}

static void expect_echo(const char *text, const char *echo)
{
    struct scree_input *input = input_of(text);
    struct run run;
    read_run(input, &run);
    cr_expect_eq(scree_input_finish(input), SCREE_OK);
    input_expect_errors(input, "");
    input_expect(input, scree_input_write_effective, echo);
    scree_input_destroy(&input);
}

#define SHAPE "shape:\n  box: [1, 2]  # default\n"

Test(effective, defaults_are_filled_in_and_marked)
{
    expect_echo("{}", "title: \"untitled: 'a' # b\"  # default\n"
                      "seed: 1  # default\n"
                      "gravity: [0, 0, -9.81]  # default\n"
                      "time:\n"
                      "  end: 1 min  # default\n"
                      "  step: auto  # default\n" SHAPE);
    expect_echo("time: {step: 5 us}\noutput: {}\ntitle: t\n", "title: t\n"
                                                              "seed: 1  # default\n"
                                                              "gravity: [0, 0, -9.81]  # default\n"
                                                              "time:\n"
                                                              "  end: 1 min  # default\n"
                                                              "  step: 5 us\n"
                                                              "output: {}\n" SHAPE);
}

static const char rich[] =
    "notes:\n"
    "  - {a: 1, 'odd key: #': [x, [y, {}], []]}\n"
    "  - - deep\n"
    "    - {b: \"tab\\t quote\\\" back\\\\ nel\\N ls\\L bell\\a bom\\uFEFF end\"}\n"
    "  - 'null'\n"
    "  - ''\n"
    "  - \"~\"\n"
    "  - |\n"
    "    two\n"
    "    lines\n"
    "  - \xc3\xa4\xe2\x82\xac\xf0\x9f\x8f\x94 in\n"
    "  - ' padded '\n"
    "  - '- dash'\n"
    "  - '---'\n"
    "  - '%percent'\n"
    "  - '[1, 2]'\n"
    "  - .5\n"
    "  - -1e-3 m\n"
    "  - '*a'\n"
    "title: \"run: #1\"\n"
    "time: {end: 5 min}\n"
    "gravity: [1 mm/s^2, 2]\n";

static void expect_same(const struct scree_node *a, const struct scree_node *b)
{
    cr_assert_eq(scree_node_kind(a), scree_node_kind(b));
    cr_expect_str_eq(scree_node_text(a), scree_node_text(b));
    cr_assert_eq(scree_node_count(a), scree_node_count(b));
    for (int i = 0; i < scree_node_count(a); i++) {
        if (scree_node_kind(a) == SCREE_NODE_MAP)
            cr_expect_str_eq(scree_node_key(a, i), scree_node_key(b, i));
        expect_same(scree_node_item(a, i), scree_node_item(b, i));
    }
}

Test(effective, reads_back_to_the_same)
{
    struct scree_input *first = input_of(rich), *second = NULL;
    struct run a, b;
    read_run(first, &a);
    cr_expect_eq(scree_input_finish(first), SCREE_OK);
    input_expect_errors(first, "");
    char *echo = input_printed(first, scree_input_write_effective);
    second = input_of(echo);
    read_run(second, &b);
    cr_expect_eq(scree_input_finish(second), SCREE_OK);
    input_expect_errors(second, "");
    cr_expect_str_eq(a.title, b.title);
    cr_expect(a.end == b.end && a.end == 300 && isnan(b.step) && isnan(b.every));
    cr_expect(a.seed == b.seed && b.gravity[0] == 1e-3 && b.gravity[1] == 2 && b.gravity[2] == 0);
    cr_assert(a.notes != NULL && b.notes != NULL);
    expect_same(a.notes, b.notes);
    cr_expect(strstr(echo, "notes:\n  - a: 1\n    \"odd key: #\": [x, [y, {}], []]\n") != NULL);
    cr_expect(strstr(echo, "  - - deep\n    - b: ") != NULL);
    scree_input_destroy(&first);
    scree_input_destroy(&second);
    free(echo);
}

static unsigned next_random(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/* Whatever a text holds, the reader answers with messages or values, never with a crash. True if
 * it was taken for an input; then its echo is one, too. */
static bool swallow(struct scree_input *input)
{
    struct run run;
    read_run(input, &run);
    enum scree_status status = scree_input_finish(input);
    cr_expect((status == SCREE_OK) == (scree_input_n_errors(input) == 0));
    char *errors = input_printed(input, scree_input_print_errors);
    char *echo = input_printed(input, scree_input_write_effective);
    if (status == SCREE_OK) {
        struct scree_input *again = input_of(echo);
        read_run(again, &run);
        cr_expect_eq(scree_input_finish(again), SCREE_OK, "%s", echo);
        input_expect_errors(again, "");
        scree_input_destroy(&again);
    }
    free(errors);
    free(echo);
    scree_input_destroy(&input);
    return status == SCREE_OK;
}

Test(effective, survives_damaged_texts)
{
    unsigned state = 12345;
    char text[sizeof rich], assignment[sizeof rich + 8];
    int n_taken = 0;
    for (int round = 0; round < 2000; round++) {
        memcpy(text, rich, sizeof rich);
        size_t length = sizeof rich - 1;
        unsigned kind = next_random(&state) % 4;
        size_t at = next_random(&state) % length;
        static const char marks[] = "[]{}:,#&*!|>'\"%@`-? \n\t=~.\\0";
        if (kind == 0) text[at] = (char)(next_random(&state) & 0xff);
        if (kind == 1) text[at] = marks[next_random(&state) % (sizeof marks - 1)];
        if (kind == 2) memmove(text + at, text + at + 1, length-- - at);
        if (kind == 3) text[length = at] = '\0';
        struct scree_input *input = NULL;
        scree_input_create_sized(&input, text, length, "f.yaml");
        n_taken += swallow(input);
        input = input_of("seed: 1\n");
        snprintf(assignment, sizeof assignment, "notes=%s", text);
        scree_input_override(input, assignment);
        n_taken += swallow(input);
    }
    cr_expect(n_taken > 400 && n_taken < 3600, "%d texts were taken", n_taken);
}
