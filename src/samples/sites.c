/* SPDX-License-Identifier: BSD-3-Clause
 * Grains on the sites of a lattice, each within the cell of its site, so that no two can overlap.
 * Sites outside the region, at walls or taken by earlier samples stay empty. */
#include "sites.h"

#include <math.h>

#include "crowd.h"
#include "scree/alloc.h"
#include "scree/rng.h"

static const double most_sites = 1e12; /* far beyond any machine, far below overflow */
enum { N_TRIES = 100 };                /* displacements tried where faces or others are near */

/* A spacing that divides the length up to rounding keeps all its sites. */
static void lay_axis(struct scree_sites *v, const struct scree_region *region, int a,
                     double spacing)
{
    double length = region->high[a] - region->low[a];
    double n = fmin(floor(length / spacing * (1.0 + 1e-12)), most_sites);
    v->n[a] = (int64_t)n;
    v->step[a] = region->whole[a] && n > 0.0 ? length / n : spacing;
    v->first[a] = region->low[a] + 0.5 * (length - n * v->step[a]) + 0.5 * v->step[a];
}

void scree_sites_check(struct scree_sample *sample, struct scree_input *input,
                       const struct scree_node *node, const struct scree_samples_setting *setting)
{
    struct scree_sites *v = (struct scree_sites *)sample->values;
    const char *name = sample->kind->name;
    double diameter = 2.0 * sample->grains->sizes.high, n_sites = 1.0;
    double spacing = isnan(v->spacing) ? 1.1 * diameter : v->spacing;
    if (spacing < diameter) {
        scree_input_error(input, scree_node_find(node, "spacing"),
                          "%s: 'spacing' is %g m, less than the largest diameter %g m", name,
                          spacing, diameter);
        return;
    }
    for (int a = 0; a < 3; a++) {
        v->n[a] = 1;
        if (a < setting->box->dimension) lay_axis(v, &sample->grains->region, a, spacing);
        n_sites *= (double)v->n[a];
    }
    if (n_sites < 1.0)
        scree_input_error(input, node, "%s: the region is too small for a spacing of %g m", name,
                          spacing);
    else if (n_sites > most_sites)
        scree_input_error(input, node, "%s: %g sites are too many", name, n_sites);
    else if (v->count != INT64_MIN && (double)v->count > n_sites)
        scree_input_error(input, scree_node_find(node, "count"),
                          "%s: 'count' is %lld, but only %.0f sites fit: %lld x %lld x %lld", name,
                          (long long)v->count, n_sites, (long long)v->n[0], (long long)v->n[1],
                          (long long)v->n[2]);
}

struct filling {
    const struct scree_sample *sample;
    const struct scree_sites *sites;
    const struct scree_sample_grains *grains;
    struct scree_sample_run *run;
    struct scree_crowd crowd;
};

static void find_centre(const struct scree_sites *v, int64_t site, double pos[4])
{
    int64_t index[3] = {site % v->n[0], site / v->n[0] % v->n[1], site / v->n[0] / v->n[1]};
    for (int a = 0; a < 3; a++) pos[a] = v->first[a] + (double)index[a] * v->step[a];
}

static bool fits(const struct filling *f, const double pos[4])
{
    const struct scree_wedge *wedge = f->grains->region.wedge;
    /* A lattice does not fit its image beyond the sides of a wedge. */
    if (wedge != NULL && scree_wedge_room(wedge, pos) < pos[3]) return false;
    return scree_region_holds(&f->grains->region, pos, pos[3]) &&
           scree_sample_is_off_walls(f->sample, f->run->setting->walls, pos, 0.0) &&
           (f->crowd.n == 0 || scree_crowd_is_free(&f->crowd, pos, 0.0));
}

/* The largest grain fits at the centre of a usable site: so does any. */
static bool is_usable(const struct filling *f, int64_t site)
{
    double pos[4] = {0.0, 0.0, 0.0, f->grains->sizes.high};
    find_centre(f->sites, site, pos);
    return fits(f, pos);
}

