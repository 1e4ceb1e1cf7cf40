/* SPDX-License-Identifier: MIT */
/* Cost of a pass beside raw OpenGL calls over 4 x 4 cells: calls that set all state that the pass
 * answers for, and calls that set only what differs between draws. All compute the same, and with
 * LONG=1 their times are printed: the thread's time on the processor and the time of the clock. No
 * time is judged here, for other work on the machine would decide. */
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "toolkit/base/clock.h"
#include "toolkit/gl/context/context.h"

enum { SIDE = 4, CELLS = SIDE * SIDE, LAPS = 15, MOST_LISTED = 100 };

static const char fragment[] = "#version 120\n"
                               "#extension GL_ARB_texture_rectangle : require\n"
                               "uniform sampler2DRect x, y;\n"
                               "uniform float a;\n"
                               "void main()\n"
                               "{\n"
                               "    gl_FragColor = a * texture2DRect(x, gl_FragCoord.xy) +\n"
                               "                   texture2DRect(y, gl_FragCoord.xy);\n"
                               "}\n";

/* Two fields in turn, or one target again and again. */
struct scene {
    struct qp_context *context;
    struct qp_array *x, *y, *out;
    struct qp_kernel *kernel;
    struct qp_pass pass[2];
    struct qp_list *list;
    GLuint program, framebuffer[2], texture[2][2];
    GLint place_x, place_y, place_a;
    bool in_turn;
};

/* ---- Raw OpenGL ---- */

static void open_raw(struct scene *scene)
{
    const char *text = fragment;
    const struct qp_array *read[2] = {scene->x, scene->out};
    const struct qp_array *written[2] = {scene->out, scene->x};
    const GLuint shader = glCreateShader(GL_FRAGMENT_SHADER);
    glShaderSource(shader, 1, &text, NULL);
    glCompileShader(shader);
    scene->program = glCreateProgram();
    glAttachShader(scene->program, shader);
    glLinkProgram(scene->program);
    glDeleteShader(shader);
    scene->place_x = glGetUniformLocation(scene->program, "x");
    scene->place_y = glGetUniformLocation(scene->program, "y");
    scene->place_a = glGetUniformLocation(scene->program, "a");
    glGenFramebuffers(2, scene->framebuffer);
    for (int i = 0; i < 2; i++) {
        scene->texture[i][0] = qp_array_texture(read[i]).name;
        scene->texture[i][1] = qp_array_texture(scene->y).name;
        glBindFramebuffer(GL_FRAMEBUFFER, scene->framebuffer[i]);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_RECTANGLE_ARB,
                               qp_array_texture(written[i]).name, 0);
        glDrawBuffer(GL_COLOR_ATTACHMENT0);
    }
}

static void close_raw(struct scene *scene)
{
    glDeleteFramebuffers(2, scene->framebuffer);
    glDeleteProgram(scene->program);
}

/* All state that a pass sets and that others may have changed. */
static void set_state(void)
{
    static const GLenum off[] = {GL_ALPHA_TEST,   GL_CULL_FACE,
                                 GL_DEPTH_TEST,   GL_DITHER,
                                 GL_LINE_SMOOTH,  GL_LINE_STIPPLE,
                                 GL_POINT_SMOOTH, GL_SCISSOR_TEST,
                                 GL_STENCIL_TEST, GL_VERTEX_PROGRAM_POINT_SIZE};
    for (int i = 0; i < COUNT(off); i++)
        glDisable(off[i]);
    glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
    glLineWidth(1.0f);
    glPointSize(1.0f);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glClampColor(GL_CLAMP_FRAGMENT_COLOR, GL_FALSE);
    glDisable(GL_BLEND);
    glBlendEquation(GL_FUNC_ADD);
    glBlendFunc(GL_ONE, GL_ONE);
    glMatrixMode(GL_PROJECTION);
    glLoadIdentity();
    glOrtho(0.0, SIDE, 0.0, SIDE, -1.0, 1.0);
    glMatrixMode(GL_MODELVIEW);
    glLoadIdentity();
}

/* Draws by what each draw needs: program, numbers, target, textures. */
static void draw_lean(struct scene *scene, int turn)
{
    glUseProgram(scene->program);
    glUniform1i(scene->place_x, 0);
    glUniform1i(scene->place_y, 1);
    glUniform1f(scene->place_a, 0.5f);
    glBindFramebuffer(GL_FRAMEBUFFER, scene->framebuffer[turn]);
    glViewport(0, 0, SIDE, SIDE);
    for (int i = 0; i < 2; i++) {
        glActiveTexture(GL_TEXTURE0 + (GLenum)i);
        glBindTexture(GL_TEXTURE_RECTANGLE_ARB, scene->texture[turn][i]);
    }
    glActiveTexture(GL_TEXTURE0);
    glBegin(GL_QUADS);
    glVertex2f(0.0f, 0.0f);
    glVertex2f((float)SIDE, 0.0f);
    glVertex2f((float)SIDE, (float)SIDE);
    glVertex2f(0.0f, (float)SIDE);
    glEnd();
}

/* ---- Ways to run ---- */

static void run_raw(struct scene *scene, int passes)
{
    for (int i = 0; i < passes; i++) {
        set_state();
        draw_lean(scene, scene->in_turn ? i % 2 : 0);
    }
}

static void run_lean(struct scene *scene, int passes)
{
    set_state();
    for (int i = 0; i < passes; i++)
        draw_lean(scene, scene->in_turn ? i % 2 : 0);
}

