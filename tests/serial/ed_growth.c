/* SPDX-License-Identifier: BSD-3-Clause
 * Event-driven grains that grow (Lubachevsky and Stillinger): the solid fraction asked for is
 * reached to rounding and nobody overlaps; a gas made so has the pressure of Carnahan and Starling;
 * grown fast until they jam, spheres fill about 0.64. The pair function where radii grow or the box
 * is sheared: touch at the time found, from both sides and through images. */
#include "../../src/ed/ed_impl.h"
#include "../../src/ed/pair.h"
#include "job_test.h"
#include "scree/rng.h"

static const double pi = 3.14159265358979323846;

static bool open_growth(struct mpi_test *t, const char *events, const char *more, double speed,
                        struct scree_job *job)
{
    char text[1000];
    snprintf(
        text, sizeof text,
        "method: ed\ntime: {step: 0.05, steps: 1}\nseed: 4\nmaterials: {m: {density: 2}}\n"
        "domain: {low: [0, 0, 0], high: [10, 10, 10], periodic: [x, y, z]}\n"
        "contacts: [{between: [m, m], rigid: {restitution: 1}}]\nevents: {%s}\n"
        "particles: [{random: {count: 540, material: m, radius: {uniform: [%s]}, speed: %g}}]\n",
        events, more, speed);
    return job_open(t, job, job_self(), text, NULL) && job_start(t, job);
}

/* Solid fraction; nobody overlaps, masses follow radii, no energy is lost track of. */
static double look(struct mpi_test *t, struct scree_job *job, double *kinetic)
{
    struct scree_ed *ed = job->run.state;
    const struct scree_particles *p = job->run.scene.particles;
    struct scree_energies e;
    double depth, solid = 0.0, time = scree_run_time(&job->run) - ed->epoch, worst = 0.0;
    int64_t gid[2];
    scree_ed_lists_worst(ed->engine, time, &depth, gid);
    MPI_TEST(t, depth < 1e-12, "grains %lld and %lld overlap by %g", (long long)gid[0],
             (long long)gid[1], depth);
    for (scree_lid i = 0; i < p->n_owned; i++) {
        double volume = 4.0 / 3.0 * pi * pow(p->pos[i][3], 3.0);
        solid += volume / 1000.0;
        worst = fmax(worst, fabs(p->mass[i] / (2.0 * volume) - 1.0));
    }
    if (ed->growth == 0.0) MPI_TEST(t, worst < 1e-12, "masses differ from densities by %g", worst);
    job->run.stepper->energies(job->run.state, &job->run.scene, &e);
    MPI_TEST(t, fabs(scree_energies_error(&e)) < 1e-12, "energy drifts by %g",
             scree_energies_error(&e));
    *kinetic = e.value[0];
    return solid;
}

/* Two sizes hardly differ from one in the pressure, so equal spheres are asked. */
static void check_density(struct mpi_test *t)
{
    struct scree_job job;
    double kinetic, value[2][SCREE_FIGURES], nu = 0.4, out = 1.0 - nu;
    if (!open_growth(t, "growth: 0.05, solid_fraction: 0.4, rest: false", "0.5, 0.5", 1.0, &job))
        return;
    job_advance(t, &job, 40);
    double solid = look(t, &job, &kinetic);
    MPI_TEST(t, solid > 0.29 && solid < 0.4, "on the way the solid fraction is %g", solid);
    job_advance(t, &job, 80);
    solid = look(t, &job, &kinetic);
    MPI_TEST(t, fabs(solid / nu - 1.0) < 1e-12, "solid fraction %.15g", solid);
    job.run.stepper->measure(job.run.state, &job.run.scene, value[0]);
    job_advance(t, &job, MPI_TEST_SANITIZED ? 100 : 200);
    job.run.stepper->measure(job.run.state, &job.run.scene, value[1]);
    double time = (MPI_TEST_SANITIZED ? 20 : 120) * 0.05;
    double z = (value[1][5] - value[0][5]) / time * 1000.0 / (2.0 / 3.0 * kinetic);
    double wanted = 4.0 * nu * (1.0 - 0.5 * nu) / (out * out * out);
    MPI_TEST(t, fabs(z / wanted - 1.0) < 0.02, "pressure %g, expected %g within 2 %%", z, wanted);
    scree_job_clear(&job);
}

