/* SPDX-License-Identifier: BSD-3-Clause
 * LAMMPS dumps as text (LAMMPS manual, command dump): per frame "ITEM: ..." lines, each followed by
 * its values, at last one line per atom with the columns that "ITEM: ATOMS" names. */
#include "lammps_dump_parse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scree/alloc.h"

static const int64_t most_id = ((int64_t)1 << 44) - 1; /* as gids (rng.h) */

static const char *const names[SCREE_DUMP_N_COLUMNS] = {
    "id",       "type", "ix",      "iy", "iz", "x",  "y",      "z",      "radius",
    "diameter", "mass", "density", "vx", "vy", "vz", "omegax", "omegay", "omegaz"};

static enum scree_status read_box(struct scree_lammps_dump *d)
{
    static const char *const bounds[3] = {"bounds of x", "bounds of y", "bounds of z"};
    struct scree_state_header *h = &d->header;
    SCREE_TRY(scree_lammps_dump_expect_item(d, "BOX BOUNDS"));
    if (d->n_words != 6)
        return SCREE_LAMMPS_BAD(&d->lines, "%s",
                                d->n_words > 6
                                    ? "tilted box: only boxes with right angles can be read"
                                    : "expected 'ITEM: BOX BOUNDS' and three boundary words");
    for (int a = 0; a < 3; a++) h->periodic[a] = strcmp(d->word[3 + a], "pp") == 0;
    for (int a = 0; a < 3; a++) {
        SCREE_TRY(scree_lammps_dump_expect_values(d, 2, bounds[a]));
        SCREE_TRY(scree_lammps_dump_real(d, 0, bounds[a], &h->low[a]));
        SCREE_TRY(scree_lammps_dump_real(d, 1, bounds[a], &h->high[a]));
        if (!(h->low[a] < h->high[a]))
            return SCREE_LAMMPS_BAD(&d->lines, "%s: %g is not below %g", bounds[a], h->low[a],
                                    h->high[a]);
    }
    return SCREE_OK;
}

static bool has_word(const struct scree_lammps_dump *d, const char *word)
{
    for (int k = 2; k < d->n_words && k < SCREE_DUMP_WORDS; k++)
        if (strcmp(d->word[k], word) == 0) return true;
    return false;
}

static enum scree_status check_columns(struct scree_lammps_dump *d)
{
    static const int needed[] = {SCREE_DUMP_ID, SCREE_DUMP_TYPE, SCREE_DUMP_X, SCREE_DUMP_Y,
                                 SCREE_DUMP_Z};
    if (d->place[SCREE_DUMP_X] < 0 &&
        (has_word(d, "xs") || has_word(d, "xu") || has_word(d, "xsu")))
        return SCREE_LAMMPS_BAD(&d->lines,
                                "positions as '%s': only wrapped, unscaled x, y, z can be read; "
                                "write the dump with the columns x y z ix iy iz",
                                has_word(d, "xs")   ? "xs"
                                : has_word(d, "xu") ? "xu"
                                                    : "xsu");
    for (int k = 0; k < 5; k++)
        if (d->place[needed[k]] < 0)
            return SCREE_LAMMPS_BAD(&d->lines, "column '%s' is missing", names[needed[k]]);
    if (d->place[SCREE_DUMP_RADIUS] < 0 && d->place[SCREE_DUMP_DIAMETER] < 0)
        return SCREE_LAMMPS_BAD(&d->lines, "%s", "column 'radius' or 'diameter' is missing");
    if (d->place[SCREE_DUMP_MASS] < 0 && d->place[SCREE_DUMP_DENSITY] < 0)
        return SCREE_LAMMPS_BAD(&d->lines, "%s", "column 'mass' or 'density' is missing");
    return SCREE_OK;
}

static enum scree_status read_columns(struct scree_lammps_dump *d)
{
    SCREE_TRY(scree_lammps_dump_expect_item(d, "ATOMS"));
    if (d->n_words > SCREE_DUMP_WORDS)
        return SCREE_LAMMPS_BAD(&d->lines, "more than %d columns", SCREE_DUMP_WORDS - 2);
    d->n_columns = d->n_words - 2;
    for (int c = 0; c < SCREE_DUMP_N_COLUMNS; c++) {
        d->place[c] = -1;
        for (int k = 2; k < d->n_words; k++) {
            if (strcmp(d->word[k], names[c]) != 0) continue;
            if (d->place[c] >= 0)
                return SCREE_LAMMPS_BAD(&d->lines, "column '%s' is there twice", names[c]);
            d->place[c] = k - 2;
        }
    }
    return check_columns(d);
}

