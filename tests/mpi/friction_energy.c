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
     2e-5,
     {SCREE_LOSS_SLIDING, SCREE_N_LOSSES}},
    {"normal: {law: linear, stiffness: 1e4, restitution: 0.9}, tangential: {law: spring, "
     "stiffness: "
     "3e3, damping: 3, friction: 0.4, friction_dynamic: 0.3}",
     2e-5,
     {SCREE_LOSS_SLIDING, SCREE_LOSS_TANGENTIAL, SCREE_N_LOSSES}},
    {"normal: {law: linear, stiffness: 1e4}, tangential: {law: fazekas, stiffness: 3e3, friction: "
     "0.4}",
     2e-5,
     {SCREE_LOSS_SLIDING, SCREE_N_LOSSES}},
    {"normal: {law: linear, stiffness: 1e4, restitution: 0.9}, tangential: {law: fazekas, "
     "stiffness: 3e3, damping: 3, friction: 0.4, friction_dynamic: 0.3}",
     2e-5,
     {SCREE_LOSS_SLIDING, SCREE_LOSS_TANGENTIAL, SCREE_N_LOSSES}},
    {"normal: {law: linear, stiffness: 1e4}, tangential: {law: kuhn, stiffness: 3e3, friction: "
     "0.4}",
     2e-5,
     {SCREE_LOSS_SLIDING, SCREE_N_LOSSES}},
    {"normal: {law: linear, stiffness: 1e4, restitution: 0.9}, tangential: {law: kuhn, stiffness: "
     "3e3, damping: 3, friction: 0.4}",
     2e-5,
     {SCREE_LOSS_SLIDING, SCREE_LOSS_TANGENTIAL, SCREE_N_LOSSES}},
    {"normal: {law: hertz, young: 1e5, poisson: 0.3, restitution: 0.9}, tangential: {law: mindlin, "
     "young: 1e5, poisson: 0.3, friction: 0.4}",
     5e-5,
     {SCREE_LOSS_SLIDING, SCREE_N_LOSSES}},
    {"normal: {law: hertz, young: 1e5, poisson: 0.3, restitution: 0.9}, tangential: {law: mindlin, "
     "young: 1e5, poisson: 0.3, restitution: 0.9, friction: 0.4, friction_dynamic: 0.3, unloading: "
     "keep}",
     5e-5,
     {SCREE_LOSS_SLIDING, SCREE_LOSS_TANGENTIAL, SCREE_N_LOSSES}},
    {"normal: {law: linear, stiffness: 1e4}, tangential: {law: kuhn, stiffness: 3e3, friction: "
     "0.4}, rolling: {law: spring, stiffness: 1e3, friction: 0.1}, torsion: {law: spring, "
     "stiffness: "
     "1e3, friction: 0.1}",
     2e-5,
     {SCREE_LOSS_ROLLING, SCREE_LOSS_TORSION, SCREE_N_LOSSES}},
    {"normal: {law: linear, stiffness: 1e4}, tangential: {law: fazekas, stiffness: 3e3, friction: "
     "0.4}, rolling: {law: spring, stiffness: 2e3, damping: 2, friction: 0.3}, torsion: {law: "
     "spring, "
     "stiffness: 2e3, damping_rate: 5, friction: 0.3}",
     2e-5,
     {SCREE_LOSS_ROLLING, SCREE_LOSS_TORSION, SCREE_N_LOSSES}},
};
enum { N_CASES = sizeof cases / sizeof cases[0] };

static void check_gas(struct mpi_test *t, const struct gas_case *c)
{
    char text[2000];
    struct scree_job job;
    struct scree_energies e;
    snprintf(text, sizeof text, "%scontacts: [{between: [m, m], %s}]\n", gas, c->laws);
    if (!job_open(t, &job, t->comm, text, NULL)) return;
    job_start(t, &job);
    job_advance(t, &job, STEPS);
    job.stepper->energies(job.state, &job.scene, &e);
    double error = e.closure / e.turnover;
    MPI_TEST(t, fabs(error) < c->tolerance, "%.60s: closure error %.3g of the turnover", c->laws,
             error);
    for (int k = 0; c->loses[k] != SCREE_N_LOSSES; k++) {
        double part = e.loss[c->loses[k]] / e.turnover;
        MPI_TEST(t, part > 1e-3, "%.60s: %s lost only %.3g", c->laws, scree_loss_name(c->loses[k]),
                 part);
    }
    if (getenv("SCREE_TEST_LOUD") != NULL && t->comm->rank == 0) {
        printf("%.100s\n  closure %.3g", c->laws, error);
        for (enum scree_loss k = 0; k < SCREE_N_LOSSES; k++)
            printf(" %s %.3g", scree_loss_name(k), e.loss[k] / e.turnover);
        printf("\n");
    }
    scree_job_clear(&job);
}

int main(int argc, char **argv)
{
    struct mpi_test t;
    mpi_test_begin(&t, &argc, &argv);
    for (int k = 0; k < N_CASES; k++) check_gas(&t, &cases[k]);
    return mpi_test_end(&t);
}
