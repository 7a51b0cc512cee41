/* SPDX-License-Identifier: BSD-3-Clause
 * Contacts of a step in general form: rows of numbers instead of spheres, walls and drives. Private
 * to cd. */
#ifndef SCREE_CD_GENERAL_H
#define SCREE_CD_GENERAL_H

#include "problem.h"
#include "scree/cones.h"

enum { SCREE_CD_ROW_DRIVES = SCREE_CD_RATES + 6 };

/* A contact: relative velocity u = of[0] (v_a, w_a) + of[1] (v_b, w_b) + sweep (rates) + w, in the
 * frame of the contact, of what can be moved; what cannot is in w. */
struct scree_cd_row {
    scree_gid body[2]; /* -1: none, or nothing moves it */
    double of[2][SCREE_CONES_DIM][6];
    double sweep[SCREE_CD_ROW_DRIVES][3];
    int32_t drive[SCREE_CD_ROW_DRIVES], n_drives;
    double w[SCREE_CONES_DIM], impulse[SCREE_CONES_DIM];
    scree_cones_limits limit;
    int64_t block, place; /* order of rows, whoever has them */
};

/* Components of contacts: 3, with rolling 5, with torsion 6; 0: contacts cohere, which has no place
 * in this form. Collective. */
int scree_cd_row_dim(const struct scree_cd_problem *problem);
/* The frame of a contact: normal, two directions across. */
void scree_cd_find_frame(const double normal[3], double frame[3][3]);
void scree_cd_find_row(const struct scree_cd_problem *problem, int dim, int block, size_t contact,
                       struct scree_cd_row *row);

/* The whole problem on rank 0, in an order that knows no ranks, with the present impulses
 * (allocated here); other ranks get one without contacts. Collective. */
enum scree_status scree_cd_collect(const struct scree_cd_problem *problem,
                                   struct scree_cones_bodies *bodies, double **impulse);

#endif
