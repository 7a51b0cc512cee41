/* SPDX-License-Identifier: BSD-3-Clause
 * XDMF sidecar of trajectories (https://www.xdmf.org, version 2): hyperslabs of the HDF5 files.
 * No blanks within items: VTK takes geometry whose first child is the same text for the same. */
#define _POSIX_C_SOURCE 200809L
#include "scree/xdmf.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "hdf5_trajectory.h"
#include "scree/alloc.h"

/* One trajectory, and what is needed of each of its frames; arrays are owned. */
struct segment {
    const char *name; /* as the XDMF file calls it; borrowed */
    struct scree_trajectory_summary s;
    int64_t *n[2]; /* grains, contacts */
    double *time;
    double (*low)[3], (*edges)[3];
};

static void write_escaped(FILE *out, const char *text)
{
    for (; *text != '\0'; text++) {
        switch (*text) {
        case '&': fputs("&amp;", out); break;
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        case '"': fputs("&quot;", out); break;
        default: fputc(*text, out);
        }
    }
}

/* Values of one column in one frame. */
static void write_values(FILE *out, const struct segment *g, int k, int64_t frame, int64_t n)
{
    const struct scree_trajectory_column *column = &scree_trajectory_columns[k];
    int c = k >= SCREE_COLUMN_FIRST_CONTACT, width = scree_trajectory_width(&g->s, k);
    bool real = column->type == SCREE_HDF5_REAL, byte = column->type == SCREE_HDF5_INT8;
    bool deep = column->width > 1 || k == SCREE_COLUMN_HISTORY;
    long long t = (long long)frame, rows = (long long)g->s.n_rows[c], count = (long long)n;
    fprintf(out, "<DataItem ItemType=\"HyperSlab\" Dimensions=\"%lld%s", count, deep ? " " : "");
    if (deep) fprintf(out, "%d", width);
    fprintf(out, "\"><DataItem Dimensions=\"3 %d\" Format=\"XML\">", deep ? 3 : 2);
    if (deep)
        fprintf(out, "%lld 0 0 1 1 1 1 %lld %d", t, count, width);
    else
        fprintf(out, "%lld 0 1 1 1 %lld", t, count);
    fprintf(out, "</DataItem><DataItem Format=\"HDF\" NumberType=\"%s\" Precision=\"%d\" ",
            real   ? "Float"
            : byte ? "Char"
                   : "Int",
            (int)scree_hdf5_size(column->type));
    fprintf(out, "Dimensions=\"%lld %lld", (long long)g->s.frames, rows);
    if (deep) fprintf(out, " %d", width);
    fputs("\">", out);
    write_escaped(out, g->name);
    fprintf(out, ":/%s/value</DataItem></DataItem>", column->path);
}

static void write_attribute(FILE *out, const struct segment *g, int k, int64_t frame)
{
    const struct scree_trajectory_column *column = &scree_trajectory_columns[k];
    int c = k >= SCREE_COLUMN_FIRST_CONTACT, width = scree_trajectory_width(&g->s, k);
    fprintf(out, "    <Attribute Name=\"%s\" AttributeType=\"%s\" Center=\"%s\">",
            strrchr(column->path, '/') + 1, width == 3 ? "Vector" : "Scalar", c ? "Cell" : "Node");
    if (g->n[c][frame] > 0) {
        write_values(out, g, k, frame, g->n[c][frame]);
    } else {
        fprintf(out, "<DataItem Dimensions=\"1%s\" Format=\"XML\">0%s</DataItem>",
                width == 3 ? " 3" : "", width == 3 ? " 0 0" : "");
    }
    fputs("</Attribute>\n", out);
}

/* Topology of the points, or of lines between them; without contacts a line of no length, since
 * readers want every block at every time. */
static void write_topology(FILE *out, const struct segment *g, int c, int64_t frame)
{
    long long n = (long long)g->n[c][frame];
    if (c == 0) {
        fprintf(out,
                "    <Topology TopologyType=\"Polyvertex\" NumberOfElements=\"%lld\" "
                "NodesPerElement=\"1\"/>\n",
                n);
        return;
    }
    fprintf(out,
            "    <Topology TopologyType=\"Polyline\" NumberOfElements=\"%lld\" "
            "NodesPerElement=\"2\">",
            n > 0 ? n : 1);
    if (n > 0)
        write_values(out, g, SCREE_COLUMN_ROWS, frame, n);
    else
        fputs("<DataItem ItemType=\"Function\" Function=\"$0\" Dimensions=\"1 2\">"
              "<DataItem Dimensions=\"1 2\" Format=\"XML\">0 0</DataItem></DataItem>",
              out);
    fputs("</Topology>\n", out);
}

/* Not what is geometry; no history either: XDMF has no type for springs of several numbers. */
static bool is_shown(const struct segment *g, int k)
{
    return scree_trajectory_has(&g->s, k) && k != SCREE_COLUMN_POSITION &&
           k != SCREE_COLUMN_PAIRS && k != SCREE_COLUMN_ROWS && k != SCREE_COLUMN_HISTORY;
}

