/* SPDX-License-Identifier: BSD-3-Clause
 * Parts of the md method shared by its files. Private to md. */
#ifndef SCREE_MD_IMPL_H
#define SCREE_MD_IMPL_H

#include <stdalign.h>

#include "scree/scene.h"
#include "scree/stepper.h"

/* Phases of a step for the timer; their names are in md.c. */
enum { SCREE_MD_PHASE_INTEGRATE = SCREE_PHASE_METHOD, SCREE_MD_PHASE_CONTACTS };

/* How md goes from one moment to the next. */
enum scree_integrator { SCREE_INTEGRATOR_LEAPFROG, SCREE_INTEGRATOR_GEAR };

/* What the keys of md say (md_keys.c). */
struct scree_md_values {
    int integrator;                            /* enum scree_integrator */
    double speed;                              /* m/s; of impacts, for an automatic step */
    double contact_steps, contact_steps_error; /* steps in the shortest contact time */
    double overlap, detachment;                /* limits beyond which md warns */
    double start_overlap;                      /* parts of a radius; beyond: a mistake */
};
extern const struct scree_method_keys scree_md_keys[];
void scree_md_check_keys(const void *values, const struct scree_method_setting *setting);
void scree_md_keep_columns(const void *values, struct scree_scene *scene);

/* What acts on every grain. */
struct scree_surroundings {
    double gravity[3], background_friction; /* m/s^2, kg/s */
};

/* The moment in which two grains, or a grain and a wall, came into contact. */
struct scree_md_impact {
    double weight;                       /* larger is worse; 0: there was none */
    double speed, approach;              /* m/s; of the contact point, and its normal part */
    double reduced_mass, reduced_radius; /* kg, m */
    double width, overlap;   /* m; both radii (that of a grain at a wall counts twice) */
    long long first, second; /* gid; second < 0: wall -1 - second */
};

/* The energy ledger: what there is, what was lost since step 0. */
struct scree_md_energies {
    double kinetic, rotational; /* J */
    double elastic[SCREE_N_LAW_KINDS];
    double gravity; /* m g h; zero at the origin, periodic images unfolded */
    double loss[SCREE_N_LOSSES];
    double closure, turnover; /* J; see struct scree_energies */
    double ended;             /* contacts that have opened since step 0 */
};
/* Energies of md as the lines of its ledger (energy_lines.c). */
extern const struct scree_energy_line scree_md_energy_lines[];
void scree_md_write_lines(const struct scree_md_energies *e, struct scree_energies *lines);

enum scree_md_warning {
    SCREE_MD_WARNING_STEP,       /* steps per contact time of the stiffest live contact */
    SCREE_MD_WARNING_OVERLAP,    /* overlap / smaller radius */
    SCREE_MD_WARNING_BRAKE,      /* impact speed / V_c; Wolf, "Modeling and computer simulation of
                                  * granular media", 26 */
    SCREE_MD_WARNING_DETACHMENT, /* contact time / time between collisions of a grain; same, 2.4 */
    SCREE_MD_WARNING_DASHPOTS,   /* strength of the dashpots of a grain / what the step allows */
    SCREE_MD_N_WARNINGS
};

/* What was told to the user so far (warnings.c). */
struct scree_md_warnings {
    double worst[SCREE_MD_N_WARNINGS];
    bool told[SCREE_MD_N_WARNINGS];
    double ended, time; /* contacts ended and time at the last look */
};

