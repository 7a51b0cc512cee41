/* SPDX-License-Identifier: BSD-3-Clause
 * One md step, as a grain lives it. */
#include <math.h>
#include <string.h>

#include "md_advise.h"
#include "md_impl.h"
#include "scree/alloc.h"
#include "scree/deformation_walls.h"
#include "scree/glued.h"
#include "scree/status.h"

/* What contacts have to know of the grains at present. */
static struct scree_contacts_motion present_motion(const struct scree_md *md,
                                                   const struct scree_scene *scene)
{
    const double *s = scene->timer->seconds;
    return (struct scree_contacts_motion){
        .step = md->step,
        .dt = scene->dt,
        .largest_radius = scene->largest_radius,
        .speed = md->speed,
        .status = md->status,
        .busy = {[SCREE_BALANCE_GRAINS] = s[SCREE_MD_PHASE_INTEGRATE] + s[SCREE_PHASE_NEIGHBOURS],
                 [SCREE_BALANCE_CONTACTS] = s[SCREE_MD_PHASE_CONTACTS]},
    };
}

/* What contacts gather from grains, also that of other moments if it is there. */
unsigned scree_md_ghost_columns(const struct scree_scene *scene)
{
    unsigned columns = SCREE_HALO_POS | SCREE_HALO_VEL | SCREE_HALO_SPIN;
    if (scene->particles->mean_vel != NULL) columns |= SCREE_HALO_MEAN_VEL | SCREE_HALO_MEAN_SPIN;
    if (scene->particles->now_vel != NULL) columns |= SCREE_HALO_NOW_VEL | SCREE_HALO_NOW_SPIN;
    return columns;
}

/* Of the near pairs of one kind, taken anew if need be. */
static void add_forces(struct scree_md *md, struct scree_scene *scene, enum scree_near_kind kind,
                       const struct scree_contacts_motion *motion, double dt)
{
    scree_contacts_update_near(scene->contacts, kind, motion);
    scree_md_add_forces(md, scene, kind, dt);
}

/* Contacts are evaluated at positions x(n) and velocities v(n-1/2); see integrate.c. Forces of
 * interior pairs are computed while ghosts are under way. */
static void evaluate_with_refresh(struct scree_md *md, struct scree_scene *scene, double dt)
{
    struct scree_timer *timer = scene->timer;
    struct scree_contacts_motion motion = present_motion(md, scene);
    scree_walls_clear_forces(scene->walls);
    scree_timer_switch(timer, SCREE_PHASE_HALO);
    scree_halo_begin_refresh(scene->halo, scene->particles, scree_md_ghost_columns(scene),
                             md->speed);

    scree_timer_switch(timer, SCREE_MD_PHASE_CONTACTS);
    add_forces(md, scene, SCREE_NEAR_INTERIOR, &motion, dt);
    add_forces(md, scene, SCREE_NEAR_IMAGE, &motion, dt);
    add_forces(md, scene, SCREE_NEAR_SEAM, &motion, dt);
    add_forces(md, scene, SCREE_NEAR_WALL, &motion, dt);

    scree_timer_switch(timer, SCREE_PHASE_WAIT);
    motion.speed_around = scree_halo_end_refresh(scene->halo, scene->particles, md->speed);
    scree_timer_switch(timer, SCREE_MD_PHASE_CONTACTS);
    add_forces(md, scene, SCREE_NEAR_BORDER, &motion, dt);
    add_forces(md, scene, SCREE_NEAR_SEAM_BORDER, &motion, dt);
    scree_md_add_membranes(md, scene, dt);
    scree_md_load_walls(md, scene);
}

/* Right after a rebuild ghosts and near lists are fresh. */
static void evaluate_fresh(struct scree_md *md, struct scree_scene *scene, double dt)
{
    scree_walls_clear_forces(scene->walls);
    scree_timer_switch(scene->timer, SCREE_MD_PHASE_CONTACTS);
    for (enum scree_near_kind kind = 0; kind < SCREE_N_NEAR; kind++)
        scree_md_add_forces(md, scene, kind, dt);
    scree_md_add_membranes(md, scene, dt);
    scree_md_load_walls(md, scene);
}

