/* SPDX-License-Identifier: MIT */
/* Passes for programs of one's own: a kernel is run over arrays. Passes do not wait: they are done
 * in order, and qp_array_read waits for those that it needs. */
#ifndef QUADPASS_PASS_H
#define QUADPASS_PASS_H

#include <quadpass/kernel.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Blending: how a result is combined with the value that is there. All but QP_BLEND_REPLACE need
 * QP_CAN_FLOAT_BLEND, and arrays of floats; compute kernels write alone. */
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

struct qp_mask;
struct qp_depth;

/* Zero means default. */
struct qp_pass {
    const struct qp_kernel *kernel;
    /* Each of the kernel's inputs that the pass uses, in any order. */
    struct qp_pass_input input[QP_KERNEL_INPUTS + 1];
    struct qp_pass_number number[QP_KERNEL_NUMBERS + 1]; /* likewise */
    /* Outputs, as many as the kernel has, of one size; those of a compute kernel may differ, and
     * then the region and `size` are the first one's. */
    struct qp_array *output[QP_KERNEL_OUTPUTS];
    /* Cells of the outputs that are computed; width 0: all. The others stay as they are. */
    struct qp_rect region;
    enum qp_pass_blend blend;

    /* Number of points that a scatter draws in place of the region's cells. A body with place()
     * puts each into a cell of the region that it returns (kernel.h). Another kernel's vertex
     * shader finds a point's number, 0 to points - 1, in gl_Vertex.x, and puts it into the cell (i,
     * j) of the region by gl_Position = gl_ModelViewProjectionMatrix * vec4(i + 0.5, j + 0.5, 0.0,
     * 1.0). Points outside are dropped. 0: no scatter. */
    int points;

    /* Lets an output be an input too: then the pass reads what was there before, and cells that the
     * pass itself writes must be read by their own update alone. Needs QP_CAN_TEXTURE_BARRIER, but
     * not for compute kernels; a compute kernel that reads an output's image needs in_place.
     * Without in_place both are refused. */
    bool in_place;

    /* Computes only the cells that are on or, inverted, only those that are off. The others stay as
     * they are and cost next to nothing where their neighbours are not computed either, for the
     * device drops them before the kernel runs. NULL: all are computed. */
    const struct qp_mask *mask;
    bool mask_inverted;

    /* Keeps the nearest of many results for a cell. NULL: the last one, or what `blend` says. Not
     * with a mask. */
    struct qp_depth *depth;
};

/* Runs a pass. Errors: QP_BAD_USE for an input, a number or an output that is missing, unknown to
 * the kernel, given twice, or of another type; outputs of different sizes; a region outside; an
 * output that is read without in_place; arrays, a kernel, a mask or a depth of another context; a
 * mask or a depth of another size than the outputs, or with outputs that are views from another
 * cell than (0, 0) on, or both at once. QP_UNSUPPORTED for what the device cannot do. QP_DEVICE.
 * Owner: none. Threads: the context's.
 *
 * Arrays above the device's rectangle_limit are computed tile by tile, with the same result, bit
 * for bit. QP_UNSUPPORTED, with the limit, for a whole shader, points, a mask or a depth, and
 * for a body that reads such an input x by x_cell or asks for gl_FragCoord, derivatives or a
 * texture function, or whose reach in it is above a third of the limit, or is said neither by the
 * kernel's description nor by its text. QP_NO_MEMORY, after which some tiles may be done. */
enum qp_status qp_pass_run(const struct qp_pass *pass);

/* Waits until all passes of a context are done. Errors: QP_BAD_USE; QP_DEVICE, if one of them
 * failed. Owner: none. Threads: the context's. */
enum qp_status qp_context_finish(struct qp_context *context);

/* Exchanges two arrays: the output of a step becomes the next one's input. Errors: none. Owner:
 * none. Threads: any. */
static inline void qp_array_swap(struct qp_array **one, struct qp_array **other)
{
    struct qp_array *array = *one;
    *one = *other;
    *other = array;
}

/* ---- Masks: cells that are switched off ---- */

/* A mask says which cells of outputs of its size are on, in a stencil buffer. It belongs to its
 * context, and is destroyed before it. */
struct qp_mask;

