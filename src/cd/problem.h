/* SPDX-License-Identifier: BSD-3-Clause
 * The contact problem of one step, as solvers see it, and what can be done with it. Private to cd.
 *
 * Each rank owns some blocks of contacts; each block has its own copies of the velocities of its
 * bodies. Solvers change impulses; sweeps and exchanges keep velocities those that belong to them.
 */
#ifndef SCREE_CD_PROBLEM_H
#define SCREE_CD_PROBLEM_H

#include "scree/comm.h"
#include "scree/types.h"
#include "scree/wall.h"
#include "scree/wedge.h"

/* A wall that moves by the force on it (servo or tilt) is a body with one velocity, its rate; a
 * contact with it, or with a grain that is part of it, depends on at most so many of them. */
enum { SCREE_CD_RATES = SCREE_WALL_SERVOS };
struct scree_cd_coupling {
    int32_t n, unused;
    int32_t drive[SCREE_CD_RATES + 1]; /* numbers of the drives */
    double sweep[SCREE_CD_RATES][3];   /* relative velocity at the contact per rate */
};

/* A grain as the ranks that own its blocks know it. */
struct scree_cd_body {
    scree_gid gid;
    int32_t home, slot; /* rank that owns the grain, and its slot there */
    double inverse_mass, inverse_inertia;
    double free[6],
        before[6];    /* m/s, rad/s; velocity and spin without contacts; of the last step */
    int64_t n_blocks; /* in which it has contacts */
};

/* The velocity of a body in one block, with its share of the mass: a body in k blocks weighs 1/k in
 * each. */
struct scree_cd_copy {
    double v[3], inverse_mass, w[3], inverse_inertia;
};

/* A contact of the problem: what sweeps read. */
struct scree_cd_contact {
    double normal[3], arm[2];
    double drift[3];           /* m/s; with what tangential restitution adds */
    double target;             /* m/s; least normal velocity after the step */
    double mass_n, mass_t;     /* kg; effective masses along and across the normal, of the shares */
    double weight_n, weight_t; /* 1/kg; inverse effective masses of whole bodies */
    double friction;
    int32_t a, b; /* copies; b < 0: a wall */
};

/* What only few contacts have. */
struct scree_cd_extra {
    double close;            /* m/s; velocity with which the gap of a bond just closes, <= 0 */
    double cohesion;         /* N s; largest attraction, 0: none */
    double rolling, torsion; /* m; limits of the couples per normal impulse */
    double mass_r;           /* kg m^2; effective inertia of relative spins, of the shares */
    double weight_r;         /* 1/(kg m^2); inverse, of whole bodies */
    double spin_drift[3];    /* rad/s */
    int32_t turn;            /* sectors by which the second is turned */
    int32_t n_drives; /* that it depends on: those of walls in `coupling`, then of the cell */
    double branch[3]; /* m; as of the record */
    struct scree_cd_coupling coupling;
};

/* A servo of a wall, or of the cell, in this step; the same on all ranks. */
struct scree_cd_drive {
    int wall, servo;                     /* wall -1: of the cell */
    unsigned moved;                      /* components of the cell, as bits */
    double reach;                        /* m; speed per rate, at most; 1: the rate is a speed */
    double inverse_mass;                 /* 1/kg or 1/(kg m^2); of the whole wall */
    double free, before;                 /* m/s or rad/s; rate without contacts, of the last step */
    double low, high;                    /* of the rate: limits of speed and path */
    double share;                        /* blocks that have contacts with it */
    double found, remembered, direction; /* rate at present; before the last sweeps; see nncg */
};

/* A limit holds a drive without end: what it would do without one is what impulses change. */
static inline double scree_cd_rate(const struct scree_cd_drive *drive, double rate)
{
    return rate < drive->low ? drive->low : rate > drive->high ? drive->high : rate;
}

/* Impulses of a contact (N s, N m s) on its first body; the tangential part lies across the normal.
 */
struct scree_cd_impulse {
    double n, t[3];
};

/* Bodies in several blocks: their copies of all ranks, in the order of blocks. */
struct scree_cd_share {
    int n;     /* copies */
    int first; /* in problem.share_copy */
};

