/* SPDX-License-Identifier: MIT */
/* Variants of poisson5 with more digits than float has, on OpenGL: texels keep them on the way up
 * and back, every fetch counts, and so does every word of a double and both parts of a pair. */
#include "support/mutants.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lab/ops/poisson5/poisson5.h"
#include "lab/plan/op.h"
#include "lab/plan/problem.h"
#include "support/poisson.h"
#include "toolkit/gl/pingpong.h"

enum { WIDTH = 13, HEIGHT = 11 };

static const char *const rows[] = {"poisson5/double", "poisson5/double_rgba",
                                   "poisson5/double_single", "poisson5/double_single_rgba"};

/* ---- Texels ---- */

/* A format of doubles through both textures of a pair. */
static void go_through(struct qp_context *context, enum qp_format format, GLenum target,
                       const double values[], double back[])
{
    const int channels = qp_format_channels(format);
    const struct qp_layout layout = {.shape.format = format,
                                     .precision = QP_DOUBLES,
                                     .channels = channels,
                                     .sheets = 1,
                                     .storage_x = 4,
                                     .storage_y = 3,
                                     .sheet_y = 3};
    struct qp_pingpong pair;
    const size_t before = qp_context_counters(context).bytes_written;
    assert_ok(
        qp_pingpong_create(context, QP_TWO_ATTACHMENTS, target, &layout, values, values, &pair));
    assert_int_equal(qp_context_counters(context).bytes_written - before,
                     2 * 8 * 12 * (size_t)channels);
    assert_ok(qp_pingpong_write(&pair, true, values));
    assert_ok(qp_pingpong_read(&pair, true, back));
    qp_pingpong_destroy(&pair);
}

/* Doubles come back bit for bit; as pairs those that 49 digits hold, an infinity, and the mark of a
 * cell that nobody wrote; others are off by 2^-49 at most. */
CLEAN_TEST(texels_keep_their_digits)
{
    static const enum qp_format formats[] = {QP_RG32UI_WORDS, QP_RGBA32UI_WORDS, QP_RG32F_PAIRS,
                                             QP_RGBA32F_PAIRS};
    static const GLenum targets[] = {GL_TEXTURE_RECTANGLE_ARB, GL_TEXTURE_2D};
    struct qp_context *context = support_need_context(state);
    const double exact[] = {0.0,      -1.0, 1.0 + 0x1p-48, -3.0e38, INFINITY, qp_unwritten(),
                            -0x1p-80, 7.0,  -INFINITY,     NAN,     16777217, 0x1p100 + 0x1p60};
    double values[24], back[24];
    for (int i = 0; i < 24; i++)
        values[i] = i < 12 ? exact[i] : sin(i) * 1e-3;
    for (int i = 0; i < 2 * COUNT(formats); i++) {
        memset(back, 0, sizeof back);
        go_through(context, formats[i / 2], targets[i % 2], values, back);
        for (int k = 0; k < 12 * qp_format_channels(formats[i / 2]); k++) {
            if (qp_format_has_words(formats[i / 2]) || k < 12)
                assert_true(isnan(values[k]) ? isnan(back[k]) : back[k] == values[k]);
            else
                assert_true(fabs(back[k] - values[k]) <= 0x1p-49 * fabs(values[k]));
        }
        assert_true(qp_is_unwritten(back[5]));
    }
}

/* ---- Mutants ---- */

static struct qp_problem field, spike;

static struct qp_result walk_victim(struct victim *victim)
{
    return mutants_walk(victim, victim->problem == &spike ? 1 : 2);
}

/* Strikes at the shader of each variant that this device can run. */
static void visit(void **state, struct qp_problem *problem, void (*strike)(struct victim *victim))
{
    struct victim victim = {
        .context = support_need_context(state), .problem = problem, .walk = walk_victim};
    mutants_tally = (struct mutants_tally){0};
    for (int i = 0; i < COUNT(rows); i++) {
        victim.variant = qp_variant_find(rows[i]);
        if (victim.variant->needs & ~qp_context_device(victim.context)->abilities)
            continue;
        victim.name = victim.variant->recipe->draw[0].fragment;
        mutants_read(victim.name, victim.text);
        assert_int_equal(walk_victim(&victim).verdict, QP_PASS);
        strike(&victim);
    }
    assert_int_equal(mutants_tally.survived, 0);
}

static bool is_fetch(const char *at)
{
    return strncmp(at, "value(x", 7) == 0 || strncmp(at, "value(rhs", 9) == 0 ||
           strncmp(at, "texture(x", 9) == 0 || strncmp(at, "texture(rhs", 11) == 0 ||
           strncmp(at, "texture2DRect(x", 15) == 0 || strncmp(at, "texture2DRect(rhs", 17) == 0;
}

/* Nothing in place of a fetch of words, then the texels beside and above. */
static void strike_words(struct victim *victim, const char *at, const char *const by[])
{
    const char *end = mutants_end_of_call(at);
    char instead[256];
    mutants_sabotage(victim, at, end, "uvec4(0u)");
    for (int k = 0; k < 2; k++) {
        snprintf(instead, sizeof instead, "%.*s%s", (int)(end - 1 - at), at, by[k]);
        mutants_sabotage(victim, at, end, instead);
    }
}

/* Each fetch dropped, shifted right, shifted up. */
static void strike_fetches(struct victim *victim)
{
    static const char *const by[] = {" + vec2(1.0, 0.0))", " + vec2(0.0, 1.0))"};
    for (const char *at = victim->text; *at != '\0'; at++) {
        if (strncmp(at, "texture(", 8) == 0 && is_fetch(at))
            strike_words(victim, at, by);
        else if (is_fetch(at))
            mutants_strike_call(victim, at, by, 2);
    }
}

