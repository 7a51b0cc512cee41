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

/* A machine of one rank, for the same work done alone. */
static inline struct scree_comm alone(void)
{
    static MPI_Comm self;
    self = MPI_COMM_SELF;
    return (struct scree_comm){.n_ranks = 1, .mpi = &self};
}

/* Fill p (created here) from the text of the section `particles`. */
static inline enum scree_status fill_from(struct scree_comm *comm, const char *text,
                                          const struct scree_box *box, struct scree_particles **p)
{
    struct scree_input *input;
    struct scree_samples samples;
    scree_status_clear();
    scree_particles_create(p);
    scree_input_create(&input, text, "f.yaml");
    scree_samples_read(&samples, input, scree_node_find(scree_input_root(input), "particles"), box,
                       material_names);
    enum scree_status status = scree_input_n_errors(input) > 0 ? SCREE_INPUT : SCREE_OK;
    if (status != SCREE_OK && comm->rank == 0) scree_input_print_errors(input, stdout);
    const struct scree_sample_context context = {
        .comm = comm,
        .box = box,
        .disks = box->dimension == 2,
        .inertia_factor = box->dimension == 2 ? 0.5 : 0.4,
        .seed = 11,
        .materials = material_names,
        .density = densities,
        .read_state = scree_state_read_rows,
    };
    if (status == SCREE_OK) status = scree_samples_fill(&samples, &context, *p);
    scree_samples_clear(&samples);
    scree_input_destroy(&input);
    return status;
}

#endif
