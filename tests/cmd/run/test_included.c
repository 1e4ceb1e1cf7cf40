/* SPDX-License-Identifier: MIT */
/* Kernel files that include others, as a script uses them: a test of a function in three lines, the
 * places of mistakes and of mutants, other folders, and saves of what is included. */
#include "support/once.h"
#include "support/shell.h"

#include <string.h>
#include <unistd.h>

#define ADD "//@ include lib/add.glsl\n"

static int make_files(void **state)
{
    if (make_folder(state) != 0 || chdir(folder) != 0 || compile_once(folder) != 0 ||
        shell("mkdir lib") != 0)
        return -1;
    write_file("add.c", "void reference(int w, int h, const float *const *in, const double *n,\n"
                        "    const double *b, double *a)\n{\n    (void)in, (void)n;\n"
                        "    for (int i = 0; i < w * h; i++)\n"
                        "        a[i] = b[i] + (i % w < w - 2 ? b[i + 2] : 0.0);\n}\n");
    write_file("lib/add.glsl", "// A cell and the one after next.\nfloat add(float a)\n{\n"
                               "    return a + x_at(2.0, 0.0);\n}\n");
    write_file("add.frag", ADD "//@ check add.c\n"
                               "float kernel(vec2 here) { return add(x_at(0.0, 0.0)); }\n");
    return 0;
}

/* Three lines test a function; each of its reads is spoiled, and a mutant that survives is told by
 * the line of its own file. */
TEST(functions)
{
    need_gl();
    expect("quadpass check add.frag --fixed -n 9 --mutants --disguise", 0,
           "the reference notices 13 of 13 mutants: reads 10 of 10, ");
    must_print((const char *const[]){"disguises give the same numbers", "1 passed"}, 2);
    expect("quadpass check " QP_SOURCE_DIR "/demos/shaders/ease.frag --fixed -n 9 --mutants", 0,
           "the reference notices 23 of 23 mutants: reads 5 of 5, ");
    write_file("lib/idle.glsl", "float add(float a)\n{\n    float idle = x_at(2.0, 0.0);\n"
                                "    return a + x_at(2.0, 0.0) + 0.0 * idle;\n}\n");
    shell("sed s/add.glsl/idle.glsl/ add.frag >idle.frag");
    expect("quadpass check idle.frag --fixed -n 9 --mutants", 1, " mutants: reads 10 of 15, ");
    must_print((const char *const[]){"\nlib/idle.glsl:3: nothing notices "
                                     "'(x_at(2.0, 0.0) - x_at(2.0, 0.0))'"},
               1);
}

/* The driver's, the toolkit's and the generator's sentences name the file and the line that a user
 * edits, from whichever folder. */
TEST(places)
{
    need_gl();
    write_file("lib/typo.glsl", "float add(float a)\n{\n    return a + x_at(2.0, 0.0) + o;\n}\n");
    shell("sed s/add.glsl/typo.glsl/ add.frag >typo.frag; sed s/add.x_/ad.x_/ add.frag >ad.frag");
    expect("quadpass run typo.frag 2>&1", 2,
           "quadpass: lib/typo.glsl:3: 'return a + x_at(2.0, 0.0) + o;': ");
    if (on_llvmpipe())
        expect("quadpass run typo.frag 2>&1", 2, "+ o;': error: `o' undeclared (");
    expect("quadpass run ad.frag 2>&1", 2, "quadpass: ad.frag:3: 'float kernel(");
    expect("cd lib && quadpass check ../typo.frag --json - 2>&1", 2,
           "quadpass: ../lib/typo.glsl:3: 'return a + x_at(2.0, 0.0) + o;': ");
    write_file("lib/typo.glsl", "float add(float a)\n{\n    return a + (a = 2.0);\n}\n");
    expect("quadpass run typo.frag 2>&1", 2, "quadpass: lib/typo.glsl:3: 'a' is set and named");
    write_file("lib/typo.glsl", "float add(float a)\n{\n    return x_at(a, 0.0);\n}\n");
    expect("quadpass run typo.frag --backend cpu 2>&1", 2,
           "quadpass: lib/typo.glsl:3: the offset a of x_at is computed");
    write_file("lib/typo.glsl", "float add(float a) { return\n dFdx(a); }\n");
    expect("quadpass run typo.frag --backend cpu 2>&1", 2,
           "quadpass: lib/typo.glsl:2: no program is generated with 'dFdx'");
    write_file("lib/typo.glsl", "float add(float a) { return\n\n a / 0.0; }\n");
    expect("quadpass run typo.frag --backend cpu 2>&1", 2,
           "quadpass: lib/typo.glsl:3: a division by zero");
    expect("rm lib/typo.glsl; quadpass bench typo.frag 2>&1", 2,
           "quadpass: typo.frag:1: cannot read the shader lib/typo.glsl: No such file");
}

/* No output takes the place of a file that is included. */
TEST(files_stay)
{
    expect("cp lib/add.glsl kept && quadpass run add.frag -n 8 --json ./lib/add.glsl 2>&1", 2,
           "--json would write over lib/add.glsl, which is read; name another file");
    expect("quadpass check add.frag --fixed --csv lib/../lib/add.glsl 2>&1", 2,
           "would write over lib/add.glsl");
    expect("cmp kept lib/add.glsl", 0, "");
}

/* A program holds all that it computes, and its text does not depend on the folder. */
TEST(programs)
{
    expect(NO_GL "quadpass generate add.frag --target c -o one", 0, "");
    expect("cd lib && " NO_GL "quadpass generate ../add.frag --target c -o ../other", 0, "");
    expect("diff -r one other && grep -c 'own_add(struct cell' one/c/steps.c", 0, "1\n");
    expect(NO_GL "quadpass generate add.frag --print >whole.frag; cat whole.frag", 0,
           "//# lib/add.glsl:1\n// A cell and the one after next.\n");
    expect("mv lib gone; " NO_GL
           "quadpass generate whole.frag --target c -o whole && mv gone lib && "
           "grep -c 'own_add(struct cell' whole/c/steps.c",
           0, "1\n");
}

GROUP(make_files, remove_folder)
