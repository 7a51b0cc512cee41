/* SPDX-License-Identifier: BSD-3-Clause
 * Ways to solve one step of a disordered lattice of spheres that is pressed from above, the problem
 * of CD-SOLVERS 3.2 and 3.3: splitting the masses of grains that blocks share converges for any
 * number of blocks (V6, V13), adding what blocks do to them, as is, does not (B6), and conjugate
 * directions save most of the sweeps. Problems are made by hand, from links and blocks. */
#include "cd_test.h"

struct link {
    int a, b; /* b < 0: a wall */
    double normal[3], friction;
};

/* Spheres of unit mass and diameter. */
struct lattice {
    int size[3], n, n_links; /* sites along x, y, z, of which every second one is taken */
    double *free[3];         /* m/s */
    int (*at)[3];
    struct link *link;
    bool *driven;
};

static double draw(unsigned *seed)
{
    *seed = 1664525U * *seed + 1013904223U;
    return ((double)(*seed >> 8) + 0.5) / 16777216.0;
}

static double draw_normal(unsigned *seed)
{
    return sqrt(-2.0 * log(draw(seed))) * cos(6.283185307179586 * draw(seed));
}

static void add_link(struct lattice *l, int a, int b, const double normal[3], double friction)
{
    l->link[l->n_links++] = (struct link){a, b, {normal[0], normal[1], normal[2]}, friction};
}

/* Neighbours in face-centred order, of which a part has no contact, with disturbed normals; smooth
 * walls at the sides and a rough floor. A lattice of one layer is a packing of disks. */
static void make_contacts(struct lattice *l, const int *site, double missing, unsigned *seed)
{
    static const int to[6][3] = {{1, 1, 0},  {1, -1, 0}, {1, 0, 1},
                                 {1, 0, -1}, {0, 1, 1},  {0, 1, -1}};
    const double tilt = 0.15;
    const int flat = l->size[1] == 1;
    for (int i = 0; i < l->n; i++) {
        for (int k = 0; k < 6; k++) {
            int x[3], inside = 1;
            for (int a = 0; a < 3; a++) {
                x[a] = l->at[i][a] + to[k][a];
                inside = inside && x[a] >= 0 && x[a] < l->size[a];
            }
            if (!inside || draw(seed) < missing) continue;
            double n[3], size = 0.0;
            for (int a = 0; a < 3; a++) {
                n[a] = -to[k][a] * sqrt(0.5) + (flat && a == 1 ? 0.0 : tilt * draw_normal(seed));
                size += n[a] * n[a];
            }
            for (int a = 0; a < 3; a++) n[a] /= sqrt(size);
            int j = site[(x[0] * l->size[1] + x[1]) * l->size[2] + x[2]];
            add_link(l, i, j, n, 0.3);
        }
        for (int a = 0; a < 3; a++)
            for (int end = 0; end < 2; end++) {
                double n[3] = {0.0, 0.0, 0.0};
                n[a] = end == 0 ? 1.0 : -1.0;
                bool open = (a == 1 && flat) || (a == 2 && end == 1);
                if (!open && l->at[i][a] == end * (l->size[a] - 1))
                    add_link(l, i, -1, n, a == 2 ? 0.3 : 0.0);
            }
    }
}

static void allocate(struct lattice *l, int most)
{
    l->at = scree_alloc((size_t)most, sizeof *l->at);
    l->link = scree_alloc((size_t)most * 12, sizeof *l->link);
    l->driven = scree_alloc((size_t)most, sizeof *l->driven);
    memset(l->driven, 0, (size_t)most * sizeof *l->driven);
    for (int a = 0; a < 3; a++) {
        l->free[a] = scree_alloc((size_t)most, sizeof(double));
        memset(l->free[a], 0, (size_t)most * sizeof(double));
    }
}

