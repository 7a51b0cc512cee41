/* SPDX-License-Identifier: BSD-3-Clause
 * Grains on walls of several pieces and on walls that turn: joints are not felt, a bottom of pieces
 * carries exactly the weight, a drum takes a grain along, sums over ranks do not depend on them. */
#include "job_test.h"

static const double mass = 1e-4, radius = 2.5e-3, g = 9.81;

/* Grains of one material in a box of [-40, 40] mm, friction 0.5, between the walls of `text`;
 * several ranks rebalance, and so rebuild their lists, every 300 steps. */
static bool open_walls(struct mpi_test *t, struct scree_job *job, struct scree_comm *comm, int n,
                       const double gravity[3], const char *more, const char *text)
{
    char input[4000];
    snprintf(input, sizeof input,
             "time: {step: 1e-5, steps: 1}\ngravity: [%.17g, %.17g, %.17g]\n"
             "domain: {low: [-40 mm, -40 mm, -40 mm], high: [40 mm, 40 mm, 40 mm]}\n"
             "materials: {m: {density: 1}}\nbalance: {method: hilbert, force_every: %d}\n%s"
             "contacts: [{between: [m, m], normal: {law: linear, stiffness: 2000, damping: 0.3}"
             ", tangential: {law: spring, stiffness: 600, damping: 0.1, friction: 0.5}}]\n"
             "boundaries:\n%sparticles: [{lattice: {material: m, %s, count: %d}}]\n",
             gravity[0], gravity[1], gravity[2], comm->n_ranks > 1 ? 300 : 0, more, text,
             /* A single grain is put between walls that leave little room. */
             n > 1 ? "radius: 2.5e-3" : "radius: 1e-4, spacing: 2e-3", n);
    return job_open(t, job, comm, input, NULL);
}

static const char one_floor[] =
    "  floor: {shape: plane, material: m, point: [0, 0, 0], normal: [0, 0, 1]}\n";
static const char tiles[] =
    "  a: {shape: rectangle, material: m, corner: [-40 mm, -40 mm, 0], along: [42 mm, 0, 0], "
    "across: [0, 80 mm, 0]}\n"
    "  b: {shape: rectangle, material: m, corner: [5 mm, 40 mm, 0], along: [0, -80 mm, 0], across: "
    "[-3 mm, 0, 0]}\n"
    "  c: {shape: rectangle, material: m, corner: [5 mm, -40 mm, 0], along: [35 mm, 0, 0], across: "
    "[0, 80 mm, 0]}\n";
static const char split[] =
    "  disk: {shape: disk, material: m, centre: [0, 0, 0], radius: 7 mm}\n"
    "  ring: {shape: ring, material: m, centre: [0, 0, 0], inner: 7 mm, outer: 55 mm}\n";
static const char on_plane[] =
    "  floor: {shape: plane, material: m, point: [9 mm, 0, 0], normal: [0, 0, 1]}\n"
    "  disk: {shape: disk, material: m, centre: [0, 0, 0], radius: 7 mm}\n";

enum { N_ROLLING = 3, ROLL_STEPS = 12000 };

/* One that rolls, one that is pushed so hard that it slides, one that only just touches. */
static const struct job_grain rolling[N_ROLLING] = {
    {.pos = {-12e-3, 1e-3, 2.4995e-3}, .radius = 2.5e-3, .mass = 1e-4, .vel = {0.2, 0, 0}},
    {.pos = {-16e-3, 9e-3, 2.4995e-3},
     .radius = 2.5e-3,
     .mass = 1e-4,
     .vel = {0.3, -0.1, 0},
     .spin = {0, -60, 0}},
    {.pos = {-20e-3, -9e-3, 2.4999995e-3}, .radius = 2.5e-3, .mass = 1e-4, .vel = {0.2, 0, 0}},
};

/* The same motion on a floor of pieces as on one without: forces of every step, history included.
 */
