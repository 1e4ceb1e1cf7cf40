/* SPDX-License-Identifier: MIT */
/* The command ends: soon after the first signal, with what it has, and under any limit on address
 * space. What it shows on a terminal is the sign that work is under way, so no test has to guess
 * when. */
#include "support/shell.h"

#include <errno.h>
#include <fnmatch.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "toolkit/base/clock.h"
#include "toolkit/base/watch.h"
#include "tools/cmd/cmd.h"

/* A command under way: standard output comes through a pipe, standard error is a terminal. */
struct child {
    pid_t id;
    int out, terminal;
    char printed[1 << 16], shown[1 << 16]; /* so far */
};

static void start(const char *arguments, struct child *child)
{
    int pipes[2], screen;
    char line[1024];
    *child = (struct child){0};
    snprintf(line, sizeof line, "cd %s && exec env REQUIRE= %s %s", folder, QUADPASS, arguments);
    assert_int_equal(pipe(pipes), 0);
    if (openpty(&child->terminal, &screen, NULL, NULL, NULL) != 0)
        skip();
    child->id = fork();
    if (child->id == 0) {
        dup2(pipes[1], STDOUT_FILENO);
        dup2(screen, STDERR_FILENO);
        execl("/bin/bash", "bash", "-c", line, NULL);
        _exit(127);
    }
    assert_true(child->id > 0);
    close(pipes[1]);
    close(screen);
    child->out = pipes[0];
}

/* False at the end of the stream. */
static bool take(int stream, char *text, size_t size)
{
    const size_t length = strlen(text);
    const ssize_t got = read(stream, text + length, size - length - 1);
    text[got > 0 ? length + (size_t)got : length] = '\0';
    return got > 0;
}

/* The words are a pattern of the shell's. */
static bool holds(const char *text, const char *words)
{
    char pattern[128];
    snprintf(pattern, sizeof pattern, "*%s*", words);
    return fnmatch(pattern, text, 0) == 0;
}

/* Reads both streams until one of them holds the words, or both have ended. */
static bool comes(struct child *child, const char *words)
{
    struct pollfd streams[] = {{child->out, POLLIN, 0}, {child->terminal, POLLIN, 0}};
    while (!holds(child->printed, words) && !holds(child->shown, words)) {
        if ((streams[0].fd < 0 && streams[1].fd < 0) || poll(streams, 2, 60000) <= 0)
            return false;
        if (streams[0].revents != 0 && !take(child->out, child->printed, sizeof child->printed))
            streams[0].fd = -1;
        if (streams[1].revents != 0 && !take(child->terminal, child->shown, sizeof child->shown))
            streams[1].fd = -1;
    }
    return true;
}

/* Waits for the words, sends the signal, twice at once as timeout(1) does, and waits for the end,
 * two seconds by the contract and ten more for a machine that is busy; exit code 1. Nothing lies
 * between the two: by the command's fast clock a twentieth of a second is long enough for the
 * second one to end it at once. */
static void interrupt_at(struct child *child, const char *words, int number)
{
    int status;
    const bool came = comes(child, words);
    const double begin = qp_clock();
    kill(child->id, came ? number : SIGKILL);
    kill(child->id, number);
    comes(child, "\001"); /* nobody prints that: to the end */
    const double took = qp_clock() - begin;
    assert_int_equal(waitpid(child->id, &status, 0), child->id);
    close(child->out);
    close(child->terminal);
    if (!came || took > 12.0 || !WIFEXITED(status) || WEXITSTATUS(status) != 1)
        fail_msg("'%s' %s; %.1f s after signal %d status %x; printed:\n%s\nshown:\n%s", words,
                 came ? "came" : "did not come", took, number, (unsigned)status, child->printed,
                 child->shown);
}

/* An elimination under way, and the signal that ends it. */
struct elimination {
    const char *row;
    int number;
    struct child child;
};

static void begin_elimination(struct elimination *e, int unknowns)
{
    char line[256], file[32];
    snprintf(file, sizeof file, "k%d.json", e->number);
    write_file(file, "old");
    snprintf(line, sizeof line, "bench %s -n %d --repeats 1 --json %s", e->row, unknowns, file);
    start(line, &e->child);
}

