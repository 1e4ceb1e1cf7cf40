/* SPDX-License-Identifier: MIT */
/* Grids of multigrid: coarse matrices are P' A P by naive C, and the interpolation P has the values
 * of hats at the nodes' places. */
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/ops/jacobi9/jacobi9.h"
#include "lab/ops/multigrid/multigrid.h"
#include "lab/plan/problem.h"
#include "toolkit/base/random.h"

/* Each direction from 1 to 7 nodes, primes, powers of two and their neighbours, long and thin. */
static const struct qp_size sizes[] = {{1, 2},   {2, 2},   {3, 5},    {4, 4},   {5, 6},
                                       {7, 4},   {1, 64},  {6, 40},   {13, 17}, {31, 29},
                                       {32, 33}, {64, 65}, {66, 250}, {2, 257}, {300, 100}};
static const char *const kinds[] = {"field", "bidomain", "jumps", "insulated"};

static struct qp_problem make(const char *kind, struct qp_size size)
{
    const struct qp_problem_desc desc = {
        .op = "multigrid", .kind = kind, .width = size.width, .height = size.height, .seed = 3};
    struct qp_problem problem;
    assert_ok(qp_problem_create(&desc, &problem));
    return problem;
}

/* All grids down to a single node; a singular matrix would be 0 there, and ends with four. */
static struct qp_multigrid grids_of(const struct qp_problem *problem)
{
    struct qp_multigrid multigrid;
    const bool singular = strcmp(problem->kind, "insulated") == 0;
    assert_ok(qp_multigrid_make(problem->field, singular ? 4 : 1, &multigrid));
    return multigrid;
}

static void for_all(void (*test)(const struct qp_problem *, const struct qp_multigrid *))
{
    for (int k = 0; k < COUNT(sizes) * COUNT(kinds); k++) {
        if (!support_takes(k / COUNT(kinds) + k % COUNT(kinds), 2))
            continue;
        struct qp_problem problem = make(kinds[k % COUNT(kinds)], sizes[k / COUNT(kinds)]);
        struct qp_multigrid multigrid = grids_of(&problem);
        test(&problem, &multigrid);
        qp_multigrid_free(&multigrid);
        qp_problem_destroy(&problem);
    }
}

/* ---- Naive P' A P ---- */

/* Place of a coarse node on a line of nodes 0 to last, rims among them: every other node, and of an
 * even number the last in place of the last but one. */
static int place(int last, int k)
{
    return 2 * k > last || (last % 2 == 1 && 2 * k == last - 1) ? last : 2 * k;
}

/* Weight of coarse node k at a fine node: the hat between its neighbours' places. */
static double weight(struct qp_multigrid_line line, int fine, int k)
{
    const int last = line.nodes - 1 + line.low + line.high;
    const int at = fine + line.low, middle = place(last, k + line.low);
    if (line.nodes <= 2)
        return k == 0 ? 1.0 : 0.0;
    if (at == middle)
        return 1.0;
    const int beside = place(last, k + line.low + (at > middle ? 1 : -1));
    const double part = (double)(beside - at) / (beside - middle);
    return part > 0.0 && part < 1.0 ? part : 0.0;
}

static double entry(const struct qp_multigrid_grid *grid, int x, int y, int dx, int dy)
{
    for (int k = 0; k < QP_JACOBI9_BANDS; k++) {
        if (qp_band_dx(k) == dx && qp_band_dy(k) == dy)
            return grid->row[y][k * grid->width + x];
    }
    return 0.0;
}

/* Sum over all pairs of fine neighbours near two coarse nodes. */
static double product(const struct qp_multigrid_grid *fine, int x, int y, int to_x, int to_y)
{
    double sum = 0.0;
    for (int j = 2 * y - 2; j <= 2 * y + 4; j++) {
        for (int i = 2 * x - 2; i <= 2 * x + 4; i++) {
            if (i < 0 || j < 0 || i >= fine->width || j >= fine->height)
                continue;
            const double left = weight(fine->across, i, x) * weight(fine->up, j, y);
            for (int k = 0; k < 9 && left != 0.0; k++) {
                const int dx = k % 3 - 1, dy = k / 3 - 1;
                if (i + dx >= 0 && i + dx < fine->width && j + dy >= 0 && j + dy < fine->height)
                    sum += left * entry(fine, i, j, dx, dy) * weight(fine->across, i + dx, to_x) *
                           weight(fine->up, j + dy, to_y);
            }
        }
    }
    return sum;
}

