/* SPDX-License-Identifier: MIT */
/* Many values to one, for programs of one's own: reductions, running sums, gathers and compaction,
 * as passes (pass.h) over arrays. Nothing leaves the device but what is asked for. */
#ifndef QUADPASS_REDUCE_H
#define QUADPASS_REDUCE_H

#include <quadpass/pass.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* ---- Reductions ----
 *
 * Accuracy, u = 2^-24 (2^-53 for arrays of doubles), t the width x height terms (x, |x|, x^2, x y,
 * or what a map returns), s their exact sum, L = ceil(log4 of the longer side) passes, each a tree
 * four additions deep, h = 4 L + 1 with a product's rounding: about twice log2 of the longer side.
 *
 *     tree          |error| <= g(h) sum |t|                        g(k) = k u / (1 - k u)
 *     compensated   |error| <= 2^-53 |s| + 2 (h + 1)^2 u^2 sum |t|
 *
 * docs/reduce.md derives these bounds. A map's own rounding errors are not counted. A 2-norm is the
 * root of such a sum: half its relative error, and a rounding of the root. An answer that is left
 * on the device (qp_reduce_to) is rounded once more, to its array's type, and its root is GLSL's.
 * Extremes, their places and sums of integers are exact: 64 bits are added. Dot products and
 * 2-norms of integers are those of the integers rounded to float.
 *
 * Nothing overflows or underflows between the values and their answer: terms are also added up in
 * scales of 2^-80 and 2^86 (doubles: with an exponent of their own), and the answer takes the one
 * that fits. qp_reduce returns a double, so that a sum of floats may be beyond float. Only products
 * of x y below 2^-126 are lost where the sum is below 2^-70 and a value is above 2^42. A
 * compensated reduction is drawn a second time where the first answer is not finite, or below 2^-78
 * for each term; left on the device it takes all three scales, three times the passes.
 *
 * A NaN anywhere is the answer, and its place that of the first NaN. An infinity is the answer as
 * C has it: infinite, and NaN where opposite ones meet or 0 is multiplied by one. Denormal numbers
 * may count as zero. */

enum qp_reduce_what {
    QP_REDUCE_SUM,
    QP_REDUCE_DOT, /* sum of x y */
    QP_REDUCE_MAX,
    QP_REDUCE_MIN,
    QP_REDUCE_MAX_PLACE, /* the maximum and its cell: the first of equal ones, row by row */
    QP_REDUCE_MIN_PLACE,
    QP_REDUCE_NORM_1,  /* sum of |x| */
    QP_REDUCE_NORM_2,  /* root of the sum of x^2 */
    QP_REDUCE_NORM_MAX /* max |x| */
};

/* Zero means default, but for the sizes. */
struct qp_reduction_desc {
    enum qp_reduce_what what;
    bool compensated; /* carry along what additions of floats lose; needs QP_CAN_PRECISE */

    /* The arrays that are reduced, as qp_array_describe returns them: sizes, type and channels.
     * With a map its grid, sizes alone. */
    struct qp_array_desc of;
    int channel; /* the one of a cell's values that counts, 0 the first */

    /* A function of several arrays is reduced instead: the text of `float map(vec2 here)`, which
     * finds what a body does (kernel.h) and is called for each cell of the grid, whose sizes are
     * `size`. Sums are joined in the same pass; for other reductions, compensated sums and maps
     * with a loop, the values are first stored in an array of the reduction's own. */
    const char *map;
    struct qp_kernel_input input[QP_KERNEL_INPUTS + 1];
    struct qp_kernel_number number[QP_KERNEL_NUMBERS + 1];
};

/* A reduction with its kernels and the arrays between its passes, made once for any number of runs.
 * It belongs to its context, and must be destroyed before it. */
struct qp_reduction;

/* Makes a reduction. Errors: QP_BAD_USE for sizes below 1, unknown enumerators, a channel that the
 * arrays do not have, dot products of a map, inputs or numbers without one, and compensation where
 * it is not offered: extremes and sums of integers, which are exact, and doubles; those of
 * qp_kernel_create for the map, with its own lines; QP_UNSUPPORTED for sizes above the device's
 * limit, and what it cannot do; QP_NO_MEMORY; QP_DEVICE; then *out is NULL. Owner: the caller, by
 * qp_reduction_destroy. Threads: the context's. */
enum qp_status qp_reduction_create(struct qp_context *context, const struct qp_reduction_desc *desc,
                                   struct qp_reduction **out);

/* Takes NULL and leaves *reduction NULL. Errors: none. Owner: none. Threads: the context's. */
void qp_reduction_destroy(struct qp_reduction **reduction);

struct qp_reduced {
    double value;
    int x, y; /* with a place: the cell; else 0 */
};

