/* SPDX-License-Identifier: BSD-3-Clause
 * Radii with a constant density, of the number or of the volume of the grains. */
#include <stddef.h>

#include "sizes_impl.h"

static const struct scree_param params[] = {
    {"range", SCREE_PARAM_NODE, "m", 0, 0, NULL, NULL, offsetof(struct scree_size_list, list),
     "[smallest, largest]"},
    SCREE_SIZE_BY_PARAM(offsetof(struct scree_size_list, by)),
    {0},
};

static bool read(struct scree_sizes *sizes, struct scree_input *input,
                 const struct scree_node *node)
{
    struct scree_size_list values;
    struct scree_size_piece piece = {.share = 1.0};
    if (!scree_size_read_list(sizes->kind, input, node, &values)) return false;
    if (scree_node_count(values.list) != 2) {
        scree_input_error(input, values.list, "radius: 'uniform' wants a list [smallest, largest]");
        scree_node_mark_all_used(values.list);
        return false;
    }
    bool low = scree_size_read_radius(input, scree_node_item(values.list, 0), &piece.low);
    bool high = scree_size_read_radius(input, scree_node_item(values.list, 1), &piece.high);
    if (!low || !high || !scree_size_check_range(input, values.list, piece.low, piece.high))
        return false;
    scree_size_pieces_init(sizes, 1);
    sizes->piece[0] = piece;
    scree_size_pieces_finish(sizes, values.by);
    return true;
}

const struct scree_size_kind scree_size_uniform = {
    .name = "uniform",
    .summary = "constant density between two radii; short: uniform: [smallest, largest]",
    .params = params,
    .read = read,
};
