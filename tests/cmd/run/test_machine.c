/* SPDX-License-Identifier: MIT */
/* Kernel files by other machines than OpenGL's fragments: their bits, programs in the user's cache
 * however it is damaged, crashes, what is refused, and variants beside each other. With LONG=1 on
 * more kernels, and NVRTC without a device. */
#include "support/shell.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CACHE "cache/quadpass"

/* Programs are compiled in a fraction of the usual time; their bits are the same. */
static int enter_folder(void **state)
{
    if (make_folder(state) != 0 || chdir(folder) != 0)
        return -1;
    char path[256], usual[256];
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    snprintf(usual, sizeof usual, "%.200s%s",
             cache != NULL  ? cache
             : home != NULL ? home
                            : "",
             cache != NULL ? "" : "/.cache");
    setenv("MESA_SHADER_CACHE_DIR", usual,
           0); /* compiled shaders are where other tests have them */
    snprintf(path, sizeof path, "%.200s/cache", folder);
    setenv("XDG_CACHE_HOME", path, 1);
    setenv("CFLAGS", "-O1", 1);
    setenv("LP_NUM_THREADS", "0", 1); /* llvmpipe's threads are of no use to small grids */
    return 0;
}

static const struct {
    const char *name, *text;
    bool compute, is_long;
} kernels[] = {
    {"two",
     "//@ state u v\n//@ outside u=wrap\n//@ outside v=0.25\n//@ outside f=clamp\n//@ input "
     "f=random\n"
     "//@ set feed=0.037,0.06\nvoid kernel(vec2 here)\n{\n"
     "    float u = u_at(0.0, 0.0), v = v_at(0.0, 0.0), r = u * v * v;\n"
     "    out0 = 0.5 * u + 0.125 * u_at(-1.0, 1.0) - 0.25 * r + feed.x * (1.0 - u) * f_at(0.0, "
     "1.0);\n"
     "    out1 = 0.5 * v + 0.25 * r - (feed.x + feed.y) * v + 0.125 * v_at(1.0, -1.0);\n}\n",
     false, false},
    {"wraps",
     "//@ outside wrap\nint kernel(vec2 here)\n{\n    int n = x_at(-1.0, 0.0) + x_at(1.0, 1.0);\n"
     "    return n > 9 ? n - 7 : n + int(here.x);\n}\n",
     true, false},
    {"double",
     "//@ outside 0.3\n//@ input f=random\n//@ set c=0.3\ndouble kernel(vec2 here)\n{\n"
     "    return 0.75 * x_at(1.0, 0.0) - 0.7 * (c - f_at(0.0, 1.0)) / (x_at(0.0, 0.0) + 1.5);\n}\n",
     false, false},
    {"vectors",
     "//@ outside clamp\n//@ set c=0.5,1\nfloat kernel(vec2 here)\n{\n"
     "    vec2 g = vec2(x_at(1.0, 0.0) - x_at(-1.0, 0.0), x_at(0.0, 1.0) - x_at(0.0, -1.0));\n"
     "    g.yx = g * 0.25 + c;\n    return g.x + 0.5 * g.y;\n}\n",
     true, true},
};

static void write_kernels(void)
{
    for (int k = 0; k < COUNT(kernels); k++) {
        char name[64];
        snprintf(name, sizeof name, "%s.frag", kernels[k].name);
        write_file(name, kernels[k].text);
    }
}

static bool is_long(void)
{
    const char *value = getenv("LONG");
    return value != NULL && strcmp(value, "1") == 0;
}

/* ---- Bits ---- */

/* Steps of a machine, from a size that fits nothing, are OpenGL's. */
static void same_bits(const char *name, const char *backend, int steps, const char *by)
{
    char command[512];
    snprintf(
        command, sizeof command,
        "quadpass run %s.frag --size 37x21 --steps %d -o gl.npy && quadpass run %s.frag --size "
        "37x21 --steps %d --backend %s -o other.npy && cmp gl.npy other.npy",
        name, steps, name, steps, backend);
    expect(command, 0, by);
}

