/* SPDX-License-Identifier: BSD-3-Clause
 * Contact dynamics of one contact against closed forms: a gap that closes (VALIDATION B1), impacts
 * (A10, B2, V8), friction that holds, slides or rolls (A8, A9, B3, V7, V9, V10), torsion (B10) and
 * overlaps (B11, V12). In both schemes of time, with the energy ledger. */
#include "cd_test.h"

static const char *const schemes[] = {"euler", "moreau"};
static const double radius = 0.5, mass = 2.0;

/* Both schemes book gravity where its work is exact. */
static void check_ledger(struct mpi_test *t, const struct job_energies *e)
{
    JOB_NEAR(t, "closure of the ledger", e->closure, 0.0, 1e-9 * e->turnover + 1e-15);
}

/* B1: two spheres along a direction, with a common velocity on top. */
static void check_gap(struct mpi_test *t, const double along[3])
{
    const double dt = 0.01, speed = 0.8, gap = 0.3 * speed * dt;
    struct cd_scene s = {.dt = dt};
    struct job_grain grain[2] = {{.radius = radius, .mass = mass},
                                 {.radius = radius, .mass = mass}};
    struct job_motion m[2];
    struct scree_job job;
    for (int k = 0; k < 3; k++) {
        grain[1].pos[k] = (2.0 * radius + gap) * along[k];
        grain[0].vel[k] = 0.1 * (k + 1) + 0.5 * speed * along[k];
        grain[1].vel[k] = 0.1 * (k + 1) - 0.5 * speed * along[k];
    }
    if (!cd_open(t, &s, grain, 2, &job)) return;
    for (int step = 1; step <= 3; step++) {
        /* 002 Eq. 1.10, 1.11, with the velocity and the gap before the step. */
        const double before[] = {-speed, -gap / dt, 0.0}, gaps[] = {gap, 0.0, 0.0};
        double after = step == 1 ? -gap / dt : 0.0, apart[3], rate = 0.0, size = 0.0, force = 0.0;
        double wanted = -0.5 * mass / dt * (gaps[step - 1] / dt + before[step - 1]);
        job_advance(t, &job, step);
        job_find_all(&job, m, 2);
        for (int k = 0; k < 3; k++) {
            apart[k] = m[1].pos[k] - m[0].pos[k];
            size += apart[k] * apart[k];
            rate += (m[1].vel[k] - m[0].vel[k]) * along[k];
            force += m[1].force[k] * along[k];
            JOB_NEAR(t, "momentum", m[0].vel[k] + m[1].vel[k], 0.2 * (k + 1), 1e-15);
        }
        JOB_NEAR(t, "gap", sqrt(size) - 2.0 * radius, 0.0, 2e-15);
        JOB_NEAR(t, "closing velocity", rate, after, 1e-12);
        JOB_NEAR(t, "force", force, wanted, 1e-10);
        MPI_TEST(t, job_is_balanced(&job, false), "forces do not cancel");
    }
    scree_job_clear(&job);
}

/* The same at a plane, with the weight in the force; the midpoint scheme sees a contact when the
 * middle of the step is behind the plane, and only then. */
