/* SPDX-License-Identifier: BSD-3-Clause
 * The hysteretic law along given paths of the overlap (VALIDATION A3). */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <string.h>

#include "input_expect.h"
#include "scree/laws.h"

enum { LARGEST };

static const double k1 = 1000.0, k2 = 3000.0, kc = 500.0;
static struct scree_batch batch;
static double values[SCREE_LAW_VALUES];
static const struct scree_law *law;
static double lost; /* J; along the path so far */

static void begin(const char *text)
{
    struct scree_input *input = input_of(text);
    const struct scree_node *root = scree_input_root(input);
    law = scree_law_find(SCREE_LAW_NORMAL, "hysteretic");
    memset(&batch, 0, sizeof batch);
    memset(values, 0, sizeof values);
    cr_assert(scree_input_read(input, root, NULL, "law", law->params, values));
    law->check(input, root, values);
    cr_assert_eq(scree_input_n_errors(input), 0);
    scree_input_destroy(&input);
    batch.n = SCREE_BATCH_PAD;
    batch.dt = 1e-5;
    lost = 0.0;
    for (int k = 0; k < batch.n; k++) {
        batch.m_eff[k] = 1.0;
        batch.r_i[k] = batch.r_j[k] = 0.01;
    }
}

static const char constant[] = "stiffness: 1000\nstiffness_unloading: 3000\ncohesion: 500\n";

static double force_at(double overlap)
{
    for (int k = 0; k < batch.n; k++) batch.overlap[k] = overlap;
    batch.friction_load = batch.fn;
    law->apply(&batch, values, (struct scree_slots){0, 0});
    lost += batch.loss[SCREE_LOSS_PLASTIC][0];
    return batch.fn[0];
}

static double go(double from, double to, int steps)
{
    double f = 0.0;
    for (int n = 1; n <= steps; n++) f = force_at(from + (to - from) * n / steps);
    return f;
}

static struct scree_law_view view;

static double energy(void)
{
    law->inspect(&batch, values, (struct scree_slots){0, 0}, &view);
    return view.energy[0];
}

/* N/m; of un- and reloading at present. */
static double unloading(void)
{
    law->inspect(&batch, values, (struct scree_slots){0, 0}, &view);
    return view.stiffness[0];
}

/* s; of the collision of a reduced mass of 1 kg: a quarter period on k1, then on k2 up to where its
 * line ends (on that of cohesion, or without force), then along -kc overlap. */
static double duration(double loading, double unloading, double cohesion)
{
    const double most = 1.0 / sqrt(loading), rest = (1.0 - loading / unloading) * most;
    const double w = sqrt(unloading), end = (unloading - loading) * most / (unloading + cohesion);
    double angle = acos((end - rest) / (most - rest)), speed = w * (most - rest) * sin(angle);
    double time = 0.5 * acos(-1.0) / sqrt(loading) + angle / w;
    if (end == 0.0) return time;
    return time +
           (cohesion == 0.0 ? end / speed : atanh(sqrt(cohesion) * end / speed) / sqrt(cohesion));
}

static double foretold_duration(const char *text)
{
    const struct scree_law_case c = {.m_eff = 1.0, .r_eff = 0.005, .speed = 1.0};
    struct scree_law_estimate e = {.contact_time = INFINITY};
    begin(text);
    law->estimate(values, &c, &e);
    return e.contact_time;
}

Test(hysteretic, foretells_how_long_a_collision_lasts)
{
    cr_expect_float_eq(foretold_duration(constant) / duration(k1, k2, kc), 1.0, 1e-3);
    cr_expect_float_eq(foretold_duration("stiffness: 1000\nstiffness_unloading: 3000\n") /
                           duration(k1, k2, 0.0),
                       1.0, 1e-3);
    cr_expect_float_eq(foretold_duration("stiffness: 1000\nstiffness_unloading: 1000\n") /
                           (acos(-1.0) / sqrt(k1)),
                       1.0, 1e-3);
}

Test(hysteretic, has_the_extrema_of_its_paper)
{
    const double most = 1e-4, rest = (1.0 - k1 / k2) * most, least = (k2 - k1) * most / (k2 + kc);
    begin(constant);
    cr_expect_float_eq(go(0.0, most, 100), k1 * most, 1e-15);
    cr_expect_float_eq(go(most, rest, 100), 0.0, 1e-15);
    cr_expect_float_eq(go(rest, least, 100), -kc * least, 1e-12);
    cr_expect_float_eq(force_at(0.5 * least), -0.5 * kc * least, 1e-15);
    cr_expect_float_eq(batch.history[LARGEST][0], 0.5 * most, 1e-15);
}

