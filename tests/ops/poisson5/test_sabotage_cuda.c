/* SPDX-License-Identifier: MIT */
/* Mutants like those of tests/ops/test_sabotage_kernels.c, for the ladder of poisson5 on CUDA:
 * values of neighbours and their weights, fringes that are never refreshed or come from the wrong
 * side, steps left out, edges moved; and weighted steps of cuda_temporal. */
#include "support/kernel_mutants.h"
#include "support/support.h"

#define LADDER(rung, file, entry, after, old, instead)                                       \
    {                                                                                        \
        "poisson5/cuda_" #rung, "lab/ops/poisson5/cuda/" file, "qp_kernel_poisson5_" #entry, \
            after, old, instead                                                              \
    }
#define UPDATE(old, instead) LADDER(naive, "poisson.cuh", naive, "T update(", old, instead)
#define NAIVE(old, instead)  LADDER(padded, "naive.cu", naive, "void naive(", old, instead)
#define READ(old, instead)   LADDER(shared, "tile.cuh", shared, "void read_tile(", old, instead)
#define RELAX(rung, entry, old, instead) \
    LADDER(rung, "tile.cuh", entry, "void relax_tile(", old, instead)
#define RUNG(rung, entry, after, old, instead) LADDER(rung, "ladder.cu", entry, after, old, instead)

#define FETCH(after, old, instead) LADDER(texture, "texture.cu", texture, after, old, instead)

#define HILO(old, instead) \
    LADDER(double_hilo, "double.cu", double_hilo, "struct hilo_tile", old, instead)

/* After a row's last cell, in its padding. */
#define SPILL "if (i == s.width) s.out[(long)c.j * s.pitch + i] = T(1); "

/* The old value of the other grid, that of the step before, in place of a fringe. */
#define STALE "s.out[(long)(c.j + r) * s.pitch + c.i + column]"
#define FRESH "s.x[(long)(c.j + r) * s.pitch + c.i + column]"

static const struct kernel_mutant mutants[] = {
    UPDATE("add(left, right)", "left"),
    UPDATE("add(left, right)", "add(left, left)"),
    UPDATE("add(below, above)", "above"),
    UPDATE("add(below, above)", "add(below, times(above, T(0.75)))"),
    UPDATE(", side)", ", T(0))"),
    UPDATE("T(0.25)", "T(0.251)"),
    UPDATE("relax(here, t, weight)", "t"),
    UPDATE("relax(here, t, weight)", "relax(t, here, weight)"),
    LADDER(naive_double, "poisson.cuh", naive_double, "step_of(", "(T)l->weight",
           "(float)l->weight"),
    LADDER(naive, "poisson.cuh", naive, "T rhs_at(", "s.rhs_pitch", "s.width"),
    LADDER(naive, "poisson.cuh", naive, "T rhs_at(", "i == s.spike_x", "j == s.spike_x"),
    NAIVE("s.x[at - 1]", "s.x[at]"),
    NAIVE("s.x[at + s.pitch]", "s.x[at]"),
    NAIVE("j < s.height", "j + 1 < s.height"),
    FETCH("void textured(", "at - s.pitch", "at"),
    FETCH("void textured(", "at + 1", "at - 1"),
    FETCH("enum qp_status launch(", "l->x == own", "l->x != own"),
    READ(FRESH, STALE),
    READ("column + 1, s.x", "ACROSS - column, s.x"),
    READ("s.x[(long)j * s.pitch + i]", "r == UP + 1 ? T(0) : s.x[(long)j * s.pitch + i]"),
    READ("s.x[(long)j * s.pitch + i]", "r == 0 ? T(0) : s.x[(long)j * s.pitch + i]"),
    RELAX(shared_padded, shared, "tile.get(r, t + 2)", "tile.get(r, t + 1)"),
    RELAX(shared_padded, shared, "tile.get(r - 1, t + 1)", "tile.get(r + 1, t + 1)"),
    RELAX(shared_padded, shared, "i >= s.width", "i + 1 >= s.width"),
    RELAX(shared_padded, shared, "if (threadIdx.x >=", SPILL "if (threadIdx.x >="),
    RELAX(unrolled, unrolled, "first <= TILE::UP", "first < TILE::UP"),
    RELAX(tuned_sync, tuned_sync, "tile.get(r + 1, t + 1)", "tile.get(r, t + 1)"),
    RUNG(shared_fringe_threads, shared_fringe_threads, "void __launch_bounds__(usual::ACROSS + 2)",
         "(int)threadIdx.x - 1", "(int)threadIdx.x"),
    RUNG(shared_one_grid, shared_one_grid, "take_steps_in_place(", "k = 0", "k = 1"),
    RUNG(shared_one_grid, shared_one_grid, "take_steps_in_place(", "(float *)l->x", "l->out"),
    RUNG(shared_one_grid, shared_one_grid, "take_steps_in_place(", "l->weights[k]", "0.5"),
    RUNG(prefetch, prefetch, "void __launch_bounds__(usual::ACROSS) prefetch(", "fetch(s, next)",
         "fetch(s, c)"),
    RUNG(prefetch, prefetch, "void __launch_bounds__(usual::ACROSS) prefetch(",
         "for (int k = 0; k < ABOVE", "for (int k = 0; k + 1 < ABOVE"),
    RUNG(prefetch, prefetch, "held fetch(", "s.x[(long)j * s.pitch + beside]",
         "s.out[(long)j * s.pitch + beside]"),
    RUNG(prefetch, prefetch, "void put(", "t < UP ? 0 : usual::ACROSS + 1",
         "t < UP ? usual::ACROSS + 1 : 0"),
    HILO("= __double2loint(v)", "= 0"),
    HILO("high[r][c], low[r][c]", "low[r][c], high[r][c]"),
    LADDER(temporal, "temporal_steps.cuh", temporal, "t.four[k] =", "T(0) : T(4)", "T(4) : T(0)"),
    LADDER(temporal, "temporal.cuh", temporal, "out[v] = WEIGHTED", "here[v], sum", "sum, here[v]"),
};

/* Less than a block, and several each way, with a band that is no whole block and one more than
 * prefetch takes. */
static const struct qp_size sizes[] = {{33, 5}, {131, 67}, {0}};

static const struct kernel_hunt hunt = {.mutants = mutants,
                                        .count = COUNT(mutants),
                                        .steps = 3,
                                        .sizes = sizes,
                                        .desc = {.op = "poisson5", .weight = 0.9}};

KERNEL_HUNT(hunt)
