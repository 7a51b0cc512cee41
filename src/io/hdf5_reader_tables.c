/* SPDX-License-Identifier: BSD-3-Clause
 * One frame of a file as tables, with every column it has. */
#include <string.h>

#include "hdf5_state_impl.h"
#include "scree/alloc.h"
#include "scree/hdf5_trajectory.h"
#include "scree/reader.h"

static double *add_column(struct scree_reader_table *table, int column, int width)
{
    const struct scree_trajectory_column *c = &scree_trajectory_columns[column];
    struct scree_reader_column *to = &table->column[table->n_columns++];
    SCREE_ASSERT(table->n_columns <= SCREE_READER_COLUMNS);
    *to = (struct scree_reader_column){
        .name = strrchr(c->path, '/') + 1,
        .unit = c->unit,
        .width = width,
        .value = scree_alloc((size_t)table->n * (size_t)width, sizeof(double))};
    return to->value;
}

/* What state files and trajectories have in common. */
static void add_rows(struct scree_reader_table *table, const struct scree_state_rows *rows,
                     unsigned fields)
{
    *table = (struct scree_reader_table){.there = true, .n = rows->n};
    table->key = scree_alloc((size_t)rows->n, sizeof *table->key);
    for (int64_t i = 0; i < rows->n; i++) {
        table->key[i][0] = rows->id[i];
        table->key[i][1] = 0;
    }
    for (int k = 0; k < SCREE_COLUMN_FIRST_CONTACT; k++) {
        int field = scree_trajectory_columns[k].state_field;
        if (k == SCREE_COLUMN_ID || field < 0 || (fields >> field & 1u) == 0) continue;
        const void *from = scree_state_column(rows, &scree_state_fields[field]);
        int width = scree_trajectory_columns[k].width;
        double *to = add_column(table, k, width);
        for (int64_t i = 0; i < rows->n * width; i++)
            to[i] = scree_trajectory_columns[k].type == SCREE_HDF5_REAL
                        ? ((const double *)from)[i]
                        : (double)((const int32_t *)from)[i];
    }
}

/* Columns [from, to) that state files do not have; HDF5 turns all numbers into doubles. */
static bool add_columns(hid_t file, const struct scree_trajectory_summary *s, int64_t frame,
                        int from, int to, struct scree_reader_table *table)
{
    const struct scree_trajectory_part part = {frame, 0, table->n};
    bool good = true;
    for (int k = from; k < to; k++) {
        if (!scree_trajectory_has(s, k) || scree_trajectory_columns[k].state_field >= 0) continue;
        if (k == SCREE_COLUMN_PAIRS || k == SCREE_COLUMN_ROWS) continue;
        int width = scree_trajectory_width(s, k);
        double *values = add_column(table, k, width);
        good = scree_trajectory_read_rows(file, k, width, H5T_NATIVE_DOUBLE, &part, values) && good;
    }
    return good;
}

static bool read_contacts(hid_t file, const struct scree_trajectory_summary *s, int64_t frame,
                          struct scree_reader_table *table)
{
    if (!scree_trajectory_has(s, SCREE_COLUMN_PAIRS)) return true;
    if (!scree_trajectory_read_series(file, "observables/contact_count/value", H5T_NATIVE_INT64,
                                      frame, 1, 1, &table->n) ||
        table->n < 0 || table->n > s->n_rows[1])
        return false;
    const struct scree_trajectory_part part = {frame, 0, table->n};
    table->there = true;
    table->key = scree_alloc((size_t)table->n, sizeof *table->key);
    return scree_trajectory_read_rows(file, SCREE_COLUMN_PAIRS, 2, H5T_NATIVE_INT64, &part,
                                      table->key) &&
           add_columns(file, s, frame, SCREE_COLUMN_FIRST_CONTACT, SCREE_N_COLUMNS, table);
}

static enum scree_status add_rest(const char *path, int64_t frame, struct scree_reader_table *table)
{
    struct scree_trajectory_summary s;
    hid_t file;
    double n_bytes;
    SCREE_TRY(scree_hdf5_open(path, &file, &n_bytes));
    enum scree_status status = SCREE_OK;
    if (scree_trajectory_is(file)) status = scree_trajectory_inspect_file(path, file, n_bytes, &s);
    if (status == SCREE_OK && scree_trajectory_is(file)) {
        if (frame < 0) frame = s.frames - 1;
        if (!add_columns(file, &s, frame, 0, SCREE_COLUMN_FIRST_CONTACT,
                         &table[SCREE_READER_GRAINS]) ||
            !read_contacts(file, &s, frame, &table[SCREE_READER_CONTACTS]))
            status = SCREE_FAIL(SCREE_IO, "%s: forces or contacts of frame %lld cannot be read",
                                path, (long long)frame);
    }
    H5Fclose(file);
    return status;
}

enum scree_status scree_reader_read_tables(const char *path, int64_t frame,
                                           struct scree_state_header *header,
                                           struct scree_reader_table table[SCREE_READER_TABLES])
{
    struct scree_state_rows rows;
    unsigned fields;
    memset(table, 0, SCREE_READER_TABLES * sizeof *table);
    SCREE_TRY(scree_reader_read(path, frame, 0, 1, header, &rows, &fields));
    add_rows(&table[SCREE_READER_GRAINS], &rows, fields);
    scree_state_rows_clear(&rows);
    return add_rest(path, frame, table);
}

void scree_reader_clear_tables(struct scree_reader_table table[SCREE_READER_TABLES])
{
    for (int t = 0; t < SCREE_READER_TABLES; t++) {
        scree_alloc_free(table[t].key);
        for (int k = 0; k < table[t].n_columns; k++) scree_alloc_free(table[t].column[k].value);
    }
    memset(table, 0, SCREE_READER_TABLES * sizeof *table);
}
