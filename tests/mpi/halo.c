/* SPDX-License-Identifier: BSD-3-Clause
 * Refreshes of ghosts: the columns asked for follow their owners, all others stay, and messages
 * hold no more than that. */
#include "job_test.h"

static const char text[] =
    "time: {step: 1e-5, steps: 1, integrator: gear}\nbalance: {method: hilbert}\n"
    "domain: {low: [0, 0, 0], high: [12 mm, 12 mm, 12 mm], periodic: [x, y]}\n"
    "materials: {m: {density: 1000}}\n"
    "contacts: [{between: [m, m], normal: {law: linear, stiffness: 1}}]\n"
    "particles: [{lattice: {material: m, radius: 0.5 mm, count: 400}}]\n";

/* Columns of the Gear integrator; those of leapfrog have the highest bits. */
enum { N_COLUMNS = 5, N_SETS = 1 << N_COLUMNS };
static const unsigned bit[N_COLUMNS] = {SCREE_HALO_POS, SCREE_HALO_VEL, SCREE_HALO_SPIN,
                                        SCREE_HALO_MEAN_VEL, SCREE_HALO_MEAN_SPIN};

static double (*column(const struct scree_particles *p, int c))[4]
{
    double(*const rows[N_COLUMNS])[4] = {p->pos, p->vel, p->spin, p->mean_vel, p->mean_spin};
    return rows[c];
}

/* What a grain has in a column since some refresh; its place is its own up to a small way. */
static double value(scree_gid gid, int c, int a, int since)
{
    return (double)(gid * 100 + c * 10 + a) + 1000000.0 * since;
}

static void set_owned(struct scree_particles *p, double (*place)[3], int since)
{
    for (scree_lid i = 0; i < p->n_owned; i++)
        for (int a = 0; a < 3; a++) {
            p->pos[i][a] = place[i][a] + 0x1p-40 * since;
            for (int c = 1; c < N_COLUMNS; c++) column(p, c)[i][a] = value(p->gid[i], c, a, since);
        }
}

/* Ghosts have column c as it was set `since`, the place displaced as it was when they were made. */
static bool has_since(const struct scree_particles *p, double (*place)[3], int c, int since)
{
    for (scree_lid g = p->n_owned; g < p->n_owned + p->n_ghost; g++)
        for (int a = 0; a < 3; a++) {
            double expected =
                c == 0 ? place[g][a] + 0x1p-40 * since : value(p->gid[g], c, a, since);
            if (column(p, c)[g][a] != expected) return false;
        }
    return true;
}

/* Bytes that one refresh of n columns sends. */
static int64_t message_bytes(const struct scree_halo *halo, int n)
{
    int64_t sum = 0;
    for (int k = 0; k < halo->n_peers; k++) {
        int64_t out = halo->send_start[k + 1] - halo->send_start[k];
        sum += out > 0 ? (int64_t)sizeof(double) * (1 + 3 * n * out) : 0;
    }
    return sum;
}

static void refresh(struct mpi_test *t, struct scree_job *job, unsigned set)
{
    struct scree_halo *halo = job->run.scene.halo;
    double speed = 1.0 + job->comm->rank, most = speed;
    int64_t bytes = job->comm->n_bytes;
    int n = 0;
    for (int c = 0; c < N_COLUMNS; c++) n += (set & bit[c]) != 0;
    for (int k = 0; k < halo->n_peers; k++)
        if (halo->ghost_start[k + 1] > halo->ghost_start[k]) most = fmax(most, 1.0 + halo->peer[k]);
    scree_halo_begin_refresh(halo, job->run.scene.particles, set, speed);
    scree_halo_poke(halo);
    speed = scree_halo_end_refresh(halo, job->run.scene.particles, speed);
    MPI_TEST(t, speed == most, "largest speed is %g, expected %g", speed, most);
    MPI_TEST(t, job->comm->n_bytes - bytes == message_bytes(halo, n), "%lld bytes for set %u",
             (long long)(job->comm->n_bytes - bytes), set);
}

/* Refreshes of all sets one after the other, in an order in which sets come again and columns fall
 * behind. */
static void check_sets(struct mpi_test *t, struct scree_job *job)
{
    struct scree_particles *p = job->run.scene.particles;
    size_t n_slots = (size_t)p->n_owned + (size_t)p->n_ghost;
    double(*place)[3] = scree_alloc(n_slots, sizeof *place);
    int since[N_COLUMNS] = {0}, now = 0;
    for (size_t k = 0; k < n_slots; k++) memcpy(place[k], p->pos[k], sizeof *place);
    set_owned(p, place, now);
    refresh(t, job, N_SETS - 1);
    for (unsigned k = 0; k < 3 * N_SETS; k++) {
        unsigned set = k * 7 % N_SETS;
        if (set == 0) continue;
        set_owned(p, place, ++now);
        refresh(t, job, set);
        for (int c = 0; c < N_COLUMNS; c++) {
            if (set & bit[c]) since[c] = now;
            MPI_TEST(t, has_since(p, place, c, since[c]), "column %d after set %u", c, set);
        }
    }
    scree_alloc_free(place);
}

int main(int argc, char **argv)
{
    struct mpi_test t;
    struct scree_job job;
    mpi_test_begin(&t, &argc, &argv);
    if (job_open(&t, &job, t.comm, text, NULL)) {
        struct scree_contacts_motion still = {.dt = job.run.scene.dt,
                                              .largest_radius = job.run.scene.largest_radius};
        scree_contacts_detach_history(job.run.scene.contacts);
        MPI_TEST(&t, scree_contacts_rebuild(job.run.scene.contacts, &still) == SCREE_OK,
                 "no lists");
        MPI_TEST(&t, job.run.scene.particles->n_ghost > 50, "%d ghosts",
                 (int)job.run.scene.particles->n_ghost);
        check_sets(&t, &job);
        scree_job_clear(&job);
    }
    return mpi_test_end(&t);
}