/* What a batch needs besides what the laws see: who touches whom, and the results as integers. */
struct scree_md_batch {
    struct scree_batch b;
    int n_real; /* contacts; b.n is padded */
    bool any_fresh;
    scree_lid i[SCREE_BATCH];
    int32_t j[SCREE_BATCH];
    uint8_t fresh[SCREE_BATCH]; /* 1: touches since this evaluation, has no history */
    /* Gathered, as arrays: separation and sum of radii; relative velocity and sum of 1/m; and the
     * two sums of spins from which the surface velocity follows for either arm. */
    alignas(SCREE_ALIGNMENT) double apart[4][SCREE_BATCH];
    /* Results take the place of what they were made from: a batch should fit into the cache. Force
     * on i, torques on i and on j in quanta, not yet rounded. */
    union {
        alignas(SCREE_ALIGNMENT) double moving[4][SCREE_BATCH];
        alignas(SCREE_ALIGNMENT) double force[3][SCREE_BATCH];
    };
    union {
        alignas(SCREE_ALIGNMENT) double radius_spin[4][SCREE_BATCH]; /* r_i w_i + r_j w_j */
        alignas(SCREE_ALIGNMENT) double torque_i[3][SCREE_BATCH];
    };
    union {
        alignas(SCREE_ALIGNMENT) double spin[4][SCREE_BATCH]; /* w_i + w_j; at walls w_i */
        alignas(SCREE_ALIGNMENT) double torque_j[3][SCREE_BATCH];
    };
    SCREE_BATCH_ARRAY(closed); /* s; of the time since the last evaluation, while it was closed */
    double partner_spin[SCREE_BATCH][3]; /* rad/s; of walls; of seam pairs in the frame of i */
    int turn[SCREE_BATCH];               /* of seam pairs: see struct scree_seam */
};

/* Velocities and spins of grains at some moment: columns. */
struct scree_md_motion {
    const double (*vel)[4], (*spin)[4];
};

enum { SCREE_MD_QUEUE = SCREE_BATCH };

/* Touching pairs of one pair of materials that wait for a full batch: positions in a near list. */
struct scree_md_queue {
    int n;
    uint32_t near[SCREE_MD_QUEUE];
};

struct scree_md_sums; /* of energies (md_energy.c) */

/* What membranes do to a node besides storing energy. */
struct scree_md_node_work {
    double pressure[3], dashpots[3]; /* N */
};

struct scree_md {
    /* Saved: every member has its field in md.c. */
    int64_t half_step; /* 1: after the first step: columns vel and spin are those of step - 1/2,
                        * or with Gear's integrator predictions */
    /* Contact forces are summed as integers: the sum does not depend on the order. */
    double force_quantum, torque_quantum; /* N, N m; powers of two */
    struct scree_ledger ledger;           /* energy; the sum over ranks is what counts */
    int64_t half_ended;                   /* contacts that opened, in halves as the ledger */
    double first_energy;                  /* J; of everything at step 0 */
    double first_turnover;                /* J; likewise, of what is positive */
    /* Not saved: found anew when a run is resumed. */
    double inverse_force, inverse_torque;
    int64_t step;                         /* the present tick */
    const struct scree_md_values *values; /* borrowed from the job */
    struct scree_md_warnings warnings;
    struct scree_surroundings surroundings; /* as they were before a change ... */
    struct scree_md_energies unchanged;     /* ... and the energies */
    scree_gid newest;                       /* ... and the highest gid */
    double speed;                   /* m/s; largest of the grains owned here, at the half step */
    struct scree_md_queue *queue;   /* [laws->n_pairs] */
    struct scree_md_impact *impact; /* likewise; the worst so far */
    struct scree_md_batch *batch;
    const struct scree_wall_contact *wall_contact; /* of each near pair with a wall, present step;
                                                    * borrowed from the contacts */
    struct scree_md_node_work *node_work;          /* [scene->mesh->n], present step */
    size_t node_capacity;
    int64_t n_batches;
    struct scree_tally tally[SCREE_N_CONTACT_LOSSES]; /* of one pass over near pairs */
    int n_tallied;                                    /* contacts in them */
    bool has_driven;                                  /* there are driven grains that move */
    /* Of a deforming cell: sums over the contacts of an evaluation, and stiffness (J). */
    struct scree_account virial[SCREE_DEFORMATION_COMPONENTS + 1];
    struct scree_md_sums *sums; /* energies that contacts store are asked for with their forces */
    enum scree_status status;   /* of the present evaluation; set once by the first bad batch */
};

