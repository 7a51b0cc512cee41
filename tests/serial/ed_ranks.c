/* SPDX-License-Identifier: BSD-3-Clause
 * Event-driven grains have the same bits on any number of ranks: engines of up to 16 ranks within
 * one process, for a dilute and a dense gas, one that clusters, sizes that differ by five, walls
 * and gravity, friction, growth, shear, and a lattice of equal speeds, where ties abound. Windows
 * of odd lengths, ranks thinner than a grain, empty ranks, and grains faster than was thought. */
#include <math.h>

#include "ed_hall.h"
#include "mpi_test.h"
#include "scree/rng.h"

static const double pi = 3.14159265358979323846;

struct gas {
    const char *name;
    int side, dimension; /* grains along an edge of a cubic lattice */
    double fraction, restitution, contact_time, friction, ratio;
    bool ties, walls;
    double time;          /* mean distance between grains over mean speed */
    double growth, shear; /* 1/s */
};

struct snapshot {
    double x[3], v[3], spin[3], t, touched;
    int64_t last;
    int32_t n;
};

struct trial {
    const struct gas *gas;
    struct scree_ed_world world;
    struct scree_bricks bricks;
    struct scree_ed_impact impact;
    struct scree_ed_wall wall[2];
    double wanted, end;
    int n_parts;
    double speed_lie; /* what the speed limit is multiplied with */
    struct scree_ed_state *state;
    int64_t n;
    struct snapshot *found; /* by gid */
    int64_t count[SCREE_ED_COUNTS], n_cut, n_redone, n_rounds, n_windows, n_events;
    struct scree_exact sum[SCREE_ED_SUMS];
    bool failed;
};

static double uniform(int64_t k, uint32_t draw) /* in (-1, 1) */
{
    const struct scree_rng_key key = {7, k, SCREE_RNG_VELOCITY, 0};
    return 2.0 * scree_rng_uniform(&key, draw) - 1.0;
}

static double radius_of(const struct gas *gas, int64_t gid)
{
    if (gas->ratio == 1.0) return 0.5;
    return gid % 50 == 0 ? 0.5 * gas->ratio : 0.5 * (1.0 + 0.3 * uniform(gid, 9));
}

static void make_grains(struct trial *trial, double edge)
{
    const struct gas *gas = trial->gas;
    const struct scree_box *box = &trial->world.box;
    int layers = gas->dimension == 3 ? gas->side : 1;
    trial->n = (int64_t)gas->side * gas->side * layers;
    trial->state = scree_alloc((size_t)trial->n, sizeof *trial->state);
    for (int64_t g = 0; g < trial->n; g++) {
        int64_t at[3] = {g % gas->side, g / gas->side % gas->side, g / gas->side / gas->side};
        struct scree_ed_state s = {.t = 0.0, .radius = radius_of(gas, g)};
        for (int a = 0; a < gas->dimension; a++) {
            double v = uniform(g, (uint32_t)a);
            s.x[a] = scree_box_snap(box, a, ((double)at[a] + 0.5) * edge);
            s.v[a] = gas->ties ? (v > 0.0 ? 1.0 : -1.0) : 1.7 * v;
        }
        trial->state[g] = s;
    }
}

static void make_world(struct trial *trial, const struct gas *gas)
{
    double d = gas->dimension, grain = gas->dimension == 3 ? pi / 6.0 : pi / 4.0;
    double edge = gas->ratio > 1.0 ? 1.02 * gas->ratio : pow(grain / gas->fraction, 1.0 / d);
    double length = edge * gas->side;
    const double low[3] = {0.0, 0.0, 0.0}, high[3] = {length, length, d > 2 ? length : 0.0};
    const bool periodic[3] = {true, true, gas->dimension == 3 && !gas->walls};
    memset(trial, 0, sizeof *trial);
    trial->gas = gas;
    struct scree_ed_world *world = &trial->world;
    scree_box_init(&world->box, gas->dimension, low, high, periodic);
    trial->impact = (struct scree_ed_impact){gas->restitution, 0.5, gas->friction};
    world->impact = &trial->impact;
    world->n_materials = 1;
    world->inertia_factor = 0.4;
    world->contact_time = gas->contact_time;
    world->most_events = 1000000;
    world->radius[0] = gas->ratio > 1.0 ? 0.35 : 0.5;
    world->radius[1] = 0.5 * gas->ratio;
    make_grains(trial, edge);
    world->delta = scree_ed_choose_delta(&world->box, trial->n, world->radius);
    if (gas->walls) {
        world->gravity[2] = -1.0;
        world->gravity[0] = 0.25;
        trial->wall[0] = (struct scree_ed_wall){.normal = {0, 0, 1}, .velocity = {0.5, 0, 0}};
        trial->wall[1] = (struct scree_ed_wall){
            .normal = {0, 0, -1}, .place = -length, .speed = 0.1, .velocity = {0, 0, -0.1}};
        world->wall = trial->wall;
        world->n_walls = 2;
    }
    scree_ed_world_init(world);
    world->growth = gas->growth;
    world->shear = world->flow[0][1] = gas->shear;
    world->bent = gas->shear > 0.0;
    world->driven = gas->growth > 0.0 || world->bent;
    world->widen = 1.0 + gas->growth * gas->time;
    if (gas->shear > 0.0) world->widen = world->contract = 1.0 + gas->shear * gas->time;
}

