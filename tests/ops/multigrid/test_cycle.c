/* SPDX-License-Identifier: MIT */
/* Cycles of multigrid by their factors: what a residual is multiplied by. A cycle with a mistake
 * still converges, but slower. */
/* wrap: qp_multigrid_share_of */
#include "ops/multigrid/solves.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "toolkit/base/random.h"

/* ---- Interpolation with a mistake ---- */

static void (*mistake)(struct qp_multigrid_line line, int fine, struct qp_multigrid_share *share);

struct qp_multigrid_share __real_qp_multigrid_share_of(struct qp_multigrid_line line, int fine);
struct qp_multigrid_share __wrap_qp_multigrid_share_of(struct qp_multigrid_line line, int fine);

struct qp_multigrid_share __wrap_qp_multigrid_share_of(struct qp_multigrid_line line, int fine)
{
    struct qp_multigrid_share share = __real_qp_multigrid_share_of(line, fine);
    if (mistake != NULL)
        mistake(line, fine, &share);
    return share;
}

/* Cycles from x = 0 to a residual of 1e-5 and of 1e-10, and the largest factor of a cycle from the
 * third on. */
struct course {
    int to_5, to_10;
    double factor;
};

static struct course run(struct solve *s, const struct qp_multigrid_scheme *scheme)
{
    enum { MOST = 60 };
    struct course course = {MOST, MOST, 0.0};
    memset(s->x, 0, (size_t)s->n * sizeof *s->x);
    const double first = residual(s);
    double before = first;
    for (int k = 1; k <= MOST && course.to_10 == MOST; k++) {
        const double now = take(s, scheme);
        course.factor = k > 2 ? fmax(course.factor, now / before) : 0.0;
        course.to_5 = now <= 1e-5 * first && course.to_5 == MOST ? k : course.to_5;
        course.to_10 = now <= 1e-10 * first ? k : course.to_10;
        before = now;
        if (!(now < 1e3 * first))
            course.factor = INFINITY;
    }
    return course;
}

/* ---- Cycles and factors ---- */

static const struct {
    const char *kind;
    int width, height, scheme, to_5, to_10;
    double factor;
} courses[] = {
    {"bidomain", 65, 65, QP_MULTIGRID_CHEBYSHEV3, 5, 10, 0.105},
    {"bidomain", 65, 65, QP_MULTIGRID_CHEBYSHEV2, 7, 14, 0.20},
    {"bidomain", 65, 65, QP_MULTIGRID_JACOBI, 8, 17, 0.29},
    {"bidomain", 65, 65, QP_MULTIGRID_COLOURS, 5, 9, 0.08},
    {"bidomain", 65, 65, QP_MULTIGRID_W_CYCLE, 5, 9, 0.085},
    {"bidomain", 65, 65, QP_MULTIGRID_FULL_CYCLE, 4, 7, 0.04},
    {"bidomain", 129, 129, QP_MULTIGRID_CHEBYSHEV3, 5, 10, 0.105},
    {"bidomain", 130, 130, QP_MULTIGRID_CHEBYSHEV3, 5, 11, 0.14},
    {"bidomain", 300, 100, QP_MULTIGRID_CHEBYSHEV3, 5, 11, 0.14},
    {"bidomain", 300, 100, QP_MULTIGRID_JACOBI, 8, 17, 0.30},
    {"bidomain", 2, 257, QP_MULTIGRID_CHEBYSHEV3, 8, 17, 0.28},
    {"bidomain", 66, 64, QP_MULTIGRID_CHEBYSHEV3, 6, 11, 0.16},
    {"field", 63, 63, QP_MULTIGRID_CHEBYSHEV3, 4, 8, 0.06},
    {"field", 127, 127, QP_MULTIGRID_CHEBYSHEV3, 4, 8, 0.06},
    {"field", 66, 66, QP_MULTIGRID_CHEBYSHEV3, 5, 11, 0.16},
    {"field", 127, 31, QP_MULTIGRID_COLOURS, 5, 11, 0.14},
    {"insulated", 65, 65, QP_MULTIGRID_CHEBYSHEV3, 4, 8, 0.06},
    {"insulated", 97, 64, QP_MULTIGRID_CHEBYSHEV3, 4, 9, 0.08},
    {"jumps", 127, 127, QP_MULTIGRID_CHEBYSHEV3, 12, 26, 0.45},
};

