/* SPDX-License-Identifier: MIT */
/* A context of the program's own: computed in, with all its state as it was after each call. */
/* own program: for glGetIntegerv, which it answers */
#include "support/host.h"

#include <dlfcn.h>
#include <string.h>

enum { SIZE = 9 };

/* ---- Computations in the context ---- */

static void use_toolkit(struct qp_context *context, const struct shot *before)
{
    const struct qp_array_desc desc = {.width = SIZE, .height = SIZE};
    const struct qp_kernel_desc twice = {
        .body = "float kernel(vec2 here) { return 2.0 * x_at(0, 0) + x_at(1, 0); }",
        .input = {{"x", QP_ARRAY_FLOAT, 1, 1}}};
    struct qp_array *x, *out;
    struct qp_kernel *kernel;
    struct qp_list *list;
    struct qp_download *download;
    float values[SIZE * SIZE], got[SIZE * SIZE];
    struct qp_reduced sum;
    double wanted = 0.0;
    for (int i = 0; i < SIZE * SIZE; i++)
        values[i] = (float)(i - 20);
    assert_ok(qp_array_create(context, &desc, values, &x));
    host_assert_same(before, "qp_array_create with values");
    assert_ok(qp_array_create(context, &desc, NULL, &out));
    host_assert_same(before, "qp_array_create");
    assert_ok(qp_kernel_create(context, &twice, &kernel));
    host_assert_same(before, "qp_kernel_create");
    const struct qp_pass pass = {.kernel = kernel, .input = {{"x", x}}, .output = {out}};
    assert_ok(qp_pass_run(&pass));
    host_assert_same(before, "qp_pass_run");
    assert_ok(qp_array_read(out, NULL, got, 0));
    host_assert_same(before, "qp_array_read");
    for (int i = 0; i < SIZE * SIZE; i++) {
        const float right = i % SIZE < SIZE - 1 ? values[i + 1] : 0.0f;
        assert_float_equal(got[i], 2.0f * values[i] + right, 0.0);
        wanted += got[i];
    }
    assert_ok(qp_list_create(&pass, 1, &list));
    assert_ok(qp_list_run(list, 3));
    host_assert_same(before, "qp_list_run");
    assert_ok(qp_array_reduce(out, QP_REDUCE_SUM, &sum));
    host_assert_same(before, "qp_array_reduce");
    assert_float_equal(sum.value, wanted, 0.0);
    assert_ok(qp_array_ask(out, NULL, &download));
    host_assert_same(before, "qp_array_ask");
    assert_ok(qp_download_take(&download, values, 0));
    host_assert_same(before, "qp_download_take");
    assert_memory_equal(values, got, sizeof got);
    qp_list_destroy(&list);
    qp_kernel_destroy(&kernel);
    qp_array_destroy(&x);
    qp_array_destroy(&out);
    host_assert_same(before, "destroying");
}

/* A mask of one cell in the middle, in which 1 is written; then 2, and 3: nearer, and dropped. */
static void use_mask_and_depth(struct qp_context *context, const struct shot *before)
{
    const struct qp_array_desc desc = {.width = SIZE, .height = SIZE};
    const struct qp_kernel_desc text = {
        .body = "float kernel(vec2 here) { gl_FragDepth = 1.0 / a; return a; }", .number = {{"a"}}};
    const struct qp_rect middle = {SIZE / 2, SIZE / 2, 1, 1};
    struct qp_array *cells, *out;
    struct qp_kernel *kernel;
    struct qp_mask *mask;
    struct qp_depth *depth;
    float got[SIZE * SIZE];
    assert_ok(qp_array_create(context, &desc, NULL, &cells));
    assert_ok(qp_array_create(context, &desc, NULL, &out));
    assert_ok(qp_array_fill(cells, &middle, 1.0));
    assert_ok(qp_kernel_create(context, &text, &kernel));
    assert_ok(qp_mask_create(context, SIZE, SIZE, &mask));
    host_assert_same(before, "qp_mask_create");
    assert_ok(qp_mask_set(mask, cells));
    host_assert_same(before, "qp_mask_set");
    assert_ok(qp_depth_create(context, SIZE, SIZE, QP_DEPTH_FARTHEST, &depth));
    host_assert_same(before, "qp_depth_create");
    assert_ok(qp_pass_run(&(struct qp_pass){
        .kernel = kernel, .number = {{.name = "a", .value = {1}}}, .output = {out}, .mask = mask}));
    host_assert_same(before, "a pass with a mask");
    assert_ok(qp_array_read(out, NULL, got, 0));
    for (int i = 0; i < SIZE * SIZE; i++)
        assert_true(got[i] == (i == SIZE * SIZE / 2 ? 1.0f : 0.0f));
    for (int i = 2; i <= 3; i++)
        assert_ok(qp_pass_run(&(struct qp_pass){.kernel = kernel,
                                                .number = {{.name = "a", .value = {i}}},
                                                .output = {out},
                                                .depth = depth}));
    host_assert_same(before, "passes with a depth");
    assert_ok(qp_depth_clear(depth));
    host_assert_same(before, "qp_depth_clear");
    assert_ok(qp_array_read(out, NULL, got, 0));
    for (int i = 0; i < SIZE * SIZE; i++)
        assert_true(got[i] == 2.0f);
    qp_mask_destroy(&mask);
    qp_depth_destroy(&depth);
    qp_kernel_destroy(&kernel);
    qp_array_destroy(&cells);
    qp_array_destroy(&out);
    host_assert_same(before, "destroying a mask and a depth");
}

