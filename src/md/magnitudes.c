/* SPDX-License-Identifier: BSD-3-Clause
 * Values that are numbers, but leave no room for those computed from them. */
#include <math.h>

#include "md_advise.h"

/* Energies are products of three or four such values, and sums of them count in parts of 2^-100:
 * the range of doubles is 1e-308 to 1e308. */
static const double smallest = 1e-60, largest = 1e60;
/* Steps in a contact: so many are never made, and ways of one step are lost in a position. */
static const double most_steps = 1e12;

static bool fits(double value)
{
    return value >= smallest && value <= largest;
}

struct examination {
    const struct scree_scene *scene;
    const struct scree_prospect *prospect;
    struct scree_input *input;
};

static const struct scree_node *section(const struct examination *x, const char *name)
{
    return scree_node_find(scree_input_root(x->input), name);
}

/* Whether the mass of this collision can be told. */
static bool check_mass(const struct examination *x, int a, int b, const struct scree_law_case *c)
{
    if (fits(c->m_eff) && fits(c->r_eff)) return true;
    scree_input_error(x->input, section(x, "materials"),
                      "grains of '%s' and '%s' have a reduced mass of %.3g kg and a reduced radius "
                      "of %.3g m; expected %g to %g",
                      x->prospect->material[a], x->prospect->material[b], c->m_eff, c->r_eff,
                      smallest, largest);
    return false;
}

static bool check_collision(const struct examination *x, int a, int b,
                            const struct scree_law_case *c)
{
    const char *one = x->prospect->material[a], *other = x->prospect->material[b];
    struct scree_law_estimate e;
    scree_pair_law_estimate(scree_laws_between(x->scene->laws, a, b), c, &e);
    double time = scree_md_half_period(x->scene->inertia_factor, c, &e);
    double force = e.stiffness * c->r_eff, dt = x->prospect->open_step ? time : x->scene->dt;
    if (!fits(force) || !fits(time)) {
        scree_input_error(x->input, section(x, "contacts"),
                          "contacts of '%s' with '%s' have forces of up to %.3g N and half periods "
                          "of %.3g s; expected %g to %g",
                          one, other, force, time, smallest, largest);
        return false;
    }
    if (time > most_steps * dt) {
        scree_input_error(x->input, section(x, "time"),
                          "a 'step' of %g s is too short: contacts of '%s' with '%s' have half "
                          "periods of %.3g s, and nothing would move",
                          dt, one, other, time);
        return false;
    }
    return true;
}

void scree_md_examine(const void *values, const struct scree_scene *scene,
                      const struct scree_prospect *prospect, struct scree_input *input)
{
    const struct examination x = {scene, prospect, input};
    (void)values;
    for (int a = 0; a < prospect->n_materials; a++)
        for (int b = a; b < prospect->n_materials; b++) {
            struct scree_law_case c;
            bool good = scree_laws_between(scene->laws, a, b) != NULL;
            for (int which = 0; which < 2 && good; which++) {
                if (!scree_md_find_collision(prospect, a, b, which, &c)) break;
                good = check_mass(&x, a, b, &c) && check_collision(&x, a, b, &c);
            }
        }
}
