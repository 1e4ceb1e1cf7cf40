/* SPDX-License-Identifier: MIT */
/* The tables that `bench --paper` prints of grids and arrays, and what it refuses. */
#include "support/paper.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TEST(bad_use_is_2)
{
    expect("quadpass bench --help", 0, "--paper");
    expect("quadpass bench --paper 6", 2, "--paper takes 1, 2, 3, 4 or 5, not '6'");
    expect("quadpass bench --paper 12", 2, "not '12'");
    expect("quadpass bench --paper one", 2, "not 'one'");
    expect("quadpass bench --paper 1 --budget 0", 2, "positive");
    expect("quadpass bench --paper 1 --budget soon", 2, "positive");
    expect("quadpass bench --budget 1", 2, "--budget goes with --paper");
    expect("quadpass bench --paper 1 --budget 1 --iterations 5", 2, "--budget chooses the steps");
    expect("quadpass check --paper 1", 2, "belongs to bench");
    expect("quadpass bench --paper 1 openmp", 2, "the paper names them");
    expect("quadpass bench --paper 3 --variant openmp", 2, "the paper names them");
    expect("quadpass bench --paper 2 branched", 2, "the paper names them");
    expect("quadpass bench --paper 3 --problem wraps", 2, "the paper names them");
    expect("quadpass bench --paper 1 --pingpong all", 2, "each variant in one way");
    expect("quadpass bench --paper 3 --target all", 2, "each variant in one way");
    expect("quadpass bench --paper 4 --block 8", 2, "each variant in one way");
    expect("quadpass bench --paper 5 --parts 3", 2, "each variant in one way");
    expect("quadpass bench --paper 5 --depth 3", 2, "each variant in one way");
    expect("quadpass bench --paper 5 --alpha 2", 2, "each variant in one way");
    for (int paper = 1; paper <= 5; paper++) {
        char line[64];
        snprintf(line, sizeof line, "quadpass bench --paper %d --device 99", paper);
        expect(line, 3, "99");
    }
    expect("quadpass bench --from r.json", 2, "--from goes with --paper");
    expect("quadpass bench --markdown", 2, "--markdown goes with --paper");
    expect("quadpass bench --paper 1 --from r.json --csv -", 2, "leave out --json and --csv");
    expect("quadpass bench --paper 1 --from /nowhere.json", 2, "/nowhere.json: cannot be opened");
    expect("echo '[]' | quadpass bench --paper 1 --from -", 2, "-: it has no records as --json");
    expect("quadpass bench --paper 1 --size 63", 2, "no grid of paper 1 fits in --size 63x63");
}

TEST(paper_1_is_printed)
{
    need_gl();
    expect("quadpass bench --paper 1 --size 128 --iterations 3 --repeats 1", 0, "0 failed");
    assert_non_null(strstr(output, "    4096      64 x 64    807    451    283    474 "));
    assert_non_null(strstr(output, "   16384    128 x 128   1595    594    669   1233 "));
    assert_null(strstr(output, "256 x 256"));
    cJSON *tree = records("--paper 1 --size 64 --iterations 3 --repeats 1");
    assert_true(number_of(tree, 0, "width") == 64.0);
    assert_true(number_of(tree, 0, "iterations") == 3.0);
    assert_true(number_of(tree, 0, "glups") > 0.0);
    cJSON_Delete(tree);
    expect("quadpass bench --paper 1 --size 64 --iterations 3 --repeats 1 --csv - 2>/dev/null", 0,
           "\njacobi9/vertex,gl,");
    assert_null(strstr(output, "5900U"));
}

TEST(paper_3_is_printed)
{
    static const char *const lines[] = {"\nPaper 3, 256 x 1024 cells, ",
                                        "\nPeaks of the CPU, one thread, measured: ", "\n    256 ",
                                        "\nLeft out by --size: tables 1 and 2 (widths from 508 "
                                        "on), 3 to 8 and section 8 (1024 x 1024 "
                                        "cells)\n"};
    need_gl();
    expect("quadpass bench --paper 3 --size 256x1024 --iterations 1 --repeats 1", 0, " 0 failed, ");
    must_print(lines, COUNT(lines));
    assert_null(strstr(output, "\n    508 "));
    assert_null(strstr(output, "Table 3"));
}

