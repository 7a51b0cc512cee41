/* SPDX-License-Identifier: BSD-3-Clause
 * A new trajectory file: the marks of H5MD and where the numbers come from, no frames yet. */
#define _POSIX_C_SOURCE 200809L
#include "scree/hdf5_trajectory.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hdf5_memory.h"
#include "scree/alloc.h"
#include "scree/file_safety.h"

static const char *or_empty(const char *text)
{
    return text == NULL ? "" : text;
}

static hid_t text_type(size_t length)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, length + 1);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

static hid_t make_group(hid_t place, const char *name)
{
    return H5Gcreate2(place, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
}

/* n < 0: a scalar. */
static bool write_set(hid_t place, const char *name, hid_t type, int n, const void *values)
{
    hsize_t dims[1] = {(hsize_t)n};
    hid_t space = n < 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, dims, NULL);
    hid_t set = H5Dcreate2(place, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool good = set >= 0;
    if (good && n != 0) good = H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0;
    H5Dclose(set);
    H5Sclose(space);
    return good;
}

/* Names of equal length: H5MD wants arrays of fixed-length strings where MPI is used. */
static bool write_species(hid_t place, const struct scree_trajectory_about *about)
{
    size_t length = 1;
    for (int k = 0; k < about->n_species; k++)
        if (strlen(about->species[k]) > length) length = strlen(about->species[k]);
    size_t stride = length + 1, n = (size_t)about->n_species;
    char *names = scree_alloc(n * stride + 1, 1);
    memset(names, 0, n * stride + 1);
    for (size_t k = 0; k < n; k++)
        memcpy(names + k * stride, about->species[k], strlen(about->species[k]));
    hid_t type = text_type(length);
    bool good = write_set(place, "species", type, about->n_species, names);
    H5Tclose(type);
    scree_alloc_free(names);
    return good;
}

static bool write_marks(hid_t file, const struct scree_trajectory_about *about)
{
    const int32_t version[2] = {1, 1}, units_version[2] = {1, 0};
    hid_t h5md = make_group(file, "h5md"), author = make_group(h5md, "author");
    hid_t creator = make_group(h5md, "creator"), modules = make_group(h5md, "modules");
    hid_t units = make_group(modules, "units");
    const char *who = or_empty(about->author);
    bool good = scree_hdf5_write_attribute(h5md, "version", H5T_NATIVE_INT32, 2, version);
    good = scree_hdf5_write_text(author, "name", who[0] != '\0' ? who : "unknown") && good;
    good = scree_hdf5_write_text(creator, "name", "scree") && good;
    good = scree_hdf5_write_text(creator, "version", or_empty(about->version)) && good;
    good = scree_hdf5_write_attribute(units, "version", H5T_NATIVE_INT32, 2, units_version) && good;
    good = scree_hdf5_write_text(units, "system", "SI") && good;
    H5Gclose(units);
    H5Gclose(modules);
    H5Gclose(creator);
    H5Gclose(author);
    H5Gclose(h5md);
    return good;
}

static bool write_parameters(hid_t file, const struct scree_trajectory_about *about)
{
    const int32_t ranks = about->ranks, compress = about->compress;
    hid_t place = make_group(file, "parameters");
    bool good = scree_hdf5_write_text_set(place, "title", about->title);
    good = scree_hdf5_write_text_set(place, "input", about->input) && good;
    good = scree_hdf5_write_text_set(place, "effective_input", about->effective_input) && good;
    good = scree_hdf5_write_text_set(place, "version", about->version) && good;
    good = scree_hdf5_write_text_set(place, "commit", about->commit) && good;
    good = scree_hdf5_write_text_set(place, "compiler", about->compiler) && good;
    good = write_set(place, "ranks", H5T_NATIVE_INT32, -1, &ranks) && good;
    good = write_set(place, "seed", H5T_NATIVE_INT64, -1, &about->seed) && good;
    good = write_species(place, about) && good;
    good = scree_hdf5_write_attribute(place, "compress", H5T_NATIVE_INT32, 1, &compress) && good;
    H5Gclose(place);
    return good;
}

static bool fill_file(hid_t file, const struct scree_trajectory_about *about)
{
    const int64_t none = 0;
    char title[SCREE_STATE_TITLE];
    snprintf(title, sizeof title, "%s", or_empty(about->title));
    bool good = write_marks(file, about);
    good = scree_hdf5_write_text(file, "format", "scree-trajectory") && good;
    good = scree_hdf5_write_text(file, "title", title) && good;
    good = write_parameters(file, about) && good;
    return scree_hdf5_write_attribute(file, "frames_complete", H5T_NATIVE_INT64, 1, &none) && good;
}

/* Local: rank 0. */
static enum scree_status make_file(const char *path, const struct scree_trajectory_about *about)
{
    struct scree_hdf5_memory memory;
    SCREE_CHECK(access(path, F_OK) != 0, SCREE_IO, "%s exists already", path);
    char *part = scree_file_part_name(path);
    enum scree_status status = scree_file_hold(part, 1 << 16);
    if (status == SCREE_OK) status = scree_hdf5_memory_create(&memory, part, 1);
    if (status == SCREE_OK)
        status = scree_hdf5_memory_save(&memory, part, fill_file(memory.hdf5, about));
    if (status == SCREE_OK) status = scree_file_publish(part, path);
    if (status != SCREE_OK) unlink(part);
    scree_alloc_free(part);
    return status;
}

enum scree_status scree_trajectory_create(const char *path, struct scree_comm *comm,
                                          const struct scree_trajectory_about *about)
{
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return scree_comm_agree(comm, comm->rank == 0 ? make_file(path, about) : SCREE_OK);
}

bool scree_trajectory_is_full(const char *path)
{
    enum { MOST_BYTES = 64 << 20 };
    struct stat info;
    return stat(path, &info) == 0 && info.st_size > MOST_BYTES;
}
