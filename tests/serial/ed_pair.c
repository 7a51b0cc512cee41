/* SPDX-License-Identifier: BSD-3-Clause
 * Event-driven collisions of a few grains against closed forms: beads and a wall (VALIDATION A15),
 * rough grains (A7, A10), unequal masses, balls that bounce (C6), collapse and its end by the TC
 * model (C6), a wall that moves; the pair function from both sides and through images. */
#include "../../src/ed/ed_impl.h"
#include "../../src/ed/pair.h"
#include "job_test.h"
#include "scree/rng.h"

struct setting {
    const char *rigid, *events;
    double gravity, dt; /* m/s^2, down along z; s */
    const char *domain; /* NULL: open */
    const char *walls;  /* NULL: none */
    bool flat;
};

static bool put_grains(struct mpi_test *t, const struct setting *s, const struct job_grain *grain,
                       int n, struct scree_job *job)
{
    char text[1400];
    snprintf(text, sizeof text,
             "method: ed\ndimension: %d\ntime: {step: %.17g, steps: 1}\n"
             "gravity: [0, 0, %.17g]\nmaterials: {m: {density: 1}}\n"
             "domain: %s\nevents: {%s}\ncontacts: [{between: [m, m], rigid: {%s}}]\n%s%s\n"
             "particles: [{lattice: {material: m, radius: 0.5, count: %d}}]\n",
             s->flat ? 2 : 3, s->dt, -s->gravity,
             s->domain != NULL ? s->domain
             : s->flat         ? "{low: [-40, -40], high: [40, 40]}"
                               : "{low: [-40, -40, -40], high: [40, 40, 40]}",
             s->events != NULL ? s->events : "", s->rigid, s->walls != NULL ? "boundaries: " : "",
             s->walls != NULL ? s->walls : "", n);
    if (!job_open(t, job, job_self(), text, NULL)) return false;
    job_put(job, grain, n);
    return true;
}

static bool open_job(struct mpi_test *t, const struct setting *s, const struct job_grain *grain,
                     int n, struct scree_job *job)
{
    return put_grains(t, s, grain, n, job) && job_start(t, job);
}

static const char floor_wall[] =
    "{floor: {shape: plane, material: m, point: [0, 0, 0], normal: [0, 0, 1]}}";

static double figure(struct scree_job *job, int k)
{
    double value[SCREE_FIGURES];
    job->run.stepper->measure(job->run.state, &job->run.scene, value);
    return value[k];
}

/* A15: n beads, almost in touch, run into a wall: n^2 collisions. */
static void check_detachment(struct mpi_test *t, int n, double energy, double speed)
{
    struct setting s = {.rigid = "restitution: 0.9", .dt = 100.0, .walls = floor_wall};
    struct job_grain grain[10];
    struct job_motion m[10];
    struct scree_job job;
    const double gap = 1e-3;
    double kinetic = 0.0, mean = 0.0;
    memset(grain, 0, sizeof grain);
    for (int k = 0; k < n; k++)
        grain[k] = (struct job_grain){.pos = {0, 0, 0.5 + gap + k * (1.0 + gap)},
                                      .vel = {0, 0, -1},
                                      .radius = 0.5,
                                      .mass = 2};
    if (!open_job(t, &s, grain, n, &job)) return;
    job_advance(t, &job, 1);
    job_find_all(&job, m, n);
    for (int k = 0; k < n; k++) {
        kinetic += m[k].vel[2] * m[k].vel[2] / n;
        mean += m[k].vel[2] / n;
    }
    double collisions = figure(&job, 0) + figure(&job, 1);
    MPI_TEST(t, collisions == n * n, "%d beads: %g collisions", n, collisions);
    JOB_NEAR(t, "energy of beads", kinetic, energy, 1e-5);
    JOB_NEAR(t, "velocity of beads", mean, speed, 1e-5);
    scree_job_clear(&job);
}

/* C6: three beads on a line collapse below 7 - 4 sqrt(3) = 0.0718; with the TC model nobody does.
 * The number of collisions, or -1 if the run ended with a message that names two grains. */
