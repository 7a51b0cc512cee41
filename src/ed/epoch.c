/* SPDX-License-Identifier: BSD-3-Clause
 * Epochs. Times of events count from the beginning of one, so that they remain small, and all
 * grains are of one time when it begins. When it ends follows from what happened in the one before
 * and from nothing else: it is part of the method. Between epochs grains may go to other ranks. */
#include <math.h>
#include <string.h>

#include "ed_impl.h"
#include "pair.h"
#include "scree/vec.h"

/* Events of a grain in an epoch, about; and how much longer or shorter than the last it may be. */
static const double wanted_events = 30.0, most_change = 4.0;
/* How far a grain goes in an epoch at most, in diameters of the largest: times are then so precise
 * that grains do not overlap by more than 1e-13 of a diameter. */
static const double longest_way = 500.0;
static const double first_part = 0.005; /* of that, in the first epoch */

/* m/s; root of the mean square, the same on all ranks. */
static double mean_speed(const struct scree_scene *scene, int64_t *n_grains)
{
    const struct scree_particles *p = scene->particles;
    struct scree_exact sum;
    scree_exact_clear(&sum);
    *n_grains = p->n_owned;
    for (scree_lid i = 0; i < p->n_owned; i++)
        scree_exact_add(&sum, scree_vec_dot(p->vel[i], p->vel[i]));
    scree_comm_sum_exact(scene->comm, &sum, 1);
    scree_comm_sum_int(scene->comm, n_grains, 1);
    return sqrt(scree_exact_value(&sum) / (double)(*n_grains > 0 ? *n_grains : 1));
}

/* True if every grain has collided in the epoch that ends, on the mean. */
static bool choose_length(struct scree_ed *ed, struct scree_scene *scene)
{
    int64_t n, events[2] = {ed->tally.count[SCREE_ED_PAIRS], ed->tally.count[SCREE_ED_WALLS]};
    double speed = mean_speed(scene, &n), fall = scree_vec_norm(scene->gravity);
    double diameter = ed->world.radius[0] + ed->world.radius[1];
    double most = speed > 0.0 ? longest_way * diameter / speed : INFINITY;
    if (fall > 0.0) most = fmin(most, sqrt(longest_way * diameter / fall));
    scree_comm_sum_int(scene->comm, events, 2);
    double happened = 2.0 * (double)events[0] + (double)events[1] - (double)ed->epoch_events;
    double change = happened > 0.0 ? wanted_events * (double)n / happened : INFINITY;
    if (ed->epoch_length > 0.0)
        ed->epoch_length *= fmin(fmax(change, 1.0 / most_change), most_change);
    else
        ed->epoch_length = first_part * most;
    ed->epoch_length = fmin(ed->epoch_length, most);
    if (!(ed->epoch_length < INFINITY)) ed->epoch_length = 1000.0 * scene->dt; /* nobody moves */
    ed->epoch_events = 2 * events[0] + events[1];
    return happened > (double)n;
}

/* Radii are those of now; grains that have come since the last time have met nobody. */
static void greet_new(struct scree_particles *p)
{
    for (scree_lid i = 0; i < p->n_owned; i++) {
        p->flight[i][8] = p->pos[i][3];
        if (p->encounter[i][0] != 0) continue; /* gids begin with 1 */
        p->encounter[i][0] = SCREE_ED_NOBODY;
        p->flight[i][7] = -INFINITY;
    }
}

void scree_ed_forget_collisions(struct scree_particles *p)
{
    for (scree_lid i = 0; i < p->n_owned; i++) {
        memset(p->encounter[i], 0, sizeof p->encounter[i]);
        memset(p->flight[i], 0, sizeof p->flight[i]);
    }
}

/* Place and velocity after the last collision are those of now. */
static void restart_flights(struct scree_particles *p, double elapsed)
{
    for (scree_lid i = 0; i < p->n_owned; i++) {
        for (int a = 0; a < 3; a++) {
            p->flight[i][a] = p->pos[i][a];
            p->flight[i][3 + a] = p->vel[i][a];
        }
        p->flight[i][6] = 0.0;
        p->flight[i][7] -= elapsed;
        p->encounter[i][1] = 0;
        p->encounter[i][4] = p->encounter[i][2];
        p->encounter[i][2] = 0;
    }
}

