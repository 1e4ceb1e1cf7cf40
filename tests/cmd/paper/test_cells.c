/* SPDX-License-Identifier: MIT */
/* Cells of the tables of bench --paper that are worked out here, from runs that are made up. */
/* wrap: fake_*s.c */
#include "support/fake_runs.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tools/cmd/cmd.h"
#include "tools/cmd/paper/bench_paper.h"

/* Unlike the files of test_tables.c, which RENEW=1 writes anew, no run writes these. GLUP/s of a
 * variant at this width, as the runs that are made up answer (tests/support/fake_runs.c): */
static double rate(int width, const char *row)
{
    return (1000.0 + width) / 1000.0 / fake_factor(row, &(struct qp_style){0});
}

/* The first line of `text` that begins so, blanks before it aside, has these words somewhere, one
 * blank between them. */
__attribute__((format(printf, 3, 4))) static void cells(const char *text, const char *begin,
                                                        const char *format, ...)
{
    char words[128], squeezed[256];
    size_t used = 0;
    va_list values;
    va_start(values, format);
    vsnprintf(words, sizeof words, format, values);
    va_end(values);
    const char *line = text + strspn(text, " \n");
    while (*line != '\0' && strncmp(line, begin, strlen(begin)) != 0) {
        line += strcspn(line, "\n");
        line += strspn(line, " \n");
    }
    for (; *line != '\0' && *line != '\n' && used + 2 < sizeof squeezed; line++) {
        if (*line != ' ' || squeezed[used - 1] != ' ')
            squeezed[used++] = *line;
    }
    snprintf(squeezed + used, sizeof squeezed - used, " ");
    if (strstr(squeezed, words) == NULL)
        fail_msg("not '%s' in the line '%s' that begins with '%s'", words, squeezed, begin);
}

static const char *from(const char *text, const char *head)
{
    const char *at = strstr(text, head);
    if (at == NULL)
        fail_msg("nowhere '%s' in:\n%s", head, text);
    return at;
}

/* 20 flops an update. */
TEST(cells_of_paper_1)
{
    static const char one[] = "jacobi9/vertex", four[] = "jacobi9/vertex_systems";
    const char *text = fake_command(command_run, "bench --paper 1");
    for (int n = 64; n <= 2048; n *= 2) {
        char begin[32];
        snprintf(begin, sizeof begin, "%d ", n * n);
        cells(text, begin, " %.0f %.0f %.4f %.4f 100 ", 2e4 * rate(n, four), 2e4 * rate(n, one),
              rate(n, four), rate(n, one));
    }
}

/* Seconds of one elimination, of two that are timed together. */
TEST(cells_of_paper_2)
{
    static const char *const rows[] = {"gauss_jordan/sgesv", "gauss_jordan/basic",
                                       "gauss_jordan/doublebuffered", "gauss_jordan/branched"};
    const char *text = fake_command(command_run, "bench --paper 2 --size 300 --iterations 2");
    for (int i = 0; i < COUNT(rows); i++) {
        char begin[64];
        snprintf(begin, sizeof begin, "%s ", rows[i]);
        cells(text, begin, " %.5f ", 1e-9 * 301 * 300 / rate(301, rows[i]));
    }
    cells(text, "1 - branched / doublebuffered", " %.3f ",
          1.0 - rate(301, rows[2]) / rate(301, rows[3]));
}

/* Seconds of 1000 steps, from 20, at two widths. */
TEST(cells_of_paper_3)
{
    static const char *const rows[] = {"jacobi9/cuda_simple", "jacobi9/cuda_aligned",
                                       "jacobi9/cuda_2d"};
    const char *text = fake_command(command_run, "bench --paper 3 --size 511x1024 --iterations 20");
    for (int n = 508; n <= 511; n += 3) {
        char begin[8];
        snprintf(begin, sizeof begin, "%d ", n);
        cells(from(text, "\nseconds of 1000 steps\n"), begin, "%d ~%.3f ~%.3f ~%.3f ", n,
              1.024e-3 * n / rate(n, rows[0]), 1.024e-3 * n / rate(n, rows[1]),
              1.024e-3 * n / rate(n, rows[2]));
        cells(from(text, "\nGLUP/s\n"), begin, "%d %.4f %.4f %.4f ", n, rate(n, rows[0]),
              rate(n, rows[1]), rate(n, rows[2]));
    }
}

