/* SPDX-License-Identifier: BSD-3-Clause
 * Parts of the cd method shared by its files. Private to cd.
 *
 * A step goes from grains to a problem and back: records of contacts that may act in the step
 * (candidates.c) and bodies go to the ranks that own their blocks (problem.c), a solver finds the
 * impulses (solver_*.c with sweep.c), forces and velocities return (results.c). */
#ifndef SCREE_CD_IMPL_H
#define SCREE_CD_IMPL_H

#include "scree/retry.h"
#include "scree/scene.h"
#include "scree/stepper.h"

/* Phases of a step for the timer; their names are in cd.c. */
enum { SCREE_CD_PHASE_GRAINS = SCREE_PHASE_METHOD, SCREE_CD_PHASE_SWEEPS, SCREE_CD_PHASE_PROBLEM };

enum scree_cd_scheme { SCREE_CD_EULER, SCREE_CD_MOREAU };
enum scree_cd_gap { SCREE_CD_GAP_POSITIVE, SCREE_CD_GAP_SIGNED };
enum scree_cd_order {
    SCREE_CD_ORDER_DRAWN,
    SCREE_CD_ORDER_RANDOM,
    SCREE_CD_ORDER_FIXED,
    SCREE_CD_ORDER_REVERSE
};
enum scree_cd_failure { SCREE_CD_WARN, SCREE_CD_STOP, SCREE_CD_HALVE };

/* What the keys of cd say (cd_keys.c). */
struct scree_cd_values {
    int solver; /* place in solvers.def */
    int scheme, gap, order, failure;
    double residual;                 /* scaled natural map at which a step has converged */
    double force_change, unbalanced; /* further criteria; INFINITY: not asked for */
    double block_grains;             /* of a block, about; NAN: the domain of a rank is one */
    int64_t least, most;             /* sweeps of a step */
    int64_t fixed;                   /* INT64_MIN, or so many sweeps whatever the residual */
    int64_t check;                   /* sweeps between looks at the residual */
    int64_t sweeps_per_exchange;
    int64_t halvings; /* of a step, at most */
    bool warm_start;
    double rebound_speed; /* m/s; slower impacts do not rebound; NAN: auto */
};
extern const struct scree_method_keys scree_cd_keys[];
void scree_cd_check_keys(const void *values, const struct scree_method_setting *setting);

/* What contacts keep from step to step, as seen from the grain with the lower gid. */
enum {
    SCREE_CD_FORCE = 0,  /* [3] N; of the last step */
    SCREE_CD_NORMAL = 3, /* [3] at which it acted */
    SCREE_CD_COUPLE = 6, /* [3] N m; of rolling and torsion */
    SCREE_CD_BOND = 9,   /* 1: the grains have touched and cohere */
    SCREE_CD_SLIDES,     /* 1: at its friction limit */
    SCREE_CD_HISTORY,
    SCREE_CD_ODD = (1 << SCREE_CD_BOND) - 1 /* slots that change sign with the side */
};

/* A wall that moves by the force on it (servo or tilt) is a body with one velocity, its rate; a
 * contact with it, or with a grain that is part of it, depends on at most so many of them. */
enum { SCREE_CD_RATES = SCREE_WALL_SERVOS };
struct scree_cd_coupling {
    int32_t n, unused;
    int32_t drive[SCREE_CD_RATES + 1]; /* numbers of the drives */
    double sweep[SCREE_CD_RATES][3];   /* relative velocity at the contact per rate */
};

/* A contact that may act in the step, as a rank that holds one of its grains sees it. What is of
 * the grain with the lower gid comes first; the normal points to it. Records are sent as bytes. */
