/* SPDX-License-Identifier: BSD-3-Clause
 * The energy of a run at one moment, as lines that the method names. */
#ifndef SCREE_ENERGIES_H
#define SCREE_ENERGIES_H

/* What is stored less what was there at step 0, and what was lost, and the work that was given away
 * add up to nothing but the error of the method. */
enum scree_energy_kind {
    SCREE_ENERGY_KINETIC,    /* stored in the velocities of grains */
    SCREE_ENERGY_ROTATIONAL, /* stored in their spins */
    SCREE_ENERGY_ELASTIC,    /* stored in contacts */
    SCREE_ENERGY_GRAVITY,    /* stored in the field of gravity; its zero means nothing */
    SCREE_ENERGY_STORED,     /* stored otherwise; may be negative */
    SCREE_ENERGY_LOST,       /* turned into heat since step 0 */
    SCREE_ENERGY_WORK        /* given to walls and drives since step 0; < 0: got from them */
};

struct scree_energy_line {
    const char *name; /* head of a column of the series; NULL ends a list */
    enum scree_energy_kind kind;
    int channel; /* of elastic energy an enum scree_law_kind, of losses and work an enum scree_loss
                  */
};

enum { SCREE_ENERGY_LINES = 32 }; /* at most */

struct scree_energies {
    double value[SCREE_ENERGY_LINES]; /* J; in the order of the method's lines */
    double closure;                   /* J; gained out of nothing (> 0) or lost without a trace */
    double turnover; /* J; scale to which closure compares: all energy that was there or went */
};

/* J; over all lines of a kind. */
double scree_energies_sum(const struct scree_energies *energies,
                          const struct scree_energy_line *lines, enum scree_energy_kind kind);
/* The closure as a part of the turnover. */
double scree_energies_error(const struct scree_energies *energies);

#endif
