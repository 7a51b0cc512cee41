/* SPDX-License-Identifier: BSD-3-Clause
 * What contacts cost with each law, relative to a linear spring with friction by a spring: CPU time
 * of the whole step per contact on one dense periodic sample in shear. The jobs take turns, and the
 * best turn of each counts, so that other work on the machine does not matter much.
 * Prints one line; exit code 1 if Kuhn's law costs more than three times as much, or than `spring`
 * if all contacts slip. */
#include <time.h>

#include "job_test.h"

enum { TURNS = 20, STEPS = 3, WARM_UP = 60 }; /* the best turn has no rebuild of lists in it */

#define LINEAR  "normal: {law: linear, stiffness: 2e5, damping: 25}"
#define HERTZ   "normal: {law: hertz, young: 4e6, poisson: 0.3, restitution: 0.8}"
#define PLASTIC "normal: {law: hysteretic, stiffness: 2e5, stiffness_unloading: 4e5, cohesion: 2e4}"
#define SPRING  "tangential: {law: spring, stiffness: 6e4, friction: 0.5}"
#define COUPLE  "{law: spring, stiffness: 6e4, friction: 0.1}"

static const struct {
    const char *name, *entry;
} laws[] = {
    {"linear+spring", LINEAR ", " SPRING},
    {"linear", LINEAR},
    {"power+spring", "normal: {law: power, stiffness: 2e6, damping: 200}, " SPRING},
    {"hertz+spring", HERTZ ", " SPRING},
    {"hysteretic+spring", PLASTIC ", " SPRING},
    {"linear+fazekas", LINEAR ", tangential: {law: fazekas, stiffness: 6e4, friction: 0.5}"},
    {"linear+kuhn", LINEAR ", tangential: {law: kuhn, stiffness: 6e4, friction: 0.5}"},
    {"hertz+mindlin",
     HERTZ ", tangential: {law: mindlin, young: 4e6, poisson: 0.3, friction: 0.5}"},
    {"linear+spring+rolling+torsion", LINEAR ", " SPRING ", rolling: " COUPLE ", torsion: " COUPLE},
    {"linear+spring (all slip)",
     LINEAR ", tangential: {law: spring, stiffness: 6e4, friction: 1e-4}"},
    {"linear+kuhn (all slip)", LINEAR ", tangential: {law: kuhn, stiffness: 6e4, friction: 1e-4}"},
};
enum { N_LAWS = sizeof laws / sizeof laws[0], KUHN = 6, ALL_SLIP = 9 };

struct candidate {
    struct scree_job job;
    double seconds; /* per contact and step; best turn */
    double contacts, sliding;
};

static bool open_job(struct mpi_test *t, struct scree_job *job, const char *entry,
                     const char *sample)
{
    char text[1200];
    snprintf(text, sizeof text,
             "time: {step: 1e-4, steps: 1}\nseed: 3\nmaterials: {m: {density: 1.9}}\n"
             "domain: {low: [0, 0, 0], high: [20, 20, 20], periodic: [x, y, z]}\n"
             "contacts: [{between: [m, m], %s}]\n"
             "particles: [{%s: {material: m, %s, speed: 0.5, spin: 1, count: 9600}}]\n",
             entry, sample,
             strcmp(sample, "dense") == 0 ? "radius: 0.49" : "radius: 0.4, spacing: 0.9");
    return job_open(t, job, t->comm, text, NULL);
}

/* All jobs get the grains of the first one, a little larger, so that they touch, and in shear. */
static void copy_grains(struct scree_job *from, struct job_grain *grain)
{
    const struct scree_particles *p = from->run.scene.particles;
    for (scree_lid i = 0; i < p->n_owned; i++) {
        struct job_grain *g = &grain[p->gid[i] - 1];
        *g = (struct job_grain){.radius = 0.51, .mass = p->mass[i]};
        for (int a = 0; a < 3; a++) {
            g->pos[a] = p->pos[i][a];
            g->vel[a] = p->vel[i][a] + (a == 0 ? 0.1 * (p->pos[i][2] - 10.0) : 0.0);
            g->spin[a] = p->spin[i][a];
        }
    }
}

static void count(void *context, const struct scree_contact *contact)
{
    struct candidate *c = context;
    c->contacts += 1.0;
    c->sliding += contact->slides ? 1.0 : 0.0;
}

static void take_turn(struct mpi_test *t, struct candidate *c)
{
    int64_t step = scree_run_step(&c->job.run);
    clock_t begin = clock();
    job_advance(t, &c->job, step + STEPS);
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC / STEPS;
    c->contacts = c->sliding = 0.0;
    c->job.run.stepper->contacts(c->job.run.state, &c->job.run.scene, count, c);
    c->seconds = fmin(c->seconds, seconds / c->contacts);
}

static void print(const struct candidate *c)
{
    printf("laws: %s %.1f ns per contact (%.1f contacts per grain, %.0f %% sliding); others "
           "relative to it:",
           laws[0].name, 1e9 * c[0].seconds, 2.0 * c[0].contacts / (double)c[0].job.run.n_grains,
           100.0 * c[0].sliding / c[0].contacts);
    for (int k = 1; k < N_LAWS; k++)
        printf(" %s %.2f%s", laws[k].name, c[k].seconds / c[0].seconds,
               k + 1 < N_LAWS ? "," : "\n");
}

int main(int argc, char **argv)
{
    struct mpi_test t;
    mpi_test_begin(&t, &argc, &argv);
    struct candidate *c = scree_alloc(N_LAWS, sizeof *c);
    struct scree_job first;
    if (!open_job(&t, &first, laws[0].entry, "dense")) return mpi_test_end(&t);
    int n = (int)first.run.n_grains;
    struct job_grain *grain = scree_alloc((size_t)n, sizeof *grain);
    copy_grains(&first, grain);
    scree_job_clear(&first);
    for (int k = 0; k < N_LAWS; k++) {
        c[k].seconds = INFINITY;
        if (!open_job(&t, &c[k].job, laws[k].entry, "lattice")) return mpi_test_end(&t);
        job_put(&c[k].job, grain, n);
        job_start(&t, &c[k].job);
        job_advance(&t, &c[k].job, WARM_UP);
    }
    for (int turn = 0; turn < TURNS; turn++)
        for (int k = 0; k < N_LAWS; k++) take_turn(&t, &c[k]);
    print(c);
    MPI_TEST(&t, c[KUHN].seconds <= 3.0 * c[0].seconds, "Kuhn's law costs %.2f times as much",
             c[KUHN].seconds / c[0].seconds);
    MPI_TEST(&t, c[ALL_SLIP + 1].seconds <= 3.0 * c[ALL_SLIP].seconds,
             "Kuhn's law costs %.2f times as much if all slip",
             c[ALL_SLIP + 1].seconds / c[ALL_SLIP].seconds);
    for (int k = 0; k < N_LAWS; k++) scree_job_clear(&c[k].job);
    scree_alloc_free(grain);
    scree_alloc_free(c);
    return mpi_test_end(&t);
}