static void check_gap_at_plane(struct mpi_test *t, const char *scheme, double part)
{
    const double dt = 0.01, speed = 0.8, g = 3.0, gap = part * speed * dt;
    struct cd_scene s = {.dt = dt, .scheme = scheme, .plane = true, .gravity = {0.0, g}};
    struct job_grain grain = {
        .pos = {0, 0, radius + gap}, .vel = {0, 0, -speed}, .radius = radius, .mass = mass};
    struct job_motion m;
    struct scree_job job;
    if (!cd_open(t, &s, &grain, 1, &job)) return;
    bool moreau = strcmp(scheme, "moreau") == 0;
    double force = -mass / dt * (gap / dt - speed - g * dt), v = -gap / dt;
    if (moreau) {
        bool meets = gap - 0.5 * speed * dt <= 0.0;
        force = meets ? mass / dt * (speed + g * dt) : 0.0;
        v = meets ? 0.0 : -speed - g * dt;
    }
    job_advance(t, &job, 1);
    job_find_all(&job, &m, 1);
    JOB_NEAR(t, "force of the first step", m.force[2], force, 1e-10);
    JOB_NEAR(t, "velocity after it", m.vel[2], v, 1e-12);
    if (!moreau) JOB_NEAR(t, "gap", m.pos[2] - radius, 0.0, 1e-15);
    job_advance(t, &job, 3);
    job_find_all(&job, &m, 1);
    JOB_NEAR(t, "force at rest", m.force[2], mass * g, 1e-10);
    JOB_NEAR(t, "at rest", m.vel[2], 0.0, 1e-14);
    MPI_TEST(t, job_is_balanced(&job, true), "forces do not cancel");
    scree_job_clear(&job);
}

/* B2 (003 Eq. 38), of masses 2 and 3 that are pushed together by 5 and 4 N: their relative motion
 * is that of the reduced mass 1.2 before a plane, with an acceleration 5/2 + 4/3. */
static void check_impact(struct mpi_test *t, const char *scheme)
{
    const double dt = 0.01, pull = 5.0 / 2.0 + 4.0 / 3.0;
    struct cd_scene s = {.dt = dt, .scheme = scheme, .rigid = "restitution: 0.5"};
    struct job_grain grain[2] = {{.radius = radius, .mass = 2.0, .vel = {0.6, 0, 0}},
                                 {.radius = radius, .mass = 3.0, .vel = {-0.4, 0, 0}}};
    struct job_motion m[2];
    struct scree_job job;
    grain[1].pos[0] = 2.0 * radius;
    if (!cd_open(t, &s, grain, 2, &job)) return;
    job_advance(t, &job, 1);
    job_find_all(&job, m, 2);
    scree_job_clear(&job);
    JOB_NEAR(t, "force without pull", m[1].force[0], 180.0, 1e-9);
    JOB_NEAR(t, "rebound without pull", m[1].vel[0] - m[0].vel[0], 0.5, 1e-12);
    JOB_NEAR(t, "momentum", 2.0 * m[0].vel[0] + 3.0 * m[1].vel[0], 0.0, 1e-14);
    s.gravity[1] = pull;
    s.plane = true;
    struct job_grain one = {
        .pos = {0, 0, radius}, .vel = {0, 0, -1}, .radius = radius, .mass = 1.2};
    struct job_motion after = cd_run(t, &s, &one, dt, NULL);
    JOB_NEAR(t, "force", after.force[2], 184.6, 1e-9);
    JOB_NEAR(t, "rebound", after.vel[2], 0.5, 1e-12);
}

/* An oblique impact on the plane (A10; 003 Eq. 7, 10): what does not slide leaves with the part
 * -e_t of its slip, what slides with the impulse mu (1 + e_n) m v_n. */
static void check_oblique(struct mpi_test *t, const char *scheme, double mu, double e_t)
{
    const double e_n = 0.5, vn = 1.0, vx = 0.8, spin = -1.0, u = vx - spin * radius;
    char rigid[100];
    snprintf(rigid, sizeof rigid, "friction: %g, restitution: %g, restitution_tangential: %g", mu,
             e_n, e_t);
    struct cd_scene s = {.scheme = scheme, .dt = 1.0 / 64.0, .plane = true, .rigid = rigid};
    struct job_grain grain = {.pos = {0, 0, radius},
                              .vel = {vx, 0, -vn},
                              .spin = {0, spin, 0},
                              .radius = radius,
                              .mass = mass};
    /* Contact points are half way between surfaces: here those must touch when contacts are found.
     */
    if (strcmp(scheme, "moreau") == 0) grain.pos[2] += 0.5 * vn * s.dt;
    struct job_energies e;
    struct job_motion m = cd_run(t, &s, &grain, 5.0 * s.dt, &e);
    double impulse = fmin(2.0 / 7.0 * (1.0 + e_t) * u, mu * (1.0 + e_n) * vn);
    JOB_NEAR(t, "normal velocity", m.vel[2], e_n * vn, 1e-12);
    JOB_NEAR(t, "tangential velocity", m.vel[0], vx - impulse, 1e-12);
    JOB_NEAR(t, "spin", m.spin[1], spin + 2.5 * impulse / radius, 1e-11);
    JOB_NEAR(t, "closure", e.closure, 0.0, 1e-14);
    double lost = mass * impulse * (u - 0.5 * 3.5 * impulse);
    JOB_NEAR(t, "lost to friction", e.loss[SCREE_CD_LOSS_SLIDING], lost, 1e-12);
    JOB_NEAR(t, "lost to the impact", e.loss[SCREE_CD_LOSS_IMPACT],
             0.5 * mass * vn * vn * (1.0 - e_n * e_n), 1e-12);
}

