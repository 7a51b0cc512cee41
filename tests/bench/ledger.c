/* SPDX-License-Identifier: BSD-3-Clause
 * One side of tests/bench/ledger: a dense periodic sample in shear. Each line of standard input
 * asks for a turn of some steps; the answer is the CPU time of the turn in s, in a line of standard
 * output. In a build that keeps the ledger, a turn ends with a row of energies, as runs have it
 * after as many steps. Argument: `linear`, `hertz` or `deck` (linear, with the levers and the
 * timing of the LAMMPS decks), the laws. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "job_test.h"

enum { GRAINS = 9600, STEPS = 100, WARM_UP = 60 }; /* STEPS: between rows of series, by default */

#define LINEAR                                                  \
    "normal: {law: linear, stiffness: 2e5, damping_rate: 50}, " \
    "tangential: {law: spring, stiffness: 57142.857, friction: 0.5}"
#define HERTZ                                                            \
    "normal: {law: hertz, young: 4e6, poisson: 0.3, restitution: 0.8}, " \
    "tangential: {law: mindlin, young: 4e6, poisson: 0.3, friction: 0.5}"

/* Grains a little larger than the sample made them touch; the sample is sheared. */
static void press(struct scree_job *job)
{
    const struct scree_particles *p = job->scene.particles;
    struct job_grain *grain = scree_alloc((size_t)p->n_owned, sizeof *grain);
    for (scree_lid i = 0; i < p->n_owned; i++) {
        struct job_grain *g = &grain[p->gid[i] - 1];
        *g = (struct job_grain){.radius = 0.51, .mass = p->mass[i]};
        for (int a = 0; a < 3; a++) {
            g->pos[a] = p->pos[i][a];
            g->vel[a] = p->vel[i][a] + (a == 0 ? 0.1 * (p->pos[i][2] - 10.0) : 0.0);
            g->spin[a] = p->spin[i][a];
        }
    }
    job_put(job, grain, p->n_owned);
    scree_alloc_free(grain);
}

static double take_turn(struct mpi_test *t, struct scree_job *job)
{
    clock_t begin = clock();
    struct scree_energies row;
    job_advance_for(t, job, scree_job_step(job) + STEPS, SCREE_LEDGER ? &row : NULL);
    return (double)(clock() - begin) / CLOCKS_PER_SEC;
}

int main(int argc, char **argv)
{
    struct mpi_test t;
    mpi_test_begin(&t, &argc, &argv);
    char text[1200], line[16];
    const char *laws = argc > 1 ? argv[1] : "linear";
    snprintf(text, sizeof text,
             "time: {step: 1e-4, steps: 1}\nseed: 3\nmaterials: {m: {density: 1.9}}\n"
             "domain: {low: [0, 0, 0], high: [20, 20, 20], periodic: [x, y, z]}\n"
             "contacts: [{between: [m, m], %s}]\n"
             "particles: [{dense: {material: m, radius: 0.49, speed: 0.5, spin: 1, count: %d}}]\n",
             strcmp(laws, "hertz") == 0  ? HERTZ
             : strcmp(laws, "deck") == 0 ? "lever: radius, timing: half-step, " LINEAR
                                         : LINEAR,
             GRAINS);
    struct scree_job job;
    if (!job_open(&t, &job, t.comm, text, NULL)) return mpi_test_end(&t);
    press(&job);
    job_start(&t, &job);
    job_advance(&t, &job, WARM_UP);
    while (fgets(line, sizeof line, stdin) != NULL) {
        printf("turn %.6f\n", take_turn(&t, &job));
        fflush(stdout);
    }
    scree_job_clear(&job);
    return mpi_test_end(&t);
}
