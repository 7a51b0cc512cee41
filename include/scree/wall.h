/* SPDX-License-Identifier: BSD-3-Clause
 * One wall: its shape, where it is by now, and where a grain touches it.
 *
 * A wall is either a body (plane, sphere, block, cylinder without end), whose inside pushes grains
 * out however deep they are, or a sheet (disk, ring, rectangle, tube, cone, segment), a surface
 * without thickness that pushes on both of its faces. The contact is the point of the wall closest
 * to the centre of the grain; the normal points from there to the centre. */
#ifndef SCREE_WALL_H
#define SCREE_WALL_H

#include <stdbool.h>

#include "scree/box.h"
#include "scree/exact.h"
#include "scree/input.h"
#include "scree/section.h"
#include "scree/wall_motion.h"
#include "scree/wall_servo.h"

enum { SCREE_WALL_VALUES = 24, SCREE_WALL_PIECES = 6 };
enum { SCREE_WALL_TILTS = 2, SCREE_WALL_SERVOS = 1 + SCREE_WALL_TILTS };

/* Where a grain is with respect to a shape. */
struct scree_wall_point {
    double gap;       /* m; between surface and grain, negative: overlap */
    double normal[3]; /* unit vector from the wall into the grain */
    bool edge;        /* the closest point is on the edge of a sheet or of a block */
};

/* Parts of a shape, by number: a list that grows. */
struct scree_wall_found {
    int32_t *part; /* owned by the user of the list */
    size_t n, capacity;
};

/* What else there is to know of a surface of triangles; all pointers are borrowed. */
struct scree_wall_surface {
    int32_t n;
    const double (*corner)[3][3]; /* m; at rest */
    double area;                  /* m^2 */
    double smooth;                /* cosine of the angle up to which parts are one surface */
    double slack;                 /* m; places this close may be meant to be one */
    int32_t n_flat;               /* triangles without area, left out */
    uint64_t print;               /* tells it from another one */
    const char *file;
};

/* Triangles, for pictures. */
struct scree_wall_drawing {
    double (*corner)[3][3]; /* m; owned by the user */
    size_t n, capacity;
};

/* A shape of parts, each of which is a sheet of its own: a grain has a contact with each. */
struct scree_wall_parts {
    /* Those whose gaps to a grain are smaller than `gap`, in the order of their numbers. */
    void (*find)(const void *values, const double pos[4], double gap,
                 struct scree_wall_found *found);
    void (*locate)(const void *values, int32_t part, const double pos[4],
                   struct scree_wall_point *found);
    void (*describe)(const void *values, struct scree_wall_surface *surface);
};

/* A part of a shape that stands for several walls. */
struct scree_wall_piece {
    const char *suffix; /* of the name */
    const struct scree_wall_shape *shape;
    double values[SCREE_WALL_VALUES];
};

/* A kind of wall, at rest and where it is at time 0: shapes know nothing of motion. */
struct scree_wall_shape {
    const char *name, *summary;
    const struct scree_param *params; /* of struct scree_wall::values */
    /* Complete the values just read; collect mistakes at `node`. May be NULL. */
    void (*check)(struct scree_input *input, const struct scree_node *node, int dimension,
                  void *values);
    /* Free what check() made. NULL: nothing. */
    void (*release)(void *values);
    /* Smallest sphere known to hold it; without end: radius INFINITY and any point of note. */
    void (*bound)(const void *values, double centre[3], double *radius);
    /* Is a wall without end the same after a shift along this axis? NULL: it has ends. */
    bool (*repeats)(const void *values, int axis);
    /* Does a bounded wall reach straight from side to side of a period along this axis, so that it
     * and its images are one wall without end? NULL: never. */
    bool (*spans)(const void *values, int axis, double period);
    /* Does it push grains in the plane z = 0 within this plane only? */
    bool (*is_flat)(const void *values);
    /* Is it the same after any turn about this axis (unit vector)? */
    bool (*revolves)(const void *values, const double point[3], const double axis[3]);
    /* The direction to which a plane faces (unit vector). NULL: it is none. */
    void (*facing)(const void *values, double normal[3]);
    /* How it bounds the space of the grains; the outline is all zero before. NULL: not known. */
    void (*outline)(const void *values, int dimension, struct scree_outline *outline);
    /* For each of n grains (position and radius); of a shape of parts the closest one. */
    void (*locate)(const void *values, int n, const double (*pos)[4],
                   struct scree_wall_point *found);
    const struct scree_wall_parts *parts; /* NULL: it has none */
    /* Add its triangles; what has no end goes as far as a box. NULL: it is not drawn. */
    void (*draw)(const void *values, const double low[3], const double high[3],
                 struct scree_wall_drawing *drawing);
    /* NULL, or: it stands for these walls; locate() is not used. Returns their number. */
    int (*split)(const void *values, const struct scree_box *box,
                 struct scree_wall_piece piece[SCREE_WALL_PIECES]);
};

