/* SPDX-License-Identifier: MIT */
/* The command as a script sees it: exit codes, what goes where, and no output file on bad input. */
#include "shell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

/* How often the last run said so. */
static int count(const char *words)
{
    int found = 0;
    for (const char *at = output; (at = strstr(at, words)) != NULL; at++)
        found++;
    return found;
}

/* ---- Bad usage and bad input: exit code 2, a sentence, no file ---- */

static void bad_use_is_2_and_leaves_no_file(void **state)
{
    (void)state;
    static const struct {
        const char *arguments, *words;
    } cases[] = {
        {"", "Usage"},
        {"dance", "no command 'dance'"},
        {"check --bogus", "bogus"},
        {"check nothing", "no variant matches 'nothing'"},
        {"bench --variant nothing", "no variant is called 'nothing'"},
        {"bench --size 0", "whole number"},
        {"bench --size 12y", "whole number"},
        {"bench --size 99999999999", "whole number"},
        {"check --pingpong serve", "serve"},
        {"check --target 3d", "3d"},
        {"check --pingpong all", "only bench compares"},
        {"walk rgba --target all", "only bench compares"},
        {"check compute --group 8x8", "only bench"},
        {"bench compute --group 8", "WxH"},
        {"check gauss_jordan/blocks --block 8", "only bench"},
        {"bench gauss_jordan/blocks --block 0", "whole number"},
        {"check access --parameter 1,2", "only bench takes several parameters"},
        {"check access --parameter all", "only bench takes several parameters"},
        {"check access --problem all", "only bench takes all problems"},
        {"bench access --parameter 1,,2", "whole number"},
        {"bench access --parameter -1", "whole number"},
        {"bench access/loop --problem stride --parameter 33", "lies between 1 and 32"},
        {"bench access/loop --problem stride --parameter 0", "it cannot be 0"},
        {"bench jacobi9/openmp --parameter 0 --size 8", "jacobi9 takes no parameter"},
        {"bench --paper 1 --parameter all", "the paper names them"},
        {"check --require tpu", "tpu"},
        {"check --device toaster", "toaster"},
        {"bench --weight 2.5", "between 0 and 2"},
        {"bench --json - --csv -", "standard output"},
        {"list more less", "no variant matches 'more'"},
        {"info extra", "takes no 'extra'"},
        {"walk", "takes a variant"},
        {"walk nothing", "no variant is called"},
        {"walk gauss_jordan_batch/passes -n 65", "a batch takes up to 64"},
        {"accuracy gauss_jordan/branched", "gauss_jordan/branched is none"},
        {"solve " GR " --variant gauss_jordan_batch/loop -o x.mtx", "solves no system from a file"},
        {"bench jacobi9/openmp --size 20000x20000", "limit"},
        {"bench openmp --json /nowhere/r.json --size 8 --repeats 1", "/nowhere/r.json"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_refused(cases[i].arguments, cases[i].words);
}

static void no_device_is_3(void **state)
{
    (void)state;
    if (run("info --device nvidia") == 0)
        skip(); /* there is one */
    assert_int_equal(run("info --device nvidia"), 3);
    assert_non_null(strstr(output, "10_nvidia.json"));
    assert_int_equal(run("check luminance --device nvidia"), 3);
    assert_int_equal(run("solve " GR " --device nvidia -o x.mtx"), 3);
    assert_false(exists("x.mtx"));
    assert_int_equal(run("check luminance --device 30"), 3);
    assert_non_null(strstr(output, "device number 30"));
}

/* ---- Good runs ---- */

static void help_and_version_are_0_everywhere(void **state)
{
    (void)state;
    static const char *const commands[] = {"",      "list", "info",  "check",
                                           "bench", "walk", "solve", "invert"};
    char arguments[64];
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        snprintf(arguments, sizeof arguments, "%s --help", commands[i]);
        assert_int_equal(run(arguments), 0);
        assert_non_null(strstr(output, "Usage: quadpass"));
        snprintf(arguments, sizeof arguments, "%s --version", commands[i]);
        assert_int_equal(run(arguments), 0);
        assert_string_equal(output, "quadpass " QP_VERSION "\n");
    }
}

static void last_line_counts(void **state)
{
    (void)state;
    assert_int_equal(run("check 'jacobi9/*_cpu' --size 9"), 0);
    assert_true(ends_with(output, "0 bounds\n2 passed, 0 failed, 0 skipped\n"));
    assert_int_equal(run("bench jacobi9/openmp --size 16x9 --repeats 2 --iterations 3"), 0);
    assert_true(ends_with(output, "1 passed, 0 failed, 0 skipped\n"));
    need_gl();
    unsetenv("REQUIRE"); /* the command reads it too */
    assert_int_equal(run("check luminance --size 9 --problem wraps"), 0);
    assert_true(ends_with(output, "0 passed, 0 failed, 1 skipped\n"));
    assert_int_equal(run("check luminance --size 9 --problem wraps --require gl"), 1);
    assert_true(ends_with(output, "0 passed, 1 failed, 0 skipped\n"));
}

/* A kind of problem chooses the operations that have it. */
static void problems_are_chosen_by_name(void **state)
{
    static const char *const kinds[] = {"sum", "squares", "dot", "max", "index"};
    (void)state;
    for (int i = 0; i < 5; i++) {
        char words[64];
        snprintf(words, sizeof words, "check '*/openmp' --problem %s --size 33x7", kinds[i]);
        assert_int_equal(run(words), 0);
        assert_non_null(strstr(output, "reduce/openmp                  pass    3 cases"));
        assert_null(strstr(output, "jacobi9"));
        assert_true(ends_with(output, "1 passed, 0 failed, 0 skipped\n"));
    }
    assert_int_equal(
        run("bench reduce/loop --problem dot --size 9 --repeats 1 --csv - 2>/dev/null"), 0);
    assert_non_null(strstr(output, "reduce/loop"));
    assert_int_equal(run("bench 'jacobi9/*' --problem dot --size 9"), 2);
    assert_non_null(strstr(output, "no variant asked for has a problem 'dot'"));
    assert_int_equal(run("check reduce --problem product"), 2);
    assert_non_null(strstr(output, "--problem does not take 'product'"));
    assert_int_equal(run("walk reduce/tree --problem wraps"), 2);
    assert_non_null(strstr(output, "reduce has no problem 'wraps'; it has sum, squares, dot"));
    assert_int_equal(run("walk reduce/openmp --problem index -n 5"), 0);
    assert_true(ends_with(output, "reduce/openmp: pass\n"));
    assert_int_equal(run("solve " GR " --variant reduce/loop"), 2);
    assert_non_null(strstr(output, "reduce/loop: is a variant of reduce"));
}

/* Level after level, down to one texel. */
static void walk_shows_a_reduction(void **state)
{
    (void)state;
    need_gl();
    assert_int_equal(run("walk reduce/compensated --problem dot -n 8"), 0);
    assert_non_null(strstr(output, "shaders/reduce/compensated_dot.frag"));
    assert_non_null(strstr(output, "shaders/reduce/compensated_next.frag"));
    assert_non_null(strstr(output, "level 1, drawn as a quad over 2 x 2 texels of RGBA32F"));
    assert_non_null(strstr(output, "level 2, drawn as a quad over 1 x 1 texels of RGBA32F"));
    assert_null(strstr(output, "level 3"));
    assert_true(ends_with(output, "reduce/compensated: pass\n"));
}

/* The list of draws, and what each column leaves: of [I | x] one column more. */
static void walk_shows_an_elimination(void **state)
{
    static const char *const words[] = {
        "for every column k:\n"
        "      draw row k: source -> target, gauss_jordan/divide.frag\n"
        "      draw row k: target -> source, gauss_jordan/copy.frag\n"
        "      draw all rows: source -> target, gauss_jordan/branched.frag\n"
        "      source and target change roles\n",
        "column 0, texels drawn: 4 x 1, 4 x 1, 4 x 3; the target then:\n      1.000 ",
        "column 1, texels drawn: 4 x 1, 4 x 1, 4 x 3; the target then:\n      1.000   0.000 ",
        "column 2, texels drawn: 4 x 1, 4 x 1, 4 x 3; the target then:\n"
        "      1.000   0.000   0.000 ",
        "\n    pivots: "};
    (void)state;
    need_gl();
    assert_int_equal(run("walk gauss_jordan/branched -n 3"), 0);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strstr(output, words[i]) == NULL)
            fail_msg("no '%s' in:\n%s", words[i], output);
    }
    assert_null(strstr(output, "column 3,"));
    assert_true(strstr(output, "room 5") < strstr(output, "column 0,"));
    assert_true(strstr(output, "column 2,") < strstr(output, "room 6"));
    assert_true(ends_with(output, "gauss_jordan/branched: pass\n"));
    assert_int_equal(run("walk gauss_jordan/shrinking_pivoted --problem permuted -n 8"), 0);
    assert_non_null(strstr(output, "a reduction finds the largest element of column k"));
    assert_non_null(strstr(output, "columns from k on: source -> pivot row, "));
    assert_non_null(strstr(output, "column 7, texels drawn: 2 x 1, 2 x 8; "));
    assert_int_equal(run("walk gauss_jordan/branched -n 9"), 0);
    assert_null(strstr(output, "column 0,"));
    assert_int_equal(run("walk gauss_jordan/loop -n 600"), 0);
    assert_non_null(strstr(output, "left out: it only sharpens the tolerance"));
}

