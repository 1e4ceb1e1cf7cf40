/* SPDX-License-Identifier: MIT */
#include "support/pixels.h"

#include "support/support.h"

#include <setjmp.h>
#include <stdio.h>

void pixels_make(const char *path, int width, int height, int depth, int colour, bool interlaced,
                 const png_byte *pixels, size_t line_bytes)
{
    static const png_color palette[] = {{0, 0, 0}, {255, 255, 255}, {255, 0, 0}, {0, 0, 255}};
    FILE *file = fopen(path, "wb");
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    png_bytep lines[16];
    assert_true(file != NULL && info != NULL && height <= 16);
    for (int y = 0; y < height; y++)
        lines[y] = (png_bytep)pixels + (size_t)y * line_bytes;
    if (setjmp(png_jmpbuf(png)) != 0)
        fail_msg("libpng cannot write %d x %d", width, height);
    png_init_io(png, file);
    png_set_IHDR(png, info, (png_uint_32)width, (png_uint_32)height, depth, colour,
                 interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE, 0, 0);
    if (colour == PNG_COLOR_TYPE_PALETTE)
        png_set_PLTE(png, info, palette, COUNT(palette));
    png_write_info(png, info);
    png_write_image(png, lines);
    png_write_end(png, NULL);
    png_destroy_write_struct(&png, &info);
    assert_int_equal(fclose(file), 0);
}
