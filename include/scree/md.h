/* SPDX-License-Identifier: BSD-3-Clause
 * Soft-sphere molecular dynamics: forces from overlaps, velocity Verlet in leapfrog form. */
#ifndef SCREE_MD_H
#define SCREE_MD_H

#include "scree/exact.h"
#include "scree/scene.h"

struct scree_md; /* state of the method */

struct scree_md_settings {
    double dt;                  /* s */
    double background_friction; /* kg/s; force -gamma_b v on every grain (Luding 1.15) */
};

/* The first force evaluation happens here; history does not advance in it. Collective. */
enum scree_status scree_md_create(struct scree_md **md, struct scree_scene *scene,
                                  const struct scree_md_settings *settings);
void scree_md_destroy(struct scree_md **md);

/* Advance to step number `step`. Collective. */
enum scree_status scree_md_advance(struct scree_md *md, struct scree_scene *scene, int64_t step);

int64_t scree_md_step(const struct scree_md *md);
double scree_md_time(const struct scree_md *md);

/* Velocity and spin of an owned grain at the present time (the columns hold those of half a step
 * earlier, once the first step is done). */
void scree_md_velocity(const struct scree_md *md, const struct scree_scene *scene, scree_lid i,
                       double velocity[3], double spin[3]);

/* N and N m per unit of the column `load`. */
double scree_md_force_quantum(const struct scree_md *md);
double scree_md_torque_quantum(const struct scree_md *md);

#endif
