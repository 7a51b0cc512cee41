/* SPDX-License-Identifier: BSD-3-Clause
 * One method goes, another one comes: between them are grains with velocities, and contacts with
 * what they bear. Neither method knows the other. */
#include <math.h>
#include <string.h>

#include "scree/alloc.h"
#include "scree/run.h"

/* Contacts of the method that goes. */
struct collection {
    const struct scree_scene *scene;
    struct scree_contact_rows rows;
    int64_t capacity;
    struct scree_exact normal; /* N; sum of normal forces */
};

static void add_contact(void *context, const struct scree_contact *contact)
{
    struct collection *c = context;
    double handed[SCREE_HANDED];
    memcpy(handed + SCREE_HANDED_FORCE, contact->force, sizeof contact->force);
    memcpy(handed + SCREE_HANDED_COUPLE, contact->couple, sizeof contact->couple);
    scree_contact_rows_add(&c->rows, &c->capacity, SCREE_HANDED, c->scene->contacts,
                           c->scene->particles, contact, handed);
    if (contact->owned[0] >= 0) scree_exact_add(&c->normal, fabs(contact->normal_force));
}

static void collect(struct scree_run *run, struct collection *c, struct scree_run_handover *h)
{
    *c = (struct collection){.scene = &run->scene};
    scree_exact_clear(&c->normal);
    if (!run->stepper->has_no_steps) /* otherwise they were collisions, and bear nothing */
        run->stepper->contacts(run->state, &run->scene, add_contact, c);
    int64_t n = c->rows.n;
    scree_comm_sum_int(run->scene.comm, &n, 1);
    scree_comm_sum_exact(run->scene.comm, &c->normal, 1);
    h->contacts = (double)n;
    h->mean_force = n > 0 ? scree_exact_value(&c->normal) / (double)n : 0.0;
}

/* N; net force of the grains that move, root mean square; NAN if collisions are all there is. */
static double measure_unbalance(struct scree_run *run)
{
    const struct scree_scene *scene = &run->scene;
    if (run->stepper->has_no_steps) return NAN;
    const struct scree_particles *p = scene->particles;
    struct scree_exact sum;
    int64_t n = 0;
    scree_exact_clear(&sum);
    for (scree_lid i = 0; i < p->n_owned; i++) {
        double force[3], torque[3], v[3], w[3], square = 0.0;
        if (!(p->vel[i][3] > 0.0)) continue;
        run->stepper->load(run->state, scene, i, force, torque);
        run->stepper->velocity(run->state, scene, i, v, w);
        for (int a = 0; a < 3; a++) {
            force[a] += p->mass[i] * scene->gravity[a] - scene->background_friction * v[a];
            square += force[a] * force[a];
        }
        scree_exact_add(&sum, square);
        n++;
    }
    scree_comm_sum_exact(scene->comm, &sum, 1);
    scree_comm_sum_int(scene->comm, &n, 1);
    return n > 0 ? sqrt(scree_exact_value(&sum) / (double)n) : 0.0;
}

/* Columns may hold velocities of another moment. */
static void set_velocities(struct scree_run *run)
{
    struct scree_particles *p = run->scene.particles;
    size_t n = (size_t)p->n_owned;
    double(*v)[6] = scree_alloc(n + 1, sizeof *v);
    for (size_t i = 0; i < n; i++)
        run->stepper->velocity(run->state, &run->scene, (scree_lid)i, v[i], v[i] + 3);
    for (size_t i = 0; i < n; i++) {
        memcpy(p->vel[i], v[i], 3 * sizeof(double));
        memcpy(p->spin[i], v[i] + 3, 3 * sizeof(double));
    }
    scree_alloc_free(v);
}

static bool is_stored(enum scree_energy_kind kind)
{
    return kind != SCREE_ENERGY_LOST && kind != SCREE_ENERGY_WORK;
}

