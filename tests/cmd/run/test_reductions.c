/* SPDX-License-Identifier: MIT */
/* Reductions of `run` beside loops in double, and grids above the limit of textures. */
/* wrap: qp_clock */
#include "support/fake_runs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "support/shell.h"
#include "toolkit/base/values.h"
#include "tools/cmd/cmd.h"
#include "tools/cmd/output/grid.h"

static int go_to_folder(void **state)
{
    if (make_folder(state) != 0 || chdir(folder) != 0)
        return -1;
    write_file("whole.frag", "#version 120\n"
                             "#extension GL_ARB_texture_rectangle : require\n"
                             "uniform sampler2DRect x;\n"
                             "void main() { gl_FragColor = texture2DRect(x, gl_FragCoord.xy); }\n");
    write_file("turn.frag", "vec4 kernel(vec2 here) { return x_at(0, 0).yzwx; }\n");
    return 0;
}

/* Reductions of the file's values by a loop in double. */
static void sum_up(const char *path, double wanted[REDUCTIONS])
{
    struct qp_matrix m;
    int channels;
    assert_int_equal(grid_read(path, &m, &channels), QP_OK);
    const int count = m.width * m.height;
    double sum = 0.0, magnitudes = 0.0, squares = 0.0, low = INFINITY, high = -INFINITY;
    for (int i = 0; i < count; i++) {
        const double value = qp_matrix_value(&m, (size_t)i);
        sum += value, magnitudes += fabs(value), squares += value * value;
        low = fmin(low, value), high = fmax(high, value);
    }
    qp_matrix_destroy(&m);
    wanted[REDUCE_SUM] = sum, wanted[REDUCE_MEAN] = sum / count;
    wanted[REDUCE_MIN] = low, wanted[REDUCE_MAX] = high;
    wanted[REDUCE_NORM1] = magnitudes, wanted[REDUCE_NORM2] = sqrt(squares);
    wanted[REDUCE_LARGEST] = fmax(-low, high);
}

/* `allowed` is a part of the result, or of the sum of magnitudes. */
static void compare_reductions(const char *size, double allowed)
{
    char line[160];
    double wanted[REDUCTIONS], got;
    snprintf(line, sizeof line, "run three.frag --size %s -o v.npy", size);
    fake_command(command_run, line);
    sum_up("v.npy", wanted);
    for (enum reduction what = REDUCE_SUM; what < REDUCTIONS; what++) {
        snprintf(line, sizeof line, "run three.frag --size %s --reduce %s", size,
                 options_reduction(what));
        assert_int_equal(sscanf(fake_command(command_run, line), "%lf", &got), 1);
        assert_float_equal(got, wanted[what], allowed * fabs(wanted[what]));
    }
}

/* Reductions of all channels and types, to nine digits. */
TEST(reductions)
{
    static const char *const kernels[] = {
        "float kernel(vec2 here) { return 3.0 * x_at(0, 0) - 2.0; }\n",
        "vec4 kernel(vec2 here) { return 3.0 * x_at(0, 0) - 2.0; }\n",
        "int kernel(vec2 here) { return 3 * x_at(0, 0) - 20; }\n",
        "uvec2 kernel(vec2 here) { return 3u * x_at(0, 0); }\n",
        "double kernel(vec2 here) { return 3.0lf * x_at(0, 0) - 2.0lf; }\n"};
    need_gl();
    for (int k = 0; k < COUNT(kernels); k++) {
        write_file("three.frag", kernels[k]);
        compare_reductions("37x19", 1e-8);
    }
}

#define INFINITE "1.0 / (x_at(0.0, 0.0) - 1.0)"

/* Values whose squares and sums leave their type's range, infinities and NaN: the same numbers on
 * all backends. */
