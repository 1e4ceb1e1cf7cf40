/* SPDX-License-Identifier: MIT */
/* The one table: every variant of every operation (src/lab/ops/table.def). */
#ifndef QUADPASS_VARIANT_H
#define QUADPASS_VARIANT_H

#include <stdbool.h>
#include <stddef.h>

#include <quadpass/problem.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum qp_backend { QP_CPU, QP_GL, QP_CUDA, QP_MPI, QP_BACKENDS };

struct qp_variant {
    const char *name; /* "op/variant": the command-line name */
    const char *op;   /* "jacobi9" */
    enum qp_backend backend;
    const char *layout;             /* how textures or memory store the matrices, in a few words */
    unsigned needs;                 /* enum qp_ability, or-ed */
    const char *place;              /* paper and section */
    const char *sentence;           /* how it computes, and what differs from the rung below */
    const struct qp_recipe *recipe; /* the library's own description of it */
};

/* Bytes and flops of a variant for one update of one cell. */
struct qp_cost {
    double bytes;       /* every value read once and written once */
    double flops;       /* by the convention of the variant's own paper */
    double paper_bytes; /* as that paper counts them, where it counts others; else 0 */
};

/* A cell that a kind of problems is about, such as a spike's, and where it lies in the block of
 * cells to which its paper assigns it; a block of 0: there is none. */
struct qp_marked_cell {
    int x, y;
    int block_x, block_y; /* cells of a block */
};

/* Number of variants, and variant `index` in the papers' order. Errors: none; NULL beyond the last.
 * Owner: the library, for ever. Threads: any. */
size_t qp_variant_count(void);
const struct qp_variant *qp_variant_at(size_t index);

/* Finds a variant by "op/variant", or by "variant" alone in the first operation that has it. All
 * functions below take NULL, and a struct that the program filled in, in place of a variant and
 * return something harmless. Errors: none; NULL if there is none. Owner: the library, for ever.
 * Threads: any. */
const struct qp_variant *qp_variant_find(const char *name);

/* True if the name, or the part after the slash, matches a shell pattern such as "jacobi9/rgba*".
 * Errors: none. Owner: none. Threads: any. */
bool qp_variant_matches(const struct qp_variant *variant, const char *pattern);

/* Number of systems that it solves at once, in the channels of a texel: 1 or 4. Errors: none.
 * Owner: none. Threads: any. */
int qp_variant_systems(const struct qp_variant *variant);

/* True for a bound: a variant (its name ends in _notex or _alwayscache) that computes nothing of
 * use, but shows how fast the variant before the underscore would be without fetches, or if each of
 * them hit the cache. Its cost is that variant's, and its verdict QP_BOUND or QP_FAIL. Errors:
 * none. Owner: none. Threads: any. */
bool qp_variant_is_bound(const struct qp_variant *variant);

/* Cost on a problem of the first kind that it takes, with the usual parameter. Errors: none. Owner:
 * none. Threads: any. */
struct qp_cost qp_variant_cost(const struct qp_variant *variant);

/* "cpu", "gl", "cuda", "mpi", else "none". Errors: none. Owner: the library, for ever. Threads:
 * any. */
const char *qp_backend_name(enum qp_backend backend);

/* The library beyond C and OpenGL that the variant calls, such as "BLAS"; a program that is not
 * linked with it skips the variant as "built without BLAS". Errors: none; NULL for most. Owner: the
 * library, for ever. Threads: any. */
const char *qp_variant_library(const struct qp_variant *variant);

/* QP_OK if the variant can take this problem (size, systems, wrap entries, range). Says nothing of
 * the device. Errors: QP_UNSUPPORTED, with the reason as the sentence; QP_BAD_USE for NULL or a
 * problem that was not made. Owner: none. Threads: any. */
enum qp_status qp_variant_takes(const struct qp_variant *variant, const struct qp_problem *problem);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
