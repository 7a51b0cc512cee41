/* SPDX-License-Identifier: BSD-3-Clause
 * Partitioner that is always there: consecutive pieces of a space-filling curve through the bricks.
 * The curve is the generalised Hilbert curve for boxes of any size (J. Cerveny, "gilbert"): unlike
 * a 2^bits cube cut to size it has almost no jumps in flat, long or odd grids, so that pieces stay
 * connected and have few neighbours. */
#include <math.h>
#include <stdlib.h>

#include "scree/alloc.h"
#include "scree/partition.h"

/* Cost of an empty brick relative to the mean: bricks without grains are dealt out evenly too. */
static const double empty_cost = 1e-3;

/* The bricks in the order of the curve, as they are found. */
struct curve {
    const int *n; /* bricks per direction */
    int64_t n_found;
    int64_t *bricks;
};

struct place {
    int x[3];
};

/* One edge of a box: |n| bricks along an axis, in the direction of the sign. */
struct edge {
    int axis, n;
};

static int sign(int value)
{
    return (value > 0) - (value < 0);
}

static struct edge back(struct edge e)
{
    return (struct edge){e.axis, -e.n};
}

/* Half of the edge, even if possible: odd halves force diagonal steps. */
static struct edge half(struct edge e)
{
    int n = e.n / 2;
    if (n % 2 != 0 && abs(e.n) > 2) n += sign(e.n);
    return (struct edge){e.axis, n};
}

static struct edge rest(struct edge e, struct edge first)
{
    return (struct edge){e.axis, e.n - first.n};
}

/* The place behind the last brick of the edge. */
static struct place past(struct place p, struct edge e)
{
    p.x[e.axis] += e.n;
    return p;
}

/* The place of the last brick of the edge. */
static struct place last(struct place p, struct edge e)
{
    p.x[e.axis] += e.n - sign(e.n);
    return p;
}

static void walk_line(struct curve *curve, struct place p, struct edge e)
{
    const int *n = curve->n;
    for (int i = 0; i < abs(e.n); i++, p.x[e.axis] += sign(e.n))
        curve->bricks[curve->n_found++] =
            p.x[0] + (int64_t)n[0] * (p.x[1] + (int64_t)n[1] * p.x[2]);
}

/* Visit the box with corner p and edges a, b, c: from p to the far end of a, staying at the same
 * b and c. Long boxes are halved, flat ones become a U of three boxes, others a loop of five. */
static void walk(struct curve *curve, struct place p, struct edge a, struct edge b, struct edge c)
{
    const int w = abs(a.n), h = abs(b.n), d = abs(c.n);
    const struct edge a2 = half(a), b2 = half(b), c2 = half(c);
    if (w == 0 || h == 0 || d == 0) {
        return;
    } else if (h == 1 && d == 1) {
        walk_line(curve, p, a);
    } else if (w == 1 && d == 1) {
        walk_line(curve, p, b);
    } else if (w == 1 && h == 1) {
        walk_line(curve, p, c);
    } else if (2 * w > 3 * h && 2 * w > 3 * d) {
        walk(curve, p, a2, b, c);
        walk(curve, past(p, a2), rest(a, a2), b, c);
    } else if (3 * h > 4 * d) {
        walk(curve, p, b2, c, a2);
        walk(curve, past(p, b2), a, rest(b, b2), c);
        walk(curve, last(last(p, a), b2), back(b2), c, back(rest(a, a2)));
    } else if (3 * d > 4 * h) {
        walk(curve, p, c2, a2, b);
        walk(curve, past(p, c2), a, b, rest(c, c2));
        walk(curve, last(last(p, a), c2), back(c2), back(rest(a, a2)), b);
    } else {
        walk(curve, p, b2, c2, a2);
        walk(curve, past(p, b2), c, a2, rest(b, b2));
        walk(curve, last(last(p, b2), c), a, back(b2), back(rest(c, c2)));
        walk(curve, last(past(last(p, a), b2), c), back(c), back(rest(a, a2)), rest(b, b2));
        walk(curve, last(last(p, a), b2), back(b2), c2, back(rest(a, a2)));
    }
}

/* All bricks in the order of the curve, which runs along the longest direction. */
static void order_bricks(const struct scree_brick_graph *graph, int64_t *bricks)
{
    struct curve curve = {.n = graph->n, .bricks = bricks};
    int first = 0;
    for (int k = 1; k < 3; k++)
        if (graph->n[k] > graph->n[first]) first = k;
    int second = first == 0 ? 1 : 0, third = first == 2 ? 1 : 2;
    walk(&curve, (struct place){{0, 0, 0}}, (struct edge){first, graph->n[first]},
         (struct edge){second, graph->n[second]}, (struct edge){third, graph->n[third]});
    if (curve.n_found != graph->n_bricks) SCREE_ABORT("the curve misses some bricks");
}