/* llvmpipe takes seconds to compile several steps in one go. */
TEST(bits)
{
    need_gl();
    write_kernels();
    for (int k = 0; k < COUNT(kernels); k++) {
        if (kernels[k].is_long && !is_long())
            continue;
        same_bits(kernels[k].name, "cpu", 13, "by C on");
        if (kernels[k].compute || is_long())
            same_bits(kernels[k].name, "compute", is_long() ? 13 : 1, "by compute shaders on");
    }
}

/* Numbers and sizes are no part of a program; what it leaves is looked at as OpenGL's is. */
TEST(outcomes)
{
    need_gl();
    write_kernels();
    expect("quadpass run wraps.frag -n 9 --steps 2 --input x=ones --backend cpu", 0,
           "from the cache; x from");
    expect("quadpass run two.frag -n 30 --set feed=0.1,0.2 --steps 9 --backend cpu -o a.npy && "
           "quadpass run two.frag -n 30 --set feed=0.1,0.2 --steps 9 -o b.npy && cmp a.npy b.npy",
           0, "from the cache");
    expect("quadpass run wraps.frag -n 9 --steps 6 --every 2 --reduce sum --backend cpu >a && "
           "quadpass run wraps.frag -n 9 --steps 6 --every 2 --reduce sum >b && cmp a b && "
           "cat a && wc -l <a",
           0, "\n3\n");
    expect(
        "quadpass run wraps.frag -n 5 --backend cpu --every 1 --frames f --json r.json && ls f && "
        "grep backend r.json",
        0, "\"backend\":\"cpu\",\"tuned\":\"\"}");
    write_file("grows.frag", "float kernel(vec2 here)\n{\n    return 1e30 * x_at(0.0, 0.0);\n}\n");
    expect("quadpass run grows.frag --input x=ones --steps 5 --backend cpu", 0,
           "the first after step 2 at cell (0, 0)");
}

/* ---- The cache ---- */

static const struct {
    const char *damage, *said;
} damages[] = {
    {"truncate -s 100 $P", "is damaged, and is compiled anew"},
    {"printf x >>$P", "is damaged, and is compiled anew"},
    {"rm $P && mkdir $P", "is no file, and is compiled anew"},
    {"rm -r $P && mkdir -p $P/in", "is no file, and is compiled anew"},
    {"rm -r $P && mkfifo $P", "is no file, and is compiled anew"},
    {"chmod 720 $P", "can be written by others, and is compiled anew"},
    {"chmod 600 $P", "is damaged, and is compiled anew"},
    {"mv $P there && ln -s ../../there $P", "cannot be read, and is compiled anew"},
    {"chmod 777 " CACHE, CACHE " can be written by others, and is not used"},
    {"rm -r " CACHE " && touch " CACHE, CACHE " is no folder, and is not used"},
};

/* A compiler in no time, whose programs were compiled before. While there is a folder `both`, two
 * wait for each other. */
#define FAKE                                                                                       \
    "#!/bin/sh\nwhile [ \"$1\" != -o ]; do case $1 in *.c) c=1;; esac; shift; done\n"              \
    "if [ -n \"$c\" ]; then : >\"$2\"; exit; fi\nd=${0%/*}\ncp $d/good \"$2\"\n"                   \
    "if [ -d $d/both ]; then\n    : >$d/both/$$; i=0\n"                                            \
    "    while [ $(ls $d/both | wc -l) -lt 2 ] && [ $i -lt 500 ]; do\n        sleep 0.02; i=$((i " \
    "+ 1))\n"                                                                                      \
    "    done\nfi\n"

