/* SPDX-License-Identifier: BSD-3-Clause
 * Reading the section `boundaries` of a stage: new drives. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "scree/alloc.h"
#include "shape.h"
#include "tilt.h"
#include "walls_read.h"

/* One direction of the axis serves all stages: where a wall is follows from an offset and an angle.
 * Its point is a place in space when the stage begins. */
static void take_axis(const struct scree_wall_entry *e, struct scree_wall *wall, int stage,
                      const double point[3], double place[3])
{
    bool other_axis = false, given = !isnan(point[0]);
    for (int k = 0; k < 3; k++) other_axis = other_axis || e->wall.axis[k] != wall->axis[k];
    if (wall->turns && other_axis) {
        scree_input_error(e->input, e->node,
                          "wall '%s' turns about another axis than before; one serves all stages",
                          wall->name);
        return;
    }
    memcpy(wall->axis, e->wall.axis, sizeof wall->axis);
    if (given && stage == 0 && !wall->turns)
        memcpy(wall->pivot, point, sizeof wall->pivot); /* it has not moved yet */
    else if (given)
        memcpy(place, point, sizeof wall->pivot);
}

/* One point and one pair of directions serve all stages for tilting. */
static void take_tilt(const struct scree_wall_entry *e, struct scree_wall *wall,
                      const double point[3], struct scree_servo tilt[SCREE_WALL_TILTS])
{
    struct scree_wall trial = *wall;
    bool other = false;
    memcpy(trial.across, e->wall.across, sizeof trial.across);
    memcpy(trial.tilt, e->wall.tilt, sizeof trial.tilt);
    scree_tilt_aim(&trial, e->input, scree_node_find(e->node, "tilt"), e->box->dimension);
    for (int k = 0; k < 3; k++)
        other = other || trial.across[0][k] != wall->across[0][k] ||
                trial.across[1][k] != wall->across[1][k] ||
                (!isnan(point[0]) && point[k] != wall->pivot[k]);
    if (wall->tilts && other)
        scree_input_error(e->input, scree_node_find(e->node, "tilt"),
                          "wall '%s' tilts about another point or other directions than before; "
                          "one serves all stages",
                          wall->name);
    memcpy(wall->across, trial.across, sizeof wall->across);
    memcpy(tilt, trial.tilt, sizeof trial.tilt);
    if (!isnan(point[0])) memcpy(wall->pivot, point, sizeof wall->pivot);
}

/* The drive that was read into `e`, for one of the walls of its name. */
static void add_change(struct scree_walls *walls, const struct scree_wall_entry *e, int w,
                       int stage, const double point[3])
{
    struct scree_wall *wall = &walls->wall[w], trial = *wall;
    struct scree_wall_change *change = &walls->change[walls->n_changes++];
    struct scree_wall_drive *drive = &change->drive;
    bool turns =
        e->wall.spin.law != NULL || (e->wall.servo.on && e->wall.servo.kind == SCREE_MOTION_TURN);
    *change = (struct scree_wall_change){.stage = stage, .wall = w, .drive.point = {NAN, NAN, NAN}};
    if (turns) take_axis(e, wall, stage, point, drive->point);
    scree_motion_copy(&drive->move, &e->wall.move);
    scree_motion_copy(&drive->spin, &e->wall.spin);
    memcpy(drive->steady, e->wall.steady, sizeof drive->steady);
    drive->servo = trial.servo = e->wall.servo;
    memcpy(trial.steady, e->wall.steady, sizeof trial.steady);
    memcpy(trial.direction, e->wall.direction, sizeof trial.direction);
    memcpy(trial.axis, wall->axis, sizeof trial.axis);
    if (drive->servo.on) scree_servo_aim(&trial, e->input, scree_node_find(e->node, "servo"));
    memcpy(drive->direction, trial.direction, sizeof drive->direction);
    if (e->wall.tilt[0].on) take_tilt(e, wall, point, drive->tilt);
    scree_wall_expect(wall, drive, e->box);
    if (!isnan(drive->point[0])) memcpy(trial.pivot, drive->point, sizeof trial.pivot);
    trial.turns = wall->turns;
    trial.tilts = wall->tilts;
    if (drive->tilt[0].on)
        scree_tilt_check_joints(walls, wall, e->input, scree_node_find(e->node, "tilt"));
    scree_wall_check_box(e, &trial);
}

static bool is_called(const struct scree_wall *wall, const char *name)
{
    size_t n = strlen(name);
    return strcmp(wall->name, name) == 0 ||
           (wall->is_piece && strncmp(wall->name, name, n) == 0 && wall->name[n] == '.');
}

static void refuse_name(struct scree_wall_entry *e, const struct scree_walls *walls)
{
    const char **names = scree_alloc((size_t)walls->n + 1, sizeof *names);
    for (int w = 0; w < walls->n; w++) names[w] = walls->wall[w].name;
    names[walls->n] = NULL;
    scree_input_unknown(e->input, e->node, "wall", e->wall.name, names);
    scree_node_mark_all_used(e->node);
    scree_alloc_free(names);
}

static void read_change(struct scree_walls *walls, struct scree_wall_entry *e, int stage)
{
    struct scree_wall_keys keys = {0};
    double point[3] = {NAN, NAN, NAN};
    char what[80];
    int first = 0;
    snprintf(what, sizeof what, "boundary '%s'", e->wall.name);
    while (first < walls->n && !is_called(&walls->wall[first], e->wall.name)) first++;
    if (first == walls->n) {
        refuse_name(e, walls);
        return;
    }
    bool rests = strcmp(scree_node_text(e->node), "fixed") == 0, good = true;
    memcpy(e->wall.axis, walls->wall[first].axis, sizeof e->wall.axis);
    if (rests)
        scree_node_mark_used(e->node);
    else if (scree_node_kind(e->node) == SCREE_NODE_SCALAR)
        scree_input_error(e->input, e->node,
                          "%s: expected a map (velocity, move, rotate, servo, tilt) "
                          "or the word 'fixed'",
                          what);
    else
        good = scree_input_read(e->input, e->node, NULL, what, scree_walls_drive_params(), &keys) &&
               scree_wall_read_drive(e, &keys, point);
    for (int w = first; w < walls->n && good; w++)
        if (is_called(&walls->wall[w], e->wall.name)) add_change(walls, e, w, stage, point);
    scree_motion_clear(&e->wall.move);
    scree_motion_clear(&e->wall.spin);
}

void scree_walls_read_stage(struct scree_walls *walls, struct scree_input *input,
                            const struct scree_node *node, int stage, const struct scree_box *box)
{
    if (node == NULL) return;
    scree_node_mark_used(node);
    if (scree_node_kind(node) != SCREE_NODE_MAP) {
        scree_input_error(input, node, "boundaries: expected a map (name: {velocity: ...})");
        scree_node_mark_all_used(node);
        return;
    }
    int n = scree_node_count(node), most = walls->n_changes + n * walls->n;
    walls->change = scree_alloc_resize(walls->change, (size_t)walls->n_changes, (size_t)most + 1,
                                       sizeof *walls->change);
    for (int k = 0; k < n; k++) {
        struct scree_wall_entry e = {.input = input, .node = scree_node_item(node, k), .box = box};
        e.wall.name = scree_node_key(node, k);
        e.wall.move.kind = SCREE_MOTION_SHIFT;
        e.wall.spin.kind = SCREE_MOTION_TURN;
        read_change(walls, &e, stage);
    }
}
