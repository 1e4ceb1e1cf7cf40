/* SPDX-License-Identifier: MIT */
/* Shaders while somebody edits them: the folder lies over the built-in ones, and the usual mistakes
 * are reported with their places. */
#include "support/shell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/plan/op.h"

#define LUMINANCE "shaders/jacobi9/luminance.frag"
#define WITH(dir) "--version; QUADPASS_SHADER_DIR=" dir " quadpass "

/* ---- The folder ---- */

/* Whatever opens a context refuses a folder that is none, before anything runs. */
TEST(folders_that_are_none)
{
    static const char *const folders[] = {"none", "file", "long"};
    static const char *const said[] = {"No such file", "Not a directory", "too long"};
    static const char *const commands[] = {"info",
                                           "check jacobi9/luminance",
                                           "walk jacobi9/luminance -n 4",
                                           "bench jacobi9/luminance -n 8",
                                           "solve " GR " -o x.mtx --picture p.png",
                                           "accuracy jacobi9/luminance"};
    char command[512];
    write_file("file", "");
    for (int i = 0; i < COUNT(commands) * COUNT(folders); i++) {
        const int k = i % COUNT(folders);
        snprintf(command, sizeof command, WITH("%s") "%s",
                 k == 2 ? "$(printf 'a%.0s' $(seq 5000))" : folders[k],
                 commands[i / COUNT(folders)]);
        assert_refused(command, "QUADPASS_SHADER_DIR: ");
        must_print(&said[k], 1);
    }
}

/* A single file, as a student copies it, and no probes: it is read, and all else comes from the
 * program. */
TEST(folder_is_an_overlay)
{
    need_gl();
    assert_int_equal(run("shaders --write one jacobi9/luminance.frag"), 0);
    assert_int_equal(run("info >info && QUADPASS_SHADER_DIR=one quadpass info | cmp - info"), 0);
    assert_int_equal(run(WITH("one") "check jacobi9/luminance inverse -n 9"), 0);
    assert_non_null(strstr(output, "2 passed, 0 failed, 0 skipped"));
    assert_int_equal(run(WITH("one") "walk jacobi9/luminance -n 4"), 0);
    assert_non_null(strstr(output, "\n    one/jacobi9/luminance.frag\n"));
    assert_int_equal(run(WITH("one") "walk jacobi9/inverse -n 4"), 0);
    assert_non_null(strstr(output, "\n    shaders/jacobi9/inverse.frag\n"));
    assert_int_equal(
        run("--version; sed -i 's/here + vec2(1.0, 1.0)/here/' one/jacobi9/luminance.frag"), 0);
    assert_int_equal(run(WITH("one") "check jacobi9/luminance inverse -n 9"), 1);
    assert_non_null(strstr(output, "1 passed, 1 failed, 0 skipped"));
}

/* Probes that are wrong in the folder say nothing of the device. */
TEST(probes_are_the_programs)
{
    need_gl();
    assert_int_equal(run("info --json good.json"), 0);
    assert_int_equal(run("--version; mkdir -p p/probe && cd " QP_SOURCE_DIR
                         "/shaders/probe && for f in *; do "
                         "echo nonsense >$OLDPWD/p/probe/$f; done"),
                     0);
    assert_int_equal(run(WITH("p") "info --json bad.json"), 0);
    assert_int_equal(
        run("--version; for f in good bad; do sed -n '/abilities/,$p' $f.json >$f; done; "
            "grep -q true good && cmp good bad"),
        0);
    assert_int_equal(run("shaders 'probe/*'"), 2);
}

/* ---- Shaders written out ---- */

TEST(shaders_are_listed)
{
    assert_int_equal(run("shaders"), 0);
    const char *at = strstr(output, "jacobi9/rgba_abreast.frag ");
    assert_non_null(at);
    at = strstr(at, "  rgba_abreast, rgba_tiles");
    assert_non_null(at);
    at = strstr(output, "gauss_jordan/branched.frag ");
    assert_true(at != NULL && strstr(at, "  branched, blocks") < strchr(at, '\n'));
    at = strstr(output, "reduce/sum_8x8.frag ");
    assert_true(at != NULL && strstr(at, "  tree_8x8") < strchr(at, '\n'));
    assert_null(strstr(output, "probe/"));
    for (at = output; *at != '\0'; at = strchr(at, '\n') + 1)
        assert_true(strcspn(at, "\n") <= 100);
    assert_int_equal(run("shaders gauss_jordan/blocked"), 0);
    assert_true(count("gauss_jordan/blocked_") == 14 && count("  blocked\n") > 0);
    assert_int_equal(run("shaders vertex_systems | cut -d' ' -f1"), 0);
    assert_non_null(strstr(output, "jacobi9/vertex.vert\n"));
    assert_non_null(strstr(output, "jacobi9/vertex_systems.frag\n"));
    assert_refused("shaders jacobi9/luminanse.frag", "no shader matches 'jacobi9/luminanse.frag'");
}

