/* SPDX-License-Identifier: BSD-3-Clause
 * The command fclib: contact problems in files, of others and of our own runs. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli.h"
#include "scree/alloc.h"
#include "scree/hdf5_fclib.h"
#include "scree/input.h"
#include "scree/job.h"
#include "scree/log.h"
#include "scree/retry.h"

/* A word of a list, or a message with the closest; -1 then. */
static int find_word(const char *option, const char *word, const char *const *words)
{
    char all[256] = "";
    for (int k = 0; words[k] != NULL; k++) {
        size_t used = strlen(all);
        if (strcmp(word, words[k]) == 0) return k;
        snprintf(all + used, sizeof all - used, "%s%s", k > 0 ? ", " : "", words[k]);
    }
    const char *closest = scree_suggest(word, words);
    if (closest != NULL)
        (void)SCREE_FAIL(SCREE_INPUT, "%s: unknown word '%s'; did you mean '%s'? (%s)", option,
                         word, closest, all);
    else
        (void)SCREE_FAIL(SCREE_INPUT, "%s: unknown word '%s'; there are %s", option, word, all);
    return -1;
}

static enum scree_status read_count(const char *option, const char *text, int64_t least,
                                    int64_t *count)
{
    char *end = NULL;
    long long value = strtoll(text, &end, 10);
    SCREE_CHECK(end != text && *end == '\0' && value >= least && value <= 2000000000, SCREE_INPUT,
                "%s: expected a whole number from %lld on, got '%s'", option, (long long)least,
                text);
    *count = value;
    return SCREE_OK;
}

struct wish {
    const struct scree_cones_solver *solver;
    struct scree_cones_request request;
};

static enum scree_status read_wish(const struct scree_cli *cli, struct wish *wish)
{
    int solver = 0, measure = SCREE_CONES_FCLIB;
    char *end = NULL;
    double tolerance = cli->tolerance != NULL ? strtod(cli->tolerance, &end) : 1e-6;
    if (cli->solver != NULL) solver = find_word("--solver", cli->solver, scree_cones_solver_names);
    if (solver < 0) return SCREE_INPUT;
    if (cli->measure != NULL) measure = find_word("--measure", cli->measure, scree_cones_measures);
    if (measure < 0) return SCREE_INPUT;
    SCREE_CHECK(end == NULL ||
                    (*end == '\0' && end != cli->tolerance && tolerance > 0.0 && tolerance < 1.0),
                SCREE_INPUT, "--tolerance: expected a number between 0 and 1, got '%s'",
                cli->tolerance);
    int64_t most = 20000;
    if (cli->most != NULL) SCREE_TRY(read_count("--most", cli->most, 1, &most));
    wish->solver = scree_cones_solver_at(solver);
    wish->request = (struct scree_cones_request){
        .measure = (enum scree_cones_measure)measure, .tolerance = tolerance, .most = most};
    return SCREE_OK;
}

static void print_problem(const char *path, const struct scree_fclib *file,
                          const struct scree_cones *cones)
{
    double least = INFINITY, most = 0.0;
    for (size_t k = 0; k < file->n; k++) {
        least = fmin(least, file->limit[k][0]);
        most = fmax(most, file->limit[k][0]);
    }
    printf("problem: %s\n", path);
    if (file->title[0] != '\0') printf("title: %s\n", file->title);
    printf("contacts: %zu with %d components, friction %g", file->n, file->dim, least);
    if (most > least) printf(" to %g", most);
    if (file->is_local)
        printf("; local: W with %zu blocks\n", cones->start[cones->n]);
    else
        printf("; global: %lld degrees of freedom, W with %zu blocks\n",
               (long long)file->bodies.m.n_rows, cones->start[cones->n]);
}

static double norm(const double *v, size_t n)
{
    double sum = 0.0;
    for (size_t k = 0; k < n; k++) sum += v[k] * v[k];
    return sqrt(sum);
}

