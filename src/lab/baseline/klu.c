/* SPDX-License-Identifier: MIT */
/* Sparse Gaussian elimination by SuiteSparse: the direct solver of the command, and the judge of
 * the tests' whole solves. KLU of all its solvers, because it needs no BLAS, which is judged here
 * too, and estimates the condition number; and its licence is the LGPL. */
#include "have.h"
#include "lab/baseline/baseline.h"

#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "toolkit/base/clock.h"
#include "toolkit/base/memory.h"
#include "toolkit/base/status.h"
#include "toolkit/base/watch.h"
#include "toolkit/io/market.h"

#if QP_HAVE_KLU
#include <suitesparse/klu.h>

/* Compressed columns: those of column j are at start[j] to start[j + 1] - 1. */
struct columns {
    int *start, *row;
    double *value;
};

/* Counting sort by columns. Every entry goes to the end of its column's filled part, whose index is
 * kept one place ahead, so that in the end all starts are right. */
static enum qp_status compress(const struct qp_market *a, struct columns *out)
{
    const size_t columns = (size_t)a->columns;
    int row, column;
    out->start = qp_alloc_zero(columns + 2, sizeof *out->start, "column starts");
    out->row = qp_alloc(a->count, sizeof *out->row, "row numbers");
    out->value = qp_alloc(a->count, sizeof *out->value, "values");
    if (out->start == NULL || out->row == NULL || out->value == NULL)
        return QP_NO_MEMORY;
    for (size_t k = 0; k < a->count; k++) {
        qp_market_place(a, k, &row, &column);
        out->start[column + 2]++;
    }
    for (size_t j = 2; j < columns + 2; j++)
        out->start[j] += out->start[j - 1];
    for (size_t k = 0; k < a->count; k++) {
        qp_market_place(a, k, &row, &column);
        int place = out->start[column + 1]++;
        out->row[place] = row;
        out->value[place] = a->value[k];
    }
    return QP_OK;
}

/* ---- Factors ---- */

/* Sparse LU factors under way, and then made. */
struct baseline_klu {
    struct columns columns;
    int rows;
    double most_seconds;    /* refused, once it is analysed, if it is expected to take longer */
    _Atomic double seconds; /* which it is expected to take; 0 until it is analysed */
    klu_common common;
    klu_symbolic *order;
    klu_numeric *factors;
    enum qp_status status;
    char why[256];
    struct task *task; /* thread that makes them; NULL: none */
};

static void destroy(struct baseline_klu *klu)
{
    klu_free_numeric(&klu->factors, &klu->common);
    klu_free_symbolic(&klu->order, &klu->common);
    free(klu->columns.start);
    free(klu->columns.row);
    free(klu->columns.value);
    free(klu);
}

__attribute__((format(printf, 3, 4))) static bool
refuse(struct baseline_klu *klu, enum qp_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(klu->why, sizeof klu->why, format, arguments);
    va_end(arguments);
    klu->status = status;
    return false;
}

/* KLU's own codes: below 0 it had no memory or misuse, above 0 the matrix is singular. */
static bool failed(struct baseline_klu *klu)
{
    const klu_common *common = &klu->common;
    if (common->status != KLU_SINGULAR)
        return refuse(klu, QP_NO_MEMORY, "klu could not factor the matrix (its status %d)",
                      common->status);
    return refuse(klu, QP_BAD_INPUT,
                  "the matrix is singular to the digits of double: elimination finds no pivot in "
                  "column %d",
                  common->singular_col + 1);
}

/* Looks at what factors will take, from their pattern. */
static bool fits(struct baseline_klu *klu)
{
    enum { BYTES = 12 };           /* an entry's, a number and its place */
    const double operation = 1e-9, /* seconds */
        entries = klu->order->lnz + klu->order->unz, bytes = BYTES * entries,
                 there = 0.9 * qp_memory_for(bytes), seconds = operation * klu->order->est_flops;
    if (bytes > there)
        return refuse(klu, QP_NO_MEMORY, "klu's factors need about %.1f GB, and may take %.1f",
                      bytes * 1e-9, there * 1e-9);
    if (seconds > klu->most_seconds)
        return refuse(klu, QP_UNSUPPORTED,
                      "klu's factors fill in to %.2g entries and would take about %.2g s", entries,
                      seconds);
    klu->seconds = seconds;
    return true;
}

static bool factor(struct baseline_klu *klu)
{
    struct columns *a = &klu->columns;
    klu_defaults(&klu->common);
    klu->order = klu_analyze(klu->rows, a->start, a->row, &klu->common);
    if (klu->order == NULL)
        return failed(klu);
    if (!fits(klu))
        return false;
    klu->factors = klu_factor(a->start, a->row, a->value, klu->order, &klu->common);
    return klu->factors != NULL || failed(klu);
}

static enum qp_status create(const struct qp_market *matrix, struct baseline_klu **out)
{
    *out = qp_alloc_zero(1, sizeof **out, "sparse factors");
    if (*out == NULL)
        return QP_NO_MEMORY;
    (*out)->rows = matrix->rows;
    (*out)->most_seconds = INFINITY;
    const enum qp_status status = compress(matrix, &(*out)->columns);
    if (status != QP_OK)
        destroy(*out);
    return status;
}

