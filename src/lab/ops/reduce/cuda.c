/* SPDX-License-Identifier: MIT */
/* Reductions on CUDA: paper 4's ladder, whose rungs differ in their kernels alone (ladder.cu), ours
 * (tiles.cu), and CUB. Values are stored one after the other, the first at a multiple of 256
 * bytes. */
#include "lab/ops/reduce/kernels.h"
#include "lab/ops/reduce/reduce.h"
#include "lab/plan/problem.h"

/* The first value at a multiple of 256 bytes. */
#define ALIGNED QP_FLAT_FROM(64)

/* tiles.cu numbers the kinds itself. */
_Static_assert(QP_SUM == 0 && QP_SUM_OF_SQUARES == 1 && QP_DOT == 2 && QP_MAX_MAGNITUDE == 3 &&
                   QP_INDEX == 4 && QP_REDUCTIONS == 5,
               "the kinds of reduce stand in another order");

/* ---- The ladder ---- */

/* Tolerance of the ladder, a tree: each launch sends a value through its thread's additions (the
 * first one of a cascade is to 0, which rounds nothing) and through 8 of its thread block's. */
static double ladder_tolerance(const struct qp_recipe *recipe, const struct qp_problem *problem)
{
    const struct qp_rung *rung = recipe->own;
    size_t n = qp_problem_cells(problem);
    double roundings = 0.0;
    do {
        roundings += qp_rung_values(rung, n) / 2 + (rung->alone ? 0 : QP_REDUCE_BLOCK_LOG);
        n = qp_rung_left(rung, n);
    } while (n > 1);
    return qp_reduce_tolerance(problem, roundings);
}

#define RUNG(entry, ...)                                                                    \
    .state = ALIGNED, .input = QP_REDUCE_ONE(ALIGNED), .kernel = &qp_kernel_reduce_##entry, \
    .own = &(const struct qp_rung){__VA_ARGS__}, .not_kinds = QP_REDUCE_ONLY_SUMS,          \
    .tolerance = ladder_tolerance

/* ---- Ours ---- */

/* Tolerance of tiles: a product; the additions of one of a thread's four sums, at most one of them
 * after the last four values; two where the four meet, and those of a thread block; then the same
 * for the blocks' sums. */
static double tiles_tolerance(const struct qp_recipe *recipe, const struct qp_problem *problem)
{
    (void)recipe;
    const size_t blocks = qp_tile_blocks(qp_problem_cells(problem));
    double share = QP_REDUCE_TILES_EACH * QP_REDUCE_TILE_LOADS + 1;
    double shares = (double)((blocks + QP_REDUCE_TILE_THREADS - 1) / QP_REDUCE_TILE_THREADS);
    double roundings = 1.0 + share + 2.0 + shares + 2.0 * QP_REDUCE_TILE_THREADS_LOG;
    return qp_reduce_tolerance(problem, roundings);
}

/* ---- CUB ---- */

struct qp_lent qp_lent_reduce_cub = {.library = "CUB"};

/* Tolerance of CUB: its tree is not documented, and follows from n and the device. Blocks have 256
 * threads or more; 26 multiprocessors with 5 of them each would have a thread add n / 2^15 values
 * in a row. Beyond that, 2^7 additions are enough for blocks and second launches. */
static double cub_tolerance(const struct qp_recipe *recipe, const struct qp_problem *problem)
{
    (void)recipe;
    double roundings = 0x1p7 + (double)qp_problem_cells(problem) * 0x1p-15;
    return qp_reduce_tolerance(problem, roundings);
}

