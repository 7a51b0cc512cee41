/* SPDX-License-Identifier: BSD-3-Clause
 * What commands there are, and what each of them takes. Private to cli. */
#ifndef SCREE_USAGE_H
#define SCREE_USAGE_H

#include <stdbool.h>
#include <stdio.h>

/* Names of all commands, ends with NULL. */
extern const char *const scree_cli_commands[];
bool scree_usage_is_command(const char *word);
/* All commands and options; or, with its options, one of them. */
void scree_usage_print(FILE *out);
/* A manual page; what bash needs to complete words. */
void scree_usage_print_man(FILE *out, const char *version);
void scree_usage_print_completion(FILE *out);
void scree_usage_print_command(FILE *out, const char *command);

#endif
