/* SPDX-License-Identifier: BSD-3-Clause
 * Checkpoint files: round trips on any distribution of rows, and damage that must be noticed. */
#define _DEFAULT_SOURCE
#include "scree/checkpoint.h"

#include <hdf5.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "mpi_test.h"
#include "scree/alloc.h"

enum { N_ROWS = 500, N_DAMAGES = 600 };

static char words[] = "time: {step: 1}\n# any text\n";

struct content {
    int64_t n;
    int64_t id[N_ROWS];
    double value[N_ROWS][4];
    int32_t flag[N_ROWS][3];
};

static struct scree_table describe(struct content *c)
{
    return (struct scree_table){.name = "rows",
                                .n = c->n,
                                .n_columns = 3,
                                .column = {{"id", "", SCREE_NUMBER_INT64, 1, c->id},
                                           {"value", "m", SCREE_NUMBER_REAL, 4, c->value},
                                           {"flag", "", SCREE_NUMBER_INT32, 3, c->flag}}};
}

static void fill(struct content *c, int64_t first, int64_t n)
{
    c->n = n;
    for (int64_t k = 0; k < n; k++) {
        int64_t id = first + k;
        c->id[k] = id;
        for (int s = 0; s < 4; s++) c->value[k][s] = 0.1 * (double)id + s;
        for (int s = 0; s < 3; s++) c->flag[k][s] = (int32_t)(id * 3 + s);
    }
}

static bool is_right(const struct content *c)
{
    for (int64_t k = 0; k < c->n; k++) {
        for (int s = 0; s < 4; s++)
            if (c->value[k][s] != 0.1 * (double)c->id[k] + s) return false;
        for (int s = 0; s < 3; s++)
            if (c->flag[k][s] != (int32_t)(c->id[k] * 3 + s)) return false;
    }
    return true;
}

/* All rows on the last rank, or dealt evenly with an empty rank 0. */
static void deal(const struct scree_comm *comm, struct content *c, int way)
{
    int last = comm->n_ranks - 1;
    if (way == 0) {
        fill(c, 0, comm->rank == last ? N_ROWS : 0);
    } else {
        int64_t each = N_ROWS / comm->n_ranks;
        fill(c, comm->rank * each, comm->rank == last ? N_ROWS - each * last : each);
    }
}

static enum scree_status read_all(const char *path, struct scree_comm *comm, struct content *c,
                                  char **input)
{
    struct scree_table table = describe(c);
    struct scree_checkpoint_text text = {"input", NULL};
    *input = NULL;
    SCREE_TRY(scree_checkpoint_open(path, comm, 1, &table, 1, &text));
    *input = text.text;
    c->n = table.n;
    SCREE_CHECK(table.n <= N_ROWS, SCREE_IO, "too many rows");
    return scree_checkpoint_read(path, comm, 1, &table);
}

static void round_trip(struct mpi_test *t, const char *path, int way)
{
    static struct content c;
    char *input;
    struct scree_checkpoint_text text = {"input", words};
    deal(t->comm, &c, way);
    struct scree_table table = describe(&c);
    enum scree_status status = scree_checkpoint_write(path, t->comm, 1, &table, 1, &text);
    MPI_TEST(t, status == SCREE_OK, "write: %s", scree_status_message());
    memset(&c, 0, sizeof c);
    status = read_all(path, t->comm, &c, &input);
    MPI_TEST(t, status == SCREE_OK, "read: %s", scree_status_message());
    MPI_TEST(t, input != NULL && strcmp(input, words) == 0, "text: %s", input);
    int64_t n = c.n;
    scree_comm_sum_int(t->comm, &n, 1);
    MPI_TEST(t, n == N_ROWS && is_right(&c), "%lld rows", (long long)n);
    scree_alloc_free(input);
}

static void write_bytes(const char *path, const unsigned char *bytes, size_t n)
{
    FILE *f = fopen(path, "wb");
    if (f == NULL || fwrite(bytes, 1, n, f) != n) abort();
    fclose(f);
}

/* Either a message, or the damage was in bytes that mean nothing and all numbers are right. */
static void expect_noticed(struct mpi_test *t, const char *path, const char *what, size_t at)
{
    static struct content c;
    char *input;
    memset(&c, 0, sizeof c);
    enum scree_status status = read_all(path, t->comm, &c, &input);
    bool told = status == SCREE_IO && scree_status_message()[0] != '\0';
    bool right = status == SCREE_OK && is_right(&c) && strcmp(input, words) == 0;
    MPI_TEST(t, told || right, "%s at byte %zu: status %d", what, at, (int)status);
    scree_status_clear();
    scree_alloc_free(input);
}

