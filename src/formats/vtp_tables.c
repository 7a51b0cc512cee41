/* SPDX-License-Identifier: BSD-3-Clause
 * Grains and contacts of a frame as points and lines of VTK. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scree/alloc.h"
#include "scree/export_vtp.h"
#include "scree/vec.h"

static const struct scree_reader_column *find_column(const struct scree_reader_table *table,
                                                     const char *name)
{
    for (int k = 0; k < table->n_columns; k++)
        if (strcmp(table->column[k].name, name) == 0) return &table->column[k];
    return NULL;
}

void scree_vtp_write_grains(FILE *out, const struct scree_state_header *header,
                            const struct scree_reader_table *grains)
{
    struct scree_vtp vtp = {.time = header->time,
                            .cells = SCREE_VTP_POINTS,
                            .n_points = grains->n,
                            .n_cells = grains->n};
    int64_t *id = scree_alloc((size_t)grains->n, sizeof *id);
    for (int64_t i = 0; i < grains->n; i++) id[i] = grains->key[i][0];
    vtp.of_points[vtp.n_of_points++] = (struct scree_vtp_array){"id", 1, .integer = id};
    for (int k = 0; k < grains->n_columns; k++) {
        const struct scree_reader_column *c = &grains->column[k];
        if (strcmp(c->name, "position") == 0)
            vtp.point = (double(*)[3])c->value;
        else
            vtp.of_points[vtp.n_of_points++] =
                (struct scree_vtp_array){c->name, c->width, .real = c->value};
    }
    scree_vtp_write(out, &vtp);
    scree_alloc_free(id);
}

/* Lines under way. */
struct lines {
    const struct scree_state_header *header;
    const struct scree_reader_table *grains, *contacts;
    const double (*position)[3], *radius, *overlap, (*force)[3];
    int64_t (*by_id)[2]; /* id and row of all grains, sorted; owned, as are the others */
    double (*point)[3];  /* two for each line */
    int64_t *row;        /* of the contact, for each line */
    bool *through;
    int64_t n;
};