/* A point, whose place and depth the program's own clip control would change. */
static void use_points(struct qp_context *context, const struct shot *before)
{
    const struct qp_array_desc desc = {.width = 1, .height = 3};
    const struct qp_kernel_desc text = {
        .fragment = {.text = "void main() { gl_FragColor = vec4(1.0 + gl_FragCoord.z); }"},
        .vertex = {.text = "void main() { gl_Position = gl_ModelViewProjectionMatrix * "
                           "vec4(0.5, 0.5, 0.25, 1.0); }"}};
    struct qp_array *out;
    struct qp_kernel *kernel;
    struct qp_depth *depth;
    float got[3];
    assert_ok(qp_array_create(context, &desc, NULL, &out));
    assert_ok(qp_kernel_create(context, &text, &kernel));
    assert_ok(qp_depth_create(context, 1, 3, QP_DEPTH_FARTHEST, &depth));
    assert_ok(qp_pass_run(
        &(struct qp_pass){.kernel = kernel, .output = {out}, .points = 1, .depth = depth}));
    host_assert_same(before, "a pass of points");
    assert_ok(qp_array_read(out, NULL, got, 0));
    assert_float_equal(got[0], 1.25f, 1e-6);
    assert_true(got[1] == 0.0f && got[2] == 0.0f);
    qp_depth_destroy(&depth);
    qp_kernel_destroy(&kernel);
    qp_array_destroy(&out);
}

static void use_rows(struct qp_context *context, const struct shot *before)
{
    static const char *const rows[] = {
        "jacobi9/luminance",   "jacobi9/rgba_copy",       "poisson5/targets_fused4",
        "poisson5/compute",    "reduce/luminance",        "gauss_jordan/luminance",
        "transpose/luminance", "gauss_jordan/blocks_vbo", "spmv/compute"};
    int walked = 0;
    for (int i = 0; i < COUNT(rows); i++) {
        const struct qp_variant *variant = qp_variant_find(rows[i]);
        struct qp_problem_desc desc = {.width = SIZE, .height = SIZE};
        const struct qp_walk_desc steps = {.iterations = 3};
        struct qp_problem problem;
        struct qp_result result;
        if (variant == NULL)
            continue;
        desc.op = variant->op;
        if (qp_problem_create(&desc, &problem) != QP_OK)
            continue;
        const enum qp_status status = qp_walk(context, variant, &problem, &steps, &result);
        if (status == QP_OK) {
            assert_int_equal(result.verdict, QP_PASS);
            walked++;
        }
        host_assert_same(before, rows[i]);
        qp_problem_destroy(&problem);
    }
    assert_in_range(walked, 3, COUNT(rows));
}

TEST(state_is_as_it_was)
{
    static const EGLint none[] = {EGL_NONE};
    struct qp_context *context;
    host_open(EGL_OPENGL_API, none);
    host_set_state();
    const struct shot before = host_look();
    assert_ok(qp_context_adopt(&context));
    host_assert_same(&before, "qp_context_adopt");
    assert_string_equal(qp_context_device(context)->renderer,
                        qp_context_device(host.other)->renderer);
    assert_string_equal(qp_context_device(context)->why, "the program's own");
    assert_non_null(strstr(qp_context_device(context)->egl, ", a context of the program"));
    use_toolkit(context, &before);
    use_mask_and_depth(context, &before);
    use_points(context, &before);
    use_rows(context, &before);
    const size_t live = qp_context_counters(context).live_objects;
    qp_context_destroy(&context);
    host_assert_same(&before, "qp_context_destroy");
    assert_int_equal(live, 0);
    assert_true(glIsProgram((GLuint)before.number[0]));
    host_close();
}

