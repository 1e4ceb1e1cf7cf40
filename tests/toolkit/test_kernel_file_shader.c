/* SPDX-License-Identifier: MIT */
/* Kernel files in compute shaders: their buffers and uniforms, their groups, and their text as a
 * device gets it. */
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "toolkit/kernel_file/kernel_file.h"

#define VERSION "#version 430\n"
#define GROUPS  "layout(local_size_x = 16, local_size_y = 8) in;\n"
#define MAIN    "void main() {}\n"
#define X       "layout(std430, binding = 0) readonly buffer X { float x[]; };\n"
#define Y       "layout(std430, binding = 1) writeonly buffer Y { float y[]; };\n"
#define ALL     VERSION GROUPS X Y MAIN

/* Each text has these states, inputs and numbers, and its last input this type. */
TEST(shaders)
{
    static const struct {
        const char *text;
        int states, inputs, numbers;
        enum qp_array_type type;
    } rows[] = {
        {ALL, 1, 1, 0, QP_ARRAY_FLOAT},
        {VERSION Y GROUPS X "uniform int width, height;\n" MAIN, 1, 1, 0, QP_ARRAY_FLOAT},
        {"//@ set a=1\n//@ set n=2\n" VERSION GROUPS X Y
         "uniform uint width;\nuniform mediump float a;\nlayout(location = 3) uniform int "
         "n;\n" MAIN,
         1, 1, 2, QP_ARRAY_FLOAT},
        {"//@ set a=1\n//@ set n=2\n" VERSION GROUPS X Y
         "uniform float a = 3.0, n = f(1, 2);\n" MAIN,
         1, 1, 2, QP_ARRAY_FLOAT},
        {"//@ state u v\n//@ input f=ones\n" VERSION GROUPS
         "layout(std430) buffer;\nlayout(binding = 1) buffer B { coherent double v[7]; } b;\n"
         "layout(binding = 0) restrict readonly buffer A { double[] u; };\n"
         "layout(binding=0x3) buffer C { double p[]; };\nlayout(binding=4) buffer D { double q[]; "
         "};\nlayout(binding = 2, std430) buffer E { highp int f[]; };\n" MAIN,
         2, 3, 0, QP_ARRAY_INT},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct qp_kernel_file *file;
        int numbers = 0;
        assert_ok(qp_kernel_file_make("k.comp", rows[i].text, &file));
        while (file->desc.number[numbers].name != NULL)
            numbers++;
        assert_int_equal(file->states, rows[i].states);
        assert_int_equal(file->inputs, rows[i].inputs);
        assert_int_equal(numbers, rows[i].numbers);
        assert_int_equal(file->desc.input[file->inputs - 1].type, rows[i].type);
        assert_int_equal(qp_kernel_file_function(file)->parameters,
                         rows[i].states + rows[i].inputs + numbers);
        qp_kernel_file_destroy(&file);
    }
}

