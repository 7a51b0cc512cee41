/* SPDX-License-Identifier: BSD-3-Clause
 * The list of samples: kinds, reading the section `particles`, filling, velocity ramps. */
#include "scree/samples.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "samples_impl.h"
#include "scree/alloc.h"
#include "scree/status.h"

#define SCREE_SAMPLE(name) extern const struct scree_sample_kind scree_sample_##name;
#include "scree/samples.def"
#undef SCREE_SAMPLE

#define SCREE_SAMPLE(name) &scree_sample_##name,
static const struct scree_sample_kind *const kinds[] = {
#include "scree/samples.def"
};
#undef SCREE_SAMPLE

#define SCREE_SAMPLE(name) #name,
static const char *const item_words[] = {
#include "scree/samples.def"
    "ramp", "glue", NULL};
#undef SCREE_SAMPLE

enum { N_KINDS = sizeof kinds / sizeof kinds[0], RAMP = N_KINDS, GLUE };

static const char *const axes[] = {"x", "y", "z", NULL};

#define AT(member) offsetof(struct scree_sample_ramp, member)
static const struct scree_param ramp_params[] = {
    {"component", SCREE_PARAM_CHOICE, "", 0, 0, NULL, axes, AT(component),
     "velocity component that is set"},
    {"along", SCREE_PARAM_CHOICE, "", 0, 0, NULL, axes, AT(along),
     "direction in which it changes linearly"},
    {"low", SCREE_PARAM_REAL, "m/s", 0, 0, NULL, NULL, AT(low), "at the low face of the domain"},
    {"high", SCREE_PARAM_REAL, "m/s", 0, 0, NULL, NULL, AT(high), "at the high face"},
    {0},
};

const struct scree_sample_kind *const *scree_samples_kinds(int *n)
{
    *n = N_KINDS;
    return kinds;
}

const struct scree_param *scree_samples_ramp_params(void)
{
    return ramp_params;
}

static void read_ramp(struct scree_sample *sample, struct scree_input *input,
                      const struct scree_node *node, const struct scree_box *box)
{
    struct scree_sample_ramp *ramp = &sample->ramp;
    sample->has_ramp = scree_input_read(input, node, NULL, "ramp", ramp_params, ramp);
    if (!sample->has_ramp || box->dimension != 2) return;
    if (ramp->component == 2)
        scree_input_error(input, scree_node_find(node, "component"),
                          "ramp: 'component' is z, but the run has two dimensions");
    if (ramp->along == 2)
        scree_input_error(input, scree_node_find(node, "along"),
                          "ramp: 'along' is z, but the run has two dimensions");
}

static void read_kind(struct scree_sample *sample, struct scree_input *input,
                      const struct scree_node *node, const struct scree_samples_setting *setting)
{
    const struct scree_sample_kind *kind = sample->kind;
    bool is_map = scree_node_kind(node) == SCREE_NODE_MAP, good = true;
    if (kind->common != NULL) {
        sample->grains = scree_alloc(1, sizeof *sample->grains);
        *sample->grains = (struct scree_sample_grains){0};
        scree_input_read(input, node, NULL, kind->name, kind->common, sample->grains);
    }
    scree_input_read(input, node, NULL, kind->name, kind->params, sample->values);
    if (is_map && kind->common != NULL)
        good = scree_sample_check_grains(input, node, setting, sample->grains);
    if (is_map && good && kind->check != NULL) kind->check(sample, input, node, setting);
}

static void read_item(struct scree_sample *sample, struct scree_input *input,
                      const struct scree_node *item, const struct scree_samples_setting *setting)
{
    scree_node_mark_used(item);
    sample->item = item;
    if (scree_node_kind(item) != SCREE_NODE_MAP) {
        scree_input_error(input, item, "particles: expected a map such as {lattice: {...}}");
        scree_node_mark_all_used(item);
        return;
    }
    for (int k = 0; k < scree_node_count(item); k++) {
        const char *word = scree_node_key(item, k);
        const struct scree_node *node = scree_node_item(item, k);
        int which = scree_sample_find_word(item_words, word);
        if (which < 0) {
            scree_input_unknown(input, node, "sample", word, item_words);
            scree_node_mark_all_used(node);
        } else if (which == RAMP) {
            read_ramp(sample, input, node, setting->box);
        } else if (which == GLUE) {
            scree_sample_read_glue(sample, input, node, setting);
        } else if (sample->kind != NULL) {
            scree_input_error(input, node,
                              "particles: '%s' and '%s' in one item; give each its "
                              "own '- '",
                              sample->kind->name, word);
            scree_node_mark_all_used(node);
        } else {
            sample->kind = kinds[which];
            read_kind(sample, input, node, setting);
        }
    }
}

/* A missing kind is not reported where an unknown word was: that word is what was meant. */
static void require_kind(const struct scree_sample *sample, struct scree_input *input,
                         const struct scree_node *item, int n_errors_before)
{
    if (sample->kind != NULL || scree_input_n_errors(input) > n_errors_before) return;
    scree_input_error(input, item,
                      "particles: this item makes no grains; give one of lattice, loose, random, "
                      "dense, state");
}

