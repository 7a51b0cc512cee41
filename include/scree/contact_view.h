/* SPDX-License-Identifier: BSD-3-Clause
 * A contact at one moment, as every method can show it to files, measurements and conditions. */
#ifndef SCREE_CONTACT_VIEW_H
#define SCREE_CONTACT_VIEW_H

#include <stdbool.h>

#include "scree/types.h"

/* Seen from `first`, the grain with the lower gid or the grain at a wall: forces act on it, and all
 * vectors are those of its home frame if there is a wedge. A contact cut by a rank border is shown
 * by both ranks with the same bits. */
struct scree_contact {
    scree_gid first, second; /* second < 0: wall -1 - second */
    int32_t part;            /* of a wall of parts; otherwise 0 */
    scree_lid slot[2];       /* of both, owned or ghost; slot[1] of a wall is its number */
    scree_lid owned[2];      /* the owned grain that the slot is or is an image of; -1: none here */
    double weight;           /* 1, or 1/2 if another rank shows the contact, too */
    double branch[3]; /* m; from the other centre, or the contact point on a wall, to first */
    double normal[3]; /* unit vector towards first */
    double gap;       /* m; < 0: the grains overlap */
    double force[3], couple[3]; /* N, N m; the couple of rolling and torsion */
    double normal_force;        /* N; the part of the force along the normal; > 0 repels */
    double approach;            /* m/s; > 0 while the gap closes */
    double slip[3];             /* m/s; tangential velocity of first at the contact point */
    double place[3];            /* m; of first: now, or when it collided */
    double impulse[3]; /* N s; that first got in a collision of the last step; then the force is its
                        * mean over the step. 0 for methods whose forces are finite */
    bool slides;       /* at its friction limit */
    const double
        *history; /* what the method keeps of it, scene->contacts->stride numbers; or NULL */
};

static inline bool scree_contact_is_with_wall(const struct scree_contact *contact)
{
    return contact->second < 0;
}

/* Called for each contact; what it points to lasts as long as the call. */
typedef void scree_contact_listener(void *context, const struct scree_contact *contact);

#endif
