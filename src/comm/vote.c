/* SPDX-License-Identifier: BSD-3-Clause
 * A vote of all ranks whose outcome is wanted later: a reduction that goes on in the background. */
#include <mpi.h>

#include "scree/alloc.h"
#include "scree/comm.h"

struct scree_vote {
    struct scree_comm *comm; /* borrowed; outlives the vote */
    int mine, outcome;
    bool is_under_way;   /* between begin and end */
    MPI_Request request; /* only if there is more than one rank */
};

void scree_vote_create(struct scree_vote **vote, struct scree_comm *comm)
{
    *vote = scree_alloc(1, sizeof **vote);
    **vote = (struct scree_vote){.comm = comm};
}

void scree_vote_destroy(struct scree_vote **vote)
{
    if (*vote == NULL) return;
    scree_vote_end(*vote);
    scree_alloc_free(*vote);
    *vote = NULL;
}

void scree_vote_begin(struct scree_vote *vote, int mine)
{
    MPI_Comm world = *(const MPI_Comm *)vote->comm->mpi;
    if (vote->is_under_way) SCREE_ABORT("a vote begins before the last one has ended");
    vote->is_under_way = true;
    vote->mine = vote->outcome = mine;
    if (vote->comm->n_ranks == 1) return;
    vote->comm->n_collectives++;
    vote->comm->n_collective_bytes += (int64_t)sizeof vote->mine;
    MPI_Iallreduce(&vote->mine, &vote->outcome, 1, MPI_INT, MPI_MAX, world, &vote->request);
}

int scree_vote_end(struct scree_vote *vote)
{
    if (!vote->is_under_way) return 0;
    vote->is_under_way = false;
    if (vote->comm->n_ranks > 1) MPI_Wait(&vote->request, MPI_STATUS_IGNORE);
    return vote->outcome;
}
