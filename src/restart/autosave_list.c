/* SPDX-License-Identifier: BSD-3-Clause
 * Which checkpoints a folder holds, newest first. */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "scree/autosave.h"
#include "scree/checkpoint.h"

static int compare_newest_first(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x > y ? -1 : x < y;
}

static bool step_of(const char *name, int64_t *step)
{
    long long number;
    int used = 0;
    if (sscanf(name, "checkpoint.%lld.h5%n", &number, &used) != 1 || used == 0) return false;
    if (name[used] != '\0' || number < 0) return false;
    *step = number;
    return true;
}

int scree_autosave_list(const char *folder, int64_t *step, int most)
{
    int n = 0;
    DIR *open = opendir(folder);
    if (open == NULL) return 0;
    for (struct dirent *entry; (entry = readdir(open)) != NULL;) {
        int64_t found;
        if (!step_of(entry->d_name, &found)) continue;
        if (n == most) qsort(step, (size_t)n, sizeof *step, compare_newest_first);
        if (n < most)
            step[n++] = found;
        else if (found > step[n - 1])
            step[n - 1] = found;
    }
    closedir(open);
    qsort(step, (size_t)n, sizeof *step, compare_newest_first);
    return n;
}

/* Is it one that is kept for good? */
static bool is_lasting(const char *path, int64_t keep_every)
{
    char text[32];
    if (keep_every <= 0 || !scree_checkpoint_peek(path, "number", text, sizeof text)) return false;
    return strtoll(text, NULL, 10) % keep_every == 0;
}

void scree_autosave_drop(const char *folder, int64_t keep, int64_t keep_every)
{
    enum { MOST = 4096 };
    int64_t step[MOST];
    char path[4096];
    int n = scree_autosave_list(folder, step, MOST);
    for (int k = (int)(keep < n ? keep : n); k < n; k++) {
        scree_autosave_path(folder, step[k], path, sizeof path);
        if (!is_lasting(path, keep_every)) unlink(path);
    }
}
