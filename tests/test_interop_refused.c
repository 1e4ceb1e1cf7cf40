/* SPDX-License-Identifier: MIT */
/* Whatever can go wrong between OpenGL and CUDA is one sentence and leaves nothing behind. CUDA is
 * a fake (cuda_fake.h), OpenGL is not. A build without CUDA has one sentence for everything. */
#include "support.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <quadpass/cuda.h>

#include "cuda/device.h"
#include "cuda_fake.h"
#include "gl/texture.h"
#include "ops/op.h"

static bool is_built(void)
{
    return qp_cuda_look(-1) == QP_OK || strcmp(qp_error(), "built without CUDA") != 0;
}

/* The context of this group with the fake at work. */
static struct qp_context *need_fake(void **state)
{
    struct qp_context *context = support_need_context(state);
    if (!is_built())
        skip();
    cuda_fake_start();
    context->device.cuda_device = 0;
    return context;
}

/* Test tear-down: nothing is registered, mapped or made any more. */
static int check_fake(void **state)
{
    struct qp_context *context = *state;
    cuda_fake.on = false;
    if (context != NULL)
        context->device.cuda_device = -1;
    assert_int_equal(cuda_fake.registered, 0);
    assert_int_equal(cuda_fake.mapped, 0);
    assert_int_equal(cuda_fake.objects, 0);
    return support_check_clean(state);
}

static struct qp_texture make_texture(struct qp_context *context)
{
    struct qp_texture texture;
    assert_ok(qp_texture_create(context, GL_TEXTURE_RECTANGLE_ARB, QP_R32F, 5, 3, NULL, &texture));
    return texture;
}

static struct qp_shared *share(struct qp_context *context, unsigned texture_id,
                               enum qp_shared_access access)
{
    const struct qp_shared_desc desc = {.texture = texture_id, .access = access};
    struct qp_shared *shared;
    assert_ok(qp_shared_create(context, &desc, &shared));
    return shared;
}

static void assert_refused(enum qp_status got, enum qp_status wanted, const char *words)
{
    if (got != wanted)
        print_error("answered %d with '%s', and not '%s'\n", (int)got, qp_error(), words);
    assert_int_equal(got, wanted);
    support_assert_sentence(words);
}

/* ---- Devices ---- */

static void devices(void **state)
{
    const struct {
        struct cuda_fake fake;
        int egl_device;
        enum qp_status status;
        const char *words;
    } cases[] = {
        {{.on = true, .devices = 1}, 0, QP_OK, ""},
        {{.on = true, .devices = 2, .gl_device = 1}, 1, QP_OK, ""},
        {{.on = true, .look_error = FAKE_OLD_DRIVER, .driver = 11040},
         0,
         QP_UNSUPPORTED,
         "the NVIDIA driver knows CUDA 11.4 and this library was built with"},
        {{.on = true, .look_error = FAKE_OLD_DRIVER}, 0, QP_UNSUPPORTED, "no NVIDIA driver here"},
        {{.on = true, .look_error = FAKE_NO_DEVICE}, 0, QP_UNSUPPORTED, "no CUDA device here"},
        {{.on = true}, 0, QP_UNSUPPORTED, "no CUDA device here"},
        {{.on = true, .devices = 1}, -1, QP_UNSUPPORTED, "which is no CUDA device; open one with"},
        {{.on = true, .devices = 1}, 1, QP_UNSUPPORTED, "CUDA has no device 1, only 1"},
        {{.on = true, .devices = 2, .gl_device = 1},
         0,
         QP_UNSUPPORTED,
         "draws with CUDA's device 0, and CUDA that it is 1; look at CUDA_VISIBLE_DEVICES"},
        {{.on = true, .devices = 1, .gl_error = FAKE_NO_DEVICE},
         0,
         QP_UNSUPPORTED,
         "CUDA does not see the device that this context draws with"},
        {{.on = true, .devices = 1, .gl_error = 999}, 0, QP_DEVICE, "CUDA could not find"},
        {{.on = true, .devices = 1, .fail_at = 1, .error = 46},
         0,
         QP_DEVICE,
         "CUDA could not open"},
    };
    struct qp_context *context = need_fake(state);
    struct qp_texture texture = make_texture(context);
    const struct qp_shared_desc desc = {.texture = texture.id};
    for (int i = 0; i < COUNT(cases); i++) {
        int ordinal = 77;
        struct qp_shared *shared = NULL;
        cuda_fake = cases[i].fake;
        context->device.cuda_device = cases[i].egl_device;
        assert_refused(qp_cuda_use(context, &ordinal), cases[i].status, cases[i].words);
        assert_int_equal(ordinal, cases[i].status == QP_OK ? cases[i].egl_device : 77);
        cuda_fake.calls = 0;
        assert_refused(qp_shared_create(context, &desc, &shared), cases[i].status, cases[i].words);
        assert_int_equal(shared != NULL, cases[i].status == QP_OK);
        assert_int_equal(qp_context_counters(context).shared_objects, shared != NULL);
        qp_shared_destroy(&shared);
    }
    qp_texture_destroy(&texture);
}

