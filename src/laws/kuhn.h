/* SPDX-License-Identifier: BSD-3-Clause
 * One step of a linear spring with a slider in the tangent plane (Kuhn, Suzuki, Daouadji,
 * "Linear-frictional contact model for 3D discrete element (DEM) simulations of granular systems",
 * 4-21; the increment left after the onset of slip is (1 - alpha) d, not alpha d as printed). All
 * in lengths: forces divided by the spring constant. Without branches, for vector loops. Private to
 * laws. */
#ifndef SCREE_LAWS_KUHN_H
#define SCREE_LAWS_KUHN_H

#include <math.h>
#include <stdbool.h>

#include "elementary.h"
#include "tangent.h"

struct scree_kuhn_step {
    struct scree_triple spring;   /* m; at the beginning */
    struct scree_triple movement; /* m; over the step */
    double limit[2];              /* m; friction limit at the beginning and at the end */
};

struct scree_kuhn_slip {
    double onset;               /* part of the step after which the contact slips */
    struct scree_triple spring; /* m; at the end, as long as the limit */
    double lost;                /* m^2; dissipated work (52-53) per spring constant */
};

/* 9-14: where the spring reaches the limit, which changes linearly in the step: the first root of
 * C + 2 B x + A x^2, written so that A -> 0 and C -> 0 need no branches of their own. A contact at
 * the limit (C = 0) slips at once, unless it first unloads (B > 0). */
static inline double scree_kuhn_onset(struct scree_kuhn_step step)
{
    double grown = step.limit[1] - step.limit[0];
    double a = grown * grown - scree_dot(step.movement, step.movement);
    double b = step.limit[0] * grown - scree_dot(step.spring, step.movement);
    double c = step.limit[0] * step.limit[0] - scree_dot(step.spring, step.spring);
    double square = b * b - a * c, root = sqrt(square > 0.0 ? square : 0.0);
    double above = b > 0.0 ? b + root : c, below = b > 0.0 ? -a : root - b;
    double onset = below > 0.0 ? above / (below > 0.0 ? below : 1.0) : b > 0.0 ? 1.0 : 0.0;
    onset = onset > 0.0 ? onset : 0.0;
    return onset < 1.0 ? onset : 1.0;
}

/* 16-20: while it slips a spring turns towards the movement. Its direction after a way (m) along
 * the unit vector `along`, in which the limit goes from `first` to `last`, both > 0: with
 * t = tan(angle / 2) between the two, t falls by exp(-way / logarithmic mean of the limits). */
static inline struct scree_triple scree_kuhn_turned(struct scree_triple spring,
                                                    struct scree_triple along, double way,
                                                    double first, double last)
{
    double size = sqrt(scree_dot(spring, spring)), in_line = scree_dot(spring, along);
    struct scree_triple across = scree_plus(spring, -in_line, along);
    double off = sqrt(scree_dot(across, across)), some = off > DBL_MIN ? off : DBL_MIN;
    double above = in_line > 0.0 ? off : size - in_line;
    double below = in_line > 0.0 ? size + in_line : some, t = above / below;
    t = t < 1e100 ? t : 1e100; /* a movement straight back */
    double per_first = 1.0 / first;
    t *= scree_exp_minus(way * per_first * scree_log_ratio(last * per_first));
    double inverse = 1.0 / ((1.0 + t * t) * some), scale = inverse * some;
    return scree_plus(scree_times((1.0 - t * t) * scale, along), 2.0 * t * inverse, across);
}

/* For a step whose spring would be longer than the limit at its end. */
static inline struct scree_kuhn_slip scree_kuhn_slip(struct scree_kuhn_step step)
{
    struct scree_kuhn_slip slip = {.onset = scree_kuhn_onset(step)};
    double way = sqrt(scree_dot(step.movement, step.movement)), from = slip.onset;
    double first = step.limit[0] + from * (step.limit[1] - step.limit[0]), last = step.limit[1];
    struct scree_triple start = scree_plus(step.spring, from, step.movement);
    struct scree_triple left = scree_times(1.0 - from, step.movement);
    double size = sqrt(scree_dot(start, start));
    bool still = way == 0.0;                                         /* only the limit has fallen */
    bool fresh = !(size > 0.0 && first > DBL_MIN && last > DBL_MIN); /* nothing that could turn */
    struct scree_triple ahead = {still ? start.x : step.movement.x,
                                 still ? start.y : step.movement.y,
                                 still ? start.z : step.movement.z};
    double length = still ? size : way;
    struct scree_triple along = scree_times(1.0 / (length > 0.0 ? length : 1.0), ahead);
    struct scree_triple turned = scree_kuhn_turned(start, along, (1.0 - from) * way,
                                                   fresh ? 1.0 : first, fresh ? 1.0 : last);
    struct scree_triple direction;
    direction.x = still || fresh ? along.x : turned.x;
    direction.y = still || fresh ? along.y : turned.y;
    direction.z = still || fresh ? along.z : turned.z;
    slip.spring = scree_times(last, direction);
    /* The mean of both forces over the movement, less what the spring takes up. */
    struct scree_triple sum = scree_plus(start, 1.0, slip.spring);
    struct scree_triple taken_up = scree_plus(slip.spring, -1.0, start);
    slip.lost = 0.5 * scree_dot(sum, scree_plus(left, -1.0, taken_up));
    return slip;
}

#endif
