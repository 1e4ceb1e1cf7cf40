/* SPDX-License-Identifier: MIT */
/* MPI as the link between processes (engines/link.h). Nothing here blocks inside MPI, which would wait for ever for a
 * process that was stopped: all waiting is a loop that tests, gives way to others, and counts its patience. */
#include "baseline/ranks.h"
#include "have.h"

#include "baseline/baseline.h"
#include "engines/link.h"

size_t baseline_mpi_piece = (size_t)1 << 30;

#if QP_HAVE_MPI
#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "baseline/stall.h"

enum { EXIT_ALL = 3 };

/* What processes tell each other beside their work, each from an array that lives on: sending is not waited for. */
enum word { LIVES, ALONE, BACK, GIVES_UP, WORDS };

static struct {
    bool opened, alone;
    int rank, ranks, node_rank;
    MPI_Comm work, talk;
    MPI_Request *request; /* of messages under way, */
    int *other;           /* and whose they are */
    int count, room;
    enum qp_status agreed; /* what all know of the last step */
    double told;           /* by the clock: when the others heard last that this process lives */
    int apart;             /* processes that do something alone */
    int first_to_give_up;  /* the lowest one that did; `ranks`: none */
} group = {.ranks = 1};

/* ---- Ends ---- */

static _Noreturn void end_all(int code)
{
    MPI_Abort(MPI_COMM_WORLD, code);
    _exit(code);
}

/* Standard error itself: the stream may lead nowhere in all processes but one. */
__attribute__((format(printf, 1, 2))) static _Noreturn void die(const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    dprintf(STDERR_FILENO, "quadpass: %s\n", text);
    end_all(EXIT_ALL);
}

static void need(int answer, const char *what)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length;
    if (answer == MPI_SUCCESS)
        return;
    MPI_Error_string(answer, text, &length);
    die("rank %d: %s: %s", group.rank, what, text);
}

void baseline_end_all(enum qp_status status, int code, const char *sentence)
{
    if (group.ranks == 1 || (status != QP_OK && status == group.agreed))
        return;
    if (sentence != NULL)
        dprintf(STDERR_FILENO, "quadpass: rank %d: %s\n", group.rank, sentence);
    end_all(code);
}

/* ---- Talk ---- */

static void tell(enum word word)
{
    static const int words[WORDS] = {LIVES, ALONE, BACK, GIVES_UP};
    group.told = qp_clock();
    for (int i = 0; i < group.ranks; i++) {
        MPI_Request request;
        if (i == group.rank)
            continue;
        need(MPI_Isend(&words[word], 1, MPI_INT, i, 0, group.talk, &request), "MPI_Isend");
        need(MPI_Request_free(&request), "MPI_Request_free");
    }
}

/* Takes what others have told. True if one of them lives. */
static bool hear(void)
{
    bool lives = false;
    for (;;) {
        MPI_Status from;
        int here, word;
        need(MPI_Iprobe(MPI_ANY_SOURCE, 0, group.talk, &here, &from), "MPI_Iprobe");
        if (!here)
            return lives || group.apart > 0;
        need(MPI_Recv(&word, 1, MPI_INT, from.MPI_SOURCE, 0, group.talk, MPI_STATUS_IGNORE),
             "MPI_Recv");
        group.apart += (word == ALONE) - (word == BACK);
        if (word == GIVES_UP && from.MPI_SOURCE < group.first_to_give_up)
            group.first_to_give_up = from.MPI_SOURCE;
        lives = lives || word != GIVES_UP;
    }
}

/* Lets one process alone say why all end: who gave up first, or the lowest of those that did so together. */
static void ask_to_speak(void)
{
    hear();
    if (group.first_to_give_up == group.ranks) {
        tell(GIVES_UP);
        for (int i = 0; i < 50; i++) {
            usleep(1000);
            hear();
        }
        if (group.first_to_give_up > group.rank)
            return;
    }
    sleep(2); /* the other ends us meanwhile */
    end_all(EXIT_ALL);
}

/* ---- Waiting ---- */

/* The process whose message is missing; -1: it is none's in particular. */
static int find_missing(int count, MPI_Request *requests, const int *others)
{
    for (int i = 0; i < count && others != NULL; i++) {
        int through;
        need(MPI_Test(&requests[i], &through, MPI_STATUS_IGNORE), "MPI_Test");
        if (!through)
            return others[i];
    }
    return -1;
}

