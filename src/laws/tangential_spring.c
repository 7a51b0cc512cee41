/* SPDX-License-Identifier: BSD-3-Clause
 * Friction by a tangential spring and dashpot with a static and a dynamic Coulomb limit (Luding,
 * "From DEM simulations towards a continuum theory", 1.8-1.14, after Cundall and Strack). The
 * spring advances before the test force is formed, so that force and spring belong to the same
 * moment. */
#include <float.h>
#include <math.h>
#include <stddef.h>

#include "scree/laws.h"

struct spring {
    double stiffness; /* N/m; kt */
    double damping;   /* kg/s; gamma_t; NAN if not given */
    double damping_rate;
    double friction;         /* mu_s */
    double friction_dynamic; /* mu_d <= mu_s; NAN: the same */
    double viscous, rate, inverse_stiffness;
};

#define AT(member) offsetof(struct spring, member)
static const struct scree_param params[] = {
    {"stiffness", SCREE_PARAM_REAL, "N/m", DBL_MIN, INFINITY, NULL, NULL, AT(stiffness),
     "tangential spring constant kt"},
    {"damping", SCREE_PARAM_REAL, "kg/s", 0, INFINITY, "", NULL, AT(damping),
     "tangential dashpot constant gamma_t"},
    {"damping_rate", SCREE_PARAM_REAL, "1/s", 0, INFINITY, "", NULL, AT(damping_rate),
     "instead of damping: gamma_t = reduced mass * rate"},
    {"friction", SCREE_PARAM_REAL, "1", 0, INFINITY, NULL, NULL, AT(friction),
     "static friction coefficient mu_s"},
    {"friction_dynamic", SCREE_PARAM_REAL, "1", 0, INFINITY, "", NULL, AT(friction_dynamic),
     "dynamic friction coefficient mu_d, at most mu_s; default: the same"},
    {0},
};

enum { SPRING_X, SPRING_Y, SPRING_Z, SLIDING, N_HISTORY };

static void check(struct scree_input *input, const struct scree_node *node, void *values)
{
    struct spring *v = values;
    if (!isnan(v->damping) && !isnan(v->damping_rate))
        scree_input_error(input, node, "give only one of damping, damping_rate");
    if (isnan(v->friction_dynamic)) v->friction_dynamic = v->friction;
    if (v->friction_dynamic > v->friction)
        scree_input_error(input, node, "'friction_dynamic' is %g, above 'friction' (static) of %g",
                          v->friction_dynamic, v->friction);
    v->viscous = isnan(v->damping) ? 0.0 : v->damping;
    v->rate = isnan(v->damping_rate) ? 0.0 : v->damping_rate;
    v->inverse_stiffness = 1.0 / v->stiffness;
}

static void apply(struct scree_batch *restrict b, const void *values, int first_history)
{
    const struct spring v = *(const struct spring *)values;
    double *restrict hx = b->history[first_history + SPRING_X];
    double *restrict hy = b->history[first_history + SPRING_Y];
    double *restrict hz = b->history[first_history + SPRING_Z];
    double *restrict sliding = b->history[first_history + SLIDING];
    for (int k = 0; k < b->n; k++) {
        double nx = b->nx[k], ny = b->ny[k], nz = b->nz[k];
        double vx = b->vtx[k], vy = b->vty[k], vz = b->vtz[k];
        /* 1.12, then 1.8: advance, then into the present tangent plane. */
        double dt = b->advance[k];
        double sx = hx[k] + vx * dt, sy = hy[k] + vy * dt, sz = hz[k] + vz * dt;
        double along = sx * nx + sy * ny + sz * nz;
        sx -= along * nx;
        sy -= along * ny;
        sz -= along * nz;
        /* 1.11: the test force, were there no limit. */
        double gamma = v.viscous + v.rate * b->m_eff[k];
        double fx = -v.stiffness * sx - gamma * vx;
        double fy = -v.stiffness * sy - gamma * vy;
        double fz = -v.stiffness * sz - gamma * vz;
        /* A contact that slides goes on sliding until the test force is below the dynamic limit. */
        double size = sqrt(fx * fx + fy * fy + fz * fz), fn = fabs(b->fn[k]);
        double onset = (sliding[k] != 0.0 ? v.friction_dynamic : v.friction) * fn;
        double limit = v.friction_dynamic * fn;
        int slips = size > onset;
        /* 1.13-1.14: the spring that would give the limit in the direction of the test force. */
        double scale = slips ? limit / (size > DBL_MIN ? size : DBL_MIN) : 1.0;
        fx *= scale;
        fy *= scale;
        fz *= scale;
        hx[k] = slips ? -(fx + gamma * vx) * v.inverse_stiffness : sx;
        hy[k] = slips ? -(fy + gamma * vy) * v.inverse_stiffness : sy;
        hz[k] = slips ? -(fz + gamma * vz) * v.inverse_stiffness : sz;
        sliding[k] = slips ? 1.0 : 0.0;
        b->ftx[k] = fx;
        b->fty[k] = fy;
        b->ftz[k] = fz;
    }
}

static void estimate(const void *values, double m_eff, double r_eff, struct scree_law_estimate *e)
{
    (void)r_eff;
    const struct spring *v = values;
    e->stiffness = fmax(e->stiffness, v->stiffness);
    e->damping = fmax(e->damping, v->viscous + v->rate * m_eff);
}

const struct scree_law scree_law_tangential_spring = {
    .name = "spring",
    .summary = "tangential spring and dashpot with static and dynamic friction",
    .kind = SCREE_LAW_TANGENTIAL,
    .params = params,
    .n_history = N_HISTORY,
    .sliding = 1 + SLIDING,
    .odd = 1u << SPRING_X | 1u << SPRING_Y | 1u << SPRING_Z,
    .check = check,
    .apply = apply,
    .estimate = estimate,
};
