/* SPDX-License-Identifier: MIT */
#include "lab/engines/parts/pool.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <quadpass/context.h>

struct member {
    struct qp_pool *pool;
    int id;
    pthread_t thread;
    struct qp_context *context;
};

/* Barrier of the pool's threads, without their caller. The last to come lets the others go on. */
struct barrier {
    int threads, looks; /* looks: before a thread that waits goes to sleep */
    atomic_int missing;
    atomic_uint opened; /* how many times */
    pthread_mutex_t mutex;
    pthread_cond_t opens;
};

struct qp_pool {
    int threads, started, nodes;
    struct member *member;
    struct barrier barrier;
    pthread_mutex_t mutex; /* for all that follows */
    pthread_cond_t begun, done;
    unsigned long round; /* round of work; a thread waits for the next one */
    int busy;            /* threads that have not done with this one */
    bool ends;
    void (*work)(void *user, int id);
    void *user;
};

/* ---- The barrier ---- */

/* A core's time between two looks, without the memory's. */
static void rest(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

/* To sleep and to be woken takes some 40 us, as long as a step of 512 x 512 cells: where each
 * thread has a core, one that waits looks about as long for the others. */
static void barrier_start(struct barrier *barrier, int threads)
{
    enum { LOOKS = 4000 };
    barrier->threads = threads;
    barrier->looks = threads <= sysconf(_SC_NPROCESSORS_ONLN) ? LOOKS : 0;
    atomic_init(&barrier->missing, threads);
    atomic_init(&barrier->opened, 0);
    pthread_mutex_init(&barrier->mutex, NULL);
    pthread_cond_init(&barrier->opens, NULL);
}

static void barrier_open(struct barrier *barrier)
{
    atomic_store(&barrier->missing, barrier->threads); /* before anybody can come again */
    pthread_mutex_lock(&barrier->mutex);
    atomic_fetch_add(&barrier->opened, 1);
    pthread_cond_broadcast(&barrier->opens);
    pthread_mutex_unlock(&barrier->mutex);
}

static void barrier_wait(struct barrier *barrier)
{
    const unsigned before = atomic_load(&barrier->opened);
    if (atomic_fetch_sub(&barrier->missing, 1) == 1) {
        barrier_open(barrier);
        return;
    }
    for (int i = 0; i < barrier->looks && atomic_load(&barrier->opened) == before; i++)
        rest();
    if (atomic_load(&barrier->opened) != before)
        return;
    pthread_mutex_lock(&barrier->mutex);
    while (atomic_load(&barrier->opened) == before)
        pthread_cond_wait(&barrier->opens, &barrier->mutex);
    pthread_mutex_unlock(&barrier->mutex);
}

static void barrier_end(struct barrier *barrier)
{
    pthread_cond_destroy(&barrier->opens);
    pthread_mutex_destroy(&barrier->mutex);
}

/* ---- A thread ---- */

/* Waits for a round beyond the last one seen; false at the end. */
static bool next_round(struct qp_pool *pool, unsigned long *seen)
{
    pthread_mutex_lock(&pool->mutex);
    while (pool->round == *seen && !pool->ends)
        pthread_cond_wait(&pool->begun, &pool->mutex);
    const bool goes_on = !pool->ends;
    *seen = pool->round;
    pthread_mutex_unlock(&pool->mutex);
    return goes_on;
}

static void *live(void *user)
{
    struct member *member = user;
    struct qp_pool *pool = member->pool;
    unsigned long seen = 0;
    while (next_round(pool, &seen)) {
        pool->work(pool->user, member->id);
        pthread_mutex_lock(&pool->mutex);
        if (--pool->busy == 0)
            pthread_cond_signal(&pool->done);
        pthread_mutex_unlock(&pool->mutex);
    }
    qp_context_destroy(&member->context);
    return NULL;
}

/* ---- Cores ---- */

/* True if this core belongs to this node, as Linux reports. */
static bool belongs(int cpu, int node)
{
    char path[64];
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/node%d", cpu, node);
    return access(path, F_OK) == 0;
}

static int node_of(int cpu)
{
    enum { NODES = 64 };
    int node = 0;
    while (node < NODES && !belongs(cpu, node))
        node++;
    return node;
}

struct core {
    int cpu, node;
};

/* The cores that this thread may run on, node by node; returns their number, 0 if the system does
 * not report them. */
static int list_cores(struct core cores[CPU_SETSIZE])
{
    int count = 0;
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
        return 0;
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (!CPU_ISSET(cpu, &allowed))
            continue;
        const struct core its = {cpu, node_of(cpu)};
        int k = count++;
        for (; k > 0 && cores[k - 1].node > its.node; k--)
            cores[k] = cores[k - 1];
        cores[k] = its;
    }
    return count;
}

