/* SPDX-License-Identifier: BSD-3-Clause
 * Maps read through tables: values, defaults, and the exact words about mistakes. */
#define _POSIX_C_SOURCE 200809L
#include <float.h>
#include <math.h>

#include "input_expect.h"

struct values {
    double stiffness, ratio, step, height;
    int64_t count;
    bool contacts;
    int tension;
    const char *title;
    double gravity[3];
    bool periodic[3];
    const struct scree_node *extra;
};

static const char *const tensions[] = {"allow", "clip", NULL};
static const char *const automatic[] = {"auto", NULL};

#define AT(member) .offset = offsetof(struct values, member)

static const struct scree_param rows[] = {
    {"stiffness", SCREE_PARAM_REAL, "N/m", DBL_MIN, INFINITY, "100", NULL, AT(stiffness), "of it"},
    {"ratio", SCREE_PARAM_REAL, "", 0, 1, "0.5", NULL, AT(ratio), "of it"},
    {"step", SCREE_PARAM_REAL, "s", 0, INFINITY, "auto", automatic, AT(step), "time step"},
    {"height", SCREE_PARAM_REAL, "m", 0, 0.5, "", NULL, AT(height), "of it"},
    {"count", SCREE_PARAM_INTEGER, "", 1, INFINITY, "1_000", NULL, AT(count), "of grains"},
    {"contacts", SCREE_PARAM_BOOL, "", 0, 0, "yes", NULL, AT(contacts), "shown"},
    {"tension", SCREE_PARAM_CHOICE, "", 0, 0, "clip", tensions, AT(tension), "kept or not"},
    {"title", SCREE_PARAM_TEXT, "", 0, 0, "no title", NULL, AT(title), "of the run"},
    {"gravity", SCREE_PARAM_VECTOR, "m/s^2", 0, 0, "[0, -9.81]", NULL, AT(gravity), "pull"},
    {"periodic", SCREE_PARAM_AXES, "", 0, 0, "[x]", NULL, AT(periodic), "axes"},
    {"extra", SCREE_PARAM_NODE, "", 0, 0, "", NULL, AT(extra), "more"},
    {.key = NULL}};

static const struct scree_param required[] = {
    {"step", SCREE_PARAM_REAL, "s", 0, 0, NULL, NULL, AT(step), "time step"},
    {"title", SCREE_PARAM_TEXT, "", 0, 0, NULL, NULL, AT(title), "of the run"},
    {"count", SCREE_PARAM_INTEGER, "", 0, 0, NULL, NULL, AT(count), NULL},
    {"height", SCREE_PARAM_REAL, "m", 0, 0, NULL, NULL, AT(height), ""},
    {"tension", SCREE_PARAM_CHOICE, "", 0, 0, NULL, tensions, AT(tension), "kept or not"},
    {.key = NULL}};

static const struct scree_param optional[] = {
    {"step", SCREE_PARAM_REAL, "s", 0, 0, "", NULL, AT(step), ""},
    {"count", SCREE_PARAM_INTEGER, "", 0, 0, "", NULL, AT(count), ""},
    {"contacts", SCREE_PARAM_BOOL, "", 0, 0, "", NULL, AT(contacts), ""},
    {"tension", SCREE_PARAM_CHOICE, "", 0, 0, "", tensions, AT(tension), ""},
    {"title", SCREE_PARAM_TEXT, "", 0, 0, "", NULL, AT(title), ""},
    {"gravity", SCREE_PARAM_VECTOR, "", 0, 0, "", NULL, AT(gravity), ""},
    {"periodic", SCREE_PARAM_AXES, "", 0, 0, "", NULL, AT(periodic), ""},
    {"extra", SCREE_PARAM_NODE, "", 0, 0, "", NULL, AT(extra), ""},
    {.key = NULL}};

/* Read a text as one map and compare all that is said about it. */
static void expect_errors(const char *text, const char *errors)
{
    struct scree_input *input = input_of(text);
    struct values v;
    bool good = scree_input_read(input, scree_input_root(input), NULL, "law", rows, &v);
    bool clean = scree_input_finish(input) == SCREE_OK;
    cr_expect(clean == (errors[0] == '\0'));
    cr_expect(good || !clean);
    input_expect_errors(input, errors);
    scree_input_destroy(&input);
}

Test(schema, values)
{
    struct scree_input *input =
        input_of("stiffness: 5 kN/m\nratio: '1'\nstep: 5 us\nheight: 50 cm\n"
                 "count: 1e6\ncontacts: Off\ntension: allow\n"
                 "title: \"\"\ngravity: [1, 2 cm/s^2, -3]\n"
                 "periodic: [z, x]\nextra: {a: 1}\n");
    const struct scree_node *root = scree_input_root(input);
    struct values v;
    cr_expect(scree_input_read(input, root, NULL, "law", rows, &v));
    input_expect_errors(input, "");
    cr_expect(v.stiffness == 5000 && v.ratio == 1 && v.step == 5e-6 && v.height == 0.5);
    cr_expect(v.count == 1000000 && !v.contacts && v.tension == 0);
    cr_expect_str_eq(v.title, "");
    cr_expect(v.gravity[0] == 1 && v.gravity[1] == 0.02 && v.gravity[2] == -3);
    cr_expect(v.periodic[0] && !v.periodic[1] && v.periodic[2]);
    cr_expect_eq(v.extra, scree_node_find(root, "extra"));
    scree_input_destroy(&input);
}

