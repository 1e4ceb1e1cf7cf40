/* SPDX-License-Identifier: MIT */
/* The toolkit's kernels, passes, lists, masks and depths, with every single bad argument. */
#include "support/bad_objects.h"

#include <limits.h>
#include <math.h>
#include <string.h>

static void sweep(const struct qp_kernel_grid *grid, void *const output[])
{
    memcpy(output[0], grid->input[0].values,
           sizeof(float) * (size_t)grid->width * (size_t)grid->height);
}

static const struct qp_kernel_desc first = {.input = {{.name = "x"}}, .sweep = sweep};

static void kernels(void)
{
    struct qp_kernel_desc bad[12];
    struct qp_kernel *kernel;
    for (int i = 0; i < COUNT(bad); i++)
        bad[i] = adds;
    bad[0].body = NULL;
    bad[1].fragment.text = "void main() {}";
    bad[2].body = "nonsense";
    bad[3].outputs = -1;
    bad[4].outputs = 5;
    bad[5].output_type = (enum qp_array_type)99;
    bad[6].output_channels = 3;
    bad[7].input[0].type = (enum qp_array_type) - 1;
    bad[8].input[0].reach = -1;
    bad[9].number[0].type = (enum qp_number_type)99;
    bad[10].number[0].elements = 1;
    bad[11].input[0].name = "no name";
    for (refused_row = 0; refused_row < COUNT(bad); refused_row++) {
        forget_sentence();
        const int status = qp_kernel_create(good.context, &bad[refused_row], &kernel);
        judge_refusal(status, "qp_kernel_create");
        HOLDS(kernel == NULL);
    }
    for (int i = 0; i <= QP_KERNEL_INPUTS; i++) /* no end */
        bad[0].input[i] = (struct qp_kernel_input){.name = "x"};
    bad[0].body = adds.body;
    REFUSES(qp_kernel_create, good.context, &bad[0], &kernel);
    bad[1] = first;
    REFUSES(qp_kernel_create, good.context, &bad[1], &kernel);
    REFUSES(qp_kernel_create, NULL, &adds, &kernel);
    REFUSES(qp_kernel_create, good.context, NULL, &kernel);
    REFUSES(qp_kernel_create, good.context, &adds, NULL);
    kernel = (struct qp_kernel *)(void *)anything;
    NEUTRAL(qp_kernel_destroy, &kernel);
    NEUTRAL(qp_kernel_destroy, NULL);
}

static void passes_and_lists(void)
{
    enum { KINDS = 15 };
    struct qp_pass bad[KINDS];
    struct qp_list *list, *none = (struct qp_list *)(void *)anything;
    for (int i = 0; i < KINDS; i++)
        bad[i] = good.pass;
    bad[0].kernel = NULL;
    bad[1].kernel = (struct qp_kernel *)(void *)anything;
    bad[2].kernel = strange.kernel;
    bad[3].input[0].array = NULL;
    bad[4].input[0].name = "other";
    bad[5].input[0].name = NULL;
    bad[6].input[1] = bad[6].input[0];
    bad[7].number[0].name = "other";
    bad[8].number[1] = bad[8].number[0];
    bad[9].output[0] = NULL;
    bad[10].output[1] = good.y;
    bad[11].output[0] = good.x;
    bad[12].blend = (enum qp_pass_blend)99;
    bad[13].points = -1;
    bad[14].mask = (struct qp_mask *)(void *)anything;
    for (refused_row = 0; refused_row < KINDS; refused_row++) {
        REFUSES(qp_pass_run, &bad[refused_row]);
        REFUSES(qp_list_create, &bad[refused_row], 1, &list);
        HOLDS(list == NULL);
    }
    for (refused_row = 0; refused_row < BAD; refused_row++) {
        struct qp_pass pass = good.pass;
        pass.input[0].array = bad_array(refused_row);
        REFUSES(qp_pass_run, &pass);
        pass = good.pass;
        pass.output[0] = bad_array(refused_row);
        REFUSES(qp_pass_run, &pass);
    }
    REFUSES(qp_pass_run, NULL);
    REFUSES(qp_list_create, NULL, 1, &list);
    REFUSES(qp_list_create, &good.pass, 0, &list);
    REFUSES(qp_list_create, &good.pass, INT_MAX, &list);
    REFUSES(qp_list_create, &good.pass, 1, NULL);
    REFUSES(qp_list_set, NULL, 0, &good.pass.number[0]);
    REFUSES(qp_list_set, none, 0, &good.pass.number[0]);
    REFUSES(qp_list_set, good.list, 1, &good.pass.number[0]);
    REFUSES(qp_list_set, good.list, -1, &good.pass.number[0]);
    REFUSES(qp_list_set, good.list, 0, NULL);
    REFUSES(qp_list_set, good.list, 0, (&(struct qp_pass_number){.name = NULL}));
    REFUSES(qp_list_set, good.list, 0, (&(struct qp_pass_number){.name = "other"}));
    REFUSES(qp_list_run, NULL, 1);
    REFUSES(qp_list_run, none, 1);
    REFUSES(qp_list_run, good.list, -1);
    REFUSES(qp_list_run, good.list, INT_MAX);
    NEUTRAL(qp_list_destroy, &none);
    NEUTRAL(qp_list_destroy, NULL);
}

