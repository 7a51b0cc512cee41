/* SPDX-License-Identifier: BSD-3-Clause
 * Promise 1: the number of ranks, who owns what, when it is rebalanced and how wide the skin is
 * never change a bit (VALIDATION J2). A frictional polydisperse flow between a wall at rest and one
 * that moves, in 2D and 3D, against the same run of each rank alone. */
#include "job_test.h"
#include "scree/partition.h"

enum { STEPS = 300 };

static const char flow[] =
    "time: {step: 1.5e-3, steps: 1}\nseed: 9\nbackground_friction: 0.01\n"
    "materials: {m: {density: 1}, w: {density: 1}}\n"
    "contacts:\n"
    "- between: [m, m]\n"
    "  normal: {law: linear, stiffness: 200, damping: 0.3}\n"
    "  tangential: {law: spring, stiffness: 60, damping: 0.1, friction: 0.6, "
    "friction_dynamic: 0.4}\n"
    "- between: [m, w]\n"
    "  normal: {law: linear, stiffness: 300, damping_rate: 2, tension: clip}\n"
    "  tangential: {law: spring, stiffness: 100, friction: 0.3}\n"
    "particles: [{lattice: {material: m, radius: {uniform: [0.25, 0.5]}, spacing: 1, speed: 1.5, "
    "spin: 3}}]\n";

static const char space[] =
    "domain: {low: [-2, 0, 0], high: [10, 8, 9], periodic: [x, y]}\ngravity: [3, 0, -9.5]\n"
    "boundaries:\n"
    "  floor: {shape: plane, material: w, point: [0, 0, 0], normal: [0, 0, 1]}\n"
    "  lid: {shape: plane, material: w, point: [0, 0, 9], normal: [0, 0, -1], "
    "velocity: [2, 0.5, -1]}\n";

static const char plane[] =
    "dimension: 2\n"
    "domain: {low: [-2, 0], high: [28, 27], periodic: [x]}\ngravity: [3, -9.5, 0]\n"
    "boundaries:\n"
    "  floor: {shape: plane, material: w, point: [0, 0, 0], normal: [0, 1, 0]}\n"
    "  lid: {shape: plane, material: w, point: [0, 27, 0], normal: [0, -1, 0], "
    "velocity: [2, -1, 0]}\n";

struct outcome {
    uint64_t digest[2]; /* half-way and at the end */
    int64_t contacts[2], n_sliding, n_sticking, n_grains;
};

static void count_sliding(void *context, const struct scree_contact_view *c)
{
    struct outcome *o = context;
    if (c->history[3] != 0.0)
        o->n_sliding++;
    else
        o->n_sticking++;
}

static struct outcome run(struct mpi_test *t, struct scree_comm *comm, const char *where,
                          const char *const *sets)
{
    char text[3000];
    struct scree_job job;
    struct outcome o = {.n_grains = 0};
    snprintf(text, sizeof text, "%s%s", flow, where);
    if (!job_open(t, &job, comm, text, sets)) return o;
    job_start(t, &job);
    for (int k = 0; k < 2; k++) {
        job_advance(t, &job, (k + 1) * STEPS / 2);
        o.digest[k] = scree_digest_compute(&job.run);
    }
    job_count_contacts(&job, o.contacts);
    scree_contacts_visit(job.run.scene.contacts, job.run.scene.particles, count_sliding, &o);
    scree_comm_sum_int(comm, &o.n_sliding, 1);
    scree_comm_sum_int(comm, &o.n_sticking, 1);
    o.n_grains = job.run.n_grains;
    MPI_TEST(t, job_is_balanced(&job, true), "forces on grains and walls do not cancel");
    scree_job_clear(&job);
    return o;
}

struct variant {
    const char *name, *sets[4];
};

