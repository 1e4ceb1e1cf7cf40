/* SPDX-License-Identifier: MIT */
/* The papers' figures. */
#include "support/shell.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/cmd/paper/papers.h"

#define LIST QP_SOURCE_DIR "/docs/papers/places.csv"

/* ---- Figures ---- */

static void parse(const char *text, struct paper_table *table, enum qp_status status)
{
    assert_int_equal(paper_parse("t.csv", text, strlen(text), table), status);
}

TEST(tables_are_read)
{
    struct paper_table table;
    parse("host,what,seconds\nA,x,1.5\nA,y,\nB,x,-2\n", &table, QP_OK);
    assert_int_equal(table.columns, 3);
    assert_int_equal(table.lines, 3);
    assert_int_equal(paper_line(&table, "A", NULL), 0);
    assert_int_equal(paper_line(&table, "B", "x"), 2);
    assert_int_equal(paper_line(&table, "B", "y"), -1);
    assert_true(paper_number(&table, 0, "seconds") == 1.5);
    assert_true(paper_number(&table, 2, "seconds") == -2.0);
    assert_true(isnan(paper_number(&table, 1, "seconds")));
    assert_true(isnan(paper_number(&table, 0, "what")));
    assert_true(isnan(paper_number(&table, 0, "minutes")));
    assert_true(isnan(paper_number(&table, -1, "seconds")));
}

TEST(bad_tables_are_refused)
{
    struct paper_table table;
    char many[PAPER_BYTES + 1];
    parse("a,b\n1,2\n1\n", &table, QP_BAD_INPUT);
    support_assert_sentence("t.csv:3: not as many cells as the head has, 2");
    parse("a,b\n1,2,3\n", &table, QP_BAD_INPUT);
    support_assert_sentence("t.csv:2");
    parse("a,b,c,d,e,f,g,h,i\n", &table, QP_BAD_INPUT);
    support_assert_sentence("columns");
    memset(many, 'a', sizeof many);
    assert_int_equal(paper_parse("t.csv", many, PAPER_BYTES, &table), QP_BAD_INPUT);
    support_assert_sentence("bytes");
    for (int i = 0; i < PAPER_LINES + 2; i++)
        memcpy(many + 2 * i, "1\n", 2);
    assert_int_equal(paper_parse("t.csv", many, 2 * (PAPER_LINES + 2), &table), QP_BAD_INPUT);
    support_assert_sentence("lines");
    assert_int_equal(paper_read("paper9-table1.csv", &table), QP_BAD_INPUT);
    support_assert_sentence("paper9-table1.csv");
}

/* Columns of words at the left of a file. */
static int words_of(const char *name)
{
    static const struct {
        const char *begin;
        int words;
    } files[] = {{"paper1", 0}, {"paper2", 1},           {"paper3", 2}, {"paper4-reduction", 0},
                 {"paper4", 1}, {"paper5-platforms", 1}, {"paper5", 2}};
    int i = 0;
    while (strncmp(name, files[i].begin, strlen(files[i].begin)) != 0)
        i++;
    return files[i].words;
}

/* After the words at the left there are numbers, or nothing, in every file. */
TEST(cells_are_numbers)
{
    int files = 0, figures = 0;
    for (const struct qp_own_file *file = paper_files; file->name != NULL; file++) {
        struct paper_table table;
        if (strstr(file->name, ".csv") == NULL)
            continue;
        assert_ok(paper_read(file->name, &table));
        assert_true(table.lines >= 3);
        files++;
        const int words = words_of(file->name);
        for (int i = 0; i < table.lines * table.columns; i++) {
            int line = i / table.columns, column = i % table.columns;
            if (column < words || table.cell[line][column][0] == '\0')
                continue;
            if (!(paper_number(&table, line, table.head[column]) > 0.0))
                fail_msg("%s:%d: '%s'", file->name, line + 2, table.cell[line][column]);
            figures++;
        }
    }
    assert_int_equal(files, 18);
    assert_int_equal(figures, 42 - 1 + 15 * 7 + 6 + 45 + 30 + 20 + 9 + 9 + 3 * (36 - 4) + 28 + 6 +
                                  11 + 2 * 13 + 28 + 9 + 42);
}

