/* SPDX-License-Identifier: BSD-3-Clause
 * Slip within a step against the closed forms and golden numbers of VALIDATION A11, and against
 * very many small steps of the plain return to the limit. */
#include <math.h>

#include "../../src/laws/kuhn.h"
#include "scree/rng.h"
#include "unit.h"

static double degrees(struct scree_triple a)
{
    return atan2(fabs(a.y), a.x) * 180.0 / acos(-1.0);
}

/* A spring of length 1 along y, at the limit all the way; the movement is along x. */
static double angle_after(double way, double last_limit)
{
    struct scree_triple spring = {0, 1, 0}, along = {1, 0, 0};
    return degrees(scree_kuhn_turned(spring, along, way, 1.0, last_limit));
}

Test(kuhn, direction_at_constant_load)
{
    static const double table[][2] = {{0.05, 87.136}, {0.2, 78.617}, {0.5, 62.476},
                                      {1.0, 40.395},  {2.0, 15.415}, {4.0, 2.099}};
    for (int k = 0; k < 6; k++) {
        double angle = angle_after(table[k][0], 1.0);
        double exact = 2.0 * atan(exp(-table[k][0])) * 180.0 / acos(-1.0);
        cr_expect_float_eq(angle, exact, 1e-6 * exact);
        cr_expect_float_eq(angle, table[k][1], 6e-4);
    }
}

Test(kuhn, direction_while_the_load_changes)
{
    static const double table[][2] = {{-0.5, 28.072}, {0.5, 47.925}, {1.0, 53.130}};
    for (int k = 0; k < 3; k++) {
        double c2 = table[k][0], angle = angle_after(1.0, 1.0 + c2);
        double exact = 2.0 * atan(pow(1.0 + c2, -1.0 / c2)) * 180.0 / acos(-1.0);
        cr_expect_float_eq(angle, exact, 1e-6 * exact);
        cr_expect_float_eq(angle, table[k][1], 6e-4);
    }
}

/* mu 0.5, kn 1e5, kt 8e4, fn 10 -> 8. */
static struct scree_kuhn_step full_step(void)
{
    return (struct scree_kuhn_step){.spring = {2.0 / 8e4, 1.0 / 8e4, 0},
                                    .movement = {4e-5, -3e-5, 0},
                                    .limit = {5.0 / 8e4, 4.0 / 8e4}};
}

Test(kuhn, full_step)
{
    struct scree_kuhn_step step = full_step();
    struct scree_kuhn_slip slip = scree_kuhn_slip(step);
    cr_expect_float_eq(slip.onset, 0.70128142, 1e-8);
    cr_expect_float_eq(8e4 * slip.spring.x, 3.8468686, 1e-6);
    cr_expect_float_eq(8e4 * slip.spring.y, -1.0961759, 1e-6);
    cr_expect_gt(slip.lost, 0.0);
}

/* The limit of the plain method for small steps, with the work of each. */
static struct scree_kuhn_slip in_small_steps(const struct scree_kuhn_step *step, int n)
{
    struct scree_kuhn_slip slip = {.spring = step->spring};
    struct scree_triple part = scree_times(1.0 / n, step->movement);
    for (int k = 1; k <= n; k++) {
        struct scree_triple old = slip.spring, s = scree_plus(old, 1.0, part);
        double limit = step->limit[0] + (step->limit[1] - step->limit[0]) * k / n;
        double size = sqrt(scree_dot(s, s));
        if (size > limit) s = scree_times(limit / size, s);
        struct scree_triple sum = scree_plus(old, 1.0, s), grown = scree_plus(s, -1.0, old);
        slip.lost += 0.5 * scree_dot(sum, scree_plus(part, -1.0, grown));
        slip.spring = s;
    }
    return slip;
}

static double distance(struct scree_triple a, struct scree_triple b)
{
    struct scree_triple d = scree_plus(a, -1.0, b);
    return sqrt(scree_dot(d, d));
}

/* (e): what is dissipated is positive, and the mean force is a good measure of it if the step is
 * not large: to way^3 / 12. Random springs within the limit, movements up to 0.4 of it. */
