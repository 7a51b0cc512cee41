/* SPDX-License-Identifier: BSD-3-Clause
 * Gear's integrator: order of an oscillation within one contact against its closed form,
 * restitution (VALIDATION A1), order of friction and of its ledger, and the same bits on any number
 * of ranks and after a resume. */
#include "bits_test.h"

static const double stiffness = 1e3, mass = 0.1; /* of each grain */

static bool open_pair(struct mpi_test *t, double dt, double damping, struct scree_job *job)
{
    char text[600];
    snprintf(text, sizeof text,
             "time: {step: %.17g, steps: 1, integrator: gear}\n"
             "domain: {low: [-9, -9, -9], high: [9, 9, 9]}\nmaterials: {m: {density: 1}}\n"
             "contacts: [{between: [m, m], normal: {law: linear, stiffness: %g, damping: %g}}]\n"
             "particles: [{lattice: {material: m, radius: 1, count: 2}}]\n",
             dt, stiffness, damping);
    return job_open(t, job, t->comm, text, NULL);
}

/* Distance of two grains pressed into each other by 0.2 and let go, while they still touch. */
static double error_of(struct mpi_test *t, int steps, double time)
{
    struct scree_job job;
    struct job_motion m[2];
    struct job_grain grain[2] = {{.pos = {-0.9, 0, 0}, .radius = 1, .mass = mass},
                                 {.pos = {0.9, 0, 0}, .radius = 1, .mass = mass}};
    if (!open_pair(t, time / steps, 0.0, &job)) return NAN;
    job_put(&job, grain, 2);
    job_start(t, &job);
    job_advance(t, &job, steps);
    job_find_all(&job, m, 2);
    scree_job_clear(&job);
    double overlap = 0.2 * cos(sqrt(stiffness / (0.5 * mass)) * time);
    return fabs((2.0 - (m[1].pos[0] - m[0].pos[0])) - overlap);
}

static void check_order(struct mpi_test *t)
{
    double time = 0.4 * acos(-1.0) / sqrt(stiffness / (0.5 * mass)), before = NAN;
    for (int steps = 20; steps <= 160; steps *= 2) {
        double error = error_of(t, steps, time);
        /* Fourth order in the end; the start alone is coarser. */
        if (steps > 20)
            MPI_TEST(t, error < before / 8.0, "%d steps: error %g after %g", steps, error, before);
        before = error;
    }
    MPI_TEST(t, before < 2e-11, "error %g m", before);
}

static void check_restitution(struct mpi_test *t)
{
    struct scree_job job;
    struct job_motion m[2];
    double damping = 2.0, reduced = 0.5 * mass, eta = 0.5 * damping / reduced,
           w = sqrt(stiffness / reduced - eta * eta);
    double dt = acos(-1.0) / w / 400, speed = 0.01;
    struct job_grain grain[2] = {
        {.pos = {-1.0, 0, 0}, .radius = 1, .mass = mass, .vel = {speed, 0, 0}},
        {.pos = {1.0, 0, 0}, .radius = 1, .mass = mass, .vel = {-speed, 0, 0}}};
    if (!open_pair(t, dt, damping, &job)) return;
    job_put(&job, grain, 2);
    job_start(t, &job);
    job_advance(t, &job, 500);
    job_find_all(&job, m, 2);
    scree_job_clear(&job);
    JOB_NEAR(t, "restitution", m[1].vel[0] / speed, exp(-eta * acos(-1.0) / w), 5e-3);
}

/* Pairs that collide obliquely while they spin about all axes, each in another phase of the step
 * when it touches. */
enum { PAIRS = 8 };
static const double contact_time = 0.0993; /* s; of m* = 1 kg and k = 1000 N/m */

struct oblique {
    const char *laws;
    double overlap;  /* m; at the start; 0: each pair has a small gap of its own */
    double contacts; /* duration of the run */
};

