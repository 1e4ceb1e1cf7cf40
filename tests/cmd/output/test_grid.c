/* SPDX-License-Identifier: MIT */
/* Grids in files: formats by their names, and refusals of broken pictures with byte and reason. */
/* wrap: faults.c */
#include "support/faults.h"
#include "support/pixels.h"
#include "support/support.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <png.h>

#include "toolkit/base/values.h"
#include "toolkit/base/watch.h"
#include "tools/cmd/output/grid.h"
#include "tools/cmd/output/pixels.h"

#define FOLDER QP_BUILD_DIR "/tests/"
static const char path[] = FOLDER "grid.png";

static void make(int width, int height, int depth, int colour, bool interlaced,
                 const png_byte *pixels, size_t line_bytes)
{
    pixels_make(path, width, height, depth, colour, interlaced, pixels, line_bytes);
}

/* The values of the picture from its lowest line on. */
static void expect(int width, int height, const float *values)
{
    struct qp_matrix m;
    int channels;
    assert_ok(grid_read(path, &m, &channels));
    assert_true(m.width == width && m.height == height && m.precision == QP_FLOATS);
    assert_int_equal(channels, 1);
    for (int i = 0; i < width * height; i++) {
        if (m.values[i] != values[i])
            fail_msg("value %d is %.9g and not %.9g", i, m.values[i], values[i]);
    }
    qp_matrix_destroy(&m);
}

/* The luminance of ITU-R BT.709. */
static float luminance(double red, double green, double blue)
{
    return (float)((2126 * red + 7152 * green + 722 * blue) / 10000);
}

TEST(kinds_of_pictures)
{
    static const png_byte grey[] = {0, 51, 255, 102, 204, 153},
                          deep[] = {0, 1, 0x80, 0, 0xff, 0xff, 0x33, 0x33},
                          colours[] = {255, 0, 0, 0, 255, 0, 0, 0, 255, 77, 77, 77},
                          clear[] = {255, 255, 255, 0, 0, 51, 0, 255}, veiled[] = {51, 0, 255, 9},
                          indices[] = {0x1b}, bits[] = {0x40};
    for (int interlaced = 0; interlaced < 2; interlaced++) {
        make(3, 2, 8, PNG_COLOR_TYPE_GRAY, interlaced, grey, 3);
        expect(3, 2, (float[]){0.4f, 0.8f, 0.6f, 0.0f, 0.2f, 1.0f});
        make(2, 2, 16, PNG_COLOR_TYPE_GRAY, interlaced, deep, 4);
        expect(2, 2,
               (float[]){1.0f, 0x3333 / 65535.0f, (float)(1 / 65535.0), (float)(0x8000 / 65535.0)});
        make(2, 2, 8, PNG_COLOR_TYPE_RGB, interlaced, colours, 6);
        expect(2, 2,
               (float[]){luminance(0, 0, 1), (float)(77 / 255.0), luminance(1, 0, 0),
                         luminance(0, 1, 0)});
    }
    make(2, 1, 8, PNG_COLOR_TYPE_RGB_ALPHA, false, clear, 8);
    expect(2, 1, (float[]){1.0f, luminance(0, 0.2, 0)});
    make(1, 1, 16, PNG_COLOR_TYPE_RGB, false, colours, 6); /* 0xff00, 0, 0xff00 */
    expect(1, 1, (float[]){luminance(0xff00 / 65535.0, 0, 0xff00 / 65535.0)});
    make(2, 1, 8, PNG_COLOR_TYPE_GRAY_ALPHA, false, veiled, 4);
    expect(2, 1, (float[]){0.2f, 1.0f});
    make(4, 1, 2, PNG_COLOR_TYPE_PALETTE, false, indices, 1);
    expect(4, 1, (float[]){0.0f, 1.0f, luminance(1, 0, 0), luminance(0, 0, 1)});
    make(2, 1, 1, PNG_COLOR_TYPE_GRAY, false, bits, 1);
    expect(2, 1, (float[]){0.0f, 1.0f});
}

/* ---- Written and read ---- */

static void write_matrix(const char *to, const struct qp_matrix *m, double wanted_low,
                         double wanted_high)
{
    double low = NAN, high = NAN;
    assert_ok(grid_write(to, m, 1, &low, &high));
    assert_true(low == wanted_low && high == wanted_high);
}

