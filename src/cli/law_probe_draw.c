/* SPDX-License-Identifier: BSD-3-Clause
 * Curves as an SVG picture, which every browser shows: no library needed. */
#include <math.h>
#include <stdio.h>

#include "law_probe.h"
#include "scree/alloc.h"

enum { WIDTH = 420, HEIGHT = 320, LEFT = 78, RIGHT = 14, TOP = 40, BOTTOM = 46, MOST_CURVES = 7 };

struct curve {
    const char *name, *colour;
    double (*x)(const struct scree_law_probe_row *row), (*y)(const struct scree_law_probe_row *row);
};

struct panel {
    const char *title, *x_name, *y_name;
    int n;
    struct curve curve[MOST_CURVES];
    double low[2], high[2];
};

#define VALUE(function, expression)                               \
    static double function(const struct scree_law_probe_row *row) \
    {                                                             \
        return expression;                                        \
    }
VALUE(time_of, 1e6 * row->time)
VALUE(overlap_of, 1e6 * row->overlap)
VALUE(shift_of, 1e6 * row->shift)
VALUE(normal_of, row->normal)
VALUE(tangential_of, row->tangential)
VALUE(kinetic_of, row->kinetic)
VALUE(elastic_of, row->elastic)
VALUE(damping_of, row->loss[SCREE_LOSS_NORMAL] + row->loss[SCREE_LOSS_TANGENTIAL])
VALUE(sliding_of, row->loss[SCREE_LOSS_SLIDING])
VALUE(plastic_of, row->loss[SCREE_LOSS_PLASTIC])
VALUE(stiffness_of, row->loss[SCREE_LOSS_STIFFNESS])
VALUE(rolling_of, row->loss[SCREE_LOSS_ROLLING] + row->loss[SCREE_LOSS_TORSION])

static void find_range(struct panel *panel, const struct scree_law_probe_table *table)
{
    for (int a = 0; a < 2; a++) panel->low[a] = panel->high[a] = 0.0;
    for (int c = 0; c < panel->n; c++)
        for (size_t k = 0; k < table->n; k++) {
            double at[2] = {panel->curve[c].x(&table->row[k]), panel->curve[c].y(&table->row[k])};
            for (int a = 0; a < 2; a++) {
                panel->low[a] = fmin(panel->low[a], at[a]);
                panel->high[a] = fmax(panel->high[a], at[a]);
            }
        }
    for (int a = 0; a < 2; a++)
        if (panel->high[a] <= panel->low[a]) panel->high[a] = panel->low[a] + 1.0;
}

static double place(const struct panel *panel, int axis, double value)
{
    double part = (value - panel->low[axis]) / (panel->high[axis] - panel->low[axis]);
    return axis == 0 ? LEFT + part * (WIDTH - LEFT - RIGHT)
                     : HEIGHT - BOTTOM - part * (HEIGHT - TOP - BOTTOM);
}

/* 1, 2 or 5 times a power of ten, about five steps to the range. */
static double tick_step(double range)
{
    double unit = pow(10.0, floor(log10(range / 5.0))), ratio = range / 5.0 / unit;
    return unit * (ratio < 1.5 ? 1.0 : ratio < 3.5 ? 2.0 : ratio < 7.5 ? 5.0 : 10.0);
}

static void draw_axes(FILE *f, const struct panel *panel)
{
    int right = WIDTH - RIGHT, bottom = HEIGHT - BOTTOM;
    fprintf(f, "<rect x='%d' y='%d' width='%d' height='%d' fill='none' stroke='#888'/>\n", LEFT,
            TOP, right - LEFT, bottom - TOP);
    for (int a = 0; a < 2; a++) {
        double step = tick_step(panel->high[a] - panel->low[a]);
        for (double t = ceil(panel->low[a] / step) * step; t <= panel->high[a] + 1e-9 * step;
             t += step) {
            double value = fabs(t) < 1e-9 * step ? 0.0 : t, at = place(panel, a, value);
            if (a == 0)
                fprintf(f,
                        "<path d='M%.1f %d v5' stroke='#888'/><text x='%.1f' y='%d' "
                        "text-anchor='middle'>%g</text>\n",
                        at, bottom, at, bottom + 17, value);
            else
                fprintf(f,
                        "<path d='M%d %.1f h-5' stroke='#888'/><text x='%d' y='%.1f' "
                        "text-anchor='end'>%g</text>\n",
                        LEFT, at, LEFT - 8, at + 4.0, value);
        }
    }
    fprintf(f, "<text x='%d' y='%d' text-anchor='middle'>%s</text>\n", (LEFT + right) / 2,
            bottom + 36, panel->x_name);
    fprintf(f, "<text transform='translate(14 %d) rotate(-90)' text-anchor='middle'>%s</text>\n",
            (TOP + bottom) / 2, panel->y_name);
    fprintf(f, "<text x='%d' y='%d' font-weight='bold'>%s</text>\n", LEFT, TOP - 10, panel->title);
}