static struct lattice make_lattice(int nx, int ny, int nz, double missing)
{
    struct lattice l = {.size = {nx, ny, nz}};
    unsigned seed = 5;
    int *site = scree_alloc((size_t)(nx * ny * nz), sizeof *site);
    allocate(&l, nx * ny * nz / 2 + 1);
    for (int x = 0; x < nx; x++)
        for (int y = 0; y < ny; y++)
            for (int z = 0; z < nz; z++) {
                if ((x + y + z) % 2 != 0) continue;
                site[(x * ny + y) * nz + z] = l.n;
                memcpy(l.at[l.n], (int[]){x, y, z}, sizeof l.at[0]);
                l.free[2][l.n++] = z == nz - 1 ? -100.0 : 0.0;
            }
    make_contacts(&l, site, missing, &seed);
    scree_alloc_free(site);
    return l;
}

/* Beads in a row, of which the first one moves at unit speed. */
static struct lattice make_row(int n)
{
    struct lattice l = {.size = {1, 1, n}, .n = n};
    allocate(&l, n);
    for (int i = 0; i < n; i++) {
        memcpy(l.at[i], (int[]){0, 0, i}, sizeof l.at[0]);
        if (i > 0) add_link(&l, i - 1, i, (double[]){0.0, 0.0, -1.0}, 0.0);
    }
    l.driven[0] = true;
    l.free[2][0] = 1.0;
    return l;
}

static void clear_lattice(struct lattice *l)
{
    for (int a = 0; a < 3; a++) scree_alloc_free(l->free[a]);
    scree_alloc_free(l->at);
    scree_alloc_free(l->link);
    scree_alloc_free(l->driven);
}

/* Blocks: as many boxes along each axis; 0: each contact is a block of its own. */
struct blocks {
    int n[3];
    bool split; /* masses */
};

static int block_of(const struct lattice *l, const struct blocks *blocks, int k)
{
    const int *at = l->at[l->link[k].a];
    int block = 0;
    if (blocks->n[0] == 0) return k;
    for (int a = 0; a < 3; a++) block = block * blocks->n[a] + at[a] * blocks->n[a] / l->size[a];
    return block;
}

static void make_bodies(const struct lattice *l, struct scree_cd_problem *p)
{
    p->n_bodies = (size_t)l->n;
    p->body = scree_alloc((size_t)l->n, sizeof *p->body);
    memset(p->body, 0, (size_t)l->n * sizeof *p->body);
    for (int i = 0; i < l->n; i++) {
        p->body[i].gid = i;
        p->body[i].inverse_mass = l->driven[i] ? 0.0 : 1.0;
        p->body[i].inverse_inertia = l->driven[i] ? 0.0 : 10.0; /* 2/5 m r^2 */
        for (int a = 0; a < 3; a++) p->body[i].free[a] = l->free[a][i];
    }
}

/* Contacts by blocks, in a random order within each. */
static int *sort_links(const struct lattice *l, const struct blocks *blocks,
                       struct scree_cd_problem *p)
{
    unsigned seed = 11;
    int *order = scree_alloc((size_t)l->n_links, sizeof *order), *fill;
    p->n_blocks = blocks->n[0] == 0 ? l->n_links : blocks->n[0] * blocks->n[1] * blocks->n[2];
    p->block = scree_alloc((size_t)p->n_blocks, sizeof *p->block);
    p->block_contacts = scree_alloc((size_t)p->n_blocks + 1, sizeof *p->block_contacts);
    fill = scree_alloc((size_t)p->n_blocks + 1, sizeof *fill);
    memset(p->block_contacts, 0, ((size_t)p->n_blocks + 1) * sizeof *fill);
    for (int b = 0; b < p->n_blocks; b++) p->block[b] = b;
    for (int k = 0; k < l->n_links; k++) p->block_contacts[block_of(l, blocks, k) + 1]++;
    for (int b = 0; b < p->n_blocks; b++) p->block_contacts[b + 1] += p->block_contacts[b];
    memcpy(fill, p->block_contacts, ((size_t)p->n_blocks + 1) * sizeof *fill);
    for (int k = 0; k < l->n_links; k++) order[fill[block_of(l, blocks, k)]++] = k;
    for (int b = 0; b < p->n_blocks; b++)
        for (int k = p->block_contacts[b + 1] - 1; k > p->block_contacts[b]; k--) {
            int first = p->block_contacts[b], kept = order[k];
            int other = first + (int)(draw(&seed) * (k - first + 1));
            order[k] = order[other];
            order[other] = kept;
        }
    scree_alloc_free(fill);
    return order;
}

