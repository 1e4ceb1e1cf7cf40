/* SPDX-License-Identifier: MIT */
/* The variants of reduce: answers worked out by hand, skips, costs and sentences. */
#include "support/reduce_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/engines/choose.h"
#include "toolkit/gl/context/context.h"
#include "toolkit/gl/readback.h"

/* ---- By hand ---- */

static const float by_hand_x[] = {1.0f, -2.0f, 3.0f, -4.0f, 0.5f, 4.0f};
static const float by_hand_y[] = {2.0f, 2.0f, -1.0f, 1.0f, 4.0f, 0.0f};
static const struct {
    const char *kind;
    double answer[3];
} by_hand[] = {{"sum", {2.5}},
               {"squares", {46.25}},
               {"dot", {-7.0}},
               {"max", {4.0}},
               {"index", {4.0, 0.0, 1.0}}};
static const double *wanted;

static void gives_what_is_wanted(const struct row *row)
{
    for (int k = 0; k < 4; k++) {
        struct qp_walk_desc desc = {.iterations = 1 + k / 2,
                                    .target = k % 2 ? QP_2D : QP_RECTANGLE};
        struct qp_result result;
        if (!reduce_walk(row, &desc, &result))
            return;
        for (int i = 0; i < row->problem->answer_width; i++) {
            assert_true(result.solution.values[i] == (float)wanted[i]);
            assert_true(row->problem->reference[i] == wanted[i]);
        }
        qp_matrix_destroy(&result.solution);
    }
}

CLEAN_TEST(worked_out_with_a_pencil)
{
    for (int k = 0; k < COUNT(by_hand); k++) {
        struct qp_problem problem = reduce_problem(by_hand[k].kind, 3, 2);
        memcpy(qp_problem_field(&problem, "x")->values, by_hand_x, sizeof by_hand_x);
        memcpy(qp_problem_field(&problem, "y")->values, by_hand_y, sizeof by_hand_y);
        wanted = by_hand[k].answer;
        reduce_each_row(state, &problem, gives_what_is_wanted);
        qp_problem_destroy(&problem);
    }
    support_need_context(state);
}

/* ---- Skips, costs, sentences ---- */

/* Without `precise` the compensated variant is skipped by that name, and no other variant. */
CLEAN_TEST(without_precise)
{
    struct qp_context *context = support_need_context(state);
    unsigned abilities = context->device.abilities;
    struct qp_problem problem = reduce_problem("sum", 5, 4);
    context->device.abilities &= ~(unsigned)QP_CAN_PRECISE;
    for (size_t i = 0; i < qp_variant_count(); i++) {
        const struct qp_variant *variant = qp_variant_at(i);
        struct qp_result result;
        if (strcmp(variant->op, "reduce") != 0 || variant->backend == QP_CUDA)
            continue;
        assert_ok(
            qp_walk(context, variant, &problem, &(struct qp_walk_desc){.iterations = 1}, &result));
        bool compensated = strcmp(variant->name, "reduce/compensated") == 0;
        assert_int_equal(result.verdict, compensated ? QP_SKIP : QP_PASS);
        if (compensated)
            assert_string_equal(result.reason, "this device cannot do: precise");
    }
    context->device.abilities = abilities;
    qp_problem_destroy(&problem);
}

/* A value is read once, two in a product of two; an operation each. */
TEST(costs)
{
    static const double bytes[] = {4, 4, 8, 4, 4}, flops[] = {1, 2, 2, 1, 1};
    for (int kind = 0; kind < QP_REDUCTIONS; kind++) {
        const struct qp_problem problem = {.op = &qp_op_reduce,
                                           .kind = qp_op_reduce.kinds[kind].name};
        struct qp_cost cost = qp_variant_cost_of(qp_variant_find("reduce/tree"), &problem);
        assert_true(cost.bytes == bytes[kind] && cost.flops == flops[kind]);
    }
}

