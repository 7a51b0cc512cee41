/* SPDX-License-Identifier: BSD-3-Clause
 * From a job description to a scene: grains, bricks, lists, and the method started on it. */
#include <math.h>
#include <string.h>

#include "scree/alloc.h"
#include "scree/job.h"
#include "scree/log.h"
#include "scree/prospect.h"
#include "scree/restart_balance.h"
#include "scree/state.h"
#include "scree/xdmf.h"

/* Links know the mass of their nodes, also after a resume. */
static void complete_membranes(struct scree_job *job)
{
    double *density = scree_alloc((size_t)job->n_materials, sizeof *density);
    for (int m = 0; m < job->n_materials; m++) density[m] = job->material[m].density;
    scree_membranes_set_mass(&job->membranes, density, job->time.step, job->input,
                             scree_node_find(scree_input_root(job->input), "membranes"));
    scree_alloc_free(density);
}

enum scree_status scree_job_add_grains(struct scree_job *job, struct scree_samples *samples)
{
    bool first = samples == &job->samples;
    double *density = scree_alloc((size_t)job->n_materials, sizeof *density);
    for (int m = 0; m < job->n_materials; m++) density[m] = job->material[m].density;
    struct scree_sample_context context = {
        .comm = job->comm,
        .inertia_factor = job->scene.inertia_factor,
        .seed = (uint64_t)job->seed,
        .density = density,
        .read_state = scree_state_read_rows,
    };
    enum scree_status status = first ? scree_samples_fill(samples, &context, job->scene.particles)
                                     : scree_samples_add(samples, &context, job->scene.particles);
    scree_alloc_free(density);
    return status;
}

void scree_job_freeze_groups(struct scree_job *job)
{
    struct scree_particles *p = job->scene.particles;
    for (int g = 0; g < job->n_groups; g++) {
        const struct scree_group *group = &job->group[g];
        for (scree_lid i = 0; i < p->n_owned; i++) {
            if (!group->frozen || p->species[i] != group->material) continue;
            p->vel[i][3] = p->spin[i][3] = 0.0;
            if (p->glued != NULL) p->glued[i] = 0; /* a group has its own velocity */
            for (int a = 0; a < 3; a++) {
                p->vel[i][a] = group->velocity[a];
                p->spin[i][a] = 0.0;
            }
        }
    }
}

/* Every pair of materials that can meet needs a law. Which can: found from the grains. All ranks
 * collect the same mistakes. */
static void check_laws(struct scree_job *job)
{
    const struct scree_node *contacts = scree_node_find(scree_input_root(job->input), "contacts");
    const struct scree_particles *p = job->scene.particles;
    int n = job->n_materials;
    int64_t *present = scree_alloc((size_t)n * 3, sizeof *present);
    memset(present, 0, (size_t)n * 3 * sizeof *present);
    int64_t *mobile = present + n, *wall = present + 2 * n;
    for (scree_lid i = 0; i < p->n_owned; i++) {
        present[p->species[i]]++;
        if (p->vel[i][3] > 0.0) mobile[p->species[i]]++;
    }
    for (int w = 0; w < job->walls.n; w++) wall[job->walls.wall[w].species] = 1;
    scree_comm_sum_int(job->comm, present, 2 * n);
    for (int m = 0; m < n; m++)
        if (scree_stages_pour_species(job, m) || scree_pours_use(job, m)) {
            present[m] += 2;
            mobile[m] += 2;
        }
    bool periodic = job->domain.periodic[0] || job->domain.periodic[1] || job->domain.periodic[2] ||
                    job->domain_built.box.wedge.n > 0;
    for (int a = 0; a < n; a++)
        for (int b = a; b < n; b++) {
            bool meet =
                (mobile[a] && (present[b] || wall[b])) || (mobile[b] && (present[a] || wall[a]));
            if (a == b && present[a] == 1 && !wall[a] && !periodic) meet = false; /* it is alone */
            if (a == b && present[a] == scree_membranes_n_of(&job->membranes, a) && !wall[a])
                meet = false; /* nodes of a membrane do not touch each other */
            if (meet && scree_laws_between(&job->laws, a, b) == NULL)
                scree_input_error(job->input, contacts,
                                  "contacts: no entry between '%s' and '%s', which can meet",
                                  job->material_name[a], job->material_name[b]);
        }
    scree_alloc_free(present);
}

