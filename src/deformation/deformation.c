/* SPDX-License-Identifier: BSD-3-Clause
 * A periodic cell that deforms: its shape, and what follows from it. */
#include "scree/deformation.h"

#include <math.h>
#include <string.h>

const int scree_deformation_row[SCREE_DEFORMATION_COMPONENTS] = {0, 1, 2, 0, 0, 1};
const int scree_deformation_column[SCREE_DEFORMATION_COMPONENTS] = {0, 1, 2, 1, 2, 2};
const char *const scree_deformation_names[SCREE_DEFORMATION_COMPONENTS + 1] = {
    "xx", "yy", "zz", "xy", "xz", "yz", NULL};

typedef double matrix[3][3];

void scree_deformation_unpack(const double component[SCREE_DEFORMATION_COMPONENTS], double m[3][3])
{
    memset(m, 0, sizeof(matrix));
    for (int c = 0; c < SCREE_DEFORMATION_COMPONENTS; c++)
        m[scree_deformation_row[c]][scree_deformation_column[c]] = component[c];
}

/* Of upper triangular matrices. */
static void multiply(const matrix a, const matrix b, matrix product)
{
    memset(product, 0, sizeof(matrix));
    for (int i = 0; i < 3; i++)
        for (int j = i; j < 3; j++)
            for (int k = i; k <= j; k++) product[i][j] += a[i][k] * b[k][j];
}

static void invert(const matrix m, matrix inverse)
{
    memset(inverse, 0, sizeof(matrix));
    for (int i = 0; i < 3; i++) inverse[i][i] = 1.0 / m[i][i];
    inverse[0][1] = -m[0][1] * inverse[0][0] * inverse[1][1];
    inverse[1][2] = -m[1][2] * inverse[1][1] * inverse[2][2];
    inverse[0][2] = -(m[0][1] * inverse[1][2] + m[0][2] * inverse[2][2]) * inverse[0][0];
}

/* sum + rest grows by `more` without loss (Knuth, The art of computer programming 2, 4.2.2). */
static void add_exactly(double *sum, double *rest, double more)
{
    more += *rest;
    double total = *sum + more, part = total - *sum;
    *rest = (*sum - (total - part)) + (more - part);
    *sum = total;
}

void scree_deformation_init(struct scree_deformation *cell, const struct scree_box *box)
{
    memset(cell, 0, sizeof *cell);
    for (int a = 0; a < 3; a++) {
        cell->state.stretch[a] = 1.0;
        cell->span[a] = box->length[a];
    }
    scree_deformation_refresh(cell);
    scree_deformation_remember_listed(cell);
}

void scree_deformation_refresh(struct scree_deformation *cell)
{
    scree_deformation_unpack(cell->state.stretch, cell->f);
    scree_deformation_unpack(cell->state.rate, cell->flow);
    invert((const double(*)[3])cell->f, cell->inverse);
}

/* exp(dt L) - 1: four terms are exact to the last bit for any step that contacts survive. */
static void find_growth(const matrix flow, double dt, matrix growth)
{
    matrix step, power, next;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) step[i][j] = dt * flow[i][j];
    memcpy(growth, step, sizeof(matrix));
    memcpy(power, step, sizeof(matrix));
    for (int k = 2; k <= 4; k++) {
        multiply((const double(*)[3])power, (const double(*)[3])step, next);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                power[i][j] = next[i][j] / k;
                growth[i][j] += power[i][j];
            }
    }
}

void scree_deformation_advance(struct scree_deformation *cell,
                               const double rate[SCREE_DEFORMATION_COMPONENTS], double dt)
{
    struct scree_deformation_state *s = &cell->state;
    matrix growth, more, middle;
    memcpy(cell->flow_before, cell->flow, sizeof cell->flow);
    memcpy(s->rate, rate, sizeof s->rate);
    scree_deformation_unpack(rate, cell->flow);
    find_growth((const double(*)[3])cell->flow, dt, growth);
    multiply((const double(*)[3])growth, (const double(*)[3])cell->f, more);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) middle[i][j] = cell->f[i][j] + 0.5 * more[i][j];
    invert((const double(*)[3])middle, cell->step_inverse);
    for (int c = 0; c < SCREE_DEFORMATION_COMPONENTS; c++) {
        add_exactly(&s->stretch[c], &s->stretch_rest[c],
                    more[scree_deformation_row[c]][scree_deformation_column[c]]);
        add_exactly(&s->strain[c], &s->strain_rest[c], dt * rate[c]);
    }
    scree_deformation_refresh(cell);
}

