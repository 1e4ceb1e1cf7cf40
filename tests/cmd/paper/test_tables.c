/* SPDX-License-Identifier: MIT */
/* The tables of bench --paper to the letter, from runs that are made up: what is asked for at which
 * size and how often, sizes under a budget, each figure in its place, rates and ratios. */
/* wrap: fake_*s.c */
#include "support/fake_runs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "toolkit/base/clock.h"
#include "tools/cmd/cmd.h"
#include "tools/cmd/paper/peaks.h"

void __real_peaks_of_gpu(int ordinal, struct peaks *out);
void __real_peaks_of_cpu(struct peaks *out);
double __real_peaks_triad(void);
double __real_octave_solve(int unknowns);

static void paper(const char *name, const char *line)
{
    fake_compare(name, fake_command(command_run, line));
}

/* All sizes with the paper's steps; one variant is wrong at one of them. */
TEST(paper_1)
{
    fake.failing = "jacobi9/vertex_systems";
    fake.failing_width = 256;
    paper("paper1", "bench --paper 1");
}

/* A budget of a minute and twelve seconds for three lines, of which the second needs far more than
 * its part for the two steps that are tried, and the first all thousand. */
TEST(budget_of_paper_1)
{
    fake.slowness = 350.0;
    fake.absent = "_systems";
    paper("paper1_budget",
          "bench --paper 1 --size 300x256 --budget 1.2 --repeats 2 --pingpong copy --target 2d");
}

/* Lines that were measured are printed; the one under way is not. */
TEST(interrupted_paper_1)
{
    fake.interrupted = 3;
    paper("paper1_interrupted", "bench --paper 1 --size 512");
    fake.interrupted = 1;
    fake.refuses = fake.unfinished = true;
    paper("paper1_refused", "bench --paper 1 --iterations 9 --size 64");
    fake.interrupted = 2;
    fake.ends = QP_DEVICE; /* nor is that an interrupt */
    fake.sentence = "the device is gone";
    fake_append(command_run, "bench --paper 1 --budget 2 --size 64");
    fake.interrupted = 1;
    fake.refuses = fake.unfinished = true;
    fake_append(command_run, "bench --paper 1 --budget 2 --size 64 --csv -");
    fake.interrupted = 3;
    fake_append(command_run, "bench --paper 1 --iterations 1 --size 256 --csv -");
    fake_compare_all("paper1_ended");
}

/* Sizes that fit in four minutes, then the strips; Octave as far as it goes. */
TEST(paper_2)
{
    fake.slowness = 350.0;
    fake.octave = 0.05;
    fake.octave_most = 1500;
    paper("paper2", "bench --paper 2");
}

static void said(const char *text, const char *words)
{
    if (strstr(text, words) == NULL)
        fail_msg("nowhere '%s' in:\n%s", words, text);
}

/* Strips have their words where there was time for the first of them, too. */
TEST(paper_2_names_what_is_left_out)
{
    fake.slowness = 4900.0;
    said(fake_command(command_run, "bench --paper 2"),
         "\nNot run within 4 minutes: 1500 2000 2500 3000 3500 4000, strips of 2000; more ");
}

TEST(small_paper_2)
{
    fake.absent = "sgesv";
    paper("paper2_small", "bench --paper 2 --size 300x400 --iterations 2");
}

static struct qp_cuda card = {
    .name = "a card", .major = 9, .multiprocessors = 100, .double_ratio = 2, .clock_khz = 1000000};

/* On a device that is not CUDA's card, whose peaks are of CUDA's variants alone. */
TEST(paper_3)
{
    fake.card = &card;
    fake.ordinal = -1;
    fake.absent = "cuda_2d";
    paper("paper3", "bench --paper 3");
}

/* From fewer steps, without the square grid but for its row; there is no card. */
TEST(small_paper_3)
{
    fake.ordinal = -1;
    paper("paper3_small", "bench --paper 3 --size 511x1024 --iterations 20 --repeats 2");
}

TEST(paper_4)
{
    fake.absent = "_shuffle";
    fake.failing = "access/cuda_no_l1";
    paper("paper4", "bench --paper 4");
}

TEST(small_paper_4)
{
    paper("paper4_small", "bench --paper 4 --size 5000x4090");
    paper("paper4_smallest", "bench --paper 4 --size 32 --budget 0.5");
}

/* Models of a grid that two parts share, as both are and 18 times apart. */
TEST(paper_5)
{
    fake.absent = "persistent";
    fake.opens = true;
    paper("paper5", "bench --paper 5 --size 1024");
    fake.absent = "hybrid";
    paper("paper5_without", "bench --paper 5 --size 300 --budget 0.5");
}

