/* SPDX-License-Identifier: BSD-3-Clause
 * Grains as text in the formats of others: LAMMPS dump, extended XYZ, VTK. */
#include "scree/export.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static void write_vector(FILE *out, const double v[3])
{
    fprintf(out, " %.17g %.17g %.17g", v[0], v[1], v[2]);
}

/* LAMMPS manual, command dump, style custom. */
static void write_dump(FILE *out, const struct scree_state_header *h,
                       const struct scree_state_rows *rows, unsigned fields)
{
    fprintf(out, "ITEM: TIMESTEP\n%" PRId64 "\nITEM: NUMBER OF ATOMS\n%" PRId64 "\n", h->step,
            rows->n);
    bool leans = h->tilt[0] != 0.0 || h->tilt[1] != 0.0 || h->tilt[2] != 0.0;
    fputs(leans ? "ITEM: BOX BOUNDS xy xz yz" : "ITEM: BOX BOUNDS", out);
    for (int a = 0; a < 3; a++) fputs(h->periodic[a] ? " pp" : " ff", out);
    for (int a = 0; a < 3; a++) {
        /* Of a box that leans, the bounds are those of all its corners. */
        double low = h->low[a], high = h->high[a], xy = h->tilt[0], xz = h->tilt[1];
        if (a == 0) {
            low += fmin(fmin(0.0, xy), fmin(xz, xy + xz));
            high += fmax(fmax(0.0, xy), fmax(xz, xy + xz));
        } else if (a == 1) {
            low += fmin(0.0, h->tilt[2]);
            high += fmax(0.0, h->tilt[2]);
        }
        fprintf(out, "\n%.17g %.17g", low, high);
        if (leans) fprintf(out, " %.17g", h->tilt[a]);
    }
    fputs("\nITEM: ATOMS id type x y z ix iy iz", out);
    if (fields & SCREE_READER_RADIUS) fputs(" radius", out);
    if (fields & SCREE_READER_VELOCITY) fputs(" vx vy vz", out);
    if (fields & SCREE_READER_SPIN) fputs(" omegax omegay omegaz", out);
    fputs(fields & SCREE_READER_MASS ? " mass\n" : "\n", out);
    for (int64_t i = 0; i < rows->n; i++) {
        const int32_t *image = rows->image[i];
        fprintf(out, "%" PRId64 " %" PRId32, rows->id[i], rows->species[i]);
        write_vector(out, rows->position[i]);
        fprintf(out, " %" PRId32 " %" PRId32 " %" PRId32, image[0], image[1], image[2]);
        if (fields & SCREE_READER_RADIUS) fprintf(out, " %.17g", rows->radius[i]);
        if (fields & SCREE_READER_VELOCITY) write_vector(out, rows->velocity[i]);
        if (fields & SCREE_READER_SPIN) write_vector(out, rows->spin[i]);
        if (fields & SCREE_READER_MASS) fprintf(out, " %.17g", rows->mass[i]);
        fputc('\n', out);
    }
}

/* https://github.com/libAtoms/extxyz; the names of properties are those of OVITO. */
static void write_xyz(FILE *out, const struct scree_state_header *h,
                      const struct scree_state_rows *rows, unsigned fields)
{
    fprintf(out, "%" PRId64 "\nLattice=\"", rows->n);
    const double tilt[9] = {0.0, 0.0, 0.0, h->tilt[0], 0.0, 0.0, h->tilt[1], h->tilt[2], 0.0};
    for (int a = 0; a < 9; a++)
        fprintf(out, "%s%.17g", a > 0 ? " " : "",
                a % 4 == 0 ? h->high[a / 4] - h->low[a / 4] : tilt[a]);
    fprintf(out, "\" Origin=\"%.17g %.17g %.17g\" pbc=\"%c %c %c\"", h->low[0], h->low[1],
            h->low[2], h->periodic[0] ? 'T' : 'F', h->periodic[1] ? 'T' : 'F',
            h->periodic[2] ? 'T' : 'F');
    fprintf(out, " Time=%.17g Step=%" PRId64 " Properties=species:S:1:pos:R:3:id:I:1", h->time,
            h->step);
    if (fields & SCREE_READER_RADIUS) fputs(":radius:R:1", out);
    if (fields & SCREE_READER_MASS) fputs(":mass:R:1", out);
    if (fields & SCREE_READER_VELOCITY) fputs(":velo:R:3", out);
    if (fields & SCREE_READER_SPIN) fputs(":angular_velocity:R:3", out);
    fputs(fields & SCREE_READER_IMAGE ? ":image:I:3\n" : "\n", out);
    for (int64_t i = 0; i < rows->n; i++) {
        const int32_t *image = rows->image[i];
        fprintf(out, "%" PRId32, rows->species[i]);
        write_vector(out, rows->position[i]);
        fprintf(out, " %" PRId64, rows->id[i]);
        if (fields & SCREE_READER_RADIUS) fprintf(out, " %.17g", rows->radius[i]);
        if (fields & SCREE_READER_MASS) fprintf(out, " %.17g", rows->mass[i]);
        if (fields & SCREE_READER_VELOCITY) write_vector(out, rows->velocity[i]);
        if (fields & SCREE_READER_SPIN) write_vector(out, rows->spin[i]);
        if (fields & SCREE_READER_IMAGE)
            fprintf(out, " %" PRId32 " %" PRId32 " %" PRId32, image[0], image[1], image[2]);
        fputc('\n', out);
    }
}

