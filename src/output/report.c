/* SPDX-License-Identifier: BSD-3-Clause
 * The end of a run: where the time went, memory, messages, energies, the digest. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scree/alloc.h"
#include "scree/log.h"
#include "scree/output.h"
#include "scree/version.h"

struct spread {
    double min, mean, max;
};

struct report {
    double loop_seconds;
    int64_t steps;
    struct spread phase[SCREE_N_PHASES];
    struct scree_energies energies;
    double kinetic, rotational; /* J */
    double contacts, wall_contacts;
    struct spread messages, bytes, collectives, collective_bytes; /* of the loop, of a rank */
    struct spread memory, peak_memory;                            /* bytes of a rank */
    int64_t listed_pairs;
    struct scree_wall_total *walls; /* of each; owned */
    double grain_bytes;             /* memory per grain without what pairs cost */
    uint64_t digest;
    char method[800]; /* what the method says about its work */
};

static struct spread spread_over_ranks(struct scree_comm *comm, double value)
{
    double low = value, high = value;
    struct scree_exact sum;
    scree_exact_clear(&sum);
    scree_exact_add(&sum, value);
    scree_comm_sum_exact(comm, &sum, 1);
    scree_comm_min(comm, &low, 1);
    scree_comm_max(comm, &high, 1);
    return (struct spread){low, scree_exact_value(&sum) / comm->n_ranks, high};
}

/* Before anything else is sent for the report. */
static void collect_traffic(struct scree_comm *comm, struct report *r)
{
    const struct scree_comm now = *comm;
    r->messages = spread_over_ranks(comm, (double)now.n_messages);
    r->bytes = spread_over_ranks(comm, (double)now.n_bytes);
    r->collectives = spread_over_ranks(comm, (double)now.n_collectives);
    r->collective_bytes = spread_over_ranks(comm, (double)now.n_collective_bytes);
    r->memory = spread_over_ranks(comm, (double)scree_alloc_in_use());
    r->peak_memory = spread_over_ranks(comm, (double)scree_alloc_peak());
}

static void collect(struct scree_run *run, struct report *r)
{
    collect_traffic(run->scene.comm, r);
    struct scree_contacts *contacts = run->scene.contacts;
    for (int k = 0; k < SCREE_N_PHASES; k++)
        r->phase[k] = spread_over_ranks(run->scene.comm, run->scene.timer->seconds[k]);
    scree_run_compute_energies(run, &r->energies);
    const struct scree_energy_line *lines = scree_run_lines(run);
    r->kinetic = scree_energies_sum(&r->energies, lines, SCREE_ENERGY_KINETIC);
    r->rotational = scree_energies_sum(&r->energies, lines, SCREE_ENERGY_ROTATIONAL);
    scree_contacts_count_all(contacts, run->scene.comm, &r->contacts, &r->wall_contacts);
    r->listed_pairs =
        (int64_t)(contacts->list.interior.n + contacts->list.image.n + contacts->list.border.n);
    scree_comm_sum_int(run->scene.comm, &r->listed_pairs, 1);
    r->digest = scree_digest_compute(run);
    const struct scree_advice advice = {
        .occasion = SCREE_ADVISE_REPORT, .text = r->method, .size = sizeof r->method};
    r->method[0] = '\0';
    (void)scree_run_advise(run, &advice);
    r->walls = scree_alloc((size_t)run->scene.walls->n, sizeof *r->walls);
    for (int w = 0; w < run->scene.walls->n; w++)
        scree_walls_total(run->scene.walls, w, run->scene.comm, &r->walls[w]);
}

static double per_grain(const struct scree_run *run, const struct spread *of_rank)
{
    return of_rank->mean * run->scene.comm->n_ranks / (double)run->n_grains;
}

