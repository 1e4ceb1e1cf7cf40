/* SPDX-License-Identifier: MIT */
/* A device that is reset under a run, and memory that is not there: both are reported in time, in a
 * sentence, and the run ends cleanly. */
/* wrap: faults.c */
#include "support/support.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "lab/engines/choose.h"
#include "support/faults.h"
#include "toolkit/base/memory.h"
#include "toolkit/gl/buffer.h"
#include "toolkit/gl/context/context.h"
#include "toolkit/gl/texture.h"

/* ---- Lost contexts ---- */

static enum qp_status walk(struct qp_context *context, const char *name, int every)
{
    struct qp_problem_desc wanted = {.width = 6, .height = 5};
    struct qp_walk_desc desc = {.iterations = 3, .every = every};
    struct qp_problem problem;
    struct qp_result result;
    enum qp_status status = qp_problem_create(&wanted, &problem);
    if (status == QP_OK)
        status = qp_walk(context, qp_variant_find(name), &problem, &desc, &result);
    if (status == QP_OK && result.verdict != QP_PASS)
        status = qp_fail(QP_UNSUPPORTED, "%s", result.reason);
    qp_problem_destroy(&problem);
    return status;
}

/* Whenever the driver reports a reset, the walk ends with that and not with a verdict; the context
 * stays lost though the driver reports it once. */
CLEAN_TEST(a_lost_context_ends_the_walk)
{
    struct qp_context *context = support_need_context(state);
    context->tells_resets = true; /* not every driver can, but this one is in our hands */
    faults_arm(FAULT_RESET, INT_MAX);
    assert_ok(walk(context, "luminance", 0));
    int asked = faults_disarm();
    assert_true(asked > 5); /* once per stage at least */
    for (int k = 1; k <= asked; k++) {
        assert_false(qp_context_is_lost(context));
        faults_arm(FAULT_RESET, k);
        assert_int_equal(walk(context, "luminance", 0), QP_DEVICE);
        support_assert_sentence("stage");
        support_assert_sentence(
            "the OpenGL context is lost: the driver reset the device by its own");
        assert_true(qp_context_is_lost(context));
        assert_int_equal(qp_context_counters(context).live_objects, 0);
        assert_int_equal(walk(context, "rgba", 0), QP_DEVICE);
        support_assert_sentence("stage 2, pack: the OpenGL context is lost");
        faults_disarm();
        context->reset = GL_NO_ERROR; /* in place of a new context */
    }
    assert_ok(walk(context, "luminance", 0));
    assert_false(qp_context_is_lost(NULL));
}

CLEAN_TEST(a_lost_context_ends_a_solve)
{
    struct qp_context *context = support_need_context(state);
    struct qp_solve_desc desc = {.tolerance = 1e-6};
    struct qp_market a;
    struct qp_solution solution;
    assert_ok(qp_market_read(QP_SOURCE_DIR "/tests/support/faults.mtx", &a));
    context->tells_resets = true;
    for (int i = 0; i < 2; i++) { /* the first also makes what the context keeps */
        faults_arm(FAULT_RESET, INT_MAX);
        assert_ok(qp_solve(context, &a, NULL, NULL, &desc, &solution));
        qp_solution_destroy(&solution);
    }
    for (int k = faults_disarm(); k > 0; k /= 2) {
        faults_arm(FAULT_RESET, k);
        assert_int_equal(qp_solve(context, &a, NULL, NULL, &desc, &solution), QP_DEVICE);
        faults_disarm();
        support_assert_sentence("the OpenGL context is lost");
        assert_null(solution.x);
        context->reset = GL_NO_ERROR;
    }
    qp_market_destroy(&a);
}

/* A fence that is late is waited for again, unless the device was reset meanwhile. */
static int late, waits;
static GLenum last;

static GLenum GLAPIENTRY wait_late(GLsync fence, GLbitfield flags, GLuint64 timeout)
{
    (void)fence, (void)flags, (void)timeout;
    return ++waits <= late ? GL_TIMEOUT_EXPIRED : last;
}

static enum qp_status wait_for_fence(struct qp_context *context, int late_for, GLenum answer,
                                     int reset)
{
    GLsync fence = NULL;
    assert_ok(qp_fence_set(context, &fence));
    late = late_for;
    last = answer;
    waits = 0;
    faults_arm(FAULT_RESET, reset);
    const enum qp_status status = qp_fence_wait(context, &fence);
    faults_disarm();
    assert_null(fence);
    return status;
}

