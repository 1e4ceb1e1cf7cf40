/* SPDX-License-Identifier: MIT */
/* Recorded lists: they run again with new numbers, compute the same as their passes one by one, and
 * say what is wrong with them. */
#include "support/toolkit.h"

#include <stdio.h>
#include <stdlib.h>

#include <GL/glew.h>

CLEAN_TEST(lists_run_again_with_new_numbers)
{
    static const float x_values[] = {1, 2, 3}, y_values[] = {10, 20, 30};
    static const float thrice[] = {13, 26, 39}, new[] = {3, 6, 9};
    context = support_need_context(state);
    struct qp_array *x = row_of(3, x_values), *y = row_of(3, y_values), *t = row_of(3, NULL);
    struct qp_kernel *adds = saxpy(), *copies = kernel((struct qp_kernel_desc){
                                          .body = "float kernel(vec2 here) { return x_at(0, 0); }",
                                          .input = {{"x"}}});
    const struct qp_pass passes[] = {
        {.kernel = adds, .input = {{"x", x}, {"y", y}}, .number = {{"a", {1}}}, .output = {t}},
        {.kernel = copies, .input = {{"x", t}}, .output = {y}}};
    struct qp_list *list;
    assert_ok(qp_list_create(passes, 2, &list));
    expect_values(y, y_values, 3, ""); /* nothing has run */
    assert_ok(qp_list_run(list, 3));
    expect_values(y, thrice, 3, "");
    assert_ok(qp_list_run(list, 0));
    expect_values(y, thrice, 3, "");
    assert_ok(qp_array_fill(y, NULL, 0.0));
    assert_ok(qp_list_set(list, 0, &(struct qp_pass_number){.name = "a", .value = {3}}));
    assert_ok(qp_list_run(list, 1));
    expect_values(y, new, 3, "");
    qp_list_destroy(&list);
    assert_null(list);
    qp_kernel_destroy(&adds);
    qp_kernel_destroy(&copies);
    qp_array_destroy(&x);
    qp_array_destroy(&y);
    qp_array_destroy(&t);
}

/* ---- Unlike passes ---- */

enum { SIDE = 4, CELLS = SIDE * SIDE, UNLIKE = 11 };

static const char twice[] =
    "float kernel(vec2 here) { return 2.0 * x_at(0, 0) + a + gl_FragCoord.z; }",
                  thrice[] = "float kernel(vec2 here) { return 3.0 * x_at(1, 0) - y_at(0, 0); }",
                  place[] = "vec2 place(float i) { value = x_cell(vec2(i)); return vec2(i, 1.0); }",
                  groups[] = "uniform sampler2DRect x;\n"
                             "void main() {\n"
                             "    ivec2 at = ivec2(gl_GlobalInvocationID.xy);\n"
                             "    imageStore(out0, at, 5.0 * texelFetch(x, at));\n"
                             "}\n";

/* Objects of passes, any two of which want another state of OpenGL. */
struct unlike {
    struct qp_array *x, *y, *out;
    struct qp_kernel *twice, *thrice, *place, *group;
    struct qp_mask *mask;
    struct qp_depth *depth;
    struct qp_pass pass[UNLIKE];
    int passes;
};

static struct qp_kernel *kernel_of(const char *body, int inputs)
{
    return kernel((struct qp_kernel_desc){.body = body,
                                          .input = {{"x"}, {inputs > 1 ? "y" : NULL}},
                                          .number = {{body == twice ? "a" : NULL}}});
}