static void masks_and_depths(void)
{
    static const int sizes[][2] = {{0, 4}, {4, 0}, {-1, 4}, {4, INT_MIN}, {INT_MAX, 1}};
    struct qp_mask *mask, *no_mask = (struct qp_mask *)(void *)anything;
    struct qp_depth *depth, *no_depth = (struct qp_depth *)(void *)anything;
    for (refused_row = 0; refused_row < COUNT(sizes); refused_row++) {
        const int *size = sizes[refused_row];
        REFUSES(qp_mask_create, good.context, size[0], size[1], &mask);
        REFUSES(qp_depth_create, good.context, size[0], size[1], QP_DEPTH_NEAREST, &depth);
        HOLDS(mask == NULL && depth == NULL);
    }
    REFUSES(qp_mask_create, NULL, SIDE, SIDE, &mask);
    REFUSES(qp_mask_create, good.context, SIDE, SIDE, NULL);
    REFUSES(qp_mask_set, NULL, good.x);
    REFUSES(qp_mask_set, no_mask, good.x);
    REFUSES(qp_mask_set, strange.mask, good.x);
    REFUSES(qp_mask_set, good.mask, good.one);
    REFUSES(qp_depth_create, NULL, SIDE, SIDE, QP_DEPTH_NEAREST, &depth);
    REFUSES(qp_depth_create, good.context, SIDE, SIDE, (enum qp_depth_keeps)99, &depth);
    REFUSES(qp_depth_create, good.context, SIDE, SIDE, QP_DEPTH_NEAREST, NULL);
    REFUSES(qp_depth_clear, NULL);
    REFUSES(qp_depth_clear, no_depth);
    NEUTRAL(qp_mask_destroy, &no_mask);
    NEUTRAL(qp_mask_destroy, NULL);
    NEUTRAL(qp_depth_destroy, &no_depth);
    NEUTRAL(qp_depth_destroy, NULL);
}

static void checks(void)
{
    const struct qp_pass_check_desc small = {.width = 2, .height = 2};
    const struct qp_kernel_array none = {.width = 1, .height = 1, .channels = 1};
    struct qp_pass_check_desc bad[10];
    struct qp_pass pass = good.pass;
    struct qp_pass_check_result result;
    for (int i = 0; i < COUNT(bad); i++)
        bad[i] = small;
    bad[0].width = -1;
    bad[1].height = 0;
    bad[2].tolerance = -1.0;
    bad[3].tolerance = NAN;
    bad[4].low = 1.0;
    bad[5].high = INFINITY;
    bad[6].low = NAN;
    bad[7].table[0] = "other";
    bad[8].spoil = true;
    bad[9].width = bad[9].height = INT_MAX;
    for (refused_row = 0; refused_row < COUNT(bad); refused_row++) {
        REFUSES(qp_pass_check, &good.pass, &bad[refused_row], &result);
        HOLDS(result.verdict == QP_NO_VERDICT && isnan(result.seconds));
    }
    REFUSES(qp_pass_check, NULL, &small, &result);
    REFUSES(qp_pass_check, &good.pass, &small, NULL);
    pass.region = (struct qp_rect){0, 0, 1, 1};
    REFUSES(qp_pass_check, &pass, &small, &result);
    pass = good.pass;
    pass.mask = good.mask;
    REFUSES(qp_pass_check, &pass, &small, &result);
    pass = good.pass;
    pass.depth = good.depth;
    REFUSES(qp_pass_check, &pass, &small, &result);
    pass = good.pass;
    pass.output[0] = NULL;
    REFUSES(qp_pass_check, &pass, &small, &result);
    HOLDS(isnan(NEUTRAL(qp_kernel_array_at, NULL, 0, 0, 0)));
    HOLDS(isnan(NEUTRAL(qp_kernel_array_at, &none, 0, 0, 0)));
}

