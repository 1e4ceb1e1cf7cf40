/* SPDX-License-Identifier: MIT */
/* Poisson's equation -laplace(u) = f on a rectangle with u = 0 on its rim: methods, tolerance,
 * refinement. */
#ifndef QUADPASS_POISSON_H
#define QUADPASS_POISSON_H

#include <quadpass/solve.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Zero means default. The grid has width x height unknowns, 1 / (width + 1) apart both ways: a unit
 * square where both are the same. */
struct qp_poisson_desc {
    int width, height;
    /* f, width * height values, row by row from the lowest y on; NULL: the kind's. */
    const double *rhs;
    const char *kind;        /* "field" (the default), "spike" or "sine", made by Quadpass */
    unsigned long long seed; /* seed of the field */
    const char *method;      /* "jacobi", "sor", "chebyshev", "multigrid"; NULL: the fastest */
    const struct qp_variant *variant; /* poisson5's or multigrid's; NULL: the fastest here */
    bool in_double;                   /* variants that compute in double, where none is asked for */
    bool refine; /* as far as double allows; without it refined only as the tolerance asks for */
    double tolerance; /* limit of ||h^2 f - A u|| / ||h^2 f||; 1e-5 */
    int most_steps;   /* 10,000,000; all rounds of refinement together */
    enum qp_pingpong_style pingpong;
    enum qp_texture_target target;
    struct qp_parts_desc parts;
    const volatile sig_atomic_t *interrupt;
    void (*on_progress)(void *user, const struct qp_progress *progress);
    void *user;
    const char *checkpoint; /* file that the state is written to now and then; NULL: none */
    double every;           /* seconds from one to the next, looked at with the residual; 60 */
    const char *resume;     /* such a file, to go on from; it may be the same */
};

/* Solves the five-point equations 4 u[x, y] - u[x-1, y] - u[x+1, y] - u[x, y-1] - u[x, y+1] = h^2
 * f[x, y] from u = 0; out->x is u, row by row, out->method the method that was taken. Residuals are
 * computed in double on the host, and the device solves for a correction, scaled by a power of two,
 * so the sizes of numbers do not matter. Where the floor of the variant's precision may be above
 * the tolerance, corrections follow one another, each for the residual of the sum so far. Any
 * ending gives QP_OK and the iterate so far (or the one before, where a correction made it worse;
 * if an interrupt cut that correction short, as within a cycle of chebyshev, the multiple of it is
 * added that leaves the least residual). Errors: QP_BAD_INPUT (f is not finite, or beyond float
 * without in_double and refine; the sentence names the place), QP_BAD_USE (no such size, kind,
 * method or tolerance; a method that does not go with the variant), QP_UNSUPPORTED (the variant
 * cannot take the problem, or none can), QP_NO_MEMORY, QP_DEVICE; then *out is all zero. `context`
 * may be NULL for variants on the CPU. Owner: the caller, by qp_solution_destroy. Source: paper 5;
 * D. M. Young, Iterative methods (1954); V. I. Lebedev and S. A. Finogenov (1971). Threads: the
 * context's. */
enum qp_status qp_solve_poisson(struct qp_context *context, const struct qp_poisson_desc *desc,
                                struct qp_solution *out);

/* Name of the method with this number, from 0: as desc->method takes it; NULL below 0 and after the
 * last. Errors: none. Owner: the library, for ever. Threads: any. */
const char *qp_poisson_method(int number);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
