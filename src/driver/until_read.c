/* SPDX-License-Identifier: BSD-3-Clause
 * Reading the conditions with which a stage or a run ends. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scree/alloc.h"
#include "scree/vec.h"
#include "until.h"

struct keys {
    double time, after;
    int64_t steps, check;
    const struct scree_node *at_most, *contacts, *grains;
    const char *wall;
    double energy_ratio, speed, coordination, servos;
    double displacement, strain, shear, angle, force, stress;
};

#define AT(member) offsetof(struct keys, member)
#define KEYS(stress_unit)                                                                       \
    {                                                                                           \
        {"time",                                                                                \
         SCREE_PARAM_REAL,                                                                      \
         "s",                                                                                   \
         DBL_MIN,                                                                               \
         INFINITY,                                                                              \
         "",                                                                                    \
         NULL,                                                                                  \
         AT(time),                                                                              \
         "how long it lasts; otherwise give conditions, which must all be met, and 'at_most'"}, \
            {"steps",                                                                           \
             SCREE_PARAM_INTEGER,                                                               \
             "",                                                                                \
             1,                                                                                 \
             9e15,                                                                              \
             "",                                                                                \
             NULL,                                                                              \
             AT(steps),                                                                         \
             "instead of time: number of steps"},                                               \
            {"energy_ratio",                                                                    \
             SCREE_PARAM_REAL,                                                                  \
             "1",                                                                               \
             DBL_MIN,                                                                           \
             INFINITY,                                                                          \
             "",                                                                                \
             NULL,                                                                              \
             AT(energy_ratio),                                                                  \
             "kinetic and rotational energy are below this part of the elastic energy"},        \
            {"speed", SCREE_PARAM_REAL, "m/s",                                                  \
             DBL_MIN, INFINITY,         "",                                                     \
             NULL,    AT(speed),        "no grain that forces move is faster"},                 \
            {"coordination",                                                                    \
             SCREE_PARAM_REAL,                                                                  \
             "1",                                                                               \
             DBL_MIN,                                                                           \
             INFINITY,                                                                          \
             "",                                                                                \
             NULL,                                                                              \
             AT(coordination),                                                                  \
             "grains have at least so many contacts with grains, on average"},                  \
            {"servos",                                                                          \
             SCREE_PARAM_REAL,                                                                  \
             "1",                                                                               \
             DBL_MIN,                                                                           \
             INFINITY,                                                                          \
             "",                                                                                \
             NULL,                                                                              \
             AT(servos),                                                                        \
             "the loads of all servos differ from their targets by less than this part"},       \
            {"wall",                                                                            \
             SCREE_PARAM_TEXT,                                                                  \
             "",                                                                                \
             0,                                                                                 \
             0,                                                                                 \
             "",                                                                                \
             NULL,                                                                              \
             AT(wall),                                                                          \
             "of which the next six keys tell"},                                                \
            {"displacement", SCREE_PARAM_REAL, "m",                                             \
             DBL_MIN,        INFINITY,         "",                                              \
             NULL,           AT(displacement), "it has come so far since the stage began"},     \
            {"strain",                                                                          \
             SCREE_PARAM_REAL,                                                                  \
             "1",                                                                               \
             DBL_MIN,                                                                           \
             INFINITY,                                                                          \
             "",                                                                                \
             NULL,                                                                              \
             AT(strain),                                                                        \
             "likewise along its normal, as a part of the distance between the walls then"},    \
            {"shear", SCREE_PARAM_REAL, "1",                                                    \
             DBL_MIN, INFINITY,         "",                                                     \
             NULL,    AT(shear),        "likewise across its normal"},                          \
            {"angle", SCREE_PARAM_REAL, "rad",                                                  \
             DBL_MIN, INFINITY,         "",                                                     \
             NULL,    AT(angle),        "it has turned so far since the stage began"},          \
            {"force",                                                                           \
             SCREE_PARAM_REAL,                                                                  \
             "N",                                                                               \
             DBL_MIN,                                                                           \
             INFINITY,                                                                          \
             "",                                                                                \
             NULL,                                                                              \
             AT(force),                                                                         \
             "grains push it with at least so much, a plane along its normal"},                 \
            {"stress", SCREE_PARAM_REAL, stress_unit,                                           \
             DBL_MIN,  INFINITY,         "",                                                    \
             NULL,     AT(stress),       "likewise per area between the walls"},                \
            {"contacts",                                                                        \
             SCREE_PARAM_NODE,                                                                  \
             "",                                                                                \
             0,                                                                                 \
             0,                                                                                 \
             "",                                                                                \
             NULL,                                                                              \
             AT(contacts),                                                                      \
             "number of grains that touch a wall"},                                             \
            {"grains",                                                                          \
             SCREE_PARAM_NODE,                                                                  \
             "",                                                                                \
             0,                                                                                 \
             0,                                                                                 \
             "",                                                                                \
             NULL,                                                                              \
             AT(grains),                                                                        \
             "number of grains beyond a plane"},                                                \
            {"after", SCREE_PARAM_REAL, "s",                                                    \
             0,       INFINITY,         "0",                                                    \
             NULL,    AT(after),        "time before which conditions are not looked at"},      \
            {"check",                                                                           \
             SCREE_PARAM_INTEGER,                                                               \
             "",                                                                                \
             1,                                                                                 \
             9e15,                                                                              \
             "100",                                                                             \
             NULL,                                                                              \
             AT(check),                                                                         \
             "steps between looks at the conditions"},                                          \
            {"at_most",                                                                         \
             SCREE_PARAM_NODE,                                                                  \
             "",                                                                                \
             0,                                                                                 \
             0,                                                                                 \
             "",                                                                                \
             NULL,                                                                              \
             AT(at_most),                                                                       \
             "when it ends with a warning if the conditions are not met"},                      \
        {                                                                                       \
            0                                                                                   \
        }                                                                                       \
    }
static const struct scree_param keys_2d[] = KEYS("N/m"), keys_3d[] = KEYS("Pa");
#undef AT

struct bound {
    double time;
    int64_t steps;
    bool required;
};
#define AT(member) offsetof(struct bound, member)
const struct scree_param scree_until_bound_params[] = {
    {"time", SCREE_PARAM_REAL, "s", DBL_MIN, INFINITY, "", NULL, AT(time), "since it began"},
    {"steps", SCREE_PARAM_INTEGER, "", 1, 9e15, "", NULL, AT(steps), "instead of time"},
    {"required", SCREE_PARAM_BOOL, "", 0, 0, "false", NULL, AT(required),
     "end the run with an error then, not with a warning"},
    {0},
};
#undef AT

struct count {
    const char *wall;
    double point[3], normal[3];
    struct scree_until_count n;
};
#define AT(member) offsetof(struct count, member)
#define COUNTS                                                                               \
    {"at_least", SCREE_PARAM_INTEGER, "", 0, 9e15, "", NULL, AT(n.at_least), "so many"},     \
        {"at_most", SCREE_PARAM_INTEGER, "", 0, 9e15, "", NULL, AT(n.at_most), "or so few"}, \
    {                                                                                        \
        0                                                                                    \
    }
const struct scree_param scree_until_contacts_params[] = {
    {"wall", SCREE_PARAM_TEXT, "", 0, 0, NULL, NULL, AT(wall), "which is touched"},
    COUNTS,
};
const struct scree_param scree_until_grains_params[] = {
    {"point", SCREE_PARAM_VECTOR, "m", 0, 0, NULL, NULL, AT(point), "of the plane"},
    {"normal", SCREE_PARAM_VECTOR, "1", 0, 0, NULL, NULL, AT(normal),
     "of the plane, of any length: centres on the side to which it points count"},
    COUNTS,
};

const struct scree_param *scree_until_params(int dimension)
{
    return dimension == 2 ? keys_2d : keys_3d;
}

/* What is being read. */
struct reading {
    struct scree_until *until;
    struct scree_input *input;
    const struct scree_node *node;
    const char *what;
    const struct scree_until_setting *setting;
};

