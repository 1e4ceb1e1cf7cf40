/* SPDX-License-Identifier: MIT */
/* Types of uniforms: each by its name in GLSL, and only the one that is set is taken. */
#include "support/support.h"

#include <stdio.h>
#include <string.h>

#include "toolkit/gl/context/context.h"
#include "toolkit/gl/program.h"
#include "toolkit/glsl/facts.h"

/* Declarations, what their type is called, and an expression that uses x. */
static const struct {
    const char *declared, *called, *used;
} types[] = {
    {"float x", "a float", "vec4(x)"},
    {"vec2 x", "a vec2", "x.xyxy"},
    {"vec3 x", "a vec3", "x.xyzx"},
    {"vec4 x", "a vec4", "x"},
    {"int x", "an int", "vec4(x)"},
    {"ivec2 x", "an ivec2", "vec4(x.xyxy)"},
    {"ivec3 x", "an ivec3", "vec4(x.xyzx)"},
    {"ivec4 x", "an ivec4", "vec4(x)"},
    {"uint x", "a uint", "vec4(x)"},
    {"uvec2 x", "a uvec2", "vec4(x.xyxy)"},
    {"uvec3 x", "a uvec3", "vec4(x.xyzx)"},
    {"uvec4 x", "a uvec4", "vec4(x)"},
    {"bool x", "a bool", "vec4(x ? 1.0 : 2.0)"},
    {"double x", "a double", "vec4(float(x))"},
    {"mat2 x", "a mat2", "vec4(x[0], x[1])"},
    {"mat3 x", "a mat3", "vec4(x[0], x[1].x) + vec4(x[2], 0.0)"},
    {"mat4 x", "a mat4", "x[0] + x[1] + x[2] + x[3]"},
    {"sampler1D x", "a sampler1D", "texture(x, 0.5)"},
    {"sampler2D x", "a sampler2D", "texture(x, vec2(0.5))"},
    {"sampler3D x", "a sampler3D", "texture(x, vec3(0.5))"},
    {"sampler2DRect x", "a sampler2DRect", "texture(x, vec2(0.5))"},
    {"sampler2DArray x", "a sampler2DArray", "texture(x, vec3(0.5))"},
    {"isampler2D x", "an isampler2D", "vec4(texture(x, vec2(0.5)))"},
    {"isampler2DRect x", "an isampler2DRect", "vec4(texture(x, vec2(0.5)))"},
    {"usampler2D x", "a usampler2D", "vec4(texture(x, vec2(0.5)))"},
    {"usampler2DRect x", "a usampler2DRect", "vec4(texture(x, vec2(0.5)))"},
    {"layout(rgba32f) readonly image2D x", "an image2D", "imageLoad(x, ivec2(0))"},
    {"layout(rgba32f) readonly image2DRect x", "an image2DRect", "imageLoad(x, ivec2(0))"},
    {"layout(rgba32f) readonly image2DArray x", "an image2DArray", "imageLoad(x, ivec3(0))"},
    {"layout(rgba32i) readonly iimage2D x", "an iimage2D", "vec4(imageLoad(x, ivec2(0)))"},
    {"layout(rgba32i) readonly iimage2DRect x", "an iimage2DRect", "vec4(imageLoad(x, ivec2(0)))"},
    {"layout(rgba32ui) readonly uimage2D x", "a uimage2D", "vec4(imageLoad(x, ivec2(0)))"},
    {"layout(rgba32ui) readonly uimage2DRect x", "a uimage2DRect", "vec4(imageLoad(x, ivec2(0)))"},
};

/* Values of each kind as they are set, into rectangles. */
static const struct {
    enum qp_uniform_type type;
    const char *called;
} kinds[] = {{QP_SAMPLER, "a sampler2DRect"},
             {QP_SAMPLER_WORDS, "a usampler2DRect"},
             {QP_SAMPLER_INTEGERS, "an isampler2DRect"},
             {QP_IMAGE, "an image2DRect"},
             {QP_IMAGE_WORDS, "a uimage2DRect"},
             {QP_IMAGE_INTEGERS, "an iimage2DRect"},
             {QP_IMAGE_LAYERS, "an image2DArray"},
             {QP_INT, "an int"},
             {QP_BOOL, "a bool"},
             {QP_FLOAT, "a float"},
             {QP_DOUBLE, "a double"},
             {QP_PAIR, "a vec2"},
             {QP_VECTOR, "a vec2"},
             {QP_VECTOR_3, "a vec3"},
             {QP_VECTOR_4, "a vec4"}};

static enum qp_status make(struct qp_context *context, int type, const struct qp_uniform *names)
{
    char text[512];
    int location[4];
    struct qp_program *program;
    snprintf(text, sizeof text,
             "#version 430 compatibility\nuniform %s;\nvoid main()\n{\n    gl_FragColor = %s;\n}\n",
             types[type].declared, types[type].used);
    const struct qp_program_source source = {.fragment = {.name = "x.frag", .text = text},
                                             .target = GL_TEXTURE_RECTANGLE_ARB};
    return qp_program_make(context, &source, names, location, &program);
}

