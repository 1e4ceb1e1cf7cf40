/* SPDX-License-Identifier: MIT */
/* Nine-band Jacobi on CUDA (paper 3, sections 6 to 8): the recipe says where x and the bands are in
 * memory, the kernel how a step computes with them. Flops and bytes are the paper's own counts
 * where it has some: 33 and 48 with a texture, 30 and 56 (three reads of x) with shared memory. */
#include "lab/ops/jacobi9/jacobi9.h"
#include "lab/ops/jacobi9/kernels.h"

/* Alignments of arrays, in values: the segment that half a warp of 2008 moved at once, the line
 * that a warp moves today, and the alignment of textures in linear memory. */
enum { SEGMENT = 16, LINE = 32, LINEAR = 128 };

#define ALIGNED QP_FLAT_FROM(SEGMENT)
#define TEXTURE QP_FLAT_FROM(LINEAR)
#define PITCHED                                                  \
    {                                                            \
        .format = QP_R32F, .pad_x = 1, .pad_y = 1, .align = LINE \
    }
#define DOUBLE                                                   \
    {                                                            \
        .format = QP_R64F, .pad_x = 1, .pad_y = 1, .align = LINE \
    }

#define EIGHT_BANDS(...)                                                                        \
    QP_ARRAY("DD", QP_JACOBI9_DD, __VA_ARGS__), QP_ARRAY("LL", QP_JACOBI9_LL, __VA_ARGS__),     \
        QP_ARRAY("LD", QP_JACOBI9_LD, __VA_ARGS__), QP_ARRAY("LU", QP_JACOBI9_LU, __VA_ARGS__), \
        QP_ARRAY("DU", QP_JACOBI9_DU, __VA_ARGS__), QP_ARRAY("UL", QP_JACOBI9_UL, __VA_ARGS__), \
        QP_ARRAY("UD", QP_JACOBI9_UD, __VA_ARGS__), QP_ARRAY("UU", QP_JACOBI9_UU, __VA_ARGS__), \
        QP_ARRAY("b", QP_JACOBI9_B, __VA_ARGS__)
#define NINE_BANDS(...) EIGHT_BANDS(__VA_ARGS__), QP_ARRAY("DL", QP_JACOBI9_DL, __VA_ARGS__)

#define RUNS(entry, stands, operations) \
    .backend = QP_CUDA, .state = stands, .kernel = &qp_kernel_jacobi9_##entry, .flops = operations

static const struct qp_jacobi9_variant symmetric = {.needs_symmetry = true};

