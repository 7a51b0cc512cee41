/* SPDX-License-Identifier: BSD-3-Clause
 * Frames as surfaces, lines and points of VTK (PolyData), and what holds them together over time.
 * Numbers are binary. */
#ifndef SCREE_EXPORT_VTP_H
#define SCREE_EXPORT_VTP_H

#include <stdint.h>
#include <stdio.h>

#include "scree/reader.h"

enum scree_vtp_cells { SCREE_VTP_POINTS = 1, SCREE_VTP_LINES, SCREE_VTP_TRIANGLES };

/* Numbers of points or cells; borrowed. */
struct scree_vtp_array {
    const char *name;
    int width;
    const double *real;
    const int64_t *integer; /* instead */
};
enum { SCREE_VTP_ARRAYS = SCREE_READER_COLUMNS + 4 };

struct scree_vtp {
    double time;
    enum scree_vtp_cells cells;
    int64_t n_points, n_cells;
    double (*point)[3];
    int64_t *corner; /* [n_cells][cells]; NULL: one after the other */
    struct scree_vtp_array of_points[SCREE_VTP_ARRAYS], of_cells[SCREE_VTP_ARRAYS];
    int n_of_points, n_of_cells;
};

void scree_vtp_write(FILE *out, const struct scree_vtp *vtp);

/* Grains as points with every column of the table. */
void scree_vtp_write_grains(FILE *out, const struct scree_state_header *header,
                            const struct scree_reader_table *grains);
/* Contacts as lines from centre to centre with every column of their table, or through a periodic
 * face as two lines that end there (`through_face`). With a wall, or through the face of a wedge:
 * from the centre along the line of the force, as far as the surface. Contacts of grains that the
 * file has not are left out. False: grains have no radius or positions, or there are no contacts.
 */
bool scree_vtp_write_contacts(FILE *out, const struct scree_state_header *header,
                              const struct scree_reader_table table[SCREE_READER_TABLES]);

/* Triangles of surfaces, each with the number of its wall. */
void scree_vtp_write_walls(FILE *out, double time, int64_t n, double (*corner)[3][3],
                           const int64_t *wall);

/* The collection over time of n files, by names from its own folder. */
void scree_vtp_write_series(FILE *out, int64_t n, const double *time, const char *const *name);

#endif
