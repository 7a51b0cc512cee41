/* SPDX-License-Identifier: BSD-3-Clause
 * The energy ledger: where energy is lost. Each channel is an exact sum of very many small
 * amounts, so that it depends neither on their order nor on the number of ranks. */
#ifndef SCREE_LEDGER_H
#define SCREE_LEDGER_H

#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>

#include "scree/exact.h"
#include "scree/types.h"

enum scree_loss {
    SCREE_LOSS_NORMAL,     /* normal dashpots */
    SCREE_LOSS_TANGENTIAL, /* tangential dashpots */
    SCREE_LOSS_SLIDING,
    SCREE_LOSS_ROLLING,
    SCREE_LOSS_TORSION,
    SCREE_LOSS_PLASTIC,
    SCREE_LOSS_STIFFNESS, /* as the stiffness of loaded springs changes; < 0: the law makes energy
                           */
    SCREE_N_CONTACT_LOSSES,
    SCREE_LOSS_BACKGROUND = SCREE_N_CONTACT_LOSSES, /* background friction */
    SCREE_LOSS_DRIVES, /* to walls and driven grains; < 0: they do work on the grains */
    SCREE_N_LOSSES
};

const char *scree_loss_name(enum scree_loss loss);

/* Amounts are rounded to multiples of 2^-50 quanta and kept as two integers: whole quanta and
 * parts. Both count halves, because a contact cut by a rank border is booked by both sides. */
struct scree_account {
    struct scree_wide coarse, fine;
};

struct scree_ledger {
    double quantum; /* J; a power of two */
    struct scree_account loss[SCREE_N_LOSSES];
};

/* Add n amounts, each below 2^51 quanta; `halves`: 2, or 1 for what another rank adds too. */
void scree_account_add(struct scree_account *account, double quantum, const double *amount, int n,
                       int halves);
/* In the inner loop amounts go to the lanes of a tally, which is added to its account at times. */
enum { SCREE_TALLY_LANES = 8, SCREE_TALLY_ROOM = 2048 };
struct scree_tally {
    alignas(SCREE_ALIGNMENT) uint64_t coarse[SCREE_TALLY_LANES], fine[SCREE_TALLY_LANES];
    int rows; /* of one amount or 0 per lane */
};
/* Add n amounts to each tally c for which bit c of `channels` is set: those at amount + c * stride,
 * aligned as the lanes are. A tally has to be settled before it gets more than SCREE_TALLY_ROOM. */
void scree_tally_add(struct scree_tally *tally, unsigned channels, const double *amount,
                     size_t stride, double quantum, int n);
/* All that is in the tally goes to the account; the tally is empty. */
void scree_tally_reduce(struct scree_tally *tally, struct scree_account *account, double quantum,
                        int halves);
/* One amount of at least 2^51 and below 2^123 quanta. */
void scree_account_add_large(struct scree_account *account, double quantum, double amount,
                             int halves);
double scree_account_value(const struct scree_account *account, double quantum);

#endif
