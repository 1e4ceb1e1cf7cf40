/* SPDX-License-Identifier: MIT */
/* The Jacobi step of some cells on the CPU, in the order of sums of poisson5.c, so that all
 * variants of the table on the CPU agree bit for bit: our variants by vectors of 64, 32 or 16
 * bytes, as wide as the processor has them, four rows of cells at a time; paper 5's by a plain
 * loop.
 *
 * The formula of a cell stands in each loop (relax_rows.h, relax_loop_cells.h,
 * cpu_orders_sweeps.h): with a function that they share GCC makes other code of the red-black loop.
 * References (poisson5.c, async_model.c) and seen.c judge the variants, so they share nothing with
 * them. */
#ifndef QP_OPS_POISSON5_RELAX_H
#define QP_OPS_POISSON5_RELAX_H

#include <stdbool.h>

#include "toolkit/base/values.h"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

struct qp_sweep;

enum {
    QP_RELAX_ROWS = 4,  /* at once: 6 rows are read for 4, where one by one 12 would be */
    QP_RELAX_CELLS = 16 /* columns begin at a multiple of these: 64 bytes of floats, a cache line */
};

/* Rows one above the other; pointers point to column 0. */
struct qp_relax_rows {
    enum qp_precision precision;
    int count;       /* 1 to QP_RELAX_ROWS */
    long first, end; /* columns to be computed; those beside them are read */
    /* Old values, from the row below the first to that above the last. */
    const void *in[QP_RELAX_ROWS + 2];
    const void *rhs[QP_RELAX_ROWS]; /* h^2 f; NULL: 0 everywhere */
    void *out[QP_RELAX_ROWS];
    double weight;
    bool streams;           /* past the caches, see qp_relax_step_of */
    int spike_x, spike_row; /* where h^2 f is 1; anywhere else: no such cell in these rows */
};

void qp_relax_rows(const struct qp_relax_rows *rows);

/* A step of a grid, or of a block of one in memory of its own; pointers point to its cell (0,
 * 0). */
struct qp_relax_step {
    enum qp_precision precision;
    const void *x, *rhs; /* rhs NULL: 0 everywhere */
    void *out;
    long pitch; /* values from row to row of all three */
    double weight;
    bool streams;
    int spike_x, spike_y; /* outside: nowhere */
};

/* The step of a sweep. It streams where caches cannot keep its arrays for the next step: stores
 * that bypass them save reading a line before it is written, 4 bytes of 12 an update. */
struct qp_relax_step qp_relax_step_of(const struct qp_sweep *sweep, enum qp_precision precision);

/* Columns x0 up to x1 of rows y0 up to y1. Streamed stores are visible to others when it
 * returns. */
void qp_relax_block(const struct qp_relax_step *step, int x0, int x1, int y0, int y1);

/* The same by a plain loop over rows and cells, which the compiler vectorises; nothing is
 * streamed. */
void qp_relax_loop(const struct qp_relax_step *step, int x0, int x1, int y0, int y1);

/* Makes what was streamed visible to other threads, before a barrier. */
static inline void qp_relax_fence(void)
{
#if defined(__SSE2__)
    _mm_sfence();
#endif
}

/* Subnormal numbers count as 0 in this thread until qp_relax_restore: a processor takes some 100
 * cycles for each, and the front of a spike has them everywhere, a quarter of a quarter of it;
 * OpenGL flushes them likewise. x86 alone; elsewhere nothing changes. Returns what to restore. */
static inline unsigned qp_relax_flush(void)
{
#if defined(__SSE2__)
    enum { FLUSH_TO_ZERO = 0x8000, DENORMALS_ARE_ZERO = 0x0040 };
    const unsigned before = _mm_getcsr();
    _mm_setcsr(before | FLUSH_TO_ZERO | DENORMALS_ARE_ZERO);
    return before;
#else
    return 0;
#endif
}

static inline void qp_relax_restore(unsigned before)
{
#if defined(__SSE2__)
    _mm_setcsr(before);
#else
    (void)before;
#endif
}

#endif
