/* SPDX-License-Identifier: MIT */
/* Numbers of each operation: costs, tolerances, and sizes and steps of checks and benchmarks. */
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lab/ops/table.h"
#include "lab/plan/half.h"
#include "lab/plan/problem.h"

/* Bytes and operations of an update, of all variants: at least `rows` variants have these. */
TEST(rows_say_what_they_cost)
{
    static const struct {
        const char *op;
        double bytes, flops;
        int rows;
    } wanted[] = {{"access", 16, 0, 1},
                  {"access", 2048, 0, 2},
                  {"access", 256, 0, 3},
                  {"access", 4, 0, 2},
                  {"access", 8, 0, 12},
                  {"access", 8, 1, 2},
                  {"access", 8, 64, 8},
                  {"gauss_jordan", 8.0 / (3 * 56), 0, 1}, /* blocks of 56 columns, and of 32 */
                  {"gauss_jordan", 8.0 / (3 * 32), 0, 1},
                  {"gauss_jordan", 8.0 / 3, 0, 6},
                  {"gauss_jordan", 4, 0, 6},
                  {"gauss_jordan", 8, 0, 25},
                  {"gauss_jordan_batch", 4, 0, 9},
                  {"gauss_jordan_batch", 8, 0, 2},
                  {"jacobi9", 24, 36, 2},
                  {"jacobi9", 32, 30, 1},
                  {"jacobi9", 32, 36, 2},
                  {"jacobi9", 44, 20, 11},
                  {"jacobi9", 48, 20, 6},
                  {"jacobi9", 48, 33, 4},
                  {"jacobi9", 48, 36, 14},
                  {"jacobi9", 48, 37, 1},
                  {"jacobi9", 52, 20, 6},
                  {"jacobi9", 52, 30, 1},
                  {"jacobi9", 56, 20, 2},
                  {"jacobi9", 56, 30, 4},
                  {"jacobi9", 96, 33, 1},
                  {"poisson5", 12, 5, 59},
                  {"poisson5", 16, 5, 1},
                  {"poisson5", 24, 5, 25},
                  {"poisson5", 8, 5, 12},
                  {"poisson5_batch", 12, 5, 5},
                  {"poisson5_batch", 16, 5, 1},
                  {"reduce", 4, 1, 19},
                  {"transfer", 8, 0, 17},
                  {"spmv", 8, 2, 7},
                  {"transpose", 8, 0, 23}};
    for (int k = 0; k < COUNT(wanted); k++) {
        int rows = 0;
        for (size_t i = 0; i < qp_variant_count(); i++) {
            const struct qp_cost cost = qp_variant_cost(qp_variant_at(i));
            rows += strcmp(qp_variant_at(i)->op, wanted[k].op) == 0 &&
                    fabs(cost.bytes - wanted[k].bytes) < 1e-12 && cost.flops == wanted[k].flops;
        }
        if (rows < wanted[k].rows)
            fail_msg("only %d rows of %s with %g bytes, %g operations, not %d", rows, wanted[k].op,
                     wanted[k].bytes, wanted[k].flops, wanted[k].rows);
    }
}

