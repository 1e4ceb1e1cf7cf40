/* SPDX-License-Identifier: MIT */
/* reduce on the CPU, as the sweeps answer: every place, any number of threads. */
#include "support/reduce_rows.h"
#include "support/threads.h"

#include <math.h>
#include <string.h>

/* As the sweep answers, without a judge. */
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

/* The largest magnitude, a NaN or nothing but zeros, at every place: vectors, what is behind them,
 * chunks of threads. */
static void places_on_the_cpu(void **state)
{
    static const char *const names[] = {"reduce/loop", "reduce/openmp"};
    float out[3];
    (void)state;
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
static void threads_agree(void **state)
{
    float one[3], many[3];
    (void)state;
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(places_on_the_cpu),
                                       threads_test(threads_agree)};
    return cmocka_run_group_tests_name("reduce on the CPU", tests, NULL, NULL);
}