static void check_joint(struct mpi_test *t, const char *name, const char *pieces)
{
    struct scree_job job[2];
    const double gravity[3] = {2, 0.3, -g};  /* a slope: rolling needs friction */
    int n_jobs = t->comm->rank == 0 ? 2 : 1; /* the second one is for rank 0 by itself */
    if (!open_walls(t, &job[0], t->comm, N_ROLLING, gravity, "", pieces)) return;
    if (n_jobs == 2 && !open_walls(t, &job[1], job_self(), N_ROLLING, gravity, "", one_floor))
        SCREE_ABORT("%s", scree_status_message());
    double worst = 0.0, farthest = 0.0;
    struct job_motion m[2][N_ROLLING];
    for (int k = 0; k < n_jobs; k++) {
        job_put(&job[k], rolling, N_ROLLING);
        job_start(t, &job[k]);
    }
    for (int step = 20; step <= ROLL_STEPS; step += 20) {
        for (int k = 0; k < n_jobs; k++) {
            if (!job_advance(t, &job[k], step) && k == 0) return;
            job_find_all(&job[k], m[k], N_ROLLING);
        }
        for (int i = 0; i < N_ROLLING && n_jobs == 2; i++)
            for (int a = 0; a < 3; a++) {
                worst = fmax(worst, fabs(m[0][i].force[a] - m[1][i].force[a]));
                worst = fmax(worst, fabs(m[0][i].torque[a] - m[1][i].torque[a]) / radius);
                farthest = fmax(farthest, fabs(m[0][i].pos[a] - m[1][i].pos[a]));
            }
    }
    MPI_TEST(t, m[0][0].pos[0] > 10e-3 && m[0][1].pos[0] > 10e-3, "%s: the grains did not cross",
             name);
    MPI_TEST(t, worst < 1e-12 * mass * g, "%s: forces differ by %g of the weight", name,
             worst / (mass * g));
    MPI_TEST(t, farthest < 1e-15, "%s: places differ by %g m", name, farthest);
    for (int k = 0; k < n_jobs; k++) scree_job_clear(&job[k]);
}

enum { N_RESTING = 9 };

/* Grains at rest on and around the split: each is carried once. */
static void check_rest(struct mpi_test *t, const char *name, const char *pieces)
{
    struct scree_job job;
    const double gravity[3] = {0, 0, -g};
    struct job_grain grain[N_RESTING];
    struct job_motion m[N_RESTING];
    for (int k = 0; k < N_RESTING; k++) {
        /* 7 mm and up to 0.1 mm or a few roundings to either side */
        static const double off[N_RESTING] = {0,    1e-4,  -1e-4, 1e-6,  -1e-6,
                                              1e-9, -1e-9, 1e-18, -1e-18};
        double angle = 2.0 * 3.14159265358979323846 * k / N_RESTING, at = 7e-3 + off[k];
        grain[k] = (struct job_grain){
            .pos = {at * cos(angle), at * sin(angle), 1.9 * radius / 2 + 1e-6 * k},
            .radius = 0.9 * radius,
            .mass = mass};
    }
    if (!open_walls(t, &job, t->comm, N_RESTING, gravity, "", pieces)) return;
    job_put(&job, grain, N_RESTING);
    job_start(t, &job);
    if (!job_advance(t, &job, 6000)) return;
    job_find_all(&job, m, N_RESTING);
    struct scree_wide sum[3] = {{0, 0}, {0, 0}, {0, 0}};
    for (int w = 0; w < job.walls.n; w++)
        for (int a = 0; a < 3; a++) scree_wide_merge(&sum[a], job.walls.wall[w].force[a]);
    scree_comm_sum_wide(t->comm, sum, 3);
    double carried = -scree_wide_value(sum[2]) * job.walls.force_quantum;
    for (int k = 0; k < N_RESTING; k++) JOB_NEAR(t, name, m[k].force[2] / (mass * g), 1.0, 1e-10);
    JOB_NEAR(t, "weight on the bottom", carried / (N_RESTING * mass * g), 1.0, 1e-10);
    int64_t contacts[2];
    job_count_contacts(&job, contacts);
    MPI_TEST(t, contacts[1] == N_RESTING, "%s: %lld contacts", name, (long long)contacts[1]);
    scree_job_clear(&job);
}

static const char *const drums[] = {
    "  drum: {shape: cylinder, material: m, point: [0, 3 mm, 0], axis: [0, 1, 0], radius: 5 mm, "
    "side: inside, rotate: {axis: [0, 1, 0], rate: 5 rad/s}}\n",
    "  bowl: {shape: sphere, material: m, centre: [0, 0, 0], radius: 5 mm, side: inside, rotate: "
    "{axis: [0, 1, 0], rate: 5 rad/s}}\n",
};

/* A grain at the bottom of a turning drum: it first slides, so that the torque on the drum is that
 * of friction at the rim, and in the end turns in place, its surface as fast as the rim. */
