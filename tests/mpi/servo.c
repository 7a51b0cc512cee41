/* SPDX-License-Identifier: BSD-3-Clause
 * Walls that move by the force on them: targets are reached without much overshoot whatever the
 * mass of the wall, energy closes, ranks and resumed runs have the same bits. */
#include "bits_test.h"

static const double mass = 1e-4, radius = 2.5e-3;
static const double stiffness = 2000.0; /* N/m */

/* Grains in a box of [-20, 20] mm; several ranks rebalance every 300 steps. */
static bool open_walls(struct mpi_test *t, struct scree_job *job, struct scree_comm *comm,
                       const char *from, const char *particles, const char *text)
{
    char input[4000];
    snprintf(input, sizeof input,
             "time: {step: 1e-5, steps: 1}\nbackground_friction: 1e-3\n"
             "domain: {low: [-20 mm, -20 mm, -20 mm], high: [20 mm, 20 mm, 20 mm]}\n"
             "materials: {m: {density: 1500}}\nbalance: {method: hilbert, force_every: %d}\n"
             "contacts: [{between: [m, m], normal: {law: linear, stiffness: 2000, damping: 0.3}"
             ", tangential: {law: spring, stiffness: 600, damping: 0.1, friction: 0.5}}]\n"
             "boundaries:\n%sparticles: [%s]\n",
             comm->n_ranks > 1 ? 300 : 0, text, particles);
    return job_open_from(t, job, comm, input, NULL, from);
}

static const char one[] = "{lattice: {material: m, radius: 2.5e-3, count: 1}}";

/* Start with one grain at the origin. */
static bool start_one(struct mpi_test *t, struct scree_job *job, struct scree_comm *comm,
                      const char *walls)
{
    struct job_grain grain = {.radius = radius, .mass = mass};
    if (!open_walls(t, job, comm, NULL, one, walls)) return false;
    job_put(job, &grain, 1);
    return job_start(t, job);
}

struct response {
    double last, most;    /* of the grains against the target, relative to it */
    double fastest;       /* m/s or rad/s */
    double work, drives;  /* J; of the servo, to walls and drives */
    double closure, path; /* relative; m or rad */
};

/* Walls "floor" and "lid", of which the second has a servo. */
static void follow(struct mpi_test *t, struct scree_job *job, int64_t steps, struct response *r)
{
    const struct scree_servo_state *s = &job->walls.wall[1].servo.state;
    *r = (struct response){0};
    for (int64_t n = 1; n <= steps && job_advance(t, job, n); n++) {
        r->last = s->target != 0.0 ? -s->force / s->target : 0.0;
        r->most = fmax(r->most, r->last);
        r->fastest = fmax(r->fastest, fabs(s->rate));
    }
    struct job_energies e;
    job_energies(job, &e);
    r->closure = job_closure(&e);
    r->work = scree_servo_work(&job->walls.wall[1].servo, job->run.scene.dt);
    r->drives = e.loss[SCREE_LOSS_DRIVES];
    r->path = s->path;
}

static const char press[] =
    "  floor: {shape: plane, material: m, point: [0, 0, -2.5 mm], normal: [0, 0, 1]}\n"
    "  lid: {shape: plane, material: m, point: [0, 0, %g mm], normal: [0, 0, -1], servo: {%s}}\n";

static bool run_press(struct mpi_test *t, double gap, const char *servo, int64_t steps,
                      struct response *r)
{
    struct scree_comm alone = job_alone();
    struct scree_job job;
    char walls[600];
    snprintf(walls, sizeof walls, press, 2.5 + gap, servo);
    if (!start_one(t, &job, &alone, walls)) return false;
    follow(t, &job, steps, r);
    scree_job_clear(&job);
    return true;
}

