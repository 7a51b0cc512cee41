/* SPDX-License-Identifier: BSD-3-Clause
 * Whole runs as tests: a job from an input text, grains put exactly where a test wants them, and
 * their motion told to all ranks.
 *
 *     if (!job_open(t, &job, t->comm, text, NULL)) return;
 *     job_put(&job, grains, n);          the sample in `text` must have made n grains
 *     job_start(t, &job);
 *     job_advance(t, &job, 100);
 *     struct job_motion m = job_find(&job, 1);
 *     scree_job_clear(&job);
 *
 * All functions are collective over the communicator of the job. */
#ifndef SCREE_JOB_TEST_H
#define SCREE_JOB_TEST_H

#include <math.h>
#include <mpi.h>

#include "mpi_test.h"
#include "scree/job.h"
#include "scree/log.h"

/* A grain to be put; it gets the gid of its place in the array, plus one. */
struct job_grain {
    double pos[3], radius, mass, vel[3], spin[3];
    bool driven;  /* forces do not move it */
    bool upright; /* torques do not turn it */
};

/* What is known of a grain at the present step. */
struct job_motion {
    double pos[3], vel[3], spin[3]; /* true place, not wrapped */
    double force[3], torque[3];     /* from contacts */
    int rank;                       /* of its owner; -1: there is no such grain */
};

/* A machine of one rank, for the same work done alone. */
static inline struct scree_comm job_alone(void)
{
    static MPI_Comm self;
    self = MPI_COMM_SELF;
    return (struct scree_comm){.n_ranks = 1, .mpi = &self};
}

/* The same for jobs that outlive the function that opens them. */
static inline struct scree_comm *job_self(void)
{
    static struct scree_comm self;
    self = job_alone();
    return &self;
}

/* Read and build; `sets` as after --set, NULL-ended, or NULL; `from`: a checkpoint to go on from,
 * or NULL. False, with a failed check, if that is not possible; the job is cleared then. */
static inline bool job_open_from(struct mpi_test *t, struct scree_job *job, struct scree_comm *comm,
                                 const char *text, const char *const *sets, const char *from)
{
    int n_sets = 0;
    while (sets != NULL && sets[n_sets] != NULL) n_sets++;
    scree_log_init(SCREE_LOG_WARNING, t->comm->rank == 0);
    scree_status_clear();
    enum scree_status status = scree_job_read(job, comm, text, strlen(text), "test", n_sets, sets);
    job->restart.path = from;
    if (status == SCREE_OK) status = scree_job_build(job);
    if (status != SCREE_OK && comm->rank == 0) scree_input_print_errors(job->input, stdout);
    bool good = MPI_TEST(t, status == SCREE_OK, "input: %s", scree_status_message());
    if (!good) scree_job_clear(job);
    return good;
}

static inline bool job_open(struct mpi_test *t, struct scree_job *job, struct scree_comm *comm,
                            const char *text, const char *const *sets)
{
    return job_open_from(t, job, comm, text, sets, NULL);
}

/* Between build and start. Positions are rounded to the grid of the box but not wrapped. */
static inline void job_put(struct scree_job *job, const struct job_grain *grain, int n)
{
    struct scree_particles *p = job->run.scene.particles;
    job->run.scene.largest_radius = job->run.scene.largest_mass = 0.0;
    job->run.scene.sample_overlap = INFINITY; /* tests may put them into each other */
    for (int k = 0; k < n; k++) {
        job->run.scene.largest_radius = fmax(job->run.scene.largest_radius, grain[k].radius);
        job->run.scene.largest_mass = fmax(job->run.scene.largest_mass, grain[k].mass);
    }
    for (scree_lid i = 0; i < p->n_owned; i++) {
        const struct job_grain *g = &grain[p->gid[i] - 1];
        if (p->gid[i] > n) SCREE_ABORT("only %d grains given", n);
        double inertia = job->run.scene.inertia_factor * g->mass * (g->radius * g->radius);
        for (int a = 0; a < 3; a++) {
            p->pos[i][a] = scree_box_snap(&job->domain.box, a, g->pos[a]);
            p->vel[i][a] = g->vel[a];
            p->spin[i][a] = g->spin[a];
        }
        p->pos[i][3] = g->radius;
        p->mass[i] = g->mass;
        p->vel[i][3] = g->driven ? 0.0 : 1.0 / g->mass;
        p->spin[i][3] = g->driven || g->upright ? 0.0 : 1.0 / inertia;
    }
}

static inline bool job_start(struct mpi_test *t, struct scree_job *job)
{
    enum scree_status status = scree_job_start(job);
    return MPI_TEST(t, status == SCREE_OK, "start: %s", scree_status_message());
}

/* The energies of md by name: what its lines say. */
struct job_energies {
    double kinetic, rotational, elastic[SCREE_N_LAW_KINDS], gravity, loss[SCREE_N_LOSSES];
    double closure, turnover;
};

