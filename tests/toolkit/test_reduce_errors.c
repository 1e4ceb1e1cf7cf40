/* SPDX-License-Identifier: MIT */
/* Every wrong argument of a reduction is a sentence, and changes nothing. */
#include "support/cells.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>

/* ---- Descriptions ---- */

CLEAN_TEST(descriptions)
{
    struct qp_context *context = support_need_context(state);
    const int limit = qp_context_device(context)->rectangle_limit;
    const struct qp_array_desc of = {.width = 5, .height = 4, .channels = 2},
                               ints = {.width = 5, .height = 4, .type = QP_ARRAY_INT};
    const char *const one = "float map(vec2 here) { return 1.0; }";
    const struct {
        struct qp_reduction_desc desc;
        const char *words;
        enum qp_status status; /* QP_OK means QP_BAD_USE */
    } bad[] = {
        {{.what = (enum qp_reduce_what)9, .of = of}, "enum qp_reduce_what", QP_OK},
        {{.what = (enum qp_reduce_what) - 1, .of = of}, "enum qp_reduce_what", QP_OK},
        {{.of = {.width = 0, .height = 4}}, "0 x 4", QP_OK},
        {{.of = {.width = 4, .height = -1}}, "4 x -1", QP_OK},
        {{.of = {.width = 4, .height = 4, .channels = 3}}, "3 channels", QP_OK},
        {{.of = {.width = 4, .height = 4, .type = (enum qp_array_type)7}}, "type", QP_OK},
        {{.of = {.width = limit + 1, .height = 1}}, "rectangle_limit", QP_UNSUPPORTED},
        {{.of = of, .channel = 2}, "channel 2", QP_OK},
        {{.of = of, .channel = -1}, "channel -1", QP_OK},
        {{.of = {.width = 4, .height = 4}, .channel = 1}, "channel 1", QP_OK},
        {{.of = of, .map = one, .channel = 1}, "channel 1", QP_OK},
        {{.of = of, .map = one, .what = QP_REDUCE_DOT}, "dot product", QP_OK},
        {{.of = of, .input = {{"x", QP_ARRAY_FLOAT, 1, 0}}}, "no map", QP_OK},
        {{.of = of, .number = {{"w", QP_NUMBER_FLOAT, 0}}}, "no map", QP_OK},
        {{.of = of, .compensated = true, .what = QP_REDUCE_MAX}, "exact", QP_OK},
        {{.of = of, .compensated = true, .what = QP_REDUCE_MIN_PLACE}, "exact", QP_OK},
        {{.of = ints, .compensated = true}, "integers", QP_OK},
        {{.of = ints, .compensated = true, .what = QP_REDUCE_NORM_1}, "integers", QP_OK},
        {{.of = of, .map = "float map(vec2 here) { return y_cell(here); }"},
         "y_cell",
         QP_BAD_INPUT},
        {{.of = of, .map = "float other(vec2 here) { return 1.0; }"}, "map", QP_BAD_INPUT},
        {{.of = of, .map = ""}, "map", QP_BAD_INPUT},
        {{.of = of, .map = one, .input = {{"qp_x", QP_ARRAY_FLOAT, 1, 0}}}, "qp_x", QP_OK},
    };
    for (int i = 0; i < COUNT(bad); i++) {
        struct qp_reduction *reduction = (struct qp_reduction *)context;
        const enum qp_status wanted = bad[i].status != QP_OK ? bad[i].status : QP_BAD_USE;
        const enum qp_status got = qp_reduction_create(context, &bad[i].desc, &reduction);
        if (got != wanted)
            fail_msg("description %d: code %d, not %d: %s", i, (int)got, (int)wanted, qp_error());
        support_assert_sentence(bad[i].words);
        assert_null(reduction);
    }
}