TEST(texts_are_the_files)
{
    assert_int_equal(
        run("shaders --text jacobi9/luminance.frag | cmp - " QP_SOURCE_DIR "/" LUMINANCE), 0);
    assert_int_equal(run("shaders --text 'jacobi9/rgba_2x2*' symmetric >both; cat " QP_SOURCE_DIR
                         "/shaders/jacobi9/rgba_2x2.frag " QP_SOURCE_DIR
                         "/shaders/jacobi9/symmetric.frag | cmp - both"),
                     0);
    assert_refused("list --text", "--text belongs to walk, shaders");
    assert_refused("shaders --text -o d", "leave out one");
    assert_int_equal(run("shaders --text >/dev/null && ! ls d"), 0);
}

/* Written files equal the built-in ones; if one was edited, nothing is written at all. */
TEST(shaders_are_written)
{
    assert_int_equal(run("shaders -o all/of >said && cat said"), 2);
    assert_non_null(strstr(output, "all/of: no folder can be made: No such file"));
    assert_int_equal(run("shaders -o all"), 0);
    assert_non_null(strstr(output, " shaders are in all; with QUADPASS_SHADER_DIR=all they"));
    assert_int_equal(run("--version; diff -r -x probe all " QP_SOURCE_DIR "/shaders"), 0);
    assert_int_equal(run("shaders -o all 'jacobi9/*'"), 0);
    assert_int_equal(run(WITH("all") "shaders jacobi9/rgba.frag"), 0);
    assert_int_equal(count("  read from all/jacobi9/rgba.frag;"), 1);
    assert_refused("shaders -o $(printf 'a%.0s' $(seq 4090))",
                   "the name of the folder is too long");
    assert_int_equal(run("--version; rm all/transfer/add.frag; echo >>all/jacobi9/rgba.frag"), 0);
    assert_refused("shaders -o all", "all/jacobi9/rgba.frag is there and is not the built-in text");
    assert_int_equal(run("--version; ! ls all/transfer/add.frag"), 0);
    assert_refused("shaders -o all jacobi9/rgba.frag", "all/jacobi9/rgba.frag is there");
    assert_int_equal(run("shaders -o all add.frag transfer/add.frag"), 2);
    assert_int_equal(run("shaders -o all transfer/add.frag"), 0);
    assert_refused("shaders -o said", "said: no folder can be made: File exists");
}

/* Stage 4 prints the text that is compiled, live or built in, with the lines' numbers. */
TEST(walk_shows_the_text)
{
    need_gl();
    assert_int_equal(run("walk jacobi9/luminance -n 4"), 0);
    assert_null(strstr(output, "void main()"));
    assert_int_equal(run("walk jacobi9/vertex -n 4 --text"), 0);
    assert_non_null(strstr(output, "\n       1  #version 120\n"));
    assert_true(count("void main()") == 2 && strstr(output, "gl_TexCoord") != NULL);
    assert_int_equal(run("walk gauss_jordan/branched -n 3 --text"), 0);
    assert_int_equal(count("void main()"), 3); /* divide, copy, branched */
    assert_int_equal(run("--version; mkdir -p t/jacobi9 && sed 's/^uniform float weight;/& \\/\\/ "
                         "mine/' " QP_SOURCE_DIR "/" LUMINANCE " >t/jacobi9/luminance.frag"),
                     0);
    assert_int_equal(run(WITH("t") "walk jacobi9/luminance -n 4 --text"), 0);
    assert_non_null(strstr(output, "\n      13  uniform float weight; // mine\n"));
    assert_int_equal(
        run("--version; sed -i 's/vec4(/sqrt(-1.0 - weight) * &/' t/jacobi9/luminance.frag"), 0);
    assert_int_equal(run(WITH("t") "walk jacobi9/luminance -n 4"), 1);
    assert_non_null(strstr(output, "\n    the value at cell (0, 0) is no number\n"));
}

