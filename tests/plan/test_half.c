/* SPDX-License-Identifier: MIT */
/* 16-bit formats: what textures make of floats, which problems fit, and that their variants really
 * are what they say. */
#include "support/support.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "lab/ops/jacobi9/jacobi9.h"
#include "lab/plan/half.h"
#include "toolkit/gl/framebuffer.h"
#include "toolkit/gl/readback.h"

static const char *const names[] = {"luminance_half", "rgba_half"};

/* Values in, values out, through a texture of its own. */
static void through_texture(struct qp_context *context, enum qp_format format, GLenum target,
                            int texels, const float *in, float *out)
{
    struct qp_texture texture;
    const struct qp_texture *const textures[] = {&texture};
    struct qp_surface surface = {0, GL_COLOR_ATTACHMENT0};
    assert_ok(qp_texture_create(context, target, format, texels, 1, in, &texture));
    assert_ok(qp_framebuffer_create(context, textures, 1, &surface.framebuffer_id));
    assert_ok(qp_readback(context, surface, format, 0, 0, texels, 1, out));
    qp_framebuffer_destroy(context, &surface.framebuffer_id);
    qp_texture_destroy(&texture);
}

static void skip_without(struct qp_context *context, unsigned abilities)
{
    if (~qp_context_device(context)->abilities & abilities)
        skip();
}

/* Eleven digits come back exactly, others within one unit; guards stay NaN. */
CLEAN_TEST(textures_keep_eleven_digits)
{
    static const float exact[] = {0.0f,     -0.0f,    1.0f,      -2.5f,   2047.0f, 65504.0f,
                                  0x1p-14f, 0x1p-24f, -0x3p-16f, 1023.5f, -1.0f,   0.125f};
    static const enum qp_format formats[] = {QP_LUMINANCE16F, QP_RGBA16F};
    struct qp_context *context = support_need_context(state);
    skip_without(context, QP_CAN_LUMINANCE16F | QP_CAN_RGBA16F);
    for (int i = 0; i < 4; i++) {
        GLenum target = i % 2 ? GL_TEXTURE_2D : GL_TEXTURE_RECTANGLE_ARB;
        float in[64], out[64];
        for (int k = 0; k < COUNT(in); k++)
            in[k] = k < COUNT(exact) ? exact[k] : k == 20 ? NAN : (float)(k - 40) / 7.0f;
        through_texture(context, formats[i / 2], target, 64 / qp_format_channels(formats[i / 2]),
                        in, out);
        assert_memory_equal(in, out, sizeof exact);
        assert_true(isnan(out[20]));
        for (int k = 21; k < COUNT(in); k++)
            assert_true(fabsf(in[k] - out[k]) <= 0x1p-10f * fabsf(in[k]));
        assert_true(out[45] != in[45]);
    }
}

static void make_problem(struct qp_problem *problem, double weight)
{
    struct qp_problem_desc desc = {.width = 16, .height = 9, .seed = 5, .weight = weight};
    assert_ok(qp_problem_create(&desc, problem));
}

static struct qp_result walk(void **state, int name, struct qp_problem *problem, int steps)
{
    struct qp_walk_desc desc = {.iterations = steps};
    struct qp_result result;
    assert_ok(qp_walk(*state, qp_variant_find(names[name]), problem, &desc, &result));
    return result;
}

/* Their errors are those of 16 bits: far above float's tolerance, and below their own. */
CLEAN_TEST(rows_are_as_coarse_as_they_say)
{
    skip_without(support_need_context(state), QP_CAN_LUMINANCE16F | QP_CAN_RGBA16F);
    for (int i = 0; i < 2 * COUNT(names); i++) {
        struct qp_problem problem;
        make_problem(&problem, i / 2 ? 0.8 : 1.0);
        struct qp_result result = walk(state, i % 2, &problem, 7);
        assert_int_equal(result.verdict, QP_PASS);
        assert_true(result.error > 100.0 * problem.op->tolerance(&problem, 7, QP_FLOATS));
        assert_true(result.tolerance == problem.op->half->tolerance(&problem, 7) &&
                    result.tolerance < 0.02);
        qp_problem_destroy(&problem);
    }
}

/* True if the driver cuts off where others round: 1.75 units above 1 become one unit of two, or
 * two. */
static bool cuts_off(struct qp_context *context, enum qp_format format)
{
    float in[4] = {1.0f + 1.75f * 0x1p-11f}, out[4];
    through_texture(context, format, GL_TEXTURE_RECTANGLE_ARB, 4 / qp_format_channels(format), in,
                    out);
    assert_true(out[0] == 1.0f || out[0] == 1.0f + 0x1p-10f);
    return out[0] == 1.0f;
}

/* The worst that storing can do in one step, u = 2^-11: A and x fall, where numbers are rounded by
 * u of themselves while D rises, where they are cut off by 2 u; and what comes out falls by u
 * again. */
