/* SPDX-License-Identifier: BSD-3-Clause
 * What else a trajectory tells: observables of a frame, texts. */
#include <stdio.h>
#include <string.h>

#include "scree/alloc.h"
#include "scree/hdf5_basics.h"
#include "scree/hdf5_trajectory.h"
#include "scree/reader.h"

enum { LARGEST_TEXT = 64 << 20 };

bool scree_reader_observable(const char *path, const char *name, int64_t frame, int width,
                             double *values)
{
    char place[256];
    hid_t file;
    double n_bytes;
    if (scree_hdf5_open(path, &file, &n_bytes) != SCREE_OK) return false;
    snprintf(place, sizeof place, "observables/%.200s/value", name);
    bool good =
        scree_trajectory_exists(file, place) &&
        scree_trajectory_read_series(file, place, H5T_NATIVE_DOUBLE, frame, 1, width, values);
    H5Fclose(file);
    return good;
}

/* Of fixed length, as scree writes it. */
static char *read_set(hid_t set)
{
    hid_t type = H5Dget_type(set);
    size_t size = H5Tget_size(type);
    char *text = NULL;
    if (H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 && size <= LARGEST_TEXT) {
        text = scree_alloc(size + 1, 1);
        memset(text, 0, size + 1);
        if (H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) < 0) {
            scree_alloc_free(text);
            text = NULL;
        }
    }
    H5Tclose(type);
    return text;
}

char *scree_reader_parameter(const char *path, const char *name)
{
    char place[256], *text = NULL;
    hid_t file;
    double n_bytes;
    if (scree_hdf5_open(path, &file, &n_bytes) != SCREE_OK) return NULL;
    snprintf(place, sizeof place, "parameters/%.200s", name);
    hid_t set = scree_trajectory_exists(file, place) ? H5Dopen2(file, place, H5P_DEFAULT) : -1;
    if (set >= 0) {
        text = read_set(set);
        H5Dclose(set);
    }
    H5Fclose(file);
    return text;
}
