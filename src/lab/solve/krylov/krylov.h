/* SPDX-License-Identifier: MIT */
/* Krylov methods on a device, for any sparse matrix: A d = r from d = 0, in float.
 *
 * Vectors and scalars stay on the device from step to step, in OpenGL's textures or CUDA's memory.
 * After so many steps the host looks at the residual. A step after the end, which the host does not
 * know of yet, changes nothing. */
#ifndef QP_SOLVE_KRYLOV_KRYLOV_H
#define QP_SOLVE_KRYLOV_KRYLOV_H

#include <signal.h>

#include <quadpass/context.h>

#include "lab/sparse/product.h"

enum qp_krylov_method {
    QP_KRYLOV_CG,       /* conjugate gradients (Hestenes, Stiefel 1952): symmetric and definite */
    QP_KRYLOV_BICGSTAB, /* van der Vorst 1992: any matrix */
    /* Symmetric and definite; its first steps are those of CG, from which it learns where the
     * eigenvalues are. */
    QP_KRYLOV_CHEBYSHEV,
    QP_KRYLOV_MINRES /* Paige, Saunders 1975: symmetric */
};

enum qp_krylov_precondition {
    QP_KRYLOV_NONE,
    QP_KRYLOV_JACOBI,     /* the caller has scaled the matrix by its diagonal; same steps as NONE */
    QP_KRYLOV_POLYNOMIAL, /* a Chebyshev polynomial of the matrix; with CG alone */
    QP_KRYLOV_MULTIGRID,  /* the caller's function on the host; likewise */
    QP_KRYLOV_BLOCKS      /* the caller's matrix M; likewise, on OpenGL with sliced ELL alone */
};

/* Shaders that a step is made of. */
enum qp_krylov_form {
    QP_KRYLOV_BEST, /* compute shaders on GPUs that have them, else fragments */
    QP_KRYLOV_FRAGMENTS,
    QP_KRYLOV_COMPUTE
};

struct qp_krylov_desc {
    /* Owned by the caller, as all its arrays; NULL: a CUDA device without OpenGL. */
    struct qp_context *context;
    bool cuda;   /* on the context's CUDA device, in place of OpenGL */
    bool looped; /* CUDA launches steps one by one, as it does where it is older than 12.4 */
    const struct qp_sparse *matrix; /* scaled by the caller; read by qp_krylov_create alone */
    enum qp_krylov_method method;
    enum qp_krylov_precondition precondition;
    enum qp_product_layout layout;
    /* The function of MULTIGRID: to = M from, `rows` floats each, M symmetric and positive
     * definite. A vector is read back and written in each step. */
    void (*apply)(void *user, const float *from, float *to);
    void *user;

    /* M of BLOCKS, symmetric and positive definite, of at most 64 entries a row; read by
     * qp_krylov_create alone. */
    const struct qp_sparse *inverse;
    enum qp_krylov_form form;
};

/* A matrix on the device, the vectors of a method, and its passes. It belongs to its context. */
struct qp_krylov;

/* Bytes that qp_krylov_create would take of the device's memory, where textures have
 * `rectangle_limit` texels each way, and the layout that BEST chooses; nothing is made (`context`
 * may be NULL). Errors: QP_UNSUPPORTED for a matrix that does not fit, for diagonals of a matrix
 * that has too many, and for an M with another method than CG; QP_NO_MEMORY. */
enum qp_status qp_krylov_estimate(const struct qp_krylov_desc *desc, int rectangle_limit,
                                  double *bytes, enum qp_product_layout *layout);

/* Errors: those of qp_krylov_estimate; QP_UNSUPPORTED for a device that cannot draw in place or
 * into GL_RGBA32F; QP_DEVICE. Owner: the caller, by qp_krylov_destroy, before the context is
 * destroyed. Threads: the context's. */
enum qp_status qp_krylov_create(const struct qp_krylov_desc *desc, struct qp_krylov **out);

