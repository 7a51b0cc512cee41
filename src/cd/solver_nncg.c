/* SPDX-License-Identifier: BSD-3-Clause
 * Nonsmooth nonlinear conjugate gradient (Silcowitz, Niebe, Erleben, The Visual Computer 26, 893
 * (2010)): the change by a sweep is taken for a gradient, and the iterate is carried on along
 * conjugate directions. The number of sweeps then grows with the diameter of a packing rather than
 * with its square. Velocities follow the same recurrence as impulses, so nothing is computed anew.
 *
 * Two rules are not theirs, who restart whenever changes grow (beta > 1). Friction makes them grow
 * now and then with nothing wrong, and restarts then cost what directions have gained. Here
 * directions are given up if they have begun to lead back: the change by the sweep is against them
 * (O'Donoghue and Candes, Found. Comput. Math. 15, 715 (2015)); or if changes grow by much. And
 * with much friction no sweep need come nearer to a solution, whatever its order (growing modes,
 * since Coulomb's law comes from no potential); directions make that worse, so that plain sweeps
 * have longer and longer turns where no progress is made. */
#include <math.h>
#include <string.h>

#include "solvers.h"

static void clear_directions(struct scree_cd_problem *p)
{
    memset(p->direction, 0, p->n_contacts * sizeof *p->direction);
    memset(p->copy_direction, 0, p->n_copies * sizeof *p->copy_direction);
    memset(p->rate_direction, 0, (size_t)(p->n_blocks * p->n_drives) * sizeof *p->rate);
    for (int d = 0; d < p->n_drives; d++) p->drive[d].direction = 0.0;
    if (p->couple != NULL)
        memset(p->couple_direction, 0, p->n_contacts * sizeof *p->couple_direction);
}

/* x += beta d, d = beta d + (change of x by the sweep), for n numbers. */
static void follow(double *restrict x, double *restrict before, double *restrict direction, int n,
                   double beta)
{
    for (int k = 0; k < n; k++) {
        double change = x[k] - before[k];
        x[k] += beta * direction[k];
        direction[k] = beta * direction[k] + change;
        before[k] = x[k];
    }
}

static void follow_copy(struct scree_cd_problem *p, int k, double beta)
{
    follow(p->copy[k].v, p->copy_before[k], p->copy_direction[k], 3, beta);
    follow(p->copy[k].w, p->copy_before[k] + 3, p->copy_direction[k] + 3, 3, beta);
}

/* Along the directions, block by block; what is there then is remembered. */
static void carry_on(struct scree_cd_problem *p, double beta)
{
    const int n = (int)(sizeof(struct scree_cd_impulse) / sizeof(double));
    for (size_t c = 0; c < p->n_contacts; c++)
        follow(&p->impulse[c].n, &p->impulse_before[c].n, &p->direction[c].n, n, beta);
    for (size_t c = 0; c < p->n_contacts && p->couple != NULL; c++)
        follow(p->couple[c], p->couple_before[c], p->couple_direction[c], 3, beta);
    for (int k = 0; k < (int)p->n_copies; k++) follow_copy(p, k, beta);
    follow(p->rate, p->rate_before, p->rate_direction, p->n_blocks * p->n_drives, beta);
    for (int d = 0; d < p->n_drives; d++)
        follow(&p->drive[d].found, &p->drive[d].remembered, &p->drive[d].direction, 1, beta);
}

/* Looks without progress after which plain sweeps get the iterate out of where it is stuck; how
 * many of them the first time, and how often that is doubled. */
enum { PATIENCE = 6, CALM = 10, DOUBLINGS = 6 };

struct patience {
    double best; /* residual so far */
    int stalled, calm, turns;
};

static void look(struct patience *patience, double residual)
{
    bool better = residual < patience->best || patience->calm > 0;
    patience->stalled = better ? 0 : patience->stalled + 1;
    patience->best = fmin(patience->best, residual);
    if (patience->stalled < PATIENCE) return;
    patience->calm = CALM << patience->turns;
    patience->stalled = 0;
    if (patience->turns < DOUBLINGS) patience->turns++;
}

/* Growth of the squares of changes that is too much to go on. */
static const double much = 1.25;

static void solve(const struct scree_cd_values *values, struct scree_cd_problem *p,
                  struct scree_cd_outcome *outcome)
{
    struct patience patience = {.best = 1.0};
    double before = 0.0;
    bool looked;
    scree_cd_solve_begin(p, outcome);
    clear_directions(p);
    for (;;) {
        scree_cd_sweep_all(values, p, outcome);
        if (scree_cd_solve_is_done(values, p, outcome, &looked)) return;
        if (looked) look(&patience, outcome->residual);
        double along, steps = scree_cd_sum_steps(p, &along);
        double growth = before > 0.0 ? steps / before : 0.0;
        before = steps;
        bool leads_on = along >= 0.0 && growth <= much;
        if (leads_on && patience.calm == 0) {
            carry_on(p, fmin(growth, 1.0));
            continue;
        }
        if (!leads_on) outcome->restarts++;
        if (patience.calm > 0) patience.calm--;
        clear_directions(p);
        scree_cd_remember(p);
    }
}

const struct scree_cd_solver scree_cd_solver_nncg = {
    "nncg", "block Gauss-Seidel carried on by conjugate directions", solve};
