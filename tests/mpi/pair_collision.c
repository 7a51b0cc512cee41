/* SPDX-License-Identifier: BSD-3-Clause
 * Two grains collide, or a grain with a wall: restitution and contact time of the linear law
 * against their closed forms (VALIDATION A1, A2), momentum and angular momentum.
 *
 * A step begins at some moment between first touch and first force, so a single collision has an
 * error of first order in dt that depends on this phase; averages over phases are compared. The
 * dashpot sees velocities of half a step earlier: what remains is an error of about eta0 dt. */
#include "job_test.h"

enum { N_PHASES = 8, MOST = 16 };

struct collision {
    double mass[2], radius[2];
    double speed;                     /* m/s; of approach, along x */
    double phase;                     /* gap at the start, in distances that one step covers */
    double restitution, contact_time; /* results */
};

struct law {
    double stiffness, damping, mass; /* mass: reduced */
    bool clip;
};

static const struct law laws[] = {
    {1e5, 0.0, 0.42e-5, false},  {1e5, 0.1, 0.42e-5, false}, {1e5, 0.5, 0.42e-5, false},
    {1e2, 2e-3, 2.94e-6, false}, /* the ring shear cell */
    {1e5, 0.1, 0.42e-5, true},   {1e5, 0.5, 0.42e-5, true},  {1e2, 2e-3, 2.94e-6, true}};
/* VALIDATION A1, A2; contact times of clipped laws are checked elsewhere */
static const double restitutions[] = {1.0, 0.7842, 0.2689, 0.8323, 0.7936, 0.3744, 0.8380};
static const double times[] = {2.036e-5, 2.042e-5, 2.207e-5, 5.396e-4};

static double contact_time(const struct law *law)
{
    double eta = law->damping / (2.0 * law->mass);
    return acos(-1.0) / sqrt(law->stiffness / law->mass - eta * eta);
}

/* Pairs side by side, far enough apart not to meet. `second_is_wall`: a plane through the origin,
 * which moves at `wall` m/s, takes the place of the second grain. */
struct setting {
    int dimension;
    double dt;
    int64_t steps;
    bool second_is_wall;
    double wall;
    char law[200];
};

static bool open_setting(struct mpi_test *t, const struct setting *s, int n, struct scree_job *job)
{
    char text[1000], walls[200] = "";
    if (s->second_is_wall)
        snprintf(walls, sizeof walls,
                 "boundaries: {w: {shape: plane, material: m, point: [0, 0, 0], normal: "
                 "[-1, 0, 0], velocity: [%g, 0, 0]}}\n",
                 s->wall);
    snprintf(text, sizeof text,
             "dimension: %d\ntime: {step: %.17g, steps: 1}\n"
             "domain: {low: [-0.01, 0, -0.01], high: [0.01, %g, 0.01]}\n"
             "materials: {m: {density: 1}}\n"
             "contacts: [{between: [m, m], normal: {law: linear, %s}}]\n%s"
             "particles: [{lattice: {material: m, radius: 1e-3, count: %d}}]\n",
             s->dimension, s->dt, 0.005 * n, s->law, walls, n);
    return job_open(t, job, t->comm, text, NULL);
}

static struct job_grain make_grain(const struct setting *s, const struct collision *c, int which)
{
    double side = which == 0 ? -1.0 : 1.0, total = c->mass[0] + c->mass[1];
    struct job_grain g = {.radius = c->radius[which], .mass = c->mass[which]};
    double gap = c->phase * c->speed * s->dt;
    g.pos[0] = side * (g.radius + (s->second_is_wall ? gap : 0.5 * gap));
    g.vel[0] = -side * c->speed * (s->second_is_wall ? 1.0 : c->mass[1 - which] / total) + s->wall;
    return g;
}

static void collide(struct mpi_test *t, const struct setting *s, struct collision *pair, int n)
{
    struct scree_job job;
    struct job_grain grain[2 * MOST];
    struct job_motion after[2 * MOST];
    int each = s->second_is_wall ? 1 : 2;
    if (!open_setting(t, s, each * n, &job)) return;
    for (int k = 0; k < each * n; k++) {
        grain[k] = make_grain(s, &pair[k / each], k % each);
        grain[k].pos[1] = 0.01 * (k / each);
    }
    job_put(&job, grain, each * n);
    job_start(t, &job);
    job_advance(t, &job, s->steps);
    job_find_all(&job, after, each * n);
    double time = (double)s->steps * s->dt;
    for (int k = 0; k < n; k++) {
        struct collision *c = &pair[k];
        const struct job_motion *a = &after[each * k], *b = a + 1;
        double reach = c->radius[0] + (s->second_is_wall ? 0.0 : c->radius[1]);
        double gap = (s->second_is_wall ? s->wall * time : b->pos[0]) - a->pos[0] - reach;
        double speed = (s->second_is_wall ? s->wall : b->vel[0]) - a->vel[0];
        c->restitution = speed / c->speed;
        c->contact_time = time - gap / speed - c->phase * s->dt; /* free flight traced back */
    }
    scree_job_clear(&job);
}

static struct collision equal_pair(double reduced_mass, double speed, double phase)
{
    double m = 2.0 * reduced_mass;
    return (struct collision){{m, m}, {1e-3, 1e-3}, speed, phase, NAN, NAN};
}

