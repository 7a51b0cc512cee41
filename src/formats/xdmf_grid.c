/* SPDX-License-Identifier: BSD-3-Clause
 * One frame of a trajectory as XDMF: hyperslabs of the HDF5 file.
 * No blanks within items: VTK takes geometry whose first child is the same text for the same. */
#include <string.h>

#include "xdmf_impl.h"

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

/* A part of a dataset: where it begins, how many it takes, what there is, along each dimension. */
struct slab {
    const char *path;
    enum scree_hdf5_type type;
    int n_dims;
    int64_t start[3], count[3], extent[3];
};

static void write_triple(FILE *out, const int64_t *number, int n)
{
    for (int k = 0; k < n; k++) fprintf(out, "%s%lld", k > 0 ? " " : "", (long long)number[k]);
}

/* Start, stride and count. */
static void write_selection(FILE *out, const struct slab *slab, const char *between)
{
    const int64_t stride[3] = {1, 1, 1};
    write_triple(out, slab->start, slab->n_dims);
    fputs(between, out);
    write_triple(out, stride, slab->n_dims);
    fputs(between, out);
    write_triple(out, slab->count, slab->n_dims);
}

static void write_place(FILE *out, const struct scree_xdmf_segment *g, const struct slab *slab)
{
    write_escaped(out, g->name);
    fprintf(out, ":/%s", slab->path);
}

/* The selection is said twice, for the two generations of readers: those of XDMF 2 take the two
 * items within; those of XDMF 3 take the text, if the type is not spelt as they know it: VTK does
 * not read the type of what is in a "HyperSlab", and drops it. */
static void write_slab(FILE *out, const struct scree_xdmf_segment *g, const struct slab *slab)
{
    int skip = slab->n_dims > 1 ? 1 : 0; /* the dimension of frames is gone */
    char format[64];
    const char *number = slab->type == SCREE_HDF5_REAL   ? "Float"
                         : slab->type == SCREE_HDF5_INT8 ? "Char"
                                                         : "Int";
    snprintf(format, sizeof format, "Format=\"HDF\" NumberType=\"%s\" Precision=\"%d\"", number,
             (int)scree_hdf5_size(slab->type));
    fprintf(out, "<DataItem ItemType=\"Hyperslab\" %s Dimensions=\"", format);
    write_triple(out, slab->count + skip, slab->n_dims - skip);
    fputs("\">", out);
    write_place(out, g, slab);
    fputc('|', out);
    write_selection(out, slab, ":");
    fputc(':', out);
    write_triple(out, slab->extent, slab->n_dims);
    fprintf(out, "<DataItem Format=\"XML\" Dimensions=\"3 %d\">", slab->n_dims);
    write_selection(out, slab, " ");
    fprintf(out, "</DataItem><DataItem %s Dimensions=\"", format);
    write_triple(out, slab->extent, slab->n_dims);
    fputs("\">", out);
    write_place(out, g, slab);
    fputs("</DataItem></DataItem>", out);
}

/* Values of one column in one frame. */
static void write_values(FILE *out, const struct scree_xdmf_segment *g, int k, int64_t frame,
                         int64_t n)
{
    const struct scree_trajectory_column *column = &scree_trajectory_columns[k];
    int c = k >= SCREE_COLUMN_FIRST_CONTACT, width = scree_trajectory_width(&g->s, k);
    char path[96];
    snprintf(path, sizeof path, "%s/value", column->path);
    struct slab slab = {.path = path,
                        .type = column->type,
                        .n_dims = column->width > 1 || k == SCREE_COLUMN_HISTORY ? 3 : 2,
                        .start = {frame, 0, 0},
                        .count = {1, n, width},
                        .extent = {g->s.frames, g->s.n_rows[c], width}};
    write_slab(out, g, &slab);
}

