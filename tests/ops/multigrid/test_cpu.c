/* SPDX-License-Identifier: MIT */
/* Multigrid on the CPU: cycles have the same bits on any number of threads, and a mistake in any
 * part of a variant's grids fails its check. */
/* wrap: qp_multigrid_share_of */
#include "ops/multigrid/solves.h"
#include "support/multigrid.h"

#include <stdlib.h>
#include <string.h>

#include "lab/engines/cpu.h"
#include "lab/ops/multigrid/multigrid.h"
#include "lab/plan/problem.h"

struct qp_multigrid_share __real_qp_multigrid_share_of(struct qp_multigrid_line line, int fine);
struct qp_multigrid_share __wrap_qp_multigrid_share_of(struct qp_multigrid_line line, int fine);

/* Mistake of interpolation: weights of nodes 5 and 6, of the node before or the one after. */
static int wrong_side = -1;

struct qp_multigrid_share __wrap_qp_multigrid_share_of(struct qp_multigrid_line line, int fine)
{
    struct qp_multigrid_share share = __real_qp_multigrid_share_of(line, fine);
    if (wrong_side >= 0 && (fine == 5 || fine == 6))
        share.weight[wrong_side] *= 0.75;
    return share;
}

/* ---- Threads ---- */

/* Two cycles on so many threads, and the bits of x in `out`, without gaps. */
static void cycle(const struct qp_problem *problem, int scheme, int threads,
                  enum qp_precision precision, char *out)
{
    const size_t width = (size_t)problem->width, height = (size_t)problem->height;
    const size_t bytes = qp_value_bytes(precision), pitch = width + 2;
    char *memory = calloc(2 * pitch * (height + 2), bytes);
    char *x = memory + (pitch + 1) * bytes, *to = x + pitch * (height + 2) * bytes;
    struct qp_multigrid multigrid;
    struct qp_multigrid_solver solver;
    assert_ok(qp_multigrid_make(problem->field, QP_MULTIGRID_BOTTOM, &multigrid));
    assert_ok(qp_multigrid_solver_make(&multigrid, precision, &qp_multigrid_schemes[scheme],
                                       &problem->field[QP_MULTIGRID_B], threads, &solver));
    qp_multigrid_solver_cycle(&solver, x, to, (long)pitch);
    qp_multigrid_solver_cycle(&solver, to, x, (long)pitch);
    for (size_t y = 0; y < height; y++)
        memcpy(out + y * width * bytes, x + y * pitch * bytes, width * bytes);
    qp_multigrid_solver_free(&solver);
    qp_multigrid_free(&multigrid);
    free(memory);
}

TEST(any_number_of_threads_has_the_same_bits)
{
    static const int threads[] = {2, 3, 7};
    enum { WIDTH = 300, HEIGHT = 210 };
    const size_t room = (size_t)WIDTH * HEIGHT * sizeof(double);
    char *one = malloc(room), *other = malloc(room);
    struct qp_problem problem = make("bidomain", WIDTH, HEIGHT);
    for (int scheme = QP_MULTIGRID_CHEBYSHEV3; scheme < QP_MULTIGRID_FRAGMENTS; scheme++) {
        const bool wide = scheme % 2 == 1 || qp_multigrid_schemes[scheme].refined;
        const enum qp_precision precision = wide ? QP_DOUBLES : QP_FLOATS;
        const size_t bytes = (size_t)WIDTH * HEIGHT * qp_value_bytes(precision);
        cycle(&problem, scheme, 1, precision, one);
        for (int k = 0; k < COUNT(threads); k++) {
            cycle(&problem, scheme, threads[k], precision, other);
            if (memcmp(one, other, bytes) != 0)
                fail_msg("scheme %d has other bits on %d threads", scheme, threads[k]);
        }
    }
    qp_problem_destroy(&problem);
    free(one);
    free(other);
}

/* ---- Mutants ---- */

/* Parts of a plan's grids, one of which has a mistake from its upload to its readback. */
enum part { NONE, WEIGHT, STEPS, RADIUS, STALE, DIAGONAL, INVERSE, RIGHT, BEFORE, AFTER, PARTS };

struct mutant {
    enum part part;
    struct qp_multigrid_smoother smoother;
    struct qp_multigrid_scheme scheme;
};

/* Scales the values of a row of the matrix, or one line of it. */
static void scale_row(const struct qp_multigrid_vectors *grid, int first, int lines, float factor)
{
    float *row = grid->row[grid->height / 2];
    for (long i = first * grid->pitch; i < (first + lines) * grid->pitch; i++)
        row[i] *= factor;
}