/* A copy of each body in every block that has contacts with it; place[block * n + body]. */
static int32_t *make_copies(const struct lattice *l, const int *order, struct scree_cd_problem *p)
{
    const size_t n = (size_t)l->n, most = 2 * (size_t)l->n_links;
    int32_t *place = scree_alloc((size_t)p->n_blocks * n, sizeof *place);
    memset(place, -1, (size_t)p->n_blocks * n * sizeof *place);
    p->block_copies = scree_alloc((size_t)p->n_blocks + 1, sizeof *p->block_copies);
    p->copy_body = scree_alloc(most, sizeof *p->copy_body);
    p->copy = scree_alloc(most, sizeof *p->copy);
    p->copy_before = scree_alloc(most, sizeof *p->copy_before);
    p->copy_direction = scree_alloc(most, sizeof *p->copy_direction);
    for (int b = 0; b < p->n_blocks; b++) {
        p->block_copies[b] = (int)p->n_copies;
        for (int k = p->block_contacts[b]; k < p->block_contacts[b + 1]; k++)
            for (int side = 0; side < 2; side++) {
                int i = side == 0 ? l->link[order[k]].a : l->link[order[k]].b;
                if (i < 0 || place[(size_t)b * n + (size_t)i] >= 0) continue;
                p->copy_body[p->n_copies] = i;
                place[(size_t)b * n + (size_t)i] = (int32_t)p->n_copies++;
                p->body[i].n_blocks++;
            }
    }
    p->block_copies[p->n_blocks] = (int)p->n_copies;
    return place;
}

/* Which copies belong together, and the masses that they have. */
static void make_shares(const struct lattice *l, bool split, const int32_t *place,
                        struct scree_cd_problem *p)
{
    size_t n_members = 0;
    p->member = scree_alloc(p->n_copies + 1, sizeof *p->member);
    p->first_member = scree_alloc(p->n_bodies + 1, sizeof *p->first_member);
    p->share = scree_alloc(p->n_bodies, sizeof *p->share);
    p->share_copy = scree_alloc(p->n_copies + 1, sizeof *p->share_copy);
    for (int i = 0; i < l->n; i++) {
        struct scree_cd_share *share = &p->share[p->n_shares];
        const struct scree_cd_body *body = &p->body[i];
        p->first_member[i] = n_members;
        *share = (struct scree_cd_share){(int)body->n_blocks, (int)n_members};
        for (int b = 0; b < p->n_blocks; b++) {
            int32_t copy = place[(size_t)b * p->n_bodies + (size_t)i];
            if (copy < 0) continue;
            p->share_copy[n_members] = copy;
            p->member[n_members++] = b;
            double k = split ? (double)body->n_blocks : 1.0;
            p->copy[copy].inverse_mass = k * body->inverse_mass;
            p->copy[copy].inverse_inertia = k * body->inverse_inertia;
        }
        p->n_shares += body->n_blocks > 1;
    }
    p->first_member[l->n] = n_members;
    p->sweep_order = scree_alloc((size_t)p->n_blocks, sizeof *p->sweep_order);
    for (int b = 0; b < p->n_blocks; b++) p->sweep_order[b] = b;
}

static void set_contact(const struct scree_cd_problem *p, const struct link *link, int32_t a,
                        int32_t b, struct scree_cd_contact *c)
{
    const double arm = 0.5;
    const struct scree_cd_body none = {.inverse_mass = 0.0}, *i = &p->body[link->a];
    const struct scree_cd_body *j = link->b >= 0 ? &p->body[link->b] : &none;
    const struct scree_cd_copy *x = &p->copy[a];
    double n = x->inverse_mass, spins = x->inverse_inertia;
    if (b >= 0) {
        n += p->copy[b].inverse_mass;
        spins += p->copy[b].inverse_inertia;
    }
    *c = (struct scree_cd_contact){.arm = {arm, arm}, .friction = link->friction, .a = a, .b = b};
    memcpy(c->normal, link->normal, sizeof c->normal);
    c->mass_n = 1.0 / n;
    c->mass_t = 1.0 / (n + arm * arm * spins);
    c->weight_n = i->inverse_mass + j->inverse_mass;
    c->weight_t = c->weight_n + arm * arm * (i->inverse_inertia + j->inverse_inertia);
}