/* The same overlap at floor and lid; the lid gives what springs and dashpots take. */
static void check_press(struct mpi_test *t, double gap, const char *masses, int64_t steps)
{
    char servo[200];
    struct response r;
    snprintf(servo, sizeof servo, "force: 0.5 N, mass: %s", masses);
    if (!run_press(t, gap, servo, steps, &r)) return;
    JOB_NEAR(t, "load per target", r.last, 1.0, 1e-3);
    MPI_TEST(t, r.most < 1.2, "mass %s: overshoot to %g", masses, r.most);
    JOB_NEAR(t, "path", r.path, 1e-3 * gap + 2.0 * 0.5 / stiffness, 1e-8);
    MPI_TEST(t, fabs(r.closure) < 2e-3, "mass %s: closure %g", masses, r.closure);
    JOB_NEAR(t, "work of the servo", r.work, -r.drives, 1e-9 * r.work);
}

/* The floor drives grain and lid at a constant velocity: the lid bears its target all the same.
 * With a force of gamma x' against the motion it would be off by 2 % to 90 % for these masses. */
static void check_drift(struct mpi_test *t, const char *masses, int64_t steps)
{
    static const char moving[] =
        "  floor: {shape: plane, material: m, point: [0, 0, -2.5 mm], normal: [0, 0, 1], velocity: "
        "[0, 0, 50 mm/s]}\n"
        "  lid: {shape: plane, material: m, point: [0, 0, 2.5 mm], normal: [0, 0, -1], servo: "
        "{force: 0.5 N, mass: %s}}\n";
    struct scree_comm alone = job_alone();
    struct scree_job job;
    struct response r;
    char walls[600];
    snprintf(walls, sizeof walls, moving, masses);
    if (!start_one(t, &job, &alone, walls)) return;
    follow(t, &job, steps, &r);
    JOB_NEAR(t, "load per target of a lid that drifts", r.last, 1.0, 1e-3);
    MPI_TEST(t, fabs(r.closure) < 1e-3, "drift, mass %s: closure %g", masses, r.closure);
    scree_job_clear(&job);
}

/* A limit of speed holds, and leaves nothing behind; so does one of the path. */
static void check_limits(struct mpi_test *t)
{
    struct response r;
    if (!run_press(t, 1.0, "force: 0.5 N, speed: 0.02 m/s", 12000, &r)) return;
    JOB_NEAR(t, "speed at its limit", r.fastest, 0.02, 1e-12);
    JOB_NEAR(t, "load after a limit of speed", r.last, 1.0, 1e-3);
    MPI_TEST(t, r.most < 1.2, "after a limit of speed: overshoot to %g", r.most);
    if (!run_press(t, 0.0, "force: 0.5 N, high: 0.1 mm", 12000, &r)) return;
    JOB_NEAR(t, "path at its limit", r.path, 1e-4, 1e-15);
    JOB_NEAR(t, "load at a limit of the path", r.last, 0.5 * 1e-4 * stiffness / 0.5, 1e-6);
    if (!run_press(t, 0.0, "stress: 20 kPa, area: 25 mm^2, start: 10 ms, rise: 10 ms", 1500, &r))
        return;
    MPI_TEST(t, r.last > 0.8 && r.last < 1.1, "half way up: load %g", r.last);
}

/* A hinged plate on a grain, and a drum that nobody touches. */
static void check_torque(struct mpi_test *t)
{
    static const char lever[] =
        "  floor: {shape: plane, material: m, point: [0, 0, -2.5 mm], normal: [0, 0, 1]}\n"
        "  lid: {shape: plane, material: m, point: [0, 0, 2.5 mm], normal: [0, 0, -1], servo: "
        "{torque: 5 N mm, axis: [0, 1, 0], point: [-10 mm, 0, 2.5 mm], inertia: 1e-7 kg m^2, "
        "damping: auto}}\n";
    static const char drum[] =
        "  floor: {shape: plane, material: m, point: [0, 0, -9 mm], normal: [0, 0, 1]}\n"
        "  lid: {shape: cylinder, material: m, point: [0, 0, 0], axis: [0, 1, 0], radius: 10 mm, "
        "side: inside, servo: {torque: 1 N mm, axis: [0, 1, 0], inertia: 1e-5 kg m^2}}\n";
    struct scree_comm alone = job_alone();
    struct scree_job job;
    struct response r;
    if (!start_one(t, &job, &alone, lever)) return;
    follow(t, &job, 24000, &r);
    scree_job_clear(&job);
    JOB_NEAR(t, "torque per target", r.last, 1.0, 1e-3);
    MPI_TEST(t, r.most < 1.2, "torque: overshoot to %g", r.most);
    MPI_TEST(t, fabs(r.closure) < 1e-3, "torque: closure %g", r.closure);
    JOB_NEAR(t, "work of the torque", r.work, -r.drives, 1e-6 * r.work);
    if (!start_one(t, &job, &alone, drum)) return;
    follow(t, &job, 1000, &r);
    scree_job_clear(&job);
    JOB_NEAR(t, "angle of a free drum", r.path, 0.5 * 100.0 * 0.01 * 0.01, 1e-12);
}

