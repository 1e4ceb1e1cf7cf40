/* SPDX-License-Identifier: MIT */
/* Kernel files that are tuned here: programs that give other numbers are found, wrong templates
 * too, and other commands take what was found, and never other numbers. With PLANTED=1 two hundred
 * wrong configurations. */
#include "support/shell.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "toolkit/io/winner.h"

#define TUNE "quadpass tune heat.frag --target c --size 70x50 "

/* Templates whose default configuration waits, so that another one wins. */
static const char slow[] =
    "mkdir -p slow/c && sed 's/^#include <omp.h>/&\\n#include <unistd.h>/; s/^    const int "
    "threads "
    "= m->threads, low/    if (TILE == 4096 \\&\\& TOGETHER == 4 \\&\\& ALIGNED \\&\\& THREADS == "
    "0)\\n"
    "        usleep(40);\\n&/' " QP_SOURCE_DIR "/templates/c/steps.c >slow/c/steps.c && "
    "grep -q usleep slow/c/steps.c";

static int enter_folder(void **state)
{
    if (enter_folder_with_cache(state) != 0)
        return -1;
    setenv("CFLAGS", "-O1", 1);
    setenv("QUADPASS_TEMPLATE_DIR", "slow", 1);
    setenv("OMP_NUM_THREADS", "1", 1); /* threads that wait for each other make times uneven */
    write_file(
        "heat.frag",
        "//@ outside clamp\n//@ input f=random\n//@ set rate=0.2\nfloat kernel(vec2 here)\n{\n"
        "    float old = x_at(0.0, 0.0);\n"
        "    float around = x_at(-1.0, 0.0) + x_at(1.0, 0.0) + x_at(0.0, -1.0) + "
        "x_at(0.0, 1.0);\n"
        "    return old + rate * (around - 4.0 * old) + 0.125 * f_at(0.0, 0.0);\n}\n");
    write_file("mixed.frag", "//@ outside x=wrap\n//@ outside f=clamp\n//@ input f=random\n"
                             "float kernel(vec2 here)\n{\n"
                             "    return 0.5 * x_at(-1.0, 0.0) + 0.25 * f_at(1.0, 0.0);\n}\n");
    return shell(slow);
}

/* Searches by these words, once more where this machine was so busy that nothing is kept. */
static void tune_until_kept(const char *words)
{
    char command[512];
    snprintf(command, sizeof command, TUNE "%s", words);
    for (int k = 0; k < 3; k++) {
        expect(command, 0, " configurations, 0 wrong: ");
        if (strstr(output, "nothing is kept: samples of the default differ by ") == NULL)
            return;
    }
    print_message("SKIP: this machine is busy\n");
    skip();
}

static int in_all(const char *text, const char *word)
{
    int found = 0;
    for (const char *at = text; (at = strstr(at, word)) != NULL; at++)
        found++;
    return found;
}

TEST(found_and_taken)
{
    tune_until_kept("--runs 3 -o space.json");
    expect("grep -c '\"invalidity\": *\"correct\"' space.json", 0, "3");
    expect(TUNE "--runs 4 -o space.json", 0, "best of 4 configurations, 0 wrong: ");
    expect("quadpass tune --simulate space.json --runs 4", 0,
           "best of 4 configurations, 0 wrong: ");
    expect("sed 's/0.125/0.25/' heat.frag >other.frag && sed -i 's/heat.frag/other.frag/' "
           "space.json && quadpass tune other.frag --size 70x50 --runs 4 -o space.json",
           2,
           "space.json is of another space, or of a kernel that was changed since: other.frag, c");
    expect("quadpass run heat.frag --size 70x50 --steps 9 --backend cpu -o tuned.npy", 0,
           ", tuned steps=");
    expect("quadpass run heat.frag --size 70x50 --steps 9 --backend cpu --untuned -o usual.npy", 0,
           "by C on ");
    assert_null(strstr(output, "tuned"));
    expect("cmp tuned.npy usual.npy", 0, "");
    expect("quadpass generate heat.frag --target c -o heat && grep -c '/\\* tuned \\*/' "
           "heat/c/stencil.h",
           0, "c is as 'quadpass tune' found it here: steps=");
    expect("quadpass generate heat.frag --target c --untuned -o usual && ! grep tuned "
           "usual/c/stencil.h",
           0, "");
}

/* The default is not kept where it has no rival. */
TEST(defaults_are_not_kept)
{
    expect("rm -rf cache/quadpass/*.tuned; unset QUADPASS_TEMPLATE_DIR; " TUNE
           "--runs 1; ls cache/quadpass/*.tuned",
           2, "best of 1 configurations, 0 wrong: ");
    assert_int_equal(in_all(output, "//@ tuned"), 0);
    assert_int_equal(
        in_all(output, "no configuration is faster here than the default, which is kept\n") +
            in_all(output, "nothing is kept: samples of the default differ by a factor of "),
        1);
}

