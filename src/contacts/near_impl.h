/* SPDX-License-Identifier: BSD-3-Clause
 * Near lists, and history as records of grains: what the files of contacts share. Private to
 * contacts. */
#ifndef SCREE_NEAR_IMPL_H
#define SCREE_NEAR_IMPL_H

#include "scree/contacts.h"

void scree_near_reserve(struct scree_near *near, size_t n, int stride);
void scree_near_clear(struct scree_near *near);

/* Take the near pairs of one kind, those closer than the reach and `margin`, from the lists;
 * history follows. */
void scree_near_select(struct scree_contacts *contacts, enum scree_near_kind kind, double margin);

/* History as the partner sees it: odd slots change sign. In place is fine. */
void scree_near_turn(const struct scree_contacts *contacts, const double *history, double *turned);
void scree_near_turn_row(const double *history, double *turned, int stride, uint32_t odd);

/* Periods from one grain to another; in a wedge, also the sectors. */
static inline void scree_near_periods(const struct scree_contacts *contacts,
                                      const struct scree_particles *p, scree_lid i, scree_lid j,
                                      int32_t between[3])
{
    const struct scree_wedge *wedge = contacts->wedge;
    for (int a = 0; a < 3; a++) between[a] = p->image[j][a] - p->image[i][a];
    if (wedge != NULL) between[wedge->u] = scree_wedge_between(wedge, p->image[i], p->image[j]);
}

/* Periods between two grains as one word: 21 bits each. */
uint64_t scree_near_pack_image(const int32_t image[3]);

/* Records (history.c), between scree_contacts_detach_history() and the end of a rebuild: they
 * travel with their grains; the periods in them follow a flip; near pairs of one kind take their
 * history back; they are freed. */
struct scree_passengers scree_history_passengers(struct scree_contacts *contacts);
void scree_history_flip(struct scree_contacts *contacts, const struct scree_deformation_flip *flip);
void scree_history_attach(struct scree_contacts *contacts, enum scree_near_kind kind);
void scree_history_free_records(struct scree_contacts *contacts);

#endif
