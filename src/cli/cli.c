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

static const char usage[] =
    "usage: scree COMMAND ...\n"
    "  scree run FILE [-o DIR] [--force] [--set a.b=value ...]   run an input file\n"
    "  scree resume DIR [--set a.b=value ...]                    go on from the last checkpoint\n"
    "  scree check FILE [--speed V] [--set a.b=value ...]        read, check and estimate only\n"
    "  scree methods FILE --methods md,cd [-o DIR]               the same by several methods\n"
    "  scree spread DIR [-o DIR] [--set solver.a=value ...]      what forces of rigid grains leave "
    "open\n"
    "  scree fclib solve FILE.hdf5 [--solver S] [...]            a contact problem of any code\n"
    "  scree fclib export RUN -o FILE.hdf5 [--step N]            the contact problem of a step\n"
    "  scree contact FILE --pair A B [...]                       try the laws of a pair\n"
    "  scree info FILE.h5                                        what is inside a file\n"
    "  scree convert FILE.h5 -o OUT.dump|OUT.xyz|OUT.vtu|OUT.pvd for LAMMPS, OVITO, ParaView\n"
    "  scree compare A.h5 B.h5 [--tolerance X]                   largest difference per field\n"
    "  scree import lammps FILE -o STATE.h5                      a LAMMPS data file or dump\n"
    "  scree list WHAT                                           what is built in: laws,\n"
    "             boundaries, motions, samples, sizes, regions, partitioners, analyses, keys\n"
    "  scree help [KEY]                                          explain a key of an input file\n"
    "  scree help --markdown                                     tables of all keys\n"
    "  scree --version\n"
    "options: -o, --output DIR   where results go (default: results-NAME)\n"
    "         --force            use a results folder that holds something already\n"
    "         --set KEY=VALUE    override a value of the input file\n"
    "         --time-limit TIME  save and stop before this much wall-clock time is over\n"
    "         --step-limit N     save and stop after so many steps of this job\n"
    "         --allow-change     let --set change the physics of a run that is resumed\n"
    "         --frame K|all      of a trajectory or dump, from 0 (default: the last)\n"
    "methods: --methods md,cd    one after the other; --set cd:a.b=value is for one of them\n"
    "contact: --pair A B         the two materials\n"
    "         --speed V, --angle W  a collision at speed V, W away from head-on (1 m/s, 0 deg)\n"
    "         --spin W           of the first grain about the axis in the plane of contact (0)\n"
    "         --radius R, --other-radius R, --wall  sizes (1 mm), or the second is a flat wall\n"
    "         --path 'D S, ...'  instead: overlaps D and shifts S to go through\n"
    "         --steps N          per contact time, or per leg of the path (200)\n"
    "         --tolerance X      relative difference that is still called equal (default: 0)\n"
    "fclib:   --solver S         nncg (default), sweeps, apgd, petsc; --most N iterations\n"
    "         --tolerance X      of the residual (1e-6), as --measure fclib|siconos|scree has it\n"
    "         --step N           the step whose problem is written (default: the next)\n"
    "         -v, --verbose      more messages (balance decisions);  -q, --quiet  fewer\n"
    "FILE of run, check and contact may be '-', standard input.\n"
    "Under mpirun every command works on any number of ranks.\n";

static const char *const commands[] = {"run",     "resume",  "check", "info", "convert",
                                       "compare", "import",  "list",  "help", "contact",
                                       "spread",  "methods", "fclib", NULL};

enum {
    OPTION_LIMIT = 300,
    OPTION_ALLOW,
    OPTION_FRAME,
    OPTION_TOLERANCE,
    OPTION_MARKDOWN,
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
    while ((letter = getopt_long(argc, argv, ":o:vqh", options, NULL)) != -1) {
        if (letter >= OPTION_LAB && letter < OPTION_LAB + SCREE_N_LAW_PROBE_OPTIONS) {
            cli->lab[letter - OPTION_LAB] = optarg;
            continue;
        }
        switch (letter) {
        case 'o': cli->output = optarg; break;
        case 'v': cli->verbose = true; break;
        case 'q': cli->quiet = true; break;
        case 'h': cli->command = "help"; break;
        case OPTION_WALL: cli->wall = true; break;
        case OPTION_MARKDOWN: cli->markdown = true; break;
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
        default: return SCREE_FAIL(SCREE_INPUT, "unknown option '%s'\n%s", argv[optind - 1], usage);
        }
    }
    if (cli->command != NULL) return SCREE_OK;
    SCREE_CHECK(optind < argc, SCREE_INPUT, "no command given\n%s", usage);
    cli->command = argv[optind++];
    for (int k = 0; optind < argc; k++) {
        SCREE_CHECK(k < 2, SCREE_INPUT, "unexpected argument '%s'", argv[optind]);
        cli->argument[k] = argv[optind++];
    }
    return SCREE_OK;
}

static enum scree_status unknown_command(const char *word)
{
    const char *closest = scree_suggest(word, commands);
    if (closest != NULL)
        return SCREE_FAIL(SCREE_INPUT, "unknown command '%s'; did you mean '%s'?", word, closest);
    return SCREE_FAIL(SCREE_INPUT, "unknown command '%s'\n%s", word, usage);
}

static enum scree_status dispatch(const struct scree_cli *cli, struct scree_comm *comm)
{
    const char *c = cli->command;
    bool first = comm->rank == 0;
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
        if (first && (cli->argument[0] != NULL || cli->markdown)) return scree_cli_help(cli);
        if (first) fputs(usage, stdout);
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
