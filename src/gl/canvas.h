/* SPDX-License-Identifier: MIT */
/* A small texture that probes draw into, and what they find in it. */
#ifndef QP_GL_CANVAS_H
#define QP_GL_CANVAS_H

#include "gl/step.h"

struct qp_canvas {
    struct qp_context *context;
    enum qp_status
        trouble; /* that is no answer: memory ran out, the context is lost, a text is missing */
    struct qp_texture texture;
    GLuint framebuffer_id;
    bool in_place; /* draws read what was drawn here before: a texture barrier stands before each */
    float texels[4 * 64 * 64];
};

/* Opens a canvas filled with `value`, of at most as many floats as `texels`. False: this device cannot, or trouble. */
bool qp_canvas_open(struct qp_canvas *canvas, struct qp_context *context, enum qp_format format,
                    int width, int height, float value);
void qp_canvas_close(struct qp_canvas *canvas);

/* True if all is good. What the driver refuses (QP_UNSUPPORTED, QP_DEVICE) the device cannot do; any
 * other status is trouble, which says nothing of the device. */
bool qp_canvas_went_well(struct qp_canvas *canvas, enum qp_status status);

struct qp_surface qp_canvas_surface(const struct qp_canvas *canvas);
struct qp_geometry qp_canvas_whole(const struct qp_canvas *canvas);

/* Draws what is read from `source`, as an image or not. */
bool qp_canvas_draw_from(struct qp_canvas *canvas, const struct qp_texture *source, bool image,
                         const char *fragment, struct qp_geometry geometry, enum qp_blend blend);

void qp_canvas_clear(struct qp_canvas *canvas, float value); /* the texels on the host */
bool qp_canvas_read(struct qp_canvas *canvas);

/* What probe/coordinates.frag writes: negative and above 1, so that clamping shows. */
float qp_canvas_value(int x, int y);

/* True if the texels are that, times a factor, stored so many times. */
bool qp_canvas_holds(const struct qp_canvas *canvas, float factor, int roundings);

#endif
