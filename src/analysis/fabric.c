/* SPDX-License-Identifier: BSD-3-Clause
 * Measurement `fabric`: how contacts, branches and forces are directed, and the stress ratio that
 * follows. */
#include <math.h>
#include <stddef.h>

#include "fabric_sums.h"
#include "principal.h"
#include "round.h"
#include "stress_sums.h"

struct values {
    int axis_word, axis;
    int dimension;
};

static const struct scree_param params[] = {
    {"axis", SCREE_PARAM_CHOICE, "", 0, 0, "", scree_fabric_axes,
     offsetof(struct values, axis_word),
     "direction along which anisotropies are positive; default: that of the major principal stress "
     "of the contacts"},
    {0},
};

/* Columns; then the components of the tensors. */
enum {
    CONTACTS,
    ERROR,
    A_FABRIC,
    A_BRANCH,
    A_NORMAL,
    A_TANGENTIAL,
    EXPECTED,
    MEASURED,
    AMPLITUDE, /* 2 (F_1 - F_2) or 5/2 (F_1 - F_3) by its own principal values */
    LENGTH,
    NORMAL,
    SLIDING,
    DIRECTION
};

static int n_symmetric(int dimension)
{
    return dimension * (dimension + 1) / 2;
}

static void check(struct scree_measurement *m, struct scree_input *input,
                  const struct scree_node *node, const struct scree_analysis_setting *setting)
{
    struct values *v = m->values;
    v->dimension = setting->box->dimension;
    v->axis = scree_fabric_read_axis(v->axis_word, input, node, setting->box);
    m->n = SCREE_N_FABRIC_SUMS;
    m->n_rows = 1;
    m->n_columns =
        DIRECTION + v->dimension + 3 * n_symmetric(v->dimension) + v->dimension * v->dimension;
}

static void add_contact(void *context, const struct scree_contact *contact, double weight)
{
    scree_fabric_weigh(contact, weight, scree_exact_rows_next(context));
}

static void sample(struct scree_measurement *m, const struct scree_analysis_view *view,
                   double *value)
{
    struct scree_extent extent;
    const struct scree_chosen_contacts chosen = {
        .view = view, .extent = &extent, .contacts = &m->contacts};
    struct scree_exact sum[SCREE_N_FABRIC_SUMS];
    struct scree_exact_rows rows;
    scree_extent_now(&extent, &m->volume, view->scene);
    scree_exact_rows_begin(&rows, sum, SCREE_N_FABRIC_SUMS);
    scree_chosen_contacts_visit(&chosen, add_contact, &rows);
    scree_exact_rows_end(&rows);
    scree_analysis_share(view->scene->comm, sum, SCREE_N_FABRIC_SUMS, value);
}

/* Symmetric tensors: diagonal first, as far as there are dimensions. */
static double *write_six(const double *six, double divisor, int dimension, double *row)
{
    for (int k = 0; k < 6; k++) {
        bool flat = k == 0 || k == 1 || k == 3;
        if (dimension == 3 || flat) *row++ = scree_fabric_ratio(six[k], divisor);
    }
    return row;
}

static void write_tensors(const double *sum, int dimension, double *row)
{
    double n = sum[SCREE_FABRIC_CONTACTS];
    row = write_six(sum + SCREE_FABRIC_TENSOR, n, dimension, row);
    row = write_six(sum + SCREE_FABRIC_BRANCH, n, dimension, row);
    row = write_six(sum + SCREE_FABRIC_NORMAL_FORCE, n, dimension, row);
    for (int a = 0; a < dimension; a++)
        for (int b = 0; b < dimension; b++)
            *row++ = scree_fabric_ratio(sum[SCREE_FABRIC_FORCE + 3 * a + b], n);
}

static void derive(struct scree_measurement *m, const struct scree_scene *scene, const double *sum,
                   double *row)
{
    const struct values *v = m->values;
    struct scree_fabric_frame frame;
    struct scree_anisotropies found;
    struct scree_principal principal;
    double tensor[3][3], n = sum[SCREE_FABRIC_CONTACTS];
    (void)scene;
    scree_fabric_find_frame(&frame, sum, v->axis, v->dimension);
    scree_fabric_find(&found, sum, &frame, v->dimension);
    scree_fabric_unpack(sum + SCREE_FABRIC_TENSOR, tensor);
    scree_principal_find(&principal, tensor, v->dimension);
    double spread = principal.value[0] - principal.value[v->dimension - 1];
    row[CONTACTS] = n;
    row[ERROR] = found.error;
    row[A_FABRIC] = found.fabric;
    row[A_BRANCH] = found.branch;
    row[A_NORMAL] = found.normal;
    row[A_TANGENTIAL] = found.tangential;
    row[EXPECTED] = found.expected;
    row[MEASURED] = found.measured;
    row[AMPLITUDE] = scree_fabric_ratio((v->dimension == 2 ? 2.0 : 2.5) * spread, n);
    row[LENGTH] = scree_fabric_ratio(sum[SCREE_FABRIC_LENGTH], n);
    row[NORMAL] = scree_fabric_ratio(sum[SCREE_FABRIC_NORMAL], n);
    row[SLIDING] = scree_fabric_ratio(sum[SCREE_FABRIC_SLIDING], n);
    for (int a = 0; a < v->dimension; a++)
        row[DIRECTION + a] = n > 0.0 ? principal.direction[0][a] : NAN;
    write_tensors(sum, v->dimension, row + DIRECTION + v->dimension);
}

static void name_six(const char *what, const char *unit, const char *const *name, int dimension,
                     FILE *f)
{
    for (int a = 0; a < dimension; a++) fprintf(f, ",%s %s%s%s", what, name[a], name[a], unit);
    for (int a = 0; a < dimension; a++)
        for (int b = a + 1; b < dimension; b++)
            fprintf(f, ",%s %s%s%s", what, name[a], name[b], unit);
}

static void write(const struct scree_measurement *m, const struct scree_scene *scene,
                  const double *mean, FILE *f)
{
    const struct values *v = m->values;
    const char *const *name = scree_round_names(&scene->domain->box);
    (void)mean;
    fprintf(f, ",contacts,error of a_c,a_c,a_l,a_n,a_t,stress ratio by anisotropies,stress ratio,"
               "amplitude,mean branch [m],mean normal force [N],sliding fraction");
    for (int a = 0; a < v->dimension; a++) fprintf(f, ",direction %s", name[a]);
    name_six("fabric", "", name, v->dimension, f);
    name_six("branch", " [m]", name, v->dimension, f);
    name_six("normal force", " [N]", name, v->dimension, f);
    for (int a = 0; a < v->dimension; a++)
        for (int b = 0; b < v->dimension; b++) fprintf(f, ",force %s%s [N]", name[a], name[b]);
}

const struct scree_analysis_kind scree_analysis_fabric = {
    .name = "fabric",
    .summary = "directions of contacts, branches and forces: tensors, anisotropies a_c, a_l, a_n, "
               "a_t, the stress ratio that follows beside the measured one",
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