/* Systems from the top, a residual, and the size that the chemistry has. */
static void batches_are_shown_and_checked(void **state)
{
    (void)state;
    assert_int_equal(run("check gauss_jordan_batch/loop --problem kinetics"), 0);
    assert_non_null(strstr(output, "1 passed, 0 failed, 0 skipped"));
    need_gl();
    assert_int_equal(run("walk gauss_jordan_batch/passes -n 3"), 0);
    assert_non_null(strstr(output, "3 systems of 3 unknowns, [A | b] of the first ones:\n"));
    assert_non_null(strstr(output, "|b - A x| / (||A|| ||x|| + ||b||) is "));
    assert_int_equal(count("room 6"), 1);
}

/* Where the array stands in each room; the kernel's shader where there is one. */
static void tour_of_a_transfer(void **state)
{
    (void)state;
    assert_int_equal(run("walk transfer/memcpy -n 3"), 0);
    assert_non_null(strstr(output, "one more array stands for the device, nothing in it yet\n"));
    assert_int_equal(count("room 10"), 1);
    need_gl();
    assert_int_equal(run("walk transfer/asynchronous --problem overlap -n 9"), 0);
    assert_non_null(strstr(output, "5 pieces of 2 rows at most, 2 at a time\n"));
    assert_non_null(strstr(output, "shaders/transfer/add.frag\n"));
    assert_int_equal(run("bench transfer/small -n 16 --iterations 1 --repeats 1 --block all"), 0);
    assert_int_equal(count(" b=8 "), 1);
}

