/* SPDX-License-Identifier: MIT */
/* Estimates of the time that a step or an elimination takes, and of the steps to come. No OpenGL is
 * needed here. */
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <quadpass/dense.h>

#include "lab/solve/choose/forecast.h"
#include "lab/solve/preference.h"
#include "toolkit/base/whole.h"
#include "toolkit/gl/context/context.h"

enum { DEVICES = 3 };
static struct qp_context *devices[DEVICES + 1]; /* the last is none */

static int make_devices(void **state)
{
    static const char *const renderers[] = {"llvmpipe (LLVM 15)", "NVIDIA H200/PCIe/SSE2",
                                            "another"};
    (void)state;
    for (int k = 0; k < DEVICES; k++) {
        if ((devices[k] = qp_context_new()) == NULL)
            return -1;
        devices[k]->device.renderer = renderers[k];
    }
    return 0;
}

static int destroy_devices(void **state)
{
    (void)state;
    for (int k = 0; k < DEVICES; k++)
        qp_context_destroy(&devices[k]);
    return 0;
}

/* Each device's own variants come first, the fastest at once; the processor's variant is the last,
 * and the only one without a device. */
TEST(fastest_rows_are_first)
{
#define OTHERS " luminance inverse vertex openmp"
    static const char *const wanted[] = {"rgba_stamps rgba_abreast rgba_tiles" OTHERS,
                                         "compute rgba_targets rgba rgba_tiles" OTHERS,
                                         "rgba rgba_tiles" OTHERS, "openmp"};
    static const char *const dense[] = {
        "blocked shrinking_pivoted pivoted sgesv reference",
        "blocked_compute blocked shrinking_pivoted pivoted sgesv reference",
        "blocked shrinking_pivoted pivoted sgesv reference", "sgesv reference"};
    for (int k = 0; k <= DEVICES; k++) {
        char text[2][200] = {"", ""};
        for (int i = 0; i < 2; i++) {
            const char *const *name =
                i == 0 ? qp_solve_preference(devices[k]) : qp_dense_preference(devices[k]);
            for (; *name != NULL; name++)
                sprintf(text[i] + strlen(text[i]), "%s%s", text[i][0] != '\0' ? " " : "",
                        strchr(*name, '/') + 1);
        }
        assert_string_equal(text[0], wanted[k]);
        assert_string_equal(text[1], dense[k]);
    }
}

/* Seconds of a step and of each cell, of an elimination, each column and each update: of the three
 * devices, without one, and of LAPACK, which needs none. */
TEST(times_are_as_measured)
{
    static const double wanted[][5] = {{5e-5, 4e-9, 0.1, 3.5e-5, 3.3e-11},
                                       {5e-6, 1.2e-11, 0.1, 3e-6, 4.5e-13},
                                       {2e-5, 3e-10, 0.3, 3e-5, 1e-11},
                                       {5e-6, 9e-10, 1e-4, 1e-6, 1e-9},
                                       {5e-6, 9e-10, 1e-3, 1e-6, 2e-11}};
    static const char *const rows[] = {"blocked", "blocked", "blocked", "reference", "sgesv"};
    for (int k = 0; k < COUNT(wanted); k++) {
        const struct qp_context *device = devices[qp_least(k, DEVICES)];
        char name[40];
        snprintf(name, sizeof name, "gauss_jordan/%s", rows[k]);
        const struct qp_variant *variant = qp_variant_find(name);
        const double step = qp_pace_step(device, 0.0),
                     begin = qp_pace_elimination(device, variant, 0.0, 0.0);
        const double told[] = {step, (qp_pace_step(device, 1e12) - step) / 1e12, begin,
                               2.0 * qp_pace_elimination(device, variant, 0.5, -0.5) - 2.0 * begin,
                               qp_pace_elimination(device, variant, 1e9, 0.0) / 1e27};
        for (int i = 0; i < COUNT(told); i++) {
            if (fabs(told[i] - wanted[k][i]) > 1e-4 * wanted[k][i])
                fail_msg("%s: number %d is %g, not %g", name, i, told[i], wanted[k][i]);
        }
    }
}

/* More unknowns and more sides take longer, by as much as the work grows, on every device. */
TEST(times_grow_with_the_work)
{
    static const char *const rows[] = {"gauss_jordan/blocked", "gauss_jordan/reference",
                                       "gauss_jordan/sgesv"};
    for (int k = 0; k <= DEVICES; k++) {
        const struct qp_context *device = devices[k];
        const double none = qp_pace_step(device, 0.0), some = qp_pace_step(device, 1e6),
                     more = qp_pace_step(device, 3e6);
        assert_true(none > 0.0 && some > none);
        assert_true(fabs((more - none) / (some - none) - 3.0) < 1e-9);
        for (int i = 0; i < COUNT(rows); i++) {
            const struct qp_variant *variant = qp_variant_find(rows[i]);
            const double least = qp_pace_elimination(device, variant, 0.0, 1.0),
                         one = qp_pace_elimination(device, variant, 1.0, 1.0),
                         few = qp_pace_elimination(device, variant, 1e4, 1.0),
                         sides = qp_pace_elimination(device, variant, 1e4, 1e4),
                         many = qp_pace_elimination(device, variant, 1e5, 1.0);
            assert_true(least > 0.0 && one > least && few > one);
            assert_true(sides > few && many - least > 500.0 * (few - least));
        }
    }
}

