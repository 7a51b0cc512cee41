/* SPDX-License-Identifier: BSD-3-Clause
 * Walls of triangles: reading STL, which triangles are found, what grains feel of them. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "scree/rng.h"
#include "scree/vec.h"
#include "walls_expect.h"

enum { MOST = 5000 };
static double triangle[MOST][3][3]; /* numbers that single precision and few digits have */
static int n_triangles;
static char path[64];

static void begin(void)
{
    walls_open_box();
    n_triangles = 0;
    snprintf(path, sizeof path, "/tmp/scree-mesh-XXXXXX");
    close(mkstemp(path));
}

static void end(void)
{
    unlink(path);
    walls_forget();
}

TestSuite(mesh, .init = begin, .fini = end);

static void add(const double a[3], const double b[3], const double c[3])
{
    const double *corner[3] = {a, b, c};
    for (int v = 0; v < 3; v++)
        for (int k = 0; k < 3; k++)
            triangle[n_triangles][v][k] = ldexp(rint(ldexp(corner[v][k], 20)), -20);
    n_triangles++;
}

static void write_text(void)
{
    FILE *f = fopen(path, "w");
    fprintf(f, "solid of a test\n");
    for (int t = 0; t < n_triangles; t++) {
        fprintf(f, " facet normal 0 0 nan\n  outer loop\n");
        for (int v = 0; v < 3; v++)
            fprintf(f, "   vertex %.17g %.17g %.17g\n", triangle[t][v][0], triangle[t][v][1],
                    triangle[t][v][2]);
        fprintf(f, "  endloop\n endfacet\n");
    }
    fprintf(f, "endsolid of a test\n");
    fclose(f);
}

static void write_binary(void)
{
    const char head[80] = "solid, although it is binary";
    const uint16_t none = 0;
    FILE *f = fopen(path, "wb");
    uint32_t n = (uint32_t)n_triangles;
    fwrite(head, 1, sizeof head, f);
    fwrite(&n, 4, 1, f);
    for (int t = 0; t < n_triangles; t++) {
        const float normal[3] = {0};
        fwrite(normal, 4, 3, f);
        for (int v = 0; v < 9; v++) {
            float x = (float)triangle[t][v / 3][v % 3];
            fwrite(&x, 4, 1, f);
        }
        fwrite(&none, 2, 1, f);
    }
    fclose(f);
}

static void read_mesh(const char *keys)
{
    char text[400];
    snprintf(text, sizeof text,
             "boundaries:\n  skin: {shape: mesh, material: glass, file: %s, unit: 1 m%s}\n", path,
             keys);
    walls_read(text);
}

/* A floor of n x n squares of side 1 about the origin, cut in halves either way; corners within it
 * are displaced. */
static void make_floor(int n)
{
    double place[32][32][3];
    for (int i = 0; i <= n; i++)
        for (int j = 0; j <= n; j++) {
            bool inner = i > 0 && i < n && j > 0 && j < n;
            place[i][j][0] = i - 0.5 * n + (inner ? 0.3 * sin(5.0 * i + 3.0 * j) : 0.0);
            place[i][j][1] = j - 0.5 * n + (inner ? 0.3 * cos(2.0 * i + 7.0 * j) : 0.0);
            place[i][j][2] = 0.0;
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const double *a = place[i][j], *b = place[i + 1][j], *c = place[i + 1][j + 1],
                         *d = place[i][j + 1];
            int way = (i + j) % 2;
            add(a, b, way == 0 ? c : d);
            add(way == 0 ? a : b, c, d);
        }
}

static struct scree_wall_contact contact[MOST];

/* The contacts that a grain feels: how many, and the first ones. */
static int feel(double x, double y, double z, double radius,
                const struct scree_wall_contact **first)
{
    static int32_t wall[MOST]; /* all 0 */
    const double pos[4] = {x, y, z, radius};
    struct scree_wall_found found = {0};
    int n = 0;
    scree_wall_find_parts(&walls.wall[0], pos, 0.1 * radius, &found);
    for (size_t k = 0; k < found.n; k++)
        scree_wall_locate_part(&walls.wall[0], found.part[k], pos, &contact[k]);
    scree_joints_resolve(&walls, pos, 0.0, (int)found.n, wall, contact);
    for (size_t k = 0; k < found.n; k++) {
        if (contact[k].at.gap >= 0.0 || contact[k].hidden_by >= 0) continue;
        if (n < 4) first[n] = &contact[k];
        n++;
    }
    scree_alloc_free(found.part);
    return n;
}

