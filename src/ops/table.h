/* SPDX-License-Identifier: MIT */
/* The one table: all operations and all rows. */
#ifndef QP_OPS_TABLE_H
#define QP_OPS_TABLE_H

#include "plan/op.h"

/* Declarations by the table's own names: qp_op_jacobi9, qp_jacobi9_luminance and so on. */
#define OPERATION(op) extern const struct qp_op qp_op_##op;
#define VARIANT(op, variant, backend, layout, needs, place, sentence) \
    extern const struct qp_recipe qp_##op##_##variant;
#include "ops/table.def"
#undef VARIANT
#undef OPERATION

/* The operation of this name; NULL if there is none. */
const struct qp_op *qp_op_find(const char *name);

/* Operation number `index`, in the order of the table; NULL after the last. */
const struct qp_op *qp_op_at(size_t index);

#endif
