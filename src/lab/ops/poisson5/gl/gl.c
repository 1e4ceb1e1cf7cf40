/* SPDX-License-Identifier: MIT */
/* Poisson in fragment shaders. The domain is surrounded by zeros, the rim, as wide as a pass reads
 * beyond it. The engine (engine.c) draws fragments inside without a test, and those near the rim
 * with one. */
#include "lab/ops/poisson5/poisson5.h"

#define STANDS(...) .engine = &qp_engine_poisson5, QP_POISSON5_HOLDS("rhs", __VA_ARGS__)

/* Four cells of a row a texel. */
#define FOUR_CELLS                                                    \
    {                                                                 \
        .format = QP_RGBA32F, .neighbours = 4, .pad_x = 1, .pad_y = 1 \
    }

/* + rows dealt out to eight textures: a fragment updates 4 x 8 cells and fetches 30 texels, not 8
 * x 5. A pass reads eight rows, one texel, beyond its own at most, and two texels to each side if
 * it takes more than four steps. */
#define EIGHT_SHEETS(texels)                                                            \
    {                                                                                   \
        .format = QP_RGBA32F, .neighbours = 4, .sheets = 8, .pad_x = texels, .pad_y = 1 \
    }

/* + several steps in one pass, and single ones where steps are left over. */
#define FUSED(count, texels, rows)                                                              \
    STANDS(EIGHT_SHEETS(texels)),                                                               \
        .draw = {{.fragment = "poisson5/targets.frag"}, {.fragment = "poisson5/targets.frag"}}, \
        .own = &(const struct qp_poisson5_variant)                                              \
    {                                                                                           \
        .steps = {1, count}, .band = rows                                                       \
    }

/* + passes band by band, 256 rows of cells: 4 MiB of a grid 4096 cells wide, and as much of what is
 * written. */
enum { BAND = 32 };

/* Bounds of targets_fused4, as in paper 2: no fetches, or all of one texel. */
#define BOUND(line)                                                                             \
    STANDS(EIGHT_SHEETS(1)),                                                                    \
        .draw = {{.fragment = "poisson5/targets.frag"}, {.fragment = "poisson5/targets.frag"}}, \
        .own = &(const struct qp_poisson5_variant){.steps = {1, 4}, .head = line}, .bound = true

const struct qp_recipe qp_poisson5_gl[] = {
    /* Five fetches a cell, one value a texel. */
    {.name = "poisson5/luminance",
     .backend = QP_GL,
     .layout = "one value a texel",
     .place = "ours: a quad a step",
     .sentence = "four fetches a cell, five with h^2 f; the rim is the zeros around the domain",
     STANDS({.format = QP_LUMINANCE32F, .pad_x = 1, .pad_y = 1}),
     .draw = {{.fragment = "poisson5/luminance.frag"}}},

    {.name = "poisson5/rgba",
     .after = "poisson5/luminance",
     .backend = QP_GL,
     .layout = "four cells in RGBA",
     .place = "ours: four values a texel",
     .sentence = "five fetches for four cells",
     STANDS(FOUR_CELLS),
     .draw = {{.fragment = "poisson5/rgba.frag"}}},

    {.name = "poisson5/targets",
     .after = "poisson5/rgba",
     .backend = QP_GL,
     .layout = "four cells in RGBA, rows in eight sheets",
     .place = "ours: eight render targets",
     .sentence = "4 x 8 cells a fragment in eight render targets, 30 fetches",
     .needs = QP_CAN_PRECISE,
     STANDS(EIGHT_SHEETS(1)),
     .draw = {{.fragment = "poisson5/targets.frag"}}},

    {.name = "poisson5/targets_fused2",
     .after = "poisson5/targets",
     .backend = QP_GL,
     .layout = "four cells in RGBA, rows in eight sheets",
     .place = "ours: steps fused",
     .sentence = "2 steps in one pass, on what they depend on; the bits of single steps",
     .needs = QP_CAN_PRECISE,
     FUSED(2, 1, 0)},

    {.name = "poisson5/targets_fused3",
     .after = "poisson5/targets",
     .backend = QP_GL,
     .layout = "four cells in RGBA, rows in eight sheets",
     .place = "ours: steps fused",
     .sentence = "3 steps in one pass, on what they depend on; the bits of single steps",
     .needs = QP_CAN_PRECISE,
     FUSED(3, 1, 0)},

    {.name = "poisson5/targets_fused4",
     .after = "poisson5/targets",
     .backend = QP_GL,
     .layout = "four cells in RGBA, rows in eight sheets",
     .place = "ours: steps fused",
     .sentence = "4 steps in one pass, on what they depend on; the bits of single steps",
     .needs = QP_CAN_PRECISE,
     FUSED(4, 1, 0)},

    {.name = "poisson5/targets_fused8",
     .after = "poisson5/targets",
     .backend = QP_GL,
     .layout = "four cells in RGBA, rows in eight sheets",
     .place = "ours: steps fused",
     .sentence = "8 steps in one pass, on what they depend on; the bits of single steps",
     .needs = QP_CAN_PRECISE,
     FUSED(8, 2, 0)},

    {.name = "poisson5/targets_fused2_bands",
     .after = "poisson5/targets_fused2",
     .backend = QP_GL,
     .layout = "four cells in RGBA, rows in eight sheets",
     .place = "ours: steps fused, bands of rows",
     .sentence = "2 steps in one pass, and several passes over a band that stays in the cache",
     .needs = QP_CAN_PRECISE,
     FUSED(2, 1, BAND)},

    {.name = "poisson5/targets_fused4_bands",
     .after = "poisson5/targets_fused4",
     .backend = QP_GL,
     .layout = "four cells in RGBA, rows in eight sheets",
     .place = "ours: steps fused, bands of rows",
     .sentence = "4 steps in one pass, and several passes over a band that stays in the cache",
     .needs = QP_CAN_PRECISE,
     FUSED(4, 1, BAND)},

    {.name = "poisson5/targets_fused4_notex",
     .after = "poisson5/targets_fused4",
     .backend = QP_GL,
     .layout = "four cells in RGBA, rows in eight sheets",
     .place = "ours: the bound of notex",
     .sentence = "bound: targets_fused4 without a fetch",
     .needs = QP_CAN_PRECISE,
     BOUND("#define NOTEX\n")},

    {.name = "poisson5/targets_fused4_alwayscache",
     .after = "poisson5/targets_fused4",
     .backend = QP_GL,
     .layout = "four cells in RGBA, rows in eight sheets",
     .place = "ours: the bound of alwayscache",
     .sentence = "bound: targets_fused4 with all its fetches of one texel",
     .needs = QP_CAN_PRECISE,
     BOUND("#define ALWAYSCACHE\n")},

    /* The same in a compute shader: data-centre GPUs run fragments on a small part of their
     * processors. */
    {.name = "poisson5/compute",
     .after = "poisson5/targets_fused4",
     .backend = QP_GL,
     .layout = "four cells in RGBA",
     .place = "what came after: OpenGL 4.3",
     .sentence = "4 steps in one dispatch, 4 x 8 cells an invocation, in registers",
     .needs = QP_CAN_PRECISE,
     STANDS({.format = QP_RGBA32F, .neighbours = 4, .pad_x = 1, .pad_y = 4}),
     .draw = {{.compute = "poisson5/compute.comp"}, {.compute = "poisson5/compute.comp"}},
     .own = &(const struct qp_poisson5_variant){.steps = {1, 4}, .rows = 8}},

    {0},
};
