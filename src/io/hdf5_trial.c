/* SPDX-License-Identifier: BSD-3-Clause
 * HDF5 crashes or loops on some damaged files: whoever reads files of others does so in another
 * process, or lets one look first. */
#define _POSIX_C_SOURCE 200809L
#include "hdf5_trial.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "scree/hdf5_basics.h"
#include "scree/reader.h"

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

static enum scree_status look(void *path)
{
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (file < 0) return SCREE_OK; /* which will be said when it is read */
    H5Ovisit(file, H5_INDEX_NAME, H5_ITER_NATIVE, look_at_object, NULL);
    H5Fclose(file);
    return SCREE_OK;
}

/* Crashes are quiet, and loops end. */
static void prepare_to_die(rlim_t seconds)
{
    static const int deaths[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGALRM, SIGXCPU};
    const struct rlimit none = {0, 0}, time = {seconds, seconds};
    for (size_t k = 0; k < sizeof deaths / sizeof *deaths; k++) signal(deaths[k], SIG_DFL);
    setrlimit(RLIMIT_CORE, &none);
    setrlimit(RLIMIT_CPU, &time);
    int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDERR_FILENO);
}

/* How the work ended, as the child tells it. */
struct verdict {
    enum scree_status status;
    char message[1024];
};

static void work_and_tell(int to, enum scree_status (*work)(void *context), void *context)
{
    struct verdict v = {.status = work(context)};
    if ((fflush(stdout) != 0 || ferror(stdout) != 0) && v.status == SCREE_OK)
        v.status = SCREE_FAIL(SCREE_IO, "standard output cannot be written: is the disk full?");
    snprintf(v.message, sizeof v.message, "%s", scree_status_message());
    bool told = write(to, &v, sizeof v) == (ssize_t)sizeof v; /* a pipe takes so little at once */
    _exit(told ? 0 : 1);
}

/* A minute, and a second for each MB of the file. */
static rlim_t most_seconds(const char *path)
{
    struct stat info;
    return MOST_SECONDS + (stat(path, &info) == 0 ? (rlim_t)(info.st_size >> 20) : 0);
}

enum scree_status scree_reader_guard(const char *path, enum scree_status (*work)(void *context),
                                     void *context)
{
    struct verdict v = {.status = SCREE_OK};
    int how = 0, ends[2];
    fflush(NULL); /* or it would be written twice */
    SCREE_CHECK(pipe(ends) == 0, SCREE_IO, "%s: no pipe: %s", path, strerror(errno));
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        prepare_to_die(most_seconds(path));
        work_and_tell(ends[1], work, context);
    }
    close(ends[1]);
    bool told = child > 0 && read(ends[0], &v, sizeof v) == (ssize_t)sizeof v;
    close(ends[0]);
    SCREE_CHECK(child > 0, SCREE_IO, "%s: no process to look at it: %s", path, strerror(errno));
    while (waitpid(child, &how, 0) < 0)
        SCREE_CHECK(errno == EINTR, SCREE_IO, "%s: cannot be looked at: %s", path, strerror(errno));
    SCREE_CHECK(told && WIFEXITED(how) && WEXITSTATUS(how) == 0, SCREE_IO,
                "%s: damaged: HDF5 crashes when it reads this file", path);
    v.message[sizeof v.message - 1] = '\0';
    return v.status == SCREE_OK ? SCREE_OK : SCREE_FAIL(v.status, "%s", v.message);
}

enum scree_status scree_hdf5_trial(const char *path)
{
    return scree_reader_guard(path, look, (char *)path);
}
