/* SPDX-License-Identifier: BSD-3-Clause
 * What the tests of walls share: walls from an input text, in a box of [-10, 10] each way. */
#ifndef SCREE_TESTS_WALLS_EXPECT_H
#define SCREE_TESTS_WALLS_EXPECT_H

#include "input_expect.h"
#include "scree/alloc.h"
#include "scree/walls.h"

static const char *const walls_materials[] = {"glass", "steel", NULL};

static struct scree_input *walls_kept; /* owns the names of the walls */
static struct scree_walls walls;
static struct scree_box walls_box;

static inline void walls_make_box(int dimension, bool x, bool y, bool z)
{
    const double low[3] = {-10, -10, -10}, high[3] = {10, 10, 10};
    const bool periodic[3] = {x, y, z};
    scree_box_init(&walls_box, dimension, low, high, periodic);
}

static inline void walls_open_box(void)
{
    walls_make_box(3, false, false, false);
}

static inline void walls_begin(const char *text)
{
    walls_kept = input_of(text);
    const struct scree_node *root = scree_input_root(walls_kept);
    scree_node_mark_used(root);
    scree_walls_read(&walls, walls_kept, scree_node_find(root, "boundaries"), walls_materials,
                     &walls_box);
}

static inline void walls_read(const char *text)
{
    walls_begin(text);
    cr_assert_eq(scree_input_finish(walls_kept), SCREE_OK);
}

static inline void walls_forget(void)
{
    scree_walls_clear(&walls);
    scree_input_destroy(&walls_kept);
    cr_expect_eq(scree_alloc_in_use(), 0);
}

static inline void walls_expect_mistakes(const char *text, const char *mistakes)
{
    walls_begin(text);
    cr_expect_eq(scree_input_finish(walls_kept), SCREE_INPUT);
    input_expect_errors(walls_kept, mistakes);
    walls_forget();
}

static inline struct scree_wall_contact walls_locate(int wall, double x, double y, double z,
                                                     double radius)
{
    const double pos[1][4] = {{x, y, z, radius}};
    struct scree_wall_contact contact;
    scree_wall_locate(&walls.wall[wall], 1, pos, &contact);
    return contact;
}

#endif