/* Ladders and curves are printed whole where no variant can run, too. */
TEST(paper_4_is_printed)
{
    static const char *const lines[] = {"  copy                             112.4   1.00 ",
                                        "  copy, both sides interleaved       2.7   0.02 ",
                                        "  naive                              5.3   0.05 ",
                                        "  padded / naive                    17.6 ",
                                        "  tiles of 32 x 32                  75.1   0.67 ",
                                        "  1: interleaved                    3.77   0.03 ",
                                        "  7: several values a thread       77.21   0.69 ",
                                        "\n  offset       4 bytes  without L1 ",
                                        "\n  16  ",
                                        "\n  stride       4 bytes  without L1 ",
                                        "\n  18  "};
    expect("quadpass bench --paper 4 --size 64 --repeats 1", 0, " 0 failed, ");
    must_print(lines, COUNT(lines));
    expect(NO_DEVICES "quadpass bench --paper 4 --size 64 --repeats 1 --csv - 2>/dev/null", 0,
           "\nreduce/cuda_cascaded,cuda,");
}

/* To two decimals, as printed. */
static void agree(double got, double wanted, const char *what)
{
    if (!(fabs(got - wanted) <= 0.0051))
        fail_msg("%s: %g should be %g", what, got, wanted);
}

/* GLUP/s at 1024 x 1024. */
static double glups_of(const cJSON *tree, const char *variant)
{
    const cJSON *record;
    cJSON_ArrayForEach(record, cJSON_GetObjectItem(tree, "records"))
    {
        if (strcmp(cJSON_GetObjectItem(record, "variant")->valuestring, variant) == 0 &&
            cJSON_GetNumberValue(cJSON_GetObjectItem(record, "width")) == 1024.0)
            return cJSON_GetNumberValue(cJSON_GetObjectItem(record, "glups"));
    }
    return NAN;
}

/* Ours at 1024 x 1024 are the records of the same run, by the paper's conventions; variants that
 * were skipped have no number in either. */
TEST(table_and_records_agree)
{
    static const char *const lines[] = {
        "  CUDA_Aligned  OP_8600GT      7.907     6.450     6.674     7.586     9.258\n"
        "                AT_8800GT      3.496     2.890     2.797     3.029     3.773\n"
        "                PH_280         0.520     0.495     0.423     0.442     0.471\n",
        "  CUDA_Shared   OP_8600GT      1.782     1.782     1.782     2.178     2.178\n",
        "  CUDA_Shared       3.563   13.47    1.259   40.29    0.599   66.51 ",
        "  CUDA_Texture      12.06   10.65    33.22    9.89    68.40    7.33 ",
        "  CUDA_Shared       21.93    97.9    62.07  107.75 ",
        "  CUDA_Texture      27.24  121.60    74.99  130.19   154.44  108.99 ",
        "  CUDA_Shared       15.35   68.53    43.45   75.43    91.30   64.44 ",
        "  OGL_RGBA          2.902   16.54    1.274   39.81        -       -",
        "  CPU                0.81   31.10     0.76   29.42     0.97    7.79",
        "  OGL_Luminance     10.10    8.92    29.55    8.79        -       -",
        "  CPU                1.63    7.68     1.54   12.03     1.96   11.47",
        "  OGL_Luminance     20.90   93.32    61.16  106.18        -       -",
        "  OGL_RGBA          16.15   72.11    36.80   63.89        -       -"};
    static const char cpu[] = "jacobi9/amorim_cpu", luminance[] = "jacobi9/luminance",
                      rgba[] = "jacobi9/rgba", shared[] = "jacobi9/cuda_shared",
                      texture[] = "jacobi9/cuda_texture";
    static const struct {
        const char *title, *name, *variant;
        double factor;
    } cases[] = {
        {"Table 4:", "CPU", cpu, 37.0},
        {"Table 5:", "OGL_Luminance", luminance, 36.0},
        {"Table 5:", "OGL_RGBA", rgba, 36.0},
        {"Table 5:", "CUDA_Shared", shared, 30.0},
        {"Table 5:", "CUDA_Texture", texture, 33.0},
        {"Table 6:", "CPU", cpu, 80e9 / 0x1p30},
        {"Table 7:", "OGL_RGBA", rgba, 80e9 / 0x1p30},
        {"Table 7:", "CUDA_Texture", texture, 80e9 / 0x1p30},
        {"Table 8:", "OGL_Luminance", luminance, 48e9 / 0x1p30},
        {"Table 8:", "CUDA_Shared", shared, 56e9 / 0x1p30},
    };
    need_gl();
    cJSON *tree = records("--paper 3 --iterations 1 --repeats 1");
    must_print(lines, COUNT(lines));
    assert_null(strstr(output, "Left out"));
    for (int i = 0; i < COUNT(cases); i++) {
        double glups = glups_of(tree, cases[i].variant);
        double shown = number_of_line(output, cases[i].title, cases[i].name, 1);
        assert_true(isnan(shown) == isnan(glups));
        if (!isnan(glups))
            agree(shown, cases[i].factor * glups, cases[i].title);
    }
    agree(number_of_line(output, "Table 3:", "OGL_RGBA", 0),
          glups_of(tree, rgba) / glups_of(tree, cpu), "speed-up");
    /* the peak has one decimal, the percentage two, however slow the machine is */
    double peak = 0.0, percent = number_of_line(output, "Table 4:", "CPU", 0);
    assert_int_equal(sscanf(strstr(output, "measured: "), "measured: %lf", &peak), 1);
    assert_true(peak > 0.0 && peak < 4e3); /* no thread takes 4000 GFLOP/s */
    assert_true(fabs(percent * peak - 100.0 * 37.0 * glups_of(tree, cpu)) <=
                0.0051 * peak + 0.0501 * percent + 0.001);
    cJSON_Delete(tree);
}