static void open_unlike(struct unlike *at)
{
    float values[CELLS], on[CELLS];
    for (int i = 0; i < CELLS; i++) {
        values[i] = (float)(i + 1);
        on[i] = (float)(i % 3);
    }
    const unsigned can = qp_context_device(context)->abilities;
    *at = (struct unlike){.x = grid(SIDE, SIDE, values),
                          .y = grid(SIDE, SIDE, on),
                          .out = grid(SIDE, SIDE, NULL),
                          .twice = kernel_of(twice, 1),
                          .thrice = kernel_of(thrice, 2),
                          .place = kernel_of(place, 1),
                          .depth = depth_of(SIDE, SIDE, QP_DEPTH_NEAREST)};
    assert_ok(qp_mask_create(context, SIDE, SIDE, &at->mask));
    assert_ok(qp_mask_set(at->mask, at->y));
    const struct qp_pass plain = {.kernel = at->twice,
                                  .input = {{"x", at->x}},
                                  .number = {{"a", {7.0}}},
                                  .output = {at->out}},
                         other = {.kernel = at->thrice,
                                  .input = {{"x", at->y}, {"y", at->x}},
                                  .output = {at->out}},
                         points = {.kernel = at->place,
                                   .input = {{"x", at->x}},
                                   .output = {at->out},
                                   .points = SIDE};
    at->passes = 9;
    for (int i = 0; i < at->passes; i++)
        at->pass[i] = i == 1 ? other : i == 2 ? points : plain;
    at->pass[1].blend = QP_BLEND_SUBTRACT;
    at->pass[3].blend = QP_BLEND_ADD;
    at->pass[4].region = (struct qp_rect){1, 2, 3, 1};
    at->pass[5].region = (struct qp_rect){0, 2, 3, 1};
    at->pass[6].region = (struct qp_rect){1, 0, 3, 1};
    at->pass[4].number[0].value[0] = 70.0;
    at->pass[7].mask = at->mask;
    at->pass[8].depth = at->depth;
    at->pass[8].number[0].value[0] = 700.0;
    if (can & QP_CAN_TEXTURE_BARRIER) {
        at->pass[at->passes] = plain;
        at->pass[at->passes].input[0].array = at->out;
        at->pass[at->passes++].in_place = true;
    }
    if (!(can & QP_CAN_COMPUTE))
        return;
    at->group = kernel((struct qp_kernel_desc){.compute = {.text = groups}, .input = {{"x"}}});
    at->pass[at->passes++] =
        (struct qp_pass){.kernel = at->group, .input = {{"x", at->y}}, .output = {at->out}};
}

static void close_unlike(struct unlike *at)
{
    qp_kernel_destroy(&at->twice);
    qp_kernel_destroy(&at->thrice);
    qp_kernel_destroy(&at->place);
    qp_kernel_destroy(&at->group);
    qp_mask_destroy(&at->mask);
    qp_depth_destroy(&at->depth);
    qp_array_destroy(&at->x);
    qp_array_destroy(&at->y);
    qp_array_destroy(&at->out);
}

static void start_anew(const struct unlike *at)
{
    assert_ok(qp_array_fill(at->out, NULL, 1000.0));
    assert_ok(qp_depth_clear(at->depth));
}

/* State that some of the passes must set, and others need not. */
static void spoil(void)
{
    glPointSize(3.0f);
    glEnable(GL_CULL_FACE);
    glCullFace(GL_FRONT_AND_BACK);
    glEnable(GL_BLEND);
    glBlendEquation(GL_MIN);
}

/* A list leaves out state that the pass before has set: any two that follow each other in it, and
 * the first one once more, give what they give one by one. */
CLEAN_TEST(unlike_passes_follow_each_other)
{
    struct unlike at;
    context = support_need_context(state);
    open_unlike(&at);
    for (int i = 0; i < at.passes * at.passes; i++) {
        const struct qp_pass pair[] = {at.pass[i / at.passes], at.pass[i % at.passes]};
        float wanted[CELLS];
        char what[48];
        struct qp_list *list;
        snprintf(what, sizeof what, "passes %d and %d", i / at.passes, i % at.passes);
        start_anew(&at);
        for (int k = 0; k < 4; k++)
            assert_ok(qp_pass_run(&pair[k % 2]));
        assert_ok(qp_array_read(at.out, NULL, wanted, 0));
        start_anew(&at);
        assert_ok(qp_list_create(pair, 2, &list));
        spoil();
        assert_ok(qp_list_run(list, 2));
        expect_values(at.out, wanted, CELLS, what);
        qp_list_destroy(&list);
    }
    close_unlike(&at);
}

/* ---- Errors ---- */