void scree_ed_note_account(struct scree_ed *ed)
{
    memcpy(ed->shown.count, ed->tally.count, sizeof ed->shown.count);
    memcpy(ed->shown.sum, ed->tally.sum, sizeof ed->shown.sum);
}

enum scree_status scree_ed_epoch_begin(struct scree_ed *ed, struct scree_scene *scene, double time)
{
    double elapsed = time - ed->epoch;
    scree_ed_strain_add_flights(ed, scene->particles, &ed->tally.sum[SCREE_ED_WORK]);
    greet_new(scene->particles);
    scree_ed_world_find_radii(ed, scene);
    bool enough = choose_length(ed, scene);
    ed->epoch_before = ed->epoch;
    ed->epoch = time;
    SCREE_TRY(scree_ed_growth_step(ed, scene, elapsed, enough));
    scree_ed_strain_step(ed, scene, elapsed);
    restart_flights(scene->particles, elapsed);
    scree_ed_world_begin_epoch(ed, scene);
    scree_ed_note_account(ed);
    return SCREE_OK;
}

/* Image of the place after the last collision, from that of now. */
static void find_image(const struct scree_ed *ed, const struct scree_particles *p, scree_lid i,
                       const struct scree_ed_state *s, double t, int32_t image[3])
{
    const struct scree_box *box = &ed->world.box;
    double way[3];
    scree_ed_way(&ed->world, s, t, way);
    for (int a = 0; a < 3; a++) {
        image[a] = p->image[i][a];
        if (box->periodic[a])
            image[a] += (int32_t)lround((p->pos[i][a] - way[a] - s->x[a]) / box->length[a]);
    }
}

static void load_grain(struct scree_ed *ed, const struct scree_scene *scene, scree_lid i, double t)
{
    const struct scree_particles *p = scene->particles;
    const double *flight = p->flight[i];
    struct scree_ed_state s = {.t = flight[6], .radius = flight[8]};
    struct scree_ed_memory m = {.touched = flight[7],
                                .last = p->encounter[i][0],
                                .n = (int16_t)p->encounter[i][1],
                                .n_epoch = (int32_t)p->encounter[i][2],
                                .n_lossy = (int16_t)p->encounter[i][3]};
    struct scree_ed_grain g = {.gid = p->gid[i],
                               .inverse_mass = p->vel[i][3],
                               .species = (int16_t)p->species[i],
                               .home = scene->comm->rank,
                               .slot = i,
                               .role = SCREE_ED_OWNED};
    memcpy(s.x, flight, sizeof s.x);
    memcpy(s.v, flight + 3, sizeof s.v);
    memcpy(m.spin, p->spin[i], sizeof m.spin);
    find_image(ed, p, i, &s, t, g.image);
    scree_ed_engine_add(ed->engine, &s, &m, &g);
}

void scree_ed_epoch_unload(struct scree_ed *ed)
{
    if (ed->engine == NULL) return;
    ed->n_windows += ed->ranks->n_windows;
    ed->n_rounds += ed->ranks->n_rounds;
    ed->n_cut += ed->ranks->n_cut;
    ed->n_events += ed->engine->n_events;
    ed->n_redone += ed->engine->n_redone;
    ed->n_exits += ed->engine->n_exits;
    ed->n_stale += ed->engine->n_stale;
    scree_ed_ranks_destroy(&ed->ranks);
    scree_ed_engine_destroy(&ed->engine);
}

/* A grain on its way to its row. */
struct parcel {
    double pos[4], vel[3], spin[3], flight[9];
    int64_t slot, image[3], encounter[4];
};

