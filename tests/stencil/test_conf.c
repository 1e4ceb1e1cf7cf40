/* SPDX-License-Identifier: MIT */
/* The thesis's configurations: the kernel files that they become, and every sentence about one that
 * is wrong. */
#include "support/files.h"
#include "support/shell.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/stencil/conf.h"
#include "tools/stencil/stencil.h"

#define FIVE \
    "neighbour = -1 0 0.25\nneighbour = 1 0 0.25\nneighbour = 0 -1 0.25\nneighbour = 0 1 0.25\n"
#define SUM "x_at(-1.0, 0.0) + x_at(1.0, 0.0) + x_at(0.0, -1.0) + x_at(0.0, 1.0)"

static struct qp_conf conf;

/* NULL, with the sentence, if the text is none. */
static struct qp_kernel_file *read_conf(const char *text)
{
    struct qp_kernel_file *file;
    write_file("a.conf", text);
    const enum qp_status status = qp_conf_read("a.conf", &conf, &file);
    assert_true((status == QP_OK) == (file != NULL));
    assert_true(status == QP_OK || status == QP_BAD_INPUT);
    return file;
}

TEST(texts)
{
    static const char *const rows[][2] = {
        {FIVE, "\nfloat kernel(vec2 here)\n{\n    return 0.25 * (" SUM ");\n}\n"},
        {FIVE "f = x*y%3\nboundary = -1.5\nprecision = double\n",
         "//@ input x=zeros\n//@ input f=(fmod(x * y, 3.0))\n//@ outside x=-1.5\n\ndouble "
         "kernel(vec2 here)\n{\n"
         "    return 0.25lf * (" SUM " +\n           f_at(0.0, 0.0));\n}\n"},
        {FIVE "h=0.1\nf=sin(x)+y\nthreads=64\nunknowns = 64x8",
         "//@ input x=zeros\n//@ size 9\n"
         "//@ input f=(0.1 * 0.1 * (sin((0.1 * x)) + (0.1 * y)))\n"
         "//@ tuned cuda threads=64 unknowns=64x8\n\nfloat kernel(vec2 here)\n{\n"
         "    return 0.25 * (" SUM " +\n           f_at(0.0, 0.0));\n}\n"},
        {"# one\r\n\n \tneighbour\t=\t0 0\t1 # here\r\n neighbour = -8 8 -0.5 \r\nneighbour = 0 2 "
         "1e-9\n"
         "partition = 0.25\nh = 0.3\n",
         "//@ tuned hybrid partition=0.25\n\nfloat kernel(vec2 here)\n{\n"
         "    return 1.0 * x_at(0.0, 0.0) + -0.5 * x_at(-8.0, 8.0) +\n"
         "           1e-09 * x_at(0.0, 2.0);\n}\n"},
        {"neighbour = 2 0 0.4\nneighbour = -2 0 0.1\nneighbour = 0 -2 0.25\nneighbour = 0 2 0.25\n"
         "boundary = 2\n",
         "//@ input x=zeros\n//@ outside x=2.0\n\nfloat kernel(vec2 here)\n{\n"
         "    return 0.4 * x_at(2.0, 0.0) + 0.1 * x_at(-2.0, 0.0) +\n"
         "           0.25 * x_at(0.0, -2.0) + 0.25 * x_at(0.0, 2.0);\n}\n"},
        {"neighbour = 1 0 0.1\n",
         "\nfloat kernel(vec2 here)\n{\n    return 0.1 * (x_at(1.0, 0.0));\n}\n"}};
    for (int k = 0; k < COUNT(rows); k++) {
        struct qp_stencil stencil;
        struct qp_kernel_file *file = read_conf(rows[k][0]);
        if (file == NULL)
            fail_msg("%s", qp_error());
        assert_string_equal(file->text, rows[k][1]);
        assert_ok(qp_stencil_read(file, &stencil));
        qp_kernel_file_destroy(&file);
    }
}