static bool open_oblique(struct mpi_test *t, double dt, const struct oblique *o,
                         struct scree_job *job)
{
    char text[1200];
    const double spin[2][3] = {{0.03, -0.02, 0.02}, {0.05, 0.01, -0.03}};
    struct job_grain grain[2 * PAIRS];
    snprintf(text, sizeof text,
             "time: {step: %.17g, steps: 1, integrator: gear}\nmaterials: {m: {density: 1}}\n"
             "domain: {low: [-9, -9, -9], high: [9, 40, 9]}\n"
             "contacts: [{between: [m, m], %s}]\n"
             "particles: [{lattice: {material: m, radius: 1, count: %d}}]\n",
             dt, o->laws, 2 * PAIRS);
    if (!job_open(t, job, job_self(), text, NULL)) return false;
    for (int k = 0; k < 2 * PAIRS; k++) {
        double side = k % 2 == 0 ? 1.0 : -1.0, gap = (k / 2 + 0.3) / PAIRS * 1e-4 - o->overlap;
        grain[k] = (struct job_grain){
            .pos = {(0.8 + 0.5 * gap) * side, 4.0 * (k / 2), 0.6 * side}, .radius = 1, .mass = 2};
        for (int a = 0; a < 3; a++) grain[k].spin[a] = spin[k % 2][a];
        grain[k].vel[0] = -0.05 * side;
    }
    job_put(job, grain, 2 * PAIRS);
    job_start(t, job);
    return true;
}

/* All these grains at the end of a run with so many steps per contact. */
static void collide(struct mpi_test *t, const struct oblique *o, int per_contact,
                    struct job_motion *end)
{
    struct scree_job job;
    if (!open_oblique(t, contact_time / per_contact, o, &job)) return;
    job_advance(t, &job, llround(per_contact * o->contacts));
    job_find_all(&job, end, 2 * PAIRS);
    scree_job_clear(&job);
}

static double largest_difference(const struct job_motion *a, const struct job_motion *b)
{
    double largest = 0.0;
    for (int k = 0; k < 2 * PAIRS; k++)
        for (int c = 0; c < 3; c++)
            largest = fmax(
                largest, fmax(fabs(a[k].vel[c] - b[k].vel[c]), fabs(a[k].spin[c] - b[k].spin[c])));
    return largest;
}

#define SPRINGS  "normal: {law: linear, stiffness: 1e3}, tangential: {law: "
#define DASHPOTS "normal: {law: linear, stiffness: 1e3, damping: 5}, tangential: {damping: 5, law: "
#define STICKS   ", stiffness: 300, friction: 1e6}"
#define SLIDES   ", stiffness: 300, friction: 0.8}"

/* What contacts remember is of second order. Not so the jumps of a loaded spring when its contact
 * opens, and of a dashpot when it closes or opens: these runs are within contacts. There nothing is
 * left but how laws turn springs, of first order with any integrator, and small. */
static const struct oblique collisions[] = {
    {SPRINGS "spring" STICKS, 0.0, 0.85},
    {SPRINGS "spring" SLIDES, 0.0, 1.4},
    {SPRINGS "fazekas" STICKS, 0.0, 0.85},
    {SPRINGS "fazekas" SLIDES, 0.0, 1.4},
    {SPRINGS "kuhn" STICKS, 0.0, 0.85},
    {SPRINGS "kuhn" SLIDES, 0.0, 1.4},
    {SPRINGS "fazekas" STICKS ", rolling: {law: spring, stiffness: 300, friction: 1e6}", 0.0, 0.85},
    {DASHPOTS "spring" STICKS, 1e-3, 0.4},
    {DASHPOTS "fazekas" STICKS, 1e-3, 0.4},
    {DASHPOTS "kuhn" STICKS, 1e-3, 0.4},
    {DASHPOTS "kuhn" STICKS ", rolling: {law: spring, stiffness: 300, damping: 5, friction: 1e6}, "
              "torsion: {law: spring, stiffness: 300, damping: 5, friction: 1e6}",
     1e-3, 0.4},
};
enum { N_COLLISIONS = sizeof collisions / sizeof collisions[0], COARSE = 100, FINE = 800 };

static double order_of(double coarse, double fine)
{
    return log(coarse / fine) / log((double)FINE / COARSE);
}

static void check_history(struct mpi_test *t, const struct oblique *o)
{
    struct job_motion exact[2 * PAIRS], coarse[2 * PAIRS], fine[2 * PAIRS];
    collide(t, o, 16 * FINE, exact);
    collide(t, o, COARSE, coarse);
    collide(t, o, FINE, fine);
    double before = largest_difference(coarse, exact), after = largest_difference(fine, exact);
    double order = order_of(before, after);
    if (getenv("SCREE_TEST_LOUD") != NULL)
        printf("%s\n  errors %.3g, %.3g: order %.2f\n", o->laws, before, after, order);
    if (o->overlap > 0.0)
        MPI_TEST(t, before < 5e-7, "error %g: %s", before, o->laws);
    else
        MPI_TEST(t, order > 1.8, "order %.2f (%g, %g): %s", order, before, after, o->laws);
}

