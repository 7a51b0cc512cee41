/* SPDX-License-Identifier: BSD-3-Clause
 * Grains that are there already, found by place: a grid of cells over a region. */
#include "crowd.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scree/alloc.h"

static int64_t cell_of(const struct scree_crowd *crowd, int a, double x)
{
    const struct scree_region *r = crowd->region;
    double cell = floor((x - r->low[a]) / (r->high[a] - r->low[a]) * (double)crowd->n_cells[a]);
    return (int64_t)fmin(fmax(cell, 0.0), (double)(crowd->n_cells[a] - 1));
}

static double difference(const struct scree_crowd *crowd, const double a[3], const double b[3],
                         double d[3])
{
    double square = 0.0;
    d[2] = 0.0;
    for (int k = 0; k < crowd->box->dimension; k++) {
        double length = crowd->box->length[k];
        d[k] = a[k] - b[k];
        if (crowd->box->periodic[k]) d[k] -= length * nearbyint(d[k] / length);
        square += d[k] * d[k];
    }
    return square;
}

double scree_crowd_between(const struct scree_crowd *crowd, const double a[4], const double b[4],
                           double d[3], int *turn)
{
    const struct scree_wedge *wedge = &crowd->box->wedge;
    double square = difference(crowd, a, b, d);
    int n_turns = wedge->n == 2 ? 1 : 2; /* one sector on, one back */
    *turn = 0;
    if (wedge->n == 0) return square;
    for (int k = 0; k < n_turns; k++) {
        double there[3] = {b[0], b[1], b[2]}, other[3];
        scree_wedge_turn_by(wedge, k == 0 ? 1 : -1, there);
        double other_square = difference(crowd, a, there, other);
        if (other_square >= square) continue;
        square = other_square;
        memcpy(d, other, sizeof other);
        *turn = k == 0 ? 1 : -1;
    }
    return square;
}

struct visit {
    const struct scree_crowd *crowd;
    const double *pos; /* of the visitor */
    int turn;          /* sectors by which it is turned to see the cells */
    scree_crowd_visitor *visit;
    void *context;
};

/* In a wedge a ball is shown once, through its nearest image. */
static bool is_nearest(const struct visit *v, const double ball[4])
{
    double d[3];
    int turn;
    if (v->crowd->box->wedge.n == 0) return true;
    scree_crowd_between(v->crowd, v->pos, ball, d, &turn);
    return scree_wedge_modulo(&v->crowd->box->wedge, turn + v->turn) == 0;
}

static bool visit_cell(const struct visit *v, const int64_t cell[3])
{
    const struct scree_crowd *crowd = v->crowd;
    const int64_t *n = crowd->n_cells;
    int64_t k = cell[0] + n[0] * (cell[1] + n[1] * cell[2]);
    for (int64_t j = crowd->head[k]; j >= 0; j = crowd->ball[j].next)
        if (is_nearest(v, crowd->ball[j].pos) && v->visit(v->context, j, crowd->ball[j].pos))
            return true;
    return false;
}

/* Neighbour cells beyond a face do not exist; beyond a period they are those of the other side. */
static bool visit_around(const struct visit *v, const double pos[3])
{
    const struct scree_crowd *crowd = v->crowd;
    const int64_t *n = crowd->n_cells;
    int64_t low[3], high[3], c[3];
    for (int a = 0; a < 3; a++) {
        int64_t mine = a < crowd->box->dimension ? cell_of(crowd, a, pos[a]) : 0;
        bool wraps = crowd->region->whole[a] && n[a] > 2;
        low[a] = wraps || mine > 0 ? mine - 1 : 0;
        high[a] = wraps || mine + 1 < n[a] ? mine + 1 : mine;
    }
    for (c[2] = low[2]; c[2] <= high[2]; c[2]++)
        for (c[1] = low[1]; c[1] <= high[1]; c[1]++)
            for (c[0] = low[0]; c[0] <= high[0]; c[0]++) {
                int64_t cell[3];
                for (int a = 0; a < 3; a++) cell[a] = (c[a] + n[a]) % n[a];
                if (visit_cell(v, cell)) return true;
            }
    return false;
}

bool scree_crowd_visit(const struct scree_crowd *crowd, const double pos[4],
                       scree_crowd_visitor *visit, void *context)
{
    const struct scree_wedge *wedge = &crowd->box->wedge;
    struct visit v = {crowd, pos, 0, visit, context};
    if (visit_around(&v, pos)) return true;
    if (wedge->n == 0) return false;
    double side[2];
    scree_wedge_to_sides(wedge, pos, side);
    for (int last = 0; last < 2; last++) {
        double there[3] = {pos[0], pos[1], pos[2]};
        if (side[last] > crowd->reach) continue;
        v.turn = last == 0 ? 1 : -1;
        scree_wedge_turn_by(wedge, v.turn, there);
        if (visit_around(&v, there)) return true;
    }
    return false;
}

struct newcomer {
    const struct scree_crowd *crowd;
    const double *pos;
    double gap;
};

