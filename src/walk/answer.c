/* SPDX-License-Identifier: MIT */
/* What became of right-hand sides, by either method. */
#include <quadpass/method.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "walk/dense.h"

struct qp_side qp_dense_side(const struct qp_dense_solution *solution, int k)
{
    const bool knows = solution->condition > 0.0;
    struct qp_side side = {.method = QP_ELIMINATION,
                           .variant = solution->variant,
                           .ending = solution->residuals[k] <= solution->tolerance ? QP_CONVERGED
                                     : solution->ending == QP_INTERRUPTED          ? QP_INTERRUPTED
                                                                                   : QP_STAGNATED,
                           .eliminations = solution->eliminations,
                           .residual = solution->residuals[k],
                           .condition = knows ? solution->condition : NAN,
                           .digits = knows ? qp_dense_digits(solution->errors[k]) : -1,
                           .seconds = solution->seconds};
    snprintf(side.sentence, sizeof side.sentence, "%s", solution->sentence);
    return side;
}

const char *qp_method_name(enum qp_method method)
{
    return method == QP_ELIMINATION ? "elimination" : "iteration";
}

const char *qp_ending_name(enum qp_ending ending)
{
    static const char *const names[] = {"converged", "diverging", "out of steps", "stagnated",
                                        "interrupted"};
    return names[ending];
}

void qp_answer_destroy(struct qp_answer *answer)
{
    if (answer == NULL)
        return;
    free(answer->side);
    free(answer->x);
    *answer = (struct qp_answer){0};
}
