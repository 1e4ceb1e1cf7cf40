/* SPDX-License-Identifier: MIT */
/* The step on docs/history.md in assembly and in GLSL: the driver compiles both texts, and each
 * takes the step that the page says. */
#include "support/files.h"
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

#include "toolkit/gl/pass.h"
#include "toolkit/gl/render_texture.h"

enum { WIDTH = 7, HEIGHT = 5, RIM = 1, COLUMNS = WIDTH + 2 * RIM, LINES = HEIGHT + 2 * RIM };
enum { CELLS = COLUMNS * LINES };

/* The page's text after one line and up to another, which the caller frees. */
static char *text_of_the_page(const char *after, const char *end)
{
    FILE *file = fopen(QP_SOURCE_DIR "/docs/history.md", "r");
    char *page = slurp(file);
    fclose(file);
    const char *from = strstr(page, after);
    assert_non_null(from);
    from += strlen(after);
    const char *to = strstr(from, end);
    assert_non_null(to);
    char *text = strndup(from, (size_t)(to - from) + 1);
    free(page);
    return text;
}

static GLuint compile(const char *text)
{
    GLuint id;
    glGenProgramsARB(1, &id);
    glBindProgramARB(GL_FRAGMENT_PROGRAM_ARB, id);
    glProgramStringARB(GL_FRAGMENT_PROGRAM_ARB, GL_PROGRAM_FORMAT_ASCII_ARB, (GLsizei)strlen(text),
                       text);
    if (glGetError() != GL_NO_ERROR)
        fail_msg("%s", (const char *)glGetString(GL_PROGRAM_ERROR_STRING_ARB));
    return id;
}

/* A texture of random values from -1 to 1. */
static void open_array(struct qp_context *context, float *values, struct qp_render_texture *out)
{
    for (int i = 0; i < CELLS; i++)
        values[i] = (float)(rand() % 2001 - 1000) / 1000.0f;
    *out = (struct qp_render_texture){0};
    assert_ok(qp_render_texture_create(context, GL_TEXTURE_RECTANGLE_ARB, QP_R32F, COLUMNS, LINES,
                                       0, values, out));
}

/* Two arrays, and a pass that reads them. */
struct step {
    struct qp_render_texture x, f, target;
    float x_values[CELLS], f_values[CELLS], got[CELLS];
    struct qp_gl_pass pass;
};

static void open_step(struct qp_context *context, struct step *step)
{
    srand(1);
    open_array(context, step->x_values, &step->x);
    open_array(context, step->f_values, &step->f);
    open_array(context, step->got, &step->target);
    step->pass = qp_render_texture_pass(&step->target);
    step->pass.geometry = qp_quad(RIM, RIM, WIDTH + RIM, HEIGHT + RIM);
    step->pass.texture[0] = &step->x.texture;
    step->pass.texture[1] = &step->f.texture;
    step->pass.textures = 2;
}

/* Every cell but the rim's, which no quad covers, has a quarter of five values. */
static void close_step(struct step *step)
{
    assert_ok(qp_render_texture_read(&step->target, step->got));
    for (int j = RIM; j < LINES - RIM; j++) {
        for (int i = RIM; i < COLUMNS - RIM; i++) {
            const float *at = step->x_values + j * COLUMNS + i;
            const double wanted = 0.25 * ((double)step->f_values[j * COLUMNS + i] + at[-1] + at[1] +
                                          at[-COLUMNS] + at[COLUMNS]);
            assert_float_equal(step->got[j * COLUMNS + i], wanted, 1e-6);
        }
    }
    qp_render_texture_destroy(&step->x);
    qp_render_texture_destroy(&step->f);
    qp_render_texture_destroy(&step->target);
}

CLEAN_TEST(assembly_takes_the_step)
{
    struct qp_context *context = support_need_context(state);
    struct step step;
    if (!qp_context_has(context, "GL_ARB_fragment_program"))
        skip();
    char *text = text_of_the_page("\n```\n!!ARBfp1.0", "\n```"), *whole = NULL;
    assert_true(asprintf(&whole, "!!ARBfp1.0%s", text) > 0);
    const GLuint id = compile(whole);
    free(whole);
    free(text);
    open_step(context, &step);
    glUseProgram(0);
    glEnable(GL_FRAGMENT_PROGRAM_ARB);
    qp_pass_draw(context, &step.pass);
    glDisable(GL_FRAGMENT_PROGRAM_ARB);
    glDeleteProgramsARB(1, &id);
    close_step(&step);
}

CLEAN_TEST(glsl_takes_the_step)
{
    static const char first[] = "#version 120\n#extension GL_ARB_texture_rectangle : require\n";
    struct qp_context *context = support_need_context(state);
    const struct qp_uniform names[] = {{"x", QP_SAMPLER, 0}, {"f", QP_SAMPLER, 0}, {0}};
    struct step step;
    int location[2];
    char *text = text_of_the_page("\n```glsl\n", "\n```"), *whole = NULL;
    assert_true(asprintf(&whole, "%s%s", first, text) > 0);
    const struct qp_program_source source = {.fragment = {.name = "page.frag", .text = whole},
                                             .target = GL_TEXTURE_RECTANGLE_ARB};
    open_step(context, &step);
    assert_ok(qp_program_make(context, &source, names, location, &step.pass.program));
    free(whole);
    free(text);
    qp_program_use(step.pass.program);
    glUniform1i(location[0], 0);
    glUniform1i(location[1], 1);
    qp_pass_draw(context, &step.pass);
    close_step(&step);
}

GROUP(support_open_context, support_close_context)
