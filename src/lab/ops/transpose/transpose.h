/* SPDX-License-Identifier: MIT */
/* Transposition: its fields and kinds. */
#ifndef QP_OPS_TRANSPOSE_TRANSPOSE_H
#define QP_OPS_TRANSPOSE_TRANSPOSE_H

#include "lab/plan/op.h"

enum qp_transpose_field { QP_TRANSPOSE_X, QP_TRANSPOSE_ANSWER, QP_TRANSPOSE_STORED };

enum qp_transpose_kind { QP_TRANSPOSE_TURNED, QP_TRANSPOSE_COPIED, QP_TRANSPOSE_KINDS };

/* not_kinds of variants that turn, and of variants that copy, the others' roof. */
enum {
    QP_TRANSPOSE_ONLY_TURNS = 1 << QP_TRANSPOSE_COPIED,
    QP_TRANSPOSE_ONLY_COPIES = 1 << QP_TRANSPOSE_TURNED
};

/* Both matrices in one shape; every value is read once and written once. */
#define QP_TRANSPOSE_STANDS(...) \
    .state = __VA_ARGS__, .input = {QP_ARRAY("x", QP_TRANSPOSE_X, __VA_ARGS__)}, .bytes = 8

extern const struct qp_op qp_op_transpose;

#endif
