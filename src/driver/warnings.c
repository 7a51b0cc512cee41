/* SPDX-License-Identifier: BSD-3-Clause
 * Warnings while a run goes on. Each is told once, when it first applies; the worst values are in
 * the report at the end. */
#include "warnings.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "dashpots.h"
#include "scree/alloc.h"
#include "scree/log.h"
#include "scree/vec.h"

#define AT(member) offsetof(struct scree_job, warnings.member)
const struct scree_param scree_warnings_params[] = {
    {"contact_steps", SCREE_PARAM_REAL, "1", 0, INFINITY, "50", NULL, AT(contact_steps),
     "warn if the stiffest live contact lasts fewer steps than this"},
    {"contact_steps_error", SCREE_PARAM_REAL, "1", 0, INFINITY, "10", NULL, AT(contact_steps_error),
     "end the run if it lasts fewer steps than this"},
    {"overlap", SCREE_PARAM_REAL, "1", 0, INFINITY, "0.1", NULL, AT(overlap),
     "warn beyond this overlap, as a part of the smaller radius"},
    {"detachment", SCREE_PARAM_REAL, "1", 0, INFINITY, "0.3", NULL, AT(detachment),
     "warn if grains that hardly touch collide again after less than contact time / this"},
    {0},
};

/* The contact that is worst in some respect. */
struct culprit {
    double value;            /* larger is worse */
    long long first, second; /* second < 0: wall */
    double overlap, speed;
};

struct look {
    const struct scree_job *job;
    double (*dashpots)[6]; /* of each grain: dashpots.h */
    struct culprit worst[SCREE_N_WARNINGS];
    double contact_time; /* s; sum over contacts */
    double n;
};

static double contact_time(const struct scree_contact_detail *d)
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
static void add_dashpot(struct look *look, enum scree_near_kind kind, scree_lid i, int32_t j,
                        const struct scree_contact_detail *d)
{
    const struct scree_job *job = look->job;
    const struct scree_particles *p = job->scene.particles;
    bool wall = kind == SCREE_NEAR_WALL;
    int32_t home = wall ? j : scree_contacts_home(job->scene.contacts, kind, j);
    int other = wall ? job->walls.wall[j].species : p->species[j];
    enum scree_timing timing = scree_laws_between(&job->laws, p->species[i], other)->timing;
    if (i < p->n_owned) scree_dashpots_add(look->dashpots[i], d->normal, d->damping, timing);
    if (!wall && home < p->n_owned)
        scree_dashpots_add(look->dashpots[home], d->normal, d->damping, timing);
}

static void compare_dashpots(struct look *look)
{
    const struct scree_particles *p = look->job->scene.particles;
    for (scree_lid i = 0; i < p->n_owned; i++) {
        struct culprit now = {.first = (long long)p->gid[i]};
        double strain = scree_dashpots_strain(look->dashpots[i], p->vel[i][3], look->job->scene.dt);
        compare(&look->worst[SCREE_WARNING_DASHPOTS], strain, &now);
    }
}

/* One contact. */
static void look_at(void *context, enum scree_near_kind kind, size_t place,
                    const struct scree_contact_detail *d)
{
    struct look *look = context;
    const struct scree_job *job = look->job;
    const struct scree_near *near = &job->scene.contacts->near[kind];
    const struct scree_particles *p = job->scene.particles;
    bool wall = kind == SCREE_NEAR_WALL;
    scree_lid i = near->i[place];
    int32_t j = near->j[place];
    double r_i = p->pos[i][3], r_j = wall ? r_i : p->pos[j][3], dt = job->scene.dt;
    double tau = contact_time(d), speed = hypot(d->approach, scree_vec_norm(d->slip));
    const long long one = (long long)p->gid[i],
                    other = wall ? -1 - (long long)j : (long long)p->gid[j];
    const bool in_order = wall || one < other;
    struct culprit now = {0.0, in_order ? one : other, in_order ? other : one, d->overlap, speed};
    compare(&look->worst[SCREE_WARNING_STEP], dt / tau, &now);
    compare(&look->worst[SCREE_WARNING_OVERLAP], d->overlap / fmin(r_i, r_j), &now);
    if (d->damping > 0.0) add_dashpot(look, kind, i, j, d);
    if (tau < INFINITY) {
        look->contact_time += tau;
        look->n += 1.0;
    }
}

