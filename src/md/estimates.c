/* SPDX-License-Identifier: BSD-3-Clause
 * How long contacts last, estimated from the grains there are and will be. */
#include <math.h>

#include "md_advise.h"

bool scree_md_find_collision(const struct scree_prospect *prospect, int a, int b, int which,
                             struct scree_law_case *c)
{
    const struct scree_material_range *x = &prospect->range[a], *y = &prospect->range[b];
    if (x->n_mobile == 0) { /* let x be the one that moves */
        const struct scree_material_range *other = x;
        x = y;
        y = other;
    }
    if (x->n_mobile == 0 || (y->n == 0 && !y->wall)) return false;
    *c = (struct scree_law_case){x->mass[which], x->radius[which], prospect->speed};
    if (y->n > 0) {
        double r = y->radius[which];
        if (y->n_mobile > 0)
            c->m_eff = x->mass[which] * y->mass[which] / (x->mass[which] + y->mass[which]);
        c->r_eff = x->radius[which] * r / (x->radius[which] + r);
    }
    return true;
}

double scree_md_contact_time(const struct scree_law_case *c, const struct scree_law_estimate *e)
{
    if (e->contact_time < INFINITY) return e->contact_time;
    return acos(-1.0) * sqrt(c->m_eff / e->stiffness);
}

/* A tangential force also turns the grains: it moves the contact point more easily. */
double scree_md_half_period(double inertia_factor, const struct scree_law_case *c,
                            const struct scree_law_estimate *e)
{
    double tangential_mobility = 1.0 + 1.0 / inertia_factor;
    double slope = fmax(e->normal_slope, tangential_mobility * e->tangential_slope);
    return acos(-1.0) * sqrt(c->m_eff / slope);
}

double scree_md_shortest_contact(const struct scree_scene *scene,
                                 const struct scree_prospect *prospect)
{
    double shortest = INFINITY;
    for (int a = 0; a < prospect->n_materials; a++)
        for (int b = a; b < prospect->n_materials; b++) {
            const struct scree_pair_law *pair = scree_laws_between(scene->laws, a, b);
            struct scree_law_case c;
            struct scree_law_estimate e;
            if (pair == NULL || !scree_md_find_collision(prospect, a, b, 0, &c)) continue;
            scree_pair_law_estimate(pair, &c, &e);
            shortest = fmin(shortest, scree_md_contact_time(&c, &e));
            shortest = fmin(shortest, scree_md_half_period(scene->inertia_factor, &c, &e));
        }
    return shortest;
}

/* contact_steps and a tenth more to the shortest contact time, rounded down to two digits. */
double scree_md_choose_step(const void *values, const struct scree_scene *scene,
                            const struct scree_prospect *prospect)
{
    const struct scree_md_values *v = values;
    struct scree_prospect impacts = *prospect;
    impacts.speed = v->speed;
    double shortest = scree_md_shortest_contact(scene, &impacts);
    if (!(shortest < INFINITY)) return INFINITY;
    double step = shortest / (1.1 * fmax(v->contact_steps, 1.0));
    double digit = pow(10.0, floor(log10(step)) - 1.0);
    return floor(step / digit) * digit;
}