/* Words of descriptions (tools/cmd/paper/described.h) that begin a line, or a cell. */
static void must_be_word(const char *file, const char *line, size_t length)
{
    static const char words[] = " # table rows line grid > theirs columns columns* across at cells "
                                "cells* ran bare down lines end plot =value =saved =time =theirs "
                                "=number =share =rate =ratio =judged =faster =seconds =steps ";
    char word[32];
    snprintf(word, sizeof word, " %.*s ", (int)length, line);
    if (length > 0 && strstr(words, word) == NULL)
        fail_msg("%s: no word is '%.60s'", file, line);
}

/* Variants that tables describe exist, but for those of libraries that are not everywhere. */
static void must_be_variant(const char *file, const char *part)
{
    char name[128];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(part, " |\n"), part);
    char op[128];
    snprintf(op, sizeof op, " %.*s ", (int)strcspn(name, "/"), name);
    if (strchr(name, '/') == NULL ||
        strstr(" access gauss_jordan jacobi9 poisson5 reduce transfer transpose ", op) == NULL)
        return;
    if (qp_variant_find(name) == NULL && strcmp(name, "reduce/cuda_cub") != 0 &&
        strcmp(name, "gauss_jordan/sgesv") != 0)
        fail_msg("%s: no variant is '%s'", file, name);
}

TEST(descriptions_name_what_there_is)
{
    int descriptions = 0;
    for (const struct qp_own_file *file = paper_files; file->name != NULL; file++) {
        if (strstr(file->name, ".table") == NULL)
            continue;
        char *text = calloc(1, file->size + 1), *rest = text, *line;
        assert_non_null(text);
        memcpy(text, file->text, file->size);
        while ((line = strsep(&rest, "\n")) != NULL) {
            must_be_word(file->name, line, strcspn(line, " "));
            if (line[0] == '#' || line[0] == '>')
                continue;
            for (char *at = line; (at = strpbrk(at, " |")) != NULL;) {
                must_be_variant(file->name, ++at);
                if (at[0] == '=' && at[1] >= 'a')
                    must_be_word(file->name, at, strcspn(at, " "));
            }
        }
        free(text);
        descriptions++;
    }
    assert_int_equal(descriptions, 5);
}

static double figure(const char *file, const char *first, const char *second, const char *head)
{
    struct paper_table table;
    assert_ok(paper_read(file, &table));
    return paper_number(&table, paper_line(&table, first, second), head);
}

TEST(some_figures_by_eye)
{
    assert_true(figure("paper1-results.csv", "4096", NULL, "5900u_rgba") == 807.0);
    assert_true(figure("paper1-results.csv", "1048576", NULL, "6800_red") == 2358.0);
    assert_true(isnan(figure("paper1-results.csv", "4194304", NULL, "5900u_red")));
    assert_true(figure("paper2-overview.csv", "matlab", NULL, "4000") == 22.8);
    assert_true(figure("paper2-overview.csv", "branched", NULL, "1000") == 0.748);
    assert_true(figure("paper3-table1.csv", "PH_280", "CUDA_2D", "seconds_516") == 0.477);
    assert_true(figure("paper3-table2.csv", "AT_8800GT", "CUDA_Shared", "seconds_508") == 0.630);
    assert_true(figure("paper3-table3.csv", "OP_8600GT", "OGL_RGBA", "speedup") == 16.54);
    assert_true(isnan(figure("paper3-table3.csv", "PH_280", "OGL_RGBA", "seconds")));
    assert_true(figure("paper4-transposition.csv", "copy_interleaved", NULL, "gbytes_per_s") ==
                2.7);
    assert_true(figure("paper4-reduction.csv", "7", NULL, "gbytes_per_s") == 77.21);
    assert_true(figure("paper4-balance.csv", "GA100", NULL, "flops_per_float") == 50.0);
    assert_true(figure("paper4-memory.csv", "latency_most_cycles", NULL, "value") == 600.0);
}

