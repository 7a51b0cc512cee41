/* SPDX-License-Identifier: BSD-3-Clause
 * The digest: one number for the full state of all grains, contact histories, servos of walls and
 * a deforming cell, by identity. */
#include <string.h>

#include "scree/alloc.h"
#include "scree/hash.h"
#include "scree/output.h"

/* Everything that decides the future of a grain. */
struct grain_record {
    int64_t gid, species, image[3];
    double pos[4], vel[4], spin[4];
    int64_t load[8];
};

static uint64_t hash_grain(const struct scree_box *box, const struct scree_particles *p,
                           scree_lid i)
{
    struct grain_record r;
    double pos[3] = {p->pos[i][0], p->pos[i][1], p->pos[i][2]};
    int32_t image[3] = {p->image[i][0], p->image[i][1], p->image[i][2]};
    scree_box_wrap(box, pos, image); /* exact: when a grain is wrapped must not show */
    memset(&r, 0, sizeof r);
    r.gid = p->gid[i];
    r.species = p->species[i];
    for (int a = 0; a < 3; a++) {
        r.image[a] = image[a];
        r.pos[a] = scree_hash_clean_zero(pos[a]);
    }
    r.pos[3] = p->pos[i][3];
    for (int c = 0; c < 4; c++) {
        r.vel[c] = scree_hash_clean_zero(p->vel[i][c]);
        r.spin[c] = scree_hash_clean_zero(p->spin[i][c]);
    }
    if (p->load != NULL) memcpy(r.load, p->load[i], sizeof r.load);
    return scree_hash_record(&r, sizeof r);
}

/* Decides nothing, but is part of the state where it is kept. */
static uint64_t hash_orientation(const struct scree_particles *p, scree_lid i)
{
    struct {
        int64_t gid;
        double orientation[4];
    } r = {.gid = p->gid[i]};
    for (int c = 0; c < 4; c++) r.orientation[c] = scree_hash_clean_zero(p->orientation[i][c]);
    return scree_hash_record(&r, sizeof r);
}

/* What the method ed knows of a grain. */
static uint64_t hash_flight(const struct scree_particles *p, scree_lid i)
{
    struct {
        int64_t gid, encounter[5];
        double flight[9];
    } r = {.gid = p->gid[i]};
    memcpy(r.encounter, p->encounter[i], sizeof r.encounter);
    for (int c = 0; c < 9; c++) r.flight[c] = scree_hash_clean_zero(p->flight[i][c]);
    return scree_hash_record(&r, sizeof r);
}

struct contact_record {
    int64_t first, second, image[3];
    double history[SCREE_HISTORY_MAX];
};

struct contact_sum {
    uint64_t sum;
    int stride;
};

static void add_contact(void *context, const struct scree_contact_view *view)
{
    struct contact_sum *sum = context;
    struct contact_record r;
    memset(&r, 0, sizeof r);
    r.first = view->first;
    r.second = view->second;
    for (int a = 0; a < 3; a++) r.image[a] = view->image[a];
    for (int s = 0; s < sum->stride; s++) r.history[s] = scree_hash_clean_zero(view->history[s]);
    sum->sum += scree_hash_record(&r, sizeof r);
}

static uint64_t hash_servos(const struct scree_walls *walls)
{
    uint64_t sum = 0;
    int n = scree_walls_n_servos(walls);
    double *numbers = scree_alloc((size_t)n * SCREE_SERVO_NUMBERS + 1, sizeof *numbers);
    scree_walls_save_servos(walls, numbers);
    for (int s = 0; s < n; s++) {
        double r[1 + SCREE_SERVO_NUMBERS] = {s};
        for (int k = 0; k < SCREE_SERVO_NUMBERS; k++)
            r[1 + k] = scree_hash_clean_zero(numbers[s * SCREE_SERVO_NUMBERS + k]);
        sum += scree_hash_record(r, sizeof r);
    }
    scree_alloc_free(numbers);
    return sum;
}

/* Where the drives of walls began; nothing of runs without stages. */
static uint64_t hash_places(const struct scree_run *run)
{
    uint64_t sum = 0;
    int n = SCREE_WALL_NUMBERS * run->scene.walls->n;
    if (run->stage == 0) return 0;
    double *place = scree_alloc((size_t)n + 1, sizeof *place);
    scree_walls_save_places(run->scene.walls, place);
    for (int k = 0; k < n; k++) {
        const double r[2] = {k, scree_hash_clean_zero(place[k])};
        sum += scree_hash_record(r, sizeof r);
    }
    scree_alloc_free(place);
    return sum;
}

static uint64_t hash_cell(const struct scree_run *run)
{
    double r[SCREE_DEFORMATION_NUMBERS + SCREE_DEFORMATION_SERVOS * SCREE_SERVO_NUMBERS];
    if (!run->scene.cell_control->on) return 0;
    memcpy(r, &run->scene.domain->cell.state, sizeof run->scene.domain->cell.state);
    scree_deformation_control_save(run->scene.cell_control, r + SCREE_DEFORMATION_NUMBERS);
    for (size_t k = 0; k < sizeof r / sizeof *r; k++) r[k] = scree_hash_clean_zero(r[k]);
    return scree_hash_record(r, sizeof r);
}

uint64_t scree_digest_compute(struct scree_run *run)
{
    const struct scree_particles *p = run->scene.particles;
    struct contact_sum contacts = {0, run->scene.contacts->stride};
    uint64_t sum = 0;
    for (scree_lid i = 0; i < p->n_owned; i++) {
        sum += hash_grain(&run->scene.domain->box, p, i);
        if (p->orientation != NULL) sum += hash_orientation(p, i);
        if (p->flight != NULL) sum += hash_flight(p, i);
    }
    scree_contacts_visit(run->scene.contacts, p, add_contact, &contacts);
    sum += contacts.sum;
    if (run->scene.comm->rank == 0)
        sum += hash_servos(run->scene.walls) + hash_places(run) + hash_cell(run);
    scree_comm_sum_hash(run->scene.comm, &sum, 1);
    return sum;
}
