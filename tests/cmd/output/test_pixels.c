/* SPDX-License-Identifier: MIT */
/* Pictures in colour, in and out; tests/cmd/run/test_pictures.c has animations and streams. */
/* wrap: faults.c */
#include "support/faults.h"
#include "support/pixels.h"
#include "support/support.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "tools/cmd/output/grid.h"
#include "tools/cmd/output/pixels.h"

static const char path[] = QP_BUILD_DIR "/tests/pixels.png";

static void expect_colours(int width, int height, const float *values)
{
    struct qp_matrix m;
    assert_ok(pixels_read(path, 4, &m));
    assert_true(m.width == 4 * width && m.height == height && m.precision == QP_FLOATS);
    for (int i = 0; i < 4 * width * height; i++) {
        if (m.values[i] != values[i])
            fail_msg("value %d is %.9g and not %.9g", i, m.values[i], values[i]);
    }
    qp_matrix_destroy(&m);
}

/* Every kind of picture has four values a cell: grey ones thrice the same, alpha 1 where the file
 * has none. */
TEST(kinds_of_colours)
{
    static const png_byte colours[] = {255, 0, 51, 102, 204, 153}, clear[] = {255, 0, 51, 102},
                          deep[] = {0xff, 0xff, 0, 1, 0x33, 0x33, 0x80, 0}, veiled[] = {51, 204},
                          bits[] = {0x40};
    for (int interlaced = 0; interlaced < 2; interlaced++) {
        pixels_make(path, 1, 2, 8, PNG_COLOR_TYPE_RGB, interlaced, colours, 3);
        expect_colours(1, 2, (float[]){0.4f, 0.8f, 0.6f, 1.0f, 1.0f, 0.0f, 0.2f, 1.0f});
        pixels_make(path, 1, 1, 8, PNG_COLOR_TYPE_RGB_ALPHA, interlaced, clear, 4);
        expect_colours(1, 1, (float[]){1.0f, 0.0f, 0.2f, 0.4f});
    }
    pixels_make(path, 1, 1, 16, PNG_COLOR_TYPE_RGB_ALPHA, false, deep, 8);
    expect_colours(
        1, 1, (float[]){1.0f, (float)(1 / 65535.0), 0x3333 / 65535.0f, (float)(0x8000 / 65535.0)});
    pixels_make(path, 1, 1, 16, PNG_COLOR_TYPE_RGB, false, deep, 6);
    expect_colours(1, 1, (float[]){1.0f, (float)(1 / 65535.0), 0x3333 / 65535.0f, 1.0f});
    pixels_make(path, 1, 1, 16, PNG_COLOR_TYPE_GRAY, false, deep + 4, 2);
    expect_colours(1, 1, (float[]){0.2f, 0.2f, 0.2f, 1.0f});
    pixels_make(path, 1, 1, 8, PNG_COLOR_TYPE_GRAY_ALPHA, false, veiled, 2);
    expect_colours(1, 1, (float[]){0.2f, 0.2f, 0.2f, 0.8f});
    pixels_make(path, 2, 1, 2, PNG_COLOR_TYPE_PALETTE, false, (const png_byte[]){0xb0}, 1);
    expect_colours(2, 1, (float[]){1.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f, 1.0f, 1.0f});
    pixels_make(path, 2, 1, 1, PNG_COLOR_TYPE_GRAY, false, bits, 1);
    expect_colours(2, 1, (float[]){0.0f, 0.0f, 0.0f, 1.0f, 1.0f, 1.0f, 1.0f, 1.0f});
}

/* Within a step of 65535; the nearer end for values beyond, 0 for NaN and infinity. */
TEST(colours_come_back)
{
    float values[] = {0.25f, 0.5f, 0.75f, 1.0f, -3.0f, 7.0f, NAN, INFINITY};
    static const float wanted[] = {0.25f, 0.5f, 0.75f, 1.0f, 0.0f, 1.0f, 0.0f, 0.0f};
    const struct qp_matrix m = {.width = 4, .height = 2, .values = values};
    struct qp_matrix back;
    double low = NAN, high = NAN;
    assert_ok(grid_write(path, &m, 4, &low, &high));
    assert_true(low == 0.0 && high == 1.0 && grid_is_picture(path));
    assert_ok(pixels_read(path, 4, &back));
    assert_true(back.width == 4 && back.height == 2);
    for (int i = 0; i < 8; i++)
        assert_true(fabs(back.values[i] - wanted[i]) <= 0x1p-17);
    qp_matrix_destroy(&back);
}

/* Every allocation of ours fails once, in an animation, and in a frame that is streamed: a sentence
 * with the file, and no file. */
TEST(frames_without_memory)
{
    float values[] = {0.0f, 0.5f, 1.0f, 0.25f};
    const struct qp_matrix m = {.width = 2, .height = 2, .values = values};
    for (int streams = 0; streams < 2; streams++) {
        const char *to = streams ? "/dev/null" : path;
        enum qp_status status;
        int number = 0;
        unlink(path);
        do {
            const long before = faults_live_blocks();
            faults_arm(FAULT_MEMORY, ++number);
            status = streams ? pixels_stream(to, &m, 1) : pixels_write(to, &m, 1, 2, NULL, NULL);
            faults_disarm();
            assert_true(faults_live_blocks() <= before); /* libc makes the text of a stream */
            if (faults_struck() != NULL && (status == QP_OK || strstr(qp_error(), to) == NULL))
                fail_msg("%s, allocation %d: code %d and '%s'", to, number, (int)status,
                         qp_error());
            assert_int_equal(access(path, F_OK), !streams && status == QP_OK ? 0 : -1);
        } while (faults_struck() != NULL);
        assert_true(status == QP_OK && number > 1);
    }
}
