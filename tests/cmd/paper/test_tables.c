/* SPDX-License-Identifier: MIT */
/* The tables of bench --paper to the letter, from runs that are made up: what is asked for at which size and how often,
 * sizes under a budget, each figure in its place, rates and ratios. */
#include "support/fake_runs.h"

#include "cmd/cmd.h"

static void paper(const char *name, const char *line)
{
    fake_compare(name, fake_command(cmd_bench, line));
}

/* All sizes with the paper's steps; one row is wrong at one of them. */
static void paper_1(void **state)
{
    (void)state;
    fake.failing = "jacobi9/vertex_systems";
    fake.failing_width = 256;
    paper("paper1", "bench --paper 1");
}

/* A budget of a minute and twelve seconds for three lines, of which the second needs far more than its part for the two
 * steps that are tried, and the first all thousand. */
static void budget_of_paper_1(void **state)
{
    (void)state;
    fake.slowness = 300.0;
    fake.absent = "_systems";
    paper("paper1_budget",
          "bench --paper 1 --size 300x256 --budget 1.2 --repeats 2 --pingpong copy --target 2d");
}

/* Lines that were measured are printed; the one under way is not. */
static void interrupted_paper_1(void **state)
{
    (void)state;
    fake.interrupted = 4;
    paper("paper1_interrupted", "bench --paper 1 --size 512");
    fake.interrupted = 2;
    fake.refuses = fake.unfinished = true;
    paper("paper1_refused", "bench --paper 1 --iterations 9 --size 64");
}

/* Sizes that fit in four minutes, then the strips; Octave as far as it goes. */
static void paper_2(void **state)
{
    (void)state;
    fake.slowness = 100.0;
    fake.octave = 0.05;
    fake.octave_most = 1500;
    paper("paper2", "bench --paper 2");
}

static void small_paper_2(void **state)
{
    (void)state;
    fake.absent = "sgesv";
    paper("paper2_small", "bench --paper 2 --size 300x400 --iterations 2");
}

/* On a GPU that CUDA does not know; without its rows. */
static void paper_3(void **state)
{
    (void)state;
    fake.ordinal = -1;
    fake.absent = "cuda_2d";
    paper("paper3", "bench --paper 3");
}

/* From fewer steps, without the square grid but for its row. */
static void small_paper_3(void **state)
{
    (void)state;
    paper("paper3_small", "bench --paper 3 --size 511x1024 --iterations 20 --repeats 2");
}

static void paper_4(void **state)
{
    (void)state;
    fake.absent = "_shuffle";
    fake.failing = "access/cuda_no_l1";
    paper("paper4", "bench --paper 4");
}

static void small_paper_4(void **state)
{
    (void)state;
    paper("paper4_small", "bench --paper 4 --size 5000x4090");
    paper("paper4_smallest", "bench --paper 4 --size 32 --budget 0.5");
}

static void a_run_that_cannot_be(void **state)
{
    (void)state;
    fake.ends = QP_DEVICE;
    fake.sentence = "the device is gone";
    paper("paper1_gone", "bench --paper 1 --size 128 --iterations 1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(paper_1),
                                       cmocka_unit_test(budget_of_paper_1),
                                       cmocka_unit_test(interrupted_paper_1),
                                       cmocka_unit_test(paper_2),
                                       cmocka_unit_test(small_paper_2),
                                       cmocka_unit_test(paper_3),
                                       cmocka_unit_test(small_paper_3),
                                       cmocka_unit_test(paper_4),
                                       cmocka_unit_test(small_paper_4),
                                       cmocka_unit_test(a_run_that_cannot_be)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
