/* SPDX-License-Identifier: BSD-3-Clause
 * Contacts: who is close to whom from step to step, and what the history of each pair is. The same
 * for every method.
 *
 * Two levels. The pair lists (neighbours.h) hold every pair within the skin and are renewed rarely
 * and together by all ranks. From them each rank takes, every few steps and by itself, the pairs
 * within a small margin: the near pairs (near.h). Only these are looked at in each step, and only
 * they have history.
 *
 * A step of a method is: move grains and walls; scree_contacts_update(); for each kind of near
 * pairs scree_contacts_update_near(), unless lists were rebuilt, then a pass over them. */
#ifndef SCREE_CONTACTS_H
#define SCREE_CONTACTS_H

#include <stdbool.h>
#include <stdint.h>

#include "scree/balance.h"
#include "scree/domain.h"
#include "scree/halo.h"
#include "scree/membrane.h"
#include "scree/near.h"
#include "scree/neighbours.h"
#include "scree/particles.h"
#include "scree/timer.h"
#include "scree/walls.h"

enum { SCREE_HISTORY_MAX = 24 }; /* doubles per contact */

/* The modules that lists are made from and for. All are borrowed and outlive the contacts. */
struct scree_contacts_world {
    struct scree_comm *comm;
    struct scree_domain *domain;
    struct scree_particles *particles;
    struct scree_halo *halo;
    struct scree_balance *balance;
    const struct scree_walls *walls;
    const struct scree_membranes *membranes;
    struct scree_membrane_mesh *mesh;
    struct scree_timer *timer;
};

/* What a method tells of its grains as they are after a step. */
struct scree_contacts_motion {
    int64_t step;          /* number of the step */
    double dt;             /* s; of this and the following steps */
    double largest_radius; /* m; of all grains on all ranks */
    double reach;        /* m; pairs with smaller gaps must be among the near pairs: 0 for contacts
                          * that overlap. The same on all ranks. */
    double speed;        /* m/s; largest of the grains owned here, over the last step */
    double speed_around; /* m/s; largest of these and of the ranks that send ghosts here, as
                          * scree_halo_end_refresh() returns it; for cut pairs only */
    enum scree_status status; /* of this rank so far: a failure is known to all in the next update,
                               * which passes it on */
    double busy[SCREE_BALANCE_KINDS]; /* s; that this rank has worked since the start of the run */
};

struct scree_contacts {
    struct scree_contacts_world world;
    struct scree_cell_grid *cells;
    const struct scree_deformation *cell; /* that deforms; NULL: none; borrowed */
    struct scree_neighbours list;
    struct scree_images images;      /* of the grains owned here, among the ghosts; borrowed */
    const struct scree_wedge *wedge; /* borrowed; NULL: none */
    struct scree_near near[SCREE_N_NEAR], spare[SCREE_N_NEAR];
    struct scree_wall_contact *wall_contact; /* [near[SCREE_NEAR_WALL].n]; owned; see below */
    size_t wall_capacity;
    int stride;   /* doubles of history per contact */
    uint32_t odd; /* bit s set: history slot s changes sign when seen from the partner */
    /* Contact records of grains while lists are rebuilt: [partner][image][history ...] */
    uint64_t *record;
    size_t n_records, record_capacity;
    /* How far grains may have moved since the lists were built (update.c) */
    struct scree_vote *vote; /* owned; should the lists be looked at? */
    double left;             /* m; that every grain could still move at the last look */
    double used;             /* m; of this, by the fastest grains owned here; sums of each step */
    double pace;             /* m/s; of the fastest grain of all ranks at the last look */
    bool must_look;          /* in the next step: lists were made anew between two steps */
    enum scree_status
        status; /* of this rank: its grains have outrun the lists, or the method failed */
    int64_t n_rebuilds, n_near_updates;
    bool glued_told; /* the user knows that glued grains of different walls overlap */
};

