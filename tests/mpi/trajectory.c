/* SPDX-License-Identifier: BSD-3-Clause
 * Trajectories: frames with changing numbers of grains and contacts, written on all ranks and read
 * back equal by id; full disks, cut files and frames that do not fit. */
#define _POSIX_C_SOURCE 200809L
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <hdf5.h>

#include "mpi_test.h"
#include "scree/reader.h"
#include "scree/trajectory.h"
#include "scree/xdmf.h"

static char path[100], copy[100];

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
    int8_t sliding[MOST];
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
static void make_contact(struct made *m, int64_t id, int n)
{
    int64_t c = m->frame.n_contacts++;
    m->pair[c][0] = id;
    m->pair[c][1] = id % 5 == 0 || id == n ? -1 - id % 2 : id + 1;
    m->overlap[c] = number(id, 20, 0);
    m->sliding[c] = (int8_t)(id % 2);
    for (int k = 0; k < 3; k++) m->contact_force[c][k] = number(id, 21 + k, 0);
    for (int k = 0; k < 4; k++) m->history[c][k] = number(id, 24 + k, 0);
}

/* Ids are dealt out in a way that changes from frame to frame. */
static void make_frame(struct made *m, const struct scree_comm *comm, int t, int n)
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
                                    .contact_force = (const double(*)[3])m->contact_force,
                                    .overlap = m->overlap,
                                    .sliding = m->sliding,
                                    .n_history = 4,
                                    .history = &m->history[0][0],
                                    .n_observables = 2,
                                    .observable = m->observable};
    m->observable[0] = (struct scree_observable){"kinetic_energy", "J", 1.5 * t};
    m->observable[1] = (struct scree_observable){"mean_overlap", "m", 1e-3 * t};
    for (int64_t id = 1; id <= n; id++) {
        if ((id * 2654435761 + t) / 7 % comm->n_ranks != comm->rank) continue;
        make_grain(m, m->frame.n++, id, t);
        if (t != 3) make_contact(m, id, n);
    }
}

static const struct scree_trajectory_about about = {.title = "made up \xc3\xa9",
                                                    .version = "0.0",
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
static void check_frame(struct mpi_test *t, const char *file, int frame, int n)
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

static void check_frames_complete(struct mpi_test *t, const char *file, int64_t n)
{
    struct scree_reader_file found;
    enum scree_status status = scree_reader_inspect(file, &found);
    MPI_TEST(t, status == SCREE_OK && found.frames == n, "%lld frames: %s", (long long)found.frames,
             scree_status_message());
    scree_comm_barrier(t->comm);
}

static void check_round_trip(struct mpi_test *t, int compress)
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
    status = scree_xdmf_write("/tmp/scree-test.xdmf", t->comm, 1, (const char *const[]){path});
    MPI_TEST(t, status == SCREE_OK, "%s", scree_status_message());
}

static void expect(struct mpi_test *t, enum scree_status status, const char *file,
                   const char *message)
{
    const char *found = scree_status_message();
    MPI_TEST(t, status == SCREE_IO && strstr(found, message) && strstr(found, file), "got '%s'",
             found);
    scree_status_clear();
    scree_comm_barrier(t->comm);
}

/* Frames that do not fit are refused and change nothing. */
static void check_refused(struct mpi_test *t)
{
    static struct made m;
    expect(t, scree_trajectory_create(path, t->comm, &about), path, "exists already");
    expect(t, scree_trajectory_create("/nowhere/a.h5", t->comm, &about), "/nowhere/a.h5",
           "cannot be created");
    make_frame(&m, t->comm, 9, 20);
    expect(t, scree_trajectory_append("/nowhere/a.h5", t->comm, &m.frame), "/nowhere/a.h5",
           "No such file");
    m.frame.step = 500;
    expect(t, scree_trajectory_append(path, t->comm, &m.frame), path, "step 500 after");
    make_frame(&m, t->comm, 9, 20);
    m.frame.torque = NULL;
    expect(t, scree_trajectory_append(path, t->comm, &m.frame), path, "torque");
    make_frame(&m, t->comm, 9, 20);
    m.observable[1].name = "other";
    expect(t, scree_trajectory_append(path, t->comm, &m.frame), path, "no observable 'other'");
    make_frame(&m, t->comm, 9, 20);
    for (int64_t c = 0; c < m.frame.n_contacts; c++)
        if (m.pair[c][1] == 7) m.pair[c][1] = 777;
    expect(t, scree_trajectory_append(path, t->comm, &m.frame), path, "grain 777");
    make_frame(&m, t->comm, 9, 20);
    for (int64_t i = 0; i < m.frame.n; i++)
        if (m.id[i] == 7) m.id[i] = 0;
    expect(t, scree_trajectory_append(path, t->comm, &m.frame), path, "id 0 is out of range");
    check_frames_complete(t, path, N_FRAMES);
}