/* Takes NULL and leaves NULL. */
void qp_krylov_destroy(struct qp_krylov **krylov);

/* Layout of the matrix on OpenGL, DIAGONALS or SLICED_ELL; true for a method on CUDA. */
enum qp_product_layout qp_krylov_layout(const struct qp_krylov *krylov);
bool qp_krylov_is_on_cuda(const struct qp_krylov *krylov);

/* ---- Runs ---- */

enum qp_krylov_ending {
    QP_KRYLOV_TARGET,       /* ||r_k|| <= target ||r|| */
    QP_KRYLOV_OUT_OF_STEPS, /* `most_steps` were made */
    QP_KRYLOV_STOPPED,      /* by `look` or `interrupt` */
    QP_KRYLOV_CURVATURE,    /* breakdown of CG: p' A p is not positive, or not finite */
    /* Breakdown of BiCGSTAB: r~' r = 0 or r~' A p = 0, up to rounding, in the first step after a
     * start, for four r~; later on it starts again by itself. */
    QP_KRYLOV_RHO,
    QP_KRYLOV_OMEGA, /* likewise: A s = 0; of MINRES, A p = 0 */
    /* Chebyshev's residual grows, whatever the bounds; or any method's residual is not finite. */
    QP_KRYLOV_DIVERGING
};

struct qp_krylov_run {
    /* Residual: `rows` floats, largest magnitude about 1; NULL: the run goes on from the state that
     * qp_krylov_restore brought back. */
    const float *r;
    double target;  /* goal for the residual carried along, relative to r */
    int most_steps; /* all together, those before a restored state included */
    /* Steps from look to look; 0: 8, or as forecasts advise up to `rarely`, the most that an
     * interrupt may wait for. All methods have the same bits with any number, but for Chebyshev,
     * which judges its bounds at looks: each 8 steps. */
    int every, rarely;

    /* Called with the steps so far and ||r_k|| / ||r||; false ends the run. It may call
     * qp_krylov_save and qp_krylov_answer. NULL: none. */
    bool (*look)(void *user, int step, double residual);
    void *user;
    /* Ends the run at the next look, or after a step that takes long, where it is not 0; or
     * NULL. */
    const volatile sig_atomic_t *interrupt;
};

struct qp_krylov_result {
    enum qp_krylov_ending ending;
    int steps;       /* steps of the answer; after a breakdown the steps before it */
    double residual; /* ||r_k|| / ||r|| as carried along; 0 for r = 0 */
};

/* Runs a method; then qp_krylov_answer has its d, after a breakdown too: that of the last good
 * step. A zero r has the target met after 0 steps. Errors: QP_BAD_USE for a NULL r without a
 * restored state; QP_DEVICE; QP_NO_MEMORY. Threads: the context's. */
enum qp_status qp_krylov_run(struct qp_krylov *krylov, const struct qp_krylov_run *run,
                             struct qp_krylov_result *result);

/* Writes `rows` floats of d as it is, also within a look; zeros if one of them is beyond float, as
 * where steps drift along vectors that a singular matrix makes zero. Errors: QP_DEVICE,
 * QP_NO_MEMORY. */
enum qp_status qp_krylov_answer(struct qp_krylov *krylov, float *d);

/* ---- State, for checkpoints ---- */

/* Floats of a state: a number that the matrix, method, preconditioner and layout alone decide. */
size_t qp_krylov_state_size(const struct qp_krylov *krylov);

/* Writes all that the steps to come depend on, within a look or after a run. A run that goes on
 * from it (`r` NULL, the same target and `every`) has the bits of one that was never stopped.
 * Errors: QP_DEVICE, QP_NO_MEMORY. */
enum qp_status qp_krylov_save(struct qp_krylov *krylov, float *state);

/* Brings a state back. Errors: QP_BAD_INPUT for numbers that are no state; QP_DEVICE,
 * QP_NO_MEMORY. */
enum qp_status qp_krylov_restore(struct qp_krylov *krylov, const float *state);

#endif