/* A file of the cache that is damaged is as none. */
TEST(damaged_winners)
{
    static const char *const damages[] = {"truncate -s 30 $f", "echo x >>$f", "rm $f && mkdir $f",
                                          "chmod 0 $f && rm $f",
                                          "sed -i 's/values.*/values fish=2/' $f"};
    expect("rm -rf cache/quadpass/*.tuned", 0, "");
    tune_until_kept("--runs 3");
    expect("cp cache/quadpass/*.tuned whole", 0, "");
    for (int k = 0; k < COUNT(damages); k++) {
        char command[512];
        snprintf(command, sizeof command,
                 "f=$(ls cache/quadpass/*.tuned) && %s && quadpass run heat.frag --size 9 "
                 "--backend cpu && rm -rf $f && cp whole $f",
                 damages[k]);
        expect(command, 0, "by C on ");
        assert_null(strstr(output, "tuned"));
    }
    expect("quadpass run heat.frag --size 9 --backend cpu", 0, "tuned steps=");
}

/* Values with a right hash, which is no secret, that no program takes are as none. */
TEST(planted_winners)
{
    static const char *const planted[] = {"together=0", "tile=0", "junk", "states=2"};
    char name[256];
    assert_int_equal(shell("sed -n 's/^kernel //p' cache/quadpass/*.tuned"), 0);
    snprintf(name, sizeof name, "%.*s", (int)strcspn(output, "\n"), output);
    for (int k = 0; k < COUNT(planted); k++) {
        assert_ok(qp_winner_write(name, "c", planted[k]));
        expect("timeout 60 quadpass run heat.frag --size 9 --backend cpu", 0, "by C on ");
        assert_null(strstr(output, "tuned"));
    }
    assert_ok(qp_winner_write(name, "c", "tile=512"));
    expect("quadpass generate heat.frag --target c -o planted", 0, "found it here: tile=512");
    expect("cp whole cache/quadpass/*.tuned && quadpass run heat.frag --size 9 --backend cpu", 0,
           "tuned steps=");
}

/* A kernel of single steps, which compile soon; seed 4 leads to other values of all other
 * parameters of OpenGL programs. */
TEST(fragments_are_searched)
{
    expect("quadpass tune mixed.frag --target gl --size 70x50 --strategy random --runs 3 --seed 4 "
           "-o gl.json",
           0, "best of 3 configurations, 0 wrong: ");
    expect("grep -c '\"framebuffers\": 1, \"corners\": 4' gl.json", 0, "1");
    expect("grep -c '\"fetch\": 1, \"edges\": 0' gl.json", 0, "1");
}

TEST(two_at_once)
{
    expect("(" TUNE "--runs 2 --seed 5 >one & " TUNE "--runs 2 --seed 6 >two; wait) && tail -n1 "
           "one two && quadpass run heat.frag --size 9 --backend cpu",
           0, "by C on ");
    assert_int_equal(in_all(output, "best of 2 configurations, 0 wrong: "), 2);
}

/* Edits of templates/c/steps.c that give other numbers, under a condition on what is tuned. */
static const struct {
    const char *edit;
} edits[] = {
    {"s/return strip->m->beyond.array. + MARGIN;/&/;s/dy < 0 ? first : last/WHEN ? y : dy < 0 ? "
     "first : last/"},
    {"s/needed = (strip->steps - step) . REACH/needed = WHEN ? 0 : (strip->steps - step) * REACH/"},
    {"s/halo = (strip->steps - 1) . REACH/halo = (strip->steps - 1) * REACH - (WHEN)/"},
    {"s/REACH + at->row + (int)dy/REACH + (WHEN ? 0 : at->row) + (int)dy/"},
    {"s/wrapped(-i, m->width) : 0/wrapped(-i, m->width) : (WHEN)/"},
    {"s/to.row..k..x. = made.row..k.;/to[row][k][x] = made[row][k] + (WHEN ? 1e-7f : 0.0f);/"},
    {"s/struct strip strip = {m, steps,/struct strip strip = {m, steps + (WHEN),/"},
    {"s/(int)(rows . (thread + 1) . threads)/(int)(rows * (thread + 1) \\/ threads) - (WHEN)/"}};

static const char *const conditions[] = {"TOGETHER == 8", "ALIGNED == 0", "TILE == 512",
                                         "MOST_AT_ONCE == 3"};