/* history_slots: doubles per contact that the laws keep; odd: see above. */
void scree_contacts_create(struct scree_contacts **contacts,
                           const struct scree_contacts_world *world, double skin, int history_slots,
                           uint32_t odd);
void scree_contacts_destroy(struct scree_contacts **contacts);

/* After each step: keep the pair lists valid. If they are about to run out, if the lattice of a
 * deforming box is described anew, or if the method reaches farther than before, everything is made
 * anew: grains migrate (perhaps to ranks that have less to do), slots change, ghosts and near pairs
 * are fresh and have their history back; then *rebuilt. Fails if a grain that was slow went farther
 * within a single step than lists allow for, or if the method has failed on some rank. Collective.
 */
enum scree_status scree_contacts_update(struct scree_contacts *contacts,
                                        const struct scree_contacts_motion *motion, bool *rebuilt);

/* Parts of an update, for methods that look at their lists in every step. */
/* m; that a grain owned here could still move before pair lists run out; the one that has moved
 * farthest (-1: nobody has). */
double scree_contacts_left(const struct scree_contacts *contacts, double largest_radius,
                           scree_lid *slot);
/* If the lattice of a deforming box is due for another description: detach history, then change
 * positions and periods to match. A rebuild must follow. The same on all ranks. */
bool scree_contacts_flip(struct scree_contacts *contacts);

/* In a step without a rebuild, before a pass over the near pairs of one kind: take them from the
 * lists anew if the motion may have used up their margin; history follows. The ghosts of cut pairs
 * must be refreshed. */
void scree_contacts_update_near(struct scree_contacts *contacts, enum scree_near_kind kind,
                                const struct scree_contacts_motion *motion);

/* Around changes of the grains themselves, and at the start of a run: the history of contacts goes
 * to records of their grains; then everything is made anew as in an update. The speed in `motion`
 * is that of all ranks here. The second is collective. */
void scree_contacts_detach_history(struct scree_contacts *contacts);
enum scree_status scree_contacts_rebuild(struct scree_contacts *contacts,
                                         const struct scree_contacts_motion *motion);

/* Where every near pair with a wall is now, in wall_contact, and which of the contacts of a grain
 * count where walls meet (hidden_by). hand_over: the history of a contact that has gone over to the
 * next wall follows it, which is then `taken_over`; before a pass that marks contacts. */
void scree_contacts_find_walls(struct scree_contacts *contacts, bool hand_over);
/* Is the near pair k with a wall a contact of its own, or may it become one within reach? */
static inline bool scree_contacts_meets_wall(const struct scree_contacts *contacts, size_t k)
{
    const struct scree_wall_contact *contact = &contacts->wall_contact[k];
    return contact->at.gap < contacts->list.reach && contact->hidden_by < 0;
}

/* The owned grain that the partner j of a near pair is or shows; j itself for other kinds. */
static inline int32_t scree_contacts_home(const struct scree_contacts *contacts,
                                          enum scree_near_kind kind, int32_t j)
{
    bool shown =
        kind == SCREE_NEAR_IMAGE || (kind == SCREE_NEAR_SEAM && j >= contacts->images.first);
    return shown ? contacts->images.origin[j - contacts->images.first] : j;
}

/* A seam pair as every rank that computes it sees it. */
struct scree_seam {
    scree_lid first, second; /* slots; first has the lower gid */
    int turn;                /* sectors by which the second is turned into the frame of the first */
};
static inline struct scree_seam scree_contacts_seam(const struct scree_contacts *contacts,
                                                    const struct scree_particles *p, scree_lid i,
                                                    scree_lid j)
{
    bool from_i = p->gid[i] < p->gid[j];
    struct scree_seam seam = {from_i ? i : j, from_i ? j : i, 0};
    seam.turn = scree_wedge_between(contacts->wedge, p->image[seam.second], p->image[seam.first]);
    return seam;
}

