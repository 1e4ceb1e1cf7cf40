/* SPDX-License-Identifier: MIT */
/* Solves with every single bad argument, as in tests/house/test_bad_use.c. No OpenGL is needed
 * here. */
#include "support/refused.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 3 };

static double ones[] = {1.0, 1.0, 1.0}, not_finite[] = {1.0, NAN, 1.0};

static const struct qp_variant foreign = {.name = "jacobi9/mine", .op = "jacobi9"},
                               eliminates = {.name = "gauss_jordan/mine", .op = "gauss_jordan"},
                               five = {.name = "poisson5/mine", .op = "poisson5"};

static const struct qp_variant *find(const char *name)
{
    const struct qp_variant *variant = qp_variant_find(name);
    assert_non_null(variant);
    return variant;
}

/* Matrices that no solve takes. */
static struct qp_market refused[] = {
    {0},
    {2, 2, 4, true, NULL, NULL, NULL},
    {2, 2, 3, true, NULL, NULL, ones},
    {INT_MAX, INT_MAX, 3, true, NULL, NULL, ones},
    {-1, -1, 1, true, NULL, NULL, ones},
    {1, 3, 3, true, NULL, NULL, ones},
    {1, 1, 1, false, NULL, NULL, ones},
};

TEST(iterations)
{
    const struct qp_variant *variant = find("openmp");
    const struct qp_solve_desc bad[] = {
        {.variant = &foreign},
        {.variant = find("gauss_jordan/reference")},
        {.variant = find("luminance_notex")},
        {.variant = find("luminance")},
        {.weight = -1.0},
        {.weight = 2.0},
        {.weight = NAN},
        {.tolerance = -1.0},
        {.tolerance = NAN},
        {.tolerance = INFINITY},
        {.most_steps = -1},
        {.most_steps = INT_MIN},
        {.width = SIZE},
        {.width = -1, .height = -1},
        {.width = INT_MAX, .height = INT_MAX},
        {.pingpong = (enum qp_pingpong_style)99},
        {.target = (enum qp_texture_target) - 1},
        {.parts = {.count = -1}},
        {.parts = {.depth = -1}},
        {.parts = {.slow = -1}},
        {.checkpoint = ""},
        {.checkpoint = "/nowhere/x"},
        {.checkpoint = "x", .every = -1.0},
        {.checkpoint = "x", .every = NAN},
        {.resume = "/nowhere/x"},
        {.resume = ""},
    };
    struct qp_market a = support_random_dense(SIZE, 1);
    struct qp_solution solution = {.ending = QP_CONVERGED};
    struct qp_answer answer = {.rows = 7};
    for (refused_row = 0; refused_row < COUNT(bad); refused_row++) {
        solution.ending = QP_CONVERGED;
        REFUSES(qp_solve, NULL, &a, NULL, NULL, &bad[refused_row], &solution);
        HOLDS(solution.ending == QP_NO_ENDING && solution.x == NULL);
        NEUTRAL(qp_solution_destroy, &solution);
        if (bad[refused_row].variant == NULL || bad[refused_row].variant == &foreign) {
            REFUSES(qp_solve_system, NULL, &a, NULL, 1, NULL, &bad[refused_row], &answer);
            HOLDS(answer.rows == 0 && answer.x == NULL);
            NEUTRAL(qp_answer_destroy, &answer);
        }
    }
    for (refused_row = 0; refused_row < COUNT(refused); refused_row++) {
        REFUSES(qp_solve, NULL, &refused[refused_row], NULL, NULL, NULL, &solution);
        REFUSES(qp_solve_system, NULL, &refused[refused_row], NULL, 1, NULL, NULL, &answer);
    }
    REFUSES(qp_solve, NULL, NULL, NULL, NULL, NULL, &solution);
    REFUSES(qp_solve, NULL, &a, NULL, NULL, NULL, NULL);
    REFUSES(qp_solve, NULL, &a, not_finite, NULL, &(struct qp_solve_desc){.variant = variant},
            &solution);
    REFUSES(qp_solve, NULL, &a, NULL, not_finite, &(struct qp_solve_desc){.variant = variant},
            &solution);
    REFUSES(qp_solve_system, NULL, NULL, NULL, 1, NULL, NULL, &answer);
    REFUSES(qp_solve_system, NULL, &a, NULL, 1, NULL, NULL, NULL);
    REFUSES(qp_solve_system, NULL, &a, ones, 0, NULL, NULL, &answer);
    REFUSES(qp_solve_system, NULL, &a, ones, -1, NULL, NULL, &answer);
    REFUSES_SIZE(qp_solve_system, NULL, &a, ones, INT_MAX, NULL, NULL, &answer);
    REFUSES(qp_solve_system, NULL, &a, NULL, 2, NULL, NULL, &answer);
    REFUSES(qp_solve_system, NULL, &a, not_finite, 1, NULL, NULL, &answer);
    REFUSES(qp_solve_system, NULL, &a, NULL, 1, not_finite, NULL, &answer);
    NEUTRAL(qp_solution_destroy, NULL);
    NEUTRAL(qp_answer_destroy, NULL);
    NEUTRAL(qp_answer_destroy, &answer);
    qp_market_destroy(&a);
    assert_no_faults();
}

