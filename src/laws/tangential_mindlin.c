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
#include <stddef.h>

#include "collision.h"
#include "elastic.h"
#include "slider.h"

enum unloading { UNLOADING_RESCALE, UNLOADING_KEEP };
enum history { HISTORY_FORCE, HISTORY_DISPLACEMENT, HISTORY_AUTO };

struct mindlin {
    struct scree_slider slider; /* first; stiffness 8 G*, rate of the dashpot: set by check() */
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
    {"damping_ratio", SCREE_PARAM_REAL, "1", 0, 1e60, "0.5", NULL, AT(damping_ratio),
     "tangential dashpot over the normal one of that restitution"},
    {"friction", SCREE_PARAM_REAL, "1", 0, 1e6, NULL, NULL, AT(slider.friction),
     "static friction coefficient mu_s"},
    {"friction_dynamic", SCREE_PARAM_REAL, "1", 0, 1e6, "", NULL, AT(slider.friction_dynamic),
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
    bool damped = scree_collision_check_restitution(input, node, v->restitution);
    scree_slider_check_limits(input, node, &v->slider);
    v->slider.stiffness = 8.0 * scree_elastic_shear_modulus(&v->elastic);
    v->slider.viscous = 0.0;
    if (v->history == HISTORY_AUTO)
        v->history = v->unloading == UNLOADING_KEEP ? HISTORY_DISPLACEMENT : HISTORY_FORCE;
    v->slider.rate = damped ? dashpot_root(v, scree_elastic_modulus(&v->elastic)) : 0.0;
}

/* Even history: the contact radius (m); then, if there are two limits, whether the contact slides.
 */
enum { RADIUS, SLIDES };

static void shape(const void *values, struct scree_law_shape *shape)
{
    scree_slider_shape(&((const struct mindlin *)values)->slider, shape);
    shape->n_even += 1;
    shape->losses |= 1u << SCREE_LOSS_STIFFNESS;
    shape->needs |= SCREE_NEEDS_TURN;
}

/* What remains of a spring, new length / old one, as the contact radius goes from `before` to a. */
SCREE_SPECIALISED double kept_of(double before, double a, const bool force, const bool rescale)
{
    double ratio = force ? before / a : a / (before > 0.0 ? before : a);
    bool changes = force ? a > before || !rescale : a < before && rescale;
    return changes ? ratio : 1.0;
}

SCREE_SPECIALISED void slide(struct scree_batch *restrict b,
                             const struct scree_slider *restrict values, struct scree_slots at,
                             const bool two_limits, const bool force, const bool rescale)
{
    const struct scree_slider v = *values;
    double(*restrict spring)[SCREE_BATCH] = b->history + at.odd;
    double *restrict radius = b->history[at.even + RADIUS];
    double *restrict slides = b->history[at.even + SLIDES];
    double *restrict lost = b->loss[SCREE_LOSS_SLIDING];
    double *restrict damping = b->loss[SCREE_LOSS_TANGENTIAL];
    double *restrict changed = b->loss[SCREE_LOSS_STIFFNESS];
    double reduced[SCREE_BATCH];
    scree_batch_find_radii(b, reduced);
    SCREE_IVDEP
    for (int k = 0; k < scree_batch_n(b); k++) {
        struct scree_triple way = SCREE_TRIPLE(b->way, k)
        , u = SCREE_TRIPLE(b->vt, k);
        struct scree_triple h = SCREE_TRIPLE(spring, k);
        double a = sqrt(reduced[k] * b->overlap[k]), before = radius[k];
        double kt = v.stiffness * a, gamma = v.rate * sqrt(a * b->m_eff[k]);
        double kept = kept_of(before, a, force, rescale);
        struct scree_triple test = scree_drawn(b, k, scree_times(kept, h), way);
        struct scree_triple f = scree_plus(scree_times(-kt, test), -gamma, u);
        struct scree_slip slip =
            scree_slider_test(&v, b->friction_load[k], two_limits ? slides[k] : 0.0, f);
        f = scree_times(slip.scale, f);
        /* Spring and dashpot together make the limit. */
        struct scree_triple s = scree_times(-1.0 / kt, scree_plus(f, gamma, u));
        s = scree_select(slip.slips, s, test);
        double viscous = gamma * (scree_dot(u, u) * b->dt);
        double slipped = scree_slider_lost(kt, test, s, way);
        /* The mean force of the step times its way, less what the spring took up and slip lost. */
        double old = v.stiffness * before * scree_dot(h, scree_plus(h, 1.0, way));
        double now = kt * scree_dot(s, scree_plus(s, -1.0, way));
        changed[k] = b->dt > 0.0 ? 0.5 * (old - now) - slipped : 0.0;
        lost[k] = slipped + (slip.slips ? viscous : 0.0);
        damping[k] = slip.slips ? 0.0 : viscous;
        radius[k] = a;
        if (two_limits) slides[k] = slip.slips ? 1.0 : 0.0;
        scree_triple_store(spring, k, s);
        scree_triple_store(b->ft, k, f);
    }
}

static void apply(struct scree_batch *restrict b, const void *values, struct scree_slots at)
{
    const struct mindlin *v = values;
    const bool rescale = v->unloading == UNLOADING_RESCALE, force = v->history == HISTORY_FORCE;
    if (scree_slider_has_two_limits(&v->slider))
        SCREE_CALL_SPECIALISED(slide, force, rescale, b, &v->slider, at, true);
    else
        SCREE_CALL_SPECIALISED(slide, force, rescale, b, &v->slider, at, false);
}

static void inspect(const struct scree_batch *b, const void *values, struct scree_slots at,
                    struct scree_law_view *view)
{
    const struct mindlin *v = values;
    for (int k = 0; k < scree_batch_n(b); k++) {
        struct scree_triple s = SCREE_TRIPLE(b->history + at.odd, k);
        double kt = v->slider.stiffness * b->history[at.even + RADIUS][k];
        view->energy[k] = 0.5 * kt * scree_dot(s, s);
        view->stiffness[k] = kt;
        view->power[k] = scree_slider_power(b, k, kt, s);
    }
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
    .estimate = estimate,
    .friction = scree_slider_friction,
    .set_friction = scree_slider_set_friction,
};
