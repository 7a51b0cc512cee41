/* SPDX-License-Identifier: BSD-3-Clause
 * Grains as text in the formats of others. */
#ifndef SCREE_EXPORT_H
#define SCREE_EXPORT_H

#include <stdio.h>

#include "scree/reader.h"

/* A format: the ending of its files, and how one frame is written; `fields` as in reader.h: what is
 * not there is left out. Numbers are written so that they read back to the same bits. */
struct scree_export_format {
    const char *ending;
    bool series; /* several frames fit into a file */
    void (*write)(FILE *out, const struct scree_state_header *header,
                  const struct scree_state_rows *rows, unsigned fields);
};

/* By the ending of the path; NULL if there is none. */
const struct scree_export_format *scree_export_find(const char *path);

#endif
