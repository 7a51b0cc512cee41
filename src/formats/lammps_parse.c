/* SPDX-License-Identifier: BSD-3-Clause
 * LAMMPS data files of `atom_style sphere` (LAMMPS manual, command read_data): a title line, header
 * lines "number keyword", then sections of one line per atom, in any order. */
#include "lammps_parse.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scree/alloc.h"

static const int64_t most_id = ((int64_t)1 << 44) - 1; /* as gids (rng.h) */

static enum scree_status read_bounds(struct scree_lammps_text *d, int a)
{
    static const char *const names[3][2] = {{"xlo", "xhi"}, {"ylo", "yhi"}, {"zlo", "zhi"}};
    double *low = &d->header->low[a], *high = &d->header->high[a];
    SCREE_TRY(scree_lammps_real(&d->lines, 0, names[a][0], low));
    SCREE_TRY(scree_lammps_real(&d->lines, 1, names[a][1], high));
    if (d->has_bounds[a])
        return SCREE_LAMMPS_BAD(&d->lines, "'%s %s' was given before", names[a][0], names[a][1]);
    if (!(*low < *high))
        return SCREE_LAMMPS_BAD(&d->lines, "%s = %g is not below %s = %g", names[a][0], *low,
                                names[a][1], *high);
    d->has_bounds[a] = true;
    return SCREE_OK;
}

/* Does the line read: n_numbers words, then these? */
static bool header_is(const struct scree_lammps_lines *lines, int n_numbers, const char *first,
                      const char *second)
{
    int n = n_numbers + (second == NULL ? 1 : 2);
    return lines->n_words == n && strcmp(lines->word[n_numbers], first) == 0 &&
           (second == NULL || strcmp(lines->word[n_numbers + 1], second) == 0);
}

static enum scree_status read_header_line(struct scree_lammps_text *d)
{
    struct scree_lammps_lines *l = &d->lines;
    /* No atom fits in less than "1 1 1 1 0 0 0": a damaged count must not ask for all memory. */
    int64_t most_atoms = (int64_t)(l->size / 13);
    if (header_is(l, 1, "atoms", NULL))
        return scree_lammps_integer(l, 0, "number of atoms", 0, most_atoms, &d->n_atoms);
    if (header_is(l, 1, "atom", "types"))
        return scree_lammps_integer(l, 0, "number of atom types", 1, INT32_MAX, &d->n_types);
    if (header_is(l, 2, "xlo", "xhi")) return read_bounds(d, 0);
    if (header_is(l, 2, "ylo", "yhi")) return read_bounds(d, 1);
    if (header_is(l, 2, "zlo", "zhi")) return read_bounds(d, 2);
    if (l->n_words == 6 && strcmp(l->word[3], "xy") == 0)
        return SCREE_LAMMPS_BAD(l,
                                "tilted box ('%s xz yz'): only boxes with right angles can be "
                                "read",
                                l->word[3]);
    return SCREE_LAMMPS_BAD(l,
                            "expected 'N atoms', 'N atom types', 'LOW HIGH xlo xhi' (ylo yhi, "
                            "zlo zhi), 'Atoms' or 'Velocities', got '%s'",
                            scree_lammps_shown(l->word[0]));
}

static enum scree_status check_header(const struct scree_lammps_text *d)
{
    const struct scree_lammps_lines *l = &d->lines;
    if (d->n_atoms < 0) return SCREE_LAMMPS_BAD(l, "%s", "'N atoms' is missing above");
    if (d->n_types < 0) return SCREE_LAMMPS_BAD(l, "%s", "'N atom types' is missing above");
    for (int a = 0; a < 3; a++)
        if (!d->has_bounds[a])
            return SCREE_LAMMPS_BAD(l, "'LOW HIGH %clo %chi' is missing above", "xyz"[a], "xyz"[a]);
    return SCREE_OK;
}

static enum scree_status read_velocity(const struct scree_lammps_lines *l,
                                       struct scree_lammps_entry *e)
{
    static const char *const names[6] = {"vx", "vy", "vz", "wx", "wy", "wz"};
    for (int k = 0; k < 6; k++) SCREE_TRY(scree_lammps_real(l, 1 + k, names[k], &e->value[k]));
    return SCREE_OK;
}

static double sphere_mass(double r, double density)
{
    return 4.0 / 3.0 * acos(-1.0) * (r * r * r) * density;
}

static enum scree_status read_atom(const struct scree_lammps_text *d, struct scree_lammps_entry *e)
{
    static const char *const names[5] = {"diameter", "density", "x", "y", "z"};
    static const char *const images[3] = {"ix", "iy", "iz"};
    const struct scree_lammps_lines *l = &d->lines;
    int64_t value;
    SCREE_TRY(scree_lammps_integer(l, 1, "type", 1, d->n_types, &value));
    e->type = (int32_t)value;
    for (int k = 0; k < 5; k++) SCREE_TRY(scree_lammps_real(l, 2 + k, names[k], &e->value[k]));
    for (int k = 0; k < 2; k++)
        if (!(e->value[k] > 0.0))
            return SCREE_LAMMPS_BAD(l, "%s is %s, allowed > 0", names[k],
                                    scree_lammps_shown(l->word[2 + k]));
    e->mass = sphere_mass(0.5 * e->value[0], e->value[1]);
    if (!(e->mass > 0.0 && isfinite(e->mass)))
        return SCREE_LAMMPS_BAD(l, "diameter and density give a mass of %g", e->mass);
    SCREE_TRY(scree_lammps_check_place(l, d->header, e->value + 2));
    for (int k = 0; k < 3 && l->n_words == 10; k++) {
        SCREE_TRY(scree_lammps_integer(l, 7 + k, images[k], -(1 << 30), 1 << 30, &value));
        e->image[k] = (int32_t)value;
    }
    return SCREE_OK;
}

