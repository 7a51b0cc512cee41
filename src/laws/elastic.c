/* SPDX-License-Identifier: BSD-3-Clause
 * Moduli of a contact from the constants of both partners: what they yield adds up. */
#include "elastic.h"

const char *const scree_elastic_seconds[] = {"elastic", "rigid", NULL};

void scree_elastic_check(struct scree_input *input, const struct scree_node *node,
                         const struct scree_elastic *e)
{
    if (e->second == 1 && (!isnan(e->young_second) || !isnan(e->poisson_second)))
        scree_input_error(input, node,
                          "a rigid second partner has no 'young_second' and 'poisson_second'");
}

static double normal_compliance(double young, double poisson)
{
    return (1.0 - poisson * poisson) / young;
}

static double shear_compliance(double young, double poisson)
{
    return 2.0 * (2.0 - poisson) * (1.0 + poisson) / young;
}

static double modulus_of(const struct scree_elastic *e, double (*compliance)(double, double))
{
    double young = isnan(e->young_second) ? e->young : e->young_second;
    double poisson = isnan(e->poisson_second) ? e->poisson : e->poisson_second;
    double yields = compliance(e->young, e->poisson);
    if (e->second == 0) yields += compliance(young, poisson);
    return 1.0 / yields;
}

double scree_elastic_modulus(const struct scree_elastic *e)
{
    return modulus_of(e, normal_compliance);
}

double scree_elastic_shear_modulus(const struct scree_elastic *e)
{
    return modulus_of(e, shear_compliance);
}