Test(hysteretic, un_and_reloading_retrace_the_same_bits)
{
    enum { N = 40 }; /* all above the line of cohesion */
    const double most = 1e-4;
    double there[N], above = 0.0;
    begin(constant);
    go(0.0, most, 7);
    for (int n = 0; n < N; n++) there[n] = force_at(most * (1.0 - 0.01 * n));
    lost = 0.0;
    for (int loop = 0; loop < 3; loop++) {
        for (int n = N - 1; n >= 0; n--) cr_assert_eq(force_at(most * (1.0 - 0.01 * n)), there[n]);
        for (int n = 0; n < N; n++) cr_assert_eq(force_at(most * (1.0 - 0.01 * n)), there[n]);
    }
    cr_expect_float_eq(lost, 0.0, 1e-18, "lost %g J on a reversible path", lost);
    above = go(0.5 * most, 1.3 * most, 80);
    cr_expect_float_eq(above, k1 * 1.3 * most, 1e-15);
}

/* Reloading leaves the line of cohesion along k2, not along itself. */
Test(hysteretic, reloading_from_the_cohesive_branch_is_stiff)
{
    begin(constant);
    go(0.0, 1e-4, 20);
    double low = go(1e-4, 3e-5, 200);
    cr_expect_float_eq(low, -kc * 3e-5, 1e-15);
    cr_expect_float_eq(force_at(3.1e-5) - low, k2 * 1e-6, 1e-9);
}

/* What is put in is stored or lost, and nothing is gained. */
static void close_the_books(const char *text)
{
    enum { STEPS = 400 };
    static const double path[] = {1e-4, 4e-5, 8e-5, 2e-5, 1.5e-4, 1e-5, 3e-5, 2e-6};
    double at = 0.0, work = 0.0, before = 0.0;
    begin(text);
    for (size_t leg = 0; leg < sizeof path / sizeof path[0]; leg++) {
        double step = (path[leg] - at) / STEPS;
        for (int n = 1; n <= STEPS; n++) {
            double old = lost, f = force_at(at + n * step);
            work += 0.5 * (f + before) * step;
            before = f;
            cr_expect_geq(lost, old - 1e-20, "gained %g J", old - lost);
        }
        at = path[leg];
        /* The trapezoidal rule misses the corners of the path by up to k2 step^2 / 8 each. */
        cr_expect_float_eq(work, energy() + lost, 5e-5 * 1e-5, "%g J of %g J",
                           work - energy() - lost, work);
    }
    cr_expect_gt(lost, 1e-6);
}

Test(hysteretic, its_books_close)
{
    close_the_books(constant);
    close_the_books("stiffness: 1000\nstiffness_unloading: 3000\n");
    close_the_books("stiffness: 1000\nstiffness_unloading: 3000\ncohesion: 500\n"
                    "plastic_overlap: 1.2e-4\n");
    close_the_books("stiffness: 1000\nstiffness_unloading: 3000\ncohesion: 3e3\n"
                    "plastic_depth: 0.008\n");
}

/* 1.7: k2 grows with the largest overlap, and stays constant beyond. */
Test(hysteretic, grows_stiffer_until_a_given_overlap)
{
    begin("stiffness: 1000\nstiffness_unloading: 3000\nplastic_overlap: 2e-4\n");
    force_at(5e-5);
    cr_expect_float_eq(unloading(), 1500.0, 1e-9);
    force_at(2e-4);
    cr_expect_float_eq(unloading(), 3000.0, 1e-9);
    cr_expect_float_eq(force_at(3e-4), k1 * 3e-4, 1e-12);
    cr_expect_float_eq(unloading(), 3000.0, 1e-9);
    /* 0.01 m of 2 r1 r2 / (r1 + r2): the overlap without force is 1 % of it */
    begin("stiffness: 1000\nstiffness_unloading: 3000\nplastic_depth: 0.01\n");
    force_at(1.5e-4);
    cr_expect_float_eq(unloading(), 3000.0, 1e-6);
    cr_expect_float_eq(force_at(1e-4), 0.0, 1e-9);
}

/* The friction limit: the force above the line of cohesion. */
Test(hysteretic, friction_counts_from_the_cohesive_line)
{
    begin(constant);
    double f = force_at(1e-4);
    cr_expect_float_eq(batch.friction_load[0], f + kc * 1e-4, 1e-15);
    f = go(1e-4, 1e-5, 200);
    cr_expect_float_eq(batch.friction_load[0], 0.0, 1e-15);
    begin("stiffness: 1000\nstiffness_unloading: 3000\n");
    force_at(1e-4);
    cr_expect_eq(batch.friction_load, batch.fn);
}
