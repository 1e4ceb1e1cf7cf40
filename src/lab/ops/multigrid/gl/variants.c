/* SPDX-License-Identifier: MIT */
/* Multigrid on OpenGL: a variant is a scheme, a form of texels and its shaders. */
#include <math.h>

#include "lab/ops/multigrid/multigrid.h"
#include "lab/plan/problem.h"
#include "toolkit/base/whole.h"

/* The operation's tolerance in float of the latest correction, which each cycle makes half as large
 * or less, and that in double. */
static double tolerance_of_refined(const struct qp_recipe *recipe, const struct qp_problem *problem)
{
    const struct qp_op *op = &qp_op_multigrid;
    const int cycles = problem->reference_iterations;
    (void)recipe;
    return ldexp(op->tolerance(problem, cycles, QP_FLOATS), 1 - qp_most(cycles, 1)) +
           op->tolerance(problem, cycles, QP_DOUBLES);
}

#define FOUR_NODES(...)                                                                          \
    {.fragment = "multigrid/relax_rgba.frag"}, {.fragment = "multigrid/restrict_rgba.frag"},     \
        {.fragment = "multigrid/correct_rgba.frag"}, {.fragment = "multigrid/bottom_rgba.frag"}, \
        __VA_ARGS__
#define DISPATCHES(...)                                                          \
    {.compute = "multigrid/relax.comp"}, {.compute = "multigrid/restrict.comp"}, \
        {.compute = "multigrid/correct.comp"}, {.compute = "multigrid/small.comp"}, __VA_ARGS__
#define IN_DOUBLES                                  \
    {.fragment = "multigrid/residual_double.frag"}, \
    {                                               \
        .fragment = "multigrid/add_double.frag"     \
    }
#define BY_SCHEME(number)                                \
    .backend = QP_GL, .engine = &qp_engine_multigrid_gl, \
    .own = &(const struct qp_multigrid_variant)          \
    {                                                    \
        .scheme = (number)                               \
    }

const struct qp_recipe qp_multigrid_gl[] = {
    {.name = "multigrid/fragments",
     .layout = "one value a texel",
     .place = "ours: after Goodnight and others (2003)",
     .sentence = "a pass takes a smoothing step; an inverse in one pass from 16 x 16 nodes down",
     .state = {.format = QP_LUMINANCE32F, .pad_x = 1, .pad_y = 1},
     .draw = {{.fragment = "multigrid/relax.frag"},
              {.fragment = "multigrid/restrict.frag"},
              {.fragment = "multigrid/correct.frag"},
              {.fragment = "multigrid/bottom.frag"}},
     BY_SCHEME(QP_MULTIGRID_FRAGMENTS)},

    {.name = "multigrid/rgba",
     .after = "multigrid/fragments",
     .layout = "four nodes of a row in RGBA",
     .place = "ours: four values a texel",
     .sentence = "four nodes a fragment",
     .state = {.format = QP_RGBA32F, .neighbours = 4, .pad_x = 1, .pad_y = 1},
     .draw = {FOUR_NODES()},
     BY_SCHEME(QP_MULTIGRID_FRAGMENTS)},

    {.name = "multigrid/fragments_full",
     .after = "multigrid/rgba",
     .layout = "four nodes of a row in RGBA",
     .place = "ours: after Brandt (1977)",
     .sentence = "full multigrid with two steps of Jacobi: from the coarsest grid up",
     .state = {.format = QP_RGBA32F, .neighbours = 4, .pad_x = 1, .pad_y = 1},
     .draw = {FOUR_NODES()},
     BY_SCHEME(QP_MULTIGRID_FRAGMENTS_FULL)},

    {.name = "multigrid/fragments_refined",
     .after = "multigrid/rgba",
     .layout = "four nodes of a row in RGBA; x in double, two a texel",
     .place = "ours: defect correction",
     .sentence = "x and the residual in double, a cycle of multigrid/rgba for the correction",
     .needs = QP_CAN_RGBA32F,
     .state = {.format = QP_RGBA32UI_WORDS, .neighbours = 2, .pad_x = 2, .pad_y = 1},
     .draw = {FOUR_NODES(IN_DOUBLES)},
     .tolerance = tolerance_of_refined,
     BY_SCHEME(QP_MULTIGRID_FRAGMENTS)},

    {.name = "multigrid/compute",
     .after = "multigrid/rgba",
     .layout = "four nodes of a row in RGBA",
     .place = "what came after: OpenGL 4.3",
     .sentence = "compute shaders; all grids below 32 x 32 nodes in one dispatch, in shared memory",
     .state = {.format = QP_RGBA32F, .neighbours = 4, .pad_x = 1, .pad_y = 1},
     .draw = {DISPATCHES()},
     BY_SCHEME(QP_MULTIGRID_CHEBYSHEV3)},

    {.name = "multigrid/compute_refined",
     .after = "multigrid/compute",
     .layout = "four nodes of a row in RGBA; x in double, two a texel",
     .place = "what came after: OpenGL 4.3",
     .sentence = "x and the residual in double, a cycle of multigrid/compute for the correction",
     .needs = QP_CAN_RGBA32F,
     .state = {.format = QP_RGBA32UI_WORDS, .neighbours = 2, .pad_x = 2, .pad_y = 1},
     .draw = {DISPATCHES(IN_DOUBLES)},
     .tolerance = tolerance_of_refined,
     BY_SCHEME(QP_MULTIGRID_CHEBYSHEV3)},

    {0},
};
