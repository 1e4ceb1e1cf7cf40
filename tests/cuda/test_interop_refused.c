/* SPDX-License-Identifier: MIT */
/* Refusals of sharing between OpenGL and CUDA, without such a device, and in a build without CUDA:
 * one sentence each, and nothing is left behind. CUDA is a fake, OpenGL is not. */
/* wrap: cuda_fake*.c */
#include "support/sharing.h"

#include <string.h>

#include "lab/engines/shared.h"
#include "lab/plan/op.h"

/* ---- Devices ---- */

FAKE_TEST(devices)
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
        {{.on = true, .devices = 1, .major = 5},
         0,
         QP_UNSUPPORTED,
         "this GPU is of compute capability 5.0 and the kernels were built for "},
        {{.on = true, .devices = 1}, -1, QP_UNSUPPORTED, "which is no CUDA device; open one with"},
        {{.on = true, .devices = 1}, 1, QP_UNSUPPORTED, "CUDA has no device 1: it lists 1, "},
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
        assert_sharing_refused(qp_cuda_use(context, &ordinal), cases[i].status, cases[i].words);
        assert_int_equal(ordinal, cases[i].status == QP_OK ? cases[i].egl_device : 77);
        cuda_fake.calls = 0;
        assert_sharing_refused(qp_shared_create(context, &desc, &shared), cases[i].status,
                               cases[i].words);
        assert_int_equal(shared != NULL, cases[i].status == QP_OK);
        assert_int_equal(qp_context_counters(context).shared_objects, shared != NULL);
        qp_shared_destroy(&shared);
    }
    qp_texture_destroy(&texture);
}

/* The variants that share textures are skipped with that sentence. */
FAKE_TEST(rows_are_skipped_by_name)
{
    struct qp_context *context = need_fake(state);
    struct qp_problem_desc wanted = {.width = 6, .height = 5};
    struct qp_walk_desc desc = {.iterations = 1};
    struct qp_problem problem;
    struct qp_result result;
    assert_ok(qp_problem_create(&wanted, &problem));
    context->device.cuda_device = -1;
    for (size_t i = 0; i < qp_variant_count(); i++) {
        const struct qp_variant *variant = qp_variant_at(i);
        if (qp_sharing_of(variant->recipe) == QP_UNSHARED)
            continue;
        assert_ok(qp_walk(context, variant, &problem, &desc, &result));
        assert_int_equal(result.verdict, QP_SKIP);
        assert_non_null(strstr(result.reason, "which is no CUDA device; open one with the device"));
    }
    qp_problem_destroy(&problem);
}

/* ---- Objects that can be shared ---- */

FAKE_TEST(descriptions)
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
        assert_sharing_refused(qp_shared_create(context, &cases[i].desc, &shared), QP_BAD_USE,
                               cases[i].words);
        assert_null(shared);
    }
    assert_sharing_refused(qp_shared_create(context, NULL, &shared), QP_BAD_USE,
                           "either a texture");
    assert_sharing_refused(qp_shared_create(NULL, &cases[0].desc, &shared), QP_BAD_USE,
                           "needs a context");
    assert_sharing_refused(qp_cuda_use(NULL, NULL), QP_BAD_USE, "needs a context");
    assert_int_equal(cuda_fake.calls, 0); /* CUDA was not even asked */
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glDeleteTextures(1, &empty_id);
    glDeleteBuffers(1, &empty_buffer_id);
    qp_texture_destroy(&texture);
}

FAKE_TEST(formats_that_cuda_does_not_know)
{
    struct qp_context *context = need_fake(state);
    GLuint texture_id;
    glGenTextures(1, &texture_id);
    glBindTexture(GL_TEXTURE_RECTANGLE_ARB, texture_id);
    glTexImage2D(GL_TEXTURE_RECTANGLE_ARB, 0, GL_DEPTH_COMPONENT32F, 4, 4, 0, GL_DEPTH_COMPONENT,
                 GL_FLOAT, NULL);
    const struct qp_shared_desc desc = {.texture = texture_id};
    struct qp_shared *shared;
    cuda_fake.fail_at = 2; /* after cudaSetDevice */
    cuda_fake.error = FAKE_INVALID;
    assert_sharing_refused(qp_shared_create(context, &desc, &shared), QP_UNSUPPORTED,
                           "format is OpenGL's 0x8cac; it takes complete textures with 1, 2 or 4");
    glDeleteTextures(1, &texture_id);
}

/* ---- Built without ---- */

CLEAN_TEST(without_cuda)
{
    struct qp_context *context = support_need_context(state);
    if (support_has_cuda())
        skip();
    const struct qp_shared_desc desc = {.texture = 1};
    struct qp_shared *shared = (struct qp_shared *)(void *)context;
    struct qp_shared_view view = {.width = 9};
    assert_sharing_refused(qp_cuda_use(context, NULL), QP_UNSUPPORTED, "built without CUDA");
    assert_sharing_refused(qp_shared_create(context, &desc, &shared), QP_UNSUPPORTED,
                           "built without CUDA");
    assert_null(shared);
    assert_sharing_refused(qp_shared_map(&shared, 1, NULL), QP_UNSUPPORTED, "built without CUDA");
    assert_sharing_refused(qp_shared_unmap(&shared, 1, NULL), QP_UNSUPPORTED, "built without CUDA");
    assert_sharing_refused(qp_shared_look(shared, &view), QP_UNSUPPORTED, "built without CUDA");
    assert_int_equal(view.width, 0);
    qp_shared_destroy(&shared);
}

GROUP(support_open_context, support_close_context)
