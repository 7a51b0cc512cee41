/* SPDX-License-Identifier: BSD-3-Clause
 * One wall in motion: where it is by now, and where grains are with respect to it. */
#include "scree/wall.h"

#include <math.h>
#include <string.h>

#include "scree/vec.h"
#include "tilt.h"

enum { BLOCK = 64 };

void scree_wall_rotation(const double axis[3], double angle, double turn[3][3])
{
    static const double none[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    memcpy(turn, none, sizeof none);
    if (angle == 0.0) return;
    const double *u = axis;
    double c = cos(angle), s = sin(angle);
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) turn[a][b] = c * none[a][b] + (1.0 - c) * u[a] * u[b];
    turn[0][1] -= s * u[2];
    turn[0][2] += s * u[1];
    turn[1][0] += s * u[2];
    turn[1][2] -= s * u[0];
    turn[2][0] -= s * u[1];
    turn[2][1] += s * u[0];
}

static void make_turn(struct scree_wall *wall)
{
    if (wall->changes_by_turning)
        scree_wall_turned(wall, false, wall->turn);
    else
        scree_wall_rotation(wall->axis, 0.0, wall->turn);
}

/* From the axis of a wall, or from the point about which it tilts. */
static double distance_from(const struct scree_wall *wall, const double d[3])
{
    double across[3];
    if (wall->tilts) return scree_vec_norm(d);
    scree_vec_cross(wall->axis, d, across);
    return scree_vec_norm(across);
}

/* Farthest corner of the box from a point of the axis. */
static double box_reach(const struct scree_wall *wall, const double point[3],
                        const struct scree_box *box)
{
    double farthest = 0.0;
    for (int corner = 0; corner < 8; corner++) {
        double d[3];
        for (int k = 0; k < 3; k++)
            d[k] = ((corner >> k & 1) != 0 ? box->high[k] : box->low[k]) - point[k];
        farthest = fmax(farthest, distance_from(wall, d));
    }
    return farthest;
}

static double bound_reach(const struct scree_wall *wall)
{
    double d[3];
    for (int k = 0; k < 3; k++) d[k] = wall->centre[k] - wall->pivot[k];
    return distance_from(wall, d) + wall->radius;
}

void scree_wall_widen_reach(struct scree_wall *wall)
{
    if (wall->changes_by_turning && !isinf(wall->radius))
        wall->reach = fmax(wall->reach, bound_reach(wall));
}

static bool has_servo(const struct scree_wall *wall, enum scree_motion_kind kind)
{
    return wall->servo.on && wall->servo.kind == kind;
}

void scree_wall_init(struct scree_wall *wall, const struct scree_box *box)
{
    const struct scree_wall_shape *shape = wall->shape;
    shape->bound(wall->values, wall->centre, &wall->radius);
    if (shape->parts != NULL) {
        struct scree_wall_surface surface;
        shape->parts->describe(wall->values, &surface);
        wall->smooth = surface.smooth;
        wall->slack = surface.slack;
    }
    bool bounded = !isinf(wall->radius);
    for (int k = 0; k < 3; k++) {
        bool spans = shape->spans != NULL && shape->spans(wall->values, k, box->length[k]);
        wall->endless[k] = box->periodic[k] && (!bounded || spans);
        wall->period[k] = box->periodic[k] && !wall->endless[k] ? box->length[k] : 0.0;
    }
    struct scree_wall_drive first = {
        .point = {NAN, NAN, NAN}, .move = wall->move, .spin = wall->spin, .servo = wall->servo};
    memcpy(first.steady, wall->steady, sizeof first.steady);
    memcpy(first.tilt, wall->tilt, sizeof first.tilt);
    scree_wall_expect(wall, &first, box);
    scree_wall_move(wall, 0.0);
    wall->moved = 0.0;
}

static bool turns_by(const struct scree_motion *spin, const struct scree_servo *servo)
{
    return spin->law != NULL || (servo->on && servo->kind == SCREE_MOTION_TURN);
}

/* Does turning leave it as it is? A point in space may be anywhere on a wall that has been shifted
 * before. */
