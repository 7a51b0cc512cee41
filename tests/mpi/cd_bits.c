/* SPDX-License-Identifier: BSD-3-Clause
 * Contact dynamics gives the same bits on any number of ranks, whoever owns blocks and bricks,
 * through forced balances and resumes: 2D and 3D, walls that move, friction, rolling, restitution,
 * cohesion, a wedge, boxes that deform. With `blocks: rank` velocities agree within the residual
 * only. */
#include <unistd.h>

#include "job_test.h"
#include "scree/partition.h"

enum { STEPS = 40 };

static const char flow[] = "method: cd\ntime: {step: 1.5e-2, steps: 1}\nseed: 9\n"
                           "materials: {m: {density: 1}, w: {density: 1}}\n"
                           "contacts:\n"
                           "- {between: [m, m], rigid: {friction: 0.5, restitution: 0.3}}\n"
                           "- {between: [m, w], rigid: {friction: 0.3}}\n"
                           "solver: {blocks: 30, most: 400, residual: 1e-2}\n";
#define LATTICE                                                                                  \
    "particles: [{lattice: {material: m, radius: {uniform: [0.35, 0.5]}, spacing: 1, speed: 1, " \
    "spin: 1}}]\n"

static const char space[] =
    "domain: {low: [-2, 0, 0], high: [6, 6, 7], periodic: [x, y]}\ngravity: [3, 0, -9.5]\n"
    "boundaries:\n"
    "  floor: {shape: plane, material: w, point: [0, 0, 0], normal: [0, 0, 1]}\n"
    "  lid: {shape: plane, material: w, point: [0, 0, 7], normal: [0, 0, -1], "
    "velocity: [2, 0.5, -1]}\n" LATTICE;

static const char plane[] =
    "dimension: 2\nbackground_friction: 0.01\n"
    "domain: {low: [-2, 0], high: [16, 15], periodic: [x]}\ngravity: [3, -9.5, 0]\n"
    "boundaries:\n"
    "  floor: {shape: plane, material: w, point: [0, 0, 0], normal: [0, 1, 0]}\n"
    "  lid: {shape: plane, material: w, point: [0, 15, 0], normal: [0, -1, 0], "
    "velocity: [2, -1, 0]}\n" LATTICE;

static const char wedge[] =
    "domain: {low: [0, 0, 0], high: [9, 9, 6], wedge: {axis: z, sectors: 5}}\n"
    "gravity: [0, 0, -9.5]\n"
    "boundaries:\n"
    "  floor: {shape: plane, material: w, point: [0, 0, 0], normal: [0, 0, 1]}\n"
    "  inner: {shape: cylinder, material: w, point: [0, 0, 0], radius: 3, side: outside, "
    "rotate: {law: constant, rate: 0.5}}\n"
    "  outer: {shape: cylinder, material: w, point: [0, 0, 0], radius: 8.5, side: inside}\n"
    "particles: [{loose: {material: m, count: 90, radius: {uniform: [0.35, 0.5]}, speed: 1, "
    "region: {shape: cylinder, axis: z, inner: 3.1, radius: 8.4, low: 0.1, high: 6}}}]\n";

/* A rough wall that is pushed and dragged along. */
static const char pushed[] =
    "dimension: 2\n"
    "domain: {low: [0, 0], high: [16, 14], periodic: [x]}\n"
    "boundaries:\n"
    "  floor: {shape: plane, material: w, point: [0, 0, 0], normal: [0, 1, 0]}\n"
    "  lid: {shape: plane, material: w, point: [0, 13, 0], normal: [0, -1, 0], "
    "velocity: [1, 0, 0], servo: {stress: 40 N/m, mass: 20}}\n"
    "particles: [{lattice: {material: m, radius: {uniform: [0.35, 0.5]}, spacing: 1, "
    "high: [16, 13], speed: 0.5}, glue: {to: lid, within: 0.3}}]\n";

/* Boxes that deform: sheared through flips under a stress; in all ways at once under a pressure
 * that feels more than it moves; between walls, with a stress of box and lid. */
static const char sheared[] =
    "dimension: 2\n"
    "domain: {low: [1, 2], high: [11, 10], periodic: [x, y]}\n"
    "cell: {strain_rate: {xy: 3}, stress: {yy: 30 N/m}, stress_rise: 0.1}\n"
    "particles: [{dense: {count: 90, material: m, radius: {uniform: [0.35, 0.5]}, speed: 0.5}}]\n";
