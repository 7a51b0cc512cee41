/* SPDX-License-Identifier: BSD-3-Clause
 * Going on after another method: what the files md_take_over.c and press.c share. Private to md. */
#ifndef SCREE_MD_TAKE_OVER_H
#define SCREE_MD_TAKE_OVER_H

#include "md_impl.h"

/* A handed-over contact, with the overlap that it is to have behind the rest. */
enum { SCREE_MD_WANTED = SCREE_HANDED, SCREE_MD_N_HANDED };

/* A pair of the near lists at the present places. */
struct scree_md_geometry {
    double normal[3], gap, radius[2]; /* m */
    int turn;                         /* of a wedge */
    const struct scree_pair_law *law; /* NULL: none */
};

void scree_md_look_at(const struct scree_scene *scene, const struct scree_contact_view *view,
                      struct scree_md_geometry *g);

/* Lists for the grains as they are, which hold contacts with small gaps as well. Collective. */
enum scree_status scree_md_renew_lists(struct scree_md *md, struct scree_scene *scene);
/* Move grains, and walls with servos, until contacts have the overlaps in their histories
 * (press.c). Collective. */
enum scree_status scree_md_press_grains(struct scree_md *md, struct scree_scene *scene);

#endif
