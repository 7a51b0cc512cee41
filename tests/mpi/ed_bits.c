/* SPDX-License-Identifier: BSD-3-Clause
 * Event-driven grains have the same bits on any number of ranks, through forced balances and
 * resumes, and rows, measurements and contacts do as well: a dilute, a dense and a clustered gas, a
 * lattice of equal speeds (these also on 7 and 16 ranks), sizes that differ by five, rough grains,
 * walls that move, gravity, grains that come and stages that change what drives them. */
#include "bits_test.h"

enum { STEPS = 16, MANY_RANKS = 4 };

struct gas {
    const char *name, *text, *set;
    bool on_many; /* also on many ranks */
};

#define HEAD                                                      \
    "method: ed\ntime: {step: 0.1, steps: 1}\nseed: 5\n"          \
    "materials: {m: {density: 1}, w: {density: 1}}\n"             \
    "contacts:\n- {between: [m, m], rigid: {restitution: 0.9}}\n" \
    "- {between: [m, w], rigid: {restitution: 0.8}}\n"
#define CUBE "domain: {low: [-4, 1, 0], high: [6, 10, 12], periodic: [x, y, z]}\n"

static const struct gas gases[] = {
    {"dilute",
     HEAD CUBE "particles: [{random: {count: 180, material: m, radius: 0.5, speed: 3}}]\n", NULL,
     true},
    {"dense", HEAD CUBE "particles: [{dense: {count: 860, material: m, radius: 0.5, speed: 1}}]\n",
     "contacts.0.rigid={restitution: 1}", true},
    {"clustered",
     HEAD "dimension: 2\nevents: {contact_time: 1e-3}\n"
          "domain: {low: [0, 0], high: [40, 30], periodic: [x, y]}\n"
          "particles: [{random: {count: 380, material: m, radius: 0.5, speed: 20}}]\n",
     "contacts.0.rigid={restitution: 0.4}", true},
    {"sizes, rough",
     HEAD "dimension: 2\n"
          "domain: {low: [0, 0], high: [30, 30], periodic: [x, y]}\n"
          "particles: [{random: {count: 200, material: m, radius: {power: {low: 0.3, high: 1.5, "
          "exponent: 3}}, "
          "speed: 4, spin: 2}}]\n",
     "contacts.0.rigid={restitution: 0.9, friction: 0.3, restitution_tangential: 0.5}", false},
    {"lattice",
     HEAD CUBE "particles:\n- lattice: {material: m, radius: 0.4, spacing: 1, drift: [2, 0, 0], "
               "low: [-4, 1, 0], "
               "high: [1, 10, 12]}\n- lattice: {material: m, radius: 0.4, spacing: 1, drift: [-2, "
               "0, 0], low: "
               "[1, 1, 0], high: [6, 10, 12]}\n",
     "contacts.0.rigid={restitution: 1}", true},
    {"growth",
     HEAD "dimension: 2\nevents: {growth: 0.1, solid_fraction: 0.7, rest: false}\n"
          "domain: {low: [0, 0], high: [30, 30], periodic: [x]}\n"
          "boundaries:\n"
          "  floor: {shape: plane, material: w, point: [0, 0], normal: [0, 1]}\n"
          "  lid: {shape: plane, material: w, point: [0, 30], normal: [0, -1]}\n"
          "particles: [{random: {count: 320, material: m, radius: {uniform: [0.4, 0.8]}, "
          "speed: 4}}]\n",
     "contacts.0.rigid={restitution: 1}", false},
    {"sheared",
     HEAD CUBE "cell: {strain_rate: {yz: 1}}\n"
               "particles: [{random: {count: 300, material: m, radius: 0.5, speed: 3}}]\n",
     NULL, false},
    {"sheared, sizes, rough",
     HEAD "dimension: 2\ncell: {strain_rate: {xy: -2}}\n"
          "domain: {low: [0, 0], high: [30, 20], periodic: [x, y]}\n"
          "particles: [{random: {count: 180, material: m, radius: {uniform: [0.3, 1.2]}, "
          "speed: 4, spin: 2}}]\n",
     "contacts.0.rigid={restitution: 0.9, friction: 0.3, restitution_tangential: 0.5}", false},
    {"walls and gravity",
     HEAD
     "events: {contact_time: 1e-3}\ngravity: [1, 0, -9]\n"
     "domain: {low: [0, 0, 0], high: [9, 9, 9], periodic: [x, y]}\n"
     "boundaries:\n"
     "  floor: {shape: plane, material: w, point: [0, 0, 0], normal: [0, 0, 1], velocity: [0, 0, "
     "0.5]}\n"
     "  lid: {shape: plane, material: w, point: [0, 0, 9], normal: [0, 0, -1], velocity: [2, 0, "
     "-1]}\n"
     "particles: [{random: {count: 250, material: m, radius: 0.5, speed: 2}}]\n",
     NULL, false},
};

