/* SPDX-License-Identifier: MIT */
/* The command draw: drawings keep the rules of the house, their numbers are true, and what nothing
 * draws is refused. */
#include "support/drawings.h"
#include "support/shell.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <quadpass/quadpass.h>

enum { MOST = 150000 }; /* bytes of a drawing */

static char text[1 << 18];

/* Draws, and reads the drawing. */
static void draw(const char *arguments)
{
    char line[256], file[256];
    snprintf(line, sizeof line, "draw %s -o x.svg", arguments);
    if (run(line) != 0)
        fail_msg("%s: %s", line, output);
    snprintf(file, sizeof file, "%.200s/x.svg", folder);
    FILE *stream = fopen(file, "r");
    assert_non_null(stream);
    const size_t length = fread(text, 1, sizeof text - 1, stream);
    fclose(stream);
    text[length] = '\0';
    assert_in_range(length, 500, MOST);
    if (drawing_fault(text) != NULL)
        fail_msg("%s: a fault at %.60s", line, drawing_fault(text));
}

static int copies = 1; /* names of each cell, of which the last is looked at */

/* Place of the text of a cell. */
static void place_of(const char *cell, double *x, double *y)
{
    char words[32];
    snprintf(words, sizeof words, ">%s<", cell);
    assert_int_equal(drawing_count(text, words), copies);
    const char *at = strstr(text, words);
    for (int i = 1; i < copies; i++)
        at = strstr(at + 1, words);
    while (strncmp(at, "<text", 5) != 0)
        at--;
    assert_int_equal(sscanf(at, "<text x=\"%lf\" y=\"%lf\"", x, y), 2);
}

/* 8 x 8 cells with one column of padding left and right, two rows above and below, and a texel of
 * guards around. */
TEST(layout_of_one_value)
{
    double x0, y0, x1, y1;
    draw("layout jacobi9/luminance -n 8");
    assert_non_null(strstr(output, "x, 12 x 14 texels. Of 168 texels, 1 value each"));
    assert_non_null(strstr(output, "64 hold cells, 56 are padding"));
    assert_non_null(strstr(output, "and 48 are guards"));
    assert_non_null(strstr(output, "It reads 10 more arrays."));
    assert_non_null(strstr(text, ">64 with cells<"));
    assert_int_equal(drawing_count(text, "<svg x="), 11);
    for (int i = 0; i < 64; i++) {
        char cell[16];
        snprintf(cell, sizeof cell, "%d,%d", i % 8, i / 8);
        place_of(cell, &x0, &y0);
    }
    place_of("0,0", &x0, &y0);
    place_of("3,1", &x1, &y1);
    assert_true(fabs((x1 - x0) - 3.0 * (y0 - y1)) < 0.1); /* three texels right, one up */
}

/* Rows of five cells leave three values of a second texel free. */
TEST(layout_of_four_values)
{
    double x0, y0, x1, y1;
    draw("layout jacobi9/rgba --size 5x3");
    assert_non_null(strstr(output, "4 values each (RGBA32F), 6 hold cells"));
    place_of("0,0", &x0, &y0);
    place_of("3,0", &x1, &y1);
    assert_true(x1 > x0 && y1 > y0);
    draw("layout jacobi9/openmp -n 8");
    assert_non_null(strstr(output, "90 x 1 texels. Of 90 texels"));
    place_of("0,0", &x0, &y0);
    place_of("0,1", &x1, &y1);
    assert_true(x1 == x0 && y1 > y0); /* memory goes down */
    draw("layout jacobi9/bands_systems -n 4");
    assert_non_null(strstr(text, "a colour for each matrix"));
}

/* Every variant has a layout; here one of each operation and way of storing. */
TEST(layouts)
{
    static const char *const rows[] = {"reduce/loop",
                                       "transpose/copy_texels",
                                       "access/fetch_stride",
                                       "transfer/plain",
                                       "poisson5/targets",
                                       "gauss_jordan/quads_targets",
                                       "gauss_jordan_batch/openmp",
                                       "poisson5_batch/reference"};
    need_gl();
    for (int i = 0; i < COUNT(rows); i++) {
        char arguments[128];
        snprintf(arguments, sizeof arguments, "layout %s", rows[i]);
        draw(arguments);
    }
    draw("layout jacobi9/bands_systems -n 32");
}

