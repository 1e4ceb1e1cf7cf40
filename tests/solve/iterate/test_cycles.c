/* SPDX-License-Identifier: MIT */
/* Multigrid with matrices from outside: cycles and factors, answers that are known exactly, null
 * spaces, refusals and endings. */
#include "support/exact.h"
#include "support/meshes.h"
#include "support/stops.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Systems ---- */

static void *room(size_t count, size_t size)
{
    void *values = calloc(count, size);
    assert_non_null(values);
    return values;
}

/* x of small whole numbers, and A x. */
static double *load_of(const struct qp_market *a, double *x)
{
    double *b = room((size_t)a->rows, sizeof *b);
    for (int i = 0; i < a->rows; i++) {
        x[i] = i * 7 % 13 - 6;
        b[i] = 0.0;
    }
    for (size_t k = 0; k < a->count; k++)
        b[a->row[k]] += a->value[k] * x[a->column[k]];
    return b;
}

static void free_all(struct qp_market *a, double *x, double *b, struct qp_solution *got)
{
    free(x);
    free(b);
    qp_solution_destroy(got);
    qp_market_destroy(a);
}

/* ---- Convergence ---- */

/* Cycles to 1e-10 at most, their mean factor, and the error in parts of x, by its condition. */
static const struct {
    struct mesh mesh;
    int cycles;
    double factor, error;
} grids[] = {
    {{.width = 63, .height = 63}, 9, 0.07, 1e-8},
    {{.width = 66, .height = 66}, 11, 0.13, 1e-8},
    {{.width = 100, .height = 34}, 11, 0.13, 1e-8},
    {{.width = 2, .height = 129}, 17, 0.28, 1e-8},
    {{.width = 5, .height = 1}, 5, 0.1, 1e-8},
    {{.width = 120, .height = 120, .islands = 10.0}, 14, 0.2, 1e-6},
    {{.width = 65, .height = 65, .heart = true}, 10, 0.11, 1e-7},
    {{.width = 50, .height = 80, .heart = true}, 11, 0.14, 1e-7},
};

TEST(cycles_converge_at_their_rate)
{
    for (int k = 0; k < COUNT(grids); k++) {
        const struct mesh *mesh = &grids[k].mesh;
        struct qp_market a = meshes_make(mesh);
        const struct qp_solve_desc desc = {.method = "multigrid",
                                           .tolerance = 1e-10,
                                           .width = mesh->width,
                                           .height = mesh->height};
        double *x = room((size_t)a.rows, sizeof *x), *b = load_of(&a, x), error = 0.0;
        struct qp_solution got;
        assert_ok(qp_solve(NULL, &a, b, NULL, &desc, &got));
        for (int i = 0; i < a.rows; i++)
            error = fmax(error, fabs(got.x[i] - x[i]) / 6.0);
        const double factor = pow(got.residual, 1.0 / got.steps);
        if (got.ending != QP_CONVERGED || got.steps > grids[k].cycles || factor > grids[k].factor ||
            error > grids[k].error)
            fail_msg("%d x %d: %s; factor %.3f, error %.2g", mesh->width, mesh->height,
                     got.sentence, factor, error);
        assert_true(exact_residual(&a, b, got.x) <= got.residual);
        assert_string_equal(got.variant->name, "multigrid/openmp");
        assert_string_equal(got.method, "multigrid");
        assert_non_null(strstr(got.sentence, " cycles of multigrid"));
        free_all(&a, x, b, &got);
    }
}

/* To the last digit of double, by variants with other cycles; float alone ends at 1e-6. */
TEST(rounds_go_below_the_floor_of_float)
{
    static const char *const variants[] = {"multigrid/openmp", "multigrid/openmp_double",
                                           "multigrid/openmp_jacobi", "multigrid/openmp_w"};
    struct qp_market a = meshes_make(&(struct mesh){.width = 95, .height = 61});
    for (int k = 0; k < COUNT(variants); k++) {
        const struct qp_solve_desc desc = {.variant = qp_variant_find(variants[k]), .refine = true};
        struct qp_solution got;
        assert_ok(qp_solve(NULL, &a, NULL, NULL, &desc, &got));
        assert_int_equal(got.ending, QP_CONVERGED);
        assert_true(got.residual < 1e-15 && got.steps <= 40 && got.rounds >= 3);
        for (int i = 0; i < a.rows; i++)
            assert_true(fabs(got.x[i] - 1.0) < 1e-11);
        qp_solution_destroy(&got);
    }
    qp_market_destroy(&a);
}

