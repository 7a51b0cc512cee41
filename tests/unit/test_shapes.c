/* SPDX-License-Identifier: BSD-3-Clause
 * Gaps, normals and contact points of every shape against the closest point found by search. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>

#include "scree/rng.h"
#include "scree/vec.h"
#include "walls_expect.h"

TestSuite(shapes, .init = walls_open_box, .fini = walls_forget);

static const double pi = 3.14159265358979323846;

/* A surface as the image of the unit square; beyond v = 0 and 1 an angle goes on. */
typedef void surface(double u, double v, double x[3]);

/* Axis (1, 2, 2)/3 and two vectors across it. */
static const double axis[3] = {1.0 / 3, 2.0 / 3, 2.0 / 3}, across[3] = {2.0 / 3, 1.0 / 3, -2.0 / 3},
                    beside[3] = {-2.0 / 3, 2.0 / 3, -1.0 / 3};

static void revolved(double off, double along, double turn, double x[3])
{
    const double point[3] = {0.3, -0.2, 0.1};
    for (int k = 0; k < 3; k++)
        x[k] = point[k] + along * axis[k] + off * (cos(turn) * across[k] + sin(turn) * beside[k]);
}

static double in_range(double v)
{
    return fmin(fmax(v, 0.0), 1.0);
}

static void disk(double u, double v, double x[3])
{
    revolved(1.5 * u, 0.0, 2 * pi * v, x);
}

static void ring(double u, double v, double x[3])
{
    revolved(0.5 + u, 0.0, 2 * pi * v, x);
}

static void tube(double u, double v, double x[3])
{
    revolved(1.2, 2.0 * u, 2 * pi * v, x);
}

static void cone(double u, double v, double x[3])
{
    revolved(0.2 + 1.3 * u, 1.7 * u, 2 * pi * v, x);
}

static void tip(double u, double v, double x[3])
{
    revolved(1.1 * (1.0 - u), 0.8 * u, 2 * pi * v, x);
}

static void endless(double u, double v, double x[3])
{
    revolved(1.2, 20.0 * (u - 0.5), 2 * pi * v, x);
}

static void sphere(double u, double v, double x[3])
{
    const double centre[3] = {0.1, 0.2, 0.3};
    x[0] = centre[0] + 1.4 * sin(pi * u) * cos(2 * pi * v);
    x[1] = centre[1] + 1.4 * sin(pi * u) * sin(2 * pi * v);
    x[2] = centre[2] + 1.4 * cos(pi * u);
}

static void rectangle(double u, double v, double x[3])
{
    for (int k = 0; k < 3; k++) x[k] = -0.5 + 1.5 * u * axis[k] + 0.9 * in_range(v) * across[k];
}

static void segment(double u, double v, double x[3])
{
    (void)v;
    x[0] = -1.0 + 1.5 * u;
    x[1] = 0.5 * u;
    x[2] = 0.2 - u;
}

static void plane(double u, double v, double x[3])
{
    for (int k = 0; k < 3; k++)
        x[k] = 0.2 + 20.0 * (u - 0.5) * across[k] + 20.0 * (v - 0.5) * beside[k];
}

/* One face at a time. */
static int face;

static void block(double u, double v, double x[3])
{
    const double low[3] = {-1.0, -0.5, 0.2}, high[3] = {0.5, 1.0, 1.0};
    int a = face / 2, b = (a + 1) % 3, c = (a + 2) % 3;
    x[a] = face % 2 == 0 ? low[a] : high[a];
    x[b] = low[b] + u * (high[b] - low[b]);
    x[c] = low[c] + in_range(v) * (high[c] - low[c]);
}

/* Coarse search everywhere, then finer and finer around the best. */
static double search(surface *shape, const double from[3], double best[3])
{
    enum { COARSE = 30, FINE = 6, ROUNDS = 20 };
    double at[2] = {0.5, 0.5}, width = 0.5, closest = INFINITY;
    for (int round = 0; round < ROUNDS; round++) {
        int n = round == 0 ? COARSE : FINE;
        double middle[2] = {at[0], at[1]};
        for (int a = -n; a <= n; a++)
            for (int b = -n; b <= n; b++) {
                double u = fmin(fmax(middle[0] + width * a / n, 0.0), 1.0), x[3], d[3];
                double v = middle[1] + width * b / n;
                shape(u, v, x);
                for (int k = 0; k < 3; k++) d[k] = x[k] - from[k];
                if (scree_vec_norm(d) >= closest) continue;
                closest = scree_vec_norm(d);
                memcpy(best, x, 3 * sizeof(double));
                at[0] = u;
                at[1] = v;
            }
        width *= round == 0 ? 2.0 / COARSE : 0.25;
    }
    return closest;
}

