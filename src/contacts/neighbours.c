/* SPDX-License-Identifier: BSD-3-Clause
 * Pair lists from the cell grid. */
#include "scree/neighbours.h"

#include <math.h>
#include <string.h>

#include "scree/alloc.h"
#include "scree/row.h"
#include "search.h"

void scree_neighbours_init(struct scree_neighbours *list, double skin)
{
    memset(list, 0, sizeof *list);
    list->skin = list->search = skin;
}

static void clear_pairs(struct scree_pairs *pairs)
{
    scree_alloc_free(pairs->start);
    scree_alloc_free(pairs->partner);
    memset(pairs, 0, sizeof *pairs);
}

void scree_neighbours_clear(struct scree_neighbours *list)
{
    clear_pairs(&list->interior);
    clear_pairs(&list->image);
    clear_pairs(&list->border);
    clear_pairs(&list->seam);
    clear_pairs(&list->seam_border);
}

static void reset_pairs(struct scree_pairs *pairs, size_t n_rows)
{
    if (n_rows + 1 > pairs->row_capacity) {
        scree_alloc_free(pairs->start);
        pairs->row_capacity = n_rows + n_rows / 8 + 64;
        pairs->start = scree_alloc(pairs->row_capacity, sizeof *pairs->start);
    }
    pairs->n = 0;
    pairs->n_rows = n_rows;
    pairs->start[0] = 0;
}

/* Cells with consecutive numbers: their grains stand together too. */
struct run {
    int32_t first, end;
};

struct search {
    const struct scree_cells *cells;
    const struct scree_particles *p;
    struct scree_neighbours *list;
    struct scree_images images;
    const struct scree_wedge *wedge; /* NULL: none */
    int level;                       /* of the present cell */
    struct run around[27]; /* cells around the present one; the first n_after come after it */
    int n_around, n_after;
    struct run coarse[SCREE_SEARCH_COARSE]; /* cells of larger grains around the present grain */
    int n_coarse;
    scree_lid *candidate; /* grains in the cells after the present one; one row of four to spare */
    size_t n_candidates, candidate_capacity;
    struct scree_finer finer;
};

/* The cells `low` to `high` of a line along x, in one run per tile. */
static void add_line(struct search *s, int low, int high, int y, int z)
{
    const struct scree_level *level = &s->cells->level[s->level];
    const int *n = level->n, shift = level->tile_shift[0];
    if (y < 0 || z < 0 || y >= n[1] || z >= n[2]) return;
    low = low < 0 ? 0 : low;
    high = high < n[0] ? high : n[0] - 1;
    while (low <= high) {
        int last = (((low >> shift) + 1) << shift) - 1; /* of the tile */
        last = last < high ? last : high;
        int32_t first = scree_level_cell(level, low, y, z);
        s->around[s->n_around++] = (struct run){first, first + (last - low) + 1};
        low = last + 1;
    }
}

/* The cells around (x, y, z): those after it in the order z, y, x first, then itself, then the
 * rest. Interior pairs look only forward, so that each is found once. */
static void list_around(struct search *s, int x, int y, int z)
{
    s->n_around = 0;
    add_line(s, x + 1, x + 1, y, z);
    add_line(s, x - 1, x + 1, y + 1, z);
    for (int dy = -1; dy <= 1; dy++) add_line(s, x - 1, x + 1, y + dy, z + 1);
    s->n_after = s->n_around;
    add_line(s, x - 1, x, y, z);
    add_line(s, x - 1, x + 1, y - 1, z);
    for (int dy = -1; dy <= 1; dy++) add_line(s, x - 1, x + 1, y + dy, z - 1);
}

static size_t count_in(const int32_t *start, const struct run *run, int n_runs)
{
    size_t n = 0;
    for (int k = 0; k < n_runs; k++) n += (size_t)(start[run[k].end] - start[run[k].first]);
    return n;
}

/* Once per cell. Runs are short: four grains are written at once, most of them for nothing. */
static void list_candidates(struct search *s)
{
    const int32_t *start = s->cells->owned_start;
    size_t n = 0, most = count_in(start, s->around, s->n_after) + 8;
    SCREE_GROW(s->candidate, 0, s->candidate_capacity, most);
    for (int k = 0; k < s->n_after; k++) {
        scree_lid first = start[s->around[k].first], end = start[s->around[k].end];
        for (scree_lid j = first; j < end; j += 4)
            for (int m = 0; m < 4; m++) s->candidate[n + (size_t)(j - first + m)] = j + m;
        n += (size_t)(end - first);
    }
    for (size_t k = n; k % 4 != 0; k++) s->candidate[k] = s->candidate[n - 1];
    s->n_candidates = n;
}

static size_t append_owned(const struct search *s, scree_lid i, const struct run *run, int n_runs,
                           size_t n)
{
    const int32_t *start = s->cells->owned_start;
    scree_lid *partner = s->list->interior.partner;
    for (int k = 0; k < n_runs; k++)
        for (scree_lid j = start[run[k].first]; j < start[run[k].end]; j++)
            n = scree_search_append(s->p, i, j, s->list->search, partner, n);
    return n;
}