/* Bricks go to ranks at random, or in slabs. */
static void share_out(struct trial *trial, int n_ranks, bool random, int64_t n_bricks)
{
    scree_bricks_init(&trial->bricks, &trial->world.box, 0.3, n_bricks);
    for (int64_t b = 0; b < trial->bricks.count; b++)
        trial->bricks.owner[b] = random ? (int32_t)(0.5 * (1.0 + uniform(b, 20)) * n_ranks)
                                        : (int32_t)(b * n_ranks / trial->bricks.count);
}

static void work(struct scree_ed_link *link, void *context)
{
    struct trial *trial = context;
    struct scree_ed_engine *e;
    struct scree_ed_ranks *r;
    struct scree_ed_tally tally;
    scree_ed_tally_init(&tally);
    scree_ed_engine_create(&e, &trial->world, &tally, link->n_ranks > 1);
    for (int64_t g = 0; g < trial->n; g++) {
        const struct scree_ed_memory memory = {.touched = -INFINITY, .last = SCREE_ED_NOBODY};
        const struct scree_ed_state *s = &trial->state[g];
        double volume = 8.0 * s->radius * s->radius * s->radius;
        const struct scree_ed_grain grain = {
            .gid = g + 1, .inverse_mass = 1.0 / volume, .role = SCREE_ED_OWNED};
        int64_t brick = scree_bricks_find(&trial->bricks, &trial->world.box, s->x);
        if (trial->bricks.owner[brick] == link->rank) scree_ed_engine_add(e, s, &memory, &grain);
    }
    scree_ed_ranks_create(&r, e, link, &trial->bricks, 0.0, trial->wanted);
    for (int k = 1; k <= trial->n_parts; k++) {
        if (trial->speed_lie > 0.0) r->fastest *= trial->speed_lie;
        if (scree_ed_ranks_advance(r, trial->end * k / trial->n_parts) != SCREE_OK) {
            trial->failed = true;
            break;
        }
    }
    for (int32_t i = 0; i < e->n_slots; i++) {
        const struct scree_ed_state *s = &e->state[i];
        const struct scree_ed_memory *m = &e->memory[i];
        if (e->grain[i].role != SCREE_ED_OWNED) continue;
        struct snapshot *f = &trial->found[e->grain[i].gid - 1];
        int32_t image[3] = {0, 0, 0};
        f->t = s->t;
        f->touched = m->touched;
        f->last = m->last;
        f->n = m->n;
        memcpy(f->x, s->x, sizeof f->x);
        memcpy(f->v, s->v, sizeof f->v);
        memcpy(f->spin, m->spin, sizeof f->spin);
        scree_box_shift(&trial->world.box, f->x, image);
    }
    for (int k = 0; k < SCREE_ED_COUNTS; k++) trial->count[k] += tally.count[k];
    for (int k = 0; k < SCREE_ED_SUMS; k++) {
        if (link->rank == 0) scree_exact_clear(&trial->sum[k]);
        scree_exact_merge(&trial->sum[k], &tally.sum[k]);
    }
    trial->n_cut += r->n_cut;
    trial->n_redone += e->n_redone;
    trial->n_events += e->n_events;
    trial->n_rounds = r->n_rounds;
    trial->n_windows = r->n_windows;
    scree_ed_ranks_destroy(&r);
    scree_ed_engine_destroy(&e);
}

struct layout {
    int n_ranks, n_parts;
    bool random;
    int64_t n_bricks;
    double wanted, speed_lie;
};

static void run(struct trial *trial, const struct gas *gas, const struct layout *layout)
{
    make_world(trial, gas);
    share_out(trial, layout->n_ranks, layout->random, layout->n_bricks);
    trial->wanted = layout->wanted;
    trial->n_parts = layout->n_parts;
    trial->speed_lie = layout->speed_lie;
    trial->end = gas->time;
    trial->found = scree_alloc((size_t)trial->n, sizeof *trial->found);
    memset(trial->found, 0, (size_t)trial->n * sizeof *trial->found);
    ed_hall_run(layout->n_ranks, work, trial);
}

static void clear(struct trial *trial)
{
    scree_bricks_clear(&trial->bricks);
    scree_alloc_free(trial->state);
    scree_alloc_free(trial->found);
}

