/* SPDX-License-Identifier: BSD-3-Clause
 * Laws the other way round: what a contact is to bear, it bears; friction holds no more than its
 * limit; linear springs are as long as they have to be. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <string.h>

#include "scree/laws.h"
#include "scree/vec.h"
#include "unit.h"

static const char *const materials[] = {"m", NULL};
static struct scree_laws laws;
static struct scree_input *input;

static const struct scree_pair_law *open_law(const char *entry)
{
    char text[600];
    snprintf(text, sizeof text, "contacts:\n- between: [m, m]\n%s", entry);
    cr_assert_eq(scree_input_create(&input, text, "test"), SCREE_OK);
    scree_laws_read(&laws, input, scree_node_find(scree_input_root(input), "contacts"), 1,
                    materials, (struct scree_laws_setting){.soft = true});
    cr_assert_eq(scree_input_n_errors(input), 0, "%s", entry);
    return scree_laws_between(&laws, 0, 0);
}

static void close_law(void)
{
    scree_laws_clear(&laws);
    scree_input_destroy(&input);
}

static const struct scree_law_touch touch = {
    .normal = {0.6, 0.0, 0.8}, .radius = {4e-3, 6e-3}, .m_eff = 1e-4, .dt = 1e-6};

/* What the laws make of an overlap and a history, at rest. */
static void bear(const struct scree_pair_law *pair, double overlap, const double *history,
                 double force[3], double couple[3])
{
    struct scree_batch b;
    memset(&b, 0, sizeof b);
    b.n = SCREE_BATCH_PAD;
    b.friction_load = b.fn;
    for (int k = 0; k < b.n; k++) {
        for (int a = 0; a < 3; a++) b.normal[a][k] = b.normal_before[a][k] = touch.normal[a];
        b.overlap[k] = overlap;
        b.m_eff[k] = touch.m_eff;
        b.r_i[k] = touch.radius[0];
        b.r_j[k] = touch.radius[1];
        for (int s = 0; s < SCREE_BATCH_HISTORY; s++) b.history[s][k] = history[s];
    }
    for (int part = 0; part < SCREE_N_LAW_KINDS; part++)
        pair->law[part]->apply(&b, pair->values[part], pair->at[part]);
    for (int a = 0; a < 3; a++) {
        force[a] = b.fn[0] * touch.normal[a] + b.ft[a][0];
        couple[a] = b.couple[a][0];
    }
}

static void expect_borne(const char *entry, double normal, const double across[3], double share,
                         const double couple[3])
{
    const struct scree_pair_law *pair = open_law(entry);
    double history[SCREE_BATCH_HISTORY], force[3], wanted[3], found[3], size = 0.0;
    for (int a = 0; a < 3; a++) {
        force[a] = normal * touch.normal[a] + across[a];
        wanted[a] = normal * touch.normal[a] + share * across[a];
    }
    double overlap = scree_pair_law_find_overlap(pair, &touch, normal);
    scree_pair_law_load(pair, &touch, overlap, force, couple, history);
    bear(pair, overlap, history, force, found);
    for (int a = 0; a < 3; a++) size = fmax(size, fabs(force[a] - wanted[a]));
    cr_expect_leq(size, 1e-9 * normal, "%s: force off by %g of %g N", entry, size, normal);
    for (int a = 0; a < 3; a++)
        cr_expect_float_eq(found[a], couple[a], 1e-9 * normal * 1e-3, "%s: couple %d is %g", entry,
                           a, found[a]);
    close_law();
}

/* Across the normal. */
static const double along[3] = {0.08, 0.06, -0.06}, none[3] = {0.0, 0.0, 0.0};

Test(law_inverse, every_law_bears_what_it_is_given)
{
    static const char *const entries[] = {
        "  normal: {law: linear, stiffness: 1000, damping: 1e-2}\n"
        "  tangential: {law: spring, stiffness: 800, friction: 0.5, friction_dynamic: 0.4}\n",
        "  normal: {law: linear, stiffness: 1000}\n"
        "  tangential: {law: fazekas, stiffness: 800, friction: 0.5}\n",
        "  normal: {law: power, stiffness: 1e6, exponent: 1.3}\n"
        "  tangential: {law: kuhn, stiffness: 800, friction: 0.5}\n",
        "  normal: {law: hertz, young: 1e7, poisson: 0.3}\n"
        "  tangential: {law: mindlin, friction: 0.5}\n",
        "  normal: {law: hysteretic, stiffness: 800, stiffness_unloading: 1200, cohesion: 200, "
        "plastic_overlap: 1 mm}\n"
        "  tangential: {law: spring, stiffness: 500, friction: 0.5}\n"};
    for (size_t k = 0; k < sizeof entries / sizeof entries[0]; k++) {
        expect_borne(entries[k], 0.5, along, 1.0, none);
        expect_borne(entries[k], 1e-4, none, 1.0, none);
    }
}

Test(law_inverse, couples_too)
{
    static const double couple[3] = {6e-4, 2e-4, 8e-4};
    expect_borne("  normal: {law: linear, stiffness: 1000}\n"
                 "  rolling: {law: spring, stiffness: 500, friction: 0.9}\n"
                 "  torsion: {law: spring, stiffness: 300, friction: 0.9}\n",
                 1.0, none, 1.0, couple);
}

/* Wanted are 0.1166 N at a limit of 0.02 N. */
Test(law_inverse, friction_holds_what_it_can)
{
    expect_borne("  normal: {law: linear, stiffness: 1000}\n"
                 "  tangential: {law: spring, stiffness: 800, friction: 0.04}\n",
                 0.5, along, 0.02 / sqrt(0.0136), none);
}

Test(law_inverse, linear_springs_are_force_over_stiffness)
{
    const struct scree_pair_law *pair =
        open_law("  normal: {law: linear, stiffness: 1000}\n"
                 "  tangential: {law: spring, stiffness: 800, friction: 0.5}\n");
    double history[SCREE_BATCH_HISTORY];
    cr_expect_float_eq(scree_pair_law_find_overlap(pair, &touch, 0.5), 5e-4, 1e-18);
    scree_pair_law_load(pair, &touch, 5e-4, along, none, history);
    for (int a = 0; a < 3; a++) cr_expect_float_eq(history[a], -along[a] / 800.0, 1e-18);
    close_law();
}
