/* SPDX-License-Identifier: BSD-3-Clause
 * Linear spring and slider that is exact within a step for uniform movements (Kuhn, Suzuki,
 * Daouadji): first touch and the onset of slip inside a step, the force that turns while it slips,
 * and a spring that turns with the grains. One friction coefficient, as in the paper: a limit that
 * jumps at the onset would have no place in it. A dashpot adds to the force of contacts that stick.
 */
#include "kuhn.h"

#include <float.h>
#include <math.h>
#include <stddef.h>

#include "losses.h"
#include "slider.h"

#define AT(member) offsetof(struct scree_slider, member)
static const struct scree_param params[] = {
    {"stiffness", SCREE_PARAM_REAL, "N/m", DBL_MIN, INFINITY, NULL, NULL, AT(stiffness),
     "tangential spring constant kt"},
    {"damping", SCREE_PARAM_REAL, "kg/s", 0, INFINITY, "", NULL, AT(damping),
     "tangential dashpot constant gamma_t, of contacts that stick"},
    {"damping_rate", SCREE_PARAM_REAL, "1/s", 0, INFINITY, "", NULL, AT(damping_rate),
     "instead of damping: gamma_t = reduced mass * rate"},
    {"friction", SCREE_PARAM_REAL, "1", 0, INFINITY, NULL, NULL, AT(friction),
     "friction coefficient mu"},
    {0},
};

static void check(struct scree_input *input, const struct scree_node *node, void *values)
{
    ((struct scree_slider *)values)->friction_dynamic = NAN;
    scree_slider_check(input, node, values);
}

/* Besides the spring: the normal load at the last evaluation. */
static void shape(const void *values, struct scree_law_shape *shape)
{
    scree_slider_shape(values, shape);
    shape->n_even += 1;
    shape->needs |=
        SCREE_NEEDS_TWIRL | SCREE_NEEDS_TURN | SCREE_NEEDS_THEN_ALWAYS | SCREE_NEEDS_THEN_EACH;
}

/* What the second pass needs of contacts that slip. */
struct slipping {
    double moved[3][SCREE_BATCH], carried[3][SCREE_BATCH]; /* m; movement and old spring, turned */
    double limit[2][SCREE_BATCH];                          /* m; before and now */
    double slips[SCREE_BATCH];
};

/* All contacts as if none slipped. `spring` gets the new springs; the loss is that of the turn. */
static void stretch(struct scree_batch *restrict b, const struct scree_slider *restrict values,
                    double (*restrict spring)[SCREE_BATCH], double *restrict load,
                    struct slipping *restrict out)
{
    const struct scree_slider v = *values;
    double *restrict hx = spring[0], *restrict hy = spring[1], *restrict hz = spring[2];
    double *restrict lost = b->loss[SCREE_LOSS_SLIDING];
    const struct scree_turns turns = scree_turns_of(b);
    const double mu = v.friction / v.stiffness;
    for (int k = 0; k < scree_batch_n(b); k++) {
        struct scree_triple vt = {b->vtx[k], b->vty[k], b->vtz[k]}, h = {hx[k], hy[k], hz[k]};
        struct scree_triple d = scree_times(b->advance[k], vt), old = scree_carried(b, k, h);
        struct scree_triple moved = scree_carried_half(b, k, scree_way(b, k)),
                            s = scree_plus(old, 1.0, moved);
        double now = fabs(b->grip[k]) / b->shear[k];
        out->limit[0][k] = mu * load[k];
        out->limit[1][k] = mu * now;
        out->slips[k] = scree_dot(s, s) > (mu * now) * (mu * now) ? 1.0 : 0.0;
        out->moved[0][k] = moved.x, out->moved[1][k] = moved.y, out->moved[2][k] = moved.z;
        out->carried[0][k] = old.x, out->carried[1][k] = old.y, out->carried[2][k] = old.z;
        lost[k] = scree_turning_loss(b, k, h, v.stiffness, turns, true) +
                  0.5 * v.stiffness * scree_product(s, scree_plus(d, -1.0, s));
        load[k] = now;
        hx[k] = s.x;
        hy[k] = s.y;
        hz[k] = s.z;
    }
}

