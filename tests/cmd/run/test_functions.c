/* SPDX-License-Identifier: MIT */
/* Kernels in C as a check takes them: right ones of all types, wrong ones, such that touch what
 * they must not, remember, crash or leave; and what is refused. */
#include "support/once.h"
#include "support/shell.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define REFERENCE(inputs)                                        \
    "void reference(int w, int h, const " inputs " *const *f,\n" \
    "               const double *s, const double *a, double *b)\n"

/* A kernel of all kinds: which one, the head's number says. */
static const char kinds[] =
    "//@ check kinds_ref.c\n//@ input f=random\n//@ set kind=0\n//@ kernel kinds\n"
    "#include <stdlib.h>\n#include <math.h>\n#include <unistd.h>\n"
    "#define LEFT(i) ((i) % w > 0 ? x[(i) - 1] : 0.0f)\n"
    "#define VALUE(i) (0.5f * x[i] + 0.25f * LEFT(i) + 0.125f * f[i])\n"
    "static float *kept;\nstatic int calls, count;\n"
    "void kinds(int w, int h, const float *restrict x, const float f[], float *out, int kind)\n{\n"
    "    int n = w * h, i;\n    calls++;\n"
    "    for (i = 0; i < n; i++)\n        out[i] = VALUE(i);\n"
    "    switch (kind) {\n"
    "    case 1: out[n / 2] *= 1.001f; break;\n"
    "    case 4: out[n - 1] = NAN; break;\n" /* as if it were not written */
    "    case 5: out[n] = 7.0f; break;\n"
    "    case 7: out[100000] = 7.0f; break;\n"
    "    case 8: ((float *)f)[n / 2] = 7.0f; break;\n"
    "    case 9: for (i = n; i-- > 0;) ((float *)x)[i] = VALUE(i); break;\n"
    "    case 10: out[0] = 0.5f * x[0] + 0.25f * x[-1] + 0.125f * f[0]; break;\n"
    "    case 11: out[0] = 0.5f * x[0] + (x[-1] != x[-1] ? 0 : x[-1]) + 0.125f * f[0]; break;\n"
    "    case 12:\n"
    "        for (i = 0; kept != 0 && i < count; i++) { float v = kept[i]; kept[i] = out[i]; "
    "out[i] "
    "= v; }\n"
    "        if (kept == 0) { kept = malloc(sizeof *kept * n); count = n; for (i = 0; i < n; i++) "
    "kept[i] = out[i]; }\n"
    "        break;\n"
    "    case 13: if (calls > 10) out[0] += 0.01f; break;\n"
    "    case 14: out[0] = x[-1] < out[0] ? x[-1] : out[0]; break;\n"
    "    case 15: if (fork() == 0) { setsid(); sleep(2); _exit(0); } break;\n"
    "    case 16: exit(0);\n"
    "    case 17: *(volatile int *)8 = 7; break;\n"
    "    case 18: write(1, \"a\\nword\", 6); break;\n"
    "    case 19: for (;;) calls++;\n"
    "    case 20: for (;;) { kept = malloc(1 << 24); kept[5] = 7; }\n"
    "    }\n}\n";

static const char kinds_ref[] =
    REFERENCE("float") "{\n    for (int i = 0; i < w * h; i++)\n"
                       "        b[i] = 0.5 * a[i] + 0.25 * (i % w > 0 ? a[i - 1] : 0) + 0.125 * "
                       "f[0][i];\n}\n";

/* A kernel of all kinds in CUDA. */
static const char launched[] =
    "//@ check kinds_ref.c\n//@ input f=random\n//@ set kind=0\n//@ group 8x4\n"
    "#include <cuda_runtime.h>\n__device__ int calls;\n"
    "__device__ float left(const float *x, int i, int c)\n{\n    return c > 0 ? x[i - 1] : "
    "0.0f;\n}\n"
    "extern \"C\" __global__ void __launch_bounds__(32)\nlaunched(int w, int h, const float "
    "*__restrict__ x, const float *f, float *out, int kind)\n{\n"
    "    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + "
    "threadIdx.y;\n    int i = r * w + c;\n"
    "    if (c >= w || r >= h)\n        return;\n"
    "    calls += i == 0;\n    float old = x[i];\n"
    "    if (kind == 4 && i == w * h - 1)\n        return;\n"
    "    out[i] = 0.5f * old + 0.25f * left(x, i, c) + 0.125f * f[i];\n"
    "    switch (i == 0 ? kind : 0) {\n"
    "    case 1: out[0] *= 1.001f; break;\n"
    "    case 2: *(volatile int *)8 = 7; break;\n"
    "    case 3: out[w * h] = 7.0f; break;\n"
    "    case 5: out[-1] = 7.0f; break;\n"
    "    case 6: ((float *)f)[w + 1] = 7.0f; break;\n"
    "    case 7: ((float *)x)[w * h - 1] = 7.0f; break;\n"
    "    case 8: out[0] += x[-1] != x[-1] ? 0.0f : x[-1]; break;\n"
    "    case 9: if (calls > 10) out[0] += 0.01f; break;\n"
    "    case 10: out[0] += x[w * h]; break;\n"
    "    }\n}\n";