static bool revolves(const struct scree_wall *wall, const double point[3])
{
    const struct scree_wall_shape *shape = wall->shape;
    if (shape->revolves == NULL || !shape->revolves(wall->values, wall->pivot, wall->axis))
        return false;
    if (isnan(point[0])) return true;
    return !wall->shifts && shape->revolves(wall->values, point, wall->axis);
}

void scree_wall_expect(struct scree_wall *wall, const struct scree_wall_drive *drive,
                       const struct scree_box *box)
{
    const struct scree_servo *servo = &drive->servo;
    wall->shifts = wall->shifts || drive->move.law != NULL || scree_vec_norm(drive->steady) > 0.0 ||
                   (servo->on && servo->kind == SCREE_MOTION_SHIFT);
    wall->turns = wall->turns || turns_by(&drive->spin, servo);
    if (servo->on && !wall->has_servo) wall->first_servo_turns = servo->kind == SCREE_MOTION_TURN;
    wall->has_servo = wall->has_servo || servo->on;
    wall->tilts = wall->tilts || drive->tilt[0].on;
    wall->changes_by_turning =
        wall->changes_by_turning || wall->tilts || (wall->turns && !revolves(wall, drive->point));
    scree_wall_widen_reach(wall);
    /* Beyond half the reach of a wall without end grains always count as near. */
    const double *point = isnan(drive->point[0]) ? wall->pivot : drive->point;
    if (wall->changes_by_turning && isinf(wall->radius))
        wall->reach = fmax(wall->reach, 4.0 * box_reach(wall, point, box));
    make_turn(wall);
}

void scree_wall_set_drive(struct scree_wall *wall, const struct scree_wall_drive *drive)
{
    scree_motion_clear(&wall->move);
    scree_motion_clear(&wall->spin);
    scree_motion_copy(&wall->move, &drive->move);
    scree_motion_copy(&wall->spin, &drive->spin);
    memcpy(wall->steady, drive->steady, sizeof wall->steady);
    memcpy(wall->direction, drive->direction, sizeof wall->direction);
    wall->servo = drive->servo;
    memcpy(wall->tilt, drive->tilt, sizeof wall->tilt);
}

/* What a servo did to the grains remains on its account. */
static void begin_servo(struct scree_servo *servo, double work)
{
    servo->state = (struct scree_servo_state){.work = work};
    servo->begins = servo->on;
}

/* From now on it turns about the part of it that is at this place now: pivot and offset become
 * others, and it stays where it is. */
static void move_pivot(struct scree_wall *wall, const double place[3])
{
    double turn[3][3], way[3];
    scree_wall_turned(wall, false, turn);
    for (int k = 0; k < 3; k++) way[k] = place[k] - wall->pivot[k] - wall->offset[k];
    for (int k = 0; k < 3; k++) {
        wall->pivot_shift[k] = turn[0][k] * way[0] + turn[1][k] * way[1] + turn[2][k] * way[2];
        wall->pivot[k] += wall->pivot_shift[k];
        wall->offset[k] = place[k] - wall->pivot[k];
    }
    scree_wall_widen_reach(wall);
}

void scree_wall_begin(struct scree_wall *wall, const struct scree_wall_drive *drive, double t,
                      double dt)
{
    double work = scree_servo_work(&wall->servo, dt), tilt_work[SCREE_WALL_TILTS];
    for (int s = 0; s < SCREE_WALL_TILTS; s++) tilt_work[s] = scree_servo_work(&wall->tilt[s], dt);
    if (!isnan(drive->point[0])) move_pivot(wall, drive->point);
    wall->since = t;
    wall->base_angle = wall->angle;
    memcpy(wall->base, wall->offset, sizeof wall->base);
    memcpy(wall->base_tilt, wall->tilt_angle, sizeof wall->base_tilt);
    scree_wall_set_drive(wall, drive);
    begin_servo(&wall->servo, work);
    for (int s = 0; s < SCREE_WALL_TILTS; s++) begin_servo(&wall->tilt[s], tilt_work[s]);
}

