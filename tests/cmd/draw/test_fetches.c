/* SPDX-License-Identifier: MIT */
/* Fetches as measured: the nine of jacobi9, wherever its neighbours are, and one fewer where a
 * shader drops one. */
#include "support/drawings.h"

/* Squares of three texels each way, and of the same the lower left one missing, as the drawing has
 * them in lines from the top. */
#define MIDDLE  "fill=\"#f4a261\" d=\"M5 5h3v1h-3zM5 6h3v1h-3zM5 7h3v1h-3z\""
#define BORDER  "fill=\"#8ecae6\" d=\"M1 5h3v1h-3zM1 6h3v1h-3zM1 7h3v1h-3z\""
#define DROPPED "fill=\"#f4a261\" d=\"M5 5h3v1h-3zM5 6h3v1h-3zM6 7h2v1h-2z\""

/* Zeros of padding take the place of neighbours at the border. */
TEST(luminance_needs_nine)
{
    need_gl();
    const char *drawing = drawing_of("fetches jacobi9/luminance");
    assert_int_equal(count("Cell 4,4 needs texels: 9 of x, 1 of band_ll, 1 of band_ld,"), 1);
    assert_int_equal(count("Cell 0,4 at the border needs texels: 9 of x, of others as many."), 1);
    assert_int_equal(count(" 1 of "), 10);
    assert_int_equal(drawing_count(drawing, MIDDLE), 1);
    assert_int_equal(drawing_count(drawing, BORDER), 1);
}

/* The weight of a neighbour that is not fetched stays. */
TEST(a_dropped_neighbour_is_not_needed)
{
    need_gl();
    spoil_shader("jacobi9/luminance.frag", "0,/vec2(-1.0, -1.0)/s//vec2(0.0, 0.0)/");
    const char *drawing = drawing_of("fetches jacobi9/luminance");
    heal_shaders();
    assert_int_equal(drawing_count(drawing, DROPPED), 1);
    assert_int_equal(count("Cell 4,4 needs texels: 8 of x, 1 of band_ll"), 1);
    assert_int_equal(count("at the border needs texels: 8 of x, of others as many."), 1);
}

/* Three bands and an empty channel share a texel; several cells, and several textures. */
TEST(texels_count_once)
{
    need_gl();
    drawing_of("fetches jacobi9/generic");
    assert_int_equal(count("texels: 9 of x, 1 of bands_below, 1 of bands_beside, 1 of bands_above"),
                     1);
    drawing_of("fetches jacobi9/rgba -n 6x5");
    assert_int_equal(count("Cell 3,2 needs texels: 9 of x"), 1);
    drawing_of("fetches poisson5/targets");
    assert_int_equal(count("Cell 4,4 needs texels: 26 of x, 8 of rhs."), 1);
    drawing_of("fetches transpose/sampled -n 5x4");
    assert_int_equal(count("needs texels: 0 of answer, 1 of x"), 1);
    drawing_of("fetches reduce/tree -n 6x3");
    assert_int_equal(count("needs texels: 0 of answer, 18 of x"), 1);
}

TEST(other_rows_are_refused)
{
    need_gl();
    drawing_refused("fetches jacobi9/openmp",
                    "jacobi9/openmp has no textures; draw a variant such as jacobi9/luminance");
    drawing_refused("fetches jacobi9/luminance_notex", "computes nothing of use");
    drawing_refused("fetches gauss_jordan/quads", "takes no step on a grid");
    drawing_refused("fetches gauss_jordan/blocked", "takes no step on a grid");
    drawing_refused("fetches poisson5/parts_rgba", "poisson5/parts_rgba cuts its arrays anew");
    drawing_refused("fetches gauss_jordan_batch/planes", "takes no step on a grid");
    drawing_refused("fetches jacobi9/luminance -n 13", "12 x 12 cells at most, not 13 x 13");
}

GROUP(enter_folder_with_cache, remove_folder)
