/* SPDX-License-Identifier: MIT */
/* Callers' mistakes: NULL where something is needed, numbers that name nothing. Each is refused
 * with a sentence before anything is computed, and nothing that was left empty reads as good. No
 * OpenGL is needed here. */
#include "support/support.h"

#include <math.h>
#include <string.h>

/* ---- NULL ---- */

TEST(null_is_refused)
{
    struct qp_market a = support_random_dense(2, 1), unread = {.rows = 7};
    struct qp_problem problem;
    struct qp_problem_desc small = {.width = 3, .height = 3};
    const struct qp_variant *variant = qp_variant_find("openmp"), *variants[] = {variant};
    struct qp_problem *problems[] = {&problem};
    struct qp_result result;
    struct qp_record record;
    struct qp_tally tally;
    assert_ok(qp_problem_create(&small, &problem));
    const enum qp_status answers[] = {
        qp_context_create(NULL, NULL),
        qp_matrix_create(1, 1, NULL),
        qp_market_read(NULL, &unread),
        qp_market_read("-", NULL),
        qp_market_write(NULL, 1, 1, &(double){1.0}),
        qp_market_write("-", 1, 1, NULL),
        qp_problem_create(&small, NULL),
        qp_problem_from_market(&a, 0, 0, NULL),
        qp_problem_dense_from_market(&a, NULL, 1, NULL),
        qp_variant_takes(NULL, &problem),
        qp_variant_takes(variant, NULL),
        qp_variant_takes(variant, &(struct qp_problem){0}),
        qp_walk(NULL, NULL, &problem, NULL, &result),
        qp_walk(NULL, variant, NULL, NULL, &result),
        qp_walk(NULL, variant, &problem, NULL, NULL),
        qp_walk(NULL, qp_variant_find("luminance"), &problem, NULL, &result),
        qp_bench(NULL, NULL, problems, 1, NULL, &record),
        qp_bench(NULL, variants, NULL, 1, NULL, &record),
        qp_bench(NULL, variants, problems, 1, NULL, NULL),
        qp_check(NULL, NULL, 1, &(struct qp_check_desc){0}, &tally),
        qp_check(NULL, variants, 1, NULL, &tally),
        qp_check(NULL, variants, 1, &(struct qp_check_desc){0}, NULL),
        qp_solve(NULL, &a, NULL, NULL, NULL, NULL),
        qp_solve_dense(NULL, &a, NULL, 1, NULL, NULL),
        qp_invert(NULL, &a, NULL, NULL),
        qp_solve_system(NULL, &a, NULL, 1, NULL, NULL, NULL),
        qp_trial_create(&(struct qp_trial_desc){0}, &(struct qp_kernel_desc){0}, NULL),
        qp_trial_add(NULL, NULL, NULL),
        qp_shared_create(NULL, NULL, NULL),
        qp_shared_look(NULL, NULL),
        qp_trial_problem(NULL, 1, 1, 1, NULL),
    };
    for (int i = 0; i < COUNT(answers); i++) {
        if (answers[i] != QP_BAD_USE)
            fail_msg("call %d answers %d", i, (int)answers[i]);
    }
    assert_non_null(strstr(qp_error(), "qp_trial_problem: 'out' is NULL"));
    qp_problem_destroy(&problem);
    assert_int_equal(unread.rows, 0);
    qp_market_destroy(&a);
}

TEST(null_has_a_harmless_answer)
{
    struct qp_problem none = {0};
    assert_null(qp_context_device(NULL));
    support_assert_sentence("qp_context_device: 'context' is NULL");
    assert_int_equal(qp_context_counters(NULL).passes, 0);
    assert_false(qp_context_is_lost(NULL));
    assert_null(qp_variant_find(NULL));
    assert_false(qp_variant_matches(NULL, "*"));
    assert_false(qp_variant_matches(qp_variant_at(0), NULL));
    assert_int_equal(qp_variant_systems(NULL), 1);
    assert_false(qp_variant_is_bound(NULL));
    assert_null(qp_variant_library(NULL));
    assert_true(qp_variant_cost(NULL).bytes == 0.0);
    assert_null(qp_problem_field(NULL, "x"));
    assert_null(qp_problem_field(&none, "x"));
    assert_null(qp_problem_field(&none, NULL));
    assert_true(isnan(qp_problem_weight(NULL)) && isnan(qp_problem_weight(&none)));
    assert_false(qp_problem_has_grid(NULL));
    assert_int_equal(qp_tally_verdict(NULL), QP_NO_VERDICT);
    assert_true(qp_dense_side(NULL, 0).ending == QP_NO_ENDING);
    assert_true(qp_dense_side(&(struct qp_dense_solution){.sides = 1}, 1).ending == QP_NO_ENDING);
}

/* Digits of a side are known where the condition is, which is 1 at least. */
TEST(sides_of_an_elimination)
{
    double residual = 1e-9, error = 2e-7;
    struct qp_dense_solution known = {.sides = 1,
                                      .residuals = &residual,
                                      .errors = &error,
                                      .tolerance = 1e-9,
                                      .condition = 1.0,
                                      .regular = true};
    const struct qp_side side = qp_dense_side(&known, 0);
    assert_true(side.condition == 1.0 && side.residual == residual);
    assert_int_equal(side.digits, 6);
    assert_int_equal(side.ending, QP_CONVERGED);
    known.condition = 0.0;
    assert_true(isnan(qp_dense_side(&known, 0).condition));
    assert_int_equal(qp_dense_side(&known, 0).digits, -1);
}

