/* SPDX-License-Identifier: MIT */
/* Generated programs, as a reader of the manual makes them: each compiles without a word of the
 * compiler's, passes its own check, and gives the bits that `quadpass run` draws, whatever the
 * steps at once. tests/stencil/test_mutants.c spoils them. */
#include "support/shell.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "toolkit/gl/context/context.h"

static const struct {
    const char *name, *text;
} kernels[] = {
    {"heat",
     "//@ outside clamp\n//@ set rate=0.2\n//@ steps 4\nfloat kernel(vec2 here)\n{\n"
     "    float old = x_at(0.0, 0.0);\n"
     "    float around = x_at(-1.0, 0.0) + x_at(1.0, 0.0) + x_at(0.0, -1.0) + x_at(0.0, 1.0);\n"
     "    return old + rate * (around - 4.0 * old);\n}\n"},
    {"life",
     "//@ outside wrap\n//@ include alive.glsl\nfloat kernel(vec2 here)\n{\n"
     "    float n = -alive(0.0, 0.0);\n    for (int j = -1; j <= 1; j++)\n"
     "        for (int i = -1; i <= 1; i++)\n            n += x_at(float(i), float(j)) < 0.5 ? 0.0 "
     ": 1.0;\n    return n == 3.0 || n + alive(0.0, 0.0) == 3.0 ? 1.0 : 0.0;\n}\n"},
    {"two",
     "//@ state u v\n//@ outside u=wrap\n//@ outside v=0.25\n//@ outside f=clamp\n"
     "//@ input f=(sin(0.7 * x) - y % 3 / 7)\n//@ set feed=0.012195121951219513,0.06\nvoid "
     "kernel(vec2 here)\n{\n"
     "    float u = u_at(0.0, 0.0), v = v_at(0.0, 0.0), r = u * v * v;\n"
     "    float bent = u_at(-2.0, 0.0) + u_at(2.0, 0.0) + v_at(0.0, -1.0) + v_at(0.0, 2.0);\n"
     "    out0 = 0.5 * u + 0.125 * bent - 0.25 * r + feed.x * (1.0 - u) * f_at(0.0, 1.0);\n"
     "    out1 = 0.5 * v + 0.25 * r - (feed.x + feed.y) * v + 0.125 * v_at(1.0, -1.0);\n}\n"},
    {"far",
     "//@ outside clamp\n//@ set w=0.1,0.2,0.3,0.4,0.5\nconst float part = 0.125;\n"
     "float kernel(vec2 here)\n{\n"
     "    float s = mix(x_at(-8.0, 0.0), x_at(0.0, 8.0), part) + max(abs(x_at(3.0, -2.0)), 0.25);\n"
     "    if (s > 1.0 && mod(here.x, 2.0) < 1.0)\n"
     "        s = fract(s) + step(0.5, x_at(1.0, 1.0)) * w[1];\n"
     "    return clamp(s * w[3], -1.0, sqrt(2.0)) + floor(here.y / 3.0) * 0.001 + sign(s - 0.5) * "
     "w[4];\n}\n"},
    {"double",
     "//@ outside 0.3\n//@ input f=random\n//@ input x=(x / (y + 2))\n//@ set c=0.3\ndouble "
     "kernel(vec2 here)\n{\n"
     "    double s = 0.0lf;\n    for (int i = -2; i <= 2; i++)\n"
     "        s += x_at(float(i), 0.0) * (1.0 / 5.0);\n    return s + c * f_at(0.0, 1.0);\n}\n"},
    {"sand", "//@ outside 3.75\n//@ input x=(x == 2 && y == 2 ? -2147483648 : x * y / 2 % 9 - "
             "0.2)\nint topples(float dx, float dy)\n{\n    return "
             "x_at(dx, dy) >= 4 ? "
             "1 : 0;\n}\n\n"
             "int kernel(vec2 here)\n{\n    return x_at(0.0, 0.0) - 4 * topples(0.0, 0.0) + "
             "topples(-1.0, 0.0) +\n"
             "           topples(1.0, 0.0) + topples(0.0, -1.0) + max(topples(0.0, 1.0), 0);\n}\n"},
    {"vectors",
     "//@ outside clamp\n//@ input x=(x < y && y < 9 ? 0.1 * x : cos(y))\n//@ set c=0.5,1\nconst "
     "vec2 e = vec2(1.0, 0.0);\n\n"
     "float part(float a)\n{\n    return a * 0.5;\n}\n\n"
     "float part(vec2 a)\n{\n    return dot(a, a.yx);\n}\n\n"
     "void turn(inout vec2 v, out float s)\n{\n    v.yx = v * 0.75 + c;\n    s = length(v);\n"
     "    v.x += 0.125;\n}\n\n"
     "float kernel(vec2 here)\n{\n"
     "    vec2 g = vec2(x_at(1.0, 0.0) - x_at(-1.0, 0.0), x_at(0.0, 1.0) - x_at(0.0, -1.0));\n"
     "    float s;\n    turn(g, s);\n    vec4 w = vec4(g, s, 1.0);\n    w.zx *= 0.5;\n"
     "    w = mix(w, w.wzyx, 0.25);\n    w[3] -= 0.25;\n"
     "    vec3 p = clamp(w.xyz, -1.0, 1.0), q = mod(p.zxy, 8.0) - vec3(e, 0.5);\n"
     "    ivec2 i = ivec2(mod(here, 4.0));\n"
     "    if (any(lessThan(here.xy, vec2(3.0))) && here.x != here.y)\n"
     "        s += part(g) * 0.25 + float(max(i, 1).x + 2);\n"
     "    s += part(s) + (here.x == size.x - 1.0 ? e.x : 0.0);\n"
     "    s = 0.5 * dot(p, q) + 0.125 * length(w) - 0.25 * s + dot(w, w.wxyz);\n"
     "    return clamp(x_at(0.0, 0.0) * 0.5 + 0.01 * (s + fract(-here * 0.25).r), -2.0, "
     "2.0);\n}\n"},
    {"doubles",
     "//@ outside wrap\ndouble kernel(vec2 here)\n{\n"
     "    dvec2 g = dvec2(x_at(1.0, 0.0), x_at(0.0, -1.0)) * 0.5lf;\n"
     "    dvec3 v = dvec3(g, 0.1);\n    v.xz = g.yx - v.y;\n"
     "    return 0.25 * dot(v, v.zxy) + mix(g, v.yx, 0.3lf).x - length(v) * 0.125;\n}\n"},
    {"whole", "//@ outside 3\nint kernel(vec2 here)\n{\n"
              "    ivec3 v = ivec3(x_at(-1.0, 0.0), x_at(0.0, 0.0), x_at(0.0, 1.0)) % 7;\n"
              "    bvec3 large = greaterThan(v.yzx, ivec3(2));\n"
              "    v.y -= (v.x - 9) / v.z + (v.x - 9) % 5 + 7 % v.z;\n"
              "    return any(large) && !all(large) ? min(v, 4).z + v[0] : abs(v.y - 5) / 2;\n}\n"},
    {"hostile", "//@ state u v\n"
                "//@ outside u=wrap\n"
                "//@ outside v=0.5\n"
                "//@ set p=0.1,0.2,0.3\n"
                "//@ set w=0.1,0.2,0.3,0.4,0.5\n"
                "const float each = 0.5, sum = each * 0.25;\n"
                "const ivec2 steps = ivec2(1, 2);\n"
                "bool above(vec2 a) { return a.x > a.y; }\n"
                "float vector(vec2 a) { return dot(a, p.xy) + p.z; }\n"
                "vec2 members(in vec2 a, const float b) { return above(a) ? a.yx * b : a; }\n"
                "float pick(int a) { return float(a) * 0.5; }\n"
                "float pick(float a) { return a * 0.25; }\n"
                "float pick(vec3 a) { return a.b - p.x; }\n"
                "void swap(inout float a, inout float b) { float c = a; a = b; b = c; }\n"
                "void set_both(out vec2 a, float b, inout vec4 c);\n"
                "void set_both(out vec2 a, float b, inout vec4 c)\n"
                "{\n"
                "    a = vec2(b);\n"
                "    c.xyz = c.zxy * b;\n"
                "    c.w *= 0.5;\n"
                "    c.rg += a;\n"
                "    ++a.x;\n"
                "}\n"
                "float text(vec2 glsl) { return length(glsl) < 1.0 ? glsl.x : 1.0 / glsl.y; }\n"
                "void kernel(vec2 here)\n"
                "{\n"
                "    vec2 list[2];\n"
                "    list[0] = vec2(u_at(1, 0), v_at(0, 1));\n"
                "    list[1] = (list[0] + vec2(0.5)).yx;\n"
                "    int k = 0;\n"
                "    float s = 0.0;\n"
                "    do {\n"
                "        s += list[k].x * w[k];\n"
                "        k++;\n"
                "    } while (k < 2);\n"
                "    vec4 c = vec4(list[0], list[1].x, 1.0);\n"
                "    vec2 a;\n"
                "    set_both(a, 0.75, c);\n"
                "    swap(a.x, c.w);\n"
                "    for (int j = -1; j <= 1; j++) {\n"
                "        float far = 2.0 * float(j);\n"
                "        s += u_at(far, float(j)) * 0.125;\n"
                "    }\n"
                "    a -= members(a, each).xy;\n"
                "    s += pick(1) + pick(s) + pick(c.xyz) + text(a + here * 0.005) + vector(a);\n"
                "    bvec2 b = greaterThanEqual(a, vec2(0.0));\n"
                "    if (!any(b) || all(not(b)) || a == c.zw)\n"
                "        s = -s;\n"
                "    vec3 m = max(vec3(s, a), 0.0) - min(abs(c.xyz), p);\n"
                "    m[1] += sign(m.x) + step(0.5, m).y + clamp(m, vec3(-1.0), p).z;\n"
                "    out0 = clamp(0.5 * u_at(0.0, 0.0) + 0.1 * s + sum * m.y + 0.01 * "
                "float(steps.y), -1.0, 1.0);\n"
                "    out1 = fract(mod(v_at(0.0, 0.0) * 0.5 + 0.125 * dot(m, m.zxy), 2.0)) * 0.5 + "
                "ceil(size.x * 0.1) * 0.01 + sqrt(abs(c.a)) * 0.01;\n"
                "}\n"},
    {"box", "//@ outside 0.5\nfloat kernel(vec2 here)\n{\n    float s = 0.0;\n"
            "    for (int j = -2; j <= 2; j++)\n        for (int i = -2; i <= 2; i++)\n"
            "            s += x_at(float(i), float(j));\n    return 0.04 * s;\n}\n"},
    {"aside",
     "//@ outside x=wrap\nfloat kernel(vec2 here)\n{\n"
     "    return 0.5 * x_at(3.0, 1.0) + 0.25 * x_at(1.0, 0.0) + 0.125 * x_at(5.0, 2.0);\n}\n"},
    {"line", "//@ outside clamp\nfloat kernel(vec2 here)\n{\n"
             "    return 0.5 * x_at(0.0, 0.0) + 0.25 * (x_at(-1.0, 0.0) + x_at(1.0, 0.0));\n}\n"},
    {"fields",
     "//@ input left=random\n//@ input right=gradient\n//@ input rest=(0.1 * x - 0.2 * y)\n"
     "//@ outside left=wrap\n//@ outside right=clamp\nfloat kernel(vec2 here)\n{\n"
     "    return left_at(0.0, 0.0) * x_at(-1.0, 0.0) + right_at(0.0, 0.0) * x_at(1.0, 0.0) +\n"
     "           0.25 * left_at(1.0, 1.0) * x_at(0.0, -1.0) + 0.1 * rest_at(0.0, -1.0);\n}\n"},
    {"spots", "//@ state u v\n//@ outside wrap\n//@ set feed=0.037\n//@ set kill=0.06\n"
              "void kernel(vec2 here)\n{\n    float u = u_at(0.0, 0.0), v = v_at(0.0, 0.0);\n"
              "    float du = u_at(-1.0, 0.0) + u_at(1.0, 0.0) + u_at(0.0, -1.0) + u_at(0.0, 1.0) "
              "- 4.0 * u;\n"
              "    float dv = v_at(-1.0, 0.0) + v_at(1.0, 0.0) + v_at(0.0, -1.0) + v_at(0.0, 1.0) "
              "- 4.0 * v;\n"
              "    out0 = u + 0.2 * du - 0.25 * u * v * v + feed * (1.0 - u);\n"
              "    out1 = v + 0.1 * dv + 0.25 * u * v * v - (feed + kill) * v;\n}\n"},
    {"trivial",
     "float kernel(vec2 here)\n{\n    return 2.0 * x_at(0.0, 0.0) + here.x - here.y;\n}\n"},
};

