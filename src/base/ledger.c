/* SPDX-License-Identifier: BSD-3-Clause
 * Exact sums of losses, in the inner loop of every method: two additions of a large constant split
 * an amount into integers, without a branch. */
#include "scree/ledger.h"

#include <string.h>

#define ROUNDING 6755399441055744.0 /* 1.5 * 2^52: leaves the nearest integer in the low bits */
#define FINE     1125899906842624.0 /* 2^50 parts of a quantum */

const char *scree_loss_name(enum scree_loss loss)
{
    static const char *const names[SCREE_N_LOSSES] = {
        "normal damping",      "tangential damping",  "sliding", "rolling", "torsion", "plastic",
        "change of stiffness", "background friction", "drives"};
    return names[loss];
}

static inline uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* Scaled by the quantum, a power of two, the constants have one quantum and one part of it as their
 * last bits. */
void scree_account_add(struct scree_account *account, double quantum, const double *amount, int n,
                       int halves)
{
    const double to_coarse = ROUNDING * quantum, to_fine = ROUNDING / FINE * quantum;
    uint64_t coarse = 0, fine = 0;
    for (int k = 0; k < n; k++) {
        double whole = amount[k] + to_coarse;
        coarse += bits_of(whole);
        fine += bits_of((amount[k] - (whole - to_coarse)) + to_fine);
    }
    coarse -= (uint64_t)n * bits_of(to_coarse);
    fine -= (uint64_t)n * bits_of(to_fine);
    scree_wide_add(&account->coarse, (int64_t)coarse * halves);
    scree_wide_add(&account->fine, (int64_t)fine * halves);
}

/* A vector of the machine at hand; one that has to be cut would cost more than all the rest. */
#ifdef __AVX512F__
enum { WIDTH = 8 };
#else
enum { WIDTH = 4 };
#endif
enum { VECTORS = SCREE_TALLY_LANES / WIDTH };
typedef double vector __attribute__((vector_size(WIDTH * 8), may_alias));
typedef uint64_t vector_bits __attribute__((vector_size(WIDTH * 8), may_alias));

/* A row of amounts, each to its own lane. */
static inline void tally_row(const double *row, double quantum, vector_bits *coarse,
                             vector_bits *fine)
{
    const double to_coarse = ROUNDING * quantum, to_fine = ROUNDING / FINE * quantum;
    for (int v = 0; v < VECTORS; v++) {
        vector amount = ((const vector *)row)[v], whole = amount + to_coarse;
        coarse[v] += (vector_bits)whole;
        fine[v] += (vector_bits)((amount - (whole - to_coarse)) + to_fine);
    }
}

void scree_tally_add(struct scree_tally *tally, double quantum, const double *amount, int n)
{
    vector_bits *all_coarse = (vector_bits *)tally->coarse, *all_fine = (vector_bits *)tally->fine;
    vector_bits coarse[VECTORS], fine[VECTORS]; /* registers */
    int k = 0;
    for (int v = 0; v < VECTORS; v++) coarse[v] = all_coarse[v], fine[v] = all_fine[v];
    for (; k + SCREE_TALLY_LANES <= n; k += SCREE_TALLY_LANES)
        tally_row(amount + k, quantum, coarse, fine);
    for (int v = 0; v < VECTORS; v++) all_coarse[v] = coarse[v], all_fine[v] = fine[v];
    tally->rows += (n + SCREE_TALLY_LANES - 1) / SCREE_TALLY_LANES;
    if (k == n) return;
    alignas(SCREE_ALIGNMENT) double rest[SCREE_TALLY_LANES] = {0.0};
    for (int m = 0; m < n - k; m++) rest[m] = amount[k + m];
    tally_row(rest, quantum, all_coarse, all_fine);
}

/* Lanes wrap, their sum less that of the constants does not: it is below 2^63. */
void scree_tally_settle(struct scree_tally *tally, struct scree_account *account, double quantum,
                        int halves)
{
    uint64_t n = (uint64_t)tally->rows * SCREE_TALLY_LANES;
    uint64_t coarse = -n * bits_of(ROUNDING * quantum);
    uint64_t fine = -n * bits_of(ROUNDING / FINE * quantum);
    for (int k = 0; k < SCREE_TALLY_LANES; k++) {
        coarse += tally->coarse[k];
        fine += tally->fine[k];
    }
    for (int h = 0; h < halves; h++) {
        scree_wide_add(&account->coarse, (int64_t)coarse);
        scree_wide_add(&account->fine, (int64_t)fine);
    }
    memset(tally, 0, sizeof *tally);
}

/* From 2^51 on a double has no more than halves below the point. */
void scree_account_add_large(struct scree_account *account, double quantum, double amount,
                             int halves)
{
    scree_wide_add_rounded(&account->coarse, amount / quantum * halves);
}

double scree_account_value(const struct scree_account *account, double quantum)
{
    double quanta = scree_wide_value(account->coarse) + scree_wide_value(account->fine) / FINE;
    return 0.5 * quantum * quanta;
}
