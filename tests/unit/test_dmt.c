/* SPDX-License-Identifier: BSD-3-Clause
 * Adhesive spheres after Derjaguin, Muller and Toporov: pull-off force, overlap at rest, and what
 * friction goes by. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <string.h>

#include "input_expect.h"
#include "scree/laws.h"

static struct scree_batch batch;
static double values[SCREE_LAW_VALUES];
static const struct scree_law *law;

/* Equal spheres of radius 1 mm: R* = 0.5 mm, E* = 1e9 / (2 (1 - 0.09)) Pa. */
static void begin(const char *text)
{
    struct scree_input *input = input_of(text);
    const struct scree_node *root = scree_input_root(input);
    law = scree_law_find(SCREE_LAW_NORMAL, "dmt");
    memset(&batch, 0, sizeof batch);
    memset(values, 0, sizeof values);
    cr_assert(scree_input_read(input, root, NULL, "law", law->params, values));
    law->check(input, root, values);
    cr_assert_eq(scree_input_n_errors(input), 0);
    scree_input_destroy(&input);
    batch.n = SCREE_BATCH_PAD;
    for (int k = 0; k < batch.n; k++) {
        batch.m_eff[k] = 1e-5;
        batch.r_i[k] = batch.r_j[k] = 1e-3;
    }
}

static double force_at(double overlap)
{
    for (int k = 0; k < batch.n; k++) batch.overlap[k] = overlap;
    batch.friction_load = batch.fn;
    law->apply(&batch, values, (struct scree_slots){0, 0});
    return batch.fn[0];
}

static const double pull = 2.0 * 3.14159265358979 * 0.5e-3 * 0.1;             /* N; 2 pi R* w */
static const double stiffness = 4.0 / 3.0 * 1e9 / 1.82 * 0.02236067977499790; /* 4/3 E* sqrt(R*) */

Test(dmt, pulls_with_the_same_force_until_it_opens)
{
    begin("young: 1e9\npoisson: 0.3\nadhesion: 0.1\n");
    cr_expect_float_eq(force_at(1e-15) / -pull, 1.0, 1e-6);
    cr_expect_float_eq(batch.friction_load[0], 0.0, 1e-6 * pull);
}

Test(dmt, is_without_force_where_attraction_and_hertz_are_equal)
{
    double rest = pow(pull / stiffness, 2.0 / 3.0);
    begin("young: 1e9\npoisson: 0.3\nadhesion: 0.1\n");
    cr_expect_float_eq(force_at(rest), 0.0, 1e-9 * pull);
    cr_expect_float_eq(batch.friction_load[0] / pull, 1.0, 1e-9);
}

/* The energy is lowest there, and force is minus its derivative. */
Test(dmt, stores_what_its_force_does)
{
    struct scree_law_view view[2];
    begin("young: 1e9\npoisson: 0.3\nadhesion: 0.1\n");
    for (double d = 1e-8; d < 1e-5; d *= 3.0) {
        double f = force_at(d), h = 1e-4 * d;
        for (int k = 0; k < 2; k++) {
            force_at(d + (k == 0 ? -h : h));
            memset(&view[k], 0, sizeof view[k]);
            law->inspect(&batch, values, (struct scree_slots){0, 0}, &view[k]);
        }
        cr_expect_float_eq((view[1].energy[0] - view[0].energy[0]) / (2.0 * h), f,
                           1e-6 * (pull + fabs(f)));
    }
}

Test(dmt, without_adhesion_is_hertz)
{
    begin("young: 1e9\npoisson: 0.3\nadhesion: 0\nviscous_time: 1e-6\n");
    cr_expect_float_eq(force_at(1e-6) / (stiffness * 1e-9), 1.0, 1e-9);
}
