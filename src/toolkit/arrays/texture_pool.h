/* SPDX-License-Identifier: MIT */
/* The pool of a context: textures of destroyed arrays, for arrays of equal format and size to
 * come, so that loops that create and destroy arrays do not pay for it each time. */
#ifndef QP_TOOLKIT_TEXTURE_POOL_H
#define QP_TOOLKIT_TEXTURE_POOL_H

#include <quadpass/array.h>

#include "toolkit/gl/texture.h"

enum { QP_POOL_TEXTURES = 32 /* at most */ };

/* Outside that a texture was last set to. */
struct qp_told {
    bool known; /* and nobody else can have set it since */
    enum qp_outside outside;
    double value;
};

/* A texture, and the framebuffer object that holds it alone. */
struct qp_pooled_texture {
    struct qp_texture texture;
    GLuint framebuffer_id;
    struct qp_told told;
};

/* Takes the texture that was put there last; false where there is none of this format and size. */
bool qp_texture_pool_take(struct qp_context *context, enum qp_format format, int width, int height,
                          struct qp_pooled_texture *out);

/* Puts a texture there, or deletes it; the oldest are deleted for it, up to 256 MiB or a quarter of
 * the device's free memory. */
void qp_texture_pool_put(const struct qp_pooled_texture *pooled);

/* Deletes all that is there; false if that was nothing. */
bool qp_texture_pool_clear(struct qp_context *context);

#endif