static long size_of(const char *file)
{
    struct stat info;
    return stat(file, &info) == 0 ? (long)info.st_size : -1;
}

/* No room: a limit on the size of files stands for a full disk. */
static void check_full_disk(struct mpi_test *t)
{
    static struct made m;
    struct rlimit old, low;
    long size = size_of(path);
    getrlimit(RLIMIT_FSIZE, &old);
    low = old;
    low.rlim_cur = (rlim_t)size + 10000;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &low);
    make_frame(&m, t->comm, 9, 700);
    scree_comm_barrier(t->comm);
    enum scree_status status = scree_trajectory_append(path, t->comm, &m.frame);
    setrlimit(RLIMIT_FSIZE, &old);
    expect(t, status, path, "no room for another frame");
    MPI_TEST(t, size_of(path) == size, "size was %ld, is %ld", size, size_of(path));
    for (int k = 0; k < N_FRAMES; k++) check_frame(t, path, k, n_of_frame[k]);
    check_frames_complete(t, path, N_FRAMES);
}

/* The first n bytes of the good file. */
static void make_copy(struct mpi_test *t, long n)
{
    if (t->comm->rank == 0) {
        char *bytes = scree_alloc((size_t)n + 1, 1);
        FILE *from = fopen(path, "rb"), *to = fopen(copy, "wb");
        size_t got = fread(bytes, 1, (size_t)n, from);
        fwrite(bytes, 1, got, to);
        fclose(from);
        fclose(to);
        scree_alloc_free(bytes);
    }
    scree_comm_barrier(t->comm);
}

static void check_cut(struct mpi_test *t)
{
    static struct made m;
    long size = size_of(path);
    make_frame(&m, t->comm, 9, 20);
    for (int k = 0; k < 8; k++) {
        make_copy(t, k * size / 8);
        expect(t, scree_trajectory_append(copy, t->comm, &m.frame), copy, "cannot be opened");
        struct scree_reader_file found;
        expect(t, scree_reader_inspect(copy, &found), copy, "cannot be opened");
    }
}

/* An append that did not come to its end: the extents know of a frame that the mark does not. */
static void check_interrupted(struct mpi_test *t)
{
    static struct made m;
    if (t->comm->rank == 0) {
        const int64_t frames = N_FRAMES - 1;
        hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
        hid_t mark = H5Aopen(file, "frames_complete", H5P_DEFAULT);
        H5Awrite(mark, H5T_NATIVE_INT64, &frames);
        H5Aclose(mark);
        H5Fclose(file);
    }
    scree_comm_barrier(t->comm);
    check_frames_complete(t, path, N_FRAMES - 1);
    for (int k = N_FRAMES - 1; k < N_FRAMES + 1; k++) {
        make_frame(&m, t->comm, k, 650);
        enum scree_status status = scree_trajectory_append(path, t->comm, &m.frame);
        MPI_TEST(t, status == SCREE_OK, "%s", scree_status_message());
        check_frame(t, path, k, 650);
        check_frames_complete(t, path, k + 1);
    }
    check_frame(t, path, 0, n_of_frame[0]);
}

int main(int argc, char **argv)
{
    struct mpi_test t;
    mpi_test_begin(&t, &argc, &argv);
    int number_of_run = (int)getpid();
    scree_comm_broadcast(t.comm, &number_of_run, sizeof number_of_run, 0);
    snprintf(path, sizeof path, "/tmp/scree-trajectory-%d.h5", number_of_run);
    snprintf(copy, sizeof copy, "/tmp/scree-trajectory-copy-%d.h5", number_of_run);
    check_round_trip(&t, 4);
    check_interrupted(&t);
    check_round_trip(&t, 0);
    check_refused(&t);
    check_full_disk(&t);
    check_cut(&t);
    check_interrupted(&t);
    if (t.comm->rank == 0 && getenv("SCREE_TEST_KEEP") == NULL) {
        unlink(path);
        unlink(copy);
    }
    return mpi_test_end(&t);
}