Test(schema, defaults)
{
    struct scree_input *input = input_of("{}");
    struct values v;
    memset(&v, 0xff, sizeof v);
    cr_expect(scree_input_read(input, scree_input_root(input), NULL, "law", rows, &v));
    cr_expect(v.stiffness == 100 && v.ratio == 0.5 && isnan(v.step) && isnan(v.height));
    cr_expect(v.count == 1000 && v.contacts && v.tension == 1);
    cr_expect_str_eq(v.title, "no title");
    cr_expect(v.gravity[0] == 0 && v.gravity[1] == -9.81 && v.gravity[2] == 0);
    cr_expect(v.periodic[0] && !v.periodic[1] && !v.periodic[2]);
    cr_expect_null(v.extra);
    memset(&v, 0xff, sizeof v);
    cr_expect(scree_input_read(input, NULL, NULL, "law", optional, &v));
    cr_expect(isnan(v.step) && v.count == INT64_MIN && !v.contacts && v.tension == -1);
    cr_expect(v.title == NULL && isnan(v.gravity[2]) && !v.periodic[1] && v.extra == NULL);
    cr_expect_eq(scree_input_finish(input), SCREE_OK);
    scree_input_destroy(&input);
}

Test(schema, required_keys)
{
    struct scree_input *input = input_of("a: 1\ntime:\n  count: 1\n");
    const struct scree_node *root = scree_input_root(input);
    struct values v;
    cr_expect(!scree_input_read(input, scree_node_find(root, "time"), root, "time", required, &v));
    cr_expect(isnan(v.step) && v.title == NULL && v.count == 1 && v.tension == 0);
    cr_expect(!scree_input_read(input, NULL, root, "law", required + 2, &v));
    input_expect_errors(input, "f.yaml:1:1: law: 'count' is required\n"
                               "f.yaml:1:1: law: 'height' is required (m)\n"
                               "f.yaml:1:1: law: 'tension' is required (kept or not)\n"
                               "f.yaml:3:3: time: 'step' is required (s: time step)\n"
                               "f.yaml:3:3: time: 'title' is required (of the run)\n"
                               "f.yaml:3:3: time: 'height' is required (m)\n"
                               "f.yaml:3:3: time: 'tension' is required (kept or not)\n");
    scree_input_destroy(&input);
}

Test(schema, ranges)
{
    expect_errors("stiffness: -5\n", "f.yaml:1:12: law: 'stiffness' is -5 N/m, allowed > 0\n");
    expect_errors("stiffness: 0 kN/m\n", "f.yaml:1:12: law: 'stiffness' is 0 kN/m, allowed > 0\n");
    expect_errors("ratio: 1.5\n", "f.yaml:1:8: law: 'ratio' is 1.5, allowed 0 to 1\n");
    expect_errors("step: -1\n", "f.yaml:1:7: law: 'step' is -1 s, allowed >= 0\n");
    expect_errors("height: 80 cm\n", "f.yaml:1:9: law: 'height' is 80 cm, allowed 0 to 0.5 m\n");
    expect_errors("count: 0\n", "f.yaml:1:8: law: 'count' is 0, allowed >= 1\n");
}

Test(schema, wrong_values)
{
    expect_errors("step: 5 kg\n",
                  "f.yaml:1:7: law: 'step' is '5 kg', expected a time such as 5 s, got a mass\n");
    expect_errors("step: aut\n", "f.yaml:1:7: law: 'step' is 'aut', expected a time such as 1 s or "
                                 "auto; did you mean 'auto'?\n");
    expect_errors("ratio: much\n",
                  "f.yaml:1:8: law: 'ratio' is 'much', expected a number such as 1\n");
    expect_errors("count: 1.5\n", "f.yaml:1:8: law: 'count' is '1.5', expected a whole number\n");
    expect_errors("count: 5 m\n", "f.yaml:1:8: law: 'count' is '5 m', expected a whole number\n");
    expect_errors("count: 1e30\n",
                  "f.yaml:1:8: law: 'count' is '1e30', too large for a whole number\n");
    expect_errors("contacts: maybe\n",
                  "f.yaml:1:11: law: 'contacts' is 'maybe', expected true or false\n");
    expect_errors("tension: alow\n", "f.yaml:1:10: law: 'tension' is 'alow', allowed: allow, clip; "
                                     "did you mean 'allow'?\n");
    expect_errors("tension: none\n",
                  "f.yaml:1:10: law: 'tension' is 'none', allowed: allow, clip\n");
    expect_errors("periodic: [x, w]\n",
                  "f.yaml:1:15: law: 'periodic[1]' is 'w', allowed: x, y, z\n");
    expect_errors("periodic: [x, x]\n", "f.yaml:1:15: law: 'periodic[1]' is 'x', listed twice\n");
    expect_errors("periodic: []\n", "");
    expect_errors(
        "gravity: [1, 2 kg, q]\n",
        "f.yaml:1:14: law: 'gravity[1]' is '2 kg', expected an acceleration such as 2 "
        "m/s^2, got a mass\n"
        "f.yaml:1:20: law: 'gravity[2]' is 'q', expected an acceleration such as 1 m/s^2\n");
    expect_errors("gravity: [1]\n",
                  "f.yaml:1:10: law: 'gravity' is a list, expected 2 or 3 numbers, not 1\n");
}

