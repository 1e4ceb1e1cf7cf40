/* SPDX-License-Identifier: MIT */
/* Rows that solve Poisson's equation where none is asked for, by device. */
#include "support/support.h"

#include <string.h>

#include "cuda/device.h"
#include "gl/context.h"
#include "solve/poisson.h"

static void check_preference(const char *renderer, const char *const wanted[])
{
    const char *const *names = qp_poisson_preference(renderer);
    for (; *wanted != NULL; wanted++, names++) {
        assert_non_null(*names);
        assert_string_equal(*names, *wanted);
    }
    assert_null(*names);
}

static void the_default_follows_the_device(void **state)
{
    static const char *const rows[] = {"poisson5/cuda_resident_double",
                                       "poisson5/cuda_red_black_resident_double",
                                       "poisson5/cuda_red_black_double",
                                       "poisson5/cuda_temporal_double",
                                       "poisson5/openmp_blocked",
                                       "poisson5/openmp_red_black",
                                       "poisson5/openmp_blocked_double",
                                       "poisson5/openmp_red_black_double",
                                       NULL};
    (void)state;
    check_preference("NVIDIA H200/PCIe/SSE2", rows);
    check_preference("NVIDIA H100 80GB HBM3/PCIe/SSE2", rows);
    check_preference("NVIDIA GeForce RTX 4090/PCIe/SSE2", rows + 4);
    check_preference("llvmpipe (LLVM 15.0.6, 256 bits)", rows + 4);
    check_preference("", rows + 4);
}

/* Where CUDA is not built in, or has no device, the rows of the CPU are next. */
static void rows_that_are_not_here_are_passed_over(void **state)
{
    struct qp_context *context = support_need_context(state);
    const char *renderer = context->device.renderer;
    struct qp_solution got;
    if (qp_cuda_look(-1) == QP_OK)
        skip();
    context->device.renderer = "NVIDIA H200/PCIe/SSE2";
    for (int k = 0; k < 3; k++) {
        const struct qp_poisson_desc desc = {
            .width = 20, .height = 20, .method = k == 1 ? "sor" : NULL, .in_double = k == 2};
        static const char *const wanted[] = {"poisson5/openmp_blocked", "poisson5/openmp_red_black",
                                             "poisson5/openmp_blocked_double"};
        assert_ok(qp_solve_poisson(context, &desc, &got));
        assert_string_equal(got.variant->name, wanted[k]);
        qp_solution_destroy(&got);
    }
    const struct qp_poisson_desc clash = {.width = 20,
                                          .height = 20,
                                          .method = "sor",
                                          .variant = qp_variant_find("poisson5/openmp_blocked")};
    assert_int_equal(qp_solve_poisson(context, &clash, &got), QP_BAD_USE);
    assert_non_null(strstr(qp_error(), "; take poisson5/"));
    context->device.renderer = renderer;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_default_follows_the_device),
                                       clean_test(rows_that_are_not_here_are_passed_over)};
    return cmocka_run_group_tests(tests, support_open_context, support_close_context);
}
