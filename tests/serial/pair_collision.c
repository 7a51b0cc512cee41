/* SPDX-License-Identifier: BSD-3-Clause
 * Two grains collide, or a grain with a wall: restitution and contact time of the linear law
 * against their closed forms (VALIDATION A1, A2), momentum and angular momentum. */
#include "pair_test.h"

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

static struct setting setting_of(const struct law *law, int dimension, double per_contact)
{
    struct setting s = {.dimension = dimension, .dt = contact_time(law) / per_contact};
    s.steps = (int64_t)(1.2 * per_contact);
    snprintf(s.law, sizeof s.law, "law: linear, stiffness: %g, damping: %g, tension: %s",
             law->stiffness, law->damping, law->clip ? "clip" : "allow");
    return s;
}

/* A1, A2. */
static void check_closed_forms(struct mpi_test *t, int dimension, double per_contact)
{
    for (int k = 0; k < 7; k++) {
        struct setting s = setting_of(&laws[k], dimension, per_contact);
        struct collision like = equal_pair(laws[k].mass, k == 3 || k == 6 ? 0.1 : 1.0, 0.0);
        struct collision mean = average(t, &s, &like);
        MPI_TEST(t, mean.spread < (laws[k].clip ? 1e-2 : 2e-3),
                 "restitution changes by %g with the phase", mean.spread);
        JOB_NEAR(t, "restitution", mean.restitution, restitutions[k], 1e-3);
        if (!laws[k].clip)
            JOB_NEAR(t, "contact time / s", mean.contact_time, times[k], 1e-3 * times[k]);
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
    struct collision like = {.mass = {1e-5, 3e-5}, .radius = {0.5e-3, 1.5e-3}, .speed = 1.0};
    struct law undamped = {1e5, 0.0, 0.75e-5, false};
    struct setting s = setting_of(&undamped, 3, 1000);
    snprintf(s.law, sizeof s.law, "law: linear, stiffness: 1e5, restitution: %g, tension: %s",
             wanted, clip ? "clip" : "allow");
    s.steps = 3000;
    JOB_NEAR(t, "wanted restitution of a pair", average(t, &s, &like).restitution, wanted, 1e-3);
    like.mass[0] = 0.75e-5;
    s.second_is_wall = true;
    for (s.wall = -0.7; s.wall < 1.0; s.wall += 0.7)
        JOB_NEAR(t, "wanted restitution with a wall", average(t, &s, &like).restitution, wanted,
                 1e-3);
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