/* Plants a wrong template; all configurations that have the condition must be wrong or have the
 * right numbers after all, as they do when each is run again by hand. */
static void plant(int edit, int condition, int runs, int *wrong)
{
    char command[2048], text[512];
    const char *when = strstr(edits[edit].edit, "WHEN");
    size_t used = 0;
    for (const char *at = edits[edit].edit; *at != '\0';) {
        if ((when = strstr(at, "WHEN")) == at) {
            used +=
                (size_t)snprintf(text + used, sizeof text - used, "(%s)", conditions[condition]);
            at += 4;
        } else {
            text[used++] = *at++;
        }
        text[used] = '\0';
    }
    snprintf(command, sizeof command,
             "rm -rf t w.json cache && mkdir -p t/c && sed -e '%s' " QP_SOURCE_DIR
             "/templates/c/steps.c >t/c/steps.c && ! cmp -s t/c/steps.c " QP_SOURCE_DIR
             "/templates/c/steps.c && QUADPASS_TEMPLATE_DIR=t " TUNE
             "--strategy random --runs %d -o w.json; "
             "grep -c '\"correctness\"' w.json; cp w.json all.json",
             text, runs);
    assert_true(shell(command) >= 0);
    const char *best = strstr(output, "best of ");
    assert_non_null(best);
    int tried = 0, found = 0;
    assert_int_equal(sscanf(best, "best of %d configurations, %d wrong", &tried, &found), 2);
    assert_int_equal(tried, runs);
    *wrong += found;
    /* the right ones give the right numbers by the program that was timed */
    expect(
        "grep '\"invalidity\": *\"correct\"' all.json | sed 's/.*\"configuration\": *{//; s/}.*//; "
        "s/[\" ]//g; s/:/=/g; s/,/ /g; s,^,//@ tuned c ,'; echo ended",
        0, "ended");
    *strstr(output, "ended") = '\0';
    FILE *lines = fopen("lines", "w");
    assert_non_null(lines);
    fputs(output, lines);
    fclose(lines);
    expect(
        "quadpass run heat.frag --size 66x47 --steps 31 --backend cpu --untuned -o right.npy "
        ">/dev/null && "
        "while read -r line; do (echo \"$line\"; cat heat.frag) >planted.frag; "
        "QUADPASS_TEMPLATE_DIR=t quadpass run planted.frag --size 66x47 --steps 31 --backend cpu "
        "-o planted.npy >/dev/null && { cmp -s right.npy planted.npy || echo ACCEPTED $line; }; "
        "done <lines; echo ended",
        0, "ended");
    assert_null(strstr(output, "ACCEPTED"));
}

/* With LONG=1 each edit under one of the conditions, and with PLANTED=1 under all, which takes a
 * quarter of an hour. */
TEST(planted_templates)
{
    const bool is_long = getenv("LONG") != NULL, all = getenv("PLANTED") != NULL;
    int wrong = 0;
    for (int e = 0; e < COUNT(edits); e++)
        for (int c = 0; c < COUNT(conditions); c++)
            if (all || (is_long ? c == e % COUNT(conditions) : e == 6 && c == 1))
                plant(e, c, all ? 40 : is_long ? 24 : 4, &wrong);
    print_message("%d wrong configurations were found\n", wrong);
    assert_true(wrong >= (all ? 200 : is_long ? 10 : 1));
}

/* Tiles of one value alone that do not meet as they should: an edit of a template under a
 * condition. The size that is tuned has one tile. */
