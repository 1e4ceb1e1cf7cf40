/* SPDX-License-Identifier: MIT */
/* Quad strips: a rectangle cut into quads of block x block texels, one strip a column of quads; the
 * last quads are as narrow and as low as the rectangle leaves them. A strip of q quads has 2 (q +
 * 1) vertices. */
#ifndef QP_GL_STRIPS_H
#define QP_GL_STRIPS_H

#include "toolkit/gl/pass.h"

/* The vertices of all strips, stored on the device: a vertex buffer object. */
struct qp_strips {
    struct qp_context *context;
    GLuint buffer_id;
    int count;
    GLint *first;      /* number of each strip's first vertex */
    GLsizei *vertices; /* number of its vertices */
};

/* Number of strips of a geometry, and of vertices in each. */
int qp_strips_count(const struct qp_geometry *geometry);
int qp_strips_vertices(const struct qp_geometry *geometry);

/* Vertex v of a strip: left and right in turn, from the bottom up. */
void qp_strips_vertex(const struct qp_geometry *geometry, int strip, int v, float *at);

/* Stores a geometry's vertices; the caller owns them. Errors: QP_NO_MEMORY, QP_DEVICE; then `out`
 * may be destroyed all the same. */
enum qp_status qp_strips_create(struct qp_context *context, const struct qp_geometry *geometry,
                                struct qp_strips *out);

void qp_strips_destroy(struct qp_strips *strips);

#endif
