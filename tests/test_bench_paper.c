/* SPDX-License-Identifier: MIT */
/* The tables that `bench --paper` prints, and what it refuses. */
#include "shell.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

static void bad_use_is_2(void **state)
{
    (void)state;
    expect("quadpass bench --help", 0, "--paper");
    expect("quadpass bench --paper 5", 2, "--paper takes 1, 2, 3 or 4, not '5'");
    expect("quadpass bench --paper 12", 2, "not '12'");
    expect("quadpass bench --paper one", 2, "not 'one'");
    expect("quadpass bench --paper 1 --budget 0", 2, "positive");
    expect("quadpass bench --paper 1 --budget soon", 2, "positive");
    expect("quadpass bench --budget 1", 2, "--budget goes with --paper");
    expect("quadpass bench --paper 1 --budget 1 --iterations 5", 2, "--budget chooses the steps");
    expect("quadpass check --paper 1", 2, "belong to bench");
    expect("quadpass bench --paper 1 openmp", 2, "the paper names them");
    expect("quadpass bench --paper 3 --variant openmp", 2, "the paper names them");
    expect("quadpass bench --paper 2 branched", 2, "the paper names them");
    expect("quadpass bench --paper 3 --problem wraps", 2, "the paper names them");
    expect("quadpass bench --paper 1 --size 63", 2, "no grid of paper 1 fits in --size 63x63");
}

/* The records on standard output; the caller deletes the tree. */
static cJSON *records(const char *arguments)
{
    char command[256];
    snprintf(command, sizeof command, "quadpass bench %s --json - 2>/dev/null", arguments);
    assert_int_equal(shell(command), 0);
    cJSON *tree = cJSON_Parse(output);
    assert_non_null(tree);
    return tree;
}

static double number_of(const cJSON *tree, int record, const char *key)
{
    const cJSON *list = cJSON_GetObjectItem(tree, "records");
    return cJSON_GetNumberValue(cJSON_GetObjectItem(cJSON_GetArrayItem(list, record), key));
}

static void paper_1_is_printed(void **state)
{
    (void)state;
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

static void paper_3_is_printed(void **state)
{
    static const char *const lines[] = {
        "  CUDA_Aligned  OP_8600GT      7.907     6.450     6.674     7.586     9.258\n"
        "                AT_8800GT      3.496     2.890     2.797     3.029     3.773\n"
        "                PH_280         0.520     0.495     0.423     0.442     0.471\n"
        "                ours               -         -         -         -         -\n",
        "  CUDA_Shared   OP_8600GT      1.782     1.782     1.782     2.178     2.178\n",
        "  CUDA_Shared       3.563   13.47    1.259   40.29    0.599   66.51 ",
        "  CUDA_Texture      12.06   10.65    33.22    9.89    68.40    7.33 ",
        "  CUDA_Texture      27.24  121.60    74.99  130.19   154.44  108.99 ",
        "  CUDA_Shared       15.35   68.53    43.45   75.43    91.30   64.44 ",
        "\nPeaks of the CPU, one thread, measured: ",
        "  OGL_RGBA          2.902   16.54    1.274   39.81        -       -  ",
        "  CPU                0.81   31.10     0.76   29.42     0.97    7.79  ",
        "  OGL_Luminance     10.10    8.92    29.55    8.79        -       -  ",
        "  CPU                1.63    7.68     1.54   12.03     1.96   11.47  ",
        "  OGL_Luminance     20.90   93.32    61.16  106.18        -       -  ",
        "  OGL_RGBA          16.15   72.11    36.80   63.89        -       -  ",
        "\n    256 "};
    (void)state;
    need_gl();
    expect("quadpass bench --paper 3 --size 256x1024 --iterations 1 --repeats 1", 0, " 0 failed, ");
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        if (strstr(output, lines[i]) == NULL)
            fail_msg("no '%s' in:\n%s", lines[i], output);
    }
    assert_null(strstr(output, "\n    508 "));
}

