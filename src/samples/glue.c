/* SPDX-License-Identifier: BSD-3-Clause
 * Grains that become part of walls: those near a wall, or a random share of them, no longer feel
 * forces and follow the wall. Walls are rough then. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "samples_impl.h"
#include "scree/glued.h"
#include "scree/rng.h"

#define AT(member) offsetof(struct scree_sample_glue, member)
static const struct scree_param params[] = {
    {"to", SCREE_PARAM_NODE, "", 0, 0, "", NULL, AT(to),
     "name of a wall or list of names; default: all walls"},
    {"within", SCREE_PARAM_REAL, "m", 0, INFINITY, "0", NULL, AT(within),
     "largest distance between the surfaces of wall and grain; 0: grains that touch"},
    {"share", SCREE_PARAM_REAL, "1", 0, 1, "1", NULL, AT(share),
     "of the grains so close, chosen at random"},
    {"material", SCREE_PARAM_TEXT, "", 0, 0, "", NULL, AT(material),
     "that glued grains get; default: they keep theirs, and always their mass"},
    {0},
};

const struct scree_param *scree_samples_glue_params(void)
{
    return params;
}

static bool is_named(const struct scree_sample_glue *glue, const char *wall)
{
    if (glue->to == NULL) return true;
    if (scree_node_kind(glue->to) == SCREE_NODE_SCALAR)
        return strcmp(scree_node_text(glue->to), wall) == 0;
    for (int k = 0; k < scree_node_count(glue->to); k++)
        if (strcmp(scree_node_text(scree_node_item(glue->to, k)), wall) == 0) return true;
    return false;
}

bool scree_sample_is_glued_to(const struct scree_sample *sample, const struct scree_wall *wall)
{
    return sample->has_glue && is_named(&sample->glue, wall->name);
}

static void check_name(struct scree_input *input, const struct scree_node *node,
                       const struct scree_walls *walls)
{
    enum { MOST = 64 };
    const char *names[MOST + 1] = {NULL};
    scree_node_mark_used(node);
    for (int w = 0; w < walls->n; w++) {
        if (strcmp(walls->wall[w].name, scree_node_text(node)) == 0) return;
        if (w < MOST) names[w] = walls->wall[w].name;
    }
    scree_input_unknown(input, node, "wall", scree_node_text(node), names);
}

static void check_names(struct scree_input *input, const struct scree_node *to,
                        const struct scree_walls *walls)
{
    if (scree_node_kind(to) == SCREE_NODE_LIST) {
        scree_node_mark_used(to);
        for (int k = 0; k < scree_node_count(to); k++)
            check_name(input, scree_node_item(to, k), walls);
    } else if (scree_node_kind(to) == SCREE_NODE_SCALAR) {
        check_name(input, to, walls);
    } else {
        scree_input_error(input, to, "glue: 'to' wants the name of a wall or a list of names");
        scree_node_mark_all_used(to);
    }
}

void scree_sample_read_glue(struct scree_sample *sample, struct scree_input *input,
                            const struct scree_node *node,
                            const struct scree_samples_setting *setting)
{
    struct scree_sample_glue *glue = &sample->glue;
    sample->has_glue = scree_input_read(input, node, NULL, "glue", params, glue);
    if (scree_node_kind(node) != SCREE_NODE_MAP) return;
    if (setting->walls->n == 0)
        scree_input_error(input, node, "glue: there are no walls to glue grains to");
    if (glue->to != NULL) check_names(input, glue->to, setting->walls);
    if (glue->within == 0.0 && glue->share < 1.0)
        scree_input_error(input, node,
                          "glue: give 'within' with a 'share' below 1: grains that may stay free "
                          "keep off the walls, so that none would touch");
    glue->species = -1;
    if (glue->material == NULL) return;
    glue->species = scree_sample_find_word(setting->materials, glue->material);
    if (glue->species < 0)
        scree_input_unknown(input, scree_node_find(node, "material"), "material", glue->material,
                            setting->materials);
}

/* Number of the nearest of the named walls and the contact with it. */
static int nearest_wall(const struct scree_sample_glue *glue, const struct scree_walls *walls,
                        const double pos[4], struct scree_wall_contact *nearest)
{
    int found = -1;
    nearest->at.gap = INFINITY;
    for (int w = 0; w < walls->n; w++) {
        struct scree_wall_contact contact;
        if (!is_named(glue, walls->wall[w].name)) continue;
        scree_wall_locate(&walls->wall[w], 1, (const double(*)[4])pos, &contact);
        if (contact.at.gap >= nearest->at.gap) continue;
        *nearest = contact;
        found = w;
    }
    return found;
}

int64_t scree_sample_glue(const struct scree_sample_glue *glue, struct scree_sample_run *run,
                          scree_lid first)
{
    struct scree_particles *p = run->p;
    int64_t n = 0;
    for (scree_lid i = first; i < p->n_owned; i++) {
        struct scree_rng_key key = {
            .seed = run->context->seed, .gid = p->gid[i], .purpose = SCREE_RNG_GLUE};
        struct scree_wall_contact contact;
        int wall = nearest_wall(glue, run->setting->walls, p->pos[i], &contact);
        if (wall < 0 || contact.at.gap > glue->within) continue;
        if (scree_rng_uniform(&key, 0) >= glue->share) continue;
        scree_glued_begin(run->setting->walls, wall, &contact, p, i);
        if (glue->species >= 0) p->species[i] = glue->species;
        n++;
    }
    return n;
}