static struct setting setting_of(const struct law *law, int dimension, double per_contact)
{
    struct setting s = {.dimension = dimension, .dt = contact_time(law) / per_contact};
    s.steps = (int64_t)(1.2 * per_contact);
    snprintf(s.law, sizeof s.law, "stiffness: %g, damping: %g, tension: %s", law->stiffness,
             law->damping, law->clip ? "clip" : "allow");
    return s;
}

static void average(struct mpi_test *t, const struct setting *s, const struct collision *like,
                    double *restitution, double *time)
{
    struct collision pair[N_PHASES];
    *restitution = *time = 0.0;
    for (int k = 0; k < N_PHASES; k++) {
        pair[k] = *like;
        pair[k].phase = (k + 0.5) / N_PHASES;
    }
    collide(t, s, pair, N_PHASES);
    for (int k = 0; k < N_PHASES; k++) {
        *restitution += pair[k].restitution / N_PHASES;
        *time += pair[k].contact_time / N_PHASES;
    }
}

/* A1, A2. */
static void check_closed_forms(struct mpi_test *t, int dimension, double per_contact)
{
    for (int k = 0; k < 7; k++) {
        struct setting s = setting_of(&laws[k], dimension, per_contact);
        struct collision like = equal_pair(laws[k].mass, k == 3 || k == 6 ? 0.1 : 1.0, 0.0);
        double restitution, time;
        average(t, &s, &like, &restitution, &time);
        JOB_NEAR(t, "restitution", restitution, restitutions[k], 1e-3);
        if (!laws[k].clip) JOB_NEAR(t, "contact time / s", time, times[k], 1e-3 * times[k]);
    }
}

static void check_any_speed(struct mpi_test *t, int dimension, const struct law *law)
{
    static const double speeds[] = {1.0, 0.01, 0.03, 0.1, 0.3, 3.0, 10.0};
    struct setting s = setting_of(law, dimension, 100);
    struct collision pair[7];
    for (int k = 0; k < 7; k++) pair[k] = equal_pair(law->mass, speeds[k], 0.3);
    collide(t, &s, pair, 7);
    for (int k = 1; k < 7; k++)
        JOB_NEAR(t, "restitution at another speed", pair[k].restitution / pair[0].restitution, 1.0,
                 1e-10);
}

/* gamma0 beyond the aperiodic limit: with clipping the grains still part (Schwager, Poeschel). */
static void check_overdamped(struct mpi_test *t)
{
    for (double d = 1.0; d < 5.0; d *= 2.0) {
        struct law law = {1e5, 2.0 * d * sqrt(1e5 * 0.42e-5), 0.42e-5, true};
        struct law undamped = {1e5, 0.0, 0.42e-5, false};
        struct setting s = setting_of(&law, 3, 1);
        s.dt = contact_time(&undamped) / 2000;
        s.steps = 20000;
        struct collision pair = equal_pair(law.mass, 1.0, 0.5);
        double w = sqrt(d * d - 1.0), r = exp(d > 1.0 ? -d / w * log((d + w) / (d - w)) : -2.0);
        collide(t, &s, &pair, 1);
        JOB_NEAR(t, "restitution beyond critical damping", pair.restitution, r, 1e-3);
        bool bounded = pair.contact_time < 5.0 * contact_time(&undamped) / pair.restitution;
        MPI_TEST(t, bounded, "contact time %g s", pair.contact_time);
    }
}

/* The key `restitution`, for pairs of any masses and for walls at rest and moving. */
static void check_wanted(struct mpi_test *t, double wanted, bool clip)
{
    struct collision like = {{1e-5, 3e-5}, {0.5e-3, 1.5e-3}, 1.0, 0.0, NAN, NAN};
    struct law undamped = {1e5, 0.0, 0.75e-5, false};
    struct setting s = setting_of(&undamped, 3, 1000);
    double restitution, time;
    snprintf(s.law, sizeof s.law, "stiffness: 1e5, restitution: %g, tension: %s", wanted,
             clip ? "clip" : "allow");
    s.steps = 3000;
    average(t, &s, &like, &restitution, &time);
    JOB_NEAR(t, "wanted restitution of a pair", restitution, wanted, 1e-3);
    like.mass[0] = 0.75e-5;
    s.second_is_wall = true;
    for (s.wall = -0.7; s.wall < 1.0; s.wall += 0.7) {
        average(t, &s, &like, &restitution, &time);
        JOB_NEAR(t, "wanted restitution with a wall", restitution, wanted, 1e-3);
    }
}

int main(int argc, char **argv)
{
    struct mpi_test t;
    mpi_test_begin(&t, &argc, &argv);
    for (int dimension = 2; dimension <= 3; dimension++) {
        check_closed_forms(&t, dimension, 100);
        for (int k = 0; k < 7; k++) check_any_speed(&t, dimension, &laws[k]);
    }
    check_closed_forms(&t, 3, 1000);
    check_overdamped(&t);
    for (int clip = 0; clip < 2; clip++) {
        check_wanted(&t, 0.3, clip);
        check_wanted(&t, 0.9, clip);
    }
    return mpi_test_end(&t);
}
