/* SPDX-License-Identifier: MIT */
/* MPI as the link between processes: this program starts itself by mpirun, once for each scene. */
#include "support/support.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/status.h"
#include "baseline/baseline.h"
#include "baseline/ranks.h"
#include "engines/link.h"
#include "support/mpirun.h"

/* ---- Scenes: what each process does, which exits with 1 where something is wrong ---- */

static const double patience = 1.5;

static int own, all;

#define DEMAND(true_here)                                                        \
    do {                                                                         \
        if (!(true_here)) {                                                      \
            printf("rank %d, line %d: not so: %s\n", own, __LINE__, #true_here); \
            fflush(stdout);                                                      \
            exit(1);                                                             \
        }                                                                        \
    } while (0)

/* Byte i of what process k sends for the n-th time. */
static unsigned char byte(int k, int n, size_t i)
{
    return (unsigned char)(31 * k + 7 * n + (int)(i % 251) + (int)(i / 251) + 1);
}

static void fill(unsigned char *at, size_t bytes, int k, int n)
{
    for (size_t i = 0; i < bytes; i++)
        at[i] = byte(k, n, i);
}

static bool is_filled(const unsigned char *at, size_t bytes, int k, int n)
{
    for (size_t i = 0; i < bytes; i++) {
        if (at[i] != byte(k, n, i))
            return false;
    }
    return true;
}

/* In both directions round a ring at once, two of a kind under way; the ends of the chain have no neighbour. */
static void ring(size_t bytes, bool closed)
{
    const int up = own + 1 < all ? own + 1 : closed ? 0 : -1;
    const int down = own > 0 ? own - 1 : closed ? all - 1 : -1;
    unsigned char *data = calloc(6, bytes + 1);
    struct qp_message messages[6];
    unsigned char *at[6];
    for (int i = 0; i < 6; i++)
        at[i] = data + (size_t)i * (bytes + 1);
    fill(at[0], bytes, own, 0);
    fill(at[1], bytes, own, 1);
    fill(at[2], bytes, own, 2);
    messages[0] = (struct qp_message){down, 5, true, at[3], bytes};
    messages[1] = (struct qp_message){down, 5, true, at[4], bytes};
    messages[2] = (struct qp_message){up, 6, true, at[5], bytes};
    messages[3] = (struct qp_message){up, 5, false, at[0], bytes};
    messages[4] = (struct qp_message){up, 5, false, at[1], bytes};
    messages[5] = (struct qp_message){down, 6, false, at[2], bytes};
    qp_link_mpi.start(messages, 2);
    qp_link_mpi.start(messages + 2, 4);
    qp_link_mpi.wait();
    DEMAND(down < 0 || is_filled(at[3], bytes, down, 0));
    DEMAND(down < 0 || is_filled(at[4], bytes, down, 1));
    DEMAND(up < 0 || is_filled(at[5], bytes, up, 2));
    DEMAND(down >= 0 || (at[3][0] == 0 && at[4][0] == 0));
    for (int i = 0; i < 6; i++)
        DEMAND(at[i][bytes] == 0);
    free(data);
}

static void spreading(void)
{
    static const size_t sizes[] = {0, 1, 999, 70001};
    for (int k = 0; k < COUNT(sizes); k++) {
        const int from = (all - 1) * (k % 2);
        unsigned char *data = calloc(sizes[k] + 1, 1);
        if (own == from)
            fill(data, sizes[k], from, k);
        qp_link_mpi.spread(from, data, sizes[k]);
        DEMAND(is_filled(data, sizes[k], from, k) && data[sizes[k]] == 0);
        free(data);
    }
}

/* Shares of 0, 1001, 2002 ... bytes with gaps of three between them, which stay as they are. */
static void joining(void)
{
    size_t first[8], bytes[8], end = 3;
    for (int k = 0; k < all; k++) {
        first[k] = end;
        bytes[k] = (size_t)k * 1001;
        end += bytes[k] + 3;
    }
    unsigned char *data = calloc(end, 1);
    fill(data + first[own], bytes[own], own, 0);
    qp_link_mpi.join(data, first, bytes);
    for (int k = 0; k < all; k++) {
        DEMAND(is_filled(data + first[k], bytes[k], k, 0));
        for (size_t i = 1; i <= 3; i++)
            DEMAND(data[first[k] - i] == 0);
    }
    free(data);
}

static void agreeing(void)
{
    DEMAND(qp_link_mpi.agree(QP_OK) == QP_OK);
    const bool fails = own == all - 1;
    if (fails)
        qp_fail(QP_NO_MEMORY, "no memory for a test");
    DEMAND(qp_link_mpi.agree(fails ? QP_NO_MEMORY : QP_OK) == QP_NO_MEMORY);
    char expected[64];
    snprintf(expected, sizeof expected, "rank %d: no memory for a test", all - 1);
    DEMAND(strcmp(qp_error(), fails ? "no memory for a test" : expected) == 0);
    if (all > 1) /* two that fail: the worse, and then the lower */
        DEMAND(qp_link_mpi.agree(own == 0   ? QP_UNSUPPORTED
                                 : own == 1 ? QP_DEVICE
                                            : QP_OK) == QP_DEVICE);
    DEMAND(qp_link_mpi.agree(QP_OK) == QP_OK);
}

static void everything(void)
{
    static const size_t sizes[] = {0, 1, 3, 4096, 4097, 65537, 300001};
    DEMAND(own == baseline_rank() && all == baseline_ranks());
    DEMAND(qp_link_mpi.node_rank() == own); /* all are on this machine */
    for (int k = 0; k < 2 * COUNT(sizes); k++)
        ring(sizes[k / 2], all > 2 && k % 2 == 0);
    spreading();
    joining();
    agreeing();
    baseline_mpi_piece = 1000;
    ring(4097, false);
    ring(3000, false);
    spreading();
    joining();
    qp_link_mpi.wait();
}

/* One computes for longer than the others' patience, and says so. */
static void slow(void)
{
    for (int i = 0; i < 12 && own == 0; i++) {
        usleep(200000);
        qp_link_mpi.progress();
    }
    DEMAND(qp_link_mpi.agree(QP_OK) == QP_OK);
}

/* One does something alone that nobody can look into. */
static void apart(void)
{
    if (own == 0) {
        qp_link_mpi.alone(true);
        usleep(2000000);
        qp_link_mpi.alone(false);
    }
    spreading();
}

static void fails(void)
{
    if (own == 1) {
        baseline_end_all(QP_NO_MEMORY, 3, "no memory for a test");
        exit(1);
    }
    spreading();
}

/* What all know ends them all by itself. */
static void fail_together(void)
{
    if (own == 1)
        qp_fail(QP_NO_MEMORY, "no memory for a test");
    enum qp_status status = qp_link_mpi.agree(own == 1 ? QP_NO_MEMORY : QP_OK);
    baseline_end_all(status, 3, qp_error());
    exit(own == 0 ? 3 : 0);
}

/* Stops, or dies by a signal, while others wait for its message, and a third for theirs. */
static void lose(int number)
{
    int got = 0;
    ring(10, false);
    if (own == 1)
        raise(number);
    for (int k = 0; k < 2; k++) {
        const struct qp_message message = {k == 0 ? own + 1 < all ? own + 1 : -1 : own - 1, 1,
                                           k == 0, &got, sizeof got};
        qp_link_mpi.start(&message, 1);
        qp_link_mpi.wait();
    }
    exit(1);
}

/* Computes without end. */
static void hang(void)
{
    while (own == 1)
        usleep(1000);
    spreading();
}

static const struct {
    const char *name;
    void (*run)(void);
} scenes[] = {{"everything", everything},       {"slow", slow}, {"apart", apart}, {"fails", fails},
              {"fail_together", fail_together}, {"hang", hang}};

static int play(const char *name)
{
    baseline_set_stall(patience);
    if (qp_link_mpi.open() != QP_OK)
        return 1;
    own = qp_link_mpi.rank();
    all = qp_link_mpi.ranks();
    if (strcmp(name, "stop") == 0 || strcmp(name, "die") == 0)
        lose(name[0] == 's' ? SIGSTOP : SIGKILL);
    for (int i = 0; i < COUNT(scenes); i++) {
        if (strcmp(name, scenes[i].name) == 0) {
            scenes[i].run();
            return 0;
        }
    }
    return 1;
}

/* ---- Runs, all at once: most of their time is start-up and patience ---- */

struct run {
    const char *scene;
    int processes;
    FILE *pipe;
    double begin;
};

static struct run runs[] = {
    {"everything", 1, NULL, 0}, {"everything", 2, NULL, 0},    {"everything", 3, NULL, 0},
    {"everything", 4, NULL, 0}, {"slow", 2, NULL, 0},          {"apart", 2, NULL, 0},
    {"fails", 3, NULL, 0},      {"fail_together", 3, NULL, 0}, {"stop", 4, NULL, 0},
    {"die", 3, NULL, 0},        {"hang", 3, NULL, 0}};

static char output[1 << 16];

/* Runs begin with the first test, since tests alone can be skipped. */
static void start_runs(void **state)
{
    char line[1024];
    (void)state;
    need_mpirun();
    for (int i = 0; i < COUNT(runs); i++) {
        snprintf(line, sizeof line, MPIRUN "-n %d %s/tests/baseline/test_mpi %s 2>&1",
                 runs[i].processes, QP_BUILD_DIR, runs[i].scene);
        runs[i].begin = qp_clock();
        runs[i].pipe = popen(line, "r");
        assert_non_null(runs[i].pipe);
    }
}

/* Must end with this code, and print this sentence of the link's once, or none (NULL). */
static void end_run(const char *scene, int processes, int code, const char *sentence)
{
    struct run *run = runs;
    while (strcmp(run->scene, scene) != 0 || run->processes != processes)
        run++;
    need_mpirun();
    assert_non_null(run->pipe);
    const size_t got = fread(output, 1, sizeof output - 1, run->pipe);
    output[got] = '\0';
    const int status = pclose(run->pipe);
    const char *own_words = strstr(output, "quadpass: ");
    const char *expected = sentence != NULL ? strstr(output, sentence) : NULL;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != code || own_words != expected ||
        (own_words != NULL && strstr(own_words + 1, "quadpass: ") != NULL))
        fail_msg("%d processes of '%s' gave %d, not %d with '%s':\n%s", processes, scene,
                 WEXITSTATUS(status), code, sentence != NULL ? sentence : "", output);
}

