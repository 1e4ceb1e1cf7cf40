/* SPDX-License-Identifier: MIT */
/* Stage 4: what goes wrong with shaders is said well, what goes right is kept, and their fetches
 * are as many as the papers count. */
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lab/ops/gauss_jordan/columns.h"
#include "lab/ops/poisson5/poisson5.h"
#include "lab/plan/op.h"
#include "toolkit/gl/program.h"
#include "toolkit/gl/shaders.h"

/* The words of a driver that names no line. */
static void GLAPIENTRY without_a_line(GLuint shader_id, GLsizei room, GLsizei *length, GLchar *text)
{
    (void)shader_id;
    int end = snprintf(text, (size_t)room, "error: nothing is right here\n");
    if (length != NULL)
        *length = end;
}

static const GLenum targets[] = {GL_TEXTURE_RECTANGLE_ARB, GL_TEXTURE_2D};

/* A program of these files, whatever it asks for; `vertex` may be NULL. */
static enum qp_status make(struct qp_context *context, const char *vertex, const char *fragment,
                           GLenum target, struct qp_program **out)
{
    const struct qp_program_source source = {
        .vertex = {.name = vertex}, .fragment = {.name = fragment}, .target = target};
    return qp_program_make(context, &source, NULL, NULL, out);
}

/* ---- Stage 4 ---- */

static char folder[32];

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/quadpass-rooms-XXXXXX");
    return mkdtemp(folder) == NULL || setenv("QUADPASS_SHADER_DIR", folder, 1) != 0;
}

