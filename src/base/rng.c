/* SPDX-License-Identifier: BSD-3-Clause
 * Counter-based random numbers (Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as
 * 1, 2, 3", SC11, doi:10.1145/2063384.2063405). */
#include "scree/rng.h"

#include <inttypes.h>
#include <math.h>

#include "scree/status.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include <Random123/philox.h>
#pragma GCC diagnostic pop

enum { GID_BITS = 44, STEP_BITS = 44, PURPOSE_BITS = 8 }; /* with the 32 of `draw`: 128 */

/* Philox with one key is a permutation of its 128-bit counters. Seed = key; gid, step, purpose and
 * draw each have their own bits of the counter, so no two draws of a run share one. */
void scree_rng_words(const struct scree_rng_key *key, uint32_t draw, uint32_t words[4])
{
    uint64_t gid = (uint64_t)key->gid, step = (uint64_t)key->step;
    uint32_t purpose = (uint32_t)key->purpose;
    if (gid >> GID_BITS != 0 || step >> STEP_BITS != 0 || purpose >> PURPOSE_BITS != 0)
        SCREE_ABORT("no random numbers for gid %" PRId64 ", step %" PRId64 ", purpose %d", key->gid,
                    key->step, (int)key->purpose);
    uint32_t gid_high = (uint32_t)(gid >> 32), step_high = (uint32_t)(step >> 32);
    philox4x32_ctr_t counter = {
        {(uint32_t)gid, (uint32_t)step, gid_high | step_high << 12 | purpose << 24, draw}};
    philox4x32_key_t philox_key = {{(uint32_t)key->seed, (uint32_t)(key->seed >> 32)}};
    philox4x32_ctr_t random = philox4x32_R(10, counter, philox_key);
    for (int k = 0; k < 4; ++k) words[k] = random.v[k];
}

/* The midpoints of 2^52 equal intervals: never 0 or 1, and exact in a double. */
static double uniform_of(uint32_t high, uint32_t low)
{
    uint64_t index = ((uint64_t)high << 32 | low) >> 12;
    return ((double)index + 0.5) * 0x1p-52;
}

double scree_rng_uniform(const struct scree_rng_key *key, uint32_t draw)
{
    uint32_t words[4];
    scree_rng_words(key, draw, words);
    return uniform_of(words[0], words[1]);
}

/* Box and Muller, Ann. Math. Stat. 29 (1958) 610: one of the pair, so that a draw has no memory. */
double scree_rng_normal(const struct scree_rng_key *key, uint32_t draw)
{
    static const double two_pi = 6.283185307179586;
    uint32_t words[4];
    scree_rng_words(key, draw, words);
    double length = sqrt(-2.0 * log(uniform_of(words[0], words[1])));
    return length * cos(two_pi * uniform_of(words[2], words[3]));
}