static int make_kernels(void **state)
{
    if (make_folder(state) != 0 || chdir(folder) != 0)
        return -1;
    setenv("OMP_WAIT_POLICY", "passive", 1); /* threads that wait take no time from others */
    for (int k = 0; k < COUNT(kernels); k++) {
        char name[64];
        snprintf(name, sizeof name, "%s.frag", kernels[k].name);
        write_file(name, kernels[k].text);
    }
    write_file("alive.glsl", "float alive(float dx, float dy)\n{\n"
                             "    return step(0.5, x_at(dx, dy));\n}\n");
    return 0;
}

static const struct {
    const char *name, *soon; /* kernels that a short test has, too */
    const char *never;       /* kernels whose shaders compile too long */
} targets[] = {{"c", "heat life two double sand vectors whole", ""},
               {"gl", "heat sand vectors", "far box aside spots hostile doubles"},
               {"compute", "life two vectors", ""}};

/* Values of integers are doubles in what run writes, once for all targets. More steps at once than
 * fit are refused. */
static const char compare[] =
    "for size in 19x6 1x33; do\n"
    "  a=$name-$size\n"
    "  test -e $a.txt || quadpass run $name.frag --size $size --steps 13 -o $a.npy >r.txt || exit "
    "3\n"
    "  tail -c +129 $a.npy | od -An -v -w8 -t $from | sed 's/^ *//; s/ *$//' >$a.txt\n"
    "  for k in 1 2 4 8; do\n"
    "    out/$target/$name --size $size --steps 13 --set steps_at_once=$k -o b.npy 2>e.txt ||\n"
    "      { test $k -gt 1 && grep -q 'at once do not fit; take [124]$' e.txt || exit 4; continue; "
    "}\n"
    "    tail -c +129 b.npy | od -An -v -w$wide -t $to | sed 's/^ *//; s/ *$//' >b.txt\n"
    "    cmp $a.txt b.txt || exit 5\n"
    "done; done; echo all alike";

