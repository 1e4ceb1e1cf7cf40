/*@ origin */
/* heat.frag on OpenGL: a context without a window, and the kernel's shader as programs. */
/*@ end */
#define _POSIX_C_SOURCE 200809L
#include "opengl.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Lines of the shader. */
static const char *const lines[] = {
#include "kernel.inc"
};
enum { LINES = sizeof lines / sizeof lines[0] };

/* ---- The context ---- */

static bool make_current(EGLDisplay display)
{
    static const EGLint config[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE, 0,
                                    EGL_NONE};
    EGLConfig found = NULL;
    EGLint count = 0;
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, NULL, NULL) ||
        !eglBindAPI(EGL_OPENGL_API) || !eglChooseConfig(display, config, &found, 1, &count) ||
        count < 1)
        return false;
    EGLContext context = eglCreateContext(display, found, EGL_NO_CONTEXT, NULL);
    return context != EGL_NO_CONTEXT &&
           eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context);
}

/* By the first device of EGL's that has OpenGL, a GPU where there is one, or else by Mesa alone. */
void opengl_open(void)
{
    enum { DEVICES = 16 };
    static bool is_open;
    EGLDeviceEXT devices[DEVICES];
    EGLint count = 0;
    PFNEGLQUERYDEVICESEXTPROC query =
        (PFNEGLQUERYDEVICESEXTPROC)eglGetProcAddress("eglQueryDevicesEXT");
    if (is_open)
        return;
    if (query == NULL || !query(DEVICES, devices, &count))
        count = 0;
    for (int i = 0; i < count && !is_open; i++)
        is_open = make_current(eglGetPlatformDisplay(EGL_PLATFORM_DEVICE_EXT, devices[i], NULL));
    if (!is_open && !make_current(eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA,
                                                        EGL_DEFAULT_DISPLAY, NULL)))
        fail("no driver gives OpenGL without a window; install Mesa's or NVIDIA's");
    is_open = true;
    glewExperimental = GL_TRUE;
    const GLenum answer = glewInit();
    if (answer != GLEW_OK && answer != GLEW_ERROR_NO_GLX_DISPLAY)
        fail("GLEW cannot start: %s", (const char *)glewGetErrorString(answer));
}

void opengl_check(void)
{
    const GLenum error = glGetError();
    if (error == GL_OUT_OF_MEMORY)
        fail("OpenGL has no memory for grids of this size");
    if (error != GL_NO_ERROR)
        fail("OpenGL reports error 0x%04x", error);
}

/* ---- Programs ---- */

static void add_shader(GLuint program, GLenum kind, int count, const char *const *text)
{
    char log[512] = "";
    GLint good = 0;
    const GLuint shader = glCreateShader(kind);
    glShaderSource(shader, count, text, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
    glGetShaderInfoLog(shader, sizeof log, NULL, log);
    if (!good)
        fail("a shader does not compile: %s", log);
    glAttachShader(program, shader);
    glDeleteShader(shader);
}

GLuint opengl_program(GLenum kind, const char *defines, const char *vertex)
{
    const char *text[LINES + 1] = {lines[0], defines};
    char log[512] = "";
    GLint good = 0;
    const GLuint program = glCreateProgram();
    memcpy(text + 2, lines + 1, sizeof lines - sizeof lines[0]);
    if (vertex != NULL)
        add_shader(program, GL_VERTEX_SHADER, 1, &vertex);
    add_shader(program, kind, LINES + 1, text);
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &good);
    glGetProgramInfoLog(program, sizeof log, NULL, log);
    if (!good)
        fail("a program does not link: %s", log);
    glUseProgram(program);
    return program;
}

/* For so many steps, without or with `edge`; of all machines, since compilers take their time. */
static GLuint programs[MOST_AT_ONCE + 1][2];

static void set_numbers(GLuint program, const struct grid *grid)
{
    glUseProgram(program);
    glUniform2i(glGetUniformLocation(program, "qp_size"), grid->width, grid->height);
    glUniform2fv(glGetUniformLocation(program, "size"), 1, (const float *)&grid->set.size);
    /*@ set uniforms */
    glUniform1fv(glGetUniformLocation(program, "rate"), 1, (const float *)&grid->set.rate);
    /*@ end */
}

/* ---- The grid in blocks ---- */

struct blocks opengl_blocks(const struct grid *grid, int width, int height)
{
    return (struct blocks){width, height, (grid->width + width - 1) / width,
                           (grid->height + height - 1) / height};
}

/* The blocks without a cell outside begin after so many, and end after *end. */
static int inside(int halo, int block, int cells, int blocks, int *end)
{
    const int begin = (halo + block - 1) / block, last = cells > halo ? (cells - halo) / block : 0;
    *end = last > begin ? last : begin < blocks ? begin : blocks;
    return begin < blocks ? begin : blocks;
}

static void draw(int x, int y, int end_x, int end_y)
{
    if (x < end_x && y < end_y)
        machine_draw(x, y, end_x, end_y);
}

void opengl_cover(const struct grid *grid, const struct blocks *blocks, int steps)
{
    int right, above;
    const int halo = steps * REACH;
    const int left = inside(halo, blocks->width, grid->width, blocks->across, &right),
              below = inside(halo, blocks->height, grid->height, blocks->up, &above);
    set_numbers(programs[steps][false], grid);
    draw(left, below, right, above);
    set_numbers(programs[steps][true], grid);
    draw(0, 0, blocks->across, below);
    draw(0, above, blocks->across, blocks->up);
    draw(0, below, left, above);
    draw(right, below, blocks->across, above);
}

/* ---- The machine, for program.c ---- */

static double seconds(void)
{
    struct timespec now;
    glFinish();
    opengl_check();
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double machine_advance(struct machine *m, int steps, int at_once)
{
    for (int k = at_once, left = steps; left > 0; left %= k, k /= 2)
        for (int edge = 0; edge < 2 && k <= left; edge++)
            if (programs[k][edge] == 0)
                programs[k][edge] = machine_program(m, k, edge);
    const double start = seconds();
    for (; steps > 0; steps -= at_once) {
        while (at_once > steps)
            at_once /= 2;
        machine_go(m, at_once);
    }
    return seconds() - start;
}

const char *machine_name(struct machine *m)
{
    (void)m;
    return (const char *)glGetString(GL_RENDERER);
}

bool machine_set(const char *name, size_t length, const char *value)
{
    (void)name, (void)length, (void)value;
    return false;
}
