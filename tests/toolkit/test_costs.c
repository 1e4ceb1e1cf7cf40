/* SPDX-License-Identifier: MIT */
/* What arrays that come and go, and downloads, cost passes. With LONG=1 times are printed; none is judged here, for other
 * work on the machine would decide. */
#include "support/support.h"

#include <malloc.h>
#include <stdlib.h>

#include "base/clock.h"
#include "gl/context.h"

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

/* Bytes that malloc has handed out, when all passes are done. Resident pages would tell less: free ones among them count. */
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

static void cycles_keep_memory_flat(void **state)
{
    /* llvmpipe keeps up to some 40 MB of what has been drawn. A texture or framebuffer takes over 1 KB. */
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
#ifndef QP_DEBUG /* sanitizers keep what was freed, and tell what leaks themselves */
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

/* Passes between two arrays in turn, as many as take `seconds`. With `loads`, as many downloads of a third array as come
 * meanwhile, each asked for when the one before it is there. Returns passes in a second. */
static double pass_rate(struct qp_context *context, struct qp_kernel *kernel,
                        struct qp_array *const arrays[3], float *values, double seconds, int *loads)
{
    struct qp_download *download = NULL;
    long passes = 0;
    double now, begin;
    assert_ok(qp_context_finish(context));
    for (begin = now = qp_clock(); now - begin < seconds; now = qp_clock()) {
        for (int i = 0; i < 16; i++, passes++)
            run(kernel, arrays[passes % 2], arrays[(passes + 1) % 2]);
        if (loads == NULL)
            continue;
        if (download != NULL && qp_download_poll(download)) {
            assert_ok(qp_download_take(&download, values, 0));
            ++*loads;
        }
        if (download == NULL)
            assert_ok(qp_array_ask(arrays[2], NULL, &download));
    }
    assert_ok(qp_context_finish(context));
    now = qp_clock();
    if (download != NULL)
        assert_ok(qp_download_take(&download, values, 0));
    return (double)passes / (now - begin);
}

static int compare(const void *one, const void *other)
{
    const double a = *(const double *)one, b = *(const double *)other;
    return (a > b) - (a < b);
}

static void downloads_beside_passes(void **state)
{
    enum { LAPS = 9, BIG = 2048 }; /* 16 MiB */
    struct qp_context *context = support_need_context(state);
    struct qp_kernel *kernel = make_kernel(context);
    const int side = support_takes_long() ? BIG : 32;
    const double seconds = support_takes_long() ? 0.05 : 0.001;
    struct qp_array *arrays[3] = {make_array(context, side), make_array(context, side),
                                  make_array(context, side)};
    float *values = calloc((size_t)side * (size_t)side, sizeof *values);
    double rate[LAPS][2], ratio[LAPS];
    int loads = 0;
    assert_non_null(values);
    assert_ok(qp_array_fill(arrays[2], NULL, 7.0));
    for (int lap = 0; lap < LAPS; lap++) {
        rate[lap][0] = pass_rate(context, kernel, arrays, values, seconds, NULL);
        rate[lap][1] = pass_rate(context, kernel, arrays, values, seconds, &loads);
        ratio[lap] = rate[lap][1] / rate[lap][0];
    }
    assert_true(values[0] == 7.0f && values[side * side - 1] == 7.0f);
    qsort(ratio, LAPS, sizeof *ratio, compare);
    if (support_takes_long())
        print_message("passes over %d x %d cells, with %.1f downloads of as many in %g s: %.3f of "
                      "the passes without\n",
                      side, side, (double)loads / LAPS, seconds, ratio[LAPS / 2]);
    for (int i = 0; i < 3; i++)
        qp_array_destroy(&arrays[i]);
    qp_kernel_destroy(&kernel);
    free(values);
}

int main(void)
{
    const struct CMUnitTest tests[] = {clean_test(cycles_keep_memory_flat),
                                       clean_test(downloads_beside_passes)};
    return cmocka_run_group_tests(tests, support_open_context, support_close_context);
}
