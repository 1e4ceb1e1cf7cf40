/* SPDX-License-Identifier: MIT */
/* Slices of work between waits: how they end and grow, by a clock, fences and waits in the test's
 * hands. */
/* own program: for clock_gettime, glFinish, which it answers */
#include "support/support.h"

#include <dlfcn.h>
#include <math.h>
#include <string.h>
#include <time.h>

#include "toolkit/base/watch.h"
#include "toolkit/gl/context/context.h"
#include "toolkit/gl/queue.h"

/* ---- The clock, and OpenGL's waits ---- */

static struct {
    bool on;
    double now;                           /* s */
    double wait;                          /* seconds that each wait takes */
    int fences, waits, deleted, finishes; /* so far */
    int late;                             /* how often a fence is waited for in vain */
    GLsync last;                          /* fence that was waited for */
} device;

int clock_gettime(clockid_t clock, struct timespec *time)
{
    int (*real)(clockid_t, struct timespec *);
    *(void **)&real = dlsym(RTLD_NEXT, "clock_gettime");
    if (!device.on)
        return real(clock, time);
    time->tv_sec = (time_t)device.now;
    time->tv_nsec = (long)(1e9 * (device.now - (double)time->tv_sec));
    return 0;
}

void glFinish(void)
{
    device.finishes++;
}

static GLsync GLAPIENTRY set_fence(GLenum condition, GLbitfield flags)
{
    assert_true(condition == GL_SYNC_GPU_COMMANDS_COMPLETE && flags == 0);
    return (GLsync)(uintptr_t)++device.fences;
}

static GLenum GLAPIENTRY wait_for(GLsync fence, GLbitfield flags, GLuint64 timeout)
{
    assert_true(flags == GL_SYNC_FLUSH_COMMANDS_BIT && timeout == 100000000);
    device.last = fence;
    device.now += device.wait;
    return ++device.waits <= device.late ? GL_TIMEOUT_EXPIRED : GL_CONDITION_SATISFIED;
}

static void GLAPIENTRY delete_fence(GLsync fence)
{
    assert_non_null(fence);
    device.deleted++;
}

static PFNGLFENCESYNCPROC kept_set;
static PFNGLCLIENTWAITSYNCPROC kept_wait;
static PFNGLDELETESYNCPROC kept_delete;

static struct qp_queue *begin(void **state, bool software)
{
    struct qp_context *context = support_need_context(state);
    assert_ok(qp_context_enter(context));
    if (!qp_context_has(context, "GL_ARB_sync"))
        skip();
    kept_set = __glewFenceSync, kept_wait = __glewClientWaitSync, kept_delete = __glewDeleteSync;
    __glewFenceSync = set_fence, __glewClientWaitSync = wait_for, __glewDeleteSync = delete_fence;
    context->device.software = software;
    memset(&device, 0, sizeof device);
    device.on = true;
    device.now = 1000.0;
    qp_queue_begin(context);
    return &context->queue;
}

static bool software;

static int end(void **state)
{
    struct qp_context *context = *state;
    if (device.on) {
        qp_queue_destroy(context);
        assert_null(context->queue.before);
        __glewFenceSync = kept_set, __glewClientWaitSync = kept_wait;
        __glewDeleteSync = kept_delete;
        context->device.software = software;
        qp_queue_begin(context);
    }
    device.on = false;
    return support_check_clean(state);
}

/* A slice as large as it may be, that took so long. */
static void slice(struct qp_context *context, double seconds)
{
    device.now += seconds;
    qp_queue_add(context, context->queue.most);
}

/* ---- Tests ---- */

TEST(slices_grow_and_shrink, .teardown_func = end)
{
    static const struct {
        double seconds, factor;
    } cases[] = {{0.01, 4.0}, {0.012, 4.0}, {0.013, 2.0}, {0.049, 2.0},
                 {0.06, 1.0}, {0.19, 1.0},  {0.25, 0.2},  {1.0, 0.05}};
    struct qp_queue *queue = begin(state, true);
    assert_true(queue->most == 0x1p20);
    assert_true(qp_queue_most_texels(*state) == 0x1p22);
    for (int i = 0; i < COUNT(cases); i++) {
        const double most = queue->most;
        slice(*state, cases[i].seconds);
        assert_float_equal(queue->most / most, cases[i].factor, 1e-6);
        assert_true(queue->texels == 0.0);
        assert_float_equal(queue->waited_at, device.now, 1e-6);
    }
    queue->most = 4.0;
    slice(*state, 1e6);
    assert_true(queue->most == 1.0);
}

