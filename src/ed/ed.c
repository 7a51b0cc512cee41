/* SPDX-License-Identifier: BSD-3-Clause
 * Event-driven hard grains as a method: ticks are moments at which the columns show where grains
 * are; collisions happen when they happen. */
#include <math.h>
#include <string.h>

#include "ed_impl.h"
#include "scree/status.h"

static void create(void **state, struct scree_scene *scene, const void *values)
{
    struct scree_ed *ed = *state = scree_alloc(1, sizeof *ed);
    memset(ed, 0, sizeof *ed);
    ed->values = values;
    ed->line = (struct scree_ed_line){scene->comm, scene->timer};
    scree_ed_link_comm(&ed->link, &ed->line);
    scree_ed_tally_init(&ed->tally);
    for (int k = 0; k < SCREE_ED_SAVED_SUMS; k++) scree_exact_clear(&ed->sum[k]);
}

static void destroy(void **state)
{
    struct scree_ed *ed = *state;
    if (ed == NULL) return;
    scree_ed_epoch_unload(ed);
    scree_ed_world_clear(ed);
    scree_ed_tally_clear(&ed->tally);
    scree_alloc_free(ed);
    *state = NULL;
}

/* As in cd: far below the force that moves the smallest grain by a radius in a step. */
static void choose_quanta(struct scree_ed *ed, const struct scree_scene *scene)
{
    int force, length;
    frexp(scene->largest_mass * scene->largest_radius / (scene->dt * scene->dt), &force);
    frexp(scene->largest_radius, &length);
    ed->quantum[0] = ldexp(1.0, force - 60);
    ed->quantum[1] = ldexp(1.0, force + length - 60);
}

static void set_quanta(const struct scree_ed *ed, struct scree_scene *scene)
{
    scene->walls->force_quantum = ed->quantum[0];
    scene->walls->torque_quantum = ed->quantum[1];
}

/* Positions on the grid of the box, in the box. */
static void place_grains(struct scree_scene *scene)
{
    struct scree_particles *p = scene->particles;
    const struct scree_box *box = &scene->domain->box;
    for (scree_lid i = 0; i < p->n_owned; i++) {
        for (int a = 0; a < 3; a++) p->pos[i][a] = scree_box_snap(box, a, p->pos[i][a]);
        scree_box_shift(box, p->pos[i], p->image[i]);
    }
}

/* A new epoch from the columns, which are of this time. */
static enum scree_status load_anew(struct scree_ed *ed, struct scree_scene *scene, double time)
{
    scree_ed_epoch_unload(ed);
    scree_ed_world_make(ed, scene);
    place_grains(scene);
    SCREE_TRY(scree_ed_epoch_begin(ed, scene, time));
    return scree_ed_epoch_load(ed, scene, 0.0);
}

static enum scree_status begin_anew(struct scree_ed *ed, struct scree_scene *scene, double time)
{
    SCREE_TRY(load_anew(ed, scene, time));
    return scree_ed_check_overlaps(ed, scene);
}

static void open_ledger(struct scree_ed *ed, struct scree_scene *scene)
{
    struct scree_energies e;
    scree_ed_energies(ed, scene, &e);
    ed->first_energy = e.closure;
    ed->first_height = e.value[2];
}

static enum scree_status start(void *state, struct scree_scene *scene)
{
    struct scree_ed *ed = state;
    choose_quanta(ed, scene);
    set_quanta(ed, scene);
    scree_walls_move(scene->walls, 0.0);
    scree_ed_strain_take(ed, scene);
    SCREE_TRY(begin_anew(ed, scene, 0.0));
    open_ledger(ed, scene);
    return SCREE_OK;
}

/* Grains may still overlap: the stage that has begun may shrink them, and lets all begin anew. */
static enum scree_status take_over(void *state, struct scree_scene *scene, int64_t tick)
{
    struct scree_ed *ed = state;
    double time = scree_scene_time(scene, tick);
    ed->tick = tick;
    ed->epoch = time; /* none was before */
    choose_quanta(ed, scene);
    set_quanta(ed, scene);
    scree_walls_move(scene->walls, time);
    ed->grown_events = 1; /* grains grow in runs that begin with ed only */
    scree_ed_forget_collisions(scene->particles);
    scree_ed_strain_take(ed, scene);
    SCREE_TRY(load_anew(ed, scene, time));
    open_ledger(ed, scene);
    return SCREE_OK;
}

