/* SPDX-License-Identifier: MIT */
/* The command run to the letter: what it prints and writes, and what it refuses, with values that
 * float holds exactly. No time passes. */
/* wrap: qp_clock */
#include "support/fake_runs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/shell.h"
#include "tools/cmd/cmd.h"
#include "tools/cmd/output/grid.h"

/* Half of a cell and a quarter of either neighbour. */
static const char blur[] = "// three lines, and a comment with main()\n"
                           "float kernel(vec2 here) {\n"
                           "    return 0.5 * x_at(0, 0) + 0.25 * (x_at(-1, 0) + x_at(1, 0));\n"
                           "}\n";

/* The same as a whole shader. */
static const char whole[] = "#version 120\n"
                            "#extension GL_ARB_texture_rectangle : require\n"
                            "uniform sampler2DRect x;\n"
                            "void main() {\n"
                            "    vec2 here = gl_FragCoord.xy, right = vec2(1.0, 0.0);\n"
                            "    gl_FragColor = vec4(0.5 * texture2DRect(x, here).x +\n"
                            "        0.25 * (texture2DRect(x, here - right).x +\n"
                            "                texture2DRect(x, here + right).x));\n"
                            "}\n";

/* Numbers of all types and their order; the size. */
static const char numbers[] =
    "#version 120\n"
    "#extension GL_ARB_texture_rectangle : require\n"
    "uniform sampler2DRect x;\n"
    "uniform vec2 size;\n"
    "uniform float a, list[3];\nuniform int n;\nuniform vec2 b;\nuniform vec4 c;\n"
    "void main() {\n"
    "    gl_FragColor = vec4(a + 10.0 * float(n) + 100.0 * (b.x - b.y) + 1000.0 * c.w +\n"
    "        10000.0 * list[2] + 100000.0 * size.x + 0.0 * texture2DRect(x, vec2(0.5)).x);\n"
    "}\n";

#define REFERENCE                                                                  \
    "void reference(int width, int height, const float *const *input,\n"           \
    "               const double *numbers, const double *before, double *after)\n" \
    "{ for (int i = 0; i < width * height; i++)\n    after[i] = "

static const char add[] = "uniform_free // nothing\n";

static int go_to_folder(void **state)
{
    if (make_folder(state) != 0 || chdir(folder) != 0)
        return -1;
    write_file("blur.frag", blur);
    write_file("whole.frag", whole);
    write_file("numbers.frag", numbers);
    write_file("add.frag", "float kernel(vec2 here) { return x_at(0, 0) + a * b_at(0, 0); }\n");
    write_file("eight.frag",
               "float kernel(vec2 here) { return x_at(0, 0) + a_at(0, 0) + b_at(0, 0) + "
               "c_at(0, 0) +\n    d_at(0, 0) + e_at(0, 0) + f_at(0, 0) + g_at(0, 0); }\n");
    write_file("half.frag", "float kernel(vec2 here) { return 0.25 * (b_cell(2.0 * here) +\n"
                            "    b_cell(2.0 * here + vec2(1.0, 0.0)) + b_cell(2.0 * here + "
                            "vec2(0.0, 1.0)) +\n    b_cell(2.0 * here + vec2(1.0))); }\n");
    write_file(
        "turn.frag",
        "vec4 kernel(vec2 here) { vec4 v = x_at(0, 0); return v.yzwx + vec4(1, 0, 0, 0); }\n");
    write_file("nan.frag",
               "float kernel(vec2 here) { return here.x < 1.0 ? 0.0 : x_at(0, 0) < 2.0\n"
               "    ? (x_at(0, 0) - x_at(0, 0)) / (x_at(0, 0) - x_at(0, 0)) : 1.0; }\n");
    write_file("grow.frag", "float kernel(vec2 here) { return here.x == 2.0 && here.y == 1.0 ? 4.0 "
                            "* x_at(0, 0) : 1.0; }\n");
    write_file("pair.frag",
               "vec2 kernel(vec2 here) { return vec2(here.x / 3.0, 0.5) + 0.0 * x_at(0, 0); }\n");
    write_file("same.frag", "float kernel(vec2 here) { return x_at(0, 0); }\n");
    write_file("two.frag", "vec2 kernel(vec2 here) { return 2.0 * x_at(0, 0); }\n");
    write_file("all.frag", "float kernel(vec2 here) { return (x_at(0, 0) + 3.0) * 3e38; }\n");
    assert_ok(grid_write(
        "inf.npy",
        &(struct qp_matrix){.width = 3, .height = 2, .values = (float[]){1, 1, 1, 1, 1, INFINITY}},
        1, NULL, NULL));
    assert_ok(grid_write("far.npy",
                         &(struct qp_matrix){.width = 3,
                                             .height = 2,
                                             .precision = QP_DOUBLES,
                                             .doubles = (double[]){0, 0, 0, 0, 1e39, 0}},
                         1, NULL, NULL));
    write_file("none.frag", add);
    write_file("wrong.frag", "float kernel(vec2 here) {\n    return x_at(0, 0) + rat;\n}\n");
    write_file("nul.frag", "float kernel(vec2 here) { return x_at(0, 0); }\n");
    if (truncate("nul.frag", 100) != 0) /* which fills it up with NUL */
        return -1;
    write_file("void.frag", "void kernel(vec2 here) { out0 = 1.0; }\n");
    write_file("row.mtx", "%%MatrixMarket matrix array real general\n1 4\n0\n4\n0\n8\n");
    write_file("sparse.mtx", "%%MatrixMarket matrix coordinate real general\n2 4 1\n2 1 16\n");
    return 0;
}

