/* SPDX-License-Identifier: BSD-3-Clause
 * Reading the section `membranes`. */
#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "scree/alloc.h"
#include "scree/membrane.h"

#define AT(member) offsetof(struct scree_membrane, member)
static const struct scree_param params[] = {
    {"material", SCREE_PARAM_TEXT, "", 0, 0, NULL, NULL, AT(material),
     "of its nodes: a name of the section 'materials', without a contact law with itself"},
    {"centre", SCREE_PARAM_VECTOR, "m", 0, 0, NULL, NULL, AT(centre),
     "middle of its lower end; it stands upright, along z"},
    {"radius", SCREE_PARAM_REAL, "m", DBL_MIN, INFINITY, NULL, NULL, AT(radius),
     "of the space inside"},
    {"height", SCREE_PARAM_REAL, "m", DBL_MIN, INFINITY, NULL, NULL, AT(height),
     "between its two ends"},
    {"node_radius", SCREE_PARAM_REAL, "m", DBL_MIN, INFINITY, NULL, NULL, AT(node_radius),
     "of the spheres at its nodes; about that of the grains"},
    {"spacing", SCREE_PARAM_REAL, "m", DBL_MIN, INFINITY, "", NULL, AT(spacing),
     "about the distance of nodes; default: 1.5 node radii"},
    {"young", SCREE_PARAM_REAL, "Pa", DBL_MIN, INFINITY, NULL, NULL, AT(young),
     "Young's modulus of the sheet"},
    {"thickness", SCREE_PARAM_REAL, "m", DBL_MIN, INFINITY, NULL, NULL, AT(thickness),
     "of the sheet"},
    {"stretch", SCREE_PARAM_REAL, "1", 0.5, 2, "1", NULL, AT(stretch),
     "length of its links at the start by their length at rest"},
    {"damping", SCREE_PARAM_REAL, "1", 0, 1, "0.1", NULL, AT(damping),
     "of the links; 1: critical for two nodes"},
    {"pressure", SCREE_PARAM_REAL, "Pa", -INFINITY, INFINITY, "0", NULL, AT(pressure),
     "on the outside, beyond that inside; < 0: it is blown up"},
    {"rise", SCREE_PARAM_REAL, "s", 0, INFINITY, "0", NULL, AT(rise),
     "time in which the pressure rises from 0, linearly"},
    {"low_end", SCREE_PARAM_TEXT, "", 0, 0, "", NULL, AT(low_wall_name),
     "name of the wall that holds the lower end; default: it stays in place"},
    {"high_end", SCREE_PARAM_TEXT, "", 0, 0, "", NULL, AT(high_wall_name),
     "name of the wall that holds the upper end; default: it stays in place"},
    {0},
};

const struct scree_param *scree_membranes_params(void)
{
    return params;
}

static void find_material(struct scree_membrane *m, struct scree_input *input,
                          const struct scree_node *node, const char *const *materials)
{
    m->species = -1;
    for (int k = 0; materials[k] != NULL; k++)
        if (strcmp(materials[k], m->material) == 0) m->species = k;
    if (m->species < 0)
        scree_input_unknown(input, scree_node_find(node, "material"), "material", m->material,
                            materials);
}

static int find_wall(struct scree_input *input, const struct scree_node *node, const char *key,
                     const char *name, const struct scree_walls *walls)
{
    enum { MOST = 64 };
    const char *names[MOST + 1] = {NULL};
    if (name == NULL) return -1;
    for (int w = 0; w < walls->n; w++) {
        if (w < MOST) names[w] = walls->wall[w].name;
        if (strcmp(walls->wall[w].name, name) == 0) return w;
    }
    scree_input_unknown(input, scree_node_find(node, key), "wall", name, names);
    return -1;
}

