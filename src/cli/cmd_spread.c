/* SPDX-License-Identifier: BSD-3-Clause
 * The command spread: one step of a state solved from several starts and in several orders, and how
 * far the forces differ. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli.h"
#include "scree/alloc.h"
#include "scree/autosave.h"
#include "scree/job.h"
#include "scree/log.h"
#include "scree/vec.h"

static const struct variant {
    const char *name;
    enum scree_retry_start start;
    uint64_t forces, order;
} variants[] = {
    {"warm", SCREE_RETRY_WARM, 0, 0},         {"cold", SCREE_RETRY_COLD, 0, 0},
    {"random-1", SCREE_RETRY_RANDOM, 1, 0},   {"random-2", SCREE_RETRY_RANDOM, 2, 0},
    {"warm-order-1", SCREE_RETRY_WARM, 0, 1}, {"cold-order-1", SCREE_RETRY_COLD, 0, 1},
    {"cold-order-2", SCREE_RETRY_COLD, 0, 2}, {"random-order-3", SCREE_RETRY_RANDOM, 3, 3}};
enum { N_VARIANTS = sizeof variants / sizeof variants[0] };

/* A contact in one variant; those of a contact follow each other once they are sorted. Contacts
 * that a variant does not know bear nothing in it. */
struct row {
    int64_t key[5]; /* first, second, periods between them */
    int64_t variant;
    double normal[3], branch[3], force[3];
};

struct grain_row {
    int64_t gid, variant;
    double velocity[3], change[3];
};

struct collection {
    int variant;
    size_t n, capacity, n_grains, grain_capacity;
    struct row *row;
    struct grain_row *grain;
};

static void take_contact(void *context, const struct scree_retry_contact *contact)
{
    struct collection *c = context;
    SCREE_GROW(c->row, c->n, c->capacity, c->n + 1);
    struct row *row = &c->row[c->n++];
    *row = (struct row){.key = {contact->first, contact->second, contact->image[0],
                                contact->image[1], contact->image[2]},
                        .variant = c->variant};
    memcpy(row->normal, contact->normal, sizeof row->normal);
    memcpy(row->branch, contact->branch, sizeof row->branch);
    memcpy(row->force, contact->force, sizeof row->force);
}

static void take_grain(void *context, const struct scree_retry_grain *grain)
{
    struct collection *c = context;
    SCREE_GROW(c->grain, c->n_grains, c->grain_capacity, c->n_grains + 1);
    struct grain_row *row = &c->grain[c->n_grains++];
    *row = (struct grain_row){.gid = grain->gid, .variant = c->variant};
    memcpy(row->velocity, grain->velocity, sizeof row->velocity);
    memcpy(row->change, grain->change, sizeof row->change);
}

static int compare_rows(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    for (int k = 0; k < 5; k++)
        if (x->key[k] != y->key[k]) return x->key[k] < y->key[k] ? -1 : 1;
    return (x->variant > y->variant) - (x->variant < y->variant);
}

static int compare_grains(const void *a, const void *b)
{
    const struct grain_row *x = a, *y = b;
    if (x->gid != y->gid) return x->gid < y->gid ? -1 : 1;
    return (x->variant > y->variant) - (x->variant < y->variant);
}

/* Of one variant over all contacts and grains; sums over all ranks. */
enum {
    SUM_NORMAL,     /* N; of normal forces */
    SUM_ACTIVE,     /* contacts that bear something */
    SUM_DIFFERENCE, /* N^2; of forces from those of the first variant */
    SUM_FORCE,      /* N^2; of forces */
    SUM_VELOCITY,   /* m^2/s^2; of velocities from those of the first variant */
    SUM_CHANGE,     /* m^2/s^2; of what gravity would do in the step, or any other free motion */
    SUM_STRESS,     /* N m; the 9 components of the sum of force times branch */
    N_SUMS = SUM_STRESS + 9
};

struct result {
    double sum[N_VARIANTS][N_SUMS];
    struct scree_retry retry[N_VARIANTS];
};

static void add_force(struct scree_exact *sum, const struct row *row, const double first[3])
{
    double normal = scree_vec_dot(row->force, row->normal), difference[3];
    for (int a = 0; a < 3; a++) difference[a] = row->force[a] - first[a];
    scree_exact_add(&sum[SUM_NORMAL], normal);
    if (normal != 0.0) scree_exact_add(&sum[SUM_ACTIVE], 1.0);
    scree_exact_add(&sum[SUM_DIFFERENCE], scree_vec_dot(difference, difference));
    scree_exact_add(&sum[SUM_FORCE], scree_vec_dot(row->force, row->force));
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            scree_exact_add(&sum[SUM_STRESS + 3 * a + b], row->force[a] * row->branch[b]);
}

