/* SPDX-License-Identifier: MIT */
/* Arrays for programs of one's own: numbers that stay on the device, in a texture, from pass to
 * pass (pass.h). */
#ifndef QUADPASS_ARRAY_H
#define QUADPASS_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

#include <quadpass/context.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* An array of width x height cells of 1, 2 or 4 values. It belongs to its context, and is used by
 * that context's thread alone. A wrong argument gives a sentence and QP_BAD_USE: NULL, another
 * thread, arrays of two contexts, a part outside the array. An array must be destroyed before its
 * context.
 *
 * An array wider or higher than the device's rectangle_limit is kept in tiles, each a texture. It
 * is created, described, written, read, filled, copied, exchanged and destroyed as any other, takes
 * part in passes of kernels in the short form that read it by NAME_at alone (pass.h), and is
 * reduced by qp_array_reduce and qp_array_dot. All other functions refuse it: QP_UNSUPPORTED, and
 * the sentence names the limit. */
struct qp_array;

/* Type of a value on the device and, after the arrow, in the host's memory. */
enum qp_array_type {
    QP_ARRAY_FLOAT, /* 32 bits -> float */
    QP_ARRAY_HALF,  /* 16 bits -> float */
    QP_ARRAY_INT,   /* 32 bits -> int32_t; shaders of GLSL 1.40 and later read and write them */
    QP_ARRAY_UINT,  /* 32 bits -> uint32_t, likewise */
    /* 64 bits -> double, 1 or 2 values a cell; shaders have two uints for each (packDouble2x32).
     * Needs QP_CAN_DOUBLE. */
    QP_ARRAY_DOUBLE
};

/* Value that kernels read outside an array. Short kernels (kernel.h) read it through their gathers.
 * Other shaders read it where they sample a sampler2DRect at floating-point coordinates; for them
 * QP_OUTSIDE_WRAP is refused. Outside a view, short kernels read what is said here; other shaders
 * read the neighbouring cells of the array that the view is a part of. */
enum qp_outside {
    QP_OUTSIDE_ZERO,
    QP_OUTSIDE_CLAMP, /* the nearest cell of the array */
    QP_OUTSIDE_WRAP,  /* the cell on the other side */
    QP_OUTSIDE_VALUE  /* qp_array_desc.value, in every channel */
};

/* Zero means default, but for the sizes. */
struct qp_array_desc {
    int width, height; /* cells, 1 to 2^23 each way; above the device's rectangle_limit in tiles */
    int channels;      /* values of a cell: 1 (default), 2 or 4 */
    enum qp_array_type type;
    enum qp_outside outside;
    double value; /* with QP_OUTSIDE_VALUE */
};

/* Cells (x, y) to (x + width - 1, y + height - 1), row 0 at the bottom. Where a pointer to it may
 * be NULL, NULL means the whole array. */
struct qp_rect {
    int x, y, width, height;
};

/* ---- Making arrays ---- */

/* Makes an array of `values`, row by row without gaps, channels side by side; NULL: zeros. Textures
 * of arrays that were destroyed are used again. Errors: QP_BAD_USE for sizes below 1, unknown
 * enumerators and other channels; QP_UNSUPPORTED for what the device cannot render to, or sizes
 * above 2^23; QP_NO_MEMORY; QP_DEVICE; then *out is NULL. Owner: the caller, by qp_array_destroy.
 * Threads: the context's. */
enum qp_status qp_array_create(struct qp_context *context, const struct qp_array_desc *desc,
                               const void *values, struct qp_array **out);

/* Makes a float array of a Matrix Market file's matrix, row i at y = i, zeros where a sparse file
 * has no entry. Errors: those of qp_market_read and of qp_array_create; QP_UNSUPPORTED for sizes
 * above the device's rectangle_limit. Owner: the caller, by qp_array_destroy. Threads: the
 * context's. */
enum qp_status qp_array_read_market(struct qp_context *context, const char *path,
                                    struct qp_array **out);

/* Makes an array that is a part of another: both have the same cells. The other one's texture lives
 * until both are destroyed. Errors: QP_BAD_USE, QP_NO_MEMORY; then *out is NULL. Owner: the caller,
 * by qp_array_destroy. Threads: the context's. */
enum qp_status qp_array_view(struct qp_array *array, const struct qp_rect *part,
                             struct qp_array **out);

