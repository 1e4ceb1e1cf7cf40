/* SPDX-License-Identifier: MIT */
/* An operation of your own, described at run time: a reference in C, arrays, and variants to be
 * judged by it. Its variants take the same walk as the library's rows (walk.h, check.h, bench.h).
 * demos/hello.c is an example in a page; docs/testing-gpu-code.md explains it at length. */
#ifndef QUADPASS_CUSTOM_H
#define QUADPASS_CUSTOM_H

#include <quadpass/variant.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum {
    QP_CUSTOM_ARRAYS = QP_FIELDS - 1, /* the most inputs; the state is one more array */
    QP_CUSTOM_PARAMETERS = 8,
    QP_CUSTOM_DRAWS = 3
};

/* One operation and its variants. Several may live at once. It is not written after the last
 * qp_custom_add, so threads, each with a context of its own, may then share it; the functions in
 * its description run in the thread that walks. */
struct qp_custom;

/* ---- The operation ---- */

/* A number that shaders read as `uniform float` of this name. */
struct qp_parameter {
    const char *name;
    double value;
};

/* An array: shaders read it through a sampler of this name. */
struct qp_custom_array {
    const char *name;
    float padding; /* value of the texels around the cells that a variant may read */
    /* The value of a cell; NULL fills with random values in [-1, 1). For values of your own at one
     * size, write into qp_problem_field(problem, name)->values before the first walk. */
    float (*fill)(void *user, int x, int y, int width, int height);
};

/* Arguments of a step: a grid of width x height cells, cell i = y * width + x of every array. */
struct qp_custom_grid {
    int width, height;
    const float *const *input;            /* in the description's order */
    const struct qp_parameter *parameter; /* likewise */
    void *user;
    /* Of a sweep or launch in double its inputs, and `input` is NULL; the reference reads `input`. */
    const double *const *input_double;
};

/* One step in double: reads the state `before`, writes every cell of `after`. Returns the largest
 * sum of magnitudes that one cell's update formed, which is the size of the numbers that a variant
 * rounds; 0 stands for the largest magnitude in `before` and `after`. */
typedef double qp_custom_reference(const struct qp_custom_grid *grid, const double *before,
                                   double *after);

/* One step in float as a variant on the CPU. The arrays stand without gaps, and width + 1 values of
 * padding may be read before and behind each. */
typedef void qp_custom_sweep(const struct qp_custom_grid *grid, const float *before, float *after);

/* One step in float as kernels of your own on CUDA. Everything that is an array is device memory,
 * as a sweep's arrays stand in the host's, its first cell at a multiple of 256 bytes; `grid`
 * itself is the host's. Launches on `stream` (a cudaStream_t of the current device) without waiting,
 * and returns cudaGetLastError(), which is 0 if all is well. */
typedef int qp_custom_launch(const struct qp_custom_grid *grid, const float *before, float *after,
                             void *stream);

/* The same in double: arrays hold doubles, and so does the answer. */
typedef void qp_custom_sweep_double(const struct qp_custom_grid *grid, const double *before,
                                    double *after);
typedef int qp_custom_launch_double(const struct qp_custom_grid *grid, const double *before,
                                    double *after, void *stream);

/* Zero means default; a NULL name ends a list. Everything is copied but what `user` points to. */
struct qp_custom_desc {
    const char *name;             /* letters, digits and _ */
    struct qp_custom_array state; /* what the iteration carries on; named "x" by default */
    struct qp_custom_array input[QP_CUSTOM_ARRAYS];
    struct qp_parameter parameter[QP_CUSTOM_PARAMETERS];
    qp_custom_reference *reference; /* needed */
    void *user;                     /* handed to the functions */
    /* The error allowed after one step, in units of what the reference returns; n steps may have n
     * times that. 0: 2^-20, sixteen roundings of float. */
    double tolerance;
    double flops; /* of one update of one cell */
    double bytes; /* likewise; 0: every array read once and the state written once */
    /* The same as `tolerance`, of variants in double. 0: 2^-48, thirty-two roundings of double, of which
     * the reference, in double too, may have half. */
    double tolerance_double;
};

