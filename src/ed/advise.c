/* SPDX-License-Identifier: BSD-3-Clause
 * What ed says to the user, by occasion. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ed_impl.h"
#include "scree/log.h"
#include "scree/vec.h"

static const double pi = 3.14159265358979323846;

/* Means over all grains. */
struct gas {
    double n, radius, solid, square_speed; /* of one velocity component */
};

static struct gas measure(const struct scree_scene *scene)
{
    const struct scree_particles *p = scene->particles;
    const struct scree_box *box = &scene->domain->box;
    struct scree_exact sum[4];
    double volume = 1.0;
    for (int k = 0; k < 4; k++) scree_exact_clear(&sum[k]);
    for (scree_lid i = 0; i < p->n_owned; i++) {
        double r = p->pos[i][3];
        scree_exact_add(&sum[0], 1.0);
        scree_exact_add(&sum[1], r);
        scree_exact_add(&sum[2], box->dimension == 3 ? 4.0 / 3.0 * pi * r * r * r : pi * r * r);
        scree_exact_add(&sum[3], scree_vec_dot(p->vel[i], p->vel[i]) / box->dimension);
    }
    scree_comm_sum_exact(scene->comm, sum, 4);
    for (int a = 0; a < box->dimension; a++) volume *= box->length[a];
    double n = scree_exact_value(&sum[0]);
    return (struct gas){n, scree_exact_value(&sum[1]) / n, scree_exact_value(&sum[2]) / volume,
                        scree_exact_value(&sum[3]) / n};
}

/* s; between two collisions of a grain, by Enskog's theory of equal grains with the contact value
 * of Carnahan and Starling, in two dimensions that of Henderson. */
static double free_time(const struct gas *gas, const struct scree_box *box)
{
    double nu = gas->solid, volume = 1.0, d = 2.0 * gas->radius, v = sqrt(gas->square_speed);
    for (int a = 0; a < box->dimension; a++) volume *= box->length[a];
    double density = gas->n / volume, out = 1.0 - nu;
    if (!(v > 0.0) || !(out > 0.0)) return INFINITY;
    if (box->dimension == 3)
        return 1.0 / (4.0 * sqrt(pi) * density * d * d * (1.0 - 0.5 * nu) / (out * out * out) * v);
    return 1.0 / (2.0 * sqrt(pi) * density * d * (1.0 - 7.0 / 16.0 * nu) / (out * out) * v);
}

/* The smallest there is. */
static double least_restitution(const struct scree_scene *scene)
{
    double r = 1.0;
    for (int k = 0; k < scene->laws->n_pairs; k++)
        r = fmin(r, scene->laws->pair[k].rigid.restitution);
    return r;
}

/* Does nothing give it energy? */
static bool cools(const struct scree_ed *ed, const struct scree_scene *scene)
{
    bool driven =
        scree_vec_norm(scene->gravity) > 0.0 || scene->cell_control->on || ed->values->growth > 0.0;
    for (int w = 0; w < scene->walls->n; w++)
        driven = driven || scree_vec_norm(scene->walls->wall[w].steady) > 0.0;
    return !driven && least_restitution(scene) < 1.0;
}

/* How many collisions there will be: at the rate of the start, or by Haff's law. Grains in clusters
 * collide far more often. */
static void tell_cost(const struct scree_ed *ed, const struct scree_scene *scene,
                      const struct gas *gas, double free_time, double duration)
{
    static const double pace = 0.5e6; /* 1/s; collisions on one core, about */
    const double r = least_restitution(scene), part = duration / free_time;
    const double loss = 0.5 * (1.0 - r * r) / scene->domain->box.dimension;
    const bool cooling = cools(ed, scene);
    if (!(part < INFINITY)) return;
    double each = cooling ? log1p(loss * part) / loss : part, seconds = 0.5 * each * gas->n / pace;
    scree_log(SCREE_LOG_INFO,
              "that makes %.3g collisions per grain in %g s, %s, and some %.2g s of a core at 2 us "
              "each%s",
              each, duration, cooling ? "by Haff's law" : "at this rate", seconds,
              cooling ? "; many more if clusters grow" : "");
}