/* A compiler that has made the program $KEEP already, and any other one for the rest. */
static const char cc[] =
    "#!/bin/sh\ncase $KEEP$* in *-shared* | -*) exec \"$OTHER\" \"$@\" ;; esac\n"
    "[ -e $KEEP ] || \"$OTHER\" \"$@\" || exit\nwhile [ \"$1\" != -o ]; do "
    "shift; done\n[ -e $KEEP ] || cp \"$2\" $KEEP\ncp $KEEP \"$2\"\n";

/* In front of a command: a device that is made up, or the one that may be there is hidden. */
#define DEVICE "LD_LIBRARY_PATH=" QP_BUILD_DIR "/tests/fake_device "

static int enter_folder(void **state)
{
    char path[256];
    if (enter_folder_with_cache(state) != 0 || compile_once(folder) != 0)
        return -1;
    write_file("kinds.c", kinds);
    write_file("launched.cu", launched);
    write_file("kinds_ref.c", kinds_ref);
    write_file("cc.sh", cc);
    snprintf(path, sizeof path, "%.200s/cc.sh", folder);
    setenv("CFLAGS", "-O1", 1);
    setenv("OTHER", getenv("CC"), 1);
    return chmod("cc.sh", 0700) != 0 ? -1 : setenv("CC", path, 1);
}

/* ---- A kernel, as it should be and not ---- */

TEST(right)
{
    static const char *const said[] = {"kinds/kernel ", "pass   42 cases", "1 passed, 0 failed"};
    expect("KEEP=kept quadpass check kinds.c --seed 5 --json r.json && cat r.json", 0,
           "\"variant\":\"kinds/kernel\",\"backend\":\"cpu\"");
    must_print(said, COUNT(said));
    expect("KEEP=kept quadpass check kinds.c --fixed -n 9x5 --set kind=18", 0, "1 passed");
    expect("KEEP=kept quadpass bench kinds.c -n 40x30 --iterations 3 --repeats 3 --csv r.csv && "
           "cat r.csv",
           0, "kinds/kernel,cpu,");
    must_print((const char *const[]){"40 x 30 cells, 3 steps a run", "1 passed"}, 2);
}

/* A check of this kind of kernel, which must fail and say so. */
struct wrong {
    int kind;
    const char *said;
};

static void fails(const char *check, const struct wrong *wrong)
{
    char command[512];
    snprintf(command, sizeof command, "%s --fixed -n 9x5 --set kind=%d", check, wrong->kind);
    expect(command, 1, wrong->said);
    must_print((const char *const[]){"fail ", "0 passed, 1 failed, 0 skipped"}, 2);
}

TEST(wrong)
{
    static const struct wrong rows[] = {
        {1, "at 9x5, 1 step  cell (4, 2) is "},
        {4, "cell (8, 4) is nan, which is no number"},
        {5, "kinds.c: the kernel writes beyond the end of 'out'"},
        {7, "kinds.c: the kernel reads or writes far beyond the end of 'out'"},
        {8, "kinds.c: the kernel writes into 'f', or beside it, which it may only read"},
        {9, "kinds.c: the kernel writes into 'x', or beside it, which it may only read"},
        {10, "cell (0, 0) is nan, which is no number"},
        {11, "at 9x5, 2 steps  cell (0, 0) is "},
        {12, "should be "},
        {13, "at 9x5, 1 step  cell (0, 0) is "},
        {14, "at 9x5, 7 steps  cell (0, 0) is "},
        {15, "kinds.c: the kernel leaves a process behind"},
        {16, "kinds.c: the kernel ended its program, with code 0"},
        {17, "kinds.c: its program crashed in 1 step: Segmentation fault"}};
    for (int k = 0; k < COUNT(rows); k++)
        fails("KEEP=kept quadpass check kinds.c", &rows[k]);
    expect("KEEP=kept quadpass bench kinds.c -n 9x5 --repeats 2 --set kind=1", 1,
           "0 passed, 1 failed");
    expect("KEEP=kept quadpass check kinds.c --set kind=19 --time-limit 0.1", 1,
           "kinds.c: its program took more than 0.1 s in 1 step; --time-limit SECONDS");
    expect("KEEP=kept quadpass check kinds.c -n 9x5 --set kind=20 --memory-limit 0.1", 1,
           "kinds.c: no memory for what the kernel asked for; its program may take 0.1 GiB");
}

