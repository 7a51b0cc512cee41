/* SPDX-License-Identifier: BSD-3-Clause
 * Warnings while a run goes on. Each is told once, when it first applies; the worst values are in
 * the report at the end. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "md_advise.h"
#include "scree/alloc.h"
#include "scree/log.h"
#include "scree/status.h"
#include "scree/vec.h"

/* The contact that is worst in some respect. */
struct culprit {
    double value;            /* larger is worse */
    long long first, second; /* second < 0: wall */
    double overlap, speed;
};

struct look {
    const struct scree_scene *scene;
    double (*dashpots)[6]; /* of each grain: dashpots.h */
    struct culprit worst[SCREE_MD_N_WARNINGS];
    double contact_time; /* s; sum over contacts */
    double n;
};

static double contact_time(const struct scree_md_contact *d)
{
    return d->stiffness > 0.0 ? acos(-1.0) * sqrt(d->reduced_mass / d->stiffness) : INFINITY;
}

/* Of equals that with the smallest ids, whoever looks. */
static void compare(struct culprit *worst, double value, const struct culprit *now)
{
    bool before =
        now->first != worst->first ? now->first < worst->first : now->second < worst->second;
    if (!(value > worst->value || (value == worst->value && value > 0.0 && before))) return;
    *worst = *now;
    worst->value = value;
}

/* To both grains, if both are owned here. Partners across the seam of a wedge are taken as if their
 * frames were not turned. */
static void add_dashpot(struct look *look, const struct scree_md_contact *d)
{
    const struct scree_scene *scene = look->scene;
    const int32_t *species = scene->particles->species;
    const scree_lid *slot = d->seen.slot;
    int other = scree_contact_is_with_wall(&d->seen) ? scene->walls->wall[slot[1]].species
                                                     : species[slot[1]];
    enum scree_timing timing = scree_laws_between(scene->laws, species[slot[0]], other)->timing;
    for (int side = 0; side < 2; side++)
        if (d->seen.owned[side] >= 0)
            scree_dashpots_add(look->dashpots[d->seen.owned[side]], d->seen.normal, d->damping,
                               timing);
}

static void compare_dashpots(struct look *look)
{
    const struct scree_particles *p = look->scene->particles;
    for (scree_lid i = 0; i < p->n_owned; i++) {
        struct culprit now = {.first = (long long)p->gid[i]};
        double strain = scree_dashpots_strain(look->dashpots[i], p->vel[i][3], look->scene->dt);
        compare(&look->worst[SCREE_MD_WARNING_DASHPOTS], strain, &now);
    }
}

/* One contact. */
static void look_at(void *context, const struct scree_contact *seen)
{
    struct look *look = context;
    const struct scree_md_contact *d = scree_md_contact_of(seen);
    const struct scree_particles *p = look->scene->particles;
    double radius = p->pos[seen->slot[0]][3], tau = contact_time(d);
    if (!scree_contact_is_with_wall(seen)) radius = fmin(radius, p->pos[seen->slot[1]][3]);
    double speed = hypot(seen->approach, scree_vec_norm(seen->slip));
    struct culprit now = {0.0, seen->first, seen->second, -seen->gap, speed};
    compare(&look->worst[SCREE_MD_WARNING_STEP], look->scene->dt / tau, &now);
    compare(&look->worst[SCREE_MD_WARNING_OVERLAP], -seen->gap / radius, &now);
    if (d->damping > 0.0) add_dashpot(look, d);
    if (tau < INFINITY) {
        look->contact_time += tau;
        look->n += 1.0;
    }
}

/* Contact time over the mean time between two collisions of a grain, since the last look. */
static double detachment(struct scree_md *md, const struct scree_scene *scene,
                         const struct look *look, double ended)
{
    struct scree_md_warnings *w = &md->warnings;
    double sum[2] = {look->contact_time, look->n}, time = scree_scene_time(scene, md->step);
    int64_t n_grains = scene->particles->n_owned;
    struct scree_exact exact[2];
    for (int k = 0; k < 2; k++) {
        scree_exact_clear(&exact[k]);
        scree_exact_add(&exact[k], sum[k]);
    }
    scree_comm_sum_exact(scene->comm, exact, 2);
    scree_comm_sum_int(scene->comm, &n_grains, 1);
    double mean = scree_exact_value(&exact[0]) / fmax(scree_exact_value(&exact[1]), 1.0);
    double rate = 2.0 * (ended - w->ended) / ((double)n_grains * (time - w->time));
    w->ended = ended;
    w->time = time;
    double grain_contacts, wall_contacts;
    scree_contacts_count_all(scene->contacts, scene->comm, &grain_contacts, &wall_contacts);
    /* Where grains rest on each other contacts come and go without being collisions. */
    bool collisional = 2.0 * grain_contacts < (double)n_grains;
    return collisional && rate > 0.0 && rate < INFINITY ? mean * rate : 0.0;
}

