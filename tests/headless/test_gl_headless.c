/* SPDX-License-Identifier: MIT */
/* The header on a device: pictures of floats, errors, threads, and the library beside it. */
#include "support/support.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <EGL/egl.h>
#include <GL/glcorearb.h>

#define GL_HEADLESS_IMPLEMENTATION
#include "../../headless/gl_headless.h"

enum { W = 4, H = 3, VALUES = 4 * W * H };

/* A function of OpenGL, by the header. */
#define GL(type, name) ((type)gl_headless_function(name))

/* Skips the test, or fails it with REQUIRE=gl, where there is no OpenGL. */
static gl_headless *open_context(int width, int height, const gl_headless_options *options)
{
    gl_headless *gl = gl_headless_create(width, height, options);
    if (gl == NULL && support_is_required("gl"))
        fail_msg("REQUIRE=gl, but: %s", gl_headless_error());
    if (gl == NULL)
        skip();
    return gl;
}

/* Does what was wanted, or shows the sentence. */
static void assert_done(int done)
{
    if (!done)
        fail_msg("%s", gl_headless_error());
}

static void assert_told(int done, const char *words)
{
    assert_false(done);
    if (strstr(gl_headless_error(), words) == NULL)
        fail_msg("'%s' has no '%s'", gl_headless_error(), words);
}

/* ---- Pictures ---- */

static const char vertex[] = "#version 150\n"
                             "uniform float depth;\n"
                             "void main()\n{\n"
                             "    vec2 at = vec2(gl_VertexID % 2, gl_VertexID / 2) * 4.0 - 1.0;\n"
                             "    gl_Position = vec4(at, depth, 1.0);\n}\n";
static const char fragment[] = "#version 150\n"
                               "uniform float special[4], last;\n"
                               "out vec4 cell;\n"
                               "void main()\n{\n"
                               "    ivec2 at = ivec2(gl_FragCoord.xy);\n"
                               "    cell = vec4(float(at.x) - 2.5, float(1000 * at.y + at.x),\n"
                               "                special[at.x], last);\n}\n";

static const GLfloat special[W] = {NAN, INFINITY, -INFINITY, 3e38f};

static void attach(GLuint program, GLenum kind, const char *text)
{
    GLint done = 0;
    const GLuint shader = GL(PFNGLCREATESHADERPROC, "glCreateShader")(kind);
    GL(PFNGLSHADERSOURCEPROC, "glShaderSource")(shader, 1, &text, NULL);
    GL(PFNGLCOMPILESHADERPROC, "glCompileShader")(shader);
    GL(PFNGLGETSHADERIVPROC, "glGetShaderiv")(shader, GL_COMPILE_STATUS, &done);
    assert_true(done);
    GL(PFNGLATTACHSHADERPROC, "glAttachShader")(program, shader);
}

static GLint place(GLuint program, const char *name)
{
    return GL(PFNGLGETUNIFORMLOCATIONPROC, "glGetUniformLocation")(program, name);
}

/* Draws a triangle over all cells, with this fourth value, as far away as `depth`. */
static void draw(GLuint program, float last, float depth)
{
    PFNGLUNIFORM1FPROC set = GL(PFNGLUNIFORM1FPROC, "glUniform1f");
    GL(PFNGLUSEPROGRAMPROC, "glUseProgram")(program);
    GL(PFNGLUNIFORM1FVPROC, "glUniform1fv")(place(program, "special"), W, special);
    set(place(program, "last"), last);
    set(place(program, "depth"), depth);
    GL(PFNGLDRAWARRAYSPROC, "glDrawArrays")(GL_TRIANGLES, 0, 3);
}

static GLuint make_program(void)
{
    GLuint array = 0;
    GLint done = 0;
    const GLuint program = GL(PFNGLCREATEPROGRAMPROC, "glCreateProgram")();
    attach(program, GL_VERTEX_SHADER, vertex);
    attach(program, GL_FRAGMENT_SHADER, fragment);
    GL(PFNGLLINKPROGRAMPROC, "glLinkProgram")(program);
    GL(PFNGLGETPROGRAMIVPROC, "glGetProgramiv")(program, GL_LINK_STATUS, &done);
    assert_true(done);
    GL(PFNGLGENVERTEXARRAYSPROC, "glGenVertexArrays")(1, &array);
    GL(PFNGLBINDVERTEXARRAYPROC, "glBindVertexArray")(array);
    return program;
}