/* An array of the host's texture, which the host reads afterwards, beside the library's context. */
TEST(its_textures_are_arrays)
{
    static const EGLint none[] = {EGL_NONE};
    struct qp_context *context;
    struct qp_array *array;
    float texels[4 * 3] = {1.0f, 2.0f, 3.0f};
    GLuint texture;
    host_open(EGL_OPENGL_API, none);
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_RECTANGLE, texture);
    glTexImage2D(GL_TEXTURE_RECTANGLE, 0, GL_R32F, 4, 3, 0, GL_RED, GL_FLOAT, texels);
    assert_ok(qp_context_adopt(&context));
    assert_ok(qp_array_adopt(context, texture, GL_TEXTURE_RECTANGLE, &array));
    assert_ok(qp_array_fill(array, &(struct qp_rect){1, 0, 2, 1}, 9.0));
    qp_array_destroy(&array);
    qp_context_destroy(&context);
    glGetTexImage(GL_TEXTURE_RECTANGLE, 0, GL_RED, GL_FLOAT, texels);
    assert_float_equal(texels[0], 1.0f, 0.0);
    assert_float_equal(texels[1], 9.0f, 0.0);
    assert_float_equal(texels[2], 9.0f, 0.0);
    glDeleteTextures(1, &texture);
    host_close();
}

/* Entered from a call that finds another context current, or none. */
TEST(it_need_not_be_current)
{
    static const EGLint none[] = {EGL_NONE};
    struct qp_context *context;
    host_open(EGL_OPENGL_API, none);
    glLineWidth(3.0f);
    const EGLDisplay display = host.other->display;
    assert_ok(qp_context_adopt(&context));
    for (int bare = 0; bare < 2; bare++) {
        const struct qp_array_desc desc = {.width = 3, .height = 2};
        struct qp_array *array;
        float got[6];
        GLfloat width = 0.0f;
        if (bare)
            eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        else
            eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, host.other->handle);
        assert_ok(qp_array_create(context, &desc, NULL, &array));
        assert_ok(qp_array_fill(array, NULL, 5.0));
        assert_ok(qp_array_read(array, NULL, got, 0));
        assert_float_equal(got[5], 5.0f, 0.0);
        qp_array_destroy(&array);
        assert_true(eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, host.handle));
        glGetFloatv(GL_LINE_WIDTH, &width);
        assert_float_equal(width, 3.0f, 0.0);
    }
    qp_context_destroy(&context);
    host_close();
}

/* A full stack of attributes leaves no room to keep state: its contents stay. */
TEST(stacks_need_a_level)
{
    static const EGLint none[] = {EGL_NONE};
    const struct qp_array_desc desc = {.width = 3, .height = 2};
    struct qp_context *context, *other;
    struct qp_array *array, *kept;
    host_open(EGL_OPENGL_API, none);
    assert_ok(qp_context_adopt(&context));
    assert_ok(qp_array_create(context, &desc, NULL, &kept));
    for (int client = 0; client < 2; client++) {
        GLint most = 0;
        glGetIntegerv(client ? GL_MAX_CLIENT_ATTRIB_STACK_DEPTH : GL_MAX_ATTRIB_STACK_DEPTH, &most);
        for (int i = 0; i < most; i++) {
            if (client)
                glPushClientAttrib(GL_CLIENT_PIXEL_STORE_BIT);
            else
                glPushAttrib(GL_LINE_BIT);
        }
        glLineWidth(3.0f);
        const struct shot before = host_look();
        assert_int_equal(qp_array_create(context, &desc, NULL, &array), QP_BAD_USE);
        support_assert_sentence(client ? "the stack of glPushClientAttrib is full"
                                       : "the stack of glPushAttrib is full");
        assert_null(array);
        assert_int_equal(qp_context_adopt(&other), QP_BAD_USE);
        assert_null(other);
        host_assert_same(&before, "a full stack");
        for (int i = 0; i < most; i++)
            (client ? glPopClientAttrib : glPopAttrib)();
    }
    assert_ok(qp_array_fill(kept, NULL, 1.0));
    qp_array_destroy(&kept);
    qp_context_destroy(&context);
    host_close();
}

