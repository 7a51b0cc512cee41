/* SPDX-License-Identifier: BSD-3-Clause
 * Grains at random places without overlap: random sequential addition, large grains first (Widom,
 * J. Chem. Phys. 44, 3888 (1966)). Each grain's tries depend on the places before it, so every rank
 * goes through the whole sequence and keeps its share. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "samples_impl.h"
#include "scree/alloc.h"
#include "scree/rng.h"

struct random {
    struct scree_sample_grains grains;
    int64_t count;
    double gap; /* m; least distance between surfaces */
};
_Static_assert(sizeof(struct random) <= SCREE_SAMPLE_VALUES * sizeof(double), "random fits");

#define AT(member) offsetof(struct random, member)
static const struct scree_param params[] = {
    {"count", SCREE_PARAM_INTEGER, "", 1, 1e9, NULL, NULL, AT(count), "number of grains"},
    {"gap", SCREE_PARAM_REAL, "m", 0, INFINITY, "0", NULL, AT(gap),
     "least distance between surfaces"},
    {0},
};

enum { N_TRIES = 10000 };

struct ball {
    double pos[4]; /* m; [3] radius */
    int64_t next;  /* in its cell, -1: last */
};

/* Balls placed so far, in cells at least as wide as the largest reach of a pair. */
struct heap {
    const struct random *values;
    const struct scree_box *box;
    uint64_t seed;
    scree_gid n_before;
    struct ball *ball; /* ball k becomes grain n_before + 1 + k */
    int64_t *head;     /* first ball of each cell, -1: none */
    int64_t n_cells[3];
};

static void check(struct scree_input *input, const struct scree_node *node,
                  const struct scree_box *box, const char *const *materials, void *values)
{
    struct random *v = values;
    scree_sample_check_grains(input, node, box, materials, &v->grains);
}

static int64_t cell_of(const struct heap *h, int a, double x)
{
    const struct scree_sample_grains *g = &h->values->grains;
    double cell = floor((x - g->low[a]) / (g->high[a] - g->low[a]) * (double)h->n_cells[a]);
    return (int64_t)fmin(fmax(cell, 0.0), (double)(h->n_cells[a] - 1));
}

static bool touches(const struct heap *h, const struct ball *b, const struct ball *other)
{
    double reach = b->pos[3] + other->pos[3] + h->values->gap, square = 0.0;
    for (int a = 0; a < h->box->dimension; a++) {
        double d = b->pos[a] - other->pos[a];
        if (h->box->periodic[a]) d -= h->box->length[a] * nearbyint(d / h->box->length[a]);
        square += d * d;
    }
    return square < reach * reach;
}

static bool cell_touches(const struct heap *h, const struct ball *b, const int64_t cell[3])
{
    int64_t k = cell[0] + h->n_cells[0] * (cell[1] + h->n_cells[1] * cell[2]);
    for (int64_t j = h->head[k]; j >= 0; j = h->ball[j].next)
        if (touches(h, b, &h->ball[j])) return true;
    return false;
}

/* Neighbour cells beyond a face do not exist; beyond a period they are those of the other side. */
static bool is_free(const struct heap *h, const struct ball *b)
{
    int64_t low[3], high[3], c[3];
    for (int a = 0; a < 3; a++) {
        int64_t mine = a < h->box->dimension ? cell_of(h, a, b->pos[a]) : 0;
        bool wraps = h->values->grains.whole[a] && h->n_cells[a] > 2;
        low[a] = wraps || mine > 0 ? mine - 1 : 0;
        high[a] = wraps || mine + 1 < h->n_cells[a] ? mine + 1 : mine;
    }
    for (c[2] = low[2]; c[2] <= high[2]; c[2]++)
        for (c[1] = low[1]; c[1] <= high[1]; c[1]++)
            for (c[0] = low[0]; c[0] <= high[0]; c[0]++) {
                int64_t cell[3];
                for (int a = 0; a < 3; a++) cell[a] = (c[a] + h->n_cells[a]) % h->n_cells[a];
                if (cell_touches(h, b, cell)) return false;
            }
    return true;
}

/* The place is on the position grid already, so that what is tested is what the grain gets. */
static void draw_place(const struct heap *h, int64_t k, int64_t attempt, struct ball *b)
{
    const struct scree_sample_grains *g = &h->values->grains;
    struct scree_rng_key key = {.seed = h->seed,
                                .gid = h->n_before + 1 + k,
                                .purpose = SCREE_RNG_POSITION,
                                .step = attempt};
    int32_t image[3] = {0};
    b->pos[2] = 0.0;
    for (int a = 0; a < h->box->dimension; a++) {
        double margin = g->whole[a] ? 0.0 : b->pos[3];
        double room = (g->high[a] - g->low[a]) - 2.0 * margin;
        double x = g->low[a] + margin + room * scree_rng_uniform(&key, (uint32_t)a);
        b->pos[a] = scree_box_snap(h->box, a, x);
    }
    scree_box_wrap(h->box, b->pos, image);
}

