/* SPDX-License-Identifier: MIT */
/* A texture in two hands, on a device that has both: what CUDA stores OpenGL finds and the other
 * way round, without a byte through the host. Where there is no such device, the sentence that says
 * why is what is tested (test_interop_refused.c goes on from there). */
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <quadpass/cuda.h>

#include "lab/plan/op.h"
#include "support/relax.h"
#include "toolkit/cuda/device.h"
#include "toolkit/gl/framebuffer.h"
#include "toolkit/gl/readback.h"
#include "toolkit/gl/texture.h"

/* In lab/ops/jacobi9/arrays.cu, which a build without CUDA lacks. */
int interop_bump(const struct qp_shared_view *view, void *stream) __attribute__((weak));
qp_kernel_launch interop_relax __attribute__((weak));
qp_kernel_launch interop_relax_less __attribute__((weak));
qp_kernel_launch interop_no_launch __attribute__((weak));

enum { WIDTH = 97, HEIGHT = 61 };

/* The context of this group, if CUDA has its device. */
static struct qp_context *need_cuda(void **state)
{
    struct qp_context *context = support_need_context(state);
    support_need_cuda(qp_cuda_use(context, NULL));
    return context;
}

CLEAN_TEST(somewhere_it_is_said_why_not)
{
    static const char *const reasons[] = {"built without CUDA",          "no NVIDIA driver here",
                                          "install a newer driver",      "no CUDA device here",
                                          "which is no CUDA device",     "build with CUDA_ARCH=",
                                          "look at CUDA_VISIBLE_DEVICES"};
    int ordinal = -1, told = 0;
    struct qp_context *context = support_need_context(state);
    if (qp_cuda_use(context, &ordinal) == QP_OK) {
        assert_int_equal(ordinal, qp_context_device(context)->cuda_device);
        return;
    }
    for (int i = 0; i < COUNT(reasons); i++)
        told += strstr(qp_error(), reasons[i]) != NULL;
    assert_int_equal(told, 1);
    assert_int_equal(ordinal, -1);
}

/* ---- Textures and buffers ---- */

static void read_texels(struct qp_context *context, const struct qp_texture *texture, float *texels)
{
    struct qp_surface surface = {0, GL_COLOR_ATTACHMENT0};
    assert_ok(qp_framebuffer_create(context, &texture, 1, &surface.framebuffer_id));
    assert_ok(qp_readback(context, surface, texture->format, 0, 0, texture->width, texture->height,
                          texels));
    qp_framebuffer_destroy(context, &surface.framebuffer_id);
}

/* Draws into a framebuffer's only texture. */
static void clear(GLuint framebuffer_id, float value)
{
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_id);
    glDrawBuffer(GL_COLOR_ATTACHMENT0);
    glDisable(GL_SCISSOR_TEST);
    glClearColor(value, value, value, value);
    glClear(GL_COLOR_BUFFER_BIT);
}

static void bump(struct qp_shared *const *shared, int count)
{
    struct qp_shared_view view;
    assert_ok(qp_shared_map(shared, count, NULL));
    for (int i = 0; i < count; i++) {
        assert_ok(qp_shared_look(shared[i], &view));
        assert_int_equal(interop_bump(&view, NULL), 0);
    }
    assert_ok(qp_shared_unmap(shared, count, NULL));
}

/* A texture of this kind, uploaded by OpenGL, bumped by CUDA twice, read by OpenGL. */
static void pass_round(struct qp_context *context, enum qp_format format,
                       enum qp_texture_target target)
{
    enum { MOST = 4 * WIDTH * HEIGHT };
    static float texels[MOST];
    const int channels = qp_format_channels(format), count = channels * WIDTH * HEIGHT;
    struct qp_texture texture;
    struct qp_shared *shared;
    struct qp_shared_view view;
    for (int i = 0; i < count; i++)
        texels[i] = (float)i;
    assert_ok(
        qp_texture_create(context, qp_gl_target(target), format, WIDTH, HEIGHT, texels, &texture));
    const struct qp_shared_desc desc = {.texture = texture.id, .target = target};
    assert_ok(qp_shared_create(context, &desc, &shared));
    bump(&shared, 1);
    bump(&shared, 1);
    assert_ok(qp_shared_map(&shared, 1, NULL));
    assert_ok(qp_shared_look(shared, &view));
    assert_ok(qp_shared_unmap(&shared, 1, NULL));
    assert_int_equal(view.width, WIDTH);
    assert_int_equal(view.height, HEIGHT);
    assert_int_equal(view.channels, channels);
    assert_true(view.array != NULL && view.pointer == NULL);
    read_texels(context, &texture, texels);
    for (int i = 0; i < count; i++)
        assert_true(texels[i] == (float)(i + 2 * (i % channels + 1)));
    qp_shared_destroy(&shared);
    qp_texture_destroy(&texture);
}

