/* SPDX-License-Identifier: BSD-3-Clause
 * Position along a 3D Hilbert curve: near in index means near in space.
 * J. Skilling, "Programming the Hilbert curve", AIP Conf. Proc. 707 (2004) 381: coordinates are
 * turned into the transposed index by undoing excess rotations from the top bit down and Gray
 * encoding the rest. */
#include "scree/partition.h"

static void transpose_index(int bits, uint32_t x[3])
{
    const uint32_t top = (uint32_t)1 << (bits - 1);
    for (uint32_t q = top; q > 1; q >>= 1) {
        uint32_t below = q - 1;
        for (int k = 0; k < 3; k++) {
            uint32_t differ = (x[0] ^ x[k]) & below;
            if (x[k] & q) {
                x[0] ^= below;
            } else {
                x[0] ^= differ;
                x[k] ^= differ;
            }
        }
    }
    x[1] ^= x[0];
    x[2] ^= x[1];
    uint32_t flip = 0;
    for (uint32_t q = top; q > 1; q >>= 1)
        if (x[2] & q) flip ^= q - 1;
    for (int k = 0; k < 3; k++) x[k] ^= flip;
}

uint64_t scree_hilbert_index(int bits, uint32_t x, uint32_t y, uint32_t z)
{
    SCREE_ASSERT(bits >= 0 && bits <= 21);
    if (bits == 0) return 0;
    uint32_t c[3] = {x, y, z};
    transpose_index(bits, c);
    uint64_t index = 0;
    for (int b = bits - 1; b >= 0; b--)
        for (int k = 0; k < 3; k++) index = index << 1 | (c[k] >> b & 1);
    return index;
}
