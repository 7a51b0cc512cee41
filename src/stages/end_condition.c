/* SPDX-License-Identifier: BSD-3-Clause
 * Conditions with which a stage or a run ends: what is measured for each, the same on all ranks. */
#include "scree/end_condition.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "end_condition_list.h"
#include "scree/run.h"
#include "scree/vec.h"

static const char *const words[SCREE_N_CONDITIONS] = {"kinetic/elastic energy",
                                                      "largest speed",
                                                      "coordination",
                                                      "servos off target",
                                                      "displacement of",
                                                      "strain of",
                                                      "shear of",
                                                      "angle of",
                                                      "force on",
                                                      "stress on",
                                                      "contacts of",
                                                      "grains beyond the plane",
                                                      "strain",
                                                      "stress",
                                                      "pressure",
                                                      "solid fraction"};
static const char *const units[SCREE_N_CONDITIONS] = {"", " m/s", "",   "", " m", "",
                                                      "", " rad", " N", "", "",   ""};

static void add_count(struct scree_condition *list, int *n, enum scree_condition_kind what,
                      const char *wall, const struct scree_end_condition_count *count)
{
    if (count->at_least != INT64_MIN)
        list[(*n)++] = (struct scree_condition){what, 0, wall, ">=", (double)count->at_least};
    if (count->at_most != INT64_MIN)
        list[(*n)++] = (struct scree_condition){what, 0, wall, "<=", (double)count->at_most};
}

static int list_conditions(const struct scree_end_condition *u, const struct scree_walls *walls,
                           struct scree_condition *list)
{
    const double limit[SCREE_CONDITION_FORCE] = {u->energy_ratio, u->speed,        u->coordination,
                                                 u->servos,       u->displacement, u->strain,
                                                 u->shear,        u->angle};
    const char *name = u->wall >= 0 ? walls->wall[u->wall].name : NULL;
    int n = 0;
    for (enum scree_condition_kind q = 0; q < SCREE_CONDITION_FORCE; q++) {
        bool below = q == SCREE_CONDITION_ENERGY_RATIO || q == SCREE_CONDITION_SPEED ||
                     q == SCREE_CONDITION_SERVOS;
        const char *wall = q >= SCREE_CONDITION_DISPLACEMENT ? name : NULL;
        if (!isnan(limit[q]))
            list[n++] = (struct scree_condition){q, 0, wall, below ? "<" : ">=", limit[q]};
    }
    n = scree_end_condition_list_range(list, n, SCREE_CONDITION_FORCE, 0, name, &u->force);
    n = scree_end_condition_list_range(list, n, SCREE_CONDITION_STRESS, 0, name, &u->stress);
    if (u->touched >= 0)
        add_count(list, &n, SCREE_CONDITION_CONTACTS, walls->wall[u->touched].name, &u->contacts);
    add_count(list, &n, SCREE_CONDITION_GRAINS, NULL, &u->grains);
    return scree_end_condition_list_deformation(&u->cell, list, n);
}

static void write_condition(const struct scree_condition *c, const double *value, char *text,
                            size_t size)
{
    size_t used = strlen(text);
    const char *quote = c->of == NULL                                  ? ""
                        : c->what < SCREE_CONDITION_DEFORMATION_STRAIN ? "'"
                                                                       : "";
    if (used + 1 >= size) return;
    int n = snprintf(text + used, size - used, "%s%s%s%s%s%s", used > 0 ? ", " : "", words[c->what],
                     c->of != NULL ? " " : "", quote, c->of != NULL ? c->of : "", quote);
    used += n > 0 ? (size_t)n : 0;
    if (used + 1 >= size) return;
    const char *unit = units[c->what] != NULL ? units[c->what] : "";
    if (value == NULL)
        snprintf(text + used, size - used, " %s %g%s", c->sign, c->limit, unit);
    else
        snprintf(text + used, size - used, " %.6g%s (%s %g)", *value, unit, c->sign, c->limit);
}

void scree_end_condition_describe(const struct scree_end_condition *until,
                                  const struct scree_walls *walls, char *text, size_t size)
{
    struct scree_condition list[SCREE_MOST_CONDITIONS];
    int n = list_conditions(until, walls, list);
    text[0] = '\0';
    for (int k = 0; k < n; k++) write_condition(&list[k], NULL, text, size);
}

int64_t scree_end_condition_next(const struct scree_end_condition *u, int64_t steps)
{
    if (u->steps > 0) return steps < u->steps ? u->steps : steps + 1;
    int64_t from = steps >= u->after ? steps : u->after - 1;
    int64_t next = (from / u->check + 1) * u->check;
    return u->most > 0 && steps < u->most && next > u->most ? u->most : next;
}

static double energy_ratio(struct scree_run *run)
{
    const struct scree_energy_line *lines = scree_run_lines(run);
    struct scree_energies e;
    scree_run_compute_energies(run, &e);
    double elastic = scree_energies_sum(&e, lines, SCREE_ENERGY_ELASTIC);
    double moving = scree_energies_sum(&e, lines, SCREE_ENERGY_KINETIC) +
                    scree_energies_sum(&e, lines, SCREE_ENERGY_ROTATIONAL);
    return elastic > 0.0 ? moving / elastic : INFINITY;
}

/* Of grains that forces move. */
static double largest_speed(struct scree_run *run)
{
    const struct scree_particles *p = run->scene.particles;
    double largest = 0.0, v[3], w[3];
    for (scree_lid i = 0; i < p->n_owned; i++) {
        if (p->vel[i][3] == 0.0) continue;
        run->stepper->velocity(run->state, &run->scene, i, v, w);
        largest = fmax(largest, scree_vec_dot(v, v));
    }
    scree_comm_max(run->scene.comm, &largest, 1);
    return sqrt(largest);
}

