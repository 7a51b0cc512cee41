/* SPDX-License-Identifier: BSD-3-Clause
 * Grains at random places without overlap: random sequential addition, large grains first (Widom,
 * J. Chem. Phys. 44, 3888 (1966)). Each grain's tries depend on the places before it, so every rank
 * goes through the whole sequence and keeps its share. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "crowd.h"
#include "scree/alloc.h"
#include "scree/rng.h"

struct random {
    int64_t count;
    double gap; /* m; least distance between surfaces */
};

#define AT(member) offsetof(struct random, member)
static const struct scree_param params[] = {
    {"count", SCREE_PARAM_INTEGER, "", 1, 1e9, NULL, NULL, AT(count), "number of grains"},
    {"gap", SCREE_PARAM_REAL, "m", 0, INFINITY, "0", NULL, AT(gap),
     "least distance between surfaces, also from those of walls"},
    {0},
};

/* Tries are places inside the region and off the walls; most draws may miss a thin ring. */
enum { N_TRIES = 10000, N_DRAWS = 100 * N_TRIES };

struct search {
    const struct scree_sample *sample;
    const struct scree_walls *walls;
    const struct random *values;
    int64_t count; /* of the grains to place */
    const struct scree_sample_grains *grains;
    const struct scree_box *box;
    uint64_t seed;
    scree_gid n_before;
    struct scree_crowd crowd;
    double (*pos)[4]; /* m; [3] radius; row k becomes grain n_before + 1 + k */
};

/* The place is on the position grid already, so that what is tested is what the grain gets. */
static void draw_place(const struct search *s, int64_t k, int64_t attempt)
{
    const struct scree_region *region = &s->grains->region;
    struct scree_rng_key key = {.seed = s->seed,
                                .gid = s->n_before + 1 + k,
                                .purpose = SCREE_RNG_POSITION,
                                .step = attempt};
    int32_t image[3] = {0};
    double *pos = s->pos[k];
    pos[2] = 0.0;
    for (int a = 0; a < s->box->dimension; a++) {
        double margin = region->whole[a] || region->round ? 0.0 : pos[3];
        double room = (region->high[a] - region->low[a]) - 2.0 * margin;
        double x = region->low[a] + margin + room * scree_rng_uniform(&key, (uint32_t)a);
        pos[a] = scree_box_snap(s->box, a, x);
    }
    if (region->wedge == NULL) scree_box_wrap(s->box, pos, image);
}

static bool place(struct search *s, int64_t k)
{
    double *pos = s->pos[k];
    for (int64_t draw = 0, n_tries = 0; draw < N_DRAWS && n_tries < N_TRIES; draw++) {
        draw_place(s, k, draw);
        if (!scree_region_in_wedge(&s->grains->region, pos) ||
            !scree_region_holds(&s->grains->region, pos, pos[3]) ||
            !scree_sample_is_off_walls(s->sample, s->walls, pos, s->values->gap))
            continue;
        n_tries++;
        if (!scree_crowd_is_free(&s->crowd, pos, s->values->gap)) continue;
        scree_crowd_add(&s->crowd, pos);
        return true;
    }
    return false;
}

struct rank_by_size {
    double radius;
    int64_t k;
};

static int compare_size(const void *a, const void *b)
{
    const struct rank_by_size *x = a, *y = b;
    if (x->radius != y->radius) return x->radius > y->radius ? -1 : 1;
    return (x->k > y->k) - (x->k < y->k);
}

/* Share of the region that the first n of `order` fill. */
static double fraction(const struct search *s, const struct rank_by_size *order, int64_t n)
{
    double solid = 0.0;
    for (int64_t k = 0; k < n; k++) solid += scree_sample_solid(s->box->dimension, order[k].radius);
    return solid / s->grains->region.size;
}

static enum scree_status place_all(struct search *s)
{
    int64_t n = s->count, done = 0;
    enum scree_status status = SCREE_OK;
    struct rank_by_size *order = scree_alloc((size_t)n, sizeof *order);
    for (int64_t k = 0; k < n; k++) order[k] = (struct rank_by_size){s->pos[k][3], k};
    qsort(order, (size_t)n, sizeof *order, compare_size);
    while (done < n && place(s, order[done].k)) done++;
    if (done < n)
        status =
            SCREE_FAIL(SCREE_PHYSICS,
                       "random sample: only %lld of %lld grains found a free place, solid "
                       "fraction %.3f of %.3f (%d tries for the next grain; random addition "
                       "of equal %s cannot go beyond %s); use a larger region on the good side of "
                       "all walls, fewer grains, a smaller gap, or another kind: dense, loose, "
                       "lattice",
                       (long long)done, (long long)n, fraction(s, order, done),
                       fraction(s, order, n), N_TRIES, s->box->dimension == 2 ? "disks" : "spheres",
                       s->box->dimension == 2 ? "0.547" : "0.384");
    scree_alloc_free(order);
    return status;
}

static enum scree_status fill(const struct scree_sample *sample, struct scree_sample_run *run)
{
    const struct random *v = (const struct random *)sample->values;
    const struct scree_sample_grains *grains = sample->grains;
    int64_t count = sample->batch > 0 ? sample->batch : v->count;
    struct search search = {.sample = sample,
                            .walls = run->setting->walls,
                            .values = v,
                            .count = count,
                            .grains = grains,
                            .box = run->setting->box,
                            .seed = run->context->seed,
                            .n_before = run->n_before};
    scree_crowd_create(&search.crowd, run, grains, v->gap, count);
    search.pos = scree_alloc((size_t)count, sizeof *search.pos);
    for (int64_t k = 0; k < count; k++)
        search.pos[k][3] = scree_sizes_draw(&grains->sizes, search.seed, run->n_before + 1 + k);
    enum scree_status status = place_all(&search); /* the same on every rank: no need to agree */
    if (status == SCREE_OK)
        scree_sample_append_all(run, grains, count, (const double(*)[4])search.pos);
    scree_alloc_free(search.pos);
    scree_crowd_clear(&search.crowd);
    return status;
}

static void check(struct scree_sample *sample, struct scree_input *input,
                  const struct scree_node *node, const struct scree_samples_setting *setting)
{
    const struct random *v = (const struct random *)sample->values;
    if (!setting->poured) scree_sample_check_filling(input, node, sample->grains, v->count, 1.0);
}

int64_t scree_sample_random_count(const struct scree_sample *sample)
{
    return ((const struct random *)sample->values)->count;
}

const struct scree_sample_kind scree_sample_random = {
    .name = "random",
    .summary = "grains at random places without overlap",
    .common = scree_sample_grain_params,
    .params = params,
    .check = check,
    .fill = fill,
};
