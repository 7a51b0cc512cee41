/* SPDX-License-Identifier: BSD-3-Clause
 * How walls move and turn with time, and the velocity of their surface. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>

#include "scree/vec.h"
#include "walls_expect.h"

TestSuite(motions, .init = walls_open_box, .fini = walls_forget);

static const double pi = 3.14159265358979323846;

static void read_lid(const char *motion)
{
    char text[400];
    snprintf(text, sizeof text,
             "boundaries: {lid: {shape: plane, material: glass, point: [0, 0, 5], normal: "
             "[0, 0, -1], %s}}",
             motion);
    walls_read(text);
}

static void expect_path(double t, double path, double rate)
{
    scree_walls_move(&walls, t);
    const struct scree_wall *w = &walls.wall[0];
    double off = w->offset[2] + w->angle, v = w->velocity[2] + w->rate; /* one of each is zero */
    cr_expect_float_eq(off, path, 1e-14, "t = %g: path %.16g, not %.16g", t, off, path);
    cr_expect_float_eq(v, rate, 1e-13, "t = %g: rate %.16g, not %.16g", t, v, rate);
}

Test(motions, constant_between_start_and_stop)
{
    read_lid("move: {direction: [0, 0, -3], rate: 2 m/s, start: 1 s, stop: 3 s}");
    expect_path(0.5, 0.0, 0.0);
    expect_path(1.0, 0.0, -2.0);
    expect_path(2.0, -2.0, -2.0);
    expect_path(3.0, -4.0, 0.0);
    expect_path(9.0, -4.0, 0.0);
    expect_path(1.5, -1.0, -2.0); /* a function of time: back again is the same */
}

Test(motions, cosine)
{
    read_lid("move: {law: cosine, direction: [0, 0, 1], distance: -2, duration: 4 s}");
    expect_path(0.0, 0.0, 0.0);
    expect_path(1.0, -1.0 + cos(pi / 4), -pi / 4 * sin(pi / 4));
    expect_path(2.0, -1.0, -pi / 4);
    expect_path(4.0, -2.0, 0.0);
    expect_path(7.0, -2.0, 0.0);
}

Test(motions, ramp_and_oscillation)
{
    read_lid("rotate: {law: ramp, rate: 60 rpm, rise: 2 s}");
    expect_path(0.0, 0.0, 0.0);
    expect_path(1.0, pi * (1.0 - 2.0 / pi), pi);
    expect_path(2.0, 2 * pi, 2 * pi);
    expect_path(3.0, 4 * pi, 2 * pi);
    walls_forget();
    read_lid("move: {law: oscillate, direction: [0, 0, 1], amplitude: 0.5, frequency: 2 Hz, phase: "
             "90 deg}");
    expect_path(0.0, 0.0, 0.0);
    expect_path(0.125, -0.5, -2 * pi);
    expect_path(0.25, -1.0, 0.0);
    expect_path(1000.0, 0.0, 0.0);
}

Test(motions, table)
{
    read_lid("move: {law: table, direction: [0, 0, 1], times: [0, 1 s, 3 s], path: [0, 4, 2]}");
    expect_path(0.25, 1.0, 4.0);
    expect_path(1.0, 4.0, -1.0);
    expect_path(2.0, 3.0, -1.0);
    expect_path(5.0, 2.0, 0.0);
    walls_forget();
    read_lid("rotate: {law: table, times: [0, 2 s, 3 s], rates: [1 rad/s, 3 rad/s, 0], start: 1 "
             "s}");
    expect_path(0.5, 0.0, 0.0);
    expect_path(2.0, 1.5, 2.0);
    expect_path(3.0, 4.0, 3.0);
    expect_path(4.0, 5.5, 0.0);
    expect_path(9.0, 5.5, 0.0);
}

