/* SPDX-License-Identifier: MIT */
/* Values of a kernel's inputs, as its reference asks for them. */
#include <quadpass/kernel.h>

#include <math.h>

#include "toolkit/base/whole.h"

double qp_kernel_array_at(const struct qp_kernel_array *input, int x, int y, int channel)
{
    if (input == NULL || input->values == NULL || channel < 0 || channel >= input->channels)
        return NAN;
    const bool inside = x >= 0 && y >= 0 && x < input->width && y < input->height;
    if (!inside && input->outside == QP_OUTSIDE_ZERO)
        return 0.0;
    if (!inside && input->outside == QP_OUTSIDE_VALUE)
        return input->value;
    if (!inside && input->outside == QP_OUTSIDE_WRAP) {
        x = qp_wrapped(x, input->width);
        y = qp_wrapped(y, input->height);
    }
    x = qp_most(0, qp_least(x, input->width - 1));
    y = qp_most(0, qp_least(y, input->height - 1));
    const size_t cell = (size_t)y * (size_t)input->width + (size_t)x;
    return ((const double *)input->values)[cell * (size_t)input->channels + (size_t)channel];
}
