/* SPDX-License-Identifier: BSD-3-Clause
 * Failure messages of this process and the way out for broken invariants. */
#include "scree/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct scree_failure failure;

static scree_abort_hook *abort_hook;
static int abort_rank;

enum scree_status scree_status_fail(enum scree_status status, const char *file, int line,
                                    const char *format, ...)
{
    if (failure.message[0] != '\0') return status;
    va_list args;
    va_start(args, format);
    vsnprintf(failure.message, sizeof failure.message, format, args);
    va_end(args);
    snprintf(failure.place, sizeof failure.place, "%s:%d", file, line);
    return status;
}

const char *scree_status_message(void)
{
    return failure.message;
}

const char *scree_status_place(void)
{
    return failure.place;
}

void scree_status_clear(void)
{
    failure.message[0] = '\0';
    failure.place[0] = '\0';
}

void scree_status_set_aside(struct scree_failure *aside)
{
    *aside = failure;
    scree_status_clear();
}

void scree_status_restore(const struct scree_failure *aside)
{
    failure = *aside;
}

enum scree_exit scree_status_exit_code(enum scree_status status)
{
    switch (status) {
    case SCREE_OK: return SCREE_EXIT_DONE;
    case SCREE_STOPPED: return SCREE_EXIT_STOPPED;
    case SCREE_INPUT: return SCREE_EXIT_INPUT;
    case SCREE_IO:
    case SCREE_MEMORY:
    case SCREE_PHYSICS: break;
    }
    return SCREE_EXIT_FAILED;
}

void scree_status_set_abort_hook(scree_abort_hook *hook, int rank)
{
    abort_hook = hook;
    abort_rank = rank;
}

_Noreturn static void leave(enum scree_exit code, const char *file, int line, const char *format,
                            va_list args)
{
    fprintf(stderr, "scree: rank %d: %s:%d: ", abort_rank, file, line);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    fflush(NULL);
    if (abort_hook != NULL) abort_hook(code);
    exit(code);
}

void scree_status_abort(const char *file, int line, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    leave(SCREE_EXIT_BUG, file, line, format, args);
}

void scree_status_give_up(const char *file, int line, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    leave(SCREE_EXIT_FAILED, file, line, format, args);
}
