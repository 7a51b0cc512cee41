/* SPDX-License-Identifier: BSD-3-Clause
 * Measurement `fields`: density, momentum, stress, spin and temperature on a grid, by kernel
 * coarse-graining. There are too many sums for registers as wide as struct scree_exact: what a
 * grain or contact gives is rounded to a quantum, a part of the largest of its kind in the sample,
 * and summed in integers, which no order of addition can change either. */
#include "fields.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "round.h"
#include "scree/alloc.h"
#include "scree/vec.h"

#define AT(member) offsetof(struct scree_fields, member)
static const struct scree_param params[] = {
    {"bins", SCREE_PARAM_NODE, "", 0, 0, NULL, NULL, AT(bins_node),
     "number of cells along each direction of the grid, such as {x: 40, z: 20} or {r: 30, z: 20}"},
    {"width", SCREE_PARAM_REAL, "m", 0, INFINITY, NULL, NULL, AT(width),
     "standard deviation of the Gaussian kernel, cut at three of them; 0: plain cells"},
    {"range", SCREE_PARAM_NODE, "", 0, 0, "", NULL, AT(range_node),
     "part of the domain that the grid covers, such as {x: [0, 5 mm]}; default: all"},
    {"axis", SCREE_PARAM_CHOICE, "", 0, 0, "", scree_fields_axes, AT(axis_word),
     "of r and phi; default: z, in a wedge its axis"},
    {"centre", SCREE_PARAM_VECTOR, "m", 0, 0, "[0, 0, 0]", NULL, AT(centre),
     "a point of this axis"},
    {0},
};

/* Pieces of a branch at most; bits of the largest number, and of the largest sum. */
enum { MOST_PIECES = 8, NUMBER_BITS = 50, SUM_BITS = 62 };

/* Adding 1.5 * 2^52 to a double smaller than 2^51 leaves its nearest integer in the low bits. */
#define ROUNDING      6755399441055744.0
#define ROUNDING_BITS 0x4338000000000000

/* Sums that share a quantum. */
enum group { ONE, SOLID, MASS, MOMENTUM, SQUARE, SPIN, CONTACT, N_GROUPS };

static enum group group_of(int sum)
{
    return sum >= SCREE_FIELDS_CONTACT    ? CONTACT
           : sum >= SCREE_FIELDS_SPIN     ? SPIN
           : sum >= SCREE_FIELDS_SQUARE   ? SQUARE
           : sum >= SCREE_FIELDS_MOMENTUM ? MOMENTUM
           : sum == SCREE_FIELDS_MASS     ? MASS
           : sum == SCREE_FIELDS_SOLID    ? SOLID
                                          : ONE;
}

struct spread {
    const struct scree_measurement *m;
    const struct scree_fields *v;
    const struct scree_analysis_view *view;
    double ends[3][2];
    double largest[N_GROUPS];
    int64_t n_halves[N_GROUPS]; /* of grains or contacts that give, in halves */
    bool measuring;             /* only these two are wanted */
    double inverse[N_GROUPS];   /* of the quantum, a power of two; 0: nothing can be summed */
    int64_t *sum;               /* [n_cells * SCREE_N_FIELDS_SUMS], in half quanta */
    /* What the cells around a grain or a contact get of it: */
    struct scree_fields_parts *parts; /* [3] */
    double *weight;                   /* [n_cells]; 0 but in those that are touched */
    int n_touched, *touched;          /* [n_cells] */
};

/* Where a row of numbers begins: those of a grain from 0 on, or those of a contact. */
struct numbers {
    int first, n;
    double value[SCREE_N_FIELDS_SUMS];
    int64_t halves; /* 2, or 1 if another rank gives as much */
};

static void note_largest(struct spread *s, const struct numbers *numbers)
{
    for (int k = 0; k < numbers->n; k++) {
        double size = fabs(numbers->value[k]), *largest = &s->largest[group_of(numbers->first + k)];
        if (!(size <= *largest)) *largest = isfinite(size) ? size : INFINITY;
    }
    s->n_halves[numbers->first == 0 ? ONE : CONTACT] += numbers->halves;
}

/* The weights of all cells around a position, times `scale`, are added to those of a grain or
 * contact. */