/* Of the grains there are and of those to come. */
void scree_job_measure_grains(struct scree_job *job)
{
    const struct scree_particles *p = job->scene.particles;
    double largest[2] = {0.0, 0.0};
    for (scree_lid i = 0; i < p->n_owned; i++) {
        largest[0] = fmax(largest[0], p->pos[i][3]);
        largest[1] = fmax(largest[1], p->mass[i]);
    }
    scree_comm_max(job->comm, largest, 2);
    scree_stages_enlarge(job, largest);
    scree_pours_enlarge(job, largest);
    job->scene.largest_radius = largest[0];
    job->scene.largest_mass = largest[1];
    job->n_grains = p->n_owned;
    scree_comm_sum_int(job->comm, &job->n_grains, 1);
}

/* Most grains of a wide size distribution are small: a skin made for the large ones would fill the
 * lists with pairs of small grains that are far apart. */
static double choose_skin(const struct scree_job *job)
{
    if (!isnan(job->neighbours.skin)) return job->neighbours.skin;
    const struct scree_particles *p = job->scene.particles;
    struct scree_exact sum;
    scree_exact_clear(&sum);
    for (scree_lid i = 0; i < p->n_owned; i++) scree_exact_add(&sum, p->pos[i][3]);
    scree_comm_sum_exact(job->comm, &sum, 1);
    return 0.3 * scree_exact_value(&sum) / (double)job->n_grains;
}

static enum scree_status make_bricks(struct scree_job *job, double skin)
{
    static const char *const words[] = {NULL, "parmetis", "hilbert"};
    struct scree_balance *balance = &job->balance_built;
    const char *word = words[job->balance.method];
    if (word != NULL) {
        balance->partitioner = scree_partitioner_find(word);
        SCREE_CHECK(balance->partitioner->is_available(), SCREE_INPUT,
                    "balance: 'method' is '%s', which is not in this build; use auto or hilbert",
                    word);
    } else {
        const char *const *names = scree_partitioner_names();
        while (!scree_partitioner_find(*names)->is_available()) names++;
        balance->partitioner = scree_partitioner_find(*names);
    }
    balance->threshold = job->balance.threshold;
    balance->force_every = job->balance.force_every;
    struct scree_balance_memory memory, *remembered = NULL;
    if (job->resume_path != NULL) {
        SCREE_TRY(scree_restart_load_balance(job->comm, job->resume_path, &memory));
        remembered = &memory;
    }
    scree_balance_choose_bricks(&job->domain_built, job->comm, job->scene.particles,
                                2.0 * job->scene.largest_radius + skin,
                                job->balance.bricks_per_rank * job->comm->n_ranks, remembered);
    enum scree_status status = scree_balance_start(balance, &job->domain_built, job->comm,
                                                   job->scene.particles, remembered);
    if (remembered != NULL) scree_balance_memory_clear(remembered);
    return status;
}

static void create_contacts(struct scree_job *job, double skin)
{
    const struct scree_scene *scene = &job->scene;
    const struct scree_contacts_world world = {.comm = scene->comm,
                                               .domain = scene->domain,
                                               .particles = scene->particles,
                                               .halo = scene->halo,
                                               .balance = scene->balance,
                                               .walls = scene->walls,
                                               .membranes = scene->membranes,
                                               .mesh = scene->mesh,
                                               .cell_control = scene->cell_control,
                                               .timer = scene->timer};
    scree_contacts_create(&job->scene.contacts, &world, skin, scree_laws_n_history(&job->laws),
                          scree_laws_odd(&job->laws));
}

/* The method may not be able to compute with such grains. */
static void examine_grains(struct scree_job *job)
{
    struct scree_prospect prospect;
    if (job->stepper->examine == NULL) return;
    scree_prospect_init(&prospect, job, 1.0);
    job->stepper->examine(job->method_values, &job->scene, &prospect, job->input);
    scree_prospect_clear(&prospect);
}