static inline struct job_energies job_sort_energies(const struct scree_job *job,
                                                    const struct scree_energies *e)
{
    struct job_energies named = {.closure = e->closure, .turnover = e->turnover};
    const struct scree_energy_line *line = job->run.stepper->lines;
    for (int k = 0; line[k].name != NULL; k++) {
        double *const to[] = {
            [SCREE_ENERGY_KINETIC] = &named.kinetic, [SCREE_ENERGY_ROTATIONAL] = &named.rotational,
            [SCREE_ENERGY_ELASTIC] = named.elastic,  [SCREE_ENERGY_GRAVITY] = &named.gravity,
            [SCREE_ENERGY_LOST] = named.loss,        [SCREE_ENERGY_WORK] = named.loss};
        to[line[k].kind][line[k].channel] = e->value[k];
    }
    return named;
}

/* The closure as a part of the turnover. */
static inline double job_closure(const struct job_energies *e)
{
    return e->turnover > 0.0 ? e->closure / e->turnover : 0.0;
}

static inline void job_energies(struct scree_job *job, struct job_energies *energies)
{
    struct scree_energies lines;
    job->run.stepper->energies(job->run.state, &job->run.scene, &lines);
    *energies = job_sort_energies(job, &lines);
}

/* Counts as a check only if it fails, since tests may call it in every step. energies: the ledger
 * at the end, or NULL. */
static inline bool job_advance_for(struct mpi_test *t, struct scree_job *job, int64_t step,
                                   struct job_energies *energies)
{
    struct scree_energies lines = {.closure = 0.0};
    enum scree_status status = scree_run_advance(&job->run, step, energies != NULL ? &lines : NULL);
    if (energies != NULL) *energies = job_sort_energies(job, &lines);
    return status == SCREE_OK || MPI_TEST(t, false, "run: %s", scree_status_message());
}

static inline bool job_advance(struct mpi_test *t, struct scree_job *job, int64_t step)
{
    return job_advance_for(t, job, step, NULL);
}

enum { JOB_MOTION_VALUES = 16 };

static inline void job_look(const struct scree_job *job, scree_lid i, double *values)
{
    const struct scree_particles *p = job->run.scene.particles;
    job->run.stepper->velocity(job->run.state, &job->run.scene, i, values + 3, values + 6);
    for (int a = 0; a < 3; a++) {
        values[a] = p->pos[i][a];
        if (job->domain.box.periodic[a]) values[a] += p->image[i][a] * job->domain.box.length[a];
    }
    job->run.stepper->load(job->run.state, &job->run.scene, i, values + 9, values + 12);
    values[15] = job->comm->rank;
}

/* The motion of grains 1 ... n. */
static inline void job_find_all(struct scree_job *job, struct job_motion *motion, int n)
{
    const struct scree_particles *p = job->run.scene.particles;
    size_t n_values = (size_t)n * JOB_MOTION_VALUES;
    double *values = scree_alloc(n_values, sizeof(double));
    for (size_t k = 0; k < n_values; k++) values[k] = -INFINITY;
    for (scree_lid i = 0; i < p->n_owned; i++)
        if (p->gid[i] <= n) job_look(job, i, values + (p->gid[i] - 1) * JOB_MOTION_VALUES);
    scree_comm_max(job->comm, values, (int)n_values);
    for (int k = 0; k < n; k++) {
        const double *v = values + (ptrdiff_t)k * JOB_MOTION_VALUES;
        memcpy(&motion[k], v, 15 * sizeof(double));
        motion[k].rank = v[15] >= 0.0 ? (int)v[15] : -1;
    }
    scree_alloc_free(values);
}
_Static_assert(offsetof(struct job_motion, rank) == 15 * sizeof(double), "plain doubles before");

/* Sum of the contact forces on all grains, in quanta; with walls: on the walls as well. */
static inline void job_force_sum(struct scree_job *job, bool with_walls, struct scree_wide sum[3])
{
    const struct scree_particles *p = job->run.scene.particles;
    for (int a = 0; a < 3; a++) {
        sum[a] = (struct scree_wide){0, 0};
        for (scree_lid i = 0; i < p->n_owned; i++) scree_wide_add(&sum[a], p->load[i][a]);
        for (int w = 0; with_walls && w < job->walls.n; w++)
            scree_wide_merge(&sum[a], job->walls.wall[w].force[a]);
    }
    scree_comm_sum_wide(job->comm, sum, 3);
}

static inline bool job_is_balanced(struct scree_job *job, bool with_walls)
{
    struct scree_wide sum[3];
    job_force_sum(job, with_walls, sum);
    return scree_wide_is_zero(sum[0]) && scree_wide_is_zero(sum[1]) && scree_wide_is_zero(sum[2]);
}

/* Grain-grain contacts and grain-wall contacts at the last evaluation. */
static inline void job_count_contacts(struct scree_job *job, int64_t count[2])
{
    double here[2];
    scree_contacts_count(job->run.scene.contacts, &here[0], &here[1]);
    count[0] = (int64_t)(2.0 * here[0]);
    count[1] = (int64_t)here[1];
    scree_comm_sum_int(job->comm, count, 2);
    count[0] /= 2;
}

/* |a - b| against a tolerance, with both numbers in the message. */
static inline bool job_near(struct mpi_test *t, const char *file, int line, const char *what,
                            double value, double expected, double tolerance)
{
    return mpi_test_check(t, fabs(value - expected) <= tolerance, file, line,
                          "%s is %.12g, expected %.12g within %g", what, value, expected,
                          tolerance);
}
#define JOB_NEAR(t, what, value, expected, tolerance) \
    job_near((t), __FILE__, __LINE__, (what), (value), (expected), (tolerance))

#endif
