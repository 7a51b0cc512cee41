/* SPDX-License-Identifier: BSD-3-Clause
 * The grid of fields: its keys, its cells, where it ends. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "fields.h"
#include "round.h"
#include "scree/status.h"

/* Cells along phi at most, since near the axis the kernel is wound around it up to REACH times on
 * either side. */
enum { REACH = SCREE_FIELDS_REACH, MOST_SECTORS = SCREE_FIELDS_SPREAD / (2 * (REACH + 1) + 1) - 1 };

const char *const scree_fields_axes[] = {"x", "y", "z", NULL};

struct bins {
    int64_t n[5]; /* x, y, z, r, phi; INT64_MIN: not given */
};
struct range {
    const struct scree_node *node[4]; /* x, y, z, r */
};

#define BINS(word, k)                                                                         \
    {                                                                                         \
        word, SCREE_PARAM_INTEGER, "", 1, 100000, "", NULL, offsetof(struct bins, n) + k * 8, \
            "number of cells along it; default: no cells, all there is together"              \
    }
static const struct scree_param bins_params[] = {BINS("x", 0), BINS("y", 1),   BINS("z", 2),
                                                 BINS("r", 3), BINS("phi", 4), {0}};
#define RANGE(word, k)                                                                      \
    {                                                                                       \
        word, SCREE_PARAM_NODE, "", 0, 0, "", NULL,                                         \
            offsetof(struct range, node) + k * sizeof(void *),                              \
            "[low, high] in m; default: from face to face of the domain, r: from 0 to the " \
            "farthest face"                                                                 \
    }
static const struct scree_param range_params[] = {
    RANGE("x", 0), RANGE("y", 1), RANGE("z", 2), RANGE("r", 3), {0}};

const struct scree_schema scree_fields_maps[] = {
    {"bins", "the directions of a grid: x, y, z, or r, phi and the axis", bins_params},
    {"range", "the part of the domain that it covers", range_params},
    {0},
};

static const char *const words[] = {"x", "y", "z", "r", "phi"};

static void read_range(struct scree_fields_axis *axis, struct scree_input *input,
                       const struct scree_node *node)
{
    const char *word = words[axis->direction];
    if (scree_node_kind(node) != SCREE_NODE_LIST || scree_node_count(node) != 2) {
        scree_input_error(input, node, "fields: range of %s: expected [low, high]", word);
        scree_node_mark_all_used(node);
        return;
    }
    scree_node_mark_used(node);
    if (!scree_input_real(input, scree_node_item(node, 0), "m", &axis->low) ||
        !scree_input_real(input, scree_node_item(node, 1), "m", &axis->high))
        return;
    if (axis->low >= axis->high || (axis->direction == SCREE_FIELDS_R && axis->low < 0.0))
        scree_input_error(input, node, "fields: range of %s: from %g m to %g m is none%s", word,
                          axis->low, axis->high,
                          axis->direction == SCREE_FIELDS_R ? " of distances" : "");
}

/* m; the farthest that a corner of the box is from the axis. */
static double farthest_corner(const struct scree_fields *v, const struct scree_box *box)
{
    double square = 0.0;
    for (int a = 0; a < box->dimension; a++) {
        double reach = fmax(fabs(box->low[a] - v->centre[a]), fabs(box->high[a] - v->centre[a]));
        if (a != v->turn.axis) square += reach * reach;
    }
    return sqrt(square);
}

static void add_axis(struct scree_fields *v, const struct scree_box *box, int direction, int64_t n)
{
    struct scree_fields_axis *axis = &v->axis[v->n_axes++];
    double whole = 2.0 * acos(-1.0) / (box->wedge.n > 0 ? box->wedge.n : 1);
    *axis = (struct scree_fields_axis){.direction = direction, .n = (int)n};
    if (direction == SCREE_FIELDS_R) {
        axis->high = farthest_corner(v, box);
    } else if (direction == SCREE_FIELDS_PHI) {
        axis->high = axis->period = whole;
    } else {
        axis->low = box->low[direction];
        axis->high = box->high[direction];
        axis->period = box->periodic[direction] ? box->length[direction] : 0.0;
    }
}

/* Do these directions make a grid here? */
static bool check_directions(const struct scree_fields *v, struct scree_input *input,
                             const struct scree_node *node, const struct bins *bins,
                             const struct scree_analysis_setting *setting)
{
    const struct scree_wedge *wedge = &setting->box->wedge;
    const struct scree_node *key = v->bins_node;
    int axis = v->turn.axis, n_errors = scree_input_n_errors(input);
    for (int a = 0; a < 3; a++) {
        if (bins->n[a] == INT64_MIN) continue;
        if (a >= setting->box->dimension)
            scree_input_error(input, key, "fields: there is no z in two dimensions");
        else if (v->round && a != axis)
            scree_input_error(input, key, "fields: cells along r, phi and %s, or along x, y, z",
                              words[axis]);
        else if (wedge->n > 0 && a != wedge->axis)
            scree_input_error(input, key, "fields: cells in a wedge are along r, phi and %s",
                              words[wedge->axis]);
    }
    if (v->round && setting->deforms)
        scree_input_error(input, key, "fields: cells are along r or phi, but the box deforms");
    if (v->round && setting->box->dimension == 2 && axis != 2)
        scree_input_error(input, scree_node_find(node, "axis"),
                          "fields: 'axis' must be z in two dimensions");
    if (wedge->n > 0 &&
        (axis != wedge->axis || v->centre[wedge->u] != 0.0 || v->centre[wedge->v] != 0.0))
        scree_input_error(input, node, "fields: the axis of a wedge is %s, through the origin",
                          words[wedge->axis]);
    return scree_input_n_errors(input) == n_errors;
}