CLEAN_TEST(every_fetch_counts)
{
    visit(state, &field, strike_fetches);
    assert_int_equal(mutants_tally.made, 4 * 3 * 6);
}

/* Mutants that lose digits which only a double has, or half of the numbers; and the weight. Words
 * of a double keep the digits of a float: Mesa takes double(float(a)) for a. */
#define SINGLE "uvec2(0xe0000000u, 0xffffffffu)"
static void strike_digits(struct victim *victim)
{
    static const char *const mutants[][2] = {
        {"unpackDouble2x32(relaxed)", "unpackDouble2x32(relaxed) & " SINGLE},
        {"packDouble2x32(texture(array, place).rg)",
         "packDouble2x32(uvec2(0u, texture(array, place).g))"},
        {"place).rg);\n", "place).gr);\n"},
        {"0.25LF", "0.2499999999999LF"},
        {"old + weight[0] *", "old + double(float(weight[0])) *"},
        {"old + weight[0] *", "weight[0] *"},
        {"vec4(relaxed, 0.0, 0.0)", "vec4(relaxed.r, 0.0, 0.0, 0.0)"},
        {"texture2DRect(array, place).rg", "vec2(texture2DRect(array, place).r, 0.0)"},
        {"left.g + right.g", "left.g"},
        {"+ column.g", ""},
        {"low = low + sum.g", "low = low"},
        {"(side.g + sum.g)", "side.g"},
        {"(side.g + sum.g)", "sum.g"},
        {"weight[0], add", "vec2(weight[0].r, 0.0), add"},
        {"4097.0", "1.0"},
        {"+ p.g * q.r", ""},
        {"vec4(relaxed.high, relaxed.low)", "vec4(relaxed.high, 0.0 * relaxed.low)"},
        {"texel.ga", "0.0 * texel.ga"},
        {"pairs(texel.rb, texel.ga)", "pairs(texel.br, texel.ag)"},
        {"before.ba, old.rg", "before.rg, old.rg"},
        {"old.ba, behind.rg", "old.ba, old.rg"},
        {"(side.low + sum.low)", "side.low"},
        {"vec2(weight[0].y)", "vec2(0.0)"},
        {"inside * relaxed.high", "relaxed.high"},
        {"unpackDouble2x32(relaxed.y)", "unpackDouble2x32(relaxed.y) & " SINGLE},
        {"packDouble2x32(texel.ba)", "double(float(packDouble2x32(texel.ba)))"},
        {"dvec2(lessThan(column, vec2(cells.x)))", "1.0LF"},
    };
    int struck = 0;
    for (int i = 0; i < COUNT(mutants); i++)
        struck += mutants_replace(victim, mutants[i][0], mutants[i][1]);
    assert_true(struck >= 6);
}

CLEAN_TEST(every_digit_counts)
{
    visit(state, &field, strike_digits);
}

static void strike_spike(struct victim *victim)
{
    static const char *const mutants[][2] = {
        {"origin + spike + 0.5)", "origin + spike + 1.5)"},
        {"cell.y == spike.y", "cell.y == spike.x"},
        {"vec2(spike.x)", "vec2(spike.x + 1.0)"},
    };
    int struck = 0;
    for (int i = 0; i < COUNT(mutants); i++)
        struck += mutants_replace(victim, mutants[i][0], mutants[i][1]);
    assert_true(struck >= 1);
}

CLEAN_TEST(the_spike_is_where_it_is)
{
    visit(state, &spike, strike_spike);
}

/* ---- Weights and residuals ---- */

/* The residual that a variant measures is that of the iterate before the latest step, though
 * doubles are summed as floats in the end; and the latest step's weight is not the problem's. */
CLEAN_TEST(residuals_are_those_of_doubles)
{
    static const double list[] = {0.7, 1.3, 1.0};
    const struct qp_weights weights = {list, COUNT(list)};
    struct qp_context *context = support_need_context(state);
    for (int i = 0; i < COUNT(rows); i++) {
        const struct qp_variant *variant = qp_variant_find(rows[i]);
        struct heard heard = {0};
        struct qp_walk_desc desc = {.iterations = 7, .keep_solution = true, .weights = &weights};
        struct qp_result result;
        if (variant->needs & ~qp_context_device(context)->abilities)
            continue;
        assert_ok(qp_walk(context, variant, &field, &desc, &result));
        assert_int_equal(result.verdict, QP_PASS);
        const double wanted = poisson_residual(&field, &result.solution);
        qp_matrix_destroy(&result.solution);
        desc = (struct qp_walk_desc){.iterations = 8,
                                     .every = 8,
                                     .on_residual = poisson_hear,
                                     .user = &heard,
                                     .weights = &weights};
        assert_ok(qp_walk(context, variant, &field, &desc, &result));
        assert_int_equal(heard.calls, 1);
        assert_true(fabs(heard.residual - wanted) <= 1e-6 * wanted);
    }
}

static int set_up(void **state)
{
    struct qp_problem_desc desc = {.op = "poisson5",
                                   .kind = "field",
                                   .width = WIDTH,
                                   .height = HEIGHT,
                                   .seed = 7,
                                   .weight = 0.9};
    assert_ok(qp_problem_create(&desc, &field));
    desc.kind = "spike";
    assert_ok(qp_problem_create(&desc, &spike));
    return mutants_set_up(state);
}

static int tear_down(void **state)
{
    qp_problem_destroy(&field);
    qp_problem_destroy(&spike);
    return mutants_tear_down(state);
}

GROUP(set_up, tear_down)