/* Each line's rates are those of its own two records: RGBA first in the table, RED in the file. */
TEST(lines_of_paper_1_agree)
{
    static const char *const grids[] = {"64 x 64", "128 x 128"};
    need_gl();
    cJSON *tree = records("--paper 1 --size 128 --iterations 5 --repeats 2");
    for (int line = 0; line < 2; line++) {
        double mflops_rgba, mflops_red, glups_rgba, glups_red, steps;
        const char *at = strstr(output, grids[line]);
        assert_non_null(at);
        assert_int_equal(sscanf(at + strlen(grids[line]), "%*f%*f%*f%*f%lf%lf%lf%lf%lf",
                                &mflops_rgba, &mflops_red, &glups_rgba, &glups_red, &steps),
                         5);
        double red = number_of(tree, 2 * line, "glups");
        double rgba = number_of(tree, 2 * line + 1, "glups");
        assert_true(number_of(tree, 2 * line, "systems") == 1.0);
        assert_true(number_of(tree, 2 * line + 1, "systems") == 4.0);
        assert_true(fabs(mflops_rgba - 20e3 * rgba) <= 0.51);
        assert_true(fabs(mflops_red - 20e3 * red) <= 0.51);
        assert_true(fabs(glups_rgba - rgba) <= 0.51e-4 && fabs(glups_red - red) <= 0.51e-4);
        assert_true(steps == 5.0);
    }
    cJSON_Delete(tree);
}

/* Records of a run give its table: of one system and of four, which are half as wide. */
TEST(records_give_the_table)
{
    static const char at[] = "--paper 1 --size 128";
    char line[512];
    need_gl();
    snprintf(line, sizeof line,
             "r=$(mktemp -d) && quadpass bench %s --iterations 5 --json $r/r >$r/ran && "
             "quadpass bench %s --from $r/r >$r/given; sed -i 1d $r/ran $r/given; "
             "cmp $r/ran $r/given && grep '^   16384 ' $r/given; code=$?; rm -r $r; (exit $code)",
             at, at);
    expect(line, 0, "   16384    128 x 128   1595    594    669   1233 ");
}

/* A run of paper 5 that was made by hand. */
#define RAN(row, kind, n, steps, rate, rest)                                                      \
    "{\"variant\": \"" row "\", \"backend\": \"cuda\", \"problem\": \"" kind "\", \"width\": " #n \
    ", \"height\": " #n ", \"iterations\": " #steps ", \"seconds\": 1, "                          \
    "\"verdict\": \"pass\", \"reason\": \"\", \"glups\": " #rate ", " rest "}"

