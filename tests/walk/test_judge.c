/* SPDX-License-Identifier: MIT */
/* Reports of judges on the worst cell: stage 10, and those of operations. */
#include "support/support.h"

#include <math.h>
#include <string.h>

#include "lab/ops/multigrid/multigrid.h"
#include "lab/ops/poisson5/poisson5.h"
#include "lab/ops/table.h"
#include "lab/plan/problem.h"
#include "lab/walk/walker.h"
#include "toolkit/base/compare.h"

/* Systems are stored one above the other in an answer: the cell is counted within its own. */
TEST(cells_are_named_within_their_system)
{
    float values[2 * 12] = {0};
    const struct qp_problem problem = {
        .op = &qp_op_poisson5, .width = 2, .height = 3, .answer_height = 3, .systems = 4};
    struct qp_result result = {.solution = {.width = 2, .height = 12, .values = values}};
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

/* ---- Operations that judge by themselves ---- */

/* Answers, by hand. A is twice the identity, so a residual is twice the error of x; of three sides,
 * and of three systems, one is right. The grid is below what bounds it, which is 0, in two
 * cells. Of a product with the identity the bound is x. For multigrid it is A x, with 4 on the
 * diagonal. */
static const struct {
    const char *op, *kind;
    int width, height, across, up; /* size of the problem, of the answer */
    float a[18], x[10];            /* a: the first field, if it is not zero */
    struct qp_comparison worst;
} judged[] = {{"gauss_jordan",
               "general",
               5,
               2,
               5,
               2,
               {2, 0, 2, 2, 2, 0, 2, 4, 4, 4},
               {1, 0, 1, 1, 1, 0, 1, 2.5f, 2.25f, 2},
               {1.0 / 9.0, 0.0725853, 2, 1, .got = 1.0}},
              {"gauss_jordan_batch",
               "general",
               2,
               3,
               3,
               3,
               {2, 0, 2, 0, 2, 4, 2, 0, 2, 0, 2, 4, 2, 0, 2, 0, 2, 4},
               {1, 2, 0, 1, 2.5f, 0, 1, 2.25f, 0},
               {1.0 / 9.0, 0.0725853, 1, 1, .got = 1.0}},
              {"poisson5",
               "sine",
               2,
               2,
               2,
               2,
               {0},
               {0, -0.25f, 0, -0.5f},
               {0.5, 0.2795085, 1, 1, .got = -0.5}},
              {"spmv",
               "identity",
               2,
               2,
               2,
               2,
               {2, 4, 2, 4},
               {0, 1, 0.25f, -3},
               {0.75, 0.4001953, 1, 1, .got = -3.0}},
              {"multigrid",
               "field",
               2,
               2,
               2,
               2,
               {0},
               {0, 0.25f, 0, -0.5f},
               {2.25, 1.3806701, 1, 1, .got = -0.5}}};

static void assert_comparison(int k, const struct qp_comparison *got,
                              const struct qp_comparison *wanted)
{
    if (got->error != wanted->error || got->x != wanted->x || got->y != wanted->y ||
        !(got->rms == wanted->rms || fabs(got->rms - wanted->rms) < 1e-6) ||
        got->got != wanted->got || got->wanted != wanted->wanted || got->unwritten ||
        got->precision != QP_FLOATS)
        fail_msg("%s: error %g, rms %.7g, (%d, %d), got %g, wanted %g, %d, %d", judged[k].op,
                 got->error, got->rms, got->x, got->y, got->got, got->wanted, got->unwritten,
                 (int)got->precision);
}

/* Each member is set, whatever was there. Infinity is as wrong as can be, in either measure. */
TEST(judges_set_each_member)
{
    int judges = 0;
    for (size_t k = 0; qp_op_at(k) != NULL; k++)
        judges += qp_op_at(k)->judge != NULL;
    assert_int_equal(judges, COUNT(judged));
    for (int k = 0; k < COUNT(judged); k++) {
        double reference[4] = {0};
        float x[10];
        struct qp_problem problem;
        assert_ok(qp_problem_create(&(struct qp_problem_desc){.op = judged[k].op,
                                                              .kind = judged[k].kind,
                                                              .width = judged[k].width,
                                                              .height = judged[k].height},
                                    &problem));
        if (judged[k].a[0] != 0.0f)
            memcpy(problem.field[0].values, judged[k].a,
                   (size_t)problem.field[0].width * (size_t)problem.field[0].height * sizeof *x);
        memcpy(x, judged[k].x, sizeof x);
        problem.order = problem.op == &qp_op_poisson5    ? (int)QP_POISSON5_CHAOTIC
                        : problem.op == &qp_op_multigrid ? (int)QP_MULTIGRID_CHEBYSHEV3
                                                         : 0;
        problem.reference = reference;
        problem.reference_scale = 1.0;
        const struct qp_matrix answer = {
            .width = judged[k].across, .height = judged[k].up, .values = x};
        struct qp_comparison worst, wanted = judged[k].worst;
        memset(&worst, 0xa5, sizeof worst);
        assert_true(problem.op->judge->measure(&problem, &answer, &worst));
        assert_comparison(k, &worst, &wanted);
        x[wanted.y * answer.width + wanted.x] = INFINITY;
        memset(&worst, 0xa5, sizeof worst);
        assert_true(problem.op->judge->measure(&problem, &answer, &worst));
        assert_true(worst.error == INFINITY && worst.rms == INFINITY);
        assert_true(worst.got == INFINITY);
        problem.reference = NULL;
        qp_problem_destroy(&problem);
    }
}
