/* SPDX-License-Identifier: BSD-3-Clause
 * Sections, areas of walls and the volume of the space between them, against closed forms. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <string.h>

#include "unit.h"
#include "walls_expect.h"

#define PI 3.14159265358979323846
#define TUBE(a)                                                             \
    "  tube: {shape: cylinder, material: glass, point: [1, 1, 1], axis: " a \
    ", radius: 5, side: inside}\n"
#define CORE(p) \
    "  core: {shape: cylinder, material: glass, point: " p ", radius: 2, side: outside}\n"
#define FLOOR "  floor: {shape: plane, material: glass, point: [0, 0, -3], normal: [0, 0, 1]}\n"
#define LID(more) \
    "  lid: {shape: plane, material: glass, point: [0, 0, 4], normal: [0, 0, -1]" more "}\n"
#define DISK(n, z) "  " n ": {shape: disk, material: glass, centre: [1, 1, " z "], radius: 5}\n"
#define BOX        "  box: {shape: box, material: glass, low: [-4, -3, -2], high: [6, 5, 4]}\n"
#define SIDE(more) \
    "  side: {shape: plane, material: glass, point: [-4.5, 0, 0], normal: [1, 0, 0]" more "}\n"
#define BOUNDARIES "boundaries:\n"

static void expect_near(double value, double expected)
{
    cr_expect_float_eq(value, expected, 1e-12 * fabs(expected), "%.17g, not %.17g", value,
                       expected);
}

/* NAN: it must not be known. */
static void expect_volume(const char *text, double volume)
{
    walls_read(text);
    if (isnan(volume)) {
        cr_expect(isnan(scree_walls_volume(&walls)), "%s", text);
        cr_expect_neq(walls.volume_unknown[0], '\0', "%s", text);
    } else {
        cr_expect_str_eq(walls.volume_unknown, "", "%s", text);
        expect_near(scree_walls_volume(&walls), volume);
    }
    walls_forget();
}

static void expect_area(const char *text, const char *name, double area, const char *reason)
{
    char why[SCREE_SECTION_REASON] = "";
    int w = 0;
    walls_read(text);
    while (w < walls.n && strcmp(walls.wall[w].name, name) != 0) w++;
    cr_assert_lt(w, walls.n);
    cr_expect_eq(scree_walls_know_area(&walls, w, why, sizeof why), reason == NULL, "%s: %s", text,
                 why);
    cr_expect_str_eq(why, reason == NULL ? "" : reason);
    if (reason == NULL) expect_near(scree_walls_area(&walls, w), area);
    walls_forget();
}

Test(section, cylinder_along_each_axis)
{
    walls_open_box();
    expect_area(BOUNDARIES TUBE("[0, 0, 1]") FLOOR, "floor", PI * 25, NULL);
    expect_area(BOUNDARIES TUBE("[0, 2, 0]") "  end: {shape: plane, material: glass, point: [0, 3, "
                                             "0], normal: [0, -1, 0]}\n",
                "end", PI * 25, NULL);
    expect_area(BOUNDARIES TUBE("[-1, 0, 0]") "  end: {shape: plane, material: glass, point: [3, "
                                              "0, 0], normal: [1, 0, 0]}\n",
                "end", PI * 25, NULL);
    expect_volume(BOUNDARIES TUBE("[0, 0, 1]") FLOOR LID(""), PI * 25 * 7);
    walls_make_box(3, true, false, false);
    expect_volume(BOUNDARIES TUBE("[1, 0, 0]"), PI * 25 * 20);
}

Test(section, cylinders_within_each_other)
{
    walls_open_box();
    expect_area(BOUNDARIES TUBE("[0, 0, 1]") CORE("[1, 1, 7]") FLOOR, "floor", PI * 21, NULL);
    expect_volume(BOUNDARIES TUBE("[0, 0, 1]") CORE("[1, 1, 7]") FLOOR LID(""), PI * 21 * 7);
    expect_area(BOUNDARIES TUBE("[0, 0, 1]") CORE("[3, 1, 0]") FLOOR, "floor", PI * 21, NULL);
    expect_area(BOUNDARIES TUBE("[0, 0, 1]") CORE("[9, 1, 0]") FLOOR, "floor", PI * 25, NULL);
    expect_area(BOUNDARIES TUBE("[0, 0, 1]") CORE("[5, 1, 0]") FLOOR, "floor", NAN,
                "cylinder 'core' intersects cylinder 'tube'");
    expect_area(BOUNDARIES BOX CORE("[1, 1, 0]"), "box.z_low", 80 - PI * 4, NULL);
    expect_volume(BOUNDARIES BOX CORE("[1, 1, 0]"), (80 - PI * 4) * 6);
    expect_area(BOUNDARIES BOX CORE("[-3, 1, 0]"), "box.z_low", NAN,
                "plane 'box.x_low' cuts cylinder 'core'");
    expect_area(BOUNDARIES BOX CORE("[1, 1, 0]"), "box.x_low", NAN, "cylinder 'core' lies across");
}