static enum scree_status resume(void *state, struct scree_scene *scene, int64_t tick)
{
    struct scree_ed *ed = state;
    ed->tick = tick;
    set_quanta(ed, scene);
    scree_ed_world_make(ed, scene);
    scree_ed_world_begin_epoch(ed, scene);
    scree_walls_move(scene->walls, scree_scene_time(scene, tick));
    if (scene->balance->force_every == 0) scene->balance->step_since = 0;
    if (scene->comm->rank == 0) {
        memcpy(ed->tally.count, ed->count, sizeof ed->count);
        memcpy(ed->tally.sum, ed->sum, sizeof ed->sum);
    }
    scree_ed_note_account(ed);
    return scree_ed_epoch_load(ed, scene, scree_scene_time(scene, tick) - ed->epoch);
}

/* Give bricks to other ranks at a tick, which changes no bit. */
static enum scree_status balance_now(struct scree_ed *ed, struct scree_scene *scene, double t)
{
    scree_ed_epoch_unload(ed);
    return scree_ed_epoch_load(ed, scene, t);
}

/* Ticks that nobody looks at. Where the box deforms each has its share in the sum of stresses over
 * time. */
static enum scree_status skip_ticks(struct scree_ed *ed, struct scree_scene *scene, int64_t tick)
{
    ed->tally.keep_records = false;
    if (ed->tick < tick && !scene->domain->cell.on)
        return scree_ed_epoch_advance(ed, scene, scree_scene_time(scene, tick));
    for (int64_t k = ed->tick + 1; k <= tick; k++) {
        double time = scree_scene_time(scene, k);
        scree_ed_tally_begin_tick(&ed->tally);
        SCREE_TRY(scree_ed_epoch_advance(ed, scene, time));
        scree_ed_epoch_show(ed, scene, time - ed->epoch);
        scree_ed_strain_show(ed, scene, time - ed->epoch);
        ed->tick = k;
    }
    return SCREE_OK;
}

/* A run that ends here ends with what the columns show. */
static void forget_since(struct scree_ed *ed)
{
    memcpy(ed->tally.count, ed->shown.count, sizeof ed->shown.count);
    memcpy(ed->tally.sum, ed->shown.sum, sizeof ed->shown.sum);
    ed->tally.n_records = 0;
}

static enum scree_status advance(void *state, struct scree_scene *scene, int64_t tick,
                                 struct scree_energies *energies)
{
    struct scree_ed *ed = state;
    enum scree_status status = SCREE_OK;
    enum scree_phase before = scree_timer_switch(scene->timer, SCREE_ED_PHASE_EVENTS);
    status = skip_ticks(ed, scene, tick - 1);
    scree_ed_tally_begin_tick(&ed->tally);
    ed->tally.keep_records = ed->values->record;
    double time = scree_scene_time(scene, tick);
    if (status == SCREE_OK) status = scree_ed_epoch_advance(ed, scene, time);
    if (status == SCREE_OK) {
        ed->tick = tick;
        scree_ed_epoch_show(ed, scene, time - ed->epoch);
        scree_ed_strain_show(ed, scene, time - ed->epoch);
        scree_walls_move(scene->walls, time);
        scree_ed_press_walls(ed, scene);
        if (scree_balance_is_due(scene->balance, tick))
            status = balance_now(ed, scene, time - ed->epoch);
    }
    scree_timer_switch(scene->timer, before);
    if (status != SCREE_OK) forget_since(ed);
    if (status == SCREE_OK && energies != NULL) scree_ed_energies(ed, scene, energies);
    return status;
}

static void before_change(void *state, struct scree_scene *scene, enum scree_change change)
{
    struct scree_ed *ed = state;
    struct scree_energies e;
    (void)change;
    scree_ed_energies(ed, scene, &e);
    ed->unchanged = e.closure;
}

static enum scree_status after_change(void *state, struct scree_scene *scene,
                                      enum scree_change change)
{
    struct scree_ed *ed = state;
    struct scree_energies now;
    SCREE_TRY(begin_anew(ed, scene, scree_scene_time(scene, ed->tick)));
    scree_ed_energies(ed, scene, &now);
    ed->first_energy += now.closure;
    if (change != SCREE_CHANGE_INPUT) ed->first_energy -= ed->unchanged;
    return SCREE_OK;
}

