/* SPDX-License-Identifier: BSD-3-Clause
 * Contact history on the move (VALIDATION J3): the spring of a sticking pair must not notice that
 * the pair crosses rank borders and periodic images and that bricks change hands.
 *
 * Grains are so heavy that forces do not change their motion, and their spins stretch the spring at
 * a constant rate. Places and velocities are short binary fractions, so that motion is exact. */
#include "job_test.h"

static const double radius = 0.5, dt = 0.0078125, apart = 0.96875; /* overlap 1/32 */
/* m/s; so fast that the pair crosses the box along each axis: bricks follow measured work, and a
 * cut may be across any of them. */
static const double drift[3] = {2.5, 2.0, -1.75};

/* Springs of the contacts of grain 1 with one partner, by the periods between them along x. */
struct springs {
    double spring[9]; /* [periods + 1][axis]; -inf: no such contact */
    int64_t n;        /* contacts found, each once over all ranks */
};

struct search {
    struct springs *found;
    scree_gid partner;
};

static void take_spring(void *context, const struct scree_contact_view *c)
{
    struct search *search = context;
    if (c->first != 1 || c->second != search->partner) return;
    search->found->n++;
    if (abs(c->image[0]) > 1 || c->image[1] != 0 || c->image[2] != 0) return;
    memcpy(search->found->spring + 3 * (c->image[0] + 1), c->history, 3 * sizeof(double));
}

static struct springs find_springs(struct scree_job *job, scree_gid partner)
{
    struct springs s = {.n = 0};
    struct search search = {&s, partner};
    for (int k = 0; k < 9; k++) s.spring[k] = -INFINITY;
    scree_contacts_visit(job->run.scene.contacts, job->run.scene.particles, take_spring, &search);
    scree_comm_max(job->comm, s.spring, 9);
    scree_comm_sum_int(job->comm, &s.n, 1);
    return s;
}

static bool open_box(struct mpi_test *t, struct scree_job *job, double length, int count,
                     const char *method)
{
    char text[1000];
    snprintf(text, sizeof text,
             "time: {step: %.17g, steps: 1}\n"
             "domain: {low: [0, 0, 0], high: [%.17g, 8, 8], periodic: [x, y, z]}\n"
             "materials: {m: {density: 1}}\nneighbours: {skin: 0.25}\n"
             "contacts: [{between: [m, m], normal: {law: linear, stiffness: 1}, "
             "tangential: {law: spring, stiffness: 0.1, friction: 1e6}}]\n"
             "particles: [{lattice: {material: m, radius: 0.4, count: %d}}]\n"
             "balance: {method: %s, force_every: 10}\n",
             dt, length, count, method);
    return job_open(t, job, t->comm, text, NULL);
}

static struct job_grain heavy_grain(double x, double y, double z, bool moves)
{
    struct job_grain g = {.pos = {x, y, z}, .radius = radius, .mass = 1e30};
    for (int a = 0; a < 3 && moves; a++) g.vel[a] = drift[a];
    return g;
}

/* The velocity at the contact that two spins give; n from the partner to the grain. */
static void surface_velocity(const double n[3], const double spin_i[3], const double spin_j[3],
                             double out[3])
{
    double lever = 0.5 * apart, w[3];
    for (int a = 0; a < 3; a++) w[a] = lever * (spin_i[a] + spin_j[a]);
    for (int a = 0; a < 3; a++)
        out[a] = n[(a + 1) % 3] * w[(a + 2) % 3] - n[(a + 2) % 3] * w[(a + 1) % 3];
}

static const double spins[2][3] = {{0.03, -0.07, 0.02}, {-0.01, 0.04, 0.09}};
enum { STEPS = 800, LOOK = 20, FILL = 60 };

/* A pair among other grains; what its spring is every LOOK steps. */
static void travel(struct mpi_test *t, const char *method, bool moves, double seen[STEPS / LOOK][3])
{
    struct scree_job job;
    struct job_grain grain[FILL];
    struct job_motion m[2];
    int n_cut = 0, n_passed_on = 0, owner = -1;
    for (int k = 0; k < FILL; k++)
        grain[k] =
            heavy_grain(0.1 + 1.5 * (k % 5), 0.2 + 1.6 * (k / 5 % 4), 1.1 + 2.3 * (k / 20), false);
    grain[0] = heavy_grain(1.0, 2.0, 3.0, moves);
    grain[1] = heavy_grain(1.0, 2.0 + apart, 3.0, moves);
    for (int k = 0; k < 2; k++) memcpy(grain[k].spin, spins[k], sizeof spins[k]);
    if (!open_box(t, &job, 8.0, FILL, method)) return;
    job_put(&job, grain, FILL);
    job_start(t, &job);
    for (int k = 0; k < STEPS / LOOK; k++) {
        job_advance(t, &job, (k + 1) * LOOK);
        struct springs s = find_springs(&job, 2);
        MPI_TEST(t, s.n == 1, "step %d: %lld contacts of the pair", (k + 1) * LOOK, (long long)s.n);
        memcpy(seen[k], s.spring + 3, 3 * sizeof(double));
        job_find_all(&job, m, 2);
        n_cut += m[0].rank != m[1].rank;
        n_passed_on += m[0].rank != owner;
        owner = m[0].rank;
    }
    if (moves) {
        JOB_NEAR(t, "distance", m[0].pos[0], 1.0 + drift[0] * dt * STEPS, 0.0);
        bool hard = t->comm->n_ranks == 1 || n_cut + n_passed_on > 2;
        MPI_TEST(t, hard, "cut %d times, passed on %d times: too easy", n_cut, n_passed_on);
        MPI_TEST(t, job.run.scene.contacts->n_rebuilds > 100, "%lld rebuilds",
                 (long long)job.run.scene.contacts->n_rebuilds);
    }
    scree_job_clear(&job);
}

