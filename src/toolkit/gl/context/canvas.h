/* SPDX-License-Identifier: MIT */
/* The canvas of a probe: a small texture that it draws into, and the texels read back from it. */
#ifndef QP_GL_CANVAS_H
#define QP_GL_CANVAS_H

#include "toolkit/gl/step.h"

struct qp_canvas {
    struct qp_context *context;
    /* An error that is no answer: no memory, a lost context, a missing shader. */
    enum qp_status trouble;
    struct qp_texture texture;
    GLuint framebuffer_id;
    bool in_place; /* draws read what was drawn here before: a texture barrier comes before each */
    float texels[4 * 64 * 64];
};

/* Opens a canvas filled with `value`, of at most as many floats as `texels`. False: this device
 * cannot, or trouble. */
bool qp_canvas_open(struct qp_canvas *canvas, struct qp_context *context, enum qp_format format,
                    int width, int height, float value);
void qp_canvas_close(struct qp_canvas *canvas);

/* True for QP_OK. QP_UNSUPPORTED and QP_DEVICE mean that the device lacks the ability; any other
 * status is trouble, which says nothing of the device. */
bool qp_canvas_went_well(struct qp_canvas *canvas, enum qp_status status);

struct qp_surface qp_canvas_surface(const struct qp_canvas *canvas);
struct qp_geometry qp_canvas_whole(const struct qp_canvas *canvas);

/* Draws a copy of `source`, read as an image or as a texture. */
bool qp_canvas_draw_from(struct qp_canvas *canvas, const struct qp_texture *source, bool image,
                         const char *fragment, struct qp_geometry geometry, enum qp_blend blend);

void qp_canvas_clear(struct qp_canvas *canvas, float value); /* the texels on the host */
bool qp_canvas_read(struct qp_canvas *canvas);

/* Value that probe/coordinates.frag writes: negative and above 1, so that clamping shows. */
float qp_canvas_value(int x, int y);

/* True if the texels are qp_canvas_value times a factor, within this number of roundings. */
bool qp_canvas_holds(const struct qp_canvas *canvas, float factor, int roundings);

#endif
