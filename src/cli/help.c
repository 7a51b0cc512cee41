/* SPDX-License-Identifier: BSD-3-Clause
 * The commands list and help: everything comes from the tables that also read the input. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "scree/job.h"
#include "scree/partition.h"
#include "scree/regions.h"
#include "scree/sizes.h"
#include "scree/version.h"
#include "usage.h"

typedef void visitor(void *context, const char *path, const char *summary,
                     const struct scree_param *params);

static void visit_motions(visitor *visit, void *context)
{
    static const char *const word[] = {"move", "rotate"};
    int n;
    const struct scree_motion_law *const *law = scree_motion_laws(&n);
    for (int kind = 0; kind < SCREE_N_MOTIONS; kind++) {
        char path[128];
        snprintf(path, sizeof path, "boundaries.*.%s", word[kind]);
        visit(context, path, "motion of a wall",
              scree_motion_common_params((enum scree_motion_kind)kind));
        for (int k = 0; k < n; k++) {
            snprintf(path, sizeof path, "boundaries.*.%s{law: %s}", word[kind], law[k]->name);
            visit(context, path, law[k]->summary, law[k]->params[kind]);
        }
    }
}

static void visit_stages(visitor *visit, void *context)
{
    visit(context, "stages[].until", "when a stage ends", scree_end_condition_params(3));
    visit(context, "time.stop", "when the run ends early", scree_end_condition_params(3));
    visit(context, "stages[].boundaries.*", "a new drive of a wall", scree_walls_drive_params());
}

static void visit_servos(visitor *visit, void *context)
{
    visit(context, "boundaries.*.servo{force or stress}", "a wall pushed along a direction",
          scree_servo_params(SCREE_MOTION_SHIFT, 3));
    visit(context, "boundaries.*.servo{torque}", "a wall turned about an axis",
          scree_servo_params(SCREE_MOTION_TURN, 3));
    visit(context, "boundaries.*.tilt", "a wall that is free to tilt", scree_tilt_params);
}

/* Every documented map of an input file. */
static void visit_schemas(visitor *visit, void *context)
{
    char path[128];
    int n;
    for (const struct scree_schema *s = scree_job_schemas; s->path != NULL; s++)
        visit(context, s->path, s->summary, s->params);
    for (int m = 0; scree_stepper_names[m] != NULL; m++) {
        const struct scree_method_keys *keys = scree_stepper_at(m)->keys;
        for (; keys != NULL && keys->section != NULL; keys++)
            visit(context, keys->section, keys->summary, keys->params);
    }
    for (int k = 0; k < scree_law_count(); k++) {
        const struct scree_law *law = scree_law_at(k);
        snprintf(path, sizeof path, "contacts[].%s{law: %s}", scree_law_kind_name(law->kind),
                 law->name);
        visit(context, path, law->summary, law->params);
    }
    const struct scree_wall_shape *const *shape = scree_walls_shapes(&n);
    visit(context, "boundaries.*", "a wall", scree_walls_common_params());
    for (int k = 0; k < n; k++) {
        snprintf(path, sizeof path, "boundaries.*{shape: %s}", shape[k]->name);
        visit(context, path, shape[k]->summary, shape[k]->params);
    }
    visit(context, "membranes.*", "an elastic membrane around an upright cylinder",
          scree_membranes_params());
    visit_motions(visit, context);
    visit_servos(visit, context);
    visit_stages(visit, context);
    const struct scree_sample_kind *const *sample = scree_samples_kinds(&n);
    for (int k = 0; k < n; k++) {
        snprintf(path, sizeof path, "particles[].%s", sample[k]->name);
        if (sample[k]->common != NULL) visit(context, path, sample[k]->summary, sample[k]->common);
        visit(context, path, sample[k]->summary, sample[k]->params);
    }
    const struct scree_size_kind *const *size = scree_sizes_kinds(&n);
    for (int k = 0; k < n; k++) {
        snprintf(path, sizeof path, "particles[].*.radius.%s", size[k]->name);
        visit(context, path, size[k]->summary, size[k]->params);
    }
    const struct scree_region_shape *const *region = scree_regions_shapes(&n);
    for (int k = 0; k < n; k++) {
        snprintf(path, sizeof path, "particles[].*.region{shape: %s}", region[k]->name);
        visit(context, path, region[k]->summary, region[k]->params);
    }
    const struct scree_analysis_kind *const *analysis = scree_analyses_kinds(&n);
    visit(context, "analysis[].*", "any measurement", scree_analyses_common_params());
    visit(context, "analysis[].*", "where all but walls, profile and fields measure",
          scree_volume_params);
    visit(context, "analysis[].*", "which contacts fabric, networks and forces count",
          scree_chosen_contacts_params);
    visit(context, "analysis[].*", "of which grains stress, packing, profile and fields are",
          scree_chosen_material_params);
    for (int k = 0; k < n; k++) {
        snprintf(path, sizeof path, "analysis[].%s", analysis[k]->name);
        visit(context, path, analysis[k]->summary, analysis[k]->params);
        for (const struct scree_schema *map = analysis[k]->maps; map != NULL && map->path != NULL;
             map++) {
            snprintf(path, sizeof path, "analysis[].%s.%s", analysis[k]->name, map->path);
            visit(context, path, map->summary, map->params);
        }
    }
    visit(context, "particles[].list.grains[]", "a grain", scree_sample_list_params);
    visit(context, "particles[].glue", "grains that become part of walls",
          scree_samples_glue_params());
    visit(context, "particles[].ramp", "a velocity that changes across the domain",
          scree_samples_ramp_params());
}

