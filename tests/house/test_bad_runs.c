/* SPDX-License-Identifier: MIT */
/* Functions that compute, with every single bad argument; what is left is in
 * tests/house/test_bad_use.c. A variant on the CPU runs everywhere, so only what asks for a context
 * of another thread needs OpenGL. */
#include "support/refused.h"

#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 3 };

static const struct qp_variant foreign = {.name = "jacobi9/mine", .op = "jacobi9"};

/* Arguments of good calls. */
struct good {
    const struct qp_variant *variant, *variants[1];
    struct qp_problem problem, *problems[1];
    struct qp_market a;
    double b[SIZE];
};

static void make_good(struct good *good)
{
    const struct qp_problem_desc small = {.width = SIZE, .height = SIZE};
    *good = (struct good){.variant = qp_variant_find("openmp"), .b = {1.0, 1.0, 1.0}};
    good->variants[0] = good->variant;
    good->problems[0] = &good->problem;
    good->a = support_random_dense(SIZE, 1);
    assert_ok(qp_problem_create(&small, &good->problem));
}

static void drop_good(struct good *good)
{
    qp_problem_destroy(&good->problem);
    qp_market_destroy(&good->a);
    assert_no_faults();
}

/* ---- Walks ---- */

static bool go_on(void *user, int step, double largest, double norm)
{
    (void)user, (void)step, (void)largest, (void)norm;
    return true;
}

TEST(walks)
{
    static const double one = 1.0, nan = NAN;
    const struct qp_weights no_values = {NULL, 3}, no_count = {&one, 0}, below = {&one, -1},
                            spoiled = {&nan, 1};
    const struct qp_walk_desc bad[] = {
        {.iterations = -1},
        {.pingpong = (enum qp_pingpong_style)99},
        {.pingpong = (enum qp_pingpong_style) - 1},
        {.target = (enum qp_texture_target)99},
        {.target = (enum qp_texture_target)INT_MIN},
        {.group_x = 9},
        {.group_x = -1, .group_y = -1},
        {.group_x = INT_MAX, .group_y = INT_MAX},
        {.block = -1},
        {.block = INT_MIN},
        {.iterations = 1, .warm_seconds = NAN},
        {.iterations = 1, .warm_seconds = -1.0},
        {.iterations = 1, .warm_seconds = INFINITY},
        {.iterations = 1, .every = -1, .on_distance = go_on, .wanted = &one},
        {.iterations = 1, .every = 1, .on_distance = go_on},
        {.iterations = 1, .first = -1, .unchecked = true},
        {.iterations = 1, .first = 2, .unchecked = true},
        {.iterations = 2, .first = 1},
        {.iterations = 1, .weights = &no_values},
        {.iterations = 1, .weights = &no_count},
        {.iterations = 1, .weights = &below},
        {.iterations = 1, .weights = &spoiled},
        {.parts = {.count = -1}},
        {.parts = {.depth = -1}},
        {.parts = {.slow = -1}},
    };
    struct good good;
    struct qp_problem none = {0}, five;
    struct qp_result result = {.verdict = QP_PASS};
    const struct qp_variant *sweep = qp_variant_find("poisson5/openmp");
    make_good(&good);
    assert_ok(qp_problem_create(
        &(struct qp_problem_desc){.op = "poisson5", .width = SIZE, .height = SIZE}, &five));
    assert_non_null(sweep);
    for (refused_row = 0; refused_row < COUNT(bad); refused_row++) {
        result.verdict = QP_PASS;
        REFUSES(qp_walk, NULL, sweep, &five, &bad[refused_row], &result);
        HOLDS(result.verdict == QP_NO_VERDICT);
    }
    result.verdict = QP_PASS;
    REFUSES(qp_walk, NULL, NULL, &good.problem, NULL, &result);
    HOLDS(result.verdict == QP_NO_VERDICT);
    REFUSES(qp_walk, NULL, &foreign, &good.problem, NULL, &result);
    REFUSES(qp_walk, NULL, good.variant, NULL, NULL, &result);
    REFUSES(qp_walk, NULL, good.variant, &none, NULL, &result);
    REFUSES(qp_walk, NULL, good.variant, &good.problem, NULL, NULL);
    REFUSES(qp_walk, NULL, qp_variant_find("luminance"), &good.problem, NULL, &result);
    REFUSES(qp_walk, NULL, good.variant, &good.problem, &(struct qp_walk_desc){.weights = &spoiled},
            &result);
    qp_problem_destroy(&five);
    drop_good(&good);
}

