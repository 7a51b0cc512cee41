/* SPDX-License-Identifier: BSD-3-Clause
 * One pass over the near pairs of a kind, while it lasts. Private to md. */
#ifndef SCREE_MD_EVALUATION_H
#define SCREE_MD_EVALUATION_H

#include "md_impl.h"

struct scree_md_evaluation {
    struct scree_md *md;
    struct scree_scene *scene;
    struct scree_near *near;
    enum scree_near_kind kind;
    double dt;
    uint8_t epoch, before; /* of this evaluation and the last; history is valid if touched then */
    bool acts; /* forces act and history advances; else contacts are only told of, to: */
    scree_contact_listener *listen; /* with `context`, or NULL */
    void *context;
    struct scree_md_sums *sums; /* what they store; or NULL */
};

/* Do some laws of the pair resist rolling or torsion? These are the ones that need spins. */
static inline bool scree_md_has_couples(const struct scree_pair_law *law)
{
    unsigned channels = 1u << SCREE_LOSS_ROLLING | 1u << SCREE_LOSS_TORSION;
    return (law->shape.losses & channels) != 0;
}

/* W; that a wall takes from the grain of contact k by moving and turning. */
static inline double scree_md_power_to_wall(const struct scree_md_evaluation *e,
                                            const struct scree_pair_law *law, uint32_t place, int k)
{
    const struct scree_batch *b = &e->md->batch->b;
    const struct scree_wall_contact *contact = &e->md->wall_contact[place];
    double power = 0.0;
    for (int c = 0; c < 3; c++) {
        power += (b->fn[k] * b->normal[c][k] + b->ft[c][k]) * contact->velocity[c];
        if (scree_md_has_couples(law)) power += b->couple[c][k] * contact->spin[c];
    }
    return -power;
}

/* The contacts in a queue, as one batch from gathering to adding up (flush.c); empties the queue.
 */
void scree_md_flush(struct scree_md_evaluation *e, const struct scree_pair_law *law,
                    struct scree_md_queue *queue);
/* History of contacts in a queue that have opened since the last evaluation. */
void scree_md_load_opened(struct scree_md_evaluation *e, struct scree_md_queue *queue);
/* Add an amount for each contact of the batch to a channel of the ledger, in which they are when
 * they have been settled, at the end of a pass. */
void scree_md_add_losses(struct scree_md_evaluation *e, enum scree_loss channel,
                         const double *amount);
void scree_md_reduce_losses(struct scree_md_evaluation *e);
/* History of the contacts in a queue, to the batch and back (history.c). */
void scree_md_load_history(struct scree_md_evaluation *e, const struct scree_md_queue *queue);
void scree_md_store_history(struct scree_md_evaluation *e, const struct scree_md_queue *queue);
/* Tell who listens of the contacts of a batch, after the laws (visit.c). */
void scree_md_visit_batch(struct scree_md_evaluation *e, const struct scree_pair_law *law,
                          const struct scree_md_queue *queue);
/* What anybody may see of contact k of the batch; contact->kind and contact->place are set, and
 * `turned` is memory for its history (contact_view.c). */
void scree_md_view_contact(const struct scree_md_evaluation *e, const struct scree_pair_law *law,
                           int k, double *turned, struct scree_md_contact *contact);
/* Add stiffness and mass of the contacts of a batch to the servos of their walls (servos.c). */
void scree_md_add_to_servos(struct scree_md_evaluation *e, const struct scree_pair_law *law,
                            const uint32_t *place);
/* Add those of contacts with glued grains to the servos of the walls that carry them. */
void scree_md_add_glued_to_servos(struct scree_md_evaluation *e, const struct scree_pair_law *law);
/* Seam pairs (seam.c): fill the queues with those that touch; gather a batch, whose i becomes the
 * lower gid; add its loads. */
void scree_md_find_touching_seams(struct scree_md_evaluation *e);
void scree_md_gather_seam_places(struct scree_md_evaluation *e, const uint32_t *place);
void scree_md_gather_seam_motion(struct scree_md_evaluation *e, struct scree_md_motion motion);
void scree_md_scatter_seams(struct scree_md_evaluation *e);
/* A load of the batch does not fit into its integer: set the status (overflow.c). */
void scree_md_report_overflow(struct scree_md_evaluation *e);
/* Contacts that touched in the last evaluation and do not now are forgotten; if time has passed,
 * they lose what their springs hold (opened.c). */
void scree_md_end_opened(struct scree_md_evaluation *e);
/* Contact k of the batch is new: keep it if it is the worst impact of its law (impacts.c). */
void scree_md_note_impact(struct scree_md_evaluation *e, const struct scree_pair_law *law,
                          const struct scree_md_queue *queue, int k);

#endif
