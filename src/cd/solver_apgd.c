/* SPDX-License-Identifier: BSD-3-Clause
 * Accelerated projected gradients (Nesterov; Mazhar et al., ACM Trans. Graph. 34, 32 (2015)) with
 * De Saxce's shift in the gradient, so that the law is Coulomb's: products with W only, impulses to
 * velocities and back, and no order of contacts. Each contact has its own step, 1/(L w), with w as
 * in the residual and L the largest eigenvalue of W over w. Rolling, torsion and bonds are not of
 * this form: such steps are left to sweeps. */
#include <math.h>
#include <string.h>

#include "general.h"
#include "scree/alloc.h"
#include "scree/log.h"
#include "scree/vec.h"
#include "solvers.h"

enum { POWER = 20 };

static double weight(const struct scree_cd_contact *c)
{
    double w = fmax(c->weight_n, c->weight_t);
    return w > 0.0 ? w : 1.0;
}

static double square(const struct scree_cd_impulse *r)
{
    return r->n * r->n + scree_vec_dot(r->t, r->t);
}

/* One power step: the impulse of a contact becomes W r / w. Returns w r^2 of before. */
static double power_step(struct scree_cd_problem *p, size_t c, const double free[3])
{
    struct scree_cd_impulse *r = &p->impulse[c];
    const double *normal = p->contact[c].normal, w = weight(&p->contact[c]);
    double u[3], before = w * square(r);
    scree_cd_relative_velocity(p, c, u);
    for (int a = 0; a < 3; a++) u[a] = (u[a] - free[a]) / w;
    r->n = scree_vec_dot(u, normal);
    for (int a = 0; a < 3; a++) r->t[a] = u[a] - r->n * normal[a];
    return before;
}

/* Relative velocities of no impulses, and a first vector for power steps. */
static void start_power(struct scree_cd_problem *p, double (*free)[3])
{
    memset(p->impulse, 0, p->n_contacts * sizeof *p->impulse);
    scree_cd_apply_impulses(p);
    for (size_t c = 0; c < p->n_contacts; c++) {
        scree_cd_relative_velocity(p, c, free[c]);
        p->impulse[c].n = 1.0 / sqrt(weight(&p->contact[c]));
    }
}

/* Sums over contacts, block by block and then exactly: no number depends on ranks. Collective. */
static void add_up(struct scree_cd_problem *p, double (*part)[2], double total[2])
{
    struct scree_exact sum[2];
    for (int s = 0; s < 2; s++) scree_exact_clear(&sum[s]);
    for (int b = 0; b < p->n_blocks; b++)
        for (int s = 0; s < 2; s++) {
            double of_block = 0.0;
            for (int c = p->block_contacts[b]; c < p->block_contacts[b + 1]; c++)
                of_block += part[c][s];
            scree_exact_add(&sum[s], of_block);
        }
    scree_comm_sum_exact(p->comm, sum, 2);
    for (int s = 0; s < 2; s++) total[s] = scree_exact_value(&sum[s]);
}

/* L; power steps come from below, so some per cent are added. Impulses remain. Collective. */
static double find_bound(struct scree_cd_problem *p, double (*part)[2])
{
    double bound = 1.0, total[2], (*free)[3] = scree_alloc(p->n_contacts + 1, sizeof *free);
    memcpy(p->direction, p->impulse, p->n_contacts * sizeof *p->impulse);
    start_power(p, free);
    for (int step = 0; step < POWER; step++) {
        scree_cd_apply_impulses(p);
        for (size_t c = 0; c < p->n_contacts; c++) {
            part[c][0] = power_step(p, c, free[c]);
            part[c][1] = weight(&p->contact[c]) * square(&p->impulse[c]);
        }
        add_up(p, part, total);
        if (!(total[0] > 0.0) || !(total[1] > 0.0)) break;
        bound = sqrt(total[1] / total[0]);
        for (size_t c = 0; c < p->n_contacts; c++) {
            p->impulse[c].n /= bound;
            for (int a = 0; a < 3; a++) p->impulse[c].t[a] /= bound;
        }
    }
    memcpy(p->impulse, p->direction, p->n_contacts * sizeof *p->impulse);
    scree_alloc_free(free);
    return 1.05 * bound;
}

