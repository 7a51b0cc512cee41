/* SPDX-License-Identifier: BSD-3-Clause
 * Touching pairs of one pair of materials through their laws: gather, kinematics, laws, books, and
 * the results to the grains as integers. */
#include <string.h>

#include "evaluation.h"
#include "scree/vec.h"

enum { BATCHES_PER_POKE = 12 }; /* about 30 microseconds of work */

static double overlap_share(const struct scree_md_evaluation *e, const struct scree_pair_law *law)
{
    if (law->lever == SCREE_LEVER_RADIUS) return 0.0;
    return e->kind == SCREE_NEAR_WALL ? 1.0 : 0.5;
}

static void clear_couples(struct scree_batch *b)
{
    memset(b->cx, 0, sizeof b->cx);
    memset(b->cy, 0, sizeof b->cy);
    memset(b->cz, 0, sizeof b->cz);
}

/* Who touches whom, filled up with the last contact to whole vectors. */
static void name_partners(struct scree_md_evaluation *e, struct scree_md_queue *queue)
{
    struct scree_md_batch *batch = e->md->batch;
    const scree_lid *near_i = e->near->i;
    const int32_t *near_j = e->near->j;
    int n = queue->n;
    batch->n_real = n;
    batch->b.n = (n + SCREE_BATCH_PAD - 1) / SCREE_BATCH_PAD * SCREE_BATCH_PAD;
    for (int k = n; k < batch->b.n; k++) queue->near[k] = queue->near[n - 1];
    for (int k = 0; k < batch->b.n; k++) {
        batch->i[k] = near_i[queue->near[k]];
        batch->j[k] = near_j[queue->near[k]];
    }
}

/* Which contacts go on from the last evaluation and which are new. If they are to be marked, they
 * touched in `epoch` from now on. */
static void find_fresh(struct scree_md_evaluation *e, const struct scree_md_queue *queue,
                       const bool marks, const uint8_t epoch)
{
    struct scree_md_batch *batch = e->md->batch;
    uint8_t *touched = e->near->touched;
    const uint8_t before = e->before;
    uint8_t fresh = 0;
    for (int k = 0; k < queue->n; k++) {
        uint8_t *last = &touched[queue->near[k]];
        batch->fresh[k] = *last != before;
        fresh |= batch->fresh[k];
        *last = marks ? epoch : *last;
    }
    for (int k = queue->n; k < batch->b.n; k++) batch->fresh[k] = batch->fresh[queue->n - 1];
    batch->any_fresh = fresh != 0;
}

static void note_impacts(struct scree_md_evaluation *e, const struct scree_pair_law *law,
                         const struct scree_md_queue *queue)
{
    const struct scree_md_batch *batch = e->md->batch;
    for (int k = 0; k < queue->n && batch->any_fresh; k++)
        if (batch->fresh[k]) scree_md_note_impact(e, law, queue, k);
}

/* Energy that goes from the grains to a wall that moves. The very first force acts only for the
 * half step after it. */
static void book_wall_work(struct scree_md_evaluation *e, const struct scree_pair_law *law)
{
    const struct scree_md_batch *batch = e->md->batch;
    double dt = e->md->half_step ? e->scene->dt : 0.5 * e->scene->dt, amount[SCREE_BATCH];
    for (int k = 0; k < batch->n_real; k++) amount[k] = scree_md_power_to_wall(batch, law, k) * dt;
    scree_account_add(&e->md->ledger.loss[SCREE_LOSS_DRIVES], e->md->ledger.quantum, amount,
                      batch->n_real, 2);
}

/* A loss beyond the range of its account comes with a force beyond its own, which is reported: a
 * quantum of energy is one of force times a radius, farther than anything moves in a step. */
void scree_md_book_losses(struct scree_md_evaluation *e, const struct scree_pair_law *law)
{
    const struct scree_md_batch *batch = e->md->batch;
    unsigned channels = law->shape.losses;
    if (batch->b.brief) channels &= ~(1u << SCREE_LOSS_SLIDING);
    scree_tally_add(e->md->tally, channels, batch->b.loss[0], SCREE_BATCH, e->md->ledger.quantum,
                    batch->n_real);
    e->md->n_booked += batch->n_real;
    if (e->md->n_booked > SCREE_TALLY_ROOM - SCREE_BATCH) scree_md_settle_losses(e);
}

