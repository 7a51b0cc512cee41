/* SPDX-License-Identifier: BSD-3-Clause
 * Fields on a grid as an HDF5 file. */
#define _POSIX_C_SOURCE 200809L
#include "scree/hdf5_grid.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "hdf5_memory.h"
#include "scree/alloc.h"
#include "scree/file_safety.h"
#include "scree/hdf5_basics.h"

static bool write_set(hid_t group, const char *name, int n_dims, const hsize_t *dims,
                      const double *values, const char *unit, const char *description)
{
    hid_t list = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(n_dims, dims, NULL);
    H5Pset_obj_track_times(list, false);
    hid_t set = H5Dcreate2(group, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, list, H5P_DEFAULT);
    bool good = set >= 0 &&
                H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0 &&
                scree_hdf5_write_text(set, "unit", unit) &&
                scree_hdf5_write_text(set, "description", description);
    H5Dclose(set);
    H5Pclose(list);
    H5Sclose(space);
    return good;
}

/* Edges of the cells. */
static bool write_axis(hid_t group, const struct scree_grid_axis *axis)
{
    hsize_t dims[1] = {(hsize_t)axis->n + 1};
    double *edge = scree_alloc((size_t)axis->n + 1, sizeof *edge);
    for (int k = 0; k <= axis->n; k++)
        edge[k] = axis->low + (axis->high - axis->low) * (double)k / (double)axis->n;
    bool good = write_set(group, axis->name, 1, dims, edge, axis->unit, "edges of the cells");
    scree_alloc_free(edge);
    return good;
}

static bool write_field(hid_t group, const struct scree_grid_file *file,
                        const struct scree_grid_field *field)
{
    hsize_t dims[SCREE_GRID_AXES + 2];
    int n = 0;
    for (int a = 0; a < file->n_axes; a++) dims[n++] = (hsize_t)file->axis[a].n;
    for (int r = 0; r < field->rank; r++) dims[n++] = 3;
    return write_set(group, field->name, n, dims, field->values, field->unit, field->description);
}

static bool write_head(hid_t place, const struct scree_grid_file *file)
{
    const int64_t version = 1;
    char axes[64] = "";
    for (int a = 0; a < file->n_axes; a++) {
        size_t used = strlen(axes);
        snprintf(axes + used, sizeof axes - used, "%s%s", a > 0 ? " " : "", file->axis[a].name);
    }
    bool good =
        scree_hdf5_write_text(place, "format", "scree fields") &&
        scree_hdf5_write_attribute(place, "format_version", H5T_NATIVE_INT64, 1, &version) &&
        scree_hdf5_write_text(place, "name", file->name) &&
        scree_hdf5_write_text(place, "version", file->version) &&
        scree_hdf5_write_text(place, "commit", file->commit) &&
        scree_hdf5_write_text(place, "axes", axes) &&
        scree_hdf5_write_text(place, "components", file->components) &&
        scree_hdf5_write_attribute(place, "step", H5T_NATIVE_INT64, 1, &file->step) &&
        scree_hdf5_write_attribute(place, "time", H5T_NATIVE_DOUBLE, 1, &file->time);
    for (int k = 0; k < file->n_numbers && good; k++)
        good = scree_hdf5_write_attribute(place, file->number[k].name, H5T_NATIVE_DOUBLE, 1,
                                          &file->number[k].value);
    return good;
}

static bool write_parameters(hid_t root, const struct scree_grid_file *file)
{
    hid_t place = scree_hdf5_make_group(root, "parameters");
    bool good = place >= 0 && scree_hdf5_write_text_set(place, "input", file->input) &&
                scree_hdf5_write_text_set(place, "effective_input", file->effective_input);
    H5Gclose(place);
    return good;
}

static bool write_contents(hid_t file_id, const struct scree_grid_file *file)
{
    hid_t root = H5Gopen2(file_id, "/", H5P_DEFAULT);
    hid_t axes = scree_hdf5_make_group(root, "axes"),
          fields = scree_hdf5_make_group(root, "fields");
    bool good = axes >= 0 && fields >= 0 && write_head(root, file) && write_parameters(root, file);
    for (int a = 0; a < file->n_axes && good; a++) good = write_axis(axes, &file->axis[a]);
    for (int k = 0; k < file->n_fields && good; k++)
        good = write_field(fields, file, &file->field[k]);
    H5Gclose(fields);
    H5Gclose(axes);
    H5Gclose(root);
    return good;
}

enum scree_status scree_hdf5_grid_write(const char *path, const struct scree_grid_file *file)
{
    struct scree_hdf5_memory memory;
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    char *part = scree_file_part_name(path);
    unlink(part); /* of a run that was killed */
    enum scree_status status = scree_hdf5_memory_create(&memory, path, 1);
    if (status == SCREE_OK)
        status = scree_hdf5_memory_save(&memory, part, write_contents(memory.hdf5, file));
    if (status == SCREE_OK) status = scree_file_publish(part, path);
    if (status != SCREE_OK) unlink(part);
    scree_alloc_free(part);
    return status;
}

enum scree_status scree_hdf5_grid_remove_later(const char *folder, const char *name, int64_t step)
{
    size_t length = strlen(name);
    DIR *directory = opendir(folder);
    SCREE_CHECK(directory != NULL, SCREE_IO, "%s: %s", folder, strerror(errno));
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        char path[4096];
        long long number = -1;
        int used = 0;
        if (strncmp(entry->d_name, name, length) != 0) continue;
        if (sscanf(entry->d_name + length, ".%lld.h5%n", &number, &used) != 1) continue;
        if (used == 0 || entry->d_name[length + (size_t)used] != '\0' || number <= step) continue;
        snprintf(path, sizeof path, "%.3700s/%.300s", folder, entry->d_name);
        unlink(path);
    }
    closedir(directory);
    return SCREE_OK;
}
