/* SPDX-License-Identifier: MIT */
/* MPI as the link between processes (engines/link.h): messages, and what all do together. */
#include "baseline/baseline.h"
#include "baseline/group.h"
#include "baseline/ranks.h"
#include "have.h"

#include "engines/link.h"

size_t baseline_mpi_piece = (size_t)1 << 30;

#if QP_HAVE_MPI
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static MPI_Comm work;

static enum qp_status open_work(void)
{
    static bool opened;
    enum qp_status status = group_open();
    if (status == QP_OK && !opened && group_ranks() > 1)
        group_need(MPI_Comm_dup(MPI_COMM_WORLD, &work), "MPI_Comm_dup");
    opened = true;
    return status;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* ---- Messages ---- */

/* Starts a message, in pieces that arrive in the order they are sent. An empty message is one
 * piece. */
static void start_one(const struct qp_message *message)
{
    size_t at = 0;
    do {
        char *data = (char *)message->data + at;
        const int bytes = (int)least(message->bytes - at, baseline_mpi_piece);
        if (message->comes)
            group_need(MPI_Irecv(data, bytes, MPI_BYTE, message->other, message->tag, work,
                                 group_request()),
                       "MPI_Irecv");
        else
            group_need(MPI_Isend(data, bytes, MPI_BYTE, message->other, message->tag, work,
                                 group_request()),
                       "MPI_Isend");
        at += (size_t)bytes;
    } while (at < message->bytes);
}

static void start(const struct qp_message *messages, int count)
{
    for (int i = 0; i < count; i++) {
        if (messages[i].other >= 0)
            start_one(&messages[i]);
    }
}

static void wait_for_messages(void)
{
    group_wait(0);
}

/* ---- All together ---- */

static void spread(int from, void *data, size_t bytes)
{
    const int first = group_requests();
    for (size_t at = 0; at < bytes && group_ranks() > 1;) {
        const int piece = (int)least(bytes - at, baseline_mpi_piece);
        group_need(MPI_Ibcast((char *)data + at, piece, MPI_BYTE, from, work, group_request()),
                   "MPI_Ibcast");
        at += (size_t)piece;
    }
    group_wait(first);
}

/* MPI's gathering counts places in int: true if these shares fit. */
static bool fits_int(const size_t *first, const size_t *bytes)
{
    bool fits = true;
    for (int k = 0; k < group_ranks(); k++)
        fits = fits && first[k] + bytes[k] <= baseline_mpi_piece;
    return fits;
}

static int *two_for_each(size_t ranks)
{
    int *two = malloc(2 * ranks * sizeof *two);
    if (two == NULL)
        group_die("has no memory for %zu places", ranks);
    return two;
}

static void gather(void *data, const size_t *first, const size_t *bytes)
{
    const size_t ranks = (size_t)group_ranks();
    int *count = two_for_each(ranks);
    int *place = count + ranks;
    const int begin = group_requests();
    for (size_t k = 0; k < ranks; k++) {
        count[k] = (int)bytes[k];
        place[k] = (int)first[k];
    }
    group_need(MPI_Iallgatherv(MPI_IN_PLACE, 0, MPI_BYTE, data, count, place, MPI_BYTE, work,
                               group_request()),
               "MPI_Iallgatherv");
    group_wait(begin);
    free(count);
}

static void join(void *data, const size_t *first, const size_t *bytes)
{
    if (group_ranks() > 1 && fits_int(first, bytes)) {
        gather(data, first, bytes);
        return;
    }
    for (int k = 0; k < group_ranks(); k++)
        spread(k, (char *)data + first[k], bytes[k]);
}

/* The largest code wins; among processes that fail with it, the lowest one. */
static enum qp_status agree(enum qp_status status)
{
    struct {
        int status, rank;
    } own = {(int)status, group_rank()}, worst = own;
    char sentence[1024] = "";
    const int first = group_requests();
    if (group_ranks() == 1)
        return status;
    group_need(MPI_Iallreduce(&own, &worst, 1, MPI_2INT, MPI_MAXLOC, work, group_request()),
               "MPI_Iallreduce");
    group_wait(first);
    const enum qp_status agreed = (enum qp_status)worst.status;
    group_agreed(agreed);
    if (agreed == QP_OK)
        return QP_OK;
    snprintf(sentence, sizeof sentence, "%s", qp_error());
    spread(worst.rank, sentence, sizeof sentence);
    return status != QP_OK ? agreed : qp_fail(agreed, "rank %d: %s", worst.rank, sentence);
}

void baseline_lend_mpi(void)
{
    qp_link_mpi.open = open_work;
    qp_link_mpi.rank = group_rank;
    qp_link_mpi.ranks = group_ranks;
    qp_link_mpi.node_rank = group_node_rank;
    qp_link_mpi.start = start;
    qp_link_mpi.wait = wait_for_messages;
    qp_link_mpi.spread = spread;
    qp_link_mpi.join = join;
    qp_link_mpi.agree = agree;
    qp_link_mpi.progress = group_progress;
    qp_link_mpi.alone = group_alone;
}
#else
void baseline_lend_mpi(void)
{
}
#endif
