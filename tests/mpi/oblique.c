/* SPDX-License-Identifier: BSD-3-Clause
 * Oblique impacts of a sphere on a plane: Hertz and Mindlin against closed forms, integrated values
 * and runs of LAMMPS (VALIDATION A6), and impacts of spinning spheres for all tangential laws
 * (A10). */
#include "job_test.h"

enum { MOST = 16 };

static const double pi = 3.14159265358979323846;

/* Impacts next to each other on the plane z = 0. */
struct impacts {
    double radius, mass, dt;
    int64_t steps;
    char normal[160], tangential[200];
    int n;
    double vn[MOST], vt[MOST], spin[MOST]; /* m/s down and along x; 1/s about y */
};

static bool run(struct mpi_test *t, const struct impacts *i, struct job_motion *after)
{
    char text[1200];
    struct scree_job job;
    struct job_grain grain[MOST];
    snprintf(
        text, sizeof text,
        "time: {step: %.17g, steps: 1}\nneighbours: {skin: 2e-3}\n"
        "domain: {low: [-0.1, -0.1, -0.1], high: [0.4, 0.1, 0.1]}\nmaterials: {m: {density: 1}}\n"
        "boundaries: {w: {shape: plane, material: m, point: [0, 0, 0], normal: [0, 0, 1]}}\n"
        "balance: {method: hilbert}\n"
        "contacts: [{between: [m, m], lever: radius, normal: {%s}, tangential: {%s}}]\n"
        "particles: [{lattice: {material: m, radius: 2.5e-3, count: %d}}]\n",
        i->dt, i->normal, i->tangential, i->n);
    if (!job_open(t, &job, t->comm, text, NULL)) return false;
    for (int k = 0; k < i->n; k++) {
        double phase = (k + 0.5) / i->n;
        grain[k] = (struct job_grain){.pos = {0.02 * k, 0, i->radius + phase * i->vn[k] * i->dt},
                                      .radius = i->radius,
                                      .mass = i->mass,
                                      .vel = {i->vt[k], 0, -i->vn[k]},
                                      .spin = {0, i->spin[k], 0}};
    }
    job_put(&job, grain, i->n);
    job_start(t, &job);
    job_advance(t, &job, i->steps);
    job_find_all(&job, after, i->n);
    scree_job_clear(&job);
    return true;
}

static double sphere(double radius, double density)
{
    return 4.0 / 3.0 * pi * radius * radius * radius * density;
}

static void write_laws(struct impacts *i, const char *elastic, const char *more)
{
    snprintf(i->normal, sizeof i->normal, "law: hertz, %s, restitution: 0.98", elastic);
    snprintf(i->tangential, sizeof i->tangential,
             "law: mindlin, restitution: 0.98, friction: 0.092, %s", more);
}

/* Aluminium oxide at 3.9 m/s: sticking below, gross sliding above about 28 degrees. */
static void check_angles(struct mpi_test *t)
{
    static const double stick[][2] = {{5, 0.950},  {10, 0.701}, {15, 0.632},
                                      {20, 0.621}, {25, 0.639}, {30, 0.685}};
    static const double slide[] = {35, 45, 60, 75, 85};
    const double mu = 0.092, e = 0.98, v = 3.9, a = 2.5e-3;
    struct impacts i = {.radius = a, .mass = sphere(a, 4000), .dt = 4e-9, .steps = 4500, .n = 11};
    struct job_motion after[MOST];
    for (int k = 0; k < i.n; k++) {
        double angle = (k < 6 ? stick[k][0] : slide[k - 6]) * pi / 180.0;
        i.vn[k] = v * cos(angle);
        i.vt[k] = v * sin(angle);
    }
    write_laws(&i, "young: 380e9, poisson: 0.23", "history: displacement, unloading: keep");
    if (!run(t, &i, after)) return;
    for (int k = 0; k < i.n; k++) {
        double kept = after[k].vel[0] / i.vt[k];
        JOB_NEAR(t, "restitution", after[k].vel[2] / i.vn[k], e, 1e-4);
        if (k < 6) {
            JOB_NEAR(t, "stick: tangential speed kept", kept, stick[k][1], 0.01 * stick[k][1]);
            continue;
        }
        double impulse = mu * (1.0 + e) * i.vn[k], expected = 1.0 - impulse / i.vt[k];
        JOB_NEAR(t, "slide: tangential speed kept", kept, expected, 0.005 * expected);
        JOB_NEAR(t, "slide: spin", after[k].spin[1], 2.5 * impulse / a, 0.005 * 2.5 * impulse / a);
    }
}