/* Makes an array of a texture of the caller's own, which its context shares or is (context.h);
 * `target` is GL_TEXTURE_RECTANGLE or GL_TEXTURE_2D, of which it takes the first level. The texture
 * is not deleted with the array, and its parameters change. Kernels write arrays of both targets,
 * but read rectangles alone: a GL_TEXTURE_2D must be copied first (qp_array_copy). Errors:
 * QP_BAD_USE for a name that is no texture of this target; QP_UNSUPPORTED for a format that arrays
 * do not have; QP_NO_MEMORY; then *out is NULL. Owner: the caller, by qp_array_destroy. Threads:
 * the context's. */
enum qp_status qp_array_adopt(struct qp_context *context, unsigned texture, unsigned target,
                              struct qp_array **out);

/* Destroys the array; takes NULL and leaves *array NULL. Errors: none; in another thread the
 * texture lives until the context is destroyed. Owner: none. Threads: the context's. */
void qp_array_destroy(struct qp_array **array);

/* Sizes, type and outside of an array. Errors: all zero for NULL. Owner: none. Threads: the
 * context's. */
struct qp_array_desc qp_array_describe(const struct qp_array *array);

/* Texture of an array, and its place there, for programs that draw it. */
struct qp_array_texture {
    unsigned name, target; /* GL_TEXTURE_RECTANGLE or GL_TEXTURE_2D */
    int x, y;              /* texel of the array's first cell; not (0, 0) in views */
    int internal_format;   /* such as GL_R32F */
};

/* Errors: all zero for NULL. Owner: the array keeps its texture. Threads: the context's. */
struct qp_array_texture qp_array_texture(const struct qp_array *array);

/* ---- Values to and from the host ---- */

/* Replaces the cells of `part` (NULL: all). `values` has its rows, `row_bytes` from one to the
 * next; 0: without gaps. Errors: QP_BAD_USE, among them row_bytes below a row's; QP_NO_MEMORY;
 * QP_DEVICE. Owner: the caller keeps `values`. Threads: the context's. */
enum qp_status qp_array_write(struct qp_array *array, const struct qp_rect *part,
                              const void *values, size_t row_bytes);

/* Waits for all passes that write the array, and reads cells of `part` (NULL: all) into rows as
 * qp_array_write has them; bytes between the rows stay as they are. Errors: those of
 * qp_array_write. Owner: the caller of `values`. Threads: the context's. */
enum qp_status qp_array_read(const struct qp_array *array, const struct qp_rect *part, void *values,
                             size_t row_bytes);

/* Sets every channel of all cells of `part` (NULL: all) to `value`, rounded to the nearest of the
 * array's type. Errors: QP_BAD_USE, among them a value that integers of 32 bits do not hold;
 * QP_DEVICE. Owner: none. Threads: the context's. */
enum qp_status qp_array_fill(struct qp_array *array, const struct qp_rect *part, double value);

/* Copies `part` of an array (NULL: all) to (x, y) of another, or of the same where the two do not
 * overlap; both have the same type and channels. Does not wait. Errors: QP_BAD_USE, QP_DEVICE.
 * Owner: none. Threads: the context's. */
enum qp_status qp_array_copy(const struct qp_array *from, const struct qp_rect *part,
                             struct qp_array *to, int x, int y);

/* ---- Downloads that nobody waits for ---- */

/* Values on their way to the host. */
struct qp_download;

/* Asks for the cells of `part` (NULL: all) as they are after all passes so far; later passes may
 * change the array. Does not wait where the device has pixel buffers and fences
 * (QP_CAN_PIXEL_BUFFER, QP_CAN_FENCE). Errors: QP_BAD_USE, QP_NO_MEMORY, QP_DEVICE; then *out is
 * NULL. Owner: the caller, by qp_download_take or qp_download_cancel, before its context is
 * destroyed. Threads: the context's. */
enum qp_status qp_array_ask(const struct qp_array *array, const struct qp_rect *part,
                            struct qp_download **out);

/* True once the values are there, so that qp_download_take does not wait. Errors: true for NULL.
 * Owner: none. Threads: the context's. */
bool qp_download_poll(struct qp_download *download);

/* Waits if need be, writes the values as qp_array_read does, and leaves *download NULL. Errors:
 * QP_BAD_USE, after which it can be asked again; QP_DEVICE. Owner: the caller of `values`. Threads:
 * the context's. */
enum qp_status qp_download_take(struct qp_download **download, void *values, size_t row_bytes);

/* Forgets a download; takes NULL and leaves *download NULL. Errors: none. Owner: none. Threads: the
 * context's. */
void qp_download_cancel(struct qp_download **download);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