/* ---- Mistakes ---- */

/* Edits a shader by sed, checks a variant with it; its one line must end so. */
static void assert_told(const char *row, const char *shader, const char *edit, const char *words)
{
    char command[1024];
    snprintf(command, sizeof command,
             "--version; rm -rf m && mkdir -p m/$(dirname %s) && sed \"%s\" " QP_SOURCE_DIR
             "/shaders/%s >m/%s && ! cmp -s m/%s " QP_SOURCE_DIR
             "/shaders/%s && QUADPASS_SHADER_DIR=m quadpass check %s -n 8",
             shader, edit, shader, shader, shader, shader, row);
    const int code = run(command);
    if (code != 1 || strstr(output, words) == NULL)
        fail_msg("%d, not '%s': %s", code, words, output);
    assert_null(strstr(output, "nan of nan"));
    assert_null(strstr(output, "-nan"));
}

TEST(mistakes_are_told)
{
    static const struct {
        const char *row, *shader, *edit, *words;
    } cases[] = {
        {"jacobi9/luminance", "jacobi9/luminance.frag", "s/band_uu/band_xx/",
         "fail   stage 4, program: m/jacobi9/luminance.frag:10: 'uniform sampler2DRect band_ul, "
         "band_ud, "
         "band_xx;': nothing sets 'band_xx', a sampler2DRect; did you mean 'band_uu'?\n"},
        {"jacobi9/luminance", "jacobi9/luminance.frag",
         "s/^uniform float weight;/&\\nuniform float gain;/;s/vec4(/gain * &/",
         "luminance.frag:14: 'uniform float gain;': nothing sets 'gain', a float; what is set: x, "
         "band_ll, "},
        {"jacobi9/luminance", "jacobi9/luminance.frag", "s/uniform float/uniform int/",
         "luminance.frag:13: 'uniform int weight;': 'weight' is an int and must be a float\n"},
        {"jacobi9/luminance", "jacobi9/luminance.frag",
         "s/weight/weight.x/g;s/float weight.x;/vec2 weight;/", "'weight' is a vec2 and must be a"},
        {"jacobi9/luminance", "jacobi9/luminance.frag", "s/gl_FragColor = /vec4 colour = /",
         "m/jacobi9/luminance.frag: writes no colour: gl_FragColor is never set\n"},
        {"jacobi9/bands_systems", "jacobi9/bands_systems.frag",
         "s/gl_FragColor = /&vec4(0.0, 0.0, 9.0, 0.0) + /", " of system 2 is "},
        {"jacobi9/luminance", "jacobi9/luminance.frag", "s/gl_FragColor/discard; &/",
         "cell (0, 0) was never written; it should be "},
        {"jacobi9/luminance", "jacobi9/luminance.frag", "s/vec4(/sqrt(-1.0 - weight) * &/",
         "cell (0, 0) is nan, which is no number; it should be "},
        {"jacobi9/luminance", "jacobi9/luminance.frag", "s/vec4(/3e38 * weight * 3e38 * &/",
         "infinite; it should be "},
        {"jacobi9/luminance", "jacobi9/luminance.frag", "s/band_dd;/band_dd/",
         "fail   stage 4, program: m/jacobi9/luminance.frag:"},
        {"jacobi9/vertex", "jacobi9/vertex.vert", "s/left/lefd/g",
         "m/jacobi9/vertex.vert:8: 'uniform vec2 lefd;"},
        {"jacobi9/rgba_targets", "jacobi9/rgba_targets.frag", "s/x\\[8\\]/x[9]/;s/x\\[0\\]/x[8]/",
         "'x' has 9 elements and 8 are set"},
        {"gauss_jordan/branched", "gauss_jordan/branched.frag", "s/\\<a\\>/b/g",
         "nothing sets 'b', a sampler2DRect; what is set: a, factors, row, found, k, "},
        {"gauss_jordan/branched", "gauss_jordan/branched.frag", "s/uniform vec2 k/uniform vec4 k/",
         "'k' is a vec4 and must be a vec2"},
        {"reduce/tree", "reduce/sum.frag", "s/\\<origin\\>/orgin/g",
         "nothing sets 'orgin', a vec2; did you mean 'origin'?"},
        {"gauss_jordan_batch/passes", "gauss_jordan_batch/pivot.frag", "s/\\<found\\>/fuond/g",
         "'fuond', a sampler2DRect; did you mean 'found'?"},
        {"transfer/asynchronous --problem overlap", "transfer/add.frag", "s/\\<one\\>/two/g",
         "nothing sets 'two', a float; what is set: x, one\n"},
        {"gauss_jordan/blocked", "gauss_jordan/blocked_panel.frag",
         "s/uniform int k/uniform float k/;s/int x = k/int x = int(k)/",
         "blocked_panel.frag:11: 'uniform float k; // the block's first column': 'k' is a float "
         "and must be "
         "an int"},
        {"jacobi9/compute", "jacobi9/compute.comp", "s/\\<target\\>/traget/g",
         "nothing sets 'traget', an image2DRect; did you mean 'target'?"},
        {"jacobi9/compute", "jacobi9/compute.comp",
         "s/^uniform float weight;/buffer Extra { float more[]; } extra;\\n&/;s/weight "
         "\\*/extra.more[0] * &/",
         "nothing binds the buffer 'Extra'"},
        {"gauss_jordan_batch/registers_compute", "gauss_jordan_batch/registers.comp",
         "s/\\<corner\\>/corners/g", "nothing sets 'corners', a vec2; did you mean 'corner'?"},
        {"gauss_jordan/blocked_compute", "gauss_jordan/compute_lower.comp", "s/\\<moves\\>/mvoes/g",
         "nothing sets 'mvoes', an image2DRect; did you mean 'moves'?"},
    };
    need_gl();
    for (int i = 0; i < COUNT(cases); i++)
        assert_told(cases[i].row, cases[i].shader, cases[i].edit, cases[i].words);
}

