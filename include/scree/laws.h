/* SPDX-License-Identifier: BSD-3-Clause
 * Contact laws: arithmetic on batches of touching pairs. The list of laws is laws.def. */
#ifndef SCREE_LAWS_H
#define SCREE_LAWS_H

#include "scree/batch.h"
#include "scree/input.h"

enum scree_law_kind { SCREE_LAW_NORMAL, SCREE_LAW_TANGENTIAL, SCREE_N_LAW_KINDS };

enum { SCREE_LAW_VALUES = 24 }; /* doubles of room for the values of one law */

/* What a user may want to know about a pair before running. */
struct scree_law_estimate {
    double contact_time; /* s; duration of a collision */
    double restitution;  /* outgoing / incoming normal speed */
    double stiffness;    /* N/m; largest, for the step limit and the range of forces */
    double damping;      /* kg/s; largest */
};

/* One part of a contact law. Pure arithmetic: no MPI, no allocation, no files, no lists. */
struct scree_law {
    const char *name;    /* word used in input files */
    const char *summary; /* one line for `scree list laws` */
    enum scree_law_kind kind;
    const struct scree_param *params; /* keys of the values struct, ends with {0} */
    int sliding;   /* 1 + the history slot that is not 0 at the friction limit; 0: none */
    int n_history; /* doubles kept per contact */
    unsigned odd;  /* bit s: history slot s changes sign when i and j are exchanged */
    /* Complete the values just read (mix, convert, refuse): collects mistakes at `node`. */
    void (*check)(struct scree_input *input, const struct scree_node *node, void *values);
    /* Read the kinematics, write fn (normal) or ft (tangential, which may read fn), advance the
     * history slots [first_history, first_history + n_history). */
    void (*apply)(struct scree_batch *batch, const void *values, int first_history);
    /* For a pair of reduced mass m_eff; r_eff the reduced radius. Adds to what is there. */
    void (*estimate)(const void *values, double m_eff, double r_eff,
                     struct scree_law_estimate *estimate);
};

int scree_law_count(void);
const struct scree_law *scree_law_at(int k);
const struct scree_law *scree_law_find(enum scree_law_kind kind, const char *name);
const char *scree_law_kind_name(enum scree_law_kind kind);
/* NULL-ended list of the names of one kind. */
const char *const *scree_law_names(enum scree_law_kind kind);

/* Where the contact point is taken to be, seen from a centre (PHYSICS section "Contact
 * kinematics"): at the full radius, or at the middle of the overlap (on the surface of a wall). */
enum scree_lever { SCREE_LEVER_CONTACT, SCREE_LEVER_RADIUS };

/* Overlaps are known at full steps, velocities at half steps. Synchronised: a normal dashpot acts
 * on the velocity at the full step (exact for a pair on its own), and a new contact advances its
 * history only by the time since it touched; second order in the step. Half-step: velocities as
 * they are, history by the whole step, as other codes do; first order. */
enum scree_timing { SCREE_TIMING_SYNCHRONISED, SCREE_TIMING_HALF_STEP };

/* All laws of one pair of materials. */
struct scree_pair_law {
    enum scree_lever lever;
    enum scree_timing timing;
    const struct scree_law *law[SCREE_N_LAW_KINDS];
    double values[SCREE_N_LAW_KINDS][SCREE_LAW_VALUES];
    int first_history[SCREE_N_LAW_KINDS];
    int n_history;
    unsigned odd;
};

/* Laws of every pair of materials, from the section `contacts`. */
struct scree_laws {
    int n_materials;
    int n_pairs;                 /* entries of `pair` */
    struct scree_pair_law *pair; /* owned */
    int *table;                  /* [n_materials^2] index into pair, -1: no entry; owned */
};

/* Keys of an entry of `contacts` and of each law part, for help and messages. */
extern const struct scree_param scree_laws_entry_params[], scree_laws_word_params[];

void scree_laws_read(struct scree_laws *laws, struct scree_input *input,
                     const struct scree_node *node, int n_materials, const char *const *materials);
void scree_laws_clear(struct scree_laws *laws);
/* Most history doubles of any pair, and the parity of its slots. */
int scree_laws_n_history(const struct scree_laws *laws);
unsigned scree_laws_odd(const struct scree_laws *laws);

/* Is a contact of this pair, with this history, at its friction limit? */
static inline bool scree_pair_law_slides(const struct scree_pair_law *pair, const double *history)
{
    for (int part = 0; part < SCREE_N_LAW_KINDS; part++) {
        int slot = pair->law[part]->sliding;
        if (slot > 0 && history[pair->first_history[part] + slot - 1] != 0.0) return true;
    }
    return false;
}

static inline const struct scree_pair_law *scree_laws_between(const struct scree_laws *laws, int a,
                                                              int b)
{
    int k = laws->table[a * laws->n_materials + b];
    return k < 0 ? 0 : &laws->pair[k];
}

#endif
