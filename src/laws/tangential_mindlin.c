/* SPDX-License-Identifier: BSD-3-Clause
 * Friction of Hertzian contacts: the tangential stiffness of Mindlin without slip, 8 G* a with the
 * contact radius a = sqrt(R* overlap), a dashpot in proportion to that of the normal law, and the
 * two Coulomb limits of `spring`. The spring turns with the grains.
 *
 * The energy f^2 / (16 G* a) of a loaded spring changes with the overlap, and the normal force
 * knows nothing of it. As a contact grows, new parts of it carry no shear, so that the force
 * remains; as it shrinks, parts lose the shear they carried, and the force falls with a (Walton and
 * Braun; Thornton, Cummins and Cleary, Powder Technology 233, 30 (2013)). Both lose energy, as they
 * must (Elata and Berryman, Mechanics of Materials 24, 229 (1996)). Other codes keep the
 * displacement, `history: displacement`, or leave the spring alone while grains part, `unloading:
 * keep`; these make energy in some cycles of load. What is lost or made has a channel of its own.
 */
#include <float.h>
#include <math.h>
#include <stddef.h>

#include "elastic.h"
#include "sliding.h"

enum unloading { UNLOADING_RESCALE, UNLOADING_KEEP };
enum history { HISTORY_FORCE, HISTORY_DISPLACEMENT, HISTORY_AUTO };

struct mindlin {
    struct scree_slider slider; /* stiffness 8 G*, rate of the dashpot: set by check() */
    struct scree_elastic elastic;
    double restitution;   /* NAN: no dashpot */
    double damping_ratio; /* of the tangential and the normal dashpot */
    int unloading, history;
};

static const char *const unloadings[] = {"rescale", "keep", NULL};
static const char *const histories[] = {"force", "displacement", "auto", NULL};

#define AT(member) offsetof(struct mindlin, member)
static const struct scree_param params[] = {
    SCREE_ELASTIC_PARAMS(AT(elastic), "", "", "; default: that of the normal law",
                         "that of the normal law"),
    {"restitution", SCREE_PARAM_REAL, "1", 0, 1, "", NULL, AT(restitution),
     "that of the normal law, for the dashpot; default: no dashpot"},
    {"damping_ratio", SCREE_PARAM_REAL, "1", 0, INFINITY, "0.5", NULL, AT(damping_ratio),
     "tangential dashpot over the normal one of that restitution"},
    {"friction", SCREE_PARAM_REAL, "1", 0, INFINITY, NULL, NULL, AT(slider.friction),
     "static friction coefficient mu_s"},
    {"friction_dynamic", SCREE_PARAM_REAL, "1", 0, INFINITY, "", NULL, AT(slider.friction_dynamic),
     "dynamic friction coefficient mu_d, at most mu_s; default: the same"},
    {"unloading", SCREE_PARAM_CHOICE, "", 0, 0, "rescale", unloadings, AT(unloading),
     "rescale or keep force or displacement while the contact radius shrinks"},
    {"history", SCREE_PARAM_CHOICE, "", 0, 0, "auto", histories, AT(history),
     "what stays while the contact radius grows; displacement makes energy, for comparisons; auto: "
     "force, or displacement with 'unloading: keep'"},
    {0},
};

/* The normal dashpot of Tsuji, Tanaka and Ishida is 2 sqrt(5/6) beta sqrt(2 E* a m). */
static double dashpot_root(const struct mindlin *v, double modulus)
{
    if (isnan(v->restitution) || v->restitution == 0.0) return 0.0;
    double pi = acos(-1.0), l = log(v->restitution), beta = -l / sqrt(pi * pi + l * l);
    return v->damping_ratio * 2.0 * sqrt(5.0 / 6.0) * beta * sqrt(2.0 * modulus);
}

/* The values of `hertz` begin with its constants. */
static void adopt(struct scree_input *input, const struct scree_node *node, void *values,
                  const void *hertz)
{
    scree_elastic_adopt(input, node, &((struct mindlin *)values)->elastic, hertz);
}

