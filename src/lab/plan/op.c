/* SPDX-License-Identifier: MIT */
/* Questions about an operation's kinds, fields and parameters. */
#include "lab/plan/op.h"

#include <string.h>

double qp_rounds_nothing(const struct qp_problem *problem, int iterations,
                         enum qp_precision precision)
{
    (void)problem, (void)iterations, (void)precision;
    return 0.0;
}

int qp_op_kind(const struct qp_op *op, const char *kind)
{
    if (op->kinds == NULL)
        return 0;
    for (int i = 0; op->kinds[i].name != NULL; i++) {
        if (strcmp(op->kinds[i].name, kind) == 0)
            return i;
    }
    return -1;
}

const struct qp_kind *qp_op_kind_at(const struct qp_op *op, int number)
{
    static const struct qp_kind any = {0};
    return op->kinds != NULL && number >= 0 ? &op->kinds[number] : &any;
}

bool qp_op_has_parameters(const struct qp_op *op)
{
    const struct qp_kind *kind = qp_op_kind_at(op, 0);
    while (kind->name != NULL && kind->range.what == NULL)
        kind++;
    return kind->name != NULL;
}

int qp_kind_sweep(const struct qp_kind *kind)
{
    int count = 0;
    while (kind->range.what != NULL && kind->range.sweep[count] >= 0)
        count++;
    return count > 0 ? count : 1;
}