/* The rows of one contact, with those that are missing. */
static size_t gather(const struct collection *c, size_t at, struct row of[N_VARIANTS])
{
    size_t end = at;
    for (int v = 0; v < N_VARIANTS; v++) {
        of[v] = c->row[at];
        memset(of[v].force, 0, sizeof of[v].force);
        of[v].variant = v;
    }
    for (; end < c->n && memcmp(c->row[end].key, c->row[at].key, sizeof c->row[at].key) == 0; end++)
        of[c->row[end].variant] = c->row[end];
    return end;
}

static void add_up(const struct collection *c, struct scree_comm *comm, struct result *result)
{
    static const double none[3];
    struct scree_exact *sum = scree_alloc(N_VARIANTS * N_SUMS, sizeof *sum);
    struct row of[N_VARIANTS];
    for (int k = 0; k < N_VARIANTS * N_SUMS; k++) scree_exact_clear(&sum[k]);
    for (size_t at = 0; at < c->n;) {
        at = gather(c, at, of);
        for (int v = 0; v < N_VARIANTS; v++) add_force(sum + v * N_SUMS, &of[v], of[0].force);
    }
    for (size_t k = 0; k < c->n_grains; k++) {
        const struct grain_row *row = &c->grain[k];
        const struct grain_row *first = row - row->variant;
        /* Grains without contacts in some variant are not told of: they fly freely in all. */
        bool known = k >= (size_t)row->variant && first->gid == row->gid && first->variant == 0;
        double difference[3];
        for (int a = 0; a < 3; a++)
            difference[a] = known ? row->velocity[a] - first->velocity[a] : 0.0;
        scree_exact_add(&sum[row->variant * N_SUMS + SUM_VELOCITY],
                        scree_vec_dot(difference, difference));
        scree_exact_add(&sum[row->variant * N_SUMS + SUM_CHANGE],
                        known ? scree_vec_dot(row->change, row->change) : none[0]);
    }
    scree_comm_sum_exact(comm, sum, N_VARIANTS * N_SUMS);
    for (int v = 0; v < N_VARIANTS; v++)
        for (int s = 0; s < N_SUMS; s++)
            result->sum[v][s] = scree_exact_value(&sum[v * N_SUMS + s]);
    scree_alloc_free(sum);
}

static double ratio(double part, double whole)
{
    return whole > 0.0 ? sqrt(part / whole) : 0.0;
}

/* Largest difference of a component of the stress from that of the first variant, of its trace. */
static double stress_difference(const struct result *r, int v)
{
    const double *first = r->sum[0] + SUM_STRESS, *now = r->sum[v] + SUM_STRESS;
    double trace = first[0] + first[4] + first[8], largest = 0.0;
    for (int k = 0; k < 9; k++) largest = fmax(largest, fabs(now[k] - first[k]));
    return trace != 0.0 ? largest / fabs(trace) : 0.0;
}

static double mean_force(const struct result *r, int v)
{
    return r->sum[v][SUM_NORMAL] / fmax(r->sum[v][SUM_ACTIVE], 1.0);
}

static void write_variant(FILE *f, const struct result *r, int v)
{
    static const char *const starts[] = {"warm", "cold", "random"};
    const double *sum = r->sum[v];
    fprintf(f, "%s,%s,%d,%lld,%.17g,%d,%.0f,%.17g", variants[v].name, starts[variants[v].start],
            (int)variants[v].order, (long long)r->retry[v].sweeps, r->retry[v].residual,
            r->retry[v].converged, sum[SUM_ACTIVE], mean_force(r, v));
    for (int k = 0; k < 9; k++) fprintf(f, ",%.17g", sum[SUM_STRESS + k]);
    fprintf(f, ",%.17g,%.17g,%.17g\n", ratio(sum[SUM_DIFFERENCE], r->sum[0][SUM_FORCE]),
            ratio(sum[SUM_VELOCITY], r->sum[0][SUM_CHANGE]), stress_difference(r, v));
}

static enum scree_status open_table(const char *folder, const char *name, char *path, size_t size,
                                    FILE **f)
{
    snprintf(path, size, "%.4000s/%s", folder, name);
    *f = fopen(path, "w");
    SCREE_CHECK(*f != NULL, SCREE_IO, "cannot write %s: %s", path, strerror(errno));
    return SCREE_OK;
}

