/* SPDX-License-Identifier: BSD-3-Clause
 * What is inside an HDF5 file, for people. Trusts nothing: files may be damaged or foreign. */
#include <inttypes.h>
#include <string.h>

#include "scree/alloc.h"
#include "scree/hdf5_basics.h"
#include "scree/hdf5_trajectory.h"
#include "scree/reader.h"

enum { MOST_DEPTH = 8, MOST_NAME = 256, MOST_TEXT = 4096, MOST_LINKS = 1000 };

/* Bytes of files of others: nothing that could steer a terminal. UTF-8 passes. */
static void print_clean(FILE *out, const char *text)
{
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        fputc(c < ' ' || c == 0x7f ? ' ' : c, out);
    }
}

static void print_type(FILE *out, hid_t type)
{
    size_t size = H5Tget_size(type);
    switch (H5Tget_class(type)) {
    case H5T_FLOAT: fprintf(out, "real%zu", 8 * size); break;
    case H5T_INTEGER: fprintf(out, "int%zu", 8 * size); break;
    case H5T_STRING: fputs("text", out); break;
    default: fputs("other type", out);
    }
}

/* The length of the line so far goes to column 50, where shapes begin. */
static void print_set(FILE *out, hid_t set, const char *path)
{
    hsize_t dims[H5S_MAX_RANK];
    char unit[64];
    hid_t space = H5Dget_space(set), type = H5Dget_type(set);
    int n_dims = H5Sget_simple_extent_ndims(space);
    if (n_dims > 0) H5Sget_simple_extent_dims(space, dims, NULL);
    fputs("  ", out);
    print_clean(out, path);
    fprintf(out, "%*s (", (int)(strlen(path) < 46 ? 46 - strlen(path) : 1), "");
    for (int k = 0; k < n_dims; k++)
        fprintf(out, "%s%llu", k > 0 ? ", " : "", (unsigned long long)dims[k]);
    fputs(") ", out);
    print_type(out, type);
    if (scree_hdf5_read_text(set, "unit", unit, sizeof unit)) {
        fputc(' ', out);
        print_clean(out, unit);
    }
    fputc('\n', out);
    H5Tclose(type);
    H5Sclose(space);
}

/* Groups within groups; links may go in circles. */
static void print_group(FILE *out, hid_t group, const char *path, int depth)
{
    H5G_info_t info = {0};
    if (H5Gget_info(group, &info) < 0) fprintf(out, "  %s: damaged\n", path);
    for (hsize_t k = 0; k < info.nlinks && k < MOST_LINKS; k++) {
        char name[MOST_NAME] = "", full[MOST_NAME + 2 * MOST_DEPTH * 16];
        ssize_t length = H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, k, name,
                                            sizeof name, H5P_DEFAULT);
        if (length <= 0 || (size_t)length >= sizeof name) continue;
        bool clock = strcmp(name, "step") == 0 || strcmp(name, "time") == 0;
        if (clock && strstr(path, "/position") == NULL) continue; /* one and the same everywhere */
        snprintf(full, sizeof full, "%.250s/%s", path, name);
        hid_t object = H5Oopen(group, name, H5P_DEFAULT);
        H5I_type_t kind = object >= 0 ? H5Iget_type(object) : H5I_BADID;
        if (kind == H5I_DATASET) print_set(out, object, full);
        if (kind == H5I_GROUP && depth < MOST_DEPTH) print_group(out, object, full, depth + 1);
        if (kind == H5I_BADID) fprintf(out, "  %.300s: damaged\n", full);
        if (object >= 0) H5Oclose(object);
    }
}

/* A scalar text of fixed length; false if there is none of moderate length. */
static bool read_text_set(hid_t file, const char *name, char *text, size_t size)
{
    text[0] = '\0';
    if (!scree_trajectory_exists(file, name)) return false;
    hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    if (set < 0) return false;
    hid_t type = H5Dget_type(set), space = H5Dget_space(set);
    bool good = H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 &&
                H5Sget_simple_extent_npoints(space) == 1 && H5Tget_size(type) < size;
    if (good) {
        memset(text, 0, size);
        good = H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0;
    }
    H5Sclose(space);
    H5Tclose(type);
    H5Dclose(set);
    return good;
}

