/* SPDX-License-Identifier: MIT */
/* Passes for programs of one's own: a kernel is run over arrays. Passes do not wait: they are done in order, and
 * qp_array_read waits for those that it needs. */
#ifndef QUADPASS_PASS_H
#define QUADPASS_PASS_H

#include <quadpass/kernel.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* How a result meets the value that is there. All but QP_BLEND_REPLACE need QP_CAN_FLOAT_BLEND, and arrays of floats;
 * compute kernels write alone. */
enum qp_pass_blend {
    QP_BLEND_REPLACE,
    QP_BLEND_ADD,      /* there + result */
    QP_BLEND_SUBTRACT, /* there - result */
    QP_BLEND_MIN,
    QP_BLEND_MAX
};

struct qp_pass_input {
    const char *name; /* NULL ends the list */
    const struct qp_array *array;
};

struct qp_pass_number {
    const char *name;   /* NULL ends the list */
    double value[4];    /* as many as the type has; an int is rounded towards zero */
    const double *list; /* of an array its elements; read by the call */
};

/* Zero means default. */
struct qp_pass {
    const struct qp_kernel *kernel;
    struct qp_pass_input
        input[QP_KERNEL_INPUTS + 1]; /* each of the kernel's that it uses, in any order */
    struct qp_pass_number number[QP_KERNEL_NUMBERS + 1]; /* likewise */
    struct qp_array *output[QP_KERNEL_OUTPUTS]; /* as many as the kernel has, of one size */
    struct qp_rect
        region; /* cells of the outputs that are computed; width 0: all. The others stay as they are */
    enum qp_pass_blend blend;

    /* Scatter: so many points in place of the region's cells. The kernel's vertex shader finds a point's number, 0 to
     * points - 1, in gl_Vertex.x, and puts it into the cell (i, j) of the region by
     * gl_Position = gl_ModelViewProjectionMatrix * vec4(i + 0.5, j + 0.5, 0.0, 1.0). Points outside are dropped. 0: no
     * points. */
    int points;

    /* Lets an output be an input too: then the pass reads what was there before, and cells that the pass itself writes must
     * be read by their own update alone. Needs QP_CAN_TEXTURE_BARRIER, compute kernels nothing; those that read an output's
     * image need it. Without it that is refused. */
    bool in_place;
};

/* Runs a pass. Errors: QP_BAD_USE for an input, a number or an output that is missing, unknown to the kernel, given
 * twice, or of another type; outputs of different sizes; a region outside; an output that is read without in_place;
 * arrays or a kernel of another context. QP_UNSUPPORTED for what the device cannot do. QP_DEVICE. Owner: none. Threads:
 * the context's. */
enum qp_status qp_pass_run(const struct qp_pass *pass);

/* Waits until all passes of a context are done. Errors: QP_BAD_USE; QP_DEVICE, if one of them failed. Owner: none.
 * Threads: the context's. */
enum qp_status qp_context_finish(struct qp_context *context);

/* Exchanges two arrays: the output of a step becomes the next one's input. Errors: none. Owner: none. Threads: any. */
static inline void qp_array_swap(struct qp_array **one, struct qp_array **other)
{
    struct qp_array *array = *one;
    *one = *other;
    *other = array;
}

/* ---- Recorded lists ---- */

/* Passes that were checked once and are run many times. */
struct qp_list;

/* Checks passes as qp_pass_run does, without running them. Their kernels and arrays must outlive the list. Errors: those of
 * qp_pass_run, with the number of the pass; QP_NO_MEMORY; then *out is NULL. Owner: the caller, by qp_list_destroy.
 * Threads: the context's. */
enum qp_status qp_list_create(const struct qp_pass *passes, int count, struct qp_list **out);

/* Gives a number of pass `pass`, 0 for the first, a new value for all runs to come. Errors: QP_BAD_USE. Owner: the caller
 * keeps the number's list. Threads: the context's. */
enum qp_status qp_list_set(struct qp_list *list, int pass, const struct qp_pass_number *number);

/* Runs all passes `times` times. Errors: QP_BAD_USE, QP_DEVICE. Owner: none. Threads: the context's. */
enum qp_status qp_list_run(struct qp_list *list, int times);

/* Takes NULL and leaves *list NULL. Errors: none. Owner: none. Threads: the context's. */
void qp_list_destroy(struct qp_list **list);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