/* Ladders and curves stand whole where no row can run, too. */
static void paper_4_is_printed(void **state)
{
    static const char *const lines[] = {"  copy                            112.40   1.00 ",
                                        "  copy, both sides interleaved      2.70   0.02 ",
                                        "  naive                             5.30   0.05 ",
                                        "  tiles of 32 x 32                 75.10   0.67 ",
                                        "  1: interleaved                    3.77   0.03 ",
                                        "  7: several values a thread       77.21   0.69 ",
                                        "\n  offset       4 bytes  without L1 ",
                                        "\n  16  ",
                                        "\n  stride       4 bytes  without L1 ",
                                        "\n  18  "};
    (void)state;
    expect("quadpass bench --paper 4 --size 64 --repeats 1", 0, " 0 failed, ");
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        if (strstr(output, lines[i]) == NULL)
            fail_msg("no '%s' in:\n%s", lines[i], output);
    }
    expect("quadpass bench --paper 4 --size 64 --repeats 1 --csv - 2>/dev/null", 0,
           "\nreduce/cuda_cascaded,cuda,");
}

/* To two decimals, as printed. */
static void agree(double got, double wanted, const char *what)
{
    if (!(fabs(got - wanted) <= 0.0051))
        fail_msg("%s: %g should be %g", what, got, wanted);
}

/* The last but `back` of the numbers in the first line below the title that holds the name; NaN for a
 * dash or a verdict. */
static double number_of_line(const char *text, const char *title, const char *name, int back)
{
    char line[256], *end;
    const char *at = strstr(text, title);
    assert_non_null(at);
    at = strstr(strchr(at, '\n'), name);
    assert_non_null(at);
    snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\n"), at);
    for (; back > 0; back--) {
        char *last = strrchr(line, ' ');
        while (last > line && last[-1] == ' ')
            last--;
        *last = '\0';
    }
    double value = strtod(strrchr(line, ' '), &end);
    return *end == '\0' ? value : NAN;
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

/* Ours at 1024 x 1024 are the records of the same run, by the paper's conventions; rows that were
 * skipped have no number in either. */
static void table_and_records_agree(void **state)
{
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
    (void)state;
    need_gl();
    static char both[sizeof output];
    assert_int_equal(shell("quadpass bench --paper 3 --iterations 1 --repeats 1 --json -"), 0);
    memcpy(both, output, sizeof both);
    cJSON *tree = cJSON_Parse(strchr(both, '{'));
    assert_non_null(tree);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double glups = glups_of(tree, cases[i].variant);
        double shown = number_of_line(both, cases[i].title, cases[i].name, 1);
        assert_true(isnan(shown) == isnan(glups));
        if (!isnan(glups))
            agree(shown, cases[i].factor * glups, cases[i].title);
    }
    agree(number_of_line(both, "Table 3:", "OGL_RGBA", 0),
          glups_of(tree, rgba) / glups_of(tree, cpu), "speed-up");
    double peak = 0.0, rate = number_of_line(both, "Table 4:", "CPU", 1);
    assert_int_equal(sscanf(strstr(both, "measured: "), "measured: %lf", &peak), 1);
    assert_true(fabs(number_of_line(both, "Table 4:", "CPU", 0) - 100.0 * rate / peak) <= 0.5);
    cJSON_Delete(tree);
}

/* Each line's rates are those of its own two records: RGBA first in the table, RED in the file. */
static void lines_of_paper_1_agree(void **state)
{
    static const char *const grids[] = {"64 x 64", "128 x 128"};
    static char both[sizeof output];
    (void)state;
    need_gl();
    assert_int_equal(shell("quadpass bench --paper 1 --size 128 --iterations 5 --json -"), 0);
    memcpy(both, output, sizeof both);
    cJSON *tree = cJSON_Parse(strchr(both, '{'));
    assert_non_null(tree);
    for (int line = 0; line < 2; line++) {
        double mflops_rgba, mflops_red, glups_rgba, glups_red, steps;
        const char *at = strstr(both, grids[line]);
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

/* How long it takes is said before; the steps are the default. */
static void the_time_is_said_before(void **state)
{
    (void)state;
    need_gl();
    expect("quadpass bench --paper 1 --size 64", 0, "100 steps, 3 timed: about ");
    assert_true(strstr(output, "about ") < strstr(output, "Paper 1"));
    expect("quadpass bench --paper 3 --size 256x1024 --iterations 2", 0,
           "2 steps, 1 timed: about ");
}

/* Out of time from the start there are two steps; with time to spare the paper's thousand. */
static void steps_follow_the_budget(void **state)
{
    (void)state;
    need_gl();
    cJSON *tree = records("--paper 3 --size 256x1024 --budget 1e-6 --repeats 1");
    assert_true(number_of(tree, 0, "iterations") == 2.0);
    cJSON_Delete(tree);
    tree = records("--paper 1 --size 64 --repeats 1 --budget 1000");
    assert_true(number_of(tree, 0, "iterations") == 1000.0);
    cJSON_Delete(tree);
}

static void a_failed_row_shows_no_rate(void **state)
{
    (void)state;
    need_gl();
    expect("s=$(mktemp -d) && cp -r " QP_SOURCE_DIR
           "/shaders/. $s && echo 'void main() { gl_FragColor = vec4(0.0); }' "
           ">$s/jacobi9/luminance.frag; QUADPASS_SHADER_DIR=$s quadpass bench --paper 3 --size "
           "256x1024 --repeats 1 --budget 1; code=$?; rm -rf $s; (exit $code)",
           1, "jacobi9/luminance, 256 x 1024: fail: ");
    assert_non_null(strstr(output, "      fail  "));
    assert_non_null(strstr(output, " passed, 1 failed, "));
}

/* ---- Paper 2 ---- */

/* Without any OpenGL device LAPACK is left, and that is soon done. */
#define NO_GL "__EGL_VENDOR_LIBRARY_FILENAMES=/dev/null REQUIRE= QUADPASS_DEVICE= "

static void must_print(const char *const lines[], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strstr(output, lines[i]) == NULL)
            fail_msg("no '%s' in:\n%s", lines[i], output);
    }
}