/* A size that one operation does not take, and others do; alone it is bad use (see above). */
static void sizes_that_only_some_take(void **state)
{
    (void)state;
    assert_int_equal(run("check reduce/loop 'gauss*/loop' --size 5x9"), 0);
    assert_non_null(strstr(output, "5 x 9 is no augmented matrix"));
    assert_non_null(strstr(output, "2 passed, 0 failed, 1 skipped"));
    assert_int_equal(run("bench reduce/loop 'gauss*/loop' --size 65 --repeats 1 --json sizes.json"),
                     0);
    assert_non_null(strstr(output, "a batch takes up to 64"));
    assert_non_null(strstr(output, "2 passed, 0 failed, 1 skipped"));
    assert_true(exists("sizes.json"));
    assert_int_equal(run("bench gauss_jordan_batch/loop --size 13x9 --repeats 1"), 0);
    assert_refused("check gauss_jordan/loop --size 5x9 --json x.mtx", "no augmented matrix");
}

/* A table and a record for each parameter, and for each kind with the rows that take it. */
static void parameters_are_swept(void **state)
{
    (void)state;
    assert_int_equal(run("bench access/loop access/openmp --problem banks --parameter 1,31 --size "
                         "40 --repeats 1 --csv sweep.csv"),
                     0);
    assert_int_equal(count("40 x 40 cells, banks, parameter "), 2);
    assert_non_null(strstr(output, "parameter 31 (words from one thread's to the next one's)"));
    assert_non_null(strstr(output, "2 passed, 0 failed, 0 skipped"));
    assert_true(exists("sweep.csv"));
    assert_int_equal(run("bench access/loop --problem offset --parameter all -n 9 --repeats 1"), 0);
    assert_int_equal(count("parameter "), 17);
    assert_int_equal(run("bench access/loop access/cuda_staged --problem all -n 9 --repeats 1"), 0);
    assert_int_equal(count("access/loop "), 22);
    assert_int_equal(count("access/cuda_staged "), 1);
    assert_int_equal(run("bench access/cuda_rolled access/loop --size 9 --repeats 1"), 0);
    assert_int_equal(count(" offset, parameter 0 "), 1);
    assert_int_equal(run("bench access/cuda_rolled --size 9 --repeats 1"), 0);
    assert_int_equal(count(" unrolling, parameter 64 "), 1);
    assert_int_equal(run("walk access/loop --problem stride --parameter 3 -n 4"), 0);
    assert_non_null(strstr(output, "stride, parameter 3 (cells from one thread's"));
    assert_int_equal(run("check access/loop --problem exp --parameter 64"), 0);
    assert_non_null(strstr(output, "14 cases"));
}

