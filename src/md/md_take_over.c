/* SPDX-License-Identifier: BSD-3-Clause
 * Going on after another method: contacts are to bear the forces that were handed over. A law says
 * at which overlap it bears a normal force. Grains of a method without overlaps do not have it:
 * they are moved, with walls that move by the force on them, so little that overlaps become what
 * they are to be, in the sense of least squares; contacts that bore nothing are not to overlap. As
 * long as there are fewer contacts than directions in which grains move, as in packings with
 * friction, all overlaps can be had at once. The springs of friction, rolling and torsion are then
 * drawn until they bear the rest.
 *
 * Least squares: the conjugate gradients of Hestenes and Stiefel for A u = m, with u the ways of
 * grains, A u the overlaps that these add, m those that are missing (CGLS: Bjoerck, "Numerical
 * methods for least squares problems", 7.4.1). It finds the shortest of all ways. Since normals and
 * contacts change with the places it is done a few times. */
#include "md_impl.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "scree/alloc.h"
#include "scree/log.h"
#include "scree/vec.h"

/* A handed-over contact, with the overlap that it is to have behind the rest. */
enum { WANTED = SCREE_HANDED, N_WANTED };

enum { MOST_ROUNDS = 50, MOST_ITERATIONS = 2000, PATIENCE = 3 };
/* Parts: what overlaps lack, of their mean (root mean square), with which all is done; the gradient
 * that ends a round; what rounds leave that make no progress; the smallest miss that counts, of the
 * largest; what is worth a warning; gaps of listed pairs, of the largest radius. */
static const double good_enough = 1e-9, round_ends = 1e-6, stuck = 0.8, least = 0.01, poor = 0.2,
                    list_reach = 0.05;

struct geometry {
    double normal[3], gap, radius[2]; /* m */
    int turn;                         /* of a wedge */
    const struct scree_pair_law *law; /* NULL: none */
};

static void look_at(const struct scree_scene *scene, const struct scree_contact_view *view,
                    struct geometry *g)
{
    const struct scree_particles *p = scene->particles;
    const struct scree_laws *laws = scene->laws;
    bool wall = view->kind == SCREE_NEAR_WALL;
    int partner = wall ? scene->walls->wall[view->j].species : p->species[view->j];
    *g = (struct geometry){.radius = {p->pos[view->i][3], wall ? 0.0 : p->pos[view->j][3]}};
    g->law = scree_laws_between(laws, p->species[view->i], partner);
    if (wall) {
        const struct scree_wall_contact *at = &scene->contacts->wall_contact[view->place];
        memcpy(g->normal, at->at.normal, sizeof g->normal);
        g->gap = at->at.gap;
        return;
    }
    if (scree_near_is_seam(view->kind)) {
        struct scree_seam seam = scree_contacts_seam(scene->contacts, p, view->i, view->j);
        scree_contacts_seam_branch(scene->contacts, p, seam, g->normal);
        g->turn = seam.turn;
    } else {
        double apart[3];
        for (int a = 0; a < 3; a++) apart[a] = p->pos[view->i][a] - p->pos[view->j][a];
        scree_deformation_branch(&scene->domain->cell, apart, g->normal);
    }
    double distance = scree_vec_norm(g->normal);
    for (int a = 0; a < 3; a++) g->normal[a] /= distance;
    g->gap = distance - g->radius[0] - g->radius[1];
}

static void touch_of(const struct scree_scene *scene, const struct scree_contact_view *view,
                     const struct geometry *g, struct scree_law_touch *touch)
{
    const struct scree_particles *p = scene->particles;
    bool wall = view->kind == SCREE_NEAR_WALL;
    *touch = (struct scree_law_touch){
        .wall = wall,
        .radius = {g->radius[0], g->radius[1]},
        .m_eff = 1.0 / (p->vel[view->i][3] + (wall ? 0.0 : p->vel[view->j][3])),
        .dt = scene->dt};
    memcpy(touch->normal, g->normal, sizeof touch->normal);
}

