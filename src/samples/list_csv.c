/* SPDX-License-Identifier: BSD-3-Clause
 * Grains from a CSV file. Its first line names the columns, such as x [mm]; without a unit they are
 * SI. Empty lines and lines that begin with # are left out. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "list_table.h"
#include "scree/alloc.h"

enum { LINE = 4096, COLUMNS = 64, UNIT = 72, MATERIAL = 10 };

static const char *const names[] = {"x",  "y",  "z",  "radius", "vx",       "vy",
                                    "vz", "wx", "wy", "wz",     "material", NULL};
static const char *const units[] = {"m",   "m",   "m",     "m",     "m/s",
                                    "m/s", "m/s", "rad/s", "rad/s", "rad/s"};

struct reader {
    struct scree_list_table *table;
    const struct scree_list_defaults *defaults;
    const char *const *materials;
    int dimension, line;
    scree_list_teller *tell;
    void *context;
    int what[COLUMNS]; /* of each column: place in names, or -1 */
    char unit[COLUMNS][UNIT];
    int n_columns;
};

static void tell(const struct reader *r, const char *format, const char *word)
{
    char message[400];
    snprintf(message, sizeof message, format, word);
    r->tell(r->context, r->line, message);
}

static char *trim(char *text)
{
    size_t n;
    while (*text == ' ' || *text == '\t' || *text == '"') text++;
    for (n = strlen(text); n > 0 && strchr(" \t\r\n\"", text[n - 1]) != NULL; n--)
        text[n - 1] = '\0';
    return text;
}

/* Cut a line at its commas; returns the number of fields. */
static int cut(char *line, char *field[COLUMNS])
{
    int n = 0;
    for (char *next = line; next != NULL && n < COLUMNS; n++) {
        char *comma = strchr(next, ',');
        if (comma != NULL) *comma = '\0';
        field[n] = trim(next);
        next = comma != NULL ? comma + 1 : NULL;
    }
    return n;
}

/* "x [mm]" -> which column, and its unit. */
static bool read_heading(struct reader *r, char *text, int column)
{
    char *bracket = strchr(text, '['), quantity[UNIT + 8], why[200];
    double one;
    r->unit[column][0] = '\0';
    r->what[column] = -1;
    if (bracket != NULL) *bracket = '\0';
    int found = scree_sample_find_word(names, trim(text));
    if (found < 0) {
        tell(r, "column '%.100s' is none of x, y, z, radius, vx, vy, vz, wx, wy, wz, material",
             text);
        return false;
    }
    for (int c = 0; c < column; c++)
        if (r->what[c] == found) {
            tell(r, "column '%.100s' appears twice", text);
            return false;
        }
    r->what[column] = found;
    if (bracket == NULL || found == MATERIAL) return true;
    char *end = strchr(bracket + 1, ']');
    if (end != NULL) *end = '\0';
    snprintf(r->unit[column], UNIT, "%.70s", bracket + 1);
    snprintf(quantity, sizeof quantity, "1 %s", r->unit[column]);
    if (scree_units_parse(quantity, units[found], &one, why, sizeof why)) return true;
    tell(r, "unit of a column: %.300s", why);
    return false;
}

static bool has_column(const struct reader *r, int what)
{
    for (int c = 0; c < r->n_columns; c++)
        if (r->what[c] == what) return true;
    return false;
}

static bool read_head(struct reader *r, char *line)
{
    char *field[COLUMNS];
    bool good = true;
    r->n_columns = cut(line, field);
    for (int c = 0; c < r->n_columns; c++) good = read_heading(r, field[c], c) && good;
    for (int k = 0; k < 4 && good; k++)
        if (!has_column(r, k) && !(k == 2 && r->dimension == 2) &&
            !(k == 3 && !isnan(r->defaults->radius))) {
            tell(r, "there is no column '%s'", names[k]);
            good = false;
        }
    if (good && !has_column(r, MATERIAL) && r->defaults->species < 0) {
        tell(r, "there is no column '%s', and the sample has no 'material'", names[MATERIAL]);
        good = false;
    }
    return good;
}

/* Into x, y, z, radius, vx, ... in the order of the names. */
static bool read_field(struct reader *r, const char *text, int column, double *value, int *species)
{
    char why[200], quantity[200];
    int what = r->what[column];
    if (what == MATERIAL) {
        *species = scree_sample_find_word(r->materials, text);
        if (*species < 0) tell(r, "unknown material '%.100s'", text);
        return *species >= 0;
    }
    snprintf(quantity, sizeof quantity, "%.120s %s", text, r->unit[column]);
    bool good = scree_units_parse(quantity, units[what], &value[what], why, sizeof why);
    if (!good) tell(r, "%.300s", why);
    if (good && what == 3 && !(value[what] > 0.0)) {
        tell(r, "the radius is '%.100s', expected a value > 0", text);
        good = false;
    }
    return good;
}

static void read_row(struct reader *r, char *line)
{
    char *field[COLUMNS];
    double value[MATERIAL] = {0};
    int n = cut(line, field), species = r->defaults->species;
    value[3] = r->defaults->radius;
    bool good = n == r->n_columns;
    if (!good) tell(r, "%s", "not as many columns as the first line");
    for (int c = 0; c < n && good; c++) good = read_field(r, field[c], c, value, &species);
    if (!good) return;
    struct scree_list_grain grain = {.species = species, .line = r->line};
    memcpy(grain.pos, value, sizeof grain.pos);
    memcpy(grain.velocity, value + 4, sizeof grain.velocity);
    memcpy(grain.spin, value + 7, sizeof grain.spin);
    SCREE_GROW(r->table->grain, r->table->n, r->table->capacity, r->table->n + 1);
    r->table->grain[r->table->n++] = grain;
}

void scree_list_read_csv(struct scree_list_table *table, const char *path,
                         const struct scree_list_defaults *defaults, const char *const *materials,
                         int dimension, scree_list_teller *teller, void *context)
{
    char line[LINE];
    bool good = true;
    struct reader r = {.table = table,
                       .defaults = defaults,
                       .materials = materials,
                       .dimension = dimension,
                       .tell = teller,
                       .context = context};
    FILE *f = fopen(path, "r");
    if (f == NULL) {
        tell(&r, "%s", strerror(errno));
        return;
    }
    while (good && fgets(line, sizeof line, f) != NULL) {
        r.line++;
        const char *text = line + strspn(line, " \t");
        if (strchr("#\r\n", *text) != NULL) continue;
        if (strchr(line, '\n') == NULL && !feof(f)) {
            tell(&r, "%s", "the line is too long");
            good = false;
        } else if (r.n_columns == 0) {
            good = read_head(&r, line);
        } else {
            read_row(&r, line);
        }
    }
    if (ferror(f) != 0) tell(&r, "%s", "cannot be read");
    fclose(f);
}

void scree_list_clear(struct scree_list_table *table)
{
    scree_alloc_free(table->grain);
    *table = (struct scree_list_table){0};
}