/* ---- All ---- */

CLEAN_TEST(kernels_are_refused)
{
    with_objects(state, kernels, NULL);
}

CLEAN_TEST(passes_and_lists_are_refused)
{
    with_objects(state, passes_and_lists, NULL);
}

CLEAN_TEST(masks_and_depths_are_refused)
{
    with_objects(state, masks_and_depths, NULL);
}

CLEAN_TEST(checks_are_refused)
{
    with_objects(state, checks, NULL);
}

/* Objects of another thread's context. */
static void elsewhere(void)
{
    struct qp_pass_check_result result;
    struct qp_kernel *kernel;
    struct qp_list *list;
    struct qp_mask *mask;
    struct qp_depth *depth;
    REFUSES(qp_kernel_create, good.context, &adds, &kernel);
    REFUSES(qp_pass_run, &good.pass);
    REFUSES(qp_pass_check, &good.pass, NULL, &result);
    REFUSES(qp_list_create, &good.pass, 1, &list);
    REFUSES(qp_list_run, good.list, 1);
    REFUSES(qp_mask_create, good.context, SIDE, SIDE, &mask);
    REFUSES(qp_mask_set, good.mask, good.x);
    REFUSES(qp_depth_create, good.context, SIDE, SIDE, QP_DEPTH_NEAREST, &depth);
    REFUSES(qp_depth_clear, good.depth);
}

static void nothing(void)
{
}

CLEAN_TEST(other_threads)
{
    with_objects(state, nothing, elsewhere);
}

/* ---- Trials ---- */

static double keeps(const struct qp_kernel_grid *grid, double *const output[])
{
    memcpy(output[0], grid->input[0].values,
           sizeof(double) * (size_t)grid->width * (size_t)grid->height);
    return 0.0;
}

static double fill_nan(void *user, int x, int y, int width, int height, int channel)
{
    (void)user, (void)x, (void)y, (void)width, (void)height, (void)channel;
    return NAN;
}

TEST(trials)
{
    static const int negative[] = {-1, 0};
    static const struct qp_matrix none = {.width = 2, .height = 2};
    const struct qp_trial_desc bad[] = {
        {.reference = keeps},
        {.name = ""},
        {.name = "a b"},
        {.name = "jacobi9"},
        {.name = "mine", .tolerance = -1.0},
        {.name = "mine", .tolerance = NAN},
        {.name = "mine", .flops = -1.0},
        {.name = "mine", .bytes = NAN},
        {.name = "mine", .state = {"a b"}},
        {.name = "mine", .state = {"x", "x"}},
        {.name = "mine", .input = {{.name = ""}}},
        {.name = "mine", .input = {{.name = "x"}, {.name = "x"}}},
        {.name = "mine", .input = {{.name = "x", .value = INFINITY}}},
        {.name = "mine", .input = {{.name = "x", .low = NAN}}},
        {.name = "mine", .input = {{.name = "x", .low = 1.0}}},
        {.name = "mine", .input = {{.name = "x", .outside = (enum qp_outside)99}}},
        {.name = "mine", .input = {{.name = "x", .table = &none}}},
        {.name = "mine", .number = {{.name = "a"}}},
    };
    const struct qp_trial_desc fine = {.name = "mine", .steps = negative};
    const struct qp_kernel_desc wrong[] = {
        {0},
        {.sweep = sweep, .input = {{.name = "size"}}},
        {.sweep = sweep, .input = {{.name = "x"}, {.name = "x"}}},
        {.sweep = sweep, .number = {{.name = "a"}}},
        {.sweep = sweep, .outputs = 9},
        {.sweep = sweep, .output_channels = 3},
    };
    struct qp_trial *trial = (struct qp_trial *)(void *)anything;
    for (refused_row = 0; refused_row < COUNT(bad); refused_row++) {
        REFUSES(qp_trial_create, &bad[refused_row], &first, &trial);
        HOLDS(trial == NULL);
    }
    for (refused_row = 0; refused_row < COUNT(wrong); refused_row++)
        REFUSES(qp_trial_create, &fine, &wrong[refused_row], &trial);
    REFUSES(qp_trial_create, NULL, &first, &trial);
    REFUSES(qp_trial_create, &fine, NULL, &trial);
    REFUSES(qp_trial_create, &fine, &first, NULL);
    const struct qp_variant *variant = (const struct qp_variant *)(const void *)anything;
    REFUSES(qp_trial_from_file, NULL, NULL, NULL, &trial, &variant);
    HOLDS(trial == NULL && variant == NULL);
    REFUSES(qp_trial_from_file, NULL, NULL, NULL, NULL, &variant);
    REFUSES(qp_trial_from_file, NULL, NULL, NULL, &trial, NULL);
    NEUTRAL(qp_trial_destroy, NULL);
    NEUTRAL(qp_trial_destroy, &trial);
    assert_no_faults();
}

