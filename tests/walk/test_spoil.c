/* SPDX-License-Identifier: MIT */
/* Spoiled fetches: a good reference notices each, and a reference that does not is reported. */
#include "support/support.h"

#include <stdio.h>
#include <string.h>

#include <quadpass/spoil.h>

#include "lab/walk/changed.h"

#define HEAD                                                        \
    "#version 120\n#extension GL_ARB_texture_rectangle : require\n" \
    "uniform sampler2DRect x;\n"                                    \
    "/* texture2DRect(x, vec2(0.0)) */ // texture2DRect(x, vec2(0.0))\n"
#define HERE "texture2DRect(x, gl_FragCoord.xy)"
#define LEFT "texture2DRect(x, gl_FragCoord.xy - vec2(1.0, 0.0))"

/* The mean of a cell and its left neighbour. */
static double mean(const struct qp_kernel_grid *grid, double *const output[])
{
    const double *x = grid->input[0].values;
    for (int i = 0; i < grid->width * grid->height; i++)
        output[0][i] = 0.5 * x[i] + (i % grid->width > 0 ? 0.5 * x[i - 1] : 0.0);
    return 0.0;
}

struct scene {
    struct qp_trial *trial;
    const struct qp_variant *variant;
    struct qp_problem problem;
};

static struct scene make_row(struct qp_kernel_desc kernel, double tolerance)
{
    const struct qp_trial_desc desc = {.name = "mean", .reference = mean, .tolerance = tolerance};
    struct scene scene;
    kernel.input[0].name = "x";
    assert_ok(qp_trial_create(&desc, &kernel, &scene.trial));
    assert_ok(qp_trial_add(scene.trial,
                           &(struct qp_trial_variant){.name = "row", .kernel = {kernel}},
                           &scene.variant));
    assert_ok(qp_trial_problem(scene.trial, 13, 11, 1, &scene.problem));
    return scene;
}

static struct scene make(const char *text, double tolerance)
{
    return make_row((struct qp_kernel_desc){.fragment = {.text = text}}, tolerance);
}

static void destroy(struct scene *scene)
{
    qp_problem_destroy(&scene->problem);
    qp_trial_destroy(&scene->trial);
}

/* Lines and words of the report. */
struct told {
    int count, noticed, lines[32];
};

static void listen(void *user, const struct qp_spoiled *mutant)
{
    struct told *told = user;
    assert_string_equal(mutant->shader, "mean/row");
    assert_non_null(strstr(mutant->is, mutant->was[0] == '\0' ? "?" : "texture2DRect(x, "));
    assert_true(strcmp(mutant->was, mutant->is) != 0);
    told->noticed += mutant->noticed;
    told->lines[told->count++ % COUNT(told->lines)] = mutant->line;
}

TEST(a_reference_notices_every_fetch)
{
    struct scene scene = make(HEAD "void main()\n{\n    gl_FragColor = 0.5 * " HERE
                                   "\n        + 0.5 * " LEFT ";\n}\n",
                              0.0);
    struct told told = {0};
    struct qp_spoil_result result;
    assert_ok(qp_spoil(support_need_context(state), scene.variant, &scene.problem,
                       &(struct qp_spoil_desc){.on_mutant = listen, .user = &told}, &result));
    assert_true(result.made == 10 && result.noticed == 10);
    assert_string_equal(result.survivor, "");
    assert_true(told.count == 10 && told.noticed == 10);
    assert_true(told.lines[0] == 7 && told.lines[9] == 8);
    destroy(&scene);
}

/* Gathers of a body in the short form, not the fetches in front of it. */
TEST(gathers_of_bodies_are_spoiled)
{
    static const char *const gathers[] = {"x_at(-1.0, 0)", "x_cell(here - vec2(1.0, 0.0))"};
    for (int i = 0; i < COUNT(gathers); i++) {
        char body[160];
        struct qp_spoil_result result;
        snprintf(body, sizeof body,
                 "float kernel(vec2 here) {\n    return 0.5 * x_at(0, 0) + 0.5 * %s;\n}\n",
                 gathers[i]);
        struct scene scene = make_row((struct qp_kernel_desc){.body = body}, 0.0);
        assert_ok(
            qp_spoil(support_need_context(state), scene.variant, &scene.problem, NULL, &result));
        assert_true(result.made == 10 && result.noticed == 10);
        destroy(&scene);
        scene = make_row((struct qp_kernel_desc){.body = body}, 10.0);
        assert_ok(
            qp_spoil(support_need_context(state), scene.variant, &scene.problem, NULL, &result));
        assert_true(result.made == 10 && result.noticed == 0);
        assert_string_equal(result.survivor, "mean/row:2: nothing notices '(x_at(0, 0) - "
                                             "x_at(0, 0))' in place of 'x_at(0, 0)'");
        destroy(&scene);
    }
}