/* Aluminium alloy as LAMMPS has it. */
static void check_lammps(struct mpi_test *t)
{
    const double a = 2.5e-3;
    struct impacts i = {.radius = a,
                        .mass = sphere(a, 2700),
                        .dt = 4e-9,
                        .steps = 4500,
                        .n = 2,
                        .vn = {2.9876, 2.9876},
                        .vt = {2.5069, 0.5}};
    struct job_motion after[MOST];
    write_laws(&i, "young: 70e9, poisson: 0.33", "unloading: keep");
    if (!run(t, &i, after)) return;
    JOB_NEAR(t, "normal speed", after[0].vel[2], 2.92784, 2e-4 * 2.92784);
    JOB_NEAR(t, "sliding: speed", after[0].vel[0], 1.96265, 2e-4 * 1.96265);
    JOB_NEAR(t, "sliding: spin", after[0].spin[1], 544.254, 2e-4 * 544.254);
    JOB_NEAR(t, "sticking: speed", after[1].vel[0], 0.34438, 2e-4 * 0.34438);
    JOB_NEAR(t, "sticking: spin", after[1].spin[1], 155.621, 2e-4 * 155.621);
    /* A spring that shrinks holds the sticking sphere less. */
    write_laws(&i, "young: 70e9, poisson: 0.33", "history: displacement");
    struct job_motion other[MOST];
    if (!run(t, &i, other)) return;
    MPI_TEST(t, fabs(other[1].vel[0] - after[1].vel[0]) > 1e-3 * 0.5, "rescaling changes nothing");
}

/* Two spinning spheres that stick while they collide, with each way to treat loaded springs as the
 * contact radius changes: pair_style granular of LAMMPS (hertz/material without damping, tangential
 * mindlin, mindlin/force, mindlin_rescale, mindlin_rescale/force; version of 29 September 2021,
 * steps of 2 ns). It takes torques at the contact and velocities at the full radius, so that the
 * overlaps, 0.2 % of the radius, are the difference that remains. */
static void check_variants(struct mpi_test *t)
{
    static const struct {
        const char *keys;
        double velocity[3], spin[3];
    } lammps[] = {
        {"history: displacement, unloading: keep",
         {-0.187173700, -0.415562101, 0.199555824},
         {9.86830544, 5.18780174, 20.2976371}},
        {"history: force, unloading: keep",
         {-0.187465399, -0.415120314, 0.199141635},
         {9.80372439, 5.27225884, 20.4334793}},
        {"history: displacement",
         {-0.192054616, -0.409098645, 0.193567121},
         {8.96924214, 6.38316522, 22.3205195}},
        {"history: force",
         {-0.193535226, -0.407086437, 0.191701873},
         {8.68634935, 6.75761198, 22.9490743}},
    };
    const double a = 0.01, m = sphere(a, 2500);
    const struct job_grain grain[2] = {{.pos = {-0.0080005, -0.006, 0},
                                        .radius = a,
                                        .mass = m,
                                        .vel = {0.5, 0.1, 0.2},
                                        .spin = {10, 5, 20}},
                                       {.pos = {0.0080005, 0.006, 0},
                                        .radius = a,
                                        .mass = m,
                                        .vel = {-0.5, 0, 0},
                                        .spin = {-5, 8, 15}}};
    for (size_t k = 0; k < sizeof lammps / sizeof lammps[0]; k++) {
        char text[800];
        struct scree_job job;
        struct job_motion after[2];
        snprintf(text, sizeof text,
                 "time: {step: 2e-8, steps: 1}\nmaterials: {m: {density: 1}}\n"
                 "domain: {low: [-0.1, -0.1, -0.1], high: [0.1, 0.1, 0.1]}\n"
                 "contacts: [{between: [m, m], lever: radius, normal: {law: hertz, young: 1e10, "
                 "poisson: 0.3}, "
                 "tangential: {law: mindlin, friction: 10, %s}}]\n"
                 "particles: [{lattice: {material: m, radius: 0.01, count: 2}}]\n",
                 lammps[k].keys);
        if (!job_open(t, &job, t->comm, text, NULL)) return;
        job_put(&job, grain, 2);
        job_start(t, &job);
        job_advance(t, &job, 14000);
        job_find_all(&job, after, 2);
        for (int c = 0; c < 3; c++) {
            JOB_NEAR(t, lammps[k].keys, after[0].vel[c], lammps[k].velocity[c], 1e-4);
            JOB_NEAR(t, lammps[k].keys, after[0].spin[c], lammps[k].spin[c], 1.5e-2);
        }
        scree_job_clear(&job);
    }
}