static void append(const char *line)
{
    fake_append(command_run, line);
}

/* Lines, numbers, files and what is said of them. */
TEST(outcomes)
{
    static const char *const lines[] = {
        "run blur.frag --input x=impulse --size 9x3",
        "run blur.frag --input x=row.mtx -o -",
        "run whole.frag --input x=row.mtx -o -",
        "run blur.frag --input x=row.mtx --outside 8 -o -",
        "run blur.frag --input x=row.mtx --outside clamp -o -",
        "run blur.frag --input x=row.mtx --outside wrap --steps 2 -o -",
        "run blur.frag --input x=impulse --size 9x3 --steps 4 --reduce max",
        "run blur.frag --input x=impulse --size 9x3 --steps 5 --every 2 --reduce max",
        "run blur.frag --input x=impulse --size 9x3 --steps 4 --every 2 --reduce sum",
        "run add.frag --input x=gradient --input b=sparse.mtx --set a=0.5 -o -",
        "run add.frag --input b=row.mtx --input x=ones --set a=-2 --reduce min",
        "run half.frag --input b=row.mtx --input x=zeros --size 2x1 --reduce mean",
        "run eight.frag --input x=ones --input a=ones --input b=ones --input c=ones --input d=ones "
        "--input e=ones --input f=ones --input g=ones --size 3x1 --reduce max",
        "run add.frag --input x=row.mtx --input b=row.mtx --set a=-3 --reduce norm1",
        "run add.frag --input x=row.mtx --input b=row.mtx --set a=-3 --reduce norm2",
        "run add.frag --input x=row.mtx --input b=row.mtx --set a=-3 --reduce largest",
        "run numbers.frag --size 2x3 --set a=1 --set n=2 --set b=7,4 --set c=0,0,0,4 "
        "--set list=0,0,5 --reduce max",
        "run numbers.frag --size 2x3 --set a=1 --set n=2.9 --set b=7,4 --set c=0,0,0,4 "
        "--set list=0,0,-5 --reduce max",
        "run turn.frag --input x=zeros --size 2x1 --steps 3 --reduce sum",
        "run turn.frag --input x=zeros --size 2x1 --steps 3 -o four.npy",
        "run turn.frag --input x=four.npy --steps 1 -o four.npy2",
        "run turn.frag --input x=four.npy --steps 1 -o four.png",
        "run two.frag --input x=ones --size 2x1 -o pairs.npy",
        "run two.frag --input x=pairs.npy --steps 2 --reduce sum",
        "run nan.frag --size 3 --reduce max",
        "run nan.frag --size 3",
        "run nan.frag --size 3 --steps 2",
        "run grow.frag --input x=ones --size 4x2 --steps 63",
        "run grow.frag --input x=ones --size 4x2 --steps 64",
        "run grow.frag --input x=ones --size 4x2 --steps 187 -o grown.png",
        "run grow.frag --input x=inf.npy --steps 9 --every 9 --reduce max",
        "run all.frag --size 2 --steps 3",
        "run blur.frag --input x=ones --outside 1 --reduce sum", /* the default size */
        "run same.frag --input x=impulse --size 4x2 -o -",
        "run pair.frag --input x=zeros --size 4x1 -o first.png",
        "run same.frag --input x=first.png -o -",
        "run pair.frag --input x=zeros --size 4x1 --every 1 --frames first --reduce max",
        "run same.frag --input x=first/000001.png -o -",
        "run two.frag --input x=ones --size 3 --reduce sum -o two.png",
        "run blur.frag --input x=row.mtx -o grey.png",
        "run blur.frag --input x=grey.png --reduce max",
        "run blur.frag --input x=row.mtx --reduce sum -o sum.mtx",
    };
    need_gl();
    for (int i = 0; i < COUNT(lines); i++)
        append(lines[i]);
    fake_compare_all("run");
}

