/* SPDX-License-Identifier: BSD-3-Clause
 * Contact history through a rebuild: records by grain identity, carried along in migration. */
#include <string.h>

#include "near_impl.h"
#include "scree/alloc.h"
#include "scree/status.h"

/* A record is [partner gid, or -1 - wall][periods between the two, packed, or part of the
 * wall][history ...], as seen
 * from the grain that carries it. The periods tell apart contacts of one pair through different
 * images, and do not change when either grain is wrapped. */
static size_t record_words(const struct scree_contacts *contacts)
{
    return 2 + (size_t)contacts->stride;
}

uint64_t scree_near_pack_image(const int32_t image[3])
{
    uint64_t packed = 0;
    for (int a = 0; a < 3; a++) packed |= ((uint64_t)(uint32_t)image[a] & 0x1fffffu) << (21 * a);
    return packed;
}

static void unpack_image(uint64_t packed, int32_t image[3])
{
    for (int a = 0; a < 3; a++) {
        uint32_t low = (uint32_t)(packed >> (21 * a)) & 0x1fffffu;
        image[a] = (int32_t)(low ^ 0x100000u) - 0x100000;
    }
}

void scree_history_flip(struct scree_contacts *contacts, const struct scree_deformation_flip *flip)
{
    uint64_t *record = contacts->record;
    for (size_t k = 0; k < contacts->n_records; k++, record += record_words(contacts)) {
        int32_t between[3];
        unpack_image(record[1], between);
        between[flip->by] += (int32_t)flip->periods * between[flip->edge];
        record[1] = scree_near_pack_image(between);
    }
}

static void write_record(struct scree_contacts *contacts, struct scree_particles *p, scree_lid slot,
                         scree_gid partner, uint64_t image, const double *history)
{
    size_t at = (size_t)(p->records[slot][0] + p->records[slot][1]++);
    uint64_t *record = contacts->record + at * record_words(contacts);
    record[0] = (uint64_t)partner;
    record[1] = image;
    memcpy(record + 2, history, (size_t)contacts->stride * sizeof *history);
}

/* Are both grains owned here? */
static bool has_two_homes(enum scree_near_kind kind)
{
    return kind == SCREE_NEAR_INTERIOR || kind == SCREE_NEAR_IMAGE || kind == SCREE_NEAR_SEAM;
}

/* Number of records of each grain, then where they start. */
static void lay_out_records(struct scree_contacts *contacts, struct scree_particles *p)
{
    for (scree_lid s = 0; s < p->n_owned; s++) p->records[s][0] = p->records[s][1] = 0;
    for (int kind = 0; kind < SCREE_N_NEAR; kind++) {
        const struct scree_near *near = &contacts->near[kind];
        for (size_t k = 0; k < near->n; k++) {
            if (!scree_near_is_marked(near, k)) continue;
            p->records[near->i[k]][1]++;
            if (has_two_homes((enum scree_near_kind)kind))
                p->records[scree_contacts_home(contacts, (enum scree_near_kind)kind, near->j[k])]
                          [1]++;
        }
    }
    int32_t sum = 0;
    for (scree_lid s = 0; s < p->n_owned; s++) {
        p->records[s][0] = sum;
        sum += p->records[s][1];
        p->records[s][1] = 0;
    }
    contacts->n_records = (size_t)sum;
    size_t words = record_words(contacts);
    scree_alloc_free(contacts->record);
    contacts->record_capacity = (size_t)sum;
    contacts->record = scree_alloc(contacts->record_capacity * words, sizeof(uint64_t));
}

static void collect_pair(struct scree_contacts *contacts, struct scree_particles *p,
                         enum scree_near_kind kind, size_t k)
{
    const struct scree_near *near = &contacts->near[kind];
    const double *history = near->history + k * (size_t)contacts->stride;
    scree_lid i = near->i[k], j = near->j[k];
    int32_t between[3];
    double turned[SCREE_HISTORY_MAX];
    scree_near_periods(contacts, p, i, j, between);
    write_record(contacts, p, i, p->gid[j], scree_near_pack_image(between), history);
    if (!has_two_homes(kind)) return;
    scree_near_periods(contacts, p, j, i, between);
    scree_near_turn(contacts, history, turned);
    if (scree_near_is_seam(kind))
        memcpy(turned, history, (size_t)contacts->stride * sizeof *turned);
    write_record(contacts, p, scree_contacts_home(contacts, kind, j), p->gid[i],
                 scree_near_pack_image(between), turned);
}

