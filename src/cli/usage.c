/* SPDX-License-Identifier: BSD-3-Clause
 * Help about the command line: all of it, or of one command. */
#include "usage.h"

#include <string.h>

const char *const scree_cli_commands[] = {"run",    "resume",  "check", "methods", "spread",
                                          "fclib",  "contact", "info",  "convert", "compare",
                                          "import", "list",    "help",  NULL};

struct line {
    const char *command, *synopsis, *what;
};
static const struct line lines[] = {
    {"run", "run FILE [-o DIR]", "run an input file"},
    {"resume", "resume DIR", "go on from the last checkpoint"},
    {"check", "check FILE", "read, check and estimate only"},
    {"methods", "methods FILE --methods md,cd", "the same by several methods"},
    {"spread", "spread DIR [-o DIR]", "what forces of rigid grains leave open"},
    {"fclib", "fclib solve FILE.hdf5", "a contact problem of any code"},
    {"fclib", "fclib export RUN -o FILE.hdf5", "the contact problem of a step"},
    {"contact", "contact FILE --pair A B", "try the laws of a pair"},
    {"info", "info FILE.h5", "what is inside a file"},
    {"convert", "convert FILE.h5 -o OUT.ENDING",
     "for LAMMPS (.dump), OVITO (.xyz), ParaView (.pvd, .vtu)"},
    {"compare", "compare A.h5 B.h5", "largest difference of each field"},
    {"import", "import lammps FILE -o STATE.h5", "a LAMMPS data file or dump"},
    {"list", "list WHAT",
     "what is built in: laws, boundaries, motions, samples, sizes, regions, partitioners, "
     "analyses, keys"},
    {"help", "help [KEY or COMMAND]", "explain a key of an input file, or a command"},
    {"help", "help --markdown", "tables of all keys"},
};

/* `of`: commands that take it, each followed by a blank; empty: all. */
struct option_line {
    const char *of, *option, *what;
};
static const struct option_line option_lines[] = {
    {"run methods spread convert import fclib ", "-o, --output PATH",
     "where results go (run: results-NAME by default)"},
    {"run methods convert import fclib ", "--force",
     "write into a folder, or over a file, that is there"},
    {"run check contact resume methods spread ", "--set KEY=VALUE",
     "override a value of the input, such as time.steps=500; methods: cd:KEY=VALUE for one"},
    {"run resume ", "--time-limit TIME", "save and stop before this much wall-clock time is over"},
    {"run resume ", "--step-limit N", "save and stop after so many steps of this job"},
    {"resume ", "--allow-change", "let --set change the physics of the run"},
    {"convert import ", "--frame K|last|all", "of a trajectory or dump, from 0 (last)"},
    {"methods ", "--methods md,cd", "which, one after the other"},
    {"check contact ", "--speed V", "of impacts (1 m/s)"},
    {"contact ", "--pair A B", "the two materials"},
    {"contact ", "--angle W", "away from head-on (0 deg)"},
    {"contact ", "--spin W", "of the first grain about the axis in the plane of contact (0)"},
    {"contact ", "--radius R, --other-radius R", "sizes (1 mm)"},
    {"contact ", "--wall", "the second is a flat wall"},
    {"contact ", "--path 'D S, ...'", "instead: overlaps D and shifts S to go through"},
    {"contact ", "--steps N", "per contact time, or per leg of the path (200)"},
    {"compare ", "--tolerance X", "relative difference that is still called equal (0)"},
    {"fclib ", "--solver S", "nncg (default), sweeps, apgd, petsc"},
    {"fclib ", "--most N", "iterations"},
    {"fclib ", "--tolerance X", "of the residual (1e-6)"},
    {"fclib ", "--measure M", "which residual: fclib, siconos or scree"},
    {"fclib ", "--step N", "whose problem is written (default: the next)"},
    {"help ", "--markdown", "tables of all keys, for the manual"},
    {"help ", "--man", "a manual page"},
    {"help ", "--completion", "what bash needs to complete words"},
    {"", "-v, --verbose", "more messages"},
    {"", "-q, --quiet", "fewer messages"},
    {"", "-h, --help", "help on the command, or on all of them"},
};

static const char closing[] = "FILE of run, check and contact may be '-', standard input.\n"
                              "Under mpirun every command works on any number of ranks.\n";

bool scree_usage_is_command(const char *word)
{
    for (int k = 0; scree_cli_commands[k] != NULL; k++)
        if (strcmp(scree_cli_commands[k], word) == 0) return true;
    return false;
}

static bool takes(const char *of, const char *command)
{
    char word[32];
    snprintf(word, sizeof word, "%.30s ", command);
    const char *found = strstr(of, word);
    return of[0] == '\0' || (found != NULL && (found == of || found[-1] == ' '));
}

