/* SPDX-License-Identifier: MIT */
/* The short form of kernels: the text in front of a body. */
#include "toolkit/kernel/kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The text in front ---- */

enum {
    FARTHEST = 1 << 24, /* cell of a point: all numbers up to it are floats */
    /* Text of all inputs and numbers: with names of 63 letters it is less than half of that. */
    MOST_BYTES = 1 << 16
};

/* Unsigned integers outside are set by the bits of a signed one; doubles are words in textures. */
#define TYPE(one, two, four, letter, outside, beyond, are, texel)                        \
    {                                                                                    \
        {one, two, four}, letter, outside, beyond, QP_SAMPLER##are, QP_IMAGE##are, texel \
    }
const struct qp_kernel_type qp_kernel_types[] = {
    TYPE("float", "vec2", "vec4", "", "float", QP_FLOAT, , GL_FLOAT_VEC4),
    TYPE("float", "vec2", "vec4", "", "float", QP_FLOAT, , GL_FLOAT_VEC4),
    TYPE("int", "ivec2", "ivec4", "i", "int", QP_INT, _INTEGERS, GL_INT_VEC4),
    TYPE("uint", "uvec2", "uvec4", "u", "int", QP_INT, _WORDS, GL_UNSIGNED_INT_VEC4),
    TYPE("double", "dvec2", "", "u", "double", QP_DOUBLE, _WORDS, GL_UNSIGNED_INT_VEC4)};

const struct qp_kernel_number_type qp_kernel_number_types[QP_NUMBER_TYPES] = {
    {"float", QP_FLOAT, 1},   {"int", QP_INT, 1},        {"vec2", QP_VECTOR, 2},
    {"vec3", QP_VECTOR_3, 3}, {"vec4", QP_VECTOR_4, 4},  {"uint", QP_UINT, 1},
    {"double", QP_DOUBLE, 1}, {"dvec2", QP_DOUBLE_2, 2}, {"dvec3", QP_DOUBLE_3, 3},
    {"dvec4", QP_DOUBLE_4, 4}};

const char *qp_kernel_type(enum qp_array_type type, int channels)
{
    return qp_kernel_types[type].values[channels / 2]; /* 1, 2, 4 -> 0, 1, 2 */
}

/* True if the body has words that came with GLSL 1.30: bits of integers, `switch`, and functions.
 */
static bool has_later_words(const struct qp_kernel *kernel)
{
    static const char *const words[] = {
        "&",     "|",     "^",     "~",     "<<",        ">>",     "%",     "&=",
        "|=",    "^=",    "<<=",   ">>=",   "%=",        "uint",   "uvec2", "uvec3",
        "uvec4", "isnan", "isinf", "round", "sinh",      "cosh",   "tanh",  "modf",
        "asinh", "acosh", "atanh", "trunc", "roundEven", "switch", NULL};
    for (int i = 0; i < kernel->tokens->all; i++) {
        if (qp_token_is_one_of(&kernel->tokens->of[i], words))
            return true;
    }
    return false;
}

/* The oldest version that has the types and the body's words: 1.20 knows neither integers in
 * textures nor doubles. */
static const char *version_for(const struct qp_kernel *kernel)
{
    static const char old[] = "#version 120\n#extension GL_ARB_texture_rectangle : require\n",
                      later[] = "#version 130\n#extension GL_ARB_texture_rectangle : require\n",
                      points[] = "#version 120\n#extension GL_ARB_texture_rectangle : require\n"
                                 "#extension GL_EXT_gpu_shader4 : enable\n",
                      whole[] = "#version 330 compatibility\n",
                      doubles[] = "#version 400 compatibility\n";
    const struct qp_kernel_desc *desc = &kernel->desc;
    bool has_whole = qp_array_is_whole(desc->output_type),
         has_double = desc->output_type == QP_ARRAY_DOUBLE;
    for (int i = 0; desc->input[i].name != NULL; i++) {
        has_whole = has_whole || qp_array_is_whole(desc->input[i].type);
        has_double = has_double || desc->input[i].type == QP_ARRAY_DOUBLE;
    }
    for (int i = 0; desc->number[i].name != NULL; i++)
        has_double = has_double || desc->number[i].type >= QP_NUMBER_DOUBLE;
    return has_double                ? doubles
           : has_whole               ? whole
           : has_later_words(kernel) ? later
           : kernel->places          ? points
                                     : old;
}

/* A point sends values that are not interpolated. Where 1.20 has no `flat`, a varying of one vertex
 * keeps all but the sign of a zero. */