static void name_pair(const struct scree_walls *walls, const struct culprit *c, char *text,
                      size_t size)
{
    if (c->second < 0)
        snprintf(text, size, "grain %lld and wall '%s'", c->first,
                 walls->wall[-1 - c->second].name);
    else
        snprintf(text, size, "grains %lld and %lld", c->first, c->second);
}

static void tell(const struct scree_md *md, const struct scree_scene *scene,
                 enum scree_md_warning kind, const struct culprit *c)
{
    char pair[160];
    long long step = (long long)md->step;
    name_pair(scene->walls, c, pair, sizeof pair);
    switch (kind) {
    case SCREE_MD_WARNING_STEP:
        scree_log(SCREE_LOG_WARNING,
                  "step %lld: the contact time of %s is only %.3g steps; below %g the collision is "
                  "not resolved well: use a smaller time step",
                  step, pair, 1.0 / c->value, md->values->contact_steps);
        break;
    case SCREE_MD_WARNING_OVERLAP:
        scree_log(
            SCREE_LOG_WARNING,
            "step %lld: %s overlap by %.3g of the smaller radius (%.3g m): stiffer contacts or "
            "a smaller load are needed for results of hard grains",
            step, pair, c->value, c->overlap);
        break;
    case SCREE_MD_WARNING_BRAKE:
        scree_log(SCREE_LOG_WARNING,
                  "step %lld: brake failure: %s meet at %.3g m/s, %.3g times the speed above which "
                  "soft grains pass through each other; stiffer contacts help, a smaller step does "
                  "not",
                  step, pair, c->speed, c->value);
        break;
    case SCREE_MD_WARNING_DETACHMENT:
        scree_log(SCREE_LOG_WARNING,
                  "step %lld: detachment: the contact time is %.3g of the time between collisions; "
                  "dissipation is weaker than for hard grains, stiffer contacts help",
                  step, c->value);
        break;
    case SCREE_MD_WARNING_DASHPOTS:
        scree_log(SCREE_LOG_WARNING,
                  "step %lld: the time step is %.3g times what the normal dashpots of grain %lld, "
                  "all together, allow: motion may grow instead of being damped; use a smaller "
                  "step or less damping",
                  step, c->value, c->first);
        break;
    case SCREE_MD_N_WARNINGS: break;
    }
}

/* The worst of all ranks, of equals as compare() has it; the rank that has it sends the rest of it.
 */
static void agree_on(struct scree_comm *comm, struct culprit *c)
{
    double largest = c->value;
    scree_comm_max(comm, &largest, 1);
    bool in_question = c->value == largest;
    const double candidate[] = {(double)c->first, (double)c->second, (double)comm->rank};
    double least = 0.0;
    for (int k = 0; k < 3; k++) {
        least = in_question ? candidate[k] : INFINITY;
        scree_comm_min(comm, &least, 1);
        in_question = in_question && candidate[k] == least;
    }
    scree_comm_broadcast(comm, c, sizeof *c, (int)least);
}

/* All ranks learn of the worst impact under one law, of equals that of the lowest rank. */
static void agree_on_impact(struct scree_comm *comm, struct scree_md_impact *impact)
{
    double largest = impact->weight;
    scree_comm_max(comm, &largest, 1);
    double mine = impact->weight == largest ? (double)comm->rank : INFINITY;
    scree_comm_min(comm, &mine, 1);
    scree_comm_broadcast(comm, impact, sizeof *impact, (int)mine);
}

/* s; of the collision that begins with an impact; of its spring alone if it would never end. */
static double collision_time(const struct scree_pair_law *law, const struct scree_md_impact *impact)
{
    const struct scree_law_case c = {
        .m_eff = impact->reduced_mass, .r_eff = impact->reduced_radius, .speed = impact->approach};
    struct scree_law_estimate e;
    scree_pair_law_estimate(law, &c, &e);
    if (e.contact_time < INFINITY) return e.contact_time;
    return e.stiffness > 0.0 ? acos(-1.0) * sqrt(c.m_eff / e.stiffness) : 0.0;
}

