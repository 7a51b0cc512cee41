/* SPDX-License-Identifier: BSD-3-Clause
 * The text of a LAMMPS data file, taken apart. */
#ifndef SCREE_LAMMPS_PARSE_H
#define SCREE_LAMMPS_PARSE_H

#include "lammps_lines.h"
#include "scree/state.h"

/* One line of a section. */
struct scree_lammps_entry {
    int64_t id;
    int line;
    int32_t type, image[3];
    double value[6]; /* Atoms: diameter, density, x, y, z; Velocities: v and w */
    double mass;     /* Atoms */
};

struct scree_lammps_section {
    const char *name;
    const char *columns; /* for messages */
    int n_columns, n_most;
    int64_t n;                        /* entries; -1: not seen */
    struct scree_lammps_entry *entry; /* owned */
};

enum { SCREE_LAMMPS_ATOMS, SCREE_LAMMPS_VELOCITIES, SCREE_LAMMPS_N_SECTIONS };

struct scree_lammps_text {
    struct scree_lammps_lines lines;
    int64_t n_atoms, n_types; /* -1: not seen */
    bool has_bounds[3];
    struct scree_state_header *header;
    struct scree_lammps_section section[SCREE_LAMMPS_N_SECTIONS];
};

/* Fill `text` from the file; title and bounds go to the header. Sections come out sorted by id,
 * without duplicates and with the number of entries that the file's header promises. Clear `text`
 * also after a failure. */
enum scree_status scree_lammps_parse(struct scree_lammps_text *text, const char *path,
                                     struct scree_state_header *header);
void scree_lammps_clear(struct scree_lammps_text *text);

/* By binary search; NULL if there is none. */
const struct scree_lammps_entry *scree_lammps_find(const struct scree_lammps_section *section,
                                                   int64_t id);

#endif
