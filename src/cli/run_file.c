/* SPDX-License-Identifier: BSD-3-Clause
 * The command run as a function. */
#include "scree/run_file.h"

#include <stdint.h>

#include "cli.h"
#include "scree/alloc.h"

int scree_run_file(const char *input, const char *folder, const char *const *sets)
{
    int n_sets = 0, argc = 0;
    while (sets != NULL && sets[n_sets] != NULL) n_sets++;
    const char **argv = scree_alloc(7 + 2 * (size_t)n_sets, sizeof *argv);
    argv[argc++] = "scree";
    argv[argc++] = "run";
    argv[argc++] = input;
    argv[argc++] = "--force";
    if (folder != NULL) {
        argv[argc++] = "-o";
        argv[argc++] = folder;
    }
    for (int k = 0; k < n_sets; k++) {
        argv[argc++] = "--set";
        argv[argc++] = sets[k];
    }
    argv[argc] = NULL;
    int code = scree_cli_main(argc, (char **)(uintptr_t)argv);
    scree_alloc_free(argv);
    return code;
}