struct scree_cd_record {
    scree_gid first, second; /* second < 0: wall -1 - second */
    int32_t image[3];        /* periods between them; of a wall {its part, 0, 0} */
    int32_t turn;            /* of a wedge: sectors by which the second is turned */
    int64_t block;           /* to which it belongs */
    uint64_t order;          /* place in the order of the block */
    double normal[3], gap;   /* m */
    double arm[2];           /* m; from the centres to the contact point, along the normal */
    double branch[3]; /* m; from the second centre, or the contact point on a wall, to the first */
    double drift[3];  /* m/s; relative velocity that no grain has: of walls and of the flow */
    double spin_drift[3];       /* rad/s; likewise relative spin */
    double force[3], couple[3]; /* N, N m; first guess */
    double bond;
    struct scree_cd_coupling coupling;
    int32_t pair;   /* law */
    int32_t holder; /* rank that made the record ... */
    int64_t place;  /* ... and its number there */
};

/* Where the results of a record go; at its holder. */
struct scree_cd_claim {
    int32_t kind;      /* enum scree_near_kind */
    bool turned;       /* the near list sees the contact from its second grain */
    size_t near;       /* place in the near list */
    scree_lid slot[2]; /* of first and second, owned or ghost; slot[1] of a wall: its number */
    double force[3], couple[3]; /* N, N m; found by the solver */
    bool acts, bonded, slides;
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
    double residual, force_change, unbalanced;
    double penetration; /* m/s; largest velocity with which a contact still closes */
    bool converged;
};

/* The contact with the largest part in the residual. */
struct scree_cd_worst {
    double residual;  /* its part, against the mean square of impulses */
    scree_gid who[2]; /* first, second; second < 0: wall -1 - second; 0: none */
};

/* A step of the clock, in one part or several. */
struct scree_cd_tick {
    int n;          /* parts */
    int64_t sweeps; /* of all attempts */
    double residual;
    bool solved;
    struct scree_cd_worst worst;
};

struct scree_cd {
    /* Saved: */
    double block_edge;                 /* m */
    double quantum[2];                 /* N, N m; units of loads, powers of two */
    double first_energy, first_height; /* J; in all, and of gravity */
    double loss[8];                    /* J; since step 0, by enum scree_cd_loss */
    double figure[6];                  /* of the last step, see view.c */
    /* Made anew: */
    const struct scree_cd_values *values;
    int64_t step;
    uint64_t seed;
    double slack; /* m/s; added to the speeds that grains are thought to reach in a step */
    double speed; /* m/s; largest of all grains when the step began */
    double reach; /* m; for which the lists are made */
    size_t n_before, before_capacity;
    double (*before)[6]; /* velocities and spins of owned grains at the end of the last step */
    size_t n_records, record_capacity, claim_capacity;
    struct scree_cd_record *record;
    struct scree_cd_claim *claim;
    size_t n_all, all_capacity; /* records of the blocks owned here, from all ranks */
    struct scree_cd_record *all;
    int32_t *ghost_rank;
    size_t ghost_capacity;
    int n_drives, n_wall_drives; /* those of walls come first */
    int *drive_of;               /* drive_of[wall * SCREE_WALL_SERVOS + servo]: its number, or -1 */
    struct scree_cd_drive *drive;
    double drive_speed;              /* m/s; that drives may have, at most */
    double given_flow[3][3];         /* 1/s; rates of the cell in this step that are given */
    double known_flow[3][3];         /* 1/s; with those of servos as they were in the last step */
    struct scree_cd_outcome outcome; /* of the last part of a step */
    struct scree_cd_tick tick;
    double tick_dt; /* s; of the clock, also while a step is taken in parts */
    /* Since the start or resume: */
    int64_t n_steps, n_failed, n_halved, n_warned, total_sweeps, most_sweeps;
    double worst_residual; /* of all steps, when, and the contact that was worst then */
    int64_t worst_step;
    struct scree_cd_worst worst;
    bool overlap_told; /* the warning of deep overlaps */
    bool tried;        /* the step has begun, but is not taken: see retry.c */
    /* Sees every solved problem, with the impulses that were found; NULL: nobody does. */
    void (*inspect)(void *inspector, const struct scree_cd_problem *problem);
    void *inspector;
    struct scree_energies unchanged; /* before a change */
};

