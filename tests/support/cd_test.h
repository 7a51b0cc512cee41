/* SPDX-License-Identifier: BSD-3-Clause
 * Rigid grains for tests of contact dynamics: on the plane z = 0 (2D: y = 0) or in free space. */
#ifndef SCREE_CD_TEST_H
#define SCREE_CD_TEST_H

#include "../../src/cd/cd_impl.h"
#include "job_test.h"

/* What tests choose; what is not given is 3D, euler, without a plane, and solved to 1e-10. */
struct cd_scene {
    int dimension;      /* 0: 3 */
    const char *scheme; /* NULL: euler */
    double dt;
    double height;     /* m; the domain reaches so far up and down; 0: 16, as along the plane */
    double gravity[2]; /* m/s^2; along x and down */
    bool plane;
    const char *rigid;  /* keys of the contact law, or NULL */
    const char *solver; /* keys, or NULL */
};

static inline int cd_up(const struct cd_scene *s)
{
    return s->dimension == 2 ? 1 : 2;
}

static inline bool cd_open(struct mpi_test *t, const struct cd_scene *s,
                           const struct job_grain *grain, int n, struct scree_job *job)
{
    char text[1400], plane[160] = "";
    const bool flat = s->dimension == 2;
    const double height = s->height > 0.0 ? s->height : 16.0, y = flat ? height : 16.0;
    if (s->plane)
        snprintf(plane, sizeof plane,
                 "boundaries: {w: {shape: plane, material: m, point: [0, 0, 0], normal: %s}}\n",
                 flat ? "[0, 1, 0]" : "[0, 0, 1]");
    snprintf(text, sizeof text,
             "method: cd\ndimension: %d\ntime: {step: %.17g, steps: 1, scheme: %s}\n"
             "gravity: [%.17g, %.17g, %.17g]\nmaterials: {m: {density: 1}}\n"
             "domain: {low: [-16, -%g, -%g], high: [16, %g, %g]}\n"
             "solver: {%s}\ncontacts: [{between: [m, m], rigid: {%s}}]\n%s"
             "particles: [{lattice: {material: m, radius: 0.5, count: %d}}]\n",
             flat ? 2 : 3, s->dt, s->scheme != NULL ? s->scheme : "euler", s->gravity[0],
             flat ? -s->gravity[1] : 0.0, flat ? 0.0 : -s->gravity[1], y, height, y, height,
             s->solver != NULL ? s->solver : "residual: 1e-10", s->rigid != NULL ? s->rigid : "",
             plane, n);
    if (!job_open(t, job, job_self(), text, NULL)) return false;
    job_put(job, grain, n);
    return job_start(t, job);
}

/* One grain for some time; `energies` may be NULL. */
static inline struct job_motion cd_run(struct mpi_test *t, const struct cd_scene *s,
                                       const struct job_grain *grain, double time,
                                       struct job_energies *energies)
{
    struct scree_job job;
    struct job_motion m = {.rank = -1};
    if (energies != NULL) memset(energies, 0, sizeof *energies);
    if (!cd_open(t, s, grain, 1, &job)) return m;
    job_advance_for(t, &job, (int64_t)(time / s->dt + 0.5), energies);
    job_find_all(&job, &m, 1);
    scree_job_clear(&job);
    return m;
}

/* How the last step was solved. */
static inline const struct scree_cd_outcome *cd_outcome(const struct scree_job *job)
{
    const struct scree_cd *cd = job->run.state;
    return &cd->outcome;
}

#endif