/* All sizes stand in the head, with the paper's figures; the budget allows the first alone. */
static void sizes_follow_the_budget(void **state)
{
    static const char *const lines[] = {
        "seconds                                  1000     1500     2000     2500     3000     "
        "3500     4000\n",
        "\nMATLAB                                  0.571    1.622    3.350    6.140   10.730   "
        "15.510   22.800\n",
        "\n6800 GT, branched, doublebuffered       0.748    2.475    5.864   11.393   19.630   "
        "31.126   47.184\n",
        "\nBranch improvement                      0.194    0.216    0.222    0.195    0.197    "
        "0.197    0.184\n",
        "\n6800 GT, alwayscache (a bound)           1.69     0.89     0.88     0.93     0.91     "
        "1.00     1.01\n",
        "\n  gauss_jordan/branched                  skip        -        -        -        -      "
        "  -        -\n",
        "\nNot run within 1e-06 minutes: 1500 2000 2500 3000 3500 4000; more with --budget\n",
        "gauss_jordan/basic, 1000 x 1000: skip: "};
    (void)state;
    expect(NO_GL "quadpass bench --paper 2 --budget 1e-6", 0, " 0 failed, ");
    must_print(lines, sizeof lines / sizeof lines[0]);
    expect(NO_GL "quadpass bench --paper 2 --budget 9 --size 1500 --csv - 2>/dev/null", 0,
           "gauss_jordan/sgesv,cpu,");
    assert_non_null(strstr(output, ",1500,1500,1,1,"));
    assert_null(strstr(output, ",2000,"));
    expect(NO_GL "quadpass bench --paper 2 --budget 9 --size 1700", 0, "   1000     1500\n");
    assert_null(strstr(output, "Not run"));
}

/* The number at the end of the line that begins with these words, the first below the title. */
static double number_below(const char *text, const char *title, const char *name)
{
    char line[64];
    snprintf(line, sizeof line, "\n  %s ", name);
    const char *at = strstr(text, title);
    assert_non_null(at);
    at = strstr(at, line);
    assert_non_null(at);
    snprintf(line, sizeof line, "%.*s", (int)strcspn(at + 1, "\n"), at + 1);
    return strtod(strrchr(line, ' '), NULL);
}