/* A range as the messages about values outside it put it; empty if there is none. */
static const char *range_text(const struct scree_param *param, char *text, size_t size)
{
    bool number = param->type == SCREE_PARAM_REAL || param->type == SCREE_PARAM_INTEGER;
    text[0] = '\0';
    if (!number || (param->min == 0.0 && param->max == 0.0)) return text;
    if (param->min > 0.0 && param->min < 1e-300 && isinf(param->max)) /* DBL_MIN stands for "> 0" */
        snprintf(text, size, "> 0");
    else if (param->min > 0.0 && param->min < 1e-300)
        snprintf(text, size, "> 0 and <= %g", param->max);
    else if (!isinf(param->min) && (isinf(param->max) || param->max >= 9e15))
        snprintf(text, size, ">= %g", param->min);
    else if (!isinf(param->min))
        snprintf(text, size, "%g to %g", param->min, param->max);
    return text;
}

static bool has_unit(const struct scree_param *param)
{
    return param->unit[0] != '\0' && strcmp(param->unit, "1") != 0;
}

static void print_param(const char *path, const struct scree_param *param)
{
    char range[64];
    printf("%s%s%s: %s", path, path[0] != '\0' ? "." : "", param->key, param->help);
    if (has_unit(param)) printf(" [%s]", param->unit);
    if (param->choices != NULL) {
        printf(" (");
        for (int k = 0; param->choices[k] != NULL; k++)
            printf("%s%s", k > 0 ? ", " : "", param->choices[k]);
        printf(")");
    }
    if (range_text(param, range, sizeof range)[0] != '\0') printf("; allowed %s", range);
    if (param->fallback == NULL)
        printf("; required");
    else if (param->fallback[0] != '\0')
        printf("; default %s", param->fallback);
    printf("\n");
}

struct search {
    const char *word;
    int n_found;
    const char *known[512];
    int n_known;
};

static void print_all(void *context, const char *path, const char *summary,
                      const struct scree_param *params)
{
    (void)context;
    printf("# %s: %s\n", path[0] != '\0' ? path : "top level", summary);
    for (; params->key != NULL; params++) print_param(path, params);
}

/* A key is asked for by its name, by its last words ("normal.stiffness") or by its section. */
static bool matches(const char *path, const char *key, const char *word)
{
    char full[192];
    if (strcmp(key, word) == 0 || strcmp(path, word) == 0) return true;
    snprintf(full, sizeof full, "%s.%s", path, key);
    size_t n = strlen(full), m = strlen(word);
    return strchr(word, '.') != NULL && n >= m && strcmp(full + n - m, word) == 0;
}