/* A solve asks for an answer, so a shader that cannot give one is bad input; without --variant too,
 * where elimination would do but would hide it. check fails that variant and goes on. */
TEST(a_solve_tells_mistakes_too)
{
    need_gl();
    assert_int_equal(run("shaders -o s jacobi9/luminance.frag && sed -i 's/band_uu/band_xx/' "
                         "s/jacobi9/luminance.frag"),
                     0);
    assert_refused(WITH("s") "solve " GR " --variant luminance -o x.mtx",
                   "nothing sets 'band_xx', a sampler2DRect; did you mean 'band_uu'?");
    assert_int_equal(run(WITH("s") "check jacobi9/luminance jacobi9/inverse"), 1);
    assert_int_equal(count("nothing sets 'band_xx'"), 1);
    assert_non_null(strstr(output, "1 passed, 1 failed, 0 skipped"));
}

/* A term that a lesson drops is no mistake of names, nor is what a compiler drops. */
TEST(unused_uniforms_are_fine)
{
    need_gl();
    assert_int_equal(run("--version; mkdir -p u/jacobi9 && sed 's/^uniform float "
                         "weight;/&\\nuniform float gain;\\nuniform "
                         "sampler2DRect y;/' " QP_SOURCE_DIR "/" LUMINANCE
                         " >u/jacobi9/luminance.frag"),
                     0);
    assert_int_equal(run(WITH("u") "check jacobi9/luminance -n 8"), 0);
    assert_told("jacobi9/luminance", "jacobi9/luminance.frag",
                "s/texture2DRect(rhs, here).x - sum/sum/", "should be ");
}

static int set_up(void **state)
{
    setenv("LP_NUM_THREADS", "0", 1); /* texts are what is tested, on few texels */
    return make_folder_in_haste(state);
}

/* A wrong proof by the command: exit code 1, and its sentence. */
TEST(proofs_are_read_live)
{
    char command[512];
    need_gl();
    snprintf(command, sizeof command,
             "cd %s && mkdir -p wrong/proof && sed 's/x_at(-1, 0)/x_at(0, 0)/' " QP_SOURCE_DIR
             "/shaders/proof/step.frag >wrong/proof/step.frag && "
             "QUADPASS_SHADER_DIR=wrong quadpass info --prove",
             folder);
    expect(
        command, 1,
        "\nping-pong: 64 steps of the left cell plus 1 gave 64 in cell (0, 0) where 79 is right; "
        "take another device, or another version of its driver\n");
    expect("quadpass info --prove", 0, "\nnone is wrong\n");
    expect("QUADPASS_DEVICE=30 quadpass info --prove", 3, "30");
}

GROUP(set_up, remove_folder)
