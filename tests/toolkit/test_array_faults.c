/* SPDX-License-Identifier: MIT */
/* The k-th allocation fails, and the k-th making of a GL object, in every function of arrays: a
 * code, a sentence, nothing left behind, and a context that goes on to work. */
/* wrap: faults.c */
#include "support/support.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "support/faults.h"
#include "toolkit/arrays/texture_pool.h"
#include "toolkit/gl/context/context.h"

static const struct qp_array_desc small = {.width = 5, .height = 4};

/* ---- Scenes ---- */

static enum qp_status create(struct qp_context *context)
{
    struct qp_array *array, *view = NULL;
    enum qp_status status = qp_array_create(context, &small, NULL, &array);
    if (status == QP_OK)
        status = qp_array_view(array, NULL, &view);
    qp_array_destroy(&view);
    qp_array_destroy(&array);
    return status;
}

static enum qp_status transfer(struct qp_context *context)
{
    const struct qp_rect part = {1, 1, 3, 2};
    char values[64] = {0};
    struct qp_array *array, *other = NULL;
    enum qp_status status = qp_array_create(context, &small, NULL, &array);
    if (status == QP_OK)
        status = qp_array_create(context, &small, NULL, &other);
    if (status == QP_OK)
        status = qp_array_write(array, &part, values, 17);
    if (status == QP_OK)
        status = qp_array_read(array, &part, values, 17);
    if (status == QP_OK)
        status = qp_array_fill(array, &part, 2.0);
    if (status == QP_OK)
        status = qp_array_copy(array, &part, other, 0, 0);
    qp_array_destroy(&other);
    qp_array_destroy(&array);
    return status;
}

static enum qp_status download(struct qp_context *context)
{
    float values[20];
    struct qp_array *array;
    struct qp_download *asked = NULL, *left = NULL;
    enum qp_status status = qp_array_create(context, &small, NULL, &array);
    if (status == QP_OK)
        status = qp_array_ask(array, NULL, &left);
    if (status == QP_OK)
        status = qp_array_ask(array, NULL, &asked);
    if (status == QP_OK)
        status = qp_download_take(&asked, values, 0);
    qp_download_cancel(&asked);
    qp_download_cancel(&left);
    qp_array_destroy(&array);
    return status;
}

static enum qp_status download_at_once(struct qp_context *context)
{
    const unsigned abilities = context->device.abilities;
    context->device.abilities &= ~(unsigned)QP_CAN_FENCE;
    const enum qp_status status = download(context);
    context->device.abilities = abilities;
    return status;
}

/* The names are the test's, so that making the texture is not what fails. */
static GLuint texture;

static enum qp_status adopt(struct qp_context *context)
{
    struct qp_array *array;
    const enum qp_status status =
        qp_array_adopt(context, texture, GL_TEXTURE_RECTANGLE_ARB, &array);
    qp_array_destroy(&array);
    return status;
}

static enum qp_status read_file(struct qp_context *context)
{
    struct qp_array *array;
    const enum qp_status status =
        qp_array_read_market(context, QP_SOURCE_DIR "/tests/support/faults.mtx", &array);
    qp_array_destroy(&array);
    return status;
}

/* ---- The rule ---- */

static const struct scene {
    const char *name;
    enum qp_status (*play)(struct qp_context *context);
    int gl_objects; /* requests of OpenGL at least */
} scenes[] = {
    {"create", create, 3},      {"transfer", transfer, 6},
    {"download", download, 10}, {"download at once", download_at_once, 3},
    {"adopt", adopt, 2},        {"read_file", read_file, 3},
};

static enum qp_status play(const struct scene *scene, struct qp_context *context, enum fault fault,
                           int number)
{
    qp_texture_pool_clear(context);
    const long before = faults_live_blocks();
    faults_arm(fault, number);
    const enum qp_status status = scene->play(context);
    faults_disarm();
    qp_texture_pool_clear(context);
    if (faults_live_blocks() != before)
        fail_msg("%s, fault %d (%s): %ld blocks leak", scene->name, number, faults_struck(),
                 faults_live_blocks() - before);
    support_check_clean((void *[]){context});
    return status;
}