enum scree_cd_loss {
    SCREE_CD_LOSS_IMPACT, /* normal restitution */
    SCREE_CD_LOSS_SLIDING,
    SCREE_CD_LOSS_ROLLING, /* rolling and torsion */
    SCREE_CD_LOSS_GAP,     /* corrections of overlaps; < 0: they make energy */
    SCREE_CD_LOSS_BACKGROUND,
    SCREE_CD_LOSS_DRIVES, /* to walls and driven grains; < 0: they do work */
    SCREE_CD_N_LOSSES
};

/* A step in parts (cd.c): walls move, grains begin to drift; the problem of contacts with free
 * velocities; its solution: false if contacts were missing, and it has to be found and solved once
 * more, after velocities became again those of the last step. Collective. */
void scree_cd_begin_step(struct scree_cd *cd, struct scree_scene *scene);
enum scree_status scree_cd_find_problem(struct scree_cd *cd, struct scree_scene *scene,
                                        struct scree_cd_problem *problem);
bool scree_cd_solve(struct scree_cd *cd, struct scree_cd_problem *problem,
                    struct scree_cd_outcome *outcome);
void scree_cd_restore_velocities(const struct scree_cd *cd, struct scree_particles *p);
/* Solve the coming step in another way (retry.c); see struct scree_stepper. Collective. */
enum scree_status scree_cd_retry(void *state, struct scree_scene *scene, struct scree_retry *retry);

/* A way to solve a problem. All of solve() is collective. */
struct scree_cd_solver {
    const char *name, *summary;
    void (*solve)(const struct scree_cd_values *values, struct scree_cd_problem *problem,
                  struct scree_cd_outcome *outcome);
};
const struct scree_cd_solver *scree_cd_solver_at(int k);
extern const char *const scree_cd_solver_names[]; /* NULL-ended */

/* Blocks (blocks.c). The edge is chosen once, from the grains there are. Collective. */
void scree_cd_choose_blocks(struct scree_cd *cd, const struct scree_scene *scene);
/* The block of a grain, owned or ghost, by its place; or with `blocks: rank` by its owner. */
int64_t scree_cd_block_of(const struct scree_cd *cd, const struct scree_scene *scene, scree_lid i);
/* The rank that sweeps a block. */
int scree_cd_block_owner(const struct scree_cd *cd, const struct scree_scene *scene, int64_t block);
/* Who owns which ghost; after ghosts were made. */
void scree_cd_find_ghost_ranks(struct scree_cd *cd, const struct scree_scene *scene);

/* Walls and cells that move by the force on them (drives.c): their rates without contacts in the
 * step to come, which ends at time `end` (s), before any contact is looked for. */
void scree_cd_begin_drives(struct scree_cd *cd, struct scree_scene *scene, double end);
/* Which of them a contact with a wall, or with a grain that is part of one, depends on; sign: that
 * of its side. */
void scree_cd_couple(const struct scree_cd *cd, const struct scree_scene *scene, int wall,
                     const double arm[3], double sign, struct scree_cd_coupling *coupling);
/* Blocks that have contacts with each drive. Collective. */
void scree_cd_share_drives(struct scree_cd *cd, const struct scree_cd_problem *problem);
/* Each drive gets the mean of what blocks did to it. Collective. */
void scree_cd_exchange_rates(struct scree_cd_problem *problem);
/* Walls and what is part of them go with the rates that were found, up to time `end`; after the
 * forces on walls are known. Collective. */
void scree_cd_end_drives(const struct scree_cd *cd, struct scree_scene *scene,
                         const struct scree_cd_problem *problem, double end);
/* Steps become longer (s): scree_servo_work() of before remains. */
void scree_cd_change_work(struct scree_walls *walls, double longer);

/* The rate that a target (N, N m, J) and damping make of the last one. */
void scree_cd_set_free_rate(const struct scree_servo *servo, double inertia, double target,
                            bool at_work, double dt, struct scree_cd_drive *drive);
/* m/s; that it is thought to reach in the step. */
double scree_cd_drive_bound(const struct scree_cd_drive *drive);
/* What the k-th drive that a contact depends on adds to its relative velocity, per rate; returns
 * the number of the drive. */
int scree_cd_find_sweep(const struct scree_cd_problem *problem, const struct scree_cd_extra *extra,
                        int k, double sweep[3]);

