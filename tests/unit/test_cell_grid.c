/* SPDX-License-Identifier: BSD-3-Clause
 * Cells and pair lists against a search over all pairs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scree/alloc.h"
#include "scree/neighbours.h"
#include "scree/rng.h"
#include "unit.h"

struct cloud {
    scree_lid n_owned, n_ghost;
    double size[3];           /* m; owned grains are in [0, size) */
    double smallest, largest; /* m; radii */
    double skin;
    bool wide;        /* radii are distributed over many octaves */
    int frozen_every; /* every so many grains cannot move; 0: all can */
};

/* All ghosts are of other ranks. */
static const struct scree_images no_images = {INT32_MAX, NULL};

static struct scree_particles *p;
static struct scree_cell_grid *cells;
static struct scree_neighbours list;

static double draw(scree_gid gid, uint32_t k)
{
    struct scree_rng_key key = {.seed = 21, .gid = gid, .purpose = SCREE_RNG_POSITION};
    return scree_rng_uniform(&key, k);
}

/* Equal numbers per radius, or about equal volumes per octave of radii. */
static double draw_radius(const struct cloud *cloud, double u)
{
    double small = cloud->smallest, large = cloud->largest;
    if (!cloud->wide) return small + (large - small) * u;
    double low = pow(small, -2.0), high = pow(large, -2.0);
    return fmin(fmax(pow(low + (high - low) * u, -0.5), small), large);
}

static void place(const struct cloud *cloud, scree_lid slot, scree_gid gid, double low, double high)
{
    for (int a = 0; a < 3; a++)
        p->pos[slot][a] = cloud->size[a] * (low + (high - low) * draw(gid, (uint32_t)a));
    p->pos[slot][3] = draw_radius(cloud, draw(gid, 3));
    p->gid[slot] = gid;
    p->vel[slot][3] = cloud->frozen_every > 0 && gid % cloud->frozen_every == 0 ? 0.0 : 1.0;
}

/* Ghosts lie around the owned grains and among them. */
static void build(const struct cloud *cloud)
{
    scree_particles_create(&p);
    scree_cell_grid_create(&cells);
    scree_neighbours_init(&list, cloud->skin);
    for (scree_lid i = 0; i < cloud->n_owned; i++)
        place(cloud, scree_particles_append(p), 1 + i, 0.0, 1.0);
    scree_cell_grid_sort_owned(cells, p, cloud->largest, cloud->skin);
    scree_particles_reserve(p, (size_t)(cloud->n_owned + cloud->n_ghost));
    for (scree_lid g = 0; g < cloud->n_ghost; g++)
        place(cloud, p->n_owned + g, 1 + cloud->n_owned + g, -0.3, 1.3);
    p->n_ghost = cloud->n_ghost;
    scree_cell_grid_bin_ghosts(cells, p);
    scree_neighbours_build(&list, cells, p, no_images, NULL);
}

static void forget_all(void)
{
    scree_neighbours_clear(&list);
    scree_cell_grid_destroy(&cells);
    scree_particles_destroy(&p);
}

static void forget(void)
{
    forget_all();
    cr_expect_eq(scree_alloc_in_use(), 0);
}

TestSuite(cells, .fini = forget);

static bool is_pair(scree_lid i, scree_lid j, double skin)
{
    double square = 0.0, reach = p->pos[i][3] + p->pos[j][3] + skin;
    for (int a = 0; a < 3; a++)
        square += (p->pos[i][a] - p->pos[j][a]) * (p->pos[i][a] - p->pos[j][a]);
    return square < reach * reach && (p->vel[i][3] > 0.0 || p->vel[j][3] > 0.0);
}

/* How often each pair is listed, as a table over all slots. */
static unsigned char *count_pairs(void)
{
    size_t n = (size_t)(p->n_owned + p->n_ghost);
    unsigned char *times = calloc(n * n + 1, 1);
    const struct scree_pairs *both[2] = {&list.interior, &list.border};
    for (int part = 0; part < 2; part++) {
        cr_assert_eq(both[part]->n_rows, (size_t)p->n_owned);
        cr_assert_eq(both[part]->start[0], 0u);
        for (scree_lid i = 0; i < p->n_owned; i++)
            for (uint32_t k = both[part]->start[i]; k < both[part]->start[i + 1]; k++) {
                scree_lid j = both[part]->partner[k];
                bool ghost = j >= p->n_owned;
                cr_assert(j >= 0 && j < p->n_owned + p->n_ghost && j != i);
                cr_assert_eq(ghost, part == 1, "a pair in the wrong list");
                size_t low = (size_t)(i < j ? i : j), high = (size_t)(i < j ? j : i);
                times[low * n + high]++;
            }
        cr_assert_eq(both[part]->start[p->n_owned], (uint32_t)both[part]->n);
    }
    return times;
}