static void make_problem(const struct lattice *l, struct blocks blocks, struct scree_cd_problem *p)
{
    const size_t n = (size_t)l->n_links;
    memset(p, 0, sizeof *p);
    p->comm = job_self();
    p->dt = 1.0;
    p->n_contacts = n;
    make_bodies(l, p);
    int *order = sort_links(l, &blocks, p);
    int32_t *place = make_copies(l, order, p);
    make_shares(l, blocks.split, place, p);
    p->contact = scree_alloc(n, sizeof *p->contact);
    p->impulse = scree_alloc(n, sizeof *p->impulse);
    p->impulse_before = scree_alloc(n, sizeof *p->impulse_before);
    p->direction = scree_alloc(n, sizeof *p->direction);
    p->rate = scree_alloc(1, sizeof *p->rate);
    p->rate_before = scree_alloc(1, sizeof *p->rate_before);
    memset(p->impulse, 0, n * sizeof *p->impulse);
    for (int b = 0; b < p->n_blocks; b++)
        for (int k = p->block_contacts[b]; k < p->block_contacts[b + 1]; k++) {
            const struct link *link = &l->link[order[k]];
            const int32_t *row = place + (size_t)b * (size_t)l->n;
            set_contact(p, link, row[link->a], link->b >= 0 ? row[link->b] : -1, &p->contact[k]);
        }
    scree_alloc_free(order);
    scree_alloc_free(place);
}

/* What is done to a body in its blocks is added, although each took it for whole. */
static void add_increments(struct scree_cd_problem *p)
{
    for (size_t s = 0; s < p->n_shares; s++) {
        const int32_t *at = p->share_copy + p->share[s].first;
        double sum[6] = {0.0};
        for (int k = 0; k < p->share[s].n; k++)
            for (int a = 0; a < 3; a++) {
                sum[a] += p->copy[at[k]].v[a] - p->copy_before[at[k]][a];
                sum[3 + a] += p->copy[at[k]].w[a] - p->copy_before[at[k]][3 + a];
            }
        for (int k = 0; k < p->share[s].n; k++)
            for (int a = 0; a < 3; a++) {
                p->copy[at[k]].v[a] = p->copy_before[at[k]][a] + sum[a];
                p->copy[at[k]].w[a] = p->copy_before[at[k]][3 + a] + sum[3 + a];
            }
    }
}

static void sweep_additively(struct scree_cd_problem *p, int sweeps)
{
    struct scree_cd_outcome outcome;
    scree_cd_measure(p, &outcome);
    for (int s = 0; s < sweeps; s++) {
        memcpy(p->impulse_before, p->impulse, p->n_contacts * sizeof *p->impulse);
        for (size_t k = 0; k < p->n_copies; k++) {
            memcpy(p->copy_before[k], p->copy[k].v, sizeof p->copy[k].v);
            memcpy(p->copy_before[k] + 3, p->copy[k].w, sizeof p->copy[k].w);
        }
        for (int b = 0; b < p->n_blocks; b++) scree_cd_sweep(p, b);
        add_increments(p);
    }
}

static const struct scree_cd_solver *find_solver(const char *name)
{
    int k = 0;
    while (strcmp(scree_cd_solver_names[k], name) != 0) k++;
    return scree_cd_solver_at(k);
}

