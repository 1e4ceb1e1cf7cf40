/* SPDX-License-Identifier: MIT */
/* Variants that are tuned: their spaces, searches here, variants that are wrong in one way, who
 * takes what was found, and refusals; where CUDA is, with LONG=1, programs in place of a variant's
 * kernel, also wrong ones. */
#include "support/files.h"
#include "support/shell.h"

#include <stdlib.h>
#include <string.h>

static int make_cache(void **state)
{
    char path[256];
    const int code = make_folder(state);
    snprintf(path, sizeof path, "%.200s/cache", folder);
    return code != 0 ? code : setenv("XDG_CACHE_HOME", path, 1);
}

/* Lines of a variant's space, and how many configurations that is. */
static const struct {
    const char *row, *lines, *count;
} spaces[] = {
    {"transpose/sampled", "tune pingpong = two_attachments two_fbos reattach copy\n",
     "\n8 configurations, and 0 "},
    {"transpose/compute_blocks", "tune group = own 8x1 32x1 ", "\n104 configurations, "},
    {"transpose/cuda_naive", "tune block = 8 2 4 16 32\n", "\n5 configurations, "},
    {"transpose/cuda_padded", "tune tile = 32 16 64\n", "\n528 configurations, and 912 "},
    {"gauss_jordan/blocks", "tune block = 64 4 8 16 32 100\n", "\n6 configurations, "},
    {"poisson5/parts_sequential", "tune depth = 0 1 2 4 8 16\n", "\n6 configurations, "},
    {"poisson5/hybrid_rgba", "tune split = 0 12 25 37 50 62 75 87\n", "\n48 configurations, "},
};

TEST(spaces_are_listed)
{
    for (int k = 0; k < COUNT(spaces); k++) {
        char command[128];
        snprintf(command, sizeof command, "tune %s --size 100 --list", spaces[k].row);
        assert_int_equal(run(command), 0);
        assert_int_equal(count(spaces[k].lines), 1);
        assert_int_equal(count(spaces[k].count), 1);
    }
}

TEST(processors_are_searched)
{
    assert_int_equal(run("tune poisson5/parts_sequential --size 40x30 --strategy exhaustive "
                         "-o depth.json"),
                     0);
    assert_int_equal(count("best of 6 configurations, 0 wrong: depth="), 1);
    assert_int_equal(run("tune --simulate depth.json --strategy exhaustive"), 0);
    assert_int_equal(count("best of 6 configurations, 0 wrong: depth="), 1);
}

/* A shader that is right on one of two targets; of all 8 configurations the first 5 have it
 * once. */
TEST(wrong_targets_are_found)
{
    need_gl();
    assert_int_equal(run("--version; mkdir -p r/transpose"), 0);
    write_file("r/transpose/sampled.frag",
               "#version 120\n#extension GL_ARB_texture_rectangle : require\n"
               "uniform sampler2DRect x;\nvoid main()\n{\n"
               "    gl_FragColor = texture2DRect(x, gl_FragCoord.yx);\n"
               "#ifndef sampler2DRect\n"
               "    gl_FragColor += float(gl_FragCoord.x > 12.0 && gl_FragCoord.y > 12.0);\n"
               "#endif\n}\n");
    setenv("QUADPASS_SHADER_DIR", "r", 1);
    assert_int_equal(run("tune transpose/sampled --size 48x40 --strategy exhaustive --runs 5 "
                         "-o wrong.json"),
                     0);
    unsetenv("QUADPASS_SHADER_DIR");
    assert_int_equal(
        count("best of 5 configurations, 4 wrong: pingpong=two_attachments target=2d, "), 1);
    assert_int_equal(run("--version; cat wrong.json"), 0);
    assert_int_equal(count("\"invalidity\": \"correctness\""), 4);
    assert_int_equal(count("30 x 30: "), 4);
}

#define DEPTHS "tune poisson5/parts_sequential --size 40x30 --runs 3 --budget 1"
#define BENCH  "bench poisson5/parts_sequential --size 40x60 --repeats 1 --iterations 20 --json - "
#define SOLVE  "solve poisson5 --variant parts_sequential --size 40x60 --tolerance 0.1 --json - "

/* The default is the slowest of three depths by far. */
TEST(winners_are_taken)
{
    static const char words[] = "tuned size=40x30 depth=";
    char depth[32] = "", wanted[64];
    assert_int_equal(run("tune poisson5/threads_async0 --size 40x30 --runs 1"), 0);
    assert_int_equal(count("no configuration is faster here than the default, which is kept\n") +
                         count("nothing is kept: samples of the default differ by a factor of "),
                     1);
    /* A noisy machine may keep the default. */
    for (int seed = 1; atoi(depth) < 2 && seed < 9; seed++) {
        char search[128];
        snprintf(search, sizeof search, DEPTHS " --seed %d", seed);
        assert_int_equal(run(search), 0);
        assert_int_equal(count("not kept"), 0);
        assert_int_equal(run(BENCH), 0);
        if (count(words) == 0)
            continue;
        assert_int_equal(count(words), 2); /* in the table, and in the record */
        sscanf(strstr(output, words) + strlen(words), "%31[0-9]", depth);
    }
    if (depth[0] == '\0') {
        print_message("SKIP: this machine is busy\n");
        skip();
    }
    snprintf(wanted, sizeof wanted, "\"depth\":%s,", depth);
    assert_true(atoi(depth) > 1);
    assert_int_equal(count(wanted), 1);
    assert_int_equal(run(SOLVE), 0);
    assert_int_equal(count("is as 'quadpass tune' found it here: size=40x30 depth="), 1);
    assert_int_equal(count("\"tuned\":\"size=40x30 depth="), 1);
    static const char *const others[] = {BENCH "--untuned", BENCH "--parts 2", SOLVE "--untuned",
                                         SOLVE "--depth 1",
                                         "check poisson5/parts_sequential --size 40x30"};
    for (int k = 0; k < COUNT(others); k++) {
        assert_int_equal(run(others[k]), 0);
        assert_int_equal(count("size=40x30"), 0);
        assert_int_equal(count(wanted), 0);
    }
}