static void look(const struct scree_ed *ed, int32_t i, double t, struct parcel *out)
{
    const struct scree_ed_engine *e = ed->engine;
    const struct scree_ed_state *s = &e->state[i];
    const struct scree_ed_memory *m = &e->memory[i];
    const struct scree_box *box = &ed->world.box;
    double way[3];
    int32_t image[3], unused[3] = {0, 0, 0};
    memcpy(image, e->grain[i].image, sizeof image);
    scree_ed_way(&ed->world, s, t, way);
    scree_ed_velocity(&ed->world, s, t, out->vel);
    for (int a = 0; a < 3; a++) {
        out->pos[a] = s->x[a] + way[a];
        out->spin[a] = m->spin[a];
        out->flight[a] = s->x[a];
        out->flight[3 + a] = s->v[a];
    }
    scree_box_shift(box, out->pos, image);
    scree_box_shift(box, out->flight, unused);
    for (int a = 0; a < 3; a++) out->image[a] = image[a];
    out->pos[3] = s->radius * (1.0 + ed->world.growth * t);
    out->slot = e->grain[i].slot;
    out->flight[6] = s->t;
    out->flight[7] = m->touched;
    out->flight[8] = s->radius;
    out->encounter[0] = m->last;
    out->encounter[1] = m->n;
    out->encounter[2] = m->n_epoch;
    out->encounter[3] = m->n_lossy;
}

static void write_row(struct scree_particles *p, const struct parcel *in)
{
    scree_lid i = (scree_lid)in->slot;
    for (int a = 0; a < 3; a++) {
        p->pos[i][a] = in->pos[a];
        p->vel[i][a] = in->vel[a];
        p->spin[i][a] = in->spin[a];
        p->image[i][a] = (int32_t)in->image[a];
    }
    p->pos[i][3] = in->pos[3];
    memcpy(p->encounter[i], in->encounter, sizeof in->encounter);
    memcpy(p->flight[i], in->flight, sizeof in->flight);
}

/* After rows went to other ranks: where those of our grains are now. */
static void find_rows(struct scree_ed *ed, const struct scree_scene *scene)
{
    const struct scree_particles *p = scene->particles;
    for (scree_lid k = 0; k < p->n_owned; k++) {
        int32_t i = scree_ed_map_find(&ed->engine->map, p->gid[k]);
        if (i < 0 || ed->engine->grain[i].role != SCREE_ED_OWNED)
            SCREE_ABORT("the row of grain %lld is on another rank than the grain",
                        (long long)p->gid[k]);
        ed->engine->grain[i].slot = k;
        ed->engine->grain[i].home = scene->comm->rank;
    }
}

/* Records of collisions that are not with the rows of their grains go there: to the rank that has
 * the row before rows move (`home` of the record), or else to the owner of the brick after. */
static void send_records(struct scree_ed *ed, struct scree_scene *scene, bool to_owner)
{
    struct scree_ed_tally *tally = &ed->tally;
    const struct scree_particles *p = scene->particles;
    struct scree_ed_map row = {NULL, 0, 0};
    struct scree_ed_mail mail;
    size_t n = 0, words = sizeof *tally->record / sizeof(uint64_t);
    scree_ed_mail_create(&mail, scene->comm->n_ranks);
    if (to_owner)
        for (scree_lid i = 0; i < p->n_owned; i++) scree_ed_map_put(&row, p->gid[i], i);
    for (size_t k = 0; k < tally->n_records; k++) {
        struct scree_ed_record *r = &tally->record[k];
        if (to_owner) {
            int32_t i = scree_ed_map_find(&row, r->of_second ? r->second : r->first);
            if (i < 0) SCREE_ABORT("no row for a collision of grain %lld", (long long)r->first);
            r->home = scene->domain->bricks.owner[scree_bricks_find(
                &scene->domain->bricks, &scene->domain->box, p->pos[i])];
        }
        if (r->home == scene->comm->rank)
            tally->record[n++] = *r;
        else
            scree_ed_mail_add(&mail, r->home, r, sizeof *r);
    }
    tally->n_records = n;
    scree_ed_mail_exchange(&mail, &ed->link);
    for (size_t at = 0; at < mail.n_received; at += words) {
        struct scree_ed_record r;
        memcpy(&r, mail.received + at, sizeof r);
        SCREE_ED_APPEND(tally->record, tally->n_records, tally->record_capacity, r);
    }
    scree_ed_map_clear(&row);
    scree_ed_mail_clear(&mail);
}