/* The contacts of one step that belong to blocks of this rank. */
struct scree_cd_problem {
    struct scree_comm *comm;         /* borrowed */
    const struct scree_wedge *wedge; /* borrowed; NULL: none */
    double dt;
    int64_t step;
    uint64_t seed;
    int n_blocks;
    int64_t *block; /* [n_blocks] keys, rising */
    int *block_contacts,
        *block_copies; /* [n_blocks + 1] where the contacts, copies of each begin */
    size_t n_contacts, n_copies, n_bodies;
    struct scree_cd_contact *contact;
    struct scree_cd_extra *extra; /* NULL: no contact needs it */
    struct scree_cd_impulse *impulse, *impulse_before, *direction;
    double (*couple)[3], (*couple_before)[3], (*couple_direction)[3]; /* with `extra` */
    int32_t *sequence; /* [n_contacts] order of a sweep; NULL: as they stand */
    size_t *record;    /* [n_contacts] the first record of each */
    struct scree_cd_body *body;
    int64_t *member;      /* blocks of all bodies, one after the other, each rising */
    size_t *first_member; /* [n_bodies + 1] */
    int32_t *copy_of;     /* [n_bodies] a copy of the body that is here */
    struct scree_cd_copy *copy;
    int32_t *copy_body;
    double (*copy_before)[6], (*copy_direction)[6];
    /* Bodies in several blocks, and what is sent of them after a sweep */
    size_t n_shares;
    struct scree_cd_share *share;
    int32_t *share_copy; /* a copy here, or -1 - place among those received */
    int n_peers, *peer;
    size_t *send_start, *receive_start; /* [n_peers + 1] */
    int32_t *send_copy;
    double (*received)[6];
    struct scree_channel *channel;
    int n_border;     /* blocks with copies that are sent ... */
    int *sweep_order; /* [n_blocks] ... which are swept first, so that the rest can be swept while
                       * messages travel */
    /* Rates of drives, [n_blocks][n_drives]: each block has its own, as of bodies */
    int n_drives, first_of_cell;  /* those of walls come first */
    struct scree_cd_drive *drive; /* borrowed */
    double *rate, *rate_before, *rate_direction;
    double sum_impulses, n_active; /* at the last look at the residual: J, and contacts that act */
};

/* What a solver did, the same on all ranks. */
struct scree_cd_outcome {
    int64_t sweeps, restarts;
    int64_t systems; /* of linear equations that were solved */
    double residual, force_change, unbalanced;
    double penetration; /* m/s; largest velocity with which a contact still closes */
    bool converged;
};

/* Frees what the problem owns. */
void scree_cd_problem_clear(struct scree_cd_problem *problem);
/* The number of a block of this rank. */
int scree_cd_find_block(const struct scree_cd_problem *problem, int64_t key);
/* The copy of a body in a block of this rank. */
int32_t scree_cd_find_copy(const struct scree_cd_problem *problem, int block, scree_gid gid);

/* Sweeps (sweep.c, shares.c). Of one block: every contact once, in order. */
void scree_cd_sweep(struct scree_cd_problem *problem, int block);
/* Another order of the contacts of a block, a function of block, step and sweep. */
void scree_cd_shuffle(struct scree_cd_problem *problem, int block, int64_t sweep);
/* All copies of a body get the mean of what its blocks did since copy_before: what other ranks wait
 * for is sent once border blocks are swept, and arrives when all are. Every rank. */
void scree_cd_begin_exchange(struct scree_cd_problem *problem);
void scree_cd_end_exchange(struct scree_cd_problem *problem);
/* A number of each copy ([n_copies]) goes to the ranks that share its body: `theirs`, allocated
 * here, by place among those received. Every rank. */
void scree_cd_tell_copies(struct scree_cd_problem *problem, const double *mine, double **theirs);
/* Velocities that belong to the present impulses, from the free ones. Every rank. */
void scree_cd_apply_impulses(struct scree_cd_problem *problem);
/* Each drive gets the mean of what blocks did to its rate (drives.c). Collective. */
void scree_cd_exchange_rates(struct scree_cd_problem *problem);
/* What the k-th drive that a contact depends on adds to its relative velocity, per rate; returns
 * the number of the drive. */
int scree_cd_find_sweep(const struct scree_cd_problem *problem, const struct scree_cd_extra *extra,
                        int k, double sweep[3]);

/* What conjugate directions need: change of the impulses by the last sweeps, squared, and its
 * product with the direction. Collective. */
double scree_cd_sum_steps(const struct scree_cd_problem *problem, double *along);
/* Residuals of the present impulses and velocities (residual.c). Collective. */
void scree_cd_measure(struct scree_cd_problem *problem, struct scree_cd_outcome *outcome);
/* Share of a contact in the square of the residual (J). */
double scree_cd_residual_part(const struct scree_cd_problem *problem, size_t c);
/* Relative velocity of the bodies of a contact, with its drift. */
void scree_cd_relative_velocity(const struct scree_cd_problem *problem, size_t c, double u[3]);
/* Relative spin of the bodies of a contact that has `extra`. */
void scree_cd_relative_spin(const struct scree_cd_problem *problem, size_t c, double spin[3]);
/* The nearest point of the cone |t| <= mu n. */
void scree_cd_project(double friction, double *n, double t[3]);
/* Cut the parts of a couple against rolling and torsion, each to its own limit at a normal impulse
 * `load` (002, 1.38-1.42). */
void scree_cd_limit_couple(const struct scree_cd_contact *c, const struct scree_cd_extra *extra,
                           double load, double couple[3]);

#endif
