/* SPDX-License-Identifier: BSD-3-Clause
 * The walls of a run. Shapes are listed in wall_shapes.def, laws of motion in wall_motions.def.
 *
 * Joints. Walls may be put together of pieces: a bottom of a disk and a ring, a hopper of a tube
 * and a cone. The contacts of a grain are then the closest points on the pieces together, and
 * neither a joint nor an edge that is part of another wall may be felt. The rule, for the walls
 * near one grain, whatever their material and motion:
 *
 *  - A contact at the edge of a sheet or block counts only if this point does not lie on (or in)
 *    another wall: there the surface goes on, and its contact is another point of it. If the
 * closest point of two walls is the same edge, the closer one has it; the lower number, if it is a
 * tie.
 *  - Contacts on faces always count, so a grain in a corner touches all of its faces, except that
 *    two faces in the same place count once: the smaller wall has it (a disk that lies on a plane
 *    covers it), then the lower number.
 *
 * A wall of triangles is put together in the same way: each triangle is a sheet with an edge. Two
 * of its faces whose normals at the grain are closer than the wall's `smooth` angle count once: the
 * closer one has it, then the lower number.
 *
 * "On" means closer than SCREE_JOINT_TOLERANCE times the radius of the grain; a wider slit is one.
 * The history of a contact that is taken over by another wall at a joint goes over with it, so that
 * a grain rolls across without noticing; see scree_joints_continues(). A grain has one contact with
 * each wall: one that plugs the hole of a ring touches a point of its rim, not the whole circle. */
#ifndef SCREE_WALLS_H
#define SCREE_WALLS_H

#include "scree/comm.h"
#include "scree/wall.h"

#define SCREE_JOINT_TOLERANCE 1e-6 /* grain radii */

/* Where the space of the grains ends along an axis: at planes across it, at sheets that close it,
 * else at the box. */
struct scree_wall_sides {
    double low, high; /* m; of the box */
    bool repeats;
    int low_wall, high_wall; /* -1: none; of several planes the innermost one counts */
};

/* A new drive for a wall, from the start of a stage on. */
struct scree_wall_change {
    int stage, wall;
    struct scree_wall_drive drive;
};

struct scree_walls {
    int n;
    struct scree_wall *wall; /* owned */
    int dimension;
    struct scree_wall_sides sides[3];
    struct scree_section section[3];
    char volume_unknown[SCREE_SECTION_REASON]; /* see scree_walls_volume() */
    int n_changes;
    struct scree_wall_change *change; /* owned; stages do not fall */
    /* N, N m; units of the totals of all walls, powers of two. The method sets them. */
    double force_quantum, torque_quantum;
};

/* Walls of triangles (surfaces.c): is w one, and what is it like; a line for each, for people; a
 * line "name fingerprint" of wall w, empty for others, which returns its length. */
bool scree_walls_surface(const struct scree_walls *walls, int w,
                         struct scree_wall_surface *surface);
void scree_walls_describe_surfaces(const struct scree_walls *walls, scree_line_writer write,
                                   void *context);
int scree_walls_print(const struct scree_walls *walls, int w, char *text, size_t size);

const struct scree_wall_shape *const *scree_walls_shapes(int *n);
const struct scree_param *scree_walls_common_params(void);

/* Read the section `boundaries` (may be NULL); material names are resolved by the caller's table.
 */
void scree_walls_read(struct scree_walls *walls, struct scree_input *input,
                      const struct scree_node *node, const char *const *materials,
                      const struct scree_box *box);
/* Keys of a wall in a stage. */
const struct scree_param *scree_walls_drive_params(void);
/* Read the section `boundaries` of a stage: new drives of walls, by name. Stages must be read in
 * their order. */
void scree_walls_read_stage(struct scree_walls *walls, struct scree_input *input,
                            const struct scree_node *node, int stage, const struct scree_box *box);
