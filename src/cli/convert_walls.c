/* SPDX-License-Identifier: BSD-3-Clause
 * Walls of a run as surfaces: shapes from the input that the trajectory holds, places from its
 * observables. */
#include "convert_walls.h"

#include <math.h>
#include <string.h>

#include "scree/alloc.h"
#include "scree/export_vtp.h"
#include "scree/log.h"
#include "scree/reader.h"
#include "scree/vec.h"

/* A point of a wall is known only as long as the same one is meant all the time, and tilts are not
 * followed. */
static bool can_be_placed(const struct scree_walls *walls, int w)
{
    for (int k = 0; k < walls->n_changes; k++)
        if (walls->change[k].wall == w && !isnan(walls->change[k].drive.point[0])) return false;
    return !walls->wall[w].tilts;
}

/* Has every entry of the section become a wall, or several? What else may be wrong with an input
 * that was run once, such as files that are gone, does not matter here. */
static bool are_complete(const struct scree_job *job)
{
    const struct scree_node *section = scree_node_find(scree_input_root(job->input), "boundaries");
    int n = section != NULL ? scree_node_count(section) : 0;
    for (int k = 0; k < n; k++) {
        const char *key = scree_node_key(section, k);
        size_t length = strlen(key);
        bool found = false;
        for (int w = 0; w < job->walls.n; w++) {
            const char *name = job->walls.wall[w].name;
            found = found || (strncmp(name, key, length) == 0 &&
                              (name[length] == '\0' || name[length] == '.'));
        }
        if (!found) return false;
    }
    return n > 0;
}

void scree_cli_walls_init(struct scree_cli_walls *walls, const char *file)
{
    *walls = (struct scree_cli_walls){.file = file};
    walls->text = scree_reader_parameter(file, "effective_input");
    if (walls->text == NULL || walls->text[0] == '\0') return;
    struct scree_failure failure;
    scree_status_set_aside(&failure);
    scree_job_read(&walls->job, NULL, walls->text, strlen(walls->text), file, 0, NULL);
    scree_status_restore(&failure);
    walls->there = are_complete(&walls->job);
    for (int w = 0; w < walls->job.walls.n && walls->there; w++)
        if (!can_be_placed(&walls->job.walls, w))
            scree_log(SCREE_LOG_WARNING,
                      "wall '%s' is left out: it tilts, or turns about other points in stages",
                      walls->job.walls.wall[w].name);
}

void scree_cli_walls_clear(struct scree_cli_walls *walls)
{
    if (walls->text != NULL && walls->text[0] != '\0') scree_job_clear(&walls->job);
    scree_alloc_free(walls->text);
}

/* "position of lid.top" as trajectories call it. */
static bool read_place(const struct scree_cli_walls *walls, const char *what, const char *wall,
                       int64_t frame, int width, double *values)
{
    char name[200];
    snprintf(name, sizeof name, "%s_of_%.150s", what, wall);
    for (char *c = name; *c != '\0'; c++)
        if (*c == ' ' || *c == '/' || *c == '.') *c = '_';
    return scree_reader_observable(walls->file, name, frame, width, values);
}

static void move_triangles(const struct scree_cli_walls *walls, const struct scree_wall *wall,
                           int64_t frame, struct scree_wall_drawing *d, size_t first)
{
    double place[3], angle = 0.0, turn[3][3];
    memcpy(place, wall->pivot, sizeof place);
    if (scree_wall_shifts(wall)) read_place(walls, "position", wall->name, frame, 3, place);
    if (scree_wall_turns(wall)) read_place(walls, "angle", wall->name, frame, 1, &angle);
    scree_wall_rotation(wall->axis, angle, turn);
    for (size_t t = first; t < d->n; t++)
        for (int c = 0; c < 3; c++) {
            double arm[3];
            for (int k = 0; k < 3; k++) arm[k] = d->corner[t][c][k] - wall->pivot[k];
            for (int k = 0; k < 3; k++) d->corner[t][c][k] = place[k] + scree_vec_dot(turn[k], arm);
        }
}

bool scree_cli_walls_write(const struct scree_cli_walls *walls, FILE *out,
                           const struct scree_state_header *header, int64_t frame)
{
    struct scree_wall_drawing d = {0};
    int64_t *number = NULL;
    size_t capacity = 0, n = 0;
    double low[3], high[3];
    if (!walls->there) return false;
    memcpy(low, header->low, sizeof low);
    memcpy(high, header->high, sizeof high);
    if (walls->job.domain.box.dimension == 2) { /* so that lines are seen */
        high[2] = 0.01 * fmax(high[0] - low[0], high[1] - low[1]);
        low[2] = -high[2];
    }
    for (int w = 0; w < walls->job.walls.n; w++) {
        const struct scree_wall *wall = &walls->job.walls.wall[w];
        if (wall->shape->draw == NULL || !can_be_placed(&walls->job.walls, w)) continue;
        size_t first = d.n;
        wall->shape->draw(wall->values, low, high, &d);
        move_triangles(walls, wall, frame, &d, first);
        SCREE_GROW(number, n, capacity, d.n);
        while (n < d.n) number[n++] = w;
    }
    scree_vtp_write_walls(out, header->time, (int64_t)d.n, d.corner, number);
    scree_alloc_free(number);
    scree_alloc_free(d.corner);
    return true;
}