TEST(benches)
{
    static const struct qp_style strange = {.pingpong = (enum qp_pingpong_style)99};
    static const struct qp_bench_desc bad[] = {
        {.iterations = -1},
        {.repeats = -1},
        {.repeats = INT_MAX},
        {.pingpong = (enum qp_pingpong_style)99},
        {.target = (enum qp_texture_target) - 1},
        {.parts = {.count = -1}},
        {.parts = {.depth = INT_MIN}},
        {.parts = {.slow = -1}},
        {.styles = &strange},
    };
    struct good good;
    struct qp_problem none = {0};
    struct qp_record record = {.verdict = QP_PASS};
    const struct qp_variant *no_row[] = {NULL}, *made_up[] = {&foreign};
    struct qp_problem *no_problem[] = {NULL}, *not_made[] = {&none};
    make_good(&good);
    for (refused_row = 0; refused_row < COUNT(bad); refused_row++) {
        record.verdict = QP_PASS;
        REFUSES(qp_bench, NULL, good.variants, good.problems, 1, &bad[refused_row], &record);
        HOLDS(record.verdict == QP_NO_VERDICT);
    }
    REFUSES(qp_bench, NULL, NULL, good.problems, 1, NULL, &record);
    REFUSES(qp_bench, NULL, good.variants, NULL, 1, NULL, &record);
    REFUSES(qp_bench, NULL, good.variants, good.problems, 1, NULL, NULL);
    REFUSES(qp_bench, NULL, good.variants, good.problems, -1, NULL, &record);
    REFUSES(qp_bench, NULL, good.variants, good.problems, INT_MIN, NULL, &record);
    REFUSES(qp_bench, NULL, no_row, good.problems, 1, NULL, &record);
    REFUSES(qp_bench, NULL, made_up, good.problems, 1, NULL, &record);
    REFUSES(qp_bench, NULL, good.variants, no_problem, 1, NULL, &record);
    REFUSES(qp_bench, NULL, good.variants, not_made, 1, NULL, &record);
    drop_good(&good);
}

/* ---- Checks and reports ---- */

static enum qp_status make(void *user, int number, int width, int height, int systems,
                           struct qp_problem *out)
{
    const struct qp_problem_desc desc = {.width = width, .height = height, .systems = systems};
    (void)user, (void)number;
    return qp_problem_create(&desc, out);
}

/* Hands out no problem and says that all is well. */
static enum qp_status make_none(void *user, int number, int width, int height, int systems,
                                struct qp_problem *out)
{
    (void)user, (void)number, (void)width, (void)height, (void)systems;
    *out = (struct qp_problem){0};
    return QP_OK;
}

TEST(checks)
{
    static const struct qp_check_desc bad[] = {
        {0},
        {.make = make_none, .width = SIZE, .height = SIZE},
        {.make = make, .problems = -1, .width = SIZE, .height = SIZE},
        {.make = make, .width = -1, .height = SIZE},
        {.make = make, .width = SIZE, .height = 0},
        {.make = make, .width = INT_MIN, .height = INT_MIN},
        {.make = make, .width = INT_MAX, .height = INT_MAX},
        {.make = make, .iterations = -1},
        {.make = make, .pingpong = (enum qp_pingpong_style)99},
        {.make = make, .target = (enum qp_texture_target) - 1},
        {.make = make, .parts = {.count = -1}},
        {.make = make, .parts = {.slow = INT_MIN}},
    };
    struct good good;
    struct qp_tally tally = {.passed = 1, .worst = {.verdict = QP_PASS}}, zero = {0};
    const struct qp_variant *no_row[] = {NULL}, *made_up[] = {&foreign};
    make_good(&good);
    for (refused_row = 0; refused_row < COUNT(bad); refused_row++) {
        REFUSES(qp_check, NULL, good.variants, 1, &bad[refused_row], &tally);
        HOLDS(qp_tally_verdict(&tally) != QP_PASS);
    }
    REFUSES(qp_check, NULL, NULL, 1, &bad[2], &tally);
    REFUSES(qp_check, NULL, good.variants, 1, NULL, &tally);
    REFUSES(qp_check, NULL, good.variants, 1, &bad[2], NULL);
    REFUSES(qp_check, NULL, good.variants, 0, &bad[2], &tally);
    REFUSES(qp_check, NULL, good.variants, -1, &bad[2], &tally);
    REFUSES(qp_check, NULL, no_row, 1, &(struct qp_check_desc){.make = make}, &tally);
    REFUSES(qp_check, NULL, made_up, 1, &(struct qp_check_desc){.make = make}, &tally);
    HOLDS(NEUTRAL(qp_tally_verdict, NULL) == QP_NO_VERDICT);
    HOLDS(NEUTRAL(qp_tally_verdict, &zero) == QP_SKIP);
    drop_good(&good);
}