/* The rows that share textures are skipped with that sentence. */
static void rows_are_skipped_by_name(void **state)
{
    struct qp_context *context = need_fake(state);
    struct qp_problem_desc wanted = {.width = 6, .height = 5};
    struct qp_walk_desc desc = {.iterations = 1};
    struct qp_problem problem;
    struct qp_result result;
    assert_ok(qp_problem_create(&wanted, &problem));
    context->device.cuda_device = -1;
    for (size_t i = 0; i < qp_variant_count(); i++) {
        const struct qp_variant *row = qp_variant_at(i);
        if (row->recipe->sharing == QP_UNSHARED)
            continue;
        assert_ok(qp_walk(context, row, &problem, &desc, &result));
        assert_int_equal(result.verdict, QP_SKIP);
        assert_non_null(strstr(result.reason, "which is no CUDA device; open one with the device"));
    }
    qp_problem_destroy(&problem);
}

/* ---- What can be shared ---- */

static void descriptions(void **state)
{
    struct qp_context *context = need_fake(state);
    struct qp_texture texture = make_texture(context);
    GLuint empty_id, empty_buffer_id;
    glGenTextures(1, &empty_id);
    glBindTexture(GL_TEXTURE_RECTANGLE_ARB, empty_id);
    glGenBuffers(1, &empty_buffer_id);
    glBindBuffer(GL_ARRAY_BUFFER, empty_buffer_id);
    const struct {
        struct qp_shared_desc desc;
        const char *words;
    } cases[] = {
        {{0}, "either a texture or a buffer"},
        {{.texture = texture.id, .buffer = 1}, "either a texture or a buffer"},
        {{.texture = texture.id, .access = (enum qp_shared_access)3}, "there is no access 3"},
        {{.texture = texture.id, .target = (enum qp_texture_target)7}, "no texture target 7"},
        {{.texture = 4711}, "OpenGL has no texture 4711"},
        {{.buffer = 4711}, "OpenGL has no buffer 4711"},
        {{.texture = texture.id, .target = QP_2D}, "is no 2D texture"},
        {{.texture = empty_id}, "has no texels yet"},
        {{.buffer = empty_buffer_id}, "has no bytes yet"},
    };
    struct qp_shared *shared = NULL;
    for (int i = 0; i < COUNT(cases); i++) {
        assert_refused(qp_shared_create(context, &cases[i].desc, &shared), QP_BAD_USE,
                       cases[i].words);
        assert_null(shared);
    }
    assert_refused(qp_shared_create(context, NULL, &shared), QP_BAD_USE, "either a texture");
    assert_refused(qp_shared_create(NULL, &cases[0].desc, &shared), QP_BAD_USE, "needs a context");
    assert_refused(qp_cuda_use(NULL, NULL), QP_BAD_USE, "needs a context");
    assert_int_equal(cuda_fake.calls, 0); /* CUDA was not even asked */
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glDeleteTextures(1, &empty_id);
    glDeleteBuffers(1, &empty_buffer_id);
    qp_texture_destroy(&texture);
}

static void formats_that_cuda_does_not_know(void **state)
{
    struct qp_context *context = need_fake(state);
    GLuint texture_id;
    glGenTextures(1, &texture_id);
    glBindTexture(GL_TEXTURE_RECTANGLE_ARB, texture_id);
    glTexImage2D(GL_TEXTURE_RECTANGLE_ARB, 0, GL_DEPTH_COMPONENT32F, 4, 4, 0, GL_DEPTH_COMPONENT,
                 GL_FLOAT, NULL);
    const struct qp_shared_desc desc = {.texture = texture_id};
    struct qp_shared *shared;
    cuda_fake.fail_at = 2; /* behind cudaSetDevice */
    cuda_fake.error = FAKE_INVALID;
    assert_refused(qp_shared_create(context, &desc, &shared), QP_UNSUPPORTED,
                   "format is OpenGL's 0x8cac; it takes formats of colour");
    glDeleteTextures(1, &texture_id);
}

