/* SPDX-License-Identifier: MIT */
/* Convention 3 for the asynchronous kernels: every mutant must fail on one of a few problems, on
 * which the unchanged kernel passes. Where there is no device the places are still looked for. */
#include "support/kernel_mutants.h"
#include "support/support.h"

#define ASYNC(number, after, old, instead)                               \
    {                                                                    \
        "poisson5/cuda_async" #number, "lab/ops/poisson5/cuda/async.cu", \
            "qp_kernel_poisson5_async" #number, after, old, instead      \
    }

#define TILES(after, old, instead)                                           \
    {                                                                        \
        "poisson5/cuda_async_tiles", "lab/ops/poisson5/cuda/async_tiles.cu", \
            "qp_kernel_poisson5_async_tiles", after, old, instead            \
    }

/* Fringes that are left out, go to the wrong side or are a launch old, neighbours of a wrong
 * weight, a step too few or too many. Variants that race have bounds alone: of them what goes below
 * the model. */
static const struct kernel_mutant mutants[] = {
    ASYNC(2, "void relax_rows(", "[b.t];", "[b.t + 1];"),
    ASYNC(2, "void relax_rows(", "below + own[j + 2]", "0.5f * below + own[j + 2]"),
    ASYNC(2, "void relax_rows(", "own[j + 2]", "own[j + 1]"),
    ASYNC(2, "void relax_rows(", "b.side[first + j]", "b.side[0]"),
    ASYNC(2, "float stepped(", " + side", ""),
    ASYNC(2, "void step(", "first + j < b.up", "first + j + 1 < b.up"),
    ASYNC(2, "void async2(", "put(b, c, b1);", ""),
    ASYNC(2, "void async2(", "put(b, fringe, b1);", ""),
    ASYNC(2, "void async2(", "put(b, fringe, b2);", ""),
    ASYNC(2, "void async2(", "v < alpha / 2", "v + 1 < alpha / 2"),
    ASYNC(2, "void async2(", "finish(b, b1, out)", "finish(b, b2, out)"),
    ASYNC(2, "ring fetch_fringe(", "b.x[b.t - b.pitch]", "b.x[b.t]"),
    ASYNC(2, "ring fetch_fringe(", "* b.pitch - 1]", "* b.pitch]"),
    ASYNC(2, "ring fetch_fringe(", "left < b.up", "left + 1 < b.up"),
    ASYNC(2, "const ring &r, grid", "[right + 1][b.across + 1]", "[right + 1][b.across]"),
    ASYNC(2, "block_of(", "min(UP, k.height - y0)", "min(UP - 1, k.height - y0)"),
    ASYNC(0, "void relax_rows(", "left[j] + right[j]", "right[j]"),
    ASYNC(0, "void async0(", "compute(b, b2, b1);", ""),
    ASYNC(0, "void async0(", "v < alpha / 2", "v + 1 < alpha / 2"),
    ASYNC(0, "void async0(", "finish(b, b1, out)", "finish(b, b2, out)"),
    ASYNC(1, "void relax_rows(", "below + own[j + 2]", "own[j + 2]"),
    ASYNC(1, "void async1(", "v < alpha / 2", "v + 1 < alpha / 2"),
    ASYNC(3, "void relax_rows(", "below + own[j + 2]", "below + own[j + 2] + 0.01f"),
    ASYNC(3, "void async3(", "compute_in_place(b, only);", ""),
    TILES("float stepped(", "across + up;", "across;"),
    TILES("void relax_row(", "t.lane == 0 ? first : left", "left"),
    TILES("void relax_row(", "t.lane == LANES - 1 ? last : right", "0.0f"),
    TILES("void relax_row(", "t.even[j] + right", "right"),
    TILES("void sweep(", "s < k.sweeps", "s < 1"),
    TILES("void fetch(", "t.x0 + ACROSS, t.y0", "t.x0 + 2 * ACROSS, t.y0"),
};

/* Less than a block, a cell more than one, several. */
static const struct qp_size sizes[] = {{63, 7}, {65, 9}, {200, 40}, {0}};
static const char *const kinds[] = {"sine", NULL};

static const struct kernel_hunt hunt = {.mutants = mutants,
                                        .count = COUNT(mutants),
                                        .steps = 3,
                                        .sizes = sizes,
                                        .kinds = kinds,
                                        .desc = {.op = "poisson5"}};

KERNEL_HUNT(hunt)
