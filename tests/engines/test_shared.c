/* SPDX-License-Identifier: MIT */
/* Variants in two hands: how often their textures change hands, and that a walk which is cut short
 * anywhere leaves nothing mapped, registered or allocated. CUDA is a fake, and so is the kernel;
 * OpenGL is not. */
/* wrap: cuda_fake*.c */
#include "support/sharing.h"

#include <signal.h>

#include "lab/engines/shared.h"
#include "lab/plan/op.h"
#include "toolkit/cuda/device.h"

enum { WIDTH = 6, HEIGHT = 5, TEXTURES = 12 };

/* Counters of the kernel's calls. */
static struct {
    int launches;
    int out_of_turn; /* how often it was called while OpenGL had a texture */
    volatile sig_atomic_t interrupt, interrupts; /* set by every launch, if wanted */
} seen;

/* Computes nothing: the answer stays NaN wherever nothing was drawn. */
static enum qp_status launch(struct qp_launch *launch)
{
    const struct qp_shared_arrays *arrays = launch->own;
    seen.launches++;
    seen.out_of_turn += cuda_fake.mapped != TEXTURES || cuda_fake.stream != launch->cuda->stream ||
                        arrays->x.texture == 0 || arrays->out.surface == 0 ||
                        arrays->x.texture == arrays->out.texture || arrays->input[9].texture == 0;
    seen.interrupt = seen.interrupts;
    return QP_OK;
}

static const struct qp_cuda_kernel kernel = {.launch = launch};

/* A variant with that kernel in place of its own. */
static enum qp_status walk(struct qp_context *context, const char *name,
                           const struct qp_walk_desc *desc, struct qp_result *result)
{
    const struct qp_problem_desc wanted = {.width = WIDTH, .height = HEIGHT};
    const struct qp_variant *real = qp_variant_find(name);
    struct qp_recipe recipe = *real->recipe;
    struct qp_variant variant = *real;
    struct qp_problem problem;
    recipe.kernel = &kernel;
    variant.recipe = &recipe;
    assert_ok(qp_problem_create(&wanted, &problem));
    enum qp_status status = qp_walk(context, &variant, &problem, desc, result);
    qp_problem_destroy(&problem);
    return status;
}

static void assert_nothing_left(const struct qp_context *context)
{
    assert_int_equal(cuda_fake.registered, 0);
    assert_int_equal(cuda_fake.mapped, 0);
    assert_int_equal(cuda_fake.objects, 0);
    assert_int_equal(cuda_fake.streams, 0);
    assert_int_equal(qp_cuda_live_blocks(), 0);
    assert_int_equal(qp_context_counters(context).shared_objects, 0);
    assert_int_equal(qp_context_counters(context).live_objects, 0);
}

/* Launches and maps of `steps` steps, what warms up among them. */
static void count(struct qp_context *context, const char *name, int steps,
                  enum qp_pingpong_style style, int *launches, int *turns)
{
    const struct qp_walk_desc desc = {.iterations = steps, .pingpong = style};
    struct qp_result result;
    seen.launches = seen.out_of_turn = cuda_fake.turns = 0;
    assert_ok(walk(context, name, &desc, &result));
    assert_int_equal(result.cause, QP_OK);
    assert_int_equal(seen.out_of_turn, 0);
    assert_nothing_left(context);
    *launches = seen.launches;
    *turns = cuda_fake.turns;
}

/* Copying the target back is OpenGL's, so that nothing stays with CUDA from step to step. */
FAKE_TEST(textures_change_hands_when_they_must)
{
    static const struct {
        const char *name;
        int launches, turns, turns_copied; /* counts of four more steps */
    } rows[] = {
        {"jacobi9/cuda_halves", 4, 4, 4},        {"jacobi9/cuda_alternate", 2, 2, 2},
        {"jacobi9/cuda_arrays", 4, 0, 4},        {"jacobi9/cuda_arrays_surfaces", 4, 0, 4},
        {"jacobi9/cuda_arrays_mapped", 4, 4, 4}, {"jacobi9/cuda_arrays_registered", 4, 4, 4}};
    struct qp_context *context = need_fake(state);
    for (int i = 0; i < 2 * COUNT(rows); i++) {
        const bool copies = i % 2 == 1;
        const enum qp_pingpong_style style = copies ? QP_COPY : QP_TWO_ATTACHMENTS;
        int launches[2], turns[2];
        count(context, rows[i / 2].name, 1, style, &launches[0], &turns[0]);
        count(context, rows[i / 2].name, 5, style, &launches[1], &turns[1]);
        assert_int_equal(launches[1] - launches[0], rows[i / 2].launches);
        assert_int_equal(turns[1] - turns[0],
                         copies ? rows[i / 2].turns_copied : rows[i / 2].turns);
    }
}

FAKE_TEST(a_walk_is_interrupted)
{
    struct qp_context *context = need_fake(state);
    struct qp_walk_desc desc = {.iterations = 50, .interrupt = &seen.interrupt};
    struct qp_result result;
    seen.interrupts = 1;
    assert_ok(walk(context, "jacobi9/cuda_arrays", &desc, &result));
    seen.interrupts = seen.interrupt = 0;
    assert_int_equal(result.iterations, 0); /* the launch that warms up was the first */
    assert_nothing_left(context);
}

/* Every call fails once, also while all is mapped. */
FAKE_TEST(every_call_fails_once)
{
    static const char *const names[] = {"jacobi9/cuda_halves", "jacobi9/cuda_arrays_registered"};
    const struct qp_walk_desc desc = {.iterations = 2};
    struct qp_context *context = need_fake(state);
    struct qp_result result;
    for (int i = 0; i < COUNT(names); i++) {
        int failed = 0;
        cuda_fake.calls = cuda_fake.fail_at = 0;
        cuda_fake.error = FAKE_OUT_OF_MEMORY;
        assert_ok(walk(context, names[i], &desc, &result));
        const int calls = cuda_fake.calls;
        for (int k = 1; k <= calls; k++) {
            cuda_fake.calls = 0;
            cuda_fake.fail_at = k;
            enum qp_status status = walk(context, names[i], &desc, &result);
            if (status != QP_OK) { /* else it was called in tear-down, where no error is returned */
                assert_sharing_refused(status, QP_NO_MEMORY, "CUDA could not");
                failed++;
            }
            assert_nothing_left(context);
        }
        assert_true(failed > 50);
    }
}

GROUP(support_open_context, support_close_context)
