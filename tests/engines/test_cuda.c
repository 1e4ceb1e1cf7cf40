/* SPDX-License-Identifier: MIT */
/* The contract between CUDA's engine and kernels. The kernel here is C, on a fake device
 * (cuda_fake.h): a copy that makes a detour through scratch memory. */
/* wrap: cuda_fake*.c */
#include "support/support.h"

#include <string.h>

#include "lab/plan/op.h"
#include "support/cuda_fake.h"
#include "toolkit/cuda/device.h"
#include "toolkit/gl/context/context.h"

enum { WIDTH = 9, HEIGHT = 4 };

/* Counters of the kernel's calls, and duties that it fails once. */
static struct {
    int starts, launches, others;
    int elsewhere; /* how often it was called when another device was selected */
    bool starts_once, stages_once, refuses;
} seen;

static void look_at_device(const struct qp_launch *launch)
{
    seen.elsewhere += cuda_fake_device != launch->cuda->ordinal;
}

/* Copies between two arrays with `from_pitch` and `to_pitch` values a row. */
static void copy(const float *from, int from_pitch, float *to, int to_pitch)
{
    for (int y = 0; y < HEIGHT; y++)
        memcpy(to + (size_t)y * (size_t)to_pitch, from + (size_t)y * (size_t)from_pitch,
               WIDTH * sizeof *to);
}

/* Two arrays: what start keeps, and what every launch stages anew. */
static double scratch(const struct qp_launch *launch)
{
    look_at_device(launch);
    return 2 * WIDTH * HEIGHT * sizeof(float);
}

static enum qp_status start(struct qp_launch *launch)
{
    look_at_device(launch);
    if (seen.starts++ == 0 || !seen.starts_once)
        copy(launch->input[0], launch->input_pitch[0], launch->scratch, WIDTH);
    return QP_OK;
}

static enum qp_status launch(struct qp_launch *launch)
{
    float *kept = launch->scratch, *staged = kept + WIDTH * HEIGHT;
    look_at_device(launch);
    if (seen.launches++ == 0 || !seen.stages_once)
        copy(kept, WIDTH, staged, WIDTH);
    copy(staged, WIDTH, launch->out, launch->pitch);
    return QP_OK;
}

static enum qp_status take_steps(struct qp_launch *steps, int count)
{
    (void)count;
    return launch(steps);
}

static enum qp_status do_nothing(struct qp_launch *launch)
{
    look_at_device(launch);
    seen.others++;
    return QP_OK;
}

static void release(struct qp_launch *launch)
{
    look_at_device(launch);
    seen.others++;
}

static const struct qp_cuda_kernel kernel = {.launch = launch,
                                             .scratch = scratch,
                                             .prepare = do_nothing,
                                             .start = start,
                                             .finish = do_nothing,
                                             .release = release,
                                             .steps = take_steps};

/* ---- Walks ---- */

static int open_fake(void **state)
{
    (void)state;
    memset(&seen, 0, sizeof seen);
    cuda_fake_start();
    return 0;
}

static int close_fake(void **state)
{
    size_t left = qp_cuda_live_blocks();
    cuda_fake.on = false;
    (void)state;
    return left == 0 && cuda_fake.streams == 0 ? 0 : -1;
}

/* A variant with another kernel in place of its own. */
static enum qp_status try_with(struct qp_context *context, const char *name,
                               const struct qp_cuda_kernel *instead,
                               const struct qp_problem_desc *wanted,
                               const struct qp_walk_desc *desc, struct qp_result *result)
{
    const struct qp_variant *real = qp_variant_find(name);
    struct qp_recipe recipe = *real->recipe;
    struct qp_variant variant = *real;
    struct qp_problem problem;
    if (!support_has_cuda())
        skip();
    recipe.kernel = instead;
    variant.recipe = &recipe;
    assert_ok(qp_problem_create(wanted, &problem));
    enum qp_status status = qp_walk(context, &variant, &problem, desc, result);
    qp_problem_destroy(&problem);
    return status;
}

static struct qp_result walk_with(struct qp_context *context, const char *name,
                                  const struct qp_cuda_kernel *instead,
                                  const struct qp_problem_desc *wanted,
                                  const struct qp_walk_desc *desc)
{
    struct qp_result result;
    assert_ok(try_with(context, name, instead, wanted, desc, &result));
    return result;
}

static const struct qp_problem_desc copies = {
    .op = "transpose", .kind = "copy", .width = WIDTH, .height = HEIGHT};

static struct qp_result walk(struct qp_context *context, const struct qp_walk_desc *desc)
{
    return walk_with(context, "transpose/cuda_copy", &kernel, &copies, desc);
}

static const struct qp_walk_desc two_steps = {.iterations = 2};

/* ---- Scratch memory ---- */

TEST(scratch_memory_is_filled_before_the_run, .setup_func = open_fake, .teardown_func = close_fake)
{
    assert_int_equal(walk(NULL, &two_steps).verdict, QP_PASS);
    assert_int_equal(seen.starts, 2);
    assert_int_equal(seen.launches, 2); /* the other step is one of two */
}

