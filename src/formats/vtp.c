/* SPDX-License-Identifier: BSD-3-Clause
 * VTK file formats, XML: PolyData with raw appended numbers, and collections over time (PVD). */
#include <inttypes.h>
#include <string.h>

#include "scree/export_vtp.h"

/* Arrays in the order of their places behind the XML. */
struct writer {
    FILE *out;
    uint64_t at;  /* bytes so far behind the XML, lengths included */
    bool numbers; /* the second pass */
};

static void put_array(struct writer *w, const char *type, const char *name, int width,
                      const void *values, int64_t n)
{
    uint64_t bytes = (uint64_t)n * (uint64_t)width * 8;
    if (w->numbers) {
        fwrite(&bytes, sizeof bytes, 1, w->out);
        if (bytes > 0 && values != NULL) fwrite(values, 1, bytes, w->out);
        return;
    }
    fprintf(w->out,
            "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"appended\" "
            "offset=\"%" PRIu64 "\"/>\n",
            type, name, width, w->at);
    w->at += sizeof bytes + bytes;
}

static void put_arrays(struct writer *w, const struct scree_vtp_array *array, int n_arrays,
                       int64_t n)
{
    for (int k = 0; k < n_arrays; k++) {
        const struct scree_vtp_array *a = &array[k];
        if (a->integer != NULL)
            put_array(w, "Int64", a->name, a->width, a->integer, n);
        else
            put_array(w, "Float64", a->name, a->width, a->real, n);
    }
}

static void put_text(struct writer *w, const char *text)
{
    if (!w->numbers) fputs(text, w->out);
}

/* Numbers 0, 1, 2, ... or steps of them, written without being made. */
static void put_numbers(struct writer *w, const char *name, int64_t n, int64_t first, int64_t step)
{
    uint64_t bytes = (uint64_t)n * 8;
    if (!w->numbers) {
        put_array(w, "Int64", name, 1, NULL, n);
        return;
    }
    fwrite(&bytes, sizeof bytes, 1, w->out);
    for (int64_t k = 0; k < n; k++) {
        int64_t number = first + step * k;
        fwrite(&number, sizeof number, 1, w->out);
    }
}

static void put_cells(struct writer *w, const struct scree_vtp *vtp)
{
    static const char *const names[] = {NULL, "Verts", "Lines", "Polys"};
    char text[32];
    snprintf(text, sizeof text, "<%s>\n", names[vtp->cells]);
    put_text(w, text);
    if (vtp->corner != NULL)
        put_array(w, "Int64", "connectivity", 1, vtp->corner, vtp->n_cells * (int)vtp->cells);
    else
        put_numbers(w, "connectivity", vtp->n_cells * (int)vtp->cells, 0, 1);
    put_numbers(w, "offsets", vtp->n_cells, (int)vtp->cells, (int)vtp->cells);
    snprintf(text, sizeof text, "</%s>\n", names[vtp->cells]);
    put_text(w, text);
}

static void put_all(struct writer *w, const struct scree_vtp *vtp)
{
    put_text(w, "<PointData Scalars=\"radius\">\n");
    put_arrays(w, vtp->of_points, vtp->n_of_points, vtp->n_points);
    put_text(w, "</PointData>\n<CellData>\n");
    put_arrays(w, vtp->of_cells, vtp->n_of_cells, vtp->n_cells);
    put_text(w, "</CellData>\n<Points>\n");
    put_array(w, "Float64", "position", 3, vtp->point, vtp->n_points);
    put_text(w, "</Points>\n");
    put_cells(w, vtp);
}

void scree_vtp_write(FILE *out, const struct scree_vtp *vtp)
{
    struct writer w = {.out = out};
    const int one = 1;
    bool little = *(const unsigned char *)&one == 1;
    fprintf(out,
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" "
            "byte_order=\"%s\" header_type=\"UInt64\">\n<PolyData>\n<FieldData>\n"
            "<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" "
            "format=\"ascii\">%.17g</DataArray>\n</FieldData>\n",
            little ? "LittleEndian" : "BigEndian", vtp->time);
    int64_t n[4] = {0};
    n[vtp->cells] = vtp->n_cells;
    fprintf(out,
            "<Piece NumberOfPoints=\"%" PRId64 "\" NumberOfVerts=\"%" PRId64
            "\" NumberOfLines=\"%" PRId64 "\" NumberOfStrips=\"0\" NumberOfPolys=\"%" PRId64
            "\">\n",
            vtp->n_points, n[SCREE_VTP_POINTS], n[SCREE_VTP_LINES], n[SCREE_VTP_TRIANGLES]);
    put_all(&w, vtp);
    fputs("</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_", out);
    w.numbers = true;
    put_all(&w, vtp);
    fputs("\n</AppendedData>\n</VTKFile>\n", out);
}

static void write_escaped(FILE *out, const char *text)
{
    for (; *text != '\0'; text++) switch (*text) {
        case '&': fputs("&amp;", out); break;
        case '<': fputs("&lt;", out); break;
        case '"': fputs("&quot;", out); break;
        default: fputc(*text, out);
        }
}

void scree_vtp_write_series(FILE *out, int64_t n, const double *time, const char *const *name)
{
    fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\">\n<Collection>\n",
          out);
    for (int64_t k = 0; k < n; k++) {
        fprintf(out, "<DataSet timestep=\"%.17g\" part=\"0\" file=\"", time[k]);
        write_escaped(out, name[k]);
        fputs("\"/>\n", out);
    }
    fputs("</Collection>\n</VTKFile>\n", out);
}
