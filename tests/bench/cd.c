/* SPDX-License-Identifier: BSD-3-Clause
 * One step of contact dynamics of spheres at rest under gravity, solved from zero: the time of the
 * solver, and the problem in a file for others to solve (cd_siconos.py).
 * Usage: bench_cd FILE GRAINS RESIDUAL [KEY=VALUE ...], on one or more ranks; the file is written
 * on one. Prints grains, contacts, candidates, residual, sweeps, seconds. */
#include <stdio.h>

#include "../../src/cd/cd_impl.h"
#include "job_test.h"
#include "scree/vec.h"

enum { SETTLE = 150, TURNS = 3 };

/* A square column about as high as it is wide. */
static bool open_sample(struct mpi_test *t, struct scree_job *job, int grains, const char *residual,
                        const char *const *sets)
{
    char text[1200];
    double edge = cbrt(grains * 4.0 / 3.0 * 3.14159265358979323846 * 0.091 / 0.55);
    snprintf(text, sizeof text,
             "method: cd\ntime: {step: 0.01, steps: 1}\nseed: 3\nmaterials: {m: {density: 1.9}}\n"
             "gravity: [0, 0, -1]\n"
             "domain: {low: [0, 0, 0], high: [%.17g, %.17g, %.17g], periodic: [x, y]}\n"
             "boundaries: {floor: {shape: plane, material: m, point: [0, 0, 0], "
             "normal: [0, 0, 1]}}\n"
             "contacts: [{between: [m, m], rigid: {friction: 0.3}}]\n"
             "solver: {residual: %s, most: 100000}\n"
             "particles: [{dense: {material: m, radius: {uniform: [0.4, 0.5]}, count: %d}}]\n",
             edge, edge, edge, residual, grains);
    return job_open(t, job, t->comm, text, sets);
}

/* Numbers of the problem as lines of text: grains (inverse mass and inertia, free velocity and
 * spin), then contacts (grains, normal, arms, drift, least normal velocity, friction, impulse). */
static void write_problem(void *file, const struct scree_cd_problem *p)
{
    if (file == NULL) return;
    fprintf(file, "%zu %zu\n", p->n_bodies, p->n_contacts);
    for (size_t b = 0; b < p->n_bodies; b++) {
        const struct scree_cd_body *body = &p->body[b];
        fprintf(file, "%.17g %.17g", body->inverse_mass, body->inverse_inertia);
        for (int k = 0; k < 6; k++) fprintf(file, " %.17g", body->free[k]);
        fprintf(file, "\n");
    }
    for (size_t c = 0; c < p->n_contacts; c++) {
        const struct scree_cd_contact *at = &p->contact[c];
        fprintf(file, "%d %d", p->copy_body[at->a], at->b < 0 ? -1 : p->copy_body[at->b]);
        for (int k = 0; k < 3; k++) fprintf(file, " %.17g", at->normal[k]);
        fprintf(file, " %.17g %.17g", at->arm[0], at->arm[1]);
        for (int k = 0; k < 3; k++) fprintf(file, " %.17g", at->drift[k]);
        fprintf(file, " %.17g %.17g %.17g", at->target, at->friction, p->impulse[c].n);
        for (int k = 0; k < 3; k++) fprintf(file, " %.17g", p->impulse[c].t[k]);
        fprintf(file, "\n");
    }
}

/* Wall time of the sweeps of one step, and its sweeps. */
static double solve_step(struct mpi_test *t, struct scree_job *job, int64_t *sweeps)
{
    const struct scree_cd *cd = job->run.state;
    struct scree_timer *timer = job->run.scene.timer;
    double before = timer->seconds[SCREE_CD_PHASE_SWEEPS];
    job_advance(t, job, scree_run_step(&job->run) + 1);
    *sweeps = cd->outcome.sweeps;
    return timer->seconds[SCREE_CD_PHASE_SWEEPS] - before;
}

static void measure(struct mpi_test *t, struct scree_job *job, const char *path)
{
    struct scree_cd *cd = job->run.state;
    struct scree_cd_values *values = job->run.values;
    int64_t count[2], sweeps = 0;
    double best = INFINITY;
    job_advance(t, job, SETTLE);
    values->warm_start = false;
    for (int turn = 0; turn < TURNS; turn++) {
        FILE *file = turn + 1 == TURNS && t->comm->n_ranks == 1 ? fopen(path, "w") : NULL;
        cd->inspect = write_problem;
        cd->inspector = file;
        best = fmin(best, solve_step(t, job, &sweeps));
        if (file != NULL) fclose(file);
    }
    job_count_contacts(job, count);
    int64_t candidates = (int64_t)cd->n_all;
    scree_comm_sum_int(t->comm, &candidates, 1);
    if (t->comm->rank == 0)
        printf("cd: %lld %lld %lld %.4g %lld %.4g\n", (long long)job->run.n_grains,
               (long long)(count[0] + count[1]), (long long)candidates, cd->outcome.residual,
               (long long)sweeps, best);
    MPI_TEST(t, cd->outcome.converged, "not solved");
}

int main(int argc, char **argv)
{
    struct mpi_test t;
    struct scree_job job;
    mpi_test_begin(&t, &argc, &argv);
    if (argc < 4) {
        MPI_TEST(&t, false, "usage: bench_cd FILE GRAINS RESIDUAL [KEY=VALUE ...]");
        return mpi_test_end(&t);
    }
    const char *const *sets = (const char *const *)(argv + 4); /* ends with NULL, as argv does */
    if (!open_sample(&t, &job, atoi(argv[2]), argv[3], sets)) return mpi_test_end(&t);
    job_start(&t, &job);
    measure(&t, &job, argv[1]);
    scree_job_clear(&job);
    return mpi_test_end(&t);
}
