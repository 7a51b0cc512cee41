/* SPDX-License-Identifier: BSD-3-Clause
 * Files and folders of a run: read on one rank for all, never overwrite by accident. */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"
#include "scree/alloc.h"

enum { LARGEST_INPUT = 64 << 20 };

/* To the end of a file or a pipe, whose length nobody knows beforehand. */
static enum scree_status read_stream(FILE *f, const char *name, char **bytes, size_t *n_bytes)
{
    char *text = NULL;
    size_t room = 0, n = 0, more;
    do {
        SCREE_GROW(text, n, room, n + (1 << 16));
        more = fread(text + n, 1, room - n - 1, f); /* a zero comes after it */
        n += more;
    } while (more > 0 && n <= LARGEST_INPUT);
    int why = errno;
    bool failed = ferror(f) != 0;
    if (failed || n > LARGEST_INPUT) scree_alloc_free(text);
    SCREE_CHECK(!failed, SCREE_IO, "cannot read %s: %s", name, strerror(why));
    SCREE_CHECK(n <= LARGEST_INPUT, SCREE_IO, "%s has more than %d MB", name, LARGEST_INPUT >> 20);
    *bytes = text;
    *n_bytes = n;
    return SCREE_OK;
}

static enum scree_status read_here(const char *path, char **bytes, size_t *n_bytes)
{
    if (scree_cli_is_stdin(path))
        return read_stream(stdin, scree_cli_shown_name(path), bytes, n_bytes);
    FILE *f = fopen(path, "rb");
    SCREE_CHECK(f != NULL, SCREE_IO, "cannot open %s: %s", path, strerror(errno));
    enum scree_status status = read_stream(f, path, bytes, n_bytes);
    fclose(f);
    return status;
}

bool scree_cli_is_stdin(const char *path)
{
    return strcmp(path, "-") == 0;
}

const char *scree_cli_shown_name(const char *path)
{
    return scree_cli_is_stdin(path) ? "<stdin>" : path;
}

enum scree_status scree_cli_read_file(struct scree_comm *comm, const char *path, char **bytes,
                                      size_t *n_bytes)
{
    *bytes = NULL;
    *n_bytes = 0;
    enum scree_status status = SCREE_OK;
    if (comm->rank == 0) status = read_here(path, bytes, n_bytes);
    SCREE_TRY(scree_comm_agree(comm, status));
    scree_comm_broadcast(comm, n_bytes, sizeof *n_bytes, 0);
    if (comm->rank != 0) *bytes = scree_alloc(*n_bytes + 1, 1);
    if (*n_bytes > 0) scree_comm_broadcast(comm, *bytes, *n_bytes, 0);
    (*bytes)[*n_bytes] = '\0';
    return SCREE_OK;
}

static bool holds_anything(const char *path)
{
    DIR *folder = opendir(path);
    if (folder == NULL) return false;
    bool found = false;
    for (struct dirent *entry; !found && (entry = readdir(folder)) != NULL;)
        found = strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(folder);
    return found;
}

/* Also what MPI may have put beside a file: a.h5.part-1-2.lock. */
static bool is_part(const char *name)
{
    size_t n = strlen(name);
    return strstr(name, ".h5.part") != NULL || (n > 5 && strcmp(name + n - 5, ".part") == 0);
}

void scree_cli_sweep_folder(const char *path)
{
    char part[4096];
    DIR *folder = opendir(path);
    if (folder == NULL) return;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        if (!is_part(entry->d_name)) continue;
        snprintf(part, sizeof part, "%.3800s/%.255s", path, entry->d_name);
        unlink(part);
    }
    closedir(folder);
}

static enum scree_status make_here(const char *path, bool force)
{
    struct stat info;
    if (mkdir(path, 0777) == 0) return SCREE_OK;
    SCREE_CHECK(errno == EEXIST, SCREE_IO, "cannot make the folder %s: %s", path, strerror(errno));
    SCREE_CHECK(stat(path, &info) == 0 && S_ISDIR(info.st_mode), SCREE_IO,
                "%s exists and is not a folder", path);
    SCREE_CHECK(force || !holds_anything(path), SCREE_INPUT,
                "the folder %s holds results already; choose another with -o, or use --force to "
                "replace them",
                path);
    return SCREE_OK;
}

enum scree_status scree_cli_make_folder(struct scree_comm *comm, const char *path, bool force)
{
    return scree_comm_agree(comm, comm->rank == 0 ? make_here(path, force) : SCREE_OK);
}