/* Away from the centre of the cell, but not out of the cell. */
static void displace(const struct filling *f, scree_gid gid, double pos[4])
{
    struct scree_rng_key key = {
        .seed = f->run->context->seed, .gid = gid, .purpose = SCREE_RNG_POSITION};
    for (key.step = 0; key.step < N_TRIES; key.step++) {
        double moved[4] = {0.0, 0.0, 0.0, pos[3]};
        for (int a = 0; a < f->run->setting->box->dimension; a++) {
            double room = f->sites->displace * (0.5 * f->sites->step[a] - pos[3]);
            moved[a] = pos[a] + room * (2.0 * scree_rng_uniform(&key, (uint32_t)a) - 1.0);
        }
        if (!fits(f, moved)) continue;
        for (int a = 0; a < 3; a++) pos[a] = moved[a];
        return;
    }
}

static void put_grain(struct filling *f, int64_t site, scree_gid gid)
{
    double pos[4];
    find_centre(f->sites, site, pos);
    pos[3] = scree_sizes_draw(&f->grains->sizes, f->run->context->seed, gid);
    if (f->sites->displace > 0.0) displace(f, gid, pos);
    scree_sample_append(f->run, gid, f->grains->species, pos);
}

/* Usable sites of the ranks before this one; *total: of all ranks. Collective. */
static int64_t count_before(struct scree_comm *comm, int64_t mine, int64_t *total)
{
    int64_t before = 0, *all = scree_alloc((size_t)comm->n_ranks, sizeof *all);
    scree_comm_allgather(comm, &mine, sizeof mine, all);
    *total = 0;
    for (int r = 0; r < comm->n_ranks; r++) {
        if (r < comm->rank) before += all[r];
        *total += all[r];
    }
    scree_alloc_free(all);
    return before;
}

/* Grains are numbered along the usable sites, of which each rank looks at a share. */
static enum scree_status fill_usable(struct filling *f, int64_t n_sites, int64_t count,
                                     const char *name)
{
    int64_t begin, end, n_usable = 0, total;
    scree_sample_share(f->run->context->comm, n_sites, &begin, &end);
    for (int64_t site = begin; site < end; site++) n_usable += is_usable(f, site);
    int64_t before = count_before(f->run->context->comm, n_usable, &total);
    SCREE_CHECK(count == INT64_MIN || count <= total, SCREE_PHYSICS,
                "%s sample: 'count' is %lld, but only %lld of %lld sites are inside the region, "
                "off the walls and free of earlier samples; use a larger region or fewer grains",
                name, (long long)count, (long long)total, (long long)n_sites);
    SCREE_CHECK(total > 0, SCREE_PHYSICS,
                "%s sample: none of %lld sites is inside the region, off the walls and free of "
                "earlier samples; is the region on the good side of all walls?",
                name, (long long)n_sites);
    if (count == INT64_MIN) count = total;
    for (int64_t site = begin; site < end && before < count; site++)
        if (is_usable(f, site)) put_grain(f, site, f->run->n_before + ++before);
    f->run->n_before += count;
    return SCREE_OK;
}

/* In an empty box without walls all sites can be used: nothing to look at. */
static void fill_first(struct filling *f, int64_t n)
{
    int64_t begin, end;
    scree_sample_share(f->run->context->comm, n, &begin, &end);
    for (int64_t site = begin; site < end; site++) put_grain(f, site, f->run->n_before + 1 + site);
    f->run->n_before += n;
}

enum scree_status scree_sites_fill(const struct scree_sample *sample, struct scree_sample_run *run)
{
    const struct scree_sites *v = (const struct scree_sites *)sample->values;
    struct filling f = {.sample = sample, .sites = v, .grains = sample->grains, .run = run};
    int64_t n_sites = v->n[0] * v->n[1] * v->n[2];
    scree_lid first = run->p->n_owned;
    enum scree_status status = SCREE_OK;
    scree_crowd_create(&f.crowd, run, sample->grains, 0.0, 1000);
    if (f.crowd.n == 0 && sample->grains->region.shape->fills_bounds &&
        run->setting->box->wedge.n == 0 && !scree_sample_keeps_off_any(sample, run->setting->walls))
        fill_first(&f, v->count != INT64_MIN ? v->count : n_sites);
    else
        status = fill_usable(&f, n_sites, v->count, sample->kind->name);
    scree_crowd_clear(&f.crowd);
    if (status == SCREE_OK) scree_sample_stir(sample->grains, run, first);
    return status;
}
