/* SPDX-License-Identifier: MIT */
/* Gauss-Jordan on the CPU: [A | b] is stored row by row without gaps. */
#include "lab/engines/engines.h"
#include "lab/ops/gauss_jordan/gauss_jordan.h"
#include "toolkit/base/watch.h"

/* The paper's three steps, in place: no pivoting, and only columns that can still change. A pivot
 * must pass the same test as in GPU variants. */
static void sweep_loop(const struct qp_sweep *s)
{
    const size_t width = (size_t)s->width;
    for (int k = 0; k < s->height; k++) {
        const double left = (double)(s->height - k) / s->height;
        if (qp_watch_leaves(1.0 - left * left))
            return;
        float *row = s->out + (size_t)k * width, pivot = row[k];
        if (!qp_gauss_jordan_carries(s->x + (size_t)k * width, s->height, pivot)) {
            *s->status = qp_gauss_jordan_fail(false, k + 1);
            return;
        }
        for (int j = k; j < s->width; j++)
            row[j] /= pivot;
        for (int i = 0; i < s->height; i++) {
            float *other = s->out + (size_t)i * width, factor = other[k];
            for (int j = k; j < s->width && i != k; j++)
                other[j] -= factor * row[j];
        }
    }
}

/* A sweep that src/lab/baseline lends: LAPACK. */
struct qp_lent qp_lent_gauss_jordan_sgesv = {.library = "LAPACK"};

const struct qp_recipe qp_gauss_jordan_cpu[] = {
    /* The reference itself. */
    {.name = "gauss_jordan/reference",
     .backend = QP_CPU,
     .layout = "one augmented matrix",
     .place = "the judge of all variants",
     .sentence =
         "the equation with partial pivoting, in double; its residual is judged like any variant's",
     .engine = &qp_engine_reference,
     .state = QP_FLAT},

    {.name = "gauss_jordan/loop",
     .backend = QP_CPU,
     .layout = "one augmented matrix",
     .place = "the obvious C",
     .sentence = "three loops in float, in place, only columns that can still change; no pivoting",
     .state = QP_FLAT,
     .sweep = sweep_loop,
     .in_place = true,
     .not_kinds = QP_MATRIX_NEEDS_PIVOTING,
     .bytes = 4.0 /* half the columns, read and written in every step */},

    /* A's columns and then b's, which LAPACK overwrites with L and U and with x. */
    {.name = "gauss_jordan/sgesv",
     .backend = QP_CPU,
     .layout = "LAPACK's columns",
     .place = "paper 2, overview, MATLAB",
     .sentence =
         "LAPACK's LU with partial pivoting on as many threads as are fastest: the honest opponent",
     .state = {.format = QP_R32F, .flat = true, .columns = true},
     .in_place = true,
     .tolerance = qp_gauss_jordan_tolerance_lu,
     .lent = &qp_lent_gauss_jordan_sgesv},

    {0},
};
