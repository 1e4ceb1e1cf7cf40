/* SPDX-License-Identifier: MIT */
/* References that the user wrote: right ones, wrong ones, and those that crash, leave or never
 * return; and who is to blame for what does not compile. */
#include "support/once.h"
#include "support/watch.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "toolkit/base/watch.h"
#include "tools/cmd/run/reference.h"

#define HEAD                                                             \
    "void reference(int width, int height, const float *const *input,\n" \
    "               const double *numbers, const double *before, double *after)\n"

static const char body[] = "{\n"
                           "    for (int i = 0; i < width * height; i++) {\n"
                           "        double left = i % width > 0 ? before[i - 1] : 0;\n"
                           "        double right = i % width < width - 1 ? before[i + 1] : 0;\n"
                           "        after[i] = 0.5 * before[i] + 0.25 * (left + right);\n"
                           "    }\n"
                           "}\n";

/* The blur with a word of its reference replaced. */
static void write_reference(const char *name, const char *word, const char *other)
{
    char text[1024];
    const char *at = strstr(body, word);
    assert_non_null(at);
    snprintf(text, sizeof text, HEAD "%.*s%s%s", (int)(at - body), body, other, at + strlen(word));
    write_file(name, text);
}

static int go_to_folder(void **state)
{
    if (make_folder_in_haste(state) != 0 || chdir(folder) != 0)
        return -1;
    unsetenv("CC");
    if (compile_once(folder) != 0)
        return -1;
    write_file("blur.frag",
               "float kernel(vec2 here) {\n"
               "    return 0.5 * x_at(0, 0) + 0.25 * (x_at(-1, 0) + x_at(1, 0));\n}\n");
    write_file("many.frag", "float kernel(vec2 here) {\n"
                            "    return x_at(0, 0) + c * b_at(0, 0) + d.y * a_at(0, 0);\n}\n");
    write_file("turn.frag", "vec4 kernel(vec2 here) { return 0.5 * x_at(0, 0).yzwx; }\n");
    write_file("many.c", HEAD "{\n    for (int i = 0; i < width * height; i++)\n"
                              "        after[i] = before[i] + numbers[2] * input[1][i] +\n"
                              "                   numbers[1] * input[0][i];\n}\n");
    write_file("turn.c", HEAD "{\n    for (int i = 0; i < 4 * width * height; i++)\n"
                              "        after[i] = 0.5 * before[i / 4 * 4 + (i + 1) % 4];\n}\n");
    write_file("grow.frag", "float kernel(vec2 here) { return 1e6 * x_at(0, 0) / 3.0; }\n");
    write_file("grow.c", HEAD "{\n    for (int i = 0; i < width * height; i++)\n"
                              "        after[i] = 1e6 * before[i] / 3.0;\n}\n");
    write_reference("blur.c", "0.25", "0.25");
    write_reference("off.c", "0.25", "0.2501");
    write_reference("late.c", "i % width > 0", "before[4] > 0.25 && i % width > 0");
    write_reference("syntax.c", "double right", "dble right");
    write_reference("outside.c", "after[i]", "after[i * 1000000000L]");
    write_reference("front.c", "after[i]", "after[-1 - (i == 8)] = after[i]");
    write_reference("behind.c", "after[i]", "after[width * height] = after[i]");
    write_reference("shared.c", "after[i]", "((double *)before)[i] = after[i]");
    write_reference("short.c", "width * height", "width * height - 1");
    /* It leaves a process where nothing is to be let go. */
    write_file("leaves.c",
               "#include <stdio.h>\n#include <stdlib.h>\n"
               "__attribute__((destructor)) static void let_go(void)\n"
               "{\n    fclose(fopen(\"let_go\", \"w\"));\n}\n" HEAD "{\n    exit(7);\n}\n");
    write_file("born_dead.c", "#include <stdlib.h>\n"
                              "__attribute__((constructor)) static void begin(void)\n"
                              "{\n    exit(0);\n}\n" HEAD "{\n}\n");
    write_file("never_born.c", "__attribute__((constructor)) static void begin(void)\n"
                               "{\n    for (;;)\n        ;\n}\n" HEAD "{\n}\n");
    write_file("forks.c", "#include <stdlib.h>\n#include <unistd.h>\n" HEAD
                          "{\n    if (fork() == 0) {\n        sleep(9);\n        _exit(0);\n    }\n"
                          "    abort();\n}\n");
    write_reference("loops.c", "i++", "i += 0");
    write_file("naps.c", "#include <unistd.h>\n" HEAD "{\n    usleep(100000);\n"
                         "    for (int i = 0; i < width * height; i++)\n"
                         "        after[i] = before[i];\n}\n");
    write_file("large.c", "#include <sys/mman.h>\n" HEAD
                          "{\n    double *own = mmap(0, 3u << 28, PROT_READ | PROT_WRITE,\n"
                          "                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);\n"
                          "    for (int i = 0; i < width * height; i++)\n"
                          "        own[i] = after[i] = before[i];\n}\n");
    write_reference("talks.c", "double left", "__builtin_printf(\"i %d\\n\", i); double left");
    write_reference("unknown.c", "0.25", "nobody()");
    write_reference("unlinked.c", "0.25", "({ double nobody(void); nobody(); })");
    write_file("nothing.c", "int referenz;\n");
    return 0;
}