/* Places round the cylinder and rows of equilateral triangles, as near to `spacing` as they fit. */
static void make_mesh(struct scree_membrane *m)
{
    const double pi = acos(-1.0);
    double off = m->radius + m->node_radius;
    if (isnan(m->spacing)) m->spacing = 1.5 * m->node_radius;
    m->n_around = (int32_t)fmax(3.0, floor(2.0 * pi * off / m->spacing + 0.5));
    double side = 2.0 * off * sin(pi / m->n_around);
    m->n_rows = 1 + (int32_t)fmax(1.0, floor(m->height / (0.5 * sqrt(3.0) * side) + 0.5));
    double across = 2.0 * off * sin(0.5 * pi / m->n_around), up = m->height / (m->n_rows - 1);
    m->rest_ring = side / m->stretch;
    m->rest_diagonal = sqrt(across * across + up * up) / m->stretch;
    m->stiffness = 0.5 * sqrt(3.0) * m->young * m->thickness;
}

/* Neighbours must be within sight of each other also when the sheet is stretched by a third. */
static void check_mesh(const struct scree_membrane *m, struct scree_input *input,
                       const struct scree_node *node, const struct scree_box *box)
{
    double longest = fmax(m->rest_ring, m->rest_diagonal) * m->stretch;
    if (longest * 1.2 > 2.0 * m->node_radius)
        scree_input_error(input, node,
                          "membrane '%s': nodes are %g m apart, too far for their radius of %g m; "
                          "'spacing' must be below 1.6 node radii",
                          m->name, longest, m->node_radius);
    double off = m->radius + 2.0 * m->node_radius;
    for (int a = 0; a < 3; a++) {
        double low = a == 2 ? m->centre[a] : m->centre[a] - off;
        double high = a == 2 ? m->centre[a] + m->height : m->centre[a] + off;
        if (box->periodic[a])
            scree_input_error(input, node, "membrane '%s': the domain must not be periodic in %c",
                              m->name, "xyz"[a]);
        else if (low < box->low[a] || high > box->high[a])
            scree_input_error(input, node,
                              "membrane '%s' reaches from %g to %g m in %c, the domain from %g to "
                              "%g m",
                              m->name, low, high, "xyz"[a], box -> low[a], box -> high[a]);
    }
}

static bool read_membrane(struct scree_membrane *m, struct scree_input *input,
                          const struct scree_node *node, const struct scree_node *parent,
                          const char *const *materials, const struct scree_walls *walls,
                          const struct scree_box *box)
{
    char what[96];
    int before = scree_input_n_errors(input);
    snprintf(what, sizeof what, "membrane '%s'", m->name);
    if (!scree_input_read(input, node, parent, what, params, m)) return false;
    find_material(m, input, node, materials);
    m->low_wall = find_wall(input, node, "low_end", m->low_wall_name, walls);
    m->high_wall = find_wall(input, node, "high_end", m->high_wall_name, walls);
    make_mesh(m);
    check_mesh(m, input, node, box);
    return scree_input_n_errors(input) == before;
}

void scree_membranes_read(struct scree_membranes *membranes, struct scree_input *input,
                          const struct scree_node *node, const char *const *materials,
                          const struct scree_walls *walls, const struct scree_box *box)
{
    *membranes = (struct scree_membranes){0};
    if (!scree_input_is_map(input, node, "membranes", "name: {radius: ...}")) return;
    if (box->dimension == 2)
        scree_input_error(input, node, "membranes need three dimensions, the run has two");
    int n = scree_node_count(node);
    membranes->membrane = scree_alloc((size_t)n + 1, sizeof *membranes->membrane);
    for (int k = 0; k < n; k++) {
        struct scree_membrane *m = &membranes->membrane[membranes->n];
        *m = (struct scree_membrane){.name = scree_node_key(node, k)};
        if (!read_membrane(m, input, scree_node_item(node, k), node, materials, walls, box))
            continue;
        m->first = membranes->n_nodes + 1;
        membranes->n_nodes += scree_membrane_n_nodes(m);
        membranes->n++;
    }
}
