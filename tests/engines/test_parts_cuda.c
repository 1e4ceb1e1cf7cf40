/* SPDX-License-Identifier: MIT */
/* Parts on the CUDA devices that are here, one taken twice where there is one: the bits of
 * cuda_naive wherever strips lie and whatever way their borders go, the same residuals and ends of
 * solves, and the reports of a run. (What waits are worth: test_parts_devices.c; borders spoilt:
 * ops/poisson5/test_parts_sabotage.c.) */
#include "support/parts.h"

#include <math.h>
#include <string.h>

#include "toolkit/cuda/device.h"
#include "toolkit/cuda/streams.h"

static void need_cuda(void)
{
    if (!support_is_built(qp_variant_find("poisson5/parts_cuda"))) {
        print_message("%s\n", qp_error());
        skip();
    }
}

static struct qp_result walk(const char *row, struct qp_problem *problem, struct qp_walk_desc desc)
{
    struct qp_result result;
    desc.keep_solution = true;
    assert_ok(qp_walk(NULL, qp_variant_find(row), problem, &desc, &result));
    if (result.verdict != QP_PASS)
        fail_msg("%s, %d x %d %s, %d parts, depth %d, split %d, %d steps: %s", row, problem->width,
                 problem->height, problem->kind, desc.parts.count, desc.parts.depth,
                 desc.parts.split, desc.iterations, result.reason);
    return result;
}

/* ---- The same bits ---- */

static const struct qp_size sizes[] = {{1, 1},   {5, 2},    {64, 3},   {63, 64},
                                       {65, 65}, {33, 127}, {127, 41}, {257, 1000}};

/* Numbers of parts, depths and splits; -2: all rows but one. */
static const struct qp_parts_desc cuts[] = {
    {.count = 1},
    {.count = 2},
    {.count = 3},
    {.count = 5, .depth = 2},
    {.count = 2, .depth = 8},
    {.count = 3, .depth = 3},
    {.count = 2, .split = -1},
    {.count = 2, .split = 1},
    {.count = 2, .split = -2},
    {.count = 2, .split = 100000},
    {.count = 4, .split = 7},
    {.count = 2, .depth = 2, .slow = 3},
};

static struct qp_parts_desc cut_of(int k, int height)
{
    struct qp_parts_desc cut = cuts[k];
    cut.split = cut.split == -2 ? height - 1 : cut.split;
    cut.count = cut.count < height ? cut.count : height;
    return cut;
}

static void compare(const char *parts, const char *whole, const char *kind, struct qp_size size,
                    const struct qp_weights *weights)
{
    struct qp_problem problem = parts_problem(kind, size.width, size.height, 0.0);
    struct qp_walk_desc desc = {.iterations = 19, .weights = weights};
    struct qp_result one = walk(whole, &problem, desc);
    for (int k = 0; k < COUNT(cuts); k++) {
        desc.parts = cut_of(k, size.height);
        struct qp_result several = walk(parts, &problem, desc);
        if (!parts_same_bits(&one, &several))
            fail_msg("%s, %d x %d %s, cut %d: other bits", parts, size.width, size.height, kind, k);
        qp_matrix_destroy(&several.solution);
    }
    qp_matrix_destroy(&one.solution);
    qp_problem_destroy(&problem);
}

CLEAN_TEST(parts_have_the_bits_of_one_whole)
{
    static const double cycle[] = {1.3, 0.6, 0.9, 1.7, 0.5};
    static const struct qp_weights weights = {cycle, 5};
    need_cuda();
    for (int k = 0; k < COUNT(sizes); k++) {
        compare("poisson5/parts_cuda", "poisson5/cuda_naive", k % 2 ? "field" : "spike", sizes[k],
                k % 3 == 0 ? &weights : NULL);
        compare("poisson5/parts_cuda_locked", "poisson5/cuda_naive", k % 2 ? "spike" : "field",
                sizes[k], NULL);
    }
    for (int k = 0; k < COUNT(sizes); k += 2)
        compare("poisson5/parts_cuda_temporal", "poisson5/cuda_naive", k % 4 ? "field" : "spike",
                sizes[k], k % 3 == 0 ? &weights : NULL);
    for (int k = 0; k < COUNT(sizes); k += 3)
        compare("poisson5/parts_cuda_double", "poisson5/cuda_naive_double", "sine", sizes[k], NULL);
}

