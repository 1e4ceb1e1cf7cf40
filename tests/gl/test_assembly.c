/* SPDX-License-Identifier: MIT */
/* The fragment program in assembly on docs/history.md: the driver compiles it, and it takes the
 * step that the page says. */
#include "support/files.h"
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

#include "toolkit/gl/pass.h"
#include "toolkit/gl/render_texture.h"

enum { WIDTH = 7, HEIGHT = 5, RIM = 1, COLUMNS = WIDTH + 2 * RIM, LINES = HEIGHT + 2 * RIM };
enum { CELLS = COLUMNS * LINES };

/* The page's text from !!ARBfp1.0 to END, which the caller frees. */
static char *assembly_of_the_page(void)
{
    static const char end[] = "\nEND\n";
    FILE *file = fopen(QP_SOURCE_DIR "/docs/history.md", "r");
    char *page = slurp(file);
    fclose(file);
    const char *from = strstr(page, "\n!!ARBfp1.0\n");
    assert_non_null(from);
    const char *to = strstr(from, end);
    assert_non_null(to);
    char *text = strndup(from + 1, (size_t)(to - from) + strlen(end) - 2);
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

/* Every cell but the rim's, which no quad covers. */
CLEAN_TEST(assembly_takes_the_step)
{
    struct qp_context *context = support_need_context(state);
    struct qp_render_texture x, f, target;
    float x_values[CELLS], f_values[CELLS], got[CELLS];
    if (!qp_context_has(context, "GL_ARB_fragment_program"))
        skip();
    char *text = assembly_of_the_page();
    const GLuint id = compile(text);
    free(text);
    srand(1);
    open_array(context, x_values, &x);
    open_array(context, f_values, &f);
    open_array(context, got, &target);
    struct qp_gl_pass pass = qp_render_texture_pass(&target);
    pass.geometry = qp_quad(RIM, RIM, WIDTH + RIM, HEIGHT + RIM);
    pass.texture[0] = &x.texture;
    pass.texture[1] = &f.texture;
    pass.textures = 2;
    glUseProgram(0);
    glEnable(GL_FRAGMENT_PROGRAM_ARB);
    qp_pass_draw(context, &pass);
    glDisable(GL_FRAGMENT_PROGRAM_ARB);
    glDeleteProgramsARB(1, &id);
    assert_ok(qp_render_texture_read(&target, got));
    for (int j = RIM; j < LINES - RIM; j++) {
        for (int i = RIM; i < COLUMNS - RIM; i++) {
            const float *at = x_values + j * COLUMNS + i;
            const double wanted = 0.25 * ((double)f_values[j * COLUMNS + i] + at[-1] + at[1] +
                                          at[-COLUMNS] + at[COLUMNS]);
            assert_float_equal(got[j * COLUMNS + i], wanted, 1e-6);
        }
    }
    qp_render_texture_destroy(&x);
    qp_render_texture_destroy(&f);
    qp_render_texture_destroy(&target);
}

GROUP(support_open_context, support_close_context)
