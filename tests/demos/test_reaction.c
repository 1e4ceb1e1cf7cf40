/* SPDX-License-Identifier: MIT */
/* demos/reaction.c against plain C: both fields, the histogram, mean and extremes, and a frame. */
#include "support/shell.h"

#include <math.h>
#include <string.h>

int reaction_main(int argc, char **argv);
#define main reaction_main
#include "../../demos/reaction.c"
#undef main

enum { MOST_CELLS = 65 * 65 };

struct fields {
    int size;
    float u[MOST_CELLS], v[MOST_CELLS];
};

static void begin(struct fields *f, int size)
{
    const int first = size * 7 / 16, side = (size + 7) / 8;
    f->size = size;
    for (int i = 0; i < size * size; i++) {
        const int x = i % size - first, y = i / size - first;
        const bool middle = x >= 0 && y >= 0 && x < side && y < side;
        f->u[i] = middle ? 0.5f : 1.0f;
        f->v[i] = middle ? 0.25f : 0.0f;
    }
}

/* The sum of four neighbours less four times the cell; beyond a wall it is the nearest cell. */
static float laplacian(const float *field, int size, int x, int y)
{
    const float *row = field + y * size;
    const float left = row[x > 0 ? x - 1 : x], right = row[x < size - 1 ? x + 1 : x],
                below = row[y > 0 ? x - size : x], above = row[y < size - 1 ? x + size : x];
    return (left + right) + (below + above) - 4.0f * row[x];
}

static void step(struct fields *f, float feed, float kill)
{
    static struct fields old;
    old = *f;
    for (int y = 0; y < f->size; y++) {
        for (int x = 0; x < f->size; x++) {
            const int i = y * f->size + x;
            const float u = old.u[i], v = old.v[i], uvv = u * v * v;
            f->u[i] = u + (0.2f * laplacian(old.u, f->size, x, y) - uvv + feed * (1.0f - u));
            f->v[i] = v + (0.1f * laplacian(old.v, f->size, x, y) + uvv - (feed + kill) * v);
        }
    }
}

/* Values are from 0 to 1. They differ by roundings alone, which a step of this reaction hardly
 * makes larger. */
static void expect_field(const struct qp_array *array, const float *expected, int cells)
{
    static float got[MOST_CELLS];
    double worst = 0.0;
    assert_ok(qp_array_read(array, NULL, got, 0));
    for (int i = 0; i < cells; i++)
        worst = fmax(worst, fabs((double)got[i] - (double)expected[i]));
    if (!(worst <= 1e-5))
        fail_msg("%d cells differ by up to %g", cells, worst);
}

/* Checks what a look reports of these values of v, which are the device's own. */
static void expect_look(const struct look *look, const float *v, int cells)
{
    float counts[BINS] = {0}, least = v[0], most = v[0];
    double sum = 0.0;
    for (int i = 0; i < cells; i++) {
        counts[(int)fminf(fmaxf(floorf(2.0f * BINS * v[i]), 0.0f), BINS - 1.0f)]++;
        least = fminf(least, v[i]);
        most = fmaxf(most, v[i]);
        sum += (double)v[i];
    }
    assert_memory_equal(look->counts, counts, sizeof counts);
    assert_true(look->least == (double)least && look->most == (double)most);
    assert_true(fabs(look->mean - sum / cells) < 1e-6 * sum / cells);
}

/* 320 steps, with other numbers after the first half. */
static void compare(struct qp_context *context, int size)
{
    static struct fields expected;
    static float v[MOST_CELLS];
    struct world world = {.gpu = context};
    struct look look;
    if (make(&world, size))
        fail_msg("%s", qp_error());
    begin(&expected, size);
    for (int half = 0; half < 2; half++) {
        const double feed = half == 0 ? 0.030 : 0.045;
        assert_false(advance(&world, 160, feed, 0.060));
        for (int i = 0; i < 160; i++)
            step(&expected, (float)feed, 0.060f);
        expect_field(world.u[0], expected.u, size * size);
        expect_field(world.v[0], expected.v, size * size);
    }
    assert_ok(qp_array_read(world.v[0], NULL, v, 0));
    assert_false(look_at(&world, &look));
    expect_look(&look, v, size * size);
    for (int i = 0; i < size * size; i++) /* beyond the histogram's ends too */
        v[i] = (float)(i * 7919 % 1009) / 1440.0f - 0.1f;
    assert_ok(qp_array_write(world.v[0], NULL, v, 0));
    assert_false(look_at(&world, &look));
    expect_look(&look, v, size * size);
    destroy(&world);
}

CLEAN_TEST(agrees_with_c)
{
    struct qp_context *context = support_need_context(state);
    compare(context, 8);
    compare(context, 33);
    compare(context, 65);
}

/* The frame holds v, doubled. */
CLEAN_TEST(writes_frames)
{
    struct qp_context *context = support_need_context(state);
    struct world world = {.gpu = context};
    unsigned char grey[16 * 16];
    png_image image = {.version = PNG_IMAGE_VERSION};
    char path[300];
    make_folder(NULL);
    assert_false(make(&world, 16));
    assert_false(write_frame(&world, folder, 12));
    snprintf(path, sizeof path, "%s/v000012.png", folder);
    assert_true(png_image_begin_read_from_file(&image, path));
    assert_true(image.width == 16 && image.height == 16);
    image.format = PNG_FORMAT_GRAY;
    assert_true(png_image_finish_read(&image, NULL, grey, 0, NULL));
    for (int i = 0; i < 256; i++) /* a square of two cells, where v is 1/4 */
        assert_int_equal(grey[i],
                         (i % 16 == 7 || i % 16 == 8) && (i / 16 == 7 || i / 16 == 8) ? 127 : 0);
    assert_true(write_frame(&world, "/dev/null", 12));
    destroy(&world);
    remove_folder(NULL);
}

TEST(runs)
{
    support_need_context(state);
    assert_int_equal(shell(QP_BUILD_DIR "/demos/reaction"), 0);
    assert_int_equal(count("\n"), 11);
    assert_int_equal(count("mean 0.0039"), 1);
    expect(QP_BUILD_DIR "/demos/reaction . 7", 2, "usage");
    expect(NO_GL QP_BUILD_DIR "/demos/reaction", 1, "device");
}

GROUP(support_open_context, support_close_context)
