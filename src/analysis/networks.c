/* SPDX-License-Identifier: BSD-3-Clause
 * Measurement `networks`: the contacts whose force is below a cut-off xi, as functions of xi over
 * the mean force (Radjai, Wolf, Jean, Moreau, Phys. Rev. Lett. 80, 61 (1998)). A sample has sums
 * per bin of the force; networks are sums over the bins below their cut-off. */
#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "fabric_sums.h"
#include "scree/alloc.h"
#include "scree/vec.h"
#include "stress_sums.h"

struct values {
    int64_t cutoffs;
    double up_to;
    int axis_word, axis;
    int dimension;
};

#define AT(member) offsetof(struct values, member)
static const struct scree_param params[] = {
    {"cutoffs", SCREE_PARAM_INTEGER, "", 1, 1000, "40", NULL, AT(cutoffs),
     "number of cut-offs, evenly up to 'up_to'"},
    {"up_to", SCREE_PARAM_REAL, "1", DBL_MIN, INFINITY, "4", NULL, AT(up_to),
     "largest cut-off over the mean force; a last row has all contacts"},
    {"axis", SCREE_PARAM_CHOICE, "", 0, 0, "", scree_fabric_axes, AT(axis_word),
     "direction along which anisotropies are positive; default: that of the major principal stress "
     "of all contacts"},
    {0},
};

enum {
    CUTOFF,
    CONTACTS,
    SHARE_CONTACTS,
    A_FABRIC,
    A_BRANCH,
    A_NORMAL,
    A_TANGENTIAL,
    EXPECTED,
    MEASURED,
    SHARE_PRESSURE,
    SHARE_DEVIATOR,
    SHARE_DISSIPATION,
    SLIDING,
    SHARE_SLIDING,
    N_COLUMNS
};

static void check(struct scree_measurement *m, struct scree_input *input,
                  const struct scree_node *node, const struct scree_analysis_setting *setting)
{
    struct values *v = m->values;
    v->dimension = setting->box->dimension;
    v->axis = scree_fabric_read_axis(v->axis_word, input, node, setting->box);
    m->n_rows = (int)v->cutoffs + 1;
    m->n_columns = N_COLUMNS;
    m->n = m->n_rows * SCREE_N_FABRIC_SUMS;
}

/* The mean force, then the sums of bins of it. */
struct sums {
    const struct values *v;
    struct scree_exact force[2]; /* N of all contacts, and their number */
    double mean;                 /* N */
    struct scree_exact *bin;     /* [(cutoffs + 1) * SCREE_N_FABRIC_SUMS] */
};

static void add_force(void *context, const struct scree_contact *contact, double weight)
{
    struct sums *sums = context;
    scree_exact_add(&sums->force[0], scree_vec_norm(contact->force) * weight);
    scree_exact_add(&sums->force[1], weight);
}

static void add_contact(void *context, const struct scree_contact *contact, double weight)
{
    struct sums *sums = context;
    const struct values *v = sums->v;
    double width = v->up_to / (double)v->cutoffs;
    double place = scree_vec_norm(contact->force) / sums->mean / width;
    int64_t bin = place < (double)v->cutoffs ? (int64_t)place : v->cutoffs;
    struct scree_exact *sum = sums->bin + bin * SCREE_N_FABRIC_SUMS;
    double number[SCREE_N_FABRIC_SUMS];
    scree_fabric_weigh(contact, weight, number);
    for (int k = 0; k < SCREE_N_FABRIC_SUMS; k++) scree_exact_add(&sum[k], number[k]);
}

static void sample(struct scree_measurement *m, const struct scree_analysis_view *view,
                   double *value)
{
    struct scree_extent extent;
    const struct scree_chosen_contacts chosen = {
        .view = view, .extent = &extent, .contacts = &m->contacts};
    struct sums sums = {.v = m->values};
    double total[2];
    scree_extent_now(&extent, &m->volume, view->scene);
    memset(value, 0, (size_t)m->n * sizeof *value);
    scree_chosen_contacts_visit(&chosen, add_force, &sums);
    scree_analysis_share(view->scene->comm, sums.force, 2, total);
    if (!(total[0] > 0.0)) return; /* the same on all ranks: there is no force */
    sums.mean = total[0] / total[1];
    sums.bin = scree_alloc((size_t)m->n, sizeof *sums.bin);
    for (int k = 0; k < m->n; k++) scree_exact_clear(&sums.bin[k]);
    scree_chosen_contacts_visit(&chosen, add_contact, &sums);
    scree_analysis_share(view->scene->comm, sums.bin, m->n, value);
    scree_alloc_free(sums.bin);
}