static double search_faces(surface *shape, const double from[3], double best[3])
{
    double closest = INFINITY, x[3] = {0, 0, 0};
    for (face = 0; face < (shape == block ? 6 : 1); face++) {
        double distance = search(shape, from, x);
        if (distance >= closest) continue;
        closest = distance;
        memcpy(best, x, sizeof x);
    }
    return closest;
}

/* 100 places at random. */
static void compare(const char *text, surface *shape, bool body)
{
    char line[400];
    snprintf(line, sizeof line, "boundaries: {w: {material: glass, %s}}", text);
    walls_read(line);
    int n_deep = 0, n_edge = 0;
    for (int trial = 0; trial < 100; trial++) {
        struct scree_rng_key key = {.seed = 7, .gid = trial, .purpose = SCREE_RNG_RADIUS};
        double x[3], closest[3] = {0, 0, 0};
        for (uint32_t k = 0; k < 3; k++) x[k] = 5.0 * scree_rng_uniform(&key, k) - 2.5;
        double distance = search_faces(shape, x, closest),
               radius = 0.3 * scree_rng_uniform(&key, 3);
        struct scree_wall_contact c = walls_locate(0, x[0], x[1], x[2], radius);
        bool deep = c.at.gap + radius < 0.0;
        double found = fabs(c.at.gap + radius), off = 0.0;
        for (int k = 0; k < 3; k++) off = fmax(off, fabs(c.point[k] - closest[k]));
        n_deep += deep;
        n_edge += c.at.edge;
        cr_expect(body || !deep, "%s: a sheet has no inside", text);
        cr_expect_float_eq(found, distance, 1e-9, "%s at (%g, %g, %g): %.12g, by search %.12g",
                           text, x[0], x[1], x[2], found, distance);
        cr_expect_lt(off, 1e-4, "%s at (%g, %g, %g): contact point off by %g", text, x[0], x[1],
                     x[2], off);
        cr_expect_float_eq(scree_vec_norm(c.at.normal), 1.0, 1e-14);
    }
    cr_expect(n_deep < 100 && n_edge < 100, "%s: %d deep, %d at edges", text, n_deep, n_edge);
    walls_forget();
}

#define ROUND "point: [0.3, -0.2, 0.1], axis: [1, 2, 2]"

Test(shapes, sheets_of_revolution)
{
    compare("shape: disk, centre: [0.3, -0.2, 0.1], normal: [1, 2, 2], radius: 1.5", disk, false);
    compare("shape: ring, centre: [0.3, -0.2, 0.1], normal: [1, 2, 2], inner: 0.5, outer: 1.5",
            ring, false);
    compare("shape: cylinder, " ROUND ", radius: 1.2, length: 2", tube, false);
    compare("shape: cone, " ROUND ", radius: 0.2, end_radius: 1.5, length: 1.7", cone, false);
    compare("shape: cone, " ROUND ", radius: 1.1, end_radius: 0, length: 0.8", tip, false);
}

Test(shapes, other_sheets)
{
    compare("shape: rectangle, corner: [-0.5, -0.5, -0.5], along: [0.5, 1, 1], across: "
            "[0.6, 0.3, -0.6]",
            rectangle, false);
    compare("shape: segment, from: [-1, 0, 0.2], to: [0.5, 0.5, -0.8]", segment, false);
}

Test(shapes, bodies)
{
    compare("shape: plane, point: [0.2, 0.2, 0.2], normal: [1, 2, 2]", plane, true);
    compare("shape: cylinder, " ROUND ", radius: 1.2, side: inside", endless, true);
    compare("shape: cylinder, " ROUND ", radius: 1.2, side: outside", endless, true);
    compare("shape: sphere, centre: [0.1, 0.2, 0.3], radius: 1.4, side: inside", sphere, true);
    compare("shape: sphere, centre: [0.1, 0.2, 0.3], radius: 1.4, side: outside", sphere, true);
    compare("shape: block, low: [-1, -0.5, 0.2], high: [0.5, 1, 1]", block, true);
}

/* Which side a body pushes to: the search cannot tell. */
Test(shapes, bodies_push_to_the_side_of_the_grains)
{
    walls_read("boundaries:\n"
               "  drum: {shape: cylinder, material: glass, point: [0, 0, 0], radius: 2, side: "
               "inside}\n"
               "  rod: {shape: cylinder, material: glass, point: [0, 0, 0], radius: 2, side: "
               "outside}\n"
               "  bowl: {shape: sphere, material: glass, centre: [0, 0, 0], radius: 2, side: "
               "inside}\n"
               "  ball: {shape: sphere, material: glass, centre: [0, 0, 0], radius: 2, side: "
               "outside}\n"
               "  block: {shape: block, material: glass, low: [-2, -2, -2], high: [2, 2, 2]}\n");
    const double inward[5] = {-1, 1, -1, 1, 1};
    for (int w = 0; w < walls.n; w++)
        for (int deep = 0; deep < 2; deep++) {
            double x = deep ? 1.75 : 2.25;
            struct scree_wall_contact c = walls_locate(w, x, 0, 0, 0.5);
            double gap = inward[w] * (x - 2.0) - 0.5;
            cr_expect_float_eq(c.at.gap, gap, 1e-15, "%s: %g", walls.wall[w].name, c.at.gap);
            cr_expect_float_eq(c.at.normal[0], inward[w], 1e-15, "%s", walls.wall[w].name);
        }
}

