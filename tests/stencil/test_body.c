/* SPDX-License-Identifier: MIT */
/* A kernel's text in C and C++: names that others have, too. */
#include "support/shell.h"

#include <quadpass/kernel_file.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/stencil/stencil.h"

/* True if programs are generated of a kernel with this line; else the word is named. */
static bool is_taken(const char *line, const char *word)
{
    struct qp_kernel_file *file = NULL;
    struct qp_stencil stencil;
    char text[256];
    snprintf(text, sizeof text, "float kernel(vec2 here) { %s return x_at(1.0, 0.0); }\n", line);
    write_file("odd.frag", text);
    const bool good =
        qp_kernel_read("odd.frag", &file) == QP_OK && qp_stencil_read(file, &stencil) == QP_OK;
    if (!good && strstr(qp_error(), word) == NULL)
        fail_msg("'%s' gave '%s'", line, qp_error());
    qp_kernel_file_destroy(&file);
    return good;
}

/* Names that C's library or a program has are a kernel's, too: of functions and constants all, of
 * variables those of each macro in sight that is no word of GLSL, nor refused by name. */
TEST(names_of_others)
{
    static const char *const names[] = {
        "y0",    "y1",     "j0",      "jn",        "sinf",   "nan",     "random", "engine",
        "stdin", "stdout", "signgam", "linux",     "abort",  "exit",    "hypot",  "gamma",
        "div",   "leads",  "fail",    "step_rows", "BUFSIZ", "M_SQRT2", "WIDTH",  "RAND_MAX"};
    char *text = NULL, line[128], *next = NULL;
    size_t size = 0;
    int taken = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    fputs("//@ set M_LN2=0.5\n//@ set EXIT_SUCCESS=0.5,0.25\n//@ set unix=2\n", out);
    for (int k = 0; k < COUNT(names); k++)
        fprintf(out, k % 2 ? "const float %s = 0.5;\n" : "float %s(float a) { return a; }\n",
                names[k]);
    expect("echo \"float kernel(vec2 here) { return x_at(1.0, 0.0); }\" >heat.frag; quadpass "
           "generate heat.frag --target c -o macros && cd macros/c && for f in steps.c "
           "reference.c program.c; do cc -std=gnu11 -fopenmp -dM -E $f; done | sed -n 's/^#define "
           "\\([A-Za-z][A-Za-z0-9_]*\\).*/\\1/p' | sort -u | grep -vxE "
           "'true|false|in|highp|mediump|lowp|precise|EXIT_SUCCESS|M_LN2|unix'",
           0, "BUFSIZ\n");
    char *words = strdup(output);
    for (char *word = strtok_r(words, "\n", &next); word != NULL;
         word = strtok_r(NULL, "\n", &next)) {
        snprintf(line, sizeof line, "float %s = 1.0;", word);
        if (is_taken(line, word))
            fprintf(out, "float f%d(float a) { float %s = a; return %s * 0.5; }\n", taken++, word,
                    word);
    }
    assert_in_range(taken, 100, 1000);
    fputs("float kernel(vec2 here)\n{\n    float s = f0(x_at(1.0, 0.0)) * M_LN2 + EXIT_SUCCESS.y * "
          "unix;\n",
          out);
    for (int k = 0; k < COUNT(names); k++)
        fprintf(out, k % 2 ? "    s = s * %s;\n" : "    s = s + %s(0.5);\n", names[k]);
    fputs("    return s;\n}\n", out);
    fclose(out);
    write_file("others.frag", text);
    expect("quadpass generate others.frag --target c -o others && make -s -C others/c CFLAGS=-O1 "
           "check",
           0, "0 failed");
    expect("sed -i '4i vec2 both(float a) { return vec2(a, a) * EXIT_SUCCESS; }' others.frag && "
           "quadpass generate "
           "others.frag --target c -o others && make -s -C others/c CFLAGS=-O1 check",
           0, "0 failed");
    free(words);
    free(text);
}

GROUP(enter_folder_with_cache, remove_folder)