static void make_worst(struct qp_problem *problem, bool cuts)
{
    static const double u = 0x1p-11;
    float falls = (float)(1.0 + (cuts ? 1.995 : 0.998) * u);
    float rises = (float)(1.0 + (cuts ? 0.0 : 1.002) * u);
    struct qp_problem_desc desc = {
        .width = 8, .height = 1, .weight = 1.0 + (cuts ? 0.995 : 2.995) * u};
    assert_ok(qp_problem_create(&desc, problem));
    for (int field = 0; field < QP_JACOBI9_STORED; field++)
        memset(problem->field[field].values, 0, 8 * sizeof(float));
    for (int i = 0; i < 8; i++)
        problem->field[QP_JACOBI9_DD].values[i] = rises;
    problem->field[QP_JACOBI9_DU].values[2] = falls;
    problem->field[QP_JACOBI9_X].values[3] = falls;
}

static double one_bit_more(const struct qp_problem *problem, int iterations)
{
    return 0.5 * qp_op_jacobi9.half->tolerance(problem, iterations);
}

/* A format with one digit more would have half the tolerance: with that these variants fail. */
CLEAN_TEST(tolerance_is_right_to_a_bit)
{
    struct qp_context *context = support_need_context(state);
    struct qp_op strict = qp_op_jacobi9;
    struct qp_half half = *strict.half;
    half.tolerance = one_bit_more;
    strict.half = &half;
    strict.name = qp_variant_find(names[0])->op; /* variants know their operation by its address */
    skip_without(context, QP_CAN_LUMINANCE16F | QP_CAN_RGBA16F);
    for (int i = 0; i < COUNT(names); i++) {
        struct qp_problem problem;
        make_worst(&problem, cuts_off(context, i == 0 ? QP_LUMINANCE16F : QP_RGBA16F));
        assert_int_equal(walk(state, i, &problem, 1).verdict, QP_PASS);
        problem.op = &strict;
        struct qp_result result = walk(state, i, &problem, 1);
        assert_int_equal(result.verdict, QP_FAIL);
        assert_true(result.worst_x == 2 && result.error < 2.0 * result.tolerance);
        qp_problem_destroy(&problem);
    }
}

/* A value that does not fit, and the words that say so. */
static const struct {
    const char *field;
    float value;
    const char *words;
} misfits[] = {{"b", 65536.0f, "16 bits hold numbers up to 65504, and b holds 65536"},
               {"x", -7e4f, "x holds -70000"},
               {"UD", INFINITY, "UD holds inf"},
               {"DD", 0.1f, "DD, by which it divides, holds 0.1"}};

TEST(values_out_of_range_are_refused)
{
    for (int i = 0; i < COUNT(misfits) * COUNT(names); i++) {
        const struct qp_variant *variant = qp_variant_find(names[i % COUNT(names)]);
        struct qp_problem problem;
        make_problem(&problem, 1.0);
        assert_ok(qp_variant_takes(variant, &problem));
        qp_problem_field(&problem, misfits[i / 2].field)->values[77] = misfits[i / 2].value;
        assert_int_equal(qp_variant_takes(variant, &problem), QP_UNSUPPORTED);
        support_assert_sentence(misfits[i / 2].words);
        qp_problem_destroy(&problem);
    }
}

/* The largest element of a start counts wherever it is. */
TEST(the_last_cell_may_be_the_largest)
{
    const struct qp_problem_desc desc = {
        .op = "gauss_jordan", .kind = "exact", .width = 8, .height = 8};
    struct qp_problem problem;
    assert_ok(qp_problem_create(&desc, &problem));
    const struct qp_matrix *a = qp_problem_field(&problem, "a");
    const int last = a->width * a->height - 1;
    for (int i = 0; i < last; i++)
        a->values[i] = 0x1p-5f;
    a->values[last] = -0x1p-4f;
    assert_ok(qp_half_takes(&problem));
    a->values[last] = 0.0546875f;
    assert_int_equal(qp_half_takes(&problem), QP_UNSUPPORTED);
    support_assert_sentence("a holds nothing above 0.0546875, less than 0.0625");
    qp_problem_destroy(&problem);
}

static void scale_field(struct qp_problem *problem, const char *name, float factor)
{
    struct qp_matrix *field = qp_problem_field(problem, name);
    for (int i = 0; i < field->width * field->height; i++)
        field->values[i] *= factor;
}

/* All that is stored fits, but not what comes of it; the reference knows. */
CLEAN_TEST(answers_out_of_range_are_skipped)
{
    static const float factors[][2] = {{1e-4f, 1.0f}, {6e4f, 0.3f}}; /* scale of b and x; of DD */
    skip_without(support_need_context(state), QP_CAN_LUMINANCE16F | QP_CAN_RGBA16F);
    for (int i = 0; i < 2 * COUNT(factors); i++) {
        struct qp_problem problem;
        make_problem(&problem, 1.0);
        scale_field(&problem, "b", factors[i / 2][0]);
        scale_field(&problem, "x", factors[i / 2][0]);
        scale_field(&problem, "DD", factors[i / 2][1]);
        struct qp_result result = walk(state, i % 2, &problem, 2);
        assert_int_equal(result.verdict, QP_SKIP);
        assert_non_null(strstr(result.reason, "16 bits are good for numbers from"));
        assert_true(isnan(result.error));
        qp_problem_destroy(&problem);
    }
}

GROUP(support_open_context, support_close_context)