static void check_drum(struct mpi_test *t, const char *drum, double rim)
{
    struct scree_job job;
    const double gravity[3] = {0, 0, -g}, rate = 5.0;
    double deep = mass * g / 2000.0;
    struct job_grain grain = {
        .pos = {0, 0, -(rim - radius) - deep}, .radius = radius, .mass = mass};
    struct job_motion m;
    if (!open_walls(t, &job, job_self(), 1, gravity, "background_friction: 1.4e-2\n", drum)) return;
    job_put(&job, &grain, 1);
    job_start(t, &job);
    double quantum[2] = {job.walls.force_quantum, job.walls.torque_quantum};
    for (int late = 0; late < 2; late++) {
        if (!job_advance(t, &job, late ? 36000 : 100)) return;
        job_find_all(&job, &m, 1);
        const struct scree_wall *wall = &job.walls.wall[0];
        struct scree_wide sum[6];
        memcpy(sum, wall->force, sizeof wall->force);
        memcpy(sum + 3, wall->torque, sizeof wall->torque);
        scree_comm_sum_wide(job.comm, sum, 6);
        double force = quantum[0] * scree_wide_value(sum[2]);
        double torque = quantum[1] * scree_wide_value(sum[4]);
        double friction = quantum[0] * scree_wide_value(sum[0]);
        JOB_NEAR(t, "force on the drum", force / (mass * g), -1.0, late ? 1e-7 : 0.01);
        /* The rim turns about +y, at the bottom towards -x; friction holds it back. */
        JOB_NEAR(t, "friction", friction / (mass * g), late ? 0.0 : 0.5, late ? 1e-7 : 0.01);
        JOB_NEAR(t, "torque", torque / (mass * g * rim), late ? 0.0 : -0.5, late ? 1e-7 : 0.01);
    }
    double lever = rim + m.pos[2]; /* from the centre to the rim below it */
    JOB_NEAR(t, "spin", m.spin[1] * lever, rate * rim, 1e-7 * rate * rim);
    JOB_NEAR(t, "place", m.pos[0], 0.0, 1e-7 * rim);
    scree_job_clear(&job);
}

/* A plane without end tilts towards grains at rest, one of them far outside the domain: each is hit
 * when z cos(wt) - x sin(wt) = r, and at the speed of the plane there. */
static void check_tilt(struct mpi_test *t)
{
    enum { N = 3, SUB = 50 };
    struct scree_job job;
    const double none[3] = {0, 0, 0}, rate = 2.0;
    static const double x[N] = {30e-3, 5e-3, 0.15}, z[N] = {10e-3, 5e-3, 0.05};
    struct job_grain grain[N];
    struct job_motion m[N];
    double hit[N] = {0, 0, 0};
    for (int k = 0; k < N; k++)
        grain[k] = (struct job_grain){.pos = {x[k], 0, z[k]}, .radius = radius, .mass = mass};
    if (!open_walls(t, &job, job_self(), N, none, "",
                    "  floor: {shape: plane, material: m, point: [0, 0, 0], normal: [0, 0, 1], "
                    "rotate: {axis: [0, -1, 0], rate: 2 rad/s}}\n"))
        return;
    job_put(&job, grain, N);
    job_start(t, &job);
    for (int step = SUB; step <= 25000; step += SUB) {
        if (!job_advance(t, &job, step)) return;
        job_find_all(&job, m, N);
        for (int k = 0; k < N; k++)
            if (hit[k] == 0.0 && m[k].force[2] > 0.0) hit[k] = step * 1e-5;
    }
    for (int k = 0; k < N; k++) {
        double low = 0.0, high = 0.5;
        for (int round = 0; round < 60; round++) {
            double middle = 0.5 * (low + high), tilt = rate * middle;
            if (z[k] * cos(tilt) - x[k] * sin(tilt) > radius)
                low = middle;
            else
                high = middle;
        }
        JOB_NEAR(t, "time of the blow", hit[k], low + 0.5 * SUB * 1e-5, 0.6 * SUB * 1e-5);
    }
    scree_job_clear(&job);
}

/* Everything at once, grains flying about: the state and the sums on walls alone and on all ranks,
 * with lists that are rebuilt for balance at other times. */