static void check_travel(struct mpi_test *t, const char *method)
{
    static const double n[3] = {0, -1, 0};
    double at_rest[STEPS / LOOK][3] = {{0}}, moving[STEPS / LOOK][3] = {{0}}, rate[3];
    travel(t, method, false, at_rest);
    travel(t, method, true, moving);
    surface_velocity(n, spins[0], spins[1], rate);
    for (int k = 0; k < STEPS / LOOK; k++)
        for (int a = 0; a < 3; a++) {
            double exact = rate[a] * dt * LOOK * (k + 1);
            JOB_NEAR(t, "spring of a moving pair", moving[k][a], at_rest[k][a],
                     1e-14 * fabs(exact));
            /* ways are of second order in the angle of a step, 8e-4 */
            JOB_NEAR(t, "spring", moving[k][a], exact, 1e-7 * fabs(exact));
        }
}

/* A box two grains wide: they touch on both sides. Or one grain wide: it touches its own image. */
static void check_wrapped(struct mpi_test *t, int n_grains, bool moves)
{
    struct scree_job job;
    struct job_grain grain[2];
    double rate[2][3];
    const double left[3] = {-1, 0, 0}, right[3] = {1, 0, 0};
    const double *other = spins[n_grains - 1];
    for (int k = 0; k < n_grains; k++) {
        grain[k] = heavy_grain(0.25 + k * apart, 3.0, 4.0, moves);
        memcpy(grain[k].spin, spins[k], sizeof spins[k]);
    }
    if (!open_box(t, &job, n_grains * apart, n_grains, "hilbert")) return;
    job_put(&job, grain, n_grains);
    job_start(t, &job);
    job_advance(t, &job, 500);
    struct springs s = find_springs(&job, n_grains);
    MPI_TEST(t, s.n == n_grains, "%lld contacts through images", (long long)s.n);
    MPI_TEST(t, job_is_balanced(&job, false), "forces through images do not cancel");
    /* A partner seen a period lower has travelled a period more: the normal points up. */
    surface_velocity(left, spins[0], other, rate[0]);
    surface_velocity(right, spins[0], other, rate[1]);
    for (int a = 0; a < 3; a++) {
        double time = 500 * dt;
        if (n_grains == 2)
            JOB_NEAR(t, "spring inside the box", s.spring[3 + a], rate[0][a] * time, 2e-8);
        JOB_NEAR(t, "spring through an image", s.spring[6 + a], rate[1][a] * time, 2e-8);
    }
    scree_job_clear(&job);
}

/* Ordinary grains in a box of a few cells against the same run alone. */
static void check_narrow(struct mpi_test *t, const char *box)
{
    char text[1000];
    uint64_t digest[2] = {0, 1};
    int64_t count[2] = {0, 0};
    snprintf(text, sizeof text,
             "time: {step: 2e-3, steps: 1}\ngravity: [0, 0, -1]\nseed: 3\n"
             "domain: {low: [0, 0, 0], high: %s, periodic: [x, y, z]}\n"
             "materials: {m: {density: 1}}\nneighbours: {skin: 0.1}\n"
             "contacts: [{between: [m, m], normal: {law: linear, stiffness: 1e3}, "
             "tangential: {law: spring, stiffness: 300, friction: 0.5}}]\n"
             "particles: [{lattice: {material: m, radius: 0.5, spacing: 1, speed: 1, spin: 3}}]\n"
             "balance: {force_every: 20, bricks_per_rank: 8}\n",
             box);
    for (int k = 0; k < (t->comm->rank == 0 ? 2 : 1); k++) {
        struct scree_job job;
        if (!job_open(t, &job, k == 0 ? t->comm : job_self(), text, NULL)) break;
        job_start(t, &job);
        for (int part = 1; part <= 6; part++) { /* there are moments without any contact */
            int64_t now[2];
            job_advance(t, &job, 100 * part);
            job_count_contacts(&job, now);
            count[0] += now[0];
        }
        digest[k] = scree_digest_compute(&job.run);
        scree_job_clear(&job);
    }
    mpi_test_tell(t, &digest[1], sizeof digest[1]);
    MPI_TEST(t, digest[0] == digest[1], "box %s: other bits than alone", box);
    MPI_TEST(t, count[0] > 0, "box %s: no contacts", box);
}

int main(int argc, char **argv)
{
    struct mpi_test t;
    mpi_test_begin(&t, &argc, &argv);
    check_travel(&t, "hilbert");
    check_travel(&t, "auto");
    for (int n = 1; n <= 2; n++)
        for (int moves = 0; moves < 2; moves++) check_wrapped(&t, n, moves);
    check_narrow(&t, "[2.1, 2.1, 2.1]");
    check_narrow(&t, "[1.05, 2.1, 3.2]");
    check_narrow(&t, "[2.5, 3.5, 6.5]");
    return mpi_test_end(&t);
}
