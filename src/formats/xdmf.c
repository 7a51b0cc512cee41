/* SPDX-License-Identifier: BSD-3-Clause
 * XDMF sidecar of trajectories (https://www.xdmf.org): the series of all frames. */
#define _POSIX_C_SOURCE 200809L
#include "scree/xdmf.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "scree/alloc.h"
#include "scree/file_safety.h"
#include "xdmf_impl.h"

/* Frames before the first of the next segment that has any. */
static int64_t last_frame(const struct scree_xdmf_segment *segment, int n, int i)
{
    int64_t frames = segment[i].s.frames;
    for (int j = i + 1; j < n; j++)
        while (segment[j].s.frames > 0 && frames > 0 &&
               segment[i].time[frames - 1] >= segment[j].time[0])
            frames--;
    return frames;
}

static bool write_series(FILE *out, const struct scree_xdmf_segment *segment, int n)
{
    fputs("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<Xdmf Version=\"2.0\">\n <Domain>\n"
          "  <!-- ParaView opens this with each of its readers of XDMF. -->\n",
          out);
    for (int c = 0; c < 2; c++) {
        if (c == 1 && !scree_trajectory_has(&segment[0].s, SCREE_COLUMN_ROWS)) break;
        fprintf(out, "  <Grid Name=\"%s\" GridType=\"Collection\" CollectionType=\"Temporal\">\n",
                c ? "contacts" : "grains");
        for (int i = 0; i < n; i++) {
            if (c == 1 && !scree_trajectory_has(&segment[i].s, SCREE_COLUMN_ROWS)) continue;
            int64_t frames = last_frame(segment, n, i);
            for (int64_t t = 0; t < frames; t++)
                if (segment[i].n[0][t] > 0) scree_xdmf_write_grid(out, &segment[i], c, t);
        }
        fputs("  </Grid>\n", out);
    }
    fputs(" </Domain>\n</Xdmf>\n", out);
    return ferror(out) == 0;
}

/* Relative to the folder of the XDMF file where both are in the same one. */
static const char *name_from(const char *xdmf_path, const char *path)
{
    const char *a = strrchr(xdmf_path, '/'), *b = strrchr(path, '/');
    size_t n = a == NULL ? 0 : (size_t)(a - xdmf_path) + 1;
    size_t m = b == NULL ? 0 : (size_t)(b - path) + 1;
    return n == m && strncmp(xdmf_path, path, n) == 0 ? path + m : path;
}

static enum scree_status replace_file(const char *path, const struct scree_xdmf_segment *segment,
                                      int n)
{
    char *part = scree_file_part_name(path);
    errno = 0;
    FILE *out = fopen(part, "w");
    bool good = out != NULL && write_series(out, segment, n);
    if (out != NULL && fclose(out) != 0) good = false;
    if (good && rename(part, path) != 0) good = false;
    int error = errno;
    if (!good && out != NULL) unlink(part);
    scree_alloc_free(part);
    SCREE_CHECK(good, SCREE_IO, "%s: cannot be written: %s", path, strerror(error));
    return SCREE_OK;
}

static enum scree_status update_here(struct scree_xdmf *x, const char *xdmf_path, int n_files,
                                     const char *const *paths)
{
    SCREE_TRY(scree_xdmf_read(x, n_files, paths));
    for (int i = 0; i < n_files; i++) x->segment[i].name = name_from(xdmf_path, paths[i]);
    return replace_file(xdmf_path, x->segment, n_files);
}

enum scree_status scree_xdmf_write(const char *xdmf_path, struct scree_comm *comm, int n_files,
                                   const char *const *trajectory_paths)
{
    struct scree_xdmf *known = NULL;
    enum scree_status status =
        scree_xdmf_update(&known, xdmf_path, comm, n_files, trajectory_paths);
    scree_xdmf_destroy(known);
    return status;
}

enum scree_status scree_xdmf_update(struct scree_xdmf **known, const char *xdmf_path,
                                    struct scree_comm *comm, int n_files,
                                    const char *const *trajectory_paths)
{
    if (*known == NULL) {
        *known = scree_alloc(1, sizeof **known);
        **known = (struct scree_xdmf){0};
    }
    enum scree_status status = SCREE_OK;
    if (comm->rank == 0) status = update_here(*known, xdmf_path, n_files, trajectory_paths);
    return scree_comm_agree(comm, status);
}
