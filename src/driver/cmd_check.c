/* SPDX-License-Identifier: BSD-3-Clause
 * The command check: mistakes, and what the contacts of a run will be like. */
#include <math.h>
#include <stdio.h>

#include "cli.h"
#include "contact_times.h"
#include "dashpots.h"
#include "scree/alloc.h"
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

/* Numbers for a pair of materials. The leapfrog is stable up to a step of 2/omega; brake failure:
 * Wolf, "Modeling and computer simulation of granular media", 26, for a head-on impact. */
static void print_pair(const struct scree_job *job, const struct scree_material_range *range, int a,
                       int b, double speed)
{
    const struct scree_pair_law *pair = scree_laws_between(&job->laws, a, b);
    if (pair == NULL) return;
    scree_log(SCREE_LOG_INFO, "%s - %s: normal %s, tangential %s, rolling %s, torsion %s",
              job->material_name[a], job->material_name[b], pair->law[SCREE_LAW_NORMAL]->name,
              pair->law[SCREE_LAW_TANGENTIAL]->name, pair->law[SCREE_LAW_ROLLING]->name,
              pair->law[SCREE_LAW_TORSION]->name);
    double before = NAN;
    for (int which = 0; which < 2; which++) {
        struct scree_law_case c;
        struct scree_law_estimate e;
        if (!scree_job_collision(job, range, a, b, which, speed, &c)) {
            scree_log(SCREE_LOG_INFO, "  never meet in this run");
            return;
        }
        if (c.m_eff == before) break; /* all of one size */
        before = c.m_eff;
        scree_pair_law_estimate(pair, &c, &e);
        double time = scree_job_contact_time(&c, &e), pi = acos(-1.0), dt = job->scene.dt;
        double half_period = scree_job_half_period(job, &c, &e);
        scree_log(
            SCREE_LOG_INFO,
            "  %s: reduced mass %.4g kg, contact time %.4g s = %.0f steps, critical step %.3g s",
            which == 0 ? "smallest" : "largest", c.m_eff, time, time / dt, 2.0 / pi * half_period);
        scree_log(SCREE_LOG_INFO,
                  "    restitution %.4f at %.3g m/s, brake failure above V_c = %.3g m/s",
                  e.restitution, speed, 8.0 * c.r_eff / time);
        char text[300];
        for (int part = 0; part < SCREE_N_LAW_KINDS; part++)
            if (pair->law[part]->describe != NULL) {
                pair->law[part]->describe(pair->values[part], &c, text, sizeof text);
                scree_log(SCREE_LOG_INFO, "    %s", text);
            }
        print_faster(&c, &e, time, half_period, dt);
        tell_dashpots(pair, &c, &e, dt);
        if (fmin(time, half_period) < job->warnings.contact_steps * dt)
            scree_log(SCREE_LOG_WARNING,
                      "the time step is more than 1/%g of the contact time of %s "
                      "with %s",
                      job->warnings.contact_steps, job->material_name[a], job->material_name[b]);
    }
}

static void print_estimates(struct scree_job *job, double speed)
{
    struct scree_material_range *range = scree_alloc((size_t)job->n_materials, sizeof *range);
    double smallest = INFINITY;
    scree_job_material_ranges(job, range);
    for (int m = 0; m < job->n_materials; m++) smallest = fmin(smallest, range[m].radius[0]);
    scree_log(SCREE_LOG_INFO, "%lld grains, radii %.4g to %.4g m, %lld steps of %g s",
              (long long)job->n_grains, smallest, job->scene.largest_radius,
              (long long)job->n_steps, job->scene.dt);
    scree_stages_log(job);
    for (int a = 0; a < job->n_materials; a++)
        for (int b = a; b < job->n_materials; b++) print_pair(job, range, a, b, speed);
    double grains = (double)job->n_grains;
    scree_log(SCREE_LOG_INFO,
              "memory about %.3g GB; at 100 ns per grain-step about %.3g core-hours",
              grains * 900.0 / 1e9, grains * (double)job->n_steps * 100e-9 / 3600.0);
    scree_alloc_free(range);
}

enum scree_status scree_cli_check(const struct scree_cli *cli, struct scree_comm *comm)
{
    struct scree_job job;
    char why[200];
    double speed = 1.0; /* m/s */
    const char *given = cli->lab[SCREE_LAB_SPEED];
    SCREE_CHECK(given == NULL ||
                    (scree_units_parse(given, "m/s", &speed, why, sizeof why) && speed > 0.0),
                SCREE_INPUT, "--speed is '%s'; expected an impact speed such as '0.5 m/s'", given);
    enum scree_status status = scree_cli_read_job(cli, comm, NULL, &job);
    if (status == SCREE_OK) status = scree_cli_build_job(&job);
    if (status == SCREE_OK) {
        print_estimates(&job, speed);
        scree_log(SCREE_LOG_INFO, "%s: no mistakes found", scree_cli_shown_name(cli->argument[0]));
    }
    scree_job_clear(&job);
    return status;
}
