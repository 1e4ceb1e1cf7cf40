/* SPDX-License-Identifier: MIT */
#include "lab/engines/gl.h"

#include <stdlib.h>
#include <string.h>

#include "toolkit/gl/readback.h"

static struct qp_pingpong *pair_of(const struct qp_plan *plan)
{
    struct qp_plan_gl *own = plan->own;
    return &own->pair;
}

/* Rows of x by themselves: their layout, and the texels that a device's rectangle goes through. */
struct band {
    struct qp_layout layout;
    int first; /* row of texels in each sheet of the plan's */
    char *texels, *rectangle;
    size_t line; /* bytes of a row of the rectangle */
};

static enum qp_status make_band(const struct qp_plan *plan, int y, int count, struct band *band)
{
    const struct qp_layout *layout = &plan->layout;
    *band = (struct band){.layout =
                              qp_layout_make(layout->shape, plan->problem->answer_width, count, 1),
                          .first = layout->origin_y + y / qp_layout_unit(layout)};
    band->line = (size_t)layout->domain_x * qp_texel_bytes(layout->shape.format);
    band->texels = qp_alloc_zero(qp_layout_bytes(&band->layout), 1, "rows of x");
    band->rectangle =
        qp_alloc_zero((size_t)band->layout.domain_y, band->line, "rows of x as they travel");
    return band->texels != NULL && band->rectangle != NULL ? QP_OK : QP_NO_MEMORY;
}

static void drop_band(struct band *band)
{
    free(band->texels);
    free(band->rectangle);
}

/* Copies a sheet's rectangle into the band's texels, or out of them. */
static void copy_rectangle(struct band *band, int sheet, bool in)
{
    const struct qp_layout *layout = &band->layout;
    for (int y = 0; y < layout->domain_y; y++) {
        const size_t row = (size_t)(sheet * layout->sheet_y + layout->origin_y + y);
        char *texels = band->texels + (row * (size_t)layout->storage_x + (size_t)layout->origin_x) *
                                          qp_texel_bytes(layout->shape.format);
        char *there = band->rectangle + (size_t)y * band->line;
        memcpy(in ? texels : there, in ? there : texels, band->line);
    }
}

enum qp_status qp_plan_gl_get_rows(struct qp_plan *plan, int y, int count, void *values)
{
    struct qp_surface surface = qp_pingpong_source_surface(pair_of(plan));
    struct band band;
    enum qp_status status = make_band(plan, y, count, &band);
    for (int sheet = 0; sheet < plan->layout.sheets && status == QP_OK; sheet++) {
        status =
            qp_readback(plan->context, surface, plan->layout.shape.format, plan->layout.origin_x,
                        band.first, plan->layout.domain_x, band.layout.domain_y, band.rectangle);
        copy_rectangle(&band, sheet, true);
        surface.attachment++;
    }
    if (status == QP_OK)
        qp_layout_unpack(&band.layout, 0, band.texels, values);
    drop_band(&band);
    return status;
}

/* The pixel buffer of a sheet's rectangle; none where the device has no such buffers. On an H100
 * (driver 580.159) a row from the host's own memory into a texture of 32 MiB that was drawn to
 * takes 3 ms, as if all of it were copied; from a buffer it takes 11 us. */
static enum qp_status need_buffer(struct qp_plan *plan, size_t bytes)
{
    struct qp_plan_gl *own = plan->own;
    if (own->rows.bytes >= bytes ||
        (qp_context_device(plan->context)->abilities & QP_CAN_PIXEL_BUFFER) == 0)
        return QP_OK;
    qp_buffer_destroy(&own->rows);
    return qp_buffer_create(plan->context, GL_PIXEL_UNPACK_BUFFER, GL_STREAM_DRAW, bytes,
                            &own->rows);
}

static enum qp_status send_rectangle(struct qp_plan *plan, struct qp_texture texture,
                                     const struct band *band)
{
    struct qp_plan_gl *own = plan->own;
    const int height = band->layout.domain_y;
    const size_t bytes = (size_t)height * band->line;
    enum qp_status status = need_buffer(plan, bytes);
    const bool buffered = own->rows.id != 0;
    if (status == QP_OK && buffered)
        status = qp_buffer_send(&own->rows, 0, band->rectangle, bytes);
    if (status == QP_OK)
        qp_texture_send(&texture, own->rows.id, plan->layout.origin_x, band->first,
                        plan->layout.domain_x, height, buffered ? NULL : band->rectangle);
    return status;
}

enum qp_status qp_plan_gl_put_rows(struct qp_plan *plan, int y, int count, const void *values)
{
    const struct qp_op *op = plan->problem->op;
    const struct qp_texture *source = qp_pingpong_source(pair_of(plan));
    struct band band;
    enum qp_status status = make_band(plan, y, count, &band);
    if (status == QP_OK)
        qp_layout_pack(&band.layout, 0, values, op->field[op->state].padding, band.texels);
    for (int sheet = 0; sheet < plan->layout.sheets && status == QP_OK; sheet++) {
        copy_rectangle(&band, sheet, false);
        status = send_rectangle(plan, source[sheet], &band);
    }
    drop_band(&band);
    return status == QP_OK ? qp_gl_check(plan->context, "stages 5 and 6, rows of a neighbour")
                           : status;
}