/* What contacts of this batch and of others before it have told in brief. */
static void book_slipped(struct scree_md *md)
{
    struct scree_batch *b = &md->batch->b;
    scree_tally_add(&md->tally[SCREE_LOSS_SLIDING], 1u, b->slipped, 0, md->ledger.quantum,
                    b->n_slipped);
    b->n_slipped = 0;
}

void scree_md_settle_losses(struct scree_md_evaluation *e)
{
    struct scree_ledger *ledger = &e->md->ledger;
    book_slipped(e->md);
    for (enum scree_loss c = 0; c < SCREE_N_CONTACT_LOSSES; c++)
        scree_tally_settle(&e->md->tally[c], &ledger->loss[c], ledger->quantum,
                           scree_near_is_cut(e->kind) ? 1 : 2);
    e->md->n_booked = 0;
}

/* Before laws are asked: may they be brief, and is there room? Contacts that fill up a batch would
 * tell what others told already. */
static void prepare_losses(struct scree_md_evaluation *e, const struct scree_pair_law *law)
{
    struct scree_batch *b = &e->md->batch->b;
    b->softens = law->shape.softens;
    b->swing_is_booked = false;
    if (b->softens) memset(b->loss[SCREE_LOSS_STIFFNESS], 0, sizeof b->loss[SCREE_LOSS_STIFFNESS]);
    b->brief = false;
    b->may_be_brief = SCREE_LEDGER && e->acts && b->n == e->md->batch->n_real;
    if (b->n_slipped > SCREE_BATCH_SLIPPED - SCREE_BATCH) book_slipped(e->md);
}

/* Walls that a stage drives anew have another velocity at once, which no dashpot is to take for an
 * acceleration. */
static void expect_jumps(struct scree_md_evaluation *e, const struct scree_pair_law *law,
                         const uint32_t *place)
{
    const struct scree_law *normal = law->law[SCREE_LAW_NORMAL];
    struct scree_batch *b = &e->md->batch->b;
    double gained[SCREE_BATCH];
    if (normal->expect == NULL) return;
    for (int k = 0; k < b->n; k++) {
        const struct scree_wall *wall = &e->scene->walls->wall[e->md->batch->j[k]];
        const double n[3] = {b->before_x[k], b->before_y[k], b->before_z[k]};
        double swept[3];
        scree_vec_cross(wall->omega_jumped, e->md->wall_contact[place[k]].arm, swept);
        gained[k] = -(scree_vec_dot(wall->jumped, n) + scree_vec_dot(swept, n));
    }
    normal->expect(b, law->values[SCREE_LAW_NORMAL], law->at[SCREE_LAW_NORMAL], gained);
}

/* Gear's integrator has velocities of the same moment, and no half steps to weigh. */
static bool leaps(const struct scree_md_evaluation *e)
{
    return e->md->half_step && e->scene->integrator == SCREE_INTEGRATOR_LEAPFROG;
}

/* Relative places and motion, with the velocities that `p` has. */
static void gather(struct scree_md_evaluation *e, const struct scree_pair_law *law,
                   const struct scree_particles *p, const uint32_t *place, double share)
{
    struct scree_md_batch *batch = e->md->batch;
    if (batch->b.wall)
        scree_md_gather_walls(batch, p, e->md->wall_contact, place);
    else if (scree_near_is_seam(e->kind))
        scree_md_gather_seams(e, p, place);
    else
        scree_md_gather_grains(batch, p, share);
    const unsigned needs = law->shape.needs;
    const bool known = !batch->b.wall && share != 0.0; /* the sums */
    if (needs & SCREE_NEEDS_SPINS || (needs & SCREE_NEEDS_TWIRL && !known))
        scree_md_gather_spins(batch, p, e->kind);
    else if (needs & SCREE_NEEDS_TWIRL)
        scree_md_gather_twirl(batch);
}

/* With Gear's integrator velocities are those of now, but history follows the way since the last
 * evaluation: the batch gets means besides, which are those of *averaged. */
static void gather_means(struct scree_md_evaluation *e, const struct scree_pair_law *law,
                         const uint32_t *place, double share, struct scree_particles *averaged)
{
    struct scree_md_batch *batch = e->md->batch;
    double inverse_mass[SCREE_BATCH];
    memcpy(inverse_mass, batch->moving[3], sizeof inverse_mass);
    scree_md_contact_kinematics(batch, share, 0.0, 0.0, SCREE_MD_NO_THEN, false);
    scree_md_contact_keep_now(batch, law->shape.needs & SCREE_NEEDS_SPINS);
    *averaged = *e->scene->particles;
    averaged->vel = averaged->mean_vel;
    averaged->spin = averaged->mean_spin;
    gather(e, law, averaged, place, share);
    memcpy(batch->moving[3], inverse_mass, sizeof inverse_mass);
}

