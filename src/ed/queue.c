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

static void append(struct scree_ed_queue *q, int32_t *bucket, const struct scree_ed_entry *entry)
{
    int32_t k = *bucket;
    if (k == SCREE_ED_NO_CHUNK || q->chunk[k].n == SCREE_ED_CHUNK) {
        int32_t fresh = q->unused;
        if (fresh != SCREE_ED_NO_CHUNK) {
            q->unused = q->chunk[fresh].following;
        } else {
            SCREE_ED_EXTEND(q->chunk, q->n_chunks, q->chunk_capacity, q->n_chunks + 1);
            fresh = (int32_t)q->n_chunks++;
        }
        q->chunk[fresh].n = 0;
        q->chunk[fresh].following = k;
        *bucket = k = fresh;
    }
    q->chunk[k].entry[q->chunk[k].n++] = *entry;
}

void scree_ed_queue_reset(struct scree_ed_queue *q, double t, double width)
{
    for (int k = 0; k < SCREE_ED_FINE; k++) q->fine[k] = SCREE_ED_NO_CHUNK;
    for (int k = 0; k < SCREE_ED_COARSE; k++) q->coarse[k] = SCREE_ED_NO_CHUNK;
    q->open = q->unused = SCREE_ED_NO_CHUNK;
    q->n_chunks = 0;
    q->per_width = 1.0 / width;
    q->next = fine_of(q, t);
    q->spread = q->next / SCREE_ED_FINE;
    q->n_present = 0;
    q->n_waiting = 0;
}

void scree_ed_queue_clear(struct scree_ed_queue *q)
{
    scree_alloc_free(q->chunk);
    scree_alloc_free(q->present);
    memset(q, 0, sizeof *q);
}

size_t scree_ed_queue_bytes(const struct scree_ed_queue *q)
{
    return q->chunk_capacity * sizeof *q->chunk + q->present_capacity * sizeof *q->present;
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
static void file(struct scree_ed_queue *q, const struct scree_ed_entry *entry)
{
    int64_t fine = fine_of(q, entry->t), coarse = fine / SCREE_ED_FINE;
    if (coarse >= q->spread + SCREE_ED_COARSE) coarse = q->spread + SCREE_ED_COARSE - 1;
    if (coarse == q->spread)
        append(q, &q->fine[fine % SCREE_ED_FINE], entry);
    else
        append(q, &q->coarse[coarse % SCREE_ED_COARSE], entry);
    q->n_waiting++;
}

void scree_ed_queue_add(struct scree_ed_queue *q, const struct scree_ed_key *key, int32_t slot,
                        uint32_t stamp)
{
    const struct scree_ed_entry entry = {key->t, slot, stamp};
    if (!(key->t < INFINITY)) return;
    if (fine_of(q, key->t) < q->next)
        scree_ed_queue_admit(q, key, slot, stamp);
    else
        file(q, &entry);
}

/* From a chain of chunks, which become free once they are empty. */
static bool take(struct scree_ed_queue *q, int32_t *chain, struct scree_ed_entry *entry)
{
    int32_t k = *chain;
    if (k == SCREE_ED_NO_CHUNK) return false;
    struct scree_ed_chunk *chunk = &q->chunk[k];
    *entry = chunk->entry[--chunk->n];
    q->n_waiting--;
    if (chunk->n > 0) return true;
    *chain = chunk->following;
    chunk->following = q->unused;
    q->unused = k;
    return true;
}

/* The entries of the next coarse bucket go to fine ones, or once more to the end of the ring. */
static void spread_next(struct scree_ed_queue *q)
{
    q->spread++;
    struct scree_ed_entry entry;
    int32_t *bucket = &q->coarse[q->spread % SCREE_ED_COARSE], chain = *bucket;
    *bucket = SCREE_ED_NO_CHUNK;
    while (take(q, &chain, &entry)) file(q, &entry);
}

bool scree_ed_queue_open(struct scree_ed_queue *q, double before)
{
    int64_t last = fine_of(q, before);
    if (q->next > last) return false;
    if (q->n_waiting == 0) { /* nothing is skipped: what comes earlier goes to the present */
        q->next = last + 1;
        q->spread = q->next / SCREE_ED_FINE;
        return false;
    }
    if (q->next / SCREE_ED_FINE > q->spread) spread_next(q);
    int32_t *bucket = &q->fine[q->next++ % SCREE_ED_FINE];
    q->open = *bucket;
    *bucket = SCREE_ED_NO_CHUNK;
    return true;
}

bool scree_ed_queue_take(struct scree_ed_queue *q, struct scree_ed_entry *entry)
{
    return take(q, &q->open, entry);
}