/* Contact k of `in` at the end of a step in which it slips. */
SCREE_SPECIALISED struct scree_triple end_of_slip(const struct slipping *in, int k)
{
    struct scree_kuhn_step step = {
        .spring = {in->carried[0][k], in->carried[1][k], in->carried[2][k]},
        .movement = {in->moved[0][k], in->moved[1][k], in->moved[2][k]},
        .limit = {in->limit[0][k], in->limit[1][k]},
    };
    return scree_kuhn_slip(step).spring;
}

/* m^2; what a slip loses, per half a spring constant, beyond what stretch() has booked for the
 * spring `free` of a contact that sticks. This is what the scheme takes; the work along the path
 * within the step (52-53) differs from it by the corner at the onset of slip. */
SCREE_SPECIALISED double lost_by_slip(const struct scree_batch *b, int k, struct scree_triple free,
                                      struct scree_triple s)
{
    struct scree_triple vt = {b->vtx[k], b->vty[k], b->vtz[k]};
    struct scree_triple less = scree_plus(s, -1.0, free), sum = scree_plus(s, 1.0, free);
    return scree_dot(less, scree_plus(scree_times(b->advance[k], vt), -1.0, sum));
}

/* The contacts that do slip, brought together from `in`. */
static int collect(const struct slipping *restrict in, int n, int *restrict place,
                   struct slipping *restrict out)
{
    int n_slipping = 0;
    for (int k = 0; k < n; k++) {
        place[n_slipping] = k;
        n_slipping += in->slips[k] != 0.0;
    }
    for (int m = 0; m < n_slipping && 2 * n_slipping < n; m++) {
        int k = place[m];
        for (int c = 0; c < 3; c++) {
            out->moved[c][m] = in->moved[c][k];
            out->carried[c][m] = in->carried[c][k];
        }
        for (int c = 0; c < 2; c++) out->limit[c][m] = in->limit[c][k];
    }
    return n_slipping;
}

static void find_ends(struct slipping *restrict in, int n, double (*restrict end)[SCREE_BATCH])
{
    double *restrict x = end[0], *restrict y = end[1], *restrict z = end[2];
    for (int k = 0; k < n; k++) {
        struct scree_triple s = end_of_slip(in, k);
        x[k] = s.x;
        y[k] = s.y;
        z[k] = s.z;
    }
}

/* A few contacts. */
static void slip_some(struct scree_batch *b, double stiffness, double (*spring)[SCREE_BATCH],
                      struct slipping *few, const int *place, int n)
{
    double end[3][SCREE_BATCH];
    find_ends(few, n, end);
    for (int m = 0; m < n; m++) {
        int k = place[m];
        struct scree_triple s = {end[0][m], end[1][m], end[2][m]};
        struct scree_triple free = {spring[0][k], spring[1][k], spring[2][k]};
        b->loss[SCREE_LOSS_SLIDING][k] += 0.5 * stiffness * lost_by_slip(b, k, free, s);
        spring[0][k] = s.x, spring[1][k] = s.y, spring[2][k] = s.z;
    }
}

/* Most contacts: as if all did, which is faster than to bring them together. */
static void slip_most(struct scree_batch *restrict b, double stiffness,
                      double (*restrict spring)[SCREE_BATCH], struct slipping *restrict all)
{
    double *restrict x = spring[0], *restrict y = spring[1], *restrict z = spring[2];
    double *restrict lost = b->loss[SCREE_LOSS_SLIDING], end[3][SCREE_BATCH];
    find_ends(all, b->n, end);
    for (int k = 0; k < scree_batch_n(b); k++) {
        struct scree_triple s = {end[0][k], end[1][k], end[2][k]}, free = {x[k], y[k], z[k]};
        double loss = 0.5 * stiffness * lost_by_slip(b, k, free, s);
        bool slips = all->slips[k] != 0.0;
        x[k] = slips ? s.x : free.x;
        y[k] = slips ? s.y : free.y;
        z[k] = slips ? s.z : free.z;
        lost[k] += slips ? loss : 0.0;
    }
}

