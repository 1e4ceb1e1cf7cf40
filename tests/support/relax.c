/* SPDX-License-Identifier: MIT */
#include "support/relax.h"

double relax(const struct qp_kernel_grid *g, double *const output[])
{
    const struct qp_kernel_array *x = &g->input[0];
    const double *f = g->input[1].values;
    for (int i = 0; i < g->width * g->height; i++) {
        const int column = i % g->width, row = i / g->width;
        output[0][i] = g->number[0].value[0] * (qp_kernel_array_at(x, column - 1, row, 0) +
                                                qp_kernel_array_at(x, column + 1, row, 0) +
                                                qp_kernel_array_at(x, column, row - 1, 0) +
                                                qp_kernel_array_at(x, column, row + 1, 0)) +
                       f[i];
    }
    return 0.0;
}

void relax_sweep(const struct qp_kernel_grid *g, void *const output[])
{
    const float *x = g->input[0].values, *f = g->input[1].values;
    float *next = output[0];
    for (int i = 0; i < g->width * g->height; i++) {
        const float left = i % g->width > 0 ? x[i - 1] : 0.0f,
                    right = i % g->width < g->width - 1 ? x[i + 1] : 0.0f,
                    below = i >= g->width ? x[i - g->width] : 0.0f,
                    above = i < g->width * (g->height - 1) ? x[i + g->width] : 0.0f;
        next[i] = (float)g->number[0].value[0] * (left + right + below + above) + f[i];
    }
}

int relax_nothing(const struct qp_kernel_grid *g, void *const output[], void *stream)
{
    (void)g, (void)output, (void)stream;
    return 0;
}

const char relax_plain[] = "#version 120\n"
                           "#extension GL_ARB_texture_rectangle : require\n"
                           "uniform sampler2DRect x, f; uniform float a;\n"
                           "uniform vec2 size;\n"
                           "void main()\n{\n    vec2 here = gl_FragCoord.xy;\n"
                           "    float sum = texture2DRect(x, here + vec2(-1.0, 0.0)).x\n"
                           "              + texture2DRect(x, here + vec2(1.0, 0.0)).x\n"
                           "              + texture2DRect(x, here + vec2(0.0, -1.0)).x\n"
                           "              + texture2DRect(x, here + vec2(0.0, 1.0)).x;\n"
                           "    gl_FragColor = vec4(a * sum + texture2DRect(f, here).x);\n}\n";

const char relax_body[] = "float kernel(vec2 here)\n{\n"
                          "    float sum = x_at(-1, 0) + x_at(1, 0) + x_at(0, -1) + x_at(0, 1);\n"
                          "    return a * sum + f_at(0, 0);\n}\n";

const struct qp_kernel_desc relax_kernel = {.input = {{.name = "x"}, {.name = "f"}},
                                            .number = {{.name = "a"}}};

const struct qp_trial_desc relaxation = {
    .name = "relax", .number = {{.name = "a", .value = {0.25}}}, .reference = relax, .flops = 5};

struct qp_trial *relax_make(void)
{
    struct qp_kernel_desc first = relax_kernel;
    struct qp_trial *trial;
    first.body = relax_body;
    assert_ok(qp_trial_create(&relaxation, &first, &trial));
    return trial;
}

static const struct qp_variant *add(struct qp_trial *trial, const char *name,
                                    struct qp_kernel_desc kernel)
{
    const struct qp_variant *variant;
    const struct qp_trial_variant desc = {.name = name, .kernel = {kernel}};
    assert_ok(qp_trial_add(trial, &desc, &variant));
    return variant;
}

const struct qp_variant *relax_add(struct qp_trial *trial, const char *name, const char *text)
{
    struct qp_kernel_desc kernel = relax_kernel;
    kernel.fragment.text = text;
    return add(trial, name, kernel);
}

const struct qp_variant *relax_add_body(struct qp_trial *trial, const char *name, const char *body)
{
    struct qp_kernel_desc kernel = relax_kernel;
    kernel.body = body;
    return add(trial, name, kernel);
}

const struct qp_variant *relax_add_sweep(struct qp_trial *trial, const char *name,
                                         qp_kernel_sweep *sweep)
{
    struct qp_kernel_desc kernel = relax_kernel;
    kernel.sweep = sweep;
    return add(trial, name, kernel);
}

struct qp_tally relax_check(struct qp_context *context, struct qp_trial *trial,
                            const struct qp_variant *variant)
{
    struct qp_check_desc desc = {.make = qp_trial_make, .user = trial};
    struct qp_tally tally;
    assert_ok(qp_check(context, &variant, 1, &desc, &tally));
    return tally;
}
