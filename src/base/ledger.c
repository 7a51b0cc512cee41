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

/* A row of the lanes of a tally; compilers cut it where vectors are shorter. */
typedef double lanes __attribute__((vector_size(SCREE_TALLY_LANES * 8), may_alias));
typedef uint64_t lanes_bits __attribute__((vector_size(SCREE_TALLY_LANES * 8), may_alias));

static inline void tally_lanes(lanes amount, double to_coarse, double to_fine, lanes_bits *coarse,
                               lanes_bits *fine)
{
    lanes whole = amount + to_coarse;
    *coarse += (lanes_bits)whole;
    *fine += (lanes_bits)((amount - (whole - to_coarse)) + to_fine);
}

void scree_tally_add(struct scree_tally *tally, double quantum, const double *amount, int n)
{
    const lanes_bits number = {0, 1, 2, 3, 4, 5, 6, 7};
    const double to_coarse = ROUNDING * quantum, to_fine = ROUNDING / FINE * quantum;
    lanes_bits coarse = *(lanes_bits *)tally->coarse, fine = *(lanes_bits *)tally->fine;
    int k = 0;
    for (; k + SCREE_TALLY_LANES <= n; k += SCREE_TALLY_LANES)
        tally_lanes(*(const lanes *)(amount + k), to_coarse, to_fine, &coarse, &fine);
    if (k < n) {
        lanes_bits there =
            *(const lanes_bits *)(amount + k) & (lanes_bits)(number < (uint64_t)(n - k));
        tally_lanes((lanes)there, to_coarse, to_fine, &coarse, &fine);
    }
    *(lanes_bits *)tally->coarse = coarse;
    *(lanes_bits *)tally->fine = fine;
    tally->rows += (n + SCREE_TALLY_LANES - 1) / SCREE_TALLY_LANES;
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
