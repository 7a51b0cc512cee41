/* SPDX-License-Identifier: BSD-3-Clause
 * The calendar of events. */
#include "queue.h"

#include <math.h>
#include <string.h>

#include "scree/alloc.h"

/* Number of the fine bucket of time t: it never falls as t grows, which is what makes the order of
 * buckets that of their entries. */
static int64_t fine_of(const struct scree_ed_queue *q, double t)
{
    double place = t * q->per_width;
    return place < 9e15 ? (int64_t)floor(place) : (int64_t)9e15;
}

static void append(struct scree_ed_bucket *b, struct scree_ed_entry entry)
{
    SCREE_GROW(b->entry, b->n, b->capacity, b->n + 1);
    b->entry[b->n++] = entry;
}

void scree_ed_queue_reset(struct scree_ed_queue *q, double t, double width)
{
    for (int k = 0; k < SCREE_ED_FINE; k++) q->fine[k].n = 0;
    for (int k = 0; k < SCREE_ED_COARSE; k++) q->coarse[k].n = 0;
    q->per_width = 1.0 / width;
    q->next = fine_of(q, t);
    q->spread = q->next / SCREE_ED_FINE;
    q->n_present = 0;
    q->n_waiting = 0;
}

void scree_ed_queue_clear(struct scree_ed_queue *q)
{
    for (int k = 0; k < SCREE_ED_FINE; k++) scree_alloc_free(q->fine[k].entry);
    for (int k = 0; k < SCREE_ED_COARSE; k++) scree_alloc_free(q->coarse[k].entry);
    scree_alloc_free(q->present);
    memset(q, 0, sizeof *q);
}

size_t scree_ed_queue_bytes(const struct scree_ed_queue *q)
{
    size_t n = 0;
    for (int k = 0; k < SCREE_ED_FINE; k++) n += q->fine[k].capacity;
    for (int k = 0; k < SCREE_ED_COARSE; k++) n += q->coarse[k].capacity;
    return n * sizeof *q->fine->entry + q->present_capacity * sizeof *q->present;
}

void scree_ed_queue_admit(struct scree_ed_queue *q, const struct scree_ed_key *key, int32_t slot,
                          uint32_t stamp)
{
    size_t low = 0, high = q->n_present;
    SCREE_GROW(q->present, q->n_present, q->present_capacity, q->n_present + 1);
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (scree_ed_before(key, &q->present[middle].key))
            low = middle + 1;
        else
            high = middle;
    }
    memmove(q->present + low + 1, q->present + low, (q->n_present - low) * sizeof *q->present);
    q->present[low] = (struct scree_ed_present){*key, slot, stamp};
    q->n_present++;
}

/* What is too far away for the ring waits in its last bucket. */
static void file(struct scree_ed_queue *q, struct scree_ed_entry entry)
{
    int64_t fine = fine_of(q, entry.t), coarse = fine / SCREE_ED_FINE;
    if (coarse >= q->spread + SCREE_ED_COARSE) coarse = q->spread + SCREE_ED_COARSE - 1;
    if (coarse == q->spread)
        append(&q->fine[fine % SCREE_ED_FINE], entry);
    else
        append(&q->coarse[coarse % SCREE_ED_COARSE], entry);
    q->n_waiting++;
}

void scree_ed_queue_add(struct scree_ed_queue *q, const struct scree_ed_key *key, int32_t slot,
                        uint32_t stamp)
{
    if (!(key->t < INFINITY)) return;
    if (fine_of(q, key->t) < q->next)
        scree_ed_queue_admit(q, key, slot, stamp);
    else
        file(q, (struct scree_ed_entry){key->t, slot, stamp});
}

/* The entries of the next coarse bucket go to fine ones, or once more to the end of the ring. */
static void spread_next(struct scree_ed_queue *q)
{
    q->spread++;
    struct scree_ed_bucket *b = &q->coarse[q->spread % SCREE_ED_COARSE], taken = *b;
    *b = (struct scree_ed_bucket){NULL, 0, 0};
    q->n_waiting -= (int64_t)taken.n;
    for (size_t k = 0; k < taken.n; k++) file(q, taken.entry[k]);
    if (b->entry == NULL)
        *b = (struct scree_ed_bucket){taken.entry, 0, taken.capacity};
    else
        scree_alloc_free(taken.entry);
}

struct scree_ed_bucket *scree_ed_queue_open(struct scree_ed_queue *q, double before)
{
    int64_t last = fine_of(q, before);
    if (q->next > last) return NULL;
    if (q->n_waiting == 0) { /* nothing is skipped: what comes earlier goes to the present */
        q->next = last + 1;
        q->spread = q->next / SCREE_ED_FINE;
        return NULL;
    }
    if (q->next / SCREE_ED_FINE > q->spread) spread_next(q);
    struct scree_ed_bucket *b = &q->fine[q->next++ % SCREE_ED_FINE];
    q->n_waiting -= (int64_t)b->n;
    return b;
}