/* The same of candidates, four at a time. */
static size_t append_candidates(const struct search *s, scree_lid i, size_t n)
{
    const double(*pos)[4] = (const double(*)[4])s->p->pos;
    const scree_row here = scree_row_at(pos[i]), sign = {-1.0, -1.0, -1.0, 1.0};
    const double skin = s->list->search;
    scree_lid *partner = s->list->interior.partner;
    for (size_t k = 0; k < s->n_candidates; k += 4) {
        const scree_lid *j = s->candidate + k;
        size_t rest = s->n_candidates - k;
        scree_row d[4];
        for (int m = 0; m < 4; m++) d[m] = here + sign * scree_row_at(pos[j[m]]);
        scree_row_transpose(&d[0], &d[1], &d[2], &d[3]);
        scree_row reach = d[3] + skin;
        scree_row_int close = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] < reach * reach;
        for (size_t m = 0; m < 4; m++) {
            partner[n] = j[m];
            n += (size_t)(close[m] & 1) & (size_t)(m < rest);
        }
    }
    return n;
}

static size_t append_ghosts(const struct search *s, scree_lid i, const struct run *run, int n_runs,
                            size_t n)
{
    const int32_t *start = s->cells->ghost_start;
    const scree_lid *slot = s->cells->ghost_slot;
    scree_lid *partner = s->list->border.partner;
    for (int k = 0; k < n_runs; k++)
        for (int32_t g = start[run[k].first]; g < start[run[k].end]; g++)
            n = scree_search_append(s->p, i, slot[g], s->list->search, partner, n);
    return n;
}

/* Partners in the rest of the own cell, in the cells after it, and among larger grains. */
static void add_interior(struct search *s, scree_lid i, int32_t cell)
{
    struct scree_pairs *pairs = &s->list->interior;
    const int32_t *start = s->cells->owned_start;
    scree_search_reserve(pairs, (size_t)(start[cell + 1] - i) + s->n_candidates +
                                    count_in(start, s->coarse, s->n_coarse) + 1);
    size_t n = pairs->n;
    for (scree_lid j = i + 1; j < start[cell + 1]; j++)
        n = scree_search_append(s->p, i, j, s->list->search, pairs->partner, n);
    if (s->p->vel[i][3] > 0.0)
        n = append_candidates(s, i, n);
    else /* two driven grains are no pair */
        n = append_owned(s, i, s->around, s->n_after, n);
    pairs->n = append_owned(s, i, s->coarse, s->n_coarse, n);
    pairs->start[i + 1] = (uint32_t)pairs->n;
}

/* An image pair is there twice, seen from either grain: one is enough. */
static bool is_first_sight(const struct search *s, scree_lid i, scree_lid image)
{
    scree_lid origin = s->images.origin[image - s->images.first];
    if (origin != i) return i < origin;
    const int32_t *a = s->p->image[i], *b = s->p->image[image];
    for (int k = 0; k < 3; k++)
        if (a[k] != b[k]) return a[k] > b[k];
    return false;
}

/* Move the image pairs of the last row of border pairs to their own list. */
static void sort_out_images(struct search *s, scree_lid i)
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

static bool is_seam(const struct search *s, scree_lid i, scree_lid j)
{
    return scree_wedge_between(s->wedge, s->p->image[i], s->p->image[j]) != 0;
}

