/* SPDX-License-Identifier: MIT */
/* Poisson in fragment shaders. The domain is surrounded by zeros, the rim, as wide as a pass reads
 * beyond it. The engine (engine.c) draws fragments inside without a test, and those near the rim
 * with one. */
#include "ops/poisson5/poisson5.h"

#define STANDS(...) .engine = &qp_engine_poisson5, QP_POISSON5_HOLDS("rhs", __VA_ARGS__)

#define ROW(name, ...) const struct qp_recipe qp_poisson5_##name = {__VA_ARGS__}

/* Five fetches a cell, one value a texel. */
ROW(luminance, STANDS({.format = QP_LUMINANCE32F, .pad_x = 1, .pad_y = 1}),
    .draw = {{.fragment = "poisson5/luminance.frag"}});

/* Four cells of a row a texel. */
#define FOUR_CELLS                                                    \
    {                                                                 \
        .format = QP_RGBA32F, .neighbours = 4, .pad_x = 1, .pad_y = 1 \
    }

ROW(rgba, STANDS(FOUR_CELLS), .draw = {{.fragment = "poisson5/rgba.frag"}});

/* + rows dealt out to eight textures: a fragment updates 4 x 8 cells and fetches 30 texels, not 8
 * x 5. A pass reads eight rows, one texel, beyond its own at most, and two texels to each side if
 * it takes more than four steps. */
#define EIGHT_SHEETS(texels)                                                            \
    {                                                                                   \
        .format = QP_RGBA32F, .neighbours = 4, .sheets = 8, .pad_x = texels, .pad_y = 1 \
    }

ROW(targets, STANDS(EIGHT_SHEETS(1)), .draw = {{.fragment = "poisson5/targets.frag"}});

/* + several steps in one pass, and single ones where steps are left over. */
#define FUSED(count, texels, rows)                                                              \
    STANDS(EIGHT_SHEETS(texels)),                                                               \
        .draw = {{.fragment = "poisson5/targets.frag"}, {.fragment = "poisson5/targets.frag"}}, \
        .own = &(const struct qp_poisson5_row)                                                  \
    {                                                                                           \
        .steps = {1, count}, .band = rows                                                       \
    }

ROW(targets_fused2, FUSED(2, 1, 0));
ROW(targets_fused3, FUSED(3, 1, 0));
ROW(targets_fused4, FUSED(4, 1, 0));
ROW(targets_fused8, FUSED(8, 2, 0));

/* + passes band by band, 256 rows of cells: 4 MiB of a grid 4096 cells wide, and as much of what is
 * written. */
enum { BAND = 32 };

ROW(targets_fused2_bands, FUSED(2, 1, BAND));
ROW(targets_fused4_bands, FUSED(4, 1, BAND));

/* Bounds of targets_fused4, as in paper 2: no fetches, or all of one texel. */
#define BOUND(line)                                                                             \
    STANDS(EIGHT_SHEETS(1)),                                                                    \
        .draw = {{.fragment = "poisson5/targets.frag"}, {.fragment = "poisson5/targets.frag"}}, \
        .own = &(const struct qp_poisson5_row){.steps = {1, 4}, .head = line}, .bound = true

ROW(targets_fused4_notex, BOUND("#define NOTEX\n"));
ROW(targets_fused4_alwayscache, BOUND("#define ALWAYSCACHE\n"));

/* The same in a compute shader: data-centre GPUs run fragments on a small part of their
 * processors. */
ROW(compute, STANDS({.format = QP_RGBA32F, .neighbours = 4, .pad_x = 1, .pad_y = 4}),
    .draw = {{.compute = "poisson5/compute.comp"}, {.compute = "poisson5/compute.comp"}},
    .own = &(const struct qp_poisson5_row){.steps = {1, 4}, .rows = 8});