TEST(damaged_programs)
{
    char command[512], compiler[256];
    write_file("plain.frag", "float kernel(vec2 here)\n{\n    return x_at(1.0, 0.0);\n}\n");
    expect("rm -rf " CACHE "; quadpass run plain.frag --backend cpu && mv " CACHE "/*.program good",
           0, ", compiled in ");
    write_file("fake.sh", FAKE);
    assert_int_equal(chmod("fake.sh", 0700), 0);
    snprintf(compiler, sizeof compiler, "%.200s/fake.sh", folder);
    setenv("CC", compiler, 1);
    for (int i = 0; i < COUNT(damages); i++) {
        snprintf(command, sizeof command,
                 "rm -rf " CACHE "; quadpass run plain.frag --backend cpu >/dev/null; P=" CACHE
                 "/*.program; P=$(echo $P); %s; quadpass run plain.frag --backend cpu",
                 damages[i].damage);
        expect(command, 0, damages[i].said);
        assert_int_equal(count(", compiled in "), 1);
    }
    if (shell("mkdir -p noexec && unshare -m sh -c 'mount -t tmpfs -o noexec none noexec'") == 0)
        expect("unshare -m sh -c 'mount -t tmpfs -o noexec none noexec && for i in 1 2; do "
               "XDG_CACHE_HOME=$PWD/noexec quadpass run plain.frag --backend cpu || exit; done'",
               0, "noexec/quadpass is mounted noexec, and is not used");
    expect("CC=true quadpass run plain.frag --backend cpu", 2,
           "the compiler ended without an error, and made nothing; name another one by CC");
    expect("rm -rf " CACHE "; HOME= XDG_CACHE_HOME= quadpass run plain.frag "
           "--backend cpu; ls cache",
           0, ", compiled in ");
    assert_int_equal(count("quadpass\n"), 0);
}

/* Two that compile at once, a processor's other flags, and the oldest beyond 256 MB. */
TEST(kept_programs)
{
    expect("rm -rf cache; mkdir both; (quadpass run plain.frag --backend cpu & quadpass run "
           "plain.frag --backend cpu; wait) && rm -r both && ls cache/quadpass | wc -l",
           0, "\n1\n");
    assert_int_equal(count(", compiled in "), 2);
    expect("quadpass run plain.frag --backend cpu", 0, "from the cache");
    expect("CFLAGS=-O2 quadpass run plain.frag --backend cpu", 0, ", compiled in ");
    expect("truncate -s 160M cache/quadpass/0.program; cp cache/quadpass/0.program "
           "cache/quadpass/1.program; "
           "touch -d yesterday cache/quadpass/0.program; CFLAGS=-O3 quadpass run plain.frag "
           "--backend cpu; "
           "ls cache/quadpass",
           0, "\n1.program");
    assert_int_equal(count("\n0.program"), 0);
    unsetenv("CC");
}

/* ---- Crashes, and what is refused ---- */

#define BEYOND                                                                                    \
    "//@ check ref.c\n//@ input x=zeros\n//@ size 9x5\nint kernel(vec2 here)\n{\n    int l[2];\n" \
    "    l[0] = l[1] = 7;\n    return l[300000000 + x_at(0.0, 0.0)];\n}\n"
#define REFERENCE                                                                              \
    "void reference(int w, int h, const float *const *f, const double *s, const double *a,\n"  \
    "               double *b)\n{\n    for (int i = 0; i < w * h; i++)\n        b[i] = 0.5 * " \
    "a[i];\n}\n"

TEST(crashes)
{
    write_file("beyond.frag", BEYOND);
    write_file("ref.c", REFERENCE);
    expect("quadpass run beyond.frag --backend cpu 2>told; code=$?; sed 's/Bus error/Segmentation "
           "fault/' told; exit $code", /* which of them is the machine's to say */
           2, "beyond.frag: its program crashed in 1 step: Segmentation fault");
    expect("quadpass check beyond.frag --fixed --backend cpu", 1, "its program crashed in 1 step");
    write_file("endless.frag",
               "int kernel(vec2 here)\n{\n    int n = 3;\n    while (n > 2)\n        n = n > 9 ? 3 "
               ": n + 1;\n    return n;\n}\n");
    expect("timeout -s INT 0.5 quadpass run endless.frag --backend cpu; test $? = 124", 0,
           "quadpass: interrupted");
}

