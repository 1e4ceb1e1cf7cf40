/* SPDX-License-Identifier: MIT */
/* Kernel files in C and CUDA: which function is the kernel, and what its parameters say. */
#include "support/support.h"

#include <stdio.h>
#include <string.h>

#include "toolkit/kernel_file/kernel_file.h"

#define PARAMETERS "(int width, int height, const float *x, float *out)"
#define C          "void heat" PARAMETERS "\n{\n}\n"
#define CUDA       "extern \"C\" __global__ void heat" PARAMETERS "\n{\n}\n"

/* Each text is a kernel called heat, of these states, inputs and numbers. */
TEST(functions)
{
    static const struct {
        const char *path, *text;
        int states, inputs, numbers;
        enum qp_array_type type;
    } rows[] = {
        {"k.c", C, 1, 1, 0, QP_ARRAY_FLOAT},
        {"k.cu", CUDA, 1, 1, 0, QP_ARRAY_FLOAT},
        {"k.c",
         "#include <math.h>\nstatic void help(int *a) { *a = 1; }\nint two(void) { return 2; }\n" C,
         1, 1, 0, QP_ARRAY_FLOAT},
        {"k.c", "//@ kernel heat\nvoid help(int *a) { if (*a) { *a = 1; } }\n" C, 1, 1, 0,
         QP_ARRAY_FLOAT},
        {"k.cu",
         "__device__ int at(int x)\n{\n    return x;\n}\nextern \"C\" {\n__global__ void "
         "__launch_bounds__(256, 2) heat" PARAMETERS " {}\n}\n",
         1, 1, 0, QP_ARRAY_FLOAT},
        {"k.cu",
         "__global__ void other(int *a) {}\n__global__ void more(int *a) {}\n" CUDA
         "__global__ void more(int *a) {}\n",
         1, 1, 0, QP_ARRAY_FLOAT},
        {"k.c",
         "//@ state u v\n//@ input f=ones\n//@ schedule t=1,2\n//@ set a=3\nvoid heat(const int w, "
         "int h, const double *restrict u, double const *v, const unsigned f[], double *p, double "
         "*const q, double a, int step_number, unsigned int t) {}\n",
         2, 3, 3, QP_ARRAY_DOUBLE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct qp_kernel_file *file;
        int numbers = 0;
        assert_ok(qp_kernel_file_make(rows[i].path, rows[i].text, &file));
        while (file->desc.number[numbers].name != NULL)
            numbers++;
        assert_string_equal(qp_kernel_file_function(file)->name, "heat");
        assert_int_equal(file->states, rows[i].states);
        assert_int_equal(file->inputs, rows[i].inputs);
        assert_int_equal(numbers, rows[i].numbers);
        assert_int_equal(file->desc.output_type, rows[i].type);
        qp_kernel_file_destroy(&file);
    }
}

/* Parameters are found by their names, and numbers by those of the head, in its order. */
TEST(parameters)
{
    struct qp_kernel_file *file;
    assert_ok(qp_kernel_file_make(
        "k.cu",
        "//@ group 32x4\n//@ set b=2\n//@ set a=1\n//@ input g=(x + y)\nextern \"C\" __global__ "
        "void k(int w, int h, const float *x, float a, const int *g, float *y, int b) {}\n",
        &file));
    const struct qp_kernel_function *function = qp_kernel_file_function(file);
    static const int places[] = {0, 1, 1, 0, 0};
    assert_int_equal(function->parameters, 5);
    for (int k = 0; k < 5; k++)
        assert_int_equal(function->parameter[k].number, places[k]);
    assert_int_equal(function->parameter[2].type, QP_ARRAY_INT);
    assert_int_equal(function->group[0] + function->group[1], 36);
    assert_string_equal(file->array[1].name, "g");
    assert_int_equal(file->array[1].made, QP_MADE_EXPRESSION);
    assert_string_equal(file->desc.number[0].name, "b");
    assert_int_equal(file->desc.number[0].type, QP_NUMBER_INT);
    qp_kernel_file_destroy(&file);
}

TEST(sentences)
{
    static const char *const rows[][3] = {
        {"k.c", "int a;\n", "k.c has no kernel, a function 'void NAME(int width, int height, "},
        {"k.cu", C, "k.cu has no kernel, a function 'extern \"C\" __global__ void NAME("},
        {"k.c", "\n//@ kernel hot\n" C, "k.c:2: kernel hot: the file has no such function"},
        {"k.c", "//@ kernel heat\nstatic " C, "k.c:2: 'heat' is static"},
        {"k.c", "float read(float a)\n{\n    return a;\n}\n" C,
         "k.c:1: 'read' is also a function of the system"},
        {"k.c", C "void two(int a) {}\n",
         "k.c:4: the file has several functions, such as 'heat' "
         "and 'two'; name the kernel by a line '//@ kernel NAME'"},
        {"k.cu", "__global__ " C, "k.cu:1: 'heat' has a name in C++; write 'extern \"C\"' before"},
        {"k.cu", "//@ kernel heat\nextern \"C\" " C, "k.cu:2: 'heat' is no kernel: write"},
        {"k.c", "//@ kernel heat\nint heat" PARAMETERS " { return 1; }\n",
         "k.c:2: 'heat' must return void"},
        {"k.c", "void main" PARAMETERS " {}\n", "k.c:1: 'main' begins a program"},
        {"k.c", "void k(const float *x, float *y) {}\n",
         "k.c:1: the parameters of k begin with 'int width, int height'"},
        {"k.c", "void k(int w, int h) {}\n", "and its arrays come after them"},
        {"k.c", "void k(void) {}\n", "k.c:1: parameter 'void' of k is neither an array nor"},
        {"k.c", "void k() {}\n", "k.c:1: the parameters of k begin"},
        {"k.c", "void k(int w, int h, const char *x, float *y) {}\n", "parameter 'const char *x'"},
        {"k.c", "void k(int w, int h, const float **x, float *y) {}\n",
         "parameter 'const float **"},
        {"k.c", "void k(int w, int h, const float *, float *y) {}\n",
         "parameter 'const float *' of"},
        {"k.c", "void k(int w, int h, const float *x, const float *y) {}\n",
         "k.c:1: k writes no array, as in 'float *out'"},
        {"k.c", "void k(int w, int h, float *y) {}\n", "k.c:1: k writes more arrays than it reads"},
        {"k.c", "void k(int w, int h, const int *x, float *y) {}\n",
         "writes an array of another type than the state"},
        {"k.c", "//@ state u\n" C, "k.c: the head names 1 state, and heat reads 'x' first and "},
        {"k.c", "//@ input f=ones\n" C, "k.c:1: input f: heat has no parameter 'const TYPE *' "},
        {"k.c", "//@ set rat=1\nvoid k(int w, int h, const float *x, float *y, float rate) {}\n",
         "k.c:1: set rat: k has no parameter 'rat'; did you mean 'rate'?"},
        {"k.c", "void k(int w, int h, const float *x, float *y,\nfloat rate) {}\n",
         "k.c:2: nothing sets the parameter 'rate' of k; add a line '//@ set rate=VALUE'"},
        {"k.c", "//@ set n=0.5\nvoid k(int w, int h, const float *x, float *y, int n) {}\n",
         "k.c:1: set n: the parameter's type does not have the value 0.5"},
        {"k.c", "//@ set n=1,2\nvoid k(int w, int h, const float *x, float *y, int n) {}\n",
         "k.c:1: set n: a parameter is one number"},
        {"k.c",
         "//@ set n=1\n//@ schedule n=1\nvoid k(int w, int h, const float *x, float *y, int "
         "n) {}\n",
         "k.c:2: schedule n: it is given twice"},
        {"k.c", "//@ outside clamp\n" C, "k.c:1: outside is for fragment shaders; arrays in C are"},
        {"k.cu", "//@ include a.h\n" CUDA, "k.cu:1: include is for shaders; write '#include'"},
        {"k.c", "//@ then b.frag\n" C, "k.c:1: then is for fragment shaders, and not for"},
        {"k.c", "//@ group 8x8\n" C, "k.c:1: group is of kernels on a device"},
        {"k.cu", "//@ group 64x32\n" CUDA, "k.cu:1: group takes threads across and up"},
        {"k.cu", "//@ group 16\n" CUDA, "at most 1024 together, not '16'"},
        {"k.cu", "//@ group 0x4\n" CUDA, "not '0x4'"},
        {"k.cu", "//@ group 8x8\n//@ group 8x8\n" CUDA, "k.cu:2: group is given twice"},
        {"k.c", "//@ kernel a\n//@ kernel b\n" C, "k.c:2: kernel is given twice"},
        {"k.c", "//@ kernel a-b\n" C, "k.c:1: kernel takes a function's name, not 'a-b'"},
        {"k.c", "//@ kernel\n" C, "k.c:1: kernel is given no value"},
        {"k.c", "//@ kernle a\n" C, "k.c:1: 'kernle' is no word of a kernel file; did you mean"},
        {"k.c", "int a;\n//@ set b=1\n" C, "k.c:2: a line '//@' comes before the first line"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct qp_kernel_file *file;
        assert_int_equal(qp_kernel_file_make(rows[i][0], rows[i][1], &file), QP_BAD_INPUT);
        assert_null(file);
        if (strstr(qp_error(), rows[i][2]) == NULL)
            fail_msg("row %zu: '%s' has no '%s'", i, qp_error(), rows[i][2]);
    }
}

/* Libraries, and other commands, take fragment shaders alone. */
TEST(elsewhere)
{
    struct qp_kernel_file *file;
    assert_int_equal(qp_kernel_read("nowhere.cu", &file), QP_BAD_INPUT);
    assert_non_null(
        strstr(qp_error(), "nowhere.cu: kernels in CUDA are judged by 'quadpass check'"));
    assert_int_equal(qp_kernel_read("nowhere.cut", &file), QP_BAD_INPUT);
    assert_null(strstr(qp_error(), "CUDA"));
}

GROUP(NULL, NULL)
