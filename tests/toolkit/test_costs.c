/* SPDX-License-Identifier: MIT */
/* Costs of arrays that come and go, and of downloads, for passes. With LONG=1 times are printed;
 * none is judged here, for other work on the machine would decide. */
#include "support/support.h"

#include <malloc.h>
#include <stdlib.h>

#include "toolkit/base/clock.h"
#include "toolkit/gl/context/context.h"

static struct qp_kernel *make_kernel(struct qp_context *context)
{
    struct qp_kernel *kernel;
    assert_ok(qp_kernel_create(
        context,
        &(struct qp_kernel_desc){.body = "float kernel(vec2 here) { return x_at(0, 0) + 1.0; }",
                                 .input = {{"x"}}},
        &kernel));
    return kernel;
}

static struct qp_array *make_array(struct qp_context *context, int side)
{
    const struct qp_array_desc desc = {.width = side, .height = side};
    struct qp_array *array;
    assert_ok(qp_array_create(context, &desc, NULL, &array));
    return array;
}

static void run(struct qp_kernel *kernel, const struct qp_array *x, struct qp_array *out)
{
    assert_ok(
        qp_pass_run(&(struct qp_pass){.kernel = kernel, .input = {{"x", x}}, .output = {out}}));
}

/* ---- Arrays that come and go ---- */

/* Bytes that malloc has handed out, when all passes are done. Resident pages would show less: free
 * ones among them count. */
static size_t bytes_in_use(struct qp_context *context)
{
    assert_ok(qp_context_finish(context));
    const struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

/* Makes an array, runs a pass over 4 x 4 cells into it, and destroys it: `count` times. */
static double time_cycles(struct qp_context *context, struct qp_kernel *kernel,
                          const struct qp_array *x, int count)
{
    const double begin = qp_clock();
    for (int i = 0; i < count; i++) {
        struct qp_array *out = make_array(context, 4);
        run(kernel, x, out);
        qp_array_destroy(&out);
    }
    assert_ok(qp_context_finish(context));
    return (qp_clock() - begin) / count;
}

CLEAN_TEST(cycles_keep_memory_flat)
{
    /* llvmpipe keeps up to some 40 MB of what has been drawn. A texture or framebuffer takes over 1
     * KB. */
    enum { WARM = 5000, MOST_MORE = 64 << 20, CYCLES = 100000 };
#ifdef QP_DEBUG
    const int cycles = CYCLES / 50;
#else
    const int cycles = CYCLES;
#endif
    struct qp_context *context = support_need_context(state);
    struct qp_kernel *kernel = make_kernel(context);
    struct qp_array *x = make_array(context, 4), *out = make_array(context, 4);
    time_cycles(context, kernel, x, WARM);
    const size_t before = bytes_in_use(context);
    const double cycle = time_cycles(context, kernel, x, cycles);
#ifndef QP_DEBUG /* sanitizers keep what was freed, and report leaks themselves */
    assert_in_range(bytes_in_use(context), 1, before + MOST_MORE);
#endif
    const double begin = qp_clock();
    for (int i = 0; i < cycles; i++)
        run(kernel, x, out);
    assert_ok(qp_context_finish(context));
    const double pass = (qp_clock() - begin) / cycles;
    if (support_takes_long())
        print_message("%d cycles: %.3g us each, %.2f of a pass alone (%.3g us); %zu "
                      "bytes in use, then %zu\n",
                      cycles, 1e6 * cycle, cycle / pass, 1e6 * pass, before, bytes_in_use(context));
    qp_array_destroy(&x);
    qp_array_destroy(&out);
    qp_kernel_destroy(&kernel);
}

/* ---- Downloads beside passes ---- */

struct scene {
    struct qp_context *context;
    struct qp_kernel *kernel;
    struct qp_array *arrays[3]; /* two for passes, one that is downloaded */
    float *values;
};

static void take(struct scene *scene, struct qp_download **download)
{
    assert_ok(qp_download_take(download, scene->values, 0));
}

/* Seconds of `passes` passes between two arrays in turn; with `loads`, beside a download that is
 * asked for first. */
static double time_passes(struct scene *scene, int passes, bool loads, int *count)
{
    struct qp_download *download = NULL;
    assert_ok(qp_context_finish(scene->context));
    const double begin = qp_clock();
    if (loads)
        assert_ok(qp_array_ask(scene->arrays[2], NULL, &download));
    for (int i = 0; i < passes; i++)
        run(scene->kernel, scene->arrays[i % 2], scene->arrays[(i + 1) % 2]);
    assert_ok(qp_context_finish(scene->context));
    const double took = qp_clock() - begin;
    if (download != NULL) {
        *count += qp_download_poll(download);
        take(scene, &download);
    }
    return took;
}

static double time_download(struct scene *scene)
{
    struct qp_download *download;
    assert_ok(qp_context_finish(scene->context));
    const double begin = qp_clock();
    assert_ok(qp_array_ask(scene->arrays[2], NULL, &download));
    assert_ok(qp_context_finish(scene->context));
    const double took = qp_clock() - begin;
    take(scene, &download);
    return took;
}

static int compare(const void *one, const void *other)
{
    const double a = *(const double *)one, b = *(const double *)other;
    return (a > b) - (a < b);
}

/* Passes that take ten times as long as the download, alone and beside it. */
static void print_times(struct scene *scene, int side, int laps, int most)
{
    enum { LAPS = 9 };
    double alone[LAPS], with[LAPS], download[LAPS];
    int there = 0;
    download[0] = time_download(scene);
    const double pass = time_passes(scene, 8, false, NULL) / 8;
    const int wanted = (int)(10.0 * time_download(scene) / pass),
              passes = wanted < most ? wanted + 8 : most;
    for (int lap = 0; lap < laps; lap++) {
        alone[lap] = time_passes(scene, passes, false, NULL);
        with[lap] = time_passes(scene, passes, true, &there);
        download[lap] = time_download(scene);
    }
    assert_int_equal(there, laps);
    qsort(alone, (size_t)laps, sizeof *alone, compare);
    qsort(with, (size_t)laps, sizeof *with, compare);
    qsort(download, (size_t)laps, sizeof *download, compare);
    if (support_takes_long())
        print_message(
            "%d passes over %d x %d cells: %.4g ms, beside a download of as many %.4g ms; "
            "it alone %.4g ms\n",
            passes, side, side, 1e3 * alone[laps / 2], 1e3 * with[laps / 2],
            1e3 * download[laps / 2]);
}

CLEAN_TEST(downloads_beside_passes)
{
    const bool takes_long = support_takes_long();
    const int side = takes_long ? 2048 : 32; /* 16 MiB */
    struct scene scene = {.context = support_need_context(state)};
    scene.kernel = make_kernel(scene.context);
    scene.values = calloc((size_t)side * (size_t)side, sizeof *scene.values);
    assert_non_null(scene.values);
    for (int i = 0; i < 3; i++)
        scene.arrays[i] = make_array(scene.context, side);
    assert_ok(qp_array_fill(scene.arrays[2], NULL, 7.0));
    print_times(&scene, side, takes_long ? 9 : 2, takes_long ? 1000 : 20);
    assert_true(scene.values[0] == 7.0f && scene.values[side * side - 1] == 7.0f);
    for (int i = 0; i < 3; i++)
        qp_array_destroy(&scene.arrays[i]);
    qp_kernel_destroy(&scene.kernel);
    free(scene.values);
}

GROUP(support_open_context, support_close_context)