/* A program at its limit has failed in all cases: it is not waited for in each. */
TEST(limits)
{
    expect("quadpass run endless.frag --backend cpu --time-limit 0.1", 2,
           "endless.frag: its program took more than 0.1 s in 1 step; --time-limit SECONDS, of a "
           "step, changes that\n");
    expect("timeout 9 quadpass check endless.frag --fixed --check ref.c --backend cpu "
           "--time-limit 0.3",
           1, "fail   stage 5, pass: endless.frag: its program took more than 0.3 s in 1 step");
    must_print((const char *const[]){"0 passed, 1 failed, 0 skipped"}, 1);
    expect("mkdir -p large/served && sed 's/ take(machine/ *(volatile char *)malloc(3u << 28) = 1, "
           "take(machine/' " QP_SOURCE_DIR "/templates/served/program.c >large/served/program.c && "
           "QUADPASS_TEMPLATE_DIR=large quadpass run plain.frag --backend cpu --memory-limit 1",
           0, "by C on");
    expect("QUADPASS_TEMPLATE_DIR=large quadpass check plain.frag --fixed --check ref.c "
           "--backend cpu --memory-limit 0.5",
           1,
           "plain: no memory for what its kernel asked for; its program may take 0.5 GiB of "
           "data beside its arrays; --memory-limit GIB changes that");
}

TEST(refusals)
{
    static const char *const refused[][2] = {
        {"run plain.frag --backend vulkan", ", not 'vulkan'"},
        {"run plain.frag --backend cpu,gl", "run computes by one --backend; bench and check take"},
        {"bench jacobi9 --backend cpu", "--backend is of a kernel file"},
        {"check jacobi9 --time-limit 9", "--time-limit is of a kernel file"},
        {"bench jacobi9 --memory-limit 9", "--memory-limit is of a kernel file"},
        {"run plain.frag --backend cpu --fast",
         "--fast, --disguise and --mutants are of the backend gl"},
        {"run free.frag --backend cpu", "free.frag:4: the offset here.x of x_at is computed"},
        {"check free.frag --fixed --backend gl,compute",
         "free.frag:4: the offset here.x of x_at is computed"},
        {"run sizes.frag --backend cpu",
         "'f' has 3 x 2 cells and 'x' 5 x 4, and programs that are generated take arrays of one "
         "size; take --size 3x2, or --backend gl"},
        {"run sizes.frag --backend compute --input f=large.mtx", "'f' has 40 x 1 cells and 'x' 5"},
        {"bench sizes.frag --backend cpu,gl", "'f' has 3 x 2 cells and 'x' 5 x 4"},
        {"check sizes.frag --fixed --check sizes.c --backend cpu",
         "'f' has 3 x 2 cells and 'x' 5 x 4"}};
    write_file("f.mtx", "%%MatrixMarket matrix array real general\n2 3\n1\n4\n2\n5\n3\n6\n");
    write_file("large.mtx", "%%MatrixMarket matrix coordinate real general\n1 40 1\n1 1 7\n");
    write_file("sizes.frag",
               "//@ check sizes.c\n//@ size 5x4\n//@ input x=zeros\n//@ input f=f.mtx\n"
               "//@ outside f=clamp\nfloat kernel(vec2 here)\n{\n"
               "    return x_at(0.0, 0.0) + f_at(1.0, 0.0);\n}\n");
    write_file("sizes.c",
               "void reference(int w, int h, const double *const *f, const double *s,\n"
               "               const double *a, double *b)\n{\n"
               "    for (int y = 0; y < h; y++)\n        for (int x = 0; x < w; x++)\n"
               "            b[y * w + x] = a[y * w + x] + f[0][(y < 1 ? y : 1) * 3 + (x < 1 ? x + "
               "1 : 2)];\n}\n");
    write_file("free.frag",
               "//@ check ref.c\nfloat kernel(vec2 here)\n{\n    return x_at(here.x, 0.0);\n}\n");
    for (int i = 0; i < COUNT(refused); i++) {
        char command[256];
        snprintf(command, sizeof command, "quadpass %s", refused[i][0]);
        expect(command, 2, refused[i][1]);
    }
    expect("CC=nobody quadpass run plain.frag --backend cpu", 3,
           "nobody: No such file or directory");
    expect(NO_DEVICES "quadpass run plain.frag --backend cpu", 0, "by C on");
    need_gl();
    expect("quadpass run free.frag --backend gl -n 5", 0, "5 x 5 cells");
    expect("quadpass check sizes.frag --fixed --backend gl", 0, "1 passed");
}