/* Norms are of all values, of several channels too. */
TEST(norms_of_channels)
{
    need_gl();
    write_file("ones.frag", "vec4 kernel(vec2 here) { return vec4(1.0); }\n");
    assert_non_null(strstr(fake_command(command_run, "run ones.frag --size 2x1 --reduce norm2"),
                           "2.82842712\n"));
    assert_non_null(
        strstr(fake_command(command_run, "run ones.frag --size 2x1 --reduce norm1"), "8\n= 0\n"));
}

/* Faults before or instead of a run; no file is left. */
TEST(refusals)
{
    static const char *const lines[] = {
        "run",
        "run nowhere.frag -o x.mtx",
        "run none.frag -o x.mtx",
        "run void.frag -o x.mtx",
        "run blur.frag -o x.jpg",
        "run blur.frag -o x.mtx --input x=nowhere.mtx",
        "run blur.frag -o x.mtx --input x=row.mtx --size 3x1",
        "run blur.frag -o x.mtx --input x=row.mtx --size 4x3",
        "run blur.frag -o x.mtx --input b=ones",
        "run blur.frag -o x.mtx --set a=1",
        "run wrong.frag -o x.mtx --set rate=1",
        "run nul.frag -o x.mtx",
        "run numbers.frag -o x.mtx --set size=7,0",
        "run numbers.frag -o x.mtx --set a=1 --set n=1 --set b=1,2 --set list=1,2,3",
        "run numbers.frag -o x.mtx --set a=1,2 --set n=1 --set b=1,2 --set list=1,2,3",
        "run numbers.frag -o x.mtx --set a=1 --set n=1,2 --set b=1,2 --set list=1,2,3",
        "run numbers.frag -o x.mtx --set a=1 --set n=1 --set b=1 --set list=1,2,3",
        "run add.frag -o x.mtx --set a=3",
        "run add.frag -o x.mtx --set a=3 --set b=2",
        "run turn.frag --size 4 -o x.mtx",
        "run two.frag --size 4 -o x.mtx",
        "run blur.frag --input x=far.npy -o x.mtx",
        "run turn.frag -o x.npy --input x=row.mtx",
        "run blur.frag --size 2 --every 1 --frames nowhere/there",
        "run blur.frag --size 2 --every 1 --frames row.mtx",
        "run add.frag --input a=1.npy --input b=ones --input c=ones --input d=ones --input e=ones "
        "--input f=ones --input g=ones --input h=ones",
    };
    need_gl();
    for (int i = 0; i < COUNT(lines); i++)
        append(lines[i]);
    fake_compare_all("run_refused");
    const char *text = fake_command(command_run, "run blur.frag -o x.mtx --size 2147483647");
    assert_non_null(
        strstr(text, "x: 2147483647 x 2147483647 cells of 1 value are more than the 2^28 "));
    assert_non_null(strstr(text, "= 2\n"));
    assert_non_null(strstr(fake_command(command_run, "run blur.frag -o x.mtx --size 16385x16384"),
                           "x: 16385 x 16384 cells of 1 value are more than the 2^28 "));
    assert_false(exists("x.mtx") || exists("x.npy") || exists("x.jpg") || exists("nowhere"));
}