/* All of the places around a cell, and a folder whose name is too long. */
TEST(limits)
{
    char text[1 << 14] = "f = x\n";
    size_t length = strlen(text);
    struct qp_stencil stencil;
    for (int k = 0; k < 17 * 17; k++)
        length += (size_t)snprintf(text + length, sizeof text - length,
                                   "neighbour = %d %d 0.00346020761\n", k % 17 - 8, k / 17 - 8);
    struct qp_kernel_file *file = read_conf(text);
    assert_non_null(file);
    assert_ok(qp_stencil_read(file, &stencil));
    assert_int_equal(stencil.reach, 8);
    assert_non_null(strstr(file->text, "x_at(8.0, 8.0)) +\n           "));
    qp_kernel_file_destroy(&file);
    strcpy(text, FIVE "directory = ");
    memset(text + strlen(text), 'd', 4095);
    text[strlen(FIVE "directory = ") + 4095] = '\0';
    file = read_conf(text);
    assert_non_null(file);
    assert_int_equal(strlen(conf.directory), 4095);
    qp_kernel_file_destroy(&file);
    assert_null(read_conf(strcat(text, "d")));
    assert_non_null(strstr(qp_error(), "ddd"));
}

TEST(facts)
{
    static const char *const parts[][2] = {{"cpu_gpu", "hybrid"}, {"gpus", "gpus"}, {"mpi", "mpi"}};
    struct qp_kernel_file *file = read_conf(FIVE "target = cpu\ndirectory = some where \n");
    assert_non_null(file);
    assert_string_equal(conf.target, "c");
    assert_string_equal(conf.directory, "some where");
    assert_string_equal(file->path, "a.conf");
    qp_kernel_file_destroy(&file);
    file = read_conf(FIVE "target = gpu\nsync = jacobi\nthreads=32\nunknowns=32x2\npartition=1\n");
    assert_non_null(file);
    assert_string_equal(conf.target, "cuda");
    assert_string_equal(conf.directory, "");
    const struct qp_kernel_tuned *unknowns = qp_kernel_file_tuned(file, "cuda", "unknowns");
    assert_true(unknowns != NULL && unknowns->value[0] == 32.0 && unknowns->value[1] == 2.0);
    assert_true(qp_kernel_file_tuned(file, "cuda", "threads")->value[0] == 32.0);
    assert_true(qp_kernel_file_tuned(file, "hybrid", "partition")->value[0] == 1.0);
    qp_kernel_file_destroy(&file);
    for (int k = 0; k < COUNT(parts); k++) {
        char text[256];
        snprintf(text, sizeof text, FIVE "target = %s\nthreads = 64\npartition = 0.25\n",
                 parts[k][0]);
        file = read_conf(text);
        assert_non_null(file);
        assert_string_equal(conf.target, parts[k][1]);
        assert_true(qp_kernel_file_tuned(file, parts[k][1], "partition")->value[0] == 0.25);
        assert_true(qp_kernel_file_tuned(file, "cuda", "threads")->value[0] == 64.0);
        qp_kernel_file_destroy(&file);
    }
    file = read_conf(FIVE "sync = async3\nalpha = 9\n");
    assert_non_null(file);
    assert_int_equal(qp_kernel_file_sync(file)->number, QP_SYNC_ASYNC3);
    assert_int_equal(qp_kernel_file_sync(file)->alpha, 9);
    qp_kernel_file_destroy(&file);
    file = read_conf(FIVE "sync = red_black\n");
    assert_non_null(file);
    assert_int_equal(qp_kernel_file_sync(file)->number, QP_SYNC_RED_BLACK);
    qp_kernel_file_destroy(&file);
    file = read_conf(FIVE);
    assert_non_null(file);
    assert_null(conf.target);
    assert_int_equal(qp_kernel_file_sync(file)->number, QP_SYNC_JACOBI);
    qp_kernel_file_destroy(&file);
}