/* Lines that are not zero. */
static void print_ledger(const struct scree_run *run, const struct scree_energies *e)
{
    const struct scree_energy_line *line = scree_run_lines(run);
    double error = scree_energies_error(e);
    scree_log(SCREE_LOG_INFO, "energy ledger (J; closure error: of all energy turned over):");
    for (int k = 0; line[k].name != NULL; k++)
        if (e->value[k] != 0.0)
            scree_log(SCREE_LOG_INFO, "  %-30s %16.9g", line[k].name, e->value[k]);
    if (error != 0.0) scree_log(SCREE_LOG_INFO, "  %-30s %16.9g", "closure error", error);
}

static void print(const struct scree_run *run, const struct report *r)
{
    double total = 0.0;
    double grain_steps = (double)r->steps * (double)run->n_grains;
    for (int k = 0; k < SCREE_N_PHASES; k++) total += r->phase[k].mean;
    scree_log(SCREE_LOG_INFO, "%-12s %10s %10s %10s %7s", "phase", "min s", "mean s", "max s",
              "share");
    for (int k = 0; k < SCREE_N_PHASES; k++) {
        const char *name = scree_timer_phase_name(run->scene.timer, (enum scree_phase)k);
        if (name == NULL) continue;
        scree_log(SCREE_LOG_INFO, "%-12s %10.3f %10.3f %10.3f %6.1f%%", name, r->phase[k].min,
                  r->phase[k].mean, r->phase[k].max,
                  total > 0.0 ? 100.0 * r->phase[k].mean / total : 0.0);
    }
    if (r->steps > 0 && run->stepper->has_no_steps)
        scree_log(SCREE_LOG_INFO, "loop: %.3f s; %.1f messages and %.0f bytes sent per step",
                  r->loop_seconds, r->messages.mean * run->scene.comm->n_ranks / (double)r->steps,
                  r->bytes.mean * run->scene.comm->n_ranks / (double)r->steps);
    else if (r->steps > 0)
        scree_log(
            SCREE_LOG_INFO,
            "loop: %.3f s, %.1f ns per grain-step, %.1f per rank; %.1f messages and %.0f bytes "
            "sent per step",
            r->loop_seconds, 1e9 * r->loop_seconds / grain_steps,
            1e9 * r->loop_seconds * run->scene.comm->n_ranks / grain_steps,
            r->messages.mean * run->scene.comm->n_ranks / (double)r->steps,
            r->bytes.mean * run->scene.comm->n_ranks / (double)r->steps);
    scree_log(SCREE_LOG_INFO,
              "memory: %.0f bytes per grain (peak %.0f), %.2f listed pairs per grain",
              per_grain(run, &r->memory), per_grain(run, &r->peak_memory),
              (double)r->listed_pairs / (double)run->n_grains);
    scree_log(SCREE_LOG_INFO,
              "kinetic energy %.12g J, rotational %.12g J, %.0f contacts, %.0f with walls",
              r->kinetic, r->rotational, r->contacts, r->wall_contacts);
    print_ledger(run, &r->energies);
    scree_log(SCREE_LOG_INFO, "digest: %016" PRIx64, r->digest);
}

/* A text of the user as JSON. */
static void write_quoted(FILE *f, const char *text)
{
    fputc('"', f);
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\') fputc('\\', f);
        if ((unsigned char)*text < 0x20)
            fprintf(f, "\\u%04x", (unsigned)*text);
        else
            fputc(*text, f);
    }
    fputc('"', f);
}

/* JSON knows only finite numbers; those of a run that failed may be others. */
static void write_number(FILE *f, double value)
{
    if (isfinite(value))
        fprintf(f, "%.17g", value);
    else
        fputs("null", f);
}

static void write_vector(FILE *f, const char *key, const double v[3])
{
    fprintf(f, "\"%s\": [", key);
    for (int a = 0; a < 3; a++) {
        if (a > 0) fputs(", ", f);
        write_number(f, v[a]);
    }
    fputc(']', f);
}