static const char container[] =
    "  a: {shape: plane, material: m, point: [-10 mm, 0, 0], normal: [1, 0, 0]}\n"
    "  b: {shape: plane, material: m, point: [0, -10 mm, 0], normal: [0, 1, 0]}\n"
    "  c: {shape: plane, material: m, point: [0, 0, -10 mm], normal: [0, 0, 1]}\n"
    "  d: {shape: plane, material: m, point: [10 mm, 0, 0], normal: [-1, 0, 0], servo: {stress: 1 "
    "kPa}}\n"
    "  e: {shape: plane, material: m, point: [0, 10 mm, 0], normal: [0, -1, 0], servo: {stress: 1 "
    "kPa}}\n"
    "  f: {shape: plane, material: m, point: [0, 0, 10 mm], normal: [0, 0, -1], velocity: [1 mm/s, "
    "0, 0], servo: {stress: 1 kPa, mass: 1 g}}\n";
static const char packing[] =
    "{random: {material: m, radius: 1.5e-3, count: 120, region: {shape: box, low: [-10 mm, -10 mm, "
    "-10 mm], high: [10 mm, 10 mm, 10 mm]}}}";
/* Walls with servos that carry grains, one of them while it slides. */
static const char rough_packing[] =
    "{random: {material: m, radius: 1.5e-3, count: 120, region: {shape: box, low: [-10 mm, -10 mm, "
    "-10 mm], high: [10 mm, 10 mm, 10 mm]}}, glue: {to: [c, d, f], within: 0.7 mm}}";
/* A drum that carries grains: free ones hold it against its torque. */
static const char rough_drum[] =
    "  floor: {shape: plane, material: m, point: [0, 0, -15 mm], normal: [0, 0, 1]}\n"
    "  lid: {shape: cylinder, material: m, point: [1 mm, 2 mm, 0], axis: [0, 1, 0], radius: 14 mm, "
    "side: inside, servo: {torque: 2 N mm, axis: [0, 1, 0], point: [1 mm, 2 mm, 0], inertia: 1e-6 "
    "kg m^2, damping: 2e-4 kg m^2/s}}\n"
    "  stop: {shape: block, material: m, low: [-2 mm, -19 mm, -13.5 mm], high: [2 mm, 19 mm, 10 "
    "mm]}\n";
static const char drum_filling[] =
    "{random: {material: m, radius: 1.2e-3, count: 90, region: {shape: cylinder, axis: y, centre: "
    "[1 mm, 2 mm, 0], radius: 14 mm, from: 40 deg, to: 140 deg, low: -10 mm, high: 10 mm}}, glue: "
    "{to: lid, within: 1.5 mm, share: 0.5}}";

/* A step up by half, in packings at rest: the worst load of a servo against its target. */
static double step_up(struct mpi_test *t, struct scree_job *job, int64_t steps)
{
    double most = 0.0;
    int64_t first = scree_run_step(&job->run);
    for (int w = 3; w < 6; w++) job->walls.wall[w].servo.stress *= 1.5;
    for (int64_t n = 1; n <= steps && job_advance(t, job, first + n); n++)
        for (int w = 3; w < 6; w++) {
            const struct scree_servo_state *s = &job->walls.wall[w].servo.state;
            most = fmax(most, -s->force / s->target);
        }
    return most;
}

