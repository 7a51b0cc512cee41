/* SPDX-License-Identifier: BSD-3-Clause
 * From YAML text to a tree with places; texts that are no input. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>

#include "input_expect.h"

static void expect_broken(const char *text, const char *errors)
{
    struct scree_input *input = input_of(text);
    input_expect_errors(input, errors);
    cr_expect_eq(scree_node_kind(scree_input_root(input)), SCREE_NODE_MAP);
    scree_node_mark_all_used(scree_input_root(input));
    cr_expect_eq(scree_input_finish(input), SCREE_INPUT);
    input_expect_errors(input, errors);
    scree_input_destroy(&input);
    cr_expect_null(input);
}

Test(input_tree, navigation)
{
    struct scree_input *input = input_of("title: a b\n"
                                         "list: [1, {two: 2}, 'three']\n"
                                         "map:\n"
                                         "  inner: \"x\\ty\"\n");
    const struct scree_node *root = scree_input_root(input);
    cr_assert_eq(scree_node_count(root), 3);
    cr_expect_str_eq(scree_node_key(root, 1), "list");
    cr_expect_null(scree_node_key(root, 3));
    cr_expect_null(scree_node_item(root, -1));
    const struct scree_node *list = scree_node_find(root, "list");
    cr_assert_eq(scree_node_kind(list), SCREE_NODE_LIST);
    cr_assert_eq(scree_node_count(list), 3);
    cr_expect_null(scree_node_key(list, 0));
    cr_expect_null(scree_node_find(list, "two"));
    cr_expect_str_eq(scree_node_text(scree_node_item(list, 2)), "three");
    cr_expect_str_eq(scree_node_text(list), "");
    const struct scree_node *map = scree_node_find(root, "map");
    cr_expect_eq(scree_node_line(map), 4);
    cr_expect_str_eq(scree_node_text(scree_node_find(map, "inner")), "x\ty");
    cr_expect_eq(scree_node_line(scree_node_find(map, "inner")), 4);
    cr_expect_null(scree_node_find(map, "outer"));
    cr_expect_str_eq(scree_input_text(input) + 7, "a b\nlist: [1, {two: 2}, 'three']\n"
                                                  "map:\n  inner: \"x\\ty\"\n");
    cr_expect_eq(scree_input_n_errors(input), 0);
    scree_input_destroy(&input);
    scree_input_destroy(&input);
}

Test(input_tree, byte_order_mark_and_crlf)
{
    struct scree_input *input = input_of("\xef\xbb\xbf"
                                         "a: 1\r\nb:\r\n  c: 2\r\n");
    const struct scree_node *root = scree_input_root(input);
    cr_expect_str_eq(scree_node_text(scree_node_find(root, "a")), "1");
    const struct scree_node *c = scree_node_find(scree_node_find(root, "b"), "c");
    cr_expect_str_eq(scree_node_text(c), "2");
    scree_input_error(input, scree_node_find(root, "a"), "here");
    scree_input_error(input, c, "and here");
    input_expect_errors(input, "f.yaml:1:4: here\nf.yaml:3:6: and here\n");
    scree_input_destroy(&input);
}

Test(input_tree, no_input_at_all)
{
    expect_broken("", "f.yaml: the input is empty\n");
    expect_broken("\n  \n# only a comment\n", "f.yaml: the input is empty\n");
    expect_broken("---\n", "f.yaml: the input is empty\n");
    expect_broken("~\n", "f.yaml: the input is empty\n");
    expect_broken("\xef\xbb\xbf", "f.yaml: the input is empty\n");
    expect_broken("[1, 2]\n", "f.yaml:1:1: expected a map (key: value), got a list\n");
    expect_broken("\n just words\n", "f.yaml:2:2: expected a map (key: value), got 'just words'\n");
}

Test(input_tree, syntax_errors_have_a_place)
{
    expect_broken("a: {b: 1\nc: 2\n",
                  "f.yaml:2:2: YAML: did not find expected ',' or '}' while parsing a flow mapping "
                  "at line 1\n");
    expect_broken(
        "a: [1, 2\n",
        "f.yaml:2:1: YAML: did not find expected ',' or ']' while parsing a flow sequence "
        "at line 1\n");
    expect_broken("a: 1\n\tb: 2\n", "f.yaml:2:1: a tab indents this line; YAML wants spaces\n");
    expect_broken("a: b: c\n",
                  "f.yaml:1:5: YAML: mapping values are not allowed in this context\n");
    expect_broken("a: 1\n---\nb: 2\n",
                  "f.yaml:2:1: a second document starts here; one is allowed\n");
}

Test(input_tree, bytes_that_are_no_text)
{
    struct scree_input *input = NULL;
    scree_input_create_sized(&input, "a: 1\nb\0: 2\n", 11, "f.yaml");
    input_expect_errors(input, "f.yaml:2:2: a NUL byte stands in the text\n");
    scree_input_destroy(&input);
    expect_broken("a: \xc3\xa4\n\xff: 2\n", "f.yaml:2:1: the text is not UTF-8\n");
    expect_broken("a: \xc3\xa4\xe4\n", "f.yaml:1:5: the text is not UTF-8\n");
    expect_broken("a: \xc0\x80", "f.yaml:1:4: the text is not UTF-8\n");
    expect_broken("a: \xed\xa0\x80", "f.yaml:1:4: the text is not UTF-8\n");
    expect_broken("a: \xf4\x90\x80\x80", "f.yaml:1:4: the text is not UTF-8\n");
    expect_broken("a: \xe2\x82", "f.yaml:1:4: the text is not UTF-8\n");
    expect_broken("\xfe\xff", "f.yaml:1:1: the text is not UTF-8\n");
    expect_broken("a: \x01\n", "f.yaml:1:4: a control character stands in the text\n");
}

static double number_at(const struct scree_node *node, const char *key)
{
    struct scree_input *none = NULL;
    double value = NAN;
    const struct scree_node *found = scree_node_find(node, key);
    if (found != NULL) scree_input_real(none, found, "1", &value);
    return value;
}

Test(input_tree, aliases_are_copies_and_merges_fill_up)
{
    struct scree_input *input = input_of("a: &x {p: 1, q: &y 2}\n"
                                         "b: *x\n"
                                         "c: {q: 3, <<: *x, r: *y}\n"
                                         "d: {<<: [{p: 5}, *x]}\n"
                                         "e: [&x 7, *x]\n");
    const struct scree_node *root = scree_input_root(input), *b = scree_node_find(root, "b");
    const struct scree_node *c = scree_node_find(root, "c"), *d = scree_node_find(root, "d");
    cr_expect(b != scree_node_find(root, "a"));
    cr_expect_eq(number_at(b, "p"), 1.0);
    cr_expect_eq(number_at(b, "q"), 2.0);
    cr_expect_eq(number_at(c, "p"), 1.0);
    cr_expect_eq(number_at(c, "q"), 3.0);
    cr_expect_eq(number_at(c, "r"), 2.0);
    cr_expect_eq(scree_node_count(c), 3);
    cr_expect_eq(number_at(d, "p"), 5.0);
    cr_expect_eq(number_at(d, "q"), 2.0);
    cr_expect_str_eq(scree_node_text(scree_node_item(scree_node_find(root, "e"), 1)), "7");
    cr_expect_eq(scree_node_line(b), 1); /* where its text stands */
    scree_input_destroy(&input);
}