/* Integration (integrate.c). Returns the largest squared speed of the grains owned here. */
double scree_md_kick_drift(struct scree_md *md, const struct scree_scene *scene);
double scree_md_gear(struct scree_md *md, const struct scree_scene *scene); /* gear.c; likewise */
void scree_md_gear_velocity(const struct scree_md *md, const struct scree_scene *scene, scree_lid i,
                            double velocity[3], double spin[3]);
void scree_md_velocity(const void *state, const struct scree_scene *scene, scree_lid i,
                       double velocity[3], double spin[3]);
/* Columns for v(n) to be what it was before gravity or background friction changed. */
void scree_md_keep_velocities(const struct scree_md *md, const struct scree_scene *scene,
                              const struct scree_surroundings *before);
/* Predicted velocities of grains for which there are none yet. */
void scree_md_fill_now(const struct scree_particles *p);

/* Forces of all near pairs of one kind (forces.c); dt = 0: history does not advance. */
void scree_md_add_forces(struct scree_md *md, struct scree_scene *scene, enum scree_near_kind kind,
                         double dt);

/* Show each touching pair of a kind, without any effect on it. What listeners get is the neutral
 * part of a struct scree_md_contact, so that those of md may look at the whole of it. */
void scree_md_visit_contacts(void *state, struct scree_scene *scene, enum scree_near_kind kind,
                             scree_contact_listener *listen, void *context);
struct scree_md_contact {
    struct scree_contact seen;
    enum scree_near_kind kind;
    size_t place;        /* in its near list */
    double reduced_mass; /* kg */
    double stiffness;    /* N/m; largest derivative of the force; 0: rigid */
    double damping;      /* kg/s; of the normal dashpot */
};
static inline const struct scree_md_contact *scree_md_contact_of(const struct scree_contact *seen)
{
    return (const struct scree_md_contact *)seen;
}
/* Of all kinds (contact_view.c). */
void scree_md_show_contacts(void *state, struct scree_scene *scene, scree_contact_listener *listen,
                            void *context);

/* What the ledger wants of the contacts of a batch. */
struct scree_md_stored {
    int n;
    const double *energy[SCREE_N_LAW_KINDS]; /* J; elastic, by part of the law; NULL: none */
    const double *power[SCREE_N_LAW_KINDS];  /* W; that dashpots take, likewise */
    const double *power_to_wall;             /* W; that walls take from grains; NULL: no walls */
};
void scree_md_visit_stored(struct scree_md *md, struct scree_scene *scene,
                           enum scree_near_kind kind, struct scree_md_sums *sums);

/* What contacts gather from grains: columns of ghosts to refresh, enum scree_halo_columns. */
unsigned scree_md_ghost_columns(const struct scree_scene *scene);
/* Lists for the grains as they are; the next look comes with the next step (md.c). `reach`: near
 * pairs are those with smaller gaps. Collective. */
enum scree_status scree_md_regain(struct scree_md *md, struct scree_scene *scene);
enum scree_status scree_md_regain_within(struct scree_md *md, struct scree_scene *scene,
                                         double reach);
/* Records of contacts hold what another method handed over: grains are moved until contacts have
 * the overlaps that bear it, and histories become those of the laws (md_take_over.c). Collective.
 */
enum scree_status scree_md_take_forces(struct scree_md *md, struct scree_scene *scene);
/* Changes by the job (change.c): see struct scree_stepper. */
void scree_md_before_change(void *state, struct scree_scene *scene, enum scree_change change);
enum scree_status scree_md_after_change(void *state, struct scree_scene *scene,
                                        enum scree_change change);

/* Impacts (impacts.c): the worst of each pair law since the last call, as an array. */
void scree_md_collect_impacts(struct scree_md *md, const struct scree_scene *scene,
                              struct scree_md_impact *impact);

