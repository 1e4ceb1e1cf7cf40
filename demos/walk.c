/* SPDX-License-Identifier: MIT */
/* The shortest whole story: a heart, a fragment shader, a verdict. */
#include <stdio.h>

#include <quadpass/quadpass.h>

int main(void)
{
    struct qp_context *context = NULL;
    struct qp_problem problem = {0};
    struct qp_problem_desc heart = {.kind = "bidomain", .width = 256, .height = 256};
    struct qp_walk_desc steps = {.iterations = 100};
    struct qp_result result = {0};

    enum qp_status status = qp_context_create(NULL, &context);
    if (status == QP_OK)
        status = qp_problem_create(&heart, &problem);
    if (status == QP_OK)
        status = qp_walk(context, qp_variant_find("jacobi9/luminance"), &problem, &steps, &result);
    if (status == QP_OK)
        printf("%s on %s: error %.1e of %.1e, %.0f million updates a second\n",
               qp_verdict_name(result.verdict), qp_context_device(context)->renderer, result.error,
               result.tolerance,
               1e-6 * result.iterations * problem.width * problem.height / result.run_seconds);
    else
        fprintf(stderr, "%s\n", qp_error());
    qp_problem_destroy(&problem);
    qp_context_destroy(&context);
    return status == QP_OK && result.verdict == QP_PASS ? 0 : 1;
}
