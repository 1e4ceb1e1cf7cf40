/* SPDX-License-Identifier: MIT */
/* MPI as the link between processes: this program starts itself by mpirun, once for each scene. */
#include "support/support.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lab/baseline/baseline.h"
#include "lab/baseline/ranks.h"
#include "lab/engines/parts/link.h"
#include "support/link_scenes.h"
#include "support/mpirun.h"
#include "toolkit/base/clock.h"
#include "toolkit/base/status.h"

/* ---- Runs, all at once: most of their time is start-up and patience ---- */

struct run {
    const char *scene;
    int processes;
    FILE *pipe;
};

static struct run runs[] = {
    {"everything", 1, NULL}, {"everything", 2, NULL},    {"everything", 3, NULL},
    {"everything", 4, NULL}, {"slow", 2, NULL},          {"apart", 2, NULL},
    {"fails", 3, NULL},      {"fail_together", 3, NULL}, {"stop", 4, NULL},
    {"die", 3, NULL},        {"hang", 3, NULL},          {"deadlock", 4, NULL}};

static char output[1 << 16];

/* Runs begin with the first test, since tests alone can be skipped. */
TEST(start_runs)
{
    char line[1024];
    need_mpirun();
    for (int i = 0; i < COUNT(runs); i++) {
        snprintf(line, sizeof line, MPIRUN "-n %d %s/tests/baseline/test_mpi play %s 2>&1",
                 runs[i].processes, QP_BUILD_DIR, runs[i].scene);
        runs[i].pipe = popen(line, "r");
        assert_non_null(runs[i].pipe);
    }
}

/* Must end with this code, and print a sentence of ours with these words, or none (NULL). */
static void end_run(const char *scene, int processes, int code, const char *words)
{
    struct run *run = runs;
    while (strcmp(run->scene, scene) != 0 || run->processes != processes)
        run++;
    need_mpirun();
    assert_non_null(run->pipe);
    const size_t got = fread(output, 1, sizeof output - 1, run->pipe);
    output[got] = '\0';
    const int status = pclose(run->pipe), ended = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    const char *first = strstr(output, "quadpass: ");
    const char *second = first != NULL ? strstr(first + 1, "quadpass: ") : NULL;
    const bool told = words != NULL ? first != NULL && strstr(first, words) != NULL : first == NULL;
    if (ended != code || !told || second != NULL)
        fail_msg("%d processes of '%s' gave %d, not %d with '%s' once:\n%s", processes, scene,
                 ended, code, words != NULL ? words : "", output);
}

TEST(messages_arrive)
{
    for (int processes = 1; processes <= 4; processes++)
        end_run("everything", processes, 0, NULL);
}

TEST(living_ones_are_waited_for)
{
    end_run("slow", 2, 0, NULL);
    end_run("apart", 2, 0, NULL);
}

TEST(failing_one_ends_all)
{
    end_run("fails", 3, 3, "rank 1: no memory for a test\n");
    end_run("fail_together", 3, 3, NULL);
}

TEST(killed_one_ends_all)
{
    end_run("die", 3, 128 + SIGKILL, NULL);
}

TEST(stopped_one_is_found)
{
    end_run("stop", 4, 3, "has waited 1 s, and rank 1 gives no answer (--stall)\n");
}

TEST(hanging_one_is_found)
{
    end_run("hang", 3, 3, "rank 1 has made no progress for 1 s (--stall)\n");
}

TEST(all_waiting_is_found)
{
    end_run("deadlock", 4, 3, "has waited 1 s, and all others wait too (--stall)\n");
}

/* No mpirun: a group of one, and MPI is not even started. */
TEST(one_alone)
{
    unsigned char data[4] = {1, 2, 3, 4};
    const size_t first = 0, bytes = sizeof data;
    const struct qp_message none = {-1, 0, true, data, sizeof data};
    baseline_lend_mpi();
    if (qp_link_mpi.open == NULL) {
        qp_fail(QP_UNSUPPORTED, "built without MPI");
        support_skip("mpi");
    }
    const double begin = qp_clock();
    assert_ok(qp_link_mpi.open());
    assert_true(qp_clock() - begin < 0.1);
    assert_int_equal(qp_link_mpi.rank() + qp_link_mpi.node_rank(), 0);
    assert_int_equal(qp_link_mpi.ranks(), 1);
    qp_link_mpi.start(&none, 1);
    qp_link_mpi.wait();
    qp_link_mpi.spread(0, data, sizeof data);
    qp_link_mpi.join(data, &first, &bytes);
    assert_memory_equal(data, "\1\2\3\4", 4);
    qp_fail(QP_DEVICE, "a test");
    assert_int_equal(qp_link_mpi.agree(QP_DEVICE), QP_DEVICE);
    support_assert_sentence("a test");
    assert_ok(qp_link_mpi.agree(QP_OK));
    qp_link_mpi.progress();
    qp_link_mpi.alone(true);
    baseline_end_all(QP_NO_MEMORY, 3, "a test"); /* does nothing */
}

/* Variables that starters of processes leave in the environment. */
TEST(numbers_from_the_environment)
{
    static const struct {
        const char *set;
        int rank, ranks;
    } cases[] = {{"", 0, 1},
                 {"OMPI_COMM_WORLD_RANK=2 OMPI_COMM_WORLD_SIZE=5 PMIX_RANK=2", 2, 5},
                 {"OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=1", 0, 1},
                 {"PMI_RANK=3 PMI_SIZE=4", 3, 4},
                 {"PMIX_RANK=1 SLURM_STEP_NUM_TASKS=8", 1, 8},
                 {"PMIX_RANK=0", 0, 2},
                 {"SLURM_PROCID=3 SLURM_STEP_NUM_TASKS=4", 3, 4},
                 {"SLURM_PROCID=0", 0, 1}, /* a batch script */
                 {"SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=1", 0, 1},
                 {"OMPI_COMM_WORLD_RANK=x PMI_RANK=1x", 0, 1}};
    static const char *const names[] = {
        "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK", "PMI_SIZE",
        "SLURM_PROCID",         "SLURM_STEP_NUM_TASKS"};
    for (int k = 0; k < COUNT(cases); k++) {
        char line[256], *rest = line, *word;
        for (int i = 0; i < COUNT(names); i++)
            unsetenv(names[i]);
        snprintf(line, sizeof line, "%s", cases[k].set);
        while ((word = strsep(&rest, " ")) != NULL && word[0] != '\0') {
            char *value = strchr(word, '=');
            *value = '\0';
            setenv(word, value + 1, 1);
        }
        assert_int_equal(baseline_rank(), cases[k].rank);
        assert_int_equal(baseline_ranks(), cases[k].ranks);
        for (int i = 0; i < COUNT(names); i++)
            unsetenv(names[i]);
    }
}

SCENE(play)
{
    return words[0] != NULL ? link_play(words[0]) : 1;
}