/* By the spin of the half step between. */
static void turn(struct scree_particles *p, double dt)
{
    double(*spin)[4] = p->mean_spin != NULL ? p->mean_spin : p->spin;
    scree_particles_turn(p, (const double(*)[4])spin, dt);
}

static enum scree_status take_step(struct scree_md *md, struct scree_scene *scene)
{
    bool rebuilt;
    double dt = scene->dt;
    scree_timer_switch(scene->timer, SCREE_MD_PHASE_INTEGRATE);
    scree_md_add_grain_losses(md, scene);
    scree_md_drive_servos(md, scene);
    scree_md_drive_deformation(md, scene);
    scree_walls_move(scene->walls, scree_scene_time(scene, md->step + 1));
    scree_deformation_walls_follow(scene->walls, &scene->domain->cell, &scene->domain->box);
    scree_glued_follow(scene->walls, scene->particles, &scene->domain->box, dt);
    md->speed =
        sqrt(md->values->integrator == SCREE_INTEGRATOR_GEAR ? scree_md_gear(md, scene)
                                                             : scree_md_kick_drift(md, scene));
    turn(scene->particles, dt);
    scree_md_add_membrane_work(md, scene);
    md->step++;
    struct scree_contacts_motion motion = present_motion(md, scene);
    SCREE_TRY(scree_contacts_update(scene->contacts, &motion, &rebuilt));
    if (rebuilt)
        evaluate_fresh(md, scene, dt);
    else
        evaluate_with_refresh(md, scene, dt);
    scree_md_reduce_servo_loads(scene);
    scree_md_reduce_stress(md, scene);
    return SCREE_OK;
}

static void energies(void *state, struct scree_scene *scene, struct scree_energies *lines)
{
    struct scree_md_energies e;
    scree_md_find_energies(state, scene, &e);
    scree_md_write_lines(&e, lines);
}

static enum scree_status advance(void *state, struct scree_scene *scene, int64_t tick,
                                 struct scree_energies *lines)
{
    struct scree_md *md = state;
    enum scree_status status = SCREE_OK;
    enum scree_phase before = scree_timer_switch(scene->timer, SCREE_PHASE_OTHER);
    while (md->step < tick && status == SCREE_OK) {
        if (lines != NULL && md->step + 1 == tick) md->sums = scree_md_start_sums(md);
        status = take_step(md, scene);
    }
    scree_timer_switch(scene->timer, before);
    if (status == SCREE_OK) status = scree_comm_agree(scene->comm, md->status);
    struct scree_md_sums *sums = md->sums;
    md->sums = NULL;
    if (status != SCREE_OK) {
        scree_alloc_free(sums);
    } else if (sums != NULL) {
        struct scree_md_energies e;
        scree_md_finish_sums(md, scene, sums, &e);
        scree_md_write_lines(&e, lines);
    } else if (lines != NULL) {
        energies(md, scene, lines);
    }
    return status;
}

/* A quantum fine enough for the smallest overlap that matters and a range wide enough for overlaps
 * of twice the largest radius: the sum of 2^12 such contacts still fits into 63 bits. */
static void choose_quanta(struct scree_md *md, const struct scree_scene *scene)
{
    double largest = 0.0, radius = scene->largest_radius;
    for (int k = 0; k < scene->laws->n_pairs; k++) {
        const struct scree_pair_law *pair = &scene->laws->pair[k];
        struct scree_law_case c = {.m_eff = scene->largest_mass, .r_eff = radius};
        struct scree_law_estimate estimate;
        scree_pair_law_estimate(pair, &c, &estimate);
        largest = fmax(largest, 2.0 * estimate.stiffness * radius +
                                    0.1 * estimate.damping * radius / scene->dt);
    }
    int force, length;
    frexp(largest > 0.0 ? largest : 1.0, &force);
    frexp(radius > 0.0 ? radius : 1.0, &length);
    md->force_quantum = ldexp(1.0, force - 50);
    md->torque_quantum = ldexp(1.0, force + length - 50);
    md->ledger.quantum = md->torque_quantum;
}

