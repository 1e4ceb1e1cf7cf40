/* SPDX-License-Identifier: MIT */
/* Steps of Krylov methods on a device: OpenGL's are recorded lists of passes (steps.c, gl.c),
 * CUDA's are kernels (cuda.c, steps.cu). The course of a run is the same on both (krylov.c). */
#ifndef QP_SOLVE_KRYLOV_STEPS_H
#define QP_SOLVE_KRYLOV_STEPS_H

#include "lab/solve/krylov/kernels.h"
#include "lab/solve/krylov/krylov.h"
#include "lab/sparse/product.h"
#include "toolkit/base/watch.h"
#include "toolkit/reduce/reduction.h"

enum { KEPT_SCALARS = VECTORS }; /* the other cell of the scalars, for updates */

enum { LEARNED = 24 }; /* steps of CG from which Chebyshev learns its bounds */

/* Kernels, in the order of their table in steps.c. */
enum {
    SAME,
    FIRST_TERM,
    NEXT_TERM,
    CG_SUMS,
    LENGTH_SUMS, /* sums of one vector */
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

/* A device's functions. All vectors are there after `make`, as zeros; its errors, and destruction
 * of what it left, are qp_krylov_create's. */
struct qp_krylov_device {
    enum qp_status (*make)(struct qp_krylov *krylov, const struct qp_krylov_desc *desc);
    void (*destroy)(struct qp_krylov *krylov);

    /* Moves `rows` floats; `from` NULL: zeros. */
    enum qp_status (*send)(struct qp_krylov *krylov, const float *from, int vector);
    enum qp_status (*fetch)(struct qp_krylov *krylov, int vector, float *to);
    enum qp_status (*copy)(struct qp_krylov *krylov, int from, int to);

    /* Moves four floats of a cell of scalars or of the state, which `cell` says. */
    enum qp_status (*send_cell)(struct qp_krylov *krylov, bool state, int cell, const float *from);
    enum qp_status (*fetch_cell)(struct qp_krylov *krylov, bool state, int cell, float *to);

    enum qp_status (*run)(struct qp_krylov *krylov, enum qp_krylov_part part);
    enum qp_status (*sums)(struct qp_krylov *krylov, double total[4]); /* after LOOK */
    enum qp_status (*finish)(struct qp_krylov *krylov);

    /* Takes up to `count` steps, fewer where the run ends or is interrupted. */
    enum qp_status (*steps)(struct qp_krylov *krylov, int count);
};
extern const struct qp_krylov_device qp_krylov_gl, qp_krylov_cuda;

struct qp_krylov {
    const struct qp_krylov_device *device;
    struct qp_context *context;
    enum qp_krylov_method method;
    enum qp_krylov_precondition precondition;
    int rows;
    bool computes;   /* OpenGL's steps are compute shaders */
    bool alternates; /* steps go from one cell of the scalars to the other */

    /* CUDA's side; the members from here to `rest` are OpenGL's. */
    struct qp_krylov_own *own;
    struct qp_product matrix, inverse; /* inverse: M of BLOCKS */
    struct qp_array *vector[VECTORS];  /* NULL: the method has none such */

    /* Sums, and what follows from them: alpha, beta, omega, rho; and the square of the residual,
     * the code, steps, the square to stop at. A step reads one of two and writes the other. */
    struct qp_pyramid sums;
    struct qp_array *scalars[2], *state[2];
    struct qp_kernel *kernel[KERNELS];

    /* Passes before the first step (`start` those of Z = M R), of a step, which goes from cell
     * `parity` of the scalars to the other, of a step of Chebyshev, and of its look. */
    struct qp_list *start, *begin, *step[2], *turn, *look;
    struct qp_list *rest[2]; /* sums and scalars after V = M Q where the host computes that */

    /* Function of the host that computes V = M Q, NULL elsewhere, and two vectors there. */
    void (*apply)(void *user, const float *from, float *to);
    void *user;
    float *host;
    float c1, c2; /* numbers by which a turn goes on */
    int parity;
    bool ends_itself;    /* the device looks at the residual after each step, or nearly */
    double step_seconds; /* seconds of the last step of the warm-up */
    bool slow;           /* a step takes long */
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

/* True where steps on OpenGL are made of compute shaders. */
bool qp_krylov_computes(const struct qp_krylov_desc *desc);

/* Makes OpenGL's sums, scalars, kernels and lists for vectors that are there. Errors: those of
 * qp_array_create, qp_kernel_create and qp_list_create. */
enum qp_status qp_krylov_steps_create(struct qp_krylov *krylov);

/* Computes one vector as M times another on the host; runs BEGIN or STEP, with V = M Q in the
 * middle where the host computes that. */
enum qp_status qp_krylov_apply(struct qp_krylov *krylov, int from, int to);
enum qp_status qp_krylov_advance(struct qp_krylov *krylov, enum qp_krylov_part part);

/* Runs a step of any method but Chebyshev's own; waits, and takes over the square of the residual,
 * the code and the number of steps. */
enum qp_status qp_krylov_step(struct qp_krylov *krylov);
enum qp_status qp_krylov_read_state(struct qp_krylov *krylov);

/* Runs up to `count` steps, fewer where they take long and an interrupt comes. */
enum qp_status qp_krylov_steps_one_by_one(struct qp_krylov *krylov, int count);

/* Factors of Chebyshev's recurrence between two bounds; *rho is its number, 0 at its beginning. */
void qp_krylov_recur(double low, double high, double *rho, double *c1, double *c2);

/* Runs steps of Chebyshev up to a look, and judges them. */
enum qp_status qp_krylov_chebyshev(struct qp_krylov *krylov, int steps);

#endif