/* Largest closure error of the turnover in such a run. */
static double closure_of(struct mpi_test *t, const struct oblique *o, int per_contact)
{
    enum { SAMPLES = 20 };
    struct scree_job job;
    struct job_energies e;
    double worst = 0.0;
    if (!open_oblique(t, contact_time / per_contact, o, &job)) return NAN;
    for (int k = 1; k <= SAMPLES; k++) {
        job_advance(t, &job, llround(k * per_contact * o->contacts / SAMPLES));
        job_energies(&job, &e);
        worst = fmax(worst, fabs(e.closure) / e.turnover);
    }
    scree_job_clear(&job);
    return worst;
}

static void check_ledger(struct mpi_test *t, const struct oblique *o)
{
    double coarse = closure_of(t, o, COARSE), fine = closure_of(t, o, FINE);
    double order = order_of(coarse, fine);
    if (getenv("SCREE_TEST_LOUD") != NULL)
        printf("  closure %.3g, %.3g: order %.2f\n", coarse, fine, order);
    MPI_TEST(t, order > 0.9, "order %.2f of closure (%g, %g): %s", order, coarse, fine, o->laws);
    MPI_TEST(t, fine < 1e-3, "closure error %g: %s", fine, o->laws);
}

static const char packing[] =
    "time: {step: 1e-3, steps: 1, integrator: gear}\nseed: 4\ngravity: [3, 0, -9.5]\n"
    "background_friction: 0.01\n"
    "domain: {low: [0, 0, 0], high: [8, 6, 7], periodic: [x, y]}\n"
    "materials: {m: {density: 1}}\n"
    "contacts:\n"
    "- between: [m, m]\n"
    "  normal: {law: linear, stiffness: 200, damping: 0.3}\n"
    "%s"
    "boundaries:\n"
    "  floor: {shape: plane, material: m, point: [0, 0, 0], normal: [0, 0, 1]}\n"
    "particles: [{lattice: {material: m, radius: {uniform: [0.3, 0.5]}, spacing: 1, speed: "
    "1.5}}]\n";

static const char *const frictions[] = {
    "  tangential: {law: spring, stiffness: 60, friction: 0.6}\n",
    "  tangential: {law: spring, stiffness: 60, damping: 0.2, friction: 0.6}\n  timing: "
    "half-step\n",
    "  tangential: {law: fazekas, stiffness: 60, damping: 0.2, friction: 0.6, friction_dynamic: "
    "0.4}\n"
    "  rolling: {law: spring, stiffness: 30, damping: 0.1, friction: 0.1}\n"
    "  torsion: {law: spring, stiffness: 30, damping: 0.1, friction: 0.1}\n",
    "  tangential: {law: kuhn, stiffness: 60, damping: 0.2, friction: 0.6}\n  lever: radius\n",
};
enum { N_FRICTIONS = sizeof frictions / sizeof frictions[0] };

/* All ranks rebalance by force. */
static bool open_packing(struct mpi_test *t, struct scree_job *job, struct scree_comm *comm,
                         const char *from, const void *friction)
{
    static const char *const forced[] = {"balance={force_every: 40, bricks_per_rank: 12}", NULL};
    char text[1200];
    snprintf(text, sizeof text, packing, (const char *)friction);
    return job_open_from(t, job, comm, text, comm == t->comm ? forced : NULL, from);
}

int main(int argc, char **argv)
{
    struct mpi_test t;
    mpi_test_begin(&t, &argc, &argv);
    check_order(&t);
    check_restitution(&t);
    for (int k = 0; k < N_COLLISIONS; k++) {
        if (!mpi_test_serial(&t)) continue;
        check_history(&t, &collisions[k]);
        check_ledger(&t, &collisions[k]);
    }
    mpi_test_meet(&t);
    for (int k = 0; k < N_FRICTIONS; k++) bits_check(&t, open_packing, frictions[k], 150, 300);
    return mpi_test_end(&t);
}