/* ---- Turns ---- */

static void access_is_passed_on(void **state)
{
    static const unsigned flags[] = {4, 1, 4 | 2}; /* cudaGraphicsRegisterFlags... */
    struct qp_context *context = need_fake(state);
    struct qp_texture texture = make_texture(context);
    for (int access = 0; access <= QP_SHARED_DISCARD; access++) {
        struct qp_shared_view view;
        struct qp_shared *shared = share(context, texture.id, (enum qp_shared_access)access);
        assert_int_equal(cuda_fake.flags, flags[access]);
        assert_ok(qp_shared_map(&shared, 1, NULL));
        assert_ok(qp_shared_look(shared, &view));
        assert_int_equal(view.surface == 0, access == QP_SHARED_READ);
        qp_shared_destroy(&shared);
        assert_null(shared);
    }
    qp_texture_destroy(&texture);
}

/* A map that fails half-way is made good by the next one. */
static void objects_are_made_again(void **state)
{
    struct qp_context *context = need_fake(state);
    struct qp_texture texture = make_texture(context);
    cuda_fake.error = FAKE_OUT_OF_MEMORY;
    for (int last = 0; last < 3; last++) { /* of the array's format, a texture and a surface */
        struct qp_shared *shared = share(context, texture.id, QP_SHARED_READ_WRITE);
        struct qp_shared_view view;
        cuda_fake.calls = 0;
        cuda_fake.fail_at = 4 + last; /* behind the device, the map and its array */
        assert_refused(qp_shared_map(&shared, 1, NULL), QP_NO_MEMORY, "find what it mapped");
        assert_int_equal(cuda_fake.objects, 0);
        cuda_fake.fail_at = 0;
        assert_ok(qp_shared_map(&shared, 1, NULL));
        assert_ok(qp_shared_look(shared, &view));
        assert_true(view.width == 5 && view.texture != 0 && view.surface != 0);
        assert_ok(qp_shared_unmap(&shared, 1, NULL));
        qp_shared_destroy(&shared);
    }
    qp_texture_destroy(&texture);
}

static void objects_follow_the_array(void **state)
{
    struct qp_context *context = need_fake(state);
    struct qp_texture texture = make_texture(context);
    struct qp_shared *shared = share(context, texture.id, QP_SHARED_READ_WRITE);
    struct qp_shared_view first, later;
    for (int i = 0; i < 6; i++) {
        cuda_fake.moves = i > 2;
        assert_ok(qp_shared_map(&shared, 1, NULL));
        assert_ok(qp_shared_look(shared, i == 0 ? &first : &later));
        assert_int_equal(cuda_fake.objects, 2);
        assert_ok(qp_shared_unmap(&shared, 1, NULL));
        if (i > 0)
            assert_int_equal(first.texture == later.texture, i < 3);
    }
    assert_int_equal(first.width, 5);
    assert_int_equal(first.height, 3);
    assert_int_equal(first.channels, 1);
    assert_true(first.array != NULL && first.pointer == NULL && first.bytes == 0);
    qp_shared_destroy(&shared);
    qp_texture_destroy(&texture);
}