CLEAN_TEST(nothing_where_something_is_needed)
{
    struct qp_context *context = support_need_context(state);
    const struct qp_reduction_desc desc = {.of = {.width = 2, .height = 2}};
    struct qp_reduction *reduction;
    assert_int_equal(qp_reduction_create(NULL, &desc, &reduction), QP_BAD_USE);
    support_assert_sentence("context");
    assert_int_equal(qp_reduction_create(context, NULL, &reduction), QP_BAD_USE);
    support_assert_sentence("desc");
    assert_int_equal(qp_reduction_create(context, &desc, NULL), QP_BAD_USE);
    support_assert_sentence("out");
    qp_reduction_destroy(NULL);
    qp_reduction_destroy(&reduction);
}

/* ---- Runs ---- */

struct scene {
    struct qp_array *x, *y, *larger, *ints, *wide, *one, *row;
    struct qp_reduction *sum, *dot, *map;
};

static struct qp_array *make(struct qp_context *context, int width, int height, int channels,
                             enum qp_array_type type)
{
    const struct qp_array_desc desc = {
        .width = width, .height = height, .channels = channels, .type = type};
    struct qp_array *array;
    assert_ok(qp_array_create(context, &desc, NULL, &array));
    return array;
}

static void set_up(struct qp_context *context, struct scene *s)
{
    const struct qp_array_desc of = {.width = 4, .height = 3, .channels = 1};
    const struct qp_reduction_desc sum = {.of = of}, dot = {.of = of, .what = QP_REDUCE_DOT},
                                   map = {.of = of,
                                          .map =
                                              "float map(vec2 here) { return w * x_cell(here); }",
                                          .input = {{"x", QP_ARRAY_FLOAT, 1, 0}},
                                          .number = {{"w", QP_NUMBER_FLOAT, 0}}};
    s->x = make(context, 4, 3, 1, QP_ARRAY_FLOAT);
    s->y = make(context, 4, 3, 1, QP_ARRAY_FLOAT);
    s->larger = make(context, 5, 3, 1, QP_ARRAY_FLOAT);
    s->ints = make(context, 4, 3, 1, QP_ARRAY_INT);
    s->wide = make(context, 4, 3, 2, QP_ARRAY_FLOAT);
    s->one = make(context, 1, 1, 1, QP_ARRAY_FLOAT);
    s->row = make(context, 1, 2, 1, QP_ARRAY_FLOAT);
    assert_ok(qp_reduction_create(context, &sum, &s->sum));
    assert_ok(qp_reduction_create(context, &dot, &s->dot));
    assert_ok(qp_reduction_create(context, &map, &s->map));
}

static void tear_down(struct scene *s)
{
    struct qp_array **arrays[] = {&s->x, &s->y, &s->larger, &s->ints, &s->wide, &s->one, &s->row};
    for (int i = 0; i < COUNT(arrays); i++)
        qp_array_destroy(arrays[i]);
    qp_reduction_destroy(&s->sum);
    qp_reduction_destroy(&s->dot);
    qp_reduction_destroy(&s->map);
}

