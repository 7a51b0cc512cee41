/* SPDX-License-Identifier: BSD-3-Clause
 * A measured distribution, such as a sieve curve: cumulative shares at rising radii, linear in
 * between. A radius given twice is a jump: a share of grains of exactly this size. */
#include <stddef.h>

#include "sizes_impl.h"

static const struct scree_param params[] = {
    {"rows", SCREE_PARAM_NODE, "m", 0, 0, NULL, NULL, offsetof(struct scree_size_list, list),
     "[[radius, share of grains up to it], ...]; shares rise from 0, to 1 or 100 or any total"},
    SCREE_SIZE_BY_PARAM(offsetof(struct scree_size_list, by)),
    {0},
};

struct row {
    double radius, share;
};

static bool read_row(struct scree_input *input, const struct scree_node *node, struct row *row)
{
    if (scree_node_kind(node) != SCREE_NODE_LIST || scree_node_count(node) != 2) {
        scree_input_error(input, node, "radius: a row of 'table' is [radius, cumulative share]");
        scree_node_mark_all_used(node);
        return false;
    }
    scree_node_mark_used(node);
    bool good = scree_size_read_radius(input, scree_node_item(node, 0), &row->radius);
    return scree_input_real(input, scree_node_item(node, 1), "1", &row->share) && good;
}

static bool read_rows(struct scree_sizes *sizes, struct scree_input *input,
                      const struct scree_node *list)
{
    struct row before = {0.0, 0.0};
    for (int k = 0; k < scree_node_count(list); k++) {
        const struct scree_node *node = scree_node_item(list, k);
        struct row row;
        if (!read_row(input, node, &row)) return false;
        if (k == 0 ? row.share != 0.0 : row.share < before.share) {
            scree_input_error(input, node,
                              "radius: shares of 'table' must rise from 0, not %g to %g",
                              before.share, row.share);
            return false;
        }
        if (row.radius < before.radius) {
            scree_input_error(input, node, "radius: radii of 'table' must rise, not %g m to %g m",
                              before.radius, row.radius);
            return false;
        }
        if (row.share > before.share)
            sizes->piece[sizes->n_pieces++] = (struct scree_size_piece){
                .low = before.radius, .high = row.radius, .share = row.share - before.share};
        before = row;
    }
    return true;
}

static bool read(struct scree_sizes *sizes, struct scree_input *input,
                 const struct scree_node *node)
{
    struct scree_size_list values;
    if (!scree_size_read_list(sizes->kind, input, node, &values)) return false;
    scree_size_pieces_init(sizes, scree_node_count(values.list) + 1);
    sizes->n_pieces = 0;
    if (!read_rows(sizes, input, values.list)) {
        scree_node_mark_all_used(values.list);
        return false;
    }
    if (sizes->n_pieces == 0) {
        scree_input_error(input, values.list, "radius: 'table' holds no grains; it wants rows %s",
                          params[0].help);
        return false;
    }
    scree_size_pieces_finish(sizes, values.by);
    return true;
}

const struct scree_size_kind scree_size_table = {
    .name = "table",
    .summary = "cumulative shares at rising radii, such as a sieve curve; short: table: [[...]]",
    .params = params,
    .read = read,
};
