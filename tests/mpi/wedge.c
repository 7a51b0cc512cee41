/* SPDX-License-Identifier: BSD-3-Clause
 * A wedge of a ring: two grains that touch through its sides are like two that touch elsewhere, bit
 * for bit where turns are exact; ranks, balances and skins do not show; what torque one grain gets
 * about the axis another one gives; and a wedge is what a full ring of its copies is. */
#include "job_test.h"

static const char laws[] =
    "materials: {m: {density: 1}, w: {density: 1}}\n"
    "contacts:\n"
    "- between: [m, m]\n"
    "  normal: {law: linear, stiffness: 200, damping: 0.3}\n"
    "  tangential: {law: spring, stiffness: 60, damping: 0.1, friction: 0.6, "
    "friction_dynamic: 0.4}\n"
    "  rolling: {law: spring, stiffness: 20, friction: 0.1}\n"
    "  torsion: {law: spring, stiffness: 20, friction: 0.1}\n"
    "- between: [m, w]\n"
    "  normal: {law: linear, stiffness: 300, damping_rate: 2}\n"
    "  tangential: {law: none}\n";

/* A vector turned by whole sectors; quarters exactly. */
static void turn(const double from[3], int k, int n, double to[3])
{
    struct scree_wedge wedge;
    scree_wedge_init(&wedge, n, 2);
    memcpy(to, from, 3 * sizeof *to);
    scree_wedge_turn_by(&wedge, k, to);
}

static void turn_grain(struct job_grain *g, int k, int n)
{
    double pos[3], vel[3], spin[3];
    turn(g->pos, k, n, pos);
    turn(g->vel, k, n, vel);
    turn(g->spin, k, n, spin);
    memcpy(g->pos, pos, sizeof pos);
    memcpy(g->vel, vel, sizeof vel);
    memcpy(g->spin, spin, sizeof spin);
}

/* Two grains that meet, roll on each other and travel together from before the far side of the
 * wedge to beyond it. */
static void two_grains(int sectors, struct job_grain grain[2])
{
    const struct job_grain first = {.pos = {8.0, 0.0, 1.0},
                                    .radius = 0.5,
                                    .mass = 1.0,
                                    .vel = {0.1, 3.0, 0.0},
                                    .spin = {2.0, -1.0, 3.0}};
    const struct job_grain second = {.pos = {8.7, 0.75, 1.2},
                                     .radius = 0.6,
                                     .mass = 1.5,
                                     .vel = {-0.2, 2.4, -0.1},
                                     .spin = {-1.0, 0.5, 2.0}};
    double angle = 6.283185307179586 / sectors - 0.16, c = cos(angle), s = sin(angle);
    grain[0] = first;
    grain[1] = second;
    for (int k = 0; k < 2; k++) {
        double *vector[3] = {grain[k].pos, grain[k].vel, grain[k].spin};
        for (int v = 0; v < 3; v++) {
            double x = vector[v][0], y = vector[v][1];
            vector[v][0] = c * x - s * y;
            vector[v][1] = s * x + c * y;
        }
    }
}

enum { PAIR_STEPS = 800 };

static void run_pair(struct mpi_test *t, const char *domain, const struct job_grain grain[2],
                     struct job_motion motion[PAIR_STEPS / 20][2])
{
    char text[3000];
    struct scree_job job;
    snprintf(text, sizeof text,
             "time: {step: 1e-3, steps: 1}\nneighbours: {skin: 0.2}\nbalance: {force_every: 7}\n"
             "%s%sparticles: [{lattice: {material: m, radius: 0.5, count: 2, low: [4, 4, 0], "
             "high: [7, 6, 2]}}]\n",
             laws, domain);
    if (!job_open(t, &job, t->comm, text, NULL)) return;
    job_put(&job, grain, 2);
    job_start(t, &job);
    for (int k = 0; k < PAIR_STEPS / 20; k++) {
        job_advance(t, &job, 20 * k);
        job_find_all(&job, motion[k], 2);
    }
    scree_job_clear(&job);
}

