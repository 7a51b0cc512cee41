/* SPDX-License-Identifier: BSD-3-Clause
 * Grains from LAMMPS data files of `atom_style sphere`. Numbers are taken as SI. */
#ifndef SCREE_LAMMPS_H
#define SCREE_LAMMPS_H

#include "scree/comm.h"
#include "scree/samples.h"
#include "scree/state.h"

/* Read a whole data file: title and bounds go to the header (a data file does not say which
 * directions are periodic: none is set), rows are sorted by id and owned by the caller. Whatever
 * is malformed is refused with "file:line: ...", and then there is nothing to free. Local. */
enum scree_status scree_lammps_read_data(const char *path, struct scree_state_header *header,
                                         struct scree_state_rows *rows);

/* Turn a data file into a state file; rank 0 reads. Collective. */
enum scree_status scree_lammps_import(struct scree_comm *comm, const char *in_path,
                                      const char *out_path);

#endif
