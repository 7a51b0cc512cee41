/* SPDX-License-Identifier: BSD-3-Clause
 * The table of a profile. */
#include <math.h>

#include "profile.h"

/* m; between walls or periods; NAN: it is not known. A box that deforms is put right later. */
static double extent_along(const struct scree_scene *scene, int a)
{
    if (scene->domain->cell.on) return scene->domain->box.length[a];
    return scree_walls_are_bounding(scene->walls, a) ? scree_walls_extent(scene->walls, a, false)
                                                     : NAN;
}

/* m^2; 2D: m; across the bins, or across the bins of one slab, which divide the whole box. */
static double section_of(const struct scree_profile *v, const struct scree_scene *scene)
{
    double size = 1.0;
    if (v->slabs == 1 && !scene->domain->cell.on)
        return scree_walls_section(scene->walls, v->along);
    for (int a = 0; a < v->dimension; a++)
        if (a != v->along)
            size *= v->slabs > 1 && a == v->axis ? scene->domain->box.length[a]
                                                 : extent_along(scene, a);
    return size / (double)v->slabs;
}

/* m^3; 2D: m^2; NAN: walls do not tell. */
static double bin_size(const struct scree_profile *v, const struct scree_scene *scene, double from,
                       double to)
{
    if (v->along != SCREE_ALONG_R) return section_of(v, scene) * (to - from);
    double size = 1.0, whole = scene->domain->box.length[v->axis];
    if (v->dimension == 3)
        size = v->slabs > 1 ? whole / (double)v->slabs : extent_along(scene, v->axis);
    return size * (v->angle / 2.0) * (to - from) * (to + from);
}

int scree_profile_spin_axis(const struct scree_profile *v)
{
    if (v->along == SCREE_ALONG_R) return v->axis;
    return v->slabs > 1 ? 3 - v->along - v->axis : 2;
}

static void write_bin(const struct scree_profile *v, double size, const double *mean, FILE *f)
{
    double mass = mean[SCREE_PROFILE_MASS], square = 0.0, drift[3];
    fprintf(f, ",%.17g,%.17g,%.17g", mean[SCREE_PROFILE_COUNT], mean[SCREE_PROFILE_SOLID] / size,
            mass / size);
    if (!(mass > 0.0)) { /* nobody was there: no number rather than a wrong one */
        for (int k = 0; k < 6 + (v->along == SCREE_ALONG_R); k++) fprintf(f, ",nan");
        fputc('\n', f);
        return;
    }
    for (int a = 0; a < 3; a++) {
        drift[a] = mean[SCREE_PROFILE_VELOCITY + a] / mass;
        square += mean[SCREE_PROFILE_SQUARE + a] / mass - drift[a] * drift[a];
    }
    fprintf(f, ",%.17g,%.17g,%.17g,%.17g", mean[SCREE_PROFILE_PLACE] / mass, drift[0], drift[1],
            drift[2]);
    if (v->along == SCREE_ALONG_R) fprintf(f, ",%.17g", mean[SCREE_PROFILE_OMEGA] / mass);
    fprintf(f, ",%.17g,%.17g\n", mean[SCREE_PROFILE_SPIN] / mass, fmax(square, 0.0) / v->dimension);
}

static void write_head(const struct scree_measurement *m, FILE *f)
{
    const struct scree_profile *v = m->values;
    bool round = v->along == SCREE_ALONG_R;
    const char *name = scree_profile_alongs[v->along],
               *density = v->dimension == 2 ? "kg/m^2" : "kg/m^3";
    if (v->slabs > 1)
        fprintf(f, "%s low [m],%s high [m],", scree_profile_axes[v->axis],
                scree_profile_axes[v->axis]);
    fprintf(f, "%s low [m],%s high [m],grains,solid fraction,density [%s],mean %s [m]", name, name,
            density, name);
    for (int a = 0; a < 3; a++)
        fprintf(f, ",velocity %s [m/s]",
                !round   ? scree_profile_axes[a]
                : a == 0 ? "r"
                : a == 1 ? "phi"
                         : scree_profile_axes[v->axis]);
    if (round) fprintf(f, ",angular velocity [rad/s]");
    fprintf(f, ",spin %s [rad/s],temperature [m^2/s^2]\n",
            scree_profile_axes[scree_profile_spin_axis(v)]);
}

void scree_profile_write(const struct scree_measurement *m, const struct scree_scene *scene,
                         const double *mean, FILE *f)
{
    const struct scree_profile *v = m->values;
    const struct scree_box *box = &scene->domain->box;
    const struct scree_deformation *cell = &scene->domain->cell;
    double swollen = 1.0; /* bins of a cell that deforms have their present size */
    for (int a = 0; a < box->dimension; a++) swollen *= cell->on ? cell->f[a][a] : 1.0;
    double width = (v->high - v->low) / (double)v->bins;
    write_head(m, f);
    for (int64_t slab = 0; slab < v->slabs; slab++)
        for (int64_t bin = 0; bin < v->bins; bin++) {
            double from = v->low + (double)bin * width, to = v->low + (double)(bin + 1) * width;
            double layer = box->length[v->axis] / (double)v->slabs;
            if (v->slabs > 1)
                fprintf(f, "%.17g,%.17g,", box->low[v->axis] + (double)slab * layer,
                        box->low[v->axis] + (double)(slab + 1) * layer);
            fprintf(f, "%.17g,%.17g", from, to);
            write_bin(v, swollen * bin_size(v, scene, from, to),
                      mean + (slab * v->bins + bin) * SCREE_N_PROFILE_SUMS, f);
        }
}

/* The section across the bins, or the height of rings. */
void scree_profile_describe(const struct scree_measurement *m, const struct scree_walls *walls,
                            scree_line_writer write, void *context)
{
    const struct scree_profile *v = m->values;
    char line[160 + SCREE_SECTION_REASON];
    const char *why = "";
    bool ring = v->along == SCREE_ALONG_R;
    if (v->slabs == 1 && !ring)
        why = walls->section[v->along].unknown;
    else if (v->slabs == 1 && v->dimension == 3 && !scree_walls_are_bounding(walls, v->axis))
        why = "no wall bounds the sample along the axis";
    else if (v->slabs > 1 && !ring && v->dimension == 3 &&
             !scree_walls_are_bounding(walls, 3 - v->along - v->axis))
        why = "no wall bounds the sample across the field";
    if (why[0] == '\0') return;
    snprintf(line, sizeof line, "densities of %.70s: nan, the section is not known: %s", m->name,
             why);
    write(context, line);
}
