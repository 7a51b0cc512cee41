/* SPDX-License-Identifier: BSD-3-Clause
 * Objectivity of whole runs (VALIDATION A12): a stressed assembly that is turned by a right angle
 * as one rigid body has the stress that it had, seen from itself, if springs follow the grains;
 * with springs that are only projected it has not, whatever the step. On any number of ranks, which
 * the grains cross, with the same bits. */
#include "job_test.h"
#include "scree/vec.h"

enum { SIDE = 3, N = SIDE * SIDE * SIDE, LOADING = 8 };

static const char frame[] =
    "time: {step: 1e-3, steps: 1}\ndomain: {low: [-6, -6, -6], high: [6, 6, 6]}\n"
    "materials: {m: {density: 1}}\nneighbours: {skin: 0.5}\n"
    "particles: [{lattice: {material: m, radius: 0.5, count: 27}}]\n";

/* v turned about the unit vector `axis`. */
static void turn(const double v[3], const double axis[3], double angle, double out[3])
{
    double across[3], along = scree_vec_dot(axis, v), c = cos(angle), s = sin(angle);
    scree_vec_cross(axis, v, across);
    for (int a = 0; a < 3; a++) out[a] = c * v[a] + s * across[a] + (1.0 - c) * along * axis[a];
}

/* Some number from -1 to 1. */
static double draw(int k)
{
    return sin(12.9898 * k + 0.7 * k * k);
}

/* Grains of radius 1 on a lattice of 1.8, somewhat out of place, that no force moves. */
static void put_grains(struct scree_job *job)
{
    struct job_grain grain[N];
    for (int g = 0; g < N; g++) {
        int cell[3] = {g % SIDE, g / SIDE % SIDE, g / SIDE / SIDE};
        grain[g] = (struct job_grain){.radius = 1.0, .mass = 1e15};
        for (int a = 0; a < 3; a++) grain[g].pos[a] = 1.8 * (cell[a] - 1) + 0.03 * draw(3 * g + a);
    }
    job_put(job, grain, N);
}

/* Shear, and spins of all kinds, to load the springs; as fast as the rotation to come. */
static void load_springs(struct mpi_test *t, struct scree_job *job)
{
    struct scree_particles *p = job->run.scene.particles;
    for (scree_lid i = 0; i < p->n_owned; i++) {
        p->vel[i][0] = 3.0 * p->pos[i][1];
        p->vel[i][1] = 1.5 * p->pos[i][2];
        for (int a = 0; a < 3; a++) p->spin[i][a] = 4.0 * draw((int)(100 * p->gid[i] + a));
    }
    job_advance(t, job, LOADING);
}

/* One step that takes every grain to its place after a further rotation. */
static void rotate_once(struct mpi_test *t, struct scree_job *job, const double axis[3],
                        double angle)
{
    struct scree_particles *p = job->run.scene.particles;
    double dt = job->run.scene.dt;
    for (scree_lid i = 0; i < p->n_owned; i++) {
        double to[3];
        turn(p->pos[i], axis, angle, to);
        for (int a = 0; a < 3; a++) {
            p->vel[i][a] = (to[a] - p->pos[i][a]) / dt;
            p->spin[i][a] = axis[a] * angle / dt;
        }
    }
    job_advance(t, job, scree_run_step(&job->run) + 1);
}

/* Dashpots come to rest: they think of the velocities of the step before as well. */
static void rest(struct mpi_test *t, struct scree_job *job)
{
    const double any[3] = {1, 0, 0};
    for (int k = 0; k < 2; k++) rotate_once(t, job, any, 0.0);
}

struct sums {
    struct scree_exact stress[9], couples[9];
};

static void add_contact(void *context, const struct scree_contact *d)
{
    struct sums *sums = context;
    double share = d->weight, distance = 2.0 + d->gap;
    for (int a = 0; a < 9; a++) {
        double arm = share * d->normal[a % 3];
        scree_exact_add(&sums->stress[a], arm * distance * d->force[a / 3]);
        scree_exact_add(&sums->couples[a], arm * d->couple[a / 3]);
    }
}