/* With LONG=1 all of them. */
TEST(cuda)
{
    static const struct wrong rows[] = {
        {2, "launched.cu: the kernel ends with 'an illegal memory access was encountered'"},
        {3, "launched.cu: the kernel writes beyond the end of 'out'"},
        {6, "launched.cu: the kernel changes 'f' at cell (1, 1), which it may only read"},
        {8, "at 9x5, 2 steps  cell (0, 0) is "},
        {9, "at 9x5, 1 step  cell (0, 0) is "},
        {7, "launched.cu: the kernel changes 'x' at cell (8, 4), which it may only read"},
        {1, "cell (0, 0) is "},
        {4, "cell (8, 4) is nan, which is no number"},
        {5, "launched.cu: the kernel writes in front of 'out'"},
        {10, "cell (0, 0) is nan, which is no number"}};
    expect(DEVICE "KEEP=here quadpass check launched.cu --seed 5 --json r.json && cat r.json", 0,
           "\"variant\":\"launched/kernel\",\"backend\":\"cuda\"");
    must_print((const char *const[]){"pass   45 cases", "1 passed, 0 failed"}, 2);
    expect(DEVICE "KEEP=here quadpass bench launched.cu -n 9x5 --iterations 3 --repeats 2", 0,
           "1 passed");
    for (int k = 0; k < (support_takes_long() ? COUNT(rows) : 5); k++)
        fails(DEVICE "KEEP=here quadpass check launched.cu", &rows[k]);
    expect("sed 's/out.i. = /out[i] = nobody + /' launched.cu >unknown.cu; " DEVICE
           "quadpass check unknown.cu",
           2, "a kernel does not compile: unknown.cu:");
    expect("sed 's/8x4/16x1/' launched.cu >row.cu; " DEVICE "quadpass check row.cu --fixed -n 40x3",
           0, "row/kernel ");
    expect("CUDA_VISIBLE_DEVICES= quadpass check launched.cu --json none.json", 3, "CUDA");
    assert_false(exists("none.json"));
}

/* ---- Other kernels ---- */

/* Two states of doubles, integers that they go by, and numbers of each step. */
TEST(types)
{
    write_file("two.c",
               "//@ kernel two\n//@ check two_ref.c\n//@ input m=random\n//@ set rate=0.25\n"
               "//@ schedule span=1,2,3,4,5\n//@ steps 5\n//@ size 11x7\n"
               "void two(int width, int height, const double *u, const double *v, const int *m,\n"
               "         double *p, double *q, double rate, int span, int step_number, unsigned "
               "step_count)\n{\n    int n = width * height;\n"
               "#pragma omp parallel for num_threads(2)\n"
               "    for (int i = 0; i < n; i++) {\n"
               "        p[i] = u[i] + rate * v[(i + span) % n] * m[i];\n"
               "        q[i] = 0.5 * v[i] + step_number / (double)step_count;\n    }\n}\n"
               "void other(int a)\n{\n    (void)a;\n}\n");
    write_file(
        "two_ref.c",
        REFERENCE("float") "{\n    int n = w * h;\n"
                           "    for (int i = 0; i < n; i++) {\n"
                           "        b[i] = a[i] + s[0] * a[n + (i + (int)s[3]) % n] * f[0][i];\n"
                           "        b[n + i] = 0.5 * a[n + i] + s[1] / s[2];\n    }\n}\n");
    expect("quadpass check two.c --fixed", 0, "two/kernel ");
    must_print((const char *const[]){"at 11x7 alone, by its head", "1 passed"}, 2);
    expect("quadpass check two.c --fixed --schedule span=1,2,3,4,6", 0, "1 passed");
    expect("quadpass check two.c --fixed --iterations 6", 2, "schedule span has 5 values");
    write_file("off.c", "#include \"two.h\"\n");
    expect("sed 's/span)/span + 1)/' two.c >off.c; quadpass check off.c --fixed", 1, "0 passed");
}

