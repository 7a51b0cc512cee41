/* SPDX-License-Identifier: BSD-3-Clause
 * One step of contact dynamics: free velocities, the contacts that may act, impulses that keep
 * grains apart and hold friction to its limit, and the way with the new velocities. */
#include <math.h>
#include <string.h>

#include "cd_impl.h"
#include "scree/alloc.h"
#include "scree/deformation_walls.h"
#include "scree/glued.h"
#include "scree/status.h"
#include "scree/vec.h"

/* Part of the smallest speed scale radius / dt that grains at rest may gain in a step; more makes
 * the step be solved again with more contacts. */
static const double least_slack = 0.005;

static struct scree_contacts_motion present_motion(const struct scree_cd *cd,
                                                   const struct scree_scene *scene, double speed)
{
    const double *s = scene->timer->seconds;
    return (struct scree_contacts_motion){
        .step = cd->step,
        .dt = scene->dt,
        .largest_radius = scene->largest_radius,
        .reach = cd->reach,
        .speed = speed,
        .speed_around = speed,
        .busy = {[SCREE_BALANCE_GRAINS] = s[SCREE_CD_PHASE_GRAINS] + s[SCREE_PHASE_NEIGHBOURS],
                 [SCREE_BALANCE_CONTACTS] = s[SCREE_CD_PHASE_SWEEPS] + s[SCREE_CD_PHASE_PROBLEM]},
    };
}

/* Largest of all ranks. */
static double largest_speed(const struct scree_scene *scene)
{
    const struct scree_particles *p = scene->particles;
    double largest = 0.0;
    for (scree_lid i = 0; i < p->n_owned; i++)
        largest = fmax(largest, scree_vec_dot(p->vel[i], p->vel[i]));
    largest = sqrt(largest);
    scree_comm_max(scene->comm, &largest, 1);
    return largest;
}

/* m; that gaps may close in the step, for which lists must reach. */
static double needed_reach(const struct scree_cd *cd, const struct scree_scene *scene)
{
    double fall = scree_vec_norm(scene->gravity) * scene->dt;
    double bound = 2.0 * (cd->speed + fall) + cd->slack + cd->drive_speed +
                   scree_walls_moved(scene->walls) / scene->dt;
    double flow = fmin(scree_cd_flow_closing(cd, scene->dt), 0.5); /* of a distance, in the step */
    double needed = (2.0 * bound * scene->dt + flow * 2.0 * scene->largest_radius) / (1.0 - flow);
    for (int k = 0; k < scene->laws->n_pairs; k++)
        needed = fmax(needed, scene->laws->pair[k].rigid.range);
    return needed;
}

/* Lists that hold every pair which may touch in this step. Steps are few and have messages to all
 * ranks anyway, so all look together how far grains have moved. Collective. */
static enum scree_status update_lists(struct scree_cd *cd, struct scree_scene *scene, bool anew)
{
    scree_lid slot;
    bool flipped = !anew && scree_contacts_flip(scene->contacts);
    double left = anew ? 0.0 : scree_contacts_left(scene->contacts, scene->largest_radius, &slot);
    scree_comm_min(scene->comm, &left, 1);
    cd->speed = largest_speed(scene);
    double needed = needed_reach(cd, scene);
    if (!anew && !flipped && needed <= cd->reach && left >= 0.0 &&
        !scree_balance_is_due(scene->balance, cd->step))
        return SCREE_OK;
    cd->reach = 1.5 * needed; /* also less than before: grains may have come to rest */
    if (!anew && !flipped) scree_contacts_detach_history(scene->contacts);
    struct scree_contacts_motion motion = present_motion(cd, scene, cd->speed);
    return scree_contacts_rebuild(scene->contacts, &motion);
}

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

/* Ghosts get the present places and velocities of their grains. */
static void refresh_ghosts(const struct scree_cd *cd, struct scree_scene *scene)
{
    enum scree_phase before = scree_timer_switch(scene->timer, SCREE_PHASE_HALO);
    scree_halo_begin_refresh(scene->halo, scene->particles,
                             SCREE_HALO_POS | SCREE_HALO_VEL | SCREE_HALO_SPIN, cd->speed);
    scree_halo_end_refresh(scene->halo, scene->particles, cd->speed);
    scree_timer_switch(scene->timer, before);
}

/* Ghosts at the present places, with free velocities; near pairs of now. Walls with servos have
 * moved when the last step ended, which no list has seen. */
static void refresh(struct scree_cd *cd, struct scree_scene *scene)
{
    double speed = cd->speed + cd->drive_speed;
    struct scree_contacts_motion motion = present_motion(cd, scene, speed);
    refresh_ghosts(cd, scene);
    for (enum scree_near_kind kind = 0; kind < SCREE_N_NEAR; kind++)
        scree_contacts_update_near(scene->contacts, kind, &motion);
}

/* Did a grain become faster than it was thought to be when contacts were chosen? Then one may be
 * missing. Returns the largest such speed, or 0. Collective. */