double scree_deformation_size(const struct scree_deformation *cell, const struct scree_box *box)
{
    double size = 1.0;
    for (int a = 0; a < box->dimension; a++)
        size *= cell->on && box->periodic[a] ? box->length[a] * cell->f[a][a] : cell->span[a];
    return size;
}

double scree_deformation_stress(const struct scree_deformation *cell, const struct scree_box *box,
                                int component)
{
    const struct scree_deformation_state *s = &cell->state;
    return (s->kinetic[component] + s->contact[component]) / scree_deformation_size(cell, box);
}

void scree_deformation_add_impulse(struct scree_deformation *cell, const struct scree_box *box,
                                   double dt)
{
    struct scree_deformation_state *s = &cell->state;
    for (int c = 0; c < SCREE_DEFORMATION_COMPONENTS; c++)
        add_exactly(&s->impulse[c], &s->impulse_rest[c],
                    dt * scree_deformation_stress(cell, box, c));
}

void scree_deformation_corners(const struct scree_deformation *cell, const struct scree_box *box,
                               double low[3], double high[3], double tilt[3])
{
    for (int a = 0; a < 3; a++) {
        int c = SCREE_DEFORMATION_XY + a;
        low[a] = box->low[a];
        high[a] = cell->on ? box->low[a] + cell->f[a][a] * box->length[a] : box->high[a];
        tilt[a] =
            cell->on ? cell->state.stretch[c] * box->length[scree_deformation_column[c]] : 0.0;
    }
}

void scree_deformation_place(const struct scree_deformation *cell, const struct scree_box *box,
                             const double pos[3], double place[3])
{
    double apart[3], branch[3];
    for (int a = 0; a < 3; a++) apart[a] = pos[a] - box->low[a];
    scree_deformation_branch(cell, apart, branch);
    for (int a = 0; a < 3; a++)
        place[a] = cell->on && box->periodic[a] ? box->low[a] + branch[a] : pos[a];
}

void scree_deformation_branch(const struct scree_deformation *cell, const double apart[3],
                              double branch[3])
{
    double x = apart[0], y = apart[1], z = apart[2];
    branch[0] = cell->on ? cell->f[0][0] * x + cell->f[0][1] * y + cell->f[0][2] * z : x;
    branch[1] = cell->on ? cell->f[1][1] * y + cell->f[1][2] * z : y;
    branch[2] = cell->on ? cell->f[2][2] * z : z;
}

void scree_deformation_add_flow(const struct scree_deformation *cell, const struct scree_box *box,
                                const double place[3], double velocity[3])
{
    if (!cell->on) return;
    for (int a = 0; a < 3; a++)
        for (int b = a; b < 3; b++) velocity[a] += cell->flow[a][b] * (place[b] - box->low[b]);
}

/* Largest singular value: root of the largest eigenvalue of m^T m, in closed form (Smith, Commun.
 * ACM 4, 168 (1961)), a hair too large. */
static double largest_stretch(const matrix m)
{
    matrix c;
    double trace = 0.0, spread = 0.0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            c[i][j] = 0.0;
            for (int k = 0; k < 3; k++) c[i][j] += m[k][i] * m[k][j];
        }
    double mean = (c[0][0] + c[1][1] + c[2][2]) / 3.0;
    for (int i = 0; i < 3; i++) c[i][i] -= mean;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) spread += c[i][j] * c[i][j];
    double p = sqrt(spread / 6.0);
    if (p <= 1e-12 * mean) return sqrt(mean) * (1.0 + 1e-11);
    trace = c[0][0] * (c[1][1] * c[2][2] - c[1][2] * c[2][1]) -
            c[0][1] * (c[1][0] * c[2][2] - c[1][2] * c[2][0]) +
            c[0][2] * (c[1][0] * c[2][1] - c[1][1] * c[2][0]);
    double half = fmin(fmax(trace / (2.0 * p * p * p), -1.0), 1.0);
    return sqrt(mean + 2.0 * p * cos(acos(half) / 3.0)) * (1.0 + 1e-9);
}

