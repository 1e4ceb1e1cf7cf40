/* SPDX-License-Identifier: MIT */
/* Turns of OpenGL and CUDA: what is mapped when, what is said out of turn, and every call to CUDA
 * fails once. CUDA is a fake, OpenGL is not. */
/* wrap: cuda_fake*.c */
#include "support/sharing.h"

/* ---- In turn and out of turn ---- */

FAKE_TEST(access_is_passed_on)
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

FAKE_TEST(buffers_have_an_address)
{
    static const unsigned flags[] = {0, 1, 2}; /* cudaGraphicsRegisterFlags... */
    struct qp_context *context = need_fake(state);
    struct qp_shared_desc desc = {0};
    glGenBuffers(1, &desc.buffer);
    glBindBuffer(GL_ARRAY_BUFFER, desc.buffer);
    glBufferData(GL_ARRAY_BUFFER, 64, NULL, GL_STATIC_DRAW);
    for (int access = 0; access <= QP_SHARED_DISCARD; access++) {
        struct qp_shared_view view;
        struct qp_shared *shared;
        desc.access = (enum qp_shared_access)access;
        assert_ok(qp_shared_create(context, &desc, &shared));
        assert_int_equal(cuda_fake.flags, flags[access]);
        assert_ok(qp_shared_map(&shared, 1, NULL));
        assert_ok(qp_shared_look(shared, &view));
        assert_true(view.pointer != NULL && view.bytes > 0 && view.array == NULL);
        assert_true(view.texture == 0 && view.surface == 0 && view.width == 0);
        assert_ok(qp_shared_unmap(&shared, 1, NULL));
        assert_sharing_refused(qp_shared_look(shared, &view), QP_BAD_USE,
                               "is not mapped: OpenGL has it");
        assert_null(view.pointer);
        qp_shared_destroy(&shared);
    }
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glDeleteBuffers(1, &desc.buffer);
}

FAKE_TEST(streams_are_the_callers)
{
    struct qp_context *context = need_fake(state);
    struct qp_texture texture = make_texture(context);
    struct qp_shared *shared = share(context, texture.id, QP_SHARED_READ_WRITE);
    int streams[2]; /* their addresses represent two */
    assert_ok(qp_shared_map(&shared, 1, &streams[0]));
    assert_ptr_equal(cuda_fake.stream, &streams[0]);
    assert_ok(qp_shared_unmap(&shared, 1, &streams[1]));
    assert_ptr_equal(cuda_fake.stream, &streams[1]);
    qp_shared_destroy(&shared);
    assert_int_equal(cuda_fake.waits, 1); /* a kernel may still be on either */
    qp_texture_destroy(&texture);
}

/* A map that fails half-way is made good by the next one. */
FAKE_TEST(objects_are_made_again)
{
    struct qp_context *context = need_fake(state);
    struct qp_texture texture = make_texture(context);
    cuda_fake.error = FAKE_OUT_OF_MEMORY;
    for (int last = 0; last < 3; last++) { /* failures of the array's format, texture and surface */
        struct qp_shared *shared = share(context, texture.id, QP_SHARED_READ_WRITE);
        struct qp_shared_view view;
        cuda_fake.calls = 0;
        cuda_fake.fail_at = 4 + last; /* after the device, the map and its array */
        assert_sharing_refused(qp_shared_map(&shared, 1, NULL), QP_NO_MEMORY,
                               "find what it mapped");
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

FAKE_TEST(objects_follow_the_array)
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
    assert_int_equal(cuda_fake.waits, 3); /* for kernels that still fetch from the one before */
    qp_shared_destroy(&shared);
    qp_texture_destroy(&texture);
}

FAKE_TEST(out_of_turn)
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
    assert_sharing_refused(qp_shared_create(context, &again, &other), QP_BAD_USE,
                           "is shared already");

    assert_sharing_refused(qp_shared_look(both[0], &view), QP_BAD_USE,
                           "is not mapped: OpenGL has it");
    assert_int_equal(view.width, 0);
    assert_sharing_refused(qp_shared_unmap(both, 2, NULL), QP_BAD_USE, "is not mapped");
    assert_sharing_refused(qp_shared_map(both, 3, NULL), QP_BAD_USE, "is named twice");
    assert_sharing_refused(qp_shared_map(both, 0, NULL), QP_BAD_USE, "1 to 32 shared objects");
    assert_sharing_refused(qp_shared_map(NULL, 1, NULL), QP_BAD_USE, "1 to 32 shared objects");
    assert_sharing_refused(qp_shared_map(many, COUNT(many), NULL), QP_BAD_USE, "not 33");
    assert_sharing_refused(qp_shared_map(many, 2, NULL), QP_BAD_USE,
                           "shared object 1 of 2 is NULL");
    assert_sharing_refused(qp_shared_look(NULL, &view), QP_BAD_USE, "it is NULL");

    assert_ok(qp_shared_map(&both[1], 1, NULL));
    assert_sharing_refused(qp_shared_map(both, 2, NULL), QP_BAD_USE,
                           "is mapped already; unmap it first");
    assert_sharing_refused(qp_shared_look(both[0], &view), QP_BAD_USE,
                           "is not mapped"); /* the refused call mapped neither */
    assert_int_equal(cuda_fake.mapped, 1);
    assert_sharing_refused(qp_shared_unmap(both, 2, NULL), QP_BAD_USE, "is not mapped");
    assert_ok(qp_shared_unmap(&both[1], 1, NULL));
    assert_sharing_refused(qp_shared_unmap(&both[1], 1, NULL), QP_BAD_USE, "is not mapped");
    assert_ok(qp_shared_map(both, 2, NULL));
    for (int i = 0; i < 2; i++) { /* mapped as they are */
        qp_shared_destroy(&both[i]);
        qp_texture_destroy(&textures[i]);
    }
    qp_shared_destroy(NULL);
}

FAKE_TEST(deleted_under_its_hands)
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
        assert_sharing_refused(qp_shared_unmap(&shared[i], 1, NULL), QP_BAD_USE,
                               "was deleted while CUDA shared it; call qp_shared_destroy before");
        qp_shared_destroy(&shared[i]);
    }
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

FAKE_TEST(every_call_fails_once)
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
        if (status != QP_OK) { /* else it was called in tear-down, where no error is returned */
            assert_sharing_refused(status, QP_NO_MEMORY,
                                   "out of memory; take a smaller problem, or end");
            failed++;
        }
        cuda_fake.fail_at = 0; /* objects that were not taken back are the context's to forget */
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

GROUP(support_open_context, support_close_context)