static const char strained[] =
    "domain: {low: [0, -1, 0], high: [4, 3, 4], periodic: [x, y, z]}\n"
    "background_friction: 0.01\n"
    "cell: {strain_rate: {zz: -0.3, xy: 1.2, yz: -1.5}, stress: {xz: 2}, pressure: 30}\n"
    "particles: [{dense: {count: 70, material: m, radius: {uniform: [0.35, 0.5]}, speed: 0.5}}]\n";
static const char layer[] =
    "dimension: 2\ngravity: [0, -2, 0]\n"
    "domain: {low: [0, 0], high: [14, 12], periodic: [x]}\n"
    "boundaries:\n"
    "  floor: {shape: plane, material: w, point: [0, 0, 0], normal: [0, 1, 0]}\n"
    "  lid: {shape: plane, material: w, point: [0, 11, 0], normal: [0, -1, 0], "
    "velocity: [1, 0, 0], servo: {stress: 40 N/m, mass: 20}}\n"
    "particles: [{lattice: {material: m, radius: {uniform: [0.4, 0.5]}, spacing: 1, "
    "high: [14, 11], speed: 0.5}, glue: {to: lid, within: 0.3}}]\n"
    "cell: {stress: {xx: 30 N/m}}\n";

static const char sticky[] =
    "contacts.0.rigid={friction: 0.4, rolling: 0.1, torsion: 0.05, cohesion: 3, range: 0.05}";

/* Steps that are taken in parts, some of them given up. */
static const char halved[] = "solver={blocks: 30, most: 40, failure: halve, halvings: 2}";
static const char halved_moreau[] =
    "solver={blocks: 30, most: 30, failure: halve, halvings: 1, gap: signed}";

struct outcome {
    uint64_t digest[2];            /* half-way and at the end */
    int64_t contacts[2], n_grains; /* contacts among grains and with walls, at both moments */
    double kinetic, closure;
};

static struct outcome run(struct mpi_test *t, struct scree_comm *comm, const char *where,
                          const char *const *sets)
{
    char text[3000];
    struct scree_job job;
    struct scree_energies e;
    struct outcome o = {.n_grains = 0};
    snprintf(text, sizeof text, "%s%s", flow, where);
    if (!job_open(t, &job, comm, text, sets)) return o;
    MPI_TEST(t, job.run.scene.seed == 9, "the seed does not reach the method");
    job_start(t, &job);
    for (int k = 0; k < 2; k++) {
        job_advance(t, &job, (k + 1) * STEPS / 2);
        int64_t contacts[2];
        o.digest[k] = scree_digest_compute(&job.run);
        job_count_contacts(&job, contacts);
        for (int m = 0; m < 2; m++) o.contacts[m] += contacts[m];
    }
    job.run.stepper->energies(job.run.state, &job.run.scene, &e);
    o.kinetic = e.value[0];
    o.closure = scree_energies_error(&e);
    o.n_grains = job.run.n_grains;
    scree_job_clear(&job);
    return o;
}

static struct outcome run_alone(struct mpi_test *t, const char *where, const char *set)
{
    const char *sets[2] = {set, NULL};
    struct outcome alone = {.n_grains = 0};
    if (t->comm->rank == 0) alone = run(t, job_self(), where, set != NULL ? sets : NULL);
    mpi_test_tell(t, &alone, sizeof alone);
    return alone;
}

struct variant {
    const char *name, *sets[4];
};

static const struct variant variants[] = {
    {"hilbert, forced", {"balance.method=hilbert", "balance.force_every=7"}},
    {"few bricks", {"balance.bricks_per_rank=2", "balance.force_every=9"}},
    {"parmetis, forced", {"balance.method=parmetis", "balance.force_every=5"}},
    {"thin skin", {"neighbours.skin=0.05", "balance.force_every=11"}},
    {"plain", {NULL}},
};
enum { N_VARIANTS = sizeof variants / sizeof variants[0] };

/* On all ranks in the first of the variants; returns what one rank does alone. */
static struct outcome check_variants(struct mpi_test *t, const char *where, const char *set,
                                     int n_variants)
{
    const char *sets[5];
    struct outcome alone = run_alone(t, where, set);
    /* Few grains touch the walls at any one moment. */
    bool walls = strstr(where, "boundaries:") != NULL;
    MPI_TEST(t, alone.contacts[0] > alone.n_grains / 5 && (alone.contacts[1] > 0 || !walls),
             "only %lld and %lld contacts", (long long)alone.contacts[0],
             (long long)alone.contacts[1]);
    for (int k = 0; k < n_variants; k++) {
        if (strncmp(variants[k].name, "parmetis", 8) == 0 &&
            !scree_partitioner_find("parmetis")->is_available())
            continue;
        int n = 0;
        for (int m = 0; variants[k].sets[m] != NULL; m++) sets[n++] = variants[k].sets[m];
        sets[n++] = set;
        sets[n] = NULL;
        struct outcome o = run(t, t->comm, where, sets);
        MPI_TEST(t, o.digest[0] == alone.digest[0], "%s: other bits than alone half-way",
                 variants[k].name);
        MPI_TEST(t, o.digest[1] == alone.digest[1], "%s: other bits than alone", variants[k].name);
    }
    return alone;
}