static _Noreturn void give_up(int missing, const char *what)
{
    ask_to_speak();
    if (missing >= 0)
        die("rank %d has waited %g s for rank %d, which makes no progress (--stall)", group.rank,
            stall_seconds(), missing);
    die("rank %d has waited %g s for the others %s, and one makes no progress (--stall)",
        group.rank, stall_seconds(), what);
}

/* Until all are through. `others`, if they are messages, and `what` say whom it waits for. */
static void await(int count, MPI_Request *requests, const int *others, const char *what)
{
    struct stall_wait wait = {0};
    for (int through = 0;;) {
        need(MPI_Testall(count, requests, &through, MPI_STATUSES_IGNORE), "MPI_Testall");
        stall_progress();
        if (through)
            return;
        if (hear())
            wait.waited = wait.waited < 1e-2 ? wait.waited : 1e-2;
        if (!stall_pause_in(&wait))
            give_up(find_missing(count, requests, others), what);
    }
}

static void progress(void)
{
    if (group.ranks == 1)
        return;
    stall_progress();
    if (qp_clock() - group.told > 0.25 * stall_seconds())
        tell(LIVES);
}

static void alone(bool begins)
{
    if (group.ranks == 1 || begins == group.alone)
        return;
    group.alone = begins;
    stall_pause(begins);
    tell(begins ? ALONE : BACK);
}

/* ---- Joining and leaving ---- */

/* What a failed process leaves is not waited for: it never comes here. */
static void leave(void)
{
    MPI_Request all;
    need(MPI_Ibarrier(group.talk, &all), "MPI_Ibarrier");
    await(1, &all, NULL, "to end");
    free(group.request);
    free(group.other);
    MPI_Comm_free(&group.work);
    MPI_Comm_free(&group.talk);
    MPI_Finalize();
    stall_pause(true);
}

/* Copies through shared memory: reading another process's memory is faster for megabytes, not for borders, and
 * refused in containers. */
static enum qp_status start_mpi(void)
{
    int level;
    setenv("OMPI_MCA_btl_vader_single_copy_mechanism", "none", 0);
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS ||
        level < MPI_THREAD_FUNNELED)
        return qp_fail(QP_UNSUPPORTED, "MPI does not start here with threads");
    return QP_OK;
}

static void find_node_rank(void)
{
    MPI_Comm node;
    need(
        MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, group.rank, MPI_INFO_NULL, &node),
        "MPI_Comm_split_type");
    need(MPI_Comm_rank(node, &group.node_rank), "MPI_Comm_rank");
    MPI_Comm_free(&node);
}

/* Alone there is nothing to start: MPI takes 0.3 s to, and wants programs of its own. */
static enum qp_status open_group(void)
{
    if (group.opened || baseline_ranks() == 1)
        return QP_OK;
    stall_watch(baseline_rank());
    enum qp_status status = start_mpi();
    if (status != QP_OK)
        return status;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    need(MPI_Comm_rank(MPI_COMM_WORLD, &group.rank), "MPI_Comm_rank");
    need(MPI_Comm_size(MPI_COMM_WORLD, &group.ranks), "MPI_Comm_size");
    if (group.ranks == 1)
        die("rank %d was started with others, but not so that MPI knows them: start it by mpirun, "
            "or "
            "by srun --mpi=pmix",
            baseline_rank());
    need(MPI_Comm_dup(MPI_COMM_WORLD, &group.work), "MPI_Comm_dup");
    need(MPI_Comm_dup(MPI_COMM_WORLD, &group.talk), "MPI_Comm_dup");
    find_node_rank();
    group.first_to_give_up = group.ranks;
    group.opened = true;
    group.told = qp_clock();
    stall_progress();
    atexit(leave);
    return QP_OK;
}

static int rank(void)
{
    return group.rank;
}

static int ranks(void)
{
    return group.ranks;
}

static int node_rank(void)
{
    return group.node_rank;
}

/* ---- Messages ---- */

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* A place for one more request, of a message from or to `other`. */
static MPI_Request *next_request(int other)
{
    if (group.count == group.room) {
        group.room = 2 * group.room + 16;
        MPI_Request *requests = realloc(group.request, (size_t)group.room * sizeof *requests);
        int *others = realloc(group.other, (size_t)group.room * sizeof *others);
        if (requests == NULL || others == NULL)
            die("rank %d: no memory for %d messages", group.rank, group.room);
        group.request = requests;
        group.other = others;
    }
    group.other[group.count] = other;
    return &group.request[group.count++];
}

