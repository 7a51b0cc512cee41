/* SPDX-License-Identifier: BSD-3-Clause
 * Files without checksums over their structure are read by another process first. */
#define _POSIX_C_SOURCE 200809L
#include "hdf5_trial.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "scree/hdf5_basics.h"

enum { MOST_SECONDS = 60, MOST_BYTES = 1 << 24 };

/* Values of an attribute, as they are. */
static herr_t look_at_attribute(hid_t place, const char *name, const H5A_info_t *info,
                                void *context)
{
    (void)info, (void)context;
    hid_t attribute = H5Aopen(place, name, H5P_DEFAULT);
    if (attribute < 0) return 0;
    hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
    size_t size = H5Tget_size(type);
    hssize_t n = H5Sget_simple_extent_npoints(space);
    if (n > 0 && size > 0 && (double)n * (double)size <= MOST_BYTES) {
        void *values = calloc((size_t)n, size);
        if (values != NULL) H5Aread(attribute, type, values);
        free(values);
    }
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(attribute);
    return 0;
}

/* Its first dimension in pieces, so that all indices are walked through. */
static void look_at_values(hid_t set, hid_t type, hid_t space)
{
    hsize_t dims[H5S_MAX_RANK] = {0}, start[H5S_MAX_RANK] = {0};
    size_t size = H5Tget_size(type);
    int n_dims = H5Sget_simple_extent_dims(space, dims, NULL);
    double row = (double)size;
    for (int k = 1; k < n_dims; k++) row *= (double)dims[k];
    if (n_dims < 1 || !(row > 0.0) || row > MOST_BYTES) return;
    hsize_t all = dims[0], each = (hsize_t)(MOST_BYTES / row);
    void *values = malloc(MOST_BYTES);
    for (; values != NULL && start[0] < all; start[0] += each) {
        dims[0] = all - start[0] < each ? all - start[0] : each;
        hid_t part = H5Screate_simple(n_dims, dims, NULL);
        bool good = H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, dims, NULL) >= 0 &&
                    H5Dread(set, type, part, space, H5P_DEFAULT, values) >= 0;
        H5Sclose(part);
        if (!good) break;
    }
    free(values);
}

static herr_t look_at_object(hid_t file, const char *name, const H5O_info_t *info, void *context)
{
    (void)info, (void)context;
    hid_t object = H5Oopen(file, name, H5P_DEFAULT);
    if (object < 0) return 0;
    H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, look_at_attribute, NULL);
    if (H5Iget_type(object) == H5I_DATASET) {
        hid_t type = H5Dget_type(object), space = H5Dget_space(object);
        look_at_values(object, type, space);
        H5Sclose(space);
        H5Tclose(type);
    }
    H5Oclose(object);
    return 0;
}

static void look(const char *path)
{
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (file < 0) return;
    H5Ovisit(file, H5_INDEX_NAME, H5_ITER_NATIVE, look_at_object, NULL);
    H5Fclose(file);
}

/* Crashes are quiet, and loops end. */
static void prepare_to_die(void)
{
    static const int deaths[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGALRM, SIGXCPU};
    const struct rlimit none = {0, 0}, time = {MOST_SECONDS, MOST_SECONDS};
    for (size_t k = 0; k < sizeof deaths / sizeof *deaths; k++) signal(deaths[k], SIG_DFL);
    setrlimit(RLIMIT_CORE, &none);
    setrlimit(RLIMIT_CPU, &time);
    close(STDERR_FILENO);
}

enum scree_status scree_hdf5_trial(const char *path)
{
    int how = 0;
    if (scree_hdf5_has_checksums(path)) return SCREE_OK;
    pid_t child = fork();
    SCREE_CHECK(child >= 0, SCREE_IO, "%s: no process to look at it: %s", path, strerror(errno));
    if (child == 0) {
        prepare_to_die();
        look(path);
        _exit(0);
    }
    while (waitpid(child, &how, 0) < 0)
        SCREE_CHECK(errno == EINTR, SCREE_IO, "%s: cannot be looked at: %s", path, strerror(errno));
    SCREE_CHECK(WIFEXITED(how) && WEXITSTATUS(how) == 0, SCREE_IO,
                "%s: damaged: HDF5 crashes when it reads this file", path);
    return SCREE_OK;
}
