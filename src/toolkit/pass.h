/* SPDX-License-Identifier: MIT */
/* Passes inside the library: checked once, drawn as often as need be. */
#ifndef QP_TOOLKIT_PASS_H
#define QP_TOOLKIT_PASS_H

#include <quadpass/pass.h>

#include "toolkit/kernel.h"

/* A pass whose names were found: inputs and numbers stand in the kernel's order. */
struct qp_prepared {
    struct qp_kernel *kernel;
    struct qp_kernel_form *form;
    const struct qp_array *input[QP_KERNEL_INPUTS]; /* NULL for one that the kernel does not use */
    struct qp_pass_number number[QP_KERNEL_NUMBERS];
    struct qp_array *output[QP_KERNEL_OUTPUTS];
    struct qp_rect region;
    enum qp_blend blend;
    int points;
    bool in_place;
};

/* Checks a pass, and enters its context. Errors: those of qp_pass_run. */
enum qp_status qp_pass_prepare(const struct qp_pass *pass, struct qp_prepared *out);

/* Puts a number into its place. Errors: QP_BAD_USE. */
enum qp_status qp_prepared_set(struct qp_prepared *prepared, const struct qp_pass_number *number);

/* What compute kernels refuse in a pass, or need of one (compute.c). Errors: QP_BAD_USE, QP_UNSUPPORTED. */
enum qp_status qp_compute_check_pass(const struct qp_pass *pass,
                                     const struct qp_prepared *prepared);

/* Draws, or dispatches; errors of OpenGL are looked for by the caller. Errors: those of framebuffer objects. */
enum qp_status qp_prepared_draw(const struct qp_prepared *prepared);

#endif
