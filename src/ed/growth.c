/* SPDX-License-Identifier: BSD-3-Clause
 * Grains that grow until they fill a part of the box, or press as much as wanted (Lubachevsky and
 * Stillinger, J. Stat. Phys. 60, 561 (1990)). Radii grow at constant rates; where they push, the
 * gas is heated. So at the beginning of each epoch all velocities are multiplied by what makes
 * their mean square as it was at first. Densities remain: masses follow the radii at these moments.
 */
#include <math.h>
#include <string.h>

#include "ed_impl.h"
#include "scree/log.h"
#include "scree/vec.h"

static const double pi = 3.14159265358979323846;

/* Grains jam when their radii have grown by a part 1/Z more or later, with the reduced pressure Z.
 * They grow by so much of that in an epoch. */
static const double careful_part = 0.25;
/* Beyond this reduced pressure rounding begins to tell: gaps are 1e-10 of a diameter. */
static const double most_pressure = 1e10;

bool scree_ed_is_growing(const struct scree_ed *ed)
{
    return ed->values->growth > 0.0 && ed->grown_events == 0;
}

double scree_ed_solid_fraction(const struct scree_scene *scene)
{
    const struct scree_particles *p = scene->particles;
    const bool flat = scene->domain->box.dimension == 2;
    struct scree_exact sum;
    scree_exact_clear(&sum);
    for (scree_lid i = 0; i < p->n_owned; i++) {
        double r = p->pos[i][3];
        scree_exact_add(&sum, flat ? pi * r * r : 4.0 / 3.0 * pi * r * r * r);
    }
    scree_comm_sum_exact(scene->comm, &sum, 1);
    return scree_exact_value(&sum) /
           scree_deformation_size(&scene->domain->cell, &scene->domain->box);
}

/* What all grains do: the same on all ranks. */
struct motion {
    double square_speed, energy; /* m^2/s^2, mean; J */
};

static struct motion measure(const struct scree_scene *scene)
{
    const struct scree_particles *p = scene->particles;
    struct scree_exact sum[2];
    int64_t n = p->n_owned;
    for (int k = 0; k < 2; k++) scree_exact_clear(&sum[k]);
    for (scree_lid i = 0; i < p->n_owned; i++) {
        double square = scree_vec_dot(p->vel[i], p->vel[i]);
        scree_exact_add(&sum[0], square);
        scree_exact_add(&sum[1], 0.5 * p->mass[i] * square);
    }
    scree_comm_sum_exact(scene->comm, sum, 2);
    scree_comm_sum_int(scene->comm, &n, 1);
    return (struct motion){scree_exact_value(&sum[0]) / (double)(n > 0 ? n : 1),
                           scree_exact_value(&sum[1])};
}

/* By how much radii have to grow until the solid fraction is as wanted. */
static double growth_left(const struct scree_ed *ed, double solid, int dimension)
{
    return pow(ed->values->solid_fraction / solid, 1.0 / dimension) - 1.0;
}

/* J s; of all collisions so far. */
static double sum_virial(const struct scree_ed *ed, const struct scree_scene *scene)
{
    struct scree_exact sum = ed->tally.sum[SCREE_ED_VIRIAL];
    scree_exact_normalize(&sum);
    scree_comm_sum_exact(scene->comm, &sum, 1);
    return scree_exact_value(&sum);
}

/* Pressure over n T in the epoch that ends, if every grain has collided in it, on the mean. */
static void measure_pressure(struct scree_ed *ed, const struct motion *now, double virial,
                             double elapsed, bool enough)
{
    double action = (ed->epoch_energy + now->energy) * elapsed;
    if (enough && action > 0.0) ed->pressure = 1.0 + (virial - ed->epoch_virial) / action;
}

/* Masses of the present radii, velocities times `factor`. What this does to the energy is work of
 * the drive. */
static void change_grains(struct scree_ed *ed, struct scree_scene *scene, double grown,
                          double factor)
{
    struct scree_particles *p = scene->particles;
    struct scree_exact *work = &ed->tally.sum[SCREE_ED_WORK];
    double volume = pow(grown, scene->materials->disks ? 2.0 : 3.0);
    for (scree_lid i = 0; i < p->n_owned; i++) {
        scree_exact_add(work, 0.5 * p->mass[i] * scree_vec_dot(p->vel[i], p->vel[i]));
        p->mass[i] *= volume;
        p->vel[i][3] /= volume;
        p->spin[i][3] /= volume * (grown * grown);
        for (int a = 0; a < 3; a++) p->vel[i][a] *= factor;
        scree_exact_add(work, -0.5 * p->mass[i] * scree_vec_dot(p->vel[i], p->vel[i]));
        p->encounter[i][0] = SCREE_ED_NOBODY; /* who has just met may meet again */
    }
    scree_exact_normalize(work);
    scene->largest_radius *= grown;
    scene->largest_mass *= volume;
}

