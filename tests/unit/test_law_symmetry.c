/* SPDX-License-Identifier: BSD-3-Clause
 * Exchange symmetry: a contact cut by a rank border is computed on both sides, so every law must
 * give exactly opposite forces, and histories that match, when i and j are exchanged.
 *
 * Walks the table of laws and the keys of each, so that a new law is tested without a new line. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "input_expect.h"
#include "scree/laws.h"
#include "scree/rng.h"

enum { N_BATCHES = 20 };

/* A value that suits the unit of a key. */
static const char *usual_value(const struct scree_param *param)
{
    if (param->type == SCREE_PARAM_CHOICE) return param->choices[0];
    if (strcmp(param->unit, "1") == 0) return param->fallback == NULL ? "0.5" : "0.3";
    if (strcmp(param->key, "stiffness_unloading") == 0) return "1700"; /* above loading */
    if (strcmp(param->unit, "N/m") == 0) return "1000";
    if (strcmp(param->unit, "m") == 0) return "5e-6"; /* of the size of overlaps */
    if (strcmp(param->unit, "Pa") == 0) return "1e7";
    if (strcmp(param->unit, "s") == 0) return "1e-5";
    if (strcmp(param->unit, "kg/s") == 0) return "2e-3";
    if (strcmp(param->unit, "1/s") == 0) return "700";
    if (strcmp(param->unit, "J/m^2") == 0) return "0.05";
    return "1";
}

/* The required keys, and one optional key with its value (NULL: none), as an input text. */
static void write_input(const struct scree_law *law, const struct scree_param *extra,
                        const char *value, char *text, size_t size)
{
    text[0] = '\0';
    for (const struct scree_param *row = law->params; row->key != NULL; row++) {
        size_t used = strlen(text);
        bool is_extra = extra != NULL && strcmp(row->key, extra->key) == 0;
        const char *word = is_extra ? value : row->fallback == NULL ? usual_value(row) : NULL;
        if (word != NULL) snprintf(text + used, size - used, "%s: %s\n", row->key, word);
    }
    if (text[0] == '\0') snprintf(text, size, "{}");
}

static double draw(scree_gid contact, uint32_t k, double low, double high)
{
    struct scree_rng_key key = {.seed = 11, .gid = contact, .purpose = SCREE_RNG_SWEEP};
    return low + (high - low) * scree_rng_uniform(&key, k);
}

/* Millimetre grains that touch, moving about, with a spring of some length. */
static void fill_contact(struct scree_batch *b, int k, scree_gid contact, unsigned odd)
{
    double n[3], v[3], length = 0.0, along = 0.0;
    for (uint32_t a = 0; a < 3; a++) {
        n[a] = draw(contact, a, -1.0, 1.0);
        length += n[a] * n[a];
    }
    for (uint32_t a = 0; a < 3; a++) {
        n[a] /= sqrt(length);
        v[a] = draw(contact, 3 + a, -0.5, 0.5);
        along += n[a] * v[a];
    }
    for (uint32_t a = 0; a < 3; a++) {
        b->normal[a][k] = n[a];
        b->vt[a][k] = v[a] - along * n[a];
    }
    b->vn[k] = along;
    b->overlap[k] = draw(contact, 6, 0.0, 1e-5);
    b->m_eff[k] = draw(contact, 7, 1e-7, 2e-6);
    b->r_i[k] = draw(contact, 8, 3e-4, 7e-4);
    b->r_j[k] = draw(contact, 9, 3e-4, 7e-4);
    b->fn[k] = draw(contact, 10, -1e-3, 1e-2); /* what a normal law has left */
    double before[3], size = 0.0;
    for (uint32_t a = 0; a < 3; a++) {
        b->ft[a][k] = b->couple[a][k] = 0.0;
        b->spin[a][k] = draw(contact, 60 + a, -100.0, 100.0);
        b->turned[a][k] = b->dt * draw(contact, 63 + a, -100.0, 100.0);
        b->way[a][k] = b->dt * (b->vt[a][k] + draw(contact, 70 + a, -0.01, 0.01));
        before[a] = n[a] + draw(contact, 90 + a, -0.01, 0.01);
        size += before[a] * before[a];
    }
    for (int a = 0; a < 3; a++) b->normal_before[a][k] = before[a] / sqrt(size);
    b->pair_twist[k] = b->dt * draw(contact, 95, -100.0, 100.0);
    for (int s = 0; s < SCREE_BATCH_HISTORY; s++) {
        double x = draw(contact, 11 + (uint32_t)s, -1.0, 1.0);
        b->history[s][k] = (odd >> s & 1u) ? 2e-6 * x : x > 0.0 ? 1.0 : 0.0;
    }
}

