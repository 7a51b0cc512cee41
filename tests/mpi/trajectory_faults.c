/* SPDX-License-Identifier: BSD-3-Clause
 * Trajectories when something is wrong: frames that do not fit, full disks, cut and damaged files.
 * What was there before stays readable. */
#define _POSIX_C_SOURCE 200809L
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "scree/hash.h"
#include "trajectory_test.h"

static char copy[1010];

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
           "No such file");
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
    expect(t, status, path, "no room for another");
    MPI_TEST(t, size_of(path) == size, "size was %ld, is %ld", size, size_of(path));
    for (int k = 0; k < N_FRAMES; k++) check_frame(t, path, k, n_of_frame[k]);
    check_frames_complete(t, path, N_FRAMES);
}

/* The first n bytes of the good file, one of them changed (at = -1: none); rank 0 writes. */
static void make_copy(struct mpi_test *t, long n, long at)
{
    if (t->comm->rank == 0) {
        char *bytes = scree_alloc((size_t)n + 1, 1);
        FILE *from = fopen(path, "rb"), *to = fopen(copy, "wb");
        size_t got = fread(bytes, 1, (size_t)n, from);
        if (at >= 0) bytes[at] = (char)(bytes[at] ^ 0x55);
        fwrite(bytes, 1, got, to);
        fclose(from);
        fclose(to);
        scree_alloc_free(bytes);
    }
    scree_comm_barrier(t->comm);
}

static uint64_t hash_of(FILE *f)
{
    static unsigned char bytes[1 << 16];
    uint64_t sum = 0;
    rewind(f);
    for (size_t n; (n = fread(bytes, 1, sizeof bytes, f)) > 0;)
        sum = sum * 31 + scree_hash_record(bytes, n);
    return sum;
}

/* A frame makes a new file under the name and changes not one byte of the old one: whoever has it
 * open, or kills the writer, finds it whole. */
static void check_untouched(struct mpi_test *t)
{
    static struct made m;
    make_copy(t, size_of(path), -1);
    FILE *old = fopen(copy, "rb");
    uint64_t before = hash_of(old);
    scree_comm_barrier(t->comm);
    make_frame(&m, t->comm, 9, 700);
    enum scree_status status = scree_trajectory_append(copy, t->comm, &m.frame);
    MPI_TEST(t, status == SCREE_OK, "%s", scree_status_message());
    MPI_TEST(t, hash_of(old) == before, "the old file has changed");
    check_frames_complete(t, copy, N_FRAMES + 1);
    fclose(old);
}

static void check_cut(struct mpi_test *t)
{
    static struct made m;
    long size = size_of(path);
    make_frame(&m, t->comm, 9, 20);
    for (int k = 0; k < 8; k++) {
        make_copy(t, k * size / 8, -1);
        expect(t, scree_trajectory_append(copy, t->comm, &m.frame), copy, "cannot be opened");
        struct scree_reader_file found;
        expect(t, scree_reader_inspect(copy, &found), copy, "cannot be opened");
    }
}

/* Changed bytes are refused with a message or do no harm; nothing crashes or hangs. */
static void check_damage(struct mpi_test *t)
{
    static struct made m;
    long size = size_of(path);
    FILE *nothing = fopen("/dev/null", "w");
    long stride = t->comm->n_ranks == 1 ? 1 : 4; /* damage does not know of ranks */
    for (long at = 0; at < size; at += stride * (at < 4096 ? 211 : 60013)) {
        struct scree_state_header header;
        struct scree_state_rows rows;
        unsigned fields;
        make_copy(t, size, at);
        scree_status_clear();
        enum scree_status status = scree_reader_read(copy, 2, 0, 1, &header, &rows, &fields);
        MPI_TEST(t, status == SCREE_OK || strstr(scree_status_message(), copy), "byte %ld: %s", at,
                 scree_status_message());
        scree_state_rows_clear(&rows);
        scree_status_clear();
        if (t->comm->rank == 0) scree_reader_print(copy, nothing);
        scree_status_clear();
        make_frame(&m, t->comm, 9, 20);
        scree_comm_barrier(t->comm);
        status = scree_trajectory_append(copy, t->comm, &m.frame);
        MPI_TEST(t, status == SCREE_OK || strstr(scree_status_message(), copy), "byte %ld: %s", at,
                 scree_status_message());
    }
    scree_status_clear();
    fclose(nothing);
}

int main(int argc, char **argv)
{
    struct mpi_test t;
    mpi_test_begin(&t, &argc, &argv);
    name_files(&t, "faults");
    snprintf(copy, sizeof copy, "%s.copy", path);
    check_round_trip(&t, 0);
    check_refused(&t);
    check_full_disk(&t);
    check_untouched(&t);
    check_cut(&t);
    check_damage(&t);
    if (t.comm->rank == 0) {
        unlink(path);
        unlink(copy);
    }
    return mpi_test_end(&t);
}
