/* SPDX-License-Identifier: MIT */
/* Threads that wait beside busy neighbours: in a program that has the generated programs' second
 * team they sleep at once, and the user's own choice stays. */
#include "../templates/c/cores.h"
#include "support/shell.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

/* ---- The program that is tested: this one, started anew with arguments ---- */

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Milliseconds of the processor while all threads but the first wait for it. */
static double wait_together(int threads)
{
    enum { ROUNDS = 10, AWAY = 40000 };
    const double start = cpu_seconds();
    for (int i = 0; i < ROUNDS; i++) {
#pragma omp parallel num_threads(threads)
        if (omp_get_thread_num() == 0)
            usleep(AWAY);
    }
    return 1e3 * (cpu_seconds() - start);
}

/* Keeps all processors busy from before to after `yields`. */
static bool yield_beside(int neighbours, int threads)
{
    pid_t busy[256];
    const int count = neighbours < COUNT(busy) ? neighbours : COUNT(busy);
    for (int i = 0; i < count; i++) {
        busy[i] = fork();
        while (busy[i] == 0)
            ;
    }
    usleep(20000);
    const bool yields = yield_cores(threads);
    for (int i = 0; i < count; i++) {
        kill(busy[i], SIGKILL);
        waitpid(busy[i], NULL, 0);
    }
    usleep(20000); /* the team is made meanwhile */
    return yields;
}

/* Prints whether it yields beside so many neighbours, and what waiting then costs. */
SCENE(act)
{
    const char *neighbours = words[0], *threads = words[1];
    const bool yields = yield_beside(atoi(neighbours), atoi(threads));
    printf("%s, again %s, waits for %.3f ms\n", yields ? "yields" : "keeps",
           yield_cores(atoi(threads)) ? "yields" : "keeps", wait_together(omp_get_num_procs()));
    return 0;
}

/* ---- Tests ---- */

static int enter_folder(void **state)
{
    return make_folder(state) == 0 ? chdir(folder) : -1;
}

#define UNSET "env -u OMP_WAIT_POLICY -u GOMP_SPINCOUNT "

/* Milliseconds that act() says in an environment, with these words. */
static double waits(const char *environment, int neighbours, int threads, const char *words)
{
    char command[512];
    double milliseconds = -1.0;
    snprintf(command, sizeof command, UNSET "%s %s/tests/stencil/test_cores act %d %d", environment,
             QP_BUILD_DIR, neighbours, threads);
    expect(command, 0, words);
    assert_int_equal(sscanf(strstr(output, "waits for "), "waits for %lf", &milliseconds), 1);
    return milliseconds;
}

TEST(busy_neighbours)
{
    const int processors = (int)sysconf(_SC_NPROCESSORS_ONLN);
    if (processors < 2 || omp_get_num_procs() < 2)
        skip();
    const double spins = waits("", 0, 1, "keeps, again keeps"),
                 yields = waits("", processors, processors, "yields, again keeps");
    assert_true(yields < 0.5 * spins);
    assert_true(waits("", processors, 2, "yields") < 0.5 * spins);
}

/* Nothing is done where the user chose, or one thread has nobody to wait for. */
TEST(choices)
{
    const int processors = (int)sysconf(_SC_NPROCESSORS_ONLN);
    waits("OMP_WAIT_POLICY=active", processors, processors + 1, "keeps, again keeps");
    waits("GOMP_SPINCOUNT=1000", processors, processors + 1, "keeps, again keeps");
    waits("", processors, 1, "keeps, again keeps");
}

/* `solve` has the second team before it reads its right-hand side. */
TEST(command)
{
    if (omp_get_num_procs() < 2)
        skip();
    expect(
        "mkfifo b.npy; for i in $(seq $(nproc)); do while :; do :; done & busy=\"$busy $!\"; done; "
        "sleep 0.1; for policy in passive ''; do "
        "if [ $policy ]; then export OMP_WAIT_POLICY=$policy; else unset OMP_WAIT_POLICY; fi; "
        "unset GOMP_SPINCOUNT; quadpass solve " GR " b.npy >said.txt 2>&1 & all=$!; "
        "exec 3>b.npy; ls /proc/$all/task | wc -l; exec 3>&-; wait $all; done; kill $busy",
        0, "");
    int passive = 0, usual = 0;
    assert_int_equal(sscanf(output, "%d %d", &passive, &usual), 2);
    assert_true(passive >= 1);
    assert_true(usual > passive);
}

GROUP(enter_folder, remove_folder)
