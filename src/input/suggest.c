/* SPDX-License-Identifier: BSD-3-Clause
 * The word that was meant: edit distance with swaps of neighbours (Damerau 1964). */
#include <ctype.h>
#include <string.h>

#include "scree/input.h"

enum { MAX_WORD = 64 };

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

static bool is_same(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Inserted, deleted, changed and swapped letters count one each. Both words fit MAX_WORD. */
static int distance(const char *a, const char *b)
{
    int cost[MAX_WORD + 1][MAX_WORD + 1];
    int n_a = (int)strlen(a), n_b = (int)strlen(b);
    for (int i = 0; i <= n_a; i++) cost[i][0] = i;
    for (int j = 0; j <= n_b; j++) cost[0][j] = j;
    for (int i = 1; i <= n_a; i++) {
        for (int j = 1; j <= n_b; j++) {
            int best = smaller(cost[i - 1][j], cost[i][j - 1]) + 1;
            best = smaller(best, cost[i - 1][j - 1] + !is_same(a[i - 1], b[j - 1]));
            if (i > 1 && j > 1 && is_same(a[i - 1], b[j - 2]) && is_same(a[i - 2], b[j - 1]))
                best = smaller(best, cost[i - 2][j - 2] + 1);
            cost[i][j] = best;
        }
    }
    return cost[n_a][n_b];
}

const char *scree_suggest(const char *word, const char *const *known)
{
    size_t length = strlen(word);
    if (length == 0 || length > MAX_WORD) return NULL;
    int limit = length < 6 ? 1 : (int)length / 3;
    const char *closest = NULL;
    for (int i = 0; known[i] != NULL; i++) {
        size_t known_length = strlen(known[i]);
        if (known_length > MAX_WORD) continue;
        int d = distance(word, known[i]);
        /* Two one-letter words are always one change apart: that is no hint. */
        if (d > limit || (d > 0 && d >= (int)known_length)) continue;
        closest = known[i];
        limit = d - 1;
        if (d == 0) break;
    }
    return closest;
}