/* Sizes and steps of a check and sizes of a benchmark, in order. */
TEST(trials_have_these_sizes)
{
    static const char usual[] = "1x1 1x7 7x1 3x3 13x11 30x30 64x64 65x9 17x5 128x130 2048x3 ";
    static const struct {
        const char *op, *sizes, *steps, *benched;
    } wanted[] = {
        {"jacobi9", usual, "1 2 7 ", "256x256 512x512 1024x1024 2048x2048 "},
        {"reduce", usual, "1 2 7 ", "256x256 512x512 1024x1024 2048x2048 "},
        {"gauss_jordan", "1x1 2x2 4x3 7x5 13x13 17x11 30x30 64x64 67x65 128x96 ", "1 2 ",
         "128x128 256x256 512x512 "},
        {"gauss_jordan_batch", "1x1 2x3 3x1009 4x64 7x17 12x1 12x100 13x21 33x5 64x3 ", "1 2 ",
         "12x1000 12x10000 12x100000 "},
        {"transfer", usual, "1 2 7 ", "256x16 1024x256 4096x1024 8192x4096 "},
        {"access", "1x1 1x7 7x1 13x11 1023x1 1025x1 64x33 ", "1 3 ", "1024x1024 4096x4096 "},
        {"transpose", usual, "1 2 7 ", "256x256 512x512 1024x1024 2048x2048 "},
        {"spmv", "1x1 1x7 7x1 3x3 13x11 30x30 64x64 65x9 128x130 2048x3 ", "1 2 ",
         "128x128 256x256 512x512 768x768 "},
        {"poisson5", usual, "1 2 7 8 19 ", "512x512 1024x1024 2048x2048 "},
        {"poisson5_batch",
         "1x1 1x37 2x3 3x101 7x5 8x9 9x4 16x3 17x2 31x3 32x5 33x3 63x2 64x7 65x2 ", "1 2 7 100 ",
         "16x1000 32x1000 64x1000 "},
        {"multigrid",
         "1x1 1x7 7x1 2x2 3x3 4x5 6x7 5x40 13x11 17x31 31x17 64x64 65x65 66x66 63x34 2x257 "
         "300x100 ",
         "1 2 5 ", "257x257 511x511 1023x1023 "}};
    for (int k = 0; k < COUNT(wanted); k++) {
        const struct qp_runs *runs = qp_op_find(wanted[k].op)->runs;
        char text[3][400] = {"", "", ""};
        for (const struct qp_size *size = runs->sizes; size->width != 0; size++)
            sprintf(text[0] + strlen(text[0]), "%dx%d ", size->width, size->height);
        for (const int *step = runs->steps; *step != 0; step++)
            sprintf(text[1] + strlen(text[1]), "%d ", *step);
        for (const struct qp_size *size = runs->bench_sizes; size->width != 0; size++)
            sprintf(text[2] + strlen(text[2]), "%dx%d ", size->width, size->height);
        assert_string_equal(text[0], wanted[k].sizes);
        assert_string_equal(text[1], wanted[k].steps);
        assert_string_equal(text[2], wanted[k].benched);
        const bool many = strstr(wanted[k].op, "_batch") != NULL, dense = wanted[k].op[0] == 'g';
        assert_true(runs->whole_systems == (many || dense) &&
                    runs->counts_systems == (many && dense));
    }
}

/* After each kind: whether checks leave it out, benchmarks take it, it bounds others, accuracy
 * follows it, later steps repeat the first; arrays that it reads unless all, and its only width. */
TEST(kinds_say_what_they_are_for)
{
    static const struct {
        const char *op, *kinds;
    } wanted[] = {
        {"jacobi9",
         "random+followed wraps symmetric bidomain+benched+followed+solved diagonal+followed "},
        {"reduce", "sum+settles+1 squares+settles+1 dot+settles+2 max+settles+1 index+settles+1 "},
        {"gauss_jordan", "dominant inverse exact+benched general orthogonal ill permuted "
                         "hilbert+unchecked+solved wilkinson+unchecked "},
        {"gauss_jordan_batch", "dominant general kinetics+unchecked+benched+w12 "},
        {"transfer", "round+settles up+settles down+settles overlap+settles "},
        {"access", "offset+none stride+none columns+none permuted+none idle+settles+none gather+2 "
                   "occupancy+settles+none chase+settles+1 banks+none multicast+none pairs+none "
                   "divergent+none convergent+none division+none modulo+none multiply+none "
                   "unrolling+none local+none sin+settles+1 cos+settles+1 sincos+settles+1 "
                   "exp+settles+1 log+settles+1 rsqrt+settles+1 reciprocal+settles+1 "},
        {"transpose", "transpose+settles copy+roof+settles "},
        {"spmv", "nine+settles seven+settles random+settles power_law+settles empty_rows+settles "
                 "full_row+settles arrow+settles identity+settles "},
        {"poisson5", "field spike+benched+none sine "},
        {"poisson5_batch", "field+benched "},
        {"multigrid", "field+benched+followed sine bidomain jumps insulated "}};
    for (int i = 0; i < COUNT(wanted); i++) {
        char text[1000] = "";
        for (const struct qp_kind *kind = qp_op_find(wanted[i].op)->kinds; kind->name != NULL;
             kind++) {
            char inputs[16] = "", width[16] = "";
            if (kind->inputs != 0)
                snprintf(inputs, sizeof inputs, kind->inputs > 0 ? "+%d" : "+none", kind->inputs);
            if (kind->width != 0)
                snprintf(width, sizeof width, "+w%d", kind->width);
            sprintf(text + strlen(text), "%s%s%s%s%s%s%s%s%s ", kind->name,
                    kind->unchecked ? "+unchecked" : "", kind->benched ? "+benched" : "",
                    kind->roof ? "+roof" : "", kind->followed ? "+followed" : "",
                    kind->solved ? "+solved" : "", kind->settles ? "+settles" : "", inputs, width);
        }
        assert_string_equal(text, wanted[i].kinds);
    }
}

