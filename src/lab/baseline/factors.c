/* SPDX-License-Identifier: MIT */
#include "lab/baseline/factors.h"

#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "toolkit/base/clock.h"
#include "toolkit/base/memory.h"
#include "toolkit/base/watch.h"
#include "toolkit/io/market.h"

/* ---- Columns ---- */

/* Counting sort by columns. Every entry goes to the end of its column's filled part, whose index is
 * kept one place ahead, so that in the end all starts are right. */
static enum qp_status compress(const struct qp_market *a, struct baseline_factors *out)
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

enum qp_status baseline_factors_create(const struct baseline_sparse *by,
                                       const struct qp_market *matrix,
                                       struct baseline_factors **out)
{
    *out = qp_alloc_zero(1, sizeof **out, "sparse factors");
    if (*out == NULL)
        return QP_NO_MEMORY;
    (*out)->by = by;
    (*out)->rows = matrix->rows;
    (*out)->most_seconds = INFINITY;
    const enum qp_status status = compress(matrix, *out);
    if (status != QP_OK)
        baseline_factors_destroy(*out);
    return status;
}

void baseline_factors_destroy(struct baseline_factors *factors)
{
    factors->by->destroy(factors);
    free(factors->start);
    free(factors->row);
    free(factors->value);
    free(factors);
}

/* ---- Refusals ---- */

bool baseline_refuse(struct baseline_factors *factors, enum qp_status status, const char *format,
                     ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(factors->why, sizeof factors->why, format, arguments);
    va_end(arguments);
    factors->status = status;
    return false;
}

bool baseline_fits(struct baseline_factors *factors, double entries, double operations)
{
    enum { BYTES = 12 };           /* an entry's, a number and its place */
    const double operation = 1e-9, /* seconds */
        bytes = BYTES * entries, there = 0.9 * qp_memory_for(bytes),
                 seconds = operation * operations;
    if (bytes > there)
        return baseline_refuse(factors, QP_NO_MEMORY,
                               "%s's factors need about %.1f GB, and may take %.1f",
                               factors->by->name, bytes * 1e-9, there * 1e-9);
    if (seconds > factors->most_seconds)
        return baseline_refuse(factors, QP_UNSUPPORTED,
                               "%s's factors fill in to %.2g entries and would take about %.2g s",
                               factors->by->name, entries, seconds);
    factors->seconds = seconds;
    return true;
}

/* ---- Factors for solves, which an interrupt ends ---- */

/* Rows of a matrix, even a full one, that SuiteSparse factors within the two seconds in which an
 * interrupt is to end a solve: no thread. */
enum { QUICK = 1024 };

/* SuiteSparse cannot be interrupted. So a thread factors, and is left alone with what it has if it
 * is not to be waited for; it frees that at its end, or the end of the program does. */
struct baseline_task {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t ended;
    bool has_ended, is_left;
};

static void destroy_task(struct baseline_factors *f)
{
    pthread_cond_destroy(&f->task->ended);
    pthread_mutex_destroy(&f->task->lock);
    free(f->task);
    f->task = NULL;
}

static void *run(void *user)
{
    struct baseline_factors *f = user;
    f->by->factor(f);
    pthread_mutex_lock(&f->task->lock);
    const bool is_left = f->task->is_left;
    f->task->has_ended = true;
    pthread_cond_signal(&f->task->ended);
    pthread_mutex_unlock(&f->task->lock);
    if (is_left) {
        destroy_task(f);
        baseline_factors_destroy(f);
    }
    return NULL;
}

/* Waits for the thread's end. False after an interrupt, which leaves it alone. */
static bool wait_for(struct baseline_factors *f, const volatile sig_atomic_t *interrupt)
{
    enum { LOOK = 20000000 }; /* nanoseconds between two looks */
    const double begin = qp_clock();
    struct baseline_task *task = f->task;
    pthread_mutex_lock(&task->lock);
    while (!task->has_ended && !qp_is_interrupted(interrupt)) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += LOOK;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&task->ended, &task->lock, &until);
        const double whole = f->seconds;
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

static enum qp_status start(struct baseline_factors *f)
{
    f->task = qp_alloc_zero(1, sizeof *f->task, "a thread that factors");
    if (f->task == NULL)
        return QP_NO_MEMORY;
    pthread_mutex_init(&f->task->lock, NULL);
    pthread_cond_init(&f->task->ended, NULL);
    if (pthread_create(&f->task->thread, NULL, run, f) == 0)
        return QP_OK;
    destroy_task(f);
    return qp_fail(QP_NO_MEMORY, "no thread can be started that factors");
}

enum qp_status baseline_factors_make(const struct baseline_sparse *by,
                                     const struct qp_market *matrix, double seconds,
                                     const volatile sig_atomic_t *interrupt, void **factors,
                                     char *why, size_t size)
{
    struct baseline_factors *f = NULL;
    *factors = NULL;
    enum qp_status status = baseline_factors_create(by, matrix, &f);
    if (status == QP_OK) {
        f->most_seconds = seconds;
        if (f->rows <= QUICK && !qp_is_interrupted(interrupt))
            f->by->factor(f);
        else
            status = start(f);
        if (f->task != NULL && !wait_for(f, interrupt))
            return QP_OK;
        if (f->task != NULL)
            destroy_task(f);
        if (status == QP_OK && f->status != QP_OK)
            status = qp_fail(f->status, "%s", f->why);
        if (status != QP_OK)
            baseline_factors_destroy(f);
    }
    if (status == QP_OK)
        *factors = f;
    else
        snprintf(why, size, "%s", qp_error());
    return status;
}