/* Paper 2's ratios are times over MATLAB's, its branch improvement what one quad saves of the
 * double- buffered time. All are as they should be, to the last digit printed: none of its figures
 * is a slip. */
TEST(ratios_of_paper_2_follow_from_times)
{
    static const char file[] = "paper2-overview.csv";
    static const char *const rows[] = {"matlab",   "6800ultra", "6800gt",     "doublebuffered",
                                       "branched", "notex",     "alwayscache"};
    for (int size = 1000; size <= 4000; size += 500) {
        char head[16], ratio[32];
        snprintf(head, sizeof head, "%d", size);
        double matlab = figure(file, "matlab", NULL, head);
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            snprintf(ratio, sizeof ratio, "ratio_%s", rows[i]);
            double wanted = figure(file, rows[i], NULL, head) / matlab;
            if (!(fabs(figure(file, ratio, NULL, head) - wanted) <= 0.00501))
                fail_msg("%s at %d should be %g", ratio, size, wanted);
        }
        double saved =
            1.0 - figure(file, "branched", NULL, head) / figure(file, "doublebuffered", NULL, head);
        assert_true(fabs(figure(file, "branch_improvement", NULL, head) - saved) <= 0.000501);
    }
}

/* Paper 4 counts 4 bytes an element, and calls 1e9 of them MElem. */
TEST(rates_of_paper_4_follow_from_bytes)
{
    static const char file[] = "paper4-reduction.csv";
    static const char *const implementations[] = {"1", "2", "3", "4", "5", "6", "7"};
    for (size_t i = 0; i < sizeof implementations / sizeof implementations[0]; i++) {
        double bytes = figure(file, implementations[i], NULL, "gbytes_per_s");
        double elements = figure(file, implementations[i], NULL, "gelements_per_s");
        assert_true(fabs(bytes / 4.0 - elements) <= 0.00501);
    }
}

/* The slides' speed-up of a transposition is that of padded tiles over the first kernel;
 * Kepler's 1.5 MB are twice Fermi's 768 KB. */
TEST(speedup_of_paper_4_follows_from_rates)
{
    static const char rates[] = "paper4-transposition.csv", memory[] = "paper4-memory.csv";
    const double speedup = figure(rates, "padded", NULL, "gbytes_per_s") /
                           figure(rates, "naive", NULL, "gbytes_per_s");
    assert_true(fabs(figure(memory, "transposition_speedup", NULL, "value") - speedup) <= 0.0501);
    assert_true(figure(memory, "kepler_l2_most_kbytes", NULL, "value") ==
                2.0 * figure(memory, "fermi_l2_kbytes", NULL, "value"));
}

/* Strips of b x b quads share the vertices between two: N / b strips of N / b quads each. */
TEST(vertices_of_paper_2_follow_from_sizes)
{
    static const char file[] = "paper2-vertices.csv", size[] = "2000";
    double quads = 2000.0 / figure(file, "block", NULL, size);
    double vertices = figure(file, "vertices_per_pass", NULL, size);
    assert_true(fabs(2.0 * quads * (quads + 1.0) / vertices - 1.0) < 0.01);
    double seconds = vertices * figure(file, "passes", NULL, size) /
                     figure(file, "claimed_vertices_per_s", NULL, size);
    assert_true(fabs(figure(file, "seconds_computed", NULL, size) - seconds) < 0.005);
    assert_true(fabs(figure(file, "seconds_seen", NULL, size) / seconds - 5.0) < 0.5);
}

static const char *const hosts[] = {"OP_8600GT", "AT_8800GT", "PH_280"};

/* Seconds of table 3; those of the CPU follow from any card's time and speed-up. */
static double seconds_of(const char *host, const char *name)
{
    if (strcmp(name, "CPU") != 0)
        return figure("paper3-table3.csv", host, name, "seconds");
    return figure("paper3-table3.csv", host, "CUDA_Shared", "seconds") *
           figure("paper3-table3.csv", host, "CUDA_Shared", "speedup");
}

static void near(double got, double wanted, double part, const char *what, const char *host)
{
    if (!(fabs(got - wanted) <= part * wanted + 0.006))
        fail_msg("%s, %s: %g should be %g", what, host, got, wanted);
}

