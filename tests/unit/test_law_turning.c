/* SPDX-License-Identifier: BSD-3-Clause
 * Objectivity (VALIDATION A12): two grains with a loaded tangential spring that turn as one rigid
 * body keep the force as they see it themselves. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <string.h>

#include "input_expect.h"
#include "scree/laws.h"
#include "scree/vec.h"

enum { STEPS = 1000 };

static struct scree_batch batch;

/* `v` turned about the unit vector `axis`. */
static void turn(const double v[3], const double axis[3], double angle, double out[3])
{
    double across[3], along = scree_vec_dot(axis, v), c = cos(angle), s = sin(angle);
    scree_vec_cross(axis, v, across);
    for (int a = 0; a < 3; a++) out[a] = c * v[a] + s * across[a] + (1.0 - c) * along * axis[a];
}

static void set_normals(const double axis[3], double angle, double before)
{
    const double up[3] = {0, 0, 1};
    double n[3], p[3];
    turn(up, axis, angle, n);
    turn(up, axis, before, p);
    for (int k = 0; k < batch.n; k++) {
        for (int a = 0; a < 3; a++) {
            batch.normal[a][k] = n[a];
            batch.normal_before[a][k] = p[a];
        }
        batch.pair_twist[k] = (angle - before) * scree_vec_dot(axis, n);
    }
}

static void set_contact(int k)
{
    batch.overlap[k] = 1e-5;
    batch.m_eff[k] = 1.0;
    batch.r_i[k] = batch.r_j[k] = 1e-3;
    batch.fn[k] = 1e3;
    batch.history[0][k] = 3e-6; /* the spring */
    batch.history[1][k] = 1e-6;
}

/* Relative error of the force after a rigid rotation by a right angle, seen by the grains. */
static double rotate(const char *name, const char *text, const double axis[3])
{
    const struct scree_law *law = scree_law_find(SCREE_LAW_TANGENTIAL, name);
    double values[SCREE_LAW_VALUES] = {0}, right = acos(0.0), first[3], last[3];
    struct scree_input *input = input_of(text);
    const struct scree_node *root = scree_input_root(input);
    cr_assert(scree_input_read(input, root, NULL, "law", law->params, values));
    law->check(input, root, values);
    struct scree_law_shape shape = {0};
    law->shape(values, &shape);
    memset(&batch, 0, sizeof batch);
    batch.n = SCREE_BATCH_PAD;
    batch.friction_load = batch.fn;
    for (int k = 0; k < batch.n; k++) set_contact(k);
    struct scree_slots at = {0, shape.n_odd};
    set_normals(axis, 0.0, 0.0);
    law->apply(&batch, values, at); /* what the law keeps besides the spring; then the spring */
    for (int k = 0; k < batch.n; k++) set_contact(k);
    law->apply(&batch, values, at);
    for (int a = 0; a < 3; a++) first[a] = batch.ft[a][0];
    batch.dt = 1e-6;
    for (int step = 1; step <= STEPS; step++) {
        set_normals(axis, step * right / STEPS, (step - 1) * right / STEPS);
        law->apply(&batch, values, at);
    }
    double now[3] = {batch.ft[0][0], batch.ft[1][0], batch.ft[2][0]}, error = 0.0;
    turn(now, axis, -right, last);
    for (int a = 0; a < 3; a++) error += (last[a] - first[a]) * (last[a] - first[a]);
    scree_input_destroy(&input);
    return sqrt(error) / scree_vec_norm(first);
}

static const double about_n[3] = {0, 0, 1}, about_t[3] = {0, 1, 0}, oblique[3] = {0.48, 0.6, 0.64};

static void expect_objective(const char *name, const char *text)
{
    const double *const axes[3] = {about_n, about_t, oblique};
    for (int k = 0; k < 3; k++) {
        double error = rotate(name, text, axes[k]);
        cr_expect_lt(error, 1e-6, "'%s' about axis %d: error %g", name, k, error);
    }
}

Test(law_turning, springs_that_turn_with_the_grains)
{
    expect_objective("fazekas", "stiffness: 1e5\nfriction: 0.5\ndamping: 1\n");
    expect_objective(
        "mindlin", "young: 1e9\npoisson: 0.3\nsecond: elastic\nfriction: 0.5\nrestitution: 0.5\n");
    expect_objective("kuhn", "stiffness: 1e5\nfriction: 0.5\ndamping: 1\n");
}

/* The projected spring knows nothing of spins: it stays behind by the whole angle. */
Test(law_turning, projection_is_not_objective)
{
    const char text[] = "stiffness: 1e5\nfriction: 0.5\n";
    cr_expect_gt(rotate("spring", text, about_n), 1.0);
    cr_expect_gt(rotate("spring", text, oblique), 0.1);
    cr_expect_lt(rotate("spring", text, about_t), 2e-3);
}