/* Both would pass by what the launch that warms up found or left there. */
TEST(what_warmed_up_is_forgotten, .setup_func = open_fake, .teardown_func = close_fake)
{
    seen.starts_once = true;
    assert_int_equal(walk(NULL, &two_steps).verdict, QP_FAIL);
    memset(&seen, 0, sizeof seen);
    seen.stages_once = true;
    assert_int_equal(walk(NULL, &two_steps).verdict, QP_FAIL);
}

static double log_bytes(const struct qp_launch *launch)
{
    return 4.0 * launch->height * sizeof(float);
}

/* Nor is there a log of pivots before the first step. */
TEST(no_step_logs_no_pivot, .setup_func = open_fake, .teardown_func = close_fake)
{
    static const struct qp_cuda_kernel logging = {
        .launch = do_nothing, .scratch = scratch, .log_bytes = log_bytes};
    const struct qp_problem_desc wanted = {.op = "gauss_jordan", .width = HEIGHT, .height = HEIGHT};
    for (int steps = 0; steps < 2; steps++) {
        const struct qp_walk_desc desc = {.iterations = steps};
        const struct qp_result result =
            walk_with(NULL, "gauss_jordan/cuda_column", &logging, &wanted, &desc);
        assert_int_equal(result.cause, steps == 0 ? QP_OK : QP_BAD_INPUT);
    }
    support_assert_sentence("the pivot of column 1 is ");
}

/* ---- Refusals ---- */

/* Sizes and inputs are known; there is no array yet. */
static enum qp_status take_some(struct qp_launch *launch)
{
    look_at_device(launch);
    seen.others++;
    assert_true(launch->width == WIDTH && launch->height == HEIGHT && launch->x == NULL);
    assert_true(launch->input[0] != NULL && launch->input[1] == NULL);
    assert_int_equal(qp_cuda_live_blocks(), 0);
    return seen.refuses ? qp_fail(QP_UNSUPPORTED, "has %d multiprocessors alone",
                                  launch->cuda->multiprocessors)
                        : QP_OK;
}

TEST(a_kernel_refuses_before_there_are_arrays, .setup_func = open_fake, .teardown_func = close_fake)
{
    static const struct qp_cuda_kernel choosy = {
        .launch = launch, .scratch = scratch, .takes = take_some, .start = start};
    struct qp_result result;
    result = walk_with(NULL, "transpose/cuda_copy", &choosy, &copies, &two_steps);
    assert_true(result.verdict == QP_PASS && seen.others == 1);
    memset(&seen, 0, sizeof seen);
    seen.refuses = true;
    result = walk_with(NULL, "transpose/cuda_copy", &choosy, &copies, &two_steps);
    assert_int_equal(result.verdict, QP_SKIP);
    assert_non_null(strstr(result.reason, "has 1024 multiprocessors alone"));
    assert_true(seen.others == 1 && seen.starts == 0 && seen.launches == 0);
    assert_true(seen.elsewhere == 0 && cuda_fake.streams == 0);
}

/* ---- Devices ---- */

static void use_another(void *user, enum qp_stage stage, struct qp_plan *plan, double seconds)
{
    (void)user, (void)stage, (void)plan, (void)seconds;
    cuda_fake_device = 0;
}

/* Whatever else the thread does between two stages, and on which device. */
TEST(each_context_has_its_device, .setup_func = open_fake, .teardown_func = close_fake)
{
    struct qp_context *context = support_need_context(state);
    const int own = context->device.cuda_device;
    cuda_fake.devices = 2;
    for (int k = 0; k < 4; k++) {
        const struct qp_walk_desc desc = {.iterations = k < 2 ? 1 : 5, .on_stage = use_another};
        context->device.cuda_device = k % 2;
        struct qp_result result = walk(context, &desc);
        context->device.cuda_device = own;
        assert_int_equal(result.verdict, QP_PASS);
    }
    assert_true(seen.starts == 8 && seen.launches == 10 && seen.others == 16);
    assert_int_equal(seen.elsewhere, 0);
}

/* ---- Every call to CUDA fails once ---- */

/* close_fake looks whether anything is left. */
TEST(every_call_fails_once, .setup_func = open_fake, .teardown_func = close_fake)
{
    static const struct {
        enum qp_status status;
        int error;
    } cases[] = {{QP_NO_MEMORY, FAKE_OUT_OF_MEMORY}, {QP_OK, FAKE_INVALID}};
    struct qp_result result;
    assert_int_equal(walk(NULL, &two_steps).verdict, QP_PASS);
    const int calls = cuda_fake.calls;
    for (int i = 0; i < COUNT(cases); i++) {
        int failed = 0;
        cuda_fake.error = cases[i].error;
        for (int k = 1; k <= calls; k++) {
            cuda_fake.calls = 0;
            cuda_fake.fail_at = k;
            enum qp_status status =
                try_with(NULL, "transpose/cuda_copy", &kernel, &copies, &two_steps, &result);
            assert_int_equal(qp_cuda_live_blocks(), 0);
            assert_int_equal(cuda_fake.streams, 0);
            if (status == QP_OK && result.verdict == QP_PASS)
                continue; /* it was called in tear-down, where no error is returned */
            failed++;
            assert_int_equal(status, cases[i].status);
            assert_int_equal(result.cause, status == QP_OK ? QP_DEVICE : QP_OK);
            support_assert_sentence("stage ");
        }
        assert_true(failed > 10);
    }
}

GROUP(support_open_context, support_close_context)