/* A grain at rest on the plane. */
static struct job_grain resting(const struct cd_scene *s)
{
    struct job_grain grain = {.radius = radius, .mass = mass};
    grain.pos[cd_up(s)] = radius;
    return grain;
}

static double inertia_factor(const struct cd_scene *s)
{
    return s->dimension == 2 ? 0.5 : 0.4;
}

/* Along x, of the lowest point of a grain. */
static double slip(const struct cd_scene *s, const struct job_motion *m)
{
    return m->vel[0] + (s->dimension == 2 ? m->spin[2] : -m->spin[1]) * radius;
}

/* B3, V7: a push T along the plane; W = 10 N per kg, friction 0.3. What can turn rolls without slip
 * as long as T < mu W (1 + 1/j), j = I / (m r^2), with the friction T j/(1+j). */
static void check_push(struct mpi_test *t, struct cd_scene s, double push, bool upright)
{
    const double mu = 0.3, weight = 10.0, time = 1.0;
    struct job_energies e;
    s.gravity[0] = push;
    s.gravity[1] = weight;
    struct job_grain grain = resting(&s);
    grain.upright = upright;
    struct job_motion m = cd_run(t, &s, &grain, time, &e);
    double j = upright ? INFINITY : inertia_factor(&s), part = upright ? 1.0 : j / (1.0 + j);
    double friction = fmin(part * push, mu * weight);
    double spin = upright ? 0.0 : friction / (j * radius) * time; /* against the slip */
    JOB_NEAR(t, "velocity", m.vel[0], (push - friction) * time, 1e-11);
    JOB_NEAR(t, "friction", m.force[0], -mass * friction, 1e-9);
    JOB_NEAR(t, "normal force", m.force[cd_up(&s)], mass * weight, 1e-9);
    JOB_NEAR(t, "height", m.pos[cd_up(&s)], radius, 1e-12);
    JOB_NEAR(t, "spin", s.dimension == 2 ? -m.spin[2] : m.spin[1], spin, 1e-10);
    if (friction < mu * weight) JOB_NEAR(t, "slip", slip(&s, &m), 0.0, 1e-12);
    check_ledger(t, &e);
    double lost = mass * friction * (m.pos[0] - spin * radius * 0.5 * time);
    if (friction < mu * weight) lost = 0.0;
    JOB_NEAR(t, "lost to sliding", e.loss[SCREE_CD_LOSS_SLIDING], lost, 2.0 * mass * push * s.dt);
}

static void check_pushes(struct mpi_test *t, int dimension, const char *scheme)
{
    struct cd_scene s = {.dimension = dimension,
                         .scheme = scheme,
                         .dt = 0.01,
                         .plane = true,
                         .rigid = "friction: 0.3"};
    double limit = 3.0 * (1.0 + 1.0 / inertia_factor(&s));
    check_push(t, s, 0.999 * 3.0, true);
    check_push(t, s, 1.001 * 3.0, true);
    check_push(t, s, 6.0, true);
    check_push(t, s, 1.0, false);
    check_push(t, s, 0.999 * limit, false);
    check_push(t, s, 1.001 * limit, false);
    check_push(t, s, 2.0 * limit, false);
}

