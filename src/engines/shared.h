/* SPDX-License-Identifier: MIT */
/* Arguments of a kernel on textures shared with fragment shaders. */
#ifndef QP_ENGINES_SHARED_H
#define QP_ENGINES_SHARED_H

#include <quadpass/cuda.h>

#include "plan/kernel.h"

/* Arrays of such a launch, in launch->own, in place of pointers. */
struct qp_shared_arrays {
    struct qp_shared_view x, out, input[QP_LAUNCH_INPUTS];
    int origin_x, origin_y; /* texel of the domain's first cell, in all of them */
    int first_row;          /* first row of the domain that the kernel computes */
};

#endif
