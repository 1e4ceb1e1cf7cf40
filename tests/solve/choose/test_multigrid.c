/* SPDX-License-Identifier: MIT */
/* Multigrid in a solve: taken by itself where it is quickest, left for conjugate gradients with its
 * cycles where they gain too little, and for other methods where it refuses. */
#include "support/exact.h"
#include "support/meshes.h"
#include "support/stops.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include <quadpass/method.h>

static struct qp_side solve(struct qp_context *context, const struct qp_market *a,
                            const struct qp_solve_desc *desc)
{
    struct qp_answer got;
    assert_ok(qp_solve_system(context, a, NULL, 1, NULL, desc, &got));
    const struct qp_side side = got.side[0];
    assert_true(exact_residual(a, NULL, got.x) <= side.residual);
    for (int i = 0; i < a->rows && side.ending == QP_CONVERGED; i++)
        assert_true(fabs(got.x[i] - 1.0) < 1e-3);
    qp_answer_destroy(&got);
    return side;
}

/* Steps of cg with cycles: fewer than cycles alone, and some tens on hard meshes. */
TEST(cycles_precondition_cg)
{
    static const struct {
        struct mesh mesh;
        int steps;
    } cases[] = {{{.width = 65, .height = 65, .heart = true}, 8},
                 {{.width = 50, .height = 80}, 8},
                 {{.width = 90, .height = 90, .across = 1e-3}, 80},
                 {{.width = 90, .height = 90, .islands = 1e4}, 80}};
    struct qp_context *context = support_need_context(state);
    for (int k = 0; k < COUNT(cases); k++) {
        struct qp_market a = meshes_make(&cases[k].mesh);
        const struct qp_solve_desc desc = {
            .method = "cg", .precondition = "multigrid", .tolerance = 1e-10};
        const struct qp_side side = solve(context, &a, &desc);
        if (side.ending != QP_CONVERGED || side.steps > cases[k].steps)
            fail_msg("case %d: %s", k, side.sentence);
        assert_non_null(strstr(side.sentence, " of cg with cycles of multigrid"));
        qp_market_destroy(&a);
    }
}

TEST(the_quickest_is_taken)
{
    struct qp_context *context = support_need_context(state);
    struct qp_market a = meshes_make(&(struct mesh){.width = 70, .height = 70});
    const struct qp_side side = solve(context, &a, NULL);
    assert_string_equal(side.solver, "multigrid");
    assert_true(side.ending == QP_CONVERGED && side.steps <= 6);
    assert_non_null(strstr(side.reason, "multigrid was taken, for the matrix is symmetric with a "
                                        "positive diagonal, on a grid of 70 x 70"));
    for (size_t k = 0; k < a.count; k++) /* D A D */
        a.value[k] = ldexp(a.value[k], a.row[k] * 7 % 11 + a.column[k] * 7 % 11);
    const struct qp_side scaled = solve(context, &a, &(struct qp_solve_desc){.tolerance = 1e-12});
    assert_string_equal(scaled.solver, "cg");
    assert_true(scaled.ending == QP_CONVERGED && scaled.steps < 900);
    qp_market_destroy(&a);
}

/* An indefinite matrix that looks like others: a coarse diagonal is not positive. */
TEST(refusals_lead_to_the_next)
{
    struct qp_context *context = support_need_context(state);
    struct qp_market a = meshes_make(&(struct mesh){.width = 70, .height = 70, .less = 0.05});
    struct qp_answer got;
    assert_ok(qp_solve_system(context, &a, NULL, 1, NULL, NULL, &got));
    assert_null(strstr(got.side[0].reason, "multigrid was taken"));
    assert_string_not_equal(got.side[0].solver != NULL ? got.side[0].solver : "", "multigrid");
    qp_answer_destroy(&got);
    qp_market_destroy(&a);
}

/* Asked for or not, cg goes on from where slow cycles are. */
TEST(slow_cycles_go_on_as_cg)
{
    struct qp_context *context = support_need_context(state);
    struct qp_market a = meshes_make(&(struct mesh){.width = 90, .height = 90, .across = 1e-3});
    for (int asked = 0; asked < 2; asked++) {
        const struct qp_solve_desc desc = {.method = asked ? "multigrid" : NULL, .tolerance = 1e-9};
        const struct qp_side side = solve(context, &a, &desc);
        assert_int_equal(side.ending, QP_CONVERGED);
        assert_string_equal(side.solver, "cg");
        assert_non_null(strstr(side.sentence, " cycles of multigrid alone came before, and gained "
                                              "too little"));
        assert_non_null(strstr(side.reason, "cg with cycles of multigrid as its preconditioner"));
    }
    qp_market_destroy(&a);
}

/* Stopped at each look, in cycles and in cg, a solve has the bits of one in a piece. */
TEST(pieces_have_the_same_bits)
{
    static const char file[] = "/tmp/quadpass-test-multigrid.qpc";
    struct qp_context *context = support_need_context(state);
    struct qp_market a = meshes_make(&(struct mesh){.width = 90, .height = 90, .across = 1e-3});
    struct qp_solve_desc desc = {
        .method = "multigrid", .tolerance = 1e-9, .interrupt = &stop, .on_progress = stops_look};
    struct qp_answer one, got;
    int pieces = 0;
    stops_start(0);
    assert_ok(qp_solve_system(context, &a, NULL, 1, NULL, &desc, &one));
    desc.checkpoint = file;
    for (bool goes_on = true; goes_on; pieces++) {
        desc.resume = pieces > 0 ? file : NULL;
        stops_start(3);
        assert_ok(qp_solve_system(context, &a, NULL, 1, NULL, &desc, &got));
        goes_on = got.side[0].ending == QP_INTERRUPTED && pieces < 50;
        if (goes_on)
            qp_answer_destroy(&got);
    }
    unlink(file);
    stops_start(0);
    assert_true(pieces >= 4 && got.side[0].ending == QP_CONVERGED);
    assert_int_equal(got.side[0].steps, one.side[0].steps);
    assert_memory_equal(got.x, one.x, (size_t)a.rows * sizeof *got.x);
    qp_answer_destroy(&one);
    qp_answer_destroy(&got);
    qp_market_destroy(&a);
}

GROUP(support_open_context, support_close_context)
