/* SPDX-License-Identifier: BSD-3-Clause
 * Reading grains back from state files and trajectories, without MPI. */
#include "scree/reader.h"

#include <math.h>
#include <string.h>

#include "hdf5_state_impl.h"
#include "scree/alloc.h"
#include "scree/hdf5_trajectory.h"

static enum scree_status inspect_open(const char *path, hid_t file, double n_bytes,
                                      struct scree_reader_file *found)
{
    struct scree_trajectory_summary s;
    if (!scree_trajectory_is(file)) {
        struct scree_state_summary state;
        SCREE_TRY(scree_state_inspect(path, &state));
        *found = (struct scree_reader_file){.kind = SCREE_READER_STATE,
                                            .frames = 1,
                                            .n = state.n,
                                            .first_step = state.header.step,
                                            .last_step = state.header.step,
                                            .first_time = state.header.time,
                                            .last_time = state.header.time};
        memcpy(found->title, state.header.title, sizeof found->title);
        return SCREE_OK;
    }
    SCREE_TRY(scree_trajectory_inspect_file(path, file, n_bytes, &s));
    *found = (struct scree_reader_file){.kind = SCREE_READER_TRAJECTORY,
                                        .frames = s.frames,
                                        .n = s.n_now[0],
                                        .first_step = s.first_step,
                                        .last_step = s.last_step,
                                        .first_time = s.first_time,
                                        .last_time = s.last_time};
    memcpy(found->title, s.title, sizeof found->title);
    return SCREE_OK;
}

enum scree_status scree_reader_inspect(const char *path, struct scree_reader_file *found)
{
    hid_t file;
    double n_bytes;
    memset(found, 0, sizeof *found);
    SCREE_TRY(scree_hdf5_open(path, &file, &n_bytes));
    enum scree_status status = inspect_open(path, file, n_bytes, found);
    H5Fclose(file);
    return status;
}

struct question {
    const char *path;
    int64_t step;
};

static enum scree_status find_step(void *context)
{
    const struct question *q = context;
    struct scree_reader_file found;
    hid_t file;
    double n_bytes;
    bool has = false;
    SCREE_TRY(scree_reader_inspect(q->path, &found));
    SCREE_TRY(scree_hdf5_open(q->path, &file, &n_bytes));
    int64_t *steps = scree_alloc((size_t)found.frames, sizeof *steps);
    if (scree_trajectory_read_series(file, "particles/grains/position/step", H5T_NATIVE_INT64, 0,
                                     found.frames, 1, steps))
        for (int64_t k = 0; k < found.frames; k++) has = has || steps[k] == q->step;
    scree_alloc_free(steps);
    H5Fclose(file);
    return has ? SCREE_OK : SCREE_IO;
}

bool scree_reader_has_step(const char *path, int64_t step)
{
    struct question question = {path, step};
    bool has = scree_reader_guard(path, find_step, &question) == SCREE_OK;
    scree_status_clear(); /* a damaged segment is not what the caller asks about */
    return has;
}

/* Rows of this part: [*first, *first + result). */
static int64_t share(int64_t n, int part, int n_parts, int64_t *first)
{
    int64_t each = n / n_parts, rest = n % n_parts;
    *first = each * part + (part < rest ? part : rest);
    return each + (part < rest ? 1 : 0);
}

static enum scree_status read_state(const char *path, hid_t file, int part, int n_parts,
                                    struct scree_state_header *header,
                                    struct scree_state_rows *rows)
{
    struct scree_state_summary s;
    int64_t first;
    SCREE_TRY(scree_state_inspect(path, &s));
    *header = s.header;
    scree_state_rows_init(rows, share(s.n, part, n_parts, &first));
    SCREE_TRY(scree_state_read_columns(path, file, first, rows));
    SCREE_CHECK(!s.has_digest || n_parts > 1 || scree_state_digest(rows) == s.digest, SCREE_IO,
                "%s: the numbers do not match the attribute 'digest': the file is damaged (if it "
                "was edited on purpose, delete that attribute)",
                path);
    return SCREE_OK;
}