TEST(reports)
{
    struct qp_tally zero = {0}, tally = {.worst = {.variant = qp_variant_at(0)}};
    FILE *out = tmpfile(), *full = fopen("/dev/full", "w");
    assert_true(out != NULL && full != NULL);
    REFUSES(qp_report_junit, NULL, &tally, 1, NULL);
    REFUSES(qp_report_junit, out, NULL, 1, NULL);
    REFUSES(qp_report_junit, out, &tally, 0, NULL);
    REFUSES(qp_report_junit, out, &tally, -1, NULL);
    REFUSES(qp_report_junit, out, &zero, 1, NULL);
    REFUSES(qp_report_junit, full, &tally, 1, NULL);
    REFUSES(qp_report_tap, NULL, &tally, 1, NULL);
    REFUSES(qp_report_tap, out, NULL, 1, NULL);
    REFUSES(qp_report_tap, out, &tally, 0, NULL);
    REFUSES(qp_report_tap, out, &tally, INT_MIN, NULL);
    REFUSES(qp_report_tap, out, &zero, 1, NULL);
    REFUSES(qp_report_tap, full, &tally, 1, NULL);
    fclose(out);
    fclose(full);
    assert_no_faults();
}

/* ---- Contexts ---- */

CLEAN_TEST(spoils)
{
    struct good good;
    struct qp_problem none = {0};
    struct qp_spoil_result result = {.made = 1};
    struct qp_context *context = support_need_context(state);
    const struct qp_variant *variant = qp_variant_find("luminance");
    const struct qp_spoil_desc below = {.iterations = -1};
    make_good(&good);
    REFUSES(qp_spoil, NULL, variant, &good.problem, NULL, &result);
    HOLDS(result.made == 0);
    REFUSES(qp_spoil, context, NULL, &good.problem, NULL, &result);
    REFUSES(qp_spoil, context, &foreign, &good.problem, NULL, &result);
    REFUSES(qp_spoil, context, good.variant, &good.problem, NULL, &result);
    REFUSES(qp_spoil, context, variant, NULL, NULL, &result);
    REFUSES(qp_spoil, context, variant, &none, NULL, &result);
    REFUSES(qp_spoil, context, variant, &good.problem, &below, &result);
    REFUSES(qp_spoil, context, variant, &good.problem, NULL, NULL);
    struct qp_disguise_result other;
    REFUSES(qp_disguise, NULL, variant, &good.problem, 1, &other);
    REFUSES(qp_disguise, context, NULL, &good.problem, 1, &other);
    REFUSES(qp_disguise, context, &foreign, &good.problem, 1, &other);
    REFUSES(qp_disguise, context, good.variant, &good.problem, 1, &other);
    REFUSES(qp_disguise, context, variant, NULL, 1, &other);
    REFUSES(qp_disguise, context, variant, &none, 1, &other);
    REFUSES(qp_disguise, context, variant, &good.problem, -1, &other);
    REFUSES(qp_disguise, context, variant, &good.problem, 1, NULL);
    REFUSES(qp_context_finish, NULL);
    drop_good(&good);
}

CLEAN_TEST(proofs)
{
    static struct qp_proof proofs[QP_PROOFS];
    struct qp_function_error error = {.ulps = 7.0};
    struct qp_context *context = support_need_context(state);
    int wrong = 7;
    REFUSES(qp_prove, NULL, proofs, 1, &wrong);
    HOLDS(wrong == -1);
    REFUSES(qp_prove, context, NULL, 1, &wrong);
    REFUSES(qp_prove, context, proofs, 1, NULL);
    REFUSES(qp_prove, context, proofs, QP_PROOFS + 1, &wrong);
    REFUSES(qp_prove, context, proofs, 0, &wrong);
    support_assert_sentence("ask for 1 to 12, and not for 0");
    REFUSES(qp_function_error, NULL, 0, &error);
    HOLDS(error.ulps == 0.0);
    REFUSES(qp_function_error, context, 0, NULL);
    REFUSES(qp_function_error, context, -1, &error);
    REFUSES(qp_function_error, context, QP_FUNCTIONS, &error);
    support_assert_sentence("numbered from 0 to 14; 15 is none of them");
    assert_no_faults();
}

