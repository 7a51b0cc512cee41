/* SPDX-License-Identifier: BSD-3-Clause
 * Sums over contacts, and the anisotropies that follow from them. */
#include "fabric_sums.h"

#include <math.h>
#include <string.h>

#include "principal.h"
#include "scree/vec.h"

static const int row_of[6] = {0, 1, 2, 0, 0, 1}, column_of[6] = {0, 1, 2, 1, 2, 2};

void scree_fabric_weigh(const struct scree_contact *contact, double weight, double *number)
{
    const double *n = contact->normal, *f = contact->force, *l = contact->branch;
    double length = scree_vec_norm(l), slides = contact->slides ? weight : 0.0, lost = 0.0;
    number[SCREE_FABRIC_CONTACTS] = weight;
    number[SCREE_FABRIC_LENGTH] = length * weight;
    number[SCREE_FABRIC_NORMAL] = contact->normal_force * weight;
    for (int k = 0; k < 6; k++) {
        double nn = n[row_of[k]] * n[column_of[k]];
        number[SCREE_FABRIC_TENSOR + k] = nn * weight;
        number[SCREE_FABRIC_BRANCH + k] = length * nn * weight;
        number[SCREE_FABRIC_NORMAL_FORCE + k] = contact->normal_force * nn * weight;
    }
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            number[SCREE_FABRIC_FORCE + 3 * a + b] = f[a] * n[b] * weight;
            number[SCREE_FABRIC_STRESS + 3 * a + b] = l[a] * f[b] * weight;
        }
    for (int a = 0; a < 3; a++) lost -= (f[a] - contact->normal_force * n[a]) * contact->slip[a];
    number[SCREE_FABRIC_SLIDING] = slides;
    number[SCREE_FABRIC_POWER] = lost * slides;
}

void scree_fabric_unpack(const double six[6], double tensor[3][3])
{
    for (int k = 0; k < 6; k++)
        tensor[row_of[k]][column_of[k]] = tensor[column_of[k]][row_of[k]] = six[k];
}

void scree_fabric_find_frame(struct scree_fabric_frame *frame, const double *sum, int axis,
                             int dimension)
{
    struct scree_principal principal;
    double stress[3][3];
    memset(frame, 0, sizeof *frame);
    frame->axis = axis;
    if (axis >= 0) {
        frame->major[axis] = 1.0;
        return;
    }
    memcpy(stress, sum + SCREE_FABRIC_STRESS, sizeof stress);
    scree_principal_find(&principal, stress, dimension);
    memcpy(frame->major, principal.direction[0], sizeof frame->major);
    memcpy(frame->minor, principal.direction[dimension - 1], sizeof frame->minor);
}

static double component(double t[3][3], const double u[3])
{
    double value = 0.0;
    for (int a = 0; a < 3; a++) value += u[a] * scree_vec_dot(t[a], u);
    return value;
}

static double trace(double t[3][3], int dimension)
{
    return t[0][0] + t[1][1] + (dimension == 3 ? t[2][2] : 0.0);
}

double scree_fabric_deviator(const struct scree_fabric_frame *frame, double tensor[3][3],
                             int dimension)
{
    double major = component(tensor, frame->major);
    if (frame->axis < 0) return major - component(tensor, frame->minor);
    return major - (trace(tensor, dimension) - major) / (dimension - 1);
}

double scree_fabric_ratio(double a, double b)
{
    return b != 0.0 ? a / b : NAN;
}

/* factor (t_1 - t_last)/trace */
static double relative(const struct scree_fabric_frame *frame, double tensor[3][3], int dimension)
{
    double factor = dimension == 2 ? 2.0 : 2.5;
    return scree_fabric_ratio(factor * scree_fabric_deviator(frame, tensor, dimension),
                              trace(tensor, dimension));
}

/* Standard deviation of A_c for n independent directions without any: the variances of
 * cos 2 theta, of 3 cos^2 theta - 1 and of n_1^2 - n_3^2 are 1/2, 4/5 and 4/15. */
static double isotropic_error(double n, const struct scree_fabric_frame *frame, int dimension)
{
    double variance = dimension == 2 ? 2.0 : frame->axis >= 0 ? 1.25 : 5.0 / 3.0;
    return n > 0.0 ? sqrt(variance / n) : NAN;
}

void scree_fabric_find(struct scree_anisotropies *a, const double *sum,
                       const struct scree_fabric_frame *frame, int dimension)
{
    double fabric[3][3], branch[3][3], normal[3][3], force[3][3], stress[3][3];
    double factor = dimension == 2 ? 2.0 : 2.5;
    scree_fabric_unpack(sum + SCREE_FABRIC_TENSOR, fabric);
    scree_fabric_unpack(sum + SCREE_FABRIC_BRANCH, branch);
    scree_fabric_unpack(sum + SCREE_FABRIC_NORMAL_FORCE, normal);
    memcpy(force, sum + SCREE_FABRIC_FORCE, sizeof force);
    memcpy(stress, sum + SCREE_FABRIC_STRESS, sizeof stress);
    double with_normal = relative(frame, normal, dimension),
           with_force = relative(frame, force, dimension);
    a->fabric = relative(frame, fabric, dimension);
    a->branch = relative(frame, branch, dimension) - a->fabric;
    a->normal = with_normal - a->fabric;
    a->tangential = with_force - with_normal;
    a->error = isotropic_error(sum[SCREE_FABRIC_CONTACTS], frame, dimension);
    a->expected = with_force / factor;
    a->measured = relative(frame, stress, dimension) / factor;
}

const char *const scree_fabric_axes[] = {"x", "y", "z", "r", "phi", NULL};

int scree_fabric_read_axis(int word, struct scree_input *input, const struct scree_node *node,
                           const struct scree_box *box)
{
    const struct scree_wedge *wedge = &box->wedge;
    if (word < 0) return -1;
    if (wedge->n > 0 && word == wedge->axis) return 2;
    if (wedge->n > 0 && word >= 3) return word - 3;
    if (wedge->n == 0 && word < box->dimension) return word;
    scree_input_error(input, scree_node_find(node, "axis"),
                      wedge->n > 0 ? "'axis' is %s, but directions in this wedge are r, phi and %s"
                                   : "'axis' is %s, but directions here are x%s",
                      scree_fabric_axes[word],
                      wedge->n > 0          ? scree_fabric_axes[wedge->axis]
                      : box->dimension == 2 ? " and y"
                                            : ", y and z");
    return -1;
}