static void expect_floor(double radius, double tolerance)
{
    const struct scree_wall_contact *felt[4];
    for (int k = 0; k < 4000; k++) {
        /* also exactly above corners and sides */
        double x = 3.0 * sin(0.37 * k), y = 3.0 * cos(1.1 * k), height = 0.97 * radius;
        const double *corner = triangle[k % n_triangles][k % 3];
        if (k % 3 == 0 && fabs(corner[0]) < 3.5 && fabs(corner[1]) < 3.5) {
            x = corner[0] + 1e-16 * (k % 5 - 2);
            y = corner[1];
        }
        int n = feel(x, y, height, radius, felt);
        cr_expect_eq(n, 1, "at %.17g, %.17g: %d contacts", x, y, n);
        if (n < 1) continue;
        cr_expect_float_eq(felt[0]->at.gap, height - radius, tolerance);
        cr_expect(felt[0]->at.normal[2] > 1.0 - tolerance);
    }
}

Test(mesh, a_flat_floor_is_felt_once_by_grains_smaller_and_larger_than_its_triangles)
{
    make_floor(8);
    write_text();
    read_mesh("");
    expect_floor(0.1, 1e-15);
    expect_floor(0.9, 1e-15);
    for (int k = 0; k < 3; k++) /* a footprint of many triangles */
        cr_expect_eq(feel(0.2 * k, 0.1, 60.0, 60.05, (const struct scree_wall_contact *[4]){0}), 1);
}

/* Programs write corners of neighbours that differ in the last bit. */
Test(mesh, slits_as_narrow_as_rounding_are_not_felt)
{
    make_floor(8);
    for (int t = 0; t < n_triangles; t++)
        for (int c = 0; c < 9; c++) triangle[t][c / 3][c % 3] *= 1.0 + 6e-8 * (double)((t + c) % 3);
    write_text();
    read_mesh("");
    expect_floor(0.1, 1e-8);
    expect_floor(0.9, 1e-8);
}

Test(mesh, text_and_binary_files_are_the_same_mesh)
{
    struct scree_wall_surface text, binary;
    make_floor(8);
    write_text();
    read_mesh("");
    cr_assert(scree_walls_surface(&walls, 0, &text));
    walls_forget();
    write_binary();
    read_mesh("");
    cr_assert(scree_walls_surface(&walls, 0, &binary));
    cr_expect_eq(binary.n, 128);
    cr_expect_eq(text.print, binary.print);
    cr_expect_float_eq(binary.area, 64.0, 1e-5);
}

Test(mesh, the_closest_triangles_are_found_among_many)
{
    double corner[3][3];
    for (int t = 0; t < MOST; t++) {
        double size = t % 100 == 0 ? 5.0 : 0.3;
        for (int v = 0; v < 3; v++)
            for (int k = 0; k < 3; k++)
                corner[v][k] = v == 0 ? 4.0 * sin(7.1 * t + 2.3 * k)
                                      : corner[0][k] + size * cos(3.3 * t + 1.7 * k + 5.0 * v);
        add(corner[0], corner[1], corner[2]);
    }
    write_binary();
    read_mesh("");
    for (int i = 0; i < 200; i++) {
        const double pos[1][4] = {
            {6.0 * sin(1.3 * i), 6.0 * cos(0.7 * i), 5.0 * sin(0.2 * i), 0.4}};
        struct scree_wall_found found = {0};
        struct scree_wall_contact one;
        double nearest = INFINITY;
        size_t n = 0;
        scree_wall_find_parts(&walls.wall[0], pos[0], 0.2, &found);
        for (int32_t t = 0; t < MOST; t++) {
            scree_wall_locate_part(&walls.wall[0], t, pos[0], &one);
            nearest = fmin(nearest, one.at.gap);
            if (one.at.gap >= 0.2) continue;
            cr_assert(n < found.n && found.part[n] == t);
            n++;
        }
        cr_expect_eq(n, found.n);
        scree_wall_locate(&walls.wall[0], 1, pos, &one);
        cr_expect_eq(one.at.gap, nearest);
        scree_alloc_free(found.part);
    }
}

