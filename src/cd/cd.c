/* SPDX-License-Identifier: BSD-3-Clause
 * Contact dynamics as a method: state, start and resume, changes from outside, and the stepper's
 * table entry. */
#include <math.h>
#include <string.h>

#include "cd_impl.h"
#include "scree/alloc.h"
#include "scree/deformation_walls.h"
#include "scree/status.h"

static enum scree_status advance(void *state, struct scree_scene *scene, int64_t tick,
                                 struct scree_energies *energies)
{
    struct scree_cd *cd = state;
    enum scree_status status = SCREE_OK;
    enum scree_phase before = scree_timer_switch(scene->timer, SCREE_PHASE_OTHER);
    while (cd->step < tick && status == SCREE_OK) status = scree_cd_take_step(cd, scene);
    if (status == SCREE_OK)
        scree_cd_refresh_ghosts(cd, scene); /* for whoever asks to see contacts */
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
    scree_cd_reset_slack(cd, scene);
    /* Lists reach as far as walls moved since the last call: twice, or a resumed run would have
     * lists for a wall that went all its way in one step. */
    scree_walls_move(scene->walls, scree_scene_time(scene, cd->step));
    scree_walls_move(scene->walls, scree_scene_time(scene, cd->step));
    scree_deformation_walls_follow(scene->walls, &scene->domain->cell, &scene->domain->box);
    return scree_cd_update_lists(cd, scene, true);
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
