/* SPDX-License-Identifier: BSD-3-Clause
 * One step of contact dynamics: free velocities, the contacts that may act, impulses that keep
 * grains apart and hold friction to its limit, and the way with the new velocities. */
#include <math.h>

#include "cd_impl.h"
#include "scree/alloc.h"
#include "scree/deformation_walls.h"
#include "scree/glued.h"
#include "scree/status.h"
#include "scree/vec.h"

/* Velocities of the last step are kept; those of the columns become what they would be without
 * contacts. */
static void set_free_velocities(struct scree_cd *cd, struct scree_scene *scene)
{
    struct scree_particles *p = scene->particles;
    SCREE_GROW(cd->before, 0, cd->before_capacity, (size_t)p->n_owned + 1);
    for (scree_lid i = 0; i < p->n_owned; i++) {
        for (int a = 0; a < 3; a++) {
            cd->before[i][a] = p->vel[i][a];
            cd->before[i][3 + a] = p->spin[i][a];
        }
        if (p->vel[i][3] > 0.0)
            scree_cd_find_free_velocity(cd, scene, cd->before[i], p->vel[i][3], p->vel[i]);
    }
}

void scree_cd_restore_velocities(const struct scree_cd *cd, struct scree_particles *p)
{
    for (scree_lid i = 0; i < p->n_owned; i++)
        for (int a = 0; a < 3; a++) {
            p->vel[i][a] = cd->before[i][a];
            p->spin[i][a] = cd->before[i][3 + a];
        }
}

/* Grains go with their velocities and the cell. With F at the end of the way branches b become b +
 * dt (L b + u), so that gaps which contacts close are closed. Ways are rounded to the position
 * grid, not places: a place is rounded otherwise before it is wrapped than afterwards. */
static void drift(struct scree_scene *scene, double dt)
{
    struct scree_particles *p = scene->particles;
    const struct scree_box *box = &scene->domain->box;
    scree_cd_advance_cell(scene, dt);
    const double(*inverse)[3] = (const double(*)[3])scene->domain->cell.inverse;
    for (scree_lid i = 0; i < p->n_owned; i++)
        for (int a = 0; a < box->dimension; a++) {
            double way = 0.0;
            for (int b = a; b < 3; b++) way += inverse[a][b] * p->vel[i][b];
            p->pos[i][a] += scree_box_snap(box, a, dt * way);
        }
    scree_particles_turn(p, (const double(*)[4])p->spin, dt);
}

/* What became of an attempt: it counts; contacts were missing; it is worth halving. */
enum attempt { COMPLETE, MISSING, UNSOLVED };

enum scree_status scree_cd_find_problem(struct scree_cd *cd, struct scree_scene *scene,
                                        struct scree_cd_problem *problem)
{
    SCREE_TRY(scree_cd_update_lists(cd, scene, false));
    scree_timer_switch(scene->timer, SCREE_CD_PHASE_GRAINS);
    set_free_velocities(cd, scene);
    scree_cd_refresh(cd, scene);
    scree_timer_switch(scene->timer, SCREE_CD_PHASE_PROBLEM);
    scree_cd_find_ghost_ranks(cd, scene);
    scree_cd_find_candidates(cd, scene);
    scree_cd_problem_build(cd, scene, problem);
    return SCREE_OK;
}

bool scree_cd_solve(struct scree_cd *cd, struct scree_cd_problem *problem,
                    struct scree_cd_outcome *outcome)
{
    scree_cd_solver_at(cd->values->solver)->solve(cd->values, problem, outcome);
    scree_cd_apply_impulses(problem);
    double surprise = scree_cd_find_surprise(cd, problem);
    if (surprise > 0.0) cd->slack = 1.5 * surprise;
    return !(surprise > 0.0);
}

/* Of a part of a step that ends at time `end`. */
static void take_solution(struct scree_cd *cd, struct scree_scene *scene,
                          struct scree_cd_problem *problem, const struct scree_cd_outcome *outcome,
                          double end)
{
    scree_cd_note_outcome(cd, problem, outcome);
    if (cd->inspect != NULL) cd->inspect(cd->inspector, problem);
    scree_cd_return_results(cd, scene, problem);
    scree_cd_add_losses(cd, scene, problem);
    scree_cd_end_strain(cd, scene, problem);
    scree_cd_end_drives(cd, scene, problem, end);
}

static enum scree_status check_outcome(const struct scree_cd *cd)
{
    const struct scree_cd_values *v = cd->values;
    bool stops = v->failure == SCREE_CD_STOP && v->fixed < 1;
    SCREE_CHECK(cd->outcome.converged || !stops, SCREE_PHYSICS,
                "step %lld: contacts are not solved after %lld sweeps: residual %.2g, wanted %g; "
                "use a smaller time step, more sweeps (solver.most) or failure: warn",
                (long long)cd->step, (long long)cd->outcome.sweeps, cd->outcome.residual,
                v->residual);
    return SCREE_OK;
}

