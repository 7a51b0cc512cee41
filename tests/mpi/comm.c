/* SPDX-License-Identifier: BSD-3-Clause
 * The verbs of comm on any number of ranks. */
#include "scree/comm.h"

#include <math.h>

#include "mpi_test.h"
#include "scree/rng.h"

static void test_agree(struct mpi_test *t)
{
    struct scree_comm *comm = t->comm;
    int n = comm->n_ranks, bad = n / 2;
    char expected[200];
    scree_status_clear();
    MPI_TEST(t, scree_comm_agree(comm, SCREE_OK) == SCREE_OK, "all ranks are well");
    MPI_TEST(t, scree_status_message()[0] == '\0', "message without a failure");

    /* The middle rank fails worst, the last one too, and the others less. */
    enum scree_status status = SCREE_INPUT;
    if (comm->rank == bad || comm->rank == n - 1)
        status = SCREE_FAIL(SCREE_PHYSICS, "grain %d lost", comm->rank);
    else
        SCREE_FAIL(status, "some word on rank %d", comm->rank);
    if (n == 1)
        snprintf(expected, sizeof expected, "grain 0 lost");
    else
        snprintf(expected, sizeof expected, "rank %d: grain %d lost", bad, bad);
    for (int again = 0; again < 2; again++) {
        status = scree_comm_agree(comm, status);
        MPI_TEST(t, status == SCREE_PHYSICS, "status is %d", (int)status);
        MPI_TEST(t, strcmp(scree_status_message(), expected) == 0, "'%s'", scree_status_message());
        MPI_TEST(t, strstr(scree_status_place(), "comm.c:") != NULL, "'%s'", scree_status_place());
    }

    scree_status_clear();
    status = scree_comm_agree(comm, comm->rank == bad ? SCREE_STOPPED : SCREE_OK);
    MPI_TEST(t, status == SCREE_STOPPED, "status is %d", (int)status);
    MPI_TEST(t, scree_status_message()[0] == '\0', "a message was made up");
    scree_status_clear();
}

static void test_reductions(struct mpi_test *t)
{
    struct scree_comm *comm = t->comm;
    int r = comm->rank, n = comm->n_ranks;
    double high[2] = {r, -r}, low[2] = {r, -r};
    scree_comm_max(comm, high, 2);
    scree_comm_min(comm, low, 2);
    MPI_TEST(t, high[0] == n - 1 && high[1] == 0.0, "max %g %g", high[0], high[1]);
    MPI_TEST(t, low[0] == 0.0 && low[1] == 1 - n, "min %g %g", low[0], low[1]);
    int64_t most = INT64_MIN + r, sum[2] = {r, (int64_t)1 << 40};
    scree_comm_max_int(comm, &most, 1);
    scree_comm_sum_int(comm, sum, 2);
    MPI_TEST(t, most == INT64_MIN + n - 1, "max_int");
    MPI_TEST(t, sum[0] == n * (n - 1) / 2 && sum[1] == ((int64_t)n << 40), "sum_int");
    uint64_t hash = UINT64_MAX - 5;
    scree_comm_sum_hash(comm, &hash, 1);
    MPI_TEST(t, hash == (uint64_t)n * (UINT64_MAX - 5), "sum_hash wraps");

    int *all = scree_alloc((size_t)n, 3 * sizeof *all);
    int mine[3] = {r, 10 * r, 100 * r}, text[4] = {r, r, r, r};
    scree_comm_allgather(comm, mine, sizeof mine, all);
    for (int k = 0; k < n; k++)
        MPI_TEST(t, all[3 * k] == k && all[3 * k + 2] == 100 * k, "block %d", k);
    scree_comm_broadcast(comm, text, sizeof text, n - 1);
    MPI_TEST(t, text[0] == n - 1 && text[3] == n - 1, "broadcast gave %d", text[0]);
    scree_comm_broadcast(comm, NULL, 0, 0);
    scree_comm_barrier(comm);
    scree_alloc_free(all);
}

struct parcel {
    int from, to, number;
};

/* Uneven, with empty pairs and empty ranks. */
static int n_parcels(int from, int to, int round)
{
    if (round == 0) return 0;
    if (round == 3) return from == 0 ? 50000 * (to + 1) : 0; /* beyond the eager size */
    return (from + 2 * to + round) % 3 == 0 ? 0 : 3 * from + to + round;
}