/* Runs, and expects the code and these words. */
static void expect_run(const char *arguments, int code, const char *words)
{
    char line[512];
    snprintf(line, sizeof line, "cd %s && quadpass run %s", folder, arguments);
    expect(line, code, words);
}

TEST(right_ones)
{
    need_gl();
    expect_run("blur.frag --check blur.c --steps 9", 0, "pass  9 steps");
    assert_true(ends_with(output, "1 passed, 0 failed, 0 skipped\n"));
    expect_run("blur.frag --check blur.c -n 1", 0, "pass  1 step ");
    assert_non_null(strstr(output, ", allowed 9.5e-07, at 1x1\n")); /* 2^-20 a step */
    expect_run("blur.frag --check blur.c -n 40000x3 --steps 2", 0, "at 40000x3");
    expect_run("grow.frag --check grow.c --steps 3", 0, "pass  3 steps");
    expect_run("turn.frag --check turn.c -n 7x5 --steps 5", 0, "1 passed");
    expect_run("many.frag --check many.c --steps 3 --input a=random --input b=gradient "
               "--set d=9,0.25 --set c=0.5",
               0, "1 passed");
    expect_run("blur.frag --check blur.c --steps 3 --reduce sum -o x.npy --json r.json", 0,
               "1 passed");
    assert_true(exists("x.npy") && exists("r.json"));
    expect("grep -c '\"verdict\":.*\"pass\"' r.json", 0, "1");
}

/* Errors allowed by default are up to 2^-20 of the largest value. */
TEST(default_tolerance)
{
    need_gl();
    write_file("one.frag", "float kernel(vec2 here) { return x_at(0, 0); }\n");
    write_file("more.c", HEAD "{\n    for (int i = 0; i < width * height; i++)\n"
                              "        after[i] = before[i] + 1.5 * 0x1p-20;\n}\n");
    write_file("less.c", HEAD "{\n    for (int i = 0; i < width * height; i++)\n"
                              "        after[i] = before[i] + 0.75 * 0x1p-20;\n}\n");
    expect_run("one.frag --input x=ones -n 3 --check more.c", 1, "1 failed");
    expect_run("one.frag --input x=ones -n 3 --check less.c", 0, "1 passed");
    /* parts of the largest value so far, also where later ones are small */
    write_file("shrink.frag", "float kernel(vec2 here) { return x_at(0, 0) / 1024.0; }\n");
    write_file("shrink.c", HEAD "{\n    for (int i = 0; i < width * height; i++)\n"
                                "        after[i] = before[i] / 1024 + 0.5 * 0x1p-30;\n}\n");
    expect_run("shrink.frag --input x=ones -n 3 --steps 4 --check shrink.c", 0, "pass  4 steps");
}

/* Results that are wrong by one part in ten thousand, in one cell, in numbers' order; and how far
 * is too far. */
TEST(wrong_ones)
{
    need_gl();
    expect_run("blur.frag --check off.c --steps 9", 1, "fail  1 step ");
    assert_non_null(strstr(output, "after step 1 is "));
    assert_true(ends_with(output, "0 passed, 1 failed, 0 skipped\n"));
    expect_run("blur.frag --check off.c --steps 9 --tolerance 1e-3", 0, "1 passed");
    expect_run("blur.frag --check blur.c --outside 1 -n 1x9", 1, "cell (0, ");
    expect_run("many.frag --check many.c --input b=random --input a=gradient --set d=9,0.25 "
               "--set c=0.5",
               1, "1 failed");
    expect_run("blur.frag --input x=impulse --check late.c --size 9x1 --steps 30", 1,
               "after step 6 is");
    /* Software drivers end long loops in silence. */
    expect("quadpass info", 0, "");
    const bool software = strstr(output, "llvmpipe") != NULL;
    write_file("long.frag", "float kernel(vec2 here) {\n    float sum = x_at(0, 0);\n"
                            "    for (int i = 0; i < 70000; i++)\n        sum += 0.5;\n"
                            "    return sum;\n}\n");
    expect_run("long.frag --check blur.c -n 3", software ? 2 : 1,
               software ? "long.frag: this device ends all loops of a cell after 65535 rounds"
                        : "long.frag fail  1 step");
    /* Files and numbers are those of all steps. */
    expect_run("blur.frag --check off.c --input x=impulse -n 9 --steps 4 --reduce max -o y.mtx", 1,
               "0.2734375\n");
    assert_true(exists("y.mtx"));
}