static bool read_number_set(hid_t file, const char *name, int64_t *value)
{
    if (!scree_trajectory_exists(file, name)) return false;
    hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    if (set < 0) return false;
    hid_t space = H5Dget_space(set);
    bool good = H5Sget_simple_extent_npoints(space) == 1 &&
                H5Dread(set, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) >= 0;
    H5Sclose(space);
    H5Dclose(set);
    return good;
}

static void print_provenance(FILE *out, hid_t file)
{
    static const char *const texts[] = {"version", "commit", "compiler"};
    static const char *const numbers[] = {"ranks", "seed"};
    char name[64], text[MOST_TEXT];
    int64_t value;
    for (int k = 0; k < 3; k++) {
        snprintf(name, sizeof name, "parameters/%s", texts[k]);
        if (!read_text_set(file, name, text, sizeof text) || text[0] == '\0') continue;
        fprintf(out, "%s: ", texts[k]);
        print_clean(out, text);
        fputc('\n', out);
    }
    for (int k = 0; k < 2; k++) {
        snprintf(name, sizeof name, "parameters/%s", numbers[k]);
        if (read_number_set(file, name, &value))
            fprintf(out, "%s: %" PRId64 "\n", numbers[k], value);
    }
}

/* Grains are shown within the wedge, wherever they have gone. */
static void print_wedge(FILE *out, hid_t file, bool series)
{
    const char *place = series ? "particles/grains/box" : "box";
    int32_t wedge[2];
    hid_t box = scree_trajectory_exists(file, place) ? H5Gopen2(file, place, H5P_DEFAULT) : -1;
    if (box < 0) return;
    if (H5Aexists(box, "wedge") > 0 &&
        scree_hdf5_read_attribute(box, "wedge", H5T_INTEGER, H5T_NATIVE_INT32, 2, wedge) &&
        wedge[0] > 0 && wedge[1] >= 0 && wedge[1] < 3)
        fprintf(out, "wedge: 1/%d of a turn about %c\n", wedge[0], "xyz"[wedge[1]]);
    H5Gclose(box);
}

static void print_kind(FILE *out, const char *path, hid_t file)
{
    struct scree_reader_file found;
    char format[64] = "";
    scree_hdf5_read_text(file, "format", format, sizeof format);
    if (strcmp(format, "scree-state") != 0 && strcmp(format, "scree-trajectory") != 0) {
        fprintf(out, "%s: HDF5 file%s", path, format[0] != '\0' ? " of the format " : "");
        print_clean(out, format);
        fputc('\n', out);
        return;
    }
    if (scree_reader_inspect(path, &found) != SCREE_OK) {
        fprintf(out, "%s: %s of scree, but not sound: ", path, format + 6);
        print_clean(out, scree_status_message());
        fputc('\n', out);
        return;
    }
    bool series = found.kind == SCREE_READER_TRAJECTORY;
    fprintf(out, "%s: %s of scree%s\n", path, series ? "trajectory" : "state",
            series ? " (H5MD 1.1)" : "");
    fputs("title: ", out);
    print_clean(out, found.title);
    fprintf(out, "\ngrains: %" PRId64 "%s\n", found.n, series ? " in the last frame" : "");
    if (series) fprintf(out, "frames_complete: %" PRId64 "\n", found.frames);
    if (found.frames > 1)
        fprintf(out, "steps: %" PRId64 " to %" PRId64 "\ntime: %.10g s to %.10g s\n",
                found.first_step, found.last_step, found.first_time, found.last_time);
    else if (found.frames == 1)
        fprintf(out, "step: %" PRId64 "\ntime: %.10g s\n", found.last_step, found.last_time);
    print_wedge(out, file, series);
}

enum scree_status scree_reader_print(const char *path, FILE *out)
{
    hid_t file;
    double n_bytes;
    SCREE_TRY(scree_hdf5_open(path, &file, &n_bytes));
    print_kind(out, path, file);
    enum scree_status status = SCREE_OK;
    if (scree_status_message()[0] != '\0')
        status = SCREE_IO; /* not sound, which was said; what can be seen follows all the same */
    print_provenance(out, file);
    fprintf(out, "datasets (%.4g MB):\n", 1e-6 * n_bytes);
    print_group(out, file, "", 0);
    H5Fclose(file);
    return status;
}