/* From the second grain of a seam pair to the first, in the frame of the first (m). */
static inline void scree_contacts_seam_branch(const struct scree_contacts *contacts,
                                              const struct scree_particles *p,
                                              struct scree_seam seam, double branch[3])
{
    double there[3];
    scree_wedge_turn(contacts->wedge, seam.turn, p->pos[seam.second], there);
    for (int a = 0; a < 3; a++) branch[a] = p->pos[seam.first][a] - there[a];
}

/* Walk over the history of all touching contacts as seen from the lower gid (walls: from the
 * grain), each contact once over all ranks: cut contacts are visited where the lower gid lives. */
struct scree_contact_view {
    scree_gid first, second; /* second < 0: wall -1 - second */
    int32_t image[3];        /* periods between them; of a wall {its part, 0, 0} */
    scree_lid i;
    int32_t j;
    enum scree_near_kind kind;
    size_t place;          /* in the near list of this kind */
    bool turned;           /* first is j of that list, not i */
    const double *history; /* [stride], already turned */
};
/* The pair at `place` of a near list so seen; `turned` is memory for its history, [stride]. True if
 * the list sees it from the same side. */
bool scree_contacts_view(const struct scree_contacts *contacts, const struct scree_particles *p,
                         enum scree_near_kind kind, size_t place, double *turned,
                         struct scree_contact_view *view);
typedef void scree_contact_visitor(void *context, const struct scree_contact_view *contact);
void scree_contacts_visit(const struct scree_contacts *contacts, const struct scree_particles *p,
                          scree_contact_visitor *visit, void *context);
/* At least as many as that shows: contacts with grains of other ranks may be theirs to tell. */
int64_t scree_contacts_most(const struct scree_contacts *contacts);

/* Contacts as a checkpoint keeps them: each once, as scree_contacts_visit() shows them. */
struct scree_contact_rows {
    int64_t n;
    int64_t (*pair)[2];  /* first, second */
    int32_t (*image)[3]; /* periods between them; of a wall {its part, 0, 0} */
    double *history;     /* [n][stride] */
};
void scree_contacts_export(const struct scree_contacts *contacts, const struct scree_particles *p,
                           struct scree_contact_rows *rows);
void scree_contact_rows_init(struct scree_contact_rows *rows, int64_t n, int stride);
void scree_contact_rows_clear(struct scree_contact_rows *rows);
/* Add a contact that a method shows, if its first grain is owned here: over all ranks each is added
 * once. `values`: [stride], as seen from the first. */
struct scree_contact;
void scree_contact_rows_add(struct scree_contact_rows *rows, int64_t *capacity, int stride,
                            const struct scree_contacts *contacts, const struct scree_particles *p,
                            const struct scree_contact *contact, const double *values);
/* Turn rows, spread over ranks in any way, into the records of the grains that these ranks hold
 * now, as scree_contacts_collect() would have; a rebuild then gives them back to the pairs. A
 * grain that nobody holds is an error. Collective. */
enum scree_status scree_contacts_import(struct scree_contacts *contacts, struct scree_comm *comm,
                                        struct scree_particles *p,
                                        const struct scree_contact_rows *rows);

/* Another number of doubles per contact, made from those of before: `convert` sees a contact as
 * scree_contacts_visit() shows it, cut ones at both ranks, and fills in history[stride] as seen
 * from the first, with the same bits at both. False: the contact is forgotten. */
typedef bool scree_contact_converter(void *context, const struct scree_contact_view *contact,
                                     double *history);
void scree_contacts_reshape(struct scree_contacts *contacts, const struct scree_particles *p,
                            int stride, uint32_t odd, scree_contact_converter *convert,
                            void *context);

/* Grain-grain contacts touching at the last evaluation, cut ones counted half; walls apart. */
void scree_contacts_count(const struct scree_contacts *contacts, double *grain_contacts,
                          double *wall_contacts);
/* Contacts of all ranks together. Collective. */
void scree_contacts_count_all(const struct scree_contacts *contacts, struct scree_comm *comm,
                              double *grain_contacts, double *wall_contacts);

#endif
