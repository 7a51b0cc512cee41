/* SPDX-License-Identifier: BSD-3-Clause
 * The domain: box, bricks and who owns them, ghosts, and moving grains to their owners. */
#ifndef SCREE_DOMAIN_H
#define SCREE_DOMAIN_H

#include "scree/box.h"
#include "scree/bricks.h"
#include "scree/comm.h"
#include "scree/deformation.h"
#include "scree/particles.h"
#include "scree/status.h"

struct scree_domain {
    struct scree_box box;
    struct scree_deformation cell; /* how the box is deformed */
    struct scree_bricks bricks;
};

/* What travels with a grain besides its columns (contact history), as 8-byte words. Callbacks,
 * because the owner of that data lives in a higher layer. */
struct scree_passengers {
    void *owner;
    size_t (*n_words)(void *owner, const struct scree_particles *p, scree_lid slot);
    void (*board)(void *owner, const struct scree_particles *p, scree_lid slot, uint64_t *words);
    /* The grain has its slot already; `words` holds what board() wrote. */
    void (*alight)(void *owner, struct scree_particles *p, scree_lid slot, const uint64_t *words,
                   size_t n_words);
};

/* With a wedge, positions are turned into it while lists are rebuilt: from the beginning of
 * scree_domain_migrate() to scree_domain_return_home(), which gives all grains and ghosts the
 * places of their home frames back. Without one, nothing happens. */
void scree_domain_return_home(const struct scree_domain *domain, struct scree_particles *p);
/* Nobody may be so close to the axis of a wedge that images crowd there: a grain reaches `reach`
 * beyond its radius. While positions are turned into the wedge. Collective. */
enum scree_status scree_domain_check_wedge(const struct scree_domain *domain,
                                           struct scree_comm *comm, const struct scree_particles *p,
                                           double reach);

/* Wrap positions, then send every grain to the owner of its brick. Ghosts are forgotten, slots
 * change. `passengers` may be NULL. Returns how many grains left this rank. Collective. */
int64_t scree_domain_migrate(const struct scree_domain *domain, struct scree_comm *comm,
                             struct scree_particles *p, const struct scree_passengers *passengers);

#endif
