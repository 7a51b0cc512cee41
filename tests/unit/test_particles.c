/* SPDX-License-Identifier: BSD-3-Clause
 * The particle store: growing, messages as bytes, reordering. */
#include <stdlib.h>
#include <string.h>

#include "scree/alloc.h"
#include "scree/particles.h"
#include "unit.h"

static struct scree_particles *p;

static void make(void)
{
    scree_particles_create(&p);
}

static void forget(void)
{
    scree_particles_destroy(&p);
    cr_expect_eq(scree_alloc_in_use(), 0);
}

TestSuite(particles, .init = make, .fini = forget);

/* Columns that are there and travel this way. */
static bool has(int k, int travels)
{
    return scree_particles_keeps(p, k) && (scree_particles_column(k)->travels & travels);
}

/* Every byte of every column of a slot depends on slot, column and place. */
static unsigned char mark(scree_lid slot, int column, size_t byte)
{
    return (unsigned char)(slot * 7 + column * 31 + (int)byte * 3 + 1);
}

static void fill(scree_lid slot, scree_lid as)
{
    for (int k = 0; k < scree_particles_n_columns(); k++) {
        size_t bytes = scree_particles_column(k)->bytes;
        unsigned char *at = scree_particles_column_bytes(p, k) + (size_t)slot * bytes;
        for (size_t b = 0; b < bytes && scree_particles_keeps(p, k); b++) at[b] = mark(as, k, b);
    }
}

/* Slot holds, in the columns that travel this way, what fill(slot, as) wrote. */
static bool holds(scree_lid slot, scree_lid as, int travels)
{
    for (int k = 0; k < scree_particles_n_columns(); k++) {
        const struct scree_column *column = scree_particles_column(k);
        const unsigned char *at = scree_particles_column_bytes(p, k) + (size_t)slot * column->bytes;
        for (size_t b = 0; b < column->bytes && has(k, travels); b++)
            if (at[b] != mark(as, k, b)) return false;
    }
    return true;
}

static bool is_zero(scree_lid slot)
{
    for (int k = 0; k < scree_particles_n_columns(); k++) {
        size_t bytes = scree_particles_column(k)->bytes;
        const unsigned char *at = scree_particles_column_bytes(p, k) + (size_t)slot * bytes;
        for (size_t b = 0; b < bytes && scree_particles_keeps(p, k); b++)
            if (at[b] != 0) return false;
    }
    return true;
}

static void append_marked(scree_lid n)
{
    for (scree_lid i = 0; i < n; i++) {
        cr_assert_eq(scree_particles_append(p), i);
        fill(i, i);
    }
}

Test(particles, columns_have_names_and_sizes)
{
    for (int k = 0; k < scree_particles_n_columns(); k++) {
        const struct scree_column *column = scree_particles_column(k);
        cr_expect(column->name[0] != '\0' && column->meaning[0] != '\0' && column->bytes > 0);
        for (int l = 0; l < k; l++)
            cr_expect_str_neq(column->name, scree_particles_column(l)->name);
    }
}

Test(particles, a_new_grain_is_zero_and_old_ones_stay)
{
    append_marked(1000); /* several times the first capacity */
    scree_lid fresh = scree_particles_append(p);
    cr_expect_eq(fresh, 1000);
    cr_expect_eq(p->n_owned, 1001);
    cr_expect(is_zero(fresh));
    for (scree_lid i = 0; i < 1000; i++)
        cr_assert(holds(i, i, ~0), "grain %d changed while the store grew", i);
}

Test(particles, reserve_keeps_grains_and_ghosts)
{
    append_marked(50);
    scree_particles_reserve(p, 60);
    for (scree_lid g = 50; g < 60; g++) fill(g, g);
    p->n_ghost = 10;
    scree_particles_reserve(p, 100000);
    cr_expect_geq(p->capacity, 100000);
    for (scree_lid i = 0; i < 60; i++) cr_assert(holds(i, i, SCREE_MIGRATE | SCREE_GHOST), "%d", i);
    scree_particles_append(p);
    cr_expect_eq(p->n_ghost, 0, "a new grain takes the place of the first ghost");
}

