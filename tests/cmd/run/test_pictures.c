/* SPDX-License-Identifier: MIT */
/* Pictures of runs: colours in and out, false colours, and frames as PAM and as an animation whose
 * frames are decoded one by one. */
#include "support/shell.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <png.h>

#include "tools/cmd/output/grid.h"
#include "tools/cmd/output/pixels.h"

enum { WIDTH = 9, HEIGHT = 7, COUNT_OF_VALUES = WIDTH * HEIGHT * 4 };

/* A photograph of bytes; alpha is 1 but in a corner. */
static float photo[COUNT_OF_VALUES];

static int go_to_folder(void **state)
{
    if (make_folder(state) != 0 || chdir(folder) != 0)
        return -1;
    for (int i = 0; i < COUNT_OF_VALUES; i++)
        photo[i] = i % 4 == 3 ? 1.0f : (float)(i * 37 % 256) / 255.0f;
    photo[3] = 0.2f;
    const struct qp_matrix all = {.width = 4 * WIDTH, .height = HEIGHT, .values = photo};
    assert_ok(pixels_write("photo.png", &all, 4, 1, NULL, NULL));
    write_file("sobel.frag", "//@ outside clamp\n//@ input x=zeros\n//@ input photo=photo.png\n"
                             "//@ size 9x7\nfloat kernel(vec2 here) {\n"
                             "    vec3 along = photo_at(1.0, 0.0).rgb - photo_at(-1.0, 0.0).rgb;\n"
                             "    vec3 up = photo_at(0.0, 1.0).rgb - photo_at(0.0, -1.0).rgb;\n"
                             "    return dot(along, along) + dot(up, up);\n}\n");
    write_file("gauss.frag",
               "//@ outside clamp\nvec4 kernel(vec2 here) {\n    return 0.5 * x_at(0.0, 0.0) + "
               "0.25 * (x_at(-1.0, 0.0) + x_at(1.0, 0.0));\n}\n");
    write_file("same.frag", "float kernel(vec2 here) { return x_at(0.0, 0.0); }\n");
    write_file("more.frag",
               "float kernel(vec2 here) { return x_at(0.0, 0.0) + 0.125 * here.x; }\n");
    write_file("far.frag", "vec4 kernel(vec2 here) {\n    float none = x_at(0.0, 0.0).r - "
                           "x_at(0.0, 0.0).r;\n"
                           "    return vec4(here.x - 1.0, none / none, 0.5, 2.0);\n}\n");
    return 0;
}

static void read_values(const char *path, int channels, struct qp_matrix *out)
{
    assert_ok(pixels_read(path, channels, out));
    assert_true(out->width == WIDTH * channels && out->height == HEIGHT);
}

/* A value of a cell, or of the nearest one inside. */
static float at(int x, int y, int channel)
{
    x = x < 0 ? 0 : x < WIDTH ? x : WIDTH - 1;
    y = y < 0 ? 0 : y < HEIGHT ? y : HEIGHT - 1;
    return photo[(y * WIDTH + x) * 4 + channel];
}

/* ---- Colours ---- */

TEST(sobel_of_a_photograph)
{
    struct qp_matrix found;
    int channels;
    need_gl();
    assert_int_equal(run("run sobel.frag -o edges.npy"), 0);
    assert_ok(grid_read("edges.npy", &found, &channels));
    assert_true(channels == 1 && found.width == WIDTH && found.height == HEIGHT);
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        const int x = i % WIDTH, y = i / WIDTH;
        double wanted = 0.0;
        for (int k = 0; k < 3; k++)
            wanted += pow(at(x + 1, y, k) - at(x - 1, y, k), 2) +
                      pow(at(x, y + 1, k) - at(x, y - 1, k), 2);
        assert_float_equal(found.values[i], wanted, 1e-6);
    }
    qp_matrix_destroy(&found);
}