/* What was handed over, and the overlap at which the law bears it. */
static bool find_wanted(void *context, const struct scree_contact_view *view, double *history)
{
    const struct scree_scene *scene = context;
    struct geometry g;
    struct scree_law_touch touch;
    memcpy(history, view->history, SCREE_HANDED * sizeof *history);
    look_at(scene, view, &g);
    touch_of(scene, view, &g, &touch);
    double force = scree_vec_dot(history + SCREE_HANDED_FORCE, g.normal);
    history[WANTED] = force > 0.0 ? scree_pair_law_find_overlap(g.law, &touch, force) : 0.0;
    return true;
}

/* A wall that moves by the force on it gives way as grains do. The same on all ranks. */
struct give {
    struct scree_wall *wall;
    struct scree_servo *servo;
    int which;             /* of the wall's servos */
    double direction, way; /* m or rad */
    double gradient;
};

/* A contact of which the overlap is to change. */
struct lack {
    scree_lid slot[2], home[2]; /* of first and second; -1: none here, or a wall */
    int wall[2];                /* that the first is part of, the second is or is part of; or -1 */
    double arm[2][3];           /* m; from its pivot */
    int turn;
    double normal[3], weight; /* 1/2 if another rank has it, too */
    double rest;              /* m; still missing, in the course of the iteration */
    double slid[3];           /* m; so far, of the second over the first */
};

/* All of a round. */
struct press {
    struct scree_scene *scene;
    size_t n, capacity;
    struct lack *lack;
    int n_gives;
    struct give *give;
    double quantum;      /* m; of sums over the contacts of a grain, so that they know no order */
    int64_t (*sum)[3];   /* of owned grains */
    double (*before)[3]; /* their velocities: the column holds directions meanwhile */
    double (*way)[3];    /* m; so far */
};

/* Sums over all ranks. */
struct measure {
    double square, largest; /* m^2, m; sum of all misses, and the largest */
    double wanted, n;       /* m; overlaps that are to be, and how many */
};

static scree_lid home_of(const struct scree_scene *scene, enum scree_near_kind kind, scree_lid slot)
{
    const struct scree_particles *p = scene->particles;
    scree_lid home = slot < p->n_owned ? slot : scree_contacts_home(scene->contacts, kind, slot);
    return home < p->n_owned && p->vel[home][3] > 0.0 ? home : -1;
}

/* Walls that move by the force on them, at present. */
static void find_gives(struct press *press, double t)
{
    struct scree_walls *walls = press->scene->walls;
    press->give = scree_alloc((size_t)walls->n * SCREE_WALL_SERVOS + 1, sizeof *press->give);
    for (int w = 0; w < walls->n; w++)
        for (int s = 0; s < SCREE_WALL_SERVOS; s++) {
            struct scree_wall *wall = &walls->wall[w];
            struct scree_servo *servo = scree_wall_servo(wall, s);
            if (servo == NULL || t - wall->since < servo->start) continue;
            press->give[press->n_gives++] = (struct give){.wall = wall, .servo = servo, .which = s};
        }
}

static void find_wall(const struct scree_scene *scene, enum scree_near_kind kind, size_t place,
                      const struct scree_contact_view *view, struct lack *lack)
{
    const struct scree_particles *p = scene->particles;
    const scree_lid slot[2] = {view->i, view->j};
    lack->wall[0] = lack->wall[1] = -1;
    for (int side = 0; side < 2; side++) {
        double turn[3][3];
        if (side == 1 && kind == SCREE_NEAR_WALL) {
            lack->wall[1] = view->j;
            memcpy(lack->arm[1], scene->contacts->wall_contact[place].arm, sizeof lack->arm[1]);
        } else if (p->glued != NULL && p->glued[slot[side]] != 0) {
            lack->wall[side] = p->glued[slot[side]] - 1;
            scree_wall_turned(&scene->walls->wall[lack->wall[side]], false, turn);
            for (int a = 0; a < 3; a++)
                lack->arm[side][a] = scree_vec_dot(turn[a], p->arm[slot[side]]);
        }
    }
}