/* Energy (md_energy.c): book the losses of grains in the kick to come; all that is in the ledger.
 */
void scree_md_add_grain_losses(struct scree_md *md, const struct scree_scene *scene);
void scree_md_open_ledger(struct scree_md *md,
                          struct scree_scene *scene);      /* at step 0. Collective */
bool scree_md_has_driven(const struct scree_scene *scene); /* Collective. */
void scree_md_settle(void *state, struct scree_scene *scene);
void scree_md_find_energies(struct scree_md *md, struct scree_scene *scene,
                            struct scree_md_energies *energies);
/* Energies in the course of a step: sums that are told what each batch stores, after being told of
 * which kind it is; with all contacts in them they become energies and are freed. */
struct scree_md_sums *scree_md_start_sums(const struct scree_md *md);
void scree_md_weigh_sums(struct scree_md_sums *sums, enum scree_near_kind kind);
void scree_md_add_stored(struct scree_md_sums *sums, const struct scree_md_stored *stored);
void scree_md_finish_sums(struct scree_md *md, struct scree_scene *scene,
                          struct scree_md_sums *sums,
                          struct scree_md_energies *e); /* Collective. */

/* Add what glued grains of this rank feel to the totals of their walls, once the loads of a step
 * are complete (glued_loads.c). */
void scree_md_load_walls(const struct scree_md *md, struct scree_scene *scene);

/* Where every near pair with a wall is now; history goes from one wall to the next unless
 * `look_only`. */
static inline void scree_md_find_wall_contacts(struct scree_md *md, struct scree_scene *scene,
                                               bool look_only)
{
    scree_contacts_find_walls(scene->contacts, !look_only);
    md->wall_contact = scene->contacts->wall_contact;
}
static inline bool scree_md_touches_wall(const struct scree_wall_contact *contact)
{
    return contact->at.gap < 0.0 && contact->hidden_by < 0;
}

/* Walls that move by the force on them (servos.c): what is known before they are touched; their
 * step, which ends before walls are moved; the sums of what they feel, after all forces. */
void scree_md_prepare_servos(const struct scree_scene *scene);
void scree_md_drive_servos(struct scree_md *md, struct scree_scene *scene);
void scree_md_reduce_servo_loads(struct scree_scene *scene);
/* Loads and gains of servos that are new, from the contacts as they are, without an evaluation. */
void scree_md_change_servos(struct scree_md *md, struct scree_scene *scene);

/* Membranes (membranes.c): forces on their nodes; the second half of the work of these forces,
 * after the next kick; what that needs, after a resume. */
void scree_md_add_membranes(struct scree_md *md, struct scree_scene *scene, double dt);
void scree_md_add_membrane_work(struct scree_md *md, const struct scree_scene *scene);
void scree_md_recall_membranes(struct scree_md *md, const struct scree_scene *scene);

/* A cell that deforms. cell.c: gains and first sums at the start; the step of the cell, before that
 * of the grains; the stress, after all forces. */
void scree_md_start_deformation(struct scree_scene *scene); /* Collective. */
void scree_md_find_gains(struct scree_scene *scene);        /* those of its servos. Collective. */
void scree_md_drive_deformation(struct scree_md *md, struct scree_scene *scene);
void scree_md_reduce_stress(struct scree_md *md, struct scree_scene *scene); /* Collective. */
/* J; m (L d)^2 / 2: what contacts take up when they close with the flow. In a sample at rest
 * nothing else tells how large an energy is. */
double scree_md_flow_energy(const struct scree_scene *scene);
double scree_md_deformation_power(const struct scree_scene *scene); /* W; from grains to the cell */
/* cell_grains.c: kick and drift, velocities, relative to the flow. */
double scree_md_kick_drift_in_flow(struct scree_md *md, const struct scree_scene *scene);
void scree_md_velocity_in_flow(const struct scree_md *md, const struct scree_scene *scene,
                               scree_lid i, double velocity[3], double spin[3]);
