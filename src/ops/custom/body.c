/* SPDX-License-Identifier: MIT */
/* Shaders in the short form of the toolkit's kernels. */
#include <stdlib.h>

#include "ops/custom/custom.h"
#include "toolkit/kernel.h"

/* An input of a kernel, and what stands outside of it. Gathers have no limit: what is not a cell is never read. */
static enum qp_status add_input(const struct qp_custom_array *array, const char *variant,
                                struct qp_kernel *kernel, double *beyond)
{
    if (kernel->inputs == QP_KERNEL_INPUTS)
        return qp_fail(QP_BAD_USE, "%s: a body has %d arrays at most, the state among them",
                       variant, QP_KERNEL_INPUTS);
    if (!qp_kernel_is_name(array->name))
        return qp_fail(QP_BAD_USE, "%s: a body cannot have an array called '%s'; take another name",
                       variant, array->name);
    beyond[kernel->inputs] = array->padding;
    kernel->desc.input[kernel->inputs++].name = array->name;
    return QP_OK;
}

static enum qp_status add_parameter(const struct qp_parameter *parameter, const char *variant,
                                    struct qp_kernel *kernel)
{
    if (!qp_kernel_is_name(parameter->name))
        return qp_fail(QP_BAD_USE,
                       "%s: a body cannot have a parameter called '%s'; take another name", variant,
                       parameter->name);
    kernel->desc.number[kernel->numbers++] = (struct qp_kernel_number){.name = parameter->name};
    return QP_OK;
}

enum qp_status qp_custom_head(struct qp_custom *custom, const char *variant, const char **out)
{
    const struct qp_custom_desc *desc = &custom->desc;
    struct qp_kernel kernel = {.outputs = 1, .channels = 1};
    double beyond[QP_KERNEL_INPUTS];
    unsigned outsides = 0;
    enum qp_status status = add_input(&desc->state, variant, &kernel, beyond);
    for (int i = 0; i < custom->inputs && status == QP_OK; i++)
        status = add_input(&desc->input[i], variant, &kernel, beyond);
    for (int i = 0; i < custom->parameters && status == QP_OK; i++)
        status = add_parameter(&desc->parameter[i], variant, &kernel);
    for (int i = 0; i < kernel.inputs; i++) /* texels beside the cells are no cells */
        outsides |= (unsigned)(QP_OUTSIDE_VALUE | QP_KERNEL_PART) << 3 * i;
    if (status != QP_OK)
        return status;
    char *head = qp_kernel_head(&kernel, outsides, beyond);
    *out = head != NULL ? qp_custom_keep(custom, head, "") : NULL;
    free(head);
    return *out != NULL ? QP_OK : QP_NO_MEMORY;
}
