/* SPDX-License-Identifier: BSD-3-Clause
 * Keys of new grains: their material, radii, region, velocities. */
#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "samples_impl.h"

static const char *const velocity_words[] = {"maxwell", "uniform", NULL};

#define AT(member) offsetof(struct scree_sample_grains, member)
const struct scree_param scree_sample_grain_params[] = {
    {"material", SCREE_PARAM_TEXT, "", 0, 0, NULL, NULL, AT(material),
     "a name of the section 'materials'"},
    {"radius", SCREE_PARAM_NODE, "m", 0, 0, NULL, NULL, AT(radius),
     "one radius, or a distribution such as {uniform: [smallest, largest]}"},
    {"region", SCREE_PARAM_NODE, "", 0, 0, "", NULL, AT(region_node),
     "what to fill, such as {shape: cylinder, radius: 1 cm}; default: the domain"},
    {"low", SCREE_PARAM_VECTOR, "m", 0, 0, "", NULL, AT(low),
     "instead of region: lower corner of a box to fill; default: of the domain"},
    {"high", SCREE_PARAM_VECTOR, "m", 0, 0, "", NULL, AT(high),
     "instead of region: upper corner of a box to fill; default: of the domain"},
    {"velocities", SCREE_PARAM_CHOICE, "", 0, 0, "maxwell", velocity_words, AT(velocities),
     "distribution of each component of random velocities"},
    {"speed", SCREE_PARAM_REAL, "m/s", 0, INFINITY, "0", NULL, AT(speed),
     "random velocities: rms of each component; the common drift is taken away"},
    {"temperature", SCREE_PARAM_REAL, "J", 0, INFINITY, "", NULL, AT(temperature),
     "instead of speed: mean of m v^2 of each component, the same for light and heavy grains"},
    {"drift", SCREE_PARAM_VECTOR, "m/s", 0, 0, "[0, 0, 0]", NULL, AT(drift),
     "velocity of the centre of mass"},
    {"spin", SCREE_PARAM_REAL, "rad/s", 0, INFINITY, "0", NULL, AT(spin),
     "random angular velocities: rms of each component (2D: of z)"},
    {0},
};

int scree_sample_find_word(const char *const *words, const char *word)
{
    for (int k = 0; words[k] != NULL; k++)
        if (strcmp(words[k], word) == 0) return k;
    return -1;
}

static bool check_material(struct scree_input *input, const struct scree_node *node,
                           const char *const *materials, struct scree_sample_grains *grains)
{
    if (grains->material == NULL) return false;
    grains->species = scree_sample_find_word(materials, grains->material);
    if (grains->species >= 0) return true;
    scree_input_unknown(input, scree_node_find(node, "material"), "material", grains->material,
                        materials);
    return false;
}

static bool check_region(struct scree_input *input, const struct scree_node *node,
                         const struct scree_box *box, struct scree_sample_grains *grains)
{
    if (grains->region_node == NULL)
        return scree_region_make_box(&grains->region, input, node, box, grains->low, grains->high);
    if (scree_node_find(node, "low") != NULL || scree_node_find(node, "high") != NULL) {
        scree_input_error(input, grains->region_node,
                          "'region' and 'low' or 'high' are both given; keep one of them");
        scree_node_mark_all_used(grains->region_node);
        return false;
    }
    return scree_region_read(&grains->region, input, grains->region_node, box);
}

static bool check_velocities(struct scree_input *input, const struct scree_node *node,
                             const struct scree_box *box, const struct scree_sample_grains *grains)
{
    bool good = true;
    if (!isnan(grains->temperature) && scree_node_find(node, "speed") != NULL) {
        scree_input_error(input, scree_node_find(node, "temperature"),
                          "'speed' and 'temperature' are both given; keep one of them");
        good = false;
    }
    if (box->dimension == 2 && grains->drift[2] != 0.0) {
        scree_input_error(input, scree_node_find(node, "drift"),
                          "'drift' has a z component, but the run has two dimensions");
        good = false;
    }
    return good;
}

static bool has_room(struct scree_input *input, const struct scree_node *node,
                     const struct scree_sample_grains *grains)
{
    const struct scree_region *region = &grains->region;
    double diameter = 2.0 * grains->sizes.high;
    bool good = true;
    for (int a = 0; a < region->dimension; a++) {
        if (region->high[a] - region->low[a] >= diameter) continue;
        scree_input_error(input, node, "no room in %c: %g m for grains of diameter %g m", "xyz"[a],
                          region -> high[a] - region -> low[a], diameter);
        good = false;
    }
    return good;
}

bool scree_sample_check_grains(struct scree_input *input, const struct scree_node *node,
                               const struct scree_samples_setting *setting,
                               struct scree_sample_grains *grains)
{
    bool good = check_material(input, node, setting->materials, grains);
    good = check_velocities(input, node, setting->box, grains) && good;
    bool sizes = grains->radius != NULL &&
                 scree_sizes_read(&grains->sizes, input, grains->radius, setting->disks);
    bool region = check_region(input, node, setting->box, grains);
    return sizes && region && has_room(input, node, grains) && good;
}

void scree_sample_check_filling(struct scree_input *input, const struct scree_node *node,
                                const struct scree_sample_grains *grains, int64_t count,
                                double shrink)
{
    const struct scree_region *region = &grains->region;
    int dimension = region->dimension;
    double one = scree_sample_solid(dimension, 1.0) * scree_sizes_moment(&grains->sizes, dimension);
    double fraction = (double)count * one / region->size;
    if (fraction * pow(shrink, dimension) <= 1.0) return;
    scree_input_error(
        input, scree_node_find(node, "count"),
        "'count' is %lld, but so many grains of these radii would have the solid fraction "
        "%.3g in their region",
        (long long)count, fraction);
}

void scree_sample_share(const struct scree_comm *comm, int64_t n, int64_t *begin, int64_t *end)
{
    int64_t each = n / comm->n_ranks, rest = n % comm->n_ranks, r = comm->rank;
    *begin = each * r + (r < rest ? r : rest);
    *end = *begin + each + (r < rest ? 1 : 0);
}