/* A10: spinning so fast that it slides all the time, vx' = mu (1 + e) vn. */
static void check_spinning(struct mpi_test *t, const char *normal, const char *tangential)
{
    const double a = 2.5e-3, mu = 0.3, e = 0.9;
    struct impacts i = {.radius = a, .mass = 1e-4, .dt = 2e-7, .steps = 3000, .n = 4};
    struct job_motion after[MOST];
    for (int k = 0; k < i.n; k++) {
        i.vn[k] = 0.5 + 0.1 * k;
        i.spin[k] = -8.0 * mu * (1.0 + e) * i.vn[k] / a;
    }
    snprintf(i.normal, sizeof i.normal, "%s", normal);
    snprintf(i.tangential, sizeof i.tangential, "%s", tangential);
    if (!run(t, &i, after)) return;
    for (int k = 0; k < i.n; k++) {
        double impulse = mu * (1.0 + e) * i.vn[k];
        JOB_NEAR(t, "restitution", after[k].vel[2] / i.vn[k], e, 2e-3);
        JOB_NEAR(t, "spinning: speed", after[k].vel[0], -impulse, 5e-3 * impulse);
        JOB_NEAR(t, "spinning: spin", after[k].spin[1], i.spin[k] + 2.5 * impulse / a,
                 5e-3 * 2.5 * impulse / a);
    }
}

/* Two spheres that slide against spring and dashpot, as pair_style gran/hooke/history of LAMMPS has
 * it (2e5 57142.857 50 400 0.1 1; version of 29 September 2021). */
static void check_sliding_dashpot(struct mpi_test *t)
{
    static const double velocity[3] = {1.24769785526842, -1.84726102268855, 0.297409751144679};
    static const double spin[3] = {-0.14100680614841, 0.0604314883493185, 0.966903813589096};
    const struct job_grain grain[2] = {
        {.radius = 0.5, .mass = 1.0, .vel = {3, -1, 0.5}},
        {.pos = {0.9, 0.5, 0.1}, .radius = 0.5, .mass = 1.0},
    };
    struct scree_job job;
    struct job_motion after[2];
    if (!job_open(t, &job, t->comm,
                  "time: {step: 1e-4, steps: 1}\nbalance: {method: hilbert}\n"
                  "domain: {low: [-5, -5, -5], high: [5, 5, 5]}\nmaterials: {m: {density: 1}}\n"
                  "contacts: [{between: [m, m], lever: radius, timing: half-step, "
                  "normal: {law: linear, stiffness: 2e5, damping_rate: 50}, tangential: {law: "
                  "spring, stiffness: 57142.857, friction: 0.1, damping_rate: 400}}]\n"
                  "particles: [{lattice: {material: m, radius: 0.5, count: 2}}]\n",
                  NULL))
        return;
    job_put(&job, grain, 2);
    job_start(t, &job);
    job_advance(t, &job, 400);
    job_find_all(&job, after, 2);
    for (int a = 0; a < 3; a++) {
        JOB_NEAR(t, "sliding dashpot: velocity", after[0].vel[a], velocity[a], 1e-9);
        JOB_NEAR(t, "sliding dashpot: spin", after[0].spin[a], spin[a], 1e-9);
    }
    scree_job_clear(&job);
}

int main(int argc, char **argv)
{
    struct mpi_test t;
    mpi_test_begin(&t, &argc, &argv);
    check_angles(&t);
    check_lammps(&t);
    check_variants(&t);
    check_sliding_dashpot(&t);
    const char linear[] = "law: linear, stiffness: 1e4, restitution: 0.9, tension: clip";
    check_spinning(&t, linear, "law: spring, stiffness: 3e3, friction: 0.3");
    check_spinning(&t, linear, "law: spring, stiffness: 3e3, damping: 0.1, friction: 0.3");
    check_spinning(&t, linear, "law: fazekas, stiffness: 3e3, damping: 0.1, friction: 0.3");
    check_spinning(&t, linear, "law: kuhn, stiffness: 3e3, damping: 0.1, friction: 0.3");
    check_spinning(&t, "law: hertz, young: 1e8, poisson: 0.3, restitution: 0.9, tension: clip",
                   "law: mindlin, young: 1e8, poisson: 0.3, restitution: 0.9, friction: 0.3");
    return mpi_test_end(&t);
}
