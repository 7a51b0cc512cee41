/* SPDX-License-Identifier: BSD-3-Clause
 * From a job description to a scene: grains, bricks, lists, and the method started on it. */
#include <math.h>
#include <string.h>

#include "job_sections.h"
#include "scree/alloc.h"
#include "scree/log.h"
#include "scree/prospect.h"
#include "scree/restart_balance.h"

/* Links know the mass of their nodes, also after a resume. */
static void complete_membranes(struct scree_job *job)
{
    scree_membranes_set_mass(&job->membranes, job->materials.density, job->run.scene.dt, job->input,
                             scree_node_find(scree_input_root(job->input), "membranes"));
}

/* Every pair of materials that can meet needs a law. Which can: found from the grains. All ranks
 * collect the same mistakes. */
static void check_laws(struct scree_job *job)
{
    const struct scree_node *contacts = scree_node_find(scree_input_root(job->input), "contacts");
    const struct scree_particles *p = job->run.scene.particles;
    int n = job->materials.n;
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
        if (scree_stages_pour_species(&job->stages, m) || scree_pours_use(&job->stages.pours, m)) {
            present[m] += 2;
            mobile[m] += 2;
        }
    const struct scree_box *box = &job->domain.box;
    bool periodic = box->periodic[0] || box->periodic[1] || box->periodic[2] || box->wedge.n > 0;
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
                                  job->materials.name[a], job->materials.name[b]);
        }
    scree_alloc_free(present);
}

/* Most grains of a wide size distribution are small: a skin made for the large ones would fill the
 * lists with pairs of small grains that are far apart. */
static double choose_skin(const struct scree_job *job)
{
    if (!isnan(job->neighbours.skin)) return job->neighbours.skin;
    const struct scree_particles *p = job->run.scene.particles;
    struct scree_exact sum;
    scree_exact_clear(&sum);
    for (scree_lid i = 0; i < p->n_owned; i++) scree_exact_add(&sum, p->pos[i][3]);
    scree_comm_sum_exact(job->comm, &sum, 1);
    return 0.5 * scree_exact_value(&sum) / (double)job->run.n_grains;
}

static enum scree_status make_bricks(struct scree_job *job, double skin)
{
    static const char *const words[] = {NULL, "parmetis", "hilbert"};
    struct scree_balance *balance = &job->balance;
    const char *word = words[job->balance_keys.method];
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
    balance->threshold = job->balance_keys.threshold;
    balance->force_every = job->balance_keys.force_every;
    struct scree_balance_memory memory, *remembered = NULL;
    if (job->restart.path != NULL) {
        SCREE_TRY(scree_restart_load_balance(job->comm, job->restart.path, &memory));
        remembered = &memory;
    }
    scree_balance_choose_bricks(&job->domain, job->comm, job->run.scene.particles,
                                2.0 * job->run.scene.largest_radius + skin,
                                job->balance_keys.bricks_per_rank * job->comm->n_ranks, remembered);
    enum scree_status status =
        scree_balance_start(balance, &job->domain, job->comm, job->run.scene.particles, remembered);
    if (remembered != NULL) scree_balance_memory_clear(remembered);
    return status;
}

static void create_contacts(struct scree_job *job, double skin)
{
    uint32_t odd;
    int stride = scree_run_history(&job->run, &odd);
    scree_run_create_contacts(&job->run, skin, stride, odd);
}

/* s; of the first stage in which a method is at work. */
static double step_of(const struct scree_job *job, int method)
{
    for (int k = 0; k < job->stages.n; k++)
        if (job->stages.stage[k].method == method) return job->stages.stage[k].dt;
    return job->run.scene.dt;
}

/* A method may not be able to compute with such grains. */
static void examine_grains(struct scree_job *job)
{
    struct scree_prospect prospect;
    const double dt = job->run.scene.dt;
    for (int m = 0; m < job->run.n_methods; m++) {
        const struct scree_run_method *method = &job->run.method[m];
        if (method->stepper->examine == NULL) continue;
        job->run.scene.dt = step_of(job, m);
        scree_prospect_init(&prospect, job, 1.0);
        method->stepper->examine(method->values, &job->run.scene, &prospect, job->input);
        scree_prospect_clear(&prospect);
    }
    job->run.scene.dt = dt;
}

