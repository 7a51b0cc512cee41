/* SPDX-License-Identifier: BSD-3-Clause
 * What the kinds of samples share: material, radii and region of new grains, their velocities. */
#ifndef SCREE_SAMPLES_IMPL_H
#define SCREE_SAMPLES_IMPL_H

#include "scree/regions.h"
#include "scree/samples.h"
#include "scree/sizes.h"

/* Filling under way. */
struct scree_sample_run {
    const struct scree_samples_setting *setting;
    const struct scree_sample_context *context;
    struct scree_particles *p;
    scree_gid n_before; /* largest gid of the samples before this one; fill() moves it on */
};

/* Keys that all kinds which make new grains share. */
struct scree_sample_grains {
    const char *material;
    const struct scree_node *radius, *region_node;
    double low[3], high[3];    /* m; short for a region that is a box */
    double speed, temperature; /* m/s, J; NAN: not given */
    double spin;               /* rad/s; rms per component */
    double drift[3];           /* m/s; of the centre of mass */
    int velocities;            /* enum scree_sample_velocities */
    /* Set by scree_sample_check_grains(): */
    int species;
    struct scree_sizes sizes; /* owned */
    struct scree_region region;
};
enum scree_sample_velocities { SCREE_SAMPLE_MAXWELL, SCREE_SAMPLE_UNIFORM };

extern const struct scree_param scree_sample_grain_params[];

/* Of a sample of the kind `random`: grains in all. */
int64_t scree_sample_random_count(const struct scree_sample *sample);
/* Of a sample of the kind `dense`: the overlap that may be left, as a part of a radius. */
double scree_sample_dense_overlap(const struct scree_sample *sample);

/* Material, radii, region, velocities. False if something was wrong or the box is. */
bool scree_sample_check_grains(struct scree_input *input, const struct scree_node *node,
                               const struct scree_samples_setting *setting,
                               struct scree_sample_grains *grains);

/* Refuse `count` grains that would, shrunk by `shrink` < 1, fill more than all of their region. */
void scree_sample_check_filling(struct scree_input *input, const struct scree_node *node,
                                const struct scree_sample_grains *grains, int64_t count,
                                double shrink);

/* This rank's share [*begin, *end) of n grains. */
void scree_sample_share(const struct scree_comm *comm, int64_t n, int64_t *begin, int64_t *end);

/* New grains keep off walls, where these are by now, as they keep off each other (off_walls.c); all
 * of a sample that are glued to a wall may reach into it. */
bool scree_sample_keeps_off(const struct scree_sample *sample, const struct scree_wall *wall);
bool scree_sample_keeps_off_any(const struct scree_sample *sample, const struct scree_walls *walls);
/* Is a grain off all these walls by at least a gap (m), and on the good side of those that have
 * one? A billionth of its radius may stick in. */
bool scree_sample_is_off_walls(const struct scree_sample *sample, const struct scree_walls *walls,
                               const double pos[4], double gap);

/* Append one grain of radius pos[3], at rest; mass from the density of its material. */
scree_lid scree_sample_append(struct scree_sample_run *run, scree_gid gid, int species,
                              const double pos[4]);
/* Append one grain with a mass of its own; image counts the periods by which pos was outside the
 * box. */
scree_lid scree_sample_append_heavy(struct scree_sample_run *run, scree_gid gid, int species,
                                    const double pos[4], double mass);

/* This rank's share of n new grains whose places every rank knows, numbered in that order and in
 * motion. Collective. */
void scree_sample_append_all(struct scree_sample_run *run, const struct scree_sample_grains *grains,
                             int64_t n, const double (*pos)[4]);

/* Random velocities and spins for the grains appended since slot `first`; the velocity of their
 * common centre of mass over all ranks becomes `drift`. Collective. */
void scree_sample_stir(const struct scree_sample_grains *grains, struct scree_sample_run *run,
                       scree_lid first);

/* Make some of the grains appended since slot `first` part of walls; returns how many on this
 * rank. */
int64_t scree_sample_glue(const struct scree_sample_glue *glue, struct scree_sample_run *run,
                          scree_lid first);
/* Does this wall take grains of the sample in? */
bool scree_sample_is_glued_to(const struct scree_sample *sample, const struct scree_wall *wall);
void scree_sample_read_glue(struct scree_sample *sample, struct scree_input *input,
                            const struct scree_node *node,
                            const struct scree_samples_setting *setting);

/* This rank's share of the nodes of all membranes, the first grains of a run. */
void scree_sample_append_nodes(struct scree_sample_run *run);

/* What has been made since slot `first`. Collective. */
void scree_sample_summarise(struct scree_sample *sample, const struct scree_sample_run *run,
                            scree_lid first, int64_t n_glued);

/* Position of a word in a NULL-ended list, or -1. */
int scree_sample_find_word(const char *const *words, const char *word);
/* Area of a disk or volume of a sphere. */
double scree_sample_solid(int dimension, double radius);

#endif
