/* SPDX-License-Identifier: BSD-3-Clause
 * What a run will be like, for `scree check` and for the start: how far grains go in a step, and
 * how many sweeps steps may need. Only what acts at the beginning is known: a later stage may move
 * walls and cells faster. */
#include <float.h>
#include <math.h>

#include "cd_impl.h"
#include "scree/log.h"
#include "scree/vec.h"

/* Parts of the smallest radius that grains may go in a step before the step is long: with walls and
 * the flow, whose way is shared out among many neighbours, and by a force on them. */
static const double long_ride = 0.1, long_fall = 0.01;

/* Sweeps of a step from zero to a residual of 1e-4 in dense packings of N grains, by N^(1/D) with
 * conjugate directions and by N^(2/D) without; warm starts save up to four fifths. A ten times
 * larger residual needs a third. */
static const double sweeps_nncg = 10.0, sweeps_plain = 2.5, warm = 0.2;
static const double updates = 12e6; /* contacts that a core sweeps in a second */

struct demand {
    double radius, mass; /* m, kg; of the smallest grain that moves */
    double speed;        /* m/s; of walls and of the flow over a diameter */
    double
        acceleration; /* m/s^2; of a grain at rest that only gravity, or only a pressure, moves */
    double inertial;  /* inertial number; NAN: not known */
};

/* Of a grain with the pressure on one of its sides only. */
static double pressed(const struct scree_scene *scene, const struct demand *demand, double pressure)
{
    double d = 2.0 * demand->radius;
    double area = scene->domain->box.dimension == 3 ? d * d : d;
    return fabs(pressure) * area / demand->mass;
}

static void look_at_walls(const struct scree_scene *scene, struct demand *demand)
{
    for (int w = 0; w < scene->walls->n; w++) {
        const struct scree_wall *wall = &scene->walls->wall[w];
        double turning = isfinite(wall->reach) ? scree_vec_norm(wall->omega) * wall->reach : 0.0;
        demand->speed = fmax(demand->speed, scree_vec_norm(wall->velocity) + turning);
        if (!wall->servo.on || wall->servo.kind != SCREE_MOTION_SHIFT) continue;
        double stress = scree_walls_servo_stress(scene->walls, wall);
        if (isfinite(stress))
            demand->acceleration = fmax(demand->acceleration, pressed(scene, demand, stress));
    }
}

static void look_at_cell(const struct scree_scene *scene, struct demand *demand)
{
    const struct scree_deformation_control *control = scene->cell_control;
    double low, high, rate[SCREE_DEFORMATION_COMPONENTS], flow[3][3];
    if (!scene->domain->cell.on) return;
    scree_deformation_control_given(control, control->start + control->rise, rate);
    scree_deformation_unpack(rate, flow);
    double closing = scree_deformation_closing_rate((const double(*)[3])flow);
    demand->speed = fmax(demand->speed, closing * 2.0 * demand->radius);
    scree_deformation_control_targets(control, &low, &high);
    if (low > high || !(low > 0.0)) return;
    demand->acceleration = fmax(demand->acceleration, pressed(scene, demand, high));
    /* |D| d sqrt(rho/p), with the norm of the rates of strain; 2D: rate sqrt(m/p). */
    double d = 2.0 * demand->radius;
    double size = scene->domain->box.dimension == 3 ? demand->mass / d : demand->mass;
    if (closing > 0.0) demand->inertial = closing * sqrt(size / low);
}

static bool find_demand(const struct scree_scene *scene, const struct scree_prospect *prospect,
                        struct demand *demand)
{
    *demand = (struct demand){.radius = INFINITY, .mass = INFINITY, .inertial = NAN};
    for (int m = 0; m < prospect->n_materials; m++) {
        if (prospect->range[m].n_mobile == 0) continue;
        demand->radius = fmin(demand->radius, prospect->range[m].radius[0]);
        demand->mass = fmin(demand->mass, prospect->range[m].mass[0]);
    }
    if (!isfinite(demand->radius)) return false;
    demand->acceleration = scree_vec_norm(scene->gravity);
    look_at_walls(scene, demand);
    look_at_cell(scene, demand);
    return demand->speed > 0.0 || demand->acceleration > 0.0;
}

void scree_cd_tell_step(const struct scree_scene *scene, const struct scree_prospect *prospect)
{
    struct demand demand;
    const double dt = scene->dt;
    if (!find_demand(scene, prospect, &demand)) return;
    const double ride = demand.speed * dt / demand.radius;
    const double fall = demand.acceleration * dt * dt / demand.radius;
    scree_log(SCREE_LOG_INFO,
              "in a step, in smallest radii: walls and flow go %.2g; a grain at rest that gravity, "
              "or a pressure, moves goes %.2g",
              ride, fall);
    if (isfinite(demand.inertial))
        scree_log(SCREE_LOG_INFO, "inertial number %.2g", demand.inertial);
    if (ride > long_ride || fall > long_fall)
        scree_log(SCREE_LOG_WARNING,
                  "the time step is long: walls and flow should go less than %g of the smallest "
                  "radius, grains at rest less than %g: steps of %.2g s",
                  long_ride, long_fall, dt * fmin(long_ride / ride, sqrt(long_fall / fall)));
}

void scree_cd_tell_sweeps(const struct scree_cd *cd, const struct scree_scene *scene,
                          const struct scree_prospect *prospect)
{
    const struct scree_cd_values *v = cd->values;
    const int dimension = scene->domain->box.dimension;
    double n = 0.0;
    for (int m = 0; m < prospect->n_materials; m++) n += (double)prospect->range[m].n_mobile;
    double across = pow(fmax(n, 1.0), 1.0 / dimension);
    bool nncg = cd->values->solver == 0;
    double most = (nncg ? sweeps_nncg * across : sweeps_plain * across * across) *
                  pow(1e-4 / v->residual, log10(3.0));
    double least = fmax((double)v->least, v->warm_start ? warm * most : most);
    most = fmin(fmax(most, least), (double)v->most);
    if (v->fixed > 0) least = most = (double)v->fixed;
    double contacts = (dimension == 3 ? 3.0 : 2.0) * n;
    scree_log(SCREE_LOG_INFO,
              "dense and at rest a step may take %.2g to %.2g sweeps, %.2g to %.2g s of one core",
              fmin(least, most), most, fmin(least, most) * contacts / updates,
              most * contacts / updates);
}
