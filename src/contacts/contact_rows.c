/* SPDX-License-Identifier: BSD-3-Clause
 * Contacts as plain rows, out of the store and back in, whatever rank holds which grain.
 *
 * On the way in a row does not know where its grains are. Each gid has a rank that keeps track of
 * it (gid modulo the number of ranks): grains announce themselves there, rows are sent there once
 * for each of their grains, and are passed on to the holder. */
#include <stdlib.h>
#include <string.h>

#include "near_impl.h"
#include "scree/alloc.h"
#include "scree/contact_view.h"

void scree_contact_rows_init(struct scree_contact_rows *rows, int64_t n, int stride)
{
    rows->n = n;
    rows->pair = scree_alloc((size_t)n, sizeof *rows->pair);
    rows->image = scree_alloc((size_t)n, sizeof *rows->image);
    rows->history = scree_alloc((size_t)n * (size_t)stride, sizeof *rows->history);
}

void scree_contact_rows_clear(struct scree_contact_rows *rows)
{
    scree_alloc_free(rows->pair);
    scree_alloc_free(rows->image);
    scree_alloc_free(rows->history);
    memset(rows, 0, sizeof *rows);
}

struct export
{
    struct scree_contact_rows *rows;
    int stride;
};

static void add_row(void *context, const struct scree_contact_view *view)
{
    struct export *e = context;
    int64_t r = e->rows->n++;
    e->rows->pair[r][0] = view->first;
    e->rows->pair[r][1] = view->second;
    memcpy(e->rows->image[r], view->image, sizeof view->image);
    memcpy(e->rows->history + r * e->stride, view->history,
           (size_t)e->stride * sizeof *view->history);
}

void scree_contacts_export(const struct scree_contacts *contacts, const struct scree_particles *p,
                           struct scree_contact_rows *rows)
{
    scree_contact_rows_init(rows, scree_contacts_most(contacts), contacts->stride);
    rows->n = 0;
    struct export e = {rows, contacts->stride};
    scree_contacts_visit(contacts, p, add_row, &e);
}

void scree_contact_rows_add(struct scree_contact_rows *rows, int64_t *capacity, int stride,
                            const struct scree_contacts *contacts, const struct scree_particles *p,
                            const struct scree_contact *contact, const double *values)
{
    size_t n = (size_t)rows->n, most = (size_t)*capacity;
    if (contact->owned[0] < 0) return;
    if (n == most) {
        most = 2 * most + 64;
        rows->pair = scree_alloc_resize(rows->pair, n, most, sizeof *rows->pair);
        rows->image = scree_alloc_resize(rows->image, n, most, sizeof *rows->image);
        rows->history = scree_alloc_resize(rows->history, n * (size_t)stride, most * (size_t)stride,
                                           sizeof *rows->history);
        *capacity = (int64_t)most;
    }
    rows->pair[n][0] = contact->first;
    rows->pair[n][1] = contact->second;
    memset(rows->image[n], 0, sizeof rows->image[n]);
    if (!scree_contact_is_with_wall(contact))
        scree_near_periods(contacts, p, contact->slot[0], contact->slot[1], rows->image[n]);
    else
        rows->image[n][0] = contact->part;
    memcpy(rows->history + n * (size_t)stride, values, (size_t)stride * sizeof *values);
    rows->n++;
}

/* Items of `words` words each, the first of which is a gid or a rank that decides where to. */
struct parcel {
    uint64_t *word;
    size_t n, words;
};

static int autosave(uint64_t gid, const struct scree_comm *comm)
{
    return (int)(gid % (uint64_t)comm->n_ranks);
}

/* Send every item to rank to[k]; returns what came. */
static struct parcel deliver(struct scree_comm *comm, const struct parcel *items, const int *to)
{
    size_t n_ranks = (size_t)comm->n_ranks, bytes = items->words * sizeof(uint64_t);
    int *n_send = scree_alloc(n_ranks, sizeof *n_send),
        *n_get = scree_alloc(n_ranks, sizeof *n_get);
    size_t *place = scree_alloc(n_ranks + 1, sizeof *place);
    memset(n_send, 0, n_ranks * sizeof *n_send);
    for (size_t k = 0; k < items->n; k++) n_send[to[k]]++;
    place[0] = 0;
    for (size_t r = 0; r < n_ranks; r++) place[r + 1] = place[r] + (size_t)n_send[r];
    uint64_t *sorted = scree_alloc(items->n, bytes);
    for (size_t k = 0; k < items->n; k++)
        memcpy(sorted + place[to[k]]++ * items->words, items->word + k * items->words, bytes);
    void *received;
    struct parcel got = {.words = items->words};
    scree_comm_exchange(comm, n_send, sorted, bytes, n_get, &received);
    for (size_t r = 0; r < n_ranks; r++) got.n += (size_t)n_get[r];
    got.word = received;
    scree_alloc_free(sorted);
    scree_alloc_free(place);
    scree_alloc_free(n_send);
    scree_alloc_free(n_get);
    return got;
}