static const struct variant variants[] = {
    {"plain", {NULL}},
    {"hilbert", {"balance.method=hilbert"}},
    {"hilbert, forced", {"balance.method=hilbert", "balance.force_every=10"}},
    {"parmetis", {"balance.method=parmetis"}},
    {"parmetis, forced", {"balance.method=parmetis", "balance.force_every=10"}},
    {"thin skin", {"neighbours.skin=0.08", "balance.force_every=10"}},
    {"wide skin", {"neighbours.skin=0.45"}},
    {"few bricks", {"balance.bricks_per_rank=2", "balance.force_every=20"}},
};
enum { N_VARIANTS = sizeof variants / sizeof variants[0] };

static void check_flow(struct mpi_test *t, const char *where, int64_t n_grains)
{
    static const char *const other[] = {"contacts.0.tangential.friction_dynamic=0.4000000001",
                                        NULL};
    bool parmetis = scree_partitioner_find("parmetis")->is_available();
    struct outcome alone = {.n_grains = 0}, changed = alone;
    if (t->comm->rank == 0) {
        alone = run(t, job_self(), where, NULL);
        changed = run(t, job_self(), where, other);
    }
    mpi_test_tell(t, &alone, sizeof alone);
    mpi_test_tell(t, &changed, sizeof changed);
    MPI_TEST(t, alone.n_grains == n_grains, "%lld grains", (long long)alone.n_grains);
    MPI_TEST(t, alone.contacts[0] > n_grains / 4 && alone.contacts[1] > 10,
             "only %lld and %lld contacts", (long long)alone.contacts[0],
             (long long)alone.contacts[1]);
    MPI_TEST(t, alone.n_sliding > 20 && alone.n_sticking > 20, "%lld slide, %lld stick",
             (long long)alone.n_sliding, (long long)alone.n_sticking);
    MPI_TEST(t, alone.digest[1] != changed.digest[1], "the digest sees nothing");
    for (int k = 0; k < N_VARIANTS; k++) {
        if (!parmetis && strncmp(variants[k].name, "parmetis", 8) == 0) {
            mpi_test_skip(t, "no ParMETIS in this build");
            continue;
        }
        struct outcome o = run(t, t->comm, where, variants[k].sets);
        MPI_TEST(t, o.digest[0] == alone.digest[0], "%s: other bits than alone half-way",
                 variants[k].name);
        MPI_TEST(t, o.digest[1] == alone.digest[1], "%s: other bits than alone", variants[k].name);
        MPI_TEST(t, o.contacts[0] == alone.contacts[0] && o.contacts[1] == alone.contacts[1],
                 "%s: %lld contacts", variants[k].name, (long long)o.contacts[0]);
    }
}

/* A closed periodic system: the contact forces cancel exactly in every step. */
static void check_closed(struct mpi_test *t, const char *domain)
{
    char text[3000];
    struct scree_job job;
    int n_unbalanced = 0;
    int64_t contacts[2];
    snprintf(text, sizeof text, "%s%sbalance: {force_every: 10}\n", flow, domain);
    if (!job_open(t, &job, t->comm, text, NULL)) return;
    job_start(t, &job);
    for (int step = 1; step <= 200; step++) {
        job_advance(t, &job, step);
        n_unbalanced += !job_is_balanced(&job, false);
    }
    job_count_contacts(&job, contacts);
    MPI_TEST(t, n_unbalanced == 0, "forces do not cancel in %d steps", n_unbalanced);
    MPI_TEST(t, contacts[0] > 50, "only %lld contacts", (long long)contacts[0]);
    scree_job_clear(&job);
}

int main(int argc, char **argv)
{
    struct mpi_test t;
    mpi_test_begin(&t, &argc, &argv);
    check_flow(&t, space, 864);
    check_flow(&t, plane, 810);
    check_closed(&t, "domain: {low: [0, 0, 0], high: [6, 6, 6], periodic: [x, y, z]}\n");
    check_closed(&t, "dimension: 2\ndomain: {low: [0, 0], high: [16, 16], periodic: [x, y]}\n");
    return mpi_test_end(&t);
}