/* Makes a mask whose cells are all off. Errors: QP_BAD_USE for sizes below 1; QP_UNSUPPORTED for
 * sizes above the device's limit, which the sentence names; QP_NO_MEMORY; QP_DEVICE; then *out is
 * NULL. Owner: the caller, by qp_mask_destroy. Threads: the context's. */
enum qp_status qp_mask_create(struct qp_context *context, int width, int height,
                              struct qp_mask **out);

/* Switches cells on where the array's are not 0 (NaN is not 0 either) and the others off; later
 * passes may change the array. Denormal numbers may count as 0. Does not wait. Errors: QP_BAD_USE,
 * among them arrays of doubles, of several channels and of other sizes; QP_UNSUPPORTED for a
 * GL_TEXTURE_2D; QP_NO_MEMORY; QP_DEVICE. Owner: none. Threads: the context's. */
enum qp_status qp_mask_set(struct qp_mask *mask, const struct qp_array *array);

/* Takes NULL and leaves *mask NULL. Errors: none; in another thread it lives until the context is
 * destroyed. Owner: none. Threads: the context's. */
void qp_mask_destroy(struct qp_mask **mask);

/* ---- Depths: the nearest of many ---- */

/* Rule by which a depth keeps one of two results for a cell. With equal depths it is the first, in
 * the order of passes and, in one, of points. */
enum qp_depth_keeps {
    QP_DEPTH_NEAREST, /* the one of smaller depth; one that is not below 1 is dropped */
    QP_DEPTH_FARTHEST /* the one of greater depth; one that is not above 0 is dropped */
};

/* The depths of what passes have written, from 0 to 1 for each cell of outputs of its size, as
 * floats of 32 bits (GL_DEPTH_COMPONENT32F). They stay from pass to pass, so that several passes
 * scatter into one output.
 *
 * A fragment shader sets its depth by gl_FragDepth, of which every bit counts; devices differ in
 * what they make of one beyond 0 and 1. Otherwise it is z of the vector that a vertex shader
 * multiplies with gl_ModelViewProjectionMatrix, good to 2^-22; points beyond 0 and 1 are dropped.
 * It is 0 without either. It belongs to its context, and is destroyed before it. */
struct qp_depth;

/* Makes depths such that any result is nearer, or farther with QP_DEPTH_FARTHEST. Errors:
 * QP_BAD_USE for sizes below 1 and an unknown `keeps`; QP_UNSUPPORTED for sizes above the device's
 * limit, which the sentence names; QP_NO_MEMORY; QP_DEVICE; then *out is NULL. Owner: the caller,
 * by qp_depth_destroy. Threads: the context's. */
enum qp_status qp_depth_create(struct qp_context *context, int width, int height,
                               enum qp_depth_keeps keeps, struct qp_depth **out);

/* Forgets all depths: the next results stay again, whatever they are. Errors: QP_BAD_USE,
 * QP_DEVICE. Owner: none. Threads: the context's. */
enum qp_status qp_depth_clear(struct qp_depth *depth);

/* Takes NULL and leaves *depth NULL. Errors: none; in another thread it lives until the context is
 * destroyed. Owner: none. Threads: the context's. */
void qp_depth_destroy(struct qp_depth **depth);

/* ---- Recorded lists ---- */

/* Passes that were checked once and are run many times. */
struct qp_list;

/* Checks passes as qp_pass_run does, without running them. Objects that they use, and elements of
 * numbers, must outlive the list. Errors: those of qp_pass_run, with the number of the pass;
 * QP_NO_MEMORY; then *out is NULL. Owner: the caller, by qp_list_destroy. Threads: the
 * context's. */
enum qp_status qp_list_create(const struct qp_pass *passes, int count, struct qp_list **out);

/* Gives a number of pass `pass`, 0 for the first, a new value for all runs to come. Errors:
 * QP_BAD_USE. Owner: the caller keeps the number's list, which each run reads. Threads: the
 * context's. */
enum qp_status qp_list_set(struct qp_list *list, int pass, const struct qp_pass_number *number);

/* Runs all passes `times` times. Errors: QP_BAD_USE, QP_DEVICE. Owner: none. Threads: the
 * context's. */
enum qp_status qp_list_run(struct qp_list *list, int times);

/* Takes NULL and leaves *list NULL. Errors: none. Owner: none. Threads: the context's. */
void qp_list_destroy(struct qp_list **list);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