TEST(sentences)
{
    static const char *const rows[][2] = {
        {"", "a.conf: no neighbour is given, as by 'neighbour = -1 0 0.25'"},
        {"neighbor = 1 0 1", "a.conf:1: 'neighbor' is no key, which are neighbour, precision, "},
        {"# a\nneighbour", "a.conf:2: 'neighbour' is no line KEY = VALUE"},
        {"neighbour =", "a.conf:1: 'neighbour =' is no line KEY = VALUE"},
        {"# a\nneighbour = 1 0 1\rneighbour = -1 0 1\r",
         "a.conf:2: the line ends by a carriage return alone; end it by a newline"},
        {"neighbour = # 1 0 1", "is no line KEY = VALUE"},
        {"= 3", "a.conf:1: '= 3' is no line KEY = VALUE"},
        {"neighbour 1 = 0 1", "is no line KEY = VALUE"},
        {"neighbour = 1 0", "a.conf:1: neighbour takes DX DY WEIGHT: whole numbers, and one that a "
                            "float holds, not '1 0'"},
        {"neighbour = 1 0 1 1", "not '1 0 1 1'"},
        {"neighbour = 1 0.5 1", "not '1 0.5 1'"},
        {"neighbour = 1 0 inf", "not '1 0 inf'"},
        {"neighbour = 1 0 nan", "not '1 0 nan'"},
        {"neighbour = 1 0 1e39", "not '1 0 1e39'"},
        {"neighbour = 1 0 x", "not '1 0 x'"},
        {"neighbour = 9 0 1", "a.conf:1: neighbour 9 0 is more than 8 cells away"},
        {"neighbour = 0 -9 1", "a.conf:1: neighbour 0 -9 is more than 8 cells away"},
        {FIVE "neighbour = 0 1 0.5", "a.conf:5: neighbour 0 1 is given twice"},
        {FIVE "h = 1\nh = 1", "a.conf:6: h is given twice"},
        {FIVE "target = cpu\ntarget = gpu", "a.conf:6: target is given twice"},
        {FIVE "h = 0", "a.conf:5: h takes a number above 0, not '0'"},
        {FIVE "h = -1", "not '-1'"},
        {FIVE "h = 1 2", "not '1 2'"},
        {FIVE "partition = 1.5", "a.conf:5: partition takes a part from 0 to 1, not '1.5'"},
        {FIVE "partition = -0.1", "not '-0.1'"},
        {FIVE "threads = 0", "a.conf:5: threads takes a whole number from 1 to 1024, not '0'"},
        {FIVE "threads = 1.5", "not '1.5'"},
        {FIVE "threads = 2048", "not '2048'"},
        {FIVE "unknowns = 64",
         "a.conf:5: unknowns takes WxH, whole numbers from 1 to 1024, not '64'"},
        {FIVE "unknowns = 64x", "not '64x'"},
        {FIVE "unknowns = 64 8", "not '64 8'"},
        {FIVE "unknowns = 64x0", "not '64x0'"},
        {FIVE "unknowns = 8x8\nthreads = 48",
         "a.conf:6: 48 threads do not divide a block's 8 x 8 unknowns"},
        {FIVE "threads = 128\nunknowns = 8x8", "a.conf:5: 128 threads do not divide"},
        {FIVE "boundary = clamp",
         "a.conf:5: boundary takes a number that a float holds, not 'clamp'"},
        {FIVE "precision = half", "a.conf:5: precision is one of single double, not 'half'"},
        {FIVE "target = cuda", "a.conf:5: target is one of cpu gpu cpu_gpu gpus mpi, not 'cuda'"},
        {FIVE "target = cpu gpu", "not 'cpu gpu'"},
        {FIVE "sync = no",
         "a.conf:5: sync is one of jacobi async0 async1 async2 async3 red_black, not 'no'"},
        {FIVE "alpha = 6", "a.conf:5: alpha is for sync = async0 to async3"},
        {FIVE "sync = red_black\nalpha = 6", "a.conf:6: alpha is for sync = async0 to async3"},
        {FIVE "sync = async0\nalpha = 0", "a.conf:6: alpha takes a whole number from 1 to 1024"},
        {"neighbour = 1 0 0.5\nneighbour = -1 0 0.6\nf = 1",
         "a.conf:3: f has no meaning here: a step solves -laplace(u) = f where the sum of the "
         "weights is 1, not 1.1"},
        {"neighbour = 1 0 0.5\nneighbour = 0 0 0.5\nf = 1", "of weight * dx is 0, not 0.5"},
        {"neighbour = 0 -1 0.5\nneighbour = 0 0 0.5\nf = 1", "of weight * dy is 0, not -0.5"},
        {"neighbour = 1 1 0.5\nneighbour = -1 -1 0.5\nf = 1", "of weight * dx * dy is 0, not 1"},
        {"neighbour = 1 0 0.3\nneighbour = -1 0 0.3\nneighbour = 0 1 0.2\nneighbour = 0 -1 0.2\n"
         "f = 1",
         "of weight * (dx * dx - dy * dy) is 0, not 0.2"},
        {"neighbour = 0 0 1\nf = 1", "of weight * dx * dx is above 0, not 0"},
        {FIVE "f = x +",
         "a.conf:5: f: a number, x, y, M_PI, '(' or a function of math.h is expected at the end"},
        {FIVE "f = z",
         "a.conf:5: f: a number, x, y, M_PI, '(' or a function of math.h is expected before 'z'"},
        {FIVE "f = x / 0", "a.conf:5: f: a division by zero"}};
    faults = 0;
    for (int k = 0; k < COUNT(rows); k++) {
        struct qp_kernel_file *file = read_conf(rows[k][0]);
        if (file != NULL || strstr(qp_error(), rows[k][1]) == NULL)
            fault("%s: %s\n", rows[k][0], file != NULL ? file->text : qp_error());
        qp_kernel_file_destroy(&file);
    }
    assert_int_equal(faults, 0);
}

