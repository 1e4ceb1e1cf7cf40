/* SPDX-License-Identifier: MIT */
/* The k-th allocation of a run fails, and the k-th making of a GL object: a code, a sentence, no
 * file, nothing left behind. */
/* wrap: faults.c */
#include "support/support.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "support/fake_runs.h"
#include "support/faults.h"
#include "support/once.h"
#include "toolkit/arrays/texture_pool.h"
#include "toolkit/io/npy.h"
#include "tools/cmd/cmd.h"
#include "tools/cmd/run/once.h"

static char folder[] = "/tmp/quadpass-run-XXXXXX";
static struct options options = {.words = {"add.frag"},
                                 .word_count = 1,
                                 .parameter = -1,
                                 .width = 5,
                                 .height = 4,
                                 .each = 2,
                                 .frames = ".",
                                 .judged = true,
                                 .output = "x.npy",
                                 .reduction = REDUCE_SUM};

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");
    assert_true(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0);
}

static int open_in_folder(void **state)
{
    char run[] = "run", *words[] = {run};
    options.command = command_find(command_rows, 1, words);
    if (mkdtemp(folder) == NULL || chdir(folder) != 0 || compile_once(folder) != 0)
        return -1;
    write_file("add.frag", "//@ input b=gradient\n//@ steps 2\n//@ check add.c\n"
                           "//@ include part.glsl\n"
                           "float kernel(vec2 here) { return x_at(0, 0) + part(); }\n");
    write_file("part.glsl", "float part() { return a * b_at(0, 0); }\n");
    write_file("add.c", "void reference(int width, int height, const float *const *input,\n"
                        "    const double *numbers, const double *before, double *after)\n"
                        "{\n    for (int i = 0; i < width * height; i++)\n"
                        "        after[i] = before[i] + numbers[0] * input[0][i];\n}\n");
    assert_ok(qp_kernel_file_say(&options.head, "set", "a=0.5"));
    assert_ok(qp_kernel_file_say(&options.head, "steps", "3"));
    options.table = fopen("/dev/null", "w");
    return options.table == NULL ? -1 : faults_open_context(state);
}

static int close_and_leave(void **state)
{
    char line[64];
    fclose(options.table);
    snprintf(line, sizeof line, "rm -rf %s", folder);
    return support_close_context(state) != 0 || system(line) != 0;
}

static enum qp_status play(struct qp_context *context, enum fault fault, int number)
{
    enum qp_verdict verdict;
    unlink("x.npy");
    qp_texture_pool_clear(context);
    const long before = faults_live_blocks();
    faults_arm(fault, number);
    const enum qp_status status = run_once(&options, context, &verdict);
    faults_disarm();
    assert_true(faults_struck() != NULL || status == QP_OK);
    assert_true(status != QP_OK || verdict == QP_PASS); /* a fault is no verdict */
    qp_texture_pool_clear(context);
    if (faults_live_blocks() > before) /* tables may shrink */
        fail_msg("fault %d (%s): %ld blocks leak", number, faults_struck(),
                 faults_live_blocks() - before);
    assert_int_equal(qp_context_counters(context).live_objects, 0);
    assert_int_equal(access("x.npy", F_OK) == 0, status == QP_OK);
    return status;
}

static void each_fault(void **state, enum fault fault, int least)
{
    struct qp_context *context = support_need_context(state);
    int number = 0, failed = 0;
    enum qp_verdict verdict;
    assert_ok(run_once(&options, context, &verdict)); /* compiled once, it is kept */
    do {
        const enum qp_status status = play(context, fault, ++number);
        failed += status != QP_OK;
        if (status != QP_OK && (faults_struck() == NULL || qp_error()[0] == '\0'))
            fail_msg("fault %d (%s): code %d and '%s'", number, faults_struck(), (int)status,
                     qp_error());
    } while (faults_struck() != NULL);
    assert_true(failed >= least);
}

TEST(every_allocation)
{
    each_fault(state, FAULT_MEMORY, 8);
}

TEST(every_gl_object)
{
    each_fault(state, FAULT_GL, 2);
}

/* Open files and folders, and pieces of memory that other processes share. */
static int count_held(void)
{
    char line[512];
    FILE *maps = fopen("/proc/self/maps", "r");
    DIR *files = opendir("/proc/self/fd");
    int held = 0;
    assert_true(maps != NULL && files != NULL);
    while (readdir(files) != NULL)
        held++;
    while (fgets(line, sizeof line, maps) != NULL)
        held += strstr(line, "/dev/zero") != NULL;
    fclose(maps);
    closedir(files);
    return held;
}

