/* SPDX-License-Identifier: MIT */
/* Generated programs in CUDA: what is read off the kernel's text; with LONG=1, for two
 * architectures, a compiler without a word, and NVRTC; and where a device is, their own checks and
 * the bits of `quadpass run`, whatever the steps at once: as far as NVIDIA's OpenGL has bits of its
 * own for neither `dot`, `mix` nor literals of doubles (docs/bits.md). */
#include "support/shell.h"
#include "tools/stencil/machine.h"
#include "tools/stencil/stencil.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FIVE             "x_at(-1.0, 0.0) + x_at(1.0, 0.0) + x_at(0.0, -1.0) + x_at(0.0, 1.0)"
#define LONE(expression) "float kernel(vec2 here)\n{\n    return " expression ";\n}\n"

static int enter_folder(void **state)
{
    return make_folder(state) != 0 || chdir(folder) != 0 ? -1 : 0;
}

/* Facts that the writer reads off a text: the weight, and the rows in which cells look to their
 * sides. */
static const struct {
    const char *text, *weight, *across;
} texts[] = {
    {LONE("0.25 * (" FIVE ")"), "0.25", "0x2,"},
    {"//@ input f=random\n" LONE("0.5 * (" FIVE " + f_at(0.0, 0.0))"), "0.5", "0x2,"},
    {"//@ input f=random\n" LONE("0.5 * (" FIVE " + f_at(1.0, 0.0))"), "0", "0x2,"},
    {LONE("1.0 * (x_at(0.0, 0.0) + x_at(0.0, 2.0))"), "1", "0,"},
    {LONE("0.0625 * (x_at(0.0, 1.0) + x_at(2.0, -1.0))"), "0.0625", "0x2,"},
    {LONE("0.03125 * (" FIVE ")"), "0", "0x2,"},
    {LONE("0.2 * (" FIVE ")"), "0", "0x2,"},
    {LONE("2.0 * (" FIVE ")"), "0", "0x2,"},
    {LONE("-0.25 * (" FIVE ")"), "0", "0x2,"},
    {LONE("0.25 * (" FIVE ") + 1.0"), "0", "0x2,"},
    {LONE("0.25 * (" FIVE " - x_at(1.0, 1.0))"), "0", "0x6,"},
    {LONE("0.25 * (x_at(0.0, 1.0) + 0.5)"), "0", "0,"},
    {"//@ state x y\nvoid kernel(vec2 here)\n{\n    out0 = 0.25 * (" FIVE
     ");\n    out1 = y_at(1.0, -1.0);\n}\n",
     "0", "0x2,"},
};

TEST(weights_and_rows_are_found)
{
    for (int k = 0; k < COUNT(texts); k++) {
        char words[64];
        write_file("text.frag", texts[k].text);
        expect("quadpass generate text.frag --target cuda -o out && grep -A2 'rows.ARRAYS. = ' "
               "out/cuda/cell.cuh && grep 'constexpr real WEIGHT' out/cuda/cell.cuh",
               0, texts[k].across);
        snprintf(words, sizeof words, "constexpr real WEIGHT = %s;", texts[k].weight);
        if (strstr(output, words) == NULL)
            fail_msg("%s: %s", texts[k].text, output);
    }
}

/* ---- Compiled, and run ---- */

static const struct {
    const char *name, *text;
} kernels[] = {
    {"sum", "//@ outside 0.5\n//@ outside f=clamp\n//@ input f=random\n" LONE(
                "0.25 * (" FIVE " + f_at(0.0, 0.0))")},
    {"mixed",
     "//@ state u v\n//@ outside u=wrap\n//@ outside v=0.25\n//@ outside f=clamp\n"
     "//@ input f=gradient\n//@ set feed=0.037,0.06\nvoid kernel(vec2 here)\n{\n"
     "    float u = u_at(0.0, 0.0), v = v_at(0.0, 0.0), r = u * v * v;\n"
     "    float bent = u_at(-2.0, 0.0) + u_at(2.0, 0.0) + v_at(0.0, -1.0);\n"
     "    out0 = 0.5 * u + 0.125 * bent - 0.25 * r + feed.x * (1.0 - u) * f_at(0.0, 1.0);\n"
     "    out1 = 0.5 * v + 0.25 * r - feed.y * v + 0.125 * v_at(1.0, -1.0);\n}\n"},
    {"clamped", "//@ outside clamp\n//@ input f=random\n//@ outside f=wrap\nvec2 turn(vec2 a)\n{\n"
                "    return a.yx * vec2(1.0, -1.0);\n}\n\nfloat kernel(vec2 here)\n{\n"
                "    vec2 d = turn(vec2(x_at(1.0, 0.0), x_at(0.0, 1.0) - x_at(0.0, -1.0)));\n"
                "    float s = d.x * d.x + d.y * d.y;\n    if (s > 0.1)\n"
                "        s = 0.5 * x_at(1.0, 1.0) + 0.25 * f_at(-2.0, 1.0);\n"
                "    return 0.7 * x_at(0.0, 0.0) + 0.3 * s;\n}\n"},
    {"wrapped", "//@ outside wrap\ndouble kernel(vec2 here)\n{\n"
                "    return 0.375lf * x_at(-3.0, 1.0) + 0.3125lf * x_at(2.0, -1.0) + 0.0625lf * "
                "double(here.x);\n}\n"},
    {"far", "//@ outside clamp\n" LONE("0.5 * x_at(-8.0, 0.0) + 0.25 * x_at(3.0, 7.0)")},
};

static bool has(const char *command)
{
    return shell(command) == 0;
}

