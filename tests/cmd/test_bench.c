/* SPDX-License-Identifier: MIT */
/* Output and records of `bench`: styles, parameters, columns, JSON, variants that fail. */
#include "support/shell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

/* Variants that draw run in every style, each once; others have none. */
TEST(styles_are_compared)
{
    static const char *const pingpongs[] = {"two_attachments", "two_fbos", "reattach", "copy"};
    need_gl();
    assert_int_equal(run("bench jacobi9/rgba jacobi9/openmp -n 8 --repeats 1 --pingpong all "
                         "--target all --csv - 2>/dev/null"),
                     0);
    for (int i = 0; i < 8; i++) {
        char words[64];
        snprintf(words, sizeof words, ",%s,%s,", pingpongs[i / 2], i % 2 ? "2d" : "rect");
        assert_int_equal(count(words), 1);
    }
    assert_true(count("jacobi9/rgba,") == 8 && count("jacobi9/openmp,") == 1);
    assert_int_equal(
        run("bench jacobi9/compute jacobi9/rgba -n 8 --repeats 1 --group all --csv - 2>/dev/null"),
        0);
    assert_true(count("jacobi9/compute,") == 12 && count("jacobi9/rgba,") == 1);
    assert_true(count(",8x8,two_attachments,rect,") == 1 && count(",,two_attachments,rect,") == 1);
    assert_int_equal(run("bench jacobi9/compute -n 8 --repeats 1 --group 3x5 --csv - 2>/dev/null"),
                     0);
    assert_int_equal(count(",3x5,two_attachments,rect,"), 1);
    assert_int_equal(
        run("bench gauss_jordan/blocks* loop -n 12 --iterations 1 --repeats 1 --block all "
            "--csv - 2>/dev/null"),
        0);
    assert_true(count("gauss_jordan/blocks,") == 3 && count("gauss_jordan/loop,") == 1);
    assert_true(count(",exact,4,") == 4 && count(",exact,8,") == 4);
    assert_true(count(",exact,12,") == 4 && count(",exact,,,,") == 1);
    assert_int_equal(count(",exact,8,,144,"),
                     2); /* 12 steps of 2 strips of 6 vertices: the noops' */
    assert_int_equal(run("bench gauss_jordan/blocks -n 8 --repeats 1 --block 4"), 0);
    assert_int_equal(count("Mvertices/s"), 1);
    assert_int_equal(run("bench jacobi9/rgba -n 8 --repeats 1 --target all"), 0);
    assert_true(count("two_attachments rect") == 1 && count("two_attachments 2d") == 1);
    assert_non_null(strstr(output, "2 passed, 0 failed, 0 skipped"));
}

/* Four systems have as many cells as one of twice the sides; four right-hand sides share one
 * matrix. */
TEST(four_systems_have_a_size)
{
    need_gl();
    assert_int_equal(run("bench bands_systems -n 16 --repeats 1 --iterations 1"), 0);
    assert_int_equal(count("16 x 16 cells, 1 steps a run\n"), 1);
    assert_int_equal(run("bench gauss_jordan/systems -n 12 --repeats 1 --iterations 1"), 0);
    assert_int_equal(count("12 x 12 cells, 1 steps a run\n"), 1);
}

/* Variants of a table that take several steps a launch say how many launches, first or alone,
 * too. */
TEST(launches_are_told)
{
    expect(NO_GL "quadpass bench poisson5/sequential compute_async2 -n 16 --repeats 1", 0,
           "16 x 16 cells, 256 steps a run, asynchronous variants in 36 launches\n");
    expect(NO_GL "quadpass bench poisson5/threads_async2 poisson5/rgba -n 16 --repeats 1", 0,
           "16 x 16 cells, 256 steps a run, asynchronous variants in 36 launches\n");
    expect(NO_GL "quadpass bench poisson5/threads_async2 -n 16 --repeats 1", 0,
           "16 x 16 cells, asynchronous variants in 36 launches\n");
    assert_int_equal(run("bench poisson5/sequential openmp -n 16 --repeats 1"), 0);
    assert_int_equal(count("16 x 16 cells, 256 steps a run\n"), 1);
}

