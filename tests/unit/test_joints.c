/* SPDX-License-Identifier: BSD-3-Clause
 * Joints of walls: which contacts of a grain count. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>

#include "walls_expect.h"

TestSuite(joints, .init = walls_open_box, .fini = walls_forget);

enum { MOST = 8 };
static struct scree_wall_contact contact[MOST];

/* The walls that a grain touches, as a number with one bit per wall. */
static int touched(double x, double y, double z, double radius)
{
    int32_t wall[MOST];
    int bits = 0;
    const double pos[1][4] = {{x, y, z, radius}};
    for (int w = 0; w < walls.n; w++) {
        wall[w] = w;
        scree_wall_locate(&walls.wall[w], 1, pos, &contact[w]);
    }
    scree_joints_resolve(&walls, pos[0], INFINITY, walls.n, wall, contact);
    for (int w = 0; w < walls.n; w++)
        if (contact[w].at.gap < 0.0 && contact[w].hidden_by < 0) bits |= 1 << w;
    return bits;
}

/* Everywhere above a flat floor of several pieces a grain has one contact, straight below. */
static void expect_flat(double low, double high, double height)
{
    for (int k = 0; k <= 400; k++)
        for (int m = -2; m <= 2; m++) {
            double x = low + (high - low) * k / 400 + 1e-16 * m, y = 0.3 * m;
            int bits = touched(x, y, height, 1.0);
            cr_expect(bits != 0 && (bits & (bits - 1)) == 0, "at %.17g, %g: walls %d", x, y, bits);
            for (int w = 0; w < walls.n; w++)
                if (bits == 1 << w) cr_expect_float_eq(contact[w].at.gap, height - 1.0, 1e-15);
        }
}

Test(joints, split_bottom)
{
    walls_read("boundaries:\n"
               "  disk: {shape: disk, material: glass, centre: [0, 0, 0], radius: 1.5}\n"
               "  ring: {shape: ring, material: glass, centre: [0, 0, 0], inner: 1.5, outer: 4}\n");
    expect_flat(0.0, 3.5, 0.999);
    expect_flat(1.5 - 1e-15, 1.5 + 1e-15, 0.5);
    cr_expect_eq(touched(1.499, 0, 0.99, 1), 1);
    cr_expect_eq(touched(1.5, 0, 0.99, 1), 1); /* the disk holds its rim */
    cr_expect_eq(touched(1.501, 0, 0.99, 1), 2);
    cr_expect_eq(touched(4.1, 0, 0.99, 1), 2); /* the outer edge is real */
    cr_expect(contact[1].at.edge);
    cr_expect_eq(touched(0, 0, -0.99, 1), 1); /* both faces */
}

Test(joints, tiles_and_a_disk_on_a_plane)
{
    walls_read("boundaries:\n"
               "  a: {shape: rectangle, material: glass, corner: [0, 0, 0], along: [1, 0, 0], "
               "across: [0, 3, 0]}\n"
               "  b: {shape: rectangle, material: glass, corner: [2.1, 3, 0], along: [0, -3, 0], "
               "across: [-1.1, 0, 0]}\n"
               "  c: {shape: rectangle, material: glass, corner: [2.1, 0, 0], along: [1, 0, 0], "
               "across: [0, -3, 0]}\n"
               "  d: {shape: rectangle, material: glass, corner: [2.1, 0, 0], along: [1, 0, 0], "
               "across: [0, 3, 0]}\n"
               "  e: {shape: rectangle, material: glass, corner: [0, -3, 0], along: [2.1, 0, 0], "
               "across: [0, 3, 0]}\n");
    expect_flat(0.0, 3.0, 0.9);
    walls_forget();
    walls_read("boundaries:\n"
               "  floor: {shape: plane, material: glass, point: [5, 5, 0], normal: [0, 0, 1]}\n"
               "  disk: {shape: disk, material: glass, centre: [0, 0, 0], radius: 1.5}\n");
    expect_flat(0.0, 3.0, 0.9);
    cr_expect_eq(touched(1.0, 0, 0.9, 1), 2); /* the disk covers the plane */
    cr_expect_eq(touched(2.0, 0, 0.9, 1), 1);
}

/* Blocks side by side, a sheet flush with one, one sunk into a floor; edges that stand out are
 * felt. */
Test(joints, blocks)
{
    walls_read("boundaries:\n"
               "  a: {shape: block, material: glass, low: [0, -3, -2], high: [1, 3, 0]}\n"
               "  b: {shape: block, material: glass, low: [1, -3, -1], high: [2.1, 3, 0]}\n"
               "  c: {shape: rectangle, material: glass, corner: [2.1, -3, 0], along: [1, 0, 0], "
               "across: [0, 6, 0]}\n");
    expect_flat(0.0, 3.0, 0.9);
    cr_expect_eq(touched(-0.3, 0, 0.9, 1), 1); /* beyond the edge */
    for (int k = 0; k <= 100; k++) {           /* along the common front: one edge at a time */
        int bits = touched(0.02 * k, 3.4, 0.4, 1);
        cr_expect(bits == 1 || bits == 2, "at %g: walls %d", 0.02 * k, bits);
    }
    walls_forget();
    walls_read("boundaries:\n"
               "  floor: {shape: plane, material: glass, point: [0, 0, 0], normal: [0, 0, 1]}\n"
               "  sunk: {shape: block, material: glass, low: [1, -3, -1], high: [2, 3, 0]}\n"
               "  step: {shape: block, material: glass, low: [5, -3, -1], high: [6, 3, 0.5]}\n");
    expect_flat(0.0, 3.0, 0.9);
    cr_expect_eq(touched(4.3, 0, 0.95, 1), 5); /* floor and edge of the step */
}

