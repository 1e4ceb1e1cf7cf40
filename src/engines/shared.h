/* SPDX-License-Identifier: MIT */
/* What a kernel is given that takes turns with fragment shaders on the same textures. */
#ifndef QP_ENGINES_SHARED_H
#define QP_ENGINES_SHARED_H

#include <quadpass/cuda.h>

#include "plan/kernel.h"

/* What such a launch finds in launch->own, in place of pointers. */
struct qp_shared_arrays {
    struct qp_shared_view x, out, input[QP_LAUNCH_INPUTS];
    int origin_x, origin_y; /* texel of the domain's first cell, in all of them */
    int first_row;          /* of the domain, which it computes from there on */
};

#endif