/* A8, V9: u = u0 - mu g t until the grain rolls, then constant: a sphere of 2.5 mm after 1 s, at
 * 400 rad/s. */
static void check_slide_to_roll(struct mpi_test *t, int dimension, const char *scheme)
{
    const double u0 = 1.4, mu = 0.4, g = 1.0, r = 2.5e-3;
    struct cd_scene s = {.dimension = dimension,
                         .scheme = scheme,
                         .dt = 1e-3,
                         .plane = true,
                         .gravity = {0.0, g},
                         .rigid = "friction: 0.4"};
    double j = inertia_factor(&s), end = u0 / (1.0 + j), stop = (u0 - end) / (mu * g);
    struct job_grain grain = resting(&s);
    struct job_energies e;
    grain.radius = grain.pos[cd_up(&s)] = r;
    grain.vel[0] = u0;
    struct job_motion m = cd_run(t, &s, &grain, 0.5 * stop, NULL);
    double reached = floor(0.5 * stop / s.dt + 0.5) * s.dt;
    JOB_NEAR(t, "sliding", m.vel[0], u0 - mu * g * reached, 1e-12);
    m = cd_run(t, &s, &grain, 1.5 * stop, &e);
    JOB_NEAR(t, "rolling", m.vel[0], end, 1e-12);
    JOB_NEAR(t, "slip", m.vel[0] + (dimension == 2 ? m.spin[2] : -m.spin[1]) * r, 0.0, 1e-13);
    if (dimension == 3) {
        JOB_NEAR(t, "time until it rolls", stop, 1.0, 1e-12);
        JOB_NEAR(t, "velocity, in the document", m.vel[0], 1.0, 1e-12);
        JOB_NEAR(t, "spin, in the document", m.spin[1], 400.0, 1e-9);
    }
    check_ledger(t, &e);
    double lost = 0.5 * mass * (u0 * u0 - end * end * (1.0 + j));
    JOB_NEAR(t, "lost to sliding", e.loss[SCREE_CD_LOSS_SLIDING], lost, 1e-9 * lost);
}

/* A9, V10: down a slope of 15 degrees, with and without rolling friction. */
static void check_incline(struct mpi_test *t, const char *scheme, double part)
{
    const double angle = 15.0 * acos(-1.0) / 180.0, g = 9.8, mu = part * tan(angle);
    char rigid[80];
    snprintf(rigid, sizeof rigid, "friction: 0.5, rolling: %.17g", mu);
    struct cd_scene s = {.scheme = scheme,
                         .dt = 1e-3,
                         .plane = true,
                         .gravity = {g * sin(angle), g * cos(angle)},
                         .rigid = rigid};
    struct job_grain grain = resting(&s);
    struct job_energies e;
    struct job_motion m = cd_run(t, &s, &grain, 1.0, &e);
    double v = part < 1.0 ? 5.0 / 7.0 * g * (sin(angle) - mu * cos(angle)) : 0.0;
    JOB_NEAR(t, "down the slope", m.vel[0], v, 1e-8);
    JOB_NEAR(t, "no slip", slip(&s, &m), 0.0, 1e-8);
    if (part == 0.0) JOB_NEAR(t, "A9", m.vel[0], 1.8117, 1e-4);
    if (part >= 1.0) JOB_NEAR(t, "friction that holds", m.force[0], -mass * s.gravity[0], 1e-7);
    check_ledger(t, &e);
    double couple = fmin(mu, tan(angle)) * mass * s.gravity[1] * radius;
    JOB_NEAR(t, "lost to rolling", e.loss[SCREE_CD_LOSS_ROLLING], couple * 0.5 * m.spin[1] * 1.0,
             1e-6);
}