static void slip(struct scree_batch *b, double stiffness, double (*spring)[SCREE_BATCH],
                 struct slipping *all)
{
    int place[SCREE_BATCH];
    struct slipping few;
    int n = collect(all, b->n, place, &few);
    if (2 * n < b->n)
        slip_some(b, stiffness, spring, &few, place, n);
    else
        slip_most(b, stiffness, spring, all);
}

static void spring_force(struct scree_batch *restrict b, double stiffness,
                         double (*restrict spring)[SCREE_BATCH])
{
    for (int k = 0; k < scree_batch_n(b); k++) {
        double kt = b->shear[k] * stiffness;
        b->ftx[k] = -kt * spring[0][k];
        b->fty[k] = -kt * spring[1][k];
        b->ftz[k] = -kt * spring[2][k];
    }
}

/* Spring and dashpot of contacts that stick, together cut to the limit. */
static void add_dashpot(struct scree_batch *restrict b, const struct scree_slider *restrict values,
                        const double *restrict slips, double (*restrict held)[SCREE_BATCH])
{
    const struct scree_slider v = *values;
    double drag[3][SCREE_BATCH], none[SCREE_BATCH];
    const double *ux = b->mean ? b->now_x : b->vtx, *uy = b->mean ? b->now_y : b->vty;
    const double *uz = b->mean ? b->now_z : b->vtz;
    for (int k = 0; k < scree_batch_n(b); k++) {
        double gamma = slips[k] == 0.0 ? v.viscous + v.rate * b->m_eff[k] : 0.0;
        double share = b->now[k] + b->later[k], limit = v.friction * fabs(b->grip[k]);
        struct scree_triple spring = {b->ftx[k], b->fty[k], b->ftz[k]};
        struct scree_triple u = {ux[k], uy[k], uz[k]};
        struct scree_triple f = scree_plus(spring, -share * gamma, u);
        double size = sqrt(scree_dot(f, f)), scale = size > limit ? limit / size : 1.0;
        f = scree_times(slips[k] == 0.0 ? scale : 1.0, f);
        struct scree_triple rest = scree_times(1.0 / share, scree_plus(spring, -1.0, f));
        none[k] = 0.0;
        drag[0][k] = rest.x, drag[1][k] = rest.y, drag[2][k] = rest.z;
        b->ftx[k] = f.x, b->fty[k] = f.y, b->ftz[k] = f.z;
    }
    scree_dashpot_book(b, (const double(*)[SCREE_BATCH])drag, held, none);
}

static void apply(struct scree_batch *restrict b, const void *values, struct scree_slots at)
{
    const struct scree_slider *v = values;
    double(*spring)[SCREE_BATCH] = b->history + at.odd + SCREE_SLIDER_SPRING;
    struct slipping slipping;
    stretch(b, v, spring, b->history[at.even], &slipping);
    slip(b, v->stiffness, spring, &slipping);
    spring_force(b, v->stiffness, spring);
    if (scree_slider_is_damped(v))
        add_dashpot(b, v, slipping.slips, b->history + at.odd + SCREE_SLIDER_HELD);
    if (!b->partial) return;
    double stiffness[SCREE_BATCH], *load = b->history[at.even];
    for (int k = 0; k < scree_batch_n(b); k++) {
        stiffness[k] = v->stiffness;
        load[k] = b->later[k] == 0.0 ? fabs(b->grip[k]) : load[k];
    }
    scree_slider_close_or_open(b, stiffness, spring);
}

const struct scree_law scree_law_tangential_kuhn = {
    .name = "kuhn",
    .summary = "spring and slider, exact within a step; the spring turns with the grains",
    .kind = SCREE_LAW_TANGENTIAL,
    .params = params,
    .check = check,
    .shape = shape,
    .apply = apply,
    .inspect = scree_slider_inspect,
    .release = scree_slider_release,
    .estimate = scree_slider_estimate,
    .friction = scree_slider_friction,
    .set_friction = scree_slider_set_friction,
};