/* True where OpenGL computes this kernel with the bits of C: llvmpipe any, other drivers those
 * without a product that is summed, a division and a root (docs/bits.md). */
static bool has_bits_of_c(const char *name)
{
    static const char *const rounded[] = {"dot(", "length(", "mix(", "sqrt(", " / "};
    int k = 0;
    if (on_llvmpipe())
        return true;
    while (strcmp(kernels[k].name, name) != 0)
        k++;
    for (int i = 0; i < COUNT(rounded); i++) {
        if (strstr(kernels[k].text, rounded[i]) != NULL)
            return false;
    }
    return true;
}

/* Drivers compile fragments of four steps for long; functions of vectors in C without any
 * optimisation compute for as long. */
static void compare_target(const char *target, const char *name)
{
    const bool whole = strcmp(name, "sand") == 0 || strcmp(name, "whole") == 0;
    char command[2048];
    snprintf(command, sizeof command,
             "rm -rf out && quadpass generate %s.frag --target %s -o out && cd out/%s && sed -i "
             "'s/MOST = 4/MOST = %d/' *.h && make -s CFLAGS='-O%d -Werror' && make -s check",
             name, target, target, support_takes_long() && strcmp(name, "heat") == 0 ? 4 : 2,
             support_takes_long() || strcmp(name, "vectors") == 0);
    expect(command, 0, strcmp(target, "c") == 0 ? ": 56 cases, 0 failed\n" : " cases, 0 failed\n");
    if (!has_bits_of_c(name))
        return;
    snprintf(command, sizeof command, "name=%s target=%s from=%s wide=%d to=%s; %s", name, target,
             whole ? "f8" : "x8", whole ? 4 : 8, whole ? "d4" : "x8", compare);
    expect(command, 0, "all alike");
}