static void read_ranges(struct scree_fields *v, struct scree_input *input,
                        const struct scree_node *node)
{
    struct range range;
    if (v->range_node == NULL) return;
    scree_input_read(input, v->range_node, node, "fields.range", range_params, &range);
    for (int k = 0; k < 4; k++) {
        struct scree_fields_axis *axis = NULL;
        if (range.node[k] == NULL) continue;
        for (int a = 0; a < v->n_axes; a++)
            if (v->axis[a].direction == k) axis = &v->axis[a];
        if (axis != NULL)
            read_range(axis, input, range.node[k]);
        else
            scree_input_error(input, range.node[k], "fields: 'range' of %s, which has no 'bins'",
                              words[k]);
    }
}

void scree_fields_check(struct scree_measurement *m, struct scree_input *input,
                        const struct scree_node *node, const struct scree_analysis_setting *setting)
{
    static const int order[] = {SCREE_FIELDS_R, SCREE_FIELDS_PHI, 0, 1, 2};
    enum { MOST_CELLS = 200000 };
    struct scree_fields *v = m->values;
    struct bins bins;
    v->dimension = setting->box->dimension;
    v->turn.axis = v->axis_word >= 0           ? v->axis_word
                   : setting->box->wedge.n > 0 ? setting->box->wedge.axis
                                               : 2;
    v->turn.u = (v->turn.axis + 1) % 3;
    v->turn.v = (v->turn.axis + 2) % 3;
    if (!scree_input_is_map(input, v->bins_node, "fields: bins", "as in {x: 20, z: 10}")) return;
    scree_input_read(input, v->bins_node, node, "fields.bins", bins_params, &bins);
    v->round = setting->box->wedge.n > 0 || bins.n[SCREE_FIELDS_R] != INT64_MIN ||
               bins.n[SCREE_FIELDS_PHI] != INT64_MIN;
    if (!check_directions(v, input, node, &bins, setting)) return;
    v->n_cells = 1;
    for (int k = 0; k < 5; k++) {
        int64_t n = bins.n[order[k]];
        if (n == INT64_MIN) continue;
        add_axis(v, setting->box, order[k], n);
        v->n_cells = n * v->n_cells > INT32_MAX ? INT32_MAX : n * v->n_cells;
    }
    if (v->n_axes == 0) scree_input_error(input, v->bins_node, "fields: 'bins' name no direction");
    if (v->n_cells > MOST_CELLS) {
        scree_input_error(input, v->bins_node, "fields: more than %d cells", MOST_CELLS);
        return;
    }
    read_ranges(v, input, node);
    for (int a = 0; a < v->n_axes; a++)
        if (v->axis[a].direction == SCREE_FIELDS_PHI
                ? v->axis[a].n > MOST_SECTORS
                : 2 * REACH * v->width / (v->axis[a].high - v->axis[a].low) * v->axis[a].n >
                      SCREE_FIELDS_SPREAD / 2)
            scree_input_error(input, node, "fields: more cells along %s than the kernel can serve",
                              words[v->axis[a].direction]);
    scree_fields_fill_table(&v->table);
    m->n = (int)v->n_cells * SCREE_N_FIELDS_SUMS;
    m->n_rows = v->n_axes < 3 ? (int)v->n_cells : 0;
    m->n_columns = scree_fields_n_columns(v);
}

double scree_fields_place(const struct scree_fields *v, int axis, const double pos[3])
{
    int direction = v->axis[axis].direction;
    if (direction < 3) return pos[direction];
    double x = pos[v->turn.u] - v->centre[v->turn.u], y = pos[v->turn.v] - v->centre[v->turn.v];
    return direction == SCREE_FIELDS_R ? sqrt(x * x + y * y) : atan2(y, x);
}

/* Walls of a round sample about the same axis. */
static const struct scree_section *section_about(const struct scree_fields *v,
                                                 const struct scree_walls *walls)
{
    int axis;
    const struct scree_section *s = scree_volume_round(walls, &axis);
    if (s == NULL || !s->round || axis != v->turn.axis) return NULL;
    bool same = s->centre[v->turn.u] == v->centre[v->turn.u] &&
                s->centre[v->turn.v] == v->centre[v->turn.v];
    return same ? s : NULL;
}

void scree_fields_find_ends(const struct scree_fields *v, int axis, const struct scree_scene *scene,
                            double ends[2])
{
    const struct scree_fields_axis *along = &v->axis[axis];
    int d = along->direction;
    double slack = 1e-9 * (along->high - along->low), low = along->low, high = along->high;
    ends[0] = -INFINITY;
    ends[1] = INFINITY;
    if (along->period > 0.0) return;
    if (d == SCREE_FIELDS_R) {
        const struct scree_section *s = section_about(v, scene->walls);
        low = s != NULL ? s->inner : 0.0;
        high = s != NULL ? s->outer : farthest_corner(v, &scene->domain->box);
    } else if (!scene->domain->cell.on) {
        low = scree_walls_end(scene->walls, d, false, false);
        high = scree_walls_end(scene->walls, d, true, false);
    }
    if (along->low <= low + slack) ends[0] = fmax(along->low, low);
    if (along->high >= high - slack) ends[1] = fmin(along->high, high);
    if (d == SCREE_FIELDS_R && along->low == 0.0) ends[0] = fmax(ends[0], 0.0);
}
