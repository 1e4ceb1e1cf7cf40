/* SPDX-License-Identifier: MIT */
/* The ladder on CUDA: every rung has the bits of `sequential`, in all blocks that it takes, but the
 * one that works in one grid, which lies between Jacobi and the solution. */
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lab/ops/poisson5/poisson5.h"
#include "lab/plan/kernel.h"
#include "lab/plan/op.h"
#include "support/poisson.h"
#include "toolkit/cuda/device.h"

static const char *const floats[] = {"cuda_naive",
                                     "cuda_padded",
                                     "cuda_texture",
                                     "cuda_shared",
                                     "cuda_shared_fringe_threads",
                                     "cuda_shared_padded",
                                     "cuda_unrolled",
                                     "cuda_tuned_sync",
                                     "cuda_tuned_sync_waits",
                                     "cuda_prefetch"};
static const char *const doubles[] = {"cuda_naive_double", "cuda_padded_double",
                                      "cuda_double_plain", "cuda_double_hilo"};
static const char one_grid[] = "cuda_shared_one_grid";

static const double weight_list[] = {0.7, 1.0, 1.9, 0.31, 1.2};
static const struct qp_weights weights = {weight_list, COUNT(weight_list)};

static const struct qp_variant *row_of(const char *name)
{
    char full[64];
    snprintf(full, sizeof full, "poisson5/%s", name);
    const struct qp_variant *variant = qp_variant_find(full);
    assert_non_null(variant);
    return variant;
}

static void need_cuda(void)
{
    if (!support_is_built(row_of(floats[0]))) {
        print_message("%s\n", qp_error());
        skip();
    }
}

static struct qp_problem make(const char *kind, int width, int height, double weight)
{
    const struct qp_problem_desc desc = {.op = "poisson5",
                                         .kind = kind,
                                         .width = width,
                                         .height = height,
                                         .weight = weight,
                                         .seed = 11};
    struct qp_problem problem;
    assert_ok(qp_problem_create(&desc, &problem));
    return problem;
}

static struct qp_result walk(const char *name, struct qp_problem *problem,
                             const struct qp_walk_desc *desc)
{
    struct qp_result result;
    assert_ok(qp_walk(NULL, row_of(name), problem, desc, &result));
    if (result.verdict != QP_PASS)
        fail_msg("%s, %s, %d x %d: %s", name, problem->kind, problem->width, problem->height,
                 result.reason);
    return result;
}

static size_t cells_that_differ(const struct qp_matrix *a, const struct qp_matrix *b)
{
    size_t count = 0;
    for (size_t i = 0; i < (size_t)a->width * (size_t)a->height; i++)
        count += !(qp_matrix_value(a, i) == qp_matrix_value(b, i));
    return count;
}

/* Walks a variant in each of its blocks, and compares bits. */
static void agree(const char *name, struct qp_problem *problem, struct qp_walk_desc desc,
                  const struct qp_matrix *expected)
{
    static const int usual[] = {0, 0};
    const struct qp_block_rule *rule = row_of(name)->recipe->blocks;
    const int *blocks = rule != NULL ? rule->listed : usual;
    do {
        desc.block = *blocks;
        struct qp_result result = walk(name, problem, &desc);
        const size_t wrong = cells_that_differ(&result.solution, expected);
        if (wrong > 0)
            fail_msg("%s, block %d, %s, %d x %d, %d steps: %zu cells differ from sequential", name,
                     *blocks, problem->kind, problem->width, problem->height, desc.iterations,
                     wrong);
        qp_matrix_destroy(&result.solution);
        blocks++;
    } while (*blocks > 0);
}

static void agree_with(const char *reference, const char *const *names, int count,
                       struct qp_problem *problem, const struct qp_walk_desc *desc)
{
    struct qp_result expected = walk(reference, problem, desc);
    for (int k = 0; k < count; k++)
        agree(names[k], problem, *desc, &expected.solution);
    qp_matrix_destroy(&expected.solution);
}

/* Less than a block, a block, one more either way, several, and bands in both directions. Steps are
 * too few for the front of a spike to become subnormal, which the CPU flushes. */
