/* SPDX-License-Identifier: BSD-3-Clause
 * Motion by a table: at given times a path, which is joined by straight lines, or a rate, which is
 * joined by straight lines and integrated. After the last time a path stays, a rate goes on. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "scree/alloc.h"
#include "scree/wall_motion.h"

struct lists {
    const struct scree_node *times, *path, *rates;
};
_Static_assert(sizeof(struct lists) <= SCREE_MOTION_VALUES * sizeof(double), "fits in a motion");

#define AT(member) offsetof(struct lists, member)
#define PARAMS(length, speed)                                                       \
    {                                                                               \
        {"times",                                                                   \
         SCREE_PARAM_NODE,                                                          \
         "",                                                                        \
         0,                                                                         \
         0,                                                                         \
         NULL,                                                                      \
         NULL,                                                                      \
         AT(times),                                                                 \
         "list of rising times [s] since the start, the first of them 0"},          \
            {"path",                                                                \
             SCREE_PARAM_NODE,                                                      \
             "",                                                                    \
             0,                                                                     \
             0,                                                                     \
             "",                                                                    \
             NULL,                                                                  \
             AT(path),                                                              \
             "list: how far [" length "] at each time; in between straight lines"}, \
            {"rates",                                                               \
             SCREE_PARAM_NODE,                                                      \
             "",                                                                    \
             0,                                                                     \
             0,                                                                     \
             "",                                                                    \
             NULL,                                                                  \
             AT(rates),                                                             \
             "instead of path, list: how fast [" speed                              \
             "] at each time; in between straight lines"},                          \
        {                                                                           \
            0                                                                       \
        }                                                                           \
    }
static const struct scree_param shift[] = PARAMS("m", "m/s"), turn[] = PARAMS("rad", "rad/s");

static bool read_list(struct scree_input *input, const struct scree_node *node, const char *unit,
                      const char *key, int n, double *value)
{
    scree_node_mark_all_used(node);
    if (scree_node_kind(node) != SCREE_NODE_LIST || scree_node_count(node) != n) {
        scree_input_error(input, node,
                          "table: '%s' is not a list of %d numbers, one for each of "
                          "'times'",
                          key, n);
        return false;
    }
    bool good = true;
    for (int k = 0; k < n; k++)
        good = scree_input_real(input, scree_node_item(node, k), unit, &value[k]) && good;
    return good;
}

static bool read_times(struct scree_input *input, const struct scree_node *node, int n,
                       double *time)
{
    if (!read_list(input, node, "s", "times", n, time)) return false;
    bool good = time[0] == 0.0;
    for (int k = 1; k < n; k++) good = good && time[k] > time[k - 1];
    if (!good) scree_input_error(input, node, "table: 'times' must begin with 0 and rise");
    return good;
}

/* Fill in what was not given: rates of each interval, or the path from rates that change evenly
 * (the area of trapezia). */
static void complete(struct scree_motion *motion, bool has_rates)
{
    int n = motion->n_table;
    const double *time = motion->table;
    double *path = motion->table + n, *rate = motion->table + 2 * n;
    if (has_rates) path[0] = 0.0;
    for (int k = 1; k < n && has_rates; k++)
        path[k] = path[k - 1] + 0.5 * (rate[k] + rate[k - 1]) * (time[k] - time[k - 1]);
    for (int k = 1; k < n && !has_rates; k++)
        rate[k - 1] = (path[k] - path[k - 1]) / (time[k] - time[k - 1]);
    if (!has_rates) rate[n - 1] = 0.0;
    motion->values[0] = has_rates ? 1.0 : 0.0; /* the nodes are not needed any more */
}

static void check(struct scree_input *input, const struct scree_node *node,
                  struct scree_motion *motion)
{
    struct lists lists;
    memcpy(&lists, motion->values, sizeof lists);
    bool has_rates = lists.rates != NULL, turns = motion->kind == SCREE_MOTION_TURN;
    if ((lists.path != NULL) == has_rates) {
        scree_input_error(input, node, "table: give either 'path' or 'rates'");
        scree_node_mark_all_used(node);
        return;
    }
    if (scree_node_kind(lists.times) != SCREE_NODE_LIST || scree_node_count(lists.times) == 0) {
        scree_input_error(input, lists.times, "table: 'times' is not a list of times");
        scree_node_mark_all_used(node);
        return;
    }
    int n = motion->n_table = scree_node_count(lists.times);
    double *time = motion->table = scree_alloc(3 * (size_t)n, sizeof *motion->table);
    bool good = read_times(input, lists.times, n, time);
    if (has_rates)
        good = read_list(input, lists.rates, turns ? "rad/s" : "m/s", "rates", n, time + 2 * n) &&
               good;
    else
        good = read_list(input, lists.path, turns ? "rad" : "m", "path", n, time + n) && good;
    if (!good) return;
    if (!has_rates && time[n] != 0.0)
        scree_input_error(input, lists.path,
                          "table: 'path' must begin with 0: it is counted from "
                          "where the wall is");
    complete(motion, has_rates);
}

static void at(const struct scree_motion *motion, double t, double *path, double *rate)
{
    int n = motion->n_table, low = 0, high = n;
    const double *time = motion->table, *paths = time + n, *rates = time + 2 * n;
    while (high - low > 1) { /* time[low] <= t < time[high] */
        int middle = (low + high) / 2;
        if (time[middle] <= t)
            low = middle;
        else
            high = middle;
    }
    double since = t - time[low], gain = 0.0;
    if (motion->values[0] != 0.0 && low + 1 < n)
        gain = (rates[low + 1] - rates[low]) / (time[low + 1] - time[low]);
    *path = paths[low] + since * (rates[low] + 0.5 * gain * since);
    *rate = rates[low] + gain * since;
}

const struct scree_motion_law scree_motion_table = {
    .name = "table",
    .summary = "path or rate at given times, joined by straight lines",
    .params = {shift, turn},
    .check = check,
    .at = at,
};
