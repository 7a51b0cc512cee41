/* SPDX-License-Identifier: BSD-3-Clause
 * Messages to the user: levels, one voice (rank 0), a copy in the results folder. */
#ifndef SCREE_LOG_H
#define SCREE_LOG_H

#include <stdbool.h>

enum scree_log_level { SCREE_LOG_ERROR, SCREE_LOG_WARNING, SCREE_LOG_INFO, SCREE_LOG_DETAIL };

/* `speaks` is true on rank 0 only; the others keep silent except for errors of their own. */
void scree_log_init(enum scree_log_level most, bool speaks);
/* Also append to this file from now on (NULL: stop). Returns false if it cannot be opened. */
bool scree_log_open(const char *path);
void scree_log_close(void);
bool scree_log_speaks(void);

/* Errors and warnings go to stderr, the rest to stdout. A newline is added. */
void scree_log(enum scree_log_level level, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A line that the next one overwrites, on a terminal only; nothing goes to the log file. */
void scree_log_redraw(const char *format, ...) __attribute__((format(printf, 1, 2)));
bool scree_log_is_terminal(void);

#endif
