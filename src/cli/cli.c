/* SPDX-License-Identifier: BSD-3-Clause
 * The command line: words and options, the right command, the right exit code. */
#define _POSIX_C_SOURCE 200809L
#include "cli.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "scree/input.h"
#include "scree/log.h"
#include "scree/stepper.h"
#include "scree/version.h"
#include "usage.h"

enum {
    OPTION_LIMIT = 300,
    OPTION_ALLOW,
    OPTION_FRAME,
    OPTION_TOLERANCE,
    OPTION_MARKDOWN,
    OPTION_MAN,
    OPTION_COMPLETION,
    OPTION_METHODS,
    OPTION_STEP_LIMIT,
    OPTION_SOLVER,
    OPTION_MEASURE,
    OPTION_MOST,
    OPTION_STEP
};
enum { OPTION_WALL = 400, OPTION_LAB = 500 }; /* + enum scree_law_probe_option */
enum { OPTION_FORCE = 256, OPTION_SET, OPTION_VERSION };

static const struct option options[] = {
    {"output", required_argument, NULL, 'o'},
    {"force", no_argument, NULL, OPTION_FORCE},
    {"set", required_argument, NULL, OPTION_SET},
    {"version", no_argument, NULL, OPTION_VERSION},
    {"time-limit", required_argument, NULL, OPTION_LIMIT},
    {"step-limit", required_argument, NULL, OPTION_STEP_LIMIT},
    {"allow-change", no_argument, NULL, OPTION_ALLOW},
    {"frame", required_argument, NULL, OPTION_FRAME},
    {"tolerance", required_argument, NULL, OPTION_TOLERANCE},
    {"markdown", no_argument, NULL, OPTION_MARKDOWN},
    {"man", no_argument, NULL, OPTION_MAN},
    {"completion", no_argument, NULL, OPTION_COMPLETION},
    {"methods", required_argument, NULL, OPTION_METHODS},
    {"solver", required_argument, NULL, OPTION_SOLVER},
    {"measure", required_argument, NULL, OPTION_MEASURE},
    {"most", required_argument, NULL, OPTION_MOST},
    {"step", required_argument, NULL, OPTION_STEP},
    {"wall", no_argument, NULL, OPTION_WALL},
    {"pair", required_argument, NULL, OPTION_LAB + SCREE_LAW_PROBE_PAIR},
    {"radius", required_argument, NULL, OPTION_LAB + SCREE_LAW_PROBE_RADIUS},
    {"other-radius", required_argument, NULL, OPTION_LAB + SCREE_LAW_PROBE_OTHER_RADIUS},
    {"speed", required_argument, NULL, OPTION_LAB + SCREE_LAW_PROBE_SPEED},
    {"angle", required_argument, NULL, OPTION_LAB + SCREE_LAW_PROBE_ANGLE},
    {"spin", required_argument, NULL, OPTION_LAB + SCREE_LAW_PROBE_SPIN},
    {"steps", required_argument, NULL, OPTION_LAB + SCREE_LAW_PROBE_STEPS},
    {"path", required_argument, NULL, OPTION_LAB + SCREE_LAW_PROBE_PATH},
    {"verbose", no_argument, NULL, 'v'},
    {"quiet", no_argument, NULL, 'q'},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static enum scree_status add_set(struct scree_cli *cli, const char *assignment)
{
    SCREE_CHECK(cli->n_sets < SCREE_CLI_SETS, SCREE_INPUT, "more than %d --set options",
                SCREE_CLI_SETS);
    cli->set[cli->n_sets++] = assignment;
    return SCREE_OK;
}

static enum scree_status parse(struct scree_cli *cli, int argc, char **argv)
{
    int letter;
    memset(cli, 0, sizeof *cli);
    opterr = 0;
    optind = 1; /* also for a second command line in one process */
    while ((letter = getopt_long(argc, argv, ":o:vqh", options, NULL)) != -1) {
        if (letter >= OPTION_LAB && letter < OPTION_LAB + SCREE_N_LAW_PROBE_OPTIONS) {
            cli->lab[letter - OPTION_LAB] = optarg;
            continue;
        }
        switch (letter) {
        case 'o': cli->output = optarg; break;
        case 'v': cli->verbose = true; break;
        case 'q': cli->quiet = true; break;
        case 'h': cli->help = true; break;
        case OPTION_WALL: cli->wall = true; break;
        case OPTION_MARKDOWN: cli->markdown = true; break;
        case OPTION_MAN: cli->man = true; break;
        case OPTION_COMPLETION: cli->completion = true; break;
        case OPTION_METHODS: cli->methods = optarg; break;
        case OPTION_SOLVER: cli->solver = optarg; break;
        case OPTION_MEASURE: cli->measure = optarg; break;
        case OPTION_MOST: cli->most = optarg; break;
        case OPTION_STEP: cli->step = optarg; break;
        case OPTION_FORCE: cli->force = true; break;
        case OPTION_LIMIT: cli->time_limit = optarg; break;
        case OPTION_STEP_LIMIT: cli->step_limit = optarg; break;
        case OPTION_ALLOW: cli->allow_change = true; break;
        case OPTION_FRAME: cli->frame = optarg; break;
        case OPTION_TOLERANCE: cli->tolerance = optarg; break;
        case OPTION_SET: SCREE_TRY(add_set(cli, optarg)); break;
        case OPTION_VERSION: cli->command = "--version"; break;
        case ':': return SCREE_FAIL(SCREE_INPUT, "option '%s' needs a value", argv[optind - 1]);
        default:
            return SCREE_FAIL(SCREE_INPUT, "unknown option '%s'; `scree help` lists what there is",
                              argv[optind - 1]);
        }
    }
    if (cli->command != NULL) return SCREE_OK;
    if (cli->help && optind >= argc) {
        cli->command = "help";
        return SCREE_OK;
    }
    SCREE_CHECK(optind < argc, SCREE_INPUT, "no command given; `scree help` lists what there is");
    cli->command = argv[optind++];
    for (int k = 0; optind < argc; k++) {
        SCREE_CHECK(k < 2, SCREE_INPUT, "unexpected argument '%s'", argv[optind]);
        cli->argument[k] = argv[optind++];
    }
    return SCREE_OK;
}

static enum scree_status unknown_command(const char *word)
{
    const char *closest = scree_suggest(word, scree_cli_commands);
    if (closest != NULL)
        return SCREE_FAIL(SCREE_INPUT, "unknown command '%s'; did you mean '%s'?", word, closest);
    return SCREE_FAIL(SCREE_INPUT, "unknown command '%s'; `scree help` lists what there is", word);
}

static enum scree_status dispatch(const struct scree_cli *cli, struct scree_comm *comm)
{
    const char *c = cli->command;
    bool first = comm->rank == 0;
    if (cli->help && scree_usage_is_command(c)) {
        if (first) scree_usage_print_command(stdout, c);
        return SCREE_OK;
    }
    if (strcmp(c, "run") == 0) return scree_cli_run(cli, comm);
    if (strcmp(c, "resume") == 0) return scree_cli_resume(cli, comm);
    if (strcmp(c, "methods") == 0) return scree_cli_methods(cli, comm);
    if (strcmp(c, "spread") == 0) return scree_cli_spread(cli, comm);
    if (strcmp(c, "check") == 0) return scree_cli_check(cli, comm);
    if (strcmp(c, "info") == 0) return scree_cli_info(cli, comm);
    if (strcmp(c, "convert") == 0) return scree_cli_convert(cli, comm);
    if (strcmp(c, "compare") == 0) return scree_cli_compare(cli, comm);
    if (strcmp(c, "fclib") == 0) return scree_cli_fclib(cli, comm);
    if (strcmp(c, "contact") == 0) return scree_cli_contact(cli, comm);
    if (strcmp(c, "import") == 0) return scree_cli_import_lammps(cli, comm);
    if (strcmp(c, "list") == 0) return first ? scree_cli_list(cli) : SCREE_OK;
    if (strcmp(c, "help") == 0) {
        if (first && (cli->argument[0] != NULL || cli->markdown || cli->man || cli->completion))
            return scree_cli_help(cli);
        if (first) scree_usage_print(stdout);
        return SCREE_OK;
    }
    if (strcmp(c, "--version") == 0) {
        if (first) scree_version_print();
        return SCREE_OK;
    }
    return unknown_command(c);
}

/* A method whose state would be lost is a mistake in the program, found before anything runs. */
static void check_methods(void)
{
    const char *const *names = scree_stepper_names;
    for (int k = 0; names[k] != NULL; k++) {
        const char *flaw = scree_stepper_flaw(scree_stepper_at(k));
        if (flaw != NULL) SCREE_ABORT("method %s: %s", names[k], flaw);
    }
}

int scree_cli_main(int argc, char **argv)
{
    struct scree_comm *comm;
    struct scree_cli cli;
    scree_comm_create(&comm, &argc, &argv);
    enum scree_status status = parse(&cli, argc, argv);
    scree_log_init(cli.quiet     ? SCREE_LOG_WARNING
                   : cli.verbose ? SCREE_LOG_DETAIL
                                 : SCREE_LOG_INFO,
                   comm->rank == 0);
    check_methods();
    if (status == SCREE_OK) status = dispatch(&cli, comm);
    bool heard = fflush(stdout) == 0 && ferror(stdout) == 0;
    if (!heard && (status == SCREE_OK || status == SCREE_STOPPED))
        status = SCREE_FAIL(SCREE_IO, "standard output cannot be written: is the disk full?");
    status = scree_comm_agree(comm, status);
    if (comm->rank == 0 && status != SCREE_OK && scree_status_message()[0] != '\0')
        scree_log(SCREE_LOG_ERROR, "%s", scree_status_message());
    scree_log_close();
    scree_comm_destroy(&comm);
    return (int)scree_status_exit_code(status);
}
