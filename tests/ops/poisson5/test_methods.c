/* SPDX-License-Identifier: MIT */
/* Methods over the variants of poisson5: their weights, what they leave of a residual, and the
 * residual that a walk reports while steps have weights or an order. */
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/ops/poisson5/accuracy.h"
#include "lab/ops/poisson5/methods.h"

enum { CYCLE = 256 };

static struct qp_problem make(const char *kind, int width, int height)
{
    struct qp_problem problem;
    assert_ok(qp_problem_create(
        &(struct qp_problem_desc){
            .op = "poisson5", .kind = kind, .width = width, .height = height, .seed = 3},
        &problem));
    return problem;
}

static double value_at(const struct qp_problem *p, const double *u, int x, int y)
{
    return x >= 0 && x < p->width && y >= 0 && y < p->height ? u[y * p->width + x] : 0.0;
}

/* ||h^2 f - A u|| / ||h^2 f||. */
static double residual_of(const struct qp_problem *p, const double *u)
{
    double rest = 0.0, all = 0.0;
    for (int y = 0; y < p->height; y++) {
        for (int x = 0; x < p->width; x++) {
            const double b = qp_poisson5_rhs(p, x, y);
            const double r = b - 4.0 * value_at(p, u, x, y) + value_at(p, u, x - 1, y) +
                             value_at(p, u, x + 1, y) + value_at(p, u, x, y - 1) +
                             value_at(p, u, x, y + 1);
            rest += r * r;
            all += b * b;
        }
    }
    return sqrt(rest / all);
}

/* The answer in double after desc.iterations steps, of which the caller frees `values`; not
 * checked. */
static struct qp_result walk(const char *row, struct qp_problem *problem, struct qp_walk_desc desc,
                             double **values)
{
    struct qp_result result;
    desc.unchecked = desc.keep_solution = true;
    assert_ok(qp_walk(NULL, qp_variant_find(row), problem, &desc, &result));
    const size_t cells = (size_t)problem->width * (size_t)problem->height;
    assert_int_equal(result.solution.width, problem->width);
    *values = malloc(cells * sizeof **values);
    for (size_t i = 0; i < cells; i++)
        (*values)[i] = qp_matrix_value(&result.solution, i);
    qp_matrix_destroy(&result.solution);
    return result;
}

static void start_at_zero(struct qp_problem *problem)
{
    struct qp_matrix *x = qp_problem_field(problem, "x");
    memset(x->values, 0, (size_t)x->width * (size_t)x->height * sizeof *x->values);
}

/* ---- Weights ---- */

/* Lebedev and Finogenov's own example, a cycle of eight: the zeros 1, 15, 7, 9, 3, 13, 5, 11. */
TEST(weights_stand_in_their_order)
{
    static const int odd[] = {1, 15, 7, 9, 3, 13, 5, 11};
    struct qp_problem problem = make("field", 31, 20);
    const double rho = qp_poisson5_radius(&problem);
    double weights[8];
    qp_poisson5_method("chebyshev")->fill(&problem, 8, weights);
    for (int k = 0; k < 8; k++)
        assert_true(fabs(weights[k] * (1.0 - rho * cos(odd[k] * acos(-1.0) / 16.0)) - 1.0) < 1e-14);
    assert_null(qp_poisson5_method("gauss"));
    qp_problem_destroy(&problem);
}

/* In natural order rounding errors grow beyond all floats, in the other they do not; both make the
 * same polynomial. */
TEST(natural_order_overflows)
{
    struct qp_problem problem = make("field", 255, 255);
    double values[CYCLE], *u;
    const struct qp_weights weights = {values, CYCLE};
    const struct qp_walk_desc desc = {.iterations = CYCLE, .weights = &weights};
    const double angle = CYCLE * acosh(1.0 / qp_poisson5_radius(&problem));
    start_at_zero(&problem);
    qp_poisson5_natural_weights(&problem, CYCLE, values);
    assert_int_equal(walk("poisson5/openmp", &problem, desc, &u).verdict, QP_FAIL);
    free(u);
    qp_poisson5_method("chebyshev")->fill(&problem, CYCLE, values);
    assert_int_equal(walk("poisson5/openmp", &problem, desc, &u).verdict, QP_PASS);
    assert_true(residual_of(&problem, u) < 1.01 / cosh(angle));
    free(u);
    qp_problem_destroy(&problem);
}

/* Steps that a method says it needs are enough, and nine tenths of them are not, nor half the
 * cycles. */