/* From a cold start. */
static struct scree_cd_outcome solve(const struct lattice *l, const char *solver, int boxes,
                                     double residual, struct scree_cd_problem *p)
{
    struct scree_cd_values values = {.residual = residual,
                                     .force_change = INFINITY,
                                     .unbalanced = INFINITY,
                                     .least = 1,
                                     .most = 5000,
                                     .fixed = INT64_MIN,
                                     .check = 5,
                                     .sweeps_per_exchange = 1};
    struct scree_cd_outcome outcome;
    make_problem(l, (struct blocks){{boxes, boxes, boxes}, true}, p);
    find_solver(solver)->solve(&values, p, &outcome);
    return outcome;
}

static int count_sweeps(struct mpi_test *t, const struct lattice *l, const char *solver, int boxes,
                        double residual)
{
    struct scree_cd_problem p;
    struct scree_cd_outcome outcome = solve(l, solver, boxes, residual, &p);
    MPI_TEST(t, outcome.converged, "%s in %d boxes each way: residual %g after %d sweeps", solver,
             boxes, outcome.residual, (int)outcome.sweeps);
    scree_cd_problem_clear(&p);
    return (int)outcome.sweeps;
}

enum { SIDE = MPI_TEST_SANITIZED ? 8 : 16 };

/* V6, and conjugate directions. A table of CD-SOLVERS 3.3 has 127, 179 and 266 plain sweeps to a
 * residual of 1e-3, and 125, 168 and 243 with directions to 1e-4: of other random numbers, so only
 * their ratios are tested. */
static void check_split(struct mpi_test *t, const struct lattice *l)
{
    int plain[3], directed[3], k = 0;
    for (int boxes = 1; boxes <= 4; boxes *= 2, k++) {
        plain[k] = count_sweeps(t, l, "sweeps", boxes, 1e-3);
        directed[k] = count_sweeps(t, l, "nncg", boxes, 1e-4);
    }
    MPI_TEST(t, plain[1] <= 1.5 * plain[0], "8 blocks: %d of %d sweeps", plain[1], plain[0]);
    MPI_TEST(t, plain[2] <= 2.4 * plain[0], "64 blocks: %d of %d sweeps", plain[2], plain[0]);
    MPI_TEST(t, directed[1] <= 1.5 * directed[0], "8 blocks: %d of %d with directions", directed[1],
             directed[0]);
    MPI_TEST(t, directed[2] <= 2.4 * directed[0], "64 blocks: %d of %d with directions",
             directed[2], directed[0]);
    int sweeps = count_sweeps(t, l, "sweeps", 1, 1e-4);
    MPI_TEST(t, sweeps >= 3 * directed[0], "%d sweeps with directions, %d without", directed[0],
             sweeps);
}

/* Residual, and the sum of the squares of all impulses. */
struct state {
    double residual, size;
};

static struct state look(struct scree_cd_problem *p)
{
    struct scree_cd_outcome outcome;
    struct state now = {.size = 0.0};
    scree_cd_measure(p, &outcome);
    now.residual = outcome.residual;
    for (size_t c = 0; c < p->n_contacts; c++) now.size += p->impulse[c].n * p->impulse[c].n;
    return now;
}

/* CD-SOLVERS 3.3: adding increments is right for two blocks, in which no grain is shared by more
 * than two, and diverges for 2 x 2 x 2 and more. It is not offered to users. */
static void check_added(struct mpi_test *t, const struct lattice *l, struct blocks blocks,
                        bool converges)
{
    enum { SWEEPS = 100 };
    struct scree_cd_problem p;
    make_problem(l, blocks, &p);
    scree_cd_apply_impulses(&p);
    sweep_additively(&p, SWEEPS);
    struct state half = look(&p);
    sweep_additively(&p, SWEEPS);
    struct state end = look(&p);
    const int *n = blocks.n;
    if (converges)
        MPI_TEST(t, end.residual < 2e-3 && end.residual < half.residual && end.size < 4 * half.size,
                 "%d x %d x %d blocks: residual %g, then %g", n[0], n[1], n[2], half.residual,
                 end.residual);
    else
        MPI_TEST(t, end.residual > 0.1 && end.size > 1e6 * half.size,
                 "%d x %d x %d blocks: impulses grow by %g only, residual %g", n[0], n[1], n[2],
                 end.size / half.size, end.residual);
    scree_cd_problem_clear(&p);
}