/* A table and a record for each parameter, and for each kind with the variants that take it. */
TEST(parameters_are_swept)
{
    assert_int_equal(run("bench access/loop access/openmp --problem banks --parameter 1,31 --size "
                         "40 --repeats 1 --csv sweep.csv"),
                     0);
    assert_int_equal(count("40 x 40 cells, banks, parameter "), 2);
    assert_non_null(strstr(output, "parameter 31 (words from one thread's to the next one's)"));
    assert_non_null(strstr(output, "2 passed, 0 failed, 0 skipped"));
    assert_true(exists("sweep.csv"));
    assert_int_equal(run("bench access/loop --problem exp --parameter all -n 9 --repeats 1"), 0);
    assert_int_equal(count("parameter "), 4);
    expect(NO_DEVICES
           "quadpass bench access/loop access/cuda_staged --problem all -n 9 --repeats 1",
           0, "access/cuda_staged ");
    assert_int_equal(count("access/loop "), 25);
    assert_int_equal(count("access/cuda_staged "), 1);
    expect(NO_DEVICES "quadpass bench access/cuda_rolled access/loop --size 9 --repeats 1", 0,
           "access/loop ");
    assert_int_equal(count(" offset, parameter 0 "), 1);
    expect(NO_DEVICES "quadpass bench access/cuda_rolled --size 9 --repeats 1", 0,
           "access/cuda_rolled ");
    assert_int_equal(count(" unrolling, parameter 64 "), 1);
    assert_int_equal(run("walk access/loop --problem stride --parameter 3 -n 4"), 0);
    assert_non_null(strstr(output, "stride, parameter 3 (cells from one thread's"));
    assert_int_equal(run("check access/loop --problem exp --parameter 64"), 0);
    assert_non_null(strstr(output, "14 cases"));
}

/* A variant that takes another kind than the operation's first one has room for that kind's
 * parameters. */
TEST(all_parameters_have_room)
{
    expect(NO_DEVICES "MALLOC_CHECK_=3 quadpass bench access/cuda_staged --parameter all -n 64", 0,
           "64 x 64 cells, stride, parameter 32 ");
    assert_int_equal(count(" cells, stride, parameter "), 32);
}

/* Verdicts are below each other, however long a name is. */
TEST(columns_line_up)
{
    static const char short_name[] = "\ngauss_jordan/loop ",
                      long_name[] = "\ngauss_jordan/blend_elimination_pivoted ";
    expect(NO_GL "quadpass bench gauss_jordan/loop blend_elimination_pivoted -n 8 --repeats 1", 0,
           short_name);
    const char *first = strstr(output, short_name), *second = strstr(output, long_name);
    assert_true(first != NULL && second != NULL);
    const size_t column = sizeof long_name - 2; /* width of the name and a blank */
    assert_memory_equal(first + column, " pass ", 6);
    assert_true(memcmp(second + column, " pass ", 6) == 0 ||
                memcmp(second + column, " skip ", 6) == 0);
}

TEST(json_on_standard_output_is_alone)
{
    assert_int_equal(run("bench jacobi9/openmp --size 16 --repeats 1 --json - 2>/dev/null"), 0);
    cJSON *tree = cJSON_Parse(output);
    assert_non_null(tree);
    const cJSON *records = cJSON_GetObjectItem(tree, "records");
    assert_int_equal(cJSON_GetArraySize(records), 1);
    const cJSON *name = cJSON_GetObjectItem(cJSON_GetArrayItem(records, 0), "variant");
    assert_string_equal(name->valuestring, "jacobi9/openmp");
    cJSON_Delete(tree);
}

TEST(a_broken_shader_fails_and_shows_no_rate)
{
    need_gl();
    assert_int_equal(
        run("--version; mkdir -p s && cp -r " QP_SOURCE_DIR "/shaders/. s && "
            "echo 'void main() { gl_FragColor = vec4(0.0); }' >s/jacobi9/luminance.frag"),
        0);
    setenv("QUADPASS_SHADER_DIR", "s", 1);
    int code = run("bench jacobi9/luminance --size 16 --repeats 1 --json -");
    unsetenv("QUADPASS_SHADER_DIR");
    assert_int_equal(code, 1);
    assert_non_null(strstr(output, "\"glups\":null"));
    assert_non_null(strstr(output, "0 passed, 1 failed, 0 skipped"));
}

GROUP(make_folder_in_haste, remove_folder)
