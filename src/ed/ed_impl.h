/* SPDX-License-Identifier: BSD-3-Clause
 * What the files of ed share that know the scene. */
#ifndef SCREE_ED_IMPL_H
#define SCREE_ED_IMPL_H

#include "link.h"
#include "ranks.h"
#include "scree/stepper.h"

struct scree_ed_values {
    double contact_time; /* s */
    double growth;       /* 1/s; of radii, of what they are at first; 0: they do not grow */
    double solid_fraction, reduced_pressure; /* where growth ends */
    int64_t most_events;
    double window; /* collisions per grain */
    bool rest;     /* when growth ends */
    bool record;
};

/* What has been counted and summed. */
struct scree_ed_account {
    int64_t count[SCREE_ED_COUNTS];
    struct scree_exact sum[SCREE_ED_SUMS];
};

struct scree_ed {
    /* Saved */
    double epoch, epoch_length; /* s; when it began, and how long it lasts */
    double epoch_before;        /* s; when the one before began */
    double first_energy;        /* J */
    double first_height;        /* J; energy of gravity at the start */
    double quantum[2];          /* N, N m; of forces on walls */
    /* Grains that grow (growth.c) */
    double growth;             /* 1/s; in this epoch, of the radii at its beginning */
    double grown;              /* radii, as a part of the first ones; 0: growth has not begun */
    double growth_began;       /* s */
    double first_square_speed; /* m^2/s^2; when it began */
    double pressure;           /* over n T, in the last epoch; 0: not known yet */
    double epoch_energy, epoch_virial; /* J, J s; when the epoch began */
    /* A cell that is sheared (ed_strain.c), when the epoch began */
    double stretch[SCREE_DEFORMATION_COMPONENTS], strain[SCREE_DEFORMATION_COMPONENTS];
    double strain_rate[SCREE_DEFORMATION_COMPONENTS]; /* 1/s; of the epoch */
    int64_t grown_events; /* collisions until growth ended; 0: it has not */
    int64_t epoch_events; /* collisions up to its beginning, on all ranks */
    int64_t count[SCREE_ED_COUNTS];
    struct scree_exact sum[SCREE_ED_SAVED_SUMS];
    /* Made anew */
    const struct scree_ed_values *values; /* borrowed */
    int64_t tick;
    struct scree_ed_world world;
    struct scree_ed_impact *impact; /* owned */
    struct scree_ed_wall *wall;     /* owned */
    struct scree_ed_tally tally;    /* of this rank, since the start or the last settling */
    struct scree_ed_line line;
    struct scree_ed_link link;
    struct scree_ed_engine *engine;     /* of this epoch; owned */
    struct scree_ed_ranks *ranks;       /* likewise */
    int64_t n_windows, n_rounds, n_cut; /* figures of past epochs */
    int64_t n_events, n_redone, n_exits, n_stale;
    struct scree_ed_account shown; /* of the moment of which the columns are */
    double unchanged;              /* J; what the energies added up to before a change */
};

enum { SCREE_ED_PHASE_EVENTS = SCREE_PHASE_METHOD };

/* keys.c */
extern const struct scree_method_keys scree_ed_keys[];
void scree_ed_check_keys(const void *values, const struct scree_method_setting *setting);
void scree_ed_examine(const void *values, const struct scree_scene *scene,
                      const struct scree_prospect *prospect, struct scree_input *input);

/* world.c */
void scree_ed_world_make(struct scree_ed *ed, struct scree_scene *scene);
void scree_ed_world_clear(struct scree_ed *ed);
/* The smallest and the largest radius of an epoch that begins. Collective. */
void scree_ed_world_find_radii(struct scree_ed *ed, const struct scree_scene *scene);
/* What all engines know of this epoch, whose growth and length are known. Collective. */
void scree_ed_world_begin_epoch(struct scree_ed *ed, const struct scree_scene *scene);

/* growth.c. Grains grow, or are about to. */
bool scree_ed_is_growing(const struct scree_ed *ed);
/* At the beginning of an epoch, of which the columns are and which may become shorter:
 * grains have grown since the last one began, for so long (s), in which each has collided on the
 * mean if it was long `enough`. Collective. */
enum scree_status scree_ed_growth_step(struct scree_ed *ed, struct scree_scene *scene,
                                       double elapsed, bool enough);
/* Of the box. Collective. */
double scree_ed_solid_fraction(const struct scree_scene *scene);

/* epoch.c. All are collective. */
/* A new epoch at a time (s), at which the columns are. */
enum scree_status scree_ed_epoch_begin(struct scree_ed *ed, struct scree_scene *scene, double time);
/* What an earlier epoch left in the columns of grains means nothing any more: local. */
void scree_ed_forget_collisions(struct scree_particles *p);
/* An engine for the rows of this rank, which go to their owners before, at a time of this epoch. */
enum scree_status scree_ed_epoch_load(struct scree_ed *ed, struct scree_scene *scene, double t);
void scree_ed_epoch_unload(struct scree_ed *ed);
/* Remember what has been counted by the moment of which the columns are. Local. */
void scree_ed_note_account(struct scree_ed *ed);
/* Columns of the present time t of this epoch; rows go to the owners of their grains. */
void scree_ed_epoch_show(struct scree_ed *ed, struct scree_scene *scene, double t);
/* All events before a time (s), over as many epochs as it takes. */
enum scree_status scree_ed_epoch_advance(struct scree_ed *ed, struct scree_scene *scene,
                                         double time);

/* ed_overlap.c: fails if grains of the engine that was just loaded overlap, or reach into walls, by
 * more than rounding. Collective. */
enum scree_status scree_ed_check_overlaps(struct scree_ed *ed, struct scree_scene *scene);

/* ed_strain.c; all does nothing in a box that does not deform. */
/* The box as it is when the method begins, or another epoch. */
void scree_ed_strain_take(struct scree_ed *ed, const struct scree_scene *scene);
/* At the beginning of an epoch, which may become shorter, so long (s) after that of the last one.
 */
void scree_ed_strain_step(struct scree_ed *ed, struct scree_scene *scene, double elapsed);
/* What engines have to know of it in this epoch. */
void scree_ed_strain_tell(const struct scree_ed *ed, const struct scree_scene *scene,
                          struct scree_ed_world *world);
/* How much wider than grains lists ever are. */
double scree_ed_strain_most_widening(const struct scree_scene *scene);
/* Work of grains on the flow since their last collisions, as columns tell. */
void scree_ed_strain_add_flights(const struct scree_ed *ed, const struct scree_particles *p,
                                 struct scree_exact *work);
/* Shape and stress at a tick, at time t of the epoch. Collective. */
void scree_ed_strain_show(struct scree_ed *ed, struct scree_scene *scene, double t);

/* ed_view.c */
extern const struct scree_energy_line scree_ed_energy_lines[];
extern const struct scree_figure scree_ed_figures[];
void scree_ed_show_contacts(void *state, struct scree_scene *scene, scree_contact_listener *listen,
                            void *context);
void scree_ed_energies(void *state, struct scree_scene *scene, struct scree_energies *energies);
void scree_ed_measure_figures(void *state, struct scree_scene *scene, double *value);
/* What collisions of the last tick did to walls, into their totals. */
void scree_ed_press_walls(struct scree_ed *ed, struct scree_scene *scene);
/* Sums since the start over all ranks: to rank 0, for the fields. Collective. */
void scree_ed_settle_sums(void *state, struct scree_scene *scene);

/* advise.c */
enum scree_status scree_ed_advise(void *state, struct scree_scene *scene,
                                  const struct scree_advice *advice);

#endif