Test(kuhn, random_steps)
{
    struct scree_rng_key key = {.seed = 5, .gid = 1, .purpose = SCREE_RNG_SWEEP};
    int n_slipping = 0, n_late = 0;
    for (uint32_t k = 0; k < 2000; k++) {
        double u[5];
        for (uint32_t a = 0; a < 5; a++) u[a] = scree_rng_uniform(&key, 8 * k + a);
        struct scree_kuhn_step step = {.limit = {1.0, 0.7 + 0.6 * u[0]}};
        step.spring.x = u[1] * cos(6.3 * u[2]), step.spring.y = u[1] * sin(6.3 * u[2]);
        step.movement.x = 0.4 * u[3] * cos(6.3 * u[4]),
        step.movement.y = 0.4 * u[3] * sin(6.3 * u[4]);
        struct scree_triple end = scree_plus(step.spring, 1.0, step.movement);
        if (scree_dot(end, end) <= step.limit[1] * step.limit[1]) continue;
        struct scree_kuhn_slip slip = scree_kuhn_slip(step), fine = in_small_steps(&step, 20000);
        n_slipping++;
        n_late += slip.onset > 0.0;
        cr_expect_lt(distance(slip.spring, fine.spring), 1e-4);
        cr_expect_float_eq(sqrt(scree_dot(slip.spring, slip.spring)), step.limit[1], 1e-14);
        cr_expect_geq(slip.lost, 0.0);
        cr_expect_float_eq(slip.lost, fine.lost, 6e-3);
    }
    cr_expect_gt(n_slipping, 150);
    cr_expect_gt(n_late, 100);
}

/* A = 0: limit and spring grow equally fast. */
Test(kuhn, onset_where_the_square_vanishes)
{
    struct scree_kuhn_step step = {
        .spring = {0.0, 0.9, 0}, .movement = {0.0, 0.5, 0}, .limit = {1.0, 0.5}};
    cr_expect_float_eq(scree_kuhn_slip(step).onset, 0.1, 1e-12);
    step.limit[1] = 0.5 + 1e-13;
    cr_expect_float_eq(scree_kuhn_slip(step).onset, 0.1, 1e-12);
}

/* C = 0: at the limit from the start; slips at once, or unloads first and slips on the other side.
 */
Test(kuhn, onset_at_the_limit)
{
    struct scree_kuhn_step step = {.spring = {1, 0, 0}, .movement = {0.1, 0.2, 0}, .limit = {1, 1}};
    cr_expect_eq(scree_kuhn_slip(step).onset, 0.0);
    step.movement.x = -3.0;
    step.movement.y = 0.0;
    struct scree_kuhn_slip slip = scree_kuhn_slip(step);
    cr_expect_float_eq(slip.onset, 2.0 / 3.0, 1e-12);
    cr_expect_float_eq(slip.spring.x, -1.0, 1e-14);
    cr_expect_float_eq(slip.lost, 1.0, 1e-12);
}

/* A new contact: neither spring nor load at first touch; no movement: only the limit falls. */
Test(kuhn, limits_of_the_step)
{
    struct scree_kuhn_step fresh = {.movement = {0.3, 0.4, 0}, .limit = {0, 0.1}};
    struct scree_kuhn_slip slip = scree_kuhn_slip(fresh);
    cr_expect_float_eq(slip.spring.x, 0.06, 1e-15);
    cr_expect_float_eq(slip.spring.y, 0.08, 1e-15);
    struct scree_kuhn_step still = {.spring = {0.6, 0.8, 0}, .limit = {1, 0.5}};
    slip = scree_kuhn_slip(still);
    cr_expect_float_eq(slip.spring.x, 0.3, 1e-15);
    cr_expect_float_eq(slip.spring.y, 0.4, 1e-15);
    struct scree_kuhn_step opens = {
        .spring = {0.6, 0.8, 0}, .movement = {0, 1, 0}, .limit = {1, 0}};
    slip = scree_kuhn_slip(opens);
    cr_expect_eq(slip.spring.x, 0.0);
    cr_expect_eq(slip.spring.y, 0.0);
}

Test(kuhn, elementary_functions)
{
    for (int k = -4000; k <= 4000; k++) {
        double x = exp(0.005 * k), logarithm = x == 1.0 ? 1.0 : log(x) / (x - 1.0);
        double e = exp(-x), tolerance = x < 700.0 ? 1e-15 * e : 1e-300;
        cr_expect_float_eq(scree_exp_minus(x), e, tolerance);
        cr_expect_float_eq(scree_log_ratio(x), logarithm, 1e-15 * logarithm);
    }
    cr_expect_eq(scree_exp_minus(0.0), 1.0);
    cr_expect_float_eq(scree_log_ratio(1.0 + 1e-12), 1.0 - 5e-13, 1e-15);
}
