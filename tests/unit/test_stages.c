/* SPDX-License-Identifier: BSD-3-Clause
 * Walls from stage to stage: they go on from where they are, and a resumed run knows where that
 * was; when conditions are looked at. */
#define _POSIX_C_SOURCE 200809L
#include <string.h>

#include "scree/end_condition.h"
#include "unit.h"
#include "walls_expect.h"

static const char text[] =
    "boundaries:\n"
    "  a: {shape: plane, material: glass, point: [0, 0, 0], normal: [0, 0, 1], velocity: [1, 0, "
    "0]}\n"
    "  b: {shape: box, material: glass, low: [-5, -5, -5], high: [5, 5, 5]}\n"
    "  c: {shape: block, material: glass, low: [-1, -1, -1], high: [1, 2, 3], rotate: {rate: "
    "0.5}}\n"
    "first:\n"
    "  a: {move: {direction: [0, 0, 1], rate: 2, start: 1, stop: 2}}\n"
    "  b: {velocity: [0, 1, 0]}\n"
    "second:\n"
    "  c: fixed\n"
    "third:\n"
    "  a: {move: {law: table, direction: [1, 0, 0], times: [0, 1], rates: [1, 1]}}\n"
    "  b.z_high: {servo: {force: 3, mass: 1}}\n"
    "  c: {rotate: {law: cosine, angle: 2, duration: 1}}\n";

static void read_stages(const char *input)
{
    static const char *const names[] = {"first", "second", "third"};
    walls_open_box();
    walls_begin(input);
    for (int k = 0; k < 3; k++)
        scree_walls_read_stage(&walls, walls_kept,
                               scree_node_find(scree_input_root(walls_kept), names[k]), k + 1,
                               &walls_box);
    cr_assert_eq(scree_input_finish(walls_kept), SCREE_OK);
}

static int wall_called(const char *name)
{
    for (int w = 0; w < walls.n; w++)
        if (strcmp(walls.wall[w].name, name) == 0) return w;
    cr_assert(false, "no wall '%s'", name);
    return -1;
}

static void expect_place(const char *name, double x, double y, double z, double angle)
{
    const struct scree_wall *wall = &walls.wall[wall_called(name)];
    cr_expect_float_eq(wall->offset[0], x, 1e-12, "%s: x is %g", name, wall->offset[0]);
    cr_expect_float_eq(wall->offset[1], y, 1e-12, "%s: y is %g", name, wall->offset[1]);
    cr_expect_float_eq(wall->offset[2], z, 1e-12, "%s: z is %g", name, wall->offset[2]);
    cr_expect_float_eq(wall->angle, angle, 1e-12, "%s: angle is %g", name, wall->angle);
}

Test(stages, walls_go_on_from_where_they_are)
{
    read_stages(text);
    scree_walls_begin_stage(&walls, 0, 0.0, 1e-3);
    scree_walls_move(&walls, 3.0);
    expect_place("a", 3, 0, 0, 0);
    scree_walls_begin_stage(&walls, 1, 3.0, 1e-3);
    expect_place("a", 3, 0, 0, 0);
    cr_expect_eq(walls.wall[0].velocity[0], 0.0);
    cr_expect_eq(walls.wall[0].staged[0], 3.0);
    scree_walls_move(&walls, 4.5);
    expect_place("a", 3, 0, 1, 0);
    expect_place("b.x_low", 0, 1.5, 0, 0);
    expect_place("b.z_high", 0, 1.5, 0, 0);
    expect_place("c", 0, 0, 0, 2.25);
    /* The others go on: a as its own time says, b with its velocity. */
    scree_walls_begin_stage(&walls, 2, 4.5, 1e-3);
    scree_walls_move(&walls, 6.0);
    expect_place("a", 3, 0, 2, 0);
    expect_place("b.x_low", 0, 3, 0, 0);
    expect_place("c", 0, 0, 0, 2.25);
    cr_expect_eq(walls.wall[wall_called("c")].rate, 0.0);
    scree_walls_begin_stage(&walls, 3, 6.0, 1e-3);
    scree_walls_move(&walls, 6.5);
    expect_place("a", 3.5, 0, 2, 0);
    expect_place("b.x_low", 0, 3.5, 0, 0);
    expect_place("b.z_high", 0, 3, 0, 0);
    expect_place("c", 0, 0, 0, 3.25);
    walls_forget();
}