static void add_lack(struct press *press, enum scree_near_kind kind, size_t place,
                     struct scree_exact sum[3], double *largest)
{
    struct scree_scene *scene = press->scene;
    const struct scree_near *near = &scene->contacts->near[kind];
    const bool wall = kind == SCREE_NEAR_WALL, marked = scree_near_is_marked(near, place);
    double turned[SCREE_HISTORY_MAX];
    struct scree_contact_view view;
    struct geometry g;
    if (wall && !scree_contacts_meets_wall(scene->contacts, place)) return;
    scree_contacts_view(scene->contacts, scene->particles, kind, place, turned, &view);
    look_at(scene, &view, &g);
    double wanted = marked ? view.history[WANTED] : 0.0, miss = wanted + g.gap;
    if (g.law == NULL || (wanted == 0.0 && g.gap >= 0.0)) return;
    SCREE_GROW(press->lack, press->n, press->capacity, press->n + 1);
    struct lack *lack = &press->lack[press->n++];
    *lack = (struct lack){
        .slot = {view.i, wall ? -1 : view.j},
        .home = {home_of(scene, kind, view.i), wall ? -1 : home_of(scene, kind, view.j)},
        .turn = g.turn,
        .weight = scree_near_is_cut(kind) ? 0.5 : 1.0,
        .rest = miss};
    memcpy(lack->normal, g.normal, sizeof lack->normal);
    find_wall(scene, kind, place, &view, lack);
    *largest = fmax(*largest, fabs(miss));
    scree_exact_add(&sum[0], lack->weight * (miss * miss));
    if (wanted == 0.0) return;
    scree_exact_add(&sum[1], lack->weight * wanted);
    scree_exact_add(&sum[2], lack->weight);
}

/* What contacts lack at the present places. Collective. */
static void find_lacks(struct press *press, struct measure *m)
{
    struct scree_contacts *contacts = press->scene->contacts;
    struct scree_exact sum[3];
    for (int k = 0; k < 3; k++) scree_exact_clear(&sum[k]);
    press->n = 0;
    m->largest = 0.0;
    for (enum scree_near_kind kind = 0; kind < SCREE_N_NEAR; kind++)
        for (size_t k = 0; k < contacts->near[kind].n; k++)
            add_lack(press, kind, k, sum, &m->largest);
    scree_comm_sum_exact(press->scene->comm, sum, 3);
    scree_comm_max(press->scene->comm, &m->largest, 1);
    m->square = scree_exact_value(&sum[0]);
    m->wanted = scree_exact_value(&sum[1]);
    m->n = scree_exact_value(&sum[2]);
}

static void add_share(const struct press *press, scree_lid home, const double v[3])
{
    for (int a = 0; home >= 0 && a < 3; a++) press->sum[home][a] += llrint(v[a] / press->quantum);
}

/* Of the surface of a wall at a contact, per motion of one that gives way; false: none. */
static bool sweeps(const struct press *press, const struct give *give, const struct lack *lack,
                   int side, double sweep[3])
{
    const struct scree_scene *scene = press->scene;
    if (lack->wall[side] < 0 || &scene->walls->wall[lack->wall[side]] != give->wall) return false;
    scree_wall_sweep(give->wall, give->which, lack->arm[side], sweep);
    if (side == 1 && lack->turn != 0)
        scree_wedge_turn_by(scene->contacts->wedge, lack->turn, sweep);
    return true;
}

/* The part of the gradient that is of walls; returns its square. Collective. */
static double find_wall_gradient(struct press *press)
{
    double square = 0.0, sweep[3];
    for (int d = 0; d < press->n_gives; d++) {
        struct give *give = &press->give[d];
        struct scree_exact sum;
        scree_exact_clear(&sum);
        for (size_t k = 0; k < press->n; k++)
            for (int side = 0; side < 2; side++) {
                const struct lack *lack = &press->lack[k];
                if (!sweeps(press, give, lack, side, sweep)) continue;
                double along = scree_vec_dot(lack->normal, sweep) * lack->rest * lack->weight;
                scree_exact_add(&sum, side == 0 ? -along : along);
            }
        scree_comm_sum_exact(press->scene->comm, &sum, 1);
        give->gradient = scree_exact_value(&sum);
        square += give->gradient * give->gradient;
    }
    return square;
}

