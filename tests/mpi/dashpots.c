/* SPDX-License-Identifier: BSD-3-Clause
 * Dashpots of a dense packing that are too strong for the step: on a face-centred cubic lattice,
 * each grain with twelve contacts, motion is damped below gamma dt / m = 1/8 (1/4 with velocities
 * of half steps) and grows above; the warning says so at the same value, on any number of ranks. */
#include "../../src/md/md_advise.h"
#include "job_test.h"

enum { CELLS = 4, GRAINS = 4 * CELLS * CELLS * CELLS, EARLY = 40, LATE = 240 };

/* Unit masses at rest but for tiny velocities, together none, radii 1, overlaps of 1/500. */
static void place(struct job_grain *grain, double edge)
{
    static const double site[4][3] = {{0, 0, 0}, {0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5}};
    uint32_t noise = 12345;
    for (int k = 0; k < GRAINS; k++) {
        const int cell[3] = {k / 4 % CELLS, k / 4 / CELLS % CELLS, k / 4 / CELLS / CELLS};
        grain[k] = (struct job_grain){.radius = 1, .mass = 1};
        for (int a = 0; a < 3; a++) {
            noise = noise * 1664525u + 1013904223u;
            grain[k].pos[a] = edge * (cell[a] + site[k % 4][a] + 0.1);
            grain[k].vel[a] =
                k % 2 == 1 ? -grain[k - 1].vel[a] : 1e-9 * ((noise >> 8) / 16777216.0 - 0.5);
        }
    }
}

/* Kinetic energy at a late over that at an early moment, with steps of 1 s; *strain: as warned. */
static double growth(struct mpi_test *t, double gamma, const char *timing, double *strain)
{
    char text[1000];
    struct scree_job job;
    struct job_energies early, late;
    struct job_grain grain[GRAINS];
    double edge = 2.0 * sqrt(2.0) * 0.999, size = edge * CELLS;
    snprintf(text, sizeof text,
             "time: {step: 1, steps: 1}\nmaterials: {m: {density: 1}}\n"
             "domain: {low: [0, 0, 0], high: [%.17g, %.17g, %.17g], periodic: [x, y, z]}\n"
             "contacts: [{between: [m, m], timing: %s, normal: {law: linear, stiffness: 1e-3, "
             "damping: %.17g}}]\nparticles: [{lattice: {material: m, radius: 0.5, count: %d}}]\n",
             size, size, size, timing, gamma, GRAINS);
    if (!job_open(t, &job, t->comm, text, NULL)) return NAN;
    place(grain, edge);
    job_put(&job, grain, GRAINS);
    job_start(t, &job);
    scree_log_init(SCREE_LOG_ERROR, false);
    scree_md_warn(job.run.state, &job.run.scene);
    *strain = ((const struct scree_md *)job.run.state)->warnings.worst[SCREE_MD_WARNING_DASHPOTS];
    job_advance(t, &job, EARLY);
    job_energies(&job, &early);
    job_advance(t, &job, LATE);
    job_energies(&job, &late);
    scree_job_clear(&job);
    return late.kinetic / early.kinetic;
}

static void check_limit(struct mpi_test *t, const char *timing, double limit)
{
    double strain[2], below = growth(t, 0.94 * limit, timing, &strain[0]);
    double above = growth(t, 1.06 * limit, timing, &strain[1]);
    MPI_TEST(t, below < 0.5, "%s: below the limit motion grows by %g", timing, below);
    MPI_TEST(t, above > 1e2, "%s: above the limit motion grows by %g", timing, above);
    JOB_NEAR(t, "warning below the limit", strain[0], 0.94, 1e-6);
    JOB_NEAR(t, "warning above the limit", strain[1], 1.06, 1e-6);
}

int main(int argc, char **argv)
{
    struct mpi_test t;
    mpi_test_begin(&t, &argc, &argv);
    check_limit(&t, "synchronised", 1.0 / 8.0);
    check_limit(&t, "half-step", 1.0 / 4.0);
    return mpi_test_end(&t);
}