enum qp_status baseline_solve(const struct qp_market *matrix, const double *b, double *x,
                              double *condition)
{
    struct baseline_klu *klu;
    if (qp_market_check_square(matrix) != QP_OK)
        return QP_BAD_INPUT;
    enum qp_status status = create(matrix, &klu);
    if (status != QP_OK)
        return status;
    struct columns *a = &klu->columns;
    memcpy(x, b, (size_t)matrix->rows * sizeof *x);
    const bool good =
        factor(klu) && ((klu_condest(a->start, a->value, klu->order, klu->factors, &klu->common) &&
                         klu_solve(klu->order, klu->factors, klu->rows, 1, x, &klu->common)) ||
                        failed(klu));
    *condition = klu->common.condest;
    status = good ? QP_OK : qp_fail(klu->status, "%s", klu->why);
    destroy(klu);
    return status;
}

/* ---- Factors for solves, which an interrupt ends ---- */

/* KLU cannot be interrupted. So a thread factors, and is left alone with what it has if it is not
 * to be waited for; it frees that at its end, or the end of the program does. */
struct task {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t ended;
    bool has_ended, is_left;
};

static void destroy_task(struct baseline_klu *klu)
{
    pthread_cond_destroy(&klu->task->ended);
    pthread_mutex_destroy(&klu->task->lock);
    free(klu->task);
    klu->task = NULL;
}

static void *run(void *user)
{
    struct baseline_klu *klu = user;
    factor(klu);
    pthread_mutex_lock(&klu->task->lock);
    const bool is_left = klu->task->is_left;
    klu->task->has_ended = true;
    pthread_cond_signal(&klu->task->ended);
    pthread_mutex_unlock(&klu->task->lock);
    if (is_left) {
        destroy_task(klu);
        destroy(klu);
    }
    return NULL;
}

/* Waits for the thread's end. False after an interrupt, which leaves it alone. */
static bool wait_for(struct baseline_klu *klu, const volatile sig_atomic_t *interrupt)
{
    enum { LOOK = 20000000 }; /* nanoseconds between two looks */
    const double begin = qp_clock();
    struct task *task = klu->task;
    pthread_mutex_lock(&task->lock);
    while (!task->has_ended && !qp_is_interrupted(interrupt)) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += LOOK;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&task->ended, &task->lock, &until);
        const double whole = klu->seconds;
        if (whole > 0.0)
            qp_watch_leaves(fmin((qp_clock() - begin) / whole, 0.99));
    }
    const bool has_ended = task->has_ended;
    const pthread_t thread = task->thread;
    task->is_left = !has_ended;
    pthread_mutex_unlock(&task->lock);
    if (has_ended)
        pthread_join(thread, NULL);
    else
        pthread_detach(thread);
    return has_ended;
}

static enum qp_status start(struct baseline_klu *klu)
{
    klu->task = qp_alloc_zero(1, sizeof *klu->task, "a thread that factors");
    if (klu->task == NULL)
        return QP_NO_MEMORY;
    pthread_mutex_init(&klu->task->lock, NULL);
    pthread_cond_init(&klu->task->ended, NULL);
    if (pthread_create(&klu->task->thread, NULL, run, klu) == 0)
        return QP_OK;
    destroy_task(klu);
    return qp_fail(QP_NO_MEMORY, "no thread can be started that factors");
}

static enum qp_status factor_direct(const struct qp_market *matrix, double seconds,
                                    const volatile sig_atomic_t *interrupt, void **factors,
                                    char *why, size_t size)
{
    struct baseline_klu *klu = NULL;
    *factors = NULL;
    enum qp_status status = create(matrix, &klu);
    if (status == QP_OK) {
        klu->most_seconds = seconds;
        status = start(klu);
        if (status == QP_OK && !wait_for(klu, interrupt))
            return QP_OK;
        if (status == QP_OK)
            destroy_task(klu);
        if (status == QP_OK && klu->status != QP_OK)
            status = qp_fail(klu->status, "%s", klu->why);
        if (status != QP_OK)
            destroy(klu);
    }
    if (status == QP_OK)
        *factors = klu;
    else
        snprintf(why, size, "%s", qp_error());
    return status;
}

static enum qp_status solve_direct(void *factors, double *x, char *why, size_t size)
{
    struct baseline_klu *klu = factors;
    if (klu_solve(klu->order, klu->factors, klu->rows, 1, x, &klu->common))
        return QP_OK;
    snprintf(why, size, "klu could not solve (its status %d)", klu->common.status);
    return QP_NO_MEMORY;
}

static void destroy_direct(void *factors)
{
    if (factors != NULL)
        destroy(factors);
}

const struct qp_direct *baseline_direct(void)
{
    static const struct qp_direct klu = {"klu", factor_direct, solve_direct, destroy_direct};
    return &klu;
}
#else
enum qp_status baseline_solve(const struct qp_market *matrix, const double *b, double *x,
                              double *condition)
{
    (void)matrix, (void)b, (void)x, (void)condition;
    return qp_fail(QP_UNSUPPORTED, "built without SuiteSparse");
}

const struct qp_direct *baseline_direct(void)
{
    return NULL;
}
#endif
