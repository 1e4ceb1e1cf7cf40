/* SPDX-License-Identifier: MIT */
/* Words of a kernel file's head: every sentence about one that is wrong. */
#include <quadpass/kernel_file.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/files.h"
#include "support/kernel_text.h"
#include "support/support.h"
#include "toolkit/kernel_file/kernel_file.h"

#define K "\nfloat kernel(vec2 here) { return a * b_at(0, 0) + x_at(0, 0); }\n"

#define NAME64 "a234567890123456789012345678901234567890123456789012345678901234"

/* Sentences about what is wrong, with file and line. */
TEST(sentences)
{
    static const char *const texts[][2] = {
        {"//@ outsid wrap" K, ":1: 'outsid' is no word of a kernel file; did you mean 'outside'?"},
        {"\n//@ quux c" K, ":2: 'quux' is no word of a kernel file, which are check, group, "
                           "include, input, kernel, outside, schedule, seed, set, size, state, "
                           "steps, sync, then, tolerance and tuned"},
        {"//@ kernel a" K, ":1: kernel is for kernels in C, CUDA and compute shaders; leave it"},
        {"\n//@ group 8x8" K, ":2: group is for kernels in C, CUDA and compute shaders; leave it"},
        {"//@ tuned" K, ":1: tuned is given no value"},
        {"//@ tuned c" K,
         ":1: tuned takes c, gl, compute, cuda, hybrid, gpus or mpi, and values such "
         "as threads=64 or unknowns=64x8, not 'c'"},
        {"//@ tuned vulkan a=1" K, "not 'vulkan a=1'"},
        {"//@ tuned l a=1" K, "not 'l a=1'"},
        {"//@ tuned cuda a=1 b" K, "not 'cuda a=1 b'"},
        {"//@ tuned cuda a=1 =2" K, "not 'cuda a=1 =2'"},
        {"//@ tuned cuda a=x" K, "not 'cuda a=x'"},
        {"//@ tuned cuda a=64x" K, "not 'cuda a=64x'"},
        {"//@ tuned cuda a=64x8x2 b=1" K, "not 'cuda a=64x8x2 b=1'"},
        {"//@ tuned cuda a=nan" K, "not 'cuda a=nan'"},
        {"//@ tuned c a=1 b=2 a=3" K, ":1: tuned is given twice for 'a'"},
        {"//@ tuned c a=1\n//@ tuned gl a=1\n//@ tuned c a=1" K, ":3: tuned is given twice"},
        {"//@ input b=(x + z)" K, ":1: input b=(x + z): a number, x, y, M_PI, '(' or a function of "
                                  "math.h is expected before 'z'"},
        {"\n//@ input b=(x + 1" K, ":2: input b=(x + 1: ')' is expected at the end"},
        {"//@ input b=(1 / 0)" K, ":1: input b=(1 / 0): a division by zero"},
        {"//@ sync async4" K, ":1: sync takes jacobi, async0 to async3, "},
        {"//@ schedule a" K,
         ":1: schedule takes NAME=V,V,..., a value for each step, such as span=1,2,4, not 'a'"},
        {"//@ schedule a=1,,2" K,
         ":1: schedule takes finite numbers, up to 1024 with commas between "
         "them, not '1,,2'"},
        {"//@ schedule a=1,1e39" K, ":1: schedule a: 1e+39 is beyond float"},
        {"//@ schedule a=1\n//@ schedule a=2" K, ":2: schedule is given twice for 'a'"},
        {"//@ schedule a=1\n//@ set a=2" K, ":1: schedule a: it is set, too; leave one of the two "
                                            "out"},
        {"//@ schedule b=1" K, ":1: schedule b: it is an array, whose values are input"},
        {"//@ set a=1\n//@ schedule c=1" K, ":2: schedule c: the shader reads no 'c'"},
        {"//@ schedule a=1\nuniform vec2 a;\nvoid main() {}",
         ":1: schedule a: the shader declares 'a' as vec2, which takes 2 numbers"},
        {"//@" K, ":1: '' is no word"},
        {"// a\n//@ steps" K, ":2: steps is given no value"},
        {"//@ steps 1 \\\n//" K, ":1: a line of the head ends in a backslash"},
        {"//@ steps 0" K, ":1: steps takes a whole number of at least 1, not '0'"},
        {"//@ steps 2147483648" K, "not '2147483648'"},
        {"//@ steps 4294967297" K, "not '4294967297'"},
        {"//@ steps 1.5" K, "not '1.5'"},
        {"//@ seed -1" K, ":1: seed takes a whole number of at least 0, not '-1'"},
        {"//@ seed 99999999999999999999" K, "not '99999999999999999999'"},
        {"//@ size 3x" K, ":1: size takes N or WxH, such as 64x48, not '3x'"},
        {"//@ size 0x3" K, "not '0x3'"},
        {"//@ size 3x4x5" K, "not '3x4x5'"},
        {"//@ size 3x-4" K, "not '3x-4'"},
        {"//@ tolerance 0" K, ":1: tolerance takes a number above 0 and below 1, not '0'"},
        {"//@ tolerance 1" K, "not '1'"},
        {"//@ tolerance 1e-6x" K, "not '1e-6x'"},
        {"//@ tolerance nan" K, "not 'nan'"},
        {"//@ outside clmp" K, ":1: outside takes zero, clamp, wrap or a number, not 'clmp'; did "
                               "you mean 'clamp'?"},
        {"//@ outside b=1e39" K, ": outside of b: the value 1e+39 is beyond float"},
        {"//@ outside b=1e399" K, "not '1e399'"},
        {"//@ outside 1e10\nint kernel(vec2 here) { return x_at(0, 0); }",
         ": outside of x: the value 1e+10 is no integer of 32 bits, from -2147483648 to "
         "2147483647"},
        {"//@ outside -1\nuint kernel(vec2 here) { return x_at(0, 0); }",
         ": outside of x: the value -1 is no integer of 32 bits"},
        {"//@ outside b=" K, "not 'b='"},
        {"//@ outside 1,2" K, "not '1,2'"},
        {"//@ input b" K, ":1: input takes NAME=FILE, such as x=start.mtx or x=random, not 'b'"},
        {"//@ input 1b=ones" K, "not '1b=ones'"},
        {"//@ input " NAME64 "=ones" K, "not '" NAME64 "=ones'"},
        {"//@ input b=rando" K,
         ":1: input takes zeros, ones, random, gradient, impulse, an expression "
         "in brackets or a .mtx, .npy or .png file, not 'rando'; did you "
         "mean 'random'?\n"},
        {"//@ input b=photo" K, ".png file, not 'photo'\n"},
        {"//@ set a" K, ":1: set takes NAME=VALUE, such as rate=0.5, not 'a'"},
        {"//@ set a=1e39" K, ":1: set a: 1e+39 is beyond float"},
        {"//@ set a=1e399" K,
         ":1: set takes finite numbers, up to 64 with commas between them, not '1e399'"},
        {"//@ set a=1,16777217\nint kernel(vec2 here) { return x_at(0, 0) + int(a.y); }",
         ":1: set a: a float does not hold its integers"},
        {"//@ set a=1 // one" K, "not '1 // one'"},
        {"//@ set a=1," K, "not '1,'"},
        {"//@ state u,v" K, ":1: state takes names, such as u v, not 'u,v'"},
        {"//@ state 1u" K, "not '1u'"},
        {"//@ state u u" K, ":1: state names 'u' twice"},
        {"//@ state a b c d e" K, ":1: state: a kernel has 4 states at most"},
        {"//@ input b=ones\n//@ input b=zeros" K, ":2: input is given twice for 'b'"},
        {"//@ outside b=1\n//@ outside b=2" K, ":2: outside is given twice for 'b'"},
        {"//@ outside 1\n//@ outside 1" K, ":2: outside is given twice\n"},
        {"//@ set a=1\n//@ set a=2" K, ":2: set is given twice for 'a'"},
        {"//@ state x\n//@ state x" K, ":2: state is given twice\n"},
        {"//@ steps 1\n//@ steps 1" K, ":2: steps is given twice\n"},
        {"//@ size 1\n//@ size 1" K, ":2: size is given twice\n"},
        {"//@ seed 1\n//@ seed 1" K, ":2: seed is given twice\n"},
        {"//@ tolerance 1e-3\n//@ tolerance 1e-3" K, ":2: tolerance is given twice\n"},
        {"//@ check a\n//@ check b" K, ":2: check is given twice\n"},
        {"/*\n*/\n//@ input bb=ones" K, ":3: input bb: the shader reads no 'bb'"},
        {"//@ input photo=ones\nfloat kernel(vec2 here) { return phto_at(0, 0); }",
         ":1: input photo: the shader reads no 'photo'; did you mean 'phto'?"},
        {"//@ input b=ones\n//@ outside c=1" K, ":2: outside c: the shader reads no 'c'"},
        {"//@ set a=1\n//@ set rate=1" K, ":2: set rate: the shader reads no 'rate'"},
        {"//@ set alpha=1\nfloat kernel(vec2 here) {\n  return x_at(0, 0) * alpa;\n}",
         ":3: the kernel reads 'alpa', which nothing sets; did you mean 'alpha', which is set and "
         "not read?"},
        {"//@ set alpha=1\nfloat kernel(vec2 here) { float alpa = 1.0; return alpa; }",
         ":1: set alpha: the shader reads no 'alpha'; did you mean 'alpa'?"},
        {"//@ set a=1\nuniform sampler2DRect x; uniform float aa;\nuniform vec2 bb[3];\n"
         "void main() { gl_FragColor = aa * texture2DRect(x, bb[0]); }",
         ":1: set a: the shader reads no 'a'; it reads 'aa', 'bb'\n"},
        {"//@ set b=1" K, ":1: set b: it is an array, whose values are input"},
        {"//@ set x=1" K, ":1: set x: it is an array"},
        {"//@ set c=1\nfloat kernel(vec2 here) { return c_size.x; }",
         ":1: set c: the shader reads no 'c'"},
        {"//@ input b=ones\nvoid main() { b_at(); }", ":1: input b: the shader reads no 'b'"},
        {"//@ set a=1,2\nuniform int a;\nvoid main() {}", "'a' as int, which takes 1 number\n"},
        {"//@ set a=1,2\nuniform float a;\nvoid main() {}",
         ":1: set a: the shader declares 'a' as float, which takes 1 number\n"},
        {"//@ set a=1\nuniform highp vec2 b, a;\nvoid main() {}",
         "'a' as vec2, which takes 2 numbers"},
        {K "\n//@ set a=1\n", ":4: a line '//@' comes before the first line of code"},
        {"/* *//@ set c=1\n//@ set a=3" K, ":2: a line '//@' comes before"}, /* a / and an @ */
        {"#version 120\n//@ set a=1\nvoid main() {}", ":2: a line '//@' comes before"},
        {"//@ state u v" K,
         ": the kernel sets 1 of the 2 states that its head names: set out1, in a "
         "'void kernel(vec2 here)'\n"},
        {"//@ state u v\nvoid kernel(vec2 here) { out0 = 1.0; }",
         ": the kernel sets 1 of the 2 states that its head names: set out1"},
        {"void kernel(vec2 here) { out0 = out1 = 1.0; }",
         ": the kernel sets 2 outputs, and its head names 0; a line such as '//@ state u v', "
         "without a blank before @, names what each is in the next step\n"},
        {"vec3 kernel(vec2 here) { return vec3(1.0); }",
         ":1: the kernel must be a function 'float kernel(vec2 here)', or of another type that "
         "arrays have, such as vec2, vec4, int, uint or double; void writes several outputs, out0, "
         "out1 and so on; and it returns vec3\n"},
        {"\nvoid kernel(vec2 here) { out0 = 1.0; }", ":2: the kernel must be a function"},
        {"float krnl(vec2 here) { return 1.0; }", " is neither a fragment shader with a main() nor "
                                                  "the short form, a function 'float kernel(vec2 "
                                                  "here)'\n"},
        {"//@ state u v\nvec2 place(float i) { value = 1.0; }",
         ": place() puts points into one state, and its head names 2; draw points of others by "
         "files of their own\n"},
        {"float kernel(vec2 here) { return a_at(0, 0) + b_at(0, 0) + c_at(0, 0) + d_at(0, 0) +\n"
         "e_at(0, 0) + f_at(0, 0) + g_at(0, 0) + h_at(0, 0); }",
         ": a shader reads at most 8 arrays, its states among them\n"}};
    faults = 0;
    for (int i = 0; i < COUNT(texts); i++) {
        char sentence[1024];
        struct qp_kernel_file *file = kernel_text_read(texts[i][0]);
        snprintf(sentence, sizeof sentence, "%s\n", qp_error());
        if (file != NULL || strncmp(sentence, kernel_text_path, strlen(kernel_text_path)) != 0 ||
            strstr(sentence + strlen(kernel_text_path), texts[i][1]) == NULL)
            fault("%s: %s\n", texts[i][0], file != NULL ? "is read" : sentence);
        qp_kernel_file_destroy(&file);
    }
    assert_int_equal(faults, 0);
    struct qp_kernel_file *file;
    assert_int_equal(qp_kernel_read("/nowhere.frag", &file), QP_BAD_INPUT);
    assert_string_equal(qp_error(), "cannot read the shader /nowhere.frag: No such file or "
                                    "directory (check its name and folder)");
}

