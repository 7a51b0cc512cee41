/* SPDX-License-Identifier: BSD-3-Clause
 * Overrides from the command line. */
#define _POSIX_C_SOURCE 200809L
#include "input_expect.h"

static const char text[] = "seed: 7\n"
                           "time: {end: 5 s}\n"
                           "empty:\n"
                           "contacts:\n"
                           "  - normal: {stiffness: 5}\n"
                           "  - normal: {stiffness: 6}\n";

static void expect_echo(const char *assignment, const char *echo)
{
    struct scree_input *input = input_of(text);
    scree_input_override(input, assignment);
    input_expect_errors(input, "");
    input_expect(input, scree_input_write_effective, echo);
    scree_input_destroy(&input);
}

static void expect_refusal(const char *assignment, const char *errors)
{
    struct scree_input *input = input_of(text);
    scree_input_override(input, assignment);
    input_expect_errors(input, errors);
    scree_node_mark_all_used(scree_input_root(input));
    scree_input_destroy(&input);
}

#define HEAD  "seed: 7\ntime:\n  end: 5 s\n"
#define TAIL1 "contacts:\n  - normal:\n      stiffness: 5\n  - normal:\n      stiffness: 6\n"

Test(override, changes_and_adds)
{
    expect_echo("seed=8", "seed: 8\ntime:\n  end: 5 s\nempty: ~\n" TAIL1);
    expect_echo("time.step=1 us", HEAD "  step: 1 us\nempty: ~\n" TAIL1);
    expect_echo("contacts.1.normal.stiffness=1e3 N/m",
                HEAD "empty: ~\ncontacts:\n  - normal:\n      stiffness: 5\n  - normal:\n"
                     "      stiffness: 1e3 N/m\n");
    expect_echo("empty.a.b=[1, {c: x}]",
                HEAD "empty:\n  a:\n    b:\n      - 1\n      - c: x\n" TAIL1);
    expect_echo("new.deep=[0, 0, -9.81]", HEAD "empty: ~\n" TAIL1 "new:\n  deep: [0, 0, -9.81]\n");
    expect_echo("time={end: 1, step: auto}",
                "seed: 7\ntime:\n  end: 1\n  step: auto\nempty: ~\n" TAIL1);
    expect_echo("contacts=[]", HEAD "empty: ~\ncontacts: []\n");
    expect_echo("seed=a=b", "seed: \"a=b\"\ntime:\n  end: 5 s\nempty: ~\n" TAIL1);
}

Test(override, refuses_what_leads_nowhere)
{
    expect_refusal("seed", "--set seed: expected key=value such as time.end=5 s\n");
    expect_refusal("=5", "--set =5: expected key=value such as time.end=5 s\n");
    expect_refusal("seed=", "--set seed=: 'seed' has no value\n");
    expect_refusal("a..b=1", "--set a..b=1: the path holds an empty word\n");
    expect_refusal("a.=1", "--set a.=1: the path holds an empty word\n");
    expect_refusal("seed.x=1", "--set seed.x=1: 'seed' is a single value, not a map or list\n");
    expect_refusal("time.end.x=1",
                   "--set time.end.x=1: 'time.end' is a single value, not a map or list\n");
    expect_refusal("contacts.2.x=1",
                   "--set contacts.2.x=1: 'contacts' is a list of 2 items, numbered 0 to 1\n");
    expect_refusal("contacts.normal=1",
                   "--set contacts.normal=1: 'contacts' is a list of 2 items, numbered 0 to 1\n");
    expect_refusal("contacts.-1=1",
                   "--set contacts.-1=1: 'contacts' is a list of 2 items, numbered 0 to 1\n");
    expect_refusal("seed=[1", "--set seed=[1: YAML: did not find expected ',' or ']'\n");
    expect_refusal("seed={a: 1, a: 2}", "--set seed={a: 1, a: 2}: key 'a' appears twice\n");
    expect_refusal("seed=\xff", "--set seed=\xff: the text is not UTF-8\n");
    expect_refusal(
        "1.2.3.4.5.6.7.8.9.1.2.3.4.5.6.7.8.9.1.2.3.4.5.6.7.8.9.1.2.3.4.5.6.7.8.9."
        "1.2.3.4.5.6.7.8.9.1.2.3.4.5.6.7.8.9.1.2.3.4.5.6.7.8.9.1.2.3.4.5.6.7.8.9=1",
        "--set 1.2.3.4.5.6.7.8.9.1.2.3.4.5.6.7.8.9.1.2.3.4.5.6.7.8.9.1.2.3....: the path "
        "is too deep\n");
}

Test(override, mistakes_in_overridden_values_name_the_override)
{
    static const struct scree_param rows[] = {{.key = "end",
                                               .type = SCREE_PARAM_REAL,
                                               .unit = "s",
                                               .offset = 0,
                                               .help = "end of the run"},
                                              {.key = NULL}};
    struct scree_input *input = input_of(text);
    double end = 0;
    scree_input_override(input, "time.end=5 kg");
    scree_input_override(input, "time.ent=1");
    const struct scree_node *time = scree_node_find(scree_input_root(input), "time");
    cr_expect_eq(scree_node_line(scree_node_find(time, "end")), 0);
    cr_expect(!scree_input_read(input, time, NULL, "time", rows, &end));
    for (int i = 0; i < scree_node_count(scree_input_root(input)); i++)
        if (i != 1) scree_node_mark_all_used(scree_node_item(scree_input_root(input), i));
    scree_input_finish(input);
    input_expect_errors(input,
                        "f.yaml:3:1: 'empty' has no value\n"
                        "--set time.end=5 kg: time: 'end' is '5 kg', expected a time such as "
                        "5 s, got a mass\n"
                        "--set time.ent=1: unknown key 'ent' in time; did you mean 'end'?\n");
    scree_input_destroy(&input);
}
