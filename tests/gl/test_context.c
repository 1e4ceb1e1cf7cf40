/* SPDX-License-Identifier: MIT */
/* Contexts, alone, in company and in threads, and what passes through one on a walk. */
/* own program: for eglCreateContext, glGetString, which it answers */
#include "support/support.h"

#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/ops/jacobi9/jacobi9.h"
#include "lab/plan/op.h"
#include "toolkit/gl/context/context.h"

enum { WIDTH = 13, HEIGHT = 11, CELLS = WIDTH * HEIGHT };

/* Asserts nothing, because it also runs in threads of its own. */
static enum qp_status walk_to(struct qp_context *context, const char *name,
                              struct qp_walk_desc desc, float cells[CELLS])
{
    const struct qp_variant *variant = qp_variant_find(name);
    struct qp_problem_desc wanted = {.width = WIDTH, .height = HEIGHT, .seed = 7, .weight = 0.9};
    struct qp_problem problem;
    struct qp_result result = {.verdict = QP_FAIL};
    wanted.wraps = qp_jacobi9_variant(variant->recipe)->takes_wraps;
    desc.keep_solution = true;
    enum qp_status status = qp_problem_create(&wanted, &problem);
    if (status == QP_OK)
        status = qp_walk(context, variant, &problem, &desc, &result);
    if (status == QP_OK && result.verdict != QP_PASS)
        status = QP_DEVICE;
    if (status == QP_OK)
        memcpy(cells, result.solution.values, CELLS * sizeof(float));
    qp_matrix_destroy(&result.solution);
    qp_problem_destroy(&problem);
    return status;
}

CLEAN_TEST(the_device_is_described)
{
    const struct qp_device *device = qp_context_device(support_need_context(state));
    const char *const texts[] = {device->renderer, device->vendor, device->version,
                                 device->glsl,     device->egl,    device->why};
    for (int i = 0; i < COUNT(texts); i++)
        assert_true(texts[i] != NULL && texts[i][0] != '\0');
    assert_true(device->rectangle_limit >= 1024 && device->texture_limit >= 1024);
    assert_true(device->texture_units >= 11 && device->vertex_outputs >= 32);
    assert_true(device->colour_attachments >= 2 && device->draw_buffers >= 1);
    assert_int_equal(device->abilities >> QP_ABILITIES, 0);
    /* A probe that is broken would only look like a poor device, and variants that need it would be
     * skipped. */
    if (strncmp(device->renderer, "llvmpipe", 8) == 0 && atof(device->version) >= 4.5)
        assert_int_equal(device->abilities, (1 << QP_ABILITIES) - 1);
    for (int i = 0; i < QP_ABILITIES; i++)
        assert_string_not_equal(qp_ability_name(i), qp_ability_name(QP_ABILITIES));
#ifdef QP_DEBUG
    const bool debug = qp_context_has(*state, "GL_KHR_debug");
#else
    const bool debug = false;
#endif
    assert_int_equal(glIsEnabled(GL_DEBUG_OUTPUT), debug);
    while (glGetError() != GL_NO_ERROR) /* errors of an OpenGL without that word */
        continue;
}

CLEAN_TEST(devices_that_are_not_there)
{
    static const struct {
        const char *name;
        enum qp_status status;
        const char *words;
    } cases[] = {{"radeon", QP_BAD_USE, "no device is called 'radeon'; use auto, llvmpipe, nvidia"},
                 {"", QP_BAD_USE, "use auto"},
                 {"-1", QP_BAD_USE, "'-1'"},
                 {"1x", QP_BAD_USE, "'1x'"},
                 {"31", QP_NO_DEVICE, "number 31"},
                 {"nvidia", QP_NO_DEVICE, "10_nvidia.json"}};
    bool nvidia = strstr(qp_context_device(support_need_context(state))->vendor, "NVIDIA") != NULL;
    for (int i = 0; i < COUNT(cases) - nvidia; i++) {
        struct qp_context_desc desc = {.device = cases[i].name};
        struct qp_context *context = *state;
        assert_int_equal(qp_context_create(&desc, &context), cases[i].status);
        assert_null(context);
        support_assert_sentence(cases[i].words);
    }
}

