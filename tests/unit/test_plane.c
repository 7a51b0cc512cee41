/* SPDX-License-Identifier: BSD-3-Clause
 * Reading walls, and where a plane says it is. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>

#include "walls_expect.h"

TestSuite(plane, .init = walls_open_box, .fini = walls_forget);

Test(plane, is_a_half_space)
{
    walls_read("boundaries:\n  floor: {shape: plane, material: "
               "steel, point: [0, 0, 1], normal: [0, 3, 4]}");
    const double pos[3][4] = {{9, 0, 1, 0.5}, {0, 3, 5, 0.5}, {1, -3, -3, 1}};
    const double expected[3] = {-0.5, 4.5, -6.0};
    struct scree_wall_contact contact[3];
    cr_assert_eq(walls.n, 1);
    cr_expect_str_eq(walls.wall[0].name, "floor");
    cr_expect_eq(walls.wall[0].species, 1);
    scree_wall_locate(&walls.wall[0], 3, pos, contact);
    for (int i = 0; i < 3; i++) {
        double gap = contact[i].at.gap;
        cr_expect_float_eq(gap, expected[i], 1e-14, "gap %g, expected %g", gap, expected[i]);
        cr_expect_float_eq(contact[i].at.normal[1], 0.6, 1e-15);
        cr_expect_float_eq(contact[i].at.normal[2], 0.8, 1e-15);
        cr_expect_eq(contact[i].velocity[0], 0.0);
    }
    cr_expect_eq(scree_walls_moved(&walls), 0.0);
}

Test(plane, moves_as_a_function_of_time_only)
{
    walls_read("boundaries:\n"
               "  lid: {shape: plane, material: glass, point: [0, 0, 10 mm], normal: [0, 0, "
               "-1], velocity: [3, 0, -4]}");
    scree_walls_move(&walls, 1e-3);
    scree_walls_move(&walls, 2e-3);
    struct scree_wall_contact contact = walls_locate(0, 0, 0, 0, 0.001);
    cr_expect_float_eq(contact.at.gap, 0.001, 1e-17, "gap %g", contact.at.gap);
    cr_expect_eq(contact.at.normal[2], -1.0);
    cr_expect_eq(contact.velocity[0], 3.0);
    cr_expect_eq(contact.velocity[2], -4.0);
    cr_expect_float_eq(scree_walls_moved(&walls), 5e-3, 1e-17);
}

Test(plane, takes_normals_of_any_length)
{
    walls_read("boundaries:\n"
               "  a: {shape: plane, material: glass, point: [0, 0, 0], normal: [1e100, 1e100, "
               "0]}\n"
               "  b: {shape: plane, material: glass, point: [0, 0, 0], normal: [0, 0, 1e-300]}");
    cr_assert_eq(walls.n, 2);
    cr_expect_float_eq(walls_locate(0, 1, 1, 2, 0).at.gap, sqrt(2.0), 1e-15);
    cr_expect_eq(walls_locate(1, 1, 1, 2, 0).at.gap, 2.0);
}

Test(plane, mistakes_are_named)
{
    walls_expect_mistakes("boundaries:\n  a: {shape: plan, material: glass}\n",
                          "f.yaml:2:14: unknown shape 'plan'; did you mean 'plane'?\n");
    walls_expect_mistakes(
        "boundaries:\n  a: {shape: plane, material: glas, point: [0, 0, 0], normal: "
        "[0, 0, 0]}\n",
        "f.yaml:2:31: unknown material 'glas'; did you mean 'glass'?\n"
        "f.yaml:2:63: plane: 'normal' is zero; give the direction from the wall to the "
        "grains, such as [0, 0, 1]\n");
    walls_expect_mistakes("boundaries: [1]\n",
                          "f.yaml:1:13: boundaries: expected a map (name: {shape: ...})\n");
}

Test(plane, no_section_no_walls)
{
    walls_read("{}");
    cr_expect_eq(walls.n, 0);
    scree_walls_move(&walls, 1.0);
    cr_expect_eq(scree_walls_moved(&walls), 0.0);
    walls_forget();
    walls_read("boundaries: {}");
    cr_expect_eq(walls.n, 0);
}