static void messages_arrive(void **state)
{
    (void)state;
    for (int processes = 1; processes <= 4; processes++)
        end_run("everything", processes, 0, NULL);
}

static void living_ones_are_waited_for(void **state)
{
    (void)state;
    end_run("slow", 2, 0, NULL);
    end_run("apart", 2, 0, NULL);
}

static void failing_one_ends_all(void **state)
{
    (void)state;
    end_run("fails", 3, 3, "quadpass: rank 1: no memory for a test\n");
    end_run("fail_together", 3, 3, NULL);
}

static void killed_one_ends_all(void **state)
{
    (void)state;
    end_run("die", 3, 128 + SIGKILL, NULL);
}

static void stopped_one_is_found(void **state)
{
    (void)state;
    end_run("stop", 4, 3,
            "quadpass: rank 0 has waited 1.5 s for rank 1, which makes no progress (--stall)\n");
}

static void hanging_one_is_found(void **state)
{
    (void)state;
    end_run("hang", 3, 3, "quadpass: rank 1 has made no progress for 1.5 s (--stall)\n");
}

/* No mpirun: a group of one, and MPI is not even started. */
static void one_alone(void **state)
{
    unsigned char data[4] = {1, 2, 3, 4};
    const size_t first = 0, bytes = sizeof data;
    const struct qp_message none = {-1, 0, true, data, sizeof data};
    (void)state;
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

/* What starters of processes leave in the environment. */
static void numbers_from_the_environment(void **state)
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
    (void)state;
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

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(start_runs),
                                       cmocka_unit_test(numbers_from_the_environment),
                                       cmocka_unit_test(one_alone),
                                       cmocka_unit_test(messages_arrive),
                                       cmocka_unit_test(failing_one_ends_all),
                                       cmocka_unit_test(killed_one_ends_all),
                                       cmocka_unit_test(living_ones_are_waited_for),
                                       cmocka_unit_test(stopped_one_is_found),
                                       cmocka_unit_test(hanging_one_is_found)};
    if (argc > 1) {
        baseline_lend_mpi();
        return play(argv[1]);
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
