/* SPDX-License-Identifier: MIT */
/* Estimates of the time that a step or an elimination takes. No OpenGL is needed here. */
#include "support/support.h"

#include <math.h>

#include "gl/context.h"
#include "solve/preference.h"

/* More unknowns and more sides take longer, by as much as the work grows, on every device. */
static void times_grow_with_the_work(void **state)
{
    static struct qp_context devices[] = {{.device.renderer = "llvmpipe (LLVM 15)"},
                                          {.device.renderer = "NVIDIA H200/PCIe/SSE2"},
                                          {.device.renderer = "another"}};
    static const char *const rows[] = {"gauss_jordan/blocked", "gauss_jordan/reference",
                                       "gauss_jordan/sgesv"};
    (void)state;
    for (int k = 0; k <= COUNT(devices); k++) {
        const struct qp_context *device = k < COUNT(devices) ? &devices[k] : NULL;
        const double none = qp_pace_step(device, 0.0), some = qp_pace_step(device, 1e6),
                     more = qp_pace_step(device, 3e6);
        assert_true(none > 0.0 && some > none);
        assert_true(fabs((more - none) / (some - none) - 3.0) < 1e-9);
        for (int i = 0; i < COUNT(rows); i++) {
            const struct qp_variant *row = qp_variant_find(rows[i]);
            const double least = qp_pace_elimination(device, row, 0.0, 1.0),
                         one = qp_pace_elimination(device, row, 1.0, 1.0),
                         few = qp_pace_elimination(device, row, 1e4, 1.0),
                         sides = qp_pace_elimination(device, row, 1e4, 1e4),
                         many = qp_pace_elimination(device, row, 1e5, 1.0);
            assert_true(least > 0.0 && one > least && few > one);
            assert_true(sides > few && many - least > 500.0 * (few - least));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(times_grow_with_the_work)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