/* Normals of walls at the last evaluation. */
static void gather_wall_turn(struct scree_md_evaluation *e, const struct scree_particles *p,
                             const uint32_t *place)
{
    struct scree_md *md = e->md;
    scree_md_gather_wall_turn(md->batch, p, e->scene->walls, md->wall_contact, place, e->dt);
}

/* Kinematics of one batch. Its `spans` is known; `plain`: as laws see it without asking for what
 * the last force saw. */
static void find_kinematics(struct scree_md_evaluation *e, const struct scree_pair_law *law,
                            const uint32_t *place, double share, bool synchronised, bool plain)
{
    struct scree_md *md = e->md;
    struct scree_md_batch *batch = md->batch;
    struct scree_batch *b = &batch->b;
    const struct scree_particles *p = e->scene->particles;
    struct scree_particles averaged;
    b->mean = law->timing == SCREE_TIMING_SYNCHRONISED && p->mean_vel != NULL && e->dt > 0.0;
    b->together = law->timing != SCREE_TIMING_SYNCHRONISED;
    b->dt = e->dt;
    b->half = synchronised ? 0.5 * e->scene->dt : 0.0;
    b->wall = e->kind == SCREE_NEAR_WALL;
    b->grip = b->fn;
    b->ease = 1.0 + 1.0 / e->scene->inertia_factor;
    gather(e, law, p, place, share);
    if (b->mean) {
        gather_means(e, law, place, share, &averaged);
        p = &averaged;
    }
    if (e->scene->domain->cell.on && b->wall)
        scree_md_find_wall_branches(batch);
    else if (e->scene->domain->cell.on)
        scree_md_deform_batch(batch, &e->scene->domain->cell, leaps(e) ? e->scene->dt : 0.0);
    const unsigned needs = law->shape.needs, swings = SCREE_NEEDS_TWIRL | SCREE_NEEDS_TURN;
    if (SCREE_LEDGER && b->mean) b->spans = 1.0;
    const bool then = b->spans > 0.0 && needs & SCREE_NEEDS_THEN && (!plain || b->mean);
    const bool swing = (needs & swings) == swings, turn = needs & SCREE_NEEDS_TURN;
    if (b->wall && (turn || then)) gather_wall_turn(e, p, place);
    scree_md_contact_kinematics(batch, share, e->dt, synchronised ? e->scene->dt : 0.0,
                                !then             ? SCREE_MD_NO_THEN
                                : b->wall || turn ? SCREE_MD_THEN_TURNED
                                                  : SCREE_MD_THEN,
                                turn && !b->wall);
    if (b->mean) scree_md_contact_closing(batch, e->dt);
    if (swing) scree_md_contact_swing(batch, share);
}

/* What turning normals lose is small and changes slowly: most laws are content with one step of so
 * many, in which it is found for those around it. */
static int64_t span_of(const struct scree_md_evaluation *e, const struct scree_pair_law *law)
{
    const unsigned needs = law->shape.needs;
    return needs & SCREE_NEEDS_THEN_EACH || !leaps(e) ? 1 : needs & SCREE_NEEDS_THEN_OFTEN ? 2 : 4;
}

/* For how many steps it is found now. */
static double steps_spanned(const struct scree_md_evaluation *e, const struct scree_pair_law *law)
{
    const int64_t span = span_of(e, law);
    return (e->md->step & (span - 1)) == 0 ? (double)span : 0.0;
}

/* The same for contacts that have opened: this step, and those before it for which it has not been
 * found yet, or less those for which it was found ahead. */
static double steps_left(const struct scree_md_evaluation *e, const struct scree_pair_law *law)
{
    const int64_t span = span_of(e, law);
    return (double)((e->md->step - 1) & (span - 1)) + 1.5 - 0.5 * (double)span;
}

