/* SPDX-License-Identifier: MIT */
#include "tools/cmd/sweep.h"

#include <string.h>

#include "lab/ops/table.h"
#include "toolkit/base/whole.h"

int sweep_kinds(const struct options *options, const struct qp_op *op)
{
    int count = 0;
    while (options->all_problems && qp_op_kind_at(op, count)->name != NULL)
        count++;
    return count > 0 ? count : 1;
}

static const struct qp_kind *row_of(const struct qp_op *op, const char *kind)
{
    return qp_op_kind_at(op, kind != NULL ? qp_op_kind(op, kind) : 0);
}

int sweep_parameters(const struct options *options, const struct qp_op *op, const char *kind)
{
    if (options->all_parameters)
        return qp_kind_sweep(row_of(op, kind));
    return options->parameter_count > 0 ? options->parameter_count : 1;
}

int sweep_parameter(const struct options *options, const struct qp_op *op, const char *kind, int k)
{
    if (options->all_parameters && row_of(op, kind)->range.what != NULL)
        return row_of(op, kind)->range.sweep[k];
    return options->parameter_count > 0 ? options->parameters[k] : -1;
}

static int count_sizes(const struct qp_op *op)
{
    int count = 0;
    while (op->runs->bench_sizes[count].width > 0)
        count++;
    return count;
}

int sweep_tables(const struct options *options, const struct qp_variant *variant)
{
    const struct qp_op *op = qp_op_find(variant->op);
    const char *asked = options->all_problems ? NULL : options->problem;
    int all = 0, most = 1;
    for (int k = 0; qp_op_kind_at(op, k)->name != NULL; k++) {
        const char *kind = qp_op_kind_at(op, k)->name;
        const bool counts = asked == NULL || strcmp(asked, kind) == 0;
        const int count = counts ? sweep_parameters(options, op, kind) : 0;
        all += qp_recipe_takes_kind(variant->recipe, k) ? count : 0;
        most = qp_most(most, count);
    }
    return count_sizes(op) * (options->all_problems ? all : most);
}

int sweep_lines(const struct options *options, const struct qp_variant *const variants[], int count)
{
    int lines = 0;
    for (int i = 0; i < count; i++) {
        const struct qp_op *op = qp_op_find(variants[i]->op);
        lines += sweep_tables(options, variants[i]) / (options->width > 0 ? count_sizes(op) : 1);
    }
    return lines;
}

int sweep_block(const struct qp_recipe *recipe, int k, int rows)
{
    int block = 4;
    if (recipe->blocks->listed != NULL)
        return recipe->blocks->listed[k];
    for (; k > 0 && block < rows; k--)
        block *= 2;
    return k > 0 ? 0 : block < rows ? block : rows;
}
