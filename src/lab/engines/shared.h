/* SPDX-License-Identifier: MIT */
/* Arguments of a kernel on textures shared with fragment shaders. */
#ifndef QP_ENGINES_SHARED_H
#define QP_ENGINES_SHARED_H

#include <quadpass/cuda.h>

#include "lab/plan/kernel.h"

struct qp_recipe;

/* Division of work between OpenGL and CUDA on the same textures, and how often these are mapped to
 * the other side. */
enum qp_sharing {
    QP_UNSHARED,
    QP_SHARE_HALVES,    /* OpenGL draws the lower rows of every step, CUDA computes the others */
    QP_SHARE_ALTERNATE, /* odd steps are drawn, even ones computed */
    QP_SHARE_KEPT,      /* CUDA computes all steps; unmapped once, when OpenGL reads the answer */
    QP_SHARE_MAPPED,    /* CUDA computes all steps; mapped anew for every one */
    QP_SHARE_REGISTERED /* likewise, and both textures of x registered anew too */
};

/* Member of a variant that the engine of shared textures reads. */
struct qp_shared_variant {
    enum qp_sharing sharing;
};

/* QP_UNSHARED for variants of other engines. */
enum qp_sharing qp_sharing_of(const struct qp_recipe *recipe);

/* Arrays of such a launch, in launch->own, in place of pointers. */
struct qp_shared_arrays {
    struct qp_shared_view x, out, input[QP_LAUNCH_INPUTS];
    int origin_x, origin_y; /* texel of the domain's first cell, in all of them */
    int first_row;          /* first row of the domain that the kernel computes */
};

#endif
