/* SPDX-License-Identifier: BSD-3-Clause
 * What ed shows: the collisions of the last tick as contacts, energies, figures. */
#include <math.h>
#include <string.h>

#include "ed_impl.h"
#include "scree/vec.h"

const struct scree_energy_line scree_ed_energy_lines[] = {
    {"kinetic energy", SCREE_ENERGY_KINETIC, 0},
    {"rotational energy", SCREE_ENERGY_ROTATIONAL, 0},
    {"gravity", SCREE_ENERGY_GRAVITY, 0},
    {"lost in collisions", SCREE_ENERGY_LOST, 0},
    {"lost to walls and drives", SCREE_ENERGY_WORK, 0},
    {0},
};
enum { KINETIC, ROTATIONAL, GRAVITY, LOST, WORK, N_LINES };

const struct scree_figure scree_ed_figures[] = {
    {"collisions", "", false},
    {"wall collisions", "", true},
    {"elastic by t_c", "", false},
    {"collision rate", "1/s", false},
    {"collisional pressure", "Pa", false},
    {"sum over time of collisional pressure", "Pa s", true},
    {"solid fraction", "", false},
    {"pressure", "Pa", true},
    {"free time", "s", true},
    {"free path", "m", true},
    {0},
};

/* A collision is shown once, with weight 1, if both grains are here; otherwise by both ranks. */
static void show(const struct scree_scene *scene, const struct scree_ed_record *r,
                 const struct scree_ed_map *row, scree_contact_listener *listen, void *context)
{
    bool wall = r->second < 0;
    int32_t first = scree_ed_map_find(row, r->first);
    int32_t second = wall ? (int32_t)(-1 - r->second) : scree_ed_map_find(row, r->second);
    struct scree_contact c = {.first = r->first, .second = r->second, .weight = 1.0};
    if (!wall && (first < 0 || second < 0)) c.weight = 0.5;
    if (r->of_second && first >= 0) return;
    c.owned[0] = first;
    c.owned[1] = wall ? -1 : second;
    /* Of a partner on another rank there is no slot: the grain stands for it. */
    c.slot[0] = first >= 0 ? first : second;
    c.slot[1] = second >= 0 ? second : first;
    memcpy(c.branch, r->branch, sizeof c.branch);
    memcpy(c.normal, r->normal, sizeof c.normal);
    memcpy(c.impulse, r->impulse, sizeof c.impulse);
    memcpy(c.place, r->place, sizeof c.place);
    for (int a = 0; a < 3; a++) c.force[a] = r->impulse[a] / scene->dt;
    c.normal_force = r->normal_impulse / scene->dt;
    listen(context, &c);
}

void scree_ed_show_contacts(void *state, struct scree_scene *scene, scree_contact_listener *listen,
                            void *context)
{
    const struct scree_ed *ed = state;
    struct scree_ed_map row = {NULL, 0, 0};
    if (ed->tally.n_records == 0) return;
    for (scree_lid i = 0; i < scene->particles->n_owned; i++)
        scree_ed_map_put(&row, scene->particles->gid[i], i);
    for (size_t k = 0; k < ed->tally.n_records; k++)
        show(scene, &ed->tally.record[k], &row, listen, context);
    scree_ed_map_clear(&row);
}

/* Forces of the last tick, as means over it. Each collision with a wall has one record. */
void scree_ed_press_walls(struct scree_ed *ed, struct scree_scene *scene)
{
    scree_walls_clear_forces(scene->walls);
    for (size_t k = 0; k < ed->tally.n_records; k++) {
        const struct scree_ed_record *r = &ed->tally.record[k];
        double arm[3], force[3], torque[3];
        if (r->second >= 0) continue;
        struct scree_wall *wall = &scene->walls->wall[-1 - r->second];
        for (int a = 0; a < 3; a++) {
            force[a] = -r->impulse[a] / scene->dt;
            /* A plane repeats along periodic directions, and forces are where its pivot is. */
            arm[a] = r->place[a] - r->branch[a] - (wall->pivot[a] + wall->offset[a]);
            if (scene->domain->box.periodic[a]) arm[a] = 0.0;
        }
        scree_vec_cross(arm, force, torque);
        for (int a = 0; a < 3; a++) {
            scree_wide_add_rounded(&wall->force[a], force[a] / ed->quantum[0]);
            scree_wide_add_rounded(&wall->torque[a], torque[a] / ed->quantum[1]);
        }
    }
}

/* Of all grains as the columns have them. */
static void add_grains(const struct scree_scene *scene, struct scree_exact sum[GRAVITY + 1])
{
    const struct scree_particles *p = scene->particles;
    const struct scree_box *box = &scene->domain->box;
    for (scree_lid i = 0; i < p->n_owned; i++) {
        double moment = scene->inertia_factor * p->mass[i] * p->pos[i][3] * p->pos[i][3];
        scree_exact_add(&sum[KINETIC], 0.5 * p->mass[i] * scree_vec_dot(p->vel[i], p->vel[i]));
        scree_exact_add(&sum[ROTATIONAL], 0.5 * moment * scree_vec_dot(p->spin[i], p->spin[i]));
        if (p->vel[i][3] == 0.0) continue;
        for (int a = 0; a < 3; a++) {
            double weight = -p->mass[i] * scene->gravity[a];
            if (weight == 0.0) continue;
            scree_exact_add_product(&sum[GRAVITY], weight, p->pos[i][a]);
            scree_exact_add_product(&sum[GRAVITY], weight, p->image[i][a] * box->length[a]);
        }
    }
}