/* All impacts since the last look. V_c = 4 R cos(psi) / tau with cos(psi) = normal / total speed.
 */
static void look_at_impacts(struct scree_md *md, const struct scree_scene *scene,
                            struct culprit *worst)
{
    size_t n = (size_t)scene->laws->n_pairs;
    if (n == 0) return;
    struct scree_md_impact *impact = scree_alloc(n, sizeof *impact);
    scree_md_collect_impacts(md, scene, impact);
    for (size_t k = 0; k < n; k++) {
        agree_on_impact(scene->comm, &impact[k]);
        const struct scree_md_impact *i = &impact[k];
        if (!(i->weight > 0.0)) continue;
        double tau = collision_time(&scene->laws->pair[k], i);
        struct culprit now = {0.0, i->first, i->second, i->overlap, i->speed};
        compare(worst, i->speed * i->speed * tau / (2.0 * i->width * i->approach), &now);
    }
    scree_alloc_free(impact);
}

/* The worst of this rank in every respect. Collective. */
static void find_worst(struct scree_md *md, struct scree_scene *scene, struct look *look)
{
    size_t n = (size_t)scene->particles->n_owned;
    struct scree_md_energies energies;
    memset(look, 0, sizeof *look);
    look->scene = scene;
    look->dashpots = scree_alloc(n, sizeof *look->dashpots);
    memset(look->dashpots, 0, n * sizeof *look->dashpots);
    scree_md_show_contacts(md, scene, look_at, look);
    compare_dashpots(look);
    scree_alloc_free(look->dashpots);
    look_at_impacts(md, scene, &look->worst[SCREE_MD_WARNING_BRAKE]);
    scree_md_find_energies(md, scene, &energies);
    look->worst[SCREE_MD_WARNING_DETACHMENT].value = detachment(md, scene, look, energies.ended);
}

enum scree_status scree_md_warn(struct scree_md *md, struct scree_scene *scene)
{
    const struct scree_md_values *v = md->values;
    struct scree_md_warnings *w = &md->warnings;
    struct look look;
    find_worst(md, scene, &look);
    const double limit[SCREE_MD_N_WARNINGS] = {1.0 / v->contact_steps, v->overlap, 1.0,
                                               v->detachment, 1.0};
    for (enum scree_md_warning k = 0; k < SCREE_MD_N_WARNINGS; k++) {
        agree_on(scene->comm, &look.worst[k]);
        w->worst[k] = fmax(w->worst[k], look.worst[k].value);
        if (look.worst[k].value <= limit[k] || w->told[k]) continue;
        tell(md, scene, k, &look.worst[k]);
        w->told[k] = true;
    }
    const struct culprit *c = &look.worst[SCREE_MD_WARNING_STEP];
    char pair[160];
    name_pair(scene->walls, c, pair, sizeof pair);
    SCREE_CHECK(c->value * v->contact_steps_error <= 1.0, SCREE_PHYSICS,
                "step %lld: the contact time of %s is %.3g steps; below %g the run is meaningless "
                "(warnings.contact_steps_error); use a smaller time step",
                (long long)md->step, pair, 1.0 / c->value, v->contact_steps_error);
    return SCREE_OK;
}

void scree_md_log_worst(const struct scree_md_warnings *w)
{
    char stiffest[80] = "no contact whenever somebody looked";
    if (w->worst[SCREE_MD_WARNING_STEP] > 0.0)
        snprintf(stiffest, sizeof stiffest,
                 "stiffest contact %.3g steps, deepest overlap %.3g of a radius",
                 1.0 / w->worst[SCREE_MD_WARNING_STEP], w->worst[SCREE_MD_WARNING_OVERLAP]);
    scree_log(SCREE_LOG_INFO,
              "%s, impacts up to %.2g of the brake-failure speed, detachment ratio %.2g, dashpots "
              "up to %.2g of the limit",
              stiffest, w->worst[SCREE_MD_WARNING_BRAKE], w->worst[SCREE_MD_WARNING_DETACHMENT],
              w->worst[SCREE_MD_WARNING_DASHPOTS]);
}
