/* SPDX-License-Identifier: BSD-3-Clause
 * A wedge of a ring: the box repeats by turns of 360/n degrees about a coordinate axis.
 *
 * Turns by other angles than 90 degrees round, so no grain is ever turned in memory: it keeps the
 * place, velocity and spin of its own home frame and may go round the whole circle there. Only
 * lists and files see it turned back into the wedge. Two grains in contact may thus be any number
 * of sectors apart; their contact is computed in the home frame of the one with the lower gid, by
 * every rank that computes it, from the same numbers. How many sectors they are apart never
 * changes, so that it can name the image through which they touch.
 *
 * In struct scree_box's image counts, the one of direction `u` holds the sector of a grain. */
#ifndef SCREE_WEDGE_H
#define SCREE_WEDGE_H

#include <stdint.h>

enum { SCREE_WEDGE_MOST = 120 }; /* sectors of a turn */

struct scree_wedge {
    int n;                            /* sectors; 0: there is no wedge */
    int axis, u, v;                   /* right-handed; the wedge is the sector from u on to v */
    double turn[SCREE_WEDGE_MOST][2]; /* cosine and sine of k sectors; multiples of 90 deg exact */
};

/* n >= 2 sectors about the axis (0 to 2) through the origin. */
void scree_wedge_init(struct scree_wedge *wedge, int n, int axis);

/* k modulo the sectors of a turn, from 0 on. */
static inline int scree_wedge_modulo(const struct scree_wedge *wedge, int k)
{
    k %= wedge->n;
    return k < 0 ? k + wedge->n : k;
}

/* A vector turned by k sectors, 0 <= k < n. Not in place. */
static inline void scree_wedge_turn(const struct scree_wedge *wedge, int k, const double from[3],
                                    double to[3])
{
    const double c = wedge->turn[k][0], s = wedge->turn[k][1];
    to[wedge->axis] = from[wedge->axis];
    to[wedge->u] = c * from[wedge->u] - s * from[wedge->v];
    to[wedge->v] = s * from[wedge->u] + c * from[wedge->v];
}
/* Turn a vector in place by k sectors, whatever k. */
void scree_wedge_turn_by(const struct scree_wedge *wedge, int k, double vector[3]);

/* Turn a body, given by its unit quaternion w, x, y, z, by k sectors. */
void scree_wedge_turn_body(const struct scree_wedge *wedge, int k, double q[4]);

/* The sector in which a point is, from 0 on. */
int scree_wedge_sector(const struct scree_wedge *wedge, const double pos[3]);
/* Turn a point of a home frame into the wedge; image[u] becomes the sector it was in. */
void scree_wedge_wrap(const struct scree_wedge *wedge, double pos[3], int32_t image[3]);
/* Sectors between two grains with these image counts, from 0 on: what counts as periods between
 * them in direction u. As seen from the first, the second is turned by -between sectors. */
static inline int scree_wedge_between(const struct scree_wedge *wedge, const int32_t first[3],
                                      const int32_t second[3])
{
    return scree_wedge_modulo(wedge, second[wedge->u] - first[wedge->u]);
}

/* m; from a point to the first and to the last side of the wedge, which are half planes from the
 * axis outwards; INFINITY behind the axis. */
void scree_wedge_to_sides(const struct scree_wedge *wedge, const double pos[3], double distance[2]);
/* m; from a point to the nearer side, negative outside the wedge. */
double scree_wedge_room(const struct scree_wedge *wedge, const double pos[3]);

/* Distance from the axis at and beyond which nobody within `reach` of a grain can have two images
 * within reach of it, nor the grain one of its own. */
double scree_wedge_clear_radius(const struct scree_wedge *wedge, double reach);

#endif