/* Grain `who` is kept in a home frame that is turned by `away` sectors; `free`: their motion in an
 * open domain. */
static void check_turned(struct mpi_test *t, int sectors, int who, int away, double tolerance,
                         struct job_motion free[PAIR_STEPS / 20][2])
{
    static struct job_motion through[PAIR_STEPS / 20][2];
    struct job_grain grain[2];
    char wedge[200];
    double largest = 0.0, force = 0.0, travelled = 0.0;
    two_grains(sectors, grain);
    turn_grain(&grain[who], -away, sectors);
    snprintf(wedge, sizeof wedge,
             "domain: {low: [-12, -12, 0], high: [12, 12, 3], wedge: {axis: z, sectors: %d}}\n",
             sectors);
    run_pair(t, wedge, grain, through);
    for (int k = 0; k < PAIR_STEPS / 20; k++)
        for (int g = 0; g < 2; g++) {
            const double *have = through[k][g].pos, *want = free[k][g].pos;
            for (int v = 0; v < 5; v++) { /* position, velocity, spin, force, torque */
                double back[3];
                turn(have + 3 * v, g == who ? away : 0, sectors, back);
                for (int a = 0; a < 3; a++)
                    largest = fmax(largest, fabs(back[a] - want[3 * v + a]));
            }
            force = fmax(force, fabs(free[k][g].force[0]));
        }
    for (int a = 0; a < 2; a++)
        travelled = hypot(travelled, free[PAIR_STEPS / 20 - 1][0].pos[a] - free[0][0].pos[a]);
    MPI_TEST(t, largest <= tolerance, "%d sectors, grain %d turned by %d: off by %g", sectors,
             who + 1, away, largest);
    MPI_TEST(t, force > 1.0 && travelled > 1.4, "force %g N, travelled %g m", force, travelled);
}

static void check_pair(struct mpi_test *t, int sectors, int most_away, double tolerance)
{
    static struct job_motion free[PAIR_STEPS / 20][2];
    struct job_grain grain[2];
    two_grains(sectors, grain);
    run_pair(t, "domain: {low: [-12, -12, 0], high: [12, 12, 3]}\n", grain, free);
    for (int who = 0; who < 2; who++)
        for (int away = 1; away <= most_away; away++)
            check_turned(t, sectors, who, away, tolerance, free);
}

static const char gas[] =
    "time: {step: 1.5e-3, steps: 1}\nseed: 9\n"
    "boundaries:\n"
    "  inner: {shape: cylinder, material: w, point: [0, 0, 0], radius: 4, side: outside}\n"
    "  outer: {shape: cylinder, material: w, point: [0, 0, 0], radius: 9, side: inside}\n"
    "  floor: {shape: plane, material: w, point: [0, 0, 0], normal: [0, 0, 1]}\n"
    "  lid: {shape: plane, material: w, point: [0, 0, 4], normal: [0, 0, -1]}\n"
    "particles: [{dense: {count: 400, material: m, radius: {uniform: [0.2, 0.5]}, speed: 1.5, "
    "spin: 3, region: {shape: cylinder, radius: 9, inner: 4}}}]\n";

static const char *const wedges[] = {
    "domain: {low: [0, 0, 0], high: [9, 9, 4], wedge: {axis: z, sectors: 4}}\n",
    "domain: {low: [0, 0, 0], high: [9, 9, 4], wedge: {axis: z, sectors: 5}}\n",
};

struct outcome {
    uint64_t digest[2];
    double spin[2];  /* angular momentum about the axis at the start and at the end */
    double moved[2]; /* sum of its changes by contacts, torque */
    int64_t contacts[2], n_seams;
};

