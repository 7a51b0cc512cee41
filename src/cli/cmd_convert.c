/* SPDX-License-Identifier: BSD-3-Clause
 * The commands convert and import: files from and for other programs. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "convert_series.h"
#include "scree/alloc.h"
#include "scree/export.h"
#include "scree/lammps_dump.h"

enum scree_status scree_cli_frame(const struct scree_cli *cli, int64_t *frame)
{
    char *end;
    *frame = -1;
    if (cli->frame == NULL || strcmp(cli->frame, "last") == 0) return SCREE_OK;
    if (strcmp(cli->frame, "all") == 0) {
        *frame = -2;
        return SCREE_OK;
    }
    errno = 0;
    *frame = strtoll(cli->frame, &end, 10);
    SCREE_CHECK(*end == '\0' && end != cli->frame && *frame >= 0 && errno == 0, SCREE_INPUT,
                "--frame: expected a number from 0, 'last' or 'all', got '%s'", cli->frame);
    return SCREE_OK;
}

enum scree_status scree_cli_may_write(const struct scree_cli *cli, struct scree_comm *comm,
                                      const char *path)
{
    enum scree_status status = SCREE_OK;
    if (comm->rank == 0 && !cli->force && access(path, F_OK) == 0)
        status = SCREE_FAIL(SCREE_INPUT, "%s exists; use --force to replace it", path);
    return scree_comm_agree(comm, status);
}

/* One frame to an open file. */
static enum scree_status convert_frame(const char *path, int64_t frame,
                                       const struct scree_export_format *format, FILE *out)
{
    struct scree_state_header header;
    struct scree_state_rows rows;
    unsigned fields;
    SCREE_TRY(scree_reader_read(path, frame, 0, 1, &header, &rows, &fields));
    format->write(out, &header, &rows, fields);
    scree_state_rows_clear(&rows);
    return SCREE_OK;
}

/* Frames [first, last] into one file, which appears under its name when it is complete. */
static enum scree_status convert_to(const char *path, int64_t first, int64_t last,
                                    const struct scree_export_format *format, const char *out_path)
{
    size_t size = strlen(out_path) + sizeof ".part";
    char *part = scree_alloc(size, 1);
    snprintf(part, size, "%s.part", out_path);
    enum scree_status status = SCREE_OK;
    FILE *out = fopen(part, "w");
    if (out == NULL)
        status = SCREE_FAIL(SCREE_IO, "%s: cannot be written: %s", part, strerror(errno));
    for (int64_t k = first; k <= last && status == SCREE_OK; k++)
        status = convert_frame(path, k, format, out);
    if (out != NULL) {
        bool good = ferror(out) == 0;
        good = fclose(out) == 0 && good;
        good = good && (status != SCREE_OK || rename(part, out_path) == 0);
        if (!good && status == SCREE_OK)
            status = SCREE_FAIL(SCREE_IO, "%s: cannot be written: %s", out_path, strerror(errno));
        if (status != SCREE_OK) unlink(part);
    }
    scree_alloc_free(part);
    return status;
}

/* All frames into NAME.000000.vtu, NAME.000001.vtu, ...: ParaView opens them as a series. */
static enum scree_status convert_each(const struct scree_cli *cli, int64_t n_frames,
                                      const struct scree_export_format *format)
{
    int length = (int)(strlen(cli->output) - strlen(format->ending));
    size_t size = strlen(cli->output) + 32;
    char *name = scree_alloc(size, 1);
    enum scree_status status = SCREE_OK;
    for (int64_t k = 0; k < n_frames && status == SCREE_OK; k++) {
        snprintf(name, size, "%.*s.%06lld%s", length, cli->output, (long long)k, format->ending);
        if (!cli->force && access(name, F_OK) == 0)
            status = SCREE_FAIL(SCREE_INPUT, "%s exists; use --force to replace it", name);
        else
            status = convert_to(cli->argument[0], k, k, format, name);
    }
    scree_alloc_free(name);
    return status;
}

struct conversion {
    const struct scree_cli *cli;
    const struct scree_export_format *format; /* NULL: a series for ParaView */
    int64_t frame;                            /* as scree_cli_frame() gives it */
};

static enum scree_status convert(void *context)
{
    const struct conversion *c = context;
    const struct scree_cli *cli = c->cli;
    const struct scree_export_format *format = c->format;
    const int64_t frame = c->frame;
    const char *path = cli->argument[0];
    struct scree_reader_file found;
    SCREE_TRY(scree_reader_inspect(path, &found));
    SCREE_CHECK(found.frames > 0, SCREE_IO, "%s: no complete frame", path);
    if (format == NULL)
        return scree_cli_convert_series(path, found.frames, cli->output, cli->force);
    if (frame == -2 && !format->series) return convert_each(cli, found.frames, format);
    if (frame == -2) return convert_to(path, 0, found.frames - 1, format, cli->output);
    return convert_to(path, frame, frame, format, cli->output);
}

static bool is_series(const char *path)
{
    size_t n = strlen(path);
    return n > 4 && strcmp(path + n - 4, ".pvd") == 0;
}

enum scree_status scree_cli_convert(const struct scree_cli *cli, struct scree_comm *comm)
{
    int64_t frame;
    SCREE_CHECK(
        cli->argument[0] != NULL && cli->argument[1] == NULL && cli->output != NULL, SCREE_INPUT,
        "give a file and where to write: scree convert FILE.h5 -o OUT.dump|OUT.xyz|OUT.vtu|OUT.pvd "
        "[--frame K|all]");
    const struct scree_export_format *format = scree_export_find(cli->output);
    SCREE_CHECK(format != NULL || is_series(cli->output), SCREE_INPUT,
                "%s: unknown ending; known are .dump (LAMMPS), .xyz (extended XYZ), .vtu (VTK), "
                ".pvd (ParaView: all frames with contacts)",
                cli->output);
    SCREE_CHECK(format != NULL || cli->frame == NULL, SCREE_INPUT,
                "--frame: a .pvd holds all frames");
    SCREE_TRY(scree_cli_frame(cli, &frame));
    SCREE_TRY(scree_cli_may_write(cli, comm, cli->output));
    struct conversion conversion = {cli, format, frame};
    enum scree_status status = SCREE_OK;
    if (comm->rank == 0) status = scree_reader_guard(cli->argument[0], convert, &conversion);
    return scree_comm_agree(comm, status);
}

/* Data files and dumps come under the same name; they tell themselves apart. */
enum scree_status scree_cli_import_lammps(const struct scree_cli *cli, struct scree_comm *comm)
{
    bool complete = cli->argument[0] != NULL && strcmp(cli->argument[0], "lammps") == 0 &&
                    cli->argument[1] != NULL && cli->output != NULL;
    bool dump = complete && comm->rank == 0 && scree_lammps_dump_is(cli->argument[1]);
    scree_comm_broadcast(comm, &dump, sizeof dump, 0);
    if (!dump) {
        SCREE_CHECK(cli->frame == NULL || !complete, SCREE_INPUT,
                    "--frame: %s is not a LAMMPS dump, only those have frames", cli->argument[1]);
        return scree_cli_import(cli, comm);
    }
    int64_t frame;
    SCREE_TRY(scree_cli_frame(cli, &frame));
    SCREE_CHECK(frame >= -1, SCREE_INPUT, "--frame: a state file holds one frame, not all");
    SCREE_TRY(scree_cli_may_write(cli, comm, cli->output));
    return scree_lammps_dump_import(comm, cli->argument[1], frame, cli->output);
}