static double find_surprise(const struct scree_cd *cd, const struct scree_cd_problem *p)
{
    double largest = 0.0;
    for (size_t k = 0; k < p->n_copies; k++) {
        double bound = scree_cd_speed_bound(cd, p->body[p->copy_body[k]].free);
        double speed = scree_vec_norm(p->copy[k].v);
        if (speed > bound) largest = fmax(largest, speed);
    }
    for (int d = 0; d < p->n_drives; d++) {
        double speed = fabs(scree_cd_rate(&p->drive[d], p->drive[d].found)) * p->drive[d].reach;
        if (speed > cd->slack + cd->drive_speed) largest = fmax(largest, speed);
    }
    scree_comm_max(p->comm, &largest, 1);
    return largest;
}

/* What became of an attempt: it counts; contacts were missing; it is worth halving. */
enum attempt { COMPLETE, MISSING, UNSOLVED };

enum scree_status scree_cd_find_problem(struct scree_cd *cd, struct scree_scene *scene,
                                        struct scree_cd_problem *problem)
{
    SCREE_TRY(update_lists(cd, scene, false));
    scree_timer_switch(scene->timer, SCREE_CD_PHASE_GRAINS);
    set_free_velocities(cd, scene);
    refresh(cd, scene);
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
    double surprise = find_surprise(cd, problem);
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
    cd->slack = least_slack * scene->largest_radius / scene->dt;
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

static enum scree_status take_step(struct scree_cd *cd, struct scree_scene *scene)
{
    const double begin = scree_scene_time(scene, cd->step);
    cd->step++;
    cd->tick_dt = scene->dt;
    scree_cd_begin_tick(cd);
    SCREE_TRY(take_part(cd, scene, begin, scree_scene_time(scene, cd->step), 0));
    scree_cd_end_tick(cd);
    return SCREE_OK;
}

static enum scree_status advance(void *state, struct scree_scene *scene, int64_t tick,
                                 struct scree_energies *energies)
{
    struct scree_cd *cd = state;
    enum scree_status status = SCREE_OK;
    enum scree_phase before = scree_timer_switch(scene->timer, SCREE_PHASE_OTHER);
    while (cd->step < tick && status == SCREE_OK) status = take_step(cd, scene);
    if (status == SCREE_OK) refresh_ghosts(cd, scene); /* for whoever asks to see contacts */
    scree_timer_switch(scene->timer, before);
    if (status == SCREE_OK && energies != NULL) scree_cd_energies(cd, scene, energies);
    return status;
}

static void create(void **state, struct scree_scene *scene, const void *values)
{
    struct scree_cd *cd = *state = scree_alloc(1, sizeof *cd);
    memset(cd, 0, sizeof *cd);
    cd->values = values;
    cd->seed = scene->seed;
}

static void destroy(void **state)
{
    struct scree_cd *cd = *state;
    if (cd == NULL) return;
    scree_alloc_free(cd->before);
    scree_alloc_free(cd->record);
    scree_alloc_free(cd->claim);
    scree_alloc_free(cd->all);
    scree_alloc_free(cd->ghost_rank);
    scree_alloc_free(cd->drive);
    scree_alloc_free(cd->drive_of);
    scree_alloc_free(cd);
    *state = NULL;
}

/* Loads are sums of quanta, so that they know no order: far below the force that moves the smallest
 * grain by a radius in a step. */
static void choose_quanta(struct scree_cd *cd, struct scree_scene *scene)
{
    int force, length;
    frexp(scene->largest_mass * scene->largest_radius / (scene->dt * scene->dt), &force);
    frexp(scene->largest_radius, &length);
    cd->quantum[0] = ldexp(1.0, force - 50);
    cd->quantum[1] = ldexp(1.0, force + length - 50);
}

static enum scree_status prepare(struct scree_cd *cd, struct scree_scene *scene)
{
    scene->walls->force_quantum = cd->quantum[0];
    scene->walls->torque_quantum = cd->quantum[1];
    cd->slack = least_slack * scene->largest_radius / scene->dt;
    /* Lists reach as far as walls moved since the last call: twice, or a resumed run would have
     * lists for a wall that went all its way in one step. */
    scree_walls_move(scene->walls, scree_scene_time(scene, cd->step));
    scree_walls_move(scene->walls, scree_scene_time(scene, cd->step));
    scree_deformation_walls_follow(scene->walls, &scene->domain->cell, &scene->domain->box);
    return update_lists(cd, scene, true);
}

static void open_ledger(struct scree_cd *cd, struct scree_scene *scene)
{
    struct scree_energies e;
    scree_cd_energies(cd, scene, &e);
    cd->first_energy = e.closure;
    cd->first_height = e.value[2];
}

static enum scree_status start(void *state, struct scree_scene *scene)
{
    struct scree_cd *cd = state;
    choose_quanta(cd, scene);
    scree_cd_choose_blocks(cd, scene);
    scree_cd_start_strain(scene);
    scree_contacts_detach_history(scene->contacts);
    SCREE_TRY(prepare(cd, scene));
    open_ledger(cd, scene);
    return SCREE_OK;
}

static enum scree_status take_over(void *state, struct scree_scene *scene, int64_t tick)
{
    struct scree_cd *cd = state;
    cd->step = tick;
    choose_quanta(cd, scene);
    scree_cd_choose_blocks(cd, scene);
    scree_cd_start_strain(scene);
    SCREE_TRY(prepare(cd, scene));
    scree_cd_take_forces(cd, scene);
    open_ledger(cd, scene);
    return SCREE_OK;
}

static enum scree_status resume(void *state, struct scree_scene *scene, int64_t tick)
{
    struct scree_cd *cd = state;
    cd->step = tick;
    return prepare(cd, scene);
}

static void before_change(void *state, struct scree_scene *scene, enum scree_change change)
{
    struct scree_cd *cd = state;
    scree_cd_energies(cd, scene, &cd->unchanged);
    if (change == SCREE_CHANGE_GRAINS) scree_contacts_detach_history(scene->contacts);
}

static enum scree_status after_change(void *state, struct scree_scene *scene,
                                      enum scree_change change)
{
    struct scree_cd *cd = state;
    struct scree_energies now;
    if (change == SCREE_CHANGE_GRAINS) SCREE_TRY(prepare(cd, scene));
    if (change == SCREE_CHANGE_DRIVES) { /* servos that begin rise from what their walls bear */
        scree_walls_reduce_servo_loads(scene->walls, scene->comm, scene->dt);
        scree_walls_hold_servos(scene->walls);
    }
    scree_cd_energies(cd, scene, &now);
    cd->first_energy += now.closure;
    if (change != SCREE_CHANGE_INPUT) cd->first_energy -= cd->unchanged.closure;
    return SCREE_OK;
}

static void velocity(const void *state, const struct scree_scene *scene, scree_lid i,
                     double velocity[3], double spin[3])
{
    (void)state;
    memcpy(velocity, scene->particles->vel[i], 3 * sizeof *velocity);
    memcpy(spin, scene->particles->spin[i], 3 * sizeof *spin);
}

static void load(const void *state, const struct scree_scene *scene, scree_lid i, double force[3],
                 double torque[3])
{
    const struct scree_cd *cd = state;
    const int64_t *quanta = scene->particles->load[i];
    for (int a = 0; a < 3; a++) {
        force[a] = cd->quantum[0] * (double)quanta[a];
        torque[a] = cd->quantum[1] * (double)quanta[4 + a];
    }
}

static void keep_columns(const void *values, struct scree_scene *scene)
{
    (void)values;
    scree_particles_add_column(scene->particles, "load");
}

static int history(const void *values, const struct scree_laws *laws, uint32_t *odd)
{
    (void)values, (void)laws;
    *odd = SCREE_CD_ODD;
    return SCREE_CD_HISTORY;
}

static const char *const phases[] = {"grains", "sweeps", "problem", NULL};

static const struct scree_field fields[] = {
    {"block_edge", SCREE_FIELD_REAL, offsetof(struct scree_cd, block_edge), 0},
    {"quantum", SCREE_FIELD_REAL, offsetof(struct scree_cd, quantum), 2},
    {"first_energy", SCREE_FIELD_REAL, offsetof(struct scree_cd, first_energy), 0},
    {"first_height", SCREE_FIELD_REAL, offsetof(struct scree_cd, first_height), 0},
    {"losses", SCREE_FIELD_REAL, offsetof(struct scree_cd, loss), 8},
    {"figures", SCREE_FIELD_REAL, offsetof(struct scree_cd, figure), 6},
    {NULL, SCREE_FIELD_REAL, 0, 0},
};

extern const struct scree_stepper scree_cd_stepper;
const struct scree_stepper scree_cd_stepper = {
    .name = "cd",
    .summary = "contact dynamics of rigid grains: impulses that keep them apart, exact friction",
    .can = SCREE_CAN_WALLS | SCREE_CAN_SERVOS | SCREE_CAN_GLUE | SCREE_CAN_DEFORM |
           SCREE_CAN_WEDGE | SCREE_CAN_GRAVITY | SCREE_CAN_BACKGROUND | SCREE_CAN_CHANGE_GRAINS |
           SCREE_CAN_CHANGE_FRICTION | SCREE_CAN_ORIENT,
    .keys = scree_cd_keys,
    .values_size = sizeof(struct scree_cd_values),
    .phases = phases,
    .lines = scree_cd_energy_lines,
    .figures = scree_cd_figures,
    .grain_bytes = 8e3,
    .grain_step = 10e-6, /* some 50 sweeps */
    .rigid = true,
    .saved_size = offsetof(struct scree_cd, values),
    .fields = fields,
    .check = scree_cd_check_keys,
    .keep_columns = keep_columns,
    .history = history,
    .create = create,
    .destroy = destroy,
    .start = start,
    .resume = resume,
    .take_over = take_over,
    .retry = scree_cd_retry,
    .advance = advance,
    .before_change = before_change,
    .after_change = after_change,
    .velocity = velocity,
    .load = load,
    .contacts = scree_cd_show_contacts,
    .energies = scree_cd_energies,
    .measure = scree_cd_measure_figures,
    .advise = scree_cd_advise,
};
