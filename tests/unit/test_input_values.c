/* SPDX-License-Identifier: BSD-3-Clause
 * Single values of an input: ranges, reals in lists, whole numbers. */
#define _POSIX_C_SOURCE 200809L
#include <float.h>
#include <math.h>

#include "input_expect.h"

Test(input_values, one_sided_ranges)
{
    static const struct scree_param sided[] = {
        {"a", SCREE_PARAM_REAL, "m", DBL_MIN, 2, "1", NULL, 0, ""},
        {"b", SCREE_PARAM_REAL, "m", -INFINITY, 2, "1", NULL, 0, ""},
        {"c", SCREE_PARAM_REAL, "m", -2, INFINITY, "1", NULL, 0, ""},
        {"d", SCREE_PARAM_REAL, "m", -INFINITY, INFINITY, "1", NULL, 0, ""},
        {.key = NULL}};
    struct scree_input *input = input_of("a: 0\nb: 3\nc: -3\nd: -1e9\n");
    double v;
    cr_expect(!scree_input_read(input, scree_input_root(input), NULL, "", sided, &v));
    input_expect_errors(input, "f.yaml:1:4: 'a' is 0 m, allowed > 0 and <= 2 m\n"
                               "f.yaml:2:4: 'b' is 3 m, allowed <= 2 m\n"
                               "f.yaml:3:4: 'c' is -3 m, allowed >= -2 m\n");
    scree_input_destroy(&input);
}

Test(input_values, single_reals)
{
    struct scree_input *input = input_of("uniform: [0.5 mm, 2 kg, ~, {a: 1}]\n");
    const struct scree_node *list = scree_node_item(scree_input_root(input), 0);
    double value = 0;
    cr_expect(scree_input_real(input, scree_node_item(list, 0), "m", &value));
    cr_expect_eq(value, 5e-4);
    for (int i = 1; i < 4; i++)
        cr_expect(!scree_input_real(input, scree_node_item(list, i), "m", &value));
    cr_expect_eq(scree_input_finish(input), SCREE_INPUT);
    input_expect_errors(
        input, "f.yaml:1:19: 'uniform[1]' is '2 kg', expected a length such as 2 m, got a mass\n"
               "f.yaml:1:25: 'uniform[2]' has no value\n"
               "f.yaml:1:28: 'uniform[3]' is a map, expected a length such as 1 m\n");
    scree_input_destroy(&input);
}

static void expect_seed(const char *text, int64_t expected)
{
    char line[200];
    static const struct scree_param rows[] = {
        {"seed", SCREE_PARAM_INTEGER, "", 0, 0, "1", NULL, 0, ""}, {.key = NULL}};
    int64_t seed = 0;
    snprintf(line, sizeof line, "seed: %s\n", text);
    struct scree_input *input = input_of(line);
    bool good = scree_input_read(input, scree_input_root(input), NULL, "", rows, &seed);
    cr_expect(good == (expected != -1), "seed '%s'", text);
    if (good) cr_expect(seed == expected, "seed '%s' is %lld", text, (long long)seed);
    scree_input_destroy(&input);
}

Test(input_values, whole_numbers)
{
    expect_seed("1e6", 1000000);
    expect_seed("1_000_000", 1000000);
    expect_seed("1.5e3", 1500);
    expect_seed("2.0", 2);
    expect_seed("+7", 7);
    expect_seed("-12e1", -120);
    expect_seed("100e-2", 1);
    expect_seed("9007199254740993", 9007199254740993);
    expect_seed("9223372036854775807", INT64_MAX);
    expect_seed("-9223372036854775807", -INT64_MAX);
    expect_seed("-9223372036854775808", INT64_MIN);
    expect_seed("0e99999999999", 0);
    static const char *const wrong[] = {"1.5",          "1e-1", "9223372036854775808",
                                        "1e19",         "0x10", "nan",
                                        "1__0",         "_1",   "1_",
                                        "1e",           "",     "1 2",
                                        "1,0",          "12 m", "-9223372036854775809",
                                        "1e99999999999"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) expect_seed(wrong[i], -1);
}