/* Sums over contacts of force and couple times branch, as tensors. */
static void measure(struct scree_job *job, double tensor[2][3][3])
{
    struct sums sums;
    for (int a = 0; a < 9; a++) {
        scree_exact_clear(&sums.stress[a]);
        scree_exact_clear(&sums.couples[a]);
    }
    job->run.stepper->contacts(job->run.state, &job->run.scene, add_contact, &sums);
    scree_comm_sum_exact(job->comm, sums.stress, 9);
    scree_comm_sum_exact(job->comm, sums.couples, 9);
    for (int a = 0; a < 9; a++) {
        tensor[0][a / 3][a % 3] = scree_exact_value(&sums.stress[a]);
        tensor[1][a / 3][a % 3] = scree_exact_value(&sums.couples[a]);
    }
}

static void turn_tensor(double t[3][3], const double axis[3], double angle)
{
    double rows[3][3], column[3], turned[3];
    for (int a = 0; a < 3; a++) turn(t[a], axis, angle, rows[a]);
    for (int b = 0; b < 3; b++) {
        for (int a = 0; a < 3; a++) column[a] = rows[a][b];
        turn(column, axis, angle, turned);
        for (int a = 0; a < 3; a++) t[a][b] = turned[a];
    }
}

struct outcome {
    double stress, couples; /* errors relative to the pressure and to the couples */
    double shear; /* largest off-diagonal part over pressure: is there something to turn */
    double end[2][3][3];
};

static struct outcome rotate(struct mpi_test *t, struct scree_comm *comm, const char *laws,
                             const double axis[3], int steps)
{
    char text[2000];
    const char *const forced[] = {"balance={force_every: 60, bricks_per_rank: 12}", NULL};
    struct outcome o = {.stress = NAN};
    struct scree_job job;
    double first[2][3][3], right = acos(0.0), off = 0.0, size = 0.0;
    snprintf(text, sizeof text, "%scontacts: [{between: [m, m], %s}]\n", frame, laws);
    if (!job_open(t, &job, comm, text, comm->n_ranks > 1 ? forced : NULL)) return o;
    put_grains(&job);
    job_start(t, &job);
    load_springs(t, &job);
    rest(t, &job);
    measure(&job, first);
    for (int k = 0; k < steps; k++) rotate_once(t, &job, axis, right / steps);
    rest(t, &job);
    measure(&job, o.end);
    scree_job_clear(&job);
    double back[2][3][3], pressure = (first[0][0][0] + first[0][1][1] + first[0][2][2]) / 3.0;
    memcpy(back, o.end, sizeof back);
    o.stress = o.couples = 0.0;
    for (int m = 0; m < 2; m++) turn_tensor(back[m], axis, -right);
    for (int a = 0; a < 9; a++) {
        o.stress = fmax(o.stress, fabs(back[0][a / 3][a % 3] - first[0][a / 3][a % 3]) / pressure);
        off = fmax(off, fabs(back[1][a / 3][a % 3] - first[1][a / 3][a % 3]));
        size = fmax(size, fabs(first[1][a / 3][a % 3]));
        if (a % 4 != 0) o.shear = fmax(o.shear, fabs(first[0][a / 3][a % 3]) / pressure);
    }
    o.couples = size > 0.0 ? off / size : 0.0;
    return o;
}

#define LINEAR "normal: {law: linear, stiffness: 1e3, damping: 1}, "
static const char *const objective[] = {
    LINEAR "tangential: {law: fazekas, stiffness: 300, friction: 0.5, damping: 1}",
    LINEAR "tangential: {law: kuhn, stiffness: 300, friction: 0.5, damping: 1}",
    "normal: {law: hertz, young: 1e3, poisson: 0.3, viscous_time: 1e-3}, tangential: {law: "
    "mindlin, "
    "young: 1e3, poisson: 0.3, friction: 0.5}",
    LINEAR "tangential: {law: kuhn, stiffness: 300, friction: 0.5}, rolling: {law: spring, "
           "stiffness: 100, friction: 0.5}, torsion: {law: spring, stiffness: 100, friction: 0.5}",
};
static const char projected[] = LINEAR "tangential: {law: spring, stiffness: 300, friction: 0.5}";
static const double axes[3][3] = {{1, 0, 0}, {0, 0, 1}, {0.48, 0.6, 0.64}};

