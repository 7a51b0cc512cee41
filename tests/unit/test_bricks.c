/* SPDX-License-Identifier: BSD-3-Clause
 * The brick grid: its size, which brick a point is in, how far a brick is from a point. */
#include <math.h>

#include "scree/alloc.h"
#include "scree/bricks.h"
#include "scree/rng.h"
#include "unit.h"

enum { N_POINTS = 500 };

static struct scree_box box;
static struct scree_bricks bricks;

static void make(int dimension, const double high[3], const bool periodic[3], double min_edge,
                 int64_t wanted)
{
    const double low[3] = {-0.25, 0.0, 0.0};
    scree_box_init(&box, dimension, low, high, periodic);
    scree_bricks_init(&bricks, &box, min_edge, wanted);
}

static void forget(void)
{
    scree_bricks_clear(&bricks);
    cr_expect_eq(scree_alloc_in_use(), 0);
}

TestSuite(bricks, .fini = forget);

static const bool periodic_xy[3] = {true, true, false};

static void draw_point(int k, double pos[3])
{
    struct scree_rng_key key = {.seed = 9, .gid = k, .purpose = SCREE_RNG_POSITION};
    for (int a = 0; a < 3; a++)
        pos[a] = box.low[a] + box.length[a] * scree_rng_uniform(&key, (uint32_t)a);
}

Test(bricks, about_as_many_as_wanted)
{
    make(3, (double[3]){1.75, 1.0, 0.5}, periodic_xy, 0.01, 1000);
    cr_expect_eq(bricks.count, (int64_t)bricks.n[0] * bricks.n[1] * bricks.n[2]);
    cr_expect(bricks.count > 500 && bricks.count <= 1000, "%lld bricks", (long long)bricks.count);
    for (int a = 0; a < 3; a++) {
        cr_expect_geq(bricks.edge[a], 0.01);
        cr_expect_float_eq(bricks.edge[a] * bricks.n[a], box.length[a], 1e-14);
    }
    for (int64_t b = 0; b < bricks.count; b++) cr_expect_eq(bricks.owner[b], -1);
}

Test(bricks, never_thinner_than_asked)
{
    make(3, (double[3]){1.75, 1.0, 0.5}, periodic_xy, 0.3, 1000);
    cr_expect(bricks.n[0] == 6 && bricks.n[1] == 3 && bricks.n[2] == 1, "%d x %d x %d", bricks.n[0],
              bricks.n[1], bricks.n[2]);
    forget();
    make(3, (double[3]){1.75, 1.0, 0.5}, periodic_xy, 5.0, 1000);
    cr_expect_eq(bricks.count, 1);
}

Test(bricks, two_dimensions_have_one_layer)
{
    make(2, (double[3]){1.75, 1.0, 0.0}, (bool[3]){true, false, false}, 0.05, 200);
    cr_expect_eq(bricks.n[2], 1);
    cr_expect(bricks.count > 100 && bricks.count <= 200, "%lld bricks", (long long)bricks.count);
    cr_expect_lt(scree_bricks_find(&bricks, &box, (double[3]){1.0, 0.9, 0.0}), bricks.count);
}

Test(bricks, index_and_coordinates_agree)
{
    make(3, (double[3]){1.75, 1.0, 0.5}, periodic_xy, 0.1, 300);
    for (int64_t b = 0; b < bricks.count; b++) {
        int at[3];
        scree_bricks_coordinates(&bricks, b, at);
        for (int a = 0; a < 3; a++) cr_expect(at[a] >= 0 && at[a] < bricks.n[a]);
        cr_expect_eq(scree_bricks_index(&bricks, at), b);
    }
}

Test(bricks, a_point_is_in_the_brick_that_is_found)
{
    const int here[3] = {0, 0, 0};
    make(3, (double[3]){1.75, 1.0, 0.5}, periodic_xy, 0.1, 300);
    for (int k = 0; k < N_POINTS; k++) {
        double pos[3];
        int at[3];
        draw_point(k, pos);
        scree_bricks_coordinates(&bricks, scree_bricks_find(&bricks, &box, pos), at);
        cr_expect_leq(scree_bricks_distance2(&bricks, &box, at, here, pos), 1e-28);
    }
}

Test(bricks, points_outside_belong_to_the_nearest)
{
    int at[3];
    make(3, (double[3]){1.75, 1.0, 0.5}, (bool[3]){false, false, false}, 0.1, 300);
    const double outside[3] = {-9.0, 0.5, 1e6};
    scree_bricks_coordinates(&bricks, scree_bricks_find(&bricks, &box, outside), at);
    cr_expect(at[0] == 0 && at[2] == bricks.n[2] - 1);
    cr_expect_eq(scree_bricks_distance2(&bricks, &box, at, (int[3]){0, 0, 0}, outside), 0.0,
                 "bricks at open faces reach to infinity");
    scree_bricks_coordinates(&bricks, scree_bricks_find(&bricks, &box, box.high), at);
    for (int a = 0; a < 3; a++) cr_expect_eq(at[a], bricks.n[a] - 1);
}