static void assert_picture(const float *rgba, float last)
{
    for (int i = 0; i < W * H; i++) {
        const int x = i % W, y = i / W;
        const float *cell = rgba + (ptrdiff_t)4 * i;
        assert_true(cell[0] == (float)x - 2.5f && cell[1] == (float)(1000 * y + x));
        assert_true(x == 0 ? isnan(cell[2]) : cell[2] == special[x]);
        assert_true(cell[3] == last);
    }
}

/* Values below 0, above 1, infinite ones and NaN come back, from the lowest row on; the nearer of
 * two pictures stays. */
TEST(floats_are_kept)
{
    for (int core = 0; core <= 1; core++) {
        const gl_headless_options options = {.core = core};
        gl_headless *gl = open_context(W, H, &options);
        float rgba[VALUES];
        GLint profile = 0;
        assert_true(gl->width == W && gl->height == H && gl->framebuffer != 0);
        assert_done(gl_headless_read(gl, rgba));
        for (int i = 0; i < VALUES; i++)
            assert_true(rgba[i] == 0.0f);
        const GLuint program = make_program();
        GL(PFNGLENABLEPROC, "glEnable")(GL_DEPTH_TEST);
        draw(program, -0.125f, 0.0f);
        draw(program, 1e-30f, 0.5f);
        assert_done(gl_headless_read(gl, rgba));
        assert_picture(rgba, -0.125f);
        draw(program, 1e-30f, -0.5f);
        assert_done(gl_headless_read(gl, rgba));
        assert_picture(rgba, 1e-30f);
        GL(PFNGLGETINTEGERVPROC, "glGetIntegerv")(GL_CONTEXT_PROFILE_MASK, &profile);
        assert_int_equal(profile & GL_CONTEXT_CORE_PROFILE_BIT, core);
        gl_headless_destroy(gl);
    }
}

/* Whatever is bound and set, a picture is read whole, and nothing beside it is written. */
TEST(state_of_others_does_not_matter)
{
    gl_headless *gl = open_context(W, H, NULL);
    float rgba[VALUES + 64];
    GLuint other = 0, buffer = 0;
    GLint viewport[4];
    for (int i = 0; i < COUNT(rgba); i++)
        rgba[i] = 7.0f;
    draw(make_program(), 1.0f, 0.0f);
    GL(PFNGLGENFRAMEBUFFERSPROC, "glGenFramebuffers")(1, &other);
    GL(PFNGLBINDFRAMEBUFFERPROC, "glBindFramebuffer")(GL_FRAMEBUFFER, other);
    GL(PFNGLGENBUFFERSPROC, "glGenBuffers")(1, &buffer);
    GL(PFNGLBINDBUFFERPROC, "glBindBuffer")(GL_PIXEL_PACK_BUFFER, buffer);
    GL(PFNGLPIXELSTOREIPROC, "glPixelStorei")(GL_PACK_ROW_LENGTH, 7);
    GL(PFNGLPIXELSTOREIPROC, "glPixelStorei")(GL_PACK_SKIP_ROWS, 1);
    GL(PFNGLPIXELSTOREIPROC, "glPixelStorei")(GL_PACK_SKIP_PIXELS, 2);
    GL(PFNGLPIXELSTOREIPROC, "glPixelStorei")(GL_PACK_SWAP_BYTES, 1);
    assert_done(gl_headless_read(gl, rgba));
    assert_picture(rgba, 1.0f);
    for (int i = VALUES; i < COUNT(rgba); i++)
        assert_true(rgba[i] == 7.0f);
    GL(PFNGLVIEWPORTPROC, "glViewport")(0, 0, 1, 1);
    assert_done(gl_headless_bind(gl));
    GL(PFNGLGETINTEGERVPROC, "glGetIntegerv")(GL_VIEWPORT, viewport);
    assert_true(viewport[2] == W && viewport[3] == H);
    GL(PFNGLCLEARCOLORPROC, "glClearColor")(-2.0f, 0.0f, 0.0f, 0.0f);
    GL(PFNGLCLEARPROC, "glClear")(GL_COLOR_BUFFER_BIT);
    assert_done(gl_headless_read(gl, rgba));
    assert_true(rgba[0] == -2.0f && rgba[VALUES - 4] == -2.0f);
    gl_headless_destroy(gl);
}

