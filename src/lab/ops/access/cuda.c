/* SPDX-License-Identifier: MIT */
/* Access on CUDA: for each effect of the hardware one variant that shows it and one that avoids it.
 * All arrays begin at a cache line, so that nothing but the pattern decides. */
#include <math.h>

#include "lab/ops/access/access.h"
#include "lab/ops/access/kernels.h"
#include "lab/plan/problem.h"

/* The first value at a multiple of 256 bytes. */
#define ALIGNED QP_FLAT_FROM(64)
#define PLACES                                                                   \
    {                                                                            \
        QP_ARRAY("u", QP_ACCESS_U, ALIGNED), QP_ARRAY("v", QP_ACCESS_V, ALIGNED) \
    }

/* A variant: the entry of its kernel, and the kinds that it does not take. */
#define RUNS(entry, kinds) \
    .backend = QP_CUDA, .state = ALIGNED, .kernel = &qp_kernel_access_##entry, .not_kinds = kinds

#define COPIES QP_ACCESS_ONLY(QP_ACCESS_OFFSET, QP_ACCESS_OCCUPANCY)

#define WALKS QP_ACCESS_ONLY(QP_ACCESS_CHASE, QP_ACCESS_CHASE)

#define OFFSETS QP_ACCESS_ONLY(QP_ACCESS_OFFSET, QP_ACCESS_OFFSET)

#define WAYS       QP_ACCESS_ONLY(QP_ACCESS_DIVERGENT, QP_ACCESS_CONVERGENT)
#define ARITHMETIC QP_ACCESS_ONLY(QP_ACCESS_DIVISION, QP_ACCESS_MULTIPLY)

static const struct qp_access_variant powers_of_two = {.powers_of_two = true};

#define LOOPS QP_ACCESS_ONLY(QP_ACCESS_UNROLLING, QP_ACCESS_UNROLLING)

#define ARRAYS QP_ACCESS_ONLY(QP_ACCESS_LOCAL, QP_ACCESS_LOCAL)

#define FUNCTIONS QP_ACCESS_ONLY(QP_ACCESS_SIN, QP_ACCESS_RECIPROCAL)

/* Tolerance by the tables of NVIDIA's CUDA programming guide: the error of sine and cosine within a
 * period, and of logarithms from 1/2 to 2, is absolute; that of the others is in units in the last
 * place, 2 u of the value: 2 + 1.173 * 8 for an exponential, 3 for a logarithm elsewhere, 2 for
 * roots and quotients. Sums as in the operation's own tolerance. */
static double tolerance_fast(const struct qp_recipe *recipe, const struct qp_problem *problem)
{
    (void)recipe;
    const int kind = qp_problem_kind(problem);
    const double terms = problem->parameter * (kind == QP_ACCESS_SINCOS ? 2.0 : 1.0), u = 0x1p-24;
    const double absolute = exp2(-21.19) * terms / problem->reference_scale;
    const double units = kind == QP_ACCESS_EXP ? 12.0 : 3.0;
    bool is_absolute = kind <= QP_ACCESS_SINCOS || kind == QP_ACCESS_LOG;
    return (is_absolute ? absolute : 0.0) + (2.0 * units + terms) * u;
}