static double collide_three(struct mpi_test *t, double restitution, double contact_time)
{
    char rigid[64], events[64];
    struct job_grain grain[3];
    struct scree_job job;
    snprintf(rigid, sizeof rigid, "restitution: %.17g", restitution);
    snprintf(events, sizeof events, "contact_time: %.17g", contact_time);
    struct setting s = {.rigid = rigid, .events = events, .dt = 50.0};
    memset(grain, 0, sizeof grain);
    for (int k = 0; k < 3; k++)
        grain[k] = (struct job_grain){
            .pos = {0, 0, 1.5 * (k - 1)}, .vel = {0, 0, 1.0 - k}, .radius = 0.5, .mass = 1};
    grain[0].pos[2] -= 0.1;
    if (!open_job(t, &s, grain, 3, &job)) return 0.0;
    enum scree_status status = scree_run_advance(&job.run, 1, NULL);
    double n = status == SCREE_OK ? figure(&job, 0) : -1.0;
    if (n < 0.0)
        MPI_TEST(t,
                 strstr(scree_status_message(), "inelastic collapse") != NULL &&
                     strstr(scree_status_message(), "grain 2") != NULL,
                 "message: %s", scree_status_message());
    scree_status_clear();
    scree_job_clear(&job);
    return n;
}

static void check_collapse(struct mpi_test *t)
{
    const double critical = 7.0 - 4.0 * sqrt(3.0);
    double above = collide_three(t, critical + 0.005, 0.0);
    double below = collide_three(t, critical - 0.005, 0.0);
    MPI_TEST(t, above > 4.0, "above the critical restitution: %g collisions", above);
    MPI_TEST(t, below < 0.0, "below the critical restitution: %g collisions", below);
    double tc = collide_three(t, 0.01, 1e-6);
    MPI_TEST(t, tc >= 4.0, "with t_c: %g collisions", tc);
}

/* C6: a ball that falls from h comes to rest after sqrt(2h/g) (1 + e)/(1 - e). */
static void check_ball(struct mpi_test *t, double e, double zeno)
{
    char rigid[64];
    const double g = 9.81, h = 1.0;
    snprintf(rigid, sizeof rigid, "restitution: %.17g", e);
    struct setting s = {.rigid = rigid, .gravity = g, .dt = zeno / 1000.0, .walls = floor_wall};
    struct job_grain grain = {.pos = {0, 0, 0.5 + h}, .radius = 0.5, .mass = 1};
    struct job_motion m;
    struct scree_job job;
    if (!open_job(t, &s, &grain, 1, &job)) return;
    /* In the middle of the second flight, and shortly before and after the end. */
    double fall = sqrt(2.0 * h / g), v = e * e * g * fall, begun = fall * (1.0 + 2.0 * e);
    int64_t tick = (int64_t)((begun + v / g) / s.dt);
    double elapsed = (double)tick * s.dt - begun;
    job_advance(t, &job, tick);
    job_find_all(&job, &m, 1);
    JOB_NEAR(t, "height", m.pos[2] - 0.5, v * elapsed - 0.5 * g * elapsed * elapsed, 1e-12);
    JOB_NEAR(t, "velocity", m.vel[2], v - g * elapsed, 1e-11);
    MPI_TEST(t, scree_run_advance(&job.run, 999, NULL) == SCREE_OK, "ended before %g s: %s", zeno,
             scree_status_message());
    MPI_TEST(t, scree_run_advance(&job.run, 1001, NULL) != SCREE_OK, "still bounces after %g s",
             zeno);
    MPI_TEST(t, strstr(scree_status_message(), "grain 1") != NULL, "message: %s",
             scree_status_message());
    scree_status_clear();
    scree_job_clear(&job);
}

/* Velocities of a grain after it met a plane at rest. */
static struct job_motion bounce(struct mpi_test *t, const char *rigid, bool flat,
                                const struct job_grain *grain)
{
    struct setting s = {.rigid = rigid, .dt = 1.0, .flat = flat, .walls = floor_wall};
    struct job_motion m = {.rank = -1};
    struct scree_job job;
    if (flat) s.walls = "{floor: {shape: plane, material: m, point: [0, 0, 0], normal: [0, 1, 0]}}";
    if (!open_job(t, &s, grain, 1, &job)) return m;
    job_advance(t, &job, 1);
    job_find_all(&job, &m, 1);
    scree_job_clear(&job);
    return m;
}

/* A7: with tangential restitution b a grain that does not slide leaves with -b times the velocity
 * of the contact point; it changes the velocity by (1 + b) q/(1 + q), q = I/(m a^2): 2/7 of it for
 * spheres, 1/3 for disks. A10: gross sliding changes it by mu (1 + e) v_n. */