/* Move the seam pairs of the last row of one list to another. */
static void sort_out_row(const struct search *s, scree_lid i, struct scree_pairs *from,
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

static void sort_out_seams(struct search *s, scree_lid i)
{
    struct scree_neighbours *list = s->list;
    sort_out_row(s, i, &list->interior, &list->seam);
    sort_out_row(s, i, &list->image, &list->seam);
    sort_out_row(s, i, &list->border, &list->seam_border);
    list->seam.start[i + 1] = (uint32_t)list->seam.n;
    list->seam_border.start[i + 1] = (uint32_t)list->seam_border.n;
}

/* Ghosts in the cells around, among larger grains, and smaller ones that have found this grain. */
static void add_border(struct search *s, scree_lid i)
{
    struct scree_pairs *pairs = &s->list->border;
    const int32_t *start = s->cells->ghost_start;
    const struct scree_finer *finer = &s->finer;
    uint32_t from = i < finer->n_rows ? finer->start[i] : 0;
    uint32_t to = i < finer->n_rows ? finer->start[i + 1] : 0;
    size_t near = count_in(start, s->around, s->n_around);
    scree_search_reserve(pairs, near + count_in(start, s->coarse, s->n_coarse) + (to - from) + 1);
    size_t n = pairs->n;
    if (near > 0) n = append_ghosts(s, i, s->around, s->n_around, n);
    n = append_ghosts(s, i, s->coarse, s->n_coarse, n);
    for (uint32_t k = from; k < to; k++) pairs->partner[n++] = finer->ghost[k];
    pairs->n = n;
    pairs->start[i + 1] = (uint32_t)n;
}

static void list_coarse(struct search *s, scree_lid i)
{
    int32_t cell[SCREE_SEARCH_COARSE];
    s->n_coarse =
        scree_search_coarse_cells(s->cells, s->level, s->p->pos[i], s->list->search, cell);
    for (int k = 0; k < s->n_coarse; k++) s->coarse[k] = (struct run){cell[k], cell[k] + 1};
}

static void search_cell(struct search *s, int x, int y, int z)
{
    int32_t cell = scree_level_cell(&s->cells->level[s->level], x, y, z);
    scree_lid first = s->cells->owned_start[cell], end = s->cells->owned_start[cell + 1];
    if (first == end) return;
    list_around(s, x, y, z);
    list_candidates(s);
    for (scree_lid i = first; i < end; i++) {
        list_coarse(s, i);
        add_interior(s, i, cell);
        add_border(s, i);
        sort_out_images(s, i);
        if (s->wedge != NULL) sort_out_seams(s, i);
    }
}

static void search_tile(struct search *s, int32_t tile)
{
    const struct scree_level *level = &s->cells->level[s->level];
    int at[3] = {tile % level->n_tiles[0], tile / level->n_tiles[0] % level->n_tiles[1],
                 tile / level->n_tiles[0] / level->n_tiles[1]};
    int from[3], to[3];
    for (int a = 0; a < 3; a++) {
        from[a] = at[a] << level->tile_shift[a];
        to[a] = (at[a] + 1) << level->tile_shift[a];
        if (to[a] > level->n[a]) to[a] = level->n[a];
    }
    for (int z = from[2]; z < to[2]; z++)
        for (int y = from[1]; y < to[1]; y++)
            for (int x = from[0]; x < to[0]; x++) search_cell(s, x, y, z);
}

/* Cells in the order of their numbers: rows must be filled in slot order. */
static void search_all(struct search *s)
{
    for (s->level = 0; s->level < s->cells->n_levels; s->level++) {
        const struct scree_level *level = &s->cells->level[s->level];
        int32_t n_tiles = level->n_tiles[0] * level->n_tiles[1] * level->n_tiles[2];
        for (int32_t rank = 0; rank < n_tiles; rank++) search_tile(s, level->tile_order[rank]);
    }
}

void scree_neighbours_build(struct scree_neighbours *list, const struct scree_cells *cells,
                            struct scree_particles *p, struct scree_images images,
                            const struct scree_wedge *wedge)
{
    reset_pairs(&list->interior, (size_t)p->n_owned);
    reset_pairs(&list->image, (size_t)p->n_owned);
    reset_pairs(&list->border, (size_t)p->n_owned);
    reset_pairs(&list->seam, wedge != NULL ? (size_t)p->n_owned : 0);
    reset_pairs(&list->seam_border, wedge != NULL ? (size_t)p->n_owned : 0);
    struct search search = {.cells = cells, .p = p, .list = list, .images = images, .wedge = wedge};
    scree_search_find_finer(&search.finer, cells, p, list->search);
    search_all(&search);
    scree_search_clear_finer(&search.finer);
    scree_alloc_free(search.candidate);
    for (scree_lid i = 0; i < p->n_owned; i++)
        for (int a = 0; a < 3; a++) p->listed[i][a] = p->pos[i][a];
}

static void tighten(struct scree_pairs *pairs, const struct scree_cell *cell,
                    const struct scree_particles *p, double skin)
{
    size_t n = 0;
    uint32_t first = 0;
    for (size_t i = 0; i < pairs->n_rows; i++) {
        uint32_t end = pairs->start[i + 1];
        for (uint32_t k = first; k < end; k++) {
            scree_lid j = pairs->partner[k];
            pairs->partner[n] = j;
            n += scree_cell_closer(cell, p->pos[i], p->pos[j], skin);
        }
        first = end;
        pairs->start[i + 1] = (uint32_t)n;
    }
    pairs->n = n;
}

void scree_neighbours_tighten(struct scree_neighbours *list, const struct scree_cell *cell,
                              const struct scree_particles *p)
{
    tighten(&list->interior, cell, p, list->skin);
    tighten(&list->image, cell, p, list->skin);
    tighten(&list->border, cell, p, list->skin);
}

void scree_neighbours_moved(const struct scree_particles *p, double farthest[2], scree_lid *slot)
{
    double first = 0.0, second = 0.0;
    *slot = -1;
    for (scree_lid i = 0; i < p->n_owned; i++) {
        double dx = p->pos[i][0] - p->listed[i][0];
        double dy = p->pos[i][1] - p->listed[i][1];
        double dz = p->pos[i][2] - p->listed[i][2];
        double d2 = dx * dx + dy * dy + dz * dz;
        if (d2 > first) {
            second = first;
            first = d2;
            *slot = i;
        } else if (d2 > second) {
            second = d2;
        }
    }
    farthest[0] = sqrt(first);
    farthest[1] = sqrt(second);
}
