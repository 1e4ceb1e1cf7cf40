/* SPDX-License-Identifier: MIT */
/* Access on CUDA: for each effect of the hardware one row that shows it and one that avoids it. All
 * arrays begin at a cache line, so that nothing but the pattern decides. */
#include <math.h>

#include "ops/access/access.h"
#include "ops/access/kernels.h"
#include "plan/problem.h"

/* The first value at a multiple of 256 bytes. */
#define ALIGNED QP_FLAT_FROM(64)
#define PLACES                                                                   \
    {                                                                            \
        QP_ARRAY("u", QP_ACCESS_U, ALIGNED), QP_ARRAY("v", QP_ACCESS_V, ALIGNED) \
    }

/* A row: the entry of its kernel, and the kinds that it does not take. */
#define ROW(name, entry, ...)                        \
    const struct qp_recipe qp_access_cuda_##name = { \
        .state = ALIGNED, .kernel = &qp_kernel_access_##entry, .not_kinds = __VA_ARGS__}

/* ---- Global memory ---- */

#define COPIES QP_ACCESS_ONLY(QP_ACCESS_OFFSET, QP_ACCESS_OCCUPANCY)

/* A thread for each cell. Shows, kind by kind, how many transactions a warp's loads become. */
ROW(simple, simple, COPIES, .input = PLACES);

/* Without L1 words that two warps share are fetched twice from L2; and nothing is fetched in larger
 * pieces than L2's 32 bytes, where Fermi's L1 brought 128 for each. */
ROW(no_l1, no_l1, COPIES, .input = PLACES);

/* From Kepler to Pascal the one way to a cache nearer than L2; since Volta the way to L1 like
 * any. */
ROW(ldg, ldg, COPIES, .input = PLACES);

/* Four cells a thread: its own loads mask latency where there are too few threads to do so. */
ROW(four, four, COPIES, .input = PLACES);

#define WALKS QP_ACCESS_ONLY(QP_ACCESS_CHASE, QP_ACCESS_CHASE)

/* Pointer chase by one thread: each load's address is the value of the load before. Shows the
 * latency of a load, which other warps mask in all other rows. */
ROW(chase, chase, WALKS, .input = PLACES);

/* - L1: shows how much of a wait it saves where the groups fit in it. */
ROW(chase_no_l1, chase_no_l1, WALKS, .input = PLACES);

#define OFFSETS QP_ACCESS_ONLY(QP_ACCESS_OFFSET, QP_ACCESS_OFFSET)

/* cuda_simple with words of two and of four values: removes instructions, and moves the same
 * bytes. Values that an offset shifts off whole words are read one by one. */
ROW(8_bytes, 8_bytes, OFFSETS);

ROW(16_bytes, 16_bytes, OFFSETS);

/* Staging: the stride moves into shared memory, where padding makes it free, except a stride of 31,
 * whose words padding brings into one bank. */
ROW(staged, staged, QP_ACCESS_ONLY(QP_ACCESS_STRIDE, QP_ACCESS_STRIDE));

/* ---- Shared memory ---- */

/* Shows bank conflicts: words that are apart by a multiple of 2 share banks, by 32 one bank. */
ROW(shared, shared, QP_ACCESS_ONLY(QP_ACCESS_BANKS, QP_ACCESS_PAIRS));

/* + a word left free after every 32: removes the conflicts of powers of two, but for those between
 * the first and the last word of a warp. Odd strides, which have none without it, get them. */
ROW(shared_padded, padded, QP_ACCESS_ONLY(QP_ACCESS_BANKS, QP_ACCESS_PAIRS));

/* cuda_shared with words of 8 bytes: half as many loads, each served half a warp at a time. */
ROW(shared_pairs, pairs, QP_ACCESS_ONLY(QP_ACCESS_PAIRS, QP_ACCESS_PAIRS));

/* ---- Instructions ---- */

#define WAYS       QP_ACCESS_ONLY(QP_ACCESS_DIVERGENT, QP_ACCESS_CONVERGENT)
#define ARITHMETIC QP_ACCESS_ONLY(QP_ACCESS_DIVISION, QP_ACCESS_MULTIPLY)

/* Shows divergence: a warp goes through every way that one of its threads takes. */
ROW(branches, branches, WAYS);

/* The same numbers from arithmetic: removes the branch, and with it what sets threads apart. */
ROW(branchless, branchless, WAYS);

/* Shows that an integer division or remainder is a sequence of instructions, a product one. */
ROW(operators, operators, ARITHMETIC);

static const struct qp_access_row powers_of_two = {.powers_of_two = true};

/* Shifts in place of divisions by powers of two: one instruction. In place of a product a shift
 * loses: product and following addition are one instruction. */
ROW(shifts, shifts, ARITHMETIC, .own = &powers_of_two);

/* Division by any number as a product with a constant, found once, and a shift. */
ROW(reciprocals, reciprocals, QP_ACCESS_ONLY(QP_ACCESS_DIVISION, QP_ACCESS_MODULO));

/* The fast product of 2008. Shows which multiplier the hardware has: 24 bits then, 32 today. */
ROW(umul24, umul24, QP_ACCESS_ONLY(QP_ACCESS_MULTIPLY, QP_ACCESS_MULTIPLY));

#define LOOPS QP_ACCESS_ONLY(QP_ACCESS_UNROLLING, QP_ACCESS_UNROLLING)

/* Shows the price of a loop: a count, a comparison and a jump for each step. */
ROW(rolled, rolled, LOOPS);

/* + 16 steps a time round: removes nearly all of that. */
ROW(unrolled, unrolled, LOOPS);

/* ---- A thread's own array ---- */

#define ARRAYS QP_ACCESS_ONLY(QP_ACCESS_LOCAL, QP_ACCESS_LOCAL)

/* Registers have no addresses: an array whose index the compiler does not know is stored in local
 * memory, which is global memory behind L1. Shows what becomes of it when the threads' words no
 * longer fit there (where L1 did not take local memory, they never did). */
ROW(local, local, ARRAYS);

/* + constant indices, by a loop unrolled p times: the same array is p registers. */
ROW(local_unrolled, registers, ARRAYS, .own = &powers_of_two);

/* ---- Functions ---- */

#define FUNCTIONS QP_ACCESS_ONLY(QP_ACCESS_SIN, QP_ACCESS_RECIPROCAL)

/* The accurate functions, right to about a unit in the last place: each is a sequence of
 * instructions. */
ROW(functions, accurate, FUNCTIONS, .input = PLACES);

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

/* + __sinf and the like: an instruction or two of the special function units, for a loss of
 * digits. */
ROW(fast_functions, fast, FUNCTIONS, .input = PLACES, .tolerance = tolerance_fast);