/* Returns how many pairs there are, so that a test can see that it tested something. */
static int expect_all_pairs(double skin)
{
    size_t n = (size_t)(p->n_owned + p->n_ghost);
    unsigned char *times = count_pairs();
    int n_pairs = 0;
    for (scree_lid i = 0; i < p->n_owned; i++)
        for (scree_lid j = i + 1; j < (scree_lid)n; j++) {
            int wanted = is_pair(i, j, skin);
            n_pairs += wanted;
            cr_assert_eq(times[(size_t)i * n + (size_t)j], wanted, "pair %d %d listed %d times", i,
                         j, times[(size_t)i * n + (size_t)j]);
        }
    free(times);
    return n_pairs;
}

/* Sorting keeps each grain whole, and the cells hold every slot once. */
static void expect_sorted(const struct cloud *cloud)
{
    cr_assert_eq(p->n_owned, cloud->n_owned);
    cr_assert_eq(cells->owned_start[cells->count], p->n_owned);
    unsigned char *seen = calloc((size_t)p->n_owned + 2, 1);
    for (scree_lid i = 0; i < p->n_owned; i++) {
        scree_gid gid = p->gid[i];
        cr_assert(gid >= 1 && gid <= p->n_owned && !seen[gid]++);
        cr_assert_eq(p->pos[i][0], cloud->size[0] * draw(gid, 0));
        for (int a = 0; a < 3; a++) cr_assert_eq(p->listed[i][a], p->pos[i][a]);
    }
    free(seen);
    for (int32_t c = 0; c < cells->count; c++)
        cr_assert_leq(cells->owned_start[c], cells->owned_start[c + 1]);
    cr_assert_eq(cells->ghost_start[cells->count], p->n_ghost);
}

static int try_cloud(const struct cloud *cloud)
{
    build(cloud);
    expect_sorted(cloud);
    return expect_all_pairs(cloud->skin);
}

Test(cells, polydisperse_grains_with_ghosts)
{
    const struct cloud cloud = {.n_owned = 900,
                                .n_ghost = 500,
                                .size = {0.02, 0.015, 0.01},
                                .smallest = 2e-4,
                                .largest = 8e-4,
                                .skin = 2e-4};
    cr_expect_gt(try_cloud(&cloud), 500);
    cr_expect_gt(cells->level[0].n[0], 4);
}

/* A wide size distribution in space or in the plane; about as many pairs whatever the ratio. */
static void try_ratio(double ratio, bool in_plane, int n_levels)
{
    struct cloud cloud = {.n_owned = 1500,
                          .n_ghost = 800,
                          .size = {0.012, 0.009, in_plane ? 0.0 : 0.006},
                          .smallest = 2.0e-4,
                          .largest = 2.0e-4 * ratio,
                          .skin = 6e-5,
                          .wide = true,
                          .frozen_every = 7};
    cr_expect_gt(try_cloud(&cloud), 300);
    cr_expect_geq(cells->n_levels, n_levels);
    cr_expect_leq(cells->n_levels, n_levels + 1);
    forget_all();
    cloud.skin = 5e-4;
    cr_expect_gt(try_cloud(&cloud), 2000);
    forget_all();
}

Test(cells, size_ratios_in_space)
{
    try_ratio(1.0, false, 1);
    try_ratio(3.0, false, 2);
    try_ratio(10.0, false, 3);
    try_ratio(30.0, false, 4);
}

Test(cells, size_ratios_in_the_plane)
{
    try_ratio(1.0, true, 1);
    try_ratio(3.0, true, 2);
    try_ratio(10.0, true, 3);
    try_ratio(30.0, true, 4);
}

/* Sizes that differ by less than a factor 2 share one level, whatever ghosts come. */
Test(cells, one_level_for_similar_sizes)
{
    const struct cloud cloud = {.n_owned = 500,
                                .n_ghost = 200,
                                .size = {0.01, 0.01, 0.01},
                                .smallest = 3.1e-4,
                                .largest = 6e-4,
                                .skin = 1e-4};
    cr_expect_gt(try_cloud(&cloud), 300);
    cr_expect_eq(cells->n_levels, 1);
}

/* More octaves than there are levels: the smallest grains share the last. */
Test(cells, more_sizes_than_levels)
{
    struct cloud cloud = {.n_owned = 300, .size = {1.0, 1.0, 1.0}, .largest = 0.5, .smallest = 0.5};
    build(&cloud);
    for (scree_lid i = 0; i < p->n_owned; i++) p->pos[i][3] = ldexp(0.5, -i % 23);
    scree_cell_grid_sort_owned(cells, p, cloud.largest, cloud.skin);
    scree_cell_grid_bin_ghosts(cells, p);
    scree_neighbours_build(&list, cells, p, no_images, NULL);
    cr_expect_eq(cells->n_levels, SCREE_MOST_LEVELS);
    cr_expect_gt(expect_all_pairs(cloud.skin), 500);
}

