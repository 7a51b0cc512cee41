/* SPDX-License-Identifier: BSD-3-Clause
 * The energy ledger of frictional gases closes for every law, and each loss is where it belongs. */
#include "job_test.h"

enum { STEPS = 2000 };

/* 200 steps per collision: k 1e4, m about 0.27 on the average. */
static const char gas[] =
    "time: {step: 8e-5, steps: 1}\nseed: 4\n"
    "domain: {low: [0, 0, 0], high: [7, 7, 7], periodic: [x, y]}\n"
    "materials: {m: {density: 1}}\n"
    "boundaries:\n"
    "  floor: {shape: plane, material: m, point: [0, 0, 0], normal: [0, 0, 1]}\n"
    "  lid: {shape: plane, material: m, point: [0, 0, 7], normal: [0, 0, -1]}\n"
    "particles: [{lattice: {material: m, radius: {uniform: [0.35, 0.49]}, spacing: 1, speed: 8, "
    "spin: 20}}]\n";

struct gas_case {
    const char *laws;
    double tolerance;
    enum scree_loss loses[3]; /* channels that must have taken something, SCREE_N_LOSSES ends */
};

static const struct gas_case cases[] = {
    {"normal: {law: linear, stiffness: 1e4}, tangential: {law: spring, stiffness: 3e3, friction: "
     "0.4}",
     1e-3,
     {SCREE_LOSS_SLIDING, SCREE_N_LOSSES}},
    {"normal: {law: linear, stiffness: 1e4, restitution: 0.9}, tangential: {law: spring, "
     "stiffness: "
     "3e3, damping: 3, friction: 0.4, friction_dynamic: 0.3}",
     1e-3,
     {SCREE_LOSS_SLIDING, SCREE_LOSS_TANGENTIAL, SCREE_N_LOSSES}},
    {"normal: {law: linear, stiffness: 1e4}, tangential: {law: fazekas, stiffness: 3e3, friction: "
     "0.4}",
     1e-3,
     {SCREE_LOSS_SLIDING, SCREE_N_LOSSES}},
    {"normal: {law: linear, stiffness: 1e4, restitution: 0.9}, tangential: {law: fazekas, "
     "stiffness: 3e3, damping: 3, friction: 0.4, friction_dynamic: 0.3}",
     1e-3,
     {SCREE_LOSS_SLIDING, SCREE_LOSS_TANGENTIAL, SCREE_N_LOSSES}},
    {"normal: {law: linear, stiffness: 1e4}, tangential: {law: kuhn, stiffness: 3e3, friction: "
     "0.4}",
     1e-3,
     {SCREE_LOSS_SLIDING, SCREE_N_LOSSES}},
    {"normal: {law: linear, stiffness: 1e4, restitution: 0.9}, tangential: {law: kuhn, stiffness: "
     "3e3, damping: 3, friction: 0.4}",
     1e-3,
     {SCREE_LOSS_SLIDING, SCREE_LOSS_TANGENTIAL, SCREE_N_LOSSES}},
    {"normal: {law: hertz, young: 1e5, poisson: 0.3, restitution: 0.9}, tangential: {law: mindlin, "
     "young: 1e5, poisson: 0.3, friction: 0.4}",
     1e-3,
     {SCREE_LOSS_SLIDING, SCREE_N_LOSSES}},
    {"normal: {law: hertz, young: 1e5, poisson: 0.3, restitution: 0.9}, tangential: {law: mindlin, "
     "young: 1e5, poisson: 0.3, restitution: 0.9, friction: 0.4, friction_dynamic: 0.3, unloading: "
     "keep}",
     1e-3,
     {SCREE_LOSS_SLIDING, SCREE_LOSS_TANGENTIAL, SCREE_N_LOSSES}},
    {"normal: {law: linear, stiffness: 1e4}, tangential: {law: kuhn, stiffness: 3e3, friction: "
     "0.4}, rolling: {law: spring, stiffness: 1e3, friction: 0.1}, torsion: {law: spring, "
     "stiffness: "
     "1e3, friction: 0.1}",
     1e-3,
     {SCREE_LOSS_ROLLING, SCREE_LOSS_TORSION, SCREE_N_LOSSES}},
    {"normal: {law: linear, stiffness: 1e4}, tangential: {law: fazekas, stiffness: 3e3, friction: "
     "0.4}, rolling: {law: spring, stiffness: 2e3, damping: 2, friction: 0.3}, torsion: {law: "
     "spring, "
     "stiffness: 2e3, damping_rate: 5, friction: 0.3}",
     1e-3,
     {SCREE_LOSS_ROLLING, SCREE_LOSS_TORSION, SCREE_N_LOSSES}},
};
enum { N_CASES = sizeof cases / sizeof cases[0] };