static void check_rough(struct mpi_test *t)
{
    const double u = 1.0, v = 2.0;
    const double bs[] = {0.87120, 0.52818, -0.51799, 1.0};
    for (int flat = 0; flat < 2; flat++) {
        int up = flat ? 1 : 2;
        double q = flat ? 0.5 : 0.4, part = q / (1.0 + q);
        struct job_grain grain = {.radius = 0.5, .mass = 3};
        grain.pos[up] = 1.0;
        grain.vel[up] = -v;
        grain.vel[0] = u;
        for (int k = 0; k < 4; k++) {
            char rigid[100];
            snprintf(rigid, sizeof rigid,
                     "restitution: 0.7, friction: 1e5, restitution_tangential: %.17g", bs[k]);
            struct job_motion m = bounce(t, rigid, flat, &grain);
            double spin = flat ? -m.spin[2] : m.spin[1];
            JOB_NEAR(t, "tangential velocity", m.vel[0], u * (1.0 - (1.0 + bs[k]) * part), 1e-14);
            JOB_NEAR(t, "contact point", m.vel[0] - 0.5 * spin, -bs[k] * u, 1e-14);
            JOB_NEAR(t, "normal velocity", m.vel[up], 0.7 * v, 1e-14);
        }
        grain.spin[flat ? 2 : 1] = flat ? 40.0 : -40.0;
        grain.vel[0] = 0.0;
        struct job_motion m = bounce(t, "restitution: 0.8, friction: 0.2", flat, &grain);
        double spin = flat ? -m.spin[2] : m.spin[1];
        JOB_NEAR(t, "sliding", m.vel[0], -0.2 * 1.8 * v, 1e-14);
        JOB_NEAR(t, "spin", spin, -40.0 + 0.2 * 1.8 * v / (q * 0.5), 1e-12);
    }
}

/* Two unequal spheres meet off centre: momentum, angular momentum, energy, restitution. */
static void check_unequal(struct mpi_test *t)
{
    struct setting s = {.rigid = "restitution: 0.6, friction: 0.3, restitution_tangential: 0.4",
                        .dt = 4.0};
    struct job_grain g[2] = {
        {.pos = {-3, 0.2, 0.1}, .vel = {2, 0, 0}, .spin = {1, 2, 3}, .radius = 0.3, .mass = 0.7},
        {.pos = {0, 0, 0}, .vel = {0.3, 0.1, 0}, .spin = {-2, 1, 0}, .radius = 1.2, .mass = 5.0}};
    struct job_motion m[2];
    struct job_energies e;
    struct scree_job job;
    double before[3], after[3], p[3] = {0.0};
    if (!open_job(t, &s, g, 2, &job)) return;
    job_advance_for(t, &job, 1, &e);
    job_find_all(&job, m, 2);
    memset(before, 0, sizeof before);
    memset(after, 0, sizeof after);
    for (int k = 0; k < 2; k++)
        for (int a = 0; a < 3; a++) {
            int b = (a + 1) % 3, c = (a + 2) % 3;
            double moment = 0.4 * g[k].mass * g[k].radius * g[k].radius;
            p[a] += g[k].mass * (m[k].vel[a] - g[k].vel[a]);
            before[a] += g[k].mass * (g[k].pos[b] * g[k].vel[c] - g[k].pos[c] * g[k].vel[b]) +
                         moment * g[k].spin[a];
            after[a] += g[k].mass * (m[k].pos[b] * m[k].vel[c] - m[k].pos[c] * m[k].vel[b]) +
                        moment * m[k].spin[a];
        }
    MPI_TEST(t, figure(&job, 0) == 1.0, "%g collisions", figure(&job, 0));
    for (int a = 0; a < 3; a++) {
        JOB_NEAR(t, "momentum", p[a], 0.0, 1e-14);
        JOB_NEAR(t, "angular momentum", after[a], before[a], 1e-13);
    }
    JOB_NEAR(t, "closure", job_closure(&e), 0.0, 1e-14);
    scree_job_clear(&job);
}

