/* SPDX-License-Identifier: BSD-3-Clause
 * Stages on a single grain, whose motion is known: gravity that changes, drag, conditions that are
 * met in a step that can be computed, grains that come later, radii that grow; on any number of
 * ranks, and with nothing left behind. */
#include "job_test.h"
#include "scree/alloc.h"

static const char head[] =
    "time: {step: 5e-4%s}\ngravity: [0, 0, -10]\nbalance: {method: hilbert, force_every: 77}\n"
    "domain: {low: [-1, -1, -20], high: [1, 1, 20]}\nmaterials: {m: {density: 1000}}\n"
    "contacts: [{between: [m, m], normal: {law: linear, stiffness: 1e4, damping: 1}}]\n"
    "boundaries: {lid: {shape: plane, material: m, point: [0, 0, 15], normal: [0, 0, -1]}, "
    "floor: {shape: plane, material: m, point: [0, 0, -20], normal: [0, 0, 1]}}\n"
    "output: {progress: 1000, series: {steps: 0}}\n"
    "particles: [{lattice: {material: m, radius: 0.01, count: 1, low: [0, 0, 0], high: [0.1, 0.1, "
    "0.1]}}]\n";

static const struct job_grain one = {.radius = 0.01, .mass = 1.0, .pos = {0.0, 0.0, 0.0}};

static bool run(struct mpi_test *t, struct scree_job *job, const char *stop, const char *stages)
{
    char input[3000];
    double seconds;
    int n = snprintf(input, sizeof input, head, stop);
    snprintf(input + n, sizeof input - (size_t)n, "%s", stages);
    if (!job_open(t, job, t->comm, input, NULL)) return false;
    job_put(job, &one, 1);
    if (!job_start(t, job)) return false;
    enum scree_status status = scree_job_run(job, NULL, &seconds);
    return MPI_TEST(t, status == SCREE_OK, "run: %s", scree_status_message());
}

static void expect_end(struct mpi_test *t, const struct scree_job *job, int k, int64_t last,
                       enum scree_stage_end end)
{
    const struct scree_stage *stage = &job->stages.stage[k];
    MPI_TEST(t, stage->last == last && stage->end == (int64_t)end,
             "stage '%s' ends at step %lld by '%s', expected %lld by '%s'", stage->name,
             (long long)stage->last, scree_stages_end_word(stage->end), (long long)last,
             scree_stages_end_word(end));
}

/* Down for 0.5 s, straight on until z < -3.5, up again until it is slower than 0.1 m/s. */
static void check_motion(struct mpi_test *t)
{
    struct scree_job job;
    if (!run(
            t, &job, "",
            "stages:\n"
            "  - {name: fall, until: {time: 0.5}}\n"
            "  - {name: glide, gravity: [0, 0, 0], until: {grains: {point: [0, 0, -3.5], "
            "normal: [0, 0, -1], at_least: 1}, check: 7, at_most: {time: 1}}}\n"
            "  - {name: brake, gravity: [0, 0, 5], until: {speed: 0.1, check: 3, "
            "at_most: {time: 2}}}\n"
            "  - {name: never, gravity: [0, 0, 0], until: {speed: 1e-9, at_most: {time: 0.01}}}\n"))
        return;
    /* z = -1.25 - 5 t passes -3.5 after 0.45 s = 900 steps; looked at every 7. */
    int64_t fall = 1000, glide = fall + 903, brake = glide + 1962;
    expect_end(t, &job, 0, fall, SCREE_STAGE_TIME);
    expect_end(t, &job, 1, glide, SCREE_STAGE_CONDITIONS);
    expect_end(t, &job, 2, brake, SCREE_STAGE_CONDITIONS);
    expect_end(t, &job, 3, brake + 20, SCREE_STAGE_BOUND);
    MPI_TEST(t, scree_run_step(&job.run) == job.run.n_steps, "%lld steps",
             (long long)job.run.n_steps);
    struct job_motion m;
    job_find_all(&job, &m, 1);
    double v = -5.0 + 5.0 * 0.981;
    JOB_NEAR(t, "velocity", m.vel[2], v, 1e-9);
    JOB_NEAR(t, "height", m.pos[2],
             -1.25 - 5.0 * 0.4515 - 5.0 * 0.981 + 2.5 * 0.981 * 0.981 + v * 0.01, 1e-6);
    struct job_energies e;
    job_energies(&job, &e);
    MPI_TEST(t, fabs(e.closure) < 1e-10, "closure %g J", e.closure);
    scree_job_clear(&job);
}

