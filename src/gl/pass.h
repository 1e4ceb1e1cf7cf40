/* SPDX-License-Identifier: MIT */
/* Room 5: computing = drawing. The only place that draws, and, for what came after, dispatches. */
#ifndef QP_GL_PASS_H
#define QP_GL_PASS_H

#include "gl/program.h"
#include "gl/texture.h"

enum { QP_UNITS = 20, QP_TARGETS = 8 };

/* A texture as a render target; or the first of several, whose attachments follow it. */
struct qp_surface {
    GLuint framebuffer_id;
    GLenum attachment;
};

/* Where fragments are made, in texels of the viewport. Corners may be fractions: paper 1's interior
 * quad is (1, 0) to (w-1, h), its boundary lines stand at x = 0.5 and w - 0.5. */
struct qp_geometry {
    GLenum primitive; /* GL_QUADS: corners (x0, y0) and (x1, y1); GL_LINES: from one to the other;
                         GL_QUAD_STRIP: the quad's rectangle, in strips (strips.h); GL_POINTS: one
                         in the middle of each of its texels, which a vertex shader may move */
    float x0, y0, x1, y1;
    int block;   /* texels that a quad of a strip is wide and high */
    int times;   /* so many GL_QUADS alike, one above the other; 0 means 1 */
    float apart; /* from one to the next */
};

struct qp_strips;

/* What becomes of a fragment where a texel stands already. */
enum qp_blend {
    QP_REPLACE,
    QP_ADD,                 /* texel + fragment */
    QP_SUBTRACT,            /* texel - fragment: ONE, ONE, reverse subtract */
    QP_SUBTRACT_TIMES_ALPHA /* texel - alpha * fragment: SRC_ALPHA, ONE, reverse subtract */
};

/* One draw call and everything it depends on. Texture i is bound to unit i; uniforms are set
 * before, by step.c, and stay with the program. */
struct qp_pass {
    struct qp_program *program;
    struct qp_surface surface;
    int targets;             /* textures written, from that one on; 0 means 1 */
    int x, y, width, height; /* the viewport: texels of the surface that may be written */
    struct qp_geometry geometry;
    const struct qp_strips *strips; /* where its vertices are stored; NULL: sent with every draw */
    const struct qp_texture *texture[QP_UNITS];
    int textures;
    int images; /* so many of the first ones are read by imageLoad, from image units, all layers */
    enum qp_blend blend;
    bool
        barrier; /* a texture barrier stands before it: it reads texels of its surface that passes before it have
                     drawn. Needs QP_CAN_TEXTURE_BARRIER */

    /* For a compute shader instead of surface, geometry and blend: */
    struct qp_group group;                      /* that its program was made for */
    const struct qp_texture *image[QP_TARGETS]; /* image i, unit i, which it may write and read */
    int written;                                /* so many */
};

struct qp_geometry qp_quad(float x0, float y0, float x1, float y1);
struct qp_geometry qp_line(float x0, float y0, float x1, float y1);
struct qp_geometry qp_points(int width, int height);

/* `quad` in strips of quads of block x block texels. */
struct qp_geometry qp_quad_strips(struct qp_geometry quad, int block);

/* Sets all state and draws; does not wait and does not ask for errors, which is once per room. */
void qp_pass_draw(struct qp_context *context, const struct qp_pass *pass);

/* The same for a compute shader: as many groups as cover width x height invocations. What it wrote
 * is seen by whatever comes next. */
void qp_pass_dispatch(struct qp_context *context, const struct qp_pass *pass);

#endif
