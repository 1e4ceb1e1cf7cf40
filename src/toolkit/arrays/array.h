/* SPDX-License-Identifier: MIT */
/* Arrays inside the library: a texture that arrays share, and which of its texels are an array's
 * cells. */
#ifndef QP_TOOLKIT_ARRAY_H
#define QP_TOOLKIT_ARRAY_H

#include <quadpass/array.h>

#include "toolkit/arrays/objects.h"
#include "toolkit/arrays/texture_pool.h"
#include "toolkit/gl/call.h"
#include "toolkit/gl/pass.h"
#include "toolkit/gl/texture.h"

/* A texture and what draws to it; an array and its views share one. */
struct qp_storage {
    struct qp_context *context;
    struct qp_texture texture;
    GLuint framebuffer_id; /* with the texture alone */
    int users;             /* arrays that have it */
    bool adopted;          /* the caller's texture, which stays */
    bool shown;            /* its name was given to the caller, who may set what he likes */
    struct qp_told told;
};

struct qp_tiles;

struct qp_array {
    struct qp_storage *storage;
    int x, y; /* texel of the first cell */
    struct qp_array_desc desc;
    /* Tiles of an array above the limit of a texture (tiled.h), and `storage` is the first one's;
     * else NULL. */
    struct qp_tiles *tiles;
};

/* Format of an array of this type with `channels` values a cell; QP_FORMATS where there is none. */
enum qp_format qp_array_format(enum qp_array_type type, int channels);

/* Checks that the context's device can have such an array. Errors: QP_UNSUPPORTED. */
enum qp_status qp_array_check_device(const struct qp_context *context, enum qp_array_type type,
                                     int channels);

/* QP_OK for an array that lives, and is the context's where that is not NULL; `what` is the
 * argument's name. It has no tiles: functions that know of them ask the second one. */
enum qp_status qp_array_check(const struct qp_array *array, const struct qp_context *context,
                              const char *what);
enum qp_status qp_array_check_any(const struct qp_array *array, const struct qp_context *context,
                                  const char *what);

/* True for arrays with one texture: views of one array, and arrays of one texture that was adopted
 * twice. */
bool qp_array_shares(const struct qp_array *array, const struct qp_array *other);

/* QP_NO_MEMORY where the device has no room for width x height texels of `what`, such as "an
 * array". */
enum qp_status qp_room_check(const struct qp_context *context, const char *what, size_t texel_bytes,
                             int width, int height);

/* The array's texture as a render target. Errors: QP_DEVICE, QP_NO_MEMORY. */
enum qp_status qp_array_surface(const struct qp_array *array, struct qp_surface *out);

/* ---- For the files of arrays alone ---- */

/* A value in every channel of a cell, as OpenGL takes it for clearing and for borders. */
union qp_cell_value {
    GLfloat fraction[4];
    GLint integer[4];
    GLuint word[4]; /* unsigned integers, and doubles */
};

/* Rounds to the array's type. Errors: QP_BAD_USE for what integers cannot hold. */
enum qp_status qp_array_cell(enum qp_array_type type, double value, union qp_cell_value *out);

/* Begin of a public function about an array of this context: qp_call_begin, and the context is
 * current. Such a function calls qp_call_end at its end, after an error too. The second one is for
 * functions that know of tiles. */
enum qp_status qp_array_begin(struct qp_call *call, const struct qp_array *array, const char *what);
enum qp_status qp_array_begin_any(struct qp_call *call, const struct qp_array *array,
                                  const char *what);

/* `part` of an array, or all of it for NULL. Errors: QP_BAD_USE for what is empty or outside. */
enum qp_status qp_array_part(const struct qp_array *array, const struct qp_rect *part,
                             struct qp_rect *out);

/* Bytes of a cell in the host's memory. */
size_t qp_array_cell_bytes(const struct qp_array_desc *desc);

/* Rows of a part in the host's memory. */
struct qp_rows {
    size_t bytes, apart, count; /* bytes of a row, and from one to the next; rows */
    int cells_apart;            /* the same in cells; 0 where that is no whole number of them */
};

/* Errors: QP_BAD_USE. */
enum qp_status qp_rows_check(size_t cell_bytes, const struct qp_rect *part, size_t row_bytes,
                             struct qp_rows *out);
void qp_rows_copy(const struct qp_rows *rows, const void *from, size_t from_apart, void *to,
                  size_t to_apart);

/* A storage with one user, whose texels are undefined. Errors: QP_UNSUPPORTED, QP_NO_MEMORY,
 * QP_DEVICE. */
enum qp_status qp_storage_create(struct qp_context *context, enum qp_format format, int width,
                                 int height, struct qp_storage **out);

/* Sets the value outside, for shaders that read with floating coordinates. */
void qp_storage_set_outside(struct qp_storage *storage, const struct qp_array_desc *desc);

/* Sets all channels of a rectangle of texels; does not check for errors. */
void qp_storage_clear(const struct qp_storage *storage, const struct qp_rect *texels,
                      const union qp_cell_value *cell);

/* Copies a rectangle of texels to (x, y) of another storage, or of the same beside it; does not
 * check for errors. */
void qp_storage_copy(const struct qp_storage *from, const struct qp_rect *texels,
                     const struct qp_storage *to, int x, int y);

/* Takes one user away; the last one's texture goes to the pool, or, as its context ends, is
 * deleted. */
void qp_storage_release(struct qp_storage *storage);
void qp_storage_abandon(struct qp_storage *storage);

/* An array that lives, of these cells. Their storage or tiles have one user more, or, after an
 * error, one less. Errors: QP_NO_MEMORY. */
enum qp_status qp_array_make(const struct qp_array *cells, struct qp_array **out);

/* Fills in defaults. Errors: QP_BAD_USE, QP_UNSUPPORTED for sizes above the limit of `target`. */
enum qp_status qp_array_check_desc(const struct qp_context *context, GLenum target,
                                   const struct qp_array_desc *desc, struct qp_array_desc *out);

/* True for integers. */
static inline bool qp_array_is_whole(enum qp_array_type type)
{
    return type == QP_ARRAY_INT || type == QP_ARRAY_UINT;
}

/* The error that a step of a kernel may have by default, in parts of the largest magnitude. */
static inline double qp_array_tolerance(enum qp_array_type type)
{
    return qp_array_is_whole(type)   ? 0.0
           : type == QP_ARRAY_DOUBLE ? 0x1p-48
           : type == QP_ARRAY_HALF   ? 0x1p-10
                                     : 0x1p-20;
}

#endif