/* A^T of what is missing: the gradient, in quanta; returns its square. Collective. */
static double find_gradient(struct press *press)
{
    const struct scree_wedge *wedge = press->scene->contacts->wedge;
    const scree_lid n = press->scene->particles->n_owned;
    struct scree_exact square;
    scree_exact_clear(&square);
    memset(press->sum, 0, (size_t)n * sizeof *press->sum);
    for (size_t k = 0; k < press->n; k++) {
        const struct lack *lack = &press->lack[k];
        double v[3];
        for (int a = 0; a < 3; a++) v[a] = -lack->rest * lack->normal[a];
        add_share(press, lack->home[0], v);
        for (int a = 0; a < 3; a++) v[a] = -v[a];
        if (lack->turn != 0) scree_wedge_turn_by(wedge, -lack->turn, v);
        add_share(press, lack->home[1], v);
    }
    for (scree_lid i = 0; i < n; i++) {
        double s = 0.0;
        for (int a = 0; a < 3; a++) s += (double)press->sum[i][a] * (double)press->sum[i][a];
        scree_exact_add(&square, s);
    }
    scree_comm_sum_exact(press->scene->comm, &square, 1);
    return press->quantum * press->quantum * scree_exact_value(&square) + find_wall_gradient(press);
}

/* Of the second grain against the first in the present directions, of owned grains and ghosts.
 * Returns the overlap that this adds. */
static double find_change(const struct press *press, const struct lack *lack, double apart[3])
{
    const double(*direction)[4] = (const double(*)[4])press->scene->particles->vel;
    const double *first = direction[lack->slot[0]];
    for (int a = 0; a < 3; a++) apart[a] = lack->slot[1] >= 0 ? direction[lack->slot[1]][a] : 0.0;
    if (lack->turn != 0) scree_wedge_turn_by(press->scene->contacts->wedge, lack->turn, apart);
    for (int a = 0; a < 3; a++) apart[a] -= first[a];
    for (int d = 0; d < press->n_gives; d++)
        for (int side = 0; side < 2; side++) {
            double sweep[3], way = (side == 0 ? -1.0 : 1.0) * press->give[d].direction;
            if (!sweeps(press, &press->give[d], lack, side, sweep)) continue;
            for (int a = 0; a < 3; a++) apart[a] += way * sweep[a];
        }
    return scree_vec_dot(lack->normal, apart);
}

/* The new direction is the gradient and beta times the old one. */
static void set_directions(const struct press *press, double beta)
{
    struct scree_particles *p = press->scene->particles;
    for (int d = 0; d < press->n_gives; d++)
        press->give[d].direction = press->give[d].gradient + beta * press->give[d].direction;
    for (scree_lid i = 0; i < p->n_owned; i++)
        for (int a = 0; a < 3; a++)
            p->vel[i][a] = press->quantum * (double)press->sum[i][a] + beta * p->vel[i][a];
    scree_halo_begin_refresh(press->scene->halo, p, SCREE_HALO_VEL, 0.0);
    scree_halo_end_refresh(press->scene->halo, p, 0.0);
}

/* Along the present directions; returns the square of A times them. Collective. */
static double measure_change(const struct press *press)
{
    struct scree_exact square;
    scree_exact_clear(&square);
    for (size_t k = 0; k < press->n; k++) {
        double apart[3], change = find_change(press, &press->lack[k], apart);
        scree_exact_add(&square, press->lack[k].weight * (change * change));
    }
    scree_comm_sum_exact(press->scene->comm, &square, 1);
    return scree_exact_value(&square);
}