void scree_walls_clear(struct scree_walls *walls);
/* A grain must not be able to touch two periodic images of one wall: collect mistakes. */
void scree_walls_check_images(const struct scree_walls *walls, struct scree_input *input,
                              const struct scree_node *node, double largest_radius);
/* A step takes all walls to where they are at time t: a function of t and of the state of servos.
 */
void scree_walls_move(struct scree_walls *walls, double t);
/* The farthest that any of them went in the last move (m). */
double scree_walls_moved(const struct scree_walls *walls);
void scree_walls_clear_forces(struct scree_walls *walls);
/* What all grains of all ranks, and what is glued to the wall, do to wall w; the torque is about
 * its pivot. In a wedge: those of one sector. Collective. */
struct scree_wall_total {
    double force[3], torque[3]; /* N, N m */
};
void scree_walls_total(const struct scree_walls *walls, int w, struct scree_comm *comm,
                       struct scree_wall_total *total);

/* Stages (walls_stages.c). A stage begins at time t, between two steps of dt: new drives go on from
 * where walls are, others as they did. */
void scree_walls_begin_stage(struct scree_walls *walls, int stage, double t, double dt);
/* After a resume: the drives of a stage, and where they began. */
enum { SCREE_WALL_NUMBERS = 12 + SCREE_WALL_TILTS };
void scree_walls_save_places(const struct scree_walls *walls, double *numbers);
void scree_walls_load_places(struct scree_walls *walls, int stage, const double *numbers);

/* Servos (servos.c), in the order of their walls. A step is: drive, move, forces of the method,
 * feel. */
/* That walls ever have, those of tilts included. */
int scree_walls_n_servos(const struct scree_walls *walls);
/* N or N m; what the outside exerts through servo s of a wall at time t. */
double scree_walls_servo_target(const struct scree_walls *walls, const struct scree_wall *wall,
                                int s, double t);
/* Pa, in two dimensions N/m; that the servo of a wall, one that shifts it, is to reach in the end.
 */
double scree_walls_servo_stress(const struct scree_walls *walls, const struct scree_wall *wall);
/* Servos that keep a stress need an area: collect mistakes, after all stages are read. */
void scree_walls_check_servo_areas(const struct scree_walls *walls, struct scree_input *input);
/* The areas on which stresses of servos act at the start, line by line. */
void scree_walls_describe_servo_areas(const struct scree_walls *walls, scree_line_writer write,
                                      void *context);
/* Sums over all ranks of what servos feel, in one message; nothing if there are none. dt is that of
 * struct scree_servo::touching. Collective. */
void scree_walls_reduce_servo_loads(struct scree_walls *walls, struct scree_comm *comm, double dt);
/* Kick all servos at time t and add up what scree_servo_kick() returns (J). */
double scree_walls_drive(struct scree_walls *walls, double t, double before, double dt);
/* Servos that began with a stage and have felt the grains rise to their targets from that load. */
void scree_walls_hold_servos(struct scree_walls *walls);
/* Their state as SCREE_SERVO_NUMBERS numbers each. */
void scree_walls_save_servos(const struct scree_walls *walls, double *numbers);
void scree_walls_load_servos(struct scree_walls *walls, const double *numbers);

/* Apply the rule of joints to the contacts of one grain with n walls, or parts of walls: sets
 * hidden_by of those whose gaps are smaller than `reach`. The walls must be all those that are
 * nearer to it than that and SCREE_JOINT_TOLERANCE radii. */
void scree_joints_resolve(const struct scree_walls *walls, const double pos[4], double reach, int n,
                          const int32_t *wall, struct scree_wall_contact *contact);
/* Does a contact that was `before`, with wall[0], and is one no more live on as `now`, with
 * wall[1]? */
bool scree_joints_continues(const struct scree_walls *walls, double radius, const int32_t wall[2],
                            const struct scree_wall_contact *before,
                            const struct scree_wall_contact *now);

#endif
