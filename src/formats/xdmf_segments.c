/* SPDX-License-Identifier: BSD-3-Clause
 * What an XDMF file says of trajectories, read once for each file. */
#define _POSIX_C_SOURCE 200809L
#include "xdmf_impl.h"

#include <errno.h>
#include <string.h>

#include "scree/alloc.h"

static bool read_numbers(hid_t file, struct scree_xdmf_segment *g)
{
    static const char *const counts[2] = {"observables/grain_count/value",
                                          "observables/contact_count/value"};
    static const char corner[] = "particles/grains/box/offset/value";
    const hid_t real = H5T_NATIVE_DOUBLE;
    int64_t n = g->s.frames;
    bool good = true;
    for (int c = 0; c < 2; c++) {
        g->n[c] = scree_alloc((size_t)n, sizeof *g->n[c]);
        if (n > 0) memset(g->n[c], 0, (size_t)n * sizeof *g->n[c]);
        if (n > 0 && (c == 0 || scree_trajectory_has(&g->s, SCREE_COLUMN_ROWS)))
            good =
                scree_trajectory_read_series(file, counts[c], H5T_NATIVE_INT64, 0, n, 1, g->n[c]) &&
                good;
        for (int64_t t = 0; t < n; t++)
            good = good && g->n[c][t] >= 0 && g->n[c][t] <= g->s.n_rows[c];
    }
    g->time = scree_alloc((size_t)n, sizeof *g->time);
    g->low = scree_alloc((size_t)n, sizeof *g->low);
    g->edges = scree_alloc((size_t)n, sizeof *g->edges);
    g->n_numbers = scree_trajectory_n_numbers(file);
    if (n == 0) return good;
    return good &&
           scree_trajectory_read_series(file, "particles/grains/position/time", real, 0, n, 1,
                                        g->time) &&
           scree_trajectory_read_series(file, corner, real, 0, n, 3, g->low) &&
           scree_trajectory_read_edges(file, 0, n, g->edges);
}

static enum scree_status read_segment(const char *path, struct scree_xdmf_segment *g)
{
    hid_t file;
    double n_bytes;
    SCREE_TRY(scree_hdf5_open(path, &file, &n_bytes));
    enum scree_status status = scree_trajectory_inspect_file(path, file, n_bytes, &g->s);
    if (status == SCREE_OK && !read_numbers(file, g))
        status = SCREE_FAIL(SCREE_IO, "%s: times, box or counts are damaged", path);
    H5Fclose(file);
    return status;
}

/* Files are replaced as wholes, so another file behind the name shows. */
static bool is_known(const struct scree_xdmf_segment *g, const struct stat *info)
{
    return g->known && g->file.st_ino == info->st_ino && g->file.st_size == info->st_size &&
           memcmp(&g->file.st_mtim, &info->st_mtim, sizeof info->st_mtim) == 0;
}

static void forget(struct scree_xdmf_segment *g)
{
    scree_alloc_free(g->n[0]);
    scree_alloc_free(g->n[1]);
    scree_alloc_free(g->time);
    scree_alloc_free(g->low);
    scree_alloc_free(g->edges);
    memset(g, 0, sizeof *g);
}

static enum scree_status refresh(const char *path, struct scree_xdmf_segment *g)
{
    struct stat info;
    SCREE_CHECK(stat(path, &info) == 0, SCREE_IO, "%s: %s", path, strerror(errno));
    if (is_known(g, &info)) return SCREE_OK;
    forget(g);
    SCREE_TRY(read_segment(path, g));
    g->known = true;
    g->file = info;
    return SCREE_OK;
}

static void make_room(struct scree_xdmf *x, int n)
{
    struct scree_xdmf_segment *more = scree_alloc((size_t)n, sizeof *more);
    memset(more, 0, (size_t)n * sizeof *more);
    if (x->n > 0) memcpy(more, x->segment, (size_t)x->n * sizeof *more);
    scree_alloc_free(x->segment);
    x->segment = more;
    x->n = n;
}

enum scree_status scree_xdmf_read(struct scree_xdmf *x, int n, const char *const *paths)
{
    if (n > x->n) make_room(x, n);
    for (int i = 0; i < n; i++) SCREE_TRY(refresh(paths[i], &x->segment[i]));
    return SCREE_OK;
}

void scree_xdmf_destroy(struct scree_xdmf *known)
{
    if (known == NULL) return;
    for (int i = 0; i < known->n; i++) forget(&known->segment[i]);
    scree_alloc_free(known->segment);
    scree_alloc_free(known);
}
