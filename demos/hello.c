/* SPDX-License-Identifier: MIT */
/* A kernel of your own: the mean of four neighbours plus f, with 0 beyond the border, and the same
 * in plain C, which judges it: in a walk, in a check at awkward sizes, and in a benchmark. */
#include <stdio.h>

#include <quadpass/quadpass.h>

static const char body[] =
    "float kernel(vec2 here)\n{\n"
    "    return 0.25 * (x_at(-1, 0) + x_at(1, 0) + x_at(0, -1) + x_at(0, 1)) + f_at(0, 0);\n}\n";

static double relax(const struct qp_kernel_grid *g, double *const output[])
{
    const struct qp_kernel_array *x = &g->input[0], *f = &g->input[1];
    for (int j = 0; j < g->height; j++)
        for (int i = 0; i < g->width; i++)
            output[0][j * g->width + i] =
                0.25 * (qp_kernel_array_at(x, i - 1, j, 0) + qp_kernel_array_at(x, i + 1, j, 0) +
                        qp_kernel_array_at(x, i, j - 1, 0) + qp_kernel_array_at(x, i, j + 1, 0)) +
                qp_kernel_array_at(f, i, j, 0);
    return 0.0; /* errors are measured by the largest value */
}

int main(void)
{
    const struct qp_kernel_desc kernel = {.body = body, .input = {{.name = "x"}, {.name = "f"}}};
    const struct qp_trial_variant plain = {.name = "plain", .kernel = {kernel}};
    const struct qp_trial_desc desc = {.name = "relax", .reference = relax, .flops = 5};
    struct qp_context *context = NULL;
    struct qp_trial *trial = NULL;
    const struct qp_variant *mine = NULL;
    struct qp_problem problem = {0}, *problems = &problem;
    struct qp_result walked = {0};
    struct qp_tally checked = {0};
    struct qp_record timed = {0};
    bool done = qp_context_create(NULL, &context) == QP_OK &&
                qp_trial_create(&desc, &kernel, &trial) == QP_OK &&
                qp_trial_add(trial, &plain, &mine) == QP_OK &&
                qp_trial_problem(trial, 512, 512, 1, &problem) == QP_OK;
    const struct qp_check_desc sizes = {.make = qp_trial_make, .user = trial};
    const struct qp_walk_desc steps = {.iterations = 9};
    done = done && qp_walk(context, mine, &problem, &steps, &walked) == QP_OK &&
           qp_check(context, &mine, 1, &sizes, &checked) == QP_OK &&
           qp_bench(context, &mine, &problems, 1, NULL, &timed) == QP_OK;
    if (done)
        printf("walk:  %s, error %.1e of %.1e\ncheck: %d cases passed, %d failed %s\n"
               "bench: %s, %.3f GLUP/s on %s\n",
               qp_verdict_name(walked.verdict), walked.error, walked.tolerance, checked.passed,
               checked.failed, checked.worst.reason, qp_verdict_name(timed.verdict), timed.glups,
               qp_context_device(context)->renderer);
    else
        fprintf(stderr, "%s\n", qp_error());
    qp_problem_destroy(&problem);
    qp_trial_destroy(&trial);
    qp_context_destroy(&context);
    return done && qp_tally_verdict(&checked) == QP_PASS ? 0 : 1;
}
