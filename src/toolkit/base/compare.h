/* SPDX-License-Identifier: MIT */
/* Stage 10: the variant's answer against the reference's. */
#ifndef QP_BASE_COMPARE_H
#define QP_BASE_COMPARE_H

#include <stdbool.h>
#include <stddef.h>

#include <quadpass/matrix.h>

struct qp_comparison {
    double error; /* max |got - wanted| / scale; infinite if any value is not finite */
    double rms;   /* root of the mean square of the same; infinite likewise */
    int x, y;     /* place of the first cell that is not finite, else of the worst one */
    double got;   /* the two values there */
    double wanted;
    bool unwritten; /* the cell holds what the target held before anybody wrote (layout.h) */
    enum qp_precision precision; /* precision of the judged values */
};

/* Compares cell by cell; `wanted` is row-major like `got`. NaN and infinity fail before any norm
 * (max(NaN, 1) is 1 in C, so a norm would hide them). `scale` > 0 is the size of the numbers that
 * were rounded on the way, as the operation's reference reports it. */
struct qp_comparison qp_compare(const struct qp_matrix *got, const double *wanted, double scale);

/* Compares likewise, but `judge` returns the error of value i, infinite for what is no number, and
 * sets the wanted value. It is called on all cores. */
typedef double qp_judge_cell(const void *user, size_t i, double got, double *wanted);
struct qp_comparison qp_compare_by(const struct qp_matrix *got, qp_judge_cell *judge,
                                   const void *user);

/* Writes a sentence of at most `size` bytes: which error is at `place`, of the quantity `judged`
 * (NULL: the cell itself). */
void qp_comparison_tell(const struct qp_comparison *worst, const char *judged, const char *place,
                        double tolerance, char *text, size_t size);

/* Words for a value that is not finite: "is nan, which is no number". */
const char *qp_no_number(double value, bool unwritten);

#endif
