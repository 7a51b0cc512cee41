/* SPDX-License-Identifier: BSD-3-Clause
 * Trajectory files: frames of a run in H5MD 1.1 (https://www.nongnu.org/h5md), SI units.
 *
 *   /                      attribute frames_complete: readers trust this many frames and no more
 *   /h5md                  version, author, creator, modules/units
 *   /particles/grains      box, id, position, image, velocity, angular_velocity, species, radius,
 *                          mass, force, torque, orientation (quaternion w, x, y, z),
 *                          collision_rate; rows of a frame are in the order of ids
 *   /connectivity/contacts pairs (of ids; wall w is -1-w), contact_force on the first, overlap,
 *                          sliding, history, and rows: where the two stand in /particles/grains
 *                          (both the first for walls and across periodic boundaries: no line)
 *   /observables           grain_count, contact_count, and what the frame brings
 *   /parameters            title, input, effective_input, version, commit, compiler, ranks, seed,
 *                          species, row_numbers (0, 1, ...: points for XDMF)
 *
 * Every element is a group of value, step, time. Rows beyond grain_count have the id -1, contacts
 * beyond contact_count the pair (-1, -1); the other values of such rows mean nothing. */
#ifndef SCREE_TRAJECTORY_H
#define SCREE_TRAJECTORY_H

#include <stdbool.h>
#include <stdint.h>

#include "scree/comm.h"

struct scree_observable {
    const char *name, *unit; /* name: a valid file name; unit as in "kg m s-2", "" if none */
    double value[3];
    bool vector; /* three numbers, not one */
};

/* What happened at one moment on this rank; all arrays are borrowed. A field that is NULL on all
 * ranks is not written; on ranks without grains (contacts) pointers do not matter. Step, time, box
 * and the names of observables are the same on all ranks. */
struct scree_frame {
    int64_t step; /* larger than that of the frame before */
    double time;  /* s */
    double low[3], high[3];
    double tilt[3]; /* m; as in struct scree_state_header */
    bool leans;     /* may have a tilt: edges are written as vectors */
    bool periodic[3];
    int32_t wedge[2]; /* sectors of a turn and number of the axis; 0: none */
    int64_t n;
    const int64_t *id;           /* >= 1; needed */
    const int32_t *species;      /* 1-based */
    const double (*position)[3]; /* m; needed */
    const int32_t (*image)[3];
    const double (*velocity)[3]; /* m/s */
    const double (*spin)[3];     /* rad/s */
    const double *radius;        /* m */
    const double *mass;          /* kg */
    const double (*force)[3];    /* N */
    const double (*torque)[3];   /* N m */
    const double (*orientation)[4];
    const double *collision_rate; /* 1/s */
    bool has_contacts;            /* write the contact network, even if there are none now */
    int64_t n_contacts;
    const int64_t (*pair)[2]; /* ids; wall w is -1-w and second; needed */
    const int8_t *across;     /* 1: through a periodic boundary; NULL: none is; not written */
    const double (*contact_force)[3]; /* N, on the first */
    const double *overlap;            /* m */
    const int8_t *sliding;            /* 1: at the friction limit */
    int n_history;
    const double *history; /* n_history per contact */
    int n_observables;     /* the same on all ranks; values of rank 0 are written */
    const struct scree_observable *observable;
};

/* Where the numbers come from; the same on all ranks. Texts may be NULL: "". */
struct scree_trajectory_about {
    const char *title, *version, *commit, *author, *input, *effective_input, *compiler;
    int ranks;
    int64_t seed;
    int n_species;
    const char *const *species; /* names */
    int compress;               /* 0: no, 1 to 9: deflate */
};

/* Make a new file without frames; an existing one is refused. Under `path` there is never anything
 * but a whole file: new ones and new frames are written to `path`.part first. Collective. */
enum scree_status scree_trajectory_create(const char *path, struct scree_comm *comm,
                                          const struct scree_trajectory_about *about);

/* The copy of a file to which frames are added, and which then replaces it: so whatever goes wrong,
 * a kill included, leaves the file as it was. Small frames wait in memory until the draft is
 * published, because every copy costs as much as all frames before. */
struct scree_trajectory_draft;

/* Add a frame to the draft of the file `path`; *draft is NULL for a new one. Fields are those of
 * the first frame ever after; the number of grains may change. Room on disk is reserved first.
 * After a failure the draft is as it was, or NULL if that is not possible. Collective. */
enum scree_status scree_trajectory_add(struct scree_trajectory_draft **draft, const char *path,
                                       struct scree_comm *comm, const struct scree_frame *frame);
/* The draft should not grow any more. The same on all ranks. */
bool scree_trajectory_is_heavy(const struct scree_trajectory_draft *draft);
/* Bring the draft to disk and let it take the place of the file; *draft is NULL afterwards (and may
 * be before: nothing happens). Collective. */
enum scree_status scree_trajectory_publish(struct scree_trajectory_draft **draft);
/* Forget the draft, if there is one. Local. */
void scree_trajectory_drop(struct scree_trajectory_draft **draft);
/* Add and publish a single frame. Collective. */
enum scree_status scree_trajectory_append(const char *path, struct scree_comm *comm,
                                          const struct scree_frame *frame);

/* The file is so large that copying it once more is a waste: go on in a new one. Local. */
bool scree_trajectory_is_full(const char *path);

#endif