/* The nearest point of a brick, formed independently: away from open faces a plain clamp. */
Test(bricks, distance_is_that_of_the_nearest_point)
{
    make(3, (double[3]){1.75, 1.0, 0.5}, (bool[3]){true, true, true}, 0.1, 300);
    for (int k = 0; k < N_POINTS; k++) {
        double pos[3], expected = 0.0;
        int at[3], shift[3];
        draw_point(k, pos);
        scree_bricks_coordinates(&bricks, (k * 37) % bricks.count, at);
        for (int a = 0; a < 3; a++) {
            shift[a] = (k / (a + 1)) % 3 - 1;
            double low = box.low[a] + bricks.edge[a] * at[a] + shift[a] * box.length[a];
            double nearest = fmin(fmax(pos[a], low), low + bricks.edge[a]);
            expected += (pos[a] - nearest) * (pos[a] - nearest);
        }
        cr_expect_float_eq(scree_bricks_distance2(&bricks, &box, at, shift, pos), expected, 1e-13);
    }
}

Test(bricks, an_image_is_the_brick_one_period_on)
{
    make(3, (double[3]){1.75, 1.0, 0.5}, periodic_xy, 0.1, 300);
    for (int k = 0; k < N_POINTS; k++) {
        double pos[3], moved[3];
        int at[3];
        draw_point(k, pos);
        scree_bricks_coordinates(&bricks, (k * 41) % bricks.count, at);
        for (int a = 0; a < 3; a++) moved[a] = pos[a] - (a == 0 ? box.length[a] : 0.0);
        double there = scree_bricks_distance2(&bricks, &box, at, (int[3]){1, 0, 0}, pos);
        double here = scree_bricks_distance2(&bricks, &box, at, (int[3]){0, 0, 0}, moved);
        cr_expect_float_eq(there, here, 1e-13);
    }
}

Test(bricks, meet_across_the_seam_of_a_wedge)
{
    const double low[3] = {0.0, 0.0, 0.0}, high[3] = {8.0, 8.0, 3.0};
    const bool open[3] = {false, false, false};
    scree_box_init(&box, 3, low, high, open);
    scree_wedge_init(&box.wedge, 4, 2);
    scree_bricks_init(&bricks, &box, 1.0, 192);
    cr_assert(bricks.n[0] == 8 && bricks.n[1] == 8 && bricks.n[2] == 3);
    /* A quarter: the brick i along x meets the brick i along y; the first is its own neighbour. */
    cr_expect_eq(bricks.n_seam, 2 * 7 * 3);
    for (int64_t k = 0; k < bricks.n_seam; k++) {
        int a[3], b[3];
        scree_bricks_coordinates(&bricks, bricks.seam[k].brick, a);
        scree_bricks_coordinates(&bricks, bricks.seam[k].other, b);
        cr_expect(a[0] == b[1] && a[1] == b[0] && a[2] == b[2] && a[0] * a[1] == 0);
        cr_expect(k == 0 || bricks.seam[k - 1].brick <= bricks.seam[k].brick);
    }
}

Test(bricks, have_few_neighbours_across_an_oblique_seam)
{
    const double low[3] = {-4.0, 0.0, 0.0}, high[3] = {8.0, 8.0, 1.0};
    const bool open[3] = {false, false, false};
    scree_box_init(&box, 3, low, high, open);
    scree_wedge_init(&box.wedge, 3, 2);
    scree_bricks_init(&bricks, &box, 0.5, 400);
    cr_expect_gt(bricks.n_seam, 2 * bricks.n[0] / 2);
    for (int64_t k = 0, same = 1; k < bricks.n_seam; k++, same++) {
        struct scree_brick_pair here = bricks.seam[k];
        bool back = false;
        for (int64_t m = 0; m < bricks.n_seam; m++)
            back |= bricks.seam[m].brick == here.other && bricks.seam[m].other == here.brick;
        cr_expect(back, "one way only");
        if (k == 0 || bricks.seam[k - 1].brick != here.brick) same = 0;
        cr_expect_lt(same, SCREE_BRICK_SEAM_MOST);
    }
}

Test(bricks, are_bounded_in_number_in_boxes_of_any_shape)
{
    static const double boxes[][3] = {
        {1e12, 1e12, 1e12}, {1e12, 1e12, 1.0}, {1e12, 1.0, 1.0}, {1e12, 1e3, 1.0}, {1.0, 1e6, 1e6}};
    const bool open[3] = {false, false, false};
    for (size_t k = 0; k < sizeof boxes / sizeof boxes[0]; k++) {
        if (k > 0) scree_bricks_clear(&bricks);
        make(3, boxes[k], open, 0.01, 100);
        cr_expect(bricks.count >= 20 && bricks.count <= 1600, "%zu: %lld bricks", k,
                  (long long)bricks.count);
    }
}