#define OLD_FLAT "#ifdef GL_EXT_gpu_shader4\nflat\n#endif\nvarying"

static bool is_old(const char *version)
{
    return strncmp(version, "#version 1", 10) == 0;
}

/* The value at a texel of the input, as its own type. The parameter's name must not hide the
 * sampler's. */
static void add_fetch(FILE *text, const struct qp_kernel_input *input, bool old)
{
    static const char *const letters[] = {"r", "rg", "rgba"};
    const int channels = input->channels != 0 ? input->channels : 1;
    const char *type = qp_kernel_type(input->type, channels), *name = input->name;
    fprintf(text, "%s qp_fetch_%s(vec2 qp_at) { ", type, name);
    if (input->type == QP_ARRAY_DOUBLE && channels == 2)
        fprintf(text,
                "uvec4 w = texture(%s, qp_at); "
                "return dvec2(packDouble2x32(w.rg), packDouble2x32(w.ba)); }\n",
                name);
    else if (input->type == QP_ARRAY_DOUBLE)
        fprintf(text, "return packDouble2x32(texture(%s, qp_at).rg); }\n", name);
    else
        fprintf(text, "return %s(%s, qp_at).%s; }\n", old ? "texture2DRect" : "texture", name,
                letters[channels / 2]);
}

/* The value of any cell, and of a neighbour. Around an array of floats that fills its texture the
 * sampler itself returns the values outside. A quotient may be rounded up on the way to the cell on
 * the other side. */
static void add_gather(FILE *text, const struct qp_kernel *kernel, int i, unsigned outside)
{
    const struct qp_kernel_input *input = &kernel->desc.input[i];
    const char *name = input->name,
               *type = qp_kernel_type(input->type, input->channels != 0 ? input->channels : 1);
    const bool window = outside == QP_KERNEL_WINDOW;
    const bool part = !window && ((outside & QP_KERNEL_PART) != 0 || input->type > QP_ARRAY_HALF);
    outside &= ~(unsigned)QP_KERNEL_PART;
    fprintf(text, "#define %s_size qp_place_%s.zw\n%s %s_cell(vec2 cell) {\n", name, name, type,
            name);
    if (window)
        fprintf(text, "return qp_fetch_%s(qp_place_%s.xy + cell + 0.5); }\n", name, name);
    else if (outside == QP_OUTSIDE_WRAP)
        fprintf(text,
                "vec2 n = %s_size, c = cell - n * floor(cell / n);\n"
                "c += n * vec2(lessThan(c, vec2(0.0)));\n"
                "c -= n * vec2(greaterThanEqual(c, n));\n"
                "return qp_fetch_%s(qp_place_%s.xy + clamp(c, vec2(0.0), n - 1.0) + 0.5); }\n",
                name, name, name);
    else if (!part)
        fprintf(text, "return qp_fetch_%s(cell + 0.5); }\n", name);
    else
        fprintf(text, "vec2 c = clamp(cell, vec2(0.0), %s_size - 1.0);\n", name);
    if (part && outside == QP_OUTSIDE_CLAMP)
        fprintf(text, "return qp_fetch_%s(qp_place_%s.xy + c + 0.5); }\n", name, name);
    if (part && (outside == QP_OUTSIDE_ZERO || outside == QP_OUTSIDE_VALUE))
        fprintf(text,
                "%s v = qp_fetch_%s(qp_place_%s.xy + c + 0.5);\n"
                "return c == cell ? v : %s(qp_beyond_%s); }\n",
                type, name, name, type, name);
    if (kernel->places)
        return;
    if (kernel->reach[i].held)
        fprintf(text,
                "%s %s_at(float dx, float dy) { return %s_cell(qp_here + clamp(vec2(dx, dy), "
                "vec2(-%d.0), vec2(%d.0))); }\n",
                type, name, name, kernel->reach[i].cells, kernel->reach[i].cells);
    else
        fprintf(text, "%s %s_at(float dx, float dy) { return %s_cell(qp_here + vec2(dx, dy)); }\n",
                type, name, name);
}

static void add_number(FILE *text, const struct qp_kernel_number *number)
{
    fprintf(text, number->elements > 0 ? "uniform %s %s[%d];\n" : "uniform %s %s;\n",
            qp_kernel_number_types[number->type].name, number->name, number->elements);
}

/* The type of an output's texel. */
static const char *texel_of(enum qp_array_type type)
{
    return type == QP_ARRAY_INT ? "ivec4" : type > QP_ARRAY_INT ? "uvec4" : "vec4";
}

