/* SPDX-License-Identifier: BSD-3-Clause
 * Speed of checkpoints and snapshots beside a plain parallel write of as many bytes, in turn.
 * usage: io_speed FOLDER EDGE REPEATS: EDGE^3 grains on a lattice, each touching six others.
 *
 * A checkpoint is all that a run does for one: rows made, written, read back and compared, brought
 * to disk, renamed, the pointer moved, an old one deleted. A snapshot likewise, up to its XDMF
 * file. The plain write takes bytes that lie ready: each rank writes its share into one file and
 * syncs. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "job_test.h"
#include "scree/autosave.h"
#include "scree/checkpoint.h"
#include "scree/file_safety.h"
#include "scree/snapshots.h"

static const double spacing = 1.0005, radius = 0.501; /* m */

static const char input[] =
    "time: {step: 1e-6, steps: 1000}\n"
    "materials: {grain: {density: 1}}\n"
    "contacts:\n"
    "  - between: [grain, grain]\n"
    "    normal: {law: linear, stiffness: 2e5, damping_rate: 50}\n"
    "    tangential: {law: spring, stiffness: 5e4, friction: 0.5}\n"
    "particles:\n"
    "  - lattice: {material: grain, radius: 0.5, spacing: 1.0005, speed: 0.01}\n"
    "output:\n"
    "  snapshots: {steps: 1, contacts: true, forces: true}\n";

struct bench {
    struct scree_job *job;
    struct scree_autosave *autosave;
    const char *folder;
    unsigned char *bytes; /* of this rank, for the plain write */
    size_t n_bytes;
};

static void check(enum scree_status status)
{
    if (status != SCREE_OK) SCREE_ABORT("%s", scree_status_message());
}

/* Of a file in the folder, as rank 0 sees it; 0: not there. */
static int64_t size_of(const struct bench *b, const char *name)
{
    char path[4096];
    struct stat info;
    snprintf(path, sizeof path, "%.4000s/%s", b->folder, name);
    int64_t size = b->job->comm->rank == 0 && stat(path, &info) == 0 ? info.st_size : 0;
    scree_comm_broadcast(b->job->comm, &size, sizeof size, 0);
    return size;
}

static double start_clock(struct scree_comm *comm)
{
    scree_comm_barrier(comm);
    return scree_timer_now();
}

static double stop_clock(struct scree_comm *comm, double began)
{
    double seconds = scree_timer_now() - began;
    scree_comm_max(comm, &seconds, 1);
    return seconds;
}

static double write_plain(struct bench *b, int64_t n_total)
{
    struct scree_comm *comm = b->job->comm;
    char path[4096];
    int64_t first = n_total * comm->rank / comm->n_ranks;
    size_t n = (size_t)(n_total * (comm->rank + 1) / comm->n_ranks - first);
    if (n > b->n_bytes) {
        scree_alloc_free(b->bytes);
        b->bytes = scree_alloc(n, 1);
        for (size_t k = 0; k < n; k++) b->bytes[k] = (unsigned char)(k * 2654435761u >> 7);
        b->n_bytes = n;
    }
    snprintf(path, sizeof path, "%.4000s/plain", b->folder);
    double began = start_clock(comm);
    int file = open(path, O_CREAT | O_WRONLY, 0644);
    if (file < 0) SCREE_ABORT("%s: %s", path, strerror(errno));
    int error = scree_file_put(file, b->bytes, n, first);
    if (error != 0 || fsync(file) != 0)
        SCREE_ABORT("%s: %s", path, strerror(error != 0 ? error : errno));
    close(file);
    double seconds = stop_clock(comm, began);
    if (comm->rank == 0) unlink(path);
    return seconds;
}

static double write_checkpoint(struct bench *b, int64_t *n_bytes, struct scree_checkpoint_times *t)
{
    char name[64];
    double began = start_clock(b->job->comm);
    check(scree_autosave_save(b->autosave, &b->job->restart));
    double seconds = stop_clock(b->job->comm, began);
    snprintf(name, sizeof name, "checkpoint.%012lld.h5", (long long)scree_run_step(&b->job->run));
    *n_bytes = size_of(b, name);
    *t = scree_checkpoint_times();
    return seconds;
}

static int64_t size_of_segment(const struct bench *b, int segment)
{
    char name[64];
    snprintf(name, sizeof name, "trajectory.%03d.h5", segment);
    return size_of(b, name);
}

