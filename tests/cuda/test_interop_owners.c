/* SPDX-License-Identifier: MIT */
/* Ownership of shared objects: they belong to a context, and the context to a thread. CUDA is a
 * fake, OpenGL is not. */
/* wrap: cuda_fake*.c */
#include "support/sharing.h"

#include <pthread.h>
#include <string.h>

#include "toolkit/gl/context/context.h"

FAKE_TEST(a_context_takes_back)
{
    (void)need_fake(state);
    struct qp_context *own;
    struct qp_shared_view view;
    assert_ok(qp_context_create(NULL, &own));
    own->device.cuda_device = 0;
    struct qp_texture texture = make_texture(own);
    struct qp_shared *shared = share(own, texture.id, QP_SHARED_READ_WRITE);
    assert_ok(qp_shared_map(&shared, 1, NULL));
    assert_int_equal(qp_context_counters(own).shared_objects, 1);
    qp_context_destroy(&own);
    assert_int_equal(cuda_fake.waits, 1); /* for kernels that may be at it still */
    assert_int_equal(cuda_fake.registered, 0);
    assert_int_equal(cuda_fake.mapped, 0);
    assert_sharing_refused(qp_shared_look(shared, &view), QP_BAD_USE, "was destroyed");
    assert_sharing_refused(qp_shared_map(&shared, 1, NULL), QP_BAD_USE, "was destroyed");
    assert_sharing_refused(qp_shared_unmap(&shared, 1, NULL), QP_BAD_USE, "was destroyed");
    qp_shared_destroy(&shared);
    assert_null(shared);
}

static void *destroy_context(void *context)
{
    qp_context_destroy(&(struct qp_context *){context});
    return NULL;
}

/* There no OpenGL is current that CUDA could take anything back from: it must not be asked. */
FAKE_TEST(another_thread_takes_nothing_back)
{
    struct qp_context *context = need_fake(state), *own;
    pthread_t thread;
    assert_ok(qp_context_create(NULL, &own));
    own->device.cuda_device = 0;
    struct qp_texture texture = make_texture(own);
    struct qp_shared *shared = share(own, texture.id, QP_SHARED_READ_WRITE);
    assert_ok(qp_shared_map(&shared, 1, NULL));
    assert_ok(qp_context_enter(context));
    const int calls = cuda_fake.calls;
    assert_int_equal(pthread_create(&thread, NULL, destroy_context, own), 0);
    pthread_join(thread, NULL);
    assert_int_equal(cuda_fake.calls, calls);
    assert_int_equal(cuda_fake.mapped, 1);
    assert_sharing_refused(qp_shared_unmap(&shared, 1, NULL), QP_BAD_USE, "was destroyed");
    qp_shared_destroy(&shared);
    assert_null(shared);
    assert_int_equal(cuda_fake.registered, 1);
    cuda_fake_start(); /* forgets what CUDA would keep until the process ends */
}

/* Not even on two devices; what was asked for last is current. */
FAKE_TEST(two_contexts_do_not_mix)
{
    struct qp_context *contexts[2] = {need_fake(state)};
    assert_ok(qp_context_create(NULL, &contexts[1]));
    contexts[1]->device.cuda_device = 1;
    cuda_fake.devices = 2;
    struct qp_texture textures[2];
    struct qp_shared *shared[2];
    for (int i = 0; i < 2; i++) {
        assert_ok(qp_context_enter(contexts[i]));
        cuda_fake.gl_device = i;
        textures[i] = make_texture(contexts[i]);
        shared[i] = share(contexts[i], textures[i].id, QP_SHARED_READ);
    }
    assert_sharing_refused(qp_shared_map(shared, 2, NULL), QP_BAD_USE, "belong to two contexts");
    for (int i = 0; i < 2; i++) {
        assert_ok(qp_shared_map(&shared[i], 1, NULL));
        assert_int_equal(cuda_fake_device, i);
    }
    for (int i = 0; i < 2; i++) {
        qp_shared_destroy(&shared[i]);
        assert_int_equal(cuda_fake_device, i);
        assert_int_equal(qp_context_counters(contexts[i]).shared_objects, 0);
        assert_ok(qp_context_enter(contexts[i]));
        qp_texture_destroy(&textures[i]);
    }
    qp_context_destroy(&contexts[1]);
}

struct job {
    struct qp_context *context;
    struct qp_shared *shared;
    enum qp_status status[5];
    bool told; /* each time, of the thread */
};

static void *do_job(void *pointer)
{
    struct job *job = pointer;
    struct qp_shared_desc desc = {.texture = 1};
    struct qp_shared *left = job->shared, *other;
    struct qp_shared_view view;
    job->told = true;
    for (int i = 0; i < 5; i++) {
        job->status[i] = i == 0   ? qp_cuda_use(job->context, NULL)
                         : i == 1 ? qp_shared_create(job->context, &desc, &other)
                         : i == 2 ? qp_shared_map(&job->shared, 1, NULL)
                         : i == 3 ? qp_shared_unmap(&job->shared, 1, NULL)
                                  : qp_shared_look(job->shared, &view);
        job->told = job->told && strstr(qp_error(), "belongs to another thread") != NULL;
    }
    qp_shared_destroy(&left);
    job->told = job->told && left == job->shared;
    return NULL;
}

FAKE_TEST(a_thread_keeps_its_own)
{
    struct qp_context *context = need_fake(state);
    struct qp_texture texture = make_texture(context);
    struct job job = {.context = context,
                      .shared = share(context, texture.id, QP_SHARED_READ_WRITE)};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, do_job, &job), 0);
    pthread_join(thread, NULL);
    for (int i = 0; i < 5; i++)
        assert_int_equal(job.status[i], QP_BAD_USE);
    assert_true(job.told);
    qp_shared_destroy(&job.shared);
    qp_texture_destroy(&texture);
}

/* Takes turns in a context of its own, without asserting anything: cmocka's jumps stay in one
 * thread. */
static void *share_own(void *pointer)
{
    struct job *job = pointer;
    struct qp_context *own = NULL;
    struct qp_texture texture = {0};
    enum qp_status status = qp_context_create(NULL, &own);
    if (status == QP_OK) {
        own->device.cuda_device = 0;
        status = qp_texture_create(own, GL_TEXTURE_RECTANGLE_ARB, QP_R32F, 5, 3, NULL, &texture);
    }
    const struct qp_shared_desc desc = {.texture = texture.id};
    if (status == QP_OK)
        status = qp_shared_create(own, &desc, &job->shared);
    if (status == QP_OK)
        status = qp_shared_map(&job->shared, 1, NULL);
    job->status[0] = status;
    qp_shared_destroy(&job->shared);
    qp_texture_destroy(&texture);
    qp_context_destroy(&own);
    return NULL;
}

/* Threads have objects of their own: one thread's calls leave another's mapped, though textures
 * have the same name. */
FAKE_TEST(threads_do_not_meet)
{
    struct qp_context *context = need_fake(state);
    struct qp_texture texture = make_texture(context);
    struct qp_shared *shared = share(context, texture.id, QP_SHARED_READ_WRITE);
    struct job job = {0};
    pthread_t thread;
    assert_ok(qp_shared_map(&shared, 1, NULL));
    assert_int_equal(pthread_create(&thread, NULL, share_own, &job), 0);
    pthread_join(thread, NULL);
    assert_int_equal(job.status[0], QP_OK);
    assert_int_equal(cuda_fake.mapped, 1);
    assert_ok(qp_shared_unmap(&shared, 1, NULL));
    qp_shared_destroy(&shared);
    qp_texture_destroy(&texture);
}

GROUP(support_open_context, support_close_context)
