/* SPDX-License-Identifier: BSD-3-Clause
 * Measurement `profile`: density, velocity and temperature in bins along a direction or along the
 * distance from an axis, averaged over time; with slabs, in bins of a plane. A grain belongs to the
 * bin of its centre; means are by mass. */
#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "profile.h"
#include "scree/alloc.h"
#include "stress_sums.h"

const char *const scree_profile_alongs[] = {"x", "y", "z", "r", NULL};
const char *const scree_profile_axes[] = {"x", "y", "z", NULL};

#define AT(member) offsetof(struct scree_profile, member)
static const struct scree_param params[] = {
    {"along", SCREE_PARAM_CHOICE, "", 0, 0, NULL, scree_profile_alongs, AT(along),
     "direction of the bins; r: distance from an axis"},
    {"bins", SCREE_PARAM_INTEGER, "", 1, 100000, "50", NULL, AT(bins), "number of bins"},
    {"low", SCREE_PARAM_REAL, "m", 0, 0, "", NULL, AT(low),
     "where the bins begin; default: at the low face of the domain, r: 0"},
    {"high", SCREE_PARAM_REAL, "m", 0, 0, "", NULL, AT(high),
     "where they end; default: at the high face, r: at the farthest face beside the axis"},
    {"axis", SCREE_PARAM_CHOICE, "", 0, 0, "", scree_profile_axes, AT(axis),
     "along r: direction of the axis, default z; otherwise the direction in which slabs follow"},
    {"centre", SCREE_PARAM_VECTOR, "m", 0, 0, "[0, 0, 0]", NULL, AT(centre),
     "along r: a point of the axis"},
    {"slabs", SCREE_PARAM_INTEGER, "", 1, 10000, "1", NULL, AT(slabs),
     "layers along the axis, each with a profile of its own"},
    {"angle", SCREE_PARAM_REAL, "rad", DBL_MIN, INFINITY, "360 deg", NULL, AT(angle),
     "along r: what of the turn the sample fills, for densities in a wedge"},
    {0},
};

/* Bins must be the same in all sectors of a wedge. */
static void check_wedge(struct scree_profile *v, struct scree_input *input,
                        const struct scree_node *node, const struct scree_wedge *wedge)
{
    if (v->along != SCREE_ALONG_R || v->axis != wedge->axis || v->centre[wedge->u] != 0.0 ||
        v->centre[wedge->v] != 0.0)
        scree_input_error(input, node,
                          "profile: in a wedge profiles are along r, about its axis: use {along: "
                          "r, axis: %s}; slabs with 1 of 'bins' give a profile along the axis",
                          scree_profile_axes[wedge->axis]);
    if (scree_node_find(node, "angle") == NULL) v->angle /= wedge->n;
}

/* Slabs across a straight profile make a field: bins in a plane. */
static void check_slabs(struct scree_profile *v, struct scree_input *input,
                        const struct scree_node *node, const struct scree_box *box)
{
    const struct scree_node *axis = scree_node_find(node, "axis"),
                            *slabs = scree_node_find(node, "slabs");
    if (v->slabs == 1) {
        if (axis != NULL)
            scree_input_error(input, axis,
                              "profile: 'axis' is only for profiles along r or with 'slabs'");
        v->axis = 2;
        return;
    }
    if (axis == NULL)
        scree_input_error(input, slabs, "profile: 'slabs' need an 'axis' along which they follow");
    else if (v->axis == v->along || v->axis >= box->dimension)
        scree_input_error(input, axis,
                          "profile: 'axis' is %s, expected another direction than 'along' for "
                          "slabs%s",
                          scree_profile_axes[v->axis],
                          box->dimension == 2 ? ", x or y in two dimensions" : "");
}

/* False if something was wrong. */
static bool check_axis(struct scree_profile *v, struct scree_input *input,
                       const struct scree_node *node, const struct scree_analysis_setting *setting)
{
    const struct scree_box *box = setting->box;
    static const char *const only_r[] = {"centre", "angle"};
    int n_errors = scree_input_n_errors(input);
    for (int k = 0; k < 2 && v->along != SCREE_ALONG_R; k++) {
        const struct scree_node *key = scree_node_find(node, only_r[k]);
        if (key != NULL)
            scree_input_error(input, key, "profile: '%s' is only for profiles along r", only_r[k]);
    }
    if (v->along != SCREE_ALONG_R)
        check_slabs(v, input, node, box);
    else if (v->axis < 0)
        v->axis = 2;
    if (setting->deforms && v->along == SCREE_ALONG_R)
        scree_input_error(input, scree_node_find(node, "along"),
                          "profile: 'along' is r, but the box deforms ('cell')");
    if (box->dimension == 2 && v->along == 2)
        scree_input_error(input, scree_node_find(node, "along"),
                          "profile: 'along' is z, but the run has two dimensions");
    if (box->dimension == 2 && v->along == SCREE_ALONG_R && v->axis != 2)
        scree_input_error(input, scree_node_find(node, "axis"),
                          "profile: 'axis' must be z in two dimensions");
    if (box->dimension == 2 && v->along == SCREE_ALONG_R && v->slabs > 1)
        scree_input_error(input, scree_node_find(node, "slabs"),
                          "profile: two dimensions have only 1 of 'slabs'");
    if (box->wedge.n > 0) check_wedge(v, input, node, &box->wedge);
    return scree_input_n_errors(input) == n_errors;
}