CLEAN_TEST(runs)
{
    struct qp_context *context = support_need_context(state);
    struct scene s;
    set_up(context, &s);
    const struct qp_pass_number w[] = {{.name = "w", .value = {1.0}}, {0}},
                                twice[] = {{.name = "w"}, {.name = "w"}, {0}},
                                other[] = {{.name = "v"}, {0}};
    const struct {
        struct qp_reduction *reduction;
        struct qp_pass_input input[3];
        const struct qp_pass_number *number;
        const char *words;
    } bad[] = {
        {NULL, {{"x", s.x}}, NULL, "'reduction'"},
        {(struct qp_reduction *)s.x, {{"x", s.x}}, NULL, "'reduction'"},
        {s.sum, {{NULL, NULL}}, NULL, "'x' of a reduction is missing"},
        {s.sum, {{"x", NULL}}, NULL, "'x' is NULL"},
        {s.sum, {{"z", s.x}}, NULL, "a reduction has no input 'z'; it reads 'x'"},
        {s.sum, {{"x", s.x}, {"y", s.y}}, NULL, "a reduction has no input 'y'; it reads 'x'"},
        {s.sum, {{"x", s.x}, {"x", s.y}}, NULL, "given twice"},
        {s.sum,
         {{"x", s.larger}},
         NULL,
         "'x' has 5 x 3 cells, and the reduction was made for 4 x 3"},
        {s.sum, {{"x", s.ints}}, NULL, "qp_array_describe"},
        {s.sum, {{"x", s.wide}}, NULL, "qp_array_describe"},
        {s.sum, {{"x", (struct qp_array *)s.sum}}, NULL, "'x' is not an array"},
        {s.sum, {{"x", s.x}}, w, "a reduction without a map has no number 'w'"},
        {s.dot, {{"x", s.x}}, NULL, "input 'y' of a reduction is missing"},
        {s.dot, {{"z", s.x}}, NULL, "a reduction has no input 'z'; it reads 'x' and 'y'"},
        {s.dot, {{"y", s.x}, {"y", s.x}}, NULL, "input 'y' is given twice"},
        {s.dot, {{"y", s.x}}, NULL, "'x' of a reduction is missing"},
        {s.dot, {{"x", s.x}, {"y", s.larger}}, NULL, "'y' has 5 x 3"},
        {s.map, {{NULL, NULL}}, w, "'x'"},
        {s.map, {{"x", s.x}}, NULL, "'w'"},
        {s.map, {{"x", s.x}}, other, "'v'"},
        {s.map, {{"x", s.x}}, twice, "'w' is given twice"},
        {s.map, {{"x", s.ints}}, w, "'x'"},
    };
    for (int i = 0; i < COUNT(bad); i++) {
        struct qp_reduced got = {1.0, 2, 3};
        assert_int_equal(qp_reduce(bad[i].reduction, bad[i].input, bad[i].number, &got),
                         QP_BAD_USE);
        support_assert_sentence(bad[i].words);
        assert_true(isnan(got.value) && got.x == 0 && got.y == 0);
        assert_int_equal(qp_reduce_to(bad[i].reduction, bad[i].input, bad[i].number, s.one),
                         QP_BAD_USE);
        support_assert_sentence(bad[i].words);
    }
    const struct qp_pass_input input[] = {{"x", s.x}, {NULL, NULL}};
    assert_int_equal(qp_reduce(s.sum, NULL, NULL, NULL), QP_BAD_USE);
    assert_int_equal(qp_reduce_to(s.sum, input, NULL, NULL), QP_BAD_USE);
    support_assert_sentence("'out' is NULL");
    assert_int_equal(qp_reduce_to(s.sum, input, NULL, s.row), QP_BAD_USE);
    support_assert_sentence("1 x 2 cells of 1 floats, and this reduction's answer is 1 x 1");
    tear_down(&s);
}

/* An answer on the device has one cell, of its own type and channels. */
CLEAN_TEST(answers_have_one_cell)
{
    struct qp_context *context = support_need_context(state);
    struct scene s;
    struct qp_reduction *place;
    set_up(context, &s);
    assert_ok(qp_reduction_create(
        context,
        &(struct qp_reduction_desc){.what = QP_REDUCE_MAX_PLACE, .of = {.width = 4, .height = 3}},
        &place));
    struct qp_array *const line = make(context, 2, 1, 1, QP_ARRAY_FLOAT),
                           *const pair = make(context, 1, 1, 2, QP_ARRAY_FLOAT),
                           *const whole = make(context, 1, 1, 1, QP_ARRAY_INT),
                           *const four = make(context, 1, 1, 4, QP_ARRAY_FLOAT);
    const struct {
        struct qp_reduction *reduction;
        struct qp_array *out;
        const char *sentence;
    } cases[] = {{s.sum, s.row,
                  "1 x 2 cells of 1 floats, and this reduction's answer is 1 x 1 cell "
                  "of 1 float"},
                 {s.sum, line,
                  "2 x 1 cells of 1 floats, and this reduction's answer is 1 x 1 cell "
                  "of 1 float"},
                 {s.sum, pair,
                  "1 x 1 cells of 2 floats, and this reduction's answer is 1 x 1 cell "
                  "of 1 float"},
                 {s.sum, whole,
                  "1 x 1 cells of 1 ints, and this reduction's answer is 1 x 1 cell "
                  "of 1 float"},
                 {place, s.one,
                  "1 x 1 cells of 1 floats, and this reduction's answer is 1 x 1 cell "
                  "of 4 floats"}};
    const struct qp_pass_input input[] = {{"x", s.x}, {NULL, NULL}};
    for (int i = 0; i < COUNT(cases); i++) {
        char sentence[160];
        snprintf(sentence, sizeof sentence, "'out' is an array of %s", cases[i].sentence);
        assert_int_equal(qp_reduce_to(cases[i].reduction, input, NULL, cases[i].out), QP_BAD_USE);
        assert_string_equal(qp_error(), sentence);
    }
    assert_ok(qp_reduce_to(s.sum, input, NULL, s.one));
    assert_ok(qp_reduce_to(place, input, NULL, four));
    struct qp_array *made[] = {line, pair, whole, four};
    for (int i = 0; i < COUNT(made); i++)
        qp_array_destroy(&made[i]);
    qp_reduction_destroy(&place);
    tear_down(&s);
}

