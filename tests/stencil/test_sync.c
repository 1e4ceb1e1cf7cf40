/* SPDX-License-Identifier: MIT */
/* Generated programs that compute asynchronously, or by colours: each compiles without a word,
 * passes its own check, which finds what is spoilt, and goes to the limit that all have; and
 * kernels of which there is none. */
#include "support/shell.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/stencil/stencil.h"

#define FIVE             "x_at(-1.0, 0.0) + x_at(1.0, 0.0) + x_at(0.0, -1.0) + x_at(0.0, 1.0)"
#define LONE(expression) "float kernel(vec2 here)\n{\n    return " expression ";\n}\n"

/* Sums of weights below 1, so that values settle soon. `drops` falls from ones; `box` computes in
 * double and has corners; of `minus` and `grows` no order has bounds. */
static const struct {
    const char *name, *syncs, *text;
} kernels[] = {
    {"rises", "async0 async1 async2 async3 red_black",
     "//@ outside 0.5\n//@ input f=random\n//@ outside f=clamp\n//@ set rate=0.2\n"
     "float side(float i)\n{\n    return x_at(i, 0.0) + x_at(0.0, i);\n}\n\n"
     "float kernel(vec2 here)\n{\n    float s = rate * (side(-1.0) + side(1.0));\n"
     "    s += 0.1 * x_at(0.0, 0.0);\n    return s + 0.05 * f_at(1.0, -1.0);\n}\n"},
    {"drops", "async3", LONE("0.3 * x_at(0.0, 0.0) + 0.15 * (" FIVE ")")},
    {"box", "async2",
     "//@ outside 0.25\ndouble kernel(vec2 here)\n{\n    double s = 0.0lf;\n"
     "    for (int j = -1; j <= 1; j++)\n        for (int i = -1; i <= 1; i++)\n"
     "            s += x_at(float(i), float(j));\n"
     "    return (here.x < 9.0 ? 0.1lf : 0.05lf) * s + 0.125lf;\n}\n"},
    {"minus", "async0", LONE("0.3 * x_at(0.0, 0.0) - 0.15 * (" FIVE ")")},
    {"grows", "async3", LONE("0.5 * x_at(0.0, 0.0) + 0.3 * (" FIVE ") - 0.1")},
};

static int make_programs(void **state)
{
    char name[64];
    if (make_folder(state) != 0 || chdir(folder) != 0)
        return -1;
    for (int k = 0; k < COUNT(kernels); k++) {
        snprintf(name, sizeof name, "%s.txt", kernels[k].name);
        write_file(name, kernels[k].text);
        snprintf(name, sizeof name, "%s.syncs", kernels[k].name);
        write_file(name, kernels[k].syncs);
    }
    expect("for k in *.txt; do k=${k%.txt}; for s in $(cat $k.syncs); do mkdir -p $s; "
           "(echo \"//@ sync $s\"; cat $k.txt) >$s/$k.frag; "
           "quadpass generate $s/$k.frag --target c -o $s/$k || exit 3; done; done; "
           "ls -d */*/c | xargs -P $(nproc) -n 1 make -s CFLAGS='-O1 -Werror' -C && echo built",
           0, "built");
    return strstr(output, "arning") == NULL ? 0 : -1;
}

TEST(programs_pass_their_checks)
{
    expect("export OMP_NUM_THREADS=3 OMP_WAIT_POLICY=passive; for p in */rises/c/rises "
           "*/drops/c/drops */box/c/box; do "
           "$p --check || exit 3; done",
           0, "");
    assert_int_equal(count(": 13 cases, 0 failed\n"), 7);
    expect("OMP_NUM_THREADS=3 async3/rises/c/rises --set alpha=3 --set block=4 --check", 0,
           ": 13 cases, 0 failed\n");
}

/* No program passes where nothing is known of its answers. */
TEST(others_are_not_judged)
{
    expect("async0/minus/c/minus --check", 0,
           "minus: not judged, as orders of this kernel have no bounds: a weight is below 0\n");
    assert_int_equal(count("cases"), 0);
    expect("async3/grows/c/grows --check", 0,
           "no bounds: values neither rise from zeros nor fall from ones in all cells\n");
    assert_int_equal(count("cases"), 0);
}

/* ---- Mutants ---- */

