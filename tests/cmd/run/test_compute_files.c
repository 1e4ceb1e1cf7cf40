/* SPDX-License-Identifier: MIT */
/* Compute shaders of the user's as a check takes them: right ones of all types, wrong ones, such
 * that touch what they must not, and what is refused. */
#include "support/once.h"
#include "support/shell.h"

#include <stdlib.h>
#include <sys/stat.h>

#define REFERENCE                                           \
    "void reference(int w, int h, const float *const *f,\n" \
    "               const double *s, const double *a, double *b)\n"

/* A shader of all kinds: which one, the head's number says. */
static const char kinds[] =
    "//@ check kinds_ref.c\n//@ input f=random\n//@ set kind=0\n//@ set rate=0.25\n"
    "#version 430\n"
    "layout(local_size_x = 8, local_size_y = 4) in;\n"
    "layout(std430, binding = 0) buffer X { float x[]; };\n"
    "layout(std430, binding = 1) buffer F { float f[]; };\n"
    "layout(std430, binding = 2) buffer Y { float y[]; };\n"
    "uniform int width, height, kind;\nuniform float rate;\n"
    "shared float tile[4][8];\n"
    "void main()\n{\n"
    "    ivec2 at = ivec2(gl_GlobalInvocationID), l = ivec2(gl_LocalInvocationID);\n"
    "    ivec2 other = at - 2 * l + ivec2(7, 3), size = ivec2(width, height);\n"
    "    int n = width * height, i = at.y * width + at.x;\n"
    "    bool there = all(lessThan(other, size)), here = all(lessThan(at, size));\n"
    "    tile[3 - l.y][7 - l.x] = there ? x[other.y * width + other.x] : 0.0;\n"
    "    barrier();\n"
    "    float old = tile[l.y][l.x];\n"
    "    if (kind == 9)\n        i = at.x * height + at.y;\n"
    "    if ((!here && kind != 5) || (kind == 1 && i == n - 1) || (kind == 2 && at.y == height - "
    "1))\n"
    "        return;\n"
    "    y[i] = 0.5 * old + rate * f[i] + (kind == 6 ? f[i - n] : kind == 7 ? f[i + n] : 0.0);\n"
    "    if (kind == 3)\n        x[i] = y[i];\n"
    "    else if (kind == 4 && i == 0)\n        y[i - 1] = 7.0;\n"
    "    else if (kind == 8)\n        y[i] = 0.0;\n}\n";

static const char kinds_ref[] = REFERENCE "{\n    for (int i = 0; i < w * h; i++)\n"
                                          "        b[i] = 0.5 * a[i] + s[1] * f[0][i];\n}\n";

/* A compiler that keeps each program which dispatches a shader, and any other one for the rest. */
static const char cc[] =
    "#!/bin/sh\ncase $* in *opengl.c*) ;; *) exec \"$OTHER\" \"$@\" ;; esac\n"
    "for a; do case $a in */opengl.c) d=${a%/*} ;; esac; done\n"
    "k=kept$(cat \"$d\"/*.c \"$d\"/*.inc | cksum | tr -d ' ')\n"
    "[ -e $k ] || \"$OTHER\" \"$@\" || exit\nwhile [ \"$1\" != -o ]; do shift; done\n"
    "[ -e $k ] || cp \"$2\" $k\ncp $k \"$2\"\n";

static int enter_folder(void **state)
{
    char path[256];
    if (enter_folder_with_cache(state) != 0 || compile_once(folder) != 0)
        return -1;
    write_file("kinds.comp", kinds);
    write_file("kinds_ref.c", kinds_ref);
    write_file("cc.sh", cc);
    snprintf(path, sizeof path, "%.200s/cc.sh", folder);
    setenv("CFLAGS", "-O0", 1);
    setenv("LP_NUM_THREADS", "0", 1);
    setenv("OTHER", getenv("CC"), 1);
    return chmod("cc.sh", 0700) != 0 ? -1 : setenv("CC", path, 1);
}

/* ---- A shader, as it should be and not ---- */

TEST(right)
{
    need_gl();
    expect("quadpass check kinds.comp --seed 5 -n 33x17 --json r.json && cat r.json", 0,
           "\"variant\":\"kinds/kernel\",\"backend\":\"gl\"");
    must_print((const char *const[]){"kinds/kernel ", "pass    3 cases", "1 passed, 0 failed"}, 3);
    expect("quadpass bench kinds.comp -n 40x30 --iterations 3 --repeats 3", 0,
           "40 x 30 cells, 3 steps a run");
    must_print((const char *const[]){"kinds/kernel ", "1 passed"}, 2);
}

TEST(wrong)
{
    static const char *const said[] = {
        "cell (8, 4) is nan, which is no number",
        "cell (0, 4) is nan, which is no number",
        "kinds.comp: the kernel changes 'x' at cell (0, 0), which it may only read",
        "kinds.comp: the kernel writes in front of 'y'",
        "kinds.comp: the kernel writes beyond the end of 'y'",
        "cell (0, 0) is nan, which is no number",
        "cell (0, 0) is nan, which is no number",
        "cell (8, 4) is 0 and should be ",
        "cell (8, 1) is "};
    need_gl();
    for (int kind = 1; kind <= COUNT(said); kind++) {
        char command[256];
        snprintf(command, sizeof command, "quadpass check kinds.comp --fixed -n 9x5 --set kind=%d",
                 kind);
        expect(command, 1, said[kind - 1]);
        must_print((const char *const[]){"fail ", "0 passed, 1 failed, 0 skipped"}, 2);
    }
    expect("sed '/barrier()/d' kinds.comp >races.comp; quadpass check races.comp --fixed -n 9x5", 1,
           "should be ");
}