static enum scree_status close_table(FILE *f, const char *path)
{
    bool good = ferror(f) == 0;
    good = fclose(f) == 0 && good;
    SCREE_CHECK(good, SCREE_IO, "cannot write %s: disk full?", path);
    return SCREE_OK;
}

static enum scree_status write_variants(const char *folder, const struct result *r)
{
    char path[4096];
    FILE *f;
    SCREE_TRY(open_table(folder, "spread.csv", path, sizeof path, &f));
    fputs("variant,start,order,sweeps,residual,converged,contacts,mean normal force [N]", f);
    for (int k = 0; k < 9; k++)
        fprintf(f, ",stress times volume %c%c [N m]", "xyz"[k / 3], "xyz"[k % 3]);
    fputs(",force difference,velocity difference,stress difference\n", f);
    for (int v = 0; v < N_VARIANTS; v++) write_variant(f, r, v);
    return close_table(f, path);
}

/* Mean of the forces of a contact, and how far they lie from it, root mean square. */
static double find_spread(const struct row of[N_VARIANTS], double mean[3])
{
    double square = 0.0;
    memset(mean, 0, 3 * sizeof *mean);
    for (int v = 0; v < N_VARIANTS; v++)
        for (int a = 0; a < 3; a++) mean[a] += of[v].force[a] / N_VARIANTS;
    for (int v = 0; v < N_VARIANTS; v++)
        for (int a = 0; a < 3; a++) {
            double d = of[v].force[a] - mean[a];
            square += d * d / N_VARIANTS;
        }
    return sqrt(square);
}

static void write_contact(FILE *f, const struct row of[N_VARIANTS], double scale)
{
    double mean[3], spread = find_spread(of, mean), low = INFINITY, high = 0.0, across[3];
    double normal = scree_vec_dot(mean, of[0].normal);
    for (int a = 0; a < 3; a++) across[a] = mean[a] - normal * of[0].normal[a];
    for (int v = 0; v < N_VARIANTS; v++) {
        double n = scree_vec_dot(of[v].force, of[0].normal);
        low = fmin(low, n);
        high = fmax(high, n);
    }
    fprintf(f, "%lld,%lld", (long long)of[0].key[0], (long long)of[0].key[1]);
    for (int k = 0; k < 3; k++) fprintf(f, ",%d", (int)of[0].key[2 + k]);
    fprintf(f, ",%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n", normal, low, high, scree_vec_norm(across),
            spread, scale > 0.0 ? spread / scale : 0.0);
}

/* All rows go to rank 0. */
static void bring_together(struct collection *c, struct scree_comm *comm)
{
    int *n = scree_alloc(2 * (size_t)comm->n_ranks, sizeof *n), *n_got = n + comm->n_ranks;
    void *received;
    memset(n, 0, 2 * (size_t)comm->n_ranks * sizeof *n);
    n[0] = (int)c->n;
    scree_comm_exchange(comm, n, c->row, sizeof *c->row, n_got, &received);
    scree_alloc_free(c->row);
    c->row = received;
    c->n = 0;
    for (int r = 0; r < comm->n_ranks; r++) c->n += (size_t)n_got[r];
    if (c->n > 0) qsort(c->row, c->n, sizeof *c->row, compare_rows);
    scree_alloc_free(n);
}

static enum scree_status write_contacts(const char *folder, const struct collection *c,
                                        const struct result *r)
{
    char path[4096];
    FILE *f;
    struct row of[N_VARIANTS];
    SCREE_TRY(open_table(folder, "contacts.csv", path, sizeof path, &f));
    fputs("first,second,image x,image y,image z,normal force [N],least normal force [N],largest "
          "normal force [N],tangential force [N],spread [N],spread of mean force\n",
          f);
    for (size_t at = 0; at < c->n;) {
        at = gather(c, at, of);
        write_contact(f, of, mean_force(r, 0));
    }
    return close_table(f, path);
}

static void print(const struct result *r)
{
    scree_log(SCREE_LOG_INFO, "%-15s %8s %9s %9s %12s %8s %8s %8s", "variant", "sweeps", "residual",
              "contacts", "mean force N", "forces", "velocity", "stress");
    for (int v = 0; v < N_VARIANTS; v++)
        scree_log(SCREE_LOG_INFO, "%-15s %8lld %9.1e %9.0f %12.5g %8.1e %8.1e %8.1e",
                  variants[v].name, (long long)r->retry[v].sweeps, r->retry[v].residual,
                  r->sum[v][SUM_ACTIVE], mean_force(r, v),
                  ratio(r->sum[v][SUM_DIFFERENCE], r->sum[0][SUM_FORCE]),
                  ratio(r->sum[v][SUM_VELOCITY], r->sum[0][SUM_CHANGE]), stress_difference(r, v));
    scree_log(SCREE_LOG_INFO,
              "forces, velocity, stress: differences from the first, of its forces, of what "
              "velocities would change by without contacts, and of the trace of its stress");
}

