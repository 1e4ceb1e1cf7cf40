/* SPDX-License-Identifier: MIT */
/* Baselines from other libraries: opponents (variants to compare speeds with) and judges (solvers
 * to check answers). They are linked into the command and the tests, never into the library;
 * missing ones are skipped by name. */
#ifndef QP_BASELINE_BASELINE_H
#define QP_BASELINE_BASELINE_H

#include <quadpass/market.h>
#include <quadpass/problem.h>
#include <quadpass/solve.h>

/* Lends the variants that call another library their sweeps. Once, at start, before other
 * threads. */
void baseline_lend(void);

/* OpenBLAS's name of the processor whose kernels it runs; NULL without OpenBLAS. */
const char *baseline_kernels(void);

/* baseline_lend for variants of LAPACK (lapack.c). */
void baseline_lend_lapack(void);

/* baseline_lend for small systems by cuBLAS and cuSOLVER (cublas.c), looked for when a variant
 * runs. */
void baseline_lend_cublas(void);

/* CUB's version, as a number; 0 in builds without CUDA. */
int baseline_cub_version(void);

/* baseline_lend for MPI (mpi.c), which is started when a variant wants it. */
void baseline_lend_mpi(void);

/* The matrix of a nine-band problem, entry by entry; fields are floats and come over exactly.
 * Errors: QP_NO_MEMORY. Free with qp_market_destroy. */
enum qp_status baseline_matrix(const struct qp_problem *problem, struct qp_market *out);

/* Harwell-Boeing's gr_30_30 (data/gr_30_30.mtx), made without its file. Errors: QP_NO_MEMORY. Free
 * with qp_market_destroy. */
enum qp_status baseline_gr_30_30(struct qp_market *out);

/* A matrix of data/ that is built in, "west0067.mtx" or "impcol_a.mtx". Errors: QP_BAD_USE for
 * other names, QP_NO_MEMORY. Free with qp_market_destroy. */
enum qp_status baseline_file(const char *name, struct qp_market *out);

/* Solves A x = b by sparse LU factors in double (KLU of SuiteSparse), b and x as long as A has
 * rows. *condition receives an estimate, seldom a third too small, of ||A||_1 ||A^-1||_1. Errors:
 * QP_UNSUPPORTED "built without SuiteSparse", QP_BAD_INPUT (not square, singular), QP_NO_MEMORY. */
enum qp_status baseline_solve(const struct qp_market *matrix, const double *b, double *x,
                              double *condition);

/* The direct solvers of solves, qp_solve_desc.direct: CHOLMOD for definite matrices, and KLU. NULL
 * in builds without SuiteSparse. An interrupt leaves a thread that ends by itself, or with the
 * program. */
const struct qp_direct *baseline_direct(void);

/* Solves A X = B by dense LU factors in double (LAPACK's dgesv); b and x are `sides`
 * columns as long as A has rows. *condition and errors as above, but "built without
 * LAPACK"; dgecon estimates. */
enum qp_status baseline_solve_dense(const struct qp_market *matrix, const double *b, int sides,
                                    double *x, double *condition);

/* Solves 4 u[x, y] - u[x-1, y] - u[x+1, y] - u[x, y-1] - u[x, y+1] = rhs[x, y] with u = 0 around
 * width x height cells, both arrays row-major, by sine transforms in double (FFTW's DST-I), so but
 * for rounding exactly. One thread at a time: FFTW plans. Errors: QP_UNSUPPORTED "built without
 * FFTW", QP_NO_MEMORY. */
enum qp_status baseline_poisson(int width, int height, const double *rhs, double *u);

/* Pivot rows by LAPACK's sgetrf: the row that row k is exchanged with, for every column k of a
 * Gauss-Jordan problem, counted from 0. Errors: QP_UNSUPPORTED "built without LAPACK",
 * QP_NO_MEMORY. */
enum qp_status baseline_pivots(const struct qp_problem *problem, int *rows);

#endif
