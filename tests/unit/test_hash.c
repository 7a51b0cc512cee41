/* SPDX-License-Identifier: BSD-3-Clause
 * Digests: the published value of XXH64, and zeros without a sign. */
#include "scree/hash.h"

#include <math.h>
#include <string.h>

#include "unit.h"

Test(hash, empty_record)
{
    cr_assert_eq(scree_hash_record("", 0), 0xef46db3751d8e999u);
}

Test(hash, known_text)
{
    cr_assert_eq(scree_hash_record("abc", 3), 0x44bc2cf5ad770999u);
}

Test(hash, every_bit_counts)
{
    unsigned char record[40] = {0};
    uint64_t before = scree_hash_record(record, sizeof record);
    for (size_t bit = 0; bit < 8 * sizeof record; ++bit) {
        record[bit / 8] ^= (unsigned char)(1u << bit % 8);
        cr_assert_neq(scree_hash_record(record, sizeof record), before);
        record[bit / 8] ^= (unsigned char)(1u << bit % 8);
    }
    cr_assert_eq(scree_hash_record(record, sizeof record), before);
}

Test(hash, negative_zero_is_cleaned)
{
    volatile double minus_zero = -0.0; /* not known to the compiler */
    const double zero = 0.0;
    double cleaned = scree_hash_clean_zero(minus_zero);
    cr_assert(!signbit(cleaned));
    cr_assert_eq(scree_hash_record(&cleaned, sizeof cleaned),
                 scree_hash_record(&zero, sizeof zero));
}

Test(hash, other_numbers_are_not_cleaned)
{
    const double kept[] = {1.5, -1.5, 0x1p-1074, -0x1p-1074, 1e308, HUGE_VAL, -HUGE_VAL};
    for (size_t k = 0; k < sizeof kept / sizeof *kept; ++k) {
        double cleaned = scree_hash_clean_zero(kept[k]);
        cr_assert(memcmp(&cleaned, &kept[k], sizeof cleaned) == 0);
    }
}
