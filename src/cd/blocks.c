/* SPDX-License-Identifier: BSD-3-Clause
 * Blocks: boxes of space whose place and size depend on the input only. Contacts of a block are
 * solved one after the other; who owns which block changes nothing. */
#include <math.h>
#include <string.h>

#include "cd_impl.h"
#include "scree/alloc.h"

/* A block has three coordinates; in open directions they may be any. */
enum { BITS = 20 };
static const int64_t middle = (int64_t)1 << (BITS - 1), most = ((int64_t)1 << BITS) - 1;

/* A block of n grains is as long as n^(1/D) grains of the mean volume: dense packings hold about
 * one grain in the cube of a diameter. */
void scree_cd_choose_blocks(struct scree_cd *cd, const struct scree_scene *scene)
{
    const struct scree_particles *p = scene->particles;
    const int dimension = scene->domain->box.dimension;
    int64_t n = p->n_owned;
    struct scree_exact sum;
    if (isnan(cd->values->block_grains)) return;
    scree_exact_clear(&sum);
    for (scree_lid i = 0; i < p->n_owned; i++) {
        double d = 2.0 * p->pos[i][3];
        scree_exact_add(&sum, dimension == 3 ? d * d * d : d * d);
    }
    scree_comm_sum_exact(scene->comm, &sum, 1);
    scree_comm_sum_int(scene->comm, &n, 1);
    double volume = cd->values->block_grains * scree_exact_value(&sum) / (double)(n > 0 ? n : 1);
    double edge = dimension == 3 ? cbrt(volume) : sqrt(volume);
    cd->block_edge = fmax(edge, 2.0 * scene->largest_radius);
}

/* The number of blocks along a periodic direction, and their edge; 0 blocks: no end. */
static int64_t split(const struct scree_cd *cd, const struct scree_box *box, int axis, double *edge)
{
    *edge = cd->block_edge;
    if (!box->periodic[axis]) return 0;
    double n = fmin(fmax(floor(box->length[axis] / cd->block_edge + 0.5), 1.0), (double)most);
    *edge = box->length[axis] / n;
    return (int64_t)n;
}

static int64_t coordinate(const struct scree_cd *cd, const struct scree_box *box, int axis,
                          double x)
{
    double edge;
    int64_t n = split(cd, box, axis, &edge);
    double at = floor((x - box->low[axis]) / edge);
    double low = n > 0 ? 0.0 : (double)-middle,
           high = n > 0 ? (double)(n - 1) : (double)(middle - 1);
    return (int64_t)fmin(fmax(at, low), high) + (n > 0 ? 0 : middle);
}

int64_t scree_cd_block_of(const struct scree_cd *cd, const struct scree_scene *scene, scree_lid i)
{
    const struct scree_particles *p = scene->particles;
    const struct scree_box *box = &scene->domain->box;
    if (isnan(cd->values->block_grains))
        return i < p->n_owned ? scene->comm->rank : cd->ghost_rank[i - p->n_owned];
    double pos[3] = {p->pos[i][0], p->pos[i][1], p->pos[i][2]};
    int32_t image[3] = {0, 0, 0};
    scree_box_wrap(box, pos, image);
    int64_t key = 0;
    for (int a = box->dimension - 1; a >= 0; a--)
        key = key << BITS | coordinate(cd, box, a, pos[a]);
    return key;
}

int scree_cd_block_owner(const struct scree_cd *cd, const struct scree_scene *scene, int64_t block)
{
    const struct scree_box *box = &scene->domain->box;
    const struct scree_bricks *bricks = &scene->domain->bricks;
    if (isnan(cd->values->block_grains)) return (int)block;
    double centre[3] = {0.0, 0.0, 0.0};
    for (int a = 0; a < box->dimension; a++, block >>= BITS) {
        double edge;
        int64_t n = split(cd, box, a, &edge), at = (block & most) - (n > 0 ? 0 : middle);
        centre[a] = box->low[a] + ((double)at + 0.5) * edge;
    }
    return bricks->owner[scree_bricks_find(bricks, box, centre)];
}

void scree_cd_find_ghost_ranks(struct scree_cd *cd, const struct scree_scene *scene)
{
    const struct scree_particles *p = scene->particles;
    const struct scree_halo *halo = scene->halo;
    size_t n = (size_t)p->n_ghost;
    SCREE_GROW(cd->ghost_rank, 0, cd->ghost_capacity, n);
    for (int k = 0; k <= halo->n_peers; k++)
        for (scree_lid g = halo->ghost_start[k]; g < halo->ghost_start[k + 1]; g++)
            cd->ghost_rank[g - p->n_owned] = k < halo->n_peers ? halo->peer[k] : scene->comm->rank;
}