static void out_of_turn(void **state)
{
    struct qp_context *context = need_fake(state);
    struct qp_texture textures[2] = {make_texture(context), make_texture(context)};
    struct qp_shared *both[3], *many[QP_SHARED_AT_ONCE + 1] = {0};
    struct qp_shared_view view = {.width = 9};
    for (int i = 0; i < 2; i++)
        both[i] = share(context, textures[i].id, QP_SHARED_READ_WRITE);
    both[2] = both[0];
    const struct qp_shared_desc again = {.texture = textures[0].id};
    struct qp_shared *other;
    assert_refused(qp_shared_create(context, &again, &other), QP_BAD_USE, "is shared already");

    assert_refused(qp_shared_look(both[0], &view), QP_BAD_USE, "is not mapped: OpenGL has it");
    assert_int_equal(view.width, 0);
    assert_refused(qp_shared_unmap(both, 2, NULL), QP_BAD_USE, "is not mapped");
    assert_refused(qp_shared_map(both, 3, NULL), QP_BAD_USE, "is named twice");
    assert_refused(qp_shared_map(both, 0, NULL), QP_BAD_USE, "1 to 32 shared objects");
    assert_refused(qp_shared_map(NULL, 1, NULL), QP_BAD_USE, "1 to 32 shared objects");
    assert_refused(qp_shared_map(many, COUNT(many), NULL), QP_BAD_USE, "not 33");
    assert_refused(qp_shared_map(many, 2, NULL), QP_BAD_USE, "shared object 1 of 2 is NULL");
    assert_refused(qp_shared_look(NULL, &view), QP_BAD_USE, "it is NULL");

    assert_ok(qp_shared_map(&both[1], 1, NULL));
    assert_refused(qp_shared_map(both, 2, NULL), QP_BAD_USE, "is mapped already; unmap it first");
    assert_refused(qp_shared_look(both[0], &view), QP_BAD_USE, "is not mapped"); /* none of them */
    assert_int_equal(cuda_fake.mapped, 1);
    assert_refused(qp_shared_unmap(both, 2, NULL), QP_BAD_USE, "is not mapped");
    assert_ok(qp_shared_unmap(&both[1], 1, NULL));
    assert_refused(qp_shared_unmap(&both[1], 1, NULL), QP_BAD_USE, "is not mapped");
    assert_ok(qp_shared_map(both, 2, NULL));
    for (int i = 0; i < 2; i++) { /* mapped as they are */
        qp_shared_destroy(&both[i]);
        qp_texture_destroy(&textures[i]);
    }
    qp_shared_destroy(NULL);
}

static void deleted_under_its_hands(void **state)
{
    struct qp_context *context = need_fake(state);
    struct qp_texture texture = make_texture(context);
    struct qp_shared *shared[2] = {share(context, texture.id, QP_SHARED_READ_WRITE)};
    struct qp_shared_desc desc = {0};
    glGenBuffers(1, &desc.buffer);
    glBindBuffer(GL_ARRAY_BUFFER, desc.buffer);
    glBufferData(GL_ARRAY_BUFFER, 64, NULL, GL_STATIC_DRAW);
    assert_ok(qp_shared_create(context, &desc, &shared[1]));
    assert_ok(qp_shared_map(shared, 2, NULL));
    qp_texture_destroy(&texture);
    glDeleteBuffers(1, &desc.buffer);
    for (int i = 0; i < 2; i++) {
        assert_refused(qp_shared_unmap(&shared[i], 1, NULL), QP_BAD_USE,
                       "was deleted while CUDA shared it; call qp_shared_destroy before");
        qp_shared_destroy(&shared[i]);
    }
}

/* ---- Contexts and threads ---- */

static void a_context_takes_back(void **state)
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
    assert_int_equal(cuda_fake.registered, 0);
    assert_int_equal(cuda_fake.mapped, 0);
    assert_refused(qp_shared_look(shared, &view), QP_BAD_USE, "was destroyed");
    assert_refused(qp_shared_map(&shared, 1, NULL), QP_BAD_USE, "was destroyed");
    assert_refused(qp_shared_unmap(&shared, 1, NULL), QP_BAD_USE, "was destroyed");
    qp_shared_destroy(&shared);
    assert_null(shared);
}

