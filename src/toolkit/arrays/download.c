/* SPDX-License-Identifier: MIT */
/* Downloads that nobody waits for: the device copies into a pixel buffer, and a fence shows when it
 * is done. */
#include <stdlib.h>

#include "toolkit/arrays/array.h"
#include "toolkit/base/caller.h"
#include "toolkit/gl/buffer.h"
#include "toolkit/gl/readback.h"

struct qp_download {
    struct qp_context *context;
    struct qp_rect part;
    size_t cell_bytes;
    struct qp_buffer buffer; /* without pixel buffers or fences none, and */
    void *values;            /* values that were read at once */
    GLsync fence;            /* NULL once the values are in the buffer */
};

static void release(void *object)
{
    struct qp_download *download = object;
    qp_fence_destroy(download->context, &download->fence);
    qp_buffer_destroy(&download->buffer);
    free(download->values);
    free(download);
}

/* ---- Asking ---- */

static enum qp_status ask_buffer(struct qp_download *download, struct qp_surface surface,
                                 enum qp_format format, const struct qp_rect *texels, size_t bytes)
{
    struct qp_context *context = download->context;
    enum qp_status status =
        qp_buffer_create(context, GL_PIXEL_PACK_BUFFER, GL_STREAM_READ, bytes, &download->buffer);
    if (status != QP_OK)
        return status;
    qp_readback_ask(context, surface, format, download->buffer.id, texels->x, texels->y,
                    texels->width, texels->height, NULL, 0);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    status = qp_fence_set(context, &download->fence);
    glFlush();
    return status == QP_OK ? qp_gl_check(context, "downloading an array") : status;
}

static enum qp_status read_at_once(struct qp_download *download, struct qp_surface surface,
                                   enum qp_format format, const struct qp_rect *texels,
                                   size_t bytes)
{
    download->values = qp_alloc(1, bytes, "a download");
    if (download->values == NULL)
        return QP_NO_MEMORY;
    return qp_readback(download->context, surface, format, texels->x, texels->y, texels->width,
                       texels->height, download->values);
}

static enum qp_status ask(const struct qp_array *array, const struct qp_rect *part,
                          struct qp_download *download)
{
    const unsigned needed = QP_CAN_PIXEL_BUFFER | QP_CAN_FENCE;
    const enum qp_format format = array->storage->texture.format;
    struct qp_surface surface;
    if (qp_array_part(array, part, &download->part) != QP_OK)
        return QP_BAD_USE;
    enum qp_status status = qp_array_surface(array, &surface);
    if (status != QP_OK)
        return status;
    const struct qp_rect texels = {array->x + download->part.x, array->y + download->part.y,
                                   download->part.width, download->part.height};
    const size_t bytes = download->cell_bytes * (size_t)texels.width * (size_t)texels.height;
    if ((download->context->device.abilities & needed) == needed)
        return ask_buffer(download, surface, format, &texels, bytes);
    return read_at_once(download, surface, format, &texels, bytes);
}

static enum qp_status create(const struct qp_array *array, const struct qp_rect *part,
                             struct qp_download **out)
{
    struct qp_context *context = array->storage->context;
    struct qp_download *download = qp_alloc_zero(1, sizeof *download, "a download");
    if (download == NULL)
        return QP_NO_MEMORY;
    download->context = context;
    download->cell_bytes = qp_array_cell_bytes(&array->desc);
    enum qp_status status = ask(array, part, download);
    if (status == QP_OK)
        status = qp_object_born(download, QP_OBJECT_DOWNLOAD, context, release);
    if (status == QP_OK)
        *out = download;
    else
        release(download);
    return status;
}

enum qp_status qp_array_ask(const struct qp_array *array, const struct qp_rect *part,
                            struct qp_download **out)
{
    struct qp_call call;
    if (QP_NEED_OUT(out, NULL))
        return QP_BAD_USE;
    enum qp_status status = qp_array_begin(&call, array, "array");
    if (status == QP_OK)
        status = create(array, part, out);
    return qp_call_end(&call, status);
}

/* ---- Taking ---- */

static enum qp_status begin(struct qp_call *call, const struct qp_download *download)
{
    return qp_object_begin(call, download, QP_OBJECT_DOWNLOAD, "download");
}

static bool is_there(struct qp_download *download)
{
    if (download->fence == NULL)
        return true;
    if (glClientWaitSync(download->fence, GL_SYNC_FLUSH_COMMANDS_BIT, 0) == GL_TIMEOUT_EXPIRED &&
        qp_gl_check_lost(download->context, "polling a download") == QP_OK)
        return false;
    qp_fence_destroy(download->context, &download->fence);
    return true;
}

bool qp_download_poll(struct qp_download *download)
{
    struct qp_call call;
    const bool there = begin(&call, download) != QP_OK || is_there(download);
    qp_call_end(&call, QP_OK);
    return there;
}

static enum qp_status copy_mapped(struct qp_download *download, const struct qp_rows *rows,
                                  void *values)
{
    glBindBuffer(GL_PIXEL_PACK_BUFFER, download->buffer.id);
    const void *mapped = glMapBuffer(GL_PIXEL_PACK_BUFFER, GL_READ_ONLY);
    bool whole = mapped != NULL;
    if (whole) {
        qp_rows_copy(rows, mapped, rows->bytes, values, rows->apart);
        whole = glUnmapBuffer(GL_PIXEL_PACK_BUFFER);
    }
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    const enum qp_status status = qp_gl_check(download->context, "taking a download");
    return status != QP_OK || whole
               ? status
               : qp_fail(QP_DEVICE, "taking a download: its pixel buffer cannot be mapped");
}

static enum qp_status take(struct qp_download *download, const struct qp_rows *rows, void *values)
{
    if (download->values != NULL) {
        qp_rows_copy(rows, download->values, rows->bytes, values, rows->apart);
        return QP_OK;
    }
    const enum qp_status status = qp_fence_wait(download->context, &download->fence);
    return status == QP_OK ? copy_mapped(download, rows, values) : status;
}

enum qp_status qp_download_take(struct qp_download **download, void *values, size_t row_bytes)
{
    struct qp_call call;
    struct qp_rows rows;
    if (QP_NEED(download) || QP_NEED(values))
        return QP_BAD_USE;
    enum qp_status status = begin(&call, *download);
    if (status == QP_OK)
        status = qp_rows_check((*download)->cell_bytes, &(*download)->part, row_bytes, &rows);
    if (status == QP_OK) {
        status = take(*download, &rows, values);
        qp_object_gone(*download);
        release(*download);
        *download = NULL;
    }
    return qp_call_end(&call, status);
}

void qp_download_cancel(struct qp_download **download)
{
    qp_object_destroy(download, QP_OBJECT_DOWNLOAD, "download", release);
}