static double angular_momentum(struct scree_job *job)
{
    const struct scree_particles *p = job->run.scene.particles;
    struct scree_exact sum;
    scree_exact_clear(&sum);
    for (scree_lid i = 0; i < p->n_owned; i++) {
        double v[3], w[3], r = p->pos[i][3], m = p->mass[i];
        job->run.stepper->velocity(job->run.state, &job->run.scene, i, v, w);
        scree_exact_add(&sum, m * (p->pos[i][0] * v[1] - p->pos[i][1] * v[0]) +
                                  job->run.scene.inertia_factor * m * r * r * w[2]);
    }
    scree_comm_sum_exact(job->comm, &sum, 1);
    return scree_exact_value(&sum);
}

static void count_seams(void *context, const struct scree_contact_view *c)
{
    struct outcome *o = context;
    if (c->second > 0 && c->image[0] != 0) o->n_seams++;
}

enum { STEPS = 400 };

static struct outcome run_gas(struct mpi_test *t, struct scree_comm *comm, const char *domain,
                              const char *const *sets)
{
    char text[4000];
    struct scree_job job;
    struct outcome o = {.n_seams = 0};
    snprintf(text, sizeof text, "%s%s%s", laws, gas, domain);
    if (!job_open(t, &job, comm, text, sets)) return o;
    job_start(t, &job);
    for (int k = 0; k < 2; k++) {
        o.spin[k] = angular_momentum(&job);
        job_advance(t, &job, (k + 1) * STEPS / 2);
        o.digest[k] = scree_digest_compute(&job.run);
    }
    o.spin[1] = angular_momentum(&job);
    job_count_contacts(&job, o.contacts);
    scree_contacts_visit(job.run.scene.contacts, job.run.scene.particles, count_seams, &o);
    scree_comm_sum_int(comm, &o.n_seams, 1);
    struct job_energies e;
    job_energies(&job, &e);
    MPI_TEST(t, fabs(e.closure) < 1e-2 * e.turnover, "closure %g of %g J", e.closure, e.turnover);
    scree_job_clear(&job);
    return o;
}

static void check_gas(struct mpi_test *t, const char *domain)
{
    static const char *const sets[][3] = {
        {NULL},
        {"balance.method=hilbert", "balance.force_every=10", NULL},
        {"neighbours.skin=0.08", "balance.force_every=13", NULL},
        {"neighbours.skin=0.3", "balance.bricks_per_rank=2", NULL},
    };
    struct outcome alone = {.n_seams = 0};
    if (t->comm->rank == 0) alone = run_gas(t, job_self(), domain, NULL);
    mpi_test_tell(t, &alone, sizeof alone);
    MPI_TEST(t, alone.n_seams > 5 && alone.contacts[0] > 50, "%lld contacts, %lld through sides",
             (long long)alone.contacts[0], (long long)alone.n_seams);
    JOB_NEAR(t, "angular momentum", alone.spin[1], alone.spin[0], 1e-11 * fabs(alone.spin[0]));
    for (size_t k = 0; k < sizeof sets / sizeof sets[0]; k++) {
        struct outcome o = run_gas(t, t->comm, domain, sets[k]);
        MPI_TEST(t, o.digest[0] == alone.digest[0], "variant %d: other bits half-way", (int)k);
        MPI_TEST(t, o.digest[1] == alone.digest[1], "variant %d: other bits", (int)k);
        MPI_TEST(t, o.n_seams == alone.n_seams, "variant %d: %lld through sides", (int)k,
                 (long long)o.n_seams);
    }
}

enum { RING = 100, RING_STEPS = 250 };