TEST(ranges_and_infinities)
{
    static const struct {
        const char *type, *value, *reduction, *printed, *text;
    } cases[] = {{"float", "3e-20", "norm2", "5.99999981e-20\n", NULL},
                 {"float", "3e-20 * (x - 2.5)", "sum", "0\n", NULL},
                 {"float", "1e25", "norm2", "1.99999991e+25\n", NULL},
                 {"double", "5e200", "norm2", "1e+201\n", NULL},
                 {"double", "5e-200", "norm2", "1e-199\n", NULL},
                 {"float", "1e38", "sum", "3.99999987e+38\n", NULL},
                 {"float", "1e38", "mean", "9.99999968e+37\n", NULL},
                 {"double", "1e308", "mean", "1e+308\n", NULL},
                 {"double", "1e308", "sum", "inf\n", NULL},
                 {"float", "1", "sum", "inf\n", "here.x > 0.0 ? 1.0 : " INFINITE},
                 {"float", "1", "mean", "-inf\n", "here.x > 0.0 ? 1.0 : -" INFINITE},
                 {"float", "1", "norm1", "inf\n", "here.x > 0.0 ? 1.0 : -" INFINITE},
                 {"float", "1", "norm2", "inf\n", "here.x > 0.0 ? 1.0 : -" INFINITE},
                 {"double", "1", "norm2", "inf\n", "here.x > 0.0 ? 1.0LF : -" INFINITE},
                 {"float", "1", "sum", "nan\n", "here.x > 0.0 ? -" INFINITE " : " INFINITE},
                 {"float", "1", "norm2", "inf\n", "here.x > 0.0 ? -" INFINITE " : " INFINITE}};
    static const char *const backends[] = {"gl", "cpu"};
    need_gl();
    for (int k = 0; k < 2 * COUNT(cases); k++) {
        char line[256];
        snprintf(line, sizeof line, "//@ input x=(%s)\n%s kernel(vec2 here) { return %s; }\n",
                 cases[k / 2].value, cases[k / 2].type,
                 cases[k / 2].text != NULL ? cases[k / 2].text : "x_at(0.0, 0.0)");
        write_file("value.frag", line);
        snprintf(line, sizeof line, "run value.frag --size 4x1 --reduce %s --backend %s",
                 cases[k / 2].reduction, backends[k % 2]);
        const char *text = fake_command(command_run, line);
        if (strncmp(text, cases[k / 2].printed, strlen(cases[k / 2].printed)) != 0)
            fail_msg("%s of %s: %s", line, cases[k / 2].value, text);
    }
}

/* A grid above the limit of textures: sums are trees of floats there, 4 L + 1 = 33 roundings high
 * (reduce.h), of terms whose magnitudes add up to less than three times the sum. */
TEST(large_grids)
{
    need_gl();
    write_file("three.frag", "float kernel(vec2 here) { return 3.0 * x_at(0, 0) - 2.0; }\n");
    compare_reductions("40000x2", 3.0 * 33.0 * 0x1p-24);
    const char *text = fake_command(command_run, "run turn.frag --size 40000x2 --reduce sum");
    assert_non_null(strstr(text, "--reduce of 4 values a cell takes sizes up to this device's"));
    fake_command(command_run, "run turn.frag --size 40000x2 -o turned.npy");
    assert_true(exists("turned.npy"));
    write_file("loop.frag", "float kernel(vec2 here) {\n    float sum = 0.0;\n"
                            "    for (int i = -1; i <= 1; i++)\n        sum += x_at(i, 0);\n"
                            "    return sum;\n}\n");
    double sum = 0.0;
    text = fake_command(command_run, "run loop.frag --size 40000x2 --input x=ones --reduce sum");
    assert_int_equal(sscanf(text, "%lf", &sum), 1);
    assert_true(sum == 3.0 * 80000 - 4.0);
    write_file("far.frag", "float kernel(vec2 here) {\n    return x_at(2.0 * here.y, 0);\n}\n");
    text = fake_command(command_run, "run far.frag --size 40000x2");
    assert_non_null(
        strstr(text, "far.frag:2: the offset 2.0 * here.y of x_at is computed; in grids"));
    text = fake_command(command_run, "run far.frag --size 4x2 --input x=ones --reduce sum");
    assert_non_null(strstr(text, "6\n"));
    text = fake_command(command_run, "run whole.frag --size 40000x2");
    assert_non_null(strstr(text, "'x' has 40000 x 2 cells, above this device's rectangle_limit"));
}

/* The limit itself is one texture, each way. */
TEST(largest_textures)
{
    char line[128];
    int limit;
    need_gl();
    const char *text = fake_command(command_run, "info --json -");
    assert_non_null(text = strstr(text, "\"rectangle_limit\":"));
    assert_int_equal(sscanf(text, "\"rectangle_limit\": %d", &limit), 1);
    for (int way = 0; way < 2; way++) {
        snprintf(line, sizeof line, "run turn.frag --input x=ones --size %dx%d --reduce sum",
                 way ? limit : 1, way ? 1 : limit);
        double sum = 0.0;
        assert_int_equal(sscanf(fake_command(command_run, line), "%lf", &sum), 1);
        assert_true(sum == 4.0 * limit);
    }
}

/* A NaN in one channel alone is the answer. */
TEST(reductions_of_no_number)
{
    need_gl();
    write_file("odd.frag", "vec4 kernel(vec2 here) {\n"
                           "    float zero = x_at(0, 0).x - x_at(0, 0).x;\n"
                           "    return vec4(1.0, here.x > 1.0 ? zero / zero : 2.0, 1.0, 1.0);\n"
                           "}\n");
    for (enum reduction what = REDUCE_SUM; what < REDUCTIONS; what++) {
        char line[160];
        snprintf(line, sizeof line, "run odd.frag --size 3 --reduce %s", options_reduction(what));
        assert_string_equal(fake_command(command_run, line),
                            "nan\nquadpass: 3 of 36 values are NaN or infinite, the first after "
                            "step 1 at cell (2, 0)\n= 0\n");
    }
}

GROUP(go_to_folder, remove_folder)
