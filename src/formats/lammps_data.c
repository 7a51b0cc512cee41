/* SPDX-License-Identifier: BSD-3-Clause
 * Grains from a LAMMPS data file, and the way from there to a state file. */
#include <string.h>

#include "lammps_parse.h"
#include "scree/lammps.h"

static enum scree_status check_velocities(const struct scree_lammps_text *text)
{
    const struct scree_lammps_section *atoms = &text->section[SCREE_LAMMPS_ATOMS];
    const struct scree_lammps_section *velocities = &text->section[SCREE_LAMMPS_VELOCITIES];
    for (int64_t i = 0; i < velocities->n; i++) {
        const struct scree_lammps_entry *e = &velocities->entry[i];
        SCREE_CHECK(scree_lammps_find(atoms, e->id) != NULL, SCREE_INPUT,
                    "%s:%d: Velocities: no atom has the id %lld", text->lines.path, e->line,
                    (long long)e->id);
    }
    return SCREE_OK;
}

/* Both sections are sorted by id, equally long, and every velocity has its atom: entry i of both
 * is the same grain. Without velocities all grains are at rest. */
static void make_rows(const struct scree_lammps_text *text, struct scree_state_rows *rows)
{
    const struct scree_lammps_section *atoms = &text->section[SCREE_LAMMPS_ATOMS];
    const struct scree_lammps_section *velocities = &text->section[SCREE_LAMMPS_VELOCITIES];
    scree_state_rows_init(rows, atoms->n);
    for (int64_t i = 0; i < atoms->n; i++) {
        const struct scree_lammps_entry *e = &atoms->entry[i];
        rows->id[i] = e->id;
        rows->species[i] = e->type;
        rows->radius[i] = 0.5 * e->value[0];
        rows->mass[i] = e->mass;
        memcpy(rows->position[i], e->value + 2, sizeof rows->position[i]);
        memcpy(rows->image[i], e->image, sizeof rows->image[i]);
        if (velocities->n < 0) continue;
        memcpy(rows->velocity[i], velocities->entry[i].value, sizeof rows->velocity[i]);
        memcpy(rows->spin[i], velocities->entry[i].value + 3, sizeof rows->spin[i]);
    }
}

enum scree_status scree_lammps_read_data(const char *path, struct scree_state_header *header,
                                         struct scree_state_rows *rows)
{
    struct scree_lammps_text text;
    *rows = (struct scree_state_rows){0};
    enum scree_status status = scree_lammps_parse(&text, path, header);
    if (status == SCREE_OK) status = check_velocities(&text);
    if (status == SCREE_OK) make_rows(&text, rows);
    scree_lammps_clear(&text);
    return status;
}

enum scree_status scree_lammps_import(struct scree_comm *comm, const char *in_path,
                                      const char *out_path)
{
    struct scree_state_header header = {0};
    struct scree_state_rows rows = {0};
    enum scree_status status = SCREE_OK;
    if (comm->rank == 0) status = scree_lammps_read_data(in_path, &header, &rows);
    status = scree_comm_agree(comm, status);
    if (status == SCREE_OK) {
        scree_comm_broadcast(comm, &header, sizeof header, 0);
        status = scree_state_write(out_path, comm, &header, &rows);
    }
    scree_state_rows_clear(&rows);
    return status;
}