/* A9: a sphere that spins about a horizontal axis on a plane without friction, slowed down by its
 * resistance to rolling: omega = omega0 - 5 mu_r g t/(2 R). */
static void check_rolling_down(struct mpi_test *t, const char *scheme)
{
    const double g = 9.8, mu = 0.1, spin = 30.0, time = 2.0;
    struct cd_scene s = {
        .scheme = scheme, .dt = 1e-3, .plane = true, .gravity = {0.0, g}, .rigid = "rolling: 0.1"};
    struct job_grain grain = resting(&s);
    grain.spin[1] = spin;
    struct job_motion m = cd_run(t, &s, &grain, time, NULL);
    JOB_NEAR(t, "rolling down", m.spin[1], spin - 2.5 * mu * g * time / radius, 1e-9);
    JOB_NEAR(t, "does not move", m.vel[0], 0.0, 1e-14);
    m = cd_run(t, &s, &grain, 4.0 * time, NULL);
    JOB_NEAR(t, "does not roll any more", m.spin[1], 0.0, 1e-12);
}

/* A9: a block on a slope just below the angle of friction drifts by less than 1e-9 of its radius in
 * a million steps, here by a tenth of that in a tenth of them. */
static void check_block(struct mpi_test *t, const char *scheme)
{
    enum { STEPS = MPI_TEST_SANITIZED ? 10000 : 100000 };
    const double angle = atan(0.999 * 0.5), g = 9.8;
    struct cd_scene s = {.scheme = scheme,
                         .dt = 1e-3,
                         .plane = true,
                         .gravity = {g * sin(angle), g * cos(angle)},
                         .rigid = "friction: 0.5"};
    struct job_grain grain = resting(&s);
    grain.upright = true;
    struct job_motion m = cd_run(t, &s, &grain, STEPS * s.dt, NULL);
    JOB_NEAR(t, "drift of a block", m.pos[0], 0.0, 1e-10 * radius);
    JOB_NEAR(t, "its friction", m.force[0], -mass * g * sin(angle), 1e-9);
}

/* B10: omega = omega0 - mu m g r t / I about the normal, then 0 for good. */
static void check_torsion(struct mpi_test *t, const char *scheme)
{
    const double g = 10.0, mu = 0.2, spin = 30.0, rate = 2.5 * mu * g / radius, stop = spin / rate;
    struct cd_scene s = {.scheme = scheme,
                         .dt = 1e-3,
                         .plane = true,
                         .gravity = {0.0, g},
                         .rigid = "friction: 0.5, torsion: 0.2"};
    struct job_grain grain = resting(&s);
    struct job_energies e;
    grain.spin[2] = spin;
    struct job_motion half = cd_run(t, &s, &grain, 0.5 * stop, &e);
    JOB_NEAR(t, "spinning down", half.spin[2], 0.5 * spin, 1e-10);
    JOB_NEAR(t, "torque", half.torque[2], -mu * radius * mass * g, 1e-9);
    JOB_NEAR(t, "lost to torsion", e.loss[SCREE_CD_LOSS_ROLLING],
             0.5 * 0.4 * mass * radius * radius * 0.75 * spin * spin, 1e-9);
    for (int k = 0; k < 2; k++) JOB_NEAR(t, "other axes", half.spin[k], 0.0, 1e-12);
    struct job_motion rest = cd_run(t, &s, &grain, 2.0 * stop, &e);
    JOB_NEAR(t, "at rest", rest.spin[2], 0.0, 1e-12);
    JOB_NEAR(t, "no torque", rest.torque[2], 0.0, 1e-9);
    check_ledger(t, &e);
}