CLEAN_TEST(lists_that_cannot_be)
{
    static const float three[] = {1, 2, 3};
    context = support_need_context(state);
    struct qp_array *x = row_of(3, three), *y = row_of(3, three), *out = row_of(3, NULL);
    struct qp_kernel *adds = saxpy();
    const struct qp_pass pass = {
        .kernel = adds, .input = {{"x", x}, {"y", y}}, .number = {{.name = "a"}}, .output = {out}};
    struct qp_list *list;
    assert_int_equal(qp_list_create(NULL, 1, &list), QP_BAD_USE);
    assert_int_equal(qp_list_create(&pass, 0, &list), QP_BAD_USE);
    assert_int_equal(qp_list_create(&pass, 1, NULL), QP_BAD_USE);
    assert_ok(qp_list_create(&pass, 1, &list));
    assert_int_equal(qp_list_run(NULL, 1), QP_BAD_USE);
    assert_int_equal(qp_list_run(list, -1), QP_BAD_USE);
    assert_int_equal(qp_list_set(list, 1, &(struct qp_pass_number){.name = "a"}), QP_BAD_USE);
    support_assert_sentence("pass 1 is none of a list of 1");
    assert_int_equal(qp_list_set(list, 0, &(struct qp_pass_number){.name = "b"}), QP_BAD_USE);
    assert_int_equal(qp_list_set(list, 0, &(struct qp_pass_number){0}), QP_BAD_USE);
    assert_int_equal(qp_list_set(list, 0, NULL), QP_BAD_USE);
    qp_array_destroy(&y);
    assert_int_equal(qp_list_run(list, 1), QP_BAD_USE);
    support_assert_sentence("pass 0 of the list: 'y' is not an array that lives");
    qp_kernel_destroy(&adds);
    assert_int_equal(qp_list_run(list, 1), QP_BAD_USE);
    struct qp_list *kept = list;
    qp_list_destroy(&list);
    assert_int_equal(qp_list_run(kept, 1), QP_BAD_USE);
    qp_array_destroy(&x);
    qp_array_destroy(&out);
}

/* Objects that were destroyed are gone, even where memory gives their place to a new one of their
 * kind. */
CLEAN_TEST(successors_are_not_taken_for_it)
{
    enum { TRIES = 64 };
    context = support_need_context(state);
    int met = 0;
    for (int what = 0; what < 2; what++) {
        struct qp_array *out = row_of(3, NULL);
        struct qp_kernel *one =
            kernel((struct qp_kernel_desc){.body = "float kernel(vec2 here) { return 1.0; }"});
        struct qp_list *list;
        const void *gone = what == 0 ? (void *)one : (void *)out, *next = NULL;
        struct qp_kernel *kernels[TRIES] = {NULL};
        struct qp_array *arrays[TRIES] = {NULL};
        assert_ok(qp_list_create(&(struct qp_pass){.kernel = one, .output = {out}}, 1, &list));
        if (what == 0)
            qp_kernel_destroy(&one);
        else
            qp_array_destroy(&out);
        for (int i = 0; i < TRIES && next != gone; i++) {
            if (what == 0)
                next = kernels[i] = saxpy();
            else
                next = arrays[i] = row_of(2, NULL);
        }
        assert_int_equal(qp_list_run(list, 1), QP_BAD_USE);
        support_assert_sentence(what == 0 ? "pass 0 of the list: 'kernel' "
                                          : "pass 0 of the list: 'output' ");
        if (next == gone)
            support_assert_sentence("destroyed after the list was made");
        met += next == gone;
        qp_list_destroy(&list);
        for (int i = 0; i < TRIES; i++) {
            qp_kernel_destroy(&kernels[i]);
            qp_array_destroy(&arrays[i]);
        }
        qp_kernel_destroy(&one);
        qp_array_destroy(&out);
    }
    if (met == 0)
        print_message("no object got the place of another\n");
}

/* Lists with the most passes, and one more. */
CLEAN_TEST(lists_have_a_limit)
{
    enum { MOST = 65536 };
    context = support_need_context(state);
    struct qp_array *out = row_of(3, NULL);
    struct qp_kernel *one =
        kernel((struct qp_kernel_desc){.body = "float kernel(vec2 here) { return 1.0; }"});
    struct qp_pass *passes = calloc(MOST + 1, sizeof *passes);
    struct qp_list *list;
    assert_non_null(passes);
    for (int i = 0; i <= MOST; i++)
        passes[i] = (struct qp_pass){.kernel = one, .output = {out}};
    assert_int_equal(qp_list_create(passes, MOST + 1, &list), QP_BAD_USE);
    support_assert_sentence("a list of 65537 passes; take 1 to 65536");
    assert_ok(qp_list_create(passes, MOST, &list));
    qp_list_destroy(&list);
    free(passes);
    qp_kernel_destroy(&one);
    qp_array_destroy(&out);
}

GROUP(support_open_context, support_close_context)
