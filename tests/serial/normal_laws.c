/* SPDX-License-Identifier: BSD-3-Clause
 * Collisions under the normal laws beyond the linear one against closed forms and numbers of other
 * codes (VALIDATION A2 to A5, A13). */
#include "pair_test.h"

static double sphere_mass(double radius, double density)
{
    return 4.0 / 3.0 * acos(-1.0) * radius * radius * radius * density;
}

/* What the law itself foretells of a collision. */
static struct scree_law_estimate foretell(struct mpi_test *t, const struct setting *s,
                                          const struct collision *c)
{
    struct scree_job job;
    struct scree_law_estimate e = {.restitution = NAN};
    if (!open_setting(t, s, 2, &job)) return e;
    double m = s->second_is_wall ? c->mass[0] : c->mass[0] * c->mass[1] / (c->mass[0] + c->mass[1]);
    double r = s->second_is_wall ? c->radius[0]
                                 : c->radius[0] * c->radius[1] / (c->radius[0] + c->radius[1]);
    struct scree_law_case at = {.m_eff = m, .r_eff = r, .speed = c->speed};
    scree_pair_law_estimate(scree_laws_between(&job.laws, 0, 0), &at, &e);
    scree_job_clear(&job);
    return e;
}

/* `per_contact` steps in a contact time, until all have parted. */
static struct setting setting_for(struct mpi_test *t, const char *law, const struct collision *like,
                                  double per_contact)
{
    struct setting s = {.dimension = 3, .dt = 1.0, .size = like->radius[0]};
    snprintf(s.law, sizeof s.law, "%s", law);
    s.dt = foretell(t, &s, like).contact_time / per_contact;
    s.steps = (int64_t)(3.0 * per_contact);
    return s;
}

/* Laws foretell by solving one collision; runs must agree, whatever the phase of first touch. */
static void check_foretold(struct mpi_test *t)
{
    static const struct {
        const char *law;
        double spread; /* over phases, at 200 steps */
    } cases[] = {
        {"law: power, stiffness: 1e5, exponent: 1, damping: 0.1", 2e-3},
        {"law: power, stiffness: 1e7", 1e-5},
        {"law: power, stiffness: 1e7, damping: 20", 4e-4},
        {"law: power, stiffness: 1e7, exponent: 1.3, damping: 20", 1e-3},
        {"law: power, stiffness: 1e9, exponent: 2, damping: 1e3", 1e-4},
        {"law: power, stiffness: 1e4, exponent: 0.8", 1e-4},
        {"law: hertz, young: 1e9, poisson: 0.3", 1e-5},
        {"law: hertz, young: 1e9, poisson: 0.3, restitution: 0.8", 4e-4},
        {"law: hertz, young: 1e9, poisson: 0.3, restitution: 0.3, tension: clip", 1e-3},
        {"law: hertz, young: 1e9, poisson: 0.3, viscous_time: 1e-6", 2e-4},
        {"law: hysteretic, stiffness: 1e5, stiffness_unloading: 2e5, cohesion: 2e4", 1e-4},
        {"law: hysteretic, stiffness: 1e5, stiffness_unloading: 2e5, cohesion: 2e4, damping: 0.1",
         1e-4},
        {"law: hysteretic, stiffness: 1e5, stiffness_unloading: 2e5, plastic_overlap: 1e-5", 1e-4},
    };
    struct collision like = equal_pair(0.42e-5, 1.0, 0.0);
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        struct setting s = setting_for(t, cases[k].law, &like, 200);
        double foretold = foretell(t, &s, &like).restitution;
        struct collision mean = average(t, &s, &like);
        JOB_NEAR(t, cases[k].law, mean.restitution, foretold, 5e-4);
        MPI_TEST(t, mean.spread < cases[k].spread, "%s: spread %g", cases[k].law, mean.spread);
        snprintf(s.entry, sizeof s.entry, ", timing: half-step");
        JOB_NEAR(t, cases[k].law, average(t, &s, &like).restitution, foretold, 3e-3);
    }
}

