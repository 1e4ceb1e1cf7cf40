/* SPDX-License-Identifier: MIT */
/* Abilities of a driver that answers wrongly, or lacks a function: each probe notices it, and no
 * other one does. What the library calls by GLEW's table or the linker is led through here. */
/* own program: for glGetError, glReadPixels, which it answers */
#include "support/support.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "toolkit/gl/context/canvas.h"
#include "toolkit/gl/context/context.h"

enum { ALL = (1 << QP_ABILITIES) - 1 };

/* ---- The driver's answers ---- */

static struct {
    int reads, read;   /* so far; and the one that is changed, from 1 */
    int word;          /* changed word of 32 bits; below 0 from the end */
    uint32_t bits;     /* bits that change in it */
    float value;       /* value that takes its place, where no bits change */
    int errors, error; /* so far; and the number of the one that is answered with `code` */
    GLenum code;
    const char *hidden; /* an extension */
} lie;

static void *next(const char *name)
{
    return dlsym(RTLD_NEXT, name);
}

static void change(void *texels, int words)
{
    char *place = (char *)texels + 4 * (ptrdiff_t)(lie.word < 0 ? words + lie.word : lie.word);
    uint32_t bits;
    memcpy(&bits, place, sizeof bits);
    bits ^= lie.bits;
    memcpy(place, lie.bits != 0 ? (void *)&bits : &lie.value, sizeof bits);
}

void glReadPixels(GLint x, GLint y, GLsizei width, GLsizei height, GLenum format, GLenum type,
                  void *texels)
{
    void (*real)(GLint, GLint, GLsizei, GLsizei, GLenum, GLenum, void *);
    const int channels = format == GL_RGBA || format == GL_RGBA_INTEGER ? 4
                         : format == GL_RG || format == GL_RG_INTEGER   ? 2
                                                                        : 1;
    *(void **)&real = next("glReadPixels");
    real(x, y, width, height, format, type, texels);
    if (++lie.reads == lie.read && texels != NULL)
        change(texels, width * height * channels);
}

static PFNGLMAPBUFFERPROC map_buffer;

static void *GLAPIENTRY map_changed(GLenum target, GLenum access)
{
    static float texels[7 * 5];
    memcpy(texels, map_buffer(target, access), sizeof texels);
    if (lie.reads == lie.read)
        change(texels, COUNT(texels));
    return texels;
}

GLenum glGetError(void)
{
    GLenum (*real)(void);
    *(void **)&real = next("glGetError");
    const GLenum code = real();
    return ++lie.errors == lie.error ? lie.code : code;
}

static PFNGLGETSTRINGIPROC get_string;

static const GLubyte *GLAPIENTRY hide(GLenum name, GLuint index)
{
    const GLubyte *const text = get_string(name, index);
    return lie.hidden != NULL && strcmp((const char *)text, lie.hidden) == 0 ? (const GLubyte *)"-"
                                                                             : text;
}

static void tell_the_truth(void)
{
    memset(&lie, 0, sizeof lie);
}

/* The abilities that are found; the context keeps those that it had. */
static int probe(struct qp_context *context, enum qp_status wanted)
{
    const unsigned kept = context->device.abilities;
    const size_t objects = context->counters.live_objects;
    context->device.abilities = 0;
    lie.reads = lie.errors = 0;
    const enum qp_status status = qp_caps_probe(context);
    const int found = (int)context->device.abilities;
    context->device.abilities = kept;
    assert_int_equal(status, wanted);
    assert_int_equal(context->counters.live_objects, objects);
    return found;
}

static struct qp_context *open(void **state)
{
    struct qp_context *context = support_need_context(state);
    if (context->device.abilities != ALL)
        support_skip("gl");
    assert_ok(qp_context_enter(context));
    return context;
}

/* ---- Texels that are wrong ---- */

/* Reads of the probes, in their order. Where `rounds`, texels of 16 bits may be off by this number
 * of roundings, and hold the coordinates times the factor. */
static const struct {
    int ability, count, last;
    int rounds;
    float factor;
} reads[] = {{QP_CAN_LUMINANCE32F, 1, -1, 0, 0},   {QP_CAN_R32F, 1, -1, 0, 0},
             {QP_CAN_RGBA32F, 1, -4, 0, 0},        {QP_CAN_FLOAT_BLEND, 1, -4, 0, 0},
             {QP_CAN_FLOAT_BLEND, 1, -1, 0, 0},    {QP_CAN_TEXTURE_BARRIER, 1, -1, 0, 0},
             {QP_CAN_PIXEL_BUFFER, 1, -1, 0, 0},   {QP_CAN_BOUNDARY_LINES, 16, -1, 0, 0},
             {QP_CAN_PRECISE, 1, 0, 0, 0},         {QP_CAN_LUMINANCE16F, 1, -1, 1, 1.0f},
             {QP_CAN_RGBA16F, 1, -4, 1, 1.0f},     {QP_CAN_COMPUTE, 1, -4, 0, 0},
             {QP_CAN_READ_IMAGES, 1, -1, 0, 0},    {QP_CAN_HALF_BLEND, 1, -1, 5, 1.5f},
             {QP_CAN_LAYERED_IMAGES, 1, -4, 0, 0}, {QP_CAN_DOUBLE, 1, -1, 0, 0},
             {QP_CAN_DOUBLE, 1, -1, 0, 0},         {QP_CAN_RG32F, 1, -2, 0, 0}};

