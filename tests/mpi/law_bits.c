/* SPDX-License-Identifier: BSD-3-Clause
 * Every law on any number of ranks gives the same bits: a small dense flow between a floor and a
 * lid that shears and presses, rebalanced by force, and through checkpoints written and read by
 * different numbers of ranks (VALIDATION J2, J4). A new law gets a line in the table. */
#define _DEFAULT_SOURCE
#include <string.h>
#include <unistd.h>

#include "job_test.h"

enum { STEPS = 240 };

static const char flow[] =
    "time: {step: 2e-3, steps: 1}\nseed: 5\ngravity: [2, 0, -5]\nmaterials: {m: {density: 1}}\n"
    "domain: {low: [0, 0, 0], high: [5, 4, 5], periodic: [x, y]}\n"
    "balance: {force_every: 20}\n"
    "boundaries:\n"
    "  floor: {shape: plane, material: m, point: [0, 0, 0], normal: [0, 0, 1]}\n"
    "  lid: {shape: plane, material: m, point: [0, 0, 5], normal: [0, 0, -1], "
    "velocity: [2, 0.5, -1.5]}\n"
    "particles: [{lattice: {material: m, radius: {uniform: [0.44, 0.5]}, spacing: 1, speed: 1, "
    "spin: 2}}]\n";

static const char *const contacts[] = {
    "normal: {law: linear, stiffness: 2e3, restitution: 0.7, tension: clip}",
    "normal: {law: linear, stiffness: 2e3}, timing: half-step, lever: radius, "
    "tangential: {law: spring, stiffness: 600, damping: 0.5, friction: 0.6, friction_dynamic: 0.4}",
    "normal: {law: power, stiffness: 1e4}",
    "normal: {law: power, stiffness: 1e4, damping: 60}, "
    "tangential: {law: spring, stiffness: 600, friction: 0.5}",
    "normal: {law: power, stiffness: 4e3, exponent: 1.2, damping: 20}",
    "normal: {law: hertz, young: 2e4, poisson: 0.3, young_second: 4e4}, "
    "tangential: {law: spring, stiffness: 600, friction: 0.5}",
    "normal: {law: hertz, young: 2e4, poisson: 0.3, restitution: 0.6, tension: clip}",
    "normal: {law: hertz, young: 2e4, poisson: 0.3, viscous_time: 4e-3}, timing: half-step",
    "normal: {law: hysteretic, stiffness: 1e3, stiffness_unloading: 3e3, cohesion: 1e3}, "
    "tangential: {law: spring, stiffness: 600, friction: 0.5}",
    "normal: {law: hysteretic, stiffness: 1e3, stiffness_unloading: 3e3, cohesion: 500, "
    "damping_rate: 3, plastic_depth: 0.03}",
    "normal: {law: hysteretic, stiffness: 1e3, stiffness_unloading: 3e3, damping: 0.5, "
    "plastic_overlap: 0.03}, tangential: {law: spring, stiffness: 600, friction: 0.5}",
    "normal: {law: linear, stiffness: 2e3}, tangential: {law: fazekas, stiffness: 600, friction: "
    "0.4}",
    "normal: {law: linear, stiffness: 2e3, restitution: 0.7}, timing: half-step, "
    "tangential: {law: fazekas, stiffness: 600, damping: 0.5, friction: 0.6, friction_dynamic: "
    "0.4}",
    "normal: {law: linear, stiffness: 2e3}, tangential: {law: kuhn, stiffness: 600, friction: 0.4}",
    "normal: {law: linear, stiffness: 2e3, restitution: 0.7}, timing: half-step, "
    "tangential: {law: kuhn, stiffness: 600, damping_rate: 1, friction: 0.2}",
    "normal: {law: hertz, young: 2e4, poisson: 0.3, restitution: 0.6}, "
    "tangential: {law: mindlin, friction: 0.4}",
    "normal: {law: hertz, young: 2e4, poisson: 0.3}, "
    "tangential: {law: mindlin, young: 2e4, poisson: 0.3, restitution: 0.8, friction: 0.5, "
    "friction_dynamic: 0.3, unloading: keep}",
    "normal: {law: linear, stiffness: 2e3}, tangential: {law: spring, stiffness: 600, friction: "
    "0.4}, rolling: {law: spring, stiffness: 400, friction: 0.1}, torsion: {law: spring, "
    "stiffness: "
    "400, friction: 0.1}",
    "normal: {law: hysteretic, stiffness: 1e3, stiffness_unloading: 3e3, cohesion: 1e3}, "
    "tangential: {law: kuhn, stiffness: 600, friction: 0.4}, rolling: {law: spring, stiffness: "
    "400, "
    "damping: 0.5, friction: 0.2}, torsion: {law: spring, stiffness: 400, damping_rate: 1, "
    "friction: 0.05}",
};
enum { N_CONTACTS = sizeof contacts / sizeof contacts[0] };

