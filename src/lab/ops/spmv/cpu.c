/* SPDX-License-Identifier: MIT */
/* Sparse products on the CPU, from the matrix by rows as the problem has it. */
#include "lab/engines/engines.h"
#include "lab/ops/spmv/spmv.h"

#define BY_ROWS                                                     \
    .backend = QP_CPU, .layout = "by rows (CSR)", .state = QP_FLAT, \
    .input = {QP_ARRAY("x", QP_SPMV_X, QP_FLAT)}

static float product(const struct qp_sparse *a, const float *x, long i)
{
    float sum = 0.0f;
    for (size_t k = a->first[i]; k < a->first[i + 1]; k++)
        sum += a->value[k] * x[a->column[k]];
    return sum;
}

/* ---- A plain loop ---- */

static void sweep_loop(const struct qp_sweep *s)
{
    const struct qp_sparse *a = s->problem->sparse;
    for (long i = 0; i < a->rows; i++)
        s->out[i] = product(a, s->input[0], i);
}

/* ---- All cores ---- */

/* Row from which on entries have at least this place. */
static long row_of(const struct qp_sparse *a, size_t place)
{
    long low = 0, high = a->rows;
    while (low < high) {
        const long middle = (low + high) / 2;
        if (a->first[middle] < place)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Entries of a long row, which all cores add together. */
static float long_product(const struct qp_sparse *a, const float *x, long i)
{
    float sum = 0.0f;
    const size_t end = a->first[i + 1];
#pragma omp parallel for simd schedule(static) reduction(+ : sum)
    for (size_t k = a->first[i]; k < end; k++)
        sum += a->value[k] * x[a->column[k]];
    return sum;
}

/* Parts of rows with about equally many entries and rows, several a core; rows as long as a part
 * come last, one after the other. */
static void sweep_openmp(const struct qp_sweep *s)
{
    enum { PARTS = 64 };
    const struct qp_sparse *a = s->problem->sparse;
    const float *x = s->input[0];
    const size_t most = a->count / PARTS + 4096;
#pragma omp parallel for schedule(dynamic)
    for (int part = 0; part < PARTS; part++) {
        const long begin = row_of(a, a->count / PARTS * (size_t)part),
                   end = part + 1 < PARTS ? row_of(a, a->count / PARTS * (size_t)(part + 1))
                                          : a->rows;
        for (long i = begin; i < end; i++) {
            if (qp_sparse_length(a, (int)i) <= most)
                s->out[i] = product(a, x, i);
        }
    }
    for (long i = 0; i < a->rows; i++) {
        if (qp_sparse_length(a, (int)i) > most)
            s->out[i] = long_product(a, x, i);
    }
}

const struct qp_recipe qp_spmv_cpu[] = {
    /* The reference itself. */
    {.name = "spmv/reference",
     .place = "the judge of all variants",
     .sentence = "row after row in double; itself judged by a loop backwards in long double",
     BY_ROWS,
     .engine = &qp_engine_reference},

    {.name = "spmv/loop",
     .place = "the obvious C",
     .sentence = "one loop over rows, one over a row's entries, in float",
     BY_ROWS,
     .sweep = sweep_loop},

    {.name = "spmv/openmp",
     .place = "ours: the honest opponent",
     .sentence = "the loop on all cores, in parts with equally many entries; all cores share a row "
                 "that is longer than a part",
     BY_ROWS,
     .sweep = sweep_openmp},

    {0},
};