static double coordination(struct scree_run *run)
{
    double between_grains, with_walls;
    scree_contacts_count_all(run->scene.contacts, run->scene.comm, &between_grains, &with_walls);
    return 2.0 * between_grains / (double)run->n_grains;
}

/* A target of zero is met only by no load at all. */
static double worst_servo(const struct scree_run *run)
{
    const struct scree_walls *walls = run->scene.walls;
    double worst = scree_end_condition_deformation_off_target(run);
    for (int w = 0; w < walls->n; w++) {
        const struct scree_servo_state *s = &walls->wall[w].servo.state;
        if (!walls->wall[w].servo.on || s->target + s->force == 0.0) continue;
        worst = fmax(worst, fabs(s->target + s->force) / fabs(s->target));
    }
    return worst;
}

/* Along and across the normal of a plane, as parts of the distance between the walls. */
static double strain_of(const struct scree_walls *walls, const struct scree_wall *wall, bool across)
{
    double normal[3], way[3], extent = 1.0;
    wall->shape->facing(wall->values, normal);
    for (int k = 0; k < 3; k++) {
        way[k] = wall->offset[k] - wall->staged[k];
        if (normal[k] != 0.0) extent = scree_walls_extent(walls, k, true);
    }
    double along = scree_vec_dot(way, normal);
    for (int k = 0; k < 3; k++) way[k] -= along * normal[k];
    return (across ? scree_vec_norm(way) : fabs(along)) / extent;
}

/* N; with which the grains push. */
static double force_on(struct scree_run *run, int w)
{
    const struct scree_wall *wall = &run->scene.walls->wall[w];
    struct scree_wall_total total;
    double normal[3], outwards = 0.0;
    scree_walls_total(run->scene.walls, w, run->scene.comm, &total);
    if (wall->shape->facing == NULL) return scree_vec_norm(total.force);
    wall->shape->facing(wall->values, normal);
    for (int k = 0; k < 3; k++) outwards -= total.force[k] * scree_vec_dot(wall->turn[k], normal);
    return outwards;
}

static double stress_on(struct scree_run *run, const struct scree_end_condition *u)
{
    return force_on(run, u->wall) /
           (isnan(u->area) ? scree_walls_area(run->scene.walls, u->wall) : u->area);
}

struct touching {
    scree_gid wall; /* as contacts name it */
    int64_t n;
};

static void count_contact(void *context, const struct scree_contact *contact)
{
    struct touching *touching = context;
    touching->n += contact->second == touching->wall;
}

static double count_touching(struct scree_run *run, int wall)
{
    struct touching touching = {-1 - (scree_gid)wall, 0};
    run->stepper->contacts(run->state, &run->scene, count_contact, &touching);
    scree_comm_sum_int(run->scene.comm, &touching.n, 1);
    return (double)touching.n;
}

static double count_beyond(struct scree_run *run, const struct scree_end_condition *u)
{
    const struct scree_particles *p = run->scene.particles;
    int64_t n = 0;
    for (scree_lid i = 0; i < p->n_owned; i++) {
        double d[3];
        for (int k = 0; k < 3; k++) d[k] = p->pos[i][k] - u->point[k];
        n += scree_vec_dot(d, u->normal) > 0.0;
    }
    scree_comm_sum_int(run->scene.comm, &n, 1);
    return (double)n;
}

static double displacement_of(const struct scree_wall *wall)
{
    double way[3];
    for (int k = 0; k < 3; k++) way[k] = wall->offset[k] - wall->staged[k];
    return scree_vec_norm(way);
}

static double measure(struct scree_run *run, const struct scree_end_condition *u,
                      const struct scree_condition *c)
{
    const struct scree_wall *wall = u->wall >= 0 ? &run->scene.walls->wall[u->wall] : NULL;
    switch (c->what) {
    case SCREE_CONDITION_ENERGY_RATIO: return energy_ratio(run);
    case SCREE_CONDITION_SPEED: return largest_speed(run);
    case SCREE_CONDITION_COORDINATION: return coordination(run);
    case SCREE_CONDITION_SERVOS: return worst_servo(run);
    case SCREE_CONDITION_DISPLACEMENT: return displacement_of(wall);
    case SCREE_CONDITION_STRAIN: return strain_of(run->scene.walls, wall, false);
    case SCREE_CONDITION_SHEAR: return strain_of(run->scene.walls, wall, true);
    case SCREE_CONDITION_ANGLE: return fabs(wall->angle - wall->staged_angle);
    case SCREE_CONDITION_FORCE: return force_on(run, u->wall);
    case SCREE_CONDITION_STRESS: return stress_on(run, u);
    case SCREE_CONDITION_CONTACTS: return count_touching(run, u->touched);
    case SCREE_CONDITION_GRAINS: return count_beyond(run, u);
    default: return scree_end_condition_measure_deformation(run, c);
    }
}

static bool is_met(const struct scree_condition *c, double value)
{
    if (c->sign[0] == '>') return value >= c->limit;
    return c->sign[1] == '=' ? value <= c->limit : value < c->limit;
}

bool scree_end_condition_holds(const struct scree_end_condition *until, struct scree_run *run,
                               char *text, size_t size)
{
    struct scree_condition list[SCREE_MOST_CONDITIONS];
    int n = list_conditions(until, run->scene.walls, list);
    bool all = n > 0;
    text[0] = '\0';
    for (int k = 0; k < n; k++) {
        double value = measure(run, until, &list[k]);
        all = is_met(&list[k], value) && all;
        write_condition(&list[k], &value, text, size);
    }
    return all;
}