/* With so much allowed that nothing is wrong, and for a fetch that has no effect. */
TEST(survivors_are_told)
{
    static const char *const words[] = {"mean/row:5: nothing notices '(" HERE " - " HERE
                                        ")' in place of '" HERE "'",
                                        "mean/row:5: nothing notices"};
    struct scene scenes[] = {
        make(HEAD "void main() { gl_FragColor = 0.5 * " HERE " + 0.5 * " LEFT "; }\n", 10.0),
        make(HEAD "void main() { gl_FragColor = 0.5 * " HERE " + 0.5 * " LEFT
                  " + 1e-30 * texture2DRect(x, gl_FragCoord.xy + vec2(0.0, 1.0)); }\n",
             0.0)};
    const int left[] = {0, 10};
    for (int i = 0; i < COUNT(scenes); i++) {
        struct qp_spoil_result result;
        assert_ok(qp_spoil(support_need_context(state), scenes[i].variant, &scenes[i].problem, NULL,
                           &result));
        assert_true(result.noticed == left[i] && result.made > result.noticed);
        assert_ptr_equal(strstr(result.survivor, words[i]), result.survivor);
        destroy(&scenes[i]);
    }
}

/* The second of two draws covers the first, of which nothing is seen. */
TEST(each_draw_is_spoiled)
{
    static const char text[] =
        HEAD "void main() { gl_FragColor = 0.5 * " HERE " + 0.5 * " LEFT "; }\n";
    struct qp_context *context = support_need_context(state);
    struct scene scene = make(text, 0.0);
    const struct qp_kernel_desc kernel = {.fragment = {.text = text}, .input = {{.name = "x"}}};
    const struct qp_trial_variant twice = {.name = "twice", .kernel = {kernel, kernel}};
    struct qp_spoil_result result;
    assert_ok(qp_trial_add(scene.trial, &twice, &scene.variant));
    assert_ok(qp_spoil(context, scene.variant, &scene.problem, NULL, &result));
    assert_true(result.made == 20 && result.noticed == 10);
    assert_non_null(strstr(result.survivor, "mean/twice:5"));
    destroy(&scene);
}

#define TEN     "          "
#define HUNDRED TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN

/* With so much allowed that nothing is wrong, only what does not compile could be noticed: so each
 * mutant of these texts compiles, and a function's definition makes none. */
TEST(every_mutant_compiles)
{
    static const struct {
        const char *fragment, *body;
        int made;
    } texts[] = {
        {.fragment = HEAD "/* a *//* " HERE " */ void main() { gl_FragColor = " HERE "; }\n",
         .made = 5},
        {.fragment = HEAD "void main() { gl_FragColor = texture2DRect(x," HUNDRED HUNDRED HUNDRED
                          "gl_FragCoord.xy); }\n",
         .made = 5},
        {.fragment = HEAD "#define texture(d) texture2DRect(x, gl_FragCoord.xy + d)\n"
                          "void main() { gl_FragColor = texture(0.0); }\n",
         .made = 10},
        {.body =
             "float kernel(vec2 here) { bool a = here.x > 1.0;\n"
             "    return x_at(a ? 1.0 : 0.0, a ? 0.0 : 1.0) + x_cell(a ? here : vec2(0.0)); }\n",
         .made = 10},
        {.body = "float far_at(int way) { return float(way) + x_at(0.0, 0.0); }\n"
                 "float kernel(vec2 here) { return x_at(0.0, 0.0) * far_at(1); }\n",
         .made = 11}};
    for (int i = 0; i < COUNT(texts); i++) {
        const struct qp_kernel_desc draw = {.fragment = {.text = texts[i].fragment},
                                            .body = texts[i].body};
        struct scene scene = make_row(draw, 10.0);
        struct qp_spoil_result result;
        assert_ok(
            qp_spoil(support_need_context(state), scene.variant, &scene.problem, NULL, &result));
        if (result.made != texts[i].made || result.noticed != 0)
            fail_msg("text %d: %d mutants, of which %d are noticed", i, result.made,
                     result.noticed);
        destroy(&scene);
    }
}