static int find_wall(const struct reading *r, const struct scree_node *node, const char *name)
{
    const struct scree_boundaries *walls = r->setting->walls;
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

static int64_t steps_of(const struct reading *r, double time)
{
    return (int64_t)fmin(fmax(ceil(time / r->setting->dt - 1e-9), 1.0), 9e15);
}

static void check_count(const struct reading *r, const struct scree_node *node, const char *key,
                        const struct scree_until_count *n)
{
    if ((n->at_least == INT64_MIN) == (n->at_most == INT64_MIN))
        scree_input_error(r->input, node, "%s: '%s' wants one of at_least, at_most", r->what, key);
}

static void read_counts(const struct reading *r, const struct keys *keys)
{
    struct count count;
    char what[128];
    if (keys->contacts != NULL) {
        snprintf(what, sizeof what, "%s.contacts", r->what);
        if (scree_input_read(r->input, keys->contacts, NULL, what, scree_until_contacts_params,
                             &count)) {
            check_count(r, keys->contacts, "contacts", &count.n);
            r->until->touched = find_wall(r, scree_node_find(keys->contacts, "wall"), count.wall);
            r->until->contacts = count.n;
        }
    }
    if (keys->grains == NULL) return;
    snprintf(what, sizeof what, "%s.grains", r->what);
    if (!scree_input_read(r->input, keys->grains, NULL, what, scree_until_grains_params, &count))
        return;
    check_count(r, keys->grains, "grains", &count.n);
    if (scree_vec_norm(count.normal) == 0.0)
        scree_input_error(r->input, scree_node_find(keys->grains, "normal"),
                          "%s: 'normal' is zero, expected a direction such as [0, 0, 1]", what);
    memcpy(r->until->point, count.point, sizeof count.point);
    memcpy(r->until->normal, count.normal, sizeof count.normal);
    r->until->grains = count.n;
}

/* Strains and stresses need a plane that faces along an axis. */
static bool faces_along_axis(const struct scree_wall *wall)
{
    double normal[3];
    if (wall->shape->facing == NULL || scree_wall_turns(wall)) return false;
    wall->shape->facing(wall->values, normal);
    return fabs(normal[0]) == 1.0 || fabs(normal[1]) == 1.0 || fabs(normal[2]) == 1.0;
}

static void check_wall(const struct reading *r, const struct keys *keys)
{
    struct scree_until *u = r->until;
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

static void read_bound(const struct reading *r, const struct scree_node *node)
{
    struct bound bound;
    char what[128];
    snprintf(what, sizeof what, "%s.at_most", r->what);
    if (!scree_input_read(r->input, node, NULL, what, scree_until_bound_params, &bound)) return;
    if (isnan(bound.time) == (bound.steps == INT64_MIN))
        scree_input_error(r->input, node, "%s: give one of time, steps", what);
    r->until->most = !isnan(bound.time) ? steps_of(r, bound.time) : bound.steps;
    r->until->required = bound.required;
}

/* Either a length, or conditions and a bound. */
static void check_end(const struct reading *r, const struct keys *keys)
{
    struct scree_until *u = r->until;
    bool timed = !isnan(keys->time), counted = keys->steps != INT64_MIN;
    bool conditions = scree_until_has_conditions(u);
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

static void refuse_end(const struct reading *r)
{
    static const char *const words[] = {"time", "steps", "at_most", "after"};
    for (size_t k = 0; k < sizeof words / sizeof words[0]; k++) {
        const struct scree_node *node = scree_node_find(r->node, words[k]);
        if (node != NULL)
            scree_input_error(r->input, node, "%s: '%s' has no place here, only conditions",
                              r->what, words[k]);
    }
    if (!scree_until_has_conditions(r->until))
        scree_input_error(r->input, r->node, "%s: give conditions", r->what);
}

void scree_until_read(struct scree_until *until, struct scree_input *input,
                      const struct scree_node *node, const char *what, bool stop,
                      const struct scree_until_setting *setting)
{
    struct reading r = {until, input, node, what, setting};
    struct keys keys;
    int before = scree_input_n_errors(input);
    scree_input_read(input, node, NULL, what, scree_until_params(setting->dimension), &keys);
    *until = (struct scree_until){.check = keys.check,
                                  .energy_ratio = keys.energy_ratio,
                                  .speed = keys.speed,
                                  .coordination = keys.coordination,
                                  .servos = keys.servos,
                                  .wall = -1,
                                  .displacement = keys.displacement,
                                  .strain = keys.strain,
                                  .shear = keys.shear,
                                  .angle = keys.angle,
                                  .force = keys.force,
                                  .stress = keys.stress,
                                  .touched = -1,
                                  .contacts = {INT64_MIN, INT64_MIN},
                                  .grains = {INT64_MIN, INT64_MIN}};
    if (keys.after > 0.0) until->after = steps_of(&r, keys.after);
    if (scree_node_kind(node) != SCREE_NODE_MAP) return;
    check_wall(&r, &keys);
    read_counts(&r, &keys);
    if (!isnan(until->servos) && scree_boundaries_n_servos(setting->walls) == 0)
        scree_input_error(input, scree_node_find(node, "servos"),
                          "%s: 'servos', but no wall has one", what);
    if (keys.at_most != NULL) read_bound(&r, keys.at_most);
    if (scree_input_n_errors(input) > before) return; /* one thing after the other */
    if (stop)
        refuse_end(&r);
    else
        check_end(&r, &keys);
}

bool scree_until_has_conditions(const struct scree_until *u)
{
    const double number[] = {u->energy_ratio, u->speed, u->coordination, u->servos, u->displacement,
                             u->strain,       u->shear, u->angle,        u->force,  u->stress};
    bool any = u->touched >= 0 || u->grains.at_least != INT64_MIN || u->grains.at_most != INT64_MIN;
    for (size_t k = 0; k < sizeof number / sizeof number[0]; k++) any = any || !isnan(number[k]);
    return any;
}
