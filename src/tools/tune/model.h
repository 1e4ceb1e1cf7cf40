/* SPDX-License-Identifier: MIT */
/* The model of a grid that two unlike parts share (paper 5, figure 14). A step of the lower part
 * takes a(s) seconds for s rows, one of the upper part b(n - s), and both together
 *
 *     t(s) = max(a, b) + h min(a, b) + e
 *
 * e is the exchange: rows of borders given, taken, and computed twice. h says how far one part
 * slows down the other: with hardware of its own for each it is 0, the thesis's case, and on
 * processors that both share it goes to 1. Nothing is exchanged, and nothing slowed down, where one
 * part has all rows. */
#ifndef QP_TUNE_MODEL_H
#define QP_TUNE_MODEL_H

enum { QP_CURVE_SAMPLES = 16 };

/* Forms of a curve, the simplest first. */
enum qp_curve_form { QP_CURVE_LINE, QP_CURVE_QUADRATIC, QP_CURVE_PIECEWISE, QP_CURVE_FORMS };

/* Seconds of a step with this number of rows. */
struct qp_sample {
    double rows, seconds;
};

struct qp_curve {
    enum qp_curve_form form;
    double term[3]; /* a line's or a quadratic's: seconds a power of rows */
    struct qp_sample sample[QP_CURVE_SAMPLES]; /* by rows, each number once */
    int count;
    /* Root mean square of the relative errors at inner samples, each left out in turn. */
    double residual;
};

struct qp_model {
    int height;              /* n */
    struct qp_curve part[2]; /* the lower, the upper */
    double exchange;         /* e, seconds a step, at least 0 */
    double hindrance;        /* h, from 0 to 1 */
    double residual; /* root mean square of relative errors, of the times of both together */
};

/* Takes the simplest form whose residual is near the least: relative errors are squared and added.
 * Two samples make a line, one a line through 0, none a curve that is 0. Those after the first
 * QP_CURVE_SAMPLES are left out, and those whose seconds are no positive number. */
void qp_curve_fit(const struct qp_sample *samples, int count, struct qp_curve *out);

/* 0 for no rows, and never below 0. */
double qp_curve_seconds(const struct qp_curve *curve, double rows);

const char *qp_curve_name(enum qp_curve_form form);

/* e and h, from times of both parts together: `rows` are those of the lower part, inside 0 and n.
 * The parts' curves and the height must be there. With one sample h is 0. */
void qp_model_fit_together(struct qp_model *model, const struct qp_sample *samples, int count);

/* t(s). */
double qp_model_seconds(const struct qp_model *model, double split);

/* Seconds of a step on `devices` devices like the upper part's, more than two, with the same number
 * of rows each. They are not measured: they come from the upper part's curve, and twice the
 * exchange, for all strips but the first and the last lie between two others. */
double qp_model_seconds_on(const struct qp_model *model, int devices);

/* The split with the least time, and where that gains less over the faster part alone than a
 * hundredth or the residual, that part alone: 0 or n. Splits are multiples of `unit`, or n. */
int qp_model_best(const struct qp_model *model, int unit);

#endif
