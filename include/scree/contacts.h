/* SPDX-License-Identifier: BSD-3-Clause
 * Near pairs with their contact history: what the methods loop over in every step.
 *
 * Two levels. The pair lists (neighbours.h) hold every pair within the skin and are renewed rarely
 * and together by all ranks. From them each rank picks, every few steps and by itself, the pairs
 * within a small margin of touching: the near pairs. Only these are looked at in each step, and
 * only they have history. */
#ifndef SCREE_CONTACTS_H
#define SCREE_CONTACTS_H

#include <stdbool.h>
#include <stdint.h>

#include "scree/boundaries.h"
#include "scree/cell.h"
#include "scree/domain.h"
#include "scree/halo.h"
#include "scree/neighbours.h"
#include "scree/particles.h"

enum { SCREE_HISTORY_MAX = 24 }; /* doubles per contact */

/* Pairs (i, j) in list order. History row k is valid only if touched[k] equals the list's epoch:
 * a contact that opens forgets by not being touched. Epochs come in turns, so whoever evaluates
 * contacts sets marks of the epoch before to 0 that are still there at the end. */
struct scree_near {
    size_t n, capacity;
    scree_lid *i;     /* owned grain */
    int32_t *j;       /* slot of the partner, or number of the wall */
    uint32_t *listed; /* position in the pair list, ascending (0 for walls) */
    uint8_t *touched; /* epoch of the last evaluation if the pair touched in it, or 0; bytes, since
                         all of them are read in every step */
    double *history;  /* [n][stride] as seen from i */
    uint8_t epoch;    /* of the last evaluation: 1 or 2 */
    double margin;    /* m; the pairs here are those closer than this ... */
    double used;      /* m; ... of which the motion since has used up at most this much */
};

/* Image pairs: an owned grain and a periodic image of another (or of itself). Seam pairs are those
 * whose home frames in a wedge are turned against each other; j is an owned grain or an image. */
enum scree_near_kind {
    SCREE_NEAR_INTERIOR,
    SCREE_NEAR_IMAGE,
    SCREE_NEAR_SEAM,
    SCREE_NEAR_BORDER,
    SCREE_NEAR_SEAM_BORDER, /* seam pairs with a ghost of another rank */
    SCREE_NEAR_WALL,
    SCREE_N_NEAR
};

/* Do both sides of such a pair compute it, each for its own grain? */
static inline bool scree_near_is_cut(enum scree_near_kind kind)
{
    return kind == SCREE_NEAR_BORDER || kind == SCREE_NEAR_SEAM_BORDER;
}
/* The history of a seam pair is that seen from its lower gid in the home frame of that grain,
 * whoever is i. */
static inline bool scree_near_is_seam(enum scree_near_kind kind)
{
    return kind == SCREE_NEAR_SEAM || kind == SCREE_NEAR_SEAM_BORDER;
}

struct scree_contacts {
    struct scree_cells *cells;
    const struct scree_cell *cell; /* that deforms; NULL: none; borrowed */
    struct scree_neighbours list;
    struct scree_images images;      /* of the grains owned here, among the ghosts; borrowed */
    const struct scree_wedge *wedge; /* borrowed; NULL: none */
    struct scree_near near[SCREE_N_NEAR], spare[SCREE_N_NEAR];
    int stride;   /* doubles of history per contact */
    uint32_t odd; /* bit s set: history slot s changes sign when seen from the partner */
    /* Contact records of grains while lists are rebuilt: [partner][image][history ...] */
    uint64_t *record;
    size_t n_records, record_capacity;
    int64_t n_rebuilds, n_prunings;
};

/* history_slots: doubles per contact that the laws keep; odd: see above. */
void scree_contacts_create(struct scree_contacts **contacts, double skin, int history_slots,
                           uint32_t odd);
void scree_contacts_destroy(struct scree_contacts **contacts);

/* Rebuild, in this order: collect the history of touching pairs into records; let grains migrate
 * with passengers(); sort; make ghosts; list the pairs (with a wedge, the grains then return home);
 * pick the near pairs and give the history back. */
void scree_contacts_collect(struct scree_contacts *contacts, struct scree_particles *p);
struct scree_passengers scree_contacts_passengers(struct scree_contacts *contacts);
void scree_contacts_sort(struct scree_contacts *contacts, struct scree_particles *p,
                         double largest_radius);
void scree_contacts_list(struct scree_contacts *contacts, struct scree_particles *p,
                         struct scree_images images);
void scree_contacts_build(struct scree_contacts *contacts, struct scree_particles *p,
                          const struct scree_boundaries *walls, double margin);
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

/* A deforming cell is described anew: the periods between grains in all records follow. */
void scree_contacts_flip_records(struct scree_contacts *contacts,
                                 const struct scree_cell_flip *flip);

/* Pick the near pairs of one kind anew from the lists; history follows. */
void scree_contacts_prune(struct scree_contacts *contacts, enum scree_near_kind kind,
                          const struct scree_particles *p, const struct scree_boundaries *walls,
                          double margin);

/* Walk over the history of all touching contacts as seen from the lower gid (walls: from the
 * grain), each contact once over all ranks: cut contacts are visited where the lower gid lives. */
struct scree_contact_view {
    scree_gid first, second; /* second < 0: wall -1 - second */
    int32_t image[3];        /* periods between them */
    scree_lid i;
    int32_t j;
    enum scree_near_kind kind;
    size_t place;          /* in the near list of this kind */
    bool turned;           /* first is j of that list, not i */
    const double *history; /* [stride], already turned */
};
typedef void scree_contact_visitor(void *context, const struct scree_contact_view *contact);
void scree_contacts_visit(const struct scree_contacts *contacts, const struct scree_particles *p,
                          scree_contact_visitor *visit, void *context);
/* At least as many as that shows: contacts with grains of other ranks may be theirs to tell. */
int64_t scree_contacts_most(const struct scree_contacts *contacts);

/* Contacts as a checkpoint keeps them: each once, as scree_contacts_visit() shows them. */
struct scree_contact_rows {
    int64_t n;
    int64_t (*pair)[2];  /* first, second */
    int32_t (*image)[3]; /* periods between them */
    double *history;     /* [n][stride] */
};
void scree_contacts_export(const struct scree_contacts *contacts, const struct scree_particles *p,
                           struct scree_contact_rows *rows);
void scree_contact_rows_init(struct scree_contact_rows *rows, int64_t n, int stride);
void scree_contact_rows_clear(struct scree_contact_rows *rows);
/* Turn rows, spread over ranks in any way, into the records of the grains that these ranks hold
 * now, as scree_contacts_collect() would have; a rebuild then gives them back to the pairs. A
 * grain that nobody holds is an error. Collective. */
enum scree_status scree_contacts_import(struct scree_contacts *contacts, struct scree_comm *comm,
                                        struct scree_particles *p,
                                        const struct scree_contact_rows *rows);

/* Grain-grain contacts touching at the last evaluation, cut ones counted half; walls apart. */
void scree_contacts_count(const struct scree_contacts *contacts, double *grain_contacts,
                          double *wall_contacts);

#endif
