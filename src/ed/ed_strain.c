/* SPDX-License-Identifier: BSD-3-Clause
 * A periodic cell that is sheared at a constant rate (deformation.h; Lees and Edwards, J. Phys. C
 * 5, 1921 (1972)). Within an epoch F is linear in time, and so is what pair.h makes of it. When an
 * edge leans too much the epoch ends, and the same lattice gets another cell. */
#include <math.h>
#include <string.h>

#include "ed_impl.h"
#include "scree/vec.h"

/* How far an edge leans at the end of an epoch at most, in periods: when one begins with more than
 * 0.51 the cell flips. */
static const double most_lean = 0.55;

/* F of a time of this epoch. */
static void find_stretch(const struct scree_ed *ed, double t, double stretch[])
{
    double f[3][3], flow[3][3];
    scree_deformation_unpack(ed->stretch, f);
    scree_deformation_unpack(ed->strain_rate, flow);
    for (int c = 0; c < SCREE_DEFORMATION_COMPONENTS; c++) {
        int row = scree_deformation_row[c], column = scree_deformation_column[c];
        stretch[c] = ed->stretch[c];
        for (int k = row + 1; k <= column; k++) stretch[c] += t * flow[row][k] * f[k][column];
    }
}

/* Show the box of a time of this epoch. */
static void show_cell(const struct scree_ed *ed, struct scree_deformation *cell, double t)
{
    struct scree_deformation_state *s = &cell->state;
    find_stretch(ed, t, s->stretch);
    for (int c = 0; c < SCREE_DEFORMATION_COMPONENTS; c++) {
        s->strain[c] = ed->strain[c] + t * ed->strain_rate[c];
        s->stretch_rest[c] = s->strain_rest[c] = 0.0;
        s->rate[c] = ed->strain_rate[c];
    }
    scree_deformation_refresh(cell);
    memcpy(cell->flow_before, cell->flow, sizeof cell->flow);
}

void scree_ed_strain_take(struct scree_ed *ed, const struct scree_scene *scene)
{
    const struct scree_deformation_state *s = &scene->domain->cell.state;
    memcpy(ed->stretch, s->stretch, sizeof ed->stretch);
    memcpy(ed->strain, s->strain, sizeof ed->strain);
    memset(ed->strain_rate, 0, sizeof ed->strain_rate);
}

/* s; until an edge leans as far as it may. */
static double time_to_lean(const struct scree_ed *ed)
{
    const struct scree_box *box = &ed->world.box;
    double least = INFINITY, f[3][3];
    scree_deformation_unpack(ed->stretch, f);
    for (int c = SCREE_DEFORMATION_XY; c < SCREE_DEFORMATION_COMPONENTS; c++) {
        int row = scree_deformation_row[c], column = scree_deformation_column[c];
        if (ed->strain_rate[c] == 0.0) continue;
        double period = f[row][row] * box->length[row], edge = box->length[column];
        double lean = f[row][column] * edge / period;
        double rate = ed->strain_rate[c] * f[column][column] * edge / period;
        least = fmin(least, (most_lean - copysign(1.0, rate) * lean) / fabs(rate));
    }
    return least;
}

void scree_ed_strain_step(struct scree_ed *ed, struct scree_scene *scene, double elapsed)
{
    struct scree_deformation *cell = &scene->domain->cell;
    struct scree_deformation_flip flip[SCREE_DEFORMATION_MOST_FLIPS];
    if (!cell->on) return;
    show_cell(ed, cell, elapsed);
    int n = scree_deformation_apply_flips(cell, &scene->domain->box, flip);
    for (int k = 0; k < n; k++)
        scree_deformation_flip_grains(&scene->domain->box, &flip[k], scene->particles);
    scree_ed_strain_take(ed, scene);
    scree_deformation_control_given(scene->cell_control, ed->epoch, ed->strain_rate);
    show_cell(ed, cell, 0.0);
    ed->epoch_length = fmin(ed->epoch_length, time_to_lean(ed));
}

/* By how much lengths in the reference box may exceed those of places. */
static double find_widening(const double stretch[])
{
    struct scree_deformation bent;
    memset(&bent, 0, sizeof bent);
    bent.on = true;
    memcpy(bent.state.stretch, stretch, sizeof bent.state.stretch);
    scree_deformation_refresh(&bent);
    return scree_deformation_search_skin(&bent, 1.0, 0.0);
}