const struct qp_recipe qp_access_cuda[] = {
    /* ---- Global memory ---- */

    /* A thread for each cell. Shows, kind by kind, how many transactions a warp's loads become. */
    {.name = "access/cuda_simple",
     .layout = "one vector",
     .place = "paper 4, global memory",
     .sentence = "a thread a cell, loads through L1 and L2: offsets, strides, permuted order, idle "
                 "threads, partitions, gathering",
     RUNS(simple, COPIES),
     .input = PLACES},

    /* Without L1 words that two warps share are fetched twice from L2; and nothing is fetched in
     * larger pieces than L2's 32 bytes, where Fermi's L1 brought 128 for each. */
    {.name = "access/cuda_no_l1",
     .after = "access/cuda_simple",
     .layout = "one vector",
     .place = "paper 4, global memory with Fermi",
     .sentence = "cuda_simple with loads that leave L1 out (ld.global.cg)",
     RUNS(no_l1, COPIES),
     .input = PLACES},

    /* From Kepler to Pascal the one way to a cache nearer than L2; since Volta the way to L1 like
     * any. */
    {.name = "access/cuda_ldg",
     .after = "access/cuda_simple",
     .layout = "one vector",
     .place = "paper 4, global memory with Kepler, Maxwell and Pascal",
     .sentence = "cuda_simple with loads through the read-only cache (__ldg)",
     RUNS(ldg, COPIES),
     .input = PLACES},

    /* Four cells a thread: its own loads mask latency where there are too few threads to do so. */
    {.name = "access/cuda_four",
     .after = "access/cuda_simple",
     .layout = "one vector",
     .place = "paper 4, memory latency masking",
     .sentence =
         "cuda_simple with four loads of each thread under way: fewer threads mask as much latency",
     RUNS(four, COPIES),
     .input = PLACES},

    /* Pointer chase by one thread: each load's address is the value of the load before. Shows the
     * latency of a load, which other warps mask in all other variants. */
    {.name = "access/cuda_chase",
     .layout = "one vector",
     .place = "paper 4, global memory",
     .sentence = "pointer chase by one thread: each load waits for the one before, so nothing "
                 "masks its latency",
     RUNS(chase, WALKS),
     .input = PLACES},

    /* - L1: shows how much of a wait it saves where the groups fit in it. */
    {.name = "access/cuda_chase_no_l1",
     .after = "access/cuda_chase",
     .layout = "one vector",
     .place = "paper 4, global memory",
     .sentence = "cuda_chase with loads that leave L1 out",
     RUNS(chase_no_l1, WALKS),
     .input = PLACES},

    /* cuda_simple with words of two and of four values: removes instructions, and moves the same
     * bytes. Values that an offset shifts off whole words are read one by one. */
    {.name = "access/cuda_8_bytes",
     .layout = "one vector",
     .place = "paper 4, coalesced access",
     .sentence = "offsets in words of two cells, where they are whole words",
     RUNS(8_bytes, OFFSETS)},

    {.name = "access/cuda_16_bytes",
     .after = "access/cuda_8_bytes",
     .layout = "one vector",
     .place = "paper 4, coalesced access",
     .sentence = "offsets in words of four cells",
     RUNS(16_bytes, OFFSETS)},

    /* Staging: the stride moves into shared memory, where padding makes it free, except a stride of
     * 31, whose words padding brings into one bank. */
    {.name = "access/cuda_staged",
     .layout = "one vector",
     .place = "paper 4, removing interleaving",
     .sentence = "strides walked in shared memory: both sides of global memory are coalesced",
     RUNS(staged, QP_ACCESS_ONLY(QP_ACCESS_STRIDE, QP_ACCESS_STRIDE))},

    /* ---- Shared memory ---- */

    /* Shows bank conflicts: words that are apart by a multiple of 2 share banks, by 32 one bank. */
    {.name = "access/cuda_shared",
     .layout = "tiles in shared memory",
     .place = "paper 4, shared memory",
     .sentence = "64 words of shared memory for each cell: strides, broadcast and multicast, pairs "
                 "word by word",
     RUNS(shared, QP_ACCESS_ONLY(QP_ACCESS_BANKS, QP_ACCESS_PAIRS))},

    /* + a word left free after every 32: removes the conflicts of powers of two, but for those
     * between the first and the last word of a warp. Odd strides, which have none without it, get
     * them. */
    {.name = "access/cuda_shared_padded",
     .after = "access/cuda_shared",
     .layout = "tiles in shared memory, padded",
     .place = "paper 4, bank conflict",
     .sentence = "cuda_shared with a word left free after every 32: powers of two are spread over "
                 "the banks",
     RUNS(padded, QP_ACCESS_ONLY(QP_ACCESS_BANKS, QP_ACCESS_PAIRS))},

    /* cuda_shared with words of 8 bytes: half as many loads, each served half a warp at a time. */
    {.name = "access/cuda_shared_pairs",
     .after = "access/cuda_shared",
     .layout = "tiles in shared memory",
     .place = "paper 4, bank conflict",
     .sentence = "pairs as words of 8 bytes",
     RUNS(pairs, QP_ACCESS_ONLY(QP_ACCESS_PAIRS, QP_ACCESS_PAIRS))},

    /* ---- Instructions ---- */

    /* Shows divergence: a warp goes through every way that one of its threads takes. */
    {.name = "access/cuda_branches",
     .layout = "one vector",
     .place = "paper 4, SIMT and code divergence",
     .sentence = "a branch for each way: inside a warp they are taken one after the other, between "
                 "warps side by side",
     RUNS(branches, WAYS)},

    /* The same numbers from arithmetic: removes the branch, and with it what sets threads apart. */
    {.name = "access/cuda_branchless",
     .after = "access/cuda_branches",
     .layout = "one vector",
     .place = "paper 4, code divergence",
     .sentence = "branchless: the branches differ in one number of a formula, so nothing diverges",
     RUNS(branchless, WAYS)},

    /* Shows that an integer division or remainder is a sequence of instructions, a product one. */
    {.name = "access/cuda_operators",
     .layout = "one vector",
     .place = "paper 4, instructions performance",
     .sentence = "integer division, modulo and multiplication as C writes them",
     RUNS(operators, ARITHMETIC)},

    /* Shifts in place of divisions by powers of two: one instruction. In place of a product a shift
     * loses: product and following addition are one instruction. */
    {.name = "access/cuda_shifts",
     .after = "access/cuda_operators",
     .layout = "one vector",
     .place = "paper 4, instructions performance",
     .sentence = "division, modulo and multiplication by shifts and masks, for powers of two",
     RUNS(shifts, ARITHMETIC),
     .own = &powers_of_two},

    /* Division by any number as a product with a constant, found once, and a shift. */
    {.name = "access/cuda_reciprocals",
     .after = "access/cuda_operators",
     .layout = "one vector",
     .place = "ours, after paper 4, instructions performance",
     .sentence = "division and modulo by one multiplication, for numbers known before the launch",
     RUNS(reciprocals, QP_ACCESS_ONLY(QP_ACCESS_DIVISION, QP_ACCESS_MODULO))},

    /* The fast product of 2008. Shows which multiplier the hardware has: 24 bits then, 32 today. */
    {.name = "access/cuda_umul24",
     .after = "access/cuda_operators",
     .layout = "one vector",
     .place = "paper 4, instructions performance",
     .sentence = "multiplication of 24 bits (__umul24)",
     RUNS(umul24, QP_ACCESS_ONLY(QP_ACCESS_MULTIPLY, QP_ACCESS_MULTIPLY))},

    /* Shows the price of a loop: a count, a comparison and a jump for each step. */
    {.name = "access/cuda_rolled",
     .layout = "one vector",
     .place = "paper 4, loops",
     .sentence = "a small loop, not unrolled",
     RUNS(rolled, LOOPS)},

    /* + 16 steps a time round: removes nearly all of that. */
    {.name = "access/cuda_unrolled",
     .after = "access/cuda_rolled",
     .layout = "one vector",
     .place = "paper 4, loops",
     .sentence = "the same loop, 16 steps in a row",
     RUNS(unrolled, LOOPS)},

    /* ---- A thread's own array ---- */

    /* Registers have no addresses: an array whose index the compiler does not know is stored in
     * local memory, which is global memory behind L1. Shows what becomes of it when the threads'
     * words no longer fit there (where L1 did not take local memory, they never did). */
    {.name = "access/cuda_local",
     .layout = "an array a thread",
     .place = "paper 4, global memory with Kepler, Maxwell and Pascal",
     .sentence = "an array of each thread's own in local memory, since its indices are variables",
     RUNS(local, ARRAYS)},

    /* + constant indices, by a loop unrolled p times: the same array is p registers. */
    {.name = "access/cuda_local_unrolled",
     .after = "access/cuda_local",
     .layout = "an array a thread",
     .place = "ours, after paper 4, global memory with Kepler, Maxwell and Pascal",
     .sentence = "cuda_local unrolled until all indices are constants: the array is registers",
     RUNS(registers, ARRAYS),
     .own = &powers_of_two},

    /* ---- Functions ---- */

    /* The accurate functions, right to about a unit in the last place: each is a sequence of
     * instructions. */
    {.name = "access/cuda_functions",
     .layout = "one vector",
     .place = "paper 4, instructions performance",
     .sentence = "sinf, cosf, sincosf, expf, logf, reciprocal and root: CUDA's library, right to "
                 "the last digit or so",
     RUNS(accurate, FUNCTIONS),
     .input = PLACES},

    /* + __sinf and the like: an instruction or two of the special function units, for a loss of
     * digits. */
    {.name = "access/cuda_fast_functions",
     .after = "access/cuda_functions",
     .layout = "one vector",
     .place = "paper 4, instructions performance",
     .sentence = "__sinf and the like: the special function units, faster and with fewer digits",
     RUNS(fast, FUNCTIONS),
     .input = PLACES,
     .tolerance = tolerance_fast},

    {0},
};