/* Writes how a value of the outputs' type is stored in a texel. */
static void add_store(FILE *text, enum qp_array_type type, int channels, const char *to,
                      const char *value)
{
    const char *texel = texel_of(type);
    if (type == QP_ARRAY_DOUBLE && channels == 2)
        fprintf(text, "dvec2 v = %s; %s = uvec4(unpackDouble2x32(v.x), unpackDouble2x32(v.y));\n",
                value, to);
    else if (type == QP_ARRAY_DOUBLE)
        fprintf(text, "%s = uvec4(unpackDouble2x32(%s), 0u, 0u);\n", to, value);
    else if (channels == 2)
        fprintf(text, "%s = %s(%s, 0, 0);\n", to, texel, value);
    else
        fprintf(text, "%s = %s(%s);\n", to, texel, value);
}

const char *qp_kernel_returns(const struct qp_kernel *kernel)
{
    return kernel->places        ? "vec2"
           : kernel->outputs > 1 ? "void"
                                 : qp_kernel_type(kernel->desc.output_type, kernel->channels);
}

/* A loop of two rounds after all others: it has one where the driver has ended those before. A
 * compiler does not know that there are two. */
static const char probe[] = "float qp_rounds = 0.0;\n"
                            "for (; qp_rounds < min(size.x, 1.0) + 1.0; qp_rounds += 1.0) ;\n"
                            "if (qp_rounds < 2.0) qp_ended = 1;\n",
                  counter[] = "#extension GL_ARB_shader_storage_buffer_object : require\n"
                              "buffer " QP_ROUNDS " { int qp_ended; };\n"
                              "#define buffer qp_buffer\n" /* no words of 1.20: names of a body */
                              "#define coherent qp_coherent\n"
                              "#define restrict qp_restrict\n"
                              "#define readonly qp_readonly\n"
                              "#define writeonly qp_writeonly\n";

/* main() of a vertex shader calls the body's function for a point, and moves this to the middle of
 * the nearest cell, or beyond all cells. */
static void add_point(FILE *text, const struct qp_kernel *kernel, bool old)
{
    const enum qp_array_type type = kernel->desc.output_type;
    const char *value = qp_kernel_type(type, kernel->channels);
    fprintf(text,
            "%s %s qp_sent;\n%s%s value;\nvec2 place(float i);\nvoid main() {\nvalue = %s(0);\n"
            "vec2 cell = floor(place(gl_Vertex.x) + 0.5);\n"
            "gl_Position = all(lessThan(abs(cell), vec2(%d.0))) ? "
            "gl_ModelViewProjectionMatrix * vec4(cell + 0.5, 0.0, 1.0) : "
            "vec4(2.0, 2.0, 2.0, 1.0);\n",
            old ? OLD_FLAT : "flat out", texel_of(type), kernel->precise ? "precise " : "", value,
            value, FARTHEST);
    add_store(text, type, kernel->channels, "qp_sent", "value");
    fputs(kernel->counts ? probe : "", text);
    fprintf(text, "}\n");
}

void qp_kernel_write_sent(const struct qp_kernel *kernel, char text[QP_KERNEL_SENT])
{
    const char *version = version_for(kernel), *texel = texel_of(kernel->desc.output_type);
    const bool named = kernel->desc.output_type > QP_ARRAY_HALF;
    snprintf(text, QP_KERNEL_SENT, "%s%s %s qp_sent;\n%s%s%svoid main() { %s = qp_sent; }\n",
             version, is_old(version) ? OLD_FLAT : "flat in", texel, named ? "out " : "",
             named ? texel : "", named ? " qp_texel0;\n" : "",
             named ? "qp_texel0" : "gl_FragData[0]");
}

/* main() calls the body's function for the cell of this fragment. */
static void add_main(FILE *text, const struct qp_kernel *kernel)
{
    const enum qp_array_type type = kernel->desc.output_type;
    const char *value = qp_kernel_type(type, kernel->channels);
    const bool named = type > QP_ARRAY_HALF; /* an out of the shader's own */
    for (int i = 0; named && i < kernel->outputs; i++)
        fprintf(text, "layout(location = %d) out %s qp_texel%d;\n", i, texel_of(type), i);
    const char *precise = kernel->precise ? "precise " : "";
    for (int i = 0; kernel->outputs > 1 && i < kernel->outputs; i++)
        fprintf(text, "%s%s out%d;\n", precise, value, i);
    fprintf(text,
            "%s kernel(vec2 here);\nvoid main() {\nqp_here = floor(gl_FragCoord.xy) - origin;\n",
            qp_kernel_returns(kernel));
    if (kernel->outputs > 1)
        fprintf(text, "kernel(qp_here);\n");
    for (int i = 0; i < kernel->outputs; i++) {
        char to[24], from[24] = "kernel(qp_here)";
        snprintf(to, sizeof to, named ? "qp_texel%d" : "gl_FragData[%d]", i);
        if (kernel->outputs > 1)
            snprintf(from, sizeof from, "out%d", i);
        fprintf(text, "{ ");
        add_store(text, type, kernel->channels, to, from);
        fprintf(text, "}\n");
    }
    fputs(kernel->counts ? probe : "", text);
    fprintf(text, "}\n");
}