static enum scree_status read_entry(struct scree_lammps_text *d, struct scree_lammps_section *s,
                                    struct scree_lammps_entry *e)
{
    const struct scree_lammps_lines *l = &d->lines;
    if (l->n_words != s->n_columns && l->n_words != s->n_most)
        return SCREE_LAMMPS_BAD(l, "%s: expected the columns '%s', got %d columns", s->name,
                                s->columns, l->n_words);
    *e = (struct scree_lammps_entry){.line = l->line};
    SCREE_TRY(scree_lammps_integer(l, 0, "id", 1, most_id, &e->id));
    return s == &d->section[SCREE_LAMMPS_ATOMS] ? read_atom(d, e) : read_velocity(l, e);
}

/* By id, then by line. */
static int compare_entry(const void *a, const void *b)
{
    const struct scree_lammps_entry *x = a, *y = b;
    if (x->id != y->id) return x->id < y->id ? -1 : 1;
    return (x->line > y->line) - (x->line < y->line);
}

static struct scree_lammps_section *find_section(struct scree_lammps_text *d)
{
    for (int k = 0; k < SCREE_LAMMPS_N_SECTIONS; k++)
        if (d->lines.n_words == 1 && strcmp(d->lines.word[0], d->section[k].name) == 0)
            return &d->section[k];
    return NULL;
}

static enum scree_status read_section(struct scree_lammps_text *d, struct scree_lammps_section *s)
{
    struct scree_lammps_lines *l = &d->lines;
    SCREE_TRY(check_header(d));
    if (s->n >= 0) return SCREE_LAMMPS_BAD(l, "a second section '%s'", s->name);
    size_t length = strcspn(l->comment, " \t\r");
    if (s == &d->section[SCREE_LAMMPS_ATOMS] && length > 0 &&
        (length != 6 || strncmp(l->comment, "sphere", 6) != 0))
        return SCREE_LAMMPS_BAD(l, "atom style '%s': only 'sphere' can be read",
                                scree_lammps_shown(l->comment));
    s->n = 0;
    s->entry = scree_alloc((size_t)d->n_atoms, sizeof *s->entry);
    while (s->n < d->n_atoms) {
        bool more = scree_lammps_next_words(l);
        if (!more || find_section(d) != NULL)
            return SCREE_LAMMPS_BAD(l, "%s after %lld of %lld lines of '%s'",
                                    more ? "next section" : "unexpected end of file",
                                    (long long)s->n, (long long)d->n_atoms, s->name);
        SCREE_TRY(read_entry(d, s, &s->entry[s->n]));
        s->n++;
    }
    qsort(s->entry, (size_t)s->n, sizeof *s->entry, compare_entry);
    for (int64_t k = 1; k < s->n; k++)
        if (s->entry[k].id == s->entry[k - 1].id)
            return SCREE_FAIL(SCREE_INPUT, "%s:%d: %s: id %lld was given before, in line %d",
                              l->path, s->entry[k].line, s->name, (long long)s->entry[k].id,
                              s->entry[k - 1].line);
    return SCREE_OK;
}

static enum scree_status read_text(struct scree_lammps_text *d)
{
    struct scree_lammps_lines *l = &d->lines;
    const char *title = scree_lammps_next_line(l);
    if (title == NULL) return SCREE_FAIL(SCREE_INPUT, "%s: the file is empty", l->path);
    char *kept = d->header->title;
    snprintf(kept, sizeof d->header->title, "%s", title);
    kept[strcspn(kept, "\r")] = '\0';
    for (char *c = kept; *c != '\0'; c++) /* files of others: no promise of UTF-8 */
        if (*c < ' ' || *c > '~') *c = '?';
    bool in_header = true;
    while (scree_lammps_next_words(l)) {
        struct scree_lammps_section *s = find_section(d);
        if (s == NULL && !in_header)
            return SCREE_LAMMPS_BAD(l,
                                    "expected the section 'Atoms' or 'Velocities' or the end of "
                                    "the file, since all %lld lines are there; got '%s'",
                                    (long long)d->n_atoms, scree_lammps_shown(l->word[0]));
        SCREE_TRY(s == NULL ? read_header_line(d) : read_section(d, s));
        if (s != NULL) in_header = false;
    }
    SCREE_TRY(check_header(d));
    if (d->section[SCREE_LAMMPS_ATOMS].n < 0)
        return SCREE_LAMMPS_BAD(l, "%s", "unexpected end of file: no section 'Atoms'");
    return SCREE_OK;
}

enum scree_status scree_lammps_parse(struct scree_lammps_text *text, const char *path,
                                     struct scree_state_header *header)
{
    *text = (struct scree_lammps_text){
        .n_atoms = -1,
        .n_types = -1,
        .header = header,
        .section = {{"Atoms", "id type diameter density x y z [ix iy iz]", 7, 10, -1, NULL},
                    {"Velocities", "id vx vy vz wx wy wz", 7, 7, -1, NULL}},
    };
    *header = (struct scree_state_header){0};
    SCREE_TRY(scree_lammps_open(&text->lines, path));
    return read_text(text);
}

void scree_lammps_clear(struct scree_lammps_text *text)
{
    for (int k = 0; k < SCREE_LAMMPS_N_SECTIONS; k++) scree_alloc_free(text->section[k].entry);
    scree_lammps_close(&text->lines);
    *text = (struct scree_lammps_text){0};
}

const struct scree_lammps_entry *scree_lammps_find(const struct scree_lammps_section *section,
                                                   int64_t id)
{
    int64_t low = 0, high = section->n;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (section->entry[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < section->n && section->entry[low].id == id ? &section->entry[low] : NULL;
}