/* "Matrix" is what both generations of readers take for other numbers than 1 and 3. */
static void write_attribute(FILE *out, const struct scree_xdmf_segment *g, int k, int64_t frame)
{
    const struct scree_trajectory_column *column = &scree_trajectory_columns[k];
    int c = k >= SCREE_COLUMN_FIRST_CONTACT, width = scree_trajectory_width(&g->s, k);
    const char *type = width == 1 ? "Scalar" : width == 3 ? "Vector" : "Matrix";
    fprintf(out, "    <Attribute Name=\"%s\" AttributeType=\"%s\" Center=\"%s\">",
            strrchr(column->path, '/') + 1, type, c ? "Cell" : "Node");
    if (g->n[c][frame] > 0) {
        write_values(out, g, k, frame, g->n[c][frame]);
    } else {
        fprintf(out, "<DataItem Dimensions=\"1 %d\" Format=\"XML\">", width);
        for (int a = 0; a < width; a++) fputs(a > 0 ? " 0" : "0", out);
        fputs("</DataItem>", out);
    }
    fputs("</Attribute>\n", out);
}

/* Readers of XDMF 3 make no cells without being told which point belongs to which. */
static void write_points(FILE *out, const struct scree_xdmf_segment *g, int64_t n)
{
    struct slab slab = {.path = SCREE_TRAJECTORY_NUMBERS,
                        .type = SCREE_HDF5_INT64,
                        .n_dims = 1,
                        .count = {n},
                        .extent = {g->n_numbers}};
    fprintf(out,
            "    <Topology TopologyType=\"Polyvertex\" NumberOfElements=\"%lld\" "
            "NodesPerElement=\"1\">",
            (long long)n);
    if (n <= g->n_numbers) write_slab(out, g, &slab);
    fputs("</Topology>\n", out);
}

/* Topology of the points, or of lines between them; without contacts a line of no length, since
 * readers want every block at every time. */
static void write_topology(FILE *out, const struct scree_xdmf_segment *g, int c, int64_t frame)
{
    long long n = (long long)g->n[c][frame];
    if (c == 0) {
        write_points(out, g, n);
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

/* Not what is geometry. */
static bool is_shown(const struct scree_xdmf_segment *g, int k)
{
    return scree_trajectory_has(&g->s, k) && k != SCREE_COLUMN_POSITION &&
           k != SCREE_COLUMN_PAIRS && k != SCREE_COLUMN_ROWS;
}

void scree_xdmf_write_grid(FILE *out, const struct scree_xdmf_segment *g, int c, int64_t frame)
{
    const double *low = g->low[frame], (*edge)[3] = (const double(*)[3])g->edges[frame];
    fprintf(out, "   <Grid Name=\"%s\" GridType=\"Uniform\">\n", c ? "contacts" : "grains");
    fprintf(out, "    <Time Value=\"%.17g\"/>\n", g->time[frame]);
    fprintf(out, "    <Information Name=\"box\" Value=\"%.17g %.17g %.17g %.17g %.17g %.17g\"/>\n",
            low[0], low[1], low[2], low[0] + edge[0][0], low[1] + edge[1][1], low[2] + edge[2][2]);
    if (edge[1][0] != 0.0 || edge[2][0] != 0.0 || edge[2][1] != 0.0)
        fprintf(out, "    <Information Name=\"tilt\" Value=\"%.17g %.17g %.17g\"/>\n", edge[1][0],
                edge[2][0], edge[2][1]);
    write_topology(out, g, c, frame);
    fputs("    <Geometry GeometryType=\"XYZ\">", out);
    write_values(out, g, SCREE_COLUMN_POSITION, frame, g->n[0][frame]);
    fputs("</Geometry>\n", out);
    for (int k = 0; k < SCREE_N_COLUMNS; k++)
        if (is_shown(g, k) && (k >= SCREE_COLUMN_FIRST_CONTACT) == c)
            write_attribute(out, g, k, frame);
    fputs("   </Grid>\n", out);
}
