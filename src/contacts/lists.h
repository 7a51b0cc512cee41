/* SPDX-License-Identifier: BSD-3-Clause
 * When lists must be made anew: what the files update.c, rebuild.c, flow.c and glued_pairs.c share.
 * Private to contacts. */
#ifndef SCREE_LISTS_H
#define SCREE_LISTS_H

#include "scree/contacts.h"

/* m; margin of near pairs that may close with this speed (m/s). */
double scree_lists_near_margin(const struct scree_contacts *contacts,
                               const struct scree_contacts_motion *motion, double closing_speed);

/* m/s; with which grains owned here use up their half of the skin. */
double scree_lists_pace(const struct scree_contacts *contacts,
                        const struct scree_contacts_motion *motion);

/* A box that deforms (flow.c); without one, its flow closes no gaps. */
/* m/s; at most, with which the flow closes the gap of two listed grains in the last step. */
double scree_flow_closing(const struct scree_contacts *contacts, double largest_radius);
/* m; what the flow has left of the skin since lists were built. */
double scree_flow_skin_left(const struct scree_contacts *contacts, double largest_radius);
/* m; the farthest that a grain owned here has moved against the flow since then, and its slot (-1:
 * nobody has moved). */
double scree_flow_moved(const struct scree_contacts *contacts, scree_lid *slot);
/* Tell the user, once in a run, of glued grains of different walls that overlap (glued_pairs.c).
 * Ghosts must be there, in the frames in which pairs are searched. Collective. */
void scree_glued_pairs_warn(struct scree_contacts *contacts);

#endif
