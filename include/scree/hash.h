/* SPDX-License-Identifier: BSD-3-Clause
 * Order-independent digests: the sum modulo 2^64 of the hashes of all records. */
#ifndef SCREE_HASH_H
#define SCREE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* XXH64 of a record. Records must have no padding bytes and no negative zeros
 * (scree_hash_clean_zero), since equal numbers must have equal bits. */
uint64_t scree_hash_record(const void *record, size_t size);

/* XXH3 of any bytes, as they are: faster, for files that are checked at every save. */
uint64_t scree_hash_bytes(const void *bytes, size_t size);

static inline double scree_hash_clean_zero(double x)
{
    return x + 0.0; /* -0 becomes +0, everything else stays */
}

#endif