void scree_wall_move(struct scree_wall *wall, double t)
{
    double path, rate, went[3];
    memcpy(wall->offset_before, wall->offset, sizeof wall->offset);
    wall->angle_before = wall->angle;
    t -= wall->since;
    scree_motion_at(&wall->move, t, &path, &rate);
    if (has_servo(wall, SCREE_MOTION_SHIFT)) {
        path = wall->servo.state.path;
        rate = wall->servo.state.rate;
    }
    for (int k = 0; k < 3; k++) {
        wall->offset[k] = wall->base[k] + (wall->steady[k] * t + path * wall->direction[k]);
        wall->velocity[k] = wall->steady[k] + rate * wall->direction[k];
        went[k] = wall->offset_before[k] - wall->offset[k];
    }
    scree_motion_at(&wall->spin, t, &wall->angle, &wall->rate);
    if (has_servo(wall, SCREE_MOTION_TURN)) {
        wall->angle = wall->servo.state.path;
        wall->rate = wall->servo.state.rate;
    }
    wall->angle += wall->base_angle;
    for (int k = 0; k < 3; k++) wall->omega[k] = wall->rate * wall->axis[k];
    double tilted = wall->tilts ? scree_tilt_move(wall) : 0.0;
    wall->moved = scree_vec_norm(went);
    if (!wall->changes_by_turning) return;
    make_turn(wall);
    wall->moved += wall->reach * (fabs(wall->angle - wall->angle_before) + tilted);
}

bool scree_wall_shifts(const struct scree_wall *wall)
{
    return wall->shifts;
}

bool scree_wall_turns(const struct scree_wall *wall)
{
    return wall->turns;
}

/* From where a grain is to where it would be if the wall were where it was at time 0. `arm` is the
 * way from the pivot to the grain, or to its image next to the wall. */
static void take_back(const struct scree_wall *wall, const double pos[4], double arm[3],
                      double back[4])
{
    for (int k = 0; k < 3; k++) arm[k] = pos[k] - wall->offset[k];
    for (int k = 0; k < 3; k++) {
        if (wall->period[k] == 0.0) continue;
        double centre = wall->pivot[k];
        for (int c = 0; c < 3; c++) centre += wall->turn[k][c] * (wall->centre[c] - wall->pivot[c]);
        arm[k] = pos[k] - wall->period[k] * nearbyint((arm[k] - centre) / wall->period[k]) -
                 wall->offset[k];
    }
    if (wall->changes_by_turning) {
        for (int k = 0; k < 3; k++) arm[k] -= wall->pivot[k];
        for (int k = 0; k < 3; k++)
            back[k] = wall->pivot[k] + (wall->turn[0][k] * arm[0] + wall->turn[1][k] * arm[1] +
                                        wall->turn[2][k] * arm[2]);
    } else {
        for (int k = 0; k < 3; k++) {
            back[k] = arm[k];
            arm[k] -= wall->pivot[k];
        }
    }
    for (int k = 0; k < 3; k++) /* seen from its middle, where it has no ends */
        if (wall->endless[k] && !isinf(wall->radius)) back[k] = wall->centre[k];
    back[3] = pos[3];
}

/* How the surface at the contact went in the last move: along a chord, seen from half way. */
static void find_move(const struct scree_wall *wall, struct scree_wall_contact *contact)
{
    double swept[3], back[3];
    for (int k = 0; k < 3; k++) {
        contact->turned[k] = (wall->angle - wall->angle_before) * wall->axis[k];
        for (int s = 0; s < SCREE_WALL_TILTS && wall->tilts; s++)
            contact->turned[k] +=
                (wall->tilt_angle[s] - wall->tilt_before[s]) * wall->tilt_axis[s][k];
    }
    scree_vec_cross(contact->turned, contact->arm, swept);
    scree_vec_cross(contact->turned, swept, back);
    for (int k = 0; k < 3; k++)
        contact->moved[k] = (wall->offset[k] - wall->offset_before[k]) + swept[k] - 0.5 * back[k];
}