static void tell_gas(const struct scree_ed *ed, struct scree_scene *scene,
                     const struct scree_prospect *prospect)
{
    struct gas gas = measure(scene);
    double time = free_time(&gas, &scene->domain->box);
    scree_log(SCREE_LOG_INFO, "solid fraction of the box %.4g; contact time t_c %g s", gas.solid,
              ed->values->contact_time);
    if (time < INFINITY)
        scree_log(SCREE_LOG_INFO,
                  "a grain collides every %.3g s at first, if the gas is homogeneous: a step of "
                  "%g s holds %.3g collisions per grain",
                  time, scene->dt, scene->dt / time);
    tell_cost(ed, scene, &gas, time, prospect->duration);
    if (least_restitution(scene) < 1.0 && ed->values->contact_time == 0.0)
        scree_log(SCREE_LOG_WARNING,
                  "collisions lose energy and events.contact_time is 0: should grains collapse, "
                  "that is collide without end in no time, the run will end");
}

static void tell_work(const struct scree_ed *ed, const struct scree_scene *scene)
{
    enum { EVENTS, REDONE, EXITS, STALE, BYTES, GRAINS, N };
    int64_t sum[N] = {ed->n_events, ed->n_redone, ed->n_exits, ed->n_stale, 0, 0};
    int64_t windows = ed->n_windows, rounds = ed->n_rounds;
    if (ed->engine != NULL) {
        const struct scree_ed_engine *e = ed->engine;
        const int64_t last[N] = {
            e->n_events, e->n_redone, e->n_exits, e->n_stale, (int64_t)scree_ed_engine_bytes(e),
            e->n_owned};
        for (int k = 0; k < N; k++) sum[k] += last[k];
        windows += ed->ranks->n_windows;
        rounds += ed->ranks->n_rounds;
    }
    double seconds = scene->timer->seconds[SCREE_ED_PHASE_EVENTS];
    scree_comm_sum_int(scene->comm, sum, N);
    scree_comm_max(scene->comm, &seconds, 1);
    if (sum[EVENTS] == 0 || sum[GRAINS] == 0) return;
    double events = (double)sum[EVENTS];
    scree_log(SCREE_LOG_INFO,
              "engine: %.3g million events per second; %.0f bytes per grain, replicas "
              "included; for each collision %.3g new lists and %.3g events that were out of date",
              1e-6 * (events - (double)sum[REDONE]) / fmax(seconds, 1e-9),
              (double)sum[BYTES] / (double)sum[GRAINS], (double)sum[EXITS] / events,
              (double)sum[STALE] / events);
    if (scene->comm->n_ranks == 1 || windows == 0) return;
    scree_log(SCREE_LOG_INFO,
              "ranks: %lld windows, %.1f rounds of messages each; %.3g of all events happened "
              "again",
              (long long)windows, (double)rounds / (double)windows, (double)sum[REDONE] / events);
}

static void warn_growing(const struct scree_ed *ed, const struct scree_scene *scene)
{
    double elapsed = scree_scene_time(scene, ed->tick) - ed->epoch;
    if (!(ed->values->growth > 0.0) || ed->grown_events > 0) return;
    scree_log(SCREE_LOG_WARNING,
              "grains still grow: radii are %.6g times the first ones, the reduced pressure is "
              "%.4g; let the run last longer",
              ed->grown * (1.0 + ed->growth * elapsed), ed->pressure);
}

enum scree_status scree_ed_advise(void *state, struct scree_scene *scene,
                                  const struct scree_advice *advice)
{
    struct scree_ed *ed = state;
    switch (advice->occasion) {
    case SCREE_ADVISE_CHECK:
    case SCREE_ADVISE_START: tell_gas(ed, scene, advice->prospect); break;
    case SCREE_ADVISE_PROGRESS:
    case SCREE_ADVISE_REPORT: break;
    case SCREE_ADVISE_END:
        warn_growing(ed, scene);
        tell_work(ed, scene);
        break;
    case SCREE_ADVISE_LEDGER:
        snprintf(advice->text, advice->size, "collisions conserve energy but for rounding");
        break;
    }
    return SCREE_OK;
}