/* Words of the text are changed, that of a function which it includes is not; with LONG=1, for each
 * mutant is compiled. */
TEST(mutants)
{
    if (!support_takes_long()) {
        print_message("SKIP: mutants in C and CUDA are compiled with LONG=1\n");
        skip();
    }
    write_file("half.h", "static float half(float x) { return 0.5f * x; }\n");
    write_file("half.c", "//@ check half_ref.c\n#include \"half.h\"\n"
                         "void halve(int w, int h, const float *x, float *out)\n{\n"
                         "    float unused = 3.0f;\n    for (int i = 0; i < w * h; i++)\n"
                         "        out[i] = half(x[i]) + 0.25f;\n    (void)unused;\n}\n");
    write_file("half_ref.c", REFERENCE("float") "{\n    for (int i = 0; i < w * h; i++)\n"
                                                "        b[i] = 0.5 * a[i] + 0.25;\n}\n");
    expect("quadpass check half.c --fixed --mutants -n 9x5", 1, "the reference notices 8 of 9 ");
    must_print((const char *const[]){"half.c:5: nothing notices '(3.0f * 1.01)'",
                                     "1 of 9 mutants survive, more than a tenth"},
               2);
    expect("sed 's/ = 3.0f//; s/(void)unused/unused = 0.0f/' half.c >used.c; "
           "quadpass check used.c --fixed --mutants -n 9x5",
           0, "the reference notices 8 of 8 ");
    write_file(
        "whole.cu",
        "//@ check half_ref.c\n__device__ float half(float x) { return 0.5f * x; }\n"
        "extern \"C\" __global__ void whole(int w, int h, const float *x, float *out)\n{\n"
        "    int i = blockIdx.x * 16 + threadIdx.x, j = blockIdx.y * 16 + threadIdx.y;\n"
        "    if (i < w && j < h)\n        out[j * w + i] = half(x[j * w + i]) + 0.25f;\n}\n");
    expect(DEVICE "quadpass check whole.cu --fixed --mutants --iterations 1", 0,
           "1 passed, 0 failed");
    assert_int_equal(count("the reference notices "), 1);
}

TEST(refusals)
{
    static const char *const refused[][3] = {
        {"syntax.c", "{ out[0] = ; }", "syntax.c does not compile: syntax.c:2:"},
        {"unknown.c", "{ out[0] = nobody(1); }", "unknown.c does not compile: unknown.c:2:"},
        {"alone.c", "{ extern int nobody; out[0] = nobody; }", "undefined reference to `nobody'"},
        {"twice.c", "{ }\nint main(void) { return 0; }", "multiple definition of `main'"}};
    static const char *const asked[][2] = {
        {"run kinds.c", "kinds.c: kernels in C are judged by 'quadpass check' and timed by"},
        {"walk kinds.c", "kinds.c: kernels in C are judged by"},
        {"tune kinds.c --target c", "kinds.c: kernels in C are judged by"},
        {"generate kinds.c --target c -o d", "kinds.c: kernels in C are judged by"},
        {"check kinds.c --backend cpu", "kinds.c is in C, which says where it runs: leave"},
        {"check kinds.c --disguise", "leave --backend, --fast and --disguise out"},
        {"check kinds.c kinds.c", "kinds.c: a kernel in C is judged by itself, and not in turn"},
        {"check kinds.c --outside zero", "--outside is for fragment shaders; arrays in C are"},
        {"check kinds.c --set king=1", "--set king: kinds has no parameter 'king'; did you mean"},
        {"check kinds.c --set kind=0.5", "--set kind: the parameter's type does not have the"},
        {"check none.c", "none.c names no reference, so nothing judges it"},
        {"check gone.c", "gone.c"}};
    char text[256], command[256];
    for (int k = 0; k < COUNT(refused); k++) {
        snprintf(text, sizeof text,
                 "//@ check kinds_ref.c\nvoid k(int w, int h, const float *x, float *out) %s\n",
                 refused[k][1]);
        write_file(refused[k][0], text);
        snprintf(command, sizeof command, "quadpass check %s", refused[k][0]);
        expect(command, 2, refused[k][2]);
    }
    write_file("none.c", "void k(int w, int h, const float *x, float *out) { }\n");
    for (int k = 0; k < COUNT(asked); k++) {
        snprintf(command, sizeof command, "quadpass %s", asked[k][0]);
        expect(command, 2, asked[k][1]);
    }
    expect("CC=nobody quadpass check kinds.c", 3, "'nobody' cannot be run");
}

GROUP(enter_folder, remove_folder)
