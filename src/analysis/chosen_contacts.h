/* SPDX-License-Identifier: BSD-3-Clause
 * Which contacts and which grains a measurement counts, and how much of each. Private to analysis.
 */
#ifndef SCREE_CHOSEN_CONTACTS_H
#define SCREE_CHOSEN_CONTACTS_H

#include "volume.h"

/* Read the choices of a measurement that has any; mistakes at their keys. */
void scree_chosen_contacts_check(struct scree_measurement *m, struct scree_input *input,
                                 const struct scree_analysis_setting *setting);

/* Does an owned grain count? Nodes of membranes never do. */
bool scree_chosen_contacts_has_grain(const struct scree_material_choice *material,
                                     const struct scree_scene *scene, scree_lid i);

/* A contact that counts with this weight: what of its branch is in the volume, times what of it is
 * of the material, times the share of this rank. In a wedge its vectors are the radial, azimuthal
 * and axial components in the middle of the branch. Both ranks of a cut contact get the same bits,
 * but for the factor 1/2. */
typedef void scree_chosen_contact_listener(void *context, const struct scree_contact *contact,
                                           double weight);

struct scree_chosen_contacts {
    const struct scree_analysis_view *view;
    const struct scree_extent *extent; /* NULL: everywhere, and vectors stay as they are */
    const struct scree_contact_choice *contacts;  /* NULL: all, those with walls included */
    const struct scree_material_choice *material; /* NULL: all */
};
/* The way from one end of a contact to the other; the same bits on both ranks of a cut contact, so
 * that it starts at the first grain. */
void scree_chosen_contacts_find_way(const struct scree_scene *scene,
                                    const struct scree_contact *contact, double start[3],
                                    double along[3]);
/* Show all contacts that count; local. */
void scree_chosen_contacts_visit(const struct scree_chosen_contacts *chosen,
                                 scree_chosen_contact_listener *listen, void *context);

#endif
