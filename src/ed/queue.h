/* SPDX-License-Identifier: BSD-3-Clause
 * A calendar of events: the present moment in order, the near future in fine buckets, the rest in a
 * ring of coarse ones. Entries are never removed; one that is out of date is known by its stamp. */
#ifndef SCREE_ED_QUEUE_H
#define SCREE_ED_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* SCREE_GROW() for arrays that hold something of each grain: they grow by little. */
#define SCREE_ED_EXTEND(array, n, capacity, needed)                                     \
    do {                                                                                \
        if ((size_t)(needed) > (capacity)) {                                            \
            size_t more_ = (capacity) + (capacity) / 8 + 64;                            \
            if (more_ < (size_t)(needed)) more_ = (size_t)(needed);                     \
            (array) = scree_alloc_resize((array), (size_t)(n), more_, sizeof *(array)); \
            (capacity) = more_;                                                         \
        }                                                                               \
    } while (0)

/* The total order of events. Those at one moment that depend on each other have growing n: without
 * it the order of a cascade at one moment would be that in which it was found. */
struct scree_ed_key {
    double t;       /* s */
    int64_t lo, hi; /* gids; wall w is -1 - w */
    int32_t n;
};
static inline bool scree_ed_before(const struct scree_ed_key *a, const struct scree_ed_key *b)
{
    if (a->t != b->t) return a->t < b->t;
    if (a->n != b->n) return a->n < b->n;
    if (a->lo != b->lo) return a->lo < b->lo;
    return a->hi < b->hi;
}

struct scree_ed_entry {
    double t;
    int32_t slot;
    uint32_t stamp;
};
/* Buckets are chains of chunks, the last one first. */
enum { SCREE_ED_CHUNK = 15, SCREE_ED_NO_CHUNK = -1 };
struct scree_ed_chunk {
    struct scree_ed_entry entry[SCREE_ED_CHUNK];
    int32_t n, following;
};

/* An entry of the present has its own key: that of its slot may be another one by now. */
struct scree_ed_present {
    struct scree_ed_key key;
    int32_t slot;
    uint32_t stamp;
};

enum { SCREE_ED_FINE = 64, SCREE_ED_COARSE = 1024 };

struct scree_ed_queue {
    double per_width;                 /* 1/s; fine buckets in a second */
    int64_t next;                     /* number of the fine bucket that is opened next */
    int64_t spread;                   /* number of the coarse bucket that is in fine ones */
    struct scree_ed_present *present; /* latest first; owned */
    size_t n_present, present_capacity;
    int32_t fine[SCREE_ED_FINE], coarse[SCREE_ED_COARSE]; /* first chunks */
    int32_t open;                 /* what is left of the bucket that is taken out */
    int64_t n_waiting;            /* entries in fine and coarse buckets */
    struct scree_ed_chunk *chunk; /* owned */
    size_t n_chunks, chunk_capacity;
    int32_t unused; /* first of a chain of chunks */
};

/* Forget everything; fine buckets of `width` from time t on. */
void scree_ed_queue_reset(struct scree_ed_queue *q, double t, double width);
void scree_ed_queue_clear(struct scree_ed_queue *q);
size_t scree_ed_queue_bytes(const struct scree_ed_queue *q);
void scree_ed_queue_add(struct scree_ed_queue *q, const struct scree_ed_key *key, int32_t slot,
                        uint32_t stamp);
/* Open the next fine bucket, for somebody who knows the keys to sort it into the present with
 * scree_ed_queue_admit(); false if nothing in there is earlier than `before`. */
bool scree_ed_queue_open(struct scree_ed_queue *q, double before);
/* Take an entry out of it; false: there are none left. */
bool scree_ed_queue_take(struct scree_ed_queue *q, struct scree_ed_entry *entry);
void scree_ed_queue_admit(struct scree_ed_queue *q, const struct scree_ed_key *key, int32_t slot,
                          uint32_t stamp);

#endif
