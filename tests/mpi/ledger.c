/* SPDX-License-Identifier: BSD-3-Clause
 * The energy ledger of gases with all kinds of contacts: how well it closes, in which order of the
 * step, and the same bits on any number of ranks. A new law gets a line in the table. */
#include "job_test.h"

enum { SAMPLES = 64 };

/* A gas of 125 grains of diameter 0.8 to 1, mass about 0.4, speed 1, in a periodic box; each grain
 * collides a few times. */
static const char gas[] = "time: {step: 1e-3, steps: 1}\nseed: 4\nmaterials: {m: {density: 1}}\n"
                          "domain: {low: [0, 0, 0], high: [5.8, 5.8, 5.8], periodic: [x, y, z]}\n"
                          "particles: [{lattice: {material: m, radius: {uniform: [0.4, 0.5]}, "
                          "speed: 1, spin: 1, count: 125}}]\n";

struct outcome {
    double worst; /* largest closure error / turnover */
    double other; /* likewise, of energies asked for in advance from those asked for afterwards */
    struct job_energies end;
};

static double difference(const struct job_energies *a, const struct job_energies *b)
{
    double most = fmax(fabs(a->kinetic - b->kinetic), fabs(a->rotational - b->rotational));
    most = fmax(most, fabs(a->closure - b->closure));
    for (int part = 0; part < SCREE_N_LAW_KINDS; part++)
        most = fmax(most, fabs(a->elastic[part] - b->elastic[part]));
    return most / b->turnover;
}

static struct outcome run(struct mpi_test *t, struct scree_comm *comm, const char *contact,
                          double per_contact, double duration)
{
    char text[2000], step[64];
    const char *sets[] = {step, NULL};
    struct scree_job job;
    struct outcome o = {.worst = 0.0};
    struct scree_law_case c = {.m_eff = 0.19, .r_eff = 0.225, .speed = 1.0};
    struct scree_law_estimate e;
    snprintf(text, sizeof text, "%scontacts: [{between: [m, m], %s}]\n", gas, contact);
    if (!job_open(t, &job, comm, text, NULL)) return o;
    scree_pair_law_estimate(scree_laws_between(&job.laws, 0, 0), &c, &e);
    scree_job_clear(&job);
    /* Plastic contacts last longer than a swing of their stiff branch, which steps must resolve. */
    double time = strstr(contact, "hysteretic") != NULL
                      ? acos(-1.0) * sqrt(c.m_eff / e.normal_slope)
                      : e.contact_time;
    snprintf(step, sizeof step, "time.step=%.17g", time / per_contact);
    if (!job_open(t, &job, comm, text, sets)) return o;
    job_start(t, &job);
    for (int k = 1; k <= SAMPLES; k++) {
        struct job_energies asked;
        job_advance_for(t, &job, (int64_t)(k * duration / SAMPLES / job.run.scene.dt), &asked);
        job_energies(&job, &o.end);
        o.other = fmax(o.other, difference(&asked, &o.end));
        o.worst = fmax(o.worst, fabs(job_closure(&o.end)));
    }
    scree_job_clear(&job);
    return o;
}

