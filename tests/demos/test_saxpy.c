/* SPDX-License-Identifier: MIT */
/* demos/saxpy.c against plain C, and how short it is. */
#include "support/shell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/files.h"

#define SAXPY QP_BUILD_DIR "/demos/saxpy"

TEST(prints_what_c_computes)
{
    const float x[3] = {1, 2, 3}, y[3] = {10, 20, 30};
    char expected[32];
    need_gl();
    snprintf(expected, sizeof expected, "%g\n", (double)(2.0f * x[2] + y[2]));
    assert_int_equal(shell(SAXPY), 0);
    assert_string_equal(output, expected);
}

TEST(says_what_failed)
{
    expect(NO_GL SAXPY, 1, "device");
}

/* Lines that hold more than a comment or a brace, of a text whose comments have lines of their
 * own. */
static int lines_of_code(const char *text)
{
    bool comment = false;
    int lines = 0;
    for (const char *line = text; *line != '\0'; line += strcspn(line, "\n") + 1) {
        const char *word = line + strspn(line, " \t");
        const size_t length = strcspn(word, "\n");
        comment = comment || strncmp(word, "/*", 2) == 0;
        lines += !comment && length > (strchr("{}", word[0]) != NULL);
        if (length >= 2 && strncmp(word + length - 2, "*/", 2) == 0)
            comment = false;
    }
    return lines;
}

TEST(takes_fifteen_lines)
{
    assert_int_equal(lines_of_code("/* a\n * b */\n#include\n\nint f(void)\n{\n  return 0;\n}\n"),
                     3);
    FILE *file = fopen(QP_SOURCE_DIR "/demos/saxpy.c", "r");
    assert_non_null(file);
    char *text = slurp(file);
    fclose(file);
    assert_in_range(lines_of_code(text), 1, 15);
    free(text);
}

GROUP(make_folder, remove_folder)
