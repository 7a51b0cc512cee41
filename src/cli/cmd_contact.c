/* SPDX-License-Identifier: BSD-3-Clause
 * The command contact: options, the tiny job of two grains, table, picture and a few numbers. */
#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "law_probe.h"
#include "scree/alloc.h"
#include "scree/log.h"

/* The options as keys, in the order of enum scree_law_probe_option, read like an input file. */
#define AT(member) offsetof(struct scree_law_probe, member)
static const struct scree_param params[] = {
    {"pair", SCREE_PARAM_TEXT, "", 0, 0, NULL, NULL, AT(name[0]), "first material"},
    {"radius", SCREE_PARAM_REAL, "m", DBL_MIN, INFINITY, "1 mm", NULL, AT(radius[0]),
     "first grain"},
    {"other-radius", SCREE_PARAM_REAL, "m", DBL_MIN, INFINITY, "", NULL, AT(radius[1]),
     "second grain; default: the same"},
    {"speed", SCREE_PARAM_REAL, "m/s", DBL_MIN, INFINITY, "1", NULL, AT(speed), "of approach"},
    {"angle", SCREE_PARAM_REAL, "rad", 0, 1.57, "0", NULL, AT(angle), "from the normal"},
    {"spin", SCREE_PARAM_REAL, "rad/s", -INFINITY, INFINITY, "0", NULL, AT(spin), "first grain"},
    {"steps", SCREE_PARAM_INTEGER, "", 10, 1000000, "200", NULL, AT(steps), "per contact time"},
    {0},
};

/* A number and the unit that may follow it; `*at` moves on behind them. */
static bool read_length(const char **at, double *value)
{
    char *end, text[64], why[200];
    const char *begin = *at + strspn(*at, " ");
    strtod(begin, &end);
    if (end == begin) return false;
    const char *unit = end + strspn(end, " "), *behind = unit + strcspn(unit, " ,+-.0123456789");
    *at = behind > unit ? behind : end;
    snprintf(text, sizeof text, "%.*s", (int)(*at - begin), begin);
    return scree_units_parse(text, "m", value, why, sizeof why) && isfinite(*value);
}

/* "1e-5 0, 10 um 2 um, 0 0": overlap and shift of each point. */
static enum scree_status read_path(const char *text, struct scree_law_probe *lab)
{
    const char *at = text;
    while (*at != '\0') {
        SCREE_CHECK(lab->n_points < SCREE_LAW_PROBE_POINTS, SCREE_INPUT,
                    "--path: more than %d points", SCREE_LAW_PROBE_POINTS);
        double *point = lab->point[lab->n_points++];
        bool good = read_length(&at, &point[0]) && read_length(&at, &point[1]);
        at += strspn(at, " ");
        good = good && (*at == ',' || *at == '\0');
        SCREE_CHECK(
            good, SCREE_INPUT,
            "--path: expected pairs of overlap and shift, such as '1e-5 0, 10 um 2 um, 0 0'");
        at += *at == ',';
    }
    return SCREE_OK;
}

static enum scree_status read_options(const struct scree_cli *cli, struct scree_input **input,
                                      struct scree_law_probe *lab)
{
    char text[2000] = "{}";
    size_t used = 0;
    SCREE_CHECK(cli->lab[SCREE_LAW_PROBE_PAIR] != NULL && cli->argument[1] != NULL, SCREE_INPUT,
                "scree contact needs two materials: scree contact FILE --pair A B");
    for (int k = 0; k < SCREE_LAW_PROBE_PATH; k++)
        if (cli->lab[k] != NULL && used < sizeof text)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s: %.200s\n", params[k].key,
                                     cli->lab[k]);
    SCREE_TRY(scree_input_create(input, text, "options"));
    memset(lab, 0, sizeof *lab);
    scree_input_read(*input, scree_input_root(*input), NULL, "contact", params, lab);
    if (scree_input_finish(*input) != SCREE_OK) {
        if (scree_log_speaks()) scree_input_print_errors(*input, stderr);
        return SCREE_INPUT;
    }
    lab->name[1] = cli->argument[1];
    lab->wall = cli->wall;
    if (isnan(lab->radius[1])) lab->radius[1] = lab->radius[0];
    return cli->lab[SCREE_LAW_PROBE_PATH] != NULL ? read_path(cli->lab[SCREE_LAW_PROBE_PATH], lab)
                                                  : SCREE_OK;
}