static void write_walls(FILE *f, const struct scree_run *run, const struct scree_wall_total *total)
{
    fprintf(f, "  \"walls\": {");
    for (int w = 0; w < run->scene.walls->n; w++) {
        if (w > 0) fputs(", ", f);
        write_quoted(f, run->scene.walls->wall[w].name);
        fputs(": {", f);
        write_vector(f, "force", total[w].force);
        fputs(", ", f);
        write_vector(f, "torque", total[w].torque);
        fputc('}', f);
    }
    fprintf(f, "},\n");
}

static void write_stages(FILE *f, const struct scree_report_about *about)
{
    fprintf(f, "  \"stages\": [");
    for (int k = 0; k < about->n_stages; k++) {
        const struct scree_report_stage *stage = &about->stage[k];
        fprintf(f, "%s{\"name\": ", k > 0 ? ", " : "");
        write_quoted(f, stage->name);
        fprintf(f, ", \"first_step\": %" PRId64 ", \"last_step\": %" PRId64, stage->first,
                stage->last);
        fprintf(f, ", \"ended_by\": \"%s\"}", stage->ended_by);
    }
    fprintf(f, "],\n");
}

static void write_spread(FILE *f, const char *key, const struct spread *s, double divisor)
{
    fprintf(f, "    \"%s\": {\"min\": %.6f, \"mean\": %.6f, \"max\": %.6f}", key, s->min / divisor,
            s->mean / divisor, s->max / divisor);
}

/* What one rank sends and holds, and what rank 0 holds by the function that asked for it. */
static void write_ranks(FILE *f, const struct report *r, double steps)
{
    const struct scree_alloc_place *place;
    const int n_places = scree_alloc_places(&place);
    bool first = true;
    fputs("  \"of_a_rank\": {\n", f);
    write_spread(f, "messages_per_step", &r->messages, steps);
    fputs(",\n", f);
    write_spread(f, "bytes_per_step", &r->bytes, steps);
    fputs(",\n", f);
    write_spread(f, "collectives_per_step", &r->collectives, steps);
    fputs(",\n", f);
    write_spread(f, "collective_bytes_per_step", &r->collective_bytes, steps);
    fputs(",\n", f);
    write_spread(f, "memory", &r->memory, 1.0);
    fputs(",\n", f);
    write_spread(f, "peak_memory", &r->peak_memory, 1.0);
    fputs("\n  },\n  \"memory_of_rank_0\": {\n", f);
    for (int k = 0; k < n_places; k++) {
        if (place[k].peak < 4096) continue;
        fprintf(f, "%s    \"%s:%d %s\": {\"now\": %zu, \"peak\": %zu}", first ? "" : ",\n",
                place[k].file, place[k].line, place[k].what, place[k].in_use, place[k].peak);
        first = false;
    }
    fputs("\n  },\n", f);
}

static void write_overrides(FILE *f, const char *sets)
{
    char text[4096];
    bool first = true;
    fputs(",\n  \"overrides\": [", f);
    for (const char *at = sets, *end; at != NULL && (end = strchr(at, '\n')) != NULL;
         at = end + 1) {
        snprintf(text, sizeof text, "%.*s", (int)(end - at), at);
        fputs(first ? "" : ", ", f);
        write_quoted(f, text);
        first = false;
    }
    fputs("]", f);
}