static bool is_flat(const struct curve *curve, const struct scree_law_probe_table *table)
{
    for (size_t k = 0; k < table->n; k++)
        if (curve->y(&table->row[k]) != 0.0) return false;
    return true;
}

static void draw_panel(FILE *f, struct panel *panel, const struct scree_law_probe_table *table,
                       int x)
{
    find_range(panel, table);
    fprintf(f, "<g transform='translate(%d 24)'>\n", x);
    draw_axes(f, panel);
    int n_named = 0;
    for (int c = 0; c < panel->n; c++) {
        const struct curve *curve = &panel->curve[c];
        if (panel->n > 1 && is_flat(curve, table)) continue;
        fprintf(f, "<polyline fill='none' stroke='%s' stroke-width='1.6' points='", curve->colour);
        size_t every = table->n > 4000 ? table->n / 4000 : 1;
        for (size_t k = 0; k < table->n; k += every)
            fprintf(f, "%.2f,%.2f ", place(panel, 0, curve->x(&table->row[k])),
                    place(panel, 1, curve->y(&table->row[k])));
        fprintf(f, "'/>\n");
        if (panel->n > 1)
            fprintf(f, "<text x='%d' y='%d' fill='%s'>%s</text>\n", LEFT + 8,
                    TOP + 16 + 15 * n_named++, curve->colour, curve->name);
    }
    fprintf(f, "</g>\n");
}

enum scree_status scree_law_probe_draw(const struct scree_law_probe_table *table, const char *title,
                                       const char *path)
{
    struct panel panels[] = {
        {"normal force",
         "overlap (um)",
         "force (N)",
         1,
         {{"", "#1f5fa8", overlap_of, normal_of}},
         {0},
         {0}},
        {"tangential force",
         "shift (um)",
         "force (N)",
         1,
         {{"", "#b3541e", shift_of, tangential_of}},
         {0},
         {0}},
        {"energies",
         "time (us)",
         "energy (J)",
         7,
         {{"kinetic", "#333333", time_of, kinetic_of},
          {"elastic", "#1f5fa8", time_of, elastic_of},
          {"lost to damping", "#b3541e", time_of, damping_of},
          {"lost to sliding", "#2d7d46", time_of, sliding_of},
          {"lost to plastic deformation", "#8a3fa0", time_of, plastic_of},
          {"lost to changes of stiffness", "#5fa8a8", time_of, stiffness_of},
          {"lost to rolling and torsion", "#a08a00", time_of, rolling_of}},
         {0},
         {0}},
    };
    int n = (int)(sizeof panels / sizeof panels[0]);
    FILE *f = fopen(path, "w");
    SCREE_CHECK(f != NULL, SCREE_IO, "cannot write %s", path);
    fprintf(f,
            "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' "
            "font-family='sans-serif' font-size='12'>\n<rect width='100%%' height='100%%' "
            "fill='white'/>\n<text x='12' y='20' font-size='14'>",
            n * WIDTH, HEIGHT + 24);
    for (const char *c = title; *c != '\0'; c++)
        if (*c == '<' || *c == '&')
            fprintf(f, *c == '<' ? "&lt;" : "&amp;");
        else
            fputc(*c, f);
    fprintf(f, "</text>\n");
    for (int k = 0; k < n; k++) draw_panel(f, &panels[k], table, k * WIDTH);
    fprintf(f, "</svg>\n");
    bool good = ferror(f) == 0;
    good = fclose(f) == 0 && good;
    SCREE_CHECK(good, SCREE_IO, "cannot write %s: disk full?", path);
    return SCREE_OK;
}