CLEAN_TEST(every_format_and_target)
{
    struct qp_context *context = need_cuda(state);
    for (int target = 0; target < QP_TEXTURE_TARGETS; target++)
        for (int format = QP_LUMINANCE32F; format <= QP_RGBA32F; format++)
            pass_round(context, (enum qp_format)format, (enum qp_texture_target)target);
}

CLEAN_TEST(a_buffer)
{
    struct qp_context *context = need_cuda(state);
    struct qp_shared *shared;
    struct qp_shared_desc desc = {0};
    float values[WIDTH];
    for (int i = 0; i < WIDTH; i++)
        values[i] = (float)i;
    glGenBuffers(1, &desc.buffer);
    glBindBuffer(GL_ARRAY_BUFFER, desc.buffer);
    glBufferData(GL_ARRAY_BUFFER, sizeof values, values, GL_DYNAMIC_COPY);
    assert_ok(qp_shared_create(context, &desc, &shared));
    bump(&shared, 1);
    glGetBufferSubData(GL_ARRAY_BUFFER, 0, sizeof values, values);
    for (int i = 0; i < WIDTH; i++)
        assert_true(values[i] == (float)(i + 1));
    qp_shared_destroy(&shared);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glDeleteBuffers(1, &desc.buffer);
}

static GLuint bound(GLenum binding)
{
    GLint id = 0;
    glGetIntegerv(binding, &id);
    return (GLuint)id;
}

/* Before CUDA is asked OpenGL is, which a program must not notice, whatever comes of it. */
CLEAN_TEST(bindings_stay)
{
    const struct {
        GLenum target, binding;
    } cases[] = {{GL_TEXTURE_RECTANGLE_ARB, GL_TEXTURE_BINDING_RECTANGLE_ARB},
                 {GL_TEXTURE_2D, GL_TEXTURE_BINDING_2D}};
    struct qp_context *context = support_need_context(state);
    struct qp_texture one, other;
    struct qp_shared *shared;
    GLuint buffer_id[2];
    for (int i = 0; i < COUNT(cases); i++) {
        assert_ok(qp_texture_create(context, cases[i].target, QP_R32F, 5, 3, NULL, &one));
        assert_ok(qp_texture_create(context, cases[i].target, QP_R32F, 5, 3, NULL, &other));
        for (int target = 0; target < QP_TEXTURE_TARGETS; target++) { /* right and wrong */
            const struct qp_shared_desc desc = {.texture = one.id,
                                                .target = (enum qp_texture_target)target};
            glBindTexture(cases[i].target, other.id);
            qp_shared_create(context, &desc, &shared);
            assert_int_equal(bound(cases[i].binding), other.id);
            qp_shared_destroy(&shared);
        }
        qp_texture_destroy(&one);
        qp_texture_destroy(&other);
    }
    glGenBuffers(2, buffer_id);
    for (int i = 0; i < 2; i++) {
        glBindBuffer(GL_COPY_READ_BUFFER, buffer_id[i]);
        glBufferData(GL_COPY_READ_BUFFER, 64, NULL, GL_DYNAMIC_COPY);
    }
    qp_shared_create(context, &(struct qp_shared_desc){.buffer = buffer_id[0]}, &shared);
    assert_int_equal(bound(GL_COPY_READ_BUFFER_BINDING), buffer_id[1]);
    qp_shared_destroy(&shared);
    glBindBuffer(GL_COPY_READ_BUFFER, 0);
    glDeleteBuffers(2, buffer_id);
}

/* Many turns, two textures in each: none may find the values from before the last one, and none may
 * overtake another, though OpenGL has nothing to do but the one draw. */
