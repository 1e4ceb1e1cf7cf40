/* SPDX-License-Identifier: MIT */
/* Sparse factors by SuiteSparse's libraries: KLU's of any matrix (klu.c), CHOLMOD's of symmetric
 * and definite ones (cholmod.c). For solves, a thread makes them that an interrupt leaves alone
 * (factors.c). */
#ifndef QP_BASELINE_FACTORS_H
#define QP_BASELINE_FACTORS_H

#include <signal.h>
#include <stdbool.h>

#include <quadpass/market.h>

#include "toolkit/base/status.h"

struct baseline_factors;

/* A library. Functions return false after baseline_refuse. */
struct baseline_sparse {
    const char *name;
    bool (*factor)(struct baseline_factors *factors); /* analyses, asks baseline_fits, factors */
    bool (*solve)(struct baseline_factors *factors, double *x);
    void (*destroy)(struct baseline_factors *factors); /* frees `own` */
};

/* Factors under way, and then made. */
struct baseline_factors {
    const struct baseline_sparse *by;
    void *own;
    int rows;
    /* Compressed columns: those of column j are at start[j] to start[j + 1] - 1. */
    int *start, *row;
    double *value;
    double most_seconds;    /* refused, once analysed, if they are expected to take longer */
    _Atomic double seconds; /* which they are expected to take; 0 until analysed */
    enum qp_status status;
    char why[256];
    struct baseline_task *task; /* thread that makes them; NULL: none */
};

/* Stores a sentence; returns false. */
__attribute__((format(printf, 3, 4))) bool
baseline_refuse(struct baseline_factors *factors, enum qp_status status, const char *format, ...);

/* Refuses factors of so many entries and operations that memory or time do not allow. */
bool baseline_fits(struct baseline_factors *factors, double entries, double operations);

/* Makes the columns of a square matrix, and nothing else. Errors: QP_NO_MEMORY. Free them. */
enum qp_status baseline_factors_create(const struct baseline_sparse *by,
                                       const struct qp_market *matrix,
                                       struct baseline_factors **out);
void baseline_factors_destroy(struct baseline_factors *factors);

/* Makes factors for a solve, as qp_direct.factor does. */
enum qp_status baseline_factors_make(const struct baseline_sparse *by,
                                     const struct qp_market *matrix, double seconds,
                                     const volatile sig_atomic_t *interrupt, void **factors,
                                     char *why, size_t size);

/* The libraries; NULL where this is built without them. */
extern const struct baseline_sparse *const baseline_klu, *const baseline_cholmod;

#endif
