/* SPDX-License-Identifier: BSD-3-Clause
 * The shape of a deforming cell: what a rate does in many steps, flips, bounds for searches; what
 * drives it from stage to stage. */
#include <math.h>
#include <string.h>

#include "scree/deformation.h"
#include "scree/deformation_control.h"
#include "unit.h"

static void make(struct scree_deformation *cell, struct scree_box *box)
{
    const double low[3] = {1.0, -2.0, 0.5}, high[3] = {4.0, 3.0, 2.5};
    const bool periodic[3] = {true, true, true};
    scree_box_init(box, 3, low, high, periodic);
    scree_deformation_init(cell, box);
    cell->on = true;
}

Test(cell, strains_add_up_without_loss)
{
    struct scree_deformation cell;
    struct scree_box box;
    make(&cell, &box);
    const double rate[SCREE_DEFORMATION_COMPONENTS] = {0.1, -0.05, -0.05, 0.3, 0.0, 0.0};
    for (int k = 0; k < 100000; k++) scree_deformation_advance(&cell, rate, 1e-5);
    cr_assert_float_eq(cell.state.strain[SCREE_DEFORMATION_XY], 0.3, 2e-16);
    cr_assert_float_eq(cell.f[0][0], exp(0.1), 1e-15);
    cr_assert_float_eq(scree_deformation_size(&cell, &box) / 30.0, 1.0, 2e-15);
    /* dF_xy/dt = L_xx F_xy + L_xy F_yy */
    double xy = 0.3 * (exp(0.1) - exp(-0.05)) / 0.15;
    cr_assert_float_eq(cell.f[0][1], xy, 1e-14);
}

static double modulo_lattice(const struct scree_deformation *cell, const struct scree_box *box,
                             const double apart[3])
{
    double u[3], sum = 0.0;
    for (int a = 0; a < 3; a++) {
        u[a] = 0.0;
        for (int b = a; b < 3; b++) u[a] += cell->inverse[a][b] * apart[b];
        u[a] /= box->length[a];
        sum += fabs(u[a] - nearbyint(u[a]));
    }
    return sum;
}

/* Through many flips in all shears: places stay what they are in the lattice, true places too. */
Test(cell, flips_move_nobody)
{
    struct scree_deformation cell;
    struct scree_box box;
    struct scree_particles *p;
    make(&cell, &box);
    scree_particles_create(&p);
    scree_particles_reserve(p, 2);
    p->n_owned = 1;
    memset(p->image[0], 0, sizeof p->image[0]);
    const double rate[SCREE_DEFORMATION_COMPONENTS] = {0.01, 0.02, -0.03, 1.0, -0.8, 0.6};
    double pos[3] = {3.9, -1.7, 2.1};
    for (int a = 0; a < 3; a++) p->pos[0][a] = scree_box_snap(&box, a, pos[a]);
    int n_flips = 0;
    for (int step = 0; step < 40000; step++) {
        struct scree_deformation_flip flip[SCREE_DEFORMATION_MOST_FLIPS];
        double before[3], after[3], apart[3], absolute[2][3], there[2][3];
        scree_deformation_advance(&cell, rate, 1e-3);
        scree_deformation_place(&cell, &box, p->pos[0], before);
        for (int a = 0; a < 3; a++) absolute[0][a] = p->pos[0][a] + p->image[0][a] * box.length[a];
        scree_deformation_place(&cell, &box, absolute[0], there[0]);
        int n = scree_deformation_apply_flips(&cell, &box, flip);
        for (int k = 0; k < n; k++) scree_deformation_flip_grains(&box, &flip[k], p);
        n_flips += n;
        scree_deformation_place(&cell, &box, p->pos[0], after);
        for (int a = 0; a < 3; a++) {
            apart[a] = after[a] - before[a];
            absolute[1][a] = p->pos[0][a] + p->image[0][a] * box.length[a];
        }
        cr_assert(modulo_lattice(&cell, &box, apart) < 1e-11, "step %d", step);
        scree_deformation_place(&cell, &box, absolute[1], there[1]);
        for (int a = 0; a < 3; a++)
            cr_assert(fabs(there[1][a] - there[0][a]) < 1e-12 * (1.0 + fabs(there[0][a])));
        for (int a = 0; a < 3; a++)
            for (int b = a + 1; b < 3; b++)
                cr_assert(fabs(cell.f[a][b] * box.length[b]) <=
                          0.52 * cell.f[a][a] * box.length[a]);
    }
    cr_assert(n_flips > 50);
    scree_particles_destroy(&p);
}