static void check_stress(struct mpi_test *t, const char *grains)
{
    struct scree_comm alone = job_alone();
    struct scree_job job;
    if (!open_walls(t, &job, &alone, NULL, grains, container)) return;
    if (!job_start(t, &job)) return;
    job_advance(t, &job, 15000);
    double extent[3];
    for (int a = 0; a < 3; a++) extent[a] = 20e-3 + job.walls.wall[3 + a].offset[a];
    double volume = extent[0] * extent[1] * extent[2];
    for (int a = 0; a < 3; a++) {
        const struct scree_servo_state *s = &job.walls.wall[3 + a].servo.state;
        double area = volume / extent[a];
        JOB_NEAR(t, "stress", -s->force / area, 1000.0, 10.0);
    }
    struct job_energies e;
    job_energies(&job, &e);
    MPI_TEST(t, fabs(job_closure(&e)) < 2e-3, "closure %g", job_closure(&e));
    double most = step_up(t, &job, 3000);
    MPI_TEST(t, most > 0.99 && most < 1.2, "after a step of stress: up to %g", most);
    scree_job_clear(&job);
}

static void check_rough_drum(struct mpi_test *t)
{
    struct scree_comm alone = job_alone();
    struct scree_job job;
    struct response r;
    if (!open_walls(t, &job, &alone, NULL, drum_filling, rough_drum)) return;
    if (!job_start(t, &job)) return;
    follow(t, &job, 25000, &r);
    MPI_TEST(t, r.path > 0.2 && r.path < 3.0, "rough drum: turned by %g", r.path);
    JOB_NEAR(t, "rough drum: torque per target", r.last, 1.0, 1e-3);
    MPI_TEST(t, fabs(r.closure) < 2e-3, "rough drum: closure %g", r.closure);
    /* Grains go by chords, the servo by the arc. */
    JOB_NEAR(t, "rough drum: work", r.work, -r.drives, 1e-4 * fabs(r.work));
    scree_job_clear(&job);
}

struct setting {
    const char *grains, *walls;
};

static bool open_setting(struct mpi_test *t, struct scree_job *job, struct scree_comm *comm,
                         const char *from, const void *context)
{
    const struct setting *setting = context;
    return open_walls(t, job, comm, from, setting->grains, setting->walls);
}

static void check_bits(struct mpi_test *t, const char *grains, const char *walls)
{
    const struct setting setting = {grains, walls};
    bits_check(t, open_setting, &setting, 700, 1200);
}

int main(int argc, char **argv)
{
    static const char *const masses[] = {"1e-6 kg", "1e-5 kg", "1e-4 kg",
                                         "1e-3 kg", "1e-2 kg", "auto"};
    struct mpi_test t;
    mpi_test_begin(&t, &argc, &argv);
    /* Heavy walls take long, as the root of their mass; all come to rest within 1e-3. Those that
     * would be off by more than a tenth of their target if they drift take ten times as long. */
    static const int64_t steps[] = {12000, 12000, 12000, 12000, 30000, 12000};
    static const int64_t drift_steps[] = {12000, 12000, 12000, 60000, 240000, 12000};
    enum { N_MASSES = sizeof masses / sizeof masses[0] };
    for (int k = MPI_TEST_SANITIZED ? N_MASSES - 1 : 0; k < N_MASSES; k++) {
        if (!mpi_test_serial(&t)) continue;
        check_press(&t, 0.0, masses[k], steps[k]);
        check_press(&t, 1.0, masses[k], steps[k]);
        check_press(&t, 15.0, masses[k], 2 * steps[k] + 5000);
        check_drift(&t, masses[k], drift_steps[k]);
    }
    if (!MPI_TEST_SANITIZED && mpi_test_serial(&t)) check_press(&t, 0.0, "0.1 kg", 90000);
    if (mpi_test_serial(&t)) check_limits(&t);
    if (mpi_test_serial(&t)) check_torque(&t);
    if (!MPI_TEST_SANITIZED && mpi_test_serial(&t)) check_stress(&t, packing);
    if (mpi_test_serial(&t)) check_stress(&t, rough_packing);
    if (mpi_test_serial(&t)) check_rough_drum(&t);
    mpi_test_meet(&t);
    check_bits(&t, packing, container);
    check_bits(&t, rough_packing, container);
    check_bits(&t, drum_filling, rough_drum);
    return mpi_test_end(&t);
}