static void test_exchange_round(struct mpi_test *t, int round)
{
    struct scree_comm *comm = t->comm;
    size_t n = (size_t)comm->n_ranks;
    int *n_send = scree_alloc(n, sizeof *n_send), *n_receive = scree_alloc(n, sizeof *n_receive);
    int total = 0, me = comm->rank, n_messages = 0, n_away = 0;
    for (int r = 0; r < comm->n_ranks; r++) total += n_send[r] = n_parcels(me, r, round);
    for (int r = 0; r < comm->n_ranks; r++) {
        n_messages += r != me && n_send[r] > 0;
        n_away += r != me ? n_send[r] : 0;
    }
    struct parcel *send = scree_alloc((size_t)total, sizeof *send), *p = send;
    for (int r = 0; r < comm->n_ranks; r++)
        for (int i = 0; i < n_send[r]; i++) *p++ = (struct parcel){me, r, i};
    int64_t messages = comm->n_messages, bytes = comm->n_bytes;
    void *received;
    scree_comm_exchange(comm, n_send, total > 0 ? send : NULL, sizeof *send, n_receive, &received);
    MPI_TEST(t, comm->n_messages - messages == n_messages, "messages in round %d", round);
    MPI_TEST(t, comm->n_bytes - bytes == n_away * (int64_t)sizeof *send, "bytes");
    p = received;
    bool ok = true;
    for (int r = 0; r < comm->n_ranks; r++) {
        MPI_TEST(t, n_receive[r] == n_parcels(r, me, round), "%d from %d", n_receive[r], r);
        for (int i = 0; i < n_receive[r]; i++, p++)
            ok = ok && p->from == r && p->to == me && p->number == i;
    }
    MPI_TEST(t, ok, "wrong parcels in round %d", round);
    scree_alloc_free(received);
    scree_alloc_free(send);
    scree_alloc_free(n_receive);
    scree_alloc_free(n_send);
}

/* Bytes on the way from one rank to another; many pairs have none. */
static size_t letter_size(int from, int to, bool is_long)
{
    if ((from + to) % 3 == 0) return 0;
    return (size_t)(3 * from + to + 1) * (is_long ? 10000 : 1);
}

static unsigned char letter_byte(int from, int to, int round, size_t i)
{
    return (unsigned char)(7 * from + 3 * to + 31 * round + (int)(i % 251));
}

static void check_letters(struct mpi_test *t, struct scree_channel *channel, const int *peers,
                          const size_t *sizes, int round)
{
    for (int k = 0; k < t->comm->n_ranks - 1; k++) {
        const unsigned char *got = scree_channel_receive_buffer(channel, k);
        size_t n_wrong = 0;
        for (size_t i = 0; i < sizes[k]; i++)
            n_wrong += got[i] != letter_byte(peers[k], t->comm->rank, round, i);
        MPI_TEST(t, n_wrong == 0, "round %d, from %d: %zu wrong bytes", round, peers[k], n_wrong);
    }
}

static void test_channel(struct mpi_test *t, bool is_long)
{
    struct scree_comm *comm = t->comm;
    int me = comm->rank, n_peers = 0, n_messages = 0;
    size_t n = (size_t)comm->n_ranks;
    int *peers = scree_alloc(n, sizeof *peers);
    size_t *n_send = scree_alloc(n, sizeof *n_send), *n_receive = scree_alloc(n, sizeof *n_send);
    for (int r = comm->n_ranks - 1; r >= 0; r--) {
        if (r == me) continue;
        peers[n_peers] = r;
        n_send[n_peers] = letter_size(me, r, is_long);
        n_messages += n_send[n_peers] > 0;
        n_receive[n_peers++] = letter_size(r, me, is_long);
    }
    struct scree_channel *channel;
    scree_channel_create(&channel, comm, n_peers, peers, n_send, n_receive);
    int64_t before = comm->n_messages;
    for (int round = 0; round < 5; round++) {
        for (int k = 0; k < n_peers; k++) {
            unsigned char *letter = scree_channel_send_buffer(channel, k);
            for (size_t i = 0; i < n_send[k]; i++) letter[i] = letter_byte(me, peers[k], round, i);
        }
        scree_channel_begin(channel);
        if (round == 2) test_exchange_round(t, 1); /* other talk does not mix in */
        scree_channel_end(channel);
        if (round == 2) before = comm->n_messages - 3 * n_messages;
        check_letters(t, channel, peers, n_receive, round);
    }
    MPI_TEST(t, comm->n_messages - before == 5 * n_messages, "messages counted");
    scree_channel_destroy(&channel);
    MPI_TEST(t, channel == NULL, "destroyed");
    scree_channel_create(&channel, comm, 0, NULL, NULL, NULL);
    scree_channel_begin(channel);
    scree_channel_end(channel);
    scree_channel_destroy(&channel);
    scree_alloc_free(n_receive);
    scree_alloc_free(n_send);
    scree_alloc_free(peers);
}