const struct qp_recipe qp_jacobi9_cuda[] = {
    /* ---- Section 6 ---- */

    /* The CPU's loop and arrays, one thread a cell. Shows the cost of nx + 1 ghost cells in front
     * of x: hardly any access to it is coalesced. */
    {.name = "jacobi9/cuda_simple",
     .layout = "separate bands, nx + 1 ghost cells",
     .place = "paper 3, section 6.1, figures 11 and 12",
     .sentence = "the CPU's loop and data, a thread a cell: ghost cells shift x off its segments, "
                 "and hardly any access to it is coalesced",
     RUNS(flat, QP_FLAT, 33),
     .input = {NINE_BANDS(ALIGNED)},
     .own = &qp_jacobi9_wraps},

    /* + an offset that is a multiple of 16 words: the write and the read of x[i] are coalesced. */
    {.name = "jacobi9/cuda_aligned",
     .after = "jacobi9/cuda_simple",
     .layout = "separate bands, x offset by a multiple of 16 words",
     .place = "paper 3, section 6.2, figure 13",
     .sentence = "the same kernel where x begins on a segment: the write and a read are coalesced, "
                 "and two reads more at widths that are multiples of 16 or one off",
     RUNS(flat, ALIGNED, 33),
     .input = {NINE_BANDS(ALIGNED)},
     .own = &qp_jacobi9_wraps},

    /* + aligned rows, whatever the width: the reads of the cells straight below and above are
     * coalesced too. The padding between rows cuts the ends of rows from each other. */
    {.name = "jacobi9/cuda_2d",
     .after = "jacobi9/cuda_aligned",
     .layout = "separate bands, padded rows",
     .place = "paper 3, section 6.3, figure 14",
     .sentence = "every row begins on a segment, whatever the width; a 2D grid of 1D blocks",
     RUNS(pitched, PITCHED, 33),
     .input = {NINE_BANDS(PITCHED)}},

    /* + shared memory: x is read three times in place of nine, and neighbours come from the chip.
     * */
    {.name = "jacobi9/cuda_shared",
     .after = "jacobi9/cuda_2d",
     .layout = "separate bands, padded rows",
     .place = "paper 3, section 6.4, figures 15 and 16",
     .sentence = "three rows of x in shared memory: three coalesced reads a cell instead of nine; "
                 "56 bytes by the paper's count",
     RUNS(shared, PITCHED, 30),
     .input = {NINE_BANDS(PITCHED)},
     .bytes = 56},

    /* cuda_aligned with x through the texture cache, where nothing needs to be coalesced. */
    {.name = "jacobi9/cuda_texture",
     .after = "jacobi9/cuda_aligned",
     .layout = "separate bands, x offset by a multiple of 128 words",
     .place = "paper 3, section 6.5, figure 17",
     .sentence = "x through the texture cache, from linear memory; off both ends a fetch gives 0",
     RUNS(texture, TEXTURE, 33),
     .input = {NINE_BANDS(ALIGNED)},
     .own = &qp_jacobi9_wraps},

    /* ---- Section 8 ---- */

    /* cuda_shared with DU staged too, which is DL of the next cell: one band less is read. */
    {.name = "jacobi9/cuda_shared_diagonal",
     .after = "jacobi9/cuda_shared",
     .layout = "separate bands but DL, padded rows",
     .place = "paper 3, section 8: 7 % faster",
     .sentence = "cuda_shared with DU staged too, so that a symmetric matrix's DL is never read",
     RUNS(shared_diagonal, PITCHED, 30),
     .input = {EIGHT_BANDS(PITCHED)},
     .own = &symmetric,
     .bytes = 52},

    /* + all upper bands, in blocks of two dimensions: the four lower ones are not read. */
    {.name = "jacobi9/cuda_symmetric",
     .after = "jacobi9/cuda_shared_diagonal",
     .layout = "five bands, padded rows",
     .place = "paper 3, section 8",
     .sentence =
         "five stored bands of a symmetric matrix and x in shared memory, by 2D blocks with a rim",
     RUNS(symmetric, PITCHED, 30),
     .input = {QP_ARRAY("DD", QP_JACOBI9_DD, PITCHED), QP_ARRAY("DU", QP_JACOBI9_DU, PITCHED),
               QP_ARRAY("UL", QP_JACOBI9_UL, PITCHED), QP_ARRAY("UD", QP_JACOBI9_UD, PITCHED),
               QP_ARRAY("UU", QP_JACOBI9_UU, PITCHED), QP_ARRAY("b", QP_JACOBI9_B, PITCHED)},
     .own = &symmetric},

    /* cuda_2d with every word twice as long: half as many cells for the same bytes. */
    {.name = "jacobi9/cuda_double",
     .after = "jacobi9/cuda_2d",
     .layout = "separate bands, padded rows, in double",
     .place = "paper 3, section 8, closing remark",
     .sentence = "cuda_2d in double precision",
     RUNS(double, DOUBLE, 33),
     .input = {NINE_BANDS(DOUBLE)}},

    /* ---- Ours ---- */

    /* cuda_2d with four cells a thread, bands past the caches and every other step backwards:
     * removes too few bytes under way, the cost that keeps a step below the memory's rate. 1/DD
     * spares a division. */
    {.name = "jacobi9/cuda_streaming",
     .after = "jacobi9/cuda_2d",
     .layout = "separate bands, padded rows",
     .place = "ours",
     .sentence = "four cells a thread, 16 bytes a read, bands past the caches, every other step "
                 "backwards: the memory's rate",
     RUNS(streaming, PITCHED, 20),
     .input = {QP_JACOBI9_BANDS(QP_JACOBI9_LL, "", PITCHED), QP_ARRAY("b", QP_JACOBI9_B, PITCHED),
               QP_ARRAY("1/DD", QP_JACOBI9_INVERSE_DD, PITCHED)}},

    /* + divided by the diagonal beforehand: a band less. */
    {.name = "jacobi9/cuda_streaming_divided",
     .after = "jacobi9/cuda_streaming",
     .layout = "separate bands, pre-divided, padded rows",
     .place = "ours",
     .sentence = "cuda_streaming with bands divided by the diagonal beforehand: 44 bytes an update",
     RUNS(streaming_divided, PITCHED, 20),
     .input = {QP_JACOBI9_BANDS(QP_JACOBI9_PRE_LL, "/DD", PITCHED),
               QP_ARRAY("b/DD", QP_JACOBI9_PRE_B, PITCHED)}},

    /* The same arrays, read once for many steps. Bytes are those that single steps would move, so
     * that GB/s beyond the memory's rate show how much is gained by staying on the chip. */
    {.name = "jacobi9/cuda_resident",
     .after = "jacobi9/cuda_streaming_divided",
     .layout = "separate bands, pre-divided, padded rows",
     .place = "ours",
     .sentence = "x and all bands stay in registers and shared memory, a tile a multiprocessor; "
                 "only rims travel between steps",
     RUNS(resident, PITCHED, 20),
     .input = {QP_JACOBI9_BANDS(QP_JACOBI9_PRE_LL, "/DD", PITCHED),
               QP_ARRAY("b/DD", QP_JACOBI9_PRE_B, PITCHED)}},

    {0},
};
