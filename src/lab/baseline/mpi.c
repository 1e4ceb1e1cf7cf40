/* SPDX-License-Identifier: MIT */
/* MPI as the link between processes (lab/engines/parts/link.h): messages, and what all do
 * together; and the group of processes, in builds with MPI: who is in it, how it waits, how it
 * ends. Nothing blocks inside MPI, which would wait for ever for a process that was stopped: all
 * waiting is a loop that tests, gives way to others, and counts its patience. */
#include "have.h"
#include "lab/baseline/baseline.h"
#include "lab/baseline/ranks.h"

#include "lab/engines/parts/link.h"

size_t baseline_mpi_piece = (size_t)1 << 30;

#if QP_HAVE_MPI
#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "lab/baseline/stall.h"
#include "toolkit/base/clock.h"
#include "toolkit/base/status.h"

enum { EXIT_ALL = 3 };

/* Messages between processes beside their work. A process that asks gets LIVES from all that look
 * at their messages. */
enum word { LIVES, ALONE, BACK, ASKS, WORDS };

/* The group of processes. */
static struct {
    bool opened, alone;
    int rank, ranks, node_rank;
    MPI_Comm talk;
    MPI_Request *request; /* under way */
    int count, room;
    enum qp_status agreed;
    double told;    /* by the clock: when the others heard last that this process lives */
    int apart;      /* processes that do something alone */
    int asks;       /* the lowest one that has asked; `ranks`: none */
    bool *answered; /* each process, since this one has asked */
} group = {.ranks = 1};

/* ---- Ends ---- */

static _Noreturn void end_all(int code)
{
    fflush(NULL);
    MPI_Abort(MPI_COMM_WORLD, code);
    _exit(code);
}

/* Ends all processes, with exit code 3 and a sentence on standard error itself: the stream may lead
 * nowhere in all processes but one. */
__attribute__((format(printf, 1, 2))) static _Noreturn void group_die(const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    dprintf(STDERR_FILENO, "quadpass: rank %d %s\n", group.rank, text);
    end_all(EXIT_ALL);
}

/* The same, with MPI's words, unless a call of MPI answered that all is well. */
static void group_need(int answer, const char *call)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length;
    if (answer == MPI_SUCCESS)
        return;
    MPI_Error_string(answer, text, &length);
    group_die("cannot go on: %s: %s", call, text);
}

void baseline_end_all(enum qp_status status, int code, const char *sentence)
{
    const bool fatal = group.ranks > 1 || (baseline_rank() > 0 && code == EXIT_ALL);
    if (!fatal || (status != QP_OK && status == group.agreed))
        return;
    if (baseline_rank() == 0) {
        dprintf(STDERR_FILENO, "quadpass: %s\n", sentence);
    } else {
        stall_pause(true);
        sleep(1); /* number 0, if it fails likewise, ends this one meanwhile */
        dprintf(STDERR_FILENO, "quadpass: rank %d: %s\n", baseline_rank(), sentence);
    }
    if (group.ranks == 1)
        _exit(code);
    end_all(code);
}

/* ---- Talk ---- */

/* Sends a word from an array that lives on, so that nobody waits until it is through. */
static void say(int to, enum word word)
{
    static const int words[WORDS] = {LIVES, ALONE, BACK, ASKS};
    MPI_Request request;
    group_need(MPI_Isend(&words[word], 1, MPI_INT, to, 0, group.talk, &request), "MPI_Isend");
    group_need(MPI_Request_free(&request), "MPI_Request_free");
}

static void say_to_all(enum word word)
{
    group.told = qp_clock();
    for (int i = 0; i < group.ranks; i++) {
        if (i != group.rank)
            say(i, word);
    }
}

static void hear_word(enum word word, int from)
{
    group.apart += (word == ALONE) - (word == BACK);
    group.answered[from] = true;
    if (word == ASKS) {
        group.asks = from < group.asks ? from : group.asks;
        say(from, LIVES);
    }
}

/* Takes the messages of the others. True if one of them works on. */
static bool hear(void)
{
    bool works = false;
    for (;;) {
        MPI_Status status;
        int here, word;
        group_need(MPI_Iprobe(MPI_ANY_SOURCE, 0, group.talk, &here, &status), "MPI_Iprobe");
        if (!here)
            return works || group.apart > 0;
        group_need(MPI_Recv(&word, 1, MPI_INT, status.MPI_SOURCE, 0, group.talk, MPI_STATUS_IGNORE),
                   "MPI_Recv");
        hear_word((enum word)word, status.MPI_SOURCE);
        works = works || word != ASKS;
    }
}

static void hear_for(int milliseconds)
{
    for (int i = 0; i < milliseconds; i++) {
        usleep(1000);
        stall_progress();
        hear();
    }
}

/* ---- Patience at its end ---- */

/* The lowest of those that did not answer; `ranks` where all did. *others counts the rest of
 * them. */
static int find_silent(int *others)
{
    int silent = group.ranks;
    *others = -1;
    for (int i = group.ranks - 1; i >= 0; i--) {
        if (i != group.rank && !group.answered[i]) {
            silent = i;
            ++*others;
        }
    }
    return silent;
}

/* Asks all whether they live, and says who does not. One process alone speaks: the first that asks,
 * or the lowest of those that do so at once. */
