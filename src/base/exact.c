/* SPDX-License-Identifier: BSD-3-Clause
 * Superaccumulator and 128-bit totals (the idea of a long fixed-point register for exact
 * sums and products: Kulisch, "Computer Arithmetic and Validity", de Gruyter 2013). */
#include "scree/exact.h"

#include <math.h>
#include <string.h>

enum {
    LIMB_BITS = 32,
    MANTISSA_BITS = 53,
    EXPONENT_MIN = -1074, /* of the lowest bit of any double */
    EXPONENT_MAX = 1023,  /* of the highest bit of any finite double */
    PENDING_MAX = 1 << 30 /* keeps every limb below 2^62 */
};

static const int64_t limb_mask = 0xffffffff;

/* A finite double as (-1)^negative * mantissa * 2^exponent. */
struct parts {
    uint64_t mantissa;
    int exponent;
    bool negative;
};

/* False for NaN and infinity. */
static bool split(double value, struct parts *parts)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    int biased = (int)(bits >> 52 & 0x7ff);
    parts->negative = bits >> 63 != 0;
    parts->mantissa = bits & (((uint64_t)1 << 52) - 1);
    if (biased != 0) parts->mantissa |= (uint64_t)1 << 52;
    parts->exponent = EXPONENT_MIN + (biased != 0 ? biased - 1 : 0);
    return biased != 0x7ff;
}

static void propagate(int64_t limb[SCREE_EXACT_LIMBS])
{
    for (int k = 0; k + 1 < SCREE_EXACT_LIMBS; ++k) {
        int64_t low = limb[k] & limb_mask; /* two's complement: also right for negative limbs */
        limb[k + 1] += (limb[k] - low) / (limb_mask + 1);
        limb[k] = low;
    }
}

static void make_room(struct scree_exact *sum)
{
    if (sum->n_pending >= PENDING_MAX) scree_exact_normalize(sum);
    ++sum->n_pending;
}

/* Add (-1)^negative * (sum of word[k] * 2^(32 k)) * 2^exponent. */
static void add_words(struct scree_exact *sum, const uint32_t *word, int n_words, int exponent,
                      bool negative)
{
    make_room(sum);
    int place = exponent - SCREE_EXACT_LOWEST;
    int64_t *limb = sum->limb + place / LIMB_BITS;
    int shift = place % LIMB_BITS;
    uint64_t carried = 0;
    for (int k = 0; k <= n_words; ++k) {
        carried |= (k < n_words ? (uint64_t)word[k] : 0) << shift;
        int64_t chunk = (int64_t)(carried & (uint64_t)limb_mask);
        limb[k] += negative ? -chunk : chunk;
        carried >>= LIMB_BITS;
    }
}

void scree_exact_clear(struct scree_exact *sum)
{
    memset(sum, 0, sizeof *sum);
}

void scree_exact_add(struct scree_exact *sum, double value)
{
    struct parts v;
    if (!split(value, &v)) {
        ++sum->n_invalid;
        return;
    }
    const uint32_t word[2] = {(uint32_t)v.mantissa, (uint32_t)(v.mantissa >> LIMB_BITS)};
    add_words(sum, word, 2, v.exponent, v.negative);
}

/* In integers, since the error term of a floating-point product is lost to underflow when the
 * product is small. */
void scree_exact_add_product(struct scree_exact *sum, double a, double b)
{
    struct parts x, y;
    bool finite_a = split(a, &x), finite_b = split(b, &y);
    if (!finite_a || !finite_b) {
        ++sum->n_invalid;
        return;
    }
    uint64_t mask = (uint64_t)limb_mask;
    uint64_t x0 = x.mantissa & mask, x1 = x.mantissa >> LIMB_BITS; /* x1, y1 < 2^21 */
    uint64_t y0 = y.mantissa & mask, y1 = y.mantissa >> LIMB_BITS;
    uint64_t low = x0 * y0;
    uint64_t middle = x0 * y1 + x1 * y0 + (low >> LIMB_BITS); /* below 2^55: cannot wrap */
    uint64_t high = x1 * y1 + (middle >> LIMB_BITS);
    const uint32_t word[4] = {(uint32_t)low, (uint32_t)middle, (uint32_t)high,
                              (uint32_t)(high >> LIMB_BITS)};
    add_words(sum, word, 4, x.exponent + y.exponent, x.negative != y.negative);
}

void scree_exact_merge(struct scree_exact *sum, const struct scree_exact *other)
{
    struct scree_exact more = *other; /* `other` may be far from canonical, or be `sum` itself */
    if (more.n_pending > PENDING_MAX / 2) scree_exact_normalize(&more);
    if (sum->n_pending > PENDING_MAX / 2) scree_exact_normalize(sum);
    for (int k = 0; k < SCREE_EXACT_LIMBS; ++k) sum->limb[k] += more.limb[k];
    sum->n_pending += more.n_pending;
    sum->n_invalid += more.n_invalid;
}