CLEAN_TEST(a_lost_context_ends_the_wait_for_a_fence)
{
    struct qp_context *context = support_need_context(state);
    PFNGLCLIENTWAITSYNCPROC kept = __glewClientWaitSync;
    if (kept == NULL)
        skip();
    context->tells_resets = true;
    __glewClientWaitSync = wait_late;
    const enum qp_status in_time = wait_for_fence(context, 0, GL_CONDITION_SATISFIED, INT_MAX);
    const enum qp_status again = wait_for_fence(context, 3, GL_ALREADY_SIGNALED, INT_MAX);
    const int waited = waits;
    const enum qp_status failed = wait_for_fence(context, 1, GL_WAIT_FAILED, INT_MAX);
    support_assert_sentence("the driver cannot wait for a fence");
    const enum qp_status lost = wait_for_fence(context, 3, GL_CONDITION_SATISFIED, 2);
    context->reset = GL_NO_ERROR;
    __glewClientWaitSync = kept;
    assert_true(in_time == QP_OK && again == QP_OK && waited == 4 && failed == QP_DEVICE);
    assert_true(lost == QP_DEVICE && waits == 2);
    support_assert_sentence("waiting for a fence: the OpenGL context is lost");
}

/* A context reports resets if its driver says that it loses contexts so. */
CLEAN_TEST(resets_are_reported_where_promised)
{
    struct qp_context *context = support_need_context(state);
    const bool kept = context->tells_resets;
    if (!qp_context_has(context, "GL_ARB_robustness"))
        skip();
    for (int loses = 0; loses < 2; loses++) {
        context->tells_resets = !loses;
        faults_integer(GL_RESET_NOTIFICATION_STRATEGY_ARB,
                       loses ? GL_LOSE_CONTEXT_ON_RESET_ARB : GL_NO_RESET_NOTIFICATION_ARB);
        qp_gl_watch_resets(context);
        faults_integer(0, 0);
        assert_int_equal(context->tells_resets, loses);
    }
    context->tells_resets = kept;
}

/* ---- The device's memory ---- */

/* A texture without storage is none. */
CLEAN_TEST(textures_are_made_or_not)
{
    struct qp_context *context = support_need_context(state);
    static const char *const calls[] = {"glGenTextures", "glTexImage2D"};
    struct qp_texture texture;
    for (int k = 0; k < COUNT(calls); k++) {
        faults_arm(FAULT_GL, k + 1);
        const enum qp_status status =
            qp_texture_create(context, GL_TEXTURE_RECTANGLE_ARB, QP_R32F, 5, 3, NULL, &texture);
        faults_disarm();
        assert_string_equal(faults_struck(), calls[k]);
        assert_int_equal(status, QP_NO_MEMORY);
        support_assert_sentence("stage 3, upload: making a texture");
        assert_int_equal(texture.id, 0);
        assert_int_equal(qp_context_counters(context).live_objects, 0);
    }
}

/* llvmpipe reports no memory of its own, so it plays a GPU whose driver does. */
static const char *extension;

static const GLubyte *GLAPIENTRY one_extension(GLenum name, GLuint index)
{
    (void)name, (void)index;
    return (const GLubyte *)extension;
}

/* Either vendor's answer, in KiB; none where neither answers. */
CLEAN_TEST(memory_is_told_by_two_extensions)
{
    static const struct {
        const char *extension;
        GLenum name;
        double bytes;
    } cases[] = {
        {"GL_NVX_gpu_memory_info", GL_GPU_MEMORY_INFO_CURRENT_AVAILABLE_VIDMEM_NVX, 5120.0},
        {"GL_ATI_meminfo", GL_TEXTURE_FREE_MEMORY_ATI, 5120.0},
        {"GL_ATI_meminfos", GL_TEXTURE_FREE_MEMORY_ATI, INFINITY}};
    struct qp_context *context = support_need_context(state);
    const PFNGLGETSTRINGIPROC kept = __glewGetStringi;
    const bool software = context->device.software;
    double bytes[COUNT(cases)];
    assert_ok(qp_context_enter(context));
    __glewGetStringi = one_extension;
    for (int i = 0; i < COUNT(cases); i++) {
        extension = cases[i].extension;
        faults_integer(cases[i].name, 5);
        context->device.software = false;
        bytes[i] = qp_gl_memory_there(context);
        context->device.software = true;
        if (!isinf(qp_gl_memory_there(context)))
            bytes[i] = NAN;
    }
    faults_integer(0, 0);
    __glewGetStringi = kept;
    context->device.software = software;
    qp_gl_forget_errors();
    for (int i = 0; i < COUNT(cases); i++)
        assert_true(bytes[i] == cases[i].bytes);
}

CLEAN_TEST(textures_must_fit_the_device)
{
    struct qp_context *context = support_need_context(state);
    PFNGLGETSTRINGIPROC kept = __glewGetStringi;
    bool software = context->device.software;
    extension = "GL_NVX_gpu_memory_info";
    __glewGetStringi = one_extension;
    context->device.software = false;
    faults_integer(GL_GPU_MEMORY_INFO_CURRENT_AVAILABLE_VIDMEM_NVX, 4); /* KiB */
    enum qp_status small = walk(context, "luminance", 0);
    char sentence[256];
    snprintf(sentence, sizeof sentence, "%s", qp_error());
    faults_integer(GL_GPU_MEMORY_INFO_CURRENT_AVAILABLE_VIDMEM_NVX, 8);
    enum qp_status large = walk(context, "luminance", 0);
    faults_integer(0, 0);
    context->device.software = software;
    __glewGetStringi = kept;
    assert_ok(large);
    assert_int_equal(small, QP_NO_MEMORY);
    assert_non_null(strstr(sentence, "stage 3, upload: the textures need "));
    assert_non_null(
        strstr(sentence, " GB and the device has 4.1e-06 left; take a smaller problem"));
    assert_true(isinf(qp_gl_memory_there(context)) || !software);
}

