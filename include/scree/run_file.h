/* SPDX-License-Identifier: BSD-3-Clause
 * Running input files from other programs, in C or C++: this header needs no other one. The program
 * is linked with the library, see the pkg-config file `scree`. */
#ifndef SCREE_RUN_FILE_H
#define SCREE_RUN_FILE_H

#ifdef __cplusplus
extern "C" {
#endif

/* What `scree run INPUT -o FOLDER --force --set ...` does, with the same files and messages.
 * `folder` NULL: results-NAME. `sets`: overrides such as "time.steps=500", ends with NULL; or NULL.
 * Returns the exit code of that command: 0 if the run came to its end.
 *
 * Collective over all ranks of MPI_COMM_WORLD. Who calls it more than once, or uses MPI for
 * something else, begins with MPI_Init() and ends with MPI_Finalize(); otherwise it does both. An
 * error beyond remedy, such as no memory, ends the whole program. */
int scree_run_file(const char *input, const char *folder, const char *const *sets);

#ifdef __cplusplus
}
#endif

#endif
