/* SPDX-License-Identifier: BSD-3-Clause
 * Which contacts and which grains a measurement counts, and how much of each. */
#include "chosen_contacts.h"

#include <stddef.h>
#include <string.h>

#include "round.h"

const struct scree_param scree_chosen_contacts_params[] = {
    {"between", SCREE_PARAM_NODE, "", 0, 0, "", NULL,
     offsetof(struct scree_contact_choice, between_node),
     "two materials, such as [glass, steel]: only contacts between these; default: all"},
    {"wall_contacts", SCREE_PARAM_BOOL, "", 0, 0, "false", NULL,
     offsetof(struct scree_contact_choice, walls), "count contacts with walls, too"},
    {0},
};

const struct scree_param scree_chosen_material_params[] = {
    {"material", SCREE_PARAM_NODE, "", 0, 0, "", NULL, offsetof(struct scree_material_choice, node),
     "only grains of this material, and of a contact between two materials one half; default: all"},
    {0},
};

void scree_chosen_contacts_check(struct scree_measurement *m, struct scree_input *input,
                                 const struct scree_analysis_setting *setting)
{
    struct scree_contact_choice *contacts = &m->contacts;
    struct scree_material_choice *material = &m->material;
    contacts->between[0] = contacts->between[1] = material->species = -1;
    if (contacts->between_node != NULL)
        scree_input_pair(input, contacts->between_node, "between", "material",
                         setting->materials->name, contacts->between);
    if (material->node == NULL) return;
    scree_node_mark_used(material->node);
    const char *name = scree_node_text(material->node);
    material->species = scree_materials_find(setting->materials, name);
    if (material->species < 0)
        scree_input_unknown(input, material->node, "material", name, setting->materials->name);
}

bool scree_chosen_contacts_has_grain(const struct scree_material_choice *material,
                                     const struct scree_scene *scene, scree_lid i)
{
    const struct scree_particles *p = scene->particles;
    if (material->species >= 0 && p->species[i] != material->species) return false;
    return !scree_membranes_have(scene->membranes, p->gid[i]);
}

struct visit {
    const struct scree_chosen_contacts *chosen;
    scree_chosen_contact_listener *listen;
    void *context;
};

/* From an image of a grain to the grain itself it goes in the direction of its first component that
 * is not zero. */
void scree_chosen_contacts_find_way(const struct scree_scene *scene,
                                    const struct scree_contact *contact, double start[3],
                                    double along[3])
{
    const double *branch = contact->branch;
    double leading = branch[0] != 0.0 ? branch[0] : branch[1] != 0.0 ? branch[1] : branch[2];
    bool from_second = contact->first == contact->second && leading >= 0.0;
    int32_t image[3] = {0, 0, 0};
    memcpy(start, from_second ? scene->particles->pos[contact->slot[1]] : contact->place,
           3 * sizeof *start);
    for (int a = 0; a < 3; a++) along[a] = from_second ? branch[a] : -branch[a];
    scree_box_shift(&scene->domain->box, start, image);
}

/* How much of the way between the grains is in the volume. */
static double part_inside(const struct scree_chosen_contacts *chosen,
                          const struct scree_contact *contact)
{
    const struct scree_scene *scene = chosen->view->scene;
    double start[3], along[3];
    if (chosen->extent == NULL || scree_extent_is_whole(chosen->extent)) return 1.0;
    if (scene->domain->cell.on) return 1.0; /* volumes are whole there */
    scree_chosen_contacts_find_way(scene, contact, start, along);
    return scree_extent_fraction(chosen->extent, &scene->domain->box, start, along);
}

/* In a wedge, radial, azimuthal and axial components in the middle of the branch. */
static void find_components(const struct scree_wedge *wedge, struct scree_contact *contact)
{
    const double *start = contact->place;
    double middle[3];
    for (int a = 0; a < 3; a++) middle[a] = start[a] - 0.5 * contact->branch[a];
    scree_round_components(wedge, middle, contact->branch);
    scree_round_components(wedge, middle, contact->force);
    scree_round_components(wedge, middle, contact->normal);
    scree_round_components(wedge, middle, contact->slip);
}

/* Materials of the two sides; a wall has one, too. */
static void find_species(const struct scree_scene *scene, const struct scree_contact *contact,
                         int species[2])
{
    species[0] = scene->particles->species[contact->slot[0]];
    species[1] = scree_contact_is_with_wall(contact) ? scene->walls->wall[contact->slot[1]].species
                                                     : scene->particles->species[contact->slot[1]];
}

static bool is_chosen(const struct scree_contact_choice *choice, const int species[2], bool wall)
{
    const int *between = choice->between;
    if (wall && !choice->walls) return false;
    return between[0] < 0 || (between[0] == species[0] && between[1] == species[1]) ||
           (between[0] == species[1] && between[1] == species[0]);
}

static double part_of_material(const struct scree_material_choice *choice, const int species[2],
                               bool wall)
{
    bool first = choice->species == species[0], second = choice->species == species[1];
    if (choice->species < 0) return 1.0;
    return wall ? first : 0.5 * (first + second);
}

static void visit_contact(void *context, const struct scree_contact *contact)
{
    const struct visit *visit = context;
    const struct scree_chosen_contacts *chosen = visit->chosen;
    const struct scree_scene *scene = chosen->view->scene;
    bool wall = scree_contact_is_with_wall(contact);
    int species[2];
    find_species(scene, contact, species);
    if (chosen->contacts != NULL && !is_chosen(chosen->contacts, species, wall)) return;
    double weight = contact->weight;
    if (chosen->material != NULL) weight *= part_of_material(chosen->material, species, wall);
    if (weight > 0.0) weight *= part_inside(chosen, contact);
    if (!(weight > 0.0)) return;
    if (chosen->extent == NULL || scene->domain->box.wedge.n == 0) {
        visit->listen(visit->context, contact, weight);
        return;
    }
    struct scree_contact seen = *contact;
    find_components(&scene->domain->box.wedge, &seen);
    visit->listen(visit->context, &seen, weight);
}

void scree_chosen_contacts_visit(const struct scree_chosen_contacts *chosen,
                                 scree_chosen_contact_listener *listen, void *context)
{
    const struct scree_analysis_view *view = chosen->view;
    struct visit visit = {chosen, listen, context};
    view->stepper->contacts(view->state, view->scene, visit_contact, &visit);
}
