/* SPDX-License-Identifier: MIT */
/* The command under mpirun: what is printed and written once, exit codes, and processes that fail, die or stop. */
#include "support/mpirun.h"
#include "support/shell.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

/* In front of QUADPASS in one process alone, process 1. */
#define IN_1(words) "sh -c '[ $OMPI_COMM_WORLD_RANK != 1 ] || { " words " }; exec \"$@\"' sh "

/* Process 0 comes last. */
#define LATE_0 "sh -c '[ $OMPI_COMM_WORLD_RANK != 0 ] || sleep 1; exec \"$@\"' sh "

/* Once MPI runs there, and 0.4 s of the process's own time later, which it spends on steps, however busy the machine is. */
#define TICKS "$(cut -d\" \" -f14 /proc/$$/stat)"
#define SOON                                                                           \
    "(while ! grep -q vader_segment /proc/$$/maps && kill -0 $$; do sleep 0.1; done; " \
    "from=" TICKS "; while [ " TICKS " -lt $((from + 40)) ]; do sleep 0.1; done; "

/* A run that nobody waits for to its end. */
#define LONG_BENCH "bench poisson5/mpi_sequential --size 1024 --iterations 1000000 --repeats 1"

struct scene {
    const char *before;    /* the command: what each process does first */
    const char *arguments; /* of the command */
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
    {"", "accuracy poisson5/mpi_sequential", 2, "runs mpi rows in one process", NULL},
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
static void start_scenes(void **state)
{
    char line[2048];
    (void)state;
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

static void each_says_it_once(void **state)
{
    (void)state;
    need_mpirun();
    for (int i = 0; i < COUNT(scenes); i++)
        end_scene(&scenes[i]);
}

/* What ended well, and nothing of what did not; and no part of a file. */
static void files_are_whole(void **state)
{
    char line[512];
    (void)state;
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

/* Processes tell where they compute, and rows are not told from those of one process but by their name. */
static void devices_are_told(void **state)
{
    (void)state;
    need_mpirun();
    need_gl();
    expect(MPIRUN "-n 2 " QUADPASS " check poisson5/mpi_rgba --size 33x17", 0,
           "\n1 passed, 0 failed");
    assert_int_equal(count("ranks 0 to 1: ") + count("rank 0: "), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(start_scenes), cmocka_unit_test(each_says_it_once),
        cmocka_unit_test(files_are_whole), cmocka_unit_test(devices_are_told)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
