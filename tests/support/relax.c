/* SPDX-License-Identifier: MIT */
#include "support/relax.h"

double relax(const struct qp_custom_grid *g, const double *x, double *next)
{
    for (int i = 0; i < g->width * g->height; i++) {
        double left = i % g->width > 0 ? x[i - 1] : 0.0;
        double right = i % g->width < g->width - 1 ? x[i + 1] : 0.0;
        double below = i >= g->width ? x[i - g->width] : 0.0;
        double above = i < g->width * (g->height - 1) ? x[i + g->width] : 0.0;
        next[i] = g->parameter[0].value * (left + right + below + above) + g->input[0][i];
    }
    return 0.0;
}

void relax_sweep(const struct qp_custom_grid *g, const float *x, float *next)
{
    for (int i = 0; i < g->width * g->height; i++) {
        float left = i % g->width > 0 ? x[i - 1] : 0.0f;
        float right = i % g->width < g->width - 1 ? x[i + 1] : 0.0f;
        float sum = left + right + x[i - g->width] + x[i + g->width]; /* zeros off both ends */
        next[i] = (float)g->parameter[0].value * sum + g->input[0][i];
    }
}

int relax_nothing(const struct qp_custom_grid *g, const float *x, float *next, void *stream)
{
    (void)g, (void)x, (void)next, (void)stream;
    return 0;
}

#define HEAD                                          \
    "#version 120\n"                                  \
    "#extension GL_ARB_texture_rectangle : require\n" \
    "uniform sampler2DRect x, f; uniform float a;\n"  \
    "uniform vec2 origin, size, cells;\n"             \
    "void main()\n{\n    vec2 here = gl_FragCoord.xy;\n"

const char relax_plain[] = HEAD "    float sum = texture2DRect(x, here + vec2(-1.0, 0.0)).x\n"
                                "              + texture2DRect(x, here + vec2(1.0, 0.0)).x\n"
                                "              + texture2DRect(x, here + vec2(0.0, -1.0)).x\n"
                                "              + texture2DRect(x, here + vec2(0.0, 1.0)).x;\n"
                                "    gl_FragColor = vec4(a * sum + texture2DRect(f, here).x);\n}\n";

const char relax_rgba[] =
    HEAD "    vec4 old = texture2DRect(x, here);\n"
         "    float left = texture2DRect(x, here + vec2(-1.0, 0.0)).a;\n"
         "    float right = texture2DRect(x, here + vec2(1.0, 0.0)).r;\n"
         "    vec4 sum = vec4(left, old.rgb) + vec4(old.gba, right)\n"
         "             + texture2DRect(x, here + vec2(0.0, -1.0))\n"
         "             + texture2DRect(x, here + vec2(0.0, 1.0));\n"
         "    vec4 column = 4.0 * floor(here.x - origin.x) + vec4(0.0, 1.0, 2.0, 3.0);\n"
         "    vec4 there = vec4(lessThan(column, vec4(cells.x)));\n"
         "    gl_FragColor = there * (a * sum + texture2DRect(f, here));\n}\n";

const char relax_vertex[] = "#version 120\nvoid main()\n{\n    gl_Position = ftransform();\n}\n";

const struct qp_custom_desc relaxation = {.name = "relax",
                                          .input = {{.name = "f"}},
                                          .parameter = {{.name = "a", .value = 0.25}},
                                          .reference = relax,
                                          .flops = 5};

struct qp_custom *relax_make(void)
{
    struct qp_custom *op;
    assert_ok(qp_custom_create(&relaxation, &op));
    return op;
}

const struct qp_variant *relax_add(struct qp_custom *op, const char *name, enum qp_texel texel,
                                   const char *text)
{
    const struct qp_variant *variant;
    const struct qp_custom_variant desc = {.name = name,
                                           .texel = texel,
                                           .pad_x = 1,
                                           .pad_y = 1,
                                           .draw = {{.fragment = {.text = text}}}};
    assert_ok(qp_custom_add(op, &desc, &variant));
    return variant;
}

struct qp_tally relax_check(struct qp_context *context, struct qp_custom *op,
                            const struct qp_variant *variant)
{
    struct qp_check_desc desc = {.custom = op};
    struct qp_tally tally;
    assert_ok(qp_check(context, &variant, 1, &desc, &tally));
    return tally;
}
