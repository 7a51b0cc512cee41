/* SPDX-License-Identifier: BSD-3-Clause
 * When pair lists and near lists must be made anew.
 *
 * Pair lists hold as long as no grain has moved farther than half the skin. In every step each rank
 * adds up how far its fastest grain went, a bound for all of them. Before that may have used up
 * what is left, it votes for a look: all ranks learn of it in the next step, find how far grains
 * really went, and make the lists anew if that is too far. So it does not matter what sets grains
 * in motion, or when. Near lists hold until the motion of this rank's grains may have used up their
 * margin, which each rank knows by itself. */
#include <math.h>

#include "lists.h"
#include "near_impl.h"
#include "scree/status.h"

enum { NEAR_STEPS = 16 };

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
    scree_near_select(contacts, kind, scree_lists_near_margin(contacts, motion, closing));
    contacts->n_near_updates++;
    scree_timer_switch(contacts->world.timer, before);
}

/* What a rank says in a vote: lists may be used up in the next step; it cannot go on. */
enum { LOOK = 1, FAILED = 2 };

/* m; kept for the step that is taken before others learn of a vote: the pace goes on, and something
 * is added for grains that get faster. In a stable step that is little: from rest, an overlap d
 * moves a grain by d (pi dt / contact time)^2, some thousandths of d. */
static double reserve_of(const struct scree_contacts *contacts, double pace, double dt)
{
    return pace * dt + contacts->list.skin / 32.0;
}

double scree_lists_pace(const struct scree_contacts *contacts,
                        const struct scree_contacts_motion *motion)
{
    return motion->speed + 0.5 * scree_flow_closing(contacts, motion->largest_radius);
}

double scree_contacts_left(const struct scree_contacts *contacts, double largest_radius,
                           scree_lid *slot)
{
    double skin = scree_flow_skin_left(contacts, largest_radius);
    return 0.5 * skin - scree_flow_moved(contacts, slot);
}

/* All ranks together: how far did grains go? Lists that hold for a few steps more remain. */
static enum scree_status look_at_lists(struct scree_contacts *contacts,
                                       const struct scree_contacts_motion *motion, bool *rebuilt)
{
    scree_lid slot;
    double most[2] = {-scree_contacts_left(contacts, motion->largest_radius, &slot),
                      scree_lists_pace(contacts, motion)};
    scree_comm_max(contacts->world.comm, most, 2);
    double left = -most[0], pace = most[1];
    if (left < reserve_of(contacts, pace, motion->dt) + 2.0 * pace * motion->dt ||
        scree_balance_is_due(contacts->world.balance, motion->step)) {
        scree_contacts_detach_history(contacts);
        SCREE_TRY(scree_contacts_rebuild(contacts, motion));
        *rebuilt = true;
    } else {
        contacts->left = left;
        contacts->used = 0.0;
        contacts->pace = pace;
    }
    return SCREE_OK;
}

/* A grain that is too far now was slow at the last look, and has jumped within this step. Nobody
 * else can know of it in time. */
static enum scree_status find_jump(const struct scree_contacts *contacts,
                                   const struct scree_contacts_motion *motion)
{
    scree_lid slot;
    double left = scree_contacts_left(contacts, motion->largest_radius, &slot);
    if (left >= 0.0) return SCREE_OK;
    return SCREE_FAIL(
        SCREE_PHYSICS,
        "step %lld: grain %lld jumped, to %g m beyond what the skin of %g m allows; the fastest "
        "grain before went %g m per step, now one goes %g m: use a smaller time step",
        (long long)motion->step, (long long)contacts->world.particles->gid[slot], -left,
        contacts->list.skin, contacts->pace * motion->dt, motion->speed * motion->dt);
}

/* What this rank has to say after the present step. */
static int vote_of(struct scree_contacts *contacts, const struct scree_contacts_motion *motion)
{
    double pace = fmax(contacts->pace, scree_lists_pace(contacts, motion));
    contacts->status = motion->status;
    if (contacts->status == SCREE_OK && contacts->used > contacts->left)
        contacts->status = find_jump(contacts, motion);
    if (contacts->status != SCREE_OK) return FAILED;
    return contacts->used + reserve_of(contacts, pace, motion->dt) > contacts->left ? LOOK : 0;
}

static int end_vote(struct scree_contacts *contacts)
{
    enum scree_phase before = scree_timer_switch(contacts->world.timer, SCREE_PHASE_WAIT);
    int outcome = scree_vote_end(contacts->vote);
    scree_timer_switch(contacts->world.timer, before);
    return outcome;
}

enum scree_status scree_contacts_update(struct scree_contacts *contacts,
                                        const struct scree_contacts_motion *motion, bool *rebuilt)
{
    *rebuilt = false;
    int asked = end_vote(contacts);
    bool looks = asked == LOOK || contacts->must_look ||
                 scree_balance_is_due(contacts->world.balance, motion->step);
    if (asked == FAILED) return scree_comm_agree(contacts->world.comm, contacts->status);
    bool flipped = scree_contacts_flip(contacts);
    if (flipped || motion->reach > contacts->list.reach) {
        if (!flipped) scree_contacts_detach_history(contacts);
        *rebuilt = true;
        SCREE_TRY(scree_contacts_rebuild(contacts, motion));
    } else if (looks) {
        SCREE_TRY(look_at_lists(contacts, motion, rebuilt));
    } else {
        contacts->used += scree_lists_pace(contacts, motion) * motion->dt;
    }
    contacts->must_look = false;
    scree_vote_begin(contacts->vote, vote_of(contacts, motion));
    return SCREE_OK;
}