TEST(programs_give_the_bits_of_runs)
{
    need_gl();
    for (int t = 0; t < COUNT(targets); t++) {
        for (int k = 0; k < COUNT(kernels); k++) {
            const char *name = kernels[k].name;
            if (strstr(targets[t].soon, name) != NULL ||
                (support_takes_long() && strstr(targets[t].never, name) == NULL))
                compare_target(targets[t].name, name);
        }
    }
}

/* Denormal numbers are zero in compute shaders, too, where each step would make and lose one; names
 * of a kernel's own are those of C's library and of compilers. */
TEST(backends_are_alike)
{
    need_gl();
    expect("printf '//@ input x=(1.2e-38 * x)\\nfloat random(float a) { return a * 0.5; }\\n"
           "float y0(float unix) { float linux = 2.0 * unix; return linux; }\\n"
           "float kernel(vec2 here) { float stdin = random(x_at(0.0, 0.0)); return y0(stdin); "
           "}\\n' >alike.frag; for by in gl cpu compute; do "
           "quadpass run alike.frag --size 9x5 --backend $by -o $by.npy || exit 1\n"
           "done && cmp gl.npy cpu.npy && cmp gl.npy compute.npy && echo alike",
           0, "alike\n");
}

/* Software drivers of Mesa 22.3 end loops without an error; what a cell may have by itself is no
 * sign of it, and later steps lose what it has. */