static void check_jam(struct mpi_test *t)
{
    struct scree_job job;
    double kinetic;
    if (!open_growth(t, "growth: 0.05, reduced_pressure: 1e6", "0.45, 0.55", 1.0, &job)) return;
    job_advance(t, &job, 400);
    struct scree_ed *ed = job.run.state;
    double solid = look(t, &job, &kinetic);
    MPI_TEST(t, ed->pressure >= 1e6 && kinetic == 0.0, "pressure %g, energy %g", ed->pressure,
             kinetic);
    MPI_TEST(t, fabs(solid - 0.64) < 0.015, "grains jam at %g", solid);
    scree_job_clear(&job);
}

static void check_too_far(struct mpi_test *t)
{
    const char *part = "grains that grow jam at a solid fraction of 0.";
    struct scree_job job;
    if (!open_growth(t, "growth: 0.3, solid_fraction: 0.7", "0.5, 0.5", 1.0, &job)) return;
    enum scree_status status = job.run.stepper->advance(job.run.state, &job.run.scene, 400, NULL);
    MPI_TEST(t, status == SCREE_PHYSICS && strstr(scree_status_message(), part) != NULL,
             "expected '%s', not: %s", part, scree_status_message());
    scree_job_clear(&job);
}

static double uniform(int k, int what)
{
    const struct scree_rng_key key = {.seed = 9, .gid = k, .purpose = SCREE_RNG_POSITION};
    return 2.0 * scree_rng_uniform(&key, (uint32_t)what) - 1.0;
}

/* Random pairs in a world that is driven. */
static void check_pairs(struct mpi_test *t, double growth, double shear)
{
    struct scree_ed_world w;
    const double low[3] = {0, 0, 0}, high[3] = {40, 40, 40};
    const bool periodic[3] = {true, true, true};
    int met = 0;
    double worst = 0.0;
    memset(&w, 0, sizeof w);
    scree_box_init(&w.box, 3, low, high, periodic);
    scree_ed_world_init(&w);
    w.growth = growth;
    w.shear = w.flow[0][1] = shear;
    w.shape[0][1] = 0.3;
    w.back[0][1] = -0.3;
    for (int k = 0; k < 2000; k++) {
        struct scree_ed_view view = {.ti = 0.2 + 0.1 * uniform(k, 0), .tj = 0.2, .reach2 = 1.0};
        struct scree_ed_view turned = {.ti = view.tj, .tj = view.ti, .reach2 = 1.0};
        for (int a = 0; a < 3; a++) {
            view.apart[a] = 3.0 * uniform(k, 1 + a);
            view.vi[a] = turned.vj[a] = 3.0 * uniform(k, 4 + a);
            view.vj[a] = turned.vi[a] = 3.0 * uniform(k, 7 + a);
            turned.apart[a] = -view.apart[a];
        }
        double when = scree_ed_driven_meeting(&view, &w), way[2][3], v[3], apart[3], d[3];
        MPI_TEST(t, when == scree_ed_driven_meeting(&turned, &w), "pair %d: another time", k);
        if (!(when < INFINITY)) continue;
        scree_ed_flight(&w, view.vi, view.ti, when, way[0], v);
        scree_ed_flight(&w, view.vj, view.tj, when, way[1], v);
        for (int a = 0; a < 3; a++) apart[a] = view.apart[a] + way[1][a] - way[0][a];
        scree_ed_branch(&w, apart, when, d);
        double gap = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) - (1.0 + growth * when);
        if (when > 0.31) { /* the others overlap at first */
            worst = fmax(worst, fabs(gap));
            met++;
        }
    }
    MPI_TEST(t, met > 40 && worst < 1e-12, "growth %g, shear %g: %d meet, at gaps of %g", growth,
             shear, met, worst);
}

int main(int argc, char **argv)
{
    struct mpi_test t;
    mpi_test_begin(&t, &argc, &argv);
    check_density(&t);
    check_jam(&t);
    check_too_far(&t);
    check_pairs(&t, 0.1, 0.0);
    check_pairs(&t, 5.0, 0.0);
    check_pairs(&t, 0.0, 0.8);
    return mpi_test_end(&t);
}
