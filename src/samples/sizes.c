/* SPDX-License-Identifier: BSD-3-Clause
 * The table of size distributions, reading a `radius`, drawing and moments of any kind. */
#include "scree/sizes.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "samples_impl.h"
#include "scree/alloc.h"
#include "sizes_impl.h"

#define SCREE_SIZE(name) extern const struct scree_size_kind scree_size_##name;
#include "scree/sizes.def"
#undef SCREE_SIZE

#define SCREE_SIZE(name) &scree_size_##name,
static const struct scree_size_kind *const kinds[] = {
#include "scree/sizes.def"
};
#undef SCREE_SIZE

#define SCREE_SIZE(name) #name,
static const char *const words[] = {
#include "scree/sizes.def"
    NULL};
#undef SCREE_SIZE

const char *const scree_size_by_words[] = {"number", "volume", NULL};

const struct scree_size_kind *const *scree_sizes_kinds(int *n)
{
    *n = sizeof kinds / sizeof kinds[0];
    return kinds;
}

bool scree_size_read_radius(struct scree_input *input, const struct scree_node *node, double *value)
{
    if (!scree_input_real(input, node, "m", value)) return false;
    if (*value > 0.0 && *value < INFINITY) return true;
    scree_input_error(input, node, "'radius' is %g m, allowed > 0", *value);
    return false;
}

bool scree_size_check_range(struct scree_input *input, const struct scree_node *node,
                            double smallest, double largest)
{
    if (smallest <= largest) return true;
    scree_input_error(input, node, "radius: smallest %g m is larger than largest %g m", smallest,
                      largest);
    return false;
}

bool scree_size_read_list(const struct scree_size_kind *kind, struct scree_input *input,
                          const struct scree_node *node, struct scree_size_list *values)
{
    *values = (struct scree_size_list){.list = node, .by = SCREE_SIZE_BY_NUMBER};
    if (scree_node_kind(node) == SCREE_NODE_MAP &&
        !scree_input_read(input, node, NULL, "radius", kind->params, values))
        return false;
    if (scree_node_kind(values->list) == SCREE_NODE_LIST) {
        scree_node_mark_used(values->list);
        return true;
    }
    scree_input_error(input, values->list, "radius: '%s' wants a list %s", kind->name,
                      kind->params[0].help);
    return false;
}

static bool read_one_size(struct scree_sizes *sizes, struct scree_input *input,
                          const struct scree_node *node)
{
    double radius;
    if (!scree_size_read_radius(input, node, &radius)) return false;
    scree_size_pieces_init(sizes, 1);
    sizes->piece[0] = (struct scree_size_piece){.low = radius, .high = radius, .share = 1.0};
    scree_size_pieces_finish(sizes, SCREE_SIZE_BY_NUMBER);
    return true;
}

bool scree_sizes_read(struct scree_sizes *sizes, struct scree_input *input,
                      const struct scree_node *node, bool disks)
{
    *sizes = (struct scree_sizes){.volume_power = disks ? 2 : 3};
    scree_node_mark_used(node);
    if (scree_node_kind(node) == SCREE_NODE_SCALAR) return read_one_size(sizes, input, node);
    if (scree_node_kind(node) != SCREE_NODE_MAP || scree_node_count(node) != 1) {
        scree_input_error(input, node,
                          "radius: expected one radius or one distribution, such as "
                          "{uniform: [0.4 mm, 0.6 mm]}");
        scree_node_mark_all_used(node);
        return false;
    }
    const struct scree_node *item = scree_node_item(node, 0);
    int which = scree_sample_find_word(words, scree_node_key(node, 0));
    if (which < 0) {
        scree_input_unknown(input, item, "size distribution", scree_node_key(node, 0), words);
        scree_node_mark_all_used(node);
        return false;
    }
    sizes->kind = kinds[which];
    return sizes->kind->read(sizes, input, item);
}

void scree_sizes_clear(struct scree_sizes *sizes)
{
    scree_alloc_free(sizes->piece);
    *sizes = (struct scree_sizes){0};
}

double scree_sizes_draw(const struct scree_sizes *sizes, uint64_t seed, scree_gid gid)
{
    struct scree_rng_key key = {.seed = seed, .gid = gid, .purpose = SCREE_RNG_RADIUS};
    if (sizes->piece != NULL) return scree_size_pieces_draw(sizes, &key);
    return sizes->kind->draw(sizes, &key);
}

double scree_sizes_moment(const struct scree_sizes *sizes, int order)
{
    if (sizes->piece != NULL) return scree_size_pieces_moment(sizes, order);
    return sizes->kind->moment(sizes, order);
}