/* The environment's device replaces "auto" alone, and an empty one for none. */
CLEAN_TEST(the_environment_names_a_device)
{
    struct qp_context *context = NULL;
    char before[64];
    const char *const was = getenv("QUADPASS_DEVICE");
    support_need_context(state);
    snprintf(before, sizeof before, "%s", was != NULL ? was : "");
    setenv("QUADPASS_DEVICE", "radeon", 1);
    const struct qp_context_desc automatic = {.device = "auto"}, far = {.device = "31"};
    const enum qp_status none = qp_context_create(NULL, &context),
                         same = qp_context_create(&automatic, &context);
    support_assert_sentence("no device is called 'radeon'");
    const enum qp_status given = qp_context_create(&far, &context);
    support_assert_sentence("EGL lists no device number 31; use auto, or a smaller number");
    setenv("QUADPASS_DEVICE", "", 1);
    const enum qp_status empty = qp_context_create(NULL, &context);
    if (was != NULL)
        setenv("QUADPASS_DEVICE", before, 1);
    else
        unsetenv("QUADPASS_DEVICE");
    assert_ok(empty);
    qp_context_destroy(&context);
    assert_true(none == QP_BAD_USE && same == QP_BAD_USE && given == QP_NO_DEVICE);
}

/* EGL's own, but for the first `refusals` calls, as drivers do that lack an attribute. */
static int refusals, asked;

EGLContext eglCreateContext(EGLDisplay display, EGLConfig config, EGLContext share,
                            const EGLint *attributes)
{
    EGLContext (*real)(EGLDisplay, EGLConfig, EGLContext, const EGLint *);
    *(void **)&real = dlsym(RTLD_NEXT, "eglCreateContext");
    return asked++ < refusals ? EGL_NO_CONTEXT : real(display, config, share, attributes);
}

/* Older drivers get fewer attributes, and at last none; after that nothing more is tried. */
CLEAN_TEST(older_drivers_are_asked_for_less)
{
    enum { LISTS = 3 };
    struct qp_context *context = NULL;
    support_need_context(state);
    for (refusals = 0; refusals < LISTS; refusals++) {
        asked = 0;
        assert_ok(qp_context_create(NULL, &context));
        assert_int_equal(asked, refusals + 1);
        qp_context_destroy(&context);
    }
    refusals = 9999;
    asked = 0;
    assert_int_equal(qp_context_create(&(struct qp_context_desc){.device = "0"}, &context),
                     QP_NO_DEVICE);
    refusals = 0;
    assert_in_range(asked, 0, LISTS); /* 0: the first device has no display */
}

/* OpenGL's own, but for the first `strangers` renderers that a context is asked for. */
static int strangers;

const GLubyte *glGetString(GLenum name)
{
    const GLubyte *(*real)(GLenum);
    *(void **)&real = dlsym(RTLD_NEXT, "glGetString");
    return name == GL_RENDERER && strangers-- > 0 ? (const GLubyte *)"Stranger 3000" : real(name);
}

/* A device of another kind than the one asked for is passed over, as is one that cannot be opened,
 * and the next says which one came before it. */
CLEAN_TEST(other_devices_are_passed_over)
{
    static const struct qp_context_desc desc = {.device = "llvmpipe"};
    struct qp_context *context = NULL;
    char wanted[256];
    int candidates = 0, first = 0;
    support_need_context(state);
    if (qp_context_create(&desc, &context) != QP_OK)
        skip();
    sscanf(context->device.why, "llvmpipe, candidate %d of %d", &first, &candidates);
    snprintf(wanted, sizeof wanted, "llvmpipe, candidate 1 of %d", candidates);
    assert_string_equal(context->device.why, wanted);
    assert_true(context->device.software);
    qp_context_destroy(&context);
    for (int i = 1; i < candidates; i++) {
        strangers = i;
        assert_true(eglBindAPI(EGL_OPENGL_ES_API));
        assert_ok(qp_context_create(&desc, &context));
        assert_int_equal(eglQueryAPI(), EGL_OPENGL_ES_API); /* as the caller had it */
        assert_true(eglBindAPI(EGL_OPENGL_API));
        snprintf(wanted, sizeof wanted,
                 "llvmpipe, candidate %d of %d; before it: got Stranger 3000 instead", i + 1,
                 candidates);
        assert_string_equal(context->device.why, wanted);
        qp_context_destroy(&context);
    }
    strangers = candidates;
    assert_int_equal(qp_context_create(&desc, &context), QP_NO_DEVICE);
    support_assert_sentence("no usable OpenGL device for 'llvmpipe' (got Stranger 3000 instead); "
                            "install Mesa's software driver");
    assert_int_equal(strangers, 0);
    refusals = 9999;
    assert_int_equal(qp_context_create(&desc, &context), QP_NO_DEVICE);
    support_assert_sentence("no usable OpenGL device for 'llvmpipe' (eglCreateContext failed with "
                            "0x3000; the driver may be too old); install");
    refusals = 0;
}