TEST(no_references)
{
    need_gl();
    expect_run("blur.frag --check syntax.c -o z.mtx", 2, "syntax.c does not compile: syntax.c:6:");
    assert_non_null(strstr(output, "error"));
    assert_int_equal(count("\n"), 2); /* which one is compiled, and why it is not */
    expect_run("blur.frag --check nothing.c -o z.mtx", 2, "nothing.c has no function 'void ref");
    expect_run("blur.frag --check unknown.c -o z.mtx", 2, "unknown.c does not compile: unknown.c:");
    assert_non_null(strstr(output, "nobody"));
    expect_run("blur.frag --check unlinked.c -o z.mtx", 2, "unlinked.c cannot be loaded: ");
    assert_non_null(strstr(output, "undefined symbol: nobody\n"));
    expect_run("blur.frag --check nowhere.c -o z.mtx", 2, "nowhere.c: cannot be read: No such");
    expect_run("blur.frag --check short.c -n 3 -o z.mtx", 2,
               "cell (2, 2) of x at nan in step 1 of 3 x 3 cells");
    expect_run("blur.frag --check front.c -n 3 -o z.mtx", 2,
               "front.c: the reference writes in front of `after` in step 1 of 3 x 3 cells");
    expect_run("blur.frag --check behind.c -n 3 -o z.mtx", 2, "crashed in step 1 of 3 x 3 cells");
    expect_run("blur.frag --check shared.c -n 3 -o z.mtx", 2, "it may only read `before`");
    expect_run("blur.frag --check outside.c -o z.mtx", 2,
               "outside.c: the reference crashed in step 1 of 256 x 256 cells: Segm");
    expect_run("blur.frag --check leaves.c -o z.mtx", 2,
               "left the program in step 1 of 256 x 256 cells, by exit(7)");
    assert_false(exists("let_go"));
    assert_false(exists("z.mtx"));
    expect("env --ignore-signal=CHLD quadpass run blur.frag --check outside.c", 2, "crashed in");
    expect("env --ignore-signal=CHLD quadpass run blur.frag --check syntax.c", 2, "not compile");
    expect("CC='nobody --at-home' quadpass run blur.frag --check blur.c", 2,
           "but 'nobody' cannot be run: No such file");
    expect("CC='cc -Wall -DX' quadpass run blur.frag --check blur.c", 0, "1 passed");
    expect("CC=' ' quadpass run blur.frag --check blur.c", 0, "1 passed");
}

/* A constructor that ends its process or never ends, and a child that outlives a crash, do not
 * become the command's. */
TEST(hostile_ones)
{
    need_gl();
    expect_run("blur.frag --check born_dead.c -o z.mtx", 2,
               "born_dead.c: the reference left the program while it was loaded, by exit(0)");
    expect_run("blur.frag --check never_born.c --time-limit 0.2 -o z.mtx", 2,
               "never_born.c: the reference took more than 0.2 s while it was loaded (an endless");
    /* the child keeps what the shell waits for open */
    expect("timeout 8 quadpass run blur.frag --check forks.c >said 2>&1; echo $? >>said; cat said",
           0, "forks.c: the reference crashed in step 1 of 256 x 256 cells: Aborted\n2\n");
    assert_int_equal(shell("cp blur.c ./-wrapper && cp blur.c @args"), 0);
    expect_run("blur.frag --check=-wrapper", 0, "1 passed");
    expect_run("blur.frag --check=@args", 0, "1 passed");
    assert_false(exists("z.mtx"));
}

/* A reference that computes for longer than its limit ends; one that sleeps may take ten times as
 * long. The limit of memory is of what it takes itself, and named where it may be why. */
