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
    int second; /* 1: the second partner is rigid; -1: not said */
};

/* Rows for the table of a law whose values hold a struct scree_elastic at offset `at`; `needed` and
 * `second_is` are fallbacks of what must be known, `of_first` and `of_second` end the help. A
 * Poisson's ratio of -1 would be rigid. */
extern const char *const scree_elastic_seconds[];
#define SCREE_ELASTIC_AT(at, member) ((at) + offsetof(struct scree_elastic, member))
#define SCREE_ELASTIC_PARAMS(at, needed, second_is, of_first, of_second)          \
    {"young",                                                                     \
     SCREE_PARAM_REAL,                                                            \
     "Pa",                                                                        \
     DBL_MIN,                                                                     \
     INFINITY,                                                                    \
     needed,                                                                      \
     NULL,                                                                        \
     SCREE_ELASTIC_AT(at, young),                                                 \
     "Young's modulus of the first material" of_first},                           \
        {"poisson",                                                               \
         SCREE_PARAM_REAL,                                                        \
         "1",                                                                     \
         -0.999,                                                                  \
         0.5,                                                                     \
         needed,                                                                  \
         NULL,                                                                    \
         SCREE_ELASTIC_AT(at, poisson),                                           \
         "Poisson's ratio, likewise"},                                            \
        {"young_second",                                                          \
         SCREE_PARAM_REAL,                                                        \
         "Pa",                                                                    \
         DBL_MIN,                                                                 \
         INFINITY,                                                                \
         "",                                                                      \
         NULL,                                                                    \
         SCREE_ELASTIC_AT(at, young_second),                                      \
         "Young's modulus of the second material; default: " of_second},          \
        {"poisson_second",                                                        \
         SCREE_PARAM_REAL,                                                        \
         "1",                                                                     \
         -0.999,                                                                  \
         0.5,                                                                     \
         "",                                                                      \
         NULL,                                                                    \
         SCREE_ELASTIC_AT(at, poisson_second),                                    \
         "Poisson's ratio of the second material; default: " of_second},          \
    {                                                                             \
        "second", SCREE_PARAM_CHOICE, "", 0, 0, second_is, scree_elastic_seconds, \
            SCREE_ELASTIC_AT(at, second),                                         \
            "elastic or rigid: whether the second material yields as well"        \
    }

/* Fills in what a law does not say from the constants of the normal law, which must have been read;
 * refuses what differs: the two partners have one set of constants. */
void scree_elastic_adopt(struct scree_input *input, const struct scree_node *node,
                         struct scree_elastic *elastic, const struct scree_elastic *normal);
/* Refuses constants for a rigid partner. */
void scree_elastic_check(struct scree_input *input, const struct scree_node *node,
                         const struct scree_elastic *elastic);
/* Pa; E* of normal loads, G* of tangential ones (Mindlin, without slip). */
double scree_elastic_modulus(const struct scree_elastic *elastic);
double scree_elastic_shear_modulus(const struct scree_elastic *elastic);

#endif