/* Calls from a thread that the context does not belong to; with CUDA's, which refuse every context
 * here or there. */
static void *call_elsewhere(void *user)
{
    struct qp_context *context = user;
    struct good good;
    struct qp_result result;
    struct qp_record record;
    struct qp_tally tally;
    struct qp_solution solution;
    const struct qp_variant *variant = qp_variant_find("luminance"), *variants[] = {variant};
    const struct qp_check_desc check = {.make = make, .width = SIZE, .height = SIZE};
    make_good(&good);
    REFUSES(qp_walk, context, variant, &good.problem, NULL, &result);
    HOLDS(result.verdict == QP_NO_VERDICT);
    REFUSES(qp_bench, context, variants, good.problems, 1, NULL, &record);
    HOLDS(record.verdict == QP_NO_VERDICT);
    REFUSES(qp_check, context, variants, 1, &check, &tally);
    HOLDS(qp_tally_verdict(&tally) != QP_PASS);
    REFUSES(qp_solve, context, &good.a, NULL, NULL, &(struct qp_solve_desc){.variant = variant},
            &solution);
    HOLDS(solution.ending == QP_NO_ENDING);
    REFUSES(qp_cuda_use, context, NULL);
    REFUSES(qp_spoil, context, variant, &good.problem, NULL, &(struct qp_spoil_result){0});
    REFUSES(qp_context_finish, context);
    REFUSES(qp_prove, context, &(struct qp_proof){0}, 1, &(int){0});
    REFUSES(qp_function_error, context, 0, &(struct qp_function_error){0});
    qp_problem_destroy(&good.problem);
    qp_market_destroy(&good.a);
    return NULL;
}

CLEAN_TEST(other_threads)
{
    pthread_t thread;
    struct qp_context *context = support_need_context(state);
    assert_int_equal(pthread_create(&thread, NULL, call_elsewhere, context), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_no_faults();
}

/* Handles of CUDA are never made without it, so only NULL and counts are bad there. */
CLEAN_TEST(shared_objects)
{
    static const struct qp_shared_desc bad[] = {
        {0},
        {.texture = 99999},
        {.buffer = 99999},
        {.texture = 1, .buffer = 1},
        {.texture = 1, .target = (enum qp_texture_target)99},
        {.buffer = 1, .access = 99}};
    struct qp_context *context = support_need_context(state);
    struct qp_shared *shared = NULL, *none[] = {NULL};
    struct qp_shared_view view = {.width = 7};
    for (refused_row = 0; refused_row < COUNT(bad); refused_row++) {
        REFUSES(qp_shared_create, context, &bad[refused_row], &shared);
        HOLDS(shared == NULL);
    }
    REFUSES(qp_cuda_use, NULL, NULL);
    REFUSES(qp_shared_create, NULL, &bad[1], &shared);
    REFUSES(qp_shared_create, context, NULL, &shared);
    REFUSES(qp_shared_create, context, &bad[1], NULL);
    REFUSES(qp_shared_map, NULL, 1, NULL);
    REFUSES(qp_shared_map, none, 1, NULL);
    REFUSES(qp_shared_map, none, -1, NULL);
    REFUSES(qp_shared_map, none, INT_MAX, NULL);
    REFUSES(qp_shared_unmap, NULL, 1, NULL);
    REFUSES(qp_shared_unmap, none, 1, NULL);
    REFUSES(qp_shared_unmap, none, -1, NULL);
    REFUSES(qp_shared_unmap, none, INT_MAX, NULL);
    REFUSES(qp_shared_look, NULL, &view);
    HOLDS(view.width == 0);
    REFUSES(qp_shared_look, NULL, NULL);
    NEUTRAL(qp_shared_destroy, NULL);
    NEUTRAL(qp_shared_destroy, &shared);
    assert_no_faults();
}

GROUP(support_open_context, support_close_context)