/* A walk in another thread: in the context given, or in one of the thread's own. */
struct job {
    pthread_t thread;
    struct qp_context *context;
    enum qp_status status;
    char sentence[256];
    float cells[CELLS];
};

static void *do_job(void *pointer)
{
    struct job *job = pointer;
    struct qp_context *own = NULL;
    job->status = job->context != NULL ? QP_OK : qp_context_create(NULL, &own);
    if (job->status == QP_OK)
        job->status = walk_to(own != NULL ? own : job->context, "vertex",
                              (struct qp_walk_desc){.iterations = 9}, job->cells);
    snprintf(job->sentence, sizeof job->sentence, "%s", qp_error());
    qp_context_destroy(&own);
    return NULL;
}

CLEAN_TEST(a_context_stays_in_its_thread)
{
    struct job job = {.context = support_need_context(state)};
    assert_int_equal(pthread_create(&job.thread, NULL, do_job, &job), 0);
    assert_int_equal(pthread_join(job.thread, NULL), 0);
    assert_int_equal(job.status, QP_BAD_USE);
    assert_non_null(strstr(job.sentence, "another thread"));
}

CLEAN_TEST(contexts_do_not_disturb_each_other)
{
    struct qp_walk_desc desc = {.iterations = 9};
    struct qp_context *first = support_need_context(state), *second = NULL;
    struct job jobs[4] = {{.status = QP_DEVICE}};
    float wanted[CELLS], got[CELLS];
    assert_ok(walk_to(first, "vertex", desc, wanted));
    for (int i = 0; i < COUNT(jobs); i++)
        assert_int_equal(pthread_create(&jobs[i].thread, NULL, do_job, &jobs[i]), 0);
    assert_ok(qp_context_create(NULL, &second)); /* two in this thread, while others come and go */
    for (int turn = 0; turn < 4; turn++) {
        struct qp_context *context = turn % 2 ? first : second;
        assert_ok(walk_to(context, "vertex", desc, got));
        assert_memory_equal(got, wanted, sizeof wanted);
        assert_ptr_equal(eglGetCurrentContext(), context->handle);
    }
    qp_context_destroy(&second);
    assert_null(second);
    for (int i = 0; i < COUNT(jobs); i++) {
        assert_int_equal(pthread_join(jobs[i].thread, NULL), 0);
        assert_int_equal(jobs[i].status, QP_OK);
        assert_memory_equal(jobs[i].cells, wanted, sizeof wanted);
    }
}

/* All ways to change the two textures' roles, on both kinds of texture, give the same bits. */
CLEAN_TEST(all_pingpongs_agree)
{
    static const char *const names[] = {"luminance", "vertex", "rgba_abreast"};
    static const int steps[] = {1, 2, 7};
    struct qp_context *context = support_need_context(state);
    for (int i = 0; i < COUNT(names) * COUNT(steps); i++) {
        float cells[2 * QP_PINGPONG_STYLES][CELLS];
        for (int k = 0; k < COUNT(cells); k++) {
            struct qp_walk_desc desc = {.iterations = steps[i / 3],
                                        .pingpong = (enum qp_pingpong_style)(k / 2),
                                        .target = k % 2 ? QP_2D : QP_RECTANGLE};
            assert_ok(walk_to(context, names[i % 3], desc, cells[k]));
            assert_memory_equal(cells[k], cells[0], sizeof cells[0]);
        }
    }
}

/* Draws a step: paper 1's last two rungs take an interior and two lines. */
static const struct {
    const char *name;
    int passes;
} counts[] = {{"generic", 1}, {"bands", 1},     {"inverse", 1}, {"multipass", 3},
              {"vertex", 3},  {"luminance", 1}, {"rgba", 1},    {"rgba_abreast", 1}};

