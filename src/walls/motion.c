/* SPDX-License-Identifier: BSD-3-Clause
 * Motions of walls: the list of laws, reading, and the time between start and stop. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "scree/alloc.h"
#include "shape.h"

#define SCREE_MOTION(name) extern const struct scree_motion_law scree_motion_##name;
#include "scree/wall_motions.def"
#undef SCREE_MOTION

#define SCREE_MOTION(name) &scree_motion_##name,
static const struct scree_motion_law *const laws[] = {
#include "scree/wall_motions.def"
};
#undef SCREE_MOTION

#define SCREE_MOTION(name) #name,
static const char *const law_names[] = {
#include "scree/wall_motions.def"
    NULL};
#undef SCREE_MOTION

struct common {
    const char *law;
    double start, stop; /* s */
    double direction[3], point[3];
};

#define AT(member) offsetof(struct common, member)
#define LAW                                                           \
    {                                                                 \
        "law", SCREE_PARAM_TEXT, "", 0, 0, "constant", NULL, AT(law), \
            "how it depends on time; see `scree list motions`"        \
    }
#define TIMES                                                                              \
    {"start", SCREE_PARAM_REAL, "s", 0, INFINITY, "0", NULL, AT(start), "at rest before"}, \
    {                                                                                      \
        "stop", SCREE_PARAM_REAL, "s", 0, INFINITY, "", NULL, AT(stop),                    \
            "at rest from then on; default: never"                                         \
    }
static const struct scree_param shift_params[] = {
    LAW,
    {"direction", SCREE_PARAM_VECTOR, "1", 0, 0, NULL, NULL, AT(direction),
     "where it goes, of any length"},
    TIMES,
    {0},
};
static const struct scree_param turn_params[] = {
    LAW,
    {"axis", SCREE_PARAM_VECTOR, "1", 0, 0, "[0, 0, 1]", NULL, AT(direction),
     "of the turn, of any length; counterclockwise when it points to the viewer"},
    {"point", SCREE_PARAM_VECTOR, "m", 0, 0, "", NULL, AT(point),
     "any point of the axis, where it is in space when this begins; default: as before, at first "
     "the middle of the wall"},
    TIMES,
    {0},
};

const struct scree_motion_law *const *scree_motion_laws(int *n)
{
    *n = sizeof laws / sizeof laws[0];
    return laws;
}

const struct scree_param *scree_motion_common_params(enum scree_motion_kind kind)
{
    return kind == SCREE_MOTION_TURN ? turn_params : shift_params;
}

static const struct scree_motion_law *find_law(struct scree_input *input,
                                               const struct scree_node *node, const char *word)
{
    for (int k = 0; word != NULL && law_names[k] != NULL; k++)
        if (strcmp(word, law_names[k]) == 0) return laws[k];
    if (word != NULL)
        scree_input_unknown(input, scree_node_find(node, "law"), "law of motion", word, law_names);
    return NULL;
}

bool scree_motion_read(struct scree_motion *motion, struct scree_input *input,
                       const struct scree_node *node, const char *name, double direction[3],
                       double point[3])
{
    bool turns = motion->kind == SCREE_MOTION_TURN;
    const char *word = turns ? "rotate" : "move";
    struct common common;
    char what[96];
    int before = scree_input_n_errors(input);
    snprintf(what, sizeof what, "%s of '%s'", word, name);
    scree_input_read(input, node, NULL, what, scree_motion_common_params(motion->kind), &common);
    motion->law = find_law(input, node, common.law);
    if (motion->law == NULL) return false;
    motion->start = common.start;
    motion->stop = isnan(common.stop) ? INFINITY : common.stop;
    if (motion->stop <= motion->start)
        scree_input_error(input, scree_node_find(node, "stop"),
                          "%s: 'stop' is %g s, not after 'start', %g s", what, motion->stop,
                          motion->start);
    scree_shape_direction(input, node, what, turns ? "axis" : "direction",
                          "a direction such as [0, 0, 1]", common.direction);
    memcpy(direction, common.direction, sizeof common.direction);
    if (point != NULL) memcpy(point, common.point, sizeof common.point);
    bool good = scree_input_read(input, node, NULL, what, motion->law->params[motion->kind],
                                 motion->values);
    if (good && motion->law->check != NULL) motion->law->check(input, node, motion);
    return scree_input_n_errors(input) == before;
}

void scree_motion_copy(struct scree_motion *to, const struct scree_motion *from)
{
    *to = *from;
    if (from->table == NULL) return;
    size_t n = 3 * (size_t)from->n_table;
    to->table = scree_alloc(n, sizeof *to->table);
    memcpy(to->table, from->table, n * sizeof *to->table);
}

void scree_motion_clear(struct scree_motion *motion)
{
    scree_alloc_free(motion->table);
    *motion = (struct scree_motion){.kind = motion->kind};
}

void scree_motion_at(const struct scree_motion *motion, double t, double *path, double *rate)
{
    *path = *rate = 0.0;
    if (motion->law == NULL || t < motion->start) return;
    motion->law->at(motion, fmin(t, motion->stop) - motion->start, path, rate);
    if (t >= motion->stop) *rate = 0.0;
}
