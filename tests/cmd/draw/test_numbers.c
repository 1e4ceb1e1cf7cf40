/* SPDX-License-Identifier: MIT */
/* Pictures of numbers: a step in place is another one, an elimination ends at x, and each entry of
 * a matrix is in the texture of its band. */
#include "support/drawings.h"

#include <stdio.h>
#include <string.h>

#include <quadpass/quadpass.h>

/* Left neighbours are new in place, so that a value runs through the row. */
TEST(pingpong_and_in_place)
{
    need_gl();
    const char *drawing = drawing_of("pingpong");
    assert_int_equal(count("Source 0 0 64 0 0 0; by two textures 0 16 0 16 0 0; in place, by the "
                           "reference with one array 0 16 4 1 0.25 0.0625. 4 of 6 are wrong"),
                     1);
    assert_int_equal(drawing_count(drawing, ">0.25<"), 2);
    assert_int_equal(drawing_count(drawing, ">0.0625<"), 1);
    assert_int_equal(drawing_count(drawing, "stroke-dasharray=\"3 2\""), 5);
    assert_int_equal(drawing_count(drawing, "#2b7a3d"), 1); /* a tick */
    drawing_of("pingpong poisson5/rgba -n 1");
    assert_int_equal(count("0 of 1 are wrong"), 1);
}

/* The variant runs: a shader that forgets a neighbour is seen. */
TEST(pingpong_is_the_variants)
{
    need_gl();
    spoil_shader("poisson5/luminance.frag", "s/(left + right)/(left + left)/");
    drawing_refused("pingpong", "poisson5/luminance: ");
    heal_shaders();
}

TEST(other_rows_have_no_pingpong)
{
    need_gl();
    drawing_refused("pingpong jacobi9/luminance", "takes no step of this row by two textures");
    drawing_refused("pingpong poisson5/chaotic", "takes no step of this row by two textures");
    drawing_refused("pingpong poisson5/openmp", "takes no step of this row by two textures");
    drawing_refused("pingpong poisson5/parts_red_black", "has no wrong cell");
    drawing_refused("bands jacobi9/reference", "has no texture for each of nine bands");
    drawing_refused("pingpong -n 9", "pingpong draws 8 x 8 cells at most, not 9 x 9");
}

/* Frames go from column to column, and the numbers are those that the walk prints. */
TEST(elimination_ends_at_the_identity)
{
    float x[3];
    char number[32];
    need_gl();
    const char *drawing = drawing_of("elimination");
    assert_int_equal(count("after each of 3 columns. x is "), 1);
    assert_int_equal(sscanf(strstr(output, "x is ") + 5, "%f %f %f", &x[0], &x[1], &x[2]), 3);
    assert_int_equal(drawing_count(drawing, ">1<"), 1 + 2 + 3);
    assert_int_equal(drawing_count(drawing, "stroke-dasharray=\"6 3\""), 3);
    assert_int_equal(drawing_count(drawing, ">column 0: row 0 / "), 1);
    assert_int_equal(run("walk gauss_jordan/basic -n 3"), 0);
    for (int i = 0; i < 3; i++) {
        snprintf(number, sizeof number, " %.3f", x[i]);
        assert_true(count(number) >= 1);
    }
}

TEST(eliminations_differ)
{
    need_gl();
    const char *drawing = drawing_of("elimination gauss_jordan/branched -n 8");
    assert_int_equal(drawing_count(drawing, "the identity"), 1);
    drawing = drawing_of("elimination gauss_jordan/shrinking -n 4");
    drawing_refused("elimination gauss_jordan/loop", "does not eliminate one system");
    drawing_refused("elimination gauss_jordan/systems", "does not eliminate one system");
    drawing_refused("elimination gauss_jordan/basic --problem inverse", "does not eliminate one");
    drawing_refused("elimination jacobi9/luminance", "such as gauss_jordan/basic");
}

/* Number of the drawing's texts with this entry, written as drawings do. */
static int entries_like(const char *drawing, float value)
{
    char words[64];
    int length = snprintf(words, sizeof words, ">%.*f", value < 0 ? 2 : 3, value);
    while (words[length - 1] == '0')
        length--;
    snprintf(words + length, sizeof words - (size_t)length, "<");
    return drawing_count(drawing, words);
}

/* An entry of the matrix is drawn twice, and one beyond the grid nowhere. */
TEST(bands_hold_the_entries)
{
    static const char *const names[] = {"DD", "LL", "LD", "LU", "DL", "DU", "UL", "UD", "UU"};
    const struct qp_problem_desc desc = {"jacobi9", "random", 3, 3, .seed = 1};
    struct qp_problem problem;
    assert_ok(qp_problem_create(&desc, &problem));
    const char *drawing = drawing_of("bands");
    for (int band = 0; band < COUNT(names); band++) {
        char words[8];
        const float *values = qp_problem_field(&problem, names[band])->values;
        snprintf(words, sizeof words, ">%s<", names[band]);
        const int entries = drawing_count(drawing, words);
        assert_int_equal(entries, band == 0                                        ? 9
                                  : names[band][0] == 'D' || names[band][1] == 'D' ? 6
                                                                                   : 4);
        if (entries_like(drawing, values[4]) != 2)
            fail_msg("%s: %g is not there twice", names[band], values[4]);
    }
    assert_int_equal(count("nine bands alone"), 1);
    assert_int_equal(count("81 numbers in place of 81."), 1);
    qp_problem_destroy(&problem);
}

TEST(bands_in_channels)
{
    const char *drawing = drawing_of("bands jacobi9/generic -n 3x2");
    assert_int_equal(drawing_count(drawing, ">LL: bands_below.x<"), 1);
    assert_int_equal(drawing_count(drawing, ">UU: bands_above.z<"), 1);
    drawing_refused("bands jacobi9/symmetric", "has no texture for each of nine bands");
    drawing_refused("bands poisson5/luminance", "such as jacobi9/luminance");
    drawing_refused("bands -n 4", "bands draws 3 x 3 cells at most, not 4 x 4");
}

GROUP(enter_folder_with_cache, remove_folder)