/* Verdicts stand below each other, however long a name is. */
static void columns_line_up(void **state)
{
    static const char short_name[] = "\ngauss_jordan/loop ",
                      long_name[] = "\ngauss_jordan/blend_elimination_pivoted ";
    (void)state;
    assert_int_equal(run("bench gauss_jordan/loop blend_elimination_pivoted -n 8 --repeats 1"), 0);
    const char *first = strstr(output, short_name), *second = strstr(output, long_name);
    assert_true(first != NULL && second != NULL);
    const size_t column = sizeof long_name - 2; /* of what follows the name and a blank */
    assert_memory_equal(first + column, " pass ", 6);
    assert_true(memcmp(second + column, " pass ", 6) == 0 ||
                memcmp(second + column, " skip ", 6) == 0);
}

/* Small, but with all rows: each takes its steps and solves GR_30_30. */
static void demo_ends_well(void **state)
{
    (void)state;
    need_gl();
    int code = run("demo --size 32 --iterations 5 " QP_SOURCE_DIR "/data .");
    if (code != 0)
        print_error("%s", output);
    assert_int_equal(code, 0);
    assert_true(exists("bidomain.png") && exists("gr_30_30.png"));
    assert_non_null(strstr(output, " passed, 0 failed, "));
    assert_non_null(strstr(output, ", refined\n"));
    assert_non_null(strstr(output, "elimination of 32 unknowns"));
    assert_non_null(strstr(output, "x1.23 to x1.29\n"));
    assert_non_null(strstr(output, "branched: refuses, as it should: room 7"));
    assert_non_null(strstr(output, "gauss_jordan/pivoted: pass, error "));
}

