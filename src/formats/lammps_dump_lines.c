/* SPDX-License-Identifier: BSD-3-Clause
 * Lines of a LAMMPS dump: words, items, numbers. */
#include <string.h>

#include "lammps_dump_parse.h"

bool scree_lammps_dump_next_words(struct scree_lammps_dump *d)
{
    static const char blanks[] = " \t\r\f\v";
    char *at = scree_lammps_next_line(&d->lines);
    d->n_words = 0;
    if (at == NULL) return false;
    for (at += strspn(at, blanks); *at != '\0'; at += strspn(at, blanks)) {
        if (d->n_words < SCREE_DUMP_WORDS) d->word[d->n_words] = at;
        d->n_words++;
        at += strcspn(at, blanks);
        if (*at != '\0') *at++ = '\0';
    }
    return true;
}

enum scree_status scree_lammps_dump_whole(struct scree_lammps_dump *d, int k, const char *what,
                                          int64_t least, int64_t most, int64_t *value)
{
    d->lines.word[0] = d->word[k];
    return scree_lammps_integer(&d->lines, 0, what, least, most, value);
}

enum scree_status scree_lammps_dump_real(struct scree_lammps_dump *d, int k, const char *what,
                                         double *value)
{
    d->lines.word[0] = d->word[k];
    return scree_lammps_real(&d->lines, 0, what, value);
}

bool scree_lammps_dump_is_item(const struct scree_lammps_dump *d, const char *text)
{
    if (d->n_words == 0 || strcmp(d->word[0], "ITEM:") != 0) return false;
    int k = 1;
    for (size_t n; *text != '\0'; text += n + (text[n] == ' '), k++) {
        n = strcspn(text, " ");
        if (k >= d->n_words || strncmp(d->word[k], text, n) != 0 || d->word[k][n] != '\0')
            return false;
    }
    return true;
}

enum scree_status scree_lammps_dump_expect_item(struct scree_lammps_dump *d, const char *text)
{
    bool more = scree_lammps_dump_next_words(d);
    if (more && scree_lammps_dump_is_item(d, text)) return SCREE_OK;
    return SCREE_LAMMPS_BAD(&d->lines, "expected 'ITEM: %s', got %s%s%s", text, more ? "'" : "",
                            !more             ? "the end of the file"
                            : d->n_words == 0 ? ""
                                              : scree_lammps_shown(d->word[0]),
                            more ? "'" : "");
}

enum scree_status scree_lammps_dump_expect_values(struct scree_lammps_dump *d, int n,
                                                  const char *what)
{
    if (!scree_lammps_dump_next_words(d))
        return SCREE_LAMMPS_BAD(&d->lines, "unexpected end of file: %s is missing", what);
    if (d->n_words != n)
        return SCREE_LAMMPS_BAD(&d->lines, "%s: expected %d values, got %d", what, n, d->n_words);
    return SCREE_OK;
}
