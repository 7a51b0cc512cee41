/* SPDX-License-Identifier: BSD-3-Clause
 * What two rigid grains do when they touch: the key `rigid` of an entry of `contacts`, or what the
 * laws of soft grains say as far as it has a meaning for rigid ones. */
#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "scree/laws.h"
#include "scree/status.h"

#define AT(member) offsetof(struct scree_rigid_law, member)
const struct scree_param scree_rigid_params[] = {
    {"friction", SCREE_PARAM_REAL, "1", 0, 1e6, "0", NULL, AT(friction),
     "coefficient of sliding friction"},
    {"restitution", SCREE_PARAM_REAL, "1", 0, 1, "0", NULL, AT(restitution),
     "normal velocity after an impact, as a part of that before"},
    {"restitution_tangential", SCREE_PARAM_REAL, "1", -1, 1, "0", NULL, AT(restitution_tangential),
     "likewise the tangential velocity of a contact that does not slide"},
    {"rolling", SCREE_PARAM_REAL, "1", 0, 1e6, "0", NULL, AT(rolling),
     "largest couple against rolling, as a part of reduced radius times normal force"},
    {"torsion", SCREE_PARAM_REAL, "1", 0, 1e6, "0", NULL, AT(torsion),
     "likewise against spinning about the normal"},
    {"cohesion", SCREE_PARAM_REAL, "N", 0, INFINITY, "0", NULL, AT(cohesion),
     "largest attraction of grains that have touched"},
    {"range", SCREE_PARAM_REAL, "m", 0, INFINITY, "0", NULL, AT(range),
     "gap up to which they attract each other; cohesion times range is the energy of the bond"},
    {0},
};

/* The limit of a part of the laws of soft grains; 0: it has none. */
static double friction_of(const struct scree_pair_law *pair, enum scree_law_kind kind)
{
    const struct scree_law *law = pair->law[kind];
    return law != NULL && law->friction != NULL ? law->friction(pair->values[kind]) : 0.0;
}

/* Soft laws that attract do so by overlaps, which rigid grains do not have. */
static bool attracts(const struct scree_law *normal)
{
    return strcmp(normal->name, "dmt") == 0 || strcmp(normal->name, "hysteretic") == 0;
}

void scree_rigid_read(struct scree_pair_law *pair, struct scree_input *input,
                      const struct scree_node *entry, bool needed)
{
    struct scree_rigid_law *rigid = &pair->rigid;
    const struct scree_node *node = scree_node_find(entry, "rigid");
    const struct scree_law *normal = pair->law[SCREE_LAW_NORMAL];
    if (node != NULL) {
        scree_input_read(input, node, NULL, "rigid", scree_rigid_params, rigid);
        rigid->given = true;
        if (rigid->cohesion > 0.0 && !(rigid->range > 0.0))
            scree_input_error(input, node,
                              "rigid: 'cohesion' needs a 'range' > 0: without one the slightest "
                              "shock would open a contact if only the time step is short enough");
        return;
    }
    if (!needed) return;
    if (normal == NULL) {
        scree_input_error(input, entry,
                          "contacts: give 'rigid', such as {friction: 0.5}, or laws of soft grains "
                          "of which rigid ones take the friction");
        return;
    }
    if (attracts(normal))
        scree_input_error(input, scree_node_find(entry, "normal"),
                          "normal law '%s' attracts by overlaps, which rigid grains do not have; "
                          "say with 'rigid: {cohesion: ..., range: ...}' what they do",
                          normal->name);
    rigid->friction = friction_of(pair, SCREE_LAW_TANGENTIAL);
    rigid->rolling = friction_of(pair, SCREE_LAW_ROLLING);
    rigid->torsion = friction_of(pair, SCREE_LAW_TORSION);
}

bool scree_laws_can_change_friction(const struct scree_laws *laws,
                                    const struct scree_pair_law *pair)
{
    bool soft = pair->law[SCREE_LAW_TANGENTIAL]->set_friction != NULL;
    return soft || (laws->rigid && pair->rigid.given);
}

void scree_laws_change_friction(const struct scree_laws *laws, struct scree_pair_law *pair,
                                double coefficient)
{
    const struct scree_law *law = pair->law[SCREE_LAW_TANGENTIAL];
    if (laws->rigid) pair->rigid.friction = coefficient;
    if (law->set_friction != NULL)
        law->set_friction(pair->values[SCREE_LAW_TANGENTIAL], coefficient);
}