/* No pair of places that are close is missed by a search among positions. */
Test(cell, search_skin_is_a_bound)
{
    struct scree_deformation cell;
    struct scree_box box;
    make(&cell, &box);
    const double rate[SCREE_DEFORMATION_COMPONENTS] = {-0.3, 0.1, -0.2, 0.5, 0.4, -0.45};
    cr_assert_float_eq(scree_deformation_search_skin(&cell, 0.1, 0.5), 0.1, 1e-9);
    for (int k = 0; k < 1000; k++) scree_deformation_advance(&cell, rate, 1e-3);
    double skin = scree_deformation_search_skin(&cell, 0.1, 0.5), widest = 0.0;
    for (int k = 0; k < 20000; k++) {
        double z = -1.0 + (k + 0.5) / 10000.0, s = sqrt(1.0 - z * z), angle = 2.4 * k;
        double b[3] = {1.1 * s * cos(angle), 1.1 * s * sin(angle), 1.1 * z}, d2 = 0.0;
        for (int a = 0; a < 3; a++) {
            double x = 0.0;
            for (int c = a; c < 3; c++) x += cell.inverse[a][c] * b[c];
            d2 += x * x;
        }
        widest = fmax(widest, sqrt(d2));
    }
    cr_assert(widest <= 1.0 + skin, "%g %g", widest, skin);
    cr_assert(widest > 0.99 * (1.0 + skin), "%g %g", widest, skin);
}

/* Distances since the lists were built shrink by no more than this, and by that much somewhere. */
Test(cell, narrowing_is_a_bound)
{
    struct scree_deformation cell;
    struct scree_box box;
    make(&cell, &box);
    const double rate[SCREE_DEFORMATION_COMPONENTS] = {-0.1, 0.1, 0.0, 0.4, 0.0, 0.2};
    for (int k = 0; k < 500; k++) scree_deformation_advance(&cell, rate, 1e-3);
    scree_deformation_remember_listed(&cell);
    cr_assert(scree_deformation_narrowing(&cell) < 1e-8);
    double before[3][3];
    memcpy(before, cell.inverse, sizeof before);
    for (int k = 0; k < 300; k++) scree_deformation_advance(&cell, rate, 1e-3);
    double least = 1.0;
    for (int k = 0; k < 20000; k++) {
        double z = -1.0 + (k + 0.5) / 10000.0, s = sqrt(1.0 - z * z), angle = 2.4 * k;
        double b[3] = {s * cos(angle), s * sin(angle), z}, x[3] = {0}, y[3], d2 = 0.0;
        for (int a = 0; a < 3; a++)
            for (int c = a; c < 3; c++) x[a] += before[a][c] * b[c];
        scree_deformation_branch(&cell, x, y);
        for (int a = 0; a < 3; a++) d2 += y[a] * y[a];
        least = fmin(least, sqrt(d2));
    }
    cr_assert(1.0 - least <= scree_deformation_narrowing(&cell));
    cr_assert(1.0 - least > 0.98 * scree_deformation_narrowing(&cell));
}

