/* SPDX-License-Identifier: MIT */
/* The command as a script sees it: exit codes, what goes where, and no output file on bad input. */
#include "support/shell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Bad usage and bad input: exit code 2, a sentence, no file ---- */

TEST(bad_use_is_2_and_leaves_no_file)
{
    static const struct {
        const char *arguments, *words;
    } cases[] = {
        {"", "Usage"},
        {"dance", "no command 'dance'"},
        {"check --bogus", "bogus"},
        {"check nothing", "no variant matches 'nothing'"},
        {"bench --variant nothing", "no variant is called 'nothing'"},
        {"bench --size 0", "--size takes N or WxH, such as"},
        {"bench --size 12y", "--size takes N or WxH, such as"},
        {"bench --size 99999999999", "--size takes N or WxH, such as"},
        {"check --pingpong serve", "serve"},
        {"check --target 3d", "3d"},
        {"check --pingpong all", "only bench compares"},
        {"walk rgba --target all", "only bench compares"},
        {"check compute --group 8x8", "--group belongs to bench"},
        {"bench compute --group 8", "WxH"},
        {"check gauss_jordan/blocks --block 8", "--block belongs to bench"},
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
        {"walk rgba luminance", "walk takes VARIANT, and 'luminance' is one too many"},
        {"walk rgba --variant luminance", "takes one variant"},
        {"walk gauss_jordan_batch/loop -n 65", "a batch takes up to 64"},
        {"accuracy gauss_jordan_batch/loop", "gauss_jordan_batch/loop is none"},
        {"solve " GR " --variant gauss_jordan_batch/loop -o x.mtx", "solves no system from a file"},
        {"bench jacobi9/openmp --size 20000x20000", "limit"},
        {"bench jacobi9/bands_systems --size 2147483647",
         "1073741824 x 1073741824 cells are above"},
        {"bench --json /nowhere/r.json", "/nowhere/r.json: cannot be written: No such file"},
        {"check --csv .", ".: cannot be written: Is a directory"},
        {"check --junit .", ".: cannot be written: Is a directory"},
        {"check --tap /nowhere/x", "/nowhere/x: cannot be written: No such file"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_refused(cases[i].arguments, cases[i].words);
}

/* An option belongs to some commands: others say to which, and do not list it. */
TEST(foreign_options_are_refused)
{
    static const struct {
        const char *arguments, *words;
    } cases[] = {
        {"solve " GR " --size 40x30 -o x.mtx",
         "--size belongs to 'quadpass solve poisson5', and not to a matrix"},
        {"solve " GR " -n 40 -o x.mtx", "--size belongs to 'quadpass solve poisson5'"},
        {"solve " GR " --problem random -o x.mtx",
         "--problem belongs to 'quadpass solve poisson5'"},
        {"solve " GR " --repeats 3 -o x.mtx", "--repeats belongs to bench"},
        {"solve " GR " --markdown", "--markdown belongs to list"},
        {"list --grid 3x3", "--grid belongs to solve"},
        {"list --device nvidia", "--device belongs to info, check"},
        {"list --weight=1", "--weight belongs to"},
        {"info --refine", "--refine belongs to solve, invert"},
        {"check rgba --prove", "--prove belongs to info"},
        {"list --precision", "--precision belongs to info"},
        {"info --prove=yes", "--prove takes no value"},
        {"info --paper 1", "--paper belongs to bench"},
        {"walk rgba --json x.mtx", "--json belongs to list, info"},
        {"walk rgba --csv x.mtx", "--csv belongs to list, info"},
        {"bench rgba --junit x.mtx", "--junit belongs to check"},
        {"accuracy rgba --tap x.mtx", "--tap belongs to check"},
        {"check rgba -o x.mtx", "--output belongs to shaders, run, generate, tune, solve, invert"},
        {"invert " GR " --x0 " GR, "--x0 belongs to solve"},
        {"invert " GR " --picture p.png", "--picture belongs to run, solve, model"},
        {"demo a b c", "demo takes [DATA [PICTURES]], and 'c' is one too many"},
        {"solve a b c", "and 'c' is one too many"},
        {"invert a b", "invert takes A.mtx, and 'b' is one too many"},
        {"check --iterations 0", "at least 1"},
        {"solve " GR " --tolerance 5 -o x.mtx", "--tolerance takes a number above 0 and below 1"},
        {"solve " GR " --tolerance 1 -o x.mtx", "--tolerance takes a number above 0 and below 1"},
        {"solve " GR " -o", "--output takes FILE"},
        {"solve " GR " --refine=yes", "--refine takes no value"},
        {"check -z", "there is no option -z"},
        {"bench access/loop --problem stride --parameter 00000000000000132 -n 8",
         "it cannot be 132"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_refused(cases[i].arguments, cases[i].words);
    assert_int_equal(run("list --help"), 0);
    assert_true(count("--grid") == 0 && count("--device") == 0 && count("--long") == 1);
    assert_int_equal(run("walk --help"), 0);
    assert_true(count("--json") == 0 && count("by default 8") == 1 && count("Examples:") == 1);
}

/* Options that are cut, joined, or after words, and words that begin with a dash. */
TEST(options_may_be_typed_in_any_way)
{
    static const char *const same[] = {"check jacobi9/openmp -n 9 --iterations 2",
                                       "check -n9 --iter=2 jacobi9/openmp",
                                       "check --size 9x9 --iterations=2 -- jacobi9/openmp"};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(run(same[i]), 0);
        assert_non_null(strstr(output, "at 9x9, 2 steps"));
        assert_true(ends_with(output, "1 passed, 0 failed, 0 skipped\n"));
    }
    assert_refused("check -- --size", "no variant matches '--size'");
    assert_refused("check --p random", "--p may be");
}

TEST(slips_are_understood)
{
    static const struct {
        const char *arguments, *words;
    } cases[] = {
        {"chek", "did you mean 'check'?"},
        {"check --jsn r", "did you mean --json?"},
        {"check --device nvida", "did you mean 'nvidia'?"},
        {"check --problem randmo", "did you mean 'random'?"},
        {"check --pingpong to_fbos", "did you mean 'two_fbos'?"},
        {"check jacobi9/lumi", "did you mean 'jacobi9/luminance'?"},
        {"walk jacobi9/luminence", "did you mean 'jacobi9/luminance'?"},
        {"solve " GR " --variant sgsev -o x.mtx", "did you mean 'sgesv'?"},
        {"check --refien r", "there is no option --refien\n"}, /* --refine belongs to others */
        {"walk transfer",
         "'transfer' is an operation; take a variant of it, such as transfer/reference, "
         "transfer/memcpy, transfer/plain, transfer/plain_luminance ('quadpass list transfer'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_refused(cases[i].arguments, cases[i].words);
    assert_refused("dance", "there is no command 'dance'; ");
    assert_refused("check xylophone", "no variant matches 'xylophone'; ");
}

TEST(a_demand_may_stand_in_the_environment)
{
    expect(NO_DEVICES "quadpass check jacobi9/luminance -n 9", 0, "0 passed, 0 failed, 1 skipped");
    expect(NO_DEVICES "REQUIRE=gl quadpass check jacobi9/luminance -n 9", 0, "1 skipped");
    expect(NO_GL "CUDA_VISIBLE_DEVICES= QUADPASS_REQUIRE=gl quadpass check jacobi9/luminance -n 9",
           1, "0 passed, 1 failed, 0 skipped");
    expect("QUADPASS_REQUIRE=tpu quadpass list", 2, "QUADPASS_REQUIRE takes gl, cuda and blas");
    expect("REQUIRE=foo quadpass list", 0, "jacobi9, ");
}

/* Names by operation, few enough for a look; what they do where it is asked for. */
TEST(the_list_is_short_unless_asked)
{
    assert_int_equal(run("list"), 0);
    assert_true(count("\n") < 130 && count("symmetric_conditionals") == 1);
    assert_int_equal(count("\n  reference "), count(" variants: "));
    assert_int_equal(run("list --long | wc -l"), 0);
    assert_true(atoi(output) > 300);
    assert_int_equal(run("list jacobi9/openmp"), 0);
    assert_true(count("\n") == 3 && count("needs") == 1);
    assert_int_equal(run("list --markdown | grep -c '^| `'"), 0);
    const int rows = atoi(output);
    assert_int_equal(run("list --json - | grep -c '\"variant\"'"), 0);
    assert_int_equal(atoi(output), rows);
}

TEST(no_device_is_3)
{
    assert_int_equal(run("check jacobi9/luminance --device 30"), 3);
    assert_non_null(strstr(output, "device number 30"));
    int code = run("info --device nvidia");
    if (code == 0)
        skip(); /* there is one */
    assert_int_equal(code, 3);
    assert_non_null(strstr(output, "10_nvidia.json"));
    assert_int_equal(run("check jacobi9/luminance --device nvidia"), 3);
    assert_int_equal(run("solve " GR " --device nvidia -o x.mtx"), 3);
    assert_int_equal(run("solve " GR " --variant openmp --device nvidia -o x.mtx"), 3);
    assert_false(exists("x.mtx"));
}

/* A solve that names its variant has no other to run in its place: it ends, and skips nothing. */
TEST(no_cuda_device_is_3)
{
    expect(NO_DEVICES "quadpass solve " GR " --variant cuda_simple", 3, "jacobi9/cuda_simple: ");
    expect(NO_DEVICES "quadpass solve " GR " --variant cuda_arrays", 3, "EGL lists no device");
    expect(NO_DEVICES "quadpass solve " GR " --variant gauss_jordan/cuda_column_pivoted", 3,
           "gauss_jordan/cuda_column_pivoted: ");
    expect(NO_DEVICES "quadpass invert " GR " --variant cuda_blocked", 3,
           "gauss_jordan/cuda_blocked: ");
    expect(NO_DEVICES "quadpass solve " GR " --variant cuda_simple --device nvidia", 3,
           "EGL lists no device for 'nvidia'");
}

/* ---- Good runs ---- */

TEST(help_and_version_are_0_everywhere)
{
    static const char *const commands[] = {"",     "list",  "info",   "check",    "bench",
                                           "walk", "solve", "invert", "accuracy", "demo"};
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

TEST(last_line_counts)
{
    assert_int_equal(run("check 'jacobi9/*_cpu' --size 9"), 0);
    assert_true(ends_with(output, "\n2 passed, 0 failed, 0 skipped\n"));
    assert_int_equal(run("bench jacobi9/openmp --size 16x9 --repeats 2 --iterations 3"), 0);
    assert_true(ends_with(output, "1 passed, 0 failed, 0 skipped\n"));
    need_gl();
    assert_int_equal(run("check jacobi9/luminance --size 9 --problem wraps"), 0);
    assert_true(ends_with(output, "0 passed, 0 failed, 1 skipped\n"));
    assert_int_equal(run("check jacobi9/luminance --size 9 --problem wraps --require gl"), 1);
    assert_true(ends_with(output, "0 passed, 1 failed, 0 skipped\n"));
}

/* A kind of problem chooses the operations that have it. */
TEST(problems_are_chosen_by_name)
{
    static const char *const kinds[] = {"sum", "squares", "dot", "max", "index"};
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
    assert_int_equal(run("walk reduce/loop --problem wraps"), 2);
    assert_non_null(strstr(output, "reduce has no problem 'wraps'; it has sum, squares, dot"));
    assert_int_equal(run("walk reduce/openmp --problem index -n 5"), 0);
    assert_true(ends_with(output, "reduce/openmp: pass\n"));
    assert_int_equal(run("solve " GR " --variant reduce/loop"), 2);
    assert_non_null(strstr(output, "reduce/loop: is a variant of reduce"));
}

/* A size that one operation does not take, and others do; alone it is bad use (see above). */
TEST(sizes_that_only_some_take)
{
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

/* Skips have priorities: "no texture for the matrix" is shown rather than "takes no copies",
 * whichever comes last. */
TEST(a_skip_gives_the_rows_own_reason)
{
    need_gl();
    assert_int_equal(run("check transpose/sampled transpose/copy_texels --size 70000x4"), 0);
    assert_non_null(strstr(output, "needs a texture of 6 x 70002"));
    assert_non_null(strstr(output, "needs a texture of 70002 x 6"));
    assert_int_equal(run("check transpose/sampled --problem copy"), 0);
    assert_non_null(strstr(output, "is not for the problem 'copy'"));
}

/* The steps are right, the residual that the device reports is not: only whole solves show it. */
TEST(a_solve_that_goes_wrong_fails)
{
    need_gl();
    assert_int_equal(
        run("--version; mkdir -p r && cp -r " QP_SOURCE_DIR "/shaders/. r && "
            "sed -i 's/gl_FragColor = .*/gl_FragColor = vec4(1.0e30);/' r/reduce/change.frag"),
        0);
    assert_int_equal(run("check jacobi9/openmp jacobi9/luminance"), 0);
    bool solves = strstr(output, "built without SuiteSparse") == NULL;
    assert_int_equal(strstr(output, "solves: error ") != NULL, solves);
    if (!solves) {
        assert_false(support_is_required("blas"));
        skip();
    }
    setenv("QUADPASS_SHADER_DIR", "r", 1);
    int code =
        run("check jacobi9/openmp jacobi9/luminance --problem random --json j.json; code=$?; "
            "cat j.json; exit $code");
    unsetenv("QUADPASS_SHADER_DIR");
    assert_int_equal(code, 1);
    assert_non_null(strstr(output, "1 passed, 1 failed, 0 skipped"));
    assert_non_null(strstr(output, "solving random: diverging"));
    assert_non_null(strstr(output, "\"glups\":null"));
}

/* Eliminations solve whole systems too; one whose log says that all pivots are 0, which no walk of
 * a good variant looks at, does not. */
TEST(eliminations_are_solved)
{
    need_gl();
    assert_false(run("check gauss_jordan/loop gauss_jordan/sgesv pivoted --problem dominant"));
    if (strstr(output, "built without") != NULL) {
        assert_false(support_is_required("blas"));
        skip();
    }
    assert_int_equal(count("solves: error "), 3);
    double error, tolerance;
    for (const char *at = output; (at = strstr(at, "solves: error ")) != NULL; at++) {
        assert_int_equal(sscanf(at, "solves: error %lf, allowed %lf", &error, &tolerance), 2);
        assert_true(error >= 0.0 && error <= tolerance && tolerance < 1e-2);
    }
    assert_int_equal(run("--version; mkdir -p e && cp -r " QP_SOURCE_DIR "/shaders/. e && "
                         "sed -i 's/gl_FragColor = .*/gl_FragColor = vec4(0.0);/' "
                         "e/gauss_jordan/log*.frag"),
                     0);
    setenv("QUADPASS_SHADER_DIR", "e", 1);
    int code = run("check gauss_jordan/loop gauss_jordan/pivoted --problem dominant");
    unsetenv("QUADPASS_SHADER_DIR");
    assert_int_equal(code, 1);
    assert_non_null(strstr(output, "1 passed, 1 failed, 0 skipped"));
    assert_non_null(strstr(output, "solving "));
    /* and one whose log the driver refuses, which no other variant suffers from */
    assert_int_equal(run("--version; sed -i '1a #error none' e/gauss_jordan/log*.frag"), 0);
    setenv("QUADPASS_SHADER_DIR", "e", 1);
    code = run("check gauss_jordan/loop gauss_jordan/pivoted --problem dominant");
    unsetenv("QUADPASS_SHADER_DIR");
    assert_int_equal(code, 1);
    assert_non_null(strstr(output, "1 passed, 1 failed, 0 skipped"));
    assert_non_null(strstr(output, "solving dominant: "));
}

/* Three kinds of problem, four ways; and what is not asked for is not measured. */
TEST(accuracy_is_told)
{
    need_gl();
    assert_int_equal(run("accuracy -n 16 --iterations 3 --json a.json"), 0);
    assert_int_equal(count("jacobi9/inverse"), 3);
    assert_true(count("diagonal ") == 4 && count("random ") == 4 && count("bidomain ") == 4);
    assert_true(exists("a.json"));
    assert_int_equal(run("accuracy openmp -n 16 --problem random"), 0);
    assert_true(count("jacobi9/openmp") == 4 && count("inverse") == 0);
    assert_int_equal(run("accuracy nothing"), 2);
}

GROUP(make_folder_in_haste, remove_folder)