static void print_outcome(const struct wish *wish, const struct scree_cones *cones,
                          const struct scree_cones_outcome *o, const double *r, double seconds,
                          double cpu)
{
    const char *const *names = scree_cones_measures;
    printf("solver: %s, %s: %lld iterations", wish->solver->name,
           o->converged ? "solved" : "not solved", (long long)o->iterations);
    if (o->systems > 0) printf(", %lld systems of equations", (long long)o->systems);
    printf(", %.4g s, %.4g s of CPU\nresidual:", seconds, cpu);
    for (int k = 0; k < SCREE_CONES_MEASURES; k++)
        printf("%s %s %.4g", k > 0 ? "," : "", names[k], o->residual[k]);
    printf(" (wanted: %s %g)\n", names[wish->request.measure], wish->request.tolerance);
    printf("impulses: |r| = %.8g\n", norm(r, cones->n * (size_t)cones->dim));
}

static enum scree_status write_solution(const char *path, const struct scree_fclib *file,
                                        const struct scree_cones *cones, const double *r)
{
    double *u = scree_alloc(cones->n * (size_t)cones->dim + 1, sizeof *u), *v = NULL;
    enum scree_status status = SCREE_OK;
    scree_cones_velocity(cones, r, u);
    if (!file->is_local) {
        v = scree_alloc((size_t)file->bodies.m.n_rows + 1, sizeof *v);
        status = scree_cones_velocities(&file->bodies, r, v);
    }
    if (status == SCREE_OK) status = scree_fclib_write(path, file, r, u, v);
    scree_alloc_free(u);
    scree_alloc_free(v);
    return status;
}