static void damage(struct mpi_test *t, const char *path, const char *copy)
{
    static unsigned char bytes[4 << 20];
    size_t size = 0;
    uint64_t state = 42;
    if (t->comm->rank == 0) {
        FILE *f = fopen(path, "rb");
        if (f == NULL) abort();
        size = fread(bytes, 1, sizeof bytes, f);
        fclose(f);
    }
    scree_comm_broadcast(t->comm, &size, sizeof size, 0);
    int n = t->comm->n_ranks == 1 ? N_DAMAGES : N_DAMAGES / 4; /* damage does not know of ranks */
    for (int k = 0; k < n; k++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        size_t at = (size_t)(state >> 20) % size;
        if (k % 3 != 0) at %= 8192; /* most of the structure is in front */
        unsigned char bit = (unsigned char)(1u << (state >> 60 & 7));
        bool cut = k % 5 == 0;
        if (t->comm->rank == 0) {
            bytes[at] ^= cut ? 0 : bit;
            write_bytes(copy, bytes, cut ? at : size);
            bytes[at] ^= cut ? 0 : bit;
        }
        scree_comm_barrier(t->comm);
        expect_noticed(t, copy, cut ? "cut" : "flipped bit", at);
    }
}

static void refuse(struct mpi_test *t, const char *path)
{
    static struct content c;
    deal(t->comm, &c, 1);
    struct scree_table table = describe(&c);
    enum scree_status status =
        scree_checkpoint_write("/no/such/folder/x.h5", t->comm, 1, &table, 0, NULL);
    MPI_TEST(t, status == SCREE_IO, "a folder that is not there");
    scree_status_clear();
    table.column[1].width = 3;
    status = scree_checkpoint_open(path, t->comm, 1, &table, 0, NULL);
    MPI_TEST(t, status == SCREE_IO, "another width");
    scree_status_clear();
    table = describe(&c);
    table.name = "else";
    status = scree_checkpoint_open(path, t->comm, 1, &table, 0, NULL);
    MPI_TEST(t, status == SCREE_IO, "another table");
    scree_status_clear();
}

/* A limit on the size of files stands for a full disk: the checkpoint before is not touched. */
static void full_disk(struct mpi_test *t, const char *path)
{
    static struct content c;
    struct rlimit old, low;
    char *input;
    getrlimit(RLIMIT_FSIZE, &old);
    low = old;
    low.rlim_cur = 20000;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &low);
    deal(t->comm, &c, 1);
    struct scree_table table = describe(&c);
    enum scree_status status = scree_checkpoint_write(path, t->comm, 1, &table, 0, NULL);
    setrlimit(RLIMIT_FSIZE, &old);
    MPI_TEST(t, status == SCREE_IO && strstr(scree_status_message(), "File too large"), "got '%s'",
             scree_status_message());
    scree_status_clear();
    status = read_all(path, t->comm, &c, &input);
    MPI_TEST(t, status == SCREE_OK && is_right(&c), "%s", scree_status_message());
    scree_alloc_free(input);
}

static void write_foreign(const char *path, const char *format, int32_t version)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS), word = H5Tcopy(H5T_C_S1);
    H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_LATEST);
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access), one = H5Screate(H5S_SCALAR);
    H5Tset_size(word, strlen(format) + 1);
    hid_t name = H5Acreate2(file, "format", word, one, H5P_DEFAULT, H5P_DEFAULT);
    hid_t number = H5Acreate2(file, "version", H5T_NATIVE_INT32, one, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(name, word, format);
    H5Awrite(number, H5T_NATIVE_INT32, &version);
    H5Aclose(number);
    H5Aclose(name);
    H5Sclose(one);
    H5Tclose(word);
    H5Pclose(access);
    H5Fclose(file);
}

/* Files that are not ours, or not of this version. */
static void foreign(struct mpi_test *t, const char *path)
{
    static const struct {
        const char *format, *message;
        int32_t version;
    } files[] = {{"somebody else", "not a scree checkpoint", SCREE_CHECKPOINT_VERSION},
                 {"scree-checkpoint", "checkpoint version 1, this program reads", 1},
                 {"scree-checkpoint", "checkpoint version 99, this program reads", 99},
                 {NULL, "not an HDF5 file of scree", 0}};
    for (size_t k = 0; k < sizeof files / sizeof files[0]; k++) {
        static struct content c;
        char *input;
        if (t->comm->rank == 0) {
            if (files[k].format != NULL)
                write_foreign(path, files[k].format, files[k].version);
            else
                write_bytes(path, (const unsigned char *)words, sizeof words);
        }
        scree_comm_barrier(t->comm);
        enum scree_status status = read_all(path, t->comm, &c, &input);
        MPI_TEST(t, status == SCREE_IO && strstr(scree_status_message(), files[k].message),
                 "got '%s'", scree_status_message());
        scree_status_clear();
        scree_comm_barrier(t->comm);
    }
}

int main(int argc, char **argv)
{
    struct mpi_test t;
    char folder[] = "/tmp/scree-checkpoint-XXXXXX", path[64], copy[64];
    mpi_test_begin(&t, &argc, &argv);
    if (t.comm->rank == 0 && mkdtemp(folder) == NULL) abort();
    scree_comm_broadcast(t.comm, folder, sizeof folder, 0);
    snprintf(path, sizeof path, "%s/a.h5", folder);
    snprintf(copy, sizeof copy, "%s/b.h5", folder);
    round_trip(&t, path, 0);
    round_trip(&t, path, 1);
    refuse(&t, path);
    full_disk(&t, path);
    damage(&t, path, copy);
    foreign(&t, copy);
    if (t.comm->rank == 0) {
        unlink(path);
        unlink(copy);
        rmdir(folder);
    }
    return mpi_test_end(&t);
}