/* Writes an input's place and the value outside: uniforms that each pass sets, or for `beyond`
 * constants for all passes. */
static void add_place(FILE *text, const struct qp_kernel_input *input, const double *beyond)
{
    const char *name = input->name;
    if (beyond == NULL)
        fprintf(text, "uniform vec4 qp_place_%s;\nuniform %s qp_beyond_%s;\n", name,
                qp_kernel_types[input->type].outside, name);
    else
        fprintf(text, "#define qp_place_%s vec4(origin, size)\n#define qp_beyond_%s float(%.9g)\n",
                name, name, (double)(float)*beyond);
}

static char *fail(char *head)
{
    free(head);
    qp_fail(QP_NO_MEMORY, "no memory for a kernel's text");
    return NULL;
}

char *qp_kernel_head(const struct qp_kernel *kernel, unsigned outsides, const double *beyond)
{
    const struct qp_kernel_desc *desc = &kernel->desc;
    const char *version = version_for(kernel);
    const bool old = is_old(version);
    char *head = qp_alloc(MOST_BYTES, 1, "a kernel's text");
    FILE *text = head != NULL ? fmemopen(head, MOST_BYTES, "w") : NULL;
    if (text == NULL)
        return fail(head);
    fprintf(text, "%s%s%s%s#line %d\nuniform vec2 size, origin;\nvec2 qp_here;\n", version,
            kernel->precise ? "#extension GL_ARB_gpu_shader5 : enable\n" : "",
            kernel->counts ? counter : "", kernel->precise ? "precise bool qp_holds;\n" : "",
            QP_KERNEL_HEAD_LINE);
    for (int i = 0; i < kernel->inputs; i++) {
        const struct qp_kernel_input *input = &desc->input[i];
        fprintf(text, "uniform %ssampler2DRect %s;\n", qp_kernel_types[input->type].letter,
                input->name);
        add_place(text, input, beyond != NULL ? &beyond[i] : NULL);
        add_fetch(text, input, old);
        add_gather(text, kernel, i, outsides >> 3 * i & 7);
    }
    for (int i = 0; i < kernel->numbers; i++)
        add_number(text, &desc->number[i]);
    fputs(qp_division_functions(desc->body), text);
    fputs(kernel->precise ? qp_sum_functions(kernel->tokens) : "", text);
    if (kernel->places)
        add_point(text, kernel, old);
    else
        add_main(text, kernel);
    fprintf(text, "#line %d\n", old ? 0 : 1); /* 1.20 counts from the line after it */
    return fclose(text) == 0 ? head : fail(head);
}

/* ---- Bodies as compute shaders ---- */

void qp_computed_declare(FILE *text, const struct qp_kernel_desc *desc)
{
    fprintf(text, "uniform vec4 region;\nvec2 qp_here;\nvec4 qp_total;\n"
                  "precise bool qp_holds;\n");
    for (const struct qp_kernel_input *input = desc->input; input->name != NULL; input++) {
        const char *name = input->name, *type = qp_kernel_type(input->type, input->channels);
        fprintf(text,
                "uniform %ssampler2DRect %s;\nuniform vec2 %s_size;\n"
                "%s %s_cell(vec2 cell) { return %s(texture(%s, cell + 0.5)); }\n"
                "%s %s_at(float dx, float dy) { return %s_cell(qp_here + vec2(dx, dy)); }\n",
                qp_kernel_types[input->type].letter, name, name, type, name, type, name, type, name,
                name);
    }
    for (const struct qp_kernel_number *number = desc->number; number->name != NULL; number++)
        fprintf(text, "uniform %s %s;\n", qp_kernel_number_types[number->type].name, number->name);
    for (int i = 0; i < QP_KERNEL_OUTPUTS; i++)
        fprintf(text, "vec4 qp_out%d;\n#define out%d qp_out%d\n", i, i, i);
}
