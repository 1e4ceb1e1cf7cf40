/* SPDX-License-Identifier: MIT */
/* Expressions in C of x and y, in double throughout: 1 / 2 is 0.5, and a % b is fmod(a, b). They
 * have decimal numbers, M_PI, + - * / %, comparisons, && || ?:, brackets and the functions of
 * math.h that expression.c lists. */
#ifndef QP_BASE_EXPRESSION_H
#define QP_BASE_EXPRESSION_H

#include <stdbool.h>
#include <stdio.h>

#include "toolkit/base/status.h"

enum { QP_EXPRESSION_NODES = 128 /* x, y, and numbers, signs and functions, at most */ };

/* A part, which comes after its operands. */
struct qp_expression_node {
    const struct qp_operation *by; /* NULL: x, y or a number */
    int of[3];                     /* operands */
    bool constant;                 /* it is `value` whatever x and y are */
    double value;
    bool in_brackets;
};

struct qp_expression {
    struct qp_expression_node node[QP_EXPRESSION_NODES]; /* 0 is x, and 1 is y */
    int count, whole;                                    /* the node that all others are parts of */
};

/* Errors: QP_BAD_INPUT with what was expected, and for a division by a constant that is zero;
 * QP_NO_MEMORY. Owner: none. */
enum qp_status qp_expression_read(const char *text, struct qp_expression *out);

double qp_expression_value(const struct qp_expression *expression, double x, double y);

/* Writes a part in C, such as `whole`, with texts such as "(0.5 * x)" for the doubles x and y. */
void qp_expression_put(const struct qp_expression *expression, int part, const char *x,
                       const char *y, FILE *out);

#endif
