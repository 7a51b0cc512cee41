/* SPDX-License-Identifier: BSD-3-Clause
 * XDMF sidecar of trajectories: a small XML file with which ParaView and VisIt open them. */
#ifndef SCREE_XDMF_H
#define SCREE_XDMF_H

#include "scree/comm.h"

/* Describe the complete frames of these trajectories, segments of one run in the order of time, as
 * one series: block `grains` of points, and block `contacts` of lines if the first file has a
 * contact network. Where segments overlap, the later one counts. Frames without grains are left
 * out. The old file is replaced at once (before: xdmf_path.part). Trajectories in the folder of
 * the XDMF file are named relative to it. Rank 0 works. Collective. */
enum scree_status scree_xdmf_write(const char *xdmf_path, struct scree_comm *comm, int n_files,
                                   const char *const *trajectory_paths);

/* Write the XDMF file anew while frames are added: what was read of files that have not changed
 * since is kept in *known (NULL at first), to be destroyed in the end. */
struct scree_xdmf;
enum scree_status scree_xdmf_update(struct scree_xdmf **known, const char *xdmf_path,
                                    struct scree_comm *comm, int n_files,
                                    const char *const *trajectory_paths);
void scree_xdmf_destroy(struct scree_xdmf *known); /* NULL: nothing */

#endif