TEST(gauss_of_a_photograph)
{
    struct qp_matrix found;
    need_gl();
    expect("quadpass run gauss.frag --input x=photo.png -o soft.png", 0,
           "soft.png: red, green, blue and alpha; below 0 is written as 0, above 1 as 1\n");
    read_values("soft.png", 4, &found);
    for (int i = 0; i < COUNT_OF_VALUES; i++) {
        const int x = i / 4 % WIDTH, y = i / 4 / WIDTH, k = i % 4;
        assert_float_equal(found.values[i],
                           0.5 * at(x, y, k) + 0.25 * (at(x - 1, y, k) + at(x + 1, y, k)), 0x1p-16);
    }
    qp_matrix_destroy(&found);
}

/* A kernel of one value a cell still finds luminance; values beyond the ends are written as
 * those. */
TEST(ends_and_luminance)
{
    struct qp_matrix found, wanted;
    int channels;
    need_gl();
    assert_int_equal(run("run same.frag --input x=photo.png -o grey.npy"), 0);
    assert_ok(grid_read("grey.npy", &found, &channels));
    read_values("photo.png", 1, &wanted);
    assert_int_equal(channels, 1);
    assert_memory_equal(found.values, wanted.values, WIDTH * HEIGHT * sizeof(float));
    qp_matrix_destroy(&found);
    qp_matrix_destroy(&wanted);
    expect("quadpass run far.frag --input x=photo.png -o far.png", 0,
           "above 1 as 1, and NaN and infinity as 0\n");
    read_values("far.png", 4, &found);
    for (int x = 0; x < 4; x++) {
        static const float red[] = {0.0f, 0.0f, 1.0f, 1.0f};
        const float *cell = found.values + 4 * x;
        assert_true(cell[0] == red[x] && cell[1] == 0.0f && cell[3] == 1.0f);
        assert_float_equal(cell[2], 0.5, 0x1p-16);
    }
    qp_matrix_destroy(&found);
    expect("quadpass run sobel.frag --backend cpu", 2,
           "'photo' has 4 values a cell, and programs that are generated take one");
}

/* ---- False colours ---- */

TEST(false_colours)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    need_gl();
    expect("quadpass run more.frag --input x=zeros --size 9x7 --picture p.png", 0,
           "p.png: from 0, violet, by green to 1, yellow\nmore.frag: 1 step");
    assert_true(png_image_begin_read_from_file(&image, "p.png"));
    assert_true(image.width == 9 * 29 && image.height == 7 * 29 + 2 * 17);
    png_image_free(&image);
    expect("quadpass run gauss.frag --input x=photo.png --reduce max --picture - 2>said >p.png; "
           "cat said",
           0, "-: from 0.137255, violet");
    image = (png_image){.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_file(&image, "p.png"));
    png_image_free(&image);
    expect("quadpass run more.frag --picture p.jpg", 2, "p.jpg: pictures are written as PNG");
    expect("quadpass run more.frag --picture p.png -o ./p.png", 2, "name one file");
}

/* ---- Frames ---- */

static unsigned char bytes[1 << 16];

static size_t read_bytes(const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    assert_true(size < sizeof bytes && fclose(file) == 0);
    return size;
}

/* PAM frames hold the samples of the PNG ones, which begin with the top line. */
static void expect_stream(const char *path, int frames, int depth, const char *folder_of)
{
    const size_t size = read_bytes(path);
    const unsigned char *next = bytes;
    for (int frame = 0; frame < frames; frame++) {
        char head[128], name[64];
        struct qp_matrix wanted;
        const int length =
            snprintf(head, sizeof head,
                     "P7\nWIDTH 9\nHEIGHT 7\nDEPTH %d\nMAXVAL 65535\nTUPLTYPE %s\nENDHDR\n", depth,
                     depth == 3 ? "RGB" : "GRAYSCALE");
        assert_memory_equal(next, head, (size_t)length);
        next += length;
        snprintf(name, sizeof name, "%s/%06d.png", folder_of, frame);
        read_values(name, depth == 3 ? 4 : 1, &wanted);
        for (int i = 0; i < WIDTH * HEIGHT * depth; i++, next += 2) {
            const int cell = i / depth, x = cell % WIDTH, y = HEIGHT - 1 - cell / WIDTH;
            const int place = (y * WIDTH + x) * (depth == 3 ? 4 : 1) + i % depth;
            assert_true((float)((next[0] << 8 | next[1]) / 65535.0) == wanted.values[place]);
        }
        qp_matrix_destroy(&wanted);
    }
    assert_int_equal(next - bytes, size);
}

