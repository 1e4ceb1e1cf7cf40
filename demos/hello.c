/* SPDX-License-Identifier: MIT */
/* An operation of your own: the mean of four neighbours plus f, with 0 beyond the border. Here are
 * its reference and its shader (or that in a file: hello [FILE]); the library walks, checks and
 * times them like its own. */
#include <stdio.h>

#include <quadpass/quadpass.h>

static double relax(const struct qp_custom_grid *g, const double *x, double *next)
{
    for (int i = 0; i < g->width * g->height; i++) {
        double left = i % g->width > 0 ? x[i - 1] : 0.0;
        double right = i % g->width < g->width - 1 ? x[i + 1] : 0.0;
        double below = i >= g->width ? x[i - g->width] : 0.0;
        double above = i < g->width * (g->height - 1) ? x[i + g->width] : 0.0;
        next[i] = 0.25 * (left + right + below + above) + g->input[0][i];
    }
    return 0.0; /* errors are measured by the largest value */
}

static const char shader[] = "#version 120\n"
                             "#extension GL_ARB_texture_rectangle : require\n"
                             "uniform sampler2DRect x, f;\n"
                             "void main()\n"
                             "{\n"
                             "    vec2 here = gl_FragCoord.xy;\n"
                             "    float sum = texture2DRect(x, here + vec2(-1.0, 0.0)).x\n"
                             "              + texture2DRect(x, here + vec2(1.0, 0.0)).x\n"
                             "              + texture2DRect(x, here + vec2(0.0, -1.0)).x\n"
                             "              + texture2DRect(x, here + vec2(0.0, 1.0)).x;\n"
                             "    gl_FragColor = vec4(0.25 * sum + texture2DRect(f, here).x);\n"
                             "}\n";

int main(int argc, char **argv)
{
    const struct qp_custom_desc relaxation = {
        .name = "relax", .input = {{.name = "f"}}, .reference = relax, .flops = 5};
    const struct qp_shader_source source = {.text = argc < 2 ? shader : NULL, .file = argv[1]};
    const struct qp_custom_variant plain = {
        .name = "plain", .pad_x = 1, .pad_y = 1, .draw = {{.fragment = source}}};
    const struct qp_walk_desc steps = {.iterations = 9};
    const struct qp_bench_desc repeats = {.repeats = 3};
    struct qp_context *context = NULL;
    struct qp_custom *op = NULL;
    const struct qp_variant *mine = NULL;
    struct qp_problem problem = {0}, *problems = &problem;
    struct qp_result walked = {0};
    struct qp_tally checked = {0};
    struct qp_record timed = {0};

    bool done = qp_context_create(NULL, &context) == QP_OK &&
                qp_custom_create(&relaxation, &op) == QP_OK &&
                qp_custom_add(op, &plain, &mine) == QP_OK &&
                qp_custom_problem(op, 512, 512, 1, &problem) == QP_OK &&
                qp_walk(context, mine, &problem, &steps, &walked) == QP_OK;
    const struct qp_check_desc sizes = {.custom = op};
    done = done && qp_check(context, &mine, 1, &sizes, &checked) == QP_OK &&
           qp_bench(context, &mine, &problems, 1, &repeats, &timed) == QP_OK;
    if (done)
        printf("walk:  %s, error %.1e of %.1e\ncheck: %d cases passed, %d failed %s\n"
               "bench: %s, %.3f GLUP/s on %s\n",
               qp_verdict_name(walked.verdict), walked.error, walked.tolerance, checked.passed,
               checked.failed, checked.worst.reason, qp_verdict_name(timed.verdict), timed.glups,
               qp_context_device(context)->renderer);
    else
        fprintf(stderr, "%s\n", qp_error());
    qp_problem_destroy(&problem);
    qp_custom_destroy(&op);
    qp_context_destroy(&context);
    return done && qp_tally_verdict(&checked) == QP_PASS ? 0 : 1;
}