/* What moves a wall from some moment on; see struct scree_wall. */
struct scree_wall_drive {
    double point[3]; /* m; of its axis, in space when it begins; NANs: as before */
    double steady[3];
    struct scree_motion move, spin;
    double direction[3];
    struct scree_servo servo;
    struct scree_servo tilt[SCREE_WALL_TILTS];
};

struct scree_wall {
    const char *name; /* owned by the input, or by this wall if it is a piece */
    bool is_piece;
    const struct scree_wall_shape *shape;
    int species; /* index of its material */
    double values[SCREE_WALL_VALUES];
    double centre[3], radius; /* m; sphere around it at time 0, see bound() */
    double period[3];         /* m; a bounded wall is seen in its images this far apart; 0: none */
    bool endless[3];          /* it and its images have no end along this periodic direction */
    double smooth, slack;     /* of a wall of parts, see struct scree_wall_surface */
    /* Motion: x(t) = pivot + offset(t) + turn(t) (x(0) - pivot). The present drive, whose times
     * count from `since`: */
    double steady[3];               /* m/s; a constant velocity */
    struct scree_motion move, spin; /* path along direction; angle about axis through pivot */
    double direction[3], axis[3];
    double pivot[3];               /* m; where it was at time 0; saved: drives may choose another */
    double pivot_shift[3];         /* m; by which it changed when the present drive began */
    bool changes_by_turning;       /* false: a surface of revolution, or no turning at all */
    double reach;                  /* m; farthest from the axis that a turn moves its surface */
    struct scree_servo servo;      /* path along direction or angle about axis by the force on it */
    bool shifts, turns, has_servo; /* by this drive or by one to come */
    bool first_servo_turns;        /* the first one it ever has */
    /* Tilting: a turn by the vector of two angles about `across`, each by the torque on it. A wall
     * that tilts has no other turn. */
    struct scree_servo tilt[SCREE_WALL_TILTS];
    double across[SCREE_WALL_TILTS][3]; /* unit vectors */
    bool tilts;                         /* by this drive or by one to come */
    /* Saved: when and where the present drive began, and where the present stage did. */
    double since;               /* s */
    double base[3], base_angle; /* m, rad; offset and angle */
    double base_tilt[SCREE_WALL_TILTS];
    double staged[3], staged_angle; /* likewise */
    /* State at the present time: of this only the state of the servo is saved. */
    double offset[3], velocity[3]; /* m, m/s; of the pivot */
    double angle, rate;            /* rad, rad/s */
    double tilt_angle[SCREE_WALL_TILTS];
    double tilt_axis[SCREE_WALL_TILTS][3]; /* angular velocity per rate of each angle */
    double omega[3];                       /* rad/s; all of its turning */
    double turn[3][3];
    double offset_before[3], angle_before; /* m, rad; before the last move */
    double tilt_before[SCREE_WALL_TILTS];
    double moved; /* m; the farthest that a point of it went in the last move */
    /* Sums over the contacts of this rank's grains in the last step, in quanta of the method */
    struct scree_wide force[3];  /* of the grains on the wall */
    struct scree_wide torque[3]; /* likewise, about pivot + offset */
};