/* In pieces, which arrive in the order they are sent. An empty message is one piece. */
static void start_one(const struct qp_message *message)
{
    size_t at = 0;
    do {
        char *data = (char *)message->data + at;
        const int bytes = (int)least(message->bytes - at, baseline_mpi_piece);
        MPI_Request *request = next_request(message->other);
        if (message->comes)
            need(
                MPI_Irecv(data, bytes, MPI_BYTE, message->other, message->tag, group.work, request),
                "MPI_Irecv");
        else
            need(
                MPI_Isend(data, bytes, MPI_BYTE, message->other, message->tag, group.work, request),
                "MPI_Isend");
        at += (size_t)bytes;
    } while (at < message->bytes);
}

static void start(const struct qp_message *messages, int count)
{
    stall_progress();
    for (int i = 0; i < count; i++) {
        if (messages[i].other >= 0)
            start_one(&messages[i]);
    }
}

static void wait_for_messages(void)
{
    if (group.count > 0)
        await(group.count, group.request, group.other, "");
    group.count = 0;
}

/* ---- All together ---- */

static void spread(int from, void *data, size_t bytes)
{
    for (size_t at = 0; at < bytes && group.ranks > 1;) {
        const int piece = (int)least(bytes - at, baseline_mpi_piece);
        MPI_Request request;
        need(MPI_Ibcast((char *)data + at, piece, MPI_BYTE, from, group.work, &request),
             "MPI_Ibcast");
        await(1, &request, NULL, "to take a value");
        at += (size_t)piece;
    }
}

/* MPI's gathering counts places in int: true if these shares can be told so. */
static bool fits_int(const size_t *first, const size_t *bytes)
{
    bool fits = true;
    for (int k = 0; k < group.ranks; k++)
        fits = fits && first[k] + bytes[k] <= baseline_mpi_piece;
    return fits;
}

static void gather(void *data, const size_t *first, const size_t *bytes)
{
    const size_t ranks = (size_t)group.ranks;
    int *count = malloc(2 * ranks * sizeof *count), *place = count + ranks;
    MPI_Request request;
    if (count == NULL)
        die("rank %d: no memory for %zu places", group.rank, ranks);
    for (size_t k = 0; k < ranks; k++) {
        count[k] = (int)bytes[k];
        place[k] = (int)first[k];
    }
    need(MPI_Iallgatherv(MPI_IN_PLACE, 0, MPI_BYTE, data, count, place, MPI_BYTE, group.work,
                         &request),
         "MPI_Iallgatherv");
    await(1, &request, NULL, "to join their shares");
    free(count);
}

static void join(void *data, const size_t *first, const size_t *bytes)
{
    if (group.ranks > 1 && fits_int(first, bytes)) {
        gather(data, first, bytes);
        return;
    }
    for (int k = 0; k < group.ranks; k++)
        spread(k, (char *)data + first[k], bytes[k]);
}

/* The largest code wins; of processes that fail with it, the lowest. */
static enum qp_status agree(enum qp_status status)
{
    struct {
        int status, rank;
    } own = {(int)status, group.rank}, worst = own;
    char sentence[1024] = "";
    MPI_Request request;
    if (group.ranks == 1)
        return status;
    need(MPI_Iallreduce(&own, &worst, 1, MPI_2INT, MPI_MAXLOC, group.work, &request),
         "MPI_Iallreduce");
    await(1, &request, NULL, "to agree");
    group.agreed = (enum qp_status)worst.status;
    if (group.agreed == QP_OK)
        return QP_OK;
    snprintf(sentence, sizeof sentence, "%s", qp_error());
    spread(worst.rank, sentence, sizeof sentence);
    return status != QP_OK ? group.agreed
                           : qp_fail(group.agreed, "rank %d: %s", worst.rank, sentence);
}

void baseline_lend_mpi(void)
{
    qp_link_mpi.open = open_group;
    qp_link_mpi.rank = rank;
    qp_link_mpi.ranks = ranks;
    qp_link_mpi.node_rank = node_rank;
    qp_link_mpi.start = start;
    qp_link_mpi.wait = wait_for_messages;
    qp_link_mpi.spread = spread;
    qp_link_mpi.join = join;
    qp_link_mpi.agree = agree;
    qp_link_mpi.progress = progress;
    qp_link_mpi.alone = alone;
}
#else
void baseline_end_all(enum qp_status status, int code, const char *sentence)
{
    (void)status, (void)code, (void)sentence;
}

void baseline_lend_mpi(void)
{
}
#endif