TEST(pictures_come_back)
{
    float values[] = {0.0f, 1.0f, 0.5f, (float)(12345 / 65535.0), (float)(1 / 65535.0), 0.999f};
    const struct qp_matrix m = {.width = 3, .height = 2, .values = values};
    struct qp_matrix back;
    int channels;
    write_matrix(path, &m, 0.0, 1.0);
    assert_ok(grid_read(path, &back, &channels));
    assert_true(back.width == 3 && back.height == 2 && channels == 1);
    for (int i = 0; i < 6; i++)
        assert_true(fabs(back.values[i] - values[i]) <= 0x1p-17);
    assert_true(back.values[3] == values[3] && back.values[4] == values[4]);
    qp_matrix_destroy(&back);
    values[0] = -2.0f, values[1] = 8.0f, values[2] = 3.0f, values[3] = NAN, values[4] = INFINITY;
    write_matrix(path, &m, -2.0, 8.0);
    assert_ok(grid_read(path, &back, &channels));
    static const double stretched[] = {0.0, 1.0, 0.5, 0.0, 0.0, 0.2999};
    for (int i = 0; i < 6; i++)
        assert_true(fabs(back.values[i] - stretched[i]) <= 0x1p-16);
    qp_matrix_destroy(&back);
    for (int i = 0; i < 6; i++)
        values[i] = 5.0f;
    write_matrix(path, &m, 5.0, 5.0);
    expect(3, 2, (float[6]){0.0f});
}

TEST(numbers_come_back)
{
    float values[] = {0.1f, -2.0f, 3e38f, 1e-45f, 0.0f, 7.0f};
    double doubles[] = {0.1, 1e-300, 3.0, 4.0, 5.0, 6.0};
    const struct qp_matrix m = {.width = 3, .height = 2, .values = values},
                           d = {.width = 2,
                                .height = 3,
                                .precision = QP_DOUBLES,
                                .doubles = doubles};
    static const char *const names[] = {FOLDER "grid.mtx", FOLDER "grid.NPY"};
    for (int k = 0; k < 2; k++) {
        struct qp_matrix back;
        int channels;
        write_matrix(names[k], &m, 0.0, 1.0);
        assert_ok(grid_read(names[k], &back, &channels));
        assert_true(back.width == 3 && back.height == 2 && channels == 1);
        for (size_t i = 0; i < 6; i++)
            assert_true(qp_matrix_value(&back, i) == values[i]);
        qp_matrix_destroy(&back);
        write_matrix(names[k], &d, 0.0, 1.0);
        assert_ok(grid_read(names[k], &back, &channels));
        assert_true(back.width == 2 && back.height == 3 && back.precision == QP_DOUBLES);
        assert_memory_equal(back.doubles, doubles, sizeof doubles);
        qp_matrix_destroy(&back);
    }
}

/* Cells of four channels, and a sparse file, whose places without an entry are 0. */
TEST(channels_and_entries)
{
    float values[] = {1, 2, 3, 4, 5, 6, 7, 8};
    const struct qp_matrix m = {.width = 4, .height = 2, .values = values};
    struct qp_matrix back;
    int channels;
    assert_ok(grid_write(FOLDER "grid.npy", &m, 4, NULL, NULL));
    assert_ok(grid_read(FOLDER "grid.npy", &back, &channels));
    assert_true(channels == 4 && back.width == 4 && back.height == 2);
    assert_memory_equal(back.values, values, sizeof values);
    qp_matrix_destroy(&back);
    static const char *const others[] = {FOLDER "four.mtx", "-"};
    for (int k = 0; k < COUNT(others); k++) {
        assert_int_equal(grid_write(others[k], &m, 4, NULL, NULL), QP_BAD_USE);
        support_assert_sentence("holds one value a cell, and these have 4; write a .npy file");
        assert_int_equal(access(others[k], F_OK), -1);
    }
    FILE *file = fopen(FOLDER "sparse.mtx", "w");
    fputs("%%MatrixMarket matrix coordinate real general\n2 3 2\n1 3 5\n2 1 -1\n", file);
    fclose(file);
    assert_ok(grid_read(FOLDER "sparse.mtx", &back, &channels));
    assert_true(back.width == 3 && back.height == 2);
    assert_memory_equal(back.doubles, ((double[]){0, 0, 5, -1, 0, 0}), 6 * sizeof(double));
    qp_matrix_destroy(&back);
    file = fopen(FOLDER "sparse.mtx", "w");
    fputs("%%MatrixMarket matrix coordinate real general\n2000000000 2000000000 0\n", file);
    fclose(file);
    assert_int_equal(grid_read(FOLDER "sparse.mtx", &back, &channels), QP_BAD_INPUT);
    support_assert_sentence("2000000000 x 2000000000 values need ");
}

