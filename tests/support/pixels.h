/* SPDX-License-Identifier: MIT */
/* Pictures of every kind that PNG has. */
#ifndef QP_TESTS_PIXELS_H
#define QP_TESTS_PIXELS_H

#include <stdbool.h>
#include <stddef.h>

#include <png.h>

/* Writes a picture of at most 16 lines of these pixels, from the top; a palette is black, white,
 * red and blue. */
void pixels_make(const char *path, int width, int height, int depth, int colour, bool interlaced,
                 const png_byte *pixels, size_t line_bytes);

#endif