/* Reduces once, waits and reads the answer. `input` are the arrays, ended by a NULL name: the map's
 * by its names; without a map "x", and "y" for dot products. `number` are the map's numbers; NULL:
 * none. Errors: QP_BAD_USE for an array that is missing, unknown, or of other sizes, type or
 * channels than described (arrays of maps may have any size); those of qp_pass_run; then the value
 * is NaN and the cell (0, 0). Owner: none. Threads: the context's. */
enum qp_status qp_reduce(struct qp_reduction *reduction, const struct qp_pass_input *input,
                         const struct qp_pass_number *number, struct qp_reduced *out);

/* Reduces once and leaves the answer on the device, without waiting, in an array of 1 x 1 cell:
 * kernels of later passes read it by NAME_cell(vec2(0.0)). It has one channel; for a place four:
 * value, column, row, 0, for which there is no array of doubles. It holds floats; for arrays of
 * integers and doubles it holds their own type (for sums of integers the last 32 bits), but floats
 * for dot products and 2-norms of integers. Errors: those of qp_reduce; QP_BAD_USE for another
 * array. Owner: none. Threads: the context's. */
enum qp_status qp_reduce_to(struct qp_reduction *reduction, const struct qp_pass_input *input,
                            const struct qp_pass_number *number, struct qp_array *out);

/* Reduces an array's first channel once, by a tree: qp_reduction_create, qp_reduce and
 * qp_reduction_destroy in one call. An array in tiles (array.h) is reduced tile by tile; the tiles'
 * sums are added in double, row by row, so that 2^-53 of the sum of their magnitudes is lost for
 * each. Errors: those of these three. Owner: none. Threads: the context's. */
enum qp_status qp_array_reduce(const struct qp_array *x, enum qp_reduce_what what,
                               struct qp_reduced *out);

/* The same for the dot product of two arrays of equal sizes, type and channels; other arrays need a
 * map. Errors: those of qp_array_reduce. Owner: none. Threads: the context's. */
enum qp_status qp_array_dot(const struct qp_array *x, const struct qp_array *y,
                            struct qp_reduced *out);

/* ---- Running sums ---- */

enum qp_scan { QP_SCAN_INCLUSIVE, QP_SCAN_EXCLUSIVE };

/* Writes the sum of all cells up to each cell, row by row from (0, 0), with that cell or without
 * it, to an array of the same sizes, type and channels: floats, halves (summed as floats, rounded
 * once) or integers. Channels are summed each by itself. Does not wait.
 *
 * Accuracy, L = ceil(log4 width) + ceil(log4 height): a term goes through 3 L + 1 roundings at
 * most, so that an error is below g(3 L + 1) times the sum of magnitudes up to there. Integers are
 * exact modulo 2^32. NaN and infinities are in all sums from them on, and in none before.
 *
 * Errors: QP_BAD_USE for arrays that differ, doubles, an output that is read, or an unknown
 * enumerator; QP_UNSUPPORTED for arrays in tiles (array.h), and for a GL_TEXTURE_2D that is read;
 * QP_NO_MEMORY; QP_DEVICE. Owner: none. Threads: the context's. */
enum qp_status qp_scan(const struct qp_array *x, enum qp_scan how, struct qp_array *out);

/* ---- Gathers ---- */

/* Writes out[i] = x[index[i]]: `out` has the index array's sizes, and the type and channels of x.
 * An index array has integers or floats, which are rounded down; with one channel, the number of a
 * cell of x row by row, that is column number mod width of row number / width; or with two, its
 * column and its row. Cells outside x have the values that its description says; a NaN, and a
 * number that is infinite, is outside on the left and below. Denormal numbers may count as 0.
 * Floats that wrap count up to 2^24 columns or rows, integers up to their last. Does not wait.
 * Errors: QP_BAD_USE for arrays that do not fit, doubles, index arrays of four channels, or an
 * output that is read; QP_UNSUPPORTED as qp_scan; QP_NO_MEMORY; QP_DEVICE. Owner: none. Threads:
 * the context's. */
enum qp_status qp_gather(const struct qp_array *x, const struct qp_array *index,
                         struct qp_array *out);

/* Writes the cells of x whose mask is not 0 (NaN is not 0), in order row by row, to the first cells
 * of `out`, row by row, and zeros to the others. `mask` has one channel and the sizes of x, `out`
 * any sizes, and the type and channels of x; cells that do not fit are left out. *count becomes the
 * number of cells that the mask names, with those left out, 0 after an error; it waits for that
 * alone, and with NULL it does not. Running sums of the mask are made, and each cell of `out` looks
 * for the place where they reach its number, by bisection. Errors: QP_BAD_USE for arrays that do
 * not fit, doubles, or an output that is read; QP_UNSUPPORTED as qp_scan; QP_NO_MEMORY; QP_DEVICE.
 * Owner: none. Threads: the context's. */
enum qp_status qp_compact(const struct qp_array *x, const struct qp_array *mask,
                          struct qp_array *out, size_t *count);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