/* Entries of a sparse matrix, each once, in the array that holds them: side by side are the
 * diagonals of a row, or its slots. */
TEST(layouts_of_a_sparse_matrix)
{
    static const char *const entries[] = {"0,0", "0,1", "0,3", "1,0", "1,1", "1,2", "1,4",
                                          "2,1", "2,2", "2,5", "3,0", "3,3", "3,4", "4,1",
                                          "4,3", "4,4", "4,5", "5,2", "5,4", "5,5"};
    double x[3], y[3];
    draw("layout spmv/diagonals --problem seven --size 3x2");
    copies = 2; /* the matrix is beside it */
    for (int i = 0; i < COUNT(entries); i++)
        place_of(entries[i], &x[0], &y[0]);
    assert_int_equal(drawing_count(text, ">0,2<"), 0);
    for (const char *const *name =
             (const char *const[]){">-3<", ">-1<", ">0<", ">+1<", ">+3<", NULL};
         *name != NULL; name++)
        assert_int_equal(drawing_count(text, *name), 2); /* at the matrix, and above its texels */
    place_of("0,1", &x[0], &y[0]);
    place_of("0,3", &x[1], &y[1]);
    place_of("1,4", &x[2], &y[2]); /* on the diagonal of 0,3 */
    assert_true(y[0] == y[1] && y[1] == y[2] && x[0] < x[1] && x[1] < x[2]);
    assert_non_null(strstr(output, "20 values are entries, 20 zeros of padding, "));
    copies = 1;
    draw("layout spmv/ell_rgba --size 4x1");
    place_of("1,0", &x[0], &y[0]);
    place_of("1,2", &x[1], &y[1]);
    place_of("3,2", &x[2], &y[2]); /* the first slot of the last row */
    assert_true(y[0] == y[1] && x[1] > x[0] && x[2] == x[0] && y[2] > y[0]);
    assert_non_null(strstr(output, "10 values are entries, 2 zeros of padding, "));
    draw("layout spmv/csr_sorted --problem seven --size 3x2");
    assert_non_null(strstr(output, "20 values are entries, 0 zeros of padding, 184 guards"));
    assert_non_null(strstr(output, "and 60 places of entries."));
    assert_int_equal(drawing_count(text, ">1</text>"), 4); /* rows have numbers */
    assert_int_equal(drawing_count(text, "of padding<"), 0);
}

/* The line that the command prints has these words. */
static void says(const char *arguments, const char *words)
{
    draw(arguments);
    if (strstr(output, words) == NULL)
        fail_msg("%s: no '%s' in %s", arguments, words, output);
}

/* Texels that are written: of the whole, of two lines, of a pyramid, of every other cell of a
 * texture that is read at the same time, of what blends, and of several targets. */
TEST(passes)
{
    need_gl();
    says("passes jacobi9/multipass -n 8", "1 quad: 48 in A; 2 ");
    assert_int_equal(count(": 8 in A"), 2);
    assert_int_equal(drawing_count(text, "<svg x="), 3);
    says("passes jacobi9/luminance --size 7x5", " 1 quad: 35 in A. Row 0 is at the bottom.\n");
    says("passes reduce/tree_2x2 -n 8", "1 quad: 16 in A; 2 quad: 4 in B; 3 quad: 1 in C. ");
    says("passes gauss_jordan/basic -n 3",
         " column 0: divide 4, copy back 4, subtract 8; column 1: divide 4, copy back 4, subtract "
         "4, subtract 4; column 2: divide 4, copy back 4, subtract 8. ");
    assert_int_equal(drawing_count(text, ">copy back B<"), 2);
    assert_int_equal(drawing_count(text, "stroke=\"#c92a2a\""), 10); /* the pivot of each draw */
    says("passes gauss_jordan/branched_notex -n 3", "column 2: ");
    says("passes poisson5/targets -n 8", "1 quad: 2 each from A. ");
}