/* Bounds are named by what they leave out, others by their four systems. */
TEST(names_say_what_rows_are)
{
    for (size_t i = 0; i < qp_variant_count(); i++) {
        const struct qp_variant *variant = qp_variant_at(i);
        const bool named = strstr(variant->name, "_notex") != NULL ||
                           strstr(variant->name, "_alwayscache") != NULL;
        const int systems = strstr(variant->name, "systems") != NULL ? 4 : 1;
        if (qp_variant_is_bound(variant) != named || qp_variant_systems(variant) != systems)
            fail_msg("%s", variant->name);
    }
}

static struct qp_problem sizes_of(const char *op, const char *kind, int width, int height)
{
    const struct qp_op *found = qp_op_find(op);
    return (struct qp_problem){.op = found,
                               .kind = kind != NULL ? kind : found->kinds[0].name,
                               .width = width,
                               .height = height,
                               .answer_width = width,
                               .answer_height = height,
                               .systems = 1,
                               .weight = 1.0};
}

/* "RGBA32F abreast across 4" and so on: the format of a shape, and what else is not 0. */
static void write_shape(const struct qp_shape *shape, char *text)
{
    static const char *const slots[] = {"", " channels", " abreast", " stamps"},
                             *const standing[] = {"", " blocks", " planes", " lists", " sheets"},
                             *const names[] = {"across", "up", "dealt", "pad_x", "pad_y", "align"};
    const int numbers[] = {shape->neighbours, shape->rows,  shape->sheets,
                           shape->pad_x,      shape->pad_y, shape->align};
    text += sprintf(text, "%s%s%s%s%s%s%s", qp_format_name(shape->format), slots[shape->slots],
                    standing[shape->standing], shape->flat ? " flat" : "",
                    shape->columns ? " columns" : "", shape->odd ? " odd" : "",
                    shape->squares ? " squares" : "");
    for (int k = 0; k < COUNT(numbers); k++) {
        if (numbers[k] != 0)
            text += sprintf(text, " %s %d", names[k], numbers[k]);
    }
}

/* Arrays of this shape, of all variants of an operation: one of x a variant, and the inputs. */
static int count_arrays(const char *op, const char *shape)
{
    int count = 0;
    for (size_t i = 0; i < qp_variant_count(); i++) {
        const struct qp_recipe *recipe = qp_variant_at(i)->recipe;
        for (int k = -1; k < qp_recipe_inputs(recipe); k++) {
            char text[200];
            write_shape(k < 0 ? &recipe->state : &recipe->input[k].shape, text);
            count += strcmp(qp_variant_at(i)->op, op) == 0 && strcmp(text, shape) == 0;
        }
    }
    return count;
}