/* The closest point of a triangle by going through very many of its points. */
Test(mesh, the_closest_point_of_a_triangle)
{
    enum { FINE = 300 };
    add((const double[]){0, 0, 0}, (const double[]){2, 0.25, 0.5}, (const double[]){0.5, 1, -0.5});
    write_binary();
    read_mesh("");
    const double(*c)[3] = (const double(*)[3])triangle[0];
    for (int i = 0; i < 60; i++) {
        const double x[3] = {1.0 + 2.0 * sin(2.1 * i), 0.5 + 1.5 * cos(1.7 * i), sin(0.9 * i)};
        double nearest = INFINITY;
        struct scree_wall_contact found = walls_locate(0, x[0], x[1], x[2], 0.0);
        for (int a = 0; a <= FINE; a++)
            for (int b = 0; a + b <= FINE; b++) {
                double d[3];
                for (int k = 0; k < 3; k++)
                    d[k] = x[k] -
                           (c[0][k] + (a * (c[1][k] - c[0][k]) + b * (c[2][k] - c[0][k])) / FINE);
                nearest = fmin(nearest, scree_vec_norm(d));
            }
        cr_expect(found.at.gap <= nearest + 1e-12 && found.at.gap > nearest - 0.01);
        cr_expect_float_eq(scree_vec_norm(found.at.normal), 1.0, 1e-14);
    }
}

/* Around a box grains touch one face, one edge or one corner, from outside and from inside. */
Test(mesh, a_box_has_sharp_edges_outside_and_corners_inside)
{
    static const int quad[6][4] = {{0, 1, 3, 2}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                   {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 3, 7, 5}};
    const struct scree_wall_contact *felt[4];
    double corner[8][3];
    for (int c = 0; c < 8; c++)
        for (int k = 0; k < 3; k++) corner[c][k] = (c >> k & 1) != 0 ? 2.0 : -2.0;
    for (int f = 0; f < 6; f++) {
        add(corner[quad[f][0]], corner[quad[f][1]], corner[quad[f][2]]);
        add(corner[quad[f][0]], corner[quad[f][2]], corner[quad[f][3]]);
    }
    write_binary();
    read_mesh("");
    cr_expect_eq(feel(0.3, 0.1, 2.9, 1.0, felt), 1);
    cr_expect_float_eq(felt[0]->at.normal[2], 1.0, 1e-15);
    cr_expect_eq(feel(2.6, 0.1, 2.6, 1.0, felt), 1);
    cr_expect_float_eq(felt[0]->at.gap, 0.6 * sqrt(2.0) - 1.0, 1e-15);
    cr_expect_float_eq(felt[0]->at.normal[0], sqrt(0.5), 1e-15);
    cr_expect_eq(feel(2.5, -2.5, 2.5, 1.0, felt), 1);
    cr_expect_float_eq(felt[0]->at.gap, 0.5 * sqrt(3.0) - 1.0, 1e-15);
    cr_expect_eq(feel(1.1, 0.3, 0.1, 1.0, felt), 1);
    cr_expect_eq(feel(1.1, 0.3, 1.2, 1.0, felt), 2);
    cr_expect_eq(feel(-1.1, 1.05, 1.2, 1.0, felt), 3);
    cr_expect_eq(feel(-1.0, 1.0, 1.0, 1.0, felt), 0);
}

/* In a fine tube a grain has one contact within the smooth angle, at the depth of the tube within
 * its facets; with sharp facets it may have two. */