static bool is_right(enum qp_status status)
{
    return faults_ran_out() ? status == QP_NO_MEMORY
                            : status == QP_DEVICE || status == QP_UNSUPPORTED;
}

static int each_fault(const struct scene *scene, struct qp_context *context, enum fault fault)
{
    faults_arm(fault, INT_MAX);
    assert_ok(scene->play(context));
    const int requests = faults_disarm();
    for (int k = 1; k <= requests; k++) {
        const enum qp_status status = play(scene, context, fault, k);
        if (faults_struck() != NULL && !(is_right(status) && qp_error()[0] != '\0'))
            fail_msg("%s, fault %d (%s): code %d and '%s'", scene->name, k, faults_struck(),
                     (int)status, qp_error());
        assert_ok(play(scene, context, fault, INT_MAX));
    }
    return requests;
}

/* An array beforehand, so that pool and table are there. */
static void warm_up(struct qp_context *context)
{
    struct qp_array *array;
    assert_ok(qp_array_create(context, &small, NULL, &array));
    qp_array_destroy(&array);
    qp_texture_pool_clear(context);
}

CLEAN_TEST(every_allocation)
{
    struct qp_context *context = support_need_context(state);
    warm_up(context);
    for (int i = 0; i < COUNT(scenes); i++)
        assert_true(each_fault(&scenes[i], context, FAULT_MEMORY) >= 2);
}

CLEAN_TEST(every_gl_object)
{
    struct qp_context *context = support_need_context(state);
    warm_up(context);
    for (int i = 0; i < COUNT(scenes); i++)
        assert_true(each_fault(&scenes[i], context, FAULT_GL) >= scenes[i].gl_objects);
}

/* But for a texture that is no array yet, of which it is asked what it is. */
CLEAN_TEST(every_error)
{
    struct qp_context *context = support_need_context(state);
    warm_up(context);
    for (int i = 0; i < COUNT(scenes); i++) {
        if (scenes[i].play != adopt)
            assert_true(each_fault(&scenes[i], context, FAULT_ERROR) >= 3);
    }
}

/* The first array of a context finds no memory for the table, or for the pool, which is done
 * without. */
CLEAN_TEST(the_first_array)
{
    (void)support_need_context(state);
    for (int k = 1; k <= 4; k++) {
        struct qp_context *context;
        struct qp_array *array;
        assert_ok(qp_context_create(NULL, &context));
        faults_arm(FAULT_MEMORY, k);
        const enum qp_status status = qp_array_create(context, &small, NULL, &array);
        assert_int_equal(array == NULL, status != QP_OK);
        qp_array_destroy(&array);
        faults_disarm();
        assert_int_equal(qp_context_counters(context).live_objects, 0);
        qp_context_destroy(&context);
    }
}

/* Textures that are kept give way where the device's memory is full. */
CLEAN_TEST(kept_textures_give_way)
{
    struct qp_context *context = support_need_context(state);
    struct qp_array *array;
    warm_up(context);
    const struct qp_array_desc other = {.width = 9, .height = 9};
    assert_ok(qp_array_create(context, &other, NULL, &array));
    qp_array_destroy(&array);
    const size_t kept = qp_context_counters(context).kept_objects;
    faults_arm(FAULT_GL, 2);
    assert_ok(qp_array_create(context, &small, NULL, &array));
    faults_disarm();
    assert_string_equal(faults_struck(), "glTexImage2D");
    assert_int_equal(qp_context_counters(context).kept_objects, kept - 2);
    qp_array_destroy(&array);
    qp_texture_pool_clear(context);
}

