/* SPDX-License-Identifier: BSD-3-Clause
 * Touching pairs of one pair of materials through their laws: gather, kinematics, laws, books, and
 * the results to the grains as integers. */
#include <string.h>

#include "evaluation.h"

enum { BATCHES_PER_POKE = 12 }; /* about 30 microseconds of work */

static double overlap_share(const struct scree_md_evaluation *e, const struct scree_pair_law *law)
{
    if (law->lever == SCREE_ARM_RADIUS) return 0.0;
    return e->kind == SCREE_NEAR_WALL ? 1.0 : 0.5;
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
 * touch from now on. */
static void find_fresh(struct scree_md_evaluation *e, const struct scree_md_queue *queue,
                       const bool marks)
{
    struct scree_md_batch *batch = e->md->batch;
    uint8_t *touched = e->near->touched, fresh = 0;
    const uint8_t before = e->before, epoch = e->epoch;
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
static void add_wall_work(struct scree_md_evaluation *e, const struct scree_pair_law *law,
                          const uint32_t *place)
{
    const struct scree_md_batch *batch = e->md->batch;
    double dt = e->md->half_step ? e->scene->dt : 0.5 * e->scene->dt, amount[SCREE_BATCH];
    for (int k = 0; k < batch->n_real; k++)
        amount[k] = scree_md_power_to_wall(e, law, place[k], k) * dt;
    scree_account_add(&e->md->ledger.loss[SCREE_LOSS_DRIVES], e->md->ledger.quantum, amount,
                      batch->n_real, 2);
}

/* A loss beyond the range of its account comes with a force beyond its own, which is reported: a
 * quantum of energy is one of force times a radius, farther than anything moves in a step. */
static void count_losses(struct scree_md_evaluation *e)
{
    e->md->n_tallied += e->md->batch->n_real;
    if (e->md->n_tallied > SCREE_TALLY_ROOM - SCREE_BATCH) scree_md_reduce_losses(e);
}

void scree_md_add_losses(struct scree_md_evaluation *e, enum scree_loss channel,
                         const double *amount)
{
    scree_tally_add(&e->md->tally[channel], 1u, amount, 0, e->md->ledger.quantum,
                    e->md->batch->n_real);
    count_losses(e);
}

static void add_all_losses(struct scree_md_evaluation *e, const struct scree_pair_law *law)
{
    const struct scree_md_batch *batch = e->md->batch;
    scree_tally_add(e->md->tally, law->shape.losses, batch->b.loss[0], SCREE_BATCH,
                    e->md->ledger.quantum, batch->n_real);
    count_losses(e);
}

void scree_md_reduce_losses(struct scree_md_evaluation *e)
{
    struct scree_ledger *ledger = &e->md->ledger;
    for (enum scree_loss c = 0; c < SCREE_N_CONTACT_LOSSES; c++)
        scree_tally_reduce(&e->md->tally[c], &ledger->loss[c], ledger->quantum,
                           scree_near_is_cut(e->kind) ? 1 : 2);
    e->md->n_tallied = 0;
}

/* The velocities that led from the last evaluation to the present places: those of the half step
 * between, or with Gear's integrator means. */
static struct scree_md_motion motion_of_step(const struct scree_particles *p)
{
    const bool means = p->mean_vel != NULL;
    return (struct scree_md_motion){(const double(*)[4])(means ? p->mean_vel : p->vel),
                                    (const double(*)[4])(means ? p->mean_spin : p->spin)};
}

/* The velocities at the moment of the forces, as far as they are known (integrate.c). */
static struct scree_md_motion motion_of_now(const struct scree_particles *p, bool synchronised)
{
    const bool predicted = synchronised && p->now_vel != NULL;
    return (struct scree_md_motion){(const double(*)[4])(predicted ? p->now_vel : p->vel),
                                    (const double(*)[4])(predicted ? p->now_spin : p->spin)};
}

/* Relative motion with the given velocities of grains; dt > 0: walls moved as they did in the last
 * step. */
static void gather_motion(struct scree_md_evaluation *e, const struct scree_pair_law *law,
                          const uint32_t *place, struct scree_md_motion motion, double dt)
{
    struct scree_md_batch *batch = e->md->batch;
    const struct scree_deformation *deformation = &e->scene->domain->cell;
    const bool sums = law->timing == SCREE_TIMING_SYNCHRONISED || law->lever != SCREE_ARM_RADIUS ||
                      law->shape.needs & SCREE_NEEDS_TURN;
    if (batch->b.wall)
        scree_md_gather_wall_motion(batch, motion, e->md->wall_contact, place, dt);
    else if (scree_near_is_seam(e->kind))
        scree_md_gather_seam_motion(e, motion);
    else
        scree_md_gather_motion(batch, motion, sums);
    if (deformation->on && !batch->b.wall) scree_md_add_flow(batch, deformation, dt);
}

static void gather_places(struct scree_md_evaluation *e, const uint32_t *place)
{
    struct scree_md_batch *batch = e->md->batch;
    const struct scree_particles *p = e->scene->particles;
    const struct scree_deformation *deformation = &e->scene->domain->cell;
    if (batch->b.wall)
        scree_md_gather_wall_places(batch, p, e->md->wall_contact, place);
    else if (scree_near_is_seam(e->kind))
        scree_md_gather_seam_places(e, place);
    else
        scree_md_gather_places(batch, p);
    if (deformation->on && batch->b.wall)
        scree_md_find_wall_branches(batch);
    else if (deformation->on)
        scree_md_deform_places(batch, deformation);
}

/* How the pair turned as a whole since the last evaluation, from the motion of the step. */
static void find_turn(struct scree_md_evaluation *e, const uint32_t *place,
                      struct scree_md_motion motion)
{
    struct scree_md_batch *batch = e->md->batch;
    if (batch->b.wall)
        scree_md_gather_wall_turn(batch, e->scene, e->md, motion, place);
    else
        scree_md_find_normals_before(batch);
    scree_md_find_twist(batch);
}

/* Places, velocities of now and ways since the last evaluation, as the laws want them. Velocities
 * of half a step ago serve for both if the laws are content with that. */
static void find_kinematics(struct scree_md_evaluation *e, const struct scree_pair_law *law,
                            const uint32_t *place, double share)
{
    struct scree_md_batch *batch = e->md->batch;
    struct scree_batch *b = &batch->b;
    const struct scree_particles *p = e->scene->particles;
    const bool synchronised = law->timing == SCREE_TIMING_SYNCHRONISED;
    const bool known = e->kind == SCREE_NEAR_WALL || scree_near_is_seam(e->kind);
    const unsigned needs = law->shape.needs;
    struct scree_md_motion now = motion_of_now(p, synchronised);
    struct scree_md_motion step = synchronised ? motion_of_step(p) : now;
    b->dt = e->dt;
    b->wall = e->kind == SCREE_NEAR_WALL;
    b->joint_limit = !synchronised;
    b->friction_load = b->fn;
    gather_places(e, place);
    if (b->dt == 0.0) {
        scree_md_stand_still(batch);
        gather_motion(e, law, place, now, 0.0);
    } else {
        gather_motion(e, law, place, step, b->dt);
        if (synchronised || needs & SCREE_NEEDS_TURN) find_turn(e, place, step);
        if (synchronised && b->wall) scree_md_meet_walls_half_way(batch);
        if (synchronised) scree_md_find_way(batch, share);
        if (needs & SCREE_NEEDS_SPINS) {
            for (int k = 0; k < b->n && !synchronised; k++) batch->closed[k] = b->dt;
            scree_md_gather_spins(batch, step, known, b->turned);
            scree_md_find_turned(batch);
        }
    }
    if (synchronised && b->dt > 0.0) gather_motion(e, law, place, now, 0.0);
    scree_md_find_velocity(batch, share);
    scree_md_find_masses(batch);
    if (needs & SCREE_NEEDS_SPINS) scree_md_gather_spins(batch, now, known, b->spin);
    if (!synchronised && b->dt > 0.0) scree_md_find_way_of_step(batch);
}

/* Kinematics and laws of one batch. */
static void apply_laws(struct scree_md_evaluation *e, const struct scree_pair_law *law,
                       const uint32_t *place, double share)
{
    struct scree_batch *b = &e->md->batch->b;
    find_kinematics(e, law, place, share);
    if (scree_md_has_couples(law)) memset(b->couple, 0, sizeof b->couple);
    for (int part = 0; part < SCREE_N_LAW_KINDS; part++)
        law->law[part]->apply(b, law->values[part], law->at[part]);
}

void scree_md_load_opened(struct scree_md_evaluation *e, struct scree_md_queue *queue)
{
    name_partners(e, queue);
    e->md->batch->any_fresh = false;
    scree_md_load_history(e, queue);
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
    find_fresh(e, queue, e->acts);
    scree_md_load_history(e, queue);
    apply_laws(e, law, queue->near, share);
    if (e->listen != NULL || e->sums != NULL) scree_md_visit_batch(e, law, queue);
    if (!e->acts) {
        queue->n = 0;
        return;
    }
    add_all_losses(e, law);
    scree_md_store_history(e, queue);
    note_impacts(e, law, queue);
    bool fits = scree_md_scale_loads(batch, share, md->inverse_force, md->inverse_torque);
    if (scree_md_has_couples(law)) fits = scree_md_add_couples(batch, md->inverse_torque) && fits;
    if (!fits && md->status == SCREE_OK) scree_md_report_overflow(e);
    if (e->kind == SCREE_NEAR_WALL) add_wall_work(e, law, queue->near);
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