TEST(wrong_uses)
{
    struct qp_problem_desc desc = {.op = "reduce", .kind = "product", .width = 3, .height = 2};
    struct qp_problem problem, jacobi;
    struct qp_result result;
    assert_int_equal(qp_problem_create(&desc, &problem), QP_BAD_USE);
    support_assert_sentence(
        "reduce has no problem 'product'; it has sum, squares, dot, max, index");
    problem = reduce_problem("sum", 3, 2);
    struct qp_walk_desc every = {.iterations = 2, .every = 1};
    assert_int_equal(qp_walk(NULL, qp_variant_find("reduce/loop"), &problem, &every, &result),
                     QP_BAD_USE);
    support_assert_sentence("reduce has no residual");
    assert_ok(qp_walk(NULL, qp_variant_find("jacobi9/openmp"), &problem,
                      &(struct qp_walk_desc){.iterations = 1}, &result));
    assert_int_equal(result.verdict, QP_SKIP);
    assert_non_null(
        strstr(result.reason, "is a variant of jacobi9, and the problem is one of reduce"));
    desc = (struct qp_problem_desc){.kind = "sum", .width = 3, .height = 2};
    assert_int_equal(qp_problem_create(&desc, &jacobi), QP_BAD_USE);
    support_assert_sentence("jacobi9 has no problem 'sum'; it has random, wraps,");
    qp_problem_destroy(&problem);
}

/* A NaN among the values is the answer, and an answer that is no number judges nothing. */
TEST(nan_is_reported)
{
    for (int k = 0; k < COUNT(by_hand); k++) {
        struct qp_result result;
        struct qp_problem problem = reduce_problem(by_hand[k].kind, 9, 5);
        qp_problem_field(&problem, "x")->values[17] = NAN;
        assert_ok(qp_walk(NULL, qp_variant_find("reduce/openmp"), &problem,
                          &(struct qp_walk_desc){.iterations = 1}, &result));
        assert_int_equal(result.verdict, QP_FAIL);
        assert_non_null(strstr(result.reason, "cell (0, 0) of reduce is nan"));
        qp_problem_destroy(&problem);
    }
}

/* An answer that is read into another buffer has the same surroundings there. */
static void reads_into_any_buffer(struct qp_plan *plan)
{
    const size_t bytes = qp_layout_bytes(&plan->layout);
    float *other = malloc(bytes);
    assert_non_null(other);
    memset(other, 0xff, bytes);
    assert_ok(plan->engine->read(plan, false, other));
    assert_memory_equal(other, plan->texels, bytes);
    free(other);
}

/* Results of warming up are gone: a pass that draws nothing, on any level, must show. */
CLEAN_TEST(levels_start_empty)
{
    struct qp_context *context = support_need_context(state);
    struct qp_walk_desc desc = {.iterations = 1};
    struct qp_plan *plan;
    struct qp_problem problem = reduce_problem("sum", 21, 18);
    assert_ok(qp_plan_create(context, qp_variant_find("reduce/tree"), &problem, &desc, &plan));
    assert_ok(qp_plan_pack(plan));
    assert_ok(plan->engine->upload(plan));
    assert_ok(plan->engine->program(plan));
    const struct qp_reducer *reducer = qp_reduce_pyramid(plan);
    assert_int_equal(reducer->top, 3);
    for (int level = 1; level <= reducer->top; level++) {
        const struct qp_texture *texture = &reducer->texture[level];
        struct qp_surface surface = {reducer->framebuffer_id[level], GL_COLOR_ATTACHMENT0};
        float texels[6 * 5];
        assert_ok(qp_readback(context, surface, texture->format, 0, 0, texture->width,
                              texture->height, texels));
        for (int i = 0; i < texture->width * texture->height; i++)
            assert_true(isnan(texels[i]));
    }
    assert_ok(plan->engine->read(plan, false, plan->texels));
    assert_true(((float *)plan->texels)[plan->layout.storage_x + 1] == 0.0f); /* the start */
    assert_ok(plan->engine->pass(plan));
    plan->engine->swap(plan);
    assert_ok(plan->engine->read(plan, false, plan->texels));
    assert_false(isnan(((float *)plan->texels)[plan->layout.storage_x + 1]));
    reads_into_any_buffer(plan);
    qp_plan_destroy(&plan);
    qp_problem_destroy(&problem);
}

GROUP(support_open_context, support_close_context)
