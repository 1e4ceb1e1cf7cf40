/* SPDX-License-Identifier: MIT */
#include "tools/tune/model.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* A form may have so much more residual than the best one, in factor and in sum, to be taken for
 * being simpler. */
static const double near_factor = 2.0, near_sum = 0.002;
/* Less gain than this is none: times differ by as much from run to run. */
static const double least_gain = 0.01;

/* ---- Curves ---- */

static int by_rows(const void *a, const void *b)
{
    const double difference =
        ((const struct qp_sample *)a)->rows - ((const struct qp_sample *)b)->rows;
    return (difference > 0.0) - (difference < 0.0);
}

/* Solves a small symmetric system by elimination; its unknowns are the terms. */
static void eliminate(double a[3][4], int unknowns, double *term)
{
    for (int k = 0; k < unknowns; k++) {
        for (int i = 0; i < unknowns; i++) {
            const double factor = i != k && a[k][k] != 0.0 ? a[i][k] / a[k][k] : 0.0;
            for (int j = k; j <= unknowns; j++)
                a[i][j] -= factor * a[k][j];
        }
    }
    for (int k = 0; k < unknowns; k++)
        term[k] = a[k][k] != 0.0 ? a[k][unknowns] / a[k][k] : 0.0;
}

/* Terms of a polynomial by least squares of relative errors. Rows are counted in those of the last
 * sample. */
static void fit_polynomial(struct qp_curve *curve, int unknowns, int without)
{
    const double unit = curve->sample[curve->count - 1].rows;
    double a[3][4] = {{0}};
    for (int k = 0; k < curve->count; k++) {
        const double weight = pow(curve->sample[k].seconds, -2.0), x = curve->sample[k].rows / unit;
        for (int i = 0; i < unknowns && k != without; i++) {
            for (int j = 0; j < unknowns; j++)
                a[i][j] += weight * pow(x, i + j);
            a[i][unknowns] += weight * pow(x, i) * curve->sample[k].seconds;
        }
    }
    memset(curve->term, 0, sizeof curve->term);
    eliminate(a, unknowns, curve->term);
    for (int k = 0; k < unknowns; k++)
        curve->term[k] /= pow(unit, k);
}

/* Value on the line through two neighbouring samples, beyond the ends through the last two. */
static double interpolate(const struct qp_curve *curve, double rows, int without)
{
    struct qp_sample kept[QP_CURVE_SAMPLES] = {{0}};
    int count = 0, k = 0;
    for (int i = 0; i < curve->count; i++) {
        if (i != without)
            kept[count++] = curve->sample[i];
    }
    while (k < count - 2 && rows > kept[k + 1].rows)
        k++;
    const double along = (rows - kept[k].rows) / (kept[k + 1].rows - kept[k].rows);
    return kept[k].seconds + along * (kept[k + 1].seconds - kept[k].seconds);
}

static double evaluate(const struct qp_curve *curve, double rows, int without)
{
    if (curve->form == QP_CURVE_PIECEWISE)
        return interpolate(curve, rows, without);
    return curve->term[0] + rows * (curve->term[1] + rows * curve->term[2]);
}

static void fit_form(struct qp_curve *curve, enum qp_curve_form form, int without)
{
    curve->form = form;
    if (form != QP_CURVE_PIECEWISE)
        fit_polynomial(curve, form == QP_CURVE_LINE ? 2 : 3, without);
}

/* Relative residual of a form, each sample left out in turn. A piecewise curve gets half of it, for
 * with all samples its gaps are half as wide. */
static double residual_of(struct qp_curve *curve, enum qp_curve_form form)
{
    double sum = 0.0;
    for (int k = 1; k < curve->count - 1; k++) {
        const struct qp_sample *left = &curve->sample[k];
        fit_form(curve, form, k);
        const double error = evaluate(curve, left->rows, k) / left->seconds - 1.0;
        sum += error * error;
    }
    return sqrt(sum / (curve->count - 2)) * (form == QP_CURVE_PIECEWISE ? 0.5 : 1.0);
}

static void take_samples(const struct qp_sample *samples, int count, struct qp_curve *out)
{
    *out = (struct qp_curve){0};
    for (int k = 0; k < count && out->count < QP_CURVE_SAMPLES; k++) {
        if (samples[k].seconds > 0.0 && isfinite(samples[k].seconds))
            out->sample[out->count++] = samples[k];
    }
    qsort(out->sample, (size_t)out->count, sizeof *out->sample, by_rows);
}

