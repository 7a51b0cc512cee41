/* SPDX-License-Identifier: BSD-3-Clause
 * Walls across a cell that is not periodic everywhere: sizes and areas between them, which
 * directions give way, when walls do not let a sample come to rest. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>

#include "scree/deformation_walls.h"
#include "unit.h"
#include "walls_expect.h"

#define LAYER(lid)                                                                     \
    "boundaries:\n"                                                                    \
    "  floor: {shape: plane, material: glass, point: [0, -2, 0], normal: [0, 1, 0]}\n" \
    "  lid: {shape: plane, material: glass, point: [0, 3, 0], normal: [0, -1, 0]" lid "}\n"

static struct scree_deformation cell;
static struct scree_deformation_control control;

static void begin(const char *text)
{
    walls_make_box(3, true, false, true);
    walls_read(text);
    scree_deformation_init(&cell, &walls_box);
    cell.on = true;
    scree_deformation_control_rest(&control, &walls_box);
    scree_deformation_walls_follow(&walls, &cell, &walls_box);
}

Test(cell_walls, sizes_are_between_walls_that_move)
{
    begin(LAYER(", velocity: [1, -0.5, 0]"));
    const double rate[SCREE_DEFORMATION_COMPONENTS] = {
        [SCREE_DEFORMATION_XX] = 0.1, [SCREE_DEFORMATION_XZ] = 0.2};
    cr_assert_float_eq(scree_deformation_size(&cell, &walls_box), 20.0 * 5.0 * 20.0, 1e-12);
    for (int k = 0; k < 1000; k++) scree_deformation_advance(&cell, rate, 1e-3);
    scree_walls_move(&walls, 1.0);
    scree_deformation_walls_follow(&walls, &cell, &walls_box);
    double longer = 20.0 * exp(0.1);
    cr_assert_float_eq(scree_deformation_size(&cell, &walls_box), longer * 4.5 * 20.0, 1e-10);
    cr_assert_float_eq(scree_walls_section(&walls, 1), longer * 20.0, 1e-11);
    cr_assert_float_eq(scree_walls_section(&walls, 0), 4.5 * 20.0, 1e-11);
    walls_forget();
}

Test(cell_walls, box_ends_a_sample_without_walls)
{
    begin("boundaries: {}\n");
    cr_assert_float_eq(scree_deformation_size(&cell, &walls_box), 8000.0, 1e-12);
    cr_assert_not(scree_deformation_walls_enclose(&walls, 1));
    walls_forget();
    begin(LAYER(""));
    cr_assert(scree_deformation_walls_enclose(&walls, 1));
    walls_forget();
}

Test(cell_walls, only_periodic_directions_give_way)
{
    double rate[SCREE_DEFORMATION_COMPONENTS];
    begin(LAYER(""));
    control.constant_volume = true;
    control.rate[SCREE_DEFORMATION_ZZ] = -2.0;
    scree_deformation_control_drive(&control, &cell, &walls_box, 0.0, 0.05, 0.1, rate);
    cr_assert_float_eq(rate[SCREE_DEFORMATION_XX], 2.0, 0.0);
    cr_assert_float_eq(rate[SCREE_DEFORMATION_YY], 0.0, 0.0);
    cr_assert(scree_deformation_control_moves(&control, 0));
    cr_assert_not(scree_deformation_control_moves(&control, 1));
    /* The mean stress is that of x and z; a servo of both feels twice of it. */
    for (int a = 0; a < 3; a++) cell.state.contact[a] = 2000.0 * (a + 1);
    cr_assert_float_eq(scree_deformation_control_mean_stress(&control, &cell, &walls_box), 2.0,
                       1e-14);
    scree_deformation_control_rest(&control, &walls_box);
    control.pressure = 2.0;
    control.servo[SCREE_DEFORMATION_ISOTROPIC] = (struct scree_servo){
        .on = true, .inertia = 1.0, .fastest = INFINITY, .low = -INFINITY, .high = INFINITY};
    scree_deformation_control_set_stiffness(&control, &cell, 0.0, false);
    scree_deformation_control_drive(&control, &cell, &walls_box, 0.0, 0.05, 0.1, rate);
    const struct scree_servo_state *state = &control.servo[SCREE_DEFORMATION_ISOTROPIC].state;
    cr_assert_float_eq(state->force, 8000.0, 1e-10);
    cr_assert_float_eq(state->target, -8000.0, 1e-10);
    walls_forget();
}

static bool strain(const char *text, double stress)
{
    begin(text);
    control.stress[SCREE_DEFORMATION_XX] = stress;
    bool found = scree_deformation_walls_strain(&walls, &control);
    walls_forget();
    return found;
}

Test(cell_walls, walls_strain_by_velocity_or_another_stress)
{
    cr_assert_not(strain(LAYER(""), 3.0));
    cr_assert(strain(LAYER(", velocity: [0, -1, 0]"), 3.0));
    cr_assert_not(strain(LAYER(", servo: {stress: 3}"), 3.0));
    cr_assert_not(strain(LAYER(", servo: {force: 1200}"), 3.0)); /* on 20 x 20 */
    cr_assert(strain(LAYER(", servo: {stress: 3.1}"), 3.0));
    cr_assert(strain(LAYER(", velocity: [1, 0, 0], servo: {stress: 3}"), 3.0));
    cr_assert(strain(LAYER(", servo: {stress: 3, direction: [1, 0, 0]}"), 3.0));
}