/* Two grains in a wide box, or one and a wall, in place of what the file says. */
static enum scree_status read_small_job(const struct scree_cli *cli, struct scree_comm *comm,
                                        const struct scree_law_probe *lab, struct scree_job *job)
{
    char domain[200], particles[400], walls[200] = "boundaries={}";
    double size = 100.0 * fmax(lab->radius[0], lab->radius[1]);
    snprintf(domain, sizeof domain,
             "domain={low: [-%.17g, -%.17g, -%.17g], high: [%.17g, %.17g, %.17g]}", size, size,
             size, size, size, size);
    int used = snprintf(particles, sizeof particles,
                        "particles=[{lattice: {material: %.60s, radius: %.17g, count: 1}}",
                        lab->name[0], lab->radius[0]);
    if (lab->wall)
        snprintf(
            walls, sizeof walls,
            "boundaries={wall: {shape: plane, material: %.60s, point: [0, 0, 0], normal: [1, 0, "
            "0]}}",
            lab->name[1]);
    else
        used += snprintf(particles + used, sizeof particles - (size_t)used,
                         ", {lattice: {material: %.60s, radius: %.17g, count: 1}}", lab->name[1],
                         lab->radius[1]);
    snprintf(particles + used, sizeof particles - (size_t)used, "]");
    const char *const sets[] = {domain,           particles,    walls,
                                "groups={}",      "output={}",  "time={step: 1, steps: 1}",
                                "gravity=[0, 0]", "balance={}", "background_friction=0",
                                "stages=none",    "pours=none", "analysis=none",
                                "membranes=none", "cell=none",  NULL};
    return scree_cli_read_job(cli, comm, sets, job);
}

static enum scree_status find_materials(const struct scree_job *job, struct scree_law_probe *lab)
{
    for (int k = 0; k < 2; k++) {
        lab->material[k] = scree_materials_find(&job->materials, lab->name[k]);
        SCREE_CHECK(lab->material[k] >= 0, SCREE_INPUT, "no material is called '%s'", lab->name[k]);
    }
    SCREE_CHECK(scree_laws_between(&job->laws, lab->material[0], lab->material[1]) != NULL,
                SCREE_INPUT, "contacts has no entry between '%s' and '%s'", lab->name[0],
                lab->name[1]);
    return SCREE_OK;
}

/* A step that is a fraction of the contact time: of the estimate, or of that without damping; and
 * of the time in which the strongest dashpot stops the grains. */
static void choose_step(struct scree_job *job, const struct scree_law_probe *lab)
{
    const struct scree_pair_law *pair =
        scree_laws_between(&job->laws, lab->material[0], lab->material[1]);
    double r = lab->wall ? lab->radius[0]
                         : lab->radius[0] * lab->radius[1] / (lab->radius[0] + lab->radius[1]);
    struct scree_law_case c = {scree_law_probe_reduced_mass(job, lab), r,
                               lab->speed * fmax(cos(lab->angle), 1e-3)};
    struct scree_law_estimate e;
    scree_pair_law_estimate(pair, &c, &e);
    double time = fmin(e.contact_time, 10.0 * acos(-1.0) * sqrt(c.m_eff / e.stiffness));
    job->run.scene.dt = time / (double)lab->steps;
    if (e.damping > 0.0) job->run.scene.dt = fmin(job->run.scene.dt, 0.1 * c.m_eff / e.damping);
}

static enum scree_status write_table(const struct scree_law_probe_table *table, const char *path)
{
    FILE *f = fopen(path, "w");
    SCREE_CHECK(f != NULL, SCREE_IO, "cannot write %s", path);
    fprintf(f, "time [s],overlap [m],shift [m],normal force [N],tangential force [N],"
               "kinetic energy [J],elastic energy [J]");
    for (enum scree_loss c = 0; c < SCREE_N_CONTACT_LOSSES; c++)
        fprintf(f, ",lost to %s [J]", scree_loss_name(c));
    fprintf(f, ",closure error [J]\n");
    for (size_t k = 0; k < table->n; k++) {
        const struct scree_law_probe_row *r = &table->row[k];
        fprintf(f, "%.10g,%.10g,%.10g,%.10g,%.10g,%.10g,%.10g", r->time, r->overlap, r->shift,
                r->normal, r->tangential, r->kinetic, r->elastic);
        for (int c = 0; c < SCREE_N_CONTACT_LOSSES; c++) fprintf(f, ",%.10g", r->loss[c]);
        fprintf(f, ",%.3g\n", r->closure);
    }
    bool good = ferror(f) == 0;
    good = fclose(f) == 0 && good;
    SCREE_CHECK(good, SCREE_IO, "cannot write %s: disk full?", path);
    return SCREE_OK;
}

