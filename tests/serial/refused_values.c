/* SPDX-License-Identifier: BSD-3-Clause
 * A value that is wrong is an error, whatever it is and wherever it stands: keys, words, lists and
 * maps of all inputs are replaced, one at a time, by values that no reader wants. The input must be
 * refused with a message (or taken, where the value does no harm), and never crash or hang.
 * A sample is tried, with sanitizers another one; `serial_refused_values all` tries every
 * replacement. */
#define _POSIX_C_SOURCE 200809L
#include <glob.h>
#include <unistd.h>
#include <yaml.h>

#include "job_test.h"
#include "scree/rng.h"

enum {
    SEED = 1 + MPI_TEST_SANITIZED,
    LONG_TEXT = 65537,
    SECONDS = 20 /* for one input, before it counts as hung */
};
#define SHARE 0.01 /* of the replacements */

static char long_text[LONG_TEXT + 1];
static const struct {
    const char *text;
    bool refused; /* while parsing: nowhere can it be right */
} replacements[] = {
    {"*a", true},      {"\"a\\0b\"", true}, {long_text, true}, {"~", false},
    {"[]", false},     {"{}", false},       {"[~]", false},    {"[*a, *a]", true},
    {"{a: *a}", true}, {"{law: 1}", false}, {"[[1]]", false},  {"word", false},
    {"\"\"", false},   {"-1", false},       {"0", false},      {"1e100", false},
};
enum { N_REPLACEMENTS = sizeof replacements / sizeof replacements[0] };

/* Writes the nodes of a document as one line, with one of them replaced. */
struct writer {
    yaml_document_t *document;
    FILE *out;
    int n_nodes;         /* met so far */
    int which;           /* the one to be replaced */
    const char *instead; /* NULL: the nodes are only counted */
};

static void write_scalar(FILE *out, const yaml_node_t *node)
{
    const char *text = (const char *)node->data.scalar.value;
    bool plain = node->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    if (plain && (text[0] == '\0' || strcmp(text, "~") == 0 || strcmp(text, "null") == 0)) {
        fputs("~", out);
        return;
    }
    fputc('"', out);
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '"' || *c == '\\') fputc('\\', out);
        if (*c == '\n')
            fputs("\\n", out);
        else
            fputc(*c, out);
    }
    fputc('"', out);
}

static void write_node(struct writer *w, int id)
{
    const yaml_node_t *node = yaml_document_get_node(w->document, id);
    if (w->n_nodes++ == w->which && w->instead != NULL) {
        fputs(w->instead, w->out);
    } else if (node->type == YAML_SCALAR_NODE) {
        write_scalar(w->out, node);
    } else if (node->type == YAML_SEQUENCE_NODE) {
        fputc('[', w->out);
        for (const yaml_node_item_t *item = node->data.sequence.items.start;
             item < node->data.sequence.items.top; item++) {
            write_node(w, *item);
            fputs(", ", w->out);
        }
        fputc(']', w->out);
    } else {
        fputc('{', w->out);
        for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
             pair < node->data.mapping.pairs.top; pair++) {
            write_node(w, pair->key);
            fputs(" : ", w->out);
            write_node(w, pair->value);
            fputs(", ", w->out);
        }
        fputc('}', w->out);
    }
}

/* The document with node `which` replaced, or as it is; returns how many nodes there are. */
static int write_document(yaml_document_t *document, int which, const char *instead, char **text)
{
    size_t length = 0;
    struct writer w = {.document = document, .which = which, .instead = instead};
    w.out = open_memstream(text, &length);
    if (w.out == NULL) SCREE_ABORT("out of memory");
    write_node(&w, 1);
    fclose(w.out);
    return w.n_nodes;
}

static bool load(const char *path, yaml_document_t *document)
{
    yaml_parser_t parser;
    FILE *file = fopen(path, "rb");
    if (file == NULL) return false;
    yaml_parser_initialize(&parser);
    yaml_parser_set_input_file(&parser, file);
    bool good = yaml_parser_load(&parser, document) == 1;
    if (good && yaml_document_get_root_node(document) == NULL) {
        yaml_document_delete(document);
        good = false;
    }
    yaml_parser_delete(&parser);
    fclose(file);
    return good;
}

static void try_text(struct mpi_test *t, const char *path, const char *text, int which, int k)
{
    struct scree_job job;
    char *messages = NULL;
    size_t length = 0;
    if (getenv("SCREE_TEST_LOUD") != NULL)
        fprintf(stderr, "%s, node %d: %.40s\n", path, which, replacements[k].text);
    alarm(SECONDS);
    enum scree_status status = scree_job_read(&job, t->comm, text, strlen(text), path, 0, NULL);
    FILE *stream = open_memstream(&messages, &length);
    scree_input_print_errors(job.input, stream);
    fclose(stream);
    bool fine = (status == SCREE_OK && !replacements[k].refused && length == 0) ||
                (status == SCREE_INPUT && length > 0);
    MPI_TEST(t, fine, "%s: node %d as %.20s: status %d, message: %.40s", path, which,
             replacements[k].text, (int)status, messages);
    free(messages);
    scree_job_clear(&job);
}

/* Every replacement of every node, or the share of them that a seed chooses. */
static void try_file(struct mpi_test *t, const char *path, int64_t number, double share)
{
    yaml_document_t document;
    char *text;
    if (!load(path, &document)) return; /* no YAML in the first place, which is tested elsewhere */
    int n_nodes = write_document(&document, 0, NULL, &text);
    free(text);
    for (int which = 0; which < n_nodes; which++)
        for (int k = 0; k < N_REPLACEMENTS; k++) {
            struct scree_rng_key key = {.seed = SEED, .gid = which, .step = number};
            if (scree_rng_uniform(&key, (uint32_t)k) > share) continue;
            write_document(&document, which, replacements[k].text, &text);
            try_text(t, path, text, which, k);
            free(text);
        }
    yaml_document_delete(&document);
}

int main(int argc, char **argv)
{
    struct mpi_test t;
    glob_t files;
    mpi_test_begin(&t, &argc, &argv);
    double share = argc > 1 && strcmp(argv[1], "all") == 0 ? 1.0 : SHARE;
    memset(long_text, 'x', LONG_TEXT);
    scree_log_init(SCREE_LOG_ERROR, true);
    /* Wrong inputs hold the rarer keys. */
    glob("inputs/*/*.yaml", 0, NULL, &files);
    glob("tests/bad-input/*.yaml", GLOB_APPEND, NULL, &files);
    MPI_TEST(&t, files.gl_pathc > 100, "%zu inputs found", files.gl_pathc);
    for (size_t k = 0; k < files.gl_pathc; k++) try_file(&t, files.gl_pathv[k], (int64_t)k, share);
    globfree(&files);
    return mpi_test_end(&t);
}