static double farthest_face(const struct scree_profile *v, const struct scree_box *box)
{
    double reach = 0.0;
    for (int a = 0; a < box->dimension; a++)
        if (a != v->axis)
            reach = fmax(reach,
                         fmax(fabs(box->low[a] - v->centre[a]), fabs(box->high[a] - v->centre[a])));
    return reach;
}

static void check(struct scree_measurement *m, struct scree_input *input,
                  const struct scree_node *node, const struct scree_analysis_setting *setting)
{
    struct scree_profile *v = m->values;
    const struct scree_box *box = setting->box;
    v->dimension = box->dimension;
    if (!check_axis(v, input, node, setting)) return;
    bool round = v->along == SCREE_ALONG_R;
    if (isnan(v->low)) v->low = round ? 0.0 : box->low[v->along];
    if (isnan(v->high)) v->high = round ? farthest_face(v, box) : box->high[v->along];
    if (v->low >= v->high || (round && v->low < 0.0)) {
        const struct scree_node *key = scree_node_find(node, "low");
        if (key == NULL) key = scree_node_find(node, "high");
        scree_input_error(input, key != NULL ? key : node,
                          "profile: bins from %g m to %g m are no range%s", v->low, v->high,
                          round ? " of distances" : "");
    }
    if (v->bins * v->slabs > 1000000)
        scree_input_error(input, node, "profile: %lld bins in %lld slabs are more than a million",
                          (long long)v->bins, (long long)v->slabs);
    else
        m->n = (int)(v->bins * v->slabs) * SCREE_N_PROFILE_SUMS;
}

/* Unit vectors of the components, and the coordinate along the bins. Around an axis the
 * components are radial, azimuthal, axial; on the axis itself, the radial direction is arbitrary.
 */
static double place_of(const struct scree_profile *v, const double pos[3], double unit[3][3])
{
    memset(unit, 0, 9 * sizeof(double));
    if (v->along != SCREE_ALONG_R) {
        for (int a = 0; a < 3; a++) unit[a][a] = 1.0;
        return pos[v->along];
    }
    int z = v->axis, x = (z + 1) % 3, y = (z + 2) % 3;
    double dx = pos[x] - v->centre[x], dy = pos[y] - v->centre[y], r = sqrt(dx * dx + dy * dy);
    double cosine = r > 0.0 ? dx / r : 1.0, sine = r > 0.0 ? dy / r : 0.0;
    unit[0][x] = unit[1][y] = cosine;
    unit[0][y] = sine;
    unit[1][x] = -sine;
    unit[2][z] = 1.0;
    return r;
}

/* Number of the bin, -1: none. `place`: along the bins, `pos`: where slabs are told apart. */
static int64_t bin_of(const struct scree_profile *v, const struct scree_box *box,
                      const double pos[3], double place)
{
    if (!(place >= v->low && place < v->high)) return -1;
    int64_t bin = (int64_t)((place - v->low) / (v->high - v->low) * (double)v->bins);
    if (bin >= v->bins) bin = v->bins - 1;
    if (v->slabs == 1) return bin;
    double height = (pos[v->axis] - box->low[v->axis]) / box->length[v->axis];
    if (!(height >= 0.0 && height < 1.0)) return -1;
    int64_t slab = (int64_t)(height * (double)v->slabs);
    return (slab < v->slabs ? slab : v->slabs - 1) * v->bins + bin;
}

/* One grain as a profile sees it. */
struct spot {
    int64_t bin; /* -1: none */
    double place, velocity[3], spin[3], unit[3][3];
};

