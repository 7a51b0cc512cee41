/* SPDX-License-Identifier: BSD-3-Clause
 * The space that walls and periods leave to the grains: its sections across the axes, its volume,
 * and the areas of walls on which stresses act. Servos, end conditions and measurements have their
 * areas and volumes from here.
 *
 * Which walls bound a section is found once, from the shapes and from what walls ever do; how large
 * it is follows from where they are now. What cannot be told from the walls (inclined planes,
 * cones, cylinders that intersect, a side without a wall) is not known, with the reason in words:
 * the input has to say it then.
 *
 * In two dimensions areas are lengths and the volume is an area, that of the section across z. */
#ifndef SCREE_SECTION_H
#define SCREE_SECTION_H

#include <stdbool.h>
#include <stddef.h>

#include "scree/box.h"

enum { SCREE_SECTION_REASON = 200 }; /* letters */

/* Takes a line of text. */
typedef void (*scree_line_writer)(void *context, const char *line);

/* How a wall bounds the space, at rest. */
enum scree_outline_kind {
    SCREE_OUTLINE_OTHER, /* in a way that is not known here */
    SCREE_OUTLINE_PLANE,
    SCREE_OUTLINE_CYLINDER, /* without end */
    SCREE_OUTLINE_SHEET,    /* flat, with an edge: takes no space, both faces push */
    SCREE_OUTLINE_BALL      /* grains are around it */
};
struct scree_outline {
    enum scree_outline_kind kind;
    double normal[3];    /* of a plane or sheet; axis of a cylinder; unit vector */
    bool inside;         /* grains are inside the cylinder */
    double inner, outer; /* m; radii of cylinder (outer), disk and ring; 0: it is not round */
    double half[3];      /* m; from the middle of a sheet to its edge, along each axis */
    double area;         /* m^2, in two dimensions m; of a sheet */
};

/* Across one axis: a circle or what planes and periods leave, without the cylinders in it. */
struct scree_section {
    bool round;
    double centre[3];    /* m; of the circle; a point of its axis */
    double outer, inner; /* m; its radius; that of a cylinder about the same axis in it, or 0 */
    double holes;        /* m^2; of cylinders in it about other axes */
    double share;        /* of a turn: less than 1 in a wedge */
    char unknown[SCREE_SECTION_REASON]; /* why it is not known; empty: it is */
};

struct scree_walls;

/* Once the walls, and later the drives of all stages, are read. `membrane` is the name of one that
 * bounds the sample, or NULL. */
void scree_walls_find_sections(struct scree_walls *walls, const struct scree_box *box,
                               const char *membrane);
/* Is there a wall or a period at both ends of this axis? */
bool scree_walls_are_bounding(const struct scree_walls *walls, int axis);
/* m; where the space ends along an axis, now or when the present stage began: at the innermost
 * plane, at a sheet that closes it, or else at the face of the box. */
double scree_walls_end(const struct scree_walls *walls, int axis, bool high, bool when_staged);
double scree_walls_extent(const struct scree_walls *walls, int axis, bool when_staged);
/* m^2 (two dimensions: m, across z m^2); now; NAN if it is not known. */
double scree_walls_section(const struct scree_walls *walls, int axis);
/* m^2 (two dimensions: m); of wall w as far as grains may touch it: a plane across an axis has the
 * section there, a sheet its own area. Asked before a run, scree_walls_know_area() tells whether it
 * is known; if not, `why` gets the reason. */
bool scree_walls_know_area(const struct scree_walls *walls, int w, char *why, size_t size);
double scree_walls_area(const struct scree_walls *walls, int w);
/* A line such as "area of wall 'lid' in WHERE: 4 m^2"; `given` is that of the input, or NAN. */
void scree_walls_describe_area(const struct scree_walls *walls, int w, double given,
                               const char *where, scree_line_writer write, void *context);
/* m^3 (two dimensions: m^2); NAN if it is not known: walls->volume_unknown tells why. */
double scree_walls_volume(const struct scree_walls *walls);
/* The axis of a round space, otherwise the last one. */
int scree_walls_main_axis(const struct scree_walls *walls);
/* The axis across which wall w is a plane that grains can reach, -1: none; a cylinder may keep them
 * away from it. `sign` is +1 if grains are above it. */
int scree_walls_plane_axis(const struct scree_walls *walls, int w, double *sign);

#endif