struct outcome {
    uint64_t digest[2]; /* half-way and at the end */
    int64_t contacts[2];
    struct job_energies energies; /* at the end */
};

/* From the start, or from a checkpoint half-way if `from` is a path; leaves one at `to`. */
static struct outcome run(struct mpi_test *t, struct scree_comm *comm, const char *text,
                          const char *from, const char *to)
{
    struct scree_job job;
    struct outcome o = {0};
    if (!job_open_from(t, &job, comm, text, NULL, from)) return o;
    job_start(t, &job);
    if (from == NULL) job_advance(t, &job, STEPS / 2);
    o.digest[0] = scree_digest_compute(&job.run);
    if (to != NULL) {
        enum scree_status status = scree_restart_save(&job.restart, to);
        MPI_TEST(t, status == SCREE_OK, "save: %s", scree_status_message());
    }
    job_advance(t, &job, STEPS);
    o.digest[1] = scree_digest_compute(&job.run);
    job_count_contacts(&job, o.contacts);
    job_energies(&job, &o.energies);
    scree_job_clear(&job);
    return o;
}

/* The same on rank 0 by itself. */
static struct outcome run_alone(struct mpi_test *t, const char *text, const char *from,
                                const char *to)
{
    struct outcome o = {.contacts = {0, 0}};
    if (t->comm->rank == 0) o = run(t, job_self(), text, from, to);
    mpi_test_tell(t, &o, sizeof o);
    return o;
}

static void expect_same(struct mpi_test *t, const struct outcome *o, const struct outcome *alone,
                        const char *what, int k)
{
    for (int half = 0; half < 2; half++)
        MPI_TEST(t, o->digest[half] == alone->digest[half], "%s: other bits %s, part %d",
                 contacts[k], what, half + 1);
    MPI_TEST(t, memcmp(&o->energies, &alone->energies, sizeof o->energies) == 0,
             "%s: another energy ledger %s", contacts[k], what);
}

static void check_contact(struct mpi_test *t, int k, const char *folder)
{
    char text[3000], by_one[300], by_all[300];
    snprintf(text, sizeof text, "%scontacts: [{between: [m, m], %s}]\n", flow, contacts[k]);
    snprintf(by_one, sizeof by_one, "%s/one.h5", folder);
    snprintf(by_all, sizeof by_all, "%s/all.h5", folder);
    struct outcome alone = run_alone(t, text, NULL, by_one);
    MPI_TEST(t, alone.contacts[0] > 60 && alone.contacts[1] > 10, "only %lld and %lld contacts",
             (long long)alone.contacts[0], (long long)alone.contacts[1]);
    struct outcome all = run(t, t->comm, text, NULL, by_all);
    expect_same(t, &all, &alone, "on all ranks", k);
    struct outcome from_one = run(t, t->comm, text, by_one, NULL);
    expect_same(t, &from_one, &alone, "resumed on all ranks", k);
    struct outcome from_all = run_alone(t, text, by_all, NULL);
    expect_same(t, &from_all, &alone, "resumed alone", k);
    scree_comm_barrier(t->comm);
    if (t->comm->rank == 0) unlink(by_one), unlink(by_all);
    scree_comm_barrier(t->comm);
}

/* Laws that differ in one key give other bits: the digests see the laws. */
static void check_difference(struct mpi_test *t)
{
    char text[3000];
    uint64_t digest[2];
    for (int k = 0; k < 2; k++) {
        snprintf(text, sizeof text,
                 "%scontacts: [{between: [m, m], normal: {law: hysteretic, stiffness: 1e3, "
                 "stiffness_unloading: 3e3, cohesion: %s}}]\n",
                 flow, k == 0 ? "500" : "500.0001");
        digest[k] = run(t, job_self(), text, NULL, NULL).digest[1];
    }
    MPI_TEST(t, digest[0] != digest[1], "the digest does not see the cohesion");
}

int main(int argc, char **argv)
{
    struct mpi_test t;
    char folder[] = "/tmp/scree-law-bits-XXXXXX";
    mpi_test_begin(&t, &argc, &argv);
    bool made = t.comm->rank != 0 || mkdtemp(folder) != NULL;
    scree_comm_broadcast(t.comm, folder, sizeof folder, 0);
    if (MPI_TEST(&t, made, "no folder %s", folder))
        for (int k = 0; k < N_CONTACTS; k++) check_contact(&t, k, folder);
    if (mpi_test_serial(&t)) check_difference(&t);
    if (t.comm->rank == 0) rmdir(folder);
    return mpi_test_end(&t);
}