static _Noreturn void give_up(void)
{
    enum { ANSWER_MS = 300, OTHER_MS = 3000 };
    char more[32] = "";
    int others;
    hear();
    const bool asks = group.asks == group.ranks;
    if (asks) {
        for (int i = 0; i < group.ranks; i++)
            group.answered[i] = false;
        say_to_all(ASKS);
        hear_for(ANSWER_MS);
    }
    if (!asks || group.asks < group.rank)
        hear_for(OTHER_MS); /* which ends this process meanwhile */
    const int silent = find_silent(&others);
    if (silent == group.ranks)
        group_die("has waited %g s, and all others wait too (--stall)", stall_seconds());
    if (others > 0)
        snprintf(more, sizeof more, " and %d more", others);
    group_die("has waited %g s, and rank %d%s gives no answer (--stall)", stall_seconds(), silent,
              more);
}

/* ---- Waiting ---- */

/* A place for one more request under way, valid until the next call. Room that moves takes nothing
 * from MPI: a request is a handle. */
static MPI_Request *group_request(void)
{
    if (group.count == group.room) {
        group.room = 2 * group.room + 16;
        MPI_Request *requests = realloc(group.request, (size_t)group.room * sizeof *requests);
        if (requests == NULL)
            group_die("has no memory for %d messages", group.room);
        group.request = requests;
    }
    return &group.request[group.count++];
}

/* Waits until all requests are through from number `first` on, and forgets those. */
static void group_wait(int first)
{
    struct stall_wait wait = {0};
    for (int through = group.count == first;;) {
        stall_progress();
        if (!through)
            group_need(MPI_Testall(group.count - first, group.request + first, &through,
                                   MPI_STATUSES_IGNORE),
                       "MPI_Testall");
        if (through)
            break;
        if (hear())
            stall_hope(&wait);
        if (!stall_goes_on(&wait))
            give_up();
    }
    group.count = first;
}

static void group_progress(void)
{
    if (group.ranks == 1)
        return;
    stall_progress();
    hear();
    if (qp_clock() - group.told > 0.25 * stall_seconds())
        say_to_all(LIVES);
}

static void group_alone(bool begins)
{
    if (group.ranks == 1 || begins == group.alone)
        return;
    group.alone = begins;
    stall_pause(begins);
    say_to_all(begins ? ALONE : BACK);
}

/* ---- Joining and leaving ---- */

/* Leaves the group at the program's end. A process that ends all for itself never comes here. */
static void leave(void)
{
    const int first = group.count;
    group_need(MPI_Ibarrier(group.talk, group_request()), "MPI_Ibarrier");
    group_wait(first);
    stall_pause(true);
    free(group.request);
    free(group.answered);
    MPI_Finalize();
}

/* Copies through shared memory: to read another process's memory is faster for megabytes, not for
 * borders, and refused in containers. */
static enum qp_status start_mpi(void)
{
    int level;
    setenv("OMPI_MCA_btl_vader_single_copy_mechanism", "none", 0);
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS ||
        level < MPI_THREAD_FUNNELED)
        return qp_fail(QP_UNSUPPORTED, "MPI does not start here with threads");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    return QP_OK;
}

static void find_node_rank(void)
{
    MPI_Comm node;
    group_need(
        MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, group.rank, MPI_INFO_NULL, &node),
        "MPI_Comm_split_type");
    group_need(MPI_Comm_rank(node, &group.node_rank), "MPI_Comm_rank");
    MPI_Comm_free(&node);
}

/* Opens the group. One process alone starts nothing: MPI takes 0.3 s for that, and wants programs
 * of its own. */
static enum qp_status group_open(void)
{
    if (group.opened || baseline_ranks() == 1)
        return QP_OK;
    stall_watch(baseline_rank());
    enum qp_status status = start_mpi();
    if (status != QP_OK)
        return status;
    group.opened = true;
    group_need(MPI_Comm_rank(MPI_COMM_WORLD, &group.rank), "MPI_Comm_rank");
    group_need(MPI_Comm_size(MPI_COMM_WORLD, &group.ranks), "MPI_Comm_size");
    if (group.ranks == 1)
        group_die("was started with others that MPI does not know: start it by mpirun, or by srun "
                  "--mpi=pmix");
    group.answered = calloc((size_t)group.ranks, sizeof *group.answered);
    if (group.answered == NULL)
        group_die("has no memory for %d processes", group.ranks);
    group_need(MPI_Comm_dup(MPI_COMM_WORLD, &group.talk), "MPI_Comm_dup");
    find_node_rank();
    group.asks = group.ranks;
    group.told = qp_clock();
    stall_started();
    atexit(leave);
    return QP_OK;
}

static int group_rank(void)
{
    return group.rank;
}

static int group_ranks(void)
{
    return group.ranks;
}

static int group_node_rank(void)
{
    return group.node_rank;
}

/* ---- The link ---- */

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
    const int first = group.count;
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
    const int begin = group.count;
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
    const int first = group.count;
    if (group_ranks() == 1)
        return status;
    group_need(MPI_Iallreduce(&own, &worst, 1, MPI_2INT, MPI_MAXLOC, work, group_request()),
               "MPI_Iallreduce");
    group_wait(first);
    const enum qp_status agreed = (enum qp_status)worst.status;
    group.agreed = agreed;
    if (agreed == QP_OK)
        return QP_OK;
    snprintf(sentence, sizeof sentence, "%s", qp_error());
    spread(worst.rank, sentence, sizeof sentence);
    return status != QP_OK ? agreed : qp_fail(agreed, "rank %d: %s", worst.rank, sentence);
}

void baseline_lend_mpi(void)
{
    qp_link_mpi = (struct qp_link){.library = qp_link_mpi.library,
                                   .open = open_work,
                                   .rank = group_rank,
                                   .ranks = group_ranks,
                                   .node_rank = group_node_rank,
                                   .start = start,
                                   .wait = wait_for_messages,
                                   .spread = spread,
                                   .join = join,
                                   .agree = agree,
                                   .progress = group_progress,
                                   .alone = group_alone};
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
