/* SPDX-License-Identifier: BSD-3-Clause
 * Grains from LAMMPS dumps (text; styles atom and custom of atom_style sphere). Numbers are taken
 * as SI. */
#ifndef SCREE_LAMMPS_DUMP_H
#define SCREE_LAMMPS_DUMP_H

#include "scree/comm.h"
#include "scree/state.h"

/* Does the file begin as a dump does? Local. */
bool scree_lammps_dump_is(const char *path);

/* Read frame `frame` (from 0; -1: the last). Needed columns: id, type, x, y, z, radius or diameter,
 * mass or density; ix.., vx.., omegax.. are taken if there, others ignored. Rows are sorted by id
 * and owned by the caller. Whatever is malformed is refused with "file:line: ...", and then there
 * is nothing to free. Local. */
enum scree_status scree_lammps_dump_read(const char *path, int64_t frame,
                                         struct scree_state_header *header,
                                         struct scree_state_rows *rows);

/* Turn a frame into a state file; rank 0 reads. Collective. */
enum scree_status scree_lammps_dump_import(struct scree_comm *comm, const char *in_path,
                                           int64_t frame, const char *out_path);

#endif