/* B6: all contacts at once, each with the velocities before, in two dimensions. */
static void check_parallel(struct mpi_test *t)
{
    struct lattice l = make_lattice(2 * SIDE, 1, 2 * SIDE, 0.1);
    check_added(t, &l, (struct blocks){{0, 0, 0}, false}, false);
    count_sweeps(t, &l, "sweeps", 1, 1e-3);
    clear_lattice(&l);
}

/* B5: in a row of beads parallel updates spread forces with D = q d^2 per sweep, q = 1/2: the first
 * impulse is 2 sqrt(D n/pi), less a constant that the lattice makes. */
static void check_row(struct mpi_test *t)
{
    enum { FIRST = 100, LAST = 2500 };
    struct lattice l = make_row(400);
    struct scree_cd_problem p;
    make_problem(&l, (struct blocks){{0, 0, 0}, false}, &p);
    scree_cd_apply_impulses(&p);
    sweep_additively(&p, FIRST);
    double before = p.impulse[0].n;
    sweep_additively(&p, LAST - FIRST);
    double rise = (p.impulse[0].n - before) / (sqrt(LAST) - sqrt(FIRST));
    JOB_NEAR(t, "q of parallel updates", 0.25 * acos(-1.0) * rise * rise, 0.5, 0.005);
    scree_cd_problem_clear(&p);
    clear_lattice(&l);
}

/* V13: the mean stress and velocities of grains do not depend on blocks; forces may. */
static void check_answer(struct mpi_test *t, const struct lattice *l)
{
    double stress[3], *v[3], unbalanced = 0.0, free2 = 0.0;
    int k = 0;
    for (int i = 0; i < l->n; i++) free2 += l->free[2][i] * l->free[2][i];
    for (int boxes = 1; boxes <= 4; boxes *= 2, k++) {
        struct scree_cd_problem p;
        struct scree_cd_outcome outcome = solve(l, "nncg", boxes, 1e-5, &p);
        unbalanced = fmax(unbalanced, outcome.unbalanced);
        v[k] = scree_alloc((size_t)l->n * 3, sizeof(double));
        for (size_t c = 0; c < p.n_copies; c++)
            memcpy(v[k] + 3 * p.copy_body[c], p.copy[c].v, sizeof p.copy[c].v);
        stress[k] = 0.0;
        for (size_t c = 0; c < p.n_contacts; c++) {
            const double *n = p.contact[c].normal;
            double arm = p.contact[c].b >= 0 ? 1.0 : 0.5;
            stress[k] += arm * n[2] * (p.impulse[c].n * n[2] + p.impulse[c].t[2]);
        }
        scree_cd_problem_clear(&p);
    }
    for (k = 1; k < 3; k++) {
        double apart = 0.0;
        for (int i = 0; i < 3 * l->n; i++) apart += (v[k][i] - v[0][i]) * (v[k][i] - v[0][i]);
        JOB_NEAR(t, "velocities against those of one block", sqrt(apart / free2), 0.0,
                 10.0 * unbalanced);
        JOB_NEAR(t, "stress against that of one block", stress[k] / stress[0], 1.0, 1e-3);
    }
    for (k = 0; k < 3; k++) scree_alloc_free(v[k]);
}

int main(int argc, char **argv)
{
    struct mpi_test t;
    mpi_test_begin(&t, &argc, &argv);
    struct lattice l = make_lattice(SIDE, SIDE, SIDE, 0.3);
    if (!MPI_TEST_SANITIZED) check_split(&t, &l);
    check_added(&t, &l, (struct blocks){{2, 1, 1}, false}, true);
    check_added(&t, &l, (struct blocks){{2, 2, 2}, false}, false);
    check_added(&t, &l, (struct blocks){{4, 4, 4}, false}, false);
    check_parallel(&t);
    if (!MPI_TEST_SANITIZED) {
        check_row(&t);
        check_answer(&t, &l);
    }
    clear_lattice(&l);
    return mpi_test_end(&t);
}