/* Seen from the grains, within 1e-6 of the pressure. */
static void check_objective(struct mpi_test *t, const char *laws)
{
    bool several = t->comm->n_ranks > 1;
    for (int a = several ? 2 : 0; a < 3; a++) {
        struct outcome o = rotate(t, t->comm, laws, axes[a], 1000);
        MPI_TEST(t, o.stress < 1e-6, "axis %d: stress off by %g: %s", a, o.stress, laws);
        MPI_TEST(t, o.couples < 1e-6, "axis %d: couples off by %g: %s", a, o.couples, laws);
        MPI_TEST(t, o.shear > 0.05, "%s: hardly any shear, %g", laws, o.shear);
        if (!several) continue;
        struct outcome alone = {.stress = NAN};
        if (t->comm->rank == 0) alone = rotate(t, job_self(), laws, axes[a], 1000);
        mpi_test_tell(t, &alone, sizeof alone);
        MPI_TEST(t, memcmp(alone.end, o.end, sizeof o.end) == 0, "%s: other bits than alone", laws);
    }
}

static void check_projected(struct mpi_test *t)
{
    double coarse = rotate(t, t->comm, projected, axes[2], 250).stress;
    double fine = rotate(t, t->comm, projected, axes[2], 1000).stress;
    MPI_TEST(t, fine > 0.03 && fine > 0.9 * coarse, "projected spring: %g, and %g in more steps",
             coarse, fine);
}

/* Tangential force of a pair whose line of centres turns once, in the plane of its spring, relative
 * to that before. */
static double turn_pair(struct mpi_test *t, int steps)
{
    static const char pair[] =
        "time: {step: 1e-3, steps: 1}\ndomain: {low: [-6, -6, -6], high: [6, 6, 6]}\n"
        "materials: {m: {density: 1}}\nparticles: [{lattice: {material: m, radius: 0.5, count: "
        "2}}]\n";
    const struct job_grain grain[2] = {{.pos = {0.95, 0, 0}, .radius = 1, .mass = 1e15},
                                       {.pos = {-0.95, 0, 0}, .radius = 1, .mass = 1e15}};
    const double z[3] = {0, 0, 1};
    double size[2] = {NAN, NAN};
    char text[2000];
    struct scree_job job;
    snprintf(text, sizeof text, "%scontacts: [{between: [m, m], %s}]\n", pair, projected);
    if (!job_open(t, &job, job_self(), text, NULL)) return NAN;
    job_put(&job, grain, 2);
    job_start(t, &job);
    struct scree_particles *p = job.run.scene.particles;
    for (scree_lid i = 0; i < p->n_owned; i++) p->vel[i][1] = p->pos[i][0] > 0.0 ? 1.0 : -1.0;
    job_advance(t, &job, 10); /* 0.02 m of spring; friction allows 0.17 m */
    for (int k = 0; k < 2; k++) {
        struct job_motion m[2];
        rest(t, &job);
        job_find_all(&job, m, 2);
        double n[3] = {m[0].pos[0] - m[1].pos[0], m[0].pos[1] - m[1].pos[1], 0.0};
        size[k] = fabs(n[0] * m[0].force[1] - n[1] * m[0].force[0]) / scree_vec_norm(n);
        for (int step = 0; step < steps && k == 0; step++)
            rotate_once(t, &job, z, 4.0 * acos(0.0) / steps);
    }
    scree_job_clear(&job);
    return size[1] / size[0];
}

/* Projection alone shortens the spring by cos(2 pi / N) in each of the N steps of a turn. */
static void check_projected_pair(struct mpi_test *t)
{
    for (int steps = 500; steps <= 8000; steps *= 4) {
        double left = turn_pair(t, steps), expected = pow(cos(4.0 * acos(0.0) / steps), steps);
        MPI_TEST(t, fabs(left - expected) < 0.05 * (1.0 - expected),
                 "%d steps a turn: %.6f of the spring is left, projection leaves %.6f", steps, left,
                 expected);
    }
}

int main(int argc, char **argv)
{
    struct mpi_test t;
    mpi_test_begin(&t, &argc, &argv);
    for (int k = 0; k < (int)(sizeof objective / sizeof objective[0]); k++)
        check_objective(&t, objective[k]);
    check_projected(&t);
    if (mpi_test_serial(&t)) check_projected_pair(&t);
    return mpi_test_end(&t);
}
