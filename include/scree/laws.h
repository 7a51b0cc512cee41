/* SPDX-License-Identifier: BSD-3-Clause
 * Contact laws: arithmetic on batches of touching pairs. The list of laws is laws.def. */
#ifndef SCREE_LAWS_H
#define SCREE_LAWS_H

#include "scree/batch.h"
#include "scree/input.h"

enum scree_law_kind {
    SCREE_LAW_NORMAL,
    SCREE_LAW_TANGENTIAL,
    SCREE_LAW_ROLLING,
    SCREE_LAW_TORSION,
    SCREE_N_LAW_KINDS
};

enum { SCREE_LAW_VALUES = 24 }; /* doubles of room for the values of one law */

/* What a user may want to know about a pair before running. Laws add to what is there. */
struct scree_law_estimate {
    double contact_time; /* s; duration of a collision */
    double restitution;  /* outgoing / incoming normal speed */
    double stiffness;    /* N/m; largest force / overlap, for overlaps up to the reduced radius */
    double damping;      /* kg/s; largest */
    /* At the largest overlap of the collision, without damping: that overlap (m), and derivatives
     * of the elastic forces (N/m). Normal laws come first. */
    double deepest, normal_slope, tangential_slope;
};

/* The collision for which an estimate is wanted. */
struct scree_law_case {
    double m_eff, r_eff; /* kg, m; reduced mass and radius */
    double speed;        /* m/s; of approach */
};

enum {
    SCREE_NEEDS_SPINS = 1, /* relative spin, and the relative turn since the last evaluation */
    SCREE_NEEDS_TURN = 2,  /* how the pair as a whole turned since then */
};

/* What a law with given values keeps and tells. Odd history slots change sign when i and j are
 * exchanged (components of a spring), even ones do not (lengths, flags). */
struct scree_law_shape {
    int n_odd, n_even;
    unsigned losses; /* bit c: fills loss[c] of the batch */
    unsigned needs;  /* SCREE_NEEDS_ bits */
};

/* First history slots of one law; the next ones follow. */
struct scree_slots {
    int odd, even;
};

/* What can be said of contacts besides their forces; each law fills its own. */
struct scree_law_view {
    SCREE_BATCH_ARRAY(energy);    /* J; elastic energy that is stored */
    SCREE_BATCH_ARRAY(stiffness); /* N/m; derivative of the elastic force */
    SCREE_BATCH_ARRAY(damping);   /* kg/s; of the dashpot; normal laws only */
    SCREE_BATCH_ARRAY(power);     /* W; that dashpots take at present */
};

/* One part of a contact law. Pure arithmetic: no MPI, no allocation, no files, no lists. */
struct scree_law {
    const char *name;    /* word used in input files */
    const char *summary; /* one line for `scree list laws` */
    enum scree_law_kind kind;
    const char *needs_normal; /* the normal law without which this one has no meaning; NULL: any */
    const struct scree_param *params; /* keys of the values struct, ends with {0} */
    /* Before check(): take what was left out from the values of the normal law, which is that of
     * `needs_normal`, and refuse what contradicts them. NULL: takes nothing. */
    void (*adopt)(struct scree_input *input, const struct scree_node *node, void *values,
                  const void *normal);
    /* Complete the values just read (mix, convert, refuse): collects mistakes at `node`. */
    void (*check)(struct scree_input *input, const struct scree_node *node, void *values);
    /* Adds to *shape. NULL: keeps and loses nothing. */
    void (*shape)(const void *values, struct scree_law_shape *shape);
    /* Read the kinematics, write fn, ft or add to the couple, advance own history, tell losses.
     * With dt = 0 ways and losses are 0, and the forces are those of the last evaluation. */
    void (*apply)(struct scree_batch *batch, const void *values, struct scree_slots at);
    /* After apply(); *view is all 0 before. Other than normal laws look at their history only: when
     * a contact opens, what it stored is lost, and nothing else is known of it. NULL: stores
     * nothing. */
    void (*inspect)(const struct scree_batch *batch, const void *values, struct scree_slots at,
                    struct scree_law_view *view);
    void (*estimate)(const void *values, const struct scree_law_case *c,
                     struct scree_law_estimate *estimate);
    /* More numbers of a pair for `scree check`, as one line. NULL: none. */
    void (*describe)(const void *values, const struct scree_law_case *c, char *text, size_t size);
    /* The coefficient at which a contact slides; NULL: it never does. */
    double (*friction)(const void *values);
    /* Make this the coefficient of both limits, at any time between two steps; NULL with
     * friction(). The shape of the law remains that of the values it was read with. */
    void (*set_friction)(void *values, double coefficient);
};

int scree_law_count(void);
const struct scree_law *scree_law_at(int k);
const struct scree_law *scree_law_find(enum scree_law_kind kind, const char *name);
const char *scree_law_kind_name(enum scree_law_kind kind);
/* NULL-ended list of the names of one kind. */
const char *const *scree_law_names(enum scree_law_kind kind);

