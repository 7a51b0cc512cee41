/* SPDX-License-Identifier: BSD-3-Clause
 * Freed large blocks, kept for the next one of about their size.
 *
 * Pages fresh from the kernel must be cleared before they are used, which takes longer than most of
 * what is then done with them: files are written from buffers that come and go with every frame.
 * The kernel may take the pages of a kept block whenever it needs memory. */
#define _DEFAULT_SOURCE
#include "alloc_spare.h"

#include <stdlib.h>
#include <sys/mman.h>

enum { N_SPARES = 48 };

static struct spare {
    void *block; /* NULL: none */
    size_t bytes;
} spares[N_SPARES];
static size_t kept;
static int oldest; /* the place to be used next */

#if defined(__SANITIZE_ADDRESS__)
static const int keeps = 0; /* use after free is to be found */
#else
static const int keeps = 1;
#endif

static void drop(struct spare *s)
{
    free(s->block);
    kept -= s->bytes;
    *s = (struct spare){0};
}

void *scree_alloc_spare_take(size_t *bytes)
{
    struct spare *best = NULL;
    for (struct spare *s = spares; s < spares + N_SPARES; s++)
        if (s->block != NULL && s->bytes >= *bytes && s->bytes - *bytes <= *bytes / 32 &&
            (best == NULL || s->bytes < best->bytes))
            best = s;
    if (best == NULL) return NULL;
    void *block = best->block;
    *bytes = best->bytes;
    kept -= best->bytes;
    *best = (struct spare){0};
    return block;
}

void scree_alloc_spare_put(void *block, size_t bytes, size_t most)
{
    if (!keeps) {
        free(block);
        return;
    }
    drop(&spares[oldest]);
#ifdef MADV_FREE
    madvise(block, bytes, MADV_FREE);
#endif
    spares[oldest] = (struct spare){block, bytes};
    kept += bytes;
    oldest = (oldest + 1) % N_SPARES;
    for (int k = 0; k < N_SPARES && kept > most; k++) drop(&spares[(oldest + k) % N_SPARES]);
}
