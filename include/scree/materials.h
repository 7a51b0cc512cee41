/* SPDX-License-Identifier: BSD-3-Clause
 * What grains are made of: the section `materials`. The species of a grain is the number of its
 * material. */
#ifndef SCREE_MATERIALS_H
#define SCREE_MATERIALS_H

#include <stdbool.h>

#include "scree/input.h"

struct scree_materials {
    bool disks; /* mass and inertia of disks, not of spheres; set before reading */
    int n;
    const char **name; /* NULL-ended; owned, the texts by the input */
    double *density;   /* kg/m^3 (disks: kg/m^2); owned */
};

extern const struct scree_param scree_materials_sphere_params[], scree_materials_disk_params[];

/* Read the section (NULL: none); collects mistakes. */
void scree_materials_read(struct scree_materials *materials, struct scree_input *input,
                          const struct scree_node *node);
void scree_materials_clear(struct scree_materials *materials);

/* The number of a material; -1: there is none of this name. */
int scree_materials_find(const struct scree_materials *materials, const char *name);
/* Volume of a sphere, or area of a disk, of radius 1. */
double scree_materials_unit_volume(const struct scree_materials *materials);
/* kg; the mass of a grain of this density and radius (m). */
double scree_materials_mass(const struct scree_materials *materials, double density, double radius);
/* kg; the mass that a grain of this radius (m) has at most. */
double scree_materials_heaviest(const struct scree_materials *materials, double radius);

#endif