static double now(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static enum scree_status solve_cones(const struct scree_cli *cli, const struct wish *wish,
                                     const struct scree_fclib *file,
                                     const struct scree_cones *cones)
{
    const size_t n = cones->n * (size_t)cones->dim;
    struct scree_cones_outcome outcome = {0};
    double *r = scree_alloc(n + 1, sizeof *r);
    memset(r, 0, n * sizeof *r);
    print_problem(cli->argument[1], file, cones);
    double begin = now(CLOCK_MONOTONIC), begin_cpu = now(CLOCK_PROCESS_CPUTIME_ID);
    enum scree_status status = wish->solver->solve(cones, &wish->request, r, &outcome);
    if (status == SCREE_OK)
        print_outcome(wish, cones, &outcome, r, now(CLOCK_MONOTONIC) - begin,
                      now(CLOCK_PROCESS_CPUTIME_ID) - begin_cpu);
    if (status == SCREE_OK && cli->output != NULL)
        status = write_solution(cli->output, file, cones, r);
    scree_alloc_free(r);
    if (status == SCREE_OK && !outcome.converged)
        status = SCREE_FAIL(SCREE_PHYSICS,
                            "%s: not solved: %s residual %.3g after %lld iterations, wanted %g",
                            cli->argument[1], scree_cones_measures[wish->request.measure],
                            outcome.residual[wish->request.measure], (long long)outcome.iterations,
                            wish->request.tolerance);
    return status;
}

/* On one rank. */
static enum scree_status solve_file(const struct scree_cli *cli, const struct wish *wish)
{
    struct scree_fclib file;
    struct scree_cones cones;
    double *free_velocity = NULL;
    SCREE_TRY(scree_fclib_read(cli->argument[1], &file));
    enum scree_status status = file.is_local
                                   ? scree_cones_init(&cones, file.dim, file.n, &file.w, file.q,
                                                      (const scree_cones_limits *)file.limit)
                                   : scree_cones_from_bodies(&cones, &file.bodies, &free_velocity);
    if (status == SCREE_OK) status = solve_cones(cli, wish, &file, &cones);
    scree_cones_clear(&cones);
    scree_alloc_free(free_velocity);
    scree_fclib_clear(&file);
    return status;
}

/* What an export needs to know of the run whose step it is. */
struct export
{
    const char *path, *source;
    const struct scree_run *run;
};

static enum scree_status write_problem(void *context, const struct scree_cones_bodies *bodies,
                                       const double *impulse)
{
    const struct export *export = context;
    const size_t n = bodies->n * (size_t)bodies->dim;
    struct scree_fclib file = {
        .dim = bodies->dim, .n = bodies->n, .bodies = *bodies, .limit = bodies->limit};
    struct scree_cones cones;
    double *free_velocity = NULL;
    int64_t step = scree_run_step(export->run) + 1;
    snprintf(file.title, sizeof file.title, "scree: %.200s, step %lld", export->source,
             (long long)step);
    snprintf(file.description, sizeof file.description,
             "Contact dynamics, step of %g s to time %.9g s. Masses in kg, velocities in m/s, "
             "impulses in N s; six degrees of freedom per grain (velocity, spin), then a rate per "
             "servo. w holds the least normal velocity with the opposite sign.",
             export->run->scene.dt, scree_scene_time(&export->run->scene, step));
    SCREE_CHECK(n > 0, SCREE_INPUT, "%s: no contact acts in step %lld", export->source,
                (long long)step);
    enum scree_status status = scree_cones_from_bodies(&cones, bodies, &free_velocity);
    if (status == SCREE_OK) {
        struct scree_cones_outcome outcome;
        double *u = scree_alloc(n + 1, sizeof *u);
        double *v = scree_alloc((size_t)bodies->m.n_rows + 1, sizeof *v);
        scree_cones_velocity(&cones, impulse, u);
        scree_cones_measure(&cones, impulse, u, outcome.residual);
        status = scree_cones_velocities(bodies, impulse, v);
        if (status == SCREE_OK) status = scree_fclib_write(export->path, &file, impulse, u, v);
        if (status == SCREE_OK)
            scree_log(SCREE_LOG_INFO,
                      "%s: step %lld, %zu contacts, residual scree %.3g, fclib %.3g", export->path,
                      (long long)step, bodies->n, outcome.residual[SCREE_CONES_SCREE],
                      outcome.residual[SCREE_CONES_FCLIB]);
        scree_alloc_free(u);
        scree_alloc_free(v);
    }
    scree_cones_clear(&cones);
    scree_alloc_free(free_velocity);
    return status;
}

static enum scree_status go_to(struct scree_job *job, const char *text)
{
    int64_t step = 0, present = scree_run_step(&job->run);
    double seconds;
    SCREE_TRY(read_count("--step", text, 1, &step));
    SCREE_CHECK(step > present, SCREE_INPUT, "--step: %lld is over; the run is at step %lld",
                (long long)step, (long long)present);
    SCREE_CHECK(step <= job->run.n_steps, SCREE_INPUT, "--step: the run has %lld steps",
                (long long)job->run.n_steps);
    job->run.n_steps = step - 1;
    return step - 1 > present ? scree_job_run(job, NULL, &seconds) : SCREE_OK;
}

static enum scree_status export_step(const struct scree_cli *cli, struct scree_comm *comm)
{
    struct scree_job job = {0};
    static char path[4096];
    struct scree_cli of_run = *cli;
    of_run.argument[0] = cli->argument[1];
    of_run.argument[1] = NULL;
    SCREE_CHECK(cli->output != NULL, SCREE_INPUT,
                "scree fclib export needs a file to write: -o FILE.hdf5");
    SCREE_TRY(scree_cli_may_write(cli, comm, cli->output));
    enum scree_status status = scree_cli_open_run(&of_run, comm, path, sizeof path, &job);
    if (status == SCREE_OK && job.run.stepper->retry == NULL)
        status =
            SCREE_FAIL(SCREE_INPUT, "the method of %s is '%s', which solves no contact problem",
                       path, job.run.stepper->name);
    if (status == SCREE_OK && cli->step != NULL) status = go_to(&job, cli->step);
    if (status == SCREE_OK) {
        struct export export = {cli->output, path, &job.run};
        struct scree_retry retry = {
            .start = SCREE_RETRY_WARM, .problem = write_problem, .context = &export};
        status = job.run.stepper->retry(job.run.state, &job.run.scene, &retry);
    }
    scree_job_clear(&job);
    return status;
}

enum scree_status scree_cli_fclib(const struct scree_cli *cli, struct scree_comm *comm)
{
    const char *verb = cli->argument[0];
    SCREE_CHECK(verb != NULL && cli->argument[1] != NULL &&
                    (strcmp(verb, "solve") == 0 || strcmp(verb, "export") == 0),
                SCREE_INPUT, "scree fclib needs 'solve FILE.hdf5' or 'export RUN -o FILE.hdf5'");
    if (strcmp(verb, "export") == 0) return export_step(cli, comm);
    struct wish wish;
    SCREE_TRY(read_wish(cli, &wish));
    if (cli->output != NULL) SCREE_TRY(scree_cli_may_write(cli, comm, cli->output));
    enum scree_status status = SCREE_OK;
    if (comm->rank == 0) status = solve_file(cli, &wish);
    return scree_comm_agree(comm, status);
}