TEST(sentences)
{
    static const char *const rows[][2] = {
        {GROUPS X Y MAIN, "k.comp: a compute shader begins with a line '#version 430'"},
        {VERSION GROUPS X Y, "k.comp has no function 'void main()'"},
        {VERSION GROUPS X "layout(std430) buffer Y { float y[]; };\n" MAIN,
         "k.comp:4: buffer 'Y' has no number as its binding; write layout(std430, binding = 0)"},
        {VERSION GROUPS X "layout(std430, binding = N) buffer Y { float y[]; };\n" MAIN,
         "k.comp:4: buffer 'Y' has no number as its binding"},
        {VERSION GROUPS X "layout(std430, binding = 1) buffer Y { vec4 y[]; };\n" MAIN,
         "k.comp:4: buffer 'Y' must hold one array of float, double, int or uint"},
        {VERSION GROUPS X "layout(std430, binding = 1) buffer Y { float y; };\n" MAIN,
         "k.comp:4: buffer 'Y' must hold one array"},
        {VERSION GROUPS X "layout(std430, binding = 1) buffer Y { int n; float y[]; };\n" MAIN,
         "k.comp:4: buffer 'Y' must hold one array"},
        {VERSION GROUPS X "layout(std430, binding = 1) buffer Y { float y[3]; float z[]; };\n" MAIN,
         "k.comp:4: buffer 'Y' must hold one array"},
        {VERSION GROUPS X "layout(binding = 1) buffer Y { float y[]; };\n" MAIN,
         "k.comp:4: buffer 'Y' may have gaps between its values; write layout(std430, binding = "
         "1)"},
        {VERSION GROUPS X "layout(std140, binding = 1) buffer Y { float y[]; };\n" MAIN,
         "k.comp:4: buffer 'Y' may have gaps"},
        {VERSION GROUPS X X MAIN, "k.comp:4: two buffers have the binding 0"},
        {VERSION GROUPS X "layout(std430, binding = 2) buffer Y { float y[]; };\n" MAIN,
         "k.comp:4: a buffer has the binding 2, and the shader has 2; bindings are 0 to 1"},
        {VERSION GROUPS X MAIN, "k.comp has 1 buffer; 1 state takes 2 at least"},
        {"//@ state x v\n" ALL, "k.comp has 2 buffers; 2 states take 4 at least"},
        {VERSION GROUPS MAIN, "k.comp has 0 buffers; 1 state takes 2"},
        {VERSION GROUPS X Y "uniform vec2 a;\n" MAIN,
         "k.comp:5: the uniform 'a' is neither width, height, nor a number"},
        {VERSION GROUPS X Y "uniform float a[3];\n" MAIN, "k.comp:5: the uniform 'a' is neither"},
        {VERSION GROUPS X Y "uniform sampler2D t;\n" MAIN, "k.comp:5: the uniform 't' is neither"},
        {VERSION GROUPS X Y "uniform U { float a; };\n" MAIN, "k.comp:5: the uniform '{' is"},
        {VERSION GROUPS X Y "uniform double width;\n" MAIN, "k.comp:5: the uniform 'width' is"},
        {VERSION GROUPS X Y "uniform float rate;\n" MAIN,
         "k.comp:5: nothing sets the parameter 'rate' of main; add a line '//@ set rate=VALUE'"},
        {"//@ set rat=1\n//@ set rate=1\n" VERSION GROUPS X Y "uniform float rate;\n" MAIN,
         "k.comp:1: set rat: main has no parameter 'rat'; did you mean 'rate'?"},
        {"//@ set width=1\n" ALL, "k.comp:1: set width: main has no parameter 'width'"},
        {"//@ state u\n" ALL, "k.comp: the head names 1 state, and main reads 'x' first"},
        {VERSION X Y MAIN, "k.comp says nothing of its groups; write 'layout(local_size_x = 16"},
        {"//@ group 8x8\n" ALL, "k.comp:1: group 8x8: the shader has a local size of its own"},
        {"//@ group 16x8\n" VERSION "layout(local_size_x = 16, local_size_y = N) in;\n" X Y MAIN,
         "k.comp:1: group 16x8: the shader has a local size of its own"},
        {"//@ kernel main\n" ALL, "k.comp:1: kernel names a function in C or CUDA"},
        {"//@ outside clamp\n" ALL, "k.comp:1: outside is for fragment shaders"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct qp_kernel_file *file;
        if (qp_kernel_file_make("k.comp", rows[i][0], &file) != QP_BAD_INPUT ||
            strstr(qp_error(), rows[i][1]) == NULL)
            fail_msg("row %zu: '%s' has no '%s'", i, qp_error(), rows[i][1]);
        assert_null(file);
    }
}

/* The text with a size of groups after its first lines, and a member in front of each array. */
TEST(texts)
{
    static const struct {
        const char *text, *as;
    } rows[] = {
        {ALL, VERSION GROUPS "layout(std430, binding = 0) readonly buffer X { float "
                             "qp_guard_0[16]; float x[]; };\n"
                             "layout(std430, binding = 1) writeonly buffer Y { float "
                             "qp_guard_1[16]; float y[]; };\n" MAIN},
        {"//@ group 16x8\n" VERSION "#extension all : warn\n// buffer X {\n#define A 1\n"
         "/* */ layout(std430) buffer;\nlayout(binding = 0) buffer X { double[] x; };"
         "layout(binding = 1) buffer Y{double y[];};\n" MAIN,
         "//@ group 16x8\n" VERSION "#extension all : warn\n// buffer X {\n#define A 1\n/* */ "
         "layout(local_size_x = 16, local_size_y = 8) in; layout(std430) buffer;\n"
         "layout(binding = 0) buffer X { double qp_guard_0[8]; double[] x; };layout(binding = 1) "
         "buffer Y{ double qp_guard_1[8];double y[];};\n" MAIN},
        {"//@ group 8x4\n" VERSION "#ifdef A\nint a;\n#endif\nlayout(std430) buffer;\n"
         "layout(binding = 0) buffer X { uint x[]; };\nlayout(binding = 1) buffer Y{uint y[];};"
         "void main() {}",
         "//@ group 8x4\n" VERSION "#ifdef A\nint a;\n#endif\nlayout(std430) buffer;\n"
         "layout(binding = 0) buffer X { uint qp_guard_0[16]; uint x[]; };\nlayout(binding = 1) "
         "buffer Y{ uint qp_guard_1[16];uint y[];};void main() {}"
         "layout(local_size_x = 8, local_size_y = 4) in; "},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct qp_kernel_file *file;
        char *text;
        assert_ok(qp_kernel_file_make("k.comp", rows[i].text, &file));
        assert_ok(qp_kernel_file_shader_text(file, 64, &text));
        assert_string_equal(text, rows[i].as);
        free(text);
        qp_kernel_file_destroy(&file);
    }
}

GROUP(NULL, NULL)