Test(schema, wrong_kinds)
{
    expect_errors("step: [1]\nratio: {a: 1}\ncount: []\ncontacts: []\ntension: [allow]\n"
                  "title: {a: b}\ngravity: 9.81\nperiodic: x\n",
                  "f.yaml:1:7: law: 'step' is a list, expected a time such as 1 s or auto\n"
                  "f.yaml:2:8: law: 'ratio' is a map, expected a number such as 1\n"
                  "f.yaml:3:8: law: 'count' is a list, expected a whole number\n"
                  "f.yaml:4:11: law: 'contacts' is a list, expected true or false\n"
                  "f.yaml:5:10: law: 'tension' is a list, allowed: allow, clip\n"
                  "f.yaml:6:8: law: 'title' is a map, expected a text\n"
                  "f.yaml:7:10: law: 'gravity' is '9.81', expected a list of 2 or 3 numbers\n"
                  "f.yaml:8:11: law: 'periodic' is 'x', expected a list of axes such as [x, y]\n");
    struct scree_input *input = input_of("time: 5 s\nlaw: [{a: 1}]\nvoid:\n");
    const struct scree_node *root = scree_input_root(input);
    struct values v;
    for (int i = 0; i < 3; i++)
        cr_expect(!scree_input_read(input, scree_node_item(root, i), root, scree_node_key(root, i),
                                    required, &v));
    scree_input_finish(input);
    input_expect_errors(input, "f.yaml:1:7: time: expected a map (key: value), got '5 s'\n"
                               "f.yaml:2:6: law: expected a map (key: value), got a list\n"
                               "f.yaml:3:1: 'void' has no value\n");
    scree_input_destroy(&input);
}

Test(schema, missing_values)
{
    expect_errors("stiffness:\nratio: ~\ngravity: [1, ]\nperiodic: [x, null]\nextra: null\n",
                  "f.yaml:1:1: 'stiffness' has no value\n"
                  "f.yaml:2:1: 'ratio' has no value\n"
                  "f.yaml:3:10: law: 'gravity' is a list, expected 2 or 3 numbers, not 1\n"
                  "f.yaml:4:15: 'periodic[1]' has no value\n"
                  "f.yaml:5:1: 'extra' has no value\n");
    struct scree_input *input = input_of("extra:\n");
    struct values v;
    scree_input_read(input, scree_input_root(input), NULL, "input", rows, &v);
    cr_expect_null(v.extra);
    cr_expect(!scree_input_read(input, v.extra, scree_input_root(input), "extra", required, &v));
    scree_input_finish(input);
    input_expect_errors(input, "f.yaml:1:1: 'extra' has no value\n");
    scree_input_destroy(&input);
}

Test(schema, unknown_keys)
{
    expect_errors("stifness: 5\nwhat: {a: {b: 1}}\nextra: {x: 1}\n",
                  "f.yaml:1:1: unknown key 'stifness' in law; did you mean 'stiffness'?\n"
                  "f.yaml:2:1: unknown key 'what' in law; known: stiffness, ratio, step, height, "
                  "count, contacts, tension, title, gravity, periodic, extra\n"
                  "f.yaml:3:9: unknown key 'x' in 'extra'\n");
}

Test(schema, a_map_may_be_read_through_two_tables)
{
    static const struct scree_param first[] = {
        {"law", SCREE_PARAM_TEXT, "", 0, 0, "q", NULL, AT(title), ""}, {.key = NULL}};
    static const struct scree_param second[] = {
        {"law", SCREE_PARAM_TEXT, "", 0, 0, "r", NULL, AT(title), ""},
        {"step", SCREE_PARAM_REAL, "", 0, 0, "1", NULL, AT(step), ""},
        {.key = NULL}};
    struct scree_input *input = input_of("step: 2\nother: 3\nlwa: 4\n");
    const struct scree_node *root = scree_input_root(input);
    struct values v;
    cr_expect(scree_input_read(input, root, NULL, "normal law 'linear'", first, &v));
    cr_expect_str_eq(v.title, "q");
    cr_expect(scree_input_read(input, root, NULL, "second", second, &v));
    cr_expect_str_eq(v.title, "r");
    cr_expect(scree_input_read(input, root, NULL, "second", second, &v));
    scree_input_finish(input);
    input_expect_errors(
        input, "f.yaml:2:1: unknown key 'other' in normal law 'linear'; known: law, step\n"
               "f.yaml:3:1: unknown key 'lwa' in normal law 'linear'; did you mean 'law'?\n");
    scree_input_destroy(&input);
}