/* Matrices have row 0 at the top, as they are written, and grids at the bottom; both say so. */
TEST(matrices_begin_above)
{
    static const char first[] = "<path fill=\"#1d6fa5\" d=\"M0 0h4v1h-4z\"/>";
    double x0, y0, x1, y1;
    need_gl();
    says("passes gauss_jordan/basic -n 3", "Row 0 is at the top.\n"); /* row 0 alone, first */
    assert_non_null(strstr(text, ">row 0 is at the top<"));
    assert_true(strstr(text, first) != NULL && strstr(text, first) < strstr(text, ">copy back"));
    static const char *const rows[] = {"gauss_jordan/basic -n 4", "transpose/copy_texels -n 4",
                                       "jacobi9/luminance -n 4"};
    for (int i = 0; i < COUNT(rows); i++) {
        char arguments[64];
        snprintf(arguments, sizeof arguments, "layout %s", rows[i]);
        says(arguments, i < 2 ? "Row 0 is at the top." : "Row 0 is at the bottom.");
        place_of("0,0", &x0, &y0);
        place_of("0,1", &x1, &y1);
        assert_true(x1 == x0 && (y1 > y0) == (i < 2));
    }
    draw("banks transpose/cuda_naive");
    assert_null(strstr(text, "row 0 is"));
}

TEST(passes_in_place)
{
    need_gl();
    if (run("check poisson5/red_black gauss_jordan/blend -n 4") != 0 ||
        strstr(output, "0 skipped") == NULL)
        skip();
    says("passes poisson5/red_black -n 8", "1 quad: 32 in A *; 2 quad: 32 in A *. * changes, ");
    draw("passes gauss_jordan/blend -n 4");
}

/* The errors only fall, and those of neighbours faster. */
TEST(frames)
{
    double error[10], rough[10];
    int seen = 0;
    need_gl();
    draw("frames poisson5/luminance -n 32");
    assert_int_equal(drawing_count(text, ">step "), 10);
    for (const char *at = output; (at = strstr(at, "step ")) != NULL && seen < 10; at++) {
        int step;
        assert_int_equal(sscanf(at, "step %d: %lf, %lf", &step, &error[seen], &rough[seen]), 3);
        assert_int_equal(step, seen > 0 ? 1 << (seen - 1) : 0);
        if (seen > 0)
            assert_true(error[seen] <= error[seen - 1] && rough[seen] <= rough[seen - 1]);
        seen++;
    }
    assert_int_equal(seen, 10);
    assert_true(rough[3] < 0.2 * rough[0] && error[3] > 0.5 * error[0]);
    draw("frames jacobi9/openmp -n 40");
    assert_refused("draw frames gauss_jordan/branched -o x.svg", "such as poisson5/luminance");
    assert_refused("draw frames jacobi9/bands_systems -o x.svg", "such as poisson5/luminance");
}

/* Each line has a scale of its own, from orange to blue. */
TEST(frames_show_signs)
{
    need_gl();
    draw("frames poisson5/luminance -n 32");
    assert_int_equal(drawing_count(text, "fill=\"#e8762c\" d=\"M0 0h1v1h-1z\""), 4);
    assert_int_equal(drawing_count(text, ">0.939<"), 1);
    assert_int_equal(drawing_count(text, ">-0.185<"), 1);
}

/* Row 0 is at the bottom: of two cells with one start each the greater has the later colour. */
TEST(frames_begin_below)
{
    const struct qp_problem_desc desc = {"poisson5", "field", 1, 2, .seed = 1};
    struct qp_problem problem;
    need_gl();
    assert_ok(qp_problem_create(&desc, &problem));
    const float *x = qp_problem_field(&problem, "x")->values;
    draw("frames poisson5/luminance --size 1x2");
    const char *above = strstr(text, "M0 0h1v1h-1z"), *below = strstr(text, "M0 1h1v1h-1z");
    assert_true(above != NULL && below != NULL && fabsf(x[1] - x[0]) > 0.2f);
    assert_true((x[1] > x[0]) == (above > below));
    qp_problem_destroy(&problem);
}

