/* SPDX-License-Identifier: BSD-3-Clause
 * Grains of one rank, one array per property. */
#ifndef SCREE_PARTICLES_H
#define SCREE_PARTICLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scree/types.h"

enum scree_travels { SCREE_MIGRATE = 1, SCREE_GHOST = 2, SCREE_SAVE = 4, SCREE_OPTIONAL = 8 };

/* Slots [0, n_owned) are ours; [n_owned, n_owned + n_ghost) mirror grains of other ranks or
 * periodic images and are overwritten by every refresh. Pointers into columns die at the next
 * reserve, append, migration or sort. */
struct scree_particles {
    scree_lid n_owned, n_ghost;
    size_t capacity;
#define SCREE_ROW(type, name, width, travels, unit, meaning) type(*name)[width]; /* owned */
#define SCREE_SCALAR(type, name, travels, unit, meaning)     type *name;         /* owned */
#include "scree/particles.def"
#undef SCREE_ROW
#undef SCREE_SCALAR
    void *scratch; /* owned; one column's worth of bytes, for sorting */
    unsigned kept; /* bit k: the optional column k is there */
};

/* One line of particles.def. */
struct scree_column {
    const char *name, *unit, *meaning;
    const char *type; /* "double", "int64_t" or "int32_t" */
    int width;        /* numbers per grain */
    size_t bytes;     /* per grain */
    size_t offset;    /* of the pointer in struct scree_particles */
    int travels;      /* enum scree_travels */
};

int scree_particles_n_columns(void);
const struct scree_column *scree_particles_column(int k);
/* Start of column k's memory. */
unsigned char *scree_particles_column_bytes(const struct scree_particles *p, int k);

void scree_particles_create(struct scree_particles **p);
void scree_particles_destroy(struct scree_particles **p);
/* Give an optional column its place; of an empty store only. */
void scree_particles_add_column(struct scree_particles *p, const char *column);
/* Is column k there? All but optional ones are. */
bool scree_particles_keeps(const struct scree_particles *p, int k);
/* Room for at least this many slots. Content is kept. */
void scree_particles_reserve(struct scree_particles *p, size_t n_slots);
/* Give back memory that many grains have left. */
void scree_particles_trim(struct scree_particles *p);
/* Forget all ghosts and add one zeroed owned grain (its orientation, if kept: not turned); returns
 * its slot. */
scree_lid scree_particles_append(struct scree_particles *p);
/* New slot k holds what was in slot order[k]; n becomes the number of owned grains. Ghosts are
 * forgotten. Only columns that migrate are moved. */
void scree_particles_reorder(struct scree_particles *p, const scree_lid *order, scree_lid n);

/* One grain as bytes, for messages: all columns that travel this way, without gaps. */
size_t scree_particles_record_size(const struct scree_particles *p, enum scree_travels way);
void scree_particles_pack(const struct scree_particles *p, scree_lid slot, enum scree_travels way,
                          void *record);
void scree_particles_unpack(struct scree_particles *p, scree_lid slot, enum scree_travels way,
                            const void *record);

/* Turn every grain by its spin over dt, where orientations are kept. */
void scree_particles_turn(struct scree_particles *p, const double (*spin)[4], double dt);

#endif