static void run_single(struct scene *scene, int passes)
{
    for (int i = 0; i < passes; i++)
        assert_ok(qp_pass_run(&scene->pass[scene->in_turn ? i % 2 : 0]));
}

static void run_list(struct scene *scene, int passes)
{
    assert_ok(qp_list_run(scene->list, passes / MOST_LISTED));
}

static const struct {
    const char *name;
    void (*run)(struct scene *scene, int passes);
} ways[] = {{"all state set", run_raw},
            {"what differs", run_lean},
            {"pass", run_single},
            {"in a list", run_list}};

/* ---- Scenes ---- */

static void open_scene(struct scene *scene, struct qp_context *context, bool in_turn)
{
    static struct qp_pass passes[MOST_LISTED];
    const struct qp_array_desc desc = {.width = SIDE, .height = SIDE};
    *scene = (struct scene){.context = context, .in_turn = in_turn};
    assert_ok(qp_array_create(context, &desc, NULL, &scene->x));
    assert_ok(qp_array_create(context, &desc, NULL, &scene->y));
    assert_ok(qp_array_create(context, &desc, NULL, &scene->out));
    assert_ok(qp_array_fill(scene->y, NULL, 3.0));
    assert_ok(qp_kernel_create(context,
                               &(struct qp_kernel_desc){.fragment = {.text = fragment},
                                                        .input = {{"x"}, {"y"}},
                                                        .number = {{"a"}}},
                               &scene->kernel));
    for (int i = 0; i < 2; i++)
        scene->pass[i] =
            (struct qp_pass){.kernel = scene->kernel,
                             .input = {{"x", i == 0 ? scene->x : scene->out}, {"y", scene->y}},
                             .number = {{"a", {0.5}}},
                             .output = {i == 0 ? scene->out : scene->x}};
    for (int i = 0; i < MOST_LISTED; i++)
        passes[i] = scene->pass[in_turn ? i % 2 : 0];
    assert_ok(qp_list_create(passes, MOST_LISTED, &scene->list));
    open_raw(scene);
}

static void close_scene(struct scene *scene)
{
    close_raw(scene);
    qp_list_destroy(&scene->list);
    qp_kernel_destroy(&scene->kernel);
    qp_array_destroy(&scene->x);
    qp_array_destroy(&scene->y);
    qp_array_destroy(&scene->out);
}

/* ---- Same cells ---- */

/* After k turns with a = 1/2 and y = 3 the field is 6 (1 - 2^-k), exactly. */
CLEAN_TEST(all_ways_compute_the_same)
{
    struct scene scene;
    open_scene(&scene, support_need_context(state), true);
    for (int way = 0; way < COUNT(ways); way++) {
        float got[CELLS];
        assert_ok(qp_array_fill(scene.x, NULL, 1024.0));
        ways[way].run(&scene, MOST_LISTED);
        assert_ok(qp_array_read(scene.x, NULL, got, 0));
        for (int i = 0; i < CELLS; i++)
            assert_true(got[i] == 6.0f);
        assert_ok(qp_array_fill(scene.x, NULL, 1024.0));
        if (ways[way].run == run_list)
            continue;
        ways[way].run(&scene, 2);
        assert_ok(qp_array_read(scene.x, NULL, got, 0));
        for (int i = 0; i < CELLS; i++)
            assert_true(got[i] == 1024.0f / 4.0f + 4.5f);
    }
    close_scene(&scene);
}

/* ---- Times ---- */

static int compare(const void *one, const void *other)
{
    const double a = *(const double *)one, b = *(const double *)other;
    return (a > b) - (a < b);
}

static double median(double *values)
{
    qsort(values, LAPS, sizeof *values, compare);
    return values[LAPS / 2];
}

static double thread_time(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Laps of all ways in turn, so that what the machine does besides meets all of them: medians, and
 * in brackets medians of the laps' ratios to the calls that set all state and to the others. */
static void print_times(struct scene *scene, int passes, const char *clock, double (*now)(void))
{
    double took[COUNT(ways)][LAPS], ratio[2][COUNT(ways)][LAPS];
    for (int lap = 0; lap < LAPS; lap++) {
        for (int way = 0; way < COUNT(ways); way++) {
            assert_ok(qp_context_finish(scene->context));
            const double begin = now();
            ways[way].run(scene, passes);
            assert_ok(qp_context_finish(scene->context));
            took[way][lap] = (now() - begin) / passes;
        }
        for (int way = 0; way < COUNT(ways); way++)
            for (int raw = 0; raw < 2; raw++)
                ratio[raw][way][lap] = took[way][lap] / took[raw][lap];
    }
    print_message("%s, %s:\n", scene->in_turn ? "two targets in turn" : "one target", clock);
    for (int way = 0; way < COUNT(ways); way++)
        print_message("  %-14s %6.3f us (%.3f, %.3f)\n", ways[way].name, 1e6 * median(took[way]),
                      median(ratio[0][way]), median(ratio[1][way]));
}

CLEAN_TEST(times_beside_raw_opengl)
{
    struct qp_context *context = support_need_context(state);
    const int passes = support_takes_long() ? 20000 : MOST_LISTED;
    for (int in_turn = 0; in_turn < 2; in_turn++) {
        struct scene scene;
        open_scene(&scene, context, in_turn);
        if (support_takes_long()) {
            print_times(&scene, passes, "thread", thread_time);
            print_times(&scene, passes, "clock", qp_clock);
        }
        close_scene(&scene);
    }
}

GROUP(support_open_context, support_close_context)