/* NULL in place of a description means all defaults. */
TEST(null_is_the_default)
{
    struct qp_problem_desc small = {.width = 3, .height = 3};
    struct qp_problem problem;
    struct qp_problem *problems[] = {&problem};
    const struct qp_variant *variants[] = {qp_variant_find("openmp")};
    struct qp_result result;
    struct qp_record record;
    assert_int_equal(qp_problem_create(NULL, &problem), QP_BAD_USE);
    support_assert_sentence("0 x 0 cells");
    assert_ok(qp_problem_create(&small, &problem));
    assert_ok(qp_walk(NULL, variants[0], &problem, NULL, &result));
    assert_true(result.verdict == QP_PASS && result.iterations == 0);
    assert_ok(qp_bench(NULL, variants, problems, 1, NULL, &record));
    assert_true(record.verdict == QP_PASS && record.iterations == 200);
    qp_problem_destroy(&problem);
}

/* ---- Numbers ---- */

TEST(numbers_that_name_nothing)
{
    static const int strange[] = {-1, 99, INT32_MAX, INT32_MIN};
    for (int i = 0; i < COUNT(strange); i++) {
        assert_string_equal(qp_stage_name((enum qp_stage)strange[i]), "none");
        assert_string_equal(qp_verdict_name((enum qp_verdict)strange[i]), "none");
        assert_string_equal(qp_pingpong_name((enum qp_pingpong_style)strange[i]), "none");
        assert_string_equal(qp_target_name((enum qp_texture_target)strange[i]), "none");
        assert_string_equal(qp_backend_name((enum qp_backend)strange[i]), "none");
        assert_string_equal(qp_method_name((enum qp_method)strange[i]), "none");
        assert_string_equal(qp_ending_name((enum qp_ending)strange[i]), "none");
        assert_string_equal(qp_ability_name(strange[i]), "none");
    }
    assert_string_equal(qp_verdict_name(QP_BOUND), "bound");
    assert_string_equal(qp_ending_name(QP_INTERRUPTED), "interrupted");
    assert_string_equal(qp_method_name(QP_ELIMINATION), "elimination");
    assert_null(qp_variant_at(qp_variant_count()));
}

TEST(descriptions_that_make_no_sense)
{
    static const struct qp_walk_desc walks[] = {{.iterations = -1},
                                                {.target = (enum qp_texture_target)9},
                                                {.pingpong = 77},
                                                {.target = (enum qp_texture_target) - 1},
                                                {.block = -4},
                                                {.group_x = 9},
                                                {.group_x = -1},
                                                {.group_x = 64, .group_y = 17},
                                                {.group_x = 1 << 30, .group_y = 1 << 30}};
    static const struct qp_bench_desc benches[] = {
        {.iterations = -1}, {.repeats = -1}, {.repeats = 1001}, {.target = QP_TEXTURE_TARGETS}};
    static const struct qp_solve_desc solves[] = {
        {.most_steps = -1}, {.width = 3},    {.width = -3, .height = -1},   {.pingpong = 4},
        {.tolerance = NAN}, {.weight = 3.0}, {.target = QP_TEXTURE_TARGETS}};
    struct qp_problem_desc small = {.width = 3, .height = 3};
    struct qp_problem problem;
    struct qp_problem *problems[] = {&problem};
    const struct qp_variant *variants[] = {qp_variant_find("openmp")};
    struct qp_result result;
    struct qp_record record;
    struct qp_solution solution;
    struct qp_answer answer;
    struct qp_dense_solution dense;
    struct qp_market a = support_random_dense(3, 1);
    assert_ok(qp_problem_create(&small, &problem));
    for (int i = 0; i < COUNT(walks); i++) {
        assert_int_equal(qp_walk(NULL, variants[0], &problem, &walks[i], &result), QP_BAD_USE);
        assert_int_equal(result.verdict, QP_NO_VERDICT);
    }
    for (int i = 0; i < COUNT(benches); i++) {
        assert_int_equal(qp_bench(NULL, variants, problems, 1, &benches[i], &record), QP_BAD_USE);
        assert_int_equal(record.verdict, QP_NO_VERDICT);
    }
    for (int i = 0; i < COUNT(solves); i++) {
        assert_int_equal(qp_solve(NULL, &a, NULL, NULL, &solves[i], &solution), QP_BAD_USE);
        assert_int_equal(qp_solve_system(NULL, &a, NULL, 1, NULL, &solves[i], &answer), QP_BAD_USE);
    }
    assert_int_equal(
        qp_solve_dense(NULL, &a, NULL, 1, &(struct qp_dense_desc){.pingpong = 4}, &dense),
        QP_BAD_USE);
    qp_market_destroy(&a);
    qp_problem_destroy(&problem);
    small.systems = -1;
    assert_int_equal(qp_problem_create(&small, &problem), QP_BAD_USE);
    small =
        (struct qp_problem_desc){.op = "gauss_jordan", .width = 3, .height = 3, .condition = NAN};
    assert_int_equal(qp_problem_create(&small, &problem), QP_BAD_USE);
}

/* A caller who looks at the verdict first does not read "pass". */
TEST(what_is_empty_is_not_good)
{
    struct qp_result result = {0};
    struct qp_solution solution = {0};
    assert_string_equal(qp_verdict_name(result.verdict), "none");
    assert_string_equal(qp_ending_name(solution.ending), "none");
    result.verdict = QP_PASS;
    assert_int_equal(qp_walk(NULL, qp_variant_find("luminance"), NULL, NULL, &result), QP_BAD_USE);
    assert_string_equal(qp_verdict_name(result.verdict), "none");
}