/* The library's own variants, where every fetch counts: with a weight of 1 the old value would
 * not. */
TEST(rows_of_the_library_can_be_spoiled)
{
    struct qp_context *context = support_need_context(state);
    struct qp_problem problem;
    struct qp_spoil_result result;
    assert_ok(qp_problem_create(
        &(struct qp_problem_desc){
            .op = "jacobi9", .kind = "random", .width = 5, .height = 4, .weight = 0.9, .seed = 3},
        &problem));
    assert_ok(qp_spoil(context, qp_variant_find("jacobi9/luminance"), &problem, NULL, &result));
    if (result.noticed != result.made)
        fail_msg("%s", result.survivor);
    assert_true(result.made >= 90);
    qp_problem_destroy(&problem);
}

/* A walk that a stage ends: each mutant's, by the number in `user`, whatever its sentence says. */
static enum qp_status fail_in_stage(void *user, const struct qp_variant *variant,
                                    struct qp_result *out)
{
    (void)variant;
    *out = (struct qp_result){.verdict = QP_FAIL,
                              .cause = QP_DEVICE,
                              .failed = *(enum qp_stage *)user,
                              .reason = "stage 4, program: 1:1: no"};
    return QP_OK;
}

/* A text that does not compile is no mutant; one that fails later is one, and is noticed. */
TEST(failures_count_by_their_stage)
{
    struct scene scene = make(HEAD "void main() { gl_FragColor = " HERE "; }\n", 0.0);
    const struct qp_spoil_desc desc = {0};
    for (enum qp_stage stage = QP_STAGE_PROGRAM; stage <= QP_STAGES; stage++) {
        struct qp_spoil_result result = {0};
        assert_ok(qp_spoil_by(scene.variant, fail_in_stage, &stage, &desc, &result));
        assert_int_equal(result.made, stage == QP_STAGE_PROGRAM ? 0 : 5);
        assert_int_equal(result.noticed, result.made);
    }
    destroy(&scene);
}

/* A walk says which stage failed, as its sentence does. */
TEST(stages_that_fail_are_told)
{
    static const char *const texts[] = {"nonsense",
                                        HEAD "void main() { gl_FragColor = " HERE "; }\n"};
    struct qp_context *context = support_need_context(state);
    for (int i = 0; i < COUNT(texts); i++) {
        struct scene scene = make(texts[i], 10.0);
        struct qp_result result;
        assert_ok(qp_walk(context, scene.variant, &scene.problem,
                          &(struct qp_walk_desc){.iterations = 1}, &result));
        assert_int_equal(result.failed, i == 0 ? QP_STAGE_PROGRAM : 0);
        assert_int_equal(strncmp(result.reason, "stage 4, ", 9) == 0, i == 0);
        destroy(&scene);
    }
}

TEST(what_cannot_be_spoiled_is_refused)
{
    struct qp_context *context = support_need_context(state);
    struct scene scene = make(HEAD "void main() { gl_FragColor = " HERE "; }\n", 0.0);
    struct qp_spoil_result result = {.made = 7};
    struct qp_problem problem;
    assert_int_equal(qp_spoil(context, scene.variant, &scene.problem, NULL, &result), QP_BAD_USE);
    support_assert_sentence("mean/row must pass before it is spoiled: ");
    assert_int_equal(result.made, 0);
    assert_ok(qp_problem_create(&(struct qp_problem_desc){.op = "jacobi9", .width = 5, .height = 4},
                                &problem));
    assert_int_equal(qp_spoil(context, qp_variant_find("jacobi9/openmp"), &problem, NULL, &result),
                     QP_BAD_USE);
    support_assert_sentence("jacobi9/openmp draws by no fragment shader of its own");
    assert_int_equal(qp_spoil(NULL, scene.variant, &scene.problem, NULL, &result), QP_BAD_USE);
    assert_int_equal(qp_spoil(context, NULL, &scene.problem, NULL, &result), QP_BAD_USE);
    assert_int_equal(qp_spoil(context, scene.variant, NULL, NULL, &result), QP_BAD_USE);
    assert_int_equal(qp_spoil(context, scene.variant, &scene.problem, NULL, NULL), QP_BAD_USE);
    qp_problem_destroy(&problem);
    destroy(&scene);
}

GROUP(support_open_context, support_close_context)
