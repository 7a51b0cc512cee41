/* SPDX-License-Identifier: BSD-3-Clause
 * What size distributions share. */
#ifndef SCREE_SIZES_IMPL_H
#define SCREE_SIZES_IMPL_H

#include "scree/sizes.h"

extern const char *const scree_size_by_words[]; /* number, volume */
enum { SCREE_SIZE_BY_NUMBER, SCREE_SIZE_BY_VOLUME };
#define SCREE_SIZE_BY_PARAM(offset)                                                      \
    {                                                                                    \
        "by", SCREE_PARAM_CHOICE, "", 0, 0, "number", scree_size_by_words, offset,       \
            "what the shares are of: number or volume of the grains (disks: their area)" \
    }

/* A distribution given as a list, either bare or as a map {<key>: list, by: ...}. */
struct scree_size_list {
    const struct scree_node *list;
    int by;
};
/* False, with a mistake collected, if there is no list. */
bool scree_size_read_list(const struct scree_size_kind *kind, struct scree_input *input,
                          const struct scree_node *node, struct scree_size_list *values);

/* A radius > 0. */
bool scree_size_read_radius(struct scree_input *input, const struct scree_node *node,
                            double *value);
/* False, with a mistake at `node`, unless smallest <= largest. */
bool scree_size_check_range(struct scree_input *input, const struct scree_node *node,
                            double smallest, double largest);

/* Room for n pieces, which the caller fills with shares in the meaning of `by` ... */
void scree_size_pieces_init(struct scree_sizes *sizes, int n);
/* ... and which become those of a distribution by number. */
void scree_size_pieces_finish(struct scree_sizes *sizes, int by);
double scree_size_pieces_draw(const struct scree_sizes *sizes, const struct scree_rng_key *key);
double scree_size_pieces_moment(const struct scree_sizes *sizes, int order);

#endif