/* ---- The constant as null space ---- */

TEST(null_spaces_are_met)
{
    struct qp_market a = meshes_make(&(struct mesh){.width = 66, .height = 40, .rimless = true});
    const struct qp_solve_desc desc = {.method = "multigrid", .tolerance = 1e-10};
    double *x = room((size_t)a.rows, sizeof *x), *b = load_of(&a, x), mean = 0.0;
    double *start = room((size_t)a.rows, sizeof *start), own = 0.0;
    struct qp_solution got;
    for (int i = 0; i < a.rows; i++) {
        start[i] = 5.0;
        own += x[i] / a.rows;
    }
    assert_ok(qp_solve(NULL, &a, b, start, &desc, &got));
    assert_int_equal(got.ending, QP_CONVERGED);
    assert_true(got.steps <= 11 && exact_residual(&a, b, got.x) < 1e-10);
    assert_non_null(strstr(got.sentence, "; x has the mean 0; x is one of many"));
    for (int i = 0; i < a.rows; i++) {
        mean += got.x[i] / a.rows;
        assert_true(fabs(got.x[i] - (x[i] - own)) < 1e-7);
    }
    assert_true(fabs(mean) < 1e-14);
    qp_solution_destroy(&got);
    b[7] += 2.0; /* now there is no answer */
    assert_int_equal(qp_solve(NULL, &a, b, NULL, &desc, &got), QP_BAD_INPUT);
    assert_non_null(strstr(qp_error(), "; its sum is 2, so multigrid finds no answer"));
    free(start);
    free_all(&a, x, b, &got);
}

/* ---- Refusals ---- */

TEST(other_matrices_are_refused)
{
    static const struct {
        int row, column; /* an entry that is added */
        double value;
        struct qp_solve_desc desc;
        const char *words;
    } cases[] = {
        {9, 10, -0.5, {0}, "couples the last node of a grid's row to the first of the next"},
        {3, 4, -0.5, {0}, "not symmetric (row 4, column 5 holds -1.5 and row 5, column 4 -1)"},
        {12, 12, -9.0, {0}, "the diagonal is -5 in row 13"},
        {3, 77, 1.0, {0}, "fits nine bands on no grid"},
        {0, 0, 0.0, {.weight = 0.5}, "a weight is one of jacobi's steps"},
        {0, 0, 0.0, {.precondition = "none"}, "and not with multigrid"},
        {0, 0, 0.0, {.width = 10, .height = 9}, "has 90 cells, but the matrix has 80 rows"},
    };
    for (int k = 0; k < COUNT(cases); k++) {
        struct qp_market a = meshes_make(&(struct mesh){.width = 10, .height = 8});
        struct qp_solve_desc desc = cases[k].desc;
        struct qp_solution got;
        desc.method = "multigrid";
        size_t e = 0;
        while (e < a.count && (a.row[e] != cases[k].row || a.column[e] != cases[k].column))
            e++;
        a.row[e] = cases[k].row;
        a.column[e] = cases[k].column;
        a.value[e] = cases[k].value + (e < a.count ? a.value[e] : 0.0);
        a.count += e == a.count;
        assert_int_not_equal(qp_solve(NULL, &a, NULL, NULL, &desc, &got), QP_OK);
        if (strstr(qp_error(), cases[k].words) == NULL)
            fail_msg("%d: %s", k, qp_error());
        qp_market_destroy(&a);
    }
}

TEST(names_that_do_not_go_together_are_refused)
{
    struct qp_market a = meshes_make(&(struct mesh){.width = 10, .height = 8});
    static const char *const pairs[][2] = {{"multigrid", "jacobi9/openmp"},
                                           {"jacobi", "multigrid/openmp"},
                                           {"multigrid", "spmv/diagonals_printed"},
                                           {"cg", "multigrid/openmp"}};
    for (int k = 0; k < COUNT(pairs); k++) {
        const struct qp_solve_desc desc = {.method = pairs[k][0],
                                           .variant = qp_variant_find(pairs[k][1])};
        struct qp_solution got;
        assert_int_equal(qp_solve(NULL, &a, NULL, NULL, &desc, &got), QP_BAD_USE);
        assert_non_null(strstr(qp_error(), "does not go with the method"));
    }
    qp_market_destroy(&a);
}

