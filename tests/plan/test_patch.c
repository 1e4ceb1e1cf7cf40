/* SPDX-License-Identifier: MIT */
/* Patches of a grid: the reference's steps there, on a window, are those on the whole grid. */
#include "support/support.h"

#include <stdlib.h>

#include "lab/ops/poisson5/poisson5.h"
#include "lab/plan/problem.h"

enum { WIDTH = 61, HEIGHT = 47 };

static const struct qp_patch patches[] = {{0, 0, WIDTH, 3},
                                          {0, HEIGHT - 3, WIDTH, 3},
                                          {WIDTH / 2 - 4, HEIGHT / 2 - 3, 9, 8},
                                          {17, 30, 1, 1},
                                          {3, 8, 5, 11},
                                          {WIDTH - 5, 20, 5, 6},
                                          {0, 0, 1, 1},
                                          {0, 0, WIDTH, HEIGHT}};

static struct qp_problem make(const char *kind, double weight)
{
    const struct qp_problem_desc desc = {.op = "poisson5",
                                         .kind = kind,
                                         .width = WIDTH,
                                         .height = HEIGHT,
                                         .weight = weight,
                                         .seed = 3};
    struct qp_problem problem;
    assert_ok(qp_problem_create(&desc, &problem));
    qp_problem_start_at_random(&problem, true);
    return problem;
}

static void assert_patch(struct qp_problem *problem, const struct qp_patch *patch, int steps,
                         int reach)
{
    double *answer, scale;
    assert_ok(qp_problem_reference(problem, steps, NULL));
    assert_ok(qp_problem_patch(problem, patch, steps, reach, NULL, &answer, &scale));
    for (int y = 0; y < patch->height; y++) {
        for (int x = 0; x < patch->width; x++) {
            const double wanted = problem->reference[(patch->y + y) * WIDTH + patch->x + x];
            if (answer[y * patch->width + x] != wanted)
                fail_msg("%s, order %d, after %d steps: (%d, %d) is %g, not %g", problem->kind,
                         problem->order, steps, patch->x + x, patch->y + y,
                         answer[y * patch->width + x], wanted);
        }
    }
    assert_true(scale > 0.0 && scale <= problem->reference_scale);
    free(answer);
}

/* Bit for bit, of all kinds and both orders, with a weight and without. */
TEST(patches_are_parts_of_the_whole)
{
    static const char *const kinds[] = {"field", "spike", "sine"};
    static const int steps[] = {1, 2, 7, 33};
    for (int k = 0; k < 3 * 2 * 2; k++) {
        struct qp_problem problem = make(kinds[k % 3], k < 6 ? 1.0 : 0.75);
        const int reach = k / 3 % 2 == 0 ? 1 : 2;
        problem.order = reach == 1 ? QP_POISSON5_TOGETHER : QP_POISSON5_RED_BLACK;
        for (size_t i = 0; i < sizeof patches / sizeof patches[0]; i++) {
            for (size_t s = 0; s < sizeof steps / sizeof steps[0]; s++)
                assert_patch(&problem, &patches[i], steps[s], reach);
        }
        qp_problem_destroy(&problem);
    }
}

/* Variants say how far their steps read; chaotic ones and blocks are judged whole. */
TEST(rows_say_how_far_they_read)
{
    static const struct {
        const char *name;
        int reach;
    } all[] = {{"poisson5/openmp", 1},         {"poisson5/sequential_double", 1},
               {"poisson5/threads_async1", 0}, {"poisson5/openmp_red_black", 2},
               {"poisson5/chaotic", 0},        {"poisson5/compute_async0", 0}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        const struct qp_variant *variant = qp_variant_find(all[i].name);
        assert_int_equal(qp_op_poisson5.runs->reach(variant->recipe), all[i].reach);
    }
    assert_null(qp_usual_runs.reach);
}

TEST(updates_are_counted)
{
    struct qp_problem problem = make("spike", 1.0);
    const struct qp_patch corner = {0, 0, 2, 2}, middle = {20, 20, 2, 2};
    assert_true(qp_patch_updates(&problem, &corner, 2, 1) == 16.0 + 9.0);
    assert_true(qp_patch_updates(&problem, &middle, 2, 1) == 36.0 + 25.0); /* from an even cell */
    assert_true(qp_patch_updates(&problem, &middle, 1, 2) == 36.0);
    qp_problem_destroy(&problem);
}

TEST(interrupts_leave_no_answer)
{
    const volatile sig_atomic_t now = 1;
    struct qp_problem problem = make("spike", 1.0);
    double *answer, scale;
    assert_int_equal(qp_problem_patch(&problem, &patches[0], 5, 1, &now, &answer, &scale),
                     QP_UNSUPPORTED);
    assert_null(answer);
    qp_problem_destroy(&problem);
}