struct job_of {
    const struct gas *gas;
    const char *set;
};

static bool open_job(struct mpi_test *t, struct scree_job *job, struct scree_comm *comm,
                     const char *from, const void *context)
{
    const struct job_of *of = context;
    const char *sets[3] = {of->gas->set, of->set, NULL};
    const char **first = sets + (sets[0] == NULL);
    return job_open_from(t, job, comm, of->gas->text, first, from);
}

/* What a user would see at the end. */
struct view {
    double figure[SCREE_FIGURES], energy[8], force[3], stress[3][3], weight;
    int64_t contacts;
};

static void add_contact(void *context, const struct scree_contact *c)
{
    struct scree_exact *sum = context;
    for (int a = 0; a < 9; a++)
        scree_exact_add(&sum[a], c->branch[a / 3] * c->force[a % 3] * c->weight);
    scree_exact_add(&sum[9], c->weight);
}

static struct view look(struct mpi_test *t, struct scree_comm *comm, const struct gas *gas)
{
    struct scree_job job;
    struct view v;
    struct scree_exact sum[10];
    struct scree_energies e;
    struct scree_wall_total total;
    const struct job_of of = {gas, comm->n_ranks > 1 ? "balance.force_every=3" : NULL};
    memset(&v, 0, sizeof v);
    if (!open_job(t, &job, comm, NULL, &of)) return v;
    job_start(t, &job);
    job_advance(t, &job, 3);
    job_advance(t, &job, STEPS);
    const struct scree_stepper *s = job.run.stepper;
    for (int k = 0; k < 10; k++) scree_exact_clear(&sum[k]);
    s->contacts(job.run.state, &job.run.scene, add_contact, sum);
    scree_comm_sum_exact(comm, sum, 10);
    for (int a = 0; a < 9; a++) v.stress[a / 3][a % 3] = scree_exact_value(&sum[a]);
    v.weight = scree_exact_value(&sum[9]);
    s->energies(job.run.state, &job.run.scene, &e);
    memcpy(v.energy, e.value, sizeof v.energy[0] * 5);
    v.energy[5] = e.closure;
    MPI_TEST(t, fabs(scree_energies_error(&e)) < 1e-12, "%s: closure %g", gas->name,
             scree_energies_error(&e));
    s->measure(job.run.state, &job.run.scene, v.figure);
    if (job.run.scene.walls->n > 1) {
        scree_walls_total(job.run.scene.walls, 1, comm, &total);
        memcpy(v.force, total.force, sizeof v.force);
    }
    scree_job_clear(&job);
    return v;
}

static void check_view(struct mpi_test *t, const struct gas *gas)
{
    struct view alone;
    memset(&alone, 0, sizeof alone);
    if (t->comm->rank == 0) alone = look(t, job_self(), gas);
    mpi_test_tell(t, &alone, sizeof alone);
    struct view all = look(t, t->comm, gas);
    MPI_TEST(t, alone.figure[0] > 100.0 && alone.weight > 1.0,
             "%s: %g collisions, %g in the last step", gas->name, alone.figure[0], alone.weight);
    MPI_TEST(t, alone.weight == all.weight, "%s: %g contacts, not %g", gas->name, all.weight,
             alone.weight);
    MPI_TEST(t, memcmp(alone.stress, all.stress, sizeof all.stress) == 0, "%s: other stress",
             gas->name);
    MPI_TEST(t, memcmp(alone.figure, all.figure, sizeof all.figure) == 0, "%s: other figures",
             gas->name);
    MPI_TEST(t, memcmp(alone.energy, all.energy, sizeof all.energy) == 0, "%s: other energies",
             gas->name);
    MPI_TEST(t, memcmp(alone.force, all.force, sizeof all.force) == 0, "%s: other force on the lid",
             gas->name);
}

int main(int argc, char **argv)
{
    struct mpi_test t;
    mpi_test_begin(&t, &argc, &argv);
    for (size_t k = 0; k < sizeof gases / sizeof *gases; k++) {
        static const char *const sets[] = {NULL, "balance={force_every: 5, method: hilbert}",
                                           "balance={force_every: 3, bricks_per_rank: 3}"};
        const struct job_of of = {&gases[k], sets[k % 3]};
        if (t.comm->n_ranks > MANY_RANKS) { /* those that matter, and not for long */
            if (gases[k].on_many) bits_check(&t, open_job, &of, 2, 4);
            continue;
        }
        bits_check(&t, open_job, &of, STEPS / 2, STEPS);
        check_view(&t, &gases[k]);
    }
    return mpi_test_end(&t);
}
