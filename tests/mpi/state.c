/* SPDX-License-Identifier: BSD-3-Clause
 * State files: written and read on all ranks, and refused when anything is wrong with them. */
#define _POSIX_C_SOURCE 200809L
#include <sys/stat.h>
#include <unistd.h>

#include "samples_test.h"

static char path[100], copy[100];

static struct scree_box make_box(void)
{
    const double low[3] = {0.0, 0.0, 0.0}, high[3] = {0.02, 0.02, 0.03};
    const bool periodic[3] = {true, true, false};
    struct scree_box box;
    scree_box_init(&box, 3, low, high, periodic);
    return box;
}

static const char lattice[] = "particles: [{lattice: {material: steel, radius: 1 mm, speed: 1, "
                              "spin: 9}}]";

/* Owned by the caller. */
static struct scree_state_rows rows_of(const struct scree_particles *p)
{
    struct scree_state_rows rows;
    scree_state_rows_init(&rows, p->n_owned);
    for (scree_lid i = 0; i < p->n_owned; i++) {
        rows.id[i] = p->gid[i];
        rows.species[i] = p->species[i]; /* steel is 1: species 1 of the file */
        memcpy(rows.position[i], p->pos[i], sizeof rows.position[i]);
        memcpy(rows.velocity[i], p->vel[i], sizeof rows.velocity[i]);
        memcpy(rows.spin[i], p->spin[i], sizeof rows.spin[i]);
        rows.radius[i] = p->pos[i][3];
        rows.mass[i] = p->mass[i];
    }
    return rows;
}

/* The first bytes of the good file, one of them changed (at = -1: none); rank 0 writes. */
static void make_copy(struct mpi_test *t, long n_bytes, long at)
{
    if (t->comm->rank == 0) {
        char *bytes = scree_alloc((size_t)n_bytes + 1, 1);
        FILE *from = fopen(path, "rb"), *to = fopen(copy, "wb");
        size_t n = fread(bytes, 1, (size_t)n_bytes, from);
        if (at >= 0) bytes[at] = (char)(bytes[at] ^ 0x55);
        fwrite(bytes, 1, n, to);
        fclose(from);
        fclose(to);
        scree_alloc_free(bytes);
    }
    scree_comm_barrier(t->comm);
}

/* Write what p holds, read it as a sample: the same grains, though other ranks hold them. */
static uint64_t check_round_trip(struct mpi_test *t, const struct scree_box *box)
{
    struct scree_particles *p, *again;
    MPI_TEST(t, fill_from(t->comm, lattice, box, &p) == SCREE_OK, "%s", scree_status_message());
    struct scree_state_rows rows = rows_of(p), back;
    struct scree_state_header header = {.title = "a title",
                                        .time = 1.5,
                                        .step = 77,
                                        .low = {0, 0, 0},
                                        .high = {1, 2, 3},
                                        .periodic = {0, 1, 0}},
                              got;
    enum scree_status status = scree_state_write(path, t->comm, &header, &rows);
    MPI_TEST(t, status == SCREE_OK, "writing: %s", scree_status_message());
    status = scree_state_read(path, t->comm, &got, &back);
    MPI_TEST(t, status == SCREE_OK, "reading: %s", scree_status_message());
    MPI_TEST(t,
             strcmp(got.title, "a title") == 0 && got.time == 1.5 && got.step == 77 &&
                 got.high[2] == 3.0 && got.periodic[1] && !got.periodic[2],
             "header of '%s'", got.title);
    int64_t n[2] = {rows.n, back.n};
    scree_comm_sum_int(t->comm, n, 2);
    MPI_TEST(t, n[0] == n[1], "%lld rows written, %lld read", (long long)n[0], (long long)n[1]);
    scree_state_rows_clear(&back);
    scree_state_rows_clear(&rows);

    char text[300];
    snprintf(text, sizeof text, "particles: [{state: {file: %s, materials: [steel]}}]", path);
    uint64_t digest = digest_of(t->comm, p);
    fill_from(t->comm, text, box, &again);
    MPI_TEST(t, digest_of(t->comm, again) == digest, "other grains: %s", scree_status_message());
    scree_particles_destroy(&again);
    snprintf(text, sizeof text,
             "particles: [{lattice: {material: glass, radius: 1 mm, count: 5}}, "
             "{state: {file: %s, materials: [steel]}}]",
             path);
    fill_from(t->comm, text, box, &again);
    for (scree_lid i = 0; i < again->n_owned; i++)
        MPI_TEST(t, (again->gid[i] > 5) == (again->species[i] == 1), "gids of two samples");
    scree_particles_destroy(&again);
    scree_particles_destroy(&p);
    return digest;
}

static void expect_refused(struct mpi_test *t, const char *file, const char *message)
{
    struct scree_state_header header;
    struct scree_state_rows rows;
    scree_status_clear();
    enum scree_status status = scree_state_read(file, t->comm, &header, &rows);
    const char *found = scree_status_message();
    MPI_TEST(t, status == SCREE_IO && strstr(found, message) && strstr(found, file), "got '%s'",
             found);
    scree_state_rows_clear(&rows);
}

