/* SPDX-License-Identifier: MIT */
/* Forecasts: the method that is taken by itself, and what is said of its steps. */
#include "support/exact.h"
#include "support/matrices.h"
#include "support/meshes.h"

#include <stdlib.h>
#include <string.h>

#include <quadpass/method.h>

#include "lab/baseline/baseline.h"

/* Units of rows and of unknowns that differ by 2^60: the mesh that it is, and no step of Jacobi. */
TEST(units_change_no_forecast)
{
    struct qp_context *context = support_need_context(state);
    struct qp_market a = meshes_make(&(struct mesh){.width = 70, .height = 70});
    struct qp_answer got;
    for (size_t k = 0; k < a.count; k++) /* D A E */
        a.value[k] = ldexp(a.value[k], a.row[k] * 7 % 61 - a.column[k] * 11 % 59);
    assert_ok(qp_solve_system(context, &a, NULL, 1, NULL, NULL, &got));
    assert_string_equal(got.side[0].solver, "bicgstab");
    assert_non_null(
        strstr(got.side[0].reason, "the matrix is not symmetric and dominant in other units"));
    assert_true(got.side[0].ending == QP_CONVERGED &&
                exact_residual(&a, NULL, got.x) <= got.side[0].residual);
    qp_answer_destroy(&got);
    qp_market_destroy(&a);
}

/* Rows that are not dominant: a forecast of steps would be one of another matrix. */
TEST(unknown_steps_are_called_so)
{
    struct qp_context *context = support_need_context(state);
    struct qp_market a = meshes_make(&(struct mesh){.width = 70, .height = 70, .less = 0.01});
    struct qp_answer got;
    assert_ok(qp_solve_system(context, &a, NULL, 1, NULL, NULL, &got));
    assert_non_null(strstr(got.side[0].reason,
                           "the matrix is symmetric, and nobody knows its steps, for rows are not "
                           "dominant: a mesh would need about "));
    qp_answer_destroy(&got);
    qp_market_destroy(&a);
}

/* A positive diagonal, and x'A x < 0 for an x that is seen at once: no step of conjugate gradients,
 * which would break down, comes before MINRES, and none before a direct solver that is quick. */
TEST(indefinite_matrices_are_seen)
{
    struct qp_context *context = support_need_context(state);
    struct qp_market a = meshes_make(&(struct mesh){.width = 70, .height = 70, .less = 0.3});
    struct qp_solve_desc desc = {.tolerance = 1e-2};
    struct qp_answer got;
    assert_ok(qp_solve_system(context, &a, NULL, 1, NULL, &desc, &got));
    assert_string_equal(got.side[0].solver, "minres");
    assert_non_null(strstr(got.side[0].reason, "minres was taken, for the matrix is indefinite"));
    assert_null(strstr(got.side[0].sentence, "of cg"));
    qp_answer_destroy(&got);
    desc = (struct qp_solve_desc){.direct = baseline_direct()};
    if (desc.direct != NULL) {
        assert_ok(qp_solve_system(context, &a, NULL, 1, NULL, &desc, &got));
        assert_string_equal(got.side[0].solver, "klu");
        assert_true(got.side[0].steps == 0 && got.side[0].ending == QP_CONVERGED);
        qp_answer_destroy(&got);
    }
    qp_market_destroy(&a);
}

/* Convection and diffusion, whose rows are dominant: a direct solver comes first where its forecast
 * is the shorter one, but not in other units, where it exchanges rows, and not of a Laplacian. */
TEST(unsymmetric_meshes_are_factored)
{
    struct qp_context *context = support_need_context(state);
    struct qp_market a = meshes_make(&(struct mesh){.width = 50, .height = 50});
    struct qp_solve_desc desc = {.direct = baseline_direct()};
    struct qp_answer got;
    if (desc.direct == NULL)
        support_skip("blas");
    assert_ok(qp_solve_system(context, &a, NULL, 1, NULL, &desc, &got));
    assert_true(got.side[0].steps > 0 && got.side[0].ending == QP_CONVERGED);
    qp_answer_destroy(&got);
    for (size_t k = 0; k < a.count; k++) /* sums of rows stay, or fall at the rim */
        a.value[k] *= 1.0 + 0.5 * ((a.row[k] == a.column[k] + 1) - (a.row[k] == a.column[k] - 1));
    assert_ok(qp_solve_system(context, &a, NULL, 1, NULL, &desc, &got));
    assert_string_equal(got.side[0].solver, "klu");
    assert_non_null(strstr(got.side[0].reason, "the host's klu was taken, for it is expected to"));
    assert_null(strstr(got.side[0].reason, "if rows were"));
    assert_true(got.side[0].steps == 0 && got.side[0].ending == QP_CONVERGED &&
                exact_residual(&a, NULL, got.x) <= got.side[0].residual * (1.0 + 1e-12));
    qp_answer_destroy(&got);
    for (size_t k = 0; k < a.count; k++)
        a.value[k] = ldexp(a.value[k], a.row[k] * 7 % 61 - a.column[k] * 11 % 59);
    assert_ok(qp_solve_system(context, &a, NULL, 1, NULL, &desc, &got));
    assert_string_equal(got.side[0].solver, "bicgstab");
    qp_answer_destroy(&got);
    qp_market_destroy(&a);
}

/* Small ones need no device, no CHOLMOD, whose library takes longer to load, and those that fit a
 * grid no steps before, unless an iteration was asked for: no rows show that they are regular. */
