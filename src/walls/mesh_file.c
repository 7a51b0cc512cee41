/* SPDX-License-Identifier: BSD-3-Clause
 * Triangles from a file: STL, text or binary. Normals in it are left alone: many programs write
 * them wrong or as zero. */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mesh.h"
#include "scree/alloc.h"

enum { HEAD = 84, ROW = 50, WORD = 64 }; /* bytes; of a binary file, of a triangle in it */
static const size_t most_bytes = (size_t)1 << 31;

/* What is being read, and what came of it. */
struct reader {
    const char *at; /* text: the next letter; the text ends with a zero */
    int line;
    char word[WORD]; /* the last one, or "" at the end */
    double (*corner)[3][3];
    size_t n, capacity;
    char *why;
    size_t size;
};

static bool read_bytes(const char *path, char **bytes, size_t *n, char *why, size_t size)
{
    FILE *f = fopen(path, "rb");
    size_t room = 0, more = 1;
    *bytes = NULL;
    *n = 0;
    if (f == NULL) {
        snprintf(why, size, "%s", strerror(errno));
        return false;
    }
    while (more > 0 && *n <= most_bytes) {
        SCREE_GROW(*bytes, *n, room, *n + (1 << 16));
        more = fread(*bytes + *n, 1, room - *n - 1, f);
        *n += more;
    }
    bool good = ferror(f) == 0 && *n <= most_bytes;
    if (!good) snprintf(why, size, "%s", *n > most_bytes ? "larger than 2 GB" : "cannot be read");
    (*bytes)[*n] = '\0';
    fclose(f);
    return good;
}

/* Bytes of numbers are those of the file format, the lowest first. */
static uint32_t read_integer(const unsigned char *b)
{
    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static double read_single(const unsigned char *b)
{
    uint32_t bits = read_integer(b);
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

static bool read_binary(struct reader *r, const unsigned char *bytes, size_t n)
{
    r->corner = scree_alloc(n, sizeof *r->corner);
    for (r->n = 0; r->n < n; r->n++)
        for (int c = 0; c < 9; c++) {
            double x = read_single(bytes + HEAD + r->n * ROW + 12 + 4 * (size_t)c);
            r->corner[r->n][c / 3][c % 3] = x;
            if (isfinite(x)) continue;
            snprintf(r->why, r->size, "triangle %zu: a corner is not a number", r->n + 1);
            return false;
        }
    return true;
}

static void next_word(struct reader *r)
{
    size_t n = 0;
    for (; isspace((unsigned char)*r->at); r->at++) r->line += *r->at == '\n';
    for (; *r->at != '\0' && !isspace((unsigned char)*r->at); r->at++)
        if (n < WORD - 1) r->word[n++] = isprint((unsigned char)*r->at) ? *r->at : '?';
    r->word[n] = '\0';
}

static void skip_line(struct reader *r)
{
    while (*r->at != '\0' && *r->at != '\n') r->at++;
}

static bool is_word(const struct reader *r, const char *expected)
{
    const char *a = r->word;
    while (*a != '\0' && tolower((unsigned char)*a) == *expected) a++, expected++;
    return *a == '\0' && *expected == '\0';
}

static bool expect(struct reader *r, const char *word)
{
    next_word(r);
    if (is_word(r, word)) return true;
    if (r->word[0] == '\0')
        snprintf(r->why, r->size, "line %d: the file ends where '%s' should be", r->line, word);
    else
        snprintf(r->why, r->size, "line %d: expected '%s', found '%s'", r->line, word, r->word);
    return false;
}

static bool expect_numbers(struct reader *r, double number[3])
{
    for (int k = 0; k < 3; k++) {
        char *end;
        next_word(r);
        number[k] = strtod(r->word, &end);
        if (r->word[0] != '\0' && *end == '\0' && isfinite(number[k])) continue;
        snprintf(r->why, r->size, "line %d: expected a number, found '%s'", r->line, r->word);
        return false;
    }
    return true;
}

/* After the word `facet`. */
static bool read_facet(struct reader *r)
{
    SCREE_GROW(r->corner, r->n, r->capacity, r->n + 1);
    double(*corner)[3] = r->corner[r->n++];
    if (!expect(r, "normal")) return false;
    for (int k = 0; k < 3; k++) next_word(r); /* anything, also "nan" */
    if (!expect(r, "outer") || !expect(r, "loop")) return false;
    for (int c = 0; c < 3; c++)
        if (!expect(r, "vertex") || !expect_numbers(r, corner[c])) return false;
    return expect(r, "endloop") && expect(r, "endfacet");
}

/* One or more of: solid NAME, facets, endsolid NAME. */
static bool read_text(struct reader *r)
{
    for (next_word(r); r->word[0] != '\0'; next_word(r)) {
        if (!is_word(r, "solid")) {
            snprintf(r->why, r->size, "line %d: expected 'solid', found '%s'", r->line, r->word);
            return false;
        }
        skip_line(r);
        for (next_word(r); is_word(r, "facet"); next_word(r))
            if (!read_facet(r)) return false;
        if (!is_word(r, "endsolid")) {
            snprintf(r->why, r->size, "line %d: expected 'facet' or 'endsolid', found '%s'",
                     r->line, r->word);
            return false;
        }
        skip_line(r);
    }
    return true;
}

static bool starts_with_solid(struct reader r)
{
    next_word(&r);
    return is_word(&r, "solid");
}

/* Binary files say how many triangles they have, and may begin with any word, also with "solid". */
static bool read_either(struct reader *r, size_t n_bytes)
{
    const unsigned char *bytes = (const unsigned char *)r->at;
    size_t n = n_bytes >= HEAD ? read_integer(bytes + HEAD - 4) : 0;
    if (n_bytes >= HEAD && n_bytes == HEAD + ROW * n) return read_binary(r, bytes, n);
    if (starts_with_solid(*r)) return read_text(r);
    if (n_bytes < HEAD)
        snprintf(r->why, r->size, "no STL: neither text that begins with 'solid' nor %d bytes long",
                 HEAD);
    else
        snprintf(r->why, r->size,
                 "no STL, or cut off: it says %zu triangles, which take %zu bytes, and has %zu", n,
                 HEAD + ROW * n, n_bytes);
    return false;
}

bool scree_mesh_read_file(const char *path, double (**corner)[3][3], int32_t *n, char *why,
                          size_t size)
{
    char *bytes;
    size_t n_bytes;
    struct reader r = {.line = 1, .why = why, .size = size};
    bool good = read_bytes(path, &bytes, &n_bytes, why, size);
    r.at = bytes;
    good = good && read_either(&r, n_bytes);
    if (good && r.n == 0) snprintf(why, size, "it holds no triangles");
    good = good && r.n > 0;
    scree_alloc_free(bytes);
    if (!good) scree_alloc_free(r.corner);
    *corner = good ? r.corner : NULL;
    *n = good ? (int32_t)r.n : 0;
    return good;
}
