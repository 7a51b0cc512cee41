/* SPDX-License-Identifier: BSD-3-Clause
 * What every unit test includes: Criterion, whose macros our warning flags do not like. No pop at
 * the end, since the macros expand in the test files. */
#ifndef SCREE_TESTS_UNIT_H
#define SCREE_TESTS_UNIT_H

#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include <criterion/criterion.h>
#include <criterion/redirect.h>

#endif
