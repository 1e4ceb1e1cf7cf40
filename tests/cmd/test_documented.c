/* SPDX-License-Identifier: MIT */
/* Promises of the manual for options, environment, exit codes and records: each is tried by
 * something that comes out otherwise without it. tests/cmd/solve/test_documented.c does so for
 * solve and invert. */
#include "support/shell.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/ops/table.h"
#include "lab/plan/op.h"
#include "support/records.h"

/* Output of the run before. */
static char before[sizeof output];

static void keep_output(void)
{
    memcpy(before, output, sizeof before);
}

/* ---- Options that change something ---- */

/* The same twice with `one`; something else with `other`. By the errors of a record, or by a
 * walk. */
TEST(options_change_something)
{
    static const struct {
        const char *command, *one, *other;
    } cases[] = {
        {"walk jacobi9/openmp -n 3", "--seed 1", "--seed 2"},
        {"check jacobi9/openmp --size 9 --problem random --json -", "--seed 1", "--seed 2"},
        {"bench jacobi9/openmp -n 9 --problem random --iterations 3 --repeats 1 --json -",
         "--seed 1", "--seed 2"},
        {"accuracy jacobi9/openmp -n 9 --problem random --iterations 3 --json -", "--seed 1",
         "--seed 2"},
        {"walk jacobi9/openmp -n 3", "--weight 1", "--weight 0.5"},
        {"check jacobi9/openmp --size 9 --problem random --json -", "--weight 1", "--weight 0.5"},
        {"bench jacobi9/openmp -n 9 --problem random --iterations 3 --repeats 1 --json -",
         "--weight 1", "--weight 0.5"},
        {"walk gauss_jordan/reference -n 4 --problem ill", "--condition 1e4", "--condition 10"},
        {"check gauss_jordan/reference --size 9 --problem ill --json -", "--condition 1e4",
         "--condition 10"},
        {"walk jacobi9/openmp -n 3", "--iterations 1", "--iterations 3"},
        {"walk access/loop --problem stride -n 4", "--parameter 1", "--parameter 3"},
    };
    for (int i = 0; i < COUNT(cases); i++) {
        for (int k = 0; k < 3; k++) {
            char line[512];
            snprintf(line, sizeof line, "%s %s %s", cases[i].command,
                     k < 2 ? cases[i].one : cases[i].other,
                     strstr(cases[i].command, "--json") != NULL
                         ? "2>said | grep -o '\"error[^,]*\\|\"tolerance[^,]*'"
                         : "| grep -v ^stage");
            assert_int_equal(run(line), 0);
            if (k > 0 && (strcmp(before, output) == 0) != (k == 1))
                fail_msg("'%s' with %s and %s:\n%s", cases[i].command, cases[i].one,
                         k == 1 ? cases[i].one : cases[i].other, output);
            keep_output();
        }
    }
}

/* A record names the ways that were asked for, and a check says what a number of its own does. */
TEST(styles_reach_the_rows)
{
    need_gl();
    static const char *const commands[] = {
        "check jacobi9/luminance --size 9 --pingpong copy --target 2d --json -",
        "bench jacobi9/luminance -n 9 --repeats 1 --pingpong copy --target 2d --json -",
        "check gauss_jordan/pivoted --size 9 --pingpong reattach --target 2d --json -"};
    for (int i = 0; i < COUNT(commands); i++) {
        cJSON *tree = run_json(commands[i], 0);
        assert_string_equal(text(record(tree, 0), "pingpong"), i < 2 ? "copy" : "reattach");
        assert_string_equal(text(record(tree, 0), "target"), "2d");
        cJSON_Delete(tree);
    }
    /* A preamble prepares shaders for 2D targets: these fail if it is there. */
    assert_int_equal(run("--version; mkdir -p two && cp -r " QP_SOURCE_DIR "/shaders/. two && "
                         "sed -i '1a #ifdef texture2DRect\\n#error two\\n#endif' "
                         "two/jacobi9/luminance.frag two/gauss_jordan/pivoted_row.frag"),
                     0);
    setenv("QUADPASS_SHADER_DIR", "two", 1);
    assert_int_equal(run("walk luminance -n 4"), 0);
    assert_int_not_equal(run("walk luminance -n 4 --target 2d"), 0);
    assert_int_equal(run("solve " GR " --variant luminance"), 0);
    assert_int_equal(run("solve " GR " --variant luminance --target 2d"),
                     2); /* the driver refuses a file of the user's */
    assert_int_equal(run("invert " QP_SOURCE_DIR "/data/west0067.mtx --variant pivoted"), 0);
    assert_int_not_equal(
        run("invert " QP_SOURCE_DIR "/data/west0067.mtx --variant pivoted --target 2d"), 0);
    unsetenv("QUADPASS_SHADER_DIR");
}