static const struct {
    const char *target, *parameter, *value, *file, *edit, *condition;
    bool often; /* not with LONG=1 alone */
} seams[] = {
#define COLUMNS "s/needed = (strip/needed = (%s) ? 0 : (strip/"
    {"c", "tile", "8192", "c/steps.c", COLUMNS, "TILE == 8192", true},
    {"c", "tile", "8192", "c/steps.c", COLUMNS, "TILE == 4096", false},
    {"c", "tile", "2048", "c/steps.c", COLUMNS, "TILE == 2048", false},
    {"c", "tile", "1024", "c/steps.c", COLUMNS, "TILE == 1024", false},
    {"c", "tile", "512", "c/steps.c", COLUMNS, "TILE == 512", false},
    {"c", "tile", "256", "c/steps.c", COLUMNS, "TILE == 256", false},
    {"c", "steps", "16", "c/steps.c", COLUMNS, "MOST_AT_ONCE == 16", false},
    {"c", "steps", "3", "c/steps.c", COLUMNS, "MOST_AT_ONCE == 3", false},
    {"c", "together", "8", "c/steps.c", COLUMNS, "TOGETHER == 8", false},
    {"c", "aligned", "0", "c/steps.c", COLUMNS, "ALIGNED == 0", false},
    {"c", "threads", "1", "c/steps.c", COLUMNS, "THREADS == 1", false},
#define HALO "s/halo = EDGES ? steps . REACH/halo = (%s) ? 0 : EDGES ? steps * REACH/"
    {"gl", "rows", "4", "opengl/machine.c", HALO, "ROWS == 4", false},
    {"gl", "cells", "2", "opengl/machine.c", HALO, "CELLS == 2", false},
    {"gl", "fetch", "1", "opengl/machine.c", HALO, "FETCH == 1", false},
#define SHIFT(along) \
    "s/ivec2(gl_GlobalInvocationID.xy)/& + ((%s) ? ivec2(" along ", 0) : ivec2(0))/"
    {"compute", "group_x", "32", "opengl/kernel.glsl", SHIFT("gl_WorkGroupID.x"), "GROUP_X == 32",
     false},
    {"compute", "group_y", "16", "opengl/kernel.glsl", SHIFT("gl_WorkGroupID.y"), "GROUP_Y == 16",
     false},
#define BLOCKS "s/number . columns . t->block/& + ((%s) \\&\\& number >= columns)/"
    {"async", "block", "32", "async/steps.c", BLOCKS, "t->block == 32", false},
    {"async", "block", "16", "async/steps.c", BLOCKS, "t->block == 16", false},
    {"async", "block", "4", "async/steps.c", BLOCKS, "t->block == 4", false},
};

/* Searches a space of the default and one configuration more. */
static void plant_seam(int k)
{
    static const char files[] = "c/steps.c opengl/*.h opengl/*.c gl/steps.c compute/steps.c "
                                "async/async.h";
    char command[2048], edit[256];
    const bool is_c = strcmp(seams[k].target, "c") == 0,
               is_async = strcmp(seams[k].target, "async") == 0;
    snprintf(edit, sizeof edit, seams[k].edit, seams[k].condition);
    snprintf(command, sizeof command,
             "rm -rf t && cp -r " QP_SOURCE_DIR "/templates t && cd t && sed -i -e '/@ tune not/d' "
             "-e 's/@ tune \\([a-z_]*\\) = .*/@ tune \\1 = *\\//' %s && sed -i -e "
             "'s/@ tune %s = /&%s /; s/@ tune sync = /&jacobi async2 /' %s && cp %s old && "
             "sed -i '%s' %s && ! cmp -s old %s && cd .. && QUADPASS_TEMPLATE_DIR=t quadpass tune "
             "%s --target %s --size 40x21",
             files, seams[k].parameter, seams[k].value, files, seams[k].file, edit, seams[k].file,
             seams[k].file,
             is_async ? "sync.frag"
             : is_c   ? "heat.frag"
                      : "mixed.frag",
             is_async ? "c" : seams[k].target);
    expect(command, 0,
           is_async ? "best of 4 configurations, 1 wrong: "
                    : "best of 2 configurations, 1 wrong: ");
}

TEST(planted_seams)
{
    write_file("sync.frag", "//@ sync async2\n//@ steps 40\n//@ outside 0.5\nfloat kernel(vec2 "
                            "here)\n{\n    return 0.2 * (x_at(-1.0, 0.0) + x_at(1.0, 0.0) + "
                            "x_at(0.0, -1.0) + x_at(0.0, 1.0));\n}\n");
    for (int k = 0; k < COUNT(seams); k++)
        if (seams[k].often || getenv("LONG") != NULL)
            plant_seam(k);
}

/* A list needs no device. */
TEST(lists_need_no_device)
{
    expect(NO_DEVICES "quadpass tune heat.frag --target cuda --list", 0, "\ntune steps = ");
    assert_int_equal(in_all(output, "\ntile across = 128 * cells\n"), 1);
    assert_int_equal(in_all(output, "how many steps the default takes is not known here: "), 1);
    expect(NO_DEVICES "quadpass tune heat.frag --target cuda --runs 1", 2, "");
}

TEST(refusals)
{
    write_file("whole.frag", "#version 130\nvoid main() { gl_FragColor = vec4(1.0); }\n");
    expect("quadpass tune whole.frag", 2, "whole.frag");
    expect("quadpass tune heat.frag --target tin", 2, "tin");
    expect("quadpass tune missing.frag", 2, "missing.frag");
    expect("QUADPASS_TEMPLATE_DIR=nowhere quadpass tune heat.frag", 2,
           "QUADPASS_TEMPLATE_DIR: nowhere: No such file or directory; it names a folder whose "
           "templates are read");
}

GROUP(enter_folder, remove_folder)
