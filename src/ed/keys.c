/* SPDX-License-Identifier: BSD-3-Clause
 * The section `events` of the input, and what of the rest this method cannot do. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "ed_impl.h"
#include "scree/vec.h"

#define AT(member) offsetof(struct scree_ed_values, member)
static const struct scree_param fixed_params[] = {
    {"contact_time", SCREE_PARAM_REAL, "s", 0, INFINITY, "0", NULL, AT(contact_time),
     "t_c of the TC model: a collision loses no energy if either partner has collided within this "
     "time before"},
    {"growth", SCREE_PARAM_REAL, "1/s", 0, INFINITY, "0", NULL, AT(growth),
     "radii of all grains grow at this rate, of what they are at first, until one of the next two "
     "is "
     "reached"},
    {"solid_fraction", SCREE_PARAM_REAL, "1", 1e-6, 0.92, "0.9", NULL, AT(solid_fraction),
     "of the box, at which growth ends"},
    {"reduced_pressure", SCREE_PARAM_REAL, "1", 1, 1e9, "", NULL, AT(reduced_pressure),
     "pressure over n T, with the number density n and the granular temperature T, at which growth "
     "ends"},
    {"rest", SCREE_PARAM_BOOL, "", 0, 0, "true", NULL, AT(rest),
     "grains come to rest when growth ends; otherwise they go on as a gas"},
    {"most", SCREE_PARAM_INTEGER, "", 1000, 2e9, "1000000", NULL, AT(most_events),
     "collisions of one grain within an epoch (some 30 of all grains) that are taken for a "
     "collapse, with which the run ends"},
    {"window", SCREE_PARAM_REAL, "1", 1e-4, 100, "0.15", NULL, AT(window),
     "collisions per grain, about, between two messages among ranks; results do not depend on it"},
    {"record", SCREE_PARAM_BOOL, "", 0, 0, "true", NULL, AT(record),
     "keep the collisions of each step, for measurements and snapshots of contacts"},
    {0},
};

const struct scree_method_keys scree_ed_keys[] = {
    {"events", "collisions one by one (method ed)", fixed_params, true},
    {0},
};

static void refuse_key(const struct scree_method_setting *setting, const struct scree_node *rigid,
                       const char *key, const char *why)
{
    const struct scree_node *node = scree_node_find(rigid, key);
    if (node != NULL)
        scree_input_error(setting->input, node, "rigid: method 'ed' knows no '%s': %s", key, why);
}

/* One shear rate that does not change is what places are known for. */
static void check_cell(struct scree_input *input, const struct scree_node *cell)
{
    static const char *const keys[] = {"stress", "pressure", "volume", "start", "rise"};
    const struct scree_node *rates;
    if (cell == NULL || scree_node_kind(cell) != SCREE_NODE_MAP) return;
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        if (scree_node_find(cell, keys[k]) != NULL)
            scree_input_error(input, scree_node_find(cell, keys[k]),
                              "cell: method 'ed' knows no '%s': it shears a box at a constant rate",
                              keys[k]);
    rates = scree_node_find(cell, "strain_rate");
    if (rates == NULL || scree_node_kind(rates) != SCREE_NODE_MAP) return;
    for (int k = 0; k < scree_node_count(rates); k++) {
        const char *key = scree_node_key(rates, k);
        if (k > 0 || key[0] == key[1])
            scree_input_error(input, scree_node_item(rates, k),
                              "cell: 'strain_rate' has '%s'; method 'ed' knows one shear rate, xy, "
                              "xz or yz",
                              key);
    }
}

static void check_cells(struct scree_input *input, const struct scree_ed_values *v)
{
    const struct scree_node *root = scree_input_root(input);
    const struct scree_node *cell = scree_node_find(root, "cell");
    const struct scree_node *stages = scree_node_find(root, "stages");
    check_cell(input, cell);
    for (int k = 0; stages != NULL && k < scree_node_count(stages); k++) {
        const struct scree_node *item = scree_node_item(stages, k), *method;
        if (scree_node_kind(item) != SCREE_NODE_MAP) continue;
        method = scree_node_find(item, "method");
        if (method != NULL && strcmp(scree_node_text(method), "ed") != 0) break;
        if (scree_node_find(item, "cell") != NULL) cell = scree_node_find(item, "cell");
        check_cell(input, scree_node_find(item, "cell"));
    }
    if (cell == NULL) return;
    if (v->growth > 0.0)
        scree_input_error(input, cell,
                          "'cell': grains that grow (events.growth) do so in a box "
                          "at rest");
    if (scree_node_find(root, "boundaries") != NULL)
        scree_input_error(input, cell, "'cell': method 'ed' shears boxes without walls only");
}

