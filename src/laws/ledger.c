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

/* The lanes of a tally while they are in registers. */
struct lanes {
    vector_bits coarse[VECTORS], fine[VECTORS];
};

static inline struct lanes take(const struct scree_tally *tally)
{
    struct lanes lanes;
    for (int v = 0; v < VECTORS; v++) {
        lanes.coarse[v] = ((const vector_bits *)tally->coarse)[v];
        lanes.fine[v] = ((const vector_bits *)tally->fine)[v];
    }
    return lanes;
}

static inline void put_back(struct scree_tally *tally, const struct lanes *lanes, int rows)
{
    for (int v = 0; v < VECTORS; v++) {
        ((vector_bits *)tally->coarse)[v] = lanes->coarse[v];
        ((vector_bits *)tally->fine)[v] = lanes->fine[v];
    }
    tally->rows += rows;
}

/* A row of amounts, each to its own lane. */
static inline void add_row(struct lanes *lanes, const double *row, double quantum)
{
    const double to_coarse = ROUNDING * quantum, to_fine = ROUNDING / FINE * quantum;
    for (int v = 0; v < VECTORS; v++) {
        vector amount = ((const vector *)row)[v], whole = amount + to_coarse;
        lanes->coarse[v] += (vector_bits)whole;
        lanes->fine[v] += (vector_bits)((amount - (whole - to_coarse)) + to_fine);
    }
}

/* Fewer amounts than lanes. */
static inline void add_rest(struct scree_tally *tally, const double *amount, double quantum, int n)
{
    alignas(SCREE_ALIGNMENT) double rest[SCREE_TALLY_LANES] = {0.0};
    struct lanes lanes = take(tally);
    for (int m = 0; m < n; m++) rest[m] = amount[m];
    add_row(&lanes, rest, quantum);
    put_back(tally, &lanes, 1);
}

/* Seldom: apart from what is done for every batch. */
__attribute__((noinline)) static void add_rests(struct scree_tally *tally, unsigned channels,
                                                const double *amount, size_t stride, double quantum,
                                                int n)
{
    for (; channels != 0; channels &= channels - 1) {
        unsigned c = (unsigned)__builtin_ctz(channels);
        add_rest(&tally[c], amount + c * stride, quantum, n);
    }
}

static inline void add_one(struct scree_tally *tally, const double *amount, const double *end,
                           double quantum)
{
    const int rows = (int)((end - amount) / SCREE_TALLY_LANES);
    struct lanes lanes = take(tally);
    for (; amount < end; amount += SCREE_TALLY_LANES) add_row(&lanes, amount, quantum);
    put_back(tally, &lanes, rows);
}

/* Two at once take less time than one after the other. `apart`: from amounts of one to those of the
 * other. */
static inline void add_two(struct scree_tally *tally, struct scree_tally *other,
                           const double *amount, const double *end, size_t apart, double quantum)
{
    const int rows = (int)((end - amount) / SCREE_TALLY_LANES);
    struct lanes first = take(tally), second = take(other);
    for (; amount < end; amount += SCREE_TALLY_LANES) {
        add_row(&first, amount, quantum);
        add_row(&second, amount + apart, quantum);
    }
    put_back(tally, &first, rows);
    put_back(other, &second, rows);
}

/* This is called for every batch: little may stand around its loops. */
void scree_tally_add(struct scree_tally *tally, unsigned channels, const double *amount,
                     size_t stride, double quantum, int n)
{
    const unsigned rest = (unsigned)n % SCREE_TALLY_LANES, whole = (unsigned)n - rest;
    if (rest > 0) add_rests(tally, channels, amount + whole, stride, quantum, (int)rest);
    while (channels != 0) {
        const unsigned c = (unsigned)__builtin_ctz(channels), others = channels & (channels - 1);
        const double *first = amount + c * stride, *end = first + whole;
        if (others == 0) {
            add_one(&tally[c], first, end, quantum);
            return;
        }
        const unsigned next = (unsigned)__builtin_ctz(others);
        add_two(&tally[c], &tally[next], first, end, (next - c) * stride, quantum);
        channels = others & (others - 1);
    }
}

/* Lanes wrap, their sum less that of the constants does not: it is below 2^63. */
void scree_tally_reduce(struct scree_tally *tally, struct scree_account *account, double quantum,
                        int halves)
{
    if (tally->rows == 0) return;
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
