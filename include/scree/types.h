/* SPDX-License-Identifier: BSD-3-Clause
 * The two ways to name a grain, and small fixed sizes shared by all modules. */
#ifndef SCREE_TYPES_H
#define SCREE_TYPES_H

#include <stdint.h>

typedef int32_t scree_lid; /* slot on this rank; dies at the next sort or migration */
typedef int64_t scree_gid; /* identity for life, the same on every rank */

enum { SCREE_ALIGNMENT = 64 }; /* bytes; one cache line, one 512-bit vector */

#endif