static enum scree_status try_all(struct scree_job *job, struct collection *c, struct result *r)
{
    struct scree_run *run = &job->run;
    for (int v = 0; v < N_VARIANTS; v++) {
        c->variant = v;
        r->retry[v] = (struct scree_retry){.start = variants[v].start,
                                           .forces = variants[v].forces,
                                           .order = variants[v].order,
                                           .contact = take_contact,
                                           .grain = take_grain,
                                           .context = c};
        SCREE_TRY(run->stepper->retry(run->state, &run->scene, &r->retry[v]));
    }
    if (c->n > 0) qsort(c->row, c->n, sizeof *c->row, compare_rows);
    if (c->n_grains > 0) qsort(c->grain, c->n_grains, sizeof *c->grain, compare_grains);
    return SCREE_OK;
}

static enum scree_status spread(struct scree_job *job, const char *folder)
{
    struct collection c = {0};
    struct result *r = scree_alloc(1, sizeof *r);
    memset(r, 0, sizeof *r);
    enum scree_status status = try_all(job, &c, r);
    if (status == SCREE_OK) {
        add_up(&c, job->comm, r);
        bring_together(&c, job->comm);
        print(r);
        if (job->comm->rank == 0) status = write_variants(folder, r);
        if (job->comm->rank == 0 && status == SCREE_OK) status = write_contacts(folder, &c, r);
        status = scree_comm_agree(job->comm, status);
    }
    scree_alloc_free(c.row);
    scree_alloc_free(c.grain);
    scree_alloc_free(r);
    return status;
}

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

enum scree_status scree_cli_open_run(const struct scree_cli *cli, struct scree_comm *comm,
                                     char *path, size_t size, struct scree_job *job)
{
    struct stat info;
    int64_t step = -1;
    if (comm->rank == 0 && stat(cli->argument[0], &info) == 0 && S_ISDIR(info.st_mode))
        step = scree_autosave_list(cli->argument[0], &step, 1) > 0 ? step : -2;
    scree_comm_broadcast(comm, &step, sizeof step, 0);
    SCREE_CHECK(step != -2, SCREE_IO, "%s holds no checkpoint", cli->argument[0]);
    if (step >= 0)
        scree_autosave_path(cli->argument[0], step, path, size);
    else
        snprintf(path, size, "%.4000s", cli->argument[0]);
    if (ends_with(path, ".h5")) return scree_cli_load(cli, comm, path, job);
    SCREE_TRY(scree_cli_read_job(cli, comm, NULL, job));
    SCREE_TRY(scree_cli_build_job(job));
    return scree_job_start(job);
}

enum scree_status scree_cli_spread(const struct scree_cli *cli, struct scree_comm *comm)
{
    struct scree_job job = {0};
    static char path[4096];
    const char *folder = cli->output != NULL ? cli->output : "results-spread";
    SCREE_CHECK(cli->argument[0] != NULL && cli->argument[1] == NULL, SCREE_INPUT,
                "scree spread needs the folder of a run, a checkpoint or an input file");
    for (int k = 0; k < cli->n_sets; k++)
        SCREE_CHECK(strncmp(cli->set[k], "solver.", 7) == 0 || ends_with(cli->argument[0], ".yaml"),
                    SCREE_INPUT, "--set %s: of a run under way only 'solver' may be another",
                    cli->set[k]);
    enum scree_status status = scree_cli_open_run(cli, comm, path, sizeof path, &job);
    if (status == SCREE_OK && job.run.stepper->retry == NULL)
        status = SCREE_FAIL(SCREE_INPUT,
                            "the method of %s is '%s', whose forces follow from the places of "
                            "grains: nothing is left open that could spread",
                            path, job.run.stepper->name);
    if (status == SCREE_OK) status = scree_cli_make_folder(comm, folder, cli->force);
    if (status == SCREE_OK) {
        scree_log(SCREE_LOG_INFO, "%s: the step after step %lld in %d ways, tables in %s", path,
                  (long long)scree_run_step(&job.run), (int)N_VARIANTS, folder);
        status = spread(&job, folder);
    }
    scree_job_clear(&job);
    return status;
}