void scree_ed_energies(void *state, struct scree_scene *scene, struct scree_energies *energies)
{
    const struct scree_ed *ed = state;
    struct scree_exact sum[N_LINES];
    for (int k = 0; k <= GRAVITY; k++) scree_exact_clear(&sum[k]);
    add_grains(scene, sum);
    sum[LOST] = ed->tally.sum[SCREE_ED_LOSS];
    sum[WORK] = ed->tally.sum[SCREE_ED_WORK];
    scree_ed_strain_add_flights(ed, scene->particles, &sum[WORK]);
    for (int k = 0; k < N_LINES; k++) scree_exact_normalize(&sum[k]);
    scree_comm_sum_exact(scene->comm, sum, N_LINES);
    double *v = energies->value, all = 0.0;
    for (int k = 0; k < N_LINES; k++) all += v[k] = scree_exact_value(&sum[k]);
    energies->closure = all - ed->first_energy;
    energies->turnover =
        v[KINETIC] + v[ROTATIONAL] + v[LOST] + fabs(v[WORK]) + fabs(v[GRAVITY] - ed->first_height);
}

/* Of the motion of now: sum of m v^2 (J), and mean time (s) and way (m) of a grain between two
 * collisions at this rate (1/s). Collective. */
static void measure_motion(const struct scree_scene *scene, double rate, double found[3])
{
    const struct scree_particles *p = scene->particles;
    struct scree_exact sum[3];
    for (int k = 0; k < 3; k++) scree_exact_clear(&sum[k]);
    for (scree_lid i = 0; i < p->n_owned; i++) {
        double square = scree_vec_dot(p->vel[i], p->vel[i]);
        scree_exact_add(&sum[0], p->mass[i] * square);
        scree_exact_add(&sum[1], sqrt(square));
        scree_exact_add(&sum[2], 1.0);
    }
    for (int k = 0; k < 3; k++) scree_exact_normalize(&sum[k]);
    scree_comm_sum_exact(scene->comm, sum, 3);
    found[0] = scree_exact_value(&sum[0]);
    found[1] = 1.0 / rate;
    found[2] =
        rate > 0.0 ? scree_exact_value(&sum[1]) / scree_exact_value(&sum[2]) / rate : INFINITY;
}

void scree_ed_measure_figures(void *state, struct scree_scene *scene, double *value)
{
    const struct scree_ed *ed = state;
    const struct scree_ed_tally *tally = &ed->tally;
    int64_t count[SCREE_ED_COUNTS + 2];
    struct scree_exact virial[2] = {tally->sum[SCREE_ED_TICK_VIRIAL], tally->sum[SCREE_ED_VIRIAL]};
    double volume = scree_deformation_size(&scene->domain->cell, &scene->domain->box) *
                    scene->domain->box.dimension;
    memcpy(count, tally->count, sizeof tally->count);
    count[SCREE_ED_COUNTS] =
        2 * tally->count[SCREE_ED_PAIRS] + tally->count[SCREE_ED_WALLS] - tally->before;
    count[SCREE_ED_COUNTS + 1] = scene->particles->n_owned;
    scree_comm_sum_int(scene->comm, count, SCREE_ED_COUNTS + 2);
    for (int k = 0; k < 2; k++) scree_exact_normalize(&virial[k]);
    scree_comm_sum_exact(scene->comm, virial, 2);
    for (int k = 0; k < SCREE_ED_COUNTS; k++) value[k] = (double)count[k];
    value[3] = (double)count[SCREE_ED_COUNTS] / ((double)count[SCREE_ED_COUNTS + 1] * scene->dt);
    value[4] = scree_exact_value(&virial[0]) / (volume * scene->dt);
    value[5] = scree_exact_value(&virial[1]) / volume;
    value[6] = scree_ed_solid_fraction(scene);
    measure_motion(scene, value[3], &value[7]);
    value[7] = value[7] / volume + value[4];
}

void scree_ed_settle_sums(void *state, struct scree_scene *scene)
{
    struct scree_ed *ed = state;
    struct scree_ed_tally *tally = &ed->tally;
    bool first = scene->comm->rank == 0;
    scree_comm_sum_int(scene->comm, tally->count, SCREE_ED_COUNTS);
    for (int k = 0; k < SCREE_ED_SAVED_SUMS; k++) scree_exact_normalize(&tally->sum[k]);
    scree_comm_sum_exact(scene->comm, tally->sum, SCREE_ED_SAVED_SUMS);
    memcpy(ed->count, tally->count, sizeof ed->count);
    for (int k = 0; k < SCREE_ED_SAVED_SUMS; k++) {
        scree_exact_normalize(&tally->sum[k]);
        ed->sum[k] = tally->sum[k];
        if (!first) scree_exact_clear(&tally->sum[k]);
    }
    if (!first) memset(tally->count, 0, sizeof tally->count);
}
