/* SPDX-License-Identifier: BSD-3-Clause
 * Plates that tilt: statics and period against closed forms, turns as rigid as they should be,
 * energy closes, ranks and resumed runs have the same bits. */
#include "bits_test.h"
#include "scree/vec.h"

static const double radius = 2.5e-3, mass = 1e-4, stiffness = 2000.0;

static bool open_plate(struct mpi_test *t, struct scree_job *job, struct scree_comm *comm,
                       const char *from, const char *damping, const char *lid,
                       const char *particles)
{
    char input[4000];
    snprintf(input, sizeof input,
             "time: {step: 1e-5, steps: 1}\n"
             "domain: {low: [-20 mm, -20 mm, -20 mm], high: [20 mm, 20 mm, 20 mm]}\n"
             "materials: {m: {density: 1500}}\nbalance: {method: hilbert, force_every: %d}\n"
             "contacts: [{between: [m, m], normal: {law: linear, stiffness: 2000, damping: %s}"
             ", tangential: {law: spring, stiffness: 600, damping: %s, friction: 0.5}}]\n"
             "boundaries:\n"
             "  floor: {shape: plane, material: m, point: [0, 0, -2.5 mm], normal: [0, 0, 1]}\n"
             "  lid: {material: m, %s}\nparticles: [%s]\n",
             comm->n_ranks > 1 ? 300 : 0, damping, damping, lid, particles);
    return job_open_from(t, job, comm, input, NULL, from);
}

static void put_on_floor(struct scree_job *job, const double (*place)[2], int n, double z)
{
    struct job_grain grain[4] = {0};
    for (int k = 0; k < n; k++) {
        grain[k].radius = radius;
        grain[k].mass = mass;
        grain[k].pos[0] = place[k][0];
        grain[k].pos[1] = place[k][1];
        grain[k].pos[2] = z;
    }
    job_put(job, grain, n);
}

static double closure_of(struct scree_job *job)
{
    struct job_energies e;
    job_energies(job, &e);
    return job_closure(&e);
}

/* J; to the books of walls and drives, and the work of all servos of the lid. */
static void check_work(struct mpi_test *t, struct scree_job *job, double tolerance)
{
    const struct scree_wall *lid = &job->walls.wall[1];
    double dt = job->run.scene.dt, work = scree_servo_work(&lid->servo, dt);
    struct job_energies e;
    for (int s = 0; s < SCREE_WALL_TILTS; s++) work += scree_servo_work(&lid->tilt[s], dt);
    job_energies(job, &e);
    JOB_NEAR(t, "work of the servos", work, -e.loss[SCREE_LOSS_DRIVES], tolerance);
}

/* A force at the middle of a plate on three grains, on none of which it would stand: each bears
 * what the levers say and gives way by f/k at the floor and at the plate. */
static void check_statics(struct mpi_test *t, const char *shape)
{
    static const double place[3][2] = {{9e-3, 0.0}, {-3e-3, 8e-3}, {-6e-3, -5e-3}};
    char lid[400];
    struct scree_comm alone = job_alone();
    struct scree_job job;
    snprintf(lid, sizeof lid,
             "%s, servo: {force: 0.05 N, mass: 1 g, direction: [0, 0, -1]}, tilt: {normal: [0, 0, "
             "1], inertia: 2e-8 kg m^2}",
             shape);
    if (!open_plate(t, &job, &alone, NULL, "0.3", lid,
                    "{lattice: {material: m, radius: 2.5e-3, count: 3}}"))
        return;
    put_on_floor(&job, place, 3, 0.0);
    if (!job_start(t, &job)) return;
    job_advance(t, &job, 20000);
    /* f0 + f1 + f2 = F with no torque about the origin: areas of the triangles with it */
    double part[3], all = 0.0, z[3];
    for (int k = 0; k < 3; k++) {
        const double *a = place[(k + 1) % 3], *b = place[(k + 2) % 3];
        part[k] = a[0] * b[1] - a[1] * b[0];
        all += part[k];
    }
    for (int k = 0; k < 3; k++) z[k] = -2.0 * 0.05 * part[k] / all / stiffness;
    /* z = c + tilt_x y - tilt_y x through the three */
    double ux = place[1][0] - place[0][0], uy = place[1][1] - place[0][1], uz = z[1] - z[0];
    double vx = place[2][0] - place[0][0], vy = place[2][1] - place[0][1], vz = z[2] - z[0];
    double det = ux * vy - uy * vx;
    double slope_x = (uz * vy - uy * vz) / det, slope_y = (ux * vz - uz * vx) / det, tilt[3];
    scree_wall_tilt_vector(&job.walls.wall[1], false, tilt);
    double size = sqrt(slope_x * slope_x + slope_y * slope_y);
    JOB_NEAR(t, "tilt about x", tilt[0], slope_y, 2e-3 * size);
    JOB_NEAR(t, "tilt about y", tilt[1], -slope_x, 2e-3 * size);
    JOB_NEAR(t, "tilt about z", tilt[2], 0.0, 1e-12);
    JOB_NEAR(t, "path", job.walls.wall[1].servo.state.path,
             -(z[0] - slope_x * place[0][0] - slope_y * place[0][1]), 2e-3 * size * 9e-3);
    JOB_NEAR(t, "closure", closure_of(&job), 0.0, 1e-3);
    check_work(t, &job, 1e-9);
    scree_job_clear(&job);
}

