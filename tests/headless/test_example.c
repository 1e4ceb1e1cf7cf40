/* SPDX-License-Identifier: MIT */
/* The header in programs of others: the example of docs/headless.md in C and C++, which links with
 * EGL alone, and what it says without a device. */
#include "support/files.h"
#include "support/shell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __SANITIZE_ADDRESS__
#define SANITIZE " -fsanitize=address,undefined"
#else
#define SANITIZE ""
#endif
#define STRICT " -Wall -Wextra -pedantic -Werror -I" QP_SOURCE_DIR "/headless" SANITIZE

static char *page;

static int read_page(void **state)
{
    FILE *file = fopen(QP_SOURCE_DIR "/docs/headless.md", "r");
    page = slurp(file);
    fclose(file);
    return make_folder(state);
}

static int free_page(void **state)
{
    free(page);
    return remove_folder(state);
}

GROUP(read_page, free_page)

/* A command in the folder of this test. */
static int here(const char *command)
{
    char line[1024];
    snprintf(line, sizeof line, "cd %s && { %s; }", folder, command);
    return shell(line);
}

/* Writes the example, once as C and once as C++. */
static void write_example(void)
{
    static const char open[] = "```c\n";
    const char *begin = strstr(page, open) + sizeof open - 1;
    char *text = strndup(begin, (size_t)(strstr(begin, "```\n") - begin));
    write_file("example.c", text);
    write_file("example.cc", text);
    free(text);
}

/* Compiles with the compiler that the environment names, or this one, if it is here. */
static bool compile(const char *variable, const char *usual, const char *words)
{
    const char *named = variable != NULL ? getenv(variable) : NULL;
    const char *compiler = named != NULL && named[0] != '\0' ? named : usual;
    char line[1024];
    snprintf(line, sizeof line, "command -v %s", compiler);
    if (here(line) != 0)
        return false;
    snprintf(line, sizeof line, "%s" STRICT " %s", compiler, words);
    if (here(line) != 0)
        fail_msg("%s: %s", line, output);
    return true;
}

/* The program prints what the page shows. */
static void expect_example(void)
{
    static const char drawn[] = "```\ndrawn: -1.5 0.25 1000 1\n```\n";
    const int code = here("echo '```' && ./example 2>&1 && echo '```'");
    if (code != 0 && support_is_required("gl"))
        fail_msg("REQUIRE=gl, but: %s", output);
    if (code == 0)
        assert_string_equal(output, drawn);
    assert_non_null(strstr(page, drawn));
}

/* ---- Tests ---- */

TEST(example_is_c)
{
    write_example();
    assert_true(compile("CC", "cc", "-std=c99 -O2 example.c -o example -lEGL"));
    expect_example();
    assert_int_equal(here("__EGL_VENDOR_LIBRARY_FILENAMES=/dev/null ./example 2>&1"), 1);
    if (strncmp(output, "no OpenGL for 'auto': ", 22) != 0 || strstr(page, output) == NULL)
        fail_msg("the page does not show '%s'", output);
    assert_int_equal(here("readelf -d example | sed -n 's/.*NEEDED.*\\[\\(.*\\)\\.so.*/\\1/p' | "
                          "grep -vxE 'lib(c|m|asan|ubsan)' | tr '\\n' ' '"),
                     0);
    assert_string_equal(output, "libEGL ");
}

TEST(example_is_cpp)
{
    write_example();
    if (!compile("CXX", "c++", "-std=c++98 -fsyntax-only example.cc"))
        skip();
    compile("CXX", "c++", "-std=c++20 example.cc -o example -lEGL");
    expect_example();
}

TEST(example_is_clangs)
{
    write_example();
    if (!compile(NULL, "clang", "-std=c99 -fsyntax-only example.c") ||
        !compile(NULL, "clang++", "-std=c++17 -fsyntax-only example.cc"))
        skip();
}

/* ---- The file ---- */

static void header_is_one_file(const char *path, const char *text)
{
    char *said;
    int lines = 0;
    for (const char *at = text; (at = strchr(at, '\n')) != NULL; at++)
        lines++;
    if (lines > 350)
        fault("%s has %d lines, more than 350\n", path, lines);
    if (strstr(text, "Permission is hereby granted") == NULL)
        fault("%s does not have its licence\n", path);
    assert_int_equal(run_for("cd " QP_SOURCE_DIR "/headless && ls | tr '\\n' ' ' && "
                             "sed -n 's/^#include //p' gl_headless.h | tr '\\n' ' '",
                             &said),
                     0);
    assert_string_equal(said, "gl_headless.h <EGL/egl.h> <EGL/eglext.h> <stdarg.h> <stdio.h> "
                              "<stdlib.h> <string.h> ");
    free(said);
}

/* Devices are listed in the first comment in the order in which test_order finds them. */
static void order_is_explained(const char *path, const char *text)
{
    const char *end = strstr(strstr(text, "*/") + 2, "*/"),
               *devices = strstr(text, "EGL_EXT_platform_device"),
               *surfaceless = strstr(text, "EGL_MESA_platform_surfaceless"),
               *software = strstr(text, "EGL_MESA_device_software");
    if (!(devices < surfaceless && surfaceless < software && software < end))
        fault("%s explains another order\n", path);
}

TEST(header_is_whole)
{
    each_file("headless/gl_headless.h", 1, header_is_one_file);
    each_file("headless/gl_headless.h", 1, order_is_explained);
}

/* Names of the header are its own: the implementation's begin with glh, others with gl_headless. */
TEST(names_have_prefixes)
{
    write_example();
    assert_true(compile("CC", "cc", "-std=c99 -c example.c -o example"));
    assert_int_equal(here("nm -g --defined-only example | awk '{ print $3 }' | "
                          "grep -vE '^(gl_headless_|main$)' | tr '\\n' ' '"),
                     0);
    assert_string_equal(output, "");
    assert_int_equal(
        here("sed -nE 's/^(#define |static [^(=]*[ *])([a-zA-Z_]+).*/\\2/p' " QP_SOURCE_DIR
             "/headless/gl_headless.h | sort -u | tee all | "
             "grep -viE '^(gl_headless_|glh)' | tr '\\n' ' '"),
        0);
    assert_string_equal(output, "");
    assert_int_equal(here("wc -l <all"), 0);
    assert_true(atoi(output) > 12);
}