static int compare_id(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static void sort_grains(struct lines *l)
{
    l->by_id = scree_alloc((size_t)l->grains->n, sizeof *l->by_id);
    for (int64_t i = 0; i < l->grains->n; i++) {
        l->by_id[i][0] = l->grains->key[i][0];
        l->by_id[i][1] = i;
    }
    qsort(l->by_id, (size_t)l->grains->n, sizeof *l->by_id, compare_id);
}

static int64_t find_grain(const struct lines *l, int64_t id)
{
    const int64_t *found =
        bsearch(&id, l->by_id, (size_t)l->grains->n, sizeof *l->by_id, compare_id);
    return found != NULL ? found[1] : -1;
}

static void add_line(struct lines *l, int64_t contact, const double from[3], const double way[3],
                     double share, bool through)
{
    for (int k = 0; k < 3; k++) {
        l->point[2 * l->n][k] = from[k];
        l->point[2 * l->n + 1][k] = from[k] + share * way[k];
    }
    l->row[l->n] = contact;
    l->through[l->n++] = through;
}

/* From a grain to the surface, along the line of the force. */
static void add_stub(struct lines *l, int64_t contact, int64_t i, double sign, bool through)
{
    double way[3], size = 0.0, length = l->radius[i];
    if (l->force != NULL) size = scree_vec_norm(l->force[contact]);
    if (l->overlap != NULL) length -= (through ? 0.5 : 1.0) * l->overlap[contact];
    for (int k = 0; k < 3; k++)
        way[k] = size > 0.0 ? -sign * length * l->force[contact][k] / size : 0.0;
    add_line(l, contact, l->position[i], way, 1.0, through);
}

/* In units of the edges of the box, of a way or (with the corner taken off) of a place. */
static void find_share(const struct scree_state_header *h, const double x[3], double share[3])
{
    double rest[3] = {x[0], x[1], x[2]};
    share[2] = rest[2] / (h->high[2] - h->low[2]);
    rest[0] -= share[2] * h->tilt[1];
    rest[1] -= share[2] * h->tilt[2];
    share[1] = rest[1] / (h->high[1] - h->low[1]);
    rest[0] -= share[1] * h->tilt[0];
    share[0] = rest[0] / (h->high[0] - h->low[0]);
}

/* The shortest way between two images; false: as it is in the box. */
static bool find_way(const struct scree_state_header *h, const double from[3], const double to[3],
                     double way[3])
{
    double share[3];
    bool through = false;
    for (int k = 0; k < 3; k++) way[k] = to[k] - from[k];
    for (int a = 2; a >= 0; a--) {
        find_share(h, way, share);
        double periods = h->periodic[a] ? nearbyint(share[a]) : 0.0;
        way[a] -= periods * (h->high[a] - h->low[a]);
        if (a == 2) {
            way[0] -= periods * h->tilt[1];
            way[1] -= periods * h->tilt[2];
        } else if (a == 1) {
            way[0] -= periods * h->tilt[0];
        }
        through = through || periods != 0.0;
    }
    return through;
}

/* The part of a way from a place in the box that is within its periodic faces. */
static double share_within(const struct scree_state_header *h, const double from[3],
                           const double way[3])
{
    double place[3], begin[3], step[3], within = 1.0;
    for (int k = 0; k < 3; k++) place[k] = from[k] - h->low[k];
    find_share(h, place, begin);
    find_share(h, way, step);
    for (int a = 0; a < 3; a++) {
        double face = step[a] > 0.0 ? 1.0 : 0.0;
        if (!h->periodic[a] || begin[a] + step[a] == fmin(1.0, fmax(0.0, begin[a] + step[a])))
            continue;
        within = fmin(within, fmax(0.0, (face - begin[a]) / step[a]));
    }
    return within;
}

static void add_contact(struct lines *l, int64_t c)
{
    int64_t i = find_grain(l, l->contacts->key[c][0]), j = l->contacts->key[c][1];
    double way[3], back[3];
    if (i < 0) return;
    if (j < 0) {
        add_stub(l, c, i, 1.0, false);
        return;
    }
    j = find_grain(l, j);
    if (j < 0) return;
    bool through = find_way(l->header, l->position[i], l->position[j], way);
    double overlap = l->overlap != NULL ? l->overlap[c] : 0.0;
    double reach = l->radius[i] + l->radius[j] - overlap;
    if (scree_vec_norm(way) > 1.01 * reach) { /* not here, but in a turned sector */
        add_stub(l, c, i, 1.0, true);
        return;
    }
    for (int k = 0; k < 3; k++) back[k] = -way[k];
    if (!through) {
        add_line(l, c, l->position[i], way, 1.0, false);
        return;
    }
    add_line(l, c, l->position[i], way, share_within(l->header, l->position[i], way), true);
    add_line(l, c, l->position[j], back, share_within(l->header, l->position[j], back), true);
}

/* Rows of a column as the lines have them. */
static double *spread(const struct lines *l, const struct scree_reader_column *column)
{
    const int w = column->width;
    double *values = scree_alloc((size_t)(l->n * w), sizeof *values);
    for (int64_t k = 0; k < l->n; k++)
        memcpy(values + k * w, column->value + l->row[k] * w, (size_t)w * sizeof *values);
    return values;
}

static void write_lines(FILE *out, const struct lines *l)
{
    struct scree_vtp vtp = {.time = l->header->time,
                            .cells = SCREE_VTP_LINES,
                            .n_points = 2 * l->n,
                            .n_cells = l->n,
                            .point = l->point};
    double *values[SCREE_READER_COLUMNS];
    int64_t *pair = scree_alloc(2 * (size_t)l->n, sizeof *pair),
            *through = scree_alloc((size_t)l->n, sizeof *through);
    for (int64_t k = 0; k < l->n; k++) {
        memcpy(pair + 2 * k, l->contacts->key[l->row[k]], 2 * sizeof *pair);
        through[k] = l->through[k];
    }
    vtp.of_cells[vtp.n_of_cells++] = (struct scree_vtp_array){"pair", 2, .integer = pair};
    vtp.of_cells[vtp.n_of_cells++] =
        (struct scree_vtp_array){"through_face", 1, .integer = through};
    for (int k = 0; k < l->contacts->n_columns; k++) {
        const struct scree_reader_column *c = &l->contacts->column[k];
        values[k] = spread(l, c);
        vtp.of_cells[vtp.n_of_cells++] =
            (struct scree_vtp_array){c->name, c->width, .real = values[k]};
    }
    scree_vtp_write(out, &vtp);
    for (int k = 0; k < l->contacts->n_columns; k++) scree_alloc_free(values[k]);
    scree_alloc_free(pair);
    scree_alloc_free(through);
}

bool scree_vtp_write_contacts(FILE *out, const struct scree_state_header *header,
                              const struct scree_reader_table table[SCREE_READER_TABLES])
{
    const struct scree_reader_table *grains = &table[SCREE_READER_GRAINS],
                                    *contacts = &table[SCREE_READER_CONTACTS];
    const struct scree_reader_column *position = find_column(grains, "position"),
                                     *radius = find_column(grains, "radius"),
                                     *overlap = find_column(contacts, "overlap"),
                                     *force = find_column(contacts, "contact_force");
    if (!contacts->there || position == NULL || radius == NULL) return false;
    struct lines l = {.header = header,
                      .grains = grains,
                      .contacts = contacts,
                      .position = (const double(*)[3])position->value,
                      .radius = radius->value};
    if (overlap != NULL) l.overlap = overlap->value;
    if (force != NULL) l.force = (const double(*)[3])force->value;
    size_t most = 2 * (size_t)contacts->n;
    l.point = scree_alloc(2 * most, sizeof *l.point);
    l.row = scree_alloc(most, sizeof *l.row);
    l.through = scree_alloc(most, sizeof *l.through);
    sort_grains(&l);
    for (int64_t c = 0; c < contacts->n; c++) add_contact(&l, c);
    write_lines(out, &l);
    scree_alloc_free(l.by_id);
    scree_alloc_free(l.point);
    scree_alloc_free(l.row);
    scree_alloc_free(l.through);
    return true;
}

void scree_vtp_write_walls(FILE *out, double time, int64_t n, double (*corner)[3][3],
                           const int64_t *wall)
{
    struct scree_vtp vtp = {.time = time,
                            .cells = SCREE_VTP_TRIANGLES,
                            .n_points = 3 * n,
                            .n_cells = n,
                            .point = n > 0 ? corner[0] : NULL,
                            .of_cells = {{"wall", 1, .integer = wall}},
                            .n_of_cells = 1};
    scree_vtp_write(out, &vtp);
}