/* B10: r* of two grains, one on top of the other; the lower one is held. */
static void check_reduced_radius(struct mpi_test *t)
{
    const double g = 10.0, mu = 0.2, upper = 0.25, reduced = radius * upper / (radius + upper);
    struct cd_scene s = {.dt = 1e-3, .gravity = {0.0, g}, .rigid = "torsion: 0.2"};
    struct job_grain grain[2] = {
        {.radius = radius, .mass = mass, .driven = true},
        {.pos = {0, 0, radius + upper}, .radius = upper, .mass = 0.3, .spin = {0, 0, 90}}};
    struct job_motion m[2];
    struct scree_job job;
    if (!cd_open(t, &s, grain, 2, &job)) return;
    job_advance(t, &job, 100);
    job_find_all(&job, m, 2);
    double inertia = 0.4 * 0.3 * upper * upper, torque = mu * reduced * 0.3 * g;
    JOB_NEAR(t, "torque of r*", m[1].torque[2], -torque, 1e-9);
    JOB_NEAR(t, "spin", m[1].spin[2], 90.0 - torque / inertia * 0.1, 1e-9);
    scree_job_clear(&job);
}

/* V8: heights after an impact are e^2 of those before; energy, with the half step that euler is
 * off, never increases. */
static void check_bounces(struct mpi_test *t, const char *scheme, double e_n, double dt)
{
    const double g = 10.0, height = 1.0;
    char rigid[40];
    snprintf(rigid, sizeof rigid, "restitution: %g", e_n);
    struct cd_scene s = {
        .scheme = scheme, .dt = dt, .plane = true, .gravity = {0.0, g}, .rigid = rigid};
    struct job_grain grain = resting(&s);
    grain.pos[2] += height;
    struct job_motion m;
    struct scree_job job;
    if (!cd_open(t, &s, &grain, 1, &job)) return;
    bool moreau = strcmp(scheme, "moreau") == 0;
    double fall = sqrt(2.0 * height / g), energy = INFINITY, top = -1.0, before = 1.0;
    const int64_t first = (int64_t)(0.9 * fall / dt);
    for (int64_t k = 0; k < (int64_t)((1.1 + 2.0 * e_n) * fall / dt); k++) {
        job_advance(t, &job, k + 1);
        job_find_all(&job, &m, 1);
        double half = moreau ? 0.0 : 0.5 * dt * g * m.vel[2];
        double now = 0.5 * m.vel[2] * m.vel[2] + g * m.pos[2] - half;
        if (!MPI_TEST(t, now < energy + 1e-12, "step %d of %s: energy grows by %g", (int)k, scheme,
                      now - energy))
            break;
        energy = now;
        if (k > first) top = fmax(top, m.pos[2] - radius);
        if (e_n == 0.0 && before == 0.0) JOB_NEAR(t, "stuck", m.vel[2], 0.0, 1e-13);
        if (k > first && e_n == 0.0 && m.force[2] > 0.0) before = 0.0;
    }
    struct job_energies e;
    job_energies(&job, &e);
    check_ledger(t, &e);
    if (e_n > 0.0) JOB_NEAR(t, "height of the rebound", top, e_n * e_n * height, 8.0 * dt);
    MPI_TEST(t, e.loss[SCREE_CD_LOSS_IMPACT] > 0.0, "impacts make energy");
    scree_job_clear(&job);
}

