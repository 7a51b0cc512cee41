/* SPDX-License-Identifier: BSD-3-Clause
 * Messages to the user, on the terminal and in the log file of the results folder. */
#define _POSIX_C_SOURCE 200809L
#include "scree/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static struct {
    enum scree_log_level most;
    bool speaks;
    bool redrawn; /* a redrawn line is on the terminal and must be closed first */
    FILE *file;
} voice = {SCREE_LOG_INFO, true, false, NULL};

static const char *const prefix[] = {"error: ", "warning: ", "", ""};

void scree_log_init(enum scree_log_level most, bool speaks)
{
    voice.most = most;
    voice.speaks = speaks;
}

bool scree_log_open(const char *path)
{
    scree_log_close();
    if (path == NULL || !voice.speaks) return true;
    voice.file = fopen(path, "a");
    return voice.file != NULL;
}

void scree_log_close(void)
{
    if (voice.file != NULL) fclose(voice.file);
    voice.file = NULL;
}

bool scree_log_speaks(void)
{
    return voice.speaks;
}

/* mpirun gives its ranks a terminal of their own whatever its own output is, so what they see tells
 * nothing about where their lines end up. */
bool scree_log_is_terminal(void)
{
    return isatty(STDOUT_FILENO) == 1 && getenv("OMPI_COMM_WORLD_SIZE") == NULL &&
           getenv("PMI_SIZE") == NULL;
}

static void write_line(FILE *stream, const char *before, const char *format, va_list args)
{
    fputs(before, stream);
    vfprintf(stream, format, args);
    fputc('\n', stream);
    fflush(stream);
}

void scree_log(enum scree_log_level level, const char *format, ...)
{
    if (level > voice.most || (!voice.speaks && level != SCREE_LOG_ERROR)) return;
    if (voice.redrawn) fputs("\n", stdout);
    voice.redrawn = false;

    va_list args;
    va_start(args, format);
    write_line(level <= SCREE_LOG_WARNING ? stderr : stdout, prefix[level], format, args);
    va_end(args);
    if (voice.file == NULL) return;
    va_start(args, format);
    write_line(voice.file, prefix[level], format, args);
    va_end(args);
}

void scree_log_redraw(const char *format, ...)
{
    if (!voice.speaks || voice.most < SCREE_LOG_INFO || !scree_log_is_terminal()) return;
    va_list args;
    va_start(args, format);
    fputs("\r\033[K", stdout);
    vfprintf(stdout, format, args);
    fflush(stdout);
    va_end(args);
    voice.redrawn = true;
}