/* Work of less than a slice adds up; a pass that is larger counts as a slice when it shrinks. */
TEST(passes_add_up, .teardown_func = end)
{
    struct qp_queue *queue = begin(state, false);
    assert_true(queue->most == 0x1p26);
    assert_true(isinf(qp_queue_most_texels(*state)));
    qp_queue_add(*state, 0x1p25);
    qp_queue_add(*state, 0x1p25 - 1.0);
    assert_int_equal(device.fences, 0);
    device.now += 0.1;
    qp_queue_add(*state, 1.0);
    assert_int_equal(device.fences, 1);
    assert_true(queue->texels == 0.0 && queue->most == 0x1p26);
    device.now += 1.0;
    qp_queue_add(*state, 0x1p30);
    assert_float_equal(queue->most / 0x1p26, 0.05, 1e-6);
    queue->most = 0.0; /* a context that has begun no work */
    qp_queue_add(*state, 1.0);
    assert_int_equal(device.fences, 2);
}

/* A short slice is waited for when the next one ends, a long one at once. */
TEST(short_slices_are_waited_for_later, .teardown_func = end)
{
    struct qp_queue *queue = begin(state, true);
    slice(*state, 0.01);
    assert_true(device.fences == 1 && device.waits == 0 && device.deleted == 0);
    slice(*state, 0.01);
    assert_true(device.fences == 2 && device.waits == 1 && device.deleted == 1);
    assert_ptr_equal(device.last, (void *)1);
    assert_ptr_equal(queue->before, (void *)2);
    slice(*state, 0.06);
    assert_true(device.fences == 3 && device.waits == 3 && device.deleted == 3);
    assert_ptr_equal(device.last, (void *)3);
    assert_null(queue->before);
    slice(*state, 0.01);
    assert_true(device.fences == 4 && device.waits == 3);
    device.wait = 0.06; /* the wait for the one before makes this one long */
    slice(*state, 0.01);
    assert_true(device.fences == 5 && device.waits == 5 && device.deleted == 5);
    assert_null(queue->before);
    assert_int_equal(device.finishes, 0);
}

static double reported;
static int reports;

static void note_wait(void *user, double seconds)
{
    (void)user;
    reported = seconds;
    reports++;
}

/* Waits are in moments, and each that was in vain is reported with the seconds since the first
 * began. */
TEST(waits_are_reported, .teardown_func = end)
{
    begin(state, true);
    device.late = 3;
    device.wait = 0.25;
    reports = 0;
    const struct qp_watch before = qp_watch_set((struct qp_watch){.on_wait = note_wait});
    qp_queue_finish(*state);
    qp_watch_set(before);
    assert_true(device.waits == 4 && reports == 3);
    assert_float_equal(reported, 0.75, 1e-6);
    assert_true(device.fences == 1 && device.deleted == 1 && device.finishes == 1);
}

/* On a GPU the clock is read sooner after glFinish alone. */
TEST(finishing, .teardown_func = end)
{
    struct qp_queue *queue = begin(state, false);
    qp_queue_add(*state, 5.0);
    slice(*state, 0.01);
    assert_non_null(queue->before);
    qp_queue_add(*state, 5.0);
    device.now += 3.0;
    qp_queue_finish(*state);
    assert_true(device.fences == 1 && device.waits == 0 && device.finishes == 1);
    assert_int_equal(device.deleted, 1);
    assert_null(queue->before);
    assert_true(queue->texels == 0.0);
    assert_float_equal(queue->waited_at, device.now, 1e-6);
}

/* Without fences all is waited for. */
TEST(drivers_without_fences, .teardown_func = end)
{
    struct qp_queue *queue = begin(state, true);
    __glewFenceSync = NULL;
    qp_queue_begin(*state);
    __glewFenceSync = set_fence;
    assert_false(queue->fenced);
    slice(*state, 0.01);
    slice(*state, 0.01);
    assert_true(device.finishes == 2 && device.fences == 0);
    qp_queue_finish(*state);
    assert_true(device.finishes == 3 && device.fences == 0 && device.waits == 0);
}

static int open_context(void **state)
{
    const int code = support_open_context(state);
    if (*state != NULL)
        software = ((struct qp_context *)*state)->device.software;
    return code;
}

GROUP(open_context, support_close_context)