/* A plate at a given height on four grains without damping: I w'' = - k a^2 w, a grain having half
 * of the motion of the plate above it. */
static void check_period(struct mpi_test *t, int axis)
{
    static const double a = 8e-3, inertia = 1e-6, amplitude = 1e-3, pressed = 4e-5;
    static const double place[4][2] = {{8e-3, 0.0}, {-8e-3, 0.0}, {0.0, 8e-3}, {0.0, -8e-3}};
    char lid[300];
    struct scree_comm alone = job_alone();
    struct scree_job job;
    snprintf(lid, sizeof lid,
             "shape: plane, point: [0, 0, %.17g], normal: [0, 0, -1], tilt: {inertia: %g, damping: "
             "0}",
             radius - pressed, inertia);
    if (!open_plate(t, &job, &alone, NULL, "0", lid,
                    "{lattice: {material: m, radius: 1e-4, spacing: 1e-3, count: 4}}"))
        return;
    put_on_floor(&job, place, 4, -0.5 * pressed);
    struct scree_servo_state *s = &job.walls.wall[1].tilt[axis].state;
    s->path = amplitude;
    if (!job_start(t, &job)) return;
    double dt = job.run.scene.dt, first = 0.0, last = 0.0, before = s->path;
    int crossings = 0;
    for (int64_t n = 1; n <= 18000 && job_advance(t, &job, n); n++) {
        if (before > 0.0 && s->path <= 0.0) {
            last = ((double)n - 1.0 + before / (before - s->path)) * dt;
            if (crossings++ == 0) first = last;
        }
        before = s->path;
    }
    MPI_TEST(t, crossings > 5, "%d swings", crossings);
    double moving = inertia + 2.0 * mass / 4.0 * a * a;
    double expected = 2.0 * 3.14159265358979 * sqrt(moving / (stiffness * a * a));
    JOB_NEAR(t, "period", (last - first) / (crossings - 1), expected, 2e-3 * expected);
    JOB_NEAR(t, "closure", closure_of(&job), 0.0, 1e-3);
    check_work(t, &job, 1e-9);
    scree_job_clear(&job);
}

