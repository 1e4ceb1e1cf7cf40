/* SPDX-License-Identifier: MIT */
/* Chaotic relaxation again and again, in processes of their own with other numbers of threads
 * (llvmpipe reads LP_NUM_THREADS once), other places of the grid in the tiles of 64 x 64 texels
 * that threads take, and with or without load on the cores: every answer lies between Jacobi and
 * the solution, and the spread is printed. */
#include "support/support.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lab/ops/poisson5/poisson5.h"
#include "lab/plan/op.h"
#include "support/poisson.h"

enum { WIDTH = 150, HEIGHT = 90, CELLS = WIDTH * HEIGHT, STEPS = 100, MOST_RUNS = 24 };

/* Results of a run. */
struct found {
    enum qp_verdict verdict;
    int steps; /* to a residual of so much */
    float answer[CELLS];
};

static double enough(void)
{
    return support_takes_long() ? 0.5 : 0.9;
}

static struct qp_problem make(void)
{
    const struct qp_problem_desc desc = {
        .op = "poisson5", .kind = "sine", .width = WIDTH, .height = HEIGHT};
    struct qp_problem problem;
    assert_ok(qp_problem_create(&desc, &problem));
    return problem;
}

/* ---- A run in a process of its own ---- */

/* A fixed number of steps, judged; and as many as it takes. */
static enum qp_status run(struct qp_context *context, int pads, struct found *found)
{
    struct qp_variant variant = *qp_variant_find("poisson5/chaotic");
    struct qp_recipe recipe = *variant.recipe;
    struct qp_problem problem = make();
    struct heard heard = {.enough = enough()};
    struct qp_walk_desc desc = {.iterations = STEPS, .keep_solution = true};
    struct qp_result result;
    recipe.state.pad_x += pads;
    recipe.state.pad_y += 3 * pads;
    recipe.input[0].shape = recipe.state;
    variant.recipe = &recipe;
    enum qp_status status = qp_walk(context, &variant, &problem, &desc, &result);
    found->verdict = result.verdict;
    if (status == QP_OK && result.verdict == QP_PASS)
        memcpy(found->answer, result.solution.values, sizeof found->answer);
    qp_matrix_destroy(&result.solution);
    desc = (struct qp_walk_desc){.iterations = 1 << 16,
                                 .unchecked = true,
                                 .every = 1,
                                 .on_residual = poisson_hear,
                                 .user = &heard};
    if (status == QP_OK)
        status = qp_walk(context, &variant, &problem, &desc, &result);
    found->steps = result.iterations;
    qp_problem_destroy(&problem);
    return status;
}

/* Writes what it found to standard output. */
SCENE(child)
{
    const int pads = words[0] != NULL ? atoi(words[0]) : 0;
    struct qp_context *context;
    struct found *found = calloc(1, sizeof *found);
    bool good = found != NULL && qp_context_create(NULL, &context) == QP_OK;
    if (good) {
        good = run(context, pads, found) == QP_OK && fwrite(found, sizeof *found, 1, stdout) == 1;
        qp_context_destroy(&context);
    }
    free(found);
    return good ? 0 : 1;
}

static void start_child(int threads, int pads, struct found *found)
{
    char self[512] = "", line[1024];
    assert_true(readlink("/proc/self/exe", self, sizeof self - 1) > 0);
    snprintf(line, sizeof line, "LP_NUM_THREADS=%d '%s' child %d", threads, self, pads);
    FILE *child = popen(line, "r");
    assert_non_null(child);
    assert_int_equal(fread(found, sizeof *found, 1, child), 1);
    assert_int_equal(pclose(child), 0);
    assert_int_equal(found->verdict, QP_PASS);
}

/* ---- Load ---- */

static atomic_bool loaded;

static void *turn(void *nothing)
{
    volatile double number = 1.0;
    while (loaded)
        number = number * 1.0000001 + 1e-9;
    return nothing;
}

/* ---- The spread ---- */

static int compare_steps(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static struct found found;
static float least[CELLS], most[CELLS];
static int steps[MOST_RUNS];

static void take(int i)
{
    steps[i] = found.steps;
    for (int k = 0; k < CELLS; k++) {
        least[k] = i == 0 ? found.answer[k] : fminf(least[k], found.answer[k]);
        most[k] = i == 0 ? found.answer[k] : fmaxf(most[k], found.answer[k]);
    }
}

static void tell(int runs, int jacobi)
{
    float spread = 0.0f, largest = 0.0f;
    for (int k = 0; k < CELLS; k++) {
        spread = fmaxf(spread, most[k] - least[k]);
        largest = fmaxf(largest, most[k]);
    }
    qsort(steps, (size_t)runs, sizeof steps[0], compare_steps);
    print_message("%d runs: after %d steps they differ by %.2g of the largest value at most; to a "
                  "residual of %g took %d steps at least, %d in the middle, %d at most; Jacobi "
                  "takes %d\n",
                  runs, STEPS, (double)(spread / largest), enough(), steps[0], steps[runs / 2],
                  steps[runs - 1], jacobi);
}

/* Jacobi shrinks the residual on `sine` by its radius a step. No order of updates leaves a larger
 * error in any cell, which each run's judge has seen to; residuals may be a little larger at first,
 * where stamps and tiles that ran ahead of others meet them. */
CLEAN_TEST(runs_differ_and_are_right)
{
    static const int threads[] = {0, 2, 3, 1, 4, 8};
    struct qp_context *context = support_need_context(state);
    const int runs = support_takes_long() ? MOST_RUNS : 3;
    struct qp_problem problem = make();
    const int jacobi = (int)ceil(log(enough()) / log(qp_poisson5_radius(&problem)));
    qp_problem_destroy(&problem);
    if (qp_variant_find("poisson5/chaotic")->needs & ~qp_context_device(context)->abilities)
        skip();
    for (int i = 0; i < runs; i++) {
        pthread_t load[2];
        loaded = i / COUNT(threads) % 2 == 1;
        for (int k = 0; k < 2 && loaded; k++)
            assert_int_equal(pthread_create(&load[k], NULL, turn, NULL), 0);
        const bool joins = loaded;
        start_child(threads[i % COUNT(threads)], i % 7, &found);
        loaded = false;
        for (int k = 0; k < 2 && joins; k++)
            assert_int_equal(pthread_join(load[k], NULL), 0);
        take(i);
    }
    tell(runs, jacobi);
    assert_true(steps[0] > jacobi / 8 && steps[runs - 1] <= jacobi + jacobi / 8);
}

GROUP(support_open_context, support_close_context)