/* Makes an operation, without variants yet. Errors: QP_BAD_USE with a sentence for what is missing, misnamed or
 * named twice; QP_NO_MEMORY; then *out is NULL. Owner: the caller, by qp_custom_destroy. Threads: any. */
enum qp_status qp_custom_create(const struct qp_custom_desc *desc, struct qp_custom **out);

/* Frees the operation with its variants, after its problems; takes NULL and leaves *custom NULL. Errors: none.
 * Owner: none. Threads: any. */
void qp_custom_destroy(struct qp_custom **custom);

/* ---- Its variants ---- */

/* GLSL from memory or from a file, which is read once, now; `text` comes first, and neither stands
 * for the fixed pipeline's vertex shader. What kernels of the toolkit find in it, kernel.h says; of an
 * operation, fragments find their own cell at gl_FragCoord.xy of every array, and the library sets,
 * where a shader declares them: a sampler2DRect for each array, a float for each parameter, and the
 * vec2s `origin` (texel of the first cell), `size` (texels of the domain), `cells` (width and height),
 * `left` and `right` (to the neighbours in a vector that wraps at row ends). */
struct qp_shader_source {
    const char *text;
    const char *file;
};

/* Texels of the domain that a draw covers: with quads, the first and last column with lines. Points
 * stand in the middle of each cell of the grid, and a vertex shader may put them anywhere. */
enum qp_cover { QP_COVER_ALL, QP_COVER_INTERIOR, QP_COVER_LEFT, QP_COVER_RIGHT, QP_COVER_POINTS };

struct qp_custom_draw {
    struct qp_shader_source fragment; /* neither text nor file, and no body, ends the list */
    struct qp_shader_source vertex;
    enum qp_cover cover;
    /* In place of both the short form of a kernel's shader (kernel.h): `float kernel(vec2 here)`, to which all arrays are
     * inputs and all parameters numbers. Outside of an array stands its padding's value. Not for QP_TEXEL_RGBA. */
    const char *body;
};

/* Packing of cells in texels. */
enum qp_texel {
    QP_TEXEL_LUMINANCE, /* one cell, GL_LUMINANCE32F_ARB */
    QP_TEXEL_R32F,      /* one cell, GL_R32F */
    QP_TEXEL_RGBA /* four neighbours of a row, GL_RGBA32F_ARB; behind a row's last cell the last
                         * texel holds padding, which the shader must write as it was */
};

/* Zero means default. Either draws, or one of the functions. */
struct qp_custom_variant {
    const char *name; /* behind the slash: letters, digits and _ */
    const char *sentence;
    enum qp_texel texel;
    int pad_x, pad_y; /* texels around the domain that shaders may read; beyond stands NaN */
    struct qp_custom_draw draw[QP_CUSTOM_DRAWS]; /* in this order make one step */
    qp_custom_sweep *sweep;
    qp_custom_launch *launch; /* on the context's device if that is CUDA's, else on CUDA's first */
    qp_custom_sweep_double *sweep_double;
    qp_custom_launch_double *launch_double; /* likewise */
};

/* Adds a variant called "operation/name". Errors: QP_BAD_USE, QP_BAD_INPUT
 * for a file that cannot be read, QP_NO_MEMORY; then *out is NULL. What only a device can tell, it
 * says in room 4 of a walk, and the verdict is QP_FAIL: a shader that does not compile (file, line,
 * that line, the driver's words), a uniform that no array or parameter stands for or that has another
 * type than theirs, an array that no shader reads, a fragment shader that writes no colour. Owner: the
 * operation. Threads: any. */
enum qp_status qp_custom_add(struct qp_custom *custom, const struct qp_custom_variant *desc,
                             const struct qp_variant **out);

/* ---- Its problems ---- */

/* Fills arrays of this size for qp_walk and qp_bench. Errors: QP_BAD_USE for an impossible size, QP_BAD_INPUT
 * for a fill that is not finite, QP_NO_MEMORY. Owner: the caller, by qp_problem_destroy. Threads: any. */
enum qp_status qp_custom_problem(const struct qp_custom *custom, int width, int height,
                                 unsigned long long seed, struct qp_problem *out);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
