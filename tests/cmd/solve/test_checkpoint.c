/* SPDX-License-Identifier: MIT */
/* `quadpass solve --checkpoint` and `--resume` as a script uses them: runs that are killed at
 * random moments end bit for bit as one in one piece, and what is refused makes no output. */
#include "support/shell.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "toolkit/base/random.h"

/* Solves on the processor, long enough to be killed in. */
static const char *const solves[] = {
    GR " --variant jacobi9/openmp --refine",
    GR " two.mtx --variant jacobi9/openmp --refine",
    "full.mtx --variant gauss_jordan/loop --refine",
    "poisson5 -n 63 --method jacobi --refine",
    "poisson5 -n 127 --method sor --refine",
    "poisson5 -n 127 --method chebyshev --tolerance 1e-9",
};

static int make_files(void **state)
{
    uint64_t random = 7;
    char path[256];
    if (make_folder(state) != 0)
        return -1;
    snprintf(path, sizeof path, "%s/full.mtx", folder);
    FILE *file = fopen(path, "w");
    fprintf(file, "%%%%MatrixMarket matrix array real general\n150 150\n");
    for (int k = 0; k < 150 * 150; k++)
        fprintf(file, "%.6f\n", qp_random(&random, -1.0, 1.0));
    fclose(file);
    snprintf(path, sizeof path, "%s/two.mtx", folder);
    file = fopen(path, "w");
    fprintf(file, "%%%%MatrixMarket matrix array real general\n900 2\n");
    for (int k = 0; k < 1800; k++)
        fprintf(file, "%d\n", k % 13 - 5);
    return fclose(file);
}

/* Runs a solve, and sends it a signal `seconds` later, or none. The streams are in said.txt. */
static void run_until(const char *arguments, double seconds, int number)
{
    char line[1024];
    int status;
    snprintf(line, sizeof line,
             "cd %s && exec env __EGL_VENDOR_LIBRARY_FILENAMES=/dev/null QUADPASS_DEVICE= "
             "QUADPASS_REQUIRE= OMP_WAIT_POLICY=passive " QUADPASS " solve %s >said.txt 2>&1",
             folder, arguments);
    const pid_t child = fork();
    if (child == 0) {
        execl("/bin/sh", "sh", "-c", line, (char *)NULL);
        _exit(127);
    }
    if (number != 0)
        nanosleep(&(struct timespec){(time_t)seconds, (long)(1e9 * (seconds - (long)seconds))},
                  NULL);
    if (number != 0)
        kill(child, number);
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFEXITED(status) && WEXITSTATUS(status) > 1)
        fail_msg("solve %s ended with %d", arguments, WEXITSTATUS(status));
}

/* A solve, killed `kills` times on its way, and then left to its end. */
static void kill_and_resume(const char *solve, int kills, int number, uint64_t *random)
{
    char arguments[512];
    snprintf(arguments, sizeof arguments, "cd %s && rm -f c.qpc* pieces.mtx*", folder);
    shell(arguments);
    for (int k = 0; k <= kills; k++) {
        snprintf(arguments, sizeof arguments, "%s -o pieces.mtx --checkpoint c.qpc --every 0%s",
                 solve, exists("c.qpc") ? " --resume c.qpc" : "");
        run_until(arguments, k < kills ? qp_random(random, 0.02, 0.25) : 0.0,
                  k < kills ? number : 0);
    }
    snprintf(arguments, sizeof arguments, "cd %s && cat said.txt && cmp one.mtx pieces.mtx",
             folder);
    expect(arguments, 0, "converged");
}

TEST(killed_runs_end_as_one_in_one_piece)
{
    uint64_t random = (uint64_t)time(NULL);
    print_message("seed %llu\n", (unsigned long long)random);
    for (int k = 0; k < COUNT(solves); k++) {
        char line[512];
        snprintf(line, sizeof line, "%s -o one.mtx", solves[k]);
        run_until(line, 0.0, 0);
        for (int i = 0; i < (support_takes_long() ? 3 : 1); i++) {
            kill_and_resume(solves[k], 3, SIGKILL, &random);
            if (support_takes_long())
                kill_and_resume(solves[k], 3, SIGINT, &random);
        }
    }
}

TEST(refusals_leave_no_file)
{
    char line[512];
    snprintf(
        line, sizeof line,
        "cd %s && rm -f x.mtx && quadpass solve poisson5 -n 31 --method jacobi --checkpoint c.qpc "
        "--every 0 && cp c.qpc d.qpc && head -c 500 d.qpc >cut.qpc && mkdir -p closed && chmod 500 "
        "closed",
        folder);
    expect(line, 0, "converged");
    static const struct {
        const char *arguments, *words;
    } cases[] = {
        {"--resume c.qpc --tolerance 1e-4", "c.qpc: is a checkpoint of a solve whose tolerance is"},
        {"--resume cut.qpc", "cut.qpc: is damaged: it was cut"},
        {"--resume full.mtx", "full.mtx: is no checkpoint of a solve"},
        {"--resume none.qpc", "none.qpc: cannot be read: No such file"},
        {"--checkpoint x.mtx", "-o and --checkpoint name one file"},
        {"--checkpoint nowhere/c.qpc", "nowhere/c.qpc: cannot be written"},
        {"--checkpoint -", "--checkpoint takes a file, and not standard output"},
        {"--checkpoint /dev/full", "/dev/full: is no file that a checkpoint could replace"},
        {"--every 5", "--every goes with --checkpoint"},
        {"--checkpoint c.qpc --every never", "--every takes a positive number, not 'never'"},
        {"--checkpoint c.qpc --every -1", "--every takes a positive number"},
    };
    for (int k = 0; k < COUNT(cases); k++) {
        snprintf(line, sizeof line, "solve poisson5 -n 31 --method jacobi -o x.mtx %s",
                 cases[k].arguments);
        assert_refused(line, cases[k].words);
    }
    assert_refused("solve poisson5 -n 31 --method jacobi -o c.qpc --resume c.qpc",
                   "-o would write over c.qpc, which is read");
    if (geteuid() != 0)
        assert_refused("solve poisson5 -n 31 --method jacobi -o x.mtx --checkpoint closed/c.qpc",
                       "closed/c.qpc: cannot be written");
}

/* A file is kept at the end, and takes what steps it lacks; --resume alone writes none. */
TEST(files_are_kept)
{
    char line[512];
    snprintf(line, sizeof line,
             "cd %s && quadpass solve poisson5 -n 31 --method jacobi -o x.mtx && "
             "quadpass solve poisson5 -n 31 --method jacobi -o y.mtx --resume d.qpc && "
             "cmp x.mtx y.mtx && cmp c.qpc d.qpc",
             folder);
    expect(line, 0, "; it went on from d.qpc");
}

GROUP(make_files, remove_folder)