/* After winners_are_taken. */
TEST(damaged_winners_are_none)
{
    static const char *const damages[] = {"truncate -s 30 $f", "echo x >>$f",
                                          "sed -i s/th=/th=1/ $f", "rm $f && mkdir $f",
                                          "sed -i 's/^kernel.*/kernel x/' $f"};
    if (shell("cp $XDG_CACHE_HOME/quadpass/*.tuned $XDG_CACHE_HOME/whole") != 0)
        skip();
    for (int k = 0; k < COUNT(damages); k++) {
        char command[512];
        snprintf(command, sizeof command,
                 "f=$(echo $XDG_CACHE_HOME/quadpass/*.tuned) && %s && quadpass " BENCH
                 "&& rm -r $f && cp $XDG_CACHE_HOME/whole $f",
                 damages[k]);
        assert_int_equal(shell(command), 0);
        assert_int_equal(count("size=40x30"), 0);
    }
    assert_int_equal(run(BENCH), 0);
    assert_int_equal(count("size=40x30"), 2);
}

TEST(others_are_refused)
{
    assert_refused("tune transpose/loop", "transpose/loop has one configuration, and nothing to");
    assert_refused("tune transpose/sampled --target c", "--target is of a kernel file, and not of");
    assert_refused("tune transpose/nothing", "no variant is called 'transpose/nothing'");
    assert_refused("tune nowhere.frag", "nowhere.frag");
    assert_int_equal(shell(NO_GL "quadpass tune transpose/sampled --runs 2"), 3);
    assert_int_equal(shell(NO_DEVICES "quadpass tune transpose/cuda_naive --runs 2"), 2);
    assert_true(count("transpose/cuda_naive: ") > 0);
}

/* ---- CUDA ---- */

static const struct {
    const char *row, *file, *from, *to;
} mutants[] = {
    {"transpose/cuda_padded", "transpose", "tile.row + k..column.", "tile[row][column]"},
    {"transpose/cuda_padded", "transpose", "bottom + row, left + column, height",
     "bottom + row, left, height"},
    {"transpose/cuda_padded", "transpose", "column + k < width", "column + k + 1 < width"},
    {"transpose/cuda_padded", "transpose", "i . PIECES, row = i % PIECES",
     "i % PIECES, row = i \\/ PIECES"},
    {"transpose/cuda_padded", "transpose", "tile.row + k..column.", /* the seams of tiles alone */
     "tile[row + k][column] + (left > 0 \\&\\& column == TILE - 1)"},
    {"reduce/cuda_cascaded", "reduce", "(NEAR ? PIECES : AT_ONCE)", "AT_ONCE"},
    {"reduce/cuda_cascaded", "reduce", "half > 0 \\&\\&", "half > 1 \\&\\&"},
    {"reduce/cuda_cascaded", "reduce", "VECTOR \\* i + k < n", "VECTOR * i + k + 1 < n"},
    {"reduce/cuda_cascaded", "reduce", "half >= WARP", "half > WARP"},
};

/* After a kernel's invalid access the search goes on in another process. */
static int search_row(const char *row)
{
    char command[160];
    int code = 3;
    snprintf(command, sizeof command,
             "tune %s --size 500x300 --runs 20 --strategy random -o found.json", row);
    run("--version; rm -f found.json");
    for (int k = 0; k < 20 && code == 3; k++)
        code = run(command);
    return code;
}

TEST(programs_are_judged)
{
    if (getenv("LONG") == NULL || run("tune transpose/cuda_padded --size 64 --runs 1") == 2)
        skip(); /* no CUDA */
    for (int k = 0; k < COUNT(mutants); k++) {
        char change[1024];
        assert_int_equal(search_row(mutants[k].row), 0);
        assert_int_equal(count("best of 20 configurations, 0 wrong: "), 1);
        snprintf(change, sizeof change,
                 "--version; mkdir -p t/variants && cd t/variants && sed 's/%s/%s/' "
                 "%s/templates/variants/%s.cu >%s.cu && ! cmp -s %s.cu %s/templates/variants/%s.cu",
                 mutants[k].from, mutants[k].to, QP_SOURCE_DIR, mutants[k].file, mutants[k].file,
                 mutants[k].file, QP_SOURCE_DIR, mutants[k].file);
        assert_int_equal(run(change), 0);
        setenv("QUADPASS_TEMPLATE_DIR", "t", 1);
        assert_in_range(search_row(mutants[k].row), 0, 1);
        unsetenv("QUADPASS_TEMPLATE_DIR");
        assert_int_equal(count("best of 20 configurations, "), 1);
        assert_int_equal(count(", 0 wrong: "), 0);
    }
}

GROUP(make_cache, remove_folder)
