/* SPDX-License-Identifier: MIT */
/* Answers of both methods, side by side. */
#include <quadpass/method.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/solve/eliminate/elimination.h"
#include "lab/solve/numbers.h"
#include "toolkit/base/caller.h"

struct qp_side qp_dense_side(const struct qp_dense_solution *solution, int k)
{
    if (QP_NEED(solution) || k < 0 || k >= solution->sides)
        return (struct qp_side){0};
    const bool knows = solution->condition > 0.0;
    const enum qp_ending ending =
        qp_dense_ending(solution->residuals[k] <= solution->tolerance, solution->regular,
                        solution->ending == QP_INTERRUPTED);
    struct qp_side side = {.method = QP_ELIMINATION,
                           .variant = solution->variant,
                           .solver = solution->solver,
                           .ending = ending,
                           .eliminations = solution->eliminations,
                           .residual = solution->residuals[k],
                           .condition = knows ? solution->condition : NAN,
                           .digits = knows ? qp_certain_digits(solution->errors[k]) : -1,
                           .seconds = solution->seconds};
    memcpy(side.part, solution->part, sizeof side.part);
    snprintf(side.sentence, sizeof side.sentence, "%s", solution->sentence);
    return side;
}

const char *qp_method_name(enum qp_method method)
{
    static const char *const names[] = {"iteration", "elimination"};
    return QP_NAME(names, method);
}

void qp_answer_destroy(struct qp_answer *answer)
{
    if (answer == NULL)
        return;
    free(answer->side);
    free(answer->x);
    *answer = (struct qp_answer){0};
}