CLEAN_TEST(one_call)
{
    struct qp_context *context = support_need_context(state);
    struct scene s;
    struct qp_reduced got;
    set_up(context, &s);
    assert_int_equal(qp_array_reduce(NULL, QP_REDUCE_SUM, &got), QP_BAD_USE);
    assert_true(isnan(got.value));
    assert_int_equal(qp_array_reduce(s.x, QP_REDUCE_SUM, NULL), QP_BAD_USE);
    assert_int_equal(qp_array_reduce(s.x, (enum qp_reduce_what)11, &got), QP_BAD_USE);
    assert_int_equal(qp_array_reduce(s.x, QP_REDUCE_DOT, &got), QP_BAD_USE);
    support_assert_sentence("qp_array_dot");
    assert_int_equal(qp_array_dot(NULL, s.x, &got), QP_BAD_USE);
    assert_int_equal(qp_array_dot(s.x, NULL, &got), QP_BAD_USE);
    support_assert_sentence("'y'");
    assert_int_equal(qp_array_dot(s.x, s.larger, &got), QP_BAD_USE);
    support_assert_sentence("5 x 3");
    assert_int_equal(qp_array_dot(s.x, s.x, NULL), QP_BAD_USE);
    tear_down(&s);
}

/* ---- Lives ---- */

static void *run_elsewhere(void *argument)
{
    struct scene *s = argument;
    const struct qp_pass_input input[] = {{"x", s->x}, {NULL, NULL}};
    struct qp_reduced got;
    struct qp_reduction *mine = s->sum;
    assert_int_equal(qp_reduce(s->sum, input, NULL, &got), QP_BAD_USE);
    qp_reduction_destroy(&mine);
    assert_null(mine);
    return NULL;
}

/* Another thread is refused; a destroyed one and one whose context is destroyed are distinguished
 * from those that live. */
CLEAN_TEST(lives)
{
    struct qp_context *context = support_need_context(state), *second;
    struct scene s, others;
    struct qp_reduced got;
    pthread_t thread;
    set_up(context, &s);
    const struct qp_pass_input input[] = {{"x", s.x}, {NULL, NULL}};
    assert_int_equal(pthread_create(&thread, NULL, run_elsewhere, &s), 0);
    pthread_join(thread, NULL);
    assert_ok(qp_reduce(s.sum, input, NULL, &got));
    struct qp_reduction *gone = s.sum;
    qp_reduction_destroy(&s.sum);
    assert_int_equal(qp_reduce(gone, input, NULL, &got), QP_BAD_USE);
    support_assert_sentence("destroyed");
    assert_ok(qp_context_create(NULL, &second));
    set_up(second, &others);
    const struct qp_pass_input foreign[] = {{"x", others.x}, {"y", others.y}, {NULL, NULL}};
    assert_int_equal(qp_reduce(s.dot, foreign, NULL, &got), QP_BAD_USE);
    support_assert_sentence("another context");
    qp_context_destroy(&second);
    assert_int_equal(qp_reduce(others.dot, foreign, NULL, &got), QP_BAD_USE);
    tear_down(&others);
    tear_down(&s);
}

GROUP(support_open_context, support_close_context)
