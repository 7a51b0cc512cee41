/* SPDX-License-Identifier: BSD-3-Clause
 * What the files of the XDMF writer share. Private to formats. */
#ifndef SCREE_XDMF_IMPL_H
#define SCREE_XDMF_IMPL_H

#include <stdio.h>
#include <sys/stat.h>

#include "scree/hdf5_trajectory.h"
#include "scree/xdmf.h"

/* One trajectory, and what is needed of each of its frames; arrays are owned. */
struct scree_xdmf_segment {
    const char *name; /* as the XDMF file calls it; borrowed */
    bool known;       /* the rest is filled, from this file */
    struct stat file;
    struct scree_trajectory_summary s;
    int64_t *n[2]; /* grains, contacts */
    double *time;
    double (*low)[3], (*edges)[3][3];
    int64_t n_numbers; /* extent of SCREE_TRAJECTORY_NUMBERS; 0: not there */
};

struct scree_xdmf {
    int n;
    struct scree_xdmf_segment *segment;
};

/* Read what is new or has changed of the first n files. Local. */
enum scree_status scree_xdmf_read(struct scree_xdmf *x, int n, const char *const *paths);

/* One frame as text: its grains as points (c = 0), or its contacts as lines between them (c = 1).
 */
void scree_xdmf_write_grid(FILE *out, const struct scree_xdmf_segment *g, int c, int64_t frame);

#endif