/* Rows that take a zero for a pivot, and one that divides by a wrong one, are told from good ones. */
static void demo_sees_what_is_wrong(void **state)
{
    (void)state;
    need_gl();
    assert_int_equal(
        run("--version; mkdir -p d && cp -r " QP_SOURCE_DIR "/shaders/. d && "
            "sed -i 's/gl_FragColor = .*/gl_FragColor = vec4(1.0);/' d/gauss_jordan/log.frag && "
            "sed -i 's/gl_FragColor = .*/gl_FragColor = vec4(0.5);/' "
            "d/gauss_jordan/pivoted_row.frag"),
        0);
    setenv("QUADPASS_SHADER_DIR", "d", 1);
    int code = run("demo --size 16 --iterations 1 " QP_SOURCE_DIR "/data . --json d.json");
    unsetenv("QUADPASS_SHADER_DIR");
    assert_int_equal(code, 1);
    assert_non_null(strstr(output, "branched: fail: "));
    assert_non_null(strstr(output, "gauss_jordan/pivoted: fail: "));
    assert_true(exists("d.json"));
}

static void json_on_standard_output_is_alone(void **state)
{
    (void)state;
    assert_int_equal(run("bench jacobi9/openmp --size 16 --repeats 1 --json - 2>/dev/null"), 0);
    cJSON *tree = cJSON_Parse(output);
    assert_non_null(tree);
    const cJSON *records = cJSON_GetObjectItem(tree, "records");
    assert_int_equal(cJSON_GetArraySize(records), 1);
    const cJSON *name = cJSON_GetObjectItem(cJSON_GetArrayItem(records, 0), "variant");
    assert_string_equal(name->valuestring, "jacobi9/openmp");
    cJSON_Delete(tree);
}

static void a_broken_shader_fails_and_shows_no_rate(void **state)
{
    (void)state;
    need_gl();
    assert_int_equal(
        run("--version; mkdir -p s && cp -r " QP_SOURCE_DIR "/shaders/. s && "
            "echo 'void main() { gl_FragColor = vec4(0.0); }' >s/jacobi9/luminance.frag"),
        0);
    setenv("QUADPASS_SHADER_DIR", "s", 1);
    int code = run("bench luminance --size 16 --repeats 1 --json -");
    unsetenv("QUADPASS_SHADER_DIR");
    assert_int_equal(code, 1);
    assert_non_null(strstr(output, "\"glups\":\tnull"));
    assert_non_null(strstr(output, "0 passed, 1 failed, 0 skipped"));
}

/* The steps are right, but the residual that the device reports is not: only whole solves show it. */
static void a_solve_that_goes_wrong_fails(void **state)
{
    (void)state;
    need_gl();
    assert_int_equal(
        run("--version; mkdir -p r && cp -r " QP_SOURCE_DIR "/shaders/. r && "
            "sed -i 's/gl_FragColor = .*/gl_FragColor = vec4(1.0e30);/' r/reduce/change.frag"),
        0);
    assert_int_equal(run("check jacobi9/openmp luminance"), 0);
    bool solves = strstr(output, "built without SuiteSparse") == NULL;
    assert_int_equal(strstr(output, "solved to") != NULL, solves);
    if (!solves)
        skip();
    setenv("QUADPASS_SHADER_DIR", "r", 1);
    int code = run("check jacobi9/openmp luminance --json j.json; cat j.json");
    unsetenv("QUADPASS_SHADER_DIR");
    assert_int_equal(code, 0); /* of cat */
    assert_non_null(strstr(output, "1 passed, 1 failed, 0 skipped"));
    assert_non_null(strstr(output, "solving random: diverging"));
    assert_non_null(strstr(output, "\"glups\":\tnull"));
}

