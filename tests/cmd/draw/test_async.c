/* SPDX-License-Identifier: MIT */
/* Pictures of who saw which value: every new value that was found has its arrow, black cells of
 * red_black find four, and llvmpipe, which computes a tile by one thread, draws the same each
 * time. */
#include "support/drawings.h"

#include <stdio.h>
#include <string.h>

/* Cells that found k new values, as the last drawing says. */
static int cells_that_found(int k)
{
    char words[32];
    int cells = -1;
    snprintf(words, sizeof words, " found %d", k);
    const char *at = strstr(output, words);
    assert_non_null(at);
    while (at[-1] >= '0' && at[-1] <= '9')
        at--;
    assert_int_equal(sscanf(at, "%d", &cells), 1);
    return cells;
}

/* Draws a variant, which this device may lack. */
static const char *draw_row(const char *row)
{
    char line[128];
    need_gl();
    snprintf(line, sizeof line, "walk %s -n 4", row);
    run(line);
    if (strstr(output, "skip") != NULL)
        skip();
    snprintf(line, sizeof line, "async %s", row);
    return drawing_of(line);
}

TEST(found_values_have_arrows)
{
    const char *drawing = draw_row("poisson5/chaotic");
    int cells = 0, arrows = 0;
    for (int k = 0; k <= 4; k++) {
        cells += cells_that_found(k);
        arrows += k * cells_that_found(k);
    }
    assert_int_equal(cells, 144);
    assert_true(cells_that_found(0) > 0);
    assert_int_equal(drawing_count(drawing, "<polyline"), arrows);
}

TEST(black_cells_find_four)
{
    draw_row("poisson5/red_black");
    assert_int_equal(cells_that_found(0), 72);
    assert_int_equal(cells_that_found(1), 0);
    assert_int_equal(cells_that_found(2), 2);
    assert_int_equal(cells_that_found(3), 20);
    assert_int_equal(cells_that_found(4), 50);
}

/* No value comes in from outside the grid, where cells of red_black have no neighbour. */
TEST(arrows_begin_inside)
{
    int arrows = 0;
    double x, y, least = 360.0, most = 0.0;
    for (const char *at = draw_row("poisson5/red_black"); at != NULL; arrows++) {
        at = strstr(at, "<polyline points=\"");
        if (at != NULL) {
            at += strlen("<polyline points=\"");
            assert_int_equal(sscanf(at, "%lf,%lf", &x, &y), 2);
            least = x < least ? x : least;
            most = x > most ? x : most;
        }
    }
    assert_true(arrows > 200 && least > 8.0 && most < 352.0);
}

TEST(llvmpipe_draws_the_same)
{
    need_gl();
    assert_int_equal(run("info"), 0);
    if (strstr(output, "llvmpipe") == NULL)
        skip();
    drawing_of("async poisson5/chaotic -n 24");
    assert_int_equal(shell("mv p.svg first.svg"), 0);
    drawing_of("async poisson5/chaotic -n 24");
    assert_int_equal(shell("cmp p.svg first.svg"), 0);
}

/* A value of no case says nothing. */
TEST(other_values_are_unclear)
{
    need_gl();
    spoil_shader("poisson5/in_place.frag", "s/sum \\* 0.25/sum * 0.25025/");
    drawing_of("async poisson5/chaotic");
    heal_shaders();
    assert_int_equal(count("0 found 0, 0 found 1, 0 found 2, 0 found 3, 0 found 4; 144 hold"), 1);
}

TEST(other_rows_are_refused)
{
    need_gl();
    drawing_refused(
        "async poisson5/luminance",
        "poisson5/luminance does not draw into the texture that it reads; draw a variant "
        "such as poisson5/chaotic");
    drawing_refused("async poisson5/chaotic -n 33", "32 x 32 cells at most");
}

GROUP(enter_folder_with_cache, remove_folder)