/* Gravity or background friction were others: v(n) remains. */
void scree_md_keep_velocities_in_flow(const struct scree_md *md, const struct scree_scene *scene,
                                      const struct scree_surroundings *before);
/* cell_contacts.c: from positions to places; from relative velocities to those with the flow, over
 * the present branch or that of half of dt ago; the virial of a batch. */
void scree_md_deform_places(struct scree_md_batch *batch, const struct scree_deformation *cell);
void scree_md_add_flow(struct scree_md_batch *batch, const struct scree_deformation *cell,
                       double dt);
/* The flow goes along walls: of contacts with them only branches are missing. */
void scree_md_find_wall_branches(struct scree_md_batch *batch);
void scree_md_add_virial(struct scree_md *md, const struct scree_scene *scene,
                         const struct scree_pair_law *law, int halves);

/* From grains to contacts (gather.c): places with radii, normals and overlaps; relative motion,
 * with sums of spins if they are needed. Walls move as they do now, or, dt > 0, as they did on
 * average in the last step. */
void scree_md_gather_places(struct scree_md_batch *batch, const struct scree_particles *p);
void scree_md_gather_normals(struct scree_md_batch *batch); /* from what is in `apart` */
void scree_md_gather_motion(struct scree_md_batch *batch, struct scree_md_motion motion, bool sums);
void scree_md_gather_wall_places(struct scree_md_batch *batch, const struct scree_particles *p,
                                 const struct scree_wall_contact *contact, const uint32_t *place);
void scree_md_gather_wall_motion(struct scree_md_batch *batch, struct scree_md_motion motion,
                                 const struct scree_wall_contact *contact, const uint32_t *place,
                                 double dt);
/* The difference of spins; that of j is in partner_spin if it is `gathered`. */
void scree_md_gather_spins(const struct scree_md_batch *batch, struct scree_md_motion motion,
                           bool gathered, double (*to)[SCREE_BATCH]);
/* Normals at the last evaluation, of contacts with walls. */
void scree_md_gather_wall_turn(struct scree_md_batch *batch, const struct scree_scene *scene,
                               const struct scree_md *md, struct scree_md_motion motion,
                               const uint32_t *place);

/* Kinematics of a batch from the motion that was gathered last (kinematics.c): velocities; reduced
 * masses; ways since the last evaluation, from the velocities just found or in second order, which
 * needs the normals of then; how pairs turned as a whole; nothing of that, if no time has passed.
 */
void scree_md_find_velocity(struct scree_md_batch *batch, double share);
void scree_md_find_masses(struct scree_md_batch *batch);
void scree_md_find_way_of_step(struct scree_md_batch *batch);
void scree_md_meet_walls_half_way(struct scree_md_batch *batch);
void scree_md_find_way(struct scree_md_batch *batch, double share);
void scree_md_find_normals_before(struct scree_md_batch *batch);
void scree_md_find_turned(struct scree_md_batch *batch); /* from spins to angles */
void scree_md_find_twist(struct scree_md_batch *batch);
void scree_md_stand_still(struct scree_md_batch *batch);
/* False if a force or torque does not fit its integer (a NaN does not). */
bool scree_md_scale_loads(struct scree_md_batch *batch, double share, double inverse_force,
                          double inverse_torque);
bool scree_md_add_couples(struct scree_md_batch *batch, double inverse_torque);
/* From contacts to grains (scatter.c): round and add. */
void scree_md_scatter_to_both(const struct scree_md_batch *batch, struct scree_particles *p);
void scree_md_scatter_to_first(const struct scree_md_batch *batch, struct scree_particles *p);
void scree_md_scatter_to_walls(const struct scree_md_batch *batch, struct scree_walls *walls,
                               const struct scree_wall_contact *contact, const uint32_t *place,
                               double torque_of_force);
void scree_md_scatter_couples(const struct scree_md_batch *batch, struct scree_walls *walls,
                              double inverse_torque);

#endif