/* Give bricks to other ranks if that pays, then rows to the owners of their bricks. */
static enum scree_status balance(struct scree_ed *ed, struct scree_scene *scene)
{
    struct scree_particles *p = scene->particles;
    struct scree_balance *b = scene->balance;
    const double busy[SCREE_BALANCE_KINDS] = {[SCREE_BALANCE_CONTACTS] =
                                                  scene->timer->seconds[SCREE_ED_PHASE_EVENTS]};
    int64_t step = b->force_every > 0 ? ed->tick : ed->n_windows;
    double began = scree_timer_now();
    bool moved = false;
    for (scree_lid i = 0; i < p->n_owned; i++) { /* its share of the work */
        p->records[i][0] = 0;
        p->records[i][1] = (int32_t)p->encounter[i][2];
    }
    enum scree_phase before = scree_timer_switch(scene->timer, SCREE_PHASE_BALANCE);
    enum scree_status status =
        scree_balance_decide(b, scene->domain, scene->comm, p, busy, step, &moved);
    scree_timer_switch(scene->timer, SCREE_PHASE_MIGRATE);
    if (status == SCREE_OK) {
        if (scene->comm->n_ranks > 1) send_records(ed, scene, true);
        scree_domain_migrate(scene->domain, scene->comm, p, NULL);
        if (moved) scree_balance_paid(b, scene->comm, scree_timer_now() - began);
    }
    scree_timer_switch(scene->timer, before);
    return status;
}

enum scree_status scree_ed_epoch_load(struct scree_ed *ed, struct scree_scene *scene, double t)
{
    SCREE_TRY(balance(ed, scene));
    scree_ed_engine_create(&ed->engine, &ed->world, &ed->tally, scene->comm->n_ranks > 1);
    scree_ed_engine_reserve(ed->engine, (size_t)scene->particles->n_owned);
    for (scree_lid i = 0; i < scene->particles->n_owned; i++) load_grain(ed, scene, i, t);
    scree_ed_ranks_create(&ed->ranks, ed->engine, &ed->link, &scene->domain->bricks, t,
                          ed->values->window);
    return SCREE_OK;
}

static void receive_rows(struct scree_particles *p, const struct scree_ed_mail *mail)
{
    size_t words = sizeof(struct parcel) / sizeof(uint64_t);
    for (size_t at = 0; at < mail->n_received; at += words) {
        struct parcel in;
        memcpy(&in, mail->received + at, sizeof in);
        write_row(p, &in);
    }
}

void scree_ed_epoch_show(struct scree_ed *ed, struct scree_scene *scene, double t)
{
    const struct scree_ed_engine *e = ed->engine;
    struct scree_ed_mail mail;
    int64_t moved = ed->ranks->moved;
    scree_comm_sum_int(scene->comm, &moved, 1);
    scree_ed_mail_create(&mail, scene->comm->n_ranks);
    for (int32_t i = 0; i < e->n_slots; i++) {
        struct parcel out;
        if (e->grain[i].role != SCREE_ED_OWNED) continue;
        look(ed, i, t, &out);
        if (e->grain[i].home == scene->comm->rank)
            write_row(scene->particles, &out);
        else
            scree_ed_mail_add(&mail, e->grain[i].home, &out, sizeof out);
    }
    if (moved > 0) {
        scree_ed_mail_exchange(&mail, &ed->link);
        receive_rows(scene->particles, &mail);
        send_records(ed, scene, false);
        send_records(ed, scene, true);
        enum scree_phase before = scree_timer_switch(scene->timer, SCREE_PHASE_MIGRATE);
        scree_domain_migrate(scene->domain, scene->comm, scene->particles, NULL);
        scree_timer_switch(scene->timer, before);
        find_rows(ed, scene);
        ed->ranks->moved = false;
    }
    scree_ed_note_account(ed);
    scree_ed_mail_clear(&mail);
}

enum scree_status scree_ed_epoch_advance(struct scree_ed *ed, struct scree_scene *scene,
                                         double time)
{
    while (time - ed->epoch >= ed->epoch_length) {
        double length = ed->epoch_length;
        SCREE_TRY(scree_ed_ranks_advance(ed->ranks, length));
        scree_ed_epoch_show(ed, scene, length);
        scree_ed_epoch_unload(ed);
        SCREE_TRY(scree_ed_epoch_begin(ed, scene, ed->epoch + length));
        SCREE_TRY(scree_ed_epoch_load(ed, scene, 0.0));
    }
    return scree_ed_ranks_advance(ed->ranks, time - ed->epoch);
}
