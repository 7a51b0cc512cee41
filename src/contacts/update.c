/* SPDX-License-Identifier: BSD-3-Clause
 * When pair lists and near lists must be made anew.
 *
 * Pair lists hold as long as no grain has moved farther than half the skin. All ranks look at that
 * together, but rarely: at each look they agree on the step of the next one, early enough that
 * nobody can have outrun the lists by then unless speeds more than double. Should that happen all
 * the same, the run stops rather than miss a contact. Near lists hold until the motion of this
 * rank's grains may have used up their margin, which each rank knows by itself. */
#include <math.h>

#include "lists.h"
#include "near_impl.h"
#include "scree/status.h"

enum { NEAR_STEPS = 16, LONGEST_INTERVAL = 1024 };

/* A margin that the present speed uses up in NEAR_STEPS steps: long enough that updates are rare,
 * short enough that few of the near pairs are far apart. */
double scree_lists_near_margin(const struct scree_contacts *contacts,
                               const struct scree_contacts_motion *motion, double closing_speed)
{
    double skin = contacts->list.skin;
    double margin = NEAR_STEPS * closing_speed * motion->dt;
    return fmin(fmax(margin, 0.01 * skin), skin);
}

/* m/s; with which gaps of such pairs close at most. */
static double closing_speed(const struct scree_contacts *contacts, enum scree_near_kind kind,
                            const struct scree_contacts_motion *motion)
{
    if (kind == SCREE_NEAR_WALL)
        return motion->speed + scree_walls_moved(contacts->world.walls) / motion->dt;
    double other = scree_near_is_cut(kind) ? motion->speed_around : motion->speed;
    return motion->speed + other + scree_flow_closing(contacts, motion->largest_radius);
}

void scree_contacts_update_near(struct scree_contacts *contacts, enum scree_near_kind kind,
                                const struct scree_contacts_motion *motion)
{
    struct scree_near *near = &contacts->near[kind];
    double closing = closing_speed(contacts, kind, motion);
    near->used += closing * motion->dt;
    if (near->used <= near->margin) return;
    enum scree_phase before = scree_timer_switch(contacts->world.timer, SCREE_PHASE_NEIGHBOURS);
    scree_near_take(contacts, kind, scree_lists_near_margin(contacts, motion, closing));
    contacts->n_near_updates++;
    scree_timer_switch(contacts->world.timer, before);
}

void scree_contacts_check_next(struct scree_contacts *contacts, int64_t step)
{
    contacts->next_check = step + 1;
    contacts->check_interval = 1;
}

/* Steps until half of `distance` could be covered from `speed` with `acceleration`. */
static int64_t steps_to_cover(double distance, double speed, double acceleration, double dt)
{
    double half = 0.5 * distance;
    double time = 2.0 * half / (speed + sqrt(speed * speed + 2.0 * acceleration * half) + 1e-300);
    double steps = floor(time / dt);
    return steps > LONGEST_INTERVAL ? LONGEST_INTERVAL : (int64_t)steps;
}

/* What all ranks know of the motion when they look at the lists. */
struct look {
    double skin;                       /* m; that the flow has left */
    double moved, speed, acceleration; /* m, m/s, m/s^2; largest of all grains, with the share of
                                        * the flow that a grain may be thought to have */
};

static enum scree_status look_at_lists(const struct scree_contacts *contacts,
                                       const struct scree_contacts_motion *motion,
                                       struct look *look)
{
    struct scree_comm *comm = contacts->world.comm;
    double radius = motion->largest_radius, skin = scree_flow_skin_left(contacts, radius);
    scree_lid slot;
    double moved = scree_flow_moved(contacts, &slot);
    double most[3] = {moved, motion->speed, motion->acceleration};
    enum scree_status status = SCREE_OK;
    scree_comm_max(comm, most, 3);
    if (moved > 0.5 * skin)
        status =
            SCREE_FAIL(SCREE_PHYSICS,
                       "step %lld: grain %lld moved %g m between two list checks %lld steps "
                       "apart, more than half the skin of %g m: its speed of %g m/s rose too "
                       "suddenly; use a smaller time step or a larger neighbours.skin",
                       (long long)motion->step, (long long)contacts->world.particles->gid[slot],
                       moved, (long long)contacts->check_interval, skin, motion->speed);
    *look = (struct look){
        .skin = skin,
        .moved = most[0],
        .speed = most[1] + 0.5 * scree_flow_closing_to_come(contacts, radius),
        .acceleration = most[2] + 0.5 * scree_flow_closing_acceleration(contacts, radius),
    };
    return scree_comm_agree(comm, status);
}

/* `steps`: that the lists hold for. A wall may set grains in motion that were at rest, to twice its
 * speed; and what was calm for long is not trusted to remain so for much longer. */
static void set_next_check(struct scree_contacts *contacts,
                           const struct scree_contacts_motion *motion, double skin, int64_t steps)
{
    const struct scree_contacts_world *world = &contacts->world;
    double pushed = 2.0 * scree_walls_moved(world->walls) / motion->dt;
    double pushing = 2.0 * scree_walls_acceleration(world->walls);
    int64_t steps_pushed = steps_to_cover(0.5 * skin, pushed, pushing, motion->dt);
    int64_t most = 2 * contacts->check_interval + 8;
    int64_t due = scree_balance_next_due(world->balance, motion->step) - motion->step;
    if (steps > steps_pushed) steps = steps_pushed > 1 ? steps_pushed : 1;
    if (steps > most) steps = most;
    if (steps > due) steps = due;
    contacts->check_interval = steps;
    contacts->next_check = motion->step + steps;
}

static enum scree_status check_lists(struct scree_contacts *contacts,
                                     const struct scree_contacts_motion *motion, bool *rebuilt)
{
    double dt = motion->dt;
    struct look look;
    SCREE_TRY(look_at_lists(contacts, motion, &look));
    int64_t steps = steps_to_cover(0.5 * look.skin - look.moved, look.speed, look.acceleration, dt);
    *rebuilt = steps < 2 || scree_balance_is_due(contacts->world.balance, motion->step);
    if (*rebuilt) {
        scree_contacts_detach_history(contacts);
        SCREE_TRY(scree_contacts_rebuild(contacts, motion));
        look.skin = contacts->list.skin;
        steps = steps_to_cover(0.5 * look.skin, look.speed, look.acceleration, dt);
        SCREE_CHECK(steps >= 1, SCREE_PHYSICS,
                    "step %lld: grains move %g m per step, too much for the skin of %g m; use a "
                    "smaller time step or a larger neighbours.skin",
                    (long long)motion->step, look.speed * dt, look.skin);
    }
    set_next_check(contacts, motion, look.skin, steps);
    return SCREE_OK;
}

enum scree_status scree_contacts_update(struct scree_contacts *contacts,
                                        const struct scree_contacts_motion *motion, bool *rebuilt)
{
    *rebuilt = false;
    bool flipped = scree_flow_flip(contacts);
    if (flipped || motion->reach > contacts->list.reach) {
        if (!flipped) scree_contacts_detach_history(contacts);
        *rebuilt = true;
        scree_contacts_check_next(contacts, motion->step);
        return scree_contacts_rebuild(contacts, motion);
    }
    if (!scree_contacts_is_check(contacts, motion->step)) return SCREE_OK;
    return check_lists(contacts, motion, rebuilt);
}