CLEAN_TEST(rungs_have_the_bits_of_sequential)
{
    static const struct qp_size sizes[] = {{1, 1},   {2, 1},   {1, 2},     {2, 2},
                                           {63, 7},  {64, 8},  {65, 9},    {127, 63},
                                           {64, 65}, {3, 127}, {1000, 33}, {130, 1000}};
    static const char *const kinds[] = {"field", "spike", "sine"};
    static const int steps[] = {1, 2, 7};
    int turn = 0;
    need_cuda();
    for (int s = 0; s < COUNT(sizes); s++) {
        for (int k = 0; k < COUNT(kinds); k++, turn++) {
            struct qp_problem problem =
                make(kinds[k], sizes[s].width, sizes[s].height, turn % 4 == 1 ? 0.9 : 1.0);
            const struct qp_walk_desc desc = {.iterations = steps[turn % 3],
                                              .unchecked = true,
                                              .keep_solution = true,
                                              .weights = turn % 4 == 2 ? &weights : NULL};
            agree_with("sequential", floats, COUNT(floats), &problem, &desc);
            agree_with("sequential_double", doubles, COUNT(doubles), &problem, &desc);
            qp_problem_destroy(&problem);
        }
    }
}

/* A step's change, from which the residual comes, needs the iterate before the last one. */
CLEAN_TEST(residuals_agree)
{
    struct qp_problem problem;
    need_cuda();
    problem = make("sine", 131, 67, 1.0);
    struct heard first = {.enough = 0.9}; /* some 200 steps */
    struct qp_walk_desc desc = {.iterations = 5000,
                                .unchecked = true,
                                .every = 1,
                                .on_residual = poisson_hear,
                                .user = &first};
    const struct qp_result expected = walk("sequential", &problem, &desc);
    for (int k = 0; k <= COUNT(floats); k++) {
        const char *name = k < COUNT(floats) ? floats[k] : one_grid;
        struct heard heard = {.enough = 0.9};
        desc.user = &heard;
        const struct qp_result result = walk(name, &problem, &desc);
        assert_int_equal(result.iterations, expected.iterations);
        assert_true(fabs(heard.residual - first.residual) <= 1e-5 * first.residual);
    }
    qp_problem_destroy(&problem);
}

/* The upper rows of a grid as a strip of a rung's own, whose first cell is not the grid's and which
 * may lie beside the spike, and the lower ones on the CPU. */
CLEAN_TEST(rungs_compute_parts)
{
    static const char *const kinds[] = {"field", "spike"};
    const struct qp_variant *hybrid = qp_variant_find("poisson5/hybrid_cuda");
    need_cuda();
    for (int k = 0; k < COUNT(floats) * COUNT(kinds); k++) {
        struct qp_poisson5_variant own = {.parts = qp_poisson5_variant(hybrid->recipe)->parts};
        own.parts.runs[1].list = row_of(floats[k / 2])->recipe;
        own.parts.runs[1].name = row_of(floats[k / 2])->name;
        struct qp_recipe recipe = *hybrid->recipe;
        recipe.own = &own;
        struct qp_variant variant = *hybrid;
        variant.recipe = &recipe;
        struct qp_problem problem = make(kinds[k % 2], 70, 41, 0.9);
        struct qp_walk_desc desc = {.iterations = 7, .unchecked = true, .keep_solution = true};
        struct qp_result expected = walk("sequential", &problem, &desc), result;
        desc.parts = (struct qp_parts_desc){.depth = 3, .split = k % 3 == 0 ? 30 : 9};
        assert_ok(qp_walk(NULL, &variant, &problem, &desc, &result));
        if (result.verdict != QP_PASS ||
            cells_that_differ(&result.solution, &expected.solution) > 0)
            fail_msg("%s as a part, %s: %s", floats[k / 2], problem.kind,
                     result.verdict != QP_PASS ? result.reason : "other bits");
        qp_matrix_destroy(&result.solution);
        qp_matrix_destroy(&expected.solution);
        qp_problem_destroy(&problem);
    }
}

static struct qp_result of_block(int block, struct qp_problem *problem)
{
    const struct qp_walk_desc desc = {.iterations = 1, .block = block};
    return walk("cuda_tuned_sync", problem, &desc);
}

/* 16 threads a block leave most of a multiprocessor's places empty, since it holds a limited number
 * of blocks; the same block of unknowns by 64 does not. */