/* Contact time over the mean time between two collisions of a grain, since the last look. */
static double detachment(struct scree_warnings *w, struct scree_job *job, const struct look *look,
                         const struct scree_energies *energies)
{
    double sum[2] = {look->contact_time, look->n}, time = scree_job_time(job);
    struct scree_exact exact[2];
    for (int k = 0; k < 2; k++) {
        scree_exact_clear(&exact[k]);
        scree_exact_add(&exact[k], sum[k]);
    }
    scree_comm_sum_exact(job->comm, exact, 2);
    double mean = scree_exact_value(&exact[0]) / fmax(scree_exact_value(&exact[1]), 1.0);
    double rate = 2.0 * (energies->ended - w->ended) / ((double)job->n_grains * (time - w->time));
    w->ended = energies->ended;
    w->time = time;
    double grain_contacts, wall_contacts;
    scree_job_contacts(job, &grain_contacts, &wall_contacts);
    /* Where grains rest on each other contacts come and go without being collisions. */
    bool collisional = 2.0 * grain_contacts < (double)job->n_grains;
    return collisional && rate > 0.0 && rate < INFINITY ? mean * rate : 0.0;
}

static void name_pair(const struct scree_job *job, const struct culprit *c, char *text, size_t size)
{
    if (c->second < 0)
        snprintf(text, size, "grain %lld and wall '%s'", c->first,
                 job->walls.wall[-1 - c->second].name);
    else
        snprintf(text, size, "grains %lld and %lld", c->first, c->second);
}

static void tell(const struct scree_job *job, enum scree_warning kind, const struct culprit *c)
{
    char pair[160];
    long long step = (long long)scree_job_step(job);
    name_pair(job, c, pair, sizeof pair);
    switch (kind) {
    case SCREE_WARNING_STEP:
        scree_log(SCREE_LOG_WARNING,
                  "step %lld: the contact time of %s is only %.3g steps; below %g the collision is "
                  "not resolved well: use a smaller time step",
                  step, pair, 1.0 / c->value, job->warnings.contact_steps);
        break;
    case SCREE_WARNING_OVERLAP:
        scree_log(
            SCREE_LOG_WARNING,
            "step %lld: %s overlap by %.3g of the smaller radius (%.3g m): stiffer contacts or "
            "a smaller load are needed for results of hard grains",
            step, pair, c->value, c->overlap);
        break;
    case SCREE_WARNING_BRAKE:
        scree_log(SCREE_LOG_WARNING,
                  "step %lld: brake failure: %s meet at %.3g m/s, %.3g times the speed above which "
                  "soft grains pass through each other; stiffer contacts help, a smaller step does "
                  "not",
                  step, pair, c->speed, c->value);
        break;
    case SCREE_WARNING_DETACHMENT:
        scree_log(SCREE_LOG_WARNING,
                  "step %lld: detachment: the contact time is %.3g of the time between collisions; "
                  "dissipation is weaker than for hard grains, stiffer contacts help",
                  step, c->value);
        break;
    case SCREE_WARNING_DASHPOTS:
        scree_log(SCREE_LOG_WARNING,
                  "step %lld: the time step is %.3g times what the normal dashpots of grain %lld, "
                  "all together, allow: motion may grow instead of being damped; use a smaller "
                  "step or less damping",
                  step, c->value, c->first);
        break;
    case SCREE_N_WARNINGS: break;
    }
}

/* The worst of all ranks, of equals as compare() has it; the rank that has it sends the rest of it.
 */
static void agree_on(struct scree_job *job, struct culprit *c)
{
    double largest = c->value;
    scree_comm_max(job->comm, &largest, 1);
    bool in_question = c->value == largest;
    const double candidate[] = {(double)c->first, (double)c->second, (double)job->comm->rank};
    double least = 0.0;
    for (int k = 0; k < 3; k++) {
        least = in_question ? candidate[k] : INFINITY;
        scree_comm_min(job->comm, &least, 1);
        in_question = in_question && candidate[k] == least;
    }
    scree_comm_broadcast(job->comm, c, sizeof *c, (int)least);
}

