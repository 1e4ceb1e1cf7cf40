/* SPDX-License-Identifier: MIT */
#include "support/sharing.h"

struct qp_context *need_fake(void **state)
{
    struct qp_context *context = support_need_context(state);
    if (!support_has_cuda())
        skip();
    cuda_fake_start();
    context->device.cuda_device = 0;
    return context;
}

int check_fake(void **state)
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

struct qp_texture make_texture(struct qp_context *context)
{
    struct qp_texture texture;
    assert_ok(qp_texture_create(context, GL_TEXTURE_RECTANGLE_ARB, QP_R32F, 5, 3, NULL, &texture));
    return texture;
}

struct qp_shared *share(struct qp_context *context, unsigned texture_id,
                        enum qp_shared_access access)
{
    const struct qp_shared_desc desc = {.texture = texture_id, .access = access};
    struct qp_shared *shared;
    assert_ok(qp_shared_create(context, &desc, &shared));
    return shared;
}

void assert_sharing_refused(enum qp_status got, enum qp_status wanted, const char *words)
{
    if (got != wanted)
        print_error("answered %d with '%s', and not '%s'\n", (int)got, qp_error(), words);
    assert_int_equal(got, wanted);
    support_assert_sentence(words);
}