/* The same law by two names gives the same bits. */
static void check_special_cases(struct mpi_test *t)
{
    static const char *const same[][2] = {
        {"law: linear, stiffness: 1e5, damping: 0.2, tension: clip",
         "law: power, exponent: 1, stiffness: 1e5, damping: 0.2"},
        {"law: linear, stiffness: 1e5, damping: 0.2",
         "law: hysteretic, stiffness: 1e5, stiffness_unloading: 1e5, cohesion: 3e4, damping: 0.2"},
        {"law: linear, stiffness: 1e5",
         "law: hysteretic, stiffness: 1e5, stiffness_unloading: 1e5, plastic_depth: 0.1"},
    };
    for (int k = 0; k < 3; k++) {
        struct collision pair[2] = {equal_pair(0.42e-5, 1.0, 0.3), equal_pair(0.42e-5, 1.0, 0.3)};
        struct setting s = setting_for(t, same[k][0], &pair[0], 100);
        for (int which = 0; which < 2; which++) {
            snprintf(s.law, sizeof s.law, "%s", same[k][which]);
            collide(t, &s, &pair[which], 1);
        }
        MPI_TEST(t, pair[0].restitution == pair[1].restitution, "%s: %.17g and %.17g", same[k][1],
                 pair[0].restitution, pair[1].restitution);
    }
}

/* A2: dampings beyond all measure; the grains part, with a finite speed. */
static void check_overdamped(struct mpi_test *t)
{
    static const char *const laws[] = {
        "law: power, stiffness: 1e7, damping: 1e4", "law: power, stiffness: 1e7, damping: 1e5",
        "law: hertz, young: 1e9, poisson: 0.3, restitution: 0.02, tension: clip",
        "law: hertz, young: 1e9, poisson: 0.3, viscous_time: 1e-4, tension: clip"};
    for (size_t k = 0; k < sizeof laws / sizeof laws[0]; k++) {
        struct collision pair = equal_pair(0.42e-5, 1.0, 0.5);
        struct setting s = {.dimension = 3, .dt = 1e-8, .steps = 80000};
        snprintf(s.law, sizeof s.law, "%s", laws[k]);
        double foretold = foretell(t, &s, &pair).restitution;
        collide(t, &s, &pair, 1);
        MPI_TEST(t, pair.restitution >= 0.0 && pair.restitution < 0.05, "%s: restitution %g",
                 laws[k], pair.restitution);
        JOB_NEAR(t, laws[k], pair.restitution, foretold, 1e-3);
    }
}

/* A3, with its closed form; not a matter of speed. */
static void check_hysteretic(struct mpi_test *t)
{
    static const double table[][3] = {{.5, 0, .70711},  {.5, .1, .67420},  {.5, .5, .57735},
                                      {.5, 1., .50000}, {.2, .05, .21822}, {.8, 1., .88034}};
    for (int k = 0; k < 6; k++)
        for (double speed = 0.01; speed < 2.0; speed *= 100.0) {
            char law[200];
            double k2 = 1e5;
            struct collision like = equal_pair(0.42e-5, speed, 0.0);
            snprintf(law, sizeof law,
                     "law: hysteretic, stiffness: %g, stiffness_unloading: %g, cohesion: %g",
                     table[k][0] * k2, k2, table[k][1] * k2);
            struct setting s = setting_for(t, law, &like, 200);
            s.steps *= 2;
            JOB_NEAR(t, "restitution, hysteretic", average(t, &s, &like).restitution, table[k][2],
                     1e-3);
        }
}

/* A13: MercuryDPM, two spheres of mass 1; k2 grows with the overlap. Given by depth or overlap. */
static void check_plastic(struct mpi_test *t)
{
    static const double chi[] = {0.34, 0.69, 1.0}, outgoing[] = {0.03279, 0.0, 0.0};
    static const char *const grow[] = {"plastic_depth: 0.05", "plastic_overlap: 0.03125"};
    for (int k = 0; k < 6; k++) {
        char law[200];
        struct collision pair = {.mass = {1, 1}, .radius = {0.5, 0.5}, .phase = 0.5};
        pair.speed = sqrt(200.0) * chi[k / 2] * 0.03125;
        snprintf(law, sizeof law,
                 "law: hysteretic, stiffness: 100, stiffness_unloading: 500, cohesion: 100, %s",
                 grow[k % 2]);
        struct setting s = setting_for(t, law, &pair, 300);
        s.steps = 3000;
        s.track = true;
        collide(t, &s, &pair, 1);
        JOB_NEAR(t, "largest overlap / delta*", pair.overlap / 0.03125, chi[k / 2], 1e-3);
        if (outgoing[k / 2] > 0.0)
            JOB_NEAR(t, "outgoing speed", 0.5 * pair.speed * pair.restitution, outgoing[k / 2],
                     0.003 * outgoing[k / 2]);
        else
            MPI_TEST(t, pair.last_overlap > 0.0, "chi %g: grains part", chi[k / 2]);
    }
}