/* Shapes of the arrays of all variants: at least `arrays` arrays have these. */
TEST(arrays_have_these_shapes)
{
    static const struct {
        const char *op, *shape;
        int arrays;
    } wanted[] = {{"access", "LUMINANCE32F", 5},
                  {"access", "R32F flat", 9},
                  {"access", "R32F flat align 64", 40},
                  {"gauss_jordan_batch", "R32F blocks", 4},
                  {"gauss_jordan_batch", "R32F flat", 7},
                  {"gauss_jordan_batch", "R32F flat align 4", 4},
                  {"gauss_jordan_batch", "R32F flat columns", 1},
                  {"gauss_jordan_batch", "RGBA32F lists across 4", 2},
                  {"gauss_jordan_batch", "RGBA32F planes across 4", 2},
                  {"gauss_jordan_batch", "RGBA32F sheets across 4", 2},
                  {"gauss_jordan", "LUMINANCE16F pad_x 1 pad_y 1", 2},
                  {"gauss_jordan", "LUMINANCE32F pad_x 1 pad_y 1", 25},
                  {"gauss_jordan", "LUMINANCE32F squares", 1},
                  {"gauss_jordan", "LUMINANCE32F squares dealt 4", 1},
                  {"gauss_jordan", "R32F", 1},
                  {"gauss_jordan", "R32F flat", 6},
                  {"gauss_jordan", "R32F flat columns", 1},
                  {"gauss_jordan", "RGBA32F across 4 dealt 8", 1},
                  {"gauss_jordan", "RGBA32F channels pad_x 1 pad_y 1", 1},
                  {"jacobi9", "LUMINANCE16F pad_x 1 pad_y 2", 11},
                  {"jacobi9", "LUMINANCE32F pad_x 1 pad_y 2", 161},
                  {"jacobi9", "R32F", 6},
                  {"jacobi9", "R32F abreast flat", 1},
                  {"jacobi9", "R32F flat", 45},
                  {"jacobi9", "R32F flat align 128", 1},
                  {"jacobi9", "R32F flat align 16", 31},
                  {"jacobi9", "R32F pad_x 1 pad_y 1 align 32", 70},
                  {"jacobi9", "R64F flat", 1},
                  {"jacobi9", "R64F pad_x 1 pad_y 1 align 32", 11},
                  {"jacobi9", "RGBA16F across 4 pad_x 1 pad_y 1", 11},
                  {"jacobi9", "RGBA32F abreast across 4", 3},
                  {"jacobi9", "RGBA32F across 2 up 2 pad_x 1 pad_y 1", 11},
                  {"jacobi9", "RGBA32F across 4 dealt 8 pad_x 1 pad_y 1", 20},
                  {"jacobi9", "RGBA32F across 4 pad_x 1 pad_y 1", 46},
                  {"jacobi9", "RGBA32F across 4 pad_x 3 pad_y 1", 1},
                  {"jacobi9", "RGBA32F channels pad_x 1 pad_y 2", 50},
                  {"jacobi9", "RGBA32F stamps across 4", 1},
                  {"poisson5_batch", "R32F blocks", 2},
                  {"poisson5_batch", "R32F flat", 2},
                  {"poisson5_batch", "R32F flat align 4", 6},
                  {"poisson5_batch", "R64F flat", 1},
                  {"poisson5", "LUMINANCE32F pad_x 1 pad_y 1", 6},
                  {"poisson5", "R32F", 34},
                  {"poisson5", "R32F pad_x 1 pad_y 1", 18},
                  {"poisson5", "R32F pad_x 1 pad_y 1 align 128", 2},
                  {"poisson5", "R32F pad_x 1 pad_y 1 align 16", 28},
                  {"poisson5", "R32F pad_x 1 pad_y 1 align 32", 10},
                  {"poisson5", "R32F pad_x 1 pad_y 1 align 64", 22},
                  {"poisson5", "R64F", 8},
                  {"poisson5", "R64F flat", 1},
                  {"poisson5", "R64F pad_x 1 pad_y 1", 2},
                  {"poisson5", "R64F pad_x 1 pad_y 1 align 16", 26},
                  {"poisson5", "R64F pad_x 1 pad_y 1 align 32", 6},
                  {"poisson5", "RG32F pad_x 1 pad_y 1", 2},
                  {"poisson5", "RG32UI pad_x 1 pad_y 1", 2},
                  {"poisson5", "RGBA32F across 2 pad_x 1 pad_y 1", 2},
                  {"poisson5", "RGBA32F across 4 dealt 8 pad_x 1 pad_y 1", 16},
                  {"poisson5", "RGBA32F across 4 dealt 8 pad_x 2 pad_y 1", 2},
                  {"poisson5", "RGBA32F across 4 pad_x 1 pad_y 1", 2},
                  {"poisson5", "RGBA32F across 4 pad_x 1 pad_y 4", 2},
                  {"poisson5", "RGBA32UI across 2 pad_x 1 pad_y 1", 2},
                  {"multigrid", "LUMINANCE32F pad_x 1 pad_y 1", 1},
                  {"multigrid", "R32F pad_x 1 pad_y 1 align 16", 5},
                  {"multigrid", "R64F pad_x 1 pad_y 1 align 16", 3},
                  {"multigrid", "RGBA32F across 4 pad_x 1 pad_y 1", 2},
                  {"multigrid", "RGBA32UI across 2 pad_x 2 pad_y 1", 1},
                  {"reduce", "R32F", 11},
                  {"reduce", "R32F flat", 9},
                  {"reduce", "R32F flat align 64", 23},
                  {"reduce", "RGBA32F across 4", 2},
                  {"transfer", "LUMINANCE32F", 2},
                  {"transfer", "R32F", 26},
                  {"transfer", "R32F flat", 4},
                  {"transfer", "RGBA32F across 4", 2},
                  {"transpose", "R32F", 8},
                  {"transpose", "R32F flat", 6},
                  {"transpose", "R32F flat align 64", 20},
                  {"transpose", "R32F odd align 64", 4},
                  {"transpose", "RGBA32F across 4 dealt 4", 2},
                  {"transpose", "RGBA32F across 4 pad_y 3", 6}};
    for (int k = 0; k < COUNT(wanted); k++) {
        const int arrays = count_arrays(wanted[k].op, wanted[k].shape);
        if (arrays < wanted[k].arrays)
            fail_msg("only %d arrays of %s with %s, not %d", arrays, wanted[k].op, wanted[k].shape,
                     wanted[k].arrays);
    }
}