/* So long and so wide that copies, borders and interiors are under way at the same time. */
CLEAN_TEST(large_parts_have_them_too)
{
    need_cuda();
    struct qp_problem problem = parts_problem("field", 4096, 1000, 0.0);
    struct qp_walk_desc desc = {.iterations = 60};
    struct qp_result one = walk("poisson5/cuda_naive", &problem, desc);
    for (int k = 0; k < 8; k++) {
        desc.parts = (struct qp_parts_desc){.count = 2 + k % 3, .depth = 1 + k / 4};
        struct qp_result several =
            walk(k % 2 ? "poisson5/parts_cuda_locked" : "poisson5/parts_cuda", &problem, desc);
        assert_true(parts_same_bits(&one, &several));
        qp_matrix_destroy(&several.solution);
    }
    qp_matrix_destroy(&one.solution);
    qp_problem_destroy(&problem);
}

/* Both round apart, so each is judged by the reference. */
CLEAN_TEST(the_processor_and_several_devices)
{
    need_cuda();
    for (int k = 0; k < COUNT(cuts); k++) {
        struct qp_problem problem = parts_problem("field", 65, 127, 0.0);
        const struct qp_walk_desc desc = {.iterations = 19, .parts = cut_of(k, 127)};
        struct qp_result result = walk("poisson5/hybrid_cuda", &problem, desc);
        qp_matrix_destroy(&result.solution);
        qp_problem_destroy(&problem);
    }
}

CLEAN_TEST(nine_bands_in_parts)
{
    need_cuda();
    for (int parts = 1; parts < 5; parts++) {
        struct qp_problem problem;
        assert_ok(qp_problem_create(
            &(struct qp_problem_desc){.width = 65, .height = 41, .seed = 3, .weight = 0.8},
            &problem));
        struct qp_walk_desc desc = {.iterations = 9};
        struct qp_result one = walk("jacobi9/cuda_shared", &problem, desc);
        desc.parts = (struct qp_parts_desc){.count = parts, .depth = 1 + parts % 2};
        struct qp_result several = walk("jacobi9/parts_cuda", &problem, desc);
        assert_true(parts_same_bits(&one, &several));
        qp_matrix_destroy(&one.solution);
        qp_matrix_destroy(&several.solution);
        qp_problem_destroy(&problem);
    }
}

/* ---- Reports of runs ---- */

CLEAN_TEST(runs_tell_devices_and_ways)
{
    need_cuda();
    const int devices = qp_cuda_count();
    bool reaches = false;
    assert_ok(qp_cuda_reach(devices > 1, 0, &reaches));
    const enum qp_borders way = devices == 1 ? QP_BORDERS_DEVICE
                                : reaches    ? QP_BORDERS_PEERS
                                             : QP_BORDERS_LOCKED;
    struct qp_problem problem = parts_problem("spike", 65, 64, 0.0);
    const struct qp_walk_desc desc = {.iterations = 3};
    struct qp_result result = walk("poisson5/parts_cuda", &problem, desc);
    print_message("%d parts on %d of %d devices, borders: %s\n", result.parts.count,
                  result.parts.devices, devices, qp_borders_name(result.parts.borders));
    assert_int_equal(result.parts.devices, devices > 1 ? 2 : 1);
    assert_int_equal(result.parts.borders, way);
    qp_matrix_destroy(&result.solution);
    result = walk("poisson5/parts_cuda_locked", &problem, desc);
    assert_int_equal(result.parts.borders, QP_BORDERS_LOCKED);
    qp_matrix_destroy(&result.solution);
    qp_problem_destroy(&problem);
    assert_int_equal(qp_cuda_live_blocks() + qp_cuda_live_streams(), 0);
}

/* ---- Solves ---- */

static struct qp_solution solve(const char *row, const char *method, struct qp_parts_desc parts)
{
    const struct qp_poisson_desc desc = {.width = 48,
                                         .height = 48,
                                         .kind = "field",
                                         .method = method,
                                         .variant = qp_variant_find(row),
                                         .tolerance = 1e-4,
                                         .parts = parts};
    struct qp_solution solution;
    assert_ok(qp_solve_poisson(NULL, &desc, &solution));
    assert_int_equal(solution.ending, QP_CONVERGED);
    return solution;
}

CLEAN_TEST(solves_stop_at_the_same_step)
{
    static const char *const methods[] = {"jacobi", "chebyshev"};
    need_cuda();
    for (int k = 0; k < COUNT(methods); k++) {
        struct qp_solution one =
            solve("poisson5/cuda_naive", methods[k], (struct qp_parts_desc){0});
        assert_true(one.steps > 20);
        for (int count = 2; count < 5; count++) {
            struct qp_solution several =
                solve("poisson5/parts_cuda", methods[k],
                      (struct qp_parts_desc){.count = count, .depth = count - 1});
            assert_int_equal(several.steps, one.steps);
            assert_memory_equal(several.x, one.x, sizeof *one.x * 48 * 48);
            qp_solution_destroy(&several);
        }
        qp_solution_destroy(&one);
    }
}