TEST(ended_loops_are_refused)
{
    struct qp_context *context;
    need_gl();
    assert_int_equal(qp_context_create(NULL, &context), QP_OK);
    const bool ends = qp_gl_ends_loops(context);
    qp_context_destroy(&context);
    if (!ends || shell("quadpass info | grep '^renderer *llvmpipe'") != 0)
        skip();
    expect(
        "loop='s = x_at(0, 0); while (s < n) s++; return here.x < 1.0 ?'\n"
        "echo \"int kernel(vec2 here) { int $loop -2147483647 - 1 : min(s, 5); }\" >int.frag\n"
        "echo \"float kernel(vec2 here) { float $loop sqrt(-1.0) : min(s, 5.0); }\" >float.frag\n"
        "echo \"double kernel(vec2 here) { double $loop 0.0 : s; }\" >double.frag\n"
        "echo 'vec2 place(float i) { float s = 0.0; while (s < n) s++; value = min(s, 5.0); "
        "return vec2(i, 0.0); }' >points.frag\n"
        "try() { run=\"quadpass run $1.frag --input x=zeros --size 4x2 $2\"\n"
        "$run --set n=5000 && ! $run --set n=70000 --steps 2 || exit 1; }\n"
        "exec 2>&1; try int; try float; try double; try points; try int '--backend compute'",
        0, "rounds together");
    assert_int_equal(count("65535 rounds together, and a"), 5);
    expect(
        "rm -rf out; quadpass generate int.frag --input x=zeros --size 4x2 --set n=70000 --target "
        "gl -o out && make -s -C out/gl CFLAGS=-O0 && out/gl/int --set n=5000 && ! out/gl/int && "
        "! out/gl/int --check",
        0, "65535 rounds together, and a block has more");
}

/* By another compiler: C and C++ without a word. */
TEST(clang_says_nothing)
{
    if (shell("command -v clang") != 0)
        skip(); /* there is none */
    expect("for name in life vectors; do rm -rf out\n"
           "quadpass generate $name.frag --target c -o out && make -s -C out/c CC=clang "
           "CFLAGS='-O0 -Werror' || exit 1\ndone && echo clean",
           0, "clean\n");
    assert_int_equal(count("warning"), 0);
}