static double largest_speed(const struct scree_particles *p)
{
    double largest = 0.0;
    for (scree_lid i = 0; i < p->n_owned; i++) {
        const double *v = p->vel[i];
        largest = fmax(largest, v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    }
    return sqrt(largest);
}

static void create(void **state, struct scree_scene *scene, const void *values)
{
    struct scree_md *md = *state = scree_alloc(1, sizeof *md);
    memset(md, 0, sizeof *md);
    md->values = values;
    size_t n_queues = (size_t)scene->laws->n_pairs;
    md->queue = scree_alloc(n_queues, sizeof *md->queue);
    md->impact = scree_alloc(n_queues, sizeof *md->impact);
    for (size_t q = 0; q < n_queues; q++) {
        md->queue[q].n = 0;
        md->impact[q] = (struct scree_md_impact){0};
    }
    md->batch = scree_alloc(1, sizeof *md->batch);
    memset(md->batch, 0, sizeof *md->batch);
}

/* Lists for the grains as they are; the next look comes with the next step. */
enum scree_status scree_md_regain_within(struct scree_md *md, struct scree_scene *scene,
                                         double reach)
{
    md->has_driven = scree_md_has_driven(scene);
    memset(md->virial, 0, sizeof md->virial);
    scree_md_fill_now(scene->particles);
    md->speed = largest_speed(scene->particles);
    scree_comm_max(scene->comm, &md->speed, 1);
    struct scree_contacts_motion motion = present_motion(md, scene);
    motion.reach = reach;
    SCREE_TRY(scree_contacts_rebuild(scene->contacts, &motion));
    md->speed = largest_speed(scene->particles);
    return SCREE_OK;
}

enum scree_status scree_md_regain(struct scree_md *md, struct scree_scene *scene)
{
    return scree_md_regain_within(md, scene, 0.0);
}

static void set_quanta(struct scree_md *md, const struct scree_scene *scene)
{
    md->inverse_force = 1.0 / md->force_quantum; /* exact: powers of two */
    md->inverse_torque = 1.0 / md->torque_quantum;
    scene->walls->force_quantum = md->force_quantum;
    scene->walls->torque_quantum = md->torque_quantum;
}

/* Quanta, servos and walls as they are at the present step, before grains have lists. */
static void set_up(struct scree_md *md, struct scree_scene *scene)
{
    choose_quanta(md, scene);
    set_quanta(md, scene);
    scree_md_prepare_servos(scene);
    scree_md_start_deformation(scene);
    scree_walls_move(scene->walls, scree_scene_time(scene, md->step));
    scree_deformation_walls_follow(scene->walls, &scene->domain->cell, &scene->domain->box);
}

/* The first forces; history does not advance in them. */
static enum scree_status find_first_forces(struct scree_md *md, struct scree_scene *scene)
{
    enum scree_phase before = scree_timer_switch(scene->timer, SCREE_MD_PHASE_CONTACTS);
    evaluate_fresh(md, scene, 0.0);
    scree_md_reduce_servo_loads(scene);
    scree_md_reduce_stress(md, scene);
    scree_timer_switch(scene->timer, before);
    SCREE_TRY(scree_comm_agree(scene->comm, md->status));
    scree_md_open_ledger(md, scene);
    return SCREE_OK;
}

static enum scree_status start(void *state, struct scree_scene *scene)
{
    struct scree_md *md = state;
    set_up(md, scene);
    scree_contacts_detach_history(scene->contacts);
    SCREE_TRY(scree_md_regain(md, scene));
    SCREE_TRY(scree_md_check_overlap(md, scene, 0));
    return find_first_forces(md, scene);
}

/* Columns hold what another method, or an earlier stage of md, left there. */
static void clear_columns(const struct scree_particles *p)
{
    memset(p->load, 0, (size_t)p->n_owned * sizeof *p->load);
    for (scree_lid i = 0; i < p->n_owned && p->now_vel != NULL; i++) p->now_vel[i][3] = -1.0;
    if (p->gear != NULL) memset(p->gear, 0, (size_t)p->n_owned * sizeof *p->gear);
}

static enum scree_status take_over(void *state, struct scree_scene *scene, int64_t tick)
{
    struct scree_md *md = state;
    md->step = tick;
    md->warnings.time = scree_scene_time(scene, tick);
    clear_columns(scene->particles);
    set_up(md, scene);
    SCREE_TRY(scree_md_take_forces(md, scene));
    return find_first_forces(md, scene);
}

/* Forces came with the grains, contact history with the records. */
static enum scree_status resume(void *state, struct scree_scene *scene, int64_t tick)
{
    struct scree_md *md = state;
    md->step = tick;
    if (scene->comm->rank != 0) {
        memset(md->ledger.loss, 0, sizeof md->ledger.loss);
        md->half_ended = 0;
    }
    scree_walls_move(scene->walls, scree_scene_time(scene, md->step));
    scree_deformation_walls_follow(scene->walls, &scene->domain->cell, &scene->domain->box);
    set_quanta(md, scene);
    SCREE_TRY(scree_md_regain(md, scene));
    scree_md_recall_membranes(md, scene);
    return SCREE_OK;
}

static int history(const void *values, const struct scree_laws *laws, uint32_t *odd)
{
    (void)values;
    *odd = scree_laws_odd(laws);
    return scree_laws_n_history(laws);
}

static void load(const void *state, const struct scree_scene *scene, scree_lid i, double force[3],
                 double torque[3])
{
    const struct scree_md *md = state;
    const int64_t *quanta = scene->particles->load[i];
    for (int a = 0; a < 3; a++) {
        force[a] = md->force_quantum * (double)quanta[a];
        torque[a] = md->torque_quantum * (double)quanta[4 + a];
    }
}

static void destroy(void **state)
{
    struct scree_md *md = *state;
    if (md == NULL) return;
    scree_alloc_free(md->queue);
    scree_alloc_free(md->impact);
    scree_alloc_free(md->batch);
    scree_alloc_free(md->node_work);
    scree_alloc_free(md);
    *state = NULL;
}

static const char *const phases[] = {"integrate", "contacts", NULL};

static const struct scree_field fields[] = {
    {"half_step", SCREE_FIELD_INTEGER, offsetof(struct scree_md, half_step), 0},
    {"force_quantum", SCREE_FIELD_REAL, offsetof(struct scree_md, force_quantum), 0},
    {"torque_quantum", SCREE_FIELD_REAL, offsetof(struct scree_md, torque_quantum), 0},
    {"half_ended", SCREE_FIELD_INTEGER, offsetof(struct scree_md, half_ended), 0},
    {"first_energy", SCREE_FIELD_REAL, offsetof(struct scree_md, first_energy), 0},
    {"first_turnover", SCREE_FIELD_REAL, offsetof(struct scree_md, first_turnover), 0},
    {"ledger_quantum", SCREE_FIELD_REAL, offsetof(struct scree_md, ledger.quantum), 0},
    {"losses", SCREE_FIELD_INTEGER, offsetof(struct scree_md, ledger.loss), 4 * SCREE_N_LOSSES},
    {NULL, SCREE_FIELD_REAL, 0, 0},
};

const struct scree_stepper scree_md_stepper = {
    .name = "md",
    .summary = "soft-sphere molecular dynamics: forces from overlaps, velocity Verlet",
    .can = SCREE_CAN_WALLS | SCREE_CAN_SERVOS | SCREE_CAN_GLUE | SCREE_CAN_MEMBRANES |
           SCREE_CAN_DEFORM | SCREE_CAN_WEDGE | SCREE_CAN_GRAVITY | SCREE_CAN_BACKGROUND |
           SCREE_CAN_CHANGE_GRAINS | SCREE_CAN_CHANGE_FRICTION | SCREE_CAN_ORIENT,
    .keys = scree_md_keys,
    .values_size = sizeof(struct scree_md_values),
    .phases = phases,
    .lines = scree_md_energy_lines,
    .grain_bytes = 900.0,
    .grain_step = 100e-9,
    .saved_size = offsetof(struct scree_md, inverse_force),
    .fields = fields,
    .check = scree_md_check_keys,
    .keep_columns = scree_md_keep_columns,
    .history = history,
    .examine = scree_md_examine,
    .choose_step = scree_md_choose_step,
    .create = create,
    .destroy = destroy,
    .start = start,
    .resume = resume,
    .take_over = take_over,
    .advance = advance,
    .before_change = scree_md_before_change,
    .after_change = scree_md_after_change,
    .settle = scree_md_settle,
    .velocity = scree_md_velocity,
    .load = load,
    .contacts = scree_md_show_contacts,
    .energies = energies,
    .advise = scree_md_advise,
};
