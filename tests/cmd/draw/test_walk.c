/* SPDX-License-Identifier: MIT */
/* The walk as drawn: numbers are those that `quadpass walk` prints, a target has none before it is
 * drawn, and a wrong shader is seen to be wrong. */
#include "support/drawings.h"

#include <stdio.h>
#include <string.h>

#define NONE "fill=\"#ced4da\""
#define QUAD "stroke=\"#c92a2a\" stroke-width=\"3\" stroke-dasharray=\"7 3\""

/* The description follows a cell. */
TEST(numbers_are_the_walks)
{
    char begins[16], ends[16], line[64];
    need_gl();
    drawing_of("walk jacobi9/luminance");
    assert_int_equal(count("8 x 8 cells become 12 x 14 values"), 1);
    assert_int_equal(count("Verdict: pass."), 1);
    assert_int_equal(
        sscanf(strstr(output, "begins as "), "begins as %15s and is %15s", begins, ends), 2);
    assert_int_equal(run("walk jacobi9/luminance -n 8"), 0);
    snprintf(line, sizeof line, " %s ", begins);
    assert_int_equal(count(line), 3); /* stages 1, 2 and 6 */
    snprintf(line, sizeof line, " %s ", ends);
    assert_true(count(line) >= 3); /* stages 7, 8 and 9 */
}

/* Grey are the target's cells in stage 3 alone; guards are in rings, and the quad in a frame. */
TEST(targets_begin_without_numbers)
{
    need_gl();
    const char *drawing = drawing_of("walk jacobi9/luminance");
    assert_int_equal(drawing_count(drawing, NONE), 1);
    assert_int_equal(drawing_count(drawing, NONE " d=\"M0 0h8v1h-8zM0 1h8"), 1);
    assert_int_equal(drawing_count(drawing, QUAD), 1);
    assert_int_equal(drawing_count(drawing, "stroke-dasharray=\"1 2\""), 6); /* and the legend */
    assert_int_equal(drawing_count(drawing_of("walk jacobi9/rgba -n 8x5"), NONE), 1);
    assert_int_equal(count("8 x 5 cells become 24 x 9 values"), 1);
    drawing = drawing_of("walk poisson5/targets -n 12");
    assert_int_equal(drawing_count(drawing, "<text") < 40, 1); /* colours alone */
}

/* The lesson's numbers: after a step the middle is 0.25, and after two its four neighbours have a
 * quarter of that, in three stages; the shader's last statement is in stage 4. */
TEST(numbers_are_written)
{
    need_gl();
    const char *drawing = drawing_of("walk poisson5/luminance --problem spike -n 3");
    assert_int_equal(drawing_count(drawing, ">0.25<"), 5); /* and an end of the scale */
    assert_int_equal(drawing_count(drawing, ">0.0625<"), 3 * 4);
    assert_int_equal(drawing_count(drawing, ">4 program: poisson5/luminance.frag<"), 1);
    assert_int_equal(drawing_count(drawing, ">gl_FragColor = vec4(relaxed);<"), 1);
    assert_int_equal(drawing_count(drawing, "units of"), 0);
}

/* The two largest numbers are where the walk prints 0.994 and 0.990, from the top, in stages 1, 2
 * and 3; numbers are tenths where cells are narrow. */
TEST(numbers_have_their_places)
{
    need_gl();
    const char *drawing = drawing_of("walk jacobi9/luminance");
    assert_int_equal(drawing_count(drawing, "fill=\"#3b86c8\" d=\"M4 0h1v1h-1zM2 4h1v1h-1z\""), 3);
    assert_int_equal(drawing_count(drawing, ">10<"), 3 * 2);
    assert_int_equal(drawing_count(drawing, ">numbers are rounded, in units of 0.1<"), 1);
    assert_int_equal(drawing_count(drawing, "st / texture2DRect(band_dd, here).x);<"), 1);
}

TEST(wrong_shaders_fail)
{
    need_gl();
    spoil_shader("jacobi9/luminance.frag", "0,/vec2(-1.0, -1.0)/s//vec2(0.0, 0.0)/");
    const char *drawing = drawing_of("walk jacobi9/luminance");
    heal_shaders();
    assert_int_equal(count("Verdict: fail."), 1);
    assert_int_equal(drawing_count(drawing, ">fail<"), 1);
    assert_int_equal(drawing_count(drawing, "#2b7a3d"), 0); /* no tick */
}

TEST(other_rows_are_refused)
{
    need_gl();
    drawing_refused("walk jacobi9/openmp", "jacobi9/openmp has no textures");
    drawing_refused("walk gauss_jordan/quads", "takes no step on a grid");
    drawing_refused("walk reduce/tree", "takes no step from a source to a target");
    drawing_refused("walk transfer/plain", "takes no step from a source to a target");
    drawing_refused("walk poisson5/chaotic", "takes no step from a source to a target");
    drawing_refused("walk poisson5/luminance -n 33", "32 x 32 cells at most");
}

GROUP(enter_folder_with_cache, remove_folder)