/* ---- Errors ---- */

/* A failure leaves the context of before as the current one. */
TEST(sizes_are_checked)
{
    gl_headless *gl = open_context(1, 1, NULL);
    const EGLContext current = eglGetCurrentContext();
    float rgba[4];
    assert_ptr_equal(current, gl->context);
    assert_told(gl_headless_create(0, 5, NULL) != NULL, "a framebuffer of 0 x 5 has no cell; ");
    assert_told(gl_headless_create(5, -1, NULL) != NULL, "of 5 x -1 has no cell; both are 1");
    assert_told(gl_headless_create(1 << 30, 1, NULL) != NULL,
                "a framebuffer of 1073741824 x 1 is too large: the driver has ");
    assert_told(gl_headless_create(1, 1 << 30, NULL) != NULL, "; draw parts");
    assert_ptr_equal(eglGetCurrentContext(), current);
    assert_done(gl_headless_read(gl, rgba));
    gl_headless_destroy(gl);
    assert_ptr_equal(eglGetCurrentContext(), EGL_NO_CONTEXT);
}

TEST(devices_are_checked)
{
    gl_headless *gl = open_context(1, 1, NULL);
    const bool software = strstr(gl->device, "llvmpipe") != NULL;
    assert_non_null(strstr(gl->device, ", OpenGL "));
    gl_headless_destroy(gl);
    setenv("GL_HEADLESS_DEVICE", "toaster", 1);
    assert_told(gl_headless_create(1, 1, NULL) != NULL, "'toaster' is no device; use auto, ");
    unsetenv("GL_HEADLESS_DEVICE");
    assert_told(gl_headless_create(1, 1, &(gl_headless_options){.device = "31"}) != NULL,
                "no OpenGL for '31': EGL lists no such device; install a driver ");
    if (!software)
        return;
    assert_told(gl_headless_create(1, 1, &(gl_headless_options){.device = "nvidia"}) != NULL,
                "no OpenGL for 'nvidia': EGL lists no such device; ");
    gl = open_context(1, 1, &(gl_headless_options){.device = "llvmpipe"});
    assert_non_null(strstr(gl->device, ", surfaceless"));
    gl_headless_destroy(gl);
    gl = open_context(1, 1, &(gl_headless_options){.device = "0"});
    assert_non_null(strstr(gl->device, ", device 0"));
    gl_headless_destroy(gl);
}

TEST(calls_are_checked)
{
    gl_headless *gl = open_context(1, 1, NULL), *other = open_context(1, 1, NULL);
    float rgba[4] = {7.0f};
    assert_told(gl_headless_read(gl, rgba), "gl_headless_read got no current context; ");
    assert_told(gl_headless_bind(gl), "gl_headless_bind got no current context; create one, ");
    assert_told(gl_headless_read(NULL, rgba), "gl_headless_read got no current context; ");
    assert_told(gl_headless_make_current(NULL), "gl_headless_make_current got no context; ");
    assert_told(gl_headless_read(other, NULL), "gl_headless_read got no array; give width * ");
    assert_told(gl_headless_function(NULL) != NULL, "EGL has no function ''");
    gl_headless_destroy(other);
    gl_headless_destroy(NULL);
    assert_told(gl_headless_bind(gl), "gl_headless_bind got no current context; ");
    assert_done(gl_headless_make_current(gl));
    GL(PFNGLENABLEPROC, "glEnable")(GL_RGBA32F);
    GL(PFNGLBINDTEXTUREPROC, "glBindTexture")(GL_RGBA32F, 0);
    assert_told(gl_headless_read(gl, rgba), "a call of OpenGL before this one failed with "
                                            "GL_INVALID_ENUM; ask glGetError after each of them");
    assert_true(rgba[0] == 7.0f);
    assert_done(gl_headless_read(gl, rgba));
    assert_true(rgba[0] == 0.0f);
    gl_headless_destroy(gl);
}

