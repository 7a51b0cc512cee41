/* SPDX-License-Identifier: BSD-3-Clause
 * The elastic constants of two partners, as keys of the laws that follow from them. Private to
 * laws. */
#ifndef SCREE_LAWS_ELASTIC_H
#define SCREE_LAWS_ELASTIC_H

#include <float.h>
#include <math.h>
#include <stddef.h>

#include "scree/laws.h"

struct scree_elastic {
    double young, young_second; /* Pa; second NAN: the same */
    double poisson, poisson_second;
    int second; /* 1: the second partner is rigid */
};

/* Rows for the table of a law whose values hold a struct scree_elastic at offset `at`. A Poisson's
 * ratio of -1 would be rigid. */
extern const char *const scree_elastic_seconds[];
#define SCREE_ELASTIC_AT(at, member) ((at) + offsetof(struct scree_elastic, member))
#define SCREE_ELASTIC_PARAMS(at)                                                            \
    {"young",                                                                               \
     SCREE_PARAM_REAL,                                                                      \
     "Pa",                                                                                  \
     DBL_MIN,                                                                               \
     INFINITY,                                                                              \
     NULL,                                                                                  \
     NULL,                                                                                  \
     SCREE_ELASTIC_AT(at, young),                                                           \
     "Young's modulus of the first material, and of the second if it has none of its own"}, \
        {"poisson",                                                                         \
         SCREE_PARAM_REAL,                                                                  \
         "1",                                                                               \
         -0.999,                                                                            \
         0.5,                                                                               \
         NULL,                                                                              \
         NULL,                                                                              \
         SCREE_ELASTIC_AT(at, poisson),                                                     \
         "Poisson's ratio, likewise"},                                                      \
        {"young_second",                                                                    \
         SCREE_PARAM_REAL,                                                                  \
         "Pa",                                                                              \
         DBL_MIN,                                                                           \
         INFINITY,                                                                          \
         "",                                                                                \
         NULL,                                                                              \
         SCREE_ELASTIC_AT(at, young_second),                                                \
         "Young's modulus of the second material; default: the same"},                      \
        {"poisson_second",                                                                  \
         SCREE_PARAM_REAL,                                                                  \
         "1",                                                                               \
         -0.999,                                                                            \
         0.5,                                                                               \
         "",                                                                                \
         NULL,                                                                              \
         SCREE_ELASTIC_AT(at, poisson_second),                                              \
         "Poisson's ratio of the second material; default: the same"},                      \
    {                                                                                       \
        "second", SCREE_PARAM_CHOICE, "", 0, 0, "elastic", scree_elastic_seconds,           \
            SCREE_ELASTIC_AT(at, second),                                                   \
            "elastic or rigid: whether the second material yields as well"                  \
    }

/* Refuses constants for a rigid partner. */
void scree_elastic_check(struct scree_input *input, const struct scree_node *node,
                         const struct scree_elastic *elastic);
/* Pa; E* of normal loads, G* of tangential ones (Mindlin, without slip). */
double scree_elastic_modulus(const struct scree_elastic *elastic);
double scree_elastic_shear_modulus(const struct scree_elastic *elastic);

#endif