static void touch_cells(struct spread *s, const double pos[3], double scale)
{
    const struct scree_fields *v = s->v;
    const struct scree_deformation *cell = &s->view->scene->domain->cell;
    int n[3] = {1, 1, 1}, strides[3] = {0, 0, 0}, stride = 1;
    for (int a = v->n_axes - 1; a >= 0; a--) {
        const struct scree_fields_axis *axis = &v->axis[a];
        double x = scree_fields_place(v, a, pos), width = v->width;
        if (axis->direction == SCREE_FIELDS_PHI) {
            double dx = pos[v->turn.u] - v->centre[v->turn.u];
            double dy = pos[v->turn.v] - v->centre[v->turn.v], r = sqrt(dx * dx + dy * dy);
            width = r > 0.0 ? width / r : INFINITY;
        } else if (cell->on && axis->direction < 3) {
            width /= cell->f[axis->direction][axis->direction];
        }
        scree_fields_find_parts(v, a, x, width, s->ends[a], &s->parts[a]);
        n[a] = s->parts[a].n;
        strides[a] = stride;
        stride *= axis->n;
    }
    for (int i = 0; i < n[0]; i++) {
        double w0 = scale * s->parts[0].weight[i];
        for (int j = 0; j < n[1]; j++) {
            double w1 = v->n_axes > 1 ? w0 * s->parts[1].weight[j] : w0;
            for (int k = 0; k < n[2]; k++) {
                int at = s->parts[0].cell[i] * strides[0];
                if (v->n_axes > 1) at += s->parts[1].cell[j] * strides[1];
                if (v->n_axes > 2) at += s->parts[2].cell[k] * strides[2];
                if (s->weight[at] == 0.0) s->touched[s->n_touched++] = at;
                s->weight[at] += v->n_axes > 2 ? w1 * s->parts[2].weight[k] : w1;
            }
        }
    }
}

/* The cells that are touched get their parts, and are free again. */
static void give_to_cells(struct spread *s, const struct numbers *numbers)
{
    double quanta[SCREE_N_FIELDS_SUMS];
    for (int k = 0; k < numbers->n; k++) {
        double inverse = s->inverse[group_of(numbers->first + k)];
        quanta[k] = inverse > 0.0 ? numbers->value[k] * inverse : 0.0;
    }
    for (int t = 0; t < s->n_touched; t++) {
        int cell = s->touched[t];
        int64_t *sum = s->sum + (int64_t)cell * SCREE_N_FIELDS_SUMS + numbers->first;
        double weight = s->weight[cell];
        for (int k = 0; k < numbers->n; k++) {
            double shifted = quanta[k] * weight + ROUNDING;
            int64_t bits;
            memcpy(&bits, &shifted, sizeof bits);
            sum[k] += (bits - ROUNDING_BITS) * numbers->halves;
        }
        s->weight[cell] = 0.0;
    }
    s->n_touched = 0;
}

/* Components about the axis of a round grid. */
static void turn_vector(const struct scree_fields *v, const double pos[3], double vector[3])
{
    double beside[3];
    if (!v->round) return;
    for (int a = 0; a < 3; a++) beside[a] = pos[a] - v->centre[a];
    scree_round_components(&v->turn, beside, vector);
}

/* Position in the box of a grain, and what it gives. In a box that deforms velocities are relative
 * to its flow, so that images of a grain give the same. */
static void weigh_grain(const struct spread *s, scree_lid i, double pos[3], struct numbers *numbers)
{
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    const struct scree_particles *p = s->view->scene->particles;
    double velocity[3], spin[3], m = p->mass[i], *value = numbers->value;
    scree_grain_now(s->view, i, pos, velocity, spin);
    if (scree_grain_in_flow(s->view, i, velocity)) {
        int32_t image[3] = {0, 0, 0};
        memcpy(pos, p->pos[i], 3 * sizeof *pos);
        scree_box_shift(&s->view->scene->domain->box, pos, image);
    }
    turn_vector(s->v, pos, velocity);
    turn_vector(s->v, pos, spin);
    numbers->first = 0;
    numbers->n = SCREE_FIELDS_CONTACT;
    numbers->halves = 2;
    value[SCREE_FIELDS_GRAINS] = 1.0;
    value[SCREE_FIELDS_SOLID] = scree_grain_size(&s->view->scene->domain->box, p->pos[i][3]);
    value[SCREE_FIELDS_MASS] = m;
    for (int a = 0; a < 3; a++) {
        value[SCREE_FIELDS_MOMENTUM + a] = m * velocity[a];
        value[SCREE_FIELDS_SPIN + a] = m * spin[a];
    }
    for (int k = 0; k < 6; k++)
        value[SCREE_FIELDS_SQUARE + k] = m * velocity[row[k]] * velocity[column[k]];
}

static void spread_grains(struct spread *s)
{
    const struct scree_particles *p = s->view->scene->particles;
    for (scree_lid i = 0; i < p->n_owned; i++) {
        struct numbers numbers;
        double pos[3];
        if (!(p->vel[i][3] > 0.0)) continue;
        if (!scree_chosen_contacts_has_grain(&s->m->material, s->view->scene, i)) continue;
        weigh_grain(s, i, pos, &numbers);
        if (s->measuring) {
            note_largest(s, &numbers);
            continue;
        }
        touch_cells(s, pos, 1.0);
        give_to_cells(s, &numbers);
    }
}

/* From one end of the branch to the other, in coordinates of the box at rest if it deforms. */
static void find_way(const struct spread *s, const struct scree_contact *contact, double start[3],
                     double way[3])
{
    const struct scree_deformation *cell = &s->view->scene->domain->cell;
    double along[3];
    scree_chosen_contacts_find_way(s->view->scene, contact, start, along);
    for (int a = 0; a < 3; a++)
        way[a] = cell->on ? scree_vec_dot(cell->inverse[a], along) : along[a];
}