static void check(struct scree_input *input, const struct scree_node *node, void *values)
{
    struct mindlin *v = values;
    scree_elastic_check(input, node, &v->elastic);
    if (v->restitution == 0.0)
        scree_input_error(input, node,
                          "'restitution' 0 needs infinite damping; give a value above 0");
    scree_slider_check_limits(input, node, &v->slider);
    v->slider.stiffness = 8.0 * scree_elastic_shear_modulus(&v->elastic);
    v->slider.viscous = 0.0;
    if (v->history == HISTORY_AUTO)
        v->history = v->unloading == UNLOADING_KEEP ? HISTORY_DISPLACEMENT : HISTORY_FORCE;
    v->slider.rate = dashpot_root(v, scree_elastic_modulus(&v->elastic));
}

/* Besides what all sliders keep: the contact radius. */
static int radius_slot(const struct mindlin *v, struct scree_slots at)
{
    return at.even + (scree_slider_has_two_limits(&v->slider) ? 1 : 0);
}

static void shape(const void *values, struct scree_law_shape *shape)
{
    scree_slider_shape(&((const struct mindlin *)values)->slider, shape);
    shape->n_even += 1;
    shape->losses |= 1u << SCREE_LOSS_STIFFNESS;
    shape->needs |= SCREE_NEEDS_TWIRL | SCREE_NEEDS_TURN | SCREE_NEEDS_THEN_ALWAYS;
}

static void apply(struct scree_batch *restrict b, const void *values, struct scree_slots at)
{
    const struct mindlin *v = values;
    struct scree_sliding_history history = scree_slider_history(b, at);
    history.radius = b->history[radius_slot(v, at)];
    bool rescale = v->unloading == UNLOADING_RESCALE, force = v->history == HISTORY_FORCE;
    struct scree_sliding is = {.turns = true, .hertzian = true};
    struct scree_sliding shrinks = is, of_force = is, both = is;
    shrinks.shrinks = both.shrinks = of_force.of_force = both.of_force = true;
    if (force && rescale)
        scree_slide_any(b, &v->slider, history, both);
    else if (force)
        scree_slide_any(b, &v->slider, history, of_force);
    else if (rescale)
        scree_slide_any(b, &v->slider, history, shrinks);
    else
        scree_slide_any(b, &v->slider, history, is);
}

/* N/m; at the last evaluation. */
static void find_stiffnesses(const struct scree_batch *b, const struct mindlin *v,
                             struct scree_slots at, double *stiffness)
{
    const double *radius = b->history[radius_slot(v, at)];
    for (int k = 0; k < scree_batch_n(b); k++) stiffness[k] = v->slider.stiffness * radius[k];
}

static void inspect(const struct scree_batch *b, const void *values, struct scree_slots at,
                    struct scree_law_view *view)
{
    double stiffness[SCREE_BATCH];
    find_stiffnesses(b, values, at, stiffness);
    scree_slider_inspect_springs(b, stiffness, at, view);
}

static void release(struct scree_batch *b, const void *values, struct scree_slots at)
{
    const struct mindlin *v = values;
    double stiffness[SCREE_BATCH];
    find_stiffnesses(b, v, at, stiffness);
    scree_slider_release_springs(b, &v->slider, stiffness, at);
}

/* At an overlap of r_eff the contact radius is r_eff. */
static void estimate(const void *values, const struct scree_law_case *c,
                     struct scree_law_estimate *e)
{
    const struct scree_slider *v = &((const struct mindlin *)values)->slider;
    e->stiffness = fmax(e->stiffness, v->stiffness * c->r_eff);
    e->tangential_slope = v->stiffness * sqrt(c->r_eff * e->deepest);
    e->damping = fmax(e->damping, v->rate * sqrt(c->r_eff * c->m_eff));
}

static double friction(const void *values)
{
    return scree_slider_friction(&((const struct mindlin *)values)->slider);
}

static void set_friction(void *values, double coefficient)
{
    scree_slider_set_friction(&((struct mindlin *)values)->slider, coefficient);
}

const struct scree_law scree_law_tangential_mindlin = {
    .name = "mindlin",
    .summary = "friction of Hertzian contacts: stiffness after Mindlin, follows the contact radius",
    .kind = SCREE_LAW_TANGENTIAL,
    .needs_normal = "hertz",
    .params = params,
    .adopt = adopt,
    .check = check,
    .shape = shape,
    .apply = apply,
    .inspect = inspect,
    .release = release,
    .estimate = estimate,
    .friction = friction,
    .set_friction = set_friction,
};
