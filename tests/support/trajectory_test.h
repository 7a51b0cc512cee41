/* SPDX-License-Identifier: BSD-3-Clause
 * Made-up frames of trajectories, written on all ranks and read back equal by id. */
#ifndef SCREE_TRAJECTORY_TEST_H
#define SCREE_TRAJECTORY_TEST_H

#include <math.h>
#include <unistd.h>

#include "mpi_test.h"
#include "scree/reader.h"
#include "scree/trajectory.h"

static char path[1000]; /* of the trajectory under test */

enum { MOST = 4000, N_FRAMES = 5 };
static const int n_of_frame[N_FRAMES] = {300, 0, 700, 5, 700}; /* 5: most ranks may have none */

/* One rank's part of a made-up frame. */
struct made {
    struct scree_frame frame;
    int64_t id[MOST], pair[MOST][2];
    int32_t species[MOST], image[MOST][3];
    double position[MOST][3], velocity[MOST][3], spin[MOST][3], radius[MOST], mass[MOST];
    double force[MOST][3], torque[MOST][3], contact_force[MOST][3], overlap[MOST];
    double history[MOST][4];
    int8_t sliding[MOST], across[MOST];
    struct scree_observable observable[2];
};

static double number(int64_t id, int k, int t)
{
    return (double)((id * 7919 + k * 104729 + t * 31) % 100003) / 100003.0;
}

/* Grain `id` of frame t, wherever it is made. */
static void make_grain(struct made *m, int64_t i, int64_t id, int t)
{
    m->id[i] = id;
    m->species[i] = (int32_t)(1 + id % 2);
    m->radius[i] = 0.01 + 0.01 * number(id, 0, 0);
    m->mass[i] = 1.0 + number(id, 1, 0);
    for (int k = 0; k < 3; k++) {
        m->position[i][k] = number(id, 2 + k, t);
        m->velocity[i][k] = number(id, 5 + k, t) - 0.5;
        m->spin[i][k] = number(id, 8 + k, t) - 0.5;
        m->force[i][k] = number(id, 11 + k, t);
        m->torque[i][k] = number(id, 14 + k, t);
        m->image[i][k] = (int32_t)(id % 3) - 1;
    }
}

/* A contact of neighbours in id, owned by the rank of the first; every fifth is with wall 0 or 1.
 */
static void make_contact(struct made *m, int64_t id, int n, int t)
{
    int64_t c = m->frame.n_contacts++;
    m->pair[c][0] = id;
    m->pair[c][1] = id % 5 == 0 || id == n ? -1 - id % 2 : id + 1;
    for (int k = 0; k < 3; k++) /* the grains of these frames may be anywhere in the box */
        if (m->frame.periodic[k] && m->pair[c][1] > 0)
            m->across[c] = m->across[c] || fabs(number(id + 1, 2 + k, t) - number(id, 2 + k, t)) >
                                               0.5 * m->frame.high[k];
    m->overlap[c] = number(id, 20, 0);
    m->sliding[c] = (int8_t)(id % 2);
    for (int k = 0; k < 3; k++) m->contact_force[c][k] = number(id, 21 + k, 0);
    for (int k = 0; k < 4; k++) m->history[c][k] = number(id, 24 + k, 0);
}

/* Ids are dealt out in a way that changes from frame to frame. */
static inline void make_frame(struct made *m, const struct scree_comm *comm, int t, int n)
{
    memset(m, 0, sizeof *m);
    m->frame = (struct scree_frame){.step = 100 * (t + 1),
                                    .time = 0.5 * t,
                                    .high = {1.0, 1.0, 2.0},
                                    .periodic = {true, false, true},
                                    .id = m->id,
                                    .species = m->species,
                                    .position = (const double(*)[3])m->position,
                                    .image = (const int32_t(*)[3])m->image,
                                    .velocity = (const double(*)[3])m->velocity,
                                    .spin = (const double(*)[3])m->spin,
                                    .radius = m->radius,
                                    .mass = m->mass,
                                    .force = (const double(*)[3])m->force,
                                    .torque = (const double(*)[3])m->torque,
                                    .has_contacts = true,
                                    .pair = (const int64_t(*)[2])m->pair,
                                    .across = m->across,
                                    .contact_force = (const double(*)[3])m->contact_force,
                                    .overlap = m->overlap,
                                    .sliding = m->sliding,
                                    .n_history = 4,
                                    .history = &m->history[0][0],
                                    .n_observables = 2,
                                    .observable = m->observable};
    m->observable[0] = (struct scree_observable){"kinetic_energy", "J", {1.5 * t}, false};
    m->observable[1] =
        (struct scree_observable){"mean_force", "N", {1e-3 * t, 2e-3 * t, -1.0}, true};
    for (int64_t id = 1; id <= n; id++) {
        if ((id * 2654435761 + t) / 7 % comm->n_ranks != comm->rank) continue;
        make_grain(m, m->frame.n++, id, t);
        if (t != 3) make_contact(m, id, n, t);
    }
}