TEST(cycles_and_factors)
{
    for (int k = 0; k < COUNT(courses); k++) {
        struct solve s = begin(courses[k].kind, courses[k].width, courses[k].height);
        const struct course c = run(&s, &qp_multigrid_schemes[courses[k].scheme]);
        if (c.to_5 > courses[k].to_5 || c.to_10 > courses[k].to_10 || c.factor > courses[k].factor)
            fail_msg("%s, %d x %d, scheme %d: %d and %d cycles, factor %.3f", courses[k].kind,
                     courses[k].width, courses[k].height, courses[k].scheme, c.to_5, c.to_10,
                     c.factor);
        end(&s);
    }
}

/* ---- A cycle is a symmetric positive operator ---- */

static double dot(const double *a, const double *b, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

TEST(a_cycle_is_symmetric_and_positive)
{
    static const int schemes[] = {QP_MULTIGRID_CHEBYSHEV3, QP_MULTIGRID_CHEBYSHEV2,
                                  QP_MULTIGRID_JACOBI, QP_MULTIGRID_COLOURS, QP_MULTIGRID_W_CYCLE};
    static const char *const kinds[] = {"field", "bidomain", "jumps", "insulated"};
    for (int k = 0; k < COUNT(schemes) * COUNT(kinds); k++) {
        const struct qp_multigrid_scheme *scheme =
            &qp_multigrid_schemes[schemes[k % COUNT(schemes)]];
        struct solve s = begin(kinds[k / COUNT(schemes)], 37 + k, 20 + k % 7);
        uint64_t random = 9;
        for (int i = 0; i < 2 * s.n; i++)
            s.b[i] = qp_random(&random, -1.0, 1.0); /* b and x */
        assert_ok(qp_multigrid_cycle(&s.multigrid, scheme, s.b, s.r));
        assert_ok(qp_multigrid_cycle(&s.multigrid, scheme, s.x, s.e));
        const double one = dot(s.x, s.r, s.n), other = dot(s.b, s.e, s.n);
        const double size = norm_of(s.x, s.n) * norm_of(s.r, s.n);
        /* The mean is taken out before a cycle, not after it: of constants M is no inverse. */
        if (!s.multigrid.singular && fabs(one - other) > 1e-11 * size)
            fail_msg("scheme %d on %s: %g and %g", schemes[k % COUNT(schemes)], s.problem.kind, one,
                     other);
        assert_true(dot(s.b, s.r, s.n) > 0.0);
        end(&s);
    }
}

/* ---- Full multigrid ---- */

/* Largest error of x beside the product of sines, which solves the differential equation. */
static double error_of(const struct solve *s)
{
    const int width = s->problem.width, height = s->problem.height;
    const double pi = 3.14159265358979323846;
    double largest = 0.0;
    for (int i = 0; i < s->n; i++)
        largest = fmax(largest, fabs(s->x[i] - sin(pi * (i % width + 1) / (width + 1)) *
                                                   sin(pi * (i / width + 1) / (height + 1))));
    return largest;
}

/* Full cycle: one from 0 has at most 1.3 of the error that the discretisation itself has. */
TEST(a_full_cycle_reaches_the_discretisation_error)
{
    static const int sizes[] = {31, 63, 64, 127};
    for (int k = 0; k < COUNT(sizes); k++) {
        struct solve s = begin("sine", sizes[k], sizes[k]);
        take(&s, &qp_multigrid_schemes[QP_MULTIGRID_FULL_CYCLE]);
        const double full = error_of(&s);
        run(&s, &qp_multigrid_schemes[QP_MULTIGRID_CHEBYSHEV3]);
        const double discrete = error_of(&s);
        if (full > 1.3 * discrete)
            fail_msg("%d: %g, and the discretisation's error is %g", sizes[k], full, discrete);
        assert_true(discrete < 10.0 / (sizes[k] * sizes[k]));
        end(&s);
    }
    assert_true(qp_multigrid_work(&qp_multigrid_schemes[QP_MULTIGRID_FULL_CYCLE]) <= 20.0);
}

/* ---- Mutants, which fail by the factor ---- */

/* Weights between nodes, on nodes, of the wide element and at the end of a line. */
static void between_less(struct qp_multigrid_line line, int fine, struct qp_multigrid_share *share)
{
    (void)line, (void)fine;
    share->weight[1] *= share->weight[1] == 0.5 ? 0.7 : 1.0;
}

static void between_other(struct qp_multigrid_line line, int fine, struct qp_multigrid_share *share)
{
    (void)line, (void)fine;
    share->weight[0] *= share->weight[0] == 0.5 ? 0.7 : 1.0;
}

static void on_less(struct qp_multigrid_line line, int fine, struct qp_multigrid_share *share)
{
    (void)line, (void)fine;
    share->weight[0] *= share->weight[0] == 1.0 ? 0.8 : 1.0;
}

static void wide_even(struct qp_multigrid_line line, int fine, struct qp_multigrid_share *share)
{
    (void)line, (void)fine;
    if (fabs(share->weight[0] - 0.5) > 0.1 && share->weight[0] < 1.0)
        share->weight[0] = share->weight[1] = 0.5;
}

static void wide_turned(struct qp_multigrid_line line, int fine, struct qp_multigrid_share *share)
{
    (void)line, (void)fine;
    if (fabs(share->weight[0] - 0.5) > 0.1 && share->weight[0] < 1.0) {
        share->weight[0] = 1.0 - share->weight[0];
        share->weight[1] = 1.0 - share->weight[1];
    }
}

static void last_missing(struct qp_multigrid_line line, int fine, struct qp_multigrid_share *share)
{
    if (fine == line.nodes - 1 && line.nodes > 2)
        share->weight[0] = share->weight[1] = 0.0;
}

static void one_of_two(struct qp_multigrid_line line, int fine, struct qp_multigrid_share *share)
{
    if (line.nodes == 2 && fine == 1)
        share->weight[0] = 0.0;
}

static void rim_half(struct qp_multigrid_line line, int fine, struct qp_multigrid_share *share)
{
    if (line.low && fine == 0 && line.nodes > 2)
        share->weight[1] = 1.0;
}

static const struct {
    const char *name, *kind;
    int width, height;
    void (*mistake)(struct qp_multigrid_line, int, struct qp_multigrid_share *);
} mutants[] = {
    {"weight of the node after", "bidomain", 65, 65, between_less},
    {"weight of the node before", "bidomain", 65, 65, between_other},
    {"weight on a node", "bidomain", 65, 65, on_less},
    {"even weights in the wide element", "insulated", 64, 64, wide_even},
    {"the wide element turned round", "insulated", 64, 64, wide_turned},
    {"the last node", "insulated", 65, 65, last_missing},
    {"the second of two nodes", "bidomain", 2, 257, one_of_two},
    {"the weight beside the rim", "field", 63, 63, rim_half},
};

/* A mutant's factor is above that of the sound cycle by a tenth at least. */
static void expect_slower(const char *name, double sound, double mutant)
{
    if (!(mutant > 1.1 * sound))
        fail_msg("%s: factor %.4f, sound %.4f", name, mutant, sound);
}

TEST(mistakes_of_the_interpolation_fail_by_the_factor)
{
    const struct qp_multigrid_scheme *scheme = &qp_multigrid_schemes[QP_MULTIGRID_CHEBYSHEV3];
    for (int k = 0; k < COUNT(mutants); k++) {
        struct solve s = begin(mutants[k].kind, mutants[k].width, mutants[k].height);
        const double sound = run(&s, scheme).factor;
        mistake = mutants[k].mistake;
        const double mutant = run(&s, scheme).factor;
        mistake = NULL;
        expect_slower(mutants[k].name, sound, mutant);
        end(&s);
    }
}

TEST(mistakes_of_the_smoother_fail_by_the_factor)
{
    static const struct qp_multigrid_smoother *const smoothers[] = {
        &qp_multigrid_chebyshev3, &qp_multigrid_chebyshev2, &qp_multigrid_jacobi};
    struct solve s = begin("bidomain", 65, 65);
    for (int k = 0; k < COUNT(smoothers); k++) {
        struct qp_multigrid_smoother wrong = *smoothers[k];
        const struct qp_multigrid_scheme sound = {smoothers[k], QP_MULTIGRID_V, 30, false};
        const struct qp_multigrid_scheme mutant = {&wrong, QP_MULTIGRID_V, 30, false};
        const double factor = run(&s, &sound).factor;
        for (int step = 0; step < wrong.steps; step++) {
            wrong.weight[step] *= 0.7;
            expect_slower("a smaller weight", factor, run(&s, &mutant).factor);
            wrong.weight[step] *= 1.5 / 0.7;
            expect_slower("a larger weight", factor, run(&s, &mutant).factor);
            wrong.weight[step] /= 1.5;
        }
        wrong.steps--;
        expect_slower("a step less", factor, run(&s, &mutant).factor);
    }
    end(&s);
}

/* After the steps the part of an error that remains is, of each eigenvalue from r / 6 to r,
 * Chebyshev's polynomial of it over that of 0, by the recurrence of three terms. */
TEST(weights_are_those_of_chebyshev)
{
    static const struct qp_multigrid_smoother *const smoothers[] = {&qp_multigrid_chebyshev3,
                                                                    &qp_multigrid_chebyshev2};
    for (int k = 0; k < COUNT(smoothers); k++) {
        for (double value = 1.0 / 6.0; value < 1.0; value += 0.01) {
            const double at[] = {(7.0 - 12.0 * value) / 5.0, 7.0 / 5.0};
            double left = 1.0, before[] = {1.0, 1.0}, now[] = {at[0], at[1]};
            for (int step = 0; step < smoothers[k]->steps; step++) {
                left *= 1.0 - smoothers[k]->weight[step] * value;
                for (int side = 0; side < 2 && step > 0; side++) {
                    const double next = 2.0 * at[side] * now[side] - before[side];
                    before[side] = now[side];
                    now[side] = next;
                }
            }
            assert_true(fabs(left - now[0] / now[1]) < 1e-9);
        }
    }
}

/* Replaces a coarse grid's matrix by that of another problem, which a hierarchy kept from before
 * would have. */
TEST(a_stale_coarse_matrix_fails_by_the_factor)
{
    const struct qp_multigrid_scheme *scheme = &qp_multigrid_schemes[QP_MULTIGRID_CHEBYSHEV3];
    struct solve s = begin("bidomain", 65, 65), other = begin("insulated", 65, 65);
    const double sound = run(&s, scheme).factor;
    for (int k = 1; k + 1 < s.multigrid.grids; k++) {
        const struct qp_multigrid_grid kept = s.multigrid.grid[k];
        s.multigrid.grid[k] = other.multigrid.grid[k];
        const double mutant = run(&s, scheme).factor;
        s.multigrid.grid[k] = kept;
        expect_slower("a stale matrix", sound, mutant);
    }
    end(&s);
    end(&other);
}

/* A right-hand side whose mean remains: no cycle gets below it. (The constant's share of the
 * inverse adds a constant to x, and tests of the inverse see that.) */
TEST(a_missing_projection_fails_by_the_factor)
{
    const struct qp_multigrid_scheme *scheme = &qp_multigrid_schemes[QP_MULTIGRID_CHEBYSHEV3];
    struct solve s = begin("insulated", 65, 65);
    const double sound = run(&s, scheme).factor;
    s.multigrid.singular = false;
    expect_slower("the right-hand side's mean", sound, run(&s, scheme).factor);
    end(&s);
}
