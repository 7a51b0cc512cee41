/* SPDX-License-Identifier: BSD-3-Clause
 * Reading the conditions with which a stage or a run ends. */
#include "end_condition_read.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scree/vec.h"

struct bound {
    double time;
    int64_t steps;
    bool required;
};
#define AT(member) offsetof(struct bound, member)
const struct scree_param scree_end_condition_bound_params[] = {
    {"time", SCREE_PARAM_REAL, "s", DBL_MIN, INFINITY, "", NULL, AT(time), "since it began"},
    {"steps", SCREE_PARAM_INTEGER, "", 1, 9e15, "", NULL, AT(steps), "instead of time"},
    {"required", SCREE_PARAM_BOOL, "", 0, 0, "false", NULL, AT(required),
     "end the run with an error then, not with a warning"},
    {0},
};
#undef AT

struct beyond {
    double point[3], normal[3];
    struct scree_end_condition_count n;
};
#define AT(member) offsetof(struct beyond, member)
const struct scree_param scree_end_condition_grains_params[] = {
    {"point", SCREE_PARAM_VECTOR, "m", 0, 0, NULL, NULL, AT(point), "of the plane"},
    {"normal", SCREE_PARAM_VECTOR, "1", 0, 0, NULL, NULL, AT(normal),
     "of the plane, of any length: centres on the side to which it points count"},
    {"at_least", SCREE_PARAM_INTEGER, "", 0, 9e15, "", NULL, AT(n.at_least), "so many"},
    {"at_most", SCREE_PARAM_INTEGER, "", 0, 9e15, "", NULL, AT(n.at_most), "or so few"},
    {0},
};
#undef AT

static int64_t steps_of(const struct scree_end_condition_reading *r, double time)
{
    return (int64_t)fmin(fmax(ceil(time / r->setting->dt - 1e-9), 1.0), 9e15);
}

void scree_end_condition_check_count(const struct scree_end_condition_reading *r,
                                     const struct scree_node *node, const char *key,
                                     const struct scree_end_condition_count *n)
{
    if ((n->at_least == INT64_MIN) == (n->at_most == INT64_MIN))
        scree_input_error(r->input, node, "%s: '%s' wants one of at_least, at_most", r->what, key);
}

static void read_grains(const struct scree_end_condition_reading *r, const struct scree_node *node)
{
    struct beyond beyond;
    char what[128];
    snprintf(what, sizeof what, "%s.grains", r->what);
    if (!scree_input_read(r->input, node, NULL, what, scree_end_condition_grains_params, &beyond))
        return;
    scree_end_condition_check_count(r, node, "grains", &beyond.n);
    if (scree_vec_norm(beyond.normal) == 0.0)
        scree_input_error(r->input, scree_node_find(node, "normal"),
                          "%s: 'normal' is zero, expected a direction such as [0, 0, 1]", what);
    memcpy(r->until->point, beyond.point, sizeof beyond.point);
    memcpy(r->until->normal, beyond.normal, sizeof beyond.normal);
    r->until->grains = beyond.n;
}

static void read_bound(const struct scree_end_condition_reading *r, const struct scree_node *node)
{
    struct bound bound;
    char what[128];
    snprintf(what, sizeof what, "%s.at_most", r->what);
    if (!scree_input_read(r->input, node, NULL, what, scree_end_condition_bound_params, &bound))
        return;
    if (isnan(bound.time) == (bound.steps == INT64_MIN)) {
        scree_input_error(r->input, node, "%s: give one of time, steps", what);
        return;
    }
    r->until->most = !isnan(bound.time) ? steps_of(r, bound.time) : bound.steps;
    r->until->required = bound.required;
}

