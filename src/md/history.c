/* SPDX-License-Identifier: BSD-3-Clause
 * Contact history between the rows of the near list and the arrays of a batch. */
#include "evaluation.h"
#include "scree/row.h"

/* History is in rows as long as the laws need, in a batch slot by slot: the first slots four at a
 * time, the remaining 0 to 3 (`tail`, a constant) one by one. Rows of contacts that are fresh, if
 * there are any, are stale and read as 0. The padding reads the last contact again. */
SCREE_SPECIALISED void load_rows(struct scree_md_evaluation *e, const struct scree_md_queue *queue,
                                 const size_t tail, const bool any_fresh)
{
    const uint8_t *fresh = e->md->batch->fresh;
    struct scree_batch *b = &e->md->batch->b;
    const size_t stride = (size_t)e->scene->contacts->stride, whole = stride - tail;
    const double *history = e->near->history;
    const scree_row none = {0.0, 0.0, 0.0, 0.0};
    for (size_t s = 0; s < whole; s += 4)
        for (int k = 0; k < scree_batch_n(b); k += 4) {
            scree_row rows[4];
            for (int m = 0; m < 4; m++) {
                size_t at = queue->near[k + m];
                rows[m] = any_fresh && fresh[k + m] ? none
                                                    : scree_row_anywhere(history + at * stride + s);
            }
            scree_row_transpose(&rows[0], &rows[1], &rows[2], &rows[3]);
            for (int c = 0; c < 4; c++) scree_row_store(&b->history[s + (size_t)c][k], rows[c]);
        }
    for (int k = 0; k < scree_batch_n(b) && tail > 0; k++) {
        size_t at = queue->near[k];
        const double *rest = history + at * stride + whole;
        for (size_t c = 0; c < tail; c++)
            b->history[whole + c][k] = any_fresh && fresh[k] ? 0.0 : rest[c];
    }
}

SCREE_SPECIALISED void store_rows(struct scree_md_evaluation *e, const struct scree_md_queue *queue,
                                  const size_t tail)
{
    const struct scree_batch *b = &e->md->batch->b;
    const size_t stride = (size_t)e->scene->contacts->stride, whole = stride - tail;
    double *history = e->near->history;
    for (size_t s = 0; s < whole; s += 4)
        for (int k = 0; k < scree_batch_n(b); k += 4) {
            scree_row rows[4];
            for (int c = 0; c < 4; c++) rows[c] = scree_row_at(&b->history[s + (size_t)c][k]);
            scree_row_transpose(&rows[0], &rows[1], &rows[2], &rows[3]);
            for (int m = 0; m < 4; m++)
                scree_row_store_anywhere(history + queue->near[k + m] * stride + s, rows[m]);
        }
    for (int k = 0; k < queue->n && tail > 0; k++) {
        double *rest = history + queue->near[k] * stride + whole;
        for (size_t c = 0; c < tail; c++) rest[c] = b->history[whole + c][k];
    }
}

SCREE_SPECIALISED void load(struct scree_md_evaluation *e, const struct scree_md_queue *queue,
                            const bool any_fresh)
{
    switch (e->scene->contacts->stride % 4) {
    case 0: load_rows(e, queue, 0, any_fresh); break;
    case 1: load_rows(e, queue, 1, any_fresh); break;
    case 2: load_rows(e, queue, 2, any_fresh); break;
    default: load_rows(e, queue, 3, any_fresh);
    }
}

void scree_md_load_history(struct scree_md_evaluation *e, const struct scree_md_queue *queue)
{
    if (e->md->batch->any_fresh)
        load(e, queue, true);
    else
        load(e, queue, false);
}

void scree_md_store_history(struct scree_md_evaluation *e, const struct scree_md_queue *queue)
{
    switch (e->scene->contacts->stride % 4) {
    case 0: store_rows(e, queue, 0); break;
    case 1: store_rows(e, queue, 1); break;
    case 2: store_rows(e, queue, 2); break;
    default: store_rows(e, queue, 3);
    }
}
