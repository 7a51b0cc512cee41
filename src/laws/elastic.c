/* SPDX-License-Identifier: BSD-3-Clause
 * Moduli of a contact from the constants of both partners: what they yield adds up. */
#include "elastic.h"

const char *const scree_elastic_seconds[] = {"elastic", "rigid", NULL};

static void adopt_real(struct scree_input *input, const struct scree_node *node, const char *key,
                       const char *unit, double *own, double normal)
{
    if (!isnan(*own) && !isnan(normal) && *own != normal)
        scree_input_error(input, scree_node_find(node, key),
                          "'%s' is %g%s here and %g%s in the normal law; give it there only", key,
                          *own, unit, normal, unit);
    if (isnan(*own)) *own = normal;
}

void scree_elastic_adopt(struct scree_input *input, const struct scree_node *node,
                         struct scree_elastic *e, const struct scree_elastic *normal)
{
    struct scree_elastic n = *normal;
    if (n.second == 0) {
        if (isnan(n.young_second)) n.young_second = n.young;
        if (isnan(n.poisson_second)) n.poisson_second = n.poisson;
    }
    if (e->second >= 0 && e->second != n.second)
        scree_input_error(input, scree_node_find(node, "second"),
                          "'second' is %s here and %s in the normal law; give it there only",
                          scree_elastic_seconds[e->second], scree_elastic_seconds[n.second]);
    e->second = n.second;
    adopt_real(input, node, "young", " Pa", &e->young, n.young);
    adopt_real(input, node, "poisson", "", &e->poisson, n.poisson);
    adopt_real(input, node, "young_second", " Pa", &e->young_second, n.young_second);
    adopt_real(input, node, "poisson_second", "", &e->poisson_second, n.poisson_second);
}

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
