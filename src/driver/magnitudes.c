/* SPDX-License-Identifier: BSD-3-Clause
 * Values that are numbers, but leave no room for those computed from them. */
#include "magnitudes.h"

#include <math.h>

#include "contact_times.h"
#include "scree/alloc.h"

/* Energies are products of three or four such values, and sums of them count in parts of 2^-100:
 * the range of doubles is 1e-308 to 1e308. */
static const double smallest = 1e-60, largest = 1e60;
/* Steps in a contact: so many are never made, and ways of one step are lost in a position. */
static const double most_steps = 1e12;

static bool fits(double value)
{
    return value >= smallest && value <= largest;
}

static const struct scree_node *section(const struct scree_job *job, const char *name)
{
    return scree_node_find(scree_input_root(job->input), name);
}

/* Whether the mass of this collision can be told. */
static bool check_mass(struct scree_job *job, int a, int b, const struct scree_law_case *c)
{
    if (fits(c->m_eff) && fits(c->r_eff)) return true;
    scree_input_error(job->input, section(job, "materials"),
                      "grains of '%s' and '%s' have a reduced mass of %.3g kg and a reduced radius "
                      "of %.3g m; expected %g to %g",
                      job->material_name[a], job->material_name[b], c->m_eff, c->r_eff, smallest,
                      largest);
    return false;
}

static bool check_collision(struct scree_job *job, int a, int b, const struct scree_law_case *c)
{
    struct scree_law_estimate e;
    scree_pair_law_estimate(scree_laws_between(&job->laws, a, b), c, &e);
    double time = scree_job_half_period(job, c, &e), force = e.stiffness * c->r_eff;
    double dt = job->time.automatic ? time : job->time.step;
    if (!fits(force) || !fits(time)) {
        scree_input_error(job->input, section(job, "contacts"),
                          "contacts of '%s' with '%s' have forces of up to %.3g N and half periods "
                          "of %.3g s; expected %g to %g",
                          job->material_name[a], job->material_name[b], force, time, smallest,
                          largest);
        return false;
    }
    if (time > most_steps * dt) {
        scree_input_error(job->input, section(job, "time"),
                          "a 'step' of %g s is too short: contacts of '%s' with '%s' have half "
                          "periods of %.3g s, and nothing would move",
                          dt, job->material_name[a], job->material_name[b], time);
        return false;
    }
    return true;
}

void scree_job_check_magnitudes(struct scree_job *job)
{
    int n = job->n_materials;
    struct scree_material_range *range = scree_alloc((size_t)n, sizeof *range);
    scree_job_material_ranges(job, range);
    for (int a = 0; a < n; a++)
        for (int b = a; b < n; b++) {
            struct scree_law_case c;
            bool good = scree_laws_between(&job->laws, a, b) != NULL;
            for (int which = 0; which < 2 && good; which++) {
                if (!scree_job_collision(job, range, a, b, which, 1.0, &c)) break;
                good = check_mass(job, a, b, &c) && check_collision(job, a, b, &c);
            }
        }
    scree_alloc_free(range);
}
