/* SPDX-License-Identifier: BSD-3-Clause
 * The position grid of periodic directions: rounding to it, and wraps that lose no bit. */
#include <math.h>

#include "scree/box.h"
#include "scree/rng.h"
#include "unit.h"

static const struct {
    double low, high;
} ranges[] = {
    {0.0, 1e-4},    {0.0, 1.0},         {0.0, 1e3},   {-3e-5, 7e-5},
    {-1e3, 1e3},    {-7.3, -2.1},       {5.0, 5.1},   {1e3, 1e3 + 0.25},
    {-0.02, 0.013}, {-1e-4, -1e-4 / 3}, {0.0, 0.037}, {1.0 / 3, 2.0 / 3},
};
enum { N_RANGES = sizeof ranges / sizeof ranges[0], N_POINTS = 2000 };

static struct scree_box periodic_box(int r)
{
    struct scree_box box;
    const double low[3] = {ranges[r].low, 0.0, -1.0}, high[3] = {ranges[r].high, 1.0, 1.0};
    const bool periodic[3] = {true, false, true};
    scree_box_init(&box, 3, low, high, periodic);
    return box;
}

/* Distance between neighbours of the grid along x. */
static double spacing(const struct scree_box *box)
{
    return box->grid_rounder[0] / (1.5 * ldexp(1.0, 52));
}

static double draw(int r, int k, double low, double high)
{
    struct scree_rng_key key = {.seed = 5, .gid = k, .purpose = SCREE_RNG_POSITION, .step = r};
    return low + (high - low) * scree_rng_uniform(&key, 0);
}

Test(box, the_grid_is_fine_and_holds_the_bounds)
{
    for (int r = 0; r < N_RANGES; r++) {
        struct scree_box box = periodic_box(r);
        double q = spacing(&box), reach = fmax(fabs(ranges[r].low), fabs(ranges[r].high));
        int exponent;
        cr_expect_eq(frexp(q, &exponent), 0.5, "range %d: the spacing is a power of two", r);
        cr_expect_leq(q, 8.0 * 2.3e-16 * reach, "range %d: spacing %g", r, q);
        cr_expect_eq(fmod(box.low[0], q), 0.0);
        cr_expect_eq(fmod(box.high[0], q), 0.0);
        cr_expect_eq(fmod(box.length[0], q), 0.0);
        cr_expect_leq(fabs(box.low[0] - ranges[r].low), 0.5 * q);
        cr_expect_leq(fabs(box.high[0] - ranges[r].high), 0.5 * q);
    }
}

Test(box, snap_rounds_to_the_nearest_grid_point)
{
    for (int r = 0; r < N_RANGES; r++) {
        struct scree_box box = periodic_box(r);
        double q = spacing(&box), length = box.length[0];
        for (int k = 0; k < N_POINTS; k++) {
            double x = draw(r, k, box.low[0] - length, box.high[0] + length);
            double on_grid = scree_box_snap(&box, 0, x);
            cr_assert_leq(fabs(on_grid - x), 0.5 * q, "range %d: %a becomes %a", r, x, on_grid);
            cr_assert_eq(fmod(on_grid, q), 0.0);
            cr_assert_eq(scree_box_snap(&box, 0, on_grid), on_grid);
            cr_assert_eq(scree_box_snap(&box, 1, x), x, "an open direction has no grid");
        }
    }
}

Test(box, wrapping_is_exact)
{
    for (int r = 0; r < N_RANGES; r++) {
        struct scree_box box = periodic_box(r);
        double length = box.length[0];
        for (int k = 0; k < N_POINTS; k++) {
            double x = draw(r, k, box.low[0] - length, box.high[0] + length);
            double start = scree_box_snap(&box, 0, x);
            double pos[3] = {start, 7.0, 0.0};
            int32_t image[3] = {0};
            scree_box_wrap(&box, pos, image);
            cr_assert(pos[0] >= box.low[0] && pos[0] < box.high[0], "range %d: %a", r, pos[0]);
            cr_assert_eq(pos[0] + image[0] * length, start, "range %d: %a and %d periods from %a",
                         r, pos[0], image[0], start);
            cr_assert_eq(fmod(pos[0], spacing(&box)), 0.0);
            cr_assert(pos[1] == 7.0 && image[1] == 0, "an open direction does not wrap");
            double again[3] = {pos[0], pos[1], pos[2]};
            int32_t same[3] = {image[0], image[1], image[2]};
            scree_box_wrap(&box, again, same);
            cr_assert(again[0] == pos[0] && same[0] == image[0]);
        }
    }
}

Test(box, the_bounds_wrap_to_the_right_side)
{
    for (int r = 0; r < N_RANGES; r++) {
        struct scree_box box = periodic_box(r);
        double q = spacing(&box);
        const double start[4] = {box.low[0], box.high[0], box.low[0] - q, box.high[0] - q};
        const double end[4] = {box.low[0], box.low[0], box.high[0] - q, box.high[0] - q};
        const int32_t periods[4] = {0, 1, -1, 0};
        for (int k = 0; k < 4; k++) {
            double pos[3] = {start[k], 0.0, 0.0};
            int32_t image[3] = {0};
            scree_box_wrap(&box, pos, image);
            cr_expect_eq(pos[0], end[k], "range %d, point %d: %a", r, k, pos[0]);
            cr_expect_eq(image[0], periods[k], "range %d, point %d", r, k);
        }
    }
}

/* What makes a contact the same through any image. */
Test(box, differences_do_not_depend_on_the_image)
{
    for (int r = 0; r < N_RANGES; r++) {
        struct scree_box box = periodic_box(r);
        double length = box.length[0];
        for (int k = 0; k < N_POINTS; k++) {
            double a = scree_box_snap(&box, 0, draw(r, 2 * k, box.low[0], box.high[0]));
            double b = scree_box_snap(&box, 0, draw(r, 2 * k + 1, box.low[0], box.high[0]));
            double apart = a - b;
            cr_assert_eq(apart + b, a);
            cr_assert_eq((a + length) - (b + length), apart);
            cr_assert_eq((a - length) - (b - length), apart);
            cr_assert_eq(a - (b + length), apart - length);
        }
    }
}

Test(box, two_dimensions_and_no_period)
{
    struct scree_box box;
    const double low[3] = {-1.0, 0.0, 0.0}, high[3] = {2.0, 0.5, 0.0};
    const bool open[3] = {false, false, false};
    scree_box_init(&box, 2, low, high, open);
    double pos[3] = {1e9, -1e9, 0.1};
    int32_t image[3] = {3, 4, 5};
    scree_box_wrap(&box, pos, image);
    cr_expect(pos[0] == 1e9 && pos[1] == -1e9 && pos[2] == 0.1);
    cr_expect(image[0] == 3 && image[1] == 4 && image[2] == 5);
    cr_expect_eq(box.length[0], 3.0);
    cr_expect_eq(box.length[2], 0.0);
}