/* A changed byte is noticed, or it is one that means nothing: then the grains are the same. */
static void check_damage(struct mpi_test *t, const struct scree_box *box, uint64_t digest)
{
    struct stat info;
    char text[300];
    int64_t n_accepted = 0, n_damaged = 0;
    stat(path, &info);
    snprintf(text, sizeof text, "particles: [{state: {file: %s, materials: [steel]}}]", copy);
    /* Structure stands at the front and in front of the datasets: look closely there. Other numbers
     * of ranks read the same bytes: a part of the damage each; files are tried in a process of
     * their own, which takes long to begin with sanitizers. */
    const long every = t->comm->n_ranks == 1 ? 1 : MPI_TEST_SANITIZED ? 10 : 4;
    const long first = t->comm->n_ranks % every;
    for (long at = 7 * first; at < info.st_size; at += every * (at < 4096 ? 7 : 263)) {
        struct scree_particles *p;
        n_damaged++;
        make_copy(t, info.st_size, at);
        enum scree_status status = fill_from(t->comm, text, box, &p);
        if (status == SCREE_OK) {
            n_accepted++;
            MPI_TEST(t, digest_of(t->comm, p) == digest, "byte %ld changes grains unnoticed", at);
        } else {
            MPI_TEST(t, status == SCREE_IO && strstr(scree_status_message(), copy), "byte %ld: %s",
                     at, scree_status_message());
        }
        scree_particles_destroy(&p);
    }
    MPI_TEST(t, 20 * n_accepted < n_damaged, "%lld of %lld damaged files accepted",
             (long long)n_accepted, (long long)n_damaged);
    for (long n = 97 * first; n < info.st_size; n += every * (n < 4096 ? 97 : 1009)) {
        make_copy(t, n, -1);
        expect_refused(t, copy, "cannot be opened as HDF5");
    }
}

static void check_foreign(struct mpi_test *t)
{
    expect_refused(t, "/nowhere/state.h5", "No such file or directory");
    expect_refused(t, "/tmp", "not a plain file");
    expect_refused(t, "/proc/self/status", "cannot be opened as HDF5");
}

/* Sound files with unsound grains. */
static void check_values(struct mpi_test *t, const struct scree_box *box)
{
    const struct scree_state_header header = {.title = "t",
                                              .time = 0,
                                              .step = 0,
                                              .low = {0, 0, 0},
                                              .high = {1, 1, 1},
                                              .periodic = {0, 0, 0}};
    char text[300];
    snprintf(text, sizeof text, "particles: [{state: {file: %s, materials: [steel]}}]", copy);
    static const char *const messages[] = {
        "radius of grain 1 is -1 m",         "mass of grain 1 is 0 kg",
        "position of grain 1 is not finite", "grain 1 has species 2, but 'materials' names 1",
        "two grains have the id 1",          "id -4 is out of range",
        "grain 1 is at y = 9 m, far outside"};
    for (int k = 0; k < 7; k++) {
        struct scree_particles *p;
        fill_from(t->comm, lattice, box, &p);
        struct scree_state_rows rows = rows_of(p);
        scree_particles_destroy(&p);
        for (int64_t i = 0; i < rows.n; i++) {
            bool first = rows.id[i] == 1;
            if (k == 0 && first) rows.radius[i] = -1.0;
            if (k == 1 && first) rows.mass[i] = 0.0;
            if (k == 2 && first) rows.position[i][2] = NAN;
            if (k == 3 && first) rows.species[i] = 2;
            if (k == 4 && rows.id[i] == 60) rows.id[i] = 1;
            if (k == 5 && first) rows.id[i] = -4;
            if (k == 6 && first) rows.position[i][1] = 9.0;
        }
        scree_state_write(copy, t->comm, &header, &rows);
        scree_state_rows_clear(&rows);
        enum scree_status status = fill_from(t->comm, text, box, &p);
        MPI_TEST(t, status == SCREE_IO && strstr(scree_status_message(), messages[k]), "got '%s'",
                 scree_status_message());
        scree_particles_destroy(&p);
    }
}

static void check_no_half_files(struct mpi_test *t)
{
    const struct scree_state_header header = {.title = "t",
                                              .time = 0,
                                              .step = 0,
                                              .low = {0, 0, 0},
                                              .high = {1, 1, 1},
                                              .periodic = {0, 0, 0}};
    struct scree_state_rows rows;
    char part[120];
    scree_state_rows_init(&rows, 0);
    scree_status_clear();
    enum scree_status status = scree_state_write("/nowhere/a.h5", t->comm, &header, &rows);
    MPI_TEST(t, status == SCREE_IO, "writing nowhere has status %d", (int)status);
    scree_status_clear();
    status = scree_state_write(copy, t->comm, &header, &rows);
    MPI_TEST(t, status == SCREE_OK, "no grains: %s", scree_status_message());
    snprintf(part, sizeof part, "%s.part", copy);
    MPI_TEST(t, access(part, F_OK) != 0, "%s is left", part);
    struct scree_state_header got;
    status = scree_state_read(copy, t->comm, &got, &rows);
    MPI_TEST(t, status == SCREE_OK && rows.n == 0, "no grains: %s", scree_status_message());
    scree_state_rows_clear(&rows);
}

int main(int argc, char **argv)
{
    struct mpi_test t;
    mpi_test_begin(&t, &argc, &argv);
    long id = (long)getpid();
    scree_comm_broadcast(t.comm, &id, sizeof id, 0);
    snprintf(path, sizeof path, "/tmp/scree-state-%ld.h5", id);
    snprintf(copy, sizeof copy, "/tmp/scree-state-%ld-copy.h5", id);
    struct scree_box box = make_box();
    uint64_t digest = check_round_trip(&t, &box);
    check_damage(&t, &box, digest);
    check_foreign(&t);
    check_values(&t, &box);
    check_no_half_files(&t);
    scree_comm_barrier(t.comm);
    if (t.comm->rank == 0) {
        unlink(path);
        unlink(copy);
    }
    return mpi_test_end(&t);
}
