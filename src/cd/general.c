/* SPDX-License-Identifier: BSD-3-Clause
 * A contact of spheres, disks, walls and drives as rows of numbers. */
#include "general.h"

#include <math.h>
#include <string.h>

#include "scree/vec.h"

int scree_cd_row_dim(const struct scree_cd_problem *p)
{
    double kind[3] = {0.0, 0.0, 0.0}; /* of any contact: rolling, torsion, cohesion */
    for (size_t c = 0; c < p->n_contacts && p->extra != NULL; c++) {
        if (p->extra[c].rolling > 0.0) kind[0] = 1.0;
        if (p->extra[c].torsion > 0.0) kind[1] = 1.0;
        if (p->extra[c].cohesion > 0.0) kind[2] = 1.0;
    }
    scree_comm_max(p->comm, kind, 3);
    return kind[2] > 0.0 ? 0 : kind[1] > 0.0 ? 6 : kind[0] > 0.0 ? 5 : 3;
}

void scree_cd_find_frame(const double normal[3], double frame[3][3])
{
    const double helper[3] = {fabs(normal[0]) < 0.6 ? 1.0 : 0.0, fabs(normal[0]) < 0.6 ? 0.0 : 1.0,
                              0.0};
    memcpy(frame[0], normal, sizeof frame[0]);
    scree_vec_cross(normal, helper, frame[1]);
    double size = scree_vec_norm(frame[1]);
    for (int k = 0; k < 3; k++) frame[1][k] /= size;
    scree_vec_cross(normal, frame[1], frame[2]);
}

/* What one body adds: e (v + l n x w) along the directions of the frame, and w for the couples.
 * Moments are those across the normal, then that about it. */
static void set_body(const struct scree_cd_problem *p, int dim, size_t at, int side,
                     double frame[3][3], struct scree_cd_row *row)
{
    static const int of_moment[] = {1, 2, 0};
    const struct scree_cd_contact *c = &p->contact[at];
    const int turn = side == 1 && p->extra != NULL ? p->extra[at].turn : 0;
    const double sign = side == 0 ? 1.0 : -1.0;
    for (int k = 0; k < dim; k++) {
        double linear[3] = {0.0, 0.0, 0.0}, spin[3];
        if (k < 3) {
            scree_vec_cross(frame[k], c->normal, spin);
            for (int a = 0; a < 3; a++) linear[a] = sign * frame[k][a], spin[a] *= c->arm[side];
        } else {
            for (int a = 0; a < 3; a++) spin[a] = sign * frame[of_moment[k - 3]][a];
        }
        if (turn != 0) { /* back into the frame in which the second is kept */
            scree_wedge_turn_by(p->wedge, -turn, linear);
            scree_wedge_turn_by(p->wedge, -turn, spin);
        }
        memcpy(row->of[side][k], linear, sizeof linear);
        memcpy(row->of[side][k] + 3, spin, sizeof spin);
    }
}

/* The velocity of what nothing moves is known. */
static void settle_body(const struct scree_cd_problem *p, int dim, int32_t copy, int side,
                        struct scree_cd_row *row)
{
    const struct scree_cd_body *body = &p->body[p->copy_body[copy]];
    row->body[side] = body->gid;
    for (int a = 0; a < 6; a++) {
        if ((a < 3 ? body->inverse_mass : body->inverse_inertia) > 0.0) continue;
        for (int k = 0; k < dim; k++) {
            row->w[k] += row->of[side][k][a] * body->free[a];
            row->of[side][k][a] = 0.0;
        }
    }
    if (!(body->inverse_mass > 0.0) && !(body->inverse_inertia > 0.0)) row->body[side] = -1;
}

static void set_drives(const struct scree_cd_problem *p, size_t at, double frame[3][3],
                       struct scree_cd_row *row)
{
    for (int k = 0; p->extra != NULL && k < p->extra[at].n_drives; k++) {
        double sweep[3];
        int d = scree_cd_find_sweep(p, &p->extra[at], k, sweep);
        const struct scree_cd_drive *drive = &p->drive[d];
        for (int a = 0; a < 3; a++) {
            double along = scree_vec_dot(frame[a], sweep);
            if (drive->inverse_mass > 0.0)
                row->sweep[row->n_drives][a] = along;
            else
                row->w[a] += along * scree_cd_rate(drive, drive->free);
        }
        if (drive->inverse_mass > 0.0) row->drive[row->n_drives++] = d;
    }
}

void scree_cd_find_row(const struct scree_cd_problem *p, int dim, int block, size_t at,
                       struct scree_cd_row *row)
{
    static const int of_moment[] = {1, 2, 0};
    const struct scree_cd_contact *c = &p->contact[at];
    const struct scree_cd_extra *extra = p->extra != NULL ? &p->extra[at] : NULL;
    double frame[3][3];
    memset(row, 0, sizeof *row);
    scree_cd_find_frame(c->normal, frame);
    row->block = p->block[block];
    row->place = (int64_t)at - p->block_contacts[block];
    row->limit[0] = c->friction;
    row->impulse[0] = p->impulse[at].n;
    for (int k = 0; k < 3; k++) row->w[k] = scree_vec_dot(frame[k], c->drift);
    row->w[0] -= c->target;
    for (int k = 1; k < 3; k++) row->impulse[k] = scree_vec_dot(frame[k], p->impulse[at].t);
    if (dim > 3) {
        row->limit[1] = extra->rolling;
        row->limit[2] = extra->torsion;
        for (int k = 3; k < dim; k++) {
            row->w[k] = scree_vec_dot(frame[of_moment[k - 3]], extra->spin_drift);
            row->impulse[k] = scree_vec_dot(frame[of_moment[k - 3]], p->couple[at]);
        }
    }
    row->body[0] = row->body[1] = -1;
    set_body(p, dim, at, 0, frame, row);
    settle_body(p, dim, c->a, 0, row);
    if (c->b >= 0) {
        set_body(p, dim, at, 1, frame, row);
        settle_body(p, dim, c->b, 1, row);
    }
    set_drives(p, at, frame, row);
}