static void compare_bands(const struct qp_problem *problem, const struct qp_multigrid *multigrid)
{
    for (int k = 1; k < multigrid->grids; k++) {
        const struct qp_multigrid_grid *fine = &multigrid->grid[k - 1], *grid = fine + 1;
        for (int i = 0; i < grid->width * grid->height * 9; i++) {
            const int x = i / 9 % grid->width, y = i / 9 / grid->width;
            const int dx = i % 3 - 1, dy = i / 3 % 3 - 1;
            const bool inside =
                x + dx >= 0 && x + dx < grid->width && y + dy >= 0 && y + dy < grid->height;
            const double wanted = inside ? product(fine, x, y, x + dx, y + dy) : 0.0;
            if (fabs(entry(grid, x, y, dx, dy) - wanted) > 1e-12 * entry(grid, x, y, 0, 0))
                fail_msg("%s, %d x %d, grid %d: (%d, %d) to (%d, %d) is %g and should be %g",
                         problem->kind, problem->width, problem->height, k, x, y, x + dx, y + dy,
                         entry(grid, x, y, dx, dy), wanted);
        }
    }
}

TEST(coarse_bands_are_the_triple_product)
{
    for_all(compare_bands);
}

/* ---- Symmetry and row sums ---- */

static void compare_halves(const struct qp_problem *problem, const struct qp_multigrid *multigrid)
{
    const bool insulated = strcmp(problem->kind, "insulated") == 0;
    assert_int_equal(multigrid->singular, insulated);
    for (int k = 0; k < multigrid->grids; k++) {
        const struct qp_multigrid_grid *grid = &multigrid->grid[k];
        for (int i = 0; i < grid->width * grid->height; i++) {
            const int x = i % grid->width, y = i / grid->width;
            double sum = 0.0;
            for (int d = 0; d < 9; d++) {
                const int dx = d % 3 - 1, dy = d / 3 - 1;
                const double value = entry(grid, x, y, dx, dy);
                sum += value;
                if (value != 0.0)
                    assert_true(fabs(value - entry(grid, x + dx, y + dy, -dx, -dy)) <=
                                1e-12 * entry(grid, x, y, 0, 0));
            }
            if (insulated && k + 1 < multigrid->grids)
                assert_true(fabs(sum) <= 1e-12 * entry(grid, x, y, 0, 0));
        }
    }
}

TEST(coarse_matrices_are_symmetric_and_keep_row_sums_of_zero)
{
    for_all(compare_halves);
}

static int nodes_of(const struct qp_multigrid_grid *grid)
{
    return grid->width * grid->height;
}