/* Seconds and ratios of ours are the records of the same run. */
static void paper_2_and_its_records_agree(void **state)
{
    static char both[sizeof output];
    (void)state;
    need_gl();
    assert_int_equal(shell("quadpass bench --paper 2 --size 130 --json -"), 0);
    memcpy(both, output, sizeof both);
    cJSON *tree = cJSON_Parse(strchr(both, '{'));
    assert_non_null(tree);
    const cJSON *list = cJSON_GetObjectItem(tree, "records");
    double sgesv = number_of(tree, 0, "seconds"), seconds[8] = {0};
    assert_true(cJSON_GetArraySize(list) >= 5 && cJSON_GetArraySize(list) <= 8);
    for (int i = 0; i < cJSON_GetArraySize(list); i++) {
        const cJSON *name = cJSON_GetObjectItem(cJSON_GetArrayItem(list, i), "variant");
        seconds[i] = number_of(tree, i, "seconds");
        assert_true(number_of(tree, i, "width") == 130.0);
        if (isnan(seconds[i]))
            continue;
        double shown = number_below(both, "\nseconds ", name->valuestring);
        assert_true(fabs(shown - seconds[i]) <= 0.000501);
        shown = number_below(both, "\ntime / MATLAB's", name->valuestring);
        assert_true(isnan(sgesv) || fabs(shown - seconds[i] / sgesv) <= 0.00501);
    }
    assert_string_equal(cJSON_GetObjectItem(cJSON_GetArrayItem(list, 3), "variant")->valuestring,
                        "gauss_jordan/branched");
    double saved = number_below(both, "Branch improvement", "1 - branched / doublebuffered");
    assert_true(fabs(saved - (1.0 - seconds[3] / seconds[2])) <= 0.000501);
    cJSON_Delete(tree);
}

/* A stand-in for Octave says how long it took; a broken one, or none, is not heard of. */
static void octave_is_asked_where_it_is(void **state)
{
    (void)state;
    assert_int_equal(run("--version; mkdir -p bin && printf '#!/bin/sh\\necho \"$@\" >said; echo "
                         "0.125000\\n' >bin/octave-cli && chmod +x bin/octave-cli"),
                     0);
    char command[256];
    snprintf(command, sizeof command,
             "cd %s && " NO_GL " PATH=$PWD/bin:$PATH quadpass bench "
             "--paper 2 --size 100; grep -c 'n = 100; .*single' said",
             folder);
    expect(command, 0, "\n  Octave, A \\ b in single               0.125\n");
    assert_true(ends_with(output, "\n1\n"));
    assert_int_equal(run("--version; printf '#!/bin/sh\\necho 0.125; exit 1\\n' >bin/octave-cli"),
                     0);
    expect(command, 0, " 0 failed, ");
    assert_null(strstr(output, "Octave"));
}

