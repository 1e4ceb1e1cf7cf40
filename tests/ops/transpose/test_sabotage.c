/* SPDX-License-Identifier: MIT */
/* Convention 3 for transposition: as tests/ops/jacobi9/test_sabotage.c. Values are moved and
 * nothing is computed, so a mutant need only change the least bit of one cell. */
#include "support/kernel_mutants.h"
#include "support/mutants.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/ops/transpose/transpose.h"

static struct qp_problem turned, copied;
static int mutants, survivors;

static void sabotage(const struct victim *victim, const char *begin, const char *end,
                     const char *instead)
{
    mutants_strike(victim, begin, end, instead);
    struct qp_result result = mutants_walk(victim, 2);
    mutants_write(victim->name, victim->text);
    mutants++;
    if (result.verdict == QP_FAIL &&
        (strstr(result.reason, "cell (") || strstr(result.reason, "stage 8")))
        return;
    survivors++;
    print_error("%s: '%s' for '%.*s' survives: %s\n", victim->name, instead, (int)(end - begin),
                begin, result.reason);
}

/* Strikes at each shader of each variant that this device can run; returns how many there were. */
static int visit(void **state, void (*strike)(struct victim *victim))
{
    struct victim victim = {.context = support_need_context(state)};
    int shaders = 0;
    mutants = survivors = 0;
    for (size_t i = 0; i < 2 * qp_variant_count(); i++) {
        victim.variant = qp_variant_at(i / 2);
        const struct qp_draw *draw = &victim.variant->recipe->draw[0];
        victim.problem =
            victim.variant->recipe->not_kinds & QP_TRANSPOSE_ONLY_COPIES ? &copied : &turned;
        victim.name = i % 2 ? draw->vertex : draw->compute ? draw->compute : draw->fragment;
        if (strcmp(victim.variant->op, "transpose") != 0 || victim.name == NULL ||
            victim.variant->needs & ~qp_context_device(victim.context)->abilities)
            continue;
        mutants_read(victim.name, victim.text);
        strike(&victim);
        shaders++;
    }
    assert_int_equal(survivors, 0);
    return shaders;
}

/* Each fetch dropped, shifted right, shifted up. */
static void strike_fetches(struct victim *victim)
{
    static const char *const by[] = {" + vec2(1.0, 0.0))", " + vec2(0.0, 1.0))"};
    for (const char *at = victim->text; (at = strstr(at, "texture2DRect(")) != NULL; at++) {
        const char *end = mutants_end_of_call(at);
        char instead[256];
        sabotage(victim, at, end, "vec4(0.0)");
        for (int k = 0; k < 2; k++) {
            snprintf(instead, sizeof instead, "%.*s%s", (int)(end - 1 - at), at, by[k]);
            sabotage(victim, at, end, instead);
        }
    }
}

/* Fetches are one a texel, four in blocks: copy_texels, sampled, corners, points, copy_rgba;
 * rgba_rows, rgba_targets4 and compute_blocks. */
CLEAN_TEST(every_fetch_counts)
{
    const unsigned all = qp_context_device(support_need_context(state))->abilities;
    assert_true(visit(state, strike_fetches) >= 9);
    if (all & QP_CAN_COMPUTE)
        assert_int_equal(mutants, 3 * (5 * 1 + 3 * 4));
}

static void replace(const struct victim *victim, const char *old, const char *instead)
{
    const char *begin = strstr(victim->text, old);
    if (begin != NULL)
        sabotage(victim, begin, begin + strlen(old), instead);
}

/* Nothing drawn, nothing turned, the wrong channel, a block's lines exchanged, the least bit. */
static void strike_whole(struct victim *victim)
{
    const bool fragment = strstr(victim->name, ".frag") != NULL;
    replace(victim, fragment ? "void main()\n{" : "none", "void main()\n{ discard;");
    replace(victim, "gl_FragCoord.yx", "gl_FragCoord.xy");
    replace(victim, "gl_Vertex.yx", "gl_Vertex.xy");
    replace(victim, "gl_Vertex.xy", "gl_Vertex.yx");
    replace(victim, "place.y - 4.0 * column", "0.0");
    replace(victim, "a.g, b.g", "b.g, a.g");
    replace(victim, "a.a, b.a, c.a, d.a", "a.a, b.a, d.a, c.a");
    replace(victim, "ivec2(0, 3)", "ivec2(0, 4)");
    replace(victim, "vec2(block.x, 4.0 * block.y)", "vec2(4.0 * block.x, block.y)");
    if (fragment) {
        const char *last = strrchr(victim->text, '}');
        sabotage(victim, last, last + 1,
                 strstr(victim->text, "gl_FragData") ? "gl_FragData[3] *= 1.0000002; }"
                                                     : "gl_FragColor *= 1.0000002; }");
    }
}