static const struct {
    const char *contact;
    double closure; /* elastic: at 200 steps per contact; else at 50 */
    bool elastic;
} table[] = {
    {"normal: {law: linear, stiffness: 1e3}", 1e-5, true},
    {"normal: {law: linear, stiffness: 100}", 1e-5, true},
    {"normal: {law: linear, stiffness: 1e3, restitution: 0.8}", 1e-3, false},
    {"normal: {law: linear, stiffness: 1e3, restitution: 0.8, tension: clip}", 1e-3, false},
    {"normal: {law: linear, stiffness: 1e3}, tangential: {law: spring, stiffness: 300, "
     "friction: 0.5}",
     1e-3, false},
    {"normal: {law: linear, stiffness: 1e3, restitution: 0.8}, tangential: {law: spring, "
     "stiffness: 300, damping: 1, friction: 0.5, friction_dynamic: 0.3}, lever: radius",
     1e-3, false},
    {"normal: {law: linear, stiffness: 1e3}, tangential: {law: spring, stiffness: 300, "
     "friction: 1e6}",
     2e-3, false},
    {"normal: {law: linear, stiffness: 1e3}, tangential: {law: spring, stiffness: 300, "
     "friction: 1e6}, rolling: {law: spring, stiffness: 200, damping: 0.5, friction: 1e6}, "
     "torsion: {law: spring, stiffness: 200, friction: 1e6}",
     4e-3, false},
    {"normal: {law: power, stiffness: 1e4}", 1e-5, true},
    {"normal: {law: power, stiffness: 1e4, exponent: 2}", 1e-5, true},
    {"normal: {law: power, stiffness: 1e4, damping: 50}", 1e-3, false},
    {"normal: {law: power, stiffness: 1e4, damping: 50, exponent: 1.3}", 1e-3, false},
    {"normal: {law: hertz, young: 3e4, poisson: 0.3}", 1e-5, true},
    {"normal: {law: hertz, young: 3e3, poisson: 0.3}", 1e-5, true},
    {"normal: {law: hertz, young: 3e4, poisson: 0.3, restitution: 0.8}", 1e-3, false},
    {"normal: {law: hertz, young: 3e4, poisson: 0.3, restitution: 0.8, tension: clip}", 1e-3,
     false},
    {"normal: {law: hertz, young: 3e4, poisson: 0.3, restitution: 0.3}", 2e-3, false},
    {"normal: {law: hertz, young: 3e4, poisson: 0.3, viscous_time: 5e-3}", 1e-3, false},
    {"normal: {law: hertz, young: 3e4, poisson: 0.3, viscous_time: 5e-3}, timing: half-step", 1e-2,
     false},
    {"normal: {law: hertz, young: 3e4, poisson: 0.3}, tangential: {law: mindlin, friction: "
     "1e6}",
     2e-3, false},
    {"normal: {law: hysteretic, stiffness: 1e3, stiffness_unloading: 1e3}", 1e-5, true},
    {"normal: {law: hysteretic, stiffness: 1e3, stiffness_unloading: 3e3}", 1e-3, false},
    {"normal: {law: hysteretic, stiffness: 1e3, stiffness_unloading: 3e3, cohesion: 500}", 1e-3,
     false},
    {"normal: {law: hysteretic, stiffness: 1e3, stiffness_unloading: 3e3, cohesion: 500, "
     "plastic_depth: 0.05, damping: 1.1}, tangential: {law: spring, stiffness: 300, friction: "
     "0.5}",
     1e-3, false},
    {"normal: {law: hysteretic, stiffness: 1e3, stiffness_unloading: 3e3, cohesion: 500}, "
     "timing: half-step",
     1e-3, false},
    {"normal: {law: dmt, young: 3e4, poisson: 0.3, adhesion: 0.1, viscous_time: 5e-3}, "
     "tangential: {law: spring, stiffness: 300, friction: 0.5}",
     1e-3, false},
    {"normal: {law: linear, stiffness: 1e3}, tangential: {law: fazekas, stiffness: 300, "
     "friction: 0.5}",
     1e-3, false},
    {"normal: {law: linear, stiffness: 1e3}, tangential: {law: kuhn, stiffness: 300, friction: "
     "0.5}",
     1e-3, false},
    {"normal: {law: hertz, young: 3e4, poisson: 0.3, restitution: 0.8}, tangential: {law: "
     "mindlin, friction: 0.5}",
     1e-3, false},
    {"normal: {law: hertz, young: 3e4, poisson: 0.3, restitution: 0.8}, tangential: {law: "
     "mindlin, restitution: 0.8, friction: 0.5}",
     2e-3, false},
    {"normal: {law: hertz, young: 3e4, poisson: 0.3, restitution: 0.8}, tangential: {law: "
     "mindlin, friction: 0.5, history: displacement, unloading: keep}",
     1e-3, false},
    {"normal: {law: linear, stiffness: 1e3}, tangential: {law: kuhn, stiffness: 300, friction: "
     "0.5}, rolling: {law: spring, stiffness: 200, friction: 0.2}, torsion: {law: spring, "
     "stiffness: 200, damping: 0.3, friction: 0.2}",
     1e-3, false},
    {"normal: {law: linear, stiffness: 1e3}, tangential: {law: kuhn, stiffness: 300, friction: "
     "0.5}, timing: half-step, lever: radius",
     1e-3, false},
    {"normal: {law: hertz, young: 3e4, poisson: 0.3}, tangential: {law: mindlin, friction: "
     "0.5}, timing: half-step, lever: radius",
     1e-3, false},
};
enum { N_LAWS = sizeof table / sizeof table[0] };