/* Places of a wall far out of level follow its angular velocity, and stay at their distances. */
static void check_rigid(struct mpi_test *t)
{
    struct scree_comm alone = job_alone();
    struct scree_job job;
    double before[3][3], after[3][3];
    const double h = 1e-6;
    if (!open_plate(t, &job, &alone, NULL, "0.3",
                    "shape: disk, centre: [1 mm, 2 mm, 9 mm], normal: [0.3, 0.1, 1], radius: 8 mm, "
                    "tilt: {inertia: 1e-7, normal: [0.3, 0.1, 1], limit: 1.4}",
                    "{lattice: {material: m, radius: 2.5e-3, count: 1}}"))
        return;
    struct scree_wall *lid = &job.walls.wall[1];
    const double path[2] = {0.7, -0.5}, rate[2] = {0.4, 1.1};
    double omega[3] = {0.0, 0.0, 0.0};
    for (int side = -1; side <= 1; side++) {
        for (int s = 0; s < 2; s++) {
            lid->tilt[s].state.path = path[s] + side * h * rate[s];
            lid->tilt[s].state.rate = rate[s];
        }
        scree_wall_move(lid, 0.0);
        if (side == 0)
            memcpy(omega, lid->omega, sizeof omega);
        else
            scree_wall_turned(lid, false, side < 0 ? before : after);
    }
    /* (after - before) / 2h times the transposed turn is the cross product with omega */
    double spin[3][3] = {{0}}, unit = 0.0;
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            double product = 0.0;
            for (int c = 0; c < 3; c++) {
                double middle = 0.5 * (after[b][c] + before[b][c]);
                spin[a][b] += (after[a][c] - before[a][c]) / (2.0 * h) * middle;
                product += after[a][c] * after[b][c];
            }
            unit = fmax(unit, fabs(product - (a == b ? 1.0 : 0.0)));
        }
    JOB_NEAR(t, "turn is rigid", unit, 0.0, 1e-14);
    JOB_NEAR(t, "omega x", spin[2][1], omega[0], 1e-8);
    JOB_NEAR(t, "omega y", spin[0][2], omega[1], 1e-8);
    JOB_NEAR(t, "omega z", spin[1][0], omega[2], 1e-8);
    scree_job_clear(&job);
}

struct setting {
    const char *lid, *grains;
};

static bool open_setting(struct mpi_test *t, struct scree_job *job, struct scree_comm *comm,
                         const char *from, const void *context)
{
    const struct setting *setting = context;
    return open_plate(t, job, comm, from, "0.1", setting->lid, setting->grains);
}

/* Rough plates with glued grains on heaps of grains. */
static const char heap[] =
    "{random: {material: m, radius: 1.5e-3, count: 100, region: {shape: cylinder, axis: z, centre: "
    "[2 mm, 1 mm, 0], radius: 12 mm, low: -2.5 mm, high: 10 mm}}, glue: {to: lid, within: 1 mm}}";
static const struct setting settings[] = {
    {"shape: plane, point: [0, 0, 10 mm], normal: [0, 0, -1], servo: {force: 1 N}, tilt: {inertia: "
     "1e-8, point: [-3 mm, 0, 10 mm]}",
     heap},
    {"shape: disk, centre: [0, 0, 10 mm], radius: 15 mm, velocity: [0, 0, -0.5 m/s], tilt: "
     "{inertia: 1e-8, normal: [0, 0, 1], damping: 1e-6}",
     heap},
};

/* A rough plate has tilted, and the books close as well as contacts of 22 steps allow. */
static void check_heap(struct mpi_test *t, const struct setting *setting)
{
    struct scree_comm alone = job_alone();
    struct scree_job job;
    if (!open_setting(t, &job, &alone, NULL, setting)) return;
    if (!job_start(t, &job)) return;
    job_advance(t, &job, 1200);
    double tilt[3];
    scree_wall_tilt_vector(&job.walls.wall[1], false, tilt);
    MPI_TEST(t, scree_vec_norm(tilt) > 1e-3, "tilted by %g only", scree_vec_norm(tilt));
    JOB_NEAR(t, "closure", closure_of(&job), 0.0, 4e-3);
    scree_job_clear(&job);
}

int main(int argc, char **argv)
{
    struct mpi_test t;
    mpi_test_begin(&t, &argc, &argv);
    if (mpi_test_serial(&t))
        check_statics(&t, "shape: plane, point: [0, 0, 2.5 mm], normal: [0, 0, -1]");
    if (mpi_test_serial(&t))
        check_statics(&t, "shape: disk, centre: [0, 0, 2.5 mm], radius: 15 mm");
    for (int axis = 0; axis < 2; axis++)
        if (mpi_test_serial(&t)) check_period(&t, axis);
    if (mpi_test_serial(&t)) check_rigid(&t);
    for (size_t k = 0; k < sizeof settings / sizeof settings[0]; k++) {
        if (mpi_test_serial(&t)) check_heap(&t, &settings[k]);
        mpi_test_meet(&t);
        bits_check(&t, open_setting, &settings[k], 700, 1200);
    }
    return mpi_test_end(&t);
}
