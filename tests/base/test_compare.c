/* SPDX-License-Identifier: MIT */
/* Stage 10 without OpenGL: how answers are compared. */
#include "support/support.h"

#include <math.h>
#include <string.h>

#include "toolkit/base/compare.h"
#include "toolkit/base/layout.h"
#include "toolkit/base/nearest.h"

TEST(the_worst_place_is_found)
{
    float got[] = {1.0f, 2.0f, 3.5f, 4.0f, 5.25f, 6.0f};
    const double wanted[] = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0};
    struct qp_matrix matrix = {.width = 3, .height = 2, .values = got};
    struct qp_comparison worst = qp_compare(&matrix, wanted, 4.0);
    assert_true(worst.error == 0.125 && worst.x == 2 && worst.y == 0);
    assert_true(worst.got == 3.5 && worst.wanted == 3.0);
    assert_true(fabs(worst.rms - sqrt((0.5 * 0.5 + 0.25 * 0.25) / 6.0) / 4.0) < 1e-15);
    got[4] = -1.0f; /* further off, to the other side */
    worst = qp_compare(&matrix, wanted, 4.0);
    assert_true(worst.error == 1.5 && worst.x == 1 && worst.y == 1 && worst.got == -1.0);
}

/* NaN and infinity win over any finite error, wherever they are, even where both sides agree. */
TEST(nothing_infinite_passes)
{
    static const float strange[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 54; i++) {
        float got[] = {9e9f, 2.0f, 3.0f, 4.0f, 5.0f, -9e9f};
        double wanted[] = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0};
        int cell = i % 6, who = i / 18;
        if (who < 2) /* got alone, both, wanted alone */
            got[cell] = strange[i / 6 % 3];
        if (who > 0)
            wanted[cell] = (double)strange[i / 6 % 3];
        const struct qp_matrix matrix = {.width = 2, .height = 3, .values = got};
        struct qp_comparison worst = qp_compare(&matrix, wanted, 1.0);
        assert_true(worst.error == INFINITY);
        assert_int_equal(worst.y * 2 + worst.x, cell);
    }
}

/* Relative to the largest number that was rounded, ten tolerances are plain to see. */
TEST(one_cell_off_by_ten_tolerances)
{
    enum { CELLS = 13 * 11 };
    const double tolerance = 18.0 * 0x1p-24, scale = 3.0;
    float got[CELLS];
    double wanted[CELLS];
    struct qp_matrix matrix = {.width = 13, .height = 11, .values = got};
    for (int i = 0; i < CELLS; i++)
        got[i] = (float)(wanted[i] = i / 128.0);
    assert_true(qp_compare(&matrix, wanted, scale).error == 0.0);
    for (int i = 0; i < CELLS; i++) {
        got[i] = (float)(wanted[i] + 10.0 * tolerance * scale);
        struct qp_comparison worst = qp_compare(&matrix, wanted, scale);
        assert_true(worst.error > 9.0 * tolerance && worst.y * 13 + worst.x == i);
        got[i] = (float)wanted[i];
    }
}

/* The sign of a NaN means nothing; a cell that nobody wrote is no other NaN. */
TEST(what_is_no_number_is_told)
{
    const struct {
        float got;
        const char *told;
    } cases[] = {{-NAN, "cell is nan, which is no number; it should be 0.5"},
                 {NAN, "cell is nan, which is no number; it should be 0.5"},
                 {INFINITY, "cell is infinite; it should be 0.5"},
                 {-INFINITY, "cell is minus infinite; it should be 0.5"},
                 {(float)qp_unwritten(), "cell was never written; it should be 0.5"},
                 {0.25f, "cell is 0.25 and should be 0.5: off by 0.25 where 0.1 is rounding"}};
    const double wanted = 0.5;
    char text[128];
    for (int i = 0; i < COUNT(cases); i++) {
        float got = cases[i].got;
        const struct qp_matrix matrix = {.width = 1, .height = 1, .values = &got};
        struct qp_comparison worst = qp_compare(&matrix, &wanted, 1.0);
        qp_comparison_tell(&worst, NULL, "cell", 0.1, text, sizeof text);
        assert_string_equal(text, cases[i].told);
        assert_true(worst.unwritten == (i == 4));
    }
    assert_true(isnan(qp_unwritten()));
}