/* Modes in which commands draw nothing: an open display list, feedback and selection. */
static void set_mode(int which, bool on)
{
    static GLfloat numbers[16];
    static GLuint names[16];
    if (which == 0) {
        if (on)
            glNewList(1, GL_COMPILE);
        else {
            glEndList();
            glDeleteLists(1, 1);
        }
        return;
    }
    glFeedbackBuffer(COUNT(numbers), GL_3D, numbers);
    glSelectBuffer(COUNT(names), names);
    glRenderMode(!on ? GL_RENDER : which == 1 ? GL_FEEDBACK : GL_SELECT);
}

TEST(modes_that_draw_nothing_are_refused)
{
    static const EGLint none[] = {EGL_NONE};
    static const char *const words[] = {"has the display list 1 open",
                                        "is in the render mode GL_FEEDBACK",
                                        "is in the render mode GL_SELECT"};
    const struct qp_array_desc desc = {.width = 3, .height = 2};
    struct qp_context *context, *other;
    struct qp_array *array, *kept;
#ifdef QP_DEBUG
    const int modes = 1; /* Mesa does not free what it makes for the render modes */
#else
    const int modes = COUNT(words);
#endif
    host_open(EGL_OPENGL_API, none);
    assert_ok(qp_context_adopt(&context));
    assert_ok(qp_array_create(context, &desc, NULL, &kept));
    for (int i = 0; i < modes; i++) {
        GLint list = 0, mode = 0;
        set_mode(i, true);
        assert_int_equal(qp_array_create(context, &desc, NULL, &array), QP_BAD_USE);
        support_assert_sentence(words[i]);
        assert_int_equal(qp_array_fill(kept, NULL, 1.0), QP_BAD_USE);
        assert_int_equal(qp_context_adopt(&other), QP_BAD_USE);
        support_assert_sentence(words[i]);
        assert_null(other);
        glGetIntegerv(GL_LIST_INDEX, &list);
        glGetIntegerv(GL_RENDER_MODE, &mode);
        assert_int_equal(list, i == 0);
        assert_int_equal(mode, i == 0 ? GL_RENDER : i == 1 ? GL_FEEDBACK : GL_SELECT);
        set_mode(i, false);
        assert_ok(qp_array_fill(kept, NULL, 1.0));
    }
    qp_array_destroy(&kept);
    qp_context_destroy(&context);
    host_close();
}

/* OpenGL's own, but for the version that it is said to be. */
static int version, asked;

void glGetIntegerv(GLenum name, GLint *value)
{
    void (*real)(GLenum, GLint *);
    *(void **)&real = dlsym(RTLD_NEXT, "glGetIntegerv");
    real(name, value);
    if (version != 0 && (name == GL_MAJOR_VERSION || name == GL_MINOR_VERSION))
        *value = name == GL_MAJOR_VERSION ? version / 10 : version % 10;
    asked += name == GL_CONTEXT_PROFILE_MASK;
}

TEST(others_are_refused)
{
    static const EGLint second[] = {EGL_CONTEXT_MAJOR_VERSION, 2, EGL_NONE},
                        core[] = {EGL_CONTEXT_MAJOR_VERSION,
                                  3,
                                  EGL_CONTEXT_MINOR_VERSION,
                                  2,
                                  EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                  EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                  EGL_NONE};
    struct qp_context *context;
    assert_int_equal(qp_context_adopt(NULL), QP_BAD_USE);
    host_open(EGL_OPENGL_ES_API, second);
    assert_int_equal(qp_context_adopt(&context), QP_UNSUPPORTED);
    support_assert_sentence("the current context is of OpenGL ES");
    assert_null(context);
    host_close();
    host_open(EGL_OPENGL_API, core);
    assert_int_equal(qp_context_adopt(&context), QP_UNSUPPORTED);
    support_assert_sentence("is of the core profile; Quadpass needs the compatibility");
    version = 32; /* profiles came with this one */
    assert_int_equal(qp_context_adopt(&context), QP_UNSUPPORTED);
    version = 31; /* which is asked for an extension, and has no profile to ask for */
    asked = 0;
    assert_int_equal(qp_context_adopt(&context), QP_UNSUPPORTED);
    support_assert_sentence("is of the core profile; Quadpass needs the compatibility");
    assert_int_equal(asked, 0);
    version = 0;
    eglMakeCurrent(host.other->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    assert_int_equal(qp_context_adopt(&context), QP_BAD_USE);
    support_assert_sentence("no EGL context is current on this thread");
    host_close();
}