/* Small problems are repeated for the clock's sake, large ones take at least a few steps. */
TEST(benchmarks_take_these_steps)
{
    static const struct {
        const char *op, *kind;
        int width, height, steps;
    } wanted[] = {{"jacobi9", NULL, 256, 256, 200},
                  {"jacobi9", NULL, 512, 512, 64},
                  {"transpose", NULL, 2048, 2048, 10},
                  {"reduce", NULL, 1024, 1024, 16},
                  {"gauss_jordan", NULL, 17, 16, 20},
                  {"gauss_jordan", NULL, 65, 64, 15},
                  {"gauss_jordan", NULL, 257, 256, 1},
                  {"gauss_jordan_batch", NULL, 13, 120, 20},
                  {"gauss_jordan_batch", NULL, 13, 12000, 17},
                  {"gauss_jordan_batch", NULL, 13, 1200000, 1},
                  {"transfer", "round", 256, 16, 100},
                  {"transfer", "round", 1024, 256, 32},
                  {"transfer", "round", 8192, 4096, 4},
                  {"transfer", "overlap", 256, 64, 64},
                  {"transfer", "overlap", 1024, 1024, 4},
                  {"access", "offset", 64, 64, 200},
                  {"access", "offset", 1024, 1024, 16},
                  {"access", "offset", 4096, 4096, 10},
                  {"access", "division", 64, 32, 200},
                  {"access", "division", 256, 256, 16},
                  {"access", "division", 4096, 4096, 2},
                  {"access", "chase", 64, 64, 1},
                  {"poisson5", NULL, 64, 64, 256},
                  {"poisson5", NULL, 512, 512, 128},
                  {"poisson5", NULL, 4096, 4096, 8},
                  {"multigrid", NULL, 65, 65, 5},
                  {"poisson5_batch", NULL, 64, 64000, 100},
                  {"poisson5_batch", NULL, 64, 6400000, 10},
                  {"poisson5_batch", NULL, 256, 25600000, 1}};
    for (int k = 0; k < COUNT(wanted); k++) {
        const struct qp_problem problem =
            sizes_of(wanted[k].op, wanted[k].kind, wanted[k].width, wanted[k].height);
        const int steps = problem.op->runs->bench_steps(&problem);
        if (steps != wanted[k].steps)
            fail_msg("%s, %d x %d: %d steps, not %d", wanted[k].op, wanted[k].width,
                     wanted[k].height, steps, wanted[k].steps);
    }
}