/* Rows and columns of a matrix are the array's; a column has one axis, and returns as a row. */
TEST(columns)
{
    double values[] = {1, 2, 3, 4, 5, 0.1}, huge[] = {1, 2, 3, 1e300, 5, 6};
    struct qp_market back;
    struct qp_matrix m;
    int channels;
    assert_ok(grid_write_columns(FOLDER "a.npy", 2, 3, values));
    assert_ok(grid_read(FOLDER "a.npy", &m, &channels));
    assert_memory_equal(m.doubles, ((double[]){1, 3, 5, 2, 4, 0.1}), sizeof values);
    qp_matrix_destroy(&m);
    assert_ok(grid_read_columns(FOLDER "a.npy", &back));
    assert_true(back.rows == 2 && back.columns == 3 && back.count == 6 && back.dense);
    assert_memory_equal(back.value, values, sizeof values);
    qp_market_destroy(&back);
    assert_ok(grid_write_columns(FOLDER "a.npy", 6, 1, values));
    assert_ok(grid_read(FOLDER "a.npy", &m, &channels));
    assert_true(m.height == 1 && m.width == 6);
    qp_matrix_destroy(&m);
    assert_ok(grid_write_columns(FOLDER "a.npy", 2, 3, huge));
    assert_ok(grid_read_columns(FOLDER "a.npy", &back));
    assert_memory_equal(back.value, huge, sizeof huge);
    qp_market_destroy(&back);
    huge[3] = NAN;
    assert_ok(grid_write_columns(FOLDER "a.npy", 2, 3, huge));
    assert_int_equal(grid_read_columns(FOLDER "a.npy", &back), QP_BAD_INPUT);
    support_assert_sentence("is nan, which is no finite number");
    m = (struct qp_matrix){.width = 4, .height = 1, .values = (float[]){1, 2, 3, 4}};
    assert_ok(grid_write(FOLDER "a.npy", &m, 2, NULL, NULL));
    assert_int_equal(grid_read_columns(FOLDER "a.npy", &back), QP_BAD_INPUT);
    support_assert_sentence("a.npy: has 3 axes, and a matrix has 2");
}

/* ---- Refused ---- */

static void expect_refusal(const char *from, enum qp_status status, const char *words)
{
    struct qp_matrix m;
    int channels;
    memset(&m, 0xff, sizeof m);
    assert_int_equal(grid_read(from, &m, &channels), status);
    if (strstr(qp_error(), words) == NULL)
        fail_msg("wanted '%s', got '%s'", words, qp_error());
    assert_true(m.width == 0 && m.height == 0 && m.values == NULL && m.doubles == NULL);
}

TEST(names)
{
    const struct qp_matrix m = {.width = 1, .height = 1, .values = &(float){NAN}};
    assert_ok(grid_check_name(NULL, true));
    assert_ok(grid_check_name("-", true));
    assert_ok(grid_check_name("a.b.PNG", true));
    assert_ok(grid_check_name("/dev/full", true));
    assert_true(!mkfifo(FOLDER "p.npy", 0600) && grid_is_array(FOLDER "p.npy") &&
                !unlink(FOLDER "p.npy"));
    assert_ok(grid_check_name("a.Npy", false));
    assert_int_equal(grid_check_name("a.png", false), QP_BAD_USE);
    support_assert_sentence("a.png: the name must end in .mtx or .npy, which says the format");
    assert_int_equal(grid_check_name("a.jpg", true), QP_BAD_USE);
    support_assert_sentence("a.jpg: the name must end in .mtx, .npy or .png");
    assert_int_equal(grid_write("a.png/b", &m, 1, NULL, NULL), QP_BAD_USE);
    assert_int_equal(grid_write(FOLDER "nan.mtx", &m, 1, NULL, NULL), QP_BAD_INPUT);
    support_assert_sentence("is nan, which a Matrix Market file cannot hold");
    expect_refusal("/nowhere/a.png", QP_BAD_INPUT, "/nowhere/a.png: cannot be opened: No such");
}

static size_t read_bytes(png_byte bytes[4096])
{
    FILE *file = fopen(path, "rb");
    const size_t size = fread(bytes, 1, 4096, file);
    assert_int_equal(fclose(file), 0);
    return size;
}

static void write_bytes(const png_byte *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    fwrite(bytes, 1, size, file);
    assert_int_equal(fclose(file), 0);
}

