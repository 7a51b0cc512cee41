/* SPDX-License-Identifier: BSD-3-Clause
 * Counter-based random numbers: a pure function of (seed, gid, purpose, step, draw), so that no
 * state must be carried and every rank draws the same number for the same grain. */
#ifndef SCREE_RNG_H
#define SCREE_RNG_H

#include <stdint.h>

#include "scree/types.h"

/* What a draw is for: two purposes never share a number. Append only: the numbers are part of
 * what makes old runs reproducible. */
enum scree_rng_purpose {
    SCREE_RNG_POSITION = 1,
    SCREE_RNG_VELOCITY = 2,
    SCREE_RNG_SPIN = 3,
    SCREE_RNG_RADIUS = 4,
    SCREE_RNG_SWEEP = 5,
    SCREE_RNG_GLUE = 6,
    SCREE_RNG_RETRY = 7
};

/* Different keys never share a number within these ranges; outside them a draw aborts. */
struct scree_rng_key {
    uint64_t seed;                  /* any */
    scree_gid gid;                  /* 0 .. 2^44 - 1 */
    enum scree_rng_purpose purpose; /* 0 .. 255 */
    int64_t step;                   /* 0 .. 2^44 - 1 */
};

/* Four 32-bit words (Philox 4x32-10 of Random123) for draw number `draw`. */
void scree_rng_words(const struct scree_rng_key *key, uint32_t draw, uint32_t words[4]);
double scree_rng_uniform(const struct scree_rng_key *key,
                         uint32_t draw); /* in (0, 1), steps of 2^-52 */
double scree_rng_normal(const struct scree_rng_key *key, uint32_t draw); /* mean 0, variance 1 */

#endif
