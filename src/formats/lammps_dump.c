/* SPDX-License-Identifier: BSD-3-Clause
 * Grains from a LAMMPS dump, and the way from there to a state file. */
#include "scree/lammps_dump.h"

#include <stdio.h>
#include <string.h>

#include "lammps_dump_parse.h"
#include "scree/alloc.h"

static void make_rows(const struct scree_lammps_dump *d, struct scree_state_rows *rows)
{
    scree_state_rows_init(rows, d->n);
    for (int64_t i = 0; i < d->n; i++) {
        const struct scree_lammps_dump_atom *atom = &d->atom[i];
        rows->id[i] = atom->whole[SCREE_DUMP_ID];
        rows->species[i] = (int32_t)atom->whole[SCREE_DUMP_TYPE];
        rows->radius[i] = atom->real[SCREE_DUMP_RADIUS];
        rows->mass[i] = atom->real[SCREE_DUMP_MASS];
        memcpy(rows->position[i], &atom->real[SCREE_DUMP_X], sizeof rows->position[i]);
        memcpy(rows->velocity[i], &atom->real[SCREE_DUMP_VX], sizeof rows->velocity[i]);
        memcpy(rows->spin[i], &atom->real[SCREE_DUMP_OMEGAX], sizeof rows->spin[i]);
        for (int k = 0; k < 3; k++) rows->image[i][k] = (int32_t)atom->whole[SCREE_DUMP_IX + k];
    }
}

bool scree_lammps_dump_is(const char *path)
{
    char start[6] = "";
    FILE *file = fopen(path, "rb");
    if (file == NULL) return false;
    size_t n = fread(start, 1, 5, file);
    fclose(file);
    return n == 5 && strcmp(start, "ITEM:") == 0;
}

enum scree_status scree_lammps_dump_read(const char *path, int64_t frame,
                                         struct scree_state_header *header,
                                         struct scree_state_rows *rows)
{
    struct scree_lammps_dump d = {.n = 0};
    *rows = (struct scree_state_rows){0};
    SCREE_TRY(scree_lammps_open(&d.lines, path));
    enum scree_status status = scree_lammps_dump_parse(&d, frame);
    if (status == SCREE_OK) {
        *header = d.header;
        make_rows(&d, rows);
    }
    scree_alloc_free(d.atom);
    scree_lammps_close(&d.lines);
    return status;
}

enum scree_status scree_lammps_dump_import(struct scree_comm *comm, const char *in_path,
                                           int64_t frame, const char *out_path)
{
    struct scree_state_header header = {0};
    struct scree_state_rows rows = {0};
    enum scree_status status = SCREE_OK;
    if (comm->rank == 0) status = scree_lammps_dump_read(in_path, frame, &header, &rows);
    status = scree_comm_agree(comm, status);
    if (status == SCREE_OK) {
        scree_comm_broadcast(comm, &header, sizeof header, 0);
        status = scree_state_write(out_path, comm, &header, &rows);
    }
    scree_state_rows_clear(&rows);
    return status;
}