/* Tolerances in units of 2^-24, of 2^-53, and of 2^-11 for the part that 16 bits add, after `steps`
 * steps, as derived beside each. */
TEST(tolerances_are_as_derived)
{
    enum { N = 12, SYSTEMS = 5, STEPS = 7 };
    struct qp_problem grid = sizes_of("jacobi9", NULL, N, N);
    const struct qp_op *op = grid.op;
    assert_float_equal(op->tolerance(&grid, STEPS, QP_FLOATS) * 0x1p24, 26 + STEPS, 1e-4);
    assert_float_equal(op->tolerance(&grid, STEPS, QP_DOUBLES) * 0x1p53, 39 + 2 * STEPS, 1e-4);
    const double more = op->half->tolerance(&grid, STEPS) - op->tolerance(&grid, STEPS, QP_FLOATS);
    assert_float_equal(more * 0x1p11, 2 + 5 * STEPS, 1e-4);
    assert_true(op->half->least_divisor == 0.125 && op->half->least_scale == 0x1p-8);
    op = (grid = sizes_of("poisson5_batch", NULL, N, N)).op;
    assert_float_equal(op->tolerance(&grid, STEPS, QP_FLOATS) * 0x1p24, 4 * STEPS, 1e-4);
    assert_float_equal(op->tolerance(&grid, STEPS, QP_DOUBLES) * 0x1p53, 8 * STEPS, 1e-4);
    op = (grid = sizes_of("access", "sin", N, N)).op;
    grid.parameter = 16;
    assert_float_equal(op->tolerance(&grid, STEPS, QP_FLOATS) * 0x1p24, 16 + 4, 1e-4);
    grid.kind = "sincos"; /* two sums in one */
    assert_float_equal(op->tolerance(&grid, STEPS, QP_FLOATS) * 0x1p24, 32 + 4, 1e-4);
    grid.kind = "gather";
    assert_true(op->tolerance(&grid, STEPS, QP_FLOATS) == 0.0);
    for (int k = 0; k < 3; k++) { /* the growth is 2 at least */
        const double scale = k + 1.0, steps = 3.0 + 5.0 * sqrt(3.0 * N),
                     batch = 3.0 + sqrt(25.0 + 2.0 * log(SYSTEMS)) * sqrt(3.0 * N);
        op = (grid = sizes_of("gauss_jordan", "dominant", N + 1, N)).op;
        grid.reference_scale = scale;
        const double rounded = op->tolerance(&grid, 1, QP_FLOATS) * 0x1p24;
        assert_float_equal(rounded, steps * fmax(2.0, scale), 1e-4);
        const double stored = op->half->tolerance(&grid, 1) - rounded * 0x1p-24;
        assert_float_equal(stored * 0x1p10, (8 + N) * scale, 1e-4);
        assert_true(op->half->least_largest == 0x1p-4);
        op = (grid = sizes_of("gauss_jordan_batch", NULL, N + 1, SYSTEMS * N)).op;
        grid.reference_scale = scale;
        assert_float_equal(op->tolerance(&grid, 1, QP_FLOATS) * 0x1p24, batch * fmax(2.0, scale),
                           1e-4);
    }
    grid = sizes_of("gauss_jordan", "exact", N + 1, N);
    assert_true(grid.op->tolerance(&grid, 1, QP_FLOATS) == 0.0 &&
                grid.op->half->tolerance(&grid, 1) == 0.0);
}
