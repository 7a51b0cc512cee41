/* SPDX-License-Identifier: BSD-3-Clause
 * What the contacts of a run will be like, for `scree check`. */
#include <math.h>
#include <stdio.h>

#include "md_advise.h"
#include "scree/log.h"

/* What a time step must resolve besides the contact, if it is faster. */
static void print_faster(const struct scree_law_case *c, const struct scree_law_estimate *e,
                         double time, double half_period, double dt)
{
    if (half_period > 0.9 * time) return;
    bool normal = half_period > 0.99 * acos(-1.0) * sqrt(c->m_eff / e->normal_slope);
    scree_log(SCREE_LOG_INFO, "    half a period of the %s spring: %.4g s = %.0f steps",
              normal ? "normal" : "tangential", half_period, half_period / dt);
}

/* Of contacts that hardly rebound it is the dashpots that limit the step, not the contact time. */
static void tell_dashpots(const struct scree_pair_law *pair, const struct scree_law_case *c,
                          const struct scree_law_estimate *e, double dt)
{
    if (e->restitution > 1e-3 || !(e->damping > 0.0)) return;
    double longest = scree_dashpots_longest_step(pair->timing, e->damping, 2.0 * c->m_eff, 12);
    scree_log(
        dt > longest ? SCREE_LOG_WARNING : SCREE_LOG_INFO,
        "    dashpots up to %.3g kg/s: grains with twelve such contacts want steps below %.3g "
        "s",
        e->damping, longest);
}

static void warn_long_step(const struct scree_md *md, const struct scree_prospect *prospect, int a,
                           int b, double steps)
{
    const struct scree_md_values *v = md->values;
    if (steps >= v->contact_steps) return;
    scree_log(SCREE_LOG_WARNING,
              "the time step is more than 1/%g of the contact time of %s with %s", v->contact_steps,
              prospect->material[a], prospect->material[b]);
    if (steps < v->contact_steps_error)
        scree_log(SCREE_LOG_WARNING,
                  "contacts of %s with %s that last only %.3g steps end a run; it goes on from %g "
                  "steps up (warnings.contact_steps_error)",
                  prospect->material[a], prospect->material[b], steps, v->contact_steps_error);
}

/* Numbers for a pair of materials. The leapfrog is stable up to a step of 2/omega; brake failure:
 * Wolf, "Modeling and computer simulation of granular media", 26, for a head-on impact. */
static void print_pair(const struct scree_md *md, const struct scree_scene *scene,
                       const struct scree_prospect *prospect, int a, int b)
{
    const struct scree_pair_law *pair = scree_laws_between(scene->laws, a, b);
    if (pair == NULL) return;
    scree_log(SCREE_LOG_INFO, "%s - %s: normal %s, tangential %s, rolling %s, torsion %s",
              prospect->material[a], prospect->material[b], pair->law[SCREE_LAW_NORMAL]->name,
              pair->law[SCREE_LAW_TANGENTIAL]->name, pair->law[SCREE_LAW_ROLLING]->name,
              pair->law[SCREE_LAW_TORSION]->name);
    double before = NAN;
    for (int which = 0; which < 2; which++) {
        struct scree_law_case c;
        struct scree_law_estimate e;
        if (!scree_md_find_collision(prospect, a, b, which, &c)) {
            scree_log(SCREE_LOG_INFO, "  never meet in this run");
            return;
        }
        if (c.m_eff == before) break; /* all of one size */
        before = c.m_eff;
        scree_pair_law_estimate(pair, &c, &e);
        double time = scree_md_contact_time(&c, &e), pi = acos(-1.0), dt = scene->dt;
        double half_period = scree_md_half_period(scene->inertia_factor, &c, &e);
        scree_log(
            SCREE_LOG_INFO,
            "  %s: reduced mass %.4g kg, contact time %.4g s = %.0f steps, critical step %.3g s",
            which == 0 ? "smallest" : "largest", c.m_eff, time, time / dt, 2.0 / pi * half_period);
        scree_log(SCREE_LOG_INFO,
                  "    restitution %.4f at %.3g m/s, brake failure above V_c = %.3g m/s",
                  e.restitution, prospect->speed, 8.0 * c.r_eff / time);
        char text[300];
        for (int part = 0; part < SCREE_N_LAW_KINDS; part++)
            if (pair->law[part]->describe != NULL) {
                pair->law[part]->describe(pair->values[part], &c, text, sizeof text);
                scree_log(SCREE_LOG_INFO, "    %s", text);
            }
        print_faster(&c, &e, time, half_period, dt);
        tell_dashpots(pair, &c, &e, dt);
        warn_long_step(md, prospect, a, b, fmin(time, half_period) / dt);
    }
}

void scree_md_forecast(const struct scree_md *md, const struct scree_scene *scene,
                       const struct scree_prospect *prospect)
{
    for (int a = 0; a < prospect->n_materials; a++)
        for (int b = a; b < prospect->n_materials; b++) print_pair(md, scene, prospect, a, b);
}