/* Where grains are, as far as this rank keeps track: [gid][rank][slot], sorted by gid. */
static int compare_words(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static struct parcel announce(struct scree_comm *comm, const struct scree_particles *p)
{
    struct parcel mine = {scree_alloc((size_t)p->n_owned * 3, sizeof(uint64_t)), (size_t)p->n_owned,
                          3};
    int *to = scree_alloc(mine.n, sizeof *to);
    for (size_t k = 0; k < mine.n; k++) {
        mine.word[3 * k] = (uint64_t)p->gid[k];
        mine.word[3 * k + 1] = (uint64_t)comm->rank;
        mine.word[3 * k + 2] = (uint64_t)k;
        to[k] = autosave(mine.word[3 * k], comm);
    }
    struct parcel kept = deliver(comm, &mine, to);
    qsort(kept.word, kept.n, 3 * sizeof(uint64_t), compare_words);
    scree_alloc_free(mine.word);
    scree_alloc_free(to);
    return kept;
}

static bool is_seam(const struct scree_contacts *contacts, const int32_t image[3])
{
    return contacts->wedge != NULL && image[contacts->wedge->u] != 0;
}

/* [gid of the grain][partner][image][history ...] for each grain of each row. */
static struct parcel make_records(const struct scree_contacts *contacts,
                                  const struct scree_contact_rows *rows)
{
    size_t stride = (size_t)contacts->stride, words = 3 + stride;
    struct parcel out = {scree_alloc((size_t)rows->n * 2 * words, sizeof(uint64_t)), 0, words};
    for (int64_t r = 0; r < rows->n; r++)
        for (int side = 0; side < (rows->pair[r][1] >= 0 ? 2 : 1); side++) {
            uint64_t *w = out.word + out.n++ * words;
            const double *history = rows->history + (size_t)r * stride;
            double turned[SCREE_HISTORY_MAX];
            int32_t image[3];
            for (int a = 0; a < 3; a++)
                image[a] = side == 0 ? rows->image[r][a] : -rows->image[r][a];
            if (is_seam(contacts, image))
                image[contacts->wedge->u] =
                    scree_wedge_modulo(contacts->wedge, image[contacts->wedge->u]);
            w[0] = (uint64_t)rows->pair[r][side];
            w[1] = (uint64_t)rows->pair[r][1 - side];
            w[2] = rows->pair[r][1] >= 0 ? scree_near_pack_image(image) : (uint64_t)image[0];
            if (side == 1 && !is_seam(contacts, rows->image[r])) {
                scree_near_turn(contacts, history, turned);
                history = turned;
            }
            memcpy(w + 3, history, stride * sizeof *history);
        }
    return out;
}

/* Pass records on to the holders of their grains: the gid becomes the slot there. */
static enum scree_status pass_on(struct scree_comm *comm, const struct parcel *where,
                                 struct parcel *records)
{
    enum scree_status status = SCREE_OK;
    int *to = scree_alloc(records->n, sizeof *to);
    for (size_t k = 0; k < records->n; k++) {
        uint64_t *w = records->word + k * records->words;
        const uint64_t *found =
            bsearch(w, where->word, where->n, 3 * sizeof(uint64_t), compare_words);
        to[k] = found != NULL ? (int)found[1] : comm->rank;
        if (found == NULL && status == SCREE_OK)
            status = SCREE_FAIL(SCREE_IO, "a contact names grain %lld, which does not exist",
                                (long long)w[0]);
        w[0] = found != NULL ? found[2] : UINT64_MAX;
    }
    struct parcel got = deliver(comm, records, to);
    scree_alloc_free(records->word);
    scree_alloc_free(to);
    *records = got;
    return scree_comm_agree(comm, status);
}

/* Records sorted by slot, as a rebuild expects them. */
static void keep_records(struct scree_contacts *contacts, struct scree_particles *p,
                         struct parcel *records)
{
    size_t words = records->words - 1;
    qsort(records->word, records->n, records->words * sizeof(uint64_t), compare_words);
    scree_alloc_free(contacts->record);
    contacts->record = scree_alloc(records->n * words, sizeof *contacts->record);
    contacts->n_records = contacts->record_capacity = records->n;
    for (scree_lid s = 0; s < p->n_owned; s++) p->records[s][0] = p->records[s][1] = 0;
    for (size_t k = 0; k < records->n; k++) {
        const uint64_t *w = records->word + k * records->words;
        int32_t *place = p->records[w[0]];
        if (place[1]++ == 0) place[0] = (int32_t)k;
        memcpy(contacts->record + k * words, w + 1, words * sizeof *w);
    }
}

enum scree_status scree_contacts_import(struct scree_contacts *contacts, struct scree_comm *comm,
                                        struct scree_particles *p,
                                        const struct scree_contact_rows *rows)
{
    struct parcel where = announce(comm, p);
    struct parcel made = make_records(contacts, rows);
    int *to = scree_alloc(made.n, sizeof *to);
    for (size_t k = 0; k < made.n; k++) to[k] = autosave(made.word[k * made.words], comm);
    struct parcel records = deliver(comm, &made, to);
    scree_alloc_free(made.word);
    scree_alloc_free(to);
    enum scree_status status = pass_on(comm, &where, &records);
    if (status == SCREE_OK) keep_records(contacts, p, &records);
    scree_alloc_free(records.word);
    scree_alloc_free(where.word);
    return status;
}