/* ---- Threads ---- */

static gl_headless *taken; /* current in another thread */
static char words[256];

static void *take(void *unused)
{
    if (gl_headless_make_current(taken))
        return unused;
    strncpy(words, gl_headless_error(), sizeof words - 1);
    return words;
}

TEST(context_is_one_threads)
{
    pthread_t thread;
    void *told = NULL;
    taken = open_context(1, 1, NULL);
    assert_told(gl_headless_bind(NULL), "gl_headless_bind got");
    assert_int_equal(pthread_create(&thread, NULL, take, NULL), 0);
    assert_int_equal(pthread_join(thread, &told), 0);
    assert_ptr_equal(told, words);
    assert_string_equal(
        words, "eglMakeCurrent failed with EGL_BAD_ACCESS; is it current in another thread?");
    assert_told(0, "gl_headless_bind got"); /* the sentence of this thread */
    gl_headless_destroy(taken);
}

enum { ROUNDS = 20 };
static pthread_barrier_t together;

/* Returns NULL, or a copy of the sentence on what went wrong, for it ends with its thread. */
static void *paint(void *colour)
{
    gl_headless *gl = gl_headless_create(W, H, NULL);
    float rgba[VALUES];
    char *wrong = gl == NULL ? strdup(gl_headless_error()) : NULL;
    pthread_barrier_wait(&together);
    for (int k = 0; k < ROUNDS && wrong == NULL; k++) {
        const float red = *(const float *)colour + (float)k;
        GL(PFNGLCLEARCOLORPROC, "glClearColor")(red, 0.0f, 0.0f, 0.0f);
        GL(PFNGLCLEARPROC, "glClear")(GL_COLOR_BUFFER_BIT);
        if (!gl_headless_read(gl, rgba))
            wrong = strdup(gl_headless_error());
        for (int i = 0; i < VALUES && wrong == NULL; i += 4)
            wrong = rgba[i] == red ? NULL : strdup("another colour");
    }
    gl_headless_destroy(gl);
    return wrong;
}

TEST(each_thread_has_its_own)
{
    static float colours[3] = {-100.0f, 100.0f, 1000.0f};
    pthread_t threads[COUNT(colours)];
    gl_headless_destroy(open_context(1, 1, NULL));
    assert_int_equal(pthread_barrier_init(&together, NULL, COUNT(colours)), 0);
    for (int i = 0; i < COUNT(colours); i++)
        assert_int_equal(pthread_create(&threads[i], NULL, paint, &colours[i]), 0);
    for (int i = 0; i < COUNT(colours); i++) {
        void *wrong = NULL;
        assert_int_equal(pthread_join(threads[i], &wrong), 0);
        if (wrong != NULL)
            fail_msg("%s", (const char *)wrong);
    }
    pthread_barrier_destroy(&together);
}

/* The library leaves the header's context current, whichever ends first; both find one device. */
TEST(library_works_beside_it)
{
    gl_headless *gl = open_context(1, 1, NULL);
    struct qp_context *context = NULL;
    float rgba[4];
    unsetenv("QUADPASS_DEVICE");
    assert_ok(qp_context_create(NULL, &context));
    assert_ptr_equal(eglGetCurrentContext(), gl->context);
    assert_non_null(strstr(gl->device, qp_context_device(context)->renderer));
    assert_non_null(strstr(gl->device, qp_context_device(context)->egl + strlen("EGL ")));
    assert_done(gl_headless_read(gl, rgba));
    qp_context_destroy(&context);
    assert_done(gl_headless_read(gl, rgba));
    assert_ok(qp_context_create(NULL, &context));
    gl_headless_destroy(gl);
    gl = open_context(1, 1, NULL);
    qp_context_destroy(&context);
    assert_done(gl_headless_read(gl, rgba));
    gl_headless_destroy(gl);
}