/* The made-up GB/s are ten times the rate, and a tenth more for each of the parameter. */
TEST(cells_of_paper_4)
{
    static const char *const heads[] = {"\nUnaligned access", "\nInterleaved access"};
    static const char *const rows[][3] = {
        {"access/cuda_simple", "access/cuda_no_l1", "access/cuda_ldg"},
        {"access/cuda_simple", "access/cuda_no_l1", "access/cuda_staged"}};
    const char *text = fake_command(command_run, "bench --paper 4 --size 32 --budget 0.5");
    for (int p = 1; p <= 16; p *= 2) {
        char begin[8];
        snprintf(begin, sizeof begin, "%d ", p);
        for (int k = 0; k < COUNT(heads); k++)
            cells(from(text, heads[k]), begin, "%d %.1f %.1f %.1f ", p,
                  10.0 * rate(32, rows[k][0]) + 0.1 * p, 10.0 * rate(32, rows[k][1]) + 0.1 * p,
                  10.0 * rate(32, rows[k][2]) + 0.1 * p);
    }
}

/* 5 flops and 8 or 9.125 bytes an update; transfers are hidden where they take a fifth of the
 * time. */
TEST(cells_of_paper_5)
{
    static const char *const rows[] = {"poisson5/sequential", "poisson5/sequential_vectors",
                                       "poisson5/threads"};
    const double step = 1e-9 * 300 * 300 / rate(300, "poisson5/rgba"), moves = 3e-6 * 300;
    const char *text = fake_command(command_run, "bench --paper 5 --size 300 --budget 0.5");
    for (int i = 0; i < COUNT(rows); i++) {
        char begin[64];
        snprintf(begin, sizeof begin, "300  %s ", rows[i]);
        cells(text, begin, " %.3f %.2f %.2f %.2f ", rate(300, rows[i]), 5.0 * rate(300, rows[i]),
              8.0 * rate(300, rows[i]), 9.125 * rate(300, rows[i]));
    }
    cells(text, "the variant itself", " %.2f %.1f %% %.0f ", 1e3 * moves,
          100.0 * moves / (moves + 32.0 * step), ceil(4.0 * moves / step - 1e-6));
}

/* Either of two variants that fails at the few steps which are tried ends its line. */
TEST(failures_end_lines)
{
    static const char *const rows[] = {"jacobi9/vertex", "jacobi9/vertex_systems"};
    for (int k = 0; k < COUNT(rows); k++) {
        fake.failing = rows[k];
        int runs = 0;
        for (const char *at = fake_command(command_run, "bench --paper 1 --size 64 --budget 5");
             (at = strstr(at, " repeats, ")) != NULL; at++)
            runs++;
        assert_int_equal(runs, 1);
    }
}

/* A variant that fails on a grid has no course of rates there. */
TEST(courses_are_of_rates)
{
    static const char course[] = "\n  n = 256: T = 1 ";
    fake.opens = true;
    fake.failing = "poisson5/threads_bound";
    fake.failing_width = 256;
    const char *text = fake_command(command_run, "bench --paper 5 --size 1024");
    assert_null(strstr(from(text, course) + 1, course));
    assert_null(strstr(text, "nan"));
}

/* Each run of both models has its record: those of the tables' lines, and those that the models are
 * made from. */
TEST(runs_of_models_are_recorded)
{
    int records = 0, lines = 0;
    fake.opens = true;
    for (const char *at = fake_command(command_run, "bench --paper 5 --size 64 --csv -");
         (at = strchr(at, '\n')) != NULL; at++) {
        records += strncmp(at, "\npoisson5/hybrid_cuda,", 22) == 0;
        double of, at0, at1, ratio;
        lines += sscanf(at, "%lf %% %lf%lf%lf", &of, &at0, &at1, &ratio) == 4;
    }
    assert_int_equal(lines, 24);
    assert_int_equal(records, 55);
}

/* Lines by their tags, the first of several; those after the last that was measured are left
 * out. */