enum scree_status scree_job_build(struct scree_job *job)
{
    struct scree_scene *scene = &job->scene;
    scree_timer_init(&job->timer, job->stepper->phases);
    scene->comm = job->comm;
    scene->domain = &job->domain_built;
    scene->walls = &job->walls;
    scene->membranes = &job->membranes;
    scene->mesh = &job->mesh;
    scene->cell_control = &job->cell;
    scree_deformation_init(&job->domain_built.cell, &job->domain_built.box);
    job->domain_built.cell.on = job->cell.on;
    scene->laws = &job->laws;
    scene->balance = &job->balance_built;
    scene->timer = &job->timer;
    scene->inertia_factor = job->disks ? 0.5 : 0.4;
    scene->dt = job->time.step;
    scene->background_friction = job->background_friction;
    memcpy(scene->gravity, job->gravity, sizeof scene->gravity);
    complete_membranes(job);
    scree_particles_create(&scene->particles);
    if (job->stepper->keep_columns != NULL) job->stepper->keep_columns(job->method_values, scene);
    if (job->orientation) scree_particles_keep(scene->particles, "orientation");
    if (scree_samples_glue_grains(&job->samples) || scree_stages_glue_grains(job) ||
        scree_pours_glue_grains(job)) {
        scree_particles_keep(scene->particles, "glued");
        scree_particles_keep(scene->particles, "arm");
    }
    if (job->domain_built.box.wedge.n > 0) scree_particles_keep(scene->particles, "home");
    scree_halo_create(&scene->halo);

    if (job->resume_path != NULL) {
        SCREE_TRY(scree_restart_load_grains(job, job->resume_path));
    } else {
        SCREE_TRY(scree_comm_agree(job->comm, scree_job_add_grains(job, &job->samples)));
        SCREE_TRY(scree_stages_pour(job));
    }
    scree_particles_trim(scene->particles);
    scree_job_measure_grains(job);
    check_laws(job);
    examine_grains(job);
    scree_walls_check_images(&job->walls, job->input,
                             scree_node_find(scree_input_root(job->input), "boundaries"),
                             scene->largest_radius);
    if (job->n_grains == 0)
        scree_input_error(job->input, scree_node_find(scree_input_root(job->input), "particles"),
                          "particles: the samples hold no grains");
    if (scree_input_n_errors(job->input) > 0) return SCREE_INPUT;
    double skin = choose_skin(job);
    SCREE_TRY(make_bricks(job, skin));
    create_contacts(job, skin);
    job->stepper->create(&job->state, scene, job->method_values);
    return SCREE_OK;
}

enum scree_status scree_job_start(struct scree_job *job)
{
    if (job->resume_path != NULL) {
        SCREE_TRY(scree_restart_load_rest(job, job->resume_path));
        job->first_step = scree_job_step(job);
        return SCREE_OK;
    }
    scree_stages_start(job);
    return job->stepper->start(job->state, &job->scene);
}

int64_t scree_job_step(const struct scree_job *job)
{
    return job->tick;
}

double scree_job_time(const struct scree_job *job)
{
    return (double)scree_job_step(job) * job->scene.dt;
}

enum scree_status scree_job_advance(struct scree_job *job, int64_t tick,
                                    struct scree_energies *energies)
{
    enum scree_status status = job->stepper->advance(job->state, &job->scene, tick, energies);
    if (status == SCREE_OK) job->tick = tick;
    return status;
}

void scree_job_clear(struct scree_job *job)
{
    if (job->stepper != NULL) job->stepper->destroy(&job->state);
    scree_contacts_destroy(&job->scene.contacts);
    scree_halo_destroy(&job->scene.halo);
    scree_particles_destroy(&job->scene.particles);
    scree_bricks_clear(&job->domain_built.bricks);
    scree_stages_clear(job);
    scree_pours_clear(job);
    scree_analyses_clear(&job->analyses);
    scree_samples_clear(&job->samples);
    scree_walls_clear(&job->walls);
    scree_membranes_clear(&job->membranes);
    scree_membrane_mesh_clear(&job->mesh);
    scree_laws_clear(&job->laws);
    scree_alloc_free(job->snapshots.at);
    scree_alloc_free(job->snapshots.selection.material);
    scree_xdmf_destroy(job->xdmf);
    scree_alloc_free(job->method_values);
    scree_alloc_free(job->sets_text);
    scree_alloc_free(job->group);
    scree_alloc_free(job->material);
    scree_alloc_free(job->material_name);
    scree_input_destroy(&job->input);
}