static const struct gas gases[] = {
    {"dilute", 9, 3, 0.1, 1.0, 0.0, 0.0, 1.0, false, false, 1.5, 0.0, 0.0},
    {"dense", 9, 3, 0.45, 1.0, 0.0, 0.0, 1.0, false, false, 0.12, 0.0, 0.0},
    {"clustered disks", 24, 2, 0.25, 0.6, 0.001, 0.0, 1.0, false, false, 15.0, 0.0, 0.0},
    {"lattice of equal speeds", 8, 3, 0.3, 1.0, 0.0, 0.0, 1.0, true, false, 0.6, 0.0, 0.0},
    {"rough", 8, 3, 0.35, 0.8, 0.0, 0.4, 1.0, false, false, 0.5, 0.0, 0.0},
    {"sizes", 14, 2, 0.0, 0.9, 0.001, 0.0, 5.0, false, false, 20.0, 0.0, 0.0},
    {"walls and gravity", 8, 3, 0.2, 0.8, 0.01, 0.0, 1.0, false, true, 1.0, 0.0, 0.0},
    {"growth", 8, 3, 0.3, 1.0, 0.0, 0.0, 1.0, false, false, 0.5, 0.2, 0.0},
    {"shear", 8, 3, 0.3, 0.8, 0.0, 0.0, 1.0, false, false, 0.5, 0.0, 1.0},
};

static const struct layout layouts[] = {
    {1, 1, false, 1, 0.15, 0.0},   {1, 7, false, 1, 0.15, 0.0},  {2, 1, false, 16, 0.15, 0.0},
    {3, 3, false, 64, 0.3, 0.0},   {4, 1, true, 64, 0.15, 0.0},  {7, 2, false, 343, 0.5, 0.0},
    {16, 1, true, 512, 0.15, 0.0}, {8, 1, false, 512, 2.0, 0.0}, {5, 4, false, 100, 0.25, 0.3},
    {16, 1, false, 8, 0.25, 0.0},
};

static void compare(struct mpi_test *t, const struct gas *gas, const struct layout *layout,
                    const struct trial *one, const struct trial *many)
{
    int64_t n_wrong = 0;
    for (int64_t g = 0; g < one->n; g++)
        n_wrong += memcmp(&one->found[g], &many->found[g], sizeof one->found[g]) != 0;
    MPI_TEST(t, !many->failed && n_wrong == 0,
             "%s: %d ranks, windows of %g: %lld of %lld grains differ", gas->name, layout->n_ranks,
             layout->wanted, (long long)n_wrong, (long long)one->n);
    MPI_TEST(t, memcmp(one->count, many->count, sizeof one->count) == 0,
             "%s: %d ranks count %lld collisions, not %lld", gas->name, layout->n_ranks,
             (long long)many->count[0], (long long)one->count[0]);
    for (int k = 0; k < SCREE_ED_SUMS; k++) {
        double a = scree_exact_value(&one->sum[k]), b = scree_exact_value(&many->sum[k]);
        MPI_TEST(t, a == b, "%s: %d ranks: sum %d is %.17g, not %.17g", gas->name, layout->n_ranks,
                 k, b, a);
    }
    if (layout->speed_lie > 0.0) MPI_TEST(t, many->n_cut > 0, "%s: no window was cut", gas->name);
}

int main(int argc, char **argv)
{
    struct mpi_test t;
    mpi_test_begin(&t, &argc, &argv);
    for (size_t g = 0; g < sizeof gases / sizeof *gases; g++) {
        struct trial one, many;
        run(&one, &gases[g], &layouts[0]);
        MPI_TEST(&t, one.count[0] > one.n / 2, "%s: only %lld collisions", gases[g].name,
                 (long long)one.count[0]);
        for (size_t k = 1; k < sizeof layouts / sizeof *layouts; k++) {
            if (MPI_TEST_SANITIZED && k % 4 != g % 4) continue;
            run(&many, &gases[g], &layouts[k]);
            compare(&t, &gases[g], &layouts[k], &one, &many);
            if (getenv("SCREE_TEST_LOUD") != NULL)
                fprintf(stderr,
                        "%s: %d ranks: %lld collisions, %lld windows, %.2f rounds, "
                        "events %.3f, redone %.3f, cut %lld\n",
                        gases[g].name, layouts[k].n_ranks, (long long)one.count[0],
                        (long long)many.n_windows,
                        (double)many.n_rounds / (double)(many.n_windows + 1),
                        (double)many.n_events / (double)(one.count[0] + one.count[1]),
                        (double)many.n_redone / (double)(one.count[0] + one.count[1]),
                        (long long)many.n_cut);
            clear(&many);
        }
        clear(&one);
    }
    return mpi_test_end(&t);
}
