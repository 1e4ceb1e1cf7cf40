/* SPDX-License-Identifier: MIT */
/* Sentences about a shader that a driver refuses: the first error, with its file, its line and that
 * line. The driver's words are the test's. */
#include "support/support.h"

#include <stdio.h>
#include <string.h>

#include "toolkit/gl/context/context.h"
#include "toolkit/gl/program.h"

static const char *words;
static bool compiles = true, links = true;

static PFNGLGETSHADERIVPROC get_shader;
static PFNGLGETPROGRAMIVPROC get_program;
static PFNGLGETSHADERINFOLOGPROC get_words;
static PFNGLGETPROGRAMINFOLOGPROC get_link_words;

static void GLAPIENTRY say_compiled(GLuint id, GLenum name, GLint *value)
{
    get_shader(id, name, value);
    if (name == GL_COMPILE_STATUS && !compiles)
        *value = GL_FALSE;
}

static void GLAPIENTRY say_linked(GLuint id, GLenum name, GLint *value)
{
    get_program(id, name, value);
    if (name == GL_LINK_STATUS && !links)
        *value = GL_FALSE;
}

static void GLAPIENTRY say_words(GLuint id, GLsizei size, GLsizei *length, GLchar *text)
{
    (void)id;
    const int written = snprintf(text, (size_t)size, "%s", words);
    if (length != NULL)
        *length = written;
}

static struct qp_context *open(void **state)
{
    struct qp_context *context = support_need_context(state);
    assert_ok(qp_context_enter(context));
    get_shader = __glewGetShaderiv, get_program = __glewGetProgramiv;
    get_words = __glewGetShaderInfoLog, get_link_words = __glewGetProgramInfoLog;
    __glewGetShaderiv = say_compiled, __glewGetProgramiv = say_linked;
    __glewGetShaderInfoLog = say_words, __glewGetProgramInfoLog = say_words;
    return context;
}

static void close_driver(void)
{
    __glewGetShaderiv = get_shader, __glewGetProgramiv = get_program;
    __glewGetShaderInfoLog = get_words, __glewGetProgramInfoLog = get_link_words;
    compiles = links = true;
}

/* Each a text that was not compiled before, for programs are kept. */
static enum qp_status make(struct qp_context *context, const char *text, GLenum target)
{
    struct qp_program *program;
    const struct qp_program_source source = {.fragment = {.name = "mine.frag", .text = text},
                                             .target = target};
    return qp_program_make(context, &source, NULL, NULL, &program);
}

#define TEXT \
    "#version 120\n   void main()\n\t{ gl_FragColor = vec4(1.0); /* a comment\n that ends */ }\n"

CLEAN_TEST(the_first_error_is_told)
{
    static const struct {
        const char *words, *sentence;
        enum qp_status status;
    } cases[] = {
        {"0:2(5): error: bad thing\n0:3(1): error: other",
         "mine.frag:2: 'void main()': 0:2(5): error: bad thing", QP_BAD_INPUT},
        {"0(2) : error C0000: syntax", "mine.frag:2: 'void main()': 0(2) : error C0000: syntax",
         QP_BAD_INPUT},
        {"0:1(1): warning: old\n0:4(2): error: late\n",
         "mine.frag:4: 'that ends */ }': 0:4(2): error: late", QP_BAD_INPUT},
        {"0:1(1): error: first", "mine.frag:1: '#version 120': 0:1(1): error: first", QP_BAD_INPUT},
        {"error without a line\nmore", "mine.frag: error without a line", QP_BAD_INPUT},
        {"0:99(1): error: beyond", "mine.frag: 0:99(1): error: beyond", QP_BAD_INPUT},
        {"0:0(1): error: none", "mine.frag: 0:0(1): error: none", QP_BAD_INPUT},
        {"", "mine.frag: the driver gave no reason", QP_DEVICE},
        {"0:2(1): out of registers", "mine.frag:2: 'void main()': 0:2(1): out of registers",
         QP_DEVICE},
        {"0:3(1): ERROR: loud",
         "mine.frag:3: '{ gl_FragColor = vec4(1.0); /* a comment': 0:3(1): ERROR: loud",
         QP_BAD_INPUT},
        {"0:2(1): preprocessor error: syntax error",
         "mine.frag:2: 'void main()': preprocessor error: syntax error", QP_BAD_INPUT},
        {"0:5(1): preprocessor error: Unterminated comment",
         "mine.frag:5: '': preprocessor error: Unterminated comment", QP_BAD_INPUT},
    };
    struct qp_context *context = open(state);
    compiles = false;
    for (int i = 0; i < COUNT(cases); i++) {
        char sentence[256];
        words = cases[i].words;
        const enum qp_status status = make(context, TEXT, GL_TEXTURE_RECTANGLE_ARB);
        snprintf(sentence, sizeof sentence, "stage 4, program: %s", cases[i].sentence);
        if (status != cases[i].status || strcmp(qp_error(), sentence) != 0) {
            close_driver();
            fail_msg("case %d: code %d and '%s'", i, (int)status, qp_error());
        }
    }
    close_driver();
    assert_int_equal(qp_context_counters(context).live_objects, 0);
}