static enum scree_status read_atom(struct scree_lammps_dump *d, struct scree_lammps_dump_atom *atom)
{
    static const int64_t least[SCREE_DUMP_FIRST_REAL] = {1, 1, -(1 << 30), -(1 << 30), -(1 << 30)};
    const int64_t most[SCREE_DUMP_FIRST_REAL] = {most_id, INT32_MAX, 1 << 30, 1 << 30, 1 << 30};
    static const int positive[] = {SCREE_DUMP_RADIUS, SCREE_DUMP_DIAMETER, SCREE_DUMP_MASS,
                                   SCREE_DUMP_DENSITY};
    SCREE_TRY(scree_lammps_dump_expect_values(d, d->n_columns, "line of an atom"));
    memset(atom, 0, sizeof *atom);
    atom->line = d->lines.line;
    for (int c = 0; c < SCREE_DUMP_N_COLUMNS; c++) {
        if (d->place[c] < 0) continue;
        if (c < SCREE_DUMP_FIRST_REAL)
            SCREE_TRY(scree_lammps_dump_whole(d, d->place[c], names[c], least[c], most[c],
                                              &atom->whole[c]));
        else
            SCREE_TRY(scree_lammps_dump_real(d, d->place[c], names[c], &atom->real[c]));
    }
    for (int k = 0; k < 4; k++) {
        int c = positive[k];
        if (d->place[c] >= 0 && !(atom->real[c] > 0.0))
            return SCREE_LAMMPS_BAD(&d->lines, "%s is %s, allowed > 0", names[c],
                                    scree_lammps_shown(d->word[d->place[c]]));
    }
    if (d->place[SCREE_DUMP_RADIUS] < 0)
        atom->real[SCREE_DUMP_RADIUS] = 0.5 * atom->real[SCREE_DUMP_DIAMETER];
    double r = atom->real[SCREE_DUMP_RADIUS], *mass = &atom->real[SCREE_DUMP_MASS];
    if (d->place[SCREE_DUMP_MASS] < 0)
        *mass = 4.0 / 3.0 * acos(-1.0) * (r * r * r) * atom->real[SCREE_DUMP_DENSITY];
    if (!(*mass > 0.0 && isfinite(*mass)))
        return SCREE_LAMMPS_BAD(&d->lines, "radius and density give a mass of %g", *mass);
    return scree_lammps_check_place(&d->lines, &d->header, &atom->real[SCREE_DUMP_X]);
}

/* By id, then by line. */
static int compare_atom(const void *a, const void *b)
{
    const struct scree_lammps_dump_atom *x = a, *y = b;
    if (x->whole[SCREE_DUMP_ID] != y->whole[SCREE_DUMP_ID])
        return x->whole[SCREE_DUMP_ID] < y->whole[SCREE_DUMP_ID] ? -1 : 1;
    return (x->line > y->line) - (x->line < y->line);
}

static enum scree_status read_atoms(struct scree_lammps_dump *d)
{
    scree_alloc_free(d->atom);
    d->atom = scree_alloc((size_t)d->n, sizeof *d->atom);
    for (int64_t i = 0; i < d->n; i++) SCREE_TRY(read_atom(d, &d->atom[i]));
    qsort(d->atom, (size_t)d->n, sizeof *d->atom, compare_atom);
    for (int64_t i = 1; i < d->n; i++)
        if (d->atom[i].whole[SCREE_DUMP_ID] == d->atom[i - 1].whole[SCREE_DUMP_ID])
            return SCREE_FAIL(SCREE_INPUT, "%s:%d: id %lld was given before, in line %d",
                              d->lines.path, d->atom[i].line,
                              (long long)d->atom[i].whole[SCREE_DUMP_ID], d->atom[i - 1].line);
    return SCREE_OK;
}

/* From behind its first line, "ITEM: TIMESTEP", "ITEM: TIME" or "ITEM: UNITS", which is cut. */
static enum scree_status read_frame(struct scree_lammps_dump *d)
{
    d->header = (struct scree_state_header){.title = "LAMMPS dump"};
    if (scree_lammps_dump_is_item(d, "UNITS")) {
        SCREE_TRY(scree_lammps_dump_expect_values(d, 1, "units"));
        scree_lammps_dump_next_words(d);
    }
    if (scree_lammps_dump_is_item(d, "TIME")) {
        SCREE_TRY(scree_lammps_dump_expect_values(d, 1, "time"));
        SCREE_TRY(scree_lammps_dump_real(d, 0, "time", &d->header.time));
        scree_lammps_dump_next_words(d);
    }
    if (!scree_lammps_dump_is_item(d, "TIMESTEP"))
        return SCREE_LAMMPS_BAD(&d->lines, "expected 'ITEM: TIMESTEP', got '%s'",
                                d->n_words > 0 ? scree_lammps_shown(d->word[0]) : "");
    SCREE_TRY(scree_lammps_dump_expect_values(d, 1, "timestep"));
    SCREE_TRY(scree_lammps_dump_whole(d, 0, "timestep", 0, INT64_MAX, &d->header.step));
    SCREE_TRY(scree_lammps_dump_expect_item(d, "NUMBER OF ATOMS"));
    SCREE_TRY(scree_lammps_dump_expect_values(d, 1, "number of atoms"));
    /* No atom fits in less than "1 1 1 1 1 1 1": a damaged count must not ask for all memory. */
    SCREE_TRY(
        scree_lammps_dump_whole(d, 0, "number of atoms", 0, (int64_t)(d->lines.size / 13), &d->n));
    SCREE_TRY(read_box(d));
    SCREE_TRY(read_columns(d));
    return read_atoms(d);
}

enum scree_status scree_lammps_dump_parse(struct scree_lammps_dump *d, int64_t frame)
{
    int64_t n = 0;
    while ((n <= frame || frame < 0) && scree_lammps_dump_next_words(d)) {
        if (d->n_words == 0) continue;
        SCREE_TRY(read_frame(d));
        n++;
    }
    SCREE_CHECK(n > 0, SCREE_INPUT, "%s: the file is empty", d->lines.path);
    SCREE_CHECK(frame < n, SCREE_INPUT, "%s: no frame %lld; there are %lld, from 0 to %lld",
                d->lines.path, (long long)frame, (long long)n, (long long)n - 1);
    return SCREE_OK;
}