/* Straight above the middle of tilted sheets, where directions from the axis are rounding. */
Test(joints, above_the_axis)
{
    walls_read(
        "boundaries:\n"
        "  disk: {shape: disk, material: glass, centre: [0.1, 0.2, 0.3], normal: [1, -2, 3], "
        "radius: 0.3}\n"
        "  ring: {shape: ring, material: glass, centre: [0.1, 0.2, 0.3], normal: [1, -2, 3], "
        "inner: 0.3, outer: 4}\n");
    const double length = sqrt(14.0);
    for (int k = 0; k < 200; k++) {
        double h = (0.5 + 0.002 * k) / length;
        cr_expect_eq(touched(0.1 + h, 0.2 - 2.0 * h, 0.3 + 3.0 * h, 1), 1, "height %g", h);
    }
}

/* A closed can of tube and two disks: concave corners inside, convex edges outside. */
Test(joints, can)
{
    walls_read(
        "boundaries:\n"
        "  side: {shape: cylinder, material: glass, point: [0, 0, 0], radius: 3, length: 5}\n"
        "  bottom: {shape: disk, material: glass, centre: [0, 0, 0], radius: 3}\n"
        "  top: {shape: disk, material: glass, centre: [0, 0, 5], radius: 3}\n");
    cr_expect_eq(touched(2.1, 0, 0.9, 1), 3); /* a corner inside touches both */
    cr_expect_eq(touched(2.1, 0, 2.0, 1), 1);
    cr_expect_eq(touched(0, 3.9, 4.99, 1), 1); /* outside, just below the upper edge */
    cr_expect_eq(touched(0, 2.99, 5.9, 1), 4); /* above, just within it */
    int edge = touched(0, 3.5, 5.5, 1);        /* the edge itself: once */
    cr_expect(edge == 1 || edge == 4, "walls %d", edge);
    for (int k = 0; k < 300; k++) { /* around the edge there is always exactly one contact */
        double angle = 2.0 * k / 300 - 0.2;
        int bits = touched(0, 3.0 + 0.9 * sin(angle), 5.0 + 0.9 * cos(angle), 1);
        cr_expect(bits == 1 || bits == 4, "angle %g: walls %d", angle, bits);
    }
}

/* Tube and cone of a hopper: the rim that they share is felt once from outside; inside the grain
 * lies in an obtuse corner. */
Test(joints, hopper)
{
    walls_read("boundaries:\n"
               "  bin: {shape: cylinder, material: glass, point: [0, 0, 4], radius: 3, length: 5}\n"
               "  hopper: {shape: cone, material: glass, point: [0, 0, 0], radius: 1, end_radius: "
               "3, length: 4}\n");
    cr_expect_eq(touched(2.1, 0, 6, 1), 1);
    cr_expect_eq(touched(0, 1.2, 2, 1), 2);
    cr_expect_eq(touched(0, 3.9, 4.01, 1), 1); /* outside: the rim of the cone is the tube's */
    int edge = touched(0, 3.95, 3.9, 1);
    cr_expect(edge == 1 || edge == 2, "walls %d", edge);
}

/* Line segments in two dimensions: a valley, a ridge, and a straight line of two. */
Test(joints, segments)
{
    walls_make_box(2, false, false, false);
    walls_read("boundaries:\n"
               "  a: {shape: segment, material: glass, from: [-3, 0], to: [0, 0]}\n"
               "  b: {shape: segment, material: glass, from: [0, 0], to: [3, 0]}\n"
               "  c: {shape: segment, material: glass, from: [3, 0], to: [3, 3]}\n");
    for (int k = -250; k <= 190; k++) {
        int bits = touched(0.01 * k, 0.95, 0, 1);
        cr_expect(bits == 1 || bits == 2, "at %g: walls %d", 0.01 * k, bits);
    }
    cr_expect_eq(touched(2.05, 0.95, 0, 1), 6);
    cr_expect_eq(touched(3.5, -0.5, 0, 1) != 0, true); /* outside the corner: one of the two */
    cr_expect_neq(touched(3.5, -0.5, 0, 1), 6);
}

/* A slit is no joint: its edges are felt. */
Test(joints, slit)
{
    walls_read("boundaries:\n"
               "  disk: {shape: disk, material: glass, centre: [0, 0, 0], radius: 1.5}\n"
               "  ring: {shape: ring, material: glass, centre: [0, 0, 0], inner: 1.6, outer: 4}\n");
    cr_expect_eq(touched(1.55, 0, 0.9, 1), 3);
    cr_expect(contact[0].at.edge && contact[1].at.edge);
}

static bool goes_on(int from, int to)
{
    const int32_t wall[2] = {from, to};
    return scree_joints_continues(&walls, 1.0, wall, &contact[from], &contact[to]);
}

Test(joints, history_goes_on_at_a_joint_only)
{
    walls_read("boundaries:\n"
               "  disk: {shape: disk, material: glass, centre: [0, 0, 0], radius: 1.5}\n"
               "  ring: {shape: ring, material: glass, centre: [0, 0, 0], inner: 1.5, outer: 4}\n"
               "  side: {shape: cylinder, material: glass, point: [0, 0, 0], radius: 4, side: "
               "inside}\n");
    touched(1.51, 0, 0.9999, 1);
    cr_expect(goes_on(0, 1));
    touched(1.49, 0, 0.9999, 1);
    cr_expect(goes_on(1, 0));
    touched(3.2, 0, 0.9, 1);
    cr_expect(!goes_on(1, 2));
}