TEST(halos)
{
    need_gl();
    says("halos poisson5/parts_rgba -n 12 --parts 3 --depth 2",
         "Part 2 owns 12 x 4 cells from (0, 4) on and computes 12 x 8.");
    assert_non_null(strstr(output, "Steps from one exchange to the next: 2."));
    assert_int_equal(drawing_count(text, "<svg x="), 3);
    assert_non_null(
        strstr(text, "<path fill=\"#1d6fa5\" d=\"M0 8h12v1h-12zM0 9h12v1h-12z\"/>\n</svg>"));
    says("halos jacobi9/rgba_tiles -n 8", "Part 4 owns 4 x 4 cells from (4, 4) on");
    assert_refused("draw halos jacobi9/luminance -o x.svg", "such as poisson5/parts_rgba");
}

TEST(refusals)
{
    static const struct {
        const char *arguments, *words;
    } wrong[] = {
        {"draw", "takes a kind of picture, such as layout"},
        {"draw layuot -o x.svg", "bars or timeline, not 'layuot' (did you mean 'layout'?)"},
        {"draw layout", "add -o layout.svg"},
        {"draw layout -o x.png", "name it so that it ends with .svg"},
        {"draw layout -n 33 -o x.svg", "layout draws 32 x 32 cells at most, not 33 x 33"},
        {"draw layout spmv/diagonals -n 12 --problem random -o x.svg",
         "the matrix has more than 64 diagonals"},
        {"draw layout --size 8x99 -o x.svg", "not 8 x 99"},
        {"draw layout -n 0 -o x.svg",
         "--size takes N or WxH, such as 64 or 64x48, each at least 1, not '0'"},
        {"draw layout jacobi9/luminence -o x.svg", "did you mean 'jacobi9/luminance'?"},
        {"draw layout --parts 2 -o x.svg", "--parts and --depth go with halos"},
        {"draw layout --width 199 -o x.svg", "--width takes 200 to 4000 pixels, not 199"},
        {"draw layout --width 4001 -o x.svg", "--width takes 200 to 4000 pixels"},
        {"draw layout --width wide -o x.svg", "--width"},
        {"draw bars -o x.svg", "bars takes a CSV file, or - for standard input"},
        {"draw bars x.csv -n 8 -o x.svg", "--size and --problem are for variants"},
        {"draw layout --seed 2 -o x.svg", "--seed"},
        {"draw layout jacobi9/rgba x -o x.svg", "one too many"},
        {"draw layout -o none/x.svg", "none/x.svg"}};
    assert_int_equal(run("--version; rm -f x.svg"), 0);
    for (int i = 0; i < COUNT(wrong); i++) {
        assert_refused(wrong[i].arguments, wrong[i].words);
        assert_false(exists("x.svg"));
    }
    need_gl();
    assert_refused("draw passes jacobi9/openmp -o x.svg", "such as jacobi9/multipass");
    assert_false(exists("x.svg"));
}

/* Standard output is the drawing alone; the help names each kind. */
TEST(outputs)
{
    assert_int_equal(run("draw layout -o - 2>said"), 0);
    assert_null(drawing_fault(output));
    assert_int_equal(run("--version; grep -c '^Layout of jacobi9/luminance' said"), 0);
    assert_int_equal(run("draw --help"), 0);
    must_print((const char *const[]){"layout: ", "passes: ", "frames: ", "halos: ", "pingpong: ",
                                     "bars: ", "-o, --output", "--width"},
               8);
    assert_int_equal(run("--version; " NO_DEVICES QUADPASS " draw passes -o x.svg"), 3);
}

GROUP(make_folder, remove_folder)