static void exchange(const struct scree_batch *b, unsigned odd, struct scree_batch *other)
{
    *other = *b;
    for (int k = 0; k < b->n; k++) {
        for (int a = 0; a < 3; a++) {
            other->normal[a][k] = -b->normal[a][k];
            other->normal_before[a][k] = -b->normal_before[a][k];
            other->vt[a][k] = -b->vt[a][k];
            other->way[a][k] = -b->way[a][k];
            other->spin[a][k] = -b->spin[a][k];
            other->turned[a][k] = -b->turned[a][k];
        }
        other->pair_twist[k] = -b->pair_twist[k]; /* the same turn, about the opposite normal */
        other->r_i[k] = b->r_j[k];
        other->r_j[k] = b->r_i[k];
        for (int s = 0; s < SCREE_BATCH_HISTORY; s++)
            if (odd >> s & 1u) other->history[s][k] = -b->history[s][k];
    }
}

/* Numbers with equal bits, or both zero of either sign. */
static bool is_same(double a, double b)
{
    return a == b;
}

static void expect_opposite(const struct scree_law *law, const struct scree_law_shape *shape,
                            const char *text, const struct scree_batch *b,
                            const struct scree_batch *other)
{
    for (int k = 0; k < b->n; k++) {
        bool normal = is_same(b->fn[k], other->fn[k]);
        bool tangential = true, couple = true;
        for (int a = 0; a < 3; a++) {
            tangential = tangential && is_same(b->ft[a][k], -other->ft[a][k]);
            couple = couple && is_same(b->couple[a][k], -other->couple[a][k]);
        }
        bool history = true, losses = true;
        for (int c = 0; c < SCREE_N_CONTACT_LOSSES; c++)
            if (shape->losses >> c & 1u)
                losses = losses && is_same(b->loss[c][k], other->loss[c][k]);
        for (int s = 0; s < SCREE_BATCH_HISTORY; s++) {
            double sign = s < shape->n_odd ? -1.0 : 1.0;
            history = history && is_same(b->history[s][k], sign * other->history[s][k]);
        }
        cr_assert(normal && tangential && couple && history && losses,
                  "%s law '%s' with\n%scontact %d: %s differs", scree_law_kind_name(law->kind),
                  law->name, text, k,
                  !normal       ? "the normal force"
                  : !tangential ? "the tangential force"
                  : !couple     ? "the couple"
                  : !losses     ? "a loss"
                                : "the history");
    }
}

static struct scree_batch batch, before, exchanged;

/* Gives a law what it takes from its normal law, of which the keys are those of the law. */
static void adopt(const struct scree_law *law, struct scree_input *input, double *values,
                  const struct scree_param *extra, const char *value)
{
    char text[1024];
    double normal_values[SCREE_LAW_VALUES] = {0};
    const struct scree_law *normal = scree_law_find(SCREE_LAW_NORMAL, law->needs_normal);
    write_input(normal, extra, value, text, sizeof text);
    struct scree_input *other = input_of(text);
    cr_assert(scree_input_read(other, scree_input_root(other), NULL, "law", normal->params,
                               normal_values));
    law->adopt(input, scree_input_root(input), values, normal_values);
    scree_input_destroy(&other);
}

