/* SPDX-License-Identifier: MIT */
/* The tables of `bench --paper 2`: eliminations, whose sizes a budget limits, beside LAPACK and
 * Octave. */
#include "support/paper.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* All sizes are in the head, with the paper's figures; the budget allows the first alone. */
TEST(sizes_follow_the_budget)
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
        "\nseconds                                   500     2000\n",
        "\n6800 GT, noop                               -     8.63\n",
        "\n  at the rate claimed, 6800 Ultra           -     1.67\n",
        "\n  gauss_jordan/blocks_vbo_noop_notex        -        -\n",
        "\n6800 GT, noop                               -      116\n",
        "\n  claimed, 6800 Ultra                       -      600\n",
        "\nNot run within 1e-06 minutes: 1500 2000 2500 3000 3500 4000, strips of 500 2000; more "
        "with --budget\n",
        "gauss_jordan/basic, 1000 x 1000: skip: "};
    expect(NO_GL "quadpass bench --paper 2 --budget 1e-6", 0, " 0 failed, ");
    must_print(lines, COUNT(lines));
    expect(NO_GL "quadpass bench --paper 2 --budget 9 --size 1500 --csv - 2>/dev/null", 0,
           "gauss_jordan/sgesv,cpu,");
    assert_non_null(strstr(output, ",1500,1500,1,1,"));
    assert_non_null(strstr(output, "gauss_jordan/blocks_noop_notex,gl,"));
    assert_non_null(strstr(output, ",500,500,1,1,"));
    assert_null(strstr(output, ",2000,"));
    expect(NO_GL "quadpass bench --paper 2 --budget 9 --size 1700", 0, "   1000     1500\n");
    if (support_is_built(qp_variant_find("gauss_jordan/sgesv")) && !support_has_cuda())
        assert_int_equal(count("\n1 passed, 0 failed, "), 1); /* a single variant, of two sizes */
    assert_null(strstr(output, "Not run"));
}

/* Seconds and ratios of ours are the records of the same run. */
TEST(paper_2_and_its_records_agree)
{
    need_gl();
    cJSON *tree = records("--paper 2 --size 130 --repeats 2");
    const cJSON *list = cJSON_GetObjectItem(tree, "records");
    double sgesv = number_of(tree, 0, "seconds"), seconds[16] = {0};
    assert_true(cJSON_GetArraySize(list) >= 8 && cJSON_GetArraySize(list) <= 15);
    for (int i = 0; i < cJSON_GetArraySize(list); i++) {
        const cJSON *name = cJSON_GetObjectItem(cJSON_GetArrayItem(list, i), "variant");
        seconds[i] = number_of(tree, i, "seconds");
        assert_true(number_of(tree, i, "width") == 130.0);
        if (isnan(seconds[i]))
            continue;
        if (strstr(name->valuestring, "noop") != NULL)
            continue;
        double shown = number_of_line(output, "\nseconds ", name->valuestring, 0);
        assert_true(fabs(shown - seconds[i]) <= 0.000501);
        shown = number_of_line(output, "\ntime / MATLAB's", name->valuestring, 0);
        assert_true(isnan(sgesv) || fabs(shown - seconds[i] / sgesv) <= 0.00501);
    }
    assert_string_equal(cJSON_GetObjectItem(cJSON_GetArrayItem(list, 3), "variant")->valuestring,
                        "gauss_jordan/branched");
    double saved = number_of_line(output, "Branch improvement", "1 - branched / doublebuffered", 0);
    assert_true(fabs(saved - (1.0 - seconds[3] / seconds[2])) <= 0.000501);
    cJSON_Delete(tree);
}

/* Strips of the report's block, and as many vertices as its formula has. */
TEST(strips_are_the_reports)
{
    need_gl();
    cJSON *tree = records("--paper 2 --size 131 --repeats 2"); /* no record shows a range */
    const cJSON *list = cJSON_GetObjectItem(tree, "records");
    const int last = cJSON_GetArraySize(list) - 1;
    const cJSON *name = cJSON_GetObjectItem(cJSON_GetArrayItem(list, last), "variant");
    assert_string_equal(name->valuestring, "gauss_jordan/blocks_vbo_noop_notex");
    assert_true(number_of(tree, last, "width") == 131.0 && number_of(tree, last, "block") == 4.0);
    const double vertices = 131.0 * 33 * 2 * 34; /* 132 x 131 in 33 strips of 33 quads */
    assert_true(number_of(tree, last, "vertices") == vertices);
    double shown =
        number_of_line(output, "block processing", "gauss_jordan/blocks_vbo_noop_notex", 0);
    assert_true(fabs(shown - number_of(tree, last, "seconds")) <= 0.000501);
    shown = number_of_line(output, "1e6 vertices/s", "gauss_jordan/blocks_vbo_noop_notex", 0);
    assert_true(fabs(shown - 1e-6 * vertices / number_of(tree, last, "seconds")) <= 0.0501);
    cJSON_Delete(tree);
}

/* A program in Octave's place says how long it took; a broken one, or none, is not mentioned. */
TEST(octave_is_asked_where_it_is)
{
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
    assert_int_equal(count("Octave, A \\ b in single"), 2); /* seconds, and their ratio */
    assert_int_equal(run("--version; printf '#!/bin/sh\\necho 0.125; exit 1\\n' >bin/octave-cli"),
                     0);
    expect(command, 0, " 0 failed, ");
    assert_null(strstr(output, "Octave"));
}

GROUP(make_folder_in_haste, remove_folder)