/* Rows that draw run in every style, each once; others have none. */
static void styles_are_compared(void **state)
{
    static const char *const pingpongs[] = {"two_attachments", "two_fbos", "reattach", "copy"};
    (void)state;
    need_gl();
    assert_int_equal(
        run("bench rgba openmp -n 8 --repeats 1 --pingpong all --target all --csv - 2>/dev/null"),
        0);
    for (int i = 0; i < 8; i++) {
        char words[64];
        snprintf(words, sizeof words, ",%s,%s,", pingpongs[i / 2], i % 2 ? "2d" : "rect");
        assert_int_equal(count(words), 1);
    }
    assert_true(count("jacobi9/rgba,") == 8 && count("jacobi9/openmp,") == 1);
    assert_int_equal(run("bench compute rgba -n 8 --repeats 1 --group all --csv - 2>/dev/null"), 0);
    assert_true(count("jacobi9/compute,") == 12 && count("jacobi9/rgba,") == 1);
    assert_true(count(",8x8,two_attachments,rect,") == 1 && count(",,two_attachments,rect,") == 1);
    assert_int_equal(run("bench compute -n 8 --repeats 1 --group 3x5 --csv - 2>/dev/null"), 0);
    assert_int_equal(count(",3x5,two_attachments,rect,"), 1);
    assert_int_equal(
        run("bench gauss_jordan/blocks* loop -n 12 --iterations 1 --repeats 1 --block all "
            "--csv - 2>/dev/null"),
        0);
    assert_true(count("gauss_jordan/blocks,") == 3 && count("gauss_jordan/loop,") == 1);
    assert_true(count(",dominant,4,") == 4 && count(",dominant,8,") == 4);
    assert_true(count(",dominant,12,") == 4 && count(",dominant,,,") == 1);
    assert_int_equal(count(",dominant,8,144,"),
                     2); /* 12 steps of 2 strips of 6 vertices: the noops' */
    assert_int_equal(run("bench gauss_jordan/blocks -n 8 --repeats 1 --block 4"), 0);
    assert_int_equal(count("Mvertices/s"), 1);
    assert_int_equal(run("bench rgba -n 8 --repeats 1 --target all"), 0);
    assert_true(count("two_attachments rect") == 1 && count("two_attachments 2d") == 1);
    assert_non_null(strstr(output, "2 passed, 0 failed, 0 skipped"));
}

/* Three kinds of problem, three ways; and what is not asked for is not measured. */
static void accuracy_is_told(void **state)
{
    (void)state;
    need_gl();
    assert_int_equal(run("accuracy -n 16 --iterations 3 --json a.json"), 0);
    assert_int_equal(count("jacobi9/inverse"), 3);
    assert_true(count("diagonal ") == 3 && count("random ") == 3 && count("bidomain ") == 3);
    assert_true(exists("a.json"));
    assert_int_equal(run("accuracy openmp -n 16 --problem random"), 0);
    assert_true(count("jacobi9/openmp") == 4 && count("inverse") == 0);
    assert_int_equal(run("accuracy nothing"), 2);
}

static void walk_shows_ten_rooms(void **state)
{
    (void)state;
    need_gl();
    assert_int_equal(run("walk jacobi9/luminance -n 8"), 0);
    for (int room = 1; room <= 10; room++) {
        char heading[32];
        snprintf(heading, sizeof heading, "room %d,", room);
        assert_non_null(strstr(output, heading));
    }
    assert_true(ends_with(output, "jacobi9/luminance: pass\n"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_use_is_2_and_leaves_no_file),
        cmocka_unit_test(no_device_is_3),
        cmocka_unit_test(help_and_version_are_0_everywhere),
        cmocka_unit_test(last_line_counts),
        cmocka_unit_test(walk_shows_an_elimination),
        cmocka_unit_test(batches_are_shown_and_checked),
        cmocka_unit_test(tour_of_a_transfer),
        cmocka_unit_test(sizes_that_only_some_take),
        cmocka_unit_test(parameters_are_swept),
        cmocka_unit_test(columns_line_up),
        cmocka_unit_test(demo_ends_well),
        cmocka_unit_test(demo_sees_what_is_wrong),
        cmocka_unit_test(json_on_standard_output_is_alone),
        cmocka_unit_test(problems_are_chosen_by_name),
        cmocka_unit_test(walk_shows_a_reduction),
        cmocka_unit_test(a_broken_shader_fails_and_shows_no_rate),
        cmocka_unit_test(a_solve_that_goes_wrong_fails),
        cmocka_unit_test(styles_are_compared),
        cmocka_unit_test(accuracy_is_told),
        cmocka_unit_test(walk_shows_ten_rooms),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