static void print_matching(void *context, const char *path, const char *summary,
                           const struct scree_param *params)
{
    struct search *search = context;
    (void)summary;
    for (; params->key != NULL; params++) {
        if (search->n_known < 511) search->known[search->n_known++] = params->key;
        if (!matches(path, params->key, search->word)) continue;
        print_param(path, params);
        search->n_found++;
    }
}

/* Is a map called so: the last word of its path, whatever makes its keys known? */
static bool is_called(const char *path, const char *word)
{
    size_t n = strcspn(path, "{"), m = strlen(word);
    while (n >= 2 && strncmp(path + n - 2, "[]", 2) == 0) n -= 2;
    return n > m && strncmp(path + n - m, word, m) == 0 && path[n - m - 1] == '.';
}

/* The keys of a map with the name of the key that was asked for. */
static void print_map(void *context, const char *path, const char *summary,
                      const struct scree_param *params)
{
    const struct search *search = context;
    if (is_called(path, search->word) && params->key != NULL)
        print_all(NULL, path, summary, params);
}

/* The part of the manual that is being printed: the maps below one key of the top level. */
struct chapter {
    const char *key;      /* empty: the top level itself */
    const char *last_map; /* summary of the last map, NULL before the first one */
    char last_path[128];
};

/* Text of a cell of a markdown table, in which a bar would end the cell. */
static void print_cell(const char *text)
{
    for (; *text != '\0'; text++) printf(*text == '|' ? "\\|" : "%c", *text);
}

static void print_row(const struct scree_param *param)
{
    char range[64];
    printf("| `%s` | ", param->key);
    print_cell(param->help);
    printf(" | ");
    if (has_unit(param)) print_cell(param->unit);
    printf(" | %s", range_text(param, range, sizeof range));
    for (int k = 0; param->choices != NULL && param->choices[k] != NULL; k++)
        printf("%s`%s`", k > 0 || range[0] != '\0' ? ", " : "", param->choices[k]);
    if (param->fallback == NULL)
        printf(" | required |\n");
    else if (param->fallback[0] != '\0')
        printf(" | `%s` |\n", param->fallback);
    else
        printf(" | |\n");
}

/* One table per map of the chapter. Two lists of keys of one map, common and its own, make one. */
static void print_tables(void *context, const char *path, const char *summary,
                         const struct scree_param *params)
{
    struct chapter *chapter = context;
    size_t n = strcspn(path, ".[{");
    if (strlen(chapter->key) != n || strncmp(path, chapter->key, n) != 0) return;
    bool more = chapter->last_map != NULL && strcmp(chapter->last_map, summary) == 0 &&
                strcmp(chapter->last_path, path) == 0;
    if (chapter->last_map == NULL && path[0] == '\0') printf("\n## Top level\n");
    if (chapter->last_map == NULL && path[0] != '\0') printf("\n## `%s`\n", chapter->key);
    if (!more && path[0] != '\0' && strcmp(path, chapter->key) != 0) printf("\n### `%s`\n", path);
    if (!more && path[0] != '\0') printf("\n%s\n", summary);
    if (!more && params->key != NULL)
        printf("\n| key | meaning | unit | allowed | default |\n|---|---|---|---|---|\n");
    for (; params->key != NULL; params++) print_row(params);
    chapter->last_map = summary;
    snprintf(chapter->last_path, sizeof chapter->last_path, "%s", path);
}

static void print_markdown(void)
{
    struct chapter top = {.key = ""};
    printf(
        "# All keys of an input file\n\n"
        "Written by `scree help --markdown`; `make manual` writes it anew. A path such as\n"
        "`contacts[].normal{law: linear}` is a map in the input: `[]` stands for any item of a "
        "list,\n"
        "`*` for any name, and braces for the choice that makes these keys known. Units are those "
        "of\n"
        "bare numbers; any unit of the same kind may be written behind a number. `scree help KEY`\n"
        "explains single keys.\n");
    visit_schemas(print_tables, &top);
    for (const struct scree_param *param = scree_job_schemas[0].params; param->key != NULL;
         param++) {
        struct chapter chapter = {.key = param->key};
        visit_schemas(print_tables, &chapter);
    }
}

