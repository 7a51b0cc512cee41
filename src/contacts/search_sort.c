/* SPDX-License-Identifier: BSD-3-Clause
 * Pairs just found that belong into lists of their own: periodic images, seams of a wedge. */
#include "search.h"

/* An image pair is there twice, seen from either grain: one is enough. */
static bool is_first_sight(const struct scree_search *s, scree_lid i, scree_lid image)
{
    scree_lid origin = s->images.origin[image - s->images.first];
    if (origin != i) return i < origin;
    const int32_t *a = s->p->image[i], *b = s->p->image[image];
    for (int k = 0; k < 3; k++)
        if (a[k] != b[k]) return a[k] > b[k];
    return false;
}

void scree_search_sort_out_images(struct scree_search *s, scree_lid i)
{
    struct scree_pairs *border = &s->list->border, *image = &s->list->image;
    size_t n = border->start[i];
    scree_search_reserve(image, border->n - n);
    for (size_t k = n; k < border->n; k++) {
        scree_lid ghost = border->partner[k];
        if (ghost < s->images.first)
            border->partner[n++] = ghost;
        else if (is_first_sight(s, i, ghost))
            image->partner[image->n++] = ghost;
    }
    border->n = n;
    border->start[i + 1] = (uint32_t)n;
    image->start[i + 1] = (uint32_t)image->n;
}

static bool is_seam(const struct scree_search *s, scree_lid i, scree_lid j)
{
    return scree_wedge_between(s->wedge, s->p->image[i], s->p->image[j]) != 0;
}

/* Move the seam pairs of the last row of one list to another. */
static void sort_out_row(const struct scree_search *s, scree_lid i, struct scree_pairs *from,
                         struct scree_pairs *to)
{
    size_t n = from->start[i];
    scree_search_reserve(to, from->n - n);
    for (size_t k = n; k < from->n; k++) {
        scree_lid j = from->partner[k];
        if (is_seam(s, i, j))
            to->partner[to->n++] = j;
        else
            from->partner[n++] = j;
    }
    from->n = n;
    from->start[i + 1] = (uint32_t)n;
}

void scree_search_sort_out_seams(struct scree_search *s, scree_lid i)
{
    struct scree_neighbours *list = s->list;
    sort_out_row(s, i, &list->interior, &list->seam);
    sort_out_row(s, i, &list->image, &list->seam);
    sort_out_row(s, i, &list->border, &list->seam_border);
    list->seam.start[i + 1] = (uint32_t)list->seam.n;
    list->seam_border.start[i + 1] = (uint32_t)list->seam_border.n;
}
