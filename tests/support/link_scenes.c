/* SPDX-License-Identifier: MIT */
#include "support/link_scenes.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lab/baseline/baseline.h"
#include "lab/baseline/ranks.h"
#include "lab/engines/parts/link.h"
#include "support/support.h"
#include "toolkit/base/status.h"

static int own, all;

#define DEMAND(true_here)                                                        \
    do {                                                                         \
        if (!(true_here)) {                                                      \
            printf("rank %d, line %d: not so: %s\n", own, __LINE__, #true_here); \
            fflush(stdout);                                                      \
            exit(1);                                                             \
        }                                                                        \
    } while (0)

/* Byte i of what process k sends for the n-th time. */
static unsigned char byte(int k, int n, size_t i)
{
    return (unsigned char)(31 * k + 7 * n + (int)(i % 251) + (int)(i / 251) + 1);
}

static void fill(unsigned char *at, size_t bytes, int k, int n)
{
    for (size_t i = 0; i < bytes; i++)
        at[i] = byte(k, n, i);
}

static bool is_filled(const unsigned char *at, size_t bytes, int k, int n)
{
    for (size_t i = 0; i < bytes; i++) {
        if (at[i] != byte(k, n, i))
            return false;
    }
    return true;
}

/* In both directions round a ring at once, two of a kind under way; the ends of the chain have no
 * neighbour. */
static void ring(size_t bytes, bool closed)
{
    const int up = own + 1 < all ? own + 1 : closed ? 0 : -1;
    const int down = own > 0 ? own - 1 : closed ? all - 1 : -1;
    unsigned char *data = calloc(6, bytes + 1);
    struct qp_message messages[6];
    unsigned char *at[6];
    for (int i = 0; i < 6; i++)
        at[i] = data + (size_t)i * (bytes + 1);
    fill(at[0], bytes, own, 0);
    fill(at[1], bytes, own, 1);
    fill(at[2], bytes, own, 2);
    messages[0] = (struct qp_message){down, 5, true, at[3], bytes};
    messages[1] = (struct qp_message){down, 5, true, at[4], bytes};
    messages[2] = (struct qp_message){up, 6, true, at[5], bytes};
    messages[3] = (struct qp_message){up, 5, false, at[0], bytes};
    messages[4] = (struct qp_message){up, 5, false, at[1], bytes};
    messages[5] = (struct qp_message){down, 6, false, at[2], bytes};
    qp_link_mpi.start(messages, 2);
    qp_link_mpi.start(messages + 2, 4);
    qp_link_mpi.wait();
    DEMAND(down < 0 || is_filled(at[3], bytes, down, 0));
    DEMAND(down < 0 || is_filled(at[4], bytes, down, 1));
    DEMAND(up < 0 || is_filled(at[5], bytes, up, 2));
    DEMAND(down >= 0 || (at[3][0] == 0 && at[4][0] == 0));
    for (int i = 0; i < 6; i++)
        DEMAND(at[i][bytes] == 0);
    free(data);
}

static void spreading(void)
{
    static const size_t sizes[] = {0, 1, 999, 70001};
    for (int k = 0; k < COUNT(sizes); k++) {
        const int from = (all - 1) * (k % 2);
        unsigned char *data = calloc(sizes[k] + 1, 1);
        if (own == from)
            fill(data, sizes[k], from, k);
        qp_link_mpi.spread(from, data, sizes[k]);
        DEMAND(is_filled(data, sizes[k], from, k) && data[sizes[k]] == 0);
        free(data);
    }
}

/* Shares of 0, 1001, 2002 ... bytes with gaps of three between them, which stay as they are. */
static void joining(void)
{
    size_t first[8], bytes[8], end = 3;
    for (int k = 0; k < all; k++) {
        first[k] = end;
        bytes[k] = (size_t)k * 1001;
        end += bytes[k] + 3;
    }
    unsigned char *data = calloc(end, 1);
    fill(data + first[own], bytes[own], own, 0);
    qp_link_mpi.join(data, first, bytes);
    for (int k = 0; k < all; k++) {
        DEMAND(is_filled(data + first[k], bytes[k], k, 0));
        for (size_t i = 1; i <= 3; i++)
            DEMAND(data[first[k] - i] == 0);
    }
    free(data);
}

static void agreeing(void)
{
    DEMAND(qp_link_mpi.agree(QP_OK) == QP_OK);
    const bool fails = own == all - 1;
    if (fails)
        qp_fail(QP_NO_MEMORY, "no memory for a test");
    DEMAND(qp_link_mpi.agree(fails ? QP_NO_MEMORY : QP_OK) == QP_NO_MEMORY);
    char expected[64];
    snprintf(expected, sizeof expected, "rank %d: no memory for a test", all - 1);
    DEMAND(strcmp(qp_error(), fails ? "no memory for a test" : expected) == 0);
    if (all > 1) /* two that fail: the worse, and then the lower */
        DEMAND(qp_link_mpi.agree(own == 0   ? QP_UNSUPPORTED
                                 : own == 1 ? QP_DEVICE
                                            : QP_OK) == QP_DEVICE);
    DEMAND(qp_link_mpi.agree(QP_OK) == QP_OK);
}

static void everything(void)
{
    static const size_t sizes[] = {0, 1, 3, 4096, 4097, 65537, 300001};
    DEMAND(own == baseline_rank() && all == baseline_ranks());
    DEMAND(qp_link_mpi.node_rank() == own); /* all are on this machine */
    for (int k = 0; k < 2 * COUNT(sizes); k++)
        ring(sizes[k / 2], all > 2 && k % 2 == 0);
    spreading();
    joining();
    agreeing();
    baseline_mpi_piece = 1000;
    ring(4097, false);
    ring(3000, false);
    spreading();
    joining();
    qp_link_mpi.wait();
}

/* A process computes for longer than the others' patience, and says so. */
static void slow(void)
{
    for (int i = 0; i < 12 && own == 0; i++) {
        usleep(200000);
        qp_link_mpi.progress();
    }
    DEMAND(qp_link_mpi.agree(QP_OK) == QP_OK);
}

/* A process does something alone that nobody can look into. */
static void apart(void)
{
    if (own == 0) {
        qp_link_mpi.alone(true);
        usleep(2600000);
        qp_link_mpi.alone(false);
    }
    spreading();
}

static void fails(void)
{
    if (own == 1) {
        baseline_end_all(QP_NO_MEMORY, 3, "no memory for a test");
        exit(1);
    }
    spreading();
}

/* A failure that all know ends them all by itself. */
static void fail_together(void)
{
    if (own == 1)
        qp_fail(QP_NO_MEMORY, "no memory for a test");
    enum qp_status status = qp_link_mpi.agree(own == 1 ? QP_NO_MEMORY : QP_OK);
    baseline_end_all(status, 3, qp_error());
    exit(own == 0 ? 3 : 0);
}

/* Sends to both neighbours of a chain and waits for theirs, of which process 1 sends none: it is
 * stopped, dead, or waits for a message that nobody sends. */
static void lose(int number)
{
    int sent = 0, got[2];
    ring(10, false);
    if (own == 1 && number != 0)
        raise(number);
    for (int round = 0; round < 3; round++) {
        for (int k = 0; k < 4; k++) {
            const int other = own + (k % 2 == 0 ? 1 : -1);
            const struct qp_message message = {.other = other < all ? other : -1,
                                               .tag = own == 1 ? 7 : 1,
                                               .comes = k < 2,
                                               .data = k < 2 ? &got[k % 2] : &sent,
                                               .bytes = sizeof sent};
            qp_link_mpi.start(&message, 1);
        }
        qp_link_mpi.wait();
    }
    exit(1);
}

static void stop(void)
{
    lose(SIGSTOP);
}

static void die(void)
{
    lose(SIGKILL);
}

static void deadlock(void)
{
    lose(0);
}

/* Computes without end. */
static void hang(void)
{
    while (own == 1)
        usleep(1000);
    spreading();
}

static const struct {
    const char *name;
    void (*run)(void);
} scenes[] = {{"everything", everything},
              {"slow", slow},
              {"apart", apart},
              {"fails", fails},
              {"fail_together", fail_together},
              {"hang", hang},
              {"stop", stop},
              {"die", die},
              {"deadlock", deadlock}};

int link_play(const char *name)
{
    baseline_lend_mpi();
    baseline_set_stall(LINK_PATIENCE);
    if (qp_link_mpi.open() != QP_OK)
        return 1;
    own = qp_link_mpi.rank();
    all = qp_link_mpi.ranks();
    for (int i = 0; i < COUNT(scenes); i++) {
        if (strcmp(name, scenes[i].name) == 0) {
            scenes[i].run();
            return 0;
        }
    }
    return 1;
}
