/* SPDX-License-Identifier: MIT */
/* A new operation as CONTRIBUTING.md adds it, in a copy of the tree (tests/house/newcomer.sh): it
 * builds, is listed, walks and checks, and a wrong weight is noticed. */
#include "support/shell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TOUCHED = 4 }; /* files of others */

/* Runs a shell command in the copy, whose command is `build/.../quadpass`. */
static void expect_there(const char *command, int code, const char *words)
{
    char line[1024];
    snprintf(line, sizeof line, "cd %s/copy && export QUADPASS_REQUIRE= && %s", folder, command);
    expect(line, code, words);
}

TEST(it_builds)
{
    static const char touched[] = "files of others touched: ";
    char command[512];
    snprintf(command, sizeof command,
             QP_SOURCE_DIR "/tests/house/newcomer.sh " QP_BUILD_DIR " %s/copy", folder);
    expect(command, 0, touched);
    print_message("%s", output);
    assert_in_range(atoi(strstr(output, touched) + strlen(touched)), 1, MOST_TOUCHED);
}

/* The list has the names and sentences of its variants, in their order. */
TEST(it_is_listed)
{
    expect_there(
        "sed -nE 's/.*\\.(name|sentence) = \"(.*)\",$/\\2/p' src/lab/ops/blur/[cg]*.c >said && "
        "build/*/quadpass list blur | "
        "grep -oFf said | cmp - said && wc -l <said",
        0, "6\n");
}

TEST(it_walks)
{
    static const char *const said[] = {"\nstage 1, ", "\nstage 2, ", "\nstage 3, ", "\nstage 4, ",
                                       "\nstage 5, ", "\nstage 6, ", "\nstage 7, ", "\nstage 8, ",
                                       "\nstage 9, ", "\nstage 10, "};
    need_gl();
    expect_there("build/*/quadpass walk blur/texels -n 4", 0, "\nblur/texels: pass\n");
    must_print(said, COUNT(said));
}

/* Variants on OpenGL, too, where there is a device. */
TEST(it_checks)
{
    expect_there("build/*/quadpass check blur", 0, " 0 failed, ");
    need_gl();
    expect_there("build/*/quadpass check blur", 0, "\n3 passed, 0 failed, 0 skipped\n");
}

TEST(a_wrong_weight_is_noticed)
{
    need_gl();
    expect_there("mkdir -p wrong/blur && sed 's/2\\.0 \\*/1.999 */' shaders/blur/texels.frag "
                 ">wrong/blur/texels.frag && QUADPASS_SHADER_DIR=wrong build/*/quadpass check blur",
                 1, "\n2 passed, 1 failed, 0 skipped\n");
}

GROUP(make_folder, remove_folder)