/* The curve as a row of costs to be cut into n_pieces. */
struct row {
    int64_t n;
    int n_pieces;
    double *sum;       /* [n + 1] cost of the first i bricks */
    int64_t *earliest; /* [n_pieces + 1] where piece r may begin at the earliest so that the pieces
                        * from r on can stay within the limit */
};

static void fill_sums(const struct scree_brick_graph *graph, const int64_t *bricks, double *sum)
{
    double total = 0.0;
    for (int64_t i = 0; i < graph->n_bricks; i++) total += graph->cost[i];
    double extra = total > 0.0 ? empty_cost * total / (double)graph->n_bricks : 1.0;
    sum[0] = 0.0;
    for (int64_t i = 0; i < graph->n_bricks; i++)
        sum[i + 1] = sum[i] + (graph->cost[bricks[i]] + extra);
}

/* Smallest i with cost of bricks [i, end) within the limit. */
static int64_t begin_within(const struct row *row, int64_t end, double limit)
{
    int64_t low = 0, high = end;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (row->sum[end] - row->sum[middle] <= limit)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Fill pieces to the limit from the last to the first; false if that does not reach the start. */
static bool fill_backwards(struct row *row, double limit)
{
    row->earliest[row->n_pieces] = row->n;
    for (int r = row->n_pieces - 1; r >= 0; r--)
        row->earliest[r] = begin_within(row, row->earliest[r + 1], limit);
    return row->earliest[0] == 0;
}

/* The smallest possible cost of the costliest piece, to a relative 1e-9; sets `earliest`. */
static double find_limit(struct row *row)
{
    double low = row->sum[row->n] / row->n_pieces, high = row->sum[row->n];
    for (int64_t i = 0; i < row->n; i++) low = fmax(low, row->sum[i + 1] - row->sum[i]);
    if (fill_backwards(row, low)) return low;
    while (high - low > 1e-9 * high) {
        double middle = low + 0.5 * (high - low);
        if (fill_backwards(row, middle))
            high = middle;
        else
            low = middle;
    }
    fill_backwards(row, high);
    return high;
}

/* End of piece r: nearest to an even share of what is left, but neither beyond the limit nor so
 * early that later pieces must break it; each later piece keeps at least one brick. */
static int64_t end_of_piece(const struct row *row, int r, int64_t begin, double limit)
{
    const int n_later = row->n_pieces - r - 1;
    const double *sum = row->sum;
    double target = sum[begin] + (sum[row->n] - sum[begin]) / (n_later + 1);
    int64_t end = begin + 1;
    while (end < row->n - n_later) {
        bool must = end < row->earliest[r + 1];
        bool may = sum[end + 1] - sum[begin] <= limit;
        bool nearer = sum[end + 1] - target < target - sum[end];
        if (!must && !(may && nearer)) break;
        end++;
    }
    return end;
}

static bool is_available(void)
{
    return true;
}

static enum scree_status split(struct scree_comm *comm, const struct scree_brick_graph *graph,
                               int32_t *owner)
{
    size_t n = (size_t)graph->n_bricks;
    struct row row = {.n = graph->n_bricks, .n_pieces = comm->n_ranks};
    if (row.n_pieces > row.n) row.n_pieces = (int)row.n; /* the ranks beyond own nothing */
    int64_t *bricks = scree_alloc(n, sizeof *bricks);
    row.sum = scree_alloc(n + 1, sizeof *row.sum);
    row.earliest = scree_alloc((size_t)row.n_pieces + 1, sizeof *row.earliest);
    order_bricks(graph, bricks);
    fill_sums(graph, bricks, row.sum);
    double limit = find_limit(&row);
    int64_t begin = 0;
    for (int r = 0; r < row.n_pieces; r++) {
        int64_t end = end_of_piece(&row, r, begin, limit);
        for (int64_t i = begin; i < end; i++) owner[bricks[i]] = r;
        begin = end;
    }
    scree_alloc_free(row.earliest);
    scree_alloc_free(row.sum);
    scree_alloc_free(bricks);
    return SCREE_OK;
}

const struct scree_partitioner scree_partitioner_hilbert = {
    .name = "hilbert",
    .summary = "pieces of a Hilbert curve, equal in cost; always there",
    .is_available = is_available,
    .split = split,
};