static const struct {
    const char *sync, *kernel, *wrong, *edit;
} mutants[] = {
    {"async0", "rises", "a fringe that is not written", "s/exchange(b, to, t, true)/(void)0/"},
    {"async1", "rises", "a step too few", "s/v < task->alpha/v < task->alpha - 1/"},
    {"async2", "box", "a fringe without its corners", "s/x <= b->across; x/x < b->across; x/"},
    {"async2", "rises", "a block's border a column late",
     "s/number % columns [*] ACROSS/& + (number % columns > 0)/"},
    {"async3", "drops", "a step too few", "s/v < task->alpha/v < task->alpha - 1/"},
    {"red_black", "rises", "colours swapped", "s/(y + colour) % 2/(y + colour + 1) % 2/"},
    /* with LONG=1 */
    {"async1", "rises", "a fringe that is not written", "s/exchange(b, to, t, true)/(void)0/"},
    {"async0", "rises", "a step too many", "s/v < task->alpha/v <= task->alpha/"},
    {"async2", "rises", "values that are none",
     "s/cell.out.0. = kernel(.cell, here);/& if ((x % 9 == 3) * (t->height == 3)) return 0.0f \\/ "
     "0.0f;/"},
    {"async2", "rises", "a step too few", "s/v < task->alpha/v < task->alpha - 1/"},
    {"async2", "rises", "a fringe that is not read", "s/fetch(b, b1, b2, t);/if (b->x == 0) &/"},
    {"async3", "rises", "a block's border a column late",
     "s/number % columns [*] ACROSS/& + (number % columns > 0)/"},
    {"async1", "rises", "a block's border a row late",
     "s/number . columns [*] t->block,/number \\/ columns * (t->block + 1),/"},
    {"red_black", "rises", "colours by columns", "s/(y + colour) % 2/colour/"},
    {"red_black", "rises", "one colour alone", "s/colour < 2 \\&\\&/colour < 1 \\&\\&/"},
};

TEST(mutants_are_found)
{
    const int tried = support_takes_long() ? COUNT(mutants) : 6;
    FILE *script = fopen("mutants", "w");
    assert_non_null(script);
    for (int m = 0; m < tried; m++)
        fprintf(script,
                "cp -rp %s/%s/c m%d; cd m%d; sed -i '%s' steps.c; cmp -s steps.c "
                "../%s/%s/c/steps.c && echo =%d=same=; make -s CFLAGS=\"-O1 -w\" && ./%s --check "
                ">found.txt; grep -q \" cells: \" found.txt && echo =%d=found=\n",
                mutants[m].sync, mutants[m].kernel, m, m, mutants[m].edit, mutants[m].sync,
                mutants[m].kernel, m, mutants[m].kernel, m);
    fclose(script);
    expect("OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive xargs -P $(nproc) -d '\\n' -n 1 sh -c "
           "<mutants; true",
           0, "");
    for (int m = 0; m < tried; m++) {
        char found[32];
        snprintf(found, sizeof found, "=%d=found=", m);
        if (strstr(output, found) == NULL)
            print_error("%s, %s: %s is not found\n", mutants[m].sync, mutants[m].kernel,
                        mutants[m].wrong);
    }
    assert_int_equal(count("=found="), tried);
    assert_int_equal(count("=same="), 0);
}

/* ---- Answers ---- */

enum { WIDTH = 130, HEIGHT = 21, CELLS = WIDTH * HEIGHT };

static void read_cells(const char *name, float cells[CELLS])
{
    FILE *file = fopen(name, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 128, SEEK_SET), 0);
    assert_int_equal(fread(cells, sizeof *cells, CELLS, file), CELLS);
    fclose(file);
}

TEST(all_go_to_one_limit)
{
    static float one[CELLS], other[CELLS];
    char name[64];
    expect("for s in async0 async1 async2 async3 red_black; do "
           "$s/rises/c/rises --size 130x21 --steps 200 -o $s.npy || exit 3; done",
           0, "");
    read_cells("red_black.npy", one);
    for (int s = 0; s < 4; s++) {
        double off = 0.0;
        snprintf(name, sizeof name, "async%d.npy", s);
        read_cells(name, other);
        for (int i = 0; i < CELLS; i++)
            off = fmax(off, fabs((double)one[i] - (double)other[i]));
        assert_true(off < 1e-5);
    }
    assert_true(one[CELLS / 2] > 0.1F);
}

/* A single thread takes blocks in their order; and blocks that see nothing of others have one
 * answer by any. */
TEST(one_thread_has_one_answer)
{
    expect("o='--size 130x21 --steps 2'; export OMP_NUM_THREADS=1; for s in 0 1 3; do "
           "p=async$s/rises/c/rises; $p $o -o a$s.npy && $p $o -o b.npy && cmp a$s.npy b.npy || "
           "exit 3; done; cmp -s a0.npy a3.npy && exit 4; p=async2/rises/c/rises; $p $o -o a.npy; "
           "OMP_NUM_THREADS=4 $p $o -o b.npy && cmp a.npy b.npy",
           0, "");
}

