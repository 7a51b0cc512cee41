/* SPDX-License-Identifier: BSD-3-Clause
 * The energy ledger of md: what grains and contacts store now, what was lost on the way.
 *
 * What is stored is summed when somebody asks; what was lost was told by the laws, channel by
 * channel; work at walls and driven grains is force times velocity. What does not add up is the
 * error of time stepping, which falls with the square of the step. */
#include <math.h>
#include <string.h>

#include "md_impl.h"
#include "scree/alloc.h"

/* A sum of energies over grains or contacts: amounts pile up to a block and are added together. The
 * few beyond the range of a block are added one by one. */
struct pile {
    struct scree_account *account; /* of the ledger, or `own` */
    double quantum;
    int halves, n;
    double amount[SCREE_BATCH];
    struct scree_account own;
    struct scree_exact large;
};

#define LARGEST 2251799813685248.0 /* quanta; 2^51 fit into a block */

static void start_pile(struct pile *pile, struct scree_account *account, double quantum)
{
    pile->own = (struct scree_account){{0, 0}, {0, 0}};
    pile->account = account != NULL ? account : &pile->own;
    pile->quantum = quantum;
    pile->halves = 2;
    pile->n = 0;
    scree_exact_clear(&pile->large);
}

static void add_up(struct pile *pile)
{
    scree_account_add(pile->account, pile->quantum, pile->amount, pile->n, pile->halves);
    pile->n = 0;
}

static inline void put(struct pile *pile, double amount)
{
    if (!(fabs(amount) < LARGEST * pile->quantum)) {
        if (pile->account == &pile->own)
            scree_exact_add(&pile->large, 0.5 * pile->halves * amount);
        else
            scree_account_add_large(pile->account, pile->quantum, amount, pile->halves);
        return;
    }
    pile->amount[pile->n++] = amount;
    if (pile->n == SCREE_BATCH) add_up(pile);
}

/* Many amounts: at once, unless one of them is too large for the account. */
static void put_all(struct pile *pile, const double *amount, int n)
{
    const double limit = LARGEST * pile->quantum;
    int64_t large = 0;
    for (int k = 0; k < n; k++) large |= !(fabs(amount[k]) < limit) ? 1 : 0;
    if (large == 0)
        scree_account_add(pile->account, pile->quantum, amount, n, pile->halves);
    else
        for (int k = 0; k < n; k++) put(pile, amount[k]);
}

/* What comes is added with another weight: 1 for what another rank adds too. */
static void weigh(struct pile *pile, int halves)
{
    add_up(pile);
    pile->halves = halves;
}

static bool is_driven(const struct scree_particles *p, scree_lid i)
{
    return p->vel[i][3] == 0.0;
}

/* W; power that a driven grain takes from its neighbours. */
static double power_to_drive(const struct scree_md *md, const struct scree_particles *p,
                             scree_lid i)
{
    double force = 0.0, torque = 0.0;
    for (int a = 0; a < 3; a++) {
        force += (double)p->load[i][a] * p->vel[i][a];
        torque += (double)p->load[i][4 + a] * p->spin[i][a];
    }
    return md->force_quantum * force + md->torque_quantum * torque;
}

