/* SPDX-License-Identifier: BSD-3-Clause
 * Measurement `forces`: distributions of normal and tangential forces over their means. Each sample
 * is scaled by its own means, so that a load that changes does not blur the distribution. */
#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "chosen_contacts.h"
#include "fabric_sums.h"
#include "scree/alloc.h"
#include "scree/vec.h"
#include "stress_sums.h"

struct values {
    int64_t bins;
    double low, up_to;
};

#define AT(member) offsetof(struct values, member)
static const struct scree_param params[] = {
    {"bins", SCREE_PARAM_INTEGER, "", 1, 100000, "60", NULL, AT(bins), "number of bins"},
    {"least", SCREE_PARAM_REAL, "1", -INFINITY, INFINITY, "0", NULL, AT(low),
     "where bins begin, over the mean force; below are normal forces that pull"},
    {"up_to", SCREE_PARAM_REAL, "1", -INFINITY, INFINITY, "6", NULL, AT(up_to),
     "where they end; rows before and after have what is beyond"},
    {0},
};

enum kind_of_force { NORMAL, TANGENTIAL, N_KINDS_OF_FORCE };
static const char *const names[] = {"normal", "tangential"};

/* Numbers of a sample: the means (N), then contacts in bins of both kinds. */
static int n_bins_of(const struct values *v)
{
    return (int)v->bins + 2; /* with those beyond */
}

static void check(struct scree_measurement *m, struct scree_input *input,
                  const struct scree_node *node, const struct scree_analysis_setting *setting)
{
    const struct values *v = m->values;
    (void)setting;
    if (!(v->low < v->up_to)) {
        const struct scree_node *key = scree_node_find(node, "up_to");
        scree_input_error(input, key != NULL ? key : scree_node_find(node, "least"),
                          "forces: bins from %g to %g are no range", v->low, v->up_to);
    }
    m->n = N_KINDS_OF_FORCE * (1 + n_bins_of(v));
}

struct sums {
    const struct values *v;
    struct scree_exact total[N_KINDS_OF_FORCE], contacts;
    double mean[N_KINDS_OF_FORCE]; /* N */
    struct scree_exact *bin;       /* [N_KINDS_OF_FORCE * n_bins_of(v)] */
};

static void find_forces(const struct scree_contact *contact, double force[N_KINDS_OF_FORCE])
{
    double tangential[3];
    for (int a = 0; a < 3; a++)
        tangential[a] = contact->force[a] - contact->normal_force * contact->normal[a];
    force[NORMAL] = contact->normal_force;
    force[TANGENTIAL] = scree_vec_norm(tangential);
}

static void add_force(void *context, const struct scree_contact *contact, double weight)
{
    struct sums *sums = context;
    double force[N_KINDS_OF_FORCE];
    find_forces(contact, force);
    scree_exact_add(&sums->contacts, weight);
    for (int k = 0; k < N_KINDS_OF_FORCE; k++) scree_exact_add(&sums->total[k], force[k] * weight);
}

static int bin_of(const struct values *v, double x)
{
    double place = (x - v->low) / (v->up_to - v->low) * (double)v->bins;
    return place < 0.0 ? 0 : place < (double)v->bins ? 1 + (int)place : (int)v->bins + 1;
}

static void add_contact(void *context, const struct scree_contact *contact, double weight)
{
    struct sums *sums = context;
    double force[N_KINDS_OF_FORCE];
    find_forces(contact, force);
    for (int k = 0; k < N_KINDS_OF_FORCE; k++) {
        int bin = bin_of(sums->v, force[k] / sums->mean[k]);
        if (sums->mean[k] > 0.0) scree_exact_add(&sums->bin[k * n_bins_of(sums->v) + bin], weight);
    }
}

static void sample(struct scree_measurement *m, const struct scree_analysis_view *view,
                   double *value)
{
    struct scree_extent extent;
    const struct scree_chosen_contacts chosen = {
        .view = view, .extent = &extent, .contacts = &m->contacts};
    struct sums sums = {.v = m->values};
    int n_bins = N_KINDS_OF_FORCE * n_bins_of(m->values);
    double total[N_KINDS_OF_FORCE + 1];
    struct scree_exact first[N_KINDS_OF_FORCE + 1];
    scree_extent_now(&extent, &m->volume, view->scene);
    memset(value, 0, (size_t)m->n * sizeof *value);
    scree_chosen_contacts_visit(&chosen, add_force, &sums);
    memcpy(first, sums.total, sizeof sums.total);
    first[N_KINDS_OF_FORCE] = sums.contacts;
    scree_analysis_share(view->scene->comm, first, N_KINDS_OF_FORCE + 1, total);
    if (!(total[N_KINDS_OF_FORCE] > 0.0)) return; /* the same on all ranks: no contacts */
    for (int k = 0; k < N_KINDS_OF_FORCE; k++)
        value[k] = sums.mean[k] = total[k] / total[N_KINDS_OF_FORCE];
    sums.bin = scree_alloc((size_t)n_bins, sizeof *sums.bin);
    for (int k = 0; k < n_bins; k++) scree_exact_clear(&sums.bin[k]);
    scree_chosen_contacts_visit(&chosen, add_contact, &sums);
    scree_analysis_share(view->scene->comm, sums.bin, n_bins, value + N_KINDS_OF_FORCE);
    scree_alloc_free(sums.bin);
}

static void write(const struct scree_measurement *m, const struct scree_scene *scene,
                  const double *mean, FILE *f)
{
    const struct values *v = m->values;
    int n_bins = n_bins_of(v);
    const double *count[] = {mean + N_KINDS_OF_FORCE, mean + N_KINDS_OF_FORCE + n_bins};
    double all[N_KINDS_OF_FORCE] = {0.0}, width = (v->up_to - v->low) / (double)v->bins;
    (void)scene;
    fprintf(f, "low,high");
    for (int k = 0; k < N_KINDS_OF_FORCE; k++) {
        fprintf(f, ",%s contacts,%s density,mean %s force [N]", names[k], names[k], names[k]);
        for (int bin = 0; bin < n_bins; bin++) all[k] += count[k][bin];
    }
    fputc('\n', f);
    for (int bin = 0; bin < n_bins; bin++) {
        double low = bin == 0 ? -INFINITY : v->low + (bin - 1) * width,
               high = bin == n_bins - 1 ? INFINITY : v->low + bin * width;
        fprintf(f, "%.17g,%.17g", low, high);
        for (int k = 0; k < N_KINDS_OF_FORCE; k++)
            fprintf(f, ",%.17g,%.17g,%.17g", count[k][bin],
                    isfinite(high - low) ? scree_fabric_ratio(count[k][bin], all[k] * width) : NAN,
                    mean[k]);
        fputc('\n', f);
    }
}

const struct scree_analysis_kind scree_analysis_forces = {
    .name = "forces",
    .summary = "distributions of normal and tangential forces over their means, over all samples",
    .params = params,
    .values_size = sizeof(struct values),
    .has_volume = true,
    .counts_only = true,
    .has_contacts = true,
    .is_table = true,
    .check = check,
    .sample = sample,
    .write = write,
};
