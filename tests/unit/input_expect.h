/* SPDX-License-Identifier: BSD-3-Clause
 * What the tests of the input module share: texts that an input prints, compared exactly. */
#ifndef SCREE_TESTS_INPUT_EXPECT_H
#define SCREE_TESTS_INPUT_EXPECT_H

#ifndef _POSIX_C_SOURCE
#error "define _POSIX_C_SOURCE 200809L first: open_memstream"
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scree/input.h"
#include "unit.h"

typedef void input_printer(const struct scree_input *input, FILE *stream);

/* Caller frees. */
static inline char *input_printed(const struct scree_input *input, input_printer *print)
{
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    print(input, stream);
    fclose(stream);
    return text;
}

static inline void input_expect(const struct scree_input *input, input_printer *print,
                                const char *expected)
{
    char *text = input_printed(input, print);
    cr_expect_str_eq(text, expected, "\n--- printed\n%s--- expected\n%s---", text, expected);
    free(text);
}

static inline void input_expect_errors(const struct scree_input *input, const char *expected)
{
    input_expect(input, scree_input_print_errors, expected);
}

static inline struct scree_input *input_of(const char *text)
{
    struct scree_input *input = NULL;
    cr_assert_eq(scree_input_create(&input, text, "f.yaml"), SCREE_OK);
    return input;
}

#endif
