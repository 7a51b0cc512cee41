/* SPDX-License-Identifier: BSD-3-Clause
 * What fabric and xi-networks have in common: sums over contacts, and the anisotropies that follow.
 * Private to analysis.
 *
 * With n the unit vector of a contact, l its branch and f its force, and means over contacts,
 *
 *     F_ij = <n_i n_j>              fabric
 *     L_ij = <|l| n_i n_j>          branch
 *     N_ij = <f_n n_i n_j>          normal force
 *     X_ij = <f_i n_j>              force
 *
 * in two dimensions (Radjai, Wolf, Jean, Moreau, Phys. Rev. Lett. 80, 61 (1998), equations 1 to 4)
 *
 *     A_c = 2 (F_1 - F_2),  A_c + A_n = 2 (N_1 - N_2)/(N_1 + N_2),
 *     A_c + A_n + A_t = 2 (X_1 - X_2)/(X_1 + X_2),  A_c + A_l = 2 (L_1 - L_2)/(L_1 + L_2),
 *     (sigma_1 - sigma_2)/(sigma_1 + sigma_2) = (A_c + A_n + A_t)/2
 *
 * and in three, with harmonics 1 + a (3 cos^2 theta - 1) about an axis (Azema, Radjai, Peyroux,
 * Saussine, Phys. Rev. E 76, 011301 (2007)), 5/2 in place of 2, and
 *
 *     (sigma_1 - sigma_3)/(sigma_1 + sigma_2 + sigma_3) = 2/5 (a_c + a_n + a_t).
 *
 * 1 is the direction of the major principal stress of these contacts and the last one that of the
 * minor one, so an anisotropy is negative if it is across the stress. About a given axis, 1 is
 * along it and the mean over the directions across takes the place of the last one. */
#ifndef SCREE_FABRIC_SUMS_H
#define SCREE_FABRIC_SUMS_H

#include "chosen_contacts.h"

/* Symmetric tensors: xx, yy, zz, xy, xz, yz. */
enum scree_fabric_sum {
    SCREE_FABRIC_CONTACTS,
    SCREE_FABRIC_TENSOR,
    SCREE_FABRIC_LENGTH = SCREE_FABRIC_TENSOR + 6,      /* m; of branches */
    SCREE_FABRIC_BRANCH,                                /* m */
    SCREE_FABRIC_NORMAL = SCREE_FABRIC_BRANCH + 6,      /* N; normal forces */
    SCREE_FABRIC_NORMAL_FORCE,                          /* N */
    SCREE_FABRIC_FORCE = SCREE_FABRIC_NORMAL_FORCE + 6, /* N; f_i n_j, row by row */
    SCREE_FABRIC_STRESS = SCREE_FABRIC_FORCE + 9,       /* N m; l_i f_j, row by row */
    SCREE_FABRIC_SLIDING = SCREE_FABRIC_STRESS + 9,
    SCREE_FABRIC_POWER, /* W; lost where contacts slide */
    SCREE_N_FABRIC_SUMS
};

struct scree_fabric_frame {
    int axis; /* -1: the principal stresses rule */
    double major[3], minor[3];
};

struct scree_anisotropies {
    double fabric, branch, normal, tangential; /* A_c, A_l, A_n, A_t; NAN without contacts */
    double error;                              /* of A_c if n directions are independent */
    double expected;                           /* stress ratio by A_c, A_n and A_t */
    double measured;                           /* stress ratio */
};

/* What a contact adds to each sum. */
void scree_fabric_weigh(const struct scree_contact *contact, double weight, double *number);
void scree_fabric_unpack(const double six[6], double tensor[3][3]);
/* The directions 1 and last; axis: -1, or the number of a component. */
void scree_fabric_find_frame(struct scree_fabric_frame *frame, const double *sum, int axis,
                             int dimension);
/* t_1 - t_last of a tensor. */
double scree_fabric_deviator(const struct scree_fabric_frame *frame, double tensor[3][3],
                             int dimension);
void scree_fabric_find(struct scree_anisotropies *a, const double *sum,
                       const struct scree_fabric_frame *frame, int dimension);
/* a/b; NAN if b is 0. */
double scree_fabric_ratio(double a, double b);

/* The key `axis`: words and the component that one means, -1 after a mistake or without it. */
extern const char *const scree_fabric_axes[];
int scree_fabric_read_axis(int word, struct scree_input *input, const struct scree_node *node,
                           const struct scree_box *box);

#endif