/* The grains of the wedge at the start, all their copies, and both after some time. */
static void check_ring(struct mpi_test *t, int sectors, const char *domain, double tolerance)
{
    static const char *const few[] = {"particles.0.dense.count=100", NULL};
    static struct job_motion start[RING], wedge[RING], ring[5 * RING];
    static struct job_grain grain[5 * RING];
    char text[4000], many[60];
    const char *sets[] = {many, NULL};
    struct scree_job job;
    double largest = 0.0, moved = 0.0;
    snprintf(text, sizeof text, "%s%s%s", laws, gas, domain);
    if (!job_open(t, &job, t->comm, text, few)) return;
    job_start(t, &job);
    job_find_all(&job, start, RING);
    for (scree_lid i = 0; i < 5 * RING; i++) grain[i].radius = -INFINITY;
    for (scree_lid i = 0; i < job.run.scene.particles->n_owned; i++) {
        struct job_grain *g = &grain[job.run.scene.particles->gid[i] - 1];
        g->radius = job.run.scene.particles->pos[i][3];
        g->mass = job.run.scene.particles->mass[i];
    }
    for (int k = 0; k < RING; k++) {
        double both[2] = {grain[k].radius, grain[k].radius > 0.0 ? grain[k].mass : -INFINITY};
        scree_comm_max(job.comm, both, 2);
        grain[k].radius = both[0];
        grain[k].mass = both[1];
        memcpy(grain[k].pos, start[k].pos, sizeof grain[k].pos);
        memcpy(grain[k].vel, start[k].vel, sizeof grain[k].vel);
        memcpy(grain[k].spin, start[k].spin, sizeof grain[k].spin);
    }
    job_advance(t, &job, RING_STEPS);
    job_find_all(&job, wedge, RING);
    scree_job_clear(&job);

    for (int k = RING; k < sectors * RING; k++) {
        grain[k] = grain[k % RING];
        turn_grain(&grain[k], k / RING, sectors);
    }
    snprintf(many, sizeof many, "particles.0.dense.count=%d", sectors * RING);
    snprintf(text, sizeof text, "%s%sdomain: {low: [-9, -9, 0], high: [9, 9, 4]}\n", laws, gas);
    if (!job_open(t, &job, t->comm, text, sets)) return;
    job_put(&job, grain, sectors * RING);
    job_start(t, &job);
    job_advance(t, &job, RING_STEPS);
    job_find_all(&job, ring, sectors * RING);
    scree_job_clear(&job);
    for (int k = 0; k < sectors * RING; k++) {
        double back[3];
        turn(ring[k].pos, -(k / RING), sectors, back);
        for (int a = 0; a < 3; a++) {
            largest = fmax(largest, fabs(back[a] - wedge[k % RING].pos[a]));
            moved = fmax(moved, fabs(wedge[k % RING].pos[a] - start[k % RING].pos[a]));
        }
    }
    MPI_TEST(t, largest <= tolerance, "%d sectors: off by %g from the ring", sectors, largest);
    MPI_TEST(t, moved > 0.5, "grains moved only %g", moved);
}

/* A grain too close to the axis stops the run. */
static void check_axis(struct mpi_test *t)
{
    const struct job_grain grain = {.pos = {0.9, 0.9, 1.0}, .radius = 0.5, .mass = 1.0};
    char text[3000];
    struct scree_job job;
    snprintf(text, sizeof text,
             "time: {step: 1e-3, steps: 1}\nneighbours: {skin: 0.2}\n%s"
             "domain: {low: [0, 0, 0], high: [9, 9, 3], wedge: {axis: z, sectors: 4}}\n"
             "particles: [{lattice: {material: m, radius: 0.5, count: 1}}]\n",
             laws);
    if (!job_open(t, &job, t->comm, text, NULL)) return;
    job_put(&job, &grain, 1);
    enum scree_status status = scree_job_start(&job);
    MPI_TEST(t, status == SCREE_PHYSICS, "a grain at the axis is not noticed");
    scree_job_clear(&job);
}

int main(int argc, char **argv)
{
    struct mpi_test t;
    mpi_test_begin(&t, &argc, &argv);
    check_pair(&t, 4, 3, 0.0);
    check_pair(&t, 2, 1, 0.0);
    /* Forces are rounded to 2^-40 N in each frame: turned back, they differ by root 2 of that. */
    check_pair(&t, 5, 3, 0x1p-38);
    for (int k = 0; k < 2; k++) check_gas(&t, wedges[k]);
    check_ring(&t, 4, wedges[0], 0.0);
    check_ring(&t, 5, wedges[1], 1e-9);
    check_axis(&t);
    return mpi_test_end(&t);
}