/* ---- The weight of f ---- */

enum { ACROSS = 31, EDGE = 2, WIDE = ACROSS + 2 * EDGE, MOST = 10 };

#define NINE                                                                                 \
    "neighbour = -1 0 0.2\nneighbour = 1 0 0.2\nneighbour = 0 -1 0.2\nneighbour = 0 1 0.2\n" \
    "neighbour = -1 -1 0.05\nneighbour = 1 -1 0.05\nneighbour = -1 1 0.05\n"                 \
    "neighbour = 1 1 0.05\n"
#define SINES \
    "precision = double\nh = 0.03125\nf = 2 * M_PI * M_PI * sin(M_PI * x) * sin(M_PI * y)\n"

/* Neighbours, half of sum weight * dx^2, and the solution's maximum, which is 1 but for what the
 * grid makes of it: two cells away, every other cell has its zeros one cell further out. */
static const struct {
    const char *text;
    double of_f, most;
} sums[] = {
    {FIVE SINES, 0.25, 1.01},
    {NINE SINES, 0.3, 1.01},
    {"neighbour = -1 -1 0.25\nneighbour = 1 -1 0.25\nneighbour = -1 1 0.25\n"
     "neighbour = 1 1 0.25\n" SINES,
     0.5, 1.01},
    {"neighbour = -2 0 0.25\nneighbour = 2 0 0.25\nneighbour = 0 -2 0.25\n"
     "neighbour = 0 2 0.25\n" SINES,
     1.0, 1.08},
    {"neighbour = 0 0 0.5\nneighbour = -1 0 0.125\nneighbour = 1 0 0.125\n"
     "neighbour = 0 -1 0.125\nneighbour = 0 1 0.125\n" SINES,
     0.125, 1.01},
    /* fourth order, of which single steps without a part of the old value grow */
    {"neighbour = 0 0 0.25\nneighbour = -1 0 0.2\nneighbour = 1 0 0.2\nneighbour = 0 -1 0.2\n"
     "neighbour = 0 1 0.2\nneighbour = -2 0 -0.0125\nneighbour = 2 0 -0.0125\n"
     "neighbour = 0 -2 -0.0125\nneighbour = 0 2 -0.0125\n" SINES,
     0.15, 1.02},
};

