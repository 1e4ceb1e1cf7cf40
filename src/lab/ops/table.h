/* SPDX-License-Identifier: MIT */
/* The one table: all operations and all variants. */
#ifndef QP_OPS_TABLE_H
#define QP_OPS_TABLE_H

#include "lab/plan/op.h"

/* The operation of this name; NULL if there is none. */
const struct qp_op *qp_op_find(const char *name);

/* Operation number `index`, in the order of the table; NULL after the last. */
const struct qp_op *qp_op_at(size_t index);

#endif
