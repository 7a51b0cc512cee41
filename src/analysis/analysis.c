/* SPDX-License-Identifier: BSD-3-Clause
 * The measurements of a run: the table of kinds, reading the section `analysis`, when samples and
 * rows are due, sums over time. */
#include "scree/analysis.h"

#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "chosen_contacts.h"
#include "scree/alloc.h"
#include "volume.h"

#define SCREE_ANALYSIS(name) extern const struct scree_analysis_kind scree_analysis_##name;
#include "scree/analyses.def"
#undef SCREE_ANALYSIS

#define SCREE_ANALYSIS(name) &scree_analysis_##name,
static const struct scree_analysis_kind *const kinds[] = {
#include "scree/analyses.def"
};
#undef SCREE_ANALYSIS

#define SCREE_ANALYSIS(name) #name,
static const char *const kind_names[] = {
#include "scree/analyses.def"
    NULL};
#undef SCREE_ANALYSIS

enum { N_KINDS = sizeof kinds / sizeof kinds[0] };

/* Keys of every measurement. */
struct common {
    const char *name;
    struct scree_interval interval;
    double from, to; /* s */
    int64_t sampled;
};

#define AT(member) offsetof(struct common, member)
static const struct scree_param common_params[] = {
    {"name", SCREE_PARAM_TEXT, "", 0, 0, "", NULL, AT(name),
     "of its file NAME.csv; default: that of the measurement"},
    {"every", SCREE_PARAM_REAL, "s", DBL_MIN, INFINITY, "", NULL, AT(interval.every),
     "simulated time between rows; default: 200 rows over the run, at least 100 steps apart"},
    {"steps", SCREE_PARAM_INTEGER, "", 1, 9e15, "", NULL, AT(interval.steps),
     "instead of every: steps between rows"},
    {"sampled", SCREE_PARAM_INTEGER, "", 1, 9e15, "", NULL, AT(sampled),
     "steps between samples, over which rows and tables average; default: one sample per row"},
    {"from", SCREE_PARAM_REAL, "s", 0, INFINITY, "0", NULL, AT(from), "time of the first sample"},
    {"to", SCREE_PARAM_REAL, "s", 0, INFINITY, "", NULL, AT(to),
     "time of the last sample; default: the end"},
    {0},
};

const struct scree_analysis_kind *const *scree_analyses_kinds(int *n)
{
    *n = N_KINDS;
    return kinds;
}

const struct scree_param *scree_analyses_common_params(void)
{
    return common_params;
}

/* From times to steps of length dt, which count from step `since`, at this time. */
static void find_steps(struct scree_measurement *m, double dt, int64_t since, double time)
{
    m->row_steps = scree_interval_steps(m->every, dt, m->row_steps);
    m->sample_steps = isnan(m->sampled) ? m->row_steps : m->sampled;
    m->first = since + (int64_t)fmin(ceil((m->from - time) / dt - 1e-6), 9e15);
    m->last =
        isnan(m->to) ? INT64_MAX : since + (int64_t)fmin(floor((m->to - time) / dt + 1e-6), 9e15);
}

void scree_analyses_take_clock(struct scree_analyses *analyses, const struct scree_scene *scene)
{
    analyses->since = scene->since_tick;
    for (int k = 0; k < analyses->n; k++)
        find_steps(&analyses->measurement[k], scene->dt, scene->since_tick, scene->since_time);
}

static void read_times(struct scree_measurement *m, struct scree_input *input,
                       const struct scree_node *node, const struct common *c,
                       const struct scree_analysis_setting *setting)
{
    m->every = c->interval.every;
    m->sampled = c->sampled != INT64_MIN ? (double)c->sampled : NAN;
    m->from = c->from;
    m->to = c->to;
    m->row_steps = scree_input_interval(input, node, m->kind->name, &c->interval, setting->dt,
                                        setting->row_steps);
    find_steps(m, setting->dt, 0, 0.0);
    if (m->sample_steps > m->row_steps)
        scree_input_error(input, scree_node_find(node, "sampled"),
                          "%s: 'sampled' is %.16g steps, more than the %.16g between rows",
                          m->kind->name, m->sample_steps, m->row_steps);
    if (m->last < m->first)
        scree_input_error(input, scree_node_find(node, "to"),
                          "%s: 'to' is %g s, before 'from' of %g s", m->kind->name, c->to, c->from);
}