Test(section, planes_and_periods)
{
    walls_open_box();
    expect_volume(BOUNDARIES BOX, 10 * 8 * 6);
    expect_area(BOUNDARIES BOX, "box.y_high", 10 * 6, NULL);
    expect_volume(BOUNDARIES BOX LID(""), 10 * 8 * 6);
    walls_make_box(3, true, true, false);
    expect_area(BOUNDARIES FLOOR, "floor", 400, NULL);
    expect_volume(BOUNDARIES FLOOR, NAN);
    expect_volume(BOUNDARIES FLOOR LID(""), 400 * 7);
    walls_make_box(3, false, true, false);
    expect_area(BOUNDARIES FLOOR, "floor", NAN, "no wall bounds it along x");
    expect_area(BOUNDARIES FLOOR SIDE(""), "floor", NAN, "no wall bounds it along x, upwards");
    expect_area(BOUNDARIES SIDE("") FLOOR LID(""), "side", 20 * 7, NULL);
}

Test(section, walls_that_move)
{
    walls_make_box(3, true, true, false);
    walls_read(BOUNDARIES FLOOR LID(", velocity: [0, 0, -2]"));
    scree_walls_move(&walls, 1.5);
    expect_near(scree_walls_volume(&walls), 400 * 4);
    expect_near(scree_walls_section(&walls, 0), 20 * 4);
    expect_near(scree_walls_extent(&walls, 2, true), 7);
    walls_forget();
    walls_open_box();
    expect_area(BOUNDARIES TUBE("[0, 0, 1]") FLOOR SIDE(""), "floor", PI * 25, NULL);
    expect_area(BOUNDARIES TUBE("[0, 0, 1]") FLOOR SIDE(", velocity: [1, 0, 0]"), "floor", NAN,
                "plane 'side' moves beside cylinder 'tube'");
}

/* Of two planes that face the same way, the inner one bounds, also after it has been overtaken. */
Test(section, innermost_plane)
{
    walls_make_box(3, true, true, false);
    walls_read(BOUNDARIES FLOOR LID(
        "") "  piston: {shape: plane, material: glass, point: [0, 0, 9], normal: [0, 0, -1], "
            "velocity: [0, 0, -4]}\n");
    expect_near(scree_walls_extent(&walls, 2, false), 7);
    scree_walls_move(&walls, 2.0);
    expect_near(scree_walls_extent(&walls, 2, false), 4);
    walls_forget();
}

Test(section, sheets)
{
    walls_open_box();
    expect_area(BOUNDARIES DISK("plate", "0"), "plate", PI * 25, NULL);
    expect_area(
        BOUNDARIES TUBE(
            "[0, 0, 1]") "  plate: {shape: disk, material: glass, centre: [1, 1, 0], radius: 4}\n",
        "plate", PI * 16, NULL);
    expect_area(
        BOUNDARIES TUBE(
            "[0, 0, 1]") "  plate: {shape: disk, material: glass, centre: [1, 1, 0], radius: 7}\n",
        "plate", PI * 25, NULL);
    expect_area(BOUNDARIES TUBE("[0, 0, 1]")
                    CORE("[1, 1, 0]") "  plate: {shape: ring, material: glass, centre: [1, 1, 0], "
                                      "inner: 1, outer: 4}\n",
                "plate", PI * 12, NULL);
    expect_area(
        BOUNDARIES TUBE(
            "[0, 0, 1]") "  plate: {shape: disk, material: glass, centre: [4, 1, 0], radius: 4}\n",
        "plate", NAN, "disk 'plate' reaches beyond other walls");
    expect_area(BOUNDARIES BOX "  plate: {shape: rectangle, material: glass, corner: [-4, -3, 0], "
                               "along: [10, 0, 0], across: [0, 8, 0]}\n",
                "plate", 80, NULL);
    expect_area(BOUNDARIES TUBE("[0, 0, 1]") FLOOR
                "  plate: {shape: disk, material: glass, centre: [1, 1, -3], radius: 4}\n",
                "floor", NAN, "disk 'plate' covers a part of it");
}

Test(section, sheets_that_close)
{
    walls_open_box();
    expect_volume(BOUNDARIES TUBE("[0, 0, 1]") DISK("a", "-2") DISK("b", "6"), PI * 25 * 8);
    expect_volume(BOUNDARIES TUBE("[0, 0, 1]") FLOOR DISK("b", "6"), PI * 25 * 9);
    expect_volume(BOUNDARIES TUBE("[0, 0, 1]") FLOOR LID("") DISK("b", "1"), NAN);
    expect_volume(BOUNDARIES TUBE("[0, 0, 1]") DISK("a", "-2"), NAN);
    expect_volume(
        BOUNDARIES TUBE("[0, 0, 1]") LID(
            "") "  in: {shape: disk, material: glass, centre: [1, 1, 0], radius: 3}\n"
                "  out: {shape: ring, material: glass, centre: [1, 1, 0], inner: 3, outer: 5}\n",
        PI * 25 * 4);
    expect_volume(
        BOUNDARIES TUBE("[0, 0, 1]") LID(
            "") "  out: {shape: ring, material: glass, centre: [1, 1, 0], inner: 3, outer: 5}\n",
        NAN);
}

