/* SPDX-License-Identifier: MIT */
/* Stage 5: computing = drawing. The only place that draws, or, with compute shaders, dispatches. */
#ifndef QP_GL_PASS_H
#define QP_GL_PASS_H

#include "toolkit/gl/program.h"
#include "toolkit/gl/test_buffer.h"
#include "toolkit/gl/texture.h"

enum { QP_UNITS = 20, QP_TARGETS = 8 };

/* A texture as a render target; or the first of several, whose attachments follow it. */
struct qp_surface {
    GLuint framebuffer_id;
    GLenum attachment;
};

/* The primitive that a draw rasterises, in texels of the viewport. Corners may be fractions: paper
 * 1's interior quad is (1, 0) to (w-1, h), its boundary lines are at x = 0.5 and w - 0.5. */
struct qp_geometry {
    /* Primitive that is drawn. GL_QUADS: corners (x0, y0) and (x1, y1); GL_LINES: from one to the
     * other; GL_QUAD_STRIP: the quad's rectangle, in strips (strips.h); GL_POINTS: one in the
     * middle of each of its texels, which a vertex shader may move. */
    GLenum primitive;
    float x0, y0, x1, y1;
    int block;   /* texels: width and height of a quad of a strip */
    int times;   /* number of equal GL_QUADS, one above the other; 0 means 1 */
    float apart; /* texels from one of them to the next */
};

struct qp_step;
struct qp_step_value;
struct qp_strips;

/* Blend equation: how a fragment meets the texel in the target. */
enum qp_blend {
    QP_REPLACE,
    QP_ADD,                  /* texel + fragment */
    QP_SUBTRACT,             /* texel - fragment: ONE, ONE, reverse subtract */
    QP_SUBTRACT_TIMES_ALPHA, /* texel - alpha * fragment: SRC_ALPHA, ONE, reverse subtract */
    QP_LEAST,                /* the lesser of the two */
    QP_GREATEST
};

/* A draw call and everything it depends on. Texture i is bound to unit i; uniforms stay with the
 * program. */
struct qp_gl_pass {
    /* A program whose names are known (step.h), and a value for each of them. qp_step_run uses the
     * program, and sets by them: textures, images and, of what computes, group and written. */
    const struct qp_step *step;
    const struct qp_step_value *values;
    struct qp_program *program; /* where there is no step; NULL: the one that is in use */
    struct qp_surface surface;
    int targets;             /* textures written, from the surface's on; 0 means 1 */
    int x, y, width, height; /* the viewport: texels of the surface that may be written */
    struct qp_geometry geometry;
    const struct qp_strips *strips; /* stored vertices; NULL: sent with every draw */
    const struct qp_texture *texture[QP_UNITS];
    int textures;
    int images; /* number of the first textures that are read by imageLoad, all layers of each */
    enum qp_blend blend;
    /* Test of depths, if there are some: that of a fragment is its z, 0 to 1, unless the shader
     * sets gl_FragDepth. */
    struct qp_test test;
    /* A texture barrier comes before it: it reads texels of its surface that passes before it have
     * drawn. Needs QP_CAN_TEXTURE_BARRIER. A compute shader's images were drawn to, or read, by
     * passes before it. */
    bool barrier;

    /* Members of a compute shader, instead of surface, geometry and blend: */
    struct qp_group group;                      /* work group size of its program */
    const struct qp_texture *image[QP_TARGETS]; /* image i at unit i, written and read */
    int written;                                /* number of images */
};

struct qp_geometry qp_quad(float x0, float y0, float x1, float y1);
struct qp_geometry qp_line(float x0, float y0, float x1, float y1);
struct qp_geometry qp_points(int width, int height);

/* `quad` in strips of quads of block x block texels. */
struct qp_geometry qp_quad_strips(struct qp_geometry quad, int block);

/* Sets all state and draws; does not wait and does not check for errors, which is done once per
 * stage. */
void qp_pass_draw(struct qp_context *context, const struct qp_gl_pass *pass);

/* Dispatches a compute shader: as many groups as cover width x height invocations. Memory barriers
 * make its writes visible to all later commands. */
void qp_pass_dispatch(struct qp_context *context, const struct qp_gl_pass *pass);

#endif