static bool place(struct heap *h, int64_t k)
{
    struct ball *b = &h->ball[k];
    for (int64_t attempt = 0; attempt < N_TRIES; attempt++) {
        draw_place(h, k, attempt, b);
        if (!is_free(h, b)) continue;
        int64_t cell = cell_of(h, 0, b->pos[0]) + h->n_cells[0] * cell_of(h, 1, b->pos[1]);
        if (h->box->dimension == 3)
            cell += h->n_cells[0] * h->n_cells[1] * cell_of(h, 2, b->pos[2]);
        b->next = h->head[cell];
        h->head[cell] = k;
        return true;
    }
    return false;
}

static void create_heap(struct heap *h)
{
    const struct random *v = h->values;
    double reach = 2.0 * v->grains.largest + v->gap, most = cbrt(4.0 * (double)v->count) + 2.0;
    if (h->box->dimension == 2) most = sqrt(4.0 * (double)v->count) + 2.0;
    size_t n_cells = 1;
    for (int a = 0; a < 3; a++) {
        h->n_cells[a] = 1;
        if (a < h->box->dimension) {
            double n = fmin(floor((v->grains.high[a] - v->grains.low[a]) / reach), most);
            h->n_cells[a] = n > 1.0 ? (int64_t)n : 1;
        }
        n_cells *= (size_t)h->n_cells[a];
    }
    h->head = scree_alloc(n_cells, sizeof *h->head);
    for (size_t c = 0; c < n_cells; c++) h->head[c] = -1;
    h->ball = scree_alloc((size_t)v->count, sizeof *h->ball);
    for (int64_t k = 0; k < v->count; k++)
        h->ball[k].pos[3] = scree_sample_radius(&v->grains, h->seed, h->n_before + 1 + k);
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
static double fraction(const struct heap *h, const struct rank_by_size *order, int64_t n)
{
    const struct scree_sample_grains *g = &h->values->grains;
    const double pi = acos(-1.0);
    double solid = 0.0, region = 1.0;
    for (int64_t k = 0; k < n; k++) {
        double r = order[k].radius;
        solid += h->box->dimension == 2 ? pi * r * r : 4.0 / 3.0 * pi * r * r * r;
    }
    for (int a = 0; a < h->box->dimension; a++) region *= g->high[a] - g->low[a];
    return solid / region;
}

static enum scree_status place_all(struct heap *h)
{
    int64_t n = h->values->count, done = 0;
    enum scree_status status = SCREE_OK;
    struct rank_by_size *order = scree_alloc((size_t)n, sizeof *order);
    for (int64_t k = 0; k < n; k++) order[k] = (struct rank_by_size){h->ball[k].pos[3], k};
    qsort(order, (size_t)n, sizeof *order, compare_size);
    while (done < n && place(h, order[done].k)) done++;
    if (done < n)
        status = SCREE_FAIL(SCREE_PHYSICS,
                            "random sample: no free place for grain %lld of %lld after %d tries, "
                            "at solid fraction %.3f of %.3f; use a larger region, fewer grains or "
                            "a lattice",
                            (long long)done + 1, (long long)n, N_TRIES, fraction(h, order, done),
                            fraction(h, order, n));
    scree_alloc_free(order);
    return status;
}

static enum scree_status fill(const struct scree_sample *sample, struct scree_sample_run *run)
{
    const struct random *v = (const struct random *)sample->values;
    const struct scree_sample_context *context = run->context;
    struct heap heap = {
        .values = v, .box = context->box, .seed = context->seed, .n_before = run->n_before};
    scree_lid first = run->p->n_owned;
    int64_t begin, end;
    create_heap(&heap);
    enum scree_status status = place_all(&heap); /* the same on every rank: no need to agree */
    scree_sample_share(context->comm, v->count, &begin, &end);
    for (int64_t k = begin; k < end && status == SCREE_OK; k++)
        scree_sample_append(run, run->n_before + 1 + k, v->grains.species, heap.ball[k].pos);
    scree_alloc_free(heap.ball);
    scree_alloc_free(heap.head);
    if (status != SCREE_OK) return status;
    scree_sample_stir(&v->grains, run, first);
    run->n_before += v->count;
    return SCREE_OK;
}

const struct scree_sample_kind scree_sample_random = {
    .name = "random",
    .summary = "grains at random places without overlap",
    .common = scree_sample_grain_params,
    .params = params,
    .check = check,
    .fill = fill,
};
