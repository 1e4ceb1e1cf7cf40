/* SPDX-License-Identifier: MIT */
/* Arrays inside the library: a texture that arrays share, and which of its texels are an array's cells. */
#ifndef QP_TOOLKIT_ARRAY_H
#define QP_TOOLKIT_ARRAY_H

#include <quadpass/array.h>

#include "gl/pass.h"
#include "gl/texture.h"
#include "toolkit/objects.h"

/* A texture and what draws to it; an array and its views share one. */
struct qp_storage {
    struct qp_context *context;
    struct qp_texture texture;
    GLuint framebuffer_id; /* with the texture alone; 0 until a pass writes it or reads it back */
    int users;             /* arrays that have it */
    bool adopted;          /* the caller's texture, which stays */
};

struct qp_array {
    struct qp_storage *storage;
    int x, y; /* texel of the first cell */
    struct qp_array_desc desc;
};

/* The format of an array of this type and so many channels; QP_FORMATS where there is none. */
enum qp_format qp_array_format(enum qp_array_type type, int channels);

/* What a context must be able to do for it, an ability or 0. */
unsigned qp_array_needs(enum qp_array_type type, int channels);

/* QP_OK for an array that lives, and is the context's where that is not NULL; `what` is the argument's name. */
enum qp_status qp_array_check(const struct qp_array *array, const struct qp_context *context,
                              const char *what);

/* The array's texture as a render target. Errors: QP_DEVICE, QP_NO_MEMORY. */
enum qp_status qp_array_surface(const struct qp_array *array, struct qp_surface *out);

/* Gives back the textures that a context keeps for arrays to come. */
void qp_arrays_forget(struct qp_context *context);

#endif