/* A driver's words differ, the words around them do not. */
TEST(shaders_that_are_wrong)
{
    char line[256];
    need_gl();
    snprintf(line, sizeof line, "cd %s && quadpass run wrong.frag --size 4", folder);
    expect(line, 2, "wrong.frag");
    assert_non_null(strstr(output, "rat"));
    snprintf(line, sizeof line, "cd %s && quadpass run add.frag --size 4 --input b=ones", folder);
    expect(line, 2, "(numbers are given by --set NAME=VALUE, arrays by --input NAME=FILE)");
    snprintf(line, sizeof line, "cd %s && quadpass run numbers.frag --size 4 --set a=1", folder);
    expect(line, 2, "numbers.frag");
}

/* Frames are x itself, from the start on. */
TEST(frames)
{
    static const double wanted[] = {1.0, 0.375, 0.2734375};
    static const char *const others[] = {"-o", "--json", "--csv", "--check", "--picture"},
                             *const no_frames[] = {"there/00000.png", "there/000000.npy",
                                                   "000000.png"};
    need_gl();
    fake_command(command_run, "run blur.frag --input x=impulse --size 9x3 --steps 5 --every 2 "
                              "--frames there");
    for (int k = 0; k < COUNT(wanted); k++) {
        char path[64];
        struct qp_matrix matrix;
        int channels;
        snprintf(path, sizeof path, "there/%06d.png", k);
        assert_int_equal(grid_read(path, &matrix, &channels), QP_OK);
        assert_true(matrix.width == 9 && matrix.height == 3 && channels == 1);
        assert_float_equal(matrix.values[9 + 4], wanted[k], 0x1p-16);
        assert_float_equal(matrix.values[4], 0.0, 0.0);
        qp_matrix_destroy(&matrix);
    }
    assert_true(exists("there/000000.png") && !exists("there/000003.png"));
    for (int i = 0; i < COUNT(others); i++) {
        char line[160], words[64];
        snprintf(line, sizeof line,
                 "run blur.frag --size 9x3 --every 1 --frames there %s%sthere/000007.png",
                 others[i], i == 3 ? "=" : " "); /* without = it takes names that end in .c */
        snprintf(words, sizeof words, "would write over %s there/000007.png", others[i]);
        assert_non_null(strstr(fake_command(command_run, line), words));
    }
    for (int i = 0; i < COUNT(no_frames); i++) {
        char line[160];
        snprintf(line, sizeof line,
                 "run blur.frag --size 9x3 --every 1 --frames there --reduce max -o %s",
                 no_frames[i]);
        assert_non_null(strstr(fake_command(command_run, line), "= 0\n"));
        assert_true(exists(no_frames[i]));
    }
    const char *text = fake_command(command_run, "run there/000001.png --every 1 --frames there");
    assert_non_null(strstr(text, "would write over the shader there/000001.png"));
    text = fake_command(
        command_run, "run add.frag --set a=1 --input b=ones --input x=there/000001.png --every 1 "
                     "--frames ./there/");
    assert_non_null(strstr(text, "would write over --input there/000001.png"));
}

/* A seed makes the same values again, another one others; arrays of one seed differ. */
TEST(random_values)
{
    need_gl();
    write_file("same.frag", "float kernel(vec2 here) { return x_at(0, 0); }\n");
    write_file("less.frag", "float kernel(vec2 here) { return abs(x_at(0, 0) - b_at(0, 0)); }\n");
    fake_command(command_run, "run same.frag -n 33 -o one.npy");
    fake_command(command_run, "run same.frag -n 33 --seed 1 -o again.npy");
    fake_command(command_run, "run same.frag -n 33 --seed 2 -o two.npy");
    assert_int_equal(shell("cmp one.npy again.npy"), 0);
    assert_int_equal(shell("cmp -s one.npy two.npy"), 1);
    double least, most, apart;
    assert_int_equal(sscanf(fake_command(command_run, "run same.frag --reduce min"), "%lf", &least),
                     1);
    assert_int_equal(sscanf(fake_command(command_run, "run same.frag --reduce max"), "%lf", &most),
                     1);
    assert_true(least >= 0.0 && least < 0.001 && most > 0.999 && most < 1.0);
    const char *text = fake_command(command_run, "run less.frag --input b=random --reduce mean");
    assert_int_equal(sscanf(text, "%lf", &apart), 1);
    assert_float_equal(apart, 1.0 / 3.0, 0.01);
}