static void write_grid(FILE *out, const struct segment *g, int c, int64_t frame)
{
    const double *low = g->low[frame], *edges = g->edges[frame];
    fprintf(out, "   <Grid Name=\"%s\" GridType=\"Uniform\">\n", c ? "contacts" : "grains");
    fprintf(out, "    <Time Value=\"%.17g\"/>\n", g->time[frame]);
    fprintf(out, "    <Information Name=\"box\" Value=\"%.17g %.17g %.17g %.17g %.17g %.17g\"/>\n",
            low[0], low[1], low[2], low[0] + edges[0], low[1] + edges[1], low[2] + edges[2]);
    write_topology(out, g, c, frame);
    fputs("    <Geometry GeometryType=\"XYZ\">", out);
    write_values(out, g, SCREE_COLUMN_POSITION, frame, g->n[0][frame]);
    fputs("</Geometry>\n", out);
    for (int k = 0; k < SCREE_N_COLUMNS; k++)
        if (is_shown(g, k) && (k >= SCREE_COLUMN_FIRST_CONTACT) == c)
            write_attribute(out, g, k, frame);
    fputs("   </Grid>\n", out);
}

/* Frames before the first of the next segment that has any. */
static int64_t last_frame(const struct segment *segment, int n, int i)
{
    int64_t frames = segment[i].s.frames;
    for (int j = i + 1; j < n; j++)
        while (segment[j].s.frames > 0 && frames > 0 &&
               segment[i].time[frames - 1] >= segment[j].time[0])
            frames--;
    return frames;
}

static bool write_series(FILE *out, const struct segment *segment, int n)
{
    fputs("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<Xdmf Version=\"2.0\">\n <Domain>\n"
          "  <!-- In ParaView choose 'XDMF Reader': the Xdmf3 readers know no hyperslabs. -->\n",
          out);
    for (int c = 0; c < 2; c++) {
        if (c == 1 && !scree_trajectory_has(&segment[0].s, SCREE_COLUMN_ROWS)) break;
        fprintf(out, "  <Grid Name=\"%s\" GridType=\"Collection\" CollectionType=\"Temporal\">\n",
                c ? "contacts" : "grains");
        for (int i = 0; i < n; i++) {
            if (c == 1 && !scree_trajectory_has(&segment[i].s, SCREE_COLUMN_ROWS)) continue;
            int64_t frames = last_frame(segment, n, i);
            for (int64_t t = 0; t < frames; t++)
                if (segment[i].n[0][t] > 0) write_grid(out, &segment[i], c, t);
        }
        fputs("  </Grid>\n", out);
    }
    fputs(" </Domain>\n</Xdmf>\n", out);
    return ferror(out) == 0;
}

static bool read_numbers(hid_t file, struct segment *g)
{
    static const char *const counts[2] = {"observables/grain_count/value",
                                          "observables/contact_count/value"};
    static const char box[2][40] = {"particles/grains/box/offset/value",
                                    "particles/grains/box/edges/value"};
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
    if (n == 0) return good;
    return good &&
           scree_trajectory_read_series(file, "particles/grains/position/time", real, 0, n, 1,
                                        g->time) &&
           scree_trajectory_read_series(file, box[0], real, 0, n, 3, g->low) &&
           scree_trajectory_read_series(file, box[1], real, 0, n, 3, g->edges);
}

static enum scree_status read_segment(const char *path, struct segment *g)
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

/* Relative to the folder of the XDMF file where both are in the same one. */
static const char *name_from(const char *xdmf_path, const char *path)
{
    const char *a = strrchr(xdmf_path, '/'), *b = strrchr(path, '/');
    size_t n = a == NULL ? 0 : (size_t)(a - xdmf_path) + 1;
    size_t m = b == NULL ? 0 : (size_t)(b - path) + 1;
    return n == m && strncmp(xdmf_path, path, n) == 0 ? path + m : path;
}

static enum scree_status replace_file(const char *path, const struct segment *segment, int n)
{
    size_t size = strlen(path) + sizeof ".part";
    char *part = scree_alloc(size, 1);
    snprintf(part, size, "%s.part", path);
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

enum scree_status scree_xdmf_write(const char *xdmf_path, struct scree_comm *comm, int n_files,
                                   const char *const *trajectory_paths)
{
    enum scree_status status = SCREE_OK;
    if (comm->rank == 0) {
        struct segment *segment = scree_alloc((size_t)n_files, sizeof *segment);
        memset(segment, 0, (size_t)n_files * sizeof *segment);
        for (int i = 0; i < n_files && status == SCREE_OK; i++) {
            segment[i].name = name_from(xdmf_path, trajectory_paths[i]);
            status = read_segment(trajectory_paths[i], &segment[i]);
        }
        if (status == SCREE_OK) status = replace_file(xdmf_path, segment, n_files);
        for (int i = 0; i < n_files; i++) {
            scree_alloc_free(segment[i].n[0]);
            scree_alloc_free(segment[i].n[1]);
            scree_alloc_free(segment[i].time);
            scree_alloc_free(segment[i].low);
            scree_alloc_free(segment[i].edges);
        }
        scree_alloc_free(segment);
    }
    return scree_comm_agree(comm, status);
}