static void open_array(FILE *out, const char *type, const char *name, int width)
{
    fprintf(out, "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"ascii\">\n",
            type, name, width);
}

static void write_reals(FILE *out, const char *name, const double *values, int64_t n, int width)
{
    open_array(out, "Float64", name, width);
    for (int64_t i = 0; i < n * width; i++) fprintf(out, "%.17g\n", values[i]);
    fputs("</DataArray>\n", out);
}

/* Cells: each grain is a vertex. */
static void write_cells(FILE *out, int64_t n)
{
    static const char *const names[3] = {"connectivity", "offsets", "types"};
    fputs("<Cells>\n", out);
    for (int k = 0; k < 3; k++) {
        open_array(out, k == 2 ? "UInt8" : "Int64", names[k], 1);
        for (int64_t i = 0; i < n; i++) fprintf(out, "%" PRId64 "\n", k == 2 ? 1 : i + k);
        fputs("</DataArray>\n", out);
    }
    fputs("</Cells>\n", out);
}

/* VTK file formats, XML, UnstructuredGrid. */
static void write_vtu(FILE *out, const struct scree_state_header *h,
                      const struct scree_state_rows *rows, unsigned fields)
{
    int64_t n = rows->n;
    fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" "
          "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<UnstructuredGrid>\n<FieldData>\n"
          "<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" "
          "format=\"ascii\">\n",
          out);
    fprintf(out, "%.17g\n</DataArray>\n</FieldData>\n", h->time);
    fprintf(out, "<Piece NumberOfPoints=\"%" PRId64 "\" NumberOfCells=\"%" PRId64 "\">\n<Points>\n",
            n, n);
    write_reals(out, "position", n > 0 ? rows->position[0] : NULL, n, 3);
    fputs("</Points>\n", out);
    write_cells(out, n);
    fputs("<PointData>\n", out);
    open_array(out, "Int64", "id", 1);
    for (int64_t i = 0; i < n; i++) fprintf(out, "%" PRId64 "\n", rows->id[i]);
    fputs("</DataArray>\n", out);
    open_array(out, "Int32", "species", 1);
    for (int64_t i = 0; i < n; i++) fprintf(out, "%" PRId32 "\n", rows->species[i]);
    fputs("</DataArray>\n", out);
    if (fields & SCREE_READER_RADIUS) write_reals(out, "radius", rows->radius, n, 1);
    if (fields & SCREE_READER_MASS) write_reals(out, "mass", rows->mass, n, 1);
    if (fields & SCREE_READER_VELOCITY)
        write_reals(out, "velocity", n > 0 ? rows->velocity[0] : NULL, n, 3);
    if (fields & SCREE_READER_SPIN)
        write_reals(out, "angular_velocity", n > 0 ? rows->spin[0] : NULL, n, 3);
    fputs("</PointData>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n", out);
}

const struct scree_export_format *scree_export_find(const char *path)
{
    static const struct scree_export_format formats[] = {
        {".dump", true, write_dump}, {".xyz", true, write_xyz}, {".vtu", false, write_vtu}};
    size_t n = strlen(path);
    for (int k = 0; k < 3; k++) {
        size_t m = strlen(formats[k].ending);
        if (n > m && strcmp(path + n - m, formats[k].ending) == 0) return &formats[k];
    }
    return NULL;
}
