/* SPDX-License-Identifier: BSD-3-Clause
 * Exponential and logarithm for vector loops: the same bits in vector and in scalar code, which the
 * mathematical library does not promise. Relative errors of a few 1e-16. Private to laws. */
#ifndef SCREE_LAWS_ELEMENTARY_H
#define SCREE_LAWS_ELEMENTARY_H

#include <stdint.h>
#include <string.h>

static inline uint64_t scree_bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline double scree_of_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Polynomials are split so that their parts do not wait for each other. */
#define SCREE_LN2 0.693147180559945309417

/* exp(-x) for x >= 0: x = k ln 2 + r with |r| < 0.35, a polynomial in r and k in the exponent. */
static inline double scree_exp_minus(double x)
{
    static const double ln2_high = 6.93147180369123816490e-01, ln2_low = 1.90821492927058770002e-10;
    x = x < 700.0 ? x : 700.0;
    double k = (x * (1.0 / SCREE_LN2) + 0x1.8p52) - 0x1.8p52;
    double r = (k * ln2_high - x) + k * ln2_low, r2 = r * r, r4 = r2 * r2;
    double first = (1.0 + r) + r2 * (1.0 / 2.0 + r * (1.0 / 6.0));
    double second = (1.0 / 24.0 + r * (1.0 / 120.0)) + r2 * (1.0 / 720.0 + r * (1.0 / 5040.0));
    double third =
        (1.0 / 40320.0 + r * (1.0 / 362880.0)) + r2 * (1.0 / 3628800.0 + r * (1.0 / 39916800.0));
    double fourth = 1.0 / 479001600.0 + r * (1.0 / 6227020800.0);
    double sum = (first + r4 * second) + (r4 * r4) * (third + r4 * fourth);
    return sum * scree_of_bits(scree_bits_of(0x1p52 + (1023.0 - k)) << 52);
}

/* log(x) / (x - 1) for normal x > 0; 1 at x = 1. */
static inline double scree_log_ratio(double x)
{
    const uint64_t bits = scree_bits_of(x), one = 0x3ff0000000000000u;
    double m = scree_of_bits((bits & 0x000fffffffffffffu) | one);
    double e = scree_of_bits((bits >> 52) | 0x4330000000000000u) - (0x1p52 + 1023.0);
    double large = m > 1.41421356237309505 ? 1.0 : 0.0;
    m *= 1.0 - 0.5 * large;
    e += large;
    double z = (m - 1.0) / (m + 1.0), z2 = z * z, z4 = z2 * z2, z8 = z4 * z4;
    double first = (1.0 + z2 * (1.0 / 3.0)) + z4 * (1.0 / 5.0 + z2 * (1.0 / 7.0));
    double second = (1.0 / 9.0 + z2 * (1.0 / 11.0)) + z4 * (1.0 / 13.0 + z2 * (1.0 / 15.0));
    double third = (1.0 / 17.0 + z2 * (1.0 / 19.0)) + z4 * (1.0 / 21.0 + z2 * (1.0 / 23.0));
    double sum = first + z8 * (second + z8 * third);
    double log = e * SCREE_LN2 + 2.0 * z * sum, growth = x - 1.0;
    return growth != 0.0 ? log / (growth != 0.0 ? growth : 1.0) : 1.0;
}

#endif
