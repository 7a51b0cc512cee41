/* SPDX-License-Identifier: BSD-3-Clause
 * The particle store: every operation walks the one list of columns. */
#include "scree/particles.h"

#include <string.h>

#include "scree/alloc.h"
#include "scree/status.h"

#define MIGRATE  SCREE_MIGRATE
#define GHOST    SCREE_GHOST
#define SAVE     SCREE_SAVE
#define OPTIONAL SCREE_OPTIONAL

static const struct scree_column columns[] = {
#define SCREE_ROW(type, name, width, travels, unit, meaning) \
    {#name,                                                  \
     unit,                                                   \
     meaning,                                                \
     #type,                                                  \
     width,                                                  \
     sizeof(type) * (width),                                 \
     offsetof(struct scree_particles, name),                 \
     travels},
#define SCREE_SCALAR(type, name, travels, unit, meaning) \
    {#name, unit, meaning, #type, 1, sizeof(type), offsetof(struct scree_particles, name), travels},
#include "scree/particles.def"
#undef SCREE_ROW
#undef SCREE_SCALAR
};

enum { N_COLUMNS = sizeof columns / sizeof columns[0] };

int scree_particles_n_columns(void)
{
    return N_COLUMNS;
}

const struct scree_column *scree_particles_column(int k)
{
    return &columns[k];
}

static unsigned char *get_column(const struct scree_particles *p, int k)
{
    unsigned char *memory;
    memcpy(&memory, (const unsigned char *)p + columns[k].offset, sizeof memory);
    return memory;
}

static void set_column(struct scree_particles *p, int k, void *memory)
{
    memcpy((unsigned char *)p + columns[k].offset, &memory, sizeof memory);
}

unsigned char *scree_particles_column_bytes(const struct scree_particles *p, int k)
{
    return get_column(p, k);
}

void scree_particles_create(struct scree_particles **p)
{
    *p = scree_alloc(1, sizeof **p);
    memset(*p, 0, sizeof **p);
}

bool scree_particles_keeps(const struct scree_particles *p, int k)
{
    return !(columns[k].travels & SCREE_OPTIONAL) || (p->kept >> k & 1u) != 0;
}

void scree_particles_add_column(struct scree_particles *p, const char *column)
{
    SCREE_ASSERT(p->capacity == 0);
    for (int k = 0; k < N_COLUMNS; k++)
        if (strcmp(columns[k].name, column) == 0) p->kept |= 1u << k;
}

static bool travels(const struct scree_particles *p, int k, enum scree_travels way)
{
    return (columns[k].travels & (int)way) && scree_particles_keeps(p, k);
}

void scree_particles_destroy(struct scree_particles **p)
{
    if (*p == NULL) return;
    for (int k = 0; k < N_COLUMNS; k++) scree_alloc_free(get_column(*p, k));
    scree_alloc_free((*p)->scratch);
    scree_alloc_free(*p);
    *p = NULL;
}

static size_t widest_column(const struct scree_particles *p)
{
    size_t widest = 0;
    for (int k = 0; k < N_COLUMNS; k++)
        if (scree_particles_keeps(p, k) && columns[k].bytes > widest) widest = columns[k].bytes;
    return widest;
}

static void set_capacity(struct scree_particles *p, size_t capacity)
{
    size_t n_used = (size_t)(p->n_owned + p->n_ghost);
    scree_alloc_free(p->scratch);
    for (int k = 0; k < N_COLUMNS; k++)
        if (scree_particles_keeps(p, k))
            set_column(p, k,
                       scree_alloc_resize(get_column(p, k), n_used, capacity, columns[k].bytes));
    p->scratch = scree_alloc(capacity, widest_column(p));
    p->capacity = capacity;
}

void scree_particles_reserve(struct scree_particles *p, size_t n_slots)
{
    /* Slack of an eighth: ghosts come and go, and ten million grains must fit (no doubling). */
    if (n_slots > p->capacity) set_capacity(p, n_slots + n_slots / 8 + 64);
}

void scree_particles_trim(struct scree_particles *p)
{
    size_t n_slots = (size_t)(p->n_owned + p->n_ghost);
    if (n_slots + n_slots / 4 + 64 < p->capacity) set_capacity(p, n_slots + n_slots / 8 + 64);
}

scree_lid scree_particles_append(struct scree_particles *p)
{
    scree_lid slot = p->n_owned;
    if ((size_t)slot + 1 > p->capacity) {
        p->n_ghost = 0;
        scree_particles_reserve(p, scree_alloc_grown(p->capacity, (size_t)slot + 1));
    }
    p->n_ghost = 0;
    p->n_owned++;
    for (int k = 0; k < N_COLUMNS; k++)
        if (scree_particles_keeps(p, k))
            memset(get_column(p, k) + (size_t)slot * columns[k].bytes, 0, columns[k].bytes);
    if (p->orientation != NULL) p->orientation[slot][0] = 1.0;
    return slot;
}

static void reorder_column(unsigned char *restrict to, const unsigned char *restrict from,
                           const scree_lid *order, scree_lid n, size_t bytes)
{
    for (scree_lid s = 0; s < n; s++)
        memcpy(to + (size_t)s * bytes, from + (size_t)order[s] * bytes, bytes);
}

void scree_particles_reorder(struct scree_particles *p, const scree_lid *order, scree_lid n)
{
    SCREE_ASSERT((size_t)n <= p->capacity);
    for (int k = 0; k < N_COLUMNS && n > 0; k++) { /* an empty store has no memory */
        if (!travels(p, k, SCREE_MIGRATE)) continue;
        /* Sort into the scratch column and copy back: fresh memory would cost page faults. */
        reorder_column(p->scratch, get_column(p, k), order, n, columns[k].bytes);
        memcpy(get_column(p, k), p->scratch, (size_t)n * columns[k].bytes);
    }
    p->n_owned = n;
    p->n_ghost = 0;
}

size_t scree_particles_record_size(const struct scree_particles *p, enum scree_travels way)
{
    size_t size = 0;
    for (int k = 0; k < N_COLUMNS; k++)
        if (travels(p, k, way)) size += columns[k].bytes;
    return size;
}

void scree_particles_pack(const struct scree_particles *p, scree_lid slot, enum scree_travels way,
                          void *record)
{
    unsigned char *at = record;
    for (int k = 0; k < N_COLUMNS; k++) {
        if (!travels(p, k, way)) continue;
        memcpy(at, get_column(p, k) + (size_t)slot * columns[k].bytes, columns[k].bytes);
        at += columns[k].bytes;
    }
}

void scree_particles_unpack(struct scree_particles *p, scree_lid slot, enum scree_travels way,
                            const void *record)
{
    const unsigned char *at = record;
    for (int k = 0; k < N_COLUMNS; k++) {
        if (!travels(p, k, way)) continue;
        memcpy(get_column(p, k) + (size_t)slot * columns[k].bytes, at, columns[k].bytes);
        at += columns[k].bytes;
    }
}
