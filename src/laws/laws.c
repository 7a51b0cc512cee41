/* SPDX-License-Identifier: BSD-3-Clause
 * The table of laws and the section `contacts`: which laws act between which materials. */
#include "scree/laws.h"

#include <math.h>
#include <string.h>

#include "scree/alloc.h"

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
    static const char *const names[SCREE_N_LAW_KINDS] = {"normal", "tangential", "rolling",
                                                         "torsion"};
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
    return laws->n_odd + laws->n_even;
}

unsigned scree_laws_odd(const struct scree_laws *laws)
{
    return (1u << laws->n_odd) - 1u;
}

bool scree_laws_are_synchronised(const struct scree_laws *laws)
{
    for (int q = 0; q < laws->n_pairs; q++)
        if (laws->pair[q].timing == SCREE_TIMING_SYNCHRONISED) return true;
    return false;
}

static bool remember_the_same(const struct scree_pair_law *a, const struct scree_pair_law *b)
{
    bool same = a->shape.n_odd == b->shape.n_odd && a->shape.n_even == b->shape.n_even;
    for (int part = 0; part < SCREE_N_LAW_KINDS; part++)
        same &= a->law[part] == b->law[part] && a->at[part].odd == b->at[part].odd &&
                a->at[part].even == b->at[part].even;
    return same;
}

bool scree_laws_remember_the_same(const struct scree_laws *laws, const struct scree_laws *others)
{
    bool same = laws->n_pairs == others->n_pairs;
    for (int q = 0; same && q < laws->n_pairs; q++)
        same = remember_the_same(&laws->pair[q], &others->pair[q]);
    return same;
}

void scree_pair_law_estimate(const struct scree_pair_law *pair, const struct scree_law_case *c,
                             struct scree_law_estimate *estimate)
{
    *estimate = (struct scree_law_estimate){.contact_time = INFINITY, .restitution = NAN};
    for (int part = 0; part < SCREE_N_LAW_KINDS; part++)
        if (pair->law[part]->estimate != NULL)
            pair->law[part]->estimate(pair->values[part], c, estimate);
}

void scree_laws_clear(struct scree_laws *laws)
{
    scree_alloc_free(laws->pair);
    scree_alloc_free(laws->table);
    memset(laws, 0, sizeof *laws);
}