/* Springs that keep their length as they become stiffer are known to make energy. */
static bool may_gain(int k, int channel)
{
    return channel == SCREE_LOSS_STIFFNESS && strstr(table[k].contact, "displacement") != NULL;
}

/* Elastic contacts lose nothing, however deep; no channel gains. */
static void check_losses(struct mpi_test *t, int k, const struct job_energies *e)
{
    double lost = 0.0;
    for (int c = 0; c < SCREE_N_LOSSES; c++) {
        lost += e->loss[c];
        bool gains = e->loss[c] < -1e-6 * e->turnover;
        MPI_TEST(t, gains == may_gain(k, c), "%s: %g by %s", table[k].contact, e->loss[c],
                 scree_loss_name((enum scree_loss)c));
    }
    if (table[k].elastic)
        MPI_TEST(t, lost == 0.0, "%s: lost %g", table[k].contact, lost);
    else
        MPI_TEST(t, lost > 0.1 * e->turnover, "%s: lost only %g", table[k].contact, lost);
}

/* Elastic gases close to 1e-5 at 200 steps per contact, others to 1e-3 at 50, and better with
 * smaller steps. More is left by dashpots with velocities of half steps, which are not those that
 * their forces meet; by very strong ones, whose force jumps when grains touch, so that the velocity
 * that was predicted without it is off by half a step's worth; and by springs that no friction
 * limits: these are still loaded when their contact opens, at some moment within a step. */
static void check_closure(struct mpi_test *t, int k)
{
    const bool elastic = table[k].elastic;
    struct outcome coarse = run(t, t->comm, table[k].contact, elastic ? 100 : 50, 2.0);
    struct outcome fine = run(t, t->comm, table[k].contact, 200, 2.0);
    double error = elastic ? fine.worst : coarse.worst;
    if (getenv("SCREE_TEST_LOUD") != NULL)
        printf("closure %.2g, %.2g: %s\n", coarse.worst, fine.worst, table[k].contact);
    MPI_TEST(t, error < table[k].closure, "closure error %.2g: %s", error, table[k].contact);
    MPI_TEST(t, coarse.worst > 1.8 * fine.worst, "closure error %.2g, smaller steps %.2g: %s",
             coarse.worst, fine.worst, table[k].contact);
    MPI_TEST(t, fine.other < 1e-7, "asked in advance other by %.2g: %s", fine.other,
             table[k].contact);
    check_losses(t, k, &fine.end);
}

static void check_same_bits(struct mpi_test *t, int k)
{
    struct outcome alone = {.worst = NAN};
    if (t->comm->rank == 0) alone = run(t, job_self(), table[k].contact, 50, 0.3);
    mpi_test_tell(t, &alone, sizeof alone);
    struct outcome here = run(t, t->comm, table[k].contact, 50, 0.3);
    MPI_TEST(t,
             memcmp(&alone.end, &here.end, sizeof alone.end) == 0 && alone.worst == here.worst &&
                 alone.other == here.other,
             "%s: another ledger than alone", table[k].contact);
}

int main(int argc, char **argv)
{
    struct mpi_test t;
    mpi_test_begin(&t, &argc, &argv);
    for (int k = 0; k < N_LAWS; k++) {
        check_same_bits(&t, k);
        if (t.comm->n_ranks == 1) check_closure(&t, k);
    }
    return mpi_test_end(&t);
}