/* Returns the longest way of two grains over each other so far, on any rank. */
static double go(struct press *press, double step)
{
    const struct scree_particles *p = press->scene->particles;
    double longest = 0.0;
    for (size_t k = 0; k < press->n; k++) {
        struct lack *lack = &press->lack[k];
        double apart[3];
        lack->rest -= step * find_change(press, lack, apart);
        for (int a = 0; a < 3; a++) lack->slid[a] += step * apart[a];
        longest = fmax(longest, scree_vec_norm(lack->slid));
    }
    scree_comm_max(press->scene->comm, &longest, 1);
    for (scree_lid i = 0; i < p->n_owned; i++)
        for (int a = 0; a < 3; a++) press->way[i][a] += step * p->vel[i][a];
    for (int d = 0; d < press->n_gives; d++) press->give[d].way += step * press->give[d].direction;
    return longest;
}

/* Ways that give contacts what they lack, as long as no grains slide over each other farther than
 * `trust` (m): a contact that has slid by s has its normal elsewhere, and its gap is off by about
 * s^2 / 4R. Returns the iterations. Collective. */
static int solve(struct press *press, double largest, double trust)
{
    int power, k = 0;
    frexp(64.0 * largest, &power);
    press->quantum = ldexp(1.0, power - 50);
    double square = find_gradient(press), first = square;
    set_directions(press, 0.0);
    while (k < MOST_ITERATIONS && square > round_ends * round_ends * first) {
        double change = measure_change(press);
        if (!(change > 0.0)) break;
        k++;
        if (go(press, square / change) > trust) break;
        double next = find_gradient(press);
        set_directions(press, next / square);
        square = next;
    }
    return k;
}

/* Directions take the place of velocities for the time being. */
static void begin_round(struct press *press)
{
    struct scree_particles *p = press->scene->particles;
    size_t n = (size_t)p->n_owned + 1;
    press->sum = scree_alloc(n, sizeof *press->sum);
    press->before = scree_alloc(n, sizeof *press->before);
    press->way = scree_alloc(n, sizeof *press->way);
    memset(press->way, 0, n * sizeof *press->way);
    for (int d = 0; d < press->n_gives; d++) press->give[d].way = press->give[d].direction = 0.0;
    for (scree_lid i = 0; i < p->n_owned; i++)
        for (int a = 0; a < 3; a++) {
            press->before[i][a] = p->vel[i][a];
            p->vel[i][a] = 0.0;
        }
}

/* What is part of a wall goes with it. */
static void carry_glued(const struct press *press)
{
    const struct scree_particles *p = press->scene->particles;
    for (scree_lid i = 0; i < p->n_owned && p->glued != NULL; i++)
        for (int d = 0; d < press->n_gives; d++) {
            const struct give *give = &press->give[d];
            double turn[3][3], arm[3], sweep[3];
            if (p->glued[i] == 0 || &press->scene->walls->wall[p->glued[i] - 1] != give->wall)
                continue;
            scree_wall_turned(give->wall, false, turn);
            for (int a = 0; a < 3; a++) arm[a] = scree_vec_dot(turn[a], p->arm[i]);
            scree_wall_sweep(give->wall, give->which, arm, sweep);
            for (int a = 0; a < 3; a++) press->way[i][a] += give->way * sweep[a];
        }
}

/* Walls go theirs; twice told, they have come to rest there. */
static void move_walls(const struct press *press, double t)
{
    for (int d = 0; d < press->n_gives; d++) press->give[d].servo->state.path += press->give[d].way;
    for (int k = 0; k < 2; k++) scree_walls_move(press->scene->walls, t);
}

/* Grains go their ways. Returns the longest, on any rank. */
static double end_round(struct press *press)
{
    struct scree_particles *p = press->scene->particles;
    const struct scree_box *box = &press->scene->domain->box;
    double longest = 0.0;
    carry_glued(press);
    for (scree_lid i = 0; i < p->n_owned; i++) {
        for (int a = 0; a < 3; a++) p->vel[i][a] = press->before[i][a];
        for (int a = 0; a < box->dimension; a++)
            p->pos[i][a] += scree_box_snap(box, a, press->way[i][a]);
        longest = fmax(longest, scree_vec_norm(press->way[i]));
    }
    scree_comm_max(press->scene->comm, &longest, 1);
    scree_alloc_free(press->sum);
    scree_alloc_free(press->before);
    scree_alloc_free(press->way);
    return longest;
}