TEST(eliminations)
{
    const struct qp_dense_desc bad[] = {
        {.variant = &eliminates},
        {.variant = find("openmp")},
        {.variant = find("gauss_jordan/pivoted")},
        {.tolerance = -1.0},
        {.tolerance = NAN},
        {.tolerance = INFINITY},
        {.pingpong = (enum qp_pingpong_style)99},
        {.target = (enum qp_texture_target) - 1},
        {.checkpoint = ""},
        {.checkpoint = "/nowhere/x"},
        {.checkpoint = "x", .every = -1.0},
        {.checkpoint = "x", .every = NAN},
        {.resume = "/nowhere/x"},
        {.resume = ""},
    };
    struct qp_market a = support_random_dense(SIZE, 1);
    struct qp_dense_solution out = {.ending = QP_CONVERGED}, zero = {0};
    for (refused_row = 0; refused_row < COUNT(bad); refused_row++) {
        out.ending = QP_CONVERGED;
        REFUSES(qp_solve_dense, NULL, &a, NULL, 1, &bad[refused_row], &out);
        HOLDS(out.ending == QP_NO_ENDING && out.x == NULL);
        NEUTRAL(qp_dense_solution_destroy, &out);
        REFUSES(qp_invert, NULL, &a, &bad[refused_row], &out);
        HOLDS(out.ending == QP_NO_ENDING && out.x == NULL);
        NEUTRAL(qp_dense_solution_destroy, &out);
    }
    for (refused_row = 0; refused_row < COUNT(refused); refused_row++) {
        REFUSES(qp_solve_dense, NULL, &refused[refused_row], NULL, 1, NULL, &out);
        REFUSES(qp_invert, NULL, &refused[refused_row], NULL, &out);
    }
    REFUSES(qp_solve_dense, NULL, NULL, NULL, 1, NULL, &out);
    REFUSES(qp_solve_dense, NULL, &a, NULL, 1, NULL, NULL);
    REFUSES(qp_solve_dense, NULL, &a, ones, 0, NULL, &out);
    REFUSES(qp_solve_dense, NULL, &a, ones, -1, NULL, &out);
    REFUSES_SIZE(qp_solve_dense, NULL, &a, ones, INT_MAX, NULL, &out);
    REFUSES(qp_solve_dense, NULL, &a, NULL, 2, NULL, &out);
    REFUSES(qp_solve_dense, NULL, &a, not_finite, 1, NULL, &out);
    REFUSES(qp_invert, NULL, NULL, NULL, &out);
    REFUSES(qp_invert, NULL, &a, NULL, NULL);
    HOLDS(NEUTRAL(qp_dense_side, NULL, 0).ending == QP_NO_ENDING);
    HOLDS(NEUTRAL(qp_dense_side, &zero, 0).ending == QP_NO_ENDING);
    HOLDS(NEUTRAL(qp_dense_side, &zero, -1).ending == QP_NO_ENDING);
    HOLDS(NEUTRAL(qp_dense_side, &zero, INT_MAX).ending == QP_NO_ENDING);
    NEUTRAL(qp_dense_solution_destroy, NULL);
    qp_market_destroy(&a);
    assert_no_faults();
}

TEST(poisson)
{
    double infinite[SIZE * SIZE] = {INFINITY}, beyond[SIZE * SIZE] = {1e300};
    const struct qp_poisson_desc bad[] = {
        {0},
        {.width = 0, .height = SIZE},
        {.width = SIZE, .height = -1},
        {.width = INT_MAX, .height = INT_MAX},
        {.width = SIZE, .height = SIZE, .rhs = infinite},
        {.width = SIZE, .height = SIZE, .rhs = beyond, .variant = find("poisson5/openmp")},
        {.width = SIZE, .height = SIZE, .kind = "nonsense"},
        {.width = SIZE, .height = SIZE, .method = "nonsense"},
        {.width = SIZE, .height = SIZE, .method = ""},
        {.width = SIZE, .height = SIZE, .variant = &five},
        {.width = SIZE, .height = SIZE, .variant = find("openmp")},
        {.width = SIZE, .height = SIZE, .tolerance = -1.0},
        {.width = SIZE, .height = SIZE, .tolerance = NAN},
        {.width = SIZE, .height = SIZE, .tolerance = INFINITY},
        {.width = SIZE, .height = SIZE, .most_steps = -1},
        {.width = SIZE, .height = SIZE, .pingpong = (enum qp_pingpong_style)99},
        {.width = SIZE, .height = SIZE, .target = (enum qp_texture_target) - 1},
        {.width = SIZE, .height = SIZE, .parts = {.count = -1}},
        {.width = SIZE, .height = SIZE, .parts = {.depth = -1}},
        {.width = SIZE, .height = SIZE, .parts = {.slow = -1}},
        {.width = SIZE, .height = SIZE, .checkpoint = ""},
        {.width = SIZE, .height = SIZE, .checkpoint = "/nowhere/x"},
        {.width = SIZE, .height = SIZE, .checkpoint = "x", .every = -1.0},
        {.width = SIZE, .height = SIZE, .checkpoint = "x", .every = NAN},
        {.width = SIZE, .height = SIZE, .resume = "/nowhere/x"},
        {.width = SIZE, .height = SIZE, .resume = ""},
    };
    struct qp_solution out = {.ending = QP_CONVERGED};
    for (refused_row = 0; refused_row < COUNT(bad); refused_row++) {
        out.ending = QP_CONVERGED;
        REFUSES_SIZE(qp_solve_poisson, NULL, &bad[refused_row], &out);
        HOLDS(out.ending == QP_NO_ENDING && out.x == NULL);
        NEUTRAL(qp_solution_destroy, &out);
    }
    REFUSES(qp_solve_poisson, NULL, NULL, &out);
    REFUSES(qp_solve_poisson, NULL, &bad[0], NULL);
    assert_no_faults();
}
