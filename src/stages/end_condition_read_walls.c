/* SPDX-License-Identifier: BSD-3-Clause
 * Conditions that tell of walls. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "end_condition_read.h"
#include "scree/alloc.h"

struct touched {
    const char *wall;
    struct scree_end_condition_count n;
};
#define AT(member) offsetof(struct touched, member)
const struct scree_param scree_end_condition_contacts_params[] = {
    {"wall", SCREE_PARAM_TEXT, "", 0, 0, NULL, NULL, AT(wall), "which is touched"},
    {"at_least", SCREE_PARAM_INTEGER, "", 0, 9e15, "", NULL, AT(n.at_least), "so many"},
    {"at_most", SCREE_PARAM_INTEGER, "", 0, 9e15, "", NULL, AT(n.at_most), "or so few"},
    {0},
};
#undef AT

static int find_wall(const struct scree_end_condition_reading *r, const struct scree_node *node,
                     const char *name)
{
    const struct scree_walls *walls = r->setting->walls;
    int found = -1;
    const char **names = scree_alloc((size_t)walls->n + 1, sizeof *names);
    for (int w = 0; w < walls->n; w++) {
        names[w] = walls->wall[w].name;
        if (strcmp(names[w], name) == 0) found = w;
    }
    names[walls->n] = NULL;
    if (found < 0) scree_input_unknown(r->input, node, "wall", name, names);
    scree_alloc_free(names);
    return found;
}

/* Strains and stresses need a plane that faces along an axis. */
static bool faces_along_axis(const struct scree_wall *wall)
{
    double normal[3];
    if (wall->shape->facing == NULL || scree_wall_turns(wall)) return false;
    wall->shape->facing(wall->values, normal);
    return fabs(normal[0]) == 1.0 || fabs(normal[1]) == 1.0 || fabs(normal[2]) == 1.0;
}

void scree_end_condition_check_wall(const struct scree_end_condition_reading *r,
                                    const struct scree_end_condition_keys *keys)
{
    struct scree_end_condition *u = r->until;
    bool of_plane = !isnan(u->strain) || !isnan(u->shear) || !isnan(u->stress);
    bool any = of_plane || !isnan(u->displacement) || !isnan(u->angle) || !isnan(u->force);
    const struct scree_node *node = scree_node_find(r->node, "wall");
    if (keys->wall == NULL) {
        if (any)
            scree_input_error(r->input, r->node,
                              "%s: 'wall' is required: whose displacement, strain, shear, angle, "
                              "force or stress is meant?",
                              r->what);
        return;
    }
    u->wall = find_wall(r, node, keys->wall);
    if (!any)
        scree_input_error(r->input, node,
                          "%s: 'wall' without displacement, strain, shear, angle, force or stress",
                          r->what);
    if (u->wall < 0) return;
    const struct scree_wall *wall = &r->setting->walls->wall[u->wall];
    if (of_plane && !faces_along_axis(wall))
        scree_input_error(r->input, node,
                          "%s: strain, shear and stress are known only of planes along x, y or z "
                          "that do not turn; '%s' is none",
                          r->what, wall->name);
    if (!isnan(u->angle) && !scree_wall_turns(wall))
        scree_input_error(r->input, scree_node_find(r->node, "angle"), "%s: wall '%s' never turns",
                          r->what, wall->name);
    if ((!isnan(u->displacement) || !isnan(u->strain) || !isnan(u->shear)) &&
        !scree_wall_shifts(wall))
        scree_input_error(r->input, node, "%s: wall '%s' never moves", r->what, wall->name);
}

void scree_end_condition_read_contacts(const struct scree_end_condition_reading *r,
                                       const struct scree_node *node)
{
    struct touched touched;
    char what[128];
    snprintf(what, sizeof what, "%s.contacts", r->what);
    if (!scree_input_read(r->input, node, NULL, what, scree_end_condition_contacts_params,
                          &touched))
        return;
    scree_end_condition_check_count(r, node, "contacts", &touched.n);
    r->until->touched = find_wall(r, scree_node_find(node, "wall"), touched.wall);
    r->until->contacts = touched.n;
}