/* The factor of f in a kernel: its own, or that of the brackets that it is in. */
static double find_weight(const char *text)
{
    const char *f = strstr(text, "f_at(0.0, 0.0)"), *number = strstr(text, "return ") + 7;
    assert_non_null(f);
    if (f[strlen("f_at(0.0, 0.0)")] != ')')
        for (number = f - 1; strchr(" \n", number[-1]) == NULL || strchr("*", *number) != NULL;)
            number--;
    return strtod(number, NULL);
}

/* The maximum after 6000 steps from zeros. */
static double solve(const char *text, double of_f)
{
    static double all[2][WIDE][WIDE], weight[MOST];
    int x[MOST], y[MOST], count = 0;
    double most = 0.0;
    for (; sscanf(text, "neighbour = %d %d %lf", &x[count], &y[count], &weight[count]) == 3;
         count++)
        text = strchr(text, '\n') + 1;
    memset(all, 0, sizeof all);
    for (int step = 0; step < 6000; step++) {
        for (int i = 0; i < ACROSS * ACROSS; i++) {
            const int across = i % ACROSS + EDGE, up = i / ACROSS + EDGE;
            double sum = of_f / 1024.0 * 2.0 * M_PI * M_PI * sin(M_PI * (across - 1) / 32.0) *
                         sin(M_PI * (up - 1) / 32.0);
            for (int k = 0; k < count; k++)
                sum += weight[k] * all[step % 2][up + y[k]][across + x[k]];
            all[1 - step % 2][up][across] = sum;
        }
    }
    for (int i = 0; i < WIDE * WIDE; i++)
        most = fmax(most, all[0][i / WIDE][i % WIDE]);
    return most;
}

/* Each step solves -laplace(u) = f, whatever the neighbours are. */
TEST(neighbours_solve_one_equation)
{
    for (int k = 0; k < COUNT(sums); k++) {
        struct qp_kernel_file *file = read_conf(sums[k].text);
        if (file == NULL)
            fail_msg("%s: %s", sums[k].text, qp_error());
        const double of_f = find_weight(file->text), most = solve(sums[k].text, of_f);
        if (fabs(of_f - sums[k].of_f) > 1e-12 || most < 0.99 || most > sums[k].most)
            fail_msg("f has the weight %.17g, which makes a maximum of %g, with\n%s", of_f, most,
                     sums[k].text);
        qp_kernel_file_destroy(&file);
    }
}

/* A program's own check has no need of that formula, and finds another weight in all its files. */
TEST(programs_check_their_equation)
{
    write_file("nine.conf", NINE SINES);
    expect(
        "quadpass generate nine.conf --target c -o nine && cd nine/c && make -s CFLAGS=-O1 && "
        "./nine --check && ./nine --steps 3 -o x.npy && ./nine --input x=zeros --size 31 --steps 3 "
        "-o y.npy && cmp x.npy y.npy && ./nine --input x=ones --steps 3 -o y.npy && ! cmp -s x.npy "
        "y.npy",
        0, "nine: 57 cases, 0 failed\n");
    expect("cd nine/c && sed -i 's/0[.]3 [*]/0.125 */' *.c && make -s CFLAGS=-O1 && ./nine --check",
           1, "nine: a step does not solve -laplace(x) = f");
    assert_int_equal(count("57 cases, 1 failed"), 1);
}

/* ---- The command ---- */

