/* SPDX-License-Identifier: MIT */
#include "solve/solving.h"

#include <limits.h>
#include <math.h>

#include "base/values.h"
#include "plan/problem.h"

/* 2-norm, split into the answer and a factor 2^*unit: squares of numbers that were shifted to 1 at most do not
 * overflow, while the norm itself may. */
static double split_norm(const double *values, const int *shift, int sign, size_t count, int *unit)
{
    int most = INT_MIN, exponent;
    double sum = 0.0;
    for (size_t i = 0; i < count; i++) {
        frexp(values[i], &exponent);
        exponent += shift != NULL ? sign * shift[i] : 0;
        if (values[i] != 0.0 && exponent > most)
            most = exponent;
    }
    for (size_t i = 0; i < count && most > INT_MIN; i++) {
        double value = ldexp(values[i], (shift != NULL ? sign * shift[i] : 0) - most);
        sum += value * value;
    }
    *unit = sum > 0.0 ? most : 0;
    return sqrt(sum);
}

double qp_norm(const double *values, int exponent, size_t count)
{
    int unit;
    const double norm = split_norm(values, NULL, 0, count, &unit);
    return ldexp(norm, unit + exponent);
}

double qp_norm_scaled(const double *values, const int *shift, int sign, size_t count)
{
    int unit;
    const double norm = split_norm(values, shift, sign, count, &unit);
    return ldexp(norm, unit);
}

double qp_largest(const double *values, size_t count)
{
    double largest = 0.0;
    for (size_t i = 0; i < count; i++)
        largest = fmax(largest, isnan(values[i]) ? INFINITY : fabs(values[i]));
    return largest;
}

enum qp_status qp_find_tolerance(double asked, double *tolerance)
{
    *tolerance = asked > 0.0 ? asked : 1e-5;
    if (asked >= 0.0 && isfinite(asked))
        return QP_OK;
    return qp_fail(QP_BAD_USE, "a tolerance of %g is none; give a positive number", asked);
}

void qp_archive_walked(struct qp_archive *archive, struct qp_walked *walked, int width, int height)
{
    int precision = walked->x.precision;
    const size_t cells = (size_t)width * (size_t)height;
    qp_archive_int(archive, &walked->step);
    qp_archive_int(archive, &precision);
    archive->failed = archive->failed || precision < 0 || precision >= QP_PRECISIONS;
    if (archive->failed || walked->step == 0)
        return;
    if (archive->reads)
        archive->failed =
            qp_matrix_make(width, height, (enum qp_precision)precision, &walked->x) != QP_OK;
    qp_archive_bytes(archive, qp_matrix_values(&walked->x),
                     cells * qp_value_bytes((enum qp_precision)precision));
}

static enum qp_status walk_copies(struct qp_context *context, const struct qp_variant *variant,
                                  struct qp_problem *problem, const struct qp_walk_desc *desc,
                                  struct qp_result *result)
{
    if (qp_variant_systems(variant) == 1)
        return qp_walk(context, variant, problem, desc, result);
    struct qp_problem copies;
    *result = (struct qp_result){0};
    enum qp_status status = qp_problem_repeat(problem, qp_variant_systems(variant), &copies);
    if (status == QP_OK)
        status = qp_walk(context, variant, &copies, desc, result);
    qp_problem_destroy(&copies);
    return status;
}

enum qp_status qp_walk_copies(struct qp_context *context, const struct qp_variant *variant,
                              struct qp_problem *problem, const struct qp_walk_desc *desc,
                              struct qp_walked *walked, struct qp_result *result)
{
    if (walked == NULL || walked->step == 0)
        return walk_copies(context, variant, problem, desc, result);
    struct qp_walk_desc further = *desc;
    struct qp_matrix *start = &problem->field[problem->op->state];
    const struct qp_matrix before = *start;
    further.first = walked->step;
    *start = walked->x;
    const enum qp_status status = walk_copies(context, variant, problem, &further, result);
    *start = before;
    return status;
}