static const char zoo[] =
    "  tube: {shape: cylinder, material: m, point: [0, 0, -20 mm], radius: 30 mm, length: 60 mm, "
    "rotate: {law: ramp, rate: 20 rad/s, rise: 0.01}}\n"
    "  disk: {shape: disk, material: m, centre: [0, 0, -20 mm], radius: 12 mm}\n"
    "  ring: {shape: ring, material: m, centre: [0, 0, -20 mm], inner: 12 mm, outer: 30 mm, "
    "rotate: {law: ramp, rate: 20 rad/s, rise: 0.01}}\n"
    "  cone: {shape: cone, material: m, point: [0, 0, -20 mm], radius: 5 mm, end_radius: 0, "
    "length: "
    "8 mm}\n"
    "  lid: {shape: plane, material: m, point: [0, 0, 30 mm], normal: [0, 0, -1], move: {law: "
    "cosine, direction: [0, 0, -1], distance: 8 mm, duration: 0.03}}\n"
    "  paddle: {shape: rectangle, material: m, corner: [8 mm, 0, -15 mm], along: [15 mm, 0, 0], "
    "across: [0, 0, 10 mm], rotate: {point: [0, 0, 0], rate: 30 rad/s}}\n"
    "  ball: {shape: sphere, material: m, centre: [0, 0, 10 mm], radius: 4 mm, side: outside, "
    "move: "
    "{law: oscillate, direction: [1, 0, 0], amplitude: 3 mm, frequency: 40 Hz}}\n";

enum { N_ZOO = 220 };

static bool run_zoo(struct mpi_test *t, struct scree_comm *comm, const char *more, uint64_t *digest,
                    struct scree_wide *sum)
{
    struct scree_job job;
    const double gravity[3] = {1, 2, -g};
    struct job_grain grain[N_ZOO];
    int n = 0;
    for (int z = 0; n < N_ZOO; z++)
        for (int y = -3; y <= 3; y++)
            for (int x = -3; x <= 3 && n < N_ZOO; x++) {
                double at[3] = {6e-3 * x + 1e-3, 6e-3 * y + 1e-3, -10e-3 + 6e-3 * z};
                bool free = hypot(at[0], at[1]) < 24e-3 &&
                            hypot(hypot(at[0], at[1]), at[2] - 10e-3) > 10e-3 &&
                            !(fabs(at[1]) < 3e-3 && at[0] > 0 && at[2] < 0);
                if (!free) continue;
                if (at[2] > 26e-3) at[0] += 1.0; /* no room: far away from all walls */
                grain[n] =
                    (struct job_grain){.pos = {at[0], at[1], at[2]},
                                       .radius = radius * (0.8 + 0.001 * n),
                                       .mass = mass,
                                       .vel = {0.3 * ((n % 7) - 3), 0.2 * (n % 5 - 2), -0.5}};
                n++;
            }
    if (!open_walls(t, &job, comm, N_ZOO, gravity, more, zoo)) return false;
    job_put(&job, grain, N_ZOO);
    if (!job_start(t, &job) || !job_advance(t, &job, 4000)) return false;
    *digest = scree_digest_compute(&job.run);
    int64_t contacts[2];
    job_count_contacts(&job, contacts);
    MPI_TEST(t, contacts[1] > 5, "only %lld contacts with walls", (long long)contacts[1]);
    for (int w = 0; w < job.walls.n; w++) {
        memcpy(sum + 6 * w, job.walls.wall[w].force, 3 * sizeof *sum);
        memcpy(sum + 6 * w + 3, job.walls.wall[w].torque, 3 * sizeof *sum);
    }
    scree_comm_sum_wide(comm, sum, 6 * job.walls.n);
    MPI_TEST(t, job_is_balanced(&job, false) == false, "grains feel no wall");
    scree_job_clear(&job);
    return true;
}

static void check_ranks(struct mpi_test *t)
{
    struct scree_wide sum[2][6 * 7];
    uint64_t digest[2] = {0, 0};
    memset(sum, 0, sizeof sum);
    if (t->comm->rank == 0) run_zoo(t, job_self(), "", &digest[0], sum[0]);
    mpi_test_tell(t, digest, sizeof digest);
    mpi_test_tell(t, sum, sizeof sum);
    if (!run_zoo(t, t->comm, "neighbours: {skin: 1e-3}\n", &digest[1], sum[1])) return;
    MPI_TEST(t, digest[0] == digest[1], "another digest than on one rank");
    MPI_TEST(t, memcmp(sum[0], sum[1], sizeof sum[0]) == 0, "other sums than on one rank");
}

int main(int argc, char **argv)
{
    struct mpi_test t;
    mpi_test_begin(&t, &argc, &argv);
    check_joint(&t, "tiles", tiles);
    check_joint(&t, "split bottom", split);
    check_joint(&t, "disk on a plane", on_plane);
    check_rest(&t, "rest on a split bottom", split);
    check_rest(&t, "rest on a disk on a plane", on_plane);
    for (int k = 0; k < 2; k++)
        if (mpi_test_serial(&t)) check_drum(&t, drums[k], 5e-3);
    if (mpi_test_serial(&t)) check_tilt(&t);
    mpi_test_meet(&t);
    check_ranks(&t);
    return mpi_test_end(&t);
}