static void spread_contact(void *context, const struct scree_contact *contact, double weight)
{
    struct spread *s = context;
    const struct scree_fields *v = s->v;
    struct numbers numbers = {.first = SCREE_FIELDS_CONTACT, .n = 9};
    double start[3], way[3], middle[3], l[3], f[3], length = scree_vec_norm(contact->branch);
    find_way(s, contact, start, way);
    for (int a = 0; a < 3; a++) middle[a] = start[a] + 0.5 * way[a];
    memcpy(l, contact->branch, sizeof l);
    memcpy(f, contact->force, sizeof f);
    turn_vector(v, middle, l);
    turn_vector(v, middle, f);
    numbers.halves = contact->weight < 1.0 ? 1 : 2;
    double share = weight / contact->weight; /* of the material; exact */
    for (int k = 0; k < 9; k++) numbers.value[k] = l[k / 3] * f[k % 3] * share;
    if (s->measuring) {
        note_largest(s, &numbers);
        return;
    }
    /* Gauss's two points in each piece of the branch */
    double pieces = v->width > 0.0 ? ceil(0.5 * length / v->width) : MOST_PIECES;
    int n = (int)fmax(fmin(pieces, MOST_PIECES), 1.0);
    for (int k = 0; k < 2 * n; k++) {
        double pos[3], part = (k / 2 + 0.5 + (k % 2 - 0.5) / sqrt(3.0)) / n;
        for (int a = 0; a < 3; a++) pos[a] = start[a] + part * way[a];
        touch_cells(s, pos, 0.5 / n);
    }
    give_to_cells(s, &numbers);
}

static void spread_all(struct spread *s)
{
    const struct scree_chosen_contacts chosen = {.view = s->view, .material = &s->m->material};
    spread_grains(s);
    scree_chosen_contacts_visit(&chosen, spread_contact, s);
}

/* As small as sums in 64 bits allow. */
static void choose_quanta(struct spread *s)
{
    scree_comm_max(s->view->scene->comm, s->largest, N_GROUPS);
    scree_comm_sum_int(s->view->scene->comm, s->n_halves, N_GROUPS);
    for (int g = 0; g < N_GROUPS; g++) {
        bool usual = s->largest[g] > 0.0 && isfinite(s->largest[g]);
        int64_t n_halves = s->n_halves[g == CONTACT ? CONTACT : ONE];
        int bits = usual ? SUM_BITS - 1 - ilogb((double)n_halves) : 0;
        if (bits > NUMBER_BITS) bits = NUMBER_BITS;
        s->inverse[g] = usual ? ldexp(1.0, bits - 1 - ilogb(s->largest[g])) : 0.0;
    }
}

static void sample(struct scree_measurement *m, const struct scree_analysis_view *view,
                   double *value)
{
    struct spread s = {.m = m, .v = m->values, .view = view, .measuring = true};
    size_t n_cells = (size_t)s.v->n_cells;
    for (int a = 0; a < s.v->n_axes; a++) scree_fields_find_ends(s.v, a, view->scene, s.ends[a]);
    spread_all(&s);
    choose_quanta(&s);
    s.measuring = false;
    s.sum = scree_alloc((size_t)m->n, sizeof *s.sum);
    s.parts = scree_alloc(3, sizeof *s.parts);
    s.weight = scree_alloc(n_cells, sizeof *s.weight);
    s.touched = scree_alloc(n_cells, sizeof *s.touched);
    memset(s.sum, 0, (size_t)m->n * sizeof *s.sum);
    for (size_t c = 0; c < n_cells; c++) s.weight[c] = 0.0;
    spread_all(&s);
    scree_comm_sum_int(view->scene->comm, s.sum, m->n);
    for (int k = 0; k < m->n; k++) {
        enum group g = group_of(k % SCREE_N_FIELDS_SUMS);
        value[k] = isinf(s.largest[g])   ? NAN
                   : s.inverse[g] == 0.0 ? 0.0
                                         : (double)s.sum[k] / (2.0 * s.inverse[g]);
    }
    scree_alloc_free(s.touched);
    scree_alloc_free(s.weight);
    scree_alloc_free(s.parts);
    scree_alloc_free(s.sum);
}

const struct scree_analysis_kind scree_analysis_fields = {
    .name = "fields",
    .summary =
        "density, momentum, velocity, stress, spin, temperature and strain rate on a grid, "
        "by kernel coarse-graining; HDF5 files, and a table of grids in one or two directions",
    .params = params,
    .maps = scree_fields_maps,
    .values_size = sizeof(struct scree_fields),
    .has_material = true,
    .check = scree_fields_check,
    .sample = sample,
    .derive = scree_fields_derive,
    .write = scree_fields_write,
    .save = scree_fields_save,
};