/* The part of a step that grains go before contacts act. */
static double first_part(const struct scree_cd *cd, double dt)
{
    return cd->values->scheme == SCREE_CD_MOREAU ? 0.5 * dt : 0.0;
}

/* Walls and grains move up to where contacts act. */
static void begin_part(struct scree_cd *cd, struct scree_scene *scene, double end)
{
    scree_cd_reset_slack(cd, scene);
    scree_timer_switch(scene->timer, SCREE_CD_PHASE_GRAINS);
    scree_cd_begin_drives(cd, scene, end);
    scree_walls_move(scene->walls, end);
    scree_glued_follow(scene->walls, scene->particles, &scene->domain->box, scene->dt);
    drift(scene, first_part(cd, scene->dt));
}

/* Contacts act, which may need lists that reach farther, or shorter steps. */
static enum scree_status try_part(struct scree_cd *cd, struct scree_scene *scene, double end,
                                  bool halves, enum attempt *attempt)
{
    begin_part(cd, scene, end);
    for (*attempt = MISSING; *attempt == MISSING;) {
        struct scree_cd_problem problem;
        struct scree_cd_outcome outcome;
        SCREE_TRY(scree_cd_find_problem(cd, scene, &problem));
        scree_timer_switch(scene->timer, SCREE_CD_PHASE_SWEEPS);
        bool complete = scree_cd_solve(cd, &problem, &outcome);
        cd->tick.sweeps += outcome.sweeps;
        cd->tick.systems += outcome.systems;
        scree_timer_switch(scene->timer, SCREE_CD_PHASE_PROBLEM);
        *attempt = halves && !outcome.converged ? UNSOLVED : complete ? COMPLETE : MISSING;
        if (*attempt == COMPLETE)
            take_solution(cd, scene, &problem, &outcome, end);
        else
            scree_cd_restore_velocities(cd, scene->particles);
        scree_cd_problem_clear(&problem);
    }
    scree_timer_switch(scene->timer, SCREE_CD_PHASE_GRAINS);
    return SCREE_OK;
}

/* The energy of gravity and the work of servos are counted half a step off (cd_energy.c): other
 * steps change what is counted, not what there is. Collective. */
static void change_dt(struct scree_cd *cd, struct scree_scene *scene, double dt)
{
    struct scree_energies before, after;
    scree_cd_energies(cd, scene, &before);
    scree_cd_change_work(scene->walls, dt - scene->dt);
    scene->dt = dt;
    scree_cd_energies(cd, scene, &after);
    cd->first_energy += after.closure - before.closure;
}

/* From time `begin` to `end`, which is scene->dt later; what is not solved is taken again in two
 * halves, and so on. Everybody finds the same residual, so all ranks go the same way. */
static enum scree_status take_part(struct scree_cd *cd, struct scree_scene *scene, double begin,
                                   double end, int64_t depth)
{
    const struct scree_cd_values *v = cd->values;
    const double dt = scene->dt, middle = begin + 0.5 * dt;
    bool halves = v->failure == SCREE_CD_HALVE && v->fixed < 1 && depth < v->halvings;
    enum attempt attempt;
    SCREE_TRY(try_part(cd, scene, end, halves, &attempt));
    if (attempt == COMPLETE) {
        drift(scene, dt - first_part(cd, dt));
        scree_cd_finish_strain(scene);
        return check_outcome(cd);
    }
    drift(scene, -first_part(cd, dt));
    scree_walls_move(scene->walls, begin);
    change_dt(cd, scene, 0.5 * dt);
    enum scree_status status = take_part(cd, scene, begin, middle, depth + 1);
    if (status == SCREE_OK) status = take_part(cd, scene, middle, end, depth + 1);
    change_dt(cd, scene, dt);
    return status;
}

void scree_cd_begin_step(struct scree_cd *cd, struct scree_scene *scene)
{
    cd->step++;
    cd->tick_dt = scene->dt;
    begin_part(cd, scene, scree_scene_time(scene, cd->step));
}

enum scree_status scree_cd_take_step(struct scree_cd *cd, struct scree_scene *scene)
{
    const double begin = scree_scene_time(scene, cd->step);
    cd->step++;
    cd->tick_dt = scene->dt;
    scree_cd_begin_tick(cd);
    SCREE_TRY(take_part(cd, scene, begin, scree_scene_time(scene, cd->step), 0));
    scree_cd_end_tick(cd);
    return SCREE_OK;
}