/* Only the style called copy copies: once a step, or once a column, and not at all without it. */
TEST(pingpong_reaches_the_framebuffers)
{
    static const struct {
        const char *command;
        int copies; /* at least */
    } cases[] = {{"check jacobi9/luminance --size 9 --iterations 50", 50},
                 {"walk luminance -n 4 --iterations 50", 50},
                 {"accuracy jacobi9/luminance -n 16 --iterations 50", 50},
                 {"accuracy poisson5/double_rgba -n 3", 4480}, /* walks, refinement and thesis */
                 {"bench jacobi9/luminance -n 9 --repeats 1 --iterations 50", 50},
                 {"solve " GR " --variant luminance", 50},
                 {"solve " QP_SOURCE_DIR "/data/west0067.mtx --variant pivoted", 67},
                 {"invert " QP_SOURCE_DIR "/data/west0067.mtx --variant pivoted", 67}};
    char line[512];
    need_gl();
    for (int i = 0; i < 2 * COUNT(cases); i++) {
        snprintf(line, sizeof line,
                 "--version; LD_PRELOAD=" QP_BUILD_DIR "/tests/copies.so "
                 "ASAN_OPTIONS=verify_asan_link_order=0 quadpass %s --pingpong %s",
                 cases[i / 2].command, i % 2 ? "copy" : "two_fbos");
        const int code = run(line);
        if (code != 0 && strstr(output, "built without FFTW") != NULL)
            continue;
        assert_int_equal(code, 0);
        const char *told = strstr(output, " copies\n");
        assert_non_null(told);
        while (told > output && told[-1] != '\n')
            told--;
        if (i % 2 ? atoi(told) < cases[i / 2].copies : atoi(told) != 0)
            fail_msg("'%s': %d copies", line, atoi(told));
    }
}

/* Every command has its usage, in its own name. */
TEST(usage_is_printed)
{
    static const char *const commands[] = {"list",     "info", "check", "bench",
                                           "accuracy", "walk", "solve", "invert"};
    for (int i = 0; i < COUNT(commands); i++) {
        char words[64];
        for (int k = 0; k < 2; k++) {
            snprintf(words, sizeof words, "%s %s", commands[i], k ? "--help" : "--usage");
            assert_int_equal(run(words), 0);
            snprintf(words, sizeof words, "Usage: quadpass %s", commands[i]);
            assert_int_equal(strncmp(output, words, strlen(words)), 0);
            assert_true(strstr(output, "--json") != NULL || strcmp(commands[i], "walk") == 0);
        }
    }
}

/* ---- Which device ---- */

TEST(the_environment_names_the_device)
{
    expect("QUADPASS_DEVICE=30 quadpass info", 3, "30");
    expect("QUADPASS_DEVICE=30 quadpass check jacobi9/luminance --size 9", 3, "30");
    expect("QUADPASS_DEVICE=toaster quadpass info", 2, "toaster");
    need_gl();
    expect("QUADPASS_DEVICE= quadpass info", 0, "chosen as");
    if (strstr(output, "llvmpipe") == NULL)
        skip(); /* may not be beside this one */
    expect("QUADPASS_DEVICE=llvmpipe quadpass info", 0, "llvmpipe, candidate 1");
    expect("QUADPASS_DEVICE=30 quadpass info --device llvmpipe", 0, "llvmpipe, candidate 1");
    /* The first EGL device by its number: one candidate, and that is it. */
    expect("quadpass info --device 0", 0, "0, candidate 1 of 1");
    expect("quadpass check jacobi9/luminance --size 9 --device 0", 0,
           "1 passed, 0 failed, 0 skipped");
}