CLEAN_TEST(one_wrong_texel_is_noticed)
{
    struct qp_context *context = open(state);
    int read = 0;
    map_buffer = __glewMapBuffer;
    __glewMapBuffer = map_changed;
    for (int i = 0; i < COUNT(reads); i++) {
        for (int k = 0; k < reads[i].count; k++) {
            read++;
            for (int end = 0; end < 2; end++) {
                lie.read = read;
                lie.word = end ? reads[i].last : 0;
                lie.bits = reads[i].rounds == 0;
                const float wanted = reads[i].factor * qp_canvas_value(end ? 6 : 0, end ? 4 : 0);
                lie.value = wanted * (1.0f + ((float)reads[i].rounds + 0.5f) * 0x1p-10f);
                if (probe(context, QP_OK) != (ALL & ~reads[i].ability))
                    fail_msg("read %d, word %d: not only 0x%x is missing", read, lie.word,
                             (unsigned)reads[i].ability);
                lie.value = wanted * (1.0f + ((float)reads[i].rounds - 0.5f) * 0x1p-10f);
                if (reads[i].rounds > 0)
                    assert_int_equal(probe(context, QP_OK), ALL);
            }
        }
    }
    tell_the_truth();
    assert_int_equal(probe(context, QP_OK), ALL);
    assert_int_equal(lie.reads, read);
    __glewMapBuffer = map_buffer;
}

/* The last byte is not copied, so that the buffer holds it only if it was 0. */
static PFNGLCOPYBUFFERSUBDATAPROC copy;

static void GLAPIENTRY copy_less(GLenum from, GLenum to, GLintptr from_first, GLintptr to_first,
                                 GLsizeiptr bytes)
{
    copy(from, to, from_first + lie.word, to_first + lie.word, bytes - 1);
}

CLEAN_TEST(one_wrong_byte_is_noticed)
{
    struct qp_context *context = open(state);
    copy = __glewCopyBufferSubData;
    __glewCopyBufferSubData = copy_less;
    for (lie.word = 0; lie.word < 2; lie.word++)
        assert_int_equal(probe(context, QP_OK), ALL & ~QP_CAN_MAP_FOR_LIFE);
    __glewCopyBufferSubData = copy;
    tell_the_truth();
}

/* ---- Fences that are none ---- */

static GLsync GLAPIENTRY set_none(GLenum condition, GLbitfield flags)
{
    (void)condition, (void)flags;
    return NULL;
}

static GLenum GLAPIENTRY fail_to_wait(GLsync fence, GLbitfield flags, GLuint64 timeout)
{
    (void)fence, (void)flags, (void)timeout;
    return GL_WAIT_FAILED;
}

CLEAN_TEST(fences_must_be_set_and_reached)
{
    struct qp_context *context = open(state);
    const PFNGLFENCESYNCPROC set = __glewFenceSync;
    const PFNGLCLIENTWAITSYNCPROC wait = __glewClientWaitSync;
    __glewFenceSync = set_none;
    const int unset = probe(context, QP_OK);
    __glewFenceSync = set;
    __glewClientWaitSync = fail_to_wait;
    const int unreached = probe(context, QP_OK);
    __glewClientWaitSync = wait;
    assert_int_equal(unset, ALL & ~(QP_CAN_FENCE | QP_CAN_MAP_FOR_LIFE));
    assert_int_equal(unreached, unset);
}

/* ---- Extensions and functions that are missing ---- */

