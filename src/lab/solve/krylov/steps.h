/* SPDX-License-Identifier: MIT */
/* Steps of Krylov methods as recorded lists of passes. */
#ifndef QP_SOLVE_KRYLOV_STEPS_H
#define QP_SOLVE_KRYLOV_STEPS_H

#include "lab/solve/krylov/krylov.h"
#include "lab/sparse/product.h"
#include "toolkit/base/watch.h"
#include "toolkit/reduce/reduction.h"

/* Vectors. X is the answer, R its residual, P the direction and Q = A P. With a preconditioner M,
 * Z = M R and V = M Q. BiCGSTAB has r~ (SHADOW), V = A P, S, and T = A S. MINRES has P and V, two
 * vectors of Lanczos, and Z and SHADOW, two directions; in odd steps those of a pair are exchanged.
 * KEPT is an answer that Chebyshev may return to. The polynomial M has a residual, a direction and
 * a product of its own. */
enum { X, R, P, Q, Z, V, SHADOW, S, T, KEPT, OWN_R, OWN_P, OWN_Q, VECTORS };
enum { KEPT_SCALARS = VECTORS }; /* the other cell of the scalars, for updates */

/* Codes of a state. */
enum { GOES_ON, AT_TARGET, NO_CURVATURE, NO_RHO, NO_OMEGA, NOT_FINITE };

enum { LEARNED = 24 }; /* steps of CG from which Chebyshev learns its bounds */

/* Kernels, in the order of their table in steps.c. */
enum {
    FIRST_TERM,
    NEXT_TERM,
    CG_SUMS,
    CG_SCALARS,
    CG_STEP,
    CG_STEP_Z,
    ALPHA_SUMS,
    OMEGA_SUMS,
    ALPHA,
    OMEGA,
    HALF_STEP,
    BICGSTAB_STEP,
    MINRES_ALPHA,
    MINRES_DIRECTION,
    MINRES_ROTATE,
    MINRES_STEP,
    KERNELS
};

/* Numbers of a run that the host keeps; all are floats, for checkpoints. */
struct course {
    float first, scale; /* square of the first residual, as the device has it: r / scale */
    float enough;       /* square to stop at */
    float learned, alpha[LEARNED], beta[LEARNED]; /* steps of CG so far, and their numbers */
    float low, high;                              /* bounds of eigenvalues; high 0: still CG */
    /* Chebyshev's recurrence: its number, steps since it began, square of the residual there. */
    float rho, degree, start;
    float steps, square, code; /* at the last look */
    float began;               /* steps before BiCGSTAB last started */
};

struct qp_krylov {
    struct qp_context *context;
    enum qp_krylov_method method;
    enum qp_krylov_precondition precondition;
    struct qp_product matrix;
    struct qp_array *vector[VECTORS]; /* NULL: the method has none such */

    /* Sums, and what follows from them: alpha, beta, omega, rho; and the square of the residual,
     * the code, steps, the square to stop at. A step reads one of two and writes the other. */
    struct qp_pyramid sums;
    struct qp_array *scalars[2], *state[2];
    struct qp_kernel *kernel[KERNELS];

    /* Passes before the first step (`start` those of Z = M R), of a step, which goes from cell
     * `parity` of the scalars to the other, of a step of Chebyshev, and of its look. */
    struct qp_list *start, *begin, *step[2], *turn, *look;
    /* Sums and scalars after V = M Q where the host computes that, NULL elsewhere; its function,
     * and two vectors there. */
    struct qp_list *rest[2];
    void (*apply)(void *user, const float *from, float *to);
    void *user;
    float *host;
    int parity;
    bool slow;                              /* a step takes long */
    const volatile sig_atomic_t *interrupt; /* interrupt of the run */
    bool ready;                             /* vectors and scalars are those of a run */
    float largest; /* bound of the eigenvalues' magnitudes: Gershgorin's circles */
    struct course course;
};

/* True where steps up to the next look are to be left out. */
static inline bool qp_krylov_hurries(const struct qp_krylov *krylov)
{
    return krylov->slow && qp_is_interrupted(krylov->interrupt);
}

/* The cell that the present scalars are in. */
static inline int qp_krylov_cell(const struct qp_krylov *krylov)
{
    return krylov->method == QP_KRYLOV_MINRES ? 0 : krylov->parity;
}

/* True for a vector that the method has; true for one that a state holds. */
bool qp_krylov_has(const struct qp_krylov *krylov, int vector);
bool qp_krylov_keeps(const struct qp_krylov *krylov, int vector);

/* Makes sums, scalars, kernels and lists for vectors that are there. Errors: those of
 * qp_array_create, qp_kernel_create and qp_list_create. */
enum qp_status qp_krylov_steps_create(struct qp_krylov *krylov);

/* Computes one vector as M times another on the host; and where it does so V = M Q in the middle of
 * a step, and the rest of that. */
enum qp_status qp_krylov_apply(struct qp_krylov *krylov, int from, int to);
enum qp_status qp_krylov_rest(struct qp_krylov *krylov, int cell);

/* Runs a step of CG or BiCGSTAB; waits, and takes over the square of the residual, the code and
 * the number of steps. */
enum qp_status qp_krylov_step(struct qp_krylov *krylov);
enum qp_status qp_krylov_read_state(struct qp_krylov *krylov);

/* Numbers by which `turn` goes on: p becomes c1 p + c2 r. */
enum qp_status qp_krylov_turn_set(struct qp_krylov *krylov, double c1, double c2);

/* Factors of Chebyshev's recurrence between two bounds; *rho is its number, 0 at its beginning. */
void qp_krylov_recur(double low, double high, double *rho, double *c1, double *c2);

/* Runs steps of Chebyshev up to a look, and judges them. */
enum qp_status qp_krylov_chebyshev(struct qp_krylov *krylov, int steps);

#endif