Test(mesh, a_fine_tube_is_one_surface_if_it_is_smooth)
{
    enum { AROUND = 720, ALONG = 3 };
    const double pi = acos(-1.0), sagitta = 5.0 * (1.0 - cos(pi / AROUND));
    const struct scree_wall_contact *felt[4];
    for (int a = 0; a < AROUND; a++)
        for (int z = 0; z < ALONG; z++) {
            double p[2][2][3];
            for (int s = 0; s < 4; s++) {
                double angle = 2.0 * pi * ((a + s / 2) % AROUND) / AROUND;
                p[s / 2][s % 2][0] = 5.0 * cos(angle);
                p[s / 2][s % 2][1] = 5.0 * sin(angle);
                p[s / 2][s % 2][2] = z + s % 2 - 1.5;
            }
            add(p[0][0], p[1][0], p[1][1]);
            add(p[0][0], p[1][1], p[0][1]);
        }
    write_binary();
    read_mesh("");
    int sharp = 0;
    for (int k = 0; k < 500; k++) {
        double off = 4.01 + 1e-4 * k / 500, angle = 0.01 * k;
        int n = feel(off * cos(angle), off * sin(angle), 0.002 * k - 0.5, 1.0, felt);
        cr_expect_eq(n, 1);
        double overlap = off - 4.0;
        cr_expect(-felt[0]->at.gap > overlap - 2e-6 && -felt[0]->at.gap < overlap + sagitta + 2e-6);
    }
    walls_forget();
    read_mesh(", smooth: 0.1 deg");
    for (int k = 0; k < 500; k++) {
        double off = 4.01, angle = 0.01 * k;
        sharp += feel(off * cos(angle), off * sin(angle), 0.0, 1.0, felt) > 1;
    }
    /* Where the centre is in front of two facets: (2 * .3117 - .5) / .5 of all angles. */
    cr_expect(sharp > 100 && sharp < 147, "%d", sharp);
}

Test(mesh, it_is_placed_and_turned_and_moves_like_any_wall)
{
    add((const double[]){0, 0, 0}, (const double[]){1, 0, 0}, (const double[]){0, 1, 0});
    write_text();
    read_mesh(", at: [0, 0, 3], turn: [90 deg, 0, 0], rotate: {axis: [0, 0, 1], point: [0, 0, 0], "
              "rate: 2 rad/s}, velocity: [0, 0, 0.5]");
    struct scree_wall_contact c = walls_locate(0, 0.2, -0.5, 3.2, 0.1);
    cr_expect_float_eq(c.at.gap, 0.4, 1e-15);
    cr_expect_float_eq(c.at.normal[1], -1.0, 1e-15);
    scree_walls_move(&walls, 0.25 * acos(-1.0)); /* a quarter of a turn */
    c = walls_locate(0, 0.5, 0.2, 3.2 + 0.125 * acos(-1.0), 0.1);
    cr_expect_float_eq(c.at.gap, 0.4, 1e-15);
    cr_expect_float_eq(c.at.normal[0], 1.0, 1e-15);
    cr_expect_float_eq(c.velocity[0], -0.4, 1e-15);
    cr_expect_float_eq(c.velocity[2], 0.5, 1e-15);
}

static void expect_refused(const char *bytes, size_t n, const char *why)
{
    char text[400], expected[400];
    FILE *f = fopen(path, "wb");
    fwrite(bytes, 1, n, f);
    fclose(f);
    snprintf(text, sizeof text,
             "boundaries:\n  a: {shape: mesh, material: glass, unit: 1 mm, file: %s}\n", path);
    snprintf(expected, sizeof expected, "f.yaml:2:55: mesh: cannot use %s: %s\n", path, why);
    walls_expect_mistakes(text, expected);
}

Test(mesh, broken_files_are_refused_with_their_line_or_triangle)
{
    static const char cut[] = "solid x\n facet normal 0 0 1\n  outer loop\n   vertex 0 0 0\n";
    static const char word[] = "solid x\n facet normal 0 0 1\n  outer loop\n   vertex 0 zero 0\n";
    static const char keyword[] = "solid x\n facet normal 0 0 1\n  outer lop\n";
    static const char flat[] = "solid x\nfacet normal 0 0 1 outer loop vertex 0 0 0 vertex 1 1 1 "
                               "vertex 2 2 2 endloop endfacet\nendsolid\n";
    expect_refused(cut, strlen(cut), "line 5: the file ends where 'vertex' should be");
    expect_refused(word, strlen(word), "line 4: expected a number, found 'zero'");
    expect_refused(keyword, strlen(keyword), "line 3: expected 'loop', found 'lop'");
    expect_refused(flat, strlen(flat), "no triangle has an area");
    expect_refused("solid x\nendsolid x\n", 19, "it holds no triangles");
    expect_refused("v 0 0 0\n", 8,
                   "no STL: neither text that begins with 'solid' nor 84 bytes long");
    char binary[84 + 50] = {0};
    binary[80] = 2;
    expect_refused(binary, sizeof binary,
                   "no STL, or cut off: it says 2 triangles, which take 184 bytes, and has 134");
    binary[80] = 1;
    memset(binary + 84 + 12, 0xff, 4);
    expect_refused(binary, sizeof binary, "triangle 1: a corner is not a number");
}