/* ---- Variants ---- */

TEST(rows)
{
    static const char *const said[] = {
        "same/gl  pass", "same/cpu pass",
        "same/cpu / same/gl, speeds: ", "2 passed, 0 failed, 0 skipped"};
    need_gl();
    write_file("ref.c", REFERENCE);
    write_file(
        "same.frag",
        "//@ check ref.c\nfloat kernel(vec2 here)\n{\n    return 0.5 * x_at(0.0, 0.0);\n}\n");
    expect("quadpass bench same.frag -n 40 --iterations 3 --repeats 2 --backend cpu --backend gl "
           "--json "
           "r.json && grep backend r.json",
           0, "40 x 40 cells, 3 steps a run\n");
    must_print(said, COUNT(said));
    expect(NO_DEVICES "quadpass check same.frag --fixed -n 7x5 --backend cuda,cpu", 0,
           "same/cuda ");
    must_print((const char *const[]){"skip", "1 passed, 0 failed, 1 skipped"}, 2);
    expect(NO_DEVICES "quadpass check same.frag --fixed -n 7x5 --backend cuda,gl", 3,
           "\n0 passed, 0 failed, 2 skipped\n"); /* nothing was judged */
    expect(NO_DEVICES "quadpass bench same.frag -n 7x5 --backend cuda", 3, "1 skipped");
    expect("quadpass bench same.frag -n 7 --iterations 1 --repeats 1 --backend cpu,compute", 0,
           "same/compute pass");
    expect("quadpass run same.frag --input x=ones -n 7x5 --steps 3 --reduce sum --check --backend "
           "cpu", /* a run begins anew after its judge's walks */
           0, "4.375");
    write_file(
        "wrong.frag",
        "//@ check ref.c\nfloat kernel(vec2 here)\n{\n    return 1.5 * x_at(0.0, 0.0);\n}\n");
    expect("quadpass check wrong.frag --fixed -n 7x5 --backend cpu", 1, "off by");
}

/* The sizes of a program's check have two of its tiles and a rest: a column that both leave out is
 * found. */
TEST(tiles_meet)
{
    write_file("ref.c", REFERENCE);
    write_file(
        "same.frag",
        "//@ check ref.c\nfloat kernel(vec2 here)\n{\n    return 0.5 * x_at(0.0, 0.0);\n}\n");
    expect("quadpass check same.frag --fixed --backend cpu", 0, "pass   42 cases");
    expect("mkdir -p wrong/c && sed 's/strip.begin = strip.end)/strip.begin = strip.end + "
           "1)/' " QP_SOURCE_DIR
           "/templates/c/steps.c >wrong/c/steps.c && ! cmp -s wrong/c/steps.c " QP_SOURCE_DIR
           "/templates/c/steps.c && QUADPASS_TEMPLATE_DIR=wrong quadpass check "
           "same.frag --fixed --backend cpu",
           1, "at 8205x9, ");
}

GROUP(enter_folder, remove_folder)