/* Down the gradient from the impulse that a contact has, into the cone. Returns the gradient along
 * the way from `before`. */
static double descend(struct scree_cd_problem *p, size_t at, double bound,
                      const struct scree_cd_impulse *before)
{
    const struct scree_cd_contact *c = &p->contact[at];
    struct scree_cd_impulse *r = &p->impulse[at];
    double u[3], slip[3], step = 1.0 / (bound * weight(c));
    scree_cd_relative_velocity(p, at, u);
    double un = scree_vec_dot(u, c->normal);
    for (int k = 0; k < 3; k++) slip[k] = u[k] - un * c->normal[k];
    double shifted = un - c->target + c->friction * scree_vec_norm(slip);
    r->n -= step * shifted;
    for (int k = 0; k < 3; k++) r->t[k] -= step * slip[k];
    scree_cd_project(c->friction, &r->n, r->t);
    double along = shifted * (r->n - before->n);
    for (int k = 0; k < 3; k++) along += slip[k] * (r->t[k] - before->t[k]);
    return along;
}

/* On along the last change. */
static void extrapolate(struct scree_cd_problem *p, double beta)
{
    for (size_t c = 0; c < p->n_contacts; c++) {
        const struct scree_cd_impulse *old = &p->impulse_before[c];
        struct scree_cd_impulse *r = &p->impulse[c];
        p->direction[c] = *r;
        r->n += beta * (r->n - old->n);
        for (int a = 0; a < 3; a++) r->t[a] += beta * (r->t[a] - old->t[a]);
    }
}

/* `direction` holds the last impulses in the cone, `impulse` where the next gradient is taken. */
static void iterate(const struct scree_cd_values *values, struct scree_cd_problem *p,
                    struct scree_cd_outcome *outcome, double (*part)[2])
{
    double theta = 1.0, bound = find_bound(p, part), total[2];
    bool looked;
    memcpy(p->direction, p->impulse, p->n_contacts * sizeof *p->impulse);
    for (;;) {
        scree_cd_apply_impulses(p);
        memcpy(p->impulse_before, p->direction, p->n_contacts * sizeof *p->impulse);
        for (size_t c = 0; c < p->n_contacts; c++) {
            part[c][0] = descend(p, c, bound, &p->impulse_before[c]);
            part[c][1] = 0.0;
        }
        outcome->sweeps += values->sweeps_per_exchange;
        scree_cd_apply_impulses(p);
        if (scree_cd_solve_is_done(values, p, outcome, &looked)) return;
        add_up(p, part, total);
        bool uphill = total[0] > 0.0;
        double next = 0.5 * (-theta * theta + theta * sqrt(theta * theta + 4.0));
        extrapolate(p, uphill ? 0.0 : theta * (1.0 - theta) / (theta * theta + next));
        theta = uphill ? 1.0 : next;
    }
}

static void solve(const struct scree_cd_values *values, struct scree_cd_problem *p,
                  struct scree_cd_outcome *outcome)
{
    static bool told;
    if (scree_cd_row_dim(p) != 3) {
        if (!told)
            scree_log(SCREE_LOG_WARNING,
                      "solver apgd: contacts roll or cohere: steps like this one are left to nncg");
        told = true;
        scree_cd_solver_nncg.solve(values, p, outcome);
        return;
    }
    double(*part)[2] = scree_alloc(p->n_contacts + 1, sizeof *part);
    scree_cd_solve_begin(p, outcome);
    iterate(values, p, outcome, part);
    scree_alloc_free(part);
}

extern const struct scree_cd_solver scree_cd_solver_apgd;
const struct scree_cd_solver scree_cd_solver_apgd = {"apgd", "accelerated projected gradients",
                                                     solve};
