/* SPDX-License-Identifier: MIT */
/* reduce on the CPU, as the sweeps answer: every place, any number of threads; and the bounds of
 * docs/reduce.md. */
#include "support/reduce_rows.h"
#include "support/threads.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Answer of the sweep itself, without a judge. */
static float swept(const struct qp_problem *problem, const char *name, float out[3])
{
    const struct qp_recipe *recipe = qp_variant_find(name)->recipe;
    struct qp_sweep sweep = {
        .width = problem->width,
        .height = problem->height,
        .kind = qp_problem_kind(problem),
        .out = out,
        .input = {problem->field[QP_REDUCE_X].values, problem->field[QP_REDUCE_Y].values}};
    recipe->sweep(&sweep);
    return out[0];
}

/* The largest magnitude, a NaN or nothing but zeros, at every place: vectors, the values after
 * them, chunks of threads. */
TEST(places_on_the_cpu)
{
    static const char *const names[] = {"reduce/loop", "reduce/openmp"};
    float out[3];
    struct qp_problem problem = reduce_problem("index", 67, 37);
    float *x = problem.field[QP_REDUCE_X].values;
    for (int k = 0; k < 2 * 67 * 37; k++) {
        int place = k / 2, other = (place * 7 + 3) % (67 * 37);
        float value = k % 2 ? NAN : -9.0f;
        memset(x, 0, 67 * 37 * sizeof *x);
        x[place] = value;
        x[other > place ? other : place] = value;
        for (int i = 0; i < 2; i++) {
            float found = swept(&problem, names[i], out);
            assert_true(isnan(value) ? isnan(found) : found == 9.0f);
            assert_true(out[1] == (float)(place % 67) && out[2] == (float)(place / 67));
        }
    }
    memset(x, 0, 67 * 37 * sizeof *x);
    for (int i = 0; i < 2; i++)
        assert_true(swept(&problem, names[i], out) == 0.0f && out[1] == 0.0f && out[2] == 0.0f);
    qp_problem_destroy(&problem);
}

/* Bit for bit the same on one thread and on many. */
THREADS_TEST(threads_agree)
{
    float one[3], many[3];
    struct qp_problem problem = reduce_problem("sum", 501, 301);
    omp_set_num_threads(1);
    swept(&problem, "reduce/openmp", one);
    for (int threads = 2; threads <= 5; threads++) {
        omp_set_num_threads(threads);
        swept(&problem, "reduce/openmp", many);
        assert_true(one[0] == many[0]);
    }
    qp_problem_destroy(&problem);
}

static double g(double k)
{
    return k * 0x1p-24 / (1.0 - k * 0x1p-24);
}

/* Roundings k of g(k) in the table of docs/reduce.md, for two sizes. */
TEST(bounds_are_those_of_the_page)
{
    static const int sizes[][2] = {{64, 64}, {70, 3}};
    static const struct {
        const char *row;
        double roundings[2];
    } wanted[] = {{"tree", {13, 17}},           {"tree_2x2", {13, 15}},
                  {"tree_8x8", {13, 19}},       {"tree_rgba", {14, 14}},
                  {"cuda_naive", {12, 8}},      {"cuda_interleaved", {16, 8}},
                  {"cuda_sequential", {16, 8}}, {"cuda_first_add", {18, 9}},
                  {"cuda_unrolled", {18, 9}},   {"cuda_tiles", {55, 55}}};
    for (int i = 0; i < COUNT(sizes); i++) {
        struct qp_problem problem = reduce_problem("sum", sizes[i][0], sizes[i][1]);
        const double n = sizes[i][0] * sizes[i][1], reference = n * 0x1p-53;
        for (int k = 0; k < COUNT(wanted) + 3; k++) {
            char name[64];
            problem.field[QP_REDUCE_X].values[5] = k == 0 ? 0.25f : 1.0f / 3.0f; /* exact or not */
            problem.reference_iterations = -1;
            assert_ok(qp_problem_reference(&problem, 1, NULL));
            const double answer = 0x1p-24 * fabs(problem.reference[0]) / problem.reference_scale,
                         h = i == 0 ? 12 : 16;
            snprintf(name, sizeof name, "reduce/%s",
                     k == 0   ? "tree"
                     : k == 1 ? "openmp"
                     : k == 2 ? "compensated"
                              : wanted[k - 3].row);
            const struct qp_recipe *recipe = qp_variant_find(name)->recipe;
            const double found = recipe->tolerance(recipe, &problem),
                         most = k == 0   ? 0.0
                                : k == 1 ? g(82.1)
                                : k == 2 ? answer + 2.0 * (h + 2) * (h + 2) * 0x1p-48 + reference
                                         : g(wanted[k - 3].roundings[i]) + reference;
            if (fabs(found - most) > 1e-12 * most)
                fail_msg("%s, %g values: %g units, not %g", name, n, found * 0x1p24, most * 0x1p24);
        }
        qp_problem_destroy(&problem);
    }
}