/* B11, V12: an overlap stays as it is for good, or is undone in one step, which makes energy. */
static void check_overlap(struct mpi_test *t, double part, bool is_signed)
{
    const double dt = 0.01, overlap = part * radius;
    struct cd_scene s = {.dt = dt,
                         .solver = is_signed ? "residual: 1e-10, gap: signed" : "residual: 1e-10"};
    struct job_grain grain[2] = {{.radius = radius, .mass = 1.0}, {.radius = radius, .mass = 3.0}};
    struct job_motion m[2];
    struct job_energies e;
    struct scree_job job;
    grain[1].pos[0] = 2.0 * radius - overlap;
    if (!cd_open(t, &s, grain, 2, &job)) return;
    job_advance_for(t, &job, 1, &e);
    job_find_all(&job, m, 2);
    double v = is_signed ? overlap / dt : 0.0, made = 0.5 * 0.75 * v * v;
    JOB_NEAR(t, "velocity of the first", m[0].vel[0], -0.75 * v, 1e-12);
    JOB_NEAR(t, "velocity of the second", m[1].vel[0], 0.25 * v, 1e-12);
    JOB_NEAR(t, "energy made", e.kinetic, made, 1e-12);
    JOB_NEAR(t, "energy made, in the ledger", -e.loss[SCREE_CD_LOSS_GAP], made, 1e-12);
    JOB_NEAR(t, "closure", e.closure, 0.0, 1e-15);
    double gap = is_signed ? 0.0 : -overlap;
    JOB_NEAR(t, "gap", m[1].pos[0] - m[0].pos[0] - 2.0 * radius, gap, 1e-14);
    if (!is_signed) {
        job_advance_for(t, &job, 1000, &e);
        job_find_all(&job, m, 2);
        JOB_NEAR(t, "energy after many steps", e.kinetic, 0.0, 0.0);
        JOB_NEAR(t, "gap after many steps", m[1].pos[0] - m[0].pos[0] - 2.0 * radius, gap, 1e-14);
    }
    scree_job_clear(&job);
}

/* A pair without friction that comes near, head on, but does not touch within the step, is solved.
 */
static void check_miss(struct mpi_test *t)
{
    struct cd_scene s = {.dt = 0.01, .rigid = "friction: 0"};
    struct job_grain grain[2] = {
        {.radius = 0.5, .mass = 1.0, .vel = {1, 0, 0}},
        {.pos = {1.0 + 0.03, 0, 0}, .radius = 0.5, .mass = 1.0, .vel = {-1, 0, 0}}};
    struct scree_job job;
    if (!cd_open(t, &s, grain, 2, &job)) return;
    job_advance(t, &job, 1);
    const struct scree_cd *cd = job.run.state;
    MPI_TEST(t, cd->n_records == 1, "%d candidates", (int)cd->n_records);
    MPI_TEST(t, cd_outcome(&job)->converged, "residual %g", cd_outcome(&job)->residual);
    JOB_NEAR(t, "residual", cd_outcome(&job)->residual, 0.0, 0.0);
    scree_job_clear(&job);
}

int main(int argc, char **argv)
{
    struct mpi_test t;
    mpi_test_begin(&t, &argc, &argv);
    static const double along[][3] = {{1, 0, 0}, {2.0 / 3.0, -1.0 / 3.0, 2.0 / 3.0}};
    for (int k = 0; k < 2; k++) check_gap(&t, along[k]);
    for (int k = 0; k < 2; k++) {
        check_gap_at_plane(&t, schemes[k], 0.3);
        check_gap_at_plane(&t, schemes[k], 0.8);
        check_impact(&t, schemes[k]);
        for (double mu = 0.1; mu < 2.0; mu *= 10.0) {
            check_oblique(&t, schemes[k], mu, 0.0);
            check_oblique(&t, schemes[k], mu, 0.4);
            check_oblique(&t, schemes[k], mu, -0.4);
        }
        for (int dimension = 2; dimension <= 3; dimension++) {
            check_pushes(&t, dimension, schemes[k]);
            check_slide_to_roll(&t, dimension, schemes[k]);
        }
        check_incline(&t, schemes[k], 0.0);
        check_incline(&t, schemes[k], 0.4);
        check_incline(&t, schemes[k], 0.99);
        check_incline(&t, schemes[k], 1.01);
        check_rolling_down(&t, schemes[k]);
        check_torsion(&t, schemes[k]);
        check_bounces(&t, schemes[k], 0.8, 1e-3);
        check_bounces(&t, schemes[k], 0.0, 1e-3);
    }
    check_block(&t, "euler");
    check_reduced_radius(&t);
    for (double part = 1e-4; part < 0.1; part *= 100.0) {
        check_overlap(&t, part, false);
        check_overlap(&t, part, true);
    }
    check_miss(&t);
    return mpi_test_end(&t);
}
