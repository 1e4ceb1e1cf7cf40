/* SPDX-License-Identifier: MIT */
/* Convention 3 for CUDA kernels: every mutant must fail on one of a few problems, on which the kernel
 * as it stands passes. Where there is no device the places are still looked for. */
#include "kernel_mutants.h"
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ops/problem.h"
#include "ops/reduce.h"

#define LADDER(rung, after, old, instead)                                                    \
    {                                                                                        \
        "reduce/cuda_" #rung, "ops/reduce_ladder.cu", "qp_kernel_reduce_" #rung, after, old, \
            instead                                                                          \
    }
#define TILES(after, old, instead)                                                                \
    {                                                                                             \
        "reduce/cuda_tiles", "ops/reduce_tiles.cu", "qp_kernel_reduce_tiles", after, old, instead \
    }

/* Terms dropped or shifted, rounds and launches left out, edges moved, ties and places. */
static const struct kernel_mutant mutants[] = {
    LADDER(naive, "void naive", "2 * i + 1, n", "2 * i, n"),
    LADDER(naive, "climb(const", "n = left", "n = left - (left & 1)"),
    LADDER(interleaved, "void interleaved", "(2 * s) == 0", "(4 * s) == 0"),
    LADDER(interleaved, "void interleaved", "s = 1;", "s = 2;"),
    LADDER(interleaved, "float at(", "v[i] : 0.0f", "v[i] : v[0]"),
    LADDER(strided, "void strided", "index < blockDim.x", "index + 2 * s < blockDim.x"),
    LADDER(strided, "void strided", "2 * s * tid", "4 * s * tid"),
    LADDER(sequential, "float halve(", "s >= least", "s > least"),
    LADDER(sequential, "float halve(", "sum + sv[threadIdx.x + s]",
           "sum + sv[threadIdx.x + s - 1]"),
    LADDER(first_add, "float load_two(", "at(v, i + blockDim.x, n)", "0.0f"),
    LADDER(first_add, "float load_two(", "(blockDim.x * 2)", "blockDim.x"),
    LADDER(unrolled_warp, "float last_warp(", "s = 32", "s = 16"),
    LADDER(unrolled_warp, "float last_warp(", "s > 0", "s > 1"),
    LADDER(shuffle, "void shuffle", "sum += sv[threadIdx.x + 32];", ""),
    LADDER(shuffle, "void shuffle", "offset > 0", "offset > 1"),
    LADDER(unrolled, "add_block(", "sv[tid] += sv[tid + 128]", "sv[tid] += 0.0f"),
    LADDER(unrolled, "add_block(", "sv[tid] += sv[tid + 64]", "sv[tid] += sv[tid + 63]"),
    LADDER(cascaded, "void cascaded", "at(v, i + block, n)", "0.0f"),
    LADDER(cascaded, "void cascaded", "i += grid", "i += 2 * grid"),
    LADDER(cascaded, "void cascaded", "(block * 2) + tid; i", "(block * 2) + tid + 1; i"),
    TILES("struct sum :", "a += x", "a = x"),
    TILES("struct squares", "x * x", "x * y"),
    TILES("struct dot", "x * y", "x * x"),
    TILES("unsigned magnitude(", "0x7fffffffu", "0xffffffffu"),
    TILES("struct place", "~(unsigned)i", "(unsigned)i"),
    TILES("struct place", "i % width", "i % (width + 1)"),
    TILES("join_warp(", "offset > 0", "offset > 1"),
    TILES("join_block(", "THREADS / WARP ? ", "THREADS / WARP - 1 ? "),
    TILES("take_four(", "x.w, y.w, i + 3", "x.z, y.z, i + 3"),
    TILES("take_four(", "x.y, y.y, i + 1", "x.y, y.y, i"),
    TILES("take_loads(", "__ldcs(x + i + k * THREADS)", "__ldcs(x + i)"),
    TILES("take_loads(", "__ldcs(y + i + k * THREADS)", "__ldcs(y + i)"),
    TILES("take_share(", "last < end", "last + 1 < end"),
    TILES("take_share(", "i += THREADS", "i += 2 * THREADS"),
    TILES("take_share(", "i += LOADS * THREADS", "i += 2 * LOADS * THREADS"),
    TILES("reduce(", "min(begin + TILE, n)", "min(begin + TILE - 1, n)"),
    TILES("reduce(", "i += THREADS", "i += 2 * THREADS"),
};

/* Less than a warp, than a block, than a tile; tiles and a last one; more tiles than threads. */
static const struct qp_size sizes[] = {{1, 7},     {33, 1},    {65, 9},     {257, 3},
                                       {251, 263}, {1030, 37}, {4099, 4097}};

/* Walks one row on problems of all kinds that it takes, until a verdict is this one. */
static bool meets(const struct qp_variant *row, enum qp_verdict verdict)
{
    bool met = false;
    for (int k = 0; k < COUNT(sizes) * QP_REDUCTIONS && !met; k++) {
        int kind = k % QP_REDUCTIONS;
        struct qp_problem_desc desc = {.op = "reduce",
                                       .kind = qp_op_reduce.kinds[kind],
                                       .width = sizes[k / QP_REDUCTIONS].width,
                                       .height = sizes[k / QP_REDUCTIONS].height,
                                       .seed = (uint64_t)k};
        struct qp_problem problem;
        struct qp_result result;
        if (row->recipe->not_kinds >> kind & 1)
            continue;
        assert_ok(qp_problem_create(&desc, &problem));
        assert_ok(qp_walk(NULL, row, &problem, &(struct qp_walk_desc){.iterations = 1}, &result));
        met = result.verdict == verdict;
        qp_problem_destroy(&problem);
    }
    return met;
}

static void all_places_are_there(void **state)
{
    (void)state;
    for (int k = 0; k < COUNT(mutants); k++)
        kernel_mutants_check(&mutants[k]);
}

static void unharmed_rows_pass(void **state)
{
    (void)state;
    for (int k = 0; k < COUNT(mutants); k++) {
        const struct qp_variant *row = qp_variant_find(mutants[k].row);
        bool again = k > 0 && strcmp(mutants[k].row, mutants[k - 1].row) == 0;
        if (!support_is_built(row))
            skip();
        if (!again && meets(row, QP_FAIL))
            fail_msg("%s fails", row->name);
    }
}

static void no_mutant_survives(void **state)
{
    int survivors = 0;
    (void)state;
    if (!support_is_built(qp_variant_find(mutants[0].row)))
        skip();
    if (!kernel_mutants_can()) {
        print_message("%s\n", qp_error());
        skip();
    }
    kernel_mutants_compile(mutants, COUNT(mutants));
    for (int k = 0; k < COUNT(mutants); k++) {
        struct mutant_row row;
        kernel_mutants_load(&mutants[k], k, &row);
        if (meets(&row.variant, QP_FAIL))
            continue;
        survivors++;
        print_error("%s: '%s' for '%s' survives\n", mutants[k].row, mutants[k].instead,
                    mutants[k].old);
    }
    kernel_mutants_end();
    assert_int_equal(survivors, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_places_are_there),
        cmocka_unit_test(unharmed_rows_pass),
        cmocka_unit_test(no_mutant_survives),
    };
    return cmocka_run_group_tests_name("sabotage_cuda", tests, NULL, NULL);
}
