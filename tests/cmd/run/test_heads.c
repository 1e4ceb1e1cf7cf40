/* SPDX-License-Identifier: MIT */
/* Runs of kernel files to the letter: heads that options override, several states, integers and
 * doubles, and what is refused. No time passes. */
/* wrap: qp_clock */
#include "support/fake_runs.h"
#include "support/once.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "support/shell.h"
#include "tools/cmd/cmd.h"

#define HEAD                                                             \
    "void reference(int width, int height, const float *const *input,\n" \
    "               const double *numbers, const double *before, double *after)\n{\n"

static int go_to_folder(void **state)
{
    if (make_folder(state) != 0 || chdir(folder) != 0 || compile_once(folder) != 0 ||
        shell("cp " QP_SOURCE_DIR "/tests/kernels/* . && "
              "sed 's/= v.i. +/& (i == 7) +/' wave.c >late.c") != 0)
        return -1;
    write_file("add.frag", "//@ check add.c\nint kernel(vec2 here) { return x_at(0.0, 0.0) + "
                           "b_at(0.0, 0.0); }\n");
    write_file("add.c", HEAD "    for (int i = 0; i < width * height; i++)\n"
                             "        after[i] = before[i] + input[0][i];\n}\n");
    write_file("less.c", HEAD "    for (int i = 0; i < width * height; i++)\n"
                              "        after[i] = before[i] + input[0][i] - (i == 1) * 1e-9;\n}\n");
    write_file("decay.c", HEAD "    for (int i = 0; i < width; i++)\n"
                               "        after[i] = 0.5 * before[i] + 0.25 * (input[0][i > 0 ? i - "
                               "1 : 0] + input[0][i < width - 1 ? i + 1 : i]);\n}\n");
    write_file("grow.frag", "//@ state u v\nvoid kernel(vec2 here) {\n    out0 = u_at(0.0, 0.0);\n"
                            "    out1 = here.x == 2.0 ? 1e30 * v_at(0.0, 0.0) : 1.0;\n}\n");
    write_file("id.frag",
               "//@ input x=zeros\n//@ input id=(16777216 + x)\n//@ size 4x1\n"
               "int kernel(vec2 here) { return x_at(0.0, 0.0) + id_at(0.0, 0.0) % 10; }\n");
    write_file("id.c", HEAD "    for (int i = 0; i < width * height; i++)\n"
                            "        after[i] = before[i] + (int)input[0][i] % 10;\n}\n");
    shell("sed 's/const float/const double/' id.c >wide.c");
    write_file("tenths.frag",
               "//@ input x=zeros\n//@ input f=(x / 10)\n//@ size 3x1\n"
               "double kernel(vec2 here) { return x_at(0.0, 0.0) + f_at(0.0, 0.0); }\n");
    write_file("rate.frag",
               "//@ input x=ones\n//@ set rate=0.1\n//@ set w=0.7,0.1\n"
               "//@ size 3x1\ndouble kernel(vec2 here) {\n"
               "    return here.x < 1.0 ? rate : here.x < 2.0 ? 0.1 * x_at(0.0, 0.0) : w.y;"
               "\n}\n");
    write_file("rate.c", HEAD "    for (int i = 0; i < width * height; i++)\n"
                              "        after[i] = numbers[i % width < 1 ? 0 : 2];\n}\n");
    write_file("tenth.c", HEAD "    for (int i = 0; i < width * height; i++)\n"
                               "        after[i] = 0.1000000001;\n}\n");
    write_file("odd.frag",
               "//@ outside wrap\n//@ step 4\nfloat kernel(vec2 here) { return 1.0; }\n");
    write_file("whole.mtx", "%%MatrixMarket matrix array real general\n1 3\n-7\n16777216\n2\n");
    write_file("half.mtx", "%%MatrixMarket matrix array real general\n1 3\n1\n0.5\n2\n");
    write_file("far.mtx", "%%MatrixMarket matrix array real general\n1 3\n1\n1e300\n2\n");
    return 0;
}