CLEAN_TEST(whole_shaders_are_judged)
{
    assert_true(visit(state, strike_whole) >= 9);
    assert_true(mutants >= 7 * 2 + 8);
}

static void accept(struct victim *victim)
{
    for (int steps = 0; steps < 3; steps++) {
        struct qp_result result = mutants_walk(victim, steps);
        assert_int_equal(result.verdict, QP_PASS);
    }
}

CLEAN_TEST(unharmed_copies_pass)
{
    assert_true(visit(state, accept) >= 9);
}

/* ---- CUDA ---- */

#define SLIDES(rung, after, old, instead)                                                     \
    {                                                                                         \
        "transpose/cuda_" #rung, "lab/ops/transpose/ladder.cu", "qp_kernel_transpose_" #rung, \
            after, old, instead                                                               \
    }
#define INDEX(rung, after, old, instead)                                                           \
    {                                                                                              \
        "transpose/cuda_" #rung, "lab/ops/transpose/index.h", "qp_kernel_transpose_" #rung, after, \
            old, instead                                                                           \
    }
#define OURS(rung, after, old, instead)                                                        \
    {                                                                                          \
        "transpose/cuda_" #rung, "lab/ops/transpose/vectors.cu", "qp_kernel_transpose_" #rung, \
            after, old, instead                                                                \
    }

/* Turns left out or done twice, edges moved, values that change places. */
static const struct kernel_mutant kernels[] = {
    SLIDES(copy, "void copy(", "i == count / 4", "i > count / 4"),
    SLIDES(copy, "void copy(", "i < count / 4)", "i + 1 < count / 4)"),
    SLIDES(copy_simple, "void plain(", "column >= m.width", "column + 1 >= m.width"),
    SLIDES(copy_interleaved, "void plain(", "ORDER == INTERLEAVED ? far", "false ? far"),
    INDEX(naive, "size_t qp_transpose_to(", "at(row, column, height)", "at(column, row, width)"),
    SLIDES(naive, "launch_plain(", "blocks_in(far, l->block)", "(far / l->block)"),
    SLIDES(tiled_16, "void tiled(", "if (ORDER == TURN)", "if (false)"),
    SLIDES(tiled_32, "void tiled(", "column < width", "column + 1 < width"),
    SLIDES(tiled_48, "if (ORDER == TURN)", "TILE + threadIdx.y", "TILE + threadIdx.x"),
    SLIDES(padded, "void tiled(", "tile[qp_transpose_to(ORDER",
           "tile[qp_transpose_to(QP_TRANSPOSE_COPY"),
    SLIDES(copy_shared, "void tiled(", "row + i < height", "row + i + 1 < height"),
    OURS(registers, "void read(", "row + i < m.height", "row + i + 1 < m.height"),
    OURS(registers, "void turn(", "{a.y, b.y, c.y, d.y}", "{b.y, a.y, c.y, d.y}"),
    OURS(registers, "void write(", "row + 2 < m.height", "row + 3 < m.height"),
    OURS(vectors, "void write(", "to[1] = v.y", "to[1] = v.z"),
    OURS(vectors, "void write(", "row + 4 <= m.height", "row + 4 < m.height - 4"),
    OURS(vectors, "vectors(matrix", "slot(4 * c + i, r)", "slot(4 * c + i, c)"),
    OURS(vectors, "vectors(matrix", "row += THREADS / FOURS", "row += 2 * THREADS / FOURS"),
    OURS(vectors, "vectors(matrix", "bottom + 4 * c, tile", "bottom + 4 * r, tile"),
};

/* No multiple of anything. */
static const struct qp_size sizes[] = {{131, 99}, {0}};

static const struct kernel_hunt hunt = {.mutants = kernels,
                                        .count = COUNT(kernels),
                                        .steps = 1,
                                        .sizes = sizes,
                                        .desc = {.op = "transpose"}};

CLEAN_TEST(all_places_are_there)
{
    kernel_hunt_check(&hunt);
}

CLEAN_TEST(no_kernel_mutant_survives)
{
    kernel_hunt_run(state, &hunt);
}

static int set_up(void **state)
{
    struct qp_problem_desc desc = {.op = "transpose", .width = 13, .height = 10, .seed = 3};
    assert_ok(qp_problem_create(&desc, &turned));
    desc.kind = "copy";
    assert_ok(qp_problem_create(&desc, &copied));
    return mutants_set_up(state);
}

static int tear_down(void **state)
{
    qp_problem_destroy(&turned);
    qp_problem_destroy(&copied);
    return mutants_tear_down(state);
}

CLEAN_TEST(unharmed_copies_pass_again)
{
    unharmed_copies_pass(state);
}

GROUP(set_up, tear_down)