/* A wall that is driven anew: v in the first stage, nothing, then from where it was. */
static void check_wall(struct mpi_test *t)
{
    struct scree_job job;
    if (!run(t, &job, "",
             "stages:\n"
             "  - {until: {wall: lid, displacement: 0.25, check: 10, at_most: {time: 9}}, "
             "boundaries: {lid: {velocity: [0, 0, -1]}}, gravity: [0, 0, 0]}\n"
             "  - {until: {steps: 50}, boundaries: {lid: fixed}}\n"
             "  - {until: {wall: lid, shear: 0.01, check: 10, at_most: {time: 9}}, "
             "boundaries: {lid: {move: {direction: [1, 0, 0], rate: 2}}}}\n"))
        return;
    expect_end(t, &job, 0, 500, SCREE_STAGE_CONDITIONS);
    expect_end(t, &job, 1, 550, SCREE_STAGE_TIME);
    /* 0.01 of the 34.75 from the bottom of the domain to the lid: 0.3475 at 2 m/s, looked at every
     * 10 steps */
    expect_end(t, &job, 2, 550 + 350, SCREE_STAGE_CONDITIONS);
    JOB_NEAR(t, "height of the lid", job.walls.wall[0].offset[2], -0.25, 1e-12);
    JOB_NEAR(t, "way of the lid", job.walls.wall[0].offset[0], 0.35, 1e-12);
    scree_job_clear(&job);
}

/* More grains, larger grains, and a run that ends early. */
static void check_grains(struct mpi_test *t)
{
    struct scree_job job;
    if (!run(t, &job,
             ", stop: {grains: {point: [0, 0, -1], normal: [0, 0, -1], at_least: 3}, "
             "check: 10}",
             "stages:\n"
             "  - {until: {steps: 100}}\n"
             "  - {name: add, repeat: 3, until: {steps: 200}, particles: [{random: {count: 4, "
             "material: m, radius: 0.02, low: [-1, -1, 0.2], high: [1, 1, 0.26]}}]}\n"
             "  - {name: grow, until: {time: 1}, scale_radii: 1.5}\n"))
        return;
    MPI_TEST(t, job.run.n_grains == 13, "%lld grains", (long long)job.run.n_grains);
    expect_end(t, &job, 3, 700, SCREE_STAGE_TIME);
    MPI_TEST(t, strcmp(job.stages.stage[3].name, "add-3") == 0, "it is named '%s'",
             job.stages.stage[3].name);
    MPI_TEST(t, job.stages.stage[4].end == SCREE_STAGE_STOP, "ended by '%s'",
             scree_stages_end_word(job.stages.stage[4].end));
    JOB_NEAR(t, "largest radius", job.run.scene.largest_radius, 0.03, 1e-15);
    JOB_NEAR(t, "largest mass", job.run.scene.largest_mass, 3.375,
             1e-12); /* the one that was put */
    struct job_energies e;
    job_energies(&job, &e);
    MPI_TEST(t, fabs(job_closure(&e)) < 1e-9, "closure %g", job_closure(&e));
    scree_job_clear(&job);
}

int main(int argc, char **argv)
{
    struct mpi_test t;
    mpi_test_begin(&t, &argc, &argv);
    size_t before = scree_alloc_in_use();
    check_motion(&t);
    check_wall(&t);
    check_grains(&t);
    MPI_TEST(&t, scree_alloc_in_use() == before, "%zu bytes are left behind",
             scree_alloc_in_use() - before);
    return mpi_test_end(&t);
}