TEST(small_matrices_are_factored_at_once)
{
    struct qp_solve_desc desc = {.direct = baseline_direct()};
    struct qp_answer got;
    if (desc.direct == NULL)
        support_skip("blas");
    for (int n = 100; n <= 400; n *= 2) {
        struct qp_market a = matrices_make(matrices_helmholtz, n);
        a.value[0] = 0.5; /* its row is not dominant */
        desc.weight = 0.0;
        assert_ok(qp_solve_system(NULL, &a, NULL, 1, NULL, &desc, &got));
        assert_string_equal(got.side[0].solver, "klu");
        assert_non_null(strstr(got.side[0].reason, "it shows whether the matrix is singular"));
        assert_true(got.side[0].steps == 0 && got.side[0].ending == QP_CONVERGED);
        qp_answer_destroy(&got);
        desc.weight = 0.5;
        assert_ok(qp_solve_system(NULL, &a, NULL, 1, NULL, &desc, &got));
        assert_true(got.side[0].steps > 0);
        qp_answer_destroy(&got);
        qp_market_destroy(&a);
    }
}

/* Plates side by side, each of SIDE x SIDE nodes: the square of the Laplacian, of rows that are
 * dominant in no units. */
enum { SIDE = 46, NODES = SIDE * SIDE };

static struct qp_market make_plates(int times)
{
    enum { MOST = 25 };
    const struct mesh mesh = {.width = SIDE, .height = SIDE};
    struct qp_market a = meshes_make(&mesh),
                     all = {.rows = times * NODES, .columns = times * NODES};
    static double laplacian[NODES][NODES];
    memset(laplacian, 0, sizeof laplacian);
    for (size_t k = 0; k < a.count; k++)
        laplacian[a.row[k]][a.column[k]] = a.value[k];
    all.row = calloc((size_t)all.rows * MOST, sizeof *all.row);
    all.column = calloc((size_t)all.rows * MOST, sizeof *all.column);
    all.value = calloc((size_t)all.rows * MOST, sizeof *all.value);
    for (int i = 0; i < all.rows; i++) {
        const int node = i % NODES;
        for (int j = node - 2 * SIDE; j <= node + 2 * SIDE; j++) {
            double sum = 0.0;
            const int near[] = {node, node - 1, node + 1, node - SIDE, node + SIDE};
            for (int k = 0; k < 5 && j >= 0 && j < NODES; k++)
                sum += near[k] >= 0 && near[k] < NODES
                           ? laplacian[node][near[k]] * laplacian[near[k]][j]
                           : 0.0;
            if (sum == 0.0)
                continue;
            all.row[all.count] = i;
            all.column[all.count] = i - node + j;
            all.value[all.count++] = sum;
        }
    }
    qp_market_destroy(&a);
    return all;
}

/* A direct solver that refuses so many times. */
static int refusals;

static enum qp_status hesitate(const struct qp_market *matrix, double seconds,
                               const volatile sig_atomic_t *interrupt, void **factors, char *why,
                               size_t size)
{
    const struct qp_direct *direct = baseline_direct();
    while (direct->next != NULL)
        direct = direct->next;
    *factors = NULL;
    snprintf(why, size, "the factors are too many");
    return refusals-- > 0 ? QP_UNSUPPORTED
                          : direct->factor(matrix, seconds, interrupt, factors, why, size);
}

/* MINRES comes first where rows are dominant in no units, a direct solver is not quicker, and an
 * elimination ends what MINRES does not, as under a smooth load; not where that takes long. */
TEST(plates_begin_with_minres)
{
    struct qp_context *context = support_need_context(state);
    if (baseline_direct() == NULL)
        support_skip("blas");
    struct qp_direct late = *baseline_direct();
    while (late.next != NULL)
        late = *late.next;
    late.factor = hesitate;
    const struct qp_solve_desc desc = {.direct = &late};
    struct qp_market one = make_plates(1), all = make_plates(8);
    double *load = calloc((size_t)all.rows, sizeof *load);
    struct qp_answer got, by_cg;
    for (size_t k = 0; k < all.count; k++)
        load[all.row[k]] += all.value[k] * (all.column[k] % NODES * 37 % 11);
    for (int large = 0; large < 2; large++) {
        const struct qp_market *a = large ? &all : &one;
        refusals = 1;
        assert_ok(qp_solve_system(context, a, load, 1, NULL, &desc, &got));
        assert_string_equal(got.side[0].solver, large ? "cg" : "minres");
        assert_true(got.converged == 1 && exact_residual(a, load, got.x) <= 1e-5);
        assert_ok(qp_solve_system(context, a, load, 1, NULL, NULL, &by_cg));
        assert_string_equal(by_cg.side[0].solver, "cg");
        if (!large && got.side[0].steps >= by_cg.side[0].steps)
            fail_msg("%d steps for %d of cg", got.side[0].steps, by_cg.side[0].steps);
        qp_answer_destroy(&got);
        qp_answer_destroy(&by_cg);
    }
    for (int i = 0; i < NODES; i++)
        load[i] = 1.0;
    refusals = 1;
    assert_ok(qp_solve_system(context, &one, load, 1, NULL, &desc, &got));
    assert_non_null(strstr(got.side[0].reason, "minres"));
    assert_true(got.side[0].steps > 0 && got.side[0].method == QP_ELIMINATION);
    assert_true(got.converged == 1 && exact_residual(&one, load, got.x) <= 1e-9);
    const int steps = got.side[0].steps;
    qp_answer_destroy(&got);
    refusals = 2; /* more is to come than dense elimination takes, which follows */
    assert_ok(qp_solve_system(context, &one, load, 1, NULL, &desc, &got));
    assert_string_equal(got.side[0].reason, "elimination was taken, for the factors are too many");
    assert_true(got.side[0].steps == steps && got.side[0].solver == NULL);
    qp_answer_destroy(&got);
    free(load);
    qp_market_destroy(&one);
    qp_market_destroy(&all);
}

GROUP(support_open_context, support_close_context)