TEST(cuda_programs)
{
    if (!support_takes_long() || shell("nvcc --version") != 0) {
        print_message("SKIP: CUDA programs are compiled with LONG=1, where nvcc is\n");
        skip();
    }
    expect("for s in async1 async3 red_black; do quadpass generate $s/rises.frag --target cuda -o "
           "$s/rises && make -s -C $s/rises/cuda ARCH=sm_90 NVCCFLAGS='-O1 -Werror all-warnings' "
           "|| exit 3; nvidia-smi -L 2>/dev/null || continue; $s/rises/cuda/rises --check || exit "
           "4; done; echo built",
           0, "built");
}

/* ---- The line ---- */

TEST(lines_are_read)
{
    write_file("line.frag", "//@ sync async1 alpha=9\n" LONE("0.2 * (" FIVE ")"));
    expect("quadpass generate line.frag -o out && ls out && grep -h 'define SYNC\\|define ALPHA\\|"
           "launches of' out/*/*.[ch] && ls out/cuda",
           0, "c\ncuda\n#define SYNC ASYNC1\n#define ALPHA 9\n");
    assert_int_equal(count("launches of alpha + 1 steps"), 2);
    assert_int_equal(count("steps.cu\n"), 1);
    expect("quadpass generate line.frag --target gl -o no 2>&1; ls no 2>&1", 2,
           "line.frag:1: sync is generated for --target c and cuda, not gl\n");
    write_file("jacobi.frag", "//@ sync jacobi\n" LONE("x_at(1.0, 0.0)"));
    expect("quadpass generate jacobi.frag --target gl -o jacobi && ls jacobi", 0, "gl\n");
    expect("async2/rises/c/rises --set block=5 2>&1", 2,
           "rises: block is 4, 8, 16 or 32, rows of a block's cells, not '5'\n");
    expect("async2/rises/c/rises --set alpha=0 2>&1", 2,
           "rises: alpha is a whole number from 1 to 1024, not '0'\n");
    expect("red_black/rises/c/rises --set alpha=3 2>&1", 2, "not 'alpha=3'\n");
    expect("async2/rises/c/rises --set steps_at_once=2 2>&1", 2, "take 1\n");
}

static const char *const refused[][2] = {
    {"//@ sync async4\n" LONE("x_at(0.0, 0.0)"),
     "k.frag:1: sync takes jacobi, async0 to async3, these with alpha=1 to 1024, or red_black, not "
     "'async4'"},
    {"//@ sync red_black alpha=3\n" LONE("x_at(0.0, 0.0)"), "not 'red_black alpha=3'"},
    {"//@ sync async0 alpha=1025\n" LONE("x_at(0.0, 0.0)"), "not 'async0 alpha=1025'"},
    {"//@ sync async0 alpha=\n" LONE("x_at(0.0, 0.0)"), "not 'async0 alpha='"},
    {"//@ sync async0 3\n" LONE("x_at(0.0, 0.0)"), "not 'async0 3'"},
    {"//@ sync\n" LONE("x_at(0.0, 0.0)"), "k.frag:1: sync is given no value"},
    {"//@ sync async0\n//@ sync async1\n" LONE("x_at(0.0, 0.0)"), "k.frag:2: sync is given twice"},
    {"//@ state x y\n//@ sync async0\nvoid kernel(vec2 here)\n{\n    out0 = x_at(0.0, 0.0);\n"
     "    out1 = y_at(0.0, 0.0);\n}\n",
     "k.frag:2: sync takes kernels of one state"},
    {"//@ sync async0\nint kernel(vec2 here)\n{\n    return x_at(0.0, 0.0);\n}\n",
     "k.frag:1: sync takes kernels of float or double"},
    {"//@ sync async0\n" LONE("x_at(2.0, 0.0)"), "sync takes kernels that look one cell away"},
    {"//@ sync async0\n//@ outside clamp\n" LONE("x_at(1.0, 0.0)"),
     "sync takes kernels whose state is zero or a number outside"},
    {"//@ sync async0\n//@ outside x=wrap\n" LONE("x_at(1.0, 0.0)"), "a number outside"},
    {"//@ sync async0\n//@ set alpha=1\n" LONE("alpha * x_at(1.0, 0.0)"),
     "k.frag:1: sync takes kernels without a number of the name alpha or block"},
    {"//@ sync red_black\n" LONE("x_at(1.0, 1.0)"),
     "sync takes kernels that read no diagonal neighbour"},
};

