/* SPDX-License-Identifier: BSD-3-Clause
 * What a sample has become, measured over all ranks, for the user. */
#include <math.h>

#include "samples_impl.h"
#include "scree/log.h"

/* Sums are exact: the lines are the same on any number of ranks. */
void scree_sample_summarise(struct scree_sample *sample, const struct scree_sample_run *run,
                            scree_lid first, int64_t n_glued)
{
    const struct scree_particles *p = run->p;
    const struct scree_box *box = run->setting->box;
    struct scree_comm *comm = run->context->comm;
    int power = run->setting->disks ? 2 : 3;
    struct scree_exact sum[4]; /* of r, r^power, r^(power + 1), and of what is solid */
    int64_t count[2] = {p->n_owned - first, n_glued};
    double bound[2] = {-INFINITY, 0.0}, region = 1.0;
    for (int k = 0; k < 4; k++) scree_exact_clear(&sum[k]);
    for (scree_lid i = first; i < p->n_owned; i++) {
        double r = p->pos[i][3], volume = power == 2 ? r * r : r * r * r;
        bound[0] = fmax(bound[0], -r);
        bound[1] = fmax(bound[1], r);
        scree_exact_add(&sum[0], r);
        scree_exact_add(&sum[1], volume);
        scree_exact_add_product(&sum[2], volume, r);
        scree_exact_add(&sum[3], scree_sample_solid(box->dimension, r));
    }
    scree_comm_sum_exact(comm, sum, 4);
    scree_comm_sum_int(comm, count, 2);
    scree_comm_max(comm, bound, 2);
    for (int a = 0; a < box->dimension; a++) region *= box->length[a];
    if (sample->grains != NULL) region = sample->grains->region.size;
    sample->summary = (struct scree_sample_summary){.n = count[0], .n_glued = count[1]};
    if (count[0] == 0) return;
    sample->summary.smallest = -bound[0];
    sample->summary.largest = bound[1];
    sample->summary.mean = scree_exact_value(&sum[0]) / (double)count[0];
    sample->summary.mean_by_volume = scree_exact_value(&sum[2]) / scree_exact_value(&sum[1]);
    sample->summary.fraction = scree_exact_value(&sum[3]) / region;
}

static void log_sizes(const struct scree_sample *sample)
{
    const struct scree_sample_summary *s = &sample->summary;
    const struct scree_sizes *sizes = &sample->grains->sizes;
    int power = sizes->volume_power;
    scree_log(SCREE_LOG_INFO,
              "  %s radii: mean %.4g m, by volume %.4g m; stated mean %.4g m, by volume %.4g m",
              sizes->kind->name, s->mean, s->mean_by_volume, scree_sizes_moment(sizes, 1),
              scree_sizes_moment(sizes, power + 1) / scree_sizes_moment(sizes, power));
}

void scree_samples_log(const struct scree_samples *samples)
{
    for (int k = 0; k < samples->n; k++) {
        const struct scree_sample *sample = &samples->sample[k];
        const struct scree_sample_summary *s = &sample->summary;
        scree_log(SCREE_LOG_INFO,
                  "sample %d (%s): %lld grains, radii %.4g to %.4g m, solid fraction %.4g of %s",
                  k + 1, sample->kind->name, (long long)s->n, s->smallest, s->largest, s->fraction,
                  sample->grains != NULL ? "its region" : "the domain");
        if (sample->grains != NULL && sample->grains->sizes.kind != NULL) log_sizes(sample);
        if (sample->has_glue)
            scree_log(SCREE_LOG_INFO, "  %lld of them are glued to walls", (long long)s->n_glued);
    }
}