TEST(lines_are_tagged)
{
    static struct paper_bench bench = {.lines = 3,
                                       .line = {{.tag = 7}, {.tag = 9}, {.tag = 9}, {.tag = 8}}};
    assert_int_equal(paper_tagged(&bench, 7), 0);
    assert_int_equal(paper_tagged(&bench, 9), 1);
    assert_int_equal(paper_tagged(&bench, 8), -1);
    bench.line[1].left_out = true;
    for (int line = 0; line < 4; line++)
        assert_int_equal(paper_left_out(&bench, line), line % 2);
    bench.lines = 4;
    assert_int_equal(paper_tagged(&bench, 8), 3);
}

/* Runs a paper's command, and then with its records in place of the runs: the text between the
 * two words is the same. */
static void take_records(const char *words, const char *first, const char *last)
{
    static const char path[] = QP_BUILD_DIR "/tests/given.json";
    static char ran[1 << 16];
    char line[512];
    const struct fake_orders orders = fake;
    snprintf(line, sizeof line, "%s --json %s", words, path);
    snprintf(ran, sizeof ran, "%s", from(fake_command(command_run, line), first));
    fake = orders;
    snprintf(line, sizeof line, "%s --from %s", words, path);
    const char *given = from(fake_command(command_run, line), first);
    assert_null(strstr(given, "\n> ")); /* nothing ran */
    const size_t length = (size_t)(from(ran, last) - ran);
    if (strncmp(ran, given, length) != 0) {
        size_t at = 0;
        while (ran[at] == given[at])
            at++;
        fail_msg("%s: from runs '%.200s' and from records '%.200s'", words, ran + at, given + at);
    }
    remove(path);
}

static struct qp_cuda card = {
    .name = "a card", .major = 9, .multiprocessors = 100, .double_ratio = 2, .clock_khz = 1000000};

/* Lines of Markdown, whose figures have three digits. */
TEST(tables_are_markdown)
{
    static const char *const lines[] = {
        "\nReduction of as many values\n\n| | GTX 280, GB/s | GTX 280, / copy | 64 x 64, GB/s | "
        "64 x 64, / copy |\n| --- | ---: | ---: | ---: | ---: |\n",
        "\n| 7: several values a thread | 77.21 | 0.687 | 6.22 | 1.59 \u00b14 % |\n",
        "\n| tiles of 32 x 32 | 75.1 | 0.668 | 5.2 to 9.7 | - |\n",
        "\n| padded / naive | 17.6 | | 0.692 \u00b11 % | |\n", "\n| 3 | 5.16 | 4.97 | skip |\n"};
    fake.absent = "_staged";
    const char *text = fake_command(command_run, "bench --paper 4 --size 64 --markdown");
    for (int i = 0; i < COUNT(lines); i++)
        from(text, lines[i]);
    fake.card = &card;
    text = fake_command(command_run, "bench --paper 5 --size 64 --markdown");
    from(text, " |\n\nBlocks of 16 x 8 unknowns took"); /* a table ends before words */
}

TEST(records_of_other_papers_are_refused)
{
    static const char path[] = QP_BUILD_DIR "/tests/others.json";
    fake_command(command_run, "bench --paper 2 --size 300x400 --iterations 2 --json " QP_BUILD_DIR
                              "/tests/others.json");
    from(fake_command(command_run, "bench --paper 3 --from " QP_BUILD_DIR "/tests/others.json"),
         "quadpass: --from: no record is of paper 3; repeat the run's --size, --iterations and "
         "--budget\n= 2");
    assert_int_equal(remove(path), 0);
}

TEST(records_give_the_same_tables)
{
    take_records("bench --paper 2 --size 300x400 --iterations 2", "\nPaper 2", "\n= 0");
    take_records("bench --paper 3 --size 511x1024", "\nTable 1:", "\nLeft out by --size");
    fake.absent = "_shuffle";
    fake.failing = "access/cuda_no_l1";
    take_records("bench --paper 4 --size 5000x4090", "\nPaper 4", "\n= 1");
    fake.card = &card;
    fake.latency = 4e-4;
    take_records("bench --paper 5 --size 2048", "figures 7 to 10", "Paper 5, figures 14");
    fake.card = &card;
    take_records("bench --paper 5 --iterations 3", "figures 7 to 10", "Paper 5, figures 14");
}