static void write_json(FILE *f, const struct scree_run *run, const struct scree_report_about *about,
                       const struct report *r)
{
    fprintf(f, "{\n  \"title\": ");
    write_quoted(f, about->title);
    fprintf(f, ",\n  \"exit_code\": %d,\n  \"reason\": ", about->exit_code);
    write_quoted(f, about->reason);
    write_overrides(f, about->sets);
    fprintf(f, ",\n  \"version\": \"%s\",\n  \"commit\": \"%s\",\n  \"compiler\": \"%s\",\n",
            scree_version(), scree_version_commit(), scree_version_compiler());
    fprintf(f, "  \"ranks\": %d,\n  \"grains\": %" PRId64 ",\n  \"steps\": %" PRId64 ",\n",
            run->scene.comm->n_ranks, run->n_grains, r->steps);
    fprintf(f, "  \"time\": %.17g,\n  \"loop_seconds\": %.6f,\n", scree_run_time(run),
            r->loop_seconds);
    fputs("  \"kinetic_energy\": ", f);
    write_number(f, r->kinetic);
    fputs(",\n  \"rotational_energy\": ", f);
    write_number(f, r->rotational);
    fputs(",\n", f);
    fprintf(f, "  \"contacts\": %.0f,\n  \"wall_contacts\": %.0f,\n", r->contacts,
            r->wall_contacts);
    write_walls(f, run, r->walls);
    if (about->n_stages > 0) write_stages(f, about);
    fprintf(f, "  \"rebuilds\": %" PRId64 ",\n  \"prunings\": %" PRId64 ",\n",
            run->scene.contacts->n_rebuilds, run->scene.contacts->n_near_updates);
    fprintf(f, "  \"balances\": %" PRId64 ",\n  \"partitioner\": \"%s\",\n  \"imbalance\": %.4f,\n",
            run->scene.balance->n_done, run->scene.balance->partitioner->name,
            run->scene.balance->imbalance);
    fprintf(f, "  \"imbalance_overall\": %.4f,\n", scree_balance_overall(run->scene.balance));
    double steps = r->steps > 0 ? (double)r->steps : 1.0, n_ranks = run->scene.comm->n_ranks;
    fprintf(f, "  \"messages_per_step\": %.3f,\n  \"bytes_per_step\": %.1f,\n",
            r->messages.mean * n_ranks / steps, r->bytes.mean * n_ranks / steps);
    fprintf(f, "  \"bytes_per_grain\": %.1f,\n  \"peak_bytes_per_grain\": %.1f,\n",
            per_grain(run, &r->memory), per_grain(run, &r->peak_memory));
    write_ranks(f, r, steps);
    fprintf(f, "  \"listed_pairs_per_grain\": %.4f,\n  \"phases\": {\n",
            (double)r->listed_pairs / (double)run->n_grains);
    for (int k = 0; k < SCREE_N_PHASES; k++) {
        const char *name = scree_timer_phase_name(run->scene.timer, (enum scree_phase)k);
        if (name == NULL) continue;
        write_spread(f, name, &r->phase[k], 1.0);
        fputs(k + 1 < SCREE_N_PHASES ? ",\n" : "\n", f);
    }
    fprintf(f, "  },\n");
    if (r->method[0] != '\0') fprintf(f, "  \"%s\": {%s},\n", run->stepper->name, r->method);
    fprintf(f, "  \"digest\": \"%016" PRIx64 "\"\n}\n", r->digest);
}

static enum scree_status write_report(const struct scree_run *run,
                                      const struct scree_report_about *about,
                                      const struct report *r)
{
    char path[4096];
    snprintf(path, sizeof path, "%.4000s/report.json", about->folder);
    FILE *f = fopen(path, "w");
    SCREE_CHECK(f != NULL, SCREE_IO, "cannot write %s", path);
    write_json(f, run, about, r);
    bool good = ferror(f) == 0;
    good = fclose(f) == 0 && good;
    SCREE_CHECK(good, SCREE_IO, "cannot write %s: disk full?", path);
    return SCREE_OK;
}

enum scree_status scree_report_write(struct scree_run *run, const struct scree_report_about *about)
{
    struct report r = {.loop_seconds = about->loop_seconds, .steps = about->steps_done};
    enum scree_status status = SCREE_OK;
    collect(run, &r);
    print(run, &r);
    if (scree_log_speaks() && about->folder != NULL) status = write_report(run, about, &r);
    scree_alloc_free(r.walls);
    return status;
}
