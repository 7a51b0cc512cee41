/* SPDX-License-Identifier: BSD-3-Clause
 * Wide size distributions: the pair lists of all ranks together are those of a search over all
 * pairs, and the answer does not depend on the number of ranks, on forced rebalances or on the
 * skin. */
#include "job_test.h"
#include "scree/hash.h"
#include "scree/rng.h"

enum { N = 240, STEPS = 100 };
static const double smallest = 0.1;

struct world {
    int dimension;
    double ratio; /* of the largest to the smallest radius */
    bool walls;   /* instead of periods, in all directions but x */
};

static double edge(const struct world *w, int a)
{
    static const double shape[3] = {1.0, 0.9, 1.1};
    /* Room for two of the largest side by side and for the many small ones. */
    double size = fmax(2.6 * w->ratio * smallest, w->dimension == 2 ? 4.5 : 2.0);
    return a < w->dimension ? 2.0 * shape[a] * size : 0.0;
}

static double draw(scree_gid gid, int64_t attempt, uint32_t k)
{
    struct scree_rng_key key = {
        .seed = 5, .gid = gid, .purpose = SCREE_RNG_POSITION, .step = attempt};
    return scree_rng_uniform(&key, k);
}

static bool is_free(const struct world *w, const struct job_grain *grain, int k)
{
    for (int j = 0; j < k; j++) {
        double square = 0.0, reach = 0.98 * (grain[j].radius + grain[k].radius);
        for (int a = 0; a < w->dimension; a++) {
            double d = grain[j].pos[a] - grain[k].pos[a];
            if (a == 0 || !w->walls) d -= edge(w, a) * nearbyint(d / edge(w, a));
            square += d * d;
        }
        if (square < reach * reach) return false;
    }
    return true;
}

/* Random places without much overlap; the large grains come first, every other small one seeks the
 * surface of a larger grain, so that there are contacts between all sizes. */
static void place(const struct world *w, struct job_grain *grain, int k)
{
    struct job_grain *g = &grain[k];
    for (int64_t attempt = 0;; attempt++) {
        const struct job_grain *host = &grain[(int)(draw(k, attempt, 3) * (0.3 * k))];
        double away[3], length = 0.0;
        for (int a = 0; a < 3; a++) {
            away[a] = a < w->dimension ? draw(k, attempt, (uint32_t)(4 + a)) - 0.5 : 0.0;
            length += away[a] * away[a];
        }
        for (int a = 0; a < w->dimension; a++) {
            bool walled = w->walls && a > 0;
            double low = walled ? 0.99 * g->radius : 0.0, high = edge(w, a) - low;
            g->pos[a] = low + (high - low) * draw(k, attempt, (uint32_t)a);
            if (k > 3 && k % 2 == 0)
                g->pos[a] =
                    host->pos[a] + away[a] / sqrt(length) * 0.985 * (g->radius + host->radius);
            if (walled) g->pos[a] = fmin(fmax(g->pos[a], low), high);
        }
        if (is_free(w, grain, k)) return;
    }
}

static void make_grains(const struct world *w, struct job_grain *grain)
{
    memset(grain, 0, N * sizeof *grain);
    for (int k = 0; k < N; k++) {
        struct job_grain *g = &grain[k];
        g->radius = smallest * fmax(1.0, w->ratio * pow(1.0 + k, -0.75)); /* 1 of the largest */
        g->mass = pow(g->radius / smallest, w->dimension);
        place(w, grain, k);
        for (int a = 0; a < w->dimension; a++) {
            g->vel[a] = 4.0 * draw(N + k, 0, (uint32_t)a) - 2.0;
            g->spin[2] = g->vel[0];
        }
    }
}