/* Stage 4 draws each step's passes once to warm up. To the device go the start and the empty
 * target, the latter again after warming up, and each input once; back comes x, once. */
CLEAN_TEST(passes_and_bytes_are_counted)
{
    enum { STEPS = 5 };
    struct qp_context *context = support_need_context(state);
    for (int i = 0; i < COUNT(counts); i++) {
        const struct qp_recipe *recipe = qp_variant_find(counts[i].name)->recipe;
        struct qp_layout layout = qp_layout_make(recipe->state, WIDTH, HEIGHT, 1);
        size_t storage = qp_layout_values(&layout) * sizeof(float), written = 3 * storage;
        for (int k = 0; k < qp_recipe_inputs(recipe); k++) {
            layout = qp_layout_make(recipe->input[k].shape, WIDTH, HEIGHT, recipe->input[k].fields);
            written += qp_layout_values(&layout) * sizeof(float);
        }
        float cells[CELLS];
        struct qp_counters before = qp_context_counters(context);
        assert_ok(
            walk_to(context, counts[i].name, (struct qp_walk_desc){.iterations = STEPS}, cells));
        struct qp_counters after = qp_context_counters(context);
        assert_int_equal(after.passes - before.passes, counts[i].passes * (STEPS + 1));
        assert_int_equal(after.bytes_read - before.bytes_read, storage);
        assert_int_equal(after.bytes_written - before.bytes_written, written);
        assert_int_equal(after.live_objects, 0);
    }
}

/* A residual comes back as a column of texels, every so often; x still comes back once. */
static bool note_residual(void *user, int step, double residual)
{
    (void)step;
    *(int *)user += isfinite(residual) ? 1 : 1000;
    return true;
}

CLEAN_TEST(residuals_cost_a_column)
{
    struct qp_context *context = support_need_context(state);
    for (int i = 0; i < COUNT(counts); i++) {
        struct qp_layout layout =
            qp_layout_make(qp_variant_find(counts[i].name)->recipe->state, WIDTH, HEIGHT, 1);
        int seen = 0;
        struct qp_walk_desc desc = {
            .iterations = 7, .every = 2, .on_residual = note_residual, .user = &seen};
        float cells[CELLS];
        size_t before = qp_context_counters(context).bytes_read;
        assert_ok(walk_to(context, counts[i].name, desc, cells));
        assert_int_equal(seen, 3); /* and one to warm up */
        assert_int_equal(qp_context_counters(context).bytes_read - before,
                         sizeof(float) * (qp_layout_values(&layout) +
                                          4 * (size_t)(layout.channels * layout.domain_y)));
    }
}

/* Lines may lose a texel at some heights and not at others. */
CLEAN_TEST(boundary_lines_at_every_height)
{
    struct qp_context *context = support_need_context(state);
    for (int i = 0; i < 2 * 130; i++) {
        struct qp_problem_desc desc = {.width = 3, .height = 1 + i / 2, .wraps = true};
        struct qp_walk_desc walk = {.iterations = 1};
        struct qp_problem problem;
        struct qp_result result;
        assert_ok(qp_problem_create(&desc, &problem));
        assert_ok(qp_walk(context, qp_variant_find(i % 2 ? "vertex" : "multipass"), &problem, &walk,
                          &result));
        qp_problem_destroy(&problem);
        assert_int_equal(result.verdict, QP_PASS);
    }
}

/* Without reference and comparison an answer must at least be finite. */
CLEAN_TEST(unchecked_walks_look_for_infinity)
{
    struct qp_context *context = support_need_context(state);
    struct qp_problem_desc desc = {.width = WIDTH, .height = HEIGHT, .weight = 0.9};
    struct qp_walk_desc walk = {.iterations = 2, .unchecked = true};
    struct qp_problem problem;
    struct qp_result result;
    assert_ok(qp_problem_create(&desc, &problem));
    assert_ok(qp_walk(context, qp_variant_find("luminance"), &problem, &walk, &result));
    assert_int_equal(result.verdict, QP_PASS);
    qp_problem_field(&problem, "b")->values[CELLS / 2] = INFINITY;
    assert_ok(qp_walk(context, qp_variant_find("luminance"), &problem, &walk, &result));
    qp_problem_destroy(&problem);
    assert_int_equal(result.verdict, QP_FAIL);
}

GROUP(support_open_context, support_close_context)
