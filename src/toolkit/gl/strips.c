/* SPDX-License-Identifier: MIT */
#include "toolkit/gl/strips.h"

#include <math.h>
#include <stdlib.h>

static int blocks_in(float length, int block)
{
    return ((int)ceilf(length) + block - 1) / block;
}

int qp_strips_count(const struct qp_geometry *geometry)
{
    return blocks_in(geometry->x1 - geometry->x0, geometry->block);
}

int qp_strips_vertices(const struct qp_geometry *geometry)
{
    return 2 * (blocks_in(geometry->y1 - geometry->y0, geometry->block) + 1);
}

void qp_strips_vertex(const struct qp_geometry *geometry, int strip, int v, float *at)
{
    const float block = (float)geometry->block;
    at[0] = fminf(geometry->x0 + block * (float)(strip + v % 2), geometry->x1);
    at[1] = fminf(geometry->y0 + block * (float)(v / 2), geometry->y1);
}

static enum qp_status store(struct qp_context *context, const struct qp_geometry *geometry,
                            struct qp_strips *strips)
{
    const int each = qp_strips_vertices(geometry);
    const size_t floats = 2 * (size_t)strips->count * (size_t)each;
    float *vertices = qp_alloc_floats(floats, "the vertices of strips"), *at = vertices;
    if (vertices == NULL)
        return QP_NO_MEMORY;
    for (int i = 0; i < strips->count; i++) {
        strips->first[i] = i * each;
        strips->vertices[i] = each;
        for (int v = 0; v < each; v++, at += 2)
            qp_strips_vertex(geometry, i, v, at);
    }
    glBindBuffer(GL_ARRAY_BUFFER, strips->buffer_id);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(floats * sizeof *vertices), vertices,
                 GL_STATIC_DRAW);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    free(vertices);
    return qp_gl_check(context, "storing the vertices of strips");
}

enum qp_status qp_strips_create(struct qp_context *context, const struct qp_geometry *geometry,
                                struct qp_strips *out)
{
    *out = (struct qp_strips){.context = context, .count = qp_strips_count(geometry)};
    out->first = qp_alloc((size_t)out->count, sizeof *out->first, "a list of strips");
    out->vertices = qp_alloc((size_t)out->count, sizeof *out->vertices, "a list of strips");
    if (out->first == NULL || out->vertices == NULL)
        return QP_NO_MEMORY;
    glGenBuffers(1, &out->buffer_id);
    enum qp_status status = qp_gl_count(context, out->buffer_id, "making a vertex buffer object");
    return status == QP_OK ? store(context, geometry, out) : status;
}

void qp_strips_destroy(struct qp_strips *strips)
{
    if (strips->buffer_id != 0) {
        glDeleteBuffers(1, &strips->buffer_id);
        strips->context->counters.live_objects--;
    }
    free(strips->first);
    free(strips->vertices);
    *strips = (struct qp_strips){0};
}