static struct qp_context *open(void **state)
{
    struct qp_context *context = support_need_context(state);
    assert_ok(qp_context_enter(context));
    if (!(context->device.abilities & QP_CAN_COMPUTE) ||
        !(context->device.abilities & QP_CAN_DOUBLE))
        skip(); /* OpenGL 4.3 has them all */
    return context;
}

CLEAN_TEST(types_have_names)
{
    struct qp_context *context = open(state);
    for (int i = 0; i < COUNT(types); i++) {
        const struct qp_uniform none[] = {{0}},
                                some[] = {{"yes", QP_INT, 0}, {"no", QP_INT, 0}, {0}};
        char sentence[160];
        assert_int_equal(make(context, i, none), QP_BAD_INPUT);
        snprintf(sentence, sizeof sentence,
                 "x.frag:2: 'uniform %s;': nothing sets 'x', %s; what "
                 "is set: nothing",
                 types[i].declared, types[i].called);
        support_assert_sentence(sentence);
        assert_int_equal(make(context, i, some), QP_BAD_INPUT);
        snprintf(sentence, sizeof sentence, "nothing sets 'x', %s; what is set: yes, no",
                 types[i].called);
        support_assert_sentence(sentence);
    }
}

CLEAN_TEST(only_the_type_that_is_set_is_taken)
{
    struct qp_context *context = open(state);
    for (int i = 0; i < COUNT(kinds) * COUNT(types); i++) {
        const int kind = i / COUNT(types), type = i % COUNT(types);
        const struct qp_uniform names[] = {{"x", kinds[kind].type, 0}, {0}};
        const bool same = strcmp(kinds[kind].called, types[type].called) == 0;
        char sentence[96];
        if (!same && (kind + type) % 5 != 0)
            continue; /* skips four of five that do not go together */
        assert_int_equal(make(context, type, names), same ? QP_OK : QP_BAD_INPUT);
        snprintf(sentence, sizeof sentence, "'x' is %s and must be %s", types[type].called,
                 kinds[kind].called);
        if (!same)
            support_assert_sentence(sentence);
    }
}

/* An array may have as many elements as are set. */
CLEAN_TEST(elements_are_counted)
{
    static const char text[] = "#version 120\nuniform float x[3];\nvoid main()\n{\n"
                               "    gl_FragColor = vec4(x[0], x[1], x[2], 1.0);\n}\n";
    const struct qp_program_source source = {.fragment = {.name = "x.frag", .text = text},
                                             .target = GL_TEXTURE_RECTANGLE_ARB};
    struct qp_context *context = support_need_context(state);
    assert_ok(qp_context_enter(context));
    for (int set = 0; set <= 4; set++) {
        const struct qp_uniform names[] = {{"x", QP_FLOAT, set}, {0}};
        struct qp_program *program;
        int at[4];
        char sentence[64];
        const int most = set > 0 ? set : 1;
        snprintf(sentence, sizeof sentence, "'x' has 3 elements and %d %s set", most,
                 most > 1 ? "are" : "is");
        assert_int_equal(qp_program_make(context, &source, names, at, &program),
                         set < 3 ? QP_BAD_INPUT : QP_OK);
        if (set < 3)
            support_assert_sentence(sentence);
        for (int i = 0; i < most && set >= 3; i++)
            assert_int_equal(at[i] >= 0, i < 3);
    }
}

/* ---- Buffers and outputs ---- */

CLEAN_TEST(buffers_are_bound_by_name)
{
    static const char text[] = "#version 430\nlayout(local_size_x = 1) in;\n"
                               "buffer shelf { float v[]; } it;\nvoid main() { it.v[0] = 1.0; }\n";
    struct qp_context *context = open(state);
    struct qp_program *program;
    const struct qp_uniform none[] = {{0}},
                            both[] = {{"rack", QP_STORAGE, 0}, {"shelf", QP_STORAGE, 0}, {0}};
    int at[2];
    const struct qp_program_source source = {.compute = {.name = "x.comp", .text = text},
                                             .group = {1, 1},
                                             .target = GL_TEXTURE_RECTANGLE_ARB};
    assert_int_equal(qp_program_make(context, &source, none, NULL, &program), QP_BAD_INPUT);
    support_assert_sentence("x.comp:3: 'buffer shelf { float v[]; } it;': nothing binds the buffer "
                            "'shelf'");
    assert_ok(qp_program_make(context, &source, both, at, &program));
    assert_int_equal(at[0], -1);
    assert_int_equal(at[1], 1);
}

