/* SPDX-License-Identifier: MIT */
/* Names of vectors, codes and parts of a run, which steps on both devices share; kernels of CUDA,
 * and the memory that these share. */
#ifndef QP_SOLVE_KRYLOV_KERNELS_H
#define QP_SOLVE_KRYLOV_KERNELS_H

#include "lab/plan/kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Vectors. X is the answer, R its residual, P the direction and Q = A P. With a preconditioner M,
 * Z = M R and V = M Q. BiCGSTAB has r~ (SHADOW), V = A P, S, and T = A S. MINRES has P and V, two
 * vectors of Lanczos, and Z and SHADOW, two directions; in odd steps those of a pair are exchanged.
 * KEPT is an answer that Chebyshev may return to. The polynomial M has a residual, a direction and
 * a product of its own. */
enum { X, R, P, Q, Z, V, SHADOW, S, T, KEPT, OWN_R, OWN_P, OWN_Q, VECTORS };

/* Codes of a state. */
enum { GOES_ON, AT_TARGET, NO_CURVATURE, NO_RHO, NO_OMEGA, NOT_FINITE };

/* Parts of a run. */
enum qp_krylov_part {
    QP_KRYLOV_START, /* Z = M R, where the device has such an M */
    QP_KRYLOV_BEGIN, /* products and scalars before the first step */
    QP_KRYLOV_STEP,  /* a step; where the host computes V = M Q, up to that */
    QP_KRYLOV_REST,  /* the rest of BEGIN or STEP after V = M Q */
    QP_KRYLOV_TURN,  /* a step of Chebyshev: p becomes c1 p + c2 r */
    QP_KRYLOV_LOOK   /* sums for Chebyshev's look */
};

/* Terms of the preconditioner's polynomial, and the part of the spectrum that it makes small: from
 * the bound down to 1 / REACH of it. */
enum { QP_KRYLOV_TERMS = 4, QP_KRYLOV_REACH = 30 };

enum { QP_KRYLOV_GRID = 1024 }; /* thread blocks of a kernel at most, on every device */

/* Scalars and state as OpenGL's cells have them (steps.h). */
struct qp_krylov_cells {
    float scalars[2][4], state[2][4];
    double total[4]; /* sums of Chebyshev's look */
    float until;     /* steps after this many change nothing */
    unsigned ticket; /* thread blocks whose sums are there; 0 between kernels */
};

/* Device memory. After the last unknown vectors have zeros, up to whole fours. */
struct qp_krylov_arrays {
    float *vector[VECTORS]; /* NULL: the method has none such */
    struct qp_krylov_cells *cells;
    float *partial; /* four sums of each thread block */
    int fours;      /* unknowns / 4, rounded up */
};

/* A method on a device: matrix, arrays, and numbers of its steps. */
struct qp_krylov_steps {
    struct qp_krylov_arrays arrays;
    struct qp_launch product, inverse; /* y = A x, and of BLOCKS y = M x, from input[0] to out */
    qp_launcher *multiply;
    bool minres, bicgstab;          /* or CG */
    bool host;                      /* V = M Q comes from the host */
    bool polynomial;                /* or from a polynomial of A */
    bool blocks;                    /* or from `inverse` */
    float term[QP_KRYLOV_TERMS][2]; /* its numbers c1 and c2 */
    float c1, c2;                   /* numbers of a turn */
    void *graph;                    /* cudaGraphExec_t; NULL: none */
};

/* Functions that launch kernels on the product's stream. None waits. */
struct qp_krylov_kernels {
    /* Runs a part; REST makes scalars from those of this cell. */
    enum qp_status (*run)(struct qp_krylov_steps *steps, enum qp_krylov_part part, int cell);

    /* Copies a vector; from a negative one zeros. */
    enum qp_status (*copy)(const struct qp_krylov_steps *steps, int from, int to);

    /* Makes the graph, whose conditional while node takes steps to the end of the run, or until
     * there are as many as `until` says. Leaves it NULL, with QP_OK, where CUDA is older than
     * 12.4. */
    enum qp_status (*capture)(struct qp_krylov_steps *steps);
    enum qp_status (*launch)(struct qp_krylov_steps *steps, float until);
    void (*drop)(struct qp_krylov_steps *steps);
};

QP_ENTRY const struct qp_krylov_kernels qp_kernel_krylov;

#ifdef __cplusplus
}
#endif
#endif