/* The method with which the run begins, or goes on. */
static enum scree_status choose_method(struct scree_job *job)
{
    int method = job->stages.stage[0].method;
    if (job->restart.path != NULL)
        SCREE_TRY(scree_restart_find_method(&job->restart, job->restart.path, &method));
    scree_run_choose_method(&job->run, method);
    scree_timer_init(&job->timer, scree_run_phases(&job->run));
    return SCREE_OK;
}

static void keep_columns(struct scree_job *job)
{
    struct scree_scene *scene = &job->run.scene;
    for (int m = 0; m < job->run.n_methods; m++)
        if (job->run.method[m].stepper->keep_columns != NULL)
            job->run.method[m].stepper->keep_columns(job->run.method[m].values, scene);
    if (job->orientation) scree_particles_add_column(scene->particles, "orientation");
    if (scree_samples_glue_grains(&job->samples) || scree_stages_glue_grains(&job->stages) ||
        scree_pours_glue_grains(&job->stages.pours)) {
        scree_particles_add_column(scene->particles, "glued");
        scree_particles_add_column(scene->particles, "arm");
    }
    if (job->domain.box.wedge.n > 0) scree_particles_add_column(scene->particles, "home");
}

enum scree_status scree_job_build(struct scree_job *job)
{
    struct scree_scene *scene = &job->run.scene;
    job->run.resumed = job->restart.path != NULL;
    SCREE_TRY(choose_method(job));
    scree_deformation_init(&job->domain.cell, &job->domain.box);
    job->domain.cell.on = job->cell.on;
    scene->inertia_factor = job->materials.disks ? 0.5 : 0.4;
    scene->sample_overlap =
        fmax(scree_samples_overlap(&job->samples), scree_stages_overlap(&job->stages));
    complete_membranes(job);
    scree_particles_create(&scene->particles);
    keep_columns(job);
    scree_halo_create(&scene->halo);

    if (job->restart.path != NULL) {
        SCREE_TRY(scree_restart_load_grains(&job->restart, job->restart.path));
    } else {
        SCREE_TRY(
            scree_comm_agree(job->comm, scree_stages_add_grains(&job->run, &job->samples, true)));
        SCREE_TRY(scree_stages_pour(&job->stages, &job->run));
    }
    scree_particles_trim(scene->particles);
    scree_stages_measure_grains(&job->stages, &job->run);
    check_laws(job);
    examine_grains(job);
    scree_job_check_pace(job);
    scree_walls_check_images(&job->walls, job->input,
                             scree_node_find(scree_input_root(job->input), "boundaries"),
                             scene->largest_radius);
    if (job->run.n_grains == 0)
        scree_input_error(job->input, scree_node_find(scree_input_root(job->input), "particles"),
                          "particles: the samples hold no grains");
    if (scree_input_n_errors(job->input) > 0) return SCREE_INPUT;
    double skin = choose_skin(job);
    SCREE_TRY(make_bricks(job, skin));
    create_contacts(job, skin);
    job->run.stepper->create(&job->run.state, scene, job->run.values);
    return SCREE_OK;
}

enum scree_status scree_job_start(struct scree_job *job)
{
    if (job->restart.path != NULL) {
        SCREE_TRY(scree_restart_load_rest(&job->restart, job->restart.path));
        job->run.first_step = scree_run_step(&job->run);
        return SCREE_OK;
    }
    scree_stages_start(&job->stages, &job->run, &job->output);
    return job->run.stepper->start(job->run.state, &job->run.scene);
}

void scree_job_clear(struct scree_job *job)
{
    if (job->run.stepper != NULL) job->run.stepper->destroy(&job->run.state);
    scree_contacts_destroy(&job->run.scene.contacts);
    scree_halo_destroy(&job->run.scene.halo);
    scree_particles_destroy(&job->run.scene.particles);
    scree_bricks_clear(&job->domain.bricks);
    scree_stages_clear(&job->stages);
    scree_samples_clear(&job->samples);
    scree_walls_clear(&job->walls);
    scree_membranes_clear(&job->membranes);
    scree_membrane_mesh_clear(&job->mesh);
    scree_laws_clear(&job->laws);
    scree_output_clear(&job->output);
    for (int m = 0; m < job->run.n_methods; m++) scree_alloc_free(job->run.method[m].values);
    scree_alloc_free(job->restart.sets_text);
    scree_groups_clear(&job->groups);
    scree_materials_clear(&job->materials);
    scree_input_destroy(&job->input);
}
