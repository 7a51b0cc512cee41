/* SPDX-License-Identifier: BSD-3-Clause
 * Hash of one record, by the xxHash library. */
#include "scree/hash.h"

#include <xxhash.h>

uint64_t scree_hash_record(const void *record, size_t size)
{
    return XXH64(record, size, 0);
}

uint64_t scree_hash_bytes(const void *bytes, size_t size)
{
    return XXH3_64bits(bytes, size);
}
