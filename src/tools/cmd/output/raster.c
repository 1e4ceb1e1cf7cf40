/* SPDX-License-Identifier: MIT */
/* libpng fails by longjmp, so all that it may leave half-done is held in one struct outside the
 * function that called setjmp. */
#include "tools/cmd/output/raster.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "toolkit/base/status.h"
#include "toolkit/io/output.h"

struct writer {
    FILE *file;
    png_structp png;
    png_infop info;
    png_byte *line;
    char reason[128];     /* why it failed */
    png_uint_32 sequence; /* number of the next chunk of an animation */
    struct writer *frame; /* a later frame's, as a whole PNG in memory: */
    char *bytes;
    size_t size;
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

static bool make_png(struct writer *writer)
{
    writer->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, writer, leave, raster_ignore);
    writer->info = writer->png != NULL ? png_create_info_struct(writer->png) : NULL;
    return writer->info != NULL;
}

static void write_header(struct writer *writer, const struct raster *raster)
{
    png_init_io(writer->png, writer->file);
    png_set_IHDR(writer->png, writer->info, (png_uint_32)raster->columns, (png_uint_32)raster->rows,
                 raster->depth, raster->colour, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
}

static void describe_scale(struct writer *writer, const struct raster *raster)
{
    char key[] = "Scale", text[96];
    snprintf(text, sizeof text, "%s", raster->scale);
    png_text chunk = {.compression = PNG_TEXT_COMPRESSION_NONE, .key = key, .text = text};
    png_set_text(writer->png, writer->info, &chunk, 1);
}

static void write_lines(struct writer *writer, const struct raster *raster, int frame)
{
    for (int line = 0; line < raster->rows; line++) {
        raster->line(raster->user, frame * raster->rows + line, writer->line);
        png_write_row(writer->png, writer->line);
    }
}

/* ---- Animations: APNG (PNG 3, 11.3.6), whose later frames are IDAT chunks of another name ---- */

static void write_chunk(struct writer *writer, const char *name, const png_byte *data, size_t size)
{
    png_write_chunk(writer->png, (png_const_bytep)name, data, size);
}

static void announce(struct writer *writer, const struct raster *raster)
{
    png_byte chunk[8] = {0}; /* the second number, 0, asks to play it without end */
    png_save_uint_32(chunk, (png_uint_32)raster->frames);
    write_chunk(writer, "acTL", chunk, sizeof chunk);
}

/* Starts a frame of the whole size that replaces the one before. */
static void start_frame(struct writer *writer, const struct raster *raster)
{
    png_byte chunk[26] = {0};
    png_save_uint_32(chunk, writer->sequence++);
    png_save_uint_32(chunk + 4, (png_uint_32)raster->columns);
    png_save_uint_32(chunk + 8, (png_uint_32)raster->rows);
    png_save_uint_16(chunk + 20, 1); /* a tenth of a second */
    png_save_uint_16(chunk + 22, 10);
    write_chunk(writer, "fcTL", chunk, sizeof chunk);
}

/* A frame as a whole PNG in memory. */
static bool compress(struct writer *frame, const struct raster *raster, int number)
{
    if (!make_png(frame) || (frame->file = open_memstream(&frame->bytes, &frame->size)) == NULL)
        return keep_reason(frame, "no memory for a frame");
    if (setjmp(png_jmpbuf(frame->png)) != 0)
        return false;
    write_header(frame, raster);
    png_write_info(frame->png, frame->info);
    write_lines(frame, raster, number);
    png_write_end(frame->png, NULL);
    return fflush(frame->file) == 0 || keep_reason(frame, "");
}

static void release(struct writer *frame)
{
    png_destroy_write_struct(&frame->png, &frame->info);
    if (frame->file != NULL)
        fclose(frame->file);
    free(frame->bytes);
    frame->file = NULL;
    frame->bytes = NULL;
}

/* Copies the data of the frame in memory: a chunk is its length, its name, data, and a sum. */
static void copy_frame(struct writer *writer)
{
    enum { SIGNATURE = 8, AROUND = 12 };
    const struct writer *frame = writer->frame;
    const png_byte *bytes = (const png_byte *)frame->bytes;
    png_uint_32 length = 0;
    for (size_t at = SIGNATURE; at < frame->size; at += AROUND + length) {
        png_byte number[4];
        length = png_get_uint_32(bytes + at);
        if (memcmp(bytes + at + 4, "IDAT", 4) != 0)
            continue;
        png_save_uint_32(number, writer->sequence++);
        png_write_chunk_start(writer->png, (png_const_bytep) "fdAT", length + sizeof number);
        png_write_chunk_data(writer->png, number, sizeof number);
        png_write_chunk_data(writer->png, bytes + at + 8, length);
        png_write_chunk_end(writer->png);
    }
}

/* ---- The file ---- */

/* libpng comes back to this function's setjmp from wherever it failed. */
static bool write_image(struct writer *writer, const struct raster *raster)
{
    if (setjmp(png_jmpbuf(writer->png)) != 0)
        return false;
    write_header(writer, raster);
    describe_scale(writer, raster);
    png_write_info(writer->png, writer->info);
    if (raster->frames > 1) {
        announce(writer, raster);
        start_frame(writer, raster);
    }
    write_lines(writer, raster, 0);
    for (int k = 1; k < raster->frames; k++) {
        if (!compress(writer->frame, raster, k))
            return keep_reason(writer, writer->frame->reason);
        start_frame(writer, raster);
        copy_frame(writer);
        release(writer->frame);
    }
    png_write_end(writer->png, writer->info);
    return true;
}

static png_byte *make_line(const struct raster *raster, const char *path)
{
    const size_t samples = raster->colour == PNG_COLOR_TYPE_RGB         ? 3
                           : raster->colour == PNG_COLOR_TYPE_RGB_ALPHA ? 4
                                                                        : 1;
    png_byte *line =
        qp_alloc((size_t)raster->columns, samples * (size_t)raster->depth / 8, "a line of pixels");
    if (line == NULL)
        qp_fail_within(QP_NO_MEMORY, "%s", path);
    return line;
}

static bool start_writer(struct writer *writer, const struct raster *raster, const char *path)
{
    writer->line = make_line(raster, path);
    if (writer->line == NULL)
        return false;
    writer->frame->line = writer->line;
    if (make_png(writer))
        return true;
    qp_fail(QP_NO_MEMORY, "%s: libpng has no memory for a picture", path);
    return false;
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
    struct writer frame = {.line = NULL}, writer = {.frame = &frame};
    const enum qp_status status =
        start_writer(&writer, raster, path) ? save_image(&writer, raster, path) : QP_NO_MEMORY;
    release(&frame);
    png_destroy_write_struct(&writer.png, &writer.info);
    free(writer.line);
    return status;
}

/* ---- PAM (netpbm), whose samples are those of PNG ---- */

enum qp_status raster_stream(const char *path, const struct raster *raster)
{
    const bool grey = raster->colour == PNG_COLOR_TYPE_GRAY;
    const size_t bytes = (size_t)raster->columns * (grey ? 2 : 6);
    struct qp_output output;
    png_byte *line = make_line(raster, path);
    if (line == NULL)
        return QP_NO_MEMORY;
    errno = 0;
    bool good =
        qp_output_open(&output, path) &&
        fprintf(output.file,
                "P7\nWIDTH %d\nHEIGHT %d\nDEPTH %d\nMAXVAL 65535\nTUPLTYPE %s\nENDHDR\n",
                raster->columns, raster->rows, grey ? 1 : 3, grey ? "GRAYSCALE" : "RGB") > 0;
    for (int k = 0; k < raster->rows && good; k++) {
        raster->line(raster->user, k, line);
        good = fwrite(line, 1, bytes, output.file) == bytes;
    }
    free(line);
    return qp_output_close(&output, good ? NULL : strerror(errno));
}