/* Ten of ten of ten ...: a small text that would fill any memory. */
Test(input_tree, aliases_of_aliases_have_an_end)
{
    char text[2000] = "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n";
    for (int k = 1; k < 12; k++) {
        size_t n = strlen(text);
        int used = snprintf(text + n, sizeof text - n, "a%d: &a%d [", k, k);
        for (int m = 0; m < 10; m++)
            used += snprintf(text + n + used, sizeof text - n - (size_t)used, "*a%d%s", k - 1,
                             m < 9 ? ", " : "]\n");
    }
    struct scree_input *input = input_of(text);
    cr_expect_gt(scree_input_n_errors(input), 0);
    scree_input_destroy(&input);
}

Test(input_tree, things_of_yaml_that_are_refused)
{
    expect_broken("a: 1\nb: 2\na: 3\n", "f.yaml:3:1: key 'a' appears twice, first in line 1\n");
    expect_broken("a: *x\nb: &x 1\n", "f.yaml:1:4: alias *x: no anchor &x stands before it\n");
    expect_broken("a: &x [*x]\n", "f.yaml:1:8: alias *x: no anchor &x stands before it\n");
    expect_broken("a: &x 1\nb: {<<: *x}\n",
                  "f.yaml:1:4: '<<' wants a map or a list of maps, as in '<<: *name'\n");
    expect_broken("a: !!int 1\n", "f.yaml:1:4: tags (!name) are not supported\n");
    expect_broken("? [1, 2]\n: 3\n", "f.yaml:1:3: a key must be a word\n");
    expect_broken("'': 3\n", "f.yaml:1:1: a key must be a word\n");
    expect_broken("a: \"x\\0y\"\n", "f.yaml:1:4: a NUL character stands in the value\n");
}

Test(input_tree, limits)
{
    char deep[200 + 20] = "a: ";
    memset(deep + 3, '[', 200);
    expect_broken(deep, "f.yaml:1:67: nested deeper than 64 levels\n");
    char flat[128];
    strcpy(flat, "a: ");
    memset(flat + 3, '[', 62);
    memset(flat + 65, ']', 62);
    flat[127] = '\0';
    struct scree_input *input = input_of(flat);
    input_expect_errors(input, "");
    scree_input_destroy(&input);

    size_t length = 70000;
    char *huge = malloc(length + 1);
    memset(huge, 'x', length);
    memcpy(huge, "a: ", 3);
    huge[length] = '\0';
    expect_broken(huge, "f.yaml:1:4: a value of 69997 bytes is too long, allowed <= 65536\n");
    memset(huge, 'x', 200);
    strcpy(huge + 200, ": 1\n");
    expect_broken(huge, "f.yaml:1:1: a key of 200 bytes is too long, allowed <= 128\n");
    free(huge);
}