/* Mesa's preprocessor counts from a #line as GLSL before 3.30 does not; and where a comment never
 * ends, at its end. */
CLEAN_TEST(lines_of_the_preprocessor)
{
    struct qp_context *context = open(state);
    compiles = false;
    words = "0:1(1): preprocessor error: syntax error";
    assert_int_equal(make(context, TEXT, GL_TEXTURE_2D), QP_BAD_INPUT);
    support_assert_sentence("mine.frag:2: 'void main()': preprocessor error");
    words = "0:2(5): error: bad thing";
    assert_int_equal(make(context, TEXT, GL_TEXTURE_2D), QP_BAD_INPUT);
    support_assert_sentence("mine.frag:2: 'void main()': 0:2(5): error: bad thing");
    words = "0:9(1): preprocessor error: Unterminated comment";
    assert_int_equal(
        make(context, "#version 120\nvoid main()\n{ /* never\n}\n", GL_TEXTURE_RECTANGLE_ARB),
        QP_BAD_INPUT);
    support_assert_sentence("mine.frag:3: '{ /* never': preprocessor error: Unterminated comment");
    close_driver();
}

/* A text of the library's own should compile, and is named by its path. */
CLEAN_TEST(own_shaders_blame_the_device)
{
    struct qp_context *context = open(state);
    struct qp_program *program;
    const struct qp_program_source source = {.fragment = {.name = "probe/pairs.frag"},
                                             .target = GL_TEXTURE_2D};
    compiles = false;
    words = "0:1(1): error: no";
    const enum qp_status status = qp_program_make(context, &source, NULL, NULL, &program);
    close_driver();
    assert_int_equal(status, QP_DEVICE);
    support_assert_sentence("probe/pairs.frag:1: '#version");
}

CLEAN_TEST(programs_that_do_not_link)
{
    struct qp_context *context = open(state);
    links = false;
    words = "error: too much\nmore words";
    const enum qp_status status = make(context, TEXT "//\n", GL_TEXTURE_RECTANGLE_ARB);
    close_driver();
    assert_true(status == QP_DEVICE || status == QP_BAD_INPUT);
    support_assert_sentence("mine.frag");
    support_assert_sentence("error: too much");
    assert_int_equal(qp_context_counters(context).live_objects, 0);
    assert_ok(make(context, TEXT "//\n", GL_TEXTURE_RECTANGLE_ARB));
}

/* A program is kept for the same texts, heads and target, and for no other. */
CLEAN_TEST(programs_are_kept_by_all_that_makes_them)
{
    static const char one[] = "void main() { gl_Position = gl_Vertex; }\n",
                      other[] = "void main() { gl_Position = 2.0 * gl_Vertex; }\n",
                      red[] = "void main() { gl_FragColor = vec4(SHADE); }\n",
                      head[] = "#version 130\n#define SHADE 1.0\n",
                      more[] = "#version 130\n#define SHADE 2.0\n";
    const struct qp_program_source sources[] = {
        {.vertex = {"a.vert", one}, .fragment = {"a.frag", TEXT}, .target = GL_TEXTURE_2D},
        {.vertex = {"a.vert", other}, .fragment = {"a.frag", TEXT}, .target = GL_TEXTURE_2D},
        {.vertex = {"a.vert", one}, .fragment = {"a.frag", TEXT "\n"}, .target = GL_TEXTURE_2D},
        {.vertex = {"a.vert", one},
         .fragment = {"a.frag", TEXT},
         .target = GL_TEXTURE_RECTANGLE_ARB},
        {.fragment = {"a.frag", TEXT}, .target = GL_TEXTURE_2D},
        {.fragment = {"a.frag", red, head}, .target = GL_TEXTURE_RECTANGLE_ARB},
        {.fragment = {"a.frag", red, more}, .target = GL_TEXTURE_RECTANGLE_ARB}};
    struct qp_context *context = support_need_context(state);
    struct qp_program *made[COUNT(sources)], *again;
    for (int i = 0; i < COUNT(sources); i++) {
        assert_ok(qp_program_make(context, &sources[i], NULL, NULL, &made[i]));
        for (int k = 0; k < i; k++)
            assert_ptr_not_equal(made[i], made[k]);
    }
    for (int i = 0; i < COUNT(sources); i++) {
        assert_ok(qp_program_make(context, &sources[i], NULL, NULL, &again));
        assert_ptr_equal(again, made[i]);
    }
}

GROUP(support_open_context, support_close_context)