/* Nothing is measured, so nothing is written. */
static void end_elimination(struct elimination *e)
{
    char line[256];
    interrupt_at(&e->child, " %   ", e->number); /* a part that is done, and the time left */
    assert_non_null(strstr(e->child.printed, "interrupted after 0 of 1 lines"));
    assert_true(ends_with(e->child.shown, "\r"));
    snprintf(line, sizeof line, "test \"$(cat %s/k%d.json)\" = old", folder, e->number);
    assert_int_equal(shell(line), 0);
}

/* Two at once that take several times as long as it is until progress is shown, two seconds of
 * their fast clock, in their first step. */
static void eliminations_are_left(const char *one, const char *other, int unknowns)
{
    struct elimination *both = calloc(2, sizeof *both);
    assert_non_null(both);
    both[0].row = one;
    both[0].number = SIGINT;
    both[1].row = other;
    both[1].number = SIGTERM;
    for (int k = 0; k < 2; k++)
        begin_elimination(&both[k], unknowns);
    for (int k = 0; k < 2; k++)
        end_elimination(&both[k]);
    free(both);
}

TEST(eliminations_on_the_cpu_are_left)
{
    eliminations_are_left("gauss_jordan/loop", "gauss_jordan/reference", 3000);
}

TEST(eliminations_on_opengl_are_left)
{
    need_gl();
    const int unknowns = on_llvmpipe() ? 3000 : 9000;
    eliminations_are_left("gauss_jordan/blocked", "gauss_jordan/branched", unknowns);
}

/* The first variant's line is the sign; it stays, and is in the file. */
TEST(check_keeps_what_it_has)
{
    struct child *child = calloc(1, sizeof *child);
    assert_non_null(child);
    char line[256];
    start("check 'jacobi9/*_cpu' 'gauss_jordan/*' 'access/*' --json part.json", child);
    interrupt_at(child, "cases", SIGINT);
    assert_non_null(strstr(child->printed, "\ninterrupted after "));
    assert_null(strstr(child->printed, "\n0 passed, 0 failed"));
    snprintf(line, sizeof line, "grep -c '\"verdict\"' %s/part.json", folder);
    assert_int_equal(shell(line), 0);
    assert_true(atoi(output) > 0);
    free(child);
}

/* In its first round, when one variant has a whole sample. */
TEST(bench_keeps_what_it_has)
{
    struct child *child = calloc(1, sizeof *child);
    assert_non_null(child);
    char line[256];
    start("bench jacobi9/bands_cpu jacobi9/openmp --size 1500 --iterations 100 --repeats 50 --json "
          "b.json",
          child);
    interrupt_at(child, ": walk [2-9]", SIGTERM); /* a fast one is not shown */
    assert_non_null(strstr(child->printed, "\ninterrupted after 2 of 2 lines"));
    assert_null(strstr(child->printed, "\n0 passed"));
    snprintf(
        line, sizeof line,
        "cd %s && grep bands_cpu b.json | grep '\"pass\".*\"samples\":\\[[0-9].*\"spread\":null'",
        folder);
    assert_int_equal(shell(line), 0);
    free(child);
}

/* Sizes of a kernel file that are done, in a later one. */
TEST(bench_of_a_file_keeps_what_it_has)
{
    need_gl();
    struct child *child = calloc(1, sizeof *child);
    assert_non_null(child);
    write_file("f.frag", "float kernel(vec2 here) { return 0.5 * x_at(0.0, 0.0); }\n");
    start("bench f.frag --iterations 400 --repeats 9 --csv f.csv", child);
    interrupt_at(child, "bench of f/kernel, [1-9][0-9][0-9][0-9] x", SIGINT);
    assert_non_null(strstr(child->printed, "\ninterrupted after "));
    assert_non_null(strstr(child->printed, "\n1 unchecked: "));
    char line[256];
    snprintf(line, sizeof line, "grep -c f/kernel,gl,.*,unchecked, %s/f.csv", folder);
    assert_int_equal(shell(line), 0);
    free(child);
}

/* The run under way counts for nothing, and neither do those to come. */
TEST(accuracy_keeps_what_it_has)
{
    struct child *child = calloc(1, sizeof *child);
    assert_non_null(child);
    char line[256];
    start("accuracy poisson5/openmp --json a.json", child);
    interrupt_at(child, "255 x 255", SIGINT);
    snprintf(line, sizeof line, "test ! -e %s/a.json || ! grep '\"iterations\":0' %s/a.json",
             folder, folder);
    assert_int_equal(shell(line), 0);
    assert_null(strstr(child->printed, " cannot\n"));
    free(child);
}

