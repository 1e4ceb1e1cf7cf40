/* SPDX-License-Identifier: MIT */
/* What the judge tells of the worst cell. */
#include "support/support.h"

#include <math.h>
#include <string.h>

#include "ops/poisson5/poisson5.h"
#include "plan/problem.h"
#include "walk/walker.h"

/* Systems stand one above the other in an answer: the cell is counted within its own. */
static void cells_are_named_within_their_system(void **state)
{
    float values[2 * 12] = {0};
    const struct qp_problem problem = {
        .op = &qp_op_poisson5, .width = 2, .height = 3, .answer_height = 3, .systems = 4};
    struct qp_result result = {.solution = {.width = 2, .height = 12, .values = values}};
    (void)state;
    values[7 * 2 + 1] = INFINITY;
    assert_ok(qp_look(&problem, QP_BOUND, &result));
    assert_int_equal(result.verdict, QP_FAIL);
    assert_int_equal(result.worst_x, 1);
    assert_int_equal(result.worst_y, 1);
    assert_int_equal(result.worst_system, 2);
    assert_non_null(strstr(result.reason, "cell (1, 1) of system 2 "));
    values[0] = NAN; /* the first of several */
    assert_ok(qp_look(&problem, QP_BOUND, &result));
    assert_non_null(strstr(result.reason, "cell (0, 0) of system 0 "));
    values[0] = values[7 * 2 + 1] = 0.0f;
    assert_ok(qp_look(&problem, QP_BOUND, &result));
    assert_int_equal(result.verdict, QP_BOUND);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(cells_are_named_within_their_system)};
    return cmocka_run_group_tests_name("judge", tests, NULL, NULL);
}