TEST(limits)
{
    need_gl();
    write_file("one.frag", "float kernel(vec2 here) { return x_at(0, 0); }\n");
    expect_run("one.frag -n 9x7 --check loops.c --time-limit 0.2 -o z.mtx", 2,
               "loops.c: the reference took more than 0.2 s in step 1 of 9 x 7 cells; --time-limit "
               "SECONDS changes that\n");
    expect_run("one.frag -n 9x7 --check naps.c --time-limit 0.2", 0, "1 passed");
    expect_run("one.frag -n 9x7 --check naps.c --time-limit 0.005 -o z.mtx", 2,
               "more than 0.005 s");
    expect_run("one.frag -n 9x7 --check large.c --memory-limit 1", 0, "1 passed");
    expect_run("one.frag -n 9x7 --check large.c --memory-limit 0.5 -o z.mtx", 2,
               "large.c: the reference crashed in step 1 of 9 x 7 cells: Segmentation fault; an "
               "allocation had failed there: a reference may take 0.5 GiB of data, which "
               "--memory-limit GIB changes\n");
    expect("quadpass check one.frag --check loops.c --fixed --time-limit 0.1", 2, "than 0.1 s");
    assert_false(exists("z.mtx"));
}

/* Leftovers of a killed run go with the next one: the folders of processes that are gone, and of no
 * others. */
TEST(leftovers)
{
    need_gl();
    assert_int_equal(
        shell("mkdir -p left; cd left; for i in 7-abcdef 7-abcdeg 20261128-results; do "
              "mkdir -m 700 quadpass.$i; touch quadpass.$i/reference.so; done; "
              "mkdir quadpass.x-abcdef quadpass-abcdef; touch quadpass.7-abcdef/.quadpass "
              "quadpass.20261128-results/.quadpass"),
        0);
    expect_run("blur.frag --check blur.c; TMPDIR=left quadpass run blur.frag --check blur.c", 0,
               "1 passed");
    expect("LC_ALL=C ls left", 0,
           "quadpass-abcdef\nquadpass.20261128-results\nquadpass.7-abcdeg\nquadpass.x-abcdef\n");
    expect("ls left/quadpass.7-abcdef", 2, "No such file");
}

/* Names of files steer no terminal, and break no line, on standard output and in sentences. */
TEST(names_are_cleaned)
{
    need_gl();
    assert_int_equal(shell("cp blur.frag 'ev\n\033[31mil.frag'"), 0);
    expect_run("ev*il.frag -n 3 --check blur.c -o 'ev\n\033[31mil.png' 2>said", 0,
               "ev\\n\\x1b[31mil.png: black is 0, white is 1\n"
               "ev\\n\\x1b[31mil.frag: 1 step of 3 x 3 cells");
    assert_non_null(strstr(output, "\nev\\n\\x1b[31mil.frag pass  1 step "));
    expect("quadpass 'a\nb'", 2, "there is no command 'a\\nb'");
    expect("QUADPASS_SHADER_DIR='no\nwhere' quadpass run blur.frag -n 3 --reduce sum", 2,
           "QUADPASS_SHADER_DIR: no\\nwhere: ");
    expect("CC='no\ncc' quadpass run blur.frag -n 3 --check blur.c", 2,
           "but 'no\\ncc' cannot be run");
}

/* Output that a reference prints is no result. */
TEST(printing)
{
    need_gl();
    expect("quadpass run blur.frag --check talks.c -n 2 -o - 2>told | head -2", 0,
           "%%MatrixMarket matrix array real general\n2 2\n");
    expect("cat told", 0, "i 3\n");
}

/* The compiler is CC with its words, cc without; its files are in TMPDIR, in /tmp without, and are
 * removed. */
TEST(compilers_and_places)
{
    static const char said[] = "/quadpass[.][0-9]+-[A-Za-z0-9]{6}/reference.so' words && rm words";
    char line[512];
    need_gl();
    write_file("cc.sh", "echo \"$@\" >>words\nexec cc \"$@\"\n");
    assert_int_equal(shell("mkdir -p there"), 0);
    for (int named = 0; named < 2; named++) {
        snprintf(line, sizeof line,
                 "env %s CC='sh cc.sh -O1' quadpass run blur.frag --check blur.c -n 4 && grep -cE "
                 "'^-O1 .*%s%s",
                 named ? "TMPDIR=there" : "-u TMPDIR", named ? " there" : " /tmp", said);
        expect(line, 0, "\n1\n");
    }
    expect("TMPDIR=/nowhere quadpass run blur.frag --check blur.c", 2,
           "no folder for what is compiled can be made in /nowhere: No such file or directory\n");
    write_file("text.sh", "while [ $1 != -o ]; do shift; done\necho no program >$2\n");
    expect("TMPDIR=there CC='sh text.sh' quadpass run blur.frag --check blur.c", 2,
           "blur.c cannot be loaded: ");
    write_file("mute.sh", "echo >&2\necho no luck >&2\necho nor more >&2\nexit 1\n");
    expect("TMPDIR=there CC='sh mute.sh' quadpass run blur.frag --check blur.c", 2,
           "blur.c does not compile: no luck\n");
    write_file("idle.sh", "sleep 9\n");
    expect("TMPDIR=there CC='sh idle.sh' timeout -s INT 1 quadpass run blur.frag --check blur.c; "
           "echo ended with $?",
           0, "quadpass: interrupted\nended with 124\n");
    expect("ls -A there | wc -l", 0, "0\n");
}