/* What the shape found, in the present place of the wall. */
static void bring_forward(const struct scree_wall *wall, const double pos[4],
                          struct scree_wall_contact *contact)
{
    double normal[3], swept[3];
    memcpy(normal, contact->at.normal, sizeof normal);
    if (wall->changes_by_turning)
        for (int k = 0; k < 3; k++) contact->at.normal[k] = scree_vec_dot(wall->turn[k], normal);
    double distance = contact->at.gap + pos[3];
    for (int k = 0; k < 3; k++) {
        contact->point[k] = pos[k] - distance * contact->at.normal[k];
        contact->arm[k] =
            wall->endless[k] ? 0.0 : contact->arm[k] - distance * contact->at.normal[k];
        contact->spin[k] = wall->omega[k];
    }
    scree_vec_cross(contact->spin, contact->arm, swept);
    for (int k = 0; k < 3; k++) contact->velocity[k] = wall->velocity[k] + swept[k];
    find_move(wall, contact);
    contact->part = 0;
    contact->hidden_by = -1;
    contact->taken_over = false;
}

void scree_wall_locate(const struct scree_wall *wall, int n, const double (*pos)[4],
                       struct scree_wall_contact *contact)
{
    for (int first = 0; first < n; first += BLOCK) {
        int m = n - first < BLOCK ? n - first : BLOCK;
        double back[BLOCK][4];
        struct scree_wall_point found[BLOCK];
        for (int i = 0; i < m; i++)
            take_back(wall, pos[first + i], contact[first + i].arm, back[i]);
        wall->shape->locate(wall->values, m, (const double(*)[4])back, found);
        for (int i = 0; i < m; i++) {
            contact[first + i].at = found[i];
            bring_forward(wall, pos[first + i], &contact[first + i]);
        }
    }
}

void scree_wall_locate_part(const struct scree_wall *wall, int32_t part, const double pos[4],
                            struct scree_wall_contact *contact)
{
    double back[4];
    if (wall->shape->parts == NULL) {
        scree_wall_locate(wall, 1, (const double(*)[4])pos, contact);
        return;
    }
    take_back(wall, pos, contact->arm, back);
    wall->shape->parts->locate(wall->values, part, back, &contact->at);
    bring_forward(wall, pos, contact);
    contact->part = part;
}

void scree_wall_find_parts(const struct scree_wall *wall, const double pos[4], double gap,
                           struct scree_wall_found *found)
{
    double back[4], arm[3];
    take_back(wall, pos, arm, back);
    wall->shape->parts->find(wall->values, back, gap, found);
}

/* Nothing of it has moved, and there is one of it. */
static bool is_home(const struct scree_wall *wall)
{
    bool home = !wall->changes_by_turning;
    for (int k = 0; k < 3; k++)
        home = home && wall->offset[k] == 0.0 && wall->period[k] == 0.0 && !wall->endless[k];
    return home;
}

void scree_wall_gaps(const struct scree_wall *wall, int n, const double (*pos)[4], double *gap)
{
    bool home = is_home(wall);
    for (int first = 0; first < n; first += BLOCK) {
        int m = n - first < BLOCK ? n - first : BLOCK;
        double back[BLOCK][4], arm[3];
        struct scree_wall_point found[BLOCK];
        for (int i = 0; i < m && !home; i++) take_back(wall, pos[first + i], arm, back[i]);
        wall->shape->locate(wall->values, m, home ? pos + first : (const double(*)[4])back, found);
        for (int i = 0; i < m; i++) gap[first + i] = found[i].gap;
    }
}

/* A wall without end that turns is the faster, the farther from its axis: what is beyond half of
 * the distance for which its motion was counted is looked at always. */
bool scree_wall_is_near(const struct scree_wall *wall, const double pos[4], double gap,
                        double margin)
{
    if (gap < margin) return true;
    if (!wall->changes_by_turning || !isinf(wall->radius)) return false;
    double d[3];
    for (int k = 0; k < 3; k++) d[k] = pos[k] - wall->offset[k] - wall->pivot[k];
    return distance_from(wall, d) > 0.5 * wall->reach;
}