/* Figure 12: transfers are hidden sooner than the thesis's, as they were, or later; by none but the
 * variant's own way. */
TEST(transfers_of_paper_5_are_judged)
{
    static const char *const lines[] = {"bench --paper 5 --size 300", "bench --paper 5 --size 200",
                                        "bench --paper 5 --size 128"};
    static const char *const words[] = {"hidden after 50 (sooner)", "hidden after 69 (still so)",
                                        "hidden after 101 (later)"};
    for (int i = 0; i < COUNT(lines); i++) {
        fake.absent = "transfer/";
        said(fake_command(command_run, lines[i]), words[i]);
    }
}

/* Figure 16, left: a lower part that takes longer than its slowness says is slowed anew, and stays
 * as it is within a fifth; parts that are far apart by themselves are not. */
TEST(parts_of_paper_5_are_apart)
{
    static const char line[] = "bench --paper 5 --size 64";
    fake.sluggish = 1.5;
    const char *text = fake_command(command_run, line);
    said(text, "here, 18.0 times apart, the lower part taking each step 4 times:");
    fake.sluggish = 1.15;
    text = fake_command(command_run, line);
    said(text, "here, 20.7 times apart, the lower part taking each step 6 times:");
    fake.sluggish = 1.5;
    fake.interrupted = 7; /* as it is measured anew */
    fake.refuses = fake.unfinished = true;
    text = fake_command(command_run, line);
    said(text, "here, 27.0 times apart, the lower part taking each step 6 times:");
    fake.lower = 3e-5;
    text = fake_command(command_run, line);
    said(text, "the parts above are 30.0 times apart as they are");
    assert_null(strstr(text, "taking each step"));
    fake.lower = 1e-12;
    said(fake_command(command_run, line),
         " times apart, the lower part taking each step 1000 times:");
}

/* A variant that fails in a model is one more failure; what was measured before and after is
 * kept. */
TEST(a_failed_model_leaves_the_rest)
{
    fake.failing = "poisson5/hybrid_cuda";
    const char *text = fake_command(command_run, "bench --paper 5 --size 64 --csv -");
    said(text, "not all models could be made: poisson5/hybrid_cuda: it is wrong\n");
    said(text, "Paper 5, figure 21");
    said(text, "best here: ");
    said(text, "\npoisson5/sequential,cpu,");
    said(text, " 1 failed, ");
    said(text, "\n= 1\n");
}

/* All sizes on two cards, and what figure 16 wants of them. */
TEST(paper_5_on_cards)
{
    fake.card = &card;
    fake.cards = 2;
    fake.absent = "fringe_threads";
    paper("paper5_cards", "bench --paper 5");
}

/* A card; grids of which half the best rate is reached from 1024 on, or below; runs that begin
 * slowly. */
TEST(paper_5_on_a_card)
{
    fake.card = &card;
    fake.latency = 4e-4;
    fake.failing = "poisson5/cuda_double_hilo";
    fake.failing_width = 512;
    paper("paper5_card", "bench --paper 5 --size 2048 --iterations 3");
    fake.card = &card;
    fake.latency = 4e-4;
    paper("paper5_card_small", "bench --paper 5 --size 1024 --repeats 1");
}

TEST(a_run_that_cannot_be)
{
    fake.ends = QP_DEVICE;
    fake.sentence = "the device is gone";
    paper("paper1_gone", "bench --paper 1 --size 128 --iterations 1");
}

/* Cards of three generations, of which two have half the cores. */
TEST(peaks)
{
    static const int cards[][6] = {{7, 5, 10, 1000000, 5000000, 256},
                                   {8, 0, 10, 1000000, 5000000, 256},
                                   {8, 6, 10, 1000000, 5000000, 256},
                                   {9, 0, 20, 2000000, 2500000, 512}};
    static const double gflops[] = {1280.0, 1280.0, 2560.0, 10240.0};
    struct peaks found;
    for (int i = 0; i < COUNT(cards); i++) {
        struct qp_cuda asked = {
            .major = cards[i][0], .minor = cards[i][1], .multiprocessors = cards[i][2]};
        asked.clock_khz = cards[i][3];
        asked.memory_clock_khz = cards[i][4];
        asked.memory_bus_bits = cards[i][5];
        fake.card = &asked;
        __real_peaks_of_gpu(0, &found);
        assert_true(fabs(found.gflops - gflops[i]) < 1e-6);
        assert_true(fabs(found.gbytes_per_s - 320.0) < 1e-6);
    }
    fake.card = NULL;
    __real_peaks_of_gpu(0, &found);
    assert_true(isnan(found.gflops) && isnan(found.gbytes_per_s));
}