/* The documentation's tables of eliminations, from a record made by hand. */
static void tables_of_records_are_right(void **state)
{
    static const struct {
        const char *script, *line;
    } cases[] = {
        {"cubes.sh r.json", "| `gauss_jordan/loop` | 1000 | - |\n"},
        {"cubes.sh r.json", "| d, ns / N^3 | N = 10 | N = 20 |\n"},
        {"cubes.sh r.json", "| `gauss_jordan/systems` | - | 12.5 |\n"},
        {"blocks.sh r.json", "| b = 4 | 2 | 1 |\n"},
        {"batches.sh b.json", "| `gauss_jordan_batch/loop` | 0.5 | fail |\n"},
        {"transfers.sh t.json", "| d, `up`, GB/s | 2 KiB | 1 MiB |\n"},
        {"transfers.sh t.json", "| `transfer/small` | 1.5 | skip |\n"},
        {"transfers.sh --blocks t.json", "| `transfer/small` | 1.5 | skip |\n"},
        {"transfers.sh --blocks t.json", "| d, `up`, GB/s | 1 KiB | 4 KiB |\n"},
        {"sweeps.sh stride gbytes_per_s a.json", "| p = 2 | 12.5 | - |\n"},
        {"sweeps.sh stride gbytes_per_s a.json",
         "| d, stride, 8 x 4, GB/s | `loop` | `openmp` |\n"},
        {"sweeps.sh stride gbytes_per_s a.json openmp", "| p = 3 | skip |\n"},
        {"sweeps.sh sin error a.json", "| p = 1 | 2 u |\n"},
        {"sweeps.sh 'sin|stride' error a.json", "| d, 8 x 4, error | `loop` | `openmp` |\n"},
        {"sweeps.sh 'sin|stride' error a.json", "| sin, p = 1 | 2 u | - |\n"},
        {"sweeps.sh 'sin|stride' error a.json p=1", "| d, sin, 8 x 4, error | `loop` |\n"},
        {"transpose.sh u.json", "| d, GB/s | 4 x 3 | 5 x 3 |\n"},
        {"transpose.sh u.json", "| `transpose/cuda_padded`, 8 rows of threads | 30 (0.75) | - |\n"},
        {"transpose.sh u.json", "| `transpose/loop` | - | 2 |\n"},
    };
    (void)state;
    write_file(
        "r.json",
        "{\"device\": \"d\", \"records\": [{\"variant\": \"gauss_jordan/loop\", \"height\": 10, "
        "\"systems\": 1, \"iterations\": 2, \"seconds\": 0.002}, {\"variant\": "
        "\"gauss_jordan/systems\", \"height\": 20, \"systems\": 4, \"iterations\": 1, "
        "\"seconds\": 0.0004}, {\"variant\": \"gauss_jordan/blocks_noop_notex\", \"height\": 20, "
        "\"systems\": 1, \"block\": 4, \"vertices\": 2e6, \"iterations\": 2, \"seconds\": 4}]}");
    write_file("b.json",
               "{\"device\": \"d\", \"records\": [{\"variant\": \"gauss_jordan_batch/loop\", "
               "\"width\": 12, \"systems\": 100, \"iterations\": 5, \"seconds\": 0.001}, "
               "{\"variant\": \"gauss_jordan_batch/loop\", \"width\": 12, \"systems\": 200, "
               "\"iterations\": 5, \"seconds\": null, \"verdict\": \"fail\"}]}");
    write_file("t.json",
               "{\"device\": \"d\", \"records\": [{\"variant\": \"transfer/small\", \"problem\": "
               "\"up\", \"width\": 256, \"height\": 2, \"block\": 1, \"gbytes_per_s\": 1.5}, "
               "{\"variant\": \"transfer/small\", \"problem\": \"up\", \"width\": 256, "
               "\"height\": 1024, \"block\": 4, \"gbytes_per_s\": null, \"verdict\": \"skip\"}]}");
    write_file("a.json",
               "{\"device\": \"d\", \"records\": [{\"variant\": \"access/loop\", \"problem\": "
               "\"stride\", \"parameter\": 2, \"width\": 8, \"height\": 4, \"gbytes_per_s\": "
               "12.5}, {\"variant\": \"access/openmp\", \"problem\": \"stride\", \"parameter\": "
               "3, \"width\": 8, \"height\": 4, \"gbytes_per_s\": null, \"verdict\": \"skip\"}, "
               "{\"variant\": \"access/loop\", \"problem\": \"stride\", \"parameter\": 2, "
               "\"width\": 4, \"height\": 4, \"gbytes_per_s\": 99}, {\"variant\": "
               "\"access/loop\", \"problem\": \"sin\", \"parameter\": 1, \"width\": 8, "
               "\"height\": 4, \"error\": 1.1920928955078125e-07}]}");
    write_file(
        "u.json",
        "{\"device\": \"d\", \"records\": [{\"variant\": \"transpose/cuda_copy\", \"backend\": "
        "\"cuda\", \"width\": 4, \"height\": 3, \"gbytes_per_s\": 40}, {\"variant\": "
        "\"transpose/cuda_padded\", \"backend\": \"cuda\", \"width\": 4, \"height\": 3, "
        "\"block\": 8, \"gbytes_per_s\": 30}, {\"variant\": \"transpose/loop\", \"backend\": "
        "\"cpu\", \"width\": 5, \"height\": 3, \"gbytes_per_s\": 2}]}");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char command[256];
        snprintf(command, sizeof command, "cd %s && " QP_SOURCE_DIR "/tools/%s", folder,
                 cases[i].script);
        expect(command, 0, cases[i].line);
    }
}

int main(void)
{
    unsetenv("QUADPASS_SHADER_DIR");
    const struct CMUnitTest tests[] = {cmocka_unit_test(bad_use_is_2),
                                       cmocka_unit_test(paper_1_is_printed),
                                       cmocka_unit_test(paper_3_is_printed),
                                       cmocka_unit_test(paper_4_is_printed),
                                       cmocka_unit_test(table_and_records_agree),
                                       cmocka_unit_test(lines_of_paper_1_agree),
                                       cmocka_unit_test(the_time_is_said_before),
                                       cmocka_unit_test(steps_follow_the_budget),
                                       cmocka_unit_test(a_failed_row_shows_no_rate),
                                       cmocka_unit_test(sizes_follow_the_budget),
                                       cmocka_unit_test(paper_2_and_its_records_agree),
                                       cmocka_unit_test(octave_is_asked_where_it_is),
                                       cmocka_unit_test(tables_of_records_are_right)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