/* Runs, and keeps the record's values, or its keys. */
static const char *record_of(const char *line, double tick, bool keys)
{
    static char text[2048];
    char words[256];
    snprintf(words, sizeof words, "%s --csv r.csv", line);
    fake.tick = tick;
    fake_command(command_run, words);
    FILE *file = fopen("r.csv", "r");
    assert_non_null(file);
    for (int k = 0; k < (keys ? 1 : 2); k++)
        assert_non_null(fgets(text, sizeof text, file));
    fclose(file);
    return text;
}

/* Each member of the record, in runs without and with a reduction, a reference, and values that are
 * no numbers. */
TEST(records)
{
    static const char keys[] = "shader,width,height,channels,iterations,seconds,min,max,mean,"
                               "reduce,reduced,error,tolerance,verdict,reason,";
    static const char *const runs[][2] = {
        {"run blur.frag --input x=row.mtx --steps 2 --reduce sum",
         "blur.frag,4,1,1,2,0,1,3,2.1875,sum,8.75,,,,,"},
        {"run two.frag --input x=pairs2.npy --steps 3", "two.frag,1,2,2,3,0,16,16,16,,,,,,,"},
        {"run nan.frag --size 3 --reduce max", "nan.frag,3,3,1,1,0,,,,max,,,,,,"},
        {"run same.frag --input x=row.mtx --steps 2 --check same.c",
         "same.frag,4,1,1,2,0,0,8,3,,,0,1.9073486328125e-06,pass,,"},
        {"run same.frag --input x=row.mtx --check more.c --tolerance 0.125",
         "same.frag,4,1,1,1,0,0,8,3,,,0.125,0.125,pass,,"},
        {"run same.frag --input x=row.mtx --check more.c",
         "same.frag,4,1,1,1,0,0,8,3,,,0.125,9.5367431640625e-07,fail,\"cell (3, 0) after step 1 is "
         "8 and should be 7: off by 0.12 where 9.5e-07 is rounding\","}};
    need_gl();
    write_file("same.c", REFERENCE "before[i]; }\n");
    write_file("more.c", REFERENCE "before[i] - (i == 3); }\n");
    fake_command(command_run, "run two.frag --input x=ones --size 1x2 -o pairs2.npy");
    assert_memory_equal(record_of(runs[0][0], 0.0, true), keys, sizeof keys - 1);
    for (int i = 0; i < COUNT(runs); i++) {
        const char *text = record_of(runs[i][0], 0.0, false);
        if (strncmp(text, runs[i][1], strlen(runs[i][1])) != 0)
            fail_msg("%s: %s", runs[i][0], text);
    }
    const char *text = fake_command(command_run, "run blur.frag --size 3 --csv /dev/full");
    assert_non_null(strstr(text, "No space left"));
    assert_non_null(strstr(text, "= 2\n"));
}

static double seconds_of(const char *line)
{
    const char *text = record_of(line, 0x1p-20, false);
    for (int k = 0; k < 5; k++)
        text = strchr(text, ',') + 1;
    return strtod(text, NULL);
}

/* Seconds are those of all steps, eight times as many for eight pairs as for one, and of steps
 * alone. The device, when it is waited for long, looks at the clock as well, so factors are not
 * exact. */
TEST(seconds_of_steps)
{
    need_gl();
    const double pair = seconds_of("run blur.frag --size 9x3 --steps 2 --reduce max"),
                 all = seconds_of("run blur.frag --size 9x3 --steps 16 --every 2 --reduce max"),
                 read = seconds_of("run blur.frag --size 9x3 --steps 2 --reduce max -o x.npy");
    assert_true(pair > 0.0 && read > 0.0 && read < 2.0 * pair);
    assert_true(all > 4.0 * pair && all < 16.0 * pair);
}

GROUP(go_to_folder, remove_folder)