static void locate(const struct scree_profile *v, const struct scree_analysis_view *view,
                   scree_lid i, struct spot *spot)
{
    const struct scree_box *box = &view->scene->domain->box;
    double pos[3], in_box[3];
    scree_grain_now(view, i, pos, spot->velocity, spot->spin);
    spot->place = place_of(v, pos, spot->unit);
    memcpy(in_box, pos, sizeof in_box);
    if (view->scene->domain->cell.on) { /* bins deform as the box does */
        int32_t image[3] = {0};
        memcpy(in_box, view->scene->particles->pos[i], sizeof in_box);
        scree_box_wrap(box, in_box, image);
    }
    spot->bin = bin_of(v, box, in_box, v->along == SCREE_ALONG_R ? spot->place : in_box[v->along]);
}

static void add_grain(const struct scree_profile *v, const struct scree_scene *scene, scree_lid i,
                      const struct spot *spot, struct scree_exact *sum)
{
    double m = scene->particles->mass[i];
    scree_exact_add(&sum[SCREE_PROFILE_COUNT], 1.0);
    scree_exact_add(&sum[SCREE_PROFILE_SOLID],
                    scree_grain_size(&scene->domain->box, scene->particles->pos[i][3]));
    scree_exact_add(&sum[SCREE_PROFILE_MASS], m);
    scree_exact_add(&sum[SCREE_PROFILE_PLACE], m * spot->place);
    double component[3];
    for (int a = 0; a < 3; a++) {
        const double *u = spot->unit[a], *w = spot->velocity;
        component[a] = w[0] * u[0] + w[1] * u[1] + w[2] * u[2];
        scree_exact_add(&sum[SCREE_PROFILE_VELOCITY + a], m * component[a]);
        scree_exact_add(&sum[SCREE_PROFILE_SQUARE + a], m * component[a] * component[a]);
    }
    if (v->along == SCREE_ALONG_R && spot->place > 0.0)
        scree_exact_add(&sum[SCREE_PROFILE_OMEGA], m * (component[1] / spot->place));
    scree_exact_add(&sum[SCREE_PROFILE_SPIN], m * spot->spin[scree_profile_spin_axis(v)]);
}

/* Is it a free grain of the material? */
static bool counts(const struct scree_measurement *m, const struct scree_analysis_view *view,
                   scree_lid i)
{
    return view->scene->particles->vel[i][3] > 0.0 &&
           scree_chosen_contacts_has_grain(&m->material, view->scene, i);
}

/* Number the bins in which any rank has grains, -1 for the others: exact sums are large, and most
 * bins of a field may be empty. Returns how many. */
static int number_bins(const struct scree_measurement *m, const struct scree_analysis_view *view,
                       int64_t *number, int n_bins)
{
    const struct scree_particles *p = view->scene->particles;
    struct spot spot;
    int n = 0;
    memset(number, 0, (size_t)n_bins * sizeof *number);
    for (scree_lid i = 0; i < p->n_owned; i++) {
        if (!counts(m, view, i)) continue;
        locate(m->values, view, i, &spot);
        if (spot.bin >= 0) number[spot.bin]++;
    }
    scree_comm_sum_int(view->scene->comm, number, n_bins);
    for (int k = 0; k < n_bins; k++) number[k] = number[k] > 0 ? n++ : -1;
    return n;
}

static void sample(struct scree_measurement *m, const struct scree_analysis_view *view,
                   double *value)
{
    enum { N = SCREE_N_PROFILE_SUMS };
    const struct scree_particles *p = view->scene->particles;
    int n_bins = m->n / N;
    int64_t *number = scree_alloc((size_t)n_bins, sizeof *number);
    int n = N * number_bins(m, view, number, n_bins);
    struct scree_exact *sums = scree_alloc((size_t)n + 1, sizeof *sums);
    double *found = scree_alloc((size_t)n + 1, sizeof *found);
    struct spot spot;
    for (int k = 0; k < n; k++) scree_exact_clear(&sums[k]);
    for (scree_lid i = 0; i < p->n_owned; i++) {
        if (!counts(m, view, i)) continue;
        locate(m->values, view, i, &spot);
        if (spot.bin >= 0) add_grain(m->values, view->scene, i, &spot, sums + number[spot.bin] * N);
    }
    scree_analysis_share(view->scene->comm, sums, n, found);
    for (int k = 0; k < m->n; k++)
        value[k] = number[k / N] >= 0 ? found[number[k / N] * N + k % N] : 0.0;
    scree_alloc_free(found);
    scree_alloc_free(sums);
    scree_alloc_free(number);
}

const struct scree_analysis_kind scree_analysis_profile = {
    .name = "profile",
    .summary = "density, velocity, angular velocity and temperature in bins along x, y, z or r, "
               "averaged over time",
    .params = params,
    .values_size = sizeof(struct scree_profile),
    .has_material = true,
    .is_table = true,
    .check = check,
    .describe = scree_profile_describe,
    .sample = sample,
    .write = scree_profile_write,
};