void scree_exact_normalize(struct scree_exact *sum)
{
    propagate(sum->limb);
    sum->n_pending = 1;
}

/* Place of the highest bit set in a canonical, positive register; -1 if it is zero. */
static int highest_bit(const int64_t limb[SCREE_EXACT_LIMBS])
{
    int k = SCREE_EXACT_LIMBS - 1;
    while (k >= 0 && limb[k] == 0) --k;
    if (k < 0) return -1;
    int place = k * LIMB_BITS;
    for (int64_t rest = limb[k] >> 1; rest != 0; rest >>= 1) ++place;
    return place;
}

static bool any_below(const int64_t limb[SCREE_EXACT_LIMBS], int place)
{
    int k = place / LIMB_BITS;
    for (int l = 0; l < k; ++l)
        if (limb[l] != 0) return true;
    return (limb[k] & (((int64_t)1 << place % LIMB_BITS) - 1)) != 0;
}

/* The bits from `place` upward of a canonical register; the caller knows that no more than 64 - 11
 * of them matter and that the limbs k + 1 and k + 2 exist. */
static uint64_t bits_from(const int64_t limb[SCREE_EXACT_LIMBS], int place)
{
    int k = place / LIMB_BITS, shift = place % LIMB_BITS;
    uint64_t bits = ((uint64_t)limb[k] | (uint64_t)limb[k + 1] << LIMB_BITS) >> shift;
    if (shift > 0) bits |= (uint64_t)limb[k + 2] << (2 * LIMB_BITS - shift);
    return bits;
}

/* The nearest double to a canonical, positive register. */
static double rounded(const int64_t limb[SCREE_EXACT_LIMBS])
{
    int highest = highest_bit(limb);
    if (highest < 0) return 0.0;
    int exponent = highest + SCREE_EXACT_LOWEST;
    if (exponent > EXPONENT_MAX) return HUGE_VAL;

    int lowest = exponent - MANTISSA_BITS + 1; /* of the bits kept */
    if (lowest < EXPONENT_MIN) lowest = EXPONENT_MIN;
    int place = lowest - SCREE_EXACT_LOWEST;
    uint64_t mantissa = bits_from(limb, place);
    bool half = (limb[(place - 1) / LIMB_BITS] >> (place - 1) % LIMB_BITS & 1) != 0;
    if (half && ((mantissa & 1) != 0 || any_below(limb, place - 1))) ++mantissa;
    return ldexp((double)mantissa, lowest); /* exact, or the infinity that rounding asks for */
}

double scree_exact_value(const struct scree_exact *sum)
{
    if (sum->n_invalid != 0) return (double)NAN;
    int64_t limb[SCREE_EXACT_LIMBS];
    memcpy(limb, sum->limb, sizeof limb);
    propagate(limb);
    if (limb[SCREE_EXACT_LIMBS - 1] >= 0) return rounded(limb);
    for (int k = 0; k < SCREE_EXACT_LIMBS; ++k) limb[k] = -limb[k];
    propagate(limb);
    return -rounded(limb);
}

void scree_wide_add(struct scree_wide *sum, int64_t value)
{
    struct scree_wide other = {(uint64_t)value, value < 0 ? -1 : 0};
    scree_wide_merge(sum, other);
}

/* From 2^53 on every double is an integer: the part above 2^62 goes to the high word exactly. */
void scree_wide_add_rounded(struct scree_wide *sum, double value)
{
    const double unit = 4611686018427387904.0; /* 2^62 */
    double high = trunc(value / unit), low = value - high * unit;
    int64_t parts = (int64_t)high;
    struct scree_wide shifted = {(uint64_t)parts << 62, parts >> 2};
    scree_wide_merge(sum, shifted);
    scree_wide_add(sum, llrint(low));
}

/* Unsigned, so that a partial sum beyond the range wraps the same way in any order. */
void scree_wide_merge(struct scree_wide *sum, struct scree_wide other)
{
    uint64_t low = sum->low + other.low;
    uint64_t carry = low < other.low ? 1 : 0;
    sum->high = (int64_t)((uint64_t)sum->high + (uint64_t)other.high + carry);
    sum->low = low;
}

bool scree_wide_is_zero(struct scree_wide sum)
{
    return sum.low == 0 && sum.high == 0;
}

double scree_wide_value(struct scree_wide sum)
{
    bool negative = sum.high < 0;
    uint64_t high = (uint64_t)sum.high, low = sum.low;
    if (negative) {
        low = ~low + 1;
        high = ~high + (low == 0 ? 1 : 0);
    }
    int shift = 0;
    if (high != 0) {
        /* 64 leading bits; what is cut off only matters as "not zero", so it joins the last bit */
        while (high >> (63 - shift) == 0) ++shift;
        uint64_t lead = high << shift | (shift > 0 ? low >> (64 - shift) : 0);
        low = lead | (low << shift != 0 ? 1 : 0);
        shift = 64 - shift;
    }
    double value = ldexp((double)low, shift);
    return negative ? -value : value;
}