/* Either a length, or conditions and a bound. */
static void check_end(const struct scree_end_condition_reading *r,
                      const struct scree_end_condition_keys *keys)
{
    struct scree_end_condition *u = r->until;
    bool timed = !isnan(keys->time), counted = keys->steps != INT64_MIN;
    bool conditions = scree_end_condition_has_conditions(u);
    if (timed && counted)
        scree_input_error(r->input, r->node, "%s: give only one of time, steps", r->what);
    if ((timed || counted) && (conditions || keys->at_most != NULL))
        scree_input_error(r->input, r->node,
                          "%s: '%s' is how long it lasts, whatever happens; with conditions, say "
                          "'at_most: {%s: ...}' (and 'after', if they are to wait)",
                          r->what, timed ? "time" : "steps", timed ? "time" : "steps");
    else if (conditions && keys->at_most == NULL)
        scree_input_error(r->input, r->node,
                          "%s: give 'at_most', such as {time: 1 s}: the conditions might never be "
                          "met",
                          r->what);
    else if (!timed && !counted && !conditions)
        scree_input_error(r->input, r->node, "%s: give time, steps or conditions", r->what);
    if (timed) u->steps = steps_of(r, keys->time);
    if (counted) u->steps = keys->steps;
}

static void refuse_end(const struct scree_end_condition_reading *r)
{
    static const char *const words[] = {"time", "steps", "at_most", "after"};
    for (size_t k = 0; k < sizeof words / sizeof words[0]; k++) {
        const struct scree_node *node = scree_node_find(r->node, words[k]);
        if (node != NULL)
            scree_input_error(r->input, node, "%s: '%s' has no place here, only conditions",
                              r->what, words[k]);
    }
    if (!scree_end_condition_has_conditions(r->until))
        scree_input_error(r->input, r->node, "%s: give conditions", r->what);
}

void scree_end_condition_read(struct scree_end_condition *until, struct scree_input *input,
                              const struct scree_node *node, const char *what, bool stop,
                              const struct scree_end_condition_setting *setting)
{
    struct scree_end_condition_reading r = {until, input, node, what, setting};
    struct scree_end_condition_keys keys;
    int before = scree_input_n_errors(input);
    scree_input_read(input, node, NULL, what, scree_end_condition_params(setting->dimension),
                     &keys);
    *until = (struct scree_end_condition){.check = keys.check,
                                          .energy_ratio = keys.energy_ratio,
                                          .speed = keys.speed,
                                          .coordination = keys.coordination,
                                          .servos = keys.servos,
                                          .wall = -1,
                                          .displacement = keys.displacement,
                                          .strain = keys.strain,
                                          .shear = keys.shear,
                                          .angle = keys.angle,
                                          .force = scree_end_condition_any_range,
                                          .stress = scree_end_condition_any_range,
                                          .area = keys.area,
                                          .touched = -1,
                                          .contacts = {INT64_MIN, INT64_MIN},
                                          .grains = {INT64_MIN, INT64_MIN}};
    scree_end_condition_clear_deformation(&until->cell);
    if (keys.after > 0.0) until->after = steps_of(&r, keys.after);
    if (scree_node_kind(node) != SCREE_NODE_MAP) return;
    scree_end_condition_check_wall(&r, &keys);
    if (keys.contacts != NULL) scree_end_condition_read_contacts(&r, keys.contacts);
    if (keys.grains != NULL) read_grains(&r, keys.grains);
    if (keys.cell != NULL) scree_end_condition_read_deformation(&r, keys.cell);
    if (!isnan(until->servos) && scree_walls_n_servos(setting->walls) == 0 && !setting->cell_servos)
        scree_input_error(input, scree_node_find(node, "servos"), "%s: 'servos', but %s one", what,
                          setting->deforms ? "the cell never has" : "no wall has");
    if (keys.at_most != NULL) read_bound(&r, keys.at_most);
    if (scree_input_n_errors(input) > before) return; /* one thing after the other */
    if (stop)
        refuse_end(&r);
    else
        check_end(&r, &keys);
}

bool scree_end_condition_has_conditions(const struct scree_end_condition *u)
{
    const double number[] = {u->energy_ratio, u->speed,  u->coordination, u->servos,
                             u->displacement, u->strain, u->shear,        u->angle};
    bool any = u->touched >= 0 || u->grains.at_least != INT64_MIN ||
               u->grains.at_most != INT64_MIN || scree_end_condition_has_range(&u->force) ||
               scree_end_condition_has_range(&u->stress);
    for (size_t k = 0; k < sizeof number / sizeof number[0]; k++) any = any || !isnan(number[k]);
    return any || scree_end_condition_has_deformation(&u->cell);
}
