/* SPDX-License-Identifier: BSD-3-Clause
 * Status codes and failure messages: how functions say that a run cannot go on. */
#ifndef SCREE_STATUS_H
#define SCREE_STATUS_H

/* Ordered by severity: ranks agree on the largest. */
enum scree_status {
    SCREE_OK = 0,
    SCREE_STOPPED, /* stopped on request, state saved */
    SCREE_INPUT,   /* wrong input; messages were collected */
    SCREE_IO,      /* file missing, unreadable, full disk */
    SCREE_MEMORY,  /* allocation refused */
    SCREE_PHYSICS  /* unstable step, lost grain, force out of range */
};

/* Process exit codes (the table "Errors" in src/README.md). */
enum scree_exit {
    SCREE_EXIT_DONE = 0,
    SCREE_EXIT_FAILED = 1,
    SCREE_EXIT_INPUT = 2,
    SCREE_EXIT_BUG = 3,
    SCREE_EXIT_STOPPED = 75
};

/* Remember a message for the failure under way and return `status`. The first message of a
 * failure is kept; later ones are dropped until scree_status_clear(). */
enum scree_status scree_status_fail(enum scree_status status, const char *file, int line,
                                    const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Text of the last failure ("" if none), without source position. */
const char *scree_status_message(void);
/* "file.c:123" where the last failure was raised ("" if none). */
const char *scree_status_place(void);
void scree_status_clear(void);
/* Set the failure under way aside, to try something else meanwhile; make it the last one again. */
struct scree_failure {
    char message[1024], place[256];
};
void scree_status_set_aside(struct scree_failure *aside);
void scree_status_restore(const struct scree_failure *aside);

enum scree_exit scree_status_exit_code(enum scree_status status);

/* Called by scree_status_abort() instead of exit(); comm installs one that ends all ranks. */
typedef void scree_abort_hook(int exit_code);
void scree_status_set_abort_hook(scree_abort_hook *hook, int rank);
__attribute__((noreturn)) void scree_status_abort(const char *file, int line, const char *format,
                                                  ...) __attribute__((format(printf, 3, 4)));

/* End all ranks for what is nobody's bug but leaves no way back, such as memory that is not there.
 */
__attribute__((noreturn)) void scree_status_give_up(const char *file, int line, const char *format,
                                                    ...) __attribute__((format(printf, 3, 4)));

#define SCREE_FAIL(status, ...) scree_status_fail((status), __FILE__, __LINE__, __VA_ARGS__)

/* Leave the calling function with `status` and a message unless `ok`. */
#define SCREE_CHECK(ok, status, ...)                         \
    do {                                                     \
        if (!(ok)) return SCREE_FAIL((status), __VA_ARGS__); \
    } while (0)

/* Leave the calling function with the status of `call` unless it is SCREE_OK. For local calls
 * and for statuses that the ranks have already agreed on. */
#define SCREE_TRY(call)                                              \
    do {                                                             \
        enum scree_status scree_try_status_ = (call);                \
        if (scree_try_status_ != SCREE_OK) return scree_try_status_; \
    } while (0)

/* A broken invariant, checked in every build: the bug is ours, not the user's. */
#define SCREE_ABORT(...) scree_status_abort(__FILE__, __LINE__, __VA_ARGS__)

#ifdef NDEBUG
#define SCREE_ASSERT(ok) ((void)sizeof(ok))
#else
#define SCREE_ASSERT(ok) \
    ((ok) ? (void)0 : scree_status_abort(__FILE__, __LINE__, "broken invariant: %s", #ok))
#endif

#endif