/* Where the contact point is taken to be, seen from a centre (PHYSICS section "Contact
 * kinematics"): at the full radius, or at the middle of the overlap (on the surface of a wall). */
enum scree_contact_arm { SCREE_ARM_CONTACT, SCREE_ARM_RADIUS };

/* Overlaps and forces belong to full steps, the velocities of velocity Verlet to half steps.
 * Synchronised: dashpots act on velocities predicted for the full step, and ways are found half way
 * between two steps, for a new contact since it touched; second order in the step. Half-step:
 * velocities as they are, ways by the whole step along the present normal, as other codes do; first
 * order. */
enum scree_timing { SCREE_TIMING_SYNCHRONISED, SCREE_TIMING_HALF_STEP };

/* What rigid grains do (contact dynamics; PHYSICS C1, C4, C6, C7): no stiffness, no dashpots. */
struct scree_rigid_law {
    double friction;
    double restitution, restitution_tangential;
    double rolling, torsion; /* couples per normal force and reduced radius */
    double cohesion, range;  /* N, m */
    bool given;              /* by the key `rigid`, not taken from laws of soft grains */
};
extern const struct scree_param scree_rigid_params[];

/* All laws of one pair of materials. */
struct scree_pair_law {
    enum scree_contact_arm lever;
    enum scree_timing timing;
    const struct scree_law *law[SCREE_N_LAW_KINDS];
    double values[SCREE_N_LAW_KINDS][SCREE_LAW_VALUES];
    struct scree_slots at[SCREE_N_LAW_KINDS];
    struct scree_law_shape shape; /* of all parts together */
    struct scree_rigid_law rigid;
};
/* Read the key `rigid` of an entry whose other parts are read. Without it, and if it is needed,
 * friction is that of these parts. */
void scree_rigid_read(struct scree_pair_law *pair, struct scree_input *input,
                      const struct scree_node *entry, bool needed);

/* Laws of every pair of materials, from the section `contacts`. */
struct scree_laws {
    bool rigid; /* a method of the run takes grains for rigid */
    int n_materials;
    int n_pairs;                 /* entries of `pair` */
    struct scree_pair_law *pair; /* owned */
    int *table;                  /* [n_materials^2] index into pair, -1: no entry; owned */
    int n_odd, n_even; /* history slots of a contact, enough for any pair: first the odd ones */
};

/* Keys of an entry of `contacts` and of each law part, for help and messages. */
extern const struct scree_param scree_laws_entry_params[], scree_laws_word_params[];

/* What the methods of a run need: forces by overlaps, what rigid grains do. */
struct scree_laws_setting {
    bool soft, rigid;
};
void scree_laws_read(struct scree_laws *laws, struct scree_input *input,
                     const struct scree_node *node, int n_materials, const char *const *materials,
                     struct scree_laws_setting setting);
void scree_laws_clear(struct scree_laws *laws);
/* History doubles per contact, and the parity of the slots: bit s is set if s is odd. */
int scree_laws_n_history(const struct scree_laws *laws);
unsigned scree_laws_odd(const struct scree_laws *laws);
/* Is there a pair of materials with `timing: synchronised`? */
bool scree_laws_are_synchronised(const struct scree_laws *laws);
/* Do contacts of the same pairs of materials, in the same laws with other values, keep the same
 * numbers as their history? */
bool scree_laws_remember_the_same(const struct scree_laws *laws, const struct scree_laws *others);

/* The coefficient at which contacts of a pair slide, between two steps: can it be changed, and do.
 */
bool scree_laws_can_change_friction(const struct scree_laws *laws,
                                    const struct scree_pair_law *pair);
void scree_laws_change_friction(const struct scree_laws *laws, struct scree_pair_law *pair,
                                double coefficient);

/* Estimate of all parts together. */
void scree_pair_law_estimate(const struct scree_pair_law *pair, const struct scree_law_case *c,
                             struct scree_law_estimate *estimate);

/* A contact at rest, for laws the other way round (inverse.c). */
struct scree_law_touch {
    bool wall;
    double normal[3], radius[2]; /* m */
    double m_eff;                /* kg; reduced mass */
    double dt;                   /* s; any: nothing moves */
};
/* m; the overlap at which two grains that come to touch bear a normal force > 0, at most the
 * reduced radius. */
double scree_pair_law_find_overlap(const struct scree_pair_law *pair,
                                   const struct scree_law_touch *touch, double force);
/* History with which they bear, at this overlap, a tangential force and a couple (N, N m; as far as
 * friction holds them): numbers of the pair's slots, others are 0; room for SCREE_BATCH_HISTORY. Of
 * the force only the part across the normal counts. */
void scree_pair_law_load(const struct scree_pair_law *pair, const struct scree_law_touch *touch,
                         double overlap, const double force[3], const double couple[3],
                         double *history);

static inline const struct scree_pair_law *scree_laws_between(const struct scree_laws *laws, int a,
                                                              int b)
{
    int k = laws->table[a * laws->n_materials + b];
    return k < 0 ? 0 : &laws->pair[k];
}

#endif