enum scree_status scree_cli_help(const struct scree_cli *cli)
{
    struct search search = {.word = cli->argument[0]};
    if (cli->markdown) print_markdown();
    if (cli->man) scree_usage_print_man(stdout, scree_version());
    if (cli->completion) scree_usage_print_completion(stdout);
    if (cli->argument[0] == NULL) return SCREE_OK;
    bool is_command = scree_usage_is_command(search.word);
    if (is_command) scree_usage_print_command(stdout, search.word);
    visit_schemas(print_matching, &search);
    visit_schemas(print_map, &search);
    search.known[search.n_known] = NULL;
    if (search.n_found > 0 || is_command) return SCREE_OK;
    const char *closest = scree_suggest(search.word, search.known);
    if (closest != NULL)
        return SCREE_FAIL(SCREE_INPUT, "no key '%s'; did you mean '%s'?", search.word, closest);
    return SCREE_FAIL(SCREE_INPUT, "no key '%s'; `scree list keys` shows all", search.word);
}

static void list_laws(void)
{
    for (int k = 0; k < scree_law_count(); k++) {
        const struct scree_law *law = scree_law_at(k);
        printf("%-10s %-10s %s\n", scree_law_kind_name(law->kind), law->name, law->summary);
    }
}

enum scree_status scree_cli_list(const struct scree_cli *cli)
{
    static const char *const things[] = {"laws",    "boundaries",   "motions",  "samples", "sizes",
                                         "regions", "partitioners", "analyses", "keys",    NULL};
    const char *what = cli->argument[0] != NULL ? cli->argument[0] : "";
    int n;
    if (strcmp(what, "laws") == 0) {
        list_laws();
    } else if (strcmp(what, "boundaries") == 0) {
        const struct scree_wall_shape *const *shape = scree_walls_shapes(&n);
        for (int k = 0; k < n; k++) printf("%-10s %s\n", shape[k]->name, shape[k]->summary);
    } else if (strcmp(what, "motions") == 0) {
        const struct scree_motion_law *const *law = scree_motion_laws(&n);
        for (int k = 0; k < n; k++) printf("%-10s %s\n", law[k]->name, law[k]->summary);
    } else if (strcmp(what, "samples") == 0) {
        const struct scree_sample_kind *const *kind = scree_samples_kinds(&n);
        for (int k = 0; k < n; k++) printf("%-10s %s\n", kind[k]->name, kind[k]->summary);
    } else if (strcmp(what, "sizes") == 0) {
        const struct scree_size_kind *const *size = scree_sizes_kinds(&n);
        for (int k = 0; k < n; k++) printf("%-10s %s\n", size[k]->name, size[k]->summary);
    } else if (strcmp(what, "regions") == 0) {
        const struct scree_region_shape *const *region = scree_regions_shapes(&n);
        for (int k = 0; k < n; k++) printf("%-10s %s\n", region[k]->name, region[k]->summary);
    } else if (strcmp(what, "analyses") == 0) {
        const struct scree_analysis_kind *const *kind = scree_analyses_kinds(&n);
        for (int k = 0; k < n; k++) printf("%-10s %s\n", kind[k]->name, kind[k]->summary);
    } else if (strcmp(what, "partitioners") == 0) {
        for (const char *const *name = scree_partitioner_names(); *name != NULL; name++) {
            const struct scree_partitioner *p = scree_partitioner_find(*name);
            printf("%-10s %s%s\n", p->name, p->summary,
                   p->is_available() ? "" : " (not in this build)");
        }
    } else if (strcmp(what, "keys") == 0) {
        visit_schemas(print_all, NULL);
    } else {
        const char *closest = scree_suggest(what, things);
        return SCREE_FAIL(
            SCREE_INPUT,
            "scree list "
            "laws|boundaries|motions|samples|sizes|regions|partitioners|analyses|keys%s%s%s",
            closest != NULL ? "; did you mean '" : "", closest != NULL ? closest : "",
            closest != NULL ? "'?" : "");
    }
    return SCREE_OK;
}