static bool open_world(struct mpi_test *t, struct scree_job *job, struct scree_comm *comm,
                       const struct world *w, const char *const *sets)
{
    char text[2000], walls[800] = "";
    bool flat = w->dimension == 2;
    if (w->walls)
        snprintf(walls, sizeof walls,
                 "boundaries:\n"
                 "  back: {shape: plane, material: m, point: [0, 0%s], normal: [0, 1%s]}\n"
                 "  front: {shape: plane, material: m, point: [0, %.17g%s], normal: [0, -1%s]}\n",
                 flat ? "" : ", 0", flat ? "" : ", 0", edge(w, 1), flat ? "" : ", 0",
                 flat ? "" : ", 0");
    size_t n = strlen(walls);
    if (w->walls && !flat)
        snprintf(walls + n, sizeof walls - n,
                 "  floor: {shape: plane, material: m, point: [0, 0, 0], normal: [0, 0, 1]}\n"
                 "  lid: {shape: plane, material: m, point: [0, 0, %.17g], normal: [0, 0, -1]}\n",
                 edge(w, 2));
    char high[100];
    snprintf(high, sizeof high, flat ? "[%.17g, %.17g]" : "[%.17g, %.17g, %.17g]", edge(w, 0),
             edge(w, 1), edge(w, 2));
    snprintf(text, sizeof text,
             "dimension: %d\ntime: {step: 1e-3, steps: %d}\n"
             "domain: {low: %s, high: %s, periodic: [x%s]}\n"
             "materials: {m: {density: 1}}\nneighbours: {skin: 0.06}\n"
             "contacts: [{between: [m, m], normal: {law: linear, stiffness: 400, damping: 0.5}, "
             "tangential: {law: spring, stiffness: 100, friction: 0.5}}]\n"
             "particles: [{lattice: {material: m, radius: 0.01, spacing: 0.2, count: %d}}]\n%s",
             w->dimension, STEPS, flat ? "[0, 0]" : "[0, 0, 0]", high,
             w->walls ? ""
             : flat   ? ", y"
                      : ", y, z",
             N, walls);
    return job_open(t, job, comm, text, sets);
}

/* Grains of all ranks as they were when the lists were built. */
struct listed {
    double pos[3], radius, image[3], known;
};

static struct listed *gather_listed(struct scree_job *job)
{
    const struct scree_particles *p = job->run.scene.particles;
    struct listed *all = scree_alloc(N, sizeof *all);
    double *values = (double *)all;
    for (size_t k = 0; k < N * 8; k++) values[k] = -INFINITY;
    for (scree_lid i = 0; i < p->n_owned; i++) {
        struct listed *l = &all[p->gid[i] - 1];
        for (int a = 0; a < 3; a++) {
            l->pos[a] = p->listed[i][a];
            l->image[a] = p->image[i][a];
        }
        l->radius = p->pos[i][3];
        l->known = 1.0;
    }
    scree_comm_max(job->comm, values, N * 8);
    return all;
}
_Static_assert(sizeof(struct listed) == 8 * sizeof(double), "plain doubles");

/* A number for the pair and the periods between the two, the same from both sides. */
static uint64_t pair_hash(int64_t i, int64_t j, const int32_t between[3])
{
    int sign = 1;
    for (int a = 2; a >= 0; a--)
        if (between[a] != 0) sign = between[a] > 0 ? 1 : -1;
    if (i != j) sign = i < j ? 1 : -1;
    int64_t words[5] = {i < j ? i : j, i < j ? j : i, sign * between[0], sign * between[1],
                        sign * between[2]};
    return scree_hash_record(words, sizeof words);
}

/* Sum of hashes and number of all pairs, each counted from both sides. */
struct tally {
    uint64_t hash;
    int64_t n, n_mixed; /* mixed: one is at least three times larger */
};

static void add_pair(struct tally *tally, int64_t i, int64_t j, const int32_t between[3],
                     const double radius[2], int sides)
{
    double ratio = radius[0] > radius[1] ? radius[0] / radius[1] : radius[1] / radius[0];
    tally->hash += (uint64_t)sides * pair_hash(i, j, between);
    tally->n += sides;
    tally->n_mixed += ratio > 3.0 ? sides : 0;
}

static void add_ranks(struct scree_comm *comm, struct tally *sum)
{
    scree_comm_sum_hash(comm, &sum->hash, 1);
    scree_comm_sum_int(comm, &sum->n, 1);
    scree_comm_sum_int(comm, &sum->n_mixed, 1);
}

static struct tally tally_lists(struct scree_job *job)
{
    const struct scree_particles *p = job->run.scene.particles;
    const struct scree_neighbours *list = &job->run.scene.contacts->list;
    const struct scree_pairs *kind[3] = {&list->interior, &list->image, &list->border};
    struct tally sum = {0};
    for (int part = 0; part < 3; part++)
        for (scree_lid i = 0; i < p->n_owned; i++)
            for (uint32_t k = kind[part]->start[i]; k < kind[part]->start[i + 1]; k++) {
                scree_lid j = kind[part]->partner[k];
                int32_t between[3];
                double radius[2] = {p->pos[i][3], p->pos[j][3]};
                for (int a = 0; a < 3; a++) between[a] = p->image[j][a] - p->image[i][a];
                add_pair(&sum, p->gid[i], p->gid[j], between, radius, part < 2 ? 2 : 1);
            }
    add_ranks(job->comm, &sum);
    return sum;
}