/* A4: Chung and Ooi 1 and 2. */
static void check_hertz_peak(struct mpi_test *t)
{
    static const struct {
        const char *law;
        double radius, density, speed, overlap, force, time;
        bool plane;
    } cases[] = {
        {"law: hertz, young: 48 GPa, poisson: 0.20", 0.01, 2800, 20, 274.11e-6, 10697, 40.34e-6, 0},
        {"law: hertz, young: 20 GPa, poisson: 0.25", 0.01, 2500, 20, 368.30e-6, 7108, 54.20e-6, 0},
        {"law: hertz, young: 70 GPa, poisson: 0.30, second: rigid", 0.1, 2699, 0.2, 49.717e-6,
         11370, 731.7e-6, 1},
        {"law: hertz, young: 40 GPa, poisson: 0.35, second: rigid", 0.1, 1800, 0.2, 52.123e-6, 7233,
         767.1e-6, 1},
    };
    for (int k = 0; k < 4; k++) {
        double r = cases[k].radius, m = sphere_mass(r, cases[k].density);
        struct collision like = {
            .mass = {m, m}, .radius = {r, r}, .speed = cases[k].speed, .phase = 0.4};
        struct setting s = {.dimension = 3, .size = r, .second_is_wall = cases[k].plane};
        s.dt = cases[k].time / 1000;
        s.steps = 1100;
        s.track = true;
        snprintf(s.law, sizeof s.law, "%s", cases[k].law);
        collide(t, &s, &like, 1);
        JOB_NEAR(t, "largest overlap", like.overlap / cases[k].overlap, 1.0, 1e-3);
        JOB_NEAR(t, "largest force", like.force / cases[k].force, 1.0, 1e-3);
        JOB_NEAR(t, "contact time", like.contact_time / cases[k].time, 1.0, 1e-3);
        JOB_NEAR(t, "restitution", like.restitution, 1.0, 1e-6);
        JOB_NEAR(t, "contact time foretold", foretell(t, &s, &like).contact_time / cases[k].time,
                 1.0, 1e-3);
    }
}

/* A5: Chung and Ooi 3, both with tension and without. */
static void check_hertz_restitution(struct mpi_test *t)
{
    static const double young[] = {380e9, 100e9}, poisson[] = {0.23, 0.25}, rho[] = {4000, 7000};
    for (int which = 0; which < 20; which++) {
        int material = which % 2, clip = which / 2 % 2;
        double wanted = 0.2 * (which / 4 + 1), m = sphere_mass(2.5e-3, rho[material]);
        struct collision like = {.mass = {m, m}, .radius = {2.5e-3, 2.5e-3}, .speed = 3.9};
        struct setting s = {.dimension = 3, .size = 2.5e-3, .second_is_wall = true, .dt = 1.0};
        snprintf(s.law, sizeof s.law,
                 "law: hertz, young: %g, poisson: %g, restitution: %g, tension: %s",
                 young[material], poisson[material], wanted, clip ? "clip" : "allow");
        s.dt = foretell(t, &s, &like).contact_time / 200;
        s.steps = 1200;
        JOB_NEAR(t, "Hertz restitution", average(t, &s, &like).restitution, wanted, 1e-3);
    }
}

/* A5: LAMMPS, 4 mm spheres at +-1 m/s. */
static void check_hertz_golden(struct mpi_test *t)
{
    double m = sphere_mass(2e-3, 2500);
    struct collision pair = {.mass = {m, m}, .radius = {2e-3, 2e-3}, .speed = 2.0, .phase = 0.4};
    struct setting s = setting_for(
        t, "law: hertz, young: 1 MPa, poisson: 0.4, restitution: 0.8, tension: allow", &pair, 1000);
    s.steps = 1100;
    s.track = true;
    collide(t, &s, &pair, 1);
    JOB_NEAR(t, "exit speed", 0.5 * pair.speed * pair.restitution, 0.8, 1e-4);
    JOB_NEAR(t, "largest overlap", pair.overlap, 0.53896e-3, 1e-7);
    JOB_NEAR(t, "largest force", pair.force, 0.31666, 3e-5);
    JOB_NEAR(t, "contact time", pair.contact_time, 885.1e-6, 1e-6);
}

int main(int argc, char **argv)
{
    struct mpi_test t;
    mpi_test_begin(&t, &argc, &argv);
    check_foretold(&t);
    check_special_cases(&t);
    check_overdamped(&t);
    check_hysteretic(&t);
    check_plastic(&t);
    check_hertz_peak(&t);
    check_hertz_restitution(&t);
    check_hertz_golden(&t);
    return mpi_test_end(&t);
}