/* Numbers of very different size and sign, so that any rounding would show. */
static double number(int i)
{
    struct scree_rng_key key = {.seed = 7, .gid = i, .purpose = SCREE_RNG_POSITION, .step = 0};
    double exponent = 600.0 * (scree_rng_uniform(&key, 0) - 0.5);
    return (scree_rng_uniform(&key, 1) - 0.5) * exp2(exponent);
}

static int dealt_to(int i, int way, int n_ranks)
{
    if (way == 0) return i % n_ranks;
    if (way == 1) return (int)((int64_t)i * n_ranks / 10000);
    return (i * 7919) / 13 % n_ranks;
}

static void test_sum_exact(struct mpi_test *t)
{
    struct scree_exact serial, sums[2];
    scree_exact_clear(&serial);
    for (int i = 0; i < 10000; i++) scree_exact_add(&serial, number(i));
    scree_exact_normalize(&serial);
    for (int way = 0; way < 3; way++) {
        scree_exact_clear(&sums[0]);
        scree_exact_clear(&sums[1]);
        for (int i = 0; i < 10000; i++)
            if (dealt_to(i, way, t->comm->n_ranks) == t->comm->rank)
                scree_exact_add(&sums[0], number(i));
        scree_exact_add(&sums[1], t->comm->rank == 0 ? (double)NAN : 1.0);
        scree_comm_sum_exact(t->comm, sums, 2);
        MPI_TEST(t, memcmp(sums[0].limb, serial.limb, sizeof serial.limb) == 0, "way %d", way);
        MPI_TEST(t, sums[0].n_invalid == 0, "invalid");
        MPI_TEST(t, scree_exact_value(&sums[0]) == scree_exact_value(&serial), "value");
        MPI_TEST(t, isnan(scree_exact_value(&sums[1])), "NaN of one rank is lost");
    }
}

static void test_sum_wide(struct mpi_test *t)
{
    static const int64_t values[] = {INT64_MAX, INT64_MIN, INT64_MAX - 1, INT64_MIN + 3, 1, -1, 0};
    enum { N_VALUES = sizeof values / sizeof values[0] };
    struct scree_wide sums[N_VALUES], serial[N_VALUES];
    for (int i = 0; i < N_VALUES; i++) {
        sums[i] = serial[i] = (struct scree_wide){0, 0};
        for (int r = 0; r < t->comm->n_ranks; r++)
            for (int k = 0; k < 3; k++) {
                int64_t value = values[(i + r * (k == 2)) % N_VALUES];
                scree_wide_add(&serial[i], value);
                if (r == t->comm->rank) scree_wide_add(&sums[i], value);
            }
    }
    scree_comm_sum_wide(t->comm, sums, N_VALUES);
    for (int i = 0; i < N_VALUES; i++)
        MPI_TEST(t, sums[i].low == serial[i].low && sums[i].high == serial[i].high, "sum %d", i);
}

/* The outcome is the largest vote, however others talk meanwhile. */
static void test_vote(struct mpi_test *t)
{
    struct scree_vote *vote;
    int last = t->comm->n_ranks - 1;
    scree_vote_create(&vote, t->comm);
    MPI_TEST(t, scree_vote_end(vote) == 0, "a vote that never began");
    for (int round = 0; round < 20; round++) {
        double most = t->comm->rank;
        scree_vote_begin(vote, t->comm->rank == round % (last + 1) ? round : 0);
        scree_comm_max(t->comm, &most, 1);
        int outcome = scree_vote_end(vote);
        MPI_TEST(t, outcome == round, "%d in round %d", outcome, round);
        MPI_TEST(t, most == last, "the sum between is %g", most);
    }
    scree_vote_begin(vote, 1); /* left under way */
    scree_vote_destroy(&vote);
    MPI_TEST(t, vote == NULL, "not destroyed");
}

int main(int argc, char **argv)
{
    struct mpi_test t;
    mpi_test_begin(&t, &argc, &argv);
    test_agree(&t);
    test_reductions(&t);
    for (int round = 0; round < 4; round++) test_exchange_round(&t, round);
    test_channel(&t, false);
    test_channel(&t, true);
    test_vote(&t);
    test_sum_exact(&t);
    test_sum_wide(&t);
    return mpi_test_end(&t);
}