bool scree_trajectory_read_rows(hid_t file, int column, int width, hid_t native,
                                const struct scree_trajectory_part *part, void *values)
{
    bool deep = scree_trajectory_columns[column].width > 1 || column == SCREE_COLUMN_HISTORY;
    char name[96];
    hsize_t start[3] = {(hsize_t)part->frame, (hsize_t)part->first, 0};
    hsize_t count[3] = {1, (hsize_t)part->n, (hsize_t)width};
    snprintf(name, sizeof name, "%s/value", scree_trajectory_columns[column].path);
    if (part->n == 0) return true;
    hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    if (set < 0) return false;
    hid_t in_file = H5Dget_space(set), in_memory = H5Screate_simple(deep ? 3 : 2, count, NULL);
    bool good = H5Sselect_hyperslab(in_file, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
                H5Dread(set, native, in_memory, in_file, H5P_DEFAULT, values) >= 0;
    H5Sclose(in_memory);
    H5Sclose(in_file);
    H5Dclose(set);
    return good;
}

static enum scree_status read_columns(const char *path, hid_t file,
                                      const struct scree_trajectory_summary *s, int64_t frame,
                                      int64_t first, struct scree_state_rows *rows,
                                      unsigned *fields)
{
    const struct scree_trajectory_part part = {frame, first, rows->n};
    for (int64_t i = 0; i < rows->n; i++) rows->species[i] = 1;
    for (int k = 0; k < SCREE_COLUMN_FIRST_CONTACT; k++) {
        const struct scree_trajectory_column *column = &scree_trajectory_columns[k];
        if (!scree_trajectory_has(s, k) || column->state_field < 0) continue;
        void *values = scree_state_column(rows, &scree_state_fields[column->state_field]);
        SCREE_CHECK(scree_trajectory_read_rows(file, k, column->width,
                                               scree_hdf5_native(column->type), &part, values),
                    SCREE_IO, "%s: /%s of frame %lld cannot be read: damaged or cut short", path,
                    column->path, (long long)frame);
        *fields |= 1u << column->state_field;
    }
    for (int64_t i = 0; i < rows->n; i++)
        SCREE_CHECK(rows->id[i] >= 1 && isfinite(rows->position[i][0]) &&
                        isfinite(rows->position[i][1]) && isfinite(rows->position[i][2]),
                    SCREE_IO, "%s: frame %lld has an impossible id or position: damaged", path,
                    (long long)frame);
    return SCREE_OK;
}

static bool read_frame_header(hid_t file, const struct scree_trajectory_summary *s, int64_t frame,
                              struct scree_state_header *h)
{
    const hid_t whole = H5T_NATIVE_INT64, real = H5T_NATIVE_DOUBLE;
    double edges[1][3][3] = {0};
    memset(h, 0, sizeof *h);
    memcpy(h->title, s->title, sizeof h->title);
    memcpy(h->periodic, s->periodic, sizeof h->periodic);
    bool good = scree_trajectory_read_series(file, "particles/grains/position/step", whole, frame,
                                             1, 1, &h->step) &&
                scree_trajectory_read_series(file, "particles/grains/position/time", real, frame, 1,
                                             1, &h->time) &&
                scree_trajectory_read_edges(file, frame, 1, edges) &&
                scree_trajectory_read_series(file, "particles/grains/box/offset/value", real, frame,
                                             1, 3, h->low);
    for (int a = 0; a < 3; a++) h->high[a] = h->low[a] + edges[0][a][a];
    h->tilt[0] = edges[0][1][0];
    h->tilt[1] = edges[0][2][0];
    h->tilt[2] = edges[0][2][1];
    return good;
}

static enum scree_status read_frame(const char *path, hid_t file, double n_bytes, int64_t frame,
                                    int part, int n_parts, struct scree_state_header *header,
                                    struct scree_state_rows *rows, unsigned *fields)
{
    struct scree_trajectory_summary s;
    int64_t n = 0, first;
    SCREE_TRY(scree_trajectory_inspect_file(path, file, n_bytes, &s));
    SCREE_CHECK(s.frames > 0, SCREE_IO, "%s: no complete frame", path);
    SCREE_CHECK(frame < s.frames && frame >= -1, SCREE_IO,
                "%s: no frame %lld; there are %lld, from 0 to %lld", path, (long long)frame,
                (long long)s.frames, (long long)s.frames - 1);
    if (frame == -1) frame = s.frames - 1;
    bool good = read_frame_header(file, &s, frame, header) &&
                scree_trajectory_read_series(file, "observables/grain_count/value",
                                             H5T_NATIVE_INT64, frame, 1, 1, &n);
    SCREE_CHECK(good && n >= 0 && n <= s.n_rows[0], SCREE_IO,
                "%s: step, time, box or grain_count of frame %lld is damaged", path,
                (long long)frame);
    scree_state_rows_init(rows, share(n, part, n_parts, &first));
    return read_columns(path, file, &s, frame, first, rows, fields);
}

enum scree_status scree_reader_read(const char *path, int64_t frame, int part, int n_parts,
                                    struct scree_state_header *header,
                                    struct scree_state_rows *rows, unsigned *fields)
{
    hid_t file;
    double n_bytes;
    *rows = (struct scree_state_rows){0};
    *fields = 0;
    SCREE_TRY(scree_hdf5_open(path, &file, &n_bytes));
    enum scree_status status = SCREE_OK;
    if (scree_trajectory_is(file)) {
        status = read_frame(path, file, n_bytes, frame, part, n_parts, header, rows, fields);
    } else if (frame > 0) {
        status = SCREE_FAIL(SCREE_IO, "%s: no frame %lld: a state file has one, frame 0", path,
                            (long long)frame);
    } else {
        *fields = SCREE_READER_ALL;
        status = read_state(path, file, part, n_parts, header, rows);
    }
    H5Fclose(file);
    if (status != SCREE_OK) scree_state_rows_clear(rows);
    return status;
}