TEST(streams)
{
    need_gl();
    expect("quadpass run more.frag --input x=gradient --size 9x7 --steps 5 --every 2 --frames - "
           "2>said >grey.pam; cat said",
           0, "more.frag: 5 steps of 9 x 7 cells");
    assert_int_equal(run("run more.frag --input x=gradient --size 9x7 --steps 5 --every 2 --frames "
                         "grey"),
                     0);
    expect_stream("grey.pam", 3, 1, "grey");
    assert_int_equal(shell("quadpass run gauss.frag --input x=photo.png --steps 2 --every 1 "
                           "--frames /dev/stdout >rgb.pam 2>said"),
                     0);
    assert_int_equal(run("run gauss.frag --input x=photo.png --steps 2 --every 1 --frames colour"),
                     0);
    expect_stream("rgb.pam", 3, 3, "colour");
    expect("quadpass run more.frag --every 1 --frames - --json -", 2,
           "only one output can go to standard output, not --json and --frames");
    expect("quadpass run more.frag --every 1 --frames - -o -", 2, "not -o and --frames");
    expect("quadpass run more.frag -n 9 --every 1 --frames - 2>&1 >/dev/full", 2,
           "standard output: cannot be written: No space left");
}

/* ---- Animations ---- */

/* An animation that is taken apart: its chunks, and the file of one of its frames. */
struct film {
    int frames;           /* number of frames that the file says */
    png_uint_32 sequence; /* next number of its chunks */
    int frame;            /* frame that the latest chunk belongs to */
    int wanted;           /* is made a file of its own */
    FILE *file;
    png_structp png;
};

static void put(struct film *film, const char *name, const unsigned char *data, size_t size)
{
    png_write_chunk(film->png, (png_const_bytep)name, data, size);
}

static void expect_number(struct film *film, const unsigned char *data)
{
    assert_int_equal(png_get_uint_32(data), film->sequence++);
}

static void take_chunk(struct film *film, const char *name, const unsigned char *data, size_t size)
{
    if (strcmp(name, "acTL") == 0) {
        assert_true(size == 8 && film->frames == 0 && png_get_uint_32(data + 4) == 0);
        film->frames = (int)png_get_uint_32(data);
    } else if (strcmp(name, "fcTL") == 0) {
        assert_true(size == 26 && film->frames > 0);
        expect_number(film, data);
        assert_true(png_get_uint_32(data + 4) == WIDTH && png_get_uint_32(data + 8) == HEIGHT);
        assert_memory_equal(data + 12, "\0\0\0\0\0\0\0\0\0\1\0\12\0\0", 14);
        film->frame++;
    } else if (strcmp(name, "IDAT") == 0) {
        assert_int_equal(film->frame, 0);
        if (film->wanted == 0)
            put(film, "IDAT", data, size);
    } else if (strcmp(name, "fdAT") == 0) {
        expect_number(film, data);
        assert_true(film->frame > 0);
        if (film->frame == film->wanted)
            put(film, "IDAT", data + 4, size - 4);
    } else if (strcmp(name, "IHDR") == 0 || strcmp(name, "IEND") == 0) {
        put(film, name, data, size);
    }
}

/* Reads one frame by way of a file of its own; returns how many there are. */
static int read_frame(const char *path, int number, int channels, struct qp_matrix *out)
{
    const size_t size = read_bytes(path);
    struct film film = {.frame = -1, .wanted = number, .file = fopen("frame.png", "wb")};
    film.png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(film.png);
    png_init_io(film.png, film.file);
    png_write_sig(film.png);
    for (size_t next = 8; next < size;) {
        char name[5] = "";
        const png_uint_32 length = png_get_uint_32(bytes + next);
        memcpy(name, bytes + next + 4, 4);
        take_chunk(&film, name, bytes + next + 8, length);
        next += 12 + length;
    }
    png_destroy_write_struct(&film.png, &info);
    assert_int_equal(fclose(film.file), 0);
    assert_int_equal(film.frames, film.frame + 1);
    read_values("frame.png", channels, out);
    return film.frames;
}