CLEAN_TEST(turn_by_turn)
{
    enum { TURNS = 20 };
    static float texels[WIDTH * HEIGHT];
    struct qp_context *context = need_cuda(state);
    struct qp_texture texture[2];
    struct qp_shared *shared[2];
    GLuint framebuffer_id[2];
    for (int i = 0; i < 2; i++) {
        const struct qp_texture *one = &texture[i];
        assert_ok(
            qp_texture_create(context, GL_TEXTURE_2D, QP_R32F, WIDTH, HEIGHT, NULL, &texture[i]));
        assert_ok(qp_framebuffer_create(context, &one, 1, &framebuffer_id[i]));
        const struct qp_shared_desc desc = {.texture = texture[i].id, .target = QP_2D};
        assert_ok(qp_shared_create(context, &desc, &shared[i]));
    }
    const struct qp_counters before = qp_context_counters(context);
    for (int turn = 0; turn < TURNS; turn++) {
        for (int i = 0; i < 2; i++)
            clear(framebuffer_id[i], (float)(10 * turn + i));
        bump(shared, 2);
    }
    assert_int_equal(qp_context_counters(context).bytes_read, before.bytes_read);
    assert_int_equal(qp_context_counters(context).bytes_written, before.bytes_written);
    for (int i = 0; i < 2; i++) {
        read_texels(context, &texture[i], texels);
        for (int k = 0; k < WIDTH * HEIGHT; k++)
            assert_true(texels[k] == (float)(10 * (TURNS - 1) + i + 1));
        qp_shared_destroy(&shared[i]);
        qp_framebuffer_destroy(context, &framebuffer_id[i]);
        qp_texture_destroy(&texture[i]);
    }
}

/* ---- Variants ---- */

static enum qp_verdict walk(struct qp_context *context, const char *name, int steps,
                            struct qp_matrix *out, size_t *bytes)
{
    struct qp_problem_desc wanted = {.width = WIDTH, .height = HEIGHT, .seed = 3, .weight = 0.9};
    struct qp_walk_desc desc = {.iterations = steps, .keep_solution = true};
    struct qp_problem problem;
    struct qp_result result;
    struct qp_counters before = qp_context_counters(context);
    assert_ok(qp_problem_create(&wanted, &problem));
    assert_ok(qp_walk(context, qp_variant_find(name), &problem, &desc, &result));
    qp_problem_destroy(&problem);
    struct qp_counters after = qp_context_counters(context);
    *bytes = after.bytes_read - before.bytes_read + after.bytes_written - before.bytes_written;
    *out = result.solution;
    return result.verdict;
}

/* Rows of the answer, from below, that are luminance's bit for bit: what the shader drew. */
static int drawn_rows(struct qp_context *context, const char *name, int steps)
{
    struct qp_matrix drawn, shared;
    size_t bytes;
    int rows = 0;
    assert_int_equal(walk(context, "jacobi9/luminance", steps, &drawn, &bytes), QP_PASS);
    assert_int_equal(walk(context, name, steps, &shared, &bytes), QP_PASS);
    while (rows < HEIGHT && memcmp(drawn.values + rows * WIDTH, shared.values + rows * WIDTH,
                                   WIDTH * sizeof(float)) == 0)
        rows++;
    qp_matrix_destroy(&drawn);
    qp_matrix_destroy(&shared);
    return rows;
}

/* A kernel's roundings are not a shader's, so that it shows who computed what. */
CLEAN_TEST(each_hand_has_its_share)
{
    struct qp_context *context = need_cuda(state);
    int rows = drawn_rows(context, "jacobi9/cuda_halves", 1);
    assert_true(rows >= (HEIGHT + 1) / 2 && rows < HEIGHT);
    assert_int_equal(drawn_rows(context, "jacobi9/cuda_alternate", 1), HEIGHT);
    assert_true(drawn_rows(context, "jacobi9/cuda_alternate", 2) < HEIGHT);
}

CLEAN_TEST(no_step_goes_through_the_host)
{
    static const char *const names[] = {"jacobi9/cuda_halves", "jacobi9/cuda_alternate"};
    struct qp_context *context = need_cuda(state);
    for (int i = 0; i < COUNT(names); i++) {
        struct qp_matrix x;
        size_t once, often;
        assert_int_equal(walk(context, names[i], 1, &x, &once), QP_PASS);
        qp_matrix_destroy(&x);
        assert_int_equal(walk(context, names[i], 50, &x, &often), QP_PASS);
        qp_matrix_destroy(&x);
        assert_int_equal(once, often);
    }
}

