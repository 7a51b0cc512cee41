/* SPDX-License-Identifier: BSD-3-Clause
 * Grains given one by one. Private to samples. */
#ifndef SCREE_LIST_TABLE_H
#define SCREE_LIST_TABLE_H

#include "samples_impl.h"

struct scree_list_grain {
    double pos[4];                 /* m; the last one is the radius */
    double velocity[3];            /* m/s */
    double spin[3];                /* rad/s */
    int species;                   /* -1: not known */
    int line;                      /* of a file */
    const struct scree_node *node; /* in the input, or NULL */
};

struct scree_list_table {
    struct scree_list_grain *grain; /* owned */
    size_t n, capacity;
};

/* What a file need not say. */
struct scree_list_defaults {
    double radius; /* m; NAN: none */
    int species;   /* -1: none */
};

/* Rows of a CSV file; `tell` gets every mistake with its line (0: the file as a whole). */
typedef void scree_list_teller(void *context, int line, const char *message);
void scree_list_read_csv(struct scree_list_table *table, const char *path,
                         const struct scree_list_defaults *defaults, const char *const *materials,
                         int dimension, scree_list_teller *tell, void *context);
void scree_list_clear(struct scree_list_table *table);

#endif
