/* SPDX-License-Identifier: MIT */
/* Arrays of textures that a program made itself, and of Matrix Market files. */
#include "support/support.h"

#include "support/host.h"

#include <stdio.h>
#include <unistd.h>

#include "toolkit/arrays/array.h"

static GLuint make_texture(GLenum target, GLint internal, GLenum format, GLenum type, int width,
                           int height, const void *texels)
{
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(target, texture);
    glTexImage2D(target, 0, internal, width, height, 0, format, type, texels);
    glBindTexture(target, 0);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    return texture;
}

static const GLenum targets[] = {GL_TEXTURE_RECTANGLE_ARB, GL_TEXTURE_2D};

/* Both see what the other one writes, and the texture outlives the array. */
CLEAN_TEST(textures_are_shared)
{
    struct qp_context *context = support_need_context(state);
    for (int i = 0; i < COUNT(targets); i++) {
        float texels[12], got[12];
        struct qp_array *array, *view;
        for (int k = 0; k < 12; k++)
            texels[k] = (float)k;
        const GLuint name = make_texture(targets[i], GL_RG32F, GL_RG, GL_FLOAT, 3, 2, texels);
        assert_ok(qp_array_adopt(context, name, targets[i], &array));
        const struct qp_array_desc desc = qp_array_describe(array);
        assert_int_equal(desc.width * 10 + desc.height, 32);
        assert_int_equal(desc.type * 10 + desc.channels, QP_ARRAY_FLOAT * 10 + 2);
        assert_int_equal(qp_array_texture(array).target, targets[i]);
        assert_int_equal(qp_array_texture(array).internal_format, GL_RG32F);
        assert_ok(qp_array_read(array, NULL, got, 0));
        assert_memory_equal(got, texels, sizeof got);
        assert_ok(qp_array_view(array, &(struct qp_rect){1, 1, 1, 1}, &view));
        assert_ok(qp_array_fill(view, NULL, -5.0));
        texels[8] = texels[9] = -5.0f;
        qp_array_destroy(&array);
        qp_array_destroy(&view);
        assert_true(glIsTexture(name));
        glBindTexture(targets[i], name);
        glGetTexImage(targets[i], 0, GL_RG, GL_FLOAT, got);
        glBindTexture(targets[i], 0);
        assert_memory_equal(got, texels, sizeof got);
        glDeleteTextures(1, &name);
    }
}

/* An adopted texture is copied to and from like another array; two arrays of it are one. */
CLEAN_TEST(copies_reach_them)
{
    struct qp_context *context = support_need_context(state);
    const float texels[6] = {1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f};
    float got[6];
    struct qp_array *array, *same, *other;
    const GLuint name = make_texture(GL_TEXTURE_2D, GL_R32F, GL_RED, GL_FLOAT, 3, 2, texels);
    assert_ok(qp_array_adopt(context, name, GL_TEXTURE_2D, &array));
    assert_ok(qp_array_adopt(context, name, GL_TEXTURE_2D, &same));
    assert_ok(
        qp_array_create(context, &(struct qp_array_desc){.width = 3, .height = 2}, NULL, &other));
    assert_ok(qp_array_copy(array, NULL, other, 0, 0));
    assert_ok(qp_array_read(other, NULL, got, 0));
    assert_memory_equal(got, texels, sizeof got);
    assert_int_equal(qp_array_copy(array, NULL, same, 0, 0), QP_BAD_USE);
    support_assert_sentence("copied to cells that it holds itself");
    qp_array_destroy(&same);
    qp_array_destroy(&other);
    qp_array_destroy(&array);
    glDeleteTextures(1, &name);
}