/* Words are spoiled; a mutant that does not compile is none. */
TEST(mutants)
{
    need_gl();
    write_file("half.comp", "//@ check half_ref.c\n#version 430\nlayout(local_size_x = 8) in;\n"
                            "layout(std430, binding = 0) readonly buffer X { float x[]; };\n"
                            "layout(std430, binding = 1) buffer Y { float y[]; };\n"
                            "uniform int width;\nvoid main()\n{\n"
                            "    ivec2 at = ivec2(gl_GlobalInvocationID.xy);\n"
                            "    if (at.x < width)\n"
                            "        y[at.y * width + at.x] = 0.5 * x[at.y * width + at.x];\n}\n");
    write_file("half_ref.c", REFERENCE "{\n    for (int i = 0; i < w * h; i++)\n"
                                       "        b[i] = 0.5 * a[i];\n}\n");
    expect("quadpass check half.comp --fixed -n 9x5 --mutants", 0, "the reference notices ");
    must_print((const char *const[]){"constants 1 of 1", "1 passed"}, 2);
}

/* ---- Other shaders ---- */

/* Two states of doubles, integers, numbers of each step, groups by the head, a function of another
 * file, and arrays whose length is asked for. */
TEST(types)
{
    need_gl();
    write_file("half.glsl", "double half_of(double a) { return 0.5lf * a; }\n");
    write_file("two.comp",
               "//@ check two_ref.c\n//@ state u v\n//@ input m=random\n"
               "//@ schedule span=1,2,3,4,5\n//@ steps 5\n//@ size 11x7\n//@ group 16x4\n"
               "//@ include half.glsl\n#version 450\nlayout(std430) buffer;\n"
               "layout(binding = 4) writeonly buffer Q { double q[]; } to;\n"
               "layout(binding = 0) readonly buffer U { double u[]; };\n"
               "layout(binding = 1) readonly buffer V { double[] v; };\n"
               "layout(binding = 2) readonly buffer M { int m[]; };\n"
               "layout(binding = 3) writeonly buffer P { double p[]; };\n"
               "uniform uint width;\nuniform int step_number, span;\nuniform uint step_count;\n"
               "void main()\n{\n"
               "    uint i = gl_GlobalInvocationID.y * width + gl_GlobalInvocationID.x;\n"
               "    if (gl_GlobalInvocationID.x >= width || i >= u.length())\n        return;\n"
               "    p[i] = u[i] + v[(i + span) % u.length()] * m[i];\n"
               "    to.q[i] = half_of(v[i]) + double(step_number) / double(step_count);\n}\n");
    write_file("two_ref.c",
               REFERENCE "{\n    int n = w * h;\n    for (int i = 0; i < n; i++) {\n"
                         "        b[i] = a[i] + a[n + (i + (int)s[2]) % n] * f[0][i];\n"
                         "        b[n + i] = 0.5 * a[n + i] + s[0] / s[1];\n    }\n}\n");
    expect("quadpass check two.comp --fixed", 0, "two/kernel ");
    must_print((const char *const[]){"at 11x7 alone, by its head", "1 passed"}, 2);
    expect("sed 's/ + span)/ + span + 1)/' two.comp >off.comp; quadpass check off.comp --fixed", 1,
           "0 passed");
}

TEST(refusals)
{
    static const char *const asked[][2] = {
        {"run kinds.comp", "kinds.comp: kernels in compute shaders are judged by 'quadpass check'"},
        {"check kinds.comp --backend compute",
         "kinds.comp is in compute shaders, which says where"},
        {"check kinds.comp --set kimd=1", "--set kimd: main has no parameter 'kimd'; did you mean"},
        {"check syntax.comp", "syntax.comp:27: 'if (kimd == 3)': "},
        {"check gone.comp", "gone.comp"}};
    need_gl();
    expect("sed 's/kind == 3/kimd == 3/' kinds.comp >syntax.comp", 0, "");
    for (int k = 0; k < COUNT(asked); k++) {
        char command[256];
        snprintf(command, sizeof command, "quadpass %s", asked[k][0]);
        expect(command, 2, asked[k][1]);
    }
    expect("__EGL_VENDOR_LIBRARY_DIRS=. quadpass check kinds.comp", 3, "kinds.comp: EGL ");
    write_file("none.c", "int puts(const char *text);\n"
                         "int main(void) { puts(\"kinds.comp: no driver\"); return 1; }\n");
    write_file("fake.sh", "#!/bin/sh\ncase $* in *opengl.c*) ;; *) exec \"$OTHER\" \"$@\" ;; esac\n"
                          "while [ \"$1\" != -o ]; do shift; done\n"
                          "exec \"$OTHER\" none.c -o \"$2\"\n");
    expect("chmod 700 fake.sh; CC=$PWD/fake.sh quadpass check kinds.comp --fixed", 3,
           "kinds.comp: no driver\n");
    expect("CC=nobody quadpass check kinds.comp", 3, "'nobody' cannot be run");
}

GROUP(enter_folder, remove_folder)
