/* SPDX-License-Identifier: BSD-3-Clause
 * Pair lists hold whatever sets grains in motion: a bed at rest whose floor starts late, at once or
 * from a stage on, and one that is hit by a grain faster than its skin. Lists that are made anew in
 * each step are the truth; the same bits are wanted on any number of ranks. */
#include "job_test.h"

enum { SIDE = 6, LAYERS = 3, N = SIDE * SIDE * LAYERS + 1, STEPS = 2000 };

static const double radius = 1e-3, mass = 1e-5;

static const char bed[] =
    "time: {step: 2e-6, steps: 2000}\ngravity: [0, 0, -9.81]\n"
    "domain: {low: [0, 0, 0], high: [15e-3, 15e-3, 30e-3], periodic: [x, y]}\n"
    "materials: {m: {density: 2500}}\n"
    "contacts: [{between: [m, m], normal: {law: linear, stiffness: 2e3, restitution: 0.5}, "
    "tangential: {law: fazekas, stiffness: 600, friction: 0.4}}]\n"
    "particles: [{lattice: {material: m, radius: 1e-3, count: 109}}]\n"
    "balance: {bricks_per_rank: 8}\n";

static const char shaken[] =
    "boundaries: {floor: {shape: plane, material: m, point: [0, 0, 0], normal: [0, 0, 1], move: "
    "{law: oscillate, direction: [0, 0.2, 1], amplitude: 2e-3, frequency: 200, start: 2e-3}}}\n";
static const char struck[] =
    "boundaries: {floor: {shape: plane, material: m, point: [0, 0, 0], normal: [0, 0, 1], move: "
    "{law: constant, direction: [0, 0, 1], rate: 5, start: 1e-3}}}\n";
static const char still[] =
    "boundaries: {floor: {shape: plane, material: m, point: [0, 0, 0], normal: [0, 0, 1]}}\n";

/* Layers that rest on each other, the upper ones in the hollows of those below; and a projectile.
 */
static void put_grains(struct scree_job *job, double layer, double height, double speed)
{
    struct job_grain grain[N];
    const double side = 2.5e-3;
    for (int k = 0; k < N; k++) {
        int x = k % SIDE, y = k / SIDE % SIDE, z = k / SIDE / SIDE;
        double off = z % 2 == 0 ? 0.0 : 0.5 * side;
        grain[k] = (struct job_grain){.radius = radius, .mass = mass};
        grain[k].pos[0] = side * (x + 0.25) + off;
        grain[k].pos[1] = side * (y + 0.25) + off;
        grain[k].pos[2] = radius + layer * z;
    }
    const struct job_grain projectile = {.pos = {7e-3, 7.3e-3, height},
                                         .radius = radius,
                                         .mass = 5 * mass,
                                         .vel = {0, 0.1 * speed, -speed}};
    grain[N - 1] = projectile;
    job_put(job, grain, N);
}

struct outcome {
    uint64_t digest;
    int64_t rebuilds;
    double highest; /* m; above the floor at rest */
};

static struct outcome run(struct mpi_test *t, struct scree_comm *comm, const char *more,
                          const char *const *sets, double height, double speed)
{
    struct outcome o = {0, 0, 0.0};
    struct scree_job job;
    struct job_motion m[N];
    char text[3000];
    snprintf(text, sizeof text, "%s%s", bed, more);
    if (!job_open(t, &job, comm, text, sets)) return o;
    put_grains(&job, 0.93e-3, height, speed);
    if (job_start(t, &job) && job_advance(t, &job, STEPS)) {
        job_find_all(&job, m, N);
        for (int k = 0; k < N; k++) o.highest = fmax(o.highest, m[k].pos[2]);
        o.digest = scree_digest_compute(&job.run);
        o.rebuilds = job.run.scene.contacts->n_rebuilds;
    }
    scree_job_clear(&job);
    return o;
}

static void check(struct mpi_test *t, const char *name, const char *more, const char *skin,
                  double height, double speed, int most)
{
    const char *const always[] = {skin, "balance.force_every=1", NULL};
    const char *const normally[] = {skin, NULL};
    struct outcome truth = {0, 0, 0.0};
    if (t->comm->rank == 0) truth = run(t, job_self(), more, always, height, speed);
    mpi_test_tell(t, &truth, sizeof truth);
    struct outcome o = run(t, t->comm, more, normally, height, speed);
    MPI_TEST(t, o.digest == truth.digest && o.digest != 0, "%s: not as with lists of each step",
             name);
    MPI_TEST(t, o.rebuilds < most, "%s: lists made %lld times", name, (long long)o.rebuilds);
    MPI_TEST(t, o.highest > 3.5e-3, "%s: hardly anything moved: %g m", name, o.highest);
}

/* All is at rest, then a grain goes farther than the skin within a single step: the only way to
 * outrun lists. No stable step does it. */
static void check_jump(struct mpi_test *t)
{
    const char *const sets[] = {"neighbours.skin=1e-6", "time.step=1e-4", "gravity=[0, 0, 0]",
                                NULL};
    struct scree_job job;
    char text[3000];
    snprintf(text, sizeof text, "%s%s", bed, struck);
    if (!job_open(t, &job, t->comm, text, sets)) return;
    put_grains(&job, 1.1e-3, 15e-3, 0.0);
    enum scree_status status = scree_job_start(&job);
    if (status == SCREE_OK) status = scree_run_advance(&job.run, 50, NULL);
    MPI_TEST(t, status == SCREE_PHYSICS, "a jump is not noticed");
    MPI_TEST(t, strstr(scree_status_message(), "jumped") != NULL, "%s", scree_status_message());
    scree_job_clear(&job);
}

int main(int argc, char **argv)
{
    struct mpi_test t;
    mpi_test_begin(&t, &argc, &argv);
    const char automatic[] = "neighbours.skin=auto", thin[] = "neighbours.skin=4e-5";
    check(&t, "late shaker", shaken, automatic, 5e-3, 0.0, 100);
    check(&t, "late shaker, thin skin", shaken, thin, 5e-3, 0.0, 500);
    check(&t, "projectile", still, automatic, 8e-3, 5.0, 200);
    check(&t, "projectile faster than the skin", still, thin, 15e-3, 25.0, STEPS);
    check_jump(&t);
    return mpi_test_end(&t);
}