/* A plain word, since it becomes the name of a file; not that of another one of the run. */
static void check_name(const struct scree_analyses *analyses, const struct scree_measurement *m,
                       struct scree_input *input, const struct scree_node *node)
{
    const struct scree_node *key = scree_node_find(node, "name");
    bool plain = m->name[0] != '\0' && strlen(m->name) < 64;
    for (const char *c = m->name; *c != '\0'; c++)
        plain = plain && (isalnum((unsigned char)*c) || *c == '-' || *c == '_');
    static const char *const others[] = {"series", "stages", "trajectory", "checkpoint", "state"};
    bool taken = false;
    for (int k = 0; k < (int)(sizeof others / sizeof others[0]); k++)
        taken = taken || strcmp(m->name, others[k]) == 0;
    if (!plain || taken)
        scree_input_error(input, key,
                          "%s: 'name' is '%s', expected letters, digits, '-' and '_', and not "
                          "'%s', which is taken",
                          m->kind->name, m->name, taken ? m->name : "series");
    for (int k = 0; k < analyses->n; k++)
        if (strcmp(analyses->measurement[k].name, m->name) == 0) {
            scree_input_error(input, key != NULL ? key : node,
                              "analysis: two measurements are named '%s'; give each its own 'name'",
                              m->name);
            return;
        }
}

/* Of a measurement with a mistake, maps in it are not read. */
static void mark_maps(const struct scree_node *node)
{
    for (int k = 0; k < scree_node_count(node); k++)
        if (scree_node_kind(scree_node_item(node, k)) == SCREE_NODE_MAP)
            scree_node_mark_all_used(scree_node_item(node, k));
}

static void read_kind(struct scree_analyses *analyses, struct scree_measurement *m,
                      struct scree_input *input, const struct scree_node *node,
                      const struct scree_analysis_setting *setting)
{
    struct common common;
    const char *what = m->kind->name;
    int n_errors = scree_input_n_errors(input);
    m->values = scree_alloc(1, m->kind->values_size + 1);
    memset(m->values, 0, m->kind->values_size + 1);
    scree_input_read(input, node, NULL, what, common_params, &common);
    if (m->kind->has_volume)
        scree_input_read(input, node, NULL, what, scree_volume_params, &m->volume);
    if (m->kind->has_contacts)
        scree_input_read(input, node, NULL, what, scree_chosen_contacts_params, &m->contacts);
    if (m->kind->has_material)
        scree_input_read(input, node, NULL, what, scree_chosen_material_params, &m->material);
    scree_input_read(input, node, NULL, what, m->kind->params, m->values);
    m->name = common.name != NULL ? common.name : what;
    if (scree_input_n_errors(input) > n_errors) {
        mark_maps(node);
        return;
    }
    read_times(m, input, node, &common, setting);
    check_name(analyses, m, input, node);
    if (m->kind->has_volume) scree_volume_check(&m->volume, input, node, setting);
    scree_chosen_contacts_check(m, input, setting);
    m->kind->check(m, input, node, setting);
    bool sized = m->kind->has_volume && !m->kind->counts_only;
    if (sized && scree_input_n_errors(input) == n_errors)
        scree_volume_check_size(&m->volume, input, node, setting);
}

/* True if there is a measurement now. */
static bool read_item(struct scree_analyses *analyses, struct scree_measurement *m,
                      struct scree_input *input, const struct scree_node *item,
                      const struct scree_analysis_setting *setting)
{
    scree_node_mark_used(item);
    if (scree_node_kind(item) != SCREE_NODE_MAP || scree_node_count(item) != 1) {
        scree_input_error(input, item,
                          "analysis: expected one measurement, as in '- stress: {...}'");
        scree_node_mark_all_used(item);
        return false;
    }
    const char *word = scree_node_key(item, 0);
    const struct scree_node *node = scree_node_item(item, 0);
    for (int k = 0; k < N_KINDS; k++)
        if (strcmp(word, kind_names[k]) == 0) m->kind = kinds[k];
    if (m->kind == NULL) {
        scree_input_unknown(input, node, "measurement", word, kind_names);
        scree_node_mark_all_used(node);
        return false;
    }
    read_kind(analyses, m, input, node, setting);
    return true;
}

static void make_state(struct scree_analyses *analyses)
{
    for (int k = 0; k < analyses->n; k++)
        analyses->n_state += 1 + SCREE_ANALYSIS_MEMORY + analyses->measurement[k].n;
    analyses->state = scree_alloc((size_t)analyses->n_state + 1, sizeof *analyses->state);
    memset(analyses->state, 0, (size_t)analyses->n_state * sizeof *analyses->state);
    double *at = analyses->state;
    for (int k = 0; k < analyses->n; k++) {
        struct scree_measurement *m = &analyses->measurement[k];
        m->n_samples = at;
        m->memory = at + 1;
        m->sum = at + 1 + SCREE_ANALYSIS_MEMORY;
        at = m->sum + m->n;
    }
}

