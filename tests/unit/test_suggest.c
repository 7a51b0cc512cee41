/* SPDX-License-Identifier: BSD-3-Clause
 * The word that was meant. */
#include <string.h>

#include "scree/input.h"
#include "unit.h"

static const char *const known[] = {"stiffness", "damping", "density", "law",
                                    "friction",  "x",       NULL};

static void expect_word(const char *word, const char *meant)
{
    const char *found = scree_suggest(word, known);
    if (meant == NULL)
        cr_expect_null(found, "'%s' -> '%s'", word, found);
    else
        cr_expect(found != NULL && strcmp(found, meant) == 0, "'%s' -> '%s', not '%s'", word,
                  found == NULL ? "nothing" : found, meant);
}

Test(suggest, finds_misspelt_words)
{
    expect_word("stifness", "stiffness");
    expect_word("stiffnes", "stiffness");
    expect_word("siffnets", "stiffness");
    expect_word("dampign", "damping"); /* a swap counts once */
    expect_word("lwa", "law");
    expect_word("LAW", "law");
    expect_word("Dampings", "damping");
    expect_word("density", "density");
}

Test(suggest, keeps_silent_when_nothing_is_close)
{
    expect_word("colour", NULL);
    expect_word("la", "law");
    expect_word("lo", NULL);
    expect_word("y", NULL);
    expect_word("", NULL);
    expect_word("stfns", NULL);
}

Test(suggest, takes_the_closest_and_survives_long_words)
{
    static const char *const near[] = {"radius", "radii", "ratio", NULL};
    cr_expect_str_eq(scree_suggest("radios", near), "radius");
    cr_expect_str_eq(scree_suggest("radi", near), "radii");
    char longest[300];
    memset(longest, 'a', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    cr_expect_null(scree_suggest(longest, near));
    const char *const far[] = {longest, NULL};
    cr_expect_null(scree_suggest("aaa", far));
}