/* A grain and a wall at the present time. */
struct scree_wall_contact {
    struct scree_wall_point at; /* normal in the present directions */
    int32_t part;               /* of the wall; 0 if it has none */
    double point[3];            /* m; closest point of the wall */
    double arm[3];              /* m; to it from the wall's pivot, seen through the same image; 0
                                 * along a direction in which wall and box repeat */
    double velocity[3];         /* m/s; of the wall's surface there */
    double spin[3];             /* rad/s; of the wall */
    double moved[3];            /* m; by which the surface there went in the last move ... */
    double turned[3];           /* rad; ... and turned */
    int hidden_by;              /* -1, or number of the wall that takes this contact: joints */
    bool taken_over;            /* it goes on from a contact with another wall; set by its user */
};

/* Prepare a wall whose values, motions and steady velocity are read; `box` gives the periods. */
void scree_wall_init(struct scree_wall *wall, const struct scree_box *box);
/* It may get this drive some day: `shifts`, `turns` and what follows from them. */
void scree_wall_expect(struct scree_wall *wall, const struct scree_wall_drive *drive,
                       const struct scree_box *box);
/* The reach of a wall with an end, about its present pivot: it never shrinks. */
void scree_wall_widen_reach(struct scree_wall *wall);
/* Take what a drive says; nothing of the state changes but that of a servo, to its first. */
void scree_wall_set_drive(struct scree_wall *wall, const struct scree_wall_drive *drive);
/* From time t on (steps being of dt) it is driven like this, from where it is. A servo starts at
 * rest. */
void scree_wall_begin(struct scree_wall *wall, const struct scree_wall_drive *drive, double t,
                      double dt);
/* Go to where it is at time t: a function of t, of what is saved and of the state of its servo. */
void scree_wall_move(struct scree_wall *wall, double t);
/* The matrix of a turn by an angle about an axis of unit length. */
void scree_wall_rotation(const double axis[3], double angle, double turn[3][3]);
/* The turn from time 0 to now, or to before the last move; `turn` of a wall is that as far as it
 * changes the wall. */
void scree_wall_turned(const struct scree_wall *wall, bool before, double turn[3][3]);
/* Its servos that are at work: 0 is `servo`, then come those of its tilt. NULL: not at work. */
struct scree_servo *scree_wall_servo(struct scree_wall *wall, int s);
bool scree_wall_has_servo_at_work(const struct scree_wall *wall);
/* Velocity of a part of the wall per rate of servo s; `arm` is from the pivot to that part. */
void scree_wall_sweep(const struct scree_wall *wall, int s, const double arm[3], double sweep[3]);
/* Keys of `tilt`. */
extern const struct scree_param scree_tilt_params[];
/* Angles of the tilt as a vector (rad). */
void scree_wall_tilt_vector(const struct scree_wall *wall, bool before, double tilt[3]);
/* Does its pivot ever move? */
bool scree_wall_shifts(const struct scree_wall *wall);
/* Does it ever turn about its axis? */
bool scree_wall_turns(const struct scree_wall *wall);
/* The contacts of n grains with one wall, touching or not; nothing is hidden. Of a wall of parts
 * that with the closest one; which one that is, is not told. */
void scree_wall_locate(const struct scree_wall *wall, int n, const double (*pos)[4],
                       struct scree_wall_contact *contact);
/* A contact with one part; walls without parts are their own part 0. */
void scree_wall_locate_part(const struct scree_wall *wall, int32_t part, const double pos[4],
                            struct scree_wall_contact *contact);
/* The parts of a wall of parts whose gaps to a grain are smaller, in the order of their numbers. */
void scree_wall_find_parts(const struct scree_wall *wall, const double pos[4], double gap,
                           struct scree_wall_found *found);
/* Only the gaps of n grains, for picking those that are near. */
void scree_wall_gaps(const struct scree_wall *wall, int n, const double (*pos)[4], double *gap);
/* May a grain, found with this gap, touch before the wall and it have used up the margin? */
bool scree_wall_is_near(const struct scree_wall *wall, const double pos[4], double gap,
                        double margin);

#endif
