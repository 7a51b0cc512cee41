/* SPDX-License-Identifier: BSD-3-Clause
 * Snapshots: frames of the trajectory of a run. */
#ifndef SCREE_SNAPSHOTS_H
#define SCREE_SNAPSHOTS_H

#include "scree/run.h"

enum { SCREE_SEGMENTS = 999999 };

/* What of a grain, and of a contact, goes into a trajectory: bits, in the order of the words in
 * snapshots_read.c. Position and id always do. */
enum {
    SCREE_WRITE_IMAGE = 1 << 2,
    SCREE_WRITE_VELOCITY = 1 << 3,
    SCREE_WRITE_SPIN = 1 << 4,
    SCREE_WRITE_SPECIES = 1 << 5,
    SCREE_WRITE_RADIUS = 1 << 6,
    SCREE_WRITE_MASS = 1 << 7,
    SCREE_WRITE_FORCE = 1 << 8,
    SCREE_WRITE_TORQUE = 1 << 9,
    SCREE_WRITE_ORIENTATION = 1 << 10,
    SCREE_WRITE_COLLISION_RATE = 1 << 11
};
enum {
    SCREE_WRITE_CONTACT_FORCE = 1 << 0,
    SCREE_WRITE_OVERLAP = 1 << 1,
    SCREE_WRITE_SLIDING = 1 << 2,
    SCREE_WRITE_HISTORY = 1 << 3
};

/* Which grains go into a trajectory; all conditions must hold. */
struct scree_selection {
    bool *material;         /* by species; NULL: all; owned */
    double low[3], high[3]; /* m; inside or on the border of this box; NAN: no limit */
    int64_t stride;         /* ids 1, 1 + stride, 1 + 2 stride, ... */
};

struct scree_snapshots {
    bool given;    /* by the input; stages may write frames then */
    bool wanted;   /* at some time of the run, as stages find out */
    double every;  /* s; between frames, if given as a time; else NAN */
    double steps;  /* between frames; 0: none; stages change it */
    int64_t since; /* step from which they count */
    int n_times;
    double *time;                    /* instead: of the frames (s), rising; owned */
    int64_t *at;                     /* likewise, steps; owned */
    uint32_t fields, contact_fields; /* SCREE_WRITE_... */
    bool contacts;
    int compress; /* 0: no; 1 to 9 */
    struct scree_selection selection;
    int segment;             /* number of the present trajectory file */
    struct scree_xdmf *xdmf; /* what is known of the files before; owned */
    struct scree_trajectory_draft
        *draft;          /* frames that are not in their file yet, or NULL; owned */
    double next_publish; /* wall-clock time from which on they may be, on rank 0 */
};

extern const struct scree_param scree_snapshots_params[], scree_snapshots_grains_params[];
/* Read the section output.snapshots at `node`, a key of `parent`; collects mistakes. `orientation`:
 * that of the grains is followed. */
void scree_snapshots_read(struct scree_snapshots *snapshots, struct scree_input *input,
                          const struct scree_node *node, const struct scree_node *parent,
                          const struct scree_run *run, bool orientation);
/* The step nearest to a time (s). */
int64_t scree_snapshots_step(double time, const struct scree_scene *scene);
void scree_snapshots_clear(struct scree_snapshots *snapshots);

struct scree_output;
/* A new trajectory file for this segment of the run (trajectory.001.h5; .002 after a resume or
 * when the first is large, ...); the first one gets a frame of the start. Collective. */
enum scree_status scree_snapshots_open(struct scree_output *output, struct scree_run *run,
                                       const char *folder);
/* The next step at which a frame is due, after `step`; INT64_MAX: never. */
int64_t scree_snapshots_next(const struct scree_snapshots *snapshots, int64_t step);
/* Write a frame if one is due now, or if it must be. Files change about once a second if frames are
 * more frequent: frames are added to a draft, which takes the place of the file then, and the XDMF
 * file is written anew. known: the energies of this step, or NULL. Collective. */
enum scree_status scree_snapshots_poll(struct scree_output *output, struct scree_run *run,
                                       const char *folder, bool must,
                                       const struct scree_energies *known);
/* Bring all frames so far into their file: before a checkpoint and at the end. Collective. */
enum scree_status scree_snapshots_flush(struct scree_output *output, struct scree_run *run,
                                        const char *folder);
/* Delete the trajectories of an earlier run in the folder. Local. */
void scree_snapshots_drop(const char *folder);

#endif
