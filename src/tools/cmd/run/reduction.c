/* SPDX-License-Identifier: MIT */
#include "tools/cmd/run/program.h"

#include <math.h>

#include "toolkit/base/status.h"

static const enum qp_reduce_what whats[REDUCTIONS] = {
    [REDUCE_SUM] = QP_REDUCE_SUM,         [REDUCE_MEAN] = QP_REDUCE_SUM,
    [REDUCE_MIN] = QP_REDUCE_MIN,         [REDUCE_MAX] = QP_REDUCE_MAX,
    [REDUCE_NORM1] = QP_REDUCE_NORM_1,    [REDUCE_NORM2] = QP_REDUCE_NORM_2,
    [REDUCE_LARGEST] = QP_REDUCE_NORM_MAX};

/* Sums of floats carry along what additions lose, and so does a norm2 of integers, whose squares
 * are added as floats. */
static bool is_compensated(enum reduction what, enum qp_array_type type)
{
    if (what == REDUCE_MIN || what == REDUCE_MAX || what == REDUCE_LARGEST)
        return false;
    return type == QP_ARRAY_FLOAT || (what == REDUCE_NORM2 && type != QP_ARRAY_DOUBLE);
}

enum qp_status run_reduction_make(struct qp_context *context, enum reduction what,
                                  const struct qp_array *x, struct run_reduction *out)
{
    const struct qp_device *device = qp_context_device(context);
    const bool precise = (device->abilities & QP_CAN_PRECISE) != 0;
    const int limit = device->rectangle_limit;
    enum qp_status status = QP_OK;
    *out = (struct run_reduction){.what = what, .x = qp_array_describe(x)};
    out->in_tiles = out->x.width > limit || out->x.height > limit;
    if (what != REDUCE_NOTHING && out->in_tiles && out->x.channels > 1)
        status =
            qp_fail(QP_UNSUPPORTED,
                    "--reduce of %d values a cell takes sizes up to this device's limit of %d; "
                    "write them by -o instead",
                    out->x.channels, limit);
    if (what == REDUCE_NOTHING || out->in_tiles)
        return status;
    for (int k = 0; k < out->x.channels && status == QP_OK; k++) {
        const struct qp_reduction_desc desc = {.what = whats[what],
                                               .compensated =
                                                   precise && is_compensated(what, out->x.type),
                                               .of = out->x,
                                               .channel = k};
        status = qp_reduction_create(context, &desc, &out->of[k]);
    }
    if (status != QP_OK)
        run_reduction_destroy(out);
    return status;
}

void run_reduction_destroy(struct run_reduction *reduction)
{
    for (int k = 0; k < MOST_CHANNELS; k++)
        qp_reduction_destroy(&reduction->of[k]);
    *reduction = (struct run_reduction){0};
}

/* The number of two channels together. */
static double join(enum reduction what, double one, double other)
{
    if (isnan(one) || isnan(other))
        return NAN;
    switch (what) {
    case REDUCE_MIN:
        return fmin(one, other);
    case REDUCE_MAX:
    case REDUCE_LARGEST:
        return fmax(one, other);
    case REDUCE_NORM2:
        return hypot(one, other);
    default:
        return one + other;
    }
}

double run_reduction_of(enum reduction what, const struct run_input *x)
{
    const size_t count = run_input_count(x);
    const bool least = what == REDUCE_MIN, most = what == REDUCE_MAX || what == REDUCE_LARGEST,
               signs = least || what == REDUCE_MAX || what == REDUCE_SUM || what == REDUCE_MEAN;
    double extreme = what == REDUCE_LARGEST ? 0.0 : qp_value(x->values, x->precision, 0);
    long double sum = 0.0L; /* squares and sums of doubles stay within its range */
    for (size_t i = 0; i < count; i++) {
        const double value = qp_value(x->values, x->precision, i),
                     one = signs ? value : fabs(value);
        if (least || most)
            extreme = join(what, extreme, one);
        else
            sum += what == REDUCE_NORM2 ? (long double)one * one : one;
    }
    const long double all = least || most          ? extreme
                            : what == REDUCE_MEAN  ? sum / count
                            : what == REDUCE_NORM2 ? sqrtl(sum)
                                                   : sum;
    return isnan(all) ? (double)NAN : (double)all;
}

enum qp_status run_reduction_take(const struct run_reduction *reduction, const struct qp_array *x,
                                  double *out)
{
    const struct qp_array_desc *desc = &reduction->x;
    const struct qp_pass_input input[] = {{"x", x}, {0}};
    enum qp_status status = QP_OK;
    for (int k = 0; k < desc->channels && status == QP_OK; k++) {
        struct qp_reduced reduced;
        status = reduction->in_tiles ? qp_array_reduce(x, whats[reduction->what], &reduced)
                                     : qp_reduce(reduction->of[k], input, NULL, &reduced);
        *out = k == 0 ? reduced.value : join(reduction->what, *out, reduced.value);
    }
    if (reduction->what == REDUCE_MEAN)
        *out /= (double)desc->width * desc->height * desc->channels;
    if (isnan(*out))
        *out = NAN; /* without a sign, which would be printed */
    return status;
}
