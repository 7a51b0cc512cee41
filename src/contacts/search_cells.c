/* SPDX-License-Identifier: BSD-3-Clause
 * The search for pairs, cell by cell. */
#include "scree/alloc.h"
#include "scree/row.h"
#include "search.h"

/* The cells `low` to `high` of a line along x, in one run per tile. */
static void add_line(struct scree_search *s, int low, int high, int y, int z)
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
        s->around[s->n_around++] = (struct scree_search_run){first, first + (last - low) + 1};
        low = last + 1;
    }
}

/* The cells around (x, y, z): those after it in the order z, y, x first, then itself, then the
 * rest. Interior pairs look only forward, so that each is found once. */
static void list_around(struct scree_search *s, int x, int y, int z)
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

static size_t count_in(const int32_t *start, const struct scree_search_run *run, int n_runs)
{
    size_t n = 0;
    for (int k = 0; k < n_runs; k++) n += (size_t)(start[run[k].end] - start[run[k].first]);
    return n;
}

/* Once per cell. Runs are short: four grains are written at once, most of them for nothing. */
static void list_candidates(struct scree_search *s)
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

static size_t append_owned(const struct scree_search *s, scree_lid i,
                           const struct scree_search_run *run, int n_runs, size_t n)
{
    const int32_t *start = s->cells->owned_start;
    scree_lid *partner = s->list->interior.partner;
    for (int k = 0; k < n_runs; k++)
        for (scree_lid j = start[run[k].first]; j < start[run[k].end]; j++)
            n = scree_search_append(s->p, i, j, s->list->search, partner, n);
    return n;
}

/* Partners of a mobile grain among the candidates of its cell, four at a time. */
static size_t append_candidates(const struct scree_search *s, scree_lid i, size_t n)
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

static size_t append_ghosts(const struct scree_search *s, scree_lid i,
                            const struct scree_search_run *run, int n_runs, size_t n)
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
static void add_interior(struct scree_search *s, scree_lid i, int32_t cell)
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

/* Ghosts in the cells around, among larger grains, and smaller ones that have found this grain. */
static void add_border(struct scree_search *s, scree_lid i)
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

static void list_coarse(struct scree_search *s, scree_lid i)
{
    int32_t cell[SCREE_SEARCH_COARSE];
    s->n_coarse =
        scree_search_coarse_cells(s->cells, s->level, s->p->pos[i], s->list->search, cell);
    for (int k = 0; k < s->n_coarse; k++)
        s->coarse[k] = (struct scree_search_run){cell[k], cell[k] + 1};
}

static void search_cell(struct scree_search *s, int x, int y, int z)
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
        scree_search_sort_out_images(s, i);
        if (s->wedge != NULL) scree_search_sort_out_seams(s, i);
    }
}

static void search_tile(struct scree_search *s, int32_t tile)
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

void scree_search_all(struct scree_search *s)
{
    for (s->level = 0; s->level < s->cells->n_levels; s->level++) {
        const struct scree_level *level = &s->cells->level[s->level];
        int32_t n_tiles = level->n_tiles[0] * level->n_tiles[1] * level->n_tiles[2];
        for (int32_t rank = 0; rank < n_tiles; rank++) search_tile(s, level->tile_order[rank]);
    }
}