Test(input_tree, mistakes_are_sorted_and_said_once)
{
    struct scree_input *input = input_of("a: 1\nb: [2, 3]\n");
    const struct scree_node *b = scree_node_find(scree_input_root(input), "b");
    scree_input_error(input, scree_node_item(b, 1), "third");
    scree_input_error(input, scree_node_item(b, 0), "second %d", 2);
    scree_input_error(input, scree_node_item(b, 0), "also\nsecond");
    scree_input_error(input, scree_node_item(b, 1), "third");
    scree_input_error(input, scree_node_find(scree_input_root(input), "a"), "first");
    scree_input_error(input, NULL, "as a whole");
    cr_expect_eq(scree_input_n_errors(input), 6); /* one of them met twice */
    input_expect_errors(input, "f.yaml: as a whole\n"
                               "f.yaml:1:4: first\n"
                               "f.yaml:2:5: second 2\n"
                               "f.yaml:2:5: also?second\n"
                               "f.yaml:2:8: third\n");
    scree_input_destroy(&input);
}

/* Who reads a value that was refused while parsing must learn of it, without a second message. */
Test(input_tree, refused_values_count_whenever_they_are_read)
{
    struct scree_input *input = input_of("a: *b\nc: \"x\\0y\"\nd: [*e]\n");
    const struct scree_node *root = scree_input_root(input);
    const struct scree_node *list = scree_node_find(root, "d");
    const struct scree_node *refused[] = {scree_node_find(root, "a"), scree_node_find(root, "c"),
                                          scree_node_item(list, 0)};
    for (int k = 0; k < 3; k++) {
        double value = 7.0;
        int before = scree_input_n_errors(input);
        cr_expect_eq(scree_node_kind(refused[k]), SCREE_NODE_REFUSED);
        cr_expect_str_eq(scree_node_text(refused[k]), "");
        cr_expect_eq(scree_node_count(refused[k]), 0);
        cr_expect_not(scree_input_real(input, refused[k], "m", &value));
        cr_expect_eq(value, 7.0);
        cr_expect_eq(scree_input_n_errors(input), before + 1);
        scree_input_error(input, refused[k], "expected a list");
        scree_input_unknown(input, refused[k], "word", "", (const char *const[]){"x", NULL});
        cr_expect_eq(scree_input_n_errors(input), before + 3);
    }
    scree_node_mark_used(list);
    cr_expect_eq(scree_input_finish(input), SCREE_INPUT);
    input_expect_errors(input, "f.yaml:1:4: alias *b: no anchor &b stands before it\n"
                               "f.yaml:2:4: a NUL character stands in the value\n"
                               "f.yaml:3:5: alias *e: no anchor &e stands before it\n");
    scree_input_destroy(&input);
}

Test(input_tree, unread_keys_without_tables)
{
    struct scree_input *input = input_of("walked:\n  read: 1\n  unread: {deep: 2}\n"
                                         "whole: {a: {b: 1}, c: [{d: 1}]}\n"
                                         "list: [1, {left: 2}]\n"
                                         "never: {x: 1, y: 2}\nnothing:\n");
    const struct scree_node *root = scree_input_root(input);
    scree_node_mark_used(scree_node_find(scree_node_find(root, "walked"), "read"));
    scree_node_mark_all_used(scree_node_find(root, "whole"));
    scree_node_mark_used(scree_node_find(root, "list"));
    scree_node_mark_used(scree_node_find(root, "nothing"));
    cr_expect_eq(scree_input_finish(input), SCREE_INPUT);
    cr_expect_eq(scree_input_finish(input), SCREE_INPUT);
    input_expect_errors(input, "f.yaml:3:3: unknown key 'unread' in 'walked'\n"
                               "f.yaml:5:12: unknown key 'left' in 'list[1]'\n"
                               "f.yaml:6:1: unknown key 'never'\n"
                               "f.yaml:7:1: 'nothing' has no value\n");
    scree_input_destroy(&input);
}

Test(input_tree, unknown_words)
{
    static const char *const laws[] = {"linear", "hertz", NULL};
    struct scree_input *input = input_of("normal: {law: lineer, stiffness: 5}\n"
                                         "tangential: {law: q, friction: 1}\n");
    const struct scree_node *root = scree_input_root(input);
    for (int i = 0; i < 2; i++) {
        const struct scree_node *law = scree_node_find(scree_node_item(root, i), "law");
        scree_input_unknown(input, law, "law", scree_node_text(law), laws);
    }
    scree_input_finish(input);
    input_expect_errors(input, "f.yaml:1:15: unknown law 'lineer'; did you mean 'linear'?\n"
                               "f.yaml:2:19: unknown law 'q'; known: linear, hertz\n");
    scree_input_destroy(&input);
}