/* Tables 4 to 8 follow from table 3 by these counts an update, and percentages from peaks. */
TEST(rates_follow_from_times)
{
    static const struct {
        const char *file, *name, *rate;
        double count, unit;
    } cases[] = {
        {"paper3-table4.csv", "CPU", "gflops", 37, 1e9},
        {"paper3-table5.csv", "CUDA_Shared", "gflops", 30, 1e9},
        {"paper3-table5.csv", "CUDA_Texture", "gflops", 33, 1e9},
        {"paper3-table5.csv", "OGL_Luminance", "gflops", 36, 1e9},
        {"paper3-table5.csv", "OGL_RGBA", "gflops", 36, 1e9},
        {"paper3-table6.csv", "CPU", "gbytes_per_s", 80, 0x1p30},
        {"paper3-table7.csv", "CUDA_Shared", "gbytes_per_s", 80, 0x1p30},
        {"paper3-table7.csv", "CUDA_Texture", "gbytes_per_s", 80, 0x1p30},
        {"paper3-table7.csv", "OGL_Luminance", "gbytes_per_s", 80, 0x1p30},
        {"paper3-table7.csv", "OGL_RGBA", "gbytes_per_s", 80, 0x1p30},
        {"paper3-table8.csv", "CUDA_Shared", "gbytes_per_s", 56, 0x1p30},
        {"paper3-table8.csv", "CUDA_Texture", "gbytes_per_s", 48, 0x1p30},
        {"paper3-table8.csv", "OGL_Luminance", "gbytes_per_s", 48, 0x1p30},
        {"paper3-table8.csv", "OGL_RGBA", "gbytes_per_s", 48, 0x1p30},
    };
    for (size_t i = 0; i < 3 * sizeof cases / sizeof cases[0]; i++) {
        const char *host = hosts[i % 3], *file = cases[i / 3].file, *name = cases[i / 3].name;
        double rate = figure(file, host, name, cases[i / 3].rate), peak, seconds;
        if (isnan(rate)) {
            assert_true(strncmp(name, "OGL", 3) == 0 && strcmp(host, "PH_280") == 0);
            continue;
        }
        seconds = seconds_of(host, name);
        near(rate, 1000.0 * 0x1p20 * cases[i / 3].count / cases[i / 3].unit / seconds, 1e-3, file,
             host);
        peak = figure(file, host, name, "peak");
        near(figure(file, host, name, "percent_of_peak"), 100.0 * rate / peak, 7e-3, file, host);
    }
}

/* Our variants count as the papers do. */
TEST(rows_have_the_papers_flops)
{
    assert_true(qp_variant_cost(qp_variant_find("jacobi9/vertex")).flops == 20.0);
    assert_true(qp_variant_cost(qp_variant_find("jacobi9/amorim_cpu")).flops == 37.0);
    assert_true(qp_variant_cost(qp_variant_find("jacobi9/luminance")).flops == 36.0);
    assert_true(qp_variant_cost(qp_variant_find("jacobi9/rgba")).flops == 36.0);
}

/* Paper 5's shares of streaming bandwidth: 5 flops and 9.125 bytes an update, 18.25 in double. One
 * card's does not follow, and README says so. */
TEST(shares_of_paper_5_follow_from_bytes)
{
    struct paper_table tuned, platforms;
    int follow = 0;
    assert_ok(paper_read("paper5-tuned.csv", &tuned));
    assert_ok(paper_read("paper5-platforms.csv", &platforms));
    const int streaming = paper_line(&platforms, "streaming_gbytes_per_s", NULL);
    for (int line = 0; line < tuned.lines; line++) {
        const double bytes = strcmp(tuned.cell[line][1], "double") == 0 ? 18.25 : 9.125;
        const double share = paper_number(&tuned, line, "percent_of_streaming");
        const double peak = paper_number(&platforms, streaming, tuned.cell[line][0]);
        const double ours = 100.0 * paper_number(&tuned, line, "gflops") / 5.0 * bytes / peak;
        follow += fabs(ours - share) < 0.1;
        if (strcmp(tuned.cell[line][0], "fx570") == 0)
            assert_true(fabs(ours - 65.0) < 0.1 && share == 62.8);
    }
    assert_int_equal(follow, 3);
}