/* x would be no number after a few steps, and is taken back to the start, where it is no result. */
TEST(a_good_file_outlives_a_bad_solve)
{
    write_file("bad.mtx",
               "%%MatrixMarket matrix array real general\n2 2\n1e-30\n1e30\n1e30\n1e-30\n");
    write_file("x.mtx", "old");
    assert_int_equal(
        run("solve bad.mtx --weight 1 --variant jacobi9/bands_cpu --grid 2x1 -o x.mtx; "
            "code=$?; cat x.mtx; exit $code"),
        1);
    assert_non_null(strstr(output, "nothing is written: x is where it began"));
    assert_true(ends_with(output, "old"));
}

/* Many columns of nothing are refused, or solved soon. */
TEST(columns_of_zeros_end)
{
    write_file("a.mtx",
               "%%MatrixMarket matrix array real general\n3 3\n4\n1\n0\n1\n4\n1\n0\n1\n4\n");
    write_file("b.mtx", "%%MatrixMarket matrix coordinate real general\n3 2000000000 0\n");
    assert_int_equal(run("solve a.mtx b.mtx -o x.mtx"), 2);
    assert_non_null(strstr(output, " GB"));
}

/* Whatever the limit, a command ends by itself; what needs more says so. */
TEST(limits_on_address_space_end_nothing_badly)
{
    static const char *const commands[] = {"--version",
                                           "list",
                                           "nonsense",
                                           "info",
                                           "check jacobi9/blas -n 8",
                                           "bench sgesv -n 16 --repeats 1",
                                           "solve missing.mtx"};
    static const int megabytes[] = {100, 200, 400, 700, 1000, 2000};
#ifdef QP_DEBUG
    skip(); /* sanitizers need terabytes */
#endif
    for (int i = 0; i < COUNT(megabytes); i++) {
        for (int k = 0; k < COUNT(commands); k++) {
            char line[256];
            snprintf(line, sizeof line,
                     "cd %s; ulimit -v %d000; OMP_NUM_THREADS=2 timeout -s KILL 20 quadpass %s",
                     folder, megabytes[i], commands[k]);
            const int code = shell(line);
            if (code > 3)
                fail_msg("'%s' gave %d:\n%s", line, code, output);
        }
    }
    expect("ulimit -v 300000; quadpass --version", 0, "quadpass ");
    expect("ulimit -v 300000; quadpass info", 3, " GB of address space");
    /* 512 MiB and 256 MiB for each processor are enough, a KiB less is not, but for what computes
     * nothing. */
    const long enough = (1L << 19) + (1L << 18) * sysconf(_SC_NPROCESSORS_ONLN);
    char line[256], words[160];
    snprintf(line, sizeof line, "ulimit -v %ld; " NO_DEVICES "quadpass check jacobi9/openmp -n 9",
             enough);
    expect(line, 0, "1 passed");
    snprintf(line, sizeof line, "ulimit -v %ld; " NO_DEVICES "quadpass check jacobi9/openmp -n 9",
             enough - 1);
    snprintf(words, sizeof words,
             "quadpass: about %.1f GB of address space are needed for so many processors, and the "
             "limit is %.1f; raise it (ulimit -v)\n",
             1024e-9 * (double)enough, 1024e-9 * (double)(enough - 1));
    expect(line, 3, words);
    snprintf(line, sizeof line, "ulimit -v %ld; quadpass shaders --text jacobi9/rgba.frag",
             enough - 1);
    expect(line, 0, "void main()");
}

/* A sentence says what is waited for, once, and errno is as before. */
TEST(an_interrupt_says_what_it_waits_for)
{
    static const char wanted[] =
        "quadpass: interrupted, waiting for the lamp; a second time ends at once\n";
    char text[256] = "";
    int ends[2], status;
    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        alarm(20);
        dup2(ends[1], STDERR_FILENO);
        cmd_catch_interrupt();
        qp_watch_library = "the lamp";
        errno = ENOENT;
        raise(SIGTERM);
        raise(SIGINT);
        _exit(cmd_interrupted && errno == ENOENT ? 0 : 1);
    }
    close(ends[1]);
    size_t length = 0;
    for (ssize_t got; (got = read(ends[0], text + length, sizeof text - 1 - length)) > 0;)
        length += (size_t)got;
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_string_equal(text, wanted);
}

GROUP(make_folder_in_haste, remove_folder)
