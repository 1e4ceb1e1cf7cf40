/* SPDX-License-Identifier: MIT */
/* libpng fails by longjmp, so all that it may leave half-done is held in one struct outside the
 * function that called setjmp. */
#include "cmd/output/raster.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "io/output.h"

struct writer {
    FILE *file;
    png_structp png;
    png_infop info;
    png_byte *line;
    char reason[128]; /* why it failed */
};

/* The system's reason where there is one: libpng's "Write Error" says less. Always false. */
static bool keep_reason(struct writer *writer, const char *words)
{
    snprintf(writer->reason, sizeof writer->reason, "%s", errno != 0 ? strerror(errno) : words);
    return false;
}

static void leave(png_structp png, png_const_charp words)
{
    keep_reason(png_get_error_ptr(png), words);
    png_longjmp(png, 1);
}

void raster_ignore(png_structp png, png_const_charp words)
{
    (void)png, (void)words;
}

static void describe_scale(struct writer *writer, const struct raster *raster)
{
    char key[] = "Scale", text[96];
    snprintf(text, sizeof text, "%s", raster->scale);
    png_text chunk = {.compression = PNG_TEXT_COMPRESSION_NONE, .key = key, .text = text};
    png_set_text(writer->png, writer->info, &chunk, 1);
}

/* libpng comes back to this function's setjmp from wherever it failed. */
static bool write_image(struct writer *writer, const struct raster *raster)
{
    if (setjmp(png_jmpbuf(writer->png)) != 0)
        return false;
    png_init_io(writer->png, writer->file);
    png_set_IHDR(writer->png, writer->info, (png_uint_32)raster->columns, (png_uint_32)raster->rows,
                 raster->depth, raster->colour, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    describe_scale(writer, raster);
    png_write_info(writer->png, writer->info);
    for (int line = 0; line < raster->rows; line++) {
        raster->line(raster->user, line, writer->line);
        png_write_row(writer->png, writer->line);
    }
    png_write_end(writer->png, writer->info);
    return true;
}

static bool start_writer(struct writer *writer, const struct raster *raster, const char *path)
{
    const size_t samples = raster->colour == PNG_COLOR_TYPE_RGB ? 3 : 1;
    *writer = (struct writer){0};
    writer->line =
        qp_alloc((size_t)raster->columns, samples * (size_t)raster->depth / 8, "a line of pixels");
    if (writer->line == NULL) {
        qp_fail_within(QP_NO_MEMORY, "%s", path);
        return false;
    }
    writer->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, writer, leave, raster_ignore);
    writer->info = writer->png != NULL ? png_create_info_struct(writer->png) : NULL;
    if (writer->info == NULL)
        qp_fail(QP_NO_MEMORY, "%s: libpng has no memory for a picture", path);
    return writer->info != NULL;
}

static void end_writer(struct writer *writer)
{
    png_destroy_write_struct(&writer->png, &writer->info);
    free(writer->line);
}

static enum qp_status save_image(struct writer *writer, const struct raster *raster,
                                 const char *path)
{
    struct qp_output output;
    errno = 0;
    bool good = qp_output_open(&output, path);
    writer->file = output.file;
    good = good ? write_image(writer, raster) : keep_reason(writer, "");
    return qp_output_close(&output, good ? NULL : writer->reason);
}

enum qp_status raster_write(const char *path, const struct raster *raster)
{
    struct writer writer;
    const enum qp_status status =
        start_writer(&writer, raster, path) ? save_image(&writer, raster, path) : QP_NO_MEMORY;
    end_writer(&writer);
    return status;
}
