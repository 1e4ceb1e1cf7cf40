/* SPDX-License-Identifier: MIT */
/* The command under mpirun: what is printed and written once, exit codes, and processes that fail,
 * die or stop. */
#include "support/mpirun.h"
#include "support/shell.h"

#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "lab/engines/parts/link.h"
#include "toolkit/base/status.h"
#include "tools/cmd/ranks.h"

/* In front of QUADPASS in one process alone, process 1. */
#define IN_1(words) "sh -c '[ $OMPI_COMM_WORLD_RANK != 1 ] || { " words " }; exec \"$@\"' sh "

/* Process 0 comes last. */
#define LATE_0 "sh -c '[ $OMPI_COMM_WORLD_RANK != 0 ] || sleep 1; exec \"$@\"' sh "

/* Once MPI runs there, and 0.4 s of the process's own time later, which it spends on steps, however
 * busy the machine is. */
#define TICKS "$(cut -d\" \" -f14 /proc/$$/stat)"
#define SOON                                                                           \
    "(while ! grep -q vader_segment /proc/$$/maps && kill -0 $$; do sleep 0.1; done; " \
    "from=" TICKS "; while [ " TICKS " -lt $((from + 40)) ]; do sleep 0.1; done; "

/* A run that nobody waits for to its end. */
#define LONG_BENCH "bench poisson5/mpi_sequential --size 1024 --iterations 1000000 --repeats 1"

struct scene {
    const char *before;    /* the command: what each process does first */
    const char *arguments; /* arguments of the command */
    int code;
    const char *words; /* printed once */
    FILE *pipe;
};

enum { PROCESSES = 3 };

static struct scene scenes[] = {
    {IN_1(SOON "kill -KILL $$) &"), LONG_BENCH " --json dead.json", 128 + SIGKILL,
     "exited on signal 9", NULL},
    {IN_1(SOON "kill -STOP $$) &"), LONG_BENCH " --json stopped.json --stall 4", 3,
     "has waited 4 s, and rank 1 gives no answer (--stall)", NULL},
    {"", "--version", 0, "quadpass " QP_VERSION, NULL},
    {"", "list jacobi9/openmp", 0, "jacobi9/openmp", NULL},
    {"", "check --help", 0, "Usage: quadpass check", NULL},
    {"", "check jacobi9/openmp --size 9 --json one.json", 0, "\n1 passed, 0 failed, 0 skipped",
     NULL},
    {"", "accuracy jacobi9/openmp --size 9 --iterations 1", 0, "\nbidomain ", NULL},
    {"", "bench --no-such-option", 2, "there is no option", NULL},
    {LATE_0, "check no/such", 2, "no variant matches", NULL},
    {"", "solve nofile.mtx", 2, "nofile.mtx: cannot be opened", NULL},
    {"", "solve nofile.mtx --variant jacobi9/mpi_openmp", 2, "nofile.mtx: cannot be opened", NULL},
    {"", "accuracy poisson5/mpi_sequential", 2, "runs mpi variants in one process", NULL},
    {IN_1("mkdir -p other; cd other;"),
     "check jacobi9/openmp poisson5/mpi_sequential --size 33x17 --csv both.csv --tap both.tap "
     "--junit both.xml",
     0, "\n2 passed, 0 failed, 0 skipped", NULL},
    {"",
     "bench jacobi9/openmp jacobi9/mpi_openmp --size 32 --iterations 7 --repeats 2 --csv time.csv",
     0, "\n2 passed, 0 failed, 0 skipped", NULL},
    {"", "solve A.mtx --variant jacobi9/mpi_openmp -o x.mtx", 0, "\nconverged: ", NULL},
    {IN_1("cd /;"), "solve A.mtx --variant jacobi9/mpi_openmp", 2,
     "quadpass: rank 1: A.mtx: cannot be", NULL},
#ifndef QP_DEBUG /* AddressSanitizer itself takes more */
    {IN_1("ulimit -v 200000;"), "check poisson5/mpi_sequential", 3, "quadpass: rank 1: about ",
     NULL},
#endif
};

/* All at once, since most of the time is spent waiting. */
TEST(start_scenes)
{
    char line[2048];
    need_mpirun();
    snprintf(line, sizeof line, "cp " GR " %s/A.mtx", folder);
    assert_int_equal(shell(line), 0);
    for (int i = 0; i < COUNT(scenes); i++) {
        snprintf(line, sizeof line, "cd %s && " NO_DEVICES MPIRUN "-n %d %s%s %s 2>&1", folder,
                 PROCESSES, scenes[i].before, QUADPASS, scenes[i].arguments);
        scenes[i].pipe = popen(line, "r");
        assert_non_null(scenes[i].pipe);
    }
}

static void end_scene(const struct scene *scene)
{
    assert_non_null(scene->pipe);
    output[fread(output, 1, sizeof output - 1, scene->pipe)] = '\0';
    const int status = pclose(scene->pipe), code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    if (code != scene->code || count(scene->words) != 1 || strchr(output, '\033') != NULL)
        fail_msg("'%s%s' gave %d, not %d with '%s' once:\n%s", scene->before, scene->arguments,
                 code, scene->code, scene->words, output);
}