/* `info` prints the library's findings, in words and in JSON. */
TEST(info_is_the_librarys)
{
    struct qp_context *context;
    need_gl();
    assert_ok(qp_context_create(NULL, &context));
    const struct qp_device *device = qp_context_device(context);
    cJSON *tree = run_json("info --json -", 0);
    const cJSON *abilities = cJSON_GetObjectItem(tree, "abilities");
    assert_int_equal(cJSON_GetArraySize(abilities), QP_ABILITIES);
    assert_string_equal(text(tree, "kind"), device->software ? "software" : "hardware");
    assert_string_equal(text(tree, "renderer"), device->renderer);
    assert_string_equal(text(tree, "version"), device->version);
    assert_string_equal(text(tree, "glsl"), device->glsl);
    assert_string_equal(text(tree, "device"), device->renderer);
    assert_string_equal(text(tree, "driver"), device->version);
    assert_true(number(tree, "texture_limit") == device->texture_limit);
    assert_true(number(tree, "rectangle_limit") == device->rectangle_limit);
    assert_true(number(tree, "draw_buffers") == device->draw_buffers);
    assert_true(number(tree, "texture_units") == device->texture_units);
    assert_true(number(tree, "colour_attachments") == device->colour_attachments);
    for (int i = 0; i < QP_ABILITIES; i++)
        assert_int_equal(cJSON_IsTrue(cJSON_GetObjectItem(abilities, qp_ability_name(i))),
                         device->abilities >> i & 1);
    cJSON_Delete(tree);
    assert_int_equal(run("info"), 0);
    int yes = 0;
    for (int i = 0; i < QP_ABILITIES; i++) {
        char line[64];
        const bool can = device->abilities >> i & 1;
        yes += can;
        snprintf(line, sizeof line, "  %-30s %s\n", qp_ability_name(i), can ? "yes" : "no");
        assert_non_null(strstr(output, line));
    }
    assert_true(yes >= 3); /* or nothing of all this would run */
    assert_non_null(strstr(output, device->software ? "software" : "hardware"));
    qp_context_destroy(&context);
}

/* ---- Exit codes ---- */

/* A required variant that is skipped counts as failed, by the option and by either name of the
 * variable. */
TEST(what_is_required_must_run)
{
#define REQUIRED "REQUIRE=gl QUADPASS_REQUIRE=gl "
    expect(NO_DEVICES "quadpass check jacobi9/luminance --size 9", 0,
           "0 passed, 0 failed, 1 skipped");
    expect(NO_DEVICES "quadpass check jacobi9/luminance --size 9 --require gl", 1,
           "1 failed, 0 skipped");
    expect(NO_DEVICES REQUIRED "quadpass check jacobi9/luminance --size 9", 1,
           "1 failed, 0 skipped");
    expect(NO_DEVICES REQUIRED "quadpass bench jacobi9/luminance -n 9", 1, "1 failed, 0 skipped");
    expect(NO_DEVICES
           "REQUIRE=cuda QUADPASS_REQUIRE=cuda quadpass check jacobi9/luminance --size 9",
           0, "0 failed, 1 skipped");
    expect(NO_DEVICES "quadpass check jacobi9/cuda_simple --size 9 --require cuda", 1, "1 failed");
    expect(NO_DEVICES "quadpass check jacobi9/cuda_simple --size 9 --require gl", 0, "1 skipped");
#undef REQUIRED
}

/* 3, whatever was about to run out of it. */
TEST(no_memory_is_3)
{
#ifdef __SANITIZE_ADDRESS__
    skip(); /* whose own memory has no end */
#endif
    expect("ulimit -v 1500000; " NO_DEVICES "OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 "
           "quadpass check jacobi9/bands_cpu --size 14000x8000",
           3, "quadpass: ");
}

/* ---- Counts and what a check says ---- */

TEST(bounds_are_counted)
{
    int bounds = -1;
    need_gl();
    assert_int_equal(run("check gauss_jordan/branched_notex gauss_jordan/branched_alwayscache "
                         "--size 9"),
                     0);
    const char *at = strstr(output, " bound");
    while (at != NULL && strncmp(at + 6, "s, neither passed nor failed\n0 passed", 37) != 0)
        at = strstr(at + 1, " bound");
    assert_non_null(at);
    assert_int_equal(sscanf(at - 1, "%d", &bounds), 1);
    assert_int_equal(bounds, 2);
    /* A bound has no error that could be within a tolerance. */
    assert_int_equal(run("bench gauss_jordan/branched_notex -n 9 --repeats 1"), 0);
    double error = 0.0;
    at = strstr(output, "\ngauss_jordan/branched_notex");
    assert_int_equal(sscanf(strstr(at, " bound "), " bound - - %lf", &error), 1);
    assert_true(error > 0.0);
}

/* Error and tolerance are in their places, cases are counted, and a size that is asked for is what
 * is checked, without whole solves of other ones. */