TEST(files_and_options)
{
    expect("rm -rf out mine; quadpass generate heat.frag -o out && quadpass generate heat.frag -o "
           "mine",
           0, "");
    expect("diff -r out mine && quadpass generate life.frag -o out && ! diff -rq out mine", 0,
           "differ");
    expect("echo mine >out/c/steps.c; quadpass generate heat.frag -o out 2>&1; cat out/c/steps.c",
           0,
           "out/c/steps.c was not generated, or has lost the line that says so, and is not written "
           "over; take another folder\nmine\n");
    expect(
        "mkdir -p late/gl; echo mine >late/gl/Makefile; quadpass generate heat.frag -o late 2>&1; "
        "ls late",
        0,
        "late/gl/Makefile was not generated, or has lost the line that says so, and is not "
        "written over; take another folder\ngl\n");
    expect("quadpass generate heat.frag 2>&1", 2,
           "generate takes a folder, such as -o heat, or --print");
    expect("quadpass generate heat.frag --target vulkan -o out 2>&1", 2,
           "c, compute, cuda, gl, gpus, hybrid, mpi or all, not 'vulkan'");
    expect("rm -rf new; quadpass generate nowhere.frag -o new 2>&1; ls new 2>&1", 2,
           "No such file");
    for (int k = 0; k < 2; k++) {
        static const char *const names[][2] = {{"Makefile", "Makefile_"}, {"a'b;c", "a_b_c"}};
        char command[256];
        write_file("odd", "float one(void)\n{\n    return x_at(1.0, 0.0); // what?"
                          "?/\n}\n\n"
                          "float kernel(vec2 here)\n{\n    return one();\n}\n");
        snprintf(command, sizeof command,
                 "mv odd \"%s.frag\"; quadpass generate \"%s.frag\" --target c -o odd%d && make -s "
                 "-C odd%d/c CFLAGS=-O0 check && ls odd%d/c/%s",
                 names[k][0], names[k][0], k, k, k, names[k][1]);
        expect(command, 0, ": 56 cases, 0 failed");
    }
    expect("make -s -C mine/c 2>&1 && for o in '--size 0' '--steps x' '--set rate=nan' '--set r=1' "
           "'--input x=no.npy' '--input y=ones' '-o' '--set steps_at_once=3' '--fast 1' "
           "'-o no/where.npy'; do mine/c/heat $o 2>&1; echo \"= $?\"; done",
           0, "heat: --size takes whole numbers from 1 to 16777216, not '0'\n= 2\n");
    assert_int_equal(count("= 2\n"), 10);
    expect("quadpass run heat.frag --input x=gradient --size 7x5 --steps 1 -o g.npy >r.txt; "
           "mine/c/heat --input x=g.npy --steps 2 -o h.npy --time 2>&1; quadpass run heat.frag "
           "--input "
           "x=g.npy --steps 2 -o i.npy >r.txt; cmp h.npy i.npy",
           0, "2 steps of 7 x 5 cells in ");
    expect("quadpass generate heat.frag --input 'x=(1 / (x - 3))' -o inf && make -s -C inf/c "
           "CFLAGS=-O0 "
           "&& inf/c/heat --size 2 && inf/c/heat --size 4x2",
           2, "heat: x is inf at x = 3, y = 1, which no cell holds\n");
}

/* Products that are fused with sums give other bits, where the processor can, and are judged by the
 * same bounds: a weight that is wrong in their kernel alone is found with them alone. */
TEST(fused_products_are_judged)
{
    expect("rm -rf out; quadpass generate heat.frag --target c -o out && cd out/c && "
           "sed -i 's/4.0f [*] old/(4.0f + FAULT) * old/' steps.c && sed -i 's/ -DCONTRACTED$/& "
           "$(FUSED)/' Makefile && make -s MORE='-DFAULT=0.0f -DCONTRACTS' 2>&1; "
           "for c in no yes; do ./heat --check --set contract=$c; ./heat --size 30 --set "
           "contract=$c -o $c.npy --time; done; cc -march=native -dM -E - </dev/null | grep -q "
           "__FMA__ && cmp -s no.npy yes.npy && echo alike; rm contracted.o; make -s "
           "MORE='-DFAULT=0.0f' FUSED='-UFAULT -DFAULT=0.001f'; for c in no yes; do ./heat --check "
           "--set contract=$c >told; echo \"= $?\"; done; ./heat --set contract=perhaps 2>&1",
           2, "= 0\n= 1\nheat: contract is yes or no, not 'perhaps'\n");
    assert_int_equal(count("heat: 56 cases, 0 failed\n"), 2);
    assert_int_equal(count("fused: other bits"), 1);
    assert_int_equal(count("alike"), 0);
}

/* Stores past the caches, which only large grids take, at the sizes of the check. */
TEST(streamed_values_arrive)
{
    expect(
        "for name in heat doubles two; do rm -rf out; quadpass generate $name.frag --target c -o "
        "out && make -s -C out/c CFLAGS='-O1 -DSTREAMED=0' check; done",
        0, ": 56 cases, 0 failed\n");
    assert_int_equal(count(": 56 cases, 0 failed\n"), 3);
}

GROUP(make_kernels, remove_folder)
