/* SPDX-License-Identifier: MIT */
/* Errors of OpenGL and lost contexts, in whole sentences; the driver's answers are the test's. */
/* own program: for glGetError, which it answers */
#include "support/support.h"

#include <stdio.h>
#include <string.h>

#include "toolkit/gl/context/context.h"

static GLenum answers[20]; /* answers of glGetError, in turn; then none */
static int asked;
static GLenum reset;

GLenum glGetError(void)
{
    const GLenum answer = asked < COUNT(answers) ? answers[asked] : GL_NO_ERROR;
    asked++;
    return answer;
}

static GLenum GLAPIENTRY say_reset(void)
{
    const GLenum answer = reset;
    reset = GL_NO_ERROR; /* it is reported once */
    return answer;
}

static void answer(GLenum first, GLenum second)
{
    memset(answers, 0, sizeof answers);
    answers[0] = first;
    answers[1] = second;
    asked = 0;
}

TEST(errors_have_names)
{
    static const struct {
        GLenum code;
        enum qp_status status;
        const char *name;
    } cases[] = {
        {GL_INVALID_ENUM, QP_DEVICE, "GL_INVALID_ENUM"},
        {GL_INVALID_VALUE, QP_DEVICE, "GL_INVALID_VALUE"},
        {GL_INVALID_OPERATION, QP_DEVICE, "GL_INVALID_OPERATION"},
        {GL_INVALID_FRAMEBUFFER_OPERATION, QP_DEVICE, "GL_INVALID_FRAMEBUFFER_OPERATION"},
        {GL_OUT_OF_MEMORY, QP_NO_MEMORY,
         "GL_OUT_OF_MEMORY, the device's memory is full; take a smaller problem, or end other "
         "programs that use the device"},
        {0x1234, QP_DEVICE, "an unknown GL error"}};
    struct qp_context context = {0};
    char sentence[256];
    for (int i = 0; i < COUNT(cases); i++) {
        answer(cases[i].code, GL_INVALID_VALUE);
        assert_int_equal(qp_gl_check(&context, "stage 7"), cases[i].status);
        snprintf(sentence, sizeof sentence, "stage 7: %s", cases[i].name);
        assert_string_equal(qp_error(), sentence);
        assert_int_equal(asked, 3); /* the others are dropped */
        snprintf(context.driver_words, sizeof context.driver_words, "bad texture");
        answer(cases[i].code, GL_NO_ERROR);
        assert_int_equal(qp_gl_check_pass(&context, "stage 5"), cases[i].status);
        snprintf(sentence, sizeof sentence, "stage 5: %s: bad texture", cases[i].name);
        assert_string_equal(qp_error(), sentence);
        assert_string_equal(context.driver_words, "");
    }
    answer(GL_NO_ERROR, GL_NO_ERROR);
    assert_ok(qp_gl_check(&context, "stage 7"));
    assert_ok(qp_gl_check_pass(&context, "stage 7"));
    for (int i = 0; i < COUNT(answers); i++)
        answers[i] = GL_INVALID_VALUE;
    asked = 0;
    qp_gl_forget_errors(); /* a lost context never stops */
    assert_int_equal(asked, 16);
}

TEST(objects_are_counted)
{
    struct qp_context context = {0};
    answer(GL_NO_ERROR, GL_NO_ERROR);
    assert_ok(qp_gl_count(&context, 5, "making it"));
    assert_true(context.counters.live_objects == 1 && asked == 0);
    assert_int_equal(qp_gl_count(&context, 0, "making it"), QP_DEVICE);
    assert_string_equal(qp_error(), "making it: the driver made none");
    answer(GL_OUT_OF_MEMORY, GL_NO_ERROR);
    assert_int_equal(qp_gl_count(&context, 0, "making it"), QP_NO_MEMORY);
    support_assert_sentence("making it: GL_OUT_OF_MEMORY");
    assert_int_equal(context.counters.live_objects, 1);
}

TEST(lost_contexts_have_a_reason)
{
    static const struct {
        GLenum reset;
        const char *reason;
    } cases[] = {{GL_GUILTY_CONTEXT_RESET_ARB,
                  "by its own work; take a smaller problem, or fewer passes at a time"},
                 {GL_INNOCENT_CONTEXT_RESET_ARB,
                  "by another program's work; open a new context and run again"},
                 {GL_UNKNOWN_CONTEXT_RESET_ARB,
                  "for a reason it does not know; open a new context and run again"}};
    const PFNGLGETGRAPHICSRESETSTATUSARBPROC kept = __glewGetGraphicsResetStatusARB;
    char sentence[256];
    __glewGetGraphicsResetStatusARB = say_reset;
    for (int i = 0; i <= COUNT(cases); i++) {
        const int k = i < COUNT(cases) ? i : COUNT(cases) - 1;
        struct qp_context context = {.tells_resets = i < COUNT(cases)};
        reset = context.tells_resets ? cases[i].reset : GL_NO_ERROR;
        /* The last one gets no report of resets, and learns of them by an error. */
        answer(i < COUNT(cases) ? GL_NO_ERROR : GL_CONTEXT_LOST, GL_NO_ERROR);
        snprintf(sentence, sizeof sentence,
                 "stage 6: the OpenGL context is lost: the driver reset the device %s",
                 cases[k].reason);
        for (int again = 0; again < 3; again++) {
            assert_int_equal((again == 1 ? qp_gl_check_pass : qp_gl_check)(&context, "stage 6"),
                             QP_DEVICE);
            assert_string_equal(qp_error(), sentence);
        }
        assert_int_equal(qp_gl_check_lost(&context, "stage 6"), QP_DEVICE);
        assert_true(context.reset == cases[k].reset);
    }
    struct qp_context untold = {0};
    reset = GL_GUILTY_CONTEXT_RESET_ARB;
    answer(GL_NO_ERROR, GL_NO_ERROR);
    assert_ok(qp_gl_check(&untold, "stage 6")); /* is not asked */
    assert_ok(qp_gl_check_lost(&untold, "stage 6"));
    __glewGetGraphicsResetStatusARB = kept;
}