Test(shapes, a_box_is_six_walls_or_fewer)
{
    static const char text[] =
        "boundaries: {box: {shape: box, material: steel, low: [-1, -2, -3], high: [1, 2, 3]}}";
    static const char *const names[] = {"box.x_low",  "box.x_high", "box.y_low",
                                        "box.y_high", "box.z_low",  "box.z_high"};
    walls_read(text);
    cr_assert_eq(walls.n, 6);
    for (int w = 0; w < 6; w++) {
        cr_expect_str_eq(walls.wall[w].name, names[w]);
        cr_expect_eq(walls.wall[w].species, 1);
        cr_expect_eq(walls_locate(w, 0.5, 0.5, 0.5, 0.25).at.gap,
                     1 + w / 2 - 0.25 + (w % 2 == 0 ? 0.5 : -0.5));
    }
    walls_forget();
    walls_make_box(3, true, false, true);
    walls_read(text);
    cr_assert_eq(walls.n, 2);
    cr_expect_str_eq(walls.wall[1].name, "box.y_high");
    walls_forget();
    walls_make_box(2, false, false, false);
    walls_read("boundaries: {box: {shape: box, material: steel, low: [-1, -2], high: [1, 2]}}");
    cr_expect_eq(walls.n, 4);
}

/* A grain sees the image of a bounded wall that is next to it, wrapped or not. */
Test(shapes, periodic_images)
{
    walls_make_box(3, true, false, false);
    walls_read("boundaries: {ball: {shape: sphere, material: glass, centre: [9, 0, 0], radius: 2, "
               "side: outside, velocity: [0, 1, 0]}}");
    for (int k = -2; k <= 2; k++) {
        struct scree_wall_contact c = walls_locate(0, -8.0 + 20.0 * k, 0, 0, 1.5);
        cr_expect_float_eq(c.at.gap, -0.5, 1e-14);
        cr_expect_eq(c.at.normal[0], 1.0);
        cr_expect_float_eq(c.arm[0], 2.0, 1e-14);
        cr_expect_float_eq(c.point[0], -9.0 + 20.0 * k, 1e-14);
    }
    scree_walls_check_images(&walls, walls_kept, scree_input_root(walls_kept), 7.0);
    cr_expect_eq(scree_input_n_errors(walls_kept), 0);
    scree_walls_check_images(&walls, walls_kept, scree_input_root(walls_kept), 8.5);
    cr_expect_eq(scree_input_n_errors(walls_kept), 1);
}

/* What reaches from side to side of a period has no ends there. */
Test(shapes, walls_that_span_a_period)
{
    walls_make_box(3, false, true, false);
    walls_read(
        "boundaries:\n"
        "  baffle: {shape: rectangle, material: glass, corner: [0, -10, 0], along: [0, 20, 0], "
        "across: [0, 0, 3]}\n"
        "  step: {shape: block, material: glass, low: [0, -10, 0], high: [2, 10, 3]}\n"
        "  short: {shape: rectangle, material: glass, corner: [0, -4, 0], along: [0, 8, 0], "
        "across: [0, 0, 3]}\n");
    for (int k = -3; k <= 3; k++) {
        double y = 9.9999 * k; /* beyond the box too: a grain may not have been wrapped yet */
        struct scree_wall_contact c = walls_locate(0, 0.75, y, 1, 1);
        cr_expect(c.at.gap == -0.25 && !c.at.edge && c.at.normal[0] == 1.0, "gap %g", c.at.gap);
        cr_expect_eq(c.arm[1], 0.0);
        cr_expect_eq(c.point[1], y);
        cr_expect_eq(walls_locate(1, 2.75, y, 1, 1).at.gap, -0.25);
    }
    cr_expect_gt(walls_locate(2, 0.75, 9.9999, 1, 1).at.gap, 0.0);
    walls_forget();
    walls_make_box(3, false, true, false);
    walls_expect_mistakes(
        "boundaries:\n"
        "  baffle: {shape: rectangle, material: glass, corner: [0, -10, 0], along: "
        "[0, 20, 0], across: [0, 0, 3], rotate: {axis: [1, 0, 0], rate: 1}}\n",
        "f.yaml:2:11: wall 'baffle' has no end, and turns about an axis that is "
        "not y, which is periodic\n");
}