const struct qp_recipe qp_reduce_cuda[] = {
    /* Partial sums pass through device memory. */
    {.name = "reduce/cuda_naive",
     .backend = QP_CUDA,
     .layout = "one vector",
     .place = "paper 4, slide 38, log2 n launches",
     .sentence = "a pair a thread, log2 n launches: three memory accesses an addition",
     RUNG(naive, .values = 2, .alone = 1)},

    /* + shared memory */
    {.name = "reduce/cuda_interleaved",
     .after = "reduce/cuda_naive",
     .backend = QP_CUDA,
     .layout = "one vector",
     .place = "paper 4, slide 40, implementation 1",
     .sentence =
         "blocks of 256 add in shared memory; working threads are ever further apart: divergence",
     RUNG(interleaved, .values = 1)},

    /* - divergence, - remainder */
    {.name = "reduce/cuda_strided",
     .after = "reduce/cuda_interleaved",
     .backend = QP_CUDA,
     .layout = "one vector",
     .place = "paper 4, slide 42, implementation 2",
     .sentence = "the first threads work, on values ever further apart: bank conflicts in place of "
                 "divergence",
     RUNG(strided, .values = 1)},

    /* - bank conflicts */
    {.name = "reduce/cuda_sequential",
     .after = "reduce/cuda_strided",
     .backend = QP_CUDA,
     .layout = "one vector",
     .place = "paper 4, slide 43, implementation 3",
     .sentence = "halves are added to halves: no conflicts; half of the threads only load",
     RUNG(sequential, .values = 1)},

    /* - threads that only load */
    {.name = "reduce/cuda_first_add",
     .after = "reduce/cuda_sequential",
     .backend = QP_CUDA,
     .layout = "one vector",
     .place = "paper 4, slide 44, implementation 4",
     .sentence = "a thread adds two values on their way to shared memory",
     RUNG(first_add, .values = 2)},

    /* - barriers of the last warp */
    {.name = "reduce/cuda_unrolled_warp",
     .after = "reduce/cuda_first_add",
     .backend = QP_CUDA,
     .layout = "one vector",
     .place = "paper 4, slide 46, implementation 5",
     .sentence = "the last warp adds without loop and barriers of the block",
     RUNG(unrolled_warp, .values = 2)},

    /* - its shared memory */
    {.name = "reduce/cuda_shuffle",
     .after = "reduce/cuda_unrolled_warp",
     .backend = QP_CUDA,
     .layout = "one vector",
     .place = "paper 4, slide 47, implementation 5 with shuffle",
     .sentence = "the last warp exchanges registers",
     RUNG(shuffle, .values = 2)},

    /* unrolled_warp - loops */
    {.name = "reduce/cuda_unrolled",
     .after = "reduce/cuda_unrolled_warp",
     .backend = QP_CUDA,
     .layout = "one vector",
     .place = "paper 4, slide 49, implementation 6",
     .sentence = "implementation 5 for a block whose size the compiler knows: no loop is left",
     RUNG(unrolled, .values = 2)},

    /* - threads: log2 n values each */
    {.name = "reduce/cuda_cascaded",
     .after = "reduce/cuda_unrolled",
     .backend = QP_CUDA,
     .layout = "one vector",
     .place = "paper 4, slide 52, implementation 7",
     .sentence = "a thread adds about log2 n values before its block does: the slides' best",
     RUNG(cascaded, .values = 0)},

    {.name = "reduce/cuda_tiles",
     .backend = QP_CUDA,
     .layout = "one vector",
     .place = "ours: the memory's own time",
     .sentence = "one launch: a block a tile, four loads of 16 bytes under way a thread; the last "
                 "block adds the tiles, always in one order",
     .state = ALIGNED,
     .input = QP_REDUCE_TWO(ALIGNED),
     .kernel = &qp_kernel_reduce_tiles,
     .tolerance = tiles_tolerance},

    {.name = "reduce/cuda_cub",
     .backend = QP_CUDA,
     .layout = "one vector",
     .place = "ours: the honest opponent",
     .sentence = "the CUDA toolkit's own: CUB's DeviceReduce::Sum",
     .state = ALIGNED,
     .input = QP_REDUCE_ONE(ALIGNED),
     .lent = &qp_lent_reduce_cub,
     .not_kinds = QP_REDUCE_ONLY_SUMS,
     .tolerance = cub_tolerance},

    {0},
};
