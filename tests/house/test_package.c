/* SPDX-License-Identifier: MIT */
/* The package: exported names, needed libraries, manual pages, Debian's packages, the same bytes in
 * any folder. No OpenGL is needed here. The install test (tests/house/install.sh) goes on from
 * there. */
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#define LIBRARY  QP_BUILD_DIR "/libquadpass.so"
#define QUADPASS QP_BUILD_DIR "/quadpass"

/* Runs a command in the source folder; its output, which must not be empty, is the caller's. */
static char *print(const char *command)
{
    enum { MOST = 1 << 16 };
    char line[2048], *text = calloc(1, MOST);
    assert_non_null(text);
    snprintf(line, sizeof line, "cd %s && %s", QP_SOURCE_DIR, command);
    FILE *pipe = popen(line, "r");
    assert_non_null(pipe);
    size_t got = fread(text, 1, MOST - 1, pipe);
    int status = pclose(pipe);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || got == 0)
        fail_msg("failed: %s", line);
    return text;
}

/* Both commands print the same sorted lines. */
static void assert_same_lines(const char *command, const char *other)
{
    char *one = print(command), *two = print(other);
    if (strcmp(one, two) != 0)
        fail_msg("%s\nprints\n%s\nand %s\nprints\n%s", command, one, other, two);
    free(one);
    free(two);
}

/* A name comes before a parenthesis where a line declares it; the linker adds three of its own. */
TEST(exports_are_the_public_functions)
{
    assert_same_lines(
        "nm -D --defined-only " LIBRARY
        " | awk '{print $3}' | grep -vE '^(_edata|_end|__bss_start|__odr_asan.*)$' | sort",
        "cat include/quadpass/*.h | grep -vE '^(typedef|static)' | grep -oE '^[a-z].*[ "
        "*]qp_[a-z0-9_]+\\(' | "
        "grep -oE 'qp_[a-z0-9_]+\\($' | tr -d '(' | sort");
}

/* BLAS, SuiteSparse, PNG and JSON are the command's, not the library's. */
TEST(library_needs_opengl_only)
{
    char *needed =
        print("readelf -d " LIBRARY " | sed -n 's/.*NEEDED.*\\[lib\\(.*\\)\\.so.*/\\1/p'");
    char *name = strtok(needed, "\n");
    for (; name != NULL; name = strtok(NULL, "\n")) {
        if (strstr(" GLEW GL EGL OpenGL gomp omp pthread m c asan ubsan ", name) == NULL)
            fail_msg("the library needs lib%s", name);
    }
    free(needed);
}

#define NUMBER "$(sed -n 's/^SOVERSION := //p' Makefile)"

TEST(soname_has_one_number)
{
    assert_same_lines("readelf -d " LIBRARY " | sed -n 's/.*SONAME.*\\[\\(.*\\)\\].*/\\1/p'",
                      "echo libquadpass.so." NUMBER);
    assert_same_lines("readlink " LIBRARY, "echo libquadpass.so." QP_VERSION);
    assert_same_lines("readlink " LIBRARY "." NUMBER, "echo libquadpass.so." QP_VERSION);
}

/* ---- Manual pages ---- */

#define WORDS " | grep -oE -- '(^|[ ,])--?[a-z][a-z0-9-]*|-\\?|-V' | tr -d ' ,' | sort -u"
#define PAGE  "sed -e 's/\\\\-/-/g' -e 's/\\\\f[BIR]//g' man/quadpass.1"

/* All options of all commands are in the page, and no others. In --help they are in the first
 * columns, in the page in the lines that begin an entry. */
TEST(page_has_the_options)
{
    assert_same_lines(
        "for c in list info check bench walk run generate tune shaders solve invert accuracy "
        "model draw report demo; "
        "do " QUADPASS " $c --help; done | cut -c1-28 | grep '^ *-'" WORDS,
        PAGE " | sed -n '/^.SH OPTIONS/,/^.SH EXIT/p' | grep -A1 '^.TP' | sed 's/^\\.[BIR]* *//; "
             "s/\"//g; s/ *= .*, / /'" WORDS);
}