/* The grains are as large as they should be. */
static bool is_done(const struct scree_ed *ed, double left)
{
    return !(left > 1e-13) || ed->pressure >= ed->values->reduced_pressure;
}

static enum scree_status check(const struct scree_ed *ed, const struct motion *now, double solid)
{
    SCREE_CHECK(now->square_speed > 0.0, SCREE_PHYSICS,
                "all grains are at rest: those that grow must move; give their sample a 'speed'");
    SCREE_CHECK(ed->pressure < most_pressure, SCREE_PHYSICS,
                "grains that grow jam at a solid fraction of %.6g, before events.solid_fraction "
                "%g: their reduced pressure is %.3g; let them grow more slowly, or give "
                "events.reduced_pressure",
                solid, ed->values->solid_fraction, ed->pressure);
    return SCREE_OK;
}

/* The rate of the epoch that begins, and how long it may last. */
static void begin_growth(struct scree_ed *ed, double left)
{
    ed->growth = ed->values->growth / ed->grown;
    double most = fmin(careful_part / ed->pressure, left);
    ed->epoch_length = fmin(ed->epoch_length, most / ed->growth);
}

/* Smooth grains keep their spins for ever: those that grow have none. */
static void stop_spins(struct scree_ed *ed, struct scree_scene *scene)
{
    struct scree_particles *p = scene->particles;
    struct scree_exact *work = &ed->tally.sum[SCREE_ED_WORK];
    for (scree_lid i = 0; i < p->n_owned; i++) {
        double moment = scene->inertia_factor * p->mass[i] * p->pos[i][3] * p->pos[i][3];
        scree_exact_add(work, 0.5 * moment * scree_vec_dot(p->spin[i], p->spin[i]));
        memset(p->spin[i], 0, 3 * sizeof p->spin[i][0]);
    }
    scree_exact_normalize(work);
}

/* A packing that goes on as a gas collides very often: most want to have it at rest. */
static void stop_grains(struct scree_ed *ed, struct scree_scene *scene)
{
    struct scree_particles *p = scene->particles;
    struct scree_exact *work = &ed->tally.sum[SCREE_ED_WORK];
    for (scree_lid i = 0; i < p->n_owned; i++) {
        scree_exact_add(work, 0.5 * p->mass[i] * scree_vec_dot(p->vel[i], p->vel[i]));
        memset(p->vel[i], 0, 3 * sizeof p->vel[i][0]);
    }
    scree_exact_normalize(work);
}

static void end_growth(struct scree_ed *ed, struct scree_scene *scene, double solid)
{
    ed->growth = 0.0;
    ed->grown_events = ed->epoch_events > 0 ? ed->epoch_events : 1;
    scree_log(SCREE_LOG_INFO,
              "grains have grown by a factor of %.6g to a solid fraction of %.6g, at a reduced "
              "pressure of %.4g; %.4g s since they began",
              ed->grown, solid, ed->pressure, ed->epoch - ed->growth_began);
    if (ed->values->rest) stop_grains(ed, scene);
}

enum scree_status scree_ed_growth_step(struct scree_ed *ed, struct scree_scene *scene,
                                       double elapsed, bool enough)
{
    double factor = 1.0 + ed->growth * elapsed;
    if (!scree_ed_is_growing(ed)) return SCREE_OK;
    struct motion now = measure(scene);
    double solid = scree_ed_solid_fraction(scene);
    double virial = sum_virial(ed, scene);
    SCREE_TRY(check(ed, &now, solid));
    measure_pressure(ed, &now, virial, elapsed, enough);
    if (ed->grown == 0.0) { /* the first time */
        ed->grown = 1.0;
        ed->first_square_speed = now.square_speed;
        ed->growth_began = ed->epoch;
        stop_spins(ed, scene);
    }
    ed->grown *= factor;
    change_grains(ed, scene, factor, sqrt(ed->first_square_speed / now.square_speed));
    double left = growth_left(ed, solid, ed->world.box.dimension);
    if (is_done(ed, left))
        end_growth(ed, scene, solid);
    else if (ed->pressure > 0.0) /* the first epochs only measure it */
        begin_growth(ed, left);
    now = measure(scene);
    ed->epoch_energy = now.energy;
    ed->epoch_virial = virial;
    return SCREE_OK;
}