/* A digest that sees nothing would pass all of that. */
static void check_sight(struct mpi_test *t, const struct outcome *alone)
{
    static const char *const other[] = {"contacts.0.rigid.friction=0.5000001", NULL};
    struct outcome b = run(t, job_self(), plane, other);
    MPI_TEST(t, alone->digest[1] != b.digest[1], "the digest sees nothing");
}

/* Half a run, saved by all ranks; the other half from there, on all ranks and alone. It ends like
 * the run without a break on one rank. */
static void check_resume(struct mpi_test *t, const char *where, const struct outcome *alone)
{
    char text[3000], path[100];
    struct scree_job job;
    snprintf(text, sizeof text, "%s%s", flow, where);
    int64_t id = getpid();
    mpi_test_tell(t, &id, sizeof id);
    snprintf(path, sizeof path, "/tmp/scree-cd-bits-%lld.h5", (long long)id);
    if (!job_open(t, &job, t->comm, text, NULL)) return;
    job_start(t, &job);
    job_advance(t, &job, STEPS / 2);
    MPI_TEST(t, scree_restart_save(&job.restart, path) == SCREE_OK, "%s", scree_status_message());
    scree_job_clear(&job);
    for (int k = 0; k < 2; k++) {
        if (k == 1 && t->comm->rank != 0) continue;
        struct scree_comm *comm = k == 0 ? t->comm : job_self();
        if (!job_open_from(t, &job, comm, text, NULL, path)) continue;
        job_start(t, &job);
        job_advance(t, &job, STEPS);
        uint64_t digest = scree_digest_compute(&job.run);
        MPI_TEST(t, digest == alone->digest[1], "resumed %s: other bits",
                 k == 0 ? "by all" : "alone");
        scree_job_clear(&job);
    }
    mpi_test_meet(t);
    if (t->comm->rank == 0) remove(path);
}

/* One block to a rank: another order of sweeps, the same physics. */
static void check_rank_blocks(struct mpi_test *t)
{
    static const char *const sets[] = {"solver.blocks=rank", "solver.residual=1e-8",
                                       "solver.most=20000", NULL};
    static const char *const fixed[] = {"solver.residual=1e-8", "solver.most=20000", NULL};
    struct outcome alone = {.n_grains = 0};
    if (t->comm->rank == 0) alone = run(t, job_self(), plane, fixed);
    mpi_test_tell(t, &alone, sizeof alone);
    struct outcome o = run(t, t->comm, plane, sets);
    MPI_TEST(t, fabs(o.kinetic / alone.kinetic - 1.0) < 0.02, "kinetic energy %g, expected %g",
             o.kinetic, alone.kinetic);
    MPI_TEST(t, fabs(o.closure) < 0.02, "closure %g", o.closure);
}

int main(int argc, char **argv)
{
    struct mpi_test t;
    mpi_test_begin(&t, &argc, &argv);
    struct outcome alone = check_variants(&t, space, NULL, N_VARIANTS);
    check_resume(&t, space, &alone);
    alone = check_variants(&t, plane, NULL, N_VARIANTS - 1);
    if (mpi_test_serial(&t)) check_sight(&t, &alone);
    check_variants(&t, plane, sticky, 2);
    alone = check_variants(&t, wedge, NULL, 2);
    check_resume(&t, wedge, &alone);
    alone = check_variants(&t, pushed, NULL, 2);
    check_resume(&t, pushed, &alone);
    alone = check_variants(&t, sheared, NULL, 1);
    check_resume(&t, sheared, &alone);
    alone = check_variants(&t, strained, NULL, 1);
    check_resume(&t, strained, &alone);
    alone = check_variants(&t, layer, NULL, 1);
    check_resume(&t, layer, &alone);
    check_variants(&t, sheared, "time.scheme=moreau", 1);
    check_variants(&t, layer, halved, 1);
    check_variants(&t, pushed, halved_moreau, 1);
    check_rank_blocks(&t);
    return mpi_test_end(&t);
}
