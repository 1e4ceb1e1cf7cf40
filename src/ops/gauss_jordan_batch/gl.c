/* SPDX-License-Identifier: MIT */
/* Many small systems in fragment shaders: layouts and draws of the rows. */
#include "ops/gauss_jordan_batch/gauss_jordan_batch.h"

#define STANDS(...)                                   \
    .engine = &qp_engine_batch, .state = __VA_ARGS__, \
    .input = {QP_ARRAY("a", QP_BATCH_AUGMENTED, __VA_ARGS__)}

/* Unpivoted, as paper 2 meant it: the algorithm of one system in all of them at once, row k divided
 * and copied back, the others subtract. Each system is a rectangle of one texture, with factors of
 * its own. A zero pivot makes NaN of its own system's unknowns alone. */
const struct qp_recipe qp_gauss_jordan_batch_unpivoted = {
    STANDS({.format = QP_R32F, .standing = QP_AS_BLOCKS}),
    .draw = {{.fragment = "gauss_jordan_batch/divide.frag"},
             {.fragment = "gauss_jordan_batch/rowop.frag"},
             {.fragment = "gauss_jordan_batch/last_column.frag"}},
    .not_kinds = QP_BATCH_NEEDS_PIVOTING,
    .bytes = 8.0,
};

/* + pivots, each system's own: two quads a step however many there are. */
const struct qp_recipe qp_gauss_jordan_batch_passes = {
    STANDS({.format = QP_R32F, .standing = QP_AS_BLOCKS}),
    .draw = {{.fragment = "gauss_jordan_batch/pivot.frag"},
             {.fragment = "gauss_jordan_batch/eliminate.frag"},
             {.fragment = "gauss_jordan_batch/solution.frag"}},
    .bytes = 8.0,
};

/* + four systems in RGBA, and only the columns that can still change, which are stored together. */
const struct qp_recipe qp_gauss_jordan_batch_planes = {
    STANDS({.format = QP_RGBA32F, .neighbours = 4, .standing = QP_AS_PLANES}),
    .draw = {{.fragment = "gauss_jordan_batch/pivot_planes.frag"},
             {.fragment = "gauss_jordan_batch/eliminate_planes.frag"},
             {.fragment = "gauss_jordan_batch/solution_planes.frag"}},
    .bytes = 4.0,
};

/* Compiled in 3 s by llvmpipe; 20 unknowns take 10 and 24 half a minute. */
static const struct qp_batch_row unrolled = {.most_unknowns = 16};

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

const struct qp_recipe qp_gauss_jordan_batch_registers = {
    REGISTERS(.fragment = "gauss_jordan_batch/registers.frag")};

/* `registers` as a compute shader: data-centre GPUs run fragments on a small part of their
 * processors, and compute shaders on all. */
const struct qp_recipe qp_gauss_jordan_batch_registers_compute = {
    REGISTERS(.compute = "gauss_jordan_batch/registers.comp")};
