/* SPDX-License-Identifier: MIT */
#include "support/multigrid.h"
#include "support/support.h"

#include <math.h>

#include "lab/ops/jacobi9/jacobi9.h"
#include "lab/ops/multigrid/multigrid.h"
#include "lab/plan/problem.h"

/* b - A x of node i, by bands as the problem stores them. */
static double residual_of(const struct qp_problem *problem, const struct qp_matrix *x, int i)
{
    double sum = problem->field[QP_MULTIGRID_B].values[i];
    for (int band = 0; band < QP_JACOBI9_BANDS; band++) {
        const double a = problem->field[band].values[i];
        if (a != 0.0)
            sum -= a * qp_matrix_value(
                           x, (size_t)(i + qp_band_dx(band) + qp_band_dy(band) * problem->width));
    }
    return sum;
}

double support_multigrid_residual(const char *variant, const char *kind, int width, int height,
                                  int cycles, double *error)
{
    const struct qp_problem_desc desc = {
        .op = "multigrid", .kind = kind, .width = width, .height = height, .seed = 3};
    const struct qp_walk_desc how = {.iterations = cycles, .keep_solution = true};
    const double pi = 3.14159265358979323846;
    struct qp_problem problem;
    struct qp_result result;
    double sum = 0.0, of_b = 0.0, largest = 0.0;
    if (!support_is_built(qp_variant_find(variant)))
        skip();
    assert_ok(qp_problem_create(&desc, &problem));
    assert_ok(qp_walk(NULL, qp_variant_find(variant), &problem, &how, &result));
    if (result.verdict != QP_PASS)
        fail_msg("%s on %s, %d x %d, %d cycles: %s", variant, kind, width, height, cycles,
                 result.reason);
    for (int i = 0; i < width * height; i++) {
        const double r = residual_of(&problem, &result.solution, i);
        const double b = problem.field[QP_MULTIGRID_B].values[i];
        const double sine =
            sin(pi * (i % width + 1) / (width + 1)) * sin(pi * (i / width + 1) / (height + 1));
        sum += r * r;
        of_b += b * b;
        largest = fmax(largest, fabs(qp_matrix_value(&result.solution, (size_t)i) - sine));
    }
    if (error != NULL)
        *error = largest;
    qp_matrix_destroy(&result.solution);
    qp_problem_destroy(&problem);
    return sqrt(sum / of_b);
}