/* Kernels write both targets, read rectangles, and see that two arrays of one texture are one. */
CLEAN_TEST(kernels_take_them)
{
    struct qp_context *context = support_need_context(state);
    const struct qp_kernel_desc desc = {.name = "twice",
                                        .body =
                                            "float kernel(vec2 here) { return 2.0 * x_at(0, 0); }",
                                        .input = {{.name = "x"}}};
    const float texels[6] = {1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f};
    struct qp_kernel *kernel;
    assert_ok(qp_kernel_create(context, &desc, &kernel));
    for (int i = 0; i < COUNT(targets); i++) {
        float got[6];
        struct qp_array *array, *same, *other;
        const GLuint name = make_texture(targets[i], GL_R32F, GL_RED, GL_FLOAT, 3, 2, texels);
        assert_ok(qp_array_adopt(context, name, targets[i], &array));
        assert_ok(qp_array_adopt(context, name, targets[i], &same));
        assert_ok(qp_array_create(context, &(struct qp_array_desc){.width = 3, .height = 2}, texels,
                                  &other));
        struct qp_pass pass = {.kernel = kernel, .input = {{"x", other}}, .output = {array}};
        assert_ok(qp_pass_run(&pass));
        assert_ok(qp_array_read(array, NULL, got, 0));
        for (int k = 0; k < 6; k++)
            assert_true(got[k] == 2.0f * texels[k]);
        pass = (struct qp_pass){.kernel = kernel, .input = {{"x", array}}, .output = {other}};
        assert_int_equal(qp_pass_run(&pass), i == 0 ? QP_OK : QP_UNSUPPORTED);
        assert_ok(qp_array_read(other, NULL, got, 0));
        assert_true(got[5] == (i == 0 ? 24.0f : 6.0f));
        if (i > 0)
            support_assert_sentence("'x' is a GL_TEXTURE_2D");
        assert_int_equal(qp_scan(array, QP_SCAN_INCLUSIVE, other), i == 0 ? QP_OK : QP_UNSUPPORTED);
        if (i > 0)
            support_assert_sentence("'x' is a GL_TEXTURE_2D");
        pass = (struct qp_pass){.kernel = kernel, .input = {{"x", array}}, .output = {same}};
        assert_int_equal(qp_pass_run(&pass), i == 0 ? QP_BAD_USE : QP_UNSUPPORTED);
        qp_array_destroy(&same);
        qp_array_destroy(&other);
        qp_array_destroy(&array);
        glDeleteTextures(1, &name);
    }
    qp_kernel_destroy(&kernel);
}

/* GL_RG32UI is a double's format too, and taken for integers. */
CLEAN_TEST(formats_are_found)
{
    struct qp_context *context = support_need_context(state);
    static const struct {
        GLint internal;
        GLenum format, type;
        enum qp_array_type found;
        int channels;
    } known[] = {
        {GL_R32F, GL_RED, GL_FLOAT, QP_ARRAY_FLOAT, 1},
        {GL_RGBA32F, GL_RGBA, GL_FLOAT, QP_ARRAY_FLOAT, 4},
        {GL_RG16F, GL_RG, GL_FLOAT, QP_ARRAY_HALF, 2},
        {GL_R32I, GL_RED_INTEGER, GL_INT, QP_ARRAY_INT, 1},
        {GL_RG32UI, GL_RG_INTEGER, GL_UNSIGNED_INT, QP_ARRAY_UINT, 2},
    };
    for (int i = 0; i < COUNT(known); i++) {
        struct qp_array *array;
        const GLuint name = make_texture(GL_TEXTURE_RECTANGLE_ARB, known[i].internal,
                                         known[i].format, known[i].type, 4, 3, NULL);
        assert_ok(qp_array_adopt(context, name, GL_TEXTURE_RECTANGLE_ARB, &array));
        assert_int_equal(qp_array_describe(array).type, known[i].found);
        assert_int_equal(qp_array_describe(array).channels, known[i].channels);
        qp_array_destroy(&array);
        glDeleteTextures(1, &name);
    }
}

static void refuse(struct qp_context *context, GLuint texture, GLenum target, enum qp_status wanted,
                   const char *words)
{
    struct qp_array *array = (struct qp_array *)&texture;
    assert_int_equal(qp_array_adopt(context, texture, target, &array), wanted);
    assert_null(array);
    support_assert_sentence(words);
}

CLEAN_TEST(what_is_no_array)
{
    struct qp_context *context = support_need_context(state);
    const GLenum rectangle = GL_TEXTURE_RECTANGLE_ARB;
    const GLuint bytes = make_texture(rectangle, GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, 4, 3, NULL);
    GLuint blank;
    refuse(context, bytes, rectangle, QP_UNSUPPORTED, "internal format 0x8058");
    refuse(context, bytes, GL_TEXTURE_2D, QP_BAD_USE, "is no texture of target GL_TEXTURE_2D");
    refuse(context, bytes, GL_TEXTURE_3D, QP_BAD_USE, "a texture of target 0x806f");
    refuse(context, 0, rectangle, QP_BAD_USE, "0 is no texture");
    refuse(context, 99999, rectangle, QP_BAD_USE, "99999 is no texture");
    assert_false(glIsTexture(99999));
    glGenTextures(1, &blank);
    glBindTexture(rectangle, blank);
    glBindTexture(rectangle, 0);
    refuse(context, blank, rectangle, QP_BAD_USE, "has no image");
    for (int high = 0; high < 2; high++) { /* a texture without texels */
        glBindTexture(rectangle, blank);
        glTexImage2D(rectangle, 0, GL_R32F, high ? 0 : 3, high ? 3 : 0, 0, GL_RED, GL_FLOAT, NULL);
        glBindTexture(rectangle, 0);
        refuse(context, blank, rectangle, QP_BAD_USE, "has no image");
    }
    glDeleteTextures(1, &blank);
    glDeleteTextures(1, &bytes);
    refuse(NULL, 1, rectangle, QP_BAD_USE, "'context' is NULL");
    assert_int_equal(qp_array_adopt(context, 1, rectangle, NULL), QP_BAD_USE);
}

