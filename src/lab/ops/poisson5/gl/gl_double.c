/* SPDX-License-Identifier: MIT */
/* Poisson in fragment shaders with the digits of double, or nearly: by doubles of OpenGL 4, and by
 * pairs of floats, as was done before. */
#include "lab/ops/poisson5/poisson5.h"

#define STANDS(...) .engine = &qp_engine_poisson5, QP_POISSON5_HOLDS("rhs", __VA_ARGS__)

/* Tolerance of steps on pairs of floats, in units of S, the largest (sum |u| + |h^2 f|) / 4, v =
 * 2^-24 the rounding of a float. High parts are added without an error, for what rounding takes is
 * kept: v |l + r|, v |b + a|, v of their sum, and v of all five. These and the five low parts, each
 * v of its value at most, are added in floats. With A = |l| + |r|, B = |b| + |a| and T = A + B +
 * |h^2 f| = 4 S,
 *
 *     (l.low + r.low) + lost            rounds v^2 A + 2 v^2 A, and likewise with B
 *     both together, and what is lost   rounds 2 v^2 (A + B) + 3 v^2 (A + B)
 *     h^2 f's low and the last lost     rounds 2 v^2 T, and all of it 5 v^2 T
 *
 * which is 15 v^2 T at most; a quarter of that is 15 v^2 S. The last quick sum is exact, or its
 * error is of v^2 of what rounding took. Rounding h^2 f to a pair, and the double of the reference,
 * add less than v^2 S together: 16.
 *
 * A weight w adds, with S now the largest |u| + w (S + |u|): a difference of pairs, 4 v^2 w (S +
 * |u|), Dekker's product, 8 v^2 of itself, the weight's own rounding, v^2, and a sum, 4 v^2: 32 in
 * all. */
static double tolerance(const struct qp_recipe *recipe, const struct qp_problem *problem)
{
    const bool plain = problem->weights == NULL && problem->weight == 1.0;
    (void)recipe;
    return (plain ? 16.0 : 32.0) * 0x1p-48 *
           qp_poisson5_grown(problem, problem->reference_iterations);
}

const struct qp_recipe qp_poisson5_gl_double[] = {
    /* The two words of a double in a texel of unsigned integers: a float target would have no room.
     * */
    {.name = "poisson5/double",
     .backend = QP_GL,
     .layout = "one value a texel, in double",
     .place = "ours: doubles of OpenGL 4",
     .sentence = "native doubles, their two words in texels of unsigned integers",
     STANDS({.format = QP_RG32UI_WORDS, .pad_x = 1, .pad_y = 1}),
     .draw = {{.fragment = "poisson5/double.frag"}}},

    /* + two cells a texel: five fetches for both. */
    {.name = "poisson5/double_rgba",
     .after = "poisson5/double",
     .backend = QP_GL,
     .layout = "two doubles a texel",
     .place = "ours: doubles of OpenGL 4",
     .sentence = "the same, two cells a fragment",
     STANDS({.format = QP_RGBA32UI_WORDS, .neighbours = 2, .pad_x = 1, .pad_y = 1}),
     .draw = {{.fragment = "poisson5/double_rgba.frag"}}},

    /* Pairs of floats, high and low, a texel each. */
    {.name = "poisson5/double_single",
     .backend = QP_GL,
     .layout = "a pair of floats a texel",
     .place = "ours: after Knuth and Dekker",
     .sentence = "emulated doubles: a value is the sum of two floats",
     STANDS({.format = QP_RG32F_PAIRS, .pad_x = 1, .pad_y = 1}),
     .draw = {{.fragment = "poisson5/double_single.frag"}},
     .tolerance = tolerance},

    /* + two cells a texel. */
    {.name = "poisson5/double_single_rgba",
     .after = "poisson5/double_single",
     .backend = QP_GL,
     .layout = "two pairs of floats a texel",
     .place = "ours: after Knuth and Dekker",
     .sentence = "the same, two cells a fragment",
     STANDS({.format = QP_RGBA32F_PAIRS, .neighbours = 2, .pad_x = 1, .pad_y = 1}),
     .draw = {{.fragment = "poisson5/double_single_rgba.frag"}},
     .tolerance = tolerance},

    {0},
};
