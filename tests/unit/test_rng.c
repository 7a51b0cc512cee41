/* SPDX-License-Identifier: BSD-3-Clause
 * Random numbers: the published vectors of Philox, independence of the key's fields, moments. */
#include "scree/rng.h"

#include <math.h>
#include <string.h>

#include "scree/status.h"
#include "unit.h"

enum { N_DRAWS = 100000 };

static const struct scree_rng_key plain = {
    .seed = 7, .gid = 42, .purpose = SCREE_RNG_VELOCITY, .step = 1000};

static void assert_words(const struct scree_rng_key *key, uint32_t draw, const uint32_t expected[4])
{
    uint32_t words[4];
    scree_rng_words(key, draw, words);
    for (int k = 0; k < 4; ++k) cr_assert_eq(words[k], expected[k]);
}

/* The vectors "philox4x32 10" of kat_vectors in the Random123 distribution. */
Test(rng, known_answers)
{
    const struct scree_rng_key zeros = {0, 0, (enum scree_rng_purpose)0, 0};
    assert_words(&zeros, 0, (const uint32_t[]){0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
    const int64_t most = ((int64_t)1 << 44) - 1;
    const struct scree_rng_key ones = {UINT64_MAX, most, (enum scree_rng_purpose)255, most};
    assert_words(&ones, UINT32_MAX,
                 (const uint32_t[]){0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
    /* digits of pi: counter 243f6a88 85a308d3 13198a2e 03707344, key a4093822 299f31d0 */
    const struct scree_rng_key pi = {0x299f31d0a4093822u, 0xa2e243f6a88,
                                     (enum scree_rng_purpose)0x13, 0x19885a308d3};
    assert_words(&pi, 0x03707344,
                 (const uint32_t[]){0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

/* Philox is a bijection of the counter for each seed, so different words for every single bit
 * show that each bit of each field has a place of its own. */
Test(rng, every_bit_of_every_field_counts)
{
    enum { N_KEYS = 1 + 64 + 44 + 44 + 8 + 32 };
    static uint32_t words[N_KEYS][4];
    int n = 0;
    scree_rng_words(&plain, 5, words[n++]);
    for (int bit = 0; bit < 64; ++bit) {
        struct scree_rng_key key = plain;
        key.seed ^= (uint64_t)1 << bit;
        scree_rng_words(&key, 5, words[n++]);
    }
    for (int bit = 0; bit < 44; ++bit) {
        struct scree_rng_key key = plain;
        key.gid ^= (int64_t)1 << bit;
        scree_rng_words(&key, 5, words[n++]);
        key = plain;
        key.step ^= (int64_t)1 << bit;
        scree_rng_words(&key, 5, words[n++]);
    }
    for (int bit = 0; bit < 8; ++bit) {
        struct scree_rng_key key = plain;
        key.purpose = (enum scree_rng_purpose)((unsigned)key.purpose ^ 1u << bit);
        scree_rng_words(&key, 5, words[n++]);
    }
    for (int bit = 0; bit < 32; ++bit) scree_rng_words(&plain, 5u ^ 1u << bit, words[n++]);
    cr_assert_eq(n, N_KEYS);
    for (int a = 0; a < n; ++a)
        for (int b = 0; b < a; ++b) cr_assert(memcmp(words[a], words[b], sizeof words[a]) != 0);
}

Test(rng, no_state)
{
    double first = scree_rng_uniform(&plain, 3);
    scree_rng_uniform(&plain, 4);
    cr_assert(scree_rng_uniform(&plain, 3) == first);
}

Test(rng, uniform_moments)
{
    double sum = 0, sum_sq = 0;
    for (uint32_t i = 0; i < N_DRAWS; ++i) {
        double u = scree_rng_uniform(&plain, i);
        cr_assert(u > 0 && u < 1);
        sum += u - 0.5;
        sum_sq += (u - 0.5) * (u - 0.5);
    }
    /* variances of u and of (u - 1/2)^2: 1/12 and 1/80 - 1/144 = 1/180 */
    cr_assert(fabs(sum / N_DRAWS) < 4 * sqrt(1.0 / 12 / N_DRAWS));
    cr_assert(fabs(sum_sq / N_DRAWS - 1.0 / 12) < 4 * sqrt(1.0 / 180 / N_DRAWS));
}

Test(rng, normal_moments)
{
    double sum = 0, sum_sq = 0, sum_next = 0, last = 0;
    for (int64_t i = 0; i < N_DRAWS; ++i) {
        struct scree_rng_key key = plain;
        key.gid = i;
        double x = scree_rng_normal(&key, 0);
        sum += x;
        sum_sq += x * x;
        sum_next += x * last;
        last = x;
    }
    cr_assert(fabs(sum / N_DRAWS) < 4 / sqrt(N_DRAWS));
    cr_assert(fabs(sum_sq / N_DRAWS - 1) < 4 * sqrt(2.0 / N_DRAWS));
    cr_assert(fabs(sum_next / N_DRAWS) < 4 / sqrt(N_DRAWS)); /* neighbours in gid */
}

Test(rng, out_of_range_key_is_a_bug, .exit_code = SCREE_EXIT_BUG, .init = cr_redirect_stderr)
{
    struct scree_rng_key key = plain;
    key.gid = -1;
    scree_rng_uniform(&key, 0);
}