/* ---- A user's own kernel ---- */

static const struct qp_variant *add_launch(struct qp_trial *trial, qp_kernel_launch *launch)
{
    const struct qp_variant *variant;
    struct qp_trial_variant desc = {.name = "own", .kernel = {relax_kernel}};
    desc.kernel[0].launch = launch;
    assert_ok(qp_trial_add(trial, &desc, &variant));
    return variant;
}

CLEAN_TEST(own_kernels_are_judged)
{
    struct qp_context *context = need_cuda(state);
    const struct {
        qp_kernel_launch *launch;
        enum qp_verdict verdict;
        const char *words;
    } cases[] = {
        {interop_relax, QP_PASS, ""},
        {interop_relax_less, QP_FAIL, "; it should be "},
        {relax_nothing, QP_FAIL, "; it should be "},
        {interop_no_launch, QP_FAIL, "CUDA could not launch relax/own: invalid "},
    };
    for (int i = 0; i < COUNT(cases); i++) {
        struct qp_trial *op = relax_make();
        struct qp_tally tally = relax_check(context, op, add_launch(op, cases[i].launch));
        assert_int_equal(qp_tally_verdict(&tally), cases[i].verdict);
        if (strstr(tally.worst.reason, cases[i].words) == NULL)
            fail_msg("'%s' does not say '%s'", tally.worst.reason, cases[i].words);
        qp_trial_destroy(&op);
    }
}

CLEAN_TEST(own_kernels_are_skipped_by_name)
{
    struct qp_context *context = support_need_context(state);
    if (qp_cuda_look(-1) == QP_OK)
        skip();
    struct qp_trial *op = relax_make();
    const struct qp_variant *variant = add_launch(op, relax_nothing);
    struct qp_tally tally = relax_check(context, op, variant);
    assert_int_equal(variant->backend, QP_CUDA);
    assert_int_equal(qp_tally_verdict(&tally), QP_SKIP);
    assert_int_not_equal(qp_cuda_look(-1), QP_OK);
    assert_non_null(strstr(tally.worst.reason, qp_error()));
    qp_trial_destroy(&op);
}

/* Runs a demo and keeps its output; false where it must refuse to run, and did. */
static bool run_demo(void **state, const char *name, char *text, size_t room)
{
    struct qp_context *context = support_need_context(state);
    char path[256];
    snprintf(path, sizeof path, QP_BUILD_DIR "/demos/%s", name);
    if (!support_has_cuda())
        skip(); /* the program there was built with another CUDA= */
    FILE *pipe = popen(path, "r");
    assert_non_null(pipe);
    text[fread(text, 1, room - 1, pipe)] = '\0';
    assert_int_equal(pclose(pipe), 0);
    if (qp_cuda_use(context, NULL) == QP_OK)
        return true;
    assert_int_equal(strncmp(text, "skipped: ", 9), 0);
    assert_non_null(strstr(text, qp_error()));
    return false;
}

/* The stranger's whole program: the origin never leaves, far points do; or a sentence. */
CLEAN_TEST(the_demo)
{
    enum { COLUMNS = 72, ROWS = 28 };
    static char text[4096];
    if (!run_demo(state, "interop", text, sizeof text))
        return;
    assert_int_equal(strlen(text), (COLUMNS + 1) * ROWS);
    assert_int_equal(text[(COLUMNS + 1) * (ROWS / 2) + 51], '#');
    assert_int_equal(text[0], '.');
}

/* A call and what follows it takes longer than the call, at every size. */
CLEAN_TEST(what_handing_over_costs)
{
    static char text[4096];
    if (!run_demo(state, "handover", text, sizeof text))
        return;
    const char *call = strstr(text, "\n| map: the call |"),
               *done = strstr(text, "CUDA has waited |");
    assert_true(call != NULL && done != NULL);
    for (int k = 0; k < 6; k++) {
        call = strchr(strchr(call + 3, '|'), ' ');
        done = strchr(strchr(done, '|'), ' ');
        assert_true(strtod(call, NULL) > 0.0 && strtod(done, NULL) >= strtod(call, NULL));
    }
    assert_non_null(strstr(text, "\n| unregister | "));
}

GROUP(support_open_context, support_close_context)
