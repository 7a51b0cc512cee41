/* SPDX-License-Identifier: BSD-3-Clause
 * State files through parallel HDF5. Between the collective open and close every transfer is
 * independent, and no rank leaves early: an error on one rank cannot strand the others. */
#define _POSIX_C_SOURCE 200809L
#include "scree/state.h"

#include <hdf5.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "hdf5_state_impl.h"
#include "hdf5_trial.h"
#include "scree/alloc.h"
#include "scree/file_safety.h"

/* Metadata: every rank must call this with the same values. */
static bool write_header(hid_t file, const struct scree_state_header *h, uint64_t digest)
{
    const int32_t version = SCREE_STATE_VERSION;
    const signed char periodic[3] = {h->periodic[0], h->periodic[1], h->periodic[2]};
    bool good = scree_hdf5_write_text(file, "format", "scree-state");
    good = scree_hdf5_write_attribute(file, "version", H5T_NATIVE_INT32, 1, &version) && good;
    good = scree_hdf5_write_text(file, "title", h->title) && good;
    good = scree_hdf5_write_attribute(file, "time", H5T_NATIVE_DOUBLE, 1, &h->time) && good;
    good = scree_hdf5_write_attribute(file, "step", H5T_NATIVE_INT64, 1, &h->step) && good;
    good = scree_hdf5_write_attribute(file, "digest", H5T_NATIVE_UINT64, 1, &digest) && good;
    hid_t box = H5Gcreate2(file, "box", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    good = scree_hdf5_write_attribute(box, "low", H5T_NATIVE_DOUBLE, 3, h->low) && good;
    good = scree_hdf5_write_attribute(box, "high", H5T_NATIVE_DOUBLE, 3, h->high) && good;
    good = scree_hdf5_write_attribute(box, "periodic", H5T_NATIVE_SCHAR, 3, periodic) && good;
    if (h->wedge[0] > 0)
        good = scree_hdf5_write_attribute(box, "wedge", H5T_NATIVE_INT32, 2, h->wedge) && good;
    if (h->tilt[0] != 0.0 || h->tilt[1] != 0.0 || h->tilt[2] != 0.0)
        good = scree_hdf5_write_attribute(box, "tilt", H5T_NATIVE_DOUBLE, 3, h->tilt) && good;
    H5Gclose(box);
    return good;
}

/* Rows [first, first + n) of a dataset in memory of exactly that size. */
static bool transfer(hid_t set, const struct scree_state_field *field, int64_t first, int64_t n,
                     void *column, bool writes)
{
    if (n == 0) return true;
    hsize_t start[2] = {(hsize_t)first, 0}, count[2] = {(hsize_t)n, (hsize_t)field->width};
    int rank = field->width > 1 ? 2 : 1;
    hid_t in_file = H5Dget_space(set), in_memory = H5Screate_simple(rank, count, NULL);
    hid_t type = scree_hdf5_native(field->type);
    bool good = H5Sselect_hyperslab(in_file, H5S_SELECT_SET, start, NULL, count, NULL) >= 0;
    if (good && writes)
        good = H5Dwrite(set, type, in_memory, in_file, H5P_DEFAULT, column) >= 0;
    else if (good)
        good = H5Dread(set, type, in_memory, in_file, H5P_DEFAULT, column) >= 0;
    H5Sclose(in_memory);
    H5Sclose(in_file);
    return good;
}

static bool write_columns(hid_t file, const struct scree_state_rows *rows, int64_t first,
                          int64_t n_total)
{
    bool good = true;
    hid_t group = H5Gcreate2(file, "particles", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    for (int k = 0; k < SCREE_STATE_N_FIELDS; k++) {
        const struct scree_state_field *field = &scree_state_fields[k];
        hsize_t dims[2] = {(hsize_t)n_total, (hsize_t)field->width};
        hid_t space = H5Screate_simple(field->width > 1 ? 2 : 1, dims, NULL);
        hid_t set = H5Dcreate2(group, field->name, scree_hdf5_native(field->type), space,
                               H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        void *column = scree_state_column(rows, field);
        good = set >= 0 && transfer(set, field, first, rows->n, column, true) && good;
        H5Dclose(set);
        H5Sclose(space);
    }
    H5Gclose(group);
    return good;
}

static enum scree_status write_part(const char *part, struct scree_comm *comm,
                                    const struct scree_state_header *header,
                                    const struct scree_state_rows *rows)
{
    int64_t n_before = 0, n_total = 0;
    int64_t *n_rows = scree_alloc((size_t)comm->n_ranks, sizeof *n_rows);
    scree_comm_allgather(comm, &rows->n, sizeof rows->n, n_rows);
    for (int r = 0; r < comm->n_ranks; r++) {
        n_before += r < comm->rank ? n_rows[r] : 0;
        n_total += n_rows[r];
    }
    scree_alloc_free(n_rows);
    uint64_t digest = scree_state_digest(rows);
    scree_comm_sum_hash(comm, &digest, 1);
    int64_t bytes = 1 << 16;
    for (int k = 0; k < SCREE_STATE_N_FIELDS; k++)
        bytes += n_total * scree_state_fields[k].width *
                 (int64_t)scree_hdf5_size(scree_state_fields[k].type);
    hid_t file;
    SCREE_TRY(scree_hdf5_create(part, comm, scree_hdf5_access(comm), bytes, &file));
    bool good = write_header(file, header, digest);
    good = write_columns(file, rows, n_before, n_total) && good;
    return scree_hdf5_finish(part, comm, file, good);
}

enum scree_status scree_state_write(const char *path, struct scree_comm *comm,
                                    const struct scree_state_header *header,
                                    const struct scree_state_rows *rows)
{
    char *part = scree_file_part_name(path);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    enum scree_status status = write_part(part, comm, header, rows);
    if (status == SCREE_OK) {
        if (comm->rank == 0) status = scree_file_publish(part, path);
        status = scree_comm_agree(comm, status);
    }
    if (status != SCREE_OK && comm->rank == 0) unlink(part);
    scree_alloc_free(part);
    return status;
}

enum scree_status scree_state_read_columns(const char *path, hid_t file, int64_t first,
                                           struct scree_state_rows *rows)
{
    for (int k = 0; k < SCREE_STATE_N_FIELDS; k++) {
        const struct scree_state_field *field = &scree_state_fields[k];
        char name[64];
        snprintf(name, sizeof name, "/particles/%s", field->name);
        hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
        void *column = scree_state_column(rows, field);
        bool good = set >= 0 && transfer(set, field, first, rows->n, column, false);
        H5Dclose(set);
        SCREE_CHECK(good, SCREE_IO, "%s: dataset %s cannot be read: damaged or cut short", path,
                    name);
    }
    return scree_state_check_rows(path, rows);
}

static enum scree_status read_share(const char *path, struct scree_comm *comm,
                                    const struct scree_state_summary *summary,
                                    struct scree_state_rows *rows)
{
    int64_t each = summary->n / comm->n_ranks, rest = summary->n % comm->n_ranks, r = comm->rank;
    hid_t access = scree_hdf5_access(comm);
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, access);
    H5Pclose(access);
    enum scree_status status = SCREE_OK;
    if (file < 0) status = SCREE_FAIL(SCREE_IO, "%s: cannot be opened by all ranks", path);
    SCREE_TRY(scree_comm_agree(comm, status));
    scree_state_rows_init(rows, each + (r < rest ? 1 : 0));
    status = scree_state_read_columns(path, file, each * r + (r < rest ? r : rest), rows);
    H5Fclose(file);
    status = scree_comm_agree(comm, status);
    uint64_t digest = status == SCREE_OK ? scree_state_digest(rows) : 0;
    scree_comm_sum_hash(comm, &digest, 1);
    if (status == SCREE_OK && summary->has_digest && digest != summary->digest)
        status = SCREE_FAIL(SCREE_IO,
                            "%s: the numbers do not match the attribute 'digest': the file is "
                            "damaged (if it was edited on purpose, delete that attribute)",
                            path);
    if (status != SCREE_OK) scree_state_rows_clear(rows);
    return status;
}

enum scree_status scree_state_read(const char *path, struct scree_comm *comm,
                                   struct scree_state_header *header, struct scree_state_rows *rows)
{
    struct scree_state_summary summary;
    enum scree_status status = SCREE_OK;
    *rows = (struct scree_state_rows){0};
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    memset(&summary, 0, sizeof summary);
    if (comm->rank == 0) status = scree_hdf5_trial(path);
    if (comm->rank == 0 && status == SCREE_OK) status = scree_state_inspect(path, &summary);
    SCREE_TRY(scree_comm_agree(comm, status));
    scree_comm_broadcast(comm, &summary, sizeof summary, 0);
    *header = summary.header;
    return read_share(path, comm, &summary, rows);
}

enum scree_status scree_state_read_rows(struct scree_comm *comm, const char *path,
                                        struct scree_state_rows *rows)
{
    struct scree_state_header header;
    SCREE_TRY(scree_state_read(path, comm, &header, rows));
    const double *tilt = header.tilt;
    if (tilt[0] == 0.0 && tilt[1] == 0.0 && tilt[2] == 0.0) return SCREE_OK;
    scree_state_rows_clear(rows);
    return SCREE_FAIL(SCREE_IO,
                      "%s: its box leans (by %g m, %g m, %g m): grains cannot be taken over into a "
                      "box with right angles; resume the run instead",
                      path, tilt[0], tilt[1], tilt[2]);
}