Test(stages, columns_of_tables_do_not_change)
{
    read_stages(text);
    const struct scree_wall *lid = &walls.wall[wall_called("b.z_high")];
    cr_expect(lid->has_servo && !lid->servo.on && scree_wall_shifts(lid));
    cr_expect(!walls.wall[wall_called("b.z_low")].has_servo);
    cr_expect_eq(scree_walls_n_servos(&walls), 1);
    scree_walls_begin_stage(&walls, 3, 1.0, 1e-3);
    cr_expect(lid->servo.on && lid->servo.begins);
    cr_expect_eq(lid->direction[2], -1.0); /* the normal of the plane */
    walls_forget();
}

Test(stages, places_are_saved)
{
    enum { MOST = 200 };
    double numbers[MOST], offset[MOST][3], angle[MOST];
    read_stages(text);
    cr_assert(SCREE_WALL_NUMBERS * walls.n <= MOST);
    for (int k = 0; k <= 3; k++) {
        scree_walls_begin_stage(&walls, k, 1.7 * k, 1e-3);
        scree_walls_move(&walls, 1.7 * k + 1.3);
    }
    int n = walls.n;
    for (int w = 0; w < n; w++) {
        memcpy(offset[w], walls.wall[w].offset, sizeof offset[w]);
        angle[w] = walls.wall[w].angle;
    }
    scree_walls_save_places(&walls, numbers);
    walls_forget();
    read_stages(text);
    scree_walls_load_places(&walls, 3, numbers);
    scree_walls_move(&walls, 1.7 * 3 + 1.3);
    for (int w = 0; w < n; w++) {
        cr_expect_arr_eq(walls.wall[w].offset, offset[w], sizeof offset[w]);
        cr_expect_eq(walls.wall[w].angle, angle[w]);
    }
    walls_forget();
}

/* A point of a rotation is a place in space when its stage begins, wherever the wall has come from
 * by then; a resumed run knows it. */
Test(stages, walls_turn_about_the_point_that_is_named)
{
    static const char block[] =
        "boundaries:\n"
        "  c: {shape: block, material: glass, low: [-1, -1, -1], high: [1, 1, 1], velocity: [2, 0, "
        "0]}\n"
        "first: {c: {rotate: {rate: 90 deg/s, point: [3, 0, 0]}}}\n"
        "second: {c: {velocity: [0, 1, 0]}}\n"
        "third: {c: {rotate: {rate: 90 deg/s, point: [2, 0, 0]}}}\n";
    double numbers[SCREE_WALL_NUMBERS];
    read_stages(block);
    for (int k = 0; k < 4; k++) {
        scree_walls_begin_stage(&walls, k, k, 1e-3);
        if (k == 3) scree_walls_save_places(&walls, numbers);
        scree_walls_move(&walls, k + 1);
        /* The middle is at (2, 0), (3, -1), (3, 0), (2, 1). */
        static const double x[] = {2, 3, 3, 2}, y[] = {0, -1, 0, 1};
        cr_expect_float_eq(walls_locate(0, x[k] + 1.5, y[k], 0, 0.2).at.gap, 0.3, 1e-12);
        cr_expect_float_eq(walls_locate(0, x[k] - 1.5, y[k], 0, 0.2).at.gap, 0.3, 1e-12);
        cr_expect_float_eq(walls_locate(0, x[k], y[k] + 1.5, 0, 0.2).at.gap, 0.3, 1e-12);
        cr_expect_float_eq(walls_locate(0, x[k], y[k] - 1.5, 0, 0.2).at.gap, 0.3, 1e-12);
    }
    struct scree_wall before = walls.wall[0];
    walls_forget();
    read_stages(block);
    scree_walls_load_places(&walls, 3, numbers);
    scree_walls_move(&walls, 4.0);
    cr_expect_arr_eq(walls.wall[0].offset, before.offset, sizeof before.offset);
    cr_expect_arr_eq(walls.wall[0].pivot, before.pivot, sizeof before.pivot);
    cr_expect_eq(walls.wall[0].reach, before.reach);
    walls_forget();
}

Test(stages, conditions_are_looked_at_in_steps_of_the_input)
{
    struct scree_end_condition u = {.steps = 70};
    cr_expect_eq(scree_end_condition_next(&u, 0), 70);
    cr_expect_eq(scree_end_condition_next(&u, 69), 70);
    u = (struct scree_end_condition){.check = 30, .after = 100, .most = 170};
    cr_expect_eq(scree_end_condition_next(&u, 0), 120);
    cr_expect_eq(scree_end_condition_next(&u, 120), 150);
    cr_expect_eq(scree_end_condition_next(&u, 150), 170);
    u = (struct scree_end_condition){.check = 30, .most = 170};
    cr_expect_eq(scree_end_condition_next(&u, 0), 30);
    cr_expect_eq(scree_end_condition_next(&u, 29), 30);
}