TEST(forecasts_are_true)
{
    static const char *const rows[] = {"poisson5/openmp_double", "poisson5/openmp_red_black_double",
                                       "poisson5/openmp_double"};
    static const double factor[] = {0.05, 1e-6, 1e-6}; /* factors of the sine, the slowest part */
    struct qp_problem problem = make("sine", 41, 30);
    for (int k = 0; k < 3; k++) {
        const struct qp_poisson5_method *method = &qp_poisson5_methods[k];
        const struct qp_poisson5_course course =
            method->plan(&problem, (struct qp_poisson5_goal){factor[k], 1e-300});
        double *values = calloc((size_t)course.cycle + 1, sizeof *values), *u;
        const struct qp_weights weights = {values, course.cycle};
        struct qp_walk_desc desc = {.iterations = (int)course.steps};
        if (course.cycle > 0) {
            method->fill(&problem, course.cycle, values);
            desc.weights = &weights;
        }
        problem.weight = course.weight;
        walk(rows[k], &problem, desc, &u);
        assert_true(residual_of(&problem, u) <= factor[k]);
        free(u);
        desc.iterations = (int)(course.steps * (course.cycle > 0 ? 0.5 : 0.8));
        walk(rows[k], &problem, desc, &u);
        assert_true(residual_of(&problem, u) > factor[k]);
        free(u);
        free(values);
    }
    qp_problem_destroy(&problem);
}

/* ---- Residuals that a walk reports ---- */

static double told[8];
static int told_count;

static bool note(void *user, int step, double residual)
{
    (void)user;
    assert_true(step == told_count + 1 && told_count < COUNT(told));
    told[told_count++] = residual;
    return true;
}

/* Residuals row by row, and with gaps between rows in memory: variants that update all cells at
 * once report the residual before the step, red and black ones that after it. */
TEST(told_residuals_are_residuals)
{
    static const struct {
        const char *row;
        int behind, cycle;
        double weight;
    } cases[] = {{"poisson5/openmp_double", 1, 0, 1.0},
                 {"poisson5/openmp_double", 1, 4, 1.0},
                 {"poisson5/openmp", 1, 4, 1.0},
                 {"poisson5/openmp_red_black_double", 0, 0, 1.0},
                 {"poisson5/openmp_red_black_double", 0, 0, 1.7},
                 {"poisson5/openmp_red_black", 0, 0, 1.7}};
    static const double values[] = {0.7, 1.9, 0.6, 1.2};
    static const struct qp_weights weights = {values, 4};
    for (int k = 0; k < COUNT(cases); k++) {
        struct qp_problem problem = make(k % 2 == 0 ? "field" : "spike", 37, 11);
        struct qp_walk_desc desc = {.weights = cases[k].cycle > 0 ? &weights : NULL};
        double *u;
        problem.weight = cases[k].weight;
        told_count = 0;
        desc.iterations = 6;
        desc.every = 1;
        desc.on_residual = note;
        walk(cases[k].row, &problem, desc, &u);
        free(u);
        assert_int_equal(told_count, 6);
        for (int step = 2; step <= 6; step++) {
            walk(cases[k].row, &problem,
                 (struct qp_walk_desc){.iterations = step - cases[k].behind,
                                       .weights = desc.weights},
                 &u);
            const double wanted = residual_of(&problem, u);
            assert_true(fabs(told[step - 1] - wanted) <= 1e-5 * wanted);
            free(u);
        }
        qp_problem_destroy(&problem);
    }
}

/* A look at the residual changes no step. */
TEST(looks_change_nothing)
{
    struct qp_problem problem = make("field", 20, 33);
    double *with, *without;
    problem.weight = 1.6;
    told_count = 0;
    walk("poisson5/openmp_red_black", &problem,
         (struct qp_walk_desc){.iterations = 7, .every = 1, .on_residual = note}, &with);
    walk("poisson5/openmp_red_black", &problem, (struct qp_walk_desc){.iterations = 7}, &without);
    assert_memory_equal(with, without, 20 * 33 * sizeof *with);
    free(with);
    free(without);
    qp_problem_destroy(&problem);
}

/* By hand: the largest difference, relative to what is wanted unless that is zero, and no number
 * where there is none. */
TEST(distances_by_hand)
{
    static const struct {
        double u[3], wanted[3], distance;
    } cases[] = {{{1, -2, 3}, {1, -2, 3}, 0.0},       {{1, -2, 3}, {1, -4, 2}, 0.5},
                 {{0, 0, 0}, {0, 0, 0}, 0.0},         {{0.25, -0.75, 0}, {0, 0, 0}, 0.75},
                 {{NAN, 1, 2}, {0.5, 0.5, 0.5}, NAN}, {{1, 2, NAN}, {0, 0, 0}, NAN}};
    for (int k = 0; k < COUNT(cases); k++) {
        const double got = qp_poisson5_distance(cases[k].u, cases[k].wanted, 3);
        assert_true(isnan(cases[k].distance) ? isnan(got) : got == cases[k].distance);
    }
}
