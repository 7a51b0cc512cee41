/* SPDX-License-Identifier: BSD-3-Clause
 * What memory was taken for: an account for each place in the source that asks for some. */
#include "alloc_places.h"

#include <stdint.h>
#include <string.h>

#include "scree/alloc.h"

/* More than there are such places; what comes beyond shares the last one. */
enum { MOST = 2048 };

static struct scree_alloc_place places[MOST];
static int n_places;
static int16_t found[MOST]; /* place + 1 by hash of its line and name, 0: free */

/* Lines differ, names of files are literals: the same text may stand at several addresses. */
int scree_alloc_place_of(const char *what, const char *file, int line)
{
    unsigned at = (unsigned)line * 2654435761u;
    for (const char *c = file; *c != '\0'; c++) at = at * 31u + (unsigned char)*c;
    for (at %= MOST; found[at] != 0; at = (at + 1) % MOST) {
        const struct scree_alloc_place *known = &places[found[at] - 1];
        if (known->line == line && strcmp(known->file, file) == 0) return found[at] - 1;
    }
    if (n_places == MOST - 1) return n_places;
    places[n_places] = (struct scree_alloc_place){.what = what, .file = file, .line = line};
    found[at] = (int16_t)(n_places + 1);
    return n_places++;
}

void scree_alloc_place_takes(int place, size_t bytes)
{
    struct scree_alloc_place *p = &places[place];
    p->in_use += bytes;
    if (p->in_use > p->peak) p->peak = p->in_use;
}

void scree_alloc_place_gives(int place, size_t bytes)
{
    places[place].in_use -= bytes;
}

int scree_alloc_places(const struct scree_alloc_place **all)
{
    *all = places;
    return n_places;
}
