/* SPDX-License-Identifier: MIT */
/* A dense matrix of floats or doubles: the visitor that walks through the stages. */
#ifndef QUADPASS_MATRIX_H
#define QUADPASS_MATRIX_H

#include <quadpass/status.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Precision of a matrix's values; zero is float. */
enum qp_precision { QP_FLOATS, QP_DOUBLES, QP_PRECISIONS };

/* Row-major, cell (x, y) at y * width + x, both counts in cells. One of the two pointers has the
 * values, as the precision says; the other one is NULL. The caller owns it. */
struct qp_matrix {
    int width;
    int height;
    float *values; /* values with QP_FLOATS */
    enum qp_precision precision;
    double *doubles; /* values with QP_DOUBLES */
};

/* Makes a width x height matrix of floats, all NaN (an output nobody wrote must show). Both at
 * least 1. Errors: QP_BAD_USE, QP_NO_MEMORY; then *out is all zero. Owner: the caller, by
 * qp_matrix_destroy. Threads: any. */
enum qp_status qp_matrix_create(int width, int height, struct qp_matrix *out);

/* Frees the values and leaves an all-zero matrix; takes NULL and all-zero ones. Errors: none.
 * Owner: none. Threads: any. */
void qp_matrix_destroy(struct qp_matrix *matrix);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
