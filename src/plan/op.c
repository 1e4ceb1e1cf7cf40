/* SPDX-License-Identifier: MIT */
/* Questions about an operation's kinds, fields and parameters. */
#include "plan/op.h"

#include <string.h>

int qp_op_kind(const struct qp_op *op, const char *kind)
{
    if (op->kinds == NULL)
        return 0;
    for (int i = 0; op->kinds[i] != NULL; i++) {
        if (strcmp(op->kinds[i], kind) == 0)
            return i;
    }
    return -1;
}

int qp_op_sweep(const struct qp_op *op, int kind)
{
    int count = 0;
    while (op->ranges != NULL && op->ranges[kind].sweep[count] >= 0)
        count++;
    return count > 0 ? count : 1;
}

float qp_op_padding(const struct qp_op *op, int field)
{
    return op->padding != NULL ? op->padding(op, field) : 0.0f;
}

int qp_op_parameters(const struct qp_op *op)
{
    int count = 0;
    while (op->parameters != NULL && count < QP_CUSTOM_PARAMETERS &&
           op->parameters[count].name != NULL)
        count++;
    return count;
}