static double of_paper_5(const char *name)
{
    return figure("paper5-figures.csv", name, NULL, "value");
}

/* Figures of the thesis's text: their sum, read from it once more, finds a wrong digit; some follow
 * from others. */
TEST(figures_of_paper_5_follow)
{
    struct paper_table table;
    double sum = 0.0;
    assert_ok(paper_read("paper5-figures.csv", &table));
    for (int line = 0; line < table.lines; line++)
        sum += paper_number(&table, line, "value");
    assert_true(fabs(sum - 11185.23) < 0.005);
    const double gbytes = figure("paper5-tuned.csv", "c1060", "single", "gflops") /
                          of_paper_5("flops_an_update") * 9.125;
    const double peak = figure("paper5-platforms.csv", "peak_gbytes_per_s", NULL, "c1060");
    assert_true(fabs(100.0 * gbytes / peak - of_paper_5("percent_of_peak_c1060")) < 0.5);
    const double width = of_paper_5("best_block_width"), height = of_paper_5("best_block_height");
    const double fetches = 1.0 + 2.0 * (width + height) / (width * height); /* an unknown */
    assert_true(fabs(4.0 / fetches - of_paper_5("fewer_fetches_by_shared_memory")) < 0.2);
    const double percent = of_paper_5("transfer_percent_of_32_steps_n4096_c870");
    const double steps = of_paper_5("steps_of_figure_12") * percent / (100.0 - percent);
    const double most = of_paper_5("steps_to_hide_transfers_most_n4096_c870");
    assert_true(fabs(steps / (steps + most) - 0.2) < 0.005);
    assert_true(of_paper_5("speedup_async_most") == of_paper_5("speedup_async3"));
}

/* Every file's name says paper and table; the README gives its units, the list its rows. */
TEST(every_file_has_its_place)
{
    for (const struct qp_own_file *file = paper_files; file->name != NULL; file++) {
        int paper, table, length = 0;
        char command[1024];
        bool numbered = sscanf(file->name, "paper%d-table%d.csv%n", &paper, &table, &length) == 2 &&
                        file->name[length] == '\0' && length > 0;
        assert_true(numbered || strstr(file->name, ".table") != NULL ||
                    strcmp(file->name, "paper1-results.csv") == 0 ||
                    strncmp(file->name, "paper2-", 7) == 0 ||
                    strncmp(file->name, "paper4-", 7) == 0 ||
                    strncmp(file->name, "paper5-", 7) == 0);
        snprintf(command, sizeof command,
                 "cd " QP_SOURCE_DIR "/docs/papers && grep '`%s`' README.md", file->name);
        expect(command, 0, file->name);
        if (!numbered)
            continue;
        snprintf(command, sizeof command, "grep -c '^%d,[^,]*table %d,' " LIST, paper, table);
        expect(command, 0, "");
        snprintf(command, sizeof command,
                 "grep '`%s` | %d |' " QP_SOURCE_DIR "/docs/papers/README.md", file->name, table);
        expect(command, 0, file->name);
    }
}

/* Figures of docs/papers/forgiven.csv: each is in the papers' files, or is a rule, which is a whole
 * number. */
TEST(forgiven_figures_are_the_papers)
{
    static const char missing[] =
        "cut -d, -f4 forgiven.csv | tr / '\\n' | grep '[.]' | sort -u | while read -r n; do "
        "grep -qE \",$n(,|\\$)\" paper[34]*.csv || echo \"no $n\"; done";
    char command[512];
    snprintf(command, sizeof command, "cd " QP_SOURCE_DIR "/docs/papers && ! (%s) | grep .",
             missing);
    expect(command, 0, "");
    snprintf(command, sizeof command,
             "cd " QP_SOURCE_DIR "/docs/papers && cut -d, -f4 forgiven.csv | grep -c '[.]'");
    expect(command, 0, "1");
}
