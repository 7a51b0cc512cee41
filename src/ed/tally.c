/* SPDX-License-Identifier: BSD-3-Clause
 * What is counted and summed over collisions, each of them on one rank only. */
#include <string.h>

#include "engine.h"
#include "scree/vec.h"

void scree_ed_tally_init(struct scree_ed_tally *tally)
{
    memset(tally, 0, sizeof *tally);
    for (int k = 0; k < SCREE_ED_SUMS; k++) scree_exact_clear(&tally->sum[k]);
}

void scree_ed_tally_clear(struct scree_ed_tally *tally)
{
    scree_alloc_free(tally->record);
    tally->record = NULL;
}

void scree_ed_tally_begin_tick(struct scree_ed_tally *tally)
{
    for (int k = SCREE_ED_SAVED_SUMS; k < SCREE_ED_SUMS; k++) scree_exact_clear(&tally->sum[k]);
    tally->n_records = 0;
    tally->before = 2 * tally->count[SCREE_ED_PAIRS] + tally->count[SCREE_ED_WALLS];
}

static void keep_record(const struct scree_ed_engine *e, const struct scree_ed_key *key,
                        const struct scree_ed_outcome *outcome, int32_t home, bool of_second)
{
    struct scree_ed_tally *tally = e->tally;
    int32_t image[3] = {0, 0, 0};
    struct scree_ed_record r = {.first = key->lo, .second = key->hi, .home = home};
    if (key->lo < 0) { /* a wall is never the first */
        r.first = key->hi;
        r.second = key->lo;
    }
    r.of_second = of_second;
    r.normal_impulse = outcome->normal_impulse;
    memcpy(r.branch, outcome->branch, sizeof r.branch);
    memcpy(r.impulse, outcome->impulse, sizeof r.impulse);
    memcpy(r.place, outcome->place, sizeof r.place);
    scree_box_shift(&e->world->box, r.place, image);
    memcpy(r.normal, outcome->normal, sizeof r.normal);
    SCREE_ED_APPEND(tally->record, tally->n_records, tally->record_capacity, r);
}

/* Of the collision in which the grain in slot i, the first, met the one in slot j, or a wall. */
static void count(struct scree_ed_engine *e, const struct scree_ed_outcome *outcome, int32_t j)
{
    struct scree_ed_tally *tally = e->tally;
    tally->count[j < 0 ? SCREE_ED_WALLS : SCREE_ED_PAIRS]++;
    tally->count[SCREE_ED_ELASTIC] += outcome->elastic;
    scree_exact_add(&tally->sum[SCREE_ED_LOSS], outcome->loss);
    if (outcome->work != 0.0) scree_exact_add(&tally->sum[SCREE_ED_WORK], outcome->work);
    if (j < 0) return;
    double virial = scree_vec_dot(outcome->branch, outcome->impulse);
    scree_exact_add(&tally->sum[SCREE_ED_VIRIAL], virial);
    scree_exact_add(&tally->sum[SCREE_ED_TICK_VIRIAL], virial);
    for (int c = 0; e->world->bent && c < SCREE_DEFORMATION_COMPONENTS; c++)
        scree_exact_add(&tally->sum[SCREE_ED_TICK_STRESS + c],
                        outcome->branch[scree_deformation_column[c]] *
                            outcome->impulse[scree_deformation_row[c]]);
}

void scree_ed_tally_add(struct scree_ed_engine *e, const struct scree_ed_key *key,
                        const struct scree_ed_outcome *outcome, int32_t i, int32_t j)
{
    bool mine = e->grain[i].role == SCREE_ED_OWNED;
    bool also = j >= 0 && e->grain[j].role == SCREE_ED_OWNED;
    if (mine) count(e, outcome, j);
    if (!e->tally->keep_records) return;
    if (mine) keep_record(e, key, outcome, e->grain[i].home, false);
    if (also && e->in_windows) keep_record(e, key, outcome, e->grain[j].home, true);
}