TEST(a_check_says_what_it_found)
{
    double error = 0.0, tolerance = 0.0;
    int cases = 0, width = 0, height = 0;
    cJSON *tree = run_json("check jacobi9/openmp --size 9x7 --json -", 0);
    const cJSON *one = record(tree, 0);
    assert_int_equal(run("check jacobi9/openmp --size 9x7"), 0);
    const char *at = strstr(output, " cases");
    assert_true(at != NULL && sscanf(at - 3, "%d cases error %lf, allowed %lf, at %dx%d", &cases,
                                     &error, &tolerance, &width, &height) == 5);
    assert_true(fabs(error / number(one, "error") - 1.0) < 0.06);
    assert_true(fabs(tolerance / number(one, "tolerance") - 1.0) < 0.06);
    assert_true(error < tolerance && cases == 15 && width == 9 && height == 7);
    assert_null(strstr(output, "solves"));
    cJSON_Delete(tree);
    assert_int_equal(run("check jacobi9/openmp --iterations 3"), 0);
    assert_null(strstr(output, "solves"));
    /* Reductions are checked at three sizes, or at all: sizes that a variant cannot take are
     * reported. */
    need_gl();
    assert_int_equal(run("check jacobi9/rgba_notex --problem random --iterations 1"), 0);
    int passed = 0, left_out = 0;
    at = strstr(output, " cases");
    assert_int_equal(sscanf(at - 3, "%d cases", &passed), 1);
    at = strchr(strstr(output, " cases") + 1, '(');
    assert_int_equal(sscanf(at, "(%d cases", &left_out), 1);
    assert_int_equal(passed, 3); /* widths of 64, 128 and 2048 */
    assert_int_equal(left_out, 8);
}

/* Cases of a variant of each operation, sizes times problems times numbers of steps, and those it
 * cannot take: a check that leaves some out would be fast, and would find less. */
TEST(checks_have_all_their_cases)
{
    static const struct {
        const char *row;
        int passed, left_out;
    } counts[] = {{"jacobi9/amorim_cpu", 165, 0},   {"reduce/loop", 165, 0},
                  {"gauss_jordan/loop", 60, 80},    {"gauss_jordan_batch/loop", 40, 0},
                  {"transpose/loop", 33, 33},       {"transfer/memcpy", 132, 0},
                  {"access/loop", 1400, 0},         {"poisson5/sequential", 165, 0},
                  {"poisson5_batch/openmp", 60, 0}, {"spmv/loop", 160, 0},
                  {"multigrid/openmp", 255, 0}};
    char line[512] = "check";
    assert_null(qp_op_at(COUNT(counts))); /* all operations */
    for (int i = 0; i < COUNT(counts); i++)
        sprintf(line + strlen(line), " %s", counts[i].row);
    assert_int_equal(run(line), 0);
    for (int i = 0; i < COUNT(counts); i++) {
        int passed = 0, left_out = 0;
        char name[64];
        snprintf(name, sizeof name, "%s ",
                 counts[i].row); /* lines of progress have a comma there */
        const char *at = strstr(output, name);
        assert_non_null(at);
        assert_int_equal(sscanf(at + strlen(name), " pass %d cases", &passed), 1);
        const char *left = strchr(at, '(');
        if (left != NULL && left < strchr(at, '\n'))
            assert_int_equal(sscanf(left, "(%d cases it cannot take)", &left_out), 1);
        if (passed != counts[i].passed || left_out != counts[i].left_out)
            fail_msg("%s: %d cases and %d that it cannot take, not %d and %d", counts[i].row,
                     passed, left_out, counts[i].passed, counts[i].left_out);
    }
}

/* Wrapping systems are solved too, as the others are. */
TEST(check_solves_each_kind)
{
    static const char *const kinds[] = {"random", "wraps", "symmetric", "bidomain"};
    for (int i = 0; i < COUNT(kinds); i++) {
        char words[96];
        snprintf(words, sizeof words, "check jacobi9/openmp --problem %s", kinds[i]);
        assert_int_equal(run(words), 0);
        if (strstr(output, "built without SuiteSparse") != NULL)
            skip();
        assert_non_null(strstr(output, "solves: error "));
    }
}

/* A command takes 64 patterns. */
TEST(patterns_have_a_limit)
{
    expect("quadpass list $(yes jacobi9/rgba | head -n 64)", 0, "jacobi9/rgba");
    expect("quadpass list $(yes jacobi9/rgba | head -n 65)", 2, "more than 64 names");
}

GROUP(make_folder_in_haste, remove_folder)