/* The same once a driver's threads, which write its cache of shaders, have let go of their
 * files. */
static int count_settled(void)
{
    static const struct timespec pause = {.tv_nsec = 50000000};
    int held = count_held(), same = 0;
    for (int looks = 0; looks < 100 && same < 3; looks++) {
        nanosleep(&pause, NULL);
        const int now = count_held();
        same = now == held ? same + 1 : 0;
        held = now;
    }
    return held;
}

/* A run with as many arrays as a kernel takes. */
TEST(nothing_is_held)
{
    static const char *const inputs[] = {"b=gradient", "c=c.npy", "d=ones", "e=ones",
                                         "f=ones",     "g=ones",  "h=ones", "x=random"};
    struct qp_context *context = support_need_context(state);
    const struct options one = options;
    float ones[20];
    options.words[0] = "eight.frag";
    for (int k = 0; k < COUNT(inputs); k++)
        assert_ok(qp_kernel_file_say(&options.head, "input", inputs[k]));
    options.head.check = "add.c";
    for (int i = 0; i < COUNT(ones); i++)
        ones[i] = 1.0f;
    assert_ok(
        qp_npy_write("c.npy", &(struct qp_matrix){.width = 5, .height = 4, .values = ones}, 1));
    write_file("eight.frag", "float kernel(vec2 here) {\n    return x_at(0, 0) + a * b_at(0, 0) + "
                             "(c_at(0, 0) + d_at(0, 0) +\n        e_at(0, 0)) - (f_at(0, 0) + "
                             "g_at(0, 0) + h_at(0, 0));\n}\n");
    enum qp_verdict verdict;
    assert_ok(run_once(&options, context, &verdict));
    const int held = count_settled();
    play(context, FAULT_MEMORY, INT_MAX);
    assert_int_equal(count_settled(), held);
    /* Streams of the C library are not counted as they are made, but as they go: so a file is
     * compared with none. */
    long blocks[2];
    for (int file = 0; file < 2; file++) {
        options.head.array[1].from = file ? "c.npy" : "ones";
        options.head.array[1].made = file ? QP_MADE_NOT : QP_MADE_ONES;
        blocks[file] = -faults_live_blocks();
        play(context, FAULT_MEMORY, INT_MAX);
        blocks[file] += faults_live_blocks();
    }
    assert_int_equal(blocks[0], blocks[1]);
    options = one;
}

/* Other commands, on the processor: blocks are as many after the second and the third time. */
TEST(commands_leave_nothing)
{
    static const char *const lines[] = {
        "walk jacobi9/openmp -n 5",
        "walk gauss_jordan/loop -n 5",
        "walk reduce/loop -n 5 --problem dot",
        "walk gauss_jordan_batch/loop -n 3",
        "check jacobi9/openmp gauss_jordan/loop poisson5/openmp -n 9 --csv c.csv",
        "bench jacobi9/openmp gauss_jordan/loop -n 9 --repeats 1 --iterations 2",
        "accuracy jacobi9/openmp -n 8 --iterations 2 --json a.json",
        "accuracy poisson5/openmp -n 7 --json a.json",
        "solve poisson5 -n 7 -o u.npy --picture p.png --csv c.csv",
        "solve poisson5 --rhs u.npy --variant openmp --checkpoint c.qpc --every 0",
        "solve poisson5 --rhs none.npy",
        "solve a.mtx b.mtx --x0 b.mtx --variant jacobi9/openmp -o y.mtx",
        "solve a.mtx b.mtx --variant gauss_jordan/loop -o y.mtx --refine",
        "solve b.mtx",
        "invert a.mtx --variant loop -o i.npy --json i.json",
    };
    write_file("a.mtx", "%%MatrixMarket matrix coordinate real symmetric\n4 4 7\n1 1 4\n2 2 4\n"
                        "3 3 4\n4 4 4\n2 1 -1\n3 2 -1\n4 3 -1\n");
    write_file("b.mtx", "%%MatrixMarket matrix array real general\n4 1\n1\n2\n3\n4\n");
    for (int i = 0; i < COUNT(lines); i++) {
        fake_command(command_run, lines[i]);
        fake_command(command_run, lines[i]);
        const long before = faults_live_blocks();
        const int held = count_held();
        const char *text = fake_command(command_run, lines[i]);
        if (faults_live_blocks() > before || count_held() > held)
            fail_msg("%s: %ld blocks leak:\n%s", lines[i], faults_live_blocks() - before, text);
    }
}

GROUP(open_in_folder, close_and_leave)
