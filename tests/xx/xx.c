/* SPDX-License-Identifier: BSD-3-Clause
 * A method as small as can be, to test what methods are promised: grains fly straight on, nobody
 * touches anybody. It is one folder and one line in a list; nothing else of scree knows it. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "scree/alloc.h"
#include "scree/stepper.h"

struct values {
    double pace;
};

struct state {
    double first_energy; /* J; saved */
    const struct values *values;
    int64_t tick;
};

static const struct scree_param params[] = {
    {"pace", SCREE_PARAM_REAL, "1", 0, INFINITY, "1", NULL, offsetof(struct values, pace),
     "ways are so many times as long"},
    {0},
};
static const struct scree_method_keys keys[] = {{"time", "how xx flies", params, true}, {0}};
static const char *const phases[] = {"fly", NULL};
static const struct scree_energy_line lines[] = {
    {"kinetic energy", SCREE_ENERGY_KINETIC, 0},
    {"rotational energy", SCREE_ENERGY_ROTATIONAL, 0},
    {0},
};
static const struct scree_field fields[] = {
    {"first_energy", SCREE_FIELD_REAL, offsetof(struct state, first_energy), 0},
    {NULL, SCREE_FIELD_REAL, 0, 0},
};

static void create(void **state, struct scree_scene *scene, const void *values)
{
    struct state *xx = *state = scree_alloc(1, sizeof *xx);
    (void)scene;
    *xx = (struct state){.values = values};
}

static void destroy(void **state)
{
    scree_alloc_free(*state);
    *state = NULL;
}

static double square(const double v[3])
{
    return v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
}

static void energies(void *state, struct scree_scene *scene, struct scree_energies *e)
{
    const struct state *xx = state;
    const struct scree_particles *p = scene->particles;
    struct scree_exact sum[2];
    scree_exact_clear(&sum[0]);
    scree_exact_clear(&sum[1]);
    for (scree_lid i = 0; i < p->n_owned; i++) {
        double moment = scene->inertia_factor * p->mass[i] * p->pos[i][3] * p->pos[i][3];
        scree_exact_add(&sum[0], 0.5 * p->mass[i] * square(p->vel[i]));
        scree_exact_add(&sum[1], 0.5 * moment * square(p->spin[i]));
    }
    scree_comm_sum_exact(scene->comm, sum, 2);
    for (int k = 0; k < 2; k++) e->value[k] = scree_exact_value(&sum[k]);
    e->closure = e->value[0] + e->value[1] - xx->first_energy;
    e->turnover = xx->first_energy;
}

static enum scree_status start(void *state, struct scree_scene *scene)
{
    struct state *xx = state;
    struct scree_energies e;
    energies(state, scene, &e);
    xx->first_energy = e.closure;
    return SCREE_OK;
}

static enum scree_status resume(void *state, struct scree_scene *scene, int64_t tick)
{
    (void)scene;
    ((struct state *)state)->tick = tick;
    return SCREE_OK;
}

static void fly(const struct state *xx, struct scree_scene *scene)
{
    const struct scree_box *box = &scene->domain->box;
    struct scree_particles *p = scene->particles;
    for (scree_lid i = 0; i < p->n_owned; i++) {
        for (int a = 0; a < box->dimension; a++)
            p->pos[i][a] =
                scree_box_snap(box, a, p->pos[i][a] + xx->values->pace * p->vel[i][a] * scene->dt);
        scree_box_wrap(box, p->pos[i], p->image[i]);
    }
}

static enum scree_status advance(void *state, struct scree_scene *scene, int64_t tick,
                                 struct scree_energies *e)
{
    struct state *xx = state;
    enum scree_phase before = scree_timer_switch(scene->timer, SCREE_PHASE_METHOD);
    for (; xx->tick < tick; xx->tick++) fly(xx, scene);
    scree_timer_switch(scene->timer, before);
    if (e != NULL) energies(state, scene, e);
    return SCREE_OK;
}

static void before_change(void *state, struct scree_scene *scene, enum scree_change change)
{
    (void)state, (void)scene, (void)change;
}

static enum scree_status after_change(void *state, struct scree_scene *scene,
                                      enum scree_change change)
{
    (void)state, (void)scene, (void)change;
    return SCREE_OK;
}

static void velocity(const void *state, const struct scree_scene *scene, scree_lid i, double v[3],
                     double w[3])
{
    (void)state;
    memcpy(v, scene->particles->vel[i], 3 * sizeof *v);
    memcpy(w, scene->particles->spin[i], 3 * sizeof *w);
}

static void load(const void *state, const struct scree_scene *scene, scree_lid i, double force[3],
                 double torque[3])
{
    (void)state, (void)scene, (void)i;
    memset(force, 0, 3 * sizeof *force);
    memset(torque, 0, 3 * sizeof *torque);
}

static void contacts(void *state, struct scree_scene *scene, scree_contact_listener *listen,
                     void *context)
{
    (void)state, (void)scene, (void)listen, (void)context;
}

extern const struct scree_stepper scree_xx_stepper;
const struct scree_stepper scree_xx_stepper = {
    .name = "xx",
    .summary = "free flight",
    .keys = keys,
    .values_size = sizeof(struct values),
    .phases = phases,
    .lines = lines,
    .grain_step = 50e-9,
    .saved_size = sizeof(double),
    .fields = fields,
    .create = create,
    .destroy = destroy,
    .start = start,
    .resume = resume,
    .advance = advance,
    .before_change = before_change,
    .after_change = after_change,
    .velocity = velocity,
    .load = load,
    .contacts = contacts,
    .energies = energies,
};