/* Cut off anywhere, or with any byte turned around: a sentence, or the same picture. */
TEST(broken_pictures)
{
    static const png_byte grey[] = {0, 51, 255, 102, 204, 153};
    png_byte bytes[4096];
    struct qp_matrix m;
    int channels, refused = 0;
    make(3, 2, 8, PNG_COLOR_TYPE_GRAY, false, grey, 3);
    const size_t size = read_bytes(bytes);
    for (size_t length = 0; length < size; length++) {
        write_bytes(bytes, length);
        char words[80];
        snprintf(words, sizeof words, "/grid.png: byte %zu: truncated: the file ends", length);
        expect_refusal(path, QP_BAD_INPUT,
                       length == 0  ? "byte 0: empty, or no file"
                       : length < 8 ? "byte 0: this is no PNG"
                                    : words);
    }
    for (size_t at = 0; at < size; at++) {
        bytes[at] ^= 0xff;
        write_bytes(bytes, size);
        if (grid_read(path, &m, &channels) == QP_OK)
            qp_matrix_destroy(&m);
        else
            refused++;
        bytes[at] ^= 0xff;
    }
    assert_true(refused > (int)size * 9 / 10);
    expect_refusal(QP_SOURCE_DIR "/../nothing.png", QP_BAD_INPUT, "cannot be opened");
}

/* The most address space that this process has had, in KiB. */
static long peak(void)
{
    char line[128];
    long size = -1;
    FILE *file = fopen("/proc/self/status", "r");
    while (file != NULL && size < 0 && fgets(line, sizeof line, file) != NULL)
        sscanf(line, "VmPeak: %ld", &size);
    assert_true(file != NULL && fclose(file) == 0 && size > 0);
    return size;
}

/* A header of 900,000 x 900,000 pixels, its checksum right, little after it; a text of 1.8 GB. */
TEST(promises)
{
    static const png_byte bytes[] =
        "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\x0d\xbb\xa0\0\x0d\xbb\xa0\x10\0\0\0\0"
        "\xa5\x46\x12\x10\0\0\0\0IDAT\x35\xaf\x06\x1e";
    const long before = peak();
    write_bytes(bytes, sizeof bytes - 1);
    expect_refusal(path, QP_BAD_INPUT, "900000 x 900000 pixels do not fit into 45 bytes");
    expect_refusal(QP_SOURCE_DIR "/tests/fuzz/png/long_chunk.png", QP_BAD_INPUT, "truncated: ");
    assert_true(peak() - before < 100000);
    unlink(FOLDER "grid.fifo.png");
    assert_int_equal(mkfifo(FOLDER "grid.fifo.png", 0600), 0);
    const int fifo = open(FOLDER "grid.fifo.png", O_RDWR | O_NONBLOCK);
    expect_refusal(FOLDER "grid.fifo.png", QP_BAD_INPUT, "byte 0: empty, or no file");
    close(fifo);
    unlink(FOLDER "grid.fifo.png");
}

TEST(interrupted)
{
    static const volatile sig_atomic_t wanted = 1;
    static const png_byte grey[] = {0, 51};
    struct qp_watch before = qp_watch_interrupt(&wanted);
    make(2, 1, 8, PNG_COLOR_TYPE_GRAY, false, grey, 2);
    expect_refusal(path, QP_UNSUPPORTED, "interrupted");
    qp_watch_set(before);
    expect(2, 1, (float[]){0.0f, 0.2f});
}

/* Every allocation of ours fails once, in each format: a sentence with the file, no leak. */
TEST(without_memory)
{
    static const char *const names[] = {FOLDER "short.mtx", FOLDER "short.npy", FOLDER "short.png"};
    float values[] = {0.0f, 0.5f, 1.0f, 0.25f};
    const struct qp_matrix m = {.width = 2, .height = 2, .values = values};
    for (int i = 0; i < COUNT(names); i++) {
        int number = 0, written = 0;
        enum qp_status status;
        do {
            struct qp_matrix back = {0};
            int channels;
            const long before = faults_live_blocks();
            faults_arm(FAULT_MEMORY, ++number);
            status = grid_write(names[i], &m, 1, NULL, NULL);
            written += status == QP_OK;
            status = status == QP_OK ? grid_read(names[i], &back, &channels) : status;
            faults_disarm();
            qp_matrix_destroy(&back);
            assert_int_equal(faults_live_blocks(), before);
            if (faults_struck() != NULL &&
                (status != QP_NO_MEMORY || strstr(qp_error(), names[i]) == NULL))
                fail_msg("%s, allocation %d: code %d and '%s'", names[i], number, (int)status,
                         qp_error());
        } while (faults_struck() != NULL);
        assert_true(status == QP_OK && number > 4 && written >= 2);
        unlink(names[i]);
    }
}