void qp_curve_fit(const struct qp_sample *samples, int count, struct qp_curve *out)
{
    double residual[QP_CURVE_FORMS] = {0}, least = INFINITY;
    int form = 0;
    take_samples(samples, count, out);
    if (out->count < 3) {
        if (out->count == 1)
            out->term[1] = out->sample[0].seconds / out->sample[0].rows;
        if (out->count == 2)
            fit_form(out, QP_CURVE_LINE, -1);
        return;
    }
    const int forms = out->count >= 5 ? QP_CURVE_FORMS : 1; /* fewer samples show no difference */
    for (int k = 0; k < forms; k++) {
        residual[k] = residual_of(out, (enum qp_curve_form)k);
        least = fmin(least, residual[k]);
    }
    while (residual[form] > near_factor * least + near_sum)
        form++;
    fit_form(out, (enum qp_curve_form)form, -1);
    out->residual = residual[form];
}

double qp_curve_seconds(const struct qp_curve *curve, double rows)
{
    return rows > 0.0 ? fmax(evaluate(curve, rows, -1), 0.0) : 0.0;
}

const char *qp_curve_name(enum qp_curve_form form)
{
    static const char *const names[QP_CURVE_FORMS] = {"line", "quadratic", "piecewise"};
    return names[form];
}

/* ---- Both parts ---- */

static double longer(const struct qp_model *model, double split, double *shorter)
{
    const double a = qp_curve_seconds(&model->part[0], split);
    const double b = qp_curve_seconds(&model->part[1], model->height - split);
    *shorter = fmin(a, b);
    return fmax(a, b);
}

/* Relative residual that the model with its e and h leaves. */
static double residual_together(const struct qp_model *model, const struct qp_sample *samples,
                                int count)
{
    double sum = 0.0;
    for (int k = 0; k < count; k++) {
        const double error = qp_model_seconds(model, samples[k].rows) / samples[k].seconds - 1.0;
        sum += error * error;
    }
    return count > 0 ? sqrt(sum / count) : 0.0;
}

/* Least squares of relative errors in e + h m, m the shorter part's time; a number that leaves its
 * range stays at its end, and the other is fitted anew. */
void qp_model_fit_together(struct qp_model *model, const struct qp_sample *samples, int count)
{
    double w = 0.0, wm = 0.0, wmm = 0.0, wd = 0.0, wmd = 0.0, m;
    model->exchange = model->hindrance = 0.0;
    for (int k = 0; k < count; k++) {
        const double more = samples[k].seconds - longer(model, samples[k].rows, &m);
        const double weight = pow(samples[k].seconds, -2.0);
        w += weight;
        wm += weight * m;
        wmm += weight * m * m;
        wd += weight * more;
        wmd += weight * m * more;
    }
    const double determinant = w * wmm - wm * wm;
    if (determinant > 1e-9 * w * wmm)
        model->hindrance = fmin(fmax((w * wmd - wm * wd) / determinant, 0.0), 1.0);
    if (count > 0)
        model->exchange = (wd - model->hindrance * wm) / w;
    if (model->exchange < 0.0) {
        model->exchange = 0.0;
        model->hindrance = wmm > 0.0 ? fmin(fmax(wmd / wmm, 0.0), 1.0) : 0.0;
    }
    model->residual = residual_together(model, samples, count);
}

double qp_model_seconds(const struct qp_model *model, double split)
{
    double shorter;
    const double most = longer(model, split, &shorter);
    if (split <= 0.0 || split >= model->height)
        return most;
    return most + model->hindrance * shorter + model->exchange;
}

double qp_model_seconds_on(const struct qp_model *model, int devices)
{
    return qp_curve_seconds(&model->part[1], (double)model->height / devices) +
           2.0 * model->exchange;
}

int qp_model_best(const struct qp_model *model, int unit)
{
    const double lower = qp_model_seconds(model, model->height);
    const double upper = qp_model_seconds(model, 0.0);
    int best = lower < upper ? model->height : 0;
    double least = (1.0 - fmax(least_gain, model->residual)) * fmin(lower, upper);
    for (int split = unit; split < model->height; split += unit) {
        const double seconds = qp_model_seconds(model, split);
        if (seconds < least) {
            least = seconds;
            best = split;
        }
    }
    return best;
}