Test(section, wedge)
{
    const double low[3] = {0, 0, -10}, high[3] = {10, 10, 10};
    const bool open[3] = {false, false, false};
    static const char ring[] = BOUNDARIES
        "  in: {shape: cylinder, material: glass, point: [0, 0, 0], radius: 4, side: outside}\n"
        "  out: {shape: cylinder, material: glass, point: [0, 0, 0], radius: 9, side: inside}\n"
        "  plate: {shape: ring, material: glass, centre: [0, 0, 1], inner: 2, outer: 6}\n" FLOOR
            LID("");
    scree_box_init(&walls_box, 3, low, high, open);
    scree_wedge_init(&walls_box.wedge, 4, 2);
    expect_area(ring, "floor", PI * (81 - 16) / 4, NULL);
    expect_area(ring, "plate", PI * (36 - 16) / 4, NULL);
    expect_volume(ring, PI * (81 - 16) / 4 * 7);
    expect_area(BOUNDARIES FLOOR, "floor", NAN, "no cylinder bounds the wedge outwards");
    walls_open_box();
}

Test(section, two_dimensions)
{
    walls_make_box(2, false, false, false);
    expect_volume(BOUNDARIES "  box: {shape: box, material: glass, low: [-4, -3], high: [6, 5]}\n",
                  80);
    expect_area(BOUNDARIES "  box: {shape: box, material: glass, low: [-4, -3], high: [6, 5]}\n",
                "box.x_low", 8, NULL);
    expect_volume(
        BOUNDARIES
        "  drum: {shape: cylinder, material: glass, point: [1, 2], radius: 3, side: inside}\n",
        PI * 9);
    expect_volume(
        BOUNDARIES
        "  drum: {shape: sphere, material: glass, centre: [1, 2], radius: 3, side: inside}\n",
        PI * 9);
    expect_area(
        BOUNDARIES
        "  drum: {shape: cylinder, material: glass, point: [0, 0], radius: 3, side: inside}\n"
        "  cut: {shape: plane, material: glass, point: [0, 0], normal: [0, 1]}\n",
        "cut", NAN, "cylinder 'drum' lies across");
    expect_area(BOUNDARIES "  bar: {shape: segment, material: glass, from: [0, 0], to: [3, 4]}\n",
                "bar", 5, NULL);
    walls_make_box(2, true, false, false);
    expect_area(BOUNDARIES
                "  floor: {shape: plane, material: glass, point: [0, 0], normal: [0, 1]}\n",
                "floor", 20, NULL);
}

Test(section, what_is_not_known)
{
    walls_open_box();
    expect_volume("boundaries: {}\n", NAN);
    expect_area(BOUNDARIES BOX
                "  slope: {shape: plane, material: glass, point: [0, 0, 0], normal: [0, 1, 1]}\n",
                "box.z_low", NAN, "plane 'slope' is inclined");
    expect_area(BOUNDARIES FLOOR "  cone: {shape: cone, material: glass, point: [0, 0, 0], radius: "
                                 "1, end_radius: 2, length: 3}\n",
                "floor", NAN, "cone 'cone' bounds it in a way that is not accounted for");
    expect_area(
        BOUNDARIES FLOOR
        "  pipe: {shape: cylinder, material: glass, point: [0, 0, 0], radius: 1, length: 3}\n",
        "floor", NAN, "cylinder 'pipe' bounds it in a way that is not accounted for");
    expect_area(BOUNDARIES FLOOR TUBE("[0, 0, 1]") "  other: {shape: cylinder, material: glass, "
                                                   "point: [3, 1, 0], radius: 6, side: inside}\n",
                "floor", NAN, "cylinder 'other' intersects cylinder 'tube'");
    expect_area(
        BOUNDARIES BOX
        "  ball: {shape: sphere, material: glass, centre: [0, 0, 0], radius: 1, side: outside}\n",
        "box.z_low", 80, NULL);
    expect_volume(
        BOUNDARIES BOX
        "  ball: {shape: sphere, material: glass, centre: [0, 0, 0], radius: 1, side: outside}\n",
        NAN);
    expect_area(
        BOUNDARIES BOX
        "  ball: {shape: sphere, material: glass, centre: [0, 0, 0], radius: 1, side: outside}\n",
        "ball", NAN,
        "sphere 'ball' has none of its own, as planes, disks, rings and rectangles have");
    expect_area(
        BOUNDARIES TUBE("[0, 0, 1]") "  floor: {shape: plane, material: glass, point: [0, 0, 0], "
                                     "normal: [0, 0, 1], rotate: {axis: [1, 0, 0], rate: 1}}\n",
        "floor", NAN, "plane 'floor' turns");
    expect_area(
        BOUNDARIES TUBE("[0, 0, 1]") "  floor: {shape: plane, material: glass, point: [0, 0, 0], "
                                     "normal: [0, 0, 1], rotate: {axis: [0, 0, 1], rate: 1}}\n",
        "floor", PI * 25, NULL);
}
