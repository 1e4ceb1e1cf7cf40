/* SPDX-License-Identifier: MIT */
/* Helpers of the tests of sharing between OpenGL and CUDA where CUDA is a fake (cuda_fake.h) and
 * OpenGL is not. */
#ifndef QP_TESTS_SHARING_H
#define QP_TESTS_SHARING_H

#include "support/support.h"

#include <quadpass/cuda.h>

#include "support/cuda_fake.h"
#include "toolkit/gl/texture.h"

/* The context of this group with the fake at work; skips the test in a build without CUDA. */
struct qp_context *need_fake(void **state);

/* Test tear-down: nothing is registered, mapped or made any more. */
int check_fake(void **state);

#define FAKE_TEST(test) TEST(test, .teardown_func = check_fake)

/* A texture of 5 x 3 texels of R32F. */
struct qp_texture make_texture(struct qp_context *context);

struct qp_shared *share(struct qp_context *context, unsigned texture_id,
                        enum qp_shared_access access);

/* This code and a sentence with these words; or QP_OK and none. */
void assert_sharing_refused(enum qp_status got, enum qp_status wanted, const char *words);

#endif