static bool touches(void *context, int64_t k, const double pos[4])
{
    const struct newcomer *new = context;
    double reach = new->pos[3] + pos[3] + new->gap, d[3];
    int turn;
    (void)k;
    return scree_crowd_between(new->crowd, new->pos, pos, d, &turn) < reach * reach;
}

bool scree_crowd_is_free(const struct scree_crowd *crowd, const double pos[4], double gap)
{
    struct newcomer new = {.crowd = crowd, .pos = pos, .gap = gap};
    return !scree_crowd_visit(crowd, pos, touches, &new);
}

bool scree_crowd_has_blocks(const struct scree_crowd *crowd)
{
    bool few = crowd->box->wedge.n > 0 || crowd->n > INT32_MAX;
    for (int a = 0; a < crowd->box->dimension; a++)
        few = few || (crowd->region->whole[a] && crowd->n_cells[a] < 3);
    return !few;
}

static void gather_cell(const struct scree_crowd *crowd, int64_t cell, const double shift[3],
                        struct scree_crowd_block *block)
{
    for (int64_t j = crowd->head[cell]; j >= 0; j = crowd->ball[j].next) {
        const double *pos = crowd->ball[j].pos;
        size_t n = (size_t)block->n++, room = block->capacity;
        for (int a = 0; a < 4; a++) {
            size_t same = room;
            SCREE_GROW(block->pos[a], n, same, n + 1);
            block->pos[a][n] = pos[a] + (a < 3 ? shift[a] : 0.0);
        }
        SCREE_GROW(block->ball, n, block->capacity, n + 1);
        block->ball[n] = (int32_t)j;
    }
}

void scree_crowd_gather(const struct scree_crowd *crowd, int64_t cell,
                        struct scree_crowd_block *block)
{
    const int64_t *n = crowd->n_cells;
    const int64_t at[3] = {cell % n[0], cell / n[0] % n[1], cell / (n[0] * n[1])};
    const double none[3] = {0.0, 0.0, 0.0};
    block->n = 0;
    gather_cell(crowd, cell, none, block);
    block->n_here = block->n;
    for (int k = 0; k < 27 && block->n_here > 0; k++) {
        int64_t to[3] = {at[0] + k % 3 - 1, at[1] + k / 3 % 3 - 1, at[2] + k / 9 - 1};
        double shift[3] = {0.0, 0.0, 0.0};
        bool there = k != 13;
        for (int a = 0; a < 3; a++) {
            int64_t beyond = to[a] < 0 ? -1 : to[a] >= n[a] ? 1 : 0;
            there = there && (beyond == 0 || crowd->region->whole[a]);
            shift[a] = (double)beyond * crowd->box->length[a];
            to[a] -= beyond * n[a];
        }
        if (there) gather_cell(crowd, to[0] + n[0] * (to[1] + n[1] * to[2]), shift, block);
    }
}

void scree_crowd_clear_block(struct scree_crowd_block *block)
{
    for (int a = 0; a < 4; a++) scree_alloc_free(block->pos[a]);
    scree_alloc_free(block->ball);
    *block = (struct scree_crowd_block){.n = 0};
}

static void put_into_cell(struct scree_crowd *crowd, int64_t k)
{
    struct scree_crowd_ball *ball = &crowd->ball[k];
    int64_t cell = 0;
    for (int a = crowd->box->dimension - 1; a >= 0; a--)
        cell = cell * crowd->n_cells[a] + cell_of(crowd, a, ball->pos[a]);
    ball->next = crowd->head[cell];
    crowd->head[cell] = k;
}

void scree_crowd_add(struct scree_crowd *crowd, const double pos[4])
{
    SCREE_GROW(crowd->ball, crowd->n, crowd->capacity, crowd->n + 1);
    memcpy(crowd->ball[crowd->n].pos, pos, sizeof crowd->ball->pos);
    put_into_cell(crowd, crowd->n++);
}

static void empty_cells(struct scree_crowd *crowd)
{
    int64_t n_cells = crowd->n_cells[0] * crowd->n_cells[1] * crowd->n_cells[2];
    for (int64_t c = 0; c < n_cells; c++) crowd->head[c] = -1;
}

void scree_crowd_truncate(struct scree_crowd *crowd, int64_t n)
{
    crowd->n = n;
    empty_cells(crowd);
    for (int64_t k = 0; k < n; k++) put_into_cell(crowd, k);
}

static void lay_cells(struct scree_crowd *crowd, int64_t n)
{
    const struct scree_region *region = crowd->region;
    int dimension = crowd->box->dimension;
    double most = (dimension == 2 ? sqrt(4.0 * (double)n) : cbrt(4.0 * (double)n)) + 2.0;
    size_t n_cells = 1;
    for (int a = 0; a < 3; a++) {
        crowd->n_cells[a] = 1;
        if (a < dimension) {
            double along = fmin(floor((region->high[a] - region->low[a]) / crowd->reach), most);
            crowd->n_cells[a] = along > 1.0 ? (int64_t)along : 1;
        }
        n_cells *= (size_t)crowd->n_cells[a];
    }
    crowd->head = scree_alloc(n_cells, sizeof *crowd->head);
    empty_cells(crowd);
}