/* The same for the worst impact under one law. */
static void agree_on_impact(struct scree_job *job, struct scree_impact *impact)
{
    double largest = impact->weight;
    scree_comm_max(job->comm, &largest, 1);
    double mine = impact->weight == largest ? (double)job->comm->rank : INFINITY;
    scree_comm_min(job->comm, &mine, 1);
    scree_comm_broadcast(job->comm, impact, sizeof *impact, (int)mine);
}

/* s; of the collision that begins with an impact; of its spring alone if it would never end. */
static double collision_time(const struct scree_pair_law *law, const struct scree_impact *impact)
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
static void look_at_impacts(struct scree_job *job, struct culprit *worst)
{
    size_t n = (size_t)job->laws.n_pairs;
    if (job->stepper->take_impacts == NULL || n == 0) return;
    struct scree_impact *impact = scree_alloc(n, sizeof *impact);
    job->stepper->take_impacts(job->state, &job->scene, impact);
    for (size_t k = 0; k < n; k++) {
        agree_on_impact(job, &impact[k]);
        const struct scree_impact *i = &impact[k];
        if (!(i->weight > 0.0)) continue;
        double tau = collision_time(&job->laws.pair[k], i);
        struct culprit now = {0.0, i->first, i->second, i->overlap, i->speed};
        compare(worst, i->speed * i->speed * tau / (2.0 * i->width * i->approach), &now);
    }
    scree_alloc_free(impact);
}

void scree_warnings_init(struct scree_warnings *w)
{
    memset(w, 0, sizeof *w);
}

enum scree_status scree_warnings_look(struct scree_warnings *w, struct scree_job *job,
                                      const struct scree_energies *energies)
{
    struct look look;
    memset(&look, 0, sizeof look);
    look.job = job;
    look.dashpots = scree_alloc((size_t)job->scene.particles->n_owned, sizeof *look.dashpots);
    memset(look.dashpots, 0, (size_t)job->scene.particles->n_owned * sizeof *look.dashpots);
    for (enum scree_near_kind kind = 0; kind < SCREE_N_NEAR; kind++)
        job->stepper->tell_contacts(job->state, &job->scene, kind, look_at, &look);
    compare_dashpots(&look);
    scree_alloc_free(look.dashpots);
    look_at_impacts(job, &look.worst[SCREE_WARNING_BRAKE]);
    look.worst[SCREE_WARNING_DETACHMENT].value = detachment(w, job, &look, energies);
    const double limit[SCREE_N_WARNINGS] = {1.0 / job->warnings.contact_steps,
                                            job->warnings.overlap, 1.0, job->warnings.detachment,
                                            1.0};
    for (enum scree_warning k = 0; k < SCREE_N_WARNINGS; k++) {
        agree_on(job, &look.worst[k]);
        w->worst[k] = fmax(w->worst[k], look.worst[k].value);
        if (look.worst[k].value <= limit[k] || w->told[k]) continue;
        tell(job, k, &look.worst[k]);
        w->told[k] = true;
    }
    const struct culprit *c = &look.worst[SCREE_WARNING_STEP];
    char pair[160];
    name_pair(job, c, pair, sizeof pair);
    SCREE_CHECK(c->value * job->warnings.contact_steps_error <= 1.0, SCREE_PHYSICS,
                "step %lld: the contact time of %s is %.3g steps; below %g the run is meaningless "
                "(warnings.contact_steps_error); use a smaller time step",
                (long long)scree_job_step(job), pair, 1.0 / c->value,
                job->warnings.contact_steps_error);
    return SCREE_OK;
}

void scree_warnings_print(const struct scree_warnings *w)
{
    char stiffest[80] = "no contact whenever somebody looked";
    if (w->worst[SCREE_WARNING_STEP] > 0.0)
        snprintf(stiffest, sizeof stiffest,
                 "stiffest contact %.3g steps, deepest overlap %.3g of a radius",
                 1.0 / w->worst[SCREE_WARNING_STEP], w->worst[SCREE_WARNING_OVERLAP]);
    scree_log(SCREE_LOG_INFO,
              "%s, impacts up to %.2g of the brake-failure speed, detachment ratio %.2g, dashpots "
              "up to %.2g of the limit",
              stiffest, w->worst[SCREE_WARNING_BRAKE], w->worst[SCREE_WARNING_DETACHMENT],
              w->worst[SCREE_WARNING_DASHPOTS]);
}