void scree_samples_read(struct scree_samples *samples, struct scree_input *input,
                        const struct scree_node *node, const struct scree_samples_setting *setting)
{
    *samples = (struct scree_samples){.setting = *setting};
    if (node == NULL) return;
    scree_node_mark_used(node);
    if (scree_node_kind(node) != SCREE_NODE_LIST) {
        scree_input_error(input, node, "particles: expected a list, as in '- lattice: {...}'");
        scree_node_mark_all_used(node);
        return;
    }
    samples->n = scree_node_count(node);
    samples->sample = scree_alloc((size_t)samples->n, sizeof *samples->sample);
    for (int k = 0; k < samples->n; k++) {
        const struct scree_node *item = scree_node_item(node, k);
        int n_errors = scree_input_n_errors(input);
        samples->sample[k] = (struct scree_sample){0};
        read_item(&samples->sample[k], input, item, setting);
        require_kind(&samples->sample[k], input, item, n_errors);
    }
}

void scree_samples_clear(struct scree_samples *samples)
{
    for (int k = 0; k < samples->n; k++) {
        struct scree_sample_grains *grains = samples->sample[k].grains;
        if (grains != NULL) scree_sizes_clear(&grains->sizes);
        scree_alloc_free(grains);
    }
    scree_alloc_free(samples->sample);
    *samples = (struct scree_samples){0};
}

static void apply_ramp(const struct scree_sample_ramp *ramp, const struct scree_box *box,
                       struct scree_particles *p, scree_lid first)
{
    int a = ramp->along;
    for (scree_lid i = first; i < p->n_owned; i++)
        p->vel[i][ramp->component] =
            ramp->low + (ramp->high - ramp->low) * (p->pos[i][a] - box->low[a]) / box->length[a];
}

bool scree_samples_glue_grains(const struct scree_samples *samples)
{
    const struct scree_membranes *membranes = samples->setting.membranes;
    for (int k = 0; k < samples->n; k++)
        if (samples->sample[k].has_glue) return true;
    for (int k = 0; membranes != NULL && k < membranes->n; k++)
        if (membranes->membrane[k].low_wall >= 0 || membranes->membrane[k].high_wall >= 0)
            return true;
    return false;
}

/* A failure of filling says where the input asks for these grains. */
static enum scree_status locate_failure(const struct scree_sample *sample, enum scree_status status)
{
    struct scree_failure failure;
    if (status == SCREE_OK || scree_node_line(sample->item) == 0) return status;
    scree_status_set_aside(&failure);
    char message[sizeof failure.message];
    memcpy(message, failure.message, sizeof message);
    if (message[0] != '\0') /* else it was another rank that failed */
        snprintf(failure.message, sizeof failure.message, "particles, line %d: %.980s",
                 scree_node_line(sample->item), message);
    scree_status_restore(&failure);
    return status;
}

/* Gluing comes last: glued grains have the velocity of their wall, not that of the ramp. */
static enum scree_status fill_all(struct scree_samples *samples, struct scree_sample_run *run)
{
    for (int k = 0; k < samples->n; k++) {
        struct scree_sample *sample = &samples->sample[k];
        scree_lid first = run->p->n_owned;
        SCREE_TRY(locate_failure(sample, sample->kind->fill(sample, run)));
        if (sample->has_ramp) apply_ramp(&sample->ramp, samples->setting.box, run->p, first);
        int64_t n_glued = sample->has_glue ? scree_sample_glue(&sample->glue, run, first) : 0;
        scree_sample_summarise(sample, run, first, n_glued);
    }
    return SCREE_OK;
}

enum scree_status scree_samples_fill(struct scree_samples *samples,
                                     const struct scree_sample_context *context,
                                     struct scree_particles *p)
{
    struct scree_sample_run run = {.setting = &samples->setting, .context = context, .p = p};
    scree_sample_append_nodes(&run);
    return fill_all(samples, &run);
}

enum scree_status scree_samples_add(struct scree_samples *samples,
                                    const struct scree_sample_context *context,
                                    struct scree_particles *p)
{
    struct scree_sample_run run = {.setting = &samples->setting, .context = context, .p = p};
    for (scree_lid i = 0; i < p->n_owned; i++)
        if (p->gid[i] > run.n_before) run.n_before = p->gid[i];
    scree_comm_max_int(context->comm, &run.n_before, 1);
    return fill_all(samples, &run);
}

int64_t scree_samples_pourable(const struct scree_samples *samples)
{
    if (samples->n != 1 || samples->sample[0].kind != &scree_sample_random) return -1;
    return scree_sample_random_count(&samples->sample[0]);
}

void scree_samples_batch(struct scree_samples *samples, int64_t n)
{
    samples->sample[0].batch = n;
}

double scree_samples_largest_radius(const struct scree_samples *samples)
{
    double largest = 0.0;
    for (int k = 0; k < samples->n; k++)
        if (samples->sample[k].grains != NULL)
            largest = fmax(largest, samples->sample[k].grains->sizes.high);
    return largest;
}

double scree_samples_overlap(const struct scree_samples *samples)
{
    double most = 0.0;
    for (int k = 0; k < samples->n; k++)
        if (samples->sample[k].kind == &scree_sample_dense)
            most = fmax(most, scree_sample_dense_overlap(&samples->sample[k]));
    return most;
}

void scree_samples_widen(const struct scree_samples *samples, int species, double range[2])
{
    for (int k = 0; k < samples->n; k++) {
        const struct scree_sample_grains *grains = samples->sample[k].grains;
        if (grains == NULL || grains->species != species) continue;
        range[0] = fmin(range[0], grains->sizes.low);
        range[1] = fmax(range[1], grains->sizes.high);
    }
}

bool scree_samples_use(const struct scree_samples *samples, int species)
{
    for (int k = 0; k < samples->n; k++)
        if (samples->sample[k].grains != NULL && samples->sample[k].grains->species == species)
            return true;
    return false;
}