/* Jacobi's steps are as many as lead to a look, and its bands are packed before. */
TEST(steps_are_whole_looks)
{
    for (int k = 0; k <= DEVICES; k++) {
        const double none = qp_pace_jacobi(devices[k], 1e6, 0.0),
                     looks = 2.0 * QP_LOOK_EVERY * qp_pace_step(devices[k], 1e6);
        assert_true(none > qp_pace_jacobi(devices[k], 1e3, 0.0));
        assert_true(fabs(qp_pace_jacobi(devices[k], 1e6, QP_LOOK_EVERY + 1.0) - none - looks) <
                    1e-9);
        assert_true(fabs(qp_pace_jacobi(devices[k], 1e6, 2.0 * QP_LOOK_EVERY) - none - looks) <
                    1e-9);
    }
}

/* Without OpenGL, N^2 (N + sides) updates and N columns; LAPACK's do the same work in less time. */
TEST(times_count_updates)
{
    const struct qp_variant *variant = qp_variant_find("gauss_jordan/reference"),
                            *lent = qp_variant_find("gauss_jordan/sgesv");
    const double n = 1e4, update = 1e-9;
    const double begin = qp_pace_elimination(NULL, variant, 0.0, 5.0),
                 column = qp_pace_elimination(NULL, variant, 1.0, 0.0) - begin - update;
    assert_float_equal(column, 1e-6, 1e-12);
    for (int sides = 0; sides < 3; sides++)
        assert_float_equal(qp_pace_elimination(NULL, variant, n, 5000.0 * sides),
                           begin + n * column + n * n * (n + 5000.0 * sides) * update, 1e-6);
    assert_true(qp_pace_elimination(NULL, lent, n, 1.0) <
                0.1 * qp_pace_elimination(NULL, variant, n, 1.0));
}

/* KLU's, of a mesh in the plane N^1.5, of a band N w^2: within a factor of three of what two cores
 * of a desk took for meshes of 10,000 and 90,000 unknowns and for 51 bands of 20,000. */
TEST(direct_times_are_as_measured)
{
    static const struct {
        double entries, unknowns, seconds;
    } seen[] = {{49600, 1e4, 0.07}, {448800, 9e4, 1.3}, {1019350, 2e4, 0.35}};
    for (int k = 0; k < COUNT(seen); k++) {
        const double forecast = qp_pace_direct(seen[k].entries, seen[k].unknowns, 1.0);
        assert_true(forecast < 3.0 * seen[k].seconds && forecast > seen[k].seconds / 3.0);
        assert_true(qp_pace_direct(seen[k].entries, seen[k].unknowns, 100.0) > 1.5 * forecast);
    }
    assert_true(qp_pace_direct(1e6, 1e3, 1.0) > 1.0); /* a full one: as dense */
}

/* Looks at 100 steps, forecasts at 200 from the rate since then, and again when the steps have
 * doubled. The residual falls by e in 100 steps, of which two more are wanted; each takes 0.04
 * seconds. */
TEST(forecasts_follow_the_rate)
{
    static const struct {
        double elimination;
        int most_steps;
        bool leaves;
    } cases[] = {{199, 10000, true}, {201, 10000, false}, {201, 399, true}, {201, 401, false}};
    for (int k = 0; k < COUNT(cases); k++) {
        struct qp_forecast f = {.elimination = cases[k].elimination};
        struct qp_progress now = {.most_steps = cases[k].most_steps, .tolerance = exp(-3.0)};
        for (now.step = 50; now.step < 400; now.step += 10) {
            now.residual = exp(1.0 - now.step / 100.0);
            now.residual *= now.step < 100 ? 1000.0 : exp(now.step > 200 ? -9.0 : 0.0);
            now.seconds = now.step < 100 ? 0.0 : 1.0 + 0.04 * now.step;
            qp_forecast_look(&f, &now);
            assert_int_equal(f.step, now.step < 100 ? 0 : now.step < 200 ? 100 : 200);
            assert_int_equal(f.since, now.step < 200 ? 0 : 100);
            assert_int_equal(f.leaves, now.step >= 200 && cases[k].leaves);
        }
        assert_float_equal(f.to_come, 200.0, 1e-9);
        assert_float_equal(f.pace, 0.04, 1e-12);
        now.step = 400;
        now.residual = exp(-1.0); /* as at 200 */
        now.seconds = 29.0;
        qp_forecast_look(&f, &now);
        assert_true(f.since == 200 && f.step == 400 && isinf(f.to_come) && f.leaves);
        assert_float_equal(f.pace, 0.1, 1e-12);
    }
}

GROUP(make_devices, destroy_devices)
