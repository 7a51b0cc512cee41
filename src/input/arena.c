/* SPDX-License-Identifier: BSD-3-Clause
 * Memory of an input: handed out in pieces, freed all at once. */
#include <limits.h>
#include <string.h>

#include "input_impl.h"
#include "scree/alloc.h"

enum { CHUNK_BYTES = 16384, PIECE_ALIGNMENT = 16 };

struct scree_chunk {
    struct scree_chunk *next;
    size_t n_used, n_bytes;
    _Alignas(PIECE_ALIGNMENT) unsigned char bytes[];
};

void *scree_input_keep(struct scree_input *input, size_t n_bytes)
{
    size_t padded = (n_bytes + PIECE_ALIGNMENT - 1) / PIECE_ALIGNMENT * PIECE_ALIGNMENT;
    struct scree_chunk *chunk = input->chunks;
    if (chunk == NULL || chunk->n_bytes - chunk->n_used < padded) {
        size_t room = padded > CHUNK_BYTES ? padded : CHUNK_BYTES;
        chunk = scree_alloc(1, sizeof *chunk + room);
        chunk->next = input->chunks;
        chunk->n_used = 0;
        chunk->n_bytes = room;
        input->chunks = chunk;
    }
    void *piece = chunk->bytes + chunk->n_used;
    chunk->n_used += padded;
    memset(piece, 0, padded);
    return piece;
}

char *scree_input_keep_text(struct scree_input *input, const char *text, size_t length)
{
    char *copy = scree_input_keep(input, length + 1);
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

void *scree_input_grow(struct scree_input *input, void *items, int n_items, int *capacity,
                       size_t item_size)
{
    if (n_items < *capacity) return items;
    if (*capacity > INT_MAX / 2) SCREE_ABORT("more than %d items in an input", *capacity);
    *capacity = *capacity == 0 ? 4 : 2 * *capacity;
    void *grown = scree_input_keep(input, (size_t)*capacity * item_size);
    if (n_items > 0) memcpy(grown, items, (size_t)n_items * item_size);
    return grown;
}

void scree_input_release(struct scree_input *input)
{
    while (input->chunks != NULL) {
        struct scree_chunk *next = input->chunks->next;
        scree_alloc_free(input->chunks);
        input->chunks = next;
    }
}