/* W; power that background friction takes from a grain. */
static double power_to_background(const struct scree_md *md, const struct scree_scene *scene,
                                  scree_lid i)
{
    double v[3], w[3];
    scree_md_velocity(md, scene, i, v, w);
    return scene->background_friction * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

void scree_md_add_grain_losses(struct scree_md *md, const struct scree_scene *scene)
{
    const struct scree_particles *p = scene->particles;
    double dt = md->half_step ? scene->dt : 0.5 * scene->dt;
    if (!md->has_driven && scene->background_friction == 0.0) return;
    struct pile drives, background;
    start_pile(&drives, &md->ledger.loss[SCREE_LOSS_DRIVES], md->ledger.quantum);
    start_pile(&background, &md->ledger.loss[SCREE_LOSS_BACKGROUND], md->ledger.quantum);
    for (scree_lid i = 0; i < p->n_owned; i++) {
        if (is_driven(p, i))
            put(&drives, power_to_drive(md, p, i) * dt);
        else if (scene->background_friction > 0.0)
            put(&background, power_to_background(md, scene, i) * dt);
    }
    add_up(&drives);
    add_up(&background);
}

enum sum {
    SUM_KINETIC,
    SUM_ROTATIONAL,
    SUM_GRAVITY,
    SUM_BACKGROUND, /* W, at present */
    SUM_DRIVES,     /* W, likewise; to driven grains less what goes to walls */
    SUM_DASHPOTS,   /* W, likewise; by part of the law */
    SUM_ELASTIC = SUM_DASHPOTS + SCREE_N_LAW_KINDS,
    N_SUMS = SUM_ELASTIC + SCREE_N_LAW_KINDS
};

static double square(const double v[3])
{
    return v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
}

/* Energies of a block of grains, and powers; 0 for grains that have no such. */
struct grain_block {
    double kinetic[SCREE_BATCH], rotational[SCREE_BATCH], gravity[SCREE_BATCH],
        background[SCREE_BATCH], drives[SCREE_BATCH];
};

static void weigh_grain(const struct scree_md *md, const struct scree_scene *scene, scree_lid i,
                        struct grain_block *block, int k)
{
    const struct scree_particles *p = scene->particles;
    double v[3], w[3], mass = p->mass[i], radius = p->pos[i][3];
    double moment = scene->inertia_factor * mass * radius * radius;
    bool part_of_wall = p->glued != NULL && p->glued[i] != 0; /* walls have no energy */
    double has = part_of_wall ? 0.0 : 1.0, free = is_driven(p, i) ? 0.0 : 1.0;
    scree_md_velocity(md, scene, i, v, w);
    block->kinetic[k] = has * (0.5 * mass * square(v));
    block->rotational[k] = has * (0.5 * moment * square(w));
    block->background[k] = free * (scene->background_friction * square(v));
    block->drives[k] = is_driven(p, i) ? power_to_drive(md, p, i) : 0.0;
}

/* J/kg; of a free grain in the field of gravity. */
static double height_of(const struct scree_scene *scene, scree_lid i)
{
    const struct scree_particles *p = scene->particles;
    const struct scree_box *box = &scene->domain->box;
    double height = 0.0;
    for (int m = 0; m < 3; m++) {
        double period =
            box->periodic[m] ? (double)p->image[i][m] * (box->high[m] - box->low[m]) : 0.0;
        height -= scene->gravity[m] * (p->pos[i][m] + period);
    }
    return is_driven(p, i) ? 0.0 : height;
}

static void add_grains(const struct scree_md *md, const struct scree_scene *scene, struct pile *sum)
{
    const scree_lid n = scene->particles->n_owned;
    const bool falls = square(scene->gravity) > 0.0;
    struct grain_block block;
    for (scree_lid first = 0; first < n; first += SCREE_BATCH) {
        int here = n - first < SCREE_BATCH ? (int)(n - first) : SCREE_BATCH;
        for (int k = 0; k < here; k++) weigh_grain(md, scene, first + k, &block, k);
        put_all(&sum[SUM_KINETIC], block.kinetic, here);
        put_all(&sum[SUM_ROTATIONAL], block.rotational, here);
        put_all(&sum[SUM_DRIVES], block.drives, here);
        if (scene->background_friction > 0.0) put_all(&sum[SUM_BACKGROUND], block.background, here);
        if (!falls) continue;
        for (int k = 0; k < here; k++)
            block.gravity[k] = scene->particles->mass[first + k] * height_of(scene, first + k);
        put_all(&sum[SUM_GRAVITY], block.gravity, here);
    }
}

struct scree_md_sums {
    struct pile pile[N_SUMS];
};

void scree_md_add_stored(struct scree_md_sums *sums, const struct scree_md_stored *stored)
{
    struct pile *sum = sums->pile;
    for (int part = 0; part < SCREE_N_LAW_KINDS; part++)
        if (stored->energy[part] != NULL) {
            put_all(&sum[SUM_ELASTIC + part], stored->energy[part], stored->n);
            put_all(&sum[SUM_DASHPOTS + part], stored->power[part], stored->n);
        }
    for (int k = 0; k < stored->n && stored->power_to_wall != NULL; k++)
        put(&sum[SUM_DRIVES], -stored->power_to_wall[k]);
}

/* A cut contact is told by both of its ranks: half of it each. */
void scree_md_weigh_sums(struct scree_md_sums *sums, enum scree_near_kind kind)
{
    int halves = scree_near_is_cut(kind) ? 1 : 2;
    for (int part = 0; part < SCREE_N_LAW_KINDS; part++) {
        weigh(&sums->pile[SUM_ELASTIC + part], halves);
        weigh(&sums->pile[SUM_DASHPOTS + part], halves);
    }
}

static void add_membranes(const struct scree_md *md, const struct scree_scene *scene,
                          struct pile *sum)
{
    struct pile *links = &sum[SUM_ELASTIC + SCREE_LAW_NORMAL];
    weigh(links, 2);
    for (size_t n = 0; n < scene->mesh->n; n++) {
        struct scree_membrane_load load;
        scree_membrane_compute_load(&scene->mesh->node[n], scene->particles,
                                    scree_scene_time(scene, md->step), &load);
        put(links, load.energy);
    }
}

void scree_md_settle(void *state, struct scree_scene *scene)
{
    struct scree_md *md = state;
    struct scree_account *loss = md->ledger.loss;
    _Static_assert(sizeof *loss == 2 * sizeof(struct scree_wide), "accounts are pairs of integers");
    scree_comm_sum_wide(scene->comm, &loss->coarse, 2 * SCREE_N_LOSSES);
    scree_comm_sum_int(scene->comm, &md->half_ended, 1);
    if (scene->comm->rank == 0) return;
    memset(loss, 0, sizeof md->ledger.loss);
    md->half_ended = 0;
}

/* Losses up to the present time. A force acts from half a step before its moment to half a step
 * after it: work at walls and in dashpots has been counted half a step too far, that of grains in
 * the kick to come half a step too little. */
static void take_losses(struct scree_md *md, struct scree_scene *scene, const double *sum,
                        struct scree_md_energies *e)
{
    scree_md_settle(md, scene);
    for (enum scree_loss c = 0; c < SCREE_N_LOSSES; c++)
        e->loss[c] = scree_account_value(&md->ledger.loss[c], md->ledger.quantum);
    e->ended = 0.5 * (double)md->half_ended;
    scree_comm_broadcast(scene->comm, e->loss, sizeof e->loss, 0);
    scree_comm_broadcast(scene->comm, &e->ended, sizeof e->ended, 0);
    static const enum scree_loss damped[SCREE_N_LAW_KINDS] = {
        SCREE_LOSS_NORMAL, SCREE_LOSS_TANGENTIAL, SCREE_LOSS_ROLLING, SCREE_LOSS_TORSION};
    double half = md->half_step ? 0.5 * scene->dt : 0.0;
    for (int part = 0; part < SCREE_N_LAW_KINDS; part++)
        e->loss[damped[part]] -= half * sum[SUM_DASHPOTS + part];
    e->loss[SCREE_LOSS_BACKGROUND] += half * sum[SUM_BACKGROUND];
    e->loss[SCREE_LOSS_DRIVES] += half * (sum[SUM_DRIVES] + scree_md_deformation_power(scene));
}

static void balance(const struct scree_md *md, const struct scree_scene *scene,
                    struct scree_md_energies *e)
{
    double lost = 0.0, turned_over = e->kinetic + e->rotational + scree_md_flow_energy(scene);
    double total = e->kinetic + e->rotational + e->gravity;
    for (int part = 0; part < SCREE_N_LAW_KINDS; part++) {
        total += e->elastic[part];
        turned_over += e->elastic[part];
    }
    turned_over = fmax(turned_over, md->first_turnover);
    for (int c = 0; c < SCREE_N_LOSSES; c++) {
        lost += e->loss[c];
        turned_over += fabs(e->loss[c]);
    }
    e->closure = (total - md->first_energy) + lost;
    e->turnover = turned_over;
}

/* Sums over all ranks, the same on each. Collective. */
static void finish_sums(struct scree_comm *comm, struct pile *pile, double *value)
{
    struct scree_wide wide[2 * N_SUMS];
    struct scree_exact large[N_SUMS];
    for (int k = 0; k < N_SUMS; k++) {
        add_up(&pile[k]);
        wide[2 * k] = pile[k].own.coarse;
        wide[2 * k + 1] = pile[k].own.fine;
        large[k] = pile[k].large;
    }
    scree_comm_sum_wide(comm, wide, 2 * N_SUMS);
    scree_comm_sum_exact(comm, large, N_SUMS);
    for (int k = 0; k < N_SUMS; k++) {
        struct scree_account sum = {wide[2 * k], wide[2 * k + 1]};
        value[k] = scree_account_value(&sum, pile[k].quantum) + scree_exact_value(&large[k]);
    }
}

struct scree_md_sums *scree_md_start_sums(const struct scree_md *md)
{
    struct scree_md_sums *sums = scree_alloc(1, sizeof *sums);
    for (int k = 0; k < N_SUMS; k++) start_pile(&sums->pile[k], NULL, md->ledger.quantum);
    return sums;
}

void scree_md_finish_sums(struct scree_md *md, struct scree_scene *scene,
                          struct scree_md_sums *sums, struct scree_md_energies *e)
{
    double sum[N_SUMS];
    add_grains(md, scene, sums->pile);
    add_membranes(md, scene, sums->pile);
    finish_sums(scene->comm, sums->pile, sum);
    scree_alloc_free(sums);
    e->kinetic = sum[SUM_KINETIC];
    e->rotational = sum[SUM_ROTATIONAL];
    e->gravity = sum[SUM_GRAVITY];
    for (int part = 0; part < SCREE_N_LAW_KINDS; part++) e->elastic[part] = sum[SUM_ELASTIC + part];
    take_losses(md, scene, sum, e);
    balance(md, scene, e);
}

void scree_md_find_energies(struct scree_md *md, struct scree_scene *scene,
                            struct scree_md_energies *e)
{
    struct scree_md_sums *sums = scree_md_start_sums(md);
    for (enum scree_near_kind kind = 0; kind < SCREE_N_NEAR; kind++) {
        scree_md_weigh_sums(sums, kind);
        scree_md_visit_stored(md, scene, kind, sums);
    }
    scree_md_finish_sums(md, scene, sums, e);
}

void scree_md_open_ledger(struct scree_md *md, struct scree_scene *scene)
{
    struct scree_md_energies e;
    scree_md_find_energies(md, scene, &e);
    md->first_energy = 0.0;
    md->first_turnover = 0.0;
    balance(md, scene, &e);
    md->first_energy = e.closure;
    md->first_turnover = e.turnover;
}

bool scree_md_has_driven(const struct scree_scene *scene)
{
    const struct scree_particles *p = scene->particles;
    double moving = p->glued != NULL ? 1.0 : 0.0;
    for (scree_lid i = 0; i < p->n_owned; i++)
        if (is_driven(p, i)) moving = fmax(moving, square(p->vel[i]) + square(p->spin[i]));
    scree_comm_max(scene->comm, &moving, 1);
    return moving > 0.0;
}
