/* SPDX-License-Identifier: MIT */
/* Poisson in processes: with any number of ranks variants pass, and solves write the same file,
 * killed on the way or not. */
#include "support/mpirun.h"
#include "support/shell.h"
#include "support/support.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

/* A run of the command with `ranks` ranks, all of them begun at once: most of their time is
 * start-up. */
struct run {
    int ranks;
    const char *arguments;
    const char *words; /* words that it prints */
    bool draws;
    FILE *pipe;
};

static struct run runs[] = {
    {1, "check 'poisson5/mpi_*' --size 13x11", " 0 failed", true, NULL},
    {2, "check 'poisson5/mpi_*' --size 13x11", " 0 failed", true, NULL},
    {3, "check 'poisson5/mpi_*' --size 13x11", " 0 failed", true, NULL},
    {4, "check 'poisson5/mpi_*' --size 13x11", " 0 failed", true, NULL},
    {4, "check poisson5/mpi_sequential --size 5x3", "cannot cut 3 rows into 4 parts", false, NULL},
    {4, "check poisson5/mpi_sequential poisson5/mpi_openmp_red_black --size 5x4 --iterations 9",
     "2 passed, 0 failed, 0 skipped", false, NULL},
    {3, "check poisson5/mpi_sequential --size 40 --depth 5 --iterations 33", "1 passed", false,
     NULL},
#define SOLVE(row, file) \
    "solve poisson5 --size 33 --tolerance 1e-3 --method chebyshev --variant " row " -o " file
    {1, SOLVE("poisson5/mpi_sequential", "1.mtx"), "converged", false, NULL},
    {2, SOLVE("poisson5/mpi_sequential", "2.mtx"), "converged", false, NULL},
    {3, SOLVE("poisson5/mpi_sequential", "3.mtx"), "converged", false, NULL},
    {4, SOLVE("poisson5/mpi_sequential", "4.mtx"), "converged", false, NULL},
};

TEST(start_runs)
{
    char line[2048];
    need_mpirun();
    for (int i = 0; i < COUNT(runs); i++) {
        snprintf(line, sizeof line, "cd %s && %s" MPIRUN "-n %d %s %s 2>&1", folder,
                 runs[i].draws ? "" : NO_DEVICES, runs[i].ranks, QUADPASS, runs[i].arguments);
        runs[i].pipe = popen(line, "r");
        assert_non_null(runs[i].pipe);
    }
}

TEST(every_number_of_ranks_passes)
{
    need_mpirun();
    for (int i = 0; i < COUNT(runs); i++) {
        assert_non_null(runs[i].pipe);
        output[fread(output, 1, sizeof output - 1, runs[i].pipe)] = '\0';
        const int status = pclose(runs[i].pipe);
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || strstr(output, runs[i].words) == NULL)
            fail_msg("%d ranks, '%s': not '%s' but\n%s", runs[i].ranks, runs[i].arguments,
                     runs[i].words, output);
    }
}

/* Also that of threads, and of one whole. */
TEST(solves_write_the_same_file)
{
    char line[1024];
    need_mpirun();
    snprintf(line, sizeof line, "cd %s && " NO_DEVICES "%s %s && " NO_DEVICES "%s %s", folder,
             QUADPASS, SOLVE("poisson5/sequential", "whole.mtx"), QUADPASS,
             SOLVE("poisson5/parts_sequential", "parts.mtx"));
    expect(line, 0, "converged");
    for (const char *const *file = (const char *const[]){"1", "2", "3", "4", "parts", NULL};
         *file != NULL; file++) {
        snprintf(line, sizeof line, "cd %s && cmp whole.mtx %s.mtx", folder, *file);
        assert_int_equal(shell(line), 0);
    }
}

/* Two ranks write checkpoints until they are killed; three go on from the last, and end as one
 * whole does. */
TEST(a_killed_solve_goes_on_with_other_ranks)
{
    static const char solve[] = "solve poisson5 --size 129 --method jacobi --variant poisson5/";
    char line[2048];
    need_mpirun();
    snprintf(line, sizeof line,
             "cd %s && { " NO_DEVICES MPIRUN "-n 2 sh -c '[ $OMPI_COMM_WORLD_RANK = 0 ] || "
             "(while [ ! -f c.qpc ]; do sleep 0.05; done; kill -KILL $$) & "
             "exec %s %smpi_sequential -o killed.mtx --checkpoint c.qpc --every 0' "
             ">killed.txt 2>&1; } ; [ $? = %d ] && [ ! -e killed.mtx ]",
             folder, QUADPASS, solve, 128 + SIGKILL);
    assert_int_equal(shell(line), 0);
    snprintf(line, sizeof line,
             "cd %s && " NO_DEVICES MPIRUN
             "-n 3 %s %smpi_sequential -o resumed.mtx --resume c.qpc 2>&1",
             folder, QUADPASS, solve);
    expect(line, 0, "it went on from c.qpc");
    snprintf(line, sizeof line,
             "cd %s && " NO_DEVICES "%s %ssequential -o unbroken.mtx && "
             "cmp resumed.mtx unbroken.mtx",
             folder, QUADPASS, solve);
    assert_int_equal(shell(line), 0);
}

GROUP(make_folder, remove_folder)
