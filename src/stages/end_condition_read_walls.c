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

/* A number is the least; a map may have both bounds. */
static void read_load(const struct scree_end_condition_reading *r, const struct scree_node *node,
                      const char *key, const struct scree_param *params,
                      struct scree_end_condition_range *range)
{
    if (node == NULL) return;
    if (scree_node_kind(node) == SCREE_NODE_MAP) {
        scree_end_condition_read_range(r, node, key, params, range);
        return;
    }
    scree_node_mark_used(node);
    if (!scree_input_real(r->input, node, params->unit, &range->at_least)) return;
    if (!(range->at_least > 0.0))
        scree_input_error(r->input, node,
                          "%s: '%s' is %g, allowed > 0; or {at_least: ...}, "
                          "{at_most: ...}",
                          r->what, key, range->at_least);
}

/* Strains need a plane that faces along an axis, and something at its other end. */
static void check_strain(const struct scree_end_condition_reading *r, const struct scree_node *node,
                         const struct scree_wall *wall)
{
    double normal[3] = {0.0, 0.0, 0.0};
    int axis = -1;
    if (wall->shape->facing != NULL && !scree_wall_turns(wall))
        wall->shape->facing(wall->values, normal);
    for (int a = 0; a < 3; a++)
        if (fabs(normal[a]) == 1.0) axis = a;
    if (axis < 0)
        scree_input_error(r->input, node,
                          "%s: strain and shear are known only of planes along x, y or z that do "
                          "not turn; '%s' is none",
                          r->what, wall->name);
    else if (!scree_walls_are_bounding(r->setting->walls, axis))
        scree_input_error(r->input, node,
                          "%s: strain and shear are parts of the distance between walls, but "
                          "nothing bounds the sample opposite '%s'; give a displacement",
                          r->what, wall->name);
}

static void check_stress(const struct scree_end_condition_reading *r, const struct scree_node *node)
{
    char why[SCREE_SECTION_REASON];
    const struct scree_walls *walls = r->setting->walls;
    int w = r->until->wall;
    if (!isnan(r->until->area) || scree_walls_know_area(walls, w, why, sizeof why)) return;
    scree_input_error(r->input, node,
                      "%s: give the 'area' of '%s' on which 'stress' acts; it is not known: %s",
                      r->what, walls->wall[w].name, why);
}

void scree_end_condition_check_wall(const struct scree_end_condition_reading *r,
                                    const struct scree_end_condition_keys *keys)
{
    struct scree_end_condition *u = r->until;
    read_load(r, keys->force, "force", scree_end_condition_force_range_params, &u->force);
    read_load(r, keys->stress, "stress",
              scree_end_condition_stress_range_params(r->setting->dimension), &u->stress);
    bool of_plane = !isnan(u->strain) || !isnan(u->shear);
    bool any = of_plane || !isnan(u->displacement) || !isnan(u->angle) || keys->force != NULL ||
               keys->stress != NULL;
    const struct scree_node *node = scree_node_find(r->node, "wall");
    if (!isnan(u->area) && keys->stress == NULL)
        scree_input_error(r->input, scree_node_find(r->node, "area"),
                          "%s: 'area' is of use only with 'stress'", r->what);
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
    if (of_plane) check_strain(r, node, wall);
    if (keys->stress != NULL) check_stress(r, keys->stress);
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
