/* SPDX-License-Identifier: BSD-3-Clause
 * The energy ledger of md as named lines, in the order of the columns of the series. */
#include "md_impl.h"

const struct scree_energy_line scree_md_energy_lines[] = {
    {"kinetic energy", SCREE_ENERGY_KINETIC, 0},
    {"rotational energy", SCREE_ENERGY_ROTATIONAL, 0},
    {"elastic energy normal", SCREE_ENERGY_ELASTIC, SCREE_LAW_NORMAL},
    {"elastic energy tangential", SCREE_ENERGY_ELASTIC, SCREE_LAW_TANGENTIAL},
    {"elastic energy rolling", SCREE_ENERGY_ELASTIC, SCREE_LAW_ROLLING},
    {"elastic energy torsion", SCREE_ENERGY_ELASTIC, SCREE_LAW_TORSION},
    {"gravity", SCREE_ENERGY_GRAVITY, 0},
    {"lost to normal damping", SCREE_ENERGY_LOST, SCREE_LOSS_NORMAL},
    {"lost to tangential damping", SCREE_ENERGY_LOST, SCREE_LOSS_TANGENTIAL},
    {"lost to sliding", SCREE_ENERGY_LOST, SCREE_LOSS_SLIDING},
    {"lost to rolling", SCREE_ENERGY_LOST, SCREE_LOSS_ROLLING},
    {"lost to torsion", SCREE_ENERGY_LOST, SCREE_LOSS_TORSION},
    {"lost to plastic deformation", SCREE_ENERGY_LOST, SCREE_LOSS_PLASTIC},
    {"lost to changes of stiffness", SCREE_ENERGY_LOST, SCREE_LOSS_STIFFNESS},
    {"lost to background", SCREE_ENERGY_LOST, SCREE_LOSS_BACKGROUND},
    {"lost to walls and drives", SCREE_ENERGY_WORK, SCREE_LOSS_DRIVES},
    {0},
};

static double value_of(const struct scree_energy_line *line, const struct scree_md_energies *e)
{
    switch (line->kind) {
    case SCREE_ENERGY_KINETIC: return e->kinetic;
    case SCREE_ENERGY_ROTATIONAL: return e->rotational;
    case SCREE_ENERGY_ELASTIC: return e->elastic[line->channel];
    case SCREE_ENERGY_GRAVITY: return e->gravity;
    case SCREE_ENERGY_STORED: return 0.0; /* there is none */
    case SCREE_ENERGY_LOST:
    case SCREE_ENERGY_WORK: return e->loss[line->channel];
    }
    return 0.0;
}

void scree_md_write_lines(const struct scree_md_energies *e, struct scree_energies *lines)
{
    const struct scree_energy_line *line = scree_md_energy_lines;
    for (int k = 0; line[k].name != NULL; k++) lines->value[k] = value_of(&line[k], e);
    lines->closure = e->closure;
    lines->turnover = e->turnover;
}
