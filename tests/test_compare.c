/* SPDX-License-Identifier: MIT */
/* Room 10 without OpenGL: how answers are compared. */
#include "support.h"

#include <math.h>

#include "base/compare.h"

static void the_worst_place_is_found(void **state)
{
    (void)state;
    float got[] = {1.0f, 2.0f, 3.5f, 4.0f, 5.25f, 6.0f};
    const double wanted[] = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0};
    struct qp_matrix matrix = {3, 2, got};
    struct qp_comparison worst = qp_compare(&matrix, wanted, 4.0);
    assert_true(worst.finite && worst.error == 0.125 && worst.x == 2 && worst.y == 0);
    assert_true(worst.got == 3.5 && worst.wanted == 3.0);
    assert_true(fabs(worst.rms - sqrt((0.5 * 0.5 + 0.25 * 0.25) / 6.0) / 4.0) < 1e-15);
    got[4] = -1.0f; /* further off, to the other side */
    worst = qp_compare(&matrix, wanted, 4.0);
    assert_true(worst.error == 1.5 && worst.x == 1 && worst.y == 1 && worst.got == -1.0);
}

/* NaN and infinity win over any finite error, wherever they stand, even where both sides agree. */
static void nothing_infinite_passes(void **state)
{
    (void)state;
    static const float strange[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 54; i++) {
        float got[] = {9e9f, 2.0f, 3.0f, 4.0f, 5.0f, -9e9f};
        double wanted[] = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0};
        int cell = i % 6, who = i / 18;
        if (who < 2) /* got alone, both, wanted alone */
            got[cell] = strange[i / 6 % 3];
        if (who > 0)
            wanted[cell] = (double)strange[i / 6 % 3];
        struct qp_comparison worst = qp_compare(&(struct qp_matrix){2, 3, got}, wanted, 1.0);
        assert_true(!worst.finite && worst.error == INFINITY);
        assert_int_equal(worst.y * 2 + worst.x, cell);
    }
}

/* Relative to the largest number that was rounded, ten tolerances are plain to see. */
static void one_cell_off_by_ten_tolerances(void **state)
{
    (void)state;
    enum { CELLS = 13 * 11 };
    const double tolerance = 18.0 * 0x1p-24, scale = 3.0;
    float got[CELLS];
    double wanted[CELLS];
    struct qp_matrix matrix = {13, 11, got};
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_worst_place_is_found),
        cmocka_unit_test(nothing_infinite_passes),
        cmocka_unit_test(one_cell_off_by_ten_tolerances),
    };
    return cmocka_run_group_tests_name("compare", tests, NULL, NULL);
}