static void two_contexts_do_not_mix(void **state)
{
    struct qp_context *contexts[2] = {need_fake(state)};
    assert_ok(qp_context_create(NULL, &contexts[1]));
    contexts[1]->device.cuda_device = 0;
    struct qp_texture textures[2];
    struct qp_shared *shared[2];
    for (int i = 0; i < 2; i++) {
        assert_ok(qp_context_enter(contexts[i]));
        textures[i] = make_texture(contexts[i]);
        shared[i] = share(contexts[i], textures[i].id, QP_SHARED_READ);
    }
    assert_refused(qp_shared_map(shared, 2, NULL), QP_BAD_USE, "belong to two contexts");
    assert_ok(qp_shared_map(&shared[0], 1, NULL));
    assert_ok(qp_shared_map(&shared[1], 1, NULL));
    for (int i = 0; i < 2; i++) {
        qp_shared_destroy(&shared[i]);
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

static void a_thread_keeps_its_own(void **state)
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

/* ---- Every call to CUDA fails once ---- */

static enum qp_status take_turns(struct qp_context *context, const struct qp_texture *textures,
                                 GLuint buffer_id)
{
    struct qp_shared *shared[3] = {0};
    struct qp_shared_view view;
    enum qp_status status = QP_OK;
    for (int i = 0; i < 3 && status == QP_OK; i++) {
        const struct qp_shared_desc desc = {.texture = i < 2 ? textures[i].id : 0,
                                            .buffer = i < 2 ? 0 : buffer_id};
        status = qp_shared_create(context, &desc, &shared[i]);
    }
    for (int i = 0; i < 2 && status == QP_OK; i++) {
        status = qp_shared_map(shared, 3, NULL);
        if (status != QP_OK && shared[0] != NULL)
            assert_int_equal(cuda_fake.mapped, 0);
        if (status == QP_OK)
            status = qp_shared_look(shared[2], &view);
        if (status == QP_OK)
            status = qp_shared_unmap(shared, 3, NULL);
    }
    for (int i = 0; i < 3; i++)
        qp_shared_destroy(&shared[i]);
    return status;
}

static void every_call_fails_once(void **state)
{
    struct qp_context *context = need_fake(state);
    struct qp_texture textures[2] = {make_texture(context), make_texture(context)};
    GLuint buffer_id;
    glGenBuffers(1, &buffer_id);
    glBindBuffer(GL_ARRAY_BUFFER, buffer_id);
    glBufferData(GL_ARRAY_BUFFER, 64, NULL, GL_STATIC_DRAW);
    cuda_fake.error = FAKE_OUT_OF_MEMORY;
    assert_ok(take_turns(context, textures, buffer_id));
    const int calls = cuda_fake.calls;
    assert_true(calls > 20);
    int failed = 0;
    for (int k = 1; k <= calls; k++) {
        cuda_fake.calls = 0;
        cuda_fake.fail_at = k;
        enum qp_status status = take_turns(context, textures, buffer_id);
        if (status != QP_OK) { /* else it was called in tear-down, where nobody can be told */
            assert_refused(status, QP_NO_MEMORY, "CUDA could not");
            failed++;
        }
        cuda_fake.fail_at = 0; /* what could not be taken back is the context's to forget */
        assert_int_equal(qp_context_counters(context).shared_objects, 0);
        assert_int_equal(cuda_fake.registered, 0);
        assert_int_equal(cuda_fake.objects, 0);
    }
    assert_true(failed > 20);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glDeleteBuffers(1, &buffer_id);
    qp_texture_destroy(&textures[0]);
    qp_texture_destroy(&textures[1]);
}

/* ---- Built without ---- */

static void without_cuda(void **state)
{
    struct qp_context *context = support_need_context(state);
    if (is_built())
        skip();
    const struct qp_shared_desc desc = {.texture = 1};
    struct qp_shared *shared = (struct qp_shared *)(void *)context;
    struct qp_shared_view view = {.width = 9};
    assert_refused(qp_cuda_use(context, NULL), QP_UNSUPPORTED, "built without CUDA");
    assert_refused(qp_shared_create(context, &desc, &shared), QP_UNSUPPORTED, "built without CUDA");
    assert_null(shared);
    assert_refused(qp_shared_map(&shared, 1, NULL), QP_UNSUPPORTED, "built without CUDA");
    assert_refused(qp_shared_unmap(&shared, 1, NULL), QP_UNSUPPORTED, "built without CUDA");
    assert_refused(qp_shared_look(shared, &view), QP_UNSUPPORTED, "built without CUDA");
    assert_int_equal(view.width, 0);
    qp_shared_destroy(&shared);
}

#define fake_test(f) cmocka_unit_test_teardown(f, check_fake)

int main(void)
{
    const struct CMUnitTest tests[] = {fake_test(devices),
                                       fake_test(rows_are_skipped_by_name),
                                       fake_test(descriptions),
                                       fake_test(formats_that_cuda_does_not_know),
                                       fake_test(access_is_passed_on),
                                       fake_test(objects_follow_the_array),
                                       fake_test(objects_are_made_again),
                                       fake_test(out_of_turn),
                                       fake_test(deleted_under_its_hands),
                                       fake_test(a_context_takes_back),
                                       fake_test(two_contexts_do_not_mix),
                                       fake_test(a_thread_keeps_its_own),
                                       fake_test(every_call_fails_once),
                                       clean_test(without_cuda)};
    return cmocka_run_group_tests(tests, support_open_context, support_close_context);
}