static void try_way(enum scree_travels way)
{
    size_t size = scree_particles_record_size(p, way), expected = 0;
    for (int k = 0; k < scree_particles_n_columns(); k++)
        if (has(k, (int)way)) expected += scree_particles_column(k)->bytes;
    cr_assert_eq(size, expected);
    unsigned char *record = malloc(size + 8);
    memset(record, 0xee, size + 8);
    scree_lid to = scree_particles_append(p);
    scree_particles_pack(p, 2, way, record);
    for (size_t b = size; b < size + 8; b++) cr_expect_eq(record[b], 0xee, "wrote past its record");
    scree_particles_unpack(p, to, way, record);
    cr_expect(holds(to, 2, (int)way));
    cr_expect(holds(2, 2, ~0), "packing changes nothing");
    /* Columns that do not travel are left alone. */
    for (int k = 0; k < scree_particles_n_columns(); k++) {
        const struct scree_column *column = scree_particles_column(k);
        const unsigned char *at = scree_particles_column_bytes(p, k) + (size_t)to * column->bytes;
        bool alone = scree_particles_keeps(p, k) && !has(k, (int)way);
        for (size_t b = 0; b < column->bytes && alone; b++)
            cr_expect_eq(at[b], 0, "column %s", column->name);
    }
    free(record);
}

Test(particles, records_bring_a_grain_over)
{
    append_marked(5);
    try_way(SCREE_MIGRATE);
    try_way(SCREE_GHOST);
    try_way(SCREE_SAVE);
}

Test(particles, reorder_permutes)
{
    enum { N = 97 };
    scree_lid order[N];
    append_marked(N);
    for (scree_lid k = 0; k < N; k++) order[k] = (k * 40 + 11) % N; /* 40 and 97 share no factor */
    scree_particles_reorder(p, order, N);
    cr_expect_eq(p->n_owned, N);
    for (scree_lid k = 0; k < N; k++) cr_assert(holds(k, order[k], SCREE_MIGRATE), "slot %d", k);
}

Test(particles, reorder_drops_grains_and_ghosts)
{
    const scree_lid order[3] = {8, 0, 5};
    append_marked(9);
    scree_particles_reserve(p, 12);
    p->n_ghost = 3;
    scree_particles_reorder(p, order, 3);
    cr_expect_eq(p->n_owned, 3);
    cr_expect_eq(p->n_ghost, 0);
    for (scree_lid k = 0; k < 3; k++) cr_expect(holds(k, order[k], SCREE_MIGRATE));
    scree_particles_reorder(p, order, 0);
    cr_expect_eq(p->n_owned, 0);
}

Test(particles, a_column_on_request_travels_with_the_grain)
{
    const double half[4] = {0.5, -0.5, 0.5, -0.5};
    const scree_lid order[2] = {1, 0};
    size_t without = scree_particles_record_size(p, SCREE_MIGRATE);
    scree_particles_append(p);
    cr_expect_null(p->orientation, "no memory unless asked for");
    scree_particles_destroy(&p);
    scree_particles_create(&p);
    scree_particles_add_column(p, "orientation");
    size_t size = scree_particles_record_size(p, SCREE_MIGRATE);
    cr_expect_eq(size, without + sizeof half);
    cr_expect_eq(scree_particles_append(p), 0);
    cr_expect(p->orientation[0][0] == 1.0 && p->orientation[0][3] == 0.0, "not turned");
    memcpy(p->orientation[0], half, sizeof half);
    unsigned char *record = malloc(size);
    scree_particles_pack(p, 0, SCREE_MIGRATE, record);
    scree_particles_append(p);
    scree_particles_append(p);
    scree_particles_unpack(p, 1, SCREE_MIGRATE, record);
    cr_expect_arr_eq(p->orientation[1], half, sizeof half);
    p->orientation[0][0] = 7.0;
    scree_particles_reorder(p, order, 2);
    cr_expect_arr_eq(p->orientation[0], half, sizeof half);
    cr_expect_eq(p->orientation[1][0], 7.0);
    free(record);
}