/* An endless reference is left at the first signal, and nothing is left. */
TEST(endless_ones)
{
    need_gl();
    /* a terminal's Ctrl-C goes to all processes of the command, as timeout's does */
    expect("timeout --preserve-status -s INT 4 quadpass run blur.frag -n 4 --check loops.c", 1,
           "interrupted");
    assert_int_equal(count("crashed"), 0);
    assert_int_equal(shell("mkdir -p scratch"), 0);
    setenv("TMPDIR", "scratch", 1);
    const struct watched ended =
        watch("run blur.frag -n 4 --check loops.c", "run of blur.frag", SIGINT);
    unsetenv("TMPDIR");
    assert_int_equal(ended.code, 1);
    assert_true(ended.seconds < 2.0);
    assert_non_null(strstr(output, "loops.c was still computing in step 1 of 4 x 4 cells: inter"));
    expect("ls -A scratch | wc -l", 0, "0\n");
}

/* Steps are left too, and what they would have written is not. */
TEST(long_runs)
{
    need_gl();
    const struct watched ended =
        watch("run blur.frag -n 64 --steps 2000000000 --reduce sum -o late.npy", " %   ", SIGTERM);
    assert_int_equal(ended.code, 1);
    assert_true(ended.seconds < 2.0);
    assert_non_null(strstr(output, "interrupted"));
    assert_false(exists("late.npy"));
    write_file("slow.frag", "float kernel(vec2 here) { float a = x_at(0, 0);\n"
                            "    for (int i = 0; i < 60000; i++)\n        a = sin(a);\n"
                            "    return a; }\n");
    const struct watched in_a_pass = /* which takes half an hour */
        watch("run slow.frag -n 4096 --steps 100 -o late.npy", "run of slow.frag", SIGTERM);
    assert_int_equal(in_a_pass.code, 1);
    assert_true(in_a_pass.seconds < 2.0);
    assert_non_null(strstr(output, "interrupted"));
    assert_false(exists("late.npy"));
}

/* The device is to blame where it lacks what `run` computes in; the user, for files that lie over
 * built-in ones. */
TEST(devices_and_files)
{
    need_gl();
    if (shell("quadpass info | grep -q Mesa") == 0)
        expect("MESA_GL_VERSION_OVERRIDE=3.1FC quadpass run blur.frag --size 4 -o gone.npy", 3,
               "'x' needs textures of 1 x 32 bits a texel");
    write_file("wrong.frag", "float kernel(vec2 here) {\n    return x_at(0, 0) + rat;\n}\n");
    expect("mkdir -p live/jacobi9 && cp wrong.frag live/jacobi9/luminance.frag && "
           "QUADPASS_SHADER_DIR=live quadpass solve " GR " --variant jacobi9/luminance -o gone.mtx",
           2, "live/jacobi9/luminance.frag");
    assert_false(exists("gone.npy") || exists("gone.mtx"));
}

#define DEMO QP_SOURCE_DIR "/demos/shaders/"

/* The demos' own shaders, whose heads say what they need. Without wrapping, life.frag plays on
 * another world than its reference. */
TEST(demos)
{
    need_gl();
    expect_run("--check " DEMO "life.frag -n 33x17 --steps 20", 0, "pass  20 steps  error 0.0e+00");
    expect_run(DEMO "life.frag --outside zero -n 33x17 --steps 20 --check " DEMO "life.c", 1,
               "1 failed");
    expect_run(DEMO "heat.frag --check --set rate=0.1", 0, "pass  100 steps");
    assert_non_null(strstr(output, "at 65x65 alone, by its head, step "));
    write_file("four.mtx", "%%MatrixMarket matrix array real general\n4 4\n"
                           "1\n2\n3\n4\n5\n6\n7\n8\n0\n0\n8\n0\n0\n0\n0\n1\n");
    expect_run(DEMO "half.frag --input photo=four.mtx --size 2 -o - 2>said", 0,
               "general\n2 2\n3.5\n5.5\n0\n2.25\n");
}

GROUP(go_to_folder, remove_folder)