/* Bodies of a kernel, and what of each is no weighted sum; "": it is one. */
static const char *const bodies[][2] = {
    {"return 0.25 * (" FIVE ");", ""},
    {"return x_at(0.0, 0.0) / 4.0 + -(x_at(1.0, 0.0) - f_at(0.0, 0.0)) * f_at(1.0, 0.0);", ""},
    {"float a = f_at(0.0, 0.0), b = a * a; b *= a / 2.0; return b * x_at(0.0, 0.0);", ""},
    {"float a = x_at(0.0, 0.0), b = a; b -= a * 2.0; return b + max(1.0, 2.0);", ""},
    {"float a = 0.0; if (here.x < 3.0 && f_at(0.0, 0.0) > 0.5) a = x_at(0.0, 0.0); return a;", ""},
    {"vec2 p = here * 0.5; float w[2]; w[0] = sin(p.y); return w[0] * x_at(0.0, 0.0) * p.x;", ""},
    {"float a = one(0.0); a *= 2.0; return a + one(1.0) + twice(1.0);", ""},
    {"return x_at(0.0, 0.0) * x_at(0.0, 0.0);", "*"},
    {"return 1.0 / x_at(0.0, 0.0);", "/"},
    {"return max(x_at(0.0, 0.0), 0.0);", "("},
    {"return twice(x_at(0.0, 0.0));", "("},
    {"return x_at(0.0, 0.0) > 0.5 ? 1.0 : 0.0;", ">"},
    {"return here.x > 0.5 ? x_at(0.0, 0.0) : 0.0;", ">"},
    {"float a = x_at(0.0, 0.0); return a * one(0.0);", "*"},
    {"float a = 1.0; a *= x_at(0.0, 0.0); return a;", "*="},
    {"float a = 0.0, b = a; for (int i = 0; i < 2; i++) { b = a * a; a = x_at(0.0, 0.0); } return "
     "b;",
     "*"},
    {"float a = x_at(0.0, 0.0); if (a > 0.5) a = 0.0; return a;", "if"},
    {"float a = x_at(0.0, 0.0); while (a > 0.5) a -= 1.0; return a;", "while"},
    {"vec2 p = here; p.x = x_at(0.0, 0.0); return p.x;", "="},
    {"float w[2]; w[0] = x_at(0.0, 0.0); return w[0];", "="},
    {"float a = 0.0, b = 0.0; a = (b = x_at(0.0, 0.0)); return b;", "="},
    {"vec2 p = vec2(x_at(0.0, 0.0), 1.0); return p.x;", "("},
    {"return 1.0, x_at(0.0, 0.0) * x_at(0.0, 0.0);", ","},
    {"float a = 1.0, b = x_at(0.0, 0.0); b *= b; return a;", "*="},
};

TEST(wrong_kernels_are_refused)
{
    char text[1024], words[64];
    struct qp_kernel_file *file = NULL;
    struct qp_stencil stencil;
    for (int k = 0; k < COUNT(refused); k++) {
        write_file("k.frag", refused[k][0]);
        expect("quadpass generate k.frag -o no 2>&1; s=$?; ls no 2>/dev/null; exit $s", 2,
               refused[k][1]);
    }
    for (int k = 0; k < COUNT(bodies); k++) {
        snprintf(
            text, sizeof text,
            "//@ sync async2\n//@ input f=random\nfloat one(float i)\n{\n"
            "    return i * f_at(0.0, 0.0) * x_at(0.0, 1.0);\n}\n\nfloat twice(float a)\n{\n    "
            "return a + "
            "a;\n}\n\nfloat kernel(vec2 here)\n{\n    %s\n}\n",
            bodies[k][0]);
        write_file("k.frag", text);
        assert_ok(qp_kernel_read("k.frag", &file));
        snprintf(words, sizeof words, "cells, and '%s' is in none", bodies[k][1]);
        const enum qp_status status = qp_stencil_read(file, &stencil);
        if (status != (bodies[k][1][0] == '\0' ? QP_OK : QP_BAD_INPUT) ||
            (status != QP_OK && strstr(qp_error(), words) == NULL))
            fail_msg("%s: %s", bodies[k][0], status == QP_OK ? "is taken" : qp_error());
        qp_kernel_file_destroy(&file);
    }
}

/* Other commands compute what they always do, and say so. */
TEST(runs_are_together)
{
    need_gl();
    expect("quadpass run async2/rises.frag --size 9 --steps 3 -o a.npy 2>&1 >/dev/null", 0,
           "async2/rises.frag:1: sync is for generated programs; here all cells are computed "
           "together");
    expect("quadpass run rises.txt --size 9 --steps 3 -o b.npy 2>&1; cp rises.txt rises.frag; "
           "quadpass run rises.frag --size 9 --steps 3 -o b.npy >/dev/null && cmp a.npy b.npy",
           0, "");
}

GROUP(make_programs, remove_folder)
