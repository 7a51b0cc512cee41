/* SPDX-License-Identifier: BSD-3-Clause
 * The table of laws and the section `contacts`: which laws act between which materials. */
#include "scree/laws.h"

#include <string.h>

#include "scree/alloc.h"
#include "scree/status.h"

#define SCREE_LAW(name) extern const struct scree_law scree_law_##name;
#include "scree/laws.def"
#undef SCREE_LAW

static const struct scree_law *const table[] = {
#define SCREE_LAW(name) &scree_law_##name,
#include "scree/laws.def"
#undef SCREE_LAW
};

enum { N_LAWS = sizeof table / sizeof table[0] };

int scree_law_count(void)
{
    return N_LAWS;
}

const struct scree_law *scree_law_at(int k)
{
    return table[k];
}

const struct scree_law *scree_law_find(enum scree_law_kind kind, const char *name)
{
    for (int k = 0; k < N_LAWS; k++)
        if (table[k]->kind == kind && strcmp(table[k]->name, name) == 0) return table[k];
    return NULL;
}

const char *scree_law_kind_name(enum scree_law_kind kind)
{
    static const char *const names[SCREE_N_LAW_KINDS] = {"normal", "tangential"};
    return names[kind];
}

const char *const *scree_law_names(enum scree_law_kind kind)
{
    static const char *names[SCREE_N_LAW_KINDS][N_LAWS + 1];
    int n = 0;
    for (int k = 0; k < N_LAWS; k++)
        if (table[k]->kind == kind) names[kind][n++] = table[k]->name;
    names[kind][n] = NULL;
    return names[kind];
}

int scree_laws_n_history(const struct scree_laws *laws)
{
    int most = 0;
    for (int k = 0; k < laws->n_pairs; k++)
        if (laws->pair[k].n_history > most) most = laws->pair[k].n_history;
    return most;
}

/* All pairs share the history columns of the contact store, so a slot must have one parity. */
unsigned scree_laws_odd(const struct scree_laws *laws)
{
    unsigned odd = 0, even = 0;
    for (int k = 0; k < laws->n_pairs; k++) {
        odd |= laws->pair[k].odd;
        even |= ~laws->pair[k].odd & ((1u << laws->pair[k].n_history) - 1u);
    }
    if (odd & even) SCREE_ABORT("history slots %x are odd for one law and even for another", odd);
    return odd;
}

void scree_laws_clear(struct scree_laws *laws)
{
    scree_alloc_free(laws->pair);
    scree_alloc_free(laws->table);
    memset(laws, 0, sizeof *laws);
}