/* A driver with so much memory is played: what takes 64 MiB or more must fit. */
static const GLubyte *GLAPIENTRY one_extension(GLenum name, GLuint index)
{
    (void)name, (void)index;
    return (const GLubyte *)"GL_NVX_gpu_memory_info";
}

CLEAN_TEST(large_things_must_fit)
{
    enum { SIDE = 4096, KIB = 4 * SIDE * SIDE / 1024 };
    static const char *const sentences[] = {
        "no memory for an array of 2048 x 2048 cells, 64 MiB; destroy others, or take a smaller "
        "one",
        "no memory for a mask of 4096 x 4096 cells, 64 MiB",
        "no memory for a depth of 4096 x 4096 cells, 64 MiB"};
    struct qp_context *context = support_need_context(state);
    const PFNGLGETSTRINGIPROC kept = __glewGetStringi;
    const bool software = context->device.software;
    const struct qp_array_desc wide = {.width = SIDE / 2, .height = SIDE / 2, .channels = 4};
    struct qp_array *array;
    struct qp_mask *mask;
    struct qp_depth *depth;
    enum qp_status status[COUNT(sentences)];
    char got[COUNT(sentences)][160];
    warm_up(context);
    __glewGetStringi = one_extension;
    context->device.software = false;
    faults_integer(GL_GPU_MEMORY_INFO_CURRENT_AVAILABLE_VIDMEM_NVX, KIB - 1);
    for (int i = 0; i < COUNT(sentences); i++) {
        status[i] = i == 0   ? qp_array_create(context, &wide, NULL, &array)
                    : i == 1 ? qp_mask_create(context, SIDE, SIDE, &mask)
                             : qp_depth_create(context, SIDE, SIDE, QP_DEPTH_NEAREST, &depth);
        snprintf(got[i], sizeof got[i], "%s", qp_error());
    }
    const enum qp_status little = qp_array_create(context, &small, NULL, &array);
    qp_array_destroy(&array);
    faults_integer(GL_GPU_MEMORY_INFO_CURRENT_AVAILABLE_VIDMEM_NVX, KIB);
    const enum qp_status fits = qp_array_create(context, &wide, NULL, &array);
    qp_array_destroy(&array);
    faults_integer(0, 0);
    context->device.software = software;
    __glewGetStringi = kept;
    qp_texture_pool_clear(context);
    for (int i = 0; i < COUNT(sentences); i++) {
        assert_int_equal(status[i], QP_NO_MEMORY);
        assert_non_null(strstr(got[i], sentences[i]));
    }
    assert_true(little == QP_OK && fits == QP_OK);
}

/* Whenever the driver reports a reset, every function reports it from then on, and nothing is
 * left. */
CLEAN_TEST(lost_contexts)
{
    struct qp_context *context = support_need_context(state);
    const bool tells = context->tells_resets;
    context->tells_resets = true;
    for (int i = 0; i < COUNT(scenes); i++) {
        faults_arm(FAULT_RESET, INT_MAX);
        assert_ok(scenes[i].play(context));
        const int asked = faults_disarm();
        assert_true(asked > 0);
        for (int k = 1; k <= asked; k++) {
            qp_texture_pool_clear(context);
            faults_arm(FAULT_RESET, k);
            assert_int_equal(scenes[i].play(context), QP_DEVICE);
            support_assert_sentence("the OpenGL context is lost");
            assert_int_equal(scenes[i].play(context), QP_DEVICE);
            faults_disarm();
            context->reset = GL_NO_ERROR; /* in place of a new context */
            support_check_clean(state);
        }
    }
    context->tells_resets = tells;
}

static int open_with_texture(void **state)
{
    if (faults_open_context(state) != 0 || *state == NULL)
        return 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_RECTANGLE_ARB, texture);
    glTexImage2D(GL_TEXTURE_RECTANGLE_ARB, 0, GL_R32F, 3, 2, 0, GL_RED, GL_FLOAT, NULL);
    return 0;
}

GROUP(open_with_texture, support_close_context)