/* Errors below float's resolution are seen in double, and the sentence shows both numbers with
 * enough digits. */
TEST(doubles_are_compared_as_such)
{
    const double wanted[] = {0.5, 1.0 / 3.0};
    double got[] = {0.5, 1.0 / 3.0};
    const struct qp_matrix matrix = {
        .width = 1, .height = 2, .precision = QP_DOUBLES, .doubles = got};
    char text[128];
    assert_true(qp_compare(&matrix, wanted, 1.0).error == 0.0);
    got[1] += 0x1p-40;
    struct qp_comparison worst = qp_compare(&matrix, wanted, 1.0);
    assert_true(worst.error == 0x1p-40 && worst.y == 1);
    qp_comparison_tell(&worst, NULL, "cell", 1e-15, text, sizeof text);
    assert_string_equal(text, "cell is 0.33333333333424281 and should be 0.33333333333333331: off "
                              "by 9.1e-13 where 1e-15 is rounding");
    got[0] = qp_unwritten();
    worst = qp_compare(&matrix, wanted, 1.0);
    assert_true(worst.unwritten && worst.y == 0 && worst.error == INFINITY);
    got[0] = NAN;
    worst = qp_compare(&matrix, wanted, 1.0);
    assert_true(!worst.unwritten && worst.y == 0 && worst.error == INFINITY);
}

/* A slip of the fingers in three letters, an exchange of neighbours among them, or the name's
 * beginning. */
TEST(near_names_are_found)
{
    static const char *const names[] = {"k", "x", "size", "weight", "band_ll", NULL, "band_lu"};
    static const struct {
        const char *name, *near;
    } cases[] = {{"wieght", "weight"},
                 {"weihgt", "weight"},
                 {"Weigth", "weight"},
                 {"wgt", NULL},
                 {"sizes", "size"},
                 {"sise", "size"},
                 {"isze", "size"},
                 {"seiz", "size"},
                 {"wei", "weight"},
                 {"band_ul", "band_ll"},
                 {"band_xx", "band_ll"},
                 {"gain", NULL},
                 {"g", NULL},
                 {"", NULL},
                 {"kx", "k"}};
    for (int i = 0; i < COUNT(cases); i++) {
        const char *near = qp_nearest(cases[i].name, names, COUNT(names));
        if (cases[i].near == NULL ? near != NULL : near == NULL || strcmp(near, cases[i].near) != 0)
            fail_msg("'%s' is near '%s'", cases[i].name, near != NULL ? near : "nothing");
    }
    /* Two letters that changed places are one edit, as is another letter: the first name is
     * taken. */
    static const char *const alike[] = {"abx", "bac", "abcd"}, *const turned[] = {"bac", "abx"};
    assert_string_equal(qp_nearest("abc", alike, 2), "abx");
    assert_string_equal(qp_nearest("abc", turned, 2), "bac");
    assert_string_equal(qp_nearest("abc", alike, COUNT(alike)), "abcd"); /* which begins so */
}

/* Names of up to 64 letters are compared; longer ones are near none. */
TEST(long_names_are_near_none)
{
    char text[67] = "", name[67] = "";
    const char *const names[] = {name};
    memset(text, 'a', 64);
    memset(name, 'a', 64);
    text[0] = 'b';
    assert_ptr_equal(qp_nearest(text, names, 1), name);
    name[64] = 'a';
    assert_null(qp_nearest(text, names, 1));
    text[64] = 'a';
    assert_null(qp_nearest(text, names, 1));
    name[64] = '\0';
    assert_null(qp_nearest(text, names, 1));
}
