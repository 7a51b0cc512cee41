/* SPDX-License-Identifier: BSD-3-Clause
 * Linear spring and slider that is exact within a step for uniform movements (Kuhn, Suzuki,
 * Daouadji): first touch and the onset of slip inside a step, the force that turns while it slips,
 * and a spring that turns with the grains. One friction coefficient, as in the paper: a limit that
 * jumps at the onset would have no place in it. A dashpot adds to the force of contacts that stick.
 */
#include "kuhn.h"

#include <stddef.h>
#include <string.h>

#include "slider.h"

#define AT(member) offsetof(struct scree_slider, member)
static const struct scree_param params[] = {
    {"stiffness", SCREE_PARAM_REAL, "N/m", DBL_MIN, INFINITY, NULL, NULL, AT(stiffness),
     "tangential spring constant kt"},
    {"damping", SCREE_PARAM_REAL, "kg/s", 0, 1e60, "", NULL, AT(damping),
     "tangential dashpot constant gamma_t, of contacts that stick"},
    {"damping_rate", SCREE_PARAM_REAL, "1/s", 0, 1e60, "", NULL, AT(damping_rate),
     "instead of damping: gamma_t = reduced mass * rate"},
    {"friction", SCREE_PARAM_REAL, "1", 0, 1e6, NULL, NULL, AT(friction),
     "friction coefficient mu"},
    {0},
};

static void check(struct scree_input *input, const struct scree_node *node, void *values)
{
    ((struct scree_slider *)values)->friction_dynamic = NAN;
    scree_slider_check(input, node, values);
}

/* Even history: the normal load at the last evaluation (N). */
static void shape(const void *values, struct scree_law_shape *shape)
{
    scree_slider_shape(values, shape);
    shape->n_even += 1;
    shape->needs |= SCREE_NEEDS_TURN;
}

/* The steps of contacts that slip, brought together: few do, and only these need roots, logarithms
 * and exponentials. */
struct slipping {
    int n, place[SCREE_BATCH];
    double way[3][SCREE_BATCH], start[3][SCREE_BATCH]; /* m; movement and old spring, turned */
    double limit[2][SCREE_BATCH];                      /* m; before and now */
    double end[3][SCREE_BATCH], lost[SCREE_BATCH];     /* m, m^2; found by slip() */
};

/* All contacts as if none slipped. Those that are beyond their limit then are noted in `out`. */
static void stretch(struct scree_batch *restrict b, const struct scree_slider *restrict values,
                    double (*restrict spring)[SCREE_BATCH], double *restrict load,
                    struct slipping *restrict out)
{
    const double mu = values->friction / values->stiffness;
    double limit[2][SCREE_BATCH], start[3][SCREE_BATCH], beyond[SCREE_BATCH];
    SCREE_IVDEP
    for (int k = 0; k < scree_batch_n(b); k++) {
        struct scree_triple way = SCREE_TRIPLE(b->way, k);
        struct scree_triple s = scree_drawn(b, k, SCREE_TRIPLE(spring, k), way);
        double now = fabs(b->friction_load[k]);
        limit[0][k] = mu * load[k];
        limit[1][k] = mu * now;
        beyond[k] = scree_dot(s, s) - (mu * now) * (mu * now);
        scree_triple_store(start, k, scree_plus(s, -1.0, way));
        scree_triple_store(spring, k, s);
        load[k] = now;
    }
    out->n = 0;
    for (int k = 0; k < b->n; k++) {
        int m = out->n;
        out->place[m] = k;
        for (int c = 0; c < 3; c++) {
            out->way[c][m] = b->way[c][k];
            out->start[c][m] = start[c][k];
        }
        for (int c = 0; c < 2; c++) out->limit[c][m] = limit[c][k];
        out->n += beyond[k] > 0.0;
    }
}

static void slip(struct slipping *restrict s)
{
    SCREE_IVDEP
    for (int m = 0; m < s->n; m++) {
        struct scree_kuhn_step step = {
            .spring = SCREE_TRIPLE(s->start, m),
            .movement = SCREE_TRIPLE(s->way, m),
            .limit = {s->limit[0][m], s->limit[1][m]}
        };
        struct scree_kuhn_slip found = scree_kuhn_slip(step);
        scree_triple_store(s->end, m, found.spring);
        s->lost[m] = found.lost;
    }
}

/* Spring and, of contacts that stick, a dashpot, together cut to the limit. */
static void add_forces(struct scree_batch *restrict b, const struct scree_slider *restrict values,
                       const double (*restrict spring)[SCREE_BATCH], const double *restrict slips)
{
    const struct scree_slider v = *values;
    double *restrict damping = b->loss[SCREE_LOSS_TANGENTIAL];
    SCREE_IVDEP
    for (int k = 0; k < scree_batch_n(b); k++) {
        double gamma = slips[k] != 0.0 ? 0.0 : v.viscous + v.rate * b->m_eff[k];
        struct scree_triple u = SCREE_TRIPLE(b->vt, k);
        struct scree_triple elastic = scree_times(-v.stiffness, SCREE_TRIPLE(spring, k));
        struct scree_triple f = scree_plus(elastic, -gamma, u);
        double size = sqrt(scree_dot(f, f)), limit = v.friction * fabs(b->friction_load[k]);
        double scale = gamma > 0.0 && size > limit ? limit / size : 1.0;
        f = scree_times(scale, f);
        damping[k] = scree_dot(scree_plus(elastic, -1.0, f), u) * b->dt;
        scree_triple_store(b->ft, k, f);
    }
}

static void apply(struct scree_batch *restrict b, const void *values, struct scree_slots at)
{
    const struct scree_slider *v = values;
    double(*spring)[SCREE_BATCH] = b->history + at.odd;
    double *lost = b->loss[SCREE_LOSS_SLIDING], slips[SCREE_BATCH] = {0};
    struct slipping slipping;
    memset(lost, 0, sizeof b->loss[SCREE_LOSS_SLIDING]);
    stretch(b, v, spring, b->history[at.even], &slipping);
    slip(&slipping);
    for (int m = 0; m < slipping.n; m++) {
        int k = slipping.place[m];
        scree_triple_store(spring, k, SCREE_TRIPLE(slipping.end, m));
        lost[k] = b->dt > 0.0 ? v->stiffness * slipping.lost[m] : 0.0;
        slips[k] = 1.0;
    }
    add_forces(b, v, (const double(*)[SCREE_BATCH])spring, slips);
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
    .estimate = scree_slider_estimate,
    .friction = scree_slider_friction,
    .set_friction = scree_slider_set_friction,
};