/* Kinematics and laws of one batch. */
static void apply_laws(struct scree_md_evaluation *e, const struct scree_pair_law *law,
                       const uint32_t *place, double share)
{
    struct scree_batch *b = &e->md->batch->b;
    bool synchronised = law->timing == SCREE_TIMING_SYNCHRONISED && leaps(e);
    b->spans = SCREE_LEDGER && e->acts ? steps_spanned(e, law) : 0.0;
    bool plain = !synchronised && share == 0.0 && !(law->shape.needs & SCREE_NEEDS_THEN_ALWAYS);
    find_kinematics(e, law, place, share, synchronised, plain);
    if (scree_md_has_couples(law)) clear_couples(b);
    if (b->wall && e->scene->walls->jumped && synchronised && e->dt > 0.0 &&
        law->shape.needs & SCREE_NEEDS_TURN)
        expect_jumps(e, law, place);
    prepare_losses(e, law);
    for (int part = 0; part < SCREE_N_LAW_KINDS; part++)
        law->law[part]->apply(b, law->values[part], law->at[part]);
}

void scree_md_gather_opened(struct scree_md_evaluation *e, const struct scree_pair_law *law,
                            struct scree_md_queue *queue)
{
    name_partners(e, queue);
    find_fresh(e, queue, true, 0);
    scree_md_load_history(e, queue);
    e->md->batch->b.spans = 1.0;
    e->md->batch->b.brief = false;
    find_kinematics(e, law, queue->near, overlap_share(e, law), false, false);
    const bool known = law->shape.needs & SCREE_NEEDS_TURN, wall = e->kind == SCREE_NEAR_WALL;
    if (!known && wall) gather_wall_turn(e, e->scene->particles, queue->near);
    if (!known && !wall) scree_md_gather_turn(e->md->batch, e->dt);
    if (!leaps(e)) e->md->batch->b.dt = 0.0;
    e->md->batch->b.spans = steps_left(e, law);
}

static void scatter_to_walls(struct scree_md_evaluation *e, const struct scree_pair_law *law,
                             const uint32_t *place)
{
    const struct scree_md *md = e->md;
    scree_md_scatter_to_walls(md->batch, e->scene->walls, md->wall_contact, place,
                              md->force_quantum * md->inverse_torque);
    if (scree_md_has_couples(law))
        scree_md_scatter_couples(md->batch, e->scene->walls, md->inverse_torque);
    scree_md_add_to_servos(e, law, place);
}

/* One batch from gathering to adding up. */
void scree_md_flush(struct scree_md_evaluation *e, const struct scree_pair_law *law,
                    struct scree_md_queue *queue)
{
    struct scree_md *md = e->md;
    struct scree_md_batch *batch = md->batch;
    struct scree_particles *p = e->scene->particles;
    double share = overlap_share(e, law);
    name_partners(e, queue);
    find_fresh(e, queue, e->acts, e->epoch);
    scree_md_load_history(e, queue);
    apply_laws(e, law, queue->near, share);
    if (e->listen != NULL || e->sums != NULL) scree_md_tell(e, law, queue);
    if (!e->acts) {
        queue->n = 0;
        return;
    }
    if (SCREE_LEDGER) scree_md_book_losses(e, law);
    scree_md_store_history(e, queue);
    note_impacts(e, law, queue);
    bool fits = scree_md_scale_loads(batch, share, md->inverse_force, md->inverse_torque);
    if (scree_md_has_couples(law)) fits = scree_md_add_couples(batch, md->inverse_torque) && fits;
    if (!fits && md->status == SCREE_OK) scree_md_report_overflow(e);
    if (SCREE_LEDGER && e->kind == SCREE_NEAR_WALL) book_wall_work(e, law);
    if (e->scene->domain->cell.on)
        scree_md_add_virial(md, e->scene, law, e->kind == SCREE_NEAR_BORDER ? 1 : 2);
    if (e->kind == SCREE_NEAR_IMAGE)
        for (int k = 0; k < batch->n_real; k++)
            batch->j[k] = scree_contacts_home(e->scene->contacts, e->kind, batch->j[k]);
    if (e->kind == SCREE_NEAR_INTERIOR || e->kind == SCREE_NEAR_IMAGE)
        scree_md_scatter_to_both(batch, p);
    else if (scree_near_is_seam(e->kind))
        scree_md_scatter_seams(e);
    else
        scree_md_scatter_to_first(batch, p);
    if (e->kind == SCREE_NEAR_WALL)
        scatter_to_walls(e, law, queue->near);
    else
        scree_md_add_glued_to_servos(e, law);
    queue->n = 0;
    if (e->kind == SCREE_NEAR_INTERIOR && ++md->n_batches % BATCHES_PER_POKE == 0)
        scree_halo_poke(e->scene->halo);
}