TEST(printed)
{
    write_file("plain.frag",
               "//@ set a=1\nfloat kernel(vec2 here) { return a * x_at(1.0, 0.0); }\n");
    expect("cp " QP_SOURCE_DIR
           "/demos/shaders/poisson.conf .; quadpass generate poisson.conf --print >p.frag && "
           "cat p.frag; ls",
           0,
           "//@ input x=zeros\n//@ size 63\n"
           "//@ input f=(0.015625 * 0.015625 * (2.0 * M_PI * M_PI * sin(M_PI * (0.015625 * x)) * "
           "sin(M_PI * (0.015625 * y))))\n//@ tuned cuda threads=64 unknowns=64x8\n\n"
           "float kernel(vec2 here)\n{\n    return 0.25 * (" SUM
           " +\n           f_at(0.0, 0.0));\n}\n");
    expect("quadpass generate p.frag --print >q.frag && cmp p.frag q.frag; quadpass generate "
           "plain.frag --print",
           0, "//@ set a=1\nfloat kernel(vec2 here) { return a * x_at(1.0, 0.0); }\n");
    expect("quadpass generate poisson.conf --print -o out 2>&1", 2,
           "generate takes a kernel file and a folder");
    expect("quadpass generate plain.frag 2>&1", 2,
           "generate takes a folder, such as -o heat, or --print\n");
    expect("quadpass generate no.conf -o out 2>&1", 2, "no.conf: No such file");
    expect("echo 'h = 0' >wrong.conf; quadpass generate wrong.conf -o out 2>&1", 2,
           "quadpass: wrong.conf:1: h takes");
    expect("ls out 2>&1", 2, "");
}

/* The folder and the machine that a configuration names, and others in their place. */
TEST(places)
{
    write_file("b.conf", FIVE "target = cpu\ndirectory = here\n");
    expect("quadpass generate b.conf && ls -d *ere/*; quadpass generate b.conf -o there && ls -d "
           "there/*",
           0, "here/c\nthere/c\n");
    write_file("c.conf", FIVE "target = cpu_gpu\npartition = 0.125\nthreads = 96\n");
    expect("quadpass generate c.conf -o shared && ls -d shared/*; cat shared/*/parts.c "
           "shared/*/steps.cu | grep "
           "'^double partition\\|^static int threads'",
           0, "shared/hybrid\ndouble partition = 0.125;\nstatic int threads = 128;\n");
    write_file("d.conf", FIVE "target = gpu\nthreads = 64\nunknowns = 64x8\n");
    expect(
        "quadpass generate d.conf -o blocks 2>&1 && grep 'not as they' blocks/cuda/README.md && "
        "(cat d.conf; echo sync = async3) >e.conf && quadpass generate e.conf -o fits 2>&1 && grep "
        "'define BLOCK' fits/cuda/stencil.h; quadpass generate d.conf --target c -o blocks 2>&1",
        0,
        "quadpass: d.conf: Blocks are not as they are asked for: they have 64 threads and 16 bytes "
        "of each of 4 rows a thread.\nquadpass: d.conf: Threads and unknowns are of blocks of "
        "single steps (--set steps_at_once=1); by default the program takes several in one go.\n"
        "Blocks are not as they are asked for: they have 64 threads and 16 bytes of each of 4 rows "
        "a thread.\n#define BLOCK 8 /* rows of unknowns */\n");
    expect("quadpass generate b.conf --target vulkan -o no 2>&1; ls no 2>&1", 2,
           "or all, not 'vulkan'");
    expect("quadpass generate b.conf --size 5x4 --steps 3 --outside wrap --target c -o there && "
           "grep -h 'HEIGHT =\\|WRAP, 0' there/c/*.[ch]",
           0, "WIDTH = 5, HEIGHT = 4");
}

static int enter_folder(void **state)
{
    return make_folder(state) != 0 ? -1 : chdir(folder);
}

GROUP(enter_folder, remove_folder)