double scree_deformation_search_skin(const struct scree_deformation *cell, double skin,
                                     double largest_radius)
{
    if (!cell->on) return skin;
    double s = fmax(largest_stretch((const double(*)[3])cell->inverse), 1.0);
    return s * skin + (s - 1.0) * 2.0 * largest_radius;
}

/* Norm of the symmetric part of L: turning changes no distance. */
double scree_deformation_closing_rate(const double flow[3][3])
{
    double sum = 0.0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double d = 0.5 * (flow[i][j] + flow[j][i]);
            sum += d * d;
        }
    return sqrt(sum) * (1.0 + 1e-6);
}

double scree_deformation_approach_rate(const struct scree_deformation *cell)
{
    return cell->on ? scree_deformation_closing_rate((const double(*)[3])cell->flow) : 0.0;
}

double scree_deformation_narrowing(const struct scree_deformation *cell)
{
    matrix back;
    if (!cell->on) return 0.0;
    multiply((const double(*)[3])cell->listed, (const double(*)[3])cell->inverse, back);
    return fmax(1.0 - 1.0 / largest_stretch((const double(*)[3])back), 0.0);
}

void scree_deformation_remember_listed(struct scree_deformation *cell)
{
    memcpy(cell->listed, cell->f, sizeof cell->f);
}

/* Half a period, and a little more: a cell that swings about a half must not flip to and fro. */
#define MOST_TILT 0.51

static int take_flip(struct scree_deformation *cell, const struct scree_box *box, int component,
                     struct scree_deformation_flip *flip)
{
    int by = scree_deformation_row[component], edge = scree_deformation_column[component];
    double tilt = cell->f[by][edge] * box->length[edge] / (cell->f[by][by] * box->length[by]);
    if (edge >= box->dimension || !(fabs(tilt) > MOST_TILT)) return 0;
    double periods = nearbyint(tilt), ratio = periods * (box->length[by] / box->length[edge]);
    struct scree_deformation_state *s = &cell->state;
    for (int c = 0; c < SCREE_DEFORMATION_COMPONENTS; c++)
        if (scree_deformation_column[c] == edge && scree_deformation_row[c] <= by)
            add_exactly(&s->stretch[c], &s->stretch_rest[c],
                        -ratio * cell->f[scree_deformation_row[c]][by]);
    s->flips[component - SCREE_DEFORMATION_XY] += periods;
    scree_deformation_refresh(cell);
    *flip = (struct scree_deformation_flip){edge, by, periods};
    return 1;
}

int scree_deformation_apply_flips(struct scree_deformation *cell, const struct scree_box *box,
                                  struct scree_deformation_flip flip[SCREE_DEFORMATION_MOST_FLIPS])
{
    int n = 0;
    if (!cell->on) return 0;
    n += take_flip(cell, box, SCREE_DEFORMATION_YZ, flip + n);
    n += take_flip(cell, box, SCREE_DEFORMATION_XY, flip + n);
    n += take_flip(cell, box, SCREE_DEFORMATION_XZ, flip + n);
    return n;
}

/* Positions are brought into the box first: the rounded shift must not depend on the image in which
 * a grain happens to be kept. */
void scree_deformation_flip_grains(const struct scree_box *box,
                                   const struct scree_deformation_flip *flip,
                                   struct scree_particles *p)
{
    int by = flip->by, edge = flip->edge;
    double ratio = flip->periods * (box->length[by] / box->length[edge]);
    for (scree_lid i = 0; i < p->n_owned; i++) {
        scree_box_wrap(box, p->pos[i], p->image[i]);
        p->pos[i][by] += scree_box_snap(box, by, ratio * (p->pos[i][edge] - box->low[edge]));
        p->image[i][by] += (int32_t)flip->periods * p->image[i][edge];
        scree_box_wrap(box, p->pos[i], p->image[i]);
    }
}