static double trace(const double *stress, int dimension)
{
    return stress[0] + stress[4] + (dimension == 3 ? stress[8] : 0.0);
}

static double deviator(const struct scree_fabric_frame *frame, const double *sum, int dimension)
{
    double stress[3][3];
    memcpy(stress, sum + SCREE_FABRIC_STRESS, sizeof stress);
    return scree_fabric_deviator(frame, stress, dimension);
}

/* The network of these sums beside all contacts. */
static void write_row(const struct values *v, const struct scree_fabric_frame *frame,
                      const double *sum, const double *all, double *row)
{
    struct scree_anisotropies a;
    int dimension = v->dimension;
    double n = sum[SCREE_FABRIC_CONTACTS];
    scree_fabric_find(&a, sum, frame, dimension);
    row[CONTACTS] = n;
    row[SHARE_CONTACTS] = scree_fabric_ratio(n, all[SCREE_FABRIC_CONTACTS]);
    row[A_FABRIC] = a.fabric;
    row[A_BRANCH] = a.branch;
    row[A_NORMAL] = a.normal;
    row[A_TANGENTIAL] = a.tangential;
    row[EXPECTED] = a.expected;
    row[MEASURED] = a.measured;
    row[SHARE_PRESSURE] = scree_fabric_ratio(trace(sum + SCREE_FABRIC_STRESS, dimension),
                                             trace(all + SCREE_FABRIC_STRESS, dimension));
    row[SHARE_DEVIATOR] =
        scree_fabric_ratio(deviator(frame, sum, dimension), deviator(frame, all, dimension));
    row[SHARE_DISSIPATION] = scree_fabric_ratio(sum[SCREE_FABRIC_POWER], all[SCREE_FABRIC_POWER]);
    row[SLIDING] = scree_fabric_ratio(sum[SCREE_FABRIC_SLIDING], n);
    row[SHARE_SLIDING] = scree_fabric_ratio(sum[SCREE_FABRIC_SLIDING], all[SCREE_FABRIC_SLIDING]);
}

static void derive(struct scree_measurement *m, const struct scree_scene *scene, const double *mean,
                   double *row)
{
    enum { N = SCREE_N_FABRIC_SUMS };
    const struct values *v = m->values;
    struct scree_fabric_frame frame;
    double all[N] = {0.0}, sum[N] = {0.0};
    (void)scene;
    for (int k = 0; k < m->n; k++) all[k % N] += mean[k];
    scree_fabric_find_frame(&frame, all, v->axis, v->dimension);
    for (int bin = 0; bin < m->n_rows; bin++, row += N_COLUMNS) {
        for (int k = 0; k < N; k++) sum[k] += mean[bin * N + k];
        bool last = bin == (int)v->cutoffs;
        row[CUTOFF] = last ? INFINITY : v->up_to * (double)(bin + 1) / (double)v->cutoffs;
        write_row(v, &frame, sum, all, row);
    }
}

static void write(const struct scree_measurement *m, const struct scree_scene *scene,
                  const double *mean, FILE *f)
{
    (void)m;
    (void)scene;
    (void)mean;
    fprintf(f, ",cut-off,contacts,share of contacts,a_c,a_l,a_n,a_t,stress ratio by anisotropies,"
               "stress ratio,share of pressure,share of deviator,share of dissipation,"
               "sliding fraction,share of sliding contacts");
}

const struct scree_analysis_kind scree_analysis_networks = {
    .name = "networks",
    .summary = "contacts with forces below a cut-off: their anisotropies, shares of stress and "
               "dissipation, sliding, against the cut-off over the mean force",
    .params = params,
    .values_size = sizeof(struct values),
    .has_volume = true,
    .counts_only = true,
    .has_contacts = true,
    .check = check,
    .sample = sample,
    .derive = derive,
    .write = write,
};
