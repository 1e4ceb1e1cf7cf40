/* SPDX-License-Identifier: MIT */
/* How finely depths are told apart, where they end, and what leaves none. */
#include "support/toolkit.h"

#include <math.h>

/* Draws cell 0 of an output of one cell: value 1 at depth `a`, then 2 at `b`. Returns what
 * stays. */
static float duel_of(const struct qp_kernel *draws, enum qp_depth_keeps keeps, float a, float b)
{
    float got;
    struct qp_array *out = field(1, 1, 1, NULL);
    struct qp_depth *depth = depth_of(1, 1, keeps);
    for (int i = 0; i < 2; i++)
        assert_ok(qp_pass_run(&(struct qp_pass){
            .kernel = draws,
            .number = {{.name = "at", .value = {i ? b : a}}, {.name = "value", .value = {i + 1}}},
            .output = {out},
            .depth = depth}));
    assert_ok(qp_array_read(out, NULL, &got, 0));
    qp_depth_destroy(&depth);
    qp_array_destroy(&out);
    return got;
}

static float duel(enum qp_depth_keeps keeps, float a, float b)
{
    struct qp_kernel *draws = kernel((struct qp_kernel_desc){
        .body = "float kernel(vec2 here) { gl_FragDepth = at; return value; }",
        .number = {{"at"}, {"value"}}});
    const float got = duel_of(draws, keeps, a, b);
    qp_kernel_destroy(&draws);
    return got;
}

/* Neighbours among floats are told apart, which 24 bits of fixed point would not do below 1/2. */
CLEAN_TEST(every_bit_of_a_depth_counts)
{
    static const float depths[] = {0.5f,        0.75f, 0.999f, 1e-3f,
                                   1.0f / 3.0f, 1e-7f, 1e-20f, 0x1p-24f};
    context = support_need_context(state);
    for (int i = 0; i < COUNT(depths); i++) {
        const float near = depths[i], far = nextafterf(near, 1.0f);
        assert_true(duel(QP_DEPTH_NEAREST, near, far) == 1.0f);
        assert_true(duel(QP_DEPTH_NEAREST, far, near) == 2.0f);
        assert_true(duel(QP_DEPTH_NEAREST, near, near) == 1.0f);
        assert_true(duel(QP_DEPTH_FARTHEST, near, far) == 2.0f);
        assert_true(duel(QP_DEPTH_FARTHEST, far, near) == 1.0f);
        assert_true(duel(QP_DEPTH_FARTHEST, far, far) == 1.0f);
    }
}

/* A depth that goes by z passes through coordinates from -1 to 1. */
CLEAN_TEST(z_is_good_to_22_bits)
{
    static const float depths[] = {0.0f, 1e-3f, 1.0f / 3.0f, 0.5f, 0.7f, 0.999f};
    context = support_need_context(state);
    struct qp_kernel *draws = kernel((struct qp_kernel_desc){
        .fragment = {.text = "#version 120\n"
                             "uniform float value;\n"
                             "void main() { gl_FragColor = vec4(value); }\n"},
        .vertex = {.text = "#version 120\n"
                           "uniform float at;\n"
                           "void main()\n"
                           "{\n"
                           "    gl_Position = gl_ModelViewProjectionMatrix * vec4(gl_Vertex.xy, "
                           "at, 1.0);\n"
                           "}\n"},
        .number = {{"at"}, {"value"}}});
    for (int i = 0; i < COUNT(depths); i++) {
        const float near = depths[i], far = near + 0x1p-22f;
        assert_true(duel_of(draws, QP_DEPTH_NEAREST, near, far) == 1.0f);
        assert_true(duel_of(draws, QP_DEPTH_NEAREST, far, near) == 2.0f);
        assert_true(duel_of(draws, QP_DEPTH_FARTHEST, near, far) == 2.0f);
        assert_true(duel_of(draws, QP_DEPTH_FARTHEST, far, near) == 1.0f);
    }
    assert_true(duel_of(draws, QP_DEPTH_NEAREST, -0.01f, 1.01f) == 0.0f);
    qp_kernel_destroy(&draws);
}

CLEAN_TEST(depths_end_at_0_and_1)
{
    context = support_need_context(state);
    assert_true(duel(QP_DEPTH_NEAREST, 1.0f, 1.0f) == 0.0f); /* neither is below 1 */
    assert_true(duel(QP_DEPTH_NEAREST, 1.0f, nextafterf(1.0f, 0.0f)) == 2.0f);
    assert_true(duel(QP_DEPTH_NEAREST, 0x1p-20f, 0.0f) == 2.0f);
    assert_true(duel(QP_DEPTH_FARTHEST, 0.0f, 0.0f) == 0.0f); /* neither is above 0 */
    assert_true(duel(QP_DEPTH_FARTHEST, 0.0f, 0x1p-20f) == 2.0f);
    assert_true(duel(QP_DEPTH_FARTHEST, 0.5f, 1.0f) == 2.0f);
}

/* Fragments that a shader discards store no depth. */
CLEAN_TEST(what_is_discarded_is_not_there)
{
    static const float expected[] = {2, 1, 2, 1, 2, 1, 2};
    float got[COUNT(expected)];
    context = support_need_context(state);
    struct qp_array *out = field(COUNT(expected), 1, 1, NULL);
    struct qp_depth *depth = depth_of(COUNT(expected), 1, QP_DEPTH_NEAREST);
    struct qp_kernel *draws =
        kernel((struct qp_kernel_desc){.body = "float kernel(vec2 here)\n"
                                               "{\n"
                                               "    if (mod(here.x, 2.0) < odd)\n"
                                               "        discard;\n"
                                               "    gl_FragDepth = at;\n"
                                               "    return 2.0 - odd;\n"
                                               "}\n",
                                       .number = {{"at"}, {"odd"}}});
    for (int i = 0; i < 2; i++)
        assert_ok(
            qp_pass_run(&(struct qp_pass){.kernel = draws,
                                          .number = {{.name = "at", .value = {0.25 + 0.25 * i}},
                                                     {.name = "odd", .value = {1 - i}}},
                                          .output = {out},
                                          .depth = depth}));
    assert_ok(qp_array_read(out, NULL, got, 0));
    assert_true(same(got, expected, COUNT(expected)));
    qp_kernel_destroy(&draws);
    qp_depth_destroy(&depth);
    qp_array_destroy(&out);
}

GROUP(support_open_context, support_close_context)