/* The law with its required keys and one more; false if they do not go together. */
static bool try_values(const struct scree_law *law, const struct scree_param *extra,
                       const char *value)
{
    char text[1024];
    double values[SCREE_LAW_VALUES] = {0};
    write_input(law, extra, value, text, sizeof text);
    struct scree_input *input = input_of(text);
    const struct scree_node *root = scree_input_root(input);
    bool good = scree_input_read(input, root, NULL, "law", law->params, values);
    if (good && law->adopt != NULL) adopt(law, input, values, extra, value);
    if (good) law->check(input, root, values);
    good = good && scree_input_n_errors(input) == 0;
    struct scree_law_shape shape = {0};
    if (good && law->shape != NULL) law->shape(values, &shape);
    struct scree_slots at = {0, shape.n_odd};
    unsigned odd = (1u << shape.n_odd) - 1u;
    for (int trial = 0; good && trial < N_BATCHES; trial++) {
        batch.n = trial % 2 == 0 ? SCREE_BATCH : SCREE_BATCH_PAD;
        batch.dt = trial % 3 == 0 ? 0.0 : 1e-5;
        batch.joint_limit = trial % 4 == 1;
        for (int k = 0; k < batch.n; k++) fill_contact(&batch, k, 1 + trial * SCREE_BATCH + k, odd);
        before = batch;
        exchange(&batch, odd, &exchanged);
        batch.friction_load = batch.fn;
        exchanged.friction_load = exchanged.fn;
        law->apply(&batch, values, at);
        law->apply(&exchanged, values, at);
        expect_opposite(law, &shape, text, &batch, &exchanged);
        for (int s = shape.n_odd + shape.n_even; s < SCREE_BATCH_HISTORY; s++)
            cr_assert_arr_eq(batch.history[s], before.history[s], sizeof batch.history[s],
                             "law '%s' writes history slot %d, which is not its own", law->name, s);
    }
    scree_input_destroy(&input);
    return good;
}

static void try_law(const struct scree_law *law)
{
    cr_expect(try_values(law, NULL, NULL), "law '%s' refuses its required keys", law->name);
    for (const struct scree_param *row = law->params; row->key != NULL; row++) {
        for (int w = 0; row->choices != NULL && row->choices[w] != NULL; w++)
            cr_expect(try_values(law, row, row->choices[w]), "law '%s' refuses %s: %s", law->name,
                      row->key, row->choices[w]);
        if (row->fallback == NULL || row->type != SCREE_PARAM_REAL) continue;
        cr_expect(try_values(law, row, usual_value(row)), "law '%s' refuses %s: %s", law->name,
                  row->key, usual_value(row));
    }
}

Test(law_symmetry, exchanging_the_grains_negates_the_forces_exactly)
{
    cr_assert_geq(scree_law_count(), 3);
    for (int k = 0; k < scree_law_count(); k++) try_law(scree_law_at(k));
}

/* The test itself must see an asymmetry: a law that forgets to turn one slot. */
Test(law_symmetry, a_wrong_parity_is_seen)
{
    struct scree_law wrong = *scree_law_find(SCREE_LAW_TANGENTIAL, "spring");
    double values[SCREE_LAW_VALUES] = {0};
    struct scree_input *input = input_of("stiffness: 1000\nfriction: 0.5\n");
    const struct scree_node *root = scree_input_root(input);
    cr_assert(scree_input_read(input, root, NULL, "law", wrong.params, values));
    wrong.check(input, root, values);
    batch.n = SCREE_BATCH;
    batch.dt = 1e-5;
    for (int k = 0; k < batch.n; k++) fill_contact(&batch, k, 1 + k, 7u);
    exchange(&batch, 6u, &exchanged);
    batch.friction_load = batch.fn;
    exchanged.friction_load = exchanged.fn;
    wrong.apply(&batch, values, (struct scree_slots){0, 3});
    wrong.apply(&exchanged, values, (struct scree_slots){0, 3});
    int n_different = 0;
    for (int k = 0; k < batch.n; k++) n_different += !is_same(batch.ft[0][k], -exchanged.ft[0][k]);
    cr_expect_gt(n_different, batch.n / 2);
    scree_input_destroy(&input);
}