/* Records are found by variant, problem, size, steps and block, in any order; there is no
 * device. */
TEST(cells_are_found)
{
    static const char *const ran[] = {
        RAN("poisson5/cuda_tuned_sync", "sine", 4096, 16, 99, "\"block\": 6408"),
        RAN("poisson5/cuda_tuned_sync", "spike", 4096, 9, 99, "\"block\": 6408"),
        RAN("poisson5/cuda_tuned_sync", "spike", 4096, 16, 50, "\"block\": 6408"),
        RAN("poisson5/cuda_tuned_sync", "spike", 4096, 16, 30, "\"block\": 1608"),
        RAN("poisson5/cuda_naive", "spike", 4096, 16, 40, "\"block\": null"),
        RAN("poisson5/parts_cuda", "spike", 8192, 72, 72, "\"devices\": 2"),
        RAN("poisson5/cuda_sweep", "spike", 8192, 72, 40, "\"devices\": null"),
        RAN("poisson5/cuda_double_hilo", "spike", 4096, 16, 25, "\"block\": null"),
        RAN("transpose/cuda_copy_memcpy", "copy", 8192, 20, 100, "\"block\": null")};
    static const char *const lines[] = {
        "on d [1m\n",
        " CPU: 7 threads;\n",
        "the same, beyond caches          800        - ",
        "\n  4096   16     50.00    250.0    456.2    57.0    50.0     25.00    125.0    456.2    "
        "57.0 "
        "   50.0\n",
        "\npoisson5/cuda_tuned_sync            the whole                        50.00    250.0 "
        "        -    1.250\n",
        "here they take\n1.67 times as long by 16 threads.\n",
        "\n  8192  poisson5/parts_cuda                72.00     1.800\n"};
    char text[4096] = "{\"device\": \"d\\u001b[1m\", \"cpu\": \"c, 7 threads\", \"records\": [";
    for (int i = 0; i < COUNT(ran); i++)
        sprintf(text + strlen(text), "%s%s", i > 0 ? "," : "", ran[i]);
    strcat(text, "]}");
    write_file("r.json", text);
    char command[512];
    snprintf(command, sizeof command, NO_DEVICES "quadpass bench --paper 5 --from %s/r.json",
             folder);
    expect(command, 0, " passed, 0 failed, ");
    must_print(lines, COUNT(lines));
    assert_null(strstr(output, "figure 21"));
}

/* How much is measured is said before; the steps are the default. */
TEST(the_size_is_said_before)
{
    need_gl();
    expect("quadpass bench --paper 1 --size 64", 0, "100 steps, 3 timed, of 1 line; fewer ");
    assert_true(strstr(output, "3 timed") < strstr(output, "Paper 1"));
    expect(NO_DEVICES "quadpass bench --paper 3 --size 256x1024 --iterations 2", 0,
           "2 steps, 1 timed, of ");
}

/* Out of time from the start there are two steps; with time to spare the paper's thousand. */
TEST(steps_follow_the_budget)
{
    need_gl();
    cJSON *tree = records("--paper 3 --size 256x1024 --budget 1e-6 --repeats 1");
    assert_true(number_of(tree, 0, "iterations") == 2.0);
    cJSON_Delete(tree);
    tree = records("--paper 1 --size 64 --repeats 1 --budget 1000");
    assert_true(number_of(tree, 0, "iterations") == 1000.0);
    cJSON_Delete(tree);
}

TEST(a_failed_row_shows_no_rate)
{
    need_gl();
    expect("s=$(mktemp -d) && cp -r " QP_SOURCE_DIR
           "/shaders/. $s && echo 'void main() { gl_FragColor = vec4(0.0); }' "
           ">$s/jacobi9/luminance.frag; QUADPASS_SHADER_DIR=$s quadpass bench --paper 3 --size "
           "256x1024 --repeats 1 --iterations 2; code=$?; rm -rf $s; (exit $code)",
           1, "jacobi9/luminance, 256 x 1024: fail: ");
    assert_non_null(strstr(output, "      fail  "));
    assert_non_null(strstr(output, " passed, 1 failed, "));
}

GROUP(make_folder_in_haste, remove_folder)
