/* SPDX-License-Identifier: MIT */
/* Poisson in fragment shaders. Around the domain stand zeros, the rim; how far a pass reads beyond it says how
 * many. The engine (engine.c) draws fragments inside without a test, and those near the rim with one. */
#include "engines/engines.h"
#include "ops/poisson5/poisson5.h"

/* Both arrays in one shape. */
#define STANDS(...)                                      \
    .engine = &qp_engine_poisson5, .state = __VA_ARGS__, \
    .input = {QP_ARRAY("rhs", QP_POISSON5_RHS, __VA_ARGS__)}, .flops = 5

/* Five fetches a cell, one value a texel. */
const struct qp_recipe qp_poisson5_luminance = {
    STANDS({.format = QP_LUMINANCE32F, .pad_x = 1, .pad_y = 1}),
    .draw = {{.fragment = "poisson5/luminance.frag"}},
};