/* A cell that deforms (cd_strain.c). All but closing and free velocity do nothing without one. */
/* Before the first step. Collective. */
void scree_cd_start_strain(struct scree_scene *scene);
/* Rates that are given and drives of servos, for the step that begins at time t. */
void scree_cd_begin_strain(struct scree_cd *cd, struct scree_scene *scene, double t);
/* m/s; with which given rates close a gap of grains at this distance, at most. */
double scree_cd_flow_closing(const struct scree_cd *cd, double distance);
/* Velocity of a grain after the step if it had no contacts. */
void scree_cd_find_free_velocity(const struct scree_cd *cd, const struct scree_scene *scene,
                                 const double before[3], double inverse_mass, double v[3]);
/* J; that a grain gives to the cell in the step by moving through its flow. */
double scree_cd_work_on_flow(const struct scree_cd *cd, const struct scree_scene *scene,
                             scree_lid i);
/* Rates and stress of the step. Grains have their new velocities. Collective. */
void scree_cd_end_strain(const struct scree_cd *cd, struct scree_scene *scene,
                         const struct scree_cd_problem *problem);
/* The shape of the cell, with its present rates. */
void scree_cd_advance_cell(struct scree_scene *scene, double dt);
/* After walls and grains have moved: the size of the sample, the sum of stresses over time. */
void scree_cd_finish_strain(struct scree_scene *scene);

/* Records and claims of all contacts of owned grains that may act in the step (candidates.c). */
void scree_cd_find_candidates(struct scree_cd *cd, struct scree_scene *scene);
/* m/s; that a grain is thought to reach at most in the step, from its velocity without contacts. */
double scree_cd_speed_bound(const struct scree_cd *cd, const double v[3]);

/* The owned grain that a side of a contact is or shows; -1: another rank's, or a wall. */
scree_lid scree_cd_owned_side(const struct scree_scene *scene, const struct scree_cd_claim *claim,
                              int side);
/* Of a pair of grains: the normal towards the first (candidates.c). */
void scree_cd_find_normal(const struct scree_scene *scene, const struct scree_contact_view *view,
                          double normal[3]);
/* m; reduced radius of a contact; walls are flat (problem.c). */
double scree_cd_reduced_radius(const struct scree_cd_record *r);
/* The problem of the step from the records of all ranks (problem.c, shares.c). Collective. */
void scree_cd_problem_build(struct scree_cd *cd, struct scree_scene *scene,
                            struct scree_cd_problem *problem);
void scree_cd_problem_clear(struct scree_cd_problem *problem);
void scree_cd_find_shares(struct scree_cd_problem *problem, const struct scree_cd *cd,
                          const struct scree_scene *scene);
/* The number of a block of this rank. */
int scree_cd_find_block(const struct scree_cd_problem *problem, int64_t key);
/* The copy of a body in a block of this rank. */
int32_t scree_cd_find_copy(const struct scree_cd_problem *problem, int block, scree_gid gid);

/* Sweeps (sweep.c, exchange.c). Of one block: every contact once, in order. */
void scree_cd_sweep(struct scree_cd_problem *problem, int block);
/* Another order of the contacts of a block, a function of block, step and sweep. */
void scree_cd_shuffle(struct scree_cd_problem *problem, int block, int64_t sweep);
/* All copies of a body get the mean of what its blocks did since copy_before: what other ranks wait
 * for is sent once border blocks are swept, and arrives when all are. Every rank. */
void scree_cd_begin_exchange(struct scree_cd_problem *problem);
void scree_cd_end_exchange(struct scree_cd_problem *problem);
/* Velocities that belong to the present impulses, from the free ones. Every rank. */
void scree_cd_apply_impulses(struct scree_cd_problem *problem);