void scree_ed_check_keys(const void *values, const struct scree_method_setting *setting)
{
    const struct scree_ed_values *v = values;
    const struct scree_node *root = scree_input_root(setting->input);
    const struct scree_node *contacts = scree_node_find(root, "contacts");
    check_cells(setting->input, v);
    if (contacts == NULL || scree_node_kind(contacts) != SCREE_NODE_LIST) return;
    for (int k = 0; k < scree_node_count(contacts); k++) {
        const struct scree_node *rigid = scree_node_find(scree_node_item(contacts, k), "rigid");
        if (rigid == NULL || scree_node_kind(rigid) != SCREE_NODE_MAP) {
            scree_input_error(setting->input, scree_node_item(contacts, k),
                              "contacts: method 'ed' needs 'rigid', such as {restitution: 0.9}; "
                              "laws of soft grains have no meaning for it");
            continue;
        }
        refuse_key(setting, rigid, "rolling", "collisions have no duration in which to roll");
        refuse_key(setting, rigid, "torsion", "collisions have no duration in which to spin");
        refuse_key(setting, rigid, "cohesion", "grains meet at the contact only");
        refuse_key(setting, rigid, "range", "grains meet at the contact only");
        if (v->contact_time > 0.0)
            refuse_key(setting, rigid, "friction",
                       "events.contact_time is given, and the TC model says nothing of friction");
    }
}

static void examine_walls(const struct scree_scene *scene, struct scree_input *input)
{
    const struct scree_node *all = scree_node_find(scree_input_root(input), "boundaries");
    for (int w = 0; w < scene->walls->n; w++) {
        const struct scree_wall *wall = &scene->walls->wall[w];
        const struct scree_node *node = scree_node_find(all, wall->name);
        if (node == NULL) node = all; /* a piece of a wall */
        if (wall->shape->facing == NULL)
            scree_input_error(input, node,
                              "wall '%s': method 'ed' knows planes only, of which it can tell when "
                              "a grain meets them",
                              wall->name);
        bool moves = wall->move.law != NULL || wall->spin.law != NULL;
        for (int c = 0; c < scene->walls->n_changes; c++) {
            const struct scree_wall_change *change = &scene->walls->change[c];
            if (change->wall == w)
                moves = moves || change->drive.move.law != NULL || change->drive.spin.law != NULL;
        }
        if (moves)
            scree_input_error(input, node,
                              "wall '%s': method 'ed' knows walls at rest or with a constant "
                              "'velocity' only, of which it can tell when a grain meets them",
                              wall->name);
    }
}

/* Half a period must hold two grains with some room, for a pair to meet through one image only. */
static void examine_box(const struct scree_scene *scene, struct scree_input *input)
{
    const struct scree_box *box = &scene->domain->box;
    const struct scree_node *root = scree_input_root(input), *domain;
    double least = 2.0 / 0.48 * 1.1 * scene->largest_radius;
    if (scene->domain->cell.on) least *= scree_ed_strain_most_widening(scene);
    domain = scree_node_find(root, "domain");
    for (int a = 0; a < box->dimension; a++)
        if (box->periodic[a] && box->length[a] < least)
            scree_input_error(input, domain,
                              "domain: the period along %c is %g m; method 'ed' needs %g m for "
                              "grains of radius %g m",
                              "xyz"[a], box -> length[a], least, scene -> largest_radius);
}

static void examine_growth(const struct scree_ed_values *v, const struct scree_scene *scene,
                           struct scree_input *input)
{
    const struct scree_node *events = scree_node_find(scree_input_root(input), "events");
    if (scree_vec_norm(scene->gravity) > 0.0)
        scree_input_error(input, scree_node_find(events, "growth"),
                          "events: grains grow without 'gravity' only; let a stage have it");
    if (scree_node_find(events, "solid_fraction") == NULL && isnan(v->reduced_pressure))
        scree_input_error(input, scree_node_find(events, "growth"),
                          "events: 'growth' without an end: give 'solid_fraction' or "
                          "'reduced_pressure'");
}

static void examine_driven(const struct scree_scene *scene, struct scree_input *input)
{
    const struct scree_particles *p = scene->particles;
    int64_t driven = 0;
    for (scree_lid i = 0; i < p->n_owned; i++) driven += p->vel[i][3] == 0.0;
    scree_comm_sum_int(scene->comm, &driven, 1);
    const struct scree_node *cell = scree_node_find(scree_input_root(input), "cell");
    if (driven > 0 && scene->domain->cell.on)
        scree_input_error(input, cell, "'cell' and frozen grains: the flow would go through them");
    if (scree_vec_norm(scene->gravity) > 0.0 && scene->domain->cell.on)
        scree_input_error(input, cell, "'cell' and 'gravity': method 'ed' knows one of them only");
    if (driven > 0 && scree_vec_norm(scene->gravity) > 0.0)
        scree_input_error(input, scree_node_find(scree_input_root(input), "gravity"),
                          "'gravity' and frozen grains: to method 'ed' all grains fall in the same "
                          "way");
}

void scree_ed_examine(const void *values, const struct scree_scene *scene,
                      const struct scree_prospect *prospect, struct scree_input *input)
{
    const struct scree_ed_values *v = values;
    (void)prospect;
    if (v->growth > 0.0) examine_growth(v, scene, input);
    examine_walls(scene, input);
    examine_box(scene, input);
    examine_driven(scene, input);
}