/* The norm of F^-1 is convex in time, so that it is largest at one of the ends. */
void scree_ed_strain_tell(const struct scree_ed *ed, const struct scree_scene *scene,
                          struct scree_ed_world *world)
{
    double stretch[SCREE_DEFORMATION_COMPONENTS], square = 0.0;
    const struct scree_deformation *cell = &scene->domain->cell;
    if (!cell->on) return;
    struct scree_deformation first = *cell;
    show_cell(ed, &first, 0.0);
    memcpy(world->shape, first.f, sizeof world->shape);
    memcpy(world->back, first.inverse, sizeof world->back);
    memcpy(world->flow, first.flow, sizeof world->flow);
    for (int c = 0; c < SCREE_DEFORMATION_COMPONENTS; c++)
        square += ed->strain_rate[c] * ed->strain_rate[c];
    find_stretch(ed, ed->epoch_length, stretch);
    world->shear = sqrt(square);
    world->driven = world->bent = true;
    world->widen = world->contract = fmax(find_widening(ed->stretch), find_widening(stretch));
}

double scree_ed_strain_most_widening(const struct scree_scene *scene)
{
    const struct scree_box *box = &scene->domain->box;
    double most = 1.0;
    for (int c = SCREE_DEFORMATION_XY; c < SCREE_DEFORMATION_COMPONENTS; c++) {
        double stretch[SCREE_DEFORMATION_COMPONENTS] = {1.0, 1.0, 1.0};
        int row = scree_deformation_row[c], column = scree_deformation_column[c];
        if (column >= box->dimension || !box->periodic[row] || !box->periodic[column]) continue;
        stretch[c] = most_lean * box->length[row] / box->length[column];
        most = fmax(most, find_widening(stretch));
    }
    return most;
}

/* J; what a grain has given to the flow since its last collision. */
static double given_in_flight(const struct scree_particles *p, scree_lid i)
{
    const double *v = p->flight[i] + 3, *now = p->vel[i];
    return 0.5 * p->mass[i] * (scree_vec_dot(v, v) - scree_vec_dot(now, now));
}

void scree_ed_strain_add_flights(const struct scree_ed *ed, const struct scree_particles *p,
                                 struct scree_exact *work)
{
    bool flows = false;
    for (int c = 0; c < SCREE_DEFORMATION_COMPONENTS; c++) flows |= ed->strain_rate[c] != 0.0;
    if (!flows) return;
    for (scree_lid i = 0; i < p->n_owned; i++)
        if (p->encounter[i][0] != 0) scree_exact_add(work, given_in_flight(p, i));
    scree_exact_normalize(work);
}

/* J; sums over all ranks of m v v, and of the branch times impulse of the last tick over dt. */
static void measure_stress(struct scree_ed *ed, struct scree_scene *scene)
{
    enum { N = SCREE_DEFORMATION_COMPONENTS };
    const struct scree_particles *p = scene->particles;
    struct scree_deformation_state *state = &scene->domain->cell.state;
    struct scree_exact sum[2 * N];
    for (int c = 0; c < N; c++) {
        int row = scree_deformation_row[c], column = scree_deformation_column[c];
        sum[N + c] = ed->tally.sum[SCREE_ED_TICK_STRESS + c];
        scree_exact_clear(&sum[c]);
        for (scree_lid i = 0; i < p->n_owned; i++)
            scree_exact_add(&sum[c], p->mass[i] * p->vel[i][row] * p->vel[i][column]);
    }
    for (int k = 0; k < 2 * N; k++) scree_exact_normalize(&sum[k]);
    scree_comm_sum_exact(scene->comm, sum, 2 * N);
    for (int c = 0; c < N; c++) {
        state->kinetic[c] = scree_exact_value(&sum[c]);
        state->contact[c] = scree_exact_value(&sum[N + c]) / scene->dt;
    }
}

void scree_ed_strain_show(struct scree_ed *ed, struct scree_scene *scene, double t)
{
    struct scree_deformation *cell = &scene->domain->cell;
    if (!cell->on) return;
    show_cell(ed, cell, t);
    measure_stress(ed, scene);
    scree_deformation_add_impulse(cell, &scene->domain->box, scene->dt);
}
