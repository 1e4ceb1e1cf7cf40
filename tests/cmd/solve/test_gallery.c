/* SPDX-License-Identifier: MIT */
/* A gallery of files that people have: `solve` and `run --input` read each right, or call it by its
 * name and say what to do. */
#include <string.h>
#include <unistd.h>

#include "support/files.h"
#include "support/shell.h"
#include "support/written.h"

#define RUN "quadpass run k.frag --backend cpu -o y.npy --input x="

static const char kernel[] = "//@ outside clamp\nfloat kernel(vec2 here)\n{\n"
                             "    return x_at(0.0, 0.0);\n}\n";

static void try(const char *command, const char *path, int code, const char *words)
{
    char line[512];
    snprintf(line, sizeof line, "%s%s", command, path);
    const int found = shell(line);
    if (found != code || strstr(output, words) == NULL || count("\n") > (code == 0 ? 8 : 1))
        fault("%s: wanted %d and '%s', got %d and %s\n", line, code, words, found, output);
}

static void check(const char *path, const char *expected)
{
    const bool read = strcmp(expected, "read") == 0, runs = strncmp(expected, "solve: ", 7) == 0;
    const char *words = runs ? expected + 7 : expected;
    try("quadpass solve -o x.mtx ", path, read ? 0 : 2, read ? "converged" : words);
    try(RUN, path, read || runs ? 0 : 2, read || runs ? "1 step of " : words);
}

TEST(gallery)
{
    need_gl();
    assert_int_equal(chdir(folder), 0);
    write_file("k.frag", kernel);
    faults = 0;
    assert_true(each_written("gallery.txt", folder, check) >= 60);
    assert_int_equal(faults, 0);
}

GROUP(make_folder, remove_folder)
