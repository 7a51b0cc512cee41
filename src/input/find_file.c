/* SPDX-License-Identifier: BSD-3-Clause
 * Files that an input names. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "input_impl.h"

static bool is_beside(const struct scree_input *input, const char *file, char *path, size_t size)
{
    const char *slash = strrchr(input->name, '/');
    if (slash == NULL) return false;
    int length = snprintf(path, size, "%.*s/%s", (int)(slash - input->name), input->name, file);
    return length > 0 && (size_t)length < size && access(path, F_OK) == 0;
}

void scree_input_find_file(const struct scree_input *input, const char *file, char *path,
                           size_t size)
{
    const char *slash = strrchr(file, '/');
    if (file[0] != '/' && is_beside(input, file, path, size)) return;
    snprintf(path, size, "%s", file);
    if (access(path, F_OK) == 0 || slash == NULL) return;
    if (!is_beside(input, slash + 1, path, size)) snprintf(path, size, "%s", file);
}