static void velocity(const void *state, const struct scree_scene *scene, scree_lid i,
                     double velocity[3], double spin[3])
{
    (void)state;
    memcpy(velocity, scene->particles->vel[i], 3 * sizeof *velocity);
    memcpy(spin, scene->particles->spin[i], 3 * sizeof *spin);
}

/* Collisions have no force; what they exert on the mean over a tick is that of contacts. */
static void load(const void *state, const struct scree_scene *scene, scree_lid i, double force[3],
                 double torque[3])
{
    (void)state, (void)scene, (void)i;
    memset(force, 0, 3 * sizeof *force);
    memset(torque, 0, 3 * sizeof *torque);
}

/* In this epoch and the one before. */
static double collision_rate(const void *state, const struct scree_scene *scene, scree_lid i)
{
    const struct scree_ed *ed = state;
    const int64_t *encounter = scene->particles->encounter[i];
    double time = scree_scene_time(scene, ed->tick) - ed->epoch_before;
    return time > 0.0 ? (double)(encounter[2] + encounter[4]) / time : 0.0;
}

static void keep_columns(const void *values, struct scree_scene *scene)
{
    (void)values;
    scree_particles_add_column(scene->particles, "flight");
    scree_particles_add_column(scene->particles, "encounter");
}

static const char *const phases[] = {"events", NULL};

#define SUM_WORDS ((int)(sizeof(struct scree_exact) / sizeof(int64_t)))
static const struct scree_field fields[] = {
    {"epoch", SCREE_FIELD_REAL, offsetof(struct scree_ed, epoch), 3},
    {"first_energy", SCREE_FIELD_REAL, offsetof(struct scree_ed, first_energy), 0},
    {"first_height", SCREE_FIELD_REAL, offsetof(struct scree_ed, first_height), 0},
    {"quantum", SCREE_FIELD_REAL, offsetof(struct scree_ed, quantum), 2},
    {"growth", SCREE_FIELD_REAL, offsetof(struct scree_ed, growth), 7},
    {"stretch", SCREE_FIELD_REAL, offsetof(struct scree_ed, stretch), SCREE_DEFORMATION_COMPONENTS},
    {"strain", SCREE_FIELD_REAL, offsetof(struct scree_ed, strain), SCREE_DEFORMATION_COMPONENTS},
    {"strain_rate", SCREE_FIELD_REAL, offsetof(struct scree_ed, strain_rate),
     SCREE_DEFORMATION_COMPONENTS},
    {"grown_events", SCREE_FIELD_INTEGER, offsetof(struct scree_ed, grown_events), 0},
    {"epoch_events", SCREE_FIELD_INTEGER, offsetof(struct scree_ed, epoch_events), 0},
    {"collisions", SCREE_FIELD_INTEGER, offsetof(struct scree_ed, count), SCREE_ED_COUNTS},
    {"sums", SCREE_FIELD_INTEGER, offsetof(struct scree_ed, sum), SCREE_ED_SAVED_SUMS *SUM_WORDS},
    {NULL, SCREE_FIELD_REAL, 0, 0},
};

extern const struct scree_stepper scree_ed_stepper;
const struct scree_stepper scree_ed_stepper = {
    .name = "ed",
    .summary = "event-driven hard spheres and disks: collisions one by one, free flight between",
    .can = SCREE_CAN_WALLS | SCREE_CAN_GRAVITY | SCREE_CAN_DEFORM | SCREE_CAN_CHANGE_GRAINS,
    .keys = scree_ed_keys,
    .values_size = sizeof(struct scree_ed_values),
    .phases = phases,
    .lines = scree_ed_energy_lines,
    .figures = scree_ed_figures,
    .grain_step = 1e-6, /* some collisions */
    .rigid = true,
    .has_no_steps = true,
    .saved_size = offsetof(struct scree_ed, values),
    .fields = fields,
    .check = scree_ed_check_keys,
    .keep_columns = keep_columns,
    .examine = scree_ed_examine,
    .create = create,
    .destroy = destroy,
    .start = start,
    .resume = resume,
    .take_over = take_over,
    .advance = advance,
    .before_change = before_change,
    .after_change = after_change,
    .settle = scree_ed_settle_sums,
    .velocity = velocity,
    .load = load,
    .collision_rate = collision_rate,
    .contacts = scree_ed_show_contacts,
    .energies = scree_ed_energies,
    .measure = scree_ed_measure_figures,
    .advise = scree_ed_advise,
};