static bool is_near(const struct scree_crowd *crowd, const double pos[4])
{
    const struct scree_region *r = crowd->region;
    for (int a = 0; a < crowd->box->dimension; a++)
        if (!r->whole[a] &&
            (pos[a] < r->low[a] - crowd->reach || pos[a] > r->high[a] + crowd->reach))
            return false;
    return true;
}

/* The images (27 at most) of a grain within reach of the region; returns their number. Cells wrap
 * where the region spans a whole period, so that one image is enough there. */
static int find_images(const struct scree_crowd *crowd, const double pos[4], double image[28][4])
{
    int most[3], s[3], n = 0;
    for (int a = 0; a < 3; a++)
        most[a] = crowd->box->periodic[a] && !crowd->region->whole[a] ? 1 : 0;
    for (s[2] = -most[2]; s[2] <= most[2]; s[2]++)
        for (s[1] = -most[1]; s[1] <= most[1]; s[1]++)
            for (s[0] = -most[0]; s[0] <= most[0]; s[0]++) {
                for (int a = 0; a < 3; a++) image[n][a] = pos[a] + s[a] * crowd->box->length[a];
                image[n][3] = pos[3];
                if (is_near(crowd, image[n])) n++;
            }
    return n;
}

static int compare_place(const void *a, const void *b)
{
    const double *x = a, *y = b;
    for (int k = 0; k < 4; k++)
        if (x[k] != y[k]) return x[k] < y[k] ? -1 : 1;
    return 0;
}

/* The grains of all ranks near the region, sorted: their order must not depend on the ranks. */
static void add_earlier(struct scree_crowd *crowd, const struct scree_sample_run *run)
{
    struct scree_comm *comm = run->context->comm;
    const struct scree_particles *p = run->p;
    const double nobody[4] = {0.0, 0.0, 0.0, -1.0};
    double(*mine)[4] = scree_alloc((size_t)p->n_owned + 1, sizeof *mine), image[28][4];
    int64_t n = 0;
    for (scree_lid i = 0; i < p->n_owned; i++) {
        int32_t periods[3] = {0};
        memcpy(mine[n], p->pos[i], sizeof *mine);
        scree_box_wrap(crowd->box, mine[n], periods); /* grains of a run may be on their way out */
        if (find_images(crowd, mine[n], image) > 0) n++;
    }
    int64_t most = n;
    scree_comm_max_int(comm, &most, 1);
    mine = scree_alloc_resize(mine, (size_t)n, (size_t)most, sizeof *mine);
    for (int64_t k = n; k < most; k++) memcpy(mine[k], nobody, sizeof nobody);
    double(*all)[4] = scree_alloc((size_t)most * (size_t)comm->n_ranks, sizeof *all);
    scree_comm_allgather(comm, mine, (size_t)most * sizeof *mine, all);
    if (most > 0) qsort(all, (size_t)(most * comm->n_ranks), sizeof *all, compare_place);
    for (int64_t k = 0; k < most * comm->n_ranks; k++) {
        int n_images = all[k][3] > 0.0 ? find_images(crowd, all[k], image) : 0;
        for (int m = 0; m < n_images; m++) scree_crowd_add(crowd, image[m]);
    }
    scree_alloc_free(all);
    scree_alloc_free(mine);
}

void scree_crowd_create(struct scree_crowd *crowd, const struct scree_sample_run *run,
                        const struct scree_sample_grains *grains, double gap, int64_t n)
{
    double largest = grains->sizes.high;
    for (scree_lid i = 0; i < run->p->n_owned; i++) largest = fmax(largest, run->p->pos[i][3]);
    scree_comm_max(run->context->comm, &largest, 1);
    *crowd = (struct scree_crowd){.box = run->setting->box,
                                  .region = &grains->region,
                                  .reach = grains->sizes.high + largest + gap};
    lay_cells(crowd, n);
    if (run->n_before > 0) add_earlier(crowd, run);
}

void scree_crowd_narrow(struct scree_crowd *crowd, const struct scree_crowd *from,
                        const struct scree_region *region, double gap, int64_t n)
{
    *crowd = (struct scree_crowd){.box = from->box, .region = region, .reach = from->reach + gap};
    lay_cells(crowd, n);
    for (int64_t k = 0; k < from->n; k++)
        for (int a = 0; a < crowd->box->dimension; a++) {
            bool opened = from->region->whole[a] && !region->whole[a];
            for (int s = opened ? -1 : 0; s <= (opened ? 1 : 0); s++) {
                double image[4];
                if (s == 0 && a > 0) continue; /* the ball itself, once */
                memcpy(image, from->ball[k].pos, sizeof image);
                image[a] += s * crowd->box->length[a];
                if (is_near(crowd, image)) scree_crowd_add(crowd, image);
            }
        }
}

void scree_crowd_clear(struct scree_crowd *crowd)
{
    scree_alloc_free(crowd->ball);
    scree_alloc_free(crowd->head);
    *crowd = (struct scree_crowd){0};
}
