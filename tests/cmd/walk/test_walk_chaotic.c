/* SPDX-License-Identifier: MIT */
/* The map of a chaotic step: every cell of it is one of the 16 cases or marked, nobody finds a new
 * value on the rim, and a value that no case explains is said to be one. */
#include "support/shell.h"

#include <stdlib.h>
#include <string.h>

enum { SIDE = 8 };

/* Line `up` of the map in `output`, from the top; NULL if it is no line of the map. */
static const char *map_line(int up)
{
    const char *at = strstr(output, "who saw which value");
    for (int i = 0; at != NULL && i < 3 + up; i++)
        at = strchr(at, '\n') != NULL ? strchr(at, '\n') + 1 : NULL;
    return at != NULL && strncmp(at, "    ", 4) == 0 && strcspn(at + 4, "\n") == SIDE ? at + 4
                                                                                      : NULL;
}

/* Cells of the map that are one of these letters. */
static int count_cells(const char *letters)
{
    int found = 0;
    for (int up = 0; up < SIDE; up++) {
        const char *line = map_line(up);
        assert_non_null(line);
        for (int x = 0; x < SIDE; x++)
            found += strchr(letters, line[x]) != NULL;
    }
    return found;
}

/* A variant of this device, or the test is skipped. */
static void walk(const char *kind)
{
    char line[128] = "walk poisson5/chaotic -n 8 --iterations 1 --problem ";
    need_gl();
    setenv("GLIBC_TUNABLES", "glibc.malloc.tcache_count=0:glibc.malloc.perturb=85",
           1); /* memory that nobody wrote is no state */
    assert_int_equal(run(strcat(line, kind)), 0);
    unsetenv("GLIBC_TUNABLES");
    if (strstr(output, "skip") != NULL)
        skip();
}

/* Whoever comes first finds old values all around; a cell on the rim never finds a new one
 * outside. */
TEST(cells_tell_what_they_read)
{
    static const char below[] = "4567cdef", above[] = "89abcdef", left[] = "13579bdf";
    assert_int_equal(run("info"), 0);
    const bool in_stamps = strstr(output, "llvmpipe") != NULL; /* a GPU takes all cells at once */
    walk("sine");
    assert_true(count_cells("0") >= 1);
    if (in_stamps)
        assert_true(count_cells("123456789abcdef") >= 1);
    assert_int_equal(count_cells("0123456789abcdef"), SIDE * SIDE);
    for (int i = 0; i < SIDE; i++) {
        assert_null(strchr(above, map_line(0)[i]));
        assert_null(strchr(below, map_line(SIDE - 1)[i]));
        assert_null(strchr(left, map_line(i)[0]));
    }
}

/* Far from the spike nothing changes in a step, and there is nothing to show. */
TEST(cells_far_away_tell_nothing)
{
    walk("spike");
    assert_true(count_cells(".") >= SIDE * SIDE - 32 && count_cells("0123456789abcdef") >= 4);
}

/* The map of a large grid is cut off. */
TEST(large_maps_are_cut)
{
    need_gl();
    assert_int_equal(run("walk poisson5/chaotic -n 85x42 --iterations 1"), 0);
    if (strstr(output, "skip") != NULL)
        skip();
    assert_int_equal(count("    (the lower left 80 x 40 cells of 85 x 42)\n"), 1);
    const char *line = strstr(output, "who saw which value");
    for (int i = 0; i < 43; i++, line++) {
        line = strchr(line, '\n');
        assert_true(i < 2 || i > 41 || (line != NULL && strcspn(line + 1, "\n") == 84));
    }
    assert_int_equal(run("walk poisson5/chaotic -n 81x3 --iterations 1"), 0);
    assert_int_equal(count("    (the lower left 80 x 3 cells of 81 x 3)\n"), 1);
    assert_int_equal(run("walk poisson5/chaotic -n 3x41 --iterations 1"), 0);
    assert_int_equal(count("    (the lower left 3 x 40 cells of 3 x 41)\n"), 1);
    assert_int_equal(run("walk poisson5/chaotic -n 80x40 --iterations 1"), 0);
    assert_int_equal(count("the lower left"), 0);
}

/* A value off by a thousandth is no case, nor is a cell that was left out. */
TEST(values_of_no_case_are_marked)
{
    need_gl();
    assert_int_equal(run("--version; mkdir -p r && cp -r " QP_SOURCE_DIR "/shaders/. r && "
                         "sed -i 's/sum \\* 0.25/sum * 0.25025/' r/poisson5/in_place.frag"),
                     0);
    setenv("QUADPASS_SHADER_DIR", "r", 1);
    const int code = run("walk poisson5/chaotic -n 8 --iterations 1 --problem sine");
    unsetenv("QUADPASS_SHADER_DIR");
    if (strstr(output, "skip") != NULL)
        skip();
    assert_true(code == 0 || code == 1);
    assert_int_equal(count_cells("!"), SIDE * SIDE);
}

GROUP(make_folder, remove_folder)
