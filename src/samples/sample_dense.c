/* SPDX-License-Identifier: BSD-3-Clause
 * Grains at random places, then pushed apart until they overlap no more than is allowed. Each rank
 * has the grains of a slab of the region. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>

#include "relax.h"
#include "scree/alloc.h"
#include "scree/rng.h"

struct dense {
    int64_t count, steps;
    double overlap;
};

#define AT(member) offsetof(struct dense, member)
static const struct scree_param params[] = {
    {"count", SCREE_PARAM_INTEGER, "", 1, 1e9, NULL, NULL, AT(count), "number of grains"},
    {"overlap", SCREE_PARAM_REAL, "1", 0, 0.5, "0", NULL, AT(overlap),
     "largest overlap that is left, as a share of the smaller radius"},
    {"steps", SCREE_PARAM_INTEGER, "", 1, 1e9, "20000", NULL, AT(steps),
     "of the relaxation, at most"},
    {0},
};

enum { N_DRAWS = 100000 };

/* Anywhere inside the region, but not on grains that cannot be pushed away, between which it might
 * be caught, and not on walls, whose other side it might come out on. */
static bool draw_place(const struct scree_relax *relax, const struct scree_crowd *earlier,
                       uint64_t seed, scree_gid gid, double pos[4])
{
    const struct scree_region *region = relax->region;
    struct scree_rng_key key = {.seed = seed, .gid = gid, .purpose = SCREE_RNG_POSITION};
    for (key.step = 0; key.step < N_DRAWS; key.step++) {
        pos[2] = 0.0;
        for (int a = 0; a < region->dimension; a++)
            pos[a] = region->low[a] +
                     (region->high[a] - region->low[a]) * scree_rng_uniform(&key, (uint32_t)a);
        for (int a = 0; a < region->dimension; a++)
            pos[a] = scree_box_snap(earlier->box, a, pos[a]);
        if (scree_region_in_wedge(region, pos) && scree_region_holds(region, pos, pos[3]) &&
            scree_sample_is_off_walls(relax->sample, relax->walls, pos, 0.0) &&
            scree_crowd_is_free(earlier, pos, 0.0))
            return true;
    }
    return false;
}

/* This rank's share of the grains, numbered one after the other. */
static enum scree_status draw_share(const struct scree_sample_grains *grains,
                                    const struct scree_sample_run *run, int64_t count,
                                    const struct scree_relax *relax,
                                    const struct scree_crowd *earlier)
{
    int64_t begin, end;
    enum scree_status status = SCREE_OK;
    scree_sample_share(run->context->comm, count, &begin, &end);
    for (int64_t k = begin; k < end && status == SCREE_OK; k++) {
        scree_gid gid = run->n_before + 1 + k;
        double pos[4] = {[3] = scree_sizes_draw(&grains->sizes, run->context->seed, gid)};
        if (draw_place(relax, earlier, run->context->seed, gid, pos))
            scree_slabs_add(relax->slabs, gid, pos);
        else
            status = SCREE_FAIL(SCREE_PHYSICS,
                                "dense sample: no place in the region, off walls and earlier "
                                "samples, for a grain of radius %g m",
                                pos[3]);
    }
    return scree_comm_agree(run->context->comm, status);
}

static enum scree_status fail(const struct scree_relax *relax, const struct scree_sample_run *run,
                              const struct scree_region *region)
{
    char partner[160] = "a face of the region";
    struct scree_exact solid;
    scree_exact_clear(&solid);
    for (int64_t k = 0; k < relax->slabs->n_own; k++)
        scree_exact_add(&solid, scree_sample_solid(region->dimension, relax->slabs->pos[k][3]));
    scree_comm_sum_exact(run->context->comm, &solid, 1);
    if (relax->wall >= 0)
        snprintf(partner, sizeof partner, "wall '%.128s'", relax->walls->wall[relax->wall].name);
    else if (relax->j > 0)
        snprintf(partner, sizeof partner, "grain %lld", (long long)relax->j);
    else if (relax->j < 0)
        snprintf(partner, sizeof partner, "a grain of an earlier sample");
    return SCREE_FAIL(
        SCREE_PHYSICS,
        "dense sample: at solid fraction %.3f grain %lld and %s still overlap by %.3g "
        "of the smaller radius after %lld steps, allowed %g; use a larger region, "
        "fewer grains, or allow a larger overlap",
        scree_exact_value(&solid) / region->size, (long long)relax->i, partner, relax->worst,
        (long long)relax->n_steps, relax->allowed);
}

/* The grains where they are now, in motion. */
static void append(struct scree_sample_run *run, const struct scree_sample_grains *grains,
                   const struct scree_slabs *slabs, int64_t count)
{
    scree_lid first = run->p->n_owned;
    for (int64_t k = 0; k < slabs->n_own; k++)
        scree_sample_append(run, slabs->gid[k], grains->species, slabs->pos[k]);
    scree_sample_stir(grains, run, first);
    run->n_before += count;
}

static enum scree_status fill(const struct scree_sample *sample, struct scree_sample_run *run)
{
    const struct dense *v = (const struct dense *)sample->values;
    const struct scree_sample_grains *grains = sample->grains;
    const struct scree_region *region = &grains->region;
    struct scree_crowd earlier, crowd;
    struct scree_slabs slabs;
    struct scree_relax relax = {.sample = sample,
                                .walls = run->setting->walls,
                                .crowd = &crowd,
                                .region = region,
                                .slabs = &slabs,
                                .largest = grains->sizes.high,
                                .skin = 0.4 * grains->sizes.high,
                                .allowed = v->overlap,
                                .most = v->steps};
    scree_slabs_create(&slabs, run->context->comm, run->setting->box, region,
                       2.0 * grains->sizes.high + 2.0 * relax.skin);
    scree_crowd_create(&earlier, run, grains, 0.0, run->n_before > 0 ? v->count : 1);
    enum scree_status status = draw_share(grains, run, v->count, &relax, &earlier);
    scree_crowd_narrow(&crowd, &earlier, &slabs.mine, relax.skin, v->count / slabs.n + 1);
    scree_crowd_clear(&earlier);
    if (status == SCREE_OK && !scree_relax_run(&relax)) status = fail(&relax, run, region);
    if (status == SCREE_OK) append(run, grains, &slabs, v->count);
    scree_crowd_clear(&crowd);
    scree_slabs_clear(&slabs);
    return status;
}

static void check(struct scree_sample *sample, struct scree_input *input,
                  const struct scree_node *node, const struct scree_samples_setting *setting)
{
    const struct dense *v = (const struct dense *)sample->values;
    (void)setting;
    scree_sample_check_filling(input, node, sample->grains, v->count, 1.0 - v->overlap);
}

double scree_sample_dense_overlap(const struct scree_sample *sample)
{
    return ((const struct dense *)sample->values)->overlap;
}

const struct scree_sample_kind scree_sample_dense = {
    .name = "dense",
    .summary = "grains at random places, pushed apart until they hardly overlap",
    .common = scree_sample_grain_params,
    .params = params,
    .check = check,
    .fill = fill,
};
