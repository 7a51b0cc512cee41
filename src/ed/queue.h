/* SPDX-License-Identifier: BSD-3-Clause
 * A calendar of events: the present moment in order, the near future in fine buckets, the rest in a
 * ring of coarse ones. Entries are never removed; one that is out of date is known by its stamp. */
#ifndef SCREE_ED_QUEUE_H
#define SCREE_ED_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
struct scree_ed_bucket {
    struct scree_ed_entry *entry; /* owned */
    size_t n, capacity;
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
    struct scree_ed_bucket fine[SCREE_ED_FINE], coarse[SCREE_ED_COARSE];
    int64_t n_waiting; /* entries in fine and coarse buckets */
};

/* Forget everything; fine buckets of `width` from time t on. */
void scree_ed_queue_reset(struct scree_ed_queue *q, double t, double width);
void scree_ed_queue_clear(struct scree_ed_queue *q);
size_t scree_ed_queue_bytes(const struct scree_ed_queue *q);
void scree_ed_queue_add(struct scree_ed_queue *q, const struct scree_ed_key *key, int32_t slot,
                        uint32_t stamp);
/* The next fine bucket, to be sorted into the present with scree_ed_queue_admit() by somebody who
 * knows the keys; NULL if nothing in there is earlier than `before`. */
struct scree_ed_bucket *scree_ed_queue_open(struct scree_ed_queue *q, double before);
void scree_ed_queue_admit(struct scree_ed_queue *q, const struct scree_ed_key *key, int32_t slot,
                          uint32_t stamp);

#endif
