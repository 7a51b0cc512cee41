/* SPDX-License-Identifier: BSD-3-Clause
 * The methods of a run, and its energies over all of them: what is stored is that of the present
 * method, what was lost adds up. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scree/run.h"
#include "scree/status.h"

/* The last line of a run with several methods. */
static const struct scree_energy_line handover_line = {"lost to hand-over", SCREE_ENERGY_LOST, 0};

int scree_run_add_method(struct scree_run *run, const struct scree_stepper *stepper)
{
    for (int k = 0; k < run->n_methods; k++)
        if (run->method[k].stepper == stepper) return k;
    if (run->n_methods == SCREE_RUN_METHODS) return -1;
    run->method[run->n_methods] = (struct scree_run_method){.stepper = stepper};
    return run->n_methods++;
}

void scree_run_choose_method(struct scree_run *run, int method)
{
    run->stepper = run->method[method].stepper;
    run->values = run->method[method].values;
}

/* The number of a line of that name, which is made if there is none. */
static int join_line(struct scree_run_ledger *ledger, const struct scree_energy_line *line)
{
    int k = 0;
    while (ledger->line[k].name != NULL && strcmp(ledger->line[k].name, line->name) != 0) k++;
    SCREE_ASSERT(k < SCREE_ENERGY_LINES);
    SCREE_ASSERT(ledger->line[k].name == NULL || ledger->line[k].kind == line->kind);
    ledger->line[k] = *line;
    return k;
}

static int join_figure(struct scree_run_ledger *ledger, const struct scree_figure *figure)
{
    int k = 0;
    while (ledger->figure[k].name != NULL && strcmp(ledger->figure[k].name, figure->name) != 0) k++;
    SCREE_ASSERT(k < SCREE_FIGURES);
    ledger->figure[k] = *figure;
    return k;
}

void scree_run_join_methods(struct scree_run *run)
{
    memset(&run->ledger, 0, sizeof run->ledger);
    for (int m = 0; m < run->n_methods; m++) {
        struct scree_run_method *method = &run->method[m];
        const struct scree_energy_line *line = method->stepper->lines;
        const struct scree_figure *figure = method->stepper->figures;
        for (int k = 0; line[k].name != NULL; k++)
            method->line[k] = join_line(&run->ledger, &line[k]);
        for (int k = 0; figure != NULL && figure[k].name != NULL; k++)
            method->figure[k] = join_figure(&run->ledger, &figure[k]);
    }
    join_line(&run->ledger, &handover_line);
}

const struct scree_energy_line *scree_run_lines(const struct scree_run *run)
{
    return run->n_methods > 1 ? run->ledger.line : run->stepper->lines;
}

const struct scree_figure *scree_run_figures(const struct scree_run *run)
{
    return run->n_methods > 1 ? run->ledger.figure : run->stepper->figures;
}

int scree_run_n_figures(const struct scree_run *run)
{
    const struct scree_figure *figure = scree_run_figures(run);
    int n = 0;
    while (figure != NULL && figure[n].name != NULL) n++;
    return n;
}

const char *const *scree_run_phases(struct scree_run *run)
{
    struct scree_run_ledger *all = &run->ledger;
    if (run->n_methods < 2) return run->stepper->phases;
    memset(all->phase, 0, sizeof all->phase);
    memset(all->phases, 0, sizeof all->phases);
    for (int m = 0; m < run->n_methods; m++) {
        const char *const *own = run->method[m].stepper->phases;
        for (int k = 0; own[k] != NULL; k++) {
            size_t used = strlen(all->phase[k]), room = sizeof all->phase[k] - used;
            snprintf(all->phase[k] + used, room, "%s%s", used > 0 ? "+" : "", own[k]);
            all->phases[k] = all->phase[k];
        }
    }
    return all->phases;
}

static const struct scree_run_method *present(const struct scree_run *run)
{
    int m = 0;
    while (run->method[m].stepper != run->stepper) m++;
    return &run->method[m];
}

void scree_run_measure(struct scree_run *run, double *value)
{
    double own[SCREE_FIGURES];
    int n = scree_stepper_n_figures(run->stepper);
    memset(value, 0, (size_t)scree_run_n_figures(run) * sizeof *value);
    if (n == 0) return;
    run->stepper->measure(run->state, &run->scene, run->n_methods > 1 ? own : value);
    for (int k = 0; k < n && run->n_methods > 1; k++) value[present(run)->figure[k]] = own[k];
}

/* From the energies of the present method to those of the run. */
static void add_earlier(const struct scree_run *run, struct scree_energies *e)
{
    const struct scree_run_ledger *ledger = &run->ledger;
    if (run->n_methods < 2) return;
    const struct scree_energies own = *e;
    memcpy(e->value, ledger->before, sizeof e->value);
    for (int k = 0; run->stepper->lines[k].name != NULL; k++)
        e->value[present(run)->line[k]] += own.value[k];
    e->closure += ledger->closure;
    for (int k = 0; k < SCREE_ENERGY_LINES; k++) e->turnover += fabs(ledger->before[k]);
    e->turnover = fmax(e->turnover, ledger->turnover);
}

enum scree_status scree_run_advance(struct scree_run *run, int64_t tick,
                                    struct scree_energies *energies)
{
    enum scree_status status = run->stepper->advance(run->state, &run->scene, tick, energies);
    if (status == SCREE_OK) run->tick = tick;
    if (status == SCREE_OK && energies != NULL) add_earlier(run, energies);
    return status;
}

void scree_run_compute_energies(struct scree_run *run, struct scree_energies *energies)
{
    run->stepper->energies(run->state, &run->scene, energies);
    add_earlier(run, energies);
}