TEST(programs_compile_for_two_architectures)
{
    if (getenv("LONG") == NULL || !has("nvcc --version")) {
        print_message("SKIP: CUDA programs are compiled with LONG=1, where nvcc is\n");
        skip();
    }
    for (int k = 0; k < COUNT(kernels); k++) {
        char command[1024];
        snprintf(command, sizeof command, "%s.frag", kernels[k].name);
        write_file(command, kernels[k].text);
        snprintf(command, sizeof command,
                 "k=%s; rm -rf $k && quadpass generate $k.frag -o $k && for p in cuda/sm_80 "
                 "gpus/sm_90 hybrid/sm_90 cuda/sm_90; do make -s -C $k/${p%%/*} clean && make -s "
                 "-C $k/${p%%/*} ARCH=${p#*/} NVCCFLAGS='-O3 -Werror all-warnings' CXXFLAGS='-O3 "
                 "-Werror' || exit 3; done; echo built",
                 kernels[k].name);
        expect(command, 0, "built");
        if (strstr(output, "arning") != NULL)
            fail_msg("%s: %s", kernels[k].name, output);
    }
}

/* Programs that quadpass drives, whose host part needs none of CUDA's headers; no device is
 * needed. */
static void compile_served(const char *name, bool keeps_sync, const char *kernel)
{
    char command[1024];
    struct qp_kernel_file *file;
    struct qp_stencil stencil;
    snprintf(command, sizeof command, "%s.frag", name);
    assert_int_equal(qp_kernel_read(command, &file), QP_OK);
    assert_int_equal(qp_stencil_read(file, &stencil), QP_OK);
    stencil.is_served = true;
    stencil.keeps_sync = keeps_sync;
    assert_int_equal(qp_stencil_write(&stencil, "cuda", "served"), QP_OK);
    assert_int_equal(qp_cubin_add("served/cuda", "-arch=sm_90"), QP_OK);
    qp_kernel_file_destroy(&file);
    snprintf(command, sizeof command,
             "make -s -C served/cuda %s && grep -c %s served/cuda/steps.cubin && echo built; "
             "served/cuda/%s </dev/null; rm -r served",
             name, kernel, name);
    expect(command, 0, "built");
    assert_int_equal(count("this program is quadpass's own"), 1);
}

TEST(served_programs_compile)
{
    static const char *const kinds[] = {"async0", "async1", "async2", "async3", "red_black"};
    if (!has("ls /usr/local/cuda/lib64/libnvrtc.so || ldconfig -p | grep libnvrtc.so")) {
        print_message("SKIP: CUDA programs are compiled by NVRTC, where that is\n");
        skip();
    }
    for (int k = 0; k < (support_takes_long() ? COUNT(kernels) : 1); k++) {
        char path[64];
        snprintf(path, sizeof path, "%s.frag", kernels[k].name);
        write_file(path, kernels[k].text);
        compile_served(kernels[k].name, false, "halved_0");
    }
    for (int k = 0; k < (support_takes_long() ? COUNT(kinds) : 0); k++) {
        char text[512];
        snprintf(text, sizeof text, "//@ sync %s\n%s", kinds[k], kernels[0].text);
        write_file("waits.frag", text);
        compile_served("waits", true, k < 4 ? "launch_[0-9]" : "half_step");
    }
}

TEST(programs_give_the_bits_of_runs)
{
    if (getenv("LONG") == NULL || !has("nvidia-smi -L") || !has("ls sum/cuda/sum")) {
        print_message("SKIP: CUDA programs run with LONG=1, where a device is\n");
        skip();
    }
    need_gl();
    for (int k = 0; k < COUNT(kernels); k++) {
        const char *name = kernels[k].name;
        char command[1024];
        snprintf(command, sizeof command, "make -s -C %s/cuda ARCH=native check", name);
        expect(command, 0, ", 0 failed\n");
        snprintf(command, sizeof command,
                 "for size in 1x1 19x6 5x33 300x70; do for k in 1 2 4 8 16; do\n"
                 "  quadpass run %s.frag --size $size --steps 29 -o a.npy >r.txt || exit 3\n"
                 "  %s/cuda/%s --size $size --steps 29 --set steps_at_once=$k -o b.npy 2>r.txt || "
                 "{ grep -q 'do not fit' r.txt && continue; exit 4; }\n"
                 "  cmp a.npy b.npy || exit 5\ndone; done; echo all alike",
                 name, name, name);
        expect(command, 0, "all alike");
    }
}

/* Parts on as many devices as there are, and on a processor and a device: the bits of the program
 * in CUDA. */
TEST(parts_give_the_bits_of_the_whole)
{
    if (getenv("LONG") == NULL || !has("nvidia-smi -L") || !has("ls sum/gpus/sum")) {
        print_message("SKIP: CUDA programs run with LONG=1, where a device is\n");
        skip();
    }
    for (int k = 0; k < COUNT(kernels); k++) {
        char command[1024];
        snprintf(
            command, sizeof command,
            "cd %s && make -s -C gpus check && make -s -C hybrid check && for size in 19x6 "
            "300x333; "
            "do\n"
            "  cuda/%s --size $size --steps 77 -o a.npy || exit 3\n"
            "  for s in gpus=devices=2 gpus=devices=5 gpus=partition=0.3 gpus=borders=locked "
            "hybrid=partition=0 hybrid=partition=0.3 hybrid=partition=1 hybrid=exchange=2; do\n"
            "    ${s%%%%=*}/%s --size $size --steps 77 --set ${s#*=} -o b.npy && cmp a.npy b.npy "
            "|| "
            "{ echo $s; exit 5; }\ndone; done; echo all alike",
            kernels[k].name, kernels[k].name, kernels[k].name);
        expect(command, 0, "all alike");
    }
}

GROUP(enter_folder, remove_folder)
