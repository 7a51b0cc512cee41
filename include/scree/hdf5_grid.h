/* SPDX-License-Identifier: BSD-3-Clause
 * Fields on a grid as an HDF5 file: what, on which cells, when, in which units. */
#ifndef SCREE_HDF5_GRID_H
#define SCREE_HDF5_GRID_H

#include <stdint.h>

#include "scree/status.h"

enum { SCREE_GRID_AXES = 3, SCREE_GRID_FIELDS = 16, SCREE_GRID_NUMBERS = 8 };

struct scree_grid_axis {
    const char *name, *unit;
    int n; /* cells */
    double low, high;
};

struct scree_grid_field {
    const char *name, *unit, *description;
    int rank;             /* 0: a number, 1: a vector, 2: a tensor of every cell */
    const double *values; /* cell by cell, the last axis fastest; 3 or 9 numbers for a cell */
};

struct scree_grid_number {
    const char *name;
    double value;
};

/* All borrowed. */
struct scree_grid_file {
    const char *name, *version, *commit;
    const char *input, *effective_input; /* that made the run, as given and with all defaults */
    const char *components;              /* names of those of vectors, such as "x y z" */
    int64_t step;
    double time; /* s */
    int n_axes, n_fields, n_numbers;
    struct scree_grid_axis axis[SCREE_GRID_AXES];
    struct scree_grid_field field[SCREE_GRID_FIELDS];
    struct scree_grid_number number[SCREE_GRID_NUMBERS]; /* further attributes of the file */
};

/* The whole file, under its name once it is on disk. Local. */
enum scree_status scree_hdf5_grid_write(const char *path, const struct scree_grid_file *file);
/* Remove the files FOLDER/NAME.STEP.h5 of later steps, which a resumed run writes anew. Local. */
enum scree_status scree_hdf5_grid_remove_later(const char *folder, const char *name, int64_t step);

#endif