void scree_analyses_read(struct scree_analyses *analyses, struct scree_input *input,
                         const struct scree_node *node,
                         const struct scree_analysis_setting *setting)
{
    *analyses = (struct scree_analyses){.input = input};
    if (node == NULL) return;
    scree_node_mark_used(node);
    if (scree_node_kind(node) != SCREE_NODE_LIST) {
        scree_input_error(input, node, "analysis: expected a list, as in '- stress: {...}'");
        scree_node_mark_all_used(node);
        return;
    }
    int n = scree_node_count(node);
    analyses->measurement = scree_alloc((size_t)n, sizeof *analyses->measurement);
    for (int k = 0; k < n; k++) {
        struct scree_measurement *m = &analyses->measurement[analyses->n];
        *m = (struct scree_measurement){0};
        if (read_item(analyses, m, input, scree_node_item(node, k), setting)) analyses->n++;
    }
    make_state(analyses);
}

void scree_analyses_clear(struct scree_analyses *analyses)
{
    for (int k = 0; k < analyses->n; k++) scree_alloc_free(analyses->measurement[k].values);
    scree_alloc_free(analyses->measurement);
    scree_alloc_free(analyses->state);
    *analyses = (struct scree_analyses){0};
}

void scree_analyses_describe(const struct scree_analyses *analyses,
                             const struct scree_analysis_setting *setting, scree_line_writer write,
                             void *context)
{
    for (int k = 0; k < analyses->n; k++) {
        const struct scree_measurement *m = &analyses->measurement[k];
        char line[160];
        if (m->kind->describe != NULL) m->kind->describe(m, setting->walls, write, context);
        if (!m->kind->has_volume || m->kind->counts_only || setting->deforms) continue;
        double size = scree_volume_at_start(&m->volume, setting, NULL, 0);
        snprintf(line, sizeof line, "volume of %.70s: %.6g %s%s", m->name, size,
                 setting->box->dimension == 2 ? "m^2" : "m^3",
                 isnan(m->volume.size) ? "" : ", as given");
        write(context, line);
    }
}

void scree_analyses_tell_progress(const struct scree_analyses *analyses, char *text, size_t size)
{
    text[0] = '\0';
    for (int k = 0; k < analyses->n; k++) {
        const struct scree_measurement *m = &analyses->measurement[k];
        size_t used = strlen(text);
        if (m->kind->progress != NULL && m->memory[0] != 0.0 && !isnan(m->memory[0]))
            m->kind->progress(m, text + used, size - used);
    }
}

int64_t scree_analyses_next(const struct scree_analyses *analyses, int64_t step)
{
    int64_t next = INT64_MAX;
    for (int k = 0; k < analyses->n; k++) {
        const struct scree_measurement *m = &analyses->measurement[k];
        int64_t before = step >= m->first ? step : m->first - 1;
        int64_t sample = scree_interval_next(m->sample_steps, before, analyses->since);
        int64_t row = scree_interval_next(m->row_steps, step, analyses->since);
        if (m->off) continue; /* rows of what was measured before are written */
        if (sample <= m->last && sample < next) next = sample;
        if (row < next && (*m->n_samples > 0.0 || sample < row)) next = row;
    }
    return next;
}

static bool wants_sample(const struct scree_analyses *analyses, const struct scree_measurement *m,
                         int64_t step, bool end)
{
    if (m->off || step < m->first || step > m->last) return false;
    return scree_interval_is_due(m->sample_steps, step, analyses->since) ||
           (end && *m->n_samples == 0.0);
}

void scree_analyses_sample(struct scree_analyses *analyses, const struct scree_analysis_view *view,
                           int64_t step, bool end)
{
    for (int k = 0; k < analyses->n; k++) {
        struct scree_measurement *m = &analyses->measurement[k];
        if (!wants_sample(analyses, m, step, end)) continue;
        double *value = scree_alloc((size_t)m->n, sizeof *value);
        m->kind->sample(m, view, value);
        for (int c = 0; c < m->n; c++) m->sum[c] += value[c];
        *m->n_samples += 1.0;
        scree_alloc_free(value);
    }
}

bool scree_measurement_is_due(const struct scree_analyses *analyses,
                              const struct scree_measurement *m, int64_t step, bool end)
{
    return *m->n_samples > 0.0 &&
           (end || scree_interval_is_due(m->row_steps, step, analyses->since));
}

void scree_measurement_compute_mean(struct scree_measurement *m, double *mean)
{
    for (int c = 0; c < m->n; c++) mean[c] = m->sum[c] / *m->n_samples;
    if (m->kind->is_table) return;
    memset(m->sum, 0, (size_t)m->n * sizeof *m->sum);
    *m->n_samples = 0.0;
}