void scree_usage_print(FILE *out)
{
    fputs("usage: scree COMMAND ...\n", out);
    for (size_t k = 0; k < sizeof lines / sizeof lines[0]; k++)
        fprintf(out, "  scree %-30s  %s\n", lines[k].synopsis, lines[k].what);
    fputs("  scree --version\noptions, and which commands take them:\n", out);
    for (size_t k = 0; k < sizeof option_lines / sizeof option_lines[0]; k++) {
        const struct option_line *o = &option_lines[k];
        fprintf(out, "  %-28s  %s", o->option, o->what);
        fprintf(out, o->of[0] != '\0' ? " [%.*s]\n" : "\n%.*s",
                o->of[0] != '\0' ? (int)strlen(o->of) - 1 : 0, o->of);
    }
    fputs(closing, out);
}

void scree_usage_print_command(FILE *out, const char *command)
{
    for (size_t k = 0; k < sizeof lines / sizeof lines[0]; k++)
        if (strcmp(lines[k].command, command) == 0)
            fprintf(out, "scree %s: %s\n", lines[k].synopsis, lines[k].what);
    fputs("options:\n", out);
    for (size_t k = 0; k < sizeof option_lines / sizeof option_lines[0]; k++)
        if (takes(option_lines[k].of, command))
            fprintf(out, "  %-28s  %s\n", option_lines[k].option, option_lines[k].what);
}

/* In roff a minus is not a hyphen, and lines must not begin with a dot or quote. */
static void print_roff(FILE *out, const char *text)
{
    if (*text == '.' || *text == '\'') fputs("\\&", out);
    for (; *text != '\0'; text++)
        if (*text == '-')
            fputs("\\-", out);
        else
            fputc(*text, out);
}

void scree_usage_print_man(FILE *out, const char *version)
{
    fprintf(out,
            ".TH SCREE 1 \"\" \"scree %s\" \"User Commands\"\n.SH NAME\nscree \\- granular matter "
            "in parallel\n.SH SYNOPSIS\n",
            version);
    for (size_t k = 0; k < sizeof lines / sizeof lines[0]; k++) {
        fputs(".B scree\n", out);
        print_roff(out, lines[k].synopsis);
        fputs("\n.br\n", out);
    }
    fputs(".SH COMMANDS\n", out);
    for (size_t k = 0; k < sizeof lines / sizeof lines[0]; k++) {
        fputs(".TP\n.B ", out);
        print_roff(out, lines[k].synopsis);
        fputc('\n', out);
        print_roff(out, lines[k].what);
        fputc('\n', out);
    }
    fputs(".SH OPTIONS\n", out);
    for (size_t k = 0; k < sizeof option_lines / sizeof option_lines[0]; k++) {
        const struct option_line *o = &option_lines[k];
        fputs(".TP\n.B \"", out);
        print_roff(out, o->option);
        fputs("\"\n", out);
        print_roff(out, o->what);
        fprintf(out, "%s%s\n", o->of[0] != '\0' ? "\n.br\nOf: " : "", o->of);
    }
    fputs(".SH NOTES\n", out);
    print_roff(out, closing);
    fputs("Keys of input files: scree help KEY, scree list keys.\n", out);
}

/* The long names in "-o, --output PATH". */
static void print_long_names(FILE *out, const char *option)
{
    for (const char *at = strstr(option, "--"); at != NULL; at = strstr(at + 2, "--"))
        fprintf(out, " %.*s", (int)strcspn(at, " ,"), at);
}

void scree_usage_print_completion(FILE *out)
{
    fputs("# bash completion of scree\n_scree() {\n"
          "    local word=${COMP_WORDS[COMP_CWORD]} words\n"
          "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        words='",
          out);
    for (int k = 0; scree_cli_commands[k] != NULL; k++)
        fprintf(out, "%s%s", k > 0 ? " " : "", scree_cli_commands[k]);
    fputs(" --version'\n    else\n        case ${COMP_WORDS[1]} in\n", out);
    for (int c = 0; scree_cli_commands[c] != NULL; c++) {
        fprintf(out, "        %s) words='", scree_cli_commands[c]);
        for (size_t k = 0; k < sizeof option_lines / sizeof option_lines[0]; k++)
            if (takes(option_lines[k].of, scree_cli_commands[c]))
                print_long_names(out, option_lines[k].option);
        fputs("' ;;\n", out);
    }
    fputs("        esac\n"
          "        case ${COMP_WORDS[1]} in\n"
          "        list) words+=' laws boundaries motions samples sizes regions partitioners "
          "analyses keys' ;;\n"
          "        help) words+=\" $(scree list keys 2> /dev/null | sed -n 's/^\\([a-z_.]*\\): "
          ".*/\\1/p')\" ;;\n"
          "        esac\n"
          "    fi\n"
          "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
          "    case $word in -*) ;; *) mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- "
          "\"$word\") ;; esac\n"
          "}\ncomplete -o filenames -F _scree scree\n",
          out);
}
