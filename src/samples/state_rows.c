/* SPDX-License-Identifier: BSD-3-Clause
 * Memory of the rows of a state file. */
#include <string.h>

#include "scree/alloc.h"
#include "scree/samples.h"

static void *zeroed(int64_t n, size_t item_size)
{
    void *memory = scree_alloc((size_t)n, item_size);
    if (n > 0) memset(memory, 0, (size_t)n * item_size);
    return memory;
}

void scree_state_rows_init(struct scree_state_rows *rows, int64_t n)
{
    *rows = (struct scree_state_rows){
        .n = n,
        .id = zeroed(n, sizeof *rows->id),
        .species = zeroed(n, sizeof *rows->species),
        .position = zeroed(n, sizeof *rows->position),
        .velocity = zeroed(n, sizeof *rows->velocity),
        .spin = zeroed(n, sizeof *rows->spin),
        .radius = zeroed(n, sizeof *rows->radius),
        .mass = zeroed(n, sizeof *rows->mass),
        .image = zeroed(n, sizeof *rows->image),
    };
}

void scree_state_rows_clear(struct scree_state_rows *rows)
{
    scree_alloc_free(rows->id);
    scree_alloc_free(rows->species);
    scree_alloc_free(rows->position);
    scree_alloc_free(rows->velocity);
    scree_alloc_free(rows->spin);
    scree_alloc_free(rows->radius);
    scree_alloc_free(rows->mass);
    scree_alloc_free(rows->image);
    *rows = (struct scree_state_rows){0};
}