static void tell(const struct scree_law_probe *lab, const struct scree_law_probe_table *table)
{
    const struct scree_law_probe_row *last = &table->row[table->n - 1];
    double deepest = 0.0, strongest = 0.0, weakest = 0.0, first = NAN;
    for (size_t k = 0; k < table->n; k++) {
        const struct scree_law_probe_row *r = &table->row[k];
        deepest = fmax(deepest, r->overlap);
        strongest = fmax(strongest, r->normal);
        weakest = fmin(weakest, r->normal);
        if (isnan(first) && r->overlap > 0.0) first = r->time;
    }
    scree_log(SCREE_LOG_INFO, "largest overlap %.6g m, normal force up to %.6g N%s", deepest,
              strongest, weakest < 0.0 ? ", with attraction" : "");
    if (lab->n_points == 0)
        scree_log(SCREE_LOG_INFO, "in contact for %.6g s; energy kept %.6g of %.6g J",
                  last->time - first, last->kinetic, table->row[0].kinetic);
    for (enum scree_loss c = 0; c < SCREE_N_CONTACT_LOSSES; c++)
        if (last->loss[c] != 0.0)
            scree_log(SCREE_LOG_INFO, "  lost to %-20s %.6g J", scree_loss_name(c), last->loss[c]);
}

/* Relative motion along and across the line of centres as it is at the end. */
static void tell_motion(struct scree_job *job, const struct scree_law_probe *lab, bool stick)
{
    const struct scree_particles *p = job->run.scene.particles;
    int across = job->domain.box.dimension == 2 ? 1 : 2,
        axis = job->domain.box.dimension == 2 ? 2 : 1;
    double apart[2] = {0.0, 0.0}, relative[2] = {0.0, 0.0};
    for (scree_lid i = 0; i < p->n_owned; i++) {
        double v[3], w[3], side = p->gid[i] == 1 ? 1.0 : -1.0;
        job->run.stepper->velocity(job->run.state, &job->run.scene, i, v, w);
        apart[0] += side * p->pos[i][0];
        apart[1] += lab->wall ? 0.0 : side * p->pos[i][across];
        relative[0] += side * v[0];
        relative[1] += side * v[across];
        scree_log(SCREE_LOG_INFO, "  grain %lld %s with spin %.6g 1/s", (long long)p->gid[i],
                  stick ? "ends" : "leaves", w[axis]);
    }
    double distance = hypot(apart[0], apart[1]), n[2] = {apart[0] / distance, apart[1] / distance};
    double vn = lab->speed * cos(lab->angle), vt = lab->speed * sin(lab->angle);
    if (stick)
        scree_log(SCREE_LOG_INFO, "restitution: none, they have not parted");
    else
        scree_log(SCREE_LOG_INFO, "restitution: normal %.6f",
                  (relative[0] * n[0] + relative[1] * n[1]) / vn);
    if (vt > 0.0)
        scree_log(SCREE_LOG_INFO, "tangential velocity of the centres: %.6f of the incoming one",
                  (relative[1] * n[0] - relative[0] * n[1]) / vt);
}

static enum scree_status work(const struct scree_cli *cli, struct scree_job *job,
                              struct scree_law_probe *lab, struct scree_law_probe_table *table)
{
    SCREE_TRY(find_materials(job, lab));
    if (lab->n_points > 0) {
        scree_law_probe_follow(job, lab, table);
    } else {
        choose_step(job, lab);
        SCREE_TRY(scree_cli_build_job(job));
        SCREE_TRY(scree_law_probe_collide(job, lab, table));
    }
    char path[4096], title[400];
    const char *folder = cli->output != NULL ? cli->output : "contact";
    SCREE_TRY(scree_cli_make_folder(job->comm, folder, cli->force));
    snprintf(path, sizeof path, "%.4000s/contact.csv", folder);
    SCREE_TRY(write_table(table, path));
    snprintf(path, sizeof path, "%.4000s/contact.svg", folder);
    snprintf(title, sizeof title, "%.60s and %.60s%s: %.100s", lab->name[0], lab->name[1],
             lab->wall ? " (wall)" : "", scree_cli_shown_name(cli->argument[0]));
    SCREE_TRY(scree_law_probe_draw(table, title, path));
    tell(lab, table);
    if (lab->n_points == 0) tell_motion(job, lab, table->row[table->n - 1].overlap > 0.0);
    scree_log(SCREE_LOG_INFO, "curves in %s/contact.csv, picture %s/contact.svg", folder, folder);
    return SCREE_OK;
}

enum scree_status scree_cli_contact(const struct scree_cli *cli, struct scree_comm *comm)
{
    struct scree_job job;
    struct scree_law_probe lab;
    struct scree_input *options = NULL;
    struct scree_law_probe_table table = {0};
    SCREE_CHECK(comm->n_ranks == 1, SCREE_INPUT, "scree contact is for one rank");
    enum scree_status status = read_options(cli, &options, &lab);
    if (status == SCREE_OK) {
        status = read_small_job(cli, comm, &lab, &job);
        if (status == SCREE_OK) status = work(cli, &job, &lab, &table);
        scree_job_clear(&job);
    }
    scree_alloc_free(table.row);
    if (options != NULL) scree_input_destroy(&options);
    return status;
}