/* Writes folder/name, or removes it if there is no text. */
static void put(const char *name, const char *text)
{
    char path[64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = text != NULL ? fopen(path, "w") : NULL;
    if (text == NULL)
        remove(path);
    else
        assert_true(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0);
}

static int drop_folder(void **state)
{
    put("a.frag", NULL);
    put("a.vert", NULL);
    put("b.frag", NULL);
    unsetenv("QUADPASS_SHADER_DIR");
    return rmdir(folder) | support_check_clean(state);
}

#define FOLDER_TEST(test) TEST(test, .setup_func = make_folder, .teardown_func = drop_folder)

#define FRAGMENT "#version 120\n#extension GL_ARB_texture_rectangle : require\n"
#define PLAIN    FRAGMENT "void main()\n{\n    gl_FragColor = vec4(1.0);\n}\n"

/* File, line, that line, the driver's words; on 2D textures, where the text begins otherwise, the
 * same. */
FOLDER_TEST(errors_name_file_and_line)
{
    static const struct {
        const char *vertex, *fragment, *place, *driver;
    } cases[] = {
        {NULL, FRAGMENT "void main()\n{\n\tgl_FragColor = vec4(nonsense);\n}\n",
         "/a.frag:5: 'gl_FragColor = vec4(nonsense);': ", "nonsense"},
        {NULL, FRAGMENT "void main()\n{\n    gl_FragColor = vec4(1.0)",
         "/a.frag:", "error"}, /* at the end of the text NVIDIA names no line */
        {NULL, "nonsense\n" PLAIN, "/a.frag:", "error"},
        {"#version 120\nvoid main()\n{\n\n    gl_Position = nonsense;\n}\n", PLAIN,
         "/a.vert:5: 'gl_Position = nonsense;': ", "nonsense"},
        /* a warning comes first */
        {NULL,
         FRAGMENT "#extension GL_QUADPASS_none : enable\nvoid main()\n{\n    nonsense();\n}\n",
         "/a.frag:6: 'nonsense();': ", "nonsense"},
    };
    struct qp_context *context = support_need_context(state);
    for (int i = 0; i < 2 * COUNT(cases); i++) {
        struct qp_program *program = (struct qp_program *)state;
        put("a.frag", cases[i / 2].fragment);
        put("a.vert", cases[i / 2].vertex);
        assert_int_equal(make(context, cases[i / 2].vertex ? "a.vert" : NULL, "a.frag",
                              targets[i % 2], &program),
                         QP_DEVICE);
        assert_null(program);
        support_assert_sentence(folder);
        support_assert_sentence(cases[i / 2].place);
        assert_non_null(strstr(strstr(qp_error(), cases[i / 2].place) + strlen(cases[i / 2].place),
                               cases[i / 2].driver));
    }
}

/* Errors without a line number are not reported for the first line. */
FOLDER_TEST(errors_without_a_line)
{
    struct qp_context *context = support_need_context(state);
    const PFNGLGETSHADERINFOLOGPROC driver = __glewGetShaderInfoLog;
    struct qp_program *program;
    put("a.frag", FRAGMENT "void main()\n{\n    nonsense();\n}\n");
    __glewGetShaderInfoLog = without_a_line;
    enum qp_status status = make(context, NULL, "a.frag", targets[0], &program);
    __glewGetShaderInfoLog = driver;
    assert_int_equal(status, QP_DEVICE);
    support_assert_sentence("/a.frag: ");
    support_assert_sentence("nothing is right here");
    assert_null(strstr(qp_error(), "#version"));
}

FOLDER_TEST(shaders_that_do_not_fit)
{
    struct qp_context *context = support_need_context(state);
    struct qp_program *program;
    put("a.vert", "#version 120\nvarying vec2 a;\nvoid main()\n{\n    a = vec2(1.0);\n"
                  "    gl_Position = ftransform();\n}\n");
    put("a.frag", "#version 120\nvarying vec3 a;\nvoid main()\n{\n    gl_FragColor = a.xyzx;\n}\n");
    assert_int_equal(make(context, "a.vert", "a.frag", targets[0], &program), QP_DEVICE);
    support_assert_sentence("linking a.vert and a.frag: ");
    assert_null(strchr(qp_error(), '\n')); /* it is a sentence */
    assert_int_equal(make(context, NULL, "none.frag", targets[0], &program), QP_BAD_INPUT);
    support_assert_sentence("no shader is called none.frag, in QUADPASS_SHADER_DIR or in the");
    unsetenv("QUADPASS_SHADER_DIR");
    assert_int_equal(make(context, NULL, "a.frag", targets[0], &program), QP_BAD_INPUT);
    support_assert_sentence("no shader is called a.frag");
}

/* Programs are known by their texts and the kind of texture; every text is read anew. */
FOLDER_TEST(the_same_text_is_compiled_once)
{
    static const struct {
        const char *name, *text;
        int target, kept, same_as;
    } cases[] = {{"a.frag", PLAIN, 0, 1, 0},
                 {"a.frag", PLAIN, 0, 1, 0},
                 {"b.frag", PLAIN, 0, 1, 0},
                 {"a.frag", PLAIN, 1, 2, 3},
                 {"a.frag", PLAIN "// new\n", 0, 3, 4},
                 {"a.frag", PLAIN, 0, 3, 0},
                 {"a.frag", "nonsense", 0, 3, 6},
                 {"a.frag", PLAIN, 1, 3, 3}};
    struct qp_context *context = support_need_context(state);
    struct qp_program *programs[COUNT(cases)];
    size_t before = qp_context_counters(context).kept_objects;
    for (int i = 0; i < COUNT(cases); i++) {
        put(cases[i].name, cases[i].text);
        make(context, NULL, cases[i].name, targets[cases[i].target], &programs[i]);
        assert_int_equal(qp_context_counters(context).kept_objects - before, cases[i].kept);
        assert_ptr_equal(programs[i], programs[cases[i].same_as]);
    }
}

enum { MOST_CODE = 12288 };

/* The text of a shader with comments blanked. */
static void read_code(const char *name, char code[MOST_CODE])
{
    char *text;
    assert_ok(qp_shader_read(name, &text));
    assert_in_range(snprintf(code, MOST_CODE, "%s", text), 1, MOST_CODE - 1);
    free(text);
    for (char *at = code; (at = strstr(at, "//")) != NULL;)
        memset(at, ' ', strcspn(at, "\n"));
}

static int count_fetches(const char *name)
{
    char text[MOST_CODE];
    int count = 0;
    read_code(name, text);
    for (const char *at = text; (at = strstr(at, "texture2DRect(")) != NULL; at++)
        count++;
    for (const char *at = text; (at = strstr(at, "imageLoad(")) != NULL; at++)
        count++;
    return count;
}

/* Paper 1 counts 12 fetches where bands are in channels and 19 where each has a texture; the
 * inverse is an additional one, and stays in the steps that follow. Ours leave out the diagonal.
 * rgba_targets writes 3 in a function for ten rows of x, 9 in one for eight updates. */
CLEAN_TEST(fetches_are_counted)
{
    static const struct {
        const char *name;
        int shaders, fetches;
    } counts[] = {{"generic", 1, 12},
                  {"bands", 1, 19},
                  {"inverse", 1, 20},
                  {"multipass", 3, 20},
                  {"vertex", 3, 20},
                  {"luminance", 1, 19},
                  {"rgba", 1, 19},
                  {"rgba_abreast", 1, 18},
                  {"rgba_stamps", 1, 18},
                  {"rgba_tiles", 1, 18},
                  {"rgba_targets", 1, 12},
                  {"bands_systems", 1, 19},
                  {"inverse_systems", 1, 20},
                  {"multipass_systems", 3, 20},
                  {"vertex_systems", 3, 20},
                  {"rgba_2x2", 1, 19},
                  {"symmetric", 1, 19},
                  {"symmetric_conditionals", 1, 19},
                  {"compute", 1, 18},
                  {"compute_abreast", 1, 18},
                  {"rgba_targets_notex", 1, 0},
                  {"luminance_notex", 1, 0},
                  {"luminance_alwayscache", 1, 19},
                  {"rgba_notex", 1, 0},
                  {"rgba_alwayscache", 1, 19}};
    for (int i = 0; i < COUNT(counts); i++) {
        const struct qp_recipe *recipe = qp_variant_find(counts[i].name)->recipe;
        assert_int_equal(qp_recipe_draws(recipe), counts[i].shaders);
        for (int k = 0; k < counts[i].shaders; k++)
            assert_int_equal(count_fetches(recipe->draw[k].compute ? recipe->draw[k].compute
                                                                   : recipe->draw[k].fragment),
                             counts[i].fetches);
    }
}

/* Begin of a shader's arithmetic. */
static const char *arithmetic(const char *text)
{
    const char *update = strstr(text, "vec4 update(");
    return update != NULL ? update : strstr(text, "void main()");
}

/* The end of a fetch, from after its bracket. */
static const char *skip_place(const char *at)
{
    int open = 1;
    while (open > 0 && *at != '\0') {
        open += (*at == '(') - (*at == ')');
        at++;
    }
    return at;
}

/* The arithmetic on what is fetched, without the places of fetches. */
static void read_arithmetic(const char *name, char out[MOST_CODE])
{
    static const char *const fetches[] = {"texture2DRect(", "fetch("}, here[] = "vec2 here =";
    char text[MOST_CODE];
    read_code(name, text);
    const char *at = arithmetic(text);
    assert_non_null(at);
    while (*at != '\0') {
        if (strncmp(at, here, strlen(here)) == 0)
            at += strcspn(at, ";");
        for (int i = 0; i < COUNT(fetches); i++) {
            if (strncmp(at, fetches[i], strlen(fetches[i])) != 0)
                continue;
            at += strlen(fetches[i]);
            const int array = (int)strcspn(at, ",");
            out += sprintf(out, "%.*s fetched", array, at);
            at = skip_place(at);
        }
        *out++ = *at;
        at += *at != '\0';
    }
    *out = '\0';
}

/* A bound keeps its variant's arithmetic, letter by letter, but for what fetches, and whence. */
static void assert_same_arithmetic(const char *bound, const char *row)
{
    char ours[MOST_CODE], theirs[MOST_CODE];
    read_arithmetic(bound, ours);
    read_arithmetic(row, theirs);
    assert_string_equal(ours, theirs);
}

/* Location of a uniform; -1 for a name that the program does not use. */
static GLint location(const struct qp_program *program, const char *name)
{
    GLint id;
    qp_program_use(program);
    glGetIntegerv(GL_CURRENT_PROGRAM, &id);
    return glGetUniformLocation((GLuint)id, name);
}

/* Nothing folds away: the driver still sees every array where each is fetched, none where none is,
 * and the uniforms that values are made of. */
static void assert_uniforms(struct qp_context *context, const struct qp_recipe *bound, bool fetches)
{
    struct qp_program *program;
    for (int k = 0; k < COUNT(targets); k++) {
        assert_ok(make(context, NULL, bound->draw[0].fragment, targets[k], &program));
        assert_int_equal(location(program, "x") >= 0, fetches);
        for (int i = 0; i < qp_recipe_inputs(bound); i++)
            assert_int_equal(location(program, bound->input[i].name) >= 0, fetches);
        assert_true(location(program, "weight") >= 0);
        if (fetches)
            assert_true(location(program, "same_x") >= 0);
    }
}

/* No two fetches of an array are written alike, or a compiler would merge them. */
static void assert_no_fetch_twice(const char *text)
{
    for (const char *at = text; (at = strstr(at, "texture2DRect(")) != NULL; at++) {
        char fetch[MOST_CODE];
        snprintf(fetch, sizeof fetch, "%.*s", (int)(skip_place(strchr(at, '(') + 1) - at), at);
        assert_null(strstr(at + 1, fetch));
    }
}

static void assert_bound_of(const char *bound, const char *row, bool fetches)
{
    char text[MOST_CODE];
    read_code(bound, text);
    assert_same_arithmetic(bound, row);
    assert_int_equal(strstr(text, "texture") != NULL, fetches);
    assert_no_fetch_twice(text);
}

/* All draws of an elimination, whose shaders read the matrix, or its place, and know where they
 * read. */
static void assert_elimination(struct qp_context *context, const struct qp_elimination *bound,
                               const struct qp_elimination *own, bool fetches)
{
    struct qp_program *program;
    for (int i = 0; own->draw[i].draw.fragment != NULL; i++) {
        assert_non_null(bound->draw[i].draw.fragment);
        assert_true(bound->draw[i].part == own->draw[i].part &&
                    bound->draw[i].into == own->draw[i].into);
        assert_bound_of(bound->draw[i].draw.fragment, own->draw[i].draw.fragment, fetches);
        assert_ok(make(context, NULL, bound->draw[i].draw.fragment, targets[i % 2], &program));
        assert_int_equal(location(program, "a") >= 0, fetches);
        assert_true(location(program, fetches ? "same_x" : "origin") >= 0);
    }
}

/* A bound in its variant's file, by a line in front: the driver sees the array where it is fetched,
 * and where it is not the uniforms that values are made of. */
static void assert_head(struct qp_context *context, const struct qp_recipe *bound, bool fetches)
{
    struct qp_program *program;
    char head[64];
    snprintf(head, sizeof head, "#define RHS\n%s", qp_poisson5_variant(bound)->head);
    const struct qp_program_source source = {
        .fragment = {.name = bound->draw[0].fragment, .head = head}, .target = targets[0]};
    assert_ok(qp_program_make(context, &source, NULL, NULL, &program));
    assert_int_equal(location(program, "x") >= 0, fetches);
    assert_int_equal(location(program, "rhs") >= 0, fetches);
    assert_true(location(program, fetches ? "same_x" : "size") >= 0);
    assert_true(location(program, "sheet") < 0 || !fetches);
}

CLEAN_TEST(bounds_keep_the_arithmetic)
{
    struct qp_context *context = support_need_context(state);
    int bounds = 0;
    for (size_t i = 0; i < qp_variant_count(); i++) {
        const struct qp_variant *bound = qp_variant_at(i);
        char name[64];
        const char *end = strrchr(bound->name, '_');
        if (!qp_variant_is_bound(bound))
            continue;
        snprintf(name, sizeof name, "%.*s", (int)(end - bound->name), bound->name);
        const struct qp_variant *variant = qp_variant_find(name);
        bool fetches = strcmp(end, "_alwayscache") == 0;
        assert_true(fetches || strcmp(end, "_notex") == 0);
        if (variant == NULL) { /* draws a variant's vertices and computes nothing */
            assert_non_null(strstr(name, "_noop"));
            continue;
        }
        if (qp_elimination_of(bound->recipe) != NULL) {
            assert_elimination(context, bound->recipe->own, variant->recipe->own, fetches);
        } else if (strcmp(bound->recipe->draw[0].fragment, variant->recipe->draw[0].fragment) ==
                   0) {
            assert_head(context, bound->recipe, fetches);
        } else {
            assert_bound_of(bound->recipe->draw[0].fragment, variant->recipe->draw[0].fragment,
                            fetches);
            if (bound->recipe->engine == NULL) /* others define what a shader declares */
                assert_uniforms(context, bound->recipe, fetches);
        }
        assert_true(qp_variant_cost(bound).bytes == qp_variant_cost(variant).bytes &&
                    qp_variant_cost(bound).flops == qp_variant_cost(variant).flops);
        bounds++;
    }
    assert_true(bounds >= 7);
}

GROUP(support_open_context, support_close_context)