TEST(every_run_may_fail)
{
    assert_int_equal(fake_endings(command_run, "bench --paper 1 --size 128"), 2);
    assert_int_equal(fake_endings(command_run, "bench --paper 1 --size 128 --budget 1"), 8);
    assert_int_equal(fake_endings(command_run, "bench --paper 2 --size 128"), 2);
    assert_int_equal(fake_endings(command_run, "bench --paper 3 --size 511x1024"), 3);
    assert_int_equal(fake_endings(command_run, "bench --paper 4 --size 128"), 38);
    assert_int_equal(fake_endings(command_run, "bench --paper 5 --size 64"), 4);
}

/* Bytes of this process in memory. */
static double resident(void)
{
    double pages = 0.0;
    FILE *file = fopen("/proc/self/statm", "r");
    assert_true(file != NULL && fscanf(file, "%*f%lf", &pages) == 1 && fclose(file) == 0);
    return pages * (double)sysconf(_SC_PAGESIZE);
}

/* Operations and bytes by a clock that goes on a second at each look: 12 chains of 2^18
 * multiply-adds in 16 floats, three arrays of 2^24 values. */
TEST(peaks_of_a_processor)
{
    struct peaks found;
    fake.tick = 1.0;
    const double begin = qp_clock();
    __attribute__((unused)) const double before = resident();
    __real_peaks_of_cpu(&found);
    assert_true(qp_clock() - begin == 1.0 + 3 * 3 * 2); /* three measures, each the best of three */
    assert_true(fabs(found.gflops - 2e-9 * 12 * 16 * 0x1p18) < 1e-9);
    assert_true(fabs(found.gbytes_per_s - 3e-9 * 4 * 0x1p24) < 1e-9);
    assert_true(fabs(__real_peaks_triad() - 3e-9 * 8 * 0x1p24) < 1e-9);
#ifndef QP_DEBUG /* sanitizers keep what was freed, and report leaks themselves */
    assert_true(resident() < before + 0x1p26);
#endif
    fake.tick = 0.0;
}

/* A program called octave-cli of the test's. */
static double octave(const char *script)
{
    FILE *file = fopen(QP_BUILD_DIR "/tests/octave/octave-cli", "w");
    assert_non_null(file);
    fprintf(file, "#!/bin/sh\ncd " QP_BUILD_DIR "/tests/octave\nprintf %%s \"$*\" >words\n%s\n",
            script);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(system("chmod +x " QP_BUILD_DIR "/tests/octave/octave-cli"), 0);
    return __real_octave_solve(7);
}

/* Its seconds count where it ends well and prints a number. */
TEST(seconds_of_octave)
{
    char path[4096], words[512] = "";
    const char *before = getenv("PATH");
    char *kept = strdup(before != NULL ? before : "");
    assert_int_equal(system("mkdir -p " QP_BUILD_DIR "/tests/octave"), 0);
    snprintf(path, sizeof path, QP_BUILD_DIR "/tests/octave:%s", kept);
    setenv("PATH", path, 1);
    assert_true(octave("read x || echo 0.25") == 0.25); /* there is nothing to read */
    FILE *file = fopen(QP_BUILD_DIR "/tests/octave/words", "r");
    assert_true(file != NULL && fgets(words, sizeof words, file) != NULL);
    fclose(file);
    assert_non_null(strstr(words, "--norc --quiet --eval single([2 1; 1 3]) "));
    assert_non_null(strstr(words, " n = 7; A = rand(n, \"single\")"));
    assert_non_null(strstr(words, " printf(\"%.6f\\n\", toc)"));
    assert_true(isnan(octave("echo 0.25; exit 1")));
    assert_true(isnan(octave("echo error")));
    assert_true(isnan(octave("true")));
    assert_true(isnan(octave("rm words octave-cli; exit 3")));
    setenv("PATH", kept, 1);
    free(kept);
}

static void all_papers(void)
{
    char line[64];
    for (int paper = 1; paper <= 5; paper++) {
        snprintf(line, sizeof line, "bench --paper %d --size 128 --csv -", paper);
        fake.octave = 0.05;
        fake.octave_most = 1500;
        fake_command(command_run, line);
    }
    fake.card = &card;
    fake_command(command_run, "bench --paper 5 --size 128");
    fake.ends = QP_DEVICE;
    fake.sentence = "the device is gone";
    fake_command(command_run, "bench --paper 2 --size 128");
}

TEST(nothing_is_left)
{
    fake_leaves_nothing(all_papers);
}
