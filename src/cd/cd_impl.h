/* SPDX-License-Identifier: BSD-3-Clause
 * Parts of the cd method shared by its files. Private to cd.
 *
 * A step goes from grains to a problem and back: records of contacts that may act in the step
 * (candidates.c) and bodies (bodies.c) go to the ranks that own their blocks, which make the
 * problem of them (problem.c); a solver finds the impulses (solver_*.c with sweep.c); forces and
 * velocities return (results.c). */
#ifndef SCREE_CD_IMPL_H
#define SCREE_CD_IMPL_H

#include "problem.h"
#include "scree/retry.h"
#include "scree/scene.h"
#include "solvers.h"

/* Phases of a step for the timer; their names are in cd.c. */
enum { SCREE_CD_PHASE_GRAINS = SCREE_PHASE_METHOD, SCREE_CD_PHASE_SWEEPS, SCREE_CD_PHASE_PROBLEM };
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

/* The contact with the largest part in the residual. */
struct scree_cd_worst {
    double residual;  /* its part, against the mean square of impulses */
    scree_gid who[2]; /* first, second; second < 0: wall -1 - second; 0: none */
};

/* A step of the clock, in one part or several. */
struct scree_cd_tick {
    int n;                   /* parts */
    int64_t sweeps, systems; /* of all attempts */
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
    size_t before_capacity;
    double (*before)[6]; /* velocities and spins of owned grains at the end of the last step */
    size_t n_records, record_capacity, claim_capacity;
    struct scree_cd_record *record;
    struct scree_cd_claim *claim;
    size_t n_all; /* records of the blocks owned here, from all ranks */
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
    int64_t n_steps, n_failed, n_halved, n_warned, total_sweeps, most_sweeps, total_systems;
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

/* One step of the clock, in parts if it must be (cd_step.c). Collective. */
enum scree_status scree_cd_take_step(struct scree_cd *cd, struct scree_scene *scene);
/* Its parts: walls move, grains begin to drift; the problem of contacts with free velocities; its
 * solution: false if contacts were missing, and it has to be found and solved once more, after
 * velocities became again those of the last step. Collective. */
void scree_cd_begin_step(struct scree_cd *cd, struct scree_scene *scene);
enum scree_status scree_cd_find_problem(struct scree_cd *cd, struct scree_scene *scene,
                                        struct scree_cd_problem *problem);
bool scree_cd_solve(struct scree_cd *cd, struct scree_cd_problem *problem,
                    struct scree_cd_outcome *outcome);
void scree_cd_restore_velocities(const struct scree_cd *cd, struct scree_particles *p);
/* Solve the coming step in another way (retry.c); see struct scree_stepper. Collective. */
enum scree_status scree_cd_retry(void *state, struct scree_scene *scene, struct scree_retry *retry);

/* Lists that hold every pair which may touch in this step; `anew`: whatever those of before are
 * good for (cd_lists.c). Collective. */
enum scree_status scree_cd_update_lists(struct scree_cd *cd, struct scree_scene *scene, bool anew);
/* Ghosts at the present places, with free velocities; near pairs of now. Walls with servos have
 * moved when the last step ended, which no list has seen. */
void scree_cd_refresh(struct scree_cd *cd, struct scree_scene *scene);
/* Ghosts get the present places and velocities of their grains. */
void scree_cd_refresh_ghosts(const struct scree_cd *cd, struct scree_scene *scene);
/* Did a grain become faster than it was thought to be when contacts were chosen? Then one may be
 * missing. Returns the largest such speed, or 0. Collective. */
double scree_cd_find_surprise(const struct scree_cd *cd, const struct scree_cd_problem *problem);
/* Speeds are thought to grow by at most the least slack: a small part of the smallest speed scale,
 * radius / dt; more makes the step be solved again with more contacts. */
void scree_cd_reset_slack(struct scree_cd *cd, const struct scree_scene *scene);

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
/* m; reduced radius of a contact; walls are flat (problem_contacts.c). */
double scree_cd_reduced_radius(const struct scree_cd_record *r);

/* The problem of the step from the records of all ranks (problem.c). Collective. */
void scree_cd_problem_build(struct scree_cd *cd, struct scree_scene *scene,
                            struct scree_cd_problem *problem);
/* The parts of this, in this order. Bodies of the blocks owned here, from all ranks, with the
 * blocks in which they have contacts (bodies.c). Collective. */
void scree_cd_gather_bodies(const struct scree_cd *cd, const struct scree_scene *scene,
                            struct scree_cd_problem *problem);
/* Records of the blocks owned here, from all ranks, to cd->all (records.c). Collective. */
void scree_cd_gather_records(struct scree_cd *cd, const struct scree_scene *scene);
/* Blocks, and one copy of a body in each of its blocks that are owned here, by block and gid
 * (copies.c). */
void scree_cd_make_copies(const struct scree_cd *cd, const struct scree_scene *scene,
                          struct scree_cd_problem *problem);
/* Contacts of all blocks, in the order in which they are swept (problem_contacts.c). What several
 * ranks hold is one contact: afterwards `order` of each record is the number of its contact. */
void scree_cd_make_contacts(struct scree_cd *cd, const struct scree_scene *scene,
                            struct scree_cd_problem *problem);
/* How records of a block follow each other; those of the same contact stand together. */
struct scree_cd_ranked {
    uint64_t order;
    const struct scree_cd_record *record;
};
/* cd->all by block, then by the order asked for; start[n_blocks + 1]: where blocks begin
 * (records.c). */
void scree_cd_sort_records(const struct scree_cd *cd, const struct scree_cd_problem *problem,
                           struct scree_cd_ranked *ranked, size_t *start);
/* Who has copies of which bodies, and what is sent (shares.c). */
void scree_cd_find_shares(struct scree_cd_problem *problem, const struct scree_cd *cd,
                          const struct scree_scene *scene);

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