/* Each frame is decoded, and is that of --frames. */
static void expect_film(const char *path, int frames, int channels, const char *folder_of)
{
    for (int k = 0; k < frames; k++) {
        struct qp_matrix found, wanted;
        char name[64];
        assert_int_equal(read_frame(path, k, channels, &found), frames);
        snprintf(name, sizeof name, "%s/%06d.png", folder_of, k);
        read_values(name, channels, &wanted);
        assert_memory_equal(found.values, wanted.values,
                            (size_t)(WIDTH * HEIGHT * channels) * sizeof(float));
        qp_matrix_destroy(&found);
        qp_matrix_destroy(&wanted);
    }
}

TEST(animations)
{
    struct qp_matrix found;
    need_gl();
    expect("quadpass run gauss.frag --input x=photo.png --steps 5 --every 2 -o film.png", 0,
           "film.png: 3 frames of a tenth of a second; red, green, blue and alpha");
    assert_int_equal(run("run gauss.frag --input x=photo.png --steps 5 --every 2 --frames film"),
                     0);
    expect_film("film.png", 3, 4, "film");
    /* A single scale for all frames: after two steps values go up to 2. */
    expect("quadpass run more.frag --input x=zeros --size 9x7 --steps 2 --every 1 -o grey.png", 0,
           "grey.png: 3 frames of a tenth of a second; black is 0, white is 2\n");
    for (int k = 0; k < 3; k++) {
        assert_int_equal(read_frame("grey.png", k, 1, &found), 3);
        for (int i = 0; i < WIDTH * HEIGHT; i++)
            assert_float_equal(found.values[i], 0.125 * k * (i % WIDTH) / 2.0, 0x1p-16);
        qp_matrix_destroy(&found);
    }
    /* A reader that knows no animations finds the first frame. */
    read_values("grey.png", 1, &found);
    assert_true(found.values[8] == 0.0f);
    qp_matrix_destroy(&found);
}

/* Grey and colours that are spread over what may be rounding are warned of, and no others. */
TEST(pictures_of_nothing)
{
    need_gl();
    expect("quadpass run same.frag --input 'x=(1+1e-6*x)' --size 9x7 -o nil.png --picture c.png", 0,
           ": the picture shows differences of ");
    assert_int_equal(count("they may be rounding"), 2);
    expect("quadpass run same.frag --input 'x=(1+1e-3*x)' --size 9x7 -o nil.png --picture c.png", 0,
           "nil.png: black is ");
    expect("quadpass run same.frag --input x=zeros --size 9x7 -o nil.png --picture c.png", 0,
           "nil.png: black is 0, white is ");
    assert_int_equal(count("they may be rounding"), 0);
}

/* With --reduce or --frames -o is x after the last step, as ever. */
TEST(no_animations)
{
    struct qp_matrix found;
    need_gl();
    expect("quadpass run more.frag --input x=zeros --size 9x7 --steps 2 --every 1 --reduce max "
           "-o last.png",
           0, "last.png: black is 0, white is 2\n");
    read_values("last.png", 1, &found);
    assert_float_equal(found.values[8], 1.0, 0.0);
    qp_matrix_destroy(&found);
    expect("quadpass run same.frag --input x=zeros --size 9x7 --steps 1000000000 --every 1 -o "
           "long.png",
           3, "1000000001 frames of 9 x 7 cells take ");
    assert_false(exists("long.png"));
    expect("quadpass run same.frag --every 1 -o x.npy", 2,
           "--every goes with --frames, --reduce or -o FILE.png");
}

GROUP(go_to_folder, remove_folder)
