/* SPDX-License-Identifier: BSD-3-Clause
 * Near pairs: the pairs that a method looks at in every step, with their contact history.
 *
 * Marks tell which history is valid. A pass over a near list goes
 *
 *     struct scree_near_pass pass = scree_near_begin(near);
 *     for each pair k that is in contact: goes_on = scree_near_mark(&pass, k);
 *     while (scree_near_next_opened(&pass, &k)) what its history held is lost;
 *     scree_near_end(&pass);
 *
 * A mark is the number of the pass in which its pair was last in contact. These numbers, epochs,
 * come in turns (1, 2, 1, ...), which works since no mark of the pass before is left when a pass
 * has ended. A pass that changes nothing asks scree_near_goes_on() and has no end. What counts as a
 * contact is the method's choice: overlaps, or candidates whose gap may close within the step. */
#ifndef SCREE_NEAR_H
#define SCREE_NEAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scree/types.h"

/* Pairs (i, j) in list order. History row k is valid only if touched[k] equals the epoch. */
struct scree_near {
    size_t n, capacity;
    scree_lid *i;     /* owned grain */
    int32_t *j;       /* slot of the partner, or number of the wall */
    uint32_t *listed; /* position in the pair list, ascending; of walls: the part of the wall */
    uint8_t *touched; /* epoch of the last pass if the pair was in contact in it, or 0; bytes, since
                         all of them are read in every step */
    double *history;  /* [n][stride] as seen from i */
    uint8_t epoch;    /* of the last pass: 1 or 2 */
    double margin;    /* m; the pairs here are those closer than the reach and this ... */
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

/* Was pair k in contact in the last pass, so that its history is valid? */
static inline bool scree_near_is_marked(const struct scree_near *near, size_t k)
{
    return near->touched[k] == near->epoch;
}

/* One pass over a near list, while it lasts. The list must not be updated meanwhile. */
struct scree_near_pass {
    struct scree_near *near; /* borrowed */
    uint8_t epoch, before;   /* of this pass and of the last one */
    size_t n_searched;       /* pairs among which those that opened have been found */
};

static inline struct scree_near_pass scree_near_begin(struct scree_near *near)
{
    return (struct scree_near_pass){near, near->epoch == 1 ? 2 : 1, near->epoch, 0};
}

/* Was pair k in contact in the last pass? Before it is marked in this one. */
static inline bool scree_near_goes_on(const struct scree_near_pass *pass, size_t k)
{
    return pass->near->touched[k] == pass->before;
}

/* Pair k is in contact, said once in a pass. Returns whether it goes on from the last pass; if it
 * does not, its history row holds nothing yet and must be written. */
static inline bool scree_near_mark(const struct scree_near_pass *pass, size_t k)
{
    uint8_t *mark = &pass->near->touched[k];
    bool goes_on = *mark == pass->before;
    *mark = pass->epoch;
    return goes_on;
}

/* The next pair that was in contact in the last pass and is not in this one, in list order; false:
 * no more. It is forgotten, but its history row stays as it was up to the next pass. All marks must
 * have been set. */
static inline bool scree_near_next_opened(struct scree_near_pass *pass, size_t *k)
{
    enum { BLOCK = 256 }; /* pairs looked at together, in a loop of a length that compilers know */
    uint8_t *touched = pass->near->touched;
    const size_t n = pass->near->n;
    size_t at = pass->n_searched;
    while (at < n) {
        if (at % BLOCK == 0 && at + BLOCK <= n) {
            uint8_t any = 0;
            for (int m = 0; m < BLOCK; m++) any |= touched[at + (size_t)m] == pass->before;
            if (any == 0) { /* as nearly always */
                at += BLOCK;
                continue;
            }
        }
        if (touched[at] == pass->before) {
            touched[at] = 0;
            pass->n_searched = at + 1;
            *k = at;
            return true;
        }
        at++;
    }
    pass->n_searched = n;
    return false;
}

/* Forget pairs that have opened and were not asked for; then the marks of this pass are valid. */
static inline void scree_near_end(struct scree_near_pass *pass)
{
    size_t k;
    while (scree_near_next_opened(pass, &k)) continue;
    pass->near->epoch = pass->epoch;
}

#endif