static double dot(const double *a, const double *b, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static void fill(double *values, int n, uint64_t seed)
{
    for (int i = 0; i < n; i++)
        values[i] = qp_random(&seed, -1.0, 1.0);
}

static void compare_transfers(const struct qp_problem *problem,
                              const struct qp_multigrid *multigrid)
{
    const int most = problem->width * problem->height;
    double *values = calloc((size_t)most * 4, sizeof *values);
    double *fine = values, *coarse = fine + most, *down = coarse + most, *up = down + most;
    for (int k = 1; k < multigrid->grids; k++) {
        const struct qp_multigrid_grid *from = &multigrid->grid[k - 1], *to = from + 1;
        fill(fine, nodes_of(from), 5);
        fill(coarse, nodes_of(to), 6);
        memset(up, 0, (size_t)nodes_of(from) * sizeof *up);
        qp_multigrid_restrict(from, fine, to, down);
        qp_multigrid_prolong(to, coarse, from, up);
        const double one = dot(coarse, down, nodes_of(to)), other = dot(up, fine, nodes_of(from));
        assert_true(fabs(one - other) <= 1e-12 * most);
    }
    free(values);
}

TEST(restriction_is_the_transpose_of_prolongation)
{
    for_all(compare_transfers);
}

/* A linear function of the place, 0 on rims that were left out, is interpolated to itself; without
 * a rim so is the constant. */
TEST(linear_functions_are_prolonged_to_themselves)
{
    for (int nodes = 1; nodes <= 67; nodes++) {
        for (int rims = 0; rims < 4; rims++) {
            const struct qp_multigrid_line line = {nodes, rims % 2 == 1, rims / 2 == 1};
            const struct qp_multigrid_line coarse = qp_multigrid_coarse(line);
            const int last = nodes - 1 + line.low + line.high;
            assert_true(coarse.nodes >= 1 && (coarse.nodes < nodes || nodes == 1));
            for (int i = 0; i < nodes && nodes > 2; i++) {
                const struct qp_multigrid_share share = qp_multigrid_share_of(line, i);
                double one = 0.0, at = 0.0;
                for (int side = 0; side < 2; side++) {
                    const int k = share.at + side;
                    if (share.weight[side] == 0.0)
                        continue;
                    assert_true(k >= 0 && k < coarse.nodes);
                    one += share.weight[side];
                    at += share.weight[side] * place(last, k + line.low);
                }
                const int rest = i + line.low;
                if (rims == 0 && fabs(one - 1.0) + fabs(at - rest) > 1e-14 * nodes)
                    fail_msg("%d of %d: weights of %g, at %g", i, nodes, one, at);
                if (rims == 1 && fabs(at - rest) > 1e-14 * nodes)
                    fail_msg("%d of %d beside a rim: at %g", i, nodes, at);
                if (rims == 2 && fabs(last * one - at - (last - rest)) > 1e-13 * nodes)
                    fail_msg("%d of %d before a rim: %g at %g", i, nodes, one, at);
            }
        }
    }
}

/* ---- The coarsest grid ---- */

/* A times its inverse is the identity, or where A is singular less the mean of each column. */
static void look_at_inverse(const char *kind, struct qp_size size)
{
    struct qp_problem problem = make(kind, size);
    struct qp_multigrid multigrid;
    assert_ok(qp_multigrid_make(problem.field, 30, &multigrid));
    const struct qp_multigrid_grid *grid = &multigrid.grid[multigrid.grids - 1];
    const int n = nodes_of(grid);
    assert_in_range(n, 1, 30);
    for (int j = 0; j < n; j++) {
        double y[30];
        qp_multigrid_apply(grid, multigrid.inverse + (size_t)j * (size_t)n, y);
        for (int i = 0; i < n; i++)
            assert_true(fabs(y[i] - (i == j) + (multigrid.singular ? 1.0 / n : 0.0)) < 1e-11);
    }
    qp_multigrid_free(&multigrid);
    qp_problem_destroy(&problem);
}

TEST(inverses_of_the_coarsest_grid)
{
    for (int k = 0; k < COUNT(sizes) * COUNT(kinds); k++)
        look_at_inverse(kinds[k % COUNT(kinds)], sizes[k / COUNT(kinds)]);
}

/* ---- Matrices that are refused ---- */

TEST(matrices_that_are_not_positive_definite_are_refused)
{
    struct qp_problem problem = make("field", (struct qp_size){9, 9});
    struct qp_multigrid multigrid;
    problem.field[QP_JACOBI9_DD].values[40] = -4.0f;
    assert_int_equal(qp_multigrid_make(problem.field, 30, &multigrid), QP_BAD_INPUT);
    assert_non_null(strstr(qp_error(), "the diagonal is -4 in row 41"));
    assert_int_equal(multigrid.grids, 0);
    for (int i = 0; i < 81; i++)
        problem.field[QP_JACOBI9_DD].values[i] = 0.5f;
    assert_int_equal(qp_multigrid_make(problem.field, 30, &multigrid), QP_BAD_INPUT);
    assert_non_null(strstr(qp_error(), "positive definite"));
    problem.field[QP_JACOBI9_DD].values[3] = NAN;
    assert_int_equal(qp_multigrid_make(problem.field, 30, &multigrid), QP_BAD_INPUT);
    qp_problem_destroy(&problem);
}