/* Lines `tuned`, and files whose names begin like an expression. */
TEST(tunings)
{
    char text[2048] = "//@ tuned cuda threads=64 block=64x8\n//@\ttuned  c\tthreads=2\t part=0.25\n"
                      "//@ input b=(1).npy\n//@ input x=(x)";
    struct qp_kernel_file *file = kernel_text_read(strcat(text, K));
    assert_non_null(file);
    const struct qp_kernel_tuned *block = qp_kernel_file_tuned(file, "cuda", "block"),
                                 *part = qp_kernel_file_tuned(file, "c", "part");
    assert_true(block->value[0] == 64.0 && block->value[1] == 8.0);
    assert_true(part->value[0] == 0.25 && part->value[1] == 0.0);
    assert_true(qp_kernel_file_tuned(file, "cuda", "threads")->value[0] == 64.0);
    assert_true(qp_kernel_file_tuned(file, "c", "threads")->value[0] == 2.0);
    assert_null(qp_kernel_file_tuned(file, "c", "block"));
    assert_null(qp_kernel_file_tuned(file, "gl", "threads"));
    assert_int_equal(file->head.array[0].made, QP_MADE_NOT);
    assert_string_equal(file->head.array[0].from, "/tmp/(1).npy");
    assert_int_equal(file->head.array[1].made, QP_MADE_EXPRESSION);
    assert_string_equal(file->head.array[1].from, "(x)");
    qp_kernel_file_destroy(&file);
    text[0] = '\0';
    for (int k = 0; k <= QP_KERNEL_TUNED; k++)
        sprintf(text + strlen(text), "//@ tuned c a%d=1\n", k);
    assert_null(kernel_text_read(strcat(text, K)));
    assert_non_null(strstr(qp_error(), ":33: tuned: a kernel has 32 values at most"));
    struct qp_kernel_file_head head = {.arrays = 0};
    assert_int_equal(qp_kernel_file_say(&head, "tuned", "c a=1"), QP_BAD_INPUT);
}