static struct qp_trial *make_trial(double (*fill)(void *, int, int, int, int, int))
{
    struct qp_trial *trial = NULL;
    const struct qp_trial_desc desc = {
        .name = "mine", .reference = keeps, .input = {{.name = "x", .fill = fill}}};
    assert_ok(qp_trial_create(&desc, &first, &trial));
    return trial;
}

TEST(variants_of_trials)
{
    const struct qp_kernel_desc body = {.body = "float kernel(vec2 here) { return x_at(0, 0); }",
                                        .input = {{.name = "x"}}},
                                file = {.fragment = {.file = "/nowhere/x.frag"}},
                                folder = {.fragment = {.file = "/"}},
                                both = {.body = body.body, .sweep = sweep},
                                other = {.body = body.body, .input = {{.name = "y"}}},
                                wide = {.body = body.body, .output_channels = 2},
                                vertex = {.vertex = {.text = "void main() {}"}},
                                number = {.body = body.body, .number = {{.name = "a"}}};
    const struct qp_trial_variant fine = {.name = "a", .kernel = {first}};
    const struct qp_trial_variant bad[] = {
        {.kernel = {first}},
        {.name = "", .kernel = {first}},
        {.name = "a b", .kernel = {first}},
        {.name = "there", .kernel = {first}},
        {.name = "a"},
        {.name = "a", .kernel = {both}},
        {.name = "a", .kernel = {first, first}},
        {.name = "a", .kernel = {body, first}},
        {.name = "a", .kernel = {other}},
        {.name = "a", .kernel = {wide}},
        {.name = "a", .kernel = {vertex}},
        {.name = "a", .kernel = {number}},
        {.name = "a", .kernel = {body}, .cover = {(enum qp_cover)99}},
        {.name = "a", .kernel = {body}, .cover = {(enum qp_cover)INT_MIN}},
        {.name = "a", .kernel = {body}, .cover = {QP_COVER_POINTS}},
        {.name = "a", .kernel = {first}, .cover = {QP_COVER_LEFT}},
        {.name = "a", .kernel = {file}},
        {.name = "a", .kernel = {folder}},
    };
    struct qp_trial *trial = make_trial(NULL), *spoiled = make_trial(fill_nan);
    const struct qp_variant *out = qp_variant_at(0);
    struct qp_problem problem = {.width = 7};
    assert_ok(
        qp_trial_add(trial, &(struct qp_trial_variant){.name = "there", .kernel = {first}}, &out));
    for (refused_row = 0; refused_row < COUNT(bad); refused_row++) {
        REFUSES(qp_trial_add, trial, &bad[refused_row], &out);
        HOLDS(out == NULL);
    }
    REFUSES(qp_trial_add, NULL, &fine, &out);
    REFUSES(qp_trial_add, trial, NULL, &out);
    REFUSES(qp_trial_add, trial, &fine, NULL);
    REFUSES(qp_trial_problem, NULL, 3, 3, 1, &problem);
    HOLDS(problem.op == NULL);
    REFUSES(qp_trial_problem, trial, 3, 3, 1, NULL);
    REFUSES(qp_trial_problem, trial, 0, 3, 1, &problem);
    REFUSES(qp_trial_problem, trial, 3, -1, 1, &problem);
    REFUSES(qp_trial_problem, trial, INT_MIN, 3, 1, &problem);
    REFUSES_SIZE(qp_trial_problem, trial, INT_MAX, INT_MAX, 1, &problem);
    REFUSES(qp_trial_problem, spoiled, 3, 3, 1, &problem);
    HOLDS(problem.op == NULL);
    REFUSES(qp_trial_make, NULL, 1, 3, 3, 1, &problem);
    REFUSES(qp_trial_make, trial, 1, 3, 0, 1, &problem);
    qp_trial_destroy(&trial);
    qp_trial_destroy(&spoiled);
    assert_no_faults();
}

GROUP(support_open_context, support_close_context)
