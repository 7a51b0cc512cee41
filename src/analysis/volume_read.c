/* SPDX-License-Identifier: BSD-3-Clause
 * Reading where a measurement looks. */
#include "volume.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "round.h"

#define AT(member) offsetof(struct scree_volume, member)
const struct scree_param scree_volume_params[] = {
    {"low", SCREE_PARAM_VECTOR, "m", 0, 0, "", NULL, AT(low),
     "lower corner of the volume; default: all there is; a round sample counts whole if the "
     "corners are around it"},
    {"high", SCREE_PARAM_VECTOR, "m", 0, 0, "", NULL, AT(high), "upper corner"},
    {"border", SCREE_PARAM_NODE, "", 0, 0, "", NULL, AT(border_node),
     "instead of corners: layer left out at box faces and walls that do not repeat; a length, or "
     "a part of the extent such as 10 %"},
    {"inner", SCREE_PARAM_REAL, "m", 0, INFINITY, "", NULL, AT(inner),
     "of a round sample: least distance from its axis; default: at the inner wall"},
    {"outer", SCREE_PARAM_REAL, "m", 0, INFINITY, "", NULL, AT(outer),
     "of a round sample: largest distance from its axis; default: at the outer wall"},
    {"bottom", SCREE_PARAM_REAL, "m", 0, 0, "", NULL, AT(bottom),
     "in a wedge: lower end along the axis; default: all there is"},
    {"top", SCREE_PARAM_REAL, "m", 0, 0, "", NULL, AT(top), "in a wedge: upper end"},
    {"volume", SCREE_PARAM_NODE, "", 0, 0, "", NULL, AT(size_node),
     "its size (2D: an area); default: between walls and periods, needed where these do not tell"},
    {0},
};

static void read_border(struct scree_volume *volume, struct scree_input *input)
{
    const struct scree_node *node = volume->border_node;
    const char *text = scree_node_text(node);
    char why[256];
    scree_node_mark_used(node);
    if (strchr(text, '%') != NULL) {
        if (!scree_units_parse(text, "1", &volume->border_share, why, sizeof why))
            scree_input_error(input, node, "'border' is '%s', expected a part such as 10 %%", text);
        else if (!(volume->border_share >= 0.0 && volume->border_share < 0.5))
            scree_input_error(input, node, "'border' is '%s', allowed 0 %% to below 50 %%", text);
    } else if (scree_input_real(input, node, "m", &volume->border) && volume->border < 0.0) {
        scree_input_error(input, node, "'border' is %g m, allowed >= 0", volume->border);
    }
}

static void check_axis(const struct scree_volume *volume, struct scree_input *input,
                       const struct scree_node *node, const struct scree_box *box, int a)
{
    double low = volume->low[a], high = volume->high[a], slack = 1e-9 * box->length[a];
    const struct scree_node *key = scree_node_find(node, isnan(low) ? "high" : "low");
    if (isnan(low)) low = box->low[a];
    if (isnan(high)) high = box->high[a];
    if (low < high && low >= box->low[a] - slack && high <= box->high[a] + slack) return;
    if (key != NULL && box->length[a] > 0.0)
        scree_input_error(input, key,
                          "volume from %g m to %g m in %c is empty or outside the domain, which "
                          "reaches from %g m to %g m",
                          low, high, "xyz"[a], box -> low[a], box -> high[a]);
}

/* A wedge has rings for volumes, everybody else boxes, or both in a round sample. False if there
 * are mistakes. */
static bool check_keys(const struct scree_volume *volume, struct scree_input *input,
                       const struct scree_node *node, const struct scree_analysis_setting *setting)
{
    static const char *const keys[3][5] = {{"inner", "outer", "bottom", "top", NULL},
                                           {"bottom", "top", NULL},
                                           {"low", "high", "border", NULL}};
    bool wedge = setting->box->wedge.n > 0, good = true;
    int axis, what = wedge ? 2 : scree_volume_round(setting->walls, &axis) != NULL;
    for (int k = 0; keys[what][k] != NULL; k++) {
        const char *word = keys[what][k];
        const struct scree_node *key = scree_node_find(node, word);
        if (key == NULL) continue;
        good = false;
        scree_input_error(input, key,
                          wedge ? "'%s' is of a box; in a wedge give 'inner', 'outer', 'bottom', "
                                  "'top'"
                          : word[0] == 'i' || word[0] == 'o'
                              ? "'%s' is only for a wedge, or between cylinders along x, y or z"
                              : "'%s' is only for a domain that is a wedge",
                          word);
    }
    if (volume->inner >= volume->outer || volume->bottom >= volume->top) {
        scree_input_error(input, node, "the volume from %g m to %g m is empty",
                          volume->inner >= volume->outer ? volume->inner : volume->bottom,
                          volume->inner >= volume->outer ? volume->outer : volume->top);
        good = false;
    }
    return good;
}

static void read_size(struct scree_volume *volume, struct scree_input *input, int dimension)
{
    const struct scree_node *node = volume->size_node;
    volume->size = NAN;
    if (node == NULL) return;
    scree_node_mark_used(node);
    if (!scree_input_real(input, node, dimension == 2 ? "m^2" : "m^3", &volume->size)) return;
    if (!(volume->size > 0.0))
        scree_input_error(input, node, "'volume' is %g, allowed > 0", volume->size);
}

void scree_volume_check(struct scree_volume *volume, struct scree_input *input,
                        const struct scree_node *node, const struct scree_analysis_setting *setting)
{
    bool corners = scree_node_find(node, "low") != NULL || scree_node_find(node, "high") != NULL;
    volume->border = volume->border_share = 0.0;
    read_size(volume, input, setting->box->dimension);
    if (setting->deforms) {
        if (corners || volume->border_node != NULL || volume->size_node != NULL)
            scree_input_error(input,
                              corners                       ? node
                              : volume->border_node != NULL ? volume->border_node
                                                            : volume->size_node,
                              "in a box that deforms ('cell') volumes are the whole box; leave out "
                              "'low', 'high', 'border' and 'volume'");
        return;
    }
    if (!check_keys(volume, input, node, setting)) return;
    if (volume->border_node != NULL) read_border(volume, input);
    if (volume->border_node != NULL && corners)
        scree_input_error(input, volume->border_node,
                          "'border' and 'low' or 'high' are both given; keep one of them");
    for (int a = 0; a < setting->box->dimension; a++)
        check_axis(volume, input, node, setting->box, a);
    for (int a = 0; a < setting->box->dimension; a++)
        if (!setting->box->periodic[a] && setting->box->length[a] > 0.0 &&
            2.0 * volume->border >= setting->box->length[a]) {
            scree_input_error(input, volume->border_node,
                              "'border' is %g m, which leaves nothing of %g m in %c",
                              volume->border, setting->box->length[a], "xyz"[a]);
            return;
        }
}

void scree_volume_check_size(const struct scree_volume *volume, struct scree_input *input,
                             const struct scree_node *node,
                             const struct scree_analysis_setting *setting)
{
    char why[SCREE_SECTION_REASON];
    if (setting->deforms) return; /* it is the box */
    double size = scree_volume_at_start(volume, setting, why, sizeof why);
    if (size > 0.0) return;
    if (isnan(size))
        scree_input_error(
            input, node,
            "the volume between the walls is not known: %s; give 'volume', or a "
            "region by %s",
            why, setting->box->wedge.n > 0 ? "'outer', 'bottom' and 'top'" : "'low' and 'high'");
    else
        scree_input_error(input, node, "the volume is empty: it is beyond the walls");
}