/* ---- Files ---- */

static const char path[] = QP_BUILD_DIR "/tests/toolkit/array.mtx";

static void write_file(const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0 && fclose(file) == 0);
}

CLEAN_TEST(files_become_arrays)
{
    struct qp_context *context = support_need_context(state);
    static const char *const texts[] = {
        "%%MatrixMarket matrix coordinate real general\n2 3 3\n1 3 1.5\n2 1 -2\n2 2 4e3\n",
        "%%MatrixMarket matrix array real general\n2 3\n0\n-2\n0\n4e3\n1.5\n0\n"};
    static const float wanted[] = {0.0f, 0.0f, 1.5f, -2.0f, 4000.0f, 0.0f};
    for (int i = 0; i < COUNT(texts); i++) {
        float got[6];
        struct qp_array *array;
        write_file(texts[i]);
        assert_ok(qp_array_read_market(context, path, &array));
        assert_int_equal(qp_array_describe(array).width * 10 + qp_array_describe(array).height, 32);
        assert_ok(qp_array_read(array, NULL, got, 0));
        assert_memory_equal(got, wanted, sizeof got);
        qp_array_destroy(&array);
    }
    unlink(path);
}

CLEAN_TEST(files_that_are_none)
{
    struct qp_context *context = support_need_context(state);
    struct qp_array *array = NULL;
    char text[128], words[64];
    const int limit = qp_context_device(context)->rectangle_limit;
    snprintf(text, sizeof text, "%%%%MatrixMarket matrix coordinate real general\n%d 1 1\n1 1 1\n",
             limit + 1);
    snprintf(words, sizeof words, "rectangle_limit of %d", limit);
    write_file(text);
    assert_int_equal(qp_array_read_market(context, path, &array), QP_UNSUPPORTED);
    support_assert_sentence(words);
    support_assert_sentence("array.mtx");
    write_file("%%MatrixMarket matrix coordinate real general\n2 2 1\n1 7 1\n");
    assert_int_equal(qp_array_read_market(context, path, &array), QP_BAD_INPUT);
    unlink(path);
    assert_int_equal(qp_array_read_market(context, path, &array), QP_BAD_INPUT);
    assert_null(array);
    assert_int_equal(qp_array_read_market(context, NULL, &array), QP_BAD_USE);
    assert_int_equal(qp_array_read_market(NULL, path, &array), QP_BAD_USE);
    assert_int_equal(qp_array_read_market(context, path, NULL), QP_BAD_USE);
}

/* Rounds of loops are counted in a storage buffer; a program's own is at its place again. */
CLEAN_TEST(storage_buffers_come_back)
{
    static const EGLint none[] = {EGL_NONE};
    const struct qp_kernel_desc desc = {.body = "float kernel(vec2 here)\n{\n    float k = 0.0;\n"
                                                "    while (k < size.x) k++;\n    return k;\n}"};
    struct qp_context *context;
    struct qp_kernel *kernel;
    struct qp_array *out;
    GLuint buffer;
    GLint bound;
    GLint64 bytes;
    if ((qp_context_device(support_need_context(state))->abilities & QP_CAN_COMPUTE) == 0)
        skip();
    host_open(EGL_OPENGL_API, none);
    assert_ok(qp_context_adopt(&context));
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, buffer);
    glBufferData(GL_SHADER_STORAGE_BUFFER, 64, NULL, GL_STATIC_DRAW);
    glBindBufferRange(GL_SHADER_STORAGE_BUFFER, 0, buffer, 0, 16);
    assert_ok(qp_kernel_create(context, &desc, &kernel));
    assert_ok(
        qp_array_create(context, &(struct qp_array_desc){.width = 4, .height = 1}, NULL, &out));
    assert_ok(qp_pass_run(&(struct qp_pass){.kernel = kernel, .output = {out}}));
    assert_ok(qp_context_finish(context));
    glGetIntegeri_v(GL_SHADER_STORAGE_BUFFER_BINDING, 0, &bound);
    glGetInteger64i_v(GL_SHADER_STORAGE_BUFFER_SIZE, 0, &bytes);
    assert_int_equal(bound, buffer);
    assert_int_equal(bytes, 16);
    glDeleteBuffers(1, &buffer);
    qp_array_destroy(&out);
    qp_kernel_destroy(&kernel);
    qp_context_destroy(&context);
    host_close();
}

GROUP(support_open_context, support_close_context)