static const struct scree_trajectory_about about = {.title = "made up \xc3\xa9",
                                                    .version = "0.0",
                                                    .commit = "abc",
                                                    .input = "title: made up\n",
                                                    .effective_input = "title: made up\nseed: 1\n",
                                                    .compiler = "cc",
                                                    .ranks = 1,
                                                    .seed = 7,
                                                    .n_species = 2,
                                                    .species =
                                                        (const char *const[]){"glass", "steel"}};

static bool same_vector(const double *a, const double *b)
{
    return memcmp(a, b, 3 * sizeof *a) == 0;
}

/* Every rank reads its part; together they are all grains of the frame, with their bits. */
static inline void check_frame(struct mpi_test *t, const char *file, int frame, int n)
{
    struct scree_state_header header;
    struct scree_state_rows rows;
    unsigned fields;
    static struct made m;
    enum scree_status status =
        scree_reader_read(file, frame, t->comm->rank, t->comm->n_ranks, &header, &rows, &fields);
    if (!MPI_TEST(t, status == SCREE_OK, "%s", scree_status_message())) return;
    MPI_TEST(t, fields == SCREE_READER_ALL, "fields %x", fields);
    MPI_TEST(t,
             header.step == 100 * (frame + 1) && header.time == 0.5 * frame &&
                 header.high[2] == 2.0 && header.periodic[0] && !header.periodic[1],
             "header of frame %d", frame);
    int64_t sums[2] = {rows.n, 0};
    for (int64_t i = 0; i < rows.n; i++) {
        make_grain(&m, 0, rows.id[i], frame);
        sums[1] += rows.id[i];
        bool same = same_vector(rows.position[i], m.position[0]) &&
                    same_vector(rows.velocity[i], m.velocity[0]) &&
                    same_vector(rows.spin[i], m.spin[0]) && rows.radius[i] == m.radius[0] &&
                    rows.mass[i] == m.mass[0] && rows.species[i] == m.species[0] &&
                    memcmp(rows.image[i], m.image[0], sizeof m.image[0]) == 0;
        if (!MPI_TEST(t, same, "frame %d: grain %lld differs", frame, (long long)rows.id[i])) break;
    }
    scree_comm_sum_int(t->comm, sums, 2);
    MPI_TEST(t, sums[0] == n && sums[1] == (int64_t)n * (n + 1) / 2, "frame %d: %lld grains", frame,
             (long long)sums[0]);
    scree_state_rows_clear(&rows);
}

static inline void check_frames_complete(struct mpi_test *t, const char *file, int64_t n)
{
    struct scree_reader_file found;
    enum scree_status status = scree_reader_inspect(file, &found);
    MPI_TEST(t, status == SCREE_OK && found.frames == n, "%lld frames: %s", (long long)found.frames,
             scree_status_message());
    scree_comm_barrier(t->comm);
}

/* The file anew, with all frames; every frame is read back after every other. */
static inline void check_round_trip(struct mpi_test *t, int compress)
{
    static struct made m;
    struct scree_trajectory_about this = about;
    this.compress = compress;
    if (t->comm->rank == 0) unlink(path);
    scree_comm_barrier(t->comm);
    enum scree_status status = scree_trajectory_create(path, t->comm, &this);
    MPI_TEST(t, status == SCREE_OK, "%s", scree_status_message());
    check_frames_complete(t, path, 0);
    for (int k = 0; k < N_FRAMES; k++) {
        make_frame(&m, t->comm, k, n_of_frame[k]);
        status = scree_trajectory_append(path, t->comm, &m.frame);
        MPI_TEST(t, status == SCREE_OK, "frame %d: %s", k, scree_status_message());
        check_frames_complete(t, path, k + 1);
        for (int j = 0; j <= k; j++) check_frame(t, path, j, n_of_frame[j]);
    }
}

/* Where the trajectory goes: into a folder that wants to keep it, or /tmp. */
static inline void name_files(struct mpi_test *t, const char *purpose)
{
    const char *folder = getenv("SCREE_TEST_KEEP");
    int number_of_run = (int)getpid();
    scree_comm_broadcast(t->comm, &number_of_run, sizeof number_of_run, 0);
    if (folder != NULL)
        snprintf(path, sizeof path, "%s/trajectory.h5", folder);
    else
        snprintf(path, sizeof path, "/tmp/scree-%s-%d.h5", purpose, number_of_run);
}

#endif
