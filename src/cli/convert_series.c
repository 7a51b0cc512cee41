/* SPDX-License-Identifier: BSD-3-Clause
 * A trajectory as a series of VTK files: grains, contacts and walls each in a file of their own for
 * every frame, and a collection over time (PVD) of each. */
#define _POSIX_C_SOURCE 200809L
#include "convert_series.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "convert_walls.h"
#include "scree/alloc.h"
#include "scree/export_vtp.h"

enum { GRAINS, CONTACTS, WALLS, N_PARTS };
static const char *const part_names[N_PARTS] = {"grains", "contacts", "walls"};
enum { PATH = 4096 };

/* NAME.pvd, NAME-contacts.pvd, NAME-walls.pvd, and NAME-vtk/grains.000000.vtp, ... */
struct series {
    const char *file;
    char stem[PATH]; /* NAME */
    int64_t n_frames;
    double *time;         /* [n_frames]; owned */
    char **name[N_PARTS]; /* [n_frames] as the collection says; owned */
    bool there[N_PARTS];
    struct scree_cli_walls walls;
};

static const char *last_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

static bool write_part(const struct series *s, FILE *out, int part, int64_t frame,
                       const struct scree_state_header *header,
                       const struct scree_reader_table table[SCREE_READER_TABLES])
{
    if (part == WALLS) return scree_cli_walls_write(&s->walls, out, header, frame);
    if (part == CONTACTS) return scree_vtp_write_contacts(out, header, table);
    scree_vtp_write_grains(out, header, &table[SCREE_READER_GRAINS]);
    return true;
}

static enum scree_status close_file(FILE *out, const char *path)
{
    bool good = ferror(out) == 0;
    good = fclose(out) == 0 && good;
    SCREE_CHECK(good, SCREE_IO, "%s: cannot be written: %s", path, strerror(errno));
    return SCREE_OK;
}

static enum scree_status write_frame(struct series *s, int64_t frame, int part,
                                     const struct scree_state_header *header,
                                     const struct scree_reader_table table[SCREE_READER_TABLES])
{
    char path[PATH + 64];
    snprintf(path, sizeof path, "%s-vtk/%s.%06lld.vtp", s->stem, part_names[part],
             (long long)frame);
    FILE *out = fopen(path, "wb");
    SCREE_CHECK(out != NULL, SCREE_IO, "%s: cannot be written: %s", path, strerror(errno));
    bool there = write_part(s, out, part, frame, header, table);
    SCREE_TRY(close_file(out, path));
    if (!there) {
        unlink(path);
        return SCREE_OK;
    }
    const char *from_here = path + (last_name(s->stem) - s->stem);
    s->name[part][frame] = scree_alloc(strlen(from_here) + 1, 1);
    strcpy(s->name[part][frame], from_here);
    s->there[part] = true;
    return SCREE_OK;
}

static enum scree_status write_frames(struct series *s)
{
    enum scree_status status = SCREE_OK;
    for (int64_t k = 0; k < s->n_frames && status == SCREE_OK; k++) {
        struct scree_state_header header;
        struct scree_reader_table table[SCREE_READER_TABLES];
        status = scree_reader_read_tables(s->file, k, &header, table);
        s->time[k] = header.time;
        for (int part = 0; part < N_PARTS && status == SCREE_OK; part++)
            status = write_frame(s, k, part, &header, table);
        scree_reader_clear_tables(table);
    }
    return status;
}

static enum scree_status write_collection(const struct series *s, int part)
{
    char path[PATH + 64];
    int64_t n = 0;
    double *time = scree_alloc((size_t)s->n_frames, sizeof *time);
    const char **name = scree_alloc((size_t)s->n_frames, sizeof *name);
    for (int64_t k = 0; k < s->n_frames; k++) {
        if (s->name[part][k] == NULL) continue;
        time[n] = s->time[k];
        name[n++] = s->name[part][k];
    }
    snprintf(path, sizeof path, "%s%s%s.pvd", s->stem, part == GRAINS ? "" : "-",
             part == GRAINS ? "" : part_names[part]);
    FILE *out = fopen(path, "w");
    enum scree_status status = SCREE_OK;
    if (out == NULL)
        status = SCREE_FAIL(SCREE_IO, "%s: cannot be written: %s", path, strerror(errno));
    else
        scree_vtp_write_series(out, n, time, name);
    if (out != NULL) status = close_file(out, path);
    scree_alloc_free(name);
    scree_alloc_free(time);
    return status;
}

static enum scree_status make_folder(const struct series *s, bool force)
{
    char path[PATH + 64];
    snprintf(path, sizeof path, "%s-vtk", s->stem);
    if (mkdir(path, 0777) == 0 || (errno == EEXIST && force)) return SCREE_OK;
    SCREE_CHECK(errno != EEXIST, SCREE_INPUT, "%s exists; use --force to write into it", path);
    return SCREE_FAIL(SCREE_IO, "%s: cannot be made: %s", path, strerror(errno));
}

static void clear(struct series *s)
{
    for (int part = 0; part < N_PARTS; part++) {
        for (int64_t k = 0; k < s->n_frames; k++) scree_alloc_free(s->name[part][k]);
        scree_alloc_free(s->name[part]);
    }
    scree_alloc_free(s->time);
}

enum scree_status scree_cli_convert_series(const char *file, int64_t n_frames, const char *output,
                                           bool force)
{
    struct series s = {.file = file, .n_frames = n_frames};
    SCREE_CHECK(strlen(output) < PATH, SCREE_INPUT, "%.60s...: too long a path", output);
    snprintf(s.stem, sizeof s.stem, "%.*s", (int)(strlen(output) - strlen(".pvd")), output);
    SCREE_TRY(make_folder(&s, force));
    s.time = scree_alloc((size_t)n_frames, sizeof *s.time);
    for (int part = 0; part < N_PARTS; part++) {
        s.name[part] = scree_alloc((size_t)n_frames, sizeof *s.name[part]);
        for (int64_t k = 0; k < n_frames; k++) s.name[part][k] = NULL;
    }
    scree_cli_walls_init(&s.walls, file);
    enum scree_status status = write_frames(&s);
    for (int part = 0; part < N_PARTS && status == SCREE_OK; part++)
        if (s.there[part]) status = write_collection(&s, part);
    scree_cli_walls_clear(&s.walls);
    clear(&s);
    return status;
}