/* Core of thread `id`: one each, or shared with neighbouring numbers if cores are fewer. */
static const struct core *core_of(const struct core cores[], int count, int id, int threads)
{
    return &cores[threads <= count ? id : (int)((long)id * count / threads)];
}

static int count_nodes(const struct core cores[], int count, int threads)
{
    int nodes = 1;
    for (int id = 1; id < threads; id++)
        nodes += core_of(cores, count, id, threads)->node !=
                 core_of(cores, count, id - 1, threads)->node;
    const int share = threads / nodes;
    bool even = threads % nodes == 0;
    for (int id = 0; id < threads && even; id++)
        even = core_of(cores, count, id, threads)->node ==
               core_of(cores, count, id / share * share, threads)->node;
    return even ? nodes : 1;
}

/* ---- The pool ---- */

/* Starts one thread, on this core; -1: on any. Returns 0 or the system's number of an error. */
static int start_one(struct qp_pool *pool, int cpu)
{
    struct member *member = &pool->member[pool->started];
    pthread_attr_t attributes;
    cpu_set_t set;
    int error = pthread_attr_init(&attributes);
    if (error != 0)
        return error;
    CPU_ZERO(&set);
    if (cpu >= 0) {
        CPU_SET(cpu, &set);
        error = pthread_attr_setaffinity_np(&attributes, sizeof set, &set);
    }
    *member = (struct member){.pool = pool, .id = pool->started};
    if (error == 0)
        error = pthread_create(&member->thread, &attributes, live, member);
    pthread_attr_destroy(&attributes);
    pool->started += error == 0;
    return error;
}

static enum qp_status start_all(struct qp_pool *pool, bool bound)
{
    struct core cores[CPU_SETSIZE];
    const int count = bound ? list_cores(cores) : 0;
    int error = 0;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (pool->started < pool->threads && error == 0)
        error = start_one(pool, count > 0 ? core_of(cores, count, pool->started, pool->threads)->cpu
                                          : -1);
    pool->nodes = count > 0 ? count_nodes(cores, count, pool->threads) : 1;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error == 0)
        return QP_OK;
    return qp_fail(QP_NO_MEMORY, "thread %d of %d cannot be started: %s", pool->started + 1,
                   pool->threads, strerror(error));
}

enum qp_status qp_pool_start(int threads, bool bound, struct qp_pool **out)
{
    struct qp_pool *pool = qp_alloc_zero(1, sizeof *pool, "a pool of threads");
    *out = NULL;
    if (pool == NULL)
        return QP_NO_MEMORY;
    pool->member = qp_alloc_zero((size_t)threads, sizeof *pool->member, "a pool's threads");
    if (pool->member == NULL) {
        free(pool);
        return QP_NO_MEMORY;
    }
    pool->threads = threads;
    barrier_start(&pool->barrier, threads);
    pthread_mutex_init(&pool->mutex, NULL);
    pthread_cond_init(&pool->begun, NULL);
    pthread_cond_init(&pool->done, NULL);
    const enum qp_status status = start_all(pool, bound);
    *out = pool;
    if (status != QP_OK)
        qp_pool_stop(out);
    return status;
}

void qp_pool_run(struct qp_pool *pool, void (*work)(void *user, int id), void *user)
{
    pthread_mutex_lock(&pool->mutex);
    pool->work = work;
    pool->user = user;
    pool->busy = pool->threads;
    pool->round++;
    pthread_cond_broadcast(&pool->begun);
    while (pool->busy > 0)
        pthread_cond_wait(&pool->done, &pool->mutex);
    pthread_mutex_unlock(&pool->mutex);
}

void qp_pool_wait(struct qp_pool *pool)
{
    barrier_wait(&pool->barrier);
}

struct qp_context **qp_pool_context(struct qp_pool *pool, int id)
{
    return &pool->member[id].context;
}

int qp_pool_threads(const struct qp_pool *pool)
{
    return pool->threads;
}

int qp_pool_nodes(const struct qp_pool *pool)
{
    return pool->nodes;
}

void qp_pool_stop(struct qp_pool **out)
{
    struct qp_pool *pool = *out;
    if (pool == NULL)
        return;
    pthread_mutex_lock(&pool->mutex);
    pool->ends = true;
    pthread_cond_broadcast(&pool->begun);
    pthread_mutex_unlock(&pool->mutex);
    for (int k = 0; k < pool->started; k++)
        pthread_join(pool->member[k].thread, NULL);
    pthread_cond_destroy(&pool->done);
    pthread_cond_destroy(&pool->begun);
    pthread_mutex_destroy(&pool->mutex);
    barrier_end(&pool->barrier);
    free(pool->member);
    free(pool);
    *out = NULL;
}