/* The rate is the derivative of the path, whatever the law. */
Test(motions, rates_are_derivatives)
{
    static const char *const motions[] = {
        "rotate: {law: ramp, rate: 1.3, rise: 2 s}",
        "move: {law: cosine, direction: [0, 0, 1], distance: 0.7, duration: 3 s}",
        "rotate: {law: oscillate, amplitude: 0.4, frequency: 0.8 Hz, phase: 0.3}",
        "rotate: {law: table, times: [0, 1, 2.2], rates: [1, 3, -1]}",
        "move: {law: table, direction: [0, 0, 1], times: [0, 1, 2.2], path: [0, 3, -1]}",
    };
    for (int m = 0; m < 5; m++) {
        read_lid(motions[m]);
        const struct scree_wall *w = &walls.wall[0];
        for (double t = 0.05; t < 4.0; t += 0.1) {
            double path[2];
            for (int side = 0; side < 2; side++) {
                scree_walls_move(&walls, t + (side == 0 ? -1e-4 : 1e-4));
                path[side] = w->offset[2] + w->angle;
            }
            scree_walls_move(&walls, t);
            double slope = (path[1] - path[0]) / 2e-4, rate = w->velocity[2] + w->rate;
            cr_expect_float_eq(rate, slope, 1e-6, "%s at %g: %g, not %g", motions[m], t, rate,
                               slope);
        }
        walls_forget();
    }
}

/* A tilted sheet that moves and turns: the surface goes where its velocity says, and the contact is
 * that of the turned sheet. */
Test(motions, surface_velocity)
{
    walls_read("boundaries: {plate: {shape: rectangle, material: glass, corner: [-3, -3, 0], "
               "along: [6, 0, 0], across: [0, 6, 0], velocity: [0.1, 0.2, 0.3], move: {direction: "
               "[1, 1, 0], rate: 0.5}, rotate: {axis: [1, 0, 2], point: [0.5, 0, 0], rate: 0.7 "
               "rad/s}}}");
    double before[3], after[3];
    const double t = 0.8, step = 1e-5;
    scree_walls_move(&walls, t);
    struct scree_wall_contact c = walls_locate(0, 0.5, 0.6, 0.7, 1.0);
    const struct scree_wall *w = &walls.wall[0];
    cr_assert(w->changes_by_turning && !c.at.edge);
    double body[3] = {0, 0, 0}, arm[3]; /* the same point of the plate at time 0 */
    for (int k = 0; k < 3; k++) arm[k] = c.point[k] - w->offset[k] - w->pivot[k];
    for (int k = 0; k < 3; k++)
        for (int b = 0; b < 3; b++) body[k] += w->turn[b][k] * arm[b];
    cr_expect_float_eq(body[2], 0.0, 1e-15);
    for (int side = 0; side < 2; side++) {
        double *x = side == 0 ? before : after;
        scree_walls_move(&walls, t + (side == 0 ? -step : step));
        for (int k = 0; k < 3; k++) {
            x[k] = w->pivot[k] + w->offset[k];
            for (int b = 0; b < 3; b++) x[k] += w->turn[k][b] * body[b];
        }
    }
    for (int k = 0; k < 3; k++)
        cr_expect_float_eq(c.velocity[k], (after[k] - before[k]) / (2 * step), 1e-9);
}

/* Turning a surface of revolution about its own axis changes no bit of the geometry. */
Test(motions, surfaces_of_revolution_stay)
{
    walls_read("boundaries:\n"
               "  drum: {shape: cylinder, material: glass, point: [1, 2, 3], axis: [0, 1, 1], "
               "radius: 2, side: inside, rotate: {axis: [0, 2, 2], rate: 5 rad/s}}\n"
               "  ring: {shape: ring, material: glass, centre: [0, 0, 0], inner: 1, outer: 2, "
               "rotate: {rate: 5 rad/s}}\n"
               "  off: {shape: ring, material: glass, centre: [0, 0, 0], inner: 1, outer: 2, "
               "rotate: {rate: 5 rad/s, point: [1, 0, 0]}}\n");
    struct scree_wall_contact before = walls_locate(0, 1, 2, 4, 0.5);
    scree_walls_move(&walls, 1.3);
    struct scree_wall_contact after = walls_locate(0, 1, 2, 4, 0.5);
    cr_expect_eq(before.at.gap, after.at.gap);
    cr_expect_eq(memcmp(before.at.normal, after.at.normal, sizeof before.at.normal), 0);
    cr_expect_eq(before.at.edge, after.at.edge);
    cr_expect_float_eq(scree_vec_norm(after.velocity), 10.0, 1e-13); /* w R */
    cr_expect_eq(walls.wall[0].moved, 0.0);
    struct scree_wall_contact ring = walls_locate(1, 0, 1.5, 0.1, 0.5);
    cr_expect_float_eq(ring.velocity[0], -7.5, 1e-14);
    cr_expect_float_eq(walls.wall[2].moved, 5 * 1.3 * 3.0, 1e-13);
}