/* A rank that owns only small grains next to one with large ones, and the other way round. */
static void try_strangers(double factor)
{
    struct cloud cloud = {.n_owned = 700,
                          .n_ghost = 400,
                          .size = {0.006, 0.006, 0.006},
                          .smallest = 2e-4,
                          .largest = 2e-4,
                          .skin = 5e-5};
    build(&cloud);
    for (scree_lid g = p->n_owned; g < p->n_owned + p->n_ghost; g++) p->pos[g][3] *= factor;
    cloud.n_ghost = p->n_ghost;
    scree_cell_grid_sort_owned(cells, p, fmax(2e-4, 2e-4 * factor), cloud.skin);
    p->n_ghost = cloud.n_ghost;
    scree_cell_grid_bin_ghosts(cells, p);
    scree_neighbours_build(&list, cells, p, no_images, NULL);
    cr_expect_gt(expect_all_pairs(cloud.skin), 100);
    forget_all();
}

Test(cells, ghosts_of_other_sizes)
{
    try_strangers(5.0);
    try_strangers(0.1);
}

Test(cells, frozen_pairs_are_left_out)
{
    const struct cloud cloud = {.n_owned = 600,
                                .n_ghost = 300,
                                .size = {0.01, 0.01, 0.01},
                                .smallest = 3e-4,
                                .largest = 6e-4,
                                .skin = 1e-4,
                                .frozen_every = 2};
    cr_expect_gt(try_cloud(&cloud), 300);
}

Test(cells, flat)
{
    const struct cloud cloud = {.n_owned = 500,
                                .n_ghost = 200,
                                .size = {0.03, 0.02, 0.0},
                                .smallest = 2e-4,
                                .largest = 6e-4,
                                .skin = 2e-4};
    cr_expect_gt(try_cloud(&cloud), 300);
    cr_expect_eq(cells->level[0].n[2], 1);
}

Test(cells, a_single_cell)
{
    const struct cloud cloud = {.n_owned = 12,
                                .n_ghost = 9,
                                .size = {1e-3, 1e-3, 1e-3},
                                .smallest = 3e-4,
                                .largest = 5e-4,
                                .skin = 1e-4};
    cr_expect_gt(try_cloud(&cloud), 50);
    const int *n = cells->level[0].n;
    cr_expect(n[0] == 1 && n[1] == 1 && n[2] == 1);
}

Test(cells, a_thin_gas_in_a_large_box)
{
    const struct cloud cloud = {.n_owned = 60,
                                .n_ghost = 40,
                                .size = {5.0, 5.0, 5.0},
                                .smallest = 1e-3,
                                .largest = 0.1,
                                .skin = 0.4};
    cr_expect_gt(try_cloud(&cloud), 3);
    cr_expect_leq(cells->count, 4 * 60 + 512 * cells->n_levels);
}

Test(cells, one_grain_and_its_ghosts)
{
    const struct cloud cloud = {
        .n_owned = 1, .n_ghost = 3, .size = {1e-3, 1e-3, 1e-3}, .smallest = 1e-3, .largest = 1e-3};
    cr_expect_eq(try_cloud(&cloud), 3);
}

Test(cells, no_grains)
{
    const struct cloud cloud = {
        .n_owned = 0, .n_ghost = 5, .size = {1.0, 1.0, 1.0}, .smallest = 0.1, .largest = 0.1};
    cr_expect_eq(try_cloud(&cloud), 0);
}

/* The memory of an earlier, larger build is used again. */
Test(cells, rebuilding_with_other_numbers)
{
    struct cloud cloud = {.n_owned = 700,
                          .n_ghost = 300,
                          .size = {0.01, 0.01, 0.01},
                          .smallest = 3e-4,
                          .largest = 6e-4,
                          .skin = 1e-4};
    build(&cloud);
    cloud.skin = list.skin = list.search = 3e-4;
    p->n_owned = 250;
    scree_cell_grid_sort_owned(cells, p, cloud.largest, cloud.skin);
    scree_cell_grid_bin_ghosts(cells, p);
    scree_neighbours_build(&list, cells, p, no_images, NULL);
    cr_expect_gt(expect_all_pairs(cloud.skin), 100);
}

Test(cells, how_far_grains_have_moved)
{
    const struct cloud cloud = {
        .n_owned = 20, .size = {1.0, 1.0, 1.0}, .smallest = 0.01, .largest = 0.02, .skin = 0.01};
    scree_lid slot;
    build(&cloud);
    cr_expect_eq(scree_neighbours_moved(p, &slot), 0.0);
    cr_expect_eq(slot, -1);
    p->pos[3][0] += 0.003;
    p->pos[3][1] += 0.004;
    p->pos[7][2] -= 0.002;
    cr_expect_float_eq(scree_neighbours_moved(p, &slot), 0.005, 1e-15);
    cr_expect_eq(slot, 3);
}
