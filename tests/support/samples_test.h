/* SPDX-License-Identifier: BSD-3-Clause
 * Grains made from a line of input, and their digest, for tests on several ranks. */
#ifndef SCREE_SAMPLES_TEST_H
#define SCREE_SAMPLES_TEST_H

#include <math.h>
#include <mpi.h>

#include "mpi_test.h"
#include "scree/hash.h"
#include "scree/samples.h"
#include "scree/state.h"

static const char *const material_names[] = {"glass", "steel", NULL};
static const double densities[] = {2500.0, 7800.0};

/* All grains in one digest, whatever their order and owners. */
static inline uint64_t digest_of(struct scree_comm *comm, const struct scree_particles *p)
{
    uint64_t sum = 0;
    for (scree_lid i = 0; i < p->n_owned; i++) {
        struct {
            double value[13];
            int64_t gid;
            int32_t image[3], species;
        } record;
        for (int k = 0; k < 4; k++) {
            record.value[k] = scree_hash_clean_zero(p->pos[i][k]);
            record.value[4 + k] = scree_hash_clean_zero(p->vel[i][k]);
            record.value[8 + k] = scree_hash_clean_zero(p->spin[i][k]);
        }
        record.value[12] = p->mass[i];
        record.gid = p->gid[i];
        memcpy(record.image, p->image[i], sizeof record.image);
        record.species = p->species[i];
        sum += scree_hash_record(&record, sizeof record);
    }
    scree_comm_sum_hash(comm, &sum, 1);
    return sum;
}

/* Through the nearest image. */
static inline bool overlap(const struct scree_box *box, const struct scree_particles *p,
                           scree_lid i, scree_lid j)
{
    double square = 0.0, reach = (p->pos[i][3] + p->pos[j][3]) * (1 - 1e-12);
    for (int a = 2; a >= 0; a--) {
        double d = p->pos[i][a] - p->pos[j][a];
        if (box->periodic[a]) d -= box->length[a] * nearbyint(d / box->length[a]);
        if (fabs(d) >= reach) return false;
        square += d * d;
    }
    return sqrt(square) < reach;
}

/* Pairs of all grains here that overlap, by looking at every pair. */
static inline int count_overlaps(const struct scree_box *box, const struct scree_particles *p)
{
    int n = 0;
    for (scree_lid i = 0; i < p->n_owned; i++)
        for (scree_lid j = 0; j < i; j++) n += overlap(box, p, i, j);
    return n;
}

/* A machine of one rank, for the same work done alone. */
static inline struct scree_comm alone(void)
{
    static MPI_Comm self;
    self = MPI_COMM_SELF;
    return (struct scree_comm){.n_ranks = 1, .mpi = &self};
}

/* Fill p (created here) from a text with a section `particles` and perhaps `boundaries`. */
static inline enum scree_status fill_from(struct scree_comm *comm, const char *text,
                                          const struct scree_box *box, struct scree_particles **p)
{
    struct scree_input *input;
    struct scree_samples samples;
    struct scree_walls walls;
    scree_status_clear();
    scree_particles_create(p);
    scree_particles_add_column(*p, "glued");
    scree_particles_add_column(*p, "arm");
    scree_input_create(&input, text, "f.yaml");
    const struct scree_node *root = scree_input_root(input);
    scree_walls_read(&walls, input, scree_node_find(root, "boundaries"), material_names, box);
    const struct scree_samples_setting setting = {
        .box = box, .disks = box->dimension == 2, .materials = material_names, .walls = &walls};
    scree_samples_read(&samples, input, scree_node_find(root, "particles"), &setting);
    enum scree_status status = scree_input_n_errors(input) > 0 ? SCREE_INPUT : SCREE_OK;
    if (status != SCREE_OK && comm->rank == 0) scree_input_print_errors(input, stdout);
    const struct scree_sample_context context = {
        .comm = comm,
        .inertia_factor = box->dimension == 2 ? 0.5 : 0.4,
        .seed = 11,
        .density = densities,
        .read_state = scree_state_read_rows,
    };
    if (status == SCREE_OK) status = scree_samples_fill(&samples, &context, *p);
    scree_samples_clear(&samples);
    scree_walls_clear(&walls);
    scree_input_destroy(&input);
    return status;
}

#endif