static void make_mistake(struct mutant *mutant, struct qp_multigrid_solver *solver)
{
    struct qp_multigrid_vectors *grid = &solver->grid[1];
    mutant->scheme = *solver->scheme;
    mutant->smoother = *solver->scheme->smoother;
    mutant->scheme.smoother = &mutant->smoother;
    solver->scheme = &mutant->scheme;
    mutant->smoother.weight[0] *= mutant->part == WEIGHT ? 1.01 : 1.0;
    mutant->smoother.steps -= mutant->part == STEPS;
    grid->radius *= mutant->part == RADIUS ? 1.1 : 1.0;
    if (mutant->part == STALE)
        scale_row(grid, 0, QP_JACOBI9_BANDS, 1.01f);
    if (mutant->part == DIAGONAL)
        scale_row(grid, QP_JACOBI9_BANDS, 1, 1.1f);
    const struct qp_multigrid_vectors *bottom = &solver->grid[solver->grids - 1];
    const int n = bottom->width * bottom->height;
    for (int i = 0; i < n * n && mutant->part == INVERSE; i++)
        solver->inverse[i] *= 1.1;
    for (int x = 0; x < solver->grid->width && mutant->part == RIGHT; x++)
        ((float *)solver->grid->b)[x] += 0.01f;
    wrong_side = mutant->part == BEFORE ? 0 : mutant->part == AFTER ? 1 : -1;
}

static void at_stage(void *user, enum qp_stage stage, struct qp_plan *plan, double seconds)
{
    (void)seconds;
    if (stage == QP_STAGE_UPLOAD)
        make_mistake(user, ((struct qp_plan_cpu *)plan->own)->more);
    if (stage == QP_STAGE_READBACK)
        wrong_side = -1;
}

static enum qp_verdict walk(const char *kind, int width, int height, enum part part)
{
    struct mutant mutant = {.part = part};
    struct qp_problem problem = make(kind, width, height);
    struct qp_result result;
    const struct qp_walk_desc desc = {.iterations = 1, .on_stage = at_stage, .user = &mutant};
    assert_ok(qp_walk(NULL, qp_variant_find("multigrid/openmp"), &problem, &desc, &result));
    qp_problem_destroy(&problem);
    return result.verdict;
}

TEST(a_mistake_in_any_part_fails_the_check)
{
    static const char *const kinds[] = {"field", "bidomain", "insulated"};
    for (int part = NONE; part < PARTS; part++) {
        for (int k = 0; k < COUNT(kinds); k++) {
            const enum qp_verdict verdict = walk(kinds[k], 63 + k, 34, part);
            if (verdict != (part == NONE ? QP_PASS : QP_FAIL))
                fail_msg("part %d on %s: verdict %d", part, kinds[k], verdict);
        }
    }
}

/* ---- Refined cycles ---- */

TEST(refined_cycles_are_as_many_as_in_double)
{
    static const struct {
        int width, height, cycles;
    } rows[] = {{65, 65, 12}, {129, 129, 12}, {66, 66, 18}, {250, 100, 18}, {2, 257, 18}};
    for (int k = 0; k < COUNT(rows); k++) {
        const double residual =
            support_multigrid_residual("multigrid/openmp_refined", "bidomain", rows[k].width,
                                       rows[k].height, rows[k].cycles, NULL);
        if (!(residual <= 1e-10))
            fail_msg("%d x %d: %g after %d cycles", rows[k].width, rows[k].height, residual,
                     rows[k].cycles);
    }
}

/* Faults of the size that float would round: of the matrix, of b, and of what is added to x. */
enum fault { SOUND, ROW, RIGHT_SIDE, SCALE, FAULTS };

static void plant(void *user, enum qp_stage stage, struct qp_plan *plan, double seconds)
{
    const enum fault fault = *(const enum fault *)user;
    (void)seconds;
    if (stage != QP_STAGE_UPLOAD)
        return;
    struct qp_multigrid_solver *solver = ((struct qp_plan_cpu *)plan->own)->more;
    const struct qp_multigrid_grid *grid = solver->fine.grid;
    if (fault == ROW)
        grid->row[grid->height / 2][QP_JACOBI9_DD * grid->width + 5] *= 1.0 + 0x1p-24;
    if (fault == RIGHT_SIDE)
        solver->right[grid->width * 3 + 5] *= 1.0 + 0x1p-24;
    if (fault == SCALE)
        solver->scale = 0x1p-130;
}

TEST(what_float_would_round_fails_the_check_of_refined_cycles)
{
    for (enum fault fault = SOUND; fault < FAULTS; fault++) {
        struct qp_problem problem = make("field", 63, 34);
        struct qp_result result;
        const struct qp_walk_desc desc = {.iterations = 12, .on_stage = plant, .user = &fault};
        assert_ok(
            qp_walk(NULL, qp_variant_find("multigrid/openmp_refined"), &problem, &desc, &result));
        if (result.verdict != (fault == SOUND ? QP_PASS : QP_FAIL))
            fail_msg("fault %d: error %g of %g", fault, result.error, result.tolerance);
        qp_problem_destroy(&problem);
    }
}

/* ---- Matrices that multigrid does not take ---- */

TEST(walks_of_indefinite_matrices_end_with_a_sentence)
{
    static const char *const names[] = {"multigrid/openmp", "multigrid/reference"};
    for (int k = 0; k < COUNT(names); k++) {
        struct qp_problem problem = make("field", 20, 30);
        struct qp_result result;
        const struct qp_walk_desc desc = {.iterations = 1};
        problem.field[QP_JACOBI9_DD].values[7] = 0.0f;
        const enum qp_status status =
            qp_walk(NULL, qp_variant_find(names[k]), &problem, &desc, &result);
        assert_true(status != QP_OK || result.verdict == QP_FAIL);
        assert_non_null(strstr(qp_error(), "the diagonal is 0 in row 8 of a grid of 20 x 30"));
        qp_problem_destroy(&problem);
    }
}