TEST(each_says_it_once)
{
    need_mpirun();
    for (int i = 0; i < COUNT(scenes); i++)
        end_scene(&scenes[i]);
}

/* Files of runs that ended well, none of those that did not, and no part of a file. */
TEST(files_are_whole)
{
    char line[512];
    need_mpirun();
    snprintf(line, sizeof line, "cd %s && echo * other/*", folder);
    assert_int_equal(shell(line), 0);
    assert_string_equal(output,
                        "A.mtx both.csv both.tap both.xml one.json other time.csv x.mtx other/*\n");
    snprintf(line, sizeof line,
             "cd %s && " NO_DEVICES "quadpass solve A.mtx --variant jacobi9/openmp -o y.mtx && "
             "cmp x.mtx y.mtx",
             folder);
    expect(line, 0, "converged");
}

/* Processes print where they compute, and variants differ from those of one process in their name
 * alone. */
TEST(devices_are_told)
{
    need_mpirun();
    need_gl();
    expect(MPIRUN "-n 2 " QUADPASS " check poisson5/mpi_rgba --size 33x17", 0,
           "\n1 passed, 0 failed");
    assert_int_equal(count("ranks 0 to 1: ") + count("rank 0: "), 1);
}

/* A group of processes, of which this one is the last, that gives the others their devices: names
 * of two letters. */
enum { RANKS = 36 };
static const char *told_devices;

static int many(void)
{
    return RANKS;
}

static int last(void)
{
    return RANKS - 1;
}

static void join_devices(void *data, const size_t *first, const size_t *bytes)
{
    for (int k = 0; k < RANKS; k++) {
        char *own = (char *)data + first[k];
        if (k == RANKS - 1)
            assert_true(own[0] != '\0' && strstr(own, "CUDA's device -1") == NULL);
        snprintf(own, bytes[k], "%.2s", told_devices + 2 * k);
    }
}

static enum qp_status agree(enum qp_status status)
{
    return status;
}

static enum qp_status disagree(enum qp_status status)
{
    return status != QP_OK ? status : qp_fail(QP_NO_DEVICE, "rank 3 has no device");
}

/* Bytes of the heap in use; 0 where the C library does not say. */
static size_t heap(void)
{
#if defined __GLIBC__ && __GLIBC_PREREQ(2, 33)
    return mallinfo2().uordblks;
#else
    return 0;
#endif
}

/* Nothing is held that grows. */
static void share_again_and_again(struct qp_context *context)
{
    char why[256];
    const struct options options = {.table = fopen("/dev/null", "w")};
    size_t before = 0;
    for (int i = 0; i < 60; i++) {
        before = i == 10 ? heap() : before;
        assert_ok(ranks_share_context(&options, &context, why, sizeof why));
    }
    assert_true(heap() < before + 8192);
    fclose(options.table);
}

/* Neighbours with one device share a line; there are 16 lines at most. */
TEST(devices_of_processes)
{
    static const struct {
        const char *devices, *text;
    } cases[] = {{"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
                  "ranks 0 to 35: aa\n"},
                 {"aabbbbaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaacc",
                  "rank 0: aa\nranks 1 to 2: bb\nranks 3 to 34: aa\nrank 35: cc\n"},
                 {"a0a1a2a3a4a5a6a7a8a9b0b1b2b3b4b5b6b7b8b9c0c1c2c3c4c5c6c7c8c9d0d1d2d3d4d5",
                  "rank 0: a0\nrank 1: a1\nrank 2: a2\nrank 3: a3\nrank 4: a4\nrank 5: a5\n"
                  "rank 6: a6\nrank 7: a7\nrank 8: a8\nrank 9: a9\nrank 10: b0\nrank 11: b1\n"
                  "rank 12: b2\nrank 13: b3\nrank 14: b4\nrank 15: b5\n"}};
    const struct qp_link kept = qp_link_mpi;
    struct qp_context *context;
    if (qp_context_create(NULL, &context) != QP_OK)
        support_skip("gl");
    qp_link_mpi = (struct qp_link){
        .rank = last, .ranks = many, .node_rank = last, .join = join_devices, .agree = agree};
    for (int i = 0; i < COUNT(cases); i++) {
        char *text, why[256];
        size_t size;
        const struct options options = {.table = open_memstream(&text, &size)};
        told_devices = cases[i].devices;
        assert_ok(ranks_share_context(&options, &context, why, sizeof why));
        fclose(options.table);
        assert_string_equal(text, cases[i].text);
        free(text);
    }
    share_again_and_again(context);
    /* A process that has none, or another, takes it from all. */
    char why[256] = "no lamp";
    const struct options options = {.table = stdout};
    struct qp_context *none = NULL;
    assert_ok(ranks_share_context(&options, &none, why, sizeof why));
    assert_true(none == NULL && strcmp(why, "no lamp") == 0);
    qp_link_mpi.agree = disagree;
    assert_ok(ranks_share_context(&options, &context, why, sizeof why));
    assert_true(context == NULL && strcmp(why, "rank 3 has no device") == 0);
    qp_link_mpi = kept;
}

GROUP(make_folder, remove_folder)
