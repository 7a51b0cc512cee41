/* SPDX-License-Identifier: BSD-3-Clause
 * Grains from a state file. */
#include <stddef.h>
#include <stdlib.h>

#include "samples_impl.h"
#include "scree/alloc.h"

struct state {
    const char *file;
    const struct scree_node *materials;
};

#define AT(member) offsetof(struct state, member)
static const struct scree_param params[] = {
    {"file", SCREE_PARAM_TEXT, "", 0, 0, NULL, NULL, AT(file), "path of the state file"},
    {"materials", SCREE_PARAM_NODE, "", 0, 0, NULL, NULL, AT(materials),
     "names of the materials of the file's species 1, 2, ..."},
    {0},
};

/* Draws of random numbers are keyed by gid, which may have 44 bits (rng.h). */
static const int64_t most_id = ((int64_t)1 << 44) - 1;

static void check(struct scree_sample *sample, struct scree_input *input,
                  const struct scree_node *node, const struct scree_samples_setting *setting)
{
    (void)node;
    const char *const *materials = setting->materials;
    const struct state *v = (const struct state *)sample->values;
    const struct scree_node *list = v->materials;
    if (list == NULL) return;
    if (scree_node_kind(list) != SCREE_NODE_LIST || scree_node_count(list) == 0) {
        scree_input_error(input, list,
                          "state: 'materials' wants a list of names, one for each "
                          "species of the file");
        scree_node_mark_all_used(list);
        return;
    }
    for (int k = 0; k < scree_node_count(list); k++) {
        const struct scree_node *item = scree_node_item(list, k);
        scree_node_mark_used(item);
        if (scree_sample_find_word(materials, scree_node_text(item)) < 0)
            scree_input_unknown(input, item, "material", scree_node_text(item), materials);
    }
}

/* Rounding to the position grid is good for one period on either side (box.h). Along open
 * directions grains may have left the domain, but what is beyond many of its lengths is a number
 * that went wrong. */
static enum scree_status check_place(const char *path, const struct scree_state_rows *rows,
                                     int64_t i, const struct scree_box *box)
{
    static const int32_t most_periods = 1 << 30;
    static const double most_lengths = 100.0;
    for (int a = 0; a < box->dimension; a++) {
        double x = rows->position[i][a], length = box->length[a];
        double most = (box->periodic[a] ? 1.0 : most_lengths) * length;
        SCREE_CHECK(x >= box->low[a] - most && x <= box->high[a] + most, SCREE_IO,
                    "%s: grain %lld is at %c = %g m, far outside the domain", path,
                    (long long)rows->id[i], "xyz"[a], x);
        SCREE_CHECK(rows->image[i][a] > -most_periods && rows->image[i][a] < most_periods, SCREE_IO,
                    "%s: grain %lld has travelled %d periods, too many to count", path,
                    (long long)rows->id[i], rows->image[i][a]);
    }
    return SCREE_OK;
}

static enum scree_status check_rows(const struct state *v, const struct scree_state_rows *rows,
                                    const struct scree_sample_run *run)
{
    int n_species = scree_node_count(v->materials);
    for (int64_t i = 0; i < rows->n; i++) {
        SCREE_CHECK(rows->species[i] >= 1 && rows->species[i] <= n_species, SCREE_IO,
                    "%s: grain %lld has species %d, but 'materials' names %d", v->file,
                    (long long)rows->id[i], rows->species[i], n_species);
        SCREE_CHECK(rows->id[i] >= 1 && rows->id[i] <= most_id - run->n_before, SCREE_IO,
                    "%s: id %lld is out of range", v->file, (long long)rows->id[i]);
        SCREE_TRY(check_place(v->file, rows, i, run->setting->box));
    }
    return SCREE_OK;
}

static int compare_id(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Equal ids meet on the rank id modulo n_ranks. Collective. */
static enum scree_status check_unique(struct scree_comm *comm, const char *path,
                                      const struct scree_state_rows *rows)
{
    int n_ranks = comm->n_ranks;
    int *n_send = scree_alloc((size_t)n_ranks, sizeof *n_send);
    int *n_receive = scree_alloc((size_t)n_ranks, sizeof *n_receive);
    int64_t *send = scree_alloc((size_t)rows->n, sizeof *send), n = 0;
    for (int r = 0; r < n_ranks; r++) {
        int64_t before = n;
        for (int64_t i = 0; i < rows->n; i++)
            if (rows->id[i] % n_ranks == r) send[n++] = rows->id[i];
        n_send[r] = (int)(n - before);
    }
    void *received;
    scree_comm_exchange(comm, n_send, send, sizeof *send, n_receive, &received);
    int64_t *id = received, n_ids = 0;
    for (int r = 0; r < n_ranks; r++) n_ids += n_receive[r];
    if (n_ids > 0) qsort(id, (size_t)n_ids, sizeof *id, compare_id);
    enum scree_status status = SCREE_OK;
    for (int64_t k = 1; k < n_ids && status == SCREE_OK; k++)
        if (id[k] == id[k - 1])
            status =
                SCREE_FAIL(SCREE_IO, "%s: two grains have the id %lld", path, (long long)id[k]);
    scree_alloc_free(received);
    scree_alloc_free(send);
    scree_alloc_free(n_receive);
    scree_alloc_free(n_send);
    return scree_comm_agree(comm, status);
}

static void append_rows(const struct state *v, const struct scree_state_rows *rows,
                        struct scree_sample_run *run)
{
    int dimension = run->setting->box->dimension;
    for (int64_t i = 0; i < rows->n; i++) {
        const struct scree_node *name = scree_node_item(v->materials, rows->species[i] - 1);
        int species = scree_sample_find_word(run->setting->materials, scree_node_text(name));
        double pos[4] = {rows->position[i][0], rows->position[i][1], rows->position[i][2],
                         rows->radius[i]};
        scree_lid slot = scree_sample_append_heavy(run, run->n_before + rows->id[i], species, pos,
                                                   rows->mass[i]);
        for (int k = 0; k < dimension; k++) run->p->vel[slot][k] = rows->velocity[i][k];
        for (int k = dimension == 2 ? 2 : 0; k < 3; k++) run->p->spin[slot][k] = rows->spin[i][k];
        for (int k = 0; k < 3; k++) run->p->image[slot][k] += rows->image[i][k];
    }
}

static enum scree_status fill(const struct scree_sample *sample, struct scree_sample_run *run)
{
    const struct state *v = (const struct state *)sample->values;
    struct scree_comm *comm = run->context->comm;
    struct scree_state_rows rows = {0};
    SCREE_TRY(run->context->read_state(comm, v->file, &rows));
    int64_t largest = 0;
    for (int64_t i = 0; i < rows.n; i++) largest = rows.id[i] > largest ? rows.id[i] : largest;
    enum scree_status status = scree_comm_agree(comm, check_rows(v, &rows, run));
    if (status == SCREE_OK) status = check_unique(comm, v->file, &rows);
    if (status == SCREE_OK) {
        append_rows(v, &rows, run);
        scree_comm_max_int(comm, &largest, 1);
        run->n_before += largest;
    }
    scree_state_rows_clear(&rows);
    return status;
}

const struct scree_sample_kind scree_sample_state = {
    .name = "state",
    .summary = "grains of a state file",
    .params = params,
    .check = check,
    .fill = fill,
};