/* Lists reach farther than md needs: contacts of rigid grains have small gaps. */
static enum scree_status renew_lists(struct scree_md *md, struct scree_scene *scene)
{
    SCREE_TRY(scree_md_regain_within(md, scene, list_reach * scene->largest_radius));
    scree_contacts_find_walls(scene->contacts, false);
    return SCREE_OK;
}

static enum scree_status press_grains(struct scree_md *md, struct scree_scene *scene)
{
    struct press press = {.scene = scene};
    struct measure now = {0};
    double best = INFINITY, error = 0.0, longest = 0.0;
    int iterations = 0, idle = 0;
    const double t = scree_scene_time(scene, md->step);
    enum scree_status status = SCREE_OK;
    find_gives(&press, t);
    for (int round = 0;; round++) {
        find_lacks(&press, &now);
        double miss = sqrt(now.square / fmax(now.n, 1.0));
        error = now.n > 0.0 ? miss / (now.wanted / now.n) : 0.0;
        idle = error < stuck * best ? 0 : idle + 1;
        bool done = error <= good_enough || now.largest == 0.0 || idle == PATIENCE;
        best = fmin(best, error);
        if (done || round == MOST_ROUNDS) break;
        begin_round(&press);
        double trust = 0.5 * sqrt(scene->largest_radius * fmax(miss, least * now.largest));
        iterations += solve(&press, now.largest, trust);
        longest += end_round(&press);
        if (press.n_gives > 0) move_walls(&press, t);
        scree_contacts_detach_history(scene->contacts);
        status = renew_lists(md, scene);
        if (status != SCREE_OK) break;
    }
    scree_alloc_free(press.lack);
    scree_alloc_free(press.give);
    scree_log(SCREE_LOG_INFO,
              "for contacts to bear their forces grains moved by at most %.2e of the largest "
              "radius (%d iterations); overlaps are %.4g m on average, off by %.1e of that",
              longest / scene->largest_radius, iterations, now.wanted / fmax(now.n, 1.0), error);
    if (error > poor)
        scree_log(
            SCREE_LOG_WARNING,
            "soft grains do not bear the forces that were handed over: their overlaps have no "
            "room between walls that do not give way, or they are too soft (overlaps should "
            "stay far below a hundredth of a radius)");
    return status;
}

/* The history of the laws, at the overlap that is there now; contacts that do not overlap are none.
 */
static bool load_springs(void *context, const struct scree_contact_view *view, double *history)
{
    const struct scree_scene *scene = context;
    const int stride = scree_laws_n_history(scene->laws);
    double all[SCREE_BATCH_HISTORY];
    struct geometry g;
    struct scree_law_touch touch;
    look_at(scene, view, &g);
    touch_of(scene, view, &g, &touch);
    if (g.gap >= 0.0) return false;
    scree_pair_law_load(g.law, &touch, -g.gap, view->history + SCREE_HANDED_FORCE,
                        view->history + SCREE_HANDED_COUPLE, all);
    memcpy(history, all, (size_t)stride * sizeof *history);
    return true;
}

enum scree_status scree_md_take_forces(struct scree_md *md, struct scree_scene *scene)
{
    const struct scree_laws *laws = scene->laws;
    enum scree_phase before = scree_timer_switch(scene->timer, SCREE_MD_PHASE_CONTACTS);
    SCREE_TRY(renew_lists(md, scene));
    scree_contacts_reshape(scene->contacts, scene->particles, N_WANTED, SCREE_HANDED_ODD,
                           find_wanted, scene);
    SCREE_TRY(press_grains(md, scene));
    scree_contacts_detach_history(scene->contacts);
    SCREE_TRY(scree_md_regain(md, scene));
    scree_contacts_find_walls(scene->contacts, false);
    scree_contacts_reshape(scene->contacts, scene->particles, scree_laws_n_history(laws),
                           scree_laws_odd(laws), load_springs, scene);
    scree_timer_switch(scene->timer, before);
    return SCREE_OK;
}