CLEAN_TEST(outputs_are_those_of_the_kernel)
{
    static const struct {
        const char *lines, *body;
        int channels, count;
        GLenum type;
        const char *words; /* NULL: taken */
    } cases[] = {
        {"out vec4 o;", "o = vec4(1.0);", 4, 1, GL_FLOAT_VEC4, NULL},
        {"out float o;", "o = 1.0;", 1, 1, GL_FLOAT_VEC4, NULL},
        {"out vec4 o;", "o = vec4(1.0);", 1, 1, GL_FLOAT_VEC4, NULL},
        {"out float o;", "o = 1.0;", 2, 1, GL_FLOAT_VEC4, "'o' is a float and must be a vec4"},
        {"out ivec4 o;", "o = ivec4(1);", 1, 1, GL_FLOAT_VEC4,
         "'o' is an ivec4 and must be a vec4"},
        {"out vec4 o;", "o = vec4(1.0);", 1, 1, GL_INT_VEC4, "'o' is a vec4 and must be an ivec4"},
        {"layout(location = 1) out vec4 o;", "o = vec4(1.0);", 1, 1, GL_FLOAT_VEC4,
         "'o' is output 1, and the kernel has 1, from 0 on"},
        {"layout(location = 1) out vec4 o;", "o = vec4(1.0);", 1, 2, GL_FLOAT_VEC4,
         "nothing writes output 0 of 2: gl_FragData[0], or layout(location = 0)"},
        {"layout(location = 0) out vec4 o;", "o = vec4(1.0);", 1, 2, GL_FLOAT_VEC4,
         "nothing writes output 1 of 2: gl_FragData[1], or layout(location = 1)"},
        {"layout(location = 0) out vec4 o[2];", "o[0] = o[1] = vec4(1.0);", 1, 2, GL_FLOAT_VEC4,
         NULL},
        {"layout(location = 1) out vec4 o[2];", "o[0] = o[1] = vec4(1.0);", 1, 2, GL_FLOAT_VEC4,
         "'o' is output 2, and the kernel has 2, from 0 on"},
        {"", "gl_FragColor = vec4(1.0);", 1, 2, GL_FLOAT_VEC4, NULL},
        {"", "gl_FragColor = vec4(1.0);", 1, 1, GL_INT_VEC4,
         "'gl_FragColor' is a vec4 and must be an ivec4"},
        {"", "gl_FragData[0] = gl_FragData[1] = vec4(1.0);", 1, 2, GL_FLOAT_VEC4, NULL},
        {"", "gl_FragData[0] = vec4(1.0);", 1, 2, GL_FLOAT_VEC4, "nothing writes output 1 of 2"},
        {"", "gl_FragData[2] = vec4(1.0);", 1, 2, GL_FLOAT_VEC4,
         "'gl_FragData' is output 2, and the kernel has 2, from 0 on"},
    };
    struct qp_context *context = open(state);
    const struct qp_uniform none[] = {{0}};
    for (int i = 0; i < COUNT(cases); i++) {
        char text[256];
        struct qp_program *program;
        snprintf(text, sizeof text, "#version 430 compatibility\n%s\nvoid main() { %s }\n",
                 cases[i].lines, cases[i].body);
        struct qp_outputs outputs = {
            .type = cases[i].type, .channels = cases[i].channels, .count = cases[i].count};
        const struct qp_tokens *tokens = qp_tokens_read(text);
        assert_non_null(tokens);
        outputs.built_in = qp_glsl_built_in(tokens, &outputs.word);
        qp_tokens_release(&tokens);
        const struct qp_program_source source = {.fragment = {.name = "x.frag", .text = text},
                                                 .target = GL_TEXTURE_RECTANGLE_ARB,
                                                 .outputs = &outputs};
        qp_program_forget_all(context);
        const enum qp_status status = qp_program_make(context, &source, none, NULL, &program);
        if ((status == QP_OK) != (cases[i].words == NULL))
            fail_msg("case %d: code %d, %s", i, (int)status, qp_error());
        if (cases[i].words != NULL)
            support_assert_sentence(cases[i].words);
    }
}

/* Errors quote the line that declares a name, or else the first with it, and none of a comment. */
CLEAN_TEST(declarations_are_found)
{
    static const struct {
        const char *text, *name;
        int line;
    } cases[] = {{"// uniform float x;\nuniform float x;", "x", 2},
                 {"/* x\n*/ float y = x;\nuniform float\n x2, x;", "x", 2},
                 {"float y = x;\nuniform float z, x;", "x", 2},
                 {"#define T uniform float x\nT;", "x", 1},
                 {"uniform float xx;", "x", 0},
                 {"uniform float x;", "", 0}};
    for (int i = 0; i < COUNT(cases); i++) {
        if (qp_find_declaration(cases[i].text, cases[i].name) != cases[i].line)
            fail_msg("case %d is not in line %d", i, cases[i].line);
    }
}

GROUP(support_open_context, support_close_context)
