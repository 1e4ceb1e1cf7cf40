/* SPDX-License-Identifier: MIT */
/* Many small systems in fragment shaders: layouts and draws of the variants. */
#include "lab/ops/gauss_jordan_batch/gauss_jordan_batch.h"

#define STANDS(...)                                   \
    .engine = &qp_engine_batch, .state = __VA_ARGS__, \
    .input = {QP_ARRAY("a", QP_BATCH_AUGMENTED, __VA_ARGS__)}

/* Compiled in 3 s by llvmpipe; 20 unknowns take 10 and 24 half a minute. */
static const struct qp_batch_variant unrolled = {.most_unknowns = 16};

/* + no texel that is written and read again: the matrix is fetched once, for
 * no neighbour needs it. */
#define REGISTERS(...)                                                           \
    .engine = &qp_engine_batch,                                                  \
    .state = {.format = QP_RGBA32F, .neighbours = 4, .standing = QP_AS_SHEETS},  \
    .input = {{"a",                                                              \
               {.format = QP_RGBA32F, .neighbours = 4, .standing = QP_AS_LISTS}, \
               1,                                                                \
               {QP_BATCH_AUGMENTED}}},                                           \
    .draw = {{__VA_ARGS__}}, .own = &unrolled

const struct qp_recipe qp_gauss_jordan_batch_gl[] = {
    /* Unpivoted, as paper 2 meant it: the algorithm of one system in all of them at once, row k
     * divided and copied back, the others subtract. Each system is a rectangle of one texture, with
     * factors of its own. A zero pivot makes NaN of its own system's unknowns alone. */
    {.name = "gauss_jordan_batch/unpivoted",
     .backend = QP_GL,
     .layout = "a block for each system",
     .place = "paper 2, deliverables: small matrices",
     .sentence = "all systems in one texture, no pivots: normalise row k of all, copy it back, row "
                 "operation with a factor for each",
     STANDS({.format = QP_R32F, .standing = QP_AS_BLOCKS}),
     .draw = {{.fragment = "gauss_jordan_batch/divide.frag"},
              {.fragment = "gauss_jordan_batch/rowop.frag"},
              {.fragment = "gauss_jordan_batch/last_column.frag"}},
     .not_kinds = QP_BATCH_NEEDS_PIVOTING,
     .bytes = 8.0},

    /* + pivots, each system's own: two quads a step however many there are. */
    {.name = "gauss_jordan_batch/passes",
     .after = "gauss_jordan_batch/openmp",
     .backend = QP_GL,
     .layout = "a block for each system",
     .place = "paper 2, deliverables: small matrices",
     .sentence = "unpivoted + pivots: a search for all of them and one full quad for every column",
     .needs = QP_CAN_RGBA32F,
     STANDS({.format = QP_R32F, .standing = QP_AS_BLOCKS}),
     .draw = {{.fragment = "gauss_jordan_batch/pivot.frag"},
              {.fragment = "gauss_jordan_batch/eliminate.frag"},
              {.fragment = "gauss_jordan_batch/solution.frag"}},
     .bytes = 8.0},

    /* + four systems in RGBA, and only the columns that can still change, which are stored
     * together. */
    {.name = "gauss_jordan_batch/planes",
     .after = "gauss_jordan_batch/passes",
     .backend = QP_GL,
     .layout = "four systems in RGBA, planes of elements",
     .place = "ours, after paper 2",
     .sentence = "passes with each element of all systems together, on quads that shrink",
     STANDS({.format = QP_RGBA32F, .neighbours = 4, .standing = QP_AS_PLANES}),
     .draw = {{.fragment = "gauss_jordan_batch/pivot_planes.frag"},
              {.fragment = "gauss_jordan_batch/eliminate_planes.frag"},
              {.fragment = "gauss_jordan_batch/solution_planes.frag"}},
     .bytes = 4.0},

    {.name = "gauss_jordan_batch/registers",
     .after = "gauss_jordan_batch/openmp",
     .backend = QP_GL,
     .layout = "lists in RGBA, in stamps",
     .place = "ours: a system a fragment",
     .sentence = "one draw: each fragment reads a whole system, solves it in its registers, writes "
                 "x to several render targets",
     REGISTERS(.fragment = "gauss_jordan_batch/registers.frag")},

    /* `registers` as a compute shader: data-centre GPUs run fragments on a small part of their
     * processors, and compute shaders on all. */
    {.name = "gauss_jordan_batch/registers_compute",
     .after = "gauss_jordan_batch/registers",
     .backend = QP_GL,
     .layout = "lists in RGBA, in stamps",
     .place = "ours: what came after, OpenGL 4.3",
     .sentence = "registers as a compute shader, a system an invocation: on all processors of GPUs "
                 "that run fragments on a few only",
     REGISTERS(.compute = "gauss_jordan_batch/registers.comp")},

    {0},
};
