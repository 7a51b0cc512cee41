/* SPDX-License-Identifier: BSD-3-Clause
 * Reading walls, and where a plane says it is. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>

#include "input_expect.h"
#include "scree/alloc.h"
#include "scree/boundaries.h"

static const char *const materials[] = {"glass", "steel", NULL};

static const struct scree_node *section(const struct scree_input *input)
{
    const struct scree_node *root = scree_input_root(input);
    scree_node_mark_used(root);
    return scree_node_find(root, "boundaries");
}

static struct scree_input *kept; /* owns the names of the walls */
static struct scree_boundaries walls;

static void read_walls(const char *text)
{
    kept = input_of(text);
    scree_boundaries_read(&walls, kept, section(kept), materials);
    cr_assert_eq(scree_input_finish(kept), SCREE_OK);
}

static void forget(void)
{
    scree_boundaries_clear(&walls);
    scree_input_destroy(&kept);
    cr_expect_eq(scree_alloc_in_use(), 0);
}

TestSuite(plane, .fini = forget);

static void expect_mistakes(const char *text, const char *mistakes)
{
    struct scree_input *input = input_of(text);
    scree_boundaries_read(&walls, input, section(input), materials);
    cr_expect_eq(scree_input_finish(input), SCREE_INPUT);
    input_expect_errors(input, mistakes);
    scree_boundaries_clear(&walls);
    scree_input_destroy(&input);
    cr_expect_eq(scree_alloc_in_use(), 0);
}

Test(plane, is_a_half_space)
{
    read_walls("boundaries:\n  floor: {shape: plane, material: "
               "steel, point: [0, 0, 1], normal: [0, 3, 4]}");
    const double pos[3][4] = {{9, 0, 1, 0.5}, {0, 3, 5, 0.5}, {1, -3, -3, 1}};
    const double expected[3] = {-0.5, 4.5, -6.0};
    double gap[3], normal[3][3], velocity[3][3];
    cr_assert_eq(walls.n, 1);
    cr_expect_str_eq(walls.wall[0].name, "floor");
    cr_expect_eq(walls.wall[0].species, 1);
    walls.wall[0].shape->locate(&walls.wall[0], 3, pos, gap, normal, velocity);
    for (int i = 0; i < 3; i++) {
        cr_expect_float_eq(gap[i], expected[i], 1e-14, "gap %g, expected %g", gap[i], expected[i]);
        cr_expect_float_eq(normal[i][1], 0.6, 1e-15);
        cr_expect_float_eq(normal[i][2], 0.8, 1e-15);
        cr_expect_eq(velocity[i][0], 0.0);
    }
    cr_expect_eq(scree_boundaries_speed(&walls), 0.0);
}

Test(plane, moves_as_a_function_of_time_only)
{
    read_walls("boundaries:\n"
               "  lid: {shape: plane, material: glass, point: [0, 0, 10 mm], normal: [0, 0, "
               "-1], velocity: [3, 0, -4]}");
    const double pos[1][4] = {{0, 0, 0, 0.001}};
    double gap, normal[1][3], velocity[1][3];
    scree_boundaries_move(&walls, 1e-3);
    scree_boundaries_move(&walls, 2e-3);
    walls.wall[0].shape->locate(&walls.wall[0], 1, pos, &gap, normal, velocity);
    cr_expect_float_eq(gap, 0.001, 1e-17, "gap %g", gap);
    cr_expect_eq(normal[0][2], -1.0);
    cr_expect_eq(velocity[0][0], 3.0);
    cr_expect_eq(velocity[0][2], -4.0);
    cr_expect_float_eq(scree_boundaries_speed(&walls), 5.0, 1e-15);
}

Test(plane, takes_normals_of_any_length)
{
    read_walls("boundaries:\n"
               "  a: {shape: plane, material: glass, point: [0, 0, 0], normal: [1e300, 1e300, "
               "0]}\n"
               "  b: {shape: plane, material: glass, point: [0, 0, 0], normal: [0, 0, 1e-300]}");
    const double pos[1][4] = {{1, 1, 2, 0}};
    double gap, normal[1][3], velocity[1][3];
    cr_assert_eq(walls.n, 2);
    walls.wall[0].shape->locate(&walls.wall[0], 1, pos, &gap, normal, velocity);
    cr_expect_float_eq(gap, sqrt(2.0), 1e-15);
    walls.wall[1].shape->locate(&walls.wall[1], 1, pos, &gap, normal, velocity);
    cr_expect_eq(gap, 2.0);
}

Test(plane, mistakes_are_named)
{
    expect_mistakes("boundaries:\n  a: {shape: plan, material: glass}\n",
                    "f.yaml:2:14: unknown shape 'plan'; did you mean 'plane'?\n");
    expect_mistakes("boundaries:\n  a: {shape: plane, material: glas, point: [0, 0, 0], normal: "
                    "[0, 0, 0]}\n",
                    "f.yaml:2:31: unknown material 'glas'; did you mean 'glass'?\n"
                    "f.yaml:2:63: plane: 'normal' is zero; give the direction from the wall to the "
                    "grains, such as [0, 0, 1]\n");
    expect_mistakes("boundaries: [1]\n",
                    "f.yaml:1:13: boundaries: expected a map (name: {shape: ...})\n");
}

Test(plane, no_section_no_walls)
{
    read_walls("{}");
    cr_expect_eq(walls.n, 0);
    scree_boundaries_move(&walls, 1.0);
    cr_expect_eq(scree_boundaries_speed(&walls), 0.0);
    forget();
    read_walls("boundaries: {}");
    cr_expect_eq(walls.n, 0);
}