/* A head has room for as many as a kernel has. */
TEST(many)
{
    struct qp_kernel_file_head head = {.arrays = 0};
    char pair[32];
    for (int k = 0; k <= QP_KERNEL_INPUTS; k++) {
        snprintf(pair, sizeof pair, k % 2 ? "a%d=0" : "a%d=ones", k);
        assert_int_equal(qp_kernel_file_say(&head, k % 2 ? "outside" : "input", pair),
                         k < QP_KERNEL_INPUTS ? QP_OK : QP_BAD_INPUT);
    }
    assert_string_equal(qp_error(), "input: a kernel has 8 arrays at most");
    assert_int_equal(qp_kernel_file_say(&head, "outside", "b=0"), QP_BAD_INPUT);
    assert_string_equal(qp_error(), "outside: a kernel has 8 arrays at most");
    assert_ok(qp_kernel_file_say(&head, "outside", "a0=0"));
    for (int k = 0; k <= QP_KERNEL_NUMBERS; k++) {
        snprintf(pair, sizeof pair, "a%d=0", k);
        assert_int_equal(qp_kernel_file_say(&head, "set", pair),
                         k < QP_KERNEL_NUMBERS ? QP_OK : QP_BAD_INPUT);
    }
    assert_string_equal(qp_error(), "set: a kernel has 16 numbers at most");
}

GROUP(kernel_text_open, kernel_text_close)