/* Sums over the contacts of a block, or of all blocks of all ranks. */
enum {
    SCREE_CD_SUM_STEP,     /* change of the impulses by the last sweeps, squared */
    SCREE_CD_SUM_RESIDUAL, /* natural map, squared */
    SCREE_CD_SUM_IMPULSE,  /* impulses, squared; J as the two above */
    SCREE_CD_SUM_NORMAL,   /* normal impulses */
    SCREE_CD_SUM_ACTIVE,   /* contacts that act */
    SCREE_CD_SUM_GAINED,   /* m |v - v_before|^2 */
    SCREE_CD_SUM_FREE,     /* m |v_free - v_before|^2 */
    SCREE_CD_SUM_ROUNDING, /* of velocities, squared and as an energy */
    SCREE_CD_N_SUMS
};
/* The first of these sums: what conjugate directions need. Collective. */
double scree_cd_sum_steps(const struct scree_cd_problem *problem);
/* Residuals of the present impulses and velocities (residual.c). Collective. */
void scree_cd_measure(struct scree_cd_problem *problem, struct scree_cd_outcome *outcome);
/* Share of a contact in the square of the residual (J). */
double scree_cd_residual_part(const struct scree_cd_problem *problem, size_t c);
/* Relative velocity of the bodies of a contact, with its drift. */
void scree_cd_relative_velocity(const struct scree_cd_problem *problem, size_t c, double u[3]);
/* Relative spin of the bodies of a contact that has `extra`. */
void scree_cd_relative_spin(const struct scree_cd_problem *problem, size_t c, double spin[3]);
/* Cut the parts of a couple against rolling and torsion, each to its own limit at a normal impulse
 * `load` (002, 1.38-1.42). */
void scree_cd_limit_couple(const struct scree_cd_contact *c, const struct scree_cd_extra *extra,
                           double load, double couple[3]);

/* Forces to claims, velocities to grains, forces to walls and loads, losses (results.c).
 * Collective. */
void scree_cd_return_results(struct scree_cd *cd, struct scree_scene *scene,
                             struct scree_cd_problem *problem);
/* The part of this that is for contacts: what claims hold goes to histories, loads and walls. */
void scree_cd_share_forces(struct scree_cd *cd, struct scree_scene *scene);
/* Records of contacts hold what another method handed over: it becomes the history of contacts and
 * the loads of grains and walls (cd_take_over.c). Collective. */
void scree_cd_take_forces(struct scree_cd *cd, struct scree_scene *scene);
/* Where the energy of this step went, by channel; the same on all ranks (cd_energy.c). Grains have
 * their new velocities. Collective. */
void scree_cd_add_losses(struct scree_cd *cd, const struct scree_scene *scene,
                         const struct scree_cd_problem *problem);

/* Steps and what became of them (outcome.c). The worst contact: collective. */
void scree_cd_find_worst(const struct scree_cd *cd, const struct scree_cd_problem *problem,
                         struct scree_cd_worst *worst);
void scree_cd_begin_tick(struct scree_cd *cd);
/* A part of a step that counts. Collective. */
void scree_cd_note_outcome(struct scree_cd *cd, const struct scree_cd_problem *problem,
                           const struct scree_cd_outcome *outcome);
void scree_cd_end_tick(struct scree_cd *cd);
void scree_cd_name_contact(const struct scree_cd_worst *worst, const struct scree_walls *walls,
                           char *text, size_t size);
/* For report.json: members of an object. */
void scree_cd_write_report(const struct scree_cd *cd, char *text, size_t size);

extern const struct scree_energy_line scree_cd_energy_lines[];
void scree_cd_energies(void *state, struct scree_scene *scene, struct scree_energies *energies);
void scree_cd_show_contacts(void *state, struct scree_scene *scene, scree_contact_listener *listen,
                            void *context);
extern const struct scree_figure scree_cd_figures[];
void scree_cd_measure_figures(void *state, struct scree_scene *scene, double *value);
/* How far grains go in a step, how many sweeps it may take (cd_forecast.c). */
void scree_cd_tell_step(const struct scree_scene *scene, const struct scree_prospect *prospect);
void scree_cd_tell_sweeps(const struct scree_cd *cd, const struct scree_scene *scene,
                          const struct scree_prospect *prospect);
enum scree_status scree_cd_advise(void *state, struct scree_scene *scene,
                                  const struct scree_advice *advice);

#endif
