/* SPDX-License-Identifier: BSD-3-Clause
 * A surface of triangles from a file. Each triangle is a sheet of its own; where they meet the rule
 * of joints holds (walls.h). */
#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "drawing.h"
#include "mesh.h"
#include "scree/alloc.h"
#include "scree/log.h"
#include "scree/vec.h"

struct values {
    const char *file;
    double unit, at[3], turn[3], smooth;
    struct scree_mesh *mesh; /* owned; made by check() */
};
_Static_assert(sizeof(struct values) <= SCREE_WALL_VALUES * sizeof(double), "fits in a wall");

#define AT(member) offsetof(struct values, member)
static const struct scree_param params[] = {
    {"file", SCREE_PARAM_TEXT, "", 0, 0, NULL, NULL, AT(file),
     "triangles as STL, text or binary: a path from the folder of the input, or from here"},
    {"unit", SCREE_PARAM_REAL, "m", DBL_MIN, INFINITY, NULL, NULL, AT(unit),
     "length of 1 in the file, such as 1 mm"},
    {"at", SCREE_PARAM_VECTOR, "m", 0, 0, "[0, 0, 0]", NULL, AT(at), "place of the file's origin"},
    {"turn", SCREE_PARAM_VECTOR, "rad", 0, 0, "[0, 0, 0]", NULL, AT(turn),
     "turn about the file's origin, by the length of this vector and about its direction"},
    {"smooth", SCREE_PARAM_REAL, "rad", 0, 1, "1 deg", NULL, AT(smooth),
     "triangles at a smaller angle are one surface, with which a grain has one contact"},
    {0},
};

static void place(const struct values *v, double (*corner)[3][3], int32_t n)
{
    double angle = scree_vec_norm(v->turn), axis[3] = {0.0, 0.0, 1.0}, turn[3][3];
    for (int k = 0; k < 3 && angle > 0.0; k++) axis[k] = v->turn[k] / angle;
    scree_wall_rotation(axis, angle, turn);
    for (int32_t t = 0; t < n; t++)
        for (int c = 0; c < 3; c++) {
            double x[3];
            for (int k = 0; k < 3; k++) x[k] = v->unit * corner[t][c][k];
            for (int k = 0; k < 3; k++) corner[t][c][k] = v->at[k] + scree_vec_dot(turn[k], x);
        }
}

/* Files have single precision, or a few digits. */
static double find_slack(const struct values *v, const double (*corner)[3][3], int32_t n)
{
    double largest = 0.0;
    for (int32_t t = 0; t < n; t++)
        for (int c = 0; c < 9; c++) largest = fmax(largest, fabs(corner[t][c / 3][c % 3]));
    return 2.0 * (double)FLT_EPSILON * v->unit * largest;
}

static void check(struct scree_input *input, const struct scree_node *node, int dimension,
                  void *values)
{
    struct values *v = values;
    const struct scree_node *file = scree_node_find(node, "file");
    double(*corner)[3][3];
    int32_t n;
    char path[4096], why[400];
    (void)dimension; /* a mesh is not flat, see is_flat() */
    v->mesh = NULL;
    if (v->file == NULL || isnan(v->unit)) return;
    scree_input_find_file(input, v->file, path, sizeof path);
    if (!scree_mesh_read_file(path, &corner, &n, why, sizeof why)) {
        scree_input_error(input, file, "mesh: cannot use %.1000s: %s", path, why);
        return;
    }
    double slack = find_slack(v, (const double(*)[3][3])corner, n);
    place(v, corner, n);
    scree_mesh_create(&v->mesh, corner, n, slack);
    if (v->mesh->n == 0)
        scree_input_error(input, file, "mesh: cannot use %.1000s: no triangle has an area", path);
}

static void release(void *values)
{
    struct values *v = values;
    scree_mesh_destroy(v->mesh);
    v->mesh = NULL;
}

static void bound(const void *values, double centre[3], double *radius)
{
    const struct scree_mesh *mesh = ((const struct values *)values)->mesh;
    double farthest = 0.0;
    for (int k = 0; k < 3; k++) centre[k] = 0.5 * (mesh->low[k] + mesh->high[k]);
    for (int32_t t = 0; t < mesh->n; t++)
        for (int c = 0; c < 3; c++) {
            double d[3];
            for (int k = 0; k < 3; k++) d[k] = mesh->corner[t][c][k] - centre[k];
            farthest = fmax(farthest, scree_vec_norm(d));
        }
    *radius = farthest;
}

static void locate(const void *values, int n, const double (*pos)[4],
                   struct scree_wall_point *found)
{
    const struct values *v = values;
    for (int i = 0; i < n; i++) scree_mesh_locate_nearest(v->mesh, pos[i], &found[i]);
}

static void find(const void *values, const double pos[4], double gap,
                 struct scree_wall_found *found)
{
    scree_mesh_find(((const struct values *)values)->mesh, pos, gap, found);
}

static void locate_part(const void *values, int32_t part, const double pos[4],
                        struct scree_wall_point *found)
{
    scree_mesh_locate(((const struct values *)values)->mesh, part, pos, found);
}

static void describe(const void *values, struct scree_wall_surface *surface)
{
    const struct values *v = values;
    *surface = (struct scree_wall_surface){.n = v->mesh->n,
                                           .corner = (const double(*)[3][3])v->mesh->corner,
                                           .area = v->mesh->area,
                                           .smooth = cos(v->smooth),
                                           .slack = v->mesh->slack,
                                           .n_flat = v->mesh->n_flat,
                                           .print = v->mesh->print,
                                           .file = v->file};
}

static const struct scree_wall_parts parts = {find, locate_part, describe};

static void draw(const void *values, const double low[3], const double high[3],
                 struct scree_wall_drawing *drawing)
{
    (void)low; /* it has ends */
    (void)high;
    const struct scree_mesh *mesh = ((const struct values *)values)->mesh;
    for (int32_t t = 0; t < mesh->n; t++)
        scree_drawing_add(drawing, mesh->corner[t][0], mesh->corner[t][1], mesh->corner[t][2]);
}

const struct scree_wall_shape scree_shape_mesh = {
    .name = "mesh",
    .summary = "surface of triangles from a file; both faces push",
    .params = params,
    .check = check,
    .release = release,
    .bound = bound,
    .draw = draw,
    .locate = locate,
    .parts = &parts,
};
