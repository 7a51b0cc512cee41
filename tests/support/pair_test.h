/* SPDX-License-Identifier: BSD-3-Clause
 * Collisions as tests: pairs of grains side by side, or grains that hit a wall; what comes out.
 *
 * They need one rank. A step begins at some moment between first touch and first force, so a single
 * collision depends a little on this phase; averages over phases are compared. */
#ifndef SCREE_PAIR_TEST_H
#define SCREE_PAIR_TEST_H

#include "job_test.h"

enum { N_PHASES = 8, MOST = 16 };

struct collision {
    double mass[2], radius[2];
    double speed;                     /* m/s; of approach, along x */
    double phase;                     /* gap at the start, in distances that one step covers */
    double restitution, contact_time; /* results */
    double last_overlap;              /* m; at the end; < 0: apart */
    double overlap, force;            /* m, N; largest ones, if the setting says so */
    double spread;                    /* of restitution over phases */
};

/* Pairs side by side, far enough apart not to meet. `second_is_wall`: a plane through the origin,
 * which moves at `wall` m/s, takes the place of the second grain. */
struct setting {
    int dimension;
    double dt;
    int64_t steps;
    bool second_is_wall;
    double wall;
    double size;     /* m; about that of the largest radius; 0: 1 mm */
    bool track;      /* look for the largest overlap and force */
    char entry[200]; /* further keys of the entry of `contacts`, each after a comma */
    char law[200];   /* of the normal force, with its keys */
};

static inline double setting_size(const struct setting *s)
{
    return s->size > 0.0 ? s->size : 1e-3;
}

static inline bool open_setting(struct mpi_test *t, const struct setting *s, int n,
                                struct scree_job *job)
{
    char text[1500], walls[200] = "";
    double size = setting_size(s);
    if (s->second_is_wall)
        snprintf(walls, sizeof walls,
                 "boundaries: {w: {shape: plane, material: m, point: [0, 0, 0], normal: "
                 "[-1, 0, 0], velocity: [%g, 0, 0]}}\n",
                 s->wall);
    snprintf(text, sizeof text,
             "dimension: %d\ntime: {step: %.17g, steps: 1}\n"
             "domain: {low: [%g, 0, %g], high: [%g, %g, %g]}\n"
             "materials: {m: {density: 1}}\n"
             "contacts: [{between: [m, m], normal: {%s}%s}]\n%s"
             "particles: [{lattice: {material: m, radius: %g, count: %d}}]\n",
             s->dimension, s->dt, -10.0 * size, -10.0 * size, 10.0 * size, 5.0 * size * n,
             10.0 * size, s->law, s->entry, walls, size, n);
    return job_open(t, job, job_self(), text, NULL);
}

static inline struct job_grain make_grain(const struct setting *s, const struct collision *c,
                                          int which)
{
    double side = which == 0 ? -1.0 : 1.0, total = c->mass[0] + c->mass[1];
    struct job_grain g = {.radius = c->radius[which], .mass = c->mass[which]};
    double gap = c->phase * c->speed * s->dt;
    g.pos[0] = side * (g.radius + (s->second_is_wall ? gap : 0.5 * gap));
    g.vel[0] = -side * c->speed * (s->second_is_wall ? 1.0 : c->mass[1 - which] / total) + s->wall;
    return g;
}

/* m; of a pair whose first grain moves as told; < 0: they are apart. */
static inline double overlap_of(const struct setting *s, const struct collision *c,
                                const struct job_motion *first, double time)
{
    double reach = c->radius[0] + (s->second_is_wall ? 0.0 : c->radius[1]);
    return reach - ((s->second_is_wall ? s->wall * time : first[1].pos[0]) - first->pos[0]);
}

static inline void track_pairs(const struct setting *s, const struct job_motion *now, double time,
                               struct collision *pair, int n)
{
    int each = s->second_is_wall ? 1 : 2;
    for (int k = 0; k < n; k++) {
        const struct job_motion *first = &now[each * k];
        pair[k].overlap = fmax(pair[k].overlap, overlap_of(s, &pair[k], first, time));
        pair[k].force = fmax(pair[k].force, -first->force[0]);
    }
}

static inline void collide(struct mpi_test *t, const struct setting *s, struct collision *pair,
                           int n)
{
    struct scree_job job;
    struct job_grain grain[2 * MOST];
    struct job_motion after[2 * MOST];
    int each = s->second_is_wall ? 1 : 2;
    if (!open_setting(t, s, each * n, &job)) return;
    for (int k = 0; k < each * n; k++) {
        grain[k] = make_grain(s, &pair[k / each], k % each);
        grain[k].pos[1] = 10.0 * setting_size(s) * (k / each);
    }
    job_put(&job, grain, each * n);
    job_start(t, &job);
    for (int64_t step = s->track ? 1 : s->steps; step <= s->steps; step++) {
        job_advance(t, &job, step);
        job_find_all(&job, after, each * n);
        if (s->track) track_pairs(s, after, (double)step * s->dt, pair, n);
    }
    double time = (double)s->steps * s->dt;
    for (int k = 0; k < n; k++) {
        struct collision *c = &pair[k];
        const struct job_motion *a = &after[each * k], *b = a + 1;
        c->last_overlap = overlap_of(s, c, a, time);
        double speed = (s->second_is_wall ? s->wall : b->vel[0]) - a->vel[0];
        c->restitution = speed / c->speed;
        c->contact_time =
            time + c->last_overlap / speed - c->phase * s->dt; /* free flight traced back */
    }
    scree_job_clear(&job);
}

static inline struct collision equal_pair(double reduced_mass, double speed, double phase)
{
    double m = 2.0 * reduced_mass;
    return (struct collision){
        .mass = {m, m}, .radius = {1e-3, 1e-3}, .speed = speed, .phase = phase};
}

/* The mean of several phases, its spread, and the largest of the peaks. */
static inline struct collision average(struct mpi_test *t, const struct setting *s,
                                       const struct collision *like)
{
    struct collision pair[N_PHASES], mean = *like;
    for (int k = 0; k < N_PHASES; k++) {
        pair[k] = *like;
        pair[k].phase = (k + 0.5) / N_PHASES;
    }
    collide(t, s, pair, N_PHASES);
    double least = INFINITY, most = -INFINITY;
    mean.restitution = mean.contact_time = 0.0;
    for (int k = 0; k < N_PHASES; k++) {
        mean.restitution += pair[k].restitution / N_PHASES;
        mean.contact_time += pair[k].contact_time / N_PHASES;
        least = fmin(least, pair[k].restitution);
        most = fmax(most, pair[k].restitution);
        mean.overlap = fmax(mean.overlap, pair[k].overlap);
        mean.force = fmax(mean.force, pair[k].force);
    }
    mean.spread = most - least;
    return mean;
}

#endif