TEST(page_has_the_commands)
{
    assert_same_lines(QUADPASS " --help | sed -n 's/^  \\([a-z]*\\)  *.*/\\1/p' | sort",
                      PAGE " | sed -n '/^.SH COMMANDS/,/^.SH OPTIONS/p' | grep -A1 '^.TP' | "
                           "sed -n 's/^\\.BR* \\([a-z]*\\).*/\\1/p' | sort");
}

TEST(pages_are_of_this_version)
{
    assert_same_lines("sed -n 's/^.TH.*\"Quadpass \\(.*\\)\" .*/\\1/p' man/*.[13]",
                      "printf '" QP_VERSION "\\n" QP_VERSION "\\n'");
    assert_same_lines("sed -n 's/^## \\[\\([0-9.]*\\)\\].*/\\1/p' CHANGELOG.md | head -n 1",
                      "echo " QP_VERSION);
}

TEST(version_has_its_number)
{
    int major = 0, minor = 0, patch = 0;
    assert_int_equal(sscanf(QP_VERSION, "%d.%d.%d", &major, &minor, &patch), 3);
    assert_in_range(minor, 0, 99);
    assert_in_range(patch, 0, 99);
    assert_int_equal(QP_VERSION_NUMBER, 10000 * major + 100 * minor + patch);
    assert_string_equal(qp_version(), QP_VERSION);
}

/* The page on the library names every public header and no function that is not there. */
TEST(page_has_the_headers)
{
    assert_same_lines("sed -n 's/^.B <\\(.*\\)>/\\1/p' man/libquadpass.3 | sort",
                      "ls include | sed 's/$/\\//' | xargs -I{} sh -c 'cd include && ls {}*.h' | "
                      "grep -v /quadpass.h");
    assert_same_lines("grep -ohE 'qp_[a-z_]+ ?\\(' man/libquadpass.3 | tr -d ' (' | sort -u | "
                      "while read -r f; do "
                      "grep -lq \"[ *]$f(\" include/quadpass/*.h || echo $f; done; echo end",
                      "echo end");
}

/* Each function of the toolkit is in the page; those that destroy are named in one sentence. */
TEST(page_has_the_toolkit)
{
    assert_same_lines(
        "cd include/quadpass && grep -ohE '^[a-z][^(]*[ *]qp_[a-z_]+\\(' array.h kernel.h "
        "pass.h reduce.h | grep -oE 'qp_[a-z_]+\\($' | tr -d '(' | grep -v _destroy | "
        "while read -r f; do grep -q \"$f ()\" ../../man/libquadpass.3 || echo $f; "
        "done; echo end",
        "echo end");
}

/* The packages of debian/: their version is the program's, and whatever tools/setup.sh installs to
 * build is named there. Not by name are the compiler and its like, which every package has,
 * OpenGL's loaders, which debhelper finds, and git, for a package has no history. */
TEST(packages_have_their_version)
{
    assert_same_lines("sed -n '1s/^quadpass (\\(.*\\)) .*/\\1/p' debian/changelog",
                      "echo " QP_VERSION);
}

TEST(packages_ask_for_what_builds)
{
    assert_same_lines(
        "awk '$1 == \"build\" { print $2 }' tools/setup.sh | "
        "grep -vxE 'gcc|libc6-dev|make|git|libegl1|libgl1' | while read -r name; do "
        "grep -qE \"(^|[ ,])$name(,|$)\" debian/control || echo $name; done; echo end",
        "echo end");
    assert_same_lines("awk '$1 == \"build\" { print $2 }' tools/setup.sh | grep -c glew", "echo 1");
}

/* Embedded files and a few sources have the same bytes from two folders; with LONG=1 all of
 * them. */
TEST(two_folders_give_the_same_bytes)
{
    free(print(support_takes_long() ? "tests/house/twice.sh --whole" : "tests/house/twice.sh"));
}
