/* SPDX-License-Identifier: BSD-3-Clause
 * Trajectories: frames with changing numbers of grains and contacts, with empty ranks, packed and
 * not; frames after one that was interrupted; the XDMF file. With SCREE_TEST_KEEP=FOLDER in the
 * environment the files stay in that folder, for the scripts of tests/io. */
#define _POSIX_C_SOURCE 200809L
#include <hdf5.h>

#include "scree/xdmf.h"
#include "trajectory_test.h"

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

/* Frames that wait together: nobody sees them before they are published, one that does not fit
 * takes no other with it, and then the file is the same as if they had come one by one. */
static void check_draft(struct mpi_test *t, int compress)
{
    static struct made m;
    struct scree_trajectory_draft *draft = NULL;
    struct scree_trajectory_about this = about;
    this.compress = compress;
    if (t->comm->rank == 0) unlink(path);
    scree_comm_barrier(t->comm);
    enum scree_status status = scree_trajectory_create(path, t->comm, &this);
    for (int k = 0; k < N_FRAMES && status == SCREE_OK; k++) {
        make_frame(&m, t->comm, k, n_of_frame[k]);
        status = scree_trajectory_add(&draft, path, t->comm, &m.frame);
        if (compress == 0) check_frames_complete(t, path, 0);
    }
    MPI_TEST(t, status == SCREE_OK, "%s", scree_status_message());
    make_frame(&m, t->comm, 0, n_of_frame[0]);
    status = scree_trajectory_add(&draft, path, t->comm, &m.frame);
    MPI_TEST(t, status == SCREE_IO && strstr(scree_status_message(), "step 100 after") != NULL,
             "got '%s'", scree_status_message());
    scree_status_clear();
    status = scree_trajectory_publish(&draft);
    MPI_TEST(t, status == SCREE_OK && draft == NULL, "%s", scree_status_message());
    check_frames_complete(t, path, N_FRAMES);
    for (int k = 0; k < N_FRAMES; k++) check_frame(t, path, k, n_of_frame[k]);
    MPI_TEST(t, scree_trajectory_publish(&draft) == SCREE_OK, "without a draft");
}

/* Two segments of a run, the second of which begins before the first ends. */
static void check_xdmf(struct mpi_test *t)
{
    static struct made m;
    char xdmf[1010], second[1010];
    snprintf(xdmf, sizeof xdmf, "%s", path);
    strcpy(xdmf + strlen(xdmf) - 2, "xdmf");
    snprintf(second, sizeof second, "%s", path);
    strcpy(second + strlen(second) - 3, "-2.h5");
    if (t->comm->rank == 0) unlink(second);
    scree_comm_barrier(t->comm);
    enum scree_status status = scree_trajectory_create(second, t->comm, &about);
    for (int k = N_FRAMES - 1; k < N_FRAMES + 2 && status == SCREE_OK; k++) {
        make_frame(&m, t->comm, k, 40);
        status = scree_trajectory_append(second, t->comm, &m.frame);
    }
    MPI_TEST(t, status == SCREE_OK, "%s", scree_status_message());
    const char *const files[2] = {path, second};
    status = scree_xdmf_write(xdmf, t->comm, 2, files);
    MPI_TEST(t, status == SCREE_OK, "%s", scree_status_message());
    status = scree_xdmf_write("/nowhere/a.xdmf", t->comm, 2, files);
    MPI_TEST(t, status == SCREE_IO && strstr(scree_status_message(), "/nowhere/a.xdmf"), "got '%s'",
             scree_status_message());
    scree_comm_barrier(t->comm);
    if (t->comm->rank == 0 && getenv("SCREE_TEST_KEEP") == NULL) {
        MPI_TEST(t, unlink(xdmf) == 0, "no %s", xdmf);
        unlink(second);
    }
}

int main(int argc, char **argv)
{
    struct mpi_test t;
    mpi_test_begin(&t, &argc, &argv);
    name_files(&t, "trajectory");
    check_draft(&t, 0);
    check_draft(&t, 4);
    check_round_trip(&t, 4);
    check_interrupted(&t);
    check_round_trip(&t, 0);
    check_xdmf(&t);
    if (getenv("SCREE_TEST_KEEP") == NULL) {
        check_interrupted(&t);
        if (t.comm->rank == 0) unlink(path);
    }
    return mpi_test_end(&t);
}