/* Rates over the step of 0.1 that begins at time t. */
static void drive(struct scree_deformation_control *control, const struct scree_deformation *cell,
                  const struct scree_box *box, double t, double rate[SCREE_DEFORMATION_COMPONENTS])
{
    scree_deformation_control_drive(control, cell, box, t, 0.05, 0.1, rate);
}

Test(cell, control_goes_on_from_stage_to_stage)
{
    struct scree_deformation cell;
    struct scree_box box;
    struct scree_deformation_control control, press, resumed;
    double rate[SCREE_DEFORMATION_COMPONENTS], again[SCREE_DEFORMATION_COMPONENTS];
    double numbers[SCREE_DEFORMATION_STAGE_NUMBERS],
        servos[SCREE_DEFORMATION_SERVOS * SCREE_SERVO_NUMBERS] = {0.0};
    make(&cell, &box);
    scree_deformation_control_rest(&control, &box);
    scree_deformation_control_rest(&press, &box);
    press.rate[SCREE_DEFORMATION_ZZ] = -2.0;
    press.rise = 1.0;
    press.pressure = 3.0;
    press.servo[SCREE_DEFORMATION_ISOTROPIC] = (struct scree_servo){.on = true,
                                                                    .inertia = 1.0,
                                                                    .damping = 1.0,
                                                                    .fastest = INFINITY,
                                                                    .rise = 2.0,
                                                                    .low = -INFINITY,
                                                                    .high = INFINITY};
    cell.state.rate[SCREE_DEFORMATION_ZZ] = cell.state.rate[SCREE_DEFORMATION_XX] = 1.0;
    cell.state.strain[SCREE_DEFORMATION_ZZ] = 0.5;
    for (int a = 0; a < 3; a++) cell.state.contact[a] = 4.0;
    scree_deformation_control_begin(&control, &press, &cell, 5.0);
    cr_assert_float_eq(control.staged[SCREE_DEFORMATION_ZZ], 0.5, 0.0);
    /* x and y go on together from what their mean was, z goes over to -2 within 1. */
    drive(&control, &cell, &box, 5.0, rate);
    cr_assert_float_eq(rate[SCREE_DEFORMATION_ZZ], 1.0 - 0.05 * 3.0, 1e-15);
    cr_assert_float_eq(rate[SCREE_DEFORMATION_XX], 0.5, 0.1);
    cr_assert_float_eq(rate[SCREE_DEFORMATION_YY], rate[SCREE_DEFORMATION_XX], 0.0);
    /* The target of the pressure rises from what the sample bears: 2/3 of 12. */
    cr_assert_float_eq(control.servo[SCREE_DEFORMATION_ISOTROPIC].state.target, -8.0, 1e-14);
    /* A resumed run goes on alike. */
    scree_deformation_control_save_stage(&control, numbers);
    scree_deformation_control_save(&control, servos);
    scree_deformation_control_rest(&resumed, &box);
    scree_deformation_control_load_stage(&resumed, &press, numbers);
    scree_deformation_control_load(&resumed, servos);
    drive(&control, &cell, &box, 5.5, rate);
    drive(&resumed, &cell, &box, 5.5, again);
    for (int c = 0; c < SCREE_DEFORMATION_COMPONENTS; c++)
        cr_assert_float_eq(rate[c], again[c], 0.0);
    cr_assert_float_eq(rate[SCREE_DEFORMATION_ZZ], 1.0 - 0.55 * 3.0, 1e-15);
    drive(&control, &cell, &box, 6.0, rate);
    cr_assert_float_eq(rate[SCREE_DEFORMATION_ZZ], -2.0, 0.0);
    /* A stage without a word on the cell only counts strains anew. */
    cell.state.strain[SCREE_DEFORMATION_ZZ] = 0.25;
    scree_deformation_control_begin(&control, NULL, &cell, 7.0);
    cr_assert_float_eq(control.staged[SCREE_DEFORMATION_ZZ], 0.25, 0.0);
    cr_assert_float_eq(control.since, 5.0, 0.0);
}
