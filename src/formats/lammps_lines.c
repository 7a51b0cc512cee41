/* SPDX-License-Identifier: BSD-3-Clause
 * A text file line by line, cut into words, with numbers that are checked. */
#include "lammps_lines.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scree/alloc.h"

static bool slurp(FILE *file, struct scree_lammps_lines *lines)
{
    size_t capacity = 0, got = 1;
    while (got > 0) {
        SCREE_GROW(lines->text, lines->size, capacity, lines->size + 65536);
        got = fread(lines->text + lines->size, 1, 65535, file);
        lines->size += got;
    }
    lines->text[lines->size] = '\0';
    return ferror(file) == 0;
}

enum scree_status scree_lammps_open(struct scree_lammps_lines *lines, const char *path)
{
    *lines = (struct scree_lammps_lines){.path = path, .comment = ""};
    FILE *file = fopen(path, "rb");
    SCREE_CHECK(file != NULL, SCREE_IO, "%s: %s", path, strerror(errno));
    bool good = slurp(file, lines);
    fclose(file);
    bool ended = lines->size == 0 || lines->text[lines->size - 1] == '\n';
    if (good && ended) return SCREE_OK;
    scree_lammps_close(lines);
    SCREE_CHECK(good, SCREE_IO, "%s: cannot be read", path);
    /* a number cut in the middle is another number */
    return SCREE_FAIL(SCREE_INPUT, "%s: the last line has no end: is the file cut short?", path);
}

void scree_lammps_close(struct scree_lammps_lines *lines)
{
    scree_alloc_free(lines->text);
    lines->text = NULL;
}

char *scree_lammps_next_line(struct scree_lammps_lines *lines)
{
    if (lines->at >= lines->size) return NULL;
    char *start = lines->text + lines->at;
    char *end = memchr(start, '\n', lines->size - lines->at);
    if (end == NULL) end = lines->text + lines->size;
    lines->at = (size_t)(end - lines->text) + 1;
    *end = '\0';
    /* A zero byte would end the line early and hide what follows it. */
    for (char *c = start; c < end; c++)
        if (*c == '\0') *c = '\x01';
    lines->line++;
    return start;
}

bool scree_lammps_next_words(struct scree_lammps_lines *lines)
{
    static const char blanks[] = " \t\r\f\v";
    for (char *at; (at = scree_lammps_next_line(lines)) != NULL;) {
        char *hash = strchr(at, '#');
        lines->comment = "";
        if (hash != NULL) {
            *hash = '\0';
            lines->comment = hash + 1 + strspn(hash + 1, blanks);
        }
        lines->n_words = 0;
        for (at += strspn(at, blanks); *at != '\0'; at += strspn(at, blanks)) {
            if (lines->n_words < SCREE_LAMMPS_WORDS) lines->word[lines->n_words] = at;
            lines->n_words++;
            at += strcspn(at, blanks);
            if (*at != '\0') *at++ = '\0';
        }
        if (lines->n_words > 0) return true;
    }
    return false;
}

enum scree_status scree_lammps_integer(const struct scree_lammps_lines *lines, int k,
                                       const char *what, int64_t least, int64_t most,
                                       int64_t *value)
{
    char *end;
    errno = 0;
    long long found = strtoll(lines->word[k], &end, 10);
    if (*end != '\0' || end == lines->word[k])
        return SCREE_LAMMPS_BAD(lines, "%s: expected an integer, got '%s'", what,
                                scree_lammps_shown(lines->word[k]));
    if (errno == ERANGE || found < least || found > most)
        return SCREE_LAMMPS_BAD(lines, "%s is %s, allowed %" PRId64 " to %" PRId64, what,
                                scree_lammps_shown(lines->word[k]), least, most);
    *value = found;
    return SCREE_OK;
}

/* strtod also knows "inf", "nan" and hexadecimal, none of which LAMMPS writes on purpose. */
enum scree_status scree_lammps_real(const struct scree_lammps_lines *lines, int k, const char *what,
                                    double *value)
{
    const char *word = lines->word[k];
    char *end;
    *value = strtod(word, &end);
    if (*end != '\0' || end == word || strpbrk(word, "xX") != NULL)
        return SCREE_LAMMPS_BAD(lines, "%s: expected a number, got '%s'", what,
                                scree_lammps_shown(word));
    if (!isfinite(*value))
        return SCREE_LAMMPS_BAD(lines, "%s: expected a finite number, got '%s'", what,
                                scree_lammps_shown(word));
    return SCREE_OK;
}

enum scree_status scree_lammps_check_place(const struct scree_lammps_lines *lines,
                                           const struct scree_state_header *header,
                                           const double position[3])
{
    for (int a = 0; a < 3; a++) {
        double low = header->low[a], high = header->high[a], x = position[a];
        if (x < low - (high - low) || x > high + (high - low))
            return SCREE_LAMMPS_BAD(lines, "%c is %g, far outside the box, %g to %g", "xyz"[a], x,
                                    low, high);
    }
    return SCREE_OK;
}

const char *scree_lammps_shown(const char *word)
{
    static char shown[SCREE_LAMMPS_SHOWN + 4];
    snprintf(shown, SCREE_LAMMPS_SHOWN + 1, "%s", word);
    for (char *c = shown; *c != '\0'; c++)
        if (*c < ' ' || *c > '~') *c = '?';
    if (strlen(word) > SCREE_LAMMPS_SHOWN) strcpy(shown + SCREE_LAMMPS_SHOWN, "...");
    return shown;
}