/* A wall that comes with V gives a grain at rest (1 + e) V, and work to match. */
static void check_moving_wall(struct mpi_test *t)
{
    struct setting s = {.rigid = "restitution: 0.5", .dt = 2.0};
    struct job_grain grain = {.pos = {0, 0, 1.5}, .radius = 0.5, .mass = 2.0};
    struct job_motion m;
    struct scree_energies e;
    struct scree_wall_total total;
    struct scree_job job;
    s.walls = "{floor: {shape: plane, material: m, point: [0, 0, 0], normal: [0, 0, 1], velocity: "
              "[0, 0, 1]}}";
    if (!open_job(t, &s, &grain, 1, &job)) return;
    job_advance(t, &job, 1);
    job_find_all(&job, &m, 1);
    job.run.stepper->energies(job.run.state, &job.run.scene, &e);
    scree_walls_total(job.run.scene.walls, 0, job.comm, &total);
    JOB_NEAR(t, "velocity", m.vel[2], 1.5, 1e-15);
    JOB_NEAR(t, "place", m.pos[2], 1.5 + 1.5 * 1.0, 1e-15);
    JOB_NEAR(t, "loss", e.value[3], 0.5 * 2.0 * 0.75, 1e-15);
    JOB_NEAR(t, "work", e.value[4], -2.0 * 1.5, 1e-15);
    JOB_NEAR(t, "closure", e.closure, 0.0, 1e-14);
    JOB_NEAR(t, "mean force", total.force[2], -2.0 * 1.5 / s.dt, 1e-12);
    scree_job_clear(&job);
}

/* Of several pairs that overlap the worst is named, through an image as well. */
static void check_overlap(struct mpi_test *t)
{
    struct setting s = {.rigid = "restitution: 1",
                        .dt = 1.0,
                        .domain = "{low: [0, 0, 0], high: [8, 8, 8], periodic: [x, y, z]}"};
    struct job_grain g[4] = {{.pos = {0.2, 1, 1}, .radius = 0.5, .mass = 1},
                             {.pos = {7.4, 1, 1}, .radius = 0.5, .mass = 1},
                             {.pos = {4.0, 4, 4}, .radius = 0.5, .mass = 1},
                             {.pos = {4.9, 4, 4}, .radius = 0.5, .mass = 1}};
    struct scree_job job;
    if (!put_grains(t, &s, g, 4, &job)) return;
    MPI_TEST(t, scree_job_start(&job) == SCREE_PHYSICS, "grains that overlap may start");
    MPI_TEST(t, strstr(scree_status_message(), "grains 1 and 2 overlap by 0.2 ") != NULL,
             "message: %s", scree_status_message());
    scree_status_clear();
    scree_job_clear(&job);
}

/* The same bits from both sides; in the past of neither; without gravity in either way. */
static void check_pair_function(struct mpi_test *t)
{
    const double g[3] = {0.1, -0.2, 0.7}, none[3] = {0.0, 0.0, 0.0};
    int64_t n_met = 0, n_wrong = 0;
    for (int64_t k = 0; k < 20000; k++) {
        const struct scree_rng_key key = {11, k, SCREE_RNG_POSITION, 0};
        struct scree_ed_view a, b;
        uint32_t draw = 0;
        for (int c = 0; c < 3; c++) {
            a.apart[c] = 3.0 * scree_rng_normal(&key, draw++);
            a.vi[c] = scree_rng_normal(&key, draw++);
            a.vj[c] = scree_rng_normal(&key, draw++);
        }
        a.ti = scree_rng_uniform(&key, draw++);
        a.tj = k % 3 == 0 ? a.ti : scree_rng_uniform(&key, draw++);
        a.reach2 = 1.0;
        b = (struct scree_ed_view){.ti = a.tj, .tj = a.ti, .reach2 = a.reach2};
        for (int c = 0; c < 3; c++) {
            b.apart[c] = -a.apart[c];
            b.vi[c] = a.vj[c];
            b.vj[c] = a.vi[c];
        }
        double one = scree_ed_meeting(&a, g, true), other = scree_ed_meeting(&b, g, true);
        double still = scree_ed_meeting(&a, none, true),
               short_way = scree_ed_meeting(&b, none, false);
        n_met += one < INFINITY;
        n_wrong += memcmp(&still, &short_way, sizeof still) != 0;
        n_wrong += memcmp(&one, &other, sizeof one) != 0 || one < fmax(a.ti, a.tj);
    }
    MPI_TEST(t, n_met > 500 && n_wrong == 0, "%lld meetings, %lld wrong", (long long)n_met,
             (long long)n_wrong);
}

int main(int argc, char **argv)
{
    struct mpi_test t;
    mpi_test_begin(&t, &argc, &argv);
    check_pair_function(&t);
    check_detachment(&t, 2, 0.65571, 0.80975);
    check_detachment(&t, 5, 0.34442, 0.58651);
    check_detachment(&t, 10, 0.10818, 0.32574);
    check_collapse(&t);
    check_ball(&t, 0.5, 1.3546);
    check_ball(&t, 0.9, 8.5789);
    check_rough(&t);
    check_unequal(&t);
    check_moving_wall(&t);
    check_overlap(&t);
    return mpi_test_end(&t);
}