/* J; all that is stored. */
static double sum_stored(const struct scree_run *run, const struct scree_energies *e)
{
    const struct scree_energy_line *line = scree_run_lines(run);
    double sum = 0.0;
    for (int k = 0; line[k].name != NULL; k++) sum += is_stored(line[k].kind) ? e->value[k] : 0.0;
    return sum;
}

/* What the method that goes has lost; returns what it has stored. */
static double close_ledger(struct scree_run *run)
{
    struct scree_run_ledger *ledger = &run->ledger;
    struct scree_energies e;
    scree_run_compute_energies(run, &e);
    for (int k = 0; ledger->line[k].name != NULL; k++)
        ledger->before[k] = is_stored(ledger->line[k].kind) ? 0.0 : e.value[k];
    ledger->closure = e.closure;
    ledger->turnover = e.turnover;
    return sum_stored(run, &e);
}

/* The last line is that of hand-overs. */
static void open_ledger(struct scree_run *run, double stored, struct scree_run_handover *h)
{
    struct scree_run_ledger *ledger = &run->ledger;
    struct scree_energies e;
    int last = 0;
    while (ledger->line[last + 1].name != NULL) last++;
    scree_run_compute_energies(run, &e);
    h->work = sum_stored(run, &e) - stored;
    ledger->before[last] -= h->work;
}

/* Work of servos is kept as that of a step before: the present one must not change with its length.
 * `sign` 1: to what it is now; -1: back, after the step has changed. */
static void convert_servo_work(const struct scree_scene *scene, double sign)
{
    for (int w = 0; w < scene->walls->n; w++)
        for (int s = 0; s < SCREE_WALL_SERVOS; s++) {
            struct scree_servo *servo = scree_wall_servo(&scene->walls->wall[w], s);
            if (servo == NULL) continue;
            servo->state.work -= sign * 0.5 * scene->dt * servo->state.force * servo->state.rate;
        }
}

static void set_clock(struct scree_run *run, double dt)
{
    struct scree_scene *scene = &run->scene;
    scene->since_time = scree_run_time(run);
    scene->since_tick = run->tick;
    scene->dt = dt;
}

/* Contacts of the new method, with the rows as the records of its grains; none if it remembers
 * nothing of contacts. */
static enum scree_status give_contacts(struct scree_run *run, struct scree_contact_rows *rows)
{
    struct scree_scene *scene = &run->scene;
    const bool remembers = run->stepper->history != NULL;
    const double skin = scene->contacts->list.skin;
    const int64_t n_rebuilds = scene->contacts->n_rebuilds,
                  n_near_updates = scene->contacts->n_near_updates;
    scree_contacts_destroy(&scene->contacts);
    scree_run_create_contacts(run, skin, remembers ? SCREE_HANDED : 0,
                              remembers ? SCREE_HANDED_ODD : 0);
    scene->contacts->n_rebuilds = n_rebuilds;
    scene->contacts->n_near_updates = n_near_updates;
    if (!remembers) return SCREE_OK;
    return scree_contacts_import(scene->contacts, scene->comm, scene->particles, rows);
}

enum scree_status scree_run_hand_over(struct scree_run *run, int method, double dt,
                                      struct scree_run_handover *h)
{
    struct collection collection;
    collect(run, &collection, h);
    const double scale = h->mean_force > 0.0 ? 1.0 / h->mean_force : 0.0;
    h->unbalanced[0] = scale * measure_unbalance(run);
    double stored = close_ledger(run);
    set_velocities(run);
    run->stepper->destroy(&run->state);
    convert_servo_work(&run->scene, 1.0);
    set_clock(run, dt);
    scree_run_choose_method(run, method);
    enum scree_status status = give_contacts(run, &collection.rows);
    scree_contact_rows_clear(&collection.rows);
    SCREE_TRY(scree_comm_agree(run->scene.comm, status));
    run->stepper->create(&run->state, &run->scene, run->values);
    SCREE_TRY(run->stepper->take_over(run->state, &run->scene, run->tick));
    convert_servo_work(&run->scene, -1.0);
    open_ledger(run, stored, h);
    h->unbalanced[1] = scale * measure_unbalance(run);
    return SCREE_OK;
}
