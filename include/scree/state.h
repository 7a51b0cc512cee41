/* SPDX-License-Identifier: BSD-3-Clause
 * State files: all grains at one moment, in HDF5, independent of the number of ranks.
 *
 *   /              attributes format "scree-state", version 1, title, time (s), step, and digest:
 *                  the sum of hashes of all grains, tested if it is there
 *   /box           attributes low[3], high[3] (m), periodic[3], and tilt[3] (m) of a box that
 * leans: its edges are (x, 0, 0), (tilt[0], y, 0), (tilt[1], tilt[2], z) /particles     datasets
 * id, species (1-based), position[3], velocity[3], angular_velocity[3], radius, mass, image[3]; SI
 * units */
#ifndef SCREE_STATE_H
#define SCREE_STATE_H

#include "scree/comm.h"
#include "scree/samples.h"

enum { SCREE_STATE_TITLE = 256 };

struct scree_state_header {
    char title[SCREE_STATE_TITLE];
    double time; /* s */
    int64_t step;
    double low[3], high[3]; /* m */
    double tilt[3];         /* m; of a box that leans: y along x, z along x, z along y; else 0 */
    bool periodic[3];
    int32_t wedge[2]; /* sectors of a turn and number of the axis; 0: none */
};

/* Write the rows of all ranks in rank order. The file appears under its name only when it is
 * complete and on disk (before: path.part). Collective. */
enum scree_status scree_state_write(const char *path, struct scree_comm *comm,
                                    const struct scree_state_header *header,
                                    const struct scree_state_rows *rows);

/* Read an even share of the rows per rank, in file order; `rows` is allocated here if all is well.
 * Anything but a sound state file is refused with a message. Collective. */
enum scree_status scree_state_read(const char *path, struct scree_comm *comm,
                                   struct scree_state_header *header,
                                   struct scree_state_rows *rows);
/* Read the rows without the header, as samples want it. */
scree_state_reader scree_state_read_rows;

#endif