/* ---- The host's memory ---- */

static void put(const char *root, const char *path, const char *text)
{
    char name[512];
    snprintf(name, sizeof name, "mkdir -p '%s'\"$(dirname '%s')\"", root, path);
    assert_int_equal(system(name), 0);
    snprintf(name, sizeof name, "%s%s", root, path);
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

/* A group lies in others, and each may limit it; both versions may be mounted at once. */
TEST(groups_limit_memory)
{
    char root[] = "/tmp/quadpass-groups-XXXXXX", line[64];
    assert_non_null(mkdtemp(root));
    assert_true(isinf(qp_memory_of_groups(root)));
    put(root, "/proc/self/cgroup", "3:cpu,cpuacct:/a\n0::/a/b\n");
    assert_true(isinf(qp_memory_of_groups(root)));
    put(root, "/sys/fs/cgroup/a/b/memory.max", "max\n");
    assert_true(isinf(qp_memory_of_groups(root)));
    put(root, "/sys/fs/cgroup/a/memory.max", "1073741824\n");
    assert_true(qp_memory_of_groups(root) == 0x1p30);
    put(root, "/sys/fs/cgroup/memory.max", "536870912\n"); /* a container's own root */
    assert_true(qp_memory_of_groups(root) == 0x1p29);
    put(root, "/proc/self/cgroup", "7:memory:/x/y\n1:cpu:/a\n");
    assert_true(isinf(qp_memory_of_groups(root)));
    put(root, "/sys/fs/cgroup/memory/x/y/memory.limit_in_bytes", "268435456\n");
    assert_true(qp_memory_of_groups(root) == 0x1p28);
    snprintf(line, sizeof line, "rm -r %s", root);
    assert_int_equal(system(line), 0);
}

/* A problem larger than the limit is refused before a byte of it is taken. */
TEST(a_problem_must_fit_the_host)
{
    struct qp_problem_desc desc = {.width = 8192, .height = 8192};
    struct qp_problem problem;
    struct rlimit old;
    double there = qp_memory_there();
    assert_true(there > 0.0 && isfinite(there));
    assert_int_equal(getrlimit(RLIMIT_AS, &old), 0);
    rlim_t most = (rlim_t)(0.5 * qp_problem_bytes(8192.0 * 8192.0));
    assert_int_equal(setrlimit(RLIMIT_AS, &(struct rlimit){most, old.rlim_max}), 0);
    const double limited = qp_memory_there(), of_large = qp_memory_for(0x1p30);
    faults_arm(FAULT_MEMORY, INT_MAX);
    enum qp_status status = qp_problem_create(&desc, &problem);
    int allocations = faults_disarm();
    assert_int_equal(setrlimit(RLIMIT_AS, &old), 0);
    assert_true(limited <= (double)most && of_large == limited && isinf(qp_memory_for(1.0)));
    assert_int_equal(status, QP_NO_MEMORY);
    assert_int_equal(allocations, 0);
    support_assert_sentence("stage 1, problem: 8192 x 8192 cells need about");
}

/* A column whose values are 64 apart, as a variant that pads like that stores a thin matrix. */
TEST(padded_arrays_must_fit_the_host)
{
    struct qp_problem_desc desc = {.op = "transpose", .width = 1, .height = 1 << 21};
    struct qp_variant variant = *qp_variant_find("transpose/loop");
    struct qp_recipe recipe = *variant.recipe;
    struct qp_problem problem;
    struct rlimit old;
    assert_ok(qp_problem_create(&desc, &problem));
    recipe.input[0].shape = (struct qp_shape){.format = QP_R32F, .align = 64};
    variant.recipe = &recipe;
    assert_int_equal(getrlimit(RLIMIT_AS, &old), 0);
    assert_int_equal(setrlimit(RLIMIT_AS, &(struct rlimit){1 << 30, old.rlim_max}), 0);
    const struct qp_walk_desc walk_desc = {.iterations = 1};
    struct qp_plan *plan;
    enum qp_status thin = qp_plan_create(NULL, &variant, &problem, &walk_desc, &plan);
    assert_null(plan);
    problem.width = problem.height, problem.height = 1;
    enum qp_status wide = qp_plan_create(NULL, &variant, &problem, &walk_desc, &plan);
    qp_plan_destroy(&plan);
    assert_int_equal(setrlimit(RLIMIT_AS, &old), 0);
    assert_int_equal(thin, QP_NO_MEMORY);
    support_assert_sentence("stage 2, pack: arrays as transpose/loop pads them need 1.");
    assert_ok(wide);
    qp_problem_destroy(&problem);
}

GROUP(faults_open_context, support_close_context)