/* Large frames have a file each. */
static double write_snapshot(struct bench *b, int64_t *n_bytes)
{
    int segment = b->job->output.snapshots.segment;
    int64_t before = size_of_segment(b, segment);
    double began = start_clock(b->job->comm);
    check(scree_snapshots_poll(&b->job->output, &b->job->run, b->folder, false, NULL));
    check(scree_snapshots_flush(&b->job->output, &b->job->run, b->folder));
    double seconds = stop_clock(b->job->comm, began);
    *n_bytes = size_of_segment(b, b->job->output.snapshots.segment) -
               (b->job->output.snapshots.segment == segment ? before : 0);
    return seconds;
}

static int compare_reals(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double middle_of(double *values, int n)
{
    qsort(values, (size_t)n, sizeof *values, compare_reals);
    return 0.5 * (values[(n - 1) / 2] + values[n / 2]);
}

static void measure(struct bench *b, int repeats)
{
    enum { CHECKPOINT, SNAPSHOT, PLAIN_CHECKPOINT, PLAIN_SNAPSHOT, READ_BACK, N };
    double *seconds[N], contacts[2], middle[N];
    int64_t n_bytes[2] = {0, 0};
    struct scree_job *job = b->job;
    struct scree_checkpoint_times times;
    for (int k = 0; k < N; k++) seconds[k] = scree_alloc((size_t)repeats, sizeof **seconds);
    for (int r = -1; r < repeats; r++) { /* the first round warms up */
        int at = r < 0 ? 0 : r;
        check(scree_run_advance(&job->run, scree_run_step(&job->run) + 1, NULL));
        seconds[CHECKPOINT][at] = write_checkpoint(b, &n_bytes[0], &times);
        seconds[READ_BACK][at] = times.read_back;
        seconds[PLAIN_CHECKPOINT][at] = write_plain(b, n_bytes[0]);
        seconds[SNAPSHOT][at] = write_snapshot(b, &n_bytes[1]);
        seconds[PLAIN_SNAPSHOT][at] = write_plain(b, n_bytes[1]);
        if (job->comm->rank == 0)
            fprintf(stderr,
                    "io: checkpoint %.3f s (written %.3f, read back %.3f, to disk %.3f), plain "
                    "%.3f s; snapshot %.3f s, plain %.3f s\n",
                    seconds[CHECKPOINT][at], times.write, times.read_back, times.sync,
                    seconds[PLAIN_CHECKPOINT][at], seconds[SNAPSHOT][at],
                    seconds[PLAIN_SNAPSHOT][at]);
    }
    scree_contacts_count_all(job->run.scene.contacts, job->comm, &contacts[0], &contacts[1]);
    for (int k = 0; k < N; k++) {
        middle[k] = middle_of(seconds[k], repeats);
        scree_alloc_free(seconds[k]);
    }
    double n = (double)job->run.n_grains, saved = middle[CHECKPOINT];
    if (job->comm->rank == 0)
        printf("io: %.0f grains, z %.1f, %d ranks: checkpoint %.0f bytes per grain at %.2f of the "
               "plain write speed (%.2f without reading back), snapshot %.0f bytes at %.2f\n",
               n, 2.0 * contacts[0] / n, job->comm->n_ranks, (double)n_bytes[0] / n,
               middle[PLAIN_CHECKPOINT] / saved,
               middle[PLAIN_CHECKPOINT] / (saved - middle[READ_BACK]), (double)n_bytes[1] / n,
               middle[PLAIN_SNAPSHOT] / middle[SNAPSHOT]);
}

/* Larger grains on the same lattice: every one overlaps with its six neighbours. */
static void grow(struct scree_job *job)
{
    struct scree_particles *p = job->run.scene.particles;
    for (scree_lid i = 0; i < p->n_owned; i++) p->pos[i][3] = radius;
    job->run.scene.largest_radius = radius;
}

int main(int argc, char **argv)
{
    struct mpi_test t;
    struct scree_job job;
    struct scree_autosave autosave;
    char domain[256];
    if (argc != 4) return EXIT_FAILURE;
    double edge = atof(argv[2]) * spacing + 1e-4;
    mpi_test_begin(&t, &argc, &argv);
    snprintf(domain, sizeof domain,
             "domain={low: [0, 0, 0], high: [%.10g, %.10g, %.10g], periodic: [x, y, z]}", edge,
             edge, edge);
    const char *const sets[] = {domain, NULL};
    if (!job_open(&t, &job, t.comm, input, sets)) return mpi_test_end(&t);
    grow(&job);
    check(scree_autosave_init(&autosave, argv[1], NULL, NULL));
    check(scree_job_start(&job));
    check(scree_snapshots_open(&job.output, &job.run, argv[1]));
    struct bench b = {.job = &job, .autosave = &autosave, .folder = argv[1]};
    measure(&b, atoi(argv[3]));
    scree_alloc_free(b.bytes);
    scree_job_clear(&job);
    scree_comm_destroy(&t.comm);
    return EXIT_SUCCESS;
}