static void try_image(struct scree_job *job, const struct listed *all, int i, int j,
                      const int shift[3], struct tally *sum)
{
    double skin = job->run.scene.contacts->list.skin, square = 0.0;
    double radius[2] = {all[i].radius, all[j].radius}, reach = radius[0] + radius[1] + skin;
    int32_t between[3];
    for (int a = 0; a < 3; a++) {
        double d = all[i].pos[a] - (all[j].pos[a] + shift[a] * job->domain.box.length[a]);
        between[a] = (int32_t)(all[j].image[a] - all[i].image[a]) - shift[a];
        square += d * d;
    }
    if (square < reach * reach) add_pair(sum, i + 1, j + 1, between, radius, 1);
}

/* Every grain with every other and with all images one period away, from both sides; ranks share
 * the work. */
static struct tally tally_all(struct scree_job *job)
{
    struct listed *all = gather_listed(job);
    struct tally sum = {0};
    int most[3], shift[3];
    for (int a = 0; a < 3; a++) most[a] = job->domain.box.periodic[a] ? 1 : 0;
    for (int i = job->comm->rank; i < N; i += job->comm->n_ranks)
        for (int j = 0; j < N; j++)
            for (shift[0] = -most[0]; shift[0] <= most[0]; shift[0]++)
                for (shift[1] = -most[1]; shift[1] <= most[1]; shift[1]++)
                    for (shift[2] = -most[2]; shift[2] <= most[2]; shift[2]++)
                        if (i != j || shift[0] != 0 || shift[1] != 0 || shift[2] != 0)
                            try_image(job, all, i, j, shift, &sum);
    scree_alloc_free(all);
    add_ranks(job->comm, &sum);
    return sum;
}

static void compare_lists(struct mpi_test *t, struct scree_job *job, double ratio, const char *when)
{
    struct tally lists = tally_lists(job), all = tally_all(job);
    MPI_TEST(t, lists.n == all.n && lists.hash == all.hash, "%s: %lld pairs listed, %lld there",
             when, (long long)lists.n, (long long)all.n);
    MPI_TEST(t, all.n > N / 8, "%s: only %lld pairs", when, (long long)all.n);
    MPI_TEST(t, ratio < 10.0 || all.n_mixed > 20, "%s: only %lld pairs of different sizes", when,
             (long long)all.n_mixed);
}

static uint64_t run(struct mpi_test *t, struct scree_comm *comm, const struct world *w,
                    const char *const *sets, int64_t contacts[2])
{
    struct scree_job job;
    struct job_grain grain[N];
    make_grains(w, grain);
    if (!open_world(t, &job, comm, w, sets)) return 0;
    job_put(&job, grain, N);
    job_start(t, &job);
    compare_lists(t, &job, w->ratio, "at start");
    job_count_contacts(&job, contacts);
    job_advance(t, &job, STEPS);
    compare_lists(t, &job, w->ratio, "at the end");
    MPI_TEST(t, job.run.scene.contacts->n_rebuilds > 1, "no rebuild");
    uint64_t digest = scree_digest_compute(&job.run);
    scree_job_clear(&job);
    return digest;
}

static void check_world(struct mpi_test *t, const struct world *w)
{
    static const char *const forced[] = {"balance.force_every=10", "balance.method=hilbert", NULL};
    static const char *const skins[] = {"neighbours.skin=0.5", "balance.bricks_per_rank=4", NULL};
    int64_t contacts[2] = {0, 0}, here[2];
    uint64_t alone = 0;
    if (t->comm->rank == 0) alone = run(t, job_self(), w, NULL, contacts);
    mpi_test_tell(t, &alone, sizeof alone);
    mpi_test_tell(t, contacts, sizeof contacts);
    MPI_TEST(t, contacts[0] > 20, "only %lld contacts", (long long)contacts[0]);
    const char *const *sets[] = {NULL, forced, skins};
    for (int k = 0; k < 3; k++) {
        uint64_t together = run(t, t->comm, w, sets[k], here);
        MPI_TEST(t, together == alone && here[0] == contacts[0],
                 "%dD, ratio %g, variant %d: other bits than alone", w->dimension, w->ratio, k);
    }
}

int main(int argc, char **argv)
{
    struct mpi_test t;
    mpi_test_begin(&t, &argc, &argv);
    static const double ratios[] = {3.0, 30.0, 1.0, 10.0};
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int k = 0; k < (MPI_TEST_SANITIZED ? 2 : 4); k++)
            for (int walls = 0; walls < 2; walls++)
                check_world(&t, &(struct world){dimension, ratios[k], walls == 1});
    return mpi_test_end(&t);
}
