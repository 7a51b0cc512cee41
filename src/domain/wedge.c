/* SPDX-License-Identifier: BSD-3-Clause
 * Turns about the axis of a wedge. */
#include "scree/wedge.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* Whole quarters of the turn are exact, and turns forth and back are exact transposes. */
static void find_turn(int k, int n, double turn[2])
{
    if (2 * k > n) {
        find_turn(n - k, n, turn);
        turn[1] = -turn[1];
        return;
    }
    int quarters = 4 * k / n, rest = 4 * k % n;
    double angle = 0.5 * pi * rest / n;
    double c = rest == 0 ? 1.0 : cos(angle), s = rest == 0 ? 0.0 : sin(angle);
    static const int quarter[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    turn[0] = quarter[quarters][0] * c - quarter[quarters][1] * s;
    turn[1] = quarter[quarters][1] * c + quarter[quarters][0] * s;
}

void scree_wedge_init(struct scree_wedge *wedge, int n, int axis)
{
    memset(wedge, 0, sizeof *wedge);
    wedge->n = n;
    wedge->axis = axis;
    wedge->u = (axis + 1) % 3;
    wedge->v = (axis + 2) % 3;
    for (int k = 0; k < n; k++) find_turn(k, n, wedge->turn[k]);
}

void scree_wedge_turn_by(const struct scree_wedge *wedge, int k, double vector[3])
{
    double from[3];
    memcpy(from, vector, sizeof from);
    scree_wedge_turn(wedge, scree_wedge_modulo(wedge, k), from, vector);
}

void scree_wedge_turn_body(const struct scree_wedge *wedge, int k, double q[4])
{
    const double *turn = wedge->turn[scree_wedge_modulo(wedge, k)];
    double half = 0.5 * atan2(turn[1], turn[0]), c = cos(half), s = sin(half);
    double w = q[0], a = q[1 + wedge->axis], u = q[1 + wedge->u], v = q[1 + wedge->v];
    q[0] = c * w - s * a;
    q[1 + wedge->axis] = c * a + s * w;
    q[1 + wedge->u] = c * u - s * v;
    q[1 + wedge->v] = c * v + s * u;
}

int scree_wedge_sector(const struct scree_wedge *wedge, const double pos[3])
{
    double angle = atan2(pos[wedge->v], pos[wedge->u]);
    int sector = (int)floor(angle / (2.0 * pi) * wedge->n);
    return scree_wedge_modulo(wedge, sector);
}

void scree_wedge_wrap(const struct scree_wedge *wedge, double pos[3], int32_t image[3])
{
    image[wedge->u] = scree_wedge_sector(wedge, pos);
    scree_wedge_turn_by(wedge, -image[wedge->u], pos);
}

void scree_wedge_to_sides(const struct scree_wedge *wedge, const double pos[3], double distance[2])
{
    double x = pos[wedge->u], y = pos[wedge->v], c = wedge->turn[1][0], s = wedge->turn[1][1];
    distance[0] = x > 0.0 ? fabs(y) : INFINITY;
    distance[1] = x * c + y * s > 0.0 ? fabs(x * s - y * c) : INFINITY;
}

double scree_wedge_room(const struct scree_wedge *wedge, const double pos[3])
{
    double distance[2];
    scree_wedge_to_sides(wedge, pos, distance);
    double nearer = fmin(distance[0], distance[1]);
    return scree_wedge_sector(wedge, pos) == 0 ? nearer : -nearer;
}

/* Images of a point at distance r from the axis are at least 2 r sin(180/n deg) apart; of two that
 * are more than twice the reach apart, nobody can reach both. */
double scree_wedge_clear_radius(const struct scree_wedge *wedge, double reach)
{
    return reach / sin(pi / wedge->n);
}
