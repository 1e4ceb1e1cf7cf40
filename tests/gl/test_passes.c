/* SPDX-License-Identifier: MIT */
/* Lists of passes: drawn in order, with the values of the time when they were listed, in every
 * style of ping-pong; and not at all once one of them has failed. */
/* wrap: faults.c */
#include "support/support.h"

#include "support/faults.h"
#include "toolkit/gl/context/context.h"
#include "toolkit/gl/passes.h"

enum { X, ADDED, NAMES };

static const struct qp_uniform names[NAMES + 1] = {{"x", QP_SAMPLER, 0}, {"added", QP_FLOAT, 2}};

static const char adding[] = "#version 120\n"
                             "#extension GL_ARB_texture_rectangle : require\n"
                             "uniform sampler2DRect x;\n"
                             "uniform float added[2];\n"
                             "void main()\n"
                             "{\n"
                             "    float old = texture2DRect(x, vec2(0.5)).r;\n"
                             "    gl_FragColor = vec4(10.0 * old + added[0] + added[1]);\n"
                             "}\n";

static void open_pair(struct qp_context *context, int style, struct qp_step *step,
                      struct qp_pingpong *out)
{
    const struct qp_layout layout = qp_layout_make((struct qp_shape){.format = QP_R32F}, 1, 1, 1);
    const struct qp_program_source source = {.fragment = {.name = "add.frag", .text = adding},
                                             .target = GL_TEXTURE_RECTANGLE_ARB};
    const float zero[64] = {0.0f};
    assert_in_range(qp_layout_values(&layout), 1, COUNT(zero));
    assert_ok(qp_step_make(context, &source, names, step));
    assert_ok(qp_pingpong_create(context, (enum qp_pingpong_style)style, GL_TEXTURE_RECTANGLE_ARB,
                                 &layout, zero, zero, out));
}

/* Two numbers for each digit, which is their sum. */
static const double digits[][2] = {{0, 0}, {0.5, 0.5}, {1, 1}, {2, 1}, {4, 0}, {0, 5}};

/* Lists x := 10 x + digit, and a swap. */
static void list_digit(struct qp_passes *list, const struct qp_step *step, struct qp_pingpong *pair,
                       int digit)
{
    const double *added = digits[digit];
    const struct qp_step_value values[NAMES] = {
        [X] = {.texture = qp_pingpong_source(pair)}, [ADDED] = {.list = added}};
    qp_passes_add(list, &(struct qp_gl_pass){.step = step,
                                             .values = values,
                                             .surface = qp_passes_target(list, pair),
                                             .width = 1,
                                             .height = 1,
                                             .geometry = qp_quad(0.0f, 0.0f, 1.0f, 1.0f)});
    qp_passes_swap(list, pair);
}

static float read_source(const struct qp_pingpong *pair)
{
    float texels[64];
    assert_ok(qp_pingpong_read(pair, false, texels));
    return texels[0];
}

CLEAN_TEST(passes_are_drawn_in_order)
{
    struct qp_context *context = support_need_context(state);
    struct qp_passes *list = qp_passes_of(context);
    assert_non_null(list);
    for (int style = 0; style < QP_PINGPONG_STYLES; style++) {
        struct qp_pingpong pair;
        struct qp_step step;
        open_pair(context, style, &step, &pair);
        for (int digit = 1; digit <= 5; digit++)
            list_digit(list, &step, &pair, digit);
        const size_t drawn = qp_context_counters(context).passes;
        assert_ok(qp_passes_run(context, list));
        assert_int_equal(qp_context_counters(context).passes - drawn, 5);
        assert_float_equal(read_source(&pair), 12345.0f, 0.0f);
        assert_ok(qp_passes_run(context, list)); /* it is empty */
        assert_int_equal(qp_context_counters(context).passes - drawn, 5);
        qp_pingpong_destroy(&pair);
    }
}

/* Nothing of a list is drawn that one pass had no memory for, and the next list is whole again. */
CLEAN_TEST(a_list_without_memory_is_not_drawn)
{
    struct qp_context *context = support_need_context(state);
    struct qp_pingpong pair;
    struct qp_step step;
    open_pair(context, QP_TWO_ATTACHMENTS, &step, &pair);
    qp_passes_destroy(&context->passes);
    faults_arm(FAULT_MEMORY, 1);
    assert_null(qp_passes_of(context));
    faults_disarm();
    struct qp_passes *list = qp_passes_of(context);
    assert_non_null(list);
    const size_t drawn = qp_context_counters(context).passes;
    list_digit(list, &step, &pair, 1);
    faults_arm(FAULT_MEMORY, 1);
    for (int i = 0; i < 9; i++)
        list_digit(list, &step, &pair, 2);
    assert_true(faults_disarm() > 0);
    assert_int_equal(list->status, QP_NO_MEMORY);
    assert_int_equal(qp_passes_run(context, list), QP_NO_MEMORY);
    assert_int_equal(qp_context_counters(context).passes, drawn);
    list_digit(list, &step, &pair, 3);
    assert_ok(qp_passes_run(context, list));
    assert_float_equal(read_source(&pair), 3.0f, 0.0f);
    qp_pingpong_destroy(&pair);
}

GROUP(faults_open_context, support_close_context)