/* ---- Endings ---- */

TEST(endings_are_told)
{
    struct qp_market a = meshes_make(&(struct mesh){.width = 90, .height = 90, .across = 1e-3});
    struct qp_market b = meshes_make(&(struct mesh){.width = 63, .height = 63});
    struct qp_solve_desc desc = {.method = "multigrid", .tolerance = 1e-10};
    struct qp_solution got;
    assert_ok(qp_solve(NULL, &a, NULL, NULL, &desc, &got));
    assert_int_equal(got.ending, QP_STAGNATED);
    assert_true(got.steps <= 10 && got.residual < 0.1);
    assert_non_null(strstr(got.sentence, "; --method cg --precondition multigrid takes"));
    qp_solution_destroy(&got);
    desc.most_steps = 3;
    assert_ok(qp_solve(NULL, &b, NULL, NULL, &desc, &got));
    assert_int_equal(got.ending, QP_OUT_OF_STEPS);
    assert_true(got.steps == 3 && got.residual < 1e-2);
    qp_solution_destroy(&got);
    for (size_t k = 0; k < b.count; k++)
        b.value[k] -= b.row[k] == b.column[k] ? 0.5 : 0.0;
    assert_int_equal(qp_solve(NULL, &b, NULL, NULL, &desc, &got), QP_BAD_INPUT);
    assert_non_null(strstr(qp_error(), "positive definite"));
    qp_market_destroy(&a);
    qp_market_destroy(&b);
}

/* A solve that is stopped at each look, and goes on from its file, has the bits of one in a
 * piece. */
TEST(pieces_have_the_same_bits)
{
    static const char file[] = "/tmp/quadpass-test-cycles.qpc";
    struct qp_market a = meshes_make(&(struct mesh){.width = 66, .height = 47, .islands = 10.0});
    struct qp_solve_desc desc = {.variant = qp_variant_find("multigrid/openmp_jacobi"),
                                 .tolerance = 1e-13,
                                 .interrupt = &stop,
                                 .on_progress = stops_look};
    struct qp_solution one, got;
    int pieces = 0;
    stops_start(0);
    assert_ok(qp_solve(NULL, &a, NULL, NULL, &desc, &one));
    assert_true(one.ending == QP_CONVERGED && one.rounds >= 5);
    desc.checkpoint = file;
    for (bool goes_on = true; goes_on; pieces++) {
        desc.resume = pieces > 0 ? file : NULL;
        stops_start(1);
        assert_ok(qp_solve(NULL, &a, NULL, NULL, &desc, &got));
        goes_on = got.ending == QP_INTERRUPTED && pieces < 20;
        if (goes_on)
            qp_solution_destroy(&got);
    }
    unlink(file);
    assert_true(pieces >= one.rounds && got.ending == QP_CONVERGED);
    assert_int_equal(got.steps, one.steps);
    assert_int_equal(got.rounds, one.rounds);
    assert_memory_equal(got.x, one.x, (size_t)a.rows * sizeof *got.x);
    stops_start(0);
    qp_solution_destroy(&one);
    qp_solution_destroy(&got);
    qp_market_destroy(&a);
}

TEST(interrupts_leave_the_iterate)
{
    struct qp_market a = meshes_make(&(struct mesh){.width = 63, .height = 63});
    const struct qp_solve_desc desc = {
        .method = "multigrid", .tolerance = 1e-13, .interrupt = &stop, .on_progress = stops_look};
    struct qp_solution got;
    stops_start(1);
    assert_ok(qp_solve(NULL, &a, NULL, NULL, &desc, &got));
    assert_int_equal(got.ending, QP_INTERRUPTED);
    assert_true(got.steps == 5 && got.residual < 1e-5);
    stops_start(0);
    qp_solution_destroy(&got);
    qp_market_destroy(&a);
}