void scree_contacts_detach_history(struct scree_contacts *contacts)
{
    struct scree_particles *p = contacts->world.particles;
    lay_out_records(contacts, p);
    for (int kind = 0; kind < SCREE_N_NEAR; kind++) {
        const struct scree_near *near = &contacts->near[kind];
        for (size_t k = 0; k < near->n; k++) {
            if (!scree_near_is_marked(near, k)) continue;
            if (kind != SCREE_NEAR_WALL)
                collect_pair(contacts, p, (enum scree_near_kind)kind, k);
            else
                write_record(contacts, p, near->i[k], -1 - (scree_gid)near->j[k], near->listed[k],
                             near->history + k * (size_t)contacts->stride);
        }
    }
}

static size_t passenger_words(void *owner, const struct scree_particles *p, scree_lid slot)
{
    return (size_t)p->records[slot][1] * record_words(owner);
}

static void board(void *owner, const struct scree_particles *p, scree_lid slot, uint64_t *words)
{
    const struct scree_contacts *contacts = owner;
    size_t n = record_words(contacts);
    memcpy(words, contacts->record + (size_t)p->records[slot][0] * n,
           (size_t)p->records[slot][1] * n * sizeof *words);
}

static void alight(void *owner, struct scree_particles *p, scree_lid slot, const uint64_t *words,
                   size_t n_words)
{
    struct scree_contacts *contacts = owner;
    size_t n = record_words(contacts), n_new = n_words / n;
    size_t total = contacts->n_records + n_new;
    if (total > contacts->record_capacity) {
        size_t capacity = scree_alloc_grown(contacts->record_capacity, total);
        contacts->record = scree_alloc_resize(contacts->record, contacts->n_records * n,
                                              capacity * n, sizeof *contacts->record);
        contacts->record_capacity = capacity;
    }
    if (n_words > 0)
        memcpy(contacts->record + contacts->n_records * n, words, n_words * sizeof *words);
    p->records[slot][0] = (int32_t)contacts->n_records;
    p->records[slot][1] = (int32_t)n_new;
    contacts->n_records = total;
}

struct scree_passengers scree_history_passengers(struct scree_contacts *contacts)
{
    return (struct scree_passengers){contacts, passenger_words, board, alight};
}

static const uint64_t *find_record(const struct scree_contacts *contacts,
                                   const struct scree_particles *p, scree_lid slot,
                                   scree_gid partner, uint64_t image)
{
    size_t n = record_words(contacts);
    const uint64_t *record = contacts->record + (size_t)p->records[slot][0] * n;
    for (int32_t k = 0; k < p->records[slot][1]; k++, record += n)
        if (record[0] == (uint64_t)partner && record[1] == image) return record;
    return NULL;
}

/* Every near pair takes its history from the records of its owned grain i. */
void scree_history_attach(struct scree_contacts *contacts, enum scree_near_kind kind)
{
    const struct scree_particles *p = contacts->world.particles;
    struct scree_near *near = &contacts->near[kind];
    size_t stride = (size_t)contacts->stride;
    for (size_t k = 0; k < near->n; k++) {
        scree_lid i = near->i[k];
        if (p->records[i][1] == 0) continue;
        scree_gid partner = -1 - (scree_gid)near->j[k];
        uint64_t image = near->listed[k];
        if (kind != SCREE_NEAR_WALL) {
            int32_t between[3];
            scree_near_periods(contacts, p, i, near->j[k], between);
            partner = p->gid[near->j[k]];
            image = scree_near_pack_image(between);
        }
        const uint64_t *record = find_record(contacts, p, i, partner, image);
        if (record == NULL) continue;
        near->touched[k] = near->epoch;
        memcpy(near->history + k * stride, record + 2, stride * sizeof *near->history);
    }
}

/* Records are large and not needed until the next rebuild. */
void scree_history_free_records(struct scree_contacts *contacts)
{
    scree_alloc_free(contacts->record);
    contacts->record = NULL;
    contacts->record_capacity = contacts->n_records = 0;
}