CLEAN_TEST(small_blocks_leave_places_empty)
{
    struct qp_problem problem;
    need_cuda();
    problem = make("spike", 70, 41, 1.0);
    const struct qp_result usual = of_block(0, &problem), small = of_block(1608, &problem),
                           wide = of_block(641608, &problem);
    print_message(
        "occupancy: %.2f with blocks of 64 x 8 unknowns, %.2f with 16 x 8, %.2f by 64 threads\n",
        usual.occupancy, small.occupancy, wide.occupancy);
    assert_int_equal(usual.block, 6408);
    assert_true(small.occupancy > 0.0 && 2.0 * small.occupancy <= usual.occupancy);
    assert_true(usual.occupancy <= 1.0 && wide.occupancy >= usual.occupancy);
    qp_problem_destroy(&problem);
}

/* ---- A grid ---- */

/* Blocks that start when others have ended find new values beside them: more of them than a device
 * holds at a time. A single step, and each that is asked about, is Jacobi's, into the other
 * grid. */
CLEAN_TEST(one_grid_runs_ahead_of_jacobi)
{
    struct qp_problem problem;
    need_cuda();
    problem = make("sine", 2500, 2100, 1.0);
    for (int steps = 1; steps <= 8; steps += 7) {
        const struct qp_walk_desc desc = {.iterations = steps, .keep_solution = true};
        struct qp_result got = walk(one_grid, &problem, &desc);
        struct qp_result jacobi = walk("sequential", &problem, &desc);
        const size_t ahead = cells_that_differ(&got.solution, &jacobi.solution);
        print_message("%d steps in one grid: %zu of %zu cells are ahead of Jacobi's\n", steps,
                      ahead, (size_t)2500 * 2100);
        assert_true((ahead > 0) == (steps > 1));
        qp_matrix_destroy(&got.solution);
        qp_matrix_destroy(&jacobi.solution);
    }
    qp_problem_destroy(&problem);
}

CLEAN_TEST(one_grid_lies_between_jacobi_and_the_solution)
{
    static const struct qp_size sizes[] = {{1, 1}, {2, 2}, {65, 9}, {127, 63}, {300, 200}};
    static const char *const kinds[] = {"spike", "sine"};
    need_cuda();
    for (int s = 0; s < COUNT(sizes); s++) {
        for (int k = 0; k < 2; k++) {
            struct qp_problem problem =
                make(kinds[k], sizes[s].width, sizes[s].height, k == 0 ? 1.0 : 0.8);
            for (int steps = 1; steps < 100; steps = 2 * steps + 1)
                walk(one_grid, &problem, &(struct qp_walk_desc){.iterations = steps});
            walk(one_grid, &problem,
                 &(struct qp_walk_desc){.iterations = 9,
                                        .weights = &(struct qp_weights){weight_list, 2}});
            qp_problem_destroy(&problem);
        }
    }
}

/* ---- Refusals ---- */

CLEAN_TEST(blocks_that_are_not_there_are_refused)
{
    static const char *const names[] = {"cuda_naive", "cuda_unrolled", "cuda_tuned_sync"};
    static const char *const sentences[] = {
        "takes no blocks of 5 threads, 100 times those across and those up; its own choice is 3208",
        "takes no blocks of 5 rows unrolled; its own choice is 8",
        "takes no blocks of 5 unknowns, 100 times those across and those up, with 10000 times the "
        "threads if more; its own choice is 6408"};
    struct qp_problem problem;
    need_cuda();
    problem = make("spike", 9, 9, 1.0);
    for (int k = 0; k < COUNT(names); k++) {
        struct qp_result result;
        assert_ok(
            qp_walk(NULL, row_of(names[k]), &problem, &(struct qp_walk_desc){.block = 5}, &result));
        assert_int_equal(result.verdict, QP_SKIP);
        assert_non_null(strstr(result.reason, sentences[k]));
    }
    qp_problem_destroy(&problem);
}

/* Asked before anything is allocated: more texels than any device's textures hold in a row. */
CLEAN_TEST(grids_beyond_a_texture_are_refused)
{
    const struct qp_cuda_kernel *kernel = qp_recipe_kernel(row_of("cuda_texture")->recipe);
    struct qp_cuda *cuda;
    need_cuda();
    assert_ok(qp_cuda_open(-1, &cuda));
    struct qp_launch launch = {
        .width = 1 << 20, .height = 1 << 20, .pitch = (1 << 20) + 128, .cuda = cuda};
    assert_int_equal(kernel->prepare(&launch), QP_UNSUPPORTED);
    support_assert_sentence("a texture of linear memory holds");
    support_assert_sentence("not the 1099647942912 of 1048576 x 1048576 unknowns");
    qp_cuda_close(&cuda);
}
