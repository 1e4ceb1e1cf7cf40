/* SPDX-License-Identifier: MIT */
/* Passes inside the library: checked once, drawn as often as need be. */
#ifndef QP_TOOLKIT_PASS_H
#define QP_TOOLKIT_PASS_H

#include <quadpass/pass.h>

#include "toolkit/gl/test_buffer.h"
#include "toolkit/kernel/kernel.h"

/* A pass whose names were found: inputs and numbers are in the kernel's order. */
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
    const struct qp_mask *mask; /* or NULL */
    bool mask_inverted;
    const struct qp_depth *depth; /* or NULL; not both */
    bool tiled;                   /* an array has tiles (tiled.h) */
};

/* Checks a pass, and enters its context. Errors: those of qp_pass_run. */
enum qp_status qp_pass_prepare(const struct qp_pass *pass, struct qp_prepared *out);

/* Puts a number into its place. Errors: QP_BAD_USE. */
enum qp_status qp_prepared_set(struct qp_prepared *prepared, const struct qp_pass_number *number);

/* Checks what compute kernels refuse in a pass, and what they need (compute.c). Errors: QP_BAD_USE,
 * QP_UNSUPPORTED. */
enum qp_status qp_compute_check_pass(const struct qp_pass *pass,
                                     const struct qp_prepared *prepared);

/* Draws, or dispatches; errors of OpenGL are looked for by the caller. Errors: those of framebuffer
 * objects. */
enum qp_status qp_prepared_draw(const struct qp_prepared *prepared);

/* ---- Masks and depths (mask.c, depth.c), which begin with their buffer ---- */

/* A texel is marked where the mask is on. */
struct qp_mask {
    struct qp_test_buffer buffer;
    struct qp_step step; /* marks texels of cells that are not 0, in arrays of this type */
    enum qp_array_type type;
};

struct qp_depth {
    struct qp_test_buffer buffer;
    enum qp_depth_keeps keeps;
};

/* The test that a pass makes. */
struct qp_test qp_prepared_test(const struct qp_prepared *prepared);

#endif