TEST(outcomes)
{
    static const char *const lines[] = {
        "run heat.frag",
        "run heat.frag --check",
        "run heat.frag --check heat.c --steps 2 --size 3x2 --set rate=0.1 --tolerance 1e-3",
        "run heat.frag --steps 2 --size 4x1 --input x=ones --set rate=0.25 -o -",
        "run heat.frag --steps 1 --size 4x1 --input x=ones --set rate=0.25 --outside zero -o -",
        "run heat.frag --steps 1 --size 4x1 --input x=ones --set rate=0.25 --outside x=3 -o -",
        "run heat.frag --input x=whole.mtx --steps 1 -o -",
        "run wave.frag --size 5x3 --steps 1 -o -",
        "run wave.frag --size 5x3 --steps 2 --reduce sum -o u.npy",
        "run wave.frag --check wave.c --size 9x7",
        "run wave.frag --check late.c --size 9x7",
        "run pairs.frag --size 2 --input p=ones --input q=zeros --reduce sum",
        "run four.frag --size 3x1 --input a=zeros --steps 3 --reduce max",
        "run sand.frag --size 2x2 -o -",
        "run sand.frag --size 2x2 --seed 4 -o -",
        "run sand.frag --input x=whole.mtx -o -",
        "run hash.frag --size 2x1 --input mask=ones --input x=gradient -o -",
        "run add.frag --input b=gradient --input x=whole.mtx --check",
        "run add.frag --input b=gradient --input x=whole.mtx --check less.c",
        "run decay.frag --size 3x1 -o -",
        "run decay.frag --size 3x1 --check decay.c --steps 9",
        "run decay.frag --input x=far.mtx -o -",
        "run grow.frag --input u=ones --input v=ones --size 3x2 --steps 9",
        "run crlf.frag --input x=ones --size 2x1 -o -",
        "run pattern.frag --reduce sum",
        "run spike.frag -o -",
        "run spike.frag --size 2x2 --input x=(10*x+y) --input f=(x<y) -o -",
        "run add.frag --size 3x1 --input b=(0.5+x/2) --input x=(2*x-3.2) -o -",
        "run id.frag -o -",
        "run id.frag --check wide.c",
        "run tenths.frag -o -",
        "run rate.frag -o -",
        "run rate.frag --check rate.c",
        "run rate.frag --check tenth.c",
    };
    need_gl();
    if (shell("quadpass info | grep '^renderer *llvmpipe'") != 0)
        skip(); /* errors are those of its bits */
    for (int i = 0; i < COUNT(lines); i++)
        fake_append(command_run, lines[i]);
    fake_compare_all("run_heads");
}

TEST(refusals)
{
    static const char *const lines[] = {
        "run odd.frag -o x.mtx",
        "run heat.frag -o x.mtx --set rat=1",
        "run heat.frag -o x.mtx --input xx=ones",
        "run heat.frag -o x.mtx --outside y=1",
        "run heat.frag -o x.mtx --input x=whole.mtx --size 5x2",
        "run lookup.frag -o x.mtx",
        "run bare.frag -o x.mtx --input b=ones --check",
        "run wave.frag -o x.mtx --input u=whole.mtx --input v=half.mtx --size 3x2",
        "run sand.frag -o x.mtx --input x=half.mtx",
        "run hash.frag -o x.mtx --input mask=ones --input x=whole.mtx",
        "run heat.frag -o x.mtx --input x=far.mtx",
        "run heat.frag --check --json heat.c",
        "run four.frag --size 2 -o x.mtx",
        "run heat.frag --check other.c -o x.mtx",
        "run whole.frag --fast -o x.mtx",
        "run spike.frag --input f=(y/(x-3)) -o x.mtx",
        "run spike.frag --input f=(sqrt(1.5-x)) -o x.mtx",
        "run spike.frag --input f=(1e38*x*y) -o x.mtx",
        "run add.frag --size 3 --input b=(1e9*y) -o x.mtx",
        "run id.frag --check id.c -o x.mtx",
        "run tenths.frag --check decay.c -o x.mtx",
    };
    need_gl();
    for (int i = 0; i < COUNT(lines); i++)
        fake_append(command_run, lines[i]);
    fake_compare_all("run_heads_refused");
    assert_false(exists("x.mtx"));
}

/* To the bits of C on llvmpipe, unless that is left away. */
TEST(bits)
{
    need_gl();
    write_file("bits.frag", "//@ tolerance 1e-30\n//@ check bits.c\nfloat kernel(vec2 here) {\n"
                            "    return x_at(0.0, 0.0) * 0.3 + x_at(0.0, 0.0) * 0.7;\n}\n");
    write_file("bits.c", HEAD "    for (int i = 0; i < width * height; i++) {\n"
                              "        const float x = before[i], a = x * 0.3f, b = x * 0.7f;\n"
                              "        after[i] = a + b;\n    }\n}\n");
    if (shell("quadpass info | grep '^renderer *llvmpipe'") != 0)
        skip();
    expect("quadpass run bits.frag --check", 0, "error 0.0e+00");
    expect("quadpass run bits.frag --check --fast", 1, "bits.frag fail");
}

GROUP(go_to_folder, remove_folder)
