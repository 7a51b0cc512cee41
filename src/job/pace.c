/* SPDX-License-Identifier: BSD-3-Clause
 * What goes far within one step, as the input has it: a slip of the pen, since no method follows
 * grains that pass each other, or turn about themselves, from one step to the next. */
#include <math.h>

#include "job_sections.h"
#include "scree/vec.h"

/* Moments of a run at which the motion of a wall is looked at. */
enum { MOMENTS = 1000 };
/* Radii of a grain in a step. A gas in which nobody meets may well go a few. */
static const double far = 10.0;

/* The grains there are that forces move: the fastest ones, in parts of a radius and rad per step,
 * and the smallest one. */
struct pace {
    double way, turn; /* the largest */
    double radius;    /* m; INFINITY: no such grains */
};

static struct pace measure(const struct scree_job *job)
{
    const struct scree_particles *p = job->run.scene.particles;
    double dt = job->run.scene.dt, largest[2] = {0.0, 0.0}, radius = INFINITY;
    for (scree_lid i = 0; i < p->n_owned; i++) {
        if (!(p->vel[i][3] > 0.0)) continue;
        largest[0] = fmax(largest[0], dt * scree_vec_norm(p->vel[i]) / p->pos[i][3]);
        largest[1] = fmax(largest[1], dt * scree_vec_norm(p->spin[i]));
        radius = fmin(radius, p->pos[i][3]);
    }
    scree_comm_max(job->comm, largest, 2);
    scree_comm_min(job->comm, &radius, 1);
    return (struct pace){largest[0], largest[1], radius};
}

static void check_grains(const struct scree_job *job, const struct pace *pace)
{
    const struct scree_node *node = scree_node_find(scree_input_root(job->input), "particles");
    if (pace->way > far)
        scree_input_error(job->input, node,
                          "particles: a grain would go %.3g of its radii within a step of %g s; "
                          "expected less than %g: slower grains or a shorter step",
                          pace->way, job->run.scene.dt, far);
    if (pace->turn > 1.0)
        scree_input_error(job->input, node,
                          "particles: a grain would turn by %.3g rad within a step of %g s; "
                          "expected less than 1: slower spins or a shorter step",
                          pace->turn, job->run.scene.dt);
}

static void check_gravity(const struct scree_job *job, const double gravity[3],
                          const struct scree_node *section, double radius)
{
    double g = scree_vec_norm(gravity), dt = job->run.scene.dt;
    if (g * dt * dt > far * radius)
        scree_input_error(job->input, scree_node_find(section, "gravity"),
                          "'gravity' of %.3g m/s^2 would move a grain at rest by %.3g m within a "
                          "step of %g s, more than %g times its radius of %.3g m",
                          g, g * dt * dt, dt, far, radius);
}

/* The fastest rate of a motion in a run, as far as so many moments tell. */
static double fastest(const struct scree_job *job, const struct scree_motion *motion)
{
    double end = (double)job->run.n_steps * job->run.scene.dt, most = 0.0, path, rate;
    if (motion->law == NULL) return 0.0;
    double stop = fmin(end, motion->stop);
    for (int k = 0; k <= MOMENTS && motion->start < stop; k++) {
        double t = motion->start + (k + 0.5) / (MOMENTS + 1) * (stop - motion->start);
        scree_motion_at(motion, t, &path, &rate);
        most = fmax(most, fabs(rate));
    }
    return most;
}

static void check_motion(const struct scree_job *job, const char *name, const double steady[3],
                         const struct scree_motion *move, const struct scree_motion *spin,
                         const struct scree_node *section, double radius)
{
    const struct scree_node *node = scree_node_find(section, name);
    double dt = job->run.scene.dt, way = dt * (scree_vec_norm(steady) + fastest(job, move)),
           turn = dt * fastest(job, spin);
    if (node == NULL) node = section; /* one of several walls with a common name */
    if (way > far * radius)
        scree_input_error(job->input, node,
                          "boundary '%s' would go %.3g m within a step of %g s, more than %g times "
                          "the radius of a grain, %.3g m",
                          name, way, dt, far, radius);
    if (turn > 1.0)
        scree_input_error(job->input, node,
                          "boundary '%s' would turn by %.3g rad within a step of %g s; expected "
                          "less than 1",
                          name, turn, dt);
}

void scree_job_check_pace(const struct scree_job *job)
{
    const struct scree_node *root = scree_input_root(job->input),
                            *walls = scree_node_find(root, "boundaries");
    const struct pace pace = measure(job);
    if (job->automatic_step || job->run.stepper->has_no_steps) return; /* not known yet, or none */
    if (!job->run.resumed) check_grains(job, &pace);
    check_gravity(job, job->run.scene.gravity, root, pace.radius);
    for (int k = 0; k < job->stages.n && job->stages.given; k++) {
        const struct scree_stage *stage = &job->stages.stage[k];
        if (scree_node_find(stage->node, "gravity") != NULL)
            check_gravity(job, stage->gravity, stage->node, pace.radius);
    }
    for (int w = 0; w < job->walls.n; w++) {
        const struct scree_wall *wall = &job->walls.wall[w];
        check_motion(job, wall->name, wall->steady, &wall->move, &wall->spin, walls, pace.radius);
    }
    for (int c = 0; c < job->walls.n_changes; c++) {
        const struct scree_wall_change *change = &job->walls.change[c];
        const struct scree_wall_drive *drive = &change->drive;
        check_motion(
            job, job->walls.wall[change->wall].name, drive->steady, &drive->move, &drive->spin,
            scree_node_find(job->stages.stage[change->stage].node, "boundaries"), pace.radius);
    }
}