/* An ability needs the extension's name and its functions: what either takes away. */
CLEAN_TEST(extensions_and_functions_are_both_needed)
{
    static const struct {
        const char *extension;
        void **function;
        int without_name, without_function;
    } cases[] = {
        {"GL_ARB_texture_barrier", (void **)&__glewTextureBarrier, QP_CAN_TEXTURE_BARRIER,
         QP_CAN_TEXTURE_BARRIER},
        {"GL_ARB_gpu_shader5", NULL, QP_CAN_PRECISE, 0},
        {"GL_ARB_compute_shader", (void **)&__glewDispatchCompute, QP_CAN_COMPUTE, QP_CAN_COMPUTE},
        {"GL_ARB_shader_image_load_store", NULL,
         QP_CAN_READ_IMAGES | QP_CAN_LAYERED_IMAGES | QP_CAN_COMPUTE, 0},
        {"GL_ARB_sync", (void **)&__glewFenceSync, QP_CAN_FENCE | QP_CAN_MAP_FOR_LIFE,
         QP_CAN_FENCE | QP_CAN_MAP_FOR_LIFE},
        {"GL_ARB_buffer_storage", (void **)&__glewBufferStorage, QP_CAN_MAP_FOR_LIFE,
         QP_CAN_MAP_FOR_LIFE},
        {"GL_ARB_copy_buffer", (void **)&__glewCopyBufferSubData, QP_CAN_MAP_FOR_LIFE,
         QP_CAN_MAP_FOR_LIFE},
        {"GL_ARB_gpu_shader_fp64", (void **)&__glewUniform1d, QP_CAN_DOUBLE, QP_CAN_DOUBLE}};
    struct qp_context *context = open(state);
    get_string = __glewGetStringi;
    __glewGetStringi = hide;
    for (int i = 0; i < COUNT(cases); i++) {
        lie.hidden = cases[i].extension;
        assert_int_equal(probe(context, QP_OK), ALL & ~cases[i].without_name);
        lie.hidden = NULL;
        if (cases[i].function == NULL)
            continue;
        void *const kept = *cases[i].function;
        *cases[i].function = NULL;
        const int found = probe(context, QP_OK);
        *cases[i].function = kept;
        assert_int_equal(found, ALL & ~cases[i].without_function);
    }
    lie.hidden = "GL_ARB_compute_shader"; /* which needs images, too */
    const PFNGLBINDIMAGETEXTUREPROC bind = __glewBindImageTexture;
    __glewBindImageTexture = NULL;
    const int found = probe(context, QP_OK);
    __glewBindImageTexture = bind;
    __glewGetStringi = get_string;
    tell_the_truth();
    assert_int_equal(found, ALL & ~(QP_CAN_READ_IMAGES | QP_CAN_LAYERED_IMAGES | QP_CAN_COMPUTE));
}

/* ---- Errors ---- */

/* An error of the driver's costs the one ability under the probe, and one for want of memory ends
 * them all. What is not noticed are errors that a probe left, one look after each. */
CLEAN_TEST(each_error_is_noticed)
{
    struct qp_context *context = open(state);
    int unnoticed = 0;
    assert_int_equal(probe(context, QP_OK), ALL);
    const int errors = lie.errors;
    for (lie.error = 1; lie.error <= errors; lie.error++) {
        lie.code = GL_INVALID_OPERATION;
        const int missing = ALL & ~probe(context, QP_OK);
        assert_int_equal(missing & (missing - 1), 0);
        unnoticed += missing == 0;
        lie.code = GL_OUT_OF_MEMORY;
        if (missing != 0 && lie.error % 4 == 0) {
            const int found = probe(context, QP_NO_MEMORY);
            assert_int_equal(found, missing - 1);
        }
    }
    tell_the_truth();
    assert_int_equal(unnoticed, QP_ABILITIES);
}

/* ---- Barriers ---- */

static PFNGLTEXTUREBARRIERPROC bar;
static int barriers;

static void GLAPIENTRY count_barrier(void)
{
    barriers++;
    bar();
}

/* Each of the 20 draws in place, and no other draw. */
CLEAN_TEST(draws_in_place_take_barriers)
{
    struct qp_context *context = open(state);
    bar = __glewTextureBarrier;
    __glewTextureBarrier = count_barrier;
    const int found = probe(context, QP_OK);
    __glewTextureBarrier = bar;
    assert_int_equal(found, ALL);
    assert_int_equal(barriers, 20);
}

/* ---- Limits ---- */

CLEAN_TEST(limits_are_the_drivers)
{
    struct qp_context *context = support_need_context(state);
    const struct qp_device *device = qp_context_device(context);
    const struct {
        GLenum name;
        GLint limit;
    } limits[] = {{GL_MAX_RECTANGLE_TEXTURE_SIZE, device->rectangle_limit},
                  {GL_MAX_TEXTURE_SIZE, device->texture_limit},
                  {GL_MAX_TEXTURE_IMAGE_UNITS, device->texture_units},
                  {GL_MAX_COLOR_ATTACHMENTS, device->colour_attachments},
                  {GL_MAX_DRAW_BUFFERS, device->draw_buffers},
                  {GL_MAX_VARYING_FLOATS, device->vertex_outputs}};
    assert_string_equal(qp_ability_name(-1), "none");
    assert_ok(qp_context_enter(context));
    for (int i = 0; i < COUNT(limits); i++) {
        GLint wanted = -1;
        glGetIntegerv(limits[i].name, &wanted);
        assert_int_equal(limits[i].limit, wanted);
    }
}

GROUP(support_open_context, support_close_context)