static void check_gas(struct mpi_test *t, const struct gas_case *c)
{
    char text[2000];
    struct scree_job job;
    struct job_energies e;
    snprintf(text, sizeof text, "%scontacts: [{between: [m, m], %s}]\n", gas, c->laws);
    if (!job_open(t, &job, job_self(), text, NULL)) return;
    job_start(t, &job);
    job_advance(t, &job, STEPS);
    job_energies(&job, &e);
    double error = e.closure / e.turnover;
    MPI_TEST(t, fabs(error) < c->tolerance, "%.60s: closure error %.3g of the turnover", c->laws,
             error);
    for (int k = 0; c->loses[k] != SCREE_N_LOSSES; k++) {
        double part = e.loss[c->loses[k]] / e.turnover;
        MPI_TEST(t, part > 1e-3, "%.60s: %s lost only %.3g", c->laws, scree_loss_name(c->loses[k]),
                 part);
    }
    if (getenv("SCREE_TEST_LOUD") != NULL) {
        printf("%.100s\n  closure %.3g", c->laws, error);
        for (enum scree_loss k = 0; k < SCREE_N_LOSSES; k++)
            printf(" %s %.3g", scree_loss_name(k), e.loss[k] / e.turnover);
        printf("\n");
    }
    scree_job_clear(&job);
}

/* Pairs side by side that collide obliquely while they spin about all axes, each in another phase
 * of the step; whoever knows the normal of only one moment misses what they gain by turning. */
enum { PAIRS = 8, SAMPLES = 50 };
static const double contact_time = 0.0993; /* s; of m* = 1 kg and k = 1000 N/m */

static struct job_grain oblique_grain(int k, double dt)
{
    const double spin[2][3] = {{3, -2, 2}, {5, 1, -3}};
    double side = k % 2 == 0 ? 1.0 : -1.0, gap = (k / 2 + 0.5) / PAIRS * dt;
    struct job_grain g = {.pos = {0.8 * side, 4.0 * (k / 2), 0.6 * side}, .radius = 1, .mass = 2};
    for (int a = 0; a < 3; a++) g.spin[a] = spin[k % 2][a];
    g.pos[0] += 0.5 * gap * side;
    g.vel[0] = -0.5 * side;
    return g;
}

/* Largest closure error of the turnover, with so many steps per contact. */
static double pair_error(struct mpi_test *t, const char *laws, int per_contact)
{
    char text[1200];
    struct scree_job job;
    struct job_energies e;
    struct job_grain grain[2 * PAIRS];
    double worst = 0.0;
    int64_t steps = per_contact * 3 / 2;
    snprintf(text, sizeof text,
             "time: {step: %.17g, steps: 1}\nmaterials: {m: {density: 1}}\n"
             "domain: {low: [-9, -9, -9], high: [9, 40, 9]}\n"
             "contacts: [{between: [m, m], %s}]\n"
             "particles: [{lattice: {material: m, radius: 1, count: %d}}]\n",
             contact_time / per_contact, laws, 2 * PAIRS);
    if (!job_open(t, &job, job_self(), text, NULL)) return NAN;
    for (int k = 0; k < 2 * PAIRS; k++) grain[k] = oblique_grain(k, contact_time / per_contact);
    job_put(&job, grain, 2 * PAIRS);
    job_start(t, &job);
    for (int k = 1; k <= SAMPLES; k++) {
        job_advance(t, &job, k * steps / SAMPLES);
        job_energies(&job, &e);
        worst = fmax(worst, fabs(e.closure) / e.turnover);
    }
    MPI_TEST(t, e.elastic[SCREE_LAW_NORMAL] == 0.0, "%s: pairs have not parted", laws);
    scree_job_clear(&job);
    return worst;
}

static const char *const pair_laws[] = {
    "tangential: {law: spring, stiffness: 300, friction: 1e6}",
    "tangential: {law: spring, stiffness: 300, friction: 0.2}",
    "tangential: {law: spring, stiffness: 300, friction: 0.2}, lever: radius",
    "tangential: {law: spring, stiffness: 300, damping: 5, friction: 0.2, friction_dynamic: "
    "0.15}",
    "tangential: {law: fazekas, stiffness: 300, friction: 1e6}",
    "tangential: {law: fazekas, stiffness: 300, damping: 5, friction: 0.2}",
    "tangential: {law: kuhn, stiffness: 300, friction: 1e6}",
    "tangential: {law: kuhn, stiffness: 300, damping: 5, friction: 0.2}",
};
enum { N_PAIR_LAWS = sizeof pair_laws / sizeof pair_laws[0] };

static void check_pairs(struct mpi_test *t, const char *laws)
{
    char both[300];
    snprintf(both, sizeof both, "normal: {law: linear, stiffness: 1e3}, %s", laws);
    double coarse = pair_error(t, both, 100), fine = pair_error(t, both, 200);
    if (getenv("SCREE_TEST_LOUD") != NULL)
        printf("%s\n  closure %.3g, %.3g with half the step\n", laws, coarse, fine);
    MPI_TEST(t, coarse < 1e-3, "%s: closure error %.3g", laws, coarse);
    MPI_TEST(t, coarse > 1.8 * fine, "%s: closure error %.3g, %.3g with half the step", laws,
             coarse, fine);
}

int main(int argc, char **argv)
{
    struct mpi_test t;
    mpi_test_begin(&t, &argc, &argv);
    for (int k = 0; k < N_CASES; k++) check_gas(&t, &cases[k]);
    for (int k = 0; k < N_PAIR_LAWS; k++) check_pairs(&t, pair_laws[k]);
    return mpi_test_end(&t);
}
